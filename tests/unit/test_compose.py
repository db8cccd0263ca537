"""`ssop.convert.compose`: chains of calls as one copy, against NumPy's functions one after the other."""

import itertools
import pickle
import random
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ssop
from ssop import SliceError
from ssop._convert import Target

Call, compose = ssop.convert.Call, ssop.convert.compose
DTYPES = ["u1", "i2", ">i4", "f4", "f8", "c8", "c16", "M8[s]", "V3", "S7", "O"]


# ---- NumPy's own answers ---------------------------------------------------------------------------------------------


def xla_pad(x, value, config):
    """XLA's Pad as its text has it: spread, put between, and then cut where low or high are negative."""
    for axis, (low, high, interior) in enumerate(config):
        x = np.moveaxis(x, axis, 0)
        spread = np.full((len(x) + max(len(x) - 1, 0) * interior, *x.shape[1:]), value, x.dtype)
        spread[:: interior + 1] = x
        if len(spread) + low + high < 0:
            raise ValueError("a negative size")
        around = [np.full((max(n, 0), *x.shape[1:]), value, x.dtype) for n in (low, high)]
        whole = np.concatenate([around[0], spread, around[1]])
        x = np.moveaxis(whole[max(-low, 0) : len(whole) - max(-high, 0)], 0, axis)
    return x


ORACLES = {
    "numpy.index": lambda x, index: np.asarray(x[index]),
    "numpy.flip": lambda x, axis: np.flip(x, axis),
    "numpy.transpose": lambda x, axes: np.transpose(x, axes),
    "tf.transpose": lambda x, perm: np.transpose(x, perm),
    "onnx.transpose": lambda x, perm=None: np.transpose(x, perm),
    "numpy.swapaxes": lambda x, axis1, axis2: np.swapaxes(x, axis1, axis2),
    "torch.permute": lambda x, dims: np.transpose(x, dims),
    "xla.pad": lambda x, padding_value, padding_config: xla_pad(x, padding_value, padding_config),
    "numpy.pad": lambda x, pad_width, constant_values=0: np.pad(x, pad_width, constant_values=constant_values),
    "onnx.unsqueeze": lambda x, axes: np.expand_dims(x, axes),
    "numpy.squeeze": lambda x, axis: np.squeeze(x, axis),
    "xla.dynamic_slice": lambda x, start_indices, slice_sizes: x[
        tuple(
            slice(begin, begin + size)
            for start, size, dim in zip(start_indices, slice_sizes, x.shape, strict=True)
            for begin in [min(max(start, 0), dim - size)]
        )
    ],
}


def by_numpy(calls, x):
    for call in calls:
        x = ORACLES[call.function](x, **call.given)
    return x


# ---- random chains ---------------------------------------------------------------------------------------------------


@st.composite
def index_of(draw, shape):
    bound = st.none() | st.integers(-9, 9)
    items = []
    for dim in shape[: draw(st.integers(0, len(shape)))]:
        if dim and draw(st.integers(0, 3)) == 0:
            items.append(draw(st.integers(-dim, dim - 1)))
        else:
            items.append(slice(draw(bound), draw(bound), draw(st.sampled_from([None, 1, 2, 3, -1, -2, -4]))))
    if draw(st.integers(0, 3)) == 0:
        items.insert(draw(st.integers(0, len(items))) if len(items) == len(shape) else len(items), Ellipsis)
    if draw(st.integers(0, 3)) == 0:
        items.insert(draw(st.integers(0, len(items))), None)
    return Call("numpy.index", index=tuple(items))


@st.composite
def config_of(draw, shape, value):
    config = []
    for dim in shape:
        interior = draw(st.sampled_from([0, 0, 1, 2]))
        length = dim + max(dim - 1, 0) * interior
        low = draw(st.integers(-2, 3))
        config.append((low, draw(st.integers(max(-2, -length - low), 3)), interior))
    return Call("xla.pad", padding_value=value, padding_config=config)


@st.composite
def call_of(draw, shape, values):
    rank = len(shape)
    axes = draw(st.permutations(range(rank)))
    units = tuple(axis for axis, dim in enumerate(shape) if dim == 1)
    some = axes[: draw(st.integers(0, rank))]
    value = draw(st.sampled_from(values))
    kinds = [
        index_of(shape),
        index_of(shape),
        config_of(shape, value),
        config_of(shape, value),
        st.just(Call("numpy.flip", axis=some)),
        st.just(Call("tf.transpose", perm=axes)),
        st.just(Call("torch.permute", dims=[axis - rank * (axis in some) for axis in axes])),
        st.just(Call("onnx.transpose")),
        st.just(Call("onnx.unsqueeze", axes=[draw(st.integers(0, rank))])),
        st.just(Call("numpy.squeeze", axis=units)),
    ]
    if rank:
        kinds.append(st.just(Call("numpy.swapaxes", axis1=axes[0], axis2=axes[-1])))
        sizes = [draw(st.integers(0, dim)) for dim in shape]
        starts = [draw(st.integers(-9, 9)) for _ in shape]
        kinds.append(st.just(Call("xla.dynamic_slice", start_indices=starts, slice_sizes=sizes)))
    return draw(st.one_of(kinds))


