"""One broken call for every rule of `ssop.convert`."""

import numpy as np

import ssop
from unit.error_case import Case

convert, Call = ssop.convert, ssop.convert.Call
TARGETS = "tf, tflite, openvino, openvino.slice, onnx, xla, torch, numpy, coreml"
TO_TF = ssop.convert(np.s_[1:], to="tf")
TO_ONNX = ssop.convert(np.s_[::2], to="onnx", shape=[3])

CONVERSIONS = [
    Case("cv_c1", "convert", (convert, np.s_[0], "keras"), f"to is 'keras', not one of {TARGETS}", value="keras"),
    Case("cv_c1", "convert", (convert, np.s_[0], None), f"to is None, not one of {TARGETS}"),
    Case("cv_c2", "convert", (Call, "tf.slice", {"begin": [0]}),
         "tf.slice needs 'size': its arguments are begin, size"),
    Case("cv_c2", "convert", (Call, "tf.slice", {"begin": [0], "size": [1], "axes": [0]}),
         "tf.slice has no argument 'axes': its arguments are begin, size"),
    Case("cv_c2", "convert", (convert, Call("onnx.slice", starts=[1], ends=[2, 3]), "tf"),
         "lists of one length are needed, not 1 starts, 2 ends, 1 axes, 1 steps"),
    Case("cv_c2", "convert", (convert, Call("onnx.slice", starts=[1, 1], ends=[2, 2], axes=[0, 0]), "tf"),
         "entry 1: axis 0 is listed twice", entry=1, value=0),
    Case("cv_c2", "convert", (convert, Call("torch.flip", dims=[-3]), "tf", [1, 2]),
         "dims -3 is not in -2..1", value=-3, allowed=(-2, 1)),
    Case("cv_c2", "convert", (convert, np.s_[1:], "tf", [None], {"assume": {1: 3}}),
         "assume has axis 1, not in 0..0", value=1, allowed=(0, 0)),
    Case("cv_c2", "convert", (convert, np.s_[1:], "tf", [4], {"assume": {0: 3}}),
         "axis 0: no dim of the shape is as assumed: 3 and 4", axis=0),
    Case("cv_c3", "convert", (convert, {"begin": [1]}, "tf"),
         'calls is a dict, which does not say whose function it calls: Call("tf.strided_slice", **arguments)',
         value={"begin": [1]}),
    Case("cv_c3", "convert", (convert, np.s_[1:], "tf", {"assume": 3}),
         "assume is an int, not a dict from axes to dims such as {0: (3, None)}", value=3),
    Case("cv_c4", "convert", (convert, np.s_[..., 1], "onnx"),
         "an ellipsis stands for all axes that no other entry names: give a shape, of which any dims may be unknown"),
    Case("cv_c4", "convert", (convert, Call("torch.flip", dims=[-1]), "onnx"),
         "dims -1 counts from the last axis: give a shape, of which any dims may be unknown"),
    Case("cv_c5", "convert", (convert, np.s_[:, 7], "tf", [None, 3]),
         "the calls are an error on every shape (?, 3), by axis 1", axis=1),
    Case("cv_c7", "convert", (convert, np.s_[:, -3:], "xla", ["n", (2, None)]),
         "axis 1: no call of xla is equal for every dim in 2..; the nearest is equal if the dim is at least 3, and "
         "differs on shape (0, 2)", axis=1),
    Case("cv_c8", "convert", (convert.verify, {"certificate": {"format": 2}}), "a certificate of format 1 is needed"),
    Case("cv_c8", "convert", (convert.verify, {"certificate": {**TO_TF.certificate, "axes": None}}),
         "the certificate cannot be read: TypeError: 'NoneType' object is not iterable"),
    Case("cv_c6", "convert", (TO_TF.to_onnx,), "the calls are those of tf, not of onnx", value="tf"),
    Case("cv_c6", "convert", (TO_ONNX.to_onnx, {"opset": 0}), "opset 0 is not in 1..24", value=0, allowed=(1, 24)),
    Case("cv_c6", "convert", (TO_ONNX.to_onnx, {"opset": 9}),
         "opset 9 has no steps, which Slice has from opset 10 on", value=9),
]  # fmt: skip
