"""Conversions on the engines: what `ssop.convert` writes gives NumPy's answer there, for every size, or its error."""

import random
from functools import cache

import numpy as np
import pytest

import ssop
from scale import examples
from ssop import SliceError
from ssop.testing.calls import Call
from ssop.testing.oracles import oracle
from unit.test_convert import draw_index

INDICES = 1_000
"""At full scale; SSOP_TEST_SCALE=10 is the campaign. Each is run on six shapes, if dims are unknown."""


def as_text(**names):
    """Runs the statements that `str()` gives in a program of the engine."""

    def run(conversion, x, made):
        scope = {"x": made(x), **names}
        exec(str(conversion), scope)
        return np.asarray(scope["y"])

    return run


def with_tensorflow(conversion, x):
    import tensorflow as tf

    return as_text(tf=tf)(conversion, x, tf.constant)


def with_torch(conversion, x):
    import torch

    return as_text(torch=torch)(conversion, x, torch.tensor)


def with_jax(conversion, x):
    import jax

    return as_text(jax=jax)(conversion, x, jax.numpy.asarray)


def with_openvino(conversion, x):
    import openvino
    from openvino import opset8

    class Vectors:
        """The functions of opset8, with lists as constants of int64."""

        def __getattr__(self, name):
            def call(node, **arguments):
                lists = ("begin", "end", "strides", "start", "stop", "step", "axes", "input_order")
                given = {key: np.array(v, np.int64) if key in lists else v for key, v in arguments.items()}
                return getattr(opset8, name)(node, **given)

            return call

    scope = {"x": opset8.parameter(openvino.PartialShape([-1] * x.ndim), np.float32), "opset8": Vectors()}
    exec(str(conversion), scope)
    model = openvino.Model([opset8.result(scope["y"])], [scope["x"]])
    return next(iter(compiled(model)([x]).values()))


