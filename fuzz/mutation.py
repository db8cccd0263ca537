"""Mutants of the core and of the copy engine: are the C programs of tests/core able to fail?

    python fuzz/mutation.py csrc/core/range.c csrc/core/dynamic_slice.c
    python fuzz/mutation.py --report

Each mutant of a file is compiled and linked with the other objects, as they are. The C programs that call the file
run until one fails: then the mutant is killed. If its object file is the same as without the fault, it is not counted.
The outcomes are kept in build/mutation. While the file stays as it is, only survivors are tried again.

fuzz/mutation.json has the counts of each file with the date, and every mutant that survived, with the reason. Reasons
begin with "equivalent" if no call can tell, and these are not counted. --report prints the sums, and fails if a reason
is missing.
"""

import argparse
import datetime
import hashlib
import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests" / "core"), str(Path(__file__).resolve().parent)]

import run as programs  # noqa: E402
from mutants import Mutant, mutants_of  # noqa: E402

RESULTS = ROOT / "fuzz" / "mutation.json"
WORK = ROOT / "build" / "mutation"
SHARE = 16
FLAGS = ["-std=c11", "-O1", "-w", "-pthread"]
# What C leaves undefined ends the program, in the file that is changed.
TRAPS = ["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"]
SLOWER = 10  # a mutant that takes so many times as long does not end


@dataclass
class Program:
    name: str
    object: Path
    seconds: float = 0.0


class Campaign:
    """The objects of the library and of the programs, compiled once."""

    def __init__(self, compiler: str) -> None:
        self.compiler = compiler
        self.folder = WORK / "objects"
        self.folder.mkdir(parents=True, exist_ok=True)
        headers = [path for folder in (programs.CSRC, programs.HERE) for path in folder.rglob("*.[hd]*")]
        self.changed = max(path.stat().st_mtime for path in headers)
        sources = [*programs.library_sources(), *programs.runtime_sources()]
        self.objects = {source: self.folder / f"{source.stem}.o" for source in sources}
        for source, target in self.objects.items():
            self.compile_if_changed(source, target)
        self.programs = []
        build = programs.Build(compiler, "-O1", one_case_in=SHARE)
        for source in programs.programs(build):
            made = Program(source.stem, self.folder / f"{source.stem}.o")
            self.compile_if_changed(source, made.object, *programs.program_flags(build))
            self.programs.append(made)

    def compile_if_changed(self, source: Path, target: Path, *flags: str) -> None:
        if not target.exists() or target.stat().st_mtime < max(self.changed, source.stat().st_mtime):
            subprocess.run([self.compiler, *FLAGS, *flags, "-c", source, "-o", target], check=True, cwd=self.folder)

    def passes(self, program: Program, instead: dict[Path, Path], limit: float) -> bool:
        """Link the program and run it."""
        binary = self.folder / "program"
        objects = [instead.get(source, target) for source, target in self.objects.items()]
        command = [self.compiler, "-pthread", program.object, *objects, "-o", binary]
        subprocess.run(command, check=True, capture_output=True)
        try:
            return subprocess.run([binary], capture_output=True, timeout=limit).returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def callers(self, source: Path) -> list[Program]:
        """The programs that call a function of the file, the one named after it first, then the fastest ones."""
        text = source.read_text(encoding="utf-8")
        trapped = self.written(source, text.replace("\n{\n", "\n{\n    __builtin_trap();\n"))
        found = []
        for program in self.programs:
            start = time.monotonic()
            if not self.passes(program, {}, 600):
                raise SystemExit(f"{program.name} fails without a fault")
            program.seconds = time.monotonic() - start
            if not self.passes(program, {source: trapped}, 600):
                found.append(program)
        return sorted(found, key=lambda one: (one.name != f"test_{source.stem}", one.seconds))

    def written(self, source: Path, text: str) -> Path | None:
        """The object of a changed file; None if it does not compile."""
        changed, target = self.folder / f"changed_{source.name}", self.folder / "changed.o"
        changed.write_text(text, encoding="utf-8")
        command = [self.compiler, *FLAGS, *TRAPS, "-iquote", source.parent, "-c", changed, "-o", target]
        done = subprocess.run(command, capture_output=True, cwd=self.folder)
        return target if done.returncode == 0 else None

    def outcome(self, source: Path, text: str, mutant: Mutant, callers: list[Program], unchanged: bytes) -> str:
        target = self.written(source, mutant.of(text))
        if target is None:
            return "does not compile"
        if code_of(target) == unchanged:
            return "same object"
        for program in callers:
            if not self.passes(program, {source: target}, 5 + SLOWER * program.seconds):
                return f"killed by {program.name}"
        return "survived"


def code_of(target: Path) -> bytes:
    """What the linker takes of an object, without the name of its source."""
    stripped = target.with_suffix(".stripped")
    subprocess.run(["objcopy", "--strip-all", "-R", ".comment", target, stripped], check=True)
    return stripped.read_bytes()


def mutate(campaign: Campaign, source: Path) -> dict[str, str]:
    """The outcome of every mutant of a file, by its key; resumes from the record."""
    text = source.read_text(encoding="utf-8")
    record = WORK / f"{source.stem}.{hashlib.sha256(text.encode()).hexdigest()[:12]}.jsonl"
    known = (
        dict(json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()) if record.exists() else {}
    )
    mutants = mutants_of(text)
    left = [mutant for mutant in mutants if known.get(mutant.key, "survived") == "survived"]
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


def keep(source: Path, outcomes: dict[str, str]) -> None:
    """Write the counts and the survivors; reasons of those that survived before stay."""
    results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    name = str(source.relative_to(ROOT))
    reasons = results.get(name, {}).get("survivors", {})
    counted = [outcome.partition(" by ")[0] for outcome in outcomes.values()]
    survivors = [key for key, outcome in outcomes.items() if outcome == "survived"]
    results[name] = {
        "date": str(datetime.date.today()),
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
        print(f"{name:32} {found['date']} {counts} {share:6.1f} %")
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
    parser.add_argument("--report", action="store_true", help="print the sums of fuzz/mutation.json")
    parser.add_argument("--compiler", default="cc")
    options = parser.parse_args()
    if options.files:
        campaign = Campaign(options.compiler)
        for path in options.files:
            source = path.resolve()
            if source not in campaign.objects:
                parser.error(f"{path} is no source of csrc/core or csrc/copy")
            keep(source, mutate(campaign, source))
    return report() if options.report else 0


if __name__ == "__main__":
    sys.exit(main())
