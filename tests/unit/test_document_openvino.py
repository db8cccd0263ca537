"""Every example and every statement of OpenVINO's StridedSlice-1 (in Japanese), and where it contradicts OpenVINO.

The sixteen contradictions have a test each, numbered; their docstrings say what is written and what is right. The
reference is asked beside every call.
"""

import numpy as np

import ssop
from ssop import reference
from ssop.reference._tensors import region_shape
from unit.against_reference import error_label, result_of

X = np.arange(4)
TENS = (10,) * 12  # the document's last inputs, which no memory holds: here their outer axes are 10 and the others 1
THIN = np.arange(100).reshape(10, *(1,) * 10, 10)


def strided_slice(*args, **kwargs):
    return result_of("openvino.strided_slice", *args, **kwargs)


def shape_of(shape, *args, **kwargs):
    return region_shape(*reference.openvino.strided_slice_region(shape, *args, **kwargs))


# ---- what the operation takes ----------------------------------------------------------------------------------------


def test_begin_is_included_and_end_is_not():
    assert strided_slice(X, [1], [3], [1]).tolist() == [1, 2]


def test_begin_end_and_strides_have_one_length():
    assert error_label("openvino.strided_slice", X, [0], [1, 1], [1]) == "ov_c3"
    assert error_label("openvino.strided_slice", X, [0], [1], [1, 1]) == "ov_c4"


def test_strides_are_not_zero():
    assert error_label("openvino.strided_slice", X, [0], [1], [0]) == "ov_c7"


def test_strides_that_are_left_out_are_1():
    assert strided_slice(X, [1], [3]).tolist() == [1, 2]


def test_mask_elements_are_0_or_1():
    assert error_label("openvino.strided_slice", X, [0], [1], [1], [2]) == "ov_c1"
    assert error_label("openvino.strided_slice", X, [0], [1], [1], [0], [0, -1]) == "ov_c1"


def test_the_ellipsis_mask_has_at_most_one_1():
    x = np.arange(6).reshape(1, 2, 3)
    assert error_label("openvino.strided_slice", x, [0] * 3, [1] * 3, ellipsis_mask=[1, 0, 1]) == "ov_c5"
    # Past the entries nothing is looked at, unless the op's own validation is asked for.
    assert strided_slice(x, [0, 1], [1, 2], ellipsis_mask=[0, 1, 1]).tolist() == x.tolist()
    masks = {"begin_mask": [0, 0, 0], "ellipsis_mask": [0, 1, 1]}
    assert error_label("openvino.strided_slice", x, [0, 1], [1, 2], **masks, strict=True) == "ov_c5"


# ---- negative values -------------------------------------------------------------------------------------------------


def test_minus_1_is_the_last_element():
    """data = [0, 1, 2, 3], begin = -1 becomes 3."""
    assert strided_slice(X, [-1], [4], [1]).tolist() == [3]


def test_minus_5_is_still_negative_and_clamped():
    """Begin -5 becomes -1, which is clamped."""
    assert strided_slice(X, [-5], [2], [1]).tolist() == [0, 1]


# ---- clamping --------------------------------------------------------------------------------------------------------


def test_forward_bounds_are_clamped_to_0_and_size():
    assert strided_slice(X, [4], [9], [1]).tolist() == []
    assert strided_slice(X, [-9], [9], [1]).tolist() == [0, 1, 2, 3]
    assert strided_slice(X, [0], [-9], [1]).tolist() == []


def test_backward_bounds_are_clamped():
    """Begin to 0..size-1, end to -1..size."""
    assert strided_slice(X, [9], [1], [-1]).tolist() == [3, 2]
    assert strided_slice(X, [2], [-9], [-1]).tolist() == [2, 1, 0]
    assert strided_slice(X, [3], [9], [-1]).tolist() == []


# ---- the masks -------------------------------------------------------------------------------------------------------


def test_begin_mask_is_python_s_empty_begin():
    """`array[0:10]` becomes `array[:10]`; backwards it is the last element."""
    assert strided_slice(X, [2], [3], [1], [1]).tolist() == [0, 1, 2]
    assert strided_slice(X, [2], [0], [-1], [1]).tolist() == [3, 2, 1]


