"""Conversions, reduced precision, batch normalisation, random bits, Sort and Iota against JAX and XLA on the CPU."""

import jax
import numpy as np
import pytest
from hypothesis import given, seed
from hypothesis import strategies as st
from jax import lax
from jax.extend.backend import get_backend
from jaxlib import xla_client

import ssop
from differential.jax_calls import (
    LEFT_OUT,
    SEED,
    Calls,
    as_numpy,
    assert_exact,
    compare,
    drawn_sets,
    numbers,
    parts,
    some,
    types,
)
from scale import sampled
from ssop._xla.conversion import bit_width
from ssop._xla.types import kind
from ssop.testing import strategies as slicing
from ssop.testing.arrays import every_dtype

TYPES = [dtype for dtype in set(every_dtype()) if dtype.isnative and kind(dtype) and dtype.name not in LEFT_OUT]
TYPES.sort(key=lambda dtype: dtype.name)
NUMBERS = [dtype for dtype in TYPES if kind(dtype) != "pred"]
NARROWEST = ("int2", "uint2")
each_number = pytest.mark.parametrize("dtype", list(sampled(NUMBERS)), ids=lambda dtype: dtype.name)
pytestmark = pytest.mark.filterwarnings("ignore:Casting complex values")


def compiled(function):
    """A function of JAX that returns arrays of NumPy."""
    program = jax.jit(function)
    return lambda *arrays: as_numpy(program(*arrays))


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


def assert_converted(got, expected, x):
    flushed = is_subnormal(x) | is_subnormal(got)
    if got.dtype.name == "float8_e8m0fnu":  # it has no 0, and what XLA's CPU code takes for 0 becomes NaN
        flushed |= is_less(got, 2.0**-126)
    assert_exact(got, expected, but=flushed)


@st.composite
def conversions(draw):
    left_out = set(LEFT_OUT)
    shape, source, target = draw(
        slicing.conversion_arguments().filter(lambda found: left_out.isdisjoint(dtype.name for dtype in found[1:]))
    )
    return Calls(
        lambda x: ssop.xla.convert_element_type(x, target),
        lambda x: lax.convert_element_type(x, target),
        drawn_sets(draw, slicing.numeric_arrays(shape, source)),
        assert_converted,
    )


@pytest.mark.parametrize("dtype", list(sampled(TYPES)), ids=lambda dtype: dtype.name)
def test_conversions_from_all_dtypes(dtype):
    program = compiled(lambda *arrays: [lax.convert_element_type(x, dtype) for x in arrays])

    @seed(SEED)
    @some(20)
    @given(st.tuples(*[slicing.numeric_arrays((9,), source) for source in TYPES]))
    def check(arrays):
        for x, expected in zip(arrays, program(*arrays), strict=True):
            assert_converted(ssop.xla.convert_element_type(x, dtype), expected, x)

    check()


def assert_same_bits(got, expected, *_):
    assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
    small = got.dtype.name.lstrip("u") in ("int2", "int4")
    assert np.array_equal(got.astype(int), expected.astype(int)) if small else got.tobytes() == expected.tobytes()


@st.composite
def bitcasts(draw):
    left_out = {*LEFT_OUT, "int2", "int4", "uint2", "uint4"}  # elements of few bits are compared below
    shape, source, target = draw(
        slicing.conversion_arguments(bitcast=True).filter(
            lambda found: left_out.isdisjoint(dtype.name for dtype in found[1:])
        )
    )
    return Calls(
        lambda x: ssop.xla.bitcast_convert_type(x, target),
        lambda x: lax.bitcast_convert_type(x, target),
        drawn_sets(draw, slicing.numeric_arrays(shape, source)),
        assert_same_bits,
    )


