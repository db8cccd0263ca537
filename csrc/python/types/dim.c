/* The Dim type: a dim that may be known in part only, with its identity. Immutable. */
#include "dim.h"

#include "../args.h"
#include "../errors.h"
#include "../intervals.h"
#include "../options.h"
#include "../parse.h"
#include "dim_names.h"
#include "dim_object.h"
#include "docstrings.h"

static const ssop_interval any_dim = {0, INT64_MAX};

static void
dim_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* Without the module's state, which the slots of operators do not get. The type has no subclasses. */
static bool
is_dim(PyObject *object)
{
    return Py_TYPE(object)->tp_dealloc == dim_dealloc;
}

static module_state *
state_of_dim(PyObject *self)
{
    return (module_state *)PyType_GetModuleState(Py_TYPE(self));
}

/* True if no upper end is known. */
static bool
is_open(ssop_dim dim)
{
    return !ssop_dim_is_known(dim) && dim.value.hi >= SSOP_NO_UPPER_END;
}

static bool
interval_is_equal(ssop_dim a, ssop_dim b)
{
    return a.value.lo == b.value.lo && (a.value.hi == b.value.hi || (is_open(a) && is_open(b)));
}

bool
dim_is_equal(module_state *state, ssop_dim a, ssop_dim b)
{
    return interval_is_equal(a, b) && dim_names_name(state, a.id) == dim_names_name(state, b.id);
}

PyObject *
dim_new(module_state *state, ssop_dim dim)
{
    dim_object *self = PyObject_New(dim_object, state->dim_type);
    if (self != NULL) {
        self->dim = dim;
    }
    return (PyObject *)self;
}

