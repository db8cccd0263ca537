"""Verdicts on what a converter gave for a program."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ssop.testing._differential.comparison import rules_met
from ssop.testing.calls import Answer, Call, Fault, Rejection, same
from ssop.testing.models.engines import Asked, ModelServer, form_of
from ssop.testing.models.program import Program
from ssop.testing.models.subjects import Converter, Given
from ssop.testing.oracles.child import Isolated

VERDICTS = ("equal", "wrong", "invalid", "refused", "crashed", "hung")
"""Results that are equal on all shapes; another result; no model that the engine takes; an exception of the subject.
Then the death of a process, the subject's or the engine's; and no answer in time."""
FAILURES = ("wrong", "invalid", "crashed", "hung")
"""A subject that raises for what it cannot do is right to do so."""

LABELS = {
    "tf.slice": "tfs_s1", "tf.reverse": "rev_s1", "tf.transpose": "tr_s1", "tf.pad": "pad_s1",
    "onnx.slice": "onx_s1", "onnx.transpose": "tr_s1", "onnx.pad": "pad_s1",
    "xla.slice": "sl_s1", "xla.dynamic_slice": "ds_s1", "xla.rev": "rev_s1", "xla.transpose": "tr_s1",
    "xla.pad": "pad_s1", "torch.index": "ix_s1", "torch.flip": "rev_s1", "torch.permute": "tr_s1",
    "torch.narrow": "sl_s1", "torch.pad": "pad_s1", "numpy.index": "ix_s1", "numpy.flip": "rev_s1",
    "numpy.transpose": "tr_s1",
}  # fmt: skip
"""The rule of SPEC.md by which a call is run; of strided slices, it depends on their arguments."""


@dataclass(frozen=True)
class Finding:
    """A verdict on one program, and what shows it."""

    program: Program
    verdict: str
    shape: tuple[int, ...] = ()
    right: Answer | None = None
    given: Answer | None = None
    model: Any = None
    """What the subject gave, if it is a model."""
    who: str = "the subject"
    """Whose answer it is: the subject's, or that of the engine that runs the model."""

    @property
    def kind(self) -> str:
        """The verdict with its reason, without what differs from one program to the next."""
        if self.verdict == "wrong":
            assert self.right is not None and self.given is not None
            return f"wrong: {_difference(self.right, self.given)}"
        error = None if self.given is None else self.given.error
        reason = error.kind if isinstance(error, Rejection) else re.sub(r"\d[\d.]*", "N", str(error))
        where = "" if self.who == "the subject" else f"{self.who}: "
        return f"{self.verdict}: {where}{reason}".rstrip(": ")

    @property
    def failed(self) -> bool:
        """Whether a run with such a finding fails."""
        return self.verdict in FAILURES


def _difference(right: Answer, given: Answer) -> str:
    assert right.array is not None and given.array is not None
    if right.array.dtype != given.array.dtype:
        return "the dtypes differ"
    return "the shapes differ" if right.array.shape != given.array.shape else "the elements differ"


def rules_of(program: Program) -> list[str]:
    """The labels of SPEC.md by which a program is run.

    >>> import ssop
    >>> call = ssop.convert.Call("tf.strided_slice", begin=[-1], end=[0], strides=[1], end_mask=1)
    >>> rules_of(Program("tensorflow", (call,), (3,)))
    ['ss_s6', 'ss_s4', 'ss_s5']
    """
    found: dict[str, None] = {}
    for call in program.calls:
        if call.function == "tf.strided_slice":
            args = {k: list(v) if isinstance(v, tuple) else v for k, v in call.arguments.items()}
            found |= dict.fromkeys(rules_met(Call(call.function, (), args), Answer(np.zeros(0))))
        elif label := LABELS.get(call.function):
            found[label] = None
    return list(found)


class Judge:
    """A subject beside the engines that run what it gives."""

    def __init__(self, subject: Converter, engines: dict[str, str], seconds: float) -> None:
        self.subject, self.engines = subject, engines
        self.child = Isolated(ModelServer, seconds=seconds, one_by_one=True)
        self.used: set[str] = set()
        """The engines that ran something."""

    def close(self) -> None:
        """End both processes."""
        self.subject.close()
        self.child.close()

    def judge(self, program: Program) -> Finding | None:
        """A finding; None for a program that has no model, or that the engine itself does not run."""
        return self.finding(program, self.subject.give(program))

    def finding(self, program: Program, given: Given) -> Finding | None:
        """The verdict on what was given."""
        if given.unwritten:
            return None
        if given.error is not None:
            return Finding(program, _verdict_of(given.error, "refused"), given=Answer(error=given.error))
        if given.answers:
            return self.compared(program, given, given.answers, "the subject")
        engine = self.engines.get(form_of(given.model))
        if engine is None:
            raise ValueError(f"no engine for a model of {form_of(given.model)} is installed: see ssop difftest --list")
        answers = self.ask(program, engine, given.model)
        found = self.compared(program, given, answers, engine)
        if found.verdict == "equal" or given.source is None or form_of(given.source) != form_of(given.model):
            return found
        return self.beside_source(found, answers, self.ask(program, engine, given.source))

    def ask(self, program: Program, engine: str, model: Any) -> list[Answer]:
        """The engine's answers to a model, one for each shape."""
        self.used.add(engine)
        inputs = tuple(program.inputs(shape) for shape in program.shapes)
        (found,) = self.child.answers([Asked(engine, (model,), inputs)])  # type: ignore[list-item]
        if isinstance(found, Answer):  # the engine died
            return [found] * len(inputs)
        answers: list[Answer] = found[0]
        return answers

    def compared(self, program: Program, given: Given, answers: Sequence[Answer], who: str) -> Finding:
        """The verdict on the answers of a model or a function."""
        for shape, answer in zip(program.shapes, answers, strict=False):
            right = Answer(program.right(shape))
            if answer.error is not None:
                return Finding(program, _verdict_of(answer.error, "invalid"), shape, right, answer, given.model, who)
            if not same(right.array, answer.array):
                return Finding(program, "wrong", shape, right, answer, given.model)
        return Finding(program, "equal", model=given.model)

    def beside_source(self, found: Finding, answers: Sequence[Answer], of_source: Sequence[Answer]) -> Finding | None:
        """The same, unless the engine makes the same of the source: then the subject kept what it was given."""
        if any(answer.error is not None for answer in of_source):
            return None
        agree = (a.error is None and a.agrees(b) for a, b in zip(answers, of_source, strict=True))
        return Finding(found.program, "equal", model=found.model) if all(agree) else found


def _verdict_of(error: Exception, otherwise: str) -> str:
    if not isinstance(error, Fault):
        return otherwise
    return "hung" if str(error).startswith("no answer") else "crashed"
