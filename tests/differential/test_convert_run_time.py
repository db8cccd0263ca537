"""Conversions with values that are known at run time, on the engines."""

import numpy as np
import pytest

import ssop
from differential.conversion_engines import openvino
from ssop import SliceError


def run_time_tensorflow(conversion, x, u=None, **values):
    import tensorflow as tf

    scope = {"x": tf.constant(x), "u": None if u is None else tf.constant(u), "tf": tf}
    scope |= {name: tf.constant(value, tf.int64) for name, value in values.items()}
    exec(str(conversion), scope)
    return np.asarray(scope["y"])


def run_time_torch(conversion, x, u=None, **values):
    import torch

    scope = {"x": torch.tensor(x), "u": None if u is None else torch.tensor(u), **values}
    exec(str(conversion), scope)
    return np.asarray(scope["y"])


def run_time_jax(conversion, x, u=None, **values):
    import jax

    def program(x, u, **values):
        scope = {"jax": jax, "x": x, "u": u, **values}
        exec(str(conversion), scope)
        return scope["y"]

    return np.asarray(jax.jit(program)(x, u, **{name: np.int32(value) for name, value in values.items()}))


def given_to_onnx(x, u, values):
    return {"x": x, **({} if u is None else {"u": u}), **{name: np.array(v, np.int64) for name, v in values.items()}}


