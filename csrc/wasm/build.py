"""Compiles the core and the exports of the explorer page to WebAssembly, without a C library.

    python csrc/wasm/build.py           writes python/ssop/_explore/core.wasm
    python csrc/wasm/build.py --check   exits with 1 if that file is not what these sources and this compiler give

Needs clang and wasm-ld (LLVM 14 for the same bytes as the stored file). Standard library only.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

CSRC = Path(__file__).resolve().parents[1]
STORED = CSRC.parent / "python" / "ssop" / "_explore" / "core.wasm"
SOURCES = sorted([*CSRC.glob("core/*.c"), *CSRC.glob("wasm/*.c")])
COMPILE = ["clang", "--target=wasm32", "-std=c11", "-Oz", "-ffreestanding", "-fno-builtin", "-nostdlib"]
COMPILE += ["-Wall", "-Wextra", "-Werror", "-ffunction-sections", "-fdata-sections", "-fvisibility=hidden"]
LINK = ["wasm-ld", "--no-entry", "--gc-sections", "--strip-all"]


def build(folder: Path) -> bytes:
    """The module, made in `folder`; it imports nothing."""
    relative = [str(path.relative_to(CSRC)) for path in SOURCES]
    objects = []
    for source in relative:
        target = folder / f"{Path(source).stem}.o"
        subprocess.run([*COMPILE, "-c", source, "-o", target], cwd=CSRC, check=True)
        objects.append(target)
    module = folder / "core.wasm"
    subprocess.run([*LINK, *objects, "-o", module], check=True)
    return module.read_bytes()


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        module = build(Path(folder))
    if sys.argv[1:] == ["--check"]:
        same = STORED.read_bytes() == module
        print(f"core.wasm: {len(module)} bytes, {'as stored' if same else 'not those that are stored'}")
        return 0 if same else 1
    STORED.write_bytes(module)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
