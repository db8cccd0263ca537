/* Arrays of other libraries: recognised here, and left to Python. */
#include "foreign.h"

#include "deferred.h"
#include "shared.h"

/* Compares the names of the type's classes. That needs no memory, which may have run out. It does not read the object's
 * __class__, which may run user code. ssop._lazy tells a class that only shares the name from the real one. */
bool
foreign_is_masked(PyObject *object)
{
    PyObject *classes = Py_TYPE(object)->tp_mro;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(classes); i++) {
        if (strcmp(((PyTypeObject *)PyTuple_GET_ITEM(classes, i))->tp_name, "MaskedArray") == 0) {
            return true;
        }
    }
    return false;
}

/* The address of the attribute of exactly this class, which is only compared; NULL if it has none. Goes through its
 * dictionary item by item, because to look a name up may run the __eq__ of a key. */
static const void *
own_attribute(PyTypeObject *type, const char *name)
{
    Py_ssize_t position = 0;
    PyObject *key, *value, *found = NULL;
    if (type->tp_dict == NULL) {
        return NULL;
    }
    shared_lock lock;
    shared_lock_take(&lock, type->tp_dict);
    while (found == NULL && PyDict_Next(type->tp_dict, &position, &key, &value)) {
        if (PyUnicode_Check(key) && PyUnicode_CompareWithASCIIString(key, name) == 0) {
            found = value;
        }
    }
    shared_lock_release(&lock);
    return found;
}

/* Whether a class before ndarray has one of the `count` names in a way of its own. */
static bool
overrides(PyTypeObject *of, const char *const *names, size_t count)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(of->tp_mro); i++) {
        PyTypeObject *type = (PyTypeObject *)PyTuple_GET_ITEM(of->tp_mro, i);
        if (type == &PyArray_Type) {
            break;
        }
        for (size_t k = 0; k < count; k++) {
            const void *own = own_attribute(type, names[k]);
            if (own != NULL && own != own_attribute(&PyArray_Type, names[k])) {
                return true;
            }
        }
    }
    return false;
}

/* Whether the class of an array defines how NumPy's functions or assignments treat its items. In Python it is
 * ssop._lazy.meanings.has_meaning. */
static bool
has_meaning(PyTypeObject *of)
{
    static const char *const names[] = {"__array_function__", "__array_ufunc__", "__setitem__"};
    return overrides(of, names, Py_ARRAY_LENGTH(names));
}

/* Whether the class of an object may be one that meanings.py rejects as an item of a list. */
static bool
may_be_rejected(PyTypeObject *of)
{
    static const char *const names[] = {"__array_function__", "__array_ufunc__", "__array__"};
    return overrides(of, names, Py_ARRAY_LENGTH(names));
}

bool
foreign_is_plain(PyObject *array)
{
    return PyArray_CheckExact(array) ||
           (PyArray_Check(array) && !foreign_is_masked(array) && !has_meaning(Py_TYPE(array)));
}

/* Whether no item of a list or tuple is to be looked at by meanings.py. Items of one class come one after the other. */
static bool
has_plain_items(PyObject *list)
{
    const void *seen = &PyLong_Type; /* the address of a class, which may not exist any more */
    PyObject *item;
    bool plain = true;
    for (Py_ssize_t i = 0; plain && (item = shared_borrow(list, i)) != NULL; i++) {
        PyTypeObject *type = Py_TYPE(item);
        if (type != seen && type != &PyFloat_Type && type != &PyList_Type && type != &PyArray_Type) {
            plain = PyArray_Check(item) ? foreign_is_plain(item)
                                        : PyArray_IsScalar(item, Generic) || !may_be_rejected(type);
            seen = type;
        }
        shared_return(item);
    }
    return plain;
}

bool
foreign_is_ours_too(PyObject *object)
{
    if (PyArray_Check(object)) {
        return foreign_is_plain(object);
    }
    if (deferred_is(object)) {
        return true;
    }
    if (PyList_Check(object) || PyTuple_Check(object)) {
        return has_plain_items(object);
    }
    return PyLong_Check(object) || PyFloat_Check(object) || PyComplex_Check(object) || PyUnicode_Check(object) ||
           PyBytes_Check(object) || PyArray_IsScalar(object, Generic);
}

/* The module for other libraries' arrays, borrowed from the state; NULL on error. */
static PyObject *
import_lazy(const call_context *call)
{
    PyObject *known = state_lazy(call->state, NULL);
    if (known != NULL) {
        return known;
    }
    PyObject *lazy = PyImport_ImportModule("ssop._lazy.operations"); /* which may come through here, too */
    known = lazy != NULL ? state_lazy(call->state, lazy) : NULL;
    Py_XDECREF(lazy);
    return known;
}

int
foreign_reject(const call_context *call, const char *name, PyObject *object)
{
    PyObject *lazy = import_lazy(call);
    PyObject *result = lazy != NULL ? PyObject_CallMethod(lazy, "reject", "ssO", call->op, name, object) : NULL;
    Py_XDECREF(result);
    return result != NULL ? 0 : -1;
}

/* The function as it is to be called: torch.compile traces Python functions that C calls, with tensors that have no
 * memory, unless they are marked. Steals the reference, returns a new one. */
static PyObject *
outside_graphs(PyObject *function)
{
    PyObject *name = function != NULL ? PyUnicode_FromString("torch._dynamo") : NULL;
    PyObject *compiler = name != NULL ? PyImport_GetModule(name) : NULL; /* which torch.compile imports first */
    Py_XDECREF(name);
    if (compiler == NULL) {
        if (PyErr_Occurred()) {
            Py_CLEAR(function);
        }
        return function;
    }
    Py_DECREF(compiler);
    PyObject *tensors = PyImport_ImportModule("ssop._lazy.tensors");
    PyObject *mark = tensors == NULL ? NULL : PyObject_GetAttrString(tensors, "outside_graphs");
    PyObject *marked = mark == NULL ? NULL : PyObject_CallFunctionObjArgs(mark, function, NULL); /* may be a tuple */
    Py_XDECREF(mark);
    Py_XDECREF(tensors);
    Py_DECREF(function);
    return marked;
}

PyObject *
foreign_call(const call_context *call, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    PyObject *lazy = import_lazy(call);
    if (lazy == NULL) {
        return NULL;
    }
    char name[64]; /* the function for "tf.slice" is called tf_slice there */
    size_t length = 0;
    for (; call->op[length] != '\0' && length + 1 < sizeof name; length++) {
        name[length] = call->op[length] == '.' ? '_' : call->op[length];
    }
    name[length] = '\0';
    PyObject *function = outside_graphs(PyObject_GetAttrString(lazy, name));
    if (function == NULL) {
        return NULL;
    }
    PyObject *result = PyObject_Vectorcall(function, args, (size_t)positional, kwnames);
    Py_DECREF(function);
    return result;
}
