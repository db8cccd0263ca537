"""What a build says of itself: a C header for `ssop.show_config`, and the bill of materials of a wheel.

Neither has a time or a path, so that the same sources, compiler and flags give the same wheel in any folder.
"""

import json
from collections.abc import Iterable
from hashlib import sha256
from itertools import dropwhile
from pathlib import Path

from objects import write_changed

HEADER = "/* How ssop._core was built, made by tools/build_info.py. */\n"
SBOM = "ssop.cdx.json"
"""The file in the folder `sboms` of a wheel's metadata (PEP 770)."""


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


def write_sbom(folder: Path, version: str) -> None:
    """Write the bill of materials, in CycloneDX's JSON: a wheel of ssop has its own code, and none of others."""
    component = {
        "type": "library",
        "bom-ref": "ssop",
        "name": "ssop",
        "version": version,
        "purl": f"pkg:pypi/ssop@{version}",
        "licenses": [{"license": {"id": "Apache-2.0"}}],
    }
    bom = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": component},
        "components": [],
        "dependencies": [{"ref": "ssop", "dependsOn": []}],
        "compositions": [{"aggregate": "complete", "assemblies": ["ssop"]}],
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SBOM).write_text(json.dumps(bom, indent=2) + "\n", encoding="utf-8")
