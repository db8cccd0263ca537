"""A function run in a Python process of its own, where a crash or a hang is one failed test and no more.

The function must stand alone: its source is all that the child gets, besides `np` and `ssop`.
"""

import inspect
import os
import subprocess
import sys
import sysconfig
import textwrap

# Ends a test that hangs. Far more than the slowest machine needs: no test depends on how fast the machine is.
LIMIT_SECONDS = 1800

HAS_GIL = not sysconfig.get_config_var("Py_GIL_DISABLED")

# A Python that is built with it; it reports every race, and takes terabytes of addresses.
THREAD_SANITIZER = "--with-thread-sanitizer" in (sysconfig.get_config_var("CONFIG_ARGS") or "")

# A shell ignores SIGINT for what it runs in the background, and so would the child.
SIGNALS = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"


def run(function, *arguments):
    """Call `function(*arguments)` in a child; it must come to an end, with exit code 0. Returns what it printed."""
    source = textwrap.dedent(inspect.getsource(function))
    program = f"{SIGNALS}import numpy as np\nimport ssop\n{source}\n{function.__name__}(*{arguments!r})\n"
    command = [sys.executable, "-X", "faulthandler", "-c", program]
    child = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False)
    assert child.returncode == 0, f"exit code {child.returncode}\n{child.stdout}{child.stderr}"
    return child.stdout


def run_source(program, **environment):
    """Run the text of a program with these variables in its environment; returns how it ended and what it printed."""
    command = [sys.executable, "-X", "faulthandler", "-c", program]
    return subprocess.run(
        command, env=os.environ | environment, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False
    )
