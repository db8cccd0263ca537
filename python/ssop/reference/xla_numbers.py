"""XLA's operations on numbers, in plain Python: fractions, and machine words as ints.

Items have no dtype here: formats are given by their bits. So `cvt_c1`, `cvt_c2`, `cvt_c3`, `rp_c1`, `bn_c3`, `bn_c4`,
`bn_c6` and `io_c1` do not concern it. Nor does the precision of batch normalisation (`bn_s4`, `bn_s5`): results are
exact but for the last rounding. It has the bits of random numbers, one block after the other. It does not have their
distributions and arguments: `rng_c1`, `rng_c2`, `rng_c3`, `rng_c4`, `rng_c5`, `rng_c6`, `rng_c7`, `rng_s1`, `rng_s2`,
`rng_s3`, `rng_s4`, `rng_s5`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import copysign, inf, isfinite, isnan, nan, prod, sqrt
from typing import Any

from ssop.reference._tensors import INT64_MAX, Rejected, Tensor, build

WORD = 2**32 - 1

# Numbers of other formats


def exponent_of(number: Fraction) -> int:
    """Return the greatest power of 2 that is not greater than a positive number.

    >>> exponent_of(Fraction(9, 2)), exponent_of(Fraction(1, 3))
    (2, -2)
    """
    exponent = number.numerator.bit_length() - number.denominator.bit_length()
    return exponent if Fraction(2) ** exponent <= number else exponent - 1


def round_to_quantum(number: float | Fraction, quantum: Fraction) -> Fraction:
    """Return the multiple of a quantum that is nearest to a number; of two, the even one.

    >>> round_to_quantum(2.5, Fraction(1)), round_to_quantum(0.7, Fraction(1, 4))
    (Fraction(2, 1), Fraction(3, 4))
    """
    return round(Fraction(number) / quantum) * quantum


def to_float(number: float, exponent_bits: int, mantissa_bits: int) -> float:
    """Return the number of an IEEE format that is nearest to a number (cvt_s4).

    >>> to_float(1.1, 5, 10), to_float(65520, 5, 10), to_float(-1e-9, 5, 10)
    (1.099609375, inf, -0.0)
    """
    if number == 0 or isinstance(number, float) and not isfinite(number):
        return float(number)
    least = 2 - 2 ** (exponent_bits - 1)
    exponent = max(exponent_of(abs(Fraction(number))), least)
    rounded = round_to_quantum(number, Fraction(2) ** (exponent - mantissa_bits))
    size = inf if abs(rounded) >= Fraction(2) ** (2 ** (exponent_bits - 1)) else float(abs(rounded))
    return copysign(size, number)


def to_integer(number: Any, bits: int, signed: bool) -> int:
    """Return an integer of so many bits.

    An integer keeps its lowest bits (cvt_s3). A real number is truncated, then clamped to the range; NaN is 0 (cvt_s2).

    >>> to_integer(300, 8, True), to_integer(300.9, 8, True), to_integer(-1, 8, False), to_integer(-0.9, 8, True)
    (44, 127, 255, 0)
    """
    least, greatest = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    if isinstance(number, complex):
        number = number.real  # cvt_s5
    if isinstance(number, int):
        low: int = number % 2**bits
        return low - 2**bits if low > greatest else low
    if isnan(number):
        return 0
    return max(least, min(greatest, int(number))) if isfinite(number) else greatest if number > 0 else least


def to_bool(number: complex) -> bool:
    """Return whether a number, or the real part of a complex one, is not 0 (cvt_s1, cvt_s5).

    >>> to_bool(float("nan")), to_bool(1j)
    (True, False)
    """
    return (number.real if isinstance(number, complex) else number) != 0


def bitcast_convert_type(x: Tensor, bits: int, new_bits: int) -> Tensor:
    """Return words of so many bits as words of other lengths, the lowest bits first (cvt_s6). Raises `cvt_c4`.

    >>> bitcast_convert_type(Tensor((1,), [0x1234]), 16, 8)
    Tensor(shape=(1, 2), items=[52, 18])
    """
    if bits >= new_bits:
        ratio = bits // new_bits
        parts = [word >> new_bits * place & 2**new_bits - 1 for word in x.items for place in range(ratio)]
        return Tensor(x.shape if ratio == 1 else (*x.shape, ratio), parts)
    ratio = new_bits // bits
    if x.shape[-1:] != (ratio,):
        raise Rejected("cvt_c4", value=x.shape)
    words = [x.items[start : start + ratio] for start in range(0, len(x.items), ratio)]
    return Tensor(x.shape[:-1], [sum(part << bits * place for place, part in enumerate(word)) for word in words])


def reduce_precision(x: Tensor, exponent_bits: int, mantissa_bits: int, format: tuple[int, int] = (11, 52)) -> Tensor:
    """Return numbers of a format, given by its bits, as a smaller format has them.

    Raises `rp_c2` and `rp_c3`. Source: XLA's `InferReducePrecisionShape`, StableHLO's `reduce_precision`.

    >>> reduce_precision(Tensor((3,), [1.1, 65520.0, 1e-9]), 5, 10)
    Tensor(shape=(3,), items=[1.099609375, inf, 0.0])
    """
    if exponent_bits < 1:
        raise Rejected("rp_c2", value=exponent_bits)
    if mantissa_bits < 0:
        raise Rejected("rp_c3", value=mantissa_bits)
    return Tensor(x.shape, [reduced(number, exponent_bits, mantissa_bits, format) for number in x.items])


def reduced(number: float, exponent_bits: int, mantissa_bits: int, format: tuple[int, int]) -> float:
    """Return one number of a format as a smaller format has it.

    >>> reduced(float("nan"), 5, 0, (8, 23)), reduced(-3.5, 2, 0, (8, 23))
    (inf, -inf)
    """
    if isnan(number):
        return number if mantissa_bits else inf  # rp_s3
    if number == 0 or not isfinite(number):
        return number
    exponent_bits, mantissa_bits = min(exponent_bits, format[0]), min(mantissa_bits, format[1])
    least = 2 - 2 ** (format[0] - 1)  # below it, the format's own mantissas have no leading 1
    exponent = max(exponent_of(abs(Fraction(number))), least)
    size = abs(round_to_quantum(number, Fraction(2) ** (exponent - mantissa_bits)))  # rp_s1
    if abs(number) == Fraction(3, 2) * Fraction(2) ** exponent and mantissa_bits == 0:  # an even exponent field
        size = Fraction(2) ** (exponent + (exponent - least + 1) % 2)
    if size >= Fraction(2) ** 2 ** (exponent_bits - 1):  # rp_s2
        return copysign(inf, number)
    if exponent_bits < format[0] and size < Fraction(2) ** (2 - 2 ** (exponent_bits - 1)):
        return copysign(0.0, number)
    return copysign(float(size), number)


# Batch normalisation


def features(x: Tensor, axis: int) -> list[list[int]]:
    """Return for each feature the places of its items.

    >>> features(Tensor((2, 3), [0] * 6), 1)
    [[0, 3], [1, 4], [2, 5]]
    """
    inner = prod(x.shape[axis + 1 :])
    return [
        [place for place in range(len(x.items)) if place // inner % x.shape[axis] == feature]
        for feature in range(x.shape[axis])
    ]


def check_batch_norm(x: Tensor, axis: int, vectors: Sequence[Tensor], grad_output: Tensor | None = None) -> None:
    """Raise `bn_c1`, `bn_c5` for the rank, `bn_c2`, and `bn_c5` for the dims.

    >>> check_batch_norm(Tensor((2,), [1.0, 2.0]), 1, [])
    Traceback (most recent call last):
    ssop.reference._tensors.Rejected: Rejected('bn_c1', axis=None, entry=None, value=1, allowed=(0, 0))
    """
    if not 0 <= axis < len(x.shape):
        raise Rejected("bn_c1", value=axis, allowed=(0, len(x.shape) - 1))
    if grad_output is not None and len(grad_output.shape) != len(x.shape):
        raise Rejected("bn_c5", value=len(grad_output.shape))
    for vector in vectors:
        if len(vector.shape) != 1:
            raise Rejected("bn_c2", value=vector.shape)
    for vector in vectors:
        if vector.shape != (x.shape[axis],):
            raise Rejected("bn_c2", value=vector.shape)
    if grad_output is not None:
        for place, (dim, given) in enumerate(zip(x.shape, grad_output.shape, strict=True)):
            if dim != given:
                raise Rejected("bn_c5", axis=place, value=given)


def divided(number: float, divisor: float) -> float:
    """Return a quotient as IEEE has it.

    >>> divided(1, 0), divided(0, 0)
    (inf, nan)
    """
    if divisor:
        return float(number / divisor)
    return nan if number == 0 or number != number else inf if number > 0 else -inf


def batch_norm_training(
    x: Tensor, scale: Tensor, offset: Tensor, epsilon: float, feature_index: int
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the normalised items, and the mean and the variance of each feature (bn_s1).

    >>> batch_norm_training(Tensor((2, 1), [1.0, 3.0]), Tensor((1,), [2.0]), Tensor((1,), [5.0]), 0.0, 1)[0].items
    [3.0, 7.0]
    """
    check_batch_norm(x, feature_index, [offset, scale])
    means, variances = [], []
    for places in features(x, feature_index):
        center = Fraction(sum(Fraction(x.items[place]) for place in places), max(len(places), 1))
        squares = sum((Fraction(x.items[place]) - center) ** 2 for place in places)
        means.append(float(center) if places else nan)
        variances.append(float(squares / len(places)) if places else nan)
    mean, variance = Tensor((len(means),), means), Tensor((len(means),), variances)
    return batch_norm_inference(x, scale, offset, mean, variance, epsilon, feature_index), mean, variance


