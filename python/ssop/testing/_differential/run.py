"""`difftest`: draw calls, ask both sides, compare, shrink the first difference."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import numpy as np

from ssop._version import __version__
from ssop.testing._differential.comparison import ERRORS, FAULTS, VALUES, Comparison, Difference, ssop_answer
from ssop.testing._differential.predicates import dangers
from ssop.testing._differential.probes import probes_of
from ssop.testing._differential.probes_shapes import shape_probes_of
from ssop.testing._differential.programs import debugger_lines, subject_program
from ssop.testing._differential.result import Case, Report
from ssop.testing._differential.shape_subjects import shape_subject_of
from ssop.testing._differential.shrinking import AnyCall, shrunk_difference, size_of
from ssop.testing._differential.subjects import Subject, subject_of
from ssop.testing.calls import Answer, Rejection
from ssop.testing.chains.engines import chain_oracle
from ssop.testing.chains.subjects import ChainSubject
from ssop.testing.oracles import ORACLES, SHAPE_ORACLES, Oracle, oracle

MAX_DIFFERENCES = 50
"""After so many wrong results and faults, a run ends. Disagreements about errors do not end it."""
MAX_HANGS = 3
"""After so many calls without an answer, a run ends: each waits for the time limit."""
CHUNK = 10
"""So many calls a foreign subject gets at once: then it is seen whether there are enough differences."""
MAX_KINDS = 5
"""Of so many kinds of differences a smallest case is looked for."""
MAX_CHAIN = 8
"""The most operations of a chain."""
SAMPLES = 40
"""Calls of each operation that a subject's signature is compared with."""
TRIES = 2000
"""Draws until one is supported by the subject."""


def enough(differences: Sequence[Difference]) -> bool:
    """Whether no more differences have to be found."""
    hangs = sum("no answer" in difference.kind for difference in differences)
    return sum(difference.about != ERRORS for difference in differences) >= MAX_DIFFERENCES or hangs >= MAX_HANGS


def chosen_ops(engine: Oracle, op: str | Sequence[str] | None) -> list[str]:
    """The operations of an engine that are meant: full names, or names without their dialect.

    >>> chosen_ops(oracle("reference"), "strided_slice")
    ['tf.strided_slice']
    """
    if op is None:
        return list(engine.ops)
    names = [op] if isinstance(op, str) else list(op)
    found = []
    for name in names:
        matching = [full for full in engine.ops if name in (full, full.partition(".")[2])]
        if not matching:
            raise ValueError(f"the oracle {engine.name} has no op {name!r}; {_who_has(engine, name)}")
        found.append(matching[0])
    return found


def _who_has(engine: Oracle, name: str) -> str:
    """The oracles that have an operation, those first that are installed; without any, this oracle's operations.

    >>> _who_has(oracle("numpy"), "xla.pad")
    'ask --oracle reference, which has it, or jax-ops'
    """
    table = SHAPE_ORACLES if engine.infers else ORACLES
    having = [kind for kind in table.values() if any(name in (full, full.partition(".")[2]) for full in kind.ops)]
    names = [kind.name for kind in sorted(having, key=lambda kind: not kind.installed())]
    if not names:
        return f"it has {', '.join(engine.ops)}"
    others = f", or {', '.join(names[1:])}" if names[1:] else ""
    return f"ask --oracle {names[0]}, which has it{others}"


def draws(engine: Oracle, ops: Sequence[str], rng: Random, subject: Subject) -> Iterator[AnyCall]:
    """Random calls that the subject supports, without end; ValueError if it supports no call."""
    weights = [engine.ops[op][0] for op in ops]
    while True:
        for _ in range(TRIES):
            op = rng.choices(ops, weights)[0]
            call = subject.adapted(engine.ops[op][1](rng))
            if subject.supports(call):
                yield call
                break
        else:
            raise ValueError(f"none of {TRIES} drawn calls is supported by {subject.name}: {subject.declared}")


