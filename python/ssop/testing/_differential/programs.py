"""A case as a program that shows it, for either side, and whether it does: each is run before it is printed."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from ssop.shapes import PartialShape
from ssop.testing._differential.result import Case, Report
from ssop.testing._differential.shape_subjects import shape_arguments_of
from ssop.testing._differential.subjects import Subject, arguments_of
from ssop.testing.calls import Answer, Call, Fault, ShapeCall
from ssop.testing.calls.call import array_text, value_text
from ssop.testing.calls.partial import dims_of
from ssop.testing.chains import Chain
from ssop.testing.chains.subjects import ChainSubject
from ssop.testing.oracles import ORACLES, SHAPE_ORACLES

SECONDS = 120.0
"""The limit of a program, most of whose time is an engine's import on a busy machine."""

NOT_SHOWN = "# Run by itself, this does not show it: the call depends on others before it, or on the time it is given."


def subject_program(subject: Subject, call: Call | ShapeCall | Chain) -> str:
    """The call of the subject, as a test of one's own would make it."""
    if isinstance(call, Chain):
        return subject.program(call) if isinstance(subject, ChainSubject) else call.program()
    if subject.is_ssop:
        return f"import numpy as np, ssop\nprint({call})"
    module, name = subject.imported()
    if module:
        words = ", ".join(_words_of_shapes(call) if isinstance(call, ShapeCall) else _words(call, subject.granted))
        return f"import numpy as np\nfrom {module} import {name.partition('.')[0]}\nprint({name}({words}))"
    if isinstance(call, ShapeCall) or subject.path is None:
        return f"# {name}, with the arguments of\n# {call}"
    given = {key: value for key, value in call.args.items() if not (key.endswith("_mask") and not np.any(value))}
    args = "".join(f", {key}={value_text(value)}" for key, value in given.items() if value is not None)
    return (
        "import numpy as np\nfrom ssop.testing import run_c\n"
        f"print(run_c({subject.path!r}, {call.op!r}, {array_text(call.arrays[0])}{args}))"
    )


def debugger_lines(subject: Subject) -> list[str]:
    """How to run a program of a C function in a debugger."""
    if subject.path is None:
        return []
    name = subject.path.rpartition(":")[2]
    return [
        "In a debugger, with the program saved as case.py, and the library built with -g:",
        "",
        f"    gdb -ex 'set breakpoint pending on' -ex 'break {name}' -ex run --args python case.py",
    ]


def _words(call: Call, granted: Sequence[str]) -> list[str]:
    """The arguments as the subject gets them: arrays and lists by position, masks and options by name."""
    positional, named = arguments_of(call, granted)
    return [*map(_text, positional), *(f"{name}={_text(value)}" for name, value in named.items())]


def _words_of_shapes(call: ShapeCall) -> list[str]:
    positional, masks = shape_arguments_of(call)
    return [*map(repr, positional), *(f"{name}={value!r}" for name, value in masks.items())]


def _text(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return array_text(value)
    if isinstance(value, list) and any(isinstance(item, np.ndarray) for item in value):
        return f"[{', '.join(map(array_text, value))}]"
    return value_text(value)


def verified(report: Report) -> Report:
    """The report, with a remark in each program that, run by itself, does not show what was seen."""
    table: Mapping[str, Any] = SHAPE_ORACLES if report.what == "shape" else ORACLES
    only_shapes = getattr(table.get(report.oracle), "only_shapes", False)
    known = {name: _verified(case, only_shapes) for name, case in report.known_cases.items()}
    cases = [_verified(case, only_shapes) for case in report.cases_found]
    return replace(report, cases_found=cases, known_cases=known)


def _verified(case: Case, only_shapes: bool) -> Case:
    theirs, ours = case.difference.theirs, case.difference.ours
    return case._replace(
        oracle_program=_remarked(case.oracle_program, theirs, only_shapes),
        subject_program=_remarked(case.subject_program, ours, only_shapes),
    )


def _remarked(program: str, answer: Answer, only_shapes: bool) -> str:
    try:
        if program.startswith("#") or shows(program, answer, only_shapes):
            return program
    except OSError as error:  # no folder for temporary files, or no more processes: the report has all else
        return f"{program}\n# It could not be run here: {error.strerror or error}."
    return f"{program}\n{NOT_SHOWN}"


HARNESS = """
import pickle, sys
from ssop.testing._differential.programs import told
printed = []
scope = {"__name__": "__main__", "print": lambda *values: printed.extend(values)}
exec(compile(sys.stdin.read(), "<program>", "exec"), scope)
with open(sys.argv[1], "wb") as file:
    pickle.dump(told(printed[-1]), file)
"""
"""Runs a program with a `print` that keeps what is printed: texts leave out elements and dtypes."""


def shows(program: str, answer: Answer, only_shapes: bool = False) -> bool:
    """Run a program; whether it ends as the answer says: with that result, an exception, a crash, or not at all.

    >>> shows("print(1 / 0)", Answer(error=ValueError())), shows("print(1)", Answer(error=ValueError()))
    (True, False)
    >>> [shows("import numpy as np; print(np.arange(2))", Answer(np.arange(n))) for n in (2, 3)]
    [True, False]
    """
    fault = str(answer.error) if isinstance(answer.error, Fault) else ""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    limit = 10.0 if fault.startswith("no answer") else SECONDS
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "printed")
        try:
            done = subprocess.run(
                [sys.executable, "-c", HARNESS, path],
                input=program, capture_output=True, text=True, errors="replace", check=False, timeout=limit,
                env=environment,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return fault.startswith("no answer")
        seen: Answer | None = None
        if done.returncode == 0:
            with suppress(Exception), open(path, "rb") as file:  # it may have ended early, or hold what is not readable
                seen = pickle.load(file)
    if fault:
        if seen is not None and str(seen) == fault:
            return True
        if fault in done.stderr:  # `run_c` raises it
            return True
        # The first touch of a page ends a program that `run_c` is in; it does not say who touched what.
        crashed, raised = fault.startswith(("crashed", "wrote", "read outside")), fault.startswith("raised")
        return done.returncode < 0 if crashed else (done.returncode > 0) == raised
    rejected = done.returncode != 0 or (seen is not None and seen.error is not None)
    if rejected or answer.error is not None or seen is None:
        return bool(rejected == (answer.error is not None))
    if answer.array is not None and seen.array is not None:
        if only_shapes:
            return bool(answer.array.shape == seen.array.shape)
        if (
            answer.array.dtype.kind in "fV" and seen.array.dtype.kind == "u"
        ):  # programs for JAX print small floats' bits
            return answer.array.tobytes() == seen.array.tobytes()
    return (answer.array is None) == (seen.array is None) and bool(answer.agrees(seen))


def told(value: Any) -> Answer | None:
    """What a program prints, as an answer: an array, a tensor, dims, or an answer itself; None for anything else."""
    if isinstance(value, Answer):
        return value
    if isinstance(value, np.ndarray | np.generic):
        return Answer.of(np.asarray(value))
    try:
        if isinstance(value, PartialShape | list):
            return Answer(dims=dims_of(PartialShape(value)))
        return Answer.of(np.asarray(value.numpy()))
    except Exception:  # of whatever an engine's object is: then it counts that the program ended
        return None
