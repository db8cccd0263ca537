"""Shapes of conversions, batch normalisation, random numbers and iota against execution (sh_s38)."""

import itertools

import numpy as np
import pytest

import ssop
from ssop import shapes
from unit.test_shapes_functions import check_tight
from unit.xla_arrays import label_of

NARROW = [1, 2, (0, 1), (1, 2), (0, 2)]
SOME = [(), *itertools.product(NARROW, repeat=1), *itertools.product(NARROW, repeat=2)]
STATE = np.zeros(2, np.uint64)


def ones(shape):
    return np.ones(shape, np.float32)


def test_sh_s38_bitcasts_are_exact():
    checked = 0
    for shape in SOME:
        for one, other in (("f4", "i4"), ("f4", "u1"), ("u1", "u2"), ("i2", "f8")):
            checked += check_tight(
                lambda x, mode, one=one, other=other: shapes.xla.bitcast_convert_type(x, one, other, mode=mode),
                lambda x, one=one, other=other: ssop.xla.bitcast_convert_type(np.zeros(x, one), other).shape,
                (shape,),
            )
    assert checked == 80
    assert shapes.xla.bitcast_convert_type(None, "u1", "u2").dims is None
    assert label_of(shapes.xla.bitcast_convert_type, None, "u1", "c8") == "cvt_c2"
    assert label_of(shapes.xla.bitcast_convert_type, [3], "u1", "u2") == "cvt_c4"


def training(x, scale, offset):
    return ssop.xla.batch_norm_training(ones(x), ones(scale), ones(offset), 0.5, 1)


def gradient(x, scale, mean, dy):
    return ssop.xla.batch_norm_grad(ones(x), ones(scale), ones(mean), ones(4)[: scale[0]], ones(dy), 0.5, 1)


def test_sh_s38_batch_normalisation_is_exact():
    checked = 0
    for place in range(2):
        for x, scale in itertools.product(itertools.product([2, (0, 2)], NARROW), NARROW):
            for offset in NARROW:
                checked += check_tight(
                    lambda *given, mode, place=place: shapes.xla.batch_norm_training(*given, 1, mode=mode)[place],
                    lambda *given, place=place: training(*given)[place].shape,
                    (x, [scale], [offset]),
                )
            checked += check_tight(
                lambda x, s, mode, place=place: shapes.xla.batch_norm_grad(x, s, None, None, x, 1, mode=mode)[place],
                lambda x, s, place=place: gradient(x, s, s, x)[place].shape,
                (x, [scale]),
            )
    assert checked > 150


def test_batch_normalisation_of_unknown_ranks():
    infer = shapes.xla.batch_norm_grad
    assert [part.dims for part in infer(None, None, [3], None, None, 0)] == [None, (3,), (3,)]
    assert [part.dims for part in infer(None, None, [3], None, [2, None], 1)] == [(2, 3), (3,), (3,)]
    assert shapes.xla.batch_norm_inference([None, 2], None, None, None, None, 0).dims == (None, 2)
    for arguments, label in (
        (([2, 3], [3], [3], [3], [2, 3], 2), "bn_c1"),
        (([2, 3], [3], [3], [3], [2, 3], -1), "bn_c1"),
        (([2, 3], [3, 3], [3], [3], [2, 3], 1), "bn_c2"),
        (([2, None], [4], [3], None, None, 1), "bn_c2"),
        (([2, 3], [3], [3], [3], [2], 1), "bn_c5"),
        (([2, 3], [3], [3], [3], [3, 3], 1), "bn_c5"),
    ):
        assert label_of(infer, *arguments) == label


@pytest.mark.parametrize("mode", ["tf", "tight"])
def test_given_shapes(mode):
    for dims in ([], [2, 3], [0]):
        assert shapes.xla.rng_uniform([], (), dims, mode=mode).dims == ssop.xla.rng_uniform(0, 2, dims).shape
        assert shapes.xla.rng_normal([], (), dims, mode=mode).dims == ssop.xla.rng_normal(0, 2, dims).shape
        assert shapes.xla.rng_bernoulli([], dims, mode=mode).dims == ssop.xla.rng_bernoulli(0.5, dims).shape
        state, bits = shapes.xla.rng_bit_generator([2], dims, mode=mode)
        assert (state.dims, bits.dims) == ((2,), ssop.xla.rng_bit_generator(STATE, dims)[1].shape)
    assert shapes.xla.rng_uniform([], None, [2, None], mode=mode).dims == (2, None)
    assert shapes.xla.iota("f4", 3, mode=mode).dims == ssop.xla.iota("f4", 3).shape
    assert shapes.xla.iota(None, None, mode=mode).dims == (None,)
    assert shapes.xla.broadcasted_iota("f4", [2, 3], 1, mode=mode).dims == (2, 3)
    assert shapes.xla.broadcasted_iota(None, None, 1, mode=mode).dims is None
    assert label_of(shapes.xla.broadcasted_iota, "f4", [2, None], 2, mode=mode) == "io_c3"
    assert label_of(shapes.xla.sort, [2, None], 2, mode=mode) == label_of(shapes.xla.sort, [], mode=mode) == "srt_c3"
    assert shapes.xla.sort([2, None], -2, mode=mode).dims == (2, None) and shapes.xla.sort(None, mode=mode).dims is None
    assert label_of(shapes.xla.rng_normal, [2], [], [3], mode=mode) == "rng_c1"
    assert label_of(shapes.xla.rng_bit_generator, [5], [3], mode=mode) == "rng_c5"
    assert shapes.xla.rng_bit_generator(None, [3], mode=mode)[0].rank == 1


def test_shapes_that_stay_keep_their_dims():
    x = shapes.PartialShape([2, None])
    for infer in (shapes.xla.convert_element_type, shapes.xla.reduce_precision):
        assert infer(x).dim(1).id == x.dim(1).id and infer(None).dims is None
    assert label_of(shapes.xla.convert_element_type, x, "U3") == "cvt_c1"
    assert label_of(shapes.xla.reduce_precision, x, 5.0) == "in_c1"
    assert ssop.infer_shape("batch_norm_inference", [2, None], [3], None, None, None, 1).dims == (2, 3)
    assert ssop.infer_shape("xla.bitcast_convert_type", [None, 2], "u1", "u2").dims == (None,)
