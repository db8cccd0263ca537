"""A compiler with one wrong rewriting rule: where the rule fits a chain, its result is what the rule makes of it."""

from functools import partial

import numpy as np

import ssop
from ssop.testing.chains import At
from ssop.testing.chains.drawing import XLA, draw_chain
from ssop.testing.chains.program import applied
from ssop.testing.oracles import Oracle

xla = ssop.xla
KINDS = XLA._replace(ops={**XLA.ops, "tf.strided_slice": 2})


class Rewriting(Oracle):
    """Has one rule, `rule(step, inner, values)`: an array in the place of the step's value, or None."""

    name = "rewriting"
    can_crash = False

    def __init__(self, rule, lengths=(2, 4)):
        self.rule, self.kinds = rule, KINDS._replace(lengths=lengths)
        self.ops = {"chain": (1, partial(draw_chain, kinds=self.kinds))}

    def run(self, chain):
        steps = {step.name: step for step in chain.steps}
        values = dict(chain.inputs)
        for step in chain.steps:
            inner = steps.get(step.operands[0])
            rewritten = None if inner is None else self.rule(step, inner, values)
            values[step.name] = applied(step, values) if rewritten is None else rewritten
        return values[chain.steps[-1].name]

    def code(self, chain):
        return f"# {chain}"


FAULTS = {}


def fault(outer, inner):
    """A rule for a step of the operation `outer` whose first operand is a step of the operation `inner`."""

    def register(function):
        def rule(step, before, values):
            if (step.op, before.op) != (f"xla.{outer}", f"xla.{inner}"):
                return None
            made = function(
                step.with_args(values), before.with_args(values), values[before.operands[0]], step, before, values
            )
            right = applied(step, values)
            return made if made is not None and np.shape(made) == right.shape else None

        FAULTS[function.__name__] = rule
        return function

    return register


def starts_of(args):
    return np.array(args["start_indices"], np.int64)


@fault("dynamic_slice", "dynamic_slice")
def clamp_forgotten_at_a_merge(a, b, x, *_):
    return xla.dynamic_slice(x, starts_of(a) + starts_of(b), a["slice_sizes"])


@fault("slice", "slice")
def start_without_the_inner_stride(a, b, x, *_):
    starts = starts_of(b) + starts_of(a)
    strides = np.multiply(a["strides"], b["strides"])
    limits = np.minimum(starts + np.subtract(a["limit_indices"], a["start_indices"]) * b["strides"], x.shape)
    return xla.slice(x, np.minimum(starts, limits), limits, strides)


@fault("slice", "slice")
def strides_added(a, b, x, *_):
    index = [
        range(n)[p:q:s]
        for n, p, q, s in zip(x.shape, b["start_indices"], b["limit_indices"], b["strides"], strict=True)
    ]
    first = [r[p] if p < len(r) else n for r, p, n in zip(index, a["start_indices"], x.shape, strict=True)]
    last = [r[q - 1] + 1 if q else 0 for r, q in zip(index, a["limit_indices"], strict=True)]
    steps = np.add(a["strides"], b["strides"]) - 1
    return x[tuple(map(slice, first, last, steps))]


@fault("slice", "rev")
def slice_not_mirrored_by_a_reverse(a, b, x, *_):
    return xla.rev(xla.slice(x, **a), b["dimensions"])


@fault("rev", "pad")
def edges_not_exchanged_by_a_reverse(a, b, x, step, before, values):
    return xla.pad(xla.rev(x, **a), values[before.operands[1]], **b)


@fault("rev", "rev")
def reverses_of_any_axes_cancel(a, b, x, *_):
    return x if set(a["dimensions"]) & set(b["dimensions"]) else None


@fault("transpose", "transpose")
def permutations_composed_the_other_way(a, b, x, *_):
    return xla.transpose(x, [a["permutation"][axis] for axis in b["permutation"]])


@fault("transpose", "transpose")
def equal_permutations_cancel(a, b, x, *_):
    return x if a == b else None


@fault("reshape", "transpose")
def transpose_dropped_before_a_reshape(a, b, x, *_):
    return xla.reshape(x, **a)


@fault("transpose", "slice")
def bounds_not_permuted(a, b, x, *_):
    moved = xla.transpose(x, **a)
    limits = np.minimum(b["limit_indices"], moved.shape)
    return xla.slice(moved, np.minimum(b["start_indices"], limits), limits, b["strides"])


