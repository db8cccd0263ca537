/* The operands of one call, any number of them: what was read of each, in little memory. A private view would take 1
 * KiB for each. */
#ifndef SSOP_PYTHON_OPERAND_LIST_H
#define SSOP_PYTHON_OPERAND_LIST_H

#include "private_view.h"

typedef struct {
    Py_ssize_t count;
    struct stored_view **stored; /* owns their references; NULL for operands that were not stored yet */
} operand_list;

/* -1 with an exception set if there is no memory; the list is then empty. */
int operand_list_begin(operand_list *list, Py_ssize_t count);

/* Stores operand number `entry` for the first time, or a view of the same rank in its place, whose references the
 * caller has dropped. The list takes over the references of `own`; without memory they are dropped, and -1 is returned
 * with an exception set. */
int operand_list_store(operand_list *list, Py_ssize_t entry, const private_view *own);

/* Fills in `own`, whose references stay those of the list. */
void operand_list_load(const operand_list *list, Py_ssize_t entry, private_view *own);

/* Drops all references, which may run Python code. */
void operand_list_end(operand_list *list);

#endif /* SSOP_PYTHON_OPERAND_LIST_H */
