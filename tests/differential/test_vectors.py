"""The stored conformance vectors are what the real engines answer, but for the known divergences."""

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest

from scale import sampled
from ssop.testing._differential.run import Run
from ssop.testing._differential.subjects import Subject
from ssop.testing.calls import OPERANDS, Answer, Call
from ssop.testing.calls.specs import openvino_way
from ssop.testing.oracles import ORACLES, oracle
from ssop.testing.oracles.reference import Labelled
from ssop.testing.vectors import decoded

FOLDER = Path(__file__).parents[1] / "vectors"
ENGINES = ("tensorflow", "litert", "openvino", "onnx", "onnx.reference", "onnxruntime", "jax", "jax-ops")
ONNX = {"spec": "onnx", "reference": "onnx.reference", "ort": "onnxruntime"}
COMPILING = {"jax", "jax-ops"}  # each call, which takes longer than all that the other engines are asked
HOW = {"jax": "eager", "jax-ops": "jit", "litert": "run time"}


def engine_of(op, case):
    """The engine that knows an operation; each of ONNX's three readings is one."""
    if op == "onnx.slice":
        return ONNX[case["args"]["engine"]]
    return next(name for name in ENGINES if op in ORACLES[name].ops)


def call_of(op, case, engine):
    """Elements are one more than their numbers, so that 0 is a zero."""
    sizes = [int(np.prod(shape)) for shape in case["shapes"]]
    parts = np.split(np.arange(1, sum(sizes) + 1), np.cumsum(sizes)[:-1])
    arrays = tuple(part.reshape(shape) for part, shape in zip(parts, case["shapes"], strict=True))
    assert len(arrays) == len(OPERANDS.get(op, ("operand",))) or op == "xla.concatenate"
    args, how = decoded(case["args"]), HOW.get(engine, "")
    if op == "tflite.slice":
        args = {name: np.array(values, np.int64) for name, values in args.items()}
    if op == "xla.pad":
        args["padding_config"] = list(map(tuple, args["padding_config"]))  # JAX hashes the entries
    if engine == "openvino":
        how = openvino_way(Random(0), arrays[0], args.get("strides", args.get("step")))
    return Call(op, arrays, args, how)


class Stored(Subject):
    """Answers as the vectors say."""

    name = "the stored vectors"

    def __init__(self, answers):
        self.of = answers

    def answers(self, calls):
        return [self.of[str(call)] for call in calls]


def stored_answer(case):
    if "error" in case:
        return Answer(error=Labelled(case["error"]))
    return Answer(np.array(case["items"], np.int64).reshape(case["shape"]) + 1)


def cases_by_engine():
    found = {}
    for path in sorted(FOLDER.glob("*.jsonl")):
        header, *cases = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        for case in cases:
            found.setdefault(engine_of(header["op"], case), []).append((header["op"], case))
    return found


CASES = cases_by_engine()


@pytest.mark.parametrize("name", ENGINES)
def test_engines_answer_what_is_stored(name, report):
    engine = oracle(name)
    engine.unworded = tuple(engine.phrases)  # the vectors have labels, and no words
    stored = list(sampled(CASES[name]) if name in COMPILING else CASES[name])
    calls = [call_of(op, case, name) for op, case in stored]
    answers = {str(call): stored_answer(case) for call, (_, case) in zip(calls, stored, strict=True)}
    run = Run(engine, Stored(answers))
    try:
        for first in range(0, len(calls), engine.batch):
            run.compare(calls[first : first + engine.batch])
    finally:
        engine.close()
    comparison = run.comparison
    report(f"vectors: {name}: {comparison}")
    shown = [f"{d.call}  # {d.call.how}\n  {d.theirs}\n  {d.ours}\n  {d.complaint}" for d in comparison.differences]
    assert not shown, "\n".join(shown[:10])
    counts = comparison.counts
    assert comparison.compared + counts["not sent"] + counts["not run"] == len(calls)
    assert comparison.compared >= 0.85 * len(calls) and counts["different"] <= 0.1 * len(calls)


def test_every_vector_has_an_engine():
    assert sum(map(len, CASES.values())) >= 2000 and set(CASES) == set(ENGINES)
