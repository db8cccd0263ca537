"""Models of one slice that the frameworks' exporters make, and the engines that run them, node by node."""

import io
import warnings
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from functools import cache, cached_property
from typing import Any, NamedTuple

import hypothesis
import numpy as np
from hypothesis import strategies as st

import ssop
from ssop._masks import MASK_NAMES
from ssop.testing import strategies


class Case(NamedTuple):
    """A slice that is legal on the first of the shapes; the model is made for all shapes with the dims."""

    kind: str
    entries: Sequence[strategies.Entry]
    window: tuple[Sequence[int], Sequence[int]]
    axes: Sequence[int]
    dims: tuple[int | None, ...]
    shapes: list[tuple[int, ...]]

    @property
    def index(self):
        return strategies.as_index(self.entries)

    @property
    def slice(self):
        """What tells it from other cases."""
        taken = {"index": self.index, "masks": self.entries, "flip": self.axes, "reverse": self.axes, "rev": self.axes}
        return self.kind, str(taken.get(self.kind, self.window)), len(self.dims)


@st.composite
def cases(draw, kinds):
    shape = tuple(draw(st.lists(st.integers(1, 6), min_size=1, max_size=3)))
    known = draw(st.lists(st.booleans(), min_size=len(shape), max_size=len(shape)))
    dims = tuple(dim if fixed and axis else None for axis, (dim, fixed) in enumerate(zip(shape, known, strict=True)))
    sizes = st.sampled_from((*range(10), *range(1, 5)))
    others = [tuple(draw(sizes) if dim is None else dim for dim in dims) for _ in range(2)]
    axes = draw(st.sets(st.integers(0, len(shape) - 1), min_size=1))
    window = draw(strategies.dynamic_slices(shape))
    return Case(draw(st.sampled_from(kinds)), draw(strategies.entries(shape)), window, sorted(axes), dims,
                [shape, *others])  # fmt: skip


def drawn(kinds, count, seed):
    """At most `count` cases with different slices, always the same for a seed."""
    found = {}

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=4 * count,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(cases(kinds))
    def collect(case):
        if case.entries:
            found.setdefault(case.slice, case)

    collect()
    return list(found.values())[:count]


def operand(dims):
    return np.arange(np.prod(dims), dtype=np.float32).reshape(dims)


class Model:
    """A model, and the engines that run it, by their names in a report of `ssop.inspect`."""

    source: Any
    engines: tuple[str, ...]

    @cached_property
    def inspection(self):
        return ssop.inspect(self.source)

    def operand(self, node, x):
        """What the node takes when the model is given x."""
        raise NotImplementedError

    def run(self, engine, node, x):
        """What the node gives then. Raises the engine's error; `NotRun` if the engine does not run such a node."""
        raise NotImplementedError


class NotRun(Exception):
    """The engine has no such node, or its converter made another of it."""


class NotExported(Exception):
    """The exporter does not take the slice."""


