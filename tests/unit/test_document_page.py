"""docs/documents.md, and the examples that it lists."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import ssop
from ssop.divergences import DOCUMENTS, rows
from unit.document_examples import EXAMPLES, NAMES

ROOT = Path(__file__).parents[2]


def load_tool():
    spec = spec_from_file_location("documents", ROOT / "tools/documents.py")
    tool = module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


documents = load_tool()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example.document}-{example.title}")
def test_ssop_gives_what_the_document_says(example):
    try:
        result = repr(eval(example.call, NAMES | {"ssop": ssop}))
    except ssop.SliceError as error:
        result = error.label
    assert result == example.gives


def test_the_page_is_current():
    assert documents.main(check=True) == 0


def test_the_page_has_every_document_and_every_row():
    page = documents.PAGE.read_text(encoding="utf-8")
    assert set(DOCUMENTS) | {"inference"} == set(documents.DOCUMENTS) == {example.document for example in EXAMPLES}
    assert {row["document"] for row in rows("document")} == set(DOCUMENTS)
    assert all(row["example"] in page and row["reason"][1:] in page for row in rows("document"))


def test_an_outdated_page_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(documents, "PAGE", tmp_path / "documents.md")
    assert documents.main(check=True) == 1
    assert documents.main(check=False) == 0 and documents.main(check=True) == 0
    documents.PAGE.write_text("other", encoding="utf-8")
    assert documents.main(check=True) == 1
