"""Builds csrc without the binding, and every C program of this folder, in named configurations, and runs them.

    python tests/core/run.py gcc clang m32 sanitize
    python tests/core/run.py coverage --require 100

One line per configuration and program; the exit code is 1 if anything failed. Nothing is skipped: a compiler or a tool
that is absent fails its configuration. cc-default, gcc and coverage check the large enumerations in full. The other
builds check one case in some, with --fewer N one in N of those. Their lines say how many of how many cases.
Standard library only.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CSRC = ROOT / "csrc"
WARNINGS = (
    "-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wvla -Wstrict-prototypes -Wmissing-prototypes -Werror"
).split()
TIMEOUT_SECONDS = 1800
jobs = os.cpu_count() or 1  # compilers and programs that run at a time; an option sets it
fewer = 1  # builds that check one case in some check one in so many of those; an option sets it

# What core and copy may expect of the machine they run on, and nothing else.
C_LIBRARY = {"memcpy", "memmove", "memset"}
# Headers of a compiler that has no C library, vector instructions among them.
FREESTANDING_HEADERS = {"arm_neon.h", "immintrin.h", "limits.h", "stdbool.h", "stddef.h", "stdint.h"}
# Those that the runtime, and nothing else, may have besides, and those of the files that know one system.
SYSTEM_HEADERS = {
    "runtime": {"stdatomic.h", "stdio.h", "stdlib.h", "string.h"},
    "runtime/system_posix.h": {
        *("malloc.h", "pthread.h", "sched.h", "signal.h", "stdlib.h", "sys/mman.h", "time.h", "unistd.h"),
    },
    "runtime/system_windows.h": {"malloc.h", "stdlib.h", "windows.h"},
}
# What declares the copy engine, which the core knows nothing of.
COPY_INTERFACE = {CSRC / "include" / "ssop" / name for name in ("copying.h", "policies.h", "ssop.h")}
# The only data that may change: the CPU target that was chosen (targets.c), the policies in use (policies.c), and the
# variant that is forced (force.c).
MUTABLE_DATA = {"chosen", "replaced", "ssop_variant_forced", "used"}
# One source file per CPU target beyond portable C: x86_avx2.c.
TARGET_SOURCES = {path.stem: path.stem.split("_")[1] for path in CSRC.glob("copy/kernels/*_*.c")}
# Those that SIMDe can run where the processor cannot (emulated/immintrin.h).
EMULATED_SOURCES = sorted(CSRC.glob("copy/kernels/x86_avx512*.c"))
# Operations of vectors that several CPU targets share; none uses all of them.
OPERATIONS = {"x86.h", "x86_x2.h"}
# What runs kernels.
KERNEL_PROGRAMS = (
    "dilate",
    "far",
    "guard",
    "joined",
    "kernels",
    "loopnest",
    "pad",
    "parts",
    "policies",
    "rearrange",
    "select",
    "small",
    "tiles",
    "variants",
)


class Failure(Exception):
    """A configuration did not do what it must; the text says what."""


@dataclass(frozen=True)
class Build:
    compiler: str  # words of a command
    flags: str
    runner: tuple[str, ...] = ()
    only: tuple[str, ...] = ()  # programs; all, if none is named
    without: tuple[str, ...] = ()
    link: str = ""  # further flags, where programs are linked
    one_case_in: int = 1  # of the large enumerations
    emulates: bool = False  # the kernels of EMULATED_SOURCES
    merges: bool = False  # the library into one object file, as the linker optimises it
    suffix: str = ""  # of a program's file

    @property
    def share(self) -> int:
        """One case in so many is checked of the large enumerations."""
        return self.one_case_in * (fewer if self.one_case_in > 1 else 1)


# Threads of a pool live on to the end, with what belongs to them.
VALGRIND = (
    "valgrind",
    "-q",
    "--fair-sched=yes",  # or a thread that waits in a loop keeps the one that it waits for from running
    "--error-exitcode=9",
    "--leak-check=full",
    "--errors-for-leak-kinds=definite",
    "--show-leak-kinds=definite",
)
# Compiling the checked kernels with optimisation takes three times as long as running all programs without.
SANITIZE = "-O0 -g -fno-omit-frame-pointer -fno-sanitize-recover=all -fsanitize=address,undefined"
# The C library of Windows knows other formats of printf. An aligned store may hit a stack that is not (GCC bug 54412).
MINGW = "-O2 -D__USE_MINGW_ANSI_STDIO=1 -Wa,-muse-unaligned-vector-move"
WINE = ("env", "WINEDEBUG=-all", f"WINEPREFIX={tempfile.gettempdir()}/ssop-wine", "wine")
BUILDS = {
    "cc-default": Build("cc", "-O2"),
    "cc-quick": Build("cc", "-O0", one_case_in=16),  # what the default test stage has the time for
    "gcc": Build("gcc", "-O2"),
    "clang": Build("clang", "-O2", one_case_in=8),
    "gcc-O0": Build("gcc", "-O0", one_case_in=8),
    "gcc-O3": Build("gcc", "-O3", one_case_in=8),
    # Once for all programs: the optimisation takes longer than all of them.
    "lto": Build("gcc", "-O2 -flto", one_case_in=8, merges=True),
    "debug": Build("gcc", "-O0 -g -DSSOP_DEBUG", one_case_in=8),
    "m32": Build("gcc", "-O2 -m32", one_case_in=8),
    # implicit-conversion finds what -Wconversion cannot know; unsigned wrap-around is meant where it stands.
    "sanitize": Build("clang", f"{SANITIZE},implicit-conversion -DSSOP_DEBUG", one_case_in=16),
    "sanitize-gcc": Build("gcc", f"{SANITIZE} -DSSOP_DEBUG", one_case_in=16),
    "memory": Build("clang", "-O1 -g -fno-sanitize-recover=all -fsanitize=memory", one_case_in=16),
    # What starts threads; the others would only take their time.
    "thread": Build("clang", "-O1 -g -fsanitize=thread -DSSOP_DEBUG", only=("blocks", "threads")),
    # A system that the runtime knows nothing about.
    "no-system": Build(
        "gcc", "-O2 -U__unix__ -U__APPLE__", only=("blocks", "caches", "free_lists", "pieces", "processors", "threads")
    ),
    "musl": Build("musl-gcc", "-O2", one_case_in=8),
    "valgrind": Build("gcc", "-O2 -g", VALGRIND, one_case_in=128),
    "mingw": Build("x86_64-w64-mingw32-gcc", MINGW, WINE, one_case_in=8, suffix=".exe"),
    # Big endian. For the programs of threads see AARCH64.
    "s390x": Build("s390x-linux-gnu-gcc", "-O1", ("qemu-s390x",), without=("threads",), link="-static", one_case_in=32),
    # The AVX-512 kernels on every machine, and the only place where some of them run.
    "emulated": Build("gcc", "-O1", only=KERNEL_PROGRAMS, one_case_in=8, emulates=True),
}
# qemu-user 7.2 fails an assertion of its own when a program that has threads forks.
AARCH64 = Build(
    "clang",
    "--target=aarch64-linux-gnu -O2",
    ("qemu-aarch64",),
    without=("threads",),
    link="-static -fuse-ld=lld",
    one_case_in=8,
)


def library_sources() -> list[Path]:
    return sorted([*CSRC.glob("core/*.c"), *CSRC.glob("copy/**/*.c")])


def runtime_sources() -> list[Path]:
    return sorted(CSRC.glob("runtime/*.c"))


def programs(build: Build) -> list[Path]:
    every = {path.stem.removeprefix("test_"): path for path in HERE.glob("test_*.c")}
    return sorted(every[name] for name in (build.only or every) if name not in build.without)


def run(command: Sequence[str | Path], cwd: Path | None = None) -> str:
    """The standard output of a command that must succeed."""
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
    except FileNotFoundError as error:
        raise Failure(f"{command[0]}: not on this machine") from error
    except subprocess.TimeoutExpired as error:
        raise Failure(f"{command[0]}: no end after {TIMEOUT_SECONDS} s") from error
    if done.returncode != 0:
        raise Failure(f"exit code {done.returncode}\n{done.stdout}{done.stderr}".rstrip())
    return done.stdout


def show(line: str) -> None:
    """Print a line as one piece: print writes its end apart, and another thread may write between the two."""
    print(line + "\n", end="", flush=True)


def in_parallel(call: Callable[[Path], object], items: Iterable[Path]) -> None:
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for _ in pool.map(call, items):
            pass


def compile_library(build: Build, into: Path) -> list[Path]:
    """One object file per source file, or one for all of them."""
    objects = {source: into / f"{source.stem}.o" for source in [*library_sources(), *runtime_sources()]}
    if len(set(objects.values())) != len(objects):
        raise Failure("two source files of one name")
    command = [*build.compiler.split(), *WARNINGS, "-pthread", *build.flags.split()]
    in_parallel(lambda source: run([*command, "-c", source, "-o", objects[source]], into), objects)
    if build.emulates:
        emulate(build, EMULATED_SOURCES, into)
    if build.merges:
        merged = into / "library.o"
        run([*command, "-r", "-flinker-output=nolto-rel", *objects.values(), "-o", merged])
        return [merged]
    return list(objects.values())


def emulate(build: Build, sources: Iterable[Path], into: Path) -> None:
    """Replaces the object files of kernels: in C, these do what the instructions do that this machine may lack."""
    flags = [*build.flags.split(), "-std=gnu11", "-msse4.2", "-w", "-Werror=implicit-function-declaration"]
    command = [*build.compiler.split(), *flags, "-I", HERE / "emulated"]
    in_parallel(lambda source: run([*command, "-c", source, "-o", into / f"{source.stem}.o"], into), sources)


def program_flags(build: Build) -> list[str]:
    """What every program is compiled with."""
    folders = [f"-I{folder}" for folder in (CSRC, HERE, ROOT)]
    return [*folders, f"-DONE_CASE_IN={build.share}", f'-DFUZZ_CORPUS="{ROOT / "fuzz/corpus"}"']


def compile_program(build: Build, program: Path, objects: list[Path], into: Path) -> Path:
    binary = into / (program.stem + build.suffix)
    flags = [*WARNINGS, "-pthread", *build.flags.split(), *build.link.split(), *program_flags(build)]
    run([*build.compiler.split(), *flags, program, *objects, "-o", binary], into)
    return binary


def run_program(name: str, build: Build, program: Path, objects: list[Path], into: Path) -> bool:
    try:
        binary = compile_program(build, program, objects, into)
        start = time.monotonic()
        output = run([*build.runner, binary])
        match = re.fullmatch(rf"{program.stem}: (\d+) checks(, \d+ of \d+ cases)?\n", output)
        if match is None or int(match[1]) == 0 or (match[2] and build.share == 1):
            raise Failure(f"printed {output!r}")
        seconds = time.monotonic() - start
    except Failure as failure:
        show(f"{name:12} {program.stem:20} FAILED: {failure}")
        return False
    show(f"{name:12} {program.stem:20} {int(match[1]):>10} checks {seconds:7.2f} s{match[2] or ''}")
    return True


def run_programs(name: str, build: Build, objects: list[Path], into: Path) -> None:
    """Every program, also after one has failed."""
    outcomes: list[bool] = []
    in_parallel(lambda program: outcomes.append(run_program(name, build, program, objects, into)), programs(build))
    if not outcomes or not all(outcomes):
        raise Failure(f"{outcomes.count(False)} of {len(outcomes)} programs failed")


def build_and_run(name: str, build: Build, into: Path) -> str:
    run_programs(name, build, compile_library(build, into), into)
    if build.emulates and (
        lost := {TARGET_SOURCES[path.stem] for path in EMULATED_SOURCES} - set(targets(build, into))
    ):
        raise Failure(f"did not run: {sorted(lost)}")
    return f"{len(programs(build))} programs"


def targets(build: Build, into: Path) -> list[str]:
    """Those whose kernels the programs have run with."""
    return run([*build.runner, into / f"test_kernels{build.suffix}", "targets"]).split()


def check_layers(into: Path) -> str:
    """Each layer includes itself and those before it; only the runtime also headers of the C library.

    Headers of one system are included in its one file.

    The core does not include the interface of the copy engine.
    """
    allowed = {
        CSRC / "include": [CSRC / "include"],
        CSRC / "core": [CSRC / "include", CSRC / "core"],
        CSRC / "copy": [CSRC / "include", CSRC / "core", CSRC / "copy"],
        CSRC / "runtime": [CSRC / "include", CSRC / "core", CSRC / "copy", CSRC / "runtime"],
    }
    count = 0
    for folder, layers in allowed.items():
        for path in sorted([*folder.rglob("*.c"), *folder.rglob("*.h")]):
            text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
            lines = re.findall(r"^\s*#\s*include\b.*", text, flags=re.M)
            for line in lines:
                count += 1
                match = re.fullmatch(r'\s*#\s*include\s*(?:<(\S+)>|"(\S+)")\s*', line)
                if match is not None and match[1] is not None:
                    name = str(path.relative_to(CSRC))
                    legal = match[1] in FREESTANDING_HEADERS | SYSTEM_HEADERS.get(
                        name, SYSTEM_HEADERS.get(folder.name, set())
                    )
                else:
                    target = None if match is None else (path.parent / match[2]).resolve()
                    legal = target is not None and any(target.is_relative_to(layer) for layer in layers)
                    legal = legal and not (folder.name == "core" and target in COPY_INTERFACE)
                if not legal:
                    raise Failure(f"{path.relative_to(CSRC)}: {line.strip()}")
    if count < len(library_sources()) + len(runtime_sources()) or not runtime_sources():
        raise Failure(f"only {count} includes found")
    return f"{count} includes"


def symbols(tool: str, objects: Iterable[Path]) -> list[tuple[str, str]]:
    """Type letter and name of every symbol, as nm prints them."""
    lines = run([tool, *objects]).splitlines()
    return [(found[1], found[2]) for line in lines if (found := re.match(r"\S*\s+([A-Za-z])\s+(\S+)$", line))]


def check_freestanding(into: Path) -> str:
    """One bare compiler call; then nothing foreign, no name without the prefix, no data that could change."""
    run(["cc", "-std=c11", "-O2", "-ffreestanding", "-fno-pie", "-c", *library_sources()], into)
    found = symbols("nm", sorted(into.glob("*.o")))
    defined = {name for kind, name in found if kind.isupper() and kind != "U"}
    undefined = {name for kind, name in found if kind == "U"} - defined
    if foreign := undefined - C_LIBRARY:
        raise Failure(f"undefined: {sorted(foreign)}")
    if nameless := {name for name in defined if not name.startswith("ssop_")}:
        raise Failure(f"global without the prefix ssop_: {sorted(nameless)}")
    if mutable := {name for kind, name in found if kind in "DdBbCGgSs"} - MUTABLE_DATA:
        raise Failure(f"data that can change: {sorted(mutable)}")
    if len(defined) < 20 or "ssop_strided_slice_resolve" not in defined:
        raise Failure(f"only {len(defined)} symbols found")
    return f"{len(defined)} symbols, undefined: {' '.join(sorted(undefined))}"


def check_wasm(into: Path) -> str:
    """Links for WebAssembly, where the 64-bit helpers of a compiler's own library are not."""
    names = into / "c_library"
    names.write_text("\n".join(sorted(C_LIBRARY)), encoding="utf-8")
    sizes = []
    for level in ("-O0", "-O2", "-O3"):
        folder = into / level
        folder.mkdir()
        flags = ["--target=wasm32", "-std=c11", level, "-ffreestanding", "-nostdlib"]
        run(["clang", *flags, "-c", *library_sources()], folder)
        module = folder / "ssop.wasm"
        link = ["wasm-ld", "--no-entry", "--export-all", f"--allow-undefined-file={names}", "-o", module]
        run([*link, *sorted(folder.glob("*.o"))])
        if module.read_bytes()[:4] != b"\0asm":
            raise Failure(f"{level}: no module")
        sizes.append(f"{level} {module.stat().st_size} bytes")
    return ", ".join(sizes)


