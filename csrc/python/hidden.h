/* Containers that nobody else can find while they are filled. The garbage collector knows every tuple and list as soon
 * as it is made, and making the items may start it. Its callbacks and finalizers could then find the container by
 * gc.get_objects. They would see items that are still NULL, or could shorten the container. */
#ifndef SSOP_PYTHON_HIDDEN_H
#define SSOP_PYTHON_HIDDEN_H

#include "compat.h"

/* A tuple, and an empty list, that the garbage collector does not know. It never gets to know them, so they may not be
 * part of a cycle. New references; NULL on error. */
PyObject *hidden_tuple(Py_ssize_t count);
PyObject *hidden_list(void);

/* Such a tuple of what `make` makes (new references) of the first `count` parts of `from`. */
PyObject *hidden_tuple_of(int32_t count, const void *from, PyObject *(*make)(const void *from, int32_t part));

/* A tuple of the items of such a list, or of none. The list is stolen, and may be NULL with an exception. */
PyObject *hidden_list_to_tuple(PyObject *list);

/* The items of a caller's exact list or tuple in a tuple that no other code can change. */
PyObject *hidden_items(PyObject *fast);

/* Appends an item, which is stolen and may be NULL with an exception. -1 on error. */
int hidden_list_append(PyObject *list, PyObject *item);

#endif /* SSOP_PYTHON_HIDDEN_H */
