"""`ssop difftest`: an implementation against a real engine, on random calls."""

# mypy: disable-error-code="import-not-found,unused-ignore"

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ssop._whole_files import check_folder
from ssop.cli import difftest_models
from ssop.cli.completion import completes_files
from ssop.cli.parse import bounded_integer
from ssop.cli.progress import Progress

EPILOG = """\
examples:
  ssop difftest --list                              which engines are installed, and what they can run
  ssop difftest --oracle tensorflow --cases 20000   ssop against TensorFlow
  ssop difftest --subject mine:my_slice             your Python function against NumPy
  ssop difftest --subject ./libmine.so:my_slice     your C function against NumPy
  ssop difftest --chain 2..4 --oracle jax-jit,tensorflow   programs of several operations against compilers
  ssop difftest --chain 2..4 --subject mine:run     your compiler or interpreter on such programs against ssop
  ssop difftest --laws all --oracle jax-jit         the laws of ssop.convert.laws as rewritings of random programs
  ssop difftest --subject mine:my_shape --what shape   your shape function against TensorFlow's rules

A Python subject has the parameters of ssop's operation: arrays and lists by position, then masks and options by name,
those alone that have not their default value. Save this as mine.py, and run the third example:

    def my_slice(x, begin, end, strides, begin_mask=0, end_mask=0):
        index = [slice(None if begin_mask >> i & 1 else b, None if end_mask >> i & 1 else e, s)
                 for i, (b, e, s) in enumerate(zip(begin, end, strides, strict=True))]
        return x[tuple(index)].copy()

    my_slice.supports = "ranks=1..4 dtypes=float32,int8 masks=begin,end negative-steps=yes"

What it supports may also have masks=none, of the masks begin, end, ellipsis, new and shrink, and options=none or names.
Calls are well-formed: vectors of one length, of integers of 64 bits. With malformed=yes in what it supports, a subject
is sent floats, larger integers and other forms of vectors, too. It rejects a call by raising ValueError, IndexError,
TypeError, OverflowError or NotImplementedError; --supports replaces what it declares itself. With --what shape, shape
inference is compared: a subject has the parameters of a function of ssop.shapes, and gets and returns lists of dims,
where None is an unknown dim, (1, 4) an interval, and None in place of the list an unknown rank. A C subject has the
signature in the header ssop/testing/subject.h, below the folder that `ssop difftest --include` prints; its report
says how to run a case in a debugger. In pytest, `ssop.testing.differential` makes a function a test. Subjects run in
a process of their own: a crash, a hang, a write outside the output, a changed input are findings like any other, and
the run goes on. The report has the smallest case of each kind, as a program that was run before it was printed.

With --chain, a subject is run(program, x0, x1, ..), which gives the result as an array. What --takes says, or its
attribute takes, is the program: stablehlo, a text, or onnx, the bytes of a model. With operations, it is a class or a
module that has functions like ssop.xla's (slice, dynamic_slice, pad, rev, transpose ..): those it has are called one
after the other. --supports says what it can take, as in "ranks=1..3 dtypes=int32 ops=pad,rev run-time=no interior=no
negative-padding=no negative-starts=no". The oracle is ssop, or a compiler that --oracle names.

"""
EXIT_CODES = "exit code: 0 no difference, 1 differences, 2 bad input, a missing engine or an error inside ssop\n"