def check_macos(into: Path) -> str:
    """Compiles and links every program for macOS, by headers and libraries of the package ziglang. Nothing can run."""
    for cpu in ("aarch64", "x86_64"):
        build = Build("python3 -m ziglang cc", f"-target {cpu}-macos -O1")
        folder = into / cpu
        folder.mkdir()
        objects = compile_library(build, folder)
        in_parallel(partial(compile_program, build, objects=objects, into=folder), programs(build))
        if (folder / "test_range").read_bytes()[:4] != b"\xcf\xfa\xed\xfe":
            raise Failure(f"{cpu}: no program of macOS")
    return f"{len(programs(build))} programs for each of two processors"


def check_aarch64(into: Path) -> str:
    """The NEON kernels, in an emulator."""
    text = build_and_run("aarch64", AARCH64, into)
    found = symbols("nm", [into / f"{source.stem}.o" for source in library_sources()])
    if foreign := {name for kind, name in found if kind == "U" and not name.startswith("ssop_")} - C_LIBRARY:
        raise Failure(f"undefined: {sorted(foreign)}")
    if "neon" not in targets(AARCH64, into):
        raise Failure("no NEON kernels")
    return f"{len(found)} symbols, {text}"


# (file, function, line) -> times run; the same with a number appended -> times that branch was taken. Functions of a
# header that several files include count once; those of a template count once per instance and CPU target.
Lines = dict[tuple[str, str, int], int]
Branches = dict[tuple[str, str, int, int], int]


