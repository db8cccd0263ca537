/* ssop.strided_slice, and its region, stages and counts without data. */
#include "../args.h"
#include "../errors.h"
#include "../region_op.h"
#include "spec_args.h"
#include "trace.h"

static int
read_spec(const call_context *call, PyObject *const *found, void *arguments)
{
    return spec_args_read(call, found + 1, &ssop_dialect_tensorflow, arguments);
}

static ssop_status
resolve_spec(const void *arguments, ssop_shape shape, ssop_region *region, ssop_error *error)
{
    return ssop_strided_slice_resolve(arguments, shape, &ssop_dialect_tensorflow, region, NULL, error);
}

static const operation strided_slice = {
    .name = "strided_slice",
    .parameters = {PARAMETERS(ARG_INPUT_, ARG_BEGIN, ARG_END, ARG_STRIDES, MASK_NAMES, ARG_OUT), .required = 3,
                   .keyword_only = 1},
    .read = read_spec,
    .family = &region_family,
    .resolve.region = resolve_spec,
};

/* TensorFlow's own front end has two more parameters, which are ignored. */
static const operation tf_strided_slice = {
    .name = "tf.strided_slice",
    .parameters = {PARAMETERS(ARG_INPUT_, ARG_BEGIN, ARG_END, ARG_STRIDES, MASK_NAMES, ARG_VAR, ARG_NAME, ARG_OUT),
                   .required = 3, .keyword_only = 1},
    .read = read_spec,
    .family = &region_family,
    .resolve.region = resolve_spec,
};

SSOP_METHODS_OF(strided_slice, strided_slice_region, strided_slice, ssop_spec)
SSOP_METHOD_OF(tf_strided_slice, tf_strided_slice, ssop_spec)

static PyObject *
describe_stages(const operation *Py_UNUSED(op), const call_context *call, const void *arguments,
                const ssop_shape shapes[2])
{
    return trace_resolve(call, arguments, shapes[0], &ssop_dialect_tensorflow);
}

PyObject *
py_strided_slice_trace(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const operation_family stages = {.describe = describe_stages};
    operation traced = strided_slice;
    traced.family = &stages;
    ssop_spec spec;
    return operation_describe(&traced, &spec, module, args, positional, kwnames);
}

PyObject *
py_check_spec(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const parameter_list parameters = {PARAMETERS(ARG_BEGIN, ARG_END, ARG_STRIDES, MASK_NAMES), .required = 2};
    const call_context call = {.state = state_of(module), .op = "StridedSliceSpec"};
    PyObject *found[MAX_PARAMETERS];
    ssop_spec spec;
    spec_parts parts = {.dialect = &ssop_dialect_tensorflow, .spec = &spec};
    if (parse_arguments(&call, &parameters, args, positional, kwnames, found) < 0 ||
        spec_args_read_parts(&call, found, found + 3, &parts) < 0 || spec_args_check(&call, &parts) < 0) {
        return NULL;
    }
    const ssop_masks masks = parts.masks;
    return Py_BuildValue("(NNNiiiii)", args_tuple(spec.count, spec.begin), args_tuple(spec.count, spec.end),
                         args_tuple(spec.count, spec.step), masks.begin, masks.end, masks.ellipsis, masks.new_axis,
                         masks.shrink_axis);
}

/* An integer, a pair (lo, hi), or None for everything in `unknown`. */
static int
read_interval(const call_context *call, const char *name, Py_ssize_t entry, PyObject *object, ssop_interval unknown,
              ssop_interval *interval)
{
    if (object == Py_None) {
        *interval = unknown;
        return 0;
    }
    if (PyTuple_Check(object) && PyTuple_GET_SIZE(object) != 2) {
        const ssop_error error = {
            .rule = SSOP_IN_C11, .axis = -1, .entry = (int32_t)entry, .value = PyTuple_GET_SIZE(object)};
        errors_raise_texts(call, &error, NULL, (const char *const[]){name});
        return -1;
    }
    PyObject *low = PyTuple_Check(object) ? PyTuple_GET_ITEM(object, 0) : object;
    if (args_read_entry(call, name, entry, low, &interval->lo) < 0) {
        return -1;
    }
    interval->hi = interval->lo;
    if (low != object && args_read_entry(call, name, entry, PyTuple_GET_ITEM(object, 1), &interval->hi) < 0) {
        return -1;
    }
    if (interval->lo > interval->hi || interval->lo < unknown.lo) {
        const ssop_error error = {.rule = SSOP_IN_C11,
                                  .axis = -1,
                                  .entry = (int32_t)entry,
                                  .value = interval->lo,
                                  .low = unknown.lo,
                                  .high = interval->hi,
                                  .form = 1};
        errors_raise_texts(call, &error, NULL, (const char *const[]){name});
        return -1;
    }
    return 0;
}

