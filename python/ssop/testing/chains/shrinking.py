"""A smaller chain with the same difference: fewer operations, then fewer axes, smaller dims, simpler numbers.

A change is made at one place; what follows it is made legal again, and a chain that ssop rejects all the same is left
out. So what is tried is always a program that engines have to take.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ssop._core import SliceError
from ssop.testing.calls import Array
from ssop.testing.chains.operations import OF_SCALARS, OPERATIONS, Args, contents
from ssop.testing.chains.program import At, Chain, Step, applied

Passes = Callable[[Chain], Iterator["Chain | None"]]


def size_of_chain(chain: Chain) -> tuple[Any, ...]:
    """What makes a chain small: few operations, few axes, few elements, few things known at run time only."""
    arrays = [array for name, array in chain.inputs.items() if name not in _vectors(chain)]
    numbers = [n for step in chain.steps for value in step.with_args(chain.inputs).values() for n in _numbers(value)]
    reshapes = sum(len(value.shape) for value in chain.values.values())
    return (
        len(chain.steps), reshapes, sum(array.size for array in arrays), len(chain.inputs), len(_vectors(chain)),
        sum(min(abs(n), 2**63) * 2 + (n < 0) for n in numbers), sum(not _counts(array) for array in arrays),
        sum(array.dtype.name != "int32" for array in chain.arrays),
    )  # fmt: skip


def _vectors(chain: Chain) -> set[str]:
    """The inputs that are arguments of run time."""
    return {value.name for step in chain.steps for value in step.args.values() if isinstance(value, At)}


def _counts(array: Array) -> bool:
    return array.tobytes() == contents(array.shape, array.dtype).tobytes()


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, list | tuple | np.ndarray):
        for part in value:
            yield from _numbers(part)
    elif isinstance(value, int | np.integer):
        yield int(value)


def shrink_chain(chain: Chain, fails: Callable[[Chain], bool]) -> Chain:
    """The chain made as small as the passes can, which are repeated until none finds anything."""
    passes: tuple[Passes, ...] = (
        fewer_steps,
        fewer_axes,
        smaller_dims,
        dims_together,
        constants,
        simpler_numbers,
        plain_inputs,
    )
    changed = True
    while changed:
        changed = False
        for candidates in passes:
            smaller = _improved(chain, candidates, fails)
            while smaller is not None:
                chain, changed = smaller, True
                smaller = _improved(chain, candidates, fails)
    return chain


def _improved(chain: Chain, candidates: Passes, fails: Callable[[Chain], bool]) -> Chain | None:
    size = size_of_chain(chain)
    for candidate in candidates(chain):
        if candidate is not None and size_of_chain(candidate) < size and fails(candidate):
            return candidate
    return None


def refitted(inputs: Mapping[str, Array], steps: tuple[Step, ...], how: str = "") -> Chain | None:
    """A chain of these steps, the arguments and other operands of each made legal for what comes before it."""
    made = dict(inputs)
    values: dict[str, Array] = dict(inputs)
    fitted: list[Step] = []
    try:
        for step in steps:
            row = OPERATIONS[step.op]
            _fit_operands(step, made, values)
            if step.op not in OF_SCALARS and not values[step.operands[-1]].ndim:
                return None
            step = step._replace(args=row.fit(step.args, [values[name].shape for name in step.operands]))
            values[step.name] = applied(step, values)
            fitted.append(step)
        chain = Chain(made, tuple(fitted), how).pruned()
        chain.run()
    except (SliceError, ValueError, IndexError, KeyError, TypeError):
        return None
    return chain


def _fit_operands(step: Step, made: dict[str, Array], values: dict[str, Array]) -> None:
    """Give inputs that stand beside a value the shape that they must have there."""
    beside = OPERATIONS[step.op].beside
    if beside is None:
        return
    computed = [name for name in step.operands if name not in made]
    first = values[(computed or list(step.operands[step.op == "xla.select" :]))[0]].shape
    for place, name in enumerate(step.operands):
        if name in made and values[name].shape != first:
            shape = beside(step.args, first, values[name].shape, place)
            made[name] = values[name] = resized(values[name], shape)


def resized(array: Array, shape: tuple[int, ...]) -> Array:
    """An input of another shape that counts from the same number."""
    if array.dtype == bool:
        return np.resize(array, shape) if array.size else contents(shape, array.dtype)
    return contents(shape, array.dtype, int(array.flat[0]) if array.size else 0)


# ---- passes ---------------------------------------------------------------------------------------------------------


def fewer_steps(chain: Chain) -> Iterator[Chain | None]:
    """The program up to an earlier step; without one step; with an input in the place of a step's value."""
    for count in range(1, len(chain.steps)):
        yield refitted(chain.inputs, chain.steps[:count])
    for place, step in enumerate(chain.steps[:-1]):
        rest = chain.steps[place + 1 :]
        value = chain.values[step.name]
        fresh = {**chain.inputs, step.name: contents(value.shape, value.dtype)}
        yield refitted(fresh, chain.steps[:place] + rest)
    for place, step in enumerate(chain.steps):
        for operand in step.operands:
            names = {name: name for name in chain.values} | {step.name: operand}
            rest = tuple(later.renamed(names) for later in chain.steps[place + 1 :])
            if rest and chain.values[operand].dtype == chain.values[step.name].dtype:
                yield refitted(chain.inputs, chain.steps[:place] + rest)