def test_end_mask_is_python_s_empty_end():
    """`array[0:10]` becomes `array[0:]`."""
    assert strided_slice(X, [1], [2], [1], end_mask=[1]).tolist() == [1, 2, 3]


def test_new_axis_mask_ignores_begin_end_and_stride():
    """An axis of size 1 appears, and nothing is sliced in this step."""
    assert strided_slice(X, [9, 1], [-9, 3], [0, 1], new_axis_mask=[1]).tolist() == [[1, 2]]


def test_shrink_axis_mask_ignores_the_stride():
    """One element is left and the axis is gone, as in `array[..., 0, ...]`."""
    assert strided_slice(X, [2], [2], [0], shrink_axis_mask=[1]).item() == 2
    assert error_label("openvino.strided_slice", X, [4], [4], shrink_axis_mask=[1]) == "ov_c8"


def test_ellipsis_mask_ignores_begin_end_and_stride():
    x = np.arange(6).reshape(2, 3)
    assert strided_slice(x, [9, 1], [-9, 3], [0, 1], ellipsis_mask=[1]).tolist() == [[1, 2], [4, 5]]


def test_the_first_element_of_the_first_and_last_axis():
    """`[0, ..., 0]` on ten axes; the document spells it out with eleven entries once, and with ten once."""
    x = np.arange(1024).reshape((2,) * 10)
    masks = {"shrink_axis_mask": [1, 0, 1], "ellipsis_mask": [0, 1]}
    result = strided_slice(x, [0, 0, 0], [0, 0, 0], **masks)
    assert np.array_equal(result, x[0, :, :, :, :, :, :, :, :, 0])


def test_which_axis_an_entry_meets():
    """It moves on by one with no mask, with begin_mask or end_mask, and with shrink_axis_mask."""
    x = np.arange(24).reshape(2, 3, 4)
    masks = {"begin_mask": [1], "end_mask": [0, 1], "shrink_axis_mask": [0, 0, 1]}
    assert np.array_equal(strided_slice(x, [1, 1, 3], [1, 0, 3], **masks), x[:1, 1:, 3])


# ---- the examples ----------------------------------------------------------------------------------------------------


def test_example_of_a_negative_end():
    """`array[0:2, 0:2, 0:-1]`: element ids [0, 1], [0, 1], [0, 1, 2]."""
    x = np.arange(24).reshape(2, 3, 4)
    result = strided_slice(x, [0, 0, 0], [2, 2, -1], [1, 1, 1])
    assert result.shape == (2, 2, 3)
    assert np.array_equal(result, x[0:2, 0:2, 0:-1])


def test_example_of_new_axis_mask():
    """`array[np.newaxis, 0:2, np.newaxis, 0:4]`."""
    x = np.arange(8).reshape(2, 4)
    spec = ([1234, 0, -1, 0], [1234, 2, 9876, 4], [132, 1, 241, 1])
    zeros = [0, 0, 0, 0]
    for strict in (False, True):
        result = strided_slice(x, *spec, zeros, zeros, [1, 0, 1, 0], zeros, zeros, strict=strict)
        assert result.shape == (1, 2, 1, 4)
        assert np.array_equal(result, x[np.newaxis, 0:2, np.newaxis, 0:4])


def test_example_of_shrink_axis_mask():
    """`array[0:1, 0, 0:384, 0:640, 0:8]`; the values on a smaller array, which the reference can walk."""
    spec = ([0, 0, 0, 0, 0], [1, 0, 384, 640, 8], [1, 1, 1, 1, 1])
    zeros = [0, 0, 0, 0, 0]
    masks = zeros, zeros, zeros, [0, 1, 0, 0, 0], zeros
    assert shape_of((1, 2, 384, 640, 8), *spec, *masks) == (1, 384, 640, 8)
    x = np.arange(1 * 2 * 384 * 640 * 8, dtype=np.int32).reshape(1, 2, 384, 640, 8)
    for strict in (False, True):
        assert np.array_equal(ssop.openvino.strided_slice(x, *spec, *masks, strict=strict), x[0:1, 0])
        assert np.array_equal(strided_slice(x[:, :, :3, :4], *spec, *masks, strict=strict), x[0:1, 0, :3, :4])


