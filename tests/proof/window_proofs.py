"""Proofs about the windows of csrc/core/dynamic_slice.c, and about the one-axis forms of in_dim.c."""

from __future__ import annotations

from dataclasses import dataclass

import z3

from proof.c_program import Program
from proof.c_source import Unit
from proof.c_values import INT, Scalar, Struct, Value, constant
from proof.contracts import Term, between, clamp, is_inside, same, terms
from proof.goals import prove, prove_defined, prove_possible

CLAMP, WRAP, RAISE, FILL = 0, 1, 2, 3
INT64 = "int64_t"
SOURCES = ("dynamic_slice", "in_dim", "slice", "size_slice", "region")


def struct(program: Program, name: str, **fields: Value | int) -> Struct:
    """A struct whose other fields are any."""
    made = program.fresh(program.type_named(name), name)
    kinds = dict(made.type.fields)
    given = {key: constant(one, kinds[key]) if isinstance(one, int) else one for key, one in fields.items()}
    return Struct(made.type, made.fields | given)


def dims(program: Program, rank: int, name: str = "dim") -> tuple[Struct, list[Term]]:
    """A shape of any dims."""
    sizes = [program.fresh(program.type_named(INT64), f"{name}{axis}") for axis in range(rank)]
    program.assumptions += [one.term >= 0 for one in sizes]
    return struct(program, "ssop_shape", rank=rank, dim=program.array(sizes)), [one.term for one in sizes]


@dataclass
class Placement:
    """One symbolic call of ssop_dynamic_slice_resolve."""

    program: Program
    dims: list[Term]
    sizes: list[Term]
    starts: list[Struct]
    adds: list[Term]
    policy: Term
    status: Term
    parts: list[tuple[Struct, Struct]]
    before: list[Term]
    error: Struct
    is_unwritten: z3.BoolRef

    @property
    def ok(self) -> z3.BoolRef:
        return self.status == 0

    def start(self, axis: int) -> Term:
        """The start as a mathematical integer, after the dim was added to a negative one (ds_s3, ds_s4)."""
        value, huge = terms(self.starts[axis], "value", "huge")
        negative = z3.And(value < 0, self.adds[axis] != 0)
        return z3.If(huge != 0, value + 2**64, z3.If(negative, value + self.dims[axis], value))


def placement(program: Program, rank: int, name: str = "ssop_dynamic_slice_resolve") -> Placement:
    shape, shape_dims = dims(program, rank)

    def any_of(kind: str, name: str) -> list[Value]:
        return [program.fresh(program.type_named(kind), f"{name}{axis}") for axis in range(rank)]

    sizes, starts = any_of(INT64, "size"), any_of("ssop_start", "start")
    adds = any_of("uint8_t", "add_dim")
    adds = [program.arithmetic.convert(one, starts[0].fields["huge"].type) for one in adds]
    program.assumptions += [z3.Implies(one.fields["huge"].term != 0, one.fields["value"].term < 0) for one in starts]
    spec = struct(
        program,
        "ssop_window_spec",
        start_count=rank,
        size_count=rank,
        start=program.array(starts),
        size=program.array(sizes),
        add_dim=program.array(adds),
        add_dim_count=rank,
    )
    policy = spec.fields["out_of_bounds"].term
    program.assumptions.append(policy <= FILL)
    before = program.fresh(program.type_named("ssop_window"), "window")
    window, error = program.variable(before), program.variable(struct(program, "ssop_error"))
    status = program.run(name, program.variable(spec), shape, window, error).term
    after = program.read(window)
    parts = [tuple(one.items) for one in after.fields["part"].items[:rank]]
    shown = [one.term for one in after.fields["before"].items[:rank]]
    left_alone = same(before, after)
    adds, sizes = [one.term for one in adds], [one.term for one in sizes]
    return Placement(
        program, shape_dims, sizes, starts, adds, policy, status, parts, shown, program.read(error), left_alone
    )


