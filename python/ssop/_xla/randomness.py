"""XLA's random numbers: RngUniform, RngNormal, RngBernoulli, and the bits of RngBitGenerator."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, Final, SupportsIndex

import numpy as np
from numpy.typing import DTypeLike

from ssop import _core
from ssop._errors import kind_of, type_error, value_error
from ssop._xla.conversion import as_element_type, bit_width
from ssop._xla.operands import as_operand, check_own, deliver, public
from ssop._xla.types import kind

Array = np.ndarray[Any, Any]
Seed = SupportsIndex | np.random.Generator | None


@public
def rng_uniform(a: Any, b: Any, shape: Sequence[int], *, seed: Seed = None, out: Array | None = None) -> Array:
    """XLA's RngUniform: numbers of the interval [a, b), each as likely as the others.

    Parameters
    ----------
    a, b : scalars of one dtype, a < b; real floating-point numbers or integers
        Python's own numbers are float32 or int32, unless the other one has a dtype.
    shape : sequence of int
    seed : int, numpy.random.Generator, or None for other numbers in each call
    out : array of the result's shape and dtype, or None

    Returns
    -------
    numpy.ndarray : new, C-ordered, of this shape and the dtype of a and b: `out`, if it is given. Never b itself.

    Raises
    ------
    SliceError : `label` names the rule (rng_*, et_*, in_*, out_*, val_*) in SPEC.md.

    Source: XLA's Operation Semantics; StableHLO `rng`.

    Examples
    --------
    >>> import ssop
    >>> dice = ssop.xla.rng_uniform(1, 7, [1000], seed=1)
    >>> dice.dtype, int(dice.min()), int(dice.max())
    (dtype('int32'), 1, 6)
    """
    op = "xla.rng_uniform"
    low, high = _parameters(op, a=a, b=b)
    if kind(low.dtype) not in ("float", "signed", "unsigned"):
        raise _wrong_dtype(op, "a", low, "real floating-point numbers or integers")
    dims, generator = _shape(op, shape), as_generator(op, seed)
    if not (low < high and np.isfinite(high.astype(np.float64)) and np.isfinite(low.astype(np.float64))):
        message = f"a is {low}, b is {high}, not finite numbers with a < b: XLA leaves open what the result is then"
        raise value_error(op, "rng_c3", message)
    return deliver(op, _uniform(low, high, dims, generator), out)


def _uniform(low: Array, high: Array, shape: tuple[int, ...], generator: np.random.Generator) -> Array:
    """Return numbers of [low, high) (rng_s1)."""
    dtype = low.dtype
    if kind(dtype) != "float":
        wide = np.dtype(np.int64 if kind(dtype) == "signed" else np.uint64) if dtype.isbuiltin == 2 else dtype
        integers = generator.integers(int(low), int(high), prod(shape), wide)
        return integers.astype(dtype, copy=False).reshape(shape)
    fractions = generator.random(prod(shape))
    with np.errstate(all="ignore"):
        numbers = low.astype(np.float64) * (1 - fractions)
        fractions *= high.astype(np.float64)
        numbers += fractions
        rounded = numbers.astype(dtype)
        rounded[~(rounded < high)] = np.nextafter(high, low)
        rounded[~(rounded >= low)] = low
    return rounded.reshape(shape)


@public
def rng_normal(mu: Any, sigma: Any, shape: Sequence[int], *, seed: Seed = None, out: Array | None = None) -> Array:
    """XLA's RngNormal: numbers of the normal distribution of this mean and standard deviation.

    Parameters
    ----------
    mu, sigma : scalars of one dtype, real floating-point numbers, sigma >= 0
        Python's own numbers are float32, unless the other one has a dtype.
    shape : sequence of int
    seed : int, numpy.random.Generator, or None for other numbers in each call
    out : array of the result's shape and dtype, or None

    Returns
    -------
    numpy.ndarray : new, C-ordered, of this shape and the dtype of mu and sigma: `out`, if it is given.

    Raises
    ------
    SliceError : `label` names the rule (rng_*, et_*, in_*, out_*, val_*) in SPEC.md.

    Source: XLA's Operation Semantics; StableHLO `rng`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> x = ssop.xla.rng_normal(10.0, np.float64(0.5), [10000], seed=1)
    >>> x.dtype, bool(abs(x.mean() - 10) < 0.02), bool(abs(x.std() - 0.5) < 0.02)
    (dtype('float64'), True, True)
    """
    op = "xla.rng_normal"
    mean, deviation = _parameters(op, floats=True, mu=mu, sigma=sigma)
    if kind(mean.dtype) != "float":
        raise _wrong_dtype(op, "mu", mean, "real floating-point numbers")
    dims, generator = _shape(op, shape), as_generator(op, seed)
    if not deviation >= 0:
        message = f"sigma is {deviation}, which is no standard deviation: at least 0"
        raise value_error(op, "rng_c3", message)
    with np.errstate(all="ignore"):  # rng_s2
        numbers = generator.standard_normal(prod(dims))
        numbers *= deviation.astype(np.float64)
        numbers += mean.astype(np.float64)
        return deliver(op, numbers.astype(mean.dtype, copy=False).reshape(dims), out)


@public
def rng_bernoulli(mean: Any, shape: Sequence[int], *, seed: Seed = None, out: Array | None = None) -> Array:
    """The RngBernoulli of XLA before 2018: ones with this probability, and zeros.

    Parameters
    ----------
    mean : scalar float32, or a Python number; the probability of a one, 0 to 1
    shape : sequence of int
    seed : int, numpy.random.Generator, or None for other numbers in each call
    out : uint32 array of this shape, or None

    Returns
    -------
    numpy.ndarray : new, C-ordered, uint32, of this shape: `out`, if it is given.

    Raises
    ------
    SliceError : `label` names the rule (rng_*, et_*, in_*, out_*, val_*) in SPEC.md.

    Source: XLA's Operation Semantics of 2017.

    Examples
    --------
    >>> import ssop
    >>> ssop.xla.rng_bernoulli(1.0, [3], seed=1)
    array([1, 1, 1], dtype=uint32)
    """
    op = "xla.rng_bernoulli"
    (probability,) = _parameters(op, floats=True, mean=mean)
    if probability.dtype != np.float32:
        raise _wrong_dtype(op, "mean", probability, "float32")
    dims, generator = _shape(op, shape), as_generator(op, seed)
    if not 0 <= probability <= 1:
        raise value_error(op, "rng_c3", f"mean is {probability}, not in 0..1: the probability of a one")
    return deliver(
        op, (np.asarray(generator.random(dims)) < probability.astype(np.float64)).astype(np.uint32), out
    )  # rng_s3


def _parameters(op: str, *, floats: bool = False, **given: Any) -> list[Array]:
    """Return scalars of one dtype: that of the first which has one, else float32, or int32 for integers (rng_s4)."""
    typed = [(name, x) for name, x in given.items() if hasattr(x, "dtype")]
    for name, x in given.items():
        check_own(op, name, x)
    if typed:
        dtype = as_operand(op, *typed[0]).dtype
    else:
        are_integers = not floats and all(isinstance(x, int) for x in given.values())
        dtype = np.dtype(np.int32 if are_integers else np.float32)
    scalars = [
        as_operand(op, name, x) if hasattr(x, "dtype") else _core.convert_value(op, name, x, dtype)
        for name, x in given.items()
    ]
    for name, scalar in zip(given, scalars, strict=True):
        if scalar.ndim:
            message = f"{name} has shape {scalar.shape}, not (): the parameters of a distribution are scalars"
            raise value_error(op, "rng_c1", message, value=scalar.shape)
        if scalar.dtype != dtype:
            message = f"{name} has dtype {scalar.dtype}, not {dtype}: the parameters of a distribution have one dtype"
            raise type_error(op, "rng_c2", message, value=scalar.dtype)
    return scalars


def _wrong_dtype(op: str, name: str, x: Array, allowed: str) -> Exception:
    message = f"{name} has dtype {x.dtype}: the numbers of this distribution are {allowed}"
    return type_error(op, "rng_c2", message, value=x.dtype)


def _shape(op: str, shape: Any) -> tuple[int, ...]:
    """The dims; MemoryError for more numbers than an array can have, for which NumPy has a ValueError."""
    dims = _core.read_shape(op, "shape", shape)
    if prod(dims) >= 2**59:
        raise MemoryError(f"{op}: shape {list(dims)} is larger than any memory")
    return dims


def as_generator(op: str, seed: Any) -> np.random.Generator:
    """Return the generator that is given, or a new one (rng_c4, rng_s5)."""
    if seed is None or isinstance(seed, np.random.Generator):
        return np.random.default_rng(seed)
    if isinstance(seed, (bool, np.bool_)) or not isinstance(seed, (int, np.integer)):
        message = f"seed is {kind_of(seed, module=True)}, not an int, a numpy.random.Generator or None"
        raise type_error(op, "rng_c4", message, value=seed)
    if seed < 0:
        raise type_error(op, "rng_c4", f"seed is {int(seed)}, not an int of at least 0", value=int(seed))
    return np.random.default_rng(int(seed))


# ---- bits ------------------------------------------------------------------------------------------------------------

ALGORITHMS: Final = ("default", "three_fry", "philox")
ROTATIONS: Final = ((13, 15, 26, 6), (17, 29, 16, 24))
PARITY: Final = np.uint32(0x1BD11BDA)
MULTIPLIERS: Final = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
WEYL: Final = (0x9E3779B9, 0xBB67AE85)
HALF: Final = np.uint64(32)


@public
def rng_bit_generator(
    key: Any, shape: Sequence[int], dtype: DTypeLike = np.uint32, algorithm: str = "default"
) -> tuple[Array, Array]:
    """XLA's RngBitGenerator: random bits that depend on nothing but a state, and the state for the next call.

    Parameters
    ----------
    key : array_like, the state: uint64 of shape (2,), or (3,) with "philox"; or uint32 of shape (4,), as JAX writes it
    shape : sequence of int
    dtype : dtype of the result: integers or real floating-point numbers of 8, 16, 32 or 64 bits
    algorithm : "three_fry", "philox" or "default", which is Philox, as on XLA's CPU

    Returns
    -------
    tuple of numpy.ndarray : new, C-ordered: the next state, of the shape and dtype of key, and the bits. So there is no
        `out`. They are the bits that XLA has on every backend.

    Raises
    ------
    SliceError : `label` names the rule (rng_*, cvt_c1, et_*, in_*) in SPEC.md.

    Source: XLA's Operation Semantics and `prng.cc`; StableHLO `rng_bit_generator`; Salmon and others, "Parallel random
    numbers: as easy as 1, 2, 3", 2011.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.rng_bit_generator(np.array([1, 2], np.uint64), [2], np.uint64, "three_fry")
    (array([1, 4], dtype=uint64), array([ 9236835810183407956, 16087790271692313299], dtype=uint64))
    """
    op = "xla.rng_bit_generator"
    state = as_operand(op, "key", key)
    dims, element_type = _shape(op, shape), as_element_type(op, "dtype", dtype)
    if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
        given = repr(algorithm) if isinstance(algorithm, str) else kind_of(algorithm)
        raise value_error(
            op, "rng_c6", f"algorithm is {given}, not 'default', 'three_fry' or 'philox'", value=algorithm
        )
    words = _state(op, state, algorithm)
    if kind(element_type) not in ("signed", "unsigned", "float") or bit_width(element_type) not in (8, 16, 32, 64):
        message = f"dtype is {element_type}, not of integers or real numbers of 8, 16, 32 or 64 bits"
        raise type_error(op, "rng_c7", message, value=element_type)
    generate = three_fry if algorithm == "three_fry" else philox
    counter, bits = generate(words, dims, 8 * element_type.itemsize)
    return np.array([words[0], *counter], np.uint64).view(state.dtype), bits.view(element_type)


def _state(op: str, state: Array, algorithm: str) -> list[int]:
    """Return the words of 64 bits of a state (rng_c5)."""
    allowed = [(np.uint64, (2,)), (np.uint32, (4,))] + ([(np.uint64, (3,))] if algorithm != "three_fry" else [])
    if (state.dtype, state.shape) not in allowed:
        words = " or ".join(f"{np.dtype(dtype)} of shape {shape}" for dtype, shape in allowed)
        message = f"key has dtype {state.dtype} and shape {state.shape}, not {words}, with algorithm {algorithm!r}"
        raise value_error(op, "rng_c5", message, value=state.shape)
    return [int(word) for word in _core.copy(state).view(np.uint64)]


def three_fry(words: Sequence[int], shape: tuple[int, ...], bits: int) -> tuple[list[int], Array]:
    """Return the next counter and the bits of Threefry-2x32 with 20 rounds, arranged as XLA does (rng_s6)."""
    key, counter = words
    if bits == 64:
        count = prod(shape)
        low, high = _three_fry_words(key, counter, count)
        return [_word(counter + count)], _joined(low, high).reshape(shape)
    dims = list(shape) or [1]
    axis = next((axis for axis, dim in enumerate(dims) if dim % 2 == 0), dims.index(max(dims)))
    half = [*dims[:axis], -(-dims[axis] // 2), *dims[axis + 1 :]]
    words_of_half = [word.reshape(half) for word in _three_fry_words(key, counter, prod(half))]
    pairs = np.stack(words_of_half, axis + 1).reshape([*half[:axis], 2 * half[axis], *half[axis + 1 :]])
    result = pairs[(slice(None),) * axis + (slice(dims[axis]),)].reshape(shape)
    return [_word(counter + prod(half))], result.astype(f"u{bits // 8}", order="C")


def _three_fry_words(key: int, counter: int, count: int) -> tuple[Array, Array]:
    """Return the two words for each of `count` successive counters."""
    counters = np.arange(count, dtype=np.uint64) + np.uint64(counter)
    low, high = _split(counters)
    keys = [np.uint32(key & 0xFFFFFFFF), np.uint32(key >> 32)]
    keys.append(keys[0] ^ keys[1] ^ PARITY)
    low += keys[0]
    high += keys[1]
    for step in range(5):
        for rotation in ROTATIONS[step % 2]:
            low += high
            high = (high << np.uint32(rotation)) | (high >> np.uint32(32 - rotation))
            high ^= low
        low += keys[(step + 1) % 3]
        high += keys[(step + 2) % 3]
        high += np.uint32(step + 1)
    return low, high


def philox(words: Sequence[int], shape: tuple[int, ...], bits: int) -> tuple[list[int], Array]:
    """Return the next counter and the bits of Philox-4x32 with 10 rounds, arranged as XLA does (rng_s7)."""
    key, counter = words[0], words[1:]
    low, high = (counter[0], counter[1]) if len(counter) == 2 else (counter[0], key)
    count = prod(shape) * (2 if bits == 64 else 1)
    blocks = -(-count // 4)
    lows = np.arange(blocks, dtype=np.uint64) + np.uint64(low)
    highs = np.where(lows < np.uint64(low), np.uint64(_word(high + 1)), np.uint64(high))
    numbers = np.stack(_philox_words(key, [*_split(lows), *_split(highs)]), 1).reshape(-1)[:count]
    following = (high << 64) + low + blocks
    result = numbers.view(np.uint64) if bits == 64 else numbers.astype(f"u{bits // 8}", copy=False)
    return [_word(following), _word(following >> 64)][: len(counter)], result.reshape(shape)


def _philox_words(key: int, words: list[Array]) -> list[Array]:
    key_0, key_1 = key & 0xFFFFFFFF, key >> 32
    for step in range(10):
        low_0, high_0 = _split(words[0].astype(np.uint64) * MULTIPLIERS[0])
        low_1, high_1 = _split(words[2].astype(np.uint64) * MULTIPLIERS[1])
        high_1 ^= words[1]
        high_1 ^= np.uint32((key_0 + step * WEYL[0]) & 0xFFFFFFFF)
        high_0 ^= words[3]
        high_0 ^= np.uint32((key_1 + step * WEYL[1]) & 0xFFFFFFFF)
        words = [high_1, low_1, high_0, low_0]
    return words


def _split(words: Array) -> tuple[Array, Array]:
    """Return the lower and the upper halves of words of 64 bits."""
    return words.astype(np.uint32), (words >> HALF).astype(np.uint32)


def _joined(low: Array, high: Array) -> Array:
    return low.astype(np.uint64) | (high.astype(np.uint64) << HALF)


def _word(number: int) -> int:
    return number & 0xFFFFFFFFFFFFFFFF
