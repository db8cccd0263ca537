"""Compiles the source files whose objects would become others: make's rule, but by contents, not by times.

Beside an object x.o stands x.json: how it was compiled, and digests of the files of this tree that went into it. The
compiler lists them in x.d. A file that comes back, by git or from an archive, needs no compilation. setup.py uses this.
"""

import json
import os
import shlex
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

FLAGS = ["-MMD"]
"""What gcc and clang need to be told to write x.d, without the headers of the system."""


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Wait until no other build uses the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as lock:
        if os.name == "posix":
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def write_changed(path: Path, text: str) -> None:
    """Write a header, unless it is there already: what includes it would be compiled again."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _digest(path: str) -> str | None:
    try:
        return sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return None


def _included(listed: Path) -> list[str]:
    """The files of x.d that are in this tree; others have absolute paths, and belong to the command."""
    _, _, files = listed.read_text(encoding="utf-8").replace("\\\n", " ").partition(":")
    return [path for path in shlex.split(files) if not os.path.isabs(path)]


class Objects:
    """The objects of one folder. `command` is everything else that they depend on: compiler, flags, headers outside.

    `files` are those of the tree. Their digests are taken before the first compilation: what is edited later, perhaps
    while it is compiled, differs the next time.
    """

    def __init__(self, folder: Path, command: str, files: Iterable[str]) -> None:
        self._folder, self._command = folder, command
        self._digests = {os.path.normpath(path): _digest(path) for path in files}

    def path(self, source: str) -> Path:
        return self._folder / Path(source).with_suffix(".o")

    def _current(self, files: Iterable[str]) -> dict[str, str | None]:
        return {path: self._digests.get(os.path.normpath(path)) for path in files}

    def _is_made(self, source: str) -> bool:
        made = self.path(source)
        try:
            record = json.loads(made.with_suffix(".json").read_text(encoding="utf-8"))
        except (OSError, ValueError):  # never compiled to the end, or the record itself was not
            return False
        files = record["files"]
        return (
            made.exists()
            and record["command"] == self._command
            and None not in files.values()
            and files == self._current(files)
        )

    def _compile(self, source: str, compile_one: Callable[[str], object]) -> None:
        made = self.path(source)
        for old in made.parent.glob(f"{made.stem}.*"):
            old.unlink()
        compile_one(source)
        record = {"command": self._command, "files": self._current(_included(made.with_suffix(".d")))}
        made.with_suffix(".json").write_text(json.dumps(record), encoding="utf-8")

    def compile(self, sources: list[str], compile_one: Callable[[str], object], jobs: int) -> list[str]:
        """Compile what has changed, several files at the same time, and return all objects. Others are deleted."""
        self._delete_others({self.path(source).with_suffix("") for source in sources})
        changed = [source for source in sources if not self._is_made(source)]
        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(lambda source: self._compile(source, compile_one), changed))
        return [str(self.path(source)) for source in sources]

    def _delete_others(self, wanted: set[Path]) -> None:
        for found in list(self._folder.rglob("*.o")):
            if found.with_suffix("") not in wanted:
                for old in found.parent.glob(f"{found.stem}.*"):
                    old.unlink()
