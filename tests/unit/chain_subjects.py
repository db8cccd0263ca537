"""Subjects of chains: right ones, and ones with one mistake each."""

import os
import time

import numpy as np

import ssop
from ssop.testing.chains.engines import ChainSSOP


class Dying(ChainSSOP):
    """An engine whose process dies at each pad, and hangs at each concatenation."""

    name = "dying"
    seconds = 2.0

    def run(self, call):
        if "xla.pad" in call.operations:
            os.abort()
        if "xla.concatenate" in call.operations:
            time.sleep(60)
        return call.run()


def text(program, *inputs):
    return ssop.stablehlo.run(program, *inputs)


text.takes = "stablehlo"


def forgets_a_reverse(program, *inputs):
    if "stablehlo.reverse" in program and "stablehlo.transpose" in program:
        inputs = [x[::-1].copy() if x.ndim else x for x in inputs]
    return ssop.stablehlo.run(program, *inputs)


forgets_a_reverse.takes = "stablehlo"


def crashes_at_a_pad(program, *inputs):
    if "stablehlo.pad" in program:
        os.abort()
    return [ssop.stablehlo.run(program, *inputs)]


def hangs_at_a_pad(program, *inputs):
    if "stablehlo.pad" in program:
        time.sleep(60)
    return ssop.stablehlo.run(program, *inputs)


def changes_its_input(program, x, *inputs):
    x[...] = 0
    return x


def rejects(program, *inputs):
    raise NotImplementedError("not today")


def raises(program, *inputs):
    return 1 // 0


def gives_no_array(program, *inputs):
    return "no array"


class Operations:
    """Functions like ssop.xla's; the window of `dynamic_slice` begins outside the axis if it is told to."""

    takes = "operations"
    supports = "negative-starts=no"

    @staticmethod
    def rev(x, dimensions):
        return np.flip(x, dimensions)

    @staticmethod
    def transpose(x, permutation):
        return np.transpose(x, permutation)

    @staticmethod
    def concatenate(operands, dimension):
        return np.concatenate(operands, dimension)

    @staticmethod
    def dynamic_slice(x, start_indices, slice_sizes):
        places = zip(start_indices, slice_sizes, x.shape, strict=True)
        windows = ((min(max(int(start), 0), dim - size), size) for start, size, dim in places)
        return x[tuple(slice(start, start + size) for start, size in windows)]


class WithoutClamp(Operations):
    """Its windows are cut at the end of the axis."""

    @staticmethod
    def dynamic_slice(x, start_indices, slice_sizes):
        bounds = ((max(int(start), 0), size) for start, size in zip(start_indices, slice_sizes, strict=True))
        return x[tuple(slice(start, start + size) for start, size in bounds)]


class WithoutSizes(Operations):
    """A function has a parameter too few."""

    @staticmethod
    def dynamic_slice(x, start_indices):
        return x
