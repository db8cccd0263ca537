"""What XLA's operation semantics (in Chinese, of about 2017) say of Dot, Conv and ConvWithGeneralPadding.

The reference is asked beside every call.
"""

import itertools

import numpy as np
import pytest

from ssop import xla
from unit.against_reference import error_label, result_of

VECTOR, OTHER = np.array([1, 2, 3]), np.array([4, 5, 6])
M_K, K_N = np.arange(6).reshape(2, 3), np.arange(12).reshape(3, 4)
IMAGE = np.arange(2 * 3 * 5 * 6).reshape(2, 3, 5, 6) % 11
KERNEL = np.arange(4 * 3 * 2 * 3).reshape(4, 3, 2, 3) % 7
GENERAL = "xla.conv_with_general_padding"


# ---- Dot -------------------------------------------------------------------------------------------------------------


def test_dot_of_vectors_is_a_scalar():
    """ "vector [n] dot vector [n]: scalar, vector dot product" """
    assert result_of("xla.dot", VECTOR, OTHER).tolist() == 4 + 10 + 18


def test_dot_of_a_matrix_and_a_vector_is_a_vector():
    """ "matrix [m x k] dot vector [k]: vector [m], matrix-vector multiplication" """
    assert result_of("xla.dot", M_K, VECTOR).tolist() == [8, 26]


def test_dot_of_matrices_is_a_matrix():
    """ "matrix [m x k] dot matrix [k x n]: matrix [m x n], matrix-matrix multiplication" """
    assert np.array_equal(result_of("xla.dot", M_K, K_N), M_K @ K_N)


def test_dot_sums_over_the_last_dimension_of_lhs_and_the_first_of_rhs():
    """ "These are the contracted dimensions. They must be of the same size." """
    assert error_label("xla.dot", M_K, K_N[:2]) == "dot_c6"
    assert error_label("xla.dot", K_N, VECTOR) == "dot_c6"
    assert result_of("xla.dot", VECTOR, K_N).tolist() == (VECTOR @ K_N).tolist()  # not in the document's table


def test_dot_semantics_depend_on_the_ranks():
    """The table ends at rank 2; DotGeneral came later."""
    assert error_label("xla.dot", IMAGE, K_N) == "dot_c1"
    assert error_label("xla.dot", np.array(1), VECTOR) == "dot_c1"


def test_dot_has_operands_of_one_type_in_the_document():
    """ "lhs: array of type T, rhs: array of type T". Today the result has the type of more range."""
    assert xla.dot(VECTOR.astype(np.int8), OTHER.astype(np.float32)).dtype == np.float32


# ---- Conv ------------------------------------------------------------------------------------------------------------


def loops(image, kernel, strides, padding):
    """The document's pseudocode."""
    batch, depth, height, width = image.shape
    outputs, _, kernel_height, kernel_width = kernel.shape
    (low_y, high_y), (low_x, high_x) = padding
    rows = (height + low_y + high_y - kernel_height) // strides[0] + 1
    columns = (width + low_x + high_x - kernel_width) // strides[1] + 1
    result = np.zeros((batch, outputs, rows, columns), image.dtype)
    for b, oz, oy, ox in np.ndindex(result.shape):
        value = 0
        for iz, ky, kx in itertools.product(range(depth), range(kernel_height), range(kernel_width)):
            iy = oy * strides[0] + ky - low_y
            ix = ox * strides[1] + kx - low_x
            if 0 <= iy < height and 0 <= ix < width:
                value += image[b, iz, iy, ix] * kernel[oz, iz, ky, kx]
        result[b, oz, oy, ox] = value
    return result


@pytest.mark.parametrize("strides", [[1, 1], [2, 1], [3, 2]], ids=str)
@pytest.mark.parametrize("padding", [[(0, 0), (0, 0)], [(1, 2), (3, 0)], [(0, 1), (2, 3)]], ids=str)
def test_convolution_is_the_pseudocode(strides, padding):
    assert np.array_equal(result_of(GENERAL, IMAGE, KERNEL, strides, padding), loops(IMAGE, KERNEL, strides, padding))


def test_conv_is_conv_with_general_padding_whose_padding_is_a_word():
    """ "VALID padding simply means no padding." """
    valid = result_of("xla.conv", IMAGE, KERNEL, [2, 1], "VALID")
    assert np.array_equal(valid, result_of(GENERAL, IMAGE, KERNEL, [2, 1], [(0, 0), (0, 0)]))


