"""Every example and every statement of the StridedSlice OpDef.

Where the OpDef is wrong, the test shows what it says and what is right. The reference is asked beside every call.
"""

import numpy as np

import ssop
from unit.against_reference import error_label, result_of


def strided_slice(*args, **kwargs):
    return result_of("strided_slice", *args, **kwargs)


def indexed(foo, index):
    """`foo[index]` by way of the op's encoding."""
    spec = ssop.StridedSliceSpec.from_index(index)
    masks = (spec.begin_mask, spec.end_mask, spec.ellipsis_mask, spec.new_axis_mask, spec.shrink_axis_mask)
    return strided_slice(foo, spec.begin, spec.end, spec.strides, *masks)


def test_encoding_of_its_example():
    """`foo[1, 2:4, None, ..., :-3:-1, :]`."""
    spec = ssop.StridedSliceSpec.from_index(np.s_[1, 2:4, None, ..., :-3:-1, :])
    assert spec.begin == (1, 2, 0, 0, 0, 0)
    assert spec.end == (2, 4, 0, 0, -3, 0)
    assert spec.strides == (1, 1, 1, 1, -1, 1)
    masks = (spec.begin_mask, spec.end_mask, spec.ellipsis_mask, spec.new_axis_mask, spec.shrink_axis_mask)
    assert masks == (48, 32, 8, 4, 1)


def test_shape_of_its_example():
    """foo of shape (5, 5, 5, 5, 5, 5) gives (2, 1, 5, 5, 2, 5)."""
    foo = np.arange(5**6).reshape((5,) * 6)
    result = indexed(foo, np.s_[1, 2:4, None, ..., :-3:-1, :])
    assert result.shape == (2, 1, 5, 5, 2, 5)
    assert np.array_equal(result, foo[1, 2:4, None, ..., :-3:-1, :])


def test_dont_care_entries():
    """The x in the example: any value does."""
    foo = np.arange(5**6).reshape((5,) * 6)
    for x in (0, 7, -(2**63), 2**63 - 1):
        result = strided_slice(
            foo,
            [1, 2, x, x, x, x],
            [2, 4, x, x, -3, x],
            [1, 1, x, x, -1, 1],
            begin_mask=48,
            end_mask=32,
            ellipsis_mask=8,
            new_axis_mask=4,
            shrink_axis_mask=1,
        )
        assert np.array_equal(result, foo[1, 2:4, None, ..., :-3:-1, :])


def test_full_range():
    """foo of shape (3,), foo[:]: begin 0 and end 3; not the same as foo[0:-1], whose end is 2."""
    foo = np.arange(3)
    assert strided_slice(foo, [9], [9], begin_mask=1, end_mask=1).tolist() == [0, 1, 2]
    assert strided_slice(foo, [0], [-1]).tolist() == [0, 1]
    assert ssop.StridedSliceSpec([0], [-1]).resolve((3,)).ranges == ((0, 2, 1),)


def test_reverse_without_the_last_two():
    """foo = [1, 2, 3, 4]; `foo[-2::-1]` is [4, 3] says the text. It is [3, 2, 1]: only the last element is dropped."""
    foo = np.array([1, 2, 3, 4])
    assert indexed(foo, np.s_[-2::-1]).tolist() == [3, 2, 1]
    assert indexed(foo, np.s_[:-3:-1]).tolist() == [4, 3]  # what the text shows


def test_bounds_are_clamped():
    """Begin and end: "[0, n] if stride > 0 or [-1, n-1] if stride < 0"."""
    foo = np.arange(3)
    assert indexed(foo, np.s_[-9:9]).tolist() == [0, 1, 2]
    assert indexed(foo, np.s_[3:9]).tolist() == []
    assert indexed(foo, np.s_[9:-9:-1]).tolist() == [2, 1, 0]
    assert indexed(foo, np.s_[-9:-9:-1]).tolist() == []


def test_implicit_begin_of_a_negative_stride():
    """ "An implicit effective value of -1 if stride < 0" means the last element, -1 as an index."""
    foo = np.arange(4)
    masked = strided_slice(foo, [0], [-9], [-1], begin_mask=1)
    assert np.array_equal(masked, strided_slice(foo, [-1], [-9], [-1]))


def test_single_index():
    """foo[2, :] on shape (5, 6) gives shape (6,)."""
    foo = np.arange(30).reshape(5, 6)
    result = indexed(foo, np.s_[2, :])
    assert result.shape == (6,)
    assert np.array_equal(result, foo[2])


def test_negative_index_counts_from_the_end():
    """-1 becomes s - 1."""
    foo = np.arange(7)
    assert strided_slice(foo, [-1], [0], shrink_axis_mask=1).item() == 6
    assert strided_slice(foo, [-2], [-1]).tolist() == [5]


def test_colon_is_the_same_as_double_colon():
    for index in (np.s_[:], np.s_[::], np.s_[0::1]):
        assert indexed(np.arange(3), index).tolist() == [0, 1, 2]
    spec = ssop.StridedSliceSpec.from_index(np.s_[:])
    assert (spec.begin, spec.end, spec.begin_mask, spec.end_mask) == ((0,), (0,), 1, 1)


def test_requirement_of_strides():
    """`0 != strides[i] for i in [0, m)`; but entries that address no axis are never looked at."""
    foo = np.arange(12).reshape(3, 4)
    assert error_label("strided_slice", foo, [0], [1], [0]) == "ss_c5"
    assert error_label("strided_slice", foo, [0, 0], [1, 1], [1, 0], begin_mask=2, end_mask=2) == "ss_c5"
    assert strided_slice(foo, [0], [1], [0], new_axis_mask=1).shape == (1, 3, 4)
    assert strided_slice(foo, [0], [1], [0], ellipsis_mask=1).shape == (3, 4)


def test_requirement_of_the_ellipsis():
    """`ellipsis_mask must be a power of two (only one ellipsis)`; none is fine, too."""
    foo = np.arange(12).reshape(3, 4)
    assert strided_slice(foo, [1], [2], ellipsis_mask=0).shape == (1, 4)
    for bit in range(32):
        mask = 1 << bit if bit < 31 else -(2**31)
        assert strided_slice(foo, [1], [2], ellipsis_mask=mask).shape == ((3, 4) if bit == 0 else (1, 4))
    for mask in (3, 5, 6, -1, -2, 2**31 - 1):
        assert error_label("strided_slice", foo, [1], [2], ellipsis_mask=mask) == "ss_c3"


def test_shrink_ignores_end():
    foo = np.arange(5)
    for end in (-(2**63), -1, 0, 3, 2**63 - 1):
        assert strided_slice(foo, [2], [end], shrink_axis_mask=1, end_mask=1).item() == 2
