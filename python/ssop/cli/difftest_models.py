"""The parts of `ssop difftest` for converters, and for failures that are files."""

from __future__ import annotations

import argparse
import errno
import inspect
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ssop._text import printable, printable_lines
from ssop._whole_files import write_whole
from ssop.cli.parse import bounded_integer
from ssop.cli.progress import Progress

TAKES = ("onnx", "stablehlo", "tensorflow", "torch", "jax", "calls", "operations")

MODELS = ("model", "proto", "graph", "graph_def", "module", "program", "function", "calls")
"""What the first parameter of a converter is called, and that of a slice is not."""

EPILOG = """\
A converter, simplifier or exporter is a subject, too. It takes a model, and gives one of ONNX or StableHLO (bytes, text
or a ModelProto), or a function of arrays. Save this as conv.py, and run the commands below it:

    import onnx
    from onnx import numpy_helper

    def convert(model):
        model = onnx.load_model_from_string(model)
        for tensor in model.graph.initializer:
            if tensor.name.startswith("ends"):  # takes an end of -1 for "up to the end"
                ends = numpy_helper.to_array(tensor).copy()
                ends[ends == -1] = 2**63 - 1
                tensor.CopyFrom(numpy_helper.from_array(ends, tensor.name))
        return model.SerializeToString()

    convert.takes = "onnx"

    pip install onnx onnxruntime
    ssop difftest --subject conv:convert --corpus failures    and later: ssop difftest --replay failures

What --takes says is what it is given: onnx is bytes, stablehlo a text, tensorflow the bytes of a GraphDef from "x" to
"y", torch a module, an operand and the list of dims, jax a function and the list of its operands, calls a list of
ssop.convert.Call, the dims and the dtype; call.function is a name such as "tf.strided_slice", and call.arguments a
dict of all arguments. Random programs of 1 to 4 calls are made into models. What the subject gives is run (--oracle:
onnxruntime, onnx.reference, openvino, jax, stablehlo), and compared with the right results. The verdicts are equal;
wrong; invalid, a model that the engine does not take, or a function that raises; refused, by any exception of the
subject, or NotImplementedError of its function, which is no failure; crashed; hung. --supports says what it can take,
as in "ranks=1..3 dtypes=float32 calls=tf.strided_slice,tf.slice steps=1..2 unknown-dims=no run-time=no pads=no",
and masks as above.
--list has ready subjects, such as ssop.testing.converters:tf2onnx.

"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of converters and of failures that are files."""
    parser.add_argument("--takes", choices=TAKES, help="what the subject takes (default: its attribute takes)")
    parser.add_argument("--laws", metavar="NAME", help="test laws of `ssop convert --laws`: 'all', or names")
    parser.add_argument("--corpus", metavar="DIR", help="write the smallest case of each kind as a file")
    parser.add_argument("--replay", metavar="DIR", help="ask again what the files of a corpus have, and end")
    parser.add_argument("--defects", action="store_true", help="which defects of engines are mended here, and end")
    parser.add_argument("--defect", metavar="NAME", help="print the report of one defect for its project, and end")


def is_other(arguments: argparse.Namespace) -> bool:
    """Whether the command is one of those here."""
    if _chosen(arguments):
        return True
    return arguments.chain is None and bool(arguments.takes or _takes_a_model(arguments.subject))


def _chosen(arguments: argparse.Namespace) -> list[str]:
    """The options that ask again, or that tell of defects."""
    return [name for name in ("replay", "defects", "defect") if getattr(arguments, name) not in (None, False)]


def _takes_a_model(subject: str | None) -> bool:
    if subject is None or ":" not in subject or os.sep in subject:
        return False
    if subject.partition(":")[0].endswith((".so", ".dylib", ".dll")):
        return False
    from ssop.testing._differential.subjects import load_function

    function = load_function(subject)
    if getattr(function, "takes", None) is not None:
        return True
    try:
        first = next(iter(inspect.signature(function).parameters), "")
    except (TypeError, ValueError):  # of some functions in C
        return False
    if first in MODELS:
        raise ValueError(
            f"subject {subject}: its parameter {first!r} looks like a model: say --takes {', '.join(TAKES)}, "
            "or set its attribute takes"
        )
    return False


def run(arguments: argparse.Namespace) -> int:
    """Run the command; raise ValueError or OSError for input that cannot work."""
    if chosen := _chosen(arguments):
        _check_alone(arguments, chosen)
    if arguments.defect is not None:
        from ssop.testing.defects import defect, report_of

        print(report_of(defect(arguments.defect)))
        return 0
    if arguments.defects:
        from ssop.testing.defects import read_defects

        return _replayed(read_defects(), None, mended_is_good=False)
    if arguments.replay is not None:
        from ssop.testing.corpus import read_folder

        return _replayed(read_folder(arguments.replay), arguments.subject, mended_is_good=True)
    return _converter(arguments)


