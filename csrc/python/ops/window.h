/* Families of operations on a window of an operand. */
#ifndef SSOP_PYTHON_WINDOW_H
#define SSOP_PYTHON_WINDOW_H

#include "../operation.h"

/* The operation copies a window of its operand; without data it gives the Regions that make up the window, or the first
 * 1,024 of them. */
extern const operation_family window_family;

/* The operation replaces a window of its operand by its value; without data it gives the Regions that it replaces. */
extern const operation_family window_update_family;

#endif /* SSOP_PYTHON_WINDOW_H */
