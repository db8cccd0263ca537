"""`differential`: a function of one's own as a test of pytest, which the plugin `pytest_ssop` collects."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial, wraps
from types import FunctionType
from typing import Any, Literal, TypeVar

DECLARATIONS = "__ssop_differential__"
CASES, SECONDS = 1000, 10.0
HYPOTHESIS_EXAMPLES, HYPOTHESIS_DEADLINE = 100, timedelta(milliseconds=200)
"""What Hypothesis takes unless a profile or a decorator says otherwise."""

F = TypeVar("F", bound=Callable[..., Any])


def differential(
    *,
    op: str | Sequence[str] | None = "strided_slice",
    oracle: str | Sequence[str] = "numpy",
    cases: int | None = None,
    seed: int | None = None,
    seeds: int = 1,
    what: Literal["values", "shape"] = "values",
    supports: str | Mapping[str, Any] | None = None,
    seconds: float | None = None,
) -> Callable[[F], F]:
    """Make a function a test of pytest, which compares it with a real engine, as `difftest` does.

    The decorated function stays what it is. The pytest plugin, which is installed with ssop, collects it from each
    test module that has its name. There is a test for each operation, oracle and seed, which pytest-xdist runs in
    parallel; all have the marker `ssop`, and those of pytest that the function has.

    Parameters
    ----------
    op, oracle : str, or a list of them
        As in `difftest`. A list gives a test for each; None for `op` gives one test of all operations.
    cases : int, optional
        Calls of each test: `pytest --ssop-cases N` comes first, then this number. Then come Hypothesis'
        `@settings(max_examples=N)` on the function, and that of the loaded profile if it is not Hypothesis' default.
        Otherwise it is 1000.
    seed : int, optional
        The first seed: `pytest --ssop-seed N`, this one, Hypothesis' `@seed(N)`, `--hypothesis-seed N`, or 0.
    seeds : int
        The number of seeds.
    what, supports
        As in `difftest`.
    seconds : float, optional
        Time limit of one call: this, or a deadline set in Hypothesis' settings, or 10. No smaller case is looked for
        if these settings leave out the phase `shrink`.

    Raises
    ------
    TypeError : if what is decorated cannot be called
    ValueError : for `seeds` or `cases` less than 1

    Examples
    --------
    >>> @differential(op=["tf.slice", "tflite.slice"], oracle="reference", seeds=3)
    ... def my_slice(x, begin, size):
    ...     return x[tuple(slice(b, b + n) for b, n in zip(begin, size))]
    """
    if seeds < 1 or (cases is not None and cases < 1):
        raise ValueError(f"seeds={seeds!r}, cases={cases!r}: each is at least 1")
    ops: tuple[str | None, ...] = (op,) if op is None or isinstance(op, str) else tuple(op)
    oracles = (oracle,) if isinstance(oracle, str) else tuple(oracle)
    declared = Declared(ops, oracles, cases, seed, seeds, what, supports, seconds)

    def decorate(subject: F) -> F:
        if not callable(subject):
            raise TypeError(f"differential is for functions, not for {subject!r}; check(..) takes C functions, too")
        marked: Any = subject if type(subject) is FunctionType else _as_function(subject)
        marked.__dict__[DECLARATIONS] = (*marked.__dict__.get(DECLARATIONS, ()), declared)
        result: F = marked
        return result

    return decorate


def _as_function(subject: Any) -> FunctionType:
    """A plain function that calls the subject."""

    @wraps(subject, updated=())
    def function(*arguments: Any, **options: Any) -> Any:
        return subject(*arguments, **options)

    return function  # type: ignore[return-value]


@dataclass(frozen=True)
class Declared:
    """What `differential` was given."""

    ops: tuple[str | None, ...]
    oracles: tuple[str, ...]
    cases: int | None
    seed: int | None
    seeds: int
    what: Literal["values", "shape"]
    supports: Any
    seconds: float | None

    def tests(self, subject: Any, config: Any) -> Iterator[tuple[str, Callable[[], str]]]:
        """The words that name each test of a subject, and a function that runs it and returns what was found."""
        first = _first(config.getoption("ssop_seed"), self.seed, _of(subject, "seed"), _hypothesis_seed(config), 0)
        for op in self.ops:
            for oracle in self.oracles:
                for seed in range(first, first + self.seeds):
                    name = f"{op or 'all'}-{oracle}-{seed}"
                    yield name, partial(self.found, subject, op, oracle, seed, config.getoption("ssop_cases"))

    def found(self, subject: Any, op: str | None, oracle: str, seed: int, cases: int | None) -> str:
        """Run one test; the report of its differences, why it cannot run, or nothing."""
        from ssop.testing._differential.programs import verified
        from ssop.testing._differential.report import finding
        from ssop.testing._differential.run import difftest

        examples, deadline, shrink = hypothesis_settings(subject)
        try:
            report = difftest(
                subject, oracle=oracle, op=op, seed=seed, what=self.what, supports=self.supports, shrink=shrink,
                cases=_first(cases, self.cases, examples, CASES), seconds=_first(self.seconds, deadline, SECONDS),
            )  # fmt: skip
        except ValueError as error:  # what `difftest` raises for what it cannot run
            return f"not run: {error}"
        if report.interrupted:  # which ends pytest, too
            raise KeyboardInterrupt
        return "" if report.passed else finding(verified(report))


def hypothesis_settings(subject: Any) -> tuple[int | None, float | None, bool]:
    """What Hypothesis' settings say of a subject: examples, seconds of one, and whether to shrink.

    Those on the function count, and those of the profile that differ from Hypothesis' own. Nobody has set any if
    Hypothesis is not loaded; it is not loaded here.
    """
    hypothesis: Any = sys.modules.get("hypothesis")
    if hypothesis is None:
        return None, None, True
    own = _of(subject, "settings")
    settings = hypothesis.settings.default if own is None else own
    usual = own is None and settings.max_examples == HYPOTHESIS_EXAMPLES
    deadline = None if settings.deadline in (None, HYPOTHESIS_DEADLINE) else settings.deadline.total_seconds()
    return None if usual else settings.max_examples, deadline, hypothesis.Phase.shrink in settings.phases


def _of(subject: Any, name: str) -> Any:
    """What Hypothesis' decorators `settings` and `seed` left on a function."""
    return getattr(subject, f"_hypothesis_internal_use_{name}", None)


def _hypothesis_seed(config: Any) -> int | None:
    text = str(config.getoption("hypothesis_seed", None))
    return int(text) if text.isdigit() else None


def _first(*values: Any) -> Any:
    """The first that is given."""
    return next(value for value in values if value is not None)
