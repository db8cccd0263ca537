"""Shapes of XLA's operations that call computations or move values about.

A tuple of XLA's has a Python tuple of shapes. What a computation returns is not inferred: its shape is an argument, or
known of a `ssop.xla.Computation`.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from ssop import _core, _vectors
from ssop._core import PartialShape, SliceError
from ssop._errors import kind_of, type_error
from ssop._xla.branches import check_branches, check_same_result
from ssop._xla.computation import CALL, Computation, Type, check_arity
from ssop._xla.control import check_map_dimensions, map_shape
from ssop._xla.replicas import check_replicas
from ssop._xla.tuples import check_element
from ssop.shapes._arguments import Mode, ShapeLike, check_mode, in_mode, least, raise_as
from ssop.shapes._rules import ShapeRules

_Function = TypeVar("_Function", bound=Callable[..., PartialShape])


def _documented(text: str) -> Callable[[_Function], _Function]:
    """Give functions of one kind one docstring, each with its own name in it."""

    def decorated(function: _Function) -> _Function:
        function.__doc__ = text.format(name=function.__name__)
        return function

    return decorated


def call(computation: Computation, *operand_shapes: ShapeLike, mode: Mode = "tf") -> Any:
    """The shape of XLA's Call of a Computation: that of its result.

    Parameters
    ----------
    computation : ssop.xla.Computation, whose parameters and result have known shapes
    *operand_shapes : the shapes of the operands; None for a tuple
    mode : "tight" or "tf"

    Returns
    -------
    PartialShape : the shape of the result; of a tuple, a tuple of shapes.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (cm_*, in_*, sh_*) in SPEC.md.

    Source: XLA's InferCallShape.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> total = ssop.xla.Computation(np.sum, ((3,), np.float32))
    >>> ssop.shapes.xla.call(total, [None])
    PartialShape([])
    """
    op = "xla.call"
    check_mode(op, mode)
    if not isinstance(computation, Computation):
        message = f"computation is {kind_of(computation)}, not a Computation, whose result has a known shape"
        raise type_error(op, "cm_c9", message, value=computation)
    check_arity(op, "computation", computation, len(operand_shapes), CALL.arity)
    for index, (given, wanted) in enumerate(zip(operand_shapes, computation.parameters, strict=True)):
        shape = PartialShape(given)
        if isinstance(wanted, Type) and not shape.contains(wanted.shape):
            told = CALL.parameter.format(index=index, given=wanted, wanted=shape)
            raise type_error(op, "cm_c6", f"operand {index} has shape {shape}: {told}", value=str(shape))
    return _shapes_of(computation.result)


def _shapes_of(types: Any) -> Any:
    if isinstance(types, builtins.tuple):
        return builtins.tuple([_shapes_of(item) for item in types])
    return PartialShape(types.shape)


def map(
    operand_shapes: Sequence[ShapeLike], dimensions: Sequence[int] | None = None, *, mode: Mode = "tf"
) -> PartialShape:
    """The shape of XLA's Map of operands of these shapes: that of all that are no scalars, merged.

    Parameters
    ----------
    operand_shapes : sequence of one or more shapes
    dimensions : as for ssop.xla.map
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (map_*, in_*, sh_*) in SPEC.md.

    Source: XLA's InferMapShape (sh_s34).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.map([[2, None], [None, 3], []])
    PartialShape([2, 3])
    """
    check_mode("xla.map", mode)
    return mapped(ShapeRules(mode), operand_shapes, dimensions)


def mapped(rules: ShapeRules, operand_shapes: Sequence[ShapeLike], dimensions: Any = None) -> PartialShape:
    """The shape of operands of which some may be scalars (sh_s34)."""
    shapes = _read("xla.map", "operand_shapes", operand_shapes)
    arrays = [shape for shape in shapes if shape.rank]
    if not shapes:
        map_shape([])  # raises map_c1
    result = arrays[0] if arrays else PartialShape(None) if None in [x.rank for x in shapes] else PartialShape(())
    for shape in arrays[1:]:
        result = _merged(rules, result, shape, lambda: map_shape(_types(arrays)))
    if dimensions is not None:
        axes = _core.read_integers("xla.map", "dimensions", dimensions)
        check_map_dimensions(len(axes) if result.rank is None else result.rank, axes)
        if rules.mode == "tight":
            result = result.with_rank(len(axes))
    return in_mode(rules.mode, result, *shapes)


def while_(init_shape: ShapeLike, *, mode: Mode = "tf") -> PartialShape:
    """The shape of XLA's While: that of init. Each element of a tuple has its own shape.

    Parameters
    ----------
    init_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    mode : "tight" or "tf"

    Returns
    -------
    PartialShape : the shape of the result; all dims keep their identity.

    Raises
    ------
    SliceError : `label` names the rule (sh_*) in SPEC.md.

    Source: XLA's InferWhileShape (sh_s34).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.while_([None, 3])
    PartialShape([None, 3])
    """
    check_mode("xla.while_", mode)
    return PartialShape(init_shape)


def while_loop(init_shape: ShapeLike, *, mode: Mode = "tf") -> PartialShape:
    """The shape of XLA's While under the name of `jax.lax.while_loop`: that of its initial value.

    Parameters
    ----------
    init_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    mode : "tight" or "tf"

    Returns
    -------
    PartialShape : the shape of the result; all dims keep their identity.

    Raises
    ------
    SliceError : `label` names the rule (sh_*) in SPEC.md.

    Source: XLA's InferWhileShape (sh_s34).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.while_loop([None, 3])
    PartialShape([None, 3])
    """
    check_mode("xla.while_loop", mode)
    return PartialShape(init_shape)


BRANCHES_TEXT = """The shape of XLA's `{name}` of branches whose results have these shapes, which are one shape.

