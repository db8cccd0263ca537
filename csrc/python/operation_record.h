/* The record of an operation, and what the path of operation.h asks its family to do. */
#ifndef SSOP_PYTHON_OPERATION_RECORD_H
#define SSOP_PYTHON_OPERATION_RECORD_H

#include "operand_list.h"
#include "parse.h"
#include "private_view.h"

/* Private views of a call's arrays. */
typedef struct {
    private_view operand;   /* of a sequence the first one; of rank 0, if that is empty */
    operand_list *operands; /* set if they are a sequence; owns the references of `operand` then */
    private_view value;     /* update or padding value; unset for operations without it, NULL array if not given */
    bool value_converted;   /* the value was made of a list or a scalar, in the operand's dtype */
    private_out out;
} call_arrays;

/* A shape that a resolver computes. */
typedef struct {
    int32_t rank;
    int64_t dim[SSOP_MAX_RANK];
} result_shape;

/* Where a window lies, and the axis of length 1 that the result (or the update) lacks, or -1. */
typedef struct {
    ssop_window window;
    int32_t missing_axis;
} placed_window;

/* Resolvers, by family. `arguments` is what the operation's reader filled; none of them runs Python code. */
typedef ssop_status (*region_resolver)(const void *arguments, ssop_shape operand, ssop_region *region,
                                       ssop_error *error);
typedef ssop_status (*view_resolver)(const void *arguments, const ssop_view *operand, ssop_view *seen,
                                     result_shape *shape, ssop_error *error);
typedef ssop_status (*window_resolver)(const void *arguments, ssop_shape operand, ssop_shape update,
                                       placed_window *placed, ssop_error *error);

struct operation_family;

typedef struct operation {
    const char *name;          /* as users write it, with the module: "xla.pad" */
    parameter_list parameters; /* `out` is the last one, if it is one */
    int8_t operand, value;     /* positions of the arrays among them; value 0: no value */
    bool in_place;             /* the operand is the destination */
    bool scalar_value;         /* the value has no shape: descriptions leave it out */
    bool optional_value;       /* it need not be given; None says the same */
    bool numpy_only;           /* arrays of other libraries are rejected (in_c7), not left to Python */
    uint8_t shape_name;        /* without data: the parameter that stands in the operand's place; 0: ARG_SHAPE */
    /* Reads the other arguments out of `found`, in the order of the parameters. Runs Python code; raises and returns -1
     * on error. NULL: there are no others. */
    int (*read)(const call_context *call, PyObject *const *found, void *arguments);
    /* The rank of the operands that the arguments fit; NULL if they fit operands of several ranks. */
    int64_t (*rank)(const void *arguments);
    /* The rule that dims break which are too large for the arguments (ssop_shape_function); NULL if none is too
     * large. */
    ssop_rule (*too_large)(const void *arguments);
    const struct operation_family *family;
    union {
        region_resolver region;
        view_resolver view;
        window_resolver window;
    } resolve;
} operation;

/* An operation whose arguments have been read. */
typedef struct {
    const operation *op;
    const void *arguments;
} operation_call;

/* What the operations of a family do with the arguments. */
typedef struct operation_family {
    /* The operation on arrays. */
    PyObject *(*run)(const operation *op, const call_context *call, void *arguments, call_arrays *arrays);
    /* What it would do, for shapes alone (of the operand and the value); NULL if that cannot be asked. */
    PyObject *(*describe)(const operation *op, const call_context *call, const void *arguments,
                          const ssop_shape shapes[2]);
    /* The shape of the result and where its dims come from, as ssop_shape_function says; `call` is an operation_call.
     * NULL if the result's shape for a partly known operand is worked out elsewhere. */
    ssop_status (*infer)(const void *call, ssop_shape shape, int32_t *rank, int64_t dims[SSOP_MAX_RANK],
                         int8_t source[SSOP_MAX_RANK], ssop_error *error);
} operation_family;

#endif /* SSOP_PYTHON_OPERATION_RECORD_H */
