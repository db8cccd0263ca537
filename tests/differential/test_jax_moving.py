"""XLA's operations that move data, and its selections, against those of jax.lax on the CPU.

`test_jax.py` has more of them, with arguments that XLA rejects.
"""

from math import prod

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import strategies as st
from jax import lax

from differential.jax_calls import Calls, assert_exact, compare, drawn_sets, numbers, types
from ssop import xla
from ssop.testing import strategies as slicing

REAL = ("signed", "unsigned", "float")
NARROW = ("int2", "int4", "uint2", "uint4")


def moves(draw, name, shapes, arguments, theirs=None):
    """Calls on arrays of one dtype, after which come the same arguments for both."""
    dtype, function = draw(types(but=NARROW)), theirs or getattr(lax, name)
    return Calls(
        lambda *arrays: getattr(xla, name)(*arrays, *arguments),
        lambda *arrays: function(*arrays, *arguments),
        drawn_sets(draw, *[numbers(shape, dtype) for shape in shapes]),
        assert_exact,
    )


@st.composite
def slices(draw):
    shape = draw(slicing.shapes())
    return moves(draw, "slice", [shape], draw(slicing.slice_arguments(shape)))


@st.composite
def dynamic_slices(draw, name):
    """The starts are arrays of JAX, which are clamped; it checks those of NumPy."""
    shape = draw(slicing.shapes())
    windows = slicing.dynamic_slices(shape)
    _, sizes = draw(windows)
    dtype = draw(types(but=NARROW))
    starts = windows.map(lambda window: np.clip(window[0], -(2**31), 2**31 - 1).astype(np.int32))
    if name == "dynamic_slice":
        others, options = [], [sizes]
    else:
        others, options = [numbers(sizes, dtype)], []
    function = getattr(lax, name)

    def theirs(*arrays):
        return function(*arrays[:-1], [*arrays[-1]], *options, allow_negative_indices=False)

    return Calls(
        lambda *arrays: getattr(xla, name)(*arrays, *options),
        theirs,
        drawn_sets(draw, numbers(shape, dtype), *others, starts),
        assert_exact,
        lambda *arrays: (*arrays[:-1], jnp.asarray(arrays[-1])),
    )


@st.composite
def filled_windows(draw):
    """ds_s5: element by element what jax.numpy.take gives along each axis. It counts negative indices from the end."""
    shape = tuple(dim or 1 for dim in draw(slicing.shapes(max_rank=3)))  # JAX takes nothing from an empty axis
    starts = [draw(st.integers(-dim - 3, dim + 3)) for dim in shape]
    sizes = [draw(st.integers(0, dim + 3)) for dim in shape]

    def theirs(x):
        for axis, (start, size, dim) in enumerate(zip(starts, sizes, shape, strict=True)):
            indices = np.arange(start, start + size)
            indices = np.where(indices < 0, dim, indices)
            x = jnp.take(x, indices, axis, mode="fill", fill_value=0)
        return x

    return Calls(
        lambda x: xla.dynamic_slice(x, starts, sizes, out_of_bounds="fill"),
        theirs,
        drawn_sets(draw, numbers(shape, draw(types(but=NARROW)))),
        assert_exact,
    )


@st.composite
def rows_of_windows(draw):
    """ds_s6: what JAX makes of a batch of starts; ours are known, or an array of JAX, or traced."""
    shape = draw(slicing.shapes(max_rank=3))
    _, sizes = draw(slicing.dynamic_slices(shape))
    rows = draw(st.lists(st.tuples(*[st.integers(-9, 9)] * len(shape)), min_size=1, max_size=4))
    starts = np.array(rows, np.int32).reshape(len(rows), len(shape))
    form = draw(st.sampled_from(["numbers", "array", "traced"]))

    def ours(x):
        if form == "numbers":
            return xla.dynamic_slice(x, starts, sizes)
        if form == "array":
            return xla.dynamic_slice(x, jnp.asarray(starts), sizes)
        return np.asarray(jax.jit(lambda of_jax, traced: xla.dynamic_slice(of_jax, traced, sizes))(x, starts))

    def theirs(x):
        at = jax.vmap(lambda start: lax.dynamic_slice(x, [*start], sizes, allow_negative_indices=False))
        return at(jnp.asarray(starts))

    return Calls(ours, theirs, drawn_sets(draw, numbers(shape, draw(types(but=NARROW)))), assert_exact)


