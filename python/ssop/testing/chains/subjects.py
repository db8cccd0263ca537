"""A subject of chains: a function that evaluates a whole program, or an object with a function for each operation."""

# mypy: disable-error-code="import-not-found,import-untyped,unused-ignore"

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from ssop.testing._differential.subjects import (
    REJECTIONS,
    Subject,
    arguments_of,
    check_signature,
    importable,
    load_object,
    own_line,
)
from ssop.testing.calls import Answer, Array, Call, Fault, Rejection
from ssop.testing.chains import operations
from ssop.testing.chains.drawing import XLA, Kinds
from ssop.testing.chains.engines import ChainONNXRuntime
from ssop.testing.chains.files import onnx_text, stablehlo_text
from ssop.testing.chains.program import At, Chain, Step, input_text
from ssop.testing.oracles.child import Isolated

TAKES = ("stablehlo", "onnx", "operations")
"""What a subject may take: the text of a StableHLO program, or the bytes of an ONNX model, and the inputs behind it.
With "operations", it has functions with the names and parameters of ssop.xla's."""

FORMS = {
    "interior": operations.INTERIOR,
    "negative_padding": operations.NEGATIVE_PADDING,
    "negative_starts": operations.WRAPPING,
    "run_time": operations.RUN_TIME,
}
"""The words of a declaration for what a subject may lack."""


@dataclass(frozen=True)
class ChainSupports:
    """What a subject can take; other programs are not drawn for it.

    >>> ChainSupports.of("ranks=1..3 dtypes=int32 ops=rev,pad run-time=no").ops
    ('xla.rev', 'xla.pad')
    """

    ranks: tuple[int, int] = (0, 64)
    """Of all values of the program."""
    dtypes: tuple[str, ...] | None = None
    """Of all its inputs but of the predicate of a select; None for all that are drawn."""
    ops: tuple[str, ...] | None = None
    interior: bool = True
    """Whether padding may have an interior."""
    negative_padding: bool = True
    negative_starts: bool = True
    """Whether the option `allow_negative_indices` may be set."""
    run_time: bool = True
    """Whether starts may be inputs."""

    @classmethod
    def of(cls, declared: Any) -> ChainSupports:
        """From a text as above, or None; ValueError for anything else."""
        if declared is None or isinstance(declared, cls):
            return declared or cls()
        if not isinstance(declared, str):
            raise ValueError(f"what a subject of chains supports is a text, not {declared!r}")
        result = cls()
        for word in declared.split():
            name, _, value = word.partition("=")
            result = replace(result, **{name.replace("-", "_"): _read(name.replace("-", "_"), value)})
        return result

    def kinds(self, kinds: Kinds) -> Kinds:
        """Of these programs those that it can take; ValueError if no operation is left."""
        ops = {op: weight for op, weight in kinds.ops.items() if self.ops is None or op in self.ops}
        dtypes = tuple(name for name in kinds.dtypes if self.dtypes is None or name in self.dtypes)
        lacks = {form for name, form in FORMS.items() if not getattr(self, name)}
        if not ops or not dtypes:
            raise ValueError(f"no operation and dtype is left: there are {', '.join((*kinds.ops, *kinds.dtypes))}")
        return kinds._replace(ops=ops, dtypes=dtypes, lacks=kinds.lacks | lacks)

    def take(self, chain: Chain) -> bool:
        """Whether a program is among those."""
        low, high = self.ranks
        names = {array.dtype.name for array in chain.arrays if array.dtype != bool}
        small = all(low <= value.ndim <= high for value in chain.values.values())
        return small and (self.dtypes is None or names <= set(self.dtypes))


