"""int64's extremes, shapes beyond any memory, results too large to hold: an answer or an error, never a crash."""

import itertools

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import child
import ssop

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1
EXTREMES = [INT64_MIN, INT64_MIN + 1, -(2**62), -(2**32), -(2**31), -2, -1, 0, 1, 2, 2**31 - 1, 2**32, 2**62, INT64_MAX]
DIMS = [0, 1, 2, 5]
TOO_LARGE = (MemoryError, ValueError)


def wide(dim, item=1, rest=()):
    """An array of huge shape on one byte of memory."""
    return np.broadcast_to(np.int8(item), (dim, *rest))


# ---- extremes of the arguments ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("dim", DIMS)
def test_strided_slice_extremes_equal_numpy(dim):
    x = np.arange(dim)
    compared = 0
    for begin, end, step in itertools.product(EXTREMES, repeat=3):
        if step == 0:
            continue
        assert ssop.strided_slice(x, [begin], [end], [step]).tolist() == x[begin:end:step].tolist()
        masked = ssop.strided_slice(x, [begin], [end], [step], begin_mask=1, end_mask=1)
        assert masked.tolist() == x[::step].tolist()
        compared += 1
    assert compared >= 2500


@pytest.mark.parametrize("dim", DIMS)
def test_shrink_extremes_equal_numpy(dim):
    x = np.arange(dim)
    for begin, end in itertools.product(EXTREMES, repeat=2):
        if -dim <= begin < dim:
            assert ssop.strided_slice(x, [begin], [end], [INT64_MAX], shrink_axis_mask=1).item() == x[begin]
        else:
            with pytest.raises(ssop.SliceIndexError):
                ssop.strided_slice(x, [begin], [end], shrink_axis_mask=1)


