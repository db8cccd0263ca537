"""What every engine offers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import metadata, util
from random import Random
from typing import Any, ClassVar, TypeAlias

from ssop.testing.calls import Answer, Array, Rejection
from ssop.testing.calls.call import array_text, value_text
from ssop.testing.oracles.child import Isolated

Asked: TypeAlias = Any
"""A `Call`, or a `ShapeCall` where the oracle infers shapes."""
Draw = Callable[[Random], Asked]


class Oracle:
    """One engine: which calls it can run, and its answers to them.

    A subclass sets the class variables and defines `run`; `load` imports the engine. Nothing of the engine is imported
    before: calls are drawn, and answers compared, where it is not installed.
    """

    name: ClassVar[str]
    """In the command line and in the table of divergences."""
    modules: ClassVar[tuple[str, ...]] = ()
    """What must be importable."""
    distributions: ClassVar[tuple[str, ...]] = ()
    """What to install for that."""
    can_crash: ClassVar[bool] = True
    """Whether it answers in a child process."""
    batch: ClassVar[int] = 500
    """How many calls are sent at once."""
    seconds: ClassVar[float] = 60.0
    """The time limit of one call."""
    ops: ClassVar[Mapping[str, tuple[float, Draw]]] = {}
    """For each operation that it can run: how often to draw it, and the function that draws a call."""
    phrases: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The engine's own words when it rejects, as regular expressions, and the labels they stand for. ssop's message
    repeats the words, for people search for them."""
    unworded: ClassVar[tuple[str, ...]] = ()
    """Phrases and labels for which ssop has words of its own."""
    only_shapes: ClassVar[bool] = False
    """Whether it runs calls, but gives the shapes of the results alone."""
    infers: ClassVar[bool] = False
    """Whether its calls are those of shape inference, `ShapeCall`."""
    granted: ClassVar[Mapping[str, Any]] = {}
    """Options that all of its calls have, since they say whose reading the oracle is. A subject need not have them."""
    limits: ClassVar[str] = ""
    """What it cannot run, in a sentence."""

    def load(self) -> None:
        """Import the engine; called once, in the process that answers."""

    def run(self, call: Asked) -> Array:
        """The result; any exception that is not a `Rejection` is a fault of the oracle."""
        raise NotImplementedError

    def answers(self, calls: Sequence[Asked]) -> Iterator[Answer]:
        """The answers in the calls' order; an engine that compiles them overrides this for many at once."""
        for call in calls:
            yield self.answer(call)

    def answer(self, call: Asked) -> Answer:
        """What `run` returns, or the rejection."""
        try:
            return Answer(self.run(call))
        except Rejection as rejection:
            return Answer(error=rejection)

    def code(self, call: Asked) -> str:
        """The call as a program for this engine alone, or for this class where that would be long."""
        if self.infers:
            return (
                "from ssop.testing.calls import ShapeCall\nfrom ssop.testing.oracles import oracle\n"
                f"print(oracle({self.name!r}, 'shape').answer({call!r}))"
            )
        arrays = "".join(f"{array_text(array)}, " for array in call.arrays)
        args = ", ".join(f"{name!r}: {value_text(value)}" for name, value in call.args.items())
        return (
            "import numpy as np\nfrom ssop.testing.calls import Call\nfrom ssop.testing.oracles import oracle\n"
            f"call = Call({call.op!r}, ({arrays.strip()}), {{{args}}}, {call.how!r})\n"
            f"print(oracle({self.name!r}).answer(call))"
        )

    def counted(self, call: Asked, ours: Answer) -> Iterator[str]:
        """Further counts that the tests of this engine have floors for."""
        yield from ()

    def close(self) -> None:
        """End what it has started."""

    @classmethod
    def installed(cls) -> bool:
        """Whether its modules can be imported."""
        return all(util.find_spec(name) is not None for name in cls.modules)

    @classmethod
    def version(cls) -> str:
        """Names and versions of what is installed of it."""
        return ", ".join(f"{name} {metadata.version(name)}" for name in cls.distributions if _is_installed(name))


def _is_installed(distribution: str) -> bool:
    try:
        metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return False
    return True


class IsolatedOracle(Oracle):
    """An oracle whose answers come from a child process; everything else is the class itself."""

    def __init__(self, kind: type[Oracle]) -> None:
        self.kind = kind
        one_by_one = kind.answers is Oracle.answers
        self.child = Isolated(kind, seconds=kind.seconds, one_by_one=one_by_one)
        for name in (
            "name",
            "ops",
            "phrases",
            "unworded",
            "batch",
            "limits",
            "only_shapes",
            "granted",
            "infers",
            "seconds",
            "distributions",
        ):
            setattr(self, name, getattr(kind, name))

    def answers(self, calls: Sequence[Asked]) -> Iterator[Answer]:
        yield from self.child.answers(calls)

    def answer(self, call: Asked) -> Answer:
        return self.child.answers([call])[0]

    def run(self, call: Asked) -> Array:
        answer = self.answer(call)
        if answer.error is not None:
            raise answer.error
        assert answer.array is not None
        return answer.array

    def code(self, call: Asked) -> str:
        return self.kind().code(call)

    def counted(self, call: Asked, ours: Answer) -> Iterator[str]:
        yield from self.kind().counted(call, ours)

    def version(self) -> str:  # type: ignore[override]
        return self.kind.version()

    def close(self) -> None:
        self.child.close()
