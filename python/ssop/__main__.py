"""`python -m ssop` is the command line."""

import sys

from ssop.cli import main

if __name__ == "__main__":
    sys.exit(main())
