/* The Plan type: a strided slice resolved once for a shape and a dtype, run many times. */
#include "plan.h"

#include "../args.h"
#include "../checks.h"
#include "../errors.h"
#include "../memory.h"
#include "../ops/spec_args.h"
#include "../operation_path.h"
#include "../result.h"
#include "../run.h"
#include "docstrings.h"
#include "region.h"

typedef struct {
    PyObject_HEAD vectorcallfunc vectorcall;
    module_state *state; /* of the module, which the type keeps alive */
    PyArray_Descr *dtype;
    PyObject *region_object; /* what .region gives */
    ssop_region region;
    int32_t rank;
    int64_t dims[SSOP_MAX_RANK];
    /* For C-ordered inputs and new results the loop nest is known but for two addresses. */
    int64_t out_dims[SSOP_MAX_RANK];
    ssop_view seen; /* of the input, wherever that is */
    ssop_nest_room nest;
    int64_t src_offset_bytes, bytes;
    bool nest_ready;
} plan_object;

/* Builds the nest as if the input stood at `origin`; only distances are kept. */
static int
prepare_nest(const call_context *call, plan_object *plan)
{
    static char origin;
    int64_t item_bytes = PyDataType_ELSIZE(plan->dtype);
    ssop_view input = {.data = &origin, .item_bytes = item_bytes, .rank = plan->rank}, from, to;
    int64_t stride = item_bytes;
    for (int32_t axis = plan->rank - 1; axis >= 0; axis--) {
        input.dim[axis] = plan->dims[axis];
        input.stride[axis] = stride;
        /* Shapes too large for memory get no nest: they have no input either. */
        if (plan->dims[axis] > 0 && stride > INT64_MAX / plan->dims[axis]) {
            return 0;
        }
        stride *= plan->dims[axis] > 0 ? plan->dims[axis] : 1;
    }
    ssop_error error;
    if (ssop_region_view(&plan->region, &input, &from, &error) != SSOP_OK) {
        errors_raise(call, &error, NULL);
        return -1;
    }
    plan->src_offset_bytes = from.data - &origin;
    plan->seen = from;
    plan->bytes = ssop_region_is_empty(&plan->region) ? 0 : item_bytes;
    to = (ssop_view){.data = &origin, .item_bytes = item_bytes, .rank = from.rank};
    stride = item_bytes;
    for (int32_t axis = from.rank - 1; axis >= 0; axis--) {
        plan->out_dims[axis] = to.dim[axis] = from.dim[axis];
        to.stride[axis] = stride;
        stride *= from.dim[axis];
        plan->bytes *= from.dim[axis];
    }
    /* A C-ordered destination is never flipped: the addresses stay. */
    ssop_nest_copy(ssop_nest_in(&plan->nest), &to, &from, NULL);
    plan->nest_ready = dtype_moves_as_bytes(plan->dtype) && item_bytes > 0;
    return 0;
}

/* Not inlined, so that copies of few bytes need no room for a nest. */
static SSOP_NOINLINE int
run_prepared_nest(const plan_object *plan, PyArrayObject *result, const char *src)
{
    ssop_nest_room room = plan->nest; /* others may run the plan at the same time */
    const ssop_hints hints = {.fresh_dst = memory_is_fresh(result)};
    ssop_nest *nest = ssop_nest_in(&room);
    ssop_nest_rebase(nest, PyArray_BYTES(result), src, &hints);
    return run_nest(nest);
}

static inline PyObject *
run_prepared(const plan_object *plan, const private_view *input)
{
    PyArrayObject *result =
        memory_new_array(plan->dtype, plan->seen.item_bytes, (ssop_shape){plan->region.out_rank, plan->out_dims});
    if (result == NULL) {
        return NULL;
    }
    const char *src = input->view.data + plan->src_offset_bytes;
    if (ssop_is_small(plan->bytes)) {
        ssop_copy_small(PyArray_BYTES(result), src, &plan->seen);
    }
    else if (run_prepared_nest(plan, result, src) < 0) {
        Py_CLEAR(result);
    }
    return (PyObject *)result;
}

static inline PyObject *
run_plan(const operation *Py_UNUSED(op), const call_context *call, void *arguments, call_arrays *arrays)
{
    plan_object *plan = arguments;
    const private_view *input = &arrays->operand;
    if (check_shape(call, input, "the array", (ssop_shape){plan->rank, plan->dims}, SSOP_PL_C1) < 0 ||
        check_dtype_rule(call, input, "the array", plan->dtype, SSOP_PL_C2) < 0) {
        return NULL;
    }
    /* The dtype may hold references that it did not hold when the plan was made: numpy.dtype.__setstate__. */
    return arrays->out.object == NULL && plan->nest_ready && input->c_order && private_view_moves_as_bytes(input)
             ? run_prepared(plan, input)
             : result_copy_region(call, input, &plan->region, &arrays->out);
}

