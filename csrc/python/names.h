/* Every parameter name of every function, once: PARAMETER(identifier, text). */
#ifndef SSOP_PYTHON_NAMES_H
#define SSOP_PYTHON_NAMES_H

#define SSOP_PARAMETER_NAMES(PARAMETER)                                                                                \
    PARAMETER(INPUT_, "input_")                                                                                        \
    PARAMETER(X, "x")                                                                                                  \
    PARAMETER(BEGIN, "begin")                                                                                          \
    PARAMETER(END, "end")                                                                                              \
    PARAMETER(STRIDES, "strides")                                                                                      \
    PARAMETER(BEGIN_MASK, "begin_mask")                                                                                \
    PARAMETER(END_MASK, "end_mask")                                                                                    \
    PARAMETER(ELLIPSIS_MASK, "ellipsis_mask")                                                                          \
    PARAMETER(NEW_AXIS_MASK, "new_axis_mask")                                                                          \
    PARAMETER(SHRINK_AXIS_MASK, "shrink_axis_mask")                                                                    \
    PARAMETER(OUT, "out")                                                                                              \
    PARAMETER(OPERAND, "operand")                                                                                      \
    PARAMETER(START_INDICES, "start_indices")                                                                          \
    PARAMETER(LIMIT_INDICES, "limit_indices")                                                                          \
    PARAMETER(SLICE_SIZES, "slice_sizes")                                                                              \
    PARAMETER(UPDATE, "update")                                                                                        \
    PARAMETER(OUT_OF_BOUNDS, "out_of_bounds")                                                                          \
    PARAMETER(ALLOW_NEGATIVE_INDICES, "allow_negative_indices")                                                        \
    PARAMETER(FILL_VALUE, "fill_value")                                                                                \
    PARAMETER(A, "a")                                                                                                  \
    PARAMETER(DST, "dst")                                                                                              \
    PARAMETER(SRC, "src")                                                                                              \
    PARAMETER(SHAPE, "shape")                                                                                          \
    PARAMETER(UPDATE_SHAPE, "update_shape")                                                                            \
    PARAMETER(RANGES, "ranges")                                                                                        \
    PARAMETER(OUT_AXES, "out_axes")                                                                                    \
    PARAMETER(IN_SHAPE, "in_shape")                                                                                    \
    PARAMETER(DY, "dy")                                                                                                \
    PARAMETER(REF, "ref")                                                                                              \
    PARAMETER(INPUT, "input")                                                                                          \
    PARAMETER(VALUE, "value")                                                                                          \
    PARAMETER(FORMULA, "formula")                                                                                      \
    PARAMETER(SIZE, "size")                                                                                            \
    PARAMETER(VAR, "var")                                                                                              \
    PARAMETER(NAME, "name")                                                                                            \
    PARAMETER(OFFSET, "offset")                                                                                        \
    PARAMETER(STRICT, "strict")                                                                                        \
    PARAMETER(DATA, "data")                                                                                            \
    PARAMETER(START, "start")                                                                                          \
    PARAMETER(STOP, "stop")                                                                                            \
    PARAMETER(STEP, "step")                                                                                            \
    PARAMETER(STARTS, "starts")                                                                                        \
    PARAMETER(ENDS, "ends")                                                                                            \
    PARAMETER(STEPS, "steps")                                                                                          \
    PARAMETER(AXES, "axes")                                                                                            \
    PARAMETER(ENGINE, "engine")                                                                                        \
    PARAMETER(AXIS, "axis")                                                                                            \
    PARAMETER(INDEX, "index")                                                                                          \
    PARAMETER(START_INDEX, "start_index")                                                                              \
    PARAMETER(LIMIT_INDEX, "limit_index")                                                                              \
    PARAMETER(STRIDE, "stride")                                                                                        \
    PARAMETER(SLICE_SIZE, "slice_size")                                                                                \
    PARAMETER(KEEPDIMS, "keepdims")                                                                                    \
    PARAMETER(PADDING_VALUE, "padding_value")                                                                          \
    PARAMETER(PADDING_CONFIG, "padding_config")                                                                        \
    PARAMETER(DIMENSIONS, "dimensions")                                                                                \
    PARAMETER(OPERANDS, "operands")                                                                                    \
    PARAMETER(DIMENSION, "dimension")                                                                                  \
    PARAMETER(SIZES, "sizes")                                                                                          \
    PARAMETER(BROADCAST_DIMENSIONS, "broadcast_dimensions")                                                            \
    PARAMETER(NEW_SIZES, "new_sizes")                                                                                  \
    PARAMETER(PERMUTATION, "permutation")                                                                              \
    PARAMETER(SHAPES, "shapes")                                                                                        \
    PARAMETER(N, "n")                                                                                                  \
    PARAMETER(OP, "op")                                                                                                \
    PARAMETER(DTYPE, "dtype")                                                                                          \
    PARAMETER(DIMS, "dims")                                                                                            \
    PARAMETER(DIM, "dim")                                                                                              \
    PARAMETER(OTHER, "other")                                                                                          \
    PARAMETER(MODE, "mode")                                                                                            \
    PARAMETER(EVENLY, "evenly")                                                                                        \
    PARAMETER(RANK, "rank")                                                                                            \
    PARAMETER(PREFIX, "prefix")                                                                                        \
    PARAMETER(VALUES, "values")

typedef enum {
#define AS_ENUMERATOR(identifier, text) ARG_##identifier,
    SSOP_PARAMETER_NAMES(AS_ENUMERATOR)
#undef AS_ENUMERATOR
        ARG_NAME_COUNT,
} arg_name;

extern const char *const ssop_arg_names[ARG_NAME_COUNT];

#endif /* SSOP_PYTHON_NAMES_H */
