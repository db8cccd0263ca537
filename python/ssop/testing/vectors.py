"""Conformance vectors: calls and what `ssop.reference` makes of them, as lines of JSON for any language.

A file has the vectors of one operation. Its first line has the members `format`, `op`, `operands` (the names of the
parameters that are arrays; `["operands"]` if one is a list of arrays) and `cases`, their number. Every other line is a
case with the members

- `id`: the operation and eight digits made of the case itself. It stays when other cases come and go.
- `shapes`: a shape for each operand, in the order of the parameters. Their elements are numbered 0, 1, 2, .. in C
  order, and the numbers go on from one operand to the next.
- `args`: the other parameters by name. Integers have at most 64 bits; those beyond 2**53 are strings of digits, for
  JavaScript and others read every number as a double.
- either `shape` and `items`: the shape of the result and the numbers of its elements in C order. The number of a zero
  is -1.
- or `error`: the label of the rule of SPEC.md that the call breaks.

A reader rejects a `format` that it does not know, and ignores members that it does not know. The number rises when a
member changes its meaning, not when a member or a case is added.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from ssop import reference
from ssop._whole_files import write_whole
from ssop.testing.calls import OPERANDS, Call
from ssop.testing.oracles.reference import Reference, listed

FORMAT = 2
EXACT = 2**53
"""Doubles have every integer up to this one."""
ACCEPTED, PER_LABEL, DRAWS, MAX_ITEMS = 70, 5, 4000, 60
MORE = {"tf.strided_slice": (480, 12)}
"""The same two numbers of an operation that has more: five masks need more than seventy cases."""


def case_of(call: Call) -> dict[str, Any] | None:
    """The case of a call; None for what the reference says nothing about."""
    if len({array.dtype for array in call.arrays}) > 1 or min(call.args.get("shape", ()), default=0) < 0:
        return None
    args = {name: listed(value) for name, value in call.args.items()}
    if not call.arrays or any(not isinstance(n, int) or abs(n) > 2**63 - 1 for n in numbers(args)):
        return None
    tensors, count = [], 0
    for array in call.arrays:
        tensors.append(reference.Tensor(tuple(array.shape), list(range(count, count + array.size))))
        count += array.size
    case: dict[str, Any] = {"shapes": [list(map(int, array.shape)) for array in call.arrays], "args": args}
    try:
        result = Reference().evaluated(call, tensors, args)
    except reference.Rejected as rejected:
        return case | {"error": rejected.label}
    if max(count, len(result.items)) > MAX_ITEMS:
        return None
    return case | {"shape": list(result.shape), "items": list(result.items)}


def encoded(value: Any) -> Any:
    """Integers that a double may not have, as strings; `decoded` is the way back.

    >>> encoded({"begin": [1, 2**53, -(2**53) - 1]}), decoded([1, "-9007199254740993", "spec"])
    ({'begin': [1, 9007199254740992, '-9007199254740993']}, [1, -9007199254740993, 'spec'])
    """
    if isinstance(value, dict):
        return {name: encoded(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [encoded(part) for part in value]
    return str(value) if isinstance(value, int) and abs(value) > EXACT else value


def decoded(value: Any) -> Any:
    """Strings of digits as integers."""
    if isinstance(value, dict):
        return {name: decoded(part) for name, part in value.items()}
    if isinstance(value, list):
        return [decoded(part) for part in value]
    return int(value) if isinstance(value, str) and re.fullmatch(r"-?\d+", value) else value


def identified(op: str, case: dict[str, Any]) -> dict[str, Any]:
    """The case as it is stored: its id, which its content decides, and its encoded members."""
    stored = encoded(case)
    digits = hashlib.sha256(json.dumps([op, stored], sort_keys=True).encode()).hexdigest()[:8]
    return {"id": f"{op}/{digits}", **stored}


def numbers(value: Any) -> Iterator[Any]:
    """All numbers in nested lists."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for part in value:
            yield from numbers(part)
    elif isinstance(value, float | int | np.generic) and not isinstance(value, bool):
        yield value


def vectors_of(op: str, seed: int = 0) -> list[dict[str, Any]]:
    """The cases of one operation: some that are accepted, and some for each rule that random calls break.

    >>> {case.get("error") for case in vectors_of("tf.slice")} == {None, "tsl_c1", "tsl_c2", "tsl_c3"}
    True
    """
    rng, draw = Random(f"{op} {seed}"), Reference.ops[op][1]
    accepted, per_label = MORE.get(op, (ACCEPTED, PER_LABEL))
    cases: list[dict[str, Any]] = []
    counts: Counter[str | None] = Counter()
    for _ in range(DRAWS):
        case = case_of(draw(rng))
        if case is None:
            continue
        label = case.get("error")
        if counts[label] < (accepted if label is None else per_label) and case not in cases:
            counts[label] += 1
            cases.append(case)
    return [identified(op, case) for case in cases]


def header_of(op: str, cases: int) -> dict[str, Any]:
    """The first line of a file.

    >>> header_of("xla.rev", 70)
    {'format': 2, 'op': 'xla.rev', 'operands': ['operand'], 'cases': 70}
    """
    operands = ["operands"] if op == "xla.concatenate" else list(OPERANDS.get(op, ("operand",)))
    return {"format": FORMAT, "op": op, "operands": operands, "cases": cases}


def write_vectors(folder: Path, seed: int = 0, show: Callable[[int, int, str], object] | None = None) -> int:
    """Write a file for each operation; return the number of cases.

    `show` is told how many operations are done, how many there are, and the next one.
    """
    folder.mkdir(parents=True, exist_ok=True)
    total = 0
    for number, op in enumerate(Reference.ops):
        if show is not None:
            show(number, len(Reference.ops), op)
        cases = vectors_of(op, seed)
        total += len(cases)
        lines = [header_of(op, len(cases)), *cases]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        write_whole(str(folder / f"{op}.jsonl"), text.encode())
    return total