def is_not_run(answer: Answer) -> bool:
    """Whether the oracle does not run such a call, for its size, say: then the subject is not asked either."""
    return isinstance(answer.error, Rejection) and answer.error.kind == "not run"


class Run:
    """One run: its sides, and the two ways to ask them."""

    def __init__(self, engine: Oracle, subject: Subject) -> None:
        self.engine, self.subject = engine, subject
        self.comparison = Comparison(engine, ssop_reasons=subject.is_ssop)
        subject.take_for_granted(engine.granted)

    def theirs(self, calls: Sequence[AnyCall]) -> list[Answer]:
        """The oracle's answers."""
        return [self.seen(answer) for answer in self.engine.answers(calls)]

    def ours(self, calls: Sequence[AnyCall]) -> list[Answer]:
        """The subject's answers."""
        return [self.seen(answer) for answer in self.subject.answers(calls)]

    def seen(self, answer: Answer) -> Answer:
        """What is compared of an answer: only the shape if the engine has no values."""
        if not self.engine.only_shapes or answer.array is None:
            return answer
        return Answer(np.zeros(answer.array.shape, bool))

    def sendable(self, calls: Sequence[AnyCall]) -> list[AnyCall]:
        """Without those that may kill the engine, which are counted."""
        kept = []
        for call in calls:
            reasons = dangers(self.engine.name, call)
            self.comparison.seen.update(reasons)
            self.comparison.counts["not sent"] += bool(reasons)
            if reasons:
                self.check_unsent(call)
            else:
                kept.append(call)
        return kept

    def check_unsent(self, call: AnyCall) -> None:
        """A call that the engine may not see: ssop must give what the reference gives."""
        if not self.subject.is_ssop or call.name in ("select", "clamp"):
            return
        theirs, ours = oracle("reference").answer(call), ssop_answer(call)
        same_label = theirs.error is not None and ours.error is not None
        if not same_label and (theirs.error or ours.error or self.comparison.complaint(theirs, ours)):
            self.comparison.found(Difference(call, theirs, ours, "not sent: the reference's answer"))

    def explained(self, name: str) -> Callable[[AnyCall], Difference | None]:
        """A function that gives the difference of a chain that this known defect explains."""

        def difference(call: AnyCall) -> Difference | None:
            (theirs,), (ours,) = self.theirs([call]), self.ours([call])
            found = self.comparison.difference(call, theirs, ours)
            return Difference(call, theirs, ours, "") if isinstance(found, list) and name in found else None

        return difference

    def difference(self, call: AnyCall) -> Difference | None:
        """What comes of one call, uncounted: for shrinking."""
        if dangers(self.engine.name, call) or not self.subject.supports(call):
            return None
        (theirs,) = self.theirs([call])
        if is_not_run(theirs):
            return None
        (ours,) = self.ours([call])
        found = self.comparison.difference(call, theirs, ours, self.mine(call))
        return found if isinstance(found, Difference) else None

    def mine(self, call: AnyCall) -> Answer | None:
        """ssop's answer, where the subject is another."""
        return None if self.subject.is_ssop else self.seen(ssop_answer(call))

    def compare(self, calls: Sequence[AnyCall]) -> None:
        """Ask both sides."""
        sent = self.sendable(calls)
        pairs = [(call, answer) for call, answer in zip(sent, self.theirs(sent), strict=True) if not is_not_run(answer)]
        self.comparison.counts["not run"] += len(sent) - len(pairs)
        size = max(len(pairs), 1) if self.subject.is_ssop else CHUNK
        for first in range(0, len(pairs), size):
            chunk = pairs[first : first + size]
            answers = self.ours([call for call, _ in chunk])
            for (call, theirs), ours in zip(chunk, answers, strict=True):
                self.comparison.judge(call, theirs, ours, self.mine(call))
            if enough(self.comparison.differences):
                return


