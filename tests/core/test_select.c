/* What could go wrong: an item comes from the wrong array, at the end of the vectors or of a step. A bool is neither 0
 * nor 1. Bytes beside the items are read or written. */
#include "system.h"

#include "copy/kernels/kernels.h"
#include "targets.h"

enum { MAX_BYTES = 48 * 1024, PAGES_BYTES = 64 * 1024, BESIDE = 64 };

/* Memory whose last byte is followed by a page that cannot be read. */
typedef struct {
    char *pages, *end;
} guarded;

static guarded
new_guarded(void)
{
    const size_t page = system_page_bytes(), bytes = (PAGES_BYTES + page - 1) / page * page;
    char *pages = new_pages(bytes + page);
    allow_access(pages, bytes, true);
    return (guarded){pages, pages + bytes};
}

static guarded dst, pred, on_true, on_false;

/* Runs the steps of a selection in pieces of one or two. */
static void
execute_in_pieces(const ssop_selection *selection)
{
    const int64_t steps = ssop_selection_steps(selection);
    for (int64_t first = 0, last; first < steps; first = last) {
        last = first + 2 < steps ? first + 2 : steps;
        ssop_selection_execute(selection, first, last);
    }
}

static void
check_selection(int64_t count, int64_t item_bytes, int64_t shift)
{
    const int64_t bytes = count * item_bytes;
    ssop_selection selection = {.dst = dst.end - MAX_BYTES - shift,
                                .pred = pred.end - count,
                                .on_true = on_true.end - bytes,
                                .on_false = on_false.end - bytes,
                                .count = count,
                                .item_bytes = item_bytes};
    for (int64_t i = 0; i < count; i++) {
        pred.end[i - count] = (char)(random_bits() % 2 * (random_bits() % 256));
    }
    for (int64_t i = 0; i < bytes; i++) {
        on_true.end[i - bytes] = (char)random_bits();
        on_false.end[i - bytes] = (char)random_bits();
    }
    mark(selection.dst - BESIDE, (size_t)(bytes + 2 * BESIDE));
    CHECK(ssop_selection_begin(&selection, NULL), "items of %lld bytes", LL(item_bytes));
    CHECK(ssop_selection_bytes(&selection) == bytes, "%lld bytes", LL(bytes));
    execute_in_pieces(&selection);
    bool right = true;
    for (int64_t i = 0; i < bytes; i++) {
        const char *from = selection.pred[i / item_bytes] != 0 ? selection.on_true : selection.on_false;
        right = right && selection.dst[i] == from[i];
    }
    CHECK(right, "%s: %lld items of %lld bytes, %lld bytes before a line", ssop_cpu_target(), LL(count), LL(item_bytes),
          LL(shift));
    CHECK(is_marked(selection.dst - BESIDE, BESIDE) && is_marked(selection.dst + bytes, BESIDE),
          "%s: bytes beside %lld items", ssop_cpu_target(), LL(count));
}

static void
test_every_count(void)
{
    enum { MAX_ITEMS = 300 };
    ssop_policies policies;
    ssop_policies_of_machine(&policies, 0);
    policies.step_bytes = 16 * 1024;
    for (policies.stream_bytes = 0; policies.stream_bytes <= 1; policies.stream_bytes++) {
        CHECK(ssop_policies_use(&policies), "policies");
        for (int64_t item_bytes = 1; item_bytes <= 16; item_bytes *= 2) {
            for (int64_t count = 0; count <= MAX_ITEMS; count++) {
                check_selection(count, item_bytes, 0);
                check_selection(count, item_bytes, 1 + count % 63);
            }
            for (int i = 0; i < 30; i++) {
                check_selection(random_between(0, MAX_BYTES / item_bytes), item_bytes, random_between(0, 1) * 8);
            }
        }
    }
}

/* Non-temporal stores, of CPU targets that have them, are for a destination that begins with a line and is not new. */
static void
test_policy(void)
{
    ssop_policies policies;
    ssop_policies_of_machine(&policies, 0);
    policies.stream_bytes = 3 * 4 * 100 + 100;
    CHECK(ssop_policies_use(&policies), "policies");
    const ssop_hints fresh = {.fresh_dst = true}, old = {.fresh_dst = false};
    const struct {
        int64_t shift, count;
        const ssop_hints *hints;
        bool streams;
    } cases[] = {{0, 100, NULL, true},
                 {0, 100, &old, true},
                 {0, 100, &fresh, false},
                 {0, 99, NULL, false},
                 {32, 100, NULL, false}};
    for (int i = 0; i < COUNT(cases); i++) {
        ssop_selection selection = {.dst = dst.pages + cases[i].shift, .count = cases[i].count, .item_bytes = 4};
        CHECK(ssop_selection_begin(&selection, cases[i].hints), "case %d", i);
        CHECK(selection.streams == (cases[i].streams && ssop_kernels()->streams), "case %d", i);
    }
    policies.stream_bytes = 0;
    CHECK(ssop_policies_use(&policies), "policies");
    ssop_selection selection = {.dst = dst.pages, .count = 100, .item_bytes = 4};
    CHECK(ssop_selection_begin(&selection, NULL) && !selection.streams, "never");
    for (int64_t item_bytes = 0; item_bytes < 40; item_bytes++) {
        const bool has_kernel =
            item_bytes == 1 || item_bytes == 2 || item_bytes == 4 || item_bytes == 8 || item_bytes == 16;
        selection.item_bytes = item_bytes;
        CHECK(ssop_selection_begin(&selection, NULL) == has_kernel, "items of %lld bytes", LL(item_bytes));
    }
}

int
main(void)
{
    dst = new_guarded();
    pred = new_guarded();
    on_true = new_guarded();
    on_false = new_guarded();
    for_every_target(test_every_count);
    for_every_target(test_policy);
    return check_report("test_select");
}
