"""Operations that call computations, and CrossReplicaSum, against `jax.lax` and against StableHLO's interpreter."""

import operator

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, seed
from hypothesis import strategies as st
from jax import lax

import ssop
from differential.jax_calls import SEED, Calls, assert_exact, compare, drawn_sets, numbers, some, types
from ssop import xla
from ssop.testing import strategies as slicing

NARROW = ("int2", "int4", "uint2", "uint4")


@st.composite
def operands(draw, kinds=("pred", "signed", "unsigned", "float", "complex")):
    """A strategy for arrays of one shape and dtype, whose numbers both have the same notion of."""
    shape = draw(slicing.shapes(max_rank=2, max_dim=3))
    return numbers(shape, draw(types(kinds, NARROW)))


# Each works on NumPy's arrays and on JAX's: no operation here is rounded differently.
STEPS = {
    "rotate": lambda x: x[..., ::-1] if x.ndim else x,
    "same": lambda x: x,
    "negate": lambda x: x if x.dtype == bool else -x,
    "or not": lambda x: x ^ True if x.dtype == bool else x + x,
    "equal": lambda x: x if x.dtype != bool else x == x,
}


@st.composite
def while_loops(draw):
    """A step, some times: the state holds how often."""
    step = STEPS[draw(st.sampled_from(sorted(STEPS)))]

    def condition(state):
        return state[0] < state[1]

    def body(state):
        return state[0] + np.int32(1), state[1], (step(state[2][0]),)

    limits = st.integers(-1, 5).map(np.int32)
    states = st.tuples(st.just(np.int32(0)), limits, st.tuples(draw(operands())))
    return Calls(
        lambda state: xla.while_loop(condition, body, state),
        lambda state: lax.while_loop(condition, body, state),
        drawn_sets(draw, states),
        assert_exact,
    )


def is_not_one(n):
    return n != 1


def halved_or_tripled(n):
    return lax.select(n % 2 == 0, n // 2, 3 * n + 1)


@st.composite
def while_loops_of_one_number(draw):
    return Calls(
        lambda n: xla.while_(is_not_one, lambda n: n // 2 if n % 2 == 0 else 3 * n + 1, n),
        lambda n: lax.while_loop(is_not_one, halved_or_tripled, n),
        drawn_sets(draw, st.integers(1, 26).map(np.int32)),
        assert_exact,
    )


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


@st.composite
def conditionals(draw, name):
    preds = numbers((), np.dtype(draw(st.sampled_from(["bool", "int32", "uint8", "float32"]))))
    ours = {
        "cond": lambda pred, x: xla.cond(pred, *BRANCHES[:2], x),
        "conditional": lambda pred, x: xla.conditional(bool(pred != 0), x, BRANCHES[0], x, BRANCHES[1]),
    }[name]
    arrays = drawn_sets(draw, preds, draw(operands()))
    return Calls(ours, lambda pred, x: lax.cond(pred, *BRANCHES[:2], x), arrays, assert_exact)


@st.composite
def switches(draw, name):
    """An index of 2**31 or more is one that JAX makes negative: see below."""
    dtype = np.dtype(draw(st.sampled_from(["int32", "uint32"] if name == "switch" else ["int32"])))
    branches = BRANCHES[: draw(st.integers(1, 3))]
    near, far = st.integers(0, 4), st.integers(-(2**31) if dtype.kind == "i" else 0, 2**31 - 1)
    arrays = drawn_sets(draw, (near | far).map(lambda index: np.array(index, dtype)), draw(operands()))
    ours = {
        "switch": lambda index, x: xla.switch(index, branches, x),
        "indexed_conditional": lambda index, x: xla.indexed_conditional(index, branches, [x] * len(branches)),
    }[name]

    def prepare(index, x):  # XLA's Conditional takes the last branch where JAX takes the first (cd_s2)
        return (np.array(len(branches) - 1, dtype) if index < 0 and name != "switch" else index), x

    return Calls(ours, lambda index, x: lax.switch(index, branches, x), arrays, assert_exact, prepare)


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


@st.composite
def maps(draw):
    name = draw(st.sampled_from(sorted(MAPPED)))
    (ours, theirs), arrays = MAPPED[name], draw(operands(("signed", "unsigned", "float")))

    def finite(x):  # whose signs of zeros and NaN no function chooses by itself
        return np.nan_to_num(x, posinf=7, neginf=-7) + x.dtype.type(0) if x.dtype.kind == "f" else x

    given = arrays.map(finite) if name != "compare" else arrays
    return Calls(
        lambda x, y: xla.map([x, y], ours),
        lambda x, y: jax.vmap(theirs)(x.ravel(), y.ravel()).reshape(x.shape),
        drawn_sets(draw, given, given),
        assert_exact,
    )


@st.composite
def calls(draw):
    step = STEPS[draw(st.sampled_from(sorted(STEPS)))]

    def function(pair):
        return step(pair[1]), (step(pair[0]),)

    pairs = st.tuples(draw(operands()), draw(operands()))
    prepare = lambda pair: (jax.tree.map(jnp.asarray, pair),)  # noqa: E731
    return Calls(lambda pair: xla.call(function, pair), function, drawn_sets(draw, pairs), assert_exact, prepare)


@st.composite
def cross_replica_sums(draw):
    """Sums of halves are exact in any order; JAX's begins at +0."""
    count, kinds = draw(st.integers(1, 3)), ("signed", "unsigned", "float")
    dtype = draw(types(kinds, NARROW).filter(lambda dtype: dtype.itemsize > 1 or dtype.kind in "iu"))
    shape = draw(slicing.shapes(max_rank=2, max_dim=3))
    halves = slicing.numeric_arrays(shape, dtype, ["small"]).map(lambda x: x + dtype.type(0))
    summed = jax.vmap(lambda x: lax.psum(x, "replica"), axis_name="replica")
    return Calls(
        lambda *arrays: np.stack(xla.cross_replica_sum(arrays)),
        summed,
        drawn_sets(draw, *[halves] * count),
        assert_exact,
        lambda *arrays: (np.stack(arrays),),
    )


ROWS = {
    "while_loop": while_loops(),
    "while_": while_loops_of_one_number(),
    "cond": conditionals("cond"),
    "conditional": conditionals("conditional"),
    "switch": switches("switch"),
    "indexed_conditional": switches("indexed_conditional"),
    "map": maps(),
    "call": calls(),
    "cross_replica_sum": cross_replica_sums(),
}


@pytest.mark.parametrize("name", ROWS)
def test_calls(name):
    compare(ROWS[name])


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


@seed(SEED)
@some(50)
@given(slicing.numeric_arrays((2, 3), "int32"), slicing.numeric_arrays((2, 3), "int32"))
def test_map_of_the_interpreter(evaluated, x, y):
    (expected,) = evaluated(MAP, x, y)
    assert_exact(xla.map([x, y], operator.mul, [0, 1]), expected)


def test_case_of_the_interpreter(evaluated):
    x = np.arange(6, dtype=np.int32).reshape(2, 3)
    for index in (-(2**31), -1, 0, 1, 2, 2**31 - 1):
        (expected,) = evaluated(CASE, np.int32(index), x)
        assert_exact(xla.indexed_conditional(index, [lambda x: x, np.negative], [x, x]), expected)


def test_every_branch_is_chosen():
    """What the draws are worth: indices on both sides of the branches, and each of them."""
    met = set()

    @seed(SEED)
    @some(100)
    @given(st.data())
    def collect(data):
        met.update(min(max(int(index), -1), 3) for index, _ in data.draw(switches("switch")).sets)

    collect()
    assert met == {-1, 0, 1, 2, 3}
