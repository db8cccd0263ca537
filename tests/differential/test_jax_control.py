"""Operations that call computations, and CrossReplicaSum, against `jax.lax` and against StableHLO's interpreter."""

import operator
from functools import partial, reduce
from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import ssop
from scale import examples
from ssop import xla

SEED = 20180517
KINDS = [
    ((), "int8"),
    ((2, 3), "uint32"),
    ((2, 3), "float16"),
    ((), "float32"),
    ((0, 2), "float32"),
    ((2, 3), "bool"),
    ((2, 3), "complex64"),
    ((), "bfloat16"),
]
NUMBERS = [((2, 3), "int8"), ((), "uint32"), ((2, 3), "float32"), ((0, 2), "float32")]


def drawn(rng, shape=None, dtype=None):
    """An array with values at the ends of its dtype's range."""
    if dtype is None:
        shape, dtype = rng.choice(KINDS)
    dtype, size = jnp.dtype(dtype), int(np.prod(shape))
    if dtype.kind == "b":
        numbers = [rng.random() < 0.5 for _ in range(size)]
    elif dtype.kind in "iu":
        info = np.iinfo(dtype)
        numbers = [rng.choice([0, 1, info.min, info.max, rng.randint(info.min, info.max)]) for _ in range(size)]
    else:
        numbers = [rng.choice([0.0, -0.0, 1.5, -2.25, np.inf, np.nan, rng.uniform(-9, 9)]) for _ in range(size)]
    return np.array(numbers, dtype).reshape(shape)


def assert_same(found, expected):
    if isinstance(expected, tuple):
        assert type(found) is tuple and len(found) == len(expected)
        for item, other in zip(found, expected, strict=True):
            assert_same(item, other)
        return
    expected = np.asarray(expected)
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    if expected.dtype.kind in "biu":
        assert np.array_equal(found, expected)
        return
    wide = np.complex128 if expected.dtype.kind == "c" else np.float64
    x, y = (np.atleast_1d(array.astype(wide)).view(np.float64) for array in (found, expected))
    assert np.array_equal(x, y, equal_nan=True)
    assert np.array_equal(np.signbit(x[x == 0]), np.signbit(y[y == 0]))


def both(found, function, *arguments):
    """Compare with JAX, eager and compiled."""
    assert_same(found, function(*arguments))
    assert_same(found, jax.jit(function)(*arguments))


# Each works on NumPy's arrays and on JAX's: no operation here is rounded differently.
STEPS = {
    "rotate": lambda x: x[..., ::-1] if x.ndim else x,
    "same": lambda x: x,
    "negate": lambda x: x if x.dtype == bool else -x,
    "or not": lambda x: x ^ True if x.dtype == bool else x + x,
    "equal": lambda x: x if x.dtype != bool else x == x,
}


def test_while_loops():
    compiled = {}
    rng = Random(SEED)
    for _ in range(examples(500)):
        name = rng.choice(sorted(STEPS))
        step, limit = STEPS[name], rng.randint(-1, 5)

        def condition(state):
            return state[0] < state[1]

        def body(state, step=step):
            return state[0] + np.int32(1), state[1], (step(state[2][0]),)

        loop = compiled.setdefault(name, jax.jit(partial(lax.while_loop, condition, body)))
        init = (np.int32(0), np.int32(limit), (drawn(rng),))
        found = xla.while_loop(condition, body, init)
        assert_same(found, loop(init))
        if rng.random() < 0.05:
            assert_same(found, lax.while_loop(condition, body, init))


