"""Random chains of the operations that an engine has, legal throughout, and the strategy that draws them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from ssop.testing.chains.operations import LACKING, OF_SCALARS, OPERATIONS, Scene, rules_of
from ssop.testing.chains.program import Chain

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

TRIES = 40
"""Draws of steps until a chain has as many as it shall have."""


class Kinds(NamedTuple):
    """What chains are drawn of: operations with their weights, dtypes, numbers of steps, and what an engine lacks."""

    ops: dict[str, float]
    dtypes: tuple[str, ...] = ("int32", "float32", "int64", "uint8", "float16")
    lengths: tuple[int, int] = (2, 4)
    lacks: frozenset[str] = frozenset()
    """The forms of these operations that it does not have, by their names in `operations`."""

    @property
    def rules(self) -> list[str]:
        """All rules that the operations can meet."""
        lacking = {LACKING[form] for form in self.lacks if form in LACKING}
        return sorted({rule for op in self.ops for rule in OPERATIONS[op].rules} - lacking)


def draw_chain(rng: Random, kinds: Kinds) -> Chain:
    """A chain whose steps are all needed for its result."""
    length = rng.randint(*kinds.lengths)
    while True:
        chain = _drawn(rng, kinds, length)
        if chain is not None:
            return chain


def _drawn(rng: Random, kinds: Kinds, length: int) -> Chain | None:
    scene = Scene(rng, rng.choice(kinds.dtypes), kinds.lacks)
    rank = rng.choice((1, 1, 2, 2, 3, 3, 4))
    last = scene.new([0 if rng.random() < 0.01 else rng.randint(1, 6 if rank < 3 else 4) for _ in range(rank)])
    names, weights = list(kinds.ops), list(kinds.ops.values())
    for _ in range(TRIES):
        x = last
        if len(scene.steps) + 1 < length and rng.random() < 0.15:  # a second use of an earlier value
            x = rng.choice([name for name, value in scene.values.items() if value.dtype == scene.dtype])
        shape = scene.values[x].shape
        again = scene.steps and rng.random() < 0.25  # what engines merge are mostly two of one operation
        op = scene.steps[-1].op if again else rng.choices(names, weights)[0]
        if not shape and op not in OF_SCALARS:
            continue
        if op.startswith("vjp.") and scene.dtype.kind != "f":
            continue
        drawn = OPERATIONS[op].draw(scene, x, shape)
        if scene.take(op, drawn):
            last = scene.steps[-1].name
        if len(scene.steps) >= length:
            chain = Chain(scene.inputs, tuple(scene.steps)).pruned()
            if len(chain.steps) == length:
                return chain
            if len(scene.steps) > length + 2:
                return None
    return None


def rules_met(chain: Chain) -> tuple[list[str], list[str]]:
    """The rules that the steps of a chain meet, and the pairs of them of which one works on the other's result."""
    of_step = {step.name: rules_of(step, chain.values) for step in chain.steps}
    rules = [rule for met in of_step.values() for rule in met]
    return rules, list(_pairs(chain, of_step))


def _pairs(chain: Chain, of_step: dict[str, list[str]]) -> Iterator[str]:
    for step in chain.steps:
        for operand in dict.fromkeys(step.operands):
            for first in of_step.get(operand, ()):
                for second in of_step[step.name]:
                    yield f"{first} > {second}"


def pairs_of(rules: Sequence[str]) -> list[str]:
    """All pairs of rules in the form of `rules_met`."""
    return [f"{first} > {second}" for first in rules for second in rules]


XLA = Kinds(
    {
        "xla.slice": 3, "xla.dynamic_slice": 4, "xla.dynamic_update_slice": 2, "xla.pad": 3, "xla.rev": 2,
        "xla.transpose": 2, "xla.reshape": 2, "xla.concatenate": 2, "xla.broadcast_in_dim": 1.5, "xla.select": 1.5,
    }
)  # fmt: skip
"""The operations of XLA."""


def chains(ops: Sequence[str] | None = None, *, lengths: tuple[int, int] = (2, 4)) -> SearchStrategy[Chain]:
    """Programs of a few operations that move data, each of which works on what others gave; they break no rule.

    `ops` are names of `ssop.testing.chains.operations.OPERATIONS`, of XLA's unless they are given; `lengths` is the
    least and the greatest number of steps. `chain.run()` is ssop's result, `str(chain)` its code.

    >>> from hypothesis import find
    >>> chain = find(chains(["xla.rev", "xla.slice"]), lambda chain: chain.run().size == 2)
    >>> len(chain.steps), chain.run().size
    (2, 2)
    """
    from hypothesis import strategies as st

    unknown = [op for op in ops or () if op not in OPERATIONS]
    if unknown or (ops is not None and not ops):
        raise ValueError(f"ops is {ops!r}; there are {', '.join(OPERATIONS)}")
    if not 1 <= lengths[0] <= lengths[1]:
        raise ValueError(f"lengths is {lengths}; it is the least and the greatest number of operations, at least 1")
    kinds = XLA._replace(ops=XLA.ops if ops is None else dict.fromkeys(ops, 1.0), lengths=lengths)
    return st.randoms(use_true_random=False).map(lambda rng: draw_chain(rng, kinds))
