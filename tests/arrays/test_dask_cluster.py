"""dask's arrays on a cluster of two processes with 512 MiB each: slices and updates of what is larger than a worker.

The default size is 256 MiB; `pytest -m long tests/arrays/test_dask_cluster.py` takes 8 GiB, in minutes.
"""

import os
import signal

import dask.array as da
import numpy as np
import pytest
from distributed import Client, LocalCluster, wait

import ssop

MIB = 2**20
LIMIT = 512 * MIB
CHUNK = 2 * MIB  # elements, 16 MiB
SIZES = [pytest.param(256, id="256 MiB"), pytest.param(8192, id="8 GiB", marks=pytest.mark.long)]


@pytest.fixture(scope="module")
def client():
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, memory_limit=LIMIT, dashboard_address=":0"
        ) as cluster,
        Client(cluster) as connected,
    ):
        yield connected


def peaks(client):
    """The largest resident memory of each worker so far, in bytes; ru_maxrss begins with that of the parent."""

    def peak():
        with open("/proc/self/status") as status:
            return next(1024 * int(line.split()[1]) for line in status if line.startswith("VmHWM"))

    return list(client.run(peak).values())


def moved(client):
    """The bytes that workers sent to each other so far."""
    return sum(client.run(lambda dask_worker: dask_worker.transfer_outgoing_bytes_total).values())


def numbers(mib):
    """0, 1, 2, ..: made by the workers."""
    return da.arange(mib * MIB // 8, chunks=CHUNK, dtype=np.int64)


@pytest.mark.parametrize("mib", SIZES)
def test_slices_and_updates_of_what_no_worker_could_hold(client, mib):
    x = numbers(mib)
    n = x.size
    sliced = ssop.strided_slice(x, [n - 1], [0], [-2])  # n - 1, n - 3, .., 1
    updated = ssop.dynamic_update_slice(x, da.zeros(n // 4, chunks=CHUNK, dtype=np.int64), [n // 2])
    assert max(sliced.chunks[0]) <= CHUNK and len(sliced.chunks[0]) == len(x.chunks[0])
    assert updated.chunks == x.chunks and updated.dtype == sliced.dtype == x.dtype
    before = moved(client)
    total, other = client.compute([sliced.sum(), updated.sum()], sync=True)
    assert total == (n // 2) ** 2  # the sum of the odd numbers
    low, high = n // 2, n // 2 + n // 4
    assert other == n * (n - 1) // 2 - (high * (high - 1) - low * (low - 1)) // 2
    assert sliced[: n // 2 : n // 8].compute().tolist() == list(range(n - 1, 0, -2))[:: n // 8]
    assert updated[low - 1 : low + 1].compute().tolist() == [low - 1, 0]
    sent = moved(client) - before
    print(f"{mib} MiB: peaks {[peak // MIB for peak in peaks(client)]} MiB, moved {sent // MIB} MiB")
    assert max(peaks(client)) < LIMIT
    assert sent <= mib * MIB  # the update meets the chunks that it changes, where they are


def test_names_are_the_same_in_another_process(client):
    def name():
        import dask.array as da

        import ssop

        return ssop.strided_slice(da.zeros(100, chunks=7), [10], [4], [-1]).name

    assert set(client.run(name).values()) == {name()}


def test_a_worker_that_is_killed_loses_nothing(client):
    x = numbers(64)
    n = x.size
    chunks = client.persist(ssop.strided_slice(x, [n - 1], [0], [-2]))
    wait(chunks)
    victim = client.run(os.getpid)
    os.kill(next(iter(victim.values())), signal.SIGKILL)
    assert int(chunks.sum().compute()) == (n // 2) ** 2


def test_a_worker_that_is_killed_in_the_middle_of_a_computation(client, tmp_path):
    died = tmp_path / "died"

    def mortal(block, block_info=None):
        if block_info[0]["chunk-location"] == (2,):
            try:
                died.touch(exist_ok=False)
            except FileExistsError:
                return block
            os.kill(os.getpid(), signal.SIGKILL)
        return block

    x = numbers(64)
    n = x.size
    found = ssop.strided_slice(x.map_blocks(mortal, dtype=x.dtype), [n - 1], [0], [-2]).compute()
    assert died.exists() and np.array_equal(found, np.arange(n - 1, 0, -2))
