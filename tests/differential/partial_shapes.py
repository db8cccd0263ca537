"""Random partial knowledge of shapes and vectors, the answers of shape inference, and a tally of differences."""

import os
import re
from collections import Counter
from dataclasses import dataclass

import ssop
from differential import shape_divergences
from ssop.divergences import rows

SEED = int(os.environ.get("SSOP_SEED", "20170109"))
INT32, INT64 = (-(2**31), 2**31 - 1), (-(2**63), 2**63 - 1)
EXTREMES = (*INT32, *INT64, 2**62)


@dataclass(frozen=True)
class ShapeCall:
    """A shape (None: unknown rank) and arguments. Dims and elements: int, None or (least, greatest)."""

    op: str
    shape: list | None
    args: dict

    def __str__(self):
        return f"{self.op}({', '.join([str(self.shape), *(f'{name}={value}' for name, value in self.args.items())])})"


@dataclass(frozen=True)
class ShapeAnswer:
    """Intervals, without an end where there is none (None: unknown rank), or an error."""

    dims: tuple | None = None
    error: Exception | None = None

    def __str__(self):
        if self.error is not None:
            return f"{type(self.error).__name__} {getattr(self.error, 'label', '')} {str(self.error)[:300]}"
        return "unknown rank" if self.dims is None else str(list(self.dims))

    def contains(self, other):
        """Whether every shape that `other` allows is one that this one allows."""
        if self.error is not None or other.error is not None:
            return False
        if self.dims is None or other.dims is None or len(self.dims) != len(other.dims):
            return self.dims is None
        return all(map(interval_contains, self.dims, other.dims))


def interval_contains(outer, inner):
    (low, high), (lo, hi) = outer, inner
    return low <= lo and (high is None or hi is not None and hi <= high)


def ask(function, call, errors):
    """The answer; only `errors` are one, any other exception goes up."""
    try:
        return ShapeAnswer(function(call))
    except errors as error:
        return ShapeAnswer(error=error)


def ask_ssop(function, call):
    def intervals(call):
        result = function(call)
        return None if result.rank is None else tuple(map(without_large_end, result.intervals))

    return ask(intervals, call, ssop.SliceError)


def without_large_end(interval):
    """An interval without the end that no array reaches: what is left of "any number" after some arithmetic."""
    lo, hi = interval
    return (lo, None) if hi is not None and hi >= 2**48 and hi > lo else (lo, hi)


class ShapeTally:
    """Counts answers that agree, and sorts the others into known and unexplained differences."""

    def __init__(self, engine, phrases, unworded=()):
        self.engine, self.phrases, self.unworded = engine, phrases, unworded
        self.names = [row["predicate"] for row in rows("shapes", of=engine)]
        self.counts, self.labels, self.seen, self.unexplained = Counter(), Counter(), Counter(), []

    def complaint(self, theirs, ours):
        """What is wrong with ssop's reason for an error, given the engine's words and the labels they stand for."""
        for phrase, labels in self.phrases.items():
            if found := re.search(phrase, str(theirs.error)):
                if ours.error.label not in labels:
                    return f"label is not one of {labels}"
                worded = phrase not in self.unworded and ours.error.label not in self.unworded
                return f"message lacks {found.group()!r}" if worded and found.group() not in str(ours.error) else None
        return "the engine's reason is not known"

    def judge(self, call, theirs, ours):
        self.counts["compared"] += 1
        self.counts[call.op] += 1
        if theirs.error is not None and ours.error is not None and (complaint := self.complaint(theirs, ours)) is None:
            self.counts["errors"] += 1
            self.labels[ours.error.label] += 1
            return
        if theirs.error is None and ours.error is None and theirs.dims == ours.dims:
            self.counts["equal"] += 1
            self.counts["unknown rank"] += ours.dims is None
            self.counts["with unknown dims"] += any(lo != hi for lo, hi in ours.dims or ())
            return
        names = [name for name in self.names if getattr(shape_divergences, name)(call, theirs, ours)]
        self.seen.update(names)
        if not names:
            both = theirs.error is not None and ours.error is not None
            self.unexplained.append(
                f"{call}\n  {self.engine}: {theirs}\n  ssop: {ours}{' ' + complaint if both else ''}"
            )

    def unseen(self):
        return [name for name in self.names if not self.seen[name]]

    def below(self, floors):
        """What was counted less often than it should be."""
        return {name: self.counts[name] for name, floor in floors.items() if self.counts[name] < floor}

    def __str__(self):
        def listed(counter):
            return ", ".join(f"{name} {n}" for name, n in sorted(counter.items())) or "none"

        return (
            f"SSOP_SEED={SEED}: {listed(self.counts)}; errors of both: {listed(self.labels)}; "
            f"unexplained {len(self.unexplained)}; known differences: {listed(self.seen)}"
        )


# Random knowledge


def random_dims(rng, most=4):
    return [rng.randint(0, 6) for _ in range(rng.choice((0, 1, 1, 2, 2, 3, most)))]


def random_bound(rng, dim):
    return rng.choice(EXTREMES) if rng.random() < 0.08 else rng.randint(-dim - 2, dim + 2)


def hide(rng, vector, share=0.4):
    """A vector that is known, or of which some elements are unknown, or all."""
    kind = rng.random()
    if kind < 1 - share:
        return list(vector)
    return [None if kind > 1 - share / 2 or rng.random() < 0.4 else value for value in vector]


def hide_dims(rng, dims):
    """A shape of which each dim, or the rank, is unknown now and then."""
    return None if rng.random() < 0.04 else [None if rng.random() < 0.3 else dim for dim in dims]


def widen(rng, value, unbounded=False):
    """An interval around a dim."""
    lo = rng.randint(max(0, value - 2), value)
    if unbounded:
        return (lo, None)
    hi = value + rng.randint(0, 3)
    return value if lo == hi else (lo, hi)
