"""`check`: a run of `difftest` as the body of a test."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from ssop.testing._differential.programs import verified
from ssop.testing._differential.report import finding
from ssop.testing._differential.result import Report
from ssop.testing._differential.run import difftest


def check(
    subject: Callable[..., Any] | str | None = None,
    *,
    op: str | Sequence[str] | None = "strided_slice",
    oracle: str = "numpy",
    cases: int = 1000,
    seed: int = 0,
    what: Literal["values", "shape"] = "values",
    supports: str | Mapping[str, Any] | None = None,
    seconds: float = 10.0,
) -> Report:
    """Run `difftest` and raise AssertionError if the subject fails; return the report otherwise.

    The error's text begins with what was found and the smallest case of each kind; the counts follow.

    The parameters are those of `difftest`. To test on several operations or engines, parametrise the test. Ctrl-C is a
    KeyboardInterrupt, by which pytest ends.

    Examples
    --------
    >>> import numpy as np
    >>> def my_slice(x, begin, size):
    ...     stops = [None if n == -1 else b + n for b, n in zip(begin, size, strict=True)]
    ...     return x[tuple(map(slice, begin, stops))].copy()
    >>> check(my_slice, op="tf.slice", oracle="reference", cases=200)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    AssertionError: ...
    """
    __tracebackhide__ = True  # a failure of pytest then shows the test and the report, and nothing of this function
    report = difftest(
        subject, oracle=oracle, op=op, cases=cases, seed=seed, what=what, supports=supports, seconds=seconds
    )
    if report.interrupted:
        raise KeyboardInterrupt
    if not report.passed:
        raise AssertionError(finding(verified(report)))
    return report