def test_while_loops_of_one_array():
    compiled = jax.jit(
        lambda n: lax.while_loop(lambda n: n != 1, lambda n: lax.select(n % 2 == 0, n // 2, 3 * n + 1), n)
    )
    for start in range(1, examples(500) + 1):
        found = xla.while_(lambda n: n != 1, lambda n: n // 2 if n % 2 == 0 else 3 * n + 1, np.int32(start))
        assert_same(found, compiled(np.int32(start)))


def test_while_loops_that_both_reject():
    bodies = [lambda n: n + 0.5, lambda n: (n,), lambda n: n[None], lambda n: n > 1]
    for body in bodies:
        with pytest.raises(ssop.SliceTypeError, match="wh_c2"):
            xla.while_loop(lambda n: n < 3, body, np.int32(0))
        with pytest.raises(TypeError, match="carry input and carry output must have"):
            lax.while_loop(lambda n: n < 3, body, jnp.int32(0))
    for condition in (lambda n: n, lambda n: (n < 3)[None], lambda n: (n < 3,)):
        with pytest.raises(ssop.SliceTypeError, match="wh_c1"):
            xla.while_loop(condition, lambda n: n, np.int32(0))
        with pytest.raises(TypeError, match="cond_fun must return a boolean scalar"):
            lax.while_loop(condition, lambda n: n, jnp.int32(0))


BRANCHES = [STEPS["rotate"], STEPS["negate"], STEPS["or not"]]


def test_conds():
    rng = Random(SEED + 1)
    compiled = jax.jit(lambda pred, x: lax.cond(pred, *BRANCHES[:2], x))
    for _ in range(examples(500)):
        pred, x = drawn(rng, (), rng.choice(["bool", "int32", "uint8", "float32"])), drawn(rng)
        found = xla.cond(pred, *BRANCHES[:2], x)
        assert_same(found, compiled(pred, x))
        if rng.random() < 0.05:
            assert_same(found, lax.cond(pred, *BRANCHES[:2], x))
        assert_same(xla.conditional(bool(pred != 0), x, BRANCHES[0], x, BRANCHES[1]), found)


def test_switches():
    rng = Random(SEED + 2)
    compiled = [jax.jit(lambda index, x, n=n: lax.switch(index, BRANCHES[:n], x)) for n in range(4)]
    for _ in range(examples(500)):
        index, x = drawn(rng, (), rng.choice(["int32", "uint32"])), drawn(rng, (2, 3), rng.choice(["int8", "float32"]))
        if index >= 2**31:  # which JAX makes negative: see below
            index //= 2
        index, count = rng.choice([index, index.dtype.type(rng.randint(0, 4))]), rng.randint(1, 3)
        found = xla.switch(index, BRANCHES[:count], x)
        assert_same(found, compiled[count](index, x))
        if rng.random() < 0.05:
            assert_same(found, lax.switch(index, BRANCHES[:count], x))


def test_switches_by_unsigned_numbers_that_jax_makes_negative():
    branches = [lambda: 0, lambda: 1, lambda: 2]
    assert xla.switch(np.uint32(2**31), branches) == 2
    assert lax.switch(jnp.uint32(2**31), branches) == 0


def test_branches_that_both_reject():
    for pred in (np.array([True]), (True,)):
        with pytest.raises(ssop.SliceTypeError, match="cd_c1"):
            xla.cond(pred, abs, abs, 1)
        with pytest.raises(TypeError, match="Pred must be a scalar|Pred type must be"):
            lax.cond(pred, abs, abs, 1)
    one, other = (xla.Computation(f, np.float32(1)) for f in (lambda x: x, lambda x: (x, x)))
    with pytest.raises(ssop.SliceTypeError, match="cd_c3"):
        xla.cond(True, one, other, np.float32(1))
    with pytest.raises(TypeError, match="must have"):
        lax.cond(True, one.f, other.f, jnp.float32(1))
    for index in (0.0, True, [0]):
        with pytest.raises(ssop.SliceTypeError, match="in_c1"):
            xla.switch(index, BRANCHES, 1)
    with pytest.raises(TypeError, match="Index type must be an integer"):
        lax.switch(0.0, BRANCHES, 1)


# A computation on scalars, for NumPy as a user may write it, and for JAX, which maps scalars by vmap.
MAPPED = {
    "sum": (lambda x, y: x + y, jnp.add),
    "product": (np.multiply, jnp.multiply),
    "branch": (lambda x, y: x if x < y else y, lambda x, y: jnp.where(x < y, x, y)),
    "compare": (lambda x, y: x == y, jnp.equal),
    "greatest": (lambda x, y: np.max([x, y]), jnp.maximum),
}


@pytest.mark.parametrize("name", MAPPED)
def test_maps(name):
    ours, theirs = MAPPED[name]
    vectorised = jax.jit(jax.vmap(theirs))
    rng = Random(SEED + 3)
    for _ in range(examples(100)):
        shape, dtype = rng.choice(NUMBERS)
        x, y = drawn(rng, shape, dtype), drawn(rng, shape, dtype)
        if name != "compare":
            x, y = (np.nan_to_num(a, posinf=7, neginf=-7) + a.dtype.type(0) for a in (x, y))  # nor -0
        expected = np.asarray(vectorised(x.ravel(), y.ravel())).reshape(shape)
        assert_same(xla.map([x, y], ours), expected)


def test_calls():
    rng = Random(SEED + 4)
    for _ in range(examples(60)):
        step, x = STEPS[rng.choice(sorted(STEPS))], (drawn(rng), drawn(rng))

        def function(pair, step=step):
            return step(pair[1]), (step(pair[0]),)

        both(xla.call(function, x), function, jax.tree.map(jnp.asarray, x))


def test_cross_replica_sums():
    rng = Random(SEED + 5)
    summed = jax.jit(jax.vmap(lambda x: lax.psum(x, "replica"), axis_name="replica"))
    for _ in range(examples(500)):
        shape, dtype = rng.choice(NUMBERS)
        operands = [drawn(rng, shape, dtype) for _ in range(rng.randint(1, 3))]
        if dtype == "float32":  # sums of halves are exact in any order; JAX's begins at +0
            operands = [np.round(np.nan_to_num(x, posinf=1, neginf=-1) * 2) / 2 + np.float32(0) for x in operands]
        expected = np.asarray(summed(np.stack(operands)))
        for found, wanted in zip(xla.cross_replica_sum(operands), expected, strict=True):
            assert_same(found, wanted)


# ---- StableHLO's interpreter -----------------------------------------------------------------------------------------

MAP = """
func.func @main(%x: tensor<2x3xi32>, %y: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %0 = "stablehlo.map"(%x, %y) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = stablehlo.multiply %a, %b : tensor<i32>
      stablehlo.return %1 : tensor<i32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}
"""
CASE = """
func.func @main(%index: tensor<i32>, %x: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %0 = "stablehlo.case"(%index) ({
    stablehlo.return %x : tensor<2x3xi32>
  }, {
    %1 = stablehlo.negate %x : tensor<2x3xi32>
    stablehlo.return %1 : tensor<2x3xi32>
  }) : (tensor<i32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}
"""


@pytest.fixture(scope="module")
def evaluated():
    """A function that StableHLO's interpreter evaluates."""
    from jax._src.interpreters.mlir import make_ir_context
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo

    def run(text, *arrays):
        with make_ir_context():
            module = ir.Module.parse(text)
            arguments = [ir.DenseElementsAttr.get(np.array(x)) for x in arrays]
            return [np.array(x) for x in stablehlo.eval_module(module, arguments)]

    return run


def test_map_of_the_interpreter(evaluated):
    rng = Random(SEED + 6)
    for _ in range(examples(50)):
        x, y = drawn(rng, (2, 3), "int32"), drawn(rng, (2, 3), "int32")
        (expected,) = evaluated(MAP, x, y)
        assert_same(xla.map([x, y], operator.mul, [0, 1]), expected)


def test_case_of_the_interpreter(evaluated):
    x = np.arange(6, dtype=np.int32).reshape(2, 3)
    for index in (-(2**31), -1, 0, 1, 2, 2**31 - 1):
        (expected,) = evaluated(CASE, np.int32(index), x)
        assert_same(xla.indexed_conditional(index, [lambda x: x, np.negative], [x, x]), expected)


def test_all_branches_were_chosen():
    """What the draws above are worth: every branch, and numbers on both sides of them."""
    rng = Random(SEED + 2)
    numbers = [rng.choice([int(drawn(rng, (), "int32")), rng.randint(0, 4)]) for _ in range(200)]
    assert {min(max(n, -1), 3) for n in numbers} == {-1, 0, 1, 2, 3}
    assert reduce(operator.or_, (drawn(rng).dtype == bool for _ in range(200)))
