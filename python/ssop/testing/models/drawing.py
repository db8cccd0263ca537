"""Random programs: one to four calls of a framework that take something of a small operand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import numpy as np

import ssop
from ssop._convert.calls import Call
from ssop.testing.calls.axes_lists import named_axes
from ssop.testing.calls.numbers import Shape, near
from ssop.testing.calls.specs import MASKS, TF, sensible
from ssop.testing.models.program import DIALECTS, Program

COUNTS = (1, 1, 2, 2, 3, 4)
DTYPES = ("float32", "float32", "float32", "int32", "int64")
MAX_SIZE, MAX_RANK = 2000, 5
TRIES = 40
"""Calls that are drawn until one is no error; and a fifth of those that take nothing is kept."""

Make = Callable[[Random, Shape], Call]


def random_index(rng: Random, shape: Shape) -> tuple[Any, ...]:
    """A NumPy index as people write it: bounds within seven of 0, now and then an element, a new axis, an ellipsis.

    Ranges from an element counted from the end to 0 come more often than by chance: converters take the 0 for "no end".
    """

    def bound() -> int | None:
        return None if rng.random() < 0.15 else rng.randint(-7, 7)

    items: list[Any] = []
    for dim in shape[: rng.randint(1, max(len(shape), 1))]:
        if dim and rng.random() < 0.2:
            items.append(rng.randint(-dim, dim - 1))
        elif rng.random() < 0.1:
            items.append(slice(rng.randint(-7, -1), 0, rng.choice((None, -1, -2))))
        else:
            items.append(slice(bound(), bound(), rng.choice((None, 1, 2, 3, -1, -2, -3))))
    for item in (None, Ellipsis):
        if rng.random() < 0.3:
            items.insert(rng.randint(0, len(items)), item)
    return tuple(items)


def _spec_of(rng: Random, shape: Shape) -> dict[str, Any]:
    """The vectors and masks that TensorFlow's front end makes of an index, or any that break no rule."""
    _check_axes(shape)
    if rng.random() < 0.5:
        args = sensible(rng, shape, TF)
        _check_axes(args["begin"])
        return {name: value for name, value in args.items() if name not in MASKS or value}
    spec = ssop.StridedSliceSpec.from_index(random_index(rng, shape))
    lists = {"begin": list(spec.begin), "end": list(spec.end), "strides": list(spec.strides)}
    return {**lists, **{name: getattr(spec, name) for name in MASKS if getattr(spec, name)}}


def _tf_strided_slice(rng: Random, shape: Shape) -> Call:
    return Call("tf.strided_slice", **_spec_of(rng, shape))


def _tf_slice(rng: Random, shape: Shape) -> Call:
    begin = [rng.randint(0, dim) for dim in shape]
    size = [rng.choice((-1, rng.randint(0, dim - first))) for dim, first in zip(shape, begin, strict=True)]
    return Call("tf.slice", begin=begin, size=size)


def _axes(rng: Random, shape: Shape) -> list[int]:
    _check_axes(shape)
    axes = rng.sample(range(len(shape)), rng.randint(1, len(shape)))
    return [axis - len(shape) if rng.random() < 0.3 else axis for axis in axes]


def _check_axes(shape: Sequence[int]) -> None:
    """No call is drawn for an operand without axes, but for those that add one.

    Hypothesis's `Random` gives a number of an empty range, instead of an error, and then another one.
    """
    if not shape:
        raise IndexError


def _permutation(rng: Random, shape: Shape) -> list[int]:
    _check_axes(shape)
    return rng.sample(range(len(shape)), len(shape))


def _pairs(rng: Random, shape: Shape) -> list[list[int]]:
    _check_axes(shape)
    return [[rng.choice((0, 0, 1, 2)), rng.choice((0, 0, 1, 3))] for _ in shape]


def _unit_axes(rng: Random, shape: Shape) -> list[int]:
    axes = [axis for axis, dim in enumerate(shape) if dim == 1]
    return rng.sample(axes, rng.randint(1, len(axes))) if axes else [0]


def _new_axis(rng: Random, shape: Shape) -> int:
    return rng.randint(-len(shape) - 1, len(shape))


