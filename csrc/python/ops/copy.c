/* ssop.copy and ssop.copyto: the copy engine alone. */
#include "../checks.h"
#include "../docs.h"
#include "../move.h"
#include "../take.h"

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

const char py_copy_doc[] =
    "copy($module, /, a, *, out=None)\n--\n\n"
    "A new C-ordered copy of any strided array.\n\n" DOC_PARAMETERS
    "a : array_like, any shape, dtype and layout\n"
    "out : numpy.ndarray of the same shape and dtype, any layout, optional\n\n" DOC_NEW_OR_OUT "\n\n" DOC_RAISES
    "out_*) in SPEC.md.\n\n"
    "Source: numpy.copy with order='C'.\n\n" DOC_EXAMPLES
    ">>> ssop.copy(np.arange(6).reshape(2, 3).T)\n"
    "array([[0, 3],\n"
    "       [1, 4],\n"
    "       [2, 5]])\n";

static PyObject *
run_copyto(const operation *Py_UNUSED(op), const call_context *call, void *Py_UNUSED(arguments), call_arrays *arrays)
{
    const private_view *dst = &arrays->out.own, *src = &arrays->value;
    if (check_shape(call, dst, call->out_name, private_view_shape(src), SSOP_OUT_C2) < 0 ||
        (!arrays->value_converted && check_dtype_rule(call, src, "the array", dst->dtype, SSOP_OUT_C3) < 0) ||
        check_writeable(call, &arrays->out) < 0 || check_addressable(call, src) < 0 ||
        move_items((move_side){dst, &dst->view}, (move_side){src, &src->view}, false) < 0) {
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

const char py_copyto_doc[] =
    "copyto($module, /, dst, src)\n--\n\n"
    "Copies all of one array into another of the same shape, whatever their layouts.\n\n" DOC_PARAMETERS
    "dst : numpy.ndarray, writeable, any layout\n"
    "src : array_like of the same shape\n"
    "    An array must have the same dtype; scalars and lists are converted.\n"
    "    Where it overlaps dst, it is copied first.\n\n" DOC_RAISES
    "out_*) in SPEC.md.\n\n"
    "Source: numpy.copyto without casting and broadcasting.\n\n" DOC_EXAMPLES
    ">>> a = np.arange(5)\n"
    ">>> ssop.copyto(a[1:], a[:-1])\n"
    ">>> a\n"
    "array([0, 0, 1, 2, 3])\n";
