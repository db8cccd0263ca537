/* Arrays: operands in, results out, and the bytes between them. */
#include "ndarray.h"

#include "args.h"
#include "errors.h"
#include "memory.h"

/* ---- operands in ---------------------------------------------------------------------------------------------------- */

/* By the names of its classes: that needs no memory, which may be missing, and asks nothing of the object, whose __class__
 * may be code of the user's. A class that only shares the name is told apart by ssop._lazy. */
static bool
is_masked_array(PyObject *object)
{
    PyObject *classes = Py_TYPE(object)->tp_mro;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(classes); i++) {
        if (strcmp(((PyTypeObject *)PyTuple_GET_ITEM(classes, i))->tp_name, "MaskedArray") == 0) {
            return true;
        }
    }
    return false;
}

bool
ndarray_is_ours(PyObject *object)
{
    if (PyArray_CheckExact(object)) {
        return true;
    }
    if (PyArray_Check(object)) {
        return !is_masked_array(object);
    }
    return PyList_Check(object) || PyTuple_Check(object) || PyLong_Check(object) || PyFloat_Check(object) ||
           PyComplex_Check(object) || PyUnicode_Check(object) || PyBytes_Check(object) ||
           PyArray_IsScalar(object, Generic);
}

PyObject *
ndarray_leave_to_lazy(const call_context *call, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    if (call->state->lazy == NULL) {
        PyObject *lazy = PyImport_ImportModule("ssop._lazy.operations"); /* which may come through here, too */
        if (lazy == NULL) {
            return NULL;
        }
        Py_XSETREF(call->state->lazy, lazy);
    }
    char name[64]; /* "tf.slice" stands there as tf_slice */
    size_t length = 0;
    for (; call->op[length] != '\0' && length + 1 < sizeof name; length++) {
        name[length] = call->op[length] == '.' ? '_' : call->op[length];
    }
    name[length] = '\0';
    PyObject *function = PyObject_GetAttrString(call->state->lazy, name);
    if (function == NULL) {
        return NULL;
    }
    PyObject *result = PyObject_Vectorcall(function, args, (size_t)positional, kwnames);
    Py_DECREF(function);
    return result;
}

PyArrayObject *
ndarray_operand(PyObject *object)
{
    if (PyArray_Check(object)) {
        return (PyArrayObject *)Py_NewRef(object);
    }
    return (PyArrayObject *)PyArray_FROM_O(object);
}

PyArrayObject *
ndarray_value(const call_context *call, PyObject *object, PyArrayObject *target, ssop_rule dtype_rule)
{
    if (PyArray_Check(object) || PyArray_IsScalar(object, Generic)) {
        PyArrayObject *value = ndarray_operand(object);
        if (value != NULL && ndarray_check_dtype(call, value, "the array", PyArray_DESCR(target), dtype_rule) < 0) {
            Py_CLEAR(value);
        }
        return value;
    }
    PyArray_Descr *dtype = PyArray_DESCR(target);
    Py_INCREF(dtype); /* for the conversion, which steals one */
    Py_INCREF(dtype); /* for the comparison after it */
    PyArrayObject *value = (PyArrayObject *)PyArray_FromAny(object, dtype, 0, 0, NPY_ARRAY_FORCECAST, NULL);
    /* User code ran, which may have given the target another dtype. */
    if (value != NULL && PyArray_DESCR(target) != dtype &&
        ndarray_check_dtype(call, value, "the array", PyArray_DESCR(target), dtype_rule) < 0) {
        Py_CLEAR(value);
    }
    Py_DECREF(dtype);
    return value;
}

/* ---- shapes and dtypes ------------------------------------------------------------------------------------------------ */

int32_t
ndarray_dims(PyArrayObject *array, int64_t dims[SSOP_MAX_RANK])
{
    for (int axis = 0; axis < PyArray_NDIM(array); axis++) {
        dims[axis] = PyArray_DIM(array, axis);
    }
    return PyArray_NDIM(array);
}

