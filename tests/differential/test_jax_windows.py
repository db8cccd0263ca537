"""JAX and StableHLO's interpreter against `ssop.xla`'s reductions and windows, on calls drawn with a seed."""

import os
import random

import numpy as np
import pytest

from scale import examples
from ssop import xla

jax = pytest.importorskip("jax")
jnp, lax = jax.numpy, jax.lax

SEED = int(os.environ.get("SSOP_SEED", "20170109"))
CASES = 500
OF_ONE_KIND = 10  # calls with other elements, so that JAX need not compile each of them
NUMBERS = ("f4", "i4", "i1", "u1", "bfloat16", "f2")
ANY, INTEGERS = (*NUMBERS, "?"), ("i4", "i1", "u1", "?")
KNOWN = {
    "add": (xla.add, lax.add, NUMBERS),  # JAX adds and multiplies no bools
    "mul": (xla.mul, lax.mul, NUMBERS),
    "max": (xla.max, lax.max, ANY),
    "min": (xla.min, lax.min, ANY),
    "and": (xla.logical_and, lax.bitwise_and, INTEGERS),
    "or": (xla.logical_or, lax.bitwise_or, INTEGERS),
}
NEUTRAL = {"add": 0, "mul": 1, "and": -1, "or": 0}


@pytest.fixture(autouse=True)
def _on_cpu():
    with jax.default_device(jax.devices("cpu")[0]):
        yield


def some_array(rng, shape, dtype):
    """Elements of small magnitude, among them NaN, infinities and both zeros."""
    dtype = jnp.dtype(dtype)
    numbers = np.array([rng.randint(-3, 3) for _ in range(int(np.prod(shape)))], "f4").reshape(shape)
    if jnp.issubdtype(dtype, jnp.floating):
        numbers += np.array([rng.random() for _ in range(numbers.size)], "f4").reshape(shape) * rng.choice([0, 1])
        for special in (np.nan, np.inf, -np.inf, -0.0):
            if numbers.size and rng.random() < 0.1:
                numbers.flat[rng.randrange(numbers.size)] = special
    elif dtype.kind == "b":
        numbers = numbers > 0
    elif dtype == np.uint8:
        numbers = abs(numbers) * 50
    return numbers.astype(dtype)


def neutral(name, dtype):
    dtype = jnp.dtype(dtype)
    if name in ("max", "min"):
        if dtype.kind == "b":
            return np.array(name == "min")
        if jnp.issubdtype(dtype, jnp.floating):
            return np.array(-np.inf if name == "max" else np.inf).astype(dtype)
        limits = np.iinfo(dtype)
        return np.array(limits.min if name == "max" else limits.max, dtype)
    return np.array(NEUTRAL[name]).astype(np.int64).astype(dtype)


def some_shape(rng, rank, zero=0.1):
    return tuple(rng.choice([0, 1]) if rng.random() < zero else rng.randint(1, 6) for _ in range(rank))


def some_window(rng, rank):
    def vector(numbers):
        return tuple(rng.choice(numbers) for _ in range(rank))

    padding = rng.choice(["VALID", "SAME", "SAME_LOWER", None])
    if padding is None:
        padding = tuple((rng.randint(-1, 3), rng.randint(-1, 3)) for _ in range(rank))
    return vector([1, 2, 3]), vector([1, 2, 3]), padding, vector([1, 1, 2]), vector([1, 1, 2])


def assert_close(found, expected, exact):
    expected = np.asarray(expected)
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    if exact:
        np.testing.assert_array_equal(found.astype("c16"), expected.astype("c16"))
    else:  # the order is another one
        close = {"float32": 1e-5, "float16": 2e-2, "bfloat16": 2e-1}[found.dtype.name]
        x, y = found.astype("f8"), expected.astype("f8")
        np.testing.assert_allclose(x, y, rtol=close, atol=close)