@contextmanager
def exporting():
    """Errors of an exporter, which are of many classes, become `NotExported`; its warnings are nobody's here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield
        except Exception as error:
            raise NotExported from error


# ---- ONNX ----------------------------------------------------------------------------------------------------------


class OnnxModel(Model):
    engines = ("onnx.reference", "ONNX Runtime", "OpenVINO")

    def __init__(self, content):
        import onnx

        self.source = content
        whole = onnx.load_from_string(content)
        self.input = whole.graph.input[0].name
        named = {info.name for infos in (whole.graph.value_info, whole.graph.output) for info in infos}
        results = {name for node in whole.graph.node for name in node.output if name}
        whole.graph.value_info.extend(onnx.ValueInfoProto(name=name) for name in sorted(results - named))
        self.extractor = onnx.utils.Extractor(whole)
        self.built = {}

    def operand(self, node, x):
        return x if node.operand == self.input else self._result("onnx.reference", node.operand, x)

    def run(self, engine, node, x):
        return self._result(engine, node.result, x)

    def _result(self, engine, name, x):
        if (engine, name) not in self.built:
            content = self.extractor.extract_model([self.input], [name]).SerializeToString()
            self.built[engine, name] = ONNX_ENGINES[engine](content, self.input)
        return self.built[engine, name](x)


def onnx_reference(content, name):
    import onnx
    from onnx.reference import ReferenceEvaluator

    evaluator = ReferenceEvaluator(onnx.load_from_string(content))
    return lambda x: evaluator.run(None, {name: x})[0]


def onnxruntime(content, name):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    return lambda x: session.run(None, {name: x})[0]


@cache
def core():
    import openvino

    return openvino.Core()


def openvino_model(model):
    options = {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32"}
    compiled = core().compile_model(model, "CPU", options)
    return lambda x: compiled([x])[0].copy()


ONNX_ENGINES = {
    "onnx.reference": onnx_reference,
    "ONNX Runtime": onnxruntime,
    "OpenVINO": lambda content, _: openvino_model(core().read_model(content)),
}


def torch_module(case):
    import torch

    functions = {
        "index": lambda x: x[case.index],
        "flip": lambda x: torch.flip(x, case.axes),
        "narrow": lambda x: torch.narrow(x, 0, case.window[0][0], case.window[1][0]),
    }

    class Slice(torch.nn.Module):
        def forward(self, x):
            return functions[case.kind](x)

    return Slice(), (torch.zeros(case.shapes[0]),)


def by_torch(case, dynamo):
    import torch

    if case.kind == "index" and any(entry.stride < 0 for entry in case.entries if entry.kind == "range"):
        raise NotExported
    unknown = [axis for axis, dim in enumerate(case.dims) if dim is None]
    names, content = {"input_names": ["x"], "output_names": ["y"]}, io.BytesIO()
    with exporting():
        if dynamo:
            names["dynamic_shapes"] = {"x": {axis: torch.export.Dim.AUTO for axis in unknown}}
            made = torch.onnx.export(*torch_module(case), dynamo=True, verbose=False, **names)
            return OnnxModel(made.model_proto.SerializeToString())
        names["dynamic_axes"] = {"x": unknown}
        torch.onnx.export(*torch_module(case), content, dynamo=False, opset_version=17, **names)
        return OnnxModel(content.getvalue())


# ---- TensorFlow, and the converters that take its functions --------------------------------------------------------


def tf_function(case):
    import tensorflow as tf

    spec = strategies.encode(case.entries)
    functions = {
        "index": lambda x: x[case.index],
        "masks": lambda x: tf.raw_ops.StridedSlice(
            input=x, begin=spec.begin, end=spec.end, strides=spec.strides,
            **{name: getattr(spec, name) for name in MASK_NAMES},
        ),
        "reverse": lambda x: tf.reverse(x, case.axes),
        "slice": lambda x: tf.slice(x, *map(list, case.window)),
    }  # fmt: skip
    signature = [tf.TensorSpec(case.dims, tf.float32, name="x")]
    function = tf.function(lambda x: tf.identity(functions[case.kind](x)), input_signature=signature, autograph=False)
    with exporting():
        function.get_concrete_function()
    return function


def by_tf2onnx(case):
    import tf2onnx

    function = tf_function(case)
    with exporting():
        made, _ = tf2onnx.convert.from_function(function, function.input_signature, opset=17)
        return OnnxModel(made.SerializeToString())


def litert(content):
    from ai_edge_litert.interpreter import Interpreter, OpResolverType

    kernels = OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES  # XNNPACK's own Slice clamps instead of an error
    interpreter = Interpreter(model_content=content, num_threads=1, experimental_op_resolver_type=kernels)
    given = interpreter.get_input_details()[0]["index"]

    def run(x):
        interpreter.resize_tensor_input(given, x.shape)
        interpreter.allocate_tensors()
        interpreter.set_tensor(given, x)
        interpreter.invoke()
        return interpreter.get_tensor(interpreter.get_output_details()[0]["index"]).copy()

    return run


def tflite_content(function):
    import tensorflow as tf

    with exporting():
        return tf.lite.TFLiteConverter.from_concrete_functions([function.get_concrete_function()]).convert()


class OneNode(Model):
    """A model whose only node takes the input and gives the result; `runners` make a function of arrays of the node."""

    def __init__(self, source, runners, input_="x", result=None):
        self.source, self.runners, self.engines = source, runners, tuple(runners)
        self.built = {}
        nodes = [one.node for one in self.inspection.nodes]
        if any(node.operand != input_ or node.result != (result or node.result) for node in nodes):
            raise NotExported  # other operators stand before or behind it

    def operand(self, node, x):
        return x

    def run(self, engine, node, x):
        if engine not in self.built:
            try:
                self.built[engine] = self.runners[engine](node)
            except (NotExported, NotRun):
                self.built[engine] = None
        if self.built[engine] is None:
            raise NotRun
        return self.built[engine](x)


def by_tflite_converter(case, _):
    from ai_edge_litert.interpreter import Interpreter

    content = tflite_content(tf_function(case))
    whole = Interpreter(model_content=content)
    names = (whole.get_input_details()[0]["name"], whole.get_output_details()[0]["name"])
    return OneNode(content, {"LiteRT": lambda _: litert(content), "TensorFlow": tensorflow_call}, *names)


def tensorflow_call(node):
    """The operator of a TFLite node with the same numbers in TensorFlow."""
    import tensorflow as tf

    (call,) = node.calls
    operators = {
        "tflite.strided_slice": (tf.raw_ops.StridedSlice, "input"),
        "tflite.slice": (tf.raw_ops.Slice, "input"),
        "tflite.reverse_v2": (tf.raw_ops.ReverseV2, "tensor"),
    }
    if call.function not in operators:
        raise NotRun
    operator, name = operators[call.function]
    lists = {key: list(value) if isinstance(value, tuple) else value for key, value in call.arguments.items()}
    return lambda x: operator(**{name: x}, **lists).numpy()


def by_tensorflow(case, folder):
    import tensorflow as tf

    function, module = tf_function(case), tf.Module()
    module.slice = function
    tf.saved_model.save(module, str(folder), signatures=function)
    runners = {
        "TensorFlow": lambda _: lambda x: function(x).numpy(),
        "LiteRT": lambda node: litert(with_the_numbers_of(node, tflite_content(function))),
        "OpenVINO": lambda _: openvino_model(openvino_content(function, case)),
    }
    return OneNode(folder, runners)


def with_the_numbers_of(node, content):
    """The model of the TFLite converter, if it wrote a strided slice as it was."""
    (call,) = node.calls
    found = [one.node.calls for one in ssop.inspect(content).nodes]
    if call.function == "tf.strided_slice" and [[dict(one.arguments) for one in calls] for calls in found] != [
        [dict(call.arguments)]
    ]:
        raise NotRun
    return content


def openvino_content(function, case):
    import openvino

    shape = openvino.PartialShape([-1 if dim is None else dim for dim in case.dims])
    with exporting():
        return openvino.convert_model(function, input=[shape])


# ---- OpenVINO ------------------------------------------------------------------------------------------------------


class OpenVINOModel(Model):
    engines = ("OpenVINO's CPU plugin",)

    def __init__(self, case, folder):
        import openvino

        openvino.save_model(openvino_content(tf_function(case), case), folder / "model.xml")
        self.source = folder / "model.xml"

    def operand(self, node, x):
        return x if node.operand == "x" else self._result(node.operand, x)

    def run(self, engine, node, x):
        return self._result(node.result, x)

    def _result(self, name, x):
        import openvino

        whole = core().read_model(self.source)
        made = next((one for one in whole.get_ops() if one.get_friendly_name() == name.partition(":")[0]), None)
        if made is None:
            raise NotRun
        return openvino_model(openvino.Model([made.output(0)], whole.get_parameters()))(x)


# ---- StableHLO -----------------------------------------------------------------------------------------------------


class StableHLOModel(Model):
    """A program for one shape, which is what JAX makes of most slices: it computes bounds from dims that it knows."""

    engines = ("XLA",)

    def __init__(self, case, shape):
        import jax

        starts, sizes = case.window
        function = {
            "index": lambda x: x[case.index],
            "rev": lambda x: jax.lax.rev(x, case.axes),
            "window": lambda x: jax.lax.dynamic_slice(x, starts, sizes),
        }[case.kind]
        with exporting():
            self.exported = jax.export.export(jax.jit(function))(jax.ShapeDtypeStruct(shape, np.float32))
        self.source, self.text = self.exported.mlir_module_serialized, self.exported.mlir_module()

    def operand(self, node, x):
        """By the calls of the nodes before it, if each takes what the one before gives."""
        nodes = [one.node for one in self.inspection.nodes]
        name = nodes[0].operand
        for one in nodes[: nodes.index(node)]:
            if one.operand != name:
                raise NotRun
            for call in one.calls:
                x = ssop.convert.Call(call.function, **call.arguments)(x)
            name = one.result
        if node.operand != name:
            raise NotRun
        return x

    def run(self, engine, node, x):
        if f"return {node.result} :" not in self.text:
            raise NotRun
        return np.asarray(self.exported.call(x))


class Exporter(NamedTuple):
    kinds: Sequence[str]
    make: Callable[..., Model]
    """Of a case and an empty folder; for a program of one shape, of the case and that shape."""
    share: int
    """Of 300 models."""
    one_shape: bool = False

    def models(self, case, folder):
        """The models of a case, each with the shapes that it is run on."""
        if self.one_shape:
            return [(self.make(case, shape), [shape]) for shape in case.shapes]
        return [(self.make(case, folder), case.shapes)]


TORCH, TENSORFLOW = ("index", "index", "flip", "narrow"), ("index", "masks", "reverse", "slice")
EXPORTERS = {
    "torch.onnx, dynamo=False": Exporter(TORCH, lambda case, _: by_torch(case, False), 60),
    "torch.onnx, dynamo=True": Exporter(TORCH, lambda case, _: by_torch(case, True), 30),
    "tf2onnx": Exporter(TENSORFLOW, lambda case, _: by_tf2onnx(case), 50),
    "the TFLite converter": Exporter(TENSORFLOW, by_tflite_converter, 60),
    "tf.saved_model": Exporter(TENSORFLOW, by_tensorflow, 40),
    "OpenVINO's converter": Exporter(TENSORFLOW, OpenVINOModel, 40),
    "jax.export": Exporter(("index", "index", "rev", "window"), StableHLOModel, 20, one_shape=True),
}
