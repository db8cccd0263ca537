"""Counts where two sides agree, and sorts their differences into known and unexplained ones."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from ssop._core import SliceError
from ssop.divergences import rows
from ssop.testing._differential.predicates import explanations
from ssop.testing.calls import Answer, Call, Dims, Fault, ShapeCall
from ssop.testing.calls.specs import MASKS
from ssop.testing.chains import Chain
from ssop.testing.chains.drawing import rules_met as rules_of_chain
from ssop.testing.chains.known import rows_of
from ssop.testing.oracles import Oracle

AnyCall: TypeAlias = "Call | ShapeCall | Chain"
OUTCOMES = ("accepted", "rejected", "different")
VALUES, FAULTS, ERRORS = "values", "faults", "errors"
MAX_ERRORS_KEPT = 50
"""So many disagreements about errors are kept. The others are only counted: wrong values may come after them."""
MIN_CASES_OF_CAP = 20
"""A cap never allows fewer cases, so that short runs do not fail by chance."""


@dataclass(frozen=True)
class Difference:
    """A call to which the two sides give different answers that nothing explains."""

    call: AnyCall
    theirs: Answer
    ours: Answer
    complaint: str

    @property
    def kind(self) -> str:
        """What differs, in the words by which a smaller case of the same difference is recognised."""
        if isinstance(self.ours.error, Fault):
            return f"fault: {fault_class(str(self.ours.error))}"
        if isinstance(self.theirs.error, Fault):
            return f"the oracle: {str(self.theirs.error).split(' (')[0]}"
        if self.theirs.dims is not None and self.ours.dims is not None:
            return dims_kind(self.theirs.dims, self.ours.dims)
        if self.theirs.error is None and self.ours.error is None:
            assert self.theirs.array is not None and self.ours.array is not None
            if self.theirs.array.dtype != self.ours.array.dtype:
                return "the dtypes differ"
            return "the shapes differ" if self.theirs.array.shape != self.ours.array.shape else "the elements differ"
        if self.theirs.error is None:
            return "the oracle accepts, the subject rejects"
        return "the oracle rejects, the subject accepts" if self.ours.error is None else "the reasons differ"

    @property
    def about(self) -> str:
        """Whether it is about `VALUES`, is one of the `FAULTS`, or is about `ERRORS`: who rejects, and why."""
        if isinstance(self.ours.error, Fault) or isinstance(self.theirs.error, Fault):
            return FAULTS
        return VALUES if self.theirs.error is None and self.ours.error is None else ERRORS


def dims_kind(theirs: Dims, ours: Dims) -> str:
    """How dims differ.

    >>> dims_kind(Dims(((2, 2),)), Dims(((0, None),))), dims_kind(Dims(((2, 2),)), Dims(((3, 3),)))
    ('the subject knows less', 'the dims differ')
    """
    if ours.contains(theirs):
        return "the subject knows less"
    if theirs.contains(ours):
        return "the subject knows more"
    ranks = {None if dims.intervals is None else len(dims.intervals) for dims in (theirs, ours)}
    return "the ranks differ" if len(ranks) > 1 else "the dims differ"


def fault_class(text: str) -> str:
    """A fault without its details.

    >>> fault_class("wrote 8 bytes past the end of the output"), fault_class("returned [2, -1], which is no shape")
    ('wrote N bytes past the end of the output', 'returned [..], which is no shape')
    """
    return re.sub(r"\d+", "N", re.sub(r"\[.*\]", "[..]", text).split(":")[0])


def wrong_reason(phrases: Mapping[str, tuple[str, ...]], theirs: Answer, ours: Answer, unworded: Iterable[str]) -> str:
    """What is wrong with ssop's reason for a rejection, given the other's own words and the labels they stand for.

    ssop's message repeats those words, for people search for them, except the phrases and labels in `unworded`.
    """
    if theirs.error is None or ours.error is None:
        return ""
    label = getattr(ours.error, "label", None)
    wanted = getattr(theirs.error, "label", None)
    if wanted is not None:
        return "" if label == wanted else f"the label is not {wanted}"
    for phrase, labels in phrases.items():
        if found := re.search(phrase, str(theirs.error)):
            if label not in labels:
                return f"the label is not one of {labels}"
            free = phrase in unworded or label in unworded
            return "" if free or found.group() in str(ours.error) else f"the message lacks {found.group()!r}"
    return "the other's reason is not known"


RULES = {"tf.strided_slice": (*(f"ss_c{i}" for i in range(1, 9)), *(f"ss_s{i}" for i in range(1, 10)))}
"""Operation -> the rules of SPEC.md that its calls can meet, where `rules_met` knows them all."""


def rules_met(call: Call | ShapeCall, answer: Answer) -> Iterator[str]:
    """The labels of SPEC.md that a StridedSlice of masks meets: the broken rule, or the meanings that it uses."""
    label = getattr(answer.error, "label", None)
    if label is not None:
        yield label
    args = call.args
    masked = "begin_mask" in args and call.dialect in ("tf", "tflite") and isinstance(call, Call)
    if answer.error is not None or not masked:
        return
    entries = range(len(args["begin"]))
    begin_mask, end_mask, ellipsis, new, shrink = (args.get(name, 0) for name in MASKS)
    bits = (1 << len(entries)) - 1
    yield "ss_s2" if ellipsis & bits else "ss_s6"
    if (ellipsis & new | ellipsis & shrink | new & shrink) & bits:
        yield "ss_s1"
    if new & ~ellipsis & bits:
        yield "ss_s3"
    read = [i for i in entries if not (ellipsis | new | shrink) >> i & 1]
    if any(int(args[name][i]) < 0 for i in read for name in ("begin", "end")):
        yield "ss_s4"
    if (begin_mask | end_mask) & sum(1 << i for i in read):
        yield "ss_s5"
    if shrink & ~ellipsis & ~new & bits:
        yield "ss_s7"
    if (begin_mask | end_mask | ellipsis | new | shrink) & ~bits:
        yield "ss_s8"
    if min(begin_mask, end_mask, ellipsis, new, shrink) < 0:
        yield "ss_s9"


@dataclass
class Comparison:
    """What came of all calls; `ssop_reasons` compares the words and labels of rejections, which only ssop has."""

    engine: Oracle
    ssop_reasons: bool = True
    counts: Counter[str] = field(default_factory=Counter)
    rejected: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    seen: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    """How many differences of each kind nothing explains."""
    about: Counter[str] = field(default_factory=Counter)
    """The same by `Difference.about`."""

    def found(self, difference: Difference) -> None:
        """Count a difference that nothing explains, and keep it unless it is one of too many about errors."""
        self.kinds[difference.kind] += 1
        self.about[difference.about] += 1
        if difference.about != ERRORS or self.about[ERRORS] <= MAX_ERRORS_KEPT:
            self.differences.append(difference)

    pairs: Counter[str] = field(default_factory=Counter)
    """The pairs of rules, in chains, of which one worked on the result of the other."""
    examples: dict[str, Difference] = field(default_factory=dict)
    """The first chain that each known defect explains."""

    def judge(self, call: AnyCall, theirs: Answer, ours: Answer, mine: Answer | None = None) -> Difference | None:
        """Count a pair of answers; `mine` is ssop's own where the subject is another one."""
        difference = self.difference(call, theirs, ours, mine)
        self.count_rules(call, ours if mine is None else mine)
        if isinstance(difference, Difference):
            self.found(difference)
            self.count(call, "different")
            return difference
        if difference:
            self.seen.update(difference)
            self.count(call, "different")
            if isinstance(call, Chain):
                for name in difference:
                    self.examples.setdefault(name, Difference(call, theirs, ours, ""))
        elif ours.error is None:
            self.count(call, "accepted")
            self.counts.update(ours.counted())
        else:
            self.count(call, "rejected")
            self.rejected[getattr(ours.error if mine is None else mine.error, "label", None) or "other"] += 1
            self.counts[f"rejected by {getattr(theirs.error, 'kind', '')}"] += 1
        for name in self.engine.counted(call, ours):
            self.counts[name] += 1
        return None

    def count_rules(self, call: AnyCall, answer: Answer) -> None:
        """The rules that a call meets, and of a chain their pairs."""
        if isinstance(call, Chain):
            rules, pairs = rules_of_chain(call)
            self.rules.update(rules)
            self.pairs.update(pairs)
        else:
            self.rules.update(rules_met(call, answer))

    def count(self, call: AnyCall, outcome: str) -> None:
        """One more."""
        self.counts[outcome] += 1
        self.counts[f"{call.name} {outcome}"] += 1

    def difference(
        self, call: AnyCall, theirs: Answer, ours: Answer, mine: Answer | None = None
    ) -> Difference | list[str]:
        """Nothing, the rows that explain the difference, or a difference that nothing explains."""
        complaint = self.complaint(theirs, ours)
        if complaint is None:
            return []
        if isinstance(ours.error, Fault):
            return Difference(call, theirs, ours, complaint)
        if mine is None:
            names = explanations(self.engine.name, call, theirs, ours)
            return names or Difference(call, theirs, ours, complaint)
        # Where the engine is known to differ from ssop, a subject may answer as either of them does.
        names = explanations(self.engine.name, call, theirs, mine)
        agrees = self.complaint(mine, ours) is None
        return names if names and agrees else Difference(call, theirs, ours, complaint)

    def complaint(self, theirs: Answer, ours: Answer) -> str | None:
        """What is wrong; None if the answers are the same."""
        for answer, who in ((ours, "subject"), (theirs, "oracle")):
            if isinstance(answer.error, Fault):
                return f"the {who}: {answer.error}"
        if theirs.error is None and ours.error is None:
            return None if theirs.agrees(ours) else "the answers differ"
        if theirs.error is None or ours.error is None:
            return "one accepts and the other rejects"
        if not self.ssop_reasons:
            return None
        if not self.engine.phrases and getattr(theirs.error, "label", None) is None:
            return None
        if getattr(theirs.error, "kind", "XLA") not in ("XLA", "Rejected") and self.engine.name == "jax-ops":
            return None  # JAX's own words
        if self.engine.name == "reference" and getattr(theirs.error, "label", None) is None:
            return None  # dtypes
        return wrong_reason(self.engine.phrases, theirs, ours, self.engine.unworded) or None

    @property
    def compared(self) -> int:
        """Calls that both sides answered."""
        return sum(self.counts[outcome] for outcome in OUTCOMES)

    def rows(self) -> dict[str, dict[str, str]]:
        """The engine's rows of the table of divergences, by their predicates."""
        if "chain" in self.engine.ops:
            return rows_of(self.engine.name)
        kinds = ("shapes",) if self.engine.infers else ("divergence", "not_sent")
        return {row["predicate"]: row for kind in kinds for row in rows(kind, of=self.engine.name)}

    def beyond_cap(self) -> dict[str, int]:
        """Rows that excused more calls than their cap allows."""
        total = self.compared + self.counts["not sent"]
        rows = self.rows().items()
        caps = {name: max(MIN_CASES_OF_CAP, math.ceil(float(row["cap"]) * total)) for name, row in rows}
        return {name: count for name, count in self.seen.items() if count > caps[name]}

    def below(self, floors: Mapping[str, int]) -> dict[str, int]:
        """What was counted less often than it should be."""
        return {name: self.counts[name] for name, floor in floors.items() if self.counts[name] < floor}

    def rarely_broken(self, labels: Iterable[str], floor: int) -> dict[str, int]:
        """The rules that fewer rejections name."""
        return {label: self.rejected[label] for label in labels if self.rejected[label] < floor}

    def phrase_labels(self) -> set[str]:
        """The rules that the engine's phrases stand for."""
        return {label for labels in self.engine.phrases.values() for label in labels}

    def __str__(self) -> str:
        def listed(counter: Mapping[str, int]) -> str:
            return ", ".join(f"{name} {n}" for name, n in sorted(counter.items())) or "none"

        n = self.counts
        return (
            f"{self.compared} compared, {n['not sent']} not sent; "
            f"{n['accepted']} accepted and equal ({n['with elements']} with elements); "
            f"{n['rejected']} rejected by both: {listed(self.rejected)}; "
            f"{n['different']} different, unexplained {self.kinds.total()}; known: {listed(self.seen)}"
        )


def ssop_answer(call: AnyCall) -> Answer:
    """What ssop answers; anything but a SliceError goes up."""
    try:
        return call.answer()
    except SliceError as error:
        return Answer(error=error)
