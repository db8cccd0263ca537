"""Random calls of StridedSlice in TensorFlow's, TensorFlow Lite's and OpenVINO's dialects, and of TensorFlow's updates.

Most are such as one would write them and take something. The others have one thing changed, or are arbitrary.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

from ssop.reference import Rejected, strided_slice_region
from ssop.testing.calls.call import Call
from ssop.testing.calls.numbers import (
    EXTREMES,
    INT32_MAX,
    INT64_MAX,
    Shape,
    bound,
    broken,
    clamp32,
    dtypes_of,
    int32,
    near,
    random_array,
    random_shape,
)

VECTORS = ("begin", "end", "strides")
MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
Args = dict[str, Any]

TF_DTYPES = "f4 i1 i8 c16 ? f2 u2 bfloat16 float8_e5m2"
LITERT_DTYPES = "f4 f2 f8 i1 i2 i4 i8 u1 ?"
OPENVINO_DTYPES = "f4 i1 i8 f8 ? u2 i4"


class Dialect:
    """In what the sensible specs of the dialects differ."""

    def __init__(self, below: int, shrunk_strides: Sequence[int], narrow: bool, vectors: bool) -> None:
        self.below = below
        """How far below the axis a shrunk begin may lie."""
        self.shrunk_strides = shrunk_strides
        self.narrow = narrow
        """Whether all integers have 32 bits."""
        self.vectors = vectors
        """Whether masks are vectors."""

    def bound(self, rng: Random, dim: int) -> int:
        """A bound near the axis or at the ends of the type."""
        value = bound(rng, dim)
        return clamp32(value) if self.narrow else value

    def stride(self, rng: Random, dim: int) -> int:
        """A stride that is not 0."""
        extreme = rng.random() < 0.03
        value = rng.choice(EXTREMES) if extreme else rng.choice((1, 1, -1)) * rng.randint(1, dim + 1)
        return clamp32(value) if self.narrow else value

    def finished(self, args: Args) -> Args:
        """The masks as the dialect takes them."""
        if not self.vectors:
            return args
        length = len(args["begin"])
        return args | {name: [args[name] >> i & 1 for i in range(length)] for name in MASKS}


TF = Dialect(0, (1, 1, 2), False, False)
TFLITE = Dialect(2, (1, 2), True, False)
OPENVINO = Dialect(0, (-1, 0, 1, 2), False, True)


def sensible(rng: Random, shape: Shape, dialect: Dialect) -> Args:
    """A spec as one would write it: slices, indices, new axes and at most one ellipsis; most take something."""
    kinds = ["axis"] * rng.randint(0, len(shape))
    for kind in rng.choice(((), ("ellipsis",))) + ("new",) * rng.choice((0, 0, 1, 2)):
        kinds.insert(rng.randint(0, len(kinds)), kind)
    before = kinds.index("ellipsis") if "ellipsis" in kinds else len(kinds)
    left, right = kinds[:before].count("axis"), kinds[before:].count("axis")
    dims = iter(shape[:left] + shape[len(shape) - right :])
    args: Args = {name: [] for name in VECTORS} | dict.fromkeys(MASKS, 0)
    for i, kind in enumerate(kinds):
        dim = next(dims) if kind == "axis" else rng.randint(0, 6)
        stride = dialect.stride(rng, dim)
        entry = [*bounds_of(rng, dim, stride, dialect), stride]
        bits = [mask for mask in MASKS[:2] if rng.random() < 0.3]
        if kind != "axis":
            bits.append({"new": "new_axis_mask", "ellipsis": "ellipsis_mask"}[kind])
            if rng.random() < 0.2:  # bits that the other one overrules
                bits.append(rng.choice(("shrink_axis_mask",) if kind == "new" else MASKS[3:]))
            entry[2] = rng.randint(-2, 2)
        elif dim and rng.random() < 0.25:
            bits.append("shrink_axis_mask")
            entry = [rng.randint(-dim - dialect.below, dim - 1), entry[1], rng.choice(dialect.shrunk_strides)]
        for name, value in zip(VECTORS, entry, strict=True):
            args[name].append(value)
        for mask in bits:
            args[mask] |= 1 << i
    return args


def bounds_of(rng: Random, dim: int, stride: int, dialect: Dialect) -> list[int]:
    """A begin and an end, mostly such that the range takes something, often beyond the axis or from its end."""
    if dim == 0 or rng.random() < 0.18:
        return [dialect.bound(rng, dim), dialect.bound(rng, dim)]
    first = rng.randint(0, dim - 1)
    last = rng.randint(first, dim - 1)  # what the range goes from and to
    begin, end = (first, last + 1) if stride > 0 else (last, first - 1)
    if rng.random() < 0.4:
        begin -= dim
    if end < 0:
        end = rng.choice((-dim - 1, -dim - 2, clamp32(EXTREMES[0])))
    elif end == dim:
        end = rng.choice((dim, dim, dim + 1, INT32_MAX))
    elif rng.random() < 0.4:
        end -= dim
    return [begin, end]


def contradictory(rng: Random, shape: Shape, dialect: Dialect) -> Args:
    """A sensible spec with one thing changed: a mask, a stride, a bound, a length."""
    args = sensible(rng, shape, dialect)
    change = rng.randrange(4)
    if change == 0:
        args = broken(rng, args, VECTORS)
        if dialect.narrow:
            args |= {name: list(map(clamp32, args[name])) for name in VECTORS}
    elif change == 1 and args["strides"]:
        values = (0, 0, -1, *EXTREMES)
        stride = rng.choice(values[:3] if dialect.narrow else values)
        args["strides"][rng.randrange(len(args["strides"]))] = stride
    elif change == 2 and args["shrink_axis_mask"]:
        for i in range(len(args["begin"])):
            if args["shrink_axis_mask"] >> i & 1:
                args["begin"][i], args["strides"][i] = dialect.bound(rng, 4), rng.choice((1, 1, -1))
    else:
        last = 5 if dialect.narrow else 31
        bit = 1 << rng.choice((0, 1, 2, 3, 4, rng.randint(0, last)))
        mask = rng.choice(MASKS)
        args[mask] = int32(args[mask] ^ bit)
    return args


def random_mask(rng: Random, length: int, dialect: Dialect) -> int:
    """Few bits, up to one past the spec; now and then all 32 are random."""
    if rng.random() < 0.05 and not (dialect.narrow or dialect.vectors):
        return int32(rng.getrandbits(32))
    width = min(length + 1, 31)
    return rng.getrandbits(width) & rng.getrandbits(width)


def arbitrary(rng: Random, shape: Shape, dialect: Dialect) -> Args:
    """Anything the op's signature lets through; entries beyond the rank are common."""
    length = rng.randint(0, len(shape) + 1)
    if rng.random() < 0.04 and not dialect.vectors:
        length = rng.randint(30, 33)
    dims = (list(shape) + [3] * length)[:length]
    args: Args = {name: [dialect.bound(rng, d) for d in dims] for name in VECTORS[:2]}
    args["strides"] = [dialect.stride(rng, d) for d in dims]
    args |= {mask: random_mask(rng, length, dialect) for mask in MASKS}
    if length > 8:
        args["new_axis_mask"] = INT32_MAX if dialect.narrow else -1
    if rng.random() < 0.8:
        last = min(length, 30) if dialect.narrow or dialect.vectors else 31
        args["ellipsis_mask"] = rng.choice((0, int32(1 << rng.randint(0, last))))
    return args


