"""Random calls, what two engines answer to them, and a tally of where they agree."""

import math
import os
import re
from collections import Counter
from dataclasses import dataclass, field

import ml_dtypes
import numpy as np

from differential import divergences
from ssop.divergences import rows

SEED = int(os.environ.get("SSOP_SEED", "20170109"))
INT64 = np.iinfo(np.int64)
EXTREMES = (
    INT64.min,
    INT64.min + 1,
    -(2**62),
    -(2**32),
    -(2**31) - 1,
    -(2**31),
    2**31 - 1,
    2**31,
    2**32,
    2**62,
    INT64.max - 1,
    INT64.max,
)
DTYPES = tuple(map(np.dtype, ("f4", "i1", "i8", "c16", "?", "f2", "u2", ml_dtypes.bfloat16, ml_dtypes.float8_e5m2)))


@dataclass(frozen=True)
class Call:
    """One call: `how` says in which of its ways the other engine runs it."""

    op: str
    arrays: tuple
    args: dict
    how: str = "eager"

    def __str__(self):
        arrays = [f"np.zeros({a.shape}, np.dtype({a.dtype.name!r}))" for a in self.arrays]
        args = [f"{name}={value!r}" for name, value in self.args.items()]
        return f"ssop.{self.op}({', '.join(arrays + args)})  # {self.how}"


@dataclass(frozen=True)
class Answer:
    array: np.ndarray | None = None
    error: Exception | None = None

    def __str__(self):
        if self.error is None:
            return f"{self.array.dtype} {tuple(self.array.shape)} {np.asarray(self.array).ravel()[:12]}"
        return f"{type(self.error).__name__} {getattr(self.error, 'label', '')} {str(self.error)[:300]}"


def ask(function, arrays, args, refusals):
    """The answer, where only `refusals` count as one: any other exception is a fault and goes up."""
    try:
        return Answer(function(*arrays, **args))
    except refusals as error:
        return Answer(error=error)


def same(a, b):
    """Equal shape, dtype and bytes; object arrays hold the same objects' values."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    return a.tolist() == b.tolist() if a.dtype.hasobject else a.tobytes() == b.tobytes()


def wrong_reason(phrases, theirs, ours, unworded=()):
    """What is wrong with ssop's reason for a refusal, given the other's own words and the labels they stand for.

    ssop's message repeats those words, for people search for them, except the phrases and labels in `unworded`.
    """
    if theirs.error is None or ours.error is None:
        return None
    for phrase, labels in phrases.items():
        if found := re.search(phrase, str(theirs.error)):
            if ours.error.label not in labels:
                return f"label is not one of {labels}"
            free = phrase in unworded or ours.error.label in unworded
            return None if free or found.group() in str(ours.error) else f"message lacks {found.group()!r}"
    return "the other's reason is not known"


@dataclass
class Tally:
    """Counts agreements, and sorts differences into known and unexplained ones."""

    engine: str
    counts: Counter = field(default_factory=Counter)
    refused: Counter = field(default_factory=Counter)
    seen: Counter = field(default_factory=Counter)
    unexplained: list = field(default_factory=list)

    def names(self, table):
        return [row["predicate"] for row in rows(table, of=self.engine)]

    def too_dangerous(self, call):
        """Whether the other engine may not be asked: counted, because a rule that keeps nothing back is stale."""
        reasons = [name for name in self.names("not_sent") if getattr(divergences, name)(call)]
        self.seen.update(reasons)
        self.counts["not sent"] += bool(reasons)
        return bool(reasons)

    def judge(self, call, theirs, ours, complaint=None):
        """Compare two answers; `complaint` says what is wrong between two refusals, if anything is."""
        if theirs.error is None and ours.error is None and same(theirs.array, ours.array):
            outcome = "accepted"
            self.counts["with elements"] += ours.array.size > 0
        elif theirs.error is not None and ours.error is not None and complaint is None:
            outcome = "refused"
            self.refused[ours.error.label] += 1
        else:
            outcome = "different"
            names = [n for n in self.names("divergence") if getattr(divergences, n)(call, theirs, ours)]
            self.seen.update(names)
            if not names:
                self.unexplained.append(f"{call}\n  {self.engine}: {theirs}\n  ssop: {ours}\n  {complaint or ''}")
        self.counts[outcome] += 1
        self.counts[call.op, outcome] += 1

    @property
    def compared(self):
        return sum(self.counts[outcome] for outcome in ("accepted", "refused", "different"))

    def below(self, floors):
        """What was counted less often than it should be."""
        return {name: self.counts[name] for name, floor in floors.items() if self.counts[name] < floor}

    def rarely_broken(self, phrases, floor):
        """The rules that the engine's phrases stand for and that fewer refusals name."""
        labels = {label for labels in phrases.values() for label in labels}
        return {label: self.refused[label] for label in labels if self.refused[label] < floor}

    def unseen(self):
        return [n for table in ("divergence", "not_sent") for n in self.names(table) if not self.seen[n]]

    def __str__(self):
        def listed(counter):
            return ", ".join(f"{name} {n}" for name, n in sorted(counter.items())) or "none"

        n = self.counts
        return (
            f"SSOP_SEED={SEED}: {self.compared} compared, {n['not sent']} not sent; "
            f"{n['accepted']} accepted and equal ({n['with elements']} with elements); "
            f"{n['refused']} refused by both: {listed(self.refused)}; "
            f"{n['different']} different, unexplained {len(self.unexplained)}; known: {listed(self.seen)}"
        )


def random_shape(rng, ranks=(0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6)):
    """Small: at most a few hundred elements, one axis in eight empty."""
    rank = rng.choice(ranks)
    largest = 6 if rank < 4 else 3 if rank < 7 else 2
    return tuple(0 if rng.random() < 0.125 / max(rank, 1) else rng.randint(1, largest) for _ in range(rank))


def random_array(rng, shape, dtype):
    """Random bits, NaNs of every payload among them, so that equal results are equal bytes; in any memory layout."""
    size = math.prod(shape)
    if dtype.hasobject:
        array = np.empty(size, object)
        array[:] = [rng.randbytes(rng.randint(0, 4)) for _ in range(size)]
    elif dtype.kind == "b":
        array = np.frombuffer(rng.randbytes(size), np.uint8) > 127
    else:
        array = np.frombuffer(rng.randbytes(size * dtype.itemsize), dtype)
    array = array.reshape(shape)
    return array if rng.random() < 0.5 else strewn(rng, array)


def strewn(rng, array):
    """The same array in another memory layout: axes in any order, gaps between elements, axes running backwards."""
    order = rng.sample(range(array.ndim), array.ndim)
    moved = array.transpose(order)
    steps = tuple(slice(None, None, rng.choice((1, -1, 2, -2))) for _ in order)
    view = np.empty([d * abs(s.step) for d, s in zip(moved.shape, steps, strict=True)], array.dtype)[(*steps, ...)]
    view[...] = moved
    return view.transpose(np.argsort(order))


def near(rng, dim):
    return rng.randint(-dim - 2, dim + 2)


def bound(rng, dim):
    return rng.choice(EXTREMES) if rng.random() < 0.15 else near(rng, dim)


def broken(rng, args, names):
    """The same arguments with one element of one of the vectors `names` replaced or, less often, added or dropped."""
    name = rng.choice(names)
    vector = list(args[name])
    at = rng.randint(0, len(vector))
    old, new = rng.choice(((1, 1), (1, 1), (1, 0), (0, 1)))
    vector[at : at + old] = [bound(rng, 6)] * new
    return args | {name: type(args[name])(vector)}
