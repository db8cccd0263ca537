"""The laws of operations that move data, as data. Their proofs are in law_proofs.py, and what users see in laws.py.

Read for it: the rules of TensorRight (POPL 2025, github.com/ADAPT-uiuc/TensorRight), the patterns of Enzyme-JAX
(EnzymeHLOOpt.cpp, August 2026), and the issues that `applied_by` names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ssop._convert.expressions import (
    TRUE,
    Condition,
    Expression,
    Integer,
    any_of,
    between,
    both,
    ceiling,
    if_,
    maximum,
    minimum,
    names,
)
from ssop._convert.terms import (
    Term,
    array,
    broadcast,
    broadcast_in_dim,
    concatenate,
    dynamic_slice,
    dynamic_update_slice,
    expand_dims,
    index,
    pad,
    rev,
    slice_,
    squeeze,
    transpose,
)


@dataclass(frozen=True)
class Row:
    """A law: with all numbers for which `left` is no error, and `where` is true, it is equal to `right` if
    `precondition` is true; and only then, if `exact`."""

    name: str
    left: Term
    right: Term
    precondition: Condition = TRUE
    where: Condition = TRUE
    exact: bool = True
    steps: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """The parameters that a proof needs as constants -> the values for which there is one."""
    counterexample: Mapping[str, int] | None = None
    """Numbers with which a law that products apply is false."""
    applied_by: str = ""
    source: str = ""


N, P, Q, U, W, V = names("N P Q U W V")
a, b, c, d, k, m, i, s, t, low, high, p, q = names("a b c d k m i s t low high p q")
x, y, z = array("x", N), array("y", P), array("z", Q)
u, w = array("u", U), array("w", W)
v = array("v")
plane = array("x", N, P)

POSITIVE = (1, 2, 3, 4)
FEW = (1, 2, 3)
ANY = (-4, -3, -2, -1, 1, 2, 3, 4)
K, KM = {"k": POSITIVE}, {"k": FEW, "m": FEW}
INTERIOR = {"i": (0, 1, 2, 3)}


def clamped(start: Integer, size: Integer, dim: Integer) -> Expression:
    """The start of a window of XLA."""
    return maximum(0, minimum(start, dim - size))


def inside(start: Integer, size: Integer, dim: Integer) -> Condition:
    return between(0, start, dim - size)


def count(start: Integer, limit: Integer, stride: Integer) -> Expression:
    return ceiling(limit - start, stride)


SLICES = (
    Row("slice-whole", slice_(x, 0, N), x, source="TensorRight slice 1"),
    Row(
        "slice-merge", slice_(slice_(x, a, b, k), c, d, m),
        slice_(x, minimum(a + k * c, b), minimum(a + k * d, b), k * m),
        steps=KM, source="TensorRight slice 7, which has only stride 1",
    ),
    Row(
        "slice-merge-unit-strides", slice_(slice_(x, a, b), c, d), slice_(x, a + c, a + d),
        source="TensorRight slice 7",
    ),
    Row(
        "slice-merge-without-min", slice_(slice_(x, a, b, k), c, d, m), slice_(x, a + k * c, a + k * d, k * m),
        a + k * d <= N, steps=KM,
    ),
    Row(
        "slice-split", slice_(x, a, c), concatenate([slice_(x, a, b), slice_(x, b, c)]), between(a, b, c),
    ),
    Row(
        "slice-join", concatenate([slice_(x, a, b, k), slice_(x, b, c, k)]), slice_(x, a, c, k),
        any_of(((b - a) % k).equals(0), b.equals(c)), steps=K, source="TensorRight concat 4, which has only stride 1",
    ),
    Row(
        "slice-axes-merge", slice_(slice_(plane, [a, 0], [b, P], [k, 1]), [0, c], [count(a, b, k), d], [1, m]),
        slice_(plane, [a, c], [b, d], [k, m]), steps=KM,
    ),
    Row(
        "slice-of-broadcast", slice_(broadcast(x, P), [c, a], [d, b], [m, k]),
        broadcast(slice_(x, a, b, k), count(c, d, m)), steps=KM, source="TensorRight slice 3",
    ),
    Row(
        "slice-of-new-axis", slice_(broadcast(x, P), [c, 0], [d, N], [m, 1]), broadcast(x, count(c, d, m)),
        steps={"m": POSITIVE}, source="TensorRight slice 9",
    ),
    Row(
        "slice-of-constant", slice_(broadcast(v, N), a, b, k), broadcast(v, count(a, b, k)), steps=K,
        source="TensorRight slice 2, broadcast 5",
    ),
    Row(
        "slice-of-unit-axis", slice_(broadcast_in_dim(array("x", 1), [N], 0), a, b, k),
        broadcast_in_dim(array("x", 1), [count(a, b, k)], 0), steps=K,
    ),
    Row(
        "slice-of-transpose", slice_(transpose(plane, 1, 0), [c, a], [d, b], [m, k]),
        transpose(slice_(plane, [a, c], [b, d], [k, m]), 1, 0), steps=KM,
    ),
    Row(
        "slice-of-reverse", slice_(rev(x, 0), a, b, k),
        rev(slice_(x, minimum(N - a - k * (count(a, b, k) - 1) - 1, N - a), N - a, k), 0), steps=K,
        source="TensorRight slice 13",
    ),
    Row(
        "slice-of-reverse-without-min", slice_(rev(x, 0), a, b, k),
        rev(slice_(x, N - a - k * (count(a, b, k) - 1) - 1, N - a, k), 0),
        any_of(a < b, k.equals(1)), steps=K,
    ),
    Row(
        "slice-of-expand-dims", slice_(expand_dims(x, 0), [0, a], [1, b], [1, k]), expand_dims(slice_(x, a, b, k), 0),
        steps=K,
    ),
    Row(
        "slice-of-squeeze", slice_(squeeze(array("x", 1, N), 0), a, b, k),
        squeeze(slice_(array("x", 1, N), [0, a], [1, b], [1, k]), 0), steps=K,
    ),
)  # fmt: skip

JOINED = concatenate([x, y])
CONCATENATIONS = (
    Row("concatenate-one", concatenate([x]), x),
    Row("concatenate-empty", concatenate([x, array("y", 0)]), x),
    Row(
        "concatenate-left", concatenate([x, concatenate([y, z])]), concatenate([concatenate([x, y]), z]),
        source="TensorRight concat 2",
    ),
    Row(
        "concatenate-flat", concatenate([x, concatenate([y, z])]), concatenate([x, y, z]),
        source="TensorRight concat 1, 3, 7",
    ),
    Row("slice-of-concatenate-last", slice_(JOINED, N, N + P), y, source="TensorRight slice 8"),
    Row(
        "slice-of-concatenate-left", slice_(JOINED, a, b, k), slice_(x, a, b, k), b <= N, steps=K,
        source="TensorRight slice 10",
    ),
    Row(
        "slice-of-concatenate-right", slice_(JOINED, a, b, k), slice_(y, a - N, b - N, k), a >= N, steps=K,
        source="TensorRight slice 11",
    ),
    Row(
        "slice-of-concatenate-drops-first", slice_(concatenate([x, y, z]), a, b, k),
        slice_(concatenate([y, z]), a - N, b - N, k), a >= N, steps=K, source="TensorRight slice 12",
    ),
    Row(
        "slice-of-concatenate-split", slice_(JOINED, a, b, k),
        concatenate([
            slice_(x, minimum(a, N), minimum(b, N), k),
            slice_(y, minimum(maximum(a - N, (a - N) % k), maximum(b - N, 0)), maximum(b - N, 0), k),
        ]), steps=K,
    ),
    Row(
        "dynamic-slice-of-concatenate", dynamic_slice(JOINED, a, s), dynamic_slice(x, a, s),
        both(s <= N, any_of(a <= N - s, P.equals(0), s.equals(0))),
    ),
    Row("reverse-of-concatenate", rev(JOINED, 0), concatenate([rev(y, 0), rev(x, 0)])),
    Row(
        "transpose-of-concatenate", transpose(concatenate([plane, array("y", Q, P)], 0), 1, 0),
        concatenate([transpose(plane, 1, 0), transpose(array("y", Q, P), 1, 0)], 1),
    ),
    Row(
        "concatenate-is-update", concatenate([slice_(x, 0, a), u, slice_(x, a + U, N)]), dynamic_update_slice(x, u, a),
    ),
)  # fmt: skip

INNER = dynamic_slice(x, a, s)
DYNAMIC_SLICES = (
    Row(
        "dynamic-slice-merge", dynamic_slice(INNER, b, t), dynamic_slice(x, clamped(a, s, N) + clamped(b, t, s), t),
    ),
    Row(
        "dynamic-slice-merge-late-clamp", dynamic_slice(INNER, b, t), dynamic_slice(x, clamped(a, t, N) + b, t),
        inside(a, s, N) & inside(b, t, s), exact=False,
        counterexample={"N": 10, "s": 4, "t": 1, "a": 9, "b": 0},
        applied_by="XLA, so jax.jit (jax 40849, xla 49121)",
    ),
    Row(
        "dynamic-slice-merge-adds", dynamic_slice(INNER, b, t), dynamic_slice(x, a + b, t),
        inside(a, s, N) & inside(b, t, s), exact=False,
        counterexample={"N": 10, "s": 4, "t": 1, "a": 9, "b": 0},
        applied_by="Enzyme-JAX DynamicSliceDynamicSlice (read)",
        source="TensorRight dyslice 5, which asserts that starts are inside",
    ),
    Row(
        "slice-of-dynamic-slice", slice_(INNER, c, d), dynamic_slice(x, clamped(a, s, N) + c, d - c),
    ),
    Row(
        "slice-of-dynamic-slice-adds", slice_(INNER, c, d), dynamic_slice(x, a + c, d - c), inside(a, s, N),
        exact=False,
        counterexample={"N": 2, "s": 2, "a": 1, "c": 0, "d": 1},
        applied_by="Enzyme-JAX SliceDynamicSlice (read)",
    ),
    Row(
        "dynamic-slice-of-slice", dynamic_slice(slice_(x, a, b), c, t), dynamic_slice(x, a + clamped(c, t, b - a), t),
    ),
    Row(
        "dynamic-slice-of-slice-adds", dynamic_slice(slice_(x, a, b), c, t), dynamic_slice(x, a + c, t),
        inside(c, t, b - a), exact=False,
        counterexample={"N": 2, "a": 0, "b": 1, "c": 1, "t": 1},
        applied_by="Enzyme-JAX DynamicSliceSlice (read)",
    ),
    Row("dynamic-slice-is-slice", INNER, slice_(x, clamped(a, s, N), clamped(a, s, N) + s)),
    Row(
        "dynamic-slice-is-slice-without-clamp", INNER, slice_(x, a, a + s), inside(a, s, N),
        source="TensorRight dyslice 1, which asserts that starts are inside",
    ),
    Row(
        "dynamic-slice-is-index", INNER, index(x, a, a + s), inside(a, s, N), exact=False,
        counterexample={"N": 2, "s": 1, "a": 2},
        applied_by="jax2onnx 0.17 (read), jax2tf (jax 3621), tt-mlir (pull request 4340)",
    ),
    Row("dynamic-slice-whole", dynamic_slice(x, a, N), x, source="TensorRight dyslice 2, which needs the start 0"),
    Row("dynamic-slice-empty", dynamic_slice(x, a, 0), slice_(x, 0, 0)),
    Row(
        "dynamic-slice-of-broadcast", dynamic_slice(broadcast(x, P), [c, a], [t, s]),
        broadcast(dynamic_slice(x, a, s), t),
        source="TensorRight dyslice 3",
    ),
    Row(
        "dynamic-slice-of-constant", dynamic_slice(broadcast(v, N), a, s), broadcast(v, s),
        source="TensorRight broadcast 6",
    ),
    Row(
        "dynamic-slice-of-transpose", dynamic_slice(transpose(plane, 1, 0), [b, a], [t, s]),
        transpose(dynamic_slice(plane, [a, b], [s, t]), 1, 0), source="TensorRight dyslice 4",
    ),
    Row("dynamic-slice-of-reverse", dynamic_slice(rev(x, 0), a, s), rev(dynamic_slice(x, N - s - a, s), 0)),
    Row(
        "dynamic-slice-of-pad", dynamic_slice(pad(x, v, low, high), a, s), dynamic_slice(x, a - low, s),
        both(s <= N, any_of((low + clamped(a - low, s, N)).equals(clamped(a, s, low + N + high)), s.equals(0))),
    ),
    Row(
        "dynamic-slice-axes-merge", dynamic_slice(dynamic_slice(plane, [a, 0], [s, P]), [0, b], [s, t]),
        dynamic_slice(plane, [a, b], [s, t]),
    ),
)  # fmt: skip

UPDATED = dynamic_update_slice(x, u, a)
UPDATES = (
    Row("update-then-slice", dynamic_slice(UPDATED, a, U), u),
    Row("slice-then-update", dynamic_update_slice(x, dynamic_slice(x, a, s), a), x),
    Row("update-twice", dynamic_update_slice(UPDATED, array("w", U), a), dynamic_update_slice(x, array("w", U), a)),
    Row(
        "update-exchange", dynamic_update_slice(UPDATED, w, b),
        dynamic_update_slice(dynamic_update_slice(x, w, b), u, a),
        any_of(
            clamped(a, U, N) + U <= clamped(b, W, N), clamped(b, W, N) + W <= clamped(a, U, N), U.equals(0), W.equals(0)
        ),
    ),
    Row(
        "update-whole", dynamic_update_slice(x, array("u", N), a), array("u", N),
        source="TensorRight dyupslice 3, which needs the start 0",
    ),
    Row("update-empty", dynamic_update_slice(x, array("u", 0), a), x),
    Row(
        "update-of-constant", dynamic_update_slice(broadcast(v, N), u, a),
        pad(u, v, clamped(a, U, N), N - U - clamped(a, U, N)),
    ),
    Row(
        "update-of-constant-without-clamp", dynamic_update_slice(broadcast(v, N), u, a), pad(u, v, a, N - U - a),
        any_of(inside(a, U, N), U.equals(0)), source="TensorRight dyupslice 2, which asserts that starts are inside",
    ),
    Row(
        "update-is-concatenate", UPDATED,
        concatenate([slice_(x, 0, clamped(a, U, N)), u, slice_(x, clamped(a, U, N) + U, N)]),
    ),
    Row(
        "update-is-concatenate-without-clamp", UPDATED, concatenate([slice_(x, 0, a), u, slice_(x, a + U, N)]),
        inside(a, U, N),
    ),
    Row(
        "update-window-merge", dynamic_update_slice(x, dynamic_update_slice(INNER, u, b), a),
        dynamic_update_slice(x, u, clamped(a, s, N) + clamped(b, U, s)),
    ),
    Row(
        "update-window-merge-adds", dynamic_update_slice(x, dynamic_update_slice(INNER, u, b), a),
        dynamic_update_slice(x, u, a + clamped(b, U, s)), inside(a, s, N), exact=False,
        counterexample={"N": 3, "s": 2, "U": 1, "a": 2, "b": 0},
        applied_by="XLA, so jax.jit (xla 49121)",
        source="TensorRight dyupslice 4, which asserts that starts are inside",
    ),
    Row(
        "slice-of-update-inside", slice_(UPDATED, c, d, k), slice_(u, c - clamped(a, U, N), d - clamped(a, U, N), k),
        both(clamped(a, U, N) <= c, d <= clamped(a, U, N) + U), steps=K,
    ),
    Row(
        "slice-of-update-inside-without-clamp", slice_(UPDATED, c, d, k), slice_(u, c - a, d - a, k),
        any_of(a <= N - U, c.equals(d)), both(0 <= a, a <= c, d <= a + U), steps=K,
        counterexample={"N": 3, "U": 2, "a": 2, "c": 2, "d": 3, "k": 1},
        applied_by="Enzyme-JAX SliceOfDynamicUpdate (read)",
    ),
    Row(
        "slice-of-update-outside", slice_(UPDATED, c, d), slice_(x, c, d),
        any_of(d <= clamped(a, U, N), clamped(a, U, N) + U <= c, c.equals(d), U.equals(0)),
    ),
    Row(
        "slice-of-update-outside-without-clamp", slice_(UPDATED, c, d), slice_(x, c, d),
        any_of(d <= clamped(a, U, N), clamped(a, U, N) + U <= c, c.equals(d), U.equals(0)), any_of(d <= a, a + U <= c),
        counterexample={"N": 3, "U": 2, "a": 2, "c": 1, "d": 2},
        applied_by="Enzyme-JAX SliceOfDynamicUpdate (read)",
    ),
    Row(
        "reverse-of-update", rev(UPDATED, 0), dynamic_update_slice(rev(x, 0), rev(u, 0), N - U - a),
    ),
    Row(
        "transpose-of-update", transpose(dynamic_update_slice(plane, array("u", U, W), [a, b]), 1, 0),
        dynamic_update_slice(transpose(plane, 1, 0), transpose(array("u", U, W), 1, 0), [b, a]),
    ),
    Row(
        "update-of-pad", dynamic_update_slice(pad(x, v, low, high), u, a),
        pad(dynamic_update_slice(x, u, a - low), v, low, high),
        both(U <= N, any_of((low + clamped(a - low, U, N)).equals(clamped(a, U, low + N + high)), U.equals(0))),
    ),
)  # fmt: skip

BODY = maximum(N - 1, 0) * i
PADS = (
    Row("pad-nothing", pad(x, v, 0, 0), x, source="TensorRight pad 1"),
    Row(
        "pad-interior-of-unit-axis", pad(x, v, low, high, i), pad(x, v, low, high), N <= 1, steps={"i": FEW},
        source="TensorRight pad 2",
    ),
    Row(
        "pad-of-broadcast", pad(broadcast(x, P), v, [0, low], [0, high], [0, i]), broadcast(pad(x, v, low, high, i), P),
        steps=INTERIOR, source="TensorRight pad 3",
    ),
    Row(
        "pad-negative", pad(x, v, low, high),
        slice_(
            pad(x, v, maximum(low, 0), maximum(high, 0)), maximum(-1 * low, 0),
            N + maximum(low, 0) + maximum(high, 0) - maximum(-1 * high, 0),
        ), source="TensorRight pad 4",
    ),
    Row(
        "pad-merge", pad(pad(x, v, low, high, i), v, p, q), pad(x, v, low + p, high + q, i),
        both(0 <= low, 0 <= high), exact=False,
        steps=INTERIOR, counterexample={"N": 1, "low": -1, "high": 0, "p": 1, "q": 0, "i": 0},
        applied_by="Enzyme-JAX PadPad, for interior 0 (read)", source="TensorRight debug 1",
    ),
    Row(
        "pad-of-transpose", pad(transpose(plane, 1, 0), v, [p, low], [q, high], i),
        transpose(pad(plane, v, [low, p], [high, q], i), 1, 0), steps={"i": (0, 1, 2)},
    ),
    Row("pad-of-reverse", pad(rev(x, 0), v, low, high, i), rev(pad(x, v, high, low, i), 0), steps=INTERIOR),
    Row(
        "pad-of-concatenate", pad(JOINED, v, low, high), concatenate([pad(x, v, low, 0), pad(y, v, 0, high)]),
        both(0 <= low + N, 0 <= high + P),
    ),
    Row(
        "concatenate-constant-first", concatenate([broadcast(v, low), x]), pad(x, v, low, 0),
        source="TensorRight concat 5",
    ),
    Row(
        "concatenate-constant-last", concatenate([x, broadcast(v, high)]), pad(x, v, 0, high),
        source="TensorRight concat 6",
    ),
    Row(
        "slice-of-pad-is-operand", slice_(pad(x, v, low, high, i), low, low + N + BODY, i + 1), x, steps=INTERIOR,
        source="TensorRight slice 4",
    ),
    Row(
        "slice-of-pad-is-padding", slice_(pad(x, v, low, high), a, b, k), broadcast(v, count(a, b, k)),
        minimum(b, low + N) <= a + k * ceiling(maximum(low - a, 0), k), steps=K, source="TensorRight slice 5",
    ),
    Row(
        "slice-of-interior-pad-is-padding", slice_(pad(x, v, low, high, i), a, b, k), broadcast(v, count(a, b, k)),
        any_of(b <= low, a >= low + N + BODY), exact=False, steps={"i": FEW, "k": FEW}, source="TensorRight slice 5",
    ),
    Row(
        "slice-of-pad-is-slice", slice_(pad(x, v, low, high), a, b, k), slice_(x, a - low, b - low, k),
        both(low <= a, b <= low + N),
        steps=K, source="TensorRight slice 6",
    ),
)  # fmt: skip

cube = array("x", N, P, Q)
AXES = (
    Row("reverse-unit-axis", rev(x, 0), x, N <= 1, source="TensorRight reverse 1"),
    Row("reverse-twice", rev(rev(x, 0), 0), x, source="TensorRight reverse 2"),
    Row("reverse-merge", rev(rev(cube, 0, 1), 1, 2), rev(cube, 0, 2), source="TensorRight reverse 3"),
    Row("reverse-of-constant", rev(broadcast(v, N), 0), broadcast(v, N), source="TensorRight broadcast 4"),
    Row("reverse-of-broadcast", rev(broadcast(x, P), 0, 1), broadcast(rev(x, 0), P)),
    Row("reverse-of-transpose", rev(transpose(plane, 1, 0), 0), transpose(rev(plane, 1), 1, 0)),
    Row("transpose-twice", transpose(transpose(plane, 1, 0), 1, 0), plane, source="TensorRight relabel 1"),
    Row("transpose-merge", transpose(transpose(cube, 1, 2, 0), 2, 1, 0), transpose(cube, 0, 2, 1),
        source="TensorRight relabel 1"),
    Row("transpose-nothing", transpose(plane, 0, 1), plane, source="TensorRight relabel 2"),
    Row(
        "transpose-of-constant", transpose(broadcast(v, N, P), 1, 0), broadcast(v, P, N),
        source="TensorRight broadcast 3",
    ),
    Row("transpose-of-broadcast", transpose(broadcast(x, P), 1, 0), broadcast_in_dim(x, [N, P], 0)),
    Row("transpose-unit-axis", transpose(array("x", 1, N), 1, 0), expand_dims(squeeze(array("x", 1, N), 0), 1)),
    Row("squeeze-of-expand-dims", squeeze(expand_dims(x, 0), 0), x),
    Row("expand-dims-of-squeeze", expand_dims(squeeze(array("x", 1, N), 0), 0), array("x", 1, N)),
    Row("expand-dims-is-broadcast", expand_dims(x, 0), broadcast(x, 1)),
    Row("expand-dims-exchange", expand_dims(expand_dims(x, 0), 2), expand_dims(expand_dims(x, 1), 0)),
    Row("broadcast-merge", broadcast(broadcast(x, P), Q), broadcast(x, Q, P), source="TensorRight broadcast 8"),
    Row("broadcast-is-broadcast-in-dim", broadcast(x, P), broadcast_in_dim(x, [P, N], 1)),
    Row("broadcast-in-dim-nothing", broadcast_in_dim(x, [N], 0), x),
    Row(
        "broadcast-in-dim-merge", broadcast_in_dim(broadcast_in_dim(x, [U, W], 0), [P, Q, V], 2, 0),
        broadcast_in_dim(x, [P, Q, V], 2),
    ),
)  # fmt: skip


def wrapped(bound: Expression) -> Expression:
    """A bound of an index with a positive stride, as a place in the axis."""
    return if_(bound < 0, maximum(0, bound + N), minimum(bound, N))


def wrapped_back(bound: Expression) -> Expression:
    """A bound of an index with a negative stride, as a place in the axis or -1."""
    return if_(bound < 0, maximum(-1, bound + N), minimum(bound, N - 1))


BACK = count(wrapped_back(b), wrapped_back(a), k)
INDICES = (
    Row(
        "index-is-slice", index(x, a, b, k),
        slice_(x, wrapped(a), maximum(wrapped(a), wrapped(b)), k), steps=K,
    ),
    Row(
        "index-back-is-reverse", index(x, a, b, -1 * k),
        rev(slice_(x, minimum(wrapped_back(a) - k * (BACK - 1), wrapped_back(a) + 1), wrapped_back(a) + 1, k), 0),
        steps=K,
    ),
    Row("index-back-whole", index(x, None, None, -1), rev(x, 0)),
    Row("index-whole", index(x, 0, b), x, any_of(b >= N, N.equals(0))),
    Row("index-adds", index(index(x, a, None), b, None), index(x, a + b, None), both(0 <= a, 0 <= b), exact=False),
    Row(
        "index-merge", index(index(x, a, b, k), c, d, m), index(x, a + k * c, minimum(b, a + k * d), k * m),
        where=both(0 <= a, 0 <= b, 0 <= c, 0 <= d), steps=KM,
    ),
    Row(
        "index-strides-merge", index(index(x, None, None, k), None, None, m), index(x, None, None, k * m),
        any_of(0 < m, N.equals(0), ((N - 1) % maximum(k, -1 * k)).equals(0)), steps={"k": ANY, "m": ANY},
    ),
    Row(
        "index-end-of-zero", index(x, a, 0), index(x, a, None), N.equals(0), a < 0,
        counterexample={"N": 1, "a": -1}, applied_by="tf2onnx 1.17",
    ),
    Row(
        "index-narrow", slice_(x, a + N, a + N + s), index(x, a, a + s), any_of(a + s < 0, s.equals(0)), a < 0,
        counterexample={"N": 2, "a": -2, "s": 2}, applied_by="coremltools 9.0 (pull request 2774)",
    ),
)  # fmt: skip

ROWS = (*SLICES, *CONCATENATIONS, *DYNAMIC_SLICES, *UPDATES, *PADS, *AXES, *INDICES)
