"""The options that give a strided slice: an index, or TensorFlow's vectors and masks."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import ssop
from ssop._masks import MASKS
from ssop.cli.parse import parse_index, parse_integer, parse_integers, parse_numbers

LISTS = ("starts", "ends", "axes", "steps")


def add_spec_options(parser: argparse.ArgumentParser) -> None:
    """Add `--index`, the three vectors and the five masks."""
    parser.add_argument("--index", metavar="INDEX", help="a NumPy index of integers, slices, None and ...")
    for name in ("begin", "end", "strides"):
        parser.add_argument(f"--{name}", metavar="LIST", help=f"{name} of strided_slice, like 0,-1")
    for name in MASKS:
        parser.add_argument(f"--{name.replace('_', '-')}-mask", metavar="BITS", help="like 10, 0b1010 or 0xa")


def add_list_options(parser: argparse.ArgumentParser) -> None:
    """Add the four lists of ONNX's Slice."""
    for name in LISTS:
        parser.add_argument(f"--{name}", metavar="LIST", help=f"{name} of ONNX's Slice")


def read_lists(arguments: argparse.Namespace, option: str, *, onnx: bool, names: bool = False) -> dict[str, list[Any]]:
    """Return the lists of ONNX's Slice that are given; `option` is what asks for them, and `onnx` whether it does.

    With `names`, starts, ends and steps may be run-time values.
    """
    parse = dict.fromkeys(("starts", "ends", "steps"), parse_numbers) if names else {}
    given = ((name, _value(arguments, name, parse.get(name, parse_integers))) for name in LISTS)
    lists = {name: values for name, values in given if values is not None}
    if lists and not onnx:
        raise ValueError(f"--{next(iter(lists))} is of {option} onnx")
    if onnx and not {"starts", "ends"} <= lists.keys():
        raise ValueError(f"{option} onnx needs --starts and --ends")
    others = ("index", "begin", "end", "strides", *(f"{name}_mask" for name in MASKS))
    for name in others if onnx else ():
        if getattr(arguments, name) is not None:
            raise ValueError(f"{_option(name)} is not of {option} onnx, which has {', '.join(map(_option, LISTS))}")
    return lists


def read_spec(arguments: argparse.Namespace) -> ssop.StridedSliceSpec:
    """Return the spec that the options give; raise ValueError or `ssop.SliceError` if they give none."""
    return ssop.StridedSliceSpec(*read_call(arguments))


def read_call(arguments: argparse.Namespace, *, mask_vectors: bool = False, names: bool = False) -> tuple[Any, ...]:
    """Return begin, end, strides and the five masks, which may break rules; raise ValueError for what is no integer.

    With `mask_vectors`, a mask may also be a list of 0 and 1, as OpenVINO writes it. With `names`, bounds and
    strides may be run-time values.
    """
    vectors, masks = ("begin", "end", "strides"), tuple(f"{name}_mask" for name in MASKS)
    given = [name for name in vectors + masks if getattr(arguments, name) is not None]
    if arguments.index is not None:
        if given:
            raise ValueError(f"--index and {_option(given[0])} exclude each other")
        index = parse_index(arguments.index, names=names)
        if names:
            from ssop._convert.values import read_index  # what only a conversion needs

            spec, numbers = read_index(index)
            return (*numbers, *(getattr(spec, name) for name in masks))
        spec = ssop.StridedSliceSpec.from_index(index)
        return tuple(getattr(spec, name) for name in vectors + masks)
    if arguments.begin is None or arguments.end is None:
        raise ValueError("give either --index, or --begin and --end")
    parse = parse_numbers if names else parse_integers
    begin, end, strides = (_value(arguments, name, parse) for name in vectors)
    parse_mask = _mask_or_vector if mask_vectors else parse_integer
    return (begin, end, strides, *(_value(arguments, name, parse_mask) or 0 for name in masks))


def _mask_or_vector(text: str) -> int | list[int]:
    return parse_integers(text) if "," in text or "[" in text else parse_integer(text)


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


def _value(arguments: argparse.Namespace, name: str, parse: Callable[[str], Any]) -> Any:
    text = getattr(arguments, name)
    try:
        return None if text is None else parse(text)
    except ValueError as error:
        raise ValueError(f"{_option(name)}: {error}") from None
