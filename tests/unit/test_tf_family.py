"""TensorFlow's gradient, assignment, update and Slice: against NumPy's own indexing, every rule met and broken."""

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import ssop
from ssop import reference
from ssop.reference import Rejected, Tensor

X = np.arange(24).reshape(4, 6)
CUBE = np.arange(60).reshape(3, 4, 5)
INT64_MAX = 2**63 - 1

# An array and a NumPy index, which StridedSliceSpec.from_index encodes.
INDICES = [
    (X, index)
    for index in (
        np.s_[:], np.s_[1:3], np.s_[::2], np.s_[::-1], np.s_[3:0:-2], np.s_[-1], np.s_[2], np.s_[-9:9], np.s_[5:],
        np.s_[..., 1], np.s_[..., ::-1], np.s_[..., 2:4], np.s_[None], np.s_[:, None], np.s_[..., None], np.s_[...],
        np.s_[1, 2], np.s_[-1, -1], np.s_[1:3, 2:5], np.s_[::-1, ::-1], np.s_[::2, ::3], np.s_[1:1], np.s_[:, 4:2],
        np.s_[None, 1, None, ::2], np.s_[::3, ::-5], np.s_[3:4, 5:6], np.s_[:, 0], np.s_[0, :], np.s_[1:, :-1],
    )
] + [
    (CUBE, index)
    for index in (
        np.s_[1], np.s_[:, 1], np.s_[..., 1], np.s_[1, ..., 1], np.s_[::-1, :, ::2], np.s_[:, ::-2], np.s_[:, 1:3],
        np.s_[2:, :, 4:], np.s_[0, 1, 2], np.s_[None, ..., None], np.s_[1:2, ::3, ::-4], np.s_[..., 3:1:-1],
        np.s_[:, 4:, :], np.s_[:, 1, None, :],
    )
] + [
    (np.array(5), np.s_[...]), (np.array(5), np.s_[None]), (np.zeros((0, 3)), np.s_[:, 1]), (X.T, np.s_[::2, 1:]),
]  # fmt: skip

every_index = pytest.mark.parametrize(("x", "index"), INDICES, ids=lambda value: str(getattr(value, "shape", value)))


def split(index, shape):
    """The spec of an index: begin, end and strides; masks."""
    spec = ssop.StridedSliceSpec.from_index(index if isinstance(index, tuple) else (index,))
    names = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    return (spec.begin, spec.end, spec.strides), [getattr(spec, name) for name in names]


def ints(shape, first=100):
    return np.arange(first, first + int(np.prod(shape))).reshape(shape)


def assert_same(got, expected):
    assert type(got) is np.ndarray
    assert (got.shape, got.dtype, got.tolist()) == (expected.shape, expected.dtype, expected.tolist())


def broken(function, *args, **kwargs):
    """What the error says: label, axis, entry, value, allowed; message without the label that ends it."""
    with pytest.raises(ssop.SliceError) as info:
        function(*args, **kwargs)
    error = info.value
    text, _, label = str(error).rpartition(" ")
    assert label == f"[{error.label}]"
    return (error.label, error.axis, error.entry, error.value, error.allowed), text


# ---- against NumPy ---------------------------------------------------------------------------------------------------


@every_index
def test_gr_s1_gradient(x, index):
    """gr_s1: dy where the slice would be, zeros elsewhere."""
    expected = np.zeros(x.shape, int)
    dy = ints(expected[index].shape)
    expected[index] = dy
    vectors, masks = split(index, x.shape)
    assert_same(ssop.strided_slice_grad(x.shape, *vectors, dy, *masks), expected)
    assert_same(ssop.tf.strided_slice_grad(x.shape, *vectors, dy.copy(order="F"), *masks), expected)


