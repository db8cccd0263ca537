/* Families of operations on a window of an operand. */
#ifndef SSOP_PYTHON_WINDOW_H
#define SSOP_PYTHON_WINDOW_H

#include "../operation.h"

/* The operation copies a window of its operand; without data it gives the Regions that make up the window, or the first
 * 1,024 of them. A filled window has two: what it has of the operand, and where in the window that goes. */
extern const operation_family window_family;

/* The operation replaces a window of its operand by its value; without data it gives the Regions that it replaces. */
extern const operation_family window_update_family;

/* Windows that differ in their starts (ds_s6). `arguments_of` gives the arguments of one row, or, for row -1, of a
 * window at zeros. */
typedef struct {
    const operation *op;
    void *arguments;
    int64_t count;
    const void *(*arguments_of)(void *arguments, int64_t row);
    bool fills;    /* by out_of_bounds */
    bool may_fail; /* not only the first row has to be looked at before anything is written */
} window_rows;

/* Copies them into a result that has an axis of rows before those of a window. */
PyObject *window_run_rows(const call_context *call, const window_rows *rows, call_arrays *arrays);

#endif /* SSOP_PYTHON_WINDOW_H */
