"""Mutants of csrc: are the tests able to fail?

    python fuzz/mutation.py csrc/core/range.c csrc/core/dynamic_slice.c
    python fuzz/mutation.py csrc/python/move.c
    python fuzz/mutation.py --sample 60 csrc/copy/execute.c
    python fuzz/mutation.py --address csrc/core/range.c
    python fuzz/mutation.py --report

Each mutant of a file is compiled and linked with the other objects, as they are. Mutants of csrc/core and csrc/copy go
into the C programs of tests/core, mutants of csrc/python into a copy of the package that pytest runs TEST_FILES with.
The tests that call the file run until one fails: then the mutant is killed. If its object file is the same as without
the fault, it is not counted. The outcomes are kept in build/mutation. While the file stays as it is, only survivors are
tried again that no reason calls equivalent.

fuzz/mutation.json has the counts of each file with the date, and every mutant that survived, with the reason. Reasons
begin with "equivalent" if no call can tell. These are not counted.

--sample takes so many mutants of each file, always the same ones, and the record has their number. With --address,
AddressSanitizer ends C programs that read past an array. --report prints the sums, and fails if a reason is missing.
"""

import argparse
import datetime
import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
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
SLOWER = 10  # a mutant that takes so many times as long does not end
# What the binding's mutants must fail, the fastest first.
TEST_FILES = (
    "regressions/test_moves.py",
    "regressions/test_boundary.py",
    "unit/test_arrays.py",
    "unit/test_out.py",
    "unit/test_arguments.py",
    "memory/test_changed_in_flight.py::test_titles_of_dtypes_are_compared",
    "memory/test_changed_in_flight.py::test_items_are_overwritten",
)


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
        self.linked = folder / "program"
        folder.mkdir(parents=True, exist_ok=True)

    def passes(self, test: Test, instead: dict[Path, Path], limit: float) -> bool:
        """Link and run."""
        objects = [instead.get(source, target) for source, target in self.objects.items()]
        command = [self.compiler, *self.link_flags, *test.objects, *objects, "-o", self.linked]
        subprocess.run(command, check=True, capture_output=True)
        try:
            done = subprocess.run(test.command, capture_output=True, timeout=limit, env=self.environment, cwd=ROOT)
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0

    def callers(self, source: Path) -> list[Test]:
        """The tests that call a function of the file, the one named after it first, then the fastest ones."""
        text = source.read_text(encoding="utf-8")
        trapped = self.written(source, text.replace("\n{\n", "\n{\n    __builtin_trap();\n"))
        found = []
        for test in self.tests:
            start = time.monotonic()
            if test.seconds == 0.0 and not self.passes(test, {}, 600):
                raise SystemExit(f"{test.name} fails without a fault")
            test.seconds = test.seconds or time.monotonic() - start
            if not self.passes(test, {source: trapped}, 600):
                found.append(test)
        return sorted(found, key=lambda one: (one.name != f"test_{source.stem}", one.seconds))

    def written(self, source: Path, text: str) -> Path | None:
        """The object of a changed file; None if it does not compile."""
        changed, target = self.folder / f"changed_{source.name}", self.folder / "changed.o"
        changed.write_text(text, encoding="utf-8")
        command = [self.compiler, *self.compile_flags, *TRAPS, "-iquote", source.parent, "-c", changed, "-o", target]
        done = subprocess.run(command, capture_output=True, cwd=self.folder)
        return target if done.returncode == 0 else None

    def outcome(self, source: Path, text: str, mutant: Mutant, callers: list[Test], unchanged: bytes) -> str:
        """What became of a mutant. A test that kills one is the first to run against the next."""
        target = self.written(source, mutant.of(text))
        if target is None:
            return "does not compile"
        if code_of(target) == unchanged:
            return "same object"
        for number, test in enumerate(callers):
            if not self.passes(test, {source: target}, 5 + SLOWER * test.seconds):
                callers.insert(0, callers.pop(number))
                return f"killed by {test.name}"
        return "survived"