@every_index
def test_as_s1_update_and_assignment(x, index):
    """as_s1: the value repeats."""
    vectors, masks = split(index, x.shape)
    taken = x[index].shape
    shorter = [taken[axis:] for axis in range(len(taken) + 1)]
    ones = [(*taken[:axis], 1, *taken[axis + 1 :]) for axis in range(len(taken))]
    for shape in (*shorter, *ones, (1, 1, *taken)):
        value, expected = ints(shape).astype(x.dtype), x.copy()
        expected[index] = value.reshape(
            value.shape[value.ndim - len(taken) :] if value.ndim > len(taken) else value.shape
        )
        before = x.copy()
        assert_same(ssop.tensor_strided_slice_update(x, *vectors, value, *masks), expected)
        assert_same(x, before)
        ref = x.copy(order="K")
        assert ssop.strided_slice_assign(ref, *vectors, value, *masks) is ref
        assert_same(ref, expected)


TF_SLICES = [
    (X, begin, size)
    for begin, size in (
        ([0, 0], [4, 6]), ([0, 0], [-1, -1]), ([1, 0], [2, 6]), ([1, 2], [2, 3]), ([1, 2], [-1, 2]), ([3, 5], [1, 1]),
        ([4, 0], [0, 6]), ([4, 6], [0, 0]), ([4, 6], [-1, -1]), ([0, 6], [4, -1]), ([0, 0], [0, 0]), ([2, 1], [1, -1]),
        ([0, 3], [4, 2]), ([3, 0], [-1, 6]), ([1, 1], [1, 1]), ([2, 2], [2, 0]), ([0, 1], [3, 4]), ([0, 5], [-1, -1]),
    )
] + [
    (CUBE, begin, size)
    for begin, size in (
        ([0, 0, 0], [3, 4, 5]), ([1, 1, 1], [-1, -1, -1]), ([2, 3, 4], [1, 1, 1]), ([0, 2, 0], [3, 1, 5]),
        ([1, 0, 0], [1, 4, 5]), ([1, 0, 0], [2, 4, 5]), ([0, 0, 2], [3, 4, 2]), ([3, 4, 5], [0, 0, 0]),
        ([0, 1, 2], [2, 2, -1]), ([2, 0, 1], [-1, 4, 4]), ([1, 2, 3], [1, 0, 1]), ([0, 0, 4], [-1, -1, 1]),
    )
] + [
    (np.arange(7), [begin], [size]) for begin, size in ((0, 7), (3, 2), (3, -1), (7, 0), (7, -1), (6, 1), (0, 0))
] + [
    (np.array(5), [], []), (np.zeros((0, 2)), [0, 1], [-1, 1]), (X.T, [1, 1], [3, 2]),
    (X[::-1, ::-2], [1, 1], [2, -1]),
]  # fmt: skip


@pytest.mark.parametrize(("x", "begin", "size"), TF_SLICES, ids=str)
def test_tsl_s1_slice(x, begin, size):
    """tsl_s1: begin + i, -1 to the end."""
    assert len(TF_SLICES) >= 40
    stops = [d if s == -1 else b + s for b, s, d in zip(begin, size, x.shape, strict=True)]
    expected = np.asarray(x[tuple(map(slice, begin, stops))])
    assert_same(ssop.tf.slice(x, begin, size), expected)
    out = np.empty_like(expected)
    assert ssop.tf.slice(input_=x, begin=np.array(begin, "u1"), size=size, out=out) is out
    assert_same(out, expected)


# ---- every rule broken -----------------------------------------------------------------------------------------------

ZEROS, THREE = np.zeros(5), np.zeros(3)


@pytest.mark.parametrize(
    ("dy", "axis", "text"),
    [
        (np.zeros(2), 0, "dy has shape (2,), not (3,): shape of dy was [2] instead of [3]"),
        (np.zeros((3, 1)), None, "dy has shape (3, 1), not (3,): shape of dy was [3,1] instead of [3]"),
        (5.0, None, "dy has shape (), not (3,): shape of dy was [] instead of [3]"),
        (np.zeros(1), 0, "dy has shape (1,), not (3,): shape of dy was [1] instead of [3]"),
    ],
    ids=str,
)
def test_gr_c1_shape_of_dy(dy, axis, text):
    assert broken(ssop.strided_slice_grad, [5], [0], [5], [2], dy) == (
        ("gr_c1", axis, None, np.shape(dy), None),
        f"strided_slice_grad: {text}",
    )


