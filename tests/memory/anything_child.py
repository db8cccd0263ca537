"""Runs the calls of anything.py in child processes, and goes on after those that end them."""

import json
import mmap
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.dirname(__file__))
MEMORY = 6 << 30
RECORD = 4096
# A call that waits takes no processor time. Far more than the slowest machine needs.
WAIT_SECONDS = 600


class Record:
    """The number and the text of the present call, in a file that both processes have mapped."""

    def __init__(self, path):
        with open(path, "r+b") as file:
            self._map = mmap.mmap(file.fileno(), RECORD)

    def write(self, number, text):
        line = f"{number} {text}".encode("ascii", "backslashreplace")[: RECORD - 2] + b"\n"
        self._map[: len(line)] = line

    def read(self):
        number, _, text = self._map[:].partition(b"\n")[0].decode("ascii").partition(" ")
        return int(number), text


class Campaign:
    """`run` yields a text for each call with damage."""

    def __init__(self, seed, first, calls, seconds):
        self.seed, self.first, self.calls, self.seconds = seed, first, calls, seconds
        self.damaged = self.made = self.callables = 0
        self.kinds = []

    def run(self):
        number, end = self.first, self.first + self.calls
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "record")
            with open(path, "wb") as file:
                file.write(b"-1 \n".ljust(RECORD, b"\0"))
            record = Record(path)
            while number < end:
                record.write(-1, "")
                code, lines, trace = self._child(folder, path, number, end - number)
                for line in lines:
                    found = json.loads(line)
                    if "callables" in found:
                        self.callables = found["callables"]
                        continue
                    yield self._damage(found["number"], found["text"], found["found"])
                last, text = record.read()
                if code == 0:
                    last = end - 1
                elif last < 0:
                    raise RuntimeError(f"the child ended before the first call\n{trace}")
                else:
                    yield self._damage(last, text, f"ended by {code}", trace)
                self.made += last + 1 - number
                number = last + 1

    def _damage(self, number, text, found, trace=""):
        self.damaged += 1
        name = text.partition("(")[0]
        self.kinds.append(f"{name}: {found}")
        return f"call {number}: {text}: {found}\n{trace}".rstrip()

    def _child(self, folder, path, first, calls):
        """How it ended, what it found, and the traceback that it left."""
        numbers = [str(number) for number in (self.seed, first, calls, self.seconds)]
        errors = os.path.join(folder, "errors")
        found = os.path.join(folder, "found")
        command = [sys.executable, __file__, path, found, *numbers]
        with open(errors, "wb") as file, open(found, "wb"):
            environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
            child = subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=file, stdin=subprocess.DEVNULL, cwd=folder, env=environment
            )
            code = self._ended(child, path)
        with open(found, encoding="ascii") as file, open(errors, errors="replace") as trace:
            return code, file.readlines(), trace.read()[-3000:]

    @staticmethod
    def _ended(child, path):
        record, last = Record(path), None
        while True:
            try:
                return child.wait(WAIT_SECONDS)
            except subprocess.TimeoutExpired:
                now = record.read()
                if now == last:  # waits for something
                    child.kill()
                    return child.wait()
                last = now


def main(path, found, seed, first, calls, seconds):
    sys.path.insert(0, HERE)
    from memory.anything import limit_memory, run
    from memory.guarded_memory import has_sanitizer

    record = Record(path)
    with open(found, "a", encoding="ascii") as file:

        def tell(**facts):
            file.write(json.dumps(facts) + "\n")
            file.flush()

        if not has_sanitizer():
            limit_memory(MEMORY)
        count = run(int(seed), int(first), int(calls), float(seconds), record.write, tell)
        tell(callables=count)


if __name__ == "__main__":
    main(*sys.argv[1:])