int
ndarray_check_shape(const call_context *call, PyArrayObject *array, const char *name, int32_t rank, const int64_t *dims,
                    ssop_rule rule)
{
    bool same = PyArray_NDIM(array) == rank;
    int32_t axis = -1;
    for (int32_t i = 0; same && i < rank; i++) {
        if (PyArray_DIM(array, i) != dims[i]) {
            same = false;
            axis = i;
        }
    }
    if (same) {
        return 0;
    }
    int64_t given[SSOP_MAX_RANK];
    int32_t given_rank = ndarray_dims(array, given);
    ssop_error error = {.rule = rule, .axis = axis, .entry = -1};
    PyObject *shape = args_tuple(given_rank, given);
    if (shape != NULL) {
        errors_raise_shapes(call, &error, shape, name, (ssop_shape){given_rank, given}, (ssop_shape){rank, dims});
        Py_DECREF(shape);
    }
    return -1;
}

int
ndarray_check_dtype(const call_context *call, PyArrayObject *array, const char *name, PyArray_Descr *dtype,
                    ssop_rule rule)
{
    PyArray_Descr *given = PyArray_DESCR(array);
    if (given == dtype) {
        return 0;
    }
    Py_INCREF(given); /* comparing and formatting run user code, which may give the arrays other dtypes */
    Py_INCREF(dtype);
    bool same = PyArray_EquivTypes(given, dtype);
    if (!same) {
        ssop_error error = {.rule = rule, .axis = -1, .entry = -1};
        errors_raise_pair(call, &error, name, (PyObject *)given, (PyObject *)dtype);
    }
    Py_DECREF(dtype);
    Py_DECREF(given);
    return same ? 0 : -1;
}

/* Items that hold references, or point into a store of their own, are not plain bytes. */
bool
ndarray_moves_as_bytes(PyArray_Descr *dtype)
{
    return !PyDataType_REFCHK(dtype) && dtype->type_num != NPY_VSTRING;
}

void
ndarray_view(PyArrayObject *array, ssop_view *view)
{
    view->data = PyArray_BYTES(array);
    view->item_bytes = PyArray_ITEMSIZE(array);
    view->rank = PyArray_NDIM(array);
    for (int32_t axis = 0; axis < view->rank; axis++) {
        view->dim[axis] = PyArray_DIM(array, axis);
        view->stride[axis] = PyArray_STRIDE(array, axis);
    }
}

static int
region_view_of(const call_context *call, PyArrayObject *array, const ssop_region *region, ssop_view *view)
{
    ssop_view whole;
    ssop_error error;
    ndarray_view(array, &whole);
    if (ssop_region_view(region, &whole, view, &error) != SSOP_OK) {
        errors_raise(call, &error, NULL);
        return -1;
    }
    return 0;
}

int
ndarray_checked_view(const call_context *call, PyArrayObject *array, ssop_view *view)
{
    ssop_region whole;
    int64_t dims[SSOP_MAX_RANK];
    ssop_region_whole(&whole, (ssop_shape){ndarray_dims(array, dims), dims});
    return region_view_of(call, array, &whole, view);
}

static const char *
out_name(const call_context *call)
{
    return call->out_name != NULL ? call->out_name : "out";
}

static PyArrayObject *
as_destination(const call_context *call, PyObject *object)
{
    bool masked = PyArray_Check(object) && !PyArray_CheckExact(object) && is_masked_array(object);
    if (PyArray_Check(object) && !masked) { /* a mask would not follow the data */
        return (PyArrayObject *)object;
    }
    ssop_error error = {.rule = SSOP_OUT_C1, .axis = -1, .entry = -1};
    errors_raise_type(call, &error, out_name(call), object, NULL);
    return NULL;
}

PyArrayObject *
ndarray_writeable(const call_context *call, PyObject *object)
{
    PyArrayObject *out = as_destination(call, object);
    if (out == NULL) {
        return NULL;
    }
    ssop_error error = {.rule = SSOP_OUT_C4, .axis = -1, .entry = -1};
    if (!PyArray_ISWRITEABLE(out)) {
        errors_raise_texts(call, &error, NULL, (const char *const[]){out_name(call)});
        return NULL;
    }
    ssop_view view;
    ndarray_view(out, &view);
    if (!PyArray_IS_C_CONTIGUOUS(out) && ssop_view_overlaps_itself(&view)) {
        error.rule = SSOP_OUT_C5;
        errors_raise_texts(call, &error, NULL, (const char *const[]){out_name(call)});
        return NULL;
    }
    memory_set_warm(out);
    return out;
}