def test_ranges_over_huge_axes_equal_python_s():
    """Regions need no data: every dim to 2^63 - 1, against Python's exact integers."""
    compared = 0
    for dim in (2**31, 2**32 + 1, 2**62, INT64_MAX - 1, INT64_MAX):
        for begin, end, step in itertools.product(EXTREMES, repeat=3):
            if step == 0:
                continue
            ((start, count, stride),) = ssop.StridedSliceSpec([begin], [end], [step]).resolve((dim,)).ranges
            expected = range(*slice(begin, end, step).indices(dim))
            length = max(0, -(-(expected.stop - expected.start) // expected.step))  # len() stops at 2^63
            canonical = (0, 0, 1) if length == 0 else (expected.start, length, expected.step if length > 1 else 1)
            assert (start, count, stride) == canonical
            compared += 1
    assert compared >= 12_000


@pytest.mark.parametrize("policy", ["clamp", "wrap", "raise"])
@pytest.mark.parametrize("allow", [False, True])
def test_window_extremes(policy, allow):
    for dim, start in itertools.product(DIMS, EXTREMES):
        x = np.arange(dim)
        for size in range(dim + 1):
            first = start + dim if allow and start < 0 else start
            keywords = {"out_of_bounds": policy, "allow_negative_indices": allow}
            if policy == "raise" and not 0 <= first <= dim - size:
                with pytest.raises(ssop.SliceIndexError) as info:
                    ssop.dynamic_slice(x, [start], [size], **keywords)
                assert (info.value.value, info.value.allowed) == (start, (0, dim - size))
                continue
            first = min(max(first, 0), dim - size) if policy == "clamp" else first
            places = [(first + i) % dim for i in range(size)]
            assert ssop.dynamic_slice(x, [start], [size], **keywords).tolist() == places
            expected = x.copy()
            expected[places] = -1
            update = np.full(size, -1)
            assert ssop.dynamic_update_slice(x, update, [start], **keywords).tolist() == expected.tolist()


def test_window_sizes_at_the_extremes():
    for size in EXTREMES:
        if size not in (0, 1, 2):
            with pytest.raises(ssop.SliceValueError) as info:
                ssop.dynamic_slice(np.arange(5), [0], [size])
            assert info.value.label == ("ds_c3" if size < 0 else "ds_c4")


def test_slice_extremes():
    x = np.arange(5)
    for start, limit, stride in itertools.product(EXTREMES, repeat=3):
        if 0 <= start <= limit <= 5 and stride > 0:
            assert ssop.slice(x, [start], [limit], [stride]).tolist() == x[start:limit:stride].tolist()
        else:
            with pytest.raises(ssop.SliceValueError) as info:
                ssop.slice(x, [start], [limit], [stride])
            assert info.value.label in ("sl_c4", "sl_c5", "sl_c6", "sl_c7")


# ---- inputs of huge shape --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dim", [2**31, 2**40, 2**62, INT64_MAX])
def test_huge_axes_without_memory(dim):
    x = wide(dim, 7)
    assert ssop.strided_slice(x, [-2], [dim]).tolist() == [7, 7]
    assert ssop.strided_slice(x, [dim - 1], [0], [-(dim // 2)]).tolist() == [7, 7] if dim % 2 else True
    assert ssop.strided_slice(x, [0], [dim], [dim - 1]).tolist() == [7, 7]
    assert ssop.strided_slice(x, [dim - 1], [0], shrink_axis_mask=1).item() == 7
    assert ssop.slice(x, [dim - 3], [dim], [2]).tolist() == [7, 7]
    assert ssop.slice(x, [dim], [dim]).shape == (0,)
    assert ssop.dynamic_slice(x, [dim - 1], [3]).tolist() == [7, 7, 7]
    assert ssop.dynamic_slice(x, [INT64_MAX], [3], out_of_bounds="wrap").tolist() == [7, 7, 7]
    assert ssop.dynamic_slice(x, [INT64_MIN], [3], allow_negative_indices=True).tolist() == [7, 7, 7]
    plan = ssop.plan(ssop.StridedSliceSpec([-2], [dim]), x.shape, x.dtype)
    assert plan(x).tolist() == [7, 7]


def test_two_huge_axes():
    x = np.broadcast_to(np.arange(3, dtype=np.int8), (2**31, 2**29, 3))
    result = ssop.strided_slice(x, [-1, 0, 9], [2**31, 2**29, -9], [1, 2**28, -1])
    assert result.tolist() == [[[2, 1, 0], [2, 1, 0]]]
    assert ssop.dynamic_slice(x, [2**31, 2**31, 1], [1, 1, 1]).tolist() == [[[1]]]


@pytest.mark.parametrize("shape", [(0, 2**62), (2**62, 0), (2**31, 0, 2**31), (0, INT64_MAX)], ids=str)
def test_empty_inputs_with_huge_dims(shape):
    """TensorFlow aborted here: begin + size overflowed on a tensor with no element."""
    x = np.empty(shape, np.int8)
    for axis, dim in enumerate(shape):
        starts = [0] * len(shape)
        starts[axis] = INT64_MAX
        assert ssop.dynamic_slice(x, starts, shape).shape == shape
        sizes = list(shape)
        sizes[axis] = min(dim, 5)
        assert ssop.dynamic_slice(x, starts, sizes, out_of_bounds="wrap").shape == tuple(sizes)
        assert ssop.dynamic_update_slice(x, np.empty(sizes, np.int8), starts).shape == shape
    assert ssop.strided_slice(x, [0], [INT64_MAX], [1]).shape == shape
    assert ssop.strided_slice(x, [INT64_MAX], [INT64_MIN], [INT64_MIN]).shape == (min(shape[0], 1), *shape[1:])
    assert ssop.slice(x, [0] * x.ndim, shape, [INT64_MAX] * x.ndim).shape == tuple(min(dim, 1) for dim in shape)


# ---- results too large -----------------------------------------------------------------------------------------------


def too_large():
    x = wide(2**62)
    yield lambda: ssop.copy(x)
    yield lambda: ssop.strided_slice(x, [0], [INT64_MAX])
    yield lambda: ssop.strided_slice(x, [0], [0], new_axis_mask=1)
    yield lambda: ssop.slice(x, [0], [2**61])
    yield lambda: ssop.dynamic_slice(x, [0], [2**60])
    yield lambda: ssop.dynamic_slice(x, [1], [2**62], out_of_bounds="wrap")
    yield lambda: ssop.dynamic_update_slice(x, np.zeros(1, np.int8), [0])
    yield lambda: ssop.plan(ssop.StridedSliceSpec([], []), x.shape, x.dtype)(x)
    for dtype in ("i8", "S1000", "V9", object, "T", "U5"):
        many = np.broadcast_to(np.zeros((), dtype), (2**44, 4))
        yield lambda many=many: ssop.copy(many)
        yield lambda many=many: ssop.strided_slice(many, [0], [2**44], [1])
        yield lambda many=many: ssop.dynamic_slice(many, [5, 0], [2**44, 4], out_of_bounds="wrap")
        yield lambda many=many: ssop.dynamic_update_slice(many, many[:1], [0, 0])


@pytest.mark.parametrize("call", [*too_large()], ids=lambda call: None)
def test_results_too_large(call):
    with pytest.raises(TOO_LARGE):
        call()


def test_an_overlap_too_large_to_buffer_leaves_everything_alone():
    """The copy that an overlap needs does not fit: MemoryError, and nothing has been written."""
    memory = np.arange(16, dtype=np.int8)
    x = np.broadcast_to(memory[:1], (2**62,))
    with pytest.raises((MemoryError, ssop.SliceError)):
        ssop.copyto(as_strided(memory, (2**62,), (1,)), x)
    assert memory.tolist() == list(range(16))


# ---- strides no memory has (mem_c1) ----------------------------------------------------------------------------------


@pytest.mark.parametrize("stride", [2**62, -(2**62), INT64_MAX, INT64_MIN, 2**61 + 1])
def test_offsets_beyond_int64(stride):
    x = as_strided(np.arange(3), (9, 3), (stride, 8))
    for call in (
        lambda: ssop.copy(x),
        lambda: ssop.strided_slice(x, [0], [9], [4]),
        lambda: ssop.strided_slice(x, [8], [0], [-1]),
        lambda: ssop.strided_slice(x, [8], [0], shrink_axis_mask=1),
        lambda: ssop.slice(x, [8, 0], [9, 1]),
        lambda: ssop.dynamic_slice(x, [8, 0], [1, 3]),
        lambda: ssop.dynamic_slice(x, [8, 0], [2, 3], out_of_bounds="wrap"),
        lambda: ssop.dynamic_update_slice(x, [[1]], [0, 0]),
        lambda: ssop.dynamic_update_slice(np.zeros((9, 9), x.dtype), x, [0, 0]),
        lambda: ssop.plan(ssop.StridedSliceSpec([], []), x.shape, x.dtype)(x),
    ):
        with pytest.raises(ssop.SliceValueError) as info:
            call()
        assert (info.value.label, info.value.axis) == ("mem_c1", 0)
    assert ssop.strided_slice(x, [0], [1]).tolist() == [[0, 1, 2]]  # what lies in memory can be had
    assert ssop.strided_slice(x, [0], [0], shrink_axis_mask=1).tolist() == [0, 1, 2]
    assert ssop.strided_slice(x, [5], [5]).shape == (0, 3)
    assert ssop.strided_slice(x, [0, 3], [9, 3]).shape == (9, 0)


def offsets_that_overflow_only_together():
    """Each axis alone stays inside int64; the last element does not."""
    from numpy.lib.stride_tricks import as_strided

    for dtype in (np.int64, object):
        memory = np.zeros(4, dtype)
        for strides in ((2**62, 2**62), (-(2**62), -(2**62) - 8)):
            x = as_strided(memory, (2, 2), strides)
            for call in (
                lambda x=x: ssop.copy(x),
                lambda x=x: ssop.strided_slice(x, [0], [2]),
                lambda x=x: ssop.slice(x, [1, 0], [2, 2]),
                lambda x=x: ssop.dynamic_slice(x, [1, 1], [1, 1]),
            ):
                try:
                    call()
                except ssop.SliceValueError as error:
                    assert error.label == "mem_c1"
                    continue
                raise AssertionError("addressed")


def test_offsets_that_overflow_only_together():
    child.run(offsets_that_overflow_only_together)


def test_out_with_strides_no_memory_has():
    for stride in (2**62, -(2**62), INT64_MAX, 2**61 + 1):
        out = as_strided(np.zeros(3, np.int8), (9,), (stride,))
        with pytest.raises(ssop.SliceValueError) as info:
            ssop.copy(np.zeros(9, np.int8), out=out)
        assert info.value.label in ("mem_c1", "out_c5")


# ---- work is bounded -------------------------------------------------------------------------------------------------


def bounded_work():
    """Each of these would take years if work went with the input's size instead of the result's."""
    huge = np.broadcast_to(np.int8(1), (2**62,))
    cube = np.broadcast_to(np.int8(1), (2**10,) * 6)
    for _ in range(1000):
        ssop.strided_slice(huge, [0], [2**62], [2**60])
        ssop.strided_slice(cube, [0] * 6, [2**10] * 6, [2**9] * 6)
        ssop.dynamic_slice(huge, [-1], [2], out_of_bounds="wrap")
        ssop.StridedSliceSpec([0], [2**62]).resolve((2**63 - 1,)).split()
        ssop.strided_slice(huge, [2**62], [2**62])


def test_work_is_bounded():
    child.run(bounded_work)


def overlaps_too_hard_to_tell():
    """Deciding an overlap is a knapsack; the search gives up instead of running on."""
    from numpy.lib.stride_tricks import as_strided

    rng = np.random.default_rng(3)
    memory = np.zeros(1 << 22, np.int8)
    for _ in range(300):
        rank = int(rng.integers(8, 30))
        strides = rng.integers(1, 100_000, rank)
        out = as_strided(memory[1 << 20 :], (2,) * rank, strides)
        try:
            ssop.copy(np.broadcast_to(np.int8(1), out.shape), out=out)
        except ssop.SliceValueError as error:
            assert error.label == "out_c5"
        except MemoryError:
            pass


def test_overlaps_too_hard_to_tell():
    child.run(overlaps_too_hard_to_tell)
