/* Results: the one place that makes or checks the array a call writes to, and that saves operands in its memory. */
#ifndef SSOP_PYTHON_RESULT_H
#define SSOP_PYTHON_RESULT_H

#include "errors.h"
#include "move.h"

/* The array that a call writes: a new one or the caller's `out`. */
typedef struct {
    const private_view *to; /* what is written */
    const private_out *out;
    private_view made; /* the new array, if there is one */
    ssop_hints hints;  /* about `to` */
    bool staged;       /* `to` is a new array, which is copied to `out` in one step at the end */
} result_array;

enum result_steps { RESULT_IN_ONE_STEP, RESULT_IN_STEPS };

/* Begins a result of this shape and of the dtype of `like`: a new C-ordered array, or `out`, which is checked (out_c1
 * .. out_c5). Work in several steps that can fail halfway, as moving references can, never leaves `out` half written:
 * it is staged. -1 on error, and there is nothing to end then. */
int result_begin(const call_context *call, const private_view *like, ssop_shape shape, const private_out *out,
                 enum result_steps steps, result_array *result);

/* The same for an operation in place, whose destination is checked: it is never staged. */
void result_begin_in_place(const private_out *out, result_array *result);

/* Says that all of the result is written, but in parts (ssop_hints.whole_bytes). */
void result_in_parts(result_array *result);

/* Copies items of an operand to a part of the result, or one of its regions to one of the result, which are known to be
 * addressable. As if the operand had been copied first (out_s2). -1 on error. */
int result_move(const result_array *result, const ssop_view *part, const private_view *operand, const ssop_view *items);
int result_move_region(const result_array *result, const ssop_region *part, const private_view *operand,
                       const ssop_region *region);

/* After result_in_parts: ssop_parts_begin for parts of the result. The caller has set parts->count and parts->across,
 * and sets the list afterwards. False if it had better copy the parts one after the other. */
bool result_begin_parts(const result_array *result, ssop_parts *parts);

/* Replaces an operand that shares memory with the result by a copy (out_s2): for work in several steps. -1 on error. */
int result_save(const result_array *result, private_view *operand);

/* The same for a value that replaces a part of an operand in one step. It is not copied if the operand is the result:
 * then nothing is written before. */
int result_save_value(const result_array *result, const private_view *operand, private_view *value);

/* Ends the result: the array the caller gets (new reference), or NULL after an error (`status` < 0). */
PyObject *result_end(result_array *result, int status);

/* Begins a result of the shape of `seen`, copies these items of an operand to it, and ends it: result_copy_to for a
 * given `out`, result_copy with or without one. */
PyObject *
result_copy_to(const call_context *call, const private_view *operand, const ssop_view *seen, const private_out *out);

static inline PyObject *
result_copy(const call_context *call, const private_view *operand, const ssop_view *seen, const private_out *out)
{
    return out->object == NULL ? (PyObject *)move_to_new(operand, seen) : result_copy_to(call, operand, seen, out);
}

/* The same in another shape with as many items in C order. */
PyObject *result_copy_reshaped(const call_context *call, const private_view *operand, const ssop_view *seen,
                               ssop_shape shape, const private_out *out);

/* Copies a region of an operand (mem_c1). */
static inline PyObject *
result_copy_region(const call_context *call, const private_view *operand, const ssop_region *region,
                   const private_out *out)
{
    ssop_view seen;
    ssop_error error;
    return ssop_region_view(region, &operand->view, &seen, &error) == SSOP_OK ? result_copy(call, operand, &seen, out)
                                                                              : errors_raise(call, &error, NULL);
}

/* Copies all of an operand but the items of `window`, which stay undefined: the caller writes them next, and copying
 * them first would be wasted work. -1 on error. */
int result_copy_complement(result_array *result, const private_view *operand, const ssop_region *window);

#endif /* SSOP_PYTHON_RESULT_H */