static PyObject *
plan_call(PyObject *self, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    static const operation_family plan_family = {.run = run_plan};
    static const operation run = {
        .name = "Plan",
        .parameters = {PARAMETERS(ARG_INPUT_, ARG_OUT), .required = 1},
        .numpy_only = true, /* a plan is for NumPy arrays: those of other libraries would be converted */
        .family = &plan_family,
    };
    return operation_path(&run, self, ((plan_object *)self)->state, args, PyVectorcall_NARGS(nargsf), kwnames);
}

/* Made only when no more user code runs, so that user code cannot find an incomplete plan. */
static SSOP_NOINLINE PyObject *
plan_new(const call_context *call, PyTypeObject *type, PyArray_Descr *dtype, const ssop_spec *spec, int32_t rank,
         const int64_t *dims)
{
    ssop_region region;
    ssop_error error;
    if (ssop_strided_slice_resolve(spec, (ssop_shape){rank, dims}, &ssop_dialect_tensorflow, &region, NULL, &error) !=
        SSOP_OK) {
        return errors_raise(call, &error, NULL);
    }
    PyObject *described = region_new(call->state, &region, dims);
    plan_object *plan = described != NULL ? (plan_object *)type->tp_alloc(type, 0) : NULL;
    if (plan == NULL) {
        Py_XDECREF(described);
        return NULL;
    }
    plan->vectorcall = plan_call;
    plan->state = call->state;
    plan->dtype = (PyArray_Descr *)Py_NewRef(dtype);
    plan->region_object = described;
    plan->region = region;
    plan->rank = rank;
    memcpy(plan->dims, dims, (size_t)rank * sizeof *dims);
    if (prepare_nest(call, plan) < 0) {
        Py_CLEAR(plan);
    }
    return (PyObject *)plan;
}

static PyObject *
construct_of(const call_context *call, PyTypeObject *type, PyObject *const *found)
{
    PyArray_Descr *dtype = NULL;
    if (nested_lists_to_dtype(found[1], &dtype) < 0) {
        return NULL;
    }
    ssop_spec spec;
    int64_t dims[SSOP_MAX_RANK];
    int32_t rank = spec_args_read(call, found + 2, &ssop_dialect_tensorflow, &spec) < 0
                     ? -1
                     : args_read_shape(call, "shape", found[0], dims);
    PyObject *plan = rank < 0 ? NULL : plan_new(call, type, dtype, &spec, rank, dims);
    Py_DECREF(dtype);
    return plan;
}

static PyObject *
plan_construct(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static const parameter_list parameters = {
        PARAMETERS(ARG_SHAPE, ARG_DTYPE, ARG_BEGIN, ARG_END, ARG_STRIDES, MASK_NAMES), .required = 4};
    const call_context call = {.state = (module_state *)PyType_GetModuleState(type), .op = "plan"};
    PyObject *found[MAX_PARAMETERS];
    if (parse_construction(&call, &parameters, args, kwargs, found) < 0) {
        return NULL;
    }
    PyObject *plan = construct_of(&call, type, found);
    parse_release(&parameters, found);
    return plan;
}

static int
plan_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((plan_object *)self)->dtype);
    return 0;
}

static void
plan_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    Py_XDECREF(((plan_object *)self)->dtype);
    Py_XDECREF(((plan_object *)self)->region_object);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *
plan_get_dtype(PyObject *self, void *Py_UNUSED(closure))
{
    return Py_NewRef(((plan_object *)self)->dtype);
}

static PyObject *
plan_get_region(PyObject *self, void *Py_UNUSED(closure))
{
    return Py_NewRef(((plan_object *)self)->region_object);
}

static PyObject *
plan_repr(PyObject *self)
{
    const plan_object *plan = (plan_object *)self;
    return PyUnicode_FromFormat("<ssop.Plan of %R on %R>", plan->region_object, plan->dtype);
}

static PyGetSetDef plan_getset[] = {
    {"dtype", plan_get_dtype, NULL, DOC_Plan_dtype, NULL},
    {"region", plan_get_region, NULL, DOC_Plan_region, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMemberDef plan_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(plan_object, vectorcall), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot plan_slots[] = {
    {Py_tp_doc, "Plan" DOC_Plan},    {Py_tp_new, plan_construct},     {Py_tp_dealloc, plan_dealloc},
    {Py_tp_traverse, plan_traverse}, {Py_tp_call, PyVectorcall_Call}, {Py_tp_repr, plan_repr},
    {Py_tp_getset, plan_getset},     {Py_tp_members, plan_members},   {0, NULL},
};

PyType_Spec ssop_plan_spec = {
    .name = "ssop.Plan",
    .basicsize = sizeof(plan_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
    .slots = plan_slots,
};
