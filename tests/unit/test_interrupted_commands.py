"""Ctrl-C ends a command without a traceback and without leftovers, also before it has begun to work."""

import subprocess
import sys
from importlib import metadata

import pytest

from child import LIMIT_SECONDS
from ssop import _temporaries

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
    command = [sys.executable, "-c", INTERRUPTED + code, module]
    return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_SECONDS)


@pytest.mark.parametrize("module", [*NUMPY, "ssop", "ssop._core", "ssop.cli", "ssop.cli.run"])
def test_while_it_is_imported(module):
    done = ended(COMMAND, module)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


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
