"""A converter as a subject, in a process of its own; what it gives, and how it fails."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from ssop._convert.calls import Call
from ssop.testing._differential.subjects import importable, load_function, own_line
from ssop.testing.calls import Answer, Rejection
from ssop.testing.calls.specs import MASKS
from ssop.testing.models.engines import answer_of, be_quiet, form_of, plain, rejection
from ssop.testing.models.program import TAKES, Program
from ssop.testing.models.writing import load_writer, source_of
from ssop.testing.oracles.child import Isolated

WORDS = {"none", *(name.partition("_")[0] for name in MASKS)}
"""What `masks` may have."""
REFUSAL = "NotImplementedError"
"""What a function may raise, too, for what it cannot do. A model that a converter gave cannot."""


@dataclass(frozen=True)
class ModelSupports:
    """What a converter can take; other programs are not drawn for it.

    >>> supports = ModelSupports.of("ranks=1..3 calls=tf.slice,onnx unknown-dims=no")
    >>> supports.ranks, supports.calls, supports.unknown_dims, supports.pads
    ((1, 3), ('tf.slice', 'onnx'), False, True)
    """

    ranks: tuple[int, int] = (1, 4)
    """Of the operand."""
    dtypes: tuple[str, ...] | None = None
    """None for all that are drawn."""
    calls: tuple[str, ...] | None = None
    """Their functions, or frameworks, as in "tf.slice" or "tf"; None for all that are drawn."""
    masks: tuple[str, ...] | None = None
    """Masks of strided slices, as in "begin", "end", "ellipsis", "new" and "shrink", or "none"; None for all."""
    steps: tuple[int, int] = (1, 4)
    """How many calls one after the other."""
    unknown_dims: bool = True
    run_time: bool = True
    """Whether bounds may be inputs of the model."""
    pads: bool = True

    @classmethod
    def of(cls, declared: Any) -> ModelSupports:
        """From a text as above, or None; ValueError for anything else."""
        if declared is None or isinstance(declared, cls):
            return declared or cls()
        if not isinstance(declared, str):
            raise ValueError(f"what a converter supports is a text, not {declared!r}")
        result = cls()
        for word in declared.split():
            name, _, value = word.partition("=")
            name = name.replace("-", "_")
            result = replace(result, **{name: _read(name, value)})
        return result

    def take(self, program: Program) -> bool:
        """Whether a program is among those."""
        ranks, steps = self.ranks, self.steps
        return (
            ranks[0] <= len(program.dims) <= ranks[1]
            and steps[0] <= len(program.calls) <= steps[1]
            and (self.dtypes is None or program.dtype in self.dtypes)
            and all(self._has(call) for call in program.calls)
            and (self.unknown_dims or None not in program.dims)
            and (self.run_time or not program.names)
            and (self.pads or not any(call.function.endswith(".pad") for call in program.calls))
        )

    def _has(self, call: Call) -> bool:
        if self.calls is not None and not {call.function, call.function.partition(".")[0]} & set(self.calls):
            return False
        used = (name.partition("_")[0] for name in MASKS if call.arguments.get(name))
        return self.masks is None or all(name in self.masks for name in used)


def _read(name: str, value: str) -> Any:
    if name in ("ranks", "steps"):
        low, _, high = value.partition("..")
        if low.isdigit() and (high or low).isdigit():
            return int(low), int(high or low)
    elif name in ("dtypes", "calls") and value or name == "masks" and set(value.split(",")) <= WORDS:
        return tuple(value.split(","))
    elif name in ("unknown_dims", "run_time", "pads") and value in ("yes", "no"):
        return value == "yes"
    known = (
        f"ranks=1..4, steps=1..4, dtypes=, calls=, masks= of {', '.join(sorted(WORDS))}, "
        "and unknown-dims, run-time and pads, each yes or no"
    )
    raise ValueError(f"{name.replace('_', '-')}={value!r}: known are {known}")


class Given(NamedTuple):
    """What came of one program: the source and the model that was given, or results, or why there is neither."""

    source: Any = None
    """The model that the subject took, if an engine can run it."""
    model: Any = None
    answers: tuple[Answer, ...] = ()
    """The results of a function, on each shape."""
    error: Exception | None = None
    unwritten: bool = False
    """Whether the error is the writer's, and the subject was not asked."""


