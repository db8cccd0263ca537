"""`ssop.convert` of TFLite's strided slices with `offset`, whose ends count from the begins that are used (tfl_s4)."""

from itertools import product

import numpy as np
import pytest

import ssop
from ssop import SliceError

convert, equal = ssop.convert, ssop.convert.equal


def offset(begin, end, strides=None, **masks):
    return ssop.convert.Call("tflite.strided_slice", begin=begin, end=end, strides=strides, offset=True, **masks)


def run(function, x):
    try:
        return function(x).tolist()
    except SliceError:
        return None


@pytest.mark.parametrize(
    ("call", "to", "text"),
    [
        (offset([1], [4]), "tf", "y = tf.slice(x, begin=[1], size=[4])"),
        (offset([1], [4], [2]), "torch", "y = torch.narrow(x, dim=0, start=1, length=3)\ny = y[::2]"),
        (offset([1], [4], [2]), "xla", "y = jax.lax.slice_in_dim(x, start_index=1, limit_index=4, stride=2)"),
        (
            offset([2], [3], end_mask=1),  # an axis of 5 elements, and no other
            "torch",
            "y = x[2:]\ny = y[-3:3]\ny = torch.narrow(y, dim=0, start=0, length=3)",
        ),
        (
            offset([1, -2], [4, 9], shrink_axis_mask=2),
            "torch",
            "y = torch.narrow(x, dim=0, start=1, length=4)\ny = y[:, -2]",
        ),
    ],
    ids=str,
)
def test_what_is_written(call, to, text):
    dims = [None, (2, None)][: len(call.arguments["begin"])]
    conversion = convert(call, to, dims)
    assert str(conversion) == text
    convert.verify(conversion.certificate)


@pytest.mark.parametrize("to", ["onnx", "numpy", "openvino"])
def test_a_target_without_such_errors_has_the_precondition(to):
    with pytest.raises(ssop.ConversionError) as caught:
        convert(offset([-4], [3], [2]), to, [None])
    assert caught.value.counterexample == (0,) and caught.value.precondition == {0: (3, None)}
    conversion = convert(offset([-4], [3], [2]), to, [None], assume=caught.value.precondition)
    assert [conversion(np.arange(dim)).tolist() for dim in (3, 4, 9)] == [[0, 2], [0, 2], [5, 7]]


def test_an_end_before_the_axis_has_the_length_added():
    with pytest.raises(ssop.SliceValueError, match="cv_c5"):  # from 1 or 0, the end is always before the axis
        equal(offset([1], [-2], [-1]), np.s_[1::-1], [None])
    answer = equal(offset([2], [-2], [-1]), np.s_[2:0:-1], [(1, None)])
    assert answer.smallest == 1 and answer.precondition == {0: (3, None)}


@pytest.mark.parametrize("known", [True, False])
def test_two_axes_are_what_they_are_alone(known):
    ends = [(1, 2, 1), (-2, 2, 1), (2, -2, -1), (0, 0, 1)]
    for one, two in product(ends, ends):
        begin, end, strides = (list(numbers) for numbers in zip(one, two, strict=True))
        call = offset(begin, end, strides)
        for dims in product(range(5), repeat=2):
            x = np.arange(np.prod(dims)).reshape(dims)
            try:
                conversion = convert(call, "tf", dims if known else [None, None])
            except ssop.SliceValueError as error:
                assert error.label == "cv_c5" and run(call, x) is None
                continue
            assert run(conversion, x) == run(call, x), (call, dims)


def test_what_no_other_calls_say_is_a_call_of_tflite():
    call = offset([3], [2], [-1], end_mask=1)
    with pytest.raises(ssop.ConversionError, match="cv_c7"):
        convert(call, "tf", [None])
    conversion = convert(call, "tflite", [None])
    assert str(conversion) == "y = tfl.strided_slice(x, begin=[3], end=[2], strides=[-1], end_mask=1, offset=True)"
    convert.verify(conversion.certificate)
    with pytest.raises(ssop.ConversionError, match="cv_c7"):  # TFLite has numbers of int32
        convert(offset([2**31], [2], [-1], end_mask=1), "tflite", [None])


def test_a_call_for_one_rank_is_equal_on_shapes_of_this_rank():
    conversion = convert(offset([1], [4]), "tf")
    assert conversion.shape.known_rank
    with pytest.raises(ssop.SliceValueError, match="cv_c13"):
        conversion(np.zeros((9, 9)))