def batch_norm_inference(
    x: Tensor, scale: Tensor, offset: Tensor, mean: Tensor, variance: Tensor, epsilon: float, feature_index: int
) -> Tensor:
    """Return the items, normalised by given means and variances (bn_s2).

    >>> one = Tensor((1,), [1.0])
    >>> batch_norm_inference(Tensor((2, 1), [1.0, 3.0]), one, one, Tensor((1,), [2.0]), one, 0.0, 1).items
    [0.0, 2.0]
    """
    check_batch_norm(x, feature_index, [offset, scale, mean, variance])

    def item(index: tuple[int, ...]) -> float:
        feature = index[feature_index]
        deviation = sqrt(variance.items[feature] + epsilon)
        shift: float = offset.items[feature]
        return divided((x.at(index) - mean.items[feature]) * scale.items[feature], deviation) + shift

    return build(x.shape, item)


def batch_norm_grad(
    x: Tensor, scale: Tensor, mean: Tensor, variance: Tensor, grad_output: Tensor, epsilon: float, feature_index: int
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the gradients of the operand, of scale and of offset (bn_s3).

    With n items of a feature, the normalised ones z, and their gradients g, the gradient of an item is
    `scale / deviation * (g - sum(g) / n - z * sum(g * z) / n)`.

    >>> x, g, one = Tensor((3, 1), [0.0, 0.0, 3.0]), Tensor((3, 1), [1.0, 0.0, 0.0]), Tensor((1,), [1.0])
    >>> [part.items for part in batch_norm_grad(x, one, one, Tensor((1,), [2.0]), g, 2.0, 1)][1:]
    [[-0.5], [1.0]]
    """
    check_batch_norm(x, feature_index, [mean, scale, variance], grad_output)
    gradients, scales, offsets = [0.0] * len(x.items), [], []
    for feature, places in enumerate(features(x, feature_index)):
        deviation = sqrt(variance.items[feature] + epsilon)
        given = [Fraction(grad_output.items[place]) for place in places]
        normal = [Fraction(x.items[place] - mean.items[feature]) / Fraction(deviation) for place in places]
        total, product = sum(given), sum(g * z for g, z in zip(given, normal, strict=True))
        for place, g, z in zip(places, given, normal, strict=True):
            inside = g - total / len(places) - z * product / len(places)
            gradients[place] = float(inside) * scale.items[feature] / deviation
        scales.append(float(product))
        offsets.append(float(total))
    return Tensor(x.shape, gradients), Tensor((len(scales),), scales), Tensor((len(offsets),), offsets)


# Iota


def iota(size: int) -> Tensor:
    """Return 0, 1, 2, .. Raises `io_c2`.

    >>> iota(3)
    Tensor(shape=(3,), items=[0, 1, 2])
    """
    if size < 0:
        raise Rejected("io_c2", value=size)
    return Tensor((size,), list(range(size)))


def broadcasted_iota(shape: Sequence[int], dimension: int) -> Tensor:
    """Return a tensor whose items are their own index on one axis (io_s1). Raises `in_c10` and `io_c3`.

    >>> broadcasted_iota((2, 2), 0)
    Tensor(shape=(2, 2), items=[0, 0, 1, 1])
    """
    for axis, dim in enumerate(shape):
        if dim < 0:
            raise Rejected("in_c10", axis=axis, value=dim, allowed=(0, INT64_MAX))
    if not 0 <= dimension < len(shape):
        raise Rejected("io_c3", value=dimension, allowed=(0, len(shape) - 1))
    return build(shape, lambda index: index[dimension])


# Random bits


def three_fry_2x32(key: Sequence[int], counter: Sequence[int]) -> list[int]:
    """Return the two words of Threefry-2x32 with 20 rounds (rng_s6).

    >>> [hex(word) for word in three_fry_2x32([0, 0], [0, 0])]
    ['0x6b200159', '0x99ba4efe']
    """
    keys = [*key, key[0] ^ key[1] ^ 0x1BD11BDA]
    x, y = (counter[0] + keys[0]) & WORD, (counter[1] + keys[1]) & WORD
    for turn in range(20):
        rotation = (13, 15, 26, 6, 17, 29, 16, 24)[turn % 8]
        x = (x + y) & WORD
        y = x ^ ((y << rotation | y >> 32 - rotation) & WORD)
        if turn % 4 == 3:
            step = turn // 4 + 1
            x, y = (x + keys[step % 3]) & WORD, (y + keys[(step + 1) % 3] + step) & WORD
    return [x, y]


def philox_4x32(key: Sequence[int], counter: Sequence[int]) -> list[int]:
    """Return the four words of Philox-4x32 with 10 rounds (rng_s7).

    >>> [hex(word) for word in philox_4x32([0, 0], [0, 0, 0, 0])]
    ['0x6627e8d5', '0xe169c58d', '0xbc57ac4c', '0x9b00dbd8']
    """
    (first, second), (a, b, c, d) = key, counter
    for _ in range(10):
        one, other = a * 0xD2511F53, c * 0xCD9E8D57
        a, b, c, d = (other >> 32) ^ b ^ first, other & WORD, (one >> 32) ^ d ^ second, one & WORD
        first, second = (first + 0x9E3779B9) & WORD, (second + 0xBB67AE85) & WORD
    return [a, b, c, d]