PyArrayObject *
ndarray_out(const call_context *call, PyObject *object, int32_t rank, const int64_t *dims, PyArray_Descr *dtype)
{
    PyArrayObject *out = as_destination(call, object);
    if (out == NULL || ndarray_check_shape(call, out, out_name(call), rank, dims, SSOP_OUT_C2) < 0 ||
        ndarray_check_dtype(call, out, out_name(call), dtype, SSOP_OUT_C3) < 0) {
        return NULL;
    }
    return ndarray_writeable(call, object);
}

/* ---- moving bytes --------------------------------------------------------------------------------------------------------- */

void
ndarray_packed_view(int32_t rank, const int64_t *dims, int64_t item_bytes, char *data, ssop_view *packed)
{
    packed->data = data;
    packed->item_bytes = item_bytes;
    packed->rank = rank;
    int64_t stride = item_bytes;
    for (int32_t axis = rank - 1; axis >= 0; axis--) {
        packed->dim[axis] = dims[axis];
        packed->stride[axis] = stride;
        stride *= dims[axis];
    }
}

/* The same of the shape and item size of `like`. */
static void
packed_view(const ssop_view *like, char *data, ssop_view *packed)
{
    ndarray_packed_view(like->rank, like->dim, like->item_bytes, data, packed);
}

/* `fresh`: into memory that was just allocated, and that was nobody's before. */
static int
move_view(const ssop_view *dst, const ssop_view *src, bool fresh)
{
    ssop_nest nest;
    const ssop_hints hints = {.fresh_dst = fresh};
    ssop_nest_copy(&nest, dst, src, &hints);
    return ndarray_run_nest(&nest);
}

