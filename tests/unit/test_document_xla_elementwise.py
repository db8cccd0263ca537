"""What XLA's operation semantics (in Chinese, of about 2017) say of the element-wise operations, sentence by sentence.

The reference is asked beside every call.
"""

import numpy as np
import pytest

import ssop
from ssop import xla
from unit.against_reference import error_label, result_of

ARITHMETIC = ["add", "sub", "mul", "div", "rem", "max", "min"]
COMPARISONS = {"eq": np.equal, "ne": np.not_equal, "ge": np.greater_equal, "gt": np.greater, "le": np.less_equal,
               "lt": np.less}  # fmt: skip
MATRIX = np.arange(6.0).reshape(2, 3) + 1
VECTOR = np.array([10.0, 20.0, 30.0])


def test_the_document_has_these_operations():
    named = ["Add", "Sub", "Mul", "Div", "Rem", "Max", "Min", "LogicalAnd", "LogicalOr", "Eq", "Ne", "Ge", "Gt", "Le",
             "Abs", "Ceil", "Cos", "Exp", "Floor", "IsFinite", "Log", "LogicalNot", "Neg", "Sign", "Tanh"]  # fmt: skip
    for name in named:
        words = "".join(f"_{letter}" if letter.isupper() else letter for letter in name).lstrip("_").lower()
        assert callable(getattr(xla, words))
    with pytest.raises(AttributeError, match="did you mean logical_and"):
        xla.LogicalAnd  # noqa: B018


@pytest.mark.parametrize("name", ARITHMETIC)
def test_shapes_are_similar_or_compatible(name):
    """ "The shapes of the arguments have to be either similar or compatible": equal, or 1 where they differ."""
    assert result_of(f"xla.{name}", MATRIX, MATRIX[::-1]).shape == (2, 3)
    assert result_of(f"xla.{name}", MATRIX, MATRIX[:1]).shape == (2, 3)
    assert result_of(f"xla.{name}", MATRIX[:, :1], MATRIX[:1]).shape == (2, 3)
    assert error_label(f"xla.{name}", MATRIX, MATRIX[:, :2]) == "ew_c8"


@pytest.mark.parametrize("name", [*ARITHMETIC, *COMPARISONS])
def test_different_ranks_are_not_supported_unless_one_operand_is_a_scalar(name):
    assert error_label(f"xla.{name}", MATRIX, VECTOR) == "ew_c2"
    assert result_of(f"xla.{name}", MATRIX, np.array(2.0)).shape == (2, 3)
    assert result_of(f"xla.{name}", np.array(2.0), VECTOR).shape == (3,)


def test_a_vector_is_added_to_a_matrix():
    """ "Such as adding a vector to a matrix": broadcast_dimensions maps the vector's axis to one of the matrix."""
    assert np.array_equal(result_of("xla.add", MATRIX, VECTOR, [1]), MATRIX + VECTOR)
    assert np.array_equal(result_of("xla.add", VECTOR[:2], MATRIX, [0]), MATRIX + VECTOR[:2, None])


def test_unmapped_dimensions_are_filled_with_ones_which_are_then_broadcast():
    cube = np.arange(24.0).reshape(2, 3, 4)
    assert np.array_equal(result_of("xla.mul", cube, MATRIX, [0, 1]), cube * MATRIX[:, :, None])
    assert np.array_equal(result_of("xla.mul", cube, MATRIX[:, :1], [0, 1]), cube * MATRIX[:, :1, None])


def test_rem_has_the_sign_of_the_dividend_and_is_less_than_the_divisor():
    for dtype in (np.int32, np.float32):
        x, y = np.arange(-9, 10, dtype=dtype)[:, None], np.array([[-4, -3, -1, 1, 3, 4]], dtype)
        remainders = result_of("xla.rem", x, y)
        assert (np.abs(remainders) < np.abs(y)).all()
        assert ((remainders == 0) | (np.sign(remainders) == np.sign(x))).all()


@pytest.mark.parametrize("name", COMPARISONS)
def test_comparisons_are_those_of_ieee_754_and_give_pred(name):
    x = np.array([1.0, 2.0, np.nan, -0.0, np.inf])
    got = result_of(f"xla.{name}", x[:, None], x[None, :])
    assert got.dtype == bool and np.array_equal(got, COMPARISONS[name](x[:, None], x[None, :]))


def test_is_finite_is_neither_infinite_nor_nan():
    x = np.array([1.0, np.inf, -np.inf, np.nan])
    assert result_of("xla.is_finite", x).tolist() == [True, False, False, False]


def test_sign():
    """ "-1 where x < 0, 0 where x = 0, 1 where x > 0", but zeros keep their sign today (ew_s7)."""
    x = np.array([-2.5, 0.0, 3.0])
    assert result_of("xla.sign", x).tolist() == [-1, 0, 1]
    assert np.signbit(result_of("xla.sign", np.array([-0.0]))).all()


@pytest.mark.parametrize("name", ["abs", "ceil", "floor", "neg", "sign", "is_finite"])
def test_an_operand_of_rank_0_is_allowed(name):
    assert result_of(f"xla.{name}", np.array(-1.5)).shape == ()


def test_every_row_of_the_document_names_a_part_of_it():
    assert {row["operation"] for row in ssop.divergences.rows("document")} >= {
        "Element-wise binary arithmetic",
        "Element-wise unary functions",
    }
