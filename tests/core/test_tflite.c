/* What could go wrong: an ellipsis, or an entry without an axis, is resolved differently from TFLite. The expected
 * results come from TFLite's own method, written again here: a shape with the new axes inserted, one effective mask for
 * the ellipsis, and an entry for each position. */
#include "slice_oracle.h"

enum { MAX_ENTRIES = 5, MAX_RANK = 4, KINDS = 5, READS_OUTSIDE = -9 };

static const uint8_t flags_of_kind[KINDS] = {0, SSOP_SHRINK, SSOP_AXIS_NEW, SSOP_ELLIPSIS, SSOP_AXIS_NEW | SSOP_SHRINK};

/* What stands at each effective place: the input axis (or SSOP_NEW_AXIS) and the entry (or -1). */
typedef struct {
    int count; /* or READS_OUTSIDE */
    int axis[MAX_RANK + MAX_ENTRIES], entry[MAX_RANK + MAX_ENTRIES];
} told;

static bool
has(const int *kinds, int count, int entry, uint8_t flag)
{
    return entry >= 0 && entry < count && (flags_of_kind[kinds[entry]] & flag) != 0;
}

static told
tell(const int *kinds, int count, int rank)
{
    int added = 0, start, expanded = 0;
    for (int i = 0; i < count; i++) {
        added += has(kinds, count, i, SSOP_AXIS_NEW) && !has(kinds, count, i, SSOP_ELLIPSIS);
    }
    told result = {.count = rank + added};
    bool whole[MAX_RANK + MAX_ENTRIES] = {false}, is_new[MAX_RANK + MAX_ENTRIES] = {false};
    start = result.count;
    for (int i = 0; i < result.count;) {
        if (has(kinds, count, i, SSOP_ELLIPSIS)) {
            int stop = i + 1 + added + rank - count;
            stop = stop > result.count ? result.count : stop;
            stop = stop < i + 1 ? i + 1 : stop;
            start = i;
            expanded = stop - start - 1;
            for (; i < stop; i++) {
                whole[i] = true;
            }
            continue;
        }
        is_new[i] = has(kinds, count, i - expanded, SSOP_AXIS_NEW);
        i++;
    }
    int inserted = 0, behind = 0;
    for (int i = 0; i < result.count; i++) {
        if (whole[i]) {
            behind = i - start;
        }
        result.entry[i] = whole[i] || i >= count + behind ? -1 : i - behind;
        result.axis[i] = is_new[i] ? SSOP_NEW_AXIS : i - inserted;
        inserted += is_new[i];
        if (result.axis[i] >= rank) {
            result.count = READS_OUTSIDE;
            return result;
        }
    }
    return result;
}

static void
check_layout(const int *kinds, int count, int rank)
{
    const int64_t dims[MAX_RANK] = {5, 6, 7, 8};
    ssop_spec spec = {.count = count};
    for (int i = 0; i < count; i++) { /* entry i takes i + 1 elements from the start, or the first one */
        spec.end[i] = i + 1;
        spec.step[i] = 1;
        spec.flags[i] = flags_of_kind[kinds[i]];
    }
    told right = tell(kinds, count, rank);
    ssop_region region;
    ssop_error error = {.rule = SSOP_NO_RULE};
    ssop_status status =
        ssop_strided_slice_resolve(&spec, (ssop_shape){rank, dims}, &ssop_dialect_tflite, &region, NULL, &error);
    const char *kind = "rsn.b";
    char text[MAX_ENTRIES + 1] = {0};
    for (int i = 0; i < count; i++) {
        text[i] = kind[kinds[i]];
    }
    if (right.count == READS_OUTSIDE) {
        CHECK(status == SSOP_VALUE_ERROR && error.rule == SSOP_TFL_C4 && error.axis == rank, "tfl_c4: \"%s\" rank %d",
              text, rank);
        return;
    }
    CHECK(status == SSOP_OK, "%s: \"%s\" rank %d", ssop_rule_label(error.rule), text, rank);
    int out = 0;
    for (int i = 0; status == SSOP_OK && i < right.count; i++) {
        bool is_new = right.axis[i] == SSOP_NEW_AXIS;
        bool shrunk = !is_new && has(kinds, count, right.entry[i], SSOP_SHRINK);
        CHECK(shrunk || (out < region.out_rank && region.out_axis[out] == right.axis[i]), "tfl_s3: \"%s\" rank %d",
              text, rank);
        if (!is_new) {
            int64_t elements = shrunk ? 1 : right.entry[i] < 0 ? dims[right.axis[i]] : right.entry[i] + 1;
            CHECK(region.range[right.axis[i]].count == elements, "tfl_s3: \"%s\" rank %d axis %d", text, rank,
                  right.axis[i]);
        }
        out += shrunk ? 0 : 1;
    }
    CHECK(status != SSOP_OK || out == region.out_rank, "tfl_s3: \"%s\" rank %d: output rank", text, rank);
}

