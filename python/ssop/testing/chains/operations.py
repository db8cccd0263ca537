"""What a chain is made of: for each operation how a step of it is drawn, made legal again, and which rules it meets.

`OPERATIONS` has a row for each. Its text in an engine's language is in `texts` and in `files`, by the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from random import Random
from typing import Any, NamedTuple

import numpy as np

from ssop.testing.calls import Array
from ssop.testing.calls.numbers import INT32_MAX, INT32_MIN
from ssop.testing.chains.program import At, Chain, Step, applied

Shape = tuple[int, ...]
Args = dict[str, Any]
Drawn = tuple[tuple[str, ...], Args]

MAX_RANK, MAX_SIZE = 4, 300
"""Of a value. Ranks and sizes beyond find nothing that smaller ones do not, and cost time."""

BACKWARDS, INTERIOR, NEGATIVE_PADDING = "negative strides", "interior padding", "negative padding"
PERMUTED, RUN_TIME, WRAPPING = "broadcast dimensions that do not increase", "run-time starts", "negative starts"
"""What an engine may lack."""
LACKING = {
    BACKWARDS: "ss_s6 backwards",
    INTERIOR: "pad_s1 interior",
    NEGATIVE_PADDING: "pad_s2",
    PERMUTED: "bid_s2",
    WRAPPING: "ds_s3",
}
"""The rules that are not met then."""


class Scene:
    """A program that is being drawn: its values, and what else a step may need."""

    def __init__(self, rng: Random, dtype: Any, lacks: frozenset[str] = frozenset()) -> None:
        self.rng, self.dtype, self.lacks = rng, np.dtype(dtype), lacks
        self.index = rng.choice(("int32", "int64"))
        """The dtype of all starts of run time: engines merge operations only if these are of one dtype."""
        self.inputs: dict[str, Array] = {}
        self.values: dict[str, Array] = {}
        self.steps: list[Step] = []
        self.unused: list[str] = []
        self.count = 0

    def add(self, array: Array) -> str:
        """A new input."""
        name = f"x{len(self.inputs)}"
        self.inputs[name] = self.values[name] = array
        return name

    def new(self, shape: Sequence[int]) -> str:
        """A new input of this shape, none of whose elements is in another."""
        array = contents(shape, self.dtype, self.count)
        self.count += array.size
        return self.add(array)

    def numbers(self, numbers: Sequence[int]) -> list[int] | At:
        """Constants, or a vector that is known at run time only."""
        if RUN_TIME in self.lacks or not numbers or self.rng.random() < 0.3:
            return list(numbers)
        return At(self.add(np.array(numbers, self.index)))

    def other(self, fits: Callable[[Shape], bool], name: str) -> str | None:
        """An earlier value whose shape fits, those first that nothing uses yet; now and then None."""
        data = [n for n, value in self.values.items() if value.dtype == self.dtype and fits(value.shape)]
        waiting = [n for n in data if n in self.unused and n != name]
        if waiting:
            return self.rng.choice(waiting)
        return self.rng.choice(data) if data and self.rng.random() < 0.5 else None

    def take(self, op: str, drawn: Drawn) -> bool:
        """Append a step, if its result is of a size that chains have."""
        step = Step(f"y{len(self.steps)}", op, *drawn)
        value = applied(step, self.values)
        if value.ndim > MAX_RANK or value.size > MAX_SIZE:
            return False
        self.steps.append(step)
        self.values[step.name] = value
        self.unused = [name for name in self.unused if name not in step.used] + [step.name]
        return True


def contents(shape: Sequence[int], dtype: Any, first: int = 0) -> Array:
    """An array that counts."""
    dtype = np.dtype(dtype)
    counted = np.arange(first, first + prod(shape)) % (251 if dtype.itemsize == 1 else 2000)
    return (counted % 3 > 0 if dtype.kind == "b" else counted).astype(dtype).reshape(tuple(shape))


class Operation(NamedTuple):
    """A row: see the functions of `xla.slice`, the first of them."""

    rules: tuple[str, ...]
    """What its steps can meet: labels of SPEC.md, and where one has several cases, which of them."""
    draw: Callable[[Scene, str, Shape], Drawn]
    """Operands and arguments of a legal step that takes the value of this name and shape."""
    met: Callable[[Args, Sequence[Shape]], Iterator[str]]
    """The rules that a step with these arguments and shapes of operands meets."""
    fit: Callable[[Args, Sequence[Shape]], Args] = lambda args, shapes: args
    """The arguments, changed so that they are legal for operands that have become smaller."""
    per_axis: tuple[str, ...] = ()
    """Arguments that have an entry for each axis of the first operand."""
    axes: tuple[str, ...] = ()
    """Arguments that are axes of the first operand."""
    beside: Callable[[Args, Shape, Shape, int], Shape] | None = None
    """The shape that an operand must have beside the first one: arguments, shape of the first, its own, its place."""


def pick(rng: Random, dim: int, *, least: int = 1) -> int:
    """A size between `least` and `dim`, seldom 0."""
    return 0 if dim == 0 or (least <= 0 and rng.random() < 0.03) else rng.randint(1, dim)


# ---- xla.slice ------------------------------------------------------------------------------------------------------


def draw_slice(scene: Scene, x: str, shape: Shape) -> Drawn:
    starts, limits, strides = [], [], []
    for dim in shape:
        size = dim if scene.rng.random() < 0.35 else pick(scene.rng, dim, least=0)
        starts.append(scene.rng.randint(0, dim - size))
        limits.append(starts[-1] + size)
        strides.append(scene.rng.choice((1, 1, 1, 2, 3)))
    return (x,), {"start_indices": starts, "limit_indices": limits, "strides": strides}


def fit_slice(args: Args, shapes: Sequence[Shape]) -> Args:
    starts = [min(start, dim) for start, dim in zip(args["start_indices"], shapes[0], strict=True)]
    limits = [min(max(n, low), dim) for n, low, dim in zip(args["limit_indices"], starts, shapes[0], strict=True)]
    return args | {"start_indices": starts, "limit_indices": limits}


def met_slice(args: Args, shapes: Sequence[Shape]) -> Iterator[str]:
    yield "sl_s1 strided" if max(args["strides"], default=1) > 1 else "sl_s1"


# ---- xla.dynamic_slice, dynamic_update_slice ------------------------------------------------------------------------


def draw_starts(scene: Scene, shape: Shape, sizes: Sequence[int]) -> Args:
    starts = []
    for dim, size in zip(shape, sizes, strict=True):
        far = (dim - size + 1, dim - size + 1, dim, dim + 2, -1, -dim - 1, INT32_MAX, INT32_MIN)
        starts.append(scene.rng.randint(0, dim - size) if scene.rng.random() < 0.45 else scene.rng.choice(far))
    numbers = scene.numbers(starts)
    constant = isinstance(numbers, list) and min(numbers, default=0) < 0  # JAX wraps those or rejects them
    wrapping = (constant or scene.rng.random() < 0.4) and WRAPPING not in scene.lacks
    return {"start_indices": numbers, "allow_negative_indices": wrapping}


def met_starts(args: Args, shape: Shape, sizes: Sequence[int]) -> Iterator[str]:
    starts = [int(start) for start in args["start_indices"]]
    if args["allow_negative_indices"] and min(starts, default=0) < 0:
        yield "ds_s3"
        starts = [start + dim if start < 0 else start for start, dim in zip(starts, shape, strict=True)]
    clamped = any(not 0 <= start <= dim - size for start, dim, size in zip(starts, shape, sizes, strict=True))
    yield "ds_s1 clamped" if clamped else "ds_s1"


def draw_dynamic_slice(scene: Scene, x: str, shape: Shape) -> Drawn:
    rng = scene.rng
    sizes = [
        dim if rng.random() < 0.25 else max(dim - 1, 1) if dim and rng.random() < 0.4 else pick(rng, dim, least=0)
        for dim in shape
    ]
    starts = draw_starts(scene, shape, sizes)
    return (x,), {"start_indices": starts.pop("start_indices"), "slice_sizes": sizes, **starts}


def fit_sizes(args: Args, shapes: Sequence[Shape]) -> Args:
    return args | {"slice_sizes": [min(n, dim) for n, dim in zip(args["slice_sizes"], shapes[0], strict=True)]}


def draw_dynamic_update_slice(scene: Scene, x: str, shape: Shape) -> Drawn:
    if scene.rng.random() < 0.5:  # x is the update
        whole = scene.other(lambda s: len(s) == len(shape) and all(a >= b for a, b in zip(s, shape, strict=True)), x)
        whole = whole or scene.new([dim + scene.rng.choice((0, 1, 2)) for dim in shape])
        return (whole, x), draw_starts(scene, scene.values[whole].shape, shape)
    part = scene.other(lambda s: len(s) == len(shape) and all(a <= b for a, b in zip(s, shape, strict=True)), x)
    part = part or scene.new([pick(scene.rng, dim) for dim in shape])
    return (x, part), draw_starts(scene, shape, scene.values[part].shape)


def beside_update(args: Args, first: Shape, own: Shape, place: int) -> Shape:
    return tuple((min if place else max)(a, b) for a, b in zip(first, own, strict=True))


# ---- xla.pad, rev, transpose, reshape -------------------------------------------------------------------------------


def draw_pad(scene: Scene, x: str, shape: Shape) -> Drawn:
    rng, config = scene.rng, []
    for dim in shape:
        low, high, interior = rng.choice((0, 0, 1, 2, -1)), rng.choice((0, 0, 1, 3, -1)), rng.choice((0, 0, 0, 1, 2))
        interior = 0 if INTERIOR in scene.lacks else interior
        low, high = (abs(low), abs(high)) if NEGATIVE_PADDING in scene.lacks else (low, high)
        entry = (low, high, interior)
        config.append(entry if dim + low + high + max(dim - 1, 0) * interior > 0 else (0, 1, 0))
    return (x, scene.new(())), {"padding_config": config}


def met_pad(args: Args, shapes: Sequence[Shape]) -> Iterator[str]:
    config = args["padding_config"]
    if any(interior for _, _, interior in config):
        yield "pad_s1 interior"
    if any(low < 0 or high < 0 for low, high, _ in config):
        yield "pad_s2"
    if any(low > 0 or high > 0 for low, high, _ in config):
        yield "pad_s1"


def some_axes(scene: Scene, shape: Shape) -> list[int]:
    return sorted(scene.rng.sample(range(len(shape)), scene.rng.randint(min(1, len(shape)), len(shape))))


def draw_transpose(scene: Scene, x: str, shape: Shape) -> Drawn:
    return (x,), {"permutation": scene.rng.sample(range(len(shape)), len(shape))}


def draw_reshape(scene: Scene, x: str, shape: Shape) -> Drawn:
    rng, sizes = scene.rng, list(shape)
    for _ in range(rng.randint(1, 2)):
        at = rng.randrange(len(sizes) + 1)
        divisors = [n for n in range(2, sizes[at]) if sizes[at] % n == 0] if at < len(sizes) else []
        if divisors and len(sizes) < MAX_RANK:
            sizes[at : at + 1] = [divisors[0], sizes[at] // divisors[0]]
        elif at + 1 < len(sizes):
            sizes[at : at + 2] = [sizes[at] * sizes[at + 1]]
        elif 1 in sizes:
            sizes.remove(1)
        elif len(sizes) < MAX_RANK:
            sizes.insert(at, 1)
    return (x,), {"new_sizes": sizes}


def met_reshape(args: Args, shapes: Sequence[Shape]) -> Iterator[str]:
    squeezed = [dim for dim in args["new_sizes"] if dim != 1] == [dim for dim in shapes[0] if dim != 1]
    yield "rs_s1 ones" if squeezed else "rs_s1"


def fit_reshape(args: Args, shapes: Sequence[Shape]) -> Args:
    size, sizes = prod(shapes[0]), list(args["new_sizes"])
    for place, dim in enumerate(sizes):  # the first dim that can make up for what is missing does
        rest = prod(sizes) // dim if dim else 0
        if prod(sizes) != size and rest and size % rest == 0:
            sizes[place] = size // rest
    return args | {"new_sizes": sizes if prod(sizes) == size else [size]}


# ---- xla.concatenate, broadcast_in_dim, select ----------------------------------------------------------------------


def draw_concatenate(scene: Scene, x: str, shape: Shape) -> Drawn:
    rng = scene.rng
    axis = rng.randrange(len(shape))
    rest = shape[:axis] + shape[axis + 1 :]
    operands = [x]
    for _ in range(rng.choice((1, 1, 2))):
        other = scene.other(lambda s: len(s) == len(shape) and s[:axis] + s[axis + 1 :] == rest, x)
        other = other or scene.new([*shape[:axis], rng.randint(1, 3), *shape[axis + 1 :]])
        operands.insert(rng.randint(0, len(operands)), other)
    return tuple(operands), {"dimension": axis}


def beside_concatenate(args: Args, first: Shape, own: Shape, place: int) -> Shape:
    axis = args["dimension"]
    return (*first[:axis], own[axis], *first[axis + 1 :])


def draw_broadcast_in_dim(scene: Scene, x: str, shape: Shape) -> Drawn:
    rng = scene.rng
    rank = min(len(shape) + rng.choice((0, 1, 1)), MAX_RANK)
    dimensions = rng.sample(range(rank), len(shape))
    dimensions = dimensions if rng.random() < 0.2 and PERMUTED not in scene.lacks else sorted(dimensions)
    dims = [rng.randint(1, 3) for _ in range(rank)]
    for dim, axis in zip(shape, dimensions, strict=True):
        dims[axis] = dims[axis] if dim == 1 else dim
    return (x,), {"shape": dims, "broadcast_dimensions": dimensions}


def met_broadcast(args: Args, shapes: Sequence[Shape]) -> Iterator[str]:
    yield "bid_s1" if args["broadcast_dimensions"] == sorted(args["broadcast_dimensions"]) else "bid_s2"


def fit_broadcast(args: Args, shapes: Sequence[Shape]) -> Args:
    dims = list(args["shape"])
    for dim, axis in zip(shapes[0], args["broadcast_dimensions"], strict=True):
        dims[axis] = dims[axis] if dim == 1 else dim
    return args | {"shape": dims}


def draw_select(scene: Scene, x: str, shape: Shape) -> Drawn:
    other = scene.other(lambda s: s == shape, x) or scene.new(shape)
    pred = np.array([scene.rng.random() < 0.5 for _ in range(prod(shape))], bool).reshape(shape)
    chosen = scene.add(np.array(scene.rng.random() < 0.5) if scene.rng.random() < 0.3 else pred)
    return (chosen, *scene.rng.sample((x, other), 2)), {}


def beside_select(args: Args, first: Shape, own: Shape, place: int) -> Shape:
    return own if place == 0 and own == () else first


# ---- strided slices of the frameworks -------------------------------------------------------------------------------


def draw_entries(scene: Scene, shape: Shape) -> tuple[list[int], list[int], list[int]]:
    """Begin, end and stride of a range for each axis, mostly with elements, the bounds outside the axis or inside."""
    rng, lists = scene.rng, ([], [], [])  # type: ignore[var-annotated]
    for dim in shape:
        step = rng.choice((1, 1, 2, 3) if BACKWARDS in scene.lacks else (1, 1, 2, -1, -1, -2))
        low, high = sorted((rng.randint(0, max(dim - 1, 0)), rng.randint(1, max(dim, 1))))
        begin, end = (low, max(high, low + 1)) if step > 0 else (max(high - 1, low), low - 1 if low else -dim - 1)
        far = rng.random()
        if far < 0.3:
            begin, end = begin - dim if begin else begin, end - dim if 0 < end < dim else end
        elif far < 0.5:
            begin, end = (-dim - 2, dim + 1) if step > 0 else (dim + 1, -dim - 2)
        elif far < 0.55:
            begin, end = rng.randint(-dim - 1, dim), rng.randint(-dim - 1, dim)
        for numbers, number in zip(lists, (begin, end, step), strict=True):
            numbers.append(number)
    return lists


def draw_strided_slice(scene: Scene, x: str, shape: Shape) -> Drawn:
    rng = scene.rng
    begin, end, strides = draw_entries(scene, shape)
    masks = {name: sum((rng.random() < 0.25) << i for i in range(len(shape))) for name in ("begin_mask", "end_mask")}
    new = shrink = 0
    place = rng.randrange(len(shape) + 1)
    if rng.random() < 0.2 and len(shape) < MAX_RANK:
        new = 1 << place
        for numbers in (begin, end, strides):
            numbers.insert(place, 1)
    elif rng.random() < 0.25 and place < len(shape) and shape[place]:
        shrink = 1 << place
        begin[place], strides[place] = rng.randint(-shape[place], shape[place] - 1), 1
        masks["begin_mask"] &= ~shrink
        end[place] = begin[place] + 1
    run_time = RUN_TIME not in scene.lacks and rng.random() < 0.4
    values: Args = {"begin": begin, "end": end, "strides": strides}
    if run_time and begin:
        values |= {name: At(scene.add(np.array(values[name], scene.index))) for name in ("begin", "end")}
    return (x,), values | masks | {"new_axis_mask": new, "shrink_axis_mask": shrink}


BOUNDS = (("begin", "end", "strides"), ("starts", "ends", "steps"), ("start", "stop", "step"))
"""The three lists of slices, by their names in TensorFlow, ONNX and OpenVINO."""


def met_strided(args: Args, shapes: Sequence[Shape]) -> Iterator[str]:
    names = next(names for names in BOUNDS if names[0] in args)
    starts, stops, steps = (args[name] for name in names)
    yield "ss_s6 backwards" if min(map(int, steps), default=1) < 0 else "ss_s6"
    if any(int(n) < 0 for n in (*starts, *stops)):
        yield "ss_s4"
    if args.get("begin_mask", 0) or args.get("end_mask", 0):
        yield "ss_s5"
    if args.get("new_axis_mask", 0):
        yield "ss_s3"
    if args.get("shrink_axis_mask", 0):
        yield "ss_s7"


def draw_listed(names: Sequence[str], more: Args) -> Callable[[Scene, str, Shape], Drawn]:
    """Slices with lists of axes: ONNX's, and OpenVINO's Slice."""

    def draw(scene: Scene, x: str, shape: Shape) -> Drawn:
        axes = scene.rng.sample(range(len(shape)), scene.rng.randint(1, len(shape)))
        begin, end, strides = draw_entries(scene, [shape[axis] for axis in axes])  # type: ignore[arg-type]
        lists: Args = {names[0]: begin, names[1]: end, "axes": axes, names[2]: strides}
        if RUN_TIME not in scene.lacks and scene.rng.random() < 0.5:
            lists |= {name: At(scene.add(np.array(lists[name], "int64"))) for name in names[:2]}
        return (x,), lists | more

    return draw


STRIDED = ("ss_s4", "ss_s6", "ss_s6 backwards")


# ---- gradients ------------------------------------------------------------------------------------------------------


def draw_slice_gradient(scene: Scene, x: str, shape: Shape) -> Drawn:
    rng = scene.rng
    starts, strides = [rng.choice((0, 0, 1, 2)) for _ in shape], [rng.choice((1, 1, 2, 3)) for _ in shape]
    args: Args = {"start_indices": starts, "strides": strides, "behind": [rng.choice((0, 0, 1)) for _ in shape]}
    return (x,), slice_gradient(args, shape)


def slice_gradient(args: Args, shape: Shape) -> Args:
    """The arguments of the gradient of a slice whose result has this shape."""
    three = zip(args["start_indices"], args["strides"], shape, strict=True)
    limits = [start + max(dim - 1, 0) * stride + (dim > 0) for start, stride, dim in three]
    behind = args.get("behind") or [a - b for a, b in zip(args["operand_shape"], args["limit_indices"], strict=True)]
    whole = [limit + more for limit, more in zip(limits, behind, strict=True)]
    kept = {name: args[name] for name in ("start_indices",)}
    return {"operand_shape": whole, **kept, "limit_indices": limits, "strides": args["strides"]}


def fit_slice_gradient(args: Args, shapes: Sequence[Shape]) -> Args:
    return slice_gradient(args, shapes[0])


def draw_window_gradient(scene: Scene, x: str, shape: Shape) -> Drawn:
    whole = [dim + scene.rng.choice((0, 0, 1, 2)) for dim in shape]
    starts = draw_starts(scene, tuple(whole), shape)
    first = {"operand_shape": whole, "start_indices": starts.pop("start_indices")}
    return (x,), first | {"slice_sizes": list(shape)} | starts


def fit_window_gradient(args: Args, shapes: Sequence[Shape]) -> Args:
    whole = [max(a, b) for a, b in zip(args["operand_shape"], shapes[0], strict=True)]
    return args | {"operand_shape": whole, "slice_sizes": list(shapes[0])}


def draw_strided_gradient(scene: Scene, x: str, shape: Shape) -> Drawn:
    drawn = draw_slice_gradient(scene, x, shape)[1]
    names = {"operand_shape": "shape", "start_indices": "begin", "limit_indices": "end", "strides": "strides"}
    return (x,), {names[name]: value for name, value in drawn.items()}


def fit_strided_gradient(args: Args, shapes: Sequence[Shape]) -> Args:
    names = {"operand_shape": "shape", "start_indices": "begin", "limit_indices": "end", "strides": "strides"}
    fitted = slice_gradient({name: args[own] for name, own in names.items()}, shapes[0])
    return {names[name]: value for name, value in fitted.items()}


def always(*rules: str) -> Callable[[Args, Sequence[Shape]], Iterator[str]]:
    """Of operations whose steps all meet the same rules."""
    return lambda args, shapes: iter(rules)


WINDOW = ("start_indices", "slice_sizes")
CLAMPED = ("ds_s1", "ds_s1 clamped", "ds_s3")

OPERATIONS: dict[str, Operation] = {
    "xla.slice": Operation(
        ("sl_s1", "sl_s1 strided"), draw_slice, met_slice, fit_slice, ("start_indices", "limit_indices", "strides")
    ),
    "xla.dynamic_slice": Operation(
        CLAMPED, draw_dynamic_slice, lambda args, shapes: met_starts(args, shapes[0], args["slice_sizes"]), fit_sizes,
        WINDOW,
    ),
    "xla.dynamic_update_slice": Operation(
        ("dus_s1", "dus_s1 clamped", "ds_s3"), draw_dynamic_update_slice,
        lambda args, shapes: (rule.replace("ds_s1", "dus_s1") for rule in met_starts(args, shapes[0], shapes[1])),
        per_axis=("start_indices",), beside=beside_update,
    ),
    "xla.pad": Operation(
        ("pad_s1", "pad_s1 interior", "pad_s2"), draw_pad, met_pad, per_axis=("padding_config",),
        beside=lambda args, first, own, place: own,
    ),
    "xla.rev": Operation(
        ("rev_s1",), lambda scene, x, shape: ((x,), {"dimensions": some_axes(scene, shape)}), always("rev_s1"),
        axes=("dimensions",),
    ),
    "xla.transpose": Operation(("tr_s1",), draw_transpose, always("tr_s1"), axes=("permutation",)),
    "xla.reshape": Operation(("rs_s1", "rs_s1 ones"), draw_reshape, met_reshape, fit_reshape),
    "xla.concatenate": Operation(
        ("cat_s1",), draw_concatenate, always("cat_s1"), axes=("dimension",), beside=beside_concatenate
    ),
    "xla.broadcast_in_dim": Operation(("bid_s1", "bid_s2"), draw_broadcast_in_dim, met_broadcast, fit_broadcast),
    "xla.select": Operation(
        ("sel_s1", "sel_s2"), draw_select,
        lambda args, shapes: iter(("sel_s1" if shapes[0] == shapes[1] else "sel_s2",)),
        beside=beside_select,
    ),
    "tf.strided_slice": Operation((*STRIDED, "ss_s3", "ss_s5", "ss_s7"), draw_strided_slice, met_strided),
    "onnx.slice": Operation(
        STRIDED, draw_listed(("starts", "ends", "steps"), {"engine": "ort"}), met_strided, axes=("axes",)
    ),
    "openvino.slice": Operation(STRIDED, draw_listed(("start", "stop", "step"), {}), met_strided, axes=("axes",)),
    "vjp.slice": Operation(
        ("gr_s1",), draw_slice_gradient, always("gr_s1"), fit_slice_gradient,
        ("operand_shape", "start_indices", "limit_indices", "strides"),
    ),
    "vjp.dynamic_slice": Operation(
        ("gr_s1 window",), draw_window_gradient, always("gr_s1 window"), fit_window_gradient,
        ("operand_shape", *WINDOW),
    ),
    "tf.strided_slice_grad": Operation(
        ("gr_s1",), draw_strided_gradient, always("gr_s1"), fit_strided_gradient, ("shape", "begin", "end", "strides"),
    ),
}  # fmt: skip

OF_SCALARS = ("xla.pad", "xla.select", "xla.broadcast_in_dim", "xla.reshape")
"""The operations that take values without axes, too."""


def rules_of(step: Step, values: dict[str, Array]) -> list[str]:
    """The rules that a step meets."""
    shapes = [values[name].shape for name in step.operands]
    return list(OPERATIONS[step.op].met(step.with_args(values), shapes))


def forms_of(chain: Chain) -> frozenset[str]:
    """What a chain has of that which engines may lack."""
    found: set[str] = set()
    for step in chain.steps:
        args, lists = step.args, step.args.get("broadcast_dimensions", [])
        config = args.get("padding_config", ())
        strides = next((args[name] for name in ("strides", "steps", "step") if name in args), ())
        has = {
            BACKWARDS: min(strides, default=1) < 0,
            INTERIOR: any(interior for *_, interior in config),
            NEGATIVE_PADDING: any(min(low, high) < 0 for low, high, _ in config),
            PERMUTED: list(lists) != sorted(lists),
            RUN_TIME: any(isinstance(value, At) for value in args.values()),
            WRAPPING: bool(args.get("allow_negative_indices", False)),
        }
        found.update(form for form, there in has.items() if there)
    return frozenset(found)
