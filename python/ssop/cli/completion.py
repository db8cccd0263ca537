"""`ssop completion`: the script by which a shell completes commands and options, made by shtab."""

# mypy: disable-error-code="import-not-found,import-untyped,unused-ignore"

from __future__ import annotations

import argparse
from typing import Any

EPILOG = """examples:
  ssop completion bash > ~/.local/share/bash-completion/completions/ssop
  ssop completion zsh > ~/.zfunc/_ssop

The first one works in new shells where bash-completion is installed; for zsh, ~/.zfunc must be in fpath before compinit
runs. Needs shtab: pip install shtab."""

SHELLS = ("bash", "zsh", "tcsh")

FILE = {"bash": "_shtab_compgen_files", "zsh": "_files", "tcsh": "f"}
"""`shtab.FILE`, for arguments that name a file: shtab itself is loaded by this command only."""


def register(subparsers: Any) -> None:
    """Add the parser of `completion`."""
    parser = subparsers.add_parser(
        "completion",
        help="print the completion script of a shell",
        description="Print a script; a shell that reads it completes the commands and options of ssop.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    parser.add_argument("shell", choices=SHELLS, help="bash, zsh or tcsh")


def run(arguments: argparse.Namespace) -> int:
    """Print the script of `arguments.parser`, that of all commands; raise ValueError without shtab."""
    try:
        import shtab
    except ImportError:
        raise ValueError("completion needs shtab: pip install shtab") from None
    print(shtab.complete(arguments.parser, shell=arguments.shell))
    return 0


def completes_files(action: argparse.Action) -> None:
    """Mark an argument as one that names a file."""
    action.complete = FILE  # type: ignore[attr-defined]