def bit_of(mask: Any, entry: int) -> int:
    """The bit of an entry, of a mask of bits or a vector."""
    if isinstance(mask, int):
        return mask >> entry & 1
    return int(mask[entry]) if entry < len(mask) else 0


def without_entry(values: Any, at: int) -> Any:
    """A list, tuple or array without one of its items, if it has that one."""
    if isinstance(values, np.ndarray):
        return np.delete(values, at) if at < len(values) else values
    return values[:at] + values[at + 1 :]


# TensorFlow


def malformed(rng: Random, shape: Shape) -> Args:
    """A sensible spec but for one argument of no legal type, range or form."""
    args = sensible(rng, shape, TF)
    fault, name = rng.randrange(4), rng.choice(VECTORS)
    if fault == 0:
        return args | {rng.choice(MASKS): rng.choice((2**31, -(2**31) - 1, 2**33))}
    if fault == 1:
        return args | {name: rng.choice((np.array(args[name], np.int64)[None], np.zeros((), np.int64)))}
    if fault == 2 and args[name]:
        return args | {n: np.array(args[n], rng.choice((np.float32, np.float64))) for n in VECTORS}
    if args[name]:
        args[name][rng.randrange(len(args[name]))] = rng.choice((1.0, 2**63, -(2**63) - 1))
    return args


