/* What the threads of a module share and change: the identities of dims and shapes, and the module for other libraries'
 * arrays. With the GIL nobody changes it at the same time. */
#include "state.h"

#if defined(Py_GIL_DISABLED)

#include <stdatomic.h>

/* Each thread takes identities from a block of its own, so that threads do not wait for each other. No call of the core
 * takes as many as MAX_TAKEN: up to three for each axis, of 65 shapes where it tries every rank. */
enum { BLOCK_IDENTITIES = 1 << 16, MAX_TAKEN = 1 << 14 };

static _Atomic int64_t taken;
static _Thread_local ssop_inference of_thread;
static _Thread_local int64_t last_of_block;

ssop_inference *
inference_of(module_state *Py_UNUSED(state), bool tight)
{
    if (last_of_block - of_thread.last_id < MAX_TAKEN) {
        of_thread.last_id = atomic_fetch_add_explicit(&taken, BLOCK_IDENTITIES, memory_order_relaxed);
        last_of_block = of_thread.last_id + BLOCK_IDENTITIES;
    }
    of_thread.tight = tight;
    return &of_thread;
}

#endif

PyObject *
state_lazy(module_state *state, PyObject *imported)
{
    state_lock(state);
    if (state->lazy == NULL) {
        state->lazy = Py_XNewRef(imported);
    }
    PyObject *lazy = state->lazy;
    state_unlock(state);
    return lazy;
}