/* Returns the length, which may be larger than `capacity`, or -1. */
static Py_ssize_t
read_intervals(const call_context *call, const char *name, PyObject *object, ssop_interval unknown,
               ssop_interval *intervals, Py_ssize_t capacity)
{
    if (!args_is_vector(object)) {
        const ssop_error error = {.rule = SSOP_IN_C5, .axis = -1, .entry = -1};
        errors_raise_type(call, &error, name, object, "integers and intervals");
        return -1;
    }
    Py_ssize_t length = PySequence_Size(object);
    for (Py_ssize_t i = 0; i < length && i < capacity; i++) {
        PyObject *item = PySequence_GetItem(object, i);
        int result = item != NULL ? read_interval(call, name, i, item, unknown, &intervals[i]) : -1;
        Py_XDECREF(item);
        if (result < 0) {
            return -1;
        }
    }
    return length;
}

static PyObject *
shape_of_intervals(const ssop_partial_shape *shape)
{
    PyObject *tuple = PyTuple_New(shape->rank);
    for (int32_t axis = 0; tuple != NULL && axis < shape->rank; axis++) {
        PyObject *dim = Py_BuildValue("(LL)", (long long)shape->dim[axis].lo, (long long)shape->dim[axis].hi);
        if (dim == NULL) {
            Py_CLEAR(tuple);
            break;
        }
        PyTuple_SET_ITEM(tuple, axis, dim);
    }
    return tuple;
}

/* What strided_slice_counts reads: too large for a stack that user code may stand on. */
typedef struct {
    ssop_partial_spec spec;
    ssop_partial_shape shape;
} counts_arguments;

/* `length`: of shape, begin, end and strides. */
static SSOP_NOINLINE PyObject *
resolve_counts(const call_context *call, counts_arguments *into, const Py_ssize_t length[4], const ssop_masks *masks)
{
    ssop_spec spec;
    ssop_partial_shape counts;
    ssop_error error = {.rule = SSOP_IN_C9, .axis = -1, .entry = -1, .value = length[0], .high = SSOP_MAX_RANK};
    if (length[0] > SSOP_MAX_RANK) {
        return errors_raise(call, &error, NULL);
    }
    const ssop_dialect *dialect = &ssop_dialect_tensorflow;
    const ssop_spec_counts given = {length[1], length[2], length[3]};
    ssop_status status = ssop_spec_init(&spec, given, masks, dialect, &error);
    if (status == SSOP_OK) {
        into->spec.count = spec.count;
        memcpy(into->spec.flags, spec.flags, (size_t)spec.count);
        into->shape.rank = (int32_t)length[0];
        status = ssop_strided_slice_counts(&into->spec, &into->shape, dialect, &counts, &error);
    }
    return status == SSOP_OK ? shape_of_intervals(&counts) : errors_raise(call, &error, NULL);
}

/* `found` points at shape. */
static PyObject *
read_and_count(const call_context *call, PyObject *const *found, counts_arguments *into)
{
    static const ssop_interval any_dim = {0, INT64_MAX}, any_bound = {INT64_MIN, INT64_MAX};
    const struct {
        const char *name;
        ssop_interval unknown, *intervals;
        Py_ssize_t capacity;
    } vectors[4] = {
        {"shape", any_dim, into->shape.dim, SSOP_MAX_RANK},
        {"begin", any_bound, into->spec.begin, SSOP_MAX_ENTRIES},
        {"end", any_bound, into->spec.end, SSOP_MAX_ENTRIES},
        {"strides", any_bound, into->spec.step, SSOP_MAX_ENTRIES},
    };
    Py_ssize_t length[4];
    for (int i = 0; i < 4; i++) {
        length[i] = read_intervals(call, vectors[i].name, found[i], vectors[i].unknown, vectors[i].intervals,
                                   vectors[i].capacity);
        if (length[i] < 0) {
            return NULL;
        }
    }
    ssop_masks masks;
    return spec_args_read_masks(call, found + 4, &masks) < 0 ? NULL : resolve_counts(call, into, length, &masks);
}

PyObject *
py_strided_slice_counts(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const parameter_list parameters = {PARAMETERS(ARG_SHAPE, ARG_BEGIN, ARG_END, ARG_STRIDES, MASK_NAMES),
                                              .required = 4};
    const call_context call = {.state = state_of(module), .op = "strided_slice"};
    PyObject *found[MAX_PARAMETERS];
    if (parse_arguments(&call, &parameters, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    counts_arguments *arguments = PyMem_Malloc(sizeof *arguments);
    if (arguments == NULL) {
        return PyErr_NoMemory();
    }
    PyObject *result = read_and_count(&call, found, arguments);
    PyMem_Free(arguments);
    return result;
}