def typed(rng: Random, args: Args, names: Sequence[str] = VECTORS, types: Sequence[Any] = (np.int16, np.int32)) -> Args:
    """The same lists as arrays of one index type, where they fit."""
    info = np.iinfo(rng.choice((*types, np.int64)))
    lists = [args[n] for n in names if args[n] is not None]
    if all(isinstance(values, list) and all(info.min <= v <= info.max for v in values) for values in lists):
        return args | {n: None if args[n] is None else np.array(args[n], info.dtype) for n in names}
    return args


def tf_strided_slice(rng: Random) -> Call:
    """For `tf.strided_slice`: object arrays hold byte strings."""
    kind = rng.choices(("sensible", "contradictory", "arbitrary", "malformed"), (80, 8, 8, 4))[0]
    shape = random_shape(rng, (7, 8)) if rng.random() < 0.05 else random_shape(rng)
    x = random_array(rng, shape, rng.choice((*dtypes_of(TF_DTYPES), np.dtype(object))))
    if kind == "malformed":
        return Call("tf.strided_slice", (x,), malformed(rng, shape), "eager")
    makers = {"sensible": sensible, "contradictory": contradictory, "arbitrary": arbitrary}
    args = makers[kind](rng, shape, TF)
    return Call("tf.strided_slice", (x,), typed(rng, args) if rng.random() < 0.5 else args, "eager")


def valid_strided_slice(rng: Random) -> Call:
    """For `tf.strided_slice`: only what is well-formed: three lists of one length, masks of its bits, numbers."""
    shape = random_shape(rng)
    x = random_array(rng, shape, rng.choice(dtypes_of("f4 i1 i8 f8 u2 ?")))
    args = (sensible if rng.random() < 0.85 else contradictory)(rng, shape, TF)
    length = min(len(args[name]) for name in VECTORS)
    bits = (1 << length) - 1
    args = args | {name: args[name][:length] for name in VECTORS} | {mask: args[mask] & bits for mask in MASKS}
    return Call("tf.strided_slice", (x,), args, "eager")


def with_positive_strides(args: Args) -> Args:
    """The same spec forwards: where a stride is negative, begin and end change places.

    >>> with_positive_strides({"begin": [5, 0], "end": [1, 2], "strides": [-2, 1]})
    {'begin': [1, 0], 'end': [5, 2], 'strides': [2, 1]}
    """
    entries = [
        (end, begin, min(-step, INT64_MAX)) if step < 0 else (begin, end, step)
        for begin, end, step in zip(*(args[name] for name in VECTORS), strict=False)
    ]
    return args | {name: [entry[i] for entry in entries] for i, name in enumerate(VECTORS)}


def forward_strided_slice(rng: Random) -> Call:
    """For `tf.strided_slice`: well-formed, without negative strides."""
    call = valid_strided_slice(rng)
    return Call(call.op, call.arrays, with_positive_strides(call.args), call.how)


