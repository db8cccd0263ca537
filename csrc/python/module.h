/* What the binding's files share: the module's state, and the call that is going on. */
#ifndef SSOP_PYTHON_MODULE_H
#define SSOP_PYTHON_MODULE_H

#include "compat.h"

/* Every argument name of every function, interned once. */
typedef enum {
    ARG_INPUT_,
    ARG_BEGIN,
    ARG_END,
    ARG_STRIDES,
    ARG_BEGIN_MASK,
    ARG_END_MASK,
    ARG_ELLIPSIS_MASK,
    ARG_NEW_AXIS_MASK,
    ARG_SHRINK_AXIS_MASK,
    ARG_OUT,
    ARG_OPERAND,
    ARG_START_INDICES,
    ARG_LIMIT_INDICES,
    ARG_SLICE_SIZES,
    ARG_UPDATE,
    ARG_OUT_OF_BOUNDS,
    ARG_ALLOW_NEGATIVE_INDICES,
    ARG_A,
    ARG_DST,
    ARG_SRC,
    ARG_SHAPE,
    ARG_DTYPE,
    ARG_UPDATE_SHAPE,
    ARG_IN_SHAPE,
    ARG_RANGES,
    ARG_OUT_AXES,
    ARG_DY,
    ARG_REF,
    ARG_INPUT,
    ARG_VALUE,
    ARG_SIZE,
    ARG_VAR,
    ARG_NAME,
    ARG_OFFSET,
    ARG_STRICT,
    ARG_DATA,
    ARG_START,
    ARG_STOP,
    ARG_STEP,
    ARG_STARTS,
    ARG_ENDS,
    ARG_STEPS,
    ARG_AXES,
    ARG_ENGINE,
    ARG_AXIS,
    ARG_INDEX,
    ARG_START_INDEX,
    ARG_LIMIT_INDEX,
    ARG_STRIDE,
    ARG_SLICE_SIZE,
    ARG_KEEPDIMS,
    ARG_PADDING_VALUE,
    ARG_PADDING_CONFIG,
    ARG_DIMENSIONS,
    ARG_OPERANDS,
    ARG_DIMENSION,
    ARG_SIZES,
    ARG_BROADCAST_DIMENSIONS,
    ARG_NEW_SIZES,
    ARG_PERMUTATION,
    ARG_SHAPES,
    ARG_OUT_SHAPE,
    ARG_N,
    ARG_NAME_COUNT,
} arg_name;

extern const char *const ssop_arg_names[ARG_NAME_COUNT];

typedef struct {
    PyObject *error[5]; /* by ssop_status; [SSOP_OK] is the base class SliceError */
    PyObject *arg_name[ARG_NAME_COUNT];
    PyObject *lazy; /* the module ssop._lazy.operations, once it was needed */
    PyTypeObject *region_type, *plan_type;
    bool cpu_is_named; /* SSOP_CPU chose the kernels */
} module_state;

/* The call that is going on: whose errors are raised. */
typedef struct {
    module_state *state;
    const char *op;
    const char *out_name; /* what the destination argument is called; NULL: out */
} call_context;

static inline module_state *
state_of(PyObject *module)
{
    return (module_state *)PyModule_GetState(module);
}

