"""Every example of XLA's operation semantics (in Chinese, of about 2017) that moves data, and what became of its text.

Where the document is wrong or has been overtaken, the test shows what it says and what is right. The reference is asked
beside every call.
"""

import numpy as np
import pytest

import ssop
from unit.against_reference import error_label, result_of

A = np.array([0.0, 1.0, 2.0, 3.0, 4.0])
B = np.arange(12.0).reshape(4, 3)
V = np.array([[[row + 10, row + 11, row + 12], [row + 15, row + 16, row + 17]] for row in (0, 10, 20, 30)], np.float32)
V012 = [10, 11, 12, 15, 16, 17, 20, 21, 22, 25, 26, 27, 30, 31, 32, 35, 36, 37, 40, 41, 42, 45, 46, 47]
V120 = [10, 20, 30, 40, 11, 21, 31, 41, 12, 22, 32, 42, 15, 25, 35, 45, 16, 26, 36, 46, 17, 27, 37, 47]


# ---- Broadcast -------------------------------------------------------------------------------------------------------


def test_broadcast_of_a_scalar():
    """2.0f with sizes {2, 3} is an f32[2, 3] of 2.0f."""
    result = result_of("xla.broadcast", np.array(2.0, np.float32), [2, 3])
    assert result.dtype == np.float32
    assert result.tolist() == [[2.0] * 3] * 2


def test_broadcast_puts_the_new_axes_on_the_left():
    """output[i0, ..., iN, j0, ..., jM] = operand[j0, ..., jM]"""
    result = result_of("xla.broadcast", B, [2, 0, 5])
    assert result.shape == (2, 0, 5, 4, 3)
    assert np.array_equal(result_of("xla.broadcast", B, [2, 5]), np.broadcast_to(B, (2, 5, 4, 3)))


def test_broadcast_sizes_are_not_negative():
    assert error_label("xla.broadcast", B, [2, -1]) == "bc_c1"


# ---- Clamp -----------------------------------------------------------------------------------------------------------


def test_clamp():
    """Clamp({-1, 5, 9}, 0, 6) = {0, 5, 6}; the arguments are in the order min, operand, max today."""
    low, high = np.array(0, np.int32), np.array(6, np.int32)
    assert result_of("xla.clamp", low, np.array([-1, 5, 9], np.int32), high).tolist() == [0, 5, 6]


def test_clamp_is_wrong_in_its_formula():
    """ "clamp(x, a, b) = max(min(x, a), b)" would give {6, 6, 6}. It is min(max(a, x), b): b counts if a > b."""
    x, low, high = np.array([-1, 5, 9]), np.array(0), np.array(6)
    assert np.maximum(np.minimum(x, low), high).tolist() == [6, 6, 6]
    assert np.array_equal(result_of("xla.clamp", low, x, high), np.minimum(np.maximum(low, x), high))
    assert result_of("xla.clamp", high, x, low).tolist() == [0, 0, 0]


def test_clamp_bounds_are_scalars_or_of_the_operand_s_shape():
    x = np.array([-1, 5, 9])
    assert result_of("xla.clamp", np.array([0, 6, 0]), x, np.array(8)).tolist() == [0, 6, 8]
    assert error_label("xla.clamp", np.array([0, 6]), x, np.array(8)) == "cl_c2"
    assert error_label("xla.clamp", np.array(0), np.array(5), np.array([6])) == "cl_c2"


# ---- Collapse --------------------------------------------------------------------------------------------------------


def test_collapse_all_axes():
    """Collapse(v, {0, 1, 2}) is f32[24]."""
    assert result_of("xla.collapse", V, [0, 1, 2]).tolist() == V012


def test_collapse_is_wrong_about_the_lower_axes():
    """Collapse(v, {0, 1}) of f32[4x2x3] is f32[8x3]. The document has f32[4x6], which is that of {1, 2}."""
    assert result_of("xla.collapse", V, [0, 1]).tolist() == [V012[i : i + 3] for i in range(0, 24, 3)]


def test_collapse_is_wrong_about_the_higher_axes():
    """Collapse(v, {1, 2}) of f32[4x2x3] is f32[4x6]. The document has f32[8x3], which is that of {0, 1}."""
    assert result_of("xla.collapse", V, [1, 2]).tolist() == [V012[i : i + 6] for i in range(0, 24, 6)]


