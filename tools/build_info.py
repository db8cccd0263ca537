"""What a build says of itself: a C header for `ssop.show_config`.

It has no time and no path: the same sources, compiler and flags give the same header in any folder.
"""

import json
from collections.abc import Iterable
from hashlib import sha256
from itertools import dropwhile
from pathlib import Path

from objects import write_changed

HEADER = "/* How ssop._core was built, made by tools/build_info.py. */\n"


def digest_of(files: Iterable[str]) -> str:
    """Return 16 hexadecimal digits that say which sources these are: of their names and contents."""
    digest = sha256()
    for path in sorted(Path(file).as_posix() for file in files):
        digest.update(f"{path}\n{sha256(Path(path).read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()[:16]


def flags_of(command: list[str]) -> str:
    """Return the flags of a compiler's command; those with a path are of one machine, and left out."""
    words = dropwhile(lambda word: not word.startswith("-"), command)
    return " ".join(word for word in words if "/" not in word and "\\" not in word)


def write_build_info(path: Path, command: list[str], numpy_version: str, sources: Iterable[str]) -> None:
    """Write the header with the flags, the version of NumPy's headers, and the digest of the C sources."""
    values = {"FLAGS": flags_of(command), "NUMPY": numpy_version, "SOURCES": digest_of(sources)}
    lines = [f"#define SSOP_BUILD_{name} {json.dumps(value)}\n" for name, value in values.items()]
    write_changed(path, HEADER + "".join(lines))
