"""ssop._core: shapes that are known in part, and the shapes that slices give."""

# Parameters fill their lines, as in the other stubs.
# fmt: off

from collections.abc import Iterator, Sequence
from typing import Any, Literal, SupportsIndex, TypeAlias, final, overload

from numpy.typing import NDArray

from ssop._core_types import _Bools, _Engine, _Integers, _OrFill, _Padding

_Mode: TypeAlias = Literal["tf", "tight"]
_Dim: TypeAlias = SupportsIndex | tuple[SupportsIndex | None, SupportsIndex | None] | str | Dim | None
_Shape: TypeAlias = Sequence[_Dim] | NDArray[Any] | PartialShape | None
_Number: TypeAlias = SupportsIndex | tuple[SupportsIndex | None, SupportsIndex | None] | Dim | None
_Numbers: TypeAlias = Sequence[_Number] | NDArray[Any]

@final
class Dim:
    """A dim: a number, or an interval that it lies in, with an identity (sh_s1).

    Two unknown dims are the same number if they have the same identity. Known dims are
    the same number if they are equal. Immutable. `==` looks at the interval and the name;
    `same_as` also at the identity, which is one for each name and each formula (sh_s39).
    `+`, `-`, `*` and `//` are the methods of the tight mode. A pickle keeps the interval or
    the name, but no other identity.

    Parameters
    ----------
    value : int, None, (int, int), (int, None), str or Dim
        A number >= 0; None for any number; a pair for the numbers from the first to the
        second, both included, or from the first on. A name, an identifier, is any number.
        A Dim is returned itself.
    formula : str, optional
        What is written for a dim that is not known: a name, or a formula of names.

    Raises
    ------
    SliceError : `label` names the rule (sh_c23, sh_c24, sh_c37, in_*) in SPEC.md.

    Source: DimensionHandle of TensorFlow's shape_inference.h, OpenVINO's Dimension.

    Examples
    --------
    >>> from ssop._core import Dim
    >>> Dim(3), Dim(), Dim((1, 4)), Dim((2, None))
    (Dim(3), Dim(None), Dim((1, 4)), Dim((2, None)))
    >>> print(Dim(3), Dim(), Dim((1, 4)), Dim((2, None)))
    3 ? 1..4 2..
    >>> n = Dim()
    >>> n == Dim(), n.same_as(Dim()), n.same_as(n)
    (True, False, True)
    >>> Dim("batch"), Dim("batch").same_as("batch"), Dim("batch") == Dim("n")
    (Dim('batch'), True, False)
    >>> Dim((1, 8), "batch"), str(Dim((0, 8), "min(8, n)"))
    (Dim((1, 8), 'batch'), 'min(8, n)')
    """

    def __new__(cls, value: _Dim = None, formula: str | None = None) -> Dim: ...
    @property
    def value(self) -> int | None:
        """The number; None if it is not known."""
    @property
    def interval(self) -> tuple[int, int | None]:
        """The least and the greatest number it can be; None: there is no greatest one."""
    @property
    def id(self) -> int:
        """The identity: dims with the same one are the same number. 0 for known dims."""
    @property
    def formula(self) -> str | None:
        """The name, or a formula of names; of a known dim, the number. None without them."""
    def same_as(self, other: _Dim) -> bool:
        """True if both are the same number, by identity or because both are known and equal.

        >>> from ssop._core import Dim
        >>> Dim(3).same_as(3), Dim().same_as(None)
        (True, False)
        """
    def merge(self, other: _Dim) -> Dim:
        """What both say together (sh_s3): one of the two if it says as much, else a new dim.

        Raises
        ------
        SliceValueError : no number is in both intervals (sh_c3).

        >>> from ssop._core import Dim
        >>> Dim((1, 4)).merge((3, None))
        Dim((3, 4))
        """
    def relax(self, other: _Dim, *, mode: _Mode = 'tight') -> Dim:
        """What either allows (sh_s4): this dim if both are the same number, else another one.

        mode='tf' makes different dims unknown, as TensorFlow does; mode='tight' gives the
        smallest interval that has both.

        >>> from ssop._core import Dim
        >>> Dim(2).relax(5), Dim(2).relax(5, mode='tf')
        (Dim((2, 5)), Dim(None))
        """
    def with_value(self, value: SupportsIndex) -> Dim:
        """The dim `value`, or an error if this dim cannot be that number.

        Raises
        ------
        SliceValueError : `value` is not in the interval (sh_c8).

        >>> from ssop._core import Dim
        >>> Dim((1, 4)).with_value(4)
        Dim(4)
        """
    def add(self, other: _Dim, *, mode: _Mode = 'tight') -> Dim:
        """The sum (sh_s5). Raises SliceOverflowError (sh_c13) if it cannot fit int64.

        >>> from ssop._core import Dim
        >>> Dim((1, 4)).add(2), Dim((1, 4)).add(2, mode='tf')
        (Dim((3, 6)), Dim(None))
        """
    def subtract(self, other: _Dim, *, mode: _Mode = 'tight') -> Dim:
        """The difference (sh_s5). Raises SliceValueError (sh_c12) if it can only be negative.

        >>> from ssop._core import Dim
        >>> n = Dim()
        >>> n.subtract(n), n.subtract(0) is n
        (Dim(0), True)
        """
    def multiply(self, other: _Dim, *, mode: _Mode = 'tight') -> Dim:
        """The product (sh_s6). Raises SliceOverflowError (sh_c14) if it cannot fit int64.

        >>> from ssop._core import Dim
        >>> Dim().multiply(0), Dim((1, 4)).multiply(2)
        (Dim(0), Dim((2, 8)))
        """
    def divide(self, other: _Dim, *, evenly: bool = False, mode: _Mode = 'tight') -> Dim:
        """The quotient, rounded down (sh_s6); with `evenly`, a remainder is an error.

        Raises
        ------
        SliceValueError : the divisor is not positive (sh_c15), or there can only be a
            remainder (sh_c16).

        >>> from ssop._core import Dim
        >>> Dim(7).divide(2), Dim((6, 9)).divide(3, evenly=True)
        (Dim(3), Dim((2, 3)))
        """
    def minimum(self, other: _Dim, *, mode: _Mode = 'tight') -> Dim:
        """The smaller one of the two (sh_s7).

        >>> from ssop._core import Dim
        >>> Dim((1, 4)).minimum(3), Dim((1, 4)).minimum(0)
        (Dim((1, 3)), Dim(0))
        """
    def maximum(self, other: _Dim, *, mode: _Mode = 'tight') -> Dim:
        """The larger one of the two (sh_s7).

        >>> from ssop._core import Dim
        >>> Dim((1, 4)).maximum(3)
        Dim((3, 4))
        """
    def __add__(self, other: _Dim, /) -> Dim: ...
    def __radd__(self, other: _Dim, /) -> Dim: ...
    def __sub__(self, other: _Dim, /) -> Dim: ...
    def __rsub__(self, other: _Dim, /) -> Dim: ...
    def __mul__(self, other: _Dim, /) -> Dim: ...
    def __rmul__(self, other: _Dim, /) -> Dim: ...
    def __floordiv__(self, other: _Dim, /) -> Dim: ...
    def __rfloordiv__(self, other: _Dim, /) -> Dim: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Dim: ...
    def __deepcopy__(self, memo: Any, /) -> Dim:
        """Return the dim itself: a copy of an unknown dim would be another unknown number (sh_s1)."""

