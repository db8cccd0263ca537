"""The arguments of a convolution: read, and checked in XLA's order (cnv_*)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ssop import _core, _vectors
from ssop._errors import INT64, kind_of, type_error, value_error
from ssop._xla.windows import Names, Window, read_window, window_counts

Shape = tuple[int, ...]

NAMES: Final = Names("the kernel's spatial dim", base_dilation="lhs_dilation", window_dilation="rhs_dilation")
LETTERS: Final = ("NC", "OI", "NC")
SPATIAL: Final = ("input_spatial_dimensions", "kernel_spatial_dimensions", "output_spatial_dimensions")


class Specs(NamedTuple):
    """The axes of lhs, rhs and the result: (batch, features, spatial..), (output features, features, spatial..) and
    (batch, features, spatial..)."""

    lhs: Shape
    rhs: Shape
    out: Shape


class Arguments(NamedTuple):
    """The arguments of a call, read once, of which those that depend on the operands are not checked yet."""

    op: str
    strides: Shape
    padding: Any
    lhs_dilation: Shape
    rhs_dilation: Shape
    specs: list[Any] | None
    feature_groups: int
    batch_groups: int
    reversal: tuple[bool, ...]


class Convolution(NamedTuple):
    """What a convolution does to operands of the shapes that it was checked for."""

    specs: Specs
    window: Window
    feature_groups: int
    batch_groups: int
    reversal: tuple[bool, ...]
    shape: Shape


def read_arguments(
    op: str,
    window_strides: Any,
    padding: Any,
    lhs_dilation: Any = None,
    rhs_dilation: Any = None,
    dimension_numbers: Any = None,
    feature_group_count: Any = 1,
    batch_group_count: Any = 1,
    window_reversal: Any = None,
) -> Arguments:
    """Read what is no operand."""
    strides, base, holes = (
        _core.read_integers(op, name, () if given is None else given)
        for name, given in (
            (NAMES.strides, window_strides),
            (NAMES.base_dilation, lhs_dilation),
            (NAMES.window_dilation, rhs_dilation),
        )
    )
    if not isinstance(padding, (str, Mapping)) and _vectors.has_items(padding):
        padding = _vectors.vectors(op, NAMES.padding, padding)
    specs = _read_specs(op, dimension_numbers)
    feature_groups = _vectors.integer(op, "feature_group_count", feature_group_count)
    batch_groups = _vectors.integer(op, "batch_group_count", batch_group_count)
    reversal = _read_reversal(op, window_reversal)
    return Arguments(op, strides, padding, base, holes, specs, feature_groups, batch_groups, reversal)


def convolution(given: Arguments, lhs: Shape, rhs: Shape) -> Convolution:
    """Return what a call does to operands of these shapes, after XLA's checks in XLA's order."""
    op, feature_groups, batch_groups = given.op, given.feature_groups, given.batch_groups
    check_ranks(op, len(lhs), len(rhs))
    specs = specs_of(op, given.specs, len(lhs))
    spatial = [lhs[axis] for axis in specs.lhs[2:]]
    places = [rhs[axis] for axis in specs.rhs[2:]]
    dilations = (given.lhs_dilation, given.rhs_dilation)
    window = read_window(op, spatial, places, given.strides, given.padding, *dilations, NAMES)
    check_word(op, given.padding, window)
    check_reversal(op, given.reversal, len(places))
    check_group_counts(op, feature_groups, batch_groups)
    check_specs(op, specs, len(lhs))
    check_groups(op, lhs, rhs, specs, feature_groups, batch_groups)
    counts = window_counts(op, spatial, window, NAMES)
    shape = out_shape(specs, lhs[specs.lhs[0]] // batch_groups, rhs[specs.rhs[0]], counts)
    return Convolution(specs, window, feature_groups, batch_groups, given.reversal, shape)


def out_shape(specs: Specs, batch: Any, features: Any, counts: Sequence[Any]) -> tuple[Any, ...]:
    """Put the dims of the result where dimension_numbers has them (cnv_s2).

    >>> out_shape(Specs((0, 1, 2), (0, 1, 2), (0, 2, 1)), 8, 64, [5])
    (8, 5, 64)
    """
    dims = dict(zip(specs.out, (batch, features, *counts), strict=True))
    return tuple(dims[axis] for axis in range(len(dims)))


# Dimension numbers


def _read_specs(op: str, given: Any) -> list[Any] | None:
    """Read strings as they are and sequences as tuples of axes; None stands for the axes in their order (cnv_c3)."""
    form = "None or three specs, of lhs, rhs and the result, all strings or all sequences of axes"
    if given is None:
        return None
    if isinstance(given, str) or not _vectors.has_items(given):
        raise type_error(op, "cnv_c3", f"dimension_numbers is {kind_of(given)}, not {form}", value=given)
    specs = _vectors.items(op, "dimension_numbers", given)
    words = [isinstance(spec, str) for spec in specs]
    if len(specs) != 3 or len(set(words)) != 1:
        what = f"has {len(specs)} entries" if len(specs) != 3 else "has strings and others"
        raise type_error(op, "cnv_c3", f"dimension_numbers {what}, not {form}", value=len(specs))
    if words[0]:
        return [str(spec) for spec in specs]
    return [_core.read_integers(op, f"dimension_numbers[{number}]", spec) for number, spec in enumerate(specs)]


def specs_of(op: str, given: list[Any] | None, rank: int) -> Specs:
    """Return the axes of operands of this rank, whose spatial ones are checked as XLA's builder does."""
    axes = tuple(range(rank))
    if given is None:
        return Specs(axes, axes, axes)
    for number, spec in enumerate(given):
        if len(spec) != rank:
            message = (
                f"dimension_numbers entry {number} has {len(spec)} axes, not the {rank} of lhs and rhs: Expected "
                f"{rank - 2} elements for {SPATIAL[number]}, but got {len(spec) - 2}."
            )
            raise value_error(op, "cnv_c5", message, entry=number, value=len(spec), allowed=(rank, rank))
        if not isinstance(spec, str):
            for place, axis in enumerate(spec[2:]):
                if not 0 <= axis < rank:
                    phrase = f"Convolution {SPATIAL[number]}[{place}] is out of bounds: {axis}"
                    raise _axis_error(op, number, place + 2, axis, rank, phrase)
    return _by_letters(op, given) if isinstance(given[0], str) else Specs(*given)


