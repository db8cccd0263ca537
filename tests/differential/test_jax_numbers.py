"""Conversions, reduced precision, batch normalisation, random bits, Sort and Iota against JAX and XLA on the CPU."""

import jax
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from jax import lax
from jax.extend.backend import get_backend
from jaxlib import xla_client

import ssop
from scale import examples
from ssop._xla.conversion import bit_width
from ssop._xla.types import kind
from ssop.testing import strategies as slicing
from ssop.testing.arrays import every_dtype

jax.config.update("jax_enable_x64", True)

LEFT_OUT = ("int1", "uint1", "float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn")  # XLA's CPU code ends the process
TYPES = [dtype for dtype in every_dtype() if dtype.isnative and kind(dtype) and dtype.name not in LEFT_OUT]
NUMBERS = [dtype for dtype in TYPES if kind(dtype) != "pred"]
each_type = pytest.mark.parametrize("dtype", TYPES, ids=lambda dtype: dtype.name)
each_number = pytest.mark.parametrize("dtype", NUMBERS, ids=lambda dtype: dtype.name)
pytestmark = pytest.mark.filterwarnings("ignore:Casting complex values")


def some(count):
    """Settings for so many examples; one compiled program answers all of them, each for many calls."""
    return settings(
        deadline=None,
        database=None,
        derandomize=True,
        max_examples=examples(count),
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


def compiled(function):
    """A function of JAX that returns arrays of NumPy."""
    program = jax.jit(function)
    return lambda *arrays: jax.tree.map(np.asarray, program(*arrays))


def parts(x):
    return [x.real, x.imag] if kind(x.dtype) == "complex" else [x]


@np.errstate(all="ignore")
def is_subnormal(x):
    """Whether an element, or a part of it, is a number that XLA's CPU code takes for 0."""
    found = np.zeros(x.shape, bool)
    if kind(x.dtype) in ("float", "complex") and x.dtype.itemsize > 2 or x.dtype.name == "bfloat16":
        for part in parts(x):
            least = 2.0**-126 if part.dtype.itemsize < 8 else 2.0**-1022
            size = np.abs(part.astype(np.float64))
            found |= (size > 0) & (size < least)
    return found


@np.errstate(all="ignore")
def is_less(x, limit):
    return np.abs(x.astype(np.float64)) < limit


@np.errstate(all="ignore")
def assert_same(got, expected, but=False):
    """Equal bit by bit, except where `but` is true, and the bits of a NaN."""
    assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
    for one, other in zip(parts(got), parts(expected), strict=True):
        if kind(got.dtype) in ("float", "complex"):
            one, other = one.astype(np.float64), other.astype(np.float64)
            same = ((one == other) & (np.signbit(one) == np.signbit(other))) | (np.isnan(one) & np.isnan(other))
        else:
            same = one == other
        assert (same | but).all(), (got.dtype, one[~(same | but)], other[~(same | but)])


@each_type
def test_convert_element_type(dtype):
    """To one dtype from all of them."""
    program = compiled(lambda *arrays: [lax.convert_element_type(x, dtype) for x in arrays])

    @some(20)
    @given(st.tuples(*[slicing.numeric_arrays((9,), source) for source in TYPES]))
    def check(arrays):
        for x, expected in zip(arrays, program(*arrays), strict=True):
            got = ssop.xla.convert_element_type(x, dtype)
            flushed = is_subnormal(x) | is_subnormal(got)
            if dtype.name == "float8_e8m0fnu":  # it has no 0, and what XLA's CPU code takes for 0 becomes NaN
                flushed |= is_less(got, 2.0**-126)
            assert_same(got, expected, flushed)

    check()


@each_number
def test_bitcast_convert_type(dtype):
    """From one dtype to all that have as many bits, or a part of them, and back."""
    targets = [to for to in NUMBERS if "complex" not in (kind(to), kind(dtype))]
    targets = [to for to in targets if bit_width(dtype) % bit_width(to) == 0]
    program = compiled(lambda x: [lax.bitcast_convert_type(x, to) for to in targets])
    back = compiled(lambda *arrays: [lax.bitcast_convert_type(x, dtype) for x in arrays])

    def assert_same_bits(got, expected):
        assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
        small = got.dtype.name.lstrip("u") in ("int2", "int4")
        assert np.array_equal(got.astype(int), expected.astype(int)) if small else got.tobytes() == expected.tobytes()

    @some(20)
    @given(slicing.numeric_arrays((2, 3), dtype))
    def check(x):
        results = [ssop.xla.bitcast_convert_type(x, to) for to in targets]
        for got, expected in zip(results, program(x), strict=True):
            assert_same_bits(got, expected)
        for got, expected in zip(results, back(*results), strict=True):
            assert_same_bits(ssop.xla.bitcast_convert_type(got, dtype), expected)

    check()


FORMATS = ("float16", "bfloat16", "float32", "float64")
BITS = [(e, m) for e in (1, 2, 5, 8, 12) for m in (0, 1, 7, 10, 23, 52)]


@pytest.mark.parametrize("name", FORMATS)
def test_reduce_precision(name):
    dtype = np.dtype(jax.numpy.dtype(name))
    program = compiled(lambda x: [lax.reduce_precision(x, e, m) for e, m in BITS])

    @some(20)
    @given(slicing.numeric_arrays((24,), dtype))
    def check(x):
        with np.errstate(all="ignore"):
            is_nan = np.isnan(x)
        for (exponent_bits, mantissa_bits), expected in zip(BITS, program(x), strict=True):
            got = ssop.xla.reduce_precision(x, exponent_bits, mantissa_bits)
            if mantissa_bits == 0:  # XLA's CPU code keeps NaN, where StableHLO's interpreter has infinity
                assert np.isposinf(got[is_nan]).all() and np.isnan(expected[is_nan]).all()
            elif name != "bfloat16":  # of which it makes a NaN of its own
                assert got[is_nan].tobytes() == expected[is_nan].tobytes()
            assert got[~is_nan].tobytes() == expected[~is_nan].tobytes()

    check()


# XLA's CPU code does not sort integers of 2 bits: its results are not even the same elements.
@pytest.mark.parametrize("dtype", [x for x in TYPES if x.name not in ("int2", "uint2")], ids=lambda dtype: dtype.name)
def test_sort_one_operand(dtype):
    program = compiled(lambda x: [lax.sort(x, 0), lax.sort(x, 1)])

    @some(25)
    @given(slicing.numeric_arrays((4, 5), dtype))
    def check(x):
        left_out = is_subnormal(x)
        if dtype.name.endswith("fnuz"):  # their NaN has the bits of -0, and XLA's CPU code puts it first
            left_out |= np.isnan(x.astype(np.float32))
        x = np.where(left_out, x.dtype.type(0), x).astype(dtype)
        for axis, expected in enumerate(program(x)):
            assert_same(ssop.xla.sort(x, axis), expected)

    check()


@pytest.mark.parametrize("num_keys", [1, 2, 3])
@pytest.mark.parametrize(
    "names", [("i4", "f4", "u1"), ("f8", "?", "f2"), ("c8", "bfloat16", "i8"), ("float8_e5m2", "c16", "f4")], ids=str
)
def test_sort_several_operands(names, num_keys):
    dtypes = [np.dtype(jax.numpy.dtype(name)) for name in names]
    program = compiled(lambda *arrays: lax.sort(arrays, 0, num_keys=num_keys))

    @some(40)
    @given(st.tuples(*[slicing.numeric_arrays((12,), dtype) for dtype in dtypes]), st.integers(1, 4))
    def check(arrays, different):
        arrays = [np.where(is_subnormal(x), x.dtype.type(0), x).astype(x.dtype) for x in arrays]
        arrays = [x[np.arange(12) * (place + 5) % different] for place, x in enumerate(arrays)]  # some are equal
        for got, expected in zip(ssop.xla.sort(arrays, 0, True, num_keys), program(*arrays), strict=True):
            assert_same(got, expected)

    check()


@each_number
def test_iota(dtype):
    shapes = [((300,), 0), ((2, 3), 1), ((3, 0), 0), ((2, 3, 2), 1)]
    program = compiled(lambda: [lax.broadcasted_iota(dtype, shape, axis) for shape, axis in shapes])
    for (shape, axis), expected in zip(shapes, program(), strict=True):
        got = ssop.xla.broadcasted_iota(dtype, shape, axis)
        assert_same(got, expected, np.isnan(got.astype(np.complex128)))
        if axis == 0 and len(shape) == 1:
            assert_same(ssop.xla.iota(dtype, shape[0]), expected, np.isnan(got.astype(np.complex128)))


DRAWS = [(shape, dtype) for shape in ((), (5,), (3, 4), (5, 3, 3)) for dtype in ("u2", "u4", "u8")]


@pytest.mark.parametrize("words", [np.uint32, np.uint64], ids=lambda dtype: dtype.__name__)
@pytest.mark.parametrize("algorithm", ["default", "three_fry", "philox"])
def test_rng_bit_generator(algorithm, words):
    of_jax = getattr(lax.RandomAlgorithm, f"RNG_{algorithm.upper()}")
    program = compiled(lambda key: [lax.rng_bit_generator(key, shape, dtype, of_jax) for shape, dtype in DRAWS])
    edges = st.sampled_from([0, 1, 2**32 - 1, 2**32, 2**63, 2**64 - 1]) | st.integers(0, 2**64 - 1)

    @some(20)
    @given(st.tuples(edges, edges))
    def check(state):
        key = np.array(state, np.uint64).view(words)
        for (shape, dtype), expected in zip(DRAWS, program(key), strict=True):
            for got, wanted in zip(ssop.xla.rng_bit_generator(key, shape, dtype, algorithm), expected, strict=True):
                assert (got.dtype, got.shape, got.tolist()) == (wanted.dtype, wanted.shape, wanted.tolist())

    check()


STABLEHLO = {"float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64"}
CASES = [((3, 4), 1), ((2, 3, 4), 0)]
TOLERANCES = {"float16": 1e-2, "bfloat16": 6e-2, "float32": 2e-5, "float64": 1e-12}


def program_of(form, shape, axis, dtype):
    """An operation of StableHLO as XLA's CPU client compiles it; JAX has no function for it."""
    element = STABLEHLO[dtype]
    big, vector = f"tensor<{'x'.join(map(str, shape))}x{element}>", f"tensor<{shape[axis]}x{element}>"
    operands = {
        "training": [big, vector, vector],
        "inference": [big, vector, vector, vector, vector],
        "grad": [big, vector, vector, vector, big],
    }[form]
    results = [big] if form == "inference" else [big, vector, vector]
    names = [f"%{number}" for number in range(len(operands))]
    parameters = ", ".join(f"{name}: {of}" for name, of in zip(names, operands, strict=True))
    values = [f"%r#{number}" for number in range(len(results))] if len(results) > 1 else ["%r"]
    text = f"""
    func.func @main({parameters}) -> ({", ".join(results)}) {{
      %r{f":{len(results)}" if len(results) > 1 else ""} = "stablehlo.batch_norm_{form}"({", ".join(names)})
        {{epsilon = 0.001 : f32, feature_index = {axis} : i64}} : ({", ".join(operands)}) -> ({", ".join(results)})
      return {", ".join(values)} : {", ".join(results)}
    }}"""
    client = get_backend("cpu")
    devices = xla_client.DeviceList(tuple(client.local_devices()[:1]))
    program = client.compile_and_load(text, devices, xla_client.CompileOptions())

    def run(*arrays):
        given = [jax.device_put(array) for array in arrays]
        return [np.asarray(x[0]) for x in program.execute_sharded(given).disassemble_into_single_device_arrays()]

    return run


def distinct(shape, axis):
    """Different numbers for each feature, whose variance is not small: XLA subtracts squares of means."""
    others = [dim for place, dim in enumerate(shape) if place != axis]
    numbers = np.arange(np.prod(others, dtype=int)).reshape(*others, 1)
    return (numbers - numbers.mean()) / numbers.std()


@pytest.mark.parametrize("dtype", STABLEHLO)
@pytest.mark.parametrize("form", ["training", "inference", "grad"])
def test_batch_norm(form, dtype):
    rng = np.random.default_rng(len(form))
    for shape, axis in CASES:
        run = program_of(form, shape, axis, dtype)
        for _ in range(examples(65)):
            spread = np.moveaxis(
                np.zeros(np.moveaxis(np.zeros(shape), axis, -1).shape) + distinct(shape, axis), -1, axis
            )
            x, dy = ((spread + rng.normal(0, 0.1, shape)).astype(jax.numpy.dtype(dtype)) for _ in range(2))
            scale, offset, mean = (rng.normal(size=shape[axis]).astype(x.dtype) for _ in range(3))
            variance = rng.uniform(0.5, 2, shape[axis]).astype(x.dtype)
            operands = {
                "training": (x, scale, offset),
                "inference": (x, scale, offset, mean, variance),
                "grad": (x, scale, mean, variance, dy),
            }[form]
            results = getattr(ssop.xla, f"batch_norm_{form}")(*operands, 1e-3, axis)
            for got, wanted in zip(results if form != "inference" else [results], run(*operands), strict=True):
                assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape)
                one, other = got.astype(np.float64), wanted.astype(np.float64)
                limit = TOLERANCES[dtype] * max(1, np.abs(other).max())
                assert (np.abs(one - other) <= limit).all(), (one, other)
