"""dask's clusters, by which `ssop run` copies: processes of this machine, or the workers of a scheduler elsewhere."""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from multiprocessing import resource_tracker
from typing import Any, NamedTuple

ENDING_SECONDS, LOOK_SECONDS = 30.0, 0.1
"""How long, at most, a scheduler's workers are waited for after an interruption, and how often they are looked at."""


class Place(NamedTuple):
    """Where boxes are copied."""

    workers: int = 1
    """Processes of this machine; 1 is this process."""
    scheduler: str | None = None
    """The address of a scheduler whose workers do it instead."""
    security: Mapping[str, str] = {}
    """Arguments of `distributed.Security`; what is not given is in dask's own configuration."""

    @property
    def option(self) -> str:
        """What the user gave."""
        return "--workers" if self.scheduler is None else "--scheduler"

    @property
    def is_here(self) -> bool:
        return self.workers == 1 and self.scheduler is None


@contextmanager
def connected(place: Place) -> Iterator[Any]:
    """Give the client of a cluster that has workers; raise ValueError for one without."""
    try:
        distributed: Any = import_module("dask.distributed")
    except ImportError:
        raise ValueError(f"{place.option} needs dask's scheduler: pip install 'dask[distributed]'") from None
    for name in ("distributed", "distributed.client"):
        # For good: what ends after the cluster was closed, which restores silence_logs, writes lines as well.
        logging.getLogger(name).setLevel(logging.CRITICAL)
    made = _processes(distributed, place.workers) if place.scheduler is None else _workers(distributed, place)
    with made as client:
        yield client


def threads(client: Any) -> int:
    """Return how many calls the workers run at the same time."""
    return sum(client.nthreads().values())


def results(
    client: Any, function: Callable[..., Any], *arguments: Sequence[Any], give_up: Callable[[], None] | None = None
) -> Generator[Any, None, None]:
    """Give the result of each call as it ends; an exception that a call has returned is raised.

    A call whose worker dies is run again by another one. If the results are not wanted to the end, calls that have not
    begun are cancelled, `give_up` tells those that run, and these are waited for.
    """
    distributed: Any = import_module("dask.distributed")
    tasks = {task.key: task for task in client.map(function, *arguments, pure=False)}
    finished = gone = False
    try:
        for task, result in distributed.as_completed(list(tasks.values()), loop=client.loop, with_results=True):
            del tasks[task.key]  # else the call would be run again if its worker died after it
            if task.status == "cancelled":
                gone = True
                raise ValueError("dask's scheduler went away")
            if isinstance(result, Exception):
                raise result
            yield result
        finished = True
    except distributed.KilledWorker:
        raise ValueError("worker processes were killed again and again: too little memory, perhaps") from None
    finally:
        if not finished and give_up is not None:
            _end(client, [] if gone else list(tasks.values()), give_up)


def _end(client: Any, tasks: Sequence[Any], give_up: Callable[[], None]) -> None:
    """Cancel the tasks, if their scheduler is still there, and wait for those that run."""
    if not tasks:
        return give_up()
    deadline, keys = time.monotonic() + ENDING_SECONDS, {task.key for task in tasks}
    with suppress(Exception):  # of connections: the copy has failed already, or is not wanted
        client.cancel(tasks, force=True)
    give_up()
    with suppress(Exception):
        while time.monotonic() < deadline and any(client.run(_is_running, keys).values()):
            time.sleep(LOOK_SECONDS)


def _is_running(keys: set[str], dask_worker: Any) -> bool:
    """Whether a worker is in one of these calls, which a cancellation does not end."""
    return not keys.isdisjoint(dask_worker.active_threads.values())


# ---- clusters --------------------------------------------------------------------------------------------------------


@contextmanager
def _workers(distributed: Any, place: Place) -> Iterator[Any]:
    """Give the client of a scheduler elsewhere."""
    try:
        security = distributed.Security(**place.security) if place.security else None
        client = _client(distributed, place.scheduler, security=security)
    except Exception as error:  # of addresses, certificates and connections
        raise ValueError(f"--scheduler {place.scheduler}: {error}") from None
    try:
        seconds = import_module("dask.config").get("distributed.comm.timeouts.connect")
        try:
            client.wait_for_workers(1, timeout=seconds)
        except TimeoutError:
            raise ValueError(f"--scheduler {place.scheduler}: it has no workers") from None
        yield client
    finally:
        with suppress(Exception):
            client.close()


@contextmanager
def _processes(distributed: Any, workers: int) -> Iterator[Any]:
    """Start so many processes; give the client of their scheduler."""
    options: dict[str, Any] = {"threads_per_worker": 1, "silence_logs": "CRITICAL"}
    options["dashboard_address"] = "127.0.0.1:0"  # without a port, the scheduler warns if another one holds its own
    with _processes_without_ctrl_c():
        try:
            cluster = distributed.LocalCluster(n_workers=workers, scheduler_kwargs={"dashboard": False}, **options)
        except Exception as error:  # dask says that they failed, and not why
            why = _first_cause(error)
            raise ValueError(f"--workers: the processes cannot start: {type(why).__name__}: {why}") from None
    client = None
    try:
        client = _client(distributed, cluster)
        yield client
    finally:
        for closed in filter(None, (client, cluster)):
            # A process that is just being started again can make this fail. It says nothing of the copy, and must not
            # stand in the place of the copy's own error.
            with suppress(Exception):
                closed.close()


def _client(distributed: Any, scheduler: Any, **options: Any) -> Any:
    """A client of an address or of a cluster; it raises whatever connections do."""

    class Client(distributed.Client):  # type: ignore[misc]
        def start(self, **options: Any) -> None:
            try:
                super().start(**options)
            except BaseException:
                self.status = "closed"  # else its end would wait for answers, and print a traceback
                raise

    return Client(scheduler, set_as_default=False, **options)


def _first_cause(error: BaseException) -> BaseException:
    while (cause := error.__cause__ or error.__context__) is not None:
        error = cause
    return error


@contextmanager
def _processes_without_ctrl_c() -> Iterator[None]:
    """Block SIGINT in threads and processes that start here, and in those that these start.

    Ctrl-C goes to every process of the terminal. This one ends the others; each would print a traceback of its own.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # which would let SIGINT through again where it is started
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
