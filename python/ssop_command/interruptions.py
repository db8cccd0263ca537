"""Ctrl-C during the import of extensions: some crash, and some make an ImportError of it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


@contextmanager
def postponed() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM, where Python handles them, take effect after the block; twice the same, at once."""
    if threading.current_thread() is not threading.main_thread():  # which alone is interrupted
        yield
        return
    handlers: dict[int, Any] = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    handlers = {number: handler for number, handler in handlers.items() if callable(handler)}
    came: dict[int, FrameType | None] = {}

    def postpone(number: int, frame: FrameType | None) -> None:
        if number in came:
            handlers[number](number, frame)
        came[number] = frame

    for number in handlers:
        signal.signal(number, postpone)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number, frame in came.items():
            handlers[number](number, frame)
