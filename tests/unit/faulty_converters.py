"""A converter of `ssop.convert.Call`s to functions, with mistakes in its rewritings that can be switched on by name."""

import os
import time

import numpy as np

import ssop

Call = ssop.convert.Call

FAULTS = (
    "forgets the last call", "no clamp", "starts of windows added", "reverse of a pad keeps the sides",
    "inverse permutation", "a slice of the whole axis ignores its strides", "end is one too far",
    "begin_mask ignored", "end 0 of a negative begin is masked", "pad moved behind a slice",
    "rev of all axes", "dtype lost", "interior of a pad ignored", "limits are sizes",
)  # fmt: skip


def convert(calls, dims, dtype, fault=None):
    """A function that does what the calls say, but for the fault."""
    if fault == "forgets the last call":
        calls = calls[:-1]
    if fault == "refuses":
        raise NotImplementedError("not today")
    if fault == "exits":
        os._exit(3)
    if fault == "hangs":
        time.sleep(60)
    if fault == "gives no model":
        return 5
    calls = list(rewritten(calls, fault))

    def run(x):
        for call in calls:
            x = changed(call, x, fault)(x)
        return x.astype(np.float64) if fault == "dtype lost" else x

    return run


convert.takes = "calls"


def rewritten(calls, fault):
    """The calls, of which pairs are exchanged or merged."""
    calls = list(calls)
    while calls:
        one, two = calls[0], calls[1] if len(calls) > 1 else None
        pair = (one.function, two.function if two else "")
        if fault == "starts of windows added" and pair == ("xla.dynamic_slice",) * 2:
            pairs = zip(one.arguments["start_indices"], two.arguments["start_indices"], strict=True)
            starts = [a + b for a, b in pairs]
            yield Call("xla.dynamic_slice", start_indices=starts, slice_sizes=two.arguments["slice_sizes"])
            del calls[:2]
        elif fault == "reverse of a pad keeps the sides" and pair == ("xla.pad", "xla.rev"):
            yield two
            yield one
            del calls[:2]
        elif fault == "pad moved behind a slice" and pair == ("xla.slice", "xla.pad"):
            yield Call("xla.slice", **{**one.given, "start_indices": [0] * len(one.arguments["start_indices"])})
            yield two
            del calls[:2]
        else:
            yield calls.pop(0)


def changed(call, x, fault):
    """The call, or what the fault makes of it, on an operand like x."""
    args, name = dict(call.given), call.function
    if fault == "no clamp" and name == "xla.dynamic_slice":
        pairs = zip(args["start_indices"], args["slice_sizes"], strict=True)
        return lambda x: x[tuple(slice(start, start + size) for start, size in pairs)].copy()
    if fault == "inverse permutation" and name.endswith("transpose"):
        key = next(key for key in ("perm", "permutation", "axes") if key in call.arguments)
        if call.arguments[key] is not None:
            return Call(name, **{key: np.argsort(call.arguments[key]).tolist()})
    if fault == "a slice of the whole axis ignores its strides" and name == "xla.slice":
        if tuple(args["limit_indices"]) == x.shape and not any(args["start_indices"]):
            return Call(name, **{key: value for key, value in args.items() if key != "strides"})
    if fault == "end is one too far" and name == "onnx.slice":
        return Call(name, **{**args, "ends": [end + 1 if 0 <= end < 100 else end for end in args["ends"]]})
    if fault == "begin_mask ignored" and name == "tf.strided_slice":
        return Call(name, **{**args, "begin_mask": 0})
    if fault == "end 0 of a negative begin is masked" and name == "tf.strided_slice":
        bits = (1 << i for i, (b, e) in enumerate(zip(args["begin"], args["end"], strict=True)) if b < 0 and e == 0)
        mask = args.get("end_mask", 0)
        for bit in bits:
            mask |= bit
        return Call(name, **{**args, "end_mask": mask})
    if fault == "rev of all axes" and name == "xla.rev":
        return Call(name, dimensions=range(x.ndim))
    if fault == "interior of a pad ignored" and name == "xla.pad":
        return Call(name, **{**args, "padding_config": [(low, high, 0) for low, high, _ in args["padding_config"]]})
    if fault == "limits are sizes" and name == "xla.slice":
        limits = [a + b for a, b in zip(args["start_indices"], args["limit_indices"], strict=True)]
        limits = [min(limit, dim) for limit, dim in zip(limits, x.shape, strict=True)]
        return Call(name, **{**args, "limit_indices": limits})
    return call