def register(subparsers: Any) -> None:
    """Add the parser of `difftest`."""
    parser = subparsers.add_parser(
        "difftest",
        help="compare ssop, or your own implementation, with a real engine",
        description="Send random calls to an implementation and to an engine, and shrink the first difference.",
        epilog=EPILOG + difftest_models.EPILOG + EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    parser.add_argument("--oracle", metavar="NAME", help="the engine (default: numpy; of shapes: reference)")
    parser.add_argument("--op", metavar="NAME", default="strided_slice", help="or 'all' (default: strided_slice)")
    parser.add_argument("--subject", metavar="WHAT", help="module:function or ./lib.so:function (default: ssop itself)")
    parser.add_argument("--supports", metavar="TEXT", help="what the subject can do: ranks=1..4 dtypes=.. masks=..")
    parser.add_argument("--cases", metavar="N", help="calls to compare (default: 1000), or models (200)")
    parser.add_argument("--seed", metavar="N", default="0", help="of the calls (default: 0)")
    parser.add_argument("--what", choices=("values", "shape"), default="values", help="results, or inferred shapes")
    parser.add_argument(
        "--chain", metavar="2..4", help="programs of so many operations, compiled as one by each --oracle A,B,.."
    )
    parser.add_argument("--seconds", metavar="N", help="time limit of one call (default: 10) or model (60)")
    parser.add_argument("--no-shrink", action="store_true", help="show the first difference as it was found")
    completes_files(parser.add_argument("--json", metavar="FILE", help="write the report as JSON"))
    completes_files(parser.add_argument("--junit", metavar="FILE", help="write the report as JUnit XML"))
    difftest_models.add_options(parser)
    parser.add_argument("--list", action="store_true", help="list the engines, and end")
    parser.add_argument("--include", action="store_true", help="print the folder of subject.h, and end")


def run(arguments: argparse.Namespace) -> int:
    """Run the command; raise ValueError or OSError for input that cannot work."""
    if arguments.include:
        import ssop

        print(Path(ssop.__file__).parents[1])
        return 0
    if arguments.list:
        print(engines())
        return 0
    for path in (arguments.json, arguments.junit):
        if path is not None:
            check_folder(path)  # a path that cannot be written is told now
    difftest_models.check_corpus(arguments.corpus)
    if arguments.laws:
        return difftest_models.run_laws(arguments)
    if difftest_models.is_other(arguments):
        return difftest_models.run(arguments)
    if arguments.chain is None:
        return _one(arguments, arguments.oracle or ("reference" if arguments.what == "shape" else "numpy"), None)
    chain = _lengths(arguments.chain)
    names = (arguments.oracle or ("jax-jit" if arguments.subject is None else "ssop")).split(",")
    if arguments.op != "strided_slice":
        raise ValueError("--chain has operations of its own: leave out --op")
    if len(names) > 1 and (arguments.json or arguments.junit):
        raise ValueError("--json and --junit are written for one --oracle")
    codes = []
    for number, name in enumerate(names):
        print("\n" * bool(number), end="")
        codes.append(_one(arguments, name, chain))
    return max(codes)


def _lengths(text: str) -> tuple[int, int]:
    """`2..4`, or one number."""
    low, _, high = text.partition("..")
    return bounded_integer("--chain", low, 1, 8), bounded_integer("--chain", high or low, 1, 8)


def _one(arguments: argparse.Namespace, oracle: str, chain: tuple[int, int] | None) -> int:
    """Compare with one engine, print the report; the exit code."""
    from ssop.testing._differential import report as reports
    from ssop.testing._differential.programs import verified
    from ssop.testing._differential.run import difftest

    cases, seed, seconds = (_number(arguments, name) for name in ("cases", "seed", "seconds"))
    with Progress("chains" if chain else "calls", cases) as progress:
        report = difftest(
            arguments.subject,
            oracle=oracle,
            op=None if arguments.op == "all" else arguments.op,
            chain=chain,
            takes=arguments.takes,
            cases=cases,
            seed=seed,
            what=arguments.what,
            supports=arguments.supports,
            seconds=seconds,
            shrink=not arguments.no_shrink,
            progress=lambda done, report: progress.show(done),
        )
    report = verified(report)
    difftest_models.tell(arguments, reports, report)
    if not report.complete and not report.differences:
        return 130
    return 0 if report.passed else 1


def _number(arguments: argparse.Namespace, name: str) -> int:
    given = getattr(arguments, name) or {"cases": "1000", "seconds": "10"}[name]
    return bounded_integer(f"--{name}", given, 0 if name == "seed" else 1, 10**9)


def engines() -> str:
    """A paragraph for each engine."""
    from ssop.testing.chains.engines import CHAIN_ORACLES
    from ssop.testing.oracles import ORACLES, SHAPE_ORACLES

    lines = []
    for name, kind in ORACLES.items():
        packages = " ".join(kind.distributions[:1])
        state = kind.version() or "part of ssop" if kind.installed() else f"not installed: pip install {packages}"
        ops = list(kind.ops)
        more = f" and {len(ops) - 6} more" if len(ops) > 6 else ""
        lines += [f"{name:<17} {state}", f"{'':<17} runs {', '.join(ops[:6])}{more}"]
        if name in SHAPE_ORACLES:
            lines.append(f"{'':<17} infers shapes of {', '.join(list(SHAPE_ORACLES[name].ops)[:6])}")
        lines.append(f"{'':<17} limits: {kind.limits}")
    lines.append(f"{'--chain':<17} programs of several operations: {', '.join(CHAIN_ORACLES)}")
    return "\n".join([*lines, *converters()])


def converters() -> list[str]:
    """The subjects that are ready, with what they take, and what is missing for them."""
    from importlib.util import find_spec

    from ssop.testing.converters import CONVERTERS

    lines = ["", "Converters, for --subject ssop.testing.converters:NAME:"]
    for one in CONVERTERS:
        function: Any = one
        missing = [name for name in function.needs if find_spec(name) is None]
        state = f"; not installed: {', '.join(missing)}" if missing else ""
        lines.append(f"{function.__name__:<22} takes {function.takes}: {(function.__doc__ or '').rstrip('.')}{state}")
    return lines
