"""What small spaces of calls are made of; the operations that have shape functions are in `shape_operations.py`."""

from collections.abc import Callable
from itertools import combinations_with_replacement, product
from math import prod
from random import Random
from typing import NamedTuple

import numpy as np

import ssop

INT64 = (-(2**63), 2**63 - 1)
MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


class Operation(NamedTuple):
    """`execute` gets arrays of the operands' shapes; `call` makes a call of one alternative of each list in `space`."""

    infer: Callable
    execute: Callable
    operands: int
    space: tuple
    call: Callable
    partial_space: tuple | None = None  # with intervals; None: as for `space`
    checks_in_tf: bool = True  # False: the mode "tf" allows calls that are an error
    is_exact: bool = True  # False: tight results are not always the smallest intervals


def zeros(dims, dtype=np.int8):
    return np.zeros(dims, dtype)


def known_shape(operation, operands, args):
    """The shape that execution gives, or the label of its error."""
    try:
        return operation.execute(*map(zeros, operands), **args).shape
    except ssop.SliceError as error:
        return error.label


def inferred(operation, operands, args, mode):
    """The partial shape, or the label of the error."""
    try:
        return operation.infer(*operands, **args, mode=mode)
    except ssop.SliceError as error:
        return error.label


def count_of(space):
    return prod(map(len, space))


def choices(space, most):
    """All combinations of the alternatives, or so many random ones."""
    if count_of(space) <= most:
        yield from product(*space)
        return
    rng = Random(count_of(space))
    for _ in range(most):
        yield tuple(rng.choice(alternatives) for alternatives in space)


def intervals(values):
    """Every interval of consecutive values, the single ones as numbers."""
    return [lo if lo == hi else (lo, hi) for lo, hi in combinations_with_replacement(values, 2)]


def is_partial(value):
    """Whether it is an interval; the entries of padding_config have three numbers."""
    return isinstance(value, tuple) and len(value) == 2


SHAPES = [dims for rank in range(3) for dims in product((0, 1, 2), repeat=rank)]
CUBES = [*SHAPES, *product((1, 2), repeat=3)]
PARTIAL_SHAPES = [dims for rank in range(3) for dims in product((0, 1, 2, (0, 1), (1, 2), (0, 2)), repeat=rank)]


def named(*names):
    """Calls whose choices are operands first, and then the arguments of these names."""

    def call(*values):
        count = len(values) - len(names)
        return tuple(map(list, values[:count])), dict(zip(names, values[count:], strict=True))

    return call
