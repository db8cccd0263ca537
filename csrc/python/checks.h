/* Shapes and dtypes of operands against what a rule asks for. */
#ifndef SSOP_PYTHON_CHECKS_H
#define SSOP_PYTHON_CHECKS_H

#include "private_view.h"
#include "state.h"

/* Raises what the rule says of two shapes; the value of the exception is the given one. */
void
raise_shapes(const call_context *call, const ssop_error *error, const char *name, ssop_shape given, ssop_shape wanted);

/* Raises for an array called `name` whose shape is not `wanted`, with the words of `as`. Returns -1. */
SSOP_COLD int raise_wrong_shape(const call_context *call, const private_view *array, const char *name,
                                ssop_shape wanted, const ssop_error *as);

/* The same if its shape is not `wanted`; else returns 0. */
static inline int
check_shape(const call_context *call, const private_view *array, const char *name, ssop_shape wanted, ssop_rule rule)
{
    const ssop_error as = {.rule = rule};
    return view_has_shape(&array->view, wanted) ? 0 : raise_wrong_shape(call, array, name, wanted, &as);
}

/* Raises for an array called `name` of another dtype than `wanted`, with the words of `error->rule`; -1 then, else 0.
 * Comparing dtypes that are not one object may run Python code. */
int check_dtype(const call_context *call, const private_view *array, const char *name, PyArray_Descr *wanted,
                const ssop_error *error);

/* The same for a rule that concerns no axis and no entry. */
static inline int
check_dtype_rule(const call_context *call, const private_view *array, const char *name, PyArray_Descr *wanted,
                 ssop_rule rule)
{
    const ssop_error error = {.rule = rule, .axis = -1, .entry = -1};
    return array->dtype == wanted ? 0 : check_dtype(call, array, name, wanted, &error);
}

/* Raises for an array whose strides are too large to address all its items (mem_c1). */
int check_addressable(const call_context *call, const private_view *array);

/* Raises for a destination that is not an array, is read-only or has elements that share memory (out_c1, out_c4,
 * out_c5). */
int check_is_array(const call_context *call, const private_out *out);
int check_writeable(const call_context *call, const private_out *out);

#endif /* SSOP_PYTHON_CHECKS_H */