@st.composite
def broadcasts(draw):
    shape, sizes = draw(slicing.shapes(max_rank=2)), draw(slicing.shapes(max_rank=2))
    return moves(draw, "broadcast", [shape], [sizes])


@st.composite
def collapses(draw):
    shape = draw(slicing.shapes(min_rank=1))
    first = draw(st.integers(0, len(shape) - 1))
    axes = range(first, draw(st.integers(first + 1, len(shape))))
    return moves(draw, "collapse", [shape], [axes], lambda x, axes: lax.collapse(x, axes[0], axes[-1] + 1))


@st.composite
def concatenations(draw):
    shape = draw(slicing.shapes(min_rank=1, max_rank=3))
    axis = draw(st.integers(0, len(shape) - 1))
    lengths, dtype = draw(st.lists(st.integers(0, 3), min_size=1, max_size=3)), draw(types(but=NARROW))
    shapes = [(*shape[:axis], length, *shape[axis + 1 :]) for length in lengths]
    ours, theirs = (lambda *arrays, f=f: f(arrays, axis) for f in (xla.concatenate, lax.concatenate))
    return Calls(ours, theirs, drawn_sets(draw, *[numbers(shape, dtype) for shape in shapes]), assert_exact)


@st.composite
def paddings(draw):
    """Some remove elements."""
    shape = draw(slicing.shapes(max_rank=3))
    pairs = [[draw(st.integers(-(dim // 2), 3)) for _ in range(2)] for dim in shape]
    config = [(low, high, draw(st.integers(0, 2))) for low, high in pairs]
    return moves(draw, "pad", [shape, ()], [config])


@st.composite
def reshapes(draw):
    shape = draw(slicing.shapes())
    sizes = draw(st.sampled_from([(prod(shape),), (1, prod(shape)), shape[::-1], (*shape, 1)]))
    return moves(draw, "reshape", [shape], [sizes])


@st.composite
def reversals(draw):
    shape = draw(slicing.shapes())
    return moves(draw, "rev", [shape], [[axis for axis in range(len(shape)) if draw(st.booleans())]])


@st.composite
def transpositions(draw):
    shape = draw(slicing.shapes())
    return moves(draw, "transpose", [shape], [draw(st.permutations(range(len(shape))))])


@st.composite
def selects(draw):
    """By an array, or by a scalar."""
    shape, dtype = draw(slicing.shapes()), draw(types(but=NARROW))
    preds = numbers(draw(st.sampled_from([shape, ()])), np.dtype(bool))
    operands = preds, numbers(shape, dtype), numbers(shape, dtype)
    return Calls(xla.select, lax.select, drawn_sets(draw, *operands), assert_exact)


@st.composite
def clamps(draw):
    shape, dtype = draw(slicing.shapes()), draw(types(REAL, NARROW))
    bounds = draw(st.sampled_from([shape, ()]))
    operands = (numbers(dims, dtype) for dims in (bounds, shape, bounds))
    return Calls(xla.clamp, lax.clamp, drawn_sets(draw, *operands), assert_exact)


ROWS = {
    "slice": slices(),
    **{name: dynamic_slices(name) for name in ("dynamic_slice", "dynamic_update_slice")},
    "dynamic_slice, filled": filled_windows(),
    "dynamic_slice, rows": rows_of_windows(),
    "broadcast": broadcasts(),
    "collapse": collapses(),
    "concatenate": concatenations(),
    "pad": paddings(),
    "reshape": reshapes(),
    "rev": reversals(),
    "transpose": transpositions(),
    "select": selects(),
    "clamp": clamps(),
}


@pytest.mark.parametrize("name", ROWS)
def test_calls(name):
    compare(ROWS[name])
