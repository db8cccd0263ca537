"""Runs the conformance vectors in the folder that is given against ssop; replace `answer` to run your own code."""

import importlib
import inspect
import json
import sys
from pathlib import Path

import numpy as np

import ssop


def answer(op, operands, args):
    dialect, name = op.split(".")
    function = getattr(importlib.import_module(f"ssop.{dialect}"), name)
    if name == "concatenate":
        return function(operands, **args)
    names = [name for name in inspect.signature(function).parameters if name not in args]
    given = [name for name in names if name not in ("strides", "name", "var", "axes", "out") and "mask" not in name]
    return function(**dict(zip(given[: len(operands)], operands, strict=True)), **args)


failed = total = 0
for path in sorted(Path(sys.argv[1]).glob("*.jsonl")):
    header, *cases = map(json.loads, path.read_text().splitlines())
    for case in cases:
        sizes = [int(np.prod(shape)) for shape in case["shapes"]]
        items = np.arange(1, sum(sizes) + 1)  # one more than their numbers: 0 is a zero
        parts = np.split(items, np.cumsum(sizes)[:-1])
        operands = [part.reshape(shape) for part, shape in zip(parts, case["shapes"], strict=True)]
        try:
            result = answer(header["op"], operands, case["args"])
            good = "items" in case and [list(result.shape), (result.ravel() - 1).tolist()] == [
                case["shape"],
                case["items"],
            ]
        except ssop.SliceError as error:
            good = error.label == case.get("error")
        failed, total = failed + (not good), total + 1
        if not good:
            print(header["op"], case)
print(f"{total} cases, {failed} failed")
sys.exit(failed > 0)
