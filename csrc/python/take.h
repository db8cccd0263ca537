/* Families of operations that copy some or all items of one operand. */
#ifndef SSOP_PYTHON_TAKE_H
#define SSOP_PYTHON_TAKE_H

#include "operation.h"

/* The operation copies one region of its operand; without data it gives that Region. */
extern const operation_family region_family;

/* The operation copies all items of its operand in another order or shape; without data it gives the result's shape. */
extern const operation_family view_family;

#endif /* SSOP_PYTHON_TAKE_H */
