"""Shapes of XLA's dots and convolutions of operands that are known in part. (All: test_shapes_completions.py.)"""

import pytest

import ssop
from ssop.shapes import Dim, PartialShape, xla

FULL = (0, None)


def error_of(function, *args, **kwargs):
    with pytest.raises(ssop.SliceError) as info:
        function(*args, **kwargs)
    return info.value


def test_sh_s35_dims_keep_their_identity():
    batch, rows = Dim(), Dim((2, 5))
    result = xla.dot_general(
        PartialShape([rows, 3, batch]), PartialShape([None, 3, 4]), (([1], [1]), ([2], [0])), mode="tight"
    )
    assert (result.dim(0).id, result.dim(1).id, result.dim(2).value) == (batch.id, rows.id, 4)


def test_sh_s35_what_both_say_of_batch_axes():
    numbers = (([], []), ([0], [0]))
    assert xla.dot_general([(1, 4)], [(3, 9)], numbers, mode="tight").intervals == ((3, 4),)
    assert xla.dot_general([(1, 4)], [(3, 9)], numbers).intervals == (FULL,)
    error = error_of(xla.dot_general, [(1, 2)], [(3, 4)], numbers)
    assert (error.label, error.axis) == ("dot_c8", 0)
    assert error_of(xla.dot, [2, (1, 2)], [(3, 4), 2]).label == "dot_c6"


def test_sh_s35_unknown_ranks():
    assert xla.dot(None, [3, 4]).rank is None
    assert error_of(xla.dot, None, [3, 4, 5]).label == "dot_c1"
    assert xla.dot_general([3], None, (([0], [0]), ([], []))).rank is None
    assert xla.dot(None, [3], dimension_numbers=(([0], [0]), ([], []))).rank is None


def test_sh_s35_a_context_records_what_was_merged():
    one, other = Dim(), Dim()
    assert ssop.infer_shape("xla.dot", PartialShape([2, one]), PartialShape([other, 4])).dims == (2, 4)
    assert ssop.infer_shape("xla.dot_general", [2, 3], [3], (([1], [0]), ([], []))).dims == (2,)


def test_sh_s36_most_windows_over_the_longest_axis():
    assert xla.conv([2, 3, (10, 12)], [8, 3, (3, 5)], [2], "VALID", mode="tight").intervals[2] == (3, 5)
    assert xla.conv([2, 3, (10, None)], [8, 3, 5], [2], "VALID", mode="tight").intervals[2] == (3, None)
    assert xla.conv([2, 3, 10], [8, 3, None], [2], "VALID", mode="tight").intervals[2] == (0, 5)
    assert xla.conv([2, 3, 10], [8, 3, None], [2], "SAME").dims == (2, 8, 5)


def test_sh_s36_same_padding_keeps_an_axis():
    image = PartialShape([None, 3, None])
    result = xla.conv(image, [8, 3, 5], [1], "SAME")
    assert result.dim(2).id == image.dim(2).id
    assert result.dim(0).id == image.dim(0).id


def test_sh_s36_groups_leave_multiples():
    options = {"window_strides": [1], "padding": "VALID"}
    result = xla.conv_general_dilated([(3, 9), 1, 5], [(5, 11), 1, 2], batch_group_count=4, mode="tight", **options)
    assert result.intervals == ((1, 2), (8, 8), (4, 4))
    error = error_of(xla.conv_general_dilated, [(5, 7), 1, 5], [8, 1, 2], batch_group_count=4, **options)
    assert error.label == "cnv_c13"
    error = error_of(xla.conv_general_dilated, [2, (1, 3), 5], [8, (4, 5), 2], feature_group_count=2, **options)
    assert error.label == "cnv_c11"


def test_sh_s36_unknown_ranks():
    assert xla.conv(None, None, [1], "SAME", mode="tight").rank is None
    assert xla.conv(None, [8, 3, 5], [1], "SAME").rank is None
    assert xla.conv(None, [8, 3, 5], [1], "SAME", mode="tight").dims == (None, 8, None)
    assert xla.conv([2, 3, 7], None, [2], "VALID", mode="tight").intervals == ((2, 2), FULL, (0, 4))
    assert error_of(xla.conv, [2, 3, 7], [8, 3], [1], "SAME").label == "cnv_c1"
    assert error_of(xla.conv_general_dilated, [2, 3], [8, 3], [], [], feature_group_count=0).label == "cnv_c8"
    specs = ((0, 1, 2), (0, 1, 1), (0, 1, 2))
    error = error_of(xla.conv_general_dilated, [2, 3, 7], [8, 3, 2], [1], "SAME", dimension_numbers=specs)
    assert error.label == "cnv_c7"