def test_collapse_takes_consecutive_axes_in_order():
    """ "{0, 1, 2}, {0, 1} or {1, 2} are valid, but {1, 0} or {0, 2} are not". One or none changes nothing."""
    for dimensions in ([1, 0], [0, 2]):
        assert error_label("xla.collapse", V, dimensions) == "col_c1"
    assert np.array_equal(result_of("xla.collapse", V, [1]), V)
    assert np.array_equal(result_of("xla.collapse", V, []), V)


# ---- Concatenate -----------------------------------------------------------------------------------------------------


def test_concatenate_in_one_dimension():
    """Concat({{2, 3}, {4, 5}, {6, 7}}, 0) is {2, 3, 4, 5, 6, 7}."""
    assert result_of("xla.concatenate", [np.array([2, 3]), np.array([4, 5]), np.array([6, 7])], 0).tolist() == [
        2,
        3,
        4,
        5,
        6,
        7,
    ]


def test_concatenate_in_two_dimensions():
    a, b = np.array([[1, 2], [3, 4], [5, 6]]), np.array([[7, 8]])
    assert result_of("xla.concatenate", [a, b], 0).tolist() == [[1, 2], [3, 4], [5, 6], [7, 8]]


def test_concatenate_wants_one_operand_at_least():
    assert error_label("xla.concatenate", [], 0) == "cat_c1"
    assert np.array_equal(result_of("xla.concatenate", [B], 1), B)


def test_concatenate_is_wrong_that_the_dimension_is_below_the_number_of_operands():
    """ "dimension: a value in [0, N)", where N counts the operands two lines above. It is the rank."""
    assert result_of("xla.concatenate", [B, B], 1).shape == (4, 6)
    assert result_of("xla.concatenate", [B], 1).shape == (4, 3)
    assert error_label("xla.concatenate", [B, B, B], 2) == "cat_c2"


def test_concatenate_has_no_axis_for_scalars():
    assert error_label("xla.concatenate", [np.array(1), np.array(2)], 0) == "cat_c2"


def test_concatenate_has_no_ragged_arrays():
    """All dims but the named one are equal, and so are the ranks."""
    assert error_label("xla.concatenate", [B, A], 0) == "cat_c3"
    assert error_label("xla.concatenate", [B, B[:, :2]], 0) == "cat_c5"
    assert result_of("xla.concatenate", [B, B[:, :2]], 1).shape == (4, 5)


# ---- Pad -------------------------------------------------------------------------------------------------------------


def test_pad_with_edges_and_interior():
    """Low at index 0, high at the highest index, interior between any two elements, of each dimension."""
    x, value = np.array([[1, 2, 3], [4, 5, 6]]), np.array(0)
    result = result_of("xla.pad", x, value, [(0, 1, 1), (2, 1, 0)])
    assert result.tolist() == [[0, 0, 1, 2, 3, 0], [0, 0, 0, 0, 0, 0], [0, 0, 4, 5, 6, 0], [0, 0, 0, 0, 0, 0]]


def test_pad_with_negative_edges_removes_elements():
    assert result_of("xla.pad", A, np.array(9.0), [(-1, -2, 0)]).tolist() == [1.0, 2.0]


def test_pad_takes_negative_edges_off_the_operand_with_its_interior():
    """Interior padding comes first: 1 0 2 0 3 without its first two elements is 2 0 3."""
    x, value = np.array([1, 2, 3]), np.array(0)
    assert result_of("xla.pad", x, value, [(-2, 0, 1)]).tolist() == [2, 0, 3]
    assert result_of("xla.pad", x, value, [(-1, -1, 1)]).tolist() == [0, 2, 0]


def test_pad_with_zeros_does_nothing():
    assert np.array_equal(result_of("xla.pad", B, np.array(9.0), [(0, 0, 0), (0, 0, 0)]), B)


def test_pad_of_an_empty_axis_has_no_interior():
    """The document is silent about it."""
    assert result_of("xla.pad", A[:0], np.array(9.0), [(1, 2, 5)]).tolist() == [9.0, 9.0, 9.0]


# ---- Reshape ---------------------------------------------------------------------------------------------------------


def test_reshape_in_order():
    """Reshape(v, {0, 1, 2}, {24}) and Reshape(v, {0, 1, 2}, {8, 3}); without dimensions it is the same."""
    assert result_of("xla.reshape", V, [24], [0, 1, 2]).tolist() == V012
    assert result_of("xla.reshape", V, [8, 3], [0, 1, 2]).tolist() == [V012[i : i + 3] for i in range(0, 24, 3)]
    assert result_of("xla.reshape", V, [24]).tolist() == V012


