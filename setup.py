"""The C extension and its build switches; everything else is in pyproject.toml.

Switches are environment variables set to 1: SSOP_DEBUG (assertions, no optimisation), SSOP_SANITIZE (address and
undefined-behaviour sanitizers, no optimisation), SSOP_COVERAGE (gcov), SSOP_WERROR (many warnings, all errors).
"""

import os
import platform
import shlex
import subprocess
import sys
import sysconfig
from glob import glob
from pathlib import Path

import numpy
from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "tools"))
from build_info import write_build_info, write_sbom  # noqa: E402
from docstrings import write_header  # noqa: E402
from objects import FLAGS, Objects, alone_in  # noqa: E402

STUBS = [Path(path) for path in sorted(glob("python/ssop/_core*.pyi"))]
LAYERS = ("core", "copy", "runtime", "python")  # csrc/wasm is another program's
SOURCES = [path for layer in LAYERS for path in sorted(glob(f"csrc/{layer}/**/*.c", recursive=True))]
HEADERS = [path for ext in ("h", "def") for path in sorted(glob(f"csrc/**/*.{ext}", recursive=True))]
WINDOWS = os.name == "nt"
NO_MSVC = "ssop is C of GCC and Clang, with vector types that MSVC lacks: build it with mingw-w64 (docs/support.md)"
SWITCHES = ("SSOP_DEBUG", "SSOP_SANITIZE", "SSOP_COVERAGE", "SSOP_WERROR")


def is_on(switch: str) -> bool:
    value = os.environ.get(switch, "0")
    if value not in ("", "0", "1"):
        raise SystemExit(f"{switch} must be 0 or 1, not {value!r}")
    return value == "1"


def compiles_with(flag: str) -> bool:
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or ("gcc" if WINDOWS else "cc"))
    command = [*compiler, flag, "-x", "c", "-c", "-", "-o", os.devnull]
    try:
        return subprocess.run(command, input=b"int x;", capture_output=True, check=False).returncode == 0
    except FileNotFoundError:  # the build itself will say so
        return False


def branch_flags() -> list[str]:
    """Return the flag that keeps jumps off 32-byte boundaries, as the assembler or the compiler spells it.

    Intel processors from Skylake to Cascade Lake decode other jumps anew each time (record branch-alignment).
    """
    if platform.machine().lower() not in ("x86_64", "amd64", "i386", "i686"):
        return []
    spellings = ("-Wa,-mbranches-within-32B-boundaries", "-mbranches-within-32B-boundaries")
    return [flag for flag in spellings if compiles_with(flag)][:1]


def loop_flags() -> list[str]:
    """Return the flag that begins loops at a line of the instruction cache, if the compiler has it.

    A loop of one vector per round takes longer if it spans two lines (record loop-alignment).
    """
    flag = "-falign-loops=64"
    return [flag] if compiles_with(flag) else []


def windows_flags() -> list[str]:
    """Return the flag that makes no aligned moves, if the assembler has it.

    The stack is aligned to 16 bytes only, which GCC may forget for larger vectors (its bug 54412).
    """
    flag = "-Wa,-muse-unaligned-vector-move"
    return [flag] if compiles_with(flag) else []


def path_flags() -> list[str]:
    """Return flags that keep the paths of this machine out of the debugging information.

    With them a wheel is the same in every folder. Where a debugger or gcov needs the paths, they stay.
    """
    needs_paths = any(is_on(switch) for switch in ("SSOP_DEBUG", "SSOP_SANITIZE", "SSOP_COVERAGE"))
    if needs_paths or not compiles_with("-ffile-prefix-map=a=b"):
        return []
    names = {os.getcwd(): ".", sysconfig.get_path("include"): "python", numpy.get_include(): "numpy"}
    return [f"-ffile-prefix-map={path}={name}" for path, name in names.items()]  # of several that fit, the last


