"""Writes docs/differential.md, and how often defects of engines were met, from the runs that the tests make.

`python tools/differential_docs.py FOLDER SEED ..` keeps the report of each run in FOLDER, as JSON, and makes only
those that are not there. Exits with 1 if a run has failed, and then writes no document.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from ssop.testing import difftest
from ssop.testing._differential.probes import probes_of
from ssop.testing._differential.report import as_dict, text
from ssop.testing.chains.known import rows_of
from ssop.testing.corpus import write_failure
from ssop.testing.defects import FOLDER, read_defects

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
sys.path.insert(0, str(ROOT / "tests"))

from differential.figures import CHAINS, FIGURES  # noqa: E402

CHAIN = "chains: "
"""What the names of runs with chains begin with."""


def report_of(folder: Path, name: str, seed: int) -> dict[str, Any]:
    """The report of a run, which is made if it is not there."""
    path = folder / f"{name}-{seed}.json"
    if not path.exists():
        if name in FIGURES:
            oracle, cases, op, what = FIGURES[name]
            report = difftest(oracle=oracle, op=op, cases=cases, seed=seed, what=what)
        else:
            engine = name.removeprefix(CHAIN)
            report = difftest(oracle=engine, chain=(2, 4), cases=CHAINS[engine], seed=seed, shrink=False)
        if not report.passed:
            print(text(report), flush=True)
        path.write_text(json.dumps(as_dict(report), indent=2) + "\n", encoding="utf-8")
    report_read: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    print(f"{name}, seed {seed}: {report_read['passed']}, {report_read['seconds']:.0f} s", flush=True)
    return report_read


OVERVIEW = """# ssop against the real engines

Random calls have the same result in ssop and in each engine, except where a row of `ssop.divergences` says how they
differ. Each line of the table is a run of `ssop difftest`:

- A call is "accepted" or "rejected by both", or it is one of the "known divergences".
- The percentage of accepted calls whose result has elements is in "with elements".
- Calls that are "not sent" could end the engine's process or damage its memory.
- Calls that differ without a row are "unexplained".

| engine | seed | compared | accepted | with elements | rejected by both | known divergences | not sent | unexplained |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
{lines}

## Programs of several operations

Each engine compiles programs of 2 to 4 operations as a whole, and ssop takes one operation after the other. What
differs is explained by [known defects](engine-defects.md).

| engine | seed | programs | equal | with elements | known defects | pairs of rules | unexplained |
| --- | --- | --- | --- | --- | --- | --- | --- |
{chains}

## Versions

With {ours}:

{versions}
## How to repeat a run

`ssop difftest --oracle NAME --op all` makes one of these runs. For a name that ends in "-shapes", add `--what shape`.
With `--chain 2..4` in place of `--op all`,
it makes those with programs. The tests in `tests/differential` make all of them with the seed `SSOP_SEED`.
`python tools/differential_docs.py` writes this page.
"""


def row_of(name: str, report: dict[str, Any]) -> str:
    """The line of the table for a run."""
    n, compared = report["counts"], report["compared"]
    filled = f"{n.get('with elements', 0) / max(compared, 1):.0%}" if report["what"] == "values" else "-"
    cells = [name, report["seed"], compared, n.get("accepted", 0), filled, n.get("rejected", 0)]
    cells += [n.get("different", 0) - len(report["differences"]), n.get("not sent", 0), len(report["differences"])]
    return f"| {' | '.join(map(str, cells))} |"


def chain_row_of(name: str, report: dict[str, Any]) -> str:
    """The line of the table of programs for a run."""
    n, compared = report["counts"], report["compared"]
    filled = f"{n.get('with elements', 0) / max(compared, 1):.0%}"
    known = ", ".join(f"{name} {count}" for name, count in sorted(report["known"].items())) or "-"
    pairs = f"{len(report['pairs'])} of {len(report['pairs']) + len(report['pairs_not_met'])}"
    cells = [name.removeprefix(CHAIN), report["seed"], compared, n.get("accepted", 0), filled, known, pairs]
    return f"| {' | '.join(map(str, [*cells, len(report['differences'])]))} |"


def overview(reports: list[tuple[str, dict[str, Any]]]) -> str:
    """docs/differential.md."""
    lines = "\n".join(row_of(name, report) for name, report in reports if name in FIGURES)
    chains = "\n".join(chain_row_of(name, report) for name, report in reports if name not in FIGURES)
    engines, ours = zip(*(report["versions"].split("), ") for _, report in reports), strict=True)
    versions = "".join(f"- {engine})\n" for engine in dict.fromkeys(engines))
    return OVERVIEW.format(lines=lines, chains=chains, ours=" or ".join(dict.fromkeys(ours)), versions=versions)


def count_defects(reports: list[tuple[str, dict[str, Any]]]) -> None:
    """How often each defect of an engine was met, in its file; `tools/defects.py` makes the pages of these."""
    compared, counts, versions = Counter[Any](), Counter[tuple[str, str]](), {}
    for name, report in reports:
        if name not in FIGURES:
            met = {known: Counter(report["known"])[known] for known in rows_of(report["oracle"])}
            compared.update({("chain", known): report["compared"] for known in met})
            counts.update({("chain", known): count for known, count in met.items()})
        elif report["what"] == "values":
            engine = report["oracle"]
            versions[engine] = report["versions"].partition(" (")[2].partition(")")[0]
            compared[engine] += report["compared"] + report["counts"].get("not sent", 0)
            counts.update({(engine, predicate): count for predicate, count in report["known"].items()})
            counts.subtract({(engine, name): 1 for name, call in probes_of(engine) if call.op in report["ops"]})
    for one in read_defects():
        engine = one.program.get("runs")  # the engine whose row of the table of divergences has the same name
        if known := one.program.get("chain"):  # the defect of ssop.testing.chains.known that explains its programs
            if compared["chain", known]:
                met = f"{counts['chain', known]} of {compared['chain', known]} random programs of several operations"
                write_failure(FOLDER, replace(one, program={**one.program, "met": met}))
        elif engine in compared:
            met = f"{counts[engine, one.name]} of {compared[engine]} random calls"
            write_failure(FOLDER, replace(one, versions=versions[engine], program={**one.program, "met": met}))


def main() -> int:
    folder, seeds = Path(sys.argv[1]), [int(word) for word in sys.argv[2:]]
    folder.mkdir(parents=True, exist_ok=True)
    reports = [
        (name, report_of(folder, name, seed))
        for seed in seeds
        for name in (*FIGURES, *(f"{CHAIN}{engine}" for engine in CHAINS))
    ]
    if not all(report["passed"] for _, report in reports):
        return 1
    (DOCS / "differential.md").write_text(overview(reports), encoding="utf-8")
    count_defects(reports)
    return subprocess.run([sys.executable, ROOT / "tools" / "defects.py"], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