def update_spec(rng: Random, shape: Shape) -> Args:
    """As one would write it, more often than not legal: one in six something else."""
    args = sensible(rng, shape, TF)
    if rng.random() < 0.08:
        return broken(rng, args, VECTORS)
    if rng.random() < 0.07:
        args[rng.choice(MASKS)] ^= 1 << rng.randint(0, 4)
    if rng.random() < 0.04 and args["strides"]:
        args["strides"][-1] = 0
    if rng.random() < 0.04:
        for name in VECTORS:
            args[name] = (args[name] + [1] * 7)[: len(shape) + 1]
    return args


def taken_shape(shape: Shape, args: Args) -> Shape:
    """The shape of the slice, or of the array if the call is an error."""
    try:
        ranges, out_axes = strided_slice_region(shape, **args)
    except Rejected:
        return shape
    return tuple(1 if axis == -1 else ranges[axis][1] for axis in out_axes)


def repeating(rng: Random, shape: Shape) -> Shape:
    """A shape that broadcasts to `shape`, in one of the ways it can."""
    cut = tuple(1 if rng.random() < 0.3 else dim for dim in shape[rng.choice((0, 0, 0, rng.randint(0, len(shape)))) :])
    return (1,) * rng.randint(0, 2) + cut if len(cut) == len(shape) and len(cut) < 5 and rng.random() < 0.3 else cut


def spoilt(rng: Random, shape: Shape) -> Shape:
    """Another shape."""
    dims = list(shape)
    at = rng.randint(0, len(dims))
    dims[at : at + rng.randint(0, 1)] = [rng.randint(0, 4)] * (len(dims) < 6)
    return tuple(dims)


def tf_grad(rng: Random) -> Call:
    """For `tf.strided_slice_grad`: dy mostly has the slice's shape."""
    shape, dtype = random_shape(rng), rng.choice(dtypes_of(TF_DTYPES))
    args = update_spec(rng, shape)
    part = taken_shape(shape, args)
    wanted = spoilt(rng, part) if rng.random() < 0.1 else part
    if rng.random() < 0.03:
        shape = (*shape[1:], -rng.randint(1, 3))
    return Call("tf.strided_slice_grad", (random_array(rng, wanted, dtype),), {"shape": shape, **args}, "eager")


def tf_update(rng: Random) -> Call:
    """For `tf.tensor_strided_slice_update`: the value mostly broadcasts to the slice's shape."""
    shape, dtype = random_shape(rng), rng.choice(dtypes_of(TF_DTYPES.replace(" float8_e5m2", "")))
    args = update_spec(rng, shape)
    part = taken_shape(shape, args)
    wanted = spoilt(rng, part) if rng.random() < 0.12 else repeating(rng, part)
    arrays = random_array(rng, shape, dtype), random_array(rng, wanted, dtype)
    return Call("tf.tensor_strided_slice_update", arrays, args, "eager")


def sized(rng: Random, shape: Shape, fault: float) -> Args:
    """A begin and a size per axis: legal, or with one entry changed."""
    begin = [rng.randint(0, max(dim - 1, 0)) if rng.random() < 0.97 else dim for dim in shape]
    size = [
        rng.choice((-1, *range(rng.random() < 0.9 and first < dim, dim - first + 1)))
        for dim, first in zip(shape, begin, strict=True)
    ]
    args: Args = {"begin": begin, "size": size}
    if rng.random() < fault:
        args = broken(rng, args, ("begin", "size"))
    return args


def tf_slice(rng: Random) -> Call:
    """For `tf.slice`."""
    shape, dtype = random_shape(rng), rng.choice(dtypes_of(TF_DTYPES))
    args = sized(rng, shape, 0.2)
    if rng.random() < 0.05 and shape:
        args["begin"] = [near(rng, dim) for dim in shape]
    return Call("tf.slice", (random_array(rng, shape, dtype),), args, "eager")


# TensorFlow Lite


