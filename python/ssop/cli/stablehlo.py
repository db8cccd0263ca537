"""`ssop stablehlo run`: evaluate a StableHLO program on arrays in files, and write or print its results."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from ssop._files import read_text
from ssop._text import printable
from ssop.cli import inputs, outputs, zarr_stores
from ssop.cli.completion import completes_files
from ssop.cli.progress import Progress

EPILOG = """examples:
  ssop stablehlo run model.mlir x.npy weights.npy                print the results
  ssop stablehlo run model.mlir x.npy -o y.npy                   write them; several: one -o for each
  ssop stablehlo run model.mlir many.npz:x many.npz:weights      arrays of an .npz file
  ssop stablehlo run model.mlir x.npy --trace                    print every intermediate value with its line
  ssop stablehlo run tests.mlir --function gather_test           a function other than main
  python dump.py | ssop stablehlo run - x.npy                    a program from a pipe

A program is the text of a StableHLO module, as jax.jit(f).lower(x).as_text() prints it. Needs jaxlib, whose parser
reads it: pip install 'jaxlib>=0.8'."""

MAX_PROGRAM = 1 << 30
"""The bytes of a program, which may have large constants."""


def register(subparsers: Any) -> None:
    """Add the parser of `stablehlo`, whose only command is `run`."""
    parser = subparsers.add_parser(
        "stablehlo",
        help="run a StableHLO program",
        description="Evaluate a StableHLO program on arrays in files.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    parser.add_argument("action", metavar="run", choices=("run",), help="the only action")
    program = parser.add_argument("program", metavar="FILE", help="the program's text; - is standard input")
    arrays = parser.add_argument(
        "arrays",
        metavar="ARRAY",
        nargs="*",
        help="for each parameter of the function an .npy file, a zarr array, or NPZ:NAME for an array of an .npz file",
    )
    target = parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        action="append",
        default=[],
        help="a file for a result, as .npy; in their order",
    )
    parser.add_argument("--function", metavar="NAME", help="the function to run (main, or the only public one)")
    parser.add_argument("--trace", action="store_true", help="print every intermediate value with its line")
    for argument in (program, arrays, target):
        completes_files(argument)


def run(arguments: argparse.Namespace) -> int:
    """Run the program; raise ValueError, OSError or `ssop.SliceError` for input that cannot work."""
    targets = [_target(path) for path in arguments.output]
    text, arrays = _text(arguments.program), [_array(path) for path in arguments.arrays]
    results = _evaluated(text, arrays, arguments.function, arguments.trace)
    if targets and len(targets) != len(results):
        raise ValueError(f"-o names {len(targets)} outputs, and the program has {len(results)} results")
    for number, result in enumerate(results):
        if targets:
            _write(targets[number], arguments.output[number], result)
        else:
            print(printable_value(f"result {number}", result))
    return 0


def _target(path: str) -> str:
    """The file behind the name of an output, which is written as .npy."""
    if path == inputs.STDIN or zarr_stores.is_url(path) or outputs.has_chunks(path):
        raise ValueError(f"-o {path}: results are written into .npy files")
    return outputs.writable(path)


def _text(path: str) -> str:
    if path != inputs.STDIN:
        return read_text(path, MAX_PROGRAM, errors="replace")
    text = sys.stdin.read(MAX_PROGRAM + 1)
    if len(text) > MAX_PROGRAM:
        raise ValueError(f"standard input has more than {MAX_PROGRAM} characters")
    return text


def _array(source: str) -> np.ndarray[Any, Any]:
    """The array of FILE, or of NPZ:NAME."""
    path, colon, member = source.rpartition(":")
    named = colon and path.endswith((".npz", ".zarr"))
    return np.asarray(inputs.open_input(path, member) if named else inputs.open_input(source))


def _evaluated(text: str, arrays: Sequence[Any], function: str | None, traced: bool) -> Sequence[Any]:
    """The results, with a bar of the operations that are done: how many there will be, loops alone know."""
    from ssop.stablehlo._program import Step
    from ssop.stablehlo._running import evaluate

    done = 0
    with Progress("operations") as progress:

        def observe(step: Step, results: Sequence[Any]) -> None:
            nonlocal done
            done += 1
            progress.show(done, name=f"{step.place}: {step.name}")
            for name, value in zip(step.names, results, strict=True) if traced else ():
                print(printable_value(f"{step.place}: {name} = {step.name}", value))

        return evaluate(text, arrays, function, observe)


def printable_value(name: str, value: Any) -> str:
    """A value under its name, as NumPy prints it.

    >>> print(printable_value("result 0", np.arange(3)))
    result 0: int64[3]
    [0 1 2]
    """
    if not isinstance(value, np.ndarray):
        return f"{printable(name)}: {value}"
    return f"{printable(name)}: {value.dtype}{list(value.shape)}\n{np.array2string(value, threshold=100)}"


def _write(target: str, name: str, result: Any) -> None:
    if not isinstance(result, np.ndarray):
        raise ValueError(f"{name}: the result is a tuple, which is no array")
    try:
        with outputs.replaced(target) as temporary, open(temporary, "wb") as file:
            np.save(file, result, allow_pickle=False)
    except OSError as error:  # names the output as the user does, not the temporary one
        raise OSError(error.errno, error.strerror or str(error), name) from None
