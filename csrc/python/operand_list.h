/* The operands of one call that are a sequence, any number of them: as they are given, and what was read of each, in
 * little memory. A private view would take 1 KiB for each. */
#ifndef SSOP_PYTHON_OPERAND_LIST_H
#define SSOP_PYTHON_OPERAND_LIST_H

#include "private_view.h"
#include "state.h"

typedef struct {
    Py_ssize_t count;
    struct stored_view **stored; /* owns their references; NULL for operands that were not stored yet */
} operand_list;

/* The items of a sequence as a tuple of whatever they are (cat_c7, cat_c8). New reference; runs Python code. */
PyObject *operand_list_items(const call_context *call, PyObject *operands);

/* Converts each item to an array and reads it, before the next conversion, which may run Python code. -1 on error; the
 * caller ends the list then, too. */
int operand_list_read(const call_context *call, PyObject *items, operand_list *list);

/* Stores a view of the same rank in the place of operand number `entry`, whose references the caller has dropped. The
 * list takes over the references of `own`. */
void operand_list_replace(operand_list *list, Py_ssize_t entry, const private_view *own);

/* Fills in `own`, whose references stay those of the list. */
void operand_list_load(const operand_list *list, Py_ssize_t entry, private_view *own);

/* Whether the handler of a signal raised an error: asked in loops over the operands, it looks at some of them only. */
bool operand_list_is_interrupted(Py_ssize_t entry);

/* Drops all references, which may run Python code. */
void operand_list_end(operand_list *list);

#endif /* SSOP_PYTHON_OPERAND_LIST_H */