@st.composite
def chains(draw, values=(0,), most=5):
    """A shape and two to five calls, none of which is an error."""
    shape = draw(st.lists(st.sampled_from([0, 1, 1, 2, 3, 4, 5]), max_size=4))
    x = np.empty(shape, "u1")
    calls = []
    for _ in range(draw(st.integers(2, most))):
        calls.append(draw(call_of(x.shape, values)))
        x = by_numpy(calls[-1:], x)
    return tuple(shape), calls


def numbered(shape, dtype):
    size = int(np.prod(shape))
    if dtype in ("V3", "S7"):
        return np.frombuffer(
            b"".join(n.to_bytes(2, "big") + b"x" * (int(dtype[1]) - 2) for n in range(size)), dtype
        ).reshape(shape)
    return np.arange(1, size + 1).astype("i2").astype(dtype).reshape(shape)


@settings(max_examples=500)
@given(chains())
def test_cv_s6_one_copy_gives_what_numpy_gives(chain):
    shape, calls = chain
    x = np.arange(1, np.prod(shape) + 1).reshape(shape).astype("i8")
    wanted = by_numpy(calls, x)
    known, any_shape = compose(calls, shape), compose(calls)
    for one in (known, any_shape, compose(calls, [None] * len(shape))):
        got = one(x)
        assert got.shape == wanted.shape and got.flags.c_contiguous and not np.shares_memory(got, x)
        np.testing.assert_array_equal(got, wanted)
    out = np.empty(wanted.shape, "i8", "F")
    assert known(x, out=out) is out
    np.testing.assert_array_equal(out, wanted)
    np.testing.assert_array_equal(by_parts(known, x), wanted)
    assert str(known).startswith("one copy from shape") and pickle.loads(pickle.dumps(known)) == known


def by_parts(one, x):
    """What the attributes say, by NumPy."""
    if one.region is None:
        return np.full(str_shape(one), one.value if one.value is not None else 0)
    kept = x[one.region.index].transpose(one.permutation)
    return kept if one.padding is None else xla_pad(kept, one.value, one.padding)


def str_shape(one):
    return eval(str(one).partition(" to ")[2].partition(":")[0])


@pytest.mark.parametrize("dtype", DTYPES)
def test_cv_s6_every_dtype(dtype):
    x = numbered((3, 4, 2), dtype)
    moves = [Call("numpy.index", index=np.s_[::-1, 1:, None]), Call("tf.transpose", perm=[3, 1, 0, 2])]
    np.testing.assert_array_equal(compose(moves, x.shape)(x), by_numpy(moves, x))
    if np.dtype(dtype).kind not in "MVS":  # no number is one of their elements
        moves.insert(1, Call("xla.pad", padding_value=0, padding_config=[(1, 0, 1), (0, 1, 0), (1, 1, 0), (0, 0, 0)]))
        got = compose(moves, x.shape)(x)
        assert got.dtype is x.dtype or got.dtype == x.dtype
        np.testing.assert_array_equal(got, by_numpy(moves, x))


@settings(max_examples=400)
@given(chains(values=(0, 7, 9)))
def test_cv_c12_values_of_padding(chain):
    """A chain is folded exactly if at most one of the values is seen: each value is a colour of its own."""
    shape, calls = chain
    x = np.full(shape, 50, "i1")
    wanted = by_numpy(calls, x)
    seen = set(wanted.ravel().tolist()) - {50}
    try:
        one = compose(calls, shape)
    except ssop.ConversionError as error:
        assert error.label == "cv_c12" and len(seen) > 1
        return
    assert len(seen) < 2
    np.testing.assert_array_equal(one(x), wanted)


def test_cv_s6_every_slice_of_padding():
    """One axis: every padding, sliced by every range, exhaustively."""
    checked = 0
    for dim, low, high, interior in itertools.product(range(4), range(-1, 3), range(-1, 2), range(3)):
        if dim + max(dim - 1, 0) * interior + low + high < 0:
            continue
        x = np.arange(1, dim + 1)
        pad = Call("xla.pad", padding_value=0, padding_config=[(low, high, interior)])
        padded = xla_pad(x, 0, [(low, high, interior)])
        for start, step in itertools.product(range(len(padded) + 1), (1, 2, 3, 4, -1, -2, -3)):
            one = compose([pad, np.s_[start::step]], [dim])
            np.testing.assert_array_equal(one(x), padded[start::step])
            checked += 1
    assert checked > 3000


