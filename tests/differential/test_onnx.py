"""ONNX's Slice as three engines read it, against ssop.onnx.slice: results, shapes, refusals and the reasons given.

`spec` is ONNX's shape inference, with values from ONNX Runtime, whose sentinels among the ends are first moved by one.
"""

import functools
import random
import warnings

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import helper, numpy_helper
from onnx.backend.test.loader import load_model_tests
from onnx.reference import ReferenceEvaluator
from onnxruntime.capi import onnxruntime_pybind11_state as runtime

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
    same,
    wrong_reason,
)

CALLS = 10_000
FLOORS = {"accepted": 5000, "with elements": 3000, "refused": 1000}
PER_LABEL = 20
LISTS = ("starts", "ends", "axes", "steps")
DTYPES = tuple(map(np.dtype, ("f4", "i1", "i8", "f8", "?", "f2", "u2", "O")))
ENGINES = {"onnx": "spec", "onnx.reference": "reference", "onnxruntime": "ort"}
REFUSALS = (runtime.InvalidArgument, runtime.Fail, onnx.shape_inference.InferenceError)
NUMPY_REFUSALS = (IndexError, ValueError, TypeError)

# Each engine's own words, and the labels they stand for. ssop's message repeats them, for people search for them.
PHRASES = {
    "onnx": {
        r"Incorrect or missing input value for starts and ends": ("onx_c1",),
        r"Input axes has incorrect length": ("onx_c2",),
        r"Input steps has incorrect length": ("onx_c3",),
        r"Unexpected axis value: -?\d+\. Expected range \[-?\d+, \d+\)": ("onx_c4",),
        r"Axis \d+ is referred to more than once\.": ("onx_c5",),
        r"'step' cannot be 0 for Slice": ("onx_c6",),
    },
    "onnx.reference": {
        r"too many indices for array: array is \d+-dimensional, but \d+ were indexed": ("onr_c3",),
        r"list assignment index out of range": ("onr_c1",),
        r"slice step cannot be zero": ("onr_c2",),
    },
    "onnxruntime": {
        r"Cannot slice scalars": ("ort_c1",),
        r"Starts and ends shape mismatch": ("ort_c2",),
        r"Starts and axes shape mismatch": ("ort_c3",),
        r"Starts and steps shape mismatch": ("ort_c4",),
        r"'axes' has an axis outside of the tensor dimension count": ("ort_c5",),
        r"'axes' has duplicates": ("ort_c6",),
        r"'step' value cannot be 0": ("ort_c7",),
    },
}


def model(data, lists):
    """One Slice: `data` and the lists are names to value infos, or to tensors for constants."""
    infos = [info for info in (data, *lists.values()) if isinstance(info, onnx.ValueInfoProto)]
    tensors = [tensor for tensor in lists.values() if isinstance(tensor, onnx.TensorProto)]
    names = [name if name in lists else "" for name in LISTS]
    node = helper.make_node("Slice", ["data", *names], ["y"])
    y = helper.make_tensor_value_info("y", data.type.tensor_type.elem_type, None)
    graph = helper.make_graph([node], "slice", infos, [y], tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


@functools.cache
def open_model(dtype, index, names):
    """The model that takes everything at run time, of any shape."""
    number = helper.np_dtype_to_tensor_dtype
    data = helper.make_tensor_value_info("data", number(dtype), None)
    return model(data, {name: helper.make_tensor_value_info(name, number(index), None) for name in names})


@functools.cache
def evaluator(names):
    return ReferenceEvaluator(open_model(DTYPES[0], np.dtype("i8"), names))


@functools.cache
def session(dtype, index, names):
    content = open_model(dtype, index, names).SerializeToString()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])


def arrays_of(args):
    """The lists that are there, as arrays of one type."""
    index = next((a.dtype for a in args.values() if isinstance(a, np.ndarray)), np.dtype("i8"))
    return {name: np.array(value, index) for name, value in args.items() if value is not None}


def run_reference(x, **args):
    lists = arrays_of(args)
    return np.asarray(evaluator(tuple(lists)).run(None, {"data": x, **lists})[0], x.dtype)


def run_runtime(x, **args):
    lists = arrays_of(args)
    return session(x.dtype, lists["starts"].dtype, tuple(lists)).run(None, {"data": x, **lists})[0]


def inferred_shape(x, **args):
    """None where inference keeps silent."""
    data = helper.make_tensor_value_info("data", onnx.TensorProto.FLOAT, list(x.shape))
    constants = {name: numpy_helper.from_array(array, name) for name, array in arrays_of(args).items()}
    result = onnx.shape_inference.infer_shapes(model(data, constants), strict_mode=True)
    tensor = result.graph.output[0].type.tensor_type
    return tuple(dim.dim_value for dim in tensor.shape.dim) if tensor.HasField("shape") else None


def run_spec(x, **args):
    shape = inferred_shape(x, **args)
    if shape is None:
        assert x.ndim == 0 and len(args["starts"]) == 0
        return run_reference(x, **args)
    ends = arrays_of(args)["ends"]
    y = run_runtime(x, **args | {"ends": ends - np.isin(ends, (2**31 - 1, 2**63 - 1)).astype(ends.dtype)})
    assert y.shape == shape
    return y


