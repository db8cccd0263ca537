/* ssop.xla.pad; and its regions without data. */
#include "../args.h"
#include "../checks.h"
#include "../errors.h"
#include "../operation.h"
#include "../types/region.h"
#include "fill.h"

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct {
    Py_ssize_t count;
    int64_t low[SSOP_MAX_RANK], high[SSOP_MAX_RANK], interior[SSOP_MAX_RANK];
} pad_config;

/* One (low, high, interior) of them (pad_c7). */
static int
read_triple(const call_context *call, PyObject *object, Py_ssize_t entry, pad_config *into)
{
    int64_t triple[3];
    if (PyDict_Check(object)) { /* as JSON has it */
        const ssop_error error = {.rule = SSOP_IN_C5, .axis = -1, .entry = (int32_t)entry};
        errors_raise_type(call, &error, "an entry of padding_config", object,
                          "low, high, interior (XLA's edge_padding_low, edge_padding_high, interior_padding)");
        return -1;
    }
    Py_ssize_t length = args_read_triple(call, "padding_config", entry, object, triple);
    if (length < 0) {
        return -1;
    }
    if (length != 3) {
        const ssop_error error = {
            .rule = SSOP_PAD_C7, .axis = -1, .entry = (int32_t)entry, .value = length, .low = 3, .high = 3};
        errors_raise(call, &error, NULL);
        return -1;
    }
    into->low[entry] = triple[0];
    into->high[entry] = triple[1];
    into->interior[entry] = triple[2];
    return 0;
}

static int
read_config(const call_context *call, PyObject *object, pad_config *into)
{
    into->count = args_length(object);
    if (into->count < 0 && !PyErr_Occurred()) {
        const ssop_error error = {.rule = SSOP_IN_C5, .axis = -1, .entry = -1};
        errors_raise_type(call, &error, "padding_config", object, "(low, high, interior)");
    }
    int result = into->count < 0 ? -1 : 0;
    for (Py_ssize_t i = 0; result == 0 && i < into->count && i < SSOP_MAX_RANK; i++) {
        PyObject *item = PySequence_GetItem(object, i);
        result = item != NULL ? read_triple(call, item, i, into) : -1;
        Py_XDECREF(item);
    }
    return result;
}

static int
read_arguments(const call_context *call, PyObject *const *found, void *arguments)
{
    return read_config(call, found[2], arguments);
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

/* Where everything goes: `kept` of the operand lands at `place` in the result. */
typedef struct {
    ssop_region kept, place;
    int32_t rank;
    int64_t out_dim[SSOP_MAX_RANK];
} padding;

static ssop_status
resolve_padding(const pad_config *config, ssop_shape operand, padding *resolved, ssop_error *error)
{
    const ssop_pad_spec spec = {config->count, config->low, config->high, config->interior};
    resolved->rank = operand.rank;
    return ssop_pad_resolve(&spec, operand, &resolved->kept, &resolved->place, resolved->out_dim, error);
}

/* In XLA's order: the value's shape, the rank, the value's dtype, the numbers. */
static int
check_and_resolve(const call_context *call, const pad_config *config, const call_arrays *arrays, padding *resolved)
{
    const private_view *operand = &arrays->operand;
    ssop_error error;
    if (fill_check_value(call, "padding_value", arrays, config->count == operand->view.rank) < 0) {
        return -1;
    }
    if (resolve_padding(config, private_view_shape(operand), resolved, &error) != SSOP_OK) {
        errors_raise(call, &error, NULL);
        return -1;
    }
    return check_addressable(call, operand);
}

static PyObject *
run_pad(const operation *Py_UNUSED(op), const call_context *call, void *arguments, call_arrays *arrays)
{
    padding resolved;
    result_array result;
    if (check_and_resolve(call, arguments, arrays, &resolved) < 0 ||
        result_begin(call, &arrays->operand, (ssop_shape){resolved.rank, resolved.out_dim}, &arrays->out,
                     RESULT_IN_STEPS, &result) < 0) {
        return NULL;
    }
    return result_end(&result, fill_around(&result, &resolved.kept, &resolved.place, arrays));
}

/* ---- the operation ----------------------------------------------------------------------------------------------- */

static PyObject *
describe_pad(const operation *Py_UNUSED(op), const call_context *call, const void *arguments,
             const ssop_shape shapes[2])
{
    padding resolved;
    ssop_error error;
    if (resolve_padding(arguments, shapes[0], &resolved, &error) != SSOP_OK) {
        return errors_raise(call, &error, NULL);
    }
    PyObject *kept = region_new(call->state, &resolved.kept, shapes[0].dim);
    PyObject *place = kept != NULL ? region_new(call->state, &resolved.place, resolved.out_dim) : NULL;
    PyObject *both = place != NULL ? PyTuple_Pack(2, kept, place) : NULL;
    Py_XDECREF(place);
    Py_XDECREF(kept);
    return both;
}

static ssop_status
infer_pad(const void *call, ssop_shape shape, int32_t *rank, int64_t dims[SSOP_MAX_RANK], int8_t source[SSOP_MAX_RANK],
          ssop_error *error)
{
    const operation_call *resolved = call;
    padding made;
    ssop_status status = resolve_padding(resolved->arguments, shape, &made, error);
    *rank = status == SSOP_OK ? made.rank : 0;
    for (int32_t axis = 0; axis < *rank; axis++) {
        dims[axis] = made.out_dim[axis];
        source[axis] = (int8_t)axis;
    }
    return status;
}

static int64_t
rank_of_config(const void *arguments)
{
    return ((const pad_config *)arguments)->count;
}

static ssop_rule
rule_of_overflow(const void *Py_UNUSED(arguments))
{
    return SSOP_PAD_C5;
}

static const operation_family pad_family = {.run = run_pad, .describe = describe_pad, .infer = infer_pad};

static const operation pad = {
    .name = "xla.pad",
    .parameters = {PARAMETERS(ARG_OPERAND, ARG_PADDING_VALUE, ARG_PADDING_CONFIG, ARG_OUT), .required = 3,
                   .keyword_only = 1},
    .value = 1,
    .scalar_value = true,
    .read = read_arguments,
    .rank = rank_of_config,
    .too_large = rule_of_overflow,
    .family = &pad_family,
};

SSOP_METHODS_OF(xla_pad, xla_pad_regions, pad, pad_config)
SSOP_INFERENCE_OF(infer_xla_pad, pad, pad_config)