def _by_letters(op: str, given: list[str]) -> Specs:
    for number, (spec, letters) in enumerate(zip(given, LETTERS, strict=True)):
        if any(spec.count(letter) != 1 for letter in letters):
            message = (
                f"dimension_numbers entry {number} is {spec[:80]!r}: it must contain the characters '{letters[0]}' and "
                f"'{letters[1]}' exactly once"
            )
            raise value_error(op, "cnv_c4", message, entry=number, value=spec)
        others = [set(text) - set(letters) for text, letters in zip(given, LETTERS, strict=True)]
        if len(set(spec)) != len(spec) or others[number] != others[0]:
            message = (
                f"dimension_numbers entry {number} is {spec[:80]!r}: the specs must each have the same set of spatial "
                f"characters, every one once"
            )
            raise value_error(op, "cnv_c4", message, entry=number, value=spec)
    order = [letter for letter in given[1] if letter not in LETTERS[1]]
    texts = zip(given, LETTERS, strict=True)
    return Specs(*(tuple(spec.index(letter) for letter in (*letters, *order)) for spec, letters in texts))


def _axis_error(op: str, number: int, entry: int, axis: int, rank: int, phrase: str) -> Exception:
    message = f"dimension_numbers[{number}] entry {entry} is {axis}, not in 0..{rank - 1}: {phrase}"
    return value_error(op, "cnv_c6", message, entry=entry, value=axis, allowed=(0, rank - 1))


def check_specs(op: str, specs: Specs, rank: int) -> None:
    """XLA's checks of the axes of batch and features, in XLA's order."""
    for number, spec in enumerate(specs):
        for entry, axis in enumerate(spec):
            if not 0 <= axis < rank:
                phrase = "A dimension number is out of range in convolution"
                raise _axis_error(op, number, entry, axis, rank, phrase)
    for number, (spec, whose) in enumerate(zip(specs, ("Input", "Window", "Output"), strict=True)):
        for entry, axis in enumerate(spec):
            if axis in spec[:entry]:
                message = (
                    f"dimension_numbers[{number}] has axis {axis} again as entry {entry}: {whose} dimensions of "
                    f"convolution must contain each dimension exactly once"
                )
                raise value_error(op, "cnv_c7", message, entry=entry, value=axis)


# Everything else, in XLA's order


