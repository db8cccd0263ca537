"""`ssop explain`: what a strided slice takes of an array of a shape, stage by stage, or why it is an error."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from typing import TYPE_CHECKING, Any

import ssop
from ssop.cli.parse import parse_dims
from ssop.cli.spec_options import add_list_options, add_spec_options, read_call, read_lists

if TYPE_CHECKING:
    from ssop._explain.explanation import Explanation

EPILOG = """examples:
  ssop explain 6,3,4 --index "[1, ..., ::-2]"
  ssop explain 6,3 --begin -9,1 --end -1,0 --strides 2,1 --begin-mask 2 --shrink-axis-mask 2
  ssop explain 5 --begin 7 --end 0 --shrink-axis-mask 1                an error: the nearest call that works
  ssop explain 5 --begin 3 --end 4 --begin-mask 1 --shrink-axis-mask 1 --dialect tflite
  ssop explain 5,4 --begin 0,1 --end 5,0 --begin-mask 0,1 --end-mask 0,1 --dialect openvino     masks as vectors
  ssop explain 9,4 --dialect onnx --starts 4 --ends 9223372036854775807 --axes=-2 --steps=-1 --engine ort
  ssop explain "?,6,4" --index "[-3:2, 1]"                             dims that are not known
  ssop explain 6,3 --index "[::-2, 1]" --format svg > slice.svg
  ssop explain 6,3 --index "[::-2, 1]" --format html > slice.html      a page with the picture and all tables"""

ENGINES = ("spec", "reference", "ort")
FORMS = ("text", "json", "svg", "html")


def register(subparsers: Any) -> None:
    """Add the parser of `explain`."""
    parser = subparsers.add_parser(
        "explain",
        help="say what a slice takes, and why",
        description="Say what a strided slice takes of an array of SHAPE, stage by stage, or why it is an error.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    parser.add_argument("shape", metavar="SHAPE", help="the dims of the input, like 6,3,4 or (?,4) or batch,2..9")
    add_spec_options(parser)
    parser.add_argument(
        "--dialect", choices=("tf", "tflite", "openvino", "onnx"), default="tf", help="whose rules (tf)"
    )
    parser.add_argument("--engine", choices=ENGINES, help="whose reading of ONNX's Slice (spec)")
    add_list_options(parser)
    parser.add_argument("--format", choices=FORMS, default="text", help="text, json, svg (a picture) or html (a page)")


def run(arguments: argparse.Namespace) -> int:
    """Print the explanation; raise ValueError or `ssop.SliceError` for input that is no call, or has no picture."""
    explanation = _explanation(arguments)
    if arguments.format == "text":
        from ssop._explain.text import WIDTH, as_text

        terminal = sys.stdout.isatty()
        colour = terminal and not os.environ.get("NO_COLOR")
        width = shutil.get_terminal_size((WIDTH, 0)).columns if terminal else WIDTH
        print(as_text(explanation, colour=colour, width=width))
    elif arguments.format == "json":
        print(json.dumps(explanation.to_dict(), indent=2))
    elif arguments.format == "svg":
        print(explanation.to_svg())
    else:
        from ssop._explain.rendering import render_page

        print(render_page(explanation))
    return 0


def _explanation(arguments: argparse.Namespace) -> Explanation:
    shape, onnx = parse_dims(arguments.shape), arguments.dialect == "onnx"
    lists = read_lists(arguments, "--dialect", onnx=onnx)
    if onnx:
        return ssop.explain.onnx_slice(shape, **lists, engine=arguments.engine or "spec")
    if arguments.engine is not None:
        raise ValueError("--engine is of --dialect onnx")
    call = read_call(arguments, mask_vectors=arguments.dialect == "openvino")
    return ssop.explain(shape, *call, dialect=arguments.dialect)