@fault("slice", "concatenate")
def off_by_one_in_a_split(a, b, x, step, before, values):
    axis, start = b["dimension"], a["start_indices"][b["dimension"]]
    edge = x.shape[axis] + 1  # one too many
    if not start < edge or a["limit_indices"][axis] > edge or max(a["strides"]) > 1:
        return None
    whole = applied(before, values)
    first = np.concatenate([x, np.take(x, [-1], axis)], axis) if x.shape[axis] else whole
    return xla.slice(first, **a)


@fault("rev", "concatenate")
def operands_keep_their_order(a, b, x, step, before, values):
    return xla.concatenate([xla.rev(values[name], **a) for name in before.operands], b["dimension"])


@fault("pad", "pad")
def values_of_two_pads_not_compared(a, b, x, step, before, values):
    if any(interior for _, _, interior in (*a["padding_config"], *b["padding_config"])):
        return None
    if min((n for entry in (*a["padding_config"], *b["padding_config"]) for n in entry), default=0) < 0:
        return None
    config = [tuple(np.add(p, q)) for p, q in zip(a["padding_config"], b["padding_config"], strict=True)]
    return xla.pad(x, values[step.operands[1]], config)


@fault("slice", "pad")
def slice_inside_a_pad_without_its_low_edge(a, b, x, *_):
    if any(interior for _, _, interior in b["padding_config"]):
        return None
    inside = all(q <= n for q, n in zip(a["limit_indices"], x.shape, strict=True))
    return xla.slice(x, **a) if inside else None


@fault("slice", "broadcast_in_dim")
def slice_of_a_broadcast_is_its_beginning(a, b, x, *_):
    shape = [len(range(p, q, s)) for p, q, s in zip(a["start_indices"], a["limit_indices"], a["strides"], strict=True)]
    small = x[tuple(slice(min(n, shape[axis])) for n, axis in zip(x.shape, b["broadcast_dimensions"], strict=True))]
    return xla.broadcast_in_dim(small, shape, b["broadcast_dimensions"])


@fault("broadcast_in_dim", "broadcast_in_dim")
def inner_dimensions_of_a_broadcast_lost(a, b, x, *_):
    dimensions = a["broadcast_dimensions"][: x.ndim]
    fits = all(n in (1, a["shape"][axis]) for n, axis in zip(x.shape, dimensions, strict=True))
    return xla.broadcast_in_dim(x, a["shape"], dimensions) if fits else None


@fault("dynamic_slice", "dynamic_update_slice")
def update_read_back_wherever_it_is(a, b, x, step, before, values):
    update = values[before.operands[1]]
    return update if list(update.shape) == list(a["slice_sizes"]) else None


@fault("dynamic_update_slice", "slice")
def whole_update_by_its_first_axis(a, b, x, step, before, values):
    update, whole = values[step.operands[1]], values[step.operands[0]]
    if update.ndim < 1 or update.shape[0] != whole.shape[0]:
        return None
    return np.resize(update, whole.shape)


@fault("dynamic_slice", "slice")
def wrapped_after_the_merge(a, b, x, step, before, values):
    if not a["allow_negative_indices"] or max(b["strides"]) > 1:
        return None
    starts = [n if n >= 0 else n + dim for n, dim in zip(map(int, a["start_indices"]), x.shape, strict=True)]
    return xla.dynamic_slice(x, np.array(starts) + starts_of(b), a["slice_sizes"])


@fault("slice", "dynamic_slice")
def static_slice_added_to_a_dynamic_one(a, b, x, step, before, values):
    if max(a["strides"]) > 1 or b["allow_negative_indices"]:
        return None
    sizes = np.subtract(a["limit_indices"], a["start_indices"])
    return xla.dynamic_slice(x, starts_of(b) + starts_of(a), sizes)


def pad_through_a_negative_slice(step, before, values):
    """slice(pad(x)) with strides of -1 becomes pad(slice(x)), whose edges are not exchanged."""
    args = step.args
    whole = args.get("begin_mask", 0) & args.get("end_mask", 0)
    negative = not any(isinstance(value, At) for value in args.values()) and set(args.get("strides", ())) == {-1}
    fits = (
        step.op == "tf.strided_slice"
        and before.op == "xla.pad"
        and not args["new_axis_mask"] | args["shrink_axis_mask"]
    )
    x = values[before.operands[0]]
    if not fits or not negative or whole != (1 << x.ndim) - 1:
        return None
    return xla.pad(xla.rev(x, range(x.ndim)), values[before.operands[1]], **before.args)


FAULTS["pad_through_a_negative_slice"] = pad_through_a_negative_slice
