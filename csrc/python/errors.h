/* Exceptions from error records. */
#ifndef SSOP_PYTHON_ERRORS_H
#define SSOP_PYTHON_ERRORS_H

#include "state.h"

/* Creates SliceError and its subclasses in the module. */
int errors_init(PyObject *module);

/* Raises what the record says; `value` (borrowed, or NULL) replaces its integer. Always NULL. */
SSOP_COLD PyObject *errors_raise(const call_context *call, const ssop_error *error, PyObject *value);

/* The same for rules about objects, whose messages have placeholders: `texts`, in UTF-8, replace them (rules.def). */
SSOP_COLD PyObject *
errors_raise_texts(const call_context *call, const ssop_error *error, PyObject *value, const char *const texts[]);

enum { ERRORS_KIND_BYTES = 84 }; /* an article, and 80 bytes of a type's name */

/* What an object is, in words: "an int", "a float", "None". A copy: the type may go away while the exception is
 * made. */
SSOP_COLD void errors_write_kind(PyObject *object, char text[ERRORS_KIND_BYTES]);

/* The same as errors_raise_texts with another `allowed` than the record's, which holds no uint64. */
SSOP_COLD PyObject *errors_raise_allowed(const call_context *call, const ssop_error *error, PyObject *value,
                                         const char *const texts[], PyObject *allowed);

/* For an object of the wrong type. The texts of the message are the name of the argument, what `object` is ("an int",
 * "None"), and `wanted`. Names of types are cut at 80 bytes. `wanted` may be NULL if the rule's message does not use
 * it. */
SSOP_COLD PyObject *errors_raise_type(const call_context *call, const ssop_error *error, const char *name,
                                      PyObject *object, const char *wanted);

/* For two objects that differ, such as dtypes, or for one (`wanted` NULL). Texts: the name, str(given), str(wanted),
 * and `wanted` as an argument of astype; the value is `given`. Runs user code. */
SSOP_COLD PyObject *errors_raise_pair(const call_context *call, const ssop_error *error, const char *name,
                                      PyObject *given, PyObject *wanted);

/* For two shapes that differ. Texts: the name, (2, 3), (2, 4), [2,3], [2,4]. */
SSOP_COLD PyObject *errors_raise_shapes(const call_context *call, const ssop_error *error, PyObject *value,
                                        const char *name, ssop_shape given, ssop_shape wanted);

/* A str as a text: bytes in UTF-8 without NUL; what has no UTF-8 (lone surrogates) is written as an escape. */
SSOP_COLD PyObject *errors_utf8(PyObject *string);

/* The same of the first characters of a str that may be long. */
SSOP_COLD PyObject *errors_shown_part(PyObject *string);

#endif /* SSOP_PYTHON_ERRORS_H */
