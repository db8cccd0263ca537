/* Every parameter name of every function, once: NAME(identifier, text). */
#ifndef SSOP_PYTHON_NAMES_H
#define SSOP_PYTHON_NAMES_H

#define SSOP_PARAMETER_NAMES(NAME)                                                                                     \
    NAME(INPUT_, "input_")                                                                                             \
    NAME(BEGIN, "begin")                                                                                               \
    NAME(END, "end")                                                                                                   \
    NAME(STRIDES, "strides")                                                                                           \
    NAME(BEGIN_MASK, "begin_mask")                                                                                     \
    NAME(END_MASK, "end_mask")                                                                                         \
    NAME(ELLIPSIS_MASK, "ellipsis_mask")                                                                               \
    NAME(NEW_AXIS_MASK, "new_axis_mask")                                                                               \
    NAME(SHRINK_AXIS_MASK, "shrink_axis_mask")                                                                         \
    NAME(OUT, "out")                                                                                                   \
    NAME(OPERAND, "operand")                                                                                           \
    NAME(START_INDICES, "start_indices")                                                                               \
    NAME(LIMIT_INDICES, "limit_indices")                                                                               \
    NAME(SLICE_SIZES, "slice_sizes")                                                                                   \
    NAME(UPDATE, "update")                                                                                             \
    NAME(OUT_OF_BOUNDS, "out_of_bounds")                                                                               \
    NAME(ALLOW_NEGATIVE_INDICES, "allow_negative_indices")                                                             \
    NAME(A, "a")                                                                                                       \
    NAME(DST, "dst")                                                                                                   \
    NAME(SRC, "src")                                                                                                   \
    NAME(SHAPE, "shape")                                                                                               \
    NAME(UPDATE_SHAPE, "update_shape")                                                                                 \
    NAME(IN_SHAPE, "in_shape")                                                                                         \
    NAME(DY, "dy")                                                                                                     \
    NAME(REF, "ref")                                                                                                   \
    NAME(INPUT, "input")                                                                                               \
    NAME(VALUE, "value")                                                                                               \
    NAME(SIZE, "size")                                                                                                 \
    NAME(VAR, "var")                                                                                                   \
    NAME(NAME, "name")                                                                                                 \
    NAME(OFFSET, "offset")                                                                                             \
    NAME(STRICT, "strict")                                                                                             \
    NAME(DATA, "data")                                                                                                 \
    NAME(START, "start")                                                                                               \
    NAME(STOP, "stop")                                                                                                 \
    NAME(STEP, "step")                                                                                                 \
    NAME(STARTS, "starts")                                                                                             \
    NAME(ENDS, "ends")                                                                                                 \
    NAME(STEPS, "steps")                                                                                               \
    NAME(AXES, "axes")                                                                                                 \
    NAME(ENGINE, "engine")                                                                                             \
    NAME(AXIS, "axis")                                                                                                 \
    NAME(INDEX, "index")                                                                                               \
    NAME(START_INDEX, "start_index")                                                                                   \
    NAME(LIMIT_INDEX, "limit_index")                                                                                   \
    NAME(STRIDE, "stride")                                                                                             \
    NAME(SLICE_SIZE, "slice_size")                                                                                     \
    NAME(KEEPDIMS, "keepdims")                                                                                         \
    NAME(PADDING_VALUE, "padding_value")                                                                               \
    NAME(PADDING_CONFIG, "padding_config")                                                                             \
    NAME(DIMENSIONS, "dimensions")                                                                                     \
    NAME(OPERANDS, "operands")                                                                                         \
    NAME(DIMENSION, "dimension")                                                                                       \
    NAME(SIZES, "sizes")                                                                                               \
    NAME(BROADCAST_DIMENSIONS, "broadcast_dimensions")                                                                 \
    NAME(NEW_SIZES, "new_sizes")                                                                                       \
    NAME(PERMUTATION, "permutation")                                                                                   \
    NAME(SHAPES, "shapes")                                                                                             \
    NAME(N, "n")

typedef enum {
#define AS_ENUMERATOR(identifier, text) ARG_##identifier,
    SSOP_PARAMETER_NAMES(AS_ENUMERATOR)
#undef AS_ENUMERATOR
        ARG_NAME_COUNT,
} arg_name;

extern const char *const ssop_arg_names[ARG_NAME_COUNT];

#endif /* SSOP_PYTHON_NAMES_H */
