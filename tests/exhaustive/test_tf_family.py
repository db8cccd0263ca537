"""TensorFlow's gradient, update and Slice on one axis: every bound, stride and mask, against the reference."""

from itertools import product

import numpy as np
import pytest

import ssop
from exhaustive.spaces import answer, around, count_of_slices, counting, dims, items, slices_of
from ssop import reference
from ssop.reference import Tensor

SHORT, DIMS = range(3), range(7)
SHAPES = [shape for rank in range(4) for shape in product(range(4), repeat=rank)]
TO_RANK_2 = SHAPES[:21]


@pytest.mark.parametrize("dim", dims(SHORT, DIMS))
def test_gradient_and_update_of_one_axis(dim):
    x, tensor = np.arange(dim), counting(dim)
    shapes, compared, rejected = set(), 0, 0
    for begin, end, stride, begin_mask, end_mask, shrink_axis_mask in slices_of(dim):
        vectors = [begin], [end], [stride]
        masks = {"begin_mask": begin_mask, "end_mask": end_mask, "shrink_axis_mask": shrink_axis_mask}
        taken = answer(reference.strided_slice, tensor, *vectors, **masks)
        legal = isinstance(taken, Tensor)
        shape = taken.shape if legal else ()
        value = np.negative(np.arange(1, 1 + int(np.prod(shape)))).reshape(shape)
        as_tensor = Tensor(*items(value))
        got = answer(ssop.strided_slice_grad, (dim,), *vectors, value, **masks)
        assert got == answer(reference.strided_slice_grad, (dim,), *vectors, as_tensor, **masks), (vectors, masks)
        updated = answer(ssop.tensor_strided_slice_update, x, *vectors, value, **masks)
        expected = answer(reference.tensor_strided_slice_update, tensor, *vectors, as_tensor, **masks)
        assert updated == expected, (vectors, masks)
        rejected += not legal
        shapes.add(shape)
        compared += 1
    assert compared == count_of_slices(dim) and rejected > 0
    assert shapes >= {(count,) for count in range(dim + 1)}


def test_every_pair_of_shapes_broadcasts_or_is_rejected():
    """as_c1, as_s1, as_s2: values of ranks 0..3 over slices of ranks 0..2."""
    accepted, rejected = 0, 0
    for shape in TO_RANK_2:
        x, tensor = np.zeros(shape, int), Tensor(shape, [0] * int(np.prod(shape)))
        for value_shape in SHAPES:
            value = np.arange(1, 1 + int(np.prod(value_shape))).reshape(value_shape)
            got = answer(ssop.tensor_strided_slice_update, x, [], [], [], value)
            expected = answer(reference.tensor_strided_slice_update, tensor, [], [], [], Tensor(*items(value)))
            assert got == expected, (shape, value_shape)
            accepted, rejected = accepted + (len(got) == 2), rejected + (len(got) > 2)
    assert accepted + rejected == 21 * 85 and min(accepted, rejected) > 300


def test_every_wrong_shape_of_dy_is_rejected():
    """gr_c1: of all shapes of ranks 0..3, one is right."""
    accepted = 0
    for shape, dy_shape in product(TO_RANK_2, SHAPES):
        dy = np.ones(dy_shape, int)
        got = answer(ssop.strided_slice_grad, shape, [], [], [], dy)
        assert got == answer(reference.strided_slice_grad, shape, [], [], [], Tensor(*items(dy))), (shape, dy_shape)
        accepted += len(got) == 2
    assert accepted == len(TO_RANK_2)


@pytest.mark.parametrize("dim", DIMS)
def test_tf_slice_of_one_axis(dim):
    x, tensor = np.arange(dim), counting(dim)
    entries = around(dim + 2)
    labels, legal = set(), 0
    for begin, size in product(entries, entries):
        got = answer(ssop.tf.slice, x, [begin], [size])
        assert got == answer(reference.tf.slice, tensor, [begin], [size]), (begin, size)
        if 0 <= begin <= dim and (size == -1 or 0 <= size <= dim - begin):
            assert got == items(x[begin : dim if size == -1 else begin + size])
            legal += 1
        else:
            labels.add(got[0])
    assert labels == {"tsl_c2", "tsl_c3"}
    assert legal == (dim + 1) * (dim + 2) // 2 + dim + 1


@pytest.mark.parametrize("rank", range(4))
def test_tf_slice_lengths(rank):
    """tsl_c1 comes before anything about the entries."""
    x, tensor = np.zeros((2,) * rank, int), Tensor((2,) * rank, [0] * 2**rank)
    for begins, sizes in product(range(5), repeat=2):
        got = answer(ssop.tf.slice, x, [-9] * begins, [-9] * sizes)
        assert got == answer(reference.tf.slice, tensor, [-9] * begins, [-9] * sizes)
        wrong = (begins, sizes) != (rank, rank)
        assert (got[0] == "tsl_c1") == wrong
