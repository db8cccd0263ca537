/* What each framework says about a vector of the wrong rank. */
#ifndef SSOP_PYTHON_RANK_WORDS_H
#define SSOP_PYTHON_RANK_WORDS_H

#include "compat.h"

/* The words for the argument `name` of the function `op`, given with `rank` axes: a new str, or None if a framework has
 * no words for it. */
SSOP_COLD PyObject *rank_words(const char *op, const char *name, int rank);

#endif /* SSOP_PYTHON_RANK_WORDS_H */
