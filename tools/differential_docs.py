"""Writes docs/differential.md and docs/engine-defects.md from the runs against the engines that the tests make.

`python tools/differential_docs.py FOLDER SEED ..` keeps the report of each run in FOLDER, as JSON, and makes only
those that are not there. Exits with 1 if a run has failed, and then writes no document.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from ssop.divergences import rows
from ssop.testing import difftest
from ssop.testing._differential.probes import probes_of
from ssop.testing._differential.report import as_dict, text
from ssop.testing.oracles import ORACLES

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
sys.path.insert(0, str(ROOT / "tests"))

from differential.figures import FIGURES  # noqa: E402

DEFECTS = (
    "rank_above_8", "rank_above_32", "begin_plus_size_overflows", "unsent_stride", "spare_bits",
    "second_ellipsis", "more_than_32_axes", "longer_strides", "strides_missing", "unwritten_shrink",
    "new_axis_after_spare_entries", "offset_of_another_entry", "offset_outside_axis", "plugin_masks_shrunk_begin",
    "plugin_reads_outside", "plugin_reads_behind_masks", "plugin_cuts_strides", "plugin_cuts_bounds",
    "eager_slice_unchecked", "unsigned_constant", "narrow_start", "python_start_beyond_int64", "nan_payload",
    "small_nan", "length_overflows", "narrow_update", "broadcast_to_itself", "step_overflows",
    "length_in_dim_overflows",
)  # fmt: skip
"""The rows of the table that are mistakes of an engine, and not only stricter or laxer checks."""


DEFECT_OF_MODELS = """## {version}: {name}

{reason}

```python
import numpy as np, openvino
from openvino import opset15

{code}
```
"""
DEFECTS_OF_MODELS = (
    (
        "openvino",
        "empty_unsqueeze",
        "Unsqueeze of an empty result gives 0 for other dims, too, if dims are not known. Right: `(2, 0, 1)`.",
        """x = opset15.parameter([-1, -1], np.float32)
bounds = [np.array([value]) for value in (3, 3, 1, 1)]
y = opset15.unsqueeze(opset15.slice(x, *bounds), np.array([2]))
model = openvino.Model([y], [x], "one")
print(openvino.compile_model(model, "CPU")([np.zeros((2, 3), np.float32)])[0].shape)""",
    ),
    (
        "openvino",
        "string_tensors",
        "A slice of strings ends the process. Right: `['b', 'c']`.",
        """x = opset15.parameter([3], openvino.Type.string)
bounds = [np.array([value]) for value in (1, 3, 1, 0)]
model = openvino.Model([opset15.slice(x, *bounds)], [x], "one")
print(openvino.compile_model(model, "CPU")([np.array(["a", "b", "c"])])[0])""",
    ),
)
"""Defects of what random calls do not try: the engine, a name, what is wrong, and the rest of a program."""


def report_of(folder: Path, name: str, seed: int) -> dict[str, Any]:
    """The report of a run, which is made if it is not there."""
    path = folder / f"{name}-{seed}.json"
    if not path.exists():
        oracle, cases, op, what = FIGURES[name]
        report = difftest(oracle=oracle, op=op, cases=cases, seed=seed, what=what)
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

## Versions

With {ours}:

{versions}
## How to repeat a run

`ssop difftest --oracle NAME --op all` makes one of these runs. For a name that ends in "-shapes", add `--what shape`.
The tests in `tests/differential` make all of them with the seed `SSOP_SEED`. `python tools/differential_docs.py` writes
this page.
"""

DEFECTS_HEAD = """# Defects of engines

Each engine below gives a wrong result or damages memory. A section has the smallest call as a program for the engine
alone, the right result with the label of its rule, and how many random calls met the defect. A dangerous one may kill
the process or damage its memory.

`tests/differential/test_engine_defects.py` runs the programs. `python tools/differential_docs.py` writes this page.
"""

DEFECT = """## {version}: {predicate}

{reason}.{danger}

- Right: `{here}` for `{example}` (`{label}`). The engine: `{there}`.
- Met by {seen} of {compared} calls (<{link}>).

```python
{code}
```
"""


def row_of(name: str, report: dict[str, Any]) -> str:
    """The line of the table for a run."""
    n, compared = report["counts"], report["compared"]
    filled = f"{n.get('with elements', 0) / max(compared, 1):.0%}" if report["what"] == "values" else "-"
    cells = [name, report["seed"], compared, n.get("accepted", 0), filled, n.get("rejected", 0)]
    cells += [n.get("different", 0) - len(report["differences"]), n.get("not sent", 0), len(report["differences"])]
    return f"| {' | '.join(map(str, cells))} |"


def overview(reports: list[tuple[str, dict[str, Any]]]) -> str:
    """docs/differential.md."""
    lines = "\n".join(row_of(name, report) for name, report in reports)
    engines, ours = zip(*(report["versions"].split("), ") for _, report in reports), strict=True)
    versions = "".join(f"- {engine})\n" for engine in dict.fromkeys(engines))
    return OVERVIEW.format(lines=lines, ours=" or ".join(dict.fromkeys(ours)), versions=versions)


def defects(reports: list[tuple[str, dict[str, Any]]]) -> str:
    """docs/engine-defects.md."""
    compared, counts, versions = Counter[str](), Counter[tuple[str, str]](), {}
    for _, report in reports:
        if report["what"] == "values":
            engine = report["oracle"]
            versions[engine] = report["versions"].partition(" (")[2].partition(")")[0]
            compared[engine] += report["compared"] + report["counts"].get("not sent", 0)
            counts.update({(engine, predicate): count for predicate, count in report["known"].items()})
            counts.subtract({(engine, name): 1 for name, call in probes_of(engine) if call.op in report["ops"]})
    parts = [DEFECTS_HEAD]
    for kind in ("divergence", "not_sent"):
        for row in rows(kind):
            engine, predicate = row["engine"], row["predicate"]
            if predicate not in DEFECTS or engine not in compared:
                continue
            call = next(call for name, call in probes_of(engine) if name == predicate)
            danger = " Dangerous." if kind == "not_sent" else ""
            fields = row | {"reason": row["reason"][0].upper() + row["reason"][1:]}
            more = {
                "version": versions[engine],
                "danger": danger,
                "seen": counts[engine, predicate],
            }
            parts.append(DEFECT.format(**fields, **more, compared=compared[engine], code=ORACLES[engine]().code(call)))
    for engine, name, reason, code in DEFECTS_OF_MODELS:
        parts.append(DEFECT_OF_MODELS.format(version=versions[engine], name=name, reason=reason, code=code))
    return "\n".join(parts)


def main() -> int:
    folder, seeds = Path(sys.argv[1]), [int(word) for word in sys.argv[2:]]
    folder.mkdir(parents=True, exist_ok=True)
    reports = [(name, report_of(folder, name, seed)) for seed in seeds for name in FIGURES]
    if not all(report["passed"] for _, report in reports):
        return 1
    (DOCS / "differential.md").write_text(overview(reports), encoding="utf-8")
    (DOCS / "engine-defects.md").write_text(defects(reports), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
