"""XLA's dots and convolutions: against the reference, and what their rules say of the corners."""

import tracemalloc

import ml_dtypes
import numpy as np
import pytest

import ssop
from ssop import reference, xla
from ssop._xla import convolution, products
from unit.against_reference import as_tensor

INTEGERS = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
DTYPES = ["bool", *INTEGERS, "float16", "float32", "float64", "complex64", "complex128"]
SMALL = ["bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3b11fnuz", "float8_e3m4", "float4_e2m1fn"]


def drawn(rng, dims, dtype):
    """Integers of every size; other numbers whose products are exact in most dtypes."""
    dtype = np.dtype(dtype)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        numbers = rng.integers(info.min, info.max, dims, dtype, endpoint=True)
        return np.asarray(numbers >> dtype.type(rng.choice([0, dtype.itemsize * 4])))
    if dtype.kind == "c":
        return np.asarray(rng.integers(-4, 5, dims) + 1j * rng.integers(-4, 5, dims), dtype)
    return np.asarray(rng.integers(0, 2, dims) if dtype.kind == "b" else rng.integers(-4, 5, dims), dtype)


def laid_out(rng, x):
    """The same numbers in another layout."""
    kind = rng.integers(4)
    if kind == 0:
        return np.asfortranarray(x)
    if kind == 1:
        return x.astype(x.dtype.newbyteorder())
    if kind == 2 and x.ndim:
        return np.repeat(x, 2, axis=-1)[..., ::-2][..., ::-1]
    return x


