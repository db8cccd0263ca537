/* Every function of the module. Each is defined in one file of ops/; its docstring is in the stub,
 * python/ssop/_core*.pyi. */
#ifndef SSOP_PYTHON_METHODS_H
#define SSOP_PYTHON_METHODS_H

#include "state.h"

#define SSOP_METHODS(METHOD)                                                                                           \
    METHOD(strided_slice)                                                                                              \
    METHOD(strided_slice_region)                                                                                       \
    METHOD(strided_slice_trace)                                                                                        \
    METHOD(tflite_strided_slice_trace)                                                                                 \
    METHOD(openvino_strided_slice_trace)                                                                               \
    METHOD(check_spec)                                                                                                 \
    METHOD(index)                                                                                                      \
    METHOD(index_assign)                                                                                               \
    METHOD(index_update)                                                                                               \
    METHOD(index_spec)                                                                                                 \
    METHOD(one_slice)                                                                                                  \
    METHOD(strided_slice_grad)                                                                                         \
    METHOD(strided_slice_assign)                                                                                       \
    METHOD(tensor_strided_slice_update)                                                                                \
    METHOD(slice)                                                                                                      \
    METHOD(slice_region)                                                                                               \
    METHOD(dynamic_slice)                                                                                              \
    METHOD(dynamic_slice_regions)                                                                                      \
    METHOD(dynamic_update_slice)                                                                                       \
    METHOD(dynamic_update_slice_regions)                                                                               \
    METHOD(copy)                                                                                                       \
    METHOD(copyto)                                                                                                     \
    METHOD(describe_copy)                                                                                              \
    METHOD(set_num_threads)                                                                                            \
    METHOD(get_num_threads)                                                                                            \
    METHOD(trim_memory)                                                                                                \
    METHOD(cpu_features)                                                                                               \
    METHOD(core_config)                                                                                                \
    METHOD(policies)                                                                                                   \
    METHOD(use_policies)                                                                                               \
    METHOD(variants)                                                                                                   \
    METHOD(force_variant)                                                                                              \
    METHOD(convert_value)                                                                                              \
    METHOD(as_array)                                                                                                   \
    METHOD(read_lists)                                                                                                 \
    METHOD(read_integers)                                                                                              \
    METHOD(read_shape)                                                                                                 \
    METHOD(select_plain)                                                                                               \
    METHOD(clamp_plain)                                                                                                \
    METHOD(partial_vector)                                                                                             \
    METHOD(infer_strided_slice)                                                                                        \
    METHOD(infer_tf_slice)                                                                                             \
    METHOD(infer_tflite_strided_slice)                                                                                 \
    METHOD(infer_tflite_slice)                                                                                         \
    METHOD(infer_openvino_strided_slice)                                                                               \
    METHOD(infer_openvino_slice)                                                                                       \
    METHOD(infer_onnx_slice)                                                                                           \
    METHOD(infer_slice)                                                                                                \
    METHOD(infer_dynamic_slice)                                                                                        \
    METHOD(infer_xla_slice_in_dim)                                                                                     \
    METHOD(infer_xla_index_in_dim)                                                                                     \
    METHOD(infer_xla_dynamic_slice_in_dim)                                                                             \
    METHOD(infer_xla_dynamic_index_in_dim)                                                                             \
    METHOD(infer_xla_pad)                                                                                              \
    METHOD(infer_xla_rev)

/* Functions that users call by a name of their own in the module of a framework: METHOD(tf, slice) is tf_slice here and
 * ssop.tf.slice there. The third column is what its description without data gives: for DESCRIBED(tf, slice, region)
 * there is also tf_slice_region. */
#define SSOP_FRAMEWORK_METHODS(METHOD, DESCRIBED)                                                                      \
    METHOD(tf, strided_slice)                                                                                          \
    METHOD(tf, strided_slice_grad)                                                                                     \
    METHOD(tf, strided_slice_assign)                                                                                   \
    METHOD(tf, tensor_strided_slice_update)                                                                            \
    DESCRIBED(tf, slice, region)                                                                                       \
    DESCRIBED(tflite, strided_slice, region)                                                                           \
    DESCRIBED(tflite, slice, region)                                                                                   \
    DESCRIBED(openvino, strided_slice, region)                                                                         \
    DESCRIBED(openvino, slice, region)                                                                                 \
    DESCRIBED(onnx, slice, region)                                                                                     \
    DESCRIBED(xla, slice_in_dim, region)                                                                               \
    DESCRIBED(xla, index_in_dim, region)                                                                               \
    DESCRIBED(xla, dynamic_slice_in_dim, regions)                                                                      \
    DESCRIBED(xla, dynamic_index_in_dim, regions)                                                                      \
    DESCRIBED(xla, dynamic_update_slice_in_dim, regions)                                                               \
    DESCRIBED(xla, dynamic_update_index_in_dim, regions)                                                               \
    DESCRIBED(xla, pad, regions)                                                                                       \
    DESCRIBED(xla, rev, region)                                                                                        \
    DESCRIBED(xla, concatenate, shape)                                                                                 \
    DESCRIBED(xla, broadcast, shape)                                                                                   \
    DESCRIBED(xla, broadcast_in_dim, shape)                                                                            \
    DESCRIBED(xla, reshape, shape)                                                                                     \
    DESCRIBED(xla, collapse, shape)                                                                                    \
    DESCRIBED(xla, transpose, shape)

#define SSOP_DECLARE(name)                                                                                             \
    PyObject *py_##name(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames);
#define SSOP_DECLARE_IN_FRAMEWORK(framework, name) SSOP_DECLARE(framework##_##name)
#define SSOP_DECLARE_DESCRIBED(framework, name, description)                                                           \
    SSOP_DECLARE(framework##_##name) SSOP_DECLARE(framework##_##name##_##description)
SSOP_METHODS(SSOP_DECLARE)
SSOP_FRAMEWORK_METHODS(SSOP_DECLARE_IN_FRAMEWORK, SSOP_DECLARE_DESCRIBED)

#endif /* SSOP_PYTHON_METHODS_H */