def compiled(model):
    import openvino

    return openvino.compile_model(model, "CPU", {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32"})


def with_onnxruntime(conversion, x):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    content = conversion.to_onnx(x.dtype).SerializeToString()
    return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"]).run(None, {"x": x})[0]


def with_the_reference(conversion, x):
    from onnx.reference import ReferenceEvaluator

    return ReferenceEvaluator(conversion.to_onnx(x.dtype)).run(None, {"x": x})[0]


@cache
def litert():
    return oracle("litert")


@pytest.fixture(scope="module", autouse=True)
def a_child_that_starts_before_threads():
    litert()
    yield
    litert().close()


def with_litert(conversion, x):
    for call in conversion.calls:
        answer = litert().answer(Call(call.function, (x,), dict(call.given)))
        if answer.error is not None:
            raise answer.error
        x = answer.array
    return x


ENGINES = {
    "litert": ("tflite", with_litert, 0.5),
    "tensorflow": ("tf", with_tensorflow, 1),
    "torch": ("torch", with_torch, 1),
    "onnxruntime": ("onnx", with_onnxruntime, 1),
    "onnx.reference": ("onnx", with_the_reference, 0.5),
    "openvino": ("openvino", with_openvino, 0.1),
    "openvino Slice-8": ("openvino.slice", with_openvino, 0.1),
    "jax": ("xla", with_jax, 0.1),
}
"""The target, how its calls run, and the share of the indices: some engines compile each call."""

NEVER_WRITTEN = {"litert", "openvino", "openvino Slice-8"}
"""Engines that give memory which they never wrote where a dropped index is outside its axis; docs/engine-defects.md."""

SQUEEZES_TO_ZERO = "openvino Slice-8"
"""OpenVINO's Squeeze of an empty array gives 0 for other dims, too: (2, 0, 1) becomes (0, 0)."""


def answer_of(function, *arguments):
    """The result as an array, or None for an error."""
    try:
        return function(*arguments)
    except Exception as error:  # each engine has its own
        assert not isinstance(error, (NameError, SyntaxError, AttributeError)), error
        return None


def numpy_answer(index, x):
    return np.asarray(x[index])


@pytest.mark.parametrize("engine", ENGINES)
def test_conversions_of_plain_indices(engine, report):
    to, run, share = ENGINES[engine]
    rng = random.Random(20260101)
    indices = max(1, int(examples(INDICES) * share))
    equal = errors = refused = 0
    for _ in range(indices):
        rank = rng.randint(1, 3)
        index = draw_index(rng, rank)
        shape = [rng.randint(1, 6) if rng.random() < 0.5 else None for _ in range(rank)]
        try:
            conversion = ssop.convert(index, to, shape)
        except SliceError as error:
            assert error.label == "cv_c5" or (to == "xla" and error.label == "cv_c7"), (index, shape)
            refused += 1
            continue
        for _ in range(1 if None not in shape else 6):
            dims = [rng.randint(1, 9) if dim is None else dim for dim in shape]
            x = np.arange(np.prod(dims), dtype=np.float32).reshape(dims)
            wanted = answer_of(numpy_answer, index, x)
            if wanted is None and engine in NEVER_WRITTEN:
                continue
            got = answer_of(run, conversion, x)
            if wanted is None:
                assert got is None, (index, dims, str(conversion), got)
                errors += 1
            elif wanted.size == 0 and engine == SQUEEZES_TO_ZERO:
                assert got is not None and got.size == 0, (index, dims, str(conversion), got)
                equal += 1
            else:
                assert got is not None and got.shape == wanted.shape, (index, dims, str(conversion), got, wanted)
                np.testing.assert_array_equal(got, wanted, err_msg=str((index, dims, str(conversion))))
                equal += 1
    assert equal > indices / 2 and refused < indices * 0.8
    report(f"{engine}: {indices} indices, {equal} equal results, {errors} errors on both sides, {refused} refused")


@pytest.mark.parametrize("engine", [name for name in ENGINES if name != "litert"])
def test_conversions_of_permutations(engine, report):
    """Slices before and behind a permutation of axes; the harness of LiteRT runs slices only."""
    to, run, share = ENGINES[engine]
    rng = random.Random(20260102)
    equal = 0
    for _ in range(max(10, int(examples(100) * share))):
        rank = rng.randint(2, 3)
        axes = rng.sample(range(rank), rank)
        items = [rng.choice([np.s_[1:], np.s_[:-1], np.s_[::2], np.s_[::-1], np.s_[-2::-1]]) for _ in axes]
        shape = [rng.randint(3, 6) if rng.random() < 0.5 or to == "xla" else None for _ in axes]
        before, behind = tuple(items), rng.choice([0, slice(None, None, 2), None])
        index = [ssop.convert.Call("numpy.index", index=(*items,)) for items in (before, (behind,))]
        calls = [index[0], ssop.convert.Call("numpy.transpose", axes=axes), index[1]]
        conversion = ssop.convert(calls, to, shape)
        for _ in range(1 if None not in shape else 3):
            x = np.empty([rng.randint(3, 9) if dim is None else dim for dim in shape], np.float32)
            x[...] = np.arange(x.size).reshape(x.shape)
            wanted = x[before].transpose(axes)[behind]
            np.testing.assert_array_equal(run(conversion, x), wanted, err_msg=str((calls, conversion)))
            equal += wanted.size > 0
    assert equal >= 10
    report(f"{engine}: {equal} equal results of slices and permutations")


# ---- run-time values -------------------------------------------------------------------------------------------------


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


RUN_TIME = {
    "tensorflow": ("tf", run_time_tensorflow),
    "torch": ("torch", run_time_torch),
    "onnxruntime": ("onnx", run_time_onnxruntime),
    "onnx.reference": ("onnx", run_time_reference),
    "jax": ("xla", run_time_jax),
}


@pytest.mark.parametrize("engine", RUN_TIME)
def test_cv_s3_windows_with_run_time_starts(engine):
    """A window that XLA moves into the axis gives JAX's answer on every engine, whatever its starts are."""
    import jax

    window = jax.jit(lambda x, starts: jax.lax.dynamic_slice(x, starts, (2, 3), allow_negative_indices=False))
    to, run = RUN_TIME[engine]
    source = ssop.convert.Call("xla.dynamic_slice", start_indices=["i", "j"], slice_sizes=[2, 3])
    for shape in ([(2, 99), (3, 99)], [4, (3, None)], [3, 5]):
        conversion = ssop.convert(source, to, shape, check="runtime")
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


@pytest.mark.parametrize("engine", RUN_TIME)
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
