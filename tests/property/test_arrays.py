"""Arrays of every layout and dtype, in and out: bytes are moved, never interpreted, and nothing else is touched."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import ssop
from property.calls import POLICIES, answer, assert_same, call, contents, counting, label, with_shape
from ssop.testing import strategies as slicing
from ssop.testing.arrays import items


def arrays_of_any_dtype(shape):
    return slicing.dtypes().flatmap(lambda dtype: slicing.arrays(shape, dtype))


def taken(x, spec):
    """What NumPy takes, item by item as bare bytes."""
    return items(x)[(..., *spec.to_index(x.shape))]


@given(with_shape(slicing.specs, *[arrays_of_any_dtype] * 3))
def test_bytes_and_dtype_stay(case):
    _, spec, *inputs = case
    for x in inputs:
        got = call(spec, x)
        assert got.dtype is x.dtype
        assert got.shape == taken(x, spec).shape
        assert contents(got) == taken(x, spec).tobytes()


@given(
    with_shape(
        lambda shape: slicing.arrays(shape, "i1"),
        lambda shape: slicing.arrays(shape, "i1", writeable=True),
        min_rank=5,
        max_rank=64,
        max_dim=2,
        max_size=64,
    )
)
def test_layouts_of_every_rank(case):
    _, src, dst = case
    call(ssop.copyto, dst, src)
    assert_same(dst, src)
    assert_same(call(ssop.copy, src), src)


@given(with_shape(slicing.specs, lambda shape: st.tuples(*map(slicing.bounds, shape))))
def test_strides_of_empty_and_unit_axes_do_not_matter(case):
    shape, spec, strides = case
    x = counting(shape)
    free = [dim == 1 or 0 in shape for dim in shape]
    strides = [wild if any_ else own for wild, own, any_ in zip(strides, x.strides, free, strict=True)]
    odd = np.lib.stride_tricks.as_strided(x, shape, strides)
    assert_same(spec(odd), spec(x))


@given(with_shape(slicing.specs, arrays_of_any_dtype))
def test_results_are_new_c_ordered_base_arrays(case):
    _, spec, x = case
    rank = x.ndim
    results = [
        call(spec, x),
        call(ssop.slice, x, [0] * rank, x.shape),
        call(ssop.dynamic_slice, x, [0] * rank, x.shape),
        call(ssop.dynamic_slice, x, [1] * rank, x.shape, out_of_bounds="wrap"),
        call(ssop.dynamic_update_slice, x, x, [0] * rank),
        call(ssop.plan(spec, x.shape, x.dtype), x),
        call(ssop.copy, x),
    ]
    for got in results:
        assert type(got) is np.ndarray and got.dtype is x.dtype
        assert got.flags.c_contiguous and got.flags.aligned and got.flags.writeable
        assert got.flags.owndata or not got.itemsize
        assert not np.may_share_memory(got, x)


@given(with_shape(slicing.specs, slicing.dynamic_slices, arrays_of_any_dtype), st.sampled_from(("clamp", "wrap")))
def test_inputs_stay_as_they_are(case, policy):
    _, spec, (starts, sizes), x = case
    before, flags = contents(x), str(x.flags)
    call(spec, x)
    call(ssop.copy, x)
    update = call(ssop.dynamic_slice, x, starts, sizes, out_of_bounds=policy)
    update_before = contents(update)
    call(ssop.dynamic_update_slice, x, update, starts, out_of_bounds=policy)
    assert (contents(x), str(x.flags), contents(update)) == (before, flags, update_before)


SPECIAL = (0, 1, 2**63, 0x7FF0000000000001, 0xFFF8DEADBEEF0001, 0x7F800001FFC00001, 0x8000000080000000, 2**64 - 1)


@given(
    st.lists(st.one_of(st.sampled_from(SPECIAL), st.integers(0, 2**64 - 1)), max_size=8),
    st.sampled_from(("f2", "f4", ">f8", "c8", "c16", "?", "M8[s]", "U1", "g")),
    st.data(),
)
def test_no_bit_is_interpreted(patterns, dtype, data):
    """Signalling NaNs, payloads, -0.0, NaT, booleans that are neither 0 nor 1."""
    bits = np.array(patterns * 2, np.uint64)  # 16 bytes for the widest of the dtypes
    x = bits.view(dtype)
    spec = data.draw(slicing.specs(x.shape))
    assert contents(call(spec, x)) == taken(x, spec).tobytes()


@st.composite
def with_result(draw):
    """A spec, and within one memory its input and a place for its result: `(memory, spec, x, out)`."""
    shape = draw(slicing.shapes(max_size=60))
    spec = draw(slicing.specs(shape))
    dtype = draw(slicing.dtypes())
    memory, x, out = draw(slicing.overlapping_arrays(shape, spec.resolve(shape).shape, dtype=dtype))
    return memory, spec, x, out


def assert_only_writes(memory, before, out, expected):
    """Only the items of `out` were written, with `expected`; the rest of the memory is as `before`."""
    if out.dtype.itemsize and out.size:
        start = out.ctypes.data - memory.ctypes.data
        np.ndarray(out.shape, expected.dtype, before, start, out.strides)[...] = expected
    assert memory.tobytes() == before.tobytes()


@given(with_result())
def test_out_that_overlaps_the_input(case):
    memory, spec, x, out = case
    before, expected = memory.copy(), taken(x, spec).copy()
    assert call(spec, x, out=out) is out
    assert_only_writes(memory, before, out, expected)


@given(
    with_shape(
        lambda shape: slicing.dtypes().flatmap(lambda dtype: slicing.overlapping_arrays(shape, shape, dtype=dtype)),
        max_size=60,
    ),
    st.booleans(),
)
def test_copies_that_overlap(case, into):
    _, (memory, src, dst) = case
    before, expected = memory.copy(), items(src).copy()
    if into:
        assert call(ssop.copyto, dst, src) is None
    else:
        assert call(ssop.copy, src, out=dst) is dst
    assert_only_writes(memory, before, dst, expected)


@st.composite
def windows(draw):
    """`(starts, sizes, memory, operand, window, result)`: arrays in the memory, the result of the operand's shape."""
    shape = draw(slicing.shapes(max_size=60))
    starts, sizes = draw(slicing.dynamic_slices(shape))
    dtype = draw(slicing.dtypes())
    return starts, sizes, *draw(slicing.overlapping_arrays(shape, sizes, shape, dtype=dtype))


