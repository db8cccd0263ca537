/* The names of dims, and the formulas of lengths: what identities below 0 stand for (sh_s39). The core makes identities
 * above 0, and moves all of them as they are. */
#ifndef SSOP_PYTHON_DIM_NAMES_H
#define SSOP_PYTHON_DIM_NAMES_H

#include "../state.h"

/* The identity of a text, which is the same each time; 0 with an exception. */
int64_t dim_names_id(module_state *state, PyObject *text);

/* The text of an identity, or NULL without an exception if it has none. Borrowed. */
PyObject *dim_names_text(module_state *state, int64_t id);

/* The text if it is a name, which makes dims unequal; NULL without an exception for other dims. Borrowed. */
PyObject *dim_names_name(module_state *state, int64_t id);

#endif /* SSOP_PYTHON_DIM_NAMES_H */
