"""`ssop bench`: how fast ssop is beside NumPy, memcpy and the installed frameworks on the same work."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ssop.cli.completion import completes_files
from ssop.cli.parse import parse_integer
from ssop.cli.progress import Progress

QUICK_SIZES = ("tiny", "L1", "L2", "L3")


EPILOG = """examples:
  ssop bench --quick                                                  seconds, against NumPy and memcpy
  ssop bench --quick --classes stride-1B,reverse --threads 1
  ssop bench --threads 1 --json times.json --plot times.svg           minutes, against all that is installed
  ssop bench --render times.json --markdown                           a table of what was measured

exit code: 0, 1 if a result was wrong, 2 for bad input, 130 after Ctrl-C (with what there is)"""


def register(subparsers: Any) -> None:
    """Add the parser of `bench`."""
    parser = subparsers.add_parser(
        "bench",
        help="measure ssop beside NumPy, memcpy and the installed frameworks",
        description="Measure every class of work in interleaved rounds after comparing all results byte for byte.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    parser.add_argument("--classes", metavar="LIST", help="classes of work, separated by commas (default: all)")
    parser.add_argument("--sizes", metavar="LIST", help="of tiny,L1,L2,L3,DRAM (default: all)")
    parser.add_argument("--contenders", metavar="LIST", help="besides ssop (default: all that are installed)")
    parser.add_argument("--rounds", metavar="N", help="rounds per case (default: 15, with --quick 7)")
    parser.add_argument("--threads", metavar="N", help="threads for everybody (default: all usable CPUs)")
    parser.add_argument("--seed", metavar="N", default="0", help="of the order within the rounds (default: 0)")
    parser.add_argument(
        "--quick", action="store_true", help="few cases, short batches, no DRAM, only NumPy and memcpy unless named"
    )
    completes_files(
        parser.add_argument(
            "--targets", metavar="FILE", help="floors (default: benchmarks/targets.json of the checkout)"
        )
    )
    completes_files(parser.add_argument("--json", metavar="FILE", help="write all times, ratios and verdicts"))
    completes_files(parser.add_argument("--plot", metavar="FILE", help="draw the cells into a .png or .svg file"))
    parser.add_argument("--markdown", action="store_true", help="print Markdown")
    completes_files(
        parser.add_argument("--render", metavar="FILE", help="print what --json wrote, and measure nothing")
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command; raise ValueError or OSError for input that cannot work.

    Exit code 130 after Ctrl-C, with what there is, 1 if ssop's own bytes were wrong in some case.
    """
    from ssop.testing.bench import report  # loaded when needed: it is large

    plot = _plot_path(arguments.plot)
    if arguments.render is not None:
        _alone(arguments)
        results = report.read_results(Path(arguments.render))
    else:
        results = _measured(arguments)
    _print(results, arguments.markdown)
    if arguments.json is not None:
        report.write_results(results, Path(arguments.json))
    if plot is not None and results["cells"]:
        report.plot(results, plot)
    if arguments.render is not None:
        return 0
    return 1 if results["wrong"] else 0 if results["complete"] else 130


def _measured(arguments: argparse.Namespace) -> dict[str, Any]:
    from ssop.testing.bench import CLASSES, CONTENDERS, SIZES, Options, contenders, each_case, run, targets, team

    quick = arguments.quick
    classes = _chosen("--classes", arguments.classes, CLASSES, "class") or list(CLASSES)
    sizes = _chosen("--sizes", arguments.sizes, SIZES, "size") or list(QUICK_SIZES if quick else SIZES)
    names = _chosen("--contenders", arguments.contenders, CONTENDERS, "contender")
    rounds = _positive("--rounds", arguments.rounds, 7 if quick else 15)
    threads = _positive("--threads", arguments.threads, contenders.usable_cpus())
    seed = _positive("--seed", arguments.seed, 0, least=0)
    path = Path(arguments.targets) if arguments.targets else targets.default_file()
    floors = targets.read_targets(path) if path else targets.NO_TARGETS
    options = Options(classes, sizes, rounds, threads, seed, quick, _command(arguments, threads))
    if next(each_case(classes, sizes, quick), None) is None:
        raise ValueError("no case of these classes has these sizes")
    if arguments.json is not None:
        open(arguments.json, "a", encoding="utf-8").close()  # a path that cannot be written is told now
    with Progress("cases") as progress:
        return run(options, team(names, threads, quick), floors, progress.show)


def _chosen(option: str, text: str | None, known: Iterable[str], noun: str) -> list[str] | None:
    """Return the words of a list; ValueError for one that is unknown."""
    if text is None:
        return None
    words = [word.strip() for word in text.split(",") if word.strip()]
    wrong = next((word for word in words if word not in known), None)
    if wrong is not None or not words:
        raise ValueError(f"{option}: no {noun} {wrong or ''!r}; there are {', '.join(known)}")
    return list(dict.fromkeys(words))


def _positive(option: str, text: str | None, default: int, least: int = 1) -> int:
    if text is None:
        return default
    try:
        value = parse_integer(text)
    except ValueError as error:
        raise ValueError(f"{option}: {error}") from None
    if not least <= value <= 10**6:
        raise ValueError(f"{option}: {value} is not in {least}..{10**6}")
    return value


def _plot_path(text: str | None) -> Path | None:
    from ssop.testing.bench import report

    if text is None:
        return None
    path = Path(text)
    if path.suffix not in (".png", ".svg"):
        raise ValueError(f"--plot: {path.name} ends neither in .png nor in .svg")
    report.require_matplotlib()
    return path


def _alone(arguments: argparse.Namespace) -> None:
    others = ("classes", "sizes", "contenders", "rounds", "threads", "targets", "json")
    given = next(
        (name for name in others if getattr(arguments, name) is not None), "quick" if arguments.quick else None
    )
    if given:
        raise ValueError(f"--render and --{given} exclude each other")


def _command(arguments: argparse.Namespace, threads: int) -> str:
    """Return the command that repeats the run; files and defaults that hold anywhere are left out."""
    words = ["ssop", "bench"] + (["--quick"] if arguments.quick else [])
    for name in ("classes", "sizes", "contenders", "rounds"):
        if getattr(arguments, name) is not None:
            words += [f"--{name}", getattr(arguments, name)]
    return shlex.join([*words, "--threads", str(threads), "--seed", arguments.seed])


def _print(results: dict[str, Any], as_markdown: bool) -> None:
    from ssop.testing.bench import report

    if as_markdown:
        print(report.markdown(results), end="")
    else:
        print(report.text(results, colour=sys.stdout.isatty() and not os.environ.get("NO_COLOR")))
    sys.stdout.flush()
