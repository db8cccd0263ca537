"""Every slicing example of the documents this project was asked for.

They are a blog on TensorFlow's strided_slice (2020), the StridedSlice OpDef, and XLA's operation semantics (2017).
Where a document is wrong, the test shows what it says and what is right.
"""

import numpy as np
import pytest

import ssop

# The blog's input; every worked example is on this shape.
BLOG = np.arange(6 * 3 * 4 * 10).reshape(6, 3, 4, 10)
SPARSE = ([0, 0, 2, 2], [3, 2, 4, 8], [1, 1, 1, 1])


# ---- the blog --------------------------------------------------------------------------------------------------------


def test_blog_range_is_half_open():
    """Picked from begin in steps of strides until end, which is not included."""
    x = np.arange(10)
    assert ssop.strided_slice(x, [2], [8], [2]).tolist() == [2, 4, 6]
    assert ssop.strided_slice(x, [2], [9], [2]).tolist() == [2, 4, 6, 8]


def test_blog_sparse_mode():
    """[6, 3, 4, 5] with two entries: missing axes are taken whole."""
    x = np.arange(360).reshape(6, 3, 4, 5)
    assert np.array_equal(ssop.strided_slice(x, [0, 1], [3, 5], [1, 2]), x[0:3, 1:5:2])
    assert ssop.strided_slice(x, [0, 1], [3, 5], [1, 2]).shape == (3, 1, 4, 5)


def test_blog_begin_and_end_masks_ignore_their_entries():
    x = np.arange(10)
    assert ssop.strided_slice(x, [4], [8], begin_mask=1).tolist() == list(range(8))
    assert ssop.strided_slice(x, [4], [8], end_mask=1).tolist() == list(range(4, 10))


def test_blog_mask_entries_shift_behind_an_ellipsis():
    """The index of a mask bit is an entry's, not an axis': behind an ellipsis the axis comes later."""
    result = ssop.strided_slice(BLOG, [0, 0, 5], [0, 0, 7], ellipsis_mask=0b010, begin_mask=0b100, end_mask=0b001)
    assert np.array_equal(result, BLOG[..., :7])


def test_blog_ellipsis_in_dense_mode_covers_one_axis():
    result = ssop.strided_slice(BLOG, [1, 1, 1, 1], [2, 2, 2, 2], ellipsis_mask=0b0010)
    assert np.array_equal(result, BLOG[1:2, :, 1:2, 1:2])


def test_blog_ellipsis_in_sparse_mode_covers_an_interval():
    result = ssop.strided_slice(BLOG, [1, 1, 1], [2, 2, 2], ellipsis_mask=0b010)
    assert np.array_equal(result, BLOG[1:2, :, :, 1:2])


def test_blog_only_one_ellipsis():
    with pytest.raises(ssop.SliceValueError, match="Multiple ellipses in slice spec not allowed"):
        ssop.strided_slice(BLOG, *SPARSE, ellipsis_mask=0b0101)


def test_blog_new_axis_one_after_the_other():
    """[6, 3, 4, 5] with new_axis_mask 0b1111 becomes [1, 1, 1, 1, 6, 3, 4, 5]."""
    x = np.arange(360).reshape(6, 3, 4, 5)
    for mask, shape in (
        (0b0001, (1, 6, 3, 4, 5)),
        (0b0011, (1, 1, 6, 3, 4, 5)),
        (0b0111, (1, 1, 1, 6, 3, 4, 5)),
        (0b1111, (1, 1, 1, 1, 6, 3, 4, 5)),
    ):
        count = mask.bit_length()
        result = ssop.strided_slice(x, [0] * count, [0] * count, new_axis_mask=mask)
        assert np.array_equal(result, x.reshape(shape))


def test_blog_ellipsis_beats_new_axis():
    """Bits set in both: the new axis is ignored."""
    both = ssop.strided_slice(BLOG, *SPARSE, ellipsis_mask=8, new_axis_mask=8)
    assert np.array_equal(both, ssop.strided_slice(BLOG, *SPARSE, ellipsis_mask=8))


def test_blog_ellipsis_beats_shrink():
    both = ssop.strided_slice(BLOG, *SPARSE, ellipsis_mask=4, shrink_axis_mask=4)
    assert np.array_equal(both, ssop.strided_slice(BLOG, *SPARSE, ellipsis_mask=4))


