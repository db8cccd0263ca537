"""`ssop.explain`: what a call does, stage by stage, without doing it. What it needs is imported when it is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ssop._explain.copying import CopyExplanation
    from ssop._explain.explanation import Explanation
    from ssop._padding import PadMode, PadWidth
    from ssop._rolling import Integers


class _Explain:
    """What `strided_slice` does to an input of `shape`, stage by stage; `explain.slice` and others explain XLA's.

    Parameters
    ----------
    shape : sequence of what `ssop.shapes.Dim` takes; None, pairs and names are dims that are not known. None in its
        place is a shape of unknown rank.
    begin, end, strides, begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask
        As for `ssop.strided_slice`; the masks are bits in every dialect. Those of OpenVINO may also be vectors of 0
        and 1, as `ssop.openvino.strided_slice` takes them.
    dialect : "tf", "tflite" or "openvino"
        Whose rules apply.

    Returns
    -------
    Explanation : a value with the forms `str()`, `to_svg()`, `to_dict()`, and HTML in notebooks. Its attributes:

        - `answer`: what is taken of each axis, why an axis is empty, or what the error is, in one sentence
        - `shape` and `index`: those of the result; None if the call is an error
        - `error`: the exception, or None
        - `empty`: why axes of the result are empty
        - `elsewhere`: for each other framework the statements that give the same on `shape`, made by `ssop.convert`
          when first asked for, or the reason why no call does: `framework`, `code`, `reason`
        - `documents`: the rows of `ssop.divergences` where a document of the framework differs from such a call

        With unknown dims, `shape` is a `ssop.shapes.PartialShape`, `index` is None where no index takes the same of
        every length, and there is no picture (ex_c2).

    Raises
    ------
    SliceTypeError, SliceOverflowError, SliceValueError : for arguments that are no spec at all (in_*), for an
        unknown dialect (ex_c1), and for OpenVINO's mask elements other than 0 and 1 (ov_c1). A spec that breaks a rule
        of the operation does not raise: it is explained.

    The numbers are those that the resolver of the call writes down on its way (ex_s1).

    Examples
    --------
    >>> import ssop
    >>> explanation = ssop.explain((5,), [-2], [9])
    >>> explanation.shape, explanation.index
    ((2,), (slice(3, 5, 1),))
    >>> print(explanation.answer)
    shape (2,): axis 0 is 3..4
    >>> ssop.explain((None, 4), [1, 0], [3, 4]).shape
    PartialShape([(0, 2), 4])
    """

    __module__ = "ssop"

    def __call__(
        self,
        shape: Sequence[Any] | None,
        begin: Sequence[int],
        end: Sequence[int],
        strides: Sequence[int] | None = None,
        begin_mask: int | Sequence[int] = 0,
        end_mask: int | Sequence[int] = 0,
        ellipsis_mask: int | Sequence[int] = 0,
        new_axis_mask: int | Sequence[int] = 0,
        shrink_axis_mask: int | Sequence[int] = 0,
        *,
        dialect: Literal["tf", "tflite", "openvino"] = "tf",
    ) -> Explanation:
        from ssop._explain.strided import explain_strided_slice

        masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
        return explain_strided_slice(dialect, shape, (begin, end, strides), masks)

    def strided_slice_grad(
        self,
        shape: Sequence[int],
        begin: Sequence[int],
        end: Sequence[int],
        strides: Sequence[int] | None,
        dy_shape: Sequence[int],
        begin_mask: int = 0,
        end_mask: int = 0,
        ellipsis_mask: int = 0,
        new_axis_mask: int = 0,
        shrink_axis_mask: int = 0,
    ) -> Explanation:
        """Where `ssop.strided_slice_grad` puts the values of a dy of `dy_shape`; the other elements are zero.

        `index` is that of the elements of the result which come from dy.

        >>> import ssop
        >>> explanation = ssop.explain.strided_slice_grad((5,), [0], [5], [2], (3,))
        >>> explanation.shape, explanation.index
        ((5,), (slice(0, 5, 2),))
        """
        from ssop._explain.gradient import explain_strided_slice_grad

        masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
        return explain_strided_slice_grad(shape, (begin, end, strides), dy_shape, masks)

    def slice(
        self,
        shape: Sequence[int],
        start_indices: Sequence[int],
        limit_indices: Sequence[int],
        strides: Sequence[int] | None = None,
    ) -> Explanation:
        """What `ssop.slice`, XLA's Slice, takes of an operand of `shape`.

        >>> import ssop
        >>> ssop.explain.slice((5, 4), [1, 0], [4, 4], [2, 1]).shape
        (2, 4)
        """
        from ssop._explain.windows import explain_slice

        return explain_slice(shape, start_indices, limit_indices, strides)

    def onnx_slice(
        self,
        shape: Sequence[Any] | None,
        starts: Sequence[int],
        ends: Sequence[int],
        axes: Sequence[int] | None = None,
        steps: Sequence[int] | None = None,
        *,
        engine: Literal["spec", "reference", "ort"] = "spec",
    ) -> Explanation:
        """What `ssop.onnx.slice` takes of data of `shape`, and what the other engines do with the same lists.

        Parameters
        ----------
        shape : sequence of what `ssop.shapes.Dim` takes; None, pairs and names are dims that are not known. None in its
            place is a shape of unknown rank.
        starts, ends, axes, steps, engine : as for `ssop.onnx.slice`

        Returns
        -------
        Explanation

        Raises
        ------
        SliceTypeError, SliceOverflowError : for lists that are no integers (in_*)
        SliceValueError : for another engine (onx_c7). Lists that break a rule of the operator do not raise.

        Source: the operator's text, its reference evaluator, and ONNX Runtime.

        Examples
        --------
        >>> import ssop
        >>> explanation = ssop.explain.onnx_slice((9,), [4], [2**63 - 1], steps=[-1])
        >>> explanation.index, [(other.framework, other.same) for other in explanation.others]
        ((slice(0, 0, 1),), [('onnx.reference', True), ('ONNX Runtime', False)])
        """
        from ssop._explain.onnx_slice import explain_onnx_slice

        return explain_onnx_slice(shape, starts, ends, axes, steps, engine)

    def dynamic_slice(
        self, shape: Sequence[int], start_indices: Sequence[int], slice_sizes: Sequence[int], **policy: Any
    ) -> Explanation:
        """What `ssop.dynamic_slice` takes: the window that is asked for, and the one that is used.

        `policy` is `out_of_bounds` and `allow_negative_indices` as for the function. Of rows of starts each of the
        first eight is explained; `index` and `region` are None.

        >>> import ssop
        >>> ssop.explain.dynamic_slice((5,), [4], [2]).index
        (slice(3, 5, 1),)
        >>> print(ssop.explain.dynamic_slice((5,), [[4], [1]], [2]).answer)
        shape (2, 2): a window for each of 2 rows, 1 of which is clamped
        """
        from ssop._explain.rows import explain_rows
        from ssop._explain.windows import explain_window, has_rows

        explained = explain_rows if has_rows(start_indices) else explain_window
        return explained(shape, start_indices, slice_sizes, policy)

    def dynamic_update_slice(
        self, shape: Sequence[int], update_shape: Sequence[int], start_indices: Sequence[int], **policy: Any
    ) -> Explanation:
        """Which elements of an operand of `shape` `ssop.dynamic_update_slice` replaces.

        >>> import ssop
        >>> ssop.explain.dynamic_update_slice((5,), (2,), [-1]).index
        (slice(0, 2, 1),)
        """
        from ssop._explain.windows import explain_dynamic_update_slice

        return explain_dynamic_update_slice(shape, update_shape, start_indices, policy)

    def pad(self, shape: Sequence[int], padding_config: Sequence[Sequence[int]]) -> Explanation:
        """Where `ssop.xla.pad` puts the elements of an operand of `shape`.

        `index` is that of the elements of the result which come from the operand.

        >>> import ssop
        >>> explanation = ssop.explain.pad((3,), [(1, 0, 1)])
        >>> explanation.shape, explanation.index
        ((6,), (slice(1, 6, 2),))
        """
        from ssop._explain.windows import explain_pad

        return explain_pad(shape, padding_config)

    def numpy_pad(self, shape: Sequence[int], pad_width: PadWidth, mode: PadMode = "constant") -> Explanation:
        """What `ssop.pad` puts before and behind the elements of an operand of `shape`.

        `index` is that of the elements of the result which come from the operand. Modes and widths that there are not
        raise (np_c1..np_c4); an empty axis is explained (np_c5).

        >>> import ssop
        >>> print(ssop.explain.numpy_pad((3,), (1, 2), "reflect").answer)
        shape (6,): axis 0 goes from 3 to 6: 1 added before (its element 1), 2 added behind (1..0 in steps of -1)
        """
        from ssop._explain.padding import explain_numpy_pad

        return explain_numpy_pad(shape, pad_width, mode)

    def roll(self, shape: Sequence[int], shift: Integers, axis: Integers | None = None) -> Explanation:
        """Which elements of each axis of an operand of `shape` come first in the result of `ssop.roll`.

        `index` is None where an axis is in two parts, and where the array is flattened.

        >>> import ssop
        >>> print(ssop.explain.roll((5,), 2).answer)
        shape (5,): axis 0 is 3..4, then 0..2
        """
        from ssop._explain.rolling import explain_roll

        return explain_roll(shape, shift, axis)

    def copy(self, dst: NDArray[Any], src: Any) -> CopyExplanation:
        """How `ssop.copyto(dst, src)` moves the bytes: the loops, the variant, what is done about memory, and why.

        Parameters
        ----------
        dst, src : as for `ssop.copyto`. Nothing is copied; addresses matter, because lines begin at multiples of 64.

        Returns
        -------
        CopyExplanation : a value with the forms `str()` and `to_dict()`. Its attributes:

            - `way`: "nest" (the copy engine), "small", "nothing", "shift", "staged" or "numpy"
            - `variant`: `name`, `pattern`, `about` and `when` of the kernel's way; `target`: its instruction set
            - `loops`: `count`, `dst_stride` and `src_stride` in bytes, and `part`; the innermost comes last
            - `rows`, `columns`, `item_bytes`: of the first tile, which one call of the kernel copies
            - `flags`: what is done about memory, such as "streams"
            - `steps`, `threads`: how many pieces, and how many threads at most
            - `others`: the variants that fit, too; each is taken only in the case that its `when` names

        Raises
        ------
        SliceError : what `ssop.copyto` raises for these arrays (out_*, val_*, in_c7)

        Source: ours. The environment variable SSOP_VARIANT forces a variant wherever it fits (cfg_s1).

        Examples
        --------
        >>> import numpy as np, ssop
        >>> how = ssop.explain.copy(np.empty((64, 90)), np.zeros((64, 100))[:, 10:])
        >>> how.variant.name, [(loop.count, loop.part) for loop in how.loops]
        ('rows', [(64, 'columns'), (90, 'one item')])
        """
        from ssop._explain.copying import explain_copy

        return explain_copy(dst, src)


explain = _Explain()
