/* An input scattered over an array that holds zeros elsewhere, in one sweep. */
#include "expand.h"

#include "ndarray.h"

typedef struct {
    ssop_view dst;
    const ssop_view *src;
    const ssop_region *place;
} expand_work;

static void
run_expand(const void *work, int64_t first, int64_t last)
{
    const expand_work *expand = work;
    ssop_expand(&expand->dst, expand->place, expand->src, first, last);
}

bool
expand_is_possible(PyArrayObject *result)
{
    return ndarray_moves_as_bytes(PyArray_DESCR(result)) && PyArray_IS_C_CONTIGUOUS(result);
}

int
expand_into(PyArrayObject *result, const ssop_region *place, const ssop_view *src)
{
    expand_work work = {.src = src, .place = place};
    ndarray_view(result, &work.dst);
    return ndarray_run_pieces(run_expand, &work, ssop_expand_steps(&work.dst), PyArray_NBYTES(result));
}