def test_same_padding_gives_the_shape_of_the_input_when_not_taking_striding_into_account():
    assert result_of("xla.conv", IMAGE, KERNEL, [1, 1], "SAME").shape == (2, 4, 5, 6)
    assert result_of("xla.conv", IMAGE, KERNEL, [2, 4], "SAME").shape == (2, 4, 3, 2)


def test_rhs_has_the_input_s_features():
    """ "input-z: the size of this dimension should equal the size of the z dimension in lhs." """
    assert error_label("xla.conv", IMAGE, KERNEL[:, :2], [1, 1], "SAME") == "cnv_c11"


def test_operands_have_rank_n_plus_2():
    for n in range(4):
        image, kernel = np.ones((2, 3, *[4] * n), int), np.ones((5, 3, *[2] * n), int)
        assert result_of("xla.conv", image, kernel, [1] * n, "VALID").shape == (2, 5, *[3] * n)
    assert error_label("xla.conv", IMAGE, KERNEL[0], [1, 1], "SAME") == "cnv_c1"


def test_a_stride_of_3_places_windows_at_coordinates_that_3_divides():
    every = result_of("xla.conv", IMAGE, KERNEL, [1, 1], "VALID")
    assert np.array_equal(result_of("xla.conv", IMAGE, KERNEL, [3, 1], "VALID"), every[:, :, ::3])


def test_padding_inserts_zeros():
    """ "If padding[1] is (2, 3), there will be 2 zeros on the left and 3 on the right of the second dimension." """
    padded = np.pad(IMAGE, [(0, 0), (0, 0), (0, 0), (2, 3)])
    expected = result_of("xla.conv", padded, KERNEL, [1, 1], "VALID")
    assert np.array_equal(result_of(GENERAL, IMAGE, KERNEL, [1, 1], [(0, 0), (2, 3)]), expected)


def test_negative_padding_removes_elements():
    expected = result_of("xla.conv", IMAGE[:, :, 1:, :-2], KERNEL, [1, 1], "VALID")
    assert np.array_equal(result_of(GENERAL, IMAGE, KERNEL, [1, 1], [(-1, 0), (0, -2)]), expected)


def test_dilation_puts_d_minus_1_holes_between_entries():
    """Holes are zeros. A dilated rhs makes an atrous convolution, a dilated lhs a transposed one."""
    spread = np.zeros((2, 3, 9, 6), int)
    spread[:, :, ::2] = IMAGE
    expected = result_of("xla.conv", spread, KERNEL, [1, 1], "VALID")
    assert np.array_equal(result_of(GENERAL, IMAGE, KERNEL, [1, 1], [(0, 0)] * 2, [2, 1]), expected)
    wide = np.zeros((4, 3, 2, 5), int)
    wide[..., ::2] = KERNEL
    expected = result_of("xla.conv", IMAGE, wide, [1, 1], "VALID")
    assert np.array_equal(result_of(GENERAL, IMAGE, KERNEL, [1, 1], [(0, 0)] * 2, None, [1, 2]), expected)


def test_the_output_has_batch_features_and_windows():
    assert result_of("xla.conv", IMAGE, KERNEL, [1, 1], "VALID").shape == (2, 4, 4, 4)


def test_output_features_are_as_many_separate_convolutions():
    """ "You can think of it as 5 separate convolutions with a different filter used for each of them." """
    together = result_of("xla.conv", IMAGE, KERNEL, [1, 1], "VALID")
    for z in range(4):
        alone = result_of("xla.conv", IMAGE, KERNEL[z : z + 1], [1, 1], "VALID")
        assert np.array_equal(together[:, z : z + 1], alone)


def test_a_window_and_the_kernel_are_boxes_whose_products_are_summed():
    """ "The output is the sum of the element-wise products of the two boxes." """
    result = result_of("xla.conv", IMAGE, KERNEL, [1, 1], "VALID")
    assert result[1, 2, 3, 1] == (IMAGE[1, :, 3:5, 1:4] * KERNEL[2]).sum()


def test_padding_is_not_multiplied_though_it_is_called_equivalent_to_zeros():
    """The pseudocode leaves out what is outside; zeros in lhs would give 0 * inf = NaN."""
    image, kernel = np.ones((1, 1, 2)), np.array([[[np.inf, 1.0]]])
    assert xla.conv_with_general_padding(image, kernel, [1], [(1, 0)]).tolist() == [[[1.0, np.inf]]]
