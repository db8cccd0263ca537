"""sh_s2, sh_s20 .. sh_s22: arguments of which not all is known, against the executing functions on every completion.

Dims, bounds and steps are so small that the numbers below stand for all. The result has the shape of every valid
completion. Inference is an error if no completion is valid.
"""

from itertools import product
from math import prod

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import ssop
from ssop import shapes
from ssop.shapes import unknown

DIMS, BOUNDS, STEPS, SIZES = (0, 1, 2, 3, 4, 5, 9), range(-6, 7), range(-3, 4), range(-2, 6)
RANKS, LENGTHS = range(6), range(6)
MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
MAX_COMPLETIONS = 3000

numbers_of = {"begin": BOUNDS, "end": BOUNDS, "start": BOUNDS, "stop": BOUNDS, "starts": BOUNDS, "ends": BOUNDS}
numbers_of |= dict.fromkeys(["strides", "step", "steps"], STEPS) | {"size": SIZES, "axes": range(-4, 5)}
OPERATIONS = {
    "strided_slice": (("begin", "end", "strides"), ("strides",)),
    "tflite.strided_slice": (("begin", "end", "strides"), ("strides",)),
    "openvino.strided_slice": (("begin", "end", "strides"), ("strides",)),
    "tf.slice": (("begin", "size"), ()),
    "tflite.slice": (("begin", "size"), ()),
    "openvino.slice": (("start", "stop", "step", "axes"), ("axes",)),
    "onnx.slice": (("starts", "ends", "axes", "steps"), ("axes", "steps")),
}
"""The vectors of an operation, and those which need not be given."""

UNKNOWN_LENGTH = unknown(None)


def function(module, op):
    for name in op.split("."):
        module = getattr(module, name)
    return module


@st.composite
def known_in_part(draw, numbers, share):
    """An element: a number, an interval, or nothing known."""
    number = draw(st.sampled_from([n for n in numbers if -3 <= n <= 4]))
    kind = draw(st.sampled_from(["known"] * share + ["interval", "unknown"]))
    if kind == "interval":
        return number, min(number + draw(st.integers(0, 2)), numbers[-1])
    return None if kind == "unknown" else number


@st.composite
def calls(draw):
    """An operation, a shape, vectors by their names, and other arguments."""
    op = draw(st.sampled_from(sorted(OPERATIONS)))
    vectors, optional = OPERATIONS[op]
    rank = draw(st.sampled_from([0, 1, 1, 2, 2, 3]))
    shape = None if draw(st.integers(0, 9)) == 0 else [draw(known_in_part(DIMS[:6], 6)) for _ in range(rank)]
    length = draw(st.integers(0, rank + 1) if "axes" in vectors else st.just(rank) | st.integers(0, rank + 1))
    given_vectors = {}
    for name in vectors:
        if name in optional and draw(st.booleans()):
            continue
        here = draw(st.integers(0, 3)) if draw(st.integers(0, 14)) == 0 else length
        share = 1 if name == "axes" else 6
        vector = [draw(known_in_part(numbers_of[name], share)) for _ in range(here)]
        if name == "axes":
            vector = [axis if isinstance(axis, int) else None for axis in vector]
        given_vectors[name] = UNKNOWN_LENGTH if draw(st.integers(0, 14)) == 0 else vector
    return op, shape, given_vectors, draw(options(op, length))


@st.composite
def options(draw, op, length):
    """Masks, engines and flags."""
    chosen = {}
    bits = st.sampled_from([0, 0, 0, 1, 2, 3])
    if op.endswith("strided_slice"):
        masks = {name: draw(bits) for name in MASKS}
        vector = op.startswith("openvino")
        chosen |= {name: [mask & 1, mask >> 1] if vector else mask for name, mask in masks.items()}
    if op == "tflite.strided_slice":
        chosen["offset"] = draw(st.booleans())
    if op == "onnx.slice":
        chosen["engine"] = draw(st.sampled_from(["spec", "reference", "ort"]))
    return chosen


def numbers_in(item, all_numbers):
    if item is None:
        return all_numbers
    return range(item[0], item[1] + 1) if isinstance(item, tuple) else (item,)


def all_of(items, all_numbers):
    return list(product(*(numbers_in(item, all_numbers) for item in items)))


