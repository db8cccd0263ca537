/* The operands of one call, any number of them. */
#include "operand_list.h"

struct stored_view {
    PyArrayObject *array;
    PyArray_Descr *dtype;
    char *data;
    int64_t item_bytes;
    int32_t rank;
    bool writeable, c_order, apart;
    int64_t axes[]; /* `rank` dims, then as many strides */
};

int
operand_list_begin(operand_list *list, Py_ssize_t count)
{
    list->stored = PyMem_Calloc((size_t)count, sizeof *list->stored);
    list->count = list->stored != NULL ? count : 0;
    if (list->stored == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    return 0;
}

int
operand_list_store(operand_list *list, Py_ssize_t entry, const private_view *own)
{
    const size_t rank = (size_t)own->view.rank;
    struct stored_view *stored = list->stored[entry];
    if (stored == NULL) {
        stored = list->stored[entry] = PyMem_Malloc(sizeof *stored + 2 * rank * sizeof *stored->axes);
    }
    if (stored == NULL) {
        Py_DECREF(own->array);
        Py_DECREF(own->dtype);
        PyErr_NoMemory();
        return -1;
    }
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
    return 0;
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
