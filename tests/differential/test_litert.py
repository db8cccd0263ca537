"""LiteRT's STRIDED_SLICE and SLICE kernels against ssop.tflite: results, shapes, refusals and the reasons given.

The interpreter runs in a process of its own, lest it take the tests along. What is known to read or write outside its
memory is not sent: there ssop must refuse.
"""

import importlib.metadata
import random

import flatbuffers
import numpy as np
import pytest
from ai_edge_litert import interpreter
from ai_edge_litert import schema_py_generated as schema

import ssop
from differential.calls import (
    EXTREMES,
    SEED,
    Call,
    Tally,
    ask,
    bound,
    broken,
    near,
    random_array,
    random_shape,
    wrong_reason,
)
from differential.subprocess_calls import ProcessDied, SubprocessCall

CALLS = 10_000
FLOORS = {"accepted": 5000, "with elements": 2500, "by offset": 300, "refused": 800}
PER_LABEL = 10
VECTORS = ("begin", "end", "strides")
MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
ATTRIBUTES = {name: "".join([name.split("_")[0], *map(str.title, name.split("_")[1:])]) for name in (*MASKS, "offset")}
TYPES = {
    np.dtype(name): getattr(schema.TensorType, number)
    for name, number in {
        "f4": "FLOAT32",
        "f2": "FLOAT16",
        "f8": "FLOAT64",
        "i1": "INT8",
        "i2": "INT16",
        "i4": "INT32",
        "i8": "INT64",
        "u1": "UINT8",
        "?": "BOOL",
    }.items()
}
INT32 = np.iinfo(np.int32)
REFUSALS = (RuntimeError, ProcessDied)

# LiteRT's own words, and the labels they stand for. ssop's message repeats them, for people search for them.
PHRASES = {
    r"NumElements\(op_context\.begin\) != NumElements\(op_context\.end\) \(\d+ != \d+\)": ("tfl_c1",),
    r"StridedSlice op only supports up to 31 indices\.": ("tfl_c2",),
    r"stride value has to be non-zero": ("tfl_c5",),
    r"NumElements\(begin\) != NumElements\(size\) \(\d+ != \d+\)": ("tfs_c1",),
    r"NumElements\(begin\) != input_dims \(\d+ != \d+\)": ("tfs_c1",),
    r"Invalid begin\.": ("tfs_c2",),
    r"Invalid size\.": ("tfs_c3",),
    r"Invalid begin and size\.": ("tfs_c4",),
}


