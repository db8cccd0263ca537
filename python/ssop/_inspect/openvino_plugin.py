"""Where OpenVINO's CPU plugin runs a strided slice otherwise than its shape inference and its folding read it.

The plugin makes its vectors as long as the greater rank of operand and result, in which bits behind the last entry
count. Masks that are shorter than begin may end before the last entry, and begin, without an ellipsis, before the last
axis: it reads behind both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ssop._convert.calls import Call, program_of
from ssop._convert.program import Program, lengths_of
from ssop._convert.proofs import Lengths, result_lengths, small_length, valid_lengths
from ssop._convert.shape import Shape
from ssop._masks import MASK_NAMES

FUNCTION = "openvino.strided_slice"


class Defect(NamedTuple):
    """What an engine does otherwise than by its rule."""

    text: str
    smallest: tuple[int, ...]
    """A small shape on which it does."""


def converted_masks(arguments: Mapping[str, Any]) -> dict[str, list[int]]:
    """The masks of OpenVINO's TensorFlow front end, which end with the last bit that is set in one of them."""
    bits = {name: arguments.get(name, 0) & 2**64 - 1 for name in MASK_NAMES}
    count = max(bits.values()).bit_length()
    return {name: [mask >> entry & 1 for entry in range(count)] for name, mask in bits.items()}


def in_plugin(arguments: Mapping[str, Any]) -> Call:
    """The call as the plugin reads it: a bit of begin_mask stands for index 0 on a dropped axis as well."""
    call = Call(FUNCTION, **arguments)
    begin = list(call.arguments["begin"])
    masked = call.arguments["begin_mask"]
    for entry, kind in enumerate(_kinds(call)):
        if kind == "shrink" and entry < len(masked) and masked[entry]:
            begin[entry] = 0
    return Call(FUNCTION, **{**call.arguments, "begin": begin})


def plugin_defect(calls: Sequence[Call], where: Shape) -> Defect | None:
    """What the plugin does otherwise on an operand of this shape, if it does.

    Raises ImportError for dims that are not known, without islpy.
    """
    for number, call in enumerate(calls):
        if call.function != FUNCTION:
            continue
        rank = len(where.lengths)
        for axes in (rank,) if where.known_rank else (rank, rank + 1):
            lengths = where.lengths + (Lengths(),) * (axes - rank)
            before, after = (program_of(calls[:count], axes) for count in (number, number + 1))
            given = _result(before, lengths)
            if given is None or not _misread(call, given, False)[0]:
                continue
            taken = _result(after, lengths)
            if taken is None:
                continue  # an error on every shape
            text, axis, least = _misread(call, given, any(length.most == 0 for length in taken))
            if text:
                return Defect(text, _shape(after, lengths, None if axis is None else before.kept[axis].origin, least))
    return None


def _kinds(call: Call) -> list[str]:
    """What each entry is; the first of the bits that stand for one (ov_s1)."""
    masks = {name.removesuffix("_mask"): call.arguments[name] for name in reversed(MASK_NAMES)}
    order = ("ellipsis", "new_axis", "shrink_axis")
    return [
        next((name.removesuffix("_axis") for name in order if entry < len(masks[name]) and masks[name][entry]), "range")
        for entry in range(len(call.arguments["begin"]))
    ]


def _result(program: Program, shape: Sequence[Lengths]) -> tuple[Lengths, ...] | None:
    """The lengths of the axes of a result; None if it is an error on every shape."""
    found = []
    for axis in program.kept:
        lengths = lengths_of(axis, shape)
        valid = valid_lengths(axis.chain, lengths) if axis.chain else lengths
        if valid is None:
            return None
        found.append(result_lengths(axis.chain, valid) if axis.chain else lengths)
    return tuple(found)


def _misread(call: Call, lengths: Sequence[Lengths], empty: bool) -> tuple[str, int | None, int]:
    """What is read from outside, in words, on which axis of the operand, and on which least length; "" if nothing.

    A result without elements is not computed: then only the masks themselves matter.
    """
    given = [call.arguments[name] for name in MASK_NAMES]
    if any(mask and len(mask) != len(given[0]) for mask in given) or sum(call.arguments["ellipsis_mask"]) > 1:
        return "rejects masks that have other lengths than begin_mask (ov_c2), or two ellipses (ov_c5)", None, 1
    kinds, rank = _kinds(call), len(lengths)
    new, shrunk = kinds.count("new"), kinds.count("shrink")
    width = max(rank, rank + new - shrunk)
    spare = {name: call.arguments[name][len(kinds) :] for name in MASK_NAMES}
    if empty and not (rank > 3 and any(spare["ellipsis_mask"])):
        return "", None, 1
    if _counts(spare, kinds, rank, width):
        return "reads memory outside the operand: masks have bits behind the last entry", None, 1
    for axis in range(max(len(kinds), width) - new, rank) if "ellipsis" not in kinds else ():
        if lengths[axis].most > 1:
            text = f"reads memory outside the operand: it leaves out axis {axis} beside a new axis and a dropped one"
            return text, axis, max(2, lengths[axis].least)
    seen = max(width, min(map(len, given)))
    if seen < len(kinds):
        return f"reads memory behind the masks, which end after {seen} of {len(kinds)} entries", None, 1
    return "", None, 1


def _counts(spare: Mapping[str, Sequence[int]], kinds: Sequence[str], rank: int, width: int) -> bool:
    """Whether bits behind the last entry count: as entries, up to `width`, or because one of them is an ellipsis."""
    if any(spare["ellipsis_mask"]):
        return rank > 3 or len(kinds) - kinds.count("new") < rank
    read = 0 if "ellipsis" in kinds else max(0, width - len(kinds))
    return any(spare["new_axis_mask"][:read]) or any(spare["shrink_axis_mask"][:read])


def _shape(program: Program, shape: Sequence[Lengths], origin: int | None, least: int) -> tuple[int, ...]:
    """A small shape whose result has elements; on one axis, a length of at least `least`."""
    found = []
    for axis, lengths in enumerate(shape):
        if axis == origin and lengths.most >= least:
            lengths = Lengths(max(least, lengths.least), lengths.most)
        found.append(small_length([program.of(axis).chain], lengths))
    return tuple(found)
