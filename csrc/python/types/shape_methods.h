/* The methods of PartialShape. */
#ifndef SSOP_PYTHON_SHAPE_METHODS_H
#define SSOP_PYTHON_SHAPE_METHODS_H

#include "../state.h"

extern PyMethodDef ssop_shape_methods[];

#endif /* SSOP_PYTHON_SHAPE_METHODS_H */
