"""One broken call for every rule of `ssop.convert`."""

import numpy as np

import ssop
from unit.error_case import Case

convert, Call = ssop.convert, ssop.convert.Call
TARGETS = "tf, tflite, openvino, openvino.slice, onnx, xla, torch, numpy, coreml"
TO_TF = ssop.convert(np.s_[1:], to="tf")
WINDOW = Call("xla.dynamic_slice", start_indices=["i"], slice_sizes=[4])
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
    Case("cv_c7", "convert", (convert, WINDOW, "onnx", [(4, 99)]),
         "axis 0: no call of onnx is equal for every dim in 4..99 and all run-time values; the nearest is equal if "
         "0 <= i <= dim - 4 or -dim <= i <= min(-dim, -5), and differs for dim 4 and i 1; check=\"runtime\" clamps the "
         "start", axis=0),
    Case("cv_c10", "convert", (convert, WINDOW, "onnx", [9], {"check": "never"}),
         "check is 'never', not None or 'runtime'", value="never"),
    Case("cv_c10", "convert", (convert(WINDOW, "torch", [9], check="runtime"), np.arange(9)),
         "the run-time values are i, not none"),
    Case("cv_c10", "convert", (WINDOW, np.arange(9), {"i": 1, "j": 2}), "the run-time values are i, not i, j"),
    Case("cv_c10", "convert", (Call, "torch.narrow", {"dim": 0, "start": "2 i", "length": 1}),
         "start has '2 i', which is neither a name, nor a name and a number such as 'i + 4'", value="2 i"),
    Case("cv_c10", "convert", (Call, "torch.narrow", {"dim": 0, "start": "x", "length": 1}),
         "start has a value with the name 'x', which is taken", value="x"),
    Case("cv_c10", "convert", (convert, Call("onnx.slice", starts=["max(0, min(i, x.shape[1] - 4))"], ends=[9]), "tf"),
         "a bound of axis 0 is clamped to x.shape[1]", axis=0),
    Case("cv_c10", "convert", (convert, WINDOW, "tf", [9], {"assume": {"i": (0, "n - 4")}}),
         "assume has the bound 'n - 4', which is not like 'dim', 'dim - 4' or 3", value="n - 4"),
    Case("cv_c10", "convert", (convert, WINDOW, "tf", [9], {"assume": {"i": (0, 1, 2)}}),
         "assume has (0, 1, 2) for i, not a number or a pair (at least, at most)", value=(0, 1, 2)),
    Case("cv_c6", "convert", (convert(WINDOW, "onnx", [9], check="runtime").to_onnx, {"opset": 12}),
         "opset 12 has no run-time values; 13 has", value=12),
    Case("cv_c6", "convert", (TO_TF.to_onnx,), "the calls are those of tf, not of onnx", value="tf"),
    Case("cv_c6", "convert", (TO_ONNX.to_onnx, {"opset": 0}), "opset 0 is not in 1..24", value=0, allowed=(1, 24)),
    Case("cv_c6", "convert", (TO_ONNX.to_onnx, {"opset": 9}),
         "opset 9 has no steps, which Slice has from opset 10 on", value=9),
    Case("cv_c2", "convert", (convert, Call("torch.index", index=np.s_[1:, ::-1]), "onnx", [2, 3]),
         "entry 1: step -1 is negative, which torch rejects", entry=1, value=-1),
    Case("sh_c24", "convert", (convert, np.s_[1:], "onnx", [2, -1]),
         f"shape: dim 1 is -1, not in 0..{2**63 - 1}; None is a dim that is not known", value=-1,
         allowed=(0, 2**63 - 1)),
    Case("sh_c24", "convert", (convert, np.s_[1:], "onnx", [2], {"assume": {0: -1}}),
         f"assume: dim 0 is -1, not in 0..{2**63 - 1}; None is a dim that is not known", value=-1,
         allowed=(0, 2**63 - 1)),
    Case("ss_c4", "strided_slice", (convert, np.s_[1:, 2:], "tf", [5]),
         "entry 1 has no axis: Index out of range using input dim 1; input has only 1 dims", axis=1, entry=1),
    Case("cv_c5", "convert", (convert, Call("torch.narrow", dim=0, start=1, length=9), "onnx", [3]),
         "the calls are an error on every shape (3), by axis 0", axis=0),
    Case("cv_c6", "convert", (TO_ONNX.to_onnx, {"dtype": "float8_e5m2"}), "ONNX has no slices of dtype float8_e5m2",
         value="float8_e5m2"),
    Case("cv_c6", "convert", (TO_ONNX.to_onnx, {"dtype": "bfloat16", "opset": 12}),
         "opset 12 has no bfloat16, which Slice has from opset 13 on", value=12),
    Case("cv_c9", "convert", (convert, np.s_[::-1], "torch", [3], {"dtype": "uint32"}),
         "torch.flip does not take uint32: it takes bfloat16, bool, complex128, complex64, float16, float32, float64, "
         "int16, int32, int64, int8, uint8", value="uint32"),
    Case("cv_c9", "convert", (convert, np.s_[1:], "tf", {"dtype": "brainfloat"}), "dtype 'brainfloat' is not known",
         value="brainfloat"),
    Case("cv_c9", "convert", (convert, np.s_[1:], "tflite", [3, (2**31, None)]),
         f"shape: dim 1 is at least {2**31}; tensors of the target have dims of at most {2**31 - 1}", axis=1,
         value=2**31, allowed=(0, 2**31 - 1)),
]  # fmt: skip
