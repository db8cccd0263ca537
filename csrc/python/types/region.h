/* The Region type. */
#ifndef SSOP_PYTHON_REGION_H
#define SSOP_PYTHON_REGION_H

#include "region_object.h"

extern PyType_Spec ssop_region_spec;

#endif /* SSOP_PYTHON_REGION_H */
