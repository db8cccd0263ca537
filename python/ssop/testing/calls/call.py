"""One call of an operation, the answer that somebody gives to it, and when two answers are the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, Any]

OPERANDS = {
    "tf.strided_slice": ("input_",),
    "tf.strided_slice_grad": ("dy",),
    "tf.tensor_strided_slice_update": ("input", "value"),
    "tf.slice": ("input_",),
    "tflite.strided_slice": ("input_",),
    "tflite.slice": ("input_",),
    "openvino.strided_slice": ("data",),
    "openvino.slice": ("data",),
    "onnx.slice": ("data",),
    "xla.dynamic_update_slice": ("operand", "update"),
    "xla.dynamic_update_slice_in_dim": ("operand", "update"),
    "xla.dynamic_update_index_in_dim": ("operand", "update"),
    "xla.pad": ("operand", "padding_value"),
    "xla.select": ("pred", "on_true", "on_false"),
    "xla.clamp": ("min", "operand", "max"),
}
"""The parameters of an operation that are arrays; of all others of `xla` it is `operand`."""


class Named:
    """What has the full name of an operation."""

    op: str

    @property
    def name(self) -> str:
        """The operation without its dialect."""
        return self.op.partition(".")[2]

    @property
    def dialect(self) -> str:
        """The module of the operation: tf, tflite, openvino, onnx or xla."""
        return self.op.partition(".")[0]


@dataclass(frozen=True)
class Call(Named):
    """A call of `ssop.<op>`; `how` says in which of its ways another engine runs it.

    >>> call = Call("tf.slice", (np.arange(3),), {"begin": [1], "size": [-1]})
    >>> print(call)
    ssop.tf.slice(np.arange(0, 3, dtype='int64'), [1], [-1])
    >>> call.run()
    array([1, 2])
    """

    op: str
    arrays: tuple[Array, ...]
    args: dict[str, Any] = field(default_factory=dict)
    how: str = ""

    @property
    def operands(self) -> dict[str, Any]:
        """The arrays by the names of their parameters."""
        if self.name == "concatenate":
            return {"operands": list(self.arrays)}
        return dict(zip(OPERANDS.get(self.op, ("operand",)), self.arrays, strict=True))

    def run(self) -> Array:
        """What ssop returns; `ssop.SliceError` where it raises."""
        function: Callable[..., Array] = getattr(import_module(f"ssop.{self.dialect}"), self.name)
        return function(**self.operands, **self.args)

    def answer(self) -> Answer:
        """The same as an answer."""
        return Answer(self.run())

    def __str__(self) -> str:
        return call_text(f"ssop.{self.op}", self.operands, self.args)


VECTORS = ("begin", "end", "strides", "size", "starts", "ends", "axes", "steps", "start", "stop", "step",
           "start_indices", "limit_indices", "slice_sizes")  # fmt: skip
"""Arguments that have an entry each for the same axes."""


MAX_ENTRIES = 31
"""The most entries of a spec with masks: TensorFlow takes no more."""


def is_well_formed(call: Call) -> bool:
    """Whether all arguments have a form that the operation documents, whatever their values mean to it.

    That is vectors of one length, of integers of 64 bits, and masks of 32 bits, of which each entry has one.

    >>> x = (np.arange(3),)
    >>> [is_well_formed(Call("tf.slice", x, {"begin": b, "size": [1]})) for b in ([9], [1.0], [2**63], [[1]], [1, 1])]
    [True, False, False, False, False]
    """
    args = call.args
    masks = all(
        -(2**31) <= args[name] < 2**31 for name in args if name.endswith("_mask") and isinstance(args[name], int)
    )
    vectors = [args[name] for name in VECTORS if name in args and not isinstance(args[name], int | None)]
    lengths = {len(vector) if np.ndim(vector) == 1 else -1 for vector in vectors}
    masks = masks and ("begin_mask" not in args or max(lengths, default=0) <= MAX_ENTRIES)
    return masks and len(lengths) <= 1 and -1 not in lengths and all(_has_integers(value) for value in args.values())


def _has_integers(value: Any) -> bool:
    if value is None or isinstance(value, (bool, str, np.bool_)):
        return True
    if isinstance(value, (list, tuple)):
        return all(map(_has_integers, value))
    if isinstance(value, np.ndarray):
        return value.ndim <= 1 and value.dtype.kind in "iub"
    return isinstance(value, (int, np.integer)) and -(2**63) <= int(value) < 2**63


POSITIONAL = (
    "begin", "end", "strides", "size", "start", "stop", "step", "starts", "ends", "start_indices", "limit_indices",
    "slice_sizes", "padding_config",
)  # fmt: skip


def call_text(function: str, operands: Mapping[str, Any], args: Mapping[str, Any]) -> str:
    """Python code of a call; arguments at their default, which is 0 for masks, are left out."""
    words = [array_text(a) if isinstance(a, np.ndarray) else f"[{', '.join(map(array_text, a))}]"
             for a in operands.values()]  # fmt: skip
    names = list(operands)
    if function.endswith("_grad") or function.endswith("_update"):  # begin stands between the arrays
        words = [f"{name}={word}" for name, word in zip(names, words, strict=True)]
        positional: tuple[str, ...] = ()
    else:
        positional = POSITIONAL
    for name, value in args.items():
        if name.endswith("_mask") and (type(value) is int or isinstance(value, list)) and not np.any(value):
            continue
        if value is None or value is False and name in ("offset", "strict"):
            positional = ()
            continue
        if name not in positional:
            positional = ()
        words.append(value_text(value) if name in positional else f"{name}={value_text(value)}")
    return f"{function}({', '.join(words)})"


def value_text(value: Any) -> str:
    """Python code of an argument."""
    if isinstance(value, np.ndarray):
        return f"np.array({value.tolist()}, {value.dtype.name!r})"
    if isinstance(value, np.generic):
        return f"np.{value.dtype.name}({value.item()})"
    if isinstance(value, list):
        words = [*map(value_text, value)]
        return f"[{words[0]}] * {len(words)}" if len(words) > 8 and len({*words}) == 1 else f"[{', '.join(words)}]"
    return repr(value)


def array_text(array: Array) -> str:
    """Python code of an array of these elements.

    >>> array_text(np.arange(4.0).reshape(2, 2)), array_text(np.zeros((2, 0), bool))
    ("np.arange(0, 4, dtype='float64').reshape(2, 2)", "np.zeros((2, 0), 'bool')")
    """
    name, shape = array.dtype.name, tuple(map(int, array.shape))
    reshaped = f".reshape({shape})" if len(shape) == 0 else "" if len(shape) == 1 else f".reshape{shape}"
    if array.size == 0:
        return f"np.zeros({shape}, {name!r})"
    if array.dtype.hasobject:
        return f"np.array({array.tolist()!r}, object)" + reshaped
    flat = np.ascontiguousarray(array).reshape(-1)
    for first in (0, 1):
        count = np.arange(first, first + flat.size).astype(array.dtype)
        if flat.size < 10_000 and count.tobytes() == flat.tobytes():
            text = f"np.arange({first}, {first + flat.size}, dtype={name!r})"
            if array.dtype.kind not in "iuf":
                text = f"np.arange({first}, {first + flat.size}).astype({name!r})"
            return text + reshaped
    data = np.frombuffer(flat.tobytes(), np.uint8).tobytes().hex()
    return f"np.frombuffer(bytes.fromhex({data!r}), {name!r}){reshaped}"


class Rejection(Exception):
    """How another engine rejects a call: the name of its exception's type, and its text."""

    label = None

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(kind, text)
        self.kind, self.text = kind, text

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"


