"""`ssop.convert` with bounds that are known at run time: clamps, preconditions, code, and results for every value."""

import json
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import ssop
from ssop import SliceError
from ssop._convert.shape import read_shape
from ssop._convert.targets import TARGETS

Call, convert, equal = ssop.convert.Call, ssop.convert, ssop.convert.equal
IN_INT32 = (-(2**31), 2**31 - 1)
TARGETS_THAT_CLAMP = [to for to in TARGETS if to != "xla"]


def window(*starts, sizes):
    return Call("xla.dynamic_slice", start_indices=starts, slice_sizes=sizes)


def run(calls, x, **values):
    """The result as a list, or None for an error."""
    try:
        return calls(x, **values).tolist()
    except (SliceError, ValueError):  # NumPy's squeeze raises ValueError
        return None


@pytest.mark.parametrize("to", TARGETS)
def test_cv_s3_windows_are_equal_for_all_dims_and_starts(to):
    source = window("i", "j", sizes=[2, 3])
    shape, assume = [(2, None), (3, 2**31 - 2)], None
    if to.startswith("openvino"):  # which reads the low 32 bits of a value, also where it is clamped
        with pytest.raises(ssop.ConversionError, match="equal if -2147483648 <= i <= 2147483647") as caught:
            convert(source, to, shape, check="runtime")
        assert caught.value.values == {"i": 2**31}
        assume = {**caught.value.precondition, "j": IN_INT32}
    conversion = convert(source, to, shape, assume=assume, check="runtime")
    convert.verify(json.loads(json.dumps(conversion.certificate)))
    for rows, columns in product(range(2, 5), range(3, 6)):
        x = np.arange(rows * columns).reshape(rows, columns)
        for i, j in product(range(-6, 7), (-(2**63), -4, 0, 1, 2, 3, 2**63 - 1)):
            if assume is not None:
                j = max(-(2**31), min(j, 2**31 - 1))
            assert conversion(x, i=i, j=j).tolist() == source(x, i=i, j=j).tolist()


@pytest.mark.parametrize("to", TARGETS_THAT_CLAMP)
def test_cv_s3_without_a_clamp_it_is_an_error_with_the_precondition(to):
    with pytest.raises(ssop.ConversionError, match='check="runtime" clamps the start') as info:
        convert(window("i", sizes=[4]), to, [(4, 99)])
    error = info.value
    assert error.precondition == {"i": (0, "dim - 4")} and error.counterexample == (4,) and error.values == {"i": 1}
    conversion = convert(window("i", sizes=[4]), to, [(4, 99)], assume=error.precondition)
    assert "max" not in str(conversion).lower()
    for dim in range(4, 9):
        for i in range(dim - 3):
            assert conversion(np.arange(dim), i=i).tolist() == list(range(i, i + 4))


SOURCES = {
    "narrow": Call("torch.narrow", dim=0, start="i", length=2),
    "tf.slice": Call("tf.slice", begin=["i"], size=[2]),
    "tf.slice to the end": Call("tf.slice", begin=["i"], size=[-1]),
    "onnx": Call("onnx.slice", starts=["i"], ends=["i + 2"]),
    "onnx from the start": Call("onnx.slice", starts=[0], ends=["i"]),
    "tf": Call("tf.strided_slice", begin=["i"], end=["i + 2"], strides=[1]),
    "tf backwards": Call("tf.strided_slice", begin=["i"], end=[0], strides=[-1]),
    "element": Call("tf.strided_slice", begin=["i"], end=[0], strides=[1], shrink_axis_mask=1),
    "select": Call("torch.select", dim=0, index="i"),
    "index": Call("numpy.index", index=np.s_["i - 1":]),
    "window": window("i", sizes=[2]),
    "clamped": Call(
        "onnx.slice", starts=["max(0, min(i, x.shape[0] - 2))"], ends=["max(0, min(i, x.shape[0] - 2)) + 2"]
    ),
}


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("to", ["tf", "onnx", "xla", "torch", "openvino.slice", "tflite"])
def test_cv_s3_every_answer_is_that_of_brute_force(name, to):
    """Equal for all small dims and starts, or a counterexample and a precondition that brute force confirms."""
    source, assume = SOURCES[name], None
    try:
        conversion = convert(source, to, [(0, 99)], check="runtime")
    except ssop.ConversionError as error:
        assume = error.precondition
        nearest = None
        if assume is None:
            assert to in ("xla", "torch")  # slices whose length is not known, or backwards
            return
        conversion = convert(source, to, [(0, 99)], assume=assume, check="runtime")
        nearest = error.counterexample[0], error.values.get("i")
    low, high = (assume or {}).get("i", (None, None))
    least, most = (assume or {}).get(0, (0, None))
    compared = 0
    for dim in range(least, 8 if most is None else min(most, 7) + 1):
        for i in range(*meant(low, high, dim)):
            x = np.arange(dim)
            assert run(conversion, x, i=i) == run(source, x, i=i), (dim, i, str(conversion))
            compared += 1
    assert compared > 10
    if assume is not None:
        dim, i = nearest
        in_int32 = -(2**31) < i < 2**31 - 2  # LiteRT and OpenVINO read no others
        nearest = replace(conversion, shape=read_shape([(0, 99)]))  # also where it was not proved equal
        assert (not in_int32 and to in ("tflite", "openvino.slice")) or run(nearest, np.arange(dim), i=i) != run(
            source, np.arange(dim), i=i
        )


