"""Dims that are known as an interval: merge, relax, arithmetic. Part of `ssop.reference.shapes`, which says more."""

from __future__ import annotations

from itertools import count
from typing import NamedTuple, TypeAlias

from ssop.reference._tensors import INT64_MAX, Rejected

NO_UPPER_END = 2**62  # what is left of any number after some arithmetic; no array is as long
new_id = count(1).__next__  # identities, each given out once

Pair: TypeAlias = tuple[int, "int | None"]
AsDim: TypeAlias = "int | Pair | Dim | None"


class Dim(NamedTuple):
    """The numbers `lo..hi`; dims with the same id, unless it is 0, are the same number (sh_s1)."""

    lo: int = 0
    """The least number."""
    hi: int = INT64_MAX
    """The greatest number."""
    id: int = 0
    """The same for dims that are the same number; 0 if nothing is known of that."""


def dim(value: AsDim = None) -> Dim:
    """Make a dim of a number, of an interval, or an unknown one. A Dim is returned as it is.

    >>> dim(3), dim((2, None))[:2]
    (Dim(lo=3, hi=3, id=0), (2, 9223372036854775807))
    """
    if isinstance(value, Dim):
        return value
    lo, hi = (0, None) if value is None else (value, value) if isinstance(value, int) else value
    hi = INT64_MAX if hi is None else hi
    return Dim(lo, hi, 0 if lo == hi else new_id())


def is_known(a: Dim) -> bool:
    """Tell whether a dim is one number.

    >>> is_known(dim(3)), is_known(dim((3, 4)))
    (True, False)
    """
    return a.lo == a.hi


def is_same(a: Dim, b: Dim) -> bool:
    """Tell whether two dims are the same number, by value or by identity.

    >>> x = dim()
    >>> is_same(x, x), is_same(x, dim()), is_same(dim(2), dim(2))
    (True, False, True)
    """
    return a.id == b.id if a.id or b.id else a.lo == b.lo


def dim_text(a: Dim) -> str:
    """Return a dim as TensorFlow's messages write it, and an interval as lo..hi.

    >>> dim_text(dim(3)), dim_text(dim()), dim_text(dim((1, 4))), dim_text(dim((2, None)))
    ('3', '?', '1..4', '2..')
    """
    if is_known(a):
        return str(a.lo)
    is_open = a.hi >= NO_UPPER_END
    if is_open and a.lo == 0:
        return "?"
    return f"{a.lo}.." if is_open else f"{a.lo}..{a.hi}"


def merge_dims(a: Dim, b: Dim) -> Dim:
    """Return what both dims say together: one of the two if it says as much (sh_s3). Raises `sh_c3`.

    >>> dim_text(merge_dims(dim((1, 4)), dim((3, 6)))), dim_text(merge_dims(dim(), dim(3)))
    ('3..4', '3')
    """
    if is_same(a, b):
        return a
    common = max(a.lo, b.lo), min(a.hi, b.hi)
    if common[0] > common[1]:
        raise Rejected("sh_c3", value=(a[:2], b[:2]))
    return next((given for given in (a, b) if given[:2] == common), None) or dim(common)


def relax_dims(old: Dim, new: Dim, mode: str = "tight") -> Dim:
    """Return what either dim allows (sh_s4).

    >>> dim_text(relax_dims(dim(2), dim(3))), dim_text(relax_dims(dim(2), dim(3), "tf"))
    ('2..3', '?')
    """
    if is_same(old, new):
        return old
    if mode == "tight":  # no identity: the result is neither dim in every completion
        return dim((min(old.lo, new.lo), max(old.hi, new.hi)))
    return new if new[:2] in (old[:2], (0, INT64_MAX)) else dim()


def with_value(a: Dim, value: int) -> Dim:
    """Return the dim as this number. Raises `sh_c8`.

    >>> dim_text(with_value(dim((1, 4)), 3))
    '3'
    """
    if not a.lo <= value <= a.hi:
        raise Rejected("sh_c8", value=a[:2], allowed=(value, value))
    return merge_dims(a, dim(value))


def _forgetful(a: Dim, b: Dim, mode: str) -> bool:
    """TensorFlow knows nothing about an unknown number and any other."""
    return mode == "tf" and not (is_known(a) and is_known(b))


