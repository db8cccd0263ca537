"""Inference over a small list of operations: shapes flow forwards, and what is merged flows everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from ssop._core import Dim, PartialShape
from ssop._errors import kind_of, type_error, value_error
from ssop.shapes._arguments import Mode, dims_of
from ssop.shapes._checks import MAX_ITEMS, items_of, text_of
from ssop.shapes._context import InferenceContext, ShapeFunction
from ssop.shapes._operations import Registered, registered

MAX_ROUNDS = 100


class Node(NamedTuple):
    """One operation of a list: its name, the operation's name, the names of the nodes it reads, and its attributes.

    `inputs` are names of earlier nodes; "name:1" is output 1 of a node of several. `attributes` are the arguments of
    the operation other than its operands. Three operations exist for lists only:

    - "input" reads nothing and has the shape of its attribute `shape`.
    - "merge" has inputs of one shape, which is also that of its attribute `shape` if it has one.
    - "relax" is any one of its inputs, or has the shape of its attribute `shape`.

    >>> import ssop
    >>> ssop.shapes.Node("y", "strided_slice", ["x"], {"begin": [1], "end": [3]}).op
    'strided_slice'
    """

    name: str
    """Of the node."""
    op: str
    """The name of its operation."""
    inputs: Sequence[str] = ()
    """Names of earlier nodes."""
    attributes: Mapping[str, Any] = {}
    """The other arguments of the operation by name."""


_Values: TypeAlias = "dict[str, tuple[PartialShape, ...]]"
_Place: TypeAlias = "tuple[str, int] | tuple[str, int, int]"


class _Step(NamedTuple):
    """A node, what it reads as (name, output), and how it is inferred."""

    node: Node
    references: list[tuple[str, int]]
    operation: Registered


class Inference:
    """What `infer` found out. `result[name]` is the shape of a node's output, `result[name, i]` that of output i.

    `shapes` has all of them: name -> tuple of shapes. `equal` has the groups of unknown dims that are the same number,
    each a tuple of (name, axis), or of (name, output, axis) for nodes of several outputs. `learned` has those dims of
    which other nodes say more than their own: (name, axis) -> dim. `rounds` is how often the list was gone through.
    """

    __module__ = "ssop.shapes"

    def __init__(self, shapes: _Values, first: _Values, rounds: int) -> None:
        self.shapes, self.rounds = shapes, rounds
        groups: dict[int, list[_Place]] = {}
        self.learned: dict[_Place, Dim] = {}
        for place, dim in _dims_by_place(shapes):
            if dim.value is None:
                groups.setdefault(dim.id, []).append(place)
        for place, dim in _dims_by_place(first):
            now = shapes[place[0]][place[1] if len(place) == 3 else 0].dim(place[-1])
            if now != dim:
                self.learned[place] = now
        self.equal = tuple(tuple(places) for places in groups.values() if len(places) > 1)

    def __getitem__(self, key: str | tuple[str, int]) -> PartialShape:
        name, output = (key, 0) if isinstance(key, str) else key
        return self.shapes[name][output]

    def __repr__(self) -> str:
        lines = (f"{name}: {', '.join(map(str, shapes))}" for name, shapes in self.shapes.items())
        return "<Inference " + "; ".join(lines) + ">"


def infer(nodes: Iterable[Node | tuple[Any, ...]], *, mode: Mode = "tf") -> Inference:
    """The shapes of a list of operations, and which dims must be equal for all of them to be valid.

    The operations are inferred in order. An operation may merge dims, such as the other dims of operands that are
    concatenated. That applies to all shapes that have these dims. The list is inferred again until nothing changes
    (sh_s30, sh_s31).

    Parameters
    ----------
    nodes : sequence of `Node`, or of tuples of its fields
    mode : "tf" or "tight" (sh_s2)

    Returns
    -------
    Inference : the shapes by the names of the nodes, and the groups of equal dims.

    Raises
    ------
    SliceError : no completion is valid for one of the operations; the message names the node and the shapes of its
        inputs. sh_c35 for names that are unknown or taken, sh_c34 for unknown operations.

    Source: TensorFlow's ShapeRefiner, and the symbolic shapes of its graph optimizer.

    Examples
    --------
    >>> import ssop
    >>> found = ssop.shapes.infer([
    ...     ("x", "input", [], {"shape": [None, None]}),
    ...     ("y", "input", [], {"shape": [5, None]}),
    ...     ("rest", "strided_slice", ["x"], {"begin": [1], "end": [9]}),
    ...     ("same", "merge", ["x", "y"]),
    ... ], mode="tight")
    >>> found["x"], found["rest"], found["same"]
    (PartialShape([5, None]), PartialShape([4, None]), PartialShape([5, None]))
    >>> found.learned
    {('x', 0): Dim(5), ('rest', 0): Dim(4)}
    >>> found.equal
    ((('x', 1), ('y', 1), ('rest', 1), ('same', 1)),)
    """
    steps = list(_checked(nodes))
    classes, rounds = _Classes(), 0
    values: _Values = {}
    first: _Values = {}
    before: object = None
    while rounds < MAX_ROUNDS:
        rounds += 1
        for step in steps:
            _infer_node(step, values, classes, mode)
        first = first or dict(values)
        values = {name: tuple(map(classes.shape, shapes)) for name, shapes in values.items()}
        after = _knowledge(values)
        if after == before:
            break
        before = after
    return Inference(values, first, rounds)


def _knowledge(values: _Values) -> object:
    """What is known of all shapes, but not the identities as such: what two rounds are compared by."""
    numbers: dict[int, int] = {}

    def number(dim: Dim) -> object:
        return dim.interval, numbers.setdefault(dim.id, len(numbers)) if dim.id else None

    return [
        [None if shape.rank is None else [number(dim) for dim in dims_of(shape)] for shape in shapes]
        for shapes in values.values()
    ]


def _input(c: InferenceContext) -> None:
    c.set_output(0, c.attribute("shape"))


def _merge(c: InferenceContext) -> None:
    merged = c.make_shape(c.attribute("shape", None))
    for shape in c.inputs:
        merged = c.merge(shape, merged)
    c.set_output(0, merged)


def _relax(c: InferenceContext) -> None:
    one_of = [*c.inputs, *([c.make_shape(c.attribute("shape"))] if "shape" in c.attributes else [])]
    if not one_of:
        raise value_error(c.op, "sh_c30", "a relax node has no input and no attribute 'shape'", value=0)
    relaxed = one_of[0]
    for shape in one_of[1:]:
        relaxed = c.relax(relaxed, shape)
    c.set_output(0, relaxed)


_OF_LISTS: dict[str, ShapeFunction] = {"input": _input, "merge": _merge, "relax": _relax}


def _checked(nodes: Iterable[Node | tuple[Any, ...]]) -> Iterator[_Step]:
    """The nodes, each with its shape function. Raises sh_c34 and sh_c35."""
    outputs: dict[str, int] = {}
    try:
        items = iter(nodes)
    except TypeError:
        raise type_error("infer", "sh_c36", f"nodes is {kind_of(nodes)}, not a list of nodes", value=nodes) from None
    end = object()
    while (item := next(items, end)) is not end:  # an iterator need not be iterable itself
        node = _checked_node(item)
        if len(outputs) == MAX_ITEMS:
            raise value_error("infer", "sh_c35", f"there are more than {MAX_ITEMS} nodes", value=MAX_ITEMS)
        if node.name in outputs:
            raise value_error("infer", "sh_c35", f"two nodes have the name '{node.name}'", value=node.name)
        references = []
        for reference in node.inputs:
            name, output = _parsed(reference, outputs)
            if output >= outputs.get(name, 0):
                message = f"node '{node.name}' reads '{reference}', which no earlier node gives"
                raise value_error("infer", "sh_c35", message, value=reference)
            references.append((name, output))
        operation = Registered(_OF_LISTS[node.op], 1) if node.op in _OF_LISTS else registered(node.op)
        outputs[node.name] = operation.num_outputs
        yield _Step(node, references, operation)


def _checked_node(item: Any) -> Node:
    """A node whose fields have their types (sh_c36)."""
    fields = items_of("infer", "a node", item, "a name, an operation, inputs and attributes")
    if not 2 <= len(fields) <= 4:
        message = f"a node has {len(fields)} fields, not a name, an operation, inputs and attributes"
        raise value_error("infer", "sh_c35", message, value=len(fields))
    node = Node(*fields)
    text_of("infer", "the name of a node", node.name)
    text_of("infer", f"the operation of node '{node.name}'", node.op)
    inputs = items_of("infer", f"the inputs of node '{node.name}'", node.inputs, "names")
    return node._replace(inputs=[text_of("infer", f"an input of node '{node.name}'", name) for name in inputs])


def _parsed(reference: str, names: Mapping[str, object]) -> tuple[str, int]:
    name, colon, output = reference.rpartition(":")
    return (
        (name, int(output))
        if colon and output.isdecimal() and len(output) < 9 and reference not in names
        else (reference, 0)
    )


def _infer_node(step: _Step, values: _Values, classes: _Classes, mode: Mode) -> None:
    """Infers a node by what is known by now, and notes what it merges."""
    node = step.node
    shapes = [classes.shape(values[name][output]) for name, output in step.references]
    context = InferenceContext(
        node.op,
        shapes,
        name=node.name,
        attributes=node.attributes,
        num_outputs=step.operation.num_outputs,
        input_names=step.operation.inputs,
        output_names=step.operation.outputs,
        mode=mode,
    )
    outputs = context.run(step.operation.function)
    for a, b in [*context.merged_shapes, *zip(shapes, context.inputs, strict=True)]:
        classes.unite(a, b)
    for x, y in context.merged_dims:
        classes.unite_dims(x, y)
    for a, b in zip(values.setdefault(node.name, outputs), outputs, strict=True):
        classes.unite(a, b)


def _dims_by_place(values: _Values) -> Iterator[tuple[_Place, Dim]]:
    """All dims, each with (name, axis), or (name, output, axis) if the node has several outputs."""
    for name, shapes in values.items():
        for output, shape in enumerate(shapes):
            for axis, dim in enumerate(dims_of(shape) if shape.rank is not None else ()):
                yield (name, axis) if len(shapes) == 1 else (name, output, axis), dim


class _Classes:
    """Which shapes and dims are known to be the same: for each, another one that says more, if there is one."""

    def __init__(self) -> None:
        self._dims: dict[int, Dim] = {}
        self._shapes: dict[int, PartialShape] = {}

    def dim(self, dim: Dim) -> Dim:
        """All that is known of a dim."""
        while dim.id in self._dims:
            dim = self._dims[dim.id]
        return dim

    def shape(self, shape: PartialShape) -> PartialShape:
        """All that is known of a shape: itself if that is nothing new."""
        while shape.id in self._shapes:
            shape = self._shapes[shape.id]
        if shape.rank is None:
            return shape
        dims = dims_of(shape)
        found = [self.dim(dim) for dim in dims]
        return shape if all(a.same_as(b) for a, b in zip(dims, found, strict=True)) else PartialShape(found)

    def unite(self, a: PartialShape, b: PartialShape) -> None:
        """Notes that two shapes are the same."""
        a, b = self.shape(a), self.shape(b)
        if a.id == b.id:
            return
        if a.rank is None:
            self._shapes[a.id] = b
        elif b.rank is None:
            self._shapes[b.id] = a
        else:
            for pair in zip(dims_of(a), dims_of(b), strict=True):
                self.unite_dims(*pair)

    def unite_dims(self, a: Dim, b: Dim) -> None:
        """Notes that two dims are the same number."""
        a, b = self.dim(a), self.dim(b)
        if a.same_as(b):
            return
        both = a.merge(b)
        for dim in (a, b):
            if dim.value is None and not dim.same_as(both):
                self._dims[dim.id] = both