@final
class PartialShape:
    """A shape whose dims, and whose rank, may be unknown (sh_s1).

    Immutable. `==` looks at the rank, the intervals and the names; `same_as` at the
    identity of the shape. A shape of known rank is a sequence of its dims, each an int
    or None. In a pickle, dims of one shape that are the same number stay so.

    Parameters
    ----------
    dims : None, or a sequence of what Dim() takes
        None: not even the rank is known. A PartialShape is returned itself.

    Raises
    ------
    SliceError : `label` names the rule (sh_c23, in_*) in SPEC.md.

    Source: ShapeHandle of TensorFlow's shape_inference.h, tf.TensorShape.

    Examples
    --------
    >>> from ssop._core import PartialShape
    >>> shape = PartialShape([2, None, (1, 4)])
    >>> shape
    PartialShape([2, None, (1, 4)])
    >>> print(shape, PartialShape(None))
    [2,?,1..4] ?
    >>> shape.dims, shape[0], shape[1:]
    ((2, None, None), 2, PartialShape([None, (1, 4)]))
    >>> named = PartialShape(["batch", 8])
    >>> named, str(named), named.formulas
    (PartialShape(['batch', 8]), '[batch,8]', ('batch', '8'))
    """

    def __new__(cls, dims: _Shape = None) -> PartialShape: ...
    @property
    def rank(self) -> int | None:
        """The number of axes; None if it is not known."""
    @property
    def dims(self) -> tuple[int | None, ...] | None:
        """Each dim: the number, or None if it is not known. None for an unknown rank."""
    @property
    def intervals(self) -> tuple[tuple[int, int | None], ...] | None:
        """Each dim: its least and its greatest number. None for an unknown rank."""
    @property
    def formulas(self) -> tuple[str | None, ...] | None:
        """Each dim: its name, formula or number, None without them. None for an unknown rank."""
    @property
    def is_fully_known(self) -> bool:
        """True if the rank and all dims are known."""
    @property
    def id(self) -> int:
        """The identity of the shape, which no other shape that was made has."""
    def same_as(self, other: _Shape) -> bool:
        """True if both are one shape, with the same identity.

        >>> from ssop._core import PartialShape
        >>> a = PartialShape([2, None])
        >>> a.same_as(a), a.same_as(PartialShape([2, None]))
        (True, False)
        """
    def contains(self, shape: Sequence[SupportsIndex]) -> bool:
        """True if this shape can turn out to be `shape`: dims that are the same number must be equal there.

        >>> from ssop._core import Dim, PartialShape
        >>> n = Dim()
        >>> PartialShape([n, n]).contains((3, 3)), PartialShape([n, n]).contains((3, 4))
        (True, False)
        """
    def dim(self, axis: SupportsIndex) -> Dim:
        """The dim of an axis; negative axes count from the end.

        A new unknown dim if the rank is unknown.

        Raises
        ------
        SliceIndexError : there is no such axis (sh_c11).

        >>> from ssop._core import PartialShape
        >>> PartialShape([2, None]).dim(-2)
        Dim(2)
        """
    def merge(self, other: _Shape) -> PartialShape:
        """What both say together (sh_s3): one of the two if it says as much, else a new shape.

        Raises
        ------
        SliceValueError : the ranks differ (sh_c1), or two dims conflict (sh_c2).

        >>> from ssop._core import PartialShape
        >>> PartialShape([2, None]).merge([None, 2])
        PartialShape([2, 2])
        """
    def relax(self, other: _Shape, *, mode: _Mode = 'tight') -> PartialShape:
        """What either allows (sh_s4): this shape if all dims are the same numbers, else another one.

        mode='tf' makes different dims unknown, as TensorFlow does; mode='tight' gives the
        smallest intervals that have both.

        >>> from ssop._core import PartialShape
        >>> PartialShape([2, 2]).relax([3, 2]), PartialShape([2, 2]).relax([3, 2], mode='tf')
        (PartialShape([(2, 3), 2]), PartialShape([None, 2]))
        """
    def with_rank(self, rank: SupportsIndex) -> PartialShape:
        """This shape if it has that rank; for an unknown rank, a new shape of unknown dims (sh_s8).

        Raises
        ------
        SliceValueError : it has another rank (sh_c4), or no shape has that one (sh_c7).

        >>> from ssop._core import PartialShape
        >>> PartialShape(None).with_rank(2)
        PartialShape([None, None])
        """
    def with_rank_at_least(self, rank: SupportsIndex) -> PartialShape:
        """This shape, or an error if it has fewer axes (sh_c5).

        >>> from ssop._core import PartialShape
        >>> PartialShape([2, None]).with_rank_at_least(1)
        PartialShape([2, None])
        """
    def with_rank_at_most(self, rank: SupportsIndex) -> PartialShape:
        """This shape, or an error if it has more axes (sh_c6).

        >>> from ssop._core import PartialShape
        >>> PartialShape([2, None]).with_rank_at_most(2)
        PartialShape([2, None])
        """
    def merge_prefix(self, prefix: _Shape) -> tuple[PartialShape, PartialShape]:
        """This shape with its first dims merged with those of `prefix`, and these dims alone.

        Raises
        ------
        SliceValueError : `prefix` has more axes (sh_c5), or two dims conflict (sh_c3).

        >>> from ssop._core import PartialShape
        >>> PartialShape([None, 3, 4]).merge_prefix([2, None])
        (PartialShape([2, 3, 4]), PartialShape([2, 3]))
        """
    def replace_dim(self, axis: SupportsIndex, dim: _Dim) -> PartialShape:
        """This shape with another dim; negative axes count from the end.

        Raises
        ------
        SliceIndexError : there is no such axis (sh_c11).

        >>> from ssop._core import PartialShape
        >>> PartialShape([2, 3]).replace_dim(-1, None)
        PartialShape([2, None])
        """
    def subshape(
        self, start: SupportsIndex = 0, end: SupportsIndex | None = None, stride: SupportsIndex = 1
    ) -> PartialShape:
        """The dims of the axes start, start + stride, .. before end (sh_s9).

        Negative bounds count from the end; bounds above the rank are the rank. All axes in
        order are this shape itself. Unlike for a slice of Python, start may not come after
        end: `shape[start:end]` is that.

        Raises
        ------
        SliceValueError : a bound is below -rank (sh_c9), start comes after end (sh_c10),
            or stride is 0 (sh_c21).

        >>> from ssop._core import PartialShape
        >>> PartialShape([2, 3, None]).subshape(-2)
        PartialShape([3, None])
        """
    def concatenate(self, other: _Shape) -> PartialShape:
        """The dims of this shape and then those of the other one (sh_s10).

        Raises
        ------
        SliceValueError : that is more than 64 axes (in_c9).

        >>> from ssop._core import PartialShape
        >>> PartialShape([2]).concatenate([None, 3])
        PartialShape([2, None, 3])
        """
    def num_elements(self, *, mode: _Mode = 'tight') -> Dim:
        """The product of all dims (sh_s12); unknown if the rank is.

        Raises
        ------
        SliceOverflowError : it cannot fit int64 (sh_c14).

        >>> from ssop._core import PartialShape
        >>> PartialShape([2, (1, 3)]).num_elements(), PartialShape([2, None, 0]).num_elements()
        (Dim((2, 6)), Dim(0))
        """
    @classmethod
    def from_tensor(cls, values: _Numbers) -> PartialShape:
        """The shape whose dims are the elements of a tensor (sh_s11).

        Elements are integers, None for an unknown one, or pairs. -1 is an unknown dim.

        Raises
        ------
        SliceValueError : an element can only be below -1 (sh_c17), or there are more than
            64 (in_c9).

        Source: InferenceContext::MakeShapeFromTensor of TensorFlow.

        >>> from ssop._core import PartialShape
        >>> PartialShape.from_tensor([2, -1, None])
        PartialShape([2, None, None])
        """
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[int | None]: ...
    @overload
    def __getitem__(self, index: SupportsIndex, /) -> int | None: ...
    @overload
    def __getitem__(self, index: slice, /) -> PartialShape: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> PartialShape: ...
    def __deepcopy__(self, memo: Any, /) -> PartialShape:
        """Return the shape itself: its dims stay the same unknown numbers (sh_s1)."""