def with_offset(rng: Random, shape: Shape) -> Args:
    """An entry per axis, whose window mostly stays inside its axis; masks of the bounds and of shrinking only."""
    args: Args = {name: [] for name in VECTORS} | dict.fromkeys(MASKS, 0) | {"offset": True}
    for i, dim in enumerate(shape):
        stride = rng.choice((1, 1, 2, 3, -1, -2))
        begin = TFLITE.bound(rng, dim) if rng.random() < 0.2 or not dim else rng.randint(-dim, dim - 1)
        at = begin + dim if begin < 0 else begin
        room = dim - at if stride > 0 else -at - 1
        end = rng.choice((room, room, TFLITE.bound(rng, dim), rng.randint(min(room, 0), max(room, 0))))
        for name, value in zip(VECTORS, (begin, min(end, INT32_MAX - dim), stride), strict=True):  # begin + end fits
            args[name].append(value)
        for mask in (*MASKS[:2], "shrink_axis_mask"):
            args[mask] |= (rng.random() < 0.12) << i
    if rng.random() < 0.06:
        args[rng.choice(MASKS[2:4])] |= 1 << rng.randint(0, len(shape))
    if rng.random() < 0.05:
        for name in VECTORS:
            args[name] = args[name][1:]
    return args


def tflite_strided_slice(rng: Random) -> Call:
    """For `tflite.strided_slice`: vectors that are constants of the model, or given at run time."""
    x = random_array(rng, random_shape(rng), rng.choice(dtypes_of(LITERT_DTYPES)))
    kind = rng.choices(("sensible", "contradictory", "arbitrary", "offset"), (64, 16, 8, 12))[0]
    makers = {"sensible": sensible, "contradictory": contradictory, "arbitrary": arbitrary}
    args = with_offset(rng, x.shape) if kind == "offset" else makers[kind](rng, x.shape, TFLITE) | {"offset": False}
    return Call("tflite.strided_slice", (x,), args, rng.choice(("constant", "run time")))


def tflite_slice(rng: Random) -> Call:
    """For `tflite.slice`."""
    x = random_array(rng, random_shape(rng), rng.choice(dtypes_of(LITERT_DTYPES)))
    args = sized(rng, x.shape, 0.4)
    wide = rng.random() < 0.5
    args = {name: np.array([v if wide else clamp32(v) for v in values]) for name, values in args.items()}
    args = {name: values.astype(np.int64 if wide else np.int32) for name, values in args.items()}
    return Call("tflite.slice", (x,), args, rng.choice(("constant", "run time")))


# OpenVINO


def openvino_strided_slice(rng: Random) -> Call:
    """For `openvino.strided_slice`: masks of any length, vectors of other lengths among them."""
    x = random_array(rng, random_shape(rng), rng.choice(dtypes_of(OPENVINO_DTYPES)))
    kind = rng.choices((sensible, contradictory, arbitrary), (75, 13, 12))[0]
    args = OPENVINO.finished(kind(rng, x.shape, OPENVINO))
    args = misfit_masks(rng, args) if kind is sensible and rng.random() < 0.15 else args
    args["strict"] = rng.random() < 0.7
    return Call("openvino.strided_slice", (x,), args, openvino_way(rng, x, args["strides"]))


def misfit_masks(rng: Random, args: Args) -> Args:
    """The same spec with a mask that has another length or another element."""
    change, mask = rng.randrange(4), rng.choice(MASKS)
    if change == 0:
        return broken(rng, args, [mask])
    if change == 1:
        return args | {name: [*args[name], rng.randint(0, 1)] for name in MASKS}
    if change == 2:
        return args | {name: [] for name in MASKS[1:] if rng.random() < 0.5}
    ones = [int(rng.random() < 0.5) for _ in range(len(args["begin"]))]
    return args | {"ellipsis_mask": ones}


def openvino_way(rng: Random, x: Any, strides: Sequence[int]) -> str:
    """How OpenVINO runs it: folding reads no scalar, and reverses an empty axis to one element."""
    if x.ndim == 0:
        return "shape"
    reverse = min(strides, default=1) < 0
    return "cpu" if x.size == 0 and reverse or rng.random() < 0.05 else "folded"
