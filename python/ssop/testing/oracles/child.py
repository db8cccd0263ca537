"""The child process in which engines and subjects answer that can crash."""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import pickle
import signal
import socket
import struct
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from typing import Any

from ssop.testing.calls import Answer, Call, Fault

START_SECONDS = 300.0
"""To import an engine on a busy machine; only a limit, so that a hang is told."""

LOOK_SECONDS = 0.01
"""How often a process is looked at: multiprocessing waits for ever for one that has closed its files."""


def _serve(make: Callable[[], Any], pipe: Any) -> None:
    """Answer calls until the parent is gone. What is asked for is `(method, items)`."""
    faulthandler.disable()  # of pytest, say: a crash is an answer here
    try:
        server = make()
        server.load()
    except BaseException as error:
        pipe.send((False, f"{type(error).__name__}: {error}"))
        return
    pipe.send((True, None))
    while True:
        try:
            items = pipe.recv()
        except (EOFError, ConnectionError):
            return
        try:
            for answer in server.answers(items):
                pipe.send((True, answer))
        except Exception as error:
            pipe.send((False, f"{type(error).__name__}: {error}"))


def _limit(pipe: Any, seconds: float) -> None:
    """Let each read and write of a socket end by BlockingIOError: a message may stop in its middle."""
    with socket.socket(fileno=os.dup(pipe.fileno())) as shared:
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            shared.setsockopt(socket.SOL_SOCKET, option, struct.pack("@ll", int(seconds), int(seconds % 1 * 1e6)))


class _Spawned:
    """A new interpreter. multiprocessing would import the caller's main module, which may not be made for that."""

    def __init__(self, fd: int) -> None:
        program = f"from ssop.testing.oracles.child import serve_fd; serve_fd({fd})"
        paths = f"import sys; sys.path[:] = {sys.path!r}; "
        self.popen = subprocess.Popen([sys.executable, "-c", paths + program], pass_fds=[fd])

    def kill(self) -> None:
        self.popen.kill()

    def join(self) -> None:
        self.popen.wait()

    @property
    def exitcode(self) -> int | None:
        return self.popen.poll()


def _spawned(make: Callable[[], Any]) -> tuple[Any, Any]:
    if os.name == "nt":
        raise ValueError("what answers in a process of its own cannot be tested on Windows")
    ours, theirs = socket.socketpair()
    with theirs:
        process = _Spawned(theirs.fileno())
    pipe = Connection(ours.detach())
    pipe.send_bytes(pickle.dumps(make))
    return pipe, process


def serve_fd(fd: int) -> None:
    """Serve what the other end of this socket asks for; its first message is the server."""
    pipe = Connection(fd)
    _serve(pickle.loads(pipe.recv_bytes()), pipe)


def _serve_forked(make: Callable[[], Any], pipe: Any, parents: Any) -> None:
    parents.close()  # else a parent that was killed would never be gone
    _serve(make, pipe)


def _forked(make: Callable[[], Any]) -> tuple[Any, Any]:
    context: Any = multiprocessing.get_context("fork")
    pipe, theirs = context.Pipe()
    process = context.Process(target=_serve_forked, args=(make, theirs, pipe), daemon=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads, none of which the child needs
        process.start()
    theirs.close()
    return pipe, process


class Isolated:
    """Answers of a server, `make()`, that lives in a child process; a new one is started after each death.

    A crash or a hang is the answer `Answer(error=Fault("crashed: SIGSEGV"))` to the call that it was about.
    """

    def __init__(self, make: Callable[[], Any], *, seconds: float, one_by_one: bool, method: str = "spawn") -> None:
        self.make, self.seconds, self.one_by_one = make, seconds, one_by_one
        self.fork = method == "fork"
        self.process: Any = None
        self.deaths = 0

    def start(self) -> None:
        """Start the process; ValueError if what it must import cannot be imported."""
        self.pipe, self.process = (_forked if self.fork else _spawned)(self.make)
        good, text = self._received(START_SECONDS)
        if not good:
            self.close()
            raise ValueError(f"the process that answers cannot start: {text}")
        _limit(self.pipe, self.seconds)

    def _received(self, seconds: float) -> tuple[bool, Any]:
        try:
            if not self.pipe.poll(seconds):
                return False, _no_answer(seconds)
            received: tuple[bool, Any] = self.pipe.recv()
            return received
        except (EOFError, ConnectionError):
            code = self._exit_code(seconds)
            return False, _no_answer(seconds) if code is None else died(code)
        except BlockingIOError:
            return False, _no_answer(self.seconds)
        except Exception as error:  # of objects that only the other process can make
            return False, f"gave an answer that cannot be read: {type(error).__name__}: {error}"

    def _exit_code(self, seconds: float) -> int | None:
        """How the process ended that has no connection any more; None if it only closed its files, and goes on."""
        deadline = time.monotonic() + seconds
        while (code := self.process.exitcode) is None and time.monotonic() < deadline:
            time.sleep(LOOK_SECONDS)
        found: int | None = code
        return found

    def answers(self, calls: Sequence[Call]) -> list[Answer]:
        """One answer for each call, in order."""
        done: list[Answer] = []
        size = len(calls)
        while len(done) < len(calls):
            batch = calls[len(done) : len(done) + size]
            got, death = self._some(batch)
            done += got
            if death is None:
                continue
            self.deaths += 1
            if self.one_by_one or len(batch) == 1:
                done.append(Answer(error=Fault(death)))
            else:
                size = 1  # which call of a batch was it?
        return done

    def _some(self, batch: Sequence[Call]) -> tuple[list[Answer], str | None]:
        """The answers that came, and how the process ended if it did."""
        if self.process is None:
            self.start()
        got: list[Answer] = []
        try:
            self.pipe.send(batch)
        except BlockingIOError:
            self.close()
            return got, _no_answer(self.seconds)
        except ConnectionError:
            self.close()
            return got, "crashed before it was asked"
        limit = self.seconds if self.one_by_one else self.seconds + len(batch)
        while len(got) < len(batch):
            good, answer = self._received(limit)
            if not good:
                self.close()
                return got, answer
            got.append(answer)
        return got, None

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.pipe.close()
            self.process = None


def _no_answer(seconds: float) -> str:
    return f"no answer within {seconds:g} seconds"


def died(code: int) -> str:
    """How a process ended, by its exit code.

    >>> died(-11), died(3)
    ('crashed: SIGSEGV', 'ended its process with exit code 3')
    """
    if code < 0:
        known = {int(number): number.name for number in signal.Signals}
        return f"crashed: {known.get(-code, f'signal {-code}')}"  # most real-time signals have no name
    return f"ended its process with exit code {code}"
