"""Mutants of csrc: are the tests able to fail?

    python fuzz/mutation.py csrc/core/range.c csrc/core/dynamic_slice.c
    python fuzz/mutation.py csrc/python/move.c
    python fuzz/mutation.py --sample 60 csrc/copy/execute.c
    python fuzz/mutation.py --address csrc/core/range.c
    python fuzz/mutation.py --emulated csrc/copy/tables.c
    python fuzz/mutation.py --report

Each mutant of a file is compiled and linked with the other objects. Mutants of csrc/core and csrc/copy go into the C
programs of tests/core. Those of csrc/python go into a copy of the package, which pytest runs TEST_FILES with. Objects
are made anew where sources have changed, and the tests must pass without a fault first. The tests that call the file
run until one fails: then the mutant is killed. If its object file is the same as without the fault, it is not counted.
The outcomes are kept in build/mutation. While the file stays as it is, only survivors are tried again that no reason
calls equivalent.

fuzz/mutation.json has the counts of each file with the date, and every mutant that survived, with the reason. Reasons
begin with "equivalent" if no call can tell, and with "speed only" if calls only take longer or shorter. Neither is
counted.

--sample takes so many mutants of each file, those whose SHA-256 is least, and the record has their number. With
--address, AddressSanitizer ends C programs that read past an array. With --emulated, C does what the AVX-512 kernels
do, for a processor that lacks them.

--report prints the sums, for samples the interval of 95 % confidence, and fails if a reason is missing.
"""

import argparse
import datetime
import hashlib
import json
import math
import os
import resource
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests" / "core"), str(Path(__file__).resolve().parent)]

import run as programs  # noqa: E402
from mutants import Mutant, mutants_of, sample_of  # noqa: E402

RESULTS = ROOT / "fuzz" / "mutation.json"
WORK = ROOT / "build" / "mutation"
SHARE = 16
FLAGS = ["-std=c11", "-O1", "-w", "-pthread"]
# What C leaves undefined ends the program, in the file that is changed.
TRAPS = ["-fsanitize=undefined", "-fsanitize=bounds-strict", "-fsanitize-undefined-trap-on-error"]
ADDRESS = "-fsanitize=address"
SLOWER = 5  # a mutant that takes so many times as long does not end
# What the binding's mutants must fail, the fastest first; each line is one process.
WHOLE = "memory/test_allocation_failures.py::test_th_s2_every_write_is_whole_or_nothing"
COUNTS = "memory/test_refcounts.py::test_calls_on_arrays"
SIGNALS = "memory/test_gil_and_signals.py::test"
TEST_FILES = (
    ("regressions/test_moves.py", "regressions/test_boundary.py", "unit/test_out.py", "unit/test_arrays.py"),
    ("unit/test_arguments.py", "unit/test_updates.py"),
    (f"{WHOLE}[int64]", f"{WHOLE}[object]", f"{WHOLE}[string]", f"{WHOLE}[titled record]"),
    (*(f"{COUNTS}[object-{name}]" for name in ("reshape out", "pad out", "grad out", "grad overlap", "copy overlap")),),
    ("unit/test_explain_copy.py",),
    (
        f"{SIGNALS}_th_s2_ctrl_c_during_a_copy_of_references",
        f"{SIGNALS}_ctrl_c_during_a_copy_of_references_into_a_new_array",
        "unit/test_limits.py::test_an_overlap_too_large_to_buffer_leaves_everything_alone",
    ),
    (
        "memory/test_changed_in_flight.py::test_titles_of_dtypes_are_compared",
        "memory/test_changed_in_flight.py::test_items_are_overwritten",
    ),
)
# Without the plugins that are installed, which take longer to import than most tests to run.
PYTEST = ("-x", "-q", "-o", "addopts=", "--import-mode=importlib", "-m", "not long", "-p", "no:cacheprovider")
# Reasons that begin with one of these are of mutants that are not counted.
NOT_COUNTED = ("equivalent", "speed only")


@dataclass
class Test:
    """A C program, or a file of tests."""

    name: str
    command: list[str | Path]
    objects: list[Path] = field(default_factory=list)  # its own
    seconds: float = 0.0  # without a fault


