"""Whether calls that exchange axes and pad are equal: by relations of whole shapes, or on a known one as one step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, reduce
from typing import Any, NamedTuple

from ssop._convert.calls import Call
from ssop._convert.errors import conversion_error
from ssop._convert.folding import Folded, fold, visible_values
from ssop._convert.moving import padding_of
from ssop._convert.proofs import WHOLE, Isl, Lengths, load
from ssop._convert.rules import Step, relations
from ssop._core import SliceError


class Pad(NamedTuple):
    """What a call adds to one axis."""

    low: int
    high: int
    interior: int


class Moved(NamedTuple):
    """An axis of the input, or a new one (None), and what the calls do to it: a step or padding for each call."""

    origin: int | None
    first: int
    """The number of the first call behind which it exists."""
    items: tuple[Step | Pad | None, ...] = ()


class Moves(NamedTuple):
    """Calls, one after the other, and the value that each pads with, as text; None for a call that does not pad."""

    kept: tuple[Moved, ...]
    dropped: tuple[Moved, ...]
    values: tuple[str | None, ...]


def moves_of(calls: Sequence[Call], rank: int) -> Moves:
    """What calls do to an operand of this rank."""
    kept = [Moved(axis, 0) for axis in range(rank)]
    dropped: list[Moved] = []
    values: list[str | None] = []
    for number, call in enumerate(calls):
        padding = padding_of(call.function, call.arguments, len(kept))
        values.append(None if padding is None else repr(padding.value))
        if padding is not None:
            kept = [_then(axis, Pad(*config)) for axis, config in zip(kept, padding.config, strict=True)]
            continue
        before, kept = kept, []
        for entry in call._entries(len(before)):
            if entry.axis is None:
                kept.append(Moved(None, number + 1))
            else:
                (dropped if entry.drops else kept).append(_then(before[entry.axis], entry.step))
    return Moves(tuple(kept), tuple(dropped), tuple(values))


def _then(axis: Moved, item: Step | Pad | None) -> Moved:
    return axis._replace(items=(*axis.items, item))


# ---- one axis ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _maps(item: Step | Pad | None) -> tuple[Isl, Isl]:
    """The length of the result by that of the axis, and the elements by those of the axis."""
    islpy = load()
    if item is None:
        return islpy.Map(WHOLE[0]), islpy.Map(WHOLE[1])
    if isinstance(item, Step):
        length, element = relations(item)
        return islpy.Map(length), islpy.Map(element)
    low, high, interior = item
    longer = f"N >= 1 and M = {interior + 1} * N + {low + high - interior}"
    length = f"{{ [N] -> [M] : M >= 0 and (({longer}) or (N = 0 and M = {low + high})) }}"
    element = f"{{ [M, o] -> [N, i] : {longer} and o = {low} + {interior + 1} * i and 0 <= i < N and 0 <= o < M }}"
    return islpy.Map(length), islpy.Map(element)


def _length(items: Iterable[Step | Pad | None]) -> Isl:
    return reduce(lambda length, item: length.apply_range(_maps(item)[0]), items, load().Map(WHOLE[0]))


def _element(items: Iterable[Step | Pad | None]) -> Isl:
    return reduce(lambda element, item: _maps(item)[1].apply_range(element), items, load().Map(WHOLE[1]))


def _inside(axis: Moved, number: int) -> Isl:
    """{ [o, N, i] }: the elements of the result that are elements behind the calls before `number`."""
    at = max(number - axis.first, 0)
    before, behind = axis.items[:at], axis.items[at:]
    # [M, o] -> [L, i] -> [N, i], where L is the length before the calls.
    to_input = _length(before).reverse().flat_product(load().Map("{ [i] -> [i] }"))
    return _without_first(_element(behind).apply_range(to_input))


def _without_first(element: Isl) -> Isl:
    return element.wrap().flatten().project_out(load().dim_type.set, 0, 1)


# ---- whole shapes --------------------------------------------------------------------------------------------------


class _Space:
    """Sets of the dims of the input, n0 .., the indices of the result, o0 .., and those of the input, i0 .."""

    def __init__(self, rank: int, results: int) -> None:
        self.rank, self.results = rank, results
        self.names = [
            f"{letter}{k}" for letter, count in (("n", rank), ("o", results), ("i", rank)) for k in range(count)
        ]
        self.whole = load().Set(f"{{ [{', '.join(self.names)}] }}")

    def placed(self, of_axis: Isl, *places: str) -> Isl:
        """A set of some numbers as one of all, of which these are the numbers."""
        return of_axis.preimage_multi_aff(load().MultiAff(f"{{ [{', '.join(self.names)}] -> [{', '.join(places)}] }}"))

    def dims(self, found: Isl) -> Isl:
        """The dims of the input for which there are such indices."""
        return found.project_out(load().dim_type.set, self.rank, self.results + self.rank)

    def without_input(self, found: Isl) -> Isl:
        """The same for any indices of the input."""
        kind = load().dim_type.set
        return found.project_out(kind, self.rank + self.results, self.rank).add_dims(kind, self.rank)

    def elements(self, moves: Moves, number: int = 0) -> Isl:
        """The elements of the result that are elements behind the calls before `number`; behind none, of the input."""
        found = self.whole
        for place, axis in [*enumerate(moves.kept), *((None, axis) for axis in moves.dropped)]:
            index = "0" if place is None else f"o{place}"
            if axis.origin is None:
                found = found.intersect(self.placed(_of_new(_inside(axis, number)), index))
            else:
                found = found.intersect(self.placed(_inside(axis, number), index, f"n{axis.origin}", f"i{axis.origin}"))
        return found

    def shapes(self, moves: Moves) -> Isl:
        """The dims of the result, in the place of its indices; no dims where the calls are an error."""
        found = self.whole
        for place, axis in [*enumerate(moves.kept), *((None, axis) for axis in moves.dropped)]:
            lengths = _length(axis.items).wrap().flatten()
            dim = "1" if axis.origin is None else f"n{axis.origin}"
            found = found.intersect(self.placed(lengths, dim, "1" if place is None else f"o{place}"))
        return self.without_input(found)

    def padding(self, moves: Moves) -> dict[str, Isl]:
        """For each value the elements of the result that are padding with it."""
        found: dict[str, Isl] = {}
        for number, value in enumerate(moves.values):
            if value is not None:
                outer, inner = (self.without_input(self.elements(moves, call)) for call in (number + 1, number))
                found[value] = found.get(value, load().Set.empty(outer.get_space())).union(outer.subtract(inner))
        return found

    def differing(self, one: Moves, two: Moves) -> Isl:
        """The dims of the input for which the results differ."""
        values = [self.padding(moves) for moves in (one, two)]
        pairs = [(self.shapes(one), self.shapes(two)), (self.elements(one), self.elements(two))]
        empty = load().Set.empty(self.whole.get_space())
        pairs += [(values[0].get(value, empty), values[1].get(value, empty)) for value in {**values[0], **values[1]}]
        found = self.dims(empty)
        for pair in pairs:
            found = found.union(self.dims(_apart(*pair)))
        return found


def _of_new(inside: Isl) -> Isl:
    """{ [o] } for an axis that begins with length 1."""
    kind = load().dim_type.set
    return inside.fix_val(kind, 1, load().Val(1)).project_out(kind, 1, 2)


# ---- parts of shapes -----------------------------------------------------------------------------------------------


def _parts(one: Moves, two: Moves, rank: int) -> list[tuple[list[int], Moves, Moves]]:
    """The axes of the input that share a place in the results, and what the calls do to them: mostly single ones."""
    part_of = {node: {node} for node in [*(("n", k) for k in range(rank)), *(("o", k) for k in range(len(one.kept)))]}
    for moves in (one, two):
        for place, axis in enumerate(moves.kept):
            if axis.origin is not None:
                both = part_of["n", axis.origin] | part_of["o", place]
                part_of |= dict.fromkeys(both, both)
    found = []
    for part in {id(nodes): nodes for nodes in part_of.values()}.values():
        origins, places = (sorted(k for letter, k in part if letter == wanted) for wanted in "no")
        found.append((origins, _of_part(one, origins, places), _of_part(two, origins, places)))
    found.append(([], _of_part(one, [None], []), _of_part(two, [None], [])))  # new axes that are dropped again
    return found


def _of_part(moves: Moves, origins: Sequence[int | None], places: Sequence[int]) -> Moves:
    def renumbered(axis: Moved) -> Moved:
        return axis if axis.origin is None else axis._replace(origin=origins.index(axis.origin))

    kept = tuple(renumbered(moves.kept[place]) for place in places)
    return Moves(kept, tuple(renumbered(axis) for axis in moves.dropped if axis.origin in origins), moves.values)


def _differing(one: Moves, two: Moves, shape: Sequence[Lengths]) -> Isl:
    """The dims of the input for which the results differ."""
    if len({value for value in (*one.values, *two.values) if value is not None}) > 1:
        return _Space(len(shape), len(one.kept)).differing(one, two)
    # With one value, two results differ in their dims, or in elements of the input. Those count where both have some:
    # elsewhere both are nothing but padding, or empty.
    whole = _Space(len(shape), 0)
    none = load().Set.empty(whole.dims(whole.whole).get_space())
    dims, elements, errors, without = none, none, [none, none], [none, none]
    for origins, *sides in _parts(one, two, len(shape)):
        space, within = _Space(len(origins), len(sides[0].kept)), box([shape[axis] for axis in origins])

        def placed(found: Isl, origins: list[int] = origins, within: Isl = within) -> Isl:
            return whole.dims(whole.placed(found.intersect(within), *(f"n{axis}" for axis in origins)))

        shapes, taken = ([of(side) for side in sides] for of in (space.shapes, space.elements))
        dims = dims.union(placed(space.dims(_apart(*shapes))))
        elements = elements.union(placed(space.dims(_apart(*taken))))
        for side in range(2):
            errors[side] = errors[side].union(placed(space.dims(shapes[side]).complement()))
            without[side] = without[side].union(placed(space.dims(taken[side]).complement()))
    found = dims.union(_not_in_both(elements.coalesce(), *without)).coalesce()
    return _not_in_both(found, *errors)


def _apart(one: Isl, two: Isl) -> Isl:
    return one.subtract(two).union(two.subtract(one))


def _not_in_both(found: Isl, one: Isl, two: Isl) -> Isl:
    """What of a set is not in both of two others."""
    return found.subtract(one.coalesce()).union(found.subtract(two.coalesce()))


MAX_OPERATIONS = 20_000_000
"""So many operations of isl take some seconds; calls with many axes and many cases could take days."""


def _bounded(compare: Callable[[], Isl]) -> Isl:
    """What a comparison gives, or the error that it is too much work."""
    islpy = load()
    context = islpy.DEFAULT_CONTEXT
    context.reset_operations()
    context.set_max_operations(MAX_OPERATIONS)
    try:
        return compare()
    except islpy.Error:  # which says what was interrupted, and not always why
        reason = "the calls have too many cases on these axes to be compared: give dims that are known"
        raise conversion_error("cv_c11", reason) from None
    finally:
        context.set_max_operations(0)


class Unequal(NamedTuple):
    """The smallest shape on which two lists of calls differ, and all dims on which they are equal, as a set of isl."""

    counterexample: tuple[int, ...]
    equal: Isl | None = None


def box(shape: Sequence[Lengths]) -> Isl:
    """All dims of a shape."""
    names = [f"n{axis}" for axis in range(len(shape))]
    bounds = [f"{dim.least} <= {name} <= {dim.most}" for name, dim in zip(names, shape, strict=True)]
    return load().Set(f"{{ [{', '.join(names)}] : {' and '.join(bounds) or 'true'} }}")


def are_errors(calls: Sequence[Call], shape: Sequence[Lengths]) -> bool:
    """Whether the calls are an error on every shape."""
    if all(dim.known for dim in shape):
        return _folded(calls, [dim.least for dim in shape]) is None
    moves = moves_of(calls, len(shape))
    for axis in (*moves.kept, *moves.dropped):
        lengths = Lengths(1, 1) if axis.origin is None else shape[axis.origin]
        if _length(axis.items).domain().intersect(box([lengths])).is_empty():
            return True
    return False


def unequal(one: Sequence[Call], two: Sequence[Call], shape: Sequence[Lengths]) -> Unequal | None:
    """None if both give the same on every shape, or are both errors."""
    dims = tuple(dim.least for dim in shape)
    if all(dim.known for dim in shape):
        forms = [_form(calls, dims) for calls in (one, two)]
        if not any(form == () for form in forms):
            return None if forms[0] == forms[1] else Unequal(dims)
    moves = [moves_of(calls, len(shape)) for calls in (one, two)]
    if len(moves[0].kept) == len(moves[1].kept):
        differing = _bounded(lambda: _differing(moves[0], moves[1], shape).intersect(box(shape)).coalesce())
    else:
        spaces = [_Space(len(shape), len(made.kept)) for made in moves]
        valid = [space.dims(space.shapes(made)) for space, made in zip(spaces, moves, strict=True)]
        differing = valid[0].union(valid[1]).intersect(box(shape))
    return None if differing.is_empty() else Unequal(_smallest(differing), box(shape).subtract(differing).coalesce())


def of_axis(dims: Isl, axis: int, shape: Sequence[Lengths]) -> Isl | None:
    """The dims of one axis, if the set is a condition on it alone."""
    kind = load().dim_type.set
    rank = len(shape)
    one = dims.project_out(kind, axis + 1, rank - axis - 1).project_out(kind, 0, axis)
    space = _Space(rank, 0)
    whole = space.dims(space.placed(one, f"n{axis}")).intersect(box(shape))
    return one if whole.is_equal(dims) else None


def text_of(dims: Isl, shape: Sequence[Lengths]) -> str:
    """A set of dims as text of isl, without what is true of the shape anyway."""
    return str(dims.gist(box(shape)))


def _smallest(dims: Isl) -> tuple[int, ...]:
    point = dims.lexmin().sample_point()
    count = dims.dim(load().dim_type.set)
    return tuple(int(point.get_coordinate_val(load().dim_type.set, axis).to_python()) for axis in range(count))


# ---- known shapes --------------------------------------------------------------------------------------------------


def _folded(calls: Sequence[Call], shape: Sequence[int]) -> list[Folded] | None:
    """What `fold` gives, or None for an error that depends on the shape."""
    try:
        return fold(calls, shape)
    except SliceError as error:
        if error.label != "cv_c5":
            raise
        return None


def _form(calls: Sequence[Call], shape: Sequence[int]) -> tuple[Any, ...] | None:
    """What is equal exactly if the results are; None for an error, and () if several values of padding are seen."""
    states = _folded(calls, shape)
    if states is None:
        return None
    made = states[-1]
    if 0 in made.shape:
        return ("empty", made.shape)
    values = visible_values(calls, states) if made.is_padded else []
    if len(values) > 1:
        return ()
    if made.elements == 0:
        return ("filled", made.shape, repr(values[0]))
    single = {axis.origin: axis.start for axis in (*made.kept, *made.dropped) if axis.taken == 1}
    single.pop(None, None)
    axes = tuple(axis if axis.taken > 1 else (axis.length, axis.first) for axis in made.kept)
    return ("taken", axes, tuple(sorted(single.items())), tuple(map(repr, values)))