def test_reshape_out_of_order():
    """Reshape(v, {1, 2, 0}, {24}), Reshape(v, {1, 2, 0}, {8, 3}) and Reshape(v, {1, 2, 0}, {2, 6, 2})."""
    assert result_of("xla.reshape", V, [24], [1, 2, 0]).tolist() == V120
    assert result_of("xla.reshape", V, [8, 3], [1, 2, 0]).tolist() == [V120[i : i + 3] for i in range(0, 24, 3)]
    pairs = [V120[i : i + 2] for i in range(0, 24, 2)]
    assert result_of("xla.reshape", V, [2, 6, 2], [1, 2, 0]).tolist() == [pairs[:6], pairs[6:]]


def test_reshape_between_a_scalar_and_one_element():
    """Reshape(f32[1x1] {{5}}, {0, 1}, {}) == 5, and Reshape(5, {}, {1, 1}) == f32[1x1] {{5}}."""
    assert result_of("xla.reshape", np.array([[5.0]], np.float32), [], [0, 1]).tolist() == 5.0
    assert result_of("xla.reshape", np.array(5.0, np.float32), [1, 1], []).tolist() == [[5.0]]


def test_reshape_keeps_the_number_of_elements():
    assert error_label("xla.reshape", V, [5, 5]) == "rs_c1"
    assert result_of("xla.reshape", V[:0], [3, 0, 7]).shape == (3, 0, 7)


def test_reshape_dimensions_are_a_permutation():
    for dimensions, label in (([0, 1], "tr_c1"), ([1, 2, 3], "tr_c2"), ([0, 1, 1], "tr_c3")):
        assert error_label("xla.reshape", V, [24], dimensions) == label


def test_reshape_with_dimensions_is_a_transpose_first():
    """XLA dropped the form in 2025; here it has stayed, as JAX's."""
    expected = result_of("xla.reshape", result_of("xla.transpose", V, [2, 0, 1]), [4, 6])
    assert np.array_equal(result_of("xla.reshape", V, [4, 6], [2, 0, 1]), expected)


# ---- Rev -------------------------------------------------------------------------------------------------------------


def test_rev_turns_index_i_into_n_minus_1_minus_i():
    assert np.array_equal(result_of("xla.rev", B, [0]), B[::-1])
    assert np.array_equal(result_of("xla.rev", V, [0, 2]), V[::-1, :, ::-1])
    assert np.array_equal(result_of("xla.rev", B, []), B)


def test_rev_of_both_window_axes_of_a_convolution():
    kernel = np.arange(36).reshape(2, 2, 3, 3)
    assert np.array_equal(result_of("xla.rev", kernel, [3, 2]), np.rot90(kernel, 2, (2, 3)))


# ---- Select ----------------------------------------------------------------------------------------------------------


def test_select_with_an_array():
    """Select({true, false, false, true}, {1, 2, 3, 4}, {100, 200, 300, 400}) = {1, 200, 300, 4}."""
    pred, v1, v2 = np.array([True, False, False, True]), np.array([1, 2, 3, 4]), np.array([100, 200, 300, 400])
    assert result_of("xla.select", pred, v1, v2).tolist() == [1, 200, 300, 4]


def test_select_with_a_scalar():
    """Select(true, {1, 2, 3, 4}, {100, 200, 300, 400}) = {1, 2, 3, 4}."""
    v1, v2 = np.array([1, 2, 3, 4]), np.array([100, 200, 300, 400])
    assert result_of("xla.select", np.array(True), v1, v2).tolist() == [1, 2, 3, 4]
    assert result_of("xla.select", np.array(False), v1, v2).tolist() == [100, 200, 300, 400]


def test_select_wants_one_shape():
    assert error_label("xla.select", np.array(True), A, A[:3]) == "sel_c1"
    assert error_label("xla.select", np.array([True, False]), A, A) == "sel_c4"


def test_select_is_wrong_that_tuples_can_be_selected():
    """ "Selecting between tuples is supported". XLA's shape inference rejects them; here a tuple is an array."""
    result = ssop.xla.select(False, (1, 2), (3, 4))
    assert result.tolist() == [3, 4]
    with pytest.raises(ValueError):
        ssop.xla.select(True, (1, (2, 3)), (4, (5, 6)))