def is_template(path: Path) -> bool:
    """True for a header that each CPU target includes, to make kernels of its own; x86.h gives it only operations."""
    kernels = path.is_relative_to(CSRC / "copy/kernels") and path.suffix == ".h"
    return kernels and path.name not in OPERATIONS and "#ifndef SSOP_" not in path.read_text(encoding="utf-8")


def read_coverage(objects: list[Path], into: Path) -> tuple[Lines, Branches]:
    lines: Lines = {}
    branches: Branches = {}
    for document in run(["gcov", "-b", "--json-format", "--stdout", *objects], into).splitlines():
        figures = json.loads(document)
        for file in figures["files"]:
            path = (into / file["file"]).resolve()
            if not path.is_relative_to(CSRC):  # vector instructions, in the compiler's own headers
                continue
            unit = f" of {Path(figures['data_file']).stem}" if is_template(path) else ""
            for line in file["lines"]:
                key = (str(path.relative_to(CSRC)), line["function_name"] + unit, line["line_number"])
                lines[key] = lines.get(key, 0) + line["count"]
                for number, branch in enumerate(line["branches"]):
                    place = (*key, number)
                    branches[place] = branches.get(place, 0) + branch["count"]
    return lines, branches


def percentage(counts: Iterable[int]) -> float:
    reached = [count > 0 for count in counts]
    return 100 * sum(reached) / len(reached) if reached else 100.0


