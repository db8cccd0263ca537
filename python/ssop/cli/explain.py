"""`ssop explain`: what a strided slice takes of an array of a shape, stage by stage, or why it is an error."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from typing import TYPE_CHECKING, Any

import ssop
from ssop._text import parse_dtype
from ssop.cli.parse import parse_dims, parse_integers
from ssop.cli.spec_options import add_list_options, add_spec_options, read_call, read_lists

if TYPE_CHECKING:
    from ssop._explain.explanation import Explanation

EPILOG = """examples:
  ssop explain 6,3,4 --index "[1, ..., ::-2]"
  ssop explain 6,3 --begin -9,1 --end -1,0 --strides 2,1 --begin-mask 2 --shrink-axis-mask 2
  ssop explain 5 --begin 3 --end 0 --short                             the answer alone, in one line
  ssop explain 5 --begin 7 --end 0 --shrink-axis-mask 1                an error: the nearest call that works
  ssop explain 5 --begin 3 --end 4 --begin-mask 1 --shrink-axis-mask 1 --dialect tflite
  ssop explain 5,4 --begin 0,1 --end 5,0 --begin-mask 0,1 --end-mask 0,1 --dialect openvino     masks as vectors
  ssop explain 9,4 --dialect onnx --starts 4 --ends 9223372036854775807 --axes=-2 --steps=-1 --engine ort
  ssop explain "?,6,4" --index "[-3:2, 1]"                             dims that are not known
  ssop explain ... --index "[-3:2, ..., 1]"                            a rank that is not known
  ssop explain --copy 480,640,3 --dtype uint8 --strides 1,480,307200   how the bytes of such an array are copied
  ssop explain --copy 4096,4096 --index "[:, ::2]"                     how those of the slice are
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
    parser.add_argument(
        "shape", metavar="SHAPE", help="dims of the input: 6,3,4 or (?,4) or batch,2..9; ... for any rank"
    )
    add_spec_options(parser)
    parser.add_argument(
        "--dialect", choices=("tf", "tflite", "openvino", "onnx"), default="tf", help="whose rules (tf)"
    )
    parser.add_argument("--engine", choices=ENGINES, help="whose reading of ONNX's Slice (spec)")
    add_list_options(parser)
    parser.add_argument(
        "--copy",
        action="store_true",
        help="say how the bytes are copied into a new array; --strides are then those of the input, in bytes",
    )
    parser.add_argument("--dtype", help="with --copy: the dtype of the items (float32)")
    parser.add_argument("--short", action="store_true", help="the answer alone, in one line")
    parser.add_argument("--format", choices=FORMS, help="text, json, svg (a picture) or html (a page); else text")


def run(arguments: argparse.Namespace) -> int:
    """Print the explanation; raise ValueError or `ssop.SliceError` for input that is no call, or has no picture."""
    if arguments.short and (arguments.copy or arguments.format is not None):
        raise ValueError(f"--short and {'--copy' if arguments.copy else '--format'} exclude each other")
    if arguments.copy:
        return _run_copy(arguments)
    if arguments.dtype is not None:
        raise ValueError("--dtype is of --copy")
    explanation = _explanation(arguments)
    if arguments.short:
        print(explanation.answer)
    elif arguments.format in (None, "text"):
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


def _run_copy(arguments: argparse.Namespace) -> int:
    if arguments.format not in (None, "text", "json"):
        raise ValueError(f"--format {arguments.format} is not of --copy, which has text and json")
    explanation = ssop.explain.copy(*_copied(arguments))
    print(json.dumps(explanation.to_dict(), indent=2) if arguments.format == "json" else explanation)
    return 0


def _copied(arguments: argparse.Namespace) -> tuple[Any, Any]:
    """Return a new array and the array that is copied to it. Their memory is never touched."""
    import numpy as np

    shape = tuple(parse_dims(arguments.shape))
    if unknown := [dim for dim in shape if not isinstance(dim, int) or dim < 0]:
        raise ValueError(f"--copy needs dims that are known, not {unknown[0]}")
    try:
        dtype = parse_dtype(arguments.dtype or "float32")
    except ValueError as error:
        raise ValueError(f"--dtype {error}") from None
    if dtype.hasobject or dtype.itemsize == 0:
        raise ValueError(f"--dtype {dtype} has no bytes that the copy engine moves")
    index: Any = ...
    strides = None if arguments.strides is None else parse_integers(arguments.strides)
    if any(getattr(arguments, name) is not None for name in ("index", "begin", "end")):
        index, strides = ssop.StridedSliceSpec(*read_call(arguments)).to_index(shape), None
    if strides is not None and len(strides) != len(shape):
        raise ValueError(f"--strides has {len(strides)} numbers for {len(shape)} axes; each is in bytes")
    try:
        src = (np.empty(shape, dtype) if strides is None else _strided(shape, dtype, strides))[index]
        return np.empty(src.shape, dtype), src
    except (MemoryError, OverflowError, ValueError) as error:
        raise ValueError(f"no array has such a shape and strides: {error}") from None


def _strided(shape: tuple[int, ...], dtype: Any, strides: list[int]) -> Any:
    import numpy as np

    reach = [stride * (max(dim, 1) - 1) for stride, dim in zip(strides, shape, strict=True)]
    first = -sum(min(0, part) for part in reach)
    memory = np.empty(first + sum(max(0, part) for part in reach) + dtype.itemsize, np.uint8)
    return np.ndarray(shape, dtype, memory.data, first, strides)


def _explanation(arguments: argparse.Namespace) -> Explanation:
    shape: Any = None if arguments.shape.strip() == "..." else parse_dims(arguments.shape)
    onnx = arguments.dialect == "onnx"
    lists = read_lists(arguments, "--dialect", onnx=onnx)
    if onnx:
        return ssop.explain.onnx_slice(shape, **lists, engine=arguments.engine or "spec")
    if arguments.engine is not None:
        raise ValueError("--engine is of --dialect onnx")
    call = read_call(arguments, mask_vectors=arguments.dialect == "openvino")
    return ssop.explain(shape, *call, dialect=arguments.dialect)