@pytest.mark.parametrize(
    ("value", "axis", "text"),
    [
        ([1, 2], 0, "Cannot broadcast input shape [2] into final shape [3]"),
        ([[1, 2, 3]] * 2, 0, "Cannot broadcast input shape [2,3] into final shape [3]"),
        ([], 0, "Cannot broadcast input shape [0] into final shape [3]"),
        ([[[1, 2, 3]] * 2], 1, "Cannot broadcast input shape [1,2,3] into final shape [3]"),
    ],
    ids=str,
)
def test_as_c1_shape_of_value(value, axis, text):
    for function in (ssop.strided_slice_assign, ssop.tensor_strided_slice_update):
        ref = ZEROS.copy()
        attributes = "as_c1", axis, None, np.shape(value), None
        message = f"{function.__name__}: value has shape {np.shape(value)}: {text}"
        assert broken(function, ref, [0], [5], [2], value) == (attributes, message)
        assert not ref.any()
    assert broken(ssop.strided_slice_assign, np.zeros(()), [], [], [], value)[0][0] == "as_c1"


def test_as_c2_dtype_of_value():
    text = "l-value dtype float64 does not match r-value dtype int32; value.astype('float64') converts it"
    for function in (ssop.strided_slice_assign, ssop.tensor_strided_slice_update):
        value = np.zeros(3, np.int32)
        attributes = "as_c2", None, None, value.dtype, None
        assert broken(function, ZEROS, [0], [5], [0], value) == (attributes, f"{function.__name__}: {text}")
        for begin, ellipsis_mask in (([0, 0], 0), ([0] * 32, 0), ([0], 3)):  # before the spec, as in TensorFlow
            assert broken(function, ZEROS, begin, [5], [2], value, ellipsis_mask=ellipsis_mask)[0] == attributes
        assert function(np.zeros(3), [0], [3], [1], [1, True, 2.5]).tolist() == [1, 1, 2.5]


def test_as_s2_empty_slices_take_any_value():
    for value in (np.zeros((7, 7)), [1.0, 2.0], 5.0, np.zeros((0, 2))):
        assert_same(ssop.strided_slice_assign(THREE.copy(), [2], [1], [1], value), THREE)
        assert_same(ssop.tensor_strided_slice_update(THREE, [2], [1], [1], value), THREE)
    assert broken(ssop.strided_slice_assign, THREE, [2], [1], [1], np.zeros(1, "i2"))[0][0] == "as_c2"


@pytest.mark.parametrize(
    ("begin", "size", "attributes", "text"),
    [
        ([0], [1], ("tsl_c1", None, None, None, None), "of size 2, but got shapes [1] and [1] instead."),
        ([0, 0, 9], [1, 9], ("tsl_c1", None, None, None, None), "of size 2, but got shapes [3] and [2] instead."),
        ([0, 5], [1, -1], ("tsl_c2", 1, 1, 5, (0, 4)), "Expected begin[1] in [0, 4], but got 5"),
        ([-1, 5], [9, -1], ("tsl_c2", 0, 0, -1, (0, 3)), "Expected begin[0] in [0, 3], but got -1"),
        ([0, 1], [1, 4], ("tsl_c3", 1, 1, 4, (0, 3)), "Expected size[1] in [0, 3], but got 4"),
        ([1, 9], [-2, 0], ("tsl_c3", 0, 0, -2, (0, 2)), "Expected size[0] in [0, 2], but got -2"),
        ([0, 1], [0, INT64_MAX], ("tsl_c3", 1, 1, INT64_MAX, (0, 3)), f"size[1] in [0, 3], but got {INT64_MAX}"),
    ],
    ids=str,
)
def test_tsl_rules(begin, size, attributes, text):
    x = np.arange(12).reshape(3, 4)
    found, message = broken(ssop.tf.slice, x, begin, size)
    assert found == attributes and message.startswith("tf.slice: ") and text in message
    with pytest.raises(Rejected) as info:
        reference.tf.slice(Tensor(x.shape, x.ravel().tolist()), begin, size)
    error = info.value
    assert (error.label, error.axis, error.entry, error.value, error.allowed) == attributes