def _read(name: str, value: str) -> Any:
    if name == "ranks":
        low, _, high = value.partition("..")
        if low.isdigit() and (high or low).isdigit():
            return int(low), int(high or low)
    elif name == "dtypes":
        return tuple(value.split(","))
    elif name == "ops":
        ops = tuple(word if "." in word else f"xla.{word}" for word in value.split(","))
        unknown = [op for op in ops if op not in operations.OPERATIONS]
        if not unknown:
            return ops
        raise ValueError(f"ops={value!r}: there is no {unknown[0]!r}, but {', '.join(operations.OPERATIONS)}")
    elif name in FORMS and value in ("yes", "no"):
        return value == "yes"
    known = f"ranks=1..4, dtypes=, ops=, and {', '.join(FORMS).replace('_', '-')}, each yes or no"
    raise ValueError(f"{name.replace('_', '-')}={value!r}: known are {known}")


def drawn_for(takes: str, function: Any) -> Kinds:
    """The programs that can be given to a subject."""
    if takes == "onnx":
        return ChainONNXRuntime.kinds
    if takes == "operations":
        return XLA._replace(ops={op: n for op, n in XLA.ops.items() if callable(getattr(function, _name(op), None))})
    return XLA


def _name(op: str) -> str:
    return op.partition(".")[2]


class ChainSubject(Subject):
    """A function or object, or `"module:name"`, in a child process that is started again after a crash or a hang."""

    is_ssop = False

    def __init__(self, function: Any, takes: str | None, supports: Any, seconds: float) -> None:
        named = isinstance(function, str)
        self.function = load_object(function) if named else function
        self.name = function if named else getattr(function, "__name__", repr(function))
        found = takes or getattr(self.function, "takes", None)
        if found not in TAKES:
            raise ValueError(
                f"subject {self.name}: what does it take of a chain? say --takes {', '.join(TAKES)}, "
                "or set its attribute takes"
            )
        self.takes: str = found
        self.supported = ChainSupports.of(supports if supports is not None else _declared(self.function))
        self.kinds = self.supported.kinds(drawn_for(self.takes, self.function))
        path = function if named else self.function
        fork = not named and "fork" in multiprocessing.get_all_start_methods()
        make = partial(ChainServer, path, self.takes)
        self.child = Isolated(make, seconds=seconds, one_by_one=True, method="fork" if fork else "spawn")

    def imported(self) -> tuple[str, str]:
        return importable(self.name, self.function)

    def check_signature(self, calls: Sequence[Chain]) -> None:
        if self.takes != "operations":
            check_signature(self.name, self.function, [("the chain", ["", *chain.arrays], {}) for chain in calls])
            return
        made: dict[str, list[Any]] = {}
        for chain in calls:
            for step in chain.steps:
                made.setdefault(step.op, []).append((step.op, *_arguments(step)))
        for op, rows in made.items():
            check_signature(f"{self.name}.{_name(op)}", getattr(self.function, _name(op)), rows)

    def supports(self, call: Chain) -> bool:
        return self.supported.take(call)

    def answers(self, calls: Sequence[Chain]) -> list[Answer]:
        return self.child.answers(calls)  # type: ignore[arg-type]

    def program(self, chain: Chain) -> str:
        """Python code that asks it; a remark if it has no name to be imported by."""
        module, name = self.imported()
        if not module:
            return f"# {name}, with the program of\n# {chain}"
        lines = ["import numpy as np", f"from {module} import {name.partition('.')[0]}", ""]
        lines += [f"{key} = {input_text(array)}" for key, array in chain.inputs.items()]
        if self.takes == "operations":
            for step in chain.steps:
                positional, named = _arguments(step)
                words = [*map(repr, positional), *(f"{key}={value!r}" for key, value in named.items())]
                lines.append(f"{step.name} = {name}.{_name(step.op)}({', '.join(words)})")
            return "\n".join([*lines, f"print(np.asarray({chain.steps[-1].name}))"])
        text, read = _text(chain, self.takes), "program"
        if self.takes == "onnx":
            lines.insert(1, "import onnx")
            read = "onnx.parser.parse_model(program).SerializeToString()"
        lines.append(f'program = """\n{text}"""')
        return "\n".join([*lines, f"print(np.asarray({name}({read}, {', '.join(chain.inputs)})))"])

    def close(self) -> None:
        self.child.close()


