"""Functions of a module run in processes of their own, where a crash or a hang is one failed test and no more.

A server imports the module once and forks for each call, which takes a tenth of the time of a new interpreter. Python's
allocators run with their checks, so that objects are overwritten when they are freed. Where there is no fork, each call
gets a new interpreter.
"""

import gc
import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import traceback

FORKS = hasattr(os, "fork")


class Server:
    """Calls functions of one module: `with Server("memory.attacks") as server: server.run("function", arguments)`."""

    def __init__(self, module):
        self._module, self._process = module, None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._process is not None:
            self._process.communicate()

    def _start(self):
        environment = {"PYTHONMALLOC": "debug", **os.environ}
        command = [sys.executable, "-X", "faulthandler", __file__, self._module]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment)

    def run(self, function, *arguments, timeout=60):
        """The call must end in time and without an error. Returns what it printed."""
        if self._process is None:
            self._start()
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log")
            job = {"function": function, "arguments": arguments, "log": log, "timeout": timeout}
            self._process.stdin.write(json.dumps(job) + "\n")
            self._process.stdin.flush()
            if not FORKS:
                self._process.stdin.close()
            ended = self._process.stdout.readline().strip()
            if not FORKS:
                ended = ended or f"exit code {self._process.wait()}"
                self._process = None
            with open(log) as file:
                printed = file.read()
        assert ended == "exit code 0", f"{ended}\n{printed}"
        return printed


def call(module, job):
    """Runs in the child: all that it prints goes to the log."""
    with open(job["log"], "w") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        getattr(module, job["function"])(*job["arguments"])
        return 0
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def call_in_fork(module, job):
    child = os.fork()
    if child == 0:
        os._exit(call(module, job))
    deadline = time.monotonic() + job["timeout"]
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            return f"exit code {code}" if code >= 0 else f"ended by {signal.Signals(-code).name}"
        time.sleep(0.002)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return f"still running after {job['timeout']} s"


def serve(name):
    module = importlib.import_module(name)
    gc.collect()
    gc.freeze()  # the collections of the children pass by what is here already
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        job = json.loads(line)
        answer = call_in_fork(module, job) if FORKS else f"exit code {call(module, job)}"
        print(answer, file=answers, flush=True)


if __name__ == "__main__":
    serve(sys.argv[1])
