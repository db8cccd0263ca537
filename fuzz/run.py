"""Fuzzes the C core with libFuzzer, under the address and undefined-behaviour sanitizers.

    python fuzz/run.py --seconds 60                 every target, so long each
    python fuzz/run.py regions copies --seconds 3600
    python fuzz/run.py --minimise                   drop inputs of the corpus that reach nothing of their own

A target is a header of `fuzz/targets`, whose function makes calls out of bytes and checks their results by rules that
share no code with the library. `fuzz/corpus` has a file of inputs for each; what a run adds to them stays there.
`tests/core/test_corpus.c` replays them in every build of `tests/core/run.py`. A failure leaves its input in the folder
that is printed, and `--input FILE` runs it alone. Needs clang with its runtimes; standard library only.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGETS = sorted(
    path.stem for path in (ROOT / "fuzz" / "targets").glob("*.h") if f"\nfuzz_{path.stem}(" in path.read_text()
)
CORPUS = ROOT / "fuzz" / "corpus"
LONGEST_INPUT = 512
FLAGS = "-std=c11 -g -fno-omit-frame-pointer -fno-sanitize-recover=all -DSSOP_DEBUG -pthread".split()


def run(command: list[str | Path], **options: object) -> None:
    subprocess.run([str(word) for word in command], check=True, **options)  # type: ignore[call-overload]


def compile_source(source: Path, into: Path) -> Path:
    """Return the object of a source file. Edges of kernels say how many items there are, and would drown the others."""
    is_kernel = source.parent.name == "kernels"
    how = ["-O0", "-fsanitize=address"] if is_kernel else ["-O1", "-fsanitize=fuzzer-no-link,address,undefined"]
    run(["clang", *FLAGS, *how, "-c", source, "-o", into / f"{source.stem}.o"])
    return into / f"{source.stem}.o"


def build(targets: Iterable[str], into: Path) -> dict[str, Path]:
    """Return the fuzzer of each target."""
    sources = sorted([*ROOT.glob("csrc/core/*.c"), *ROOT.glob("csrc/copy/**/*.c"), *ROOT.glob("csrc/runtime/*.c")])
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(lambda source: compile_source(source, into), sources))
    binaries = {}
    for target in targets:
        binaries[target] = into / target
        named = [f"-DTARGET=fuzz_{target}", f'-DTARGET_HEADER="{target}.h"']
        folders = ["-I", ROOT / "tests" / "core", "-I", ROOT / "csrc"]
        main = ROOT / "fuzz" / "targets" / "fuzzer.c"
        how = ["-O1", "-fsanitize=fuzzer,address,undefined"]
        run(["clang", *FLAGS, *how, *named, *folders, main, *objects, "-o", binaries[target]])
    return binaries


def unpack(target: str, into: Path) -> None:
    """Write each input of the corpus into a file of its own, as libFuzzer has them."""
    into.mkdir(exist_ok=True)
    packed = (CORPUS / target).read_bytes() if (CORPUS / target).exists() else b""
    at = number = 0
    while at < len(packed):
        size = int.from_bytes(packed[at : at + 2], "little")
        (into / f"{number:06}").write_bytes(packed[at + 2 : at + 2 + size])
        at, number = at + 2 + size, number + 1


def pack(target: str, folder: Path) -> int:
    """Write the corpus of a target, the same bytes for the same inputs; return how many there are."""
    inputs = sorted({path.read_bytes() for path in folder.iterdir()}, key=lambda data: (len(data), data))
    CORPUS.mkdir(exist_ok=True)
    (CORPUS / target).write_bytes(b"".join(len(data).to_bytes(2, "little") + data for data in inputs))
    return len(inputs)


def fuzz(target: str, binary: Path, seconds: int, into: Path) -> str:
    """Run one fuzzer, and keep of its corpus what reaches something of its own; return what it did."""
    folder, kept = into / f"{target}-inputs", into / f"{target}-kept"
    unpack(target, folder)
    limits = [f"-max_len={LONGEST_INPUT}", f"-artifact_prefix={into}/{target}-failure-", "-timeout=20"]
    executions = 0
    if seconds:
        log = into / f"{target}.log"
        with log.open("w") as file:
            run(
                [binary, *limits, f"-max_total_time={seconds}", "-print_final_stats=1", folder],
                stdout=file,
                stderr=file,
            )
        executions = int(re.findall(r"number_of_executed_units: (\d+)", log.read_text())[-1])
    kept.mkdir()
    merged = subprocess.run([binary, *limits, "-merge=1", kept, folder], check=True, capture_output=True, text=True)
    edges = re.findall(r"cov: (\d+)", merged.stderr)
    return f"{executions} executions, {edges[-1] if edges else '?'} edges, {pack(target, kept)} inputs"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("targets", nargs="*", choices=[[], *TARGETS], metavar="TARGET", help=f"of {', '.join(TARGETS)}")
    work = parser.add_mutually_exclusive_group(required=True)
    work.add_argument("--seconds", type=int, help="how long each target is fuzzed")
    work.add_argument("--minimise", action="store_true", help="only reduce the corpus")
    work.add_argument("--input", type=Path, help="run this input of one target")
    arguments = parser.parse_args()
    targets = arguments.targets or TARGETS
    if arguments.input and len(targets) != 1:
        parser.error("--input needs one target")
    folder = Path(tempfile.mkdtemp(prefix="ssop-fuzz-"))
    for target, binary in build(targets, folder).items():
        if arguments.input:
            return subprocess.run([binary, arguments.input], check=False).returncode
        try:
            print(f"{target}: {fuzz(target, binary, arguments.seconds or 0, folder)}", flush=True)
        except subprocess.CalledProcessError:
            print(f"{target}: FAILED; its input and its log are in {folder}", flush=True)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
