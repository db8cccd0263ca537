/* Two families of operations with one operand: those that copy a region of it, and those that copy all of it. */
#ifndef SSOP_PYTHON_REGION_OP_H
#define SSOP_PYTHON_REGION_OP_H

#include "operation.h"

/* The operation copies one region of its operand; without data it gives that Region. */
extern const operation_family region_family;

/* The operation copies all items of its operand in another order or shape; without data it gives the result's shape. */
extern const operation_family view_family;

#endif /* SSOP_PYTHON_REGION_OP_H */