def print_coverage(lines: Lines, branches: Branches) -> None:
    """A row per file, then everything that was not reached."""
    print(f"{'file':32}{'lines':>14}{'branches':>15}")
    for name in sorted({key[0] for key in lines}):
        row = f"{name:32}"
        for figures in (lines, branches):
            counts = [count for key, count in figures.items() if key[0] == name]
            row += f"{len(counts):>6} {percentage(counts):5.1f} % "
        print(row.rstrip())
    for name, function, number in sorted(key for key, count in lines.items() if count == 0):
        print(f"never run: {name}:{number} ({function})")
    for name, function, number, branch in sorted(key for key, count in branches.items() if count == 0):
        if lines[name, function, number] > 0:
            print(f"never taken: {name}:{number} branch {branch} ({function})")


def check_coverage(into: Path, required: float) -> str:
    """Lines and branches of core and copy that the programs reach, all of them together."""
    # Rare branches need every case. test_guard takes no branch that test_kernels does not take.
    build = Build("gcc", "-O0 -g --coverage", without=("cpu", "guard"))
    objects = compile_library(build, into)
    compile_program(build, HERE / "test_kernels.c", objects, into)
    here = targets(build, into)
    absent = sorted(stem for stem, target in TARGET_SOURCES.items() if target not in here)
    print(f"kernels that this machine cannot run: {', '.join(absent) or 'none'}", flush=True)
    run_programs("coverage", replace(build, only=("cpu",), without=()), objects, into)
    emulated = [source for source in EMULATED_SOURCES if source.stem in absent and "ssse3" in here]
    emulate(build, emulated, into)
    run_programs("coverage", build, objects, into)
    unreached = set(absent) - {source.stem for source in emulated}
    names = {source.stem for source in library_sources()}  # the runtime's failures are the system's, and not to be had
    lines, branches = read_coverage([path for path in objects if path.stem in names - unreached], into)
    if len({name for name, _, _ in lines}) < len(library_sources()) - len(unreached):
        raise Failure("figures of too few files")
    print_coverage(lines, branches)
    totals = percentage(lines.values()), percentage(branches.values())
    text = f"{len(lines)} lines {totals[0]:.2f} %, {len(branches)} branches {totals[1]:.2f} %"
    if min(totals) < required:
        raise Failure(f"{text}; {required:g} % required")
    return text


