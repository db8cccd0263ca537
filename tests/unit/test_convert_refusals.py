"""A conversion is an error only if no calls are equal: every function, to every target, against brute force."""

from functools import cache
from itertools import product

import numpy as np
import pytest

import ssop
from ssop import SliceError
from ssop._convert.calls import KNOWN, program_of
from ssop._convert.functions import FUNCTIONS
from ssop._convert.rules import Step, taken
from ssop._convert.targets import TARGETS
from ssop._convert.writing import REVERSED, UNIT

Call, convert, equal = ssop.convert.Call, ssop.convert, ssop.convert.equal

BOUNDS = (None, *range(-3, 4))
SPAN = 16
"""Dims that are looked at. Beyond the sum of two bounds and the common multiple of their steps, all repeats."""

BEGIN_SIZE = [{"begin": [b], "size": [s]} for b, s in product((0, 1, 2), (-1, 0, 1, 2))]
RANGES = [
    {"start_index": b, "limit_index": e, "stride": s}
    for b, e, s in [*product((None, 1, -1, -2), (None, 0, 3, -1, -2), (1,)), (-3, -1, 2), (1, -2, 2)]
]
STRIDED = [
    {"begin": [b], "end": [e], "strides": [s], **masks}
    for b, e, s in product((-2, 1), (-1, 3), (1, -2))
    for masks in ({}, {"begin_mask": 1}, {"shrink_axis_mask": 1})
    if s > 0 or "shrink_axis_mask" not in masks
]
COUNTED = [
    {"begin": [b], "end": [e], "strides": [s], **masks}
    for b, (e, s) in product((-3, 1, 2), ((1, 1), (3, 2), (-1, 1), (-2, -1), (-3, -2), (2, -1)))
    for masks in ({}, {"end_mask": 1}, {"begin_mask": 1})
]
VECTORS = [
    {name: [value] if name.endswith("mask") else value for name, value in row.items()}
    | {name: [row.get(name, 0)] for name in ("begin_mask", "end_mask")}
    for row in STRIDED
]
LISTED = [{"starts": [b], "ends": [e], "steps": [s]} for b, e, s in product((-2, 1), (-1, 3), (1, -2))]
ELEMENTS = (-2, -1, 0, 2)
INDICES = [np.s_[1:], np.s_[-2], np.s_[2], np.s_[:-2], np.s_[None]]

ARGUMENTS = {
    "tf.strided_slice": STRIDED,
    "tf.slice": BEGIN_SIZE,
    "tf.reverse": [{"axis": [0]}],
    "tf.squeeze": [{"axis": [0]}],
    "tf.expand_dims": [{"axis": 0}],
    "tflite.strided_slice": [*STRIDED, *({**row, "offset": True} for row in COUNTED)],
    "tflite.slice": BEGIN_SIZE,
    "openvino.strided_slice": VECTORS,
    "openvino.slice": [{"start": r["starts"], "stop": r["ends"], "step": r["steps"]} for r in LISTED],
    "openvino.squeeze": [{"axes": [0]}],
    "openvino.unsqueeze": [{"axes": [0]}],
    "onnx.slice": LISTED,
    "onnx.squeeze": [{"axes": [0]}],
    "onnx.unsqueeze": [{"axes": [0]}],
    "xla.slice": [
        {"start_indices": [b], "limit_indices": [e], "strides": [s]} for b, e, s in product((0, 1), (1, 3), (1, 2))
    ],
    "xla.dynamic_slice": [{"start_indices": [b], "slice_sizes": [s]} for b, s in product((-1, 0, 2), (0, 1, 2))],
    "xla.dynamic_slice_in_dim": [{"start_index": 1, "slice_size": 2}],
    "xla.rev": [{"dimensions": [0]}],
    "xla.slice_in_dim": RANGES,
    "xla.index_in_dim": [{"index": k} for k in ELEMENTS],
    "xla.squeeze": [{"dimensions": [0]}],
    "xla.expand_dims": [{"dimensions": [0]}],
    "torch.index": [{"index": index} for index in INDICES],
    "torch.flip": [{"dims": [0]}],
    "torch.select": [{"dim": 0, "index": k} for k in ELEMENTS],
    "torch.narrow": [
        {"dim": 0, "start": b, "length": n} for b, n in product((-2, -1, 0, 2), (0, 1, 2)) if not b < 0 < b + n
    ],
    "torch.unsqueeze": [{"dim": 0}],
    "numpy.index": [{"index": index} for index in [*INDICES, np.s_[2::-1]]],
    "numpy.flip": [{"axis": [0]}],
    "numpy.squeeze": [{"axis": [0]}],
    "coreml.expand_dims": [{"axes": [0]}],
    "coreml.slice_by_index": [
        {"begin": [-2], "end": [3], "stride": [1], "squeeze_mask": [squeezed]} for squeezed in (0, 1)
    ],
}
"""For each function arguments of calls on an axis, which are an error on some dims."""


