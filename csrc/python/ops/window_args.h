/* A window out of arguments: what dynamic_slice and dynamic_update_slice both read. */
#ifndef SSOP_PYTHON_WINDOW_ARGS_H
#define SSOP_PYTHON_WINDOW_ARGS_H

#include "../state.h"

typedef struct {
    ssop_start start[SSOP_MAX_RANK];
    bool add_dim[SSOP_MAX_RANK];
    ssop_window_spec spec;
} window_arguments;

/* Reads the start indices and allow_negative_indices. The policy and the sizes are the caller's to fill. Runs Python
 * code; -1 on error. */
int window_args_read(const call_context *call, PyObject *start_indices, PyObject *allow_negative_indices,
                     window_arguments *into);

/* The last of them alone; -1 on error. */
int window_args_read_add_dim(const call_context *call, PyObject *allow_negative_indices, window_arguments *into);

/* The policy (ds_c6): of reads, with a fill_value that only one policy has (ds_c8), and of updates. */
int window_args_read_policy(const call_context *call, PyObject *out_of_bounds, PyObject *fill_value,
                            ssop_out_of_bounds *policy);
int window_args_update_policy(const call_context *call, PyObject *out_of_bounds, ssop_out_of_bounds *policy);

#endif /* SSOP_PYTHON_WINDOW_ARGS_H */