CHECKS: dict[str, Callable[[Path], str]] = {
    "aarch64": check_aarch64,
    "macos": check_macos,
    "layers": check_layers,
    "freestanding": check_freestanding,
    "wasm": check_wasm,
}


def main() -> int:
    global jobs, fewer
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    names = [*BUILDS, *CHECKS, "coverage"]
    parser.add_argument("configuration", nargs="+", choices=names, metavar="configuration", help=", ".join(names))
    parser.add_argument("--require", type=float, default=100, metavar="PERCENT", help="least coverage (default: 100)")
    parser.add_argument("--jobs", type=int, default=jobs, help=f"compilers and programs at a time (default: {jobs})")
    parser.add_argument("--fewer", type=int, default=1, metavar="N", help="one case in N of those of a build's share")
    arguments = parser.parse_args()
    if arguments.jobs < 1 or arguments.fewer < 1:
        parser.error("--jobs and --fewer must be at least 1")
    jobs, fewer = arguments.jobs, arguments.fewer
    failed = []
    for name in arguments.configuration:
        start = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            try:
                if name in CHECKS:
                    text = CHECKS[name](Path(folder))
                elif name == "coverage":
                    text = check_coverage(Path(folder), arguments.require)
                else:
                    text = build_and_run(name, BUILDS[name], Path(folder))
            except Failure as failure:
                failed.append(name)
                text = f"FAILED: {failure}"
        print(f"{name:12} {text} ({time.monotonic() - start:.1f} s)", flush=True)
    if failed:
        print(f"failed: {' '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
