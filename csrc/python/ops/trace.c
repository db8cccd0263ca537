/* The stages of a resolution as Python objects, for ssop.explain: what the resolver wrote into its trace (ex_s1). */
#include "trace.h"

#include "../args.h"
#include "../errors.h"
#include "../hidden.h"
#include "../types/region.h"

static PyObject *
entry_tuple(const void *from, int32_t i)
{
    const ssop_trace *trace = from;
    const int64_t values[] = {trace->flags[i], trace->first_axis[i], trace->axis_count[i]};
    return args_tuple(3, values);
}

static PyObject *
axis_tuple(const void *from, int32_t i)
{
    const ssop_axis_trace *axis = &((const ssop_trace *)from)->axis[i];
    const int64_t values[] = {axis->entry,       axis->wrapped_begin, axis->wrapped_end, axis->clamped_begin,
                              axis->clamped_end, axis->begin,         axis->end,         axis->range.start,
                              axis->range.count, axis->range.step};
    return args_tuple(10, values);
}

/* The exception that the record describes, without raising it; NULL with another exception if it cannot be made. */
static PyObject *
exception_of(const call_context *call, const ssop_error *error)
{
    PyObject *type, *value, *traceback;
    errors_raise(call, error, NULL);
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (!PyErr_GivenExceptionMatches(type, call->state->error[SSOP_OK])) { /* no memory */
        PyErr_Restore(type, value, traceback);
        return NULL;
    }
    Py_XDECREF(type);
    Py_XDECREF(traceback);
    return value;
}

PyObject *
trace_resolve(const call_context *call, const ssop_spec *spec, ssop_shape shape, const ssop_dialect *dialect)
{
    ssop_trace trace = {.entries = 0};
    ssop_region region;
    ssop_error error;
    ssop_status status = ssop_strided_slice_resolve(spec, shape, dialect, &region, &trace, &error);
    PyObject *outcome = status == SSOP_OK ? region_new(call->state, &region, shape.dim) : exception_of(call, &error),
             *result = NULL;
    PyObject *entries = outcome != NULL ? hidden_tuple_of(trace.entries, &trace, entry_tuple) : NULL;
    PyObject *axes = entries != NULL ? hidden_tuple_of(trace.axes, &trace, axis_tuple) : NULL;
    if (axes != NULL) {
        result = PyTuple_Pack(3, entries, axes, outcome);
    }
    Py_XDECREF(axes);
    Py_XDECREF(entries);
    Py_XDECREF(outcome);
    return result;
}