/* Every sequence of kinds with at most one ellipsis. */
static void
test_every_layout(void)
{
    for (int count = 0; count <= MAX_ENTRIES; count++) {
        int sequences = 1;
        for (int i = 0; i < count; i++) {
            sequences *= KINDS;
        }
        for (int number = 0; number < sequences; number++) {
            int kinds[MAX_ENTRIES], rest = number, ellipses = 0;
            for (int i = 0; i < count; i++, rest /= KINDS) {
                kinds[i] = rest % KINDS;
                ellipses += kinds[i] == 3;
            }
            for (int rank = 0; ellipses <= 1 && rank <= MAX_RANK; rank++) {
                if (is_chosen()) {
                    check_layout(kinds, count, rank);
                }
            }
        }
    }
}

static ssop_status
resolve_offset(int count, const uint8_t *flags, int rank, ssop_error *error)
{
    const int64_t dims[2] = {5, 6};
    ssop_spec spec = {.count = count};
    ssop_region region;
    for (int i = 0; i < count; i++) {
        spec.end[i] = spec.step[i] = 1;
        spec.flags[i] = flags[i];
    }
    return ssop_strided_slice_resolve(&spec, (ssop_shape){rank, dims}, &ssop_dialect_tflite_offset, &region, NULL,
                                      error);
}

/* tfl_c8: with offset, every axis needs the entry of its own number. */
static void
test_offset_layout(void)
{
    const uint8_t plain[3] = {0, SSOP_SHRINK, 0}, ellipsis[2] = {0, SSOP_ELLIPSIS}, added[3] = {0, SSOP_AXIS_NEW, 0};
    ssop_error error;
    CHECK(resolve_offset(2, plain, 2, &error) == SSOP_OK, "tfl_s4: an entry for each axis");
    CHECK(resolve_offset(3, plain, 2, &error) == SSOP_OK, "tfl_s4: a spare entry");
    CHECK(resolve_offset(0, plain, 0, &error) == SSOP_OK, "tfl_s4: a scalar");
    CHECK(resolve_offset(1, plain, 2, &error) == SSOP_VALUE_ERROR && is_error(&error, SSOP_TFL_C8, 1, -1, 0, 0, 0),
          "tfl_c8: an axis without an entry");
    CHECK(resolve_offset(2, ellipsis, 2, &error) == SSOP_VALUE_ERROR && is_error(&error, SSOP_TFL_C8, -1, 1, 0, 0, 0),
          "tfl_c8: an ellipsis");
    CHECK(resolve_offset(3, added, 2, &error) == SSOP_VALUE_ERROR && is_error(&error, SSOP_TFL_C8, -1, 1, 0, 0, 0),
          "tfl_c8: a new axis");
}

int
main(void)
{
    test_every_layout();
    test_offset_layout();
    return check_report("test_tflite");
}