def prove_window(sources: list[Unit]) -> None:
    """ds_s1 .. ds_s5 and ds_c3 .. ds_c5 on one axis, for every policy."""
    for name in ("ssop_dynamic_slice_resolve", "ssop_dynamic_update_slice_resolve"):
        one = placement(Program(sources, {"ssop_range_between": between}), 1, name)
        prove_defined(one.program)
        facts, policy = one.program.facts, one.policy
        [dim], [size], start = one.dims, one.sizes, one.start(0)
        (first, second), room = one.parts[0], dim - size
        for kind in (CLAMP, WRAP, RAISE, FILL):
            prove_possible(z3.And(one.ok, policy == kind, size > 1, start > 1), facts, "a window")
        outside = z3.And(policy == RAISE, z3.Or(start < 0, start > room))
        valid = z3.And(size >= 0, z3.Or(policy == FILL, size <= dim), z3.Not(outside))
        prove(one.ok == valid, facts, "ds_c3, ds_c4, ds_c5: which windows are errors")
        prove(z3.Implies(z3.Not(one.ok), one.is_unwritten), facts, "nothing is written after an error")
        facts = [*facts, one.ok]
        prove(z3.And(is_inside(first, dim), is_inside(second, dim)), facts, "the window is inside the axis")
        whole = first.fields["count"].term + second.fields["count"].term == size
        prove(z3.Implies(policy != FILL, whole), facts, "its size is the one asked for")
        at, none = first.fields["start"].term, second.fields["count"].term == 0
        clamped, fits = z3.And(at == clamp(start, 0, room), none), z3.Or(policy == CLAMP, policy == RAISE)
        prove(z3.Implies(z3.And(fits, size > 0), clamped), facts, "ds_s1: the start is clamped")
        prove_filled(one, [*facts, policy == FILL])
        prove_wrapped(one, [*facts, policy == WRAP, size > 0])


def prove_filled(one: Placement, facts: list[z3.BoolRef]) -> None:
    """ds_s5: what the window and the axis have in common, and how much of the window is before it."""
    [dim], [size], start, [before] = one.dims, one.sizes, one.start(0), one.before
    (first, second), end = one.parts[0], z3.If(start + size < dim, start + size, dim)
    begin = z3.If(start > 0, start, 0)
    at, count = terms(first, "start", "count")
    prove(
        z3.And(count == z3.If(begin < end, end - begin, 0), second.fields["count"].term == 0), facts, "ds_s5: how many"
    )
    place = z3.If(count > 0, z3.And(at == begin, before == begin - start), before == 0)
    prove(place, facts, "ds_s5: which elements")


def prove_wrapped(one: Placement, facts: list[z3.BoolRef]) -> None:
    """ds_s2: from the start modulo the dim up to the end of the axis, and then from 0 on."""
    [dim], [size], (first, second) = one.dims, one.sizes, one.parts[0]
    r = first.fields["start"].term
    # One of these is the quotient of the modulo, rounded down: the remainder is what it leaves.
    quotients = [q for d in one.program.arithmetic.defined for q in (d, d - 1)]
    multiple = z3.Or([one.start(0) - r == dim * q for q in quotients])
    prove(z3.And(r >= 0, r < dim, multiple), facts, "ds_s2: the start modulo the dim")
    before_end = z3.If(size < dim - r, size, dim - r)
    rest = z3.And(second.fields["start"].term == 0, second.fields["count"].term == size - before_end)
    prove(z3.And(first.fields["count"].term == before_end, rest), facts, "ds_s2: the rest starts at 0")


def prove_windows_of_two_axes(sources: list[Unit]) -> None:
    """The axes do not depend on each other, but for empty windows, which are one piece."""
    one = placement(Program(sources, {"ssop_range_between": between}), 2)
    prove_defined(one.program)
    facts = [*one.program.facts, one.ok]
    for axis, (first, second) in enumerate(one.parts):
        prove(is_inside(first, one.dims[axis]), facts, "the first part is inside")
        prove(is_inside(second, one.dims[axis]), facts, "the second part is inside")
        count = first.fields["count"].term + second.fields["count"].term
        prove(z3.Implies(one.policy != FILL, count == one.sizes[axis]), facts, "the size is the one asked for")
    empty = z3.Or([size == 0 for size in one.sizes])
    prove_possible(z3.And(empty, one.policy == WRAP), facts, "an empty window that wraps")
    pieces = [second.fields["count"].term == 0 for _, second in one.parts]
    prove(z3.Implies(empty, z3.And(pieces)), facts, "an empty window is one piece")


# ---- the other bounds of one axis ------------------------------------------------------------------------------------


def region_of(program: Program) -> Struct:
    return program.variable(program.fresh(program.type_named("ssop_region"), "region"))


def numbers(program: Program, *names: str) -> list[Scalar]:
    return [program.fresh(program.type_named(INT64), name) for name in names]


