"""The laws of `ssop.convert.laws` as rewritings of random chains that their left sides match.

A case has the numbers of a law. What the law works on may be the result of another operation, and another one may work
on its result. So compilers have something to rewrite in both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import prod
from random import Random
from typing import Any

import numpy as np

from ssop._convert.expressions import Condition, Expression
from ssop._convert.laws import LAWS, Law
from ssop._convert.terms import Shape, Term
from ssop.testing.calls import Array
from ssop.testing.chains.operations import contents
from ssop.testing.chains.program import At, Chain, Step, applied
from ssop.testing.chains.shrinking import closer

TRIES = 20_000
"""Draws of numbers until the left side is no error with them, and the law says something of them."""
FIRST, LAST = ("", "", "slice", "rev", "transpose", "dynamic_slice"), ("", "", "rev", "pad", "concatenate")
"""What comes before and behind a law; mostly nothing."""
FAR = (-(10**9), -100, 100, 10**9)
"""Starts far outside an axis, the sum of two of which fits in 32 bits: laws speak of integers of any size."""
MAX_SIZE = 300
"""Of a value."""
DTYPES = ("int32", "float32")
INT64_MAX, INT64_MIN = 2**63 - 1, -(2**63)


@dataclass(frozen=True)
class LawCase:
    """A law with numbers, and what its two sides stand between.

    >>> case = LawCase("dynamic-slice-is-index", {"N": 2, "s": 1, "a": 2})
    >>> print(case.side("left")); print(case.side("right"))
    x0 = np.array([0, 1], 'int32'); y0 = ssop.xla.dynamic_slice(x0, [2], [1], allow_negative_indices=False)
    x0 = np.array([0, 1], 'int32'); y0 = ssop.tf.strided_slice(x0, [2], [3], [1])
    """

    name: str
    numbers: Mapping[str, int]
    first: str = ""
    last: str = ""
    run_time: bool = False
    """Whether the starts of dynamic slices are inputs."""
    dtype: str = "int32"

    @property
    def law(self) -> Law:
        """The law of this name."""
        return LAWS[self.name]

    @property
    def claimed(self) -> bool:
        """Whether the law says that both sides are equal with these numbers."""
        return bool(self.law._row.precondition.value(self.numbers))

    def side(self, which: str, index: str = "tf.strided_slice") -> Chain:
        """The program of the left or the right side, in which NumPy's index is this operation.

        `ssop.SliceError` if the side is an error with these numbers.
        """
        row = self.law._row
        shapes = {**row.left.arrays, **row.right.arrays}
        scene = _Writer(self, index)
        for place, (name, dims) in enumerate(shapes.items()):
            shape = tuple(dim.value(self.numbers) for dim in dims)
            scene.operands[name] = scene.operand(shape, self.first if not place and shape else "")
        result = scene.write((row.left if which == "left" else row.right).replaced(self.numbers))
        scene.end(result, self.last)
        return Chain(scene.inputs, tuple(scene.steps)).pruned()

    @property
    def size(self) -> tuple[int, ...]:
        """What makes a case small."""
        plain = (bool(self.first), bool(self.last), self.run_time, self.dtype != "int32")
        dims = sum(self.numbers[name] for name in self.law._dims)
        return sum(plain), dims, *(2 * abs(n) + (n < 0) for n in self.numbers.values())

    def __str__(self) -> str:
        return ", ".join(f"{name} = {value}" for name, value in self.numbers.items())


class _Writer:
    """The steps of a side in the making."""

    def __init__(self, case: LawCase, index: str) -> None:
        self.case, self.index = case, index
        self.inputs: dict[str, Array] = {}
        self.steps: list[Step] = []
        self.values: dict[str, Array] = {}
        self.operands: dict[str, str] = {}
        self.count = 0

    def input(self, array: Array) -> str:
        name = f"x{len(self.inputs)}"
        self.inputs[name] = self.values[name] = array
        return name

    def step(self, op: str, operands: tuple[str, ...], args: dict[str, Any]) -> str:
        step = Step(f"y{len(self.steps)}", op, operands, args)
        self.values[step.name] = applied(step, self.values)
        self.steps.append(step)
        return step.name

    def operand(self, shape: tuple[int, ...], first: str) -> str:
        """An operand of the law: an input, or what the first operation makes of one."""
        grown = {"slice": 2, "dynamic_slice": 1}.get(first, 0)
        given = tuple(dim + grown for dim in (reversed(shape) if first == "transpose" else shape))
        array = contents(given, self.case.dtype, self.count)
        self.count += array.size
        name = self.input(array)
        axes = list(range(len(shape)))
        match first:
            case "slice":
                limits = [dim + 1 for dim in shape]
                args = {"start_indices": [1] * len(shape), "limit_indices": limits, "strides": [1] * len(shape)}
                return self.step("xla.slice", (name,), args)
            case "dynamic_slice":
                return self.step("xla.dynamic_slice", (name,), self.window([1] * len(shape), list(shape)))
            case "rev":
                return self.step("xla.rev", (name,), {"dimensions": axes})
            case "transpose":
                return self.step("xla.transpose", (name,), {"permutation": axes[::-1]})
        return name

    def end(self, result: str, last: str) -> None:
        """The last operation; one that keeps the result if there is no step else."""
        value = self.values[result]
        axes = list(range(value.ndim))
        if last == "rev" and axes:
            self.step("xla.rev", (result,), {"dimensions": axes})
        elif last == "pad" and axes:
            edge = self.input(contents((), self.case.dtype, self.count))
            self.step("xla.pad", (result, edge), {"padding_config": [(1, 0, 0)] * len(axes)})
        elif last == "concatenate" and axes:
            self.step("xla.concatenate", (result, result), {"dimension": 0})
        elif result in self.inputs:
            self.step("xla.reshape", (result,), {"new_sizes": list(value.shape)})

    def window(self, starts: list[int], sizes: list[int] | None = None) -> dict[str, Any]:
        """The arguments of starts, which are constants or an input, and of sizes."""
        given: Any = starts
        if self.case.run_time and starts:
            given = At(self.input(np.array(starts, np.int64)))
        more = {} if sizes is None else {"slice_sizes": sizes}
        return {"start_indices": given, **more, "allow_negative_indices": False}

    def write(self, term: Term) -> str:
        """The steps of a term; the name of its value."""
        if term.operation == "array":
            return self.operands[term.arguments[0]]
        operands = tuple(self.write(operand) for operand in term.operands)
        arguments = _numbers(term.arguments, self.case.numbers)
        shape = self.values[operands[0]].shape
        return self.step(*self.translated(term.operation, operands, arguments, shape))

    def translated(
        self, operation: str, operands: tuple[str, ...], arguments: list[Any], shape: tuple[int, ...]
    ) -> tuple[str, tuple[str, ...], dict[str, Any]]:
        """An operation of a term as one of chains."""
        match operation:
            case "slice":
                args = dict(zip(("start_indices", "limit_indices", "strides"), arguments, strict=True))
            case "index":
                return self.index, operands, _index(self.index, *arguments)
            case "dynamic_slice":
                args = self.window(*arguments)
            case "dynamic_update_slice":
                args = self.window(arguments[0])
            case "pad":
                args = {"padding_config": list(zip(*arguments, strict=True))}
            case "rev":
                args = {"dimensions": arguments[0]}
            case "concatenate":
                args = {"dimension": arguments[0]}
            case "transpose":
                args = {"permutation": arguments[0]}
            case "expand_dims" | "squeeze":
                (axis,), added = arguments[0], [1] if operation == "expand_dims" else []
                rest = axis + (operation == "squeeze")
                return "xla.reshape", operands, {"new_sizes": [*shape[:axis], *added, *shape[rest:]]}
            case "broadcast":
                rank = len(arguments[0])
                dims = [*arguments[0], *shape]
                axes = list(range(rank, rank + len(shape)))
                return "xla.broadcast_in_dim", operands, {"shape": dims, "broadcast_dimensions": axes}
            case _:
                args = {"shape": arguments[0], "broadcast_dimensions": arguments[1]}
        return f"xla.{operation}", operands, args


def _numbers(value: Any, numbers: Mapping[str, int]) -> Any:
    """Nested lists of the numbers that expressions have."""
    if isinstance(value, tuple):
        return [_numbers(part, numbers) for part in value]
    return value.value(numbers) if isinstance(value, Expression) else value


def _index(op: str, begin: int | None, end: int | None, stride: int) -> dict[str, Any]:
    """The arguments of a NumPy index on the only axis."""
    if op == "tf.strided_slice":
        masks = {"begin_mask": int(begin is None), "end_mask": int(end is None)}
        return {"begin": [begin or 0], "end": [end or 0], "strides": [stride], **masks, "new_axis_mask": 0,
                "shrink_axis_mask": 0}  # fmt: skip
    far = (0, INT64_MAX) if stride > 0 else (INT64_MAX, INT64_MIN)
    first, last = (far[n] if bound is None else bound for n, bound in enumerate((begin, end)))
    if op == "openvino.slice":
        return {"start": [first], "stop": [last], "step": [stride], "axes": [0]}
    return {"starts": [first], "ends": [last], "axes": [0], "steps": [stride], "engine": "ort"}


# ---- cases ----------------------------------------------------------------------------------------------------------


def says_something(case: LawCase) -> bool:
    """Whether the left side is no error with these numbers, and the law claims something, or products that apply it."""
    law, numbers = case.law, case.numbers
    if any(numbers[name] < 0 for name in law._dims) or not law._row.where.value(numbers):
        return False
    if any(numbers[name] not in steps for name, steps in law.steps.items()):
        return False
    if law.status != "false" and not case.claimed:
        return False
    valid, shapes = _known(case.name, tuple(numbers[name] for name in law.steps))
    if not valid.value(numbers):
        return False
    return all(prod(max(dim.value(numbers), 0) for dim in shape) <= MAX_SIZE for shape in shapes)


@cache
def _known(name: str, steps: tuple[int, ...]) -> tuple[Condition, list[Shape]]:
    """When the left side of a law is no error, and the shapes of all values of both, with these steps."""
    law = LAWS[name]
    left, right = (term.replaced(dict(zip(law.steps, steps, strict=True))) for term in (law._row.left, law._row.right))
    return left.valid, [term.shape for side in (left, right) for term in _terms(side)]


def _terms(term: Term) -> Iterator[Term]:
    yield term
    for operand in term.operands:
        yield from _terms(operand)


@cache
def _starts(name: str) -> set[str]:
    """The numbers of a law that are starts of windows, which are clamped."""
    found: set[str] = set()
    for term in _terms(LAWS[name]._row.left):
        if term.operation in ("dynamic_slice", "dynamic_update_slice"):
            found.update(*(start.names() for start in term.arguments[0]))
    return found


def draw_case(rng: Random, law: Law, *, run_time: bool = True) -> LawCase:
    """A random case of a law; its example if too few numbers are ones that the law speaks of."""
    around: dict[str, Any] = {"first": rng.choice(FIRST), "last": rng.choice(LAST), "dtype": rng.choice(DTYPES)}
    around["run_time"] = run_time and rng.random() < 0.5
    for _ in range(TRIES):
        case = LawCase(law.name, {name: _number(rng, law, name) for name in law.numbers}, **around)
        if says_something(case):
            return case
    return LawCase(law.name, law.example(), **around)


def _number(rng: Random, law: Law, name: str) -> int:
    if name in law.steps:
        return rng.choice(law.steps[name])
    if name in law._dims:
        return rng.choice((0, 1, 2, 3, 4, 5, 6))
    return rng.choice(FAR) if name in _starts(law.name) and rng.random() < 0.1 else rng.randint(-3, 8)


def smaller_cases(case: LawCase) -> Iterator[LawCase]:
    """Cases with less around the law, or with one or two numbers closer to 0."""
    yield replace(case, first="", last="", run_time=False, dtype="int32")
    plains: tuple[dict[str, Any], ...] = ({"first": ""}, {"last": ""}, {"run_time": False}, {"dtype": "int32"})
    for plain in plains:
        yield replace(case, **plain)
    names = list(case.numbers)
    for name in names:
        for number in closer(case.numbers[name]):
            yield replace(case, numbers={**case.numbers, name: number})
    for one in names:
        for other in names:
            if one < other:
                yield replace(case, numbers={**case.numbers, one: case.numbers[one] - 1,
                                             other: case.numbers[other] - 1})  # fmt: skip


def shrunk_case(case: LawCase, fails: Callable[[LawCase], bool]) -> LawCase:
    """The smallest case that was found to fail as this one does."""
    changed = True
    while changed:
        changed = False
        for smaller in smaller_cases(case):
            if smaller.size < case.size and says_something(smaller) and fails(smaller):
                case, changed = smaller, True
                break
    return case