Parameters
----------
branch_shapes : sequence of the shapes of the results of the branches
mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

Returns
-------
PartialShape : the shapes of all branches, merged.

Raises
------
SliceError : if every completion is an error; `label` names the rule (cd_*, sh_*) in SPEC.md.

Source: XLA's InferConditionalShape (sh_s34).

Examples
--------
>>> import ssop
>>> ssop.shapes.xla.{name}([[2, None], [None, 3]])
PartialShape([2, 3])
"""


@_documented(BRANCHES_TEXT)
def conditional(branch_shapes: Sequence[ShapeLike], *, mode: Mode = "tf") -> PartialShape:
    check_mode("xla.conditional", mode)
    return branched(ShapeRules(mode), branch_shapes, "xla.conditional")


@_documented(BRANCHES_TEXT)
def indexed_conditional(branch_shapes: Sequence[ShapeLike], *, mode: Mode = "tf") -> PartialShape:
    check_mode("xla.indexed_conditional", mode)
    return branched(ShapeRules(mode), branch_shapes, "xla.indexed_conditional")


@_documented(BRANCHES_TEXT)
def cond(branch_shapes: Sequence[ShapeLike], *, mode: Mode = "tf") -> PartialShape:
    check_mode("xla.cond", mode)
    return branched(ShapeRules(mode), branch_shapes, "xla.cond")


@_documented(BRANCHES_TEXT)
def switch(branch_shapes: Sequence[ShapeLike], *, mode: Mode = "tf") -> PartialShape:
    check_mode("xla.switch", mode)
    return branched(ShapeRules(mode), branch_shapes, "xla.switch")


def branched(rules: ShapeRules, branch_shapes: Sequence[ShapeLike], op: str = "xla.conditional") -> PartialShape:
    """The shape of the results of all branches (sh_s34)."""
    shapes = _read(op, "branch_shapes", branch_shapes)
    check_branches(op, len(shapes), len(shapes))
    result = shapes[0]
    for number, shape in enumerate(shapes):
        result = _merged(rules, result, shape, _different(op, number, result, shape))
    return in_mode(rules.mode, result, *shapes)


def _different(op: str, number: int, first: PartialShape, given: PartialShape) -> Callable[[], object]:
    one, other = _types([first, given])
    return lambda: check_same_result(op, number, f"branch {number}", one, other)


def cross_replica_sum(operand_shapes: Sequence[ShapeLike], *, mode: Mode = "tf") -> PartialShape:
    """The shape of XLA's CrossReplicaSum, of each replica: that of the operands of all.

    Parameters
    ----------
    operand_shapes : sequence of one or more shapes, one for each replica
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shapes of all operands, merged.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (crs_*, sh_*) in SPEC.md.

    Source: XLA's InferAllReduceShape (sh_s34).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.cross_replica_sum([[2, None], [None, 3]])
    PartialShape([2, 3])
    """
    check_mode("xla.cross_replica_sum", mode)
    return summed(ShapeRules(mode), operand_shapes)


def summed(rules: ShapeRules, operand_shapes: Sequence[ShapeLike]) -> PartialShape:
    """The shape of the operands of all replicas (sh_s34)."""
    shapes = _read("xla.cross_replica_sum", "operand_shapes", operand_shapes)
    if not shapes:
        check_replicas([])  # raises crs_c1
    result = shapes[0]
    for shape in shapes[1:]:
        result = _merged(rules, result, shape, lambda: check_replicas(_types(shapes)))
    return in_mode(rules.mode, result, *shapes)


def tuple(*element_shapes: ShapeLike, mode: Mode = "tf") -> builtins.tuple[PartialShape, ...]:
    """The shape of XLA's Tuple: a tuple of the shapes of its elements.

    Parameters
    ----------
    *element_shapes : the shapes of the elements
    mode : "tight" or "tf"

    Returns
    -------
    tuple of PartialShape

    Raises
    ------
    SliceError : `label` names the rule (sh_*) in SPEC.md.

    Source: XLA's Operation Semantics (sh_s34).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.tuple([None, 3], [])
    (PartialShape([None, 3]), PartialShape([]))
    """
    check_mode("xla.tuple", mode)
    return builtins.tuple([PartialShape(shape) for shape in element_shapes])


def get_tuple_element(tuple_shapes: Sequence[ShapeLike], index: int, *, mode: Mode = "tf") -> PartialShape:
    """The shape of XLA's GetTupleElement: that of one element.

    Parameters
    ----------
    tuple_shapes : sequence of the shapes of the elements of a tuple
    index : int, as for ssop.xla.get_tuple_element
    mode : "tight" or "tf"

    Returns
    -------
    PartialShape : the shape of the element; all dims keep their identity.

    Raises
    ------
    SliceError : `label` names the rule (tup_*, in_*, sh_*) in SPEC.md.

    Source: XLA's InferGetTupleElementShape (sh_s34).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.get_tuple_element([[None, 3], []], 0)
    PartialShape([None, 3])
    """
    op = "xla.get_tuple_element"
    check_mode(op, mode)
    number = _vectors.integer(op, "index", index)
    shapes = _read(op, "tuple_shapes", tuple_shapes)
    return shapes[check_element(op, number, len(shapes), str(builtins.tuple(shapes)))]


GIVEN_TEXT = """The shape of XLA's `{name}`: its argument.

