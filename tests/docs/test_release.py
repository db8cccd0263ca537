"""The papers of a release: its citation, its security policy, and the workflow that nobody has run yet."""

import re
from pathlib import Path

import pytest
import yaml

import ssop

ROOT = Path(__file__).parents[2]
PYPROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
"""Read by regular expressions: Python 3.10 has no tomllib."""
VERSIONS = re.findall(r'"Programming Language :: Python :: 3\.(\d+)"', PYPROJECT)


@pytest.fixture(scope="module")
def workflow():
    return yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8"))


def values(name):
    """The strings of the first list with this name in pyproject.toml."""
    return re.findall(r'"([^"]+)"', re.search(rf"^{name} = \[(.*?)\]", PYPROJECT, flags=re.M | re.S)[1])


def test_the_citation_has_the_metadata_of_the_package():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    required = {"cff-version", "message", "title", "authors"}  # by the schema of version 1.2.0
    assert set(citation) == required | {"type", "abstract", "version", "license", "keywords"}
    assert (citation["cff-version"], citation["type"]) == ("1.2.0", "software")
    assert citation["version"] == ssop.__version__
    assert citation["license"] == re.search(r'^license = "(.+)"$', PYPROJECT, flags=re.M)[1]
    assert citation["keywords"] == values("keywords")
    assert [set(author) for author in citation["authors"]] == [{"name"}]


def test_the_threat_model_has_ten_lines():
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    model = re.search(r"^## Threat model\n(.*?)^## ", text, flags=re.M | re.S)[1]
    assert re.findall(r"^(\d+)\. ", model, flags=re.M) == [str(n) for n in range(1, 11)]
    assert "@" not in text, "reports go by the form of the hosting page"


def test_the_workflow_builds_tests_attests_and_publishes(workflow):
    jobs = workflow["jobs"]
    assert workflow[True] == {"push": {"tags": ["v*"]}}  # YAML 1.1 reads `on` as true
    assert set(jobs["publish"]["needs"]) == set(jobs) - {"publish"}
    actions = [step["uses"].split("@")[0] for step in jobs["publish"]["steps"]]
    assert actions == ["actions/download-artifact", "actions/attest-build-provenance", "pypa/gh-action-pypi-publish"]
    runs = "\n".join(step.get("run", "") for step in jobs["sdist"]["steps"])
    assert "python -m build --sdist" in runs and "pytest" in runs


def test_the_workflow_has_no_secret_and_one_job_that_may_publish(workflow):
    text = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    assert "secrets." not in text and "password:" not in text
    assert workflow["permissions"] == {"contents": "read"}
    allowed = {name: job["permissions"] for name, job in workflow["jobs"].items() if "permissions" in job}
    assert allowed == {"publish": {"id-token": "write", "attestations": "write", "contents": "read"}}


def test_the_workflow_finds_the_version(workflow):
    (step,) = [step for step in workflow["jobs"]["sdist"]["steps"] if step.get("name") == "the tag is the version"]
    pattern = re.search(r"s/(.*?)/", step["run"])[1].replace(r"\(", "(").replace(r"\)", ")")
    (found,) = re.findall(pattern, (ROOT / "python/ssop/_version.py").read_text(encoding="utf-8"), flags=re.M)
    assert found == ssop.__version__


def test_wheels_are_built_for_every_python_that_is_supported(workflow):
    assert values("build") == [f"cp3{minor}-*" for minor in VERSIONS]
    runners = workflow["jobs"]["wheels"]["strategy"]["matrix"]["runner"]
    assert {name.split("-")[0] for name in runners} == {"ubuntu", "macos", "windows"}
    assert "ubuntu-24.04-arm" in runners


def test_the_commands_that_test_wheels_name_files_that_exist():
    commands = re.findall(r"""^test-command = (["'])(.*)\1$""", PYPROJECT, flags=re.M)
    paths = [path for _, command in commands for path in re.findall(r"\{project\}/(\S+)", command)]
    assert len(commands) == 2 and len(paths) >= 3
    assert [path for path in paths if not (ROOT / path).exists()] == []
