/* What every file of the binding may need: the module's state, the call whose errors are raised, and whether an
 * argument was given. */
#ifndef SSOP_PYTHON_STATE_H
#define SSOP_PYTHON_STATE_H

#include "compat.h"
#include "names.h"

typedef struct {
    PyObject *error[5]; /* by ssop_status; [SSOP_OK] is the base class SliceError */
    PyObject *arg_name[ARG_NAME_COUNT];
#if defined(Py_GIL_DISABLED)
    PyMutex lock; /* of what changes after the import */
#else
    ssop_inference inference; /* the last identity that a dim or a shape got; `tight` is that of the present call */
#endif
    PyObject *lazy; /* the module ssop._lazy.operations, once it was needed */
    PyTypeObject *region_type, *chunks_type, *deferred_type, *plan_type, *dim_type, *shape_type;
    PyObject *dim_texts, *dim_places; /* the texts of dims and their identities, once there are any; hidden */
    bool cpu_is_named;                /* SSOP_CPU chose the kernels */
} module_state;

/* Where an int32 of NumPy was read that is the least or the greatest one (ov_s5); of two vectors, by their names. */
typedef struct {
    const char *name[2];
    bool at[2][SSOP_MAX_ENTRIES];
} int32_extremes;

/* The current call: what its error messages name. */
typedef struct {
    module_state *state;
    const char *op;
    const char *out_name;     /* the name of the destination argument: "out", "ref" or "dst" */
    bool unknown_starts;      /* start indices may be None, which reads as 0: shape inference */
    int32_extremes *extremes; /* NULL unless the operation gives them a meaning */
} call_context;

static inline module_state *
state_of(PyObject *module)
{
    return (module_state *)PyModule_GetState(module);
}

/* What functions of the core need that make dims or shapes; to be called right before each of them. On a free-threaded
 * Python, each thread has its own. */
#if defined(Py_GIL_DISABLED)
ssop_inference *inference_of(module_state *state, bool tight);
#else
static inline ssop_inference *
inference_of(module_state *state, bool tight)
{
    state->inference.tight = tight;
    return &state->inference;
}
#endif

/* The identity of a new dim or shape. */
static inline int64_t
state_new_identity(module_state *state)
{
    return ++inference_of(state, true)->last_id;
}

/* The lock of what changes after the import. Whoever holds it runs no Python code. With the GIL it does nothing. */
static inline void
state_lock(module_state *state)
{
#if defined(Py_GIL_DISABLED)
    PyMutex_Lock(&state->lock);
#else
    (void)state;
#endif
}

static inline void
state_unlock(module_state *state)
{
#if defined(Py_GIL_DISABLED)
    PyMutex_Unlock(&state->lock);
#else
    (void)state;
#endif
}

/* The module ssop._lazy.operations, borrowed from the state: the known one, else `imported`, which may be NULL. */
PyObject *state_lazy(module_state *state, PyObject *imported);

/* NULL and None both mean that an optional argument was not given. */
static inline bool
is_given(PyObject *argument)
{
    return argument != NULL && argument != Py_None;
}

#endif /* SSOP_PYTHON_STATE_H */
