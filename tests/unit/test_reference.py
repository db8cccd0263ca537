"""The reference against NumPy's basic indexing, the documents' worked examples, and each of its rules broken once.

Everything else trusts the reference, so nothing here may use the C core.
"""

import doctest
import importlib
import random
from math import prod
from pkgutil import iter_modules

import numpy as np
import pytest

from ssop import reference
from ssop.reference import Rejected, Tensor

INT64 = (-(2**63), 2**63 - 1)


def counting(*shape):
    """The tensor and the array of `shape` that hold 0, 1, 2, ..."""
    return Tensor(shape, list(range(prod(shape)))), np.arange(prod(shape)).reshape(shape)


def assert_same(tensor, array):
    assert tensor == (array.shape, array.ravel().tolist())


def spec_of(index):
    """Encode a NumPy index as TensorFlow's Python front end does."""
    begin, end, strides = [], [], []
    masks = dict.fromkeys(("begin", "end", "ellipsis", "new_axis", "shrink_axis"), 0)
    for entry, part in enumerate(index):
        first, last, stride = 0, 0, 1
        if part is Ellipsis:
            masks["ellipsis"] |= 1 << entry
        elif part is None:
            masks["new_axis"] |= 1 << entry
        elif isinstance(part, int):
            first, last = part, part + 1
            masks["shrink_axis"] |= 1 << entry
        else:
            first, last, stride = part.start or 0, part.stop or 0, 1 if part.step is None else part.step
            masks["begin"] |= (part.start is None) << entry
            masks["end"] |= (part.stop is None) << entry
        begin.append(first)
        end.append(last)
        strides.append(stride)
    return begin, end, strides, *masks.values()


def random_index(rng, shape):
    """An index that NumPy takes for `shape`: with each kind of part anywhere, bounds past both ends of the axes."""
    index = []
    for dim in shape[: rng.randint(0, len(shape))]:
        if dim and rng.random() < 0.2:
            index.append(rng.randrange(-dim, dim))
        else:
            bounds = [None, *range(-dim - 2, dim + 3)]
            step = rng.choice([None, *range(-dim - 1, 0), *range(1, dim + 2)])
            index.append(slice(rng.choice(bounds), rng.choice(bounds), step))
    for _ in range(rng.choice([0, 0, 1, 2])):
        index.insert(rng.randint(0, len(index)), None)
    if rng.random() < 0.5:
        # The parts after the ellipsis belong to the last axes, whose dims may be others: integers might not fit there.
        where = rng.randint(0, len(index))
        index[where:] = [slice(None, part) if isinstance(part, int) else part for part in index[where:]]
        index.insert(where, Ellipsis)
    return tuple(index)


def test_numpy_takes_the_same_of_random_indices():
    rng = random.Random(20210704)
    compared, shapes = 0, set()
    for _ in range(4000):
        x, a = counting(*(rng.randint(0, 4) for _ in range(rng.randint(0, 4))))
        index = random_index(rng, a.shape)
        assert_same(reference.strided_slice(x, *spec_of(index)), a[index])
        shapes.add(a[index].shape)
        compared += 1
    assert compared == 4000 and len(shapes) > 200


def test_numpy_takes_the_same_of_every_slice_of_one_axis():
    compared = 0
    for dim in range(6):
        x, a = counting(dim)
        bounds = [None, *range(-dim - 2, dim + 3), *INT64]
        steps = [None, *(step for step in range(-dim - 1, dim + 2) if step), *INT64]
        for index in (slice(first, last, step) for first in bounds for last in bounds for step in steps):
            assert_same(reference.strided_slice(x, *spec_of([index])), a[index])
            compared += 1
    assert compared == sum((2 * dim + 8) ** 2 * (2 * dim + 5) for dim in range(6))


