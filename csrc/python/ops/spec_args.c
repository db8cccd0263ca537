/* A sparse spec out of arguments: what every function of the StridedSlice family reads. */
#include "spec_args.h"

#include "../args.h"
#include "../errors.h"
#include "../intervals.h"

int
spec_args_read_masks(const call_context *call, PyObject *const *found, ssop_masks *masks)
{
    if (found[0] == NULL && found[1] == NULL && found[2] == NULL && found[3] == NULL && found[4] == NULL) {
        *masks = (ssop_masks){0}; /* a short way for the most frequent calls, which have no masks */
        return 0;
    }
    return args_read_mask(call, "begin_mask", found[0], &masks->begin) < 0 ||
                   args_read_mask(call, "end_mask", found[1], &masks->end) < 0 ||
                   args_read_mask(call, "ellipsis_mask", found[2], &masks->ellipsis) < 0 ||
                   args_read_mask(call, "new_axis_mask", found[3], &masks->new_axis) < 0 ||
                   args_read_mask(call, "shrink_axis_mask", found[4], &masks->shrink_axis) < 0
             ? -1
             : 0;
}

int
spec_args_read_vectors(const call_context *call, PyObject *const *found, const ssop_dialect *dialect, ssop_spec *spec,
                       ssop_spec_counts *counts)
{
    Py_ssize_t capacity = dialect->max_entries;
    counts->begin = args_read_vector(call, "begin", found[0], spec->begin, capacity);
    counts->end = counts->begin < 0 ? -1 : args_read_vector(call, "end", found[1], spec->end, capacity);
    if (counts->end < 0) {
        return -1;
    }
    if (is_given(found[2])) {
        counts->step = args_read_vector(call, "strides", found[2], spec->step, capacity);
        return counts->step < 0 ? -1 : 0;
    }
    counts->step = counts->begin;
    for (int64_t i = 0; i < counts->begin && i < capacity; i++) {
        spec->step[i] = 1;
    }
    return 0;
}

int
spec_args_read_parts(const call_context *call, PyObject *const *vectors, PyObject *const *masks, spec_parts *parts)
{
    return spec_args_read_vectors(call, vectors, parts->dialect, parts->spec, &parts->counts) < 0
             ? -1
             : spec_args_read_masks(call, masks, &parts->masks);
}

int
spec_args_check(const call_context *call, spec_parts *parts)
{
    ssop_error error;
    if (ssop_spec_init(parts->spec, parts->counts, &parts->masks, parts->dialect, &error) != SSOP_OK) {
        errors_raise(call, &error, NULL);
        return -1;
    }
    return 0;
}

int
spec_args_read(const call_context *call, PyObject *const *found, const ssop_dialect *dialect, ssop_spec *spec)
{
    spec_parts parts = {.dialect = dialect, .spec = spec};
    return spec_args_read_parts(call, found, found + 3, &parts) < 0 ? -1 : spec_args_check(call, &parts);
}

/* ---- specs that are known in part -------------------------------------------------------------------------------- */

int
spec_args_read_partial_vectors(const call_context *call, PyObject *const *found, partial_spec_arguments *into,
                               ssop_spec_counts *counts)
{
    ssop_partial_spec *spec = &into->spec;
    Py_ssize_t capacity = into->dialect->max_entries;
    counts->begin = intervals_read_vector(call, "begin", found[0], spec->begin, capacity);
    counts->end = counts->begin < 0 ? -1 : intervals_read_vector(call, "end", found[1], spec->end, capacity);
    if (counts->end < 0) {
        return -1;
    }
    if (is_given(found[2])) {
        counts->step = intervals_read_vector(call, "strides", found[2], spec->step, capacity);
        return counts->step < 0 ? -1 : 0;
    }
    counts->step = counts->begin;
    for (int64_t i = 0; i < counts->begin && i < capacity; i++) {
        spec->step[i] = (ssop_interval){1, 1};
    }
    return 0;
}

void
spec_args_take_flags(ssop_partial_spec *into, const ssop_spec *checked)
{
    into->count = checked->count;
    memcpy(into->flags, checked->flags, (size_t)checked->count);
}

int
spec_args_read_partial(const call_context *call, PyObject *const *found, const ssop_dialect *dialect,
                       partial_spec_arguments *into)
{
    spec_parts parts = {.dialect = dialect};
    into->dialect = dialect;
    if (spec_args_read_partial_vectors(call, found, into, &parts.counts) < 0 ||
        spec_args_read_masks(call, found + 3, &parts.masks) < 0) {
        return -1;
    }
    ssop_spec checked; /* its vectors stay empty: the check does not look at them */
    parts.spec = &checked;
    if (spec_args_check(call, &parts) < 0) {
        return -1;
    }
    spec_args_take_flags(&into->spec, &checked);
    return 0;
}

ssop_status
spec_args_infer(const void *arguments, ssop_inference *inference, const ssop_partial_shape *shape,
                ssop_partial_shape *out, ssop_error *error)
{
    const partial_spec_arguments *given = arguments;
    return ssop_strided_slice_infer(inference, &given->spec, shape, given->dialect, out, error);
}
