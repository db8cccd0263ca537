/* Items of values: what each becomes where a dtype is needed (val_c1..val_c4). */
#ifndef SSOP_PYTHON_VALUE_ITEMS_H
#define SSOP_PYTHON_VALUE_ITEMS_H

#include "state.h"
#include "value_kinds.h"

/* What is converted to what. */
typedef struct {
    const call_context *call;
    const char *name; /* of the argument */
    PyArray_Descr *dtype;
    value_kind kind; /* of the dtype */
    bool is_list;    /* errors name the entry */
} conversion;

/* An item, and where it stands among the items in C order. */
typedef struct {
    PyObject *object;
    npy_intp entry;
} value_item;

/* True for a number whose dtype is not NumPy's own: how it converts is up to the library that registered it. */
bool value_is_registered(const conversion *to);

/* Which integers the dtype holds. The least int64 is NumPy's "not a time". For a dtype that another library registered,
 * these are the limits of int64, and a later check tests whether the number fits. */
void value_find_limits(const conversion *to, int64_t *low, uint64_t *high);

/* True if a finite number, which is rounded (val_s1), does not become infinite. */
bool value_fits_float(int type_num, double number);

/* What stands for the item when it is converted: checked, and of a class whose methods are known. New reference; may
 * run Python code. */
PyObject *value_check_item(const conversion *to, const value_item *item);

/* Converts `items`, a C-ordered array of objects that nobody else knows. New reference; may run Python code. */
PyArrayObject *value_convert_items(const conversion *to, PyArrayObject *items);

/* `array` as one of this dtype, in C order, whatever is lost. New reference. */
PyArrayObject *value_cast_array(PyArrayObject *array, PyArray_Descr *dtype);

#endif /* SSOP_PYTHON_VALUE_ITEMS_H */