# ---- forms and errors ------------------------------------------------------------------------------------------------


def test_parts_in_words():
    one = compose(
        [np.s_[::-1, 1:3], Call("tf.transpose", perm=[1, 0]), Call("tf.pad", paddings=[(1, 0), (2, 3)])], [4, 5]
    )
    assert str(one) == (
        "one copy from shape (4, 5) to (3, 9): x[3::-1, 1:3], its axes in the order (1, 0), padded with 0: "
        "axis 0 by 1 before, axis 1 by 2 before and 3 behind"
    )
    assert one.region == ssop.StridedSliceSpec.from_index(np.s_[::-1, 1:3]).resolve((4, 5))
    assert (one.permutation, one.padding, one.value) == ((1, 0), ((1, 0, 0), (2, 3, 0)), 0)
    spread = compose([Call("xla.pad", padding_value=5, padding_config=[(0, 0, 2)]), np.s_[::2]], [4])
    assert str(spread) == "one copy from shape (4,) to (5,): x[0:3:2], padded with 5: axis 0 by 1 behind and 2 between"
    nothing = compose([Call("numpy.pad", pad_width=[(0, 2)]), np.s_[-1]], [4])
    assert str(nothing) == "one copy from shape (4,) to (): 0 everywhere" and nothing.region is None
    unknown = compose([np.s_[1:], Call("numpy.transpose")], ["n", 3])
    assert str(unknown) == "one copy on every shape (n, 3): x[1:], then numpy.transpose(x)"
    assert unknown.region is unknown.permutation is unknown.padding is unknown.value is None
    assert unknown.at((4, 3)).region == ssop.Region((4, 3), ((1, 3, 1), (0, 3, 1)), (0, 1))


FRAMEWORKS = [
    (Call("tf.pad", paddings=[(1, 2), (0, 3)]), [(1, 2, 0), (0, 3, 0)]),
    (Call("numpy.pad", pad_width=1), [(1, 1, 0), (1, 1, 0)]),
    (Call("numpy.pad", pad_width=(1, 2)), [(1, 2, 0), (1, 2, 0)]),
    (Call("numpy.pad", pad_width=[(1, 2)]), [(1, 2, 0), (1, 2, 0)]),
    (Call("onnx.pad", pads=[1, 0, 2, 3]), [(1, 2, 0), (0, 3, 0)]),
    (Call("onnx.pad", pads=[1, 2], axes=[-1]), [(0, 0, 0), (1, 2, 0)]),
    (Call("openvino.pad", pads_begin=[1, -1], pads_end=[2, 3]), [(1, 2, 0), (-1, 3, 0)]),
    (Call("torch.pad", pad=[1, 2]), [(0, 0, 0), (1, 2, 0)]),
    (Call("torch.pad", pad=[1, 2, -1, 4]), [(-1, 4, 0), (1, 2, 0)]),
]


@pytest.mark.parametrize(("call", "config"), FRAMEWORKS, ids=[str(call) for call, _ in FRAMEWORKS])
def test_padding_of_each_framework(call, config):
    x = np.arange(12).reshape(3, 4)
    np.testing.assert_array_equal(call(x), xla_pad(x, 0, config))
    np.testing.assert_array_equal(compose(call, x.shape)(x), xla_pad(x, 0, config))


ORDERS = [
    Call("numpy.transpose", axes=[2, 0, 1]),
    Call("numpy.transpose", axes=[-1, 0, 1]),
    Call("tf.transpose", perm=[2, 0, 1]),
    Call("xla.transpose", permutation=[2, 0, 1]),
    Call("torch.permute", dims=[2, 0, -2]),
    Call("onnx.transpose", perm=[2, 0, 1]),
    Call("openvino.transpose", input_order=[2, 0, 1]),
]


@pytest.mark.parametrize("call", ORDERS, ids=str)
def test_permutations_of_each_framework(call):
    x = np.arange(24).reshape(2, 3, 4)
    wanted = x.transpose(2, 0, 1)
    np.testing.assert_array_equal(call(x), wanted)
    np.testing.assert_array_equal(compose(call, x.shape)(x), wanted)
    np.testing.assert_array_equal(compose([call, Call("torch.transpose", dim0=0, dim1=-1)])(x), wanted.swapaxes(0, -1))


def test_out_may_be_the_operand():
    x = np.arange(9).reshape(3, 3)
    wanted = np.flip(x).T.copy()
    compose([np.s_[::-1, ::-1], Call("numpy.transpose")])(x, out=x)
    np.testing.assert_array_equal(x, wanted)