def test_blog_new_axis_beats_shrink():
    """The blog is silent about this pair."""
    both = ssop.strided_slice(BLOG, *SPARSE, new_axis_mask=4, shrink_axis_mask=4)
    assert np.array_equal(both, ssop.strided_slice(BLOG, *SPARSE, new_axis_mask=4))


def test_blog_shrink_takes_one_element_and_drops_the_axis():
    assert np.array_equal(ssop.strided_slice(BLOG, [2], [99], shrink_axis_mask=1), BLOG[2])


def test_blog_first_worked_example():
    """Output [1, 2, 4, 10]; new_axis_mask is worth 0b0001, since the ellipsis stands at entry 3 too."""
    result = ssop.strided_slice(BLOG, *SPARSE, new_axis_mask=0b1001, shrink_axis_mask=4, ellipsis_mask=8)
    assert result.shape == (1, 2, 4, 10)
    assert np.array_equal(result, BLOG[None, 0:2, 2])
    # The blog's table has axes (1, 6, 3, 4, 10) with outputs 1, 2, 1, 4, 10; the third is shrunk away.
    region = ssop.StridedSliceSpec(*SPARSE, 0, 0, 8, 0b1001, 4).resolve(BLOG.shape)
    assert region.ranges == ((0, 2, 1), (2, 1, 1), (0, 4, 1), (0, 10, 1))
    assert region.out_axes == (-1, 0, 2, 3)


def test_blog_second_worked_example():
    """Output [1, 2, 3, 4, 10, 1]: the shrink bit loses to the ellipsis, the second new axis comes last."""
    result = ssop.strided_slice(BLOG, *SPARSE, new_axis_mask=0b1001, shrink_axis_mask=4, ellipsis_mask=4)
    assert result.shape == (1, 2, 3, 4, 10, 1)
    assert np.array_equal(result, BLOG[None, 0:2, ..., None])
    region = ssop.StridedSliceSpec(*SPARSE, 0, 0, 4, 0b1001, 4).resolve(BLOG.shape)
    assert region.ranges == ((0, 2, 1), (0, 3, 1), (0, 4, 1), (0, 10, 1))
    assert region.out_axes == (-1, 0, 1, 2, 3, -1)


def test_blog_new_axes_move_no_data():
    """The pick shape is the output shape without the new axes, and the shrunk ones count 1."""
    with_new = ssop.StridedSliceSpec(*SPARSE, new_axis_mask=0b0101).resolve(BLOG.shape)
    without = ssop.StridedSliceSpec([0, 2], [2, 8]).resolve(BLOG.shape)
    assert with_new.ranges == without.ranges
    assert with_new.shape == (1, 2, 1, 1, 4, 10)
    assert without.shape == (2, 1, 4, 10)


def test_blog_is_wrong_that_begin_is_clamped_to_0_and_n_minus_1():
    """Pipeline row clamp(begin): "in [0, N-1]". Right: 0..N forwards, -1..N-1 backwards; outside, nothing is taken."""
    assert ssop.strided_slice(np.arange(4), [4], [9]).tolist() == []  # the blog would take the last element
    assert ssop.strided_slice(np.arange(4), [-9], [-9], [-1]).tolist() == []  # and the first one here


def test_blog_is_wrong_that_end_is_clamped_to_0_and_n_minus_1():
    """Right: 0..N forwards, -1..N-1 backwards; otherwise the last (first) element could never be taken."""
    assert ssop.strided_slice(np.arange(4), [0], [4]).tolist() == [0, 1, 2, 3]
    assert ssop.strided_slice(np.arange(4), [3], [-9], [-1]).tolist() == [3, 2, 1, 0]


def test_blog_is_wrong_about_a_masked_begin_with_a_negative_stride():
    """Pipeline row process_begin_mask: "begin is N". Right: N-1, the last element there is."""
    spec = ssop.StridedSliceSpec([0], [-9], [-2], begin_mask=1)
    assert spec(np.arange(5)).tolist() == [4, 2, 0]  # from N = 5 it would be 3, 1
    assert spec.resolve((5,)).ranges[0][0] == 4


