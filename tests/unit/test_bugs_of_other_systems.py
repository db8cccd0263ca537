"""Bugs that other systems had in these operations: one test each, named after the issue or advisory."""

import itertools
import mmap
import sys

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import child
import ssop

INT32_MAX, INT64_MIN, INT64_MAX = 2**31 - 1, -(2**63), 2**63 - 1


# ---- TensorFlow and TFLite -------------------------------------------------------------------------------------------


def every_mask():
    """Two entries, every pattern of five two-bit masks with bits beyond, against ranks 0 to 3."""
    from itertools import product

    ended = 0
    for rank in range(4):
        x = np.zeros((3,) * rank, np.int8)
        for masks in product((0, 1, 2, 3, 4, -(2**31), 7), repeat=5):
            try:
                ssop.strided_slice(x, [0, 1], [2, 3], [1, 1], *masks)
            except ssop.SliceError:
                pass
            ended += 1
    assert ended == 4 * 7**5


def test_cve_2021_37686_tflite_ellipsis_loops_for_ever():
    """TFLite ran on when the ellipsis' end index fell below its counter: every mask must come to an end."""
    child.run(every_mask)


def test_cve_2021_37686_ellipsis_of_no_width():
    x = np.arange(6).reshape(2, 3)
    assert ssop.strided_slice(x, [0, 0, 1], [2, 0, 3], ellipsis_mask=2).tolist() == [[1, 2], [4, 5]]
    with pytest.raises(ssop.SliceValueError):  # one entry more than there are axes
        ssop.strided_slice(x, [0, 0, 0, 1], [2, 0, 1, 3], ellipsis_mask=2)