/* Every function of the module: defined with its docstring in one of the op_*.c files. */
#define SSOP_METHODS(METHOD)                                                                                           \
    METHOD(strided_slice)                                                                                              \
    METHOD(strided_slice_region)                                                                                       \
    METHOD(check_spec)                                                                                                 \
    METHOD(strided_slice_counts)                                                                                       \
    METHOD(strided_slice_grad)                                                                                         \
    METHOD(strided_slice_assign)                                                                                       \
    METHOD(tensor_strided_slice_update)                                                                                \
    METHOD(tf_slice_region)                                                                                            \
    METHOD(tflite_strided_slice_region)                                                                                \
    METHOD(tflite_slice_region)                                                                                        \
    METHOD(openvino_strided_slice_region)                                                                              \
    METHOD(openvino_slice_region)                                                                                      \
    METHOD(onnx_slice_region)                                                                                          \
    METHOD(slice)                                                                                                      \
    METHOD(slice_region)                                                                                               \
    METHOD(dynamic_slice)                                                                                              \
    METHOD(dynamic_slice_regions)                                                                                      \
    METHOD(dynamic_update_slice)                                                                                       \
    METHOD(dynamic_update_slice_regions)                                                                               \
    METHOD(xla_slice_in_dim_region)                                                                                    \
    METHOD(xla_index_in_dim_region)                                                                                    \
    METHOD(xla_dynamic_slice_in_dim_regions)                                                                           \
    METHOD(xla_dynamic_index_in_dim_regions)                                                                           \
    METHOD(xla_dynamic_update_slice_in_dim_regions)                                                                    \
    METHOD(xla_dynamic_update_index_in_dim_regions)                                                                    \
    METHOD(xla_pad_regions)                                                                                            \
    METHOD(xla_rev_region)                                                                                             \
    METHOD(xla_concatenate_shape)                                                                                      \
    METHOD(xla_broadcast_shape)                                                                                        \
    METHOD(xla_broadcast_in_dim_shape)                                                                                 \
    METHOD(xla_reshape_shape)                                                                                          \
    METHOD(xla_collapse_shape)                                                                                         \
    METHOD(xla_transpose_shape)                                                                                        \
    METHOD(copy)                                                                                                       \
    METHOD(copyto)                                                                                                     \
    METHOD(set_num_threads)                                                                                            \
    METHOD(get_num_threads)                                                                                            \
    METHOD(trim_memory)                                                                                                \
    METHOD(cpu_features)                                                                                               \
    METHOD(core_config)

/* Those that users find under a name of their own in the module of a framework: METHOD(tf, slice) is tf_slice here and
 * ssop.tf.slice there. */
#define SSOP_FRAMEWORK_METHODS(METHOD)                                                                                 \
    METHOD(tf, strided_slice)                                                                                          \
    METHOD(tf, slice)                                                                                                  \
    METHOD(tflite, strided_slice)                                                                                      \
    METHOD(tflite, slice)                                                                                              \
    METHOD(openvino, strided_slice)                                                                                    \
    METHOD(openvino, slice)                                                                                            \
    METHOD(onnx, slice)                                                                                                \
    METHOD(xla, slice_in_dim)                                                                                          \
    METHOD(xla, index_in_dim)                                                                                          \
    METHOD(xla, dynamic_slice_in_dim)                                                                                  \
    METHOD(xla, dynamic_index_in_dim)                                                                                  \
    METHOD(xla, dynamic_update_slice_in_dim)                                                                           \
    METHOD(xla, dynamic_update_index_in_dim)                                                                           \
    METHOD(xla, pad)                                                                                                   \
    METHOD(xla, rev)                                                                                                   \
    METHOD(xla, concatenate)                                                                                           \
    METHOD(xla, broadcast)                                                                                             \
    METHOD(xla, broadcast_in_dim)                                                                                      \
    METHOD(xla, reshape)                                                                                               \
    METHOD(xla, collapse)                                                                                              \
    METHOD(xla, transpose)

#define SSOP_DECLARE_METHOD(name)                                                                                      \
    PyObject *py_##name(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames);            \
    extern const char py_##name##_doc[];
#define SSOP_DECLARE_FRAMEWORK_METHOD(framework, name) SSOP_DECLARE_METHOD(framework##_##name)
SSOP_METHODS(SSOP_DECLARE_METHOD)
SSOP_FRAMEWORK_METHODS(SSOP_DECLARE_FRAMEWORK_METHOD)

extern PyType_Spec ssop_region_spec, ssop_plan_spec;

#endif /* SSOP_PYTHON_MODULE_H */
