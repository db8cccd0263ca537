"""Strided slices as one Slice of ONNX: what `ssop.explain` and the explorer page compare, written by the core."""

from itertools import product

import pytest

import ssop
from exhaustive.spaces import mask_patterns
from one_slice import INT64, as_one_slice
from ssop import _core


def written(shape, begin, end, strides, *masks):
    return as_one_slice({"shape": shape, "begin": begin, "end": end, "strides": strides, "masks": masks})


def in_python(lists):
    return None if lists is None else tuple(map(tuple, lists))


def test_every_mask_set_of_two_entries():
    spec = [1, -9], [3, 9], [2, -1]
    equal = 0
    for rank, masks in product(range(4), mask_patterns(2)):
        lists = _core.one_slice((5,) * rank, *spec, *masks)
        assert lists == in_python(written((5,) * rank, *spec, *masks)), (rank, masks)
        equal += lists is not None
    assert equal >= 100


def test_many_entries_and_the_sign_bit():
    for count, ellipsis in product((31, 32, 33, 64, 65, 128, 129), (0, -(2**31), 1)):
        vectors = list(range(count)), [INT64[0]] * count, [-1] * count
        lists = _core.one_slice((2,) * 64, *vectors, -1, 5, ellipsis)
        expected = in_python(written((2,) * 64, *vectors, -1 & 0xFFFFFFFF, 5, ellipsis & 0xFFFFFFFF))
        assert lists == expected, (count, ellipsis)
        assert (lists is None) == (count > 64 + (ellipsis == 1) + (ellipsis < 0 and count > 31))


def test_what_is_no_slice():
    assert _core.one_slice((3,), [0], [1, 2]) is None and _core.one_slice((3,), [0], [1], [1, 1]) is None
    assert _core.one_slice((3,), [1], [2]) == ((1,), (2,), (0,), (1,))
    for broken in (((3,), [0.5], [1]), ((3,), [0], [2**63]), ((-1,), [0], [1]), ((3,), [0], [1], None, 2**32)):
        with pytest.raises(ssop.SliceError, match=r"^one_slice: .*\[in_c\d+\]$"):
            _core.one_slice(*broken)