class Campaign:
    """The objects that mutants are linked with, all of them made once, and the tests."""

    def __init__(self, compiler: str, folder: Path) -> None:
        self.compiler, self.folder = compiler, folder
        self.objects: dict[Path, Path] = {}
        self.tests: list[Test] = []
        self.compile_flags, self.link_flags, self.environment = FLAGS, ["-pthread"], dict(os.environ)
        self.own = tempfile.TemporaryDirectory()  # another campaign may run at the same time
        self.scratch = Path(self.own.name)
        self.linked = self.scratch / "program"
        folder.mkdir(parents=True, exist_ok=True)

    def passes(self, test: Test, instead: dict[Path, Path]) -> bool:
        """Link and run. The limit is one of processor time: the machine may have other work."""
        objects = [instead.get(source, target) for source, target in self.objects.items()]
        command = [self.compiler, *self.link_flags, *test.objects, *objects, "-o", self.linked]
        subprocess.run(command, check=True, capture_output=True)
        seconds = math.ceil(2 + SLOWER * test.seconds) if test.seconds else 600
        limit = partial(resource.setrlimit, resource.RLIMIT_CPU, (seconds, seconds))
        options = {"capture_output": True, "env": self.environment, "cwd": ROOT}
        try:
            done = subprocess.run(test.command, preexec_fn=limit, timeout=30 + 10 * seconds, **options)
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0

    def callers(self, source: Path) -> list[Test]:
        """The tests that call a function of the file, the one named after it first, then the fastest ones.

        All of them, if the file has no function. They pass with the file as mutants are compiled.
        """
        text = source.read_text(encoding="utf-8")
        trap = text.replace("\n{\n", "\n{\n    __builtin_trap();\n")
        trapped, found = self.written(source, trap, "trapped.o"), []
        for test in self.tests:
            start = time.monotonic()
            if test.seconds == 0.0 and not self.passes(test, {}):
                raise SystemExit(f"{test.name} fails without a fault")
            test.seconds = test.seconds or time.monotonic() - start
            if trap == text or not self.passes(test, {source: trapped}):
                found.append(test)
        unchanged = self.written(source, text, "unchanged.o")
        if failed := [test.name for test in found if not self.passes(test, {source: unchanged})]:
            raise SystemExit(f"without a fault {source.name} fails as mutants are compiled: {failed}")
        return sorted(found, key=lambda one: (one.name != f"test_{source.stem}", one.seconds))

    def written(self, source: Path, text: str, name: str = "changed.o") -> Path | None:
        """The object of a changed file; None if it does not compile."""
        changed, target = self.scratch / f"changed_{source.name}", self.scratch / name
        changed.write_text(text, encoding="utf-8")
        command = [self.compiler, *self.compile_flags, *TRAPS, "-iquote", source.parent, "-c", changed, "-o", target]
        done = subprocess.run(command, capture_output=True, cwd=self.scratch)
        return target if done.returncode == 0 else None

    def outcome(self, source: Path, text: str, mutant: Mutant, callers: list[Test], unchanged: bytes) -> str:
        """What became of a mutant. A test that kills one is the first to run against the next."""
        target = self.written(source, mutant.of(text))
        if target is None:
            return "does not compile"
        if code_of(target) == unchanged:
            return "same object"
        for number, test in enumerate(callers):
            if not self.passes(test, {source: target}):
                callers.insert(0, callers.pop(number))
                return f"killed by {test.name}"
        return "survived"


def core_campaign(compiler: str, sanitizer: list[str], emulated: bool) -> Campaign:
    """The library and the C programs, compiled where they have changed. Mutants are sanitized, the library is not."""
    made = Campaign(compiler, WORK / "-".join(["objects", *["address"] * bool(sanitizer), *["emulated"] * emulated]))
    made.compile_flags, made.link_flags = [*FLAGS, *sanitizer], ["-pthread", *sanitizer]
    headers = [path for folder in (programs.CSRC, programs.HERE) for path in folder.rglob("*.[hd]*")]
    changed = max(path.stat().st_mtime for path in headers)

    def compiled(source: Path, *flags: str) -> Path:
        target = made.folder / f"{source.stem}.o"
        if not target.exists() or target.stat().st_mtime < max(changed, source.stat().st_mtime):
            subprocess.run([compiler, *FLAGS, *flags, "-c", source, "-o", target], check=True, cwd=made.folder)
        return target

    made.objects = {source: compiled(source) for source in programs.library_sources()}
    made.objects |= {source: compiled(source, *sanitizer) for source in programs.runtime_sources()}
    kernels = programs.KERNEL_PROGRAMS if emulated else ()
    build = programs.Build(compiler, "-O1", only=kernels, one_case_in=SHARE)
    if emulated:
        programs.emulate(build, programs.EMULATED_SOURCES, made.folder)
    flags = [*programs.program_flags(build), *sanitizer]
    made.tests = [Test(path.stem, [made.linked], [compiled(path, *flags)]) for path in programs.programs(build)]
    return made


