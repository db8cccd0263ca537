/* A window out of arguments: what dynamic_slice and dynamic_update_slice both read. */
#ifndef SSOP_PYTHON_WINDOW_ARGS_H
#define SSOP_PYTHON_WINDOW_ARGS_H

#include "args.h"

typedef struct {
    ssop_start start[SSOP_MAX_RANK];
    int64_t size[SSOP_MAX_RANK];
    bool add_dim[SSOP_MAX_RANK];
    ssop_window_spec spec;
} window_arguments;

/* Reads the policy (ds_c6), the start indices and allow_negative_indices. The sizes are the caller's to fill. Runs user
 * code; -1 on error. */
int window_args_read(const call_context *call, PyObject *start_indices, PyObject *out_of_bounds,
                     PyObject *allow_negative_indices, window_arguments *into);

/* The policy alone (ds_c6). */
int window_args_policy(const call_context *call, PyObject *out_of_bounds, ssop_out_of_bounds *policy);

/* Resolves. Raises and returns -1 on error. */
typedef ssop_status (*window_resolver)(const ssop_window_spec *spec, ssop_shape shape, ssop_window *window,
                                       ssop_error *error);
int window_args_resolve(const call_context *call, window_arguments *arguments, window_resolver resolve, int32_t rank,
                        const int64_t *dims, ssop_window *window);

/* The Regions of the operand that make up the window, or the first 1,024 of them, as a tuple. */
PyObject *window_regions(module_state *state, const ssop_window *window, const int64_t *dims);

#endif /* SSOP_PYTHON_WINDOW_ARGS_H */