@given(windows(), st.sampled_from(("clamp", "wrap")))
def test_a_window_that_overlaps_the_operand(case, policy):
    starts, sizes, memory, operand, window, _ = case
    places = ssop.dynamic_slice(counting(operand.shape), starts, sizes, out_of_bounds=policy)
    before, expected = memory.copy(), items(operand).ravel()[places]
    assert call(ssop.dynamic_slice, operand, starts, sizes, out_of_bounds=policy, out=window) is window
    assert_only_writes(memory, before, window, expected)


@given(windows(), st.sampled_from(("clamp", "wrap")), st.booleans())
def test_an_update_that_overlaps_everything(case, policy, in_place):
    starts, sizes, memory, operand, update, result = case
    result = operand if in_place else result
    places = ssop.dynamic_slice(counting(operand.shape), starts, sizes, out_of_bounds=policy)
    before, expected = memory.copy(), items(operand).flatten()
    expected[places] = items(update)
    got = call(ssop.dynamic_update_slice, operand, update, starts, out_of_bounds=policy, out=result)
    assert got is result
    assert_only_writes(memory, before, result, expected.reshape(operand.shape))


def spoiled(out, memory, fault, place):
    """An array that cannot be `out`, and what its rejection says."""
    axis = place % max(out.ndim, 1)
    if fault == "dim" and out.ndim:
        shape = tuple(dim + (i == axis) for i, dim in enumerate(out.shape))
        return np.zeros(shape, out.dtype), ("out_c2", axis, None, shape, None)
    if fault == "dtype":
        other = np.dtype("f8" if out.dtype == "i4" else "i4")
        return np.zeros(out.shape, other), ("out_c3", None, None, other, None)
    if fault == "read-only":
        out.flags.writeable = False
        return out, ("out_c4", None, None, None, None)
    if fault == "repeated" and out.size > 1 and out.dtype.itemsize:
        return np.ndarray(out.shape, out.dtype, memory, 0, [0] * out.ndim), ("out_c5", None, None, None, None)
    return out[None], ("out_c2", None, None, (1, *out.shape), None)