def assert_reference(name, lhs, rhs, *args, **kwargs):
    got = getattr(xla, name)(lhs, rhs, *args, **kwargs)
    expected = getattr(reference.xla, name)(as_tensor(lhs), as_tensor(rhs), *args, dtype=str(got.dtype), **kwargs)
    assert got.shape == expected.shape
    assert got.flags.c_contiguous
    assert got.tolist() == np.array(expected.items, got.dtype).reshape(got.shape).tolist()


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks so small that every loop over blocks has several turns."""
    monkeypatch.setattr(products, "SIDE", 3)
    monkeypatch.setattr(convolution, "BLOCK", 20)
    monkeypatch.setattr(convolution, "TAPS", 10)
    monkeypatch.setattr(convolution, "ROW", 3)


# ---- dots ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shapes", [((4,), (4,)), ((3, 4), (4,)), ((4,), (4, 2)), ((3, 4), (4, 2))], ids=str)
def test_dot_s5_of_vectors_and_matrices(dtype, shapes):
    rng = np.random.default_rng(len(dtype))
    assert_reference("dot", *(laid_out(rng, drawn(rng, shape, dtype)) for shape in shapes))


def random_dot(rng):
    """The dims of two operands and dimension numbers that fit."""
    batch, summed = rng.integers(0, 3, 2)
    ranks = [batch + summed + rng.integers(0, 3) for _ in range(2)]
    lhs, rhs = ([int(dim) for dim in rng.integers(0, 4, rank)] for rank in ranks)
    left, right = ([int(axis) for axis in rng.permutation(rank)[: batch + summed]] for rank in ranks)
    for one, other in zip(left, right, strict=True):
        rhs[other] = lhs[one]
    return lhs, rhs, ((left[batch:], right[batch:]), (left[:batch], right[:batch]))


@pytest.mark.parametrize("dtype", DTYPES)
def test_dot_s1_dot_general_of_any_axes(dtype):
    rng = np.random.default_rng(len(dtype) + 7)
    for _ in range(30):
        lhs, rhs, numbers = random_dot(rng)
        assert_reference("dot_general", drawn(rng, lhs, dtype), laid_out(rng, drawn(rng, rhs, dtype)), numbers)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("dtype", [*INTEGERS, "bool", "float16"])
def test_dot_s2_blocks(dtype):
    rng = np.random.default_rng(3)
    assert_reference("dot", drawn(rng, (7, 8), dtype), drawn(rng, (8, 5), dtype))
    batched = drawn(rng, (4, 2, 2), dtype), drawn(rng, (4, 2, 7), dtype)
    assert_reference("dot_general", *batched, (([2], [1]), ([0], [0])))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_dot_s2_integers_wrap_round(dtype):
    info = np.iinfo(dtype)
    extremes = np.array([info.min, info.max, info.max, info.min, 1], dtype)
    for rest in (np.roll(extremes, 1), extremes[::-1], np.full(5, info.max, dtype)):
        assert_reference("dot", extremes, rest)
    total = sum(int(x) * int(x) for x in extremes.tolist())
    bits = 8 * extremes.itemsize
    assert int(xla.dot(extremes, extremes)) % 2**bits == total % 2**bits


def test_dot_s2_sums_of_many_integers_are_exact():
    """Beyond 2**53, where sums in float64 are not."""
    x = np.full((2, 3000), 2**31 - 1, np.int32)
    wide = xla.dot(x, x.T, preferred_element_type=np.int64)
    assert wide.dtype == np.int64
    assert wide.tolist() == [[(3000 * (2**31 - 1) ** 2 + 2**63) % 2**64 - 2**63] * 2] * 2
    assert xla.dot(x, x.T).tolist() == [[3000] * 2] * 2


def test_dot_s2_bools_are_combined_by_and_and_or():
    x = np.array([[True, False], [False, False]])
    assert xla.dot(x, x.T).tolist() == [[True, False], [False, False]]
    assert xla.dot(np.ones((1, 3000), bool), np.ones((3000, 1), bool)).tolist() == [[True]]


def test_dot_s1_sums_start_at_zero():
    assert xla.dot(np.zeros((2, 0)), np.zeros((0, 3))).tolist() == [[0.0] * 3] * 2
    assert not np.signbit(xla.dot(np.array([-1.0]), np.array([0.0])))
    assert not np.signbit(xla.dot(np.array([[-1.0]], np.float16), np.array([[0.0]], np.float16))).any()
    assert np.isnan(xla.dot(np.array([0.0]), np.array([np.inf])))


@pytest.mark.parametrize("dtype", SMALL)
def test_dot_s3_small_floats_are_summed_in_float32(dtype):
    """As many ones after a large number, each of which would be lost in the dtype itself."""
    dtype = np.dtype(getattr(ml_dtypes, dtype))
    large = np.array([4] + [1] * 64).astype(dtype)
    np.testing.assert_equal(xla.dot(large, np.ones(65, dtype)).item(), np.array(68.0, np.float32).astype(dtype).item())
    wide = xla.dot(large, np.ones(65, dtype), preferred_element_type=np.float32)
    assert (wide.dtype, wide.item()) == (np.float32, 68.0)


def test_dot_s3_small_floats_are_rounded_once():
    x = np.array([2048.0, 1.0, 1.0, 1.0], np.float16)
    assert xla.dot(x, np.ones(4, np.float16)).item() == 2052.0
    assert xla.dot(np.full(2, 300, np.float16), np.full(2, 300, np.float16)).item() == np.inf


@pytest.mark.parametrize(
    ("lhs", "rhs", "result"),
    [
        ("f4", "f8", "f8"), ("i4", "i1", "i4"), ("i4", "f4", "f4"), ("i8", "f2", "f2"), ("u4", "i4", "i4"),
        ("i2", "u4", "u4"), ("f8", "c8", "c8"), ("?", "i1", "i1"), ("f2", ml_dtypes.bfloat16, ml_dtypes.bfloat16),
    ],
    ids=lambda dtype: np.dtype(dtype).name,
)  # fmt: skip
def test_dot_s4_of_two_dtypes_the_one_with_more_range(lhs, rhs, result):
    one, other = np.ones(2, lhs), np.ones(2, rhs)
    assert xla.dot(one, other).dtype == xla.dot(other, one).dtype == result
    assert xla.conv(one.reshape(1, 1, 2), other.reshape(1, 1, 2), [1], "VALID").dtype == result


def test_dot_s6_preferred_element_type():
    bytes_ = np.full((1, 2), 200, np.uint8)
    assert xla.dot(bytes_, bytes_.T, preferred_element_type=np.int32).tolist() == [[80000]]
    floats = np.array([[1.5, 100.0]], np.float32)
    assert xla.dot(floats, floats.T, preferred_element_type=np.int32).tolist() == [[10002]]
    assert xla.dot(floats, floats.T, preferred_element_type=np.float16).dtype == np.float16
    integers = np.array([[3, 100]], np.int32)
    assert xla.dot(integers, integers.T, preferred_element_type=np.float32).tolist() == [[10009.0]]
    assert xla.dot(integers, integers.T, preferred_element_type=np.complex64).tolist() == [[10009.0 + 0j]]
    assert xla.dot(np.ones(3, bool), np.ones(3, bool), preferred_element_type=np.int8).item() == 3


@pytest.mark.parametrize("name", ["int4", "uint4", "int2", "uint2"])
def test_dot_s2_integers_of_a_few_bits(name):
    dtype = np.dtype(getattr(ml_dtypes, name))
    info = ml_dtypes.iinfo(dtype)
    x = np.array([int(info.min), int(info.max), 1]).astype(dtype)
    total = sum(int(n) ** 2 for n in x.astype(int))
    assert int(xla.dot(x, x)) % 2**info.bits == total % 2**info.bits
    assert xla.dot(x, x).dtype == dtype
    assert xla.dot(x, x, preferred_element_type=np.int32).item() == total


def test_operands_and_out():
    x = np.arange(6.0).reshape(2, 3)
    out = np.empty((2, 2), order="F")
    assert xla.dot(x, x.T, out=out) is out
    assert out.tolist() == (x @ x.T).tolist()
    assert xla.dot([1, 2, 3], np.ones(3, np.float32)).dtype == np.float32
    assert (
        xla.dot(np.broadcast_to(np.float64(2), (3, 4)), np.broadcast_to(np.float64(3), (4, 2))).tolist()
        == [[24] * 2] * 3
    )
    for precision in ("highest", "HIGH", ("default", None), None):
        assert xla.dot(x, x.T, precision=precision).shape == (2, 2)


# ---- convolutions ----------------------------------------------------------------------------------------------------


def random_convolution(rng):
    """Dims of lhs and rhs, positional arguments, and keywords."""
    letters = "HWD"[: rng.integers(0, 3)]
    specs = tuple("".join(rng.permutation(list(pair + letters))) for pair in ("NC", "OI", "NC"))
    groups = [(1, 1), (1, 1), (2, 1), (1, 2)][rng.integers(4)]
    dims = {letter: int(rng.integers(0 if rng.random() < 0.1 else 1, 6)) for letter in letters}
    batch, features, outputs = (int(number) for number in rng.integers(1, 4, 3))
    lhs = {"N": batch * groups[1], "C": features * groups[0], **dims}
    rhs = {"O": outputs * max(groups), "I": features, **{letter: int(rng.integers(1, 5)) for letter in letters}}
    strides, lhs_dilation, rhs_dilation = ([int(n) for n in rng.integers(1, 4, len(letters))] for _ in range(3))
    pads = [tuple(int(n) for n in rng.integers(-2, 4, 2)) for _ in letters]
    reversal = [bool(flag) for flag in rng.integers(0, 2, len(letters))] if rng.random() < 0.3 else None
    shapes = [lhs[letter] for letter in specs[0]], [rhs[letter] for letter in specs[1]]
    return *shapes, (strides, pads, lhs_dilation, rhs_dilation, specs, *groups), {"window_reversal": reversal}


@pytest.mark.parametrize("dtype", DTYPES)
def test_cnv_s1_cnv_s4_cnv_s5_cnv_s6_convolutions(dtype):
    rng = np.random.default_rng(len(dtype))
    for _ in range(25):
        lhs, rhs, args, kwargs = random_convolution(rng)
        x, kernel = laid_out(rng, drawn(rng, lhs, dtype)), laid_out(rng, drawn(rng, rhs, dtype))
        assert_reference("conv_general_dilated", x, kernel, *args, **kwargs)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("dtype", ["int8", "int64", "float32"])
def test_cnv_s1_blocks(dtype):
    rng = np.random.default_rng(1)
    for _ in range(25):
        lhs, rhs, args, kwargs = random_convolution(rng)
        assert_reference("conv_general_dilated", drawn(rng, lhs, dtype), drawn(rng, rhs, dtype), *args, **kwargs)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("dtype", [*DTYPES, "bfloat16", "int4"])
def test_cnv_s4_depthwise_convolutions(dtype):
    """A feature has a kernel of its own, or two; the features are the last axis in memory, or another one."""
    rng = np.random.default_rng(len(dtype))
    for number in range(20):
        specs = [("NHWC", "HWIO", "NHWC"), ("NCHW", "OIHW", "NCHW"), ("NHWC", "OIHW", "NCHW")][number % 3]
        features, outputs = int(rng.integers(2, 5)), int(rng.integers(1, 3))
        dims = {"N": int(rng.integers(0, 4)), "C": features, **{d: int(rng.integers(1, 8)) for d in "HW"}}
        sizes = {"O": features * outputs, "I": 1, **{d: int(rng.integers(1, 4)) for d in "HW"}}
        strides, lhs_dilation, rhs_dilation = ([int(n) for n in rng.integers(1, 4, 2)] for _ in range(3))
        pads = [tuple(int(n) for n in rng.integers(-1, 4, 2)) for _ in range(2)]
        x, kernel = (
            drawn(
                rng, [of[letter] for letter in spec], "int8" if dtype == "int4" else dtype if dtype in DTYPES else "f4"
            )
            for of, spec in ((dims, specs[0]), (sizes, specs[1]))
        )
        if dtype not in DTYPES:
            x, kernel = ((a.clip(-4, 4)).astype(getattr(ml_dtypes, dtype)) for a in (x, kernel))
        args = strides, pads, lhs_dilation, rhs_dilation, specs, features
        kwargs = {"window_reversal": [bool(flag) for flag in rng.integers(0, 2, 2)]}
        if dtype in DTYPES:
            assert_reference("conv_general_dilated", x, kernel, *args, **kwargs)
            continue
        wide = np.int64 if dtype == "int4" else np.float32
        expected = xla.conv_general_dilated(x.astype(wide), kernel.astype(wide), *args, **kwargs)
        found = xla.conv_general_dilated(x, kernel, *args, **kwargs)
        assert found.dtype == x.dtype
        if dtype == "int4":
            expected = (expected + 8) % 16 - 8
        assert np.array_equal(found.astype(wide), expected.astype(x.dtype).astype(wide))


@pytest.mark.parametrize("padding", ["SAME", "SAME_LOWER", "VALID", [(2, -1)], [(-7, 0)]], ids=str)
def test_cnv_s1_padding(padding):
    rng = np.random.default_rng(2)
    x, kernel = drawn(rng, (2, 3, 6), "int32"), drawn(rng, (4, 3, 3), "int32")
    for stride in (1, 2, 4):
        assert_reference("conv", x, kernel, [stride], padding)
        assert_reference("conv_with_general_padding", x, kernel, [stride], padding, None, [2])


def test_cnv_s2_axes_of_the_result():
    x, kernel = np.ones((2, 5, 6, 3)), np.ones((2, 2, 3, 4))
    axes = (0, 3, 1, 2), (3, 2, 0, 1)
    for out, shape in (((0, 3, 1, 2), (2, 4, 5, 4)), ((3, 0, 2, 1), (4, 5, 4, 2))):
        assert xla.conv_general_dilated(x, kernel, [1, 1], "VALID", dimension_numbers=(*axes, out)).shape == shape
    assert_reference("conv_general_dilated", x, kernel, [1, 1], "SAME", None, None, ("NHWC", "HWIO", "HWNC"))


@pytest.mark.parametrize("special", [np.inf, np.nan])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_cnv_s3_padding_and_holes_are_not_multiplied(special, dtype):
    """An infinite weight over padding or a hole adds nothing: 0 * inf would be NaN."""
    x, kernel = np.ones((1, 1, 3), dtype), np.array([special, 1, 1], dtype).reshape(1, 1, 3)
    got = xla.conv_general_dilated(x, kernel, [1], [(2, 2)])
    np.testing.assert_array_equal(got.ravel(), np.array([1, 2, special, special, special], dtype))
    spread = xla.conv_general_dilated(x, kernel, [1], "VALID", window_reversal=[True])
    np.testing.assert_array_equal(spread.ravel(), np.array([special], dtype))
    holes = xla.conv_general_dilated(x, kernel, [1], [(0, 0)], [2])
    np.testing.assert_array_equal(holes.ravel(), np.array([special, 1, special], dtype))


def test_cnv_s3_infinite_weights_in_all_layouts():
    rng = np.random.default_rng(5)
    for _ in range(60):
        lhs, rhs, args, kwargs = random_convolution(rng)
        x, kernel = drawn(rng, lhs, "f8"), drawn(rng, rhs, "f8")
        kernel.flat[rng.integers(kernel.size)] = np.inf
        got = xla.conv_general_dilated(x, kernel, *args, **kwargs)
        expected = reference.xla.conv_general_dilated(as_tensor(x), as_tensor(kernel), *args, **kwargs)
        np.testing.assert_array_equal(got, np.array(expected.items, "f8").reshape(got.shape))


def test_cnv_s1_nothing_to_sum():
    assert xla.conv(np.ones((2, 0, 5)), np.ones((3, 0, 2)), [1], "VALID").tolist() == [[[0.0] * 4] * 3] * 2
    assert xla.conv(np.ones((2, 1, 0)), np.ones((3, 1, 2)), [1], "VALID").shape == (2, 3, 0)
    assert xla.conv(np.ones((0, 1, 5)), np.ones((3, 1, 2)), [1], "SAME").shape == (0, 3, 5)
    assert xla.conv_general_dilated(np.ones((1, 1, 0)), np.ones((1, 1, 2)), [1], [(2, 1)]).tolist() == [[[0.0, 0.0]]]


@pytest.mark.parametrize(
    "dtype", [ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.int4], ids=lambda x: x.__name__
)
def test_dot_s3_convolutions_of_other_packages_dtypes(dtype):
    rng = np.random.default_rng(6)
    x, kernel = (rng.integers(-2, 3, dims).astype(dtype) for dims in ((2, 3, 7), (4, 3, 3)))
    wide = np.float32 if dtype is not ml_dtypes.int4 else np.int32
    exact = xla.conv(x.astype(wide), kernel.astype(wide), [1], "SAME")
    assert xla.conv(x, kernel, [1], "SAME", preferred_element_type=wide).tolist() == exact.tolist()
    got = xla.conv(x, kernel, [1], "SAME")
    assert got.dtype == dtype
    if dtype is ml_dtypes.int4:
        exact = (exact + 8) % 16 - 8
    assert got.astype(wide).tolist() == exact.astype(dtype).astype(wide).tolist()


def test_specs_of_names_and_of_axes_are_the_same():
    x, kernel = np.arange(24.0).reshape(2, 4, 3), np.arange(18.0).reshape(3, 3, 2)
    by_name = xla.conv_general_dilated(x, kernel, [1], "SAME", dimension_numbers=("NWC", "WIO", "NWC"))
    by_axis = xla.conv_general_dilated(x, kernel, [1], "SAME", dimension_numbers=((0, 2, 1), (2, 1, 0), (0, 2, 1)))
    assert by_name.tolist() == by_axis.tolist()


@pytest.mark.parametrize("dtype", [np.float32, np.int8, np.float16], ids=lambda x: x.__name__)
def test_memory_is_three_times_the_operands_and_the_result(dtype):
    """A full copy of the windows would be nine times the image."""
    x, kernel = np.ones((1, 16, 256, 256), dtype), np.ones((16, 16, 3, 3), dtype)
    tracemalloc.start()
    result = xla.conv(x, kernel, [1, 1], "SAME")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3 * (x.nbytes + kernel.nbytes + result.nbytes)


def test_a_rank_above_64_is_an_error():
    with pytest.raises(ssop.SliceValueError, match="in_c9"):
        xla.dot_general(np.zeros((1,) * 33), np.zeros((1,) * 32), (([], []), ([], [])))


def test_depthwise_convolution_without_output_features():
    lhs, rhs = np.zeros((1, 3, 2), np.int8), np.zeros((2, 1, 0), np.int8)
    result = xla.conv_general_dilated(
        lhs, rhs, (1,), "VALID", dimension_numbers=("NWC", "WIO", "NWC"), feature_group_count=2
    )
    assert result.shape == (1, 2, 0)
