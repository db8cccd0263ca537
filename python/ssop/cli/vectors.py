"""`ssop vectors`: conformance vectors of every operation."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ssop.cli.completion import completes_files
from ssop.cli.progress import Progress

EPILOG = """examples:
  ssop vectors vectors          a file for each operation in the folder vectors

tests/vectors/README.md describes the format; examples/vectors has runners in Python and C."""


def register(subparsers: Any) -> None:
    """Add the parser of `vectors`."""
    parser = subparsers.add_parser(
        "vectors",
        help="write conformance vectors as lines of JSON",
        description="Write calls of every operation, with the results and errors of ssop.reference, as lines of JSON.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    completes_files(parser.add_argument("folder", metavar="FOLDER", help="a file for each operation is written there"))


def run(arguments: argparse.Namespace) -> int:
    """Run the command; raise OSError if the folder cannot be written."""
    from ssop.testing.vectors import write_vectors

    with Progress("operations") as progress:
        total = write_vectors(Path(arguments.folder), show=progress.show)
    print(f"{total} cases in {arguments.folder}")
    return 0
