/* ssop.dynamic_update_slice, and its regions without data. */
#include "../docs.h"
#include "window.h"
#include "window_args.h"

static int
read_arguments(const call_context *call, PyObject *const *found, void *arguments)
{
    return window_args_read(call, found[2], found[3], found[4], arguments);
}

/* The window has the update's shape. */
static ssop_status
resolve_window(const void *arguments, ssop_shape operand, ssop_shape update, placed_window *placed, ssop_error *error)
{
    ssop_window_spec spec = ((const window_arguments *)arguments)->spec;
    spec.size = update.dim;
    spec.size_count = update.rank;
    placed->missing_axis = -1;
    return ssop_dynamic_update_slice_resolve(&spec, operand, &placed->window, error);
}

static const operation dynamic_update_slice = {
    .name = "dynamic_update_slice",
    .parameters = {PARAMETERS(ARG_OPERAND, ARG_UPDATE, ARG_START_INDICES, ARG_OUT_OF_BOUNDS, ARG_ALLOW_NEGATIVE_INDICES,
                              ARG_OUT),
                   .required = 3, .keyword_only = 3},
    .value = 1,
    .read = read_arguments,
    .family = &window_update_family,
    .resolve.window = resolve_window,
};

SSOP_METHODS_OF(dynamic_update_slice, dynamic_update_slice_regions, dynamic_update_slice, window_arguments)

const char py_dynamic_update_slice_doc[] =
    "dynamic_update_slice($module, /, operand, update, start_indices, *,\n"
    "                     out_of_bounds='clamp', allow_negative_indices=False,\n"
    "                     out=None)\n--\n\n"
    "XLA's DynamicUpdateSlice: the operand with a window replaced, as a new array.\n\n" DOC_PARAMETERS
    "operand : array_like, any shape and dtype\n"
    "update : array_like of the operand's rank, nowhere larger than it\n"
    "    An array must have the operand's dtype; scalars and lists are converted.\n"
    "start_indices : sequence of one integer per axis, in elements\n"
    "out_of_bounds, allow_negative_indices : as for dynamic_slice\n"
    "out : numpy.ndarray of the operand's shape and dtype, optional\n"
    "    May be the operand itself: then only the window is written.\n\n" DOC_RETURNS
    "numpy.ndarray : new, C-ordered, of the operand's shape; or `out`.\n\n" DOC_RAISES
    "dus_*, ds_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: XLA's Operation Semantics; StableHLO `dynamic_update_slice`.\n\n" DOC_EXAMPLES
    ">>> ssop.dynamic_update_slice(np.zeros((2, 4), int), [[1, 2]], [1, 9])\n"
    "array([[0, 0, 0, 0],\n"
    "       [0, 0, 1, 2]])\n";
