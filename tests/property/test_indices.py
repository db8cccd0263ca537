"""`strategies.indices` with its switches: what is off is never drawn, what is on is found."""

import numpy as np
import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from ssop.testing import strategies as slicing

SHAPE = (4, 5)
ALL = dict.fromkeys(
    ("newaxis", "ellipsis", "integers", "steps", "negative_steps", "negative", "out_of_range", "empty"), True
)


def parts(index):
    return [item for item in index if isinstance(item, slice)]


def placed(index, shape):
    """The slices and integers with the dims that they stand at."""
    items = [item for item in index if item is not None]
    at = next((i for i, item in enumerate(items) if item is Ellipsis), len(items))
    after = items[at + 1 :]
    dims = [*shape[:at], *shape[len(shape) - len(after) :]] if after or at < len(items) else shape
    return list(zip([*items[:at], *after], dims, strict=False))


def is_out(part, dim):
    step = 1 if part.step is None else part.step
    last = dim if step > 0 else dim - 1
    return abs(step) > max(dim, 1) or any(
        bound is not None and not -dim <= bound <= last for bound in (part.start, part.stop)
    )


def is_empty(part, dim):
    return dim > 0 and not range(*part.indices(dim))


def numbers(index):
    """The integers and the bounds of the slices."""
    return [n for item in index for n in ((item.start, item.stop) if isinstance(item, slice) else (item,))]


def any_slice(is_such):
    """Whether there is such a slice among the items."""
    return lambda index, shape: any(is_such(*pair) for pair in placed(index, shape) if isinstance(pair[0], slice))


MET = {
    "newaxis": lambda index, shape: None in index,
    "ellipsis": lambda index, shape: any(item is Ellipsis for item in index),
    "integers": lambda index, shape: any(isinstance(item, int) for item in index),
    "steps": lambda index, shape: any(part.step not in (None, 1) for part in parts(index)),
    "negative_steps": lambda index, shape: any((part.step or 1) < 0 for part in parts(index)),
    "negative": lambda index, shape: any(isinstance(n, int) and n < 0 for n in numbers(index)),
    "out_of_range": any_slice(is_out),
    "empty": any_slice(is_empty),
}


@given(st.data())
def test_what_is_off_is_never_drawn_and_every_index_is_legal(data):
    shape = data.draw(slicing.shapes(max_rank=3))
    switches = {name: data.draw(st.booleans()) for name in ALL}
    index = data.draw(slicing.indices(shape, **switches))
    np.zeros(shape)[index]  # IndexError if it were not legal
    off = {name for name, on in switches.items() if not on} | ({"negative_steps"} if not switches["steps"] else set())
    assert {name for name in off if MET[name](index, shape)} == set()


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("others", [True, False], ids=["all on", "alone"])
def test_what_is_on_is_found(name, others):
    switches = dict.fromkeys(ALL, others) | {name: True} | ({"steps": True} if name == "negative_steps" else {})
    options = settings(max_examples=3000, phases=[Phase.generate], database=None, derandomize=True)
    found = find(slicing.indices(SHAPE, **switches), lambda index: MET[name](index, SHAPE), settings=options)
    assert MET[name](found, SHAPE)


def test_shapes_without_room_have_indices():
    for shape in ((), (0,), (0, 3), (1,) * 64):
        options = dict.fromkeys(ALL, False) | {"steps": True, "negative_steps": True}
        index = find(
            slicing.indices(shape, **options),
            lambda index: True,
            settings=settings(phases=[Phase.generate], database=None),
        )
        assert np.zeros(shape)[index].shape == shape


def test_hypothesis_settings_count():
    seen = []

    @settings(max_examples=17, phases=[Phase.generate], database=None)
    @given(slicing.indices(SHAPE, newaxis=False))
    def collected(index):
        seen.append(index)

    collected()
    assert len(seen) == 17
