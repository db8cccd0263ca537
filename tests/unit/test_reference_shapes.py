"""The reference of partial shapes against the literal examples of TensorFlow's documents and tests.

Everything else trusts the reference, so nothing here may use the C core.
"""

import pytest

from ssop.reference import Rejected
from ssop.reference import shapes as ref
from ssop.reference.shapes import dim, shape, text

INT64_MAX = 2**63 - 1
TF_RULES = {"mode": "tf"}


def rejection(function, *args, **kwargs):
    with pytest.raises(Rejected) as caught:
        function(*args, **kwargs)
    return caught.value


# The seed's article on shape inference: what MergeInput and RelaxInput do.


def test_sh_s3_examples_of_merge():
    assert text(ref.merge(shape([2, None]), shape([None, 2]))) == "[2,2]"
    error = rejection(ref.merge, shape([2, 2]), shape([1, 2]))
    assert (error.label, error.axis, error.value) == ("sh_c2", 0, ((2, 2), (1, 1)))


def test_sh_s3_merge_returns_the_argument_that_says_as_much():
    unknown, known, other = shape(), shape([2, None]), shape([2, 3])
    assert ref.merge(known, known) is known and ref.merge(known, unknown) is known
    assert ref.merge(unknown, known) is known
    assert ref.merge(known, other) is other and ref.merge(other, known) is other
    assert ref.merge(known, shape([2, None])) is known
    crossed = shape([None, 5])
    assert ref.merge(shape([None, None]), crossed) is crossed
    both = ref.merge(known, shape([None, 7]))
    assert text(both) == "[2,7]" and both.id not in (known.id, unknown.id)


def test_sh_c1_sh_c3_contradictions():
    assert rejection(ref.merge, shape([2]), shape([2, 2])).label == "sh_c1"
    assert rejection(ref.merge_dims, dim(2), dim(3)).label == "sh_c3"
    assert rejection(ref.merge_dims, dim((1, 4)), dim((5, None))).label == "sh_c3"


@pytest.mark.parametrize(
    "old, new, expected",
    [([2, None], [None, 2], "[?,?]"), ([2, 2], [3, 2], "[?,2]"), ([2, 2], [1, 2, 3], "?"), ([2], None, "?")],
)
def test_sh_s4_examples_of_relax(old, new, expected):
    assert text(ref.relax(shape(old), shape(new), **TF_RULES)) == expected
    assert text(ref.relax(shape(new), shape(old), **TF_RULES)) == expected


def test_sh_s4_relax_of_handles():
    """shape_inference_test.cc, Relax: the old one if both are known and equal, else the new one if that is unknown."""
    old, new = dim(), dim()
    assert ref.relax_dims(old, old, **TF_RULES) is old
    assert ref.relax_dims(old, new, **TF_RULES) is new and ref.relax_dims(dim(2), new, **TF_RULES) is new
    fresh = ref.relax_dims(old, dim(2), **TF_RULES)
    assert text(fresh) == "?" and fresh.id not in (0, old.id)
    assert text(ref.relax_dims(dim(1), dim(2), **TF_RULES)) == "?"
    known = shape([1, 2])
    assert ref.relax(known, shape([1, 2]), **TF_RULES) is known
    assert text(ref.relax(shape([1, 2]), shape([4, 2]))) == "[1..4,2]"


# TensorFlow's shape_inference_test.cc


@pytest.mark.parametrize(
    "start, end, stride, expected",
    [
        (0, None, 1, "[1,2,3,?,5]"),
        (1, None, 1, "[2,3,?,5]"),
        (4, None, 1, "[5]"),
        (5, None, 1, "[]"),
        (-2, None, 1, "[?,5]"),
        (-5, None, 1, "[1,2,3,?,5]"),
        (0, 5, 1, "[1,2,3,?,5]"),
        (0, -1, 1, "[1,2,3,?]"),
        (0, -3, 1, "[1,2]"),
        (1, 3, 1, "[2,3]"),
        (1, -2, 1, "[2,3]"),
        (0, 0, 1, "[]"),
        (9, 9, 1, "[]"),
        (0, None, 2, "[1,3,5]"),
        (1, -1, 2, "[2,?]"),
        (-1, 0, -1, "[5,?,3,2]"),
        (4, 1, -1, "[5,?,3]"),
        (9, 1, -2, "[5,3]"),
    ],
)
def test_sh_s9_subshape(start, end, stride, expected):
    assert text(ref.subshape(shape([1, 2, 3, None, 5]), start, end, stride)) == expected


