"""`ssop.convert.laws`: laws of operations that move data, with proofs, and with numbers that refute the false ones."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from types import SimpleNamespace
from typing import Any

import numpy as np

from ssop import xla
from ssop._convert.errors import OP
from ssop._convert.expressions import TRUE
from ssop._convert.law_table import ROWS, Row
from ssop._convert.terms import Term
from ssop._core import SliceError, index, read_integers
from ssop._errors import value_error

FUNCTIONS = SimpleNamespace(**{name: getattr(xla, name) for name in xla.__all__ if name in dir(xla)}, index=index)
MOST_ELEMENTS = 10**6
"""Of an operand with which a law is run."""


@dataclass(frozen=True, eq=False)
class Case:
    """What was proved with constants for the steps: two sets of numbers, as text of isl."""

    __module__, __qualname__ = "ssop", "convert.Law.Case"

    steps: Mapping[str, int]
    valid: str
    """The numbers with which the left side is no error."""
    equal: str
    """The conditions under which these are equal, also those that the precondition leaves out."""
    suffices: bool
    weakest: bool
    counterexample: Mapping[str, int] | None
    """Some numbers with which the sides differ."""


@dataclass(frozen=True, eq=False)
class Proof:
    """For all numbers: where the sides of a law are equal, and what that says of its precondition.

    `suffices` says that the sides are equal under the precondition, and `weakest` that they are under no other one.
    """

    __module__, __qualname__ = "ssop", "convert.Law.Proof"

    cases: tuple[Case, ...]

    @property
    def suffices(self) -> bool:
        return all(case.suffices for case in self.cases)

    @property
    def weakest(self) -> bool:
        return all(case.weakest for case in self.cases)

    @property
    def counterexample(self) -> dict[str, int] | None:
        """Some numbers with which the sides differ, found by isl. None: they never differ."""
        found = (case for case in self.cases if case.counterexample is not None)
        return next(({**(case.counterexample or {}), **case.steps} for case in found), None)

    def __str__(self) -> str:
        lines = []
        for case in self.cases:
            steps = "".join(f"{name} = {value}: " for name, value in case.steps.items())
            lines += [f"{steps}no error {case.valid}", f"{steps}equal if  {case.equal}"]
        return "\n".join(lines)


class Law:
    """A law: two terms that are equal for all numbers, or under a precondition, or that products take for equal.

    Attributes
    ----------
    name : str
    left, right : str
        The terms. Functions are those of jax.lax, on axis 0 where no axis is named; brackets are a NumPy index.
    where : str
        What the law assumes of its numbers; "always" for nothing.
    precondition : str
        Under which the sides are equal whenever the left one is no error; "always" for a law that holds.
    weakest : bool
        The sides are equal under no other condition. A precondition that is not the weakest is enough, and shorter.
    status : str
        "holds", "conditional", or "false" as products apply it.
    holds : bool
        The precondition is "always".
    counterexample : dict or None
        Numbers with which a law differs that products apply without its precondition.
    applied_by, source : str
        These products, and where the law was published; "(read)" where we read their source, and ran nothing.
    steps : dict
        The parameters that a proof needs as constants -> the values for which it is proved.
    numbers : tuple of str
        All parameters, dims first.

    Examples
    --------
    >>> import ssop
    >>> law = ssop.convert.laws["dynamic-slice-merge-late-clamp"]
    >>> print(law.left, "=", law.right)
    dynamic_slice(dynamic_slice(x, a, s), b, t) = dynamic_slice(x, max(0, min(a, N - t)) + b, t)
    >>> law.run(**law.counterexample)
    (array([6]), array([9]))
    """

    __module__, __qualname__ = "ssop", "convert.Law"

    def __init__(self, row: Row) -> None:
        self._row = row
        self.name = row.name
        self.left, self.right = str(row.left), str(row.right)
        self.where, self.precondition = str(row.where), str(row.precondition)
        self.holds, self.weakest = row.precondition == TRUE, row.exact
        self.applied_by, self.source = row.applied_by, row.source
        self.steps = dict(row.steps)
        self.counterexample = None if row.counterexample is None else dict(row.counterexample)
        self.numbers = self._numbers()
        self.status = "holds" if self.holds else "conditional" if self.counterexample is None else "false"

    def __repr__(self) -> str:
        return f"ssop.convert.laws[{self.name!r}]"

    @cached_property
    def _dims(self) -> tuple[str, ...]:
        shapes = [*self._row.left.arrays.values(), *self._row.right.arrays.values()]
        return tuple(dict.fromkeys(name for shape in shapes for dim in shape for name in sorted(dim.names())))

    def _numbers(self) -> tuple[str, ...]:
        row = self._row
        others = row.left.names() | row.right.names() | row.where.names() | row.precondition.names()
        return (*self._dims, *sorted(others.difference(self._dims)))

    def __str__(self) -> str:
        row = self._row
        arrays = {**row.left.arrays, **row.right.arrays}
        shapes = ", ".join(f"{name} ({', '.join(map(str, dims))})" if dims else name for name, dims in arrays.items())
        lines = [f"{self.name}: {self.status}", f"  {self.left}", f"  = {self.right}", f"  operands: {shapes}"]
        if row.where != TRUE:
            lines.append(f"  where {self.where}")
        if not self.holds:
            lines.append(
                f"  equal if {self.precondition}" if self.weakest else f"  equal at least if {self.precondition}"
            )
        if self.steps:
            lines.append(
                "  proved for " + ", ".join(f"{name} in {list(values)}" for name, values in self.steps.items())
            )
        if self.counterexample is not None:
            numbers = ", ".join(f"{name} = {value}" for name, value in self.counterexample.items())
            lines.append(f"  not equal with {numbers}")
            lines.append(f"  applied by {self.applied_by}")
        if self.source:
            lines.append(f"  source: {self.source}")
        return "\n".join(lines)

    def prove(self) -> Proof:
        """The proof: for all numbers at once, and for each of the steps.

        Returns
        -------
        Proof : with `suffices`, `weakest`, `counterexample`, and the relations of each case as text

        Raises
        ------
        ImportError : islpy is not installed

        Numbers are integers of any size. So the sum of two starts must fit the type that a program computes it in.

        Examples
        --------
        >>> import ssop
        >>> proof = ssop.convert.laws["dynamic-slice-is-slice-without-clamp"].prove()
        >>> print(proof)
        no error [N, a, s] -> {  : 0 <= s <= N }
        equal if  [N, a, s] -> {  : 0 <= a <= N - s }
        >>> proof.suffices, proof.weakest
        (True, True)
        """
        values = product(*self.steps.values())
        return Proof(tuple(self._case(dict(zip(self.steps, steps, strict=True))) for steps in values))

    def _case(self, steps: dict[str, int]) -> Case:
        from ssop._convert.law_proofs import Space

        row = self._row
        space = Space([name for name in self.numbers if name not in steps], row.where.replaced(steps))
        valid, equal = space.equal(row.left.replaced(steps), row.right.replaced(steps))
        under = valid.intersect(space.numbers(row.precondition.replaced(steps)))
        differ = valid.subtract(equal)
        return Case(
            steps,
            str(valid.coalesce()),
            str(equal.gist(valid).coalesce()),
            bool(under.is_subset(equal)),
            bool(under.is_equal(equal)),
            None if differ.is_empty() else space.point(differ),
        )

    def run(self, **numbers: int) -> tuple[Any, Any]:
        """Both sides here, on arrays of different integers, with the dims and the numbers that are given.

        Parameters
        ----------
        numbers : an integer for each of `Law.numbers`

        Returns
        -------
        pair of numpy.ndarray : the right one is the SliceError, if there is one

        Raises
        ------
        SliceError : of the left side
        SliceValueError : for missing and unknown numbers, and for dims of more than 10^6 elements (cv_c14)

        Examples
        --------
        >>> import ssop
        >>> ssop.convert.laws["slice-merge"].run(N=10, a=1, b=8, k=2, c=1, d=3, m=2)
        (array([3]), array([3]))
        """
        read = self._read(numbers)
        left = self._side(self._row.left, read)
        try:
            return left, self._side(self._row.right, read)
        except SliceError as error:
            return left, error

    def check(self, **numbers: int) -> bool:
        """Whether both sides are equal here, with the dims and the numbers that are given.

        Parameters and errors are those of `run`. An error of the right side makes them different.

        Examples
        --------
        >>> import ssop
        >>> ssop.convert.laws["dynamic-slice-merge-late-clamp"].check(N=10, s=4, t=1, a=2, b=3)
        True
        """
        left, right = self.run(**numbers)
        return isinstance(right, np.ndarray) and np.array_equal(left, right)

    def example(self) -> dict[str, int]:
        """Numbers with which the sides can be seen to be equal, or the counterexample of a false law.

        Examples
        --------
        >>> import ssop
        >>> law = ssop.convert.laws["reverse-twice"]
        >>> law.example()
        {'N': 5}
        """
        if self.counterexample is not None:
            return dict(self.counterexample)
        found: dict[str, int] = {}
        most = -1
        for numbers in self._draws():
            size = self._size(numbers)
            if size > most:
                found, most = numbers, size
        return found

    def _draws(self) -> Iterator[dict[str, int]]:
        rng = random.Random(0)
        for _ in range(2000):
            yield {
                name: rng.choice(self.steps[name]) if name in self.steps
                else rng.randint(1, 5) if name in self._dims
                else rng.randint(-1, 4)
                for name in self.numbers
            }  # fmt: skip

    def _size(self, numbers: Mapping[str, int]) -> int:
        """How many elements the sides have that the law says to be equal; -1 if it says nothing of these numbers."""
        row = self._row
        left = row.left.replaced(numbers)
        if not (left.valid.value(numbers) and row.where.value(numbers) and row.precondition.value(numbers)):
            return -1
        return prod(dim.value(numbers) for dim in left.shape)

    def _read(self, numbers: Mapping[str, Any]) -> dict[str, int]:
        unknown = [name for name in numbers if name not in self.numbers]
        missing = [name for name in self.numbers if name not in numbers]
        if unknown or missing:
            what = f"has no number {unknown[0]!r}" if unknown else f"needs {missing[0]!r}"
            raise value_error(OP, "cv_c14", f"law {self.name} {what}: its numbers are {', '.join(self.numbers)}")
        return {name: read_integers(OP, name, [numbers[name]])[0] for name in self.numbers}

    def _side(self, term: Term, numbers: Mapping[str, int]) -> Any:
        return term.replaced(numbers).run(self._arrays(numbers), numbers, FUNCTIONS)

    def _arrays(self, numbers: Mapping[str, int]) -> dict[str, Any]:
        """Operands of different integers."""
        shapes = {**self._row.left.arrays, **self._row.right.arrays}
        arrays, first = {}, 0
        for name, dims in shapes.items():
            shape = [dim.value(numbers) for dim in dims]
            size = prod(shape)
            if min(shape, default=0) < 0 or max([size, *shape]) > MOST_ELEMENTS:
                message = f"{name} of shape {shape} is not of at most {MOST_ELEMENTS} elements"
                raise value_error(OP, "cv_c14", message)
            arrays[name] = np.arange(first, first + size).reshape(shape)
            first += size
        return arrays


class Laws(Mapping[str, Law]):
    """The laws by name, in an order by subject; `str()` gives a line for each.

    Examples
    --------
    >>> import ssop
    >>> [law.name for law in ssop.convert.laws.values() if law.status == "false"][:1]
    ['dynamic-slice-merge-late-clamp']
    """

    __module__, __qualname__ = "ssop", "convert.Laws"

    def __init__(self) -> None:
        self._laws = {row.name: Law(row) for row in ROWS}

    def __getitem__(self, name: str) -> Law:
        return self._laws[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._laws)

    def __len__(self) -> int:
        return len(self._laws)

    def __repr__(self) -> str:
        return f"<{len(self)} laws: {', '.join(self._laws)}>"

    def __str__(self) -> str:
        width = max(map(len, self._laws))
        return "\n".join(f"{law.status:12}{law.name:{width}}  {law.left} = {law.right}" for law in self.values())


LAWS = Laws()
