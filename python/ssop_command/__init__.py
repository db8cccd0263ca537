"""The command `ssop`, apart from the package, whose import may fail: by Ctrl-C, or by a variable such as SSOP_CPU."""

from __future__ import annotations

import sys
from io import TextIOWrapper

from ssop_command.interruptions import postponed


def main() -> int:
    """Run the command line and return its exit code."""
    try:
        with postponed():
            from ssop.cli import main as run

        if sys.stdout is not None and sys.stdout.errors == "strict" and isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")  # files and subjects say what its encoding may lack
        return run()
    except KeyboardInterrupt:
        return 130
    except ImportError as error:
        if error.name is not None:  # a module that is missing or broken, and no variable
            raise
        print("ssop: error:", " ".join(str(error).split()), file=sys.stderr)
        return 2
