/* A sparse spec out of arguments: what every function of the StridedSlice family reads. */
#ifndef SSOP_PYTHON_SPEC_ARGS_H
#define SSOP_PYTHON_SPEC_ARGS_H

#include "../parse.h"

#define MASK_NAMES ARG_BEGIN_MASK, ARG_END_MASK, ARG_ELLIPSIS_MASK, ARG_NEW_AXIS_MASK, ARG_SHRINK_AXIS_MASK

/* begin, end, strides and the five masks stand in this order in most signatures: `found` points at begin. Runs Python
 * code; raises and returns -1 on error (in_c*, and what the dialect asks of a spec alone). */
int spec_args_read(const call_context *call, PyObject *const *found, const ssop_dialect *dialect, ssop_spec *spec);

/* begin, end and strides alone: stores at most the dialect's limit of entries, writes the three lengths. */
int spec_args_read_vectors(const call_context *call, PyObject *const *found, const ssop_dialect *dialect,
                           ssop_spec *spec, ssop_spec_counts *counts);

/* A spec that is read and not checked. */
typedef struct {
    const ssop_dialect *dialect;
    ssop_spec *spec;
    ssop_spec_counts counts;
    ssop_masks masks;
} spec_parts;

/* The same in two steps: reading, which runs Python code (in_c*), and checking, which does not and completes
 * parts->spec (the dialect's rules). `vectors` points at begin, `masks` at begin_mask. */
int spec_args_read_parts(const call_context *call, PyObject *const *vectors, PyObject *const *masks, spec_parts *parts);
int spec_args_check(const call_context *call, spec_parts *parts);

/* The five masks alone; `found` points at begin_mask. */
int spec_args_read_masks(const call_context *call, PyObject *const *found, ssop_masks *masks);

/* ---- specs that are known in part: the elements of begin, end and strides may be intervals or None --------------- */

typedef struct {
    const ssop_dialect *dialect;
    ssop_partial_spec spec;
} partial_spec_arguments;

/* Reads and checks one as spec_args_read does. */
int spec_args_read_partial(const call_context *call, PyObject *const *found, const ssop_dialect *dialect,
                           partial_spec_arguments *into);

/* begin, end and strides alone. */
int spec_args_read_partial_vectors(const call_context *call, PyObject *const *found, partial_spec_arguments *into,
                                   ssop_spec_counts *counts);

/* Takes over how many entries there are, and their flags, from a spec without vectors. */
void spec_args_take_flags(ssop_partial_spec *into, const ssop_spec *checked);

/* For an inferred_slice with such arguments. */
ssop_status spec_args_infer(const void *arguments, ssop_inference *inference, const ssop_partial_shape *shape,
                            ssop_partial_shape *out, ssop_error *error);

#endif /* SSOP_PYTHON_SPEC_ARGS_H */