Parameters
----------
shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
mode : "tight" or "tf"

Returns
-------
PartialShape : the shape of the result; all dims keep their identity.

Raises
------
SliceError : `label` names the rule (sh_*) in SPEC.md.

Source: XLA's Operation Semantics (sh_s34).

Examples
--------
>>> import ssop
>>> ssop.shapes.xla.{name}([None, 3])
PartialShape([None, 3])
"""


@_documented(GIVEN_TEXT)
def custom_call(shape: ShapeLike, *, mode: Mode = "tf") -> PartialShape:
    check_mode("xla.custom_call", mode)
    return PartialShape(shape)


@_documented(GIVEN_TEXT)
def infeed(shape: ShapeLike, *, mode: Mode = "tf") -> PartialShape:
    check_mode("xla.infeed", mode)
    return PartialShape(shape)


@_documented(GIVEN_TEXT)
def recv(shape: ShapeLike, *, mode: Mode = "tf") -> PartialShape:
    check_mode("xla.recv", mode)
    return PartialShape(shape)


@_documented(GIVEN_TEXT)
def transfer_from_outfeed(shape: ShapeLike, *, mode: Mode = "tf") -> PartialShape:
    check_mode("xla.transfer_from_outfeed", mode)
    return PartialShape(shape)


def _read(op: str, name: str, shapes: Sequence[ShapeLike]) -> list[PartialShape]:
    return [PartialShape(shape) for shape in _vectors.items(op, name, shapes)]


def _types(shapes: Sequence[PartialShape]) -> list[Type]:
    """What the checks of execution read of values of the smallest of these shapes."""
    return [Type(() if shape.rank is None else least(shape), np.dtype(np.int64)) for shape in shapes]


def _merged(rules: ShapeRules, a: PartialShape, b: PartialShape, execution: Callable[[], object]) -> PartialShape:
    try:
        return rules.merge(a, b)
    except SliceError as error:
        raise raise_as(execution, error) from None
