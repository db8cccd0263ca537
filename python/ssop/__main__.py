"""`python -m ssop` is the command line."""

import sys

from ssop_command import main

if __name__ == "__main__":
    sys.exit(main())
