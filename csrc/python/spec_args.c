/* A sparse spec out of arguments: what every function of the StridedSlice family reads. */
#include "spec_args.h"

#include "errors.h"

int
spec_args_read_masks(const call_context *call, PyObject *const *found, ssop_masks *masks)
{
    if (found[0] == NULL && found[1] == NULL && found[2] == NULL && found[3] == NULL && found[4] == NULL) {
        *masks = (ssop_masks){0}; /* plain slices, which should cost least */
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
                       Py_ssize_t lengths[3])
{
    Py_ssize_t most = dialect->max_entries;
    lengths[0] = args_read_vector(call, "begin", found[0], spec->begin, most);
    lengths[1] = lengths[0] < 0 ? -1 : args_read_vector(call, "end", found[1], spec->end, most);
    if (lengths[1] < 0) {
        return -1;
    }
    if (args_given(found[2])) {
        lengths[2] = args_read_vector(call, "strides", found[2], spec->step, most);
        return lengths[2] < 0 ? -1 : 0;
    }
    lengths[2] = lengths[0];
    for (Py_ssize_t i = 0; i < lengths[0] && i < most; i++) {
        spec->step[i] = 1;
    }
    return 0;
}

int
spec_args_read_parts(const call_context *call, PyObject *const *found, spec_parts *parts)
{
    return spec_args_read_vectors(call, found, parts->dialect, parts->spec, parts->length) < 0
             ? -1
             : spec_args_read_masks(call, found + 3, &parts->masks);
}

int
spec_args_check(const call_context *call, spec_parts *parts)
{
    ssop_error error;
    if (ssop_spec_init(parts->spec, (ssop_spec_counts){parts->length[0], parts->length[1], parts->length[2]},
                       &parts->masks, parts->dialect, &error) != SSOP_OK) {
        errors_raise(call, &error, NULL);
        return -1;
    }
    return 0;
}

int
spec_args_read(const call_context *call, PyObject *const *found, const ssop_dialect *dialect, ssop_spec *spec)
{
    spec_parts parts = {.dialect = dialect, .spec = spec};
    return spec_args_read_parts(call, found, &parts) < 0 ? -1 : spec_args_check(call, &parts);
}

int
spec_args_read_around(const call_context *call, PyObject *const *found, spec_parts *parts)
{
    PyObject *const together[] = {found[0], found[1], found[2], found[4], found[5], found[6], found[7], found[8]};
    return spec_args_read_parts(call, together, parts);
}
