"""One broken call for every rule of `ssop.inspect`."""

import ssop
from ssop._inspect.inspection import inspected
from ssop._inspect.pasted import parse_node
from ssop._inspect.records import Model
from unit.error_case import Case

EMPTY = Model("empty.onnx", "onnx", "ONNX", ())
FORMATS = "onnx, tflite, stablehlo, tensorflow, openvino"
TARGETS = "tflite-gpu, xnnpack, tflm, ort, ort-web, tensorrt, openvino, coreml, opencv"

AT_RUN_TIME = ssop.inspect.node("Slice(starts=s, ends=[1])").nodes[0]

INSPECTIONS = [
    Case("im_c1", "inspect", (ssop.inspect, b"no model"),
         "the bytes: the format is not known: give it as `format`", value="the bytes"),
    Case("im_c1", "inspect", (ssop.inspect, 3),
         "builtins.int is no model: give a path, bytes, or an object of a format's library"),
    Case("im_c2", "inspect", (ssop.inspect, b"", {"format": "caffe"}),
         f"format is 'caffe', not one of {FORMATS}", value="caffe"),
    Case("im_c2", "inspect", (ssop.inspect, EMPTY, {"target": "abacus"}),
         f"'abacus' is no target: {TARGETS}", value="abacus"),
    Case("im_c2", "inspect", (inspected, EMPTY, {"only": "Slice_3"}),
         "no slicing node is named 'Slice_3'; there are none", value="Slice_3"),
    Case("im_c4", "inspect", (inspected(EMPTY).to_svg,),
         "a picture is of one node, and there are 0; `only` says which: none"),
    Case("im_c3", "inspect", (parse_node, "Slice(starts=[0], axes=[1])"),
         "Slice: ends missing for onnx.slice(starts, ends, axes, steps)"),
    Case("im_c3", "inspect", (parse_node, "Slice(x, [0], [1])"),
         "Slice needs its arguments by name, or the framework before it: onnx.slice(starts, ends, axes, steps) or "
         "openvino.slice(start, stop, step, axes) or tf.slice(begin, size)"),
    Case("im_c5", "inspect", (ssop.convert, AT_RUN_TIME, "xla"),
         "node 'y' has no calls: unknown: starts: known at run time only (? from input)"),
]  # fmt: skip
