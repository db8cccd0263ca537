"""One call or more for each row about shape inference in the table of divergences, as in `probes`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ssop.testing.calls import ShapeCall
from ssop.testing.calls.axes_lists import LISTS
from ssop.testing.calls.specs import MASKS

Probe = tuple[str, ShapeCall]
"""A predicate, and a call that it is for."""


def tensorflow() -> Iterator[Probe]:
    """TensorFlow."""

    def spec(shape: Any, begin: Any, end: Any, strides: Any, **masks: int) -> ShapeCall:
        args = {"begin": begin, "end": end, "strides": strides, **dict.fromkeys(MASKS, 0), **masks}
        return ShapeCall("tf.strided_slice", shape, args)

    yield "stacked_negative_size", ShapeCall("shape.from_tensor", None, {"values": [-2, None]})
    yield "stacked_negative_size", ShapeCall("tf.slice", [4, 4], {"begin": [0, 0], "size": [-2, None]})
    yield "strides_before_bounds", spec([4, 4], [9, 0], [0, 0], [1, 0], shrink_axis_mask=1)
    yield "many_unknown_entries", spec([4], [None] * 40, [0] * 40, [1] * 40, new_axis_mask=-1)
    yield "placeholders_of_no_entries", spec([5, 2, 6, 2], (), [], ())
    yield "placeholders_of_no_entries", spec([5, 2, 6, 2], (), [], (), ellipsis_mask=3)
    yield "ellipses_of_unknown_strides", spec(None, [1, 1], [1, 1], [1, 1], ellipsis_mask=3)


def openvino() -> Iterator[Probe]:
    """OpenVINO."""

    def cut(dim: Any, start: Any, stop: Any, step: int) -> ShapeCall:
        args = {"start": [start], "stop": [stop], "step": [step], "axes": [0]}
        return ShapeCall("openvino.slice", [dim], args, "tight")

    def spec(shape: Any, begin: Any, **masks: Any) -> ShapeCall:
        args = {"begin": begin, "end": [1, 1], "strides": [1, 1], **{mask: [0, 0] for mask in MASKS}, **masks}
        return ShapeCall("openvino.strided_slice", shape, args, "tight")

    yield "intervals_wider_than_needed", cut((1, None), -3, 6, 1)
    yield "bounds_of_both_signs", cut((1, None), -4, 4, 1)
    yield "far_negative_begin_of_interval", cut((1, None), -3, -3, -2)
    yield "interval_upside_down", cut((5, 8), -4, 7, 1)
    yield "step_of_unknown_bounds", cut(4, None, 2, 0)
    yield "shrunk_begin_unchecked", spec([3, 3], [9, 0], shrink_axis_mask=[1, 0])
    yield "masks_and_steps_of_unknown_rank", spec(None, [9, 0], ellipsis_mask=[1, 1])
    yield "new_axis_after_ellipsis", spec([3, 5], [None, None], ellipsis_mask=[1, 0], new_axis_mask=[0, 1])


def onnx() -> Iterator[Probe]:
    """ONNX."""

    def cut(shape: Any, starts: Any, ends: Any, axes: Any = None, steps: Any = None) -> ShapeCall:
        return ShapeCall("onnx.slice", shape, dict(zip(LISTS, (starts, ends, axes, steps), strict=True)))

    yield "scalar_shape_missing", cut([], [], [])
    yield "lists_at_run_time", cut([2, 3], [None], [1])
    yield "unknown_dim_sliced", cut([None], [4], [4])
    yield "run_time_lists_unchecked", cut([2], [None], [1], [5])
    yield "step_of_unknown_dim", cut([None], [0], [1], None, [0])
    yield "lists_of_unknown_rank", cut(None, [0], [1], None, [0])
    yield "axes_before_steps", cut([2], [0, 0], [1, 1], [0, 0], [1])


SHAPE_PROBES = {"tensorflow": tensorflow, "openvino": openvino, "onnx": onnx}


def shape_probes_of(engine: str) -> list[Probe]:
    """Those of one engine."""
    return list(SHAPE_PROBES[engine]()) if engine in SHAPE_PROBES else []