class ConverterServer:
    """The server in the child process."""

    def __init__(self, function: Any, takes: str) -> None:
        self.function, self.takes = function, takes

    def load(self) -> None:
        """Import the subject, what it needs, and what writes its sources."""
        be_quiet()
        if isinstance(self.function, str):
            self.function = load_function(self.function)
        load_writer(self.takes)
        for name in getattr(self.function, "needs", ()):
            import_module(name)

    def answers(self, programs: Sequence[Program]) -> Iterator[Given]:
        """One for each."""
        for program in programs:
            yield self.given(program)

    def given(self, program: Program) -> Given:
        try:
            source = source_of(program)
        except Exception as error:  # of a framework whose call cannot be made
            return Given(error=rejection(error), unwritten=True)
        taken = source[0] if program.takes in ("onnx", "stablehlo") else None
        try:
            model = self.function(*source)
        except (Exception, SystemExit) as error:  # whatever the subject raises
            found = rejection(error)
            return Given(error=Rejection(found.kind, f"{found.text}{own_line(self.function, error)}"))
        form = form_of(model)
        if form == "function":
            run = partial(_run, model)
            answers = tuple(answer_of(run, program.inputs(shape)) for shape in program.shapes)
            refusals = [a.error for a in answers if isinstance(a.error, Rejection) and a.error.kind == REFUSAL]
            return Given(error=refusals[0]) if refusals else Given(taken, None, answers)
        if not form:
            return Given(taken, None, (Answer(error=Rejection("", f"returned {type(model).__name__}, no model")),))
        return Given(taken, plain(model))


def _run(model: Any, inputs: Mapping[str, np.ndarray[Any, Any]]) -> Any:
    x, *values = inputs.values()
    return model(x, **dict(zip(list(inputs)[1:], values, strict=True)))


class Converter:
    """A function, or `"module:function"`, that is imported in a child process."""

    def __init__(self, function: Any, takes: str | None, supports: Any, seconds: float) -> None:
        named = isinstance(function, str)
        self.function = load_function(function) if named else function
        self.name = function if named else getattr(function, "__name__", repr(function))
        found = takes or getattr(self.function, "takes", None)
        if found not in TAKES:
            raise ValueError(
                f"subject {self.name}: what does it take? say --takes {', '.join(TAKES)}, or set its attribute takes"
            )
        self.takes = found
        declared = supports if supports is not None else getattr(self.function, "supports", None)
        self.supports = ModelSupports.of(declared)
        self.module, self.attribute = importable(self.name, self.function)
        path = f"{self.module}:{self.attribute}" if named else self.function
        make = partial(ConverterServer, path, self.takes)
        method = "spawn" if named or "fork" not in _start_methods() else "fork"
        self.child = Isolated(make, seconds=seconds, one_by_one=True, method=method)

    def give(self, program: Program) -> Given:
        """What it gives for a program; a death of its process is an error that is a Fault."""
        (found,) = self.child.answers([program])  # type: ignore[list-item]
        return found if isinstance(found, Given) else Given(error=found.error)

    def versions(self) -> str:
        """Names and versions of the distributions that it needs."""
        from importlib import metadata

        homes = metadata.packages_distributions()
        names = dict.fromkeys(homes.get(module, [""])[0] for module in getattr(self.function, "needs", ()))
        return ", ".join(f"{name} {metadata.version(name)}" for name in names if name)

    def close(self) -> None:
        """End its process."""
        self.child.close()


def _start_methods() -> list[str]:
    import multiprocessing

    return [] if sys.platform == "win32" else multiprocessing.get_all_start_methods()