@each_number
def test_bitcasts_to_all_dtypes_and_back(dtype):
    """From one dtype to all that have as many bits, or a part of them, and back."""
    targets = [to for to in NUMBERS if "complex" not in (kind(to), kind(dtype))]
    targets = [to for to in targets if bit_width(dtype) % bit_width(to) == 0]
    program = compiled(lambda x: [lax.bitcast_convert_type(x, to) for to in targets])
    back = compiled(lambda *arrays: [lax.bitcast_convert_type(x, dtype) for x in arrays])

    @seed(SEED)
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


def assert_reduced(got, expected, x, mantissa_bits):
    with np.errstate(all="ignore"):
        is_nan = np.isnan(x)
    if mantissa_bits == 0:  # XLA's CPU code keeps NaN, where StableHLO's interpreter has infinity
        assert np.isposinf(got[is_nan]).all() and np.isnan(expected[is_nan]).all()
    elif x.dtype.name != "bfloat16":  # of which it makes a NaN of its own
        assert got[is_nan].tobytes() == expected[is_nan].tobytes()
    assert got[~is_nan].tobytes() == expected[~is_nan].tobytes()


@st.composite
def reduced_precisions(draw):
    dtype = draw(types(["float"]).filter(lambda dtype: dtype.name in FORMATS))
    e, m = draw(st.integers(1, 12)), draw(st.integers(0, 53))
    return Calls(
        lambda x: ssop.xla.reduce_precision(x, e, m),
        lambda x: lax.reduce_precision(x, e, m),
        drawn_sets(draw, slicing.numeric_arrays((24,), dtype)),
        lambda got, expected, x: assert_reduced(got, expected, x, m),
    )


@pytest.mark.parametrize("name", FORMATS)
def test_reduced_precisions_of_many_formats(name):
    program = compiled(lambda x: [lax.reduce_precision(x, e, m) for e, m in BITS])

    @seed(SEED)
    @some(20)
    @given(slicing.numeric_arrays((24,), jax.numpy.dtype(name)))
    def check(x):
        for (exponent_bits, mantissa_bits), expected in zip(BITS, program(x), strict=True):
            assert_reduced(ssop.xla.reduce_precision(x, exponent_bits, mantissa_bits), expected, x, mantissa_bits)

    check()


@st.composite
def sorts(draw):
    """Some elements are equal, so that the order of the others shows. JAX sorts by more keys if it is stable."""
    shape, count, options = draw(slicing.sort_arguments())
    # XLA's CPU code does not sort integers of 2 bits: its results are not even the same elements.
    dtypes = [draw(types(but=NARROWEST)) for _ in range(count)]
    different = draw(st.integers(1, 9))

    def repeated(x):
        if x.dtype.name.endswith("fnuz"):  # their NaN has the bits of -0, and XLA's CPU code puts it first
            x = np.where(np.isnan(x.astype(np.float32)), x.dtype.type(0), x).astype(x.dtype)
        return x.ravel()[np.arange(x.size) % different % max(x.size, 1)].reshape(shape)

    def theirs(*arrays):
        return lax.sort(arrays, options["dimension"] % len(shape), options["is_stable"], options["num_keys"])

    return Calls(
        lambda *arrays: ssop.xla.sort(arrays, **options),
        theirs,
        drawn_sets(draw, *[numbers(shape, dtype).map(repeated) for dtype in dtypes]),
        assert_exact,
    )


@each_number
def test_iota(dtype):
    shapes = [((300,), 0), ((2, 3), 1), ((3, 0), 0), ((2, 3, 2), 1)]
    program = compiled(lambda: [lax.broadcasted_iota(dtype, shape, axis) for shape, axis in shapes])
    for (shape, axis), expected in zip(shapes, program(), strict=True):
        got = ssop.xla.broadcasted_iota(dtype, shape, axis)
        assert_exact(got, expected, but=np.isnan(got.astype(np.complex128)))
        if axis == 0 and len(shape) == 1:
            assert_exact(ssop.xla.iota(dtype, shape[0]), expected, but=np.isnan(got.astype(np.complex128)))