def infer_strided_slice(
    shape: _Shape, begin: _Numbers, end: _Numbers, strides: _Numbers | None = None, begin_mask: SupportsIndex = 0,
    end_mask: SupportsIndex = 0, ellipsis_mask: SupportsIndex = 0, new_axis_mask: SupportsIndex = 0,
    shrink_axis_mask: SupportsIndex = 0, *, mode: _Mode = 'tf'
) -> PartialShape:
    """The shape that ssop.strided_slice gives, for what is known of its arguments (ss_s10).

    Parameters
    ----------
    shape : None, or a sequence of what Dim() takes
    begin, end, strides : sequences of integers, None or pairs (least, greatest)
        None is any number; in a pair, any number in that direction.
    begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask : int32
    mode : 'tf' or 'tight'
        'tf' answers as TensorFlow's shape function does; 'tight' gives the smallest
        interval for each dim that has the result of every valid completion.

    Returns
    -------
    PartialShape

    Raises
    ------
    SliceError : no completion is valid; `label` names the rule (ss_*, in_*) in SPEC.md.

    Source: TensorFlow's shape function of StridedSlice, and its kernel.

    Examples
    --------
    >>> from ssop._core import infer_strided_slice
    >>> infer_strided_slice([None, 5], [0, -3], [2, None], mode='tight')
    PartialShape([(0, 2), (0, 3)])
    >>> infer_strided_slice([None, 5], [0, -3], [2, None])
    PartialShape([None, None])
    """

