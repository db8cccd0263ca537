/* The Region type: an immutable ssop_region with the input dims it was resolved against. */
#include "region.h"

#include "../args.h"
#include "../errors.h"
#include "../hidden.h"
#include "../parse.h"
#include "chunks.h"
#include "docstrings.h"
#include "region_object.h"

static module_state *
state_of_type(PyTypeObject *type)
{
    return (module_state *)PyType_GetModuleState(type);
}

static void
region_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* ---- construction ------------------------------------------------------------------------------------------------ */

static int
read_range(const call_context *call, PyObject *object, int32_t axis, ssop_range *range)
{
    int64_t part[3] = {0, 0, 0};
    Py_ssize_t length = args_read_triple(call, "ranges", axis, object, part);
    if (length >= 0 && length != 3) {
        const ssop_error error = {
            .rule = SSOP_RG_C4, .axis = -1, .entry = axis, .value = length, .low = 3, .high = 3, .form = 1};
        errors_raise(call, &error, NULL);
    }
    *range = (ssop_range){part[0], part[1], part[2]};
    return length == 3 ? 0 : -1;
}

static int
read_ranges(const call_context *call, PyObject *object, ssop_region *region)
{
    Py_ssize_t count = args_length(object);
    if (count < 0) {
        if (!PyErr_Occurred()) {
            const ssop_error error = {.rule = SSOP_IN_C5, .axis = -1, .entry = -1};
            errors_raise_type(call, &error, "ranges", object, "(start, count, step)");
        }
        return -1;
    }
    if (count != region->in_rank) {
        const ssop_error error = {.rule = SSOP_RG_C4,
                                  .axis = -1,
                                  .entry = -1,
                                  .value = count,
                                  .low = region->in_rank,
                                  .high = region->in_rank};
        errors_raise(call, &error, NULL);
        return -1;
    }
    int result = 0;
    for (int32_t axis = 0; result == 0 && axis < region->in_rank; axis++) {
        PyObject *range = PySequence_GetItem(object, axis);
        result = range != NULL ? read_range(call, range, axis, &region->range[axis]) : -1;
        Py_XDECREF(range);
    }
    return result;
}

static int
read_out_axes(const call_context *call, PyObject *object, ssop_region *region)
{
    int64_t axes[SSOP_MAX_RANK];
    Py_ssize_t rank = args_read_vector(call, "out_axes", object, axes, SSOP_MAX_RANK);
    if (rank < 0) {
        return -1;
    }
    if (rank > SSOP_MAX_RANK) {
        const ssop_error error = {.rule = SSOP_IN_C9, .axis = -1, .entry = -1, .value = rank, .high = SSOP_MAX_RANK};
        errors_raise(call, &error, NULL);
        return -1;
    }
    region->out_rank = (int32_t)rank;
    for (Py_ssize_t axis = 0; axis < rank; axis++) { /* what does not fit int8 is no axis either */
        bool fits = axes[axis] >= SSOP_EMPTY_AXIS && axes[axis] < SSOP_MAX_RANK;
        region->out_axis[axis] = (int8_t)(fits ? axes[axis] : SSOP_MAX_RANK);
    }
    return 0;
}

static PyObject *
construct_of(const call_context *call, PyObject *const *found)
{
    ssop_region region;
    int64_t dims[SSOP_MAX_RANK];
    ssop_error error;
    region.in_rank = args_read_shape(call, "in_shape", found[0], dims);
    if (region.in_rank < 0 || read_ranges(call, found[1], &region) < 0 || read_out_axes(call, found[2], &region) < 0) {
        return NULL;
    }
    if (ssop_region_check(&region, dims, &error) != SSOP_OK) {
        return errors_raise(call, &error, NULL);
    }
    return region_new(call->state, &region, dims);
}

