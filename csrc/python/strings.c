/* Strings replace others in two stages: new ones are made beside the destination, which can fail, and then exchanged
 * for the old ones, which cannot. NumPy would write a new string over the old one if there is room, and NumPy before
 * 2.3.2 takes the room of one of 255 bytes to be endless. A dtype's store has an arena, which only grows, so strings of
 * arrays that are written again and again get memory of their own instead. */
#include "strings.h"

/* Signals are handled after so many items. Not measured; chosen because a piece takes only some milliseconds. */
enum { STRINGS_PIECE_ITEMS = 64 * 1024 };

/* The items of a view in C order. */
typedef struct {
    const ssop_view *view;
    char *item;
    int64_t index[SSOP_MAX_RANK];
} string_walk;

static void
begin_walk(string_walk *walk, const ssop_view *view)
{
    walk->view = view;
    walk->item = view->data;
    for (int32_t axis = 0; axis < view->rank; axis++) {
        walk->index[axis] = 0;
    }
}

/* Returns the present item, and goes to the next one; after the last, to the first. */
static char *
next_item(string_walk *walk)
{
    char *const item = walk->item;
    const ssop_view *view = walk->view;
    for (int32_t axis = view->rank - 1; axis >= 0; axis--) {
        walk->item += view->stride[axis];
        if (++walk->index[axis] < view->dim[axis]) {
            return item;
        }
        walk->item -= view->dim[axis] * view->stride[axis];
        walk->index[axis] = 0;
    }
    return item;
}

/* The two dtypes, destination first, and the stores of their strings while these are locked. Nobody who holds the locks
 * may run Python code. */
typedef struct {
    PyArray_Descr *dtype[2];
    npy_string_allocator *store[2];
    bool in_arena; /* new strings of the destination go to the arena of its store */
} string_stores;

/* Both locks are taken in one order: threads that copy between two arrays in both directions would wait for each other
 * otherwise, without the GIL. */
static void
lock_stores(string_stores *stores)
{
    const int first = (uintptr_t)stores->dtype[0] > (uintptr_t)stores->dtype[1];
    PyArray_Descr *const dtypes[2] = {stores->dtype[first], stores->dtype[!first]};
    npy_string_allocator *locked[2];
    NpyString_acquire_allocators(2, dtypes, locked);
    stores->store[first] = locked[0];
    stores->store[!first] = locked[1];
}

/* `made` has only zero bytes: NumPy makes such a string in the arena. In place of a short one it makes it in memory of
 * its own. */
static int
make_string(const string_stores *stores, char *made, const char *item)
{
    const PyArray_StringDTypeObject *to = (const PyArray_StringDTypeObject *)(void *)stores->dtype[0],
                                    *from = (const PyArray_StringDTypeObject *)(void *)stores->dtype[1];
    npy_packed_static_string *packed = (npy_packed_static_string *)made;
    npy_static_string string = {0, NULL};
    int missing = NpyString_load(stores->store[1], (const npy_packed_static_string *)item, &string);
    if (missing < 0 || (!stores->in_arena && NpyString_pack(stores->store[0], packed, "-", 1) < 0)) {
        return -1;
    }
    if (missing && to->na_object != NULL) {
        return NpyString_pack_null(stores->store[0], packed);
    }
    string = missing ? from->na_name : string; /* as NumPy casts it to a dtype without missing strings */
    return NpyString_pack(stores->store[0], packed, string.buf, string.size);
}

/* Makes new strings in `made`, which has room for `count` items. -1 on error: then some of them may be made. */
static int
make_strings(string_stores *stores, char *made, int64_t count, const ssop_view *from)
{
    string_walk walk;
    begin_walk(&walk, from);
    int status = 0;
    for (int64_t done = 0; status == 0 && done < count;) {
        const int64_t left = count - done, end = done + (left < STRINGS_PIECE_ITEMS ? left : STRINGS_PIECE_ITEMS);
        lock_stores(stores);
        for (; status == 0 && done < end; done++) {
            status = make_string(stores, made + done * from->item_bytes, next_item(&walk));
        }
        NpyString_release_allocators(2, stores->store);
        if (status < 0) {
            PyErr_NoMemory();
        }
        else if (done < count) {
            status = PyErr_CheckSignals();
        }
    }
    return status;
}

static void
exchange(const ssop_view *to, char *made, int64_t count)
{
    string_walk walk;
    char old[sizeof(npy_static_string)];
    begin_walk(&walk, to);
    for (char *item = made; item < made + count * to->item_bytes; item += to->item_bytes) {
        char *const place = next_item(&walk);
        memcpy(old, place, sizeof old);
        memcpy(place, item, sizeof old);
        memcpy(item, old, sizeof old);
    }
}

/* Exchanges the items of `to` for those in `made`, and frees what then is there: the old ones, or the new ones if `to`
 * is NULL. */
static void
exchange_and_free(string_stores *stores, const ssop_view *to, char *made, int64_t count, int64_t item_bytes)
{
    NpyString_acquire_allocators(1, stores->dtype, stores->store);
    if (to != NULL) {
        exchange(to, made, count);
    }
    for (char *item = made; item < made + count * item_bytes; item += item_bytes) {
        (void)NpyString_pack(stores->store[0], (npy_packed_static_string *)item, "", 0);
    }
    NpyString_release_allocators(1, stores->store);
}

int
strings_replace(const private_view *dst, const ssop_view *to, const private_view *src, const ssop_view *from)
{
    string_stores stores = {{dst->dtype, src->dtype}, {NULL, NULL}, dst->is_new};
    ssop_view read = *to;
    int64_t count = 1;
    read.data = from->data;
    for (int32_t axis = 0; axis < to->rank; axis++) {
        read.stride[axis] = from->rank > 0 ? from->stride[axis] : 0;
        count *= to->dim[axis];
    }
    char *made = PyMem_RawCalloc((size_t)count, (size_t)to->item_bytes);
    if (made == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    int status = make_strings(&stores, made, count, &read);
    exchange_and_free(&stores, status == 0 ? to : NULL, made, count, to->item_bytes);
    PyMem_RawFree(made);
    return status;
}
