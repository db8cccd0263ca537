/* The policies and the variants of the copy engine, for ssop._policies and measurements. */
#include "../describe.h"
#include "../hidden.h"
#include "../methods.h"
#include "../parse.h"

#include "../../runtime/caches.h"

PyObject *
py_policies(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    const call_context call = {.state = state_of(module), .op = "policies"};
    if (parse_nothing(&call, args, positional, kwnames) < 0) {
        return NULL;
    }
    ssop_policies used = *ssop_policies_used();
    PyObject *rows = PyList_New(0);
    const ssop_policy *policy;
    for (int32_t at = 0; rows != NULL && (policy = ssop_policy_at(at)) != NULL; at++) {
        PyObject *row = Py_BuildValue("(sLLLs)", policy->name, (long long)*ssop_policy_field(&used, at),
                                      (long long)policy->low, (long long)policy->high, policy->about);
        if (hidden_list_append(rows, row) < 0) {
            Py_CLEAR(rows);
        }
    }
    return rows;
}

/* Replaces the fields of a record by the ints in a dict, policy name -> value. -1 with an exception. */
static int
replace_fields(ssop_policies *policies, PyObject *values)
{
    Py_ssize_t known = 0;
    const ssop_policy *policy;
    for (int32_t at = 0; (policy = ssop_policy_at(at)) != NULL; at++) {
        PyObject *value = PyDict_GetItemString(values, policy->name);
        if (value == NULL) {
            continue;
        }
        known++;
        if (!PyLong_CheckExact(value)) {
            PyErr_Format(PyExc_TypeError, "policy %s must be an int", policy->name);
            return -1;
        }
        long long number = PyLong_AsLongLong(value);
        if (number == -1 && PyErr_Occurred()) {
            return -1;
        }
        *ssop_policy_field(policies, at) = number;
    }
    if (known < PyDict_GET_SIZE(values)) {
        PyErr_SetString(PyExc_KeyError, "no such policy");
        return -1;
    }
    return 0;
}

PyObject *
py_use_policies(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    if (positional != 1 || kwnames != NULL || !PyDict_CheckExact(args[0])) {
        PyErr_SetString(PyExc_TypeError, "use_policies takes one dict");
        return NULL;
    }
    PyObject *values = args[0];
    ssop_policies policies;
    ssop_policies_of_machine(&policies, ssop_caches_last_bytes());
    if (replace_fields(&policies, values) < 0) {
        return NULL;
    }
    /* What follows from the size of the cache follows from the given one. */
    ssop_policies_of_machine(&policies, policies.last_cache_bytes);
    if (replace_fields(&policies, values) < 0) {
        return NULL;
    }
    if (!ssop_policies_use(&policies)) {
        PyErr_SetString(PyExc_ValueError, "a policy is outside its bounds");
        return NULL;
    }
    Py_RETURN_NONE;
}

PyObject *
py_variants(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    const call_context call = {.state = state_of(module), .op = "variants"};
    return parse_nothing(&call, args, positional, kwnames) < 0 ? NULL : describe_variants();
}

PyObject *
py_force_variant(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    if (positional != 1 || kwnames != NULL || !(args[0] == Py_None || PyUnicode_CheckExact(args[0]))) {
        PyErr_SetString(PyExc_TypeError, "force_variant takes one name or None");
        return NULL;
    }
    const char *name = args[0] == Py_None ? NULL : PyUnicode_AsUTF8(args[0]);
    if (args[0] != Py_None && name == NULL) {
        return NULL;
    }
    if (!ssop_variant_force(name)) {
        PyErr_Format(PyExc_ValueError, "%R is no variant", args[0]);
        return NULL;
    }
    Py_RETURN_NONE;
}