/* As if the source had been copied first (out_s2): where they overlap, it is. */
static int
move_overlapping(const ssop_view *dst, const ssop_view *src, bool fresh)
{
    ssop_nest nest;
    ssop_nest_copy(&nest, dst, src, NULL);
    char *buffer = PyMem_RawMalloc((size_t)ssop_nest_bytes(&nest));
    if (buffer == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    ssop_view copy;
    packed_view(src, buffer, &copy);
    int result = move_view(&copy, src, true) < 0 || move_view(dst, &copy, fresh) < 0 ? -1 : 0;
    PyMem_RawFree(buffer);
    return result;
}

static int
move_safely(const ssop_view *dst, const ssop_view *src, bool fresh)
{
    switch (ssop_views_relate(dst, src)) {
    case SSOP_SAME:
        return 0;
    case SSOP_DISJOINT:
        return move_view(dst, src, fresh);
    default:
        return move_overlapping(dst, src, fresh);
    }
}

/* ---- through NumPy: references and strings ---------------------------------------------------------------------- */

PyArrayObject *
ndarray_of_view(PyArrayObject *base, const ssop_view *view)
{
    npy_intp dims[SSOP_MAX_RANK], strides[SSOP_MAX_RANK];
    for (int32_t axis = 0; axis < view->rank; axis++) {
        dims[axis] = (npy_intp)view->dim[axis];
        strides[axis] = (npy_intp)view->stride[axis];
    }
    PyArray_Descr *dtype = PyArray_DESCR(base);
    Py_INCREF(dtype);
    PyArrayObject *array = (PyArrayObject *)PyArray_NewFromDescr(
        &PyArray_Type, dtype, view->rank, dims, strides, view->data, PyArray_FLAGS(base) & NPY_ARRAY_WRITEABLE, NULL);
    if (array != NULL && PyArray_SetBaseObject(array, Py_NewRef(base)) < 0) {
        Py_CLEAR(array);
    }
    return array;
}

static PyObject *
take_by_numpy(PyArrayObject *array, const ssop_view *taken)
{
    PyArrayObject *view = ndarray_of_view(array, taken);
    PyObject *copy = view != NULL ? PyArray_NewCopy(view, NPY_CORDER) : NULL;
    Py_XDECREF(view);
    return copy;
}

static int
assign_by_numpy(PyArrayObject *dst, const ssop_view *dst_view, PyArrayObject *src, const ssop_view *src_view)
{
    ssop_relation relation = ssop_views_relate(dst_view, src_view);
    if (relation == SSOP_SAME) {
        return 0;
    }
    PyArrayObject *to = ndarray_of_view(dst, dst_view), *from = NULL;
    if (to != NULL) { /* NumPy copies first only for some overlaps: not where two steps of one sign differ */
        from =
            relation == SSOP_DISJOINT ? ndarray_of_view(src, src_view) : (PyArrayObject *)take_by_numpy(src, src_view);
    }
    int result = from != NULL ? PyArray_CopyInto(to, from) : -1;
    Py_XDECREF(from);
    Py_XDECREF(to);
    return result;
}

/* ---- results out ---------------------------------------------------------------------------------------------------------- */

/* Items of no bytes. NumPy would make S0 an S1 when it allocates, but not in memory that exists already. */
static PyArrayObject *
new_without_bytes(PyArray_Descr *dtype, int32_t rank, const npy_intp *dims)
{
    PyObject *memory = PyBytes_FromStringAndSize("", 1);
    if (memory == NULL) {
        return NULL;
    }
    Py_INCREF(dtype);
    PyArrayObject *array = (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type, dtype, rank, dims, NULL,
                                                                 PyBytes_AS_STRING(memory), NPY_ARRAY_CARRAY, NULL);
    if (array == NULL) {
        Py_DECREF(memory);
    }
    else if (PyArray_SetBaseObject(array, memory) < 0) {
        Py_CLEAR(array);
    }
    return array;
}

PyArrayObject *
ndarray_alias(PyArrayObject *array)
{
    ssop_view view;
    ndarray_view(array, &view);
    return ndarray_moves_as_bytes(PyArray_DESCR(array)) ? (PyArrayObject *)Py_NewRef(array)
                                                        : ndarray_of_view(array, &view);
}

PyArrayObject *
ndarray_new_like(PyArrayObject *like, int32_t rank, const int64_t *dims)
{
    npy_intp shape[SSOP_MAX_RANK];
    for (int32_t axis = 0; axis < rank; axis++) {
        shape[axis] = (npy_intp)dims[axis];
    }
    PyArray_Descr *dtype = PyArray_DESCR(like);
    if (PyArray_ITEMSIZE(like) == 0) {
        return new_without_bytes(dtype, rank, shape);
    }
    return memory_new_array(dtype, rank, shape);
}

PyObject *
ndarray_take(const call_context *call, PyArrayObject *array, const ssop_region *region, PyObject *out)
{
    ssop_view from, to;
    if (region_view_of(call, array, region, &from) < 0) {
        return NULL;
    }
    PyArray_Descr *dtype = PyArray_DESCR(array);
    bool by_numpy = !ndarray_moves_as_bytes(dtype);
    if (out != NULL && out != Py_None) {
        PyArrayObject *target = ndarray_out(call, out, from.rank, from.dim, dtype);
        if (target == NULL) {
            return NULL;
        }
        ndarray_view(target, &to);
        int result = by_numpy ? assign_by_numpy(target, &to, array, &from) : move_safely(&to, &from, false);
        return result < 0 ? NULL : Py_NewRef(out);
    }
    if (by_numpy) {
        return take_by_numpy(array, &from);
    }
    PyArrayObject *made = ndarray_new_like(array, from.rank, from.dim);
    if (made == NULL) {
        return NULL;
    }
    npy_intp bytes = PyArray_NBYTES(made);
    if (0 < bytes && bytes <= SSOP_SMALL_BYTES) {
        ssop_copy_small(PyArray_BYTES(made), from.data, &from);
        return (PyObject *)made;
    }
    packed_view(&from, PyArray_BYTES(made), &to);
    if (move_view(&to, &from, memory_is_fresh(made, true)) < 0) {
        Py_CLEAR(made);
    }
    return (PyObject *)made;
}

PyObject *
ndarray_take_whole(const call_context *call, PyArrayObject *array, PyObject *out)
{
    ssop_region whole;
    int64_t dims[SSOP_MAX_RANK];
    ssop_region_whole(&whole, (ssop_shape){ndarray_dims(array, dims), dims});
    return ndarray_take(call, array, &whole, out);
}

bool
ndarray_wants_detour(PyArrayObject *like, PyObject *out)
{
    return args_given(out) && !ndarray_moves_as_bytes(PyArray_DESCR(like));
}

PyObject *
ndarray_end_detour(const call_context *call, PyArrayObject *made, PyObject *out)
{
    PyObject *result = made != NULL ? ndarray_take_whole(call, made, out) : NULL;
    Py_XDECREF(made);
    return result;
}

static bool
same_dims(const ssop_view *view, int32_t rank, const int64_t *dims)
{
    bool same = view->rank == rank;
    for (int32_t axis = 0; same && axis < rank; axis++) {
        same = view->dim[axis] == dims[axis];
    }
    return same;
}

/* For a target that has neither the shape of the view nor one sweep of memory: the view goes through a copy in C order. */
static int
move_reshaped(PyArrayObject *target, PyArrayObject *array, const ssop_view *seen)
{
    PyArrayObject *copy = ndarray_new_like(array, seen->rank, seen->dim);
    if (copy == NULL) {
        return -1;
    }
    ssop_view packed, from, to;
    packed_view(seen, PyArray_BYTES(copy), &packed);
    ndarray_view(target, &to);
    ndarray_packed_view(to.rank, to.dim, to.item_bytes, PyArray_BYTES(copy), &from);
    int result = ndarray_move(copy, &packed, array, seen) < 0 || ndarray_move(target, &to, copy, &from) < 0 ? -1 : 0;
    Py_DECREF(copy);
    return result;
}

PyObject *
ndarray_take_view(const call_context *call, PyArrayObject *array, const ssop_view *seen, int32_t rank,
                  const int64_t *dims, PyObject *out)
{
    bool given = args_given(out);
    PyArrayObject *target = given
                              ? (PyArrayObject *)Py_XNewRef(ndarray_out(call, out, rank, dims, PyArray_DESCR(array)))
                              : ndarray_new_like(array, rank, dims);
    if (target == NULL) {
        return NULL;
    }
    ssop_view to;
    int result;
    if (same_dims(seen, rank, dims)) {
        ndarray_view(target, &to);
        result = ndarray_move(target, &to, array, seen);
    }
    else if (PyArray_IS_C_CONTIGUOUS(target)) {
        packed_view(seen, PyArray_BYTES(target), &to);
        result = ndarray_move(target, &to, array, seen);
    }
    else {
        result = move_reshaped(target, array, seen);
    }
    if (result < 0) {
        Py_CLEAR(target);
    }
    return (PyObject *)target;
}

int
ndarray_move(PyArrayObject *dst, const ssop_view *dst_view, PyArrayObject *src, const ssop_view *src_view)
{
    return ndarray_moves_as_bytes(PyArray_DESCR(dst)) ? move_safely(dst_view, src_view, memory_is_fresh(dst, false))
                                                      : assign_by_numpy(dst, dst_view, src, src_view);
}

int
ndarray_assign(const call_context *call, PyArrayObject *dst, const ssop_region *dst_region, PyArrayObject *src,
               const ssop_region *src_region)
{
    ssop_view to, from;
    if (region_view_of(call, dst, dst_region, &to) < 0 || region_view_of(call, src, src_region, &from) < 0) {
        return -1;
    }
    return ndarray_move(dst, &to, src, &from);
}

bool
ndarray_share_memory(PyArrayObject *a, PyArrayObject *b)
{
    ssop_view view_a, view_b;
    ndarray_view(a, &view_a);
    ndarray_view(b, &view_b);
    return ssop_views_relate(&view_a, &view_b) != SSOP_DISJOINT;
}