THEIRS = {
    "onnx": (run_spec, REFUSALS),
    "onnx.reference": (run_reference, NUMPY_REFUSALS),
    "onnxruntime": (run_runtime, REFUSALS),
}


def judge(tallies, call):
    for engine, (run, refusals) in THEIRS.items():
        theirs = ask(run, call.arrays, call.args, refusals)
        ours = ask(ssop.onnx.slice, call.arrays, call.args | {"engine": ENGINES[engine]}, ssop.SliceError)
        tallies[engine].judge(call, theirs, ours, wrong_reason(PHRASES[engine], theirs, ours))


def random_step(rng, dim):
    return rng.choice(EXTREMES) if rng.random() < 0.05 else near(rng, dim) or 1


def sensible(rng, shape):
    """Distinct axes, all lists equally long; some of the optional ones left out."""
    axes = rng.sample(range(len(shape)), rng.randint(0, len(shape)))
    named = rng.random() < 0.7
    axes = axes if named else sorted(axes)[: rng.randint(0, len(axes))]
    dims = [shape[a] for a in axes] if named else shape[: len(axes)]
    args = {"starts": [bound(rng, d) for d in dims], "ends": [bound(rng, d) for d in dims], "axes": None, "steps": None}
    if named:
        args["axes"] = [a - len(shape) if rng.random() < 0.5 else a for a in axes]
    if rng.random() < 0.85:
        args["steps"] = [random_step(rng, d) for d in dims]
    return args


def contradictory(rng, shape):
    """A sensible call with one thing changed: an entry, a length, an axis, a step."""
    args = sensible(rng, shape)
    change = rng.randrange(3)
    if change == 0:
        return broken(rng, args, [name for name in LISTS if args[name] is not None])
    if change == 1 and args["axes"]:
        args["axes"][-1] = rng.choice((args["axes"][0], near(rng, len(shape))))
    elif args["steps"]:
        args["steps"][rng.randrange(len(args["steps"]))] = 0
    return args


def arbitrary(rng, shape):
    """Lists of lengths of their own, the optional ones there or not."""
    length = rng.randint(0, len(shape) + 1)
    args = {}
    for name in LISTS:
        n = length if rng.random() < 0.9 else rng.randint(0, 4)
        args[name] = [near(rng, len(shape)) if name == "axes" else bound(rng, 4) for _ in range(n)]
        if name in LISTS[2:] and rng.random() < 0.4:
            args[name] = None
    return args


def typed(rng, args):
    """The same lists as arrays of one type, where they fit."""
    dtype = np.iinfo(rng.choice((np.int32, np.int64)))
    if all(dtype.min <= v <= dtype.max for values in args.values() for v in values or ()):
        return {name: None if values is None else np.array(values, dtype.dtype) for name, values in args.items()}
    return args


def random_data(rng):
    shape, dtype = random_shape(rng), rng.choice(DTYPES)
    if dtype.hasobject:
        return random_array(rng, shape, np.dtype("i2")).astype("U").astype(object)
    return random_array(rng, shape, dtype)


def random_call(rng):
    x = random_data(rng)
    args = rng.choices((sensible, contradictory, arbitrary), (60, 25, 15))[0](rng, x.shape)
    return Call("onnx.slice", (x,), typed(rng, args) if rng.random() < 0.5 else args)


@pytest.fixture(scope="module")
def tallies(report):
    rng = random.Random(SEED)
    result = {engine: Tally(engine) for engine in ENGINES}
    for _ in range(CALLS):
        judge(result, random_call(rng))
    versions = f"onnx {onnx.__version__}, onnxruntime {onnxruntime.__version__}"
    for engine, tally in result.items():
        report(f"{versions}, numpy {np.__version__}, ssop {ssop.__version__}: {engine}: {tally}")
    return result


@pytest.fixture(params=ENGINES)
def tally(tallies, request):
    return tallies[request.param]


def test_no_unexplained_difference(tally):
    assert not tally.unexplained, f"{len(tally.unexplained)}\n" + "\n".join(tally.unexplained[:20])


def test_every_known_divergence_is_seen(tally):
    assert tally.unseen() == []


def test_enough_was_compared(tally):
    assert tally.compared >= CALLS and tally.below(FLOORS) == {}


def test_every_rule_is_broken(tally):
    assert tally.rarely_broken(PHRASES[tally.engine], PER_LABEL) == {}


def test_published_examples():
    """Those of the standard, which all three readings agree with."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # other operators' examples overflow as they are made
        cases = [case for case in load_model_tests(kind="node") if case.name.startswith("test_slice")]
    assert len(cases) >= 8
    for case in cases:
        for (x, *lists), (y,) in case.data_sets:
            names = [name for name in case.model.graph.node[0].input if name not in ("", "x")]
            args = dict(zip(names, lists, strict=True))
            for engine in ENGINES.values():
                assert same(ssop.onnx.slice(x, **args, engine=engine), y), (case.name, engine)