# ---- the contradictions ----------------------------------------------------------------------------------------------


def test_01_three_to_zero_backwards_is_three_elements():
    """Basic example, `3:0:-1` on 4 elements: "element ids: [3, 2, 1, 0]", a dim of 4. It is [3, 2, 1]."""
    assert strided_slice(X, [3], [0], [-1]).tolist() == [3, 2, 1]
    x = np.arange(4**6).reshape((4,) * 6)
    result = strided_slice(x, [0, 1, 0, 1, 3, 3], [4, 4, 4, 4, 0, 0], [1, 1, 2, 2, -1, -2])
    assert result.shape == (4, 3, 2, 2, 3, 2)
    assert np.array_equal(result, x[0:4, 1:4, 0:4:2, 1:4:2, 3:0:-1, 3:0:-2])


def test_02_begin_equal_to_end_is_nothing():
    """ "Only one element of the dimension is added to the output, whose dim will be 1". Nothing is taken."""
    for stride in (1, 2, -1, -2):
        assert strided_slice(X, [2], [2], [stride]).shape == (0,)


def test_03_the_clamping_example_is_empty():
    """Input [2, 2], `array[2:3, 2:1:-1]`: "output [1, 1], element ids [2]". Ids end at 1; NumPy's is empty, too."""
    x = np.arange(4).reshape(2, 2)
    assert strided_slice(x, [1234, 2], [1234, 4321], [1, -1]).shape == (0, 0)
    assert x[2:3, 2:1:-1].shape == (0, 0)


def test_04_a_masked_end_backwards_includes_the_first_element():
    """ "Set to 0 for reverse slices; inclusive slicing with the first value is not allowed". It is one before 0."""
    assert strided_slice(X, [0], [2], [-1], [1], [1]).tolist() == [3, 2, 1, 0]
    x = np.arange(24).reshape(2, 3, 4)
    spec = ([1, 1, 123], [0, 0, 2], [1, 1, -1])
    result = strided_slice(x, *spec, [0, 1, 1], [1, 1, 1], [0, 0, 0, 0, 0], [0, 0], [0])
    assert result.shape == (1, 3, 4)  # the document: [1, 3, 3]
    assert np.array_equal(result, x[1:, :, ::-1])  # its own title


def test_05_a_shrunk_entry_s_end_is_ignored():
    """ "The value of begin[i] must equal end[i]"."""
    for end in (-9, 0, 2, 3, 9):
        assert strided_slice(X, [2], [end], [1], shrink_axis_mask=[1]).item() == 2


def test_06_backwards_the_stride_is_added_and_the_end_is_below():
    """ "stride[i] is subtracted from slicing_index" and "as long as slicing_index < end[i]" would never move back."""
    assert strided_slice(X, [3], [0], [-2]).tolist() == [3, 1]
    assert strided_slice(X, [0], [3], [-1]).tolist() == []


def test_07_a_new_axis_uses_no_input_axis():
    """ "Whenever new_axis_mask[i] is 1, j increases by 1". It stays."""
    x = np.arange(6).reshape(2, 3)
    assert np.array_equal(strided_slice(x, [0, 1], [0, 2], new_axis_mask=[1]), x[None, 1:2])


def test_08_the_ellipsis_skips_what_no_other_entry_needs():
    """ "rank(input) - (M - sum(new_axis_mask) - 1)": without the new axes that lose to the ellipsis or lie past M."""
    x = np.arange(24).reshape(2, 3, 4)
    spec = ([0, 1], [0, 2])
    assert np.array_equal(strided_slice(x, *spec, ellipsis_mask=[1], new_axis_mask=[1]), x[..., 1:2])
    assert np.array_equal(strided_slice(x, *spec, ellipsis_mask=[1], new_axis_mask=[0, 0, 1]), x[..., 1:2])
    assert np.array_equal(strided_slice(x, *spec, ellipsis_mask=[1], new_axis_mask=[0, 1]), x[..., None])


