/* The Plan type. */
#ifndef SSOP_PYTHON_PLAN_H
#define SSOP_PYTHON_PLAN_H

#include "../state.h"

extern PyType_Spec ssop_plan_spec;

#endif /* SSOP_PYTHON_PLAN_H */