def partial_vector(op: str, name: str, values: _Numbers) -> tuple[int | tuple[int | None, int | None] | None, ...]:
    """A vector of numbers that are known in part, as every function of shapes reads it.

    Errors speak of the vector by its name, and of the operation `op` (in_c1, in_c2, in_c5,
    in_c6, in_c11). The numbers of a vector after the 128th are one None.

    >>> from ssop._core import partial_vector
    >>> partial_vector("onnx.slice", "starts", [1, None, (0, None), (2, 2)])
    (1, None, (0, None), 2)
    """

def infer_tf_slice(
    shape: _Shape, begin: _Numbers, size: _Numbers, name: Any = None, *, mode: _Mode = 'tf'
) -> PartialShape:
    """The shape that ssop.tf.slice gives, for what is known of its arguments.

    begin and size are vectors as those of infer_strided_slice.

    >>> from ssop._core import infer_tf_slice
    >>> infer_tf_slice([None, 5], [1, 1], [2, -1])
    PartialShape([2, 4])
    """

def infer_tflite_strided_slice(
    shape: _Shape, begin: _Numbers, end: _Numbers, strides: _Numbers | None = None, begin_mask: SupportsIndex = 0,
    end_mask: SupportsIndex = 0, ellipsis_mask: SupportsIndex = 0, new_axis_mask: SupportsIndex = 0,
    shrink_axis_mask: SupportsIndex = 0, offset: bool = False, *, mode: _Mode = 'tf'
) -> PartialShape:
    """The shape that ssop.tflite.strided_slice gives, for what is known of its arguments.

    >>> from ssop._core import infer_tflite_strided_slice
    >>> infer_tflite_strided_slice([None], [1], [3], mode='tight')
    PartialShape([(0, 2)])
    """