class _Name(str):
    """The name of a value, which stands for it among arguments and in a program's text."""

    __slots__ = ()
    __repr__ = str.__str__


def _arguments(step: Step) -> tuple[list[Any], dict[str, Any]]:
    """Those of a step as a call of ssop.xla's function, by position and by name, with names in the place of values."""
    args = {key: _Name(value.name) if isinstance(value, At) else value for key, value in step.args.items()}
    return arguments_of(Call(step.op, tuple(map(_Name, step.operands)), args))  # type: ignore[arg-type]


def _resolved(value: Any, values: Mapping[str, Any]) -> Any:
    """An argument with the values that its names stand for."""
    if isinstance(value, _Name):
        return values[value]
    return [_resolved(part, values) for part in value] if isinstance(value, list) else value


def _declared(function: Any) -> Any:
    """The attribute `supports`, if it is a text."""
    found = getattr(function, "supports", None)
    return found if isinstance(found, str) else None


def _text(chain: Chain, takes: str) -> str:
    text = stablehlo_text(chain) if takes == "stablehlo" else onnx_text(chain)
    assert text is not None  # only such are drawn
    return text


class ChainServer:
    """The server in the child process: `load`, then `answers`."""

    def __init__(self, function: Any, takes: str) -> None:
        self.function, self.takes = function, takes

    def load(self) -> None:
        """Import the subject, and what writes its programs."""
        from ssop.testing.models.engines import be_quiet

        be_quiet()
        if isinstance(self.function, str):
            self.function = load_object(self.function)
        self.onnx = import_module("onnx") if self.takes == "onnx" else None

    def answers(self, chains: Sequence[Chain]) -> Iterator[Answer]:
        """What the function returns, as an array; whatever is wrong with it is a `Fault` in one line."""
        for chain in chains:
            yield self.answer(chain)

    def answer(self, chain: Chain) -> Answer:
        """One program, whose inputs are the subject's own copies."""
        inputs = {name: array.copy() for name, array in chain.inputs.items()}
        function: Callable[..., Any] = self.function
        if self.takes == "operations":
            function = partial(self.by_steps, chain, inputs)
        else:
            function = partial(self.function, self.program(chain), *inputs.values())
        try:
            result = _as_array(function())
        except REJECTIONS as error:
            return Answer(error=Rejection(type(error).__name__, f"{error}{own_line(self.function, error)}"))
        except BaseException as error:
            told = f"raised {type(error).__name__}: {error}{own_line(self.function, error)}"
            return Answer(error=Fault(told))
        if result is None:
            return Answer(error=Fault("returned no array"))
        if any(inputs[name].tobytes() != array.tobytes() for name, array in chain.inputs.items()):
            return Answer(error=Fault("changed its input"))
        return Answer.of(result)

    def program(self, chain: Chain) -> str | bytes:
        """The program as the subject takes it."""
        text = _text(chain, self.takes)
        if self.onnx is None:
            return text
        model: bytes = self.onnx.parser.parse_model(text).SerializeToString()
        return model

    def by_steps(self, chain: Chain, inputs: Mapping[str, Array]) -> Any:
        """One operation after the other, each on what the ones before gave."""
        values: dict[str, Any] = dict(inputs)
        for step in chain.steps:
            positional, named = _arguments(step)
            function = getattr(self.function, _name(step.op))
            values[step.name] = function(*_resolved(positional, values), **named)
        return values[chain.steps[-1].name]


def _as_array(result: Any) -> Array | None:
    """A result, or the only one of a list, as an array; None for anything else."""
    if isinstance(result, list | tuple) and len(result) == 1:
        (result,) = result
    if isinstance(result, np.ndarray | np.generic) or hasattr(result, "__array__"):
        return np.asarray(result)
    return None
