"""NumPy's basic indexing: what it can say of TensorFlow's strided slices, of Slice, and of XLA's windows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ssop.testing.calls import Array, Call, Rejection
from ssop.testing.calls.call import array_text
from ssop.testing.calls.specs import MASKS, VECTORS, valid_strided_slice
from ssop.testing.calls.windows import xla_dynamic_slice, xla_dynamic_update_slice, xla_slice
from ssop.testing.oracles.interface import Oracle


def index_of(args: dict[str, Any]) -> tuple[Any, ...]:
    """The NumPy index of a spec: bits that conflict are decided as TensorFlow does.

    >>> index_of({"begin": [1, 0], "end": [9, 0], "strides": [2, 1], "end_mask": 1, "shrink_axis_mask": 2})
    (slice(1, None, 2), 0)
    """
    begin_mask, end_mask, ellipsis, new_axis, shrink = (args.get(name, 0) for name in MASKS)
    index: list[Any] = []
    strides = [1] * len(args["begin"]) if args.get("strides") is None else args["strides"]
    for i, (begin, end, stride) in enumerate(zip(args["begin"], args["end"], strides, strict=True)):
        if ellipsis >> i & 1:
            index.append(...)
        elif new_axis >> i & 1:
            index.append(None)
        elif shrink >> i & 1:
            if stride <= 0:
                raise ValueError("a shrunk entry has a stride that is not positive")
            index.append(int(begin))
        else:
            first, last = (None if mask >> i & 1 else int(b) for mask, b in ((begin_mask, begin), (end_mask, end)))
            index.append(slice(first, last, int(stride)))
    return tuple(index)


class NumPy(Oracle):
    """NumPy itself, which shares no code with ssop: basic indexing, and assignment for updates."""

    name = "numpy"
    distributions = ("numpy",)
    can_crash = False
    ops = {
        "tf.strided_slice": (1, valid_strided_slice),
        "xla.slice": (0.3, xla_slice),
        "xla.dynamic_slice": (0.3, xla_dynamic_slice),
        "xla.dynamic_update_slice": (0.3, xla_dynamic_update_slice),
    }
    limits = "well-formed specs alone; at most 64 axes"

    def run(self, call: Call) -> Array:
        try:
            if call.name == "strided_slice":
                if len({len(call.args[name]) for name in VECTORS if call.args[name] is not None}) != 1:
                    raise ValueError("begin, end and strides differ in length")
                return np.array(call.arrays[0][index_of(call.args)], order="C")
            return self.window(call)
        except (ValueError, IndexError, TypeError) as error:
            raise Rejection(type(error).__name__, str(error)) from None

    def code(self, call: Call) -> str:
        arrays = [array_text(array) for array in call.arrays]
        small = "import ml_dtypes\n" if any(a.dtype.name not in np.sctypeDict for a in call.arrays) else ""
        try:
            index = index_text(index_of(call.args) if call.name == "strided_slice" else window_of(call))
        except ValueError as error:
            return f"# NumPy has no index for this call: {error}."
        if call.name != "dynamic_update_slice":
            return f"import numpy as np\n{small}print({arrays[0]}[{index}])"
        return f"import numpy as np\n{small}x = {arrays[0]}.copy()\nx[{index}] = {arrays[1]}\nprint(x)"

    def window(self, call: Call) -> Array:
        """XLA's three slices."""
        x, index = call.arrays[0], window_of(call)
        if call.name != "dynamic_update_slice":
            return np.array(x[index], order="C")
        update = call.arrays[1]
        if update.dtype != x.dtype:
            raise TypeError("the update has another dtype")
        result = np.array(x, order="C")
        result[index] = update
        return result


def window_of(call: Call) -> tuple[slice, ...]:
    """The NumPy index of one of XLA's slices, after the checks that NumPy does not make.

    >>> args = {"start_indices": [9], "slice_sizes": (2,), "allow_negative_indices": True}
    >>> window_of(Call("xla.dynamic_slice", (np.zeros(5),), args))
    (slice(3, 5, None),)
    """
    x, args = call.arrays[0], call.args
    starts = [int(start) for start in args["start_indices"]]
    if call.name == "slice":
        strides = [1] * x.ndim if args["strides"] is None else args["strides"]
        bounds = list(zip(x.shape, starts, args["limit_indices"], strides, strict=True))
        if any(not 0 <= start <= limit <= dim or step <= 0 for dim, start, limit, step in bounds):
            raise ValueError("a bound lies outside the axis, or a stride is not positive")
        return tuple(slice(start, int(limit), int(step)) for _, start, limit, step in bounds)
    sizes = call.arrays[1].shape if call.name == "dynamic_update_slice" else args["slice_sizes"]
    negative = args["allow_negative_indices"]
    flags = [negative] * x.ndim if isinstance(negative, bool) else negative
    index = []
    for dim, start, size, counted in zip(x.shape, starts, sizes, flags, strict=True):
        if not 0 <= size <= dim:
            raise ValueError("a window is larger than its axis")
        at = min(max(start + dim if counted and start < 0 else start, 0), dim - int(size))
        index.append(slice(at, at + int(size)))
    return tuple(index)


def index_text(index: tuple[Any, ...]) -> str:
    """An index as one writes it.

    >>> index_text((slice(None, -1, 2), Ellipsis, None, 3)), index_text((slice(1, None, 1),)), index_text(())
    (':-1:2, ..., None, 3', '1:', '()')
    """

    def part(item: Any) -> str:
        if not isinstance(item, slice):
            return "..." if item is Ellipsis else str(item)
        first, last, step = ("" if number is None else str(number) for number in (item.start, item.stop, item.step))
        return f"{first}:{last}" + (f":{step}" if step not in ("", "1") else "")

    return ", ".join(map(part, index)) or "()"