def _onnx_slice(rng: Random, shape: Shape) -> Call:
    _check_axes(shape)
    args = named_axes(rng, shape)
    return Call("onnx.slice", **{name: value for name, value in args.items() if value is not None})


def _onnx_pad(rng: Random, shape: Shape) -> Call:
    pairs = _pairs(rng, shape)
    return Call("onnx.pad", pads=[low for low, _ in pairs] + [high for _, high in pairs], constant_value=9)


def _xla_slice(rng: Random, shape: Shape) -> Call:
    starts = [rng.choice((0, rng.randint(0, dim))) for dim in shape]
    limits = [rng.choice((dim, rng.randint(start, dim))) for start, dim in zip(starts, shape, strict=True)]
    strides = rng.choice((None, [rng.choice((1, 1, 2, 3)) for _ in shape]))
    return Call("xla.slice", start_indices=starts, limit_indices=limits, strides=strides)


def _xla_dynamic_slice(rng: Random, shape: Shape) -> Call:
    sizes = [rng.randint(min(dim, 1), dim) for dim in shape]
    starts = [max(near(rng, dim), 0) for dim in shape]  # JAX takes no negative constants; run-time values may be any
    return Call("xla.dynamic_slice", start_indices=starts, slice_sizes=sizes)


def _xla_pad(rng: Random, shape: Shape) -> Call:
    config = [[rng.choice((0, 0, 1, 2, -1)), rng.choice((0, 0, 1, -2)), rng.choice((0, 0, 1))] for _ in shape]
    return Call("xla.pad", padding_value=9, padding_config=config)


def _torch_index(rng: Random, shape: Shape) -> Call:
    index = random_index(rng, shape)
    forwards = (
        slice(x.start, x.stop, abs(x.step)) if isinstance(x, slice) and x.step is not None else x for x in index
    )
    return Call("torch.index", index=tuple(forwards))


def _torch_narrow(rng: Random, shape: Shape) -> Call:
    _check_axes(shape)
    dim = rng.randrange(len(shape))
    start = rng.randint(-shape[dim], shape[dim])
    first = start + shape[dim] if start < 0 else start
    return Call("torch.narrow", dim=dim, start=start, length=rng.randint(0, shape[dim] - first))


def _torch_select(rng: Random, shape: Shape) -> Call:
    _check_axes(shape)
    dim = rng.randrange(len(shape))
    if not shape[dim]:
        raise IndexError
    return Call("torch.select", dim=dim, index=rng.randint(-shape[dim], shape[dim] - 1))


def _torch_pad(rng: Random, shape: Shape) -> Call:
    pairs = _pairs(rng, shape)[: rng.randint(1, len(shape))]
    return Call("torch.pad", pad=[n for pair in pairs for n in pair], value=9)


MAKERS: dict[str, tuple[tuple[float, Make], ...]] = {
    "tf": (
        (6, _tf_strided_slice),
        (1, _tf_slice),
        (1, lambda rng, shape: Call("tf.reverse", axis=_axes(rng, shape))),
        (1, lambda rng, shape: Call("tf.transpose", perm=_permutation(rng, shape))),
        (1, lambda rng, shape: Call("tf.pad", paddings=_pairs(rng, shape), constant_values=9)),
        (0.5, lambda rng, shape: Call("tf.squeeze", axis=_unit_axes(rng, shape))),
        (0.5, lambda rng, shape: Call("tf.expand_dims", axis=_new_axis(rng, shape))),
    ),
    "onnx": (
        (6, _onnx_slice),
        (1, lambda rng, shape: Call("onnx.transpose", perm=_permutation(rng, shape))),
        (1, _onnx_pad),
        (0.5, lambda rng, shape: Call("onnx.squeeze", axes=_unit_axes(rng, shape))),
        (0.5, lambda rng, shape: Call("onnx.unsqueeze", axes=[_new_axis(rng, shape)])),
    ),
    "xla": (
        (3, _xla_slice),
        (3, _xla_dynamic_slice),
        (2, lambda rng, shape: Call("xla.rev", dimensions=[axis % len(shape) for axis in _axes(rng, shape)])),
        (1, lambda rng, shape: Call("xla.transpose", permutation=_permutation(rng, shape))),
        (2, _xla_pad),
    ),
    "torch": (
        (5, _torch_index),
        (1, lambda rng, shape: Call("torch.flip", dims=_axes(rng, shape))),
        (1, lambda rng, shape: Call("torch.permute", dims=_permutation(rng, shape))),
        (1, _torch_narrow),
        (1, _torch_select),
        (1, _torch_pad),
        (0.5, lambda rng, shape: Call("torch.unsqueeze", dim=_new_axis(rng, shape))),
    ),
    "numpy": (
        (6, lambda rng, shape: Call("numpy.index", index=random_index(rng, shape))),
        (1, lambda rng, shape: Call("numpy.flip", axis=_axes(rng, shape))),
        (1, lambda rng, shape: Call("numpy.transpose", axes=_permutation(rng, shape))),
    ),
}
"""For each framework its calls, and how often each is drawn. Those that are an error on the shape are drawn anew."""


