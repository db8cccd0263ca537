"""A story for each hazard: what somebody had, a minimal node that shows it, what to write, and a node that is well.

`ssop inspect --about`, SARIF logs, docs/howto/inspect.md and the tests are made of these rows.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import replace
from typing import NamedTuple

from ssop._inspect.hazards import DIFFERENT, HAZARDS, REJECTED, Hazard
from ssop._inspect.pasted import model_of_node
from ssop._inspect.records import Model

GITHUB = "https://github.com/"


class Example(NamedTuple):
    """Nodes as `ssop inspect --node` takes them."""

    nodes: tuple[str, ...]
    """Of one model."""
    other: str | None = None
    """The node of a second model, which stands in the place of the only one of the first."""
    target: str | None = None


class Story(NamedTuple):
    """What is told about a hazard, in Markdown."""

    label: str
    title: str
    had: str
    shown: Example
    instead: str
    silent: Example

    @property
    def hazard(self) -> Hazard:
        """The hazard that the story is about."""
        return next(hazard for hazard in (*HAZARDS, REJECTED, DIFFERENT) if hazard.label == self.label)


def one(node: str, target: str | None = None) -> Example:
    """An example of one node."""
    return Example((node,), target=target)


def two(first: str, second: str) -> Example:
    """An example of two models."""
    return Example((first,), second)


def link(place: str, text: str = "") -> str:
    """A thread of a code host: link("onnx/onnx/issues/3063") shows "onnx 3063"."""
    _, repository, _, number = place.split("/")
    return f"[{text or f'{repository} {number}'}]({GITHUB}{place})"


STORIES = (
    Story(
        "hz_s1",
        "One node, one or no element",
        "ONNX's text and its code disagreed about a start outside the axis with a negative step "
        f"({link('onnx/onnx/issues/3063')}). Engines still do: a converted `x[-9::-1]` of five elements gives one "
        "element in ONNX Runtime, and none in TensorFlow.",
        one("Slice(starts=[-3], ends=[INT64_MIN], axes=[0], steps=[-1], shape=[n])"),
        "Start at -1, or inside the axis. If the dim is always great enough, write it into the model.",
        one("Slice(starts=[-1], ends=[INT64_MIN], axes=[0], steps=[-1], shape=[n])"),
    ),
    Story(
        "hz_s2",
        "The first dim of a scalar",
        "A program takes element 0 of a shape that has none, because the operand is a scalar. TensorFlow says "
        '"slice index 0 of dimension 0 out of bounds" when it comes to the line '
        f"({link('tensorflow/tensorflow/issues/42091')}). In a model nobody sees it before it runs.",
        one("StridedSlice(begin=[0], end=[1], strides=[1], shrink_axis_mask=1, shape=[0])"),
        "No bounds help. Look at what makes the operand: it has lost an axis, or the node is never run.",
        one("StridedSlice(begin=[0], end=[1], strides=[1], shrink_axis_mask=1, shape=[2])"),
    ),
    Story(
        "hz_s3",
        "A flip that does not load",
        f"A segmentation network was converted to ONNX, and OpenCV stopped with `step >= 1` "
        f"({link('opencv/opencv/issues/22794')}). In torch, `x[::-1]` is an error before any export "
        f"({link('pytorch/pytorch/issues/35295')}).",
        one("Slice(starts=[-1], ends=[INT64_MIN], axes=[3], steps=[-1], shape=[1, 3, 224, 224])"),
        "Take a forward slice and reverse it: `tf.reverse`, `stablehlo.reverse`, `torch.flip`. ONNX has no such "
        "operator; where the engine has no negative steps, Gather with the indices 223 to 0 does it.",
        one("Slice(starts=[0], ends=[INT64_MAX], axes=[3], steps=[2], shape=[1, 3, 224, 224])"),
    ),
    Story(
        "hz_s4",
        "Everything in one engine, nothing in the others",
        "A test of ONNX Runtime reverses by an end of INT_MAX. By ONNX's text the result is empty "
        f"({link('microsoft/onnxruntime/issues/11107')}). Somebody met such a node with OpenVINO, and got no element "
        f"({link('openvinotoolkit/openvino/pull/30906')}).",
        one("Slice(starts=[-1], ends=[INT_MAX], axes=[0], steps=[-1], shape=[n])"),
        "The open end of a negative step is INT64_MIN. The call below `instead` is equal to ONNX's text: empty.",
        one("Slice(starts=[-1], ends=[INT64_MIN], axes=[0], steps=[-1], shape=[n])"),
    ),
    Story(
        "hz_s5",
        "An embedding cut to the input's length",
        "`pos_emb[:, :x.shape[1]]` has an end that is computed from the input. A converter to TensorRT could not "
        f"take it ({link('pytorch/TensorRT/issues/2334', 'Torch-TensorRT 2334')}). Another one read such bounds "
        f"without their sign, so that negative ones became huge ({link('tracel-ai/burn-onnx/pull/526')}).",
        one("Slice(starts=[0], ends=[length], axes=[1], shape=[1, 5000, 768])"),
        "If the length is fixed, export with it: the end is then a constant. Else ask `--target` whether the engine "
        "takes bounds at run time.",
        one("Slice(starts=[0], ends=[128], axes=[1], shape=[1, 5000, 768])"),
    ),
    Story(
        "hz_s6",
        "A crop that is centred for one width",
        "A centre crop computes its offset from the width. It was exported with one width, and the offset became a "
        f"constant: other widths are cropped beside the centre, without an error "
        f"({link('pytorch/pytorch/issues/28611')}). Export again with another size, and compare.",
        two(
            "Slice(starts=[3], ends=[7], axes=[3], shape=[1, 3, 6, 10])",
            "Slice(starts=[5], ends=[9], axes=[3], shape=[1, 3, 6, 14])",
        ),
        "Export with `dynamic_shapes`, or `dynamic_axes` in older versions, and compute with `x.shape` itself: `int()` "
        "and NumPy make constants.",
        two(
            "Slice(starts=[3], ends=[7], axes=[3], shape=[1, 3, 6, 10])",
            "Slice(starts=[3], ends=[7], axes=[3], shape=[1, 3, 6, 14])",
        ),
    ),
    Story(
        "hz_s7",
        "The last element is gone",
        "`torch.narrow(x, -1, -1, 1)` takes the last element. A converter computed the end: -1 + 1 is 0, which is an "
        "absolute index. The model returned an empty array, without an error "
        f"({link('apple/coremltools/pull/2774')}).",
        one("strided_slice(begin=[-1], end=[0], strides=[1], shape=[4])"),
        "Leave the end open: by a bit of `end_mask`, or by INT64_MAX in ONNX.",
        one("strided_slice(begin=[-1], end=[0], strides=[1], end_mask=1, shape=[4])"),
    ),
    Story(
        "hz_s8",
        "At most 128",
        "`x[:, 1:128]` means at most up to 128, since frameworks clamp. TensorRT took no end beyond the dim from "
        f"Paddle ({link('PaddlePaddle/Paddle/pull/35357')}), and Torch-TensorRT wrote it into the engine as it stood "
        f"({link('pytorch/TensorRT/issues/4607', 'Torch-TensorRT 4607')}).",
        one("Slice(starts=[1], ends=[128], axes=[1], shape=[1, 64])"),
        "Write the dim, or an open end.",
        one("Slice(starts=[1], ends=[INT64_MAX], axes=[1], shape=[1, 64])"),
    ),
    Story(
        "hz_s9",
        "Valid, and not imported",
        "A Slice with one start and two axes passed `onnx.checker`, which does not look at lists that are inputs. "
        f"TensorRT's parser does not import it ({link('NVIDIA/TensorRT/issues/4470')}).",
        one("Slice(starts=[0], ends=[1], axes=[0, 1], shape=[3, 3])"),
        "Give each list one entry for each axis that is sliced, in the order starts, ends, axes, steps.",
        one("Slice(starts=[0, 0], ends=[1, 3], axes=[0, 1], shape=[3, 3])"),
    ),
    Story(
        "hz_s10",
        "An axis of -1 in opset 9",
        f"Shape inference failed on a model that ONNX Runtime ran ({link('onnx/onnx/issues/3565')}). Its Slice was of "
        "opset 9 and had a negative axis, which Slice has from opset 11 on; the inferred shape was wrong "
        f"({link('onnx/onnx/pull/3810')}).",
        one("Slice(starts=[0], ends=[3], axes=[-1], shape=[3, 4], opset=9)"),
        "Export with opset 11 or a later one, or count the axis from 0.",
        one("Slice(starts=[0], ends=[3], axes=[-1], shape=[3, 4], opset=13)"),
    ),
    Story(
        "hz_s11",
        "An end that became -1",
        "An importer cut an end of 2^63 - 1 to 32 bits: that is -1, and a tensor of BERT came out empty "
        f"({link('apache/tvm/issues/6263')}). So did a compiler to C ({link('kraiskil/onnx2c/issues/15')}). That "
        "number marks an open end, and most engines know it. Of 2^32 the low 32 bits are 0.",
        one("Slice(starts=[1], ends=[4294967296], axes=[0], shape=[n])"),
        "Write INT64_MAX for an open end, and other bounds within int32.",
        one("Slice(starts=[1], ends=[INT64_MAX], axes=[0], shape=[n])"),
    ),
    Story(
        "hz_s12",
        "Start index 0 is larger than -9223372036854775808",
        "A mixture of experts was lowered from ONNX to StableHLO. The first dim was unknown, and MLIR's mark of such a "
        f"dim went into the limits as if it were a number ({link('onnx/onnx-mlir/issues/3225')}).",
        one("stablehlo.slice(start_indices=[0, 0], limit_indices=[INT64_MIN, 1], strides=[1, 1], shape=[n, 2])"),
        "`stablehlo.real_dynamic_slice` has limits at run time. Or fix the dim before the conversion.",
        one("stablehlo.slice(start_indices=[0, 0], limit_indices=[2, 1], strides=[1, 1], shape=[2, 2])"),
    ),
    Story(
        "hz_s13",
        "The process is gone",
        "A dim of -1 stood for a dim that is not known. `onnx.checker` takes it, and shape inference of a Slice then "
        f"ends the process by SIGABRT, which no `try` catches ({link('onnx/onnx/issues/8481')}).",
        one("Slice(starts=[0], ends=[2], axes=[1], shape=[3, -1])"),
        "Give the dim a name (`dim_param`), or no value.",
        one("Slice(starts=[0], ends=[2], axes=[1], shape=[3, None])"),
    ),
    Story(
        "hz_s14",
        "The same mask for every part",
        "A language model was exported in parts, which were then merged. Each part prepared its masks again, until a "
        f"pass removed what was the same ({link('quic/efficient-transformers/pull/1130')}).",
        Example(
            (
                "first = Slice(mask, starts=[0], ends=[128], axes=[3], shape=[1, 1, 1, 2048])",
                "second = Slice(mask, starts=[0], ends=[128], axes=[3], shape=[1, 1, 1, 2048])",
            )
        ),
        "Use the first result twice. OnnxSlim has a pass that does it.",
        Example(
            (
                "first = Slice(mask, starts=[0], ends=[128], axes=[3], shape=[1, 1, 1, 2048])",
                "second = Slice(mask, starts=[0], ends=[256], axes=[3], shape=[1, 1, 1, 2048])",
            )
        ),
    ),
    Story(
        "hz_s15",
        "8 x 8 out of 8 x 8",
        "Slices were put into a U-Net so that both operands of a Concat have one size. Where the sizes were the same "
        f"already, a simplifier did not remove them ({link('inisis/OnnxSlim/issues/240')}).",
        one("Slice(starts=[0], ends=[8], axes=[2], shape=[1, 4, 8, 8])"),
        "Leave the node out. It takes everything for every shape that the model allows, which is proved.",
        one("Slice(starts=[0], ends=[7], axes=[2], shape=[1, 4, 8, 8])"),
    ),
    Story(
        "hz_s16",
        "Half of 640 is 640",
        "Shape inference stopped at a Slice with a step of 2: the file declared 320, and 640 was inferred "
        f"({link('onnx/onnx/issues/4367')}). Where nothing stops, each run warns "
        f"({link('alephpi/Texo/issues/12')}).",
        one("Slice(starts=[0], ends=[INT64_MAX], axes=[1], steps=[2], shape=[3, 640], declared=[3, 640])"),
        "Remove the declaration (`value_info`), and have it inferred again.",
        one("Slice(starts=[0], ends=[INT64_MAX], axes=[1], steps=[2], shape=[3, 640], declared=[3, 320])"),
    ),
    Story(
        "hz_s17",
        "Listed as supported",
        "The documents list strided_slice for TFLite's GPU delegate. A model with `x[0, 0]` was rejected, for it drops "
        f"axes ({link('tensorflow/tensorflow/issues/56081')}). On a phone it was the batch: "
        '"Output batch don\'t match" '
        f"({link('tensorflow/tensorflow/issues/60817')}).",
        one(
            "STRIDED_SLICE(begin=[0, 0, 0], end=[1, 4, 8], strides=[1, 1, 1], shrink_axis_mask=1, shape=[1, 8, 8])",
            "tflite-gpu",
        ),
        "Keep the axes in the slice, and drop them by a squeeze or a reshape behind it, as these calls do.",
        one("STRIDED_SLICE(begin=[0, 0, 0], end=[1, 4, 8], strides=[1, 1, 1], shape=[1, 8, 8])", "tflite-gpu"),
    ),
    Story(
        "hz_s18",
        "An empty slice that got an element",
        "tf2onnx 1.17 takes an end of 0 behind a negative begin for an open one. `x[-1:0]` of three elements gives "
        "one in ONNX Runtime, and none in TensorFlow. A simplifier changed slices, too "
        f"({link('inisis/OnnxSlim/issues/277')}): the accuracy fell, and no run failed.",
        two(
            "tf.strided_slice(begin=[-1], end=[0], strides=[1], shape=[n])",
            "Slice(starts=[-1], ends=[INT64_MAX], axes=[0], shape=[n])",
        ),
        "Write into the converted model what `ssop convert` gives for the node of the source.",
        two(
            "tf.strided_slice(begin=[-1], end=[0], strides=[1], end_mask=1, shape=[n])",
            "Slice(starts=[-1], ends=[INT64_MAX], axes=[0], shape=[n])",
        ),
    ),
)
"""One for each hazard, in the order of their labels."""

BY_LABEL = {story.label: story for story in STORIES}
BY_NAME = {story.hazard.name: story for story in STORIES}


def models(example: Example) -> list[Model]:
    """The one or two models of an example, for `ssop.inspect`."""
    nodes = [model_of_node(text) for text in example.nodes]
    first = replace(nodes[0], nodes=tuple(node for model in nodes for node in model.nodes), operators=len(nodes))
    return [first] if example.other is None else [first, model_of_node(example.other)]


def command(example: Example) -> str | None:
    """The command that inspects the example; None for a model of several nodes."""
    if len(example.nodes) > 1:
        return None
    nodes = example.nodes if example.other is None else (*example.nodes, example.other)
    target = "" if example.target is None else f" --target {example.target}"
    return " \\\n    ".join(["ssop inspect" + target, *(f"--node '{node}'" for node in nodes)]).replace(
        " \\\n    ", " ", 1
    )


def markdown(story: Story) -> str:
    """What somebody had, and what to write instead: the help of a rule of SARIF."""
    return f"{story.had}\n\nInstead: {story.instead}"


def plain(text: str) -> str:
    """The same without Markdown: links have their address behind them."""
    return re.sub(r"\[([^]]*)\]\(([^)]*)\)", r"\1: \2", text).replace("`", "")


def about(story: Story) -> str:
    """What `ssop inspect --about` prints."""
    hazard = story.hazard
    shown = command(story.shown) or "\n".join(story.shown.nodes)
    head = f"{hazard.name} ({hazard.label}, {hazard.severity}): {hazard.summary}"
    had, instead = (textwrap.fill(plain(text), 100, break_long_words=False) for text in (story.had, story.instead))
    return "\n".join([head, "", had, "", "For example:", "", shown, "", f"Instead: {instead}"])