# ---- Slice -----------------------------------------------------------------------------------------------------------


def test_slice_in_one_dimension():
    """Slice(a, {2}, {4}) produces {2.0, 3.0}."""
    assert result_of("slice", A, [2], [4]).tolist() == [2.0, 3.0]
    assert result_of("xla.slice", A, [2], [4]).tolist() == [2.0, 3.0]


def test_slice_in_two_dimensions():
    """Slice(b, {2, 1}, {4, 3}) produces {{7.0, 8.0}, {10.0, 11.0}}."""
    assert result_of("slice", B, [2, 1], [4, 3]).tolist() == [[7.0, 8.0], [10.0, 11.0]]


def test_slice_bounds():
    """ "Values must be greater than or equal to zero", and limits at most the dim."""
    for starts, limits, label in (([-1], [2], "sl_c4"), ([0], [6], "sl_c5"), ([3], [2], "sl_c6")):
        assert error_label("slice", A, starts, limits) == label


def test_slice_is_wrong_that_limits_are_strictly_greater():
    """ "Each value must be strictly greater than the start". Equal gives an empty result, and always did."""
    assert result_of("slice", A, [2], [2]).shape == (0,)
    assert result_of("slice", A, [5], [5]).shape == (0,)


def test_slice_has_got_strides():
    """The document has none; they came in June 2017."""
    assert result_of("slice", A, [0], [5], [2]).tolist() == [0.0, 2.0, 4.0]


# ---- DynamicSlice ----------------------------------------------------------------------------------------------------


def test_dynamic_slice_in_one_dimension():
    """DynamicSlice(a, {2}, {2}) produces {2.0, 3.0}."""
    assert result_of("dynamic_slice", A, [2], [2]).tolist() == [2.0, 3.0]
    assert ssop.dynamic_slice(A, np.array([2]), [2]).tolist() == [2.0, 3.0]


def test_dynamic_slice_in_two_dimensions():
    """DynamicSlice(b, {2, 1}, {2, 2}) produces {{7.0, 8.0}, {10.0, 11.0}}."""
    assert result_of("dynamic_slice", B, [2, 1], [2, 2]).tolist() == [[7.0, 8.0], [10.0, 11.0]]


def test_dynamic_slice_out_of_bounds():
    """ "Computed modulo input dimension sizes". Since May 2018 the window moves inside instead."""
    assert result_of("dynamic_slice", A, [4], [3]).tolist() == [2.0, 3.0, 4.0]
    assert result_of("dynamic_slice", A, [4], [3], out_of_bounds="wrap").tolist() == [4.0, 0.0, 1.0]
    assert result_of("dynamic_slice", A, [7], [3], out_of_bounds="wrap").tolist() == [2.0, 3.0, 4.0]


def test_dynamic_slice_start_indices_may_be_negative_after_all():
    """ "Must be greater than or equal to zero"."""
    assert result_of("dynamic_slice", A, [-1], [2]).tolist() == [0.0, 1.0]
    assert result_of("dynamic_slice", A, [-1], [2], out_of_bounds="wrap").tolist() == [4.0, 0.0]


def test_dynamic_slice_is_wrong_that_sizes_are_strictly_positive():
    assert result_of("dynamic_slice", A, [2], [0]).shape == (0,)
    assert error_label("dynamic_slice", A, [2], [-1]) == "ds_c3"


def test_dynamic_slice_needs_one_start_per_axis():
    """ "start_indices must be rank == 1, with dimension size equal to the rank of operand": one operand then, today
    one scalar each; here any sequence."""
    assert error_label("dynamic_slice", B, [2], [2, 2]) == "ds_c1"
    scalars = [np.array(2), np.int32(1)]
    assert ssop.dynamic_slice(B, scalars, [2, 2]).tolist() == [[7.0, 8.0], [10.0, 11.0]]


# ---- DynamicUpdateSlice ----------------------------------------------------------------------------------------------


def test_dynamic_update_slice_in_one_dimension():
    """DynamicUpdateSlice(a, {5.0, 6.0}, {2}) produces {0.0, 1.0, 5.0, 6.0, 4.0}."""
    result = result_of("dynamic_update_slice", A, np.array([5.0, 6.0]), [2])
    assert result.tolist() == [0.0, 1.0, 5.0, 6.0, 4.0]
    assert A.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]