@cache
def pairs_of(takes: str) -> list[str]:
    """All pairs of functions, of one framework each, of which one can be on the result of the other.

    >>> "onnx.slice > onnx.slice" in pairs_of("onnx"), len(pairs_of("onnx"))
    (True, 25)
    """
    found = []
    for dialect in DIALECTS[takes]:
        names = [maker(Random(0), (1, 2, 3)).function for _, maker in MAKERS[dialect]]
        found += [f"{one} > {two}" for one in names for two in names]
    return found


NAMED = {"onnx.slice": "starts", "xla.dynamic_slice": "start_indices"}
"""The argument whose numbers may become run-time values."""


def draw_program(rng: Random, takes: str, *, unknown: bool = True, run_time: bool = True) -> Program:
    """A program of one to four calls; dims and starts are unknown now and then, if they may be.

    Its calls are no error on the first of its shapes.

    >>> program = draw_program(Random(0), "onnx")
    >>> program.runs_on(program.shapes[0])
    True
    """
    dialect = rng.choice(DIALECTS[takes])
    shape = tuple(rng.randint(1, 6) for _ in range(rng.choice((1, 1, 2, 2, 3, 4))))
    weights, makers = zip(*MAKERS[dialect], strict=True)
    x, calls = np.zeros(shape, np.int8), []
    for _ in range(rng.choice(COUNTS)):
        for _ in range(TRIES):
            try:
                call = rng.choices(makers, weights)[0](rng, x.shape)
                y = call(x)
            except (ssop.SliceError, ValueError, IndexError):
                continue
            if y.size <= MAX_SIZE and y.ndim <= MAX_RANK and (y.size or rng.random() < 0.2):
                calls.append(call)
                x = y
                break
    may_be_unknown = unknown and takes not in ("stablehlo", "jax") and rng.random() < 0.4
    dims = tuple(None if may_be_unknown and rng.random() < 0.6 else dim for dim in shape)
    program = Program(takes, tuple(calls), dims, rng.choice(DTYPES), (shape,), {}, rng.randint(0, 99))
    if run_time and takes in ("onnx", "stablehlo", "jax") and rng.random() < 0.25:
        program = _with_values(rng, program)
    others = (tuple(rng.randint(0, 9) if dim is None else dim for dim in dims) for _ in range(4 * (None in dims)))
    more = [other for other in others if other != shape and program.runs_on(other)]
    return replace(program, shapes=(shape, *dict.fromkeys(more[:2])))


def _with_values(rng: Random, program: Program) -> Program:
    """The program with run-time values for starts of its first call that can have them."""
    made = list(program.calls)
    for place, call in enumerate(made):
        name = NAMED.get(call.function)
        numbers = call.arguments[name] if name else ()
        if not numbers:
            continue
        starts = [f"i{entry}" if not entry or rng.random() < 0.5 else number for entry, number in enumerate(numbers)]
        made[place] = Call(call.function, **{**call.given, NAMED[call.function]: starts})
        values = {start: near(rng, 6) for start in starts if isinstance(start, str)}
        found = replace(program, calls=tuple(made), values=values)
        return found if found.runs_on(program.shapes[0]) else program
    return program
