"""The calls that `ssop bench --computing` measures, in classes: every operation of `ssop.xla` that computes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, Final, NamedTuple

import numpy as np

from ssop import xla
from ssop._xla.elementwise import BINARY, UNARY

Array = np.ndarray[Any, Any]
OF_JAX: Final = {"logical_and": "bitwise_and", "logical_or": "bitwise_or", "logical_not": "bitwise_not"}
WHOLE: Final = ("div", "rem", *OF_JAX)
"""Measured on integers; the others on float32."""
COLUMNS: Final = 64
STEPS: Final = 10
EPSILON: Final = 1e-5


class Case(NamedTuple):
    """One call: `ours` of ssop.xla and `theirs` of jax.lax take the operands."""

    name: str
    ours: Callable[..., Any]
    theirs: Callable[..., Any]
    operands: tuple[Array, ...]
    units: int
    unit: str = "elements"
    is_random: bool = False
    """Whether the results differ, and only their shapes are compared."""


class Given(NamedTuple):
    """What the cases of one size are made of."""

    jax: Any
    lax: Any
    real: Array
    other: Array
    whole: Array
    divisors: Array

    @property
    def rows(self) -> Array:
        """The numbers as a matrix."""
        return self.real[: self.real.size // COLUMNS * COLUMNS].reshape(-1, COLUMNS)


def given(elements: int) -> Given:
    """Return so many numbers of each kind."""
    rng = np.random.default_rng(0)
    real, other = (rng.standard_normal(elements, np.float32) for _ in range(2))
    whole, divisors = rng.integers(-1000, 1000, elements, np.int32), rng.integers(1, 9, elements, np.int32)
    return Given(import_module("jax"), import_module("jax.lax"), real, other, whole, divisors)


def _element_wise(of: Given) -> list[Case]:
    rows = [(row, count) for count, rows in ((2, BINARY), (1, UNARY)) for row in rows]
    found = []
    for row, count in rows:
        operands = ((of.whole, of.divisors) if row.name in WHOLE else (of.real, of.other))[:count]
        if row.name == "log":
            operands = (np.abs(of.real),)
        theirs = getattr(of.lax, OF_JAX.get(row.name, row.name))
        found.append(Case(row.name, getattr(xla, row.name), theirs, operands, of.real.size))
    return found


def _conversions(of: Given) -> list[Case]:
    def case(name: str, *arguments: Any) -> Case:
        functions = getattr(xla, name), getattr(of.lax, name)
        ours, theirs = (lambda x, f=f: f(x, *arguments) for f in functions)
        return Case(name, ours, theirs, (of.real,), of.real.size)

    return [
        case("convert_element_type", np.int32),
        case("bitcast_convert_type", np.int32),
        case("reduce_precision", 5, 10),
    ]


def _reductions(of: Given) -> list[Case]:
    zero, size, where = np.float32(0), of.real.size, of.jax.numpy.where
    places = np.arange(size, dtype=np.int32)
    inits = np.float32(-np.inf), np.int32(0)

    def of_two(a: Any, i: Any, b: Any, j: Any) -> Any:
        return np.where(a > b, a, b), np.where(a > b, i, j)

    def of_two_for_jax(left: Any, right: Any) -> Any:
        (a, i), (b, j) = left, right
        return where(a > b, a, b), where(a > b, i, j)

    return [
        Case("reduce, add", lambda x: xla.reduce(x, zero, xla.add, [0]),
             lambda x: of.lax.reduce(x, zero, of.lax.add, [0]), (of.real,), size),
        Case("reduce, a function", lambda x: xla.reduce(x, zero, lambda a, b: a + b, [0]),
             lambda x: of.lax.reduce(x, zero, lambda a, b: a + b, [0]), (of.real,), size),
        Case("reduce, of two operands", lambda x, y: xla.reduce((x, y), inits, of_two, [0])[0],
             lambda x, y: of.lax.reduce((x, y), inits, of_two_for_jax, [0])[0], (of.real, places), size),
    ]  # fmt: skip


def _windows(of: Given) -> list[Case]:
    side = int(of.real.size**0.5)
    square = of.real[: side * side].reshape(1, side, side, 1)
    pooled = of.other[: (side // 2) ** 2].reshape(1, side // 2, side // 2, 1)
    windows: dict[str, Any] = dict(window_dimensions=(1, 3, 3, 1), window_strides=(1, 1, 1, 1), padding="SAME")

    def pool(reduce_window: Any, computation: Any, first: float) -> Callable[..., Any]:
        return lambda x: reduce_window(x, np.float32(first), computation, **windows)

    return [
        Case("reduce_window, max of 3 x 3", pool(xla.reduce_window, xla.max, -np.inf),
             pool(of.lax.reduce_window, of.lax.max, -np.inf), (square,), 9 * side * side, "window elements"),
        Case("reduce_window, sum of 3 x 3", pool(xla.reduce_window, xla.add, 0),
             pool(of.lax.reduce_window, of.lax.add, 0), (square,), 9 * side * side, "window elements"),
        Case("select_and_scatter, 2 x 2", _select_and_scatter(xla), _select_and_scatter(of.lax), (square, pooled),
             4 * pooled.size, "window elements"),
    ]  # fmt: skip


def _select_and_scatter(home: Any) -> Callable[..., Any]:
    window: dict[str, Any] = dict(window_dimensions=(1, 2, 2, 1), window_strides=(1, 2, 2, 1), padding="VALID")
    if home is xla:
        return lambda x, source: xla.select_and_scatter(
            x, xla.ge, source=source, init_value=np.float32(0), scatter=xla.add, **window
        )

    def gradient(x: Any, source: Any) -> Any:
        jax: Any = import_module("jax")
        pool = lambda y: home.reduce_window(y, -np.inf, home.max, **window)  # noqa: E731
        return jax.vjp(pool, x)[1](source)[0]

    return gradient


def _sorts(of: Given) -> list[Case]:
    few = of.real[:10_000]
    return [
        Case("sort", lambda x: xla.sort(x), lambda x: of.lax.sort(x), (of.real,), of.real.size),
        Case("sort, of two operands", lambda x, y: xla.sort((x, y))[1], lambda x, y: of.lax.sort((x, y))[1],
             (of.whole, of.real), of.real.size),
        Case("sort, by a comparator", lambda x: xla.sort(x, comparator=lambda a, b: a > b),
             lambda x: -of.lax.sort(-x), (few,), few.size),
    ]  # fmt: skip


def _dots(of: Given) -> list[Case]:
    rng = np.random.default_rng(1)
    matrix = rng.standard_normal((256, 256), np.float32)
    batch, numbers = rng.standard_normal((8, 128, 128), np.float32), (([2], [1]), ([0], [0]))
    return [
        Case("dot, 256 x 256", lambda x, y: xla.dot(x, y), lambda x, y: of.lax.dot(x, y), (matrix, matrix), 256**3,
             "multiply-adds"),
        Case("dot_general, 8 of 128 x 128", lambda x, y: xla.dot_general(x, y, numbers),
             lambda x, y: of.lax.dot_general(x, y, numbers), (batch, batch), 8 * 128**3, "multiply-adds"),
    ]  # fmt: skip


def _convolutions(of: Given) -> list[Case]:
    rng = np.random.default_rng(2)
    image, kernel = rng.standard_normal((1, 64, 56, 56), np.float32), rng.standard_normal((64, 64, 3, 3), np.float32)
    features_last, each = (
        np.ascontiguousarray(np.moveaxis(image, 1, -1)),
        rng.standard_normal((3, 3, 1, 64), np.float32),
    )
    depthwise: dict[str, Any] = {"dimension_numbers": ("NHWC", "HWIO", "NHWC"), "feature_group_count": 64}

    def case(name: str, function: str, x: Array, y: Array, products: int, *arguments: Any, **options: Any) -> Case:
        functions = getattr(xla, function), getattr(of.lax, function)
        ours, theirs = (lambda a, b, f=f: f(a, b, *arguments, **options) for f in functions)
        return Case(name, ours, theirs, (x, y), products, "multiply-adds")

    pairs, once = [(1, 1), (1, 1)], (1, 1)
    return [
        case("conv, 3 x 3 of 64 x 56 x 56", "conv", image, kernel, image.size * 64 * 9, once, "SAME"),
        case("conv_with_general_padding", "conv_with_general_padding", image, kernel, image.size * 64 * 9, once, pairs,
             once, once),
        case("conv_general_dilated, depthwise", "conv_general_dilated", features_last, each, image.size * 9, once,
             "SAME", **depthwise),
    ]  # fmt: skip


def _batch_norms(of: Given) -> list[Case]:
    x, (scale, offset) = of.rows, np.random.default_rng(3).standard_normal((2, COLUMNS), np.float32)
    mean, variance = x.mean(0), x.var(0)

    def normal(x: Any, scale: Any, offset: Any, mean: Any, variance: Any) -> Any:
        return (x - mean) / (variance + EPSILON) ** 0.5 * scale + offset

    def training(x: Any, scale: Any, offset: Any) -> Any:
        return normal(x, scale, offset, x.mean(0), ((x - x.mean(0)) ** 2).mean(0))

    def gradient(x: Any, scale: Any, mean: Any, variance: Any, dy: Any) -> Any:
        return of.jax.vjp(lambda y: training(y, scale, 0), x)[1](dy)[0]

    return [
        Case("batch_norm_training", lambda x, s, o: xla.batch_norm_training(x, s, o, EPSILON, 1)[0], training,
             (x, scale, offset), x.size),
        Case("batch_norm_inference", lambda x, s, o, m, v: xla.batch_norm_inference(x, s, o, m, v, EPSILON, 1), normal,
             (x, scale, offset, mean, variance), x.size),
        Case("batch_norm_grad", lambda x, s, m, v, dy: xla.batch_norm_grad(x, s, m, v, dy, EPSILON, 1)[0], gradient,
             (x, scale, mean, variance, x[::-1].copy()), x.size),
    ]  # fmt: skip


def _random(of: Given) -> list[Case]:
    random, key, shape = of.jax.random, of.jax.random.key(0), (of.real.size,)

    def case(name: str, ours: Callable[..., Any], theirs: Callable[..., Any]) -> Case:
        return Case(name, ours, theirs, (np.array(0.25, np.float32),), of.real.size, is_random=True)

    one = np.float32(1)
    return [
        case("rng_uniform", lambda a: xla.rng_uniform(a, one, shape, seed=0),
             lambda a: random.uniform(key, shape, minval=a)),
        case("rng_normal", lambda a: xla.rng_normal(a, one, shape, seed=0), lambda a: random.normal(key, shape) + a),
        case("rng_bernoulli", lambda a: xla.rng_bernoulli(a, shape, seed=0),
             lambda a: random.bernoulli(key, a, shape)),
    ]  # fmt: skip


def _gathers(of: Given) -> list[Case]:
    table = of.rows
    places = np.random.default_rng(4).integers(0, len(table), (len(table), 1), np.int32)
    gathering = of.lax.GatherDimensionNumbers((1,), (0,), (0,))
    scattering = of.lax.ScatterDimensionNumbers((1,), (0,), (0,))
    ours: dict[str, Any] = dict(offset_dims=[1], collapsed_slice_dims=[0], start_index_map=[0], index_vector_dim=1)
    numbers: dict[str, Any] = dict(
        update_window_dims=[1], inserted_window_dims=[0], scatter_dims_to_operand_dims=[0], index_vector_dim=1
    )
    return [
        Case("gather, rows of 64", lambda x, i: xla.gather(x, i, (1, COLUMNS), **ours),
             lambda x, i: of.lax.gather(x, i, gathering, (1, COLUMNS), mode="clip"), (table, places), table.size),
        Case("scatter, add to rows of 64", lambda x, i, y: xla.scatter(x, i, y, xla.add, **numbers),
             lambda x, i, y: of.lax.scatter_add(x, i, y, scattering), (table, places, table), table.size),
    ]  # fmt: skip


def _control(of: Given) -> list[Case]:
    def combined(a: Any, b: Any) -> Any:
        return a * b + a

    def is_early(state: Any) -> Any:
        return state[0] < STEPS

    def step(state: Any) -> Any:
        return state[0] + np.int32(1), state[1] * np.float32(0.5)

    size, zero = of.real.size, np.int32(0)
    return [
        Case("map", lambda x, y: xla.map([x, y], combined), of.jax.vmap(combined), (of.real, of.other), size),
        Case("while, 10 steps", lambda x: xla.while_loop(is_early, step, (zero, x))[1],
             lambda x: of.lax.while_loop(is_early, step, (zero, x))[1], (of.real,), STEPS * size),
        Case("conditional", lambda x: xla.conditional(True, x, np.negative, x, np.abs),
             lambda x: of.lax.cond(True, of.lax.neg, of.lax.abs, x), (of.real,), size),
    ]  # fmt: skip


CLASSES: Final[dict[str, Callable[[Given], list[Case]]]] = {
    "element-wise": _element_wise,
    "convert": _conversions,
    "reduce": _reductions,
    "window": _windows,
    "sort": _sorts,
    "dot": _dots,
    "conv": _convolutions,
    "batch-norm": _batch_norms,
    "rng": _random,
    "gather": _gathers,
    "control": _control,
}


def cases(elements: int, classes: Sequence[str] = tuple(CLASSES)) -> list[Case]:
    """The calls of these classes on about so many elements; products on matrices and images of one size."""
    of = given(elements)
    return [case for name in classes for case in CLASSES[name](of)]
