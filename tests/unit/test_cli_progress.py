"""Progress of long work: on a terminal only, after a while only, and gone in the end."""

import io
import re
import sys

import numpy as np
import pytest

from ssop import cli
from ssop.cli import copying, progress
from ssop.cli.progress import Progress
from ssop.testing import vectors


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch, tmp_path):
    """A function that makes stderr a terminal, in which every step is drawn; the working directory has in.npy."""
    monkeypatch.setattr(progress, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(progress, "REDRAW_SECONDS", 0.0)
    for name, value in (("TERM", "xterm"), ("COLUMNS", "150"), ("NO_COLOR", "1")):
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    np.save("in.npy", np.arange(60, dtype=np.int16).reshape(3, 4, 5))

    def make():  # in the test itself: before it, pytest replaces stderr
        monkeypatch.setattr(sys, "stderr", Terminal())
        return sys.stderr

    return make


def shown(terminal):
    """What was drawn, without moves of the cursor."""
    return re.sub(r"\x1b\[[?\d]*[A-Za-z]", "", terminal.getvalue())


def is_clean_at_the_end(terminal):
    """The last line is erased, and the cursor visible again."""
    text = terminal.getvalue()
    return text.rfind("\x1b[2K") > text.rfind("of") and text.rfind("\x1b[?25h") > text.rfind("\x1b[?25l")


def test_run_shows_bytes(terminal, monkeypatch):
    stderr = terminal()
    monkeypatch.setattr(copying, "PIECE_BYTES", 10)
    assert cli.main(["run", "in.npy", "--index", "...", "-o", "out.npy"]) == 0
    assert "10 of 120 bytes, " in shown(stderr) and "120 of 120 bytes" in shown(stderr)
    assert " GB/s" in shown(stderr) and is_clean_at_the_end(stderr)
    assert np.array_equal(np.load("out.npy"), np.load("in.npy"))


def test_difftest_shows_calls(terminal):
    stderr = terminal()
    assert cli.main(["difftest", "--oracle", "numpy", "--cases", "60"]) == 0
    assert "60 of 60 calls, " in shown(stderr) and is_clean_at_the_end(stderr)


def test_bench_shows_cases(terminal):
    stderr = terminal()
    assert cli.main("bench --quick --classes stride-1B --sizes L1 --rounds 1 --contenders numpy".split()) == 0
    assert re.search(r"1 of \d+ cases, ", shown(stderr)) and "stride-1B L1" in shown(stderr)
    assert is_clean_at_the_end(stderr)


def test_vectors_show_operations(terminal, monkeypatch):
    monkeypatch.setattr(vectors, "vectors_of", lambda op, seed: [])  # they take a minute
    stderr = terminal()
    assert cli.main(["vectors", "out"]) == 0
    assert re.search(r"3 of \d+ operations, ", shown(stderr)) and is_clean_at_the_end(stderr)


def test_an_error_leaves_no_bar(terminal):
    stderr = terminal()
    with pytest.raises(ValueError, match="stop"), Progress("calls", 9) as bar:
        bar.show(4, name="[bold]words[/bold]")
        raise ValueError("stop")
    assert "4 of 9 calls" in shown(stderr) and "[bold]words[/bold]" in shown(stderr)
    assert is_clean_at_the_end(stderr)


def test_quick_work_shows_nothing(terminal, monkeypatch):
    stderr = terminal()
    monkeypatch.setattr(progress, "QUIET_SECONDS", 1e9)
    assert cli.main(["run", "in.npy", "--index", "...", "-o", "out.npy"]) == 0
    assert stderr.getvalue() == ""


def test_elsewhere_nothing_is_shown(terminal, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert cli.main(["run", "in.npy", "--index", "...", "-o", "out.npy"]) == 0
    assert sys.stderr.getvalue() == ""
