"""What stands behind a label of SPEC.md, and the command that explains a call: what a report says besides counts."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from textwrap import shorten
from typing import Any

import numpy as np

from ssop.testing.calls import Call
from ssop.testing.calls.call import is_well_formed
from ssop.testing.calls.specs import MASKS

EXPLAINED = ("tf.strided_slice", "tflite.strided_slice", "openvino.strided_slice", "onnx.slice")
"""The operations that `ssop explain` takes."""
WIDTH = 100
"""Longer titles are cut."""


@cache
def titles() -> dict[str, str]:
    """The rules that calls can meet, with their titles in SPEC.md."""
    text = files("ssop.testing._differential").joinpath("rule_titles.json").read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(text)
    return found


def rule_lines(counts: Mapping[str, int]) -> list[str]:
    """A line for each rule, those that were met most often first.

    >>> rule_lines({"ss_c5": 2, "other": 30})
    ['    30  other', '     2  ss_c5: strides are not zero']
    """
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [f"{count:>6}  {in_words(label)}" for label, count in ordered if count]


def in_words(label: str) -> str:
    """The label with its title, if it has one, within `WIDTH` columns."""
    return shorten(f"{label}: {titles()[label]}", WIDTH, placeholder=" ..") if label in titles() else label


def explain_command(call: object) -> str:
    """The command that explains a call; nothing for calls that `ssop explain` does not take.

    >>> explain_command(Call("tf.strided_slice", (np.zeros(5),), {"begin": [-1], "end": [0], "strides": [-2],
    ...                                                           "end_mask": 1}))
    'ssop explain 5 --begin=-1 --end=0 --strides=-2 --end-mask=1'
    """
    if not isinstance(call, Call) or call.op not in EXPLAINED or not is_well_formed(call):
        return ""
    dialect, args = call.dialect, call.args
    shape = ",".join(map(str, call.arrays[0].shape)) or "()"
    words = ["ssop", "explain", shape]
    if dialect != "tf":
        words += ["--dialect", dialect]
    vectors = ("starts", "ends", "axes", "steps") if dialect == "onnx" else ("begin", "end", "strides")
    for name in vectors:
        if args.get(name) is not None:
            words.append(f"--{name}={_numbers(args[name])}")
    for name in MASKS:
        if np.any(args.get(name, 0)):
            words.append(f"--{name.replace('_', '-')}={_numbers(args[name])}")
    if args.get("engine", "spec") != "spec":
        words += ["--engine", args["engine"]]
    return "" if args.get("offset") or args.get("strict") else shlex.join(words)


def _numbers(value: Any) -> str:
    return str(value) if isinstance(value, int) else ",".join(str(int(number)) for number in value)
