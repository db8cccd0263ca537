"""`ssop run --scheduler`: copies by the workers of a cluster that is there already, and what can happen to it."""

import os
import signal
import subprocess
import sys
import threading
import time

import dask
import numpy as np
import pytest
import zarr
from distributed import LocalCluster

from ssop.cli import clusters, copying, main

NO_FILES = ["--tls-ca-file", "none.pem", "--tls-cert", "none.pem", "--tls-key", "none.pem"]
X = np.arange(60 * 40, dtype="i4").reshape(60, 40)


def started(workers):
    """A cluster in threads of this process: what tests replace, its workers see."""
    without = {"dashboard_address": "127.0.0.1:0", "scheduler_kwargs": {"dashboard": False}}
    return LocalCluster(n_workers=workers, threads_per_worker=1, processes=False, protocol="tcp", **without)


@pytest.fixture(scope="module")
def cluster():
    with started(2) as made:
        yield made


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(copying, "STORE_BYTES", 400)
    monkeypatch.setattr(copying, "PIECE_BYTES", 400)
    zarr.create_array("in.zarr", data=X, chunks=(10, 10))
    np.save("in.npy", X)
    return tmp_path


def run(address, *words):
    return main(["run", *words, "--scheduler", address])


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def slow(monkeypatch):
    """Boxes take a while; the event is set when the first one has begun."""
    begun, copy_box = threading.Event(), copying.Job.copy_box

    def slowly(job, source, output, number):
        begun.set()
        time.sleep(0.2)
        return copy_box(job, source, output, number)

    monkeypatch.setattr(copying.Job, "copy_box", slowly)
    return begun


@pytest.mark.parametrize("given", ["in.zarr", "in.npy"])
@pytest.mark.parametrize("out", ["out.zarr", "out.npy"])
def test_outputs_are_those_of_one_process(cluster, folder, given, out):
    assert run(cluster.scheduler_address, given, "--index", "::-2, 3:", "-o", out) == 0
    assert np.array_equal(np.load(out) if out == "out.npy" else zarr.open_array(out)[...], X[::-2, 3:])


@pytest.mark.parametrize(
    ("address", "words", "told"),
    [
        ("tcp://127.0.0.1:1", ["-o", "out.npy"], "--scheduler tcp://127.0.0.1:1: Timed out"),
        ("gopher://here", ["-o", "out.npy"], "--scheduler gopher://here: unknown address scheme"),
        ("tls://127.0.0.1:1", ["-o", "out.npy", *NO_FILES], "No such file or directory"),
        ("tcp://127.0.0.1:1", ["-o", "out.npy", "--tls-ca-file", "none.pem"], "encryption required"),
        ("tcp://here", [], "--scheduler needs an output"),
        ("tcp://here", ["-o", "-"], "--scheduler needs a file"),
        ("tcp://here", ["-o", "out.npy", "--workers", "2"], "--workers are processes of this machine"),
    ],
)
def test_clusters_that_cannot_be_used(folder, capsys, address, words, told):
    before = names(folder)
    with dask.config.set({"distributed.comm.timeouts.connect": "300ms"}):
        assert run(address, "in.npy", "--index", "::2", *words) == 2
    said = capsys.readouterr().err
    assert told in said and said.startswith("ssop: error: ") and said.count("\n") == 1
    assert names(folder) == before