@pytest.mark.parametrize(
    "rank, args, label",
    [
        (3, (0, -4), "sh_c9"),
        (3, (-4, -4), "sh_c9"),
        (3, (-4, None), "sh_c9"),
        (3, (2, 1), "sh_c10"),
        (3, (2, -2), "sh_c10"),
        (3, (0, 3, -1), "sh_c10"),
        (0, (0, 0, -1), "sh_c9"),
        (3, (0, 3, 0), "sh_c21"),
    ],
)
def test_sh_c9_sh_c10_sh_c21_subshape(rank, args, label):
    assert rejection(ref.subshape, shape([None] * rank), *args).label == label


def test_sh_s9_the_whole_is_the_shape_itself():
    known, unknown = shape([1, 2]), shape()
    assert ref.subshape(known) is known and ref.subshape(known, 0, 2) is known and ref.subshape(known, 0, 9) is known
    assert ref.subshape(unknown) is unknown
    assert text(ref.subshape(unknown, 1)) == "?" and ref.subshape(unknown, 1).id != unknown.id


def test_sh_s10_concatenate():
    x = shape([1, None])
    assert ref.concatenate(x, shape([3])).dims == (*x.dims, dim(3))
    assert text(ref.concatenate(x, shape())) == text(ref.concatenate(shape(), x)) == "?"
    assert rejection(ref.concatenate, shape([1] * 40), shape([1] * 25)).label == "in_c9"


def test_sh_s8_ranks():
    assert text(ref.with_rank(shape(), 3)) == "[?,?,?]"
    assert rejection(ref.with_rank, shape([1]), 2).label == "sh_c4"
    assert rejection(ref.with_rank_at_least, shape([1]), 2).label == "sh_c5"
    assert rejection(ref.with_rank_at_most, shape([1, 2]), 1).label == "sh_c6"
    assert rejection(ref.with_rank, shape(), 65).label == rejection(ref.with_rank, shape(), -1).label == "sh_c7"
    for function in (ref.with_rank_at_least, ref.with_rank_at_most):
        assert text(function(shape(), 2)) == "?"


def test_sh_c8_with_value():
    known, unknown = dim(1), dim()
    assert ref.with_value(known, 1) is known and text(ref.with_value(unknown, 1)) == "1"
    assert rejection(ref.with_value, known, 2).label == "sh_c8"
    assert rejection(ref.with_value, dim((2, 4)), 5).label == "sh_c8"


def test_sh_c11_dims_by_axis():
    s = shape([1, 2])
    assert ref.dim_at(s, -2).lo == 1 and text(ref.replace_dim(s, -1, dim(9))) == "[1,9]"
    assert text(ref.dim_at(shape(), 7)) == text(ref.replace_dim(shape(), 7, dim(1))) == "?"
    assert rejection(ref.dim_at, s, 2).label == rejection(ref.replace_dim, s, -3, dim(1)).label == "sh_c11"


def test_sh_s8_merge_prefix():
    s, prefix = shape([None, 2, None]), shape([3, None])
    assert [text(each) for each in ref.merge_prefix(s, prefix)] == ["[3,2,?]", "[3,2]"]
    unknown = shape()
    assert ref.merge_prefix(s, unknown) == (s, unknown) and ref.merge_prefix(unknown, s) == (unknown, s)
    assert rejection(ref.merge_prefix, shape([1]), shape([1, 2])).label == "sh_c5"
    assert rejection(ref.merge_prefix, shape([1, 2]), shape([3])).label == "sh_c3"


# The special cases of each operator in shape_inference.cc: x with 0 or 1, in either order.
SPECIAL = [
    (ref.add, 0, True, True),
    (ref.subtract, 0, True, False),
    (ref.multiply, 1, True, True),
    (ref.divide, 1, True, False),
]


@pytest.mark.parametrize("operator, neutral, right, left", SPECIAL, ids=lambda value: getattr(value, "__name__", None))
def test_sh_s5_sh_s6_neutral_numbers(operator, neutral, right, left):
    for x in (dim(), dim(7), dim((2, 5))):
        for mode in ("tf", "tight"):
            assert operator(x, dim(neutral), mode=mode) == x or not right
            assert not left or operator(dim(neutral), x, mode=mode) == x


def test_sh_s5_sh_s6_sh_s7_of_tensorflow():
    x, y = dim(), dim()
    for operator in (ref.add, ref.subtract, ref.multiply, ref.divide, ref.minimum, ref.maximum):
        for a, b in ((x, y), (x, x), (x, dim(3)), (dim(3), x)):
            result = operator(a, b, **TF_RULES)
            assert text(result) == "?" and result.id not in (x.id, y.id), operator
    assert text(ref.multiply(x, dim(0), **TF_RULES)) == text(ref.multiply(dim(0), x, **TF_RULES)) == "0"
    assert text(ref.minimum(x, dim(0), **TF_RULES)) == text(ref.minimum(dim(0), x, **TF_RULES)) == "0"
    assert text(ref.divide(x, dim(0), **TF_RULES)) == "?"
    assert text(ref.maximum(x, dim(0), **TF_RULES)) == "?"


