"""Programs as steps over numbered values, and their evaluation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ssop._core import SliceError
from ssop._errors import type_error, value_error
from ssop.stablehlo._parsing import OP, jaxlib, line_of, place_of
from ssop.stablehlo._types import TensorType, tensor_type

Array = np.ndarray[Any, Any]
Observer = Callable[["Step", Sequence[Any]], None]


class Row(NamedTuple):
    """How one operation is evaluated: `evaluate(*operands, **static)`, where `static` is read when it is compiled."""

    evaluate: Callable[..., Any]
    static: dict[str, Callable[[Operation], Any]]
    elementwise: bool = False
    """Whether it gives for arrays what it gives for each of their elements."""


class Step:
    """One operation of a program."""

    __slots__ = (
        *("dead", "evaluate", "function", "is_elementwise", "line", "mlir", "name", "operands", "place", "results"),
        "static",
    )

    def __init__(self, operation: Operation, row: Row, static: dict[str, Any]) -> None:
        self.name, self.place, self.line = operation.name, operation.place, operation.line
        self.mlir, self.function = operation.mlir, operation.function
        self.operands = [operation.function.slot(x) for x in operation.mlir.operands]
        self.results = [operation.function.slot(x) for x in operation.mlir.results]
        self.static, self.evaluate = static, row.evaluate
        self.is_elementwise = row.elementwise
        if operation.inside_scalars and row.elementwise:
            self.evaluate = _broadcasting(row.evaluate)
        self.dead: list[int] = []
        """Values that no later step of the block needs."""

    @property
    def names(self) -> list[str]:
        """Of the results."""
        return [self.function.name_of(result) for result in self.mlir.results]

    def run(self, values: list[Any]) -> Sequence[Any]:
        """Evaluate the operation and store its results."""
        try:
            given = self.evaluate(*[values[slot] for slot in self.operands], **self.static)
        except SliceError as error:
            raise self.placed(error) from None
        except (TypeError, ValueError, ArithmeticError, NotImplementedError) as error:  # NumPy's, for such elements
            types = ", ".join([f"{getattr(values[slot], 'dtype', 'tuple')}" for slot in self.operands])
            message = f"{self.place}: {self.name} of {types} is not supported: {error}"
            raise type_error(OP, "hlo_c4", message, value=self.name) from error
        results = given if len(self.results) > 1 else (given,)
        for slot, result in zip(self.results, results, strict=False):  # no result: None
            values[slot] = result
        for slot in self.dead:
            values[slot] = None
        return results if self.results else ()

    def placed(self, error: SliceError) -> SliceError:
        """The same error with the operation and its line, if it does not name these (hlo_s6)."""
        if error.op != OP:
            error.args = (f"{OP}: {self.place}: {self.name}: {error}",)
            error.op = OP
        return error


class Operation:
    """An operation of MLIR while it is compiled."""

    def __init__(self, mlir: Any, function: Function, inside: bool) -> None:
        self.mlir, self.function = mlir.operation, function
        self.name = str(mlir.operation.name)
        self.line, self.place = line_of(mlir), place_of(mlir)
        self.inside_scalars = inside
        """Whether it is part of a computation on scalars, that of a Reduce, say."""

    @property
    def where(self) -> str:
        return f"{self.place}: {self.name}"

    @property
    def result_type(self) -> TensorType:
        return tensor_type(self.mlir.results[0].type, self.where)

    def operand_type(self, number: int) -> TensorType:
        return tensor_type(self.mlir.operands[number].type, self.where)

    def attribute(self, name: str) -> Any:
        """The attribute of that name; None without one."""
        return self.mlir.attributes[name] if name in self.mlir.attributes else None

    def block(self, region: int) -> Block:
        """A region as a block of steps."""
        return Block(self.mlir.regions[region].blocks[0], self.function, self.inside_scalars)

    def unsupported(self, why: str) -> SliceError:
        return type_error(OP, "hlo_c4", f"{self.where}: {why}", value=self.name)


class Block:
    """The steps of a region or function; called with the values of its parameters, it returns those of its results."""

    def __init__(self, mlir: Any, function: Function, inside_scalars: bool = False) -> None:
        self.function, self.inside_scalars = function, inside_scalars
        self.parameters = [function.slot(x) for x in mlir.arguments]
        self.types = [x.type for x in mlir.arguments]
        *body, terminator = [mlir_operation for mlir_operation in mlir.operations]
        self.steps = [function.program.compile(Operation(x, function, inside_scalars)) for x in body]
        self.returned = [function.slot(x) for x in terminator.operation.operands]
        self.result_types = [x.type for x in terminator.operation.operands]
        self._find_dead(body)

    def __call__(self, *arguments: Any) -> list[Any]:
        values = self.function.values
        observer = None if self.inside_scalars else self.function.program.observer
        for slot, x in zip(self.parameters, arguments, strict=True):
            values[slot] = x
        for step in self.steps:
            results = step.run(values)
            if observer is not None:
                observer(step, results)
        return [values[slot] for slot in self.returned]

    def keep(self, slots: list[int]) -> None:
        """Let the block return these values, and do what they need only."""
        self.returned, needed, steps = slots, set(slots), []
        for step in reversed(self.steps):
            if needed.intersection(step.results):
                needed.update(step.operands)
                steps.append(step)
            step.dead = [slot for slot in step.dead if slot not in slots]
        self.steps = steps[::-1]

    def _find_dead(self, body: Sequence[Any]) -> None:
        """Let each step drop the values of this block that it uses last, so that their memory can be used again."""
        last: dict[int, int] = {}
        own = set(self.parameters)
        for number, (mlir, step) in enumerate(zip(body, self.steps, strict=True)):
            own.update(step.results)
            for slot in [*_used(mlir.operation, self.function), *step.results]:
                if slot in own:
                    last[slot] = number
        for slot, number in last.items():
            if slot not in self.returned:
                self.steps[number].dead.append(slot)


def _used(operation: Any, function: Function) -> list[int]:
    """The values that an operation uses, and those that its regions use."""
    slots = [function.slot(x) for x in operation.operands]
    for region in operation.regions:
        for block in region.blocks:
            for inner in block.operations:
                slots += _used(inner.operation, function)
    return slots


class Function:
    """A function of a program. Its values are numbered; one call of it is under way at a time."""

    def __init__(self, mlir: Any, program: Program) -> None:
        self.mlir, self.program = mlir, program
        self.name = str(mlir.attributes["sym_name"]).strip('"')
        self.slots: dict[Any, int] = {}
        self.values: list[Any] = []
        self.running = False
        self.numbers: Any = None
        self.body: Block | None = None

    def name_of(self, value: Any) -> str:
        """The name that MLIR gives a value; for the first one, it walks through the whole function."""
        if self.numbers is None:
            self.numbers = jaxlib().ir.AsmState(self.mlir)
        return str(value.get_name(self.numbers))

    def slot(self, value: Any) -> int:
        """The number of a value."""
        if value not in self.slots:
            self.slots[value] = len(self.values)
            self.values.append(None)
        return self.slots[value]

    def __call__(self, *arguments: Any) -> list[Any]:
        if self.body is None:
            if not len(self.mlir.regions[0].blocks):
                raise type_error(OP, "hlo_c4", f"{place_of(self.mlir)}: function @{self.name} has no body")
            self.body = Block(self.mlir.regions[0].blocks[0], self)
        if self.running:
            message = f"{place_of(self.mlir)}: function @{self.name} calls itself, which is not supported"
            raise type_error(OP, "hlo_c4", message, value=self.name)
        self.running = True
        try:
            return self.body(*arguments)
        finally:
            self.running = False
            self.values[:] = [None] * len(self.values)


class Program:
    """A module whose functions are compiled when they are first called."""

    def __init__(self, module: Any, rows: dict[str, Row], observer: Observer | None = None) -> None:
        self.rows, self.observer = rows, observer
        functions = [x for x in module.body.operations if x.operation.name == "func.func"]
        self.functions = {f.name: f for f in (Function(x.operation, self) for x in functions)}

    def main(self, name: str | None) -> Function:
        """The function to run: that of the name, else @main, else the only one that is not private (hlo_c6)."""
        public = [f for f in self.functions.values() if "private" not in _visibility(f.mlir)]
        there_are = ", ".join([f"@{f}" for f in self.functions]) or "none"
        if name is not None or "main" in self.functions:
            name = "main" if name is None else name.removeprefix("@")
            if name in self.functions:
                return self.functions[name]
            raise value_error(OP, "hlo_c6", f"there is no function @{name}; the functions are {there_are}", value=name)
        if len(public) != 1:
            message = f"function= says which function to run, as none is @main; the functions are {there_are}"
            raise value_error(OP, "hlo_c6", message)
        return public[0]

    def compile(self, operation: Operation) -> Step:
        """The step of an operation; raise for one that is not in the table (hlo_c4)."""
        row = self.rows.get(operation.name)
        if row is None:
            raise operation.unsupported("this operation is not supported")
        static = {name: read(operation) for name, read in row.static.items()}
        return Step(operation, row, static)


def _visibility(mlir: Any) -> str:
    return str(mlir.attributes["sym_visibility"]) if "sym_visibility" in mlir.attributes else ""


def _broadcasting(evaluate: Callable[..., Any]) -> Callable[..., Any]:
    """The function for operands some of which are whole arrays, where the program has scalars."""

    def broadcast(*operands: Any, **static: Any) -> Any:
        if len({x.shape for x in operands}) > 1:
            operands = tuple(np.broadcast_arrays(*operands))
        return evaluate(*operands, **static)

    return broadcast