SPECS = {
    "ss_c1": (([0], [1, 2], [1]), {}),
    "ss_c2": (([0] * 32, [1] * 32, [1] * 32), {}),
    "ss_c3": (([0, 0], [1, 1], [1, 1]), {"ellipsis_mask": 3}),
    "ss_c4": (([0, 0], [1, 1], [1, 1]), {}),
    "ss_c5": (([0], [1], [0]), {}),
    "ss_c6": (([0], [1], [-1]), {"shrink_axis_mask": 1}),
    "ss_c7": (([9], [1], [1]), {"shrink_axis_mask": 1}),
    "in_c1": (([0.5], [1], [1]), {}),
    "in_c2": (([0], [2**63], [1]), {}),
    "in_c3": (([0], [1], [1]), {"end_mask": 2**31}),
    "in_c4": (([0], [1], [1]), {"end_mask": 1.0}),
}


@pytest.mark.parametrize("label", SPECS)
def test_the_spec_is_checked_by_the_rules_of_strided_slice(label):
    vectors, masks = SPECS[label]
    expected, message = broken(ssop.strided_slice, THREE, *vectors, **masks)
    for function, first in (
        (ssop.strided_slice_grad, [3]),
        (ssop.strided_slice_assign, THREE),
        (ssop.tensor_strided_slice_update, THREE),
    ):
        found, text = broken(function, first, *vectors, np.zeros((9, 9)), **masks)
        assert found == expected and expected[0] == label
        assert text.partition(": ")[2] == message.partition(": ")[2]


def test_shapes_of_the_gradient_are_checked():
    for shape, label in (([-1], "in_c10"), ([1] * 65, "in_c9"), ([1.0], "in_c1"), (5, "in_c5"), ([2**63], "in_c2")):
        for begin in ([], [0, 0]):  # before the spec, as in TensorFlow
            assert broken(ssop.strided_slice_grad, shape, begin, [], [], 1)[0][0] == label


# ---- what is written to ----------------------------------------------------------------------------------------------


def layouts(like):
    """Arrays of this shape and dtype in several layouts."""
    yield np.full_like(like, like.flat[0], order="C")
    yield np.full_like(like, like.flat[0], order="F")
    yield np.empty((2 * len(like), *like.shape[1:]), like.dtype)[::-2]
    yield np.empty((*like.shape, 3), like.dtype)[..., 1]
    yield np.full_like(like, like.flat[0]).view(type("Ours", (np.ndarray,), {}))


@pytest.mark.parametrize("dtype", ["i8", "i1", "c16", ">f4", "S5", "V3", "M8[s]", object, "T"], ids=str)
def test_every_dtype_and_layout_of_out(dtype):
    x = (X % 7).astype("u1").view("V1") if dtype == "V3" else (X % 7).astype(dtype)
    index = np.s_[::-2, 1:5:3]
    vectors, masks = split(index, x.shape)
    dy, value = x[:2, 2:4], x[3:, 4:6]
    zeros, updated = np.zeros(x.shape, x.dtype), x.copy()
    zeros[index], updated[index] = dy, value
    for made in layouts(x):
        assert ssop.strided_slice_grad(x.shape, *vectors, dy, *masks, out=made) is made
        assert (made == zeros).all()
        assert ssop.tensor_strided_slice_update(x, *vectors, value, *masks, out=made) is made
        assert (made == updated).all()
        made[...] = x
        assert ssop.strided_slice_assign(made, *vectors, value, *masks) is made
        assert (made == updated).all()
    assert_same(ssop.strided_slice_grad(x.shape, *vectors, dy, *masks), zeros)
    assert_same(ssop.tensor_strided_slice_update(x, *vectors, value, *masks), updated)


