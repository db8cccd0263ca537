"""Two models against each other: which of their slices are the same place, and whether they are equal there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from ssop._convert.calls import Call
from ssop._convert.functions import RankNeeded
from ssop._convert.program import inequality
from ssop._convert.shape import Shape
from ssop._core import SliceError
from ssop._inspect.hazards import is_open
from ssop._inspect.meanings import ENGINES, Engine, NoSlice, calls_of
from ssop._inspect.moved import is_pad, mode_of, padding_of, written
from ssop._inspect.openvino_plugin import Defect
from ssop._inspect.records import Dim, Model, NodeCall, RunTime, SliceNode
from ssop._inspect.verdicts import UNPROVED, outcome, plain, shape_of, some_shape, uncapped

EQUAL, DIFFERENT, UNKNOWN = "equal", "different", "unknown"


class Path(NamedTuple):
    """The slices that lead to the result of a node: those of the node, and of nodes whose result it slices."""

    nodes: tuple[SliceNode, ...]

    @property
    def last(self) -> SliceNode:
        return self.nodes[-1]

    @property
    def whole(self) -> SliceNode:
        """All of them as one node on the first operand."""
        first, last = self.nodes[0], self.last
        calls = tuple(call for node in self.nodes for call in node.calls)
        return SliceNode(
            last.name, last.operator, calls, first.operand, last.result, first.input_shape, last.declared_shape,
            first.dtype, last.graph, last.source, last.opset,
        )  # fmt: skip


class Pair(NamedTuple):
    """A slice of the first model, that of the second in the same place, and whether they are equal."""

    first: SliceNode | None
    second: SliceNode | None
    """None: the model has none there."""
    kind: str
    """`EQUAL`, `DIFFERENT` or `UNKNOWN`."""
    text: str = ""
    """Where they differ, or why nothing is known."""
    smallest: tuple[int, ...] | None = None
    frozen: tuple[str, ...] = ()
    """Bounds of the second that are constants computed from the size of its export (hz_s6)."""
    calls: tuple[tuple[Call, ...], tuple[Call, ...]] | None = None

    @property
    def name(self) -> str:
        """The name of the first, or else of the second."""
        node = self.first or self.second
        assert node is not None
        return node.name


MAX_PATH = 16
"""Slices of slices that are compared as one; behind so many, another path begins."""


def paths(model: Model) -> dict[str, Path]:
    """For each result of a slicing node the slices that lead to it; those behind which another slice comes go first."""
    found: dict[tuple[str, str], Path] = {}
    for node in model.nodes:
        before = found.get((node.graph, node.operand))
        nodes = () if before is None or len(before.nodes) == MAX_PATH else before.nodes
        found[node.graph, node.result] = Path((*nodes, node))
    return {f"{graph} {result}": path for (graph, result), path in found.items()}


def pairs(one: Model, two: Model) -> list[Pair]:
    """The slices of two models that stand in the same place, in the order of the first model."""
    left, right = (list(_ends(model)) for model in (one, two))
    partners = _by_name(left, right)
    taken = set(partners.values())
    rest = [index for index in range(len(left)) if index not in partners]
    free = [index for index in range(len(right)) if index not in taken]
    named = frozenset(partners)
    partners |= _by_order(left, right, rest, free)
    sizes = any(_other_sizes(left[a].whole, right[b].whole) for a, b in partners.items())
    if not sizes:
        partners |= _in_another_order(left, right, one, two, {a: b for a, b in partners.items() if a not in named})
    found = []
    for index, path in enumerate(left):
        partner = partners.get(index)
        found.append(
            _lonely(path.whole, None, one)
            if partner is None
            else _compared(path.whole, right[partner].whole, one, two, sizes)
        )
    taken = set(partners.values())
    return found + [_lonely(None, path.whole, two) for index, path in enumerate(right) if index not in taken]


def _ends(model: Model) -> Iterator[Path]:
    """The paths that no other slice goes on with."""
    found = paths(model)
    inner = {node.result for path in found.values() for node in path.nodes[:-1]}
    return (path for path in found.values() if path.last.result not in inner)


# ---- which slices stand in the same place --------------------------------------------------------------------------


def _by_name(left: Sequence[Path], right: Sequence[Path]) -> dict[int, int]:
    """Pairs whose node or result has one name, where only one on each side has it."""
    found: dict[int, int] = {}
    taken: set[int] = set()
    for key in (_result_name, _node_name):
        names = [_unique(paths_, key) for paths_ in (left, right)]
        for name in names[0].keys() & names[1].keys():
            a, b = names[0][name], names[1][name]
            if a not in found and b not in taken:
                found[a] = b
                taken.add(b)
    return found


def _unique(paths_: Sequence[Path], key: Any) -> dict[str, int]:
    names = [key(path) for path in paths_]
    counts = Counter(names)
    return {name: index for index, name in enumerate(names) if name and counts[name] == 1}


def _result_name(path: Path) -> str:
    return _plain_name(path.last.result)


def _node_name(path: Path) -> str:
    return _plain_name(path.last.name)


def _plain_name(name: str) -> str:
    """A name without what converters add: an output's number, a path's first slash."""
    return re.sub(r":\d+$", "", name).strip("/")


MAX_ORDERED = 1 << 18
"""Pairs of slices among which equal runs are looked for: of more, the first are partners, the second, and so on."""


def _by_order(left: Sequence[Path], right: Sequence[Path], rest: list[int], free: list[int]) -> dict[int, int]:
    """Pairs of those without a common name: equal runs of ranks in the order of both files."""
    keys = [[_kind(paths_[index]) for index in order] for paths_, order in ((left, rest), (right, free))]
    if len(rest) == len(free) or len(rest) * len(free) > MAX_ORDERED:
        return dict(zip(rest, free, strict=False))
    matcher = SequenceMatcher(None, keys[0], keys[1], autojunk=False)
    return {
        rest[block.a + step]: free[block.b + step]
        for block in matcher.get_matching_blocks()
        for step in range(block.size)
    }


MAX_OTHER_ORDER = 40
"""How many slices without a common name are compared each with each."""


def _in_another_order(
    left: Sequence[Path], right: Sequence[Path], one: Model, two: Model, ordered: dict[int, int]
) -> dict[int, int]:
    """Partners of slices that are not equal in their order, as converters have the order of the outputs.

    A slice that is equal to no other has the partner that is left.
    """

    def alike(a: int, b: int) -> bool:
        pair = _compared(left[a].whole, right[b].whole, one, two, False)
        return pair.kind == EQUAL or pair.text == SAME_WIDTHS

    unequal = [a for a, b in ordered.items() if not alike(a, b)]
    free = [ordered[a] for a in unequal]
    if not 1 < len(unequal) <= MAX_OTHER_ORDER:
        return {}
    found: dict[int, int] = {}
    for a in unequal:
        partner = next((b for b in free if alike(a, b)), None)
        if partner is not None:
            found[a] = partner
            free.remove(partner)
    return found | dict(zip((a for a in unequal if a not in found), free, strict=True)) if found else {}


def _kind(path: Path) -> tuple[int | None, int | None]:
    shapes = (path.nodes[0].input_shape, path.last.declared_shape)
    return tuple(None if shape is None else len(shape) for shape in shapes)  # type: ignore[return-value]


# ---- whether they are equal ----------------------------------------------------------------------------------------


def own_engines(format_: str) -> Sequence[Engine]:
    """The engines of a format, those first that run models: ONNX's text and OpenVINO's rule run none."""
    runs = {"onnx": "ONNX Runtime", "openvino": "OpenVINO's CPU plugin"}.get(format_)
    return sorted(ENGINES[format_], key=lambda engine: runs is not None and engine.name != runs)


def _compared(first: SliceNode, second: SliceNode, one: Model, two: Model, other_sizes: bool) -> Pair:
    frozen = tuple(_frozen(first, second)) if other_sizes or _more_at_run_time(first, second) else ()
    if is_pad(first) and is_pad(second):
        return _pads(Pair(first, second, UNKNOWN, frozen=frozen))
    place, other = written(first), written(second)
    if place is not None and other is not None:
        pair = _compared(place, other, one, two, other_sizes)
        return pair._replace(first=first, second=second, calls=None)  # the programs would show slices
    try:
        dims = _common_dims(first.input_shape, second.input_shape, other_sizes)
        shaped = [_with_shape(node, dims) for node in (first, second)]
        own = calls_of(shaped[0], own_engines(one.format)[0])
        where = shape_of(shaped[0], own, False)
        others = {engine.name: tuple(calls_of(shaped[1], engine)) for engine in own_engines(two.format)}
    except (NoSlice, RankNeeded) as reason:
        same = first.calls == second.calls and any(call.at_run_time for call in first.calls)
        return Pair(first, second, UNKNOWN, f"{'the same nodes; ' if same else ''}{reason}", frozen=frozen)
    except SliceError as error:
        return Pair(first, second, UNKNOWN, plain(error), frozen=frozen)
    (runs, calls), *rest = others.items()
    both = (tuple(own), calls)
    try:
        text, smallest = _difference(*both, where)
        elsewhere = [name for name, theirs in rest if not text and _difference(calls, theirs, where)[0]]
        defects = [
            own_engines(model.format)[0].defect(made, where) for model, made in zip((one, two), both, strict=True)
        ]
    except ImportError:
        return Pair(first, second, UNKNOWN, UNPROVED, frozen=frozen, calls=both)
    if text:
        return Pair(first, second, DIFFERENT, text, smallest, frozen, both)
    if any(defects) and (one.format, both[0]) != (two.format, both[1]):
        return _undefined(Pair(first, second, EQUAL, frozen=frozen, calls=both), *defects)
    note = f"in {runs}; {' and '.join(elsewhere)} differ from it" if elsewhere and two.format == "onnx" else ""
    return Pair(first, second, EQUAL, note, frozen=frozen, calls=both)


SAME_WIDTHS = "the pads have the same widths; their values are not read"


def _pads(pair: Pair) -> Pair:
    """Whether two pads put their operand in the same place; the values around it are not read."""
    assert pair.first is not None and pair.second is not None
    widths = [padding_of(node) for node in (pair.first, pair.second)]
    modes = [mode_of(node) for node in (pair.first, pair.second)]
    if widths[0] is None or widths[1] is None:
        late = [str(value) for node in (pair.first, pair.second) for value in node.calls[0].at_run_time]
        same = "the same nodes; " if pair.first.calls == pair.second.calls else ""
        return pair._replace(text=f"{same}widths: {f'known at run time only ({late[0]})' if late else 'not known'}")
    if widths[0] != widths[1]:
        return pair._replace(kind=DIFFERENT, text="the pads have other widths")
    if modes[0] != modes[1]:
        return pair._replace(kind=DIFFERENT, text=f"the modes are {modes[0]} and {modes[1]}")
    if modes[0] == "constant":
        return pair._replace(text=SAME_WIDTHS)
    return pair._replace(kind=EQUAL)


def _undefined(pair: Pair, one: Defect | None, two: Defect | None) -> Pair:
    """A pair that is equal but for what an engine makes of one of its models."""
    (which, defect), *both = [(name, made) for name, made in (("first", one), ("second", two)) if made is not None]
    text = f"the engine of the {which} {defect.text}, as on shape {defect.smallest}"
    if both:
        return pair._replace(kind=UNKNOWN, text=f"each is undefined: {text}")
    return pair._replace(kind=DIFFERENT, text=text, smallest=defect.smallest)


def _difference(one: tuple[Call, ...], two: tuple[Call, ...], where: Shape) -> tuple[str, tuple[int, ...] | None]:
    """Where two lists of calls differ, in words, and the smallest shape; "" if they do not."""
    if one == two:
        return "", None
    programs = [outcome(calls, where) for calls in (one, two)]
    first, second = programs
    if isinstance(first, str) or isinstance(second, str):
        if isinstance(first, str) and isinstance(second, str):
            return "", None
        which = "first" if isinstance(first, str) else "second"
        valid = [program for program in (first, second) if not isinstance(program, str)]
        error = first if isinstance(first, str) else second
        return f"only the {which} is an error: {error}", some_shape(where, *valid)
    unequal = inequality(first, second, where.lengths)
    if unequal is None:
        return "", None
    if unequal.where is None or unequal.axis is None:
        return "the results have other axes", some_shape(where, first, second)
    smallest = list(some_shape(where, first, second))
    smallest[unequal.axis] = unequal.where.smallest
    pair = unequal.where.precondition
    tail = f"; equal if, on axis {unequal.axis}, {uncapped(unequal.where.text)}" if pair is not None else ""
    return f"on shape {tuple(smallest)}{tail}", tuple(smallest)


def _with_shape(node: SliceNode, dims: tuple[Dim, ...] | None) -> SliceNode:
    return SliceNode(**{**vars(node), "input_shape": dims})


def _common_dims(one: tuple[Dim, ...] | None, two: tuple[Dim, ...] | None, other_sizes: bool) -> tuple[Dim, ...] | None:
    """The dims that both allow; of two sizes, any dim where they differ."""
    if one is None or two is None:
        return one if two is None else two
    if len(one) != len(two):
        raise NoSlice(f"their operands have ranks {len(one)} and {len(two)}")
    return tuple(_common_dim(a, b, other_sizes) for a, b in zip(one, two, strict=True))


def _common_dim(a: Dim, b: Dim, other_sizes: bool) -> Dim:
    if isinstance(a, int) and isinstance(b, int) and a != b:
        if other_sizes:
            return None
        raise NoSlice(f"their operands have dims {a} and {b}")
    return a if isinstance(a, int) or b is None else b


def _lonely(first: SliceNode | None, second: SliceNode | None, model: Model) -> Pair:
    """A slice that has no partner: equal if it takes its whole operand."""
    node = first or second
    assert node is not None
    other = "second" if second is None else "first"
    try:
        calls = tuple(calls_of(node, own_engines(model.format)[0]))
        text, smallest = _difference(calls, (), shape_of(node, calls, False))
    except ImportError:
        return Pair(first, second, UNKNOWN, f"the {other} model has no slice in this place; {UNPROVED}")
    except (NoSlice, RankNeeded, SliceError):
        return Pair(first, second, UNKNOWN, f"the {other} model has no slice in this place")
    if not text:
        return Pair(first, second, EQUAL, f"it takes its whole operand, and the {other} model has none")
    return Pair(first, second, UNKNOWN, f"the {other} model has no slice in this place")


# ---- bounds that were computed when the model was exported ---------------------------------------------------------


def _other_sizes(first: SliceNode, second: SliceNode) -> bool:
    """Whether two exports of one program have other sizes of an operand."""
    one, two = first.input_shape, second.input_shape
    if one is None or two is None or len(one) != len(two):
        return False
    return any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in zip(one, two, strict=True))


def _more_at_run_time(first: SliceNode, second: SliceNode) -> bool:
    return any(call.at_run_time for call in first.calls) and not any(call.at_run_time for call in second.calls)


def _frozen(first: SliceNode, second: SliceNode) -> Iterator[str]:
    """Constants of two exports that differ: they follow from the size."""
    for one, two in zip(first.calls, second.calls, strict=False):
        if one.function != two.function:
            return
        for name in one.arguments:
            yield from _frozen_entries(name, one.arguments[name], two.arguments.get(name), two)


def _frozen_entries(name: str, one: Any, two: Any, call: NodeCall) -> Iterator[str]:
    values = [value.values if isinstance(value, RunTime) else value for value in (one, two)]
    if not all(isinstance(value, tuple) for value in values):
        if isinstance(one, int) and isinstance(two, int) and one != two:
            yield f"{name}: {one} and {two}"
        return
    axes = call.arguments.get("axes")
    for entry, (a, b) in enumerate(zip(*values, strict=False)):
        if a == b or b is None or (a is not None and is_open(a) and is_open(b) and (a < 0) == (b < 0)):
            continue
        axis = f" (axis {axes[entry]})" if isinstance(axes, tuple) and entry < len(axes) else ""
        shown = f"{a} and {b}" if a is not None else f"computed at run time, and {b}"
        yield f"{name}[{entry}]{axis}: {shown}"
