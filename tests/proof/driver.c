/* Calls functions of the core for many arguments: `in` and `out` have a row for each call. int64_t has SSOP_BITS
 * bits. */
#include "core/dim.h"
#include "core/range.h"

void run_between(long calls, const int64_t *in, int64_t *out);
void run_compose(long calls, const int64_t *in, int64_t *out);
void run_resolve(long calls, const int64_t *in, int64_t *out);
void run_window(long calls, const int64_t *in, int64_t *out);
void run_arithmetic(long calls, const int64_t *in, int64_t *out);

static void
put_range(int64_t *out, ssop_range range)
{
    out[0] = range.start;
    out[1] = range.count;
    out[2] = range.step;
}

void
run_between(long calls, const int64_t *in, int64_t *out)
{
    for (long i = 0; i < calls; i++, in += 3, out += 3) {
        put_range(out, ssop_range_between(in[0], in[1], in[2]));
    }
}

void
run_compose(long calls, const int64_t *in, int64_t *out)
{
    for (long i = 0; i < calls; i++, in += 6, out += 3) {
        put_range(out, ssop_range_compose((ssop_range){in[0], in[1], in[2]}, (ssop_range){in[3], in[4], in[5]}));
    }
}

void
run_resolve(long calls, const int64_t *in, int64_t *out)
{
    static const ssop_dialect_rules rules = {
        .zero_step = SSOP_SS_C5,
        .shrunk_step = SSOP_SS_C6,
        .shrunk_index = SSOP_SS_C7,
        .offset_window = SSOP_TFL_C9,
    };
    for (long i = 0; i < calls; i++, in += 11, out += 10) {
        const ssop_dialect dialect = {
            .rules = &rules,
            .shrink_reads_begin_mask = in[5] != 0,
            .shrink_ignores_step = in[6] != 0,
            .shrink_clamps_below = in[7] != 0,
            .reverse_clamps_begin_first = in[8] != 0,
            .end_is_offset = in[9] != 0,
            .max_end_is_open = in[10] != 0,
        };
        const range_entry entry = {in[1], in[2], in[3], (uint8_t)in[4]};
        ssop_range range = {0, 0, 0};
        ssop_axis_trace trace = {.begin = 0};
        out[0] = ssop_range_resolve(in[0], &entry, &dialect, &range, &trace, NULL) != SSOP_OK;
        put_range(out + 1, range);
        out[4] = trace.wrapped_begin;
        out[5] = trace.wrapped_end;
        out[6] = trace.clamped_begin;
        out[7] = trace.clamped_end;
        out[8] = trace.begin;
        out[9] = trace.end;
    }
}

void
run_window(long calls, const int64_t *in, int64_t *out)
{
    for (long i = 0; i < calls; i++, in += 6, out += 8) {
        const ssop_start start = {in[2], in[3] != 0};
        const bool add_dim = in[4] != 0;
        const ssop_window_spec spec = {1, 1, &start, in + 1, &add_dim, 1, (ssop_out_of_bounds)in[5]};
        ssop_window window = {.rank = 0};
        out[0] = ssop_dynamic_slice_resolve(&spec, (ssop_shape){1, in}, &window, NULL) != SSOP_OK;
        put_range(out + 1, window.part[0][0]);
        put_range(out + 4, window.part[0][1]);
        out[7] = window.before[0];
    }
}

void
run_arithmetic(long calls, const int64_t *in, int64_t *out)
{
    for (long i = 0; i < calls; i++, in += 8, out += 4) {
        ssop_inference inference = {.last_id = 100, .tight = in[1] != 0};
        const ssop_dim a = {{in[2], in[3]}, in[4]}, b = {{in[5], in[6]}, in[7]};
        ssop_dim made = {{0, 0}, 0};
        out[0] = ssop_dim_arithmetic(&inference, (ssop_dim_operator)in[0], a, b, &made, NULL) != SSOP_OK;
        out[1] = made.value.lo;
        out[2] = made.value.hi;
        out[3] = made.id;
    }
}