def check_ranks(op: str, lhs: int, rhs: int) -> None:
    if lhs != rhs:
        message = (
            f"rhs has rank {rhs}, lhs {lhs}: Convolution arguments must have same number of dimensions. "
            f"Got: {lhs} and {rhs}"
        )
        raise value_error(op, "cnv_c1", message, value=rhs, allowed=(lhs, lhs))
    if lhs < 2:
        message = (
            f"lhs and rhs have rank {lhs}, not 2 or more: Convolution expects argument arrays with >= 3 dimensions."
        )
        raise value_error(op, "cnv_c2", message, value=lhs)


def check_word(op: str, padding: Any, window: Window) -> None:
    """Raise for padding as a word with holes in lhs: XLA has no such form, and JAX rejects it (cnv_c15)."""
    if isinstance(padding, str) and any(axis.base_dilation != 1 for axis in window):
        message = (
            f"padding is {padding[:40]!r} where lhs_dilation is not 1, not pairs (low, high): String padding is not "
            f"implemented for transposed convolution"
        )
        raise value_error(op, "cnv_c15", message, value=padding)


def _read_reversal(op: str, given: Any) -> tuple[bool, ...]:
    flags = [] if given is None else _vectors.items(op, "window_reversal", given)
    for entry, flag in enumerate(flags):
        if not isinstance(flag, (bool, np.bool_)):
            message = f"window_reversal entry {entry} is {kind_of(flag)}, not a bool"
            raise type_error(op, "in_c8", message, entry=entry, value=flag)
    return tuple(map(bool, flags))


def check_reversal(op: str, flags: tuple[bool, ...], count: int) -> None:
    if flags and len(flags) != count:
        message = (
            f"window_reversal has {len(flags)} entries, not {count}: Window has different number of window dimensions "
            f"than of window reversal"
        )
        raise value_error(op, "cnv_c14", message, value=len(flags), allowed=(count, count))


def check_group_counts(op: str, feature_groups: int, batch_groups: int) -> None:
    for name, count in (("feature_group_count", feature_groups), ("batch_group_count", batch_groups)):
        if count <= 0:
            message = f"{name} is {count}, not 1 or more: {name} must be a positive number, got {count}"
            raise value_error(op, "cnv_c8", message, value=count, allowed=(1, INT64[1]))
    if feature_groups > 1 and batch_groups > 1:
        message = (
            f"there are groups of features and of the batch: both batch_group_count {batch_groups} and "
            f"feature_group_count {feature_groups} cannot be greater than 1"
        )
        raise value_error(op, "cnv_c9", message, value=batch_groups)


def check_groups(op: str, lhs: Shape, rhs: Shape, specs: Specs, feature_groups: int, batch_groups: int) -> None:
    """XLA's checks that the groups divide the dims, and that the kernel has the features of one group."""
    batch, features = lhs[specs.lhs[0]], lhs[specs.lhs[1]]
    out_features, of_kernel = rhs[specs.rhs[0]], rhs[specs.rhs[1]]
    if out_features % batch_groups:
        phrase = (
            f"Expected output feature dimension size (value {out_features}) to be a multiple of batch group count "
            f"{batch_groups}"
        )
        raise _group_error(op, "cnv_c10", "rhs", specs.rhs[0], out_features, phrase)
    if features % feature_groups or features // feature_groups != of_kernel:
        phrase = (
            f"Expected LHS feature dimension (value {features}) to be a multiple of feature_group_count (value "
            f"{feature_groups}), and LHS feature dimension / feature_group_count = RHS feature dimension "
            f"(value {of_kernel})"
        )
        raise _group_error(op, "cnv_c11", "lhs", specs.lhs[1], features, phrase)
    if out_features % feature_groups:
        phrase = (
            f"Expected output feature dimension (value {out_features}) to be divisible by feature_group_count (value "
            f"{feature_groups})"
        )
        raise _group_error(op, "cnv_c12", "rhs", specs.rhs[0], out_features, phrase)
    if batch % batch_groups:
        phrase = (
            f"Expected input batch dimension (value {batch}) to be divisible by batch_group_count (value "
            f"{batch_groups})"
        )
        raise _group_error(op, "cnv_c13", "lhs", specs.lhs[0], batch, phrase)


def _group_error(op: str, label: str, name: str, axis: int, dim: int, phrase: str) -> Exception:
    return value_error(op, label, f"axis {axis} of {name} has dim {dim}: {phrase}", axis=axis, value=dim)