def difftest(
    subject: Any = None,
    *,
    oracle: str | Oracle = "numpy",
    op: str | Sequence[str] | None = "strided_slice",
    cases: int = 1000,
    seed: int = 0,
    what: str = "values",
    supports: Any = None,
    seconds: float = 10.0,
    shrink: bool = True,
    progress: Callable[[int, Report], None] | None = None,
    chain: tuple[int, int] | None = None,
    takes: str | None = None,
) -> Report:
    """Compare a subject with a real engine on random calls, and shrink the first difference.

    Parameters
    ----------
    subject : callable, str, or None
        Your implementation: a function with the parameters of ssop's operation, `"module:function"`, or
        `"./lib.so:function"`, a C function as in `ssop/testing/subject.h`. None tests ssop itself. It answers in a
        child process. It rejects a call by raising ValueError, IndexError, TypeError, OverflowError or
        NotImplementedError.
    oracle : str
        A name of `ssop.testing.oracles.ORACLES`, of `SHAPE_ORACLES` for what="shape". ValueError if it is unknown or
        not installed.
    op : str, a list of them, or None
        Operations of the oracle, as `"strided_slice"` or `"tf.strided_slice"`; None for all of them.
    cases : int
        Number of calls that are compared.
    seed : int
        Of the calls; the same seed gives the same calls.
    what : {"values", "shape"}
        With "shape", shape inference is compared: that of `ssop.infer_shape`, or a subject with the parameters of
        `ssop.shapes.<op>`. The subject is given None for what is unknown and (least, greatest) for an interval. It
        returns the dims in the same way, or None for an unknown rank.
    supports : str or mapping, optional
        What the subject supports, in words such as `"ranks=1..4 dtypes=int8,float32 masks=begin,shrink options=none
        negative-steps=no malformed=yes"`, or a mapping of these names.
    seconds : float
        Time limit of the subject for one call.
    shrink : bool
        Whether to look for a smaller case; Hypothesis, where it is installed, finds the smallest ones.
    progress : callable, optional
        Called with the number of compared calls and the report so far.
    chain : (least, most), optional
        Programs of so many operations instead of calls, which the engine compiles as a whole: a name of
        `ssop.testing.chains.engines.CHAIN_ORACLES`. They have no op. A subject evaluates them, too, and "ssop" is an
        oracle for it.
    takes : {"stablehlo", "onnx", "operations"}, optional
        What a subject of chains is given; by default its attribute `takes`. The text of a StableHLO program or the
        bytes of an ONNX model, and the inputs behind it. "operations": it is an object with functions that have the
        names and parameters of ssop.xla's, which are called one after the other.

    Returns
    -------
    Report
        `report.passed`, `report.smallest`, the counts in `report.comparison`.

    Examples
    --------
    >>> import numpy as np
    >>> def my_slice(input_, begin, end, strides, **masks):
    ...     raise ValueError("not yet")
    >>> report = difftest(my_slice, oracle="numpy", cases=50, shrink=False)
    >>> report.passed, report.differences[0].kind
    (False, 'the oracle accepts, the subject rejects')
    >>> def my_shape(shape, begin, size):
    ...     return size
    >>> difftest(my_shape, oracle="reference", op="tf.slice", what="shape", cases=50, shrink=False).passed
    False
    """
    if what not in ("values", "shape"):
        raise ValueError(f"what is {what!r}, which is neither 'values' nor 'shape'")
    if cases < 1:
        raise ValueError(f"cases is {cases}; at least 1 is needed")
    if chain is not None:
        _check_chain(chain, what)
        side = Subject() if subject is None else ChainSubject(subject, takes, supports, seconds)
        engine = chain_oracle(oracle, chain, getattr(side, "kinds", None)) if isinstance(oracle, str) else oracle
    else:
        engine = _oracle(oracle, what) if isinstance(oracle, str) else oracle
        side = (shape_subject_of if engine.infers else subject_of)(subject, supports=supports, seconds=seconds)
    ops = chosen_ops(engine, None if chain is not None else op)
    run = Run(engine, side)
    versions = f"{engine.name} ({engine.version() or 'ssop ' + __version__})"
    versions += f", numpy {np.__version__}, ssop {__version__}"
    report = Report(engine.name, side.name, versions, ops, seed, cases, what, run.comparison)
    report.takes = getattr(side, "takes", "")
    started = time.perf_counter()
    try:
        side.check_signature(_samples(run, ops, seed))
        _compare_all(run, report, progress)
        report.seconds = time.perf_counter() - started
        report.cases_found = [_case(run, found, shrink) for found in _by_kind(report.differences)]
        for name, example in run.comparison.examples.items():
            smallest = shrunk_difference(run.explained(name), example) if shrink else example
            report.known_cases[name] = _shown(run, smallest, run.comparison.seen[name])
    finally:
        side.close()
        if isinstance(oracle, str):
            engine.close()
    return report