def test_an_address_without_a_port_is_one_line(folder):
    """Report: a minute later, the client that was not connected ended, and printed a traceback."""
    words = [sys.executable, "-m", "ssop", "run", "in.npy", "--index", "0", "-o", "out.npy", "--scheduler", "here"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stderr.startswith("ssop: error: --scheduler here: ")
    assert done.stderr.count("\n") == 1


def test_what_needs_a_scheduler(folder, capsys):
    assert main(["run", "in.npy", "--index", "0", "-o", "out.npy", "--tls-key", "k.pem"]) == 2
    assert "--tls-key needs --scheduler" in capsys.readouterr().err
    np.savez("in.npz", a=X)
    assert run("tcp://here", "in.npz", "--index", "0", "-o", "out.npy") == 2
    assert "--scheduler: in.npz is read as a whole" in capsys.readouterr().err


def test_a_scheduler_without_workers(folder, capsys):
    with started(0) as empty:
        with dask.config.set({"distributed.comm.timeouts.connect": "300ms"}):
            assert run(empty.scheduler_address, "in.npy", "--index", "0", "-o", "out.npy") == 2
    assert "it has no workers" in capsys.readouterr().err


def test_a_chunk_that_cannot_be_read(cluster, folder, capsys, caplog):
    (folder / "in.zarr" / "c" / "4" / "0").write_bytes(b"damaged")
    before = names(folder)
    assert run(cluster.scheduler_address, "in.zarr", "--index", "::2", "-o", "out.zarr") == 2
    said = capsys.readouterr().err
    assert f"{folder}/in.zarr: elements [" in said and said.count("\n") == 1
    assert names(folder) == before and "Traceback" not in caplog.text


def test_a_chunk_that_cannot_be_written(cluster, folder, capsys, monkeypatch):
    async def full(self, key, value):
        raise OSError(28, "No space left on device")

    def planned(*arguments, plan=copying.plan):
        monkeypatch.setattr(zarr.storage.LocalStore, "set", full)
        return plan(*arguments)

    monkeypatch.setattr(copying, "plan", planned)
    before = names(folder)
    assert run(cluster.scheduler_address, "in.zarr", "--index", "::2", "-o", "out.zarr") == 2
    assert capsys.readouterr().err == "ssop: error: out.zarr: No space left on device\n"
    assert names(folder) == before


def test_workers_that_do_not_see_the_files(cluster, folder, capsys, monkeypatch):
    def nowhere(source):
        raise FileNotFoundError(2, "No such file or directory", source.path)

    def planned(*arguments, plan=copying.plan):
        monkeypatch.setattr(copying.inputs.Source, "open", nowhere)
        return plan(*arguments)

    monkeypatch.setattr(copying, "plan", planned)
    assert run(cluster.scheduler_address, "in.npy", "--index", "::2", "-o", "out.zarr") == 2
    assert f"a worker cannot open {folder}/in.npy: No such file or directory; workers need" in capsys.readouterr().err


def test_what_is_done_is_not_done_again_if_its_worker_dies(cluster):
    """A finished task whose result somebody holds is computed again when its worker is lost."""
    with clusters.connected(clusters.Place(scheduler=cluster.scheduler_address)) as client:
        count = 20
        found = clusters.results(client, abs, range(count))
        for taken in range(1, count + 1):
            assert 0 <= next(found) < count
            if taken == count // 2:
                time.sleep(0.5)
                left = [task for task in cluster.scheduler.tasks.values() if task.key.startswith("abs")]
                assert len(left) <= count // 2 + 1  # and the one that was given last
        assert next(found, None) is None


@pytest.fixture
def interruptible():
    """A job in the background of a shell, such as these tests may be, ignores SIGINT."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interruptions_end_the_tasks_and_leave_nothing(cluster, folder, capsys, slow, number, code):
    before = names(folder)

    def interrupt():
        slow.wait()
        os.kill(os.getpid(), number)

    threading.Thread(target=interrupt).start()
    assert run(cluster.scheduler_address, "in.zarr", "--index", "::-1", "-o", "out.zarr") == code
    assert names(folder) == before and capsys.readouterr().err == ""
    assert not any(worker.active_threads for worker in cluster.workers.values())


def test_a_scheduler_that_goes_away(folder, capsys, slow):
    before = names(folder)
    mortal = started(1)

    def close():
        slow.wait()
        mortal.close()

    threading.Thread(target=close).start()
    assert run(mortal.scheduler_address, "in.zarr", "--index", "::-1", "-o", "out.zarr") == 2
    assert capsys.readouterr().err == "ssop: error: dask's scheduler went away\n"
    time.sleep(0.5)
    assert names(folder) == before
