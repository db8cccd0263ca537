"""Progress of long work: a bar on stderr, drawn by rich, which is loaded when the first bar is.

It is drawn only if stderr is a terminal, and not in the first QUIET_SECONDS, since most work is done by then. It is
erased in the end. Only calls of `show` draw it: no thread of its own disturbs what is measured or forked.
"""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

from ssop._text import printable

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

QUIET_SECONDS = 2.0
REDRAW_SECONDS = 0.2


class Progress:
    """The progress through `total` items of a noun in plural, such as "calls"; the rate of "bytes" is in GB/s.

    >>> with Progress("calls", 3) as progress:
    ...     progress.show(1)
    """

    def __init__(self, noun: str, total: int | None = None) -> None:
        self.noun, self.total = noun, total
        self.started = time.perf_counter()
        self.next = self.started + QUIET_SECONDS if sys.stderr.isatty() else float("inf")
        self.bar: Bar | None = None
        self.task: TaskID

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.bar is not None:
            self.bar.stop()

    def show(self, done: int, total: int | None = None, name: str = "") -> None:
        """Called whenever `done` has grown; `total` may become known late, `name` is what is at work."""
        now = time.perf_counter()
        if now < self.next:
            return
        if self.bar is None:
            self.bar = self._started()
        self.next = now + REDRAW_SECONDS
        self.total = self.total if total is None else total
        rate = done / max(now - self.started, 1e-9)
        speed = f"{rate / 1e9:.2f} GB/s" if self.noun == "bytes" else f"{rate:,.1f} a second"
        words = f"{done:,} of {self.total or 0:,} {self.noun}, {speed}"
        self.bar.update(self.task, completed=done, total=self.total, words=words, name=printable(name))
        self.bar.refresh()

    def _started(self) -> Bar:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        texts = (TextColumn("{task.fields[words]}", markup=False), TextColumn("{task.fields[name]}", markup=False))
        columns = (BarColumn(), TaskProgressColumn(), texts[0], TimeRemainingColumn(), texts[1])
        bar = Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)
        self.task = bar.add_task("", total=self.total, words="", name="")
        bar.start()
        return bar
