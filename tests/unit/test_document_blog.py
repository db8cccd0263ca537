"""Every example and every statement of the blog on TensorFlow's strided_slice (2020).

Where the blog is wrong, the test shows what it says and what is right. The reference is asked beside every call.
"""

import numpy as np

import ssop
from unit.against_reference import error_label, result_of

# The blog's input; every worked example is on this shape.
BLOG = np.arange(6 * 3 * 4 * 10).reshape(6, 3, 4, 10)
SPARSE = ([0, 0, 2, 2], [3, 2, 4, 8], [1, 1, 1, 1])


def strided_slice(*args, **kwargs):
    return result_of("strided_slice", *args, **kwargs)


def test_range_is_half_open():
    """Picked from begin in steps of strides until end, which is not included."""
    x = np.arange(10)
    assert strided_slice(x, [2], [8], [2]).tolist() == [2, 4, 6]
    assert strided_slice(x, [2], [9], [2]).tolist() == [2, 4, 6, 8]


def test_sparse_mode():
    """[6, 3, 4, 5] with two entries: missing axes are taken whole."""
    x = np.arange(360).reshape(6, 3, 4, 5)
    assert np.array_equal(strided_slice(x, [0, 1], [3, 5], [1, 2]), x[0:3, 1:5:2])
    assert strided_slice(x, [0, 1], [3, 5], [1, 2]).shape == (3, 1, 4, 5)


def test_begin_and_end_masks_ignore_their_entries():
    x = np.arange(10)
    assert strided_slice(x, [4], [8], begin_mask=1).tolist() == list(range(8))
    assert strided_slice(x, [4], [8], end_mask=1).tolist() == list(range(4, 10))


def test_mask_entries_shift_behind_an_ellipsis():
    """The index of a mask bit is an entry's, not an axis': behind an ellipsis the axis comes later."""
    result = strided_slice(BLOG, [0, 0, 5], [0, 0, 7], ellipsis_mask=0b010, begin_mask=0b100, end_mask=0b001)
    assert np.array_equal(result, BLOG[..., :7])


def test_ellipsis_in_dense_mode_covers_one_axis():
    result = strided_slice(BLOG, [1, 1, 1, 1], [2, 2, 2, 2], ellipsis_mask=0b0010)
    assert np.array_equal(result, BLOG[1:2, :, 1:2, 1:2])


def test_ellipsis_in_sparse_mode_covers_an_interval():
    result = strided_slice(BLOG, [1, 1, 1], [2, 2, 2], ellipsis_mask=0b010)
    assert np.array_equal(result, BLOG[1:2, :, :, 1:2])


def test_only_one_ellipsis():
    assert error_label("strided_slice", BLOG, *SPARSE, ellipsis_mask=0b0101) == "ss_c3"


def test_new_axis_one_after_the_other():
    """[6, 3, 4, 5] with new_axis_mask 0b1111 becomes [1, 1, 1, 1, 6, 3, 4, 5]."""
    x = np.arange(360).reshape(6, 3, 4, 5)
    for mask, shape in (
        (0b0001, (1, 6, 3, 4, 5)),
        (0b0011, (1, 1, 6, 3, 4, 5)),
        (0b0111, (1, 1, 1, 6, 3, 4, 5)),
        (0b1111, (1, 1, 1, 1, 6, 3, 4, 5)),
    ):
        count = mask.bit_length()
        result = strided_slice(x, [0] * count, [0] * count, new_axis_mask=mask)
        assert np.array_equal(result, x.reshape(shape))


def test_ellipsis_beats_new_axis():
    """Bits set in both: the new axis is ignored."""
    both = strided_slice(BLOG, *SPARSE, ellipsis_mask=8, new_axis_mask=8)
    assert np.array_equal(both, strided_slice(BLOG, *SPARSE, ellipsis_mask=8))


def test_ellipsis_beats_shrink():
    both = strided_slice(BLOG, *SPARSE, ellipsis_mask=4, shrink_axis_mask=4)
    assert np.array_equal(both, strided_slice(BLOG, *SPARSE, ellipsis_mask=4))


def test_new_axis_beats_shrink():
    """The blog is silent about this pair."""
    both = strided_slice(BLOG, *SPARSE, new_axis_mask=4, shrink_axis_mask=4)
    assert np.array_equal(both, strided_slice(BLOG, *SPARSE, new_axis_mask=4))


def test_shrink_takes_one_element_and_drops_the_axis():
    assert np.array_equal(strided_slice(BLOG, [2], [99], shrink_axis_mask=1), BLOG[2])


