"""Writes docs/differential.md and docs/engine-defects.md from runs against the engines that are installed.

`python tools/differential_docs.py [CASES [SEED ..]]`: CASES is a factor on the cases of each engine (1 unless given).
Exits with 1 if a run finds a difference that nothing explains, and then writes nothing.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ssop.divergences import rows
from ssop.testing import difftest
from ssop.testing.differential.probes import probes_of
from ssop.testing.oracles import ORACLES

DOCS = Path(__file__).parents[1] / "docs"
CASES = {
    "tensorflow": 4000, "tensorflow-graph": 1000, "tensorflow-jit": 100, "litert": 3000, "openvino": 2000,
    "onnx": 2000, "onnx.reference": 2000, "onnxruntime": 2000, "jax": 300, "jax-ops": 800,
}  # fmt: skip
"""The numbers of calls at factor 1; tests/differential has those of the quality figures."""

DEFECTS = (
    "rank_above_32", "begin_plus_size_overflows", "unsent_stride", "spare_bits", "second_ellipsis",
    "more_than_32_axes", "longer_strides", "strides_missing", "unwritten_shrink", "new_axis_after_spare_entries",
    "offset_of_another_entry", "offset_outside_axis", "plugin_masks_shrunk_begin", "plugin_reads_outside",
    "plugin_cuts_strides", "eager_slice_unchecked", "unsigned_constant", "narrow_start", "python_start_beyond_int64",
    "nan_payload", "small_nan", "length_overflows", "narrow_update", "broadcast_to_itself", "padding_overflows",
)  # fmt: skip
"""The rows of the table that are mistakes of an engine, and not only stricter or laxer checks."""


def main() -> int:
    factor = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    seeds = [int(word) for word in sys.argv[2:]] or [1]
    lines, counts, compared = [], {}, {}
    for name, cases in CASES.items():
        if not ORACLES[name].installed():
            continue
        for seed in seeds:
            report = difftest(oracle=name, op=None, cases=max(int(cases * factor), 20), seed=seed)
            if not report.passed:
                print(report)
                return 1
            n = report.comparison.counts
            total = report.comparison.compared
            shares = (
                f"{n['accepted']} | {report.filled_share:.0%} | {n['refused']} | {n['different']} | {n['not sent']}"
            )
            lines.append(f"| {ORACLES[name].version()} ({name}) | {seed} | {total} | {shares} | 0 |")
            print(lines[-1], flush=True)
            compared[name] = compared.get(name, 0) + total + n["not sent"]
            for predicate, count in report.comparison.seen.items():
                counts[name, predicate] = counts.get((name, predicate), 0) + count
    (DOCS / "differential.md").write_text(overview(lines), encoding="utf-8")
    (DOCS / "engine-defects.md").write_text(defects(counts, compared), encoding="utf-8")
    return 0


OVERVIEW = """# ssop against the real engines

Made by `python tools/differential_docs.py`. The tests in `tests/differential` run more calls of the same kinds, with
the seed `SSOP_SEED`; `ssop difftest --oracle NAME --op all` runs one engine.

| engine | seed | compared | accepted | with elements | refused by both | known divergences | not sent | unexplained |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
{lines}

Known divergences are rows of `ssop.divergences`; calls that are not sent could kill the engine or damage its memory.
"""

DEFECTS_HEAD = """# Defects of engines that the differential tests meet

Made by `python tools/differential_docs.py`. Each has the smallest case as a program for the engine alone, what is right
and why (a label of `SPEC.md`), and how many random calls met it. Programs that import `ssop.testing` use it only to
build the engine's model.
"""

DEFECT = """## {version}: {predicate}

{reason}.{danger}

- Right: `{here}` for `{example}` (`{label}`). The engine: `{there}`.
- Met by {seen} of {compared} random calls. See <{link}>.

```python
{code}
```
"""


def overview(lines: list[str]) -> str:
    return OVERVIEW.format(lines="\n".join(lines))


def defects(counts: dict[tuple[str, str], int], compared: dict[str, int]) -> str:
    parts = [DEFECTS_HEAD]
    for kind in ("divergence", "not_sent"):
        for row in rows(kind):
            engine, predicate = row["engine"], row["predicate"]
            if predicate not in DEFECTS or engine not in compared:
                continue
            call = next(call for name, call in probes_of(engine) if name == predicate)
            probes = sum(name == predicate for name, _ in probes_of(engine))
            seen = max(counts.get((engine, predicate), 0) - probes, 0)
            danger = " May kill the process or damage its memory." if kind == "not_sent" else ""
            fields = row | {"reason": row["reason"][0].upper() + row["reason"][1:]}
            more = {"version": ORACLES[engine].version(), "danger": danger, "seen": seen}
            code = ORACLES[engine]().code(call)
            parts.append(DEFECT.format(**fields, **more, compared=compared[engine], code=code))
    return "\n".join(parts)


if __name__ == "__main__":
    sys.exit(main())