def test_blog_is_wrong_about_a_masked_end_with_a_negative_stride():
    """Pipeline row process_end_mask: "end is 0". Right: one before 0, so that element 0 is taken."""
    assert ssop.strided_slice(np.arange(5), [4], [0], [-2], end_mask=1).tolist() == [4, 2, 0]
    assert ssop.strided_slice(np.arange(5), [4], [0], [-2]).tolist() == [4, 2]


def test_blog_is_wrong_that_shrink_forces_stride_1():
    """Pipeline row process_shrink_mask: "end, stride become [begin+1, 1]". But a stride of 0 or below is an error."""
    assert ssop.strided_slice(np.arange(5), [3], [0], [7], shrink_axis_mask=1).item() == 3
    for stride, label in ((0, "ss_c5"), (-1, "ss_c6")):
        with pytest.raises(ssop.SliceValueError) as info:
            ssop.strided_slice(np.arange(5), [3], [0], [stride], shrink_axis_mask=1)
        assert info.value.label == label


def test_blog_is_wrong_that_an_axis_of_one_always_gives_one():
    """Pipeline row compute_output_shape: "an input dim of 1 can only output 1". It can be empty."""
    assert ssop.strided_slice(np.zeros((1, 2)), [1], [1]).shape == (0, 2)


# ---- the OpDef -------------------------------------------------------------------------------------------------------


def test_opdef_encoding_of_its_example():
    """`foo[1, 2:4, None, ..., :-3:-1, :]`."""
    spec = ssop.StridedSliceSpec.from_index(np.s_[1, 2:4, None, ..., :-3:-1, :])
    assert spec.begin == (1, 2, 0, 0, 0, 0)
    assert spec.end == (2, 4, 0, 0, -3, 0)
    assert spec.strides == (1, 1, 1, 1, -1, 1)
    masks = (spec.begin_mask, spec.end_mask, spec.ellipsis_mask, spec.new_axis_mask, spec.shrink_axis_mask)
    assert masks == (48, 32, 8, 4, 1)


def test_opdef_shape_of_its_example():
    """foo of shape (5, 5, 5, 5, 5, 5) gives (2, 1, 5, 5, 2, 5)."""
    foo = np.arange(5**6).reshape((5,) * 6)
    result = ssop.StridedSliceSpec.from_index(np.s_[1, 2:4, None, ..., :-3:-1, :])(foo)
    assert result.shape == (2, 1, 5, 5, 2, 5)
    assert np.array_equal(result, foo[1, 2:4, None, ..., :-3:-1, :])