@pytest.mark.parametrize("code", ["i1", "i4", "i8", "f4", "c16"])
def test_tensorflow_pr_124643_int32_offset_wraps(code):
    """Start 0, stop INT32_MAX, stride 126322568: the int32 loop offset wrapped and wrote past 17 elements."""
    stride = 126322568
    assert 16 * stride < INT32_MAX < 17 * stride
    x = np.broadcast_to(np.ones(1, code), (INT32_MAX,))
    for run in (ssop.strided_slice, ssop.slice):
        assert run(x, [0], [INT32_MAX], [stride]).tolist() == [1] * 17
        out = np.zeros(40, code)
        run(x, [0], [INT32_MAX], [stride], out=out[10:27])
        assert (out != 0).tolist() == [False] * 10 + [True] * 17 + [False] * 13
    for limit in (2**15 - 1, 2**31 - 1, 2**63 - 1):  # the same in every width
        for step in (limit // 17, limit // 17 + 1, limit // 2 + 1, limit):
            count = ssop.StridedSliceSpec([0], [limit], [step]).resolve((limit,)).shape[0]
            assert count == -(-limit // step)


@pytest.mark.parametrize("dim", [2**31, 2**62, INT64_MAX - 1, INT64_MAX])
def test_tensorflow_126125_begin_plus_size_overflows(dim):
    """On a tensor with no element and one huge dim, begin + size overflowed and the process aborted."""
    x = np.empty((0, dim), np.int8)
    for begin, size in ((dim - 1, 1), (1, dim - 1), (INT64_MAX, dim), (dim, dim), (INT64_MAX, 0)):
        assert ssop.dynamic_slice(x, [0, begin], [0, size]).shape == (0, size)
        assert ssop.dynamic_slice(x, [0, begin], [0, size], out_of_bounds="wrap").shape == (0, size)
        if begin <= dim - size:
            assert ssop.dynamic_slice(x, [0, begin], [0, size], out_of_bounds="raise").shape == (0, size)
            assert ssop.slice(x, [0, begin], [0, begin + size]).shape == (0, size)
        else:
            with pytest.raises(ssop.SliceIndexError):
                ssop.dynamic_slice(x, [0, begin], [0, size], out_of_bounds="raise")


def test_tensorflow_pr_125224_negative_run_time_size():
    """[-1, 0] to [0, 3]: the size of axis 0 became negative and XLA:CPU jumped into nothing. It is empty."""
    x = np.arange(12).reshape(4, 3)
    assert ssop.strided_slice(x, [-1, 0], [0, 3]).shape == (0, 3)
    for begin, end in itertools.product(range(-6, 7), repeat=2):
        for step in (-2, -1, 1, 2):
            assert min(ssop.StridedSliceSpec([begin], [end], [step]).resolve((4,)).shape) >= 0


def illegal_calls():
    """Every rule broken, in one process that must live on."""
    x = np.arange(12).reshape(3, 4)
    rejected = 0
    for function, arguments, keywords in (
        (ssop.strided_slice, ([0] * 32, [1] * 32), {}),
        (ssop.strided_slice, ([0], [1], [0]), {}),
        (ssop.strided_slice, ([0], [1, 2]), {}),
        (ssop.strided_slice, ([0], [1]), {"ellipsis_mask": 3}),
        (ssop.strided_slice, ([0] * 3, [1] * 3), {}),
        (ssop.strided_slice, ([9], [1]), {"shrink_axis_mask": 1}),
        (ssop.strided_slice, ([0] * 10**6, [0] * 10**6), {}),
        (ssop.slice, ([-1, 0], [1, 1]), {}),
        (ssop.slice, ([0, 0], [9, 9]), {}),
        (ssop.slice, ([0, 0], [1, 1], [0, 0]), {}),
        (ssop.slice, ([0] * 10**6, [1] * 10**6), {}),
        (ssop.dynamic_slice, ([0, 0], [9, 9]), {}),
        (ssop.dynamic_slice, ([0, 0], [-1, -1]), {}),
        (ssop.dynamic_slice, ([0] * 300, [0] * 300), {}),
        (ssop.dynamic_update_slice, (np.zeros((9, 9), int), [0, 0]), {}),
        (ssop.dynamic_update_slice, (np.zeros((1, 1)), [0, 0]), {}),
    ):
        try:
            function(x, *arguments, **keywords)
        except ssop.SliceError:
            rejected += 1
    assert rejected == 16


def test_tensorflow_6088_check_failure_aborts_python():
    child.run(illegal_calls)


def test_tensorflow_72332_stray_new_axis_bits():
    """Bits beyond the spec's length are ignored (ss_s8); an ellipsis_mask must still be one bit (ss_c3)."""
    x = np.arange(12).reshape(3, 4)
    for bit in range(1, 32):
        stray = 1 << bit if bit < 31 else -(2**31)
        for name in ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask"):
            assert np.array_equal(ssop.strided_slice(x, [1], [2], **{name: stray}), x[1:2])
    with pytest.raises(ssop.SliceValueError):
        ssop.strided_slice(x, [1], [2], ellipsis_mask=6)


def test_cve_2022_21728_and_cve_2021_37687_negative_index_half_checked():
    """Both ends of every range are checked: one below the least and one above the greatest are rejected."""
    for dim in (1, 2, 7):
        x = np.arange(dim)
        for begin in (-dim - 1, dim, INT64_MIN, INT64_MAX):
            with pytest.raises(ssop.SliceIndexError) as info:
                ssop.strided_slice(x, [begin], [0], shrink_axis_mask=1)
            assert info.value.allowed == (-dim, dim - 1)
        for start in (-1, dim, INT64_MIN, INT64_MAX):
            with pytest.raises(ssop.SliceIndexError) as info:
                ssop.dynamic_slice(x, [start], [1], out_of_bounds="raise")
            assert info.value.allowed == (0, dim - 1)
            with pytest.raises(ssop.SliceIndexError):
                ssop.dynamic_update_slice(x, x[:1], [start], out_of_bounds="raise")


def write_nothing():
    """Empty results and empty updates on memory that may be neither read nor written."""
    import ctypes
    import mmap

    from numpy.lib.stride_tricks import as_strided

    page = mmap.PAGESIZE
    memory = mmap.mmap(-1, page)
    x = np.frombuffer(memory, np.int64)
    libc = ctypes.CDLL(None)
    assert libc.mprotect(ctypes.c_void_p(x.ctypes.data), ctypes.c_size_t(page), 0) == 0
    n = len(x)
    for start in (0, 1, n):
        ssop.strided_slice(x, [start], [start])
        ssop.strided_slice(x, [start], [start], [-1])
        ssop.slice(x, [start], [start])
        ssop.dynamic_slice(x, [start], [0])
        ssop.dynamic_slice(x, [start], [0], out_of_bounds="wrap")
        ssop.dynamic_update_slice(x, x[:0], [start], out=x)
        ssop.dynamic_update_slice(x, x[:0], [start], out=x, out_of_bounds="wrap")
        ssop.copy(x[:0], out=x[start:start])
    ssop.copy(as_strided(x, (5, 0), (2**62, 8)))
    ssop.copy(x, out=x)


@pytest.mark.skipif(not hasattr(mmap, "PROT_READ"), reason="this system has no mprotect")
def test_cve_2021_41219_zero_sized_output_still_written():
    child.run(write_nothing)


def test_tensorflow_lite_stride_of_int64_min():
    """|INT64_MIN| is no int64: negating a stride overflows."""
    for dim in (1, 2, 5):
        x = np.arange(dim)
        assert ssop.strided_slice(x, [0], [0], [INT64_MIN], begin_mask=1, end_mask=1).tolist() == [dim - 1]
        assert ssop.StridedSliceSpec([0], [0], [INT64_MIN], 1, 1).resolve((dim,)).split()[1] == ()
    region = ssop.StridedSliceSpec([0], [0], [-INT64_MAX], 1, 1).resolve((INT64_MAX,))
    assert region.ranges == ((INT64_MAX - 1, 1, 1),)


# ---- NumPy -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stride", [2**62, 2**61, -(2**62), 2**63 - 8, -(2**63)])
def test_numpy_32219_stride_times_step_overflows(stride):
    x = as_strided(np.zeros(1), (9,), (stride,))
    for step in (1, 2, 3, 4, 5, 8, -1, -4):
        with pytest.raises(ssop.SliceValueError) as info:
            ssop.strided_slice(x, [0], [0], [step], begin_mask=1, end_mask=1)
        assert info.value.label == "mem_c1"
    assert ssop.strided_slice(x, [0], [9], [9]).tolist() == [0]


def test_cve_2021_33430_too_many_dimensions():
    """The rank is checked before anything of fixed size is filled."""
    x = np.zeros((1,) * 64)
    for count in (1, 2, 31):
        with pytest.raises(ssop.SliceValueError) as info:
            ssop.strided_slice(x, [0] * count, [0] * count, new_axis_mask=2**count - 1)
        assert (info.value.label, info.value.value) == ("ss_c8", 64 + count)
    for count in (65, 129, 10_000):
        vector = [0] * count
        for call in (
            lambda v=vector: ssop.strided_slice(x, v, v),
            lambda v=vector: ssop.slice(x, v, v, v),
            lambda v=vector: ssop.dynamic_slice(x, v, v, allow_negative_indices=[True] * len(v)),
            lambda v=vector: ssop.dynamic_update_slice(x, x, v),
            lambda v=vector: ssop.StridedSliceSpec([], []).resolve(v),
            lambda v=vector: ssop.Region([1], [(0, 1, 1)], v),
            lambda v=vector: ssop.Region(v, [(0, 0, 1)] * len(v), v),
            lambda v=vector: ssop.plan(ssop.StridedSliceSpec([], []), v, int),
        ):
            with pytest.raises(ValueError):
                call()


def test_cve_2021_41495_allocation_unchecked():
    """Results too large for memory are a MemoryError or ValueError; tests/memory injects the small failures."""
    x = np.broadcast_to(np.float64(0), (2**58,))
    for call in (lambda: ssop.copy(x), lambda: ssop.dynamic_update_slice(x, [1.0], [0])):
        with pytest.raises((MemoryError, ValueError)):
            call()


def test_numpy_pr_26972_overlap_off_by_one():
    """Buffers that touch without overlapping, and those that share one byte, forwards and backwards."""
    for gap, backwards, swap in itertools.product(range(-4, 5), (False, True), (False, True)):
        memory = np.arange(40, dtype=np.uint8)
        left, right = memory[4 : 4 + 16], memory[20 + gap : 36 + gap]
        source, target = (left, right) if not swap else (right, left)
        source = source[::-1] if backwards else source
        expected = source.tolist()
        ssop.copyto(target, source)
        assert target.tolist() == expected, (gap, backwards, swap)


def test_numpy_assignment_with_unequal_strides_from_one_address():
    """NumPy 2.4's own `a[0:6:2] = a[0:3]` reads what it has just written, objects included."""
    for dtype in (np.int64, object, "T"):
        a = np.arange(8).astype(dtype)
        expected = a[:3].tolist()
        ssop.copyto(a[0:6:2], a[0:3])
        assert a[0:6:2].tolist() == expected


@pytest.mark.parametrize("text", ["0", "medium, beyond fifteen bytes", "long " * 100], ids=len)
def test_numpy_string_copied_onto_itself(text):
    """NumPy 2.4 frees a StringDType item before it copies the item onto itself."""
    a = np.array([text, "b"], np.dtypes.StringDType())
    for taken in (np.s_[0:1], np.s_[0::-1], np.s_[0:2:2], np.s_[:]):
        ssop.copyto(a[taken], a[taken])
        ssop.copy(a[taken], out=a[taken])
        ssop.dynamic_update_slice(a, a[taken], [0], out=a)
        assert a.tolist() == [text, "b"]


# ---- others ----------------------------------------------------------------------------------------------------------


def test_bottleneck_381_unit_axes_with_odd_strides():
    memory = np.arange(6.0)
    for stride in (1, 3, -7, 2**40, 2**62, INT64_MIN, INT64_MAX):
        x = as_strided(memory, (1, 6, 1), (stride, 8, stride))
        assert ssop.copy(x).ravel().tolist() == memory.tolist()
        assert ssop.dynamic_slice(x, [0, 4, 0], [1, 3, 1], out_of_bounds="wrap").ravel().tolist() == [4, 5, 0]
        assert ssop.dynamic_update_slice(x, x[:, :2], [0, 4, 0]).ravel().tolist() == [0, 1, 2, 3, 0, 1]


def test_bottleneck_159_and_521_reference_counts():
    """One count too few, one too many: both showed in a path that only some layouts take."""
    base = np.arange(24.0).reshape(2, 3, 4)
    for x in (base, base.T, base[::-1], base[:, ::2], np.broadcast_to(base[:1], base.shape), np.asfortranarray(base)):
        before = sys.getrefcount(x), sys.getrefcount(x.dtype), sys.getrefcount(x.base)
        for _ in range(100):
            ssop.copy(x)
            ssop.strided_slice(x, [0], [1])
            ssop.dynamic_slice(x, [1, 1, 1], [1, 1, 1], out_of_bounds="wrap")
            ssop.dynamic_update_slice(x, x[:1, :1, :1], [0, 0, 0])
        assert (sys.getrefcount(x), sys.getrefcount(x.dtype), sys.getrefcount(x.base)) == before


@pytest.mark.parametrize("form", ["copy", "in place", "composed", "masked"])
def test_xla_49120_49121_jax_40849_mlx_3917_clamp_forgotten(form):
    """A window that does not fit was read unclamped after fusion, in a copy, or always."""
    x = np.arange(10)
    for start, size in itertools.product((-3, 0, 7, 8, 9, 10, 2**31, INT64_MAX), range(1, 11)):
        first = min(max(start, 0), 10 - size)
        expected = x[first : first + size]
        if form == "copy":
            result = ssop.copy(ssop.dynamic_slice(x, [start], [size]))
        elif form == "in place":
            updated = ssop.dynamic_update_slice(x.copy(), -expected, [start], out=x.copy())
            result = -updated[first : first + size]
        elif form == "composed":
            result = ssop.dynamic_slice(ssop.dynamic_slice(x, [start], [size]), [start], [size])
        else:
            result = ssop.dynamic_slice(np.ma.array(x), [start], [size])
        assert result.tolist() == expected.tolist()


def test_tvm_5172_6829_and_openvino_shrink_of_minus_one():
    x = np.arange(12).reshape(3, 4)
    assert ssop.strided_slice(x, [-1], [0], shrink_axis_mask=1).tolist() == [8, 9, 10, 11]
    assert ssop.strided_slice(x, [0, -1], [3, 0], shrink_axis_mask=2).tolist() == [3, 7, 11]
    assert ssop.StridedSliceSpec.from_index(np.s_[-1])(x).tolist() == [8, 9, 10, 11]
    assert ssop.StridedSliceSpec.from_index(np.s_[..., -1])(x).tolist() == [3, 7, 11]


def test_openvino_1177_15059_16843_21727_reverse_with_clamped_bounds():
    x = np.arange(5)
    for begin, end in itertools.product((-99, -6, -5, -1, 0, 4, 5, 99), repeat=2):
        assert ssop.strided_slice(x, [begin], [end], [-1]).tolist() == x[begin:end:-1].tolist()
        assert ssop.strided_slice(x, [begin], [end], [-2]).tolist() == x[begin:end:-2].tolist()


def test_onnx_3063_4115_and_onnxruntime_11107_end_sentinels():
    """There is no sentinel here: -1 is dim - 1, and only the mask or a bound below -dim goes past element 0."""
    x = np.arange(5)
    assert ssop.strided_slice(x, [4], [-1], [-1]).tolist() == []
    assert ssop.strided_slice(x, [4], [INT64_MIN], [-1]).tolist() == [4, 3, 2, 1, 0]
    assert ssop.strided_slice(x, [4], [-6], [-1]).tolist() == [4, 3, 2, 1, 0]
    assert ssop.strided_slice(x, [4], [-1], [-1], end_mask=1).tolist() == [4, 3, 2, 1, 0]
    assert ssop.strided_slice(x, [0], [INT64_MAX]).tolist() == [0, 1, 2, 3, 4]
    assert ssop.strided_slice(x, [0], [INT32_MAX]).tolist() == [0, 1, 2, 3, 4]


def test_tf2onnx_1849_and_tflite_pr_42579_positions_behind_an_ellipsis():
    x = np.arange(3 * 4 * 5 * 6).reshape(3, 4, 5, 6)
    for index in (
        np.s_[..., None, 1:3],
        np.s_[..., 2, None, 1],
        np.s_[1, ..., None],
        np.s_[None, ..., 1, None, 2:4],
        np.s_[0:2, ..., None, -1, None],
        np.s_[..., None, None],
    ):
        assert np.array_equal(ssop.StridedSliceSpec.from_index(index)(x), x[index])


def test_ta_lib_225_partial_overlap():
    """Overlap was rejected only for the very same array: every shift must be as if the input were copied first."""
    for shift, step in itertools.product(range(-12, 13), (1, -1)):
        memory = np.arange(40.0)
        source, target = memory[14:26][::step], memory[14 + shift : 26 + shift]
        expected = source.tolist()
        assert ssop.copy(source, out=target) is target
        assert target.tolist() == expected
