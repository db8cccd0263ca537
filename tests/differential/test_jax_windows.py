"""JAX and StableHLO's interpreter against `ssop.xla`'s reductions and windows."""

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import assume, given, seed
from hypothesis import strategies as st
from jax import lax

from differential.jax_calls import SEED, Calls, assert_exact, assert_near, compare, drawn_sets, numbers, some, types
from ssop import xla
from ssop._xla.types import kind
from ssop.testing import strategies as slicing
from ssop.testing.strategies import reduce_arguments, reduce_window_arguments, select_and_scatter_arguments

ANY, NUMBERS, INTEGERS = (
    ("pred", "signed", "unsigned", "float"),
    ("signed", "unsigned", "float"),
    ("signed", "unsigned"),
)
NARROW = ("int2", "int4", "uint2", "uint4")
KNOWN = {
    "add": (xla.add, lax.add, NUMBERS),  # JAX adds and multiplies no bools
    "mul": (xla.mul, lax.mul, NUMBERS),
    "max": (xla.max, lax.max, ANY),
    "min": (xla.min, lax.min, ANY),
    "and": (xla.logical_and, lax.bitwise_and, ("pred", *INTEGERS)),
    "or": (xla.logical_or, lax.bitwise_or, ("pred", *INTEGERS)),
}
NEUTRAL = {"add": 0, "mul": 1, "and": -1, "or": 0}


def neutral(name, dtype):
    if name not in ("max", "min"):
        return np.array(NEUTRAL[name]).astype(np.int64).astype(dtype)
    if dtype.kind == "b":
        return np.array(name == "min")
    if kind(dtype) == "float":
        return np.array(-np.inf if name == "max" else np.inf).astype(dtype)
    limits = np.iinfo(dtype)
    return np.array(limits.min if name == "max" else limits.max, dtype)


def is_rounded(name, dtype):
    return name in ("add", "mul") and kind(dtype) == "float"


@st.composite
def terms(draw, name, shape, dtype):
    """Numbers whose sums, or products, overflow in no order; now and then with one that is infinite or NaN."""
    if not is_rounded(name, dtype):
        return draw(numbers(shape, dtype))
    x = draw(numbers(shape, dtype, ["small"]))
    if name == "mul":
        x = np.where(x < 0, -1, 1).astype(dtype)
    special = draw(st.sampled_from([None, None, np.inf, np.nan, 0.5, -0.0]))
    if special is not None and x.size:
        x.flat[draw(st.integers(0, x.size - 1))] = special
    return x


@st.composite
def reductions(draw, by_windows):
    """Calls with a function that has a name, or with one that has none.

    A window's init value is neutral: JAX on CPU lets it count once for a window, not for each place.
    """
    name = draw(st.sampled_from(sorted(KNOWN)))
    ours, theirs, kinds = KNOWN[name]
    dtype = draw(types(kinds, NARROW).filter(lambda dtype: dtype.isbuiltin != 2 or dtype.name == "bfloat16"))
    computation = draw(st.sampled_from([ours, lambda a, b: ours(a, b)]))
    init = neutral(name, dtype)
    if by_windows:
        shape, window = draw(reduce_window_arguments())
        given = window
        functions = xla.reduce_window, lax.reduce_window
    else:
        shape, dimensions = draw(reduce_arguments())
        given = {"dimensions": dimensions}
        functions = xla.reduce, lax.reduce
    same = (lambda a, b, *_: assert_near(a, b, 40)) if is_rounded(name, dtype) else assert_exact
    return Calls(
        lambda x: functions[0](x, init, computation, **given),
        lambda x: functions[1](x, init, theirs, **given),
        drawn_sets(draw, terms(name, shape, dtype)),
        same,
    )


def greater_of_ours(a, i, b, j):
    first = (a > b) | ((a == b) & (i < j))
    return np.where(first, a, b), np.where(first, i, j)


def greater_of_jax(left, right):
    (a, i), (b, j) = left, right
    first = (a > b) | ((a == b) & (i < j))
    return jnp.where(first, a, b), jnp.where(first, i, j)


@st.composite
def reductions_of_two(draw, by_windows):
    """The greatest number and its place."""
    inits = np.float32(-np.inf), np.int32(0)
    if by_windows:
        shape, window = draw(reduce_window_arguments())
        given = window
        functions = xla.reduce_window, lax.reduce_window
    else:
        shape, dimensions = draw(reduce_arguments())
        given = {"dimensions": dimensions}
        functions = xla.reduce, lax.reduce
    places = np.arange(np.prod(shape), dtype="i4").reshape(shape)
    return Calls(
        lambda x: functions[0]((x, places), inits, greater_of_ours, **given),
        lambda x: tuple(functions[1]((x, places), inits, greater_of_jax, **given)),
        drawn_sets(draw, numbers(shape, "f4", ["small"])),
        assert_exact,
    )


