/* The stages of a resolution as Python objects, for ssop.explain. */
#ifndef SSOP_PYTHON_TRACE_H
#define SSOP_PYTHON_TRACE_H

#include "../state.h"

/* Resolves a spec and returns (entries, axes, outcome), as far as the resolver got. For each entry: (flags without
 * conflicts, first input axis, number of input axes). For each input axis: (entry, wrapped begin and end, clamped begin
 * and end, begin and end after the masks, start, count, step). The outcome is the Region, or the exception of the
 * failed call, which is returned and not raised. */
PyObject *trace_resolve(const call_context *call, const ssop_spec *spec, ssop_shape shape, const ssop_dialect *dialect);

#endif /* SSOP_PYTHON_TRACE_H */
