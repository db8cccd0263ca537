"""Each of these faults in the C makes a proof find numbers for which the result is wrong."""

import pytest

from proof import interval_proofs, partial_proofs, range_proofs, window_proofs
from proof.c_source import units
from proof.goals import Refuted
from proof.window_proofs import SOURCES as WINDOW_SOURCES

BETWEEN, COMPOSE, RESOLVE = range_proofs.prove_between, range_proofs.prove_compose, range_proofs.prove_resolve
WINDOW, SIZES = window_proofs.prove_window, window_proofs.prove_size_slice
DIVISION = interval_proofs.arithmetic_proof("SSOP_DIM_DIVIDE")

# The proof, the file, a piece of it, and what stands there instead.
FAULTS = {
    "off by one": (BETWEEN, "range", "(distance - 1) / magnitude(step)", "distance / magnitude(step)"),
    "ceiling that overflows": (
        BETWEEN,
        "range",
        "(distance - 1) / magnitude(step) + 1",
        "(distance + magnitude(step) - 1) / magnitude(step)",
    ),
    "signed distance": (BETWEEN, "range", "(uint64_t)end - (uint64_t)begin", "(uint64_t)(end - begin)"),
    "empty range": (BETWEEN, "range", "begin >= end : begin <= end", "begin > end : begin <= end"),
    "count of 32 bits": (BETWEEN, "range", "uint64_t count =", "uint32_t count ="),
    "negated minimum": (BETWEEN, "range", "(uint64_t)0 - (uint64_t)x", "(uint64_t)-x"),
    "step of one element": (COMPOSE, "range", "second.count == 1 ? 1 : first.step", "first.step"),
    "start of the composition": (COMPOSE, "range", "first.start + second.start * first.step", "second.start"),
    "dim added twice": (RESOLVE, "range", "bound < 0 ? bound + dim : bound", "bound < 0 ? bound + dim + dim : bound"),
    "clamped one too high": (RESOLVE, "range", "high = forward ? dim : dim - 1", "high = dim"),
    "far begin backwards": (RESOLVE, "range", "begin_first && dim > 0 ? 0 : low", "begin_first ? 0 : low"),
    "shrunk end of the axis": (RESOLVE, "range", "begin >= dim", "begin > dim"),
    "offset that overflows": (RESOLVE, "range", "checked_add(begin, offset, &end)", "(end = begin + offset, 1)"),
    "masks swapped": (
        RESOLVE,
        "range",
        "return (entry->flags & SSOP_END_MASK)",
        "return (entry->flags & SSOP_BEGIN_MASK)",
    ),
    "remainder below 0": (WINDOW, "dynamic_slice", "remainder < 0 ? remainder + dim : remainder", "remainder"),
    "start past int64": (WINDOW, "dynamic_slice", " || window.start.huge", ""),
    "room of a window": (WINDOW, "dynamic_slice", "room = dim - size,", "room = dim - size + 1,"),
    "dim added to a huge start": (WINDOW, "dynamic_slice", "add_dim && !start.huge && start", "add_dim && start"),
    "filled window moved too far": (WINDOW, "dynamic_slice", "start < -size ? -size", "start < 0 ? 0"),
    "sum of begin and size": (SIZES, "size_slice", "size > dim - begin", "begin + size > dim"),
    "sum past the maximum": (
        interval_proofs.arithmetic_proof("SSOP_DIM_ADD"),
        "dim",
        "out->hi = add_up_to_max(a.hi, b.hi)",
        "out->hi = a.hi + b.hi",
    ),
    "divisor that may be 0": (DIVISION, "dim", "a.hi / max_int64(b.lo, 1)", "a.hi / b.lo"),
    "end of one sign": (partial_proofs.prove_ends, "partial_slices", "add_candidate(&set, bound, -1);", ""),
    "smallest step": (partial_proofs.prove_steps, "partial_slices", "add_candidate(&set, step, -1);", ""),
    "end beside an open one": (
        partial_proofs.prove_ends,
        "partial_slices",
        "add_candidate(&set, end, open[i] - 1);",
        "",
    ),
    "dim that end reaches": (
        partial_proofs.prove_dims,
        "partial_slices",
        "add_candidates_near(&set, dim, end);",
        "",
    ),
    "merged like a hull": (
        interval_proofs.prove_merge_and_relax,
        "dim",
        "(ssop_interval){max_int64(a.lo, b.lo), min_int64(a.hi, b.hi)}",
        "(ssop_interval){min_int64(a.lo, b.lo), max_int64(a.hi, b.hi)}",
    ),
}


IN_DEFAULT = (
    "off by one",
    "step of one element",
    "masks swapped",
    "remainder below 0",
    "sum of begin and size",
    "sum past the maximum",
    "smallest step",
    "merged like a hull",
)
"""One of each proof and kind; the others are tests of the long stage."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name not in IN_DEFAULT)) for name in FAULTS]
)
def test_a_fault_is_found(name):
    proof, file, old, new = FAULTS[name]
    names = {"range": ["range"], "dim": ["dim"], "partial_slices": partial_proofs.SOURCES}.get(file, WINDOW_SOURCES)
    with pytest.raises(Refuted) as raised:
        proof(units(names, changed={file: (old, new)}))
    assert raised.value.counterexample