def test_out_is_checked():
    calls = (
        lambda out: ssop.strided_slice_grad([3], [0], [3], [1], THREE, out=out),
        lambda out: ssop.tensor_strided_slice_update(THREE, [0], [3], [1], THREE, out=out),
        lambda out: ssop.tf.slice(THREE, [0], [3], out=out),
    )
    frozen = np.zeros(3)
    frozen.flags.writeable = False
    outs = {
        "out_c1": [0.0] * 3,
        "out_c2": np.zeros(4),
        "out_c3": np.zeros(3, ">f8"),
        "out_c4": frozen,
        "out_c5": as_strided(np.zeros(3), (3,), (4,)),
    }
    for call in calls:
        assert {label: broken(call, out)[0][0] for label, out in outs.items()} == {label: label for label in outs}


def test_ref_is_checked():
    frozen = np.zeros(3)
    frozen.flags.writeable = False
    twice = as_strided(np.zeros(12), (3, 4), (8, 8))
    masked = np.ma.array([1.0, 2.0], mask=[True, False])
    for ref, label in ((frozen, "out_c4"), (twice, "out_c5"), ([1, 2], "out_c1"), (range(3), "out_c1"), (5, "out_c1")):
        (found, *_), text = broken(ssop.strided_slice_assign, ref, [0], [1], [1], 7)
        assert found == label and "ref" in text
    assert not twice.any() and not frozen.any()
    for function in (ssop.strided_slice_assign, ssop.tensor_strided_slice_update):
        assert broken(function, THREE, [0], [2], [1], masked)[0][0] == "in_c7"
    assert ssop.strided_slice_assign(masked, [0], [1], [1], 7) is masked and masked.tolist() == [7, 2]


class Reading:
    """A number that changes something when it is read."""

    def __init__(self, change):
        self.change = change

    def __index__(self):
        self.change()
        return 1


def test_values_that_change_the_target_while_they_are_read():
    def widen():
        x.dtype = "S32"

    for function in (ssop.strided_slice_assign, ssop.tensor_strided_slice_update):
        x = np.zeros(8)
        assert broken(function, x, [0], [2], [1], [Reading(widen), 2.0])[0][0] == "as_c2"
    x = np.zeros(8)
    value = [Reading(lambda: x.setflags(write=False))]
    assert broken(ssop.strided_slice_assign, x, [0], [2], [1], value)[0][0] == "out_c4"
    assert not x.any()


OVERLAPS = [
    (np.s_[:5], np.s_[1:]), (np.s_[1:], np.s_[:5]), (np.s_[:], np.s_[::-1]), (np.s_[:], np.s_[3:4]),
    (np.s_[::2], np.s_[1::2]), (np.s_[::2], np.s_[:3]), (np.s_[::-1], np.s_[:]), (np.s_[2:5], np.s_[2:5]),
]  # fmt: skip


@pytest.mark.parametrize(("target", "source"), OVERLAPS, ids=str)
@pytest.mark.parametrize("dtype", ["i8", object, "T"], ids=str)
def test_a_value_in_the_memory_that_is_written(target, source, dtype):
    vectors, masks = split(target, (6,))
    expected = np.arange(6).astype(dtype)
    expected[target] = expected[source].copy()
    x = np.arange(6).astype(dtype)
    assert_same(ssop.strided_slice_assign(x, *vectors, x[source], *masks), expected)
    x = np.arange(6).astype(dtype)
    assert_same(ssop.tensor_strided_slice_update(x, *vectors, x[source], *masks, out=x), expected)
    whole = np.arange(12).astype(dtype)  # the input, the value and out overlap
    expected = whole[1:7].copy()
    expected[target] = whole[4:10][source].copy()
    assert_same(
        ssop.tensor_strided_slice_update(whole[1:7], *vectors, whole[4:10][source], *masks, out=whole[3:9]), expected
    )