def run_time_onnxruntime(conversion, x, u=None, **values):
    import onnxruntime

    session = onnxruntime.InferenceSession(
        conversion.to_onnx(x.dtype).SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return session.run(None, given_to_onnx(x, u, values))[0]


def run_time_reference(conversion, x, u=None, **values):
    from onnx.reference import ReferenceEvaluator

    return ReferenceEvaluator(conversion.to_onnx(x.dtype)).run(None, given_to_onnx(x, u, values))[0]


def names_of(conversion):
    return sorted({name for call in conversion.calls for name in call._names})


def dims_of(conversion):
    """Those of a model of an engine that distinguishes known dims from others (None)."""
    return [dim.least if dim.known else None for dim in conversion.shape.lengths]


def once(build):
    """Runs conversions by a function that makes a model; the same one is made once."""
    made = {}

    def run(conversion, x, **values):
        key = str(conversion), conversion.shape, x.dtype
        if key not in made:
            made[key] = build(conversion, x)
        return made[key](x, **values)

    return run


def openvino_model(conversion, x):
    dims = [-1 if dim is None else dim for dim in dims_of(conversion)]
    return openvino(conversion, x, names_of(conversion), dims)


def litert_model(conversion, x):
    """A function of arrays and values: TensorFlow's converter makes the model, its interpreter runs it."""
    import tensorflow as tf
    from ai_edge_litert.interpreter import Interpreter, OpResolverType

    names = names_of(conversion)

    def program(x, *values):
        scope = {"x": x, "tf": tf, **dict(zip(names, values, strict=True))}
        exec(str(conversion), scope)
        return scope["y"]

    specs = [tf.TensorSpec(dims_of(conversion), x.dtype, "x"), *(tf.TensorSpec([], tf.int64, name) for name in names)]
    function = tf.function(program, input_signature=specs)
    made = tf.lite.TFLiteConverter.from_concrete_functions([function.get_concrete_function()], tf.Module())
    resolver = OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
    interpreter = Interpreter(model_content=made.convert(), experimental_op_resolver_type=resolver)
    inputs = interpreter.get_input_details()
    places = {
        details["name"].removeprefix("serving_default_").partition(":")[0]: details["index"] for details in inputs
    }
    (output,) = (details["index"] for details in interpreter.get_output_details())

    def run(x, **values):
        interpreter.resize_tensor_input(places["x"], x.shape)
        interpreter.allocate_tensors()
        interpreter.set_tensor(places["x"], x)
        for name in names:
            interpreter.set_tensor(places[name], np.array(values[name], np.int64))
        interpreter.invoke()
        (details,) = interpreter.get_output_details()
        shape = tuple(map(int, details["shape"]))
        return interpreter.get_tensor(output) if np.prod(shape) else np.empty(shape, x.dtype)

    return run


RUN_TIME = {
    "tensorflow": ("tf", run_time_tensorflow),
    "torch": ("torch", run_time_torch),
    "onnxruntime": ("onnx", run_time_onnxruntime),
    "onnx.reference": ("onnx", run_time_reference),
    "jax": ("xla", run_time_jax),
    "openvino": ("openvino", once(openvino_model)),
    "openvino Slice-8": ("openvino.slice", once(openvino_model)),
    "litert": ("tflite", once(litert_model)),
}
UPDATES = [engine for engine, (to, _) in RUN_TIME.items() if to in ("tf", "torch", "onnx", "xla")]
STRIDED = [engine for engine, (to, _) in RUN_TIME.items() if to not in ("torch", "xla")]
"""Engines whose slices have all kinds of bounds at run time."""


def of_names(call, **assumed):
    """What is assumed of the values that a call has."""
    return {name: bounds for name, bounds in assumed.items() if name in call._names}


IN_INT32 = {"i": (-(2**31), 2**31 - 1), "j": (-(2**31), 2**31 - 1)}
"""OpenVINO reads no others, and jax.jit is given no others here."""
LEAST, MOST = -(2**31), 2**31 - 6
"""Sums are in int32, too: LiteRT slices by int32, and OpenVINO cuts its inputs to it (docs/engine-defects.md)."""
BOUNDS = {
    "a slice of four": (np.s_["i":"i + 4"], LEAST),
    "the rest": (np.s_["i":], LEAST),
    "the first ones": (np.s_[:"i"], LEAST),
    "backwards": (np.s_["i + 4"::-1], -5),  # before the axis, some engines take element 0
    "every other": (np.s_["i":"j":2], LEAST),
    "two axes": (np.s_["i":"i + 4", "j":], LEAST),
    "an element": (np.s_["i", 1:], -1),
}


@pytest.mark.parametrize("engine", STRIDED)
@pytest.mark.parametrize("name", BOUNDS)
def test_cv_s3_bounds_that_are_values(engine, name):
    """For dims that are known and others, each engine gives what the index gives here, whatever the values are."""
    to, run = RUN_TIME[engine]
    index, least = BOUNDS[name]
    source = ssop.convert.Call("numpy.index", index=index)
    assumed = of_names(source, i=(least, MOST), j=(LEAST, MOST))
    compared = 0
    for shape in ([None, None], [(3, 9), "n"], [4, 5]):
        conversion = ssop.convert(source, to, shape, assume=assumed)
        for dims in [(4, 5)] if shape == [4, 5] else [(4, 5), (3, 7), (9, 1)]:
            x = np.arange(np.prod(dims), dtype=np.float32).reshape(dims)
            for i, j in [(0, 0), (1, 4), (-1, -1), (-9, 9), (3, 2), (LEAST, MOST), (MOST, LEAST)]:
                values = {key: value for key, value in (("i", max(i, least)), ("j", j)) if key in source._names}
                try:
                    wanted = source(x, **values)
                except SliceError:
                    continue  # of an element outside the axis, engines give memory that they never wrote
                np.testing.assert_array_equal(run(conversion, x, **values), wanted, err_msg=f"{conversion} {values}")
                compared += 1
    assert compared >= 20


STRIDES = {
    "of either sign": (np.s_[1:"i":"s"], (-9, 9)),
    "backwards": (np.s_[3:0:"s"], (-9, -1)),
    "of all elements": (np.s_[::"s"], (1, 9)),
    "with a new axis and an element": (np.s_[None, "i":7:"s", 1], (1, 9)),
}


@pytest.mark.parametrize("engine", [*STRIDED, "torch"])
@pytest.mark.parametrize("name", STRIDES)
def test_cv_s3_strides_that_are_values(engine, name):
    (to, run), (index, bounds) = RUN_TIME[engine], STRIDES[name]
    if engine == "torch" and bounds[0] < 0:
        with pytest.raises(ssop.ConversionError, match="the nearest is equal if"):
            ssop.convert(index, to, [None, 3], assume={"s": bounds})
        return
    source = ssop.convert.Call("numpy.index", index=index)
    conversion = ssop.convert(source, to, [None, 3], assume=of_names(source, s=bounds, i=(-9, 9)))
    for length in (1, 4, 9):
        x = np.arange(length * 3, dtype=np.float32).reshape(length, 3)
        for s, i in [(1, 0), (2, 4), (3, -2), (9, 2), (-1, 0), (-2, -9), (-4, 9)]:
            if bounds[0] <= s <= bounds[1]:
                values = {key: value for key, value in (("i", i), ("s", s)) if key in source._names}
                np.testing.assert_array_equal(run(conversion, x, **values), source(x, **values), err_msg=str(values))


WIDE = [2**32 + 1, 2**63 - 1, -(2**32) + 2, 2**31]
"""Values that OpenVINO's CPU plugin cuts to 1, -1, 2 and -2^31 (docs/engine-defects.md)."""


@pytest.mark.parametrize("engine", ["openvino", "openvino Slice-8"])
@pytest.mark.parametrize("clamped", [False, True])
def test_cv_s3_values_that_openvino_cuts_are_outside_the_precondition(engine, clamped):
    """What is assumed of a value is needed: the plugin gives another answer beyond, also behind a clamp."""
    to, run = RUN_TIME[engine]
    source = ssop.convert.Call("xla.dynamic_slice", start_indices=["i"], slice_sizes=[2]) if clamped else np.s_["i":]
    with pytest.raises(ssop.ConversionError) as info:
        ssop.convert(source, to, [(2, None)], check="runtime" if clamped else None)
    assert info.value.precondition == {"i": (-(2**31), 2**31 - 1)} and info.value.values == {"i": 2**31}
    assumed = info.value.precondition
    conversion = ssop.convert(source, to, [(2, None)], assume=assumed, check="runtime" if clamped else None)
    x, wrong = np.arange(6, dtype=np.float32), 0
    for i in (0, 1, -1, 9, *assumed["i"]):
        np.testing.assert_array_equal(run(conversion, x, i=i), conversion(x, i=i), err_msg=str(i))
    for i in WIDE:
        got, wanted = run(conversion, x, i=i), conversion(x, i=i)
        wrong += got.shape != wanted.shape or not np.array_equal(got, wanted)
    assert wrong >= 3


@pytest.mark.parametrize("engine", RUN_TIME)
def test_cv_s3_windows_with_run_time_starts(engine):
    """A window that XLA moves into the axis gives JAX's answer on every engine, whatever its starts are."""
    import jax

    window = jax.jit(lambda x, starts: jax.lax.dynamic_slice(x, starts, (2, 3), allow_negative_indices=False))
    to, run = RUN_TIME[engine]
    source = ssop.convert.Call("xla.dynamic_slice", start_indices=["i", "j"], slice_sizes=[2, 3])
    for shape in ([(2, 99), (3, 99)], [4, (3, None)], [3, 5]):
        conversion = ssop.convert(source, to, shape, assume=IN_INT32, check="runtime")
        for rows, columns in [(4, 3), (4, 7), (3, 5)]:
            dims = [dim if isinstance(dim, int) else given for dim, given in zip(shape, (rows, columns), strict=True)]
            x = np.arange(np.prod(dims), dtype=np.float32).reshape(dims)
            for i, j in [(0, 0), (1, 9), (-3, 2), (2**31 - 1, -(2**31)), (2, 1)]:
                wanted = window(x, (np.int32(i), np.int32(j)))
                np.testing.assert_array_equal(run(conversion, x, i=i, j=j), wanted, err_msg=f"{conversion} {i} {j}")
                np.testing.assert_array_equal(conversion(x, i=i, j=j), wanted)


def test_cv_s3_an_unclamped_window_differs_where_the_error_says_so():
    """The counterexample of the error, on ONNX Runtime and JAX."""
    import jax

    source = ssop.convert.Call("xla.dynamic_slice", start_indices=["i"], slice_sizes=[4])
    with pytest.raises(ssop.ConversionError) as info:
        ssop.convert(source, "onnx", [(4, 99)])
    (dim,), i = info.value.counterexample, info.value.values["i"]
    x = np.arange(dim, dtype=np.float32)
    unclamped = ssop.convert(source, "onnx", [(4, 99)], assume=info.value.precondition)
    wanted = jax.lax.dynamic_slice(x, (i,), (4,), allow_negative_indices=False)
    assert run_time_onnxruntime(unclamped, x, i=i).shape != wanted.shape


@pytest.mark.parametrize("engine", UPDATES)
def test_cv_s4_updates(engine):
    """Every engine gives what JAX's dynamic_update_slice gives, with run-time starts and with constants."""
    import jax

    update = jax.jit(lambda x, u, starts: jax.lax.dynamic_update_slice(x, u, starts, allow_negative_indices=False))
    to, run = RUN_TIME[engine]
    u = np.array([[-1, -2, -3], [-4, -5, -6]], np.float32)
    for shape in ([(2, 99), (3, 99)], [4, 5]):
        source = ssop.convert.Call("xla.dynamic_update_slice", start_indices=["i", "j"], update_shape=[2, 3])
        conversion = ssop.convert(source, to, shape, check="runtime")
        x = np.arange(20, dtype=np.float32).reshape(4, 5)
        for i, j in [(0, 0), (1, 9), (-3, 2), (2**31 - 1, -(2**31)), (2, 1)]:
            wanted = update(x, u, (np.int32(i), np.int32(j)))
            np.testing.assert_array_equal(run(conversion, x, u, i=i, j=j), wanted, err_msg=f"{conversion} {i} {j}")
            np.testing.assert_array_equal(conversion(x, u, i=i, j=j), wanted)
            constants = ssop.convert.Call("xla.dynamic_update_slice", start_indices=[i, j], update_shape=[2, 3])
            static = ssop.convert(constants, to, [4, 5])
            np.testing.assert_array_equal(run(static, x, u), wanted, err_msg=f"{static}")


CALLS = {
    "window": (ssop.convert.Call("xla.dynamic_slice", start_indices=["i", "j"], slice_sizes=[2, 3]), {"i": 9, "j": -2}),
    "update": (ssop.convert.Call("xla.dynamic_update_slice", start_indices=["i", 1], update_shape=[2, 3]), {"i": 9}),
    "slice": (np.s_[1:, ::-2, None], {}),
    "element": (np.s_[-1, 1:], {}),
    "nothing": (np.s_[:], {}),
}


@pytest.mark.parametrize("name", CALLS)
def test_cv_s5_stablehlo_programs_and_functions_of_tensorflow(name):
    """XLA and our evaluator run the program, TensorFlow the function; all give what the conversion gives here."""
    import jax
    import tensorflow as tf
    from jaxlib import _jax

    source, values = CALLS[name]
    x = np.arange(20, dtype=np.float32).reshape(4, 5)
    arrays = (x, np.array([[-1, -2, -3], [-4, -5, -6]], np.float32)) if name == "update" else (x,)
    conversion = ssop.convert(source, "xla", [4, 5])
    wanted = conversion(*arrays, **values)
    given = (*arrays, *(np.array(values[key], np.int64) for key in sorted(values)))
    np.testing.assert_array_equal(ssop.stablehlo.run(conversion.to_stablehlo(), *given), wanted)
    client = jax.devices("cpu")[0].client
    options = jax._src.compiler.get_compile_options(1, 1)
    program = client.compile_and_load(conversion.to_stablehlo(), _jax.DeviceList((jax.devices("cpu")[0],)), options)
    with jax.enable_x64(True):
        buffers = [jax.device_put(array) for array in given]
    (shards,) = program.execute_sharded(buffers).disassemble_into_single_device_arrays()
    np.testing.assert_array_equal(shards[0], wanted)
    function = ssop.convert(source, "tf", [4, (3, None)], check="runtime").to_tf()
    np.testing.assert_array_equal(function(*map(tf.constant, arrays), **values), wanted)
