"""`ssop explore`: open the mask explorer in a browser, or write it to a file."""

from __future__ import annotations

import argparse
import tempfile
import webbrowser
from pathlib import Path
from typing import Any

import ssop
from ssop._whole_files import write_whole
from ssop.cli.completion import completes_files

EPILOG = """examples:
  ssop explore                         open it in a browser
  ssop explore -o explorer.html        write it, to keep or to send"""


def register(subparsers: Any) -> None:
    """Add the parser of `explore`."""
    parser = subparsers.add_parser(
        "explore",
        help="open the mask explorer",
        description="Open a page that shows what a strided slice takes while its arguments change. It needs no server.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    output = "write the page to a file, and open nothing"
    completes_files(parser.add_argument("-o", "--output", metavar="FILE.html", help=output))


def run(arguments: argparse.Namespace) -> int:
    """Write or open the page; raise OSError where that fails."""
    if arguments.output is not None:
        write_whole(arguments.output, ssop.explore().html.encode())
        return 0
    path = Path(tempfile.mkdtemp(prefix="ssop-"), "explorer.html")
    path.write_text(ssop.explore().html, encoding="utf-8")
    print(path)
    if not webbrowser.open(path.as_uri()):
        raise OSError(None, "no browser was found; open this file yourself", str(path))
    return 0