static PyObject *
region_construct(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static const parameter_list parameters = {PARAMETERS(ARG_IN_SHAPE, ARG_RANGES, ARG_OUT_AXES), .required = 3};
    const call_context call = {.state = state_of_type(type), .op = "Region"};
    PyObject *found[MAX_PARAMETERS];
    if (parse_construction(&call, &parameters, args, kwargs, found) < 0) {
        return NULL;
    }
    PyObject *region = construct_of(&call, found);
    parse_release(&parameters, found);
    return region;
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

static PyObject *
get_in_shape(PyObject *self, void *Py_UNUSED(closure))
{
    const region_object *region = (region_object *)self;
    return args_tuple(region->region.in_rank, region->dims);
}

static PyObject *
range_tuple(const void *region, int32_t axis)
{
    const ssop_range range = ((const ssop_region *)region)->range[axis];
    return args_tuple(3, (const int64_t[]){range.start, range.count, range.step});
}

static PyObject *
get_ranges(PyObject *self, void *Py_UNUSED(closure))
{
    const ssop_region *region = &((region_object *)self)->region;
    return hidden_tuple_of(region->in_rank, region, range_tuple);
}

static PyObject *
get_out_axes(PyObject *self, void *Py_UNUSED(closure))
{
    const ssop_region *region = &((region_object *)self)->region;
    int64_t axes[SSOP_MAX_RANK];
    for (int32_t axis = 0; axis < region->out_rank; axis++) {
        axes[axis] = region->out_axis[axis];
    }
    return args_tuple(region->out_rank, axes);
}

static PyObject *
get_shape(PyObject *self, void *Py_UNUSED(closure))
{
    const ssop_region *region = &((region_object *)self)->region;
    int64_t dims[SSOP_MAX_RANK];
    for (int32_t axis = 0; axis < region->out_rank; axis++) {
        dims[axis] = ssop_region_dim(region, axis);
    }
    return args_tuple(region->out_rank, dims);
}

/* One past the last element in the direction of the step; None where that would be -1, which NumPy reads otherwise. */
static PyObject *
slice_of_range(ssop_range range)
{
    int64_t stop = range.count == 0 ? 0 : range.start + (range.count - 1) * range.step + (range.step > 0 ? 1 : -1);
    PyObject *start_object = PyLong_FromLongLong(range.start), *step_object = PyLong_FromLongLong(range.step);
    PyObject *stop_object = stop < 0 ? Py_NewRef(Py_None) : PyLong_FromLongLong(stop), *made = NULL;
    if (start_object != NULL && stop_object != NULL && step_object != NULL) {
        made = PySlice_New(start_object, stop_object, step_object);
    }
    Py_XDECREF(start_object);
    Py_XDECREF(stop_object);
    Py_XDECREF(step_object);
    return made;
}

/* rg_s4: every input axis in order, dropped ones as integers, with None where a new axis stands. */
static int
fill_index(PyObject *list, const ssop_region *region)
{
    int32_t next = 0;
    for (int32_t axis = 0; axis <= region->out_rank; axis++) {
        int32_t from = axis < region->out_rank ? region->out_axis[axis] : region->in_rank;
        for (; next < from; next++) {
            if (hidden_list_append(list, PyLong_FromLongLong(region->range[next].start)) < 0) {
                return -1;
            }
        }
        if (axis == region->out_rank) {
            break;
        }
        if (hidden_list_append(list, from < 0 ? Py_NewRef(Py_None) : slice_of_range(region->range[from])) < 0) {
            return -1;
        }
        next = from < 0 ? next : from + 1;
    }
    return 0;
}

static PyObject *
get_index(PyObject *self, void *Py_UNUSED(closure))
{
    const ssop_region *region = &((region_object *)self)->region;
    for (int32_t axis = 0; axis < region->out_rank; axis++) {
        if (region->out_axis[axis] == SSOP_EMPTY_AXIS) {
            call_context call = {.state = state_of_type(Py_TYPE(self)), .op = "Region.index"};
            ssop_error error = {.rule = SSOP_RG_C3, .axis = axis, .entry = -1};
            return errors_raise(&call, &error, NULL);
        }
    }
    PyObject *list = hidden_list();
    if (list != NULL && fill_index(list, region) < 0) {
        Py_CLEAR(list);
    }
    return hidden_list_to_tuple(list);
}

/* ---- methods ----------------------------------------------------------------------------------------------------- */

static PyObject *
region_of(PyObject *self, PyObject *other)
{
    module_state *state = state_of_type(Py_TYPE(self));
    const call_context call = {.state = state, .op = "Region.of"};
    if (!Py_IS_TYPE(other, state->region_type)) {
        const ssop_error not_a_region = {.rule = SSOP_RG_C5, .axis = -1, .entry = -1};
        return errors_raise_type(&call, &not_a_region, "first", other, NULL);
    }
    const region_object *second = (region_object *)self, *first = (region_object *)other;
    ssop_region composed;
    ssop_error error;
    if (ssop_region_compose(&first->region, &second->region, second->dims, &composed, &error) != SSOP_OK) {
        return errors_raise(&call, &error, NULL);
    }
    return region_new(state, &composed, first->dims);
}

/* The output axes to flip. */
static PyObject *
axes_tuple(int32_t rank, const bool flip[SSOP_MAX_RANK])
{
    int64_t axes[SSOP_MAX_RANK];
    int32_t count = 0;
    for (int32_t axis = 0; axis < rank; axis++) {
        axes[count] = axis;
        count += flip[axis] ? 1 : 0;
    }
    return args_tuple(count, axes);
}

static PyObject *
region_split(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    const region_object *region = (region_object *)self;
    ssop_region forward;
    bool flip[SSOP_MAX_RANK];
    ssop_region_split(&region->region, &forward, flip);
    PyObject *tuple = axes_tuple(forward.out_rank, flip);
    PyObject *made = tuple != NULL ? region_new(state_of_type(Py_TYPE(self)), &forward, region->dims) : NULL;
    PyObject *result = made != NULL ? PyTuple_Pack(2, made, tuple) : NULL;
    Py_XDECREF(made);
    Py_XDECREF(tuple);
    return result;
}

static PyObject *
region_covering(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    const region_object *region = (region_object *)self;
    module_state *state = state_of_type(Py_TYPE(self));
    ssop_region covering, remainder;
    bool flip[SSOP_MAX_RANK];
    int64_t spans[SSOP_MAX_RANK];
    ssop_region_covering(&region->region, &covering, &remainder, flip);
    for (int32_t axis = 0; axis < covering.out_rank; axis++) {
        spans[axis] = ssop_region_dim(&covering, axis);
    }
    PyObject *parts[3] = {region_new(state, &covering, region->dims), region_new(state, &remainder, spans),
                          axes_tuple(remainder.out_rank, flip)};
    return args_pack_three(parts);
}

static PyObject *
region_chunks(PyObject *self, PyObject *grid)
{
    const call_context call = {.state = state_of_type(Py_TYPE(self)), .op = "Region.chunks"};
    return chunks_new(&call, (region_object *)self, grid);
}

/* (in_shape, ranges, out_axes): the constructor's arguments. */
static PyObject *
region_parts(PyObject *self)
{
    PyObject *parts[3] = {get_in_shape(self, NULL), get_ranges(self, NULL), get_out_axes(self, NULL)};
    return args_pack_three(parts);
}

static PyObject *
region_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *parts = region_parts(self);
    return parts != NULL ? Py_BuildValue("(ON)", Py_TYPE(self), parts) : NULL;
}

