"""`ssop.stablehlo`: programs that JAX writes and those of StableHLO's own tests run unchanged and give the same."""

# ruff: noqa: E501 - programs of others

import functools
import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ssop
from nested_programs import DOUBLED, HIDDEN, NESTED
from ssop import cli, stablehlo
from ssop.stablehlo._nesting import MAX_DEPTH

jax = pytest.importorskip("jax")
jnp, lax, nn = jax.numpy, jax.lax, jax.nn
ROOT = Path(__file__).parents[2]
RNG = np.random.default_rng(20170109)


def floats(*shape):
    return RNG.standard_normal(shape, np.float32)


# ---- programs that JAX writes ----------------------------------------------------------------------------------------


def attention(q, k, v):
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(q.shape[-1])
    allowed = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    return jnp.einsum("bhqk,bhkd->bhqd", nn.softmax(jnp.where(allowed, scores, -1e9)), v)


def normalised(x):
    mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
    return (x - mean) * lax.rsqrt(variance + 1e-5)


def convolved(x, kernel, strides):
    return lax.conv_general_dilated(x, kernel, strides, "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def resnet_block(x, first, second, shortcut):
    y = nn.relu(normalised(convolved(x, first, (2, 2))))
    y = normalised(convolved(y, second, (1, 1)))
    return nn.relu(y + convolved(x, shortcut, (2, 2)))


def max_pooled(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")


def max_pool_gradient(x, cotangent):
    return jax.vjp(max_pooled, x)[1](cotangent)[0]


def average_pool_gradient(x):
    def pooled(x):
        return (lax.reduce_window(x, 0.0, lax.add, (2, 3), (2, 1), "VALID") ** 2).sum()

    return jax.grad(pooled)(x)


def lstm(xs, hidden, cell, weights):
    def step(state, x):
        hidden, cell = state
        i, f, g, o = jnp.split(jnp.concatenate([x, hidden], -1) @ weights, 4, -1)
        cell = nn.sigmoid(f) * cell + nn.sigmoid(i) * jnp.tanh(g)
        hidden = nn.sigmoid(o) * jnp.tanh(cell)
        return (hidden, cell), hidden

    return lax.scan(step, (hidden, cell), xs)


def top_by_sort(x):
    keys, places = lax.sort_key_val(-x, lax.broadcasted_iota(jnp.int32, x.shape, x.ndim - 1))
    return -keys[..., :5], places[..., :5]


def layer_norm(x, scale, offset):
    centered = x - x.mean(-1, keepdims=True)
    return centered * lax.rsqrt((centered**2).mean(-1, keepdims=True) + 1e-6) * scale + offset


def cross_entropy_gradient(logits, labels):
    def loss(logits):
        return -jnp.take_along_axis(nn.log_softmax(logits), labels[:, None], 1).mean()

    return jax.value_and_grad(loss)(logits)


def embedding_gradient(table, tokens):
    return jax.grad(lambda table: (table[tokens] ** 2).sum())(table)


def newton(x):
    """A loop whose length is known only when it runs."""

    def condition(state):
        return jnp.any(jnp.abs(state[0] ** 2 - x) > 1e-5) & (state[1] < 50)

    return lax.while_loop(condition, lambda state: ((state[0] + x / state[0]) / 2, state[1] + 1), (x, 0))


def branches(x, which):
    chosen = lax.switch(which, [lambda x: x + 1, lambda x: x * 2, lambda x: -x], x)
    return lax.cond(x.sum() > 0, lambda: chosen, lambda: x)


def random_bits(data):
    key = jax.random.wrap_key_data(data)
    return jax.random.uniform(key, (5, 3)), jax.random.normal(key, (4,)), jax.random.permutation(key, 10)


def special(x):
    return lax.erf(x), lax.erfc(x), lax.erf_inv(jnp.tanh(x)), lax.lgamma(x), jnp.cbrt(x), jnp.log1p(x * x), jnp.expm1(x)


def bits(x, y):
    return lax.population_count(x), lax.clz(x), x ^ y, x << (y & 31), lax.shift_right_logical(x, y), x >> y


def bfloats(x, y):
    low = x.astype(jnp.bfloat16)
    return low @ y.astype(jnp.bfloat16), jnp.exp(low), low.astype(jnp.int32), lax.reduce_precision(x, 5, 3)


def two_kinds_of_windows(x):
    return jnp.cumsum(x, 1), jnp.cumprod(x, 0), lax.cummax(x, 1), lax.associative_scan(jnp.add, x)


PROGRAMS = {
    "attention": (attention, floats(2, 3, 8, 4), floats(2, 3, 8, 4), floats(2, 3, 8, 4)),
    "resnet_block": (resnet_block, floats(2, 10, 10, 4), floats(3, 3, 4, 8), floats(3, 3, 8, 8), floats(1, 1, 4, 8)),
    "max_pool_gradient": (max_pool_gradient, floats(2, 9, 8, 3), floats(2, 5, 4, 3)),
    "average_pool_gradient": (average_pool_gradient, floats(6, 7)),
    "lstm": (lstm, floats(7, 2, 5), floats(2, 6), floats(2, 6), floats(11, 24)),
    "top_by_sort": (top_by_sort, floats(4, 30)),
    "top_k": (functools.partial(lax.top_k, k=3), floats(4, 30)),
    "argmax": (lambda x: (jnp.argmax(x, 1), jnp.argmin(x), jnp.argsort(x, 0)), floats(6, 7).round(0)),
    "layer_norm": (layer_norm, floats(3, 4, 16), floats(16), floats(16)),
    "roll": (lambda x, n: (jnp.roll(x, 2, 1), jnp.roll(x, n)), floats(3, 5), np.int32(-7)),
    "cumsum": (two_kinds_of_windows, floats(5, 40)),
    "one_hot": (functools.partial(nn.one_hot, num_classes=7), np.array([3, 0, 6, 9, -1], np.int32)),
    "cross_entropy_gradient": (cross_entropy_gradient, floats(8, 10), RNG.integers(0, 10, 8, np.int32)),
    "embedding_gradient": (embedding_gradient, floats(10, 4), RNG.integers(-10, 10, (3, 5), np.int32)),
    "newton": (newton, np.abs(floats(20)) + 0.1),
    "branches": (branches, floats(4), np.int32(1)),
    "branches_clamped": (branches, floats(4), np.int32(9)),
    "random_bits": (random_bits, np.array([3, 17], np.uint32)),
    "special": (special, floats(50)),
    "bits": (bits, RNG.integers(-(2**31), 2**31, 50, np.int32), RNG.integers(0, 40, 50, np.int32)),
    "bfloats": (bfloats, floats(6, 8) * 9, floats(8, 5)),
    "medians": (lambda x: (jnp.median(x, 0), jnp.unique(x.round(0), size=5), jnp.quantile(x, 0.3)), floats(9, 4)),
    "set_and_add": (lambda x, i: (x.at[i].set(9.0), x.at[i, 1].add(2.0), x.at[1:3].max(0.5)), floats(6, 3), np.array([0, 4, 0, 99], np.int32)),
    "linear_algebra": (lambda x: (jnp.tril(x), x @ x.T, jnp.trace(x), jnp.linalg.norm(x), jnp.kron(x, x)), floats(4, 4)),
    "complex": (lambda x: (jnp.abs(x), x * x.conj(), jnp.exp(x), x.real, x.imag), floats(9) + 1j * floats(9)),
    "empty": (lambda x: (x.sum(0), x.max(1, initial=3.0), jnp.sort(x), x @ x.T), floats(0, 3)),
}  # fmt: skip


def same(given, wanted, tolerance=1e-4):
    """Equal, or floating-point numbers within the tolerance of StableHLO's tests, and NaN where NaN is."""
    wanted = np.asarray(wanted)
    assert given.shape == wanted.shape and given.dtype == wanted.dtype
    if wanted.dtype.kind in "biu":
        assert np.array_equal(given, wanted)
        return
    wide = np.complex128 if wanted.dtype.kind == "c" else np.float64
    if wanted.dtype.itemsize == 2:  # bfloat16, of which jit may round elsewhere
        tolerance = 2e-2
    np.testing.assert_allclose(given.astype(wide), wanted.astype(wide), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_of_jax_run_unchanged(name):
    """hlo_s1, hlo_s3: text and result are JAX's own."""
    f, *arguments = PROGRAMS[name]
    compiled = jax.jit(f)
    leaves = jax.tree.leaves(compiled(*arguments))
    results = stablehlo.run(compiled.lower(*arguments).as_text(), *arguments)
    results = results if isinstance(results, tuple) else (results,)
    assert len(results) == len(leaves)
    for given, one in zip(results, leaves, strict=True):
        same(given, one)


def test_a_module_of_jax_is_a_program():
    """hlo_s1"""
    lowered = jax.jit(lambda x: x + 1).lower(floats(3))
    x = floats(3)
    assert np.array_equal(stablehlo.run(lowered.compiler_ir(), x), x + 1)


# ---- StableHLO's own tests -------------------------------------------------------------------------------------------

# From openxla/stablehlo, stablehlo/tests/interpret: each is a function without arguments that checks its own result.
INTERPRETED = {
    "gather.mlir": """
  %operand = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6], [7, 8]], [[9, 10],[11, 12], [13, 14], [15, 16]], [[17, 18], [19, 20], [21, 22], [23, 24]]]> : tensor<3x4x2xi64>
  %start_indices = stablehlo.constant dense<[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]]> : tensor<2x3x2xi64>
  %result = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 2, 2>, indices_are_sorted = false
  } : (tensor<3x4x2xi64>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xi64>
  check.expect_eq_const %result, dense<[[[[1, 2], [3, 4]], [[3, 4], [5, 6]], [[13, 14], [15, 16]]],
                                        [[[9, 10], [11, 12]], [[11, 12], [13, 14]], [[17, 18], [19, 20]]]]> : tensor<2x3x2x2xi64>
""",
    "scatter.mlir": """
  %inputs = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6], [7, 8]], [[9, 10], [11, 12], [13, 14], [15, 16]], [[17, 18], [19, 20], [21, 22], [23, 24]]]> : tensor<3x4x2xi64>
  %scatter_indices = stablehlo.constant dense<[[[0, 2], [1, 0], [2, 1]], [[0, 1], [1, 0], [0, 9]]]> : tensor<2x3x2xi64>
  %updates = stablehlo.constant dense<1> : tensor<2x3x2x2xi64>
  %result = "stablehlo.scatter"(%inputs, %scatter_indices, %updates) ({
    ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
      %0 = stablehlo.add %arg0, %arg1 : tensor<i64>
      stablehlo.return %0 : tensor<i64>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>,
    indices_are_sorted = false, unique_indices = false
  } : (tensor<3x4x2xi64>, tensor<2x3x2xi64>, tensor<2x3x2x2xi64>) -> tensor<3x4x2xi64>
  check.expect_eq_const %result, dense<[[[1, 2], [5, 6], [7, 8], [7, 8]], [[10, 11], [12, 13], [14, 15], [16, 17]], [[18, 19], [20, 21], [21, 22], [23, 24]]]> : tensor<3x4x2xi64>
""",
    "power.mlir": """
  %lhs = stablehlo.constant dense<[-1, -1, -3, 1, -3, 0]> : tensor<6xi64>
  %rhs = stablehlo.constant dense<[1, 0, -3, -3, 3, 2]> : tensor<6xi64>
  %result = stablehlo.power %lhs, %rhs : tensor<6xi64>
  check.expect_eq_const %result, dense<[-1, 1, 0, 1, -27, 0]> : tensor<6xi64>
""",
    "check.mlir": """
  %operand = stablehlo.constant dense<5.0000> : tensor<f64>
  %result = stablehlo.constant dense<5.0001> : tensor<f64>
  check.expect_almost_eq %operand, %result : tensor<f64>
  check.expect_almost_eq %operand, %result, tolerance = 0.1 : tensor<f64>
  check.expect_almost_eq_const %operand, dense<5.1> : tensor<f64> {tolerance = 0.1 : f64}
  %half = stablehlo.constant dense<5.0000> : tensor<f16>
  %other = stablehlo.constant dense<5.010> : tensor<f16>
  check.expect_close %half, %other, max_ulp_difference = 3 : tensor<f16>, tensor<f16>
""",
    "triangular_solve.mlir": """
  %a = stablehlo.constant dense<[[1.0, 0.0, 0.0], [2.0, 4.0, 0.0], [3.0, 5.0, 6.0]]> : tensor<3x3xf32>
  %b = stablehlo.constant dense<[[2.0, 0.0, 0.0], [4.0, 8.0, 0.0], [6.0, 10.0, 12.0]]> : tensor<3x3xf32>
  %result = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  check.expect_almost_eq_const %result, dense<[[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]> : tensor<3x3xf32>
""",
    "while.mlir": """
  %i = stablehlo.constant dense<0> : tensor<i64>
  %sum = stablehlo.constant dense<0> : tensor<i64>
  %ten = stablehlo.constant dense<10> : tensor<i64>
  %results0, %results1 = "stablehlo.while"(%i, %sum) ({
    ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
      %cond = stablehlo.compare LT, %arg0, %ten : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %cond : tensor<i1>
    }, {
    ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
      %one = stablehlo.constant dense<1> : tensor<i64>
      %new_sum = stablehlo.add %arg1, %one : tensor<i64>
      %new_i = stablehlo.add %arg0, %one : tensor<i64>
      stablehlo.return %new_i, %new_sum : tensor<i64>, tensor<i64>
  }) : (tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>)
  check.expect_eq_const %results0, dense<10> : tensor<i64>
  check.expect_eq_const %results1, dense<10> : tensor<i64>
""",
    "testdata/top_k": """
  %0 = stablehlo.constant dense<[3.0, 1.0, 7.0, 7.0, -2.0]> : tensor<5xf32>
  %values, %indices = chlo.top_k(%0, k = 3) : tensor<5xf32> -> (tensor<3xf32>, tensor<3xi32>)
  %1 = stablehlo.constant dense<[7.0, 7.0, 3.0]> : tensor<3xf32>
  %2 = stablehlo.constant dense<[2, 3, 0]> : tensor<3xi32>
  stablehlo.custom_call @check.expect_eq(%values, %1) {has_side_effect = true} : (tensor<3xf32>, tensor<3xf32>) -> ()
  stablehlo.custom_call @check.expect_close(%values, %1) {has_side_effect = true} : (tensor<3xf32>, tensor<3xf32>) -> ()
  stablehlo.custom_call @check.expect_eq(%indices, %2) {has_side_effect = true} : (tensor<3xi32>, tensor<3xi32>) -> ()
""",
}


@pytest.mark.parametrize("name", INTERPRETED)
def test_programs_of_others_run_unchanged(name):
    """hlo_s5: what the authors state is checked by the program itself."""
    assert stablehlo.run(f"func.func @test() {{{INTERPRETED[name]}  func.return\n}}") == ()


@pytest.mark.parametrize("name", INTERPRETED)
def test_every_check_can_fail(name):
    """hlo_c9: another number is expected, in each of the programs."""
    text = INTERPRETED[name]
    at = text.rfind("dense<", 0, text.find("check."))
    at = text.find("dense<", text.find("check.")) if "_const %result" in text else at
    number = next(i for i in range(at, len(text)) if text[i].isdigit())
    wrong = f"func.func @test() {{{text[:number]}4{text[number:]}  func.return\n}}"
    with pytest.raises(
        ssop.SliceValueError, match=r"line \d+: \w+\.\w+: check: \d+ of \d+ elements are not .* \[hlo_c9\]"
    ) as info:
        stablehlo.run(wrong)
    assert info.value.op == "stablehlo.run"


# ---- values, traces, errors ------------------------------------------------------------------------------------------

AXPY = """func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.multiply %x, %y : tensor<3xf32>
  %1 = stablehlo.add %0, %x : tensor<3xf32>
  return %1 : tensor<3xf32>
}
"""


def test_trace_has_every_value_with_its_line():
    """hlo_s4: also those of loops and of functions that are called."""
    result, traced = stablehlo.run(AXPY, [1, 2, 3], [10, 20, 30], trace=True)
    assert [(x.line, x.operation, x.name, x.value.tolist()) for x in traced] == [
        (2, "stablehlo.multiply", "%0", [10, 40, 90]),
        (3, "stablehlo.add", "%1", [11, 42, 93]),
    ]
    assert result.tolist() == [11, 42, 93]
    _, traced = stablehlo.run(f"func.func @test() {{{INTERPRETED['while.mlir']}  func.return\n}}", trace=True)
    assert [int(x.value) for x in traced if (x.line, x.operation) == (12, "stablehlo.add")] == list(range(1, 11))


def test_results_are_new_arrays():
    text = "func.func @main(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {\n"
    text += "  %c = stablehlo.constant dense<5> : tensor<2xi32>\n  return %x, %c, %c : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>\n}"
    x = np.array([1, 2], np.int32)
    results = stablehlo.run(text, x)
    assert all(y.flags.writeable and not np.shares_memory(y, x) for y in results)
    assert not np.shares_memory(results[1], results[2])
    assert [y.tolist() for y in results] == [[1, 2], [5, 5], [5, 5]]


@pytest.mark.parametrize(
    ("kind", "literal", "items"),
    [
        ("i1", "[true, false]", [True, False]),
        ("i4", "[-8, 7]", [-8, 7]),
        ("ui2", "[3, 0]", [3, 0]),
        ("ui64", "[18446744073709551615, 1]", [2**64 - 1, 1]),
        ("bf16", "[1.5, 0x7F80]", [1.5, np.inf]),
        ("f16", "[1.5, -0.0]", [1.5, -0.0]),
        ("f8E4M3FN", "[1.5, -2.0]", [1.5, -2.0]),
        ("complex<f32>", "[(1.0, -2.0), (0.0, 3.0)]", [1 - 2j, 3j]),
        ("complex<f64>", "(1.0, -2.0)", [1 - 2j, 1 - 2j]),
        ("si16", '"0x01000200"', [1, 2]),
    ],
)
def test_constants_of_every_kind(kind, literal, items):
    """hlo_s2"""
    kind = "i16" if kind == "si16" else kind
    text = f"func.func @main() -> tensor<2x{kind}> {{\n  %0 = stablehlo.constant dense<{literal}> : tensor<2x{kind}>\n  return %0 : tensor<2x{kind}>\n}}"
    assert stablehlo.run(text).tolist() == items


LOOPS = """func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = call @main(%x) : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}"""
ALL_REDUCE = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {

  %0 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}"""
QUANTIZED = """func.func @main(%x: tensor<2x!quant.uniform<i8:f32, 0.1:-30>>) {
  return
}"""
TOKEN = "func.func @main(%x: !stablehlo.token) {\n  return\n}"
TWO = "func.func @f() {\n  return\n}\nfunc.func @g() {\n  return\n}"
X3 = np.ones(3, np.float32)

WRONG = {
    "hlo_c2": (ssop.SliceTypeError, (3,), "the program is an int, not a text or a jaxlib.mlir.ir.Module"),
    "hlo_c3": (ssop.SliceValueError, ("func.func @main() { %0 = stablehlo.add %1 }",), "the program cannot be parsed: line 1, column 42: expected ','"),
    "hlo_c4": (ssop.SliceTypeError, (ALL_REDUCE, X3[:2]), "line 3: stablehlo.collective_permute: this operation is not supported"),
    "hlo_c4 calls itself": (ssop.SliceTypeError, (LOOPS, np.ones(2, np.int32)), "line 1: function @main calls itself, which is not supported"),
    "hlo_c5": (ssop.SliceTypeError, (TOKEN, 1), "@main: values of type !stablehlo.token are not supported"),
    "hlo_c6": (ssop.SliceValueError, (TWO,), "function= says which function to run, as none is @main; the functions are @f, @g"),
    "hlo_c7": (ssop.SliceTypeError, (AXPY, X3), "1 arrays are given, and @main takes 2: float32[3], float32[3]"),
    "hlo_c7 dtype": (ssop.SliceTypeError, (AXPY, X3, np.ones(3)), "array 1 has dtype float64, not float32; x.astype(..) converts it"),
    "hlo_c8": (ssop.SliceValueError, (AXPY, X3, X3[:2]), "array 1 has shape (2,), and @main takes float32[3]"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_errors_name_the_rule_and_the_line(name):
    kind, arguments, message = WRONG[name]
    with pytest.raises(kind) as info:
        stablehlo.run(*arguments)
    label = name.partition(" ")[0]
    assert str(info.value) == f"stablehlo.run: {message} [{label}]"
    assert (info.value.op, info.value.label) == ("stablehlo.run", label)


def test_arrays_of_other_libraries_are_converted_by_the_user():
    with pytest.raises(ssop.SliceTypeError, match=r"numpy\.asarray\(x\) makes one of it \[in_c7\]"):
        stablehlo.run(AXPY, jnp.ones(3), jnp.ones(3))


def test_without_jaxlib_the_error_names_the_package(monkeypatch):
    """hlo_c1"""
    monkeypatch.setitem(sys.modules, "jaxlib.mlir", None)
    with pytest.raises(ssop.SliceTypeError, match=r"pip install 'jaxlib>=0.8'.*\[hlo_c1\]") as info:
        stablehlo.run(AXPY, X3, X3)
    assert info.value.label == "hlo_c1"


def test_an_error_of_an_operation_has_its_line():
    """hlo_s6: here of ssop.xla's own; the label stays."""
    text = """func.func @main(%x: tensor<4xf32>, %n: tensor<1xi32>) -> tensor<?xf32> {
  %0 = stablehlo.dynamic_reshape %x, %n : (tensor<4xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}"""
    assert stablehlo.run(text, [1, 2, 3, 4], [4]).tolist() == [1, 2, 3, 4]
    with pytest.raises(
        ssop.SliceError, match=r"^stablehlo.run: line 2: stablehlo.dynamic_reshape: xla.reshape: "
    ) as info:
        stablehlo.run(text, [1, 2, 3, 4], [5])
    assert info.value.label.startswith("rs_")


# ---- the command line ------------------------------------------------------------------------------------------------


def test_command_line(tmp_path, capsys, monkeypatch):
    program, x, both = tmp_path / "axpy.mlir", tmp_path / "x.npy", tmp_path / "both.npz"
    program.write_text(AXPY)
    np.save(x, X3)
    np.savez(both, y=2 * X3, n=np.arange(3))
    assert cli.main(["stablehlo", "run", str(program), str(x), f"{both}:y"]) == 0
    assert capsys.readouterr().out == "result 0: float32[3]\n[3. 3. 3.]\n"
    assert cli.main(["stablehlo", "run", str(program), str(x), f"{both}:y", "--trace"]) == 0
    assert capsys.readouterr().out.startswith("line 2: %0 = stablehlo.multiply: float32[3]\n[2. 2. 2.]\nline 3: %1")
    out = tmp_path / "out.npy"
    assert cli.main(["stablehlo", "run", str(program), str(x), f"{both}:y", "-o", str(out)]) == 0
    assert np.load(out).tolist() == [3, 3, 3]
    monkeypatch.setattr("sys.stdin", io.StringIO(AXPY))
    assert cli.main(["stablehlo", "run", "-", str(x), str(x)]) == 0
    assert capsys.readouterr().out == "result 0: float32[3]\n[2. 2. 2.]\n"


@pytest.mark.parametrize(
    "wrong", [["nothing.mlir"], ["axpy.mlir"], ["axpy.mlir", "x.npy", "x.npy", "-o", "a.npy", "-o", "b.npy"]]
)
def test_errors_of_the_command_line_are_one_line(wrong, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "axpy.mlir").write_text(AXPY)
    np.save("x.npy", X3)
    assert cli.main(["stablehlo", "run", *wrong]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("ssop: error: ") and err.count("\n") == 1
    assert not (tmp_path / "a.npy").exists()


# ---- how deep MLIR's parser may be sent ------------------------------------------------------------------------------

PARSES = """
import sys
from ssop.stablehlo._parsing import jaxlib
from nested_programs import NESTED
parser = jaxlib()
context = parser.ir.Context()
parser.register(context)
for kind, make in NESTED.items():
    depth = int(sys.argv[1])
    try:
        module = parser.ir.Module.parse(make(depth), context)
        str(module), str(module.operation.location), module.operation.verify()
    except parser.ir.MLIRError:
        pass
print("survived")
"""


def test_mlir_parses_twice_as_deep_as_it_is_sent():
    command = [sys.executable, "-c", PARSES, str(2 * MAX_DEPTH)]
    found = subprocess.run(command, capture_output=True, text=True, cwd=ROOT / "tests", timeout=600)
    assert found.stdout == "survived\n", found.stderr[-500:]


@pytest.mark.parametrize("kind", NESTED | HIDDEN)
def test_hlo_c3_no_depth_ends_the_callers_process(kind):
    with pytest.raises(ssop.SliceValueError, match=rf"line \d+: it is nested deeper than {MAX_DEPTH}, .* \[hlo_c3\]"):
        stablehlo.run((NESTED | HIDDEN)[kind](100_000))


def test_hlo_c3_a_text_is_unicode():
    with pytest.raises(ssop.SliceValueError, match=r"surrogates not allowed \[hlo_c3\]"):
        stablehlo.run("func.func @main() { return } // \udcff")


def shared(depth, result):
    """A program with a location that has the one before it twice, and so on; with another result, it is an error."""
    aliases = "".join(f"#l{n} = loc(callsite(#l{n - 1} at #l{n - 1}))\n" for n in range(1, depth + 1))
    body = f"%0 = stablehlo.add %x, %x : tensor<2xf32> loc(#l{depth})\nreturn %0 : tensor<{result}xf32>"
    return f'#l0 = loc("a")\n{aliases}func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{\n{body} loc(#l{depth})\n}}'


def test_hlo_c3_no_alias_is_written_out_without_end():
    """Types and locations that share their parts are printed in messages."""
    for text in (DOUBLED(40), shared(40, 2), shared(40, 3)):
        with pytest.raises(ssop.SliceValueError, match=r"an alias has more than 1048576 parts \[hlo_c3\]"):
            stablehlo.run(text, [1, 2])
    np.testing.assert_array_equal(stablehlo.run(shared(12, 2), [1, 2]), [2, 4])
    with pytest.raises(ssop.SliceValueError, match="hlo_c3"):
        stablehlo.run(shared(12, 3), [1, 2])


BRANCHES = """%y{next} = "stablehlo.if"(%p) ({{
{inner}"stablehlo.return"(%y{depth}) : (tensor<2xf32>) -> ()
}}, {{
"stablehlo.return"(%x) : (tensor<2xf32>) -> ()
}}) : (tensor<i1>) -> tensor<2xf32>
"""


def nested_branches(depth):
    inner = "%y0 = stablehlo.add %x, %x : tensor<2xf32>\n"
    for level in range(depth):
        inner = BRANCHES.format(inner=inner, depth=level, next=level + 1)
    head = "func.func @main(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {\n"
    return f"{head}{inner}return %y{depth} : tensor<2xf32>\n}}"


def chain_of_calls(depth):
    kind = "(tensor<2xf32>) -> tensor<2xf32>"
    texts = [
        f"func.func @f{level}(%x: tensor<2xf32>) -> tensor<2xf32> {{\n"
        f"%y = call @f{level + 1}(%x) : {kind}\nreturn %y : tensor<2xf32>\n}}\n"
        for level in range(depth)
    ]
    return "".join(texts) + f"func.func @f{depth}(%x: tensor<2xf32>) -> tensor<2xf32> {{\nreturn %x : tensor<2xf32>\n}}"


DEEP = {"if": (nested_branches(240), (True, [1, 2]), [2, 4]), "call": (chain_of_calls(400), ([1, 2],), [1, 2])}


@pytest.mark.parametrize("kind", DEEP)
def test_hlo_c4_no_depth_is_a_recursion_error(kind):
    text, arrays, wanted = DEEP[kind]
    name = {"if": "main", "call": "f0"}[kind]
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(500)  # of some versions, 1000 frames are enough
        with pytest.raises(ssop.SliceTypeError) as info:
            stablehlo.run(text, *arrays, function=name)
        told = f"@{name}: regions and calls are nested deeper than Python's limit of 500 frames allows"
        assert str(info.value) == f"stablehlo.run: {told}; sys.setrecursionlimit raises it [hlo_c4]"
        assert (info.value.label, info.value.value, info.value.__context__) == ("hlo_c4", name, None)
        sys.setrecursionlimit(10_000)
        assert stablehlo.run(text, *arrays, function=name).tolist() == wanted
    finally:
        sys.setrecursionlimit(limit)


def test_a_recursion_error_of_a_registered_function_stays_its_own():
    def endless(out, operands):
        endless(out, operands)

    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @test.endless(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}"""
    ssop.xla.register_custom_call("test.endless", endless)
    try:
        with pytest.raises(RecursionError):
            stablehlo.run(text, [1, 2])
    finally:
        ssop.xla.unregister_custom_call("test.endless")