def test_every_function_has_arguments_here():
    assert {name for name, row in FUNCTIONS.items() if row.update is None} == ARGUMENTS.keys()
    assert KNOWN.keys() >= ARGUMENTS.keys()


def calls_of(function):
    return [Call(function, **arguments) for arguments in ARGUMENTS[function]]


# ---- brute force -----------------------------------------------------------------------------------------------------


def answers(chain):
    """Start, count and step of what steps take of each dim, and whether the axis is dropped; None for an error."""
    dropped = any(step.drops or step == UNIT for step in chain)
    results = (taken(chain, dim) for dim in range(SPAN))
    return dropped, tuple(None if isinstance(result, SliceError) else canonical(*result) for result in results)


def canonical(start, count, step):
    return (start if count else 0), count, (step if count > 1 else 1)


def behind(first, second):
    """The answers of two chains after each other."""
    found = []
    for one in first[1]:
        two = None if one is None else second[1][one[1]]
        found.append(two and canonical(one[0] + two[0] * one[2], two[1], one[2] * two[2]))
    return second[0], tuple(found)


def words(to):
    """Steps that a target can say, as its own functions are read."""
    abilities = TARGETS[to].abilities
    rule = abilities.rules[0]
    strides = (1, 2, -1, -2) if abilities.reverse else (1, 2)
    yield from (Step(rule, b, e, s) for b, e, s in product(BOUNDS, BOUNDS, strides))
    yield REVERSED
    if abilities.exact == "xla":
        yield from (Step("xla", b, None if s < 0 else b + s) for b, s in product(range(4), range(-1, 4)))
    if abilities.exact == "in_dim":
        narrow = [call.arguments for call in calls_of("torch.narrow")]
        yield from (Step("narrow", row["start"], row["start"] + row["length"]) for row in narrow)
    if abilities.elements:
        yield from (Step("in_dim", k, None if k == -1 else k + 1) for k in range(-3, 4))
    if abilities.windows:
        yield from (Step("window", b, b + s) for b, s in product(range(4), range(4)))
    if abilities.drops or abilities.windows:
        yield from (Step(rule, k, None, 1, True) for k in range(-3, 4))
    if abilities.squeezes or not abilities.drops:
        yield UNIT


