/* Results that have elements of an operand, and one value around them. */
#ifndef SSOP_PYTHON_FILL_H
#define SSOP_PYTHON_FILL_H

#include "../operation_record.h"
#include "../result.h"

/* Checks a value for an operand: its shape (pad_c1), and its dtype (pad_c3) where that is asked for. -1 on error. */
int fill_check_value(const call_context *call, const char *name, const call_arrays *arrays, bool checks_dtype);

/* Writes all of the result: `kept` of the operand to `place`, the value to all other elements. -1 on error. */
int fill_around(result_array *result, const ssop_region *kept, const ssop_region *place, call_arrays *arrays);

/* Writes the value to all elements of the result. -1 on error. */
int fill_whole(result_array *result, call_arrays *arrays);

#endif /* SSOP_PYTHON_FILL_H */
