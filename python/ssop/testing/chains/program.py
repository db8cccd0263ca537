"""A program of a few operations as data, its evaluation by ssop one operation after the other, and its text.

Values have names: those of inputs begin with x, those of steps with y. The result is the value of the last step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from ssop.testing.calls import Answer, Array
from ssop.testing.calls.call import POSITIONAL, value_text


class At(NamedTuple):
    """An argument that is known at run time only: the value of this name."""

    name: str


class Step(NamedTuple):
    """One operation: the names of its operands, and its other arguments, lists, numbers or `At`."""

    name: str
    op: str
    operands: tuple[str, ...]
    args: dict[str, Any]

    @property
    def used(self) -> tuple[str, ...]:
        """The names of all values that it needs."""
        return *self.operands, *(value.name for value in self.args.values() if isinstance(value, At))

    def with_args(self, values: Mapping[str, Array]) -> dict[str, Any]:
        """The arguments, those of run time with the numbers that they have."""
        return {name: values[arg.name] if isinstance(arg, At) else arg for name, arg in self.args.items()}

    def renamed(self, names: Mapping[str, str]) -> Step:
        """The same step of a program whose values have other names."""
        args = {key: At(names[arg.name]) if isinstance(arg, At) else arg for key, arg in self.args.items()}
        return Step(names[self.name], self.op, tuple(names[name] for name in self.operands), args)


@cache
def function_of(op: str) -> Callable[..., Any]:
    """ssop's function for an operation."""
    module, _, name = op.partition(".")
    found: Callable[..., Any] = getattr(import_module(f"ssop.{module}"), name)
    return found


def applied(step: Step, values: Mapping[str, Array]) -> Array:
    """What ssop gives for a step; `ssop.SliceError` where it raises."""
    operands = [values[name] for name in step.operands]
    args = step.with_args(values)
    if step.op == "tf.strided_slice_grad":
        args["dy"], operands = operands[0], []
    if step.op == "xla.concatenate":
        operands = [operands]  # type: ignore[list-item]
    result: Array = function_of(step.op)(*operands, **args)
    return result


@dataclass(frozen=True)
class Chain:
    """A program. It stands where a `Call` does: engines answer it, and answers to it are compared.

    >>> import numpy as np
    >>> first = Step("y0", "xla.dynamic_slice", ("x0",), {"start_indices": At("x1"), "slice_sizes": [4]})
    >>> second = Step("y1", "xla.rev", ("y0",), {"dimensions": [0]})
    >>> chain = Chain({"x0": np.arange(9), "x1": np.array([7])}, (first, second))
    >>> chain.run()
    array([8, 7, 6, 5])
    >>> print(chain)
    x0 = np.arange(0, 9, dtype='int64'); x1 = np.array([7], 'int64'); y0 = ssop.xla.dynamic_slice(x0, x1, [4]); \
y1 = ssop.xla.rev(y0, dimensions=[0])
    """

    inputs: dict[str, Array]
    steps: tuple[Step, ...]
    how: str = ""

    op = "chain"
    name = "chain"
    dialect = "chain"
    args: Any = None

    @property
    def arrays(self) -> tuple[Array, ...]:
        """The inputs, in order."""
        return tuple(self.inputs.values())

    @cached_property
    def values(self) -> dict[str, Array]:
        """Every value of the program; `ssop.SliceError` where a step raises."""
        values = dict(self.inputs)
        for step in self.steps:
            values[step.name] = applied(step, values)
        return values

    def run(self) -> Array:
        """The result."""
        return self.values[self.steps[-1].name]

    def answer(self) -> Answer:
        """The same as an answer."""
        return Answer(self.run())

    def known(self, values: dict[str, Array]) -> Chain:
        """The same chain, whose values were computed when it was made."""
        self.__dict__["values"] = values
        return self

    @property
    def operations(self) -> tuple[str, ...]:
        """The operations of its steps."""
        return tuple(step.op for step in self.steps)

    def pruned(self) -> Chain:
        """Without steps and inputs that the result does not need; values are named anew in their order.

        >>> import numpy as np
        >>> twice = [Step(f"y{n}", "xla.rev", ("x3",), {"dimensions": [0]}) for n in range(2)]
        >>> len(Chain({"x3": np.arange(2)}, tuple(twice)).pruned().steps)
        1
        """
        needed = {self.steps[-1].name}
        kept: list[Step] = []
        for step in reversed(self.steps):
            if step.name in needed:
                kept.insert(0, step)
                needed.update(step.used)
        inputs = list(dict.fromkeys(name for step in kept for name in step.used if name in self.inputs))
        names = {name: f"x{i}" for i, name in enumerate(inputs)} | {step.name: f"y{i}" for i, step in enumerate(kept)}
        return replace(
            self,
            inputs={names[name]: self.inputs[name] for name in inputs},
            steps=tuple(step.renamed(names) for step in kept),
        )

    def __getstate__(self) -> dict[str, Any]:
        """Sent to other processes without the values of its steps."""
        return {"inputs": self.inputs, "steps": self.steps, "how": self.how}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def statements(self) -> Iterator[str]:
        """Python code of the program with ssop's functions, line by line."""
        for name, array in self.inputs.items():
            yield f"{name} = {input_text(array)}"
        for step in self.steps:
            yield f"{step.name} = {step_text(step)}"

    def program(self) -> str:
        """Python code that prints the result."""
        return "\n".join(["import numpy as np, ssop", *self.statements(), f"print({self.steps[-1].name})"])

    def __str__(self) -> str:
        return "; ".join(self.statements())


def input_text(array: Array) -> str:
    """Python code of an input, which counts from some number or is short.

    >>> import numpy as np
    >>> input_text(np.array(7)), input_text(np.arange(4, 10.0).reshape(2, 3)), input_text(np.array([True]))
    ("np.array(7, 'int64')", "np.arange(4, 10, dtype='float64').reshape(2, 3)", "np.array([True], 'bool')")
    """
    name, flat = array.dtype.name, array.ravel()
    first = int(flat[0]) if array.size else 0
    if array.size > 5 and array.dtype.kind in "iuf" and (flat == np.arange(first, first + array.size)).all():
        shape = f".reshape{array.shape}" if array.ndim > 1 else ""
        return f"np.arange({first}, {first + array.size}, dtype={name!r}){shape}"
    numbers = array.tolist() if array.dtype.kind == "b" else array.astype(np.int64).tolist()
    shape = f".reshape{array.shape}" if array.ndim > 1 and not array.size else ""
    return f"np.array({[] if shape else numbers}, {name!r}){shape}"


def step_text(step: Step) -> str:
    """Python code of a step with ssop's function."""
    words = [f"[{', '.join(step.operands)}]"] if step.op == "xla.concatenate" else list(step.operands)
    gradient = step.op == "tf.strided_slice_grad"
    if gradient:
        words = [f"dy={step.operands[0]}"]
    positional = not gradient
    for name, value in step.args.items():
        if name.endswith("_mask") and value == 0:
            continue
        positional = positional and name in (*POSITIONAL, "operand_shape")
        text = value.name if isinstance(value, At) else value_text(value)
        words.append(text if positional else f"{name}={text}")
    return f"ssop.{step.op}({', '.join(words)})"
