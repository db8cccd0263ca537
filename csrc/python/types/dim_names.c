/* The names of dims, and the formulas of lengths: a list of texts, each of which has its place as an identity. */
#include "dim_names.h"

#include "../hidden.h"

static int
start(module_state *state)
{
    state->dim_texts = hidden_list();
    state->dim_places = state->dim_texts != NULL ? PyDict_New() : NULL;
    if (state->dim_places == NULL) {
        Py_CLEAR(state->dim_texts);
        return -1;
    }
    PyObject_GC_UnTrack(state->dim_places);
    return 0;
}

/* The identity of a new text. One without a place would not be found again, and get another identity the next time. */
static int64_t
add(module_state *state, PyObject *text)
{
    int64_t id = -(int64_t)PyList_GET_SIZE(state->dim_texts) - 1;
    PyObject *place = PyLong_FromLongLong(id);
    bool added = place != NULL && PyList_Append(state->dim_texts, text) == 0 &&
                 PyDict_SetItem(state->dim_places, text, place) == 0;
    Py_XDECREF(place);
    return added ? id : 0;
}

/* The identity of a text, which is of no subclass of str: those have a hash of their own, which may run code. */
static int64_t
find_or_add(module_state *state, PyObject *text)
{
    if (state->dim_texts == NULL && start(state) < 0) {
        return 0;
    }
    PyObject *place = PyDict_GetItemWithError(state->dim_places, text);
    return place != NULL ? PyLong_AsLongLong(place) : PyErr_Occurred() ? 0 : add(state, text);
}

int64_t
dim_names_id(module_state *state, PyObject *text)
{
    PyObject *exact = PyUnicode_FromObject(text);
    if (exact == NULL) {
        return 0;
    }
    state_lock(state);
    int64_t id = find_or_add(state, exact);
    state_unlock(state);
    Py_DECREF(exact);
    return id;
}

PyObject *
dim_names_text(module_state *state, int64_t id)
{
    if (id >= 0) {
        return NULL;
    }
    state_lock(state);
    bool has = state->dim_texts != NULL && -(id + 1) < PyList_GET_SIZE(state->dim_texts);
    PyObject *text = has ? PyList_GET_ITEM(state->dim_texts, -(id + 1)) : NULL;
    state_unlock(state);
    return text;
}

PyObject *
dim_names_name(module_state *state, int64_t id)
{
    PyObject *text = dim_names_text(state, id);
    return text != NULL && PyUnicode_IsIdentifier(text) == 1 ? text : NULL;
}
