"""The command line: `ssop COMMAND ...` or `python -m ssop COMMAND ...`.

One file per subcommand; each has `register(subparsers)`, which adds its parser and sets `run`, a function from the
parsed arguments to the exit code. A command reports bad input by raising ValueError, OSError or `ssop.SliceError`.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NoReturn

import ssop
from ssop._text import printable
from ssop.cli import bench, completion, convert, difftest, explain, explore, inspect, run, stablehlo, tune, vectors

DESCRIPTION = "Strided slices of arrays with the semantics of TensorFlow and XLA."
EXAMPLES = """examples:
  ssop explain 6,3,4 --index "[1, ..., ::-2]"
  ssop convert --index "[-3::-1]" --to onnx
  ssop run in.npy --index "[::-1, 2:9:3]" -o out.npy
  ssop inspect model.onnx
  ssop difftest --subject mine:my_slice
  ssop explore
  ssop completion bash

`ssop COMMAND --help` lists the options of a command, with examples."""

COMMANDS = [run, explain, explore, convert, inspect, difftest, vectors, stablehlo, bench, tune, completion]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command (by default `sys.argv[1:]`) and return its exit code.

    - 0: it worked
    - 1: nobody reads stdout any more
    - 2: bad input, with one line on stderr, or an error inside ssop, with a traceback
    - 130: Ctrl-C
    - 143: SIGTERM; 129: SIGHUP

    >>> main(["run", "no such file", "--index", "0"])
    2
    """
    code = _code(argv)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:  # else Python would try again in its end, and change the exit code
            with suppress(OSError):  # of a stream that is no file
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return code


def _code(argv: Sequence[str] | None) -> int:
    """Run one command and return its exit code; stdout may have what cannot be written."""
    try:
        _open_closed_streams()
        with _ending_at_signals():
            arguments = make_parser().parse_args(_joined(sys.argv[1:] if argv is None else argv))
            code: int = arguments.run(arguments)
            sys.stdout.flush()  # so that a full disk or a closed pipe is met here and not after the end
            return code
    except SystemExit as done:  # argparse, after --help and --version
        return int(done.code or 0)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader, say `head`, has seen enough; nothing more can be said to it
        return 1
    except MemoryError:
        return _reject("not enough memory for the result; write it to a file with -o")
    except OSError as error:
        return _reject(f"{error.filename}: {error.strerror}" if error.filename else error.strerror or error)
    except (ValueError, ssop.SliceError) as error:
        return _reject(error)
    except Exception as error:  # a mistake in ssop: 1 would say that an implementation differs
        traceback.print_exc()
        return _reject(f"an error inside ssop, please report it: {type(error).__name__}: {error}")


def _open_closed_streams() -> None:
    """Give commands that were started without standard streams, as by `>&-`, empty ones."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w"))


@contextmanager
def _ending_at_signals() -> Iterator[None]:
    """Let SIGTERM, and SIGHUP of a terminal that is closed, end the block as Ctrl-C does: outputs are removed."""
    names = ("SIGTERM", "SIGHUP") if threading.current_thread() is threading.main_thread() else ()
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]  # Windows has one of them
    ending = [number for number in numbers if signal.getsignal(number) == signal.SIG_DFL]
    for number in ending:
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    try:
        yield
    finally:
        for number in ending:
            signal.signal(number, signal.SIG_DFL)


class _Parser(argparse.ArgumentParser):
    """Raises its errors, so that they leave by the same door as all others."""

    def error(self, message: str) -> NoReturn:
        raise ValueError(message)

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        sys.stdout.flush()
        super().exit(status, message)


def make_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = _Parser(
        prog="ssop", description=DESCRIPTION, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=f"ssop {ssop.__version__}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.register(subparsers)
    parser.set_defaults(parser=parser)  # for `completion`
    return parser


def _joined(argv: Sequence[str]) -> list[str]:
    """Join `--begin -1,0` to `--begin=-1,0`, since argparse takes a word like -1,0 for an option."""
    words: list[str] = []
    for word in argv:
        if re.match(r"-\d", word) and words and re.fullmatch("--[a-z-]+", words[-1]):
            words[-1] += f"={word}"
        else:
            words.append(word)
    return words


def _reject(reason: object) -> int:
    with suppress(OSError):  # of a stderr that is full or closed
        print("ssop: error:", printable(" ".join(str(reason).split())), file=sys.stderr)
    return 2
