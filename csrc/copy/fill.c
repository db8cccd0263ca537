/* Zero-expand: an input scattered over zeros in one sweep over the output. What the gradient of a slice is. */
#include "kernels/tables.h"

/* One axis of the output. */
typedef struct {
    int64_t dim, stride; /* bytes from index to index: all that lies behind one index */
    ssop_range range;    /* the indices that come from the input; step > 0 */
    int64_t src_stride;  /* bytes of the input between two of them */
} expand_axis;

typedef struct {
    int32_t rank;
    expand_axis axis[SSOP_MAX_RANK];
    int64_t item_bytes;
    const char *src;
    ssop_tile tile; /* of the innermost axis */
    spread_table table;
    ssop_kernel kernel, vector_kernel;
    int64_t least_columns; /* for the vector kernel */
} expansion;

static bool
is_whole(const expand_axis *axis)
{
    return axis->range.count == axis->dim; /* so the step is 1 */
}

/* Inner axes that are taken whole from an adjoining input are one large item. */
static void
join_inner_axes(expansion *plan)
{
    while (plan->rank > 0) {
        const expand_axis *inner = &plan->axis[plan->rank - 1];
        if (!is_whole(inner) || inner->src_stride != plan->item_bytes) {
            return;
        }
        plan->item_bytes *= inner->dim;
        plan->rank--;
    }
}

static void
prepare(expansion *plan, const ssop_view *dst, const ssop_region *region, const ssop_view *src)
{
    plan->rank = dst->rank;
    plan->item_bytes = dst->item_bytes;
    plan->src = src->data;
    int64_t stride = dst->item_bytes; /* by the dims: those of unit axes in a C-ordered array may say anything */
    for (int32_t axis = dst->rank - 1; axis >= 0; axis--) {
        plan->axis[axis] = (expand_axis){dst->dim[axis], stride, region->range[axis], 0};
        stride *= dst->dim[axis];
    }
    for (int32_t out = 0; out < region->out_rank; out++) {
        int32_t from = region->out_axis[out];
        if (from >= 0) {
            plan->axis[from].src_stride = src->stride[out];
        }
    }
    for (int32_t axis = 0; axis < dst->rank; axis++) { /* backwards over the output is backwards over the input */
        expand_axis *one = &plan->axis[axis];
        if (one->range.step < 0) {
            plan->src += (one->range.count - 1) * one->src_stride;
            one->src_stride = -one->src_stride;
            one->range.start += (one->range.count - 1) * one->range.step;
            one->range.step = -one->range.step;
        }
    }
    join_inner_axes(plan);
}

/* More zeros than that between two items are no work for permutations. */
enum { MOST_EXPAND_CHUNKS = 16 };

/* How rows of the innermost axis are written. */
static void
choose_kernels(expansion *plan)
{
    const kernel_table *kernels = ssop_kernels();
    const expand_axis *inner = &plan->axis[plan->rank - 1];
    int column = kernel_size_column(plan->item_bytes);
    plan->tile = (ssop_tile){
        .rows = 1,
        .columns = inner->range.count,
        .dst_column = inner->range.step * inner->stride,
        .src_column = inner->src_stride,
        .item_bytes = plan->item_bytes,
        .table = &plan->table,
    };
    plan->kernel = ssop_kernels_portable.kernel[SSOP_PATTERN_EXPAND][column];
    plan->vector_kernel = kernels->kernel[SSOP_PATTERN_EXPAND][column];
    plan->least_columns = INT64_MAX;
    bool chunks = kernels->vector_bytes > 0 && plan->tile.dst_column / plan->item_bytes <= MOST_EXPAND_CHUNKS;
    if (chunks && kernels->vector_bytes % plan->item_bytes == 0 &&
        ssop_spread_fits(&plan->tile, kernels->vector_bytes, MOST_EXPAND_CHUNKS)) {
        ssop_spread_prepare(&plan->table, &plan->tile, kernels->vector_bytes);
        plan->least_columns = plan->table.items;
    }
}

/* Elements k..stop-1 of the innermost range, with the zeros between them. */
static void
expand_row(expansion *plan, const expand_axis *axis, char *dst, const char *src, int64_t k, int64_t stop)
{
    plan->tile.columns = stop - k;
    dst += (axis->range.start + k * axis->range.step) * axis->stride;
    src += k * axis->src_stride;
    if (stop - k >= plan->least_columns) {
        plan->vector_kernel(dst, src, &plan->tile);
    }
    else {
        plan->kernel(dst, src, &plan->tile);
    }
}

/* Indices first..last-1 of one axis: zeros, and where the range says so, what lies behind. */
static void
expand_axis_from(expansion *plan, int32_t at, char *dst, const char *src, int64_t first, int64_t last)
{
    const expand_axis *axis = &plan->axis[at];
    int64_t start = axis->range.start, step = axis->range.step;
    int64_t k = first <= start ? 0 : (first - start - 1) / step + 1;
    int64_t stop = last <= start ? 0 : (last - start - 1) / step + 1;
    stop = stop < axis->range.count ? stop : axis->range.count;
    int64_t done = first; /* indices before are written */
    if (at == plan->rank - 1 && k < stop) {
        int64_t head = start + k * step;
        memset(dst + done * axis->stride, 0, (size_t)((head - done) * axis->stride));
        expand_row(plan, axis, dst, src, k, stop);
        done = start + (stop - 1) * step + 1;
    }
    else {
        for (; k < stop; k++) {
            int64_t index = start + k * step;
            memset(dst + done * axis->stride, 0, (size_t)((index - done) * axis->stride));
            expand_axis_from(plan, at + 1, dst + index * axis->stride, src + k * axis->src_stride, 0,
                             plan->axis[at + 1].dim);
            done = index + 1;
        }
    }
    memset(dst + done * axis->stride, 0, (size_t)((last - done) * axis->stride));
}

int64_t
ssop_expand_steps(const ssop_view *dst)
{
    for (int32_t axis = 0; axis < dst->rank; axis++) {
        if (dst->dim[axis] == 0) {
            return 0;
        }
    }
    return dst->item_bytes == 0 ? 0 : dst->rank == 0 ? 1 : dst->dim[0];
}

void
ssop_expand(const ssop_view *dst, const ssop_region *region, const ssop_view *src, int64_t first, int64_t last)
{
    SSOP_ASSERT(0 <= first && last <= ssop_expand_steps(dst));
    if (first >= last) {
        return;
    }
    size_t step_bytes = (size_t)dst->item_bytes;
    for (int32_t axis = 1; axis < dst->rank; axis++) {
        step_bytes *= (size_t)dst->dim[axis];
    }
    if (ssop_region_is_empty(region)) {
        memset(dst->data + (size_t)first * step_bytes, 0, (size_t)(last - first) * step_bytes);
        return;
    }
    expansion plan;
    prepare(&plan, dst, region, src);
    if (plan.rank == 0) { /* all of the input is one block: a piece of it */
        memcpy(dst->data + (size_t)first * step_bytes, plan.src + (size_t)first * step_bytes,
               (size_t)(last - first) * step_bytes);
        return;
    }
    choose_kernels(&plan);
    expand_axis_from(&plan, 0, dst->data, plan.src, first, last);
}
