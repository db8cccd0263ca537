/* StridedSlice as TFLite and OpenVINO do it: ssop.tflite.strided_slice, ssop.openvino.strided_slice. */
#include "../args.h"
#include "../docs.h"
#include "../errors.h"
#include "../options.h"
#include "../take.h"
#include "spec_args.h"

typedef struct {
    const ssop_dialect *dialect;
    ssop_spec spec;
} dialect_arguments;

static ssop_status
resolve_arguments(const void *arguments, ssop_shape shape, ssop_region *region, ssop_error *error)
{
    const dialect_arguments *given = arguments;
    return ssop_strided_slice_resolve(&given->spec, shape, given->dialect, region, NULL, error);
}

/* ---- TFLite ------------------------------------------------------------------------------------------------------------ */

static int
read_tflite(const call_context *call, PyObject *const *found, void *arguments)
{
    dialect_arguments *into = arguments;
    bool offset;
    if (args_read_flag(call, "offset", found[9], false, &offset) < 0) {
        return -1;
    }
    into->dialect = offset ? &ssop_dialect_tflite_offset : &ssop_dialect_tflite;
    return spec_args_read(call, found + 1, into->dialect, &into->spec);
}

static const operation tflite_strided_slice = {
    .name = "tflite.strided_slice",
    .parameters = {PARAMETERS(ARG_INPUT_, ARG_BEGIN, ARG_END, ARG_STRIDES, MASK_NAMES, ARG_OFFSET, ARG_OUT),
                   .required = 3, .keyword_only = 1},
    .read = read_tflite,
    .family = &region_family,
    .resolve.region = resolve_arguments,
};

SSOP_METHODS_OF(tflite_strided_slice, tflite_strided_slice_region, tflite_strided_slice, dialect_arguments)

const char py_tflite_strided_slice_doc[] =
    "strided_slice($module, /, input_, begin, end, strides=None, begin_mask=0,\n"
    "              end_mask=0, ellipsis_mask=0, new_axis_mask=0,\n"
    "              shrink_axis_mask=0, offset=False, *, out=None)\n--\n\n"
    "TFLite's StridedSlice: a slice per axis, as a new array.\n\n"
    "As ssop.strided_slice, but: a masked begin is element 0 also on a shrunk axis, a\n"
    "shrunk begin below -dim is element 0, the ellipsis covers at least one axis if\n"
    "there is one left, and entries without an axis are ignored.\n\n" DOC_PARAMETERS
    "input_ : array_like, any shape and dtype\n"
    "begin, end, strides : sequences of n <= 31 integers, in elements, as for\n"
    "    ssop.strided_slice\n"
    "begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask : int32\n"
    "offset : bool, the op's attribute: end[i] counts from the begin that is really\n"
    "    used; every axis needs an entry, and the window may not leave the axis.\n" DOC_OUT DOC_NEW_OR_OUT
    "\n\n"
    "Raises\n"
    "------\n"
    "SliceError : `label` names the rule (tfl_*, ss_c8, in_*, out_*) in SPEC.md. Where\n"
    "    TFLite leaves its output unwritten, this is an error.\n\n"
    "Source: LiteRT's StridedSlice kernel.\n\n" DOC_EXAMPLES
    ">>> x = np.arange(10, 15)\n"
    ">>> ssop.tflite.strided_slice(x, [3], [0], begin_mask=1, shrink_axis_mask=1)\n"
    "array(10)\n"
    ">>> ssop.tflite.strided_slice(x, [-4], [3], offset=True)\n"
    "array([11, 12, 13])\n";

/* ---- OpenVINO ---------------------------------------------------------------------------------------------------------- */

static int
read_mask_vectors(const call_context *call, PyObject *const *found, ssop_mask_vector masks[SSOP_MASK_VECTORS])
{
    static const char *const names[SSOP_MASK_VECTORS] = {"begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask",
                                                         "ellipsis_mask"};
    for (int m = 0; m < SSOP_MASK_VECTORS; m++) {
        masks[m].count = 0;
        if (found[m] != NULL) {
            masks[m].count = args_read_vector(call, names[m], found[m], masks[m].element, SSOP_MAX_ENTRIES);
        }
        if (masks[m].count < 0) {
            return -1;
        }
    }
    return 0;
}

static int
read_openvino(const call_context *call, PyObject *const *found, void *arguments)
{
    dialect_arguments *into = arguments;
    into->dialect = &ssop_dialect_openvino;
    ssop_mask_vector masks[SSOP_MASK_VECTORS];
    ssop_spec_counts counts;
    bool strict;
    ssop_error error;
    if (args_read_flag(call, "strict", found[9], false, &strict) < 0 ||
        spec_args_read_vectors(call, found + 1, into->dialect, &into->spec, &counts) < 0 ||
        read_mask_vectors(call, found + 4, masks) < 0) {
        return -1;
    }
    if (ssop_openvino_spec_init(&into->spec, counts, masks, strict, &error) != SSOP_OK) {
        errors_raise(call, &error, NULL);
        return -1;
    }
    return 0;
}

static const operation openvino_strided_slice = {
    .name = "openvino.strided_slice",
    .parameters = {PARAMETERS(ARG_DATA, ARG_BEGIN, ARG_END, ARG_STRIDES, ARG_BEGIN_MASK, ARG_END_MASK,
                              ARG_NEW_AXIS_MASK, ARG_SHRINK_AXIS_MASK, ARG_ELLIPSIS_MASK, ARG_STRICT, ARG_OUT),
                   .required = 3, .keyword_only = 2},
    .read = read_openvino,
    .family = &region_family,
    .resolve.region = resolve_arguments,
};

SSOP_METHODS_OF(openvino_strided_slice, openvino_strided_slice_region, openvino_strided_slice, dialect_arguments)

const char py_openvino_strided_slice_doc[] =
    "strided_slice($module, /, data, begin, end, strides=None, begin_mask=(),\n"
    "              end_mask=(), new_axis_mask=(), shrink_axis_mask=(),\n"
    "              ellipsis_mask=(), *, strict=False, out=None)\n--\n\n"
    "OpenVINO's StridedSlice-1: a slice per axis, as a new array.\n\n"
    "As ssop.strided_slice, but for its mask vectors and: a begin below -dim with a\n"
    "negative stride is element 0, and strides of shrunk entries are ignored.\n\n" DOC_PARAMETERS
    "data : array_like, any shape and dtype\n"
    "begin, end, strides : sequences of n <= 128 integers, in elements, as for\n"
    "    ssop.strided_slice\n"
    "begin_mask, end_mask, new_axis_mask, shrink_axis_mask, ellipsis_mask : sequences\n"
    "    of 0 and 1, of any length: missing elements are 0, those past n are ignored.\n"
    "    1 in begin_mask or end_mask means that the bound is ignored.\n"
    "strict : bool, ask for what the operation's validation asks for: masks that are\n"
    "    not empty are as long as begin_mask, and one ellipsis in all.\n" DOC_OUT DOC_NEW_OR_OUT "\n\n" DOC_RAISES
    "ov_*, ss_c8, in_*, out_*) in SPEC.md.\n\n"
    "Source: OpenVINO's document of StridedSlice-1; where that contradicts the\n"
    "implementations, its shape inference and slice plan.\n\n" DOC_EXAMPLES
    ">>> x = np.arange(12).reshape(3, 4)\n"
    ">>> ssop.openvino.strided_slice(x, [1, 0], [0, 0], [1, -2], end_mask=[1, 1], begin_mask=[0, 1])\n"
    "array([[ 7,  5],\n"
    "       [11,  9]])\n";
