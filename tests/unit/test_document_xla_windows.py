"""XLA's operation semantics (in Chinese, of about 2017): Reduce, ReduceWindow and SelectAndScatter.

Each example and each sentence that can be tested. Figures that the text only describes are those of XLA's own page.
"""

import numpy as np
import pytest

import ssop
from ssop import xla

MATRIX = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
CUBE = np.broadcast_to(MATRIX, (4, 2, 3))
"""Rank 3, dimension 0 of size 4, 1 of size 2, 2 of size 3: "the values 1 to 6 are replicated across dimension 0"."""

F32_MIN = np.float32(np.finfo(np.float32).min)
POOLED = np.array([[7, 2, 5, 3, 10, 2], [3, 8, 9, 3, 4, 2], [1, 5, 7, 5, 6, 1], [0, 6, 2, 7, 2, 8]], np.float32)
OVERLAPPING = np.array([[7, 2, 5, 3, 8], [3, 8, 9, 3, 4], [1, 5, 7, 5, 6], [0, 6, 2, 10, 2]], np.float32)
SOURCE = np.array([[2, 6], [3, 1]], np.float32)


# ---- Reduce ----------------------------------------------------------------------------------------------------------


def test_reduce_of_a_matrix():
    """Reducing dimension 0 or 1 of a matrix by the "add" function. Both results are one-dimensional."""
    assert xla.reduce(MATRIX, 0, xla.add, [0]).tolist() == [5, 7, 9]
    assert xla.reduce(MATRIX, 0, xla.add, [1]).tolist() == [6, 15]


def test_reduce_of_a_cube():
    """|4 8 12| 16 20 24|; |6 15| four times; |20 28 36|; 84. The other dimensions keep their order."""
    assert xla.reduce(CUBE, 0, xla.add, [0]).tolist() == [[4, 8, 12], [16, 20, 24]]
    assert xla.reduce(CUBE, 0, xla.add, [2]).tolist() == [[6, 15]] * 4
    assert xla.reduce(CUBE, 0, xla.add, [0, 1]).tolist() == [20, 28, 36]
    everything = xla.reduce(CUBE, 0, xla.add, [0, 1, 2])
    assert (everything.shape, everything.dtype, everything) == ((), np.float32, 84)


def test_reduce_by_any_computation_of_two():
    """The computation is of type T, T -> T; the dimensions are unordered; the rank is less by their number."""
    for dimensions in ([0, 2], [2, 0]):
        result = xla.reduce(CUBE, 1, lambda x, y: x * y, dimensions)
        assert result.tolist() == [6**4, 120**4]
        assert result.ndim == CUBE.ndim - len(dimensions)


def test_reduce_begins_with_the_init_value():
    """f(10, f(11, f(12, f(init_value, 13)))) may be; here it is f(init, f(f(10, 11), f(12, 13)))."""
    joined = xla.reduce(np.array([10, 11, 12, 13]), 1000, lambda a, b: 2 * a + b, [0])
    assert joined == 2 * 1000 + (2 * (2 * 10 + 11) + (2 * 12 + 13))
    assert xla.reduce(np.array([10, 11, 12, 13]), 0, xla.add, [0]) == 46


def test_reduce_pseudo_code():
    """result[r0, r1...] += operand[ri... di], for all indices of the dimensions that are reduced."""
    x = np.arange(60).reshape(3, 4, 5)
    result = np.zeros((3, 5), int)
    for r0, d, r1 in np.ndindex(3, 4, 5):
        result[r0, r1] += x[r0, d, r1]
    assert xla.reduce(x, 0, xla.add, [1]).tolist() == result.tolist()


# ---- ReduceWindow ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "maximum", [xla.max, lambda y, x: np.maximum(y, x), lambda y, x: y if y > x else x], ids=range(3)
)
def test_reduce_window(maximum):
    """The 4x6 example: window_dimensions and window_stride_dimensions are both 2x3, Padding::kValid, and max."""
    result = xla.reduce_window(POOLED, F32_MIN, maximum, (2, 3), (2, 3), "kValid")
    assert result.tolist() == [[9, 10], [7, 8]]
    assert result.dtype == np.float32


def test_reduce_window_stride():
    """A stride of 1 places windows 1 element apart. So that windows do not overlap, it equals the dimensions."""
    assert xla.reduce_window(POOLED, F32_MIN, xla.max, (2, 3), (1, 1)).shape == (3, 4)
    assert xla.reduce_window(np.arange(6), 0, xla.add, (2,), (1,)).tolist() == [1, 3, 5, 7, 9]
    assert xla.reduce_window(np.arange(6), 0, xla.add, (2,), (2,)).tolist() == [1, 5, 9]


