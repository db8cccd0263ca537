/* What could go wrong: the copy without a loop nest copies a wrong item, or reads or writes a byte too many. */
#include "check.h"

enum { MAX_RANK = 5, MAX_DIM = 4, GUARD = 32, ROOM = 1 << 16, ROUNDS = 60000 };

static char memory[ROOM], result[SSOP_SMALL_BYTES * 8 + 2 * GUARD];

/* One item after the other, found by its index. */
static void
check_view(const ssop_view *view, int64_t bytes)
{
    memset(result, 0x5A, sizeof(result));
    ssop_copy_small(result + GUARD, view->data, view);
    int64_t items = bytes / view->item_bytes;
    bool right = true;
    for (int64_t item = 0; item < items; item++) {
        const char *from = view->data;
        int64_t rest = item;
        for (int32_t axis = view->rank - 1; axis >= 0; axis--) {
            from += rest % view->dim[axis] * view->stride[axis];
            rest /= view->dim[axis];
        }
        right = right && memcmp(result + GUARD + item * view->item_bytes, from, (size_t)view->item_bytes) == 0;
    }
    CHECK(right, "rank %d, %lld items of %lld bytes", (int)view->rank, LL(items), LL(view->item_bytes));
    bool kept = true;
    for (int i = 0; i < GUARD; i++) {
        kept = kept && result[i] == 0x5A && result[GUARD + bytes + i] == 0x5A;
    }
    CHECK(kept, "written outside: rank %d, %lld bytes", (int)view->rank, LL(bytes));
}

static bool
is_small(int64_t item_bytes, int64_t rows, int64_t columns, int64_t row_stride, int64_t stride)
{
    const ssop_view view = {
        .item_bytes = item_bytes, .rank = 2, .dim = {rows, columns}, .stride = {row_stride, stride}};
    return ssop_view_is_small(&view);
}

static void
test_what_is_small(void)
{
    CHECK(is_small(4, 2, 3, 12, 4) && !is_small(4, 2, 3, 16, 4) && !is_small(4, 2, 3, 4, 8) &&
              !is_small(4, 2, 3, 12, -4),
          "C order");
    CHECK(is_small(1, 1, 512, -1, 1) && !is_small(1, 1, 513, -1, 1), "512 items");
    CHECK(is_small(512, 1, 1, -1, -1) && !is_small(513, 1, 1, -1, -1), "an item of 512 bytes");
    CHECK(!is_small(4, 1, 200, -1, 4) && !is_small(1, INT64_MAX, 1, 1, 1), "the product does not overflow");
    CHECK(!is_small(0, 1, 3, -1, 0) && !is_small(4, 1, 0, -1, 4), "no bytes");
}

int
main(void)
{
    const int64_t item_sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 64};
    for (int i = 0; i < ROOM; i++) {
        memory[i] = (char)(i * 37 + i / 251);
    }
    for (int round = 0; round < ROUNDS; round++) {
        ssop_view view = {.rank = (int32_t)random_between(0, MAX_RANK),
                          .item_bytes = item_sizes[random_between(0, COUNT(item_sizes) - 1)]};
        int64_t bytes = view.item_bytes, stride = view.item_bytes;
        view.data = memory + ROOM / 2 + random_between(0, 7);
        for (int32_t axis = view.rank - 1; axis >= 0; axis--) {
            view.dim[axis] = random_between(1, axis == view.rank - 1 ? 3 * MAX_DIM : MAX_DIM);
            view.stride[axis] = random_between(0, 1) == 0 ? stride : random_between(-90, 90);
            if (view.dim[axis] == 1 && random_between(0, 3) == 0) { /* is ignored */
                view.stride[axis] = random_between(0, 1) == 0 ? INT64_MIN : INT64_MAX;
            }
            stride = view.stride[axis] * view.dim[axis];
            stride = stride < -900 || stride > 900 ? view.item_bytes : stride;
            bytes *= view.dim[axis];
        }
        if (bytes <= SSOP_SMALL_BYTES * 8) {
            check_view(&view, bytes);
        }
    }
    test_what_is_small();
    return check_report("test_small");
}
