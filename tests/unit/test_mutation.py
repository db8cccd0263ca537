"""The mutants of fuzz/mutation.py, and its record: fuzz/mutation.json."""

import itertools
import json
import sys
from pathlib import Path

import pytest

FUZZ = Path(__file__).resolve().parents[2] / "fuzz"

SOURCE = """\
/* a < b */
static bool
is_less(int64_t a, const char *b)
{
    count(b);
    if (a < 3 && !done) {
        return true;
    }
    return a ? -1 : a + 1; /* 1 + 1 */
}
"""


@pytest.fixture
def mutants(monkeypatch):
    monkeypatch.syspath_prepend(str(FUZZ))
    yield __import__("mutants")
    sys.modules.pop("mutants", None)


def test_every_mutant_has_one_fault(mutants):
    made = {mutant.of(SOURCE).replace("\n", " ") for mutant in mutants.mutants_of(SOURCE)}
    lines = [line for mutant in mutants.mutants_of(SOURCE) for line in mutant.of(SOURCE).splitlines()]
    assert len(made) == len(mutants.mutants_of(SOURCE))
    for changed in (
        "is_less(int32_t a, const char *b)",
        ";",
        "    if (a <= 3 && !done) {",
        "    if (a < (3 + 1) && !done) {",
        "    if (a < 3 || !done) {",
        "    if (a < 3 && done) {",
        "    if (0 && (a < 3 && !done)) {",
        "    if (1 || (a < 3 && !done)) {",
        "        return false;",
        "    return a ? -1 : a - 1; /* 1 + 1 */",
    ):
        assert lines.count(changed) == 1, changed
    assert lines.count("/* a < b */") == len(made)


def test_a_mutant_is_the_same_after_the_file_has_changed_elsewhere(mutants):
    keys = {mutant.key for mutant in mutants.mutants_of(SOURCE)}
    assert keys <= {mutant.key for mutant in mutants.mutants_of("static int64_t first = 1;\n" + SOURCE)}


def test_a_sample_has_the_mutants_of_any_larger_one(mutants):
    made = mutants.mutants_of(SOURCE)
    samples = [mutants.sample_of(made, count) for count in range(len(made) + 1)]
    assert [len(sample) for sample in samples] == [*range(len(made) + 1)]
    assert all(set(small) < set(large) for small, large in itertools.pairwise(samples))
    assert samples[-1] == made and samples[3] != made[:3]


def test_the_interval_of_a_sample(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(FUZZ), *sys.path])
    interval = __import__("mutation").interval
    for name in ("mutation", "mutants", "run"):
        sys.modules.pop(name, None)
    assert interval([(95, 100, 400)]) == pytest.approx((0.8882, 0.9785), abs=1e-4)  # Wilson's, from a table
    assert interval([(95, 100, 400), (95, 100, 400)]) == pytest.approx(interval([(190, 200, 1)]))
    assert interval([(100, 100, 1), (50, 100, 999)])[1] < 0.6  # the file with many mutants counts more


def test_every_survivor_has_a_reason_and_few_are_not_equivalent():
    record = json.loads((FUZZ / "mutation.json").read_text(encoding="utf-8"))
    assert record
    for name, found in record.items():
        reasons = found["survivors"].values()
        assert all(reasons), name
        alive = sum(not reason.startswith(("equivalent", "speed only")) for reason in reasons)
        assert found["killed"] >= 0.95 * (found["killed"] + alive) > 0, name
