"""Strides that are known only at run time (cv_s3): proofs for all of them, against brute force."""

from itertools import product

import numpy as np
import pytest

import ssop
from ssop import SliceError
from ssop._convert.rules import INT64_MAX, INT64_MIN
from ssop._convert.targets import TARGETS

Call, convert, equal = ssop.convert.Call, ssop.convert, ssop.convert.equal

BOUNDS = (None, -9, -2, 0, 1, 3)
STRIDES = (-5, -3, -2, -1, 1, 2, 3, 5)
DIMS = (0, 1, 2, 3, 6, 10)


def answer(calls, x, **values):
    try:
        return calls(x, **values).tolist()
    except SliceError:
        return None


def allowed(assume):
    """The strides that an assumption allows."""
    least, most = (assume or {}).get("s", (None, None))
    low, high = INT64_MIN if least is None else least, INT64_MAX if most is None else most
    return [stride for stride in STRIDES if low <= stride <= high]


def dims(assume):
    least, most = (assume or {}).get(0, (0, None))
    return [dim for dim in DIMS if least <= dim and (most is None or dim <= most)]


def converted_as_assumed(source, to, assume):
    """The conversion, and what it assumes: OpenVINO has strides of int32, and some calls of its own for one sign."""
    try:
        return assume, convert(source, to, [None], assume=assume)
    except ssop.ConversionError as error:
        assert to.startswith("openvino") and error.precondition == {"s": (1, None)}
        assume = {"s": (1, 2**31 - 1)}
        return assume, convert(source, to, [None], assume=assume)


@pytest.mark.parametrize("to", TARGETS)
def test_conversions_are_equal_for_every_stride_and_errors_say_for_which(to):
    converted = 0
    for begin, end in product(BOUNDS, BOUNDS):
        source = Call("numpy.index", index=np.s_[begin:end:"s"])
        assume = None
        try:
            conversion = convert(source, to, [None])
        except ssop.ConversionError as error:
            if to in ("xla", "coreml"):
                assert "constant strides" in error.reason
                continue
            assert error.values["s"] not in allowed(error.precondition), error
            assume, conversion = converted_as_assumed(source, to, error.precondition)
        convert.verify(conversion.certificate)
        for dim, stride in product(dims(assume), allowed(assume)):
            x = np.arange(dim)
            assert answer(conversion, x, s=stride) == answer(source, x, s=stride), (str(conversion), dim, stride)
            converted += 1
    assert converted > 400 or to in ("xla", "coreml")


RULES = {
    "tf": lambda b, e: Call("tf.strided_slice", begin=[b], end=[e], strides=["s"]),
    "openvino": lambda b, e: Call(
        "openvino.strided_slice", begin=[b], end=[e], strides=["s"], begin_mask=[0], end_mask=[0]
    ),
    "onnxruntime": lambda b, e: Call("onnx.slice", starts=[b], ends=[e], steps=["s"], engine="ort"),
}


@pytest.mark.parametrize("assume", [None, {"s": (2, 3)}, {"s": (None, -2)}, {"s": (0, None)}], ids=str)
def test_answers_are_those_of_brute_force(assume):
    unequal = undecided = 0
    for one, two in product(RULES, RULES):
        for (b, e), (c, f) in product([(-9, 3), (-2, 0), (1, 3)], [(-9, 3), (1, 3), (1, 4)]):
            calls = RULES[one](b, e), RULES[two](c, f)
            differs = [
                (dim, stride)
                for dim, stride in product(range(16), allowed(assume))
                if answer(calls[0], np.arange(dim), s=stride) != answer(calls[1], np.arange(dim), s=stride)
            ]
            try:
                found = equal(*calls, assume=assume)
            except SliceError as error:
                assert "which is not meant" in str(error) and assume is not None
                undecided += 1
                continue
            assert bool(found) == (not differs), (calls, assume, str(found), differs)
            if not found:
                assert (found.smallest, found.values["s"]) in differs
                unequal += 1
    assert unequal > 20 and undecided <= 20


def test_a_stride_of_one_side_is_told_apart_or_not_decided():
    answer = equal(np.s_[1::"s"], np.s_[1::2])
    assert (answer.smallest, answer.values) == (3, {"s": 1}) and equal(np.s_[1::"s"], np.s_[1::2], assume={"s": 2})
    with pytest.raises(ssop.SliceValueError, match="stride unknown: s is the stride of one side alone"):
        equal(np.s_[0:1:"s"], np.s_[0:1], assume={"s": (1, None)})
    with pytest.raises(ssop.SliceValueError, match="stride unknown: s and t are two strides"):
        equal(np.s_[::"s"], np.s_[::"t"])


def test_strides_and_bounds_may_both_be_names():
    conversion = convert(np.s_["i":"j":"s", 0], to="tf", shape=["n", 3])
    assert str(conversion) == ("y = tf.strided_slice(x, begin=[i, 0], end=[j, 1], strides=[s, 1], shrink_axis_mask=2)")
    x = np.arange(30).reshape(10, 3)
    assert conversion(x, i=8, j=1, s=-3).tolist() == x[8:1:-3, 0].tolist()
    assert repr(Call("numpy.index", index=np.s_[::"s"])) == "Call('numpy.index', index=[slice(None, None, 's')])"


def test_numbers_outside_int32_are_no_strides_of_tflite_and_openvino():
    for to in ("tflite", "openvino", "openvino.slice"):
        with pytest.raises(ssop.ConversionError) as caught:
            convert(np.s_[::"s"], to)
        assert caught.value.precondition == {"s": (-(2**31), 2**31 - 1)}
        assumed = caught.value.precondition if to != "openvino.slice" else {"s": (1, 2**31 - 1)}  # it has no masks
        assert convert(np.s_[::"s"], to, assume=assumed).calls
    with pytest.raises(ssop.ConversionError, match="the nearest is equal if never"):
        convert(np.s_[::"s"], "torch", assume={"s": (None, -1)})
