"""Arrays of JAX stay JAX's: every operation, and what `jit`, `vmap` and `grad` make of it."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import ssop
from arrays.adapters import load_tool
from arrays.cells import ASSIGNMENTS, CALLS, X, as_list, expected
from ssop import vjp, xla

WRAPPING = "dynamic_slice wrapping"
possible = pytest.mark.parametrize("name", sorted(set(CALLS) - ASSIGNMENTS - {WRAPPING}))
J = jnp.asarray(X, np.float32)


def narrow(x):
    """NumPy's array as it would be in JAX, which has no float64 unless told otherwise."""
    return jnp.asarray(x, np.float32 if x.dtype == float else None)


def primitives(function, *arguments):
    return [equation.primitive.name for equation in jax.make_jaxpr(function)(*arguments).jaxpr.eqns]


@possible
def test_results_are_arrays_of_jax(name):
    for found, wanted in zip(as_list(CALLS[name](narrow)), expected(name), strict=True):
        assert isinstance(found, jax.Array) and found.shape == wanted.shape and found.dtype == np.float32
        assert np.array_equal(found, wanted)


@possible
def test_every_operation_works_under_jit(name):
    given = []
    CALLS[name](lambda x: given.append(narrow(x)) or given[-1])

    def function(*inputs):
        left = iter(inputs)
        return CALLS[name](lambda x: next(left))

    for found, wanted in zip(as_list(jax.jit(function)(*given)), expected(name), strict=True):
        assert np.array_equal(found, wanted)


def test_what_jax_cannot_do():
    for name in ASSIGNMENTS:
        with pytest.raises(ssop.SliceTypeError, match="tensor_strided_slice_update returns a new array") as info:
            CALLS[name](narrow)
        assert info.value.label == "in_c7"
    with pytest.raises(ssop.SliceTypeError, match="wrap") as info:
        CALLS[WRAPPING](narrow)
    assert info.value.label == "in_c7"
    for call in (lambda: ssop.copy(J, out=X.copy()), lambda: ssop.dynamic_update_slice(X, J, [0, 0])):
        with pytest.raises(ssop.SliceTypeError) as info:
            call()
        assert info.value.label == "in_c7"


SPEC = ([3, 0, 0], [0, 0, 6], [-2, 1, 2], 0, 0, 0, 2)  # rows 3 and 1, a new axis, every second column


def backwards(x):
    return ssop.strided_slice(x, *SPEC)


def test_the_page_is_current():
    other_arrays = load_tool()
    assert "JAX" in other_arrays.columns() and other_arrays.main(check=True) == 0


def test_slices_compile_to_slice_and_rev():
    assert primitives(backwards, J) == ["slice", "reshape", "rev"]
    assert primitives(lambda x: ssop.slice(x, [0, 0], [2, 3]), J) == ["slice"]
    assert primitives(lambda x: ssop.dynamic_update_slice(x, J[:2, :3], [9, 1]), J)[-1] == "dynamic_update_slice"


def test_vmap():
    batch = jnp.stack([J, J + 100, -J])
    assert np.array_equal(jax.vmap(backwards)(batch), np.stack([backwards(np.asarray(x)) for x in batch]))
    updated = jax.vmap(lambda x: ssop.dynamic_update_slice(x, x[:1], [9, 0]))(batch)
    assert np.array_equal(updated[:, 3], batch[:, 0]) and np.array_equal(updated[:, :3], batch[:, :3])
    scattered = jax.vmap(lambda x: ssop.tensor_strided_slice_update(x, [3], [0], [-2], x[:2]))(batch)
    assert np.array_equal(scattered[:, 3::-2], batch[:, :2])


def test_grad():
    weights = np.arange(1.0, 7).reshape(2, 1, 3).astype(np.float32)
    found = jax.grad(lambda x: (backwards(x) * weights).sum())(J)
    assert np.array_equal(found, vjp.strided_slice(weights, [4, 6], *SPEC))
    y = jnp.ones((2, 3), J.dtype)  # other modules turn on 64-bit dtypes
    both = jax.grad(lambda x, y: (ssop.dynamic_update_slice(x, y, [9, 1]) * J).sum(), argnums=(0, 1))(J, y)
    for result, wanted in zip(both, vjp.dynamic_update_slice(np.asarray(J), [4, 6], [2, 3], [9, 1]), strict=True):
        assert np.array_equal(result, wanted)
    padding = jax.grad(lambda value: xla.pad(J, value, [(1, 1, 0), (0, 0, 0)]).sum())(jnp.float32(0))
    assert padding == 12
    twice = jax.grad(lambda x: jax.grad(lambda x: (backwards(x) ** 2).sum())(x).sum())(J)
    assert np.array_equal(
        twice,
        vjp.strided_slice(2 * np.ones((2, 1, 3), "f4"), [4, 6], [3, 0, 0], [0, 0, 6], [-2, 1, 2], new_axis_mask=2),
    )


def test_empty_slices_and_scalars():
    assert ssop.strided_slice(J, [2], [2]).shape == (0, 6)
    assert ssop.strided_slice(J, [0], [0], new_axis_mask=1)[:, :0].shape == (1, 0, 6)
    assert ssop.strided_slice(J, [1, 2], [0, 0], shrink_axis_mask=3) == 8


def test_numpy_s_arrays_give_numpy_s_results():
    assert type(ssop.strided_slice(X, jnp.array([1]), jnp.array([3]))) is np.ndarray