@st.composite
def maxima_with_any_init_value(draw):
    shape, window = draw(reduce_window_arguments())
    functions = (xla.reduce_window, xla.max), (lax.reduce_window, lax.max)
    ours, theirs = (lambda x, f=f, g=g: f(x, np.float32(0.5), g, **window) for f, g in functions)
    return Calls(ours, theirs, drawn_sets(draw, numbers(shape, "f4")), assert_exact)


def scattered(x, source, init, select, scatter, window):
    """`stablehlo.select_and_scatter` by XLA on CPU."""
    from jax._src.lax import windowed_reductions

    sizes, strides, padding = window.values()
    pads = lax.padtype_to_pads(x.shape, sizes, strides, padding) if isinstance(padding, str) else padding
    call = windowed_reductions._select_and_scatter
    return call(jnp.asarray(x), select, sizes, strides, tuple(pads), jnp.asarray(source), jnp.asarray(init), scatter)


@st.composite
def selections(draw):
    """Arguments with different elements: XLA on CPU chooses the first of equal ones along the first axis (sas_s1)."""
    shape, source, window = draw(select_and_scatter_arguments())
    dtype = np.dtype(draw(st.sampled_from(["f4", "i4", "f8", "i2"])))
    compares = [(xla.ge, lax.ge), (xla.gt, lax.gt), (xla.le, lax.le), (xla.lt, lax.lt)]
    select, their_select = draw(st.sampled_from(compares))
    scatter, their_scatter, init = draw(
        st.sampled_from([(xla.add, lax.add, 0), (xla.max, lax.max, -9), (xla.add, lax.add, 2)])
    )
    init = np.array(init, dtype)
    different = st.integers(0, 2**32 - 1).map(
        lambda seed: np.random.default_rng(seed).permutation(240)[: np.prod(shape)].reshape(shape).astype(dtype)
    )
    return Calls(
        lambda x, y: xla.select_and_scatter(x, select, **window, source=y, init_value=init, scatter=scatter),
        lambda x, y: scattered(x, y, init, their_select, their_scatter, window),
        drawn_sets(draw, different, slicing.numeric_arrays(source, dtype, ["small"])),
        assert_exact,
    )


ROWS = {
    "reduce": reductions(by_windows=False),
    "reduce, of two": reductions_of_two(by_windows=False),
    "reduce_window": reductions(by_windows=True),
    "reduce_window, of two": reductions_of_two(by_windows=True),
    "reduce_window, max with any init value": maxima_with_any_init_value(),
    "select_and_scatter": selections(),
}


@pytest.mark.parametrize("name", ROWS)
def test_calls(name):
    compare(ROWS[name])


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


@seed(SEED)
@some(125)
@given(reduce_window_arguments(), st.data())
def test_reduce_window_counts_the_init_value_as_the_interpreter_does(arguments, data):
    """rw_s2: it pads with the init value and spreads with it."""
    shape, (sizes, strides, padding, base, holes) = arguments[0], arguments[1].values()
    if isinstance(padding, str):
        padding = lax.padtype_to_pads(shape, sizes, strides, padding)
    x = data.draw(numbers(shape, "i4"))
    op, function, init = data.draw(
        st.sampled_from([("add", xla.add, 2), ("multiply", xla.mul, 2), ("maximum", xla.max, 1)])
    )
    found = xla.reduce_window(x, np.int32(init), function, sizes, strides, padding, base, holes)
    assume(found.size and x.size)
    vectors = {"sizes": sizes, "strides": strides, "base": base, "holes": holes, "padding": padding}
    text = program(REDUCE_WINDOW, x, found.shape, vectors, op=op)
    assert found.tolist() == interpreted(text, x, np.array(init, "i4")).tolist()


@seed(SEED)
@some(125)
@given(select_and_scatter_arguments(), st.data())
def test_select_and_scatter_of_equal_elements_as_the_interpreter_does(arguments, data):
    """sas_s1: the first of equal ones in the order of their indices, or the last. It counts the init value often."""
    shape, counts, window = arguments
    sizes, strides, _ = window.values()
    padding = [tuple(data.draw(st.integers(0, size - 1)) for _ in range(2)) for size in sizes]
    x = data.draw(slicing.numeric_arrays(shape, "i4", ["small"]))
    counts = xla.reduce_window(x, 0, xla.add, sizes, strides, padding).shape
    assume(0 not in counts)
    functions = [("GE", xla.ge), ("GT", xla.gt), ("LE", xla.le), ("LT", xla.lt)]
    compare_by, function = data.draw(st.sampled_from(functions))
    source = data.draw(slicing.numeric_arrays(counts, "i4", ["small"]))
    found = xla.select_and_scatter(x, function, sizes, strides, padding, source, 0, xla.add)
    vectors = {"sizes": sizes, "strides": strides, "padding": padding}
    text = program(SELECT_AND_SCATTER, x, counts, vectors, op="add", compare=compare_by)
    assert found.tolist() == interpreted(text, x, source, np.array(0, "i4")).tolist()
