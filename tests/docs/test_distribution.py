"""What a source distribution has, and what its metadata says: as setuptools makes them of this tree."""

import re
import subprocess
import sys
from email import message_from_string
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PATH = re.compile(r"(?<![\w./-])(?:[\w-]+/)+[\w.-]*\w|\b[A-Z]+\.md\b")
"""Words of the README that may be paths of this tree: `examples/README.md`, `csrc/include/ssop`, `SPEC.md`."""


@pytest.fixture(scope="module")
def egg_info(tmp_path_factory):
    """The folder in which setuptools lists the files of a source distribution, and writes the metadata."""
    base = tmp_path_factory.mktemp("distribution")
    command = [sys.executable, "setup.py", "-q", "egg_info", "--egg-base", str(base)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return base / "ssop.egg-info"


@pytest.fixture(scope="module")
def metadata(egg_info):
    return message_from_string((egg_info / "PKG-INFO").read_text(encoding="utf-8"))


def test_what_the_readme_refers_to_is_in_the_source_distribution(egg_info):
    files = (egg_info / "SOURCES.txt").read_text(encoding="utf-8").splitlines()
    referred = {path for path in PATH.findall(README) if (ROOT / path).exists() and not path.startswith("build/")}
    assert {"SPEC.md", "docs/performance.md", "csrc/include/ssop", "examples/jacksboro_dem.npy"} <= referred
    missing = [path for path in referred if not any(f"{file}/".startswith(f"{path}/") for file in files)]
    assert missing == []


def test_every_package_is_in_the_source_distribution(egg_info):
    """A package that pyproject.toml does not list works in this tree, and is missing where ssop is installed."""
    files = set((egg_info / "SOURCES.txt").read_text(encoding="utf-8").splitlines())
    python = {str(path.relative_to(ROOT)) for path in (ROOT / "python").rglob("*.py")}
    assert python and python <= files


def test_files_that_the_readme_names_exist():
    files = [path for path in PATH.findall(README) if re.search(r"\.(md|py|ipynb|svg|npy|h|c)$", path)]
    assert len(files) >= 5
    assert [path for path in files if not (ROOT / path).exists()] == []


def test_the_metadata_names_the_versions_that_the_readme_promises(metadata):
    first, last = map(int, re.search(r"^Python 3\.(\d+) to 3\.(\d+),", README, flags=re.M).groups())
    prefix = "Programming Language :: Python :: 3."
    classifiers = metadata.get_all("Classifier")
    assert [c for c in classifiers if c.startswith(prefix)] == [f"{prefix}{n}" for n in range(first, last + 1)]
    assert metadata["Requires-Python"] == f">=3.{first}"
    for topic in (
        "Operating System ::",
        "Typing :: Typed",
        "Topic :: Scientific/Engineering :: Artificial Intelligence",
    ):
        assert any(c.startswith(topic) for c in classifiers)


def test_the_extra_testing_is_hypothesis_alone(metadata):
    required = [line for line in metadata.get_all("Requires-Dist") if re.search(r"extra == ['\"]testing['\"]", line)]
    assert len(required) == 1 and required[0].startswith("hypothesis>=")


def test_strategies_need_nothing_else():
    """Every other package that the tests use cannot be imported here."""
    program = """
import sys
for name in ("pytest", "ml_dtypes", "array_api_strict", "dask", "matplotlib", "setuptools"):
    sys.modules[name] = None
from hypothesis import find
from ssop.testing import strategies
for strategy in (strategies.arrays((2,)), strategies.dtypes(), strategies.specs((2, 3)), strategies.regions((3,))):
    find(strategy, lambda drawn: True)
"""
    subprocess.run([sys.executable, "-c", program], check=True)