def flags() -> tuple[list[str], list[str]]:
    # A vector load that spans recent scalar stores cannot be forwarded from the store buffer: with vectors made by the
    # compiler small calls take longer (record compiled-vectors). Kernels say where they want vectors. Without the
    # alignment every edit moves all functions, and changes the time of small calls.
    compile_flags = ["-std=c11", "-O3", "-fno-tree-vectorize", "-falign-functions=64"]
    # Debugging information has lines and functions: the places of variables would take a third of the time to compile.
    compile_flags += ["-g1"]
    system_flags = windows_flags() if WINDOWS else ["-pthread", "-fvisibility=hidden"]
    compile_flags += [*system_flags, "-Wall", "-Wextra", *branch_flags(), *loop_flags(), *path_flags()]
    link_flags = ["-static"] if WINDOWS else ["-pthread"]  # a wheel has no DLL of the compiler's
    if is_on("SSOP_DEBUG"):
        compile_flags += ["-DSSOP_DEBUG", "-UNDEBUG", "-O0", "-g3"]
    if is_on("SSOP_SANITIZE"):
        sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"]
        sanitizers += ["-fno-wrapv"]  # Python's own flags would hide signed overflow
        compile_flags += [*sanitizers, "-O0", "-g"]  # with optimisation this takes as long as all tests that use it
        link_flags += sanitizers
    if is_on("SSOP_COVERAGE"):
        compile_flags += ["--coverage", "-O0"]
        link_flags += ["--coverage"]
    if is_on("SSOP_WERROR"):
        compile_flags += ["-Werror", "-Wconversion", "-Wshadow", "-Wstrict-prototypes", "-Wvla"]
    return compile_flags, link_flags


def compiler_version(command: list[str]) -> str:
    """Return what the compiler says of itself: after an update it makes other objects."""
    return subprocess.run([*command, "--version"], capture_output=True, text=True, check=False).stdout


def objects_folder() -> Path:
    """Return a folder that the next build finds, too: those of pip are gone after an editable installation."""
    python = sysconfig.get_config_var("SOABI") or sys.implementation.cache_tag
    return Path("build", "-".join(["objects", python, *(switch.lower() for switch in SWITCHES if is_on(switch))]))


class Build(build_ext):
    """Makes headers (docstrings, how it is built), and compiles the source files that have changed at the same time.

    The option `parallel` of build_ext compiles whole extensions at the same time, and there is one.
    """

    def finalize_options(self) -> None:
        super().finalize_options()
        if WINDOWS and self.compiler is None:
            self.compiler = "mingw32"

    def build_extensions(self) -> None:
        if self.compiler.compiler_type == "msvc":
            raise SystemExit(NO_MSVC)
        folder = objects_folder()
        self.build_temp = str(folder)
        self.force = True  # link always: build_ext does not see that a flag has changed or a file has gone
        with alone_in(folder):
            write_header(folder / "docstrings.h", STUBS)
            command = [*getattr(self.compiler, "compiler_so", []), *compile_flags]
            write_build_info(folder / "build_info.h", command, numpy.__version__, [*SOURCES, *HEADERS])
            self.compiler.add_include_dir(self.build_temp)
            if self.compiler.compiler_type == "unix":
                self.compile_all, self.compiler.compile = self.compiler.compile, self.compile_changed
            super().build_extensions()

    def compile_changed(self, sources: list[str], **options) -> list[str]:
        options["extra_postargs"] = [*options["extra_postargs"], *FLAGS]
        made = [f"{self.build_temp}/{name}.h" for name in ("docstrings", "build_info")]
        files = [*sources, *options.pop("depends"), *made]
        compiler = self.compiler.compiler_so
        # In a build environment of pip's, NumPy's headers have another path each time.
        command = repr([compiler, self.compiler.include_dirs, options]).replace(numpy.get_include(), numpy.__version__)
        objects = Objects(Path(self.build_temp), command + compiler_version(compiler) + sys.version, files)
        processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        return objects.compile(sources, lambda source: self.compile_all([source], **options), processors)


class Wheel(bdist_wheel):
    """Writes the bill of materials beside the metadata."""

    def write_wheelfile(self, wheelfile_base: str, **options) -> None:
        super().write_wheelfile(wheelfile_base, **options)
        write_sbom(Path(wheelfile_base, "sboms"), self.distribution.get_version())


compile_flags, link_flags = flags()
setup(
    cmdclass={"build_ext": Build, "bdist_wheel": Wheel},
    ext_modules=[
        Extension(
            "ssop._core",
            sources=SOURCES,
            depends=[*HEADERS, *map(str, STUBS)],
            include_dirs=[numpy.get_include()],
            extra_compile_args=compile_flags,
            extra_link_args=link_flags,
        )
    ],
)
