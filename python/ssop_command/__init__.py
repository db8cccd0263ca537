"""The command `ssop`, apart from the package: Ctrl-C while that is imported ends it without a traceback, too."""

from __future__ import annotations


def main() -> int:
    """Run the command line and return its exit code."""
    try:
        from ssop.cli import main as run

        return run()
    except KeyboardInterrupt:
        return 130
