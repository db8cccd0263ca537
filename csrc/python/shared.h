/* Objects that other threads may change while a call reads them. With the GIL, other threads run only where Python code
 * may run, and nothing here takes time. On a free-threaded Python, another thread can change a list or a dict between
 * any two instructions. So their items are read under the lock of the object, or one by one, each with a reference of
 * its own. Tuples do not change.
 *
 * Arrays have no lock: NumPy itself assumes that no thread changes the shape, the strides or the dtype of an array, or
 * resizes it, while another one uses it. */
#ifndef SSOP_PYTHON_SHARED_H
#define SSOP_PYTHON_SHARED_H

#include "compat.h"

/* The lock of a list, a dict or an object of ours; of a tuple none is taken. Whoever holds it may not run code of the
 * user's: it is released while its holder waits for anything else. */
typedef struct {
#if defined(Py_GIL_DISABLED)
    PyCriticalSection section;
#endif
    bool held;
} shared_lock;

static inline void
shared_lock_take(shared_lock *lock, PyObject *object)
{
#if defined(Py_GIL_DISABLED)
    lock->held = !PyTuple_Check(object);
    if (lock->held) {
        PyCriticalSection_Begin(&lock->section, object);
    }
#else
    (void)lock;
    (void)object;
#endif
}

static inline void
shared_lock_release(shared_lock *lock)
{
#if defined(Py_GIL_DISABLED)
    if (lock->held) {
        PyCriticalSection_End(&lock->section);
    }
#else
    (void)lock;
#endif
}

/* The same for a holder that calls no function, and so never waits. It takes an open lock by one instruction, as
 * PyMutex_Lock does, which is faster than a critical section. For a lock that is not open it begins a critical section:
 * PyMutex_Lock would wait for ever if an outer critical section of this thread held that lock. */
typedef struct {
#if defined(Py_GIL_DISABLED)
    PyMutex *taken; /* NULL: `section` holds it */
#endif
    shared_lock section;
} shared_short_lock;

static inline void
shared_short_lock_take(shared_short_lock *lock, PyObject *object)
{
#if defined(Py_GIL_DISABLED)
    uint8_t open = 0;
    lock->section.held = false;
    lock->taken = PyTuple_Check(object) ? NULL : &object->ob_mutex;
    if (lock->taken == NULL || _Py_atomic_compare_exchange_uint8(&lock->taken->_bits, &open, 1)) {
        return;
    }
    lock->taken = NULL;
#endif
    shared_lock_take(&lock->section, object);
}

static inline void
shared_short_lock_release(shared_short_lock *lock)
{
#if defined(Py_GIL_DISABLED)
    if (lock->taken != NULL) {
        PyMutex_Unlock(lock->taken);
        return;
    }
#endif
    shared_lock_release(&lock->section);
}

/* Item `i` of a list or tuple, for a look at it; NULL if it has no such item. To be given back by shared_return.
 * Without the GIL it has a reference of its own meanwhile. */
static inline PyObject *
shared_borrow(PyObject *sequence, Py_ssize_t i)
{
    if (i >= PySequence_Fast_GET_SIZE(sequence)) {
        return NULL;
    }
#if defined(Py_GIL_DISABLED)
    if (PyList_Check(sequence)) {
        PyObject *item = PyList_GetItemRef(sequence, i);
        if (item == NULL) { /* the list has become shorter */
            PyErr_Clear();
        }
        return item;
    }
    return Py_NewRef(PyTuple_GET_ITEM(sequence, i));
#else
    return PySequence_Fast_GET_ITEM(sequence, i);
#endif
}

static inline void
shared_return(PyObject *item)
{
#if defined(Py_GIL_DISABLED)
    Py_DECREF(item);
#else
    (void)item;
#endif
}

/* The same as a new reference. */
static inline PyObject *
shared_item(PyObject *sequence, Py_ssize_t i)
{
    PyObject *item = shared_borrow(sequence, i);
#if !defined(Py_GIL_DISABLED)
    Py_XINCREF(item);
#endif
    return item;
}

#endif /* SSOP_PYTHON_SHARED_H */