def infer_tflite_slice(
    shape: _Shape, begin: _Numbers, size: _Numbers, *, mode: _Mode = 'tf'
) -> PartialShape:
    """The shape that ssop.tflite.slice gives, for what is known of its arguments.

    >>> from ssop._core import infer_tflite_slice
    >>> infer_tflite_slice([(4, 6)], [1], [-1], mode='tight')
    PartialShape([(3, 5)])
    """

def infer_openvino_strided_slice(
    shape: _Shape, begin: _Numbers, end: _Numbers, strides: _Numbers | None = None, begin_mask: _Integers = (),
    end_mask: _Integers = (), new_axis_mask: _Integers = (), shrink_axis_mask: _Integers = (),
    ellipsis_mask: _Integers = (), *, strict: bool = False, mode: _Mode = 'tf'
) -> PartialShape:
    """The shape that ssop.openvino.strided_slice gives, for what is known of its arguments.

    >>> from ssop._core import infer_openvino_strided_slice
    >>> infer_openvino_strided_slice([(2, 9)], [0], [4], mode='tight')
    PartialShape([(2, 4)])
    """

def infer_openvino_slice(
    shape: _Shape, start: _Numbers, stop: _Numbers, step: _Numbers, axes: _Integers | None = None, *,
    mode: _Mode = 'tf'
) -> PartialShape:
    """The shape that ssop.openvino.slice gives, for what is known of its arguments.

    >>> from ssop._core import infer_openvino_slice
    >>> infer_openvino_slice([2, (3, 9)], [0], [(2, 4)], [1], [1], mode='tight')
    PartialShape([2, (2, 4)])
    """

def infer_onnx_slice(
    shape: _Shape, starts: _Numbers, ends: _Numbers, axes: _Integers | None = None, steps: _Numbers | None = None, *,
    engine: _Engine = 'spec', mode: _Mode = 'tf'
) -> PartialShape:
    """The shape that ssop.onnx.slice gives, for what is known of its arguments.

    >>> from ssop._core import infer_onnx_slice
    >>> infer_onnx_slice([None, 4], [1], [3], [1])
    PartialShape([None, 2])
    """