def test_09_masks_of_different_lengths_need_the_lenient_form():
    """ "Each mask may have its own length": zeros are added, the rest is ignored. OpenVINO itself rejects them."""
    x = np.arange(24).reshape(2, 3, 4)
    call = (x, [1, 1, 123], [0, 0, 2], [1, 1, -1], [0, 1, 1], [1, 1, 1], [0, 0, 0, 0, 0], [0, 0], [0])
    assert np.array_equal(strided_slice(*call), x[1:, :, ::-1])
    assert error_label("openvino.strided_slice", *call, strict=True) == "ov_c2"
    assert strided_slice(X, [1], [3], [1], [0, 1], [0, 1], strict=True).tolist() == [1, 2]


def test_10_there_may_be_fewer_entries_than_axes():
    """ "If the last three masks are unused, N == M". The remaining axes are whole; only more entries are rejected."""
    x = np.arange(24).reshape(2, 3, 4)
    assert np.array_equal(strided_slice(x, [1], [2]), x[1:2])
    assert np.array_equal(strided_slice(x, [], [], []), x)
    assert error_label("openvino.strided_slice", X, [0, 0], [1, 1]) == "ov_c6"


def test_11_the_ellipsis_example_has_twelve_axes():
    """ "A 10-D array", "skips 8": it lists 12 input and 12 output dims, so that 10 are skipped."""
    spec = ([0, 0, 0], [4, 0, 5], [1, -1, 1])
    zeros = [0, 0, 0]
    masks = zeros, zeros, zeros, zeros, [0, 1, 0]
    assert shape_of(TENS, *spec, *masks) == (4, *(10,) * 10, 5)
    assert shape_of(TENS[:10], *spec, *masks) == (4, *(10,) * 8, 5)
    for strict in (False, True):
        assert np.array_equal(strided_slice(THIN, *spec, *masks, strict=strict), THIN[0:4, ..., 0:5])


def test_12_the_last_example_has_twelve_axes_and_thirteen_come_out():
    """ "A 10-D array", `array[2:, ..., np.newaxis, :10]`: it lists 12 input and 11 output dims, 3 begins with 4
    values, and an end of 5 for the 10."""
    spec = ([2, 1, 10, 10], [123, 1, 10, 5], [1, -1, 1, 1])
    masks = [0, 0, 1, 1], [1, 1, 0, 0], [0, 0, 1], [0], [0, 1]
    assert shape_of(TENS, *spec, *masks) == (8, *(10,) * 10, 1, 5)
    assert shape_of(TENS[:10], *spec, *masks) == (8, *(10,) * 8, 1, 5)
    assert np.array_equal(strided_slice(THIN, *spec, *masks), THIN[2:, ..., np.newaxis, :5])
    assert error_label("openvino.strided_slice", THIN, *spec, *masks, strict=True) == "ov_c2"


def test_13_a_begin_before_the_first_element_is_the_first_one_backwards():
    """ "begin[i] < 0 (after adjusting) becomes 0": so it is, unlike in NumPy and TensorFlow."""
    assert strided_slice(X, [-10], [0], [-1], end_mask=[1]).tolist() == [0]
    assert result_of("strided_slice", X, [-10], [0], [-1], end_mask=1).tolist() == X[-10::-1].tolist() == []
    assert strided_slice(X[:0], [-10], [0], [-1], end_mask=[1]).shape == (0,)


def test_14_an_end_past_the_last_element_backwards_takes_nothing():
    """ "end[i] >= size becomes size", where one less would do: either way it is not below any begin."""
    for begin in (0, 3, 9):
        assert strided_slice(X, [begin], [9], [-1]).tolist() == []


def test_15_a_masked_begin_backwards_is_the_last_element():
    """Inputs: "if begin_mask[i] is 1, the range starts from 0"."""
    assert strided_slice(X, [0], [1], [-1], [1]).tolist() == [3, 2]


def test_16_a_scalar_has_no_axis_to_slice():
    """ "data: of arbitrary shape": a scalar only where no entry meets an axis."""
    scalar = np.array(7)
    assert error_label("openvino.strided_slice", scalar, [0], [1]) == "ov_c6"
    assert strided_slice(scalar, [], []).shape == ()
    assert strided_slice(scalar, [0, 0], [0, 0], new_axis_mask=[1], ellipsis_mask=[0, 1]).shape == (1,)
