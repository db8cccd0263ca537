"""`ssop convert`: a slice of one framework as calls of another that are equal on every shape, or where they differ."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any, get_args

import ssop
from ssop._convert import Target
from ssop._files import read_text
from ssop._masks import MASK_NAMES
from ssop._text import printable
from ssop.cli.completion import completes_files
from ssop.cli.laws import show_laws
from ssop.cli.parse import parse_dims, parse_index, parse_integer, parse_number
from ssop.cli.spec_options import add_list_options, add_spec_options, read_call, read_lists

EPILOG = """examples:
  ssop convert --index "[-3::-1, 2]" --to onnx
  ssop convert --begin 2,0 --end 0,0 --begin-mask 1 --end-mask 3 --to torch --shape "8,?"
  ssop convert --from tflite --begin=-9 --end 0 --shrink-axis-mask 1 --to tf --shape "batch"
  ssop convert --from tflite --begin=-4 --end 3 --offset --to torch               its attribute: ends from begins
  ssop convert --from onnx --starts 1 --ends 4 --axes 1 --to xla --shape "?,4.."      dim 1 is at least 4
  ssop convert --index "[-3:]" --to xla --assume 0:3..                                if dim 0 is at least 3
  ssop convert --index "[i:i+4]" --to onnx --assume i:0..dim-4                        i is known at run time only
  ssop convert --index "[1:]" --to onnx --json > certificate.json
  ssop convert --check certificate.json
  ssop convert --laws
  ssop convert --law dynamic-slice-merge-late-clamp

SHAPE has an integer, ? (any), a name (any), or an interval such as 4.. or 2..9 for each dim. A begin or an end may be a
name such as i, or i+4, of a number that is known at run time only. Exit code 1: no calls are equal on every shape. Dims
that are not known need islpy: python -m pip install islpy."""

SOURCES = ("numpy", "tf", "tflite", "openvino", "onnx", "torch")


def register(subparsers: Any) -> None:
    """Add the parser of `convert`."""
    parser = subparsers.add_parser(
        "convert",
        help="write a slice in another framework",
        description="Write a slice as calls of another framework that are equal on every shape.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    parser.add_argument("--from", dest="source", choices=SOURCES, default="tf", help="whose slice it is (tf)")
    parser.add_argument("--to", choices=get_args(Target), help="whose calls are wanted")
    parser.add_argument("--shape", metavar="SHAPE", help='the dims of the input, like "8,?,H,4.."; without it, any')
    parser.add_argument(
        "--assume",
        metavar="AXIS:DIM",
        action="append",
        default=[],
        help="what else is known of a dim, like 0:3.., or of a run-time value, like i:0..dim-4",
    )
    parser.add_argument(
        "--check-runtime",
        action="store_true",
        help='clamp starts at run time where the target does not: check="runtime"',
    )
    parser.add_argument("--dtype", metavar="DTYPE", help="that of the input, which the calls must take")
    add_spec_options(parser)
    add_list_options(parser)
    parser.add_argument("--offset", action="store_true", help="--end counts from --begin: an attribute of TFLite's op")
    parser.add_argument("--json", action="store_true", help="print the certificate")
    check = parser.add_argument("--check", metavar="FILE", help="check a certificate, and do nothing else")
    completes_files(check)
    parser.add_argument("--laws", action="store_true", help="list the laws of operations that move data")
    parser.add_argument("--law", metavar="NAME", help="show a law, an example, and its proof, which needs islpy")


def run(arguments: argparse.Namespace) -> int:
    """Print the calls; return 1 if none are equal. Raise ValueError or `ssop.SliceError` for what is no call."""
    if arguments.check is not None:
        ssop.convert.verify(_certificate(arguments.check))
        print(f"{printable(arguments.check)}: every claim holds")
        return 0
    if arguments.laws or arguments.law is not None:
        return show_laws(arguments.law)
    if arguments.to is None:
        raise ValueError("--to is missing: the framework whose calls are wanted")
    shape = None if arguments.shape is None else _shape(arguments.shape)
    assume = dict(map(_assumed, arguments.assume)) or None
    try:
        conversion = ssop.convert(
            _call(arguments),
            arguments.to,
            shape,
            assume=assume,
            dtype=arguments.dtype,
            check="runtime" if arguments.check_runtime else None,
        )
    except ssop.ConversionError as error:
        reason = error.reason.replace('check="runtime"', "--check-runtime")
        print(f"ssop: {reason} [{error.label}]", file=sys.stderr)
        return 1
    except ImportError as error:
        raise ValueError(str(error)) from None
    print(json.dumps(conversion.certificate, indent=2) if arguments.json else conversion)
    return 0


def _certificate(path: str) -> Any:
    try:
        return json.loads(read_text(path))
    except (ValueError, RecursionError):  # of bytes that are no text, too
        raise ValueError(f"--check: {path} has no certificate, which --json prints") from None


def _shape(text: str) -> list[Any]:
    try:
        return parse_dims(text)
    except ValueError as error:
        raise ValueError(f"--shape: {error}") from None


def _assumed(text: str) -> tuple[int | str, Any]:
    """The axis and its dims, or the name of a run-time value and its bounds."""
    which, colon, known = text.partition(":")
    if not colon:
        raise ValueError(f"--assume: {text!r} is not like 0:3.. or i:0..dim-4")
    try:
        if not which.strip().isidentifier():
            (found,) = parse_dims(known)
            return parse_integer(which), found
        least, dots, most = known.partition("..")
        bounds = [parse_number(bound) if bound.strip() else None for bound in (least, most if dots else least)]
    except ValueError as error:
        raise ValueError(f"--assume: {error}") from None
    return which.strip(), tuple(bounds)


def _call(arguments: argparse.Namespace) -> Any:
    """The call that the options give."""
    if arguments.offset and (arguments.source != "tflite" or arguments.index is not None):
        raise ValueError("--offset is of --from tflite, with --begin and --end")
    lists = read_lists(arguments, "--from", onnx=arguments.source == "onnx", names=True)
    if lists:
        return ssop.convert.Call("onnx.slice", **lists)
    begin, end, strides, *masks = read_call(arguments, mask_vectors=arguments.source == "openvino", names=True)
    if arguments.source in ("numpy", "torch"):
        if arguments.index is None:
            raise ValueError(f"--from {arguments.source} needs --index")
        return ssop.convert.Call(f"{arguments.source}.index", index=parse_index(arguments.index, names=True))
    named = dict(zip(MASK_NAMES, masks, strict=True))
    if arguments.source == "openvino":
        named = {name: _vector(mask, len(begin)) for name, mask in named.items()}
    vectors = {"begin": begin, "end": end, "strides": strides} | ({"offset": True} if arguments.offset else {})
    return ssop.convert.Call(f"{arguments.source}.strided_slice", **vectors, **named)


def _vector(mask: Any, count: int) -> list[int]:
    """Bits as a vector, as OpenVINO has it."""
    return [mask >> entry & 1 for entry in range(count)] if isinstance(mask, int) else list(mask)
