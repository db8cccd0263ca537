/* A sparse spec out of arguments: what every function of the StridedSlice family reads. */
#include "spec_args.h"

#include "errors.h"

int
spec_args_read_masks(const call_context *call, PyObject *const *found, ssop_masks *masks)
{
    return args_read_mask(call, "begin_mask", found[0], &masks->begin) < 0 ||
                   args_read_mask(call, "end_mask", found[1], &masks->end) < 0 ||
                   args_read_mask(call, "ellipsis_mask", found[2], &masks->ellipsis) < 0 ||
                   args_read_mask(call, "new_axis_mask", found[3], &masks->new_axis) < 0 ||
                   args_read_mask(call, "shrink_axis_mask", found[4], &masks->shrink_axis) < 0
             ? -1
             : 0;
}

int
spec_args_read_parts(const call_context *call, PyObject *const *found, spec_parts *parts)
{
    ssop_spec *spec = parts->spec;
    Py_ssize_t begins = args_read_vector(call, "begin", found[0], spec->begin, SSOP_MAX_ENTRIES);
    Py_ssize_t ends = begins < 0 ? -1 : args_read_vector(call, "end", found[1], spec->end, SSOP_MAX_ENTRIES);
    if (ends < 0) {
        return -1;
    }
    Py_ssize_t steps = begins;
    if (args_given(found[2])) {
        steps = args_read_vector(call, "strides", found[2], spec->step, SSOP_MAX_ENTRIES);
        if (steps < 0) {
            return -1;
        }
    }
    else {
        for (Py_ssize_t i = 0; i < begins && i < SSOP_MAX_ENTRIES; i++) {
            spec->step[i] = 1;
        }
    }
    parts->begins = begins;
    parts->ends = ends;
    parts->steps = steps;
    return spec_args_read_masks(call, found + 3, &parts->masks);
}

int
spec_args_check(const call_context *call, spec_parts *parts)
{
    ssop_error error;
    if (ssop_spec_init(parts->spec, parts->begins, parts->ends, parts->steps, &parts->masks, &ssop_dialect_tensorflow,
                       &error) != SSOP_OK) {
        errors_raise(call, &error, NULL);
        return -1;
    }
    return 0;
}

int
spec_args_read(const call_context *call, PyObject *const *found, ssop_spec *spec)
{
    spec_parts parts = {.spec = spec};
    return spec_args_read_parts(call, found, &parts) < 0 ? -1 : spec_args_check(call, &parts);
}

int
spec_args_read_around(const call_context *call, PyObject *const *found, spec_parts *parts)
{
    PyObject *const together[] = {found[0], found[1], found[2], found[4], found[5], found[6], found[7], found[8]};
    return spec_args_read_parts(call, together, parts);
}
