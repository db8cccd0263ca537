"""`ssop inspect`: the slices of a model file, what engines make of them, and what is known to go wrong."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, get_args

import ssop
from ssop._inspect import Format, Profile
from ssop._text import printable_lines
from ssop.cli.completion import completes_files

EPILOG = """examples:
  ssop inspect model.onnx
  ssop inspect model.tflite --only StridedSlice_3        everything that is known of one node
  ssop inspect model.onnx --only /crop/Slice --svg > crop.svg    the picture of what it takes
  ssop inspect model.onnx --target tensorrt              what an engine rejects
  ssop inspect saved_model/ converted.onnx               every slice proved equal, or where it differs
  ssop inspect crop_224.onnx crop_320.onnx               two exports: which bounds are frozen
  ssop inspect model.onnx --silent negative-step --fail-on warning
  ssop inspect model.onnx --sarif > slices.sarif         for code hosts
  ssop inspect --node 'Slice(starts=[0], ends=[-1])'     one node, as it stands in a thread
  ssop inspect --node 'tf.strided_slice(begin=[-1], end=[0])' --node 'Slice(starts=[-1], ends=[INT64_MAX], axes=[0])'
  ssop inspect --each *.onnx                             several models; the exit code is that of the worst
  ssop inspect --about zero-end                          what a hazard is, with an example

Exit code 1: a hazard at or above --fail-on; 2: the file cannot be read."""

FAIL_ON = ("note", "warning", "error", "never")


def register(subparsers: Any) -> None:
    """Add the parser of `inspect`."""
    parser = subparsers.add_parser(
        "inspect",
        help="show the slices of a model file",
        description="Show the slices of a model file: what they take, where engines differ, and what goes wrong.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    model = parser.add_argument(
        "model", metavar="MODEL", nargs="?", help="ONNX, TFLite, StableHLO, SavedModel, GraphDef or IR"
    )
    completes_files(model)
    parser.add_argument(
        "--node",
        metavar="TEXT",
        action="append",
        help="a node as text instead (two: compared): a call, a line of a graph, ..",
    )
    each = parser.add_argument("--each", metavar="MODEL", nargs="+", help="several models, each for itself")
    completes_files(each)
    parser.add_argument("--about", metavar="HAZARD", help="tell what a hazard is, by name or label, and nothing else")
    other = parser.add_argument("other", metavar="OTHER", nargs="?", help="a second model, to be compared with it")
    completes_files(other)
    parser.add_argument("--format", choices=get_args(Format), help="what MODEL is, where its name does not say it")
    parser.add_argument("--target", choices=get_args(Profile), help="report what this engine rejects, too")
    parser.add_argument(
        "--only", metavar="NODE", help="everything that is known of one node: its name, GRAPH/NAME or its result"
    )
    parser.add_argument("--silent", metavar="HAZARDS", default="", help="hazards that are not wanted: max-end,hz_s3")
    parser.add_argument("--any-dim", action="store_true", help="dims that are not known may be 2**31 or more")
    parser.add_argument("--fail-on", choices=FAIL_ON, default="error", help="exit with 1 from this severity on (error)")
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="print everything as JSON")
    forms.add_argument("--sarif", action="store_true", help="print the hazards as a SARIF 2.1.0 log")
    forms.add_argument("--svg", action="store_true", help="print the picture of one node")


def run(arguments: argparse.Namespace) -> int:
    """Print the report; return 1 for hazards. Raise ValueError, OSError or `ssop.SliceError` for what is no model."""
    if arguments.about is not None:
        print(_about(arguments.about))
        return 0
    found: list[Any] = []
    unreadable: list[ssop.SliceError] = []
    for model, other in _models(arguments):
        try:
            found.append(ssop.inspect(model, other, **_options(arguments)))
        except ImportError as error:
            raise ValueError(str(error)) from None
        except ssop.SliceError as error:
            if error.label != "im_c1":
                raise
            unreadable.append(error)
            continue
        if arguments.svg:
            print(found[-1].to_svg())
        elif not (arguments.json or arguments.sarif):
            _print(found[-1], first=len(found) == 1)
    if arguments.json or arguments.sarif:
        data = _sarif(found, unreadable) if arguments.sarif else _data(found, unreadable)
        json.dump(data if arguments.sarif or arguments.each else data[0], sys.stdout, indent=2)  # never whole in memory
        print()
    if unreadable:
        more = "" if len(unreadable) == 1 else f" (and {len(unreadable) - 1} other files cannot be read)"
        raise ValueError(f"{unreadable[0]}{more}")
    findings = [finding for each in found for finding in each.findings]
    return int(any(_counts(finding.severity, arguments.fail_on) for finding in findings))


def _data(found: list[Any], unreadable: list[ssop.SliceError]) -> list[Any]:
    from ssop._inspect.sarif import line_of

    failed = [{"path": error.value, "error": str(error), "line": line_of(error)} for error in unreadable]
    return [*(each.to_dict() for each in found), *({"ssop_inspect": 1, **each} for each in failed)]


def _sarif(found: list[Any], unreadable: list[ssop.SliceError]) -> Any:
    from ssop._inspect.sarif import sarif_of, with_unreadable

    log = found[0].to_sarif() if len(found) == 1 and not unreadable else sarif_of(found)
    return with_unreadable(log, unreadable)


def _print(found: Any, first: bool) -> None:
    if not first:
        print()
    if sys.stdout.isatty() and isinstance(found, ssop.inspect.Inspection) and len(found.nodes) != 1:
        from ssop._inspect.text import print_tables

        print_tables(found)
    else:
        print(printable_lines(str(found)))


def _models(arguments: argparse.Namespace) -> list[tuple[Any, Any]]:
    """Each model that is asked for, with the one that it is compared with."""
    nodes = arguments.node or []
    if [arguments.model is None, arguments.node is None, arguments.each is None].count(False) != 1 or len(nodes) > 2:
        raise ValueError("inspect needs a model, or --node with the text of a node, once or twice, or --each")
    if arguments.svg and (arguments.other is not None or len(nodes) == 2 or len(arguments.each or ()) > 1):
        raise ValueError("--svg is of one model")
    if arguments.each is not None:
        return [(Path(model), None) for model in arguments.each]
    if not nodes:  # a str of several lines would be a program
        return [(Path(arguments.model), None if arguments.other is None else Path(arguments.other))]
    from ssop._inspect.pasted import model_of_node  # loaded when needed: other commands do without it

    model, other = [*map(model_of_node, nodes), None][:2]
    return [(model, other)]


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    silent = tuple(name.strip() for name in arguments.silent.split(",") if name.strip())
    names = ("format", "target", "only", "any_dim")
    return {"silent": silent, **{name: getattr(arguments, name) for name in names}}


def _about(name: str) -> str:
    from ssop._inspect.stories import BY_LABEL, BY_NAME, about

    story = BY_NAME.get(name) or BY_LABEL.get(name)
    if story is None:
        raise ValueError(f"{name!r} is no hazard: {', '.join(BY_NAME)}")
    return about(story)


def _counts(severity: str, fail_on: str) -> bool:
    return FAIL_ON.index(severity) >= FAIL_ON.index(fail_on)
