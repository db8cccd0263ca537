/* ssop.tf.slice and ssop.tflite.slice: begin and size per axis. */
#include "take_op.h"

typedef struct {
    int64_t begin[SSOP_MAX_RANK], size[SSOP_MAX_RANK];
    ssop_size_slice_spec spec;
} size_slice_arguments;

static int
read_arguments(const call_context *call, PyObject *const *found, void *arguments)
{
    size_slice_arguments *into = arguments;
    into->spec = (ssop_size_slice_spec){.begin = into->begin, .size = into->size};
    into->spec.begin_count = args_read_vector(call, "begin", found[0], into->begin, SSOP_MAX_RANK);
    if (into->spec.begin_count < 0) {
        return -1;
    }
    into->spec.size_count = args_read_vector(call, "size", found[1], into->size, SSOP_MAX_RANK);
    return into->spec.size_count < 0 ? -1 : 0;
}

static ssop_status
resolve_as_tensorflow(const void *arguments, int32_t rank, const int64_t *dims, ssop_region *region, ssop_error *error)
{
    const ssop_size_slice_spec *spec = &((const size_slice_arguments *)arguments)->spec;
    return ssop_size_slice_resolve(spec, (ssop_shape){rank, dims}, &ssop_tensorflow_slice, region, error);
}

static ssop_status
resolve_as_tflite(const void *arguments, int32_t rank, const int64_t *dims, ssop_region *region, ssop_error *error)
{
    const ssop_size_slice_spec *spec = &((const size_slice_arguments *)arguments)->spec;
    return ssop_size_slice_resolve(spec, (ssop_shape){rank, dims}, &ssop_tflite_slice, region, error);
}

static const take_op tf_slice_op = {
    {"tf.slice", 4, 3, 3, {ARG_INPUT_, ARG_BEGIN, ARG_SIZE, ARG_OUT}},
    read_arguments,
    resolve_as_tensorflow,
};

static const take_op tflite_slice_op = {
    {"tflite.slice", 4, 3, 3, {ARG_INPUT_, ARG_BEGIN, ARG_SIZE, ARG_OUT}},
    read_arguments,
    resolve_as_tflite,
};

PyObject *
py_tf_slice(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    size_slice_arguments arguments;
    return take_op_run(&tf_slice_op, &arguments, module, args, positional, kwnames);
}

const char py_tf_slice_doc[] =
    "slice($module, /, input_, begin, size, *, out=None)\n"
    "--\n\n"
    "TensorFlow's Slice: begin and size per axis, as a new array.\n\n"
    "Parameters\n"
    "----------\n"
    "input_ : array_like, any shape and dtype\n"
    "begin : sequence of one integer per axis, 0 <= begin <= dim, in elements\n"
    "size : sequence of one integer per axis, 0 <= size <= dim - begin, in elements\n"
    "    -1 is to the end.\n"
    "out : numpy.ndarray of the result's shape and dtype, any layout, optional\n\n"
    "Returns\n"
    "-------\n"
    "numpy.ndarray : new, C-ordered, of the same dtype; or `out`.\n\n"
    "Raises\n"
    "------\n"
    "SliceError : `label` names the rule (tsl_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: TensorFlow's Slice kernel.\n\n"
    "Examples\n"
    "--------\n"
    ">>> import numpy as np, ssop\n"
    ">>> ssop.tf.slice(np.arange(12).reshape(3, 4), [1, 2], [-1, 2])\n"
    "array([[ 6,  7],\n"
    "       [10, 11]])\n";

PyObject *
py_tf_slice_region(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    size_slice_arguments arguments;
    return take_op_region(&tf_slice_op, &arguments, module, args, positional, kwnames);
}

const char py_tf_slice_region_doc[] =
    "tf_slice_region($module, /, shape, begin, size)\n"
    "--\n\n"
    "The Region that ssop.tf.slice takes of an input of this shape.";

PyObject *
py_tflite_slice(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    size_slice_arguments arguments;
    return take_op_run(&tflite_slice_op, &arguments, module, args, positional, kwnames);
}

const char py_tflite_slice_doc[] =
    "slice($module, /, input_, begin, size, *, out=None)\n"
    "--\n\n"
    "TFLite's Slice: begin and size per axis, as a new array.\n\n"
    "Parameters\n"
    "----------\n"
    "input_ : array_like, any shape and dtype\n"
    "begin : sequence of one integer per axis, 0 <= begin <= dim, in elements\n"
    "size : sequence of one integer per axis, 0 <= size <= dim - begin, in elements\n"
    "    -1 is to the end.\n"
    "out : numpy.ndarray of the result's shape and dtype, any layout, optional\n\n"
    "Returns\n"
    "-------\n"
    "numpy.ndarray : new, C-ordered, of the same dtype; or `out`.\n\n"
    "Raises\n"
    "------\n"
    "SliceError : `label` names the rule (tfs_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: LiteRT's Slice kernel.\n\n"
    "Examples\n"
    "--------\n"
    ">>> import numpy as np, ssop\n"
    ">>> ssop.tflite.slice(np.arange(12).reshape(3, 4), [1, 2], [-1, 1])\n"
    "array([[ 6],\n"
    "       [10]])\n";

PyObject *
py_tflite_slice_region(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    size_slice_arguments arguments;
    return take_op_region(&tflite_slice_op, &arguments, module, args, positional, kwnames);
}

const char py_tflite_slice_region_doc[] =
    "tflite_slice_region($module, /, shape, begin, size)\n"
    "--\n\n"
    "The Region that ssop.tflite.slice takes of an input of this shape.";
