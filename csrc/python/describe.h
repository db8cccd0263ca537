/* How a copy would be done, as a dict. */
#ifndef SSOP_PYTHON_DESCRIBE_H
#define SSOP_PYTHON_DESCRIBE_H

#include "move.h"

/* What move_items would do, for ssop.explain.copy. New reference. */
PyObject *describe_move(move_side dst, move_side src);

/* All variants of the copy engine as a list of (name, pattern, about, when). New reference. */
PyObject *describe_variants(void);

#endif /* SSOP_PYTHON_DESCRIBE_H */