def test_opdef_dont_care_entries():
    """The x in the example: any value does."""
    foo = np.arange(5**6).reshape((5,) * 6)
    for x in (0, 7, -(2**63), 2**63 - 1):
        result = ssop.strided_slice(
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


def test_opdef_full_range():
    """foo of shape (3,), foo[:]: begin 0 and end 3; not the same as foo[0:-1], whose end is 2."""
    foo = np.arange(3)
    assert ssop.strided_slice(foo, [9], [9], begin_mask=1, end_mask=1).tolist() == [0, 1, 2]
    assert ssop.strided_slice(foo, [0], [-1]).tolist() == [0, 1]
    assert ssop.StridedSliceSpec([0], [-1]).resolve((3,)).ranges == ((0, 2, 1),)


def test_opdef_reverse_without_the_last_two():
    """foo = [1, 2, 3, 4]; `foo[-2::-1]` is [4, 3] says the text. It is [3, 2, 1]: only the last element is dropped."""
    foo = np.array([1, 2, 3, 4])
    spec = ssop.StridedSliceSpec.from_index(np.s_[-2::-1])
    assert spec(foo).tolist() == [3, 2, 1]
    assert ssop.StridedSliceSpec.from_index(np.s_[:-3:-1])(foo).tolist() == [4, 3]  # what the text shows


def test_opdef_implicit_begin_of_a_negative_stride():
    """ "An implicit effective value of -1 if stride < 0" means the last element, -1 as an index."""
    foo = np.arange(4)
    masked = ssop.strided_slice(foo, [0], [-9], [-1], begin_mask=1)
    assert np.array_equal(masked, ssop.strided_slice(foo, [-1], [-9], [-1]))


def test_opdef_single_index():
    """foo[2, :] on shape (5, 6) gives shape (6,)."""
    foo = np.arange(30).reshape(5, 6)
    result = ssop.StridedSliceSpec.from_index(np.s_[2, :])(foo)
    assert result.shape == (6,)
    assert np.array_equal(result, foo[2])


def test_opdef_negative_index_counts_from_the_end():
    """-1 becomes s - 1."""
    foo = np.arange(7)
    assert ssop.strided_slice(foo, [-1], [0], shrink_axis_mask=1).item() == 6
    assert ssop.strided_slice(foo, [-2], [-1]).tolist() == [5]


def test_opdef_colon_is_the_same_as_double_colon():
    for index in (np.s_[:], np.s_[::], np.s_[0::1]):
        assert ssop.StridedSliceSpec.from_index(index)(np.arange(3)).tolist() == [0, 1, 2]
    spec = ssop.StridedSliceSpec.from_index(np.s_[:])
    assert (spec.begin, spec.end, spec.begin_mask, spec.end_mask) == ((0,), (0,), 1, 1)


def test_opdef_requirement_of_strides():
    """`0 != strides[i] for i in [0, m)`; but entries that address no axis are never looked at."""
    foo = np.arange(12).reshape(3, 4)
    with pytest.raises(ssop.SliceValueError, match=r"strides\[0\] must be non-zero"):
        ssop.strided_slice(foo, [0], [1], [0])
    with pytest.raises(ssop.SliceValueError, match=r"strides\[1\] must be non-zero"):
        ssop.strided_slice(foo, [0, 0], [1, 1], [1, 0], begin_mask=2, end_mask=2)
    assert ssop.strided_slice(foo, [0], [1], [0], new_axis_mask=1).shape == (1, 3, 4)
    assert ssop.strided_slice(foo, [0], [1], [0], ellipsis_mask=1).shape == (3, 4)


def test_opdef_requirement_of_the_ellipsis():
    """`ellipsis_mask must be a power of two (only one ellipsis)`; none is fine, too."""
    foo = np.arange(12).reshape(3, 4)
    assert ssop.strided_slice(foo, [1], [2], ellipsis_mask=0).shape == (1, 4)
    for bit in range(32):
        mask = 1 << bit if bit < 31 else -(2**31)
        assert ssop.strided_slice(foo, [1], [2], ellipsis_mask=mask).shape == ((3, 4) if bit == 0 else (1, 4))
    for mask in (3, 5, 6, -1, -2, 2**31 - 1):
        with pytest.raises(ssop.SliceValueError):
            ssop.strided_slice(foo, [1], [2], ellipsis_mask=mask)


def test_opdef_shrink_ignores_end():
    foo = np.arange(5)
    for end in (-(2**63), -1, 0, 3, 2**63 - 1):
        assert ssop.strided_slice(foo, [2], [end], shrink_axis_mask=1, end_mask=1).item() == 2


# ---- XLA -------------------------------------------------------------------------------------------------------------

A = np.array([0.0, 1.0, 2.0, 3.0, 4.0])
B = np.arange(12.0).reshape(4, 3)


def test_xla_slice_in_one_dimension():
    """Slice(a, {2}, {4}) produces {2.0, 3.0}."""
    assert ssop.slice(A, [2], [4]).tolist() == [2.0, 3.0]


def test_xla_slice_in_two_dimensions():
    """Slice(b, {2, 1}, {4, 3}) produces {{7.0, 8.0}, {10.0, 11.0}}."""
    assert ssop.slice(B, [2, 1], [4, 3]).tolist() == [[7.0, 8.0], [10.0, 11.0]]


def test_xla_slice_bounds():
    """ "Values must be greater or equal to zero", and limits at most the dim."""
    for starts, limits, label in (([-1], [2], "sl_c4"), ([0], [6], "sl_c5"), ([3], [2], "sl_c6")):
        with pytest.raises(ssop.SliceValueError) as info:
            ssop.slice(A, starts, limits)
        assert info.value.label == label


def test_xla_slice_is_wrong_that_limits_are_strictly_greater():
    """The text: "each value must be strictly greater than the start". Equal gives an empty result."""
    assert ssop.slice(A, [2], [2]).shape == (0,)
    assert ssop.slice(A, [5], [5]).shape == (0,)


def test_xla_dynamic_slice_in_one_dimension():
    """DynamicSlice(a, {2}, {2}) produces {2.0, 3.0}."""
    assert ssop.dynamic_slice(A, np.array([2]), [2]).tolist() == [2.0, 3.0]


def test_xla_dynamic_slice_in_two_dimensions():
    """DynamicSlice(b, {2, 1}, {2, 2}) produces {{7.0, 8.0}, {10.0, 11.0}}."""
    assert ssop.dynamic_slice(B, np.array([2, 1]), [2, 2]).tolist() == [[7.0, 8.0], [10.0, 11.0]]


def test_xla_dynamic_slice_out_of_bounds():
    """The text: "indices are computed modulo input dimension sizes". Since May 2018 the window moves inside instead."""
    assert ssop.dynamic_slice(A, [4], [3]).tolist() == [2.0, 3.0, 4.0]
    assert ssop.dynamic_slice(A, [4], [3], out_of_bounds="wrap").tolist() == [4.0, 0.0, 1.0]
    assert ssop.dynamic_slice(A, [7], [3], out_of_bounds="wrap").tolist() == [2.0, 3.0, 4.0]


def test_xla_dynamic_slice_start_indices_may_be_negative_after_all():
    """The text: "must be greater or equal to zero"."""
    assert ssop.dynamic_slice(A, [-1], [2]).tolist() == [0.0, 1.0]
    assert ssop.dynamic_slice(A, [-1], [2], out_of_bounds="wrap").tolist() == [4.0, 0.0]


def test_xla_dynamic_slice_is_wrong_that_sizes_are_strictly_positive():
    assert ssop.dynamic_slice(A, [2], [0]).shape == (0,)


def test_xla_dynamic_slice_needs_one_start_per_axis():
    """ "start_indices must be rank == 1, with dimension size equal to the rank of operand"."""
    with pytest.raises(ssop.SliceValueError) as info:
        ssop.dynamic_slice(B, [2], [2, 2])
    assert info.value.label == "ds_c1"


def test_xla_dynamic_update_slice_in_one_dimension():
    """DynamicUpdateSlice(a, {5.0, 6.0}, {2}) produces {0.0, 1.0, 5.0, 6.0, 4.0}."""
    result = ssop.dynamic_update_slice(A, np.array([5.0, 6.0]), [2])
    assert result.tolist() == [0.0, 1.0, 5.0, 6.0, 4.0]
    assert A.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]


