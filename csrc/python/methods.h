/* Every function of the module. Each is defined, with its docstring, in one file of ops/. */
#ifndef SSOP_PYTHON_METHODS_H
#define SSOP_PYTHON_METHODS_H

#include "state.h"

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

/* Functions that users call by a name of their own in the module of a framework: METHOD(tf, slice) is tf_slice here and
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

#endif /* SSOP_PYTHON_METHODS_H */
