"""A case as a program that shows it, for either side, and whether it does: each is run before it is printed."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np

from ssop.testing.calls import Answer, Call, Fault, ShapeCall
from ssop.testing.calls.call import array_text, value_text
from ssop.testing.differential.result import Case, Report
from ssop.testing.differential.shape_subjects import shape_arguments_of
from ssop.testing.differential.subjects import Subject, arguments_of

SECONDS = 120.0
"""The limit of a program, most of whose time is an engine's import on a busy machine."""

NOT_SHOWN = "# Run by itself, this does not show it: the call depends on others before it, or on the time it is given."


def subject_program(subject: Subject, call: Call | ShapeCall) -> str:
    """The call of the subject, as a test of one's own would make it."""
    if subject.is_ssop:
        return f"import numpy as np, ssop\nprint({call})"
    module, name = subject.imported()
    if module:
        words = ", ".join(_words_of_shapes(call) if isinstance(call, ShapeCall) else _words(call))
        return f"import numpy as np\nfrom {module} import {name.partition('.')[0]}\nprint({name}({words}))"
    if isinstance(call, ShapeCall) or subject.path is None:
        return f"# {name}, with the arguments of\n# {call}"
    arrays = "".join(f"{array_text(array)}, " for array in call.arrays)
    args = ", ".join(f"{key!r}: {value_text(value)}" for key, value in call.args.items())
    return (
        "import numpy as np\nfrom ssop.testing.calls import Call\n"
        "from ssop.testing.differential.subjects import subject_of\n"
        f"call = Call({call.op!r}, ({arrays.strip()}), {{{args}}})\n"
        f"print(subject_of({subject.path!r}).answers([call])[0])"
    )


def _words(call: Call) -> list[str]:
    """The arguments as the subject gets them: arrays and lists by position, masks and options by name."""
    positional, named = arguments_of(call)
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
    return replace(report, cases_found=[_verified(case) for case in report.cases_found])


def _verified(case: Case) -> Case:
    theirs, ours = case.difference.theirs, case.difference.ours
    return case._replace(
        oracle_program=_remarked(case.oracle_program, theirs),
        subject_program=_remarked(case.subject_program, ours),
    )


def _remarked(program: str, answer: Answer) -> str:
    if program.startswith("#") or shows(program, answer):
        return program
    return f"{program}\n{NOT_SHOWN}"


def shows(program: str, answer: Answer) -> bool:
    """Run a program; whether it ends as the answer says: with a result, with an exception, by a crash, or not at all.

    >>> shows("print(1 / 0)", Answer(error=ValueError())), shows("print(1)", Answer(error=ValueError()))
    (True, False)
    """
    fault = str(answer.error) if isinstance(answer.error, Fault) else ""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    limit = 10.0 if fault.startswith("no answer") else SECONDS
    try:
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=limit, env=environment
        )
    except subprocess.TimeoutExpired:
        return fault.startswith("no answer")
    if str(answer) in done.stdout:
        return True
    if fault:
        return (
            done.returncode < 0 if fault.startswith("crashed") else (done.returncode > 0) == fault.startswith("raised")
        )
    return (done.returncode == 0) == (answer.error is None)
