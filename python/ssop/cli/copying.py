"""Copies a region of an input into an output, box by box, in this process or in several."""

from __future__ import annotations

import logging
import math
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import resource_tracker
from typing import Any

import numpy as np

import ssop
from ssop import _core
from ssop.cli import boxes, inputs, outputs, page_advice
from ssop.cli.boxes import Boxes

PIECE_BYTES = 16 * 2**20
"""The bytes of the result that are copied between two looks at the clock."""

STORE_BYTES = 64 * 2**20
"""The same if input or output is a store: of larger boxes, fewer chunks of the input lie in two."""

TASKS_PER_WORKER = 32
"""At the most: progress has steps, and the last tasks end at about the same time."""


@dataclass(frozen=True)
class Job:
    """What is copied, for any process: input and output are opened where they are used."""

    source: inputs.Source
    region: _core.Region
    output: str
    boxes: Boxes

    def copy(self, first: int, last: int) -> int:
        """Copy the boxes with these numbers and return their bytes."""
        source, done = self.source.open(), 0
        with outputs.opened(self.output) as output, page_advice.advised(source, self.region):
            for number in range(first, last):
                done += self.copy_box(source, output, number)
        return done

    def copy_box(self, source: Any, output: Any, number: int) -> int:
        box = self.boxes.box(number)
        part = self.source.read(source, boxes.region_of(box, self.region.shape).of(self.region))
        if isinstance(output, np.ndarray):
            place: Any = (*box, ...)  # the ellipsis: of a 0-d array, no item
            ssop.copyto(output[place], part)
        else:
            output[box] = ssop.copy(part)
        return part.nbytes


def plan(source: inputs.Source, x: Any, region: _core.Region, output: str) -> Job:
    """Choose the boxes: whole pieces of what is written, and where that has none, of what is read."""
    written, read = outputs.written_chunks(output), inputs.chunks_of(x)
    itemsize = x.dtype.itemsize
    if written is not None:
        cut = boxes.in_cells(boxes.Grid(region.shape, written, written), itemsize, STORE_BYTES)
    elif read is not None:
        cut = boxes.in_cells(boxes.of_chunks(region, read), itemsize, STORE_BYTES)
    else:
        cut = boxes.in_rows(region.shape, itemsize, PIECE_BYTES)
    return Job(source, region, output, cut)


def copy_here(job: Job, x: Any) -> Iterator[int]:
    """Copy in this process; give the bytes of each box."""
    with outputs.opened(job.output) as output, page_advice.advised(x, job.region):
        for number in range(len(job.boxes)):
            yield job.copy_box(x, output, number)


def copy_by_workers(job: Job, workers: int) -> Iterator[int]:
    """Copy in so many processes of dask's scheduler; give the bytes of each task that has ended.

    The boxes of different tasks share no chunk of the output, and a task that is run again writes the same items.
    A worker that is killed therefore costs only the time of its last task.
    """
    try:
        distributed: Any = import_module("dask.distributed")
    except ImportError:
        raise ValueError("--workers needs dask's scheduler: pip install 'dask[distributed]'") from None
    count = len(job.boxes)
    size = max(1, math.ceil(count / (TASKS_PER_WORKER * workers)))
    firsts = range(0, count, size)
    lasts = [min(count, first + size) for first in firsts]
    try:
        with _cluster(distributed, workers) as client:
            tasks = client.map(job.copy, firsts, lasts, pure=False)
            for _, done in distributed.as_completed(tasks, with_results=True):
                yield done
    except distributed.KilledWorker:
        raise ValueError("worker processes were killed again and again: too little memory, perhaps") from None


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


@contextmanager
def _cluster(distributed: Any, workers: int) -> Iterator[Any]:
    """Start so many processes; give the client of their scheduler."""
    options: dict[str, Any] = {"threads_per_worker": 1, "silence_logs": "CRITICAL"}
    options["dashboard_address"] = "127.0.0.1:0"  # without a port, the scheduler warns if another one holds its own
    for name in ("distributed", "distributed.client"):
        # For good: what ends after the cluster was closed, which restores silence_logs, writes lines as well.
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with _processes_without_ctrl_c():
        cluster = distributed.LocalCluster(n_workers=workers, scheduler_kwargs={"dashboard": False}, **options)
    client = None
    try:
        client = distributed.Client(cluster)
        yield client
    finally:
        for closed in filter(None, (client, cluster)):
            # A process that is just being started again can make this fail. It says nothing of the copy, and must not
            # stand in the place of the copy's own error.
            with suppress(Exception):
                closed.close()
