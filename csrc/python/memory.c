/* Results of 64 KiB and more live in blocks of the runtime, by way of NumPy's own hook for allocators (NEP 49). An
 * array holds on to the allocator it was made with, so it may be freed whenever and by whomever. */
#include "memory.h"

#include "../runtime/blocks.h"

static void *
handler_malloc(void *context, size_t bytes)
{
    (void)context;
    return ssop_block_new(bytes, false);
}

static void *
handler_calloc(void *context, size_t count, size_t item_bytes)
{
    (void)context;
    if (item_bytes > 0 && count > SIZE_MAX / item_bytes) {
        return NULL;
    }
    return ssop_block_new(count * item_bytes, true);
}

static void *
handler_realloc(void *context, void *block, size_t bytes)
{
    (void)context;
    return ssop_block_resize(block, bytes);
}

static void
handler_free(void *context, void *block, size_t bytes)
{
    (void)context;
    (void)bytes;
    ssop_block_free(block);
}

static const PyDataMem_Handler handler = {
    "ssop", 1, {NULL, handler_malloc, handler_calloc, handler_realloc, handler_free}};

/* The name of the capsule is NumPy's. */
static const char capsule_name[] = "mem_handler";

/* True for an array of so many bytes that lives in a block of its own. */
static bool
is_block(PyArrayObject *array, int64_t bytes)
{
    if (bytes < (int64_t)SSOP_CACHED_MIN_BYTES) {
        return false;
    }
    PyObject *capsule = PyArray_HANDLER(array); /* NULL for views */
    return capsule != NULL && PyCapsule_GetPointer(capsule, capsule_name) == (const void *)&handler;
}

bool
memory_is_fresh(PyArrayObject *made)
{
    return !is_block(made, PyArray_NBYTES(made)) || !ssop_block_is_warm(PyArray_DATA(made));
}

void
memory_set_warm(PyArrayObject *array, char *data, int64_t bytes)
{
    if (is_block(array, bytes)) {
        ssop_block_set_warm(data);
    }
}

static PyArrayObject *
new_array(PyArray_Descr *dtype, int32_t rank, const npy_intp *dims)
{
    Py_INCREF(dtype);
    return (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type, dtype, rank, dims, NULL, NULL, 0, NULL);
}

/* True unless the user has replaced NumPy's own allocator. */
static bool
has_default_allocator(void)
{
    PyObject *current = PyDataMem_GetHandler();
    if (current == NULL) {
        PyErr_Clear();
        return false;
    }
    Py_DECREF(current); /* the context holds it */
    return current == PyDataMem_DefaultHandler;
}

enum { TRACE_DOMAIN = 389047 }; /* numpy.lib.tracemalloc_domain */

/* A new array whose own memory is a block: it has our handler and frees the block by it. These fields are where
 * PyArray_HANDLER reads them in every NumPy 2. To set NumPy's present handler for the time of the call would take two
 * changes of a context variable, which are slow beside a copy of 64 KiB. NULL if there is no memory, with or without an
 * exception. */
static PyArrayObject *
new_array_in_block(PyArray_Descr *dtype, int32_t rank, const npy_intp *dims, size_t bytes)
{
    void *block = ssop_block_new(bytes, false);
    if (block == NULL) {
        return NULL;
    }
    Py_INCREF(dtype);
    PyArrayObject *array =
        (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type, dtype, rank, dims, NULL, block, NPY_ARRAY_CARRAY, NULL);
    PyObject *ours = array != NULL ? PyCapsule_New((void *)(uintptr_t)&handler, capsule_name, NULL) : NULL;
    if (ours == NULL) {
        Py_XDECREF(array);
        ssop_block_free(block);
        return NULL;
    }
    ((PyArrayObject_fields *)array)->mem_handler = ours;
    PyArray_ENABLEFLAGS(array, NPY_ARRAY_OWNDATA);
    (void)PyTraceMalloc_Track(TRACE_DOMAIN, (uintptr_t)block, bytes);
    return array;
}

/* Items of no bytes. NumPy would make S0 an S1 when it allocates, but not in memory that exists already. */
static PyArrayObject *
new_without_bytes(PyArray_Descr *dtype, int32_t rank, const npy_intp *dims)
{
    PyObject *memory = PyBytes_FromStringAndSize("", 1);
    if (memory == NULL) {
        return NULL;
    }
    Py_INCREF(dtype);
    PyArrayObject *array = (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type, dtype, rank, dims, NULL,
                                                                 PyBytes_AS_STRING(memory), NPY_ARRAY_CARRAY, NULL);
    if (array == NULL) {
        Py_DECREF(memory);
    }
    else if (PyArray_SetBaseObject(array, memory) < 0) {
        Py_CLEAR(array);
    }
    return array;
}

/* Up to here a product of integers is exact in a double and fits a size_t; no memory has so many bytes. */
static const double max_block_bytes = sizeof(size_t) == 4 ? 2147483647.0 : 9007199254740992.0;

/* NumPy's own memory is the last resort, and its error says how much was asked for. */
static PyArrayObject *
new_with_bytes(PyArray_Descr *dtype, int32_t rank, const npy_intp *dims, double bytes)
{
    PyArrayObject *array = NULL;
    bool fits = (double)SSOP_CACHED_MIN_BYTES <= bytes && bytes <= max_block_bytes;
    if (fits && dtype_moves_as_bytes(dtype) && ssop_blocks_cap() > 0 && has_default_allocator()) {
        array = new_array_in_block(dtype, rank, dims, (size_t)bytes);
        if (array == NULL) {
            PyErr_Clear();
        }
    }
    return array != NULL ? array : new_array(dtype, rank, dims);
}

static SSOP_COLD PyArrayObject *
reject_item_size(PyArrayObject *made)
{
    Py_DECREF(made);
    PyErr_SetString(PyExc_RuntimeError, "the dtype has got another item size");
    return NULL;
}

PyArrayObject *
memory_new_array(PyArray_Descr *dtype, int64_t item_bytes, ssop_shape shape)
{
    npy_intp dims[SSOP_MAX_RANK];
    double bytes = (double)item_bytes; /* which does not overflow */
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        dims[axis] = (npy_intp)shape.dim[axis];
        bytes *= (double)shape.dim[axis];
    }
    PyArrayObject *made =
        item_bytes == 0 ? new_without_bytes(dtype, shape.rank, dims) : new_with_bytes(dtype, shape.rank, dims, bytes);
    return made == NULL || PyArray_ITEMSIZE(made) == item_bytes ? made : reject_item_size(made);
}
