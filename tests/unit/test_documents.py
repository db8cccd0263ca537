"""The documents' own examples, the labels, and the README's shape."""

import doctest
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest

import ssop

ROOT = Path(__file__).parents[2]


EXAMPLES = [
    ("SPEC.md", 80),
    ("README.md", 7),
    ("docs/index.md", 5),
    ("docs/tutorial.md", 25),
    ("docs/architecture.md", 4),
    ("docs/copy_engine.md", 3),
    ("docs/reference/xla.md", 4),
    ("docs/reference/laws.md", 6),
    ("docs/reference/convert.md", 5),
    ("docs/howto/numpy_user.md", 12),
    ("docs/howto/converter_author.md", 7),
    ("docs/howto/shape_function.md", 20),
    ("docs/howto/teacher.md", 3),
]
"""The documents with examples, and how many each has at least."""


def test_every_document_with_examples_is_listed():
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "docs").glob("[hr]*/*.md")]
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in documents}
    elsewhere = (
        "docs/rules/",  # the build of the site makes them of SPEC.md
        "docs/other-arrays.md",  # needs the libraries; tests/arrays/test_page.py runs it
        "docs/howto/storage_author.md",  # the same
    )
    found = {name for name, text in texts.items() if "\n>>> " in text and not name.startswith(elsewhere)}
    assert found == {document for document, _ in EXAMPLES}


@pytest.mark.parametrize(("document", "floor"), EXAMPLES)
def test_examples(document, floor):
    # NumPy prints as its 2.x default, whatever other tests set.
    with np.printoptions(legacy=False):
        results = doctest.testfile(str(ROOT / document), module_relative=False)
    assert results.failed == 0
    assert results.attempted >= floor


def test_every_label_stands_everywhere():
    run = subprocess.run([sys.executable, ROOT / "tools/labels.py"], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout
    assert int(re.search(r"(\d+) labels, 0 missing", run.stdout).group(1)) >= 60


def test_the_contents_of_the_specification_are_current():
    run = subprocess.run([sys.executable, ROOT / "tools/contents.py", "--check"], capture_output=True, check=False)
    assert run.returncode == 0, "python tools/contents.py writes them"
    assert (ROOT / "SPEC.md").read_text(encoding="utf-8").count("](#") > 40


def test_performance_page_shows_the_recorded_results():
    command = [sys.executable, ROOT / "tools/performance.py", "--check"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, "")
    pages = sorted((ROOT / "docs/performance").glob("*.md"))
    assert len(pages) == (ROOT / "docs/performance.md").read_text(encoding="utf-8").count("\nperformance/") >= 6


def test_the_pages_of_defects_are_current():
    command = [sys.executable, ROOT / "tools/defects.py", "--check"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, "\n"), "python tools/defects.py writes them"


def test_pages_and_the_whole_of_the_site_stay_short():
    """Words of docs/ but for pages made of SPEC.md, notebooks, and tables that tools make (of figures, laws, ..)."""
    made = ("rules", "notebooks", "generated", "performance", "quality", "targets", "laws", "engine-defects")
    pages = [path for path in (ROOT / "docs").rglob("*.md") if path.relative_to(ROOT / "docs").parts[0] not in made]
    words = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").split()) for path in pages}
    assert len(words) > 40
    assert {page: count for page, count in words.items() if count > 3_000} == {}
    del words["docs/howto/inspect.md"]  # tools/hazards.py makes it of the rows that the command and the tests have
    assert sum(words.values()) <= 32_000


def test_readme_has_exactly_two_setup_commands():
    commands = re.findall(r"^python3 -m venv .*$", (ROOT / "README.md").read_text(), flags=re.M)
    assert len(commands) == 2
    assert "ssop run examples/" in commands[0]
    assert commands[1].endswith(".venv/bin/pytest")


def test_no_command_installs_ssop_by_name():
    """ssop is not on the package index: it is installed from its folder, and what it needs by names that exist."""
    by_name = re.compile(r"pip install\b(?:(?![`\n]).)*?[\s'\"](ssop\b(?:\[[\w,]*\])?)")
    assert by_name.search("pip install -U 'ssop[oracles]'") and not by_name.search('pip install "./ssop[testing]"')
    folders = ("python", "docs", "notebooks", "examples", "fuzz", "benchmarks", "tools", "tests")
    paths = [*ROOT.glob("*"), *(path for folder in folders for path in (ROOT / folder).rglob("*"))]
    copies = [ROOT / "docs" / name for name in ("notebooks", "rules", "source")]  # made by the build of the site
    found = []
    for path in paths:
        if path.suffix in (".md", ".py", ".pyi", ".ipynb", ".html", ".c", ".h") and path != Path(__file__):
            if not any(folder in path.parents for folder in copies):
                found += [f"{path.relative_to(ROOT)}: {hit}" for hit in by_name.findall(path.read_text("utf-8"))]
    assert found == []


def test_version_is_the_package_s():
    assert re.fullmatch(r"\d+\.\d+\.\d+", ssop.__version__)
    assert ssop.__version__ == version("ssop")
