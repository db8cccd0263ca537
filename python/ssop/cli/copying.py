"""Copies a region of an input into an output, box by box, in this process or in several."""

from __future__ import annotations

import math
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import ssop
from ssop import _core
from ssop.cli import boxes, clusters, inputs, outputs, page_advice
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

    def copy(self, first: int, last: int) -> int | Exception:
        """Copy the boxes with these numbers and return their bytes; stop where the output has been removed.

        An error is returned: a worker would print the traceback of one that is raised.
        """
        done = 0
        try:
            source = self._input()
            with outputs.opened(self.output) as output, page_advice.advised(source, self.region):
                for number in range(first, last):
                    if not outputs.exists(self.output):
                        break
                    done += self.copy_box(source, output, number)
        except Exception as error:
            return error
        return done

    def _input(self) -> Any:
        try:
            return self.source.open()
        except OSError as error:
            why = f"a worker cannot open {error.filename}: {error.strerror}"
            raise ValueError(f"{why}; workers need the folders of IN and OUT by the same names") from None

    def copy_box(self, source: Any, output: Any, number: int) -> int:
        box = self.boxes.box(number)
        part = self.source.read(source, boxes.region_of(box, self.region.shape).of(self.region))
        if isinstance(output, np.ndarray):
            place: Any = (*box, ...)  # the ellipsis: of a 0-d array, no item
            ssop.copyto(output[place], part)
        else:
            outputs.put(output, box, ssop.copy(part))
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


def copy_here(job: Job, x: Any) -> Generator[int, None, None]:
    """Copy in this process; give the bytes of each box."""
    with outputs.opened(job.output) as output, page_advice.advised(x, job.region):
        for number in range(len(job.boxes)):
            yield job.copy_box(x, output, number)


def copy_by_workers(job: Job, place: clusters.Place) -> Generator[int, None, None]:
    """Copy by the workers of dask's scheduler; give the bytes of each task that has ended.

    The boxes of different tasks share no chunk of the output, and a task that is run again writes the same items.
    A worker that is killed therefore costs only the time of its last task.
    """
    with clusters.connected(place) as client:
        count = len(job.boxes)
        size = max(1, math.ceil(count / (TASKS_PER_WORKER * clusters.threads(client))))
        firsts = range(0, count, size)
        lasts = [min(count, first + size) for first in firsts]
        give_up = None if place.scheduler is None else partial(outputs.remove, job.output)
        with closing(clusters.results(client, job.copy, firsts, lasts, give_up=give_up)) as results:
            yield from results
