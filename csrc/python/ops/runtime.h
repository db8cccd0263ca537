/* The runtime as the environment and Python's users set it. */
#ifndef SSOP_PYTHON_RUNTIME_H
#define SSOP_PYTHON_RUNTIME_H

#include "../state.h"

/* Reads SSOP_NUM_THREADS and SSOP_CACHE_BYTES. -1 with an exception if they make no sense. */
int runtime_init(void);

#endif /* SSOP_PYTHON_RUNTIME_H */
