"""Runs the conformance vectors in the folder that is given against ssop; replace `answer` to run your own code."""

import importlib
import json
import math
import sys
from pathlib import Path

import numpy as np

import ssop


def answer(op, operands, args):
    """The result; the label of the rule that is broken."""
    dialect, name = op.split(".")
    function = getattr(importlib.import_module(f"ssop.{dialect}"), name)
    try:
        return function(**operands, **args), None
    except ssop.SliceError as error:
        return None, error.label


def read(value):
    """Integers beyond 2**53 are strings of digits."""
    if isinstance(value, list):
        return [read(part) for part in value]
    return int(value) if isinstance(value, str) and value.removeprefix("-").isdigit() else value


failed = total = 0
for path in sorted(Path(sys.argv[1]).glob("*.jsonl")):
    header, *cases = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    assert header["format"] == 2, "another format needs another runner"
    for case in cases:
        numbers = iter(range(1, 1 + sum(map(math.prod, case["shapes"]))))  # one more than stored: 0 is a zero
        arrays = [np.array([next(numbers) for _ in range(math.prod(s))], int).reshape(s) for s in case["shapes"]]
        names = header["operands"]
        operands = {names[0]: arrays} if header["op"] == "xla.concatenate" else dict(zip(names, arrays, strict=True))
        args = {name: read(value) for name, value in case["args"].items()}
        result, label = answer(header["op"], operands, args)
        expected = case.get("error") or (case["shape"], case["items"])
        good = expected == (label or (list(result.shape), (result.ravel() - 1).tolist()))
        failed, total = failed + (not good), total + 1
        if not good:
            print(case["id"], case, label)
print(f"{total} cases, {failed} failed")
sys.exit(failed > 0)