def meant(low, high, dim):
    """The range of values near an axis that an assumption allows."""
    low, high = (eval(bound.replace("dim", str(dim))) if isinstance(bound, str) else bound for bound in (low, high))
    return -10 if low is None else max(low, -10), 11 if high is None else min(high, 10) + 1


def test_programs_of_windows_are_not_those_of_added_starts():
    twice = [window("i", sizes=[5]), window(2, sizes=[3])]
    answer = equal(twice, window("i + 2", sizes=[3]), [(5, None)])
    assert not answer and answer.smallest == 5 and answer.values == {"i": -1}
    assert str(answer) == "different if dim 0 is 5 and i is -1; equal if 0 <= i <= 9223372036854775805"
    assert equal(twice, window("i + 2", sizes=[3]), [(5, None)], assume=answer.precondition)


def test_a_static_window_is_one_of_xla():
    assert str(convert(window(6, sizes=[3]), "xla", [(3, None)])) == (
        "y = jax.lax.dynamic_slice_in_dim(x, start_index=6, slice_size=3, allow_negative_indices=False)"
    )


def test_an_end_of_int32_max_is_open_in_onnx_runtime():
    long = str(convert(window("i", sizes=[4]), "onnx", [(4, None)], check="runtime"))
    assert long == (
        "start0 = Max(0, Min(i, Shape(x)[0] - 4))\n"
        "y = Slice(x, starts=[start0], ends=[9223372036854775807], axes=[0])\n"
        "y = Slice(y, starts=[0], ends=[4], axes=[0])"
    )
    assert str(convert(window("i", sizes=[4]), "onnx", [(4, 2**31 - 2)], check="runtime")) == (
        "start0 = Max(0, Min(i, Shape(x)[0] - 4))\ny = Slice(x, starts=[start0], ends=[start0 + 4], axes=[0])"
    )


def test_text_runs_as_python():
    x = np.arange(20).reshape(4, 5)
    conversion = convert(window("i", "start0", sizes=[2, 3]), "numpy", [(2, None), 5], check="runtime")
    names = {"x": x, "i": 9, "start0": -3}
    exec(str(conversion), names)
    np.testing.assert_array_equal(names["y"], x[2:, :3])
    assert repr(conversion.source[0]) == (
        "Call('xla.dynamic_slice', start_indices=['i', 'start0'], slice_sizes=[2, 3])"
    )


def test_certificates_state_what_is_assumed():
    certificate = convert(window("i", sizes=[4]), "tf", assume={"i": (0, "dim - 4")}).certificate
    assert certificate["values"] == {"i": [0, "dim - 4"]}
    convert.verify(json.loads(json.dumps(certificate)))
    with pytest.raises(ssop.SliceValueError, match="not equal"):
        convert.verify({**certificate, "values": {"i": [0, "dim - 3"]}})
