"""Calls of one operation as data of JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ssop.testing._differential.shrinking import counting
from ssop.testing.calls import Array, Call


def array_to_json(array: Array) -> dict[str, Any]:
    """An array: by counting 1, 2, 3, .. where it has these elements, or by its bytes.

    >>> array_to_json(np.arange(1, 4))
    {'dtype': 'int64', 'shape': [3]}
    """
    name, shape = array.dtype.name, list(map(int, array.shape))
    if array.dtype.hasobject:
        return {"dtype": "object", "shape": shape, "items": [_item(item) for item in array.ravel()]}
    if array.tobytes() == counting(shape, array.dtype).tobytes():
        return {"dtype": name, "shape": shape}
    return {"dtype": name, "shape": shape, "data": array.tobytes().hex()}


def _item(item: Any) -> Any:
    return {"bytes": item.hex()} if isinstance(item, bytes) else item


def array_from_json(data: Mapping[str, Any]) -> Array:
    """The array of `array_to_json`, in C order."""
    shape = tuple(data["shape"])
    if "items" in data:
        array: Array = np.empty(len(data["items"]), object)
        array[:] = [bytes.fromhex(item["bytes"]) if isinstance(item, Mapping) else item for item in data["items"]]
        return array.reshape(shape)
    dtype = _dtype(data["dtype"])
    if "data" in data:
        return np.frombuffer(bytes.fromhex(data["data"]), dtype).reshape(shape)
    return counting(shape, dtype)


def _dtype(name: str) -> np.dtype[Any]:
    try:
        return np.dtype(name)
    except TypeError:
        import ml_dtypes

        found: np.dtype[Any] = np.dtype(getattr(ml_dtypes, name))
        return found


def value_to_json(value: Any) -> Any:
    """An argument: arrays and scalars of NumPy keep their dtype, tuples are told from lists."""
    if isinstance(value, np.ndarray | np.generic):
        return {"dtype": value.dtype.name, "values": value.tolist()}
    if isinstance(value, tuple):
        return {"tuple": [value_to_json(part) for part in value]}
    return [value_to_json(part) for part in value] if isinstance(value, list) else value


def value_from_json(value: Any) -> Any:
    """The argument of `value_to_json`.

    >>> value_from_json(value_to_json([1, (2, None)])), value_from_json(value_to_json(np.array([3], np.int8)))
    ([1, (2, None)], array([3], dtype=int8))
    """
    if isinstance(value, Mapping):
        if "tuple" in value:
            return tuple(value_from_json(part) for part in value["tuple"])
        array = np.array(value["values"], _dtype(value["dtype"]))
        return array if array.ndim else array[()]
    return [value_from_json(part) for part in value] if isinstance(value, list) else value


def call_to_json(call: Call) -> dict[str, Any]:
    """A call; `call_from_json` reads it."""
    return {
        "op": call.op,
        "arrays": [array_to_json(array) for array in call.arrays],
        "args": {name: value_to_json(value) for name, value in call.args.items()},
        "how": call.how,
    }


def call_from_json(data: Mapping[str, Any]) -> Call:
    """The call of `call_to_json`.

    >>> call = Call("tf.slice", (np.arange(1, 4),), {"begin": [1], "size": [-1]})
    >>> str(call_from_json(call_to_json(call))) == str(call)
    True
    """
    args = {name: value_from_json(value) for name, value in data["args"].items()}
    return Call(data["op"], tuple(array_from_json(array) for array in data["arrays"]), args, data["how"])
