"""Asking again what failed once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from ssop.testing.corpus.files import Failure

SECONDS = 60.0
"""Time limit of a converter, and of an engine, for one model."""


class Replayed(NamedTuple):
    """What came of one failure."""

    failure: Failure
    outcome: str
    """"there" as it was, "mended", "other" than both, or "not run"."""
    told: str = ""
    """The answer today, or why it was not asked."""

    @property
    def failed(self) -> bool:
        """Whether something is still wrong."""
        return self.outcome in ("there", "other")


Replayer = Callable[[Sequence[Failure], "str | None"], Iterator[Replayed]]


class Kind(NamedTuple):
    """Functions by their places, which are imported when they are needed."""

    reads: str
    """What reads the program of a file; it raises one of `MISFITS` for other data."""
    asks: str
    """What asks again, of failures and of another subject or None."""


REPLAYERS = {
    "call": Kind("ssop.testing.corpus.calls:call_from_json", "ssop.testing.corpus.replaying:replay_calls"),
    "chain": Kind("ssop.testing.corpus.chains:chain_from_json", "ssop.testing.corpus.chains:replay_chains"),
    "model": Kind("ssop.testing.models.program:program_from_json", "ssop.testing.corpus.replaying:replay_models"),
    "program": Kind("ssop.testing.corpus.programs:check_program", "ssop.testing.corpus.replaying:replay_programs"),
}
MISFITS = (LookupError, TypeError, ValueError, AttributeError, OverflowError, SyntaxError)
"""What is raised by reading data that somebody changed, or by asking for a call that lacks arguments."""


def _function(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def replay(failures: Sequence[Failure], subject: str | None = None, *, runs_code: bool = False) -> Iterator[Replayed]:
    """Ask again; failures of one kind, subject and engine share their processes.

    With `subject`, it is asked in place of the one that each file names, and which is imported. With `runs_code`, so
    are failures whose program is code: whoever wrote their files can do anything.
    """
    groups: dict[tuple[str, str | None, str], list[Failure]] = {}
    for failure in failures:
        problem = _misfit(failure)
        if not problem and failure.kind == "program" and not runs_code:
            problem = "its program is code, which is run only for ssop's own files"
        if problem:
            yield Replayed(failure, "not run", problem)
        else:
            groups.setdefault((failure.kind, failure.subject, failure.oracle), []).append(failure)
    for (kind, _, _), group in groups.items():
        asks: Replayer = _function(REPLAYERS[kind].asks)
        try:
            yield from asks(group, subject)
        except (*MISFITS, ImportError) as error:  # also a subject or an engine that is not there
            kind = "" if isinstance(error, (ValueError, ImportError)) else f"{type(error).__name__}: "
            yield from (Replayed(one, "not run", f"{kind}{error}") for one in group)


def _misfit(failure: Failure) -> str:
    """What is wrong with the program of a file; nothing if it can be asked."""
    if failure.kind not in REPLAYERS:
        return f"its kind is {failure.kind!r}, not {', '.join(REPLAYERS)}"
    try:
        _function(REPLAYERS[failure.kind].reads)(failure.program)
    except MISFITS as error:
        return f"its program cannot be read: {type(error).__name__}: {error}"
    return ""


def named_subject(group: Sequence[Failure], subject: str | None) -> str | None:
    """The subject that is to be asked."""
    if subject is None and group[0].subject == "":
        raise ValueError("its subject has no name to be imported by: give --subject")
    return group[0].subject if subject is None else subject


def replay_calls(group: Sequence[Failure], subject: str | None) -> Iterator[Replayed]:
    """Calls of one operation, of a subject beside an oracle."""
    from ssop.testing._differential.run import Run
    from ssop.testing._differential.subjects import subject_of
    from ssop.testing.corpus.calls import call_from_json
    from ssop.testing.oracles import oracle

    side = subject_of(named_subject(group, subject))
    engine = oracle(group[0].oracle)
    run = Run(engine, side)
    results = []
    try:
        for failure in group:
            found = run.difference(call_from_json(failure.program))
            told = "" if found is None else f"{found.kind}: {found.ours}, the oracle {found.theirs}"
            results.append(_outcome(failure, None if found is None else found.kind, told))
    finally:
        side.close()
        engine.close()
    yield from results


def replay_models(group: Sequence[Failure], subject: str | None) -> Iterator[Replayed]:
    """Programs that a converter takes."""
    from ssop.testing.models.engines import engines_for
    from ssop.testing.models.judging import Judge
    from ssop.testing.models.program import Program
    from ssop.testing.models.subjects import Converter

    programs = [Program.from_json(failure.program) for failure in group]
    converter = Converter(named_subject(group, subject), programs[0].takes, None, SECONDS)
    judge = Judge(converter, engines_for(group[0].oracle or None), SECONDS)
    results = []
    try:
        for failure, program in zip(group, programs, strict=True):
            found = judge.judge(program)
            if found is None:
                results.append(Replayed(failure, "not run", "its framework, or the engine, does not take the program"))
            else:
                told = f"{found.kind}: {found.given}" if found.given is not None else ""
                results.append(_outcome(failure, found.kind if found.failed else None, told))
    finally:
        judge.close()
    yield from results


def replay_programs(group: Sequence[Failure], subject: str | None) -> Iterator[Replayed]:
    """Code that shows a defect of somebody else, alone in a process."""
    from ssop.testing.corpus.programs import matches, missing, run_code

    for failure in group:
        data: Any = failure.program
        if lacking := missing(data["needs"]):
            yield Replayed(failure, "not run", f"not installed: {', '.join(lacking)}")
            continue
        printed = run_code("\n".join(data["code"]))
        if matches(data["right"], printed):
            yield Replayed(failure, "mended", printed.short)
        else:
            there = matches(data["shows"], printed) if data["shows"] else True
            yield Replayed(failure, "there" if there else "other", printed.short)


def _outcome(failure: Failure, kind: str | None, told: str) -> Replayed:
    if kind is None:
        return Replayed(failure, "mended", told)
    return Replayed(failure, "there" if kind == failure.failure else "other", told)
