/* What could go wrong: a mask bit is lost, or an entry behind the ellipsis is applied to the wrong axis. Or a spec is
 * written although one slice of listed axes cannot express it. */
#include "check.h"

enum { MAX_LISTED = 3, MAX_RANK = 4 };

static const int64_t dims[MAX_RANK] = {5, 1, 4, 3};
static const int64_t begin[MAX_LISTED] = {1, -1, 0}, end[MAX_LISTED] = {4, -9, 2}, step[MAX_LISTED] = {2, -1, 1};

static int
bits_among(int32_t mask, int32_t count)
{
    int bits = 0;
    for (int32_t i = 0; i < count; i++) {
        bits += (int)((uint32_t)mask >> i & 1);
    }
    return bits;
}

/* In words of the spec: every entry is a range of an axis, but for one ellipsis. */
static bool
can_be_written(const ssop_masks *masks, int32_t count, int32_t rank)
{
    int ellipses = bits_among(masks->ellipsis, count);
    int others = bits_among((masks->new_axis | masks->shrink_axis) & ~masks->ellipsis, count);
    return rank > 0 && ellipses <= 1 && others == 0 && count - ellipses <= rank;
}

/* Where it is written, ONNX's Slice takes what TensorFlow's strided slice takes. */
static void
check_masks(const ssop_masks *masks, int32_t count, int32_t rank)
{
    const ssop_spec_counts counts = {count, count, count};
    const ssop_shape shape = {rank, dims};
    ssop_spec spec = {.count = 0};
    memcpy(spec.begin, begin, sizeof begin);
    memcpy(spec.end, end, sizeof end);
    memcpy(spec.step, step, sizeof step);
    ssop_one_slice written;
    ssop_trace trace = {.entries = 0};
    bool is_written = ssop_one_slice_write(&spec, counts, masks, rank, &written, &trace);
    CHECK(is_written == can_be_written(masks, count, rank), "%d entries, rank %d, masks %x %x %x: written %d",
          (int)count, (int)rank, (unsigned)masks->ellipsis, (unsigned)masks->new_axis, (unsigned)masks->shrink_axis,
          (int)is_written);
    if (!is_written) {
        return;
    }
    const ssop_axes_slice_spec listed = {
        .start_count = written.count,
        .stop_count = written.count,
        .step_count = written.count,
        .axes_count = written.count,
        .start = written.start,
        .stop = written.stop,
        .step = written.step,
        .axes = written.axes,
    };
    ssop_region by_tensorflow, by_onnx;
    ssop_error error;
    CHECK(ssop_spec_init(&spec, counts, masks, &ssop_dialect_tensorflow, &error) == SSOP_OK, "the spec is one");
    ssop_trace right = {.entries = 0};
    ssop_status status =
        ssop_strided_slice_resolve(&spec, shape, &ssop_dialect_tensorflow, &by_tensorflow, &right, &error);
    CHECK(status == SSOP_OK &&
              ssop_axes_slice_resolve(&listed, shape, &ssop_onnx_slice, &by_onnx, NULL, &error) == SSOP_OK,
          "both are resolved");
    CHECK(by_tensorflow.in_rank == by_onnx.in_rank && by_tensorflow.out_rank == by_onnx.out_rank, "ranks");
    for (int32_t axis = 0; axis < rank; axis++) {
        const ssop_range one = by_tensorflow.range[axis], other = by_onnx.range[axis];
        CHECK(one.start == other.start && one.count == other.count && one.step == other.step &&
                  by_tensorflow.out_axis[axis] == by_onnx.out_axis[axis],
              "%d entries, rank %d, masks %x %x %x: axis %d", (int)count, (int)rank, (unsigned)masks->begin,
              (unsigned)masks->end, (unsigned)masks->ellipsis, (int)axis);
    }
    CHECK(trace.entries == right.entries, "%d entries traced, not %d", (int)trace.entries, (int)right.entries);
    for (int32_t i = 0, k = 0; i < count; i++) {
        CHECK(trace.flags[i] == right.flags[i] && trace.first_axis[i] == right.first_axis[i] &&
                  trace.axis_count[i] == right.axis_count[i],
              "trace of entry %d", (int)i);
        if ((trace.flags[i] & SSOP_ELLIPSIS) == 0) {
            CHECK(written.entry[k] == i && written.axes[k] == trace.first_axis[i], "entry of position %d", (int)k);
            k++;
        }
    }
}

static void
test_every_mask(void)
{
    for (int32_t count = 0; count <= MAX_LISTED; count++) {
        const int32_t patterns = 1 << count;
        for (int32_t at = 0; at < patterns * patterns * patterns * patterns * patterns; at++) {
            const ssop_masks masks = {
                at % patterns,
                at / patterns % patterns,
                at / (patterns * patterns) % patterns,
                at / (patterns * patterns * patterns) % patterns,
                at / (patterns * patterns * patterns * patterns),
            };
            for (int32_t rank = 0; rank <= MAX_RANK; rank++) {
                check_masks(&masks, count, rank);
            }
        }
    }
}

static void
test_lengths(void)
{
    const ssop_masks none = {0, 0, 0, 0, 0}, sign = {-1, -1, INT32_MIN, 0, 0};
    ssop_spec spec = {.count = 0};
    for (int i = 0; i < SSOP_MAX_ENTRIES; i++) {
        spec.step[i] = 1;
    }
    ssop_one_slice written;
    const ssop_spec_counts wrong[] = {
        {1, 2, 1}, {1, 1, 2}, {SSOP_MAX_ENTRIES + 1, SSOP_MAX_ENTRIES + 1, SSOP_MAX_ENTRIES + 1}};
    for (int i = 0; i < COUNT(wrong); i++) {
        ssop_trace trace = {.entries = 0};
        CHECK(!ssop_one_slice_write(&spec, wrong[i], &none, SSOP_MAX_RANK, &written, &trace), "lengths %d", i);
    }
    const ssop_masks both = {1, 1, 0, 0, 0};
    ssop_trace of_one = {.entries = 0};
    spec.step[0] = -1;
    CHECK(ssop_one_slice_write(&spec, (ssop_spec_counts){1, 1, 1}, &both, 1, &written, &of_one) &&
              written.start[0] == INT64_MAX && written.stop[0] == INT64_MIN,
          "a whole axis backwards, however long it is");
    spec.step[0] = 1;
    ssop_trace trace = {.entries = 0};
    CHECK(ssop_one_slice_write(&spec, (ssop_spec_counts){40, 40, 40}, &sign, 40, &written, &trace), "40 entries");
    CHECK(written.count == 39 && written.stop[30] == INT64_MAX && written.stop[31] == 0 && written.entry[31] == 32,
          "masks have 32 bits, of which the last is entry 31's: %d", (int)written.count);
}

int
main(void)
{
    test_every_mask();
    test_lengths();
    return check_report("test_one_slice");
}