def test_numpy_takes_the_same_of_slice():
    compared = 0
    for dim in range(7):
        x, a = counting(dim, 2)
        for start in range(dim + 1):
            for limit in range(start, dim + 1):
                for stride in range(1, dim + 2):
                    assert_same(reference.slice(x, [start, 1], [limit, 2], [stride, 1]), a[start:limit:stride, 1:])
                    compared += 1
    assert compared == sum((dim + 1) ** 2 * (dim + 2) // 2 for dim in range(7))


# The two worked examples of the blog, the OpDef's, and what each rule says, on numbers that can be checked by eye.

SS, SL, DS, DUS = reference.strided_slice, reference.slice, reference.dynamic_slice, reference.dynamic_update_slice
COUNTS = reference.strided_slice_counts
ONES = Tensor((1,) * 60, [0])
LINE = reference.tensor([0, 1, 2, 3, 4], (5,))
GRID = reference.tensor([[0, 1, 2], [3, 4, 5]], (2, 3))
BLOG = ([0, 0, 2, 2], [3, 2, 4, 8], [1, 1, 1, 1])


def test_ss_s1_first_example_of_the_blog():
    x, a = counting(6, 3, 4, 10)
    result = reference.strided_slice(x, *BLOG, new_axis_mask=0b1001, shrink_axis_mask=4, ellipsis_mask=8)
    assert result.shape == (1, 2, 4, 10)
    assert_same(result, a[None, 0:2, 2, ...])


def test_ss_s2_second_example_of_the_blog():
    x, a = counting(6, 3, 4, 10)
    result = reference.strided_slice(x, *BLOG, new_axis_mask=0b1001, shrink_axis_mask=4, ellipsis_mask=4)
    assert result.shape == (1, 2, 3, 4, 10, 1)
    assert_same(result, a[None, 0:2, ..., None])


def test_ss_s3_example_of_the_opdef():
    x, a = counting(2, 5, 2, 2, 4, 2)
    spec = ([1, 2, 7, 7, 7, 7], [2, 4, 7, 7, -3, 7], [1, 1, 0, 0, -1, 1])
    masks = {"begin_mask": 48, "end_mask": 32, "ellipsis_mask": 8, "new_axis_mask": 4, "shrink_axis_mask": 1}
    assert_same(reference.strided_slice(x, *spec, **masks), a[1, 2:4, None, ..., :-3:-1, :])


MEETS = {
    "ss_s4 bounds are clamped": (SS, (LINE, [-9], [9]), [0, 1, 2, 3, 4]),
    "ss_s4 backwards, end -1 is the last element": (SS, (LINE, [9], [-1], [-1]), []),
    "ss_s5 masked, backwards": (SS, (LINE, [2], [2], [-2], 1, 1), [4, 2, 0]),
    "ss_s6 a stride of int64": (SS, (LINE, [1], [9], [INT64[1]]), [1]),
    "ss_s6 and the least": (SS, (LINE, [9], [-9], [INT64[0]]), [4]),
    "ss_s7 begin_mask does not move a shrunk begin": (SS, (LINE, [-2], [0], [9], 1, 1, 0, 0, 1), 3),
    "ss_s8 bits past the spec": (SS, (LINE, [1], [3], [1], 2, 2, 2, 2, 2), [1, 2]),
    "ss_s9 a mask of -1": (SS, (LINE, [3], [4], [1], -1, -1), [0, 1, 2, 3, 4]),
    "sl_c4 sl_c6 an empty slice past the end": (SL, (LINE, [5], [5]), []),
    "sl_s1": (SL, (LINE, [1], [5], [3]), [1, 4]),
    "ds_c3 size 0": (DS, (LINE, [9], [0]), []),
    "ds_c4 the whole axis": (DS, (LINE, [9], [5]), [0, 1, 2, 3, 4]),
    "ds_c5 the last window": (DS, (LINE, [3], [2], "raise"), [3, 4]),
    "ds_s1": (DS, (LINE, [4], [3]), [2, 3, 4]),
    "ds_s1 two axes": (DS, (GRID, [9, 1], [1, 2]), [[4, 5]]),
    "ds_s2": (DS, (LINE, [4], [3], "wrap"), [4, 0, 1]),
    "ds_s2 negative": (DS, (LINE, [-7], [2], "wrap"), [3, 4]),
    "ds_s3": (DS, (LINE, [-2], [2], "raise", True), [3, 4]),
    "ds_s3 once": (DS, (LINE, [-9], [2], "clamp", [True]), [0, 1]),
    "ds_s4": (DS, (LINE, [2**64 - 1], [2]), [3, 4]),
    "ds_s4 wrap": (DS, (LINE, [2**64 - 1], [2], "wrap"), [0, 1]),
    "dus_s1": (DUS, (LINE, Tensor((2,), [7, 8]), [9]), [0, 1, 2, 7, 8]),
    "dus_s1 two axes": (DUS, (GRID, Tensor((1, 2), [7, 8]), [1, 0]), [[0, 1, 2], [7, 8, 5]]),
    "dus_c3 nothing": (DUS, (LINE, Tensor((0,), []), [9]), [0, 1, 2, 3, 4]),
    "dus_c5 the last window": (DUS, (LINE, Tensor((2,), [7, 8]), [3], "raise"), [0, 1, 2, 7, 8]),
    "ds_s3 updates": (DUS, (LINE, Tensor((2,), [7, 8]), [-4], "raise", True), [0, 7, 8, 3, 4]),
    "ds_s3 an update at 0": (DUS, (LINE, Tensor((2,), [7, 8]), [0], "raise", True), [7, 8, 2, 3, 4]),
    "dus_s1 wrap": (DUS, (LINE, Tensor((2,), [7, 8]), [9], "wrap"), [8, 1, 2, 3, 7]),
}


@pytest.mark.parametrize(("function", "args", "expected"), MEETS.values(), ids=MEETS)
def test_rule_is_met(function, args, expected):
    assert_same(function(*args), np.array(expected))


def test_ss_c2_ss_c8_at_their_limits():
    assert SS(LINE, [0] * 31, [0] * 31, None, 0, 0, 0, 2**30 - 1).shape == (1,) * 30 + (0,)
    assert SS(ONES, [0] * 4, [0] * 4, None, 0, 0, 0, 0b1111).shape == (1,) * 64


def test_rg_s1_regions_are_canonical():
    assert reference.strided_slice_region((4,), [1], [3]) == (((1, 2, 1),), (0,))
    assert reference.strided_slice_region((4, 4), [9, -1], [2, -9], [3, -7]) == (((0, 0, 1), (3, 1, 1)), (0, 1))


def test_ss_s10_counts_are_the_least_and_the_greatest():
    assert reference.strided_slice_counts([(0, 5)], [-3], [2], [1]) == ((0, 2),)
    assert reference.strided_slice_counts([6], [(0, 2)], [(3, 4)], [(1, 2)]) == ((1, 4),)
    assert reference.strided_slice_counts([4, (1, 3)], [0, 2], [0, 0], [(0, 1), 1], 1, 1, 0, 0, 2) == ((4, 4),)
    assert reference.strided_slice_counts([], [], [], []) == ()


# Every rule broken once: (label, axis, entry, value, allowed) and the call that breaks it.


def breaking(label, axis, entry, value, allowed, function, *args, **kwargs):
    words = "_".join(str(part) for part in (label, function.__name__))
    return pytest.param((label, axis, entry, value, allowed), function, args, kwargs, id=words)


POSITIVE = (1, INT64[1])
WIDE = Tensor((1, 4), [0, 1, 2, 3])

BREAKS = [
    breaking("ss_c1", None, None, None, None, SS, GRID, [0, 0], [1], [1, 1]),
    breaking("ss_c1", None, None, None, None, SS, GRID, [0] * 32, [1], [1, 1]),
    breaking("ss_c2", None, None, 32, (0, 31), SS, GRID, [0] * 32, [1] * 32, None, 0, 0, 3),
    breaking("ss_c3", None, None, 0b101, None, SS, GRID, [0] * 3, [1] * 3, None, 0, 0, 0b101),
    breaking("ss_c3", None, None, -1, None, SS, GRID, [0], [1], None, 0, 0, -1),
    breaking("ss_c4", 2, 2, None, None, SS, GRID, [0] * 3, [1] * 3, [0] * 3),
    breaking("ss_c4", 2, 3, None, None, SS, GRID, [0] * 4, [1] * 4, None, 0, 0, 0b10),
    breaking("ss_c4", 0, 0, None, None, SS, Tensor((), [0]), [0], [1]),
    breaking("ss_c5", 1, 2, 0, None, SS, GRID, [0] * 3, [1] * 3, [0, 1, 0], 0, 0, 0, 1),
    breaking("ss_c5", 0, 0, 0, None, SS, GRID, [5], [1], [0], 0, 0, 0, 0, 1),
    breaking("ss_c6", 0, 1, -1, POSITIVE, SS, GRID, [0, 5], [1, 1], [1, -1], 0, 0, 0, 1, 2),
    breaking("ss_c6", 1, 1, -1, POSITIVE, SS, GRID, [0, 5], [1, 1], [1, -1], 0, 0, 0, 0, 2),
    breaking("ss_c7", 0, 1, 2, (-2, 1), SS, GRID, [0, 2], [1, 1], [1, 1], 0, 0, 0, 1, 2),
    breaking("ss_c7", 1, 1, 3, (-3, 2), SS, GRID, [0, 3], [1, 1], [1, 1], 0, 0, 0, 0, 2),
    breaking("ss_c7", 0, 0, -3, (-2, 1), SS, GRID, [-3], [1], [1], 1, 0, 0, 0, 1),
    breaking("ss_c7", 0, 0, 0, (0, -1), SS, Tensor((0,), []), [0], [1], [1], 0, 0, 0, 0, 1),
    breaking("ss_c8", None, None, 65, (0, 64), SS, ONES, [0] * 6, [0] * 6, [0] * 6, 0, 0, 0, 0b11111),
    breaking("ss_c7", 0, 0, 5, (-2, 1), COUNTS, [2], [(4, 5)], [0], [1], 0, 0, 0, 0, 1),
    breaking("sl_c1", None, None, None, None, SL, GRID, [0], [1, 1], [1, 1]),
    breaking("sl_c2", None, None, None, None, SL, GRID, [0], [1], [1, 1]),
    breaking("sl_c3", None, None, 1, (2, 2), SL, GRID, [-1], [1], [1]),
    breaking("sl_c4", 1, 1, -1, (0, 3), SL, GRID, [0, -1], [1, 9], [1, 0]),
    breaking("sl_c5", 1, 1, 4, (0, 3), SL, GRID, [0, 9], [1, 4], [1, 0]),
    breaking("sl_c6", 0, 0, 0, (1, 2), SL, GRID, [1, 0], [0, 9], [0, 1]),
    breaking("sl_c7", 0, 0, 0, POSITIVE, SL, GRID, [0, -1], [1, 1], [0, 0]),
    breaking("ds_c6", None, None, "none", None, DS, GRID, [0], [1], "none"),
    breaking("ds_c8", None, None, 7, None, DS, GRID, [0], [1], "wrap", False, 7),
    breaking("ds_c9", None, 1, 1, (2, 2), DS, GRID, [[0, 0], [1]], [1, 1]),
    breaking("ds_c3", 1, 1, -1, (0, 2**63 - 1), DS, GRID, [0, 0], [9, -1], "fill"),
    breaking("ds_c1", None, None, 1, (2, 2), DS, GRID, [0], [1], "clamp", [True]),
    breaking("ds_c2", None, None, 1, (2, 2), DS, GRID, [0, 0], [1], "clamp", [True]),
    breaking("ds_c7", None, None, 1, (2, 2), DS, GRID, [0, 0], [-1, 1], "clamp", [True]),
    breaking("ds_c3", 1, 1, -1, (0, 3), DS, GRID, [0, 0], [1, -1]),
    breaking("ds_c4", 0, 0, 3, (0, 2), DS, GRID, [9, 0], [3, -1], "raise"),
    breaking("ds_c5", 0, 0, 2, (0, 1), DS, GRID, [2, 0], [1, -1], "raise"),
    breaking("ds_c5", 1, 1, -4, (0, 2), DS, GRID, [0, -4], [1, 1], "raise", True),
    breaking("ds_c6", None, None, None, None, DUS, GRID, LINE, [0], None),
    breaking("dus_c1", None, None, 3, (2, 2), DUS, GRID, LINE, [0, 0, 0], "clamp", [True]),
    breaking("dus_c2", None, None, 1, (2, 2), DUS, GRID, LINE, [0, 0], "clamp", [True]),
    breaking("ds_c7", None, None, 1, (2, 2), DUS, GRID, WIDE, [0, 0], "clamp", [True]),
    breaking("dus_c3", 1, 1, 4, (0, 3), DUS, GRID, WIDE, [0, 9], "raise"),
    breaking("dus_c5", 1, 1, 3, (0, 1), DUS, GRID, Tensor((1, 2), [7, 8]), [0, 3], "raise"),
    breaking("dus_c5", 0, 0, -1, (0, 0), DUS, GRID, GRID, [-1, 0], "raise"),
]


@pytest.mark.parametrize(("expected", "function", "args", "kwargs"), BREAKS)
def test_rule_is_broken(expected, function, args, kwargs):
    with pytest.raises(Rejected) as caught:
        function(*args, **kwargs)
    error = caught.value
    assert (error.label, error.axis, error.entry, error.value, error.allowed) == expected


def test_every_label_of_the_reference_is_broken():
    families = {"ss": 8, "sl": 7, "ds": 9, "dus": 5}
    labels = {f"{family}_c{n}" for family, last in families.items() for n in range(1, last + 1)}
    assert {param.values[0][0] for param in BREAKS} == labels - {"dus_c4"}


@pytest.mark.parametrize("index", [(2, 0), (-1, 0), (0, 3), (0,)])
def test_tensor_has_nothing_outside_its_shape(index):
    with pytest.raises((IndexError, ValueError)):
        GRID.at(index)


def test_tensor_wants_even_lists():
    with pytest.raises(ValueError):
        reference.tensor([[1, 2], [3]], (2, 2))


def test_examples_in_the_docstrings():
    parts = [importlib.import_module(f"ssop.reference.{part.name}") for part in iter_modules(reference.__path__)]
    names = {"tensor": reference.tensor}
    results = [doctest.testmod(part, extraglobs=names) for part in parts]
    assert sum(result.failed for result in results) == 0
    assert sum(result.attempted for result in results) >= 25