def test_first_worked_example():
    """Output [1, 2, 4, 10]; new_axis_mask is worth 0b0001, since the ellipsis stands at entry 3 too."""
    result = strided_slice(BLOG, *SPARSE, new_axis_mask=0b1001, shrink_axis_mask=4, ellipsis_mask=8)
    assert result.shape == (1, 2, 4, 10)
    assert np.array_equal(result, BLOG[None, 0:2, 2])
    # The blog's table has axes (1, 6, 3, 4, 10) with outputs 1, 2, 1, 4, 10; the third is shrunk away.
    region = ssop.StridedSliceSpec(*SPARSE, 0, 0, 8, 0b1001, 4).resolve(BLOG.shape)
    assert region.ranges == ((0, 2, 1), (2, 1, 1), (0, 4, 1), (0, 10, 1))
    assert region.out_axes == (-1, 0, 2, 3)


def test_second_worked_example():
    """Output [1, 2, 3, 4, 10, 1]: the shrink bit loses to the ellipsis, the second new axis comes last."""
    result = strided_slice(BLOG, *SPARSE, new_axis_mask=0b1001, shrink_axis_mask=4, ellipsis_mask=4)
    assert result.shape == (1, 2, 3, 4, 10, 1)
    assert np.array_equal(result, BLOG[None, 0:2, ..., None])
    region = ssop.StridedSliceSpec(*SPARSE, 0, 0, 4, 0b1001, 4).resolve(BLOG.shape)
    assert region.ranges == ((0, 2, 1), (0, 3, 1), (0, 4, 1), (0, 10, 1))
    assert region.out_axes == (-1, 0, 1, 2, 3, -1)


def test_is_wrong_that_a_spec_is_no_longer_than_the_rank():
    """ "begin, end and strides may not outnumber the input's axes". New axes and the ellipsis need none."""
    x = np.arange(4)
    assert strided_slice(x, [0, 1, 0], [0, 3, 0], new_axis_mask=0b101).tolist() == [[[1], [2]]]
    assert strided_slice(x, [0, 1], [0, 3], ellipsis_mask=0b01).tolist() == [1, 2]
    assert error_label("strided_slice", x, [0, 1], [4, 3]) == "ss_c4"


def test_new_axes_move_no_data():
    """The pick shape is the output shape without the new axes, and the shrunk ones count 1."""
    with_new = ssop.StridedSliceSpec(*SPARSE, new_axis_mask=0b0101).resolve(BLOG.shape)
    without = ssop.StridedSliceSpec([0, 2], [2, 8]).resolve(BLOG.shape)
    assert with_new.ranges == without.ranges
    assert with_new.shape == (1, 2, 1, 1, 4, 10)
    assert without.shape == (2, 1, 4, 10)


def test_is_wrong_that_begin_is_clamped_to_0_and_n_minus_1():
    """Pipeline row clamp(begin): "in [0, N-1]". Right: 0..N forwards, -1..N-1 backwards; outside, nothing is taken."""
    assert strided_slice(np.arange(4), [4], [9]).tolist() == []  # the blog would take the last element
    assert strided_slice(np.arange(4), [-9], [-9], [-1]).tolist() == []  # and the first one here


def test_is_wrong_that_end_is_clamped_to_0_and_n_minus_1():
    """Right: 0..N forwards, -1..N-1 backwards; otherwise the last (first) element could never be taken."""
    assert strided_slice(np.arange(4), [0], [4]).tolist() == [0, 1, 2, 3]
    assert strided_slice(np.arange(4), [3], [-9], [-1]).tolist() == [3, 2, 1, 0]


def test_is_wrong_about_a_masked_begin_with_a_negative_stride():
    """Pipeline row process_begin_mask: "begin is N". Right: N-1, the last element there is."""
    taken = strided_slice(np.arange(5), [0], [-9], [-2], begin_mask=1)
    assert taken.tolist() == [4, 2, 0]  # from N = 5 it would be 3, 1
    assert ssop.StridedSliceSpec([0], [-9], [-2], begin_mask=1).resolve((5,)).ranges[0][0] == 4


def test_is_wrong_about_a_masked_end_with_a_negative_stride():
    """Pipeline row process_end_mask: "end is 0". Right: one before 0, so that element 0 is taken."""
    assert strided_slice(np.arange(5), [4], [0], [-2], end_mask=1).tolist() == [4, 2, 0]
    assert strided_slice(np.arange(5), [4], [0], [-2]).tolist() == [4, 2]


def test_is_wrong_that_shrink_forces_stride_1():
    """Pipeline row process_shrink_mask: "end, stride become [begin+1, 1]". But a stride of 0 or below is an error."""
    assert strided_slice(np.arange(5), [3], [0], [7], shrink_axis_mask=1).item() == 3
    for stride, label in ((0, "ss_c5"), (-1, "ss_c6")):
        assert error_label("strided_slice", np.arange(5), [3], [0], [stride], shrink_axis_mask=1) == label


def test_is_wrong_that_an_axis_of_one_always_gives_one():
    """Pipeline row compute_output_shape: "an input dim of 1 can only output 1". It can be empty."""
    assert strided_slice(np.zeros((1, 2)), [1], [1]).shape == (0, 2)
    assert strided_slice(np.zeros((1, 2)), [0], [0]).shape == (0, 2)
