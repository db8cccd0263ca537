/* Exceptions from error records. */
#ifndef SSOP_PYTHON_ERRORS_H
#define SSOP_PYTHON_ERRORS_H

#include "state.h"

/* Creates SliceError and its subclasses in the module. */
int errors_init(PyObject *module);

/* Raises what the core's record says; `value` (borrowed, or NULL) replaces the record's integer. Always NULL. */
SSOP_COLD PyObject *errors_raise(const call_context *call, const ssop_error *error, PyObject *value);

/* Raises for a rule that is about objects: the message is made here from a PyUnicode_FromFormat format. `error` holds
 * rule, axis, entry and allowed range; `value` (borrowed, or NULL for None) is what the caller gave. Always NULL. */
SSOP_COLD PyObject *
errors_raise_format(const call_context *call, const ssop_error *error, PyObject *value, const char *format, ...);

/* TEMPORARY until the table of rules has the texts. */
SSOP_COLD PyObject *
errors_raise_texts(const call_context *call, const ssop_error *error, PyObject *value, const char *const *texts);

#endif /* SSOP_PYTHON_ERRORS_H */
