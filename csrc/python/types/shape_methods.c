/* The methods of PartialShape: TensorFlow's rules for shapes. Each reads its arguments, which may run Python code, and
 * then calls one function of the core. */
#include "shape_methods.h"

#include "../args.h"
#include "../errors.h"
#include "../hidden.h"
#include "../intervals.h"
#include "../parse.h"
#include "dim.h"
#include "docstrings.h"
#include "partial_shape.h"

static const parameter_list only_other = {PARAMETERS(ARG_OTHER), .required = 1};
static const parameter_list only_rank = {PARAMETERS(ARG_RANK), .required = 1};

/* ---- two shapes -------------------------------------------------------------------------------------------------- */

static PyObject *
shape_same_as(PyObject *self, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    const call_context call = {.state = partial_shape_state(self), .op = "PartialShape.same_as"};
    PyObject *found[MAX_PARAMETERS];
    if (parse_arguments(&call, &only_other, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    PyObject *other = partial_shape_from(&call, "other", found[0]);
    if (other == NULL) {
        return NULL;
    }
    bool same = partial_shape_id(self) == partial_shape_id(other);
    Py_DECREF(other);
    return PyBool_FromLong(same);
}

/* Rules for two shapes that give one. */
typedef ssop_status (*pair_rule)(ssop_inference *inference, const ssop_partial_shape *a, const ssop_partial_shape *b,
                                 ssop_partial_shape *out, ssop_error *error);

static ssop_status
relax_pair(ssop_inference *inference, const ssop_partial_shape *a, const ssop_partial_shape *b, ssop_partial_shape *out,
           ssop_error *Py_UNUSED(error))
{
    ssop_shape_relax(inference, a, b, out);
    return SSOP_OK;
}

static SSOP_NOINLINE PyObject *
apply_pair_rule(const call_context *call, pair_rule rule, PyObject *const pair[2], bool tight)
{
    ssop_partial_shape a, b, out;
    ssop_error error;
    partial_shape_get(pair[0], &a);
    partial_shape_get(pair[1], &b);
    return rule(inference_of(call->state, tight), &a, &b, &out, &error) == SSOP_OK
             ? partial_shape_result(call->state, &out, pair)
             : partial_shape_raise(call, &error, &a, &b);
}

/* `found` has `other`. */
static PyObject *
combine(const call_context *call, pair_rule rule, PyObject *self, PyObject *const *found, bool tight)
{
    PyObject *other = partial_shape_from(call, "other", found[0]);
    PyObject *result = other != NULL ? apply_pair_rule(call, rule, (PyObject *const[]){self, other}, tight) : NULL;
    Py_XDECREF(other);
    return result;
}

static PyObject *
shape_merge(PyObject *self, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    const call_context call = {.state = partial_shape_state(self), .op = "PartialShape.merge"};
    PyObject *found[MAX_PARAMETERS];
    return parse_arguments(&call, &only_other, args, positional, kwnames, found) == 0
             ? combine(&call, ssop_shape_merge, self, found, true)
             : NULL;
}

/* sh_s10 */
static PyObject *
shape_concatenate(PyObject *self, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    const call_context call = {.state = partial_shape_state(self), .op = "PartialShape.concatenate"};
    PyObject *found[MAX_PARAMETERS];
    return parse_arguments(&call, &only_other, args, positional, kwnames, found) == 0
             ? combine(&call, ssop_shape_concatenate, self, found, true)
             : NULL;
}

static PyObject *
shape_relax(PyObject *self, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const parameter_list parameters = {PARAMETERS(ARG_OTHER, ARG_MODE), .required = 1, .keyword_only = 1};
    const call_context call = {.state = partial_shape_state(self), .op = "PartialShape.relax"};
    PyObject *found[MAX_PARAMETERS];
    bool tight;
    return parse_arguments(&call, &parameters, args, positional, kwnames, found) < 0 ||
                   dim_read_mode(&call, found[1], true, &tight) < 0
             ? NULL
             : combine(&call, relax_pair, self, found, tight);
}

static SSOP_NOINLINE PyObject *
merge_with_prefix(const call_context *call, PyObject *const pair[2])
{
    ssop_partial_shape shape, prefix, out[2];
    ssop_error error;
    partial_shape_get(pair[0], &shape);
    partial_shape_get(pair[1], &prefix);
    if (ssop_shape_merge_prefix(inference_of(call->state, true), &shape, &prefix, out, &error) != SSOP_OK) {
        return partial_shape_raise(call, &error, &shape, &prefix);
    }
    PyObject *first = partial_shape_result(call->state, &out[0], pair);
    PyObject *second = first != NULL ? partial_shape_result(call->state, &out[1], pair) : NULL;
    PyObject *both = second != NULL ? PyTuple_Pack(2, first, second) : NULL;
    Py_XDECREF(second);
    Py_XDECREF(first);
    return both;
}

static PyObject *
shape_merge_prefix(PyObject *self, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const parameter_list parameters = {PARAMETERS(ARG_PREFIX), .required = 1};
    const call_context call = {.state = partial_shape_state(self), .op = "PartialShape.merge_prefix"};
    PyObject *found[MAX_PARAMETERS];
    if (parse_arguments(&call, &parameters, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    PyObject *prefix = partial_shape_from(&call, "prefix", found[0]);
    PyObject *result = prefix != NULL ? merge_with_prefix(&call, (PyObject *const[]){self, prefix}) : NULL;
    Py_XDECREF(prefix);
    return result;
}

/* ---- ranks ------------------------------------------------------------------------------------------------------- */

static SSOP_NOINLINE PyObject *
apply_rank(const call_context *call, PyObject *self, int64_t rank)
{
    ssop_partial_shape shape, out;
    ssop_error error;
    partial_shape_get(self, &shape);
    return ssop_shape_with_rank(inference_of(call->state, true), &shape, rank, &out, &error) == SSOP_OK
             ? partial_shape_result(call->state, &out, (PyObject *const[]){self, NULL})
             : errors_raise(call, &error, NULL);
}

static PyObject *
shape_with_rank(PyObject *self, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    const call_context call = {.state = partial_shape_state(self), .op = "PartialShape.with_rank"};
    PyObject *found[MAX_PARAMETERS];
    int64_t rank;
    return parse_arguments(&call, &only_rank, args, positional, kwnames, found) < 0 ||
                   args_read_integer(&call, "rank", found[0], &rank) < 0
             ? NULL
             : apply_rank(&call, self, rank);
}

/* Rules that a shape obeys or not: if it does, it is the result. */
typedef ssop_status (*rank_check)(const ssop_partial_shape *shape, int64_t rank, ssop_error *error);

static SSOP_NOINLINE PyObject *
apply_check(const call_context *call, rank_check check, PyObject *self, int64_t rank)
{
    ssop_partial_shape shape;
    ssop_error error;
    partial_shape_get(self, &shape);
    return check(&shape, rank, &error) == SSOP_OK ? Py_NewRef(self) : errors_raise(call, &error, NULL);
}

static PyObject *
shape_with_rank_at_least(PyObject *self, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    const call_context call = {.state = partial_shape_state(self), .op = "PartialShape.with_rank_at_least"};
    PyObject *found[MAX_PARAMETERS];
    int64_t rank;
    return parse_arguments(&call, &only_rank, args, positional, kwnames, found) < 0 ||
                   args_read_integer(&call, "rank", found[0], &rank) < 0
             ? NULL
             : apply_check(&call, ssop_shape_check_rank_at_least, self, rank);
}

static PyObject *
shape_with_rank_at_most(PyObject *self, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    const call_context call = {.state = partial_shape_state(self), .op = "PartialShape.with_rank_at_most"};
    PyObject *found[MAX_PARAMETERS];
    int64_t rank;
    return parse_arguments(&call, &only_rank, args, positional, kwnames, found) < 0 ||
                   args_read_integer(&call, "rank", found[0], &rank) < 0
             ? NULL
             : apply_check(&call, ssop_shape_check_rank_at_most, self, rank);
}

/* ---- dims -------------------------------------------------------------------------------------------------------- */

static SSOP_NOINLINE PyObject *
dim_of_axis(const call_context *call, PyObject *self, int64_t axis)
{
    ssop_partial_shape shape;
    ssop_dim dim;
    ssop_error error;
    partial_shape_get(self, &shape);
    return ssop_shape_dim(inference_of(call->state, true), &shape, axis, &dim, &error) == SSOP_OK
             ? dim_new(call->state, dim)
             : errors_raise(call, &error, NULL);
}

static PyObject *
shape_dim(PyObject *self, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const parameter_list parameters = {PARAMETERS(ARG_AXIS), .required = 1};
    const call_context call = {.state = partial_shape_state(self), .op = "PartialShape.dim"};
    PyObject *found[MAX_PARAMETERS];
    int64_t axis;
    return parse_arguments(&call, &parameters, args, positional, kwnames, found) < 0 ||
                   args_read_integer(&call, "axis", found[0], &axis) < 0
             ? NULL
             : dim_of_axis(&call, self, axis);
}

static SSOP_NOINLINE PyObject *
replace_axis(const call_context *call, PyObject *self, int64_t axis, ssop_dim dim)
{
    ssop_partial_shape shape, out;
    ssop_error error;
    partial_shape_get(self, &shape);
    return ssop_shape_replace_dim(inference_of(call->state, true), &shape, axis, dim, &out, &error) == SSOP_OK
             ? partial_shape_result(call->state, &out, (PyObject *const[]){self, NULL})
             : errors_raise(call, &error, NULL);
}

static PyObject *
shape_replace_dim(PyObject *self, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const parameter_list parameters = {PARAMETERS(ARG_AXIS, ARG_DIM), .required = 2};
    const call_context call = {.state = partial_shape_state(self), .op = "PartialShape.replace_dim"};
    PyObject *found[MAX_PARAMETERS];
    int64_t axis;
    ssop_dim dim;
    return parse_arguments(&call, &parameters, args, positional, kwnames, found) < 0 ||
                   args_read_integer(&call, "axis", found[0], &axis) < 0 ||
                   dim_read(&call, "dim", -1, found[1], &dim) < 0
             ? NULL
             : replace_axis(&call, self, axis, dim);
}

static SSOP_NOINLINE PyObject *
part_of_axes(const call_context *call, PyObject *self, ssop_axes_range axes)
{
    ssop_partial_shape shape, out;
    ssop_error error;
    partial_shape_get(self, &shape);
    if (ssop_shape_subshape(inference_of(call->state, true), &shape, axes, &out, &error) == SSOP_OK) {
        return partial_shape_result(call->state, &out, (PyObject *const[]){self, NULL});
    }
    char given[64]; /* what the bounds of sh_c10 are computed from */
    snprintf(given, sizeof given, "start %lld and end %lld", (long long)axes.start, (long long)axes.end);
    errors_raise_texts(call, &error, NULL, (const char *const[]){given});
    return NULL;
}

static PyObject *
shape_subshape(PyObject *self, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const parameter_list parameters = {PARAMETERS(ARG_START, ARG_END, ARG_STRIDE)};
    const call_context call = {.state = partial_shape_state(self), .op = "PartialShape.subshape"};
    PyObject *found[MAX_PARAMETERS];
    ssop_axes_range axes;
    if (parse_arguments(&call, &parameters, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    PyObject *end = is_given(found[1]) ? found[1] : NULL;
    return args_read_optional(&call, "start", found[0], 0, &axes.start) < 0 ||
                   args_read_optional(&call, "end", end, INT64_MAX, &axes.end) < 0 ||
                   args_read_optional(&call, "stride", found[2], 1, &axes.stride) < 0
             ? NULL
             : part_of_axes(&call, self, axes);
}

static SSOP_NOINLINE PyObject *
count_elements(const call_context *call, PyObject *self, bool tight)
{
    ssop_partial_shape shape;
    ssop_dim count;
    ssop_error error;
    partial_shape_get(self, &shape);
    return ssop_shape_num_elements(inference_of(call->state, tight), &shape, &count, &error) == SSOP_OK
             ? dim_new(call->state, count)
             : errors_raise(call, &error, NULL);
}

static PyObject *
shape_num_elements(PyObject *self, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const parameter_list parameters = {PARAMETERS(ARG_MODE), .keyword_only = 1};
    const call_context call = {.state = partial_shape_state(self), .op = "PartialShape.num_elements"};
    PyObject *found[MAX_PARAMETERS];
    bool tight;
    return parse_arguments(&call, &parameters, args, positional, kwnames, found) < 0 ||
                   dim_read_mode(&call, found[0], true, &tight) < 0
             ? NULL
             : count_elements(&call, self, tight);
}

/* True if these dims are one choice of all that the shape leaves open. */
static SSOP_NOINLINE bool
is_completion(PyObject *self, int32_t rank, const int64_t *dims)
{
    ssop_partial_shape shape;
    partial_shape_get(self, &shape);
    bool fits = shape.rank == SSOP_UNKNOWN_RANK || shape.rank == rank;
    for (int32_t axis = 0; fits && axis < shape.rank; axis++) {
        const ssop_dim dim = shape.dim[axis];
        fits = dim.value.lo <= dims[axis] && dims[axis] <= dim.value.hi;
        for (int32_t before = 0; fits && dim.id != 0 && before < axis; before++) {
            fits = shape.dim[before].id != dim.id || dims[before] == dims[axis];
        }
    }
    return fits;
}

static PyObject *
shape_contains(PyObject *self, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const parameter_list parameters = {PARAMETERS(ARG_SHAPE), .required = 1};
    const call_context call = {.state = partial_shape_state(self), .op = "PartialShape.contains"};
    PyObject *found[MAX_PARAMETERS];
    int64_t dims[SSOP_MAX_RANK];
    if (parse_arguments(&call, &parameters, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    int32_t rank = args_read_shape(&call, "shape", found[0], dims);
    return rank >= 0 ? PyBool_FromLong(is_completion(self, rank, dims)) : NULL;
}

/* ---- shape tensors ----------------------------------------------------------------------------------------------- */

static SSOP_NOINLINE PyObject *
shape_of_elements(const call_context *call, Py_ssize_t count, const ssop_interval *elements)
{
    ssop_partial_shape out;
    ssop_error error;
    return ssop_shape_from_tensor(inference_of(call->state, true), count, elements, &out, &error) == SSOP_OK
             ? partial_shape_new(call->state, &out)
             : errors_raise(call, &error, NULL);
}

/* A class method: static ones cannot find the module. */
static PyObject *
shape_from_tensor(PyObject *type, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const parameter_list parameters = {PARAMETERS(ARG_VALUES), .required = 1};
    const call_context call = {.state = (module_state *)PyType_GetModuleState((PyTypeObject *)type),
                               .op = "PartialShape.from_tensor"};
    PyObject *found[MAX_PARAMETERS];
    if (parse_arguments(&call, &parameters, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    ssop_interval elements[SSOP_MAX_RANK];
    Py_ssize_t count = intervals_read_vector(&call, "values", found[0], elements, SSOP_MAX_RANK);
    return count >= 0 ? shape_of_elements(&call, count, elements) : NULL;
}

/* ---- copies and pickles ------------------------------------------------------------------------------------------ */

/* The Dim of `axis`: that of an earlier axis in `tuple` if both are the same number. Pickles write an object once, so
 * that these dims are still the same number when they are read. */
static PyObject *
shared_dim(const shape_object *self, module_state *state, int32_t axis, PyObject *tuple)
{
    const ssop_dim dim = self->dim[axis];
    for (int32_t before = 0; before < axis && dim.id != 0; before++) {
        if (self->dim[before].id == dim.id) {
            return Py_NewRef(PyTuple_GET_ITEM(tuple, before));
        }
    }
    return dim.id == 0 ? dim_value(dim) : dim_new(state, dim);
}

static PyObject *
shape_reduce(PyObject *object, PyObject *Py_UNUSED(ignored))
{
    const shape_object *self = (shape_object *)object;
    if (self->rank == SSOP_UNKNOWN_RANK) {
        return dim_reduction(object, Py_NewRef(Py_None));
    }
    PyObject *tuple = hidden_tuple(self->rank);
    for (int32_t axis = 0; tuple != NULL && axis < self->rank; axis++) {
        PyObject *item = shared_dim(self, partial_shape_state(object), axis, tuple);
        if (item == NULL) {
            Py_CLEAR(tuple);
            break;
        }
        PyTuple_SET_ITEM(tuple, axis, item);
    }
    return dim_reduction(object, tuple);
}

static PyObject *
shape_copy(PyObject *self, PyObject *Py_UNUSED(memo))
{
    return Py_NewRef(self); /* immutable, and the dims of a copy would be other numbers */
}

PyMethodDef ssop_shape_methods[] = {
    {"same_as", COMPAT_FASTCALL(shape_same_as), "same_as" DOC_PartialShape_same_as},
    {"contains", COMPAT_FASTCALL(shape_contains), "contains" DOC_PartialShape_contains},
    {"dim", COMPAT_FASTCALL(shape_dim), "dim" DOC_PartialShape_dim},
    {"merge", COMPAT_FASTCALL(shape_merge), "merge" DOC_PartialShape_merge},
    {"relax", COMPAT_FASTCALL(shape_relax), "relax" DOC_PartialShape_relax},
    {"with_rank", COMPAT_FASTCALL(shape_with_rank), "with_rank" DOC_PartialShape_with_rank},
    {"with_rank_at_least", COMPAT_FASTCALL(shape_with_rank_at_least),
     "with_rank_at_least" DOC_PartialShape_with_rank_at_least},
    {"with_rank_at_most", COMPAT_FASTCALL(shape_with_rank_at_most),
     "with_rank_at_most" DOC_PartialShape_with_rank_at_most},
    {"merge_prefix", COMPAT_FASTCALL(shape_merge_prefix), "merge_prefix" DOC_PartialShape_merge_prefix},
    {"replace_dim", COMPAT_FASTCALL(shape_replace_dim), "replace_dim" DOC_PartialShape_replace_dim},
    {"subshape", COMPAT_FASTCALL(shape_subshape), "subshape" DOC_PartialShape_subshape},
    {"concatenate", COMPAT_FASTCALL(shape_concatenate), "concatenate" DOC_PartialShape_concatenate},
    {"num_elements", COMPAT_FASTCALL(shape_num_elements), "num_elements" DOC_PartialShape_num_elements},
    {"from_tensor", COMPAT_FASTCALL(shape_from_tensor) | METH_CLASS, "from_tensor" DOC_PartialShape_from_tensor},
    {"__reduce__", shape_reduce, METH_NOARGS, NULL},
    {"__copy__", shape_copy, METH_NOARGS, NULL},
    {"__deepcopy__", shape_copy, METH_O, "__deepcopy__" DOC_PartialShape___deepcopy__},
    {NULL, NULL, 0, NULL},
};
