"""docs/error_messages says what ssop says today, and each of its messages leads to a rule."""

import re
from pathlib import Path

import numpy as np
import pytest

import ssop

PAGES = sorted((Path(__file__).parents[2] / "docs" / "error_messages").glob("*.md"))
ROWS = [
    row
    for page in PAGES
    for row in re.findall(r"^- ssop: `(.+)`\n  > (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
]


def test_there_are_sixty_mistakes():
    assert len(ROWS) >= 60


@pytest.mark.parametrize(("expression", "shown"), ROWS, ids=[expression for expression, _ in ROWS])
def test_message_is_the_one_in_the_table(expression, shown):
    with pytest.raises((ssop.SliceError, TypeError)) as caught:
        eval(expression, {"np": np, "ssop": ssop, "x": np.arange(12).reshape(3, 4)})
    message = f"{caught.type.__name__}: {caught.value}"
    assert re.sub(r"\s+", " ", message).strip() == shown
    if isinstance(caught.value, ssop.SliceError):
        assert shown.endswith(f"[{caught.value.label}]")
    else:  # Python's own words for calls with missing or unknown parameters
        assert re.search(r"missing (\d )?required argument|unexpected keyword argument", shown)