def test_values_that_are_not_seen_are_still_checked():
    """The calls one after the other are an error, so the copy is one."""
    one = compose([Call("numpy.pad", pad_width=1, constant_values=0.5), np.s_[1:-1]], [3])
    assert one(np.arange(3.0)).tolist() == [0, 1, 2]
    with pytest.raises(ssop.SliceTypeError):
        one(np.arange(3))


def test_other_arrays_stay_what_they_are():
    x = np.ma.masked_array([[1, 2], [3, 4]], [[0, 1], [0, 0]])
    got = compose([np.s_[::-1], Call("numpy.transpose")])(x)
    assert got.mask.tolist() == [[False, False], [False, True]]
    assert compose(np.s_[1:])([1, 2, 3]).tolist() == [2, 3]


def test_run_time_values_are_given_by_name():
    chain = [
        Call("xla.dynamic_slice", start_indices=["i"], slice_sizes=[3]),
        np.s_["j":],
        Call("numpy.pad", pad_width=1),
    ]
    one = compose(chain, [8])
    assert one(np.arange(8), i=9, j=1).tolist() == one(list(range(8)), j=1, i=9).tolist() == [0, 6, 7, 0]
    assert one.region is None and one.at([8], i=9, j=1).region == ssop.Region((8,), ((6, 2, 1),), (0,))
    with pytest.raises(ssop.SliceValueError, match="the run-time values are i, j, not i"):
        one(np.arange(8), i=0)
    with pytest.raises(ssop.SliceValueError, match="is called out"):
        compose(np.s_["out":])


def test_a_composition_is_a_value():
    one = compose([np.s_[1:], np.s_[::2]], [5])
    assert one == compose([np.s_[1:], np.s_[::2]], [5]) and one != compose([np.s_[1:]], [5])
    with pytest.raises(AttributeError):
        one.calls = ()


def test_an_error_on_a_shape_is_one_of_its_composition():
    with pytest.raises(SliceError, match=r"call 1, x\[4\], is an error on shape \(3,\)") as info:
        compose([np.s_[1:], np.s_[4]], [4])
    assert info.value.label == "cv_c5" and info.value.axis == 0
    with pytest.raises(SliceError, match="call 1"):
        compose([np.s_[1:], np.s_[4]])(np.arange(4))


def test_cv_c15_an_update_is_not_composed():
    update = Call("xla.dynamic_update_slice", start_indices=[1], update_shape=[2])
    with pytest.raises(ssop.SliceValueError, match="is an update, which is not composed"):
        compose([update, np.s_[1:]], [4])


# ---- conversions -----------------------------------------------------------------------------------------------------


def draw_moves(rng, rank):
    """Two to four slices and permutations of axes."""
    calls = []
    for _ in range(rng.randint(2, 4)):
        if rng.random() < 0.5:
            calls.append(Call("numpy.transpose", axes=rng.sample(range(rank), rank)))
            continue
        items = [
            rng.randint(-2, 2)
            if rng.random() < 0.15
            else slice(rng.choice([None, 1, -3]), None, rng.choice([1, 1, 2, -1]))
            for _ in range(rank)
        ]
        dropped = sum(isinstance(item, int) for item in items)
        new = rng.random() < 0.2
        calls.append(Call("numpy.index", index=(*items, *[None] * new)))
        rank += new - dropped
    return calls


@pytest.mark.parametrize("to", get_args(Target))
def test_cv_s1_conversions_of_permutations(to):
    rng = random.Random(5)
    checked = 0
    for _ in range(30):
        rank = rng.randint(2, 3)
        calls = draw_moves(rng, rank)
        shape = [rng.choice([None, rng.randint(3, 6)]) for _ in range(rank)]
        try:
            result = ssop.convert(calls, to, shape)
        except SliceError as error:
            assert error.label in ("cv_c5", "cv_c7") and (error.label == "cv_c5" or to == "xla")
            continue
        assert sum("transpose" in call.function or "permute" in call.function for call in result.calls) <= 1
        assert ssop.convert.equal(calls, result, shape)
        ssop.convert.verify(result.certificate)
        for _ in range(3):
            x = np.empty([rng.randint(3, 6) if dim is None else dim for dim in shape], "i4")
            x[...] = np.arange(x.size).reshape(x.shape)
            try:
                wanted = by_numpy(calls, x)
            except IndexError:
                with pytest.raises(SliceError):
                    result(x)
                continue
            np.testing.assert_array_equal(result(x), wanted)
            checked += 1
    assert checked > (10 if to == "xla" else 50)


def test_a_permutation_is_one_call():
    calls = [np.s_[1:], Call("torch.transpose", dim0=0, dim1=-1), np.s_[::2]]
    assert str(ssop.convert(calls, "onnx", [None, 4])) == (
        "y = Slice(x, starts=[1, 0], ends=[9223372036854775807, 9223372036854775807], axes=[0, 1], steps=[1, 2])\n"
        "y = Transpose(y, perm=[1, 0])"
    )