def core_campaign(compiler: str, sanitizer: list[str]) -> Campaign:
    """The library and the C programs, compiled where they have changed. Mutants are sanitized, the library is not."""
    made = Campaign(compiler, WORK / ("address" if sanitizer else "objects"))
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
    build = programs.Build(compiler, "-O1", one_case_in=SHARE)
    flags = [*programs.program_flags(build), *sanitizer]
    made.tests = [Test(path.stem, [made.linked], [compiled(path, *flags)]) for path in programs.programs(build)]
    return made


def binding_campaign(compiler: str) -> Campaign:
    """The objects of the extension, as setup.py has made them, and the files of tests."""
    import numpy

    made = Campaign(compiler, WORK / "binding")
    package, suffix = made.folder / "python", sysconfig.get_config_var("EXT_SUFFIX")
    shutil.copytree(ROOT / "python", package, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.so", "*.pyc"))
    built = ROOT / "build" / f"objects-{sysconfig.get_config_var('SOABI')}"
    made.objects = {ROOT / path.relative_to(built).with_suffix(".c"): path for path in sorted(built.rglob("*.o"))}
    folders = [sysconfig.get_path("include"), numpy.get_include(), built]
    made.compile_flags = [*FLAGS, "-fPIC", "-fvisibility=hidden", *(f"-I{folder}" for folder in folders)]
    made.link_flags = ["-pthread", "-shared"]
    made.linked = package / "ssop" / f"_core{suffix}"
    made.environment |= {"PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"}
    pytest = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider"]
    made.tests = [Test(name, [*pytest, ROOT / "tests" / name]) for name in TEST_FILES]
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
    settled = {key for key in known if known[key] != "survived" or reasons.get(key, "").startswith("equivalent")}
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
    results[str(source.relative_to(ROOT))] = {
        "date": str(datetime.date.today()),
        **({"sample": sample} if sample else {}),
        "killed": counted.count("killed"),
        "no mutants": counted.count("same object") + counted.count("does not compile"),
        "survivors": {key: reasons.get(key, "") for key in survivors},
    }
    RESULTS.write_text(json.dumps(dict(sorted(results.items())), indent=1) + "\n", encoding="utf-8")


def report() -> int:
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    killed = survived = unexplained = 0
    for name, found in results.items():
        reasons = found["survivors"]
        alive = [key for key, reason in reasons.items() if not reason.startswith("equivalent")]
        share = 100 * found["killed"] / max(found["killed"] + len(alive), 1)
        counts = f"{found['killed']:5} killed {len(alive):4} not {len(reasons) - len(alive):4} equivalent"
        sample = f", of a sample of {found['sample']}" if "sample" in found else ""
        print(f"{name:34} {found['date']} {counts} {share:6.1f} %{sample}")
        for key in (key for key in alive if not reasons[key]):
            unexplained += 1
            print(f"    not explained: {key}")
        killed += found["killed"]
        survived += len(alive)
    print(f"{killed} of {killed + survived} mutants are killed, {unexplained} survivors are not explained")
    return int(unexplained > 0 or killed == 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--sample", type=int, default=0, help="so many mutants of each file; all, unless it is given")
    parser.add_argument("--address", action="store_true", help="C programs and mutants with AddressSanitizer")
    parser.add_argument("--report", action="store_true", help="print the sums of fuzz/mutation.json")
    parser.add_argument("--compiler", default="cc")
    options = parser.parse_args()
    sources = [path.resolve() for path in options.files]
    binding = [path for path in sources if path.is_relative_to(programs.CSRC / "python")]
    others = [path for path in sources if path not in binding]
    sanitizer = [ADDRESS] if options.address else []
    for files, begin in ((others, partial(core_campaign, sanitizer=sanitizer)), (binding, binding_campaign)):
        campaign = begin(options.compiler) if files else None
        for source in files:
            if source not in campaign.objects:
                parser.error(f"{source} is no source of core, copy or the binding")
            keep(source, mutate(campaign, source, options.sample), options.sample)
    return report() if options.report else 0


if __name__ == "__main__":
    sys.exit(main())