def prove_axis_number(sources: list[Unit]) -> None:
    """dim_s1, dim_c1."""
    program = Program(sources)
    [axis], rank = numbers(program, "axis"), program.fresh(INT, "rank")
    program.assumptions += [rank.term >= 0, rank.term <= 64]
    error = program.variable(struct(program, "ssop_error"))
    found = program.run("ssop_axis_resolve", axis, rank, error).term
    prove_defined(program)
    wrapped = axis.term + z3.If(axis.term < 0, rank.term, 0)
    right = z3.If(z3.And(wrapped >= 0, wrapped < rank.term), wrapped, -1)
    prove(found == right, program.facts, "dim_s1, dim_c1")


def prove_index_in_dim(sources: list[Unit]) -> None:
    """dim_s4, dim_c2 on one axis."""
    program = Program(sources, {"ssop_range_between": between})
    shape, [dim] = dims(program, 1)
    spec = struct(program, "ssop_index_in_dim_spec", axis=0)
    region, error = region_of(program), program.variable(struct(program, "ssop_error"))
    status = program.run("ssop_index_in_dim_resolve", program.variable(spec), shape, region, error).term
    prove_defined(program)
    index, add_dim = terms(spec, "index", "add_dim")
    at = index + z3.If(z3.And(index < 0, add_dim != 0), dim, 0)
    prove((status == 0) == z3.And(at >= 0, at < dim), program.facts, "dim_c2")
    taken = program.read(region).fields["range"].items[0]
    start, count, step = terms(taken, "start", "count", "step")
    prove(z3.Implies(status == 0, z3.And(start == at, count == 1, step == 1)), program.facts, "dim_s4")


def prove_slice_in_dim(sources: list[Unit]) -> None:
    """dim_s2, dim_s3 and sl_c4 .. sl_c7 on one axis."""
    program = Program(sources, {"ssop_range_between": between})
    shape, [dim] = dims(program, 1)
    spec = struct(program, "ssop_slice_in_dim_spec", axis=0)
    region, error = region_of(program), program.variable(struct(program, "ssop_error"))
    status = program.run("ssop_slice_in_dim_resolve", program.variable(spec), shape, region, error).term
    prove_defined(program)
    start, limit, stride = terms(spec, "start", "limit", "stride")
    has_start, has_limit, add_dim = (one != 0 for one in terms(spec, "has_start", "has_limit", "add_dim"))

    def bound(given: z3.BoolRef, x: Term, missing: Term | int) -> Term:
        return z3.If(given, x + z3.If(z3.And(x < 0, add_dim), dim, 0), missing)

    begin, end = bound(has_start, start, 0), bound(has_limit, limit, dim)
    valid = z3.And(begin >= 0, begin <= end, end <= dim, stride > 0)
    prove((status == 0) == valid, program.facts, "sl_c4 .. sl_c7")
    taken = program.read(region).fields["range"].items[0]
    facts = [*program.facts, status == 0]
    prove_possible(taken.fields["count"].term > 2, facts, "a slice")
    prove(is_inside(taken, dim), facts, "the slice is inside the axis")


def prove_size_slice(sources: list[Unit]) -> None:
    """tsl_c2, tsl_c3 and tsl_s1 on one axis: begin and size."""
    program = Program(sources, {"ssop_range_between": between})
    shape, [dim] = dims(program, 1)
    begin, size = numbers(program, "begin", "size")
    lists = {"begin": program.array([begin]), "size": program.array([size])}
    spec = program.variable(struct(program, "ssop_size_slice_spec", begin_count=1, size_count=1, **lists))
    dialect = program.variable(struct(program, "ssop_size_dialect"))
    region, error = region_of(program), program.variable(struct(program, "ssop_error"))
    status = program.run("ssop_size_slice_resolve", spec, shape, dialect, region, error).term
    prove_defined(program)
    taken = z3.If(size.term == -1, dim - begin.term, size.term)
    valid = z3.And(begin.term >= 0, begin.term <= dim, size.term >= -1, begin.term + taken <= dim)
    prove((status == 0) == valid, program.facts, "tsl_c2, tsl_c3")
    one = program.read(region).fields["range"].items[0]
    facts = [*program.facts, status == 0]
    prove(z3.And(is_inside(one, dim), one.fields["count"].term == taken), facts, "tsl_s1")


PROOFS = (
    prove_window,
    prove_windows_of_two_axes,
    prove_axis_number,
    prove_index_in_dim,
    prove_slice_in_dim,
    prove_size_slice,
)