def fewer_axes(chain: Chain) -> Iterator[Chain | None]:
    """Without one axis of one input."""
    vectors = _vectors(chain)
    for name, array in chain.inputs.items():
        for axis in range(array.ndim if name not in vectors else 0):
            yield without_axis(chain, name, axis)


def smaller_dims(chain: Chain) -> Iterator[Chain | None]:
    """With one dim of one input smaller."""
    vectors = _vectors(chain)
    for name, array in chain.inputs.items():
        for axis, dim in enumerate(array.shape if name not in vectors else ()):
            for smaller in closer(dim):
                if smaller > 0:
                    shape = (*array.shape[:axis], smaller, *array.shape[axis + 1 :])
                    yield refitted({**chain.inputs, name: resized(array, shape)}, chain.steps)


def dims_together(chain: Chain) -> Iterator[Chain | None]:
    """With all dims from some size on, and the numbers that go with them, smaller by the same."""
    vectors = _vectors(chain)
    data = {name: array for name, array in chain.inputs.items() if name not in vectors}
    for least in sorted({dim for array in data.values() for dim in array.shape if dim > 1}):
        for less in dict.fromkeys((least - 1, least // 2, 1)):
            inputs = {name: resized(array, _lessened(array.shape, least, less)) for name, array in data.items()}
            steps = (step._replace(args={key: _lessened(arg, least, less) for key, arg in step.args.items()})
                     for step in chain.steps)  # fmt: skip
            yield refitted({**chain.inputs, **inputs}, tuple(steps))


def _lessened(value: Any, least: int, less: int) -> Any:
    """A value whose numbers from `least` on are smaller by `less`.

    >>> _lessened([1, (5, 6)], 5, 3)
    [1, (2, 3)]
    """
    if isinstance(value, list) or type(value) is tuple:
        return type(value)(_lessened(part, least, less) for part in value)
    return value - less if type(value) is int and value >= least else value


def constants(chain: Chain) -> Iterator[Chain | None]:
    """With an argument of run time known before."""
    for place, step in enumerate(chain.steps):
        for key, value in step.args.items():
            if isinstance(value, At):
                numbers = chain.inputs[value.name].tolist()
                yield refitted(chain.inputs, _with_args(chain, place, step.args | {key: numbers}))


def simpler_numbers(chain: Chain) -> Iterator[Chain | None]:
    """With one number of one argument closer to 0."""
    for place, step in enumerate(chain.steps):
        for key, value in step.args.items():
            if isinstance(value, At):
                vector = chain.inputs[value.name]
                for numbers in _simpler(vector.tolist()):
                    yield refitted({**chain.inputs, value.name: np.array(numbers, vector.dtype)}, chain.steps)
            else:
                for simpler in _simpler(value):
                    yield refitted(chain.inputs, _with_args(chain, place, step.args | {key: simpler}))


def plain_inputs(chain: Chain) -> Iterator[Chain | None]:
    """With inputs of int32 that count from 0."""
    data = [name for name, array in chain.inputs.items() if name not in _vectors(chain) and array.dtype != bool]
    first, counted = 0, dict(chain.inputs)
    for name in data:
        counted[name] = contents(chain.inputs[name].shape, "int32", first)
        first += counted[name].size
    yield refitted(counted, chain.steps)
    yield refitted({name: array.astype("int32") if array.dtype == "int64" else array for name, array in
                    chain.inputs.items()}, chain.steps)  # fmt: skip
    for name in data:
        array = chain.inputs[name]
        yield refitted({**chain.inputs, name: contents(array.shape, array.dtype)}, chain.steps)
    for name in data:
        yield refitted({**chain.inputs, name: contents(chain.inputs[name].shape, "int32")}, chain.steps)


def _with_args(chain: Chain, place: int, args: Args) -> tuple[Step, ...]:
    return (*chain.steps[:place], chain.steps[place]._replace(args=args), *chain.steps[place + 1 :])


def closer(number: int) -> list[int]:
    """Numbers closer to 0, the closest first.

    >>> closer(9), closer(-2), closer(1)
    ([0, 1, -1, 2, 3, 4, 8], [0, 1, -1], [0])
    """
    size, sign = abs(number), 1 if number > 0 else -1
    near = [0, 1, -1, *(sign * n for n in (2, 3, size // 2, size - 1))]
    return list(dict.fromkeys(n for n in near if (abs(n), n < 0) < (size, number < 0)))


def _simpler(value: Any) -> Iterator[Any]:
    """The same with one number closer to 0."""
    if isinstance(value, bool):
        yield from (False,) if value else ()
    elif isinstance(value, int):
        yield from closer(value)
    elif isinstance(value, list | tuple):
        for place, part in enumerate(value):
            for simpler in _simpler(part):
                yield type(value)([*value[:place], simpler, *value[place + 1 :]])


# ---- an axis less ---------------------------------------------------------------------------------------------------


class CannotLose(Exception):
    """The axis is needed."""


class _Loss:
    """A chain in the making that loses an axis: which values have lost which, and the inputs that it then has."""

    def __init__(self, chain: Chain, lost: dict[str, int]) -> None:
        self.chain, self.lost = chain, lost
        self.shapes = {name: value.shape for name, value in chain.values.items()}
        self.inputs = dict(chain.inputs)
        for name, axis in lost.items():
            shape = self.shapes[name]
            self.inputs[name] = resized(chain.inputs[name], (*shape[:axis], *shape[axis + 1 :]))

    def without(self, value: Any, entry: int) -> Any:
        """A vector without an entry; that of an input is changed in the input."""
        if not isinstance(value, At):
            return [*value[:entry], *value[entry + 1 :]]
        self.inputs[value.name] = np.delete(self.inputs[value.name], entry)
        return value

    def step(self, step: Step) -> Step:
        """The step whose operands have lost an axis."""
        axes = {self.lost[name] for name in step.operands if name in self.lost}
        if not axes:
            return step
        if len(axes) > 1:
            raise CannotLose
        (axis,) = axes
        rank = max(len(self.shapes[name]) for name in step.operands)
        for name in step.operands:
            if len(self.shapes[name]) == rank and name not in self.lost:
                if name not in self.chain.inputs:
                    raise CannotLose
                raise _Also(name, axis)
        args, out = _lose(self, step, axis)
        if out is not None:
            self.lost[step.name] = out
        return step._replace(args=args)


class _Also(Exception):
    """Another input must lose an axis, too."""

    def __init__(self, name: str, axis: int) -> None:
        super().__init__(name, axis)
        self.loss = {name: axis}


def without_axis(chain: Chain, name: str, axis: int) -> Chain | None:
    """The chain whose input of this name has lost an axis, with all that comes of it."""
    lost = {name: axis}
    for _ in chain.inputs:
        loss = _Loss(chain, dict(lost))
        try:
            steps = tuple(map(loss.step, chain.steps))
            return refitted(loss.inputs, steps)
        except _Also as more:
            lost |= more.loss
        except CannotLose:
            return None
    return None


def _lose(loss: _Loss, step: Step, axis: int) -> tuple[Args, int | None]:
    """The arguments without an axis of the operands, and which one the result has lost."""
    args, dim = dict(step.args), max((loss.shapes[name] for name in step.operands), key=len)[axis]
    row = OPERATIONS[step.op]
    if step.op == "tf.strided_slice":
        return _lose_entry(loss, args, axis)
    if step.op == "xla.reshape":
        if dim not in args["new_sizes"]:
            if dim != 1:
                raise CannotLose
            return args, None
        place = args["new_sizes"].index(dim)
        return {"new_sizes": loss.without(args["new_sizes"], place)}, place
    if step.op == "xla.broadcast_in_dim":
        target = args["broadcast_dimensions"][axis]
        rest = loss.without(args["broadcast_dimensions"], axis)
        moved = [n - (n > target) for n in rest]
        return {"shape": loss.without(args["shape"], target), "broadcast_dimensions": moved}, target
    for key in row.per_axis:
        args[key] = loss.without(args[key], axis)
    for key in row.axes:
        args |= _lose_listed(loss, args, key, axis)
    if step.op == "xla.transpose":
        return args, step.args["permutation"].index(axis)
    return args, axis


def _lose_listed(loss: _Loss, args: Args, key: str, axis: int) -> Args:
    """Arguments of which one is an axis or lists axes, whose entries others have, too."""
    value = args[key]
    if isinstance(value, int):
        if value == axis:
            raise CannotLose
        return {key: value - (value > axis)}
    made: Args = {}
    if axis in value:
        entry = value.index(axis)
        for other in ("starts", "ends", "steps", "start", "stop", "step") if key == "axes" else ():
            if other in args:
                made[other] = loss.without(args[other], entry)
    return {**made, key: [n - (n > axis) for n in value if n != axis]}


def _lose_entry(loss: _Loss, args: Args, axis: int) -> tuple[Args, int | None]:
    new, shrink = args["new_axis_mask"], args["shrink_axis_mask"]
    entries = [entry for entry in range(axis + new.bit_count() + 1) if not new >> entry & 1]
    entry = entries[axis]
    shrunk = shrink >> entry & 1
    out = axis + (new & ((1 << entry) - 1)).bit_count() - (shrink & ((1 << entry) - 1)).bit_count()
    for key in ("begin", "end", "strides"):
        args[key] = loss.without(args[key], entry)
    for key in args:
        if key.endswith("_mask"):
            args[key] = args[key] >> (entry + 1) << entry | args[key] & ((1 << entry) - 1)
    return args, None if shrunk else out
