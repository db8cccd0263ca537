/* ssop.copy and ssop.copyto: the copy engine alone. */
#include "../checks.h"
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

static PyObject *
run_copyto(const operation *Py_UNUSED(op), const call_context *call, void *Py_UNUSED(arguments), call_arrays *arrays)
{
    const private_view *dst = &arrays->out.own, *src = &arrays->value;
    if (check_shape(call, dst, call->out_name, private_view_shape(src), SSOP_OUT_C2) < 0 ||
        (!arrays->value_converted && check_dtype_rule(call, src, "the array", dst->dtype, SSOP_OUT_C3) < 0) ||
        check_writeable(call, &arrays->out) < 0 || check_addressable(call, src) < 0 ||
        move_items((move_side){dst, &dst->view}, (move_side){src, &src->view}, NULL) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
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
