/* Large results live in blocks of the runtime, by way of NumPy's own hook for allocators (NEP 49). An array holds on to
 * the allocator it was made with, so it may be freed whenever and by whomever. */
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
    if (bytes < (int64_t)SSOP_BLOCK_MIN_BYTES) {
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

/* New reference to NumPy's present allocator, if that is the one it came with; else NULL. */
static PyObject *
default_allocator(void)
{
    PyObject *current = PyDataMem_GetHandler();
    if (current == NULL) {
        PyErr_Clear();
    }
    else if (current != PyDataMem_DefaultHandler) {
        Py_CLEAR(current);
    }
    return current;
}

static int
set_allocator(PyObject *allocator)
{
    PyObject *previous = PyDataMem_SetHandler(allocator);
    Py_XDECREF(previous);
    return previous != NULL ? 0 : -1;
}

static PyArrayObject *
new_array_in_block(PyArray_Descr *dtype, int32_t rank, const npy_intp *dims, PyObject *before)
{
    PyObject *ours = PyCapsule_New((void *)(uintptr_t)&handler, capsule_name, NULL);
    if (ours == NULL || set_allocator(ours) < 0) {
        Py_XDECREF(ours);
        return NULL;
    }
    PyArrayObject *array = new_array(dtype, rank, dims);
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (set_allocator(before) < 0) { /* no memory for a few words: our allocator stays; it serves all sizes */
        Py_CLEAR(array);
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(traceback);
    }
    else {
        PyErr_Restore(type, value, traceback);
    }
    Py_DECREF(ours);
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

static PyArrayObject *
new_with_bytes(PyArray_Descr *dtype, int32_t rank, const npy_intp *dims, double bytes)
{
    PyObject *before = NULL;
    if (bytes >= (double)SSOP_BLOCK_MIN_BYTES && dtype_moves_as_bytes(dtype) && ssop_blocks_cap() > 0) {
        before = default_allocator();
    }
    if (before == NULL) {
        return new_array(dtype, rank, dims);
    }
    PyArrayObject *array = new_array_in_block(dtype, rank, dims, before);
    Py_DECREF(before);
    return array;
}

PyArrayObject *
memory_new_array(PyArray_Descr *dtype, ssop_shape shape)
{
    npy_intp dims[SSOP_MAX_RANK];
    double bytes = (double)PyDataType_ELSIZE(dtype); /* which does not overflow; the magnitude is all that matters */
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        dims[axis] = (npy_intp)shape.dim[axis];
        bytes *= (double)shape.dim[axis];
    }
    return PyDataType_ELSIZE(dtype) == 0 ? new_without_bytes(dtype, shape.rank, dims)
                                         : new_with_bytes(dtype, shape.rank, dims, bytes);
}