DRAWS = [(shape, dtype) for shape in ((), (5,), (3, 4), (5, 3, 3)) for dtype in ("u2", "u4", "u8")]


@pytest.mark.parametrize("words", [np.uint32, np.uint64], ids=lambda dtype: dtype.__name__)
@pytest.mark.parametrize("algorithm", ["default", "three_fry", "philox"])
def test_rng_bit_generator(algorithm, words):
    of_jax = getattr(lax.RandomAlgorithm, f"RNG_{algorithm.upper()}")
    program = compiled(lambda key: [lax.rng_bit_generator(key, shape, dtype, of_jax) for shape, dtype in DRAWS])
    edges = st.sampled_from([0, 1, 2**32 - 1, 2**32, 2**63, 2**64 - 1]) | st.integers(0, 2**64 - 1)

    @seed(SEED)
    @some(20)
    @given(st.tuples(edges, edges))
    def check(state):
        key = np.array(state, np.uint64).view(words)
        for (shape, dtype), expected in zip(DRAWS, program(key), strict=True):
            for got, wanted in zip(ssop.xla.rng_bit_generator(key, shape, dtype, algorithm), expected, strict=True):
                assert (got.dtype, got.shape, got.tolist()) == (wanted.dtype, wanted.shape, wanted.tolist())

    check()


STABLEHLO = {"float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64"}
BATCH_NORM_TOLERANCES = {"float16": 1e-2, "bfloat16": 6e-2, "float32": 2e-5, "float64": 1e-12}
FORMS = {"training": "xoo", "inference": "xoom+", "grad": "xom+x"}
"""The operands of each: x, numbers; o, some for each feature, m, their means, and +, variances."""


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


@st.composite
def batch_norms(draw, form):
    """Calls of programs that XLA compiles: JAX has no function."""
    arguments = slicing.batch_norm_arguments(max_dim=4)  # XLA's sums of many halves are those of few digits
    shape, axis = draw(arguments.filter(lambda found: 1 < np.prod(found[0]) // found[0][found[1]] <= 16))
    dtype = draw(st.sampled_from(sorted(STABLEHLO)))

    def operands(seed):
        rng = np.random.default_rng(seed)
        spread = np.moveaxis(np.moveaxis(np.zeros(shape), axis, -1) + distinct(shape, axis), -1, axis)
        makers = {
            "x": lambda: spread + rng.normal(0, 0.1, shape),
            "o": lambda: rng.normal(size=shape[axis]),
            "m": lambda: rng.normal(size=shape[axis]),
            "+": lambda: rng.uniform(0.5, 2, shape[axis]),
        }
        return tuple(makers[letter]().astype(jax.numpy.dtype(dtype)) for letter in FORMS[form])

    def assert_close(got, expected, *_):
        for one, other in zip(got if form != "inference" else [got], expected, strict=True):
            assert (one.dtype, one.shape) == (other.dtype, other.shape)
            one, other = one.astype(np.float64), other.astype(np.float64)
            limit = BATCH_NORM_TOLERANCES[dtype] * max(1, np.abs(other).max())
            assert (np.abs(one - other) <= limit).all(), (one, other)

    return Calls(
        lambda *arrays: getattr(ssop.xla, f"batch_norm_{form}")(*arrays, 1e-3, axis),
        program_of(form, shape, axis, dtype),
        [operands(seed) for (seed,) in drawn_sets(draw, st.integers(0, 2**32 - 1))],
        assert_close,
        is_compiled=True,
    )


ROWS = {
    "convert_element_type": conversions(),
    "bitcast_convert_type": bitcasts(),
    "reduce_precision": reduced_precisions(),
    "sort": sorts(),
    **{f"batch_norm_{form}": batch_norms(form) for form in FORMS},
}


@pytest.mark.parametrize("name", ROWS)
def test_calls(name):
    compare(ROWS[name])
