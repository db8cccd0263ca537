"""`ssop run` with several processes, interrupted (report of 2026-11-26)."""

import os
import signal
import subprocess
import sys
import time

import pytest
import zarr

import child

SSOP = [sys.executable, "-m", "ssop"]


def unfinished(folder):
    return [path.name for path in folder.iterdir() if path.name.startswith(".ssop-")]


def interruptible():
    """A job in the background of a shell, such as these tests may be, ignores SIGINT, and so would its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupted(folder, number, *, whole_group):
    """Run by two workers, send a signal in the middle, and return the exit code and what was said."""
    store = zarr.create_array(str(folder / "in.zarr"), shape=(4000, 400), dtype="f8", chunks=(10, 10))
    store[-100:] = 1  # written first; chunks of zeros are not written, so that nothing shows the others
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [*SSOP, "run", "in.zarr", "--index", "[::-1]", "-o", "out.zarr", "--workers", "2"]
    with subprocess.Popen(command, cwd=folder, start_new_session=True, preexec_fn=interruptible, **pipes) as process:
        deadline = time.monotonic() + child.LIMIT_SECONDS
        while not any((folder / name / "c").exists() for name in unfinished(folder)):
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.05)
        (os.killpg if whole_group else os.kill)(process.pid, number)
        _, err = process.communicate(timeout=child.LIMIT_SECONDS)
    return process.returncode, err


@pytest.mark.parametrize(
    ("number", "whole_group", "code"),
    [(signal.SIGINT, True, 130), (signal.SIGTERM, True, 143), (signal.SIGTERM, False, 143)],
    ids=["Ctrl-C", "SIGTERM to all", "SIGTERM to the first"],
)
def test_interruptions_with_workers(tmp_path, number, whole_group, code):
    """Report: tracebacks of the workers, warnings of the resource tracker, and an unfinished store."""
    assert interrupted(tmp_path, number, whole_group=whole_group) == (code, b"")
    assert not unfinished(tmp_path) and not (tmp_path / "out.zarr").exists()


def test_what_sigkill_left_is_removed_by_the_next_run(tmp_path):
    """The workers see that their parent is gone, and write nothing any more."""
    code, err = interrupted(tmp_path, signal.SIGKILL, whole_group=False)
    (left,) = unfinished(tmp_path)
    assert code == -signal.SIGKILL and b"Traceback" not in err
    command = [*SSOP, "run", "in.zarr", "--index", "[-1]", "-o", "out.zarr"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=child.LIMIT_SECONDS)
    assert done.returncode == 0 and done.stderr == f"ssop: removed {left}, which a run that was killed had left\n"
    assert not unfinished(tmp_path) and zarr.open_array(tmp_path / "out.zarr")[...].all()