class Fault(Exception):
    """What nobody may answer: a crash, a hang, a result that is no array, an input that was changed."""

    label = None


@dataclass(frozen=True)
class Dims:
    """What is inferred of a shape: for each dim the least and the greatest number, None for no greatest one.

    The intervals are None if not even the rank is known.

    >>> print(Dims(((2, 2), (0, None))), Dims(None))
    [2, (0, None)] unknown rank
    """

    intervals: tuple[tuple[int, int | None], ...] | None

    def contains(self, other: Dims) -> bool:
        """Whether every shape that `other` allows is one that this one allows."""
        if self.intervals is None or other.intervals is None or len(self.intervals) != len(other.intervals):
            return self.intervals is None
        pairs = zip(self.intervals, other.intervals, strict=True)
        return all(low <= lo and (high is None or hi is not None and hi <= high) for (low, high), (lo, hi) in pairs)

    def __str__(self) -> str:
        if self.intervals is None:
            return "unknown rank"
        return str([lo if lo == hi else (lo, hi) for lo, hi in self.intervals])


MAX_ELEMENTS = 10**6
"""A subject's result of more is a fault, and is not copied: no call that is drawn has so many."""


@dataclass(frozen=True)
class Answer:
    """An array, inferred shape, or why there is neither: a `Rejection`, an `ssop.SliceError`, a `Fault`."""

    array: Array | None = None
    error: Exception | None = None
    dims: Dims | None = None

    @classmethod
    def of(cls, result: Array) -> Answer:
        """A copy of a result; a fault if it is too large, as a view of one element may be.

        >>> Answer.of(np.broadcast_to(0, (10**9,))).error
        Fault('gave a result of shape (1000000000,)')
        """
        if result.size > MAX_ELEMENTS:
            return cls(error=Fault(f"gave a result of shape {result.shape}"))
        return cls(np.array(result, order="C"))

    def agrees(self, other: Answer) -> bool:
        """Whether both have the same array, or the same dims."""
        if self.dims is not None or other.dims is not None:
            return self.dims == other.dims
        return same(self.array, other.array)

    def counted(self) -> Iterator[str]:
        """What kind of result it is, for the counts of a report."""
        if self.array is not None and self.array.size > 0:
            yield "with elements"
        if self.dims is not None and self.dims.intervals is None:
            yield "unknown rank"
        elif self.dims is not None and any(lo != hi for lo, hi in self.dims.intervals or ()):
            yield "with unknown dims"

    def __reduce__(self) -> Any:
        """Objects are pickled flat: NumPy pickles them as nested lists, of at most 32 levels."""
        if self.array is not None and self.array.dtype.hasobject:
            return _object_answer, (list(self.array.ravel()), self.array.shape)
        return Answer, (self.array, self.error, self.dims)

    def __str__(self) -> str:
        if self.dims is not None:
            return str(self.dims)
        if self.error is None and self.array is not None:
            return f"{self.array.dtype} {tuple(map(int, self.array.shape))} {_elements_text(self.array)}"
        label = getattr(self.error, "label", None)
        text = " ".join(str(self.error).split())[:300]
        if isinstance(self.error, Fault):
            return text
        if isinstance(self.error, Rejection) and label is not None:
            return f"rejected, by the rule {label} of SPEC.md"
        return f"{'error' if label is None else label} ({type(self.error).__name__}) {text}".replace(
            " (Rejection)", ":"
        )


def _object_answer(items: list[Any], shape: tuple[int, ...]) -> Answer:
    array: Array = np.empty(len(items), object)
    array[:] = items
    return Answer(array.reshape(shape))


def ask(function: Callable[..., Any], arguments: tuple[Any, ...], rejections: Any) -> Answer:
    """The answer, where only exceptions of the types `rejections` count as rejecting; others go up."""
    try:
        return Answer(function(*arguments))
    except rejections as error:
        return Answer(error=error)


def same(a: Any, b: Any) -> bool:
    """Equal shape, dtype and bytes; object arrays hold the same objects' values.

    >>> same(np.zeros(2), np.zeros(2)), same(np.zeros(2), -np.zeros(2)), same(np.zeros(0, "f4"), np.zeros(0, "f8"))
    (True, False, False)
    """
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if not a.dtype.hasobject:
        return bool(a.tobytes() == b.tobytes())
    try:
        return bool(a.tolist() == b.tolist())
    except Exception:  # of objects that a subject has made
        return False


def _elements_text(array: Array) -> str:
    """The first elements, which a subject has made: NumPy cannot print all code points and objects."""
    try:
        return str(np.asarray(array).ravel()[:12])
    except Exception as error:
        return f"elements that cannot be printed: {type(error).__name__}"