@pytest.mark.parametrize("dtype", ["i8", object, "T"], ids=str)
@pytest.mark.parametrize("first", range(4))
def test_dy_in_the_memory_of_out(first, dtype):
    for dy_index in (np.s_[first : first + 3], np.s_[first + 2 : first - 1 if first else None : -1]):
        x = (np.arange(8) + 1).astype(dtype)
        expected = np.zeros(5, x.dtype)
        expected[::2] = x[dy_index].copy()
        assert_same(ssop.strided_slice_grad([5], [0], [5], [2], x[dy_index], out=x[2:7]), expected)


# ---- special dtypes, ranks and sizes ---------------------------------------------------------------------------------


def test_items_of_no_bytes():
    memory = bytearray(b"#" * 64)
    x = np.ndarray((3,), "S0", memory)
    assert ssop.strided_slice_grad([5], [0], [5], [2], x).dtype == "S0"
    for value in (x, b"", [b"", b"", b""]):
        assert ssop.tensor_strided_slice_update(x, [0], [3], [1], value).dtype == "S0"
        assert ssop.strided_slice_assign(x, [0], [3], [1], value) is x
    assert ssop.tf.slice(x, [1], [-1]).shape == (2,)
    assert memory == b"#" * 64


def test_zero_of_objects_and_strings_is_numpys():
    got = ssop.strided_slice_grad([3], [1], [2], [1], np.array([None]))
    assert got.tolist() == [0, None, 0]
    assert ssop.strided_slice_grad([3], [1], [2], [1], np.array(["é" * 40], "T")).tolist() == ["", "é" * 40, ""]
    record = ssop.strided_slice_grad([2], [1], [2], [1], np.array([(1, "a")], [("n", "i4"), ("o", object)]))
    assert record.tolist() == [(0, 0), (1, "a")]


@pytest.mark.parametrize("rank", [0, 9, 16, 40, 64])
def test_every_rank(rank):
    shape = (2,) * min(rank, 9) + (1,) * max(rank - 9, 0)
    index = (slice(None, None, -1), Ellipsis) if rank else (Ellipsis,)
    x, expected = ints(shape), np.zeros(shape, int)
    expected[index] = x
    vectors, masks = split(index, shape)
    assert_same(ssop.strided_slice_grad(shape, *vectors, x, *masks), expected)
    assert_same(ssop.tensor_strided_slice_update(x * 0, *vectors, x, *masks), expected)
    assert_same(ssop.tensor_strided_slice_update(x, *vectors, 7, *masks), np.full_like(x, 7))
    assert_same(ssop.tf.slice(x, [0] * rank, [-1] * rank), x)


@pytest.mark.parametrize(
    ("shape", "index"),
    [
        ((9_000_001,), np.s_[1::2]),
        ((3, 5_000_000), np.s_[1:2]),
        ((5_000_000,), np.s_[:]),
        ((5_000, 1_000), np.s_[1::2, 1:-1]),
    ],
    ids=str,
)
def test_gradients_of_more_than_one_piece(shape, index):
    expected = np.zeros(shape, int)
    dy = ints(expected[index].shape)
    expected[index] = dy
    vectors, masks = split(index, shape)
    assert np.array_equal(ssop.strided_slice_grad(shape, *vectors, dy, *masks), expected)


def test_tensorflows_names_and_signatures():
    x = np.arange(5)
    assert ssop.tf.strided_slice(input_=x, begin=[1], end=[3], var=x, name="part").tolist() == [1, 2]
    assert ssop.tf.strided_slice(x, [1], [3], None, 0, 0, 0, 0, 0, None, "part").tolist() == [1, 2]
    assert ssop.tf.slice(input_=x, begin=[1], size=[2], name="part").tolist() == [1, 2]