@cache
def reachable(to):
    """What up to two steps give."""
    ones = {answers(()): ()}
    for step in words(to):
        ones.setdefault(answers((step,)), (step,))
    found = dict(ones)
    for first, second in product(ones, ones):
        if not first[0]:
            found.setdefault(behind(first, second), ones[first] + ones[second])
    return found


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("function", ARGUMENTS)
def test_what_brute_force_finds_is_converted_and_the_own_function_always_is(function, to):
    for call in calls_of(function):
        program = program_of([call], 1)
        axes = [axis for axis in program.kept + program.dropped if axis.origin == 0]
        own = function.partition(".")[0] == to.partition(".")[0]
        try:
            conversion = convert(call, to, [None])
        except ssop.ConversionError as error:
            assert error.label == "cv_c7" and not own, (call, error)
            if len(program.kept) + len(program.dropped) == 1:
                found = reachable(to).get(answers(axes[0].chain))
                made_again = TARGETS[to].abilities.elements and found and found[0].rule == "in_dim"
                assert found is None or (made_again and len(found) == 2), (call, found)
            continue
        except ssop.SliceError as error:
            assert error.label == "cv_c5"
            continue
        assert equal(call, [*conversion.calls] or np.s_[:], [None]), (call, conversion)
        for dim in range(8):
            x = np.arange(dim)
            assert run(conversion, x) == run(call, x), (call, dim, str(conversion))


def run(function, x, **values):
    try:
        return function(x, **values).tolist()
    except (SliceError, ValueError):  # NumPy's squeeze raises ValueError
        return None


# ---- what is written -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("calls", "to", "text"),
    [
        (Call("torch.narrow", dim=1, start=2, length=3), "tf", "y = tf.slice(x, begin=[0, 2], size=[-1, 3])"),
        (Call("tf.slice", begin=[2, 0], size=[3, -1]), "torch", "y = torch.narrow(x, dim=0, start=2, length=3)"),
        (Call("tf.slice", begin=[2, 1], size=[-1, 4]), "tflite", "y = tf.slice(x, begin=[2, 1], size=[-1, 4])"),
        (
            [Call("torch.narrow", dim=0, start=2, length=3), np.s_[..., None, 0]],
            "tf",
            "y = tf.slice(x, begin=[2, 0], size=[3, -1])\n"
            "y = tf.strided_slice(y, begin=[0, 0, 0], end=[0, 0, 1], strides=[1, 1, 1], begin_mask=1, end_mask=1, "
            "new_axis_mask=2, shrink_axis_mask=4)",
        ),
        (
            Call("xla.slice_in_dim", start_index=-3, limit_index=None, stride=2),
            "tf",
            "y = tf.strided_slice(x, begin=[-3], end=[0], strides=[1], end_mask=1)\n"
            "y = tf.slice(y, begin=[0, 0], size=[3, -1])\n"
            "y = tf.strided_slice(y, begin=[0], end=[0], strides=[2], begin_mask=1, end_mask=1)",
        ),
        (
            Call("xla.slice_in_dim", start_index=2, limit_index=-1),
            "tf",
            "y = tf.slice(x, begin=[2, 0], size=[-1, -1])\n"
            "y = tf.strided_slice(y, begin=[0], end=[0], strides=[-1], begin_mask=1, end_mask=1)\n"
            "y = tf.slice(y, begin=[1, 0], size=[-1, -1])\n"
            "y = tf.strided_slice(y, begin=[0], end=[0], strides=[-1], begin_mask=1, end_mask=1)",
        ),
        (
            Call("xla.dynamic_slice", start_indices=[2, 0], slice_sizes=[3, 0]),
            "torch",
            "y = x[0:5]\ny = torch.narrow(y, dim=0, start=-3, length=3)\ny = y[:, 0:0]",
        ),
        (
            Call("xla.slice", start_indices=["i", 0], limit_indices=["i + 3", 2]),
            "tf",
            "y = tf.slice(x, begin=[i, 0], size=[3, 2])",
        ),
        (
            Call("torch.narrow", dim=1, start=2, length=1),
            "onnx",
            "y = Slice(x, starts=[2], ends=[3], axes=[1])\ny = Squeeze(y, axes=[1])\ny = Unsqueeze(y, axes=[1])",
        ),
        (
            [Call("torch.narrow", dim=0, start=-1, length=1), np.s_[:, None, 1:]],
            "numpy",
            "y = x[-1]\ny = y[None]\ny = y[:, None, 1:]",
        ),
        (Call("xla.slice", start_indices=[2, 1], limit_indices=[3, 2]), "numpy", "y = x[2, 1]\ny = y[None, None]"),
        (Call("torch.narrow", dim=1, start="i", length=3), "torch", "y = torch.narrow(x, dim=1, start=i, length=3)"),
    ],
    ids=lambda item: "-".join(str(item).replace("\n", " ").split()[:3]),
)
def test_functions_that_are_errors_outside_the_axis(calls, to, text):
    conversion = convert(calls, to, [None, None])
    assert str(conversion) == text
    convert.verify(conversion.certificate)