def binding_campaign(compiler: str) -> Campaign:
    """The objects of the extension, which setup.py makes where they are not current, and the files of tests."""
    import numpy

    made = Campaign(compiler, WORK / "binding")
    package, suffix = made.scratch / "python", sysconfig.get_config_var("EXT_SUFFIX")
    shutil.copytree(ROOT / "python", package, ignore=shutil.ignore_patterns("*.so", "*.pyc"))
    plain = {name: value for name, value in os.environ.items() if not name.startswith("SSOP_")}
    subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], check=True, cwd=ROOT, env=plain)
    built = ROOT / "build" / f"objects-{sysconfig.get_config_var('SOABI')}"
    made.objects = {ROOT / path.relative_to(built).with_suffix(".c"): path for path in sorted(built.rglob("*.o"))}
    folders = [sysconfig.get_path("include"), numpy.get_include(), built]
    made.compile_flags = [*FLAGS, "-fPIC", "-fvisibility=hidden", *(f"-I{folder}" for folder in folders)]
    made.link_flags = ["-pthread", "-shared"]
    made.linked = package / "ssop" / f"_core{suffix}"
    made.environment |= {
        "PYTHONPATH": str(package),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    pytest = [sys.executable, "-m", "pytest", *PYTEST]
    made.tests = [Test(names[0], [*pytest, *(ROOT / "tests" / name for name in names)]) for names in TEST_FILES]
    return made


def code_of(target: Path) -> bytes:
    """What the linker takes of an object, without the name of its source."""
    stripped = target.with_suffix(".stripped")
    subprocess.run(["objcopy", "--strip-all", "-R", ".comment", target, stripped], check=True)
    return stripped.read_bytes()


def mutate(campaign: Campaign, source: Path, sample: int) -> dict[str, str]:
    """The outcome of every mutant of a file, by its key; resumes from the record."""
    text = source.read_text(encoding="utf-8")
    record = WORK / f"{source.stem}.{hashlib.sha256(text.encode()).hexdigest()[:12]}.jsonl"
    known = (
        dict(json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()) if record.exists() else {}
    )
    mutants, reasons = mutants_of(text), reasons_of(source)
    mutants = sample_of(mutants, sample) if sample else mutants
    settled = {key for key in known if known[key] != "survived" or reasons.get(key, "").startswith(NOT_COUNTED)}
    left = [mutant for mutant in mutants if mutant.key not in settled]
    callers = campaign.callers(source) if left else []
    unchanged = code_of(campaign.written(source, text))
    with record.open("a", encoding="utf-8") as lines:
        for number, mutant in enumerate(left, 1):
            known[mutant.key] = campaign.outcome(source, text, mutant, callers, unchanged)
            lines.write(json.dumps([mutant.key, known[mutant.key]]) + "\n")
            lines.flush()
            if known[mutant.key] == "survived":
                print(f"{source.name}:{mutant.line}: {mutant.key}", flush=True)
            if number % 50 == 0:
                print(f"{source.name}: {number} of {len(left)}", flush=True)
    return {mutant.key: known[mutant.key] for mutant in mutants}


def reasons_of(source: Path) -> dict[str, str]:
    """Those of the file's mutants that survived before."""
    return json.loads(RESULTS.read_text(encoding="utf-8")).get(str(source.relative_to(ROOT)), {}).get("survivors", {})


def keep(source: Path, outcomes: dict[str, str], sample: int) -> None:
    """Write the counts and the survivors; reasons of those that survived before stay."""
    results, reasons = json.loads(RESULTS.read_text(encoding="utf-8")), reasons_of(source)
    counted = [outcome.partition(" by ")[0] for outcome in outcomes.values()]
    survivors = [key for key, outcome in outcomes.items() if outcome == "survived"]
    every = len(mutants_of(source.read_text(encoding="utf-8")))
    results[str(source.relative_to(ROOT))] = {
        "date": str(datetime.date.today()),
        **({"sample": len(outcomes), "of": every} if 0 < sample < every else {}),
        "killed": counted.count("killed"),
        "no mutants": counted.count("same object") + counted.count("does not compile"),
        "survivors": {key: reasons.get(key, "") for key in survivors},
    }
    RESULTS.write_text(json.dumps(dict(sorted(results.items())), indent=1) + "\n", encoding="utf-8")


def interval(counts: list[tuple[int, int, float]]) -> tuple[float, float]:
    """Wilson's interval of 95 % for the share of killed mutants. Samples of files count by the mutants of the file.

    `counts`: of each file the killed ones, those that are counted, and how many of the file's mutants they stand for.
    """
    whole = sum(weight for _, _, weight in counts)
    share = sum(weight / whole * killed / tried for killed, tried, weight in counts)
    tried = 1 / sum((weight / whole) ** 2 / tried for _, tried, weight in counts)  # as many as a sample of all of them
    middle, half = share + 1.92 / tried, 1.96 * math.sqrt(share * (1 - share) / tried + 0.96 / tried**2)
    return (middle - half) / (1 + 3.84 / tried), (middle + half) / (1 + 3.84 / tried)


def report() -> int:
    """The counts of each file, then those of the files of which all mutants were tried, and of the samples."""
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    unexplained, sums = 0, {"all": [], "samples": []}
    for name, found in results.items():
        reasons = found["survivors"]
        equivalent, speed = (sum(reason.startswith(kind) for reason in reasons.values()) for kind in NOT_COUNTED)
        killed, alive = found["killed"], len(reasons) - equivalent - speed
        tried = killed + alive
        counts = f"{killed:5} killed {alive:4} not {equivalent:4} equivalent {speed:4} speed only"
        sample = f", {found['sample']} of {found['of']}" if "sample" in found else ""
        print(f"{name:34} {found['date']} {counts} {100 * killed / max(tried, 1):6.1f} %{sample}")
        for key in (key for key, reason in reasons.items() if not reason):
            unexplained += 1
            print(f"    not explained: {key}")
        if tried:
            weight = tried * found.get("of", 1) / found.get("sample", 1)
            sums["samples" if "sample" in found else "all"].append((killed, tried, weight))
    for which, counts in sums.items():
        if counts:
            killed, tried = (sum(count[at] for count in counts) for at in (0, 1))
            low, high = interval(counts)
            of = f", {100 * low:.1f} to {100 * high:.1f} % of all their mutants" if which == "samples" else ""
            print(f"{which}: {killed} of {tried} mutants are killed{of}")
    print(f"{unexplained} survivors are not explained")
    return int(unexplained > 0 or not results)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--sample", type=int, default=0, help="so many mutants of each file; all, unless it is given")
    parser.add_argument("--address", action="store_true", help="C programs and mutants with AddressSanitizer")
    parser.add_argument("--emulated", action="store_true", help="C programs with AVX-512 kernels that are emulated")
    parser.add_argument("--report", action="store_true", help="print the sums of fuzz/mutation.json")
    parser.add_argument("--compiler", default="cc")
    options = parser.parse_args()
    sources = [path.resolve() for path in options.files]
    binding = [path for path in sources if path.is_relative_to(programs.CSRC / "python")]
    others = [path for path in sources if path not in binding]
    sanitizer = [ADDRESS] if options.address else []
    for files, begin in (
        (others, partial(core_campaign, sanitizer=sanitizer, emulated=options.emulated)),
        (binding, binding_campaign),
    ):
        campaign = begin(options.compiler) if files else None
        for source in files:
            if source not in campaign.objects:
                parser.error(f"{source} is no source of core, copy or the binding")
            keep(source, mutate(campaign, source, options.sample), options.sample)
    return report() if options.report else 0


if __name__ == "__main__":
    sys.exit(main())
