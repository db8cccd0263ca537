/* Families of operations on a window of an operand. */
#ifndef SSOP_PYTHON_WINDOW_H
#define SSOP_PYTHON_WINDOW_H

#include "../operation.h"

/* The operation copies a window of its operand; without data it gives the Regions that make up the window, or the first
 * 1,024 of them. A filled window has two: what it has of the operand, and where in the window that goes. */
extern const operation_family window_family;

/* The operation replaces a window of its operand by its value; without data it gives the Regions that it replaces. */
extern const operation_family window_update_family;

#endif /* SSOP_PYTHON_WINDOW_H */
