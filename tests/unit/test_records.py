"""Records of measurements (benchmarks/records): sources cite those that exist, and every record is cited.

TOML is read by regular expressions: Python 3.10 has no tomllib, and the files use only tables of four strings.
"""

import csv
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RECORDS = sorted((ROOT / "benchmarks" / "records").glob("*.toml"))
SOURCES = [path for path in sorted((ROOT / "csrc").rglob("*")) if path.suffix in (".c", ".h", ".def")]
SPEEDS = sorted((ROOT / "benchmarks" / "records" / "variants").glob("*.csv"))

STRING = r'"([^"\n]+)"'
RECORD = re.compile(
    rf"\n\[([a-z0-9]+(?:-[a-z0-9]+)*)\]\nwhere = {STRING}\nprocessor = {STRING}\nmethod = {STRING}\n"
    r'figures = """\n?([^"\\]*[^"\\\s][^"\\]*)"""\n'
)
CITATION = re.compile(r"\brecords? ([a-z0-9]+(?:-[a-z0-9]+)+|[a-z0-9]+(?=\)))")


def read(path):
    """Name -> where, processor, method, figures, of a file that has nothing but records and a comment in front."""
    head, bracket, rest = path.read_text(encoding="utf-8").partition("\n[")
    assert bracket, path
    assert all(line.startswith("#") or not line for line in head.splitlines()), path
    found = [match.groups() for match in RECORD.finditer("\n[" + rest)]
    left = RECORD.sub("", "\n[" + rest).strip()
    assert left == "", f"{path.name} has something else than records: {left[:200]}"
    return found


ALL = [(path, *record) for path in RECORDS for record in read(path)]
NAMES = [name for _, name, *_ in ALL]


def cited(path):
    """The names that a source cites; a comment may break a line between any two words."""
    return set(CITATION.findall(re.sub(r"\n[ \t]*(?:\*|#)?[ \t]*", " ", path.read_text(encoding="utf-8"))))


def test_there_are_records():
    assert [path.name for path in RECORDS] == ["engine.toml", "kernels.toml"]
    assert all(sum(path == each for each, *_ in ALL) > 40 for path in RECORDS)


def test_names_are_unique():
    assert sorted(NAMES) == sorted(set(NAMES))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_files_are_toml(path):
    if sys.version_info < (3, 11):  # the expression above has read the whole file
        assert read(path)
        return
    import tomllib

    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    expected = {name: tuple(values) for each, name, *values in ALL if each == path}
    assert {name: tuple(table.values()) for name, table in tables.items()} == expected
    assert all(list(table) == ["where", "processor", "method", "figures"] for table in tables.values())


@pytest.mark.parametrize("path", [*SOURCES, ROOT / "setup.py"], ids=lambda path: str(path.relative_to(ROOT)))
def test_cited_records_exist(path):
    assert cited(path) - set(NAMES) == set()


@pytest.mark.parametrize(("path", "name", "where"), [record[:3] for record in ALL], ids=NAMES)
def test_records_are_cited_where_they_say(path, name, where):
    assert name in cited(ROOT / where)
    assert (path.stem == "kernels") == where.startswith("csrc/copy/kernels/")


def test_citations_are_found(tmp_path):
    source = tmp_path / "c.c"
    source.write_text(
        "/* it waits (record\n * far-tiles), as (record lines) and\n * record x-y say; a record of rows */\n"
    )
    assert cited(source) == {"far-tiles", "lines", "x-y"}


def speeds(path):
    """What was measured how, and shape -> variant -> GB/s, of a file that benchmarks/variants.py has written."""
    with path.open(encoding="utf-8", newline="") as file:
        method, found = file.readline(), {}
        rows = csv.DictReader(file)
        assert rows.fieldnames == ["shape", "variant", "GB/s"], path
        for row in rows:
            assert row["variant"] not in found.setdefault(row["shape"], {}), row
            found[row["shape"]][row["variant"]] = float(row["GB/s"])
    return method, found


def test_there_are_speeds_of_variants():
    assert len(SPEEDS) >= 2
    assert sum(path.stat().st_size for path in SPEEDS) < 200_000
    readme = (ROOT / "benchmarks" / "records" / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in SPEEDS if f"`{path.name}`" not in readme] == []


@pytest.mark.parametrize("path", SPEEDS, ids=lambda path: path.name)
def test_speeds_of_variants(path):
    """Each shape is one of the table and has several variants that exist, the chosen one first, NumPy and memcpy."""
    table = (ROOT / "tests" / "core" / "variants.txt").read_text(encoding="utf-8").splitlines()
    shapes = {line.partition("|")[0].strip() for line in table if line and not line.startswith("#")}
    variants = set(re.findall(r'VARIANT\(\w+, \w+, "([a-z-]+)"', (ROOT / "csrc/copy/variants.def").read_text("utf-8")))
    method, found = speeds(path)
    target = path.stem.rpartition("-")[2]
    assert re.fullmatch(rf"# .*cpu family \d+, .*; {target}, fastest of \d+ turns of [0-9.]+ s\n", method)
    assert len(found) > 100 and set(found) <= shapes
    for shape, speed in found.items():
        assert list(speed)[-2:] == ["numpy", "memcpy"] and len(speed) >= 4, shape
        assert set(speed) - variants == {"numpy", "memcpy"} and min(speed.values()) > 0, shape