def infer_slice(
    shape: _Shape, start_indices: _Integers, limit_indices: _Integers, strides: _Integers | None = None, *,
    mode: _Mode = 'tf'
) -> PartialShape:
    """The shape that ssop.slice gives for an operand that is known in part.

    >>> from ssop._core import infer_slice
    >>> infer_slice(None, [0, 1], [4, 4], mode='tight')
    PartialShape([4, 3])
    """

def infer_dynamic_slice(
    shape: _Shape, start_indices: _Numbers, slice_sizes: _Integers, *, out_of_bounds: _OrFill = 'clamp',
    allow_negative_indices: _Bools = False, mode: _Mode = 'tf'
) -> PartialShape:
    """The shape that ssop.dynamic_slice gives for an operand that is known in part.

    A start index of None is not known. It is read as 0, which is valid if any is.

    >>> from ssop._core import infer_dynamic_slice
    >>> infer_dynamic_slice([None, 9], [None, None], [2, 3])
    PartialShape([2, 3])
    """

def infer_xla_slice_in_dim(
    shape: _Shape, start_index: SupportsIndex | None, limit_index: SupportsIndex | None, stride: SupportsIndex = 1,
    axis: SupportsIndex = 0, *, allow_negative_indices: bool = False, mode: _Mode = 'tf'
) -> PartialShape:
    """The shape that ssop.xla.slice_in_dim gives for an operand that is known in part.

    >>> from ssop._core import infer_xla_slice_in_dim
    >>> infer_xla_slice_in_dim([(4, 6), None], 1, None, mode='tight')
    PartialShape([(3, 5), None])
    """

def infer_xla_index_in_dim(
    shape: _Shape, index: SupportsIndex, axis: SupportsIndex = 0, keepdims: bool = True, *,
    allow_negative_indices: bool = False, mode: _Mode = 'tf'
) -> PartialShape:
    """The shape that ssop.xla.index_in_dim gives for an operand that is known in part.

    >>> from ssop._core import infer_xla_index_in_dim
    >>> infer_xla_index_in_dim([None, 3], 1, keepdims=False)
    PartialShape([3])
    """

def infer_xla_dynamic_slice_in_dim(
    shape: _Shape, start_index: SupportsIndex | None, slice_size: SupportsIndex, axis: SupportsIndex = 0, *,
    out_of_bounds: _OrFill = 'clamp', allow_negative_indices: bool = False, mode: _Mode = 'tf'
) -> PartialShape:
    """The shape that ssop.xla.dynamic_slice_in_dim gives for an operand that is known in part.

    A start index of None is not known.

    >>> from ssop._core import infer_xla_dynamic_slice_in_dim
    >>> infer_xla_dynamic_slice_in_dim([None, 3], None, 2)
    PartialShape([2, 3])
    """

def infer_xla_dynamic_index_in_dim(
    shape: _Shape, index: SupportsIndex | None, axis: SupportsIndex = 0, keepdims: bool = True, *,
    out_of_bounds: _OrFill = 'clamp', allow_negative_indices: bool = False, mode: _Mode = 'tf'
) -> PartialShape:
    """The shape that ssop.xla.dynamic_index_in_dim gives for an operand that is known in part.

    An index of None is not known.

    >>> from ssop._core import infer_xla_dynamic_index_in_dim
    >>> infer_xla_dynamic_index_in_dim([None, 3], None, axis=1)
    PartialShape([None, 1])
    """

def infer_xla_pad(
    shape: _Shape, padding_config: _Padding, *, mode: _Mode = 'tf'
) -> PartialShape:
    """The shape that ssop.xla.pad gives for an operand that is known in part.

    >>> from ssop._core import infer_xla_pad
    >>> infer_xla_pad([(2, 3), None], [(1, 0, 1), (0, 0, 0)], mode='tight')
    PartialShape([(4, 6), None])
    """

def infer_xla_rev(
    shape: _Shape, dimensions: _Integers, *, mode: _Mode = 'tf'
) -> PartialShape:
    """The shape that ssop.xla.rev gives for an operand that is known in part.

    >>> from ssop._core import infer_xla_rev
    >>> infer_xla_rev([2, None], [1])
    PartialShape([2, None])
    """
