/* The PartialShape type: a shape that may be known in part only, with its identity and those of its dims (sh_s1). */
#ifndef SSOP_PYTHON_SHAPE_TYPE_H
#define SSOP_PYTHON_SHAPE_TYPE_H

#include "../state.h"

extern PyType_Spec ssop_shape_spec;

#endif /* SSOP_PYTHON_SHAPE_TYPE_H */
