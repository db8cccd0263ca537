"""`ssop run` with several processes, interrupted (report of 2026-11-26)."""

import os
import signal
import subprocess
import sys
import time

import zarr

import child

SSOP = [sys.executable, "-m", "ssop"]


def unfinished(folder):
    return [path.name for path in folder.iterdir() if path.name.startswith(".ssop-")]


def interruptible():
    """A job in the background of a shell, such as these tests may be, ignores SIGINT, and so would its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_with_workers(tmp_path):
    """Report: tracebacks of the workers, warnings of the resource tracker, and an unfinished store."""
    store = zarr.create_array(str(tmp_path / "in.zarr"), shape=(4000, 400), dtype="f8", chunks=(10, 10))
    store[-100:] = 1  # written first; chunks of zeros are not written, so that nothing shows the others
    words = ["run", "in.zarr", "--index", "[::-1]", "-o", "out.zarr", "--workers", "2"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [*SSOP, *words]
    with subprocess.Popen(command, cwd=tmp_path, start_new_session=True, preexec_fn=interruptible, **pipes) as process:
        deadline = time.monotonic() + child.LIMIT_SECONDS
        while not any((tmp_path / name / "c").exists() for name in unfinished(tmp_path)):
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=child.LIMIT_SECONDS)
    assert process.returncode == 130 and err == b""
    assert not unfinished(tmp_path) and not (tmp_path / "out.zarr").exists()