def run_laws(arguments: argparse.Namespace) -> int:
    """Test laws; raise ValueError or OSError for input that cannot work."""
    from ssop.testing.chains import law_report as reports
    from ssop.testing.chains.law_run import CASES, chosen_laws, difftest_laws

    if arguments.subject or arguments.chain or arguments.junit or arguments.corpus:
        raise ValueError("--laws are rewritings of their own: leave out --subject, --chain, --junit and --corpus")
    names = None if arguments.laws == "all" else arguments.laws
    cases = bounded_integer("--cases", arguments.cases or str(CASES), 1, 10**9)
    with Progress("cases", cases * len(chosen_laws(names))) as progress:
        report = difftest_laws(
            names,
            oracle=arguments.oracle or "ssop",
            cases=cases,
            seed=bounded_integer("--seed", arguments.seed, 0, 10**9),
            shrink=not arguments.no_shrink,
            progress=lambda done, report: progress.show(done),
        )
    tell(arguments, reports, report)
    return 0 if report.passed else 1


def _check_alone(arguments: argparse.Namespace, chosen: list[str]) -> None:
    """ValueError for options that the command would not look at."""
    others = [name for name in ("json", "junit", "corpus", "takes", "chain") if getattr(arguments, name)]
    others += chosen[1:] + ["subject"] * (arguments.subject is not None and chosen[0] != "replay")
    if others:
        raise ValueError(f"--{chosen[0]} is used without {', '.join(f'--{name}' for name in others)}")


def check_corpus(folder: str | None) -> None:
    """Raise OSError, before a run, for a folder in which no files can be written."""
    if folder is None:
        return
    nearest = Path(os.path.abspath(folder))
    while not nearest.exists():
        nearest = nearest.parent
    if not nearest.is_dir():
        raise OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(nearest))
    if not os.access(nearest, os.W_OK):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES), str(nearest))


def _converter(arguments: argparse.Namespace) -> int:
    from ssop.testing.models import report as reports
    from ssop.testing.models.run import difftest_models

    if arguments.subject is None:
        raise ValueError("--takes needs --subject: a function of a model, as module:function")
    cases = bounded_integer("--cases", arguments.cases or "200", 1, 10**9)
    with Progress("models", cases) as progress:
        report = difftest_models(
            arguments.subject,
            takes=arguments.takes,
            engine=arguments.oracle,
            cases=cases,
            seed=bounded_integer("--seed", arguments.seed, 0, 10**9),
            supports=arguments.supports,
            seconds=bounded_integer("--seconds", arguments.seconds or "60", 1, 10**9),
            shrink=not arguments.no_shrink,
            progress=lambda done, report: progress.show(done),
        )
    tell(arguments, reports, report)
    if not report.complete and not report.findings:
        return 130
    return 0 if report.passed else 1


def tell(arguments: argparse.Namespace, reports: Any, report: Any) -> None:
    """Write and print a report by the functions of its module, and write its failures."""
    if arguments.json is not None:
        write_whole(arguments.json, f"{json.dumps(reports.as_dict(report), indent=2)}\n".encode())
    if arguments.junit is not None:
        stream = io.BytesIO()
        reports.junit(report).write(stream, encoding="utf-8", xml_declaration=True)
        write_whole(arguments.junit, stream.getvalue())
    print(printable_lines(reports.text(report)))
    write_corpus(arguments.corpus, report)


def write_corpus(folder: str | None, report: Any) -> None:
    """Write the smallest cases of a run, if a folder is given, and say where they are."""
    if folder is None:
        return
    from ssop.testing.corpus import write_failure
    from ssop.testing.corpus.writing import failures_of

    paths = [write_failure(folder, failure) for failure in failures_of(report)]
    for path in paths:
        print(f"written     {path}")
    if paths:
        print(f"ask again   ssop difftest --replay {Path(folder)}")


def _replayed(failures: list[Any], subject: str | None, mended_is_good: bool) -> int:
    """Ask again, a line or two for each; 1 if a failure is still there, or of defects of others, if one is another.

    2 for failures that could not be asked: they may be there. Defects of an engine that is not installed stay unasked.
    """
    from ssop.testing.corpus import replay

    counts: dict[str, int] = {}
    wrong = False
    for found in _shown(replay(failures, subject, runs_code=not mended_is_good)):
        counts[found.outcome] = counts.get(found.outcome, 0) + 1
        wrong = wrong or (found.failed if mended_is_good else found.outcome == "other")
    print("; ".join(f"{name} {count}" for name, count in counts.items()))
    unasked = counts.get("not run", 0)
    return 1 if wrong else 2 if unasked == len(failures) or (mended_is_good and unasked) else 0


def _shown(replayed: Iterator[Any]) -> Iterator[Any]:
    for found in replayed:
        print(printable(f"{found.outcome:<8} {found.failure.name}: {found.failure.failure}"))
        if found.told:
            print(f"{'':<8} {printable(found.told)}")
        yield found
