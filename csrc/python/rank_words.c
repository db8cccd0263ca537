/* What each framework says about a vector of the wrong rank. */
#include "rank_words.h"

#define STRIDED "Expected begin, end, and strides to be 1D equal size tensors"
#define SIZED "Expected begin and size arguments to be 1-D tensors"

/* The rank stands between `before` and `after`, if there is an `after`. */
static const struct {
    const char *op, *name, *before, *after;
} rows[] = {
    {"strided_slice", "begin", STRIDED, NULL},
    {"strided_slice", "end", STRIDED, NULL},
    {"strided_slice", "strides", STRIDED, NULL},
    {"strided_slice_grad", "shape", "shape must be 1-D", NULL},
    {"tf.slice", "begin", SIZED, NULL},
    {"tf.slice", "size", SIZED, NULL},
    {"dynamic_slice", "start_indices", "Dynamic slice start indices of rank ", " must be rank1."},
    {"dynamic_update_slice", "start_indices", "Dynamic update slice start indices of rank ", " must be rank1."},
    {"tflite.strided_slice", "begin", "NumDimensions(op_context.begin) != 1 (", " != 1)"},
    {"tflite.strided_slice", "end", "NumDimensions(op_context.end) != 1 (", " != 1)"},
    {"tflite.strided_slice", "strides", "NumDimensions(op_context.strides) != 1 (", " != 1)"},
    {"tflite.slice", "begin", "NumDimensions(begin) != 1 (", " != 1)"},
    {"tflite.slice", "size", "NumDimensions(size) != 1 (", " != 1)"},
    {"openvino.strided_slice", "begin", "Begin input must be 1D (has rank: ", ")"},
    {"openvino.strided_slice", "end", "End input must be 1D (has rank: ", ")"},
    {"openvino.strided_slice", "strides", "Strides input must be 1D (has rank: ", ")"},
    {"openvino.slice", "start", "Slice `start` input must be a 1D tensor. Got rank: ", ""},
    {"openvino.slice", "stop", "Slice `stop` input must be a 1D tensor. Got rank: ", ""},
    {"openvino.slice", "step", "Slice `step` input must be a 1D tensor. Got rank: ", ""},
    {"openvino.slice", "axes", "Slice `axes` input must be a 1D tensor. Got rank: ", ""},
    {"onnx.slice", "starts", "Starts must be a 1-D array", NULL},
    {"onnx.slice", "ends", "Ends must be a 1-D array", NULL},
    {"onnx.slice", "axes", "Starts and axes shape mismatch", NULL},
    {"onnx.slice", "steps", "Starts and steps shape mismatch", NULL},
};

/* The functions that take a spec as strided_slice does. */
static const char *const like_strided_slice[] = {
    "tf.strided_slice",     "strided_slice_grad",          "StridedSliceSpec",
    "strided_slice_assign", "tensor_strided_slice_update", "plan"};

PyObject *
rank_words(const char *op, const char *name, int rank)
{
    const char *family = op;
    for (size_t i = 0; i < sizeof like_strided_slice / sizeof *like_strided_slice; i++) {
        family = strcmp(op, like_strided_slice[i]) == 0 ? "strided_slice" : family;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].name, name) == 0 && (strcmp(rows[i].op, op) == 0 || strcmp(rows[i].op, family) == 0)) {
            return rows[i].after == NULL ? PyUnicode_FromString(rows[i].before)
                                         : PyUnicode_FromFormat("%s%d%s", rows[i].before, rank, rows[i].after);
        }
    }
    return Py_NewRef(Py_None);
}
