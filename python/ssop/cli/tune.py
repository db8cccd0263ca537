"""`ssop tune`: measures the policies of the copy engine that cannot be known, and keeps what suits this machine."""

from __future__ import annotations

import argparse
import os
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ssop.cli.completion import completes_files
from ssop.cli.parse import bounded_integer
from ssop.cli.progress import Progress

if TYPE_CHECKING:
    from ssop.testing.bench.tuning import Tuning

EPILOG = """examples:
  ssop tune                       a minute; writes what suits this machine, for all later imports of ssop
  ssop tune --dry-run             only shows it
  SSOP_CPU=avx2 ssop tune         for other kernels than the best; each has an entry of its own in the file
  SSOP_TUNED_FILE= python ...     runs without the file

Run it while nothing else runs on the machine. `ssop.show_config()` prints the policies and where they come from.

exit code: 0, 2 for bad input, 130 after Ctrl-C (then nothing is written)"""


def register(subparsers: Any) -> None:
    """Add the parser of `tune`."""
    parser = subparsers.add_parser(
        "tune",
        help="measure which policies of the copy engine suit this machine",
        description="Measure the sizes by which the copy engine decides how a copy treats memory, and write those\n"
        "that are better than the built-in ones into a file that later imports read. No result depends on them.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    parser.add_argument("--rounds", metavar="N", default="7", help="rounds per copy, 1..1000 (default: 7)")
    parser.add_argument("--seed", metavar="N", default="0", help="of the order within the rounds (default: 0)")
    parser.add_argument("--dry-run", action="store_true", help="show what would be written, and write nothing")
    completes_files(
        parser.add_argument(
            "--file",
            metavar="FILE",
            help="where it is written (default: SSOP_TUNED_FILE, else ssop/tuned.json in the configuration folder)",
        )
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command; raise ValueError or OSError for input that cannot work."""
    import ssop
    from ssop import _policies
    from ssop.testing.bench import tuning

    named = sorted(name for name, value in os.environ.items() if value and name.startswith(_policies.PREFIX))
    if named:
        raise ValueError(f"policies are measured, so the environment must not set any: {', '.join(named)}")
    path = arguments.file if arguments.file is not None else _policies.tuned_file()
    if not path and not arguments.dry_run:
        raise ValueError(f"{_policies.FILE_VARIABLE} is empty: name a file by --file, or use --dry-run")
    rounds = bounded_integer("--rounds", arguments.rounds, 1, 1000)
    seed = bounded_integer("--seed", arguments.seed, 0, 10**9)
    if not arguments.dry_run:
        tuning.check(Path(path))  # a path that cannot be written is told now
    own = tuning.built_in()
    asked = tuning.questions(own["last_cache_bytes"], ssop.get_num_threads())
    with Progress("turns", tuning.turns(asked, rounds)) as progress:
        tuned = tuning.tune(asked, rounds, random.Random(seed), progress.show)
    better = tuned.gain.low > 1
    print(_text(tuned, own))
    if arguments.dry_run:
        return 0
    tuning.write(Path(path), tuned.record if better else {})
    print(f"written to {path}")
    return 0


def _text(tuned: Tuning, own: dict[str, int]) -> str:
    """Return a line for each question and each policy that changes."""
    lines = ["question                                   best gain (quartiles)"]
    for answer in tuned.answers:
        low, median, high = answer.gain
        verdict = "adopted" if answer.adopted else "as it is"
        lines.append(f"{answer.question.name:43}{median:.3f} ({low:.3f}..{high:.3f}) {verdict}")
    if not tuned.record:
        return "\n".join([*lines, "the built-in policies suit this machine"])
    low, median, high = tuned.gain
    lines += [f"{name:43}{own[name]} -> {value}" for name, value in tuned.record.items() if own[name] != value]
    verdict = "" if low > 1 else ", inside the noise: the built-in policies stay"
    lines.append(f"{'all together':43}{median:.3f} ({low:.3f}..{high:.3f}){verdict}")
    return "\n".join(lines)