def model(op, x, vectors, constant, options):
    """A model of the one operation; its tensors are the input, the vectors and the result."""
    buffers = [schema.BufferT()]
    tensors = []
    for i, array in enumerate((x, *vectors, np.empty((), x.dtype))):
        tensor = schema.TensorT()
        tensor.name, tensor.type, tensor.shape, tensor.hasRank = f"t{i}", TYPES[array.dtype], list(array.shape), True
        if constant and 0 < i <= len(vectors):
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(array.tobytes(), np.uint8)
            tensor.buffer = len(buffers)
            buffers.append(buffer)
        tensors.append(tensor)
    operator, code, graph, result = schema.OperatorT(), schema.OperatorCodeT(), schema.SubGraphT(), schema.ModelT()
    last = len(tensors) - 1
    operator.inputs, operator.outputs = list(range(last)), [last]
    operator.builtinOptions = options
    operator.builtinOptionsType = getattr(schema.BuiltinOptions, type(options).__name__[:-1])
    code.builtinCode = code.deprecatedBuiltinCode = getattr(schema.BuiltinOperator, op)
    code.version = 8 if op == "STRIDED_SLICE" else 5
    graph.tensors, graph.operators = tensors, [operator]
    graph.inputs, graph.outputs = [0] if constant else operator.inputs, [last]
    result.version, result.subgraphs, result.operatorCodes, result.buffers = 3, [graph], [code], buffers
    builder = flatbuffers.Builder(1024)
    builder.Finish(result.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def run_model(op, how, x, vectors, options):
    constant = how != "run time"
    run = interpreter.Interpreter(
        model_content=model(op, x, vectors, constant, options),
        experimental_op_resolver_type=interpreter.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES,
    )
    run.allocate_tensors()
    for i, array in enumerate((x,) if constant else (x, *vectors)):
        run.set_tensor(i, np.array(array, order="C"))
    run.invoke()
    details = run.get_output_details()[0]
    shape = tuple(details["shape"])
    return run.get_tensor(details["index"]) if np.prod(shape) else np.empty(shape, x.dtype)


def vector(values):
    return values if isinstance(values, np.ndarray) else np.array(values, np.int32)


def run_litert(op, how, x, args):
    """Without the ellipsis and new-axis bits past the spec, which ssop ignores, unless those are asked for."""
    if op == "slice":
        return run_model("SLICE", how, x, [vector(args["begin"]), vector(args["size"])], schema.SliceOptionsT())
    if how != "spare bits":
        bits = (1 << len(args["begin"])) - 1
        args = args | {name: args[name] & bits for name in MASKS}
    options = schema.StridedSliceOptionsT()
    for name, attribute in ATTRIBUTES.items():
        setattr(options, attribute, args[name])
    return run_model("STRIDED_SLICE", how, x, [vector(args[name]) for name in VECTORS], options)


engine = SubprocessCall(run_litert)


def judge(tally, call):
    ours = ask(getattr(ssop.tflite, call.op), call.arrays, call.args, ssop.SliceError)
    if tally.too_dangerous(call):
        if ours.error is None:
            tally.unexplained.append(f"{call}\n  not sent to LiteRT\n  ssop: {ours}")
        return
    theirs = ask(engine, (call.op, call.how, *call.arrays, call.args), {}, REFUSALS)
    tally.judge(call, theirs, ours, wrong_reason(PHRASES, theirs, ours))
    tally.counts["by offset"] += ours.error is None and call.args.get("offset", False)


def limit(rng, dim):
    return max(INT32.min, min(INT32.max, bound(rng, dim)))


def random_stride(rng, dim):
    return max(INT32.min, min(INT32.max, rng.choice(EXTREMES))) if rng.random() < 0.04 else near(rng, dim) or 1


def sensible(rng, shape):
    """A spec as one would write it: slices, indices, new axes and at most one ellipsis, mostly inside their axes."""
    kinds = ["axis"] * rng.randint(0, len(shape))
    for kind in rng.choice(((), ("ellipsis",))) + ("new",) * rng.choice((0, 0, 1, 2)):
        kinds.insert(rng.randint(0, len(kinds)), kind)
    before = kinds.index("ellipsis") if "ellipsis" in kinds else len(kinds)
    left, right = kinds[:before].count("axis"), kinds[before:].count("axis")
    dims = iter(shape[:left] + shape[len(shape) - right :])
    args = {name: [] for name in VECTORS} | dict.fromkeys(MASKS, 0) | {"offset": False}
    for i, kind in enumerate(kinds):
        dim = next(dims) if kind == "axis" else rng.randint(0, 6)
        entry = [limit(rng, dim), limit(rng, dim), random_stride(rng, dim)]
        bits = [mask for mask in MASKS[:2] if rng.random() < 0.3]
        if kind != "axis":
            bits.append({"new": "new_axis_mask", "ellipsis": "ellipsis_mask"}[kind])
            entry[2] = rng.randint(-2, 2)
        elif dim and rng.random() < 0.3:
            bits.append("shrink_axis_mask")
            entry = [rng.randint(-dim - 2, dim - 1), entry[1], rng.randint(1, 2)]
        for name, value in zip(VECTORS, entry, strict=True):
            args[name].append(value)
        for mask in bits:
            args[mask] |= 1 << i
    return args


def contradictory(rng, shape):
    """A sensible spec with one thing changed: a mask, a stride, a bound, a length."""
    args = sensible(rng, shape)
    change = rng.randrange(4)
    if change == 0:
        args = broken(rng, args, VECTORS)
        return args | {name: [max(INT32.min, min(INT32.max, v)) for v in args[name]] for name in VECTORS}
    if change == 1 and args["strides"]:
        args["strides"][rng.randrange(len(args["strides"]))] = 0
    elif change == 2:
        args[rng.choice(MASKS)] ^= 1 << rng.randint(0, 5)
    else:
        shrunk = [i for i in range(len(args["begin"])) if args["shrink_axis_mask"] >> i & 1]
        for i in shrunk:
            args["begin"][i], args["strides"][i] = limit(rng, 4), rng.choice((1, 1, -1))
    return args


def arbitrary(rng, shape):
    """Anything the op's signature lets through; entries beyond the rank are common."""
    length = rng.randint(0, len(shape) + 2) if rng.random() < 0.95 else rng.randint(30, 33)
    dims = (list(shape) + [3] * length)[:length]
    args = {name: [limit(rng, d) for d in dims] for name in VECTORS[:2]}
    args["strides"] = [random_stride(rng, d) for d in dims]
    bits = min(length + 1, 31)
    args |= {mask: rng.getrandbits(bits) & rng.getrandbits(bits) for mask in MASKS}
    if rng.random() < 0.7:
        args["ellipsis_mask"] = rng.choice((0, 1 << rng.randrange(bits)))
    if length > 8 and rng.random() < 0.5:
        args["new_axis_mask"] = INT32.max
    return args | {"offset": False}


def with_offset(rng, shape):
    """An entry per axis, whose window mostly stays inside its axis; masks of the bounds and of shrinking only."""
    args = {name: [] for name in VECTORS} | dict.fromkeys(MASKS, 0) | {"offset": True}
    for i, dim in enumerate(shape):
        stride = rng.choice((1, 1, 2, 3, -1, -2))
        begin = limit(rng, dim) if rng.random() < 0.3 or not dim else rng.randint(-dim, dim - 1)
        at = begin + dim if begin < 0 else begin
        room = dim - at if stride > 0 else -at - 1
        end = rng.choice((room, limit(rng, dim), rng.randint(min(room, 0), max(room, 0))))
        for name, value in zip(VECTORS, (begin, min(end, INT32.max - dim), stride), strict=True):  # begin + end fits
            args[name].append(value)
        for mask in (*MASKS[:2], "shrink_axis_mask"):
            args[mask] |= (rng.random() < 0.12) << i
    if rng.random() < 0.08:
        args[rng.choice(MASKS[2:4])] |= 1 << rng.randint(0, len(shape))
    if rng.random() < 0.05:
        for name in VECTORS:
            args[name] = args[name][1:]
    return args


def random_slice(rng, shape):
    """A begin and a size per axis: legal, or with one entry changed."""
    begin = [rng.randint(0, dim) for dim in shape]
    size = [rng.choice((-1, *range(dim - first + 1))) for dim, first in zip(shape, begin, strict=True)]
    args = {"begin": begin, "size": size}
    if rng.random() < 0.4:
        args = broken(rng, args, ("begin", "size"))
    wide = rng.random() < 0.5
    for name, values in args.items():
        args[name] = np.array(values if wide else [max(INT32.min, min(INT32.max, v)) for v in values])
        args[name] = args[name].astype(np.int64 if wide else np.int32)
    return args


def random_call(rng):
    x = random_array(rng, random_shape(rng), rng.choice(tuple(TYPES)))
    how = rng.choice(("constant", "run time"))
    if rng.random() < 0.25:
        return Call("slice", (x,), random_slice(rng, x.shape), how)
    args = rng.choices((sensible, contradictory, arbitrary, with_offset), (40, 20, 20, 20))[0](rng, x.shape)
    return Call("strided_slice", (x,), args, how)


def probes():
    """One call or more for each known divergence, and for each kind of call that is not sent."""

    def spec(shape, begin, end, strides, offset=False, **masks):
        args = {"begin": begin, "end": end, "strides": strides, "offset": offset, **dict.fromkeys(MASKS, 0), **masks}
        return Call("strided_slice", (np.arange(np.prod(shape)).reshape(shape),), args, "constant")

    args = {"begin": [0], "end": [2], "strides": [1], "offset": False, **dict.fromkeys(MASKS, 0), "new_axis_mask": 6}
    yield Call("strided_slice", (np.arange(12).reshape(3, 4),), args, "spare bits")
    yield spec((2, 3, 4), [0, 0, 1], [0, 0, 2], [1, 1, 1], ellipsis_mask=3)
    yield spec((2, 2), [0] * 31, [1] * 31, [1] * 31, new_axis_mask=INT32.max)
    yield spec((4,), [0], [2], [1, 1])
    yield spec((4,), [4], [0], [1], shrink_axis_mask=1)
    yield spec((4,), [1], [0], [-1], shrink_axis_mask=1)
    yield spec((4,), [0], [2], [INT32.min])
    yield spec((4, 4), [9, 0], [0, 2], [1, 0], shrink_axis_mask=1)
    yield spec((4,), *np.array([[1], [2], [1]], np.int64))
    yield spec((3, 4), [0, 1], [2, 3], [1])
    yield spec((3, 4), [0, 1, 0, 0], [2, 3, 1, 1], [1] * 4, new_axis_mask=8)
    yield spec((3, 4), [1], [1], [1], offset=True)
    yield spec((4,), [1], [-2], [1], offset=True)


@pytest.fixture(scope="module")
def tally(report):
    rng = random.Random(SEED)
    result = Tally("litert")
    while result.compared < CALLS:
        judge(result, random_call(rng))
    for call in probes():
        judge(result, call)
    engine.close()
    version = importlib.metadata.version("ai-edge-litert")
    report(f"ai-edge-litert {version}, numpy {np.__version__}, ssop {ssop.__version__}, {result}")
    return result


def test_no_unexplained_difference(tally):
    assert not tally.unexplained, f"{len(tally.unexplained)}\n" + "\n".join(tally.unexplained[:20])


def test_every_known_divergence_is_seen(tally):
    assert tally.unseen() == []


def test_enough_was_compared(tally):
    assert tally.compared >= CALLS and tally.below(FLOORS) == {}


def test_every_rule_is_broken(tally):
    assert tally.rarely_broken(PHRASES, PER_LABEL) == {}
