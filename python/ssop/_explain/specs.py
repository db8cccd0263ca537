"""The arguments of a strided slice, with masks as bits, and how each dialect is called with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ssop import _core
from ssop._masks import MASK_NAMES, MASKS

OPENVINO_MASKS = ("begin", "end", "new_axis", "shrink_axis", "ellipsis")
"""In the order of the arguments of OpenVINO's function."""


@dataclass(frozen=True)
class Spec:
    """Entries of any lengths, and masks as bit patterns that are not negative, in the order of `MASKS`.

    The masks have 32 bits, those of OpenVINO's vectors as many as there are elements.
    """

    begin: tuple[int, ...]
    end: tuple[int, ...]
    strides: tuple[int, ...]
    masks: tuple[int, int, int, int, int]

    def mask(self, name: str) -> int:
        return self.masks[MASKS.index(name)]

    def int32_masks(self) -> tuple[int, ...]:
        return tuple([mask - (mask >> 31 << 32) for mask in self.masks])

    def has_wide_masks(self) -> bool:
        """Whether bits are set for which the masks of other frameworks have no place."""
        return max(self.masks) >> 32 != 0

    def bits(self, entry: int) -> tuple[str, ...]:
        """The names of the masks whose bit is set."""
        return tuple([name for name, mask in zip(MASKS, self.masks, strict=True) if mask >> entry & 1])

    def entries_with_bits(self) -> list[int]:
        """The entries, or numbers past the last one, that have a bit in some mask."""
        begin, end, ellipsis, new_axis, shrink = self.masks
        union = begin | end | ellipsis | new_axis | shrink
        return [entry for entry in range(union.bit_length()) if union >> entry & 1]

    def with_masks(self, change: Callable[[int], int]) -> Spec:
        begin, end, ellipsis, new_axis, shrink = map(change, self.masks)
        return replace(self, masks=(begin, end, ellipsis, new_axis, shrink))

    def without_entry(self, entry: int) -> Spec:
        """The spec without one entry: the bits of those after it move down."""

        def shifted(mask: int) -> int:
            return mask & ((1 << entry) - 1) | mask >> (entry + 1) << entry

        begin, end, strides = (vector[:entry] + vector[entry + 1 :] for vector in (self.begin, self.end, self.strides))
        return replace(self, begin=begin, end=end, strides=strides).with_masks(shifted)

    def arguments(self) -> dict[str, Any]:
        """By the names that the predicates of `ssop.divergences` read."""
        vectors = {"begin": self.begin, "end": self.end, "strides": self.strides}
        return {**vectors, **dict(zip(MASK_NAMES, self.masks, strict=True))}


@dataclass(frozen=True)
class Dialect:
    """A framework's name, how its function is called, and its function that gives the stages."""

    framework: str
    function: str
    trace: Callable[..., Any]
    vectors: bool  # masks are vectors of 0 and 1
    form: str = "{function}(x, {vectors}{masks})"  # of a call in source code
    infer: str = ""  # the module of its shape function
    labels: Mapping[str, str] = field(default_factory=dict)  # its own rules, in place of TensorFlow's
    shrink_reads_begin_mask: bool = False  # this and the next ones: as in ssop/slices.h
    shrink_clamps_below: bool = False
    reverse_clamps_begin_first: bool = False
    ellipsis_reads_rank: bool = False  # how many axes it leaves to the other entries depends on the rank (tfl_s3)

    def label(self, rule: str) -> str:
        """The label of what TensorFlow's rule is about, in this dialect."""
        return self.labels.get(rule, rule)

    def masks(self, spec: Spec) -> tuple[Any, ...]:
        """The five masks as the function takes them by position."""
        if not self.vectors:
            return spec.int32_masks()
        return tuple(_vector(spec.mask(name), len(spec.begin)) for name in OPENVINO_MASKS)

    def call(self, spec: Spec) -> str:
        """The call as it is written in source code."""
        if self.vectors:
            names: tuple[str, ...] = tuple(f"{name}_mask" for name in OPENVINO_MASKS)
            masks = [f", {name}={mask}" for name, mask in zip(names, self.masks(spec), strict=True) if any(mask)]
        else:
            given = zip(MASK_NAMES, spec.masks, self.masks(spec), strict=True)
            masks = [f", {name}={signed if signed < 0 else bin(mask)}" for name, mask, signed in given if mask]
        vectors = ", ".join(str(list(vector)) for vector in (spec.begin, spec.end, spec.strides))
        return self.form.format(function=self.function, vectors=vectors, masks="".join(masks))


def _vector(mask: int, entries: int) -> list[int]:
    return [mask >> entry & 1 for entry in range(max(entries, mask.bit_length()))]


def is_integer(mask: Any) -> bool:
    return hasattr(mask, "__index__") and getattr(mask, "shape", ()) == ()


def bits_of_vector(mask: Any) -> int:
    """A vector of 0 and 1, as OpenVINO's function takes it, as bits; raises what that function raises (ov_c1, in_*)."""
    elements = _core.read_integers("explain", "mask", mask)
    _core.openvino_strided_slice_region((), (), (), (), elements)
    return sum(1 << entry for entry, element in enumerate(elements) if element)


DIALECTS = {
    "tf": Dialect("TensorFlow", "ssop.strided_slice", _core.strided_slice_trace, False, infer="ssop.shapes"),
    "tflite": Dialect(
        "TFLite",
        "ssop.tflite.strided_slice",
        _core.tflite_strided_slice_trace,
        False,
        infer="ssop.shapes.tflite",
        labels={"ss_s2": "tfl_s3"},
        shrink_reads_begin_mask=True,
        ellipsis_reads_rank=True,
        shrink_clamps_below=True,
    ),
    "openvino": Dialect(
        "OpenVINO",
        "ssop.openvino.strided_slice",
        _core.openvino_strided_slice_trace,
        True,
        infer="ssop.shapes.openvino",
        labels={"ss_s1": "ov_s1", "ss_s7": "ov_s3", "ss_s8": "ov_s4"},
        reverse_clamps_begin_first=True,
    ),
}
