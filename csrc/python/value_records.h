/* Records as values: each field is converted by the rules of its own dtype (val_c1..val_c4). */
#ifndef SSOP_PYTHON_VALUE_RECORDS_H
#define SSOP_PYTHON_VALUE_RECORDS_H

#include "value_items.h"

/* `object` as an array of the record dtype. New reference; may run Python code, which may assign dtype.names. */
PyArrayObject *value_convert_records(const conversion *to, PyObject *object);

#endif /* SSOP_PYTHON_VALUE_RECORDS_H */
