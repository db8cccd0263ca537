/* A window out of arguments: what dynamic_slice and dynamic_update_slice both read. */
#include "window_args.h"

#include "../args.h"
#include "../errors.h"
#include "../options.h"

static int
read_policy(const call_context *call, PyObject *object, const char *const *names, ssop_out_of_bounds *policy)
{
    int choice = args_read_choice(call, "out_of_bounds", object, names, SSOP_DS_C6);
    *policy = (ssop_out_of_bounds)(choice < 0 ? 0 : choice);
    return choice < 0 ? -1 : 0;
}

int
window_args_update_policy(const call_context *call, PyObject *out_of_bounds, ssop_out_of_bounds *policy)
{
    static const char *const names[] = {[SSOP_CLAMP] = "clamp", [SSOP_WRAP] = "wrap", [SSOP_RAISE] = "raise", NULL};
    return read_policy(call, out_of_bounds, names, policy);
}

int
window_args_read_policy(const call_context *call, PyObject *out_of_bounds, PyObject *fill_value,
                        ssop_out_of_bounds *policy)
{
    static const char *const names[] = {
        [SSOP_CLAMP] = "clamp", [SSOP_WRAP] = "wrap", [SSOP_RAISE] = "raise", [SSOP_FILL] = "fill", NULL};
    if (read_policy(call, out_of_bounds, names, policy) < 0) {
        return -1;
    }
    if (fill_value != NULL && fill_value != Py_None && *policy != SSOP_FILL) {
        const ssop_error error = {.rule = SSOP_DS_C8, .axis = -1, .entry = -1};
        errors_raise_type(call, &error, "fill_value", fill_value, NULL);
        return -1;
    }
    return 0;
}

/* A bool, or a sequence of bools. */
int
window_args_read_add_dim(const call_context *call, PyObject *object, window_arguments *into)
{
    into->spec.add_dim = into->add_dim;
    into->spec.add_dim_count = -1;
    into->add_dim[0] = false;
    if (object == NULL) {
        return 0;
    }
    Py_ssize_t length = args_is_bool(object) ? -1 : args_length(object);
    if (length < 0 && !PyErr_Occurred()) {
        return args_read_bool(call, "allow_negative_indices", -1, object, &into->add_dim[0]);
    }
    int result = length < 0 ? -1 : 0;
    into->spec.add_dim_count = length;
    for (Py_ssize_t i = 0; result == 0 && i < length && i < SSOP_MAX_RANK; i++) {
        PyObject *item = PySequence_GetItem(object, i);
        result = item != NULL ? args_read_bool(call, "allow_negative_indices", i, item, &into->add_dim[i]) : -1;
        Py_XDECREF(item);
    }
    return result;
}

int
window_args_read(const call_context *call, PyObject *start_indices, PyObject *allow_negative_indices,
                 window_arguments *into)
{
    into->spec.start = into->start;
    into->spec.start_count = args_read_starts(call, "start_indices", start_indices, into->start, SSOP_MAX_RANK);
    return into->spec.start_count < 0 ? -1 : window_args_read_add_dim(call, allow_negative_indices, into);
}
