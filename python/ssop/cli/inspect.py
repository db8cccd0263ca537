"""`ssop inspect`: the slices of a model file, what engines make of them, and what is known to go wrong."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any, get_args

import ssop
from ssop._inspect import Format, Profile
from ssop.cli.completion import completes_files
from ssop.cli.parse import printable

EPILOG = """examples:
  ssop inspect model.onnx
  ssop inspect model.tflite --only StridedSlice_3        everything that is known of one node
  ssop inspect model.onnx --target tensorrt              what an engine rejects
  ssop inspect saved_model/ converted.onnx               every slice proved equal, or where it differs
  ssop inspect crop_224.onnx crop_320.onnx               two exports: which bounds are frozen
  ssop inspect model.onnx --silent negative-step --fail-on warning
  ssop inspect model.onnx --sarif > slices.sarif         for code hosts
  ssop inspect --node 'Slice(starts=[0], ends=[-1])'     one node, as it stands in a thread

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
    parser.add_argument("--node", metavar="TEXT", help="a node as text instead: a call, StableHLO, or a NodeDef")
    other = parser.add_argument("other", metavar="OTHER", nargs="?", help="a second model, to be compared with it")
    completes_files(other)
    parser.add_argument("--format", choices=get_args(Format), help="what MODEL is, where its name does not say it")
    parser.add_argument("--target", choices=get_args(Profile), help="report what this engine rejects, too")
    parser.add_argument("--only", metavar="NODE", help="everything that is known of one node")
    parser.add_argument("--silent", metavar="HAZARDS", default="", help="hazards that are not wanted: max-end,hz_s3")
    parser.add_argument("--any-dim", action="store_true", help="dims that are not known may be 2**31 or more")
    parser.add_argument("--fail-on", choices=FAIL_ON, default="error", help="exit with 1 from this severity on (error)")
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="print everything as JSON")
    forms.add_argument("--sarif", action="store_true", help="print the hazards as a SARIF 2.1.0 log")


def run(arguments: argparse.Namespace) -> int:
    """Print the report; return 1 for hazards. Raise ValueError, OSError or `ssop.SliceError` for what is no model."""
    try:
        found = _found(arguments)
    except ImportError as error:
        raise ValueError(str(error)) from None
    if arguments.json or arguments.sarif:
        print(json.dumps(found.to_sarif() if arguments.sarif else found.to_dict(), indent=2))
    elif sys.stdout.isatty() and arguments.other is None and len(found.nodes) != 1:
        from ssop._inspect.text import print_tables

        print_tables(found)
    else:
        print("\n".join(printable(line) for line in str(found).splitlines()))
    return int(any(_counts(finding.severity, arguments.fail_on) for finding in found.findings))


def _found(arguments: argparse.Namespace) -> Any:
    if (arguments.model is None) == (arguments.node is None):
        raise ValueError("inspect needs a model, or --node with the text of a node")
    model = arguments.model
    if arguments.node is not None:
        from ssop._inspect.pasted import model_of_node  # loaded when needed: other commands do without it

        model = model_of_node(arguments.node)
    silent = tuple(name.strip() for name in arguments.silent.split(",") if name.strip())
    options = {"format": arguments.format, "target": arguments.target, "only": arguments.only}
    return ssop.inspect(model, arguments.other, silent=silent, any_dim=arguments.any_dim, **options)


def _counts(severity: str, fail_on: str) -> bool:
    return FAIL_ON.index(severity) >= FAIL_ON.index(fail_on)