def test_reduce_window_padding():
    """Padding is applied to every dimension: kSame gives as many windows as strides fit, kValid pads nothing."""
    assert xla.reduce_window(POOLED, F32_MIN, xla.max, (2, 3), (1, 1), "kSame").shape == POOLED.shape
    assert xla.reduce_window(POOLED, F32_MIN, xla.max, (2, 3), (2, 4), "kSame").shape == (2, 2)
    assert xla.reduce_window(POOLED, F32_MIN, xla.max, (2, 3), (1, 1), "kValid").shape == (3, 4)


def test_there_is_an_element_for_each_valid_position():
    """Elements of the output are as many as valid positions of the window."""
    result = xla.reduce_window(np.ones((5, 7)), 0, xla.add, (3, 2), (2, 2))
    positions = [(i, j) for i in range(0, 5, 2) for j in range(0, 7, 2) if i + 3 <= 5 and j + 2 <= 7]
    assert result.size == len(positions)
    assert (result == 6).all()


# ---- SelectAndScatter ------------------------------------------------------------------------------------------------


def test_select_and_scatter_of_windows_that_do_not_overlap():
    """Figure 1: windows of 2x3 on a 4x6 array; the greatest of each gets the value of the source."""
    result = xla.select_and_scatter(POOLED, xla.ge, (2, 3), (2, 3), "kValid", SOURCE, 0, xla.add)
    assert result.tolist() == [[0, 0, 0, 0, 6, 0], [0, 0, 2, 0, 0, 0], [0, 0, 3, 0, 0, 0], [0, 0, 0, 0, 0, 1]]
    assert result.shape == POOLED.shape


def test_select_and_scatter_of_windows_that_overlap():
    """Figure 2: the element 9 is selected by both of the top windows, and the add scatter function gives 8 (2 + 6)."""
    result = xla.select_and_scatter(OVERLAPPING, xla.ge, (2, 3), (2, 2), "kValid", SOURCE, 0, xla.add)
    assert result.tolist() == [[0, 0, 0, 0, 0], [0, 0, 8, 0, 0], [0, 0, 3, 0, 0], [0, 0, 0, 1, 0]]


def test_scatter_takes_the_current_value_and_that_of_the_source():
    """It is called with two scalars, and all indices of the output begin with init_value."""

    def scatter(current, value):
        return current * 10 + value

    result = xla.select_and_scatter(OVERLAPPING, xla.ge, (2, 3), (2, 2), "kValid", SOURCE, 5, scatter)
    assert result.tolist() == [[5] * 5, [5, 5, 526, 5, 5], [5, 5, 53, 5, 5], [5, 5, 5, 51, 5]]


def test_select_gets_the_lexicographically_smaller_index_first():
    """The index vector of the first parameter is the lesser: of equal elements, >= selects the first, > the last."""
    x = np.array([[1, 3, 3], [3, 0, 3]])
    for select, index in ((xla.ge, (0, 1)), (xla.gt, (1, 2)), (lambda a, b: a >= b, (0, 1))):
        result = xla.select_and_scatter(x, select, (2, 3), (1, 1), "kValid", np.array([[7]]), 0, xla.add)
        assert np.argwhere(result).tolist() == [list(index)]


def test_the_source_has_the_shape_that_reduce_window_gives():
    counts = xla.reduce_window(OVERLAPPING, F32_MIN, xla.max, (2, 3), (2, 2)).shape
    assert counts == SOURCE.shape
    with pytest.raises(ssop.SliceError, match="sas_c1"):
        xla.select_and_scatter(OVERLAPPING, xla.ge, (2, 3), (1, 1), "kValid", SOURCE, 0, xla.add)


def test_it_is_the_gradient_of_pooling():
    """It can be used to backpropagate the gradient of a pooling layer: of the sum of all maxima, 1 for each window."""
    rng = np.random.default_rng(1)
    x = rng.permutation(48).reshape(6, 8).astype(np.float64)

    def pool(array):
        return xla.reduce_window(array, -np.inf, xla.max, (3, 3), (2, 2), "SAME")

    gradient = xla.select_and_scatter(x, xla.ge, (3, 3), (2, 2), "SAME", np.ones(pool(x).shape), 0, xla.add)
    for index in np.ndindex(x.shape):
        changed = x.copy()
        changed[index] += 0.25
        assert gradient[index] == (pool(changed).sum() - pool(x).sum()) * 4