ELEMENTS = [
    Call("torch.narrow", dim=1, start=2, length=1),
    Call("torch.narrow", dim=0, start=-2, length=1),
    Call("xla.slice", start_indices=[2, 1], limit_indices=[3, 2]),
    Call("xla.slice", start_indices=[1, 0], limit_indices=[3, 1], strides=[2, 1]),
    Call("xla.dynamic_slice", start_indices=[0, 2], slice_sizes=[1, 1]),
    Call("tflite.strided_slice", begin=[-3, 1], end=[1, -1], strides=[1, -1], offset=True),
    Call("tflite.strided_slice", begin=[1, -9], end=[1, 2], strides=[1, 2], end_mask=3, offset=True),
]


@pytest.mark.parametrize("to", ["onnx", "numpy", "coreml"])
@pytest.mark.parametrize("behind", [np.s_[:], np.s_[None], np.s_[:, None], np.s_[0], np.s_[:, ::-1]], ids=str)
def test_one_element_that_may_be_outside_is_dropped_and_made_again(to, behind):
    for call in ELEMENTS:
        conversion = convert([call, behind], to, [None, None])
        convert.verify(conversion.certificate)
        for dims in product(range(5), repeat=2):
            x = np.arange(np.prod(dims)).reshape(dims)
            wanted = run(lambda x, call=call: Call("numpy.index", index=behind)(call(x)), x)
            assert run(conversion, x) == wanted, (call, dims, str(conversion))


def test_openvino_reads_what_is_no_element_and_has_the_precondition():
    with pytest.raises(ssop.ConversionError) as caught:
        convert(ELEMENTS[0], "openvino", [None, None])
    assert caught.value.precondition == {1: (3, None)}


def test_a_window_with_a_run_time_start_is_an_error_on_a_short_axis_of_torch_and_tensorflow_too():
    window = Call("xla.dynamic_slice", start_indices=["i"], slice_sizes=[4])
    for to in ("torch", "tf"):
        conversion = convert(window, to, [None], check="runtime")
        for dim, i in product((0, 3, 4, 6), (-9, -1, 0, 1, 9)):
            assert run(conversion, np.arange(dim), i=i) == run(window, np.arange(dim), i=i)
    assert str(convert(window, "torch", ["n"], check="runtime")) == (
        "start0 = max(0, min(i, x.shape[0] - 4))\ny = torch.narrow(x, dim=0, start=start0, length=4)"
    )


def test_a_narrow_from_behind_the_axis_does_not_go_on_at_its_begin():
    narrow = Call("torch.narrow", dim=0, start="i", length=2)
    assert narrow(np.arange(4), i=-2).tolist() == [2, 3]
    for dim, i in ((1, -1), (3, -1), (3, -4), (3, 2)):  # torch raises an error for these
        with pytest.raises(SliceError):
            narrow(np.arange(dim), i=i)


def test_cv_c4_a_function_with_an_entry_for_each_axis_needs_the_rank():
    narrow = Call("torch.narrow", dim=0, start=2, length=3)
    with pytest.raises(ssop.SliceValueError, match="tf.slice has an entry for each axis: give a shape") as caught:
        convert(narrow, "tf")
    assert caught.value.label == "cv_c4"
    assert str(convert(narrow, "torch")) == "y = torch.narrow(x, dim=0, start=2, length=3)"
    assert str(convert(Call("tf.slice", begin=[2], size=[3]), "tflite")) == "y = tf.slice(x, begin=[2], size=[3])"
