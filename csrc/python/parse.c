/* Which object of a call is which parameter. */
#include "parse.h"

#include "args.h"
#include "shared.h"

/* What XLA's Operation Semantics of 2017 call a parameter, and its name today. */
static const struct {
    const char *old;
    const char *now;
} renamed[] = {{"broadcast_sizes", "sizes"}, {"size_indices", "slice_sizes"}};

static int
reject_keyword(const call_context *call, const parameter_list *parameters, PyObject *keyword)
{
    const char *now = NULL;
    for (size_t k = 0; k < sizeof renamed / sizeof renamed[0]; k++) {
        for (int i = 0; i < parameters->count; i++) {
            if (PyUnicode_CompareWithASCIIString(keyword, renamed[k].old) == 0 &&
                strcmp(ssop_arg_names[parameters->name[i]], renamed[k].now) == 0) {
                now = renamed[k].now;
            }
        }
    }
    PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'%s%s%s", call->op, keyword,
                 now != NULL ? ", which is called '" : "", now != NULL ? now : "", now != NULL ? "'" : "");
    return -1;
}

/* Position of a keyword among the parameters, or -1 with an exception. Keywords of calls written out in source are
 * interned, so that comparing pointers nearly always decides. The interpreter checks that keywords are strings for
 * functions, but for constructors it passes on whatever is a key of the dict. */
static int
find_keyword(const call_context *call, const parameter_list *parameters, PyObject *keyword)
{
    for (int i = 0; i < parameters->count; i++) {
        if (call->state->arg_name[parameters->name[i]] == keyword) {
            return i;
        }
    }
    if (!PyUnicode_Check(keyword)) {
        PyErr_Format(PyExc_TypeError, "%s() keywords must be strings", call->op);
        return -1;
    }
    for (int i = 0; i < parameters->count; i++) {
        if (PyUnicode_CompareWithASCIIString(keyword, ssop_arg_names[parameters->name[i]]) == 0) {
            return i;
        }
    }
    return reject_keyword(call, parameters, keyword);
}

/* Runs no Python code unless it fails. */
static int
place_keyword(const call_context *call, const parameter_list *parameters, PyObject *keyword, PyObject *value,
              PyObject **found)
{
    int i = find_keyword(call, parameters, keyword);
    if (i < 0) {
        return -1;
    }
    if (found[i] != NULL) {
        PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%U'", call->op, keyword);
        return -1;
    }
    found[i] = value;
    return 0;
}

static int
place_positional(const call_context *call, const parameter_list *parameters, PyObject *const *args,
                 Py_ssize_t positional, PyObject **found)
{
    if (positional > parameters->count - parameters->keyword_only) {
        PyErr_Format(PyExc_TypeError, "%s() takes at most %d positional arguments (%zd given)", call->op,
                     parameters->count - parameters->keyword_only, positional);
        return -1;
    }
    for (int i = 0; i < parameters->count; i++) {
        found[i] = i < positional ? args[i] : NULL;
    }
    return 0;
}

/* All names at once, as Python's own functions do: whoever adds one would only meet the next error otherwise. */
static void
report_missing(const call_context *call, const parameter_list *parameters, PyObject *const *found)
{
    int missing = 0, told = 0;
    for (int i = 0; i < parameters->required; i++) {
        missing += found[i] == NULL;
    }
    PyObject *names = PyUnicode_FromString("");
    for (int i = 0; names != NULL && i < parameters->required; i++) {
        if (found[i] == NULL) {
            const char *between = told == 0 ? "" : told < missing - 1 ? ", " : " and ";
            Py_SETREF(names, PyUnicode_FromFormat("%U%s'%s'", names, between, ssop_arg_names[parameters->name[i]]));
            told++;
        }
    }
    if (names != NULL && missing == 1) {
        PyErr_Format(PyExc_TypeError, "%s() missing required argument %U", call->op, names);
    }
    else if (names != NULL) {
        PyErr_Format(PyExc_TypeError, "%s() missing %d required arguments: %U", call->op, missing, names);
    }
    Py_XDECREF(names);
}

static int
check_required(const call_context *call, const parameter_list *parameters, PyObject *const *found)
{
    for (int i = 0; i < parameters->required; i++) {
        if (found[i] == NULL) {
            /* strided_slice(x, np.s_[..]) lacks an end, but that is not what is wrong with it. */
            if (i > 0 && parameters->name[i - 1] == ARG_BEGIN && args_reject_index(call, found[i - 1]) < 0) {
                return -1;
            }
            report_missing(call, parameters, found);
            return -1;
        }
    }
    return 0;
}

int
parse_arguments(const call_context *call, const parameter_list *parameters, PyObject *const *args,
                Py_ssize_t positional, PyObject *kwnames, PyObject *found[MAX_PARAMETERS])
{
    if (place_positional(call, parameters, args, positional, found) < 0) {
        return -1;
    }
    Py_ssize_t keywords = kwnames != NULL ? PyTuple_GET_SIZE(kwnames) : 0;
    for (Py_ssize_t k = 0; k < keywords; k++) {
        if (place_keyword(call, parameters, PyTuple_GET_ITEM(kwnames, k), args[positional + k], found) < 0) {
            return -1;
        }
    }
    return positional >= parameters->required ? 0 : check_required(call, parameters, found);
}

/* Fills `found` with references of its own. */
static int
place_all(const call_context *call, const parameter_list *parameters, PyObject *args, PyObject *kwargs,
          PyObject *found[MAX_PARAMETERS])
{
    if (place_positional(call, parameters, ((PyTupleObject *)args)->ob_item, PyTuple_GET_SIZE(args), found) < 0) {
        return -1;
    }
    PyObject *keyword, *value;
    for (Py_ssize_t place = 0; kwargs != NULL && PyDict_Next(kwargs, &place, &keyword, &value);) {
        if (place_keyword(call, parameters, keyword, value, found) < 0) {
            return -1;
        }
    }
    for (int i = 0; i < parameters->count; i++) {
        Py_XINCREF(found[i]);
    }
    return 0;
}

int
parse_construction(const call_context *call, const parameter_list *parameters, PyObject *args, PyObject *kwargs,
                   PyObject *found[MAX_PARAMETERS])
{
    shared_lock lock;
    shared_lock_take(&lock, kwargs != NULL ? kwargs : args);
    const int status = place_all(call, parameters, args, kwargs, found);
    shared_lock_release(&lock);
    if (status < 0) {
        return -1;
    }
    if (check_required(call, parameters, found) < 0) {
        parse_release(parameters, found);
        return -1;
    }
    return 0;
}

void
parse_release(const parameter_list *parameters, PyObject *found[MAX_PARAMETERS])
{
    for (int i = 0; i < parameters->count; i++) {
        Py_CLEAR(found[i]);
    }
}

int
parse_nothing(const call_context *call, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const parameter_list none = {.count = 0};
    PyObject *found[MAX_PARAMETERS] = {NULL};
    return parse_arguments(call, &none, args, positional, kwnames, found);
}
