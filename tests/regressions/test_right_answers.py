"""Reports about other systems which ssop answered rightly on 2026-11-26: these answers stay.

Reports of speed are not here: no test depends on how fast a machine is, and `ssop bench` has their cases. Reports about
zarr and torch (negative steps) are in `tests/arrays`.
"""

from itertools import product

import dask.array as da
import numpy as np
import pytest
from numpy import ma

import ssop
from ssop import shapes

X = np.arange(12).reshape(3, 4)


@pytest.mark.parametrize("bounds", [*product((-12, -11, -10, -5, 0, 9), (-12, -7, -1, 3, None), (-1, -3))])
def test_dask_10555_an_empty_slice_with_a_negative_step(bounds):
    """dask took elements for x[-5:-5:-2], and overwrote them on assignment."""
    x = np.arange(10)
    lazy, index = da.from_array(x, chunks=2), slice(*bounds)
    assert ssop.index(lazy, index).compute().tolist() == x[index].tolist()
    right = x.copy()
    right[index] = -1
    assert ssop.index_update(lazy, index, -1).compute().tolist() == right.tolist()


def test_xarray_6560_a_slice_is_split_without_a_wrong_last_element():
    """[98:2:-2] was read as [4:99:2], whose elements are others."""
    compared = 0
    for dim, start, stop, step in product(range(8), range(-9, 9), range(-9, 9), (-3, -2, -1, 1, 2, 3)):
        region = ssop.StridedSliceSpec([start], [stop], [step]).resolve((dim,))
        forward, axes = region.split()
        x = np.arange(dim)
        assert np.array_equal(np.flip(x[forward.index], axes), x[start:stop:step])
        assert all(step > 0 for _, _, step in forward.ranges)
        compared += 1
    assert compared == 8 * 18 * 18 * 6


def test_numpy_24388_padding_by_nothing_is_a_copy():
    x = np.random.default_rng(0).random((20, 30, 40))
    padded = ssop.xla.pad(x, 0.0, [(0, 0, 0)] * 3)
    assert np.array_equal(padded, x) and not np.shares_memory(padded, x)
    assert np.array_equal(ssop.xla.pad(x, 0, [(1, 2, 0)] * 3), np.pad(x, (1, 2)))


@pytest.mark.parametrize("shape", [(1100, 1030), (70, 60, 65), (23, 21, 25, 27)])
def test_numpy_32453_from_fortran_order_to_c_order(shape):
    x = np.asfortranarray(np.random.default_rng(0).random(shape))
    ordered = ssop.copy(x)
    assert ordered.flags.c_contiguous and np.array_equal(ordered, x)


@pytest.mark.parametrize(
    "run",
    [
        lambda x: ssop.xla.pad(x, 0, [(1, 1, 0), (0, 0, 1)]),
        lambda x: ssop.xla.concatenate([x, x], 0),
        lambda x: ssop.xla.rev(x, [1]),
        lambda x: ssop.xla.transpose(x, [1, 0]),
        lambda x: ssop.xla.reshape(x, [2, 6]),
        lambda x: ssop.xla.broadcast(x, [2]),
        lambda x: ssop.index(x, np.s_[::-1, 1:]),
        lambda x: ssop.dynamic_slice(x, [1, 1], [2, 2]),
        lambda x: ssop.dynamic_update_slice(x, x[:1, :1], [2, 2]),
        lambda x: ssop.index_update(x, np.s_[0], x[1]),
        lambda x: ssop.copy(x),
    ],
)
def test_numpy_8881_and_3474_masks_are_kept(run):
    """numpy.pad and numpy.concatenate lose the mask. Hidden elements come out hidden, where the data come out."""
    masked = ma.array(X, mask=X % 3 == 0)
    result = run(masked)
    assert isinstance(result, ma.MaskedArray)
    assert np.array_equal(result.data, run(X))
    hidden = run((X % 3 == 0).astype(X.dtype))
    assert np.array_equal(ma.getmaskarray(result), hidden != 0)


def test_opencv_22794_negative_steps_of_onnx():
    """The model of the fix: x[5:0:-1, 10:1:-3] of shape [5, 10]."""
    x = np.arange(50).reshape(5, 10)
    assert np.array_equal(ssop.onnx.slice(x, [5, 10], [0, 1], [0, 1], [-1, -3]), x[5:0:-1, 10:1:-3])
    assert shapes.onnx.slice([5, 10], [5, 10], [0, 1], [0, 1], [-1, -3]).dims == (4, 3)


def test_openvino_30431_the_end_of_a_masked_entry_need_not_be_known():
    masks = {"begin_mask": [1, 0], "end_mask": [1, 0]}
    assert shapes.openvino.strided_slice([1, 500, 2], [0, 0], shapes.unknown(2), [1, 1], **masks).dims == (1, None, 2)
    tight = shapes.openvino.strided_slice([1, 500, 2], [0, 0], shapes.unknown(2), [1, 5], mode="tight", **masks)
    assert tight.intervals == ((1, 1), (0, 100), (2, 2))


def test_mlx_4444_the_gradient_of_one_element_of_a_span():
    """Each of z[0::2] and z[1::2] takes one row of two; the gradient of one went to both rows."""
    one, two = np.array([[1.0, 2.0, 3.0]]), np.array([[100.0, 101.0, 102.0]])
    gradient = ssop.vjp.slice(one, [2, 3], [0, 0], [2, 3], [2, 1])
    gradient += ssop.vjp.slice(two, [2, 3], [1, 0], [2, 3], [2, 1])
    assert gradient.tolist() == [[1.0, 2.0, 3.0], [100.0, 101.0, 102.0]]


def test_onnx_2619_a_dim_that_is_kept_whole_is_the_same_dim():
    """Shape inference kept the name of a dim of which one element is taken."""
    data = shapes.PartialShape([None, None, 768])
    taken = shapes.onnx.slice(data, [0, 0, 0], [2**63 - 1, 1, 2**63 - 1], [0, 1, 2], mode="tight")
    assert taken.dim(0).same_as(data.dim(0)) and taken.dim(2).value == 768
    assert not taken.dim(1).same_as(data.dim(1))
