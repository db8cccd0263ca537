"""The conditions under which a strided slice is an error: which stage finds each, and the nearest spec without it."""

from __future__ import annotations

from dataclasses import replace

from ssop._core import SliceError
from ssop._explain.specs import Spec
from ssop._masks import MASKS

LABELS = {
    "lengths": ("ss_c1", "tfl_c1", "ov_c3"),
    "max_entries": ("ss_c2", "tfl_c2", "ov_c9"),
    "ellipses": ("ss_c3", "tfl_c3", "ov_c5"),
    "no_axis": ("ss_c4", "tfl_c4", "ov_c6"),
    "zero_step": ("ss_c5", "tfl_c5", "ov_c7"),
    "shrunk_step": ("ss_c6", "tfl_c6"),
    "shrunk_index": ("ss_c7", "tfl_c7", "ov_c8"),
    "rank": ("ss_c8",),
}
CONDITIONS = {label: condition for condition, labels in LABELS.items() for label in labels}
SPEC_STAGE = "the spec alone, without the shape"
STAGES = {
    "lengths": SPEC_STAGE,
    "max_entries": SPEC_STAGE,
    "ellipses": SPEC_STAGE,
    "no_axis": "missing entries",
    "zero_step": "clamp begin",
    "shrunk_step": "shrink",
    "shrunk_index": "shrink",
    "rank": "output shape",
}


def stage_of(error: SliceError) -> str:
    """The stage that finds the error."""
    return STAGES[CONDITIONS[str(error.label)]]


def repaired(spec: Spec, error: SliceError) -> Spec | None:
    """The spec with the smallest change that removes this error; None if no small change does.

    Lengths are cut to the shortest, entries without an axis go, a second ellipsis goes, a stride becomes 1, and an
    index moves to the nearest one that is allowed.
    """
    condition, entry = CONDITIONS[str(error.label)], error.entry
    if condition == "lengths":
        shortest = min(len(spec.begin), len(spec.end), len(spec.strides))
        return _cut(spec, shortest)
    if condition == "max_entries":
        assert error.allowed is not None
        return _cut(spec, error.allowed[1])
    if condition == "ellipses":
        first = spec.mask("ellipsis") & -spec.mask("ellipsis")
        begin, end, _, new_axis, shrink = spec.masks
        return replace(spec, masks=(begin, end, first, new_axis, shrink))
    if entry is None:
        return None
    if condition == "no_axis":
        return spec.without_entry(entry)
    if condition in ("zero_step", "shrunk_step"):
        return with_stride(spec, entry, 1)
    if error.allowed is None or error.allowed[0] > error.allowed[1]:
        return None  # an index of an empty axis
    nearest = min(max(spec.begin[entry], error.allowed[0]), error.allowed[1])
    return replace(spec, begin=_replaced(spec.begin, entry, nearest))


def changed(spec: Spec, other: Spec) -> str:
    """What another spec has in place of this one's, in words."""
    if (len(spec.begin), len(spec.end), len(spec.strides)) != (len(other.begin), len(other.end), len(other.strides)):
        return f"begin, end and strides of {len(other.begin)} {'entry' if len(other.begin) == 1 else 'entries'}"
    pairs = (("begin", spec.begin, other.begin), ("stride", spec.strides, other.strides))
    words = [
        f"{name} {new} in entry {entry}"
        for name, old, others in pairs
        for entry, (given, new) in enumerate(zip(old, others, strict=True))
        if given != new
    ]
    masks = zip(MASKS, spec.masks, other.masks, strict=True)
    return " and ".join([*words, *(f"{name}_mask {bin(new)}" for name, old, new in masks if old != new)])


def with_end_bit(spec: Spec, entry: int) -> Spec:
    begin, end, ellipsis, new_axis, shrink = spec.masks
    return replace(spec, masks=(begin, end | 1 << entry, ellipsis, new_axis, shrink))


def with_stride(spec: Spec, entry: int, stride: int) -> Spec:
    return replace(spec, strides=_replaced(spec.strides, entry, stride))


def _cut(spec: Spec, length: int) -> Spec:
    return replace(spec, begin=spec.begin[:length], end=spec.end[:length], strides=spec.strides[:length])


def _replaced(vector: tuple[int, ...], entry: int, value: int) -> tuple[int, ...]:
    return (*vector[:entry], value, *vector[entry + 1 :])