def test_xla_dynamic_update_slice_in_two_dimensions():
    """DynamicUpdateSlice(b, u, {1, 1}) produces the operand with u from row 1 and column 1 on."""
    u = np.array([[12.0, 13.0], [14.0, 15.0], [16.0, 17.0]])
    result = ssop.dynamic_update_slice(B, u, [1, 1])
    assert result.tolist() == [[0.0, 1.0, 2.0], [3.0, 12.0, 13.0], [6.0, 14.0, 15.0], [9.0, 16.0, 17.0]]


def test_xla_dynamic_update_slice_out_of_bounds():
    """The text: "modulo update dimension sizes". The code never did: it was the operand's, now it clamps."""
    update = np.array([5.0, 6.0])
    assert ssop.dynamic_update_slice(A, update, [4]).tolist() == [0.0, 1.0, 2.0, 5.0, 6.0]
    assert ssop.dynamic_update_slice(A, update, [4], out_of_bounds="wrap").tolist() == [6.0, 1.0, 2.0, 3.0, 5.0]
    # Modulo the update's dim, start 4 would have been start 0.
    assert ssop.dynamic_update_slice(A, update, [4]).tolist()[:2] == [0.0, 1.0]


def test_xla_dynamic_update_slice_is_wrong_that_updates_are_smaller_than_the_operand():
    """The text: "strictly greater than zero, start + update less than the operand size". Equal and empty are legal."""
    assert ssop.dynamic_update_slice(A, -A, [0]).tolist() == (-A).tolist()
    assert ssop.dynamic_update_slice(A, np.zeros(0), [3]).tolist() == A.tolist()
    with pytest.raises(ssop.SliceValueError) as info:
        ssop.dynamic_update_slice(A, np.zeros(6), [0])
    assert info.value.label == "dus_c3"
