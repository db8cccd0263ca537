"""`ssop bench`: how fast ssop is beside NumPy, memcpy and the installed frameworks on the same work."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ssop._whole_files import check_folder
from ssop.cli.completion import completes_files
from ssop.cli.parse import bounded_integer
from ssop.cli.progress import Progress

QUICK_SIZES = ("tiny", "L1", "L2", "L3")


EPILOG = """examples:
  ssop bench --quick                                                  seconds, against NumPy and memcpy
  ssop bench --quick --classes stride-1B,reverse --threads 1
  ssop bench --threads 1 --json times.json --plot times.svg           minutes, against all that is installed
  ssop bench --computing --classes sort,conv                          XLA's operations beside jax's, on one thread
  ssop bench --render times.json --markdown                           a table of what was measured
  ssop bench --render mine.json yours.json                            two processors side by side

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
    completes_files(
        parser.add_argument("--hptt", metavar="PATH", help="also measure HPTT: its shared library, or a built checkout")
    )
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
    parser.add_argument(
        "--computing",
        action="store_true",
        help="instead, measure XLA's operations that compute beside jax and StableHLO's interpreter, on one thread; "
        "--classes: of element-wise,convert,reduce,window,sort,dot,conv,batch-norm,rng,gather,control",
    )
    completes_files(
        parser.add_argument(
            "--render",
            metavar="FILE",
            nargs="+",
            help="print what --json wrote, and measure nothing: pieces of one run are merged, those of different "
            "processors stand side by side",
        )
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command; raise ValueError or OSError for input that cannot work.

    Exit code 130 after Ctrl-C, with what there is, 1 if ssop's own bytes were wrong in some case.
    """
    if arguments.computing and arguments.render is None:
        return _computing(arguments)
    from ssop.testing.bench import report  # loaded when needed: it is large

    plot = _plot_path(arguments.plot)
    if arguments.render is not None:
        try:
            return _render(arguments, plot)
        except report.MISFITS as error:
            what = f"{type(error).__name__}: {error}"
            raise ValueError(f"{', '.join(arguments.render)}: no results of ssop bench: {what}") from None
    results = _measured(arguments)
    _tell([results], arguments, plot)
    return 1 if results["wrong"] else 0 if results["complete"] else 130


def _computing(arguments: argparse.Namespace) -> int:
    from importlib.util import find_spec

    _alone(arguments, "--computing", "json", "plot", "targets")
    rounds = _positive("--rounds", arguments.rounds, 5)
    if find_spec("jax") is None:
        raise ValueError("--computing needs jax: pip install jax")
    from ssop.testing.bench import computing, computing_cases

    classes = _chosen("--classes", arguments.classes, computing_cases.CLASSES, "class")
    return computing.run(rounds, classes or list(computing_cases.CLASSES))


def _render(arguments: argparse.Namespace, plot: Path | None) -> int:
    """Tell what files have; several are merged, and judged anew.

    There is one result per processor, CPU target and number of threads.
    """
    from ssop.testing.bench import merging, report

    _alone(arguments, "--render", "classes", "rounds", "computing")
    runs = [report.read_results(Path(name)) for name in arguments.render]
    groups = runs if len(runs) == 1 and arguments.targets is None else merging.merged(runs, _floors(arguments))
    if len(groups) > 1 and (plot or arguments.json):
        raise ValueError(f"--{'plot' if plot else 'json'}: the files of --render are of {len(groups)} different runs")
    _tell(groups, arguments, plot)
    return 0


def _tell(groups: list[dict[str, Any]], arguments: argparse.Namespace, plot: Path | None) -> None:
    """Print results; write and draw those of the first group, if that is asked for."""
    from ssop.testing.bench import report

    _print(groups, arguments.markdown)
    if arguments.json is not None:
        report.write_results(groups[0], Path(arguments.json))
    if plot is not None and groups[0]["cells"]:
        report.plot(groups[0], plot)


def _floors(arguments: argparse.Namespace) -> Any:
    from ssop.testing.bench import targets

    path = Path(arguments.targets) if arguments.targets else targets.default_file()
    return targets.read_targets(path) if path else targets.NO_TARGETS


def _measured(arguments: argparse.Namespace) -> dict[str, Any]:
    from ssop.testing.bench import CLASSES, CONTENDERS, SIZES, Options, contenders, each_case, run, team

    quick = arguments.quick
    classes = _chosen("--classes", arguments.classes, CLASSES, "class") or list(CLASSES)
    sizes = _chosen("--sizes", arguments.sizes, SIZES, "size") or list(QUICK_SIZES if quick else SIZES)
    names = _chosen("--contenders", arguments.contenders, CONTENDERS, "contender")
    rounds = _positive("--rounds", arguments.rounds, 7 if quick else 15)
    threads = _positive("--threads", arguments.threads, contenders.usable_cpus())
    seed = _positive("--seed", arguments.seed, 0, least=0)
    floors = _floors(arguments)
    options = Options(classes, sizes, rounds, threads, seed, quick, _command(arguments, threads))
    if next(each_case(classes, sizes, quick), None) is None:
        raise ValueError("no case of these classes has these sizes")
    members = team(names, threads, quick, Path(arguments.hptt) if arguments.hptt is not None else None)
    if arguments.json is not None:
        check_folder(arguments.json)  # a path that cannot be written is told now
    with Progress("cases") as progress:
        return run(options, members, floors, progress.show)


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
    return default if text is None else bounded_integer(option, text, least, 10**6)


def _plot_path(text: str | None) -> Path | None:
    from ssop.testing.bench import report

    if text is None:
        return None
    path = Path(text)
    if path.suffix not in (".png", ".svg"):
        raise ValueError(f"--plot: {path.name} ends neither in .png nor in .svg")
    report.require_matplotlib()
    return path


def _alone(arguments: argparse.Namespace, option: str, *others: str) -> None:
    """Raise for options that have no meaning beside this one."""
    for name in ("sizes", "contenders", "hptt", "threads", "quick", *others):
        if getattr(arguments, name):
            raise ValueError(f"{option} and --{name} exclude each other")


def _command(arguments: argparse.Namespace, threads: int) -> str:
    """Return the command that repeats the run; files and defaults that hold anywhere are left out."""
    words = ["ssop", "bench"] + (["--quick"] if arguments.quick else [])
    for name in ("classes", "sizes", "contenders", "rounds"):
        if getattr(arguments, name) is not None:
            words += [f"--{name}", getattr(arguments, name)]
    if arguments.hptt is not None:
        words += ["--hptt", Path(arguments.hptt).name]
    return shlex.join([*words, "--threads", str(threads), "--seed", arguments.seed])


def _print(groups: list[dict[str, Any]], as_markdown: bool) -> None:
    from ssop.testing.bench import report

    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    texts = [report.markdown(one).rstrip() if as_markdown else report.text(one, colour=colour) for one in groups]
    if len(groups) > 1:
        texts.append(report.comparison(groups, as_markdown).rstrip())
    print("\n\n".join(texts))
    sys.stdout.flush()
