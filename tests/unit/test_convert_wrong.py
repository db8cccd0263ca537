"""Wrong arguments of `ssop.convert`: each is one line that says what is wrong, where, and what is allowed."""

import numpy as np
import pytest

import ssop

Call, convert = ssop.convert.Call, ssop.convert


def xla(**arguments):
    return Call("xla.slice_in_dim", start_index=0, limit_index=2, **arguments)


WRONG = {
    "a shape of text": (lambda: convert(np.s_[1:], "tf", "8"), "shape is a str, not a sequence"),
    "a dim of -1": (lambda: convert(np.s_[1:], "tf", [3, -1]), "shape: dim 1 is -1, not in 0.."),
    "a dim that is a float": (lambda: convert(np.s_[1:], "tf", [2.5]), "convert: shape: dim 0 is a float, not a dim"),
    "a dim beyond int64": (lambda: convert(np.s_[1:], "tf", [2**63]), "convert: shape: dim 0 does not fit int64"),
    "an empty interval": (
        lambda: convert(np.s_[1:], "tf", [(5, 2)]),
        "convert: shape: dim 0, (5, 2) is not an interval",
    ),
    "an interval of three": (lambda: convert(np.s_[1:], "tf", [(1, 2, 3)]), "shape: dim 0 has 3 numbers, not 2"),
    "too few dims": (lambda: convert(np.s_[1:, 2], "tf", [5]), "entry 1 has no axis"),
    "another rank": (
        lambda: convert(Call("tf.slice", begin=[1], size=[2]), "tf", [5, 5]),
        "not 1 begin and 1 size for rank 2",
    ),
    "an unknown target": (lambda: convert(np.s_[1:], "TF"), "to is 'TF', not one of tf, tflite"),
    "an index as text": (
        lambda: convert("[1:]", "tf"),
        "calls is the text '[1:]'; calls are a slice such as np.s_[1:5]",
    ),
    "an empty list": (lambda: convert([], "tf"), "calls is an empty list; calls are"),
    "an array of indices": (lambda: convert(np.s_[[1, 2]], "tf"), "a list of integers, which are an array of indices"),
    "a float": (lambda: convert(1.5, "tf"), "entry 0 of the index is a float"),
    "a step of 0": (lambda: convert(np.s_[::0], "tf"), "stride 0"),
    "an element outside": (
        lambda: convert(np.s_[7], "tf", [3]),
        "the calls are an error on every shape (3), by axis 0",
    ),
    "an element beyond int64": (lambda: convert(np.s_[2**70], "tf"), "does not fit int64"),
    "two ellipses": (lambda: convert((..., ...), "tf", [3]), "more than one bit"),
    "lists of unequal length": (lambda: convert(Call("onnx.slice", starts=[1], ends=[1, 2]), "tf"), "1 starts, 2 ends"),
    "a negative length": (
        lambda: convert(Call("torch.narrow", dim=0, start=1, length=-1), "tf"),
        "length -1 is negative",
    ),
    "a stride of XLA of 0": (lambda: convert(xla(stride=0), "tf"), "stride 0 is not positive"),
    "a stride of XLA of -1": (lambda: convert(xla(stride=-1), "tf"), "stride -1 is not positive"),
    "strides of XLA": (
        lambda: convert(Call("xla.slice", start_indices=[0], limit_indices=[2], strides=[-2]), "tf"),
        "stride -2 is not positive",
    ),
    "a mask of CoreML": (
        lambda: convert(Call("coreml.slice_by_index", begin=[0], end=[2], begin_mask=[0, 1]), "tf"),
        "begin_mask has 2 bits, not one for each entry",
    ),
    "an axis outside": (lambda: convert(Call("tf.reverse", axis=[3]), "tf", [1, 2]), "axis 3 is not in -2..1"),
    "a missing argument": (lambda: Call("tf.slice", begin=[0]), "tf.slice needs 'size': its arguments are begin, size"),
    "an unknown function": (lambda: Call("torch.gather"), "those of torch are torch.index, "),
    "an unknown framework": (lambda: Call("keras.slice"), "there are those of tf, tflite, openvino, onnx, xla, torch"),
    "an unknown dtype": (lambda: convert(np.s_[1:], "tf", dtype="floot"), "dtype 'floot' is not known"),
    "a dtype that is not taken": (
        lambda: convert(np.s_[1:], "onnx", dtype="complex64"),
        "onnx.slice does not take complex64",
    ),
    "an opset without steps": (lambda: convert(np.s_[::2], "onnx").to_onnx(opset=9), "opset 9 has no steps"),
    "an opset of 0": (lambda: convert(np.s_[1:], "onnx").to_onnx(opset=0), "opset 0 is not in 1.."),
    "another target's object": (lambda: convert(np.s_[1:], "tf").to_onnx(), "the calls are those of tf, not of onnx"),
    "an assumed axis": (lambda: convert(np.s_[1:], "tf", assume={5: 1}), "assume has axis 5, not in 0..0"),
    "an assumption that contradicts": (
        lambda: convert(np.s_[1:], "tf", [3], assume={0: (5, None)}),
        "axis 0: no dim of the shape is as assumed: (5, None) and 3",
    ),
    "an empty interval of a value": (
        lambda: convert(np.s_["i":], "tf", [3], assume={"i": (5, 2)}),
        "assume has (5, 2) for i, and no number is at least 5 and at most 2",
    ),
    "a certificate that is none": (lambda: convert.verify("x"), "a certificate of format 1 is needed"),
    "dims of TFLite": (lambda: convert(np.s_[1:], "tflite", [2**31]), "dims of at most 2147483647"),
    "a value that is missing": (lambda: convert(np.s_["i":], "tf")(np.zeros(3)), "the run-time values are i, not none"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_one_line(name):
    call, text = WRONG[name]
    with pytest.raises(ssop.SliceError) as caught:
        call()
    assert text in str(caught.value) and "\n" not in str(caught.value) and caught.value.label