def kinds_of_calls():
    return range(-(-examples(CASES) // OF_ONE_KIND))


def some_call(rng):
    name = rng.choice(list(KNOWN))
    ours, theirs, dtypes = KNOWN[name]
    dtype = rng.choice(dtypes)
    exact = name not in ("add", "mul") or not jnp.issubdtype(jnp.dtype(dtype), jnp.floating)
    return name, ours, theirs, dtype, exact


def test_reduce():
    rng = random.Random(SEED)
    for number in kinds_of_calls():
        name, ours, theirs, dtype, exact = some_call(rng)
        rank = rng.randint(1, 4)
        shape, init = some_shape(rng, rank), neutral(name, dtype)
        axes = tuple(sorted(rng.sample(range(rank), rng.randint(1, rank))))
        for _ in range(OF_ONE_KIND):
            x = some_array(rng, shape, dtype)
            found = xla.reduce(x, init, ours if number % 2 else lambda a, b, f=ours: f(a, b), axes)
            assert_close(found, lax.reduce(x, init, theirs, axes), exact)


def test_reduce_of_several():
    rng = random.Random(SEED + 1)

    def ours(a, i, b, j):
        left = (a > b) | ((a == b) & (i < j))
        return np.where(left, a, b), np.where(left, i, j)

    def theirs(left, right):
        (a, i), (b, j) = left, right
        first = (a > b) | ((a == b) & (i < j))
        return jnp.where(first, a, b), jnp.where(first, i, j)

    for _ in kinds_of_calls():
        rank = rng.randint(1, 3)
        shape = some_shape(rng, rank)
        places = np.arange(np.prod(shape), dtype="i4").reshape(shape)
        axes = tuple(sorted(rng.sample(range(rank), rng.randint(1, rank))))
        inits = np.float32(-np.inf), np.int32(0)
        window, strides = tuple(rng.randint(1, 3) for _ in shape), (1,) * rank
        for _ in range(OF_ONE_KIND // 2):
            x = some_array(rng, shape, "i4").astype("f4")
            for found, expected in (
                (xla.reduce((x, places), inits, ours, axes), lax.reduce((x, places), inits, theirs, axes)),
                (
                    xla.reduce_window((x, places), inits, ours, window),
                    lax.reduce_window((x, places), inits, theirs, window, strides),
                ),
            ):
                for a, b in zip(found, expected, strict=True):
                    assert_close(a, b, exact=True)


def test_reduce_window():
    """All arguments. The init value is neutral: JAX on CPU lets it count once for a window, not for each place."""
    rng = random.Random(SEED + 2)
    for _ in kinds_of_calls():
        name, ours, theirs, dtype, exact = some_call(rng)
        shape = some_shape(rng, rng.randint(1, 3), 0.05)
        init, window = neutral(name, dtype), some_window(rng, len(shape))
        for _ in range(OF_ONE_KIND):
            x = some_array(rng, shape, dtype)
            found = xla.reduce_window(x, init, ours, *window)
            if found.size:  # JAX has its own checks of the rest
                assert_close(found, lax.reduce_window(x, init, theirs, *window), exact)


def test_reduce_window_of_a_max_with_any_init_value():
    rng = random.Random(SEED + 3)
    for _ in kinds_of_calls():
        x = some_array(rng, some_shape(rng, 2, 0), "f4")
        init, (sizes, strides, padding, base, holes) = np.float32(0.5), some_window(rng, 2)
        found = xla.reduce_window(x, init, xla.max, sizes, strides, padding, base, holes)
        if found.size:
            expected = lax.reduce_window(x, init, lax.max, sizes, strides, padding, base, holes)
            assert_close(found, expected, exact=True)


def scattered(x, select, sizes, strides, padding, source, init, scatter):
    """`stablehlo.select_and_scatter` by XLA on CPU."""
    from jax._src.lax import windowed_reductions

    pads = lax.padtype_to_pads(x.shape, sizes, strides, padding) if isinstance(padding, str) else padding
    call = windowed_reductions._select_and_scatter
    return call(jnp.asarray(x), select, sizes, strides, tuple(pads), jnp.asarray(source), jnp.asarray(init), scatter)


def test_select_and_scatter():
    """Of different elements: of equal ones XLA on CPU chooses the first along the first axis (sas_s1)."""
    rng = random.Random(SEED + 4)
    selects = ((xla.ge, lax.ge), (xla.gt, lax.gt), (xla.le, lax.le), (xla.lt, lax.lt))
    scatters = ((xla.add, lax.add, 0), (xla.max, lax.max, -9), (xla.add, lax.add, 2))
    for _ in kinds_of_calls():
        dtype = rng.choice(["f4", "i4", "f4", "i1"])
        shape = some_shape(rng, rng.choice([1, 1, 2, 2, 3]), 0)
        sizes, strides, padding, _, _ = some_window(rng, len(shape))
        if not isinstance(padding, str):  # XLA on CPU takes no negative ones
            padding = tuple((max(low, 0), max(high, 0)) for low, high in padding)
        (ours, theirs), (scatter, their_scatter, init) = rng.choice(selects), rng.choice(scatters)
        init = np.array(init).astype(dtype)
        for _ in range(OF_ONE_KIND):
            x = np.array(rng.sample(range(-120, 120), int(np.prod(shape)))).reshape(shape).astype(dtype)
            counts = xla.reduce_window(x, x.dtype.type(0), xla.max, sizes, strides, padding).shape
            source = some_array(rng, counts, "i4").astype(dtype)
            found = xla.select_and_scatter(x, ours, sizes, strides, padding, source, init, scatter)
            assert_close(found, scattered(x, theirs, sizes, strides, padding, source, init, their_scatter), exact=True)


# ---- StableHLO's interpreter -----------------------------------------------------------------------------------------

WINDOW = """{{
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = stablehlo.{op} %a, %b : tensor<i32>
      stablehlo.return %1 : tensor<i32>
  }}"""
REDUCE_WINDOW = (
    """
func.func @main(%x: tensor<{dims}xi32>, %init: tensor<i32>) -> tensor<{counts}xi32> {{
  %0 = "stablehlo.reduce_window"(%x, %init) ("""
    + WINDOW
    + """) {{
    window_dimensions = array<i64: {sizes}>, window_strides = array<i64: {strides}>,
    base_dilations = array<i64: {base}>, window_dilations = array<i64: {holes}>,
    padding = dense<{padding}> : tensor<{rank}x2xi64>
  }} : (tensor<{dims}xi32>, tensor<i32>) -> tensor<{counts}xi32>
  return %0 : tensor<{counts}xi32>
}}
"""
)
SELECT_AND_SCATTER = (
    """
func.func @main(%x: tensor<{dims}xi32>, %source: tensor<{counts}xi32>, %init: tensor<i32>) -> tensor<{dims}xi32> {{
  %0 = "stablehlo.select_and_scatter"(%x, %source, %init) ({{
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = stablehlo.compare {compare}, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
  }}, """
    + WINDOW
    + """) {{
    window_dimensions = array<i64: {sizes}>, window_strides = array<i64: {strides}>,
    padding = dense<{padding}> : tensor<{rank}x2xi64>
  }} : (tensor<{dims}xi32>, tensor<{counts}xi32>, tensor<i32>) -> tensor<{dims}xi32>
  return %0 : tensor<{dims}xi32>
}}
"""
)


def interpreted(text, *arrays):
    from jax._src.interpreters import mlir as lowering
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo

    with lowering.make_ir_context():
        module = ir.Module.parse(text)
        [result] = stablehlo.eval_module(module, [ir.DenseElementsAttr.get(np.array(x)) for x in arrays])
        return np.array(result).reshape(ir.ShapedType(result.type).shape)


def program(text, x, counts, vectors, **words):
    joined = {key: ", ".join(map(str, vector)) for key, vector in vectors.items() if key != "padding"}
    padding = [list(pair) for pair in vectors["padding"]]
    dims, counts = ("x".join(map(str, shape)) for shape in (x.shape, counts))
    return text.format(dims=dims, counts=counts, rank=x.ndim, padding=padding, **joined, **words)


def test_reduce_window_counts_the_init_value_as_the_interpreter_does():
    """rw_s2: it pads with the init value and spreads with it."""
    rng = random.Random(SEED + 5)
    functions = {"add": (xla.add, 2), "multiply": (xla.mul, 2), "maximum": (xla.max, 1)}
    for _ in range(examples(CASES // 4)):
        x = some_array(rng, some_shape(rng, rng.randint(1, 3), 0), "i4")
        sizes, strides, _, base, holes = some_window(rng, x.ndim)
        padding = [(rng.randint(0, 2), rng.randint(1, 2)) for _ in x.shape]
        op = rng.choice(list(functions))
        function, init = functions[op]
        found = xla.reduce_window(x, np.int32(init), function, sizes, strides, padding, base, holes)
        if found.size:
            vectors = {"sizes": sizes, "strides": strides, "base": base, "holes": holes, "padding": padding}
            text = program(REDUCE_WINDOW, x, found.shape, vectors, op=op)
            assert found.tolist() == interpreted(text, x, np.array(init, "i4")).tolist()


def test_select_and_scatter_of_equal_elements_as_the_interpreter_does():
    """sas_s1: the first of equal ones in the order of their indices, or the last. It counts the init value often."""
    rng = random.Random(SEED + 6)
    functions = {"GE": xla.ge, "GT": xla.gt, "LE": xla.le, "LT": xla.lt}
    for _ in range(examples(CASES // 4)):
        x = some_array(rng, some_shape(rng, rng.randint(1, 3), 0), "i4")
        sizes, strides, _, _, _ = some_window(rng, x.ndim)
        padding = [(rng.randint(0, size - 1), rng.randint(0, size - 1)) for size in sizes]
        counts = xla.reduce_window(x, 0, xla.add, sizes, strides, padding).shape
        if 0 in counts:
            continue
        compare = rng.choice(list(functions))
        source = some_array(rng, counts, "i4")
        found = xla.select_and_scatter(x, functions[compare], sizes, strides, padding, source, 0, xla.add)
        vectors = {"sizes": sizes, "strides": strides, "padding": padding}
        text = program(SELECT_AND_SCATTER, x, counts, vectors, op="add", compare=compare)
        assert found.tolist() == interpreted(text, x, source, np.array(0, "i4")).tolist()
