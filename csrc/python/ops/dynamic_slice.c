/* ssop.dynamic_slice, and its regions without data. */
#include "../args.h"
#include "../docs.h"
#include "window.h"
#include "window_args.h"

typedef struct {
    window_arguments window;
    args_list size;
} dynamic_slice_arguments;

static int
read_arguments(const call_context *call, PyObject *const *found, void *arguments)
{
    dynamic_slice_arguments *into = arguments;
    return window_args_read(call, found[1], found[3], found[4], &into->window) < 0
             ? -1
             : args_read_list(call, "slice_sizes", found[2], SSOP_MAX_RANK, &into->size);
}

static ssop_status
resolve_window(const void *arguments, ssop_shape operand, ssop_shape Py_UNUSED(update), placed_window *placed,
               ssop_error *error)
{
    const dynamic_slice_arguments *given = arguments;
    ssop_window_spec spec = given->window.spec;
    spec.size = given->size.list;
    spec.size_count = given->size.count;
    placed->missing_axis = -1;
    return ssop_dynamic_slice_resolve(&spec, operand, &placed->window, error);
}

static const operation dynamic_slice = {
    .name = "dynamic_slice",
    .parameters = {PARAMETERS(ARG_OPERAND, ARG_START_INDICES, ARG_SLICE_SIZES, ARG_OUT_OF_BOUNDS,
                              ARG_ALLOW_NEGATIVE_INDICES, ARG_OUT),
                   .required = 3, .keyword_only = 3},
    .read = read_arguments,
    .family = &window_family,
    .resolve.window = resolve_window,
};

SSOP_METHODS_OF(dynamic_slice, dynamic_slice_regions, dynamic_slice, dynamic_slice_arguments)

const char py_dynamic_slice_doc[] =
    "dynamic_slice($module, /, operand, start_indices, slice_sizes, *,\n"
    "              out_of_bounds='clamp', allow_negative_indices=False, out=None)\n--\n\n"
    "XLA's DynamicSlice: a window of fixed size, as a new array.\n\n" DOC_PARAMETERS
    "operand : array_like, any shape and dtype\n"
    "start_indices : sequence of one integer per axis, in elements\n"
    "slice_sizes : sequence of one integer per axis, 0 <= size <= dim\n"
    "out_of_bounds : what happens to a window that does not fit\n"
    "    'clamp' moves it inside (XLA), 'wrap' takes element (start + i) mod dim\n"
    "    (XLA before May 2018), 'raise' raises SliceIndexError.\n"
    "allow_negative_indices : bool, or one bool per axis\n"
    "    A negative start has the dim added once, first (JAX's default).\n"
    "out : numpy.ndarray of shape slice_sizes and the operand's dtype, optional\n\n" DOC_RETURNS
    "numpy.ndarray : new, C-ordered, of shape slice_sizes; or `out`.\n\n" DOC_RAISES
    "ds_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: XLA's Operation Semantics; StableHLO `dynamic_slice`.\n\n" DOC_EXAMPLES
    ">>> ssop.dynamic_slice(np.arange(8), [6], [4])\n"
    "array([4, 5, 6, 7])\n"
    ">>> ssop.dynamic_slice(np.arange(8), [6], [4], out_of_bounds='wrap')\n"
    "array([6, 7, 0, 1])\n";