def _samples(run: Run, ops: Sequence[str], seed: int) -> list[AnyCall]:
    """Some calls of each operation, to see whether the subject has the parameters that they need."""
    if run.subject.is_ssop:
        return []
    found: list[AnyCall] = []
    for op in ops:
        source = draws(run.engine, [op], Random(seed), run.subject)
        found += [next(source) for _ in range(SAMPLES)]
    return found


def _by_kind(differences: Sequence[Difference]) -> list[list[Difference]]:
    """The differences of each kind: wrong values first, then faults, then disagreements about errors.

    Faults of the oracle and hangs come last: shrinking them waits for new processes and for the time limit.
    """
    kinds: dict[str, list[Difference]] = {}
    for difference in differences:
        kinds.setdefault(difference.kind, []).append(difference)

    def place(kind: str) -> tuple[int, bool]:
        slow = 2 if "no answer" in kind else int(kind.startswith("the oracle: "))
        return slow * 3 + (VALUES, FAULTS, ERRORS).index(kinds[kind][0].about), "crashed" in kind

    return [kinds[kind] for kind in sorted(kinds, key=place)][:MAX_KINDS]


def _case(run: Run, found: list[Difference], shrink: bool) -> Case:
    """The smallest case of one kind of difference."""
    smallest = min(found, key=lambda difference: size_of(difference.call))
    if shrink:
        smallest = shrunk_difference(run.difference, smallest)
    return _shown(run, smallest, run.comparison.kinds[found[0].kind])


def _shown(run: Run, smallest: Difference, times: int) -> Case:
    """A case with its programs for both sides."""
    programs = run.engine.code(smallest.call), subject_program(run.subject, smallest.call)
    return Case(smallest, times, *programs, tuple(debugger_lines(run.subject)))


def _check_chain(chain: tuple[int, int], what: str) -> None:
    """ValueError for what chains cannot do."""
    low, high = chain
    if not 1 <= low <= high <= MAX_CHAIN:
        raise ValueError(f"chain is {low}..{high}; lengths are 1 to {MAX_CHAIN}, the smaller one first")
    if what != "values":
        raise ValueError("chains have values alone: leave out what")


_oracle = oracle  # the parameter of `difftest` has the same name


def _compare_all(run: Run, report: Report, progress: Callable[[int, Report], None] | None) -> None:
    """Draw and compare until there were enough calls, then send the probes of the known divergences."""
    comparison, rng = run.comparison, Random(report.seed)
    source = draws(run.engine, report.ops, rng, run.subject)
    try:
        while comparison.compared < report.cases and not enough(comparison.differences):
            size = min(run.engine.batch, report.cases - comparison.compared)
            run.compare([next(source) for _ in range(size)])
            if progress is not None:
                progress(comparison.compared, report)
        report.complete = comparison.compared >= report.cases
    except KeyboardInterrupt:
        report.complete, report.interrupted = False, True
    if run.subject.is_ssop and report.complete and report.kinds is None:
        known: Sequence[tuple[str, AnyCall]] = (shape_probes_of if run.engine.infers else probes_of)(run.engine.name)
        probes = [(name, call) for name, call in known if call.op in report.ops]
        run.compare([call for _, call in probes])
        table = comparison.rows()
        report.vanished = sorted({name for name, _ in probes if name in table and not comparison.seen[name]})
