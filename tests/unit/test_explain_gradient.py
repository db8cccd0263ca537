"""`explain.strided_slice_grad` and the pictures of what is written: compared with the calls themselves."""

from itertools import product
from xml.etree import ElementTree

import numpy as np
import pytest

import ssop
from exhaustive.spaces import mask_patterns

SHAPE = (3, 4)
SPECS = [
    ([1, -9], [3, -1], [1, 2], masks) for masks in list(mask_patterns(2))[::11]
]  # 11 has no factor in common with 2: every bit is set and clear beside every other


def cells(explanation):
    """Per panel, from its caption on: the text of each cell, None for an empty cell."""
    root = ElementTree.fromstring(explanation.to_svg())
    elements = [e for e in root.iter() if e.tag.endswith(("rect", "text"))]
    rects = [i for i, element in enumerate(elements) if element.tag.endswith("rect")]
    found = {}
    for i in rects:
        cell = elements[i]
        text = elements[i + 1] if i + 1 < len(elements) and elements[i + 1].get("text-anchor") == "middle" else None
        inside = text is not None and text.get("class") is None
        found[int(cell.get("y")), int(cell.get("x"))] = text.text if inside else None
    return [found[place] for place in sorted(found)]


def test_gr_s1_the_index_is_where_the_values_land():
    placed = errors = 0
    for begin, end, strides, masks in SPECS:
        taken = ssop.explain(SHAPE, begin, end, strides, *masks)
        if taken.error:
            told = ssop.explain.strided_slice_grad(SHAPE, begin, end, strides, (1,), *masks)
            assert told.error.label == taken.error.label and told.shape is None and "dy" in (told.repair or "dy")
            errors += 1
            continue
        dy = np.arange(1, 1 + np.prod(taken.shape, dtype=int)).reshape(taken.shape)
        told = ssop.explain.strided_slice_grad(SHAPE, begin, end, strides, taken.shape, *masks)
        right = ssop.strided_slice_grad(SHAPE, begin, end, strides, dy, *masks)
        made = np.zeros(SHAPE, dy.dtype)
        made[told.index] = dy
        assert np.array_equal(made, right) and told.shape == SHAPE
        numbers = [0 if text is None else int(text) + 1 for text in cells(told)[-right.size :]]
        assert numbers == right.ravel().tolist(), (begin, masks)
        ElementTree.fromstring(told._repr_html_())
        assert "gr_s1" in str(told) and told.to_dict()["stages"][-1]["name"] == "gradient"
        placed += 1
    assert placed >= 30 and errors >= 10


def test_gr_c1_a_dy_of_another_shape_names_the_shape_that_works():
    told = ssop.explain.strided_slice_grad((5,), [0], [5], [2], (4,))
    with pytest.raises(ssop.SliceValueError) as caught:
        ssop.strided_slice_grad((5,), [0], [5], [2], np.zeros(4))
    assert told.error.label == caught.value.label == "gr_c1" and told.failed == "shape of dy"
    assert told.repair == "ssop.strided_slice_grad([5], [0], [5], [2], dy), where dy has shape (3,)"
    assert told.stages[-1].changes == ("(3,)", "finds the error") and told.shape is None and told.index is None
    with pytest.raises(ssop.SliceValueError):
        told.to_svg()


@pytest.mark.parametrize("policy", ["clamp", "wrap"])
def test_dus_s1_before_and_after(policy):
    for start in product(range(-2, 5), range(-1, 4)):
        told = ssop.explain.dynamic_update_slice((3, 4), (2, 2), start, out_of_bounds=policy)
        after = ssop.dynamic_update_slice(
            np.arange(12).reshape(3, 4), -np.arange(1, 5).reshape(2, 2), start, out_of_bounds=policy
        )
        words = [text for text in cells(told) if text is not None]
        assert words[:12] == [str(number) for number in range(12)]
        assert words[12:16] == ["u0", "u1", "u2", "u3"]
        assert words[16:] == [f"u{-value - 1}" if value < 0 else str(value) for value in after.ravel()], start


def test_pad_s1_the_elements_of_the_operand_land_where_they_are_numbered():
    for config in product([-1, 0, 2], [-1, 0, 1], [0, 1, 2]):
        told = ssop.explain.pad((4,), [config])
        result = ssop.xla.pad(np.arange(4), -1, [config])
        kept = [int(value) for value in result if value >= 0]
        operand = [str(kept.index(value)) if value in kept else None for value in range(4)]
        landed = [str(kept.index(value)) if value >= 0 else None for value in result]
        assert cells(told) == operand + landed, config


def test_descriptions_name_every_panel():
    root = ElementTree.fromstring(ssop.explain.dynamic_update_slice((4,), (2,), [1]).to_svg())
    title, description = (root.find(f"{{http://www.w3.org/2000/svg}}{name}").text for name in ("title", "desc"))
    assert title == "ssop.dynamic_update_slice(x, update, [1])"
    assert description.startswith("before: the operand: 4 cells. the update: 2 of 2 cells are taken.")
    assert "after: the result: 2 of 4 cells are replaced" in description