def completions(op, shape, vectors):
    """Every shape, and every set of vectors; fewer numbers for each if those are too many. True if they stand for all.

    (None, False) if even these are too many.
    """
    for bounds, dims in ((BOUNDS, DIMS), ((-7, -1, 0, 1, 7), (0, 1, 3, 9)), ((-1, 0, 2), (0, 3, 9))):
        all_shapes = [s for r in RANKS for s in all_of([None] * r, dims)] if shape is None else all_of(shape, dims)
        all_vectors = {}
        for name, vector in vectors.items():
            numbers = bounds if numbers_of[name] is BOUNDS else numbers_of[name]
            lengths = [[None] * n for n in LENGTHS] if vector is UNKNOWN_LENGTH else [vector]
            all_vectors[name] = [v for items in lengths for v in all_of(items, numbers)]
        if len(all_shapes) * prod(map(len, all_vectors.values())) <= MAX_COMPLETIONS:
            found = [dict(zip(all_vectors, v, strict=True)) for v in product(*all_vectors.values())]
            return list(product(all_shapes, found)), dims is DIMS
    return None, False


def executed(op, chosen, cases):
    """The shapes that the executing function gives, and the labels of its errors."""
    run, results, labels = function(ssop, op), set(), set()
    for shape, vectors in cases:
        try:
            results.add(run(np.zeros(shape, "i1"), **vectors, **chosen).shape)
        except ssop.SliceError as error:
            labels.add(error.label)
    return results, labels


def check(op, shape, vectors, chosen, mode):
    cases, all_of_them = completions(op, shape, vectors)
    if cases is None:
        return None
    results, labels = executed(op, chosen, cases)
    own = mode == "tf" and op in ("strided_slice", "tf.slice")  # TensorFlow's shape functions do not check all
    try:
        inferred = function(shapes, op)(shape, **vectors, **chosen, mode=mode)
    except ssop.SliceError as error:
        assert not results, error
        assert own or error.label in labels or not all_of_them
        return None
    assert results or own or not all_of_them, (inferred, labels)
    assert all(inferred.contains(result) for result in results), (inferred, results)
    return inferred, results


@given(calls(), st.sampled_from(["tf", "tight"]))
def test_sh_s2_every_completion_is_allowed_and_none_is_an_error(call, mode):
    check(*call, mode)


@given(calls())
def test_ss_s10_the_intervals_are_the_smallest(call):
    """If all dims are bounded, and one number bounds no other, each interval is the hull of the completions."""
    op, shape, vectors, chosen = call
    if shape is None or None in shape or chosen.get("offset"):
        return
    found = check(op, shape, vectors, chosen, "tight")
    if found is None or found[0].rank is None or not completions(op, shape, vectors)[1]:
        return
    inferred, results = found
    hull = [(min(dims), max(dims)) for dims in zip(*results, strict=True)]
    assert list(inferred.intervals) == hull, (inferred, results)


MALFORMED = [
    np.int64(1),
    1,
    np.array(1),
    np.ones((1, 2), int),
    np.array([1.5]),
    np.array([True]),
    [1.5],
    [True],
    ["1"],
    "1",
    [2**63],
    np.array([2**63], np.uint64),
    None,
]


@given(calls(), st.data())
def test_in_c1_in_c2_in_c5_in_c6_a_vector_of_another_kind_is_the_error_of_execution(call, data):
    op, shape, vectors, chosen = call
    optional = OPERATIONS[op][1]
    name = data.draw(st.sampled_from([name for name in OPERATIONS[op][0] if name not in optional or name in vectors]))
    vector = data.draw(st.sampled_from(MALFORMED[:-1] if name in optional else MALFORMED))
    known = {other: v if v is UNKNOWN_LENGTH else [0 for _ in v] for other, v in vectors.items()}
    known = {other: [] if v is UNKNOWN_LENGTH else v for other, v in known.items()}
    try:
        function(ssop, op)(np.zeros([0] * len(shape or ()), "i1"), **{**known, name: vector}, **chosen)
    except ssop.SliceError as error:
        expected = error.label
    try:
        function(shapes, op)(shape, **{**vectors, name: vector}, **chosen)
    except ssop.SliceError as error:
        assert error.label == expected
    else:
        raise AssertionError(f"{op}: {name}={vector!r} is accepted")
