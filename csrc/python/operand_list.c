/* The operands of one call that are a sequence, any number of them. */
#include "operand_list.h"

#include "args.h"
#include "checks.h"
#include "deferred.h"
#include "errors.h"
#include "hidden.h"
#include "nested_lists.h"

/* ---- items ------------------------------------------------------------------------------------------------------- */

enum {
    /* Lists and tuples may hold any number of operands, which exist already. Other sequences make their items when they
     * are asked for them, so the length that one reports could cost any amount of memory. Not measured; chosen because
     * it is more than any real call has. */
    MAX_MADE_OPERANDS = 1 << 16,
};

static PyObject *
raise_no_sequence(const call_context *call, PyObject *operands)
{
    ssop_error error = {.rule = SSOP_CAT_C7, .axis = -1, .entry = -1};
    return errors_raise_type(call, &error, "operands", operands, NULL);
}

/* Signals are polled at every 16th operand only, because a poll takes longer than the rest of the work for a small
 * array (record signal-polls). A long copy polls by itself (run.c). */
bool
operand_list_is_interrupted(Py_ssize_t entry)
{
    enum { POLL_OPERANDS = 16 };
    return entry % POLL_OPERANDS == POLL_OPERANDS - 1 && PyErr_CheckSignals() < 0;
}

/* As many items as the sequence says it has at first. Runs Python code. */
static PyObject *
read_sequence(const call_context *call, PyObject *operands)
{
    Py_ssize_t count = args_length(operands);
    if (count < 0) {
        return PyErr_Occurred() ? NULL : raise_no_sequence(call, operands);
    }
    if (count > MAX_MADE_OPERANDS) {
        ssop_error error = {.rule = SSOP_CAT_C8, .axis = -1, .entry = -1, .value = count, .high = MAX_MADE_OPERANDS};
        return errors_raise(call, &error, NULL);
    }
    PyObject *tuple = hidden_tuple(count);
    for (Py_ssize_t i = 0; tuple != NULL && i < count; i++) {
        PyObject *item = operand_list_is_interrupted(i) ? NULL : PySequence_GetItem(operands, i);
        if (item == NULL) {
            Py_CLEAR(tuple);
            break;
        }
        PyTuple_SET_ITEM(tuple, i, item);
    }
    return tuple;
}

PyObject *
operand_list_items(const call_context *call, PyObject *operands)
{
    return args_is_fast(operands) ? hidden_items(operands) : read_sequence(call, operands);
}

/* ---- private views ----------------------------------------------------------------------------------------------- */

struct stored_view {
    PyArrayObject *array;
    PyArray_Descr *dtype;
    char *data;
    int64_t item_bytes;
    int32_t rank;
    bool writeable, c_order, apart;
    int64_t axes[]; /* `rank` dims, then as many strides */
};

void
operand_list_replace(operand_list *list, Py_ssize_t entry, const private_view *own)
{
    const size_t rank = (size_t)own->view.rank;
    struct stored_view *stored = list->stored[entry];
    stored->array = own->array;
    stored->dtype = own->dtype;
    stored->data = own->view.data;
    stored->item_bytes = own->view.item_bytes;
    stored->rank = own->view.rank;
    stored->writeable = own->writeable;
    stored->c_order = own->c_order;
    stored->apart = own->apart;
    memcpy(stored->axes, own->view.dim, rank * sizeof *stored->axes);
    memcpy(stored->axes + rank, own->view.stride, rank * sizeof *stored->axes);
}

/* Without memory the references of `own` are dropped, and -1 is returned with an exception set. */
static int
store(operand_list *list, Py_ssize_t entry, private_view *own)
{
    list->stored[entry] =
        PyMem_Malloc(sizeof *list->stored[entry] + 2 * (size_t)own->view.rank * sizeof *list->stored[entry]->axes);
    if (list->stored[entry] == NULL) {
        private_view_clear(own);
        PyErr_NoMemory();
        return -1;
    }
    operand_list_replace(list, entry, own);
    return 0;
}

static int
convert_and_store(const call_context *call, PyObject *item, operand_list *list, Py_ssize_t entry)
{
    PyObject *given = operand_list_is_interrupted(entry) ? NULL : deferred_array(item);
    PyObject *array = given != NULL ? nested_lists_to_array(given) : NULL;
    Py_XDECREF(given);
    if (array == NULL) {
        return -1;
    }
    private_view own;
    private_view_read(&own, (PyArrayObject *)array);
    if (check_addressable(call, &own) < 0) {
        private_view_clear(&own);
        return -1;
    }
    return store(list, entry, &own);
}

int
operand_list_read(const call_context *call, PyObject *items, operand_list *list)
{
    list->stored = PyMem_Calloc((size_t)PyTuple_GET_SIZE(items), sizeof *list->stored);
    list->count = list->stored != NULL ? PyTuple_GET_SIZE(items) : 0;
    if (list->stored == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    int status = 0;
    for (Py_ssize_t i = 0; status == 0 && i < list->count; i++) {
        status = convert_and_store(call, PyTuple_GET_ITEM(items, i), list, i);
    }
    return status;
}

void
operand_list_load(const operand_list *list, Py_ssize_t entry, private_view *own)
{
    const struct stored_view *stored = list->stored[entry];
    const size_t rank = (size_t)stored->rank;
    own->array = stored->array;
    own->dtype = stored->dtype;
    own->writeable = stored->writeable;
    own->c_order = stored->c_order;
    own->apart = stored->apart;
    own->view.data = stored->data;
    own->view.item_bytes = stored->item_bytes;
    own->view.rank = stored->rank;
    memcpy(own->view.dim, stored->axes, rank * sizeof *stored->axes);
    memcpy(own->view.stride, stored->axes + rank, rank * sizeof *stored->axes);
}

void
operand_list_end(operand_list *list)
{
    for (Py_ssize_t i = 0; i < list->count; i++) {
        struct stored_view *stored = list->stored[i];
        if (stored != NULL) {
            Py_DECREF(stored->array);
            Py_DECREF(stored->dtype);
            PyMem_Free(stored);
        }
    }
    PyMem_Free(list->stored);
}
