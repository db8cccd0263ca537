/* ssop.copy and ssop.copyto: the copy engine alone; and what it would do, for ssop.explain.copy. */
#include "../checks.h"
#include "../describe.h"
#include "../move.h"
#include "../region_op.h"

static ssop_status
resolve_whole(const void *Py_UNUSED(arguments), ssop_shape shape, ssop_region *region, ssop_error *Py_UNUSED(error))
{
    ssop_region_whole(region, shape);
    return SSOP_OK;
}

static const operation copy = {
    .name = "copy",
    .parameters = {PARAMETERS(ARG_A, ARG_OUT), .required = 1, .keyword_only = 1},
    .family = &region_family,
    .resolve.region = resolve_whole,
};

SSOP_METHOD_OF(copy, copy, char)

/* The words of copyto, to which NumPy's function of the same name has given other hopes. */
static int
check_source(const call_context *call, const private_view *src, const private_view *dst, bool converted)
{
    const ssop_error shape = {.rule = SSOP_OUT_C2, .form = 1};
    const ssop_error dtype = {.rule = SSOP_OUT_C3, .axis = -1, .entry = -1, .form = 1};
    if (!view_has_shape(&src->view, private_view_shape(dst))) {
        return raise_wrong_shape(call, src, "src", private_view_shape(dst), &shape);
    }
    return converted ? 0 : check_dtype(call, src, "src", dst->dtype, &dtype);
}

/* The checks of both functions. */
static int
check_sides(const call_context *call, const call_arrays *arrays)
{
    const private_view *dst = &arrays->out.own, *src = &arrays->value;
    return check_source(call, src, dst, arrays->value_converted) < 0 || check_writeable(call, &arrays->out) < 0 ||
                   check_addressable(call, src) < 0
             ? -1
             : 0;
}

static PyObject *
run_copyto(const operation *Py_UNUSED(op), const call_context *call, void *Py_UNUSED(arguments), call_arrays *arrays)
{
    const private_view *dst = &arrays->out.own, *src = &arrays->value;
    if (check_sides(call, arrays) < 0 ||
        move_items((move_side){dst, &dst->view}, (move_side){src, &src->view}, NULL) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
run_describe_copy(const operation *Py_UNUSED(op), const call_context *call, void *Py_UNUSED(arguments),
                  call_arrays *arrays)
{
    const private_view *dst = &arrays->out.own, *src = &arrays->value;
    return check_sides(call, arrays) < 0 ? NULL
                                         : describe_move((move_side){dst, &dst->view}, (move_side){src, &src->view});
}

static const operation_family copyto_family = {.run = run_copyto};

static const operation copyto = {
    .name = "copyto",
    .parameters = {PARAMETERS(ARG_DST, ARG_SRC), .required = 2},
    .value = 1,
    .in_place = true,
    .family = &copyto_family,
};

SSOP_METHOD_OF(copyto, copyto, char)

static const operation_family describe_copy_family = {.run = run_describe_copy};

static const operation describe_copy = {
    .name = "explain.copy",
    .parameters = {PARAMETERS(ARG_DST, ARG_SRC), .required = 2},
    .value = 1,
    .in_place = true,
    .numpy_only = true,
    .family = &describe_copy_family,
};

SSOP_METHOD_OF(describe_copy, describe_copy, char)