def test_sh_s5_sh_s6_sh_s7_of_equal_dims():
    x = dim((2, 9))
    assert text(ref.subtract(x, x)) == "0" and text(ref.divide(x, x)) == "1"
    assert ref.minimum(x, x) is x and ref.maximum(x, x) is x
    assert text(ref.add(x, x)) == "4..18" and text(ref.multiply(x, x)) == "4..81"


@pytest.mark.parametrize(
    "operator, a, b, label",
    [
        (ref.add, INT64_MAX, 1, "sh_c13"),
        (ref.subtract, 1, 2, "sh_c12"),
        (ref.multiply, 2**32, 2**31, "sh_c14"),
        (ref.divide, 4, 0, "sh_c15"),
        (ref.divide, 4, -2, "sh_c15"),
    ],
)
def test_sh_c12_sh_c13_sh_c14_sh_c15_arithmetic(operator, a, b, label):
    for mode in ("tf", "tight"):
        assert rejection(operator, dim(a), dim(b), mode=mode).label == label


def test_sh_c16_a_remainder():
    assert text(ref.divide(dim(7), dim(2))) == "3"
    assert rejection(ref.divide, dim(7), dim(2), True).label == "sh_c16"
    assert rejection(ref.divide, dim((5, 7)), dim(4), True).label == "sh_c16"
    assert text(ref.divide(dim((7, 12)), dim((4, 5)), True)) == "2..3"


def test_sh_s12_num_elements():
    assert text(ref.num_elements(shape([2, 3]))) == "6" and text(ref.num_elements(shape([]))) == "1"
    assert text(ref.num_elements(shape([2, None]))) == text(ref.num_elements(shape())) == "?"
    assert text(ref.num_elements(shape([2**62, 2**62, 0]))) == "0"
    assert rejection(ref.num_elements, shape([2**62, 2])).label == "sh_c14"
    assert text(ref.num_elements(shape([2**62, 2, None]), **TF_RULES)) == "?"
    assert text(ref.num_elements(shape([2**62, 2, None]))) == "?"


def test_sh_s11_from_tensor():
    assert text(ref.from_tensor([1, -1, 0])) == "[1,?,0]" and text(ref.from_tensor([])) == "[]"
    error = rejection(ref.from_tensor, [1, -2])
    assert (error.label, error.entry, error.value) == ("sh_c17", 1, -2)


# TensorFlow's array_ops_test.cc and strided_slice_op_test.py: the static shapes of slices


@pytest.mark.parametrize(
    "begin, end, strides, masks, expected",
    [
        ([3], [5], [1], {}, "[2,?,7]"),
        ([3, 0, 4], [5, 0, 5], [1, 1, 1], {"begin_mask": 2, "end_mask": 2, "shrink_axis_mask": 4}, "[2,?]"),
        ([3, 3, 4], [5, 4, 5], [1, 1, 1], {"shrink_axis_mask": 4}, "[2,?]"),
        ([3, 0, 50], [5, 0, 3], [1, 1, 1], {"begin_mask": 2, "end_mask": 2}, "[2,?,0]"),
        ([0] * 4, [0] * 4, [-1, 1, 1, -2], {"begin_mask": 15, "end_mask": 15, "new_axis_mask": 4}, "[5,?,1,4]"),
        ([None] * 3, [0] * 3, [1, 1, 2], {"begin_mask": 7, "end_mask": 7}, "[5,?,4]"),
        ([None], [None], [1], {"shrink_axis_mask": 1}, "[?,7]"),
        ([0], [None], [1], {"begin_mask": 1}, "[?,?,7]"),
        ([0], [0], [None], {}, "?"),
    ],
)
def test_sh_s2_strided_slice(begin, end, strides, masks, expected):
    assert text(ref.strided_slice(shape([5, None, 7]), begin, end, strides, **masks)) == expected


def test_sh_s2_tf_slice():
    assert text(ref.tf_slice(shape([4, None]), [1, 0], [-1, -1])) == "[3,?]"
    assert text(ref.tf_slice(shape([4, 5]), [1, None], [None, 2])) == "[?,2]"
    assert text(ref.tf_slice(shape(), [0, 0], [None, None])) == "[?,?]"
    assert rejection(ref.tf_slice, shape([4]), [0, 0], [1, 1]).label == "sh_c4"
    assert rejection(ref.tf_slice, shape([4]), [5], [-1]).label == "sh_c12"


def test_sh_s1_completions_respect_identity():
    x = dim((0, 2))
    assert list(ref.completions(shape([x, 5, x]))) == [(0, 5, 0), (1, 5, 1), (2, 5, 2)]
    assert ref.infer(lambda dims, add: [sum(dims) + add[0]], shape([x, x]), [(1, 2)]) == ((1, 6),)
