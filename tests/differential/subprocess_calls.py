"""Calls a function in another process, because the call may crash."""

import multiprocessing


class ProcessDied(Exception):
    """The process ended without an answer."""


def _serve(function, pipe):
    while True:
        arguments = pipe.recv()
        try:
            pipe.send((True, function(*arguments)))
        except Exception as error:
            pipe.send((False, error))


class SubprocessCall:
    """`function`, called in a process of its own; a new one is started after each death."""

    def __init__(self, function):
        self.function = function
        self.context = multiprocessing.get_context("spawn")
        self.process = None

    def start(self):
        self.pipe, theirs = self.context.Pipe()
        self.process = self.context.Process(target=_serve, args=(self.function, theirs), daemon=True)
        self.process.start()
        theirs.close()

    def __call__(self, *arguments):
        if self.process is None:
            self.start()
        try:
            self.pipe.send(arguments)
            answered, value = self.pipe.recv()
        except (EOFError, BrokenPipeError):
            self.close()
            raise ProcessDied(f"the process died of {self.function.__name__}") from None
        if answered:
            return value
        raise value

    def close(self):
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.pipe.close()
            self.process = None
