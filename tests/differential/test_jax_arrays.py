"""Arrays of JAX stay JAX's: every operation, and what `jit`, `vmap` and `grad` make of it."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import ssop
from arrays.adapters import load_tool
from arrays.cells import ASSIGNMENTS, CALLS, X, as_list, expected
from arrays.walk import EVERY, check
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


# ---- starts that are traced ------------------------------------------------------------------------------------------

PLACES = [(0, 0), (1, 2), (-1, -7), (9, 9), (-100, 100), (3, -2)]
WINDOWS = {
    "dynamic_slice": lambda x, a, b, **k: ssop.dynamic_slice(x, [a, b], [2, 3], **k),
    "dynamic_update_slice": lambda x, a, b, **k: ssop.dynamic_update_slice(x, x[1:3, :4] * 10, (a, b), **k),
    "one start known": lambda x, a, b, **k: ssop.dynamic_slice(x, [a, 100], [3, 2], **k),
    "nothing": lambda x, a, b, **k: ssop.dynamic_slice(x, [a, b], [0, 3], **k),
    "an empty update": lambda x, a, b, **k: ssop.dynamic_update_slice(x, x[:0], [a, b], **k),
    "slice_in_dim": lambda x, a, b, **k: xla.dynamic_slice_in_dim(x, a, 2, axis=-1, **k),
    "index_in_dim": lambda x, a, b, **k: xla.dynamic_index_in_dim(x, b, keepdims=False, **k),
    "update_slice_in_dim": lambda x, a, b, **k: xla.dynamic_update_slice_in_dim(x, x[:, :2] * 10, b, 1, **k),
    "update_index_in_dim": lambda x, a, b, **k: xla.dynamic_update_index_in_dim(x, x[0] * 10, a, 0, **k),
}


@pytest.mark.parametrize("allow_negative_indices", [False, True])
@pytest.mark.parametrize("name", WINDOWS)
def test_traced_starts_are_clamped_as_known_ones(name, allow_negative_indices):
    options = {"allow_negative_indices": allow_negative_indices}
    traced = jax.jit(lambda x, a, b: WINDOWS[name](x, a, b, **options))
    for place in PLACES:
        wanted = WINDOWS[name](np.asarray(J), *place, **options)
        found = traced(J, *place)
        assert isinstance(found, jax.Array) and np.array_equal(found, wanted), place
        assert found.shape == wanted.shape and found.dtype == np.float32
    many = np.array(PLACES, np.int32)
    each = jax.vmap(lambda place: WINDOWS[name](J, *place, **options))(many)
    assert np.array_equal(each, [WINDOWS[name](np.asarray(J), *place, **options) for place in PLACES])


def test_a_vector_of_traced_starts():
    found = jax.jit(lambda x, starts: ssop.dynamic_slice(x, starts, [2, 3]))(J, np.array([9, -9]))
    assert np.array_equal(found, X[2:, :3])
    assert "dynamic_slice" in primitives(lambda starts: ssop.dynamic_slice(J, starts, [2, 3]), np.array([1, 2]))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32"])
def test_traced_starts_of_any_integer_dtype(dtype):
    x = jnp.arange(300, dtype=np.float32)
    info = np.iinfo(dtype)
    window = jax.jit(lambda start: ssop.dynamic_slice(x, [start], [4]))
    from_the_end = jax.jit(lambda start: ssop.dynamic_slice(x, [start], [4], allow_negative_indices=[True]))
    for start in {0, 5, info.max, info.min, max(info.min, -3)}:
        known = np.array(start, dtype)
        assert np.array_equal(window(known), ssop.dynamic_slice(np.asarray(x), [start], [4]))
        wanted = ssop.dynamic_slice(np.asarray(x), [start], [4], allow_negative_indices=True)
        assert np.array_equal(from_the_end(known), wanted)


def test_gradients_with_traced_starts():
    y = jnp.ones((2, 3), J.dtype)

    @jax.jit
    def gradients(start):
        def function(x, y):
            taken = ssop.dynamic_slice(x, [start, 0], [1, 2])
            return (ssop.dynamic_update_slice(x, y, [start, 1]) * J).sum() + taken.sum()

        return jax.grad(function, argnums=(0, 1))(J, y)

    for start in (-1, 1, 9):
        found = gradients(start)
        of_x, of_y = vjp.dynamic_update_slice(np.asarray(J), [4, 6], [2, 3], [start, 1])
        of_x = of_x + vjp.dynamic_slice(np.ones((1, 2), "f4"), [4, 6], [start, 0], [1, 2])
        assert np.array_equal(found[0], of_x) and np.array_equal(found[1], of_y)


@pytest.mark.parametrize(
    ("label", "call"),
    [
        ("ds_c1", lambda start: ssop.dynamic_slice(J, [start], [2, 3])),
        ("ds_c1", lambda start: ssop.dynamic_slice(J, jnp.stack([start] * 3), [2, 3])),
        ("ds_c4", lambda start: ssop.dynamic_slice(J, [start, 0], [2, 7])),
        ("ds_c6", lambda start: ssop.dynamic_slice(J, [start, 0], [2, 3], out_of_bounds="none")),
        ("ds_c7", lambda start: ssop.dynamic_slice(J, [start, 0], [2, 3], allow_negative_indices=[True])),
        ("in_c7", lambda start: ssop.dynamic_slice(J, [start, 0], [2, 3], out_of_bounds="raise")),
        ("in_c7", lambda start: ssop.dynamic_update_slice(J, J[:2], [start, 0], out_of_bounds="wrap")),
        ("in_c1", lambda start: ssop.dynamic_slice(J, [start * 1.0, 0], [2, 3])),
        ("in_c1", lambda start: ssop.dynamic_slice(J, [start > 0, 0], [2, 3])),
        ("in_c7", lambda start: ssop.dynamic_slice(J, [start, 0], [0, 3], out_of_bounds="raise")),  # empty before
        ("in_c7", lambda start: xla.dynamic_slice_in_dim(J, start, 0, out_of_bounds="wrap")),
        ("in_c7", lambda start: ssop.dynamic_update_slice(J, J[:0], [start, 0], out_of_bounds="raise")),
        ("dus_c3", lambda start: ssop.dynamic_update_slice(J, jnp.zeros((5, 6), J.dtype), [start, 0])),
    ],
)
def test_errors_with_traced_starts(label, call):
    with pytest.raises(ssop.SliceError) as info:
        jax.jit(call)(1)
    assert info.value.label == label


@pytest.mark.parametrize(
    ("where", "call"),
    [
        ("begin entry 0", lambda i: ssop.strided_slice(J, [i], [i + 3], [1])),
        ("end entry 1", lambda i: ssop.strided_slice(J, [0, 0], [3, i])),
        ("start_indices entry 0", lambda i: ssop.slice(J, [i, 0], [3, 3])),
        ("index", lambda i: xla.index_in_dim(J, i)),
        ("slice_size", lambda i: xla.dynamic_slice_in_dim(J, 0, i)),
    ],
)
def test_traced_arguments_of_other_operations_name_dynamic_slice(where, call):
    with pytest.raises(ssop.SliceTypeError, match=f"{where} is .*Tracer, a traced value.*dynamic_slice") as info:
        jax.jit(call)(1)
    assert info.value.label == "in_c1"


@pytest.mark.parametrize("kind", ["numbers", "no rows", "no columns", "rank 0"])
def test_every_function_with_arrays_of_every_kind(kind):
    def make(x):
        return jnp.asarray(x, np.float32 if x.dtype == float else None)

    def plain(x):
        return np.asarray(x, np.float64 if x.dtype == np.float32 else None)

    raised = {name for name in EVERY if check(name, kind, make, plain)}
    assert raised <= ASSIGNMENTS | {WRAPPING, f"vjp.{WRAPPING}"} | {f"{name}, rank 0" for name in ASSIGNMENTS}
