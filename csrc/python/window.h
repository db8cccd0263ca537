/* Windows of arrays: taken, and replaced. */
#ifndef SSOP_PYTHON_WINDOW_H
#define SSOP_PYTHON_WINDOW_H

#include "module.h"

/* What the window shows of the operand, in a new array or `out`. Axis `dropped`, of one element, goes (-1: none). */
PyObject *window_take(const call_context *call, PyArrayObject *operand, const ssop_window *window, int32_t dropped,
                      PyObject *out);

/* The operand, in a new array or `out`, with the window replaced by the update, which may lack axis `missing` (-1: none). */
PyObject *window_update(const call_context *call, PyArrayObject *operand, PyArrayObject *update,
                        const ssop_window *window, int32_t missing, PyObject *out);

#endif /* SSOP_PYTHON_WINDOW_H */
