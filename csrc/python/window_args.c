/* A window out of arguments: what dynamic_slice and dynamic_update_slice both read. */
#include "window_args.h"

#include "errors.h"
#include "region.h"

int
window_args_policy(const call_context *call, PyObject *object, ssop_out_of_bounds *policy)
{
    static const char *const names[] = {[SSOP_CLAMP] = "clamp", [SSOP_WRAP] = "wrap", [SSOP_RAISE] = "raise", NULL};
    int choice = args_read_choice(call, "out_of_bounds", object, names, SSOP_DS_C6);
    *policy = (ssop_out_of_bounds)(choice < 0 ? 0 : choice);
    return choice < 0 ? -1 : 0;
}

/* A bool, or a sequence of bools. */
static int
read_add_dim(const call_context *call, PyObject *object, window_arguments *into)
{
    into->spec.add_dim_count = -1;
    into->add_dim[0] = false;
    if (object == NULL) {
        return 0;
    }
    if (args_is_bool(object) || !args_is_vector(object)) {
        return args_read_bool(call, "allow_negative_indices", -1, object, &into->add_dim[0]);
    }
    Py_ssize_t length = PySequence_Size(object);
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
window_args_read(const call_context *call, PyObject *start_indices, PyObject *out_of_bounds,
                 PyObject *allow_negative_indices, window_arguments *into)
{
    into->spec = (ssop_window_spec){.start = into->start, .size = into->size, .add_dim = into->add_dim};
    if (window_args_policy(call, out_of_bounds, &into->spec.out_of_bounds) < 0) {
        return -1;
    }
    into->spec.start_count = args_read_starts(call, "start_indices", start_indices, into->start, SSOP_MAX_RANK);
    return into->spec.start_count < 0 ? -1 : read_add_dim(call, allow_negative_indices, into);
}

int
window_args_resolve(const call_context *call, window_arguments *arguments, window_resolver resolve, int32_t rank,
                    const int64_t *dims, ssop_window *window)
{
    ssop_error error;
    if (resolve(&arguments->spec, (ssop_shape){rank, dims}, window, &error) == SSOP_OK) {
        return 0;
    }
    errors_raise(call, &error, NULL);
    return -1;
}

/* A window can wrap on 64 axes at once; nobody wants 2^64 regions, and no memory holds them. */
enum { MOST_REGIONS = 1024 };

PyObject *
window_regions(module_state *state, const ssop_window *window, const int64_t *dims)
{
    uint8_t choice[SSOP_MAX_RANK] = {0};
    PyObject *list = PyList_New(0);
    do {
        ssop_region of_operand, of_window;
        ssop_window_piece(window, choice, &of_operand, &of_window);
        PyObject *region = list != NULL ? region_new(state, &of_operand, dims) : NULL;
        if (region == NULL || PyList_Append(list, region) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(region);
    } while (list != NULL && PyList_GET_SIZE(list) < MOST_REGIONS && ssop_window_next(window, choice));
    PyObject *tuple = list != NULL ? PyList_AsTuple(list) : NULL;
    Py_XDECREF(list);
    return tuple;
}
