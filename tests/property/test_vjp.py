"""Gradients are transposes: the dot product of operation(x) and y is that of x and vjp(y). Integers make it exact."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ssop
from ssop import vjp, xla
from ssop.testing import strategies as slicing

SMALL = {"max_rank": 4, "max_dim": 4, "max_size": 100}
SHAPES = slicing.shapes(**SMALL)


def spec_arguments(spec):
    return spec.arguments


def broadcasting(draw, shape):
    """A shape that broadcasts to `shape`, with fewer axes, axes of length 1, or further leading ones."""
    dims = [draw(st.sampled_from([1, dim])) for dim in shape]
    left_out = draw(st.integers(-2, len(dims)))
    return tuple(dims[left_out:] if left_out >= 0 else [1] * -left_out + dims)


def policies(draw, shape, *more):
    return {
        "out_of_bounds": draw(st.sampled_from(["clamp", "wrap", *more])),
        "allow_negative_indices": draw(st.lists(st.booleans(), min_size=len(shape), max_size=len(shape))),
    }


# Each draws the shapes of the inputs, the operation as a function of them, and the gradient as a function of dy.


def of_strided_slice(draw):
    shape = draw(SHAPES)
    arguments = spec_arguments(draw(slicing.specs(shape)))
    return (
        [shape],
        lambda x: ssop.strided_slice(x, *arguments),
        lambda dy: [vjp.strided_slice(dy, shape, *arguments)],
    )


def of_region(draw):
    shape = draw(SHAPES)
    region = draw(slicing.regions(shape, emptied=True))
    return (
        [shape],
        lambda x: np.empty(region.shape, x.dtype) if 0 in region.shape else np.asarray(x[region.index]),
        lambda dy: [vjp.region(dy, region)],
    )


def of_tf_slice(draw):
    shape = draw(SHAPES)
    begin = [draw(st.integers(0, dim)) for dim in shape]
    size = [draw(st.integers(-1, dim - low)) for dim, low in zip(shape, begin, strict=True)]
    return [shape], lambda x: ssop.tf.slice(x, begin, size), lambda dy: [vjp.tf_slice(dy, shape, begin, size)]


def of_slice(draw):
    shape = draw(SHAPES)
    arguments = draw(slicing.slice_arguments(shape))
    return [shape], lambda x: ssop.slice(x, *arguments), lambda dy: [vjp.slice(dy, shape, *arguments)]


def of_dynamic_slice(draw):
    shape = draw(SHAPES)
    arguments, policy = draw(slicing.dynamic_slices(shape)), policies(draw, shape, "fill")
    return (
        [shape],
        lambda x: ssop.dynamic_slice(x, *arguments, **policy),
        lambda dy: [vjp.dynamic_slice(dy, shape, *arguments, **policy)],
    )


def of_dynamic_update_slice(draw):
    shape = draw(SHAPES)
    (starts, sizes), policy = draw(slicing.dynamic_slices(shape)), policies(draw, shape)
    return (
        [shape, sizes],
        lambda x, update: ssop.dynamic_update_slice(x, update, starts, **policy),
        lambda dy: vjp.dynamic_update_slice(dy, shape, sizes, starts, **policy),
    )


def of_tensor_strided_slice_update(draw):
    shape = draw(SHAPES)
    spec = draw(slicing.specs(shape))
    value_shape, arguments = broadcasting(draw, spec.resolve(shape).shape), spec_arguments(spec)
    return (
        [shape, value_shape],
        lambda x, value: ssop.tensor_strided_slice_update(x, *arguments[:3], value, *arguments[3:]),
        lambda dy: vjp.tensor_strided_slice_update(dy, shape, value_shape, *arguments),
    )


def of_pad(draw):
    shape = draw(slicing.shapes(max_rank=3, max_dim=4))
    edge = st.integers(-5, 3)
    config = []
    for dim in shape:
        low, gap = draw(edge), draw(st.integers(0, 2))
        whole = dim + max(dim - 1, 0) * gap
        config.append((low, draw(st.integers(-whole - low, max(3, -whole - low))), gap))
    return [shape, ()], lambda x, value: xla.pad(x, value, config), lambda dy: vjp.pad(dy, shape, config)


def of_numpy_pad(draw):
    mode = draw(st.sampled_from(["constant", "edge", "reflect", "symmetric", "wrap"]))
    shape = draw(slicing.shapes(max_rank=3, max_dim=4).filter(lambda shape: mode == "constant" or 0 not in shape))
    widths = [(draw(st.integers(0, 9)), draw(st.integers(0, 3))) for _ in shape] or 1
    return [shape], lambda x: ssop.pad(x, widths, mode), lambda dy: [vjp.numpy_pad(dy, shape, widths, mode)]


def of_rev(draw):
    shape = draw(SHAPES)
    axes = draw(st.lists(st.sampled_from(range(len(shape))), unique=True)) if shape else []
    return [shape], lambda x: xla.rev(x, axes), lambda dy: [vjp.rev(dy, shape, axes)]


def of_roll(draw):
    shape = draw(SHAPES)
    axes = draw(st.lists(st.sampled_from(range(-len(shape), len(shape))))) if shape else []
    shifts = [draw(st.integers(-9, 9)) for _ in axes]
    arguments = draw(st.sampled_from([(shifts, axes), (draw(st.integers(-9, 9)),)]))
    return [shape], lambda x: ssop.roll(x, *arguments), lambda dy: [vjp.roll(dy, shape, *arguments)]


def of_concatenate(draw):
    shape = draw(slicing.shapes(min_rank=1, max_rank=3, max_dim=4))
    axis = draw(st.sampled_from(range(len(shape))))
    dims = draw(st.lists(st.integers(0, 4), min_size=1, max_size=4))
    shapes = [(*shape[:axis], dim, *shape[axis + 1 :]) for dim in dims]
    return shapes, lambda *xs: xla.concatenate(xs, axis), lambda dy: vjp.concatenate(dy, shapes, axis)


def of_broadcast(draw):
    shape, sizes = draw(slicing.shapes(max_rank=3, max_dim=4)), draw(slicing.shapes(max_rank=2, max_dim=3))
    return [shape], lambda x: xla.broadcast(x, sizes), lambda dy: [vjp.broadcast(dy, shape, sizes)]


def of_broadcast_in_dim(draw):
    result = draw(SHAPES)
    count = draw(st.integers(0, len(result)))
    dimensions = draw(st.permutations(range(len(result))))[:count]
    shape = [draw(st.sampled_from([1, result[axis]])) for axis in dimensions]
    return (
        [shape],
        lambda x: xla.broadcast_in_dim(x, result, dimensions),
        lambda dy: [vjp.broadcast_in_dim(dy, shape, result, dimensions)],
    )


def of_reshape(draw):
    shape = draw(SHAPES)
    dimensions = draw(st.none() | st.permutations(range(len(shape))))
    new = draw(st.sampled_from([shape[::-1], (int(np.prod(shape)),), (1, *shape)]))
    return [shape], lambda x: xla.reshape(x, new, dimensions), lambda dy: [vjp.reshape(dy, shape, new, dimensions)]


def of_collapse(draw):
    shape = draw(SHAPES)
    first = draw(st.integers(0, len(shape)))
    axes = list(range(first, draw(st.integers(first, len(shape)))))
    return [shape], lambda x: xla.collapse(x, axes), lambda dy: [vjp.collapse(dy, shape, axes)]


def of_transpose(draw):
    shape = draw(SHAPES)
    order = draw(st.permutations(range(len(shape))))
    return [shape], lambda x: xla.transpose(x, order), lambda dy: [vjp.transpose(dy, shape, order)]


def of_select(draw):
    shape = draw(SHAPES)
    pred = draw(st.booleans() | slicing.arrays(shape, np.bool_))
    return [shape, shape], lambda x, y: xla.select(pred, x, y), lambda dy: vjp.select(dy, pred)


CASES = {name.removeprefix("of_"): function for name, function in list(globals().items()) if name.startswith("of_")}


def test_every_gradient_has_a_case():
    assert set(CASES) == set(vjp.__all__)


@pytest.mark.parametrize("name", CASES)
@given(st.data())
def test_vjp_s1_the_gradient_is_the_transpose(name, data):
    shapes, operation, gradient = CASES[name](data.draw)
    random = np.random.default_rng(data.draw(st.integers(0, 99), "seed"))
    inputs = [random.integers(-9, 10, shape) for shape in shapes]
    result = operation(*inputs)
    dy = np.asarray(random.integers(-9, 10, result.shape))
    before = dy.copy()
    gradients = gradient(dy)
    assert [x.shape for x in gradients] == [tuple(shape) for shape in shapes]
    assert sum(np.vdot(x, g) for x, g in zip(inputs, gradients, strict=True)) == np.vdot(result, dy)
    for found in gradients:
        assert type(found) is np.ndarray and found.flags.c_contiguous and found.dtype == dy.dtype
        assert not np.shares_memory(found, dy)
    assert np.array_equal(dy, before)
