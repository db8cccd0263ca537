"""StridedSliceSpec, a reusable slice object, plans made from it, and NumPy indices taken through it."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, overload

import numpy as np

from ssop import _core
from ssop._core import SliceError, SliceTypeError
from ssop._errors import kind_of, type_error
from ssop._masks import MASK_NAMES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ssop._explain.explanation import Explanation

_Self = TypeVar("_Self", bound="_ChecksBegin")

_T = TypeVar("_T", bound=np.generic)
_Array = TypeVar("_Array")
_Arguments: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], int, int, int, int, int]


class _ChecksBegin:
    """Lets the core say what is wrong where `end` is missing: often begin is a NumPy index."""

    __slots__ = ()

    def __new__(cls: type[_Self], *args: Any, **kwargs: Any) -> _Self:
        init: object = cls.__init__  # subclasses may have another one
        if len(args) < 2 and "end" not in kwargs and init is StridedSliceSpec.__init__:
            _core.check_spec(*args, **kwargs)  # raises in any case
        return super().__new__(cls)


class StridedSliceSpec(_ChecksBegin):
    """The arguments of `strided_slice` without the array: immutable, hashable, comparable, picklable.

    `begin`, `end` and `strides` are sequences of n <= 31 integers, the masks int32 (see `ssop.strided_slice`). What
    does not depend on a shape is checked here: `SliceValueError` (ss_c1..ss_c3), `SliceTypeError` and
    `SliceOverflowError` (in_c1..in_c6). Source: TensorFlow's StridedSlice OpDef.

    >>> import numpy as np, ssop
    >>> spec = ssop.StridedSliceSpec([1], [9], [2])
    >>> spec(np.arange(10))
    array([1, 3, 5, 7])
    >>> spec.resolve((4,))
    Region((4,), ((1, 2, 2),), (0,))
    """

    __module__ = "ssop"  # where users and pickles find it
    __slots__ = ("begin", "end", "strides", *MASK_NAMES)

    begin: tuple[int, ...]
    end: tuple[int, ...]
    strides: tuple[int, ...]
    begin_mask: int
    end_mask: int
    ellipsis_mask: int
    new_axis_mask: int
    shrink_axis_mask: int

    def __init__(
        self,
        begin: Sequence[int],
        end: Sequence[int],
        strides: Sequence[int] | None = None,
        begin_mask: int = 0,
        end_mask: int = 0,
        ellipsis_mask: int = 0,
        new_axis_mask: int = 0,
        shrink_axis_mask: int = 0,
    ) -> None:
        masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
        checked = _core.check_spec(begin, end, strides, *masks)
        for name, value in zip(self.__slots__, checked, strict=True):
            object.__setattr__(self, name, value)

    @classmethod
    def from_index(cls, index: Any) -> StridedSliceSpec:
        """Encodes a NumPy index as TensorFlow's Python front end does (ix_s1).

        `index` is one item or a tuple of integers, slices, None and `...`. Raises `SliceTypeError` (ix_c1) for anything
        else, arrays, lists and bools among it, and what the constructor raises.

        >>> import numpy as np, ssop
        >>> ssop.StridedSliceSpec.from_index(np.s_[..., ::-1])
        StridedSliceSpec([0, 0], [0, 0], [1, -1], begin_mask=2, end_mask=2, ellipsis_mask=1)
        """
        return cls(*_core.index_spec("from_index", index))

    def resolve(self, shape: Sequence[Any]) -> _core.Region:
        """The region this spec takes of an input of `shape` (ss_s1..ss_s8).

        Dims are integers, or Dims and pairs of which the number is known. Raises as `strided_slice` does
        (ss_c4..ss_c8), and `SliceTypeError` (rg_c6) if a dim is not known.

        >>> import ssop
        >>> ssop.StridedSliceSpec([0], [0], [-1], begin_mask=1, end_mask=1).resolve((2, 3)).ranges
        ((1, 2, -1), (0, 3, 1))
        """
        try:
            return _core.strided_slice_region(shape, *self.arguments)
        except (SliceTypeError, ValueError) as error:
            unknown = _unknown_dim(shape)
            known = None if unknown else _known_dims(shape)
            if known is None:
                raise unknown or error from None
        return _core.strided_slice_region(known, *self.arguments)

    def infer_shape(self, shape: Any, *, mode: Literal["tf", "tight"] = "tf") -> _core.PartialShape:
        """The shape this spec gives for an input whose shape is known in part (ss_s10).

        `shape` and `mode` are those of `ssop.shapes.strided_slice`. Raises as that does.

        >>> import numpy as np, ssop
        >>> spec = ssop.StridedSliceSpec.from_index(np.s_[1, :, ::2])
        >>> spec.infer_shape([None, 5, None]), spec.infer_shape([None, 5, (3, 4)], mode="tight")
        (PartialShape([5, None]), PartialShape([5, 2]))
        """
        if mode == "tight":  # which writes formulas of named dims
            return import_module("ssop.shapes").strided_slice(shape, *self.arguments, mode=mode)  # type: ignore[no-any-return]
        return _core.infer_strided_slice(shape, *self.arguments, mode=mode)

    def to_index(self, shape: Any) -> tuple[Any, ...]:
        """The NumPy index for an input of `shape` that names every axis with bounds inside it (rg_s4).

        Any array library with basic indexing takes the same elements by it. Dims that are not known are as for
        `ssop.shapes.Dim`: then the index takes the same for every dim for which the slice is no error. Raises as
        `strided_slice` does.

        >>> import ssop
        >>> ssop.StridedSliceSpec([-2], [99]).to_index((5, 3))
        (slice(3, 5, 1), slice(0, 3, 1))
        >>> ssop.StridedSliceSpec([-2, 1], [99, -1]).to_index(("batch", 8))
        (slice(-2, 99, 1), slice(1, -1, 1))
        """
        try:
            return self.resolve(shape).index
        except SliceTypeError as error:
            if error.label != "rg_c6":
                raise
        told = self.explain(shape)
        if told.error is not None:
            raise told.error
        assert told.index is not None  # TensorFlow's bounds, as they are written, are NumPy's
        return told.index

    def explain(self, shape: Sequence[Any] | None) -> Explanation:
        """What this spec takes of an input of `shape`, stage by stage; see `ssop.explain`.

        >>> import ssop
        >>> ssop.StridedSliceSpec([-2], [99]).explain((5, 3)).shape
        (2, 3)
        """
        from ssop._explain import explain  # loaded when needed

        return explain(shape, *self.arguments)

    @overload
    def __call__(self, x: NDArray[_T], out: NDArray[_T] | None = None) -> NDArray[_T]: ...
    @overload
    def __call__(self, x: Any, out: Any = None) -> Any: ...
    def __call__(self, x: Any, out: Any = None) -> Any:
        """`strided_slice(x, ...)` with this spec."""
        return _core.strided_slice(x, *self.arguments, out=out)

    def assign(self, ref: _Array, value: Any) -> _Array:
        """Writes `value` over this slice of `ref`, in place, and returns `ref`; see `ssop.strided_slice_assign`.

        >>> import numpy as np, ssop
        >>> x = np.arange(5)
        >>> ssop.StridedSliceSpec.from_index(np.s_[::2]).assign(x, 9)
        array([9, 1, 9, 3, 9])
        """
        begin, end, strides, *masks = self.arguments
        return _core.strided_slice_assign(ref, begin, end, strides, value, *masks)

    @overload
    def update(self, x: NDArray[_T], value: Any, out: NDArray[_T] | None = None) -> NDArray[_T]: ...
    @overload
    def update(self, x: Any, value: Any, out: Any = None) -> Any: ...
    def update(self, x: Any, value: Any, out: Any = None) -> Any:
        """A copy of `x` with `value` over this slice; see `ssop.tensor_strided_slice_update`.

        >>> import numpy as np, ssop
        >>> ssop.StridedSliceSpec.from_index(np.s_[1:3]).update(np.arange(4), [8, 9])
        array([0, 8, 9, 3])
        """
        begin, end, strides, *masks = self.arguments
        return _core.tensor_strided_slice_update(x, begin, end, strides, value, *masks, out=out)

    @property
    def arguments(self) -> _Arguments:
        """begin, end, strides and the five masks, in the order in which every function of this package takes them.

        >>> import numpy as np, ssop
        >>> spec = ssop.StridedSliceSpec([1], [4], [2])
        >>> ssop.strided_slice(np.arange(5), *spec.arguments)
        array([1, 3])
        """
        masks = (self.begin_mask, self.end_mask, self.ellipsis_mask, self.new_axis_mask, self.shrink_axis_mask)
        return (self.begin, self.end, self.strides, *masks)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"StridedSliceSpec is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"StridedSliceSpec is immutable: cannot delete {name!r}")

    def __eq__(self, other: object) -> bool:
        return self.arguments == other.arguments if isinstance(other, StridedSliceSpec) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.arguments)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.arguments

    def __repr__(self) -> str:
        masks = "".join(f", {name}={getattr(self, name)}" for name in MASK_NAMES if getattr(self, name))
        return f"StridedSliceSpec({list(self.begin)}, {list(self.end)}, {list(self.strides)}{masks})"

    def _repr_html_(self) -> str:
        from ssop._display import spec_html  # loaded when needed: notebooks only

        return spec_html(self)


def _unknown_dim(shape: Any) -> SliceError | None:
    """What a region says of a shape with a dim that is not known; None for other shapes, which may be none."""
    if isinstance(shape, _core.PartialShape) and shape.rank is None:
        return type_error("resolve", "rg_c6", "the rank of the shape is not known: a region has every dim", value=shape)
    # A subclass may iterate without end.
    dims: Any = shape if isinstance(shape, _core.PartialShape) else ()
    if type(shape) in (builtins.list, builtins.tuple):
        dims = shape[:64]  # the greatest rank
    for axis, dim in enumerate(dims):
        if _value(dim) is not None:
            continue
        if dim is None or isinstance(dim, (str, builtins.tuple, _core.Dim)):
            name = f" ({dim})" if isinstance(dim, (str, _core.Dim)) else ""
            message = f"dim {axis}{name} is not known, and a region has every dim: to_index, explain and infer_shape "
            error = type_error("resolve", "rg_c6", message + "take such a shape", value=dim)
            error.axis = axis
            return error
    return None


def _value(dim: Any) -> int | None:
    """The number of a Dim that is known, or of a pair of one number twice."""
    if type(dim) is builtins.tuple:
        return dim[0] if len(dim) == 2 and type(dim[0]) is type(dim[1]) is int and dim[0] == dim[1] else None
    return dim.value if isinstance(dim, _core.Dim) else None


def _known_dims(shape: Any) -> list[Any] | None:
    """The dims of a shape of which some are known as Dims or pairs; None if none is."""
    if type(shape) not in (builtins.list, builtins.tuple):
        return None
    values = [_value(dim) for dim in shape[:64]]
    if all(value is None for value in values):
        return None
    return [dim if value is None else value for dim, value in zip(shape, values, strict=False)] + [*shape[64:]]


def plan(spec: StridedSliceSpec, shape: Sequence[int], dtype: Any) -> _core.Plan:
    """Resolves `spec` once: `plan(x, out=None)` then runs it on arrays of exactly this shape and dtype.

    Raises `SliceTypeError` (pl_c3) if `spec` is no StridedSliceSpec, and what `spec.resolve(shape)` raises. Running it
    raises `SliceValueError` (pl_c1) for another shape and `SliceTypeError` (pl_c2) for another dtype.

    >>> import numpy as np, ssop
    >>> last_first = ssop.plan(ssop.StridedSliceSpec.from_index(np.s_[::-1]), (3,), np.int64)
    >>> last_first(np.array([1, 2, 3]))
    array([3, 2, 1])
    """
    if not isinstance(spec, StridedSliceSpec):
        hint = "StridedSliceSpec.from_index(index) makes one of a NumPy index"
        raise type_error("plan", "pl_c3", f"spec is {kind_of(spec)}, not a StridedSliceSpec ({hint})", value=spec)
    return _core.Plan(shape, dtype, *spec.arguments)


plan.__module__ = "ssop"  # where users and pickles find it