def add(a: Dim, b: Dim, mode: str = "tight") -> Dim:
    """Return `a + b` (sh_s5). Raises `sh_c13`.

    >>> dim_text(add(dim((1, 4)), dim(2))), dim_text(add(dim((1, 4)), dim(2), "tf"))
    ('3..6', '?')
    """
    if 0 in (a.hi, b.hi):
        return b if a.hi == 0 else a
    if _forgetful(a, b, mode):
        return dim()
    if a.lo + b.lo > INT64_MAX:
        raise Rejected("sh_c13", value=(a[:2], b[:2]))
    return dim((a.lo + b.lo, min(a.hi + b.hi, INT64_MAX)))


def subtract(a: Dim, b: Dim, mode: str = "tight") -> Dim:
    """Return `a - b` (sh_s5). Raises `sh_c12`.

    >>> x = dim()
    >>> dim_text(subtract(dim((1, 4)), dim(2))), dim_text(subtract(x, x)), dim_text(subtract(x, x, "tf"))
    ('0..2', '0', '?')
    """
    if b.hi == 0:
        return a
    if _forgetful(a, b, mode):
        return dim()
    if is_same(a, b):
        return dim(0)
    if a.hi < b.lo:
        raise Rejected("sh_c12", value=(b[:2], a[:2]))
    return dim((max(a.lo - b.hi, 0), a.hi - b.lo))


def multiply(a: Dim, b: Dim, mode: str = "tight") -> Dim:
    """Return `a * b` (sh_s6). Raises `sh_c14`.

    >>> dim_text(multiply(dim((1, 4)), dim((2, 3)))), dim_text(multiply(dim(), dim(0), "tf"))
    ('2..12', '0')
    """
    for first in (a, b):
        if first.hi == 0:
            return first
    for first, second in ((a, b), (b, a)):
        if first[:2] == (1, 1):
            return second
    if _forgetful(a, b, mode):
        return dim()
    if a.lo * b.lo > INT64_MAX:
        raise Rejected("sh_c14", value=(a[:2], b[:2]))
    return dim((a.lo * b.lo, min(a.hi * b.hi, INT64_MAX)))


def divide(a: Dim, b: Dim, evenly: bool = False, mode: str = "tight") -> Dim:
    """Return `a / b`, rounded down; with `evenly`, a remainder is an error (sh_s6). Raises `sh_c15`, `sh_c16`.

    >>> dim_text(divide(dim((3, 9)), dim(2))), dim_text(divide(dim((3, 9)), dim(2), True))
    ('1..4', '2..4')
    """
    if b[:2] == (1, 1):
        return a
    if _forgetful(a, b, mode):
        return dim()
    if b.hi <= 0:
        raise Rejected("sh_c15", value=b.hi, allowed=(1, INT64_MAX))
    if a.id and a.id == b.id:  # 0 / 0 is an error
        return dim(1)
    divisors = max(b.lo, 1), b.hi
    if not evenly:
        return dim((a.lo // divisors[1], a.hi // divisors[0]))
    # q is a quotient if q * divisor is in a for some divisor.
    least, most = -(-a.lo // divisors[1]), a.hi // divisors[0]

    def is_quotient(q: int) -> bool:
        if q == 0:
            return a.lo == 0
        return max(-(-a.lo // q), divisors[0]) <= min(a.hi // q, divisors[1])

    lo = next((q for q in range(least, most + 1) if is_quotient(q)), None)
    if lo is None:
        raise Rejected("sh_c16", value=(b[:2], a[:2]))
    return dim((lo, next(q for q in range(most, lo - 1, -1) if is_quotient(q))))


def minimum(a: Dim, b: Dim, mode: str = "tight") -> Dim:
    """Return the lesser dim (sh_s7).

    >>> dim_text(minimum(dim((1, 4)), dim((2, None)))), dim_text(minimum(dim(), dim(0), "tf"))
    ('1..4', '0')
    """
    for first in (a, b):
        if first.hi == 0:
            return first
    if _forgetful(a, b, mode):
        return dim()
    if is_same(a, b) or a.hi <= b.lo:
        return a
    return b if b.hi <= a.lo else dim((min(a.lo, b.lo), min(a.hi, b.hi)))


def maximum(a: Dim, b: Dim, mode: str = "tight") -> Dim:
    """Return the greater dim (sh_s7).

    >>> dim_text(maximum(dim((1, 4)), dim((2, None)))), dim_text(maximum(dim(), dim(0), "tf"))
    ('2..', '?')
    """
    if _forgetful(a, b, mode):
        return dim()
    if is_same(a, b) or a.lo >= b.hi:
        return a
    return b if b.lo >= a.hi else dim((max(a.lo, b.lo), max(a.hi, b.hi)))