@given(
    with_result(),
    st.sampled_from(("rank", "dim", "dtype", "read-only", "repeated")),
    st.integers(0, 100),
    st.booleans(),
)
def test_a_rejected_out_changes_nothing(case, fault, place, planned):
    memory, spec, x, out = case
    out, expected = spoiled(out, memory, fault, place)
    before = memory.tobytes(), contents(out)
    assert answer(ssop.plan(spec, x.shape, x.dtype) if planned else spec, x, out=out) == expected
    assert (memory.tobytes(), contents(out)) == before


@st.composite
def illegal_calls(draw):
    """A memory, and three calls on arrays in it, of which few are legal: `(memory, calls)`."""
    shape = draw(slicing.shapes(max_size=60))
    starts, sizes = draw(slicing.dynamic_slices(shape, legal=False))
    spec, policy = draw(slicing.specs(shape, legal=False)), {"out_of_bounds": draw(st.sampled_from(POLICIES))}
    update_shape = [max(size, 0) for size in sizes]
    memory, x, update, out = draw(slicing.overlapping_arrays(shape, update_shape, shape))
    return memory, [
        (spec, (x,), {"out": out}),
        (ssop.dynamic_slice, (x, starts, sizes), {**policy, "out": out}),
        (ssop.dynamic_update_slice, (x, update, starts), {**policy, "out": out}),
    ]


@given(illegal_calls())
def test_errors_change_nothing(case):
    memory, calls = case
    before = memory.copy()
    for function, arguments, options in calls:
        if label(function, *arguments, **options) is None:
            memory[...] = before
        assert memory.tobytes() == before.tobytes()


def references(dtype):
    """Objects of their own kind for every item: strings, short and long, in lists where the dtype says so."""

    def make(shape):
        texts = [f"{number} " * (number % 4 * 10) for number in range(np.prod(shape, dtype=int))]
        values = [[text] for text in texts] if dtype.char == "O" else texts
        if dtype.names:
            values = list(zip(range(len(texts)), values, strict=True))
        x = np.empty(len(texts), dtype)
        for i, value in enumerate(values):
            x[i] = value
        return x.reshape(shape)

    return make


REFERENCE_DTYPES = (np.dtype(object), np.dtypes.StringDType(), np.dtype([("n", "i2"), ("o", object)]))


@given(with_shape(slicing.specs, lambda shape: slicing.layouts()), st.sampled_from(REFERENCE_DTYPES), slicing.layouts())
def test_references_and_strings_move_as_numpy_moves_them(case, dtype, out_layout):
    shape, spec, layout = case
    x = layout.view(references(dtype), shape)
    expected = x[(..., *spec.to_index(shape))]
    got = call(spec, x)
    assert got.dtype == dtype and got.shape == expected.shape
    assert got.tolist() == expected.tolist()
    out = out_layout.view(lambda dims: np.empty(dims, dtype), expected.shape)
    assert call(spec, x, out=out) is out
    assert out.tolist() == expected.tolist()


@given(
    with_shape(slicing.dynamic_slices, lambda shape: slicing.layouts()),
    st.sampled_from(REFERENCE_DTYPES),
    st.sampled_from(("clamp", "wrap")),
)
def test_windows_of_references_and_strings(case, dtype, policy):
    shape, (starts, sizes), layout = case
    x = layout.view(references(dtype), shape)
    places = ssop.dynamic_slice(counting(shape), starts, sizes, out_of_bounds=policy)
    window = call(ssop.dynamic_slice, x, starts, sizes, out_of_bounds=policy)
    assert window.tolist() == x.ravel()[places.ravel()].reshape(sizes).tolist()
    again = call(ssop.dynamic_update_slice, np.empty_like(x), window, starts, out_of_bounds=policy)
    assert again.ravel()[places.ravel()].tolist() == window.ravel().tolist()


@given(with_shape(slicing.specs, max_size=60))
def test_lists_become_arrays_as_numpy_makes_them(case):
    shape, spec = case
    nested = counting(shape).tolist()
    assert answer(spec, nested) == answer(spec, np.asarray(nested))


@given(with_shape(slicing.specs, max_size=60), st.integers(0, 2**60 - 1))
def test_masked_arrays_keep_their_mask(case, bits):
    shape, spec = case
    hidden = (bits >> counting(shape)) % 2 == 1
    x = np.ma.array(counting(shape), mask=hidden)
    got = call(spec, x)
    assert isinstance(got, np.ma.MaskedArray) and not np.may_share_memory(got, x)
    assert_same(got.data, call(spec, x.data))
    assert_same(np.ma.getmaskarray(got), call(spec, np.asarray(hidden)))