PyObject *
dim_result(module_state *state, ssop_dim dim, PyObject *const candidates[2])
{
    for (int i = 0; i < 2; i++) {
        if (candidates[i] != NULL && is_dim(candidates[i])) {
            const ssop_dim candidate = dim_of(candidates[i]);
            if (candidate.id == dim.id && interval_is_equal(candidate, dim)) {
                return Py_NewRef(candidates[i]);
            }
        }
    }
    return dim_new(state, dim);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

bool
dim_read_plain(module_state *state, PyObject *object, ssop_dim *dim)
{
    int64_t value;
    if (PyLong_CheckExact(object)) {
        if (!compat_compact_long(object, &value) || value < 0) {
            return false;
        }
        *dim = (ssop_dim){{value, value}, 0};
        return true;
    }
    if (object == Py_None) {
        *dim = ssop_dim_new(inference_of(state, true), any_dim);
        return true;
    }
    if (is_dim(object)) {
        *dim = dim_of(object);
        return true;
    }
    return false;
}

/* A negative number, of an axis of a shape or alone. */
static int
raise_negative(const call_context *call, const char *name, Py_ssize_t entry, int64_t value)
{
    const ssop_error of_axis = {
        .rule = SSOP_IN_C10, .axis = (int32_t)entry, .entry = -1, .value = value, .high = INT64_MAX};
    const ssop_error alone = {.rule = SSOP_SH_C24, .axis = -1, .entry = -1, .value = value, .high = INT64_MAX};
    errors_raise_texts(call, entry >= 0 ? &of_axis : &alone, NULL, (const char *const[]){name});
    return -1;
}

/* A name: an identifier. */
static int
read_name(const call_context *call, const char *name, Py_ssize_t entry, PyObject *object, ssop_dim *dim)
{
    if (PyUnicode_IsIdentifier(object) != 1) {
        const ssop_error error = {.rule = SSOP_SH_C37, .axis = -1, .entry = (int32_t)entry};
        char text[INTERVALS_NAME_BYTES];
        intervals_write_name(name, entry, text);
        errors_raise_type(call, &error, text, object, NULL);
        return -1;
    }
    *dim = (ssop_dim){any_dim, dim_names_id(call->state, object)};
    return dim->id != 0 ? 0 : -1;
}

int
dim_read(const call_context *call, const char *name, Py_ssize_t entry, PyObject *object, ssop_dim *dim)
{
    if (dim_read_plain(call->state, object, dim)) {
        return 0;
    }
    if (PyUnicode_Check(object)) {
        return read_name(call, name, entry, object, dim);
    }
    ssop_interval interval;
    if (PyTuple_Check(object)) {
        if (intervals_read(call, name, entry, object, any_dim, &interval) < 0) {
            return -1;
        }
        *dim = ssop_dim_new(inference_of(call->state, true), interval);
        return 0;
    }
    if (!PyIndex_Check(object) || PyBool_Check(object)) {
        const ssop_error error = {.rule = SSOP_SH_C23, .axis = -1, .entry = (int32_t)entry, .form = 1};
        char text[INTERVALS_NAME_BYTES];
        intervals_write_name(name, entry, text);
        errors_raise_type(call, &error, text, object, NULL);
        return -1;
    }
    if (args_read_entry(call, name, entry, object, &interval.lo) < 0) {
        return -1;
    }
    *dim = (ssop_dim){{interval.lo, interval.lo}, 0};
    return interval.lo >= 0 ? 0 : raise_negative(call, name, entry, interval.lo);
}

int
dim_read_mode(const call_context *call, PyObject *object, bool absent, bool *tight)
{
    static const char *const names[] = {"tf", "tight", NULL};
    *tight = absent;
    if (object == NULL) {
        return 0;
    }
    int choice = args_read_choice(call, "mode", object, names, SSOP_SH_C25);
    *tight = choice == 1;
    return choice < 0 ? -1 : 0;
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

PyObject *
dim_value(ssop_dim dim)
{
    return ssop_dim_is_known(dim) ? PyLong_FromLongLong(dim.value.lo) : Py_NewRef(Py_None);
}

PyObject *
dim_interval(ssop_dim dim)
{
    return is_open(dim) ? Py_BuildValue("(LO)", (long long)dim.value.lo, Py_None)
                        : Py_BuildValue("(LL)", (long long)dim.value.lo, (long long)dim.value.hi);
}

PyObject *
dim_argument(module_state *state, ssop_dim dim)
{
    bool any = dim.value.lo == 0 && is_open(dim);
    PyObject *name = any ? dim_names_name(state, dim.id) : NULL;
    return name != NULL ? Py_NewRef(name) : any || ssop_dim_is_known(dim) ? dim_value(dim) : dim_interval(dim);
}

PyObject *
dim_text(module_state *state, ssop_dim dim)
{
    PyObject *named = dim_names_text(state, dim.id);
    if (named != NULL) {
        return Py_NewRef(named);
    }
    char text[48]; /* two int64 and what is between them */
    ssop_dim_text(dim, text, sizeof text);
    return PyUnicode_FromString(text);
}

PyObject *
dim_formula(module_state *state, ssop_dim dim)
{
    bool has = ssop_dim_is_known(dim) || dim_names_text(state, dim.id) != NULL;
    return has ? dim_text(state, dim) : Py_NewRef(Py_None);
}

static PyObject *
get_value(PyObject *self, void *Py_UNUSED(closure))
{
    return dim_value(dim_of(self));
}

static PyObject *
get_interval(PyObject *self, void *Py_UNUSED(closure))
{
    return dim_interval(dim_of(self));
}

static PyObject *
get_formula(PyObject *self, void *Py_UNUSED(closure))
{
    return dim_formula(state_of_dim(self), dim_of(self));
}

static PyObject *
get_id(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLongLong(dim_of(self).id);
}

/* Gives a dim that is not known a name or a formula in place of its identity. */
static int
give_formula(const call_context *call, PyObject *formula, ssop_dim *dim)
{
    if (!is_given(formula)) {
        return 0;
    }
    if (!PyUnicode_Check(formula)) {
        const ssop_error error = {.rule = SSOP_SH_C37, .axis = -1, .entry = -1, .form = 1};
        errors_raise_type(call, &error, "formula", formula, NULL);
        return -1;
    }
    int64_t id = ssop_dim_is_known(*dim) ? 0 : dim_names_id(call->state, formula);
    dim->id = id;
    return id != 0 || ssop_dim_is_known(*dim) ? 0 : -1;
}

static PyObject *
dim_construct(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static const parameter_list parameters = {PARAMETERS(ARG_VALUE, ARG_FORMULA)};
    const call_context call = {.state = (module_state *)PyType_GetModuleState(type), .op = "Dim"};
    PyObject *found[MAX_PARAMETERS];
    if (parse_construction(&call, &parameters, args, kwargs, found) < 0) {
        return NULL;
    }
    PyObject *value = found[0] != NULL ? found[0] : Py_None, *result = NULL;
    ssop_dim dim;
    if (is_dim(value) && !is_given(found[1])) {
        result = Py_NewRef(value);
    }
    else if (dim_read(&call, "value", -1, value, &dim) == 0 && give_formula(&call, found[1], &dim) == 0) {
        result = dim_new(call.state, dim);
    }
    parse_release(&parameters, found);
    return result;
}

static PyObject *
dim_repr(PyObject *self)
{
    module_state *state = state_of_dim(self);
    const ssop_dim dim = dim_of(self);
    PyObject *argument = dim_argument(state, dim), *formula = dim_names_text(state, dim.id), *text = NULL;
    if (argument != NULL) {
        text = formula == NULL || PyUnicode_Check(argument) ? PyUnicode_FromFormat("Dim(%R)", argument)
                                                            : PyUnicode_FromFormat("Dim(%R, %R)", argument, formula);
        Py_DECREF(argument);
    }
    return text;
}

static PyObject *
dim_str(PyObject *self)
{
    return dim_text(state_of_dim(self), dim_of(self));
}

PyObject *
dim_reduction(PyObject *self, PyObject *argument)
{
    PyObject *arguments = argument != NULL ? PyTuple_Pack(1, argument) : NULL;
    PyObject *reduction = arguments != NULL ? PyTuple_Pack(2, Py_TYPE(self), arguments) : NULL;
    Py_XDECREF(arguments);
    Py_XDECREF(argument);
    return reduction;
}

static PyObject *
dim_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return dim_reduction(self, dim_argument(state_of_dim(self), dim_of(self)));
}

static PyObject *
dim_copy(PyObject *self, PyObject *Py_UNUSED(memo))
{
    return Py_NewRef(self); /* immutable, and a copy would be another number */
}

static Py_hash_t
dim_hash(PyObject *self)
{
    PyObject *interval = dim_interval(dim_of(self));
    Py_hash_t hash = interval != NULL ? PyObject_Hash(interval) : -1;
    Py_XDECREF(interval);
    return hash;
}

static PyObject *
dim_compare(PyObject *self, PyObject *other, int op)
{
    if ((op != Py_EQ && op != Py_NE) || !is_dim(other)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    return PyBool_FromLong(dim_is_equal(state_of_dim(self), dim_of(self), dim_of(other)) == (op == Py_EQ));
}

/* ---- methods ----------------------------------------------------------------------------------------------------- */

static PyObject *
dim_same_as(PyObject *self, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const parameter_list parameters = {PARAMETERS(ARG_OTHER), .required = 1};
    const call_context call = {.state = state_of_dim(self), .op = "Dim.same_as"};
    PyObject *found[MAX_PARAMETERS];
    ssop_dim other;
    if (parse_arguments(&call, &parameters, args, positional, kwnames, found) < 0 ||
        dim_read(&call, "other", -1, found[0], &other) < 0) {
        return NULL;
    }
    return PyBool_FromLong(ssop_dim_is_same(dim_of(self), other));
}

static PyObject *
dim_merge(PyObject *self, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const parameter_list parameters = {PARAMETERS(ARG_OTHER), .required = 1};
    const call_context call = {.state = state_of_dim(self), .op = "Dim.merge"};
    PyObject *found[MAX_PARAMETERS];
    ssop_dim other, merged;
    ssop_error error;
    if (parse_arguments(&call, &parameters, args, positional, kwnames, found) < 0 ||
        dim_read(&call, "other", -1, found[0], &other) < 0) {
        return NULL;
    }
    return ssop_dim_merge(inference_of(call.state, true), dim_of(self), other, &merged, &error) == SSOP_OK
             ? dim_result(call.state, merged, (PyObject *const[]){self, found[0]})
             : errors_raise(&call, &error, NULL);
}

static PyObject *
dim_with_value(PyObject *self, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const parameter_list parameters = {PARAMETERS(ARG_VALUE), .required = 1};
    const call_context call = {.state = state_of_dim(self), .op = "Dim.with_value"};
    PyObject *found[MAX_PARAMETERS];
    int64_t value;
    ssop_dim made;
    ssop_error error;
    if (parse_arguments(&call, &parameters, args, positional, kwnames, found) < 0 ||
        args_read_integer(&call, "value", found[0], &value) < 0 ||
        (value < 0 && raise_negative(&call, "value", -1, value) < 0)) {
        return NULL;
    }
    return ssop_dim_with_value(inference_of(call.state, true), dim_of(self), value, &made, &error) == SSOP_OK
             ? dim_result(call.state, made, (PyObject *const[]){self, NULL})
             : errors_raise(&call, &error, NULL);
}

/* Parses a method with the parameters other and mode. */
static int
read_other_and_mode(const call_context *call, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames,
                    PyObject **given, bool *tight)
{
    static const parameter_list parameters = {PARAMETERS(ARG_OTHER, ARG_MODE), .required = 1, .keyword_only = 1};
    PyObject *found[MAX_PARAMETERS];
    if (parse_arguments(call, &parameters, args, positional, kwnames, found) < 0) {
        return -1;
    }
    *given = found[0];
    return dim_read_mode(call, found[1], true, tight);
}

static PyObject *
dim_relax(PyObject *self, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    const call_context call = {.state = state_of_dim(self), .op = "Dim.relax"};
    PyObject *given;
    bool tight;
    ssop_dim other;
    if (read_other_and_mode(&call, args, positional, kwnames, &given, &tight) < 0 ||
        dim_read(&call, "other", -1, given, &other) < 0) {
        return NULL;
    }
    const ssop_dim relaxed = ssop_dim_relax(inference_of(call.state, tight), dim_of(self), other);
    return dim_result(call.state, relaxed, (PyObject *const[]){self, given});
}

/* ---- arithmetic -------------------------------------------------------------------------------------------------- */

/* The arguments of an operation on two dims. */
typedef struct {
    PyObject *left, *right;
    const char *left_name, *right_name; /* what messages call them */
    ssop_dim_operator operation;
    bool tight;
} dim_operands;

static PyObject *
operate(const call_context *call, const dim_operands *operands)
{
    ssop_dim left, right, result;
    ssop_error error;
    if (dim_read(call, operands->left_name, -1, operands->left, &left) < 0 ||
        dim_read(call, operands->right_name, -1, operands->right, &right) < 0) {
        return NULL;
    }
    return ssop_dim_arithmetic(inference_of(call->state, operands->tight), operands->operation, left, right, &result,
                               &error) == SSOP_OK
             ? dim_result(call->state, result, (PyObject *const[]){operands->left, operands->right})
             : errors_raise(call, &error, NULL);
}

/* A method dim.name(other, *, mode="tight") (sh_s5, sh_s6, sh_s7). */
#define ARITHMETIC_METHOD(name, which)                                                                                 \
    static PyObject *dim_##name(PyObject *self, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)       \
    {                                                                                                                  \
        const call_context call = {.state = state_of_dim(self), .op = "Dim." #name};                                   \
        dim_operands operands = {self, NULL, "self", "other", which, true};                                            \
        return read_other_and_mode(&call, args, positional, kwnames, &operands.right, &operands.tight) == 0            \
                 ? operate(&call, &operands)                                                                           \
                 : NULL;                                                                                               \
    }

ARITHMETIC_METHOD(add, SSOP_DIM_ADD)
ARITHMETIC_METHOD(subtract, SSOP_DIM_SUBTRACT)
ARITHMETIC_METHOD(multiply, SSOP_DIM_MULTIPLY)
ARITHMETIC_METHOD(minimum, SSOP_DIM_MIN)
ARITHMETIC_METHOD(maximum, SSOP_DIM_MAX)

/* A divisor that is an integer may be negative, which no dim is (sh_c15 says so). */
static int
read_divisor(const call_context *call, PyObject *object, ssop_dim *divisor)
{
    if (!is_dim(object) && PyIndex_Check(object) && !PyBool_Check(object)) {
        int result = args_read_integer(call, "other", object, &divisor->value.lo);
        divisor->value.hi = divisor->value.lo;
        divisor->id = 0;
        return result;
    }
    return dim_read(call, "other", -1, object, divisor);
}

static PyObject *
divide(const call_context *call, PyObject *left, PyObject *right, bool evenly, bool tight)
{
    ssop_dim dividend, divisor, result;
    ssop_error error;
    if (dim_read(call, "self", -1, left, &dividend) < 0 || read_divisor(call, right, &divisor) < 0) {
        return NULL;
    }
    ssop_dim_operator operation = evenly ? SSOP_DIM_DIVIDE_EVENLY : SSOP_DIM_DIVIDE;
    return ssop_dim_arithmetic(inference_of(call->state, tight), operation, dividend, divisor, &result, &error) ==
                   SSOP_OK
             ? dim_result(call->state, result, (PyObject *const[]){left, right})
             : errors_raise(call, &error, NULL);
}

static PyObject *
dim_divide(PyObject *self, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const parameter_list parameters = {PARAMETERS(ARG_OTHER, ARG_EVENLY, ARG_MODE), .required = 1,
                                              .keyword_only = 2};
    const call_context call = {.state = state_of_dim(self), .op = "Dim.divide"};
    PyObject *found[MAX_PARAMETERS];
    bool evenly, tight;
    if (parse_arguments(&call, &parameters, args, positional, kwnames, found) < 0 ||
        args_read_flag(&call, "evenly", found[1], false, &evenly) < 0 ||
        dim_read_mode(&call, found[2], true, &tight) < 0) {
        return NULL;
    }
    return divide(&call, self, found[0], evenly, tight);
}

/* What an operator takes beside a Dim. */
static bool
is_operand(PyObject *object)
{
    return is_dim(object) || object == Py_None || PyTuple_Check(object) ||
           (PyIndex_Check(object) && !PyBool_Check(object));
}

/* An operator, one side of which is a Dim. */
#define ARITHMETIC_OPERATOR(name, sign, call_it)                                                                       \
    static PyObject *dim_operator_##name(PyObject *left, PyObject *right)                                              \
    {                                                                                                                  \
        if (!is_operand(left) || !is_operand(right)) {                                                                 \
            Py_RETURN_NOTIMPLEMENTED;                                                                                  \
        }                                                                                                              \
        const call_context call = {.state = state_of_dim(is_dim(left) ? left : right), .op = "Dim " sign};             \
        return call_it;                                                                                                \
    }
#define OPERATE(which) operate(&call, &(const dim_operands){left, right, "left", "right", which, true})

ARITHMETIC_OPERATOR(add, "+", OPERATE(SSOP_DIM_ADD))
ARITHMETIC_OPERATOR(subtract, "-", OPERATE(SSOP_DIM_SUBTRACT))
ARITHMETIC_OPERATOR(multiply, "*", OPERATE(SSOP_DIM_MULTIPLY))
ARITHMETIC_OPERATOR(divide, "//", divide(&call, left, right, false, true))

static PyMethodDef dim_methods[] = {
    {"same_as", COMPAT_FASTCALL(dim_same_as), "same_as" DOC_Dim_same_as},
    {"merge", COMPAT_FASTCALL(dim_merge), "merge" DOC_Dim_merge},
    {"relax", COMPAT_FASTCALL(dim_relax), "relax" DOC_Dim_relax},
    {"with_value", COMPAT_FASTCALL(dim_with_value), "with_value" DOC_Dim_with_value},
    {"add", COMPAT_FASTCALL(dim_add), "add" DOC_Dim_add},
    {"subtract", COMPAT_FASTCALL(dim_subtract), "subtract" DOC_Dim_subtract},
    {"multiply", COMPAT_FASTCALL(dim_multiply), "multiply" DOC_Dim_multiply},
    {"divide", COMPAT_FASTCALL(dim_divide), "divide" DOC_Dim_divide},
    {"minimum", COMPAT_FASTCALL(dim_minimum), "minimum" DOC_Dim_minimum},
    {"maximum", COMPAT_FASTCALL(dim_maximum), "maximum" DOC_Dim_maximum},
    {"__reduce__", dim_reduce, METH_NOARGS, NULL},
    {"__copy__", dim_copy, METH_NOARGS, NULL},
    {"__deepcopy__", dim_copy, METH_O, "__deepcopy__" DOC_Dim___deepcopy__},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef dim_getset[] = {
    {"value", get_value, NULL, DOC_Dim_value, NULL},
    {"interval", get_interval, NULL, DOC_Dim_interval, NULL},
    {"id", get_id, NULL, DOC_Dim_id, NULL},
    {"formula", get_formula, NULL, DOC_Dim_formula, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot dim_slots[] = {
    {Py_tp_doc, "Dim" DOC_Dim},
    {Py_tp_new, dim_construct},
    {Py_tp_dealloc, dim_dealloc},
    {Py_tp_repr, dim_repr},
    {Py_tp_str, dim_str},
    {Py_tp_hash, dim_hash},
    {Py_tp_richcompare, dim_compare},
    {Py_tp_methods, dim_methods},
    {Py_tp_getset, dim_getset},
    {Py_nb_add, dim_operator_add},
    {Py_nb_subtract, dim_operator_subtract},
    {Py_nb_multiply, dim_operator_multiply},
    {Py_nb_floor_divide, dim_operator_divide},
    {0, NULL},
};

PyType_Spec ssop_dim_spec = {
    .name = "ssop.shapes.Dim",
    .basicsize = sizeof(dim_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = dim_slots,
};
