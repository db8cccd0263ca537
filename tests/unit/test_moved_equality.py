"""`ssop.convert.equal` of calls that exchange axes and pad: every small shape, against NumPy's functions."""

import itertools
import random

import numpy as np
import pytest

import ssop
from ssop._convert.moved_proofs import unequal
from ssop._convert.proofs import Lengths
from unit.test_compose import by_numpy

Call, equal = ssop.convert.Call, ssop.convert.equal
TRANSPOSE = Call("numpy.transpose")
PAD = Call("numpy.pad", pad_width=1)
CASES = {
    "twice transposed": ([TRANSPOSE, TRANSPOSE], np.s_[:], [None, None], "equal"),
    "transposed": (TRANSPOSE, np.s_[:], [3, 3], "different on shape (3, 3); equal if never"),
    "nothing transposed": (TRANSPOSE, np.s_[:], [0, 0], "equal"),
    "one row": (TRANSPOSE, np.s_[:], [1, None], "different on shape (1, 0); equal if dim 1 is 1"),
    "slice and transpose": ([np.s_[1:], TRANSPOSE], [TRANSPOSE, np.s_[:, 1:]], [None, None], "equal"),
    "padding cut away": ([PAD, np.s_[1:-1]], np.s_[:], [None], "equal"),
    "padding left": ([PAD, np.s_[1:]], np.s_[:], ["n"], "different on shape (0,); equal if never"),
    "padding and transpose": ([PAD, TRANSPOSE], [TRANSPOSE, PAD], [None, None], "equal"),
    "value": (
        PAD,
        Call("numpy.pad", pad_width=1, constant_values=2),
        [None],
        "different on shape (0,); equal if never",
    ),
    "crop": (
        Call("torch.pad", pad=[-2, 0]),
        np.s_[2:],
        [None],
        "different on shape (0,); equal if dim 0 is at least 2",
    ),
    "NHWC and NCHW": (
        [Call("tf.transpose", perm=[0, 2, 3, 1]), Call("tf.pad", paddings=[(0, 0), (1, 1), (1, 2), (0, 0)])],
        [Call("onnx.pad", pads=[1, 1, 1, 2], axes=[2, 3]), Call("onnx.transpose", perm=[0, 2, 3, 1])],
        ["batch", 3, "h", "w"],
        "equal",
    ),
    "other ranks": (Call("torch.permute", dims=[0]), np.s_[None], [2], "different on shape (2,); equal if never"),
    "other ranks, any dim": (PAD, np.s_[None], ["n"], "different on shape (0,); equal if never"),
    "two values": (
        [PAD, Call("numpy.pad", pad_width=1, constant_values=7)],
        Call("numpy.pad", pad_width=2, constant_values=7),
        [3],
        "different on shape (3,); equal if never",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_cv_s1_answers(name):
    one, two, shape, text = CASES[name]
    answer = equal(one, two, shape)
    assert str(answer) == text and bool(answer) == (text == "equal")
    if answer.precondition:
        assert equal(one, two, shape, assume=answer.precondition)


def test_identities():
    assert ssop.convert.is_identity([TRANSPOSE, TRANSPOSE], [None, 3])
    assert ssop.convert.is_identity([Call("xla.pad", padding_value=0, padding_config=[(0, 0, 1)]), np.s_[::2]], ["n"])
    answer = ssop.convert.is_identity(PAD, [4])
    assert not answer and answer.counterexample == (4,)


def draw_call(rng, rank):
    kind = rng.choice(["index", "index", "pad", "pad", "transpose", "flip", "expand", "squeeze"])
    axes = list(range(rank))
    rng.shuffle(axes)
    if kind == "pad":
        config = [(rng.randint(-1, 2), rng.randint(-1, 2), rng.choice([0, 0, 1])) for _ in axes]
        return Call("xla.pad", padding_value=rng.choice([0, 0, 7]), padding_config=config)
    if kind == "transpose":
        return Call("tf.transpose", perm=axes)
    if kind == "flip":
        return Call("numpy.flip", axis=axes[:1])
    if kind == "expand" and rank < 3:
        return Call("onnx.unsqueeze", axes=[rng.randint(0, rank)])
    if kind == "squeeze" and rank:
        return Call("numpy.squeeze", axis=axes[:1])
    bounds = [None, *range(-3, 4)]
    items = [
        rng.randint(-2, 2)
        if rng.random() < 0.2
        else slice(rng.choice(bounds), rng.choice(bounds), rng.choice([1, 1, 2, -1, -2]))
        for _ in axes
    ]
    return Call("numpy.index", index=tuple(items))


def draw_chain(rng, rank, count):
    calls = []
    for _ in range(count):
        calls.append(draw_call(rng, rank))
        rank = len(calls[-1]._entries(rank)) if calls[-1].function != "xla.pad" else rank
        if calls[-1].function in ("numpy.index", "numpy.squeeze"):
            rank -= sum(entry.drops for entry in calls[-1]._entries(rank))
    return calls


def outcome(calls, shape):
    """The result as lists with its shape, or None for an error."""
    x = np.arange(10, 10 + np.prod(shape, dtype=int), dtype="i8").reshape(shape)
    try:
        made = by_numpy(calls, x)
    except (IndexError, ValueError):
        return None
    return made.shape, made.tolist()


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_cv_s1_differences_are_those_of_every_small_shape(rank):
    rng = random.Random(rank)
    alike = 0
    most = {1: 9, 2: 5, 3: 3}[rank]
    for _ in range({1: 150, 2: 80, 3: 60}[rank]):
        one = draw_chain(rng, rank, rng.randint(1, 3))
        if rng.random() < 0.7:  # a chain that is often the same
            two = list(one)
            place = rng.randrange(len(two) + 1)
            two.insert(place, Call("numpy.index", index=(rng.choice([slice(0, None), slice(None, 4), ...]),)))
        else:
            two = draw_chain(rng, rank, rng.randint(1, 3))
        try:
            found = unequal(one, two, [Lengths(0, most)] * rank)
        except ssop.SliceError as error:
            assert error.label in ("ss_c4", "cv_c2"), error  # too many items for the rank
            continue
        shapes = list(itertools.product(range(most + 1), repeat=rank))
        differ = [shape for shape in shapes if outcome(one, shape) != outcome(two, shape)]
        alike += len(differ) < len(shapes)
        assert (found is None) == (not differ), (one, two)
        if found is not None:
            assert found.counterexample == differ[0]
            text = str(found.equal)
            same = [shape for shape in shapes if holds(found.equal, shape)]
            assert same == [shape for shape in shapes if shape not in differ], (one, two, text)
        for shape in rng.sample(shapes, 5):
            known = unequal(one, two, [Lengths(dim, dim) for dim in shape])
            assert (known is not None) == (shape in differ), (one, two, shape)
    assert alike > 20


def holds(dims, shape):
    import islpy

    return islpy.Set(f"{{ [{', '.join(map(str, shape))}] }}").is_subset(dims)


def test_cv_c11_a_comparison_that_takes_too_long_ends(monkeypatch):
    monkeypatch.setattr("ssop._convert.moved_proofs.MAX_OPERATIONS", 100)
    with pytest.raises(ssop.ConversionError, match="too many cases"):
        equal([PAD, np.s_[1:5]], [np.s_[1:4], PAD], [None])
    monkeypatch.undo()
    assert not equal([PAD, np.s_[1:5]], [np.s_[1:4], PAD], [None])
