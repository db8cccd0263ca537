/* Bools and choices out of Python objects. */
#ifndef SSOP_PYTHON_OPTIONS_H
#define SSOP_PYTHON_OPTIONS_H

#include "state.h"

/* A bool (in_c8), of Python's or NumPy's; `entry` is -1 where it stands alone. */
bool args_is_bool(PyObject *object);
int args_read_bool(const call_context *call, const char *name, Py_ssize_t entry, PyObject *object, bool *value);
int args_read_flag(const call_context *call, const char *name, PyObject *object, bool absent, bool *value);

/* One of the strings of `choices`, which end with NULL: its number, 0 for an absent argument, or -1 on error
 * (`rule`). */
int args_read_choice(const call_context *call, const char *name, PyObject *object, const char *const *choices,
                     ssop_rule rule);

#endif /* SSOP_PYTHON_OPTIONS_H */