def test_dynamic_update_slice_in_two_dimensions():
    """DynamicUpdateSlice(b, u, {1, 1}) produces the operand with u from row 1 and column 1 on."""
    u = np.array([[12.0, 13.0], [14.0, 15.0], [16.0, 17.0]])
    result = result_of("dynamic_update_slice", B, u, [1, 1])
    assert result.tolist() == [[0.0, 1.0, 2.0], [3.0, 12.0, 13.0], [6.0, 14.0, 15.0], [9.0, 16.0, 17.0]]


def test_dynamic_update_slice_out_of_bounds():
    """ "Modulo update dimension sizes". The code never did: it was the operand's, now it clamps."""
    update = np.array([5.0, 6.0])
    assert result_of("dynamic_update_slice", A, update, [4]).tolist() == [0.0, 1.0, 2.0, 5.0, 6.0]
    wrapped = result_of("dynamic_update_slice", A, update, [4], out_of_bounds="wrap")
    assert wrapped.tolist() == [6.0, 1.0, 2.0, 3.0, 5.0]  # modulo the update's dim, start 4 would have been start 0


def test_dynamic_update_slice_is_wrong_that_updates_are_smaller_than_the_operand():
    """ "Strictly greater than zero, start + update less than the operand size". Equal and empty are legal."""
    assert result_of("dynamic_update_slice", A, -A, [0]).tolist() == (-A).tolist()
    assert result_of("dynamic_update_slice", A, np.zeros(0), [3]).tolist() == A.tolist()
    assert error_label("dynamic_update_slice", A, np.zeros(6), [0]) == "dus_c3"


# ---- Transpose -------------------------------------------------------------------------------------------------------


def test_transpose_permutes_the_dims():
    """ "input_dimensions[permutation[i]] = output_dimensions[i]" """
    for permutation in ([0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1]):
        result = result_of("xla.transpose", V, permutation)
        assert np.array_equal(result, V.transpose(permutation))
        assert [V.shape[axis] for axis in permutation] == list(result.shape)


def test_transpose_is_a_reshape():
    """ "The same as Reshape(operand, permutation, Permute(permutation, operand.shape.dimensions))" """
    permutation = [2, 0, 1]
    reshaped = result_of("xla.reshape", V, [V.shape[axis] for axis in permutation], permutation)
    assert np.array_equal(reshaped, result_of("xla.transpose", V, permutation))


def test_transpose_wants_a_permutation():
    assert error_label("xla.transpose", V, [0, 1]) == "tr_c1"
    assert error_label("xla.transpose", V, [0, 1, 1]) == "tr_c3"


# ---- forms of calls that have changed --------------------------------------------------------------------------------

PADDING = {"edge_padding_low": 1, "edge_padding_high": 0, "interior_padding": 0}
OLD_FORMS = {
    "Clamp(operand, min, max)": (lambda: ssop.xla.clamp(A, 0.0, 6.0), r"\(the order is min, operand, max\)"),
    "Reshape(operand, dimensions, new_sizes)": (
        lambda: ssop.xla.reshape(V, [1, 2, 0], [8, 3]),
        "new_sizes, which come before dimensions, hold 0 elements, not 24",
    ),
    "broadcast_sizes": (lambda: ssop.xla.broadcast(A, broadcast_sizes=[2]), r"broadcast\(\).* is called 'sizes'"),
    "size_indices": (
        lambda: ssop.xla.dynamic_slice(A, [0], size_indices=[2]),
        r"dynamic_slice\(\).* is called 'slice_sizes'",
    ),
    "PaddingConfig": (lambda: ssop.xla.pad(A, 0, [PADDING]), r"not a sequence of low, high, interior \(XLA's edge_"),
    "CrossReplicaSum": (lambda: ssop.xla.CrossReplicaSum, r"did you mean cross_replica_sum\?"),
}


@pytest.mark.parametrize("form", OLD_FORMS)
def test_an_error_names_what_an_old_form_is_today(form):
    call, words = OLD_FORMS[form]
    with pytest.raises((TypeError, ValueError, AttributeError), match=words):
        call()


def test_a_parameter_that_a_function_lacks_is_not_renamed():
    with pytest.raises(TypeError, match="unexpected keyword argument 'size_indices'$"):
        ssop.slice(A, [0], size_indices=[2])
