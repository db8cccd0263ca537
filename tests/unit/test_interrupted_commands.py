"""Ctrl-C ends a command without a traceback and without leftovers, also before it has begun to work."""

import signal
import subprocess
import sys
from importlib import metadata

import pytest

from child import LIMIT_SECONDS
from ssop import _temporaries
from ssop_command import interruptions

INTERRUPTED = """
import sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupting())
"""
COMMAND = "import ssop_command; sys.exit(ssop_command.main())"
NUMPY = ["numpy", "numpy._core.multiarray"]
USER = """
try:
    import ssop
except KeyboardInterrupt:
    print("interrupted")
"""


def ended(code, module):
    return ended_of(INTERRUPTED + code, module)


def ended_of(program, module):
    command = [sys.executable, "-c", program, module]
    return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_SECONDS)


@pytest.mark.parametrize("module", [*NUMPY, "ssop", "ssop._core", "ssop.cli", "ssop.cli.run"])
def test_while_it_is_imported(module):
    done = ended(COMMAND, module)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


SENT = """
import importlib, os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)

class Sending:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            try:
                signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:  # as NumPy's and jaxlib's extensions do, which then go wrong
                os._exit(3)

sys.meta_path.insert(0, Sending())
"""
JAXLIB = """
import types
from ssop.stablehlo import _parsing
sys.modules["jaxlib"] = types.ModuleType("jaxlib")
sys.modules["jaxlib"].__path__ = []
try:
    _parsing.jaxlib()
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.parametrize(("code", "module"), [(COMMAND, "numpy._core.multiarray"), (JAXLIB, "jaxlib.mlir")])
def test_an_import_of_extensions_is_not_interrupted(code, module):
    """Reports: exit code 2 and NumPy's advice on a bad installation; SIGSEGV in jaxlib's import."""
    done = ended_of(SENT + code, module)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_the_second_interruption_is_not_postponed():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it in the background
    try:
        with pytest.raises(KeyboardInterrupt), interruptions.postponed():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
            pytest.fail("it was postponed")
    finally:
        signal.signal(signal.SIGINT, before)


def test_the_command_that_is_installed():
    (found,) = [entry for entry in metadata.entry_points(group="console_scripts") if entry.name == "ssop"]
    assert found.value == "ssop_command:main"


@pytest.mark.parametrize("module", NUMPY)
def test_an_import_of_the_package(module):
    """NumPy's own way to import it from C makes each error an ImportError, which programs catch."""
    done = ended(USER, module)
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted\n", "")


@pytest.mark.parametrize("suffix", [".npy", ".zarr", ".h5"])
def test_while_an_output_is_made(tmp_path, monkeypatch, suffix):
    def interrupt(descriptor):
        raise KeyboardInterrupt

    monkeypatch.setattr(_temporaries, "_is_locked_now", interrupt)
    with pytest.raises(KeyboardInterrupt), _temporaries.unfinished(str(tmp_path), suffix):
        pass
    assert list(tmp_path.iterdir()) == []