static PyObject *
region_repr(PyObject *self)
{
    PyObject *parts = region_parts(self);
    PyObject *text = parts != NULL ? PyUnicode_FromFormat("Region%R", parts) : NULL;
    Py_XDECREF(parts);
    return text;
}

static PyObject *
region_repr_html(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *display = PyImport_ImportModule("ssop._display");
    PyObject *html = display != NULL ? PyObject_CallMethod(display, "region_html", "O", self) : NULL;
    Py_XDECREF(display);
    return html;
}

static Py_hash_t
region_hash(PyObject *self)
{
    PyObject *parts = region_parts(self);
    Py_hash_t hash = parts != NULL ? PyObject_Hash(parts) : -1;
    Py_XDECREF(parts);
    return hash;
}

static PyObject *
region_compare(PyObject *self, PyObject *other, int op)
{
    if ((op != Py_EQ && op != Py_NE) || !Py_IS_TYPE(other, Py_TYPE(self))) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    PyObject *mine = region_parts(self), *theirs = region_parts(other), *result = NULL;
    if (mine != NULL && theirs != NULL) {
        result = PyObject_RichCompare(mine, theirs, op);
    }
    Py_XDECREF(mine);
    Py_XDECREF(theirs);
    return result;
}

static PyMethodDef region_methods[] = {
    {"of", region_of, METH_O, "of" DOC_Region_of},
    {"split", region_split, METH_NOARGS, "split" DOC_Region_split},
    {"covering", region_covering, METH_NOARGS, "covering" DOC_Region_covering},
    {"chunks", region_chunks, METH_O, "chunks" DOC_Region_chunks},
    {"__reduce__", region_reduce, METH_NOARGS, NULL},
    {"_repr_html_", region_repr_html, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef region_getset[] = {
    {"in_shape", get_in_shape, NULL, DOC_Region_in_shape, NULL}, {"ranges", get_ranges, NULL, DOC_Region_ranges, NULL},
    {"out_axes", get_out_axes, NULL, DOC_Region_out_axes, NULL}, {"shape", get_shape, NULL, DOC_Region_shape, NULL},
    {"index", get_index, NULL, DOC_Region_index, NULL},          {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot region_slots[] = {
    {Py_tp_doc, "Region" DOC_Region}, {Py_tp_new, region_construct}, {Py_tp_dealloc, region_dealloc},
    {Py_tp_repr, region_repr},        {Py_tp_hash, region_hash},     {Py_tp_richcompare, region_compare},
    {Py_tp_methods, region_methods},  {Py_tp_getset, region_getset}, {0, NULL},
};

PyType_Spec ssop_region_spec = {
    .name = "ssop.Region",
    .basicsize = sizeof(region_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = region_slots,
};
