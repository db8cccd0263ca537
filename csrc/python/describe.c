/* How a copy would be done, as a dict. */
#include "describe.h"

#include "hidden.h"
#include "run.h"

static const char *const way_texts[] = {
    [MOVE_NOTHING] = "nothing", [MOVE_SMALL] = "small",   [MOVE_NEST] = "nest",
    [MOVE_SHIFT] = "shift",     [MOVE_STAGED] = "staged", [MOVE_BY_NUMPY] = "numpy",
};

PyObject *
describe_variants(void)
{
    PyObject *rows = PyList_New(0);
    ssop_variant_text text;
    for (int32_t at = 0; rows != NULL && ssop_variant_at(at, &text); at++) {
        if (hidden_list_append(rows, Py_BuildValue("(ssss)", text.name, text.pattern, text.about, text.when)) < 0) {
            Py_CLEAR(rows);
        }
    }
    return rows;
}

/* Appends a name to a list, which is dropped on error. */
static PyObject *
with_name(PyObject *names, const char *text)
{
    if (names != NULL && hidden_list_append(names, PyUnicode_FromString(text)) < 0) {
        Py_CLEAR(names);
    }
    return names;
}

static PyObject *
fitting_names(uint64_t fits)
{
    PyObject *names = PyList_New(0);
    ssop_variant_text text;
    for (int32_t at = 0; ssop_variant_at(at, &text); at++) {
        names = (fits >> at & 1) != 0 ? with_name(names, text.name) : names;
    }
    return names;
}

static PyObject *
loops(const ssop_copy_description *copy)
{
    PyObject *rows = PyList_New(0);
    for (int32_t axis = 0; rows != NULL && axis < copy->rank; axis++) {
        PyObject *row = Py_BuildValue("(LLL)", (long long)copy->count[axis], (long long)copy->dst_stride[axis],
                                      (long long)copy->src_stride[axis]);
        if (hidden_list_append(rows, row) < 0) {
            Py_CLEAR(rows);
        }
    }
    return rows;
}

static PyObject *
flags(const ssop_copy_description *copy)
{
    const struct {
        const char *name;
        bool holds;
    } all[] = {
        {"streams", copy->streams},
        {"collects", copy->collects},
        {"prefetches_source", copy->prefetches_source},
        {"prefetches_into_l2", copy->prefetches_into_l2},
        {"prefetches_destination", copy->prefetches_destination},
        {"source_order", copy->source_order},
        {"strips", copy->strips},
        {"rep_movsb", copy->rep_movsb},
    };
    PyObject *names = PyList_New(0);
    for (size_t at = 0; at < sizeof all / sizeof *all; at++) {
        names = all[at].holds ? with_name(names, all[at].name) : names;
    }
    return names;
}

static PyObject *
describe_nest(const ssop_nest *nest)
{
    ssop_copy_description copy;
    int64_t piece;
    const int threads = run_nest_threads(nest, &piece);
    ssop_nest_describe(nest, piece, &copy);
    /* clang-format off */
    return Py_BuildValue("{s:s,s:s,s:s,s:N,s:N,s:N,s:i,s:i,s:i,s:L,s:L,s:L,s:L,s:L,s:i}",
        "way", way_texts[MOVE_NEST],
        "variant", copy.variant.name,
        "target", copy.target,
        "fits", fitting_names(copy.fits),
        "loops", loops(&copy),
        "flags", flags(&copy),
        "item_axes", (int)copy.item_axes,
        "column_axis", (int)copy.column_axis,
        "row_axis", (int)copy.row_axis,
        "item_bytes", (long long)copy.item_bytes,
        "rows", (long long)copy.rows,
        "columns", (long long)copy.columns,
        "bytes", (long long)ssop_nest_bytes(nest),
        "steps", (long long)ssop_nest_steps(nest),
        "threads", threads);
    /* clang-format on */
}

PyObject *
describe_move(move_side dst, move_side src)
{
    const move_way way = move_way_of(dst, src);
    if (way != MOVE_NEST) {
        return Py_BuildValue("{s:s}", "way", way_texts[way]);
    }
    ssop_nest_room room;
    const ssop_nest *nest = ssop_nest_in(&room);
    ssop_nest_copy(ssop_nest_in(&room), dst.items, src.items, NULL);
    return ssop_nest_steps(nest) > 0 ? describe_nest(nest) : Py_BuildValue("{s:s}", "way", way_texts[MOVE_NOTHING]);
}
