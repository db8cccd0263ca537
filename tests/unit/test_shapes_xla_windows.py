"""Shapes of XLA's Reduce, ReduceWindow and SelectAndScatter: what execution gives, for every completion."""

import itertools
import random

import numpy as np
import pytest

import ssop
from ssop import shapes, xla
from unit.test_shapes_functions import check_tight

DIMS = [0, 1, 2, 5, (0, 2), (2, 5), (3, 7)]


def counted(shape, *window):
    return xla.reduce_window(np.zeros(shape, "i1"), 0, xla.add, *window).shape


def scattered(operand, source, *window):
    args = (np.zeros(operand, "i1"), xla.ge, *window, np.zeros(source, "i1"), 0, xla.add)
    return xla.select_and_scatter(*args).shape


def test_sh_s33_reduce_window_is_exact():
    rng = random.Random(1)
    checked = 0
    for _ in range(400):
        window = (
            [rng.choice([1, 2, 3])],
            [rng.choice([1, 2, 3])],
            rng.choice(["VALID", "SAME", "SAME_LOWER", [(rng.randint(-3, 3), rng.randint(-3, 3))]]),
            [rng.choice([1, 2])],
            [rng.choice([1, 2])],
        )
        checked += check_tight(
            lambda x, mode, window=window: shapes.xla.reduce_window(x, *window, mode=mode),
            lambda x, window=window: counted(x, *window),
            ([rng.choice(DIMS)],),
        )
    assert checked == 400


def test_sh_s33_select_and_scatter_is_exact():
    rng = random.Random(2)
    checked = 0
    for operand, source in itertools.product(DIMS, DIMS):
        for padding in ("VALID", "SAME", [(1, -1)], [(2, 1)]):
            window = ([rng.choice([1, 2, 3])], [rng.choice([1, 2, 3])], padding)
            checked += check_tight(
                lambda x, y, mode, window=window: shapes.xla.select_and_scatter(x, y, *window, mode=mode),
                lambda x, y, window=window: scattered(x, y, *window),
                ([operand], [source]),
            )
    assert checked > 80


def test_sh_s33_reduce_keeps_dims():
    n = shapes.Dim((2, 5))
    result = shapes.xla.reduce([3, n, None], [0], mode="tight")
    assert result.dim(0).id == n.id and result.dims == (None, None)
    assert shapes.xla.reduce(None, [0]).rank is None
    assert ssop.infer_shape("xla.reduce", [2, 3], [1]).dims == (2,)


def test_sh_s33_dims_that_stay_whatever_they_are():
    n = shapes.Dim()
    for window in (((1,), (1,)), ((3,), (1,), "SAME"), ((3,), (1,), [(2, 0)]), ((2,), (1,), [(2, 0)], None, (2,))):
        assert shapes.xla.reduce_window([n], *window).dim(0).id == n.id
    assert shapes.xla.reduce_window([n], (3,)).dim(0).id != n.id
    assert ssop.infer_shape("xla.reduce_window", [7, None], (2, 2), (2, 2)).dims == (3, None)


def test_sh_s33_of_unknown_rank():
    assert shapes.xla.reduce_window(None, (2, 2)).rank is None
    assert shapes.xla.reduce_window(None, (2, 2), mode="tight").intervals == ((0, None),) * 2
    assert shapes.xla.select_and_scatter(None, [2, 1], (2, 2)).rank is None
    assert shapes.xla.select_and_scatter(None, [2, (1, 2)], (2, 2), mode="tight").intervals == ((3, 3), (2, 3))
    assert shapes.xla.select_and_scatter(None, None, (2,), mode="tight").intervals == ((0, None),)
    assert shapes.xla.select_and_scatter([None, 3], None, (2, 2), (1, 1)).dims == (None, 3)
    assert ssop.infer_shape("xla.select_and_scatter", [None], [2], (3,), (3,), "SAME").dims == (None,)


@pytest.mark.parametrize(
    ("label", "call"),
    [
        ("red_c3", lambda: shapes.xla.reduce([2, None], [2])),
        ("red_c3", lambda: shapes.xla.reduce(None, [-1])),
        ("red_c6", lambda: shapes.xla.reduce(None, [1, 1])),
        ("win_c1", lambda: shapes.xla.reduce_window([2, None], (2,))),
        ("win_c1", lambda: shapes.xla.reduce_window([2, None], (2,), padding=[(0, 0)])),
        ("win_c2", lambda: shapes.xla.reduce_window(None, (2,), (1, 1))),
        ("win_c4", lambda: shapes.xla.reduce_window(None, (2,), padding="ALL")),
        ("win_c5", lambda: shapes.xla.reduce_window(None, (0,))),
        ("win_c8", lambda: shapes.xla.reduce_window([None], (1,), window_dilation=(0,))),
        ("win_c9", lambda: shapes.xla.reduce_window([(1, 2)], (1,), padding=[(2**63 - 1, 0)])),
        ("sas_c1", lambda: shapes.xla.select_and_scatter([(0, 3)], [(3, 4)], (2,))),
        ("sas_c1", lambda: shapes.xla.select_and_scatter([None], [2, 2], (2,))),
        ("sas_c1", lambda: shapes.xla.select_and_scatter(None, [2, 2], (2,))),
        ("sh_c25", lambda: shapes.xla.reduce([2], [0], mode="loose")),
    ],
    ids=itertools.count(),
)
def test_errors_of_shapes(label, call):
    with pytest.raises(ssop.SliceError) as info:
        call()
    assert info.value.label == label
