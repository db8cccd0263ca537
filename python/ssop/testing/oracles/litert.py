"""LiteRT (TensorFlow Lite): the interpreter's own kernels, without delegates."""

# mypy: disable-error-code="import-not-found,import-untyped,no-untyped-call,unused-ignore"

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from ssop.testing.calls import Answer, Array, Call, Rejection
from ssop.testing.calls.call import array_text, value_text
from ssop.testing.calls.specs import MASKS, VECTORS, tflite_slice, tflite_strided_slice
from ssop.testing.oracles.interface import Oracle

ATTRIBUTES = {name: "".join([name.split("_")[0], *map(str.title, name.split("_")[1:])]) for name in (*MASKS, "offset")}
TYPES = {
    np.dtype(name): number
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


class LiteRT(Oracle):
    """STRIDED_SLICE and SLICE, whose vectors are constants of the model or given at run time."""

    name = "litert"
    modules = ("ai_edge_litert", "flatbuffers")
    distributions = ("ai-edge-litert",)
    ops = {"tflite.strided_slice": (3, tflite_strided_slice), "tflite.slice": (1, tflite_slice)}
    phrases = {
        r"NumElements\(op_context\.begin\) != NumElements\(op_context\.end\) \(\d+ != \d+\)": ("tfl_c1",),
        r"StridedSlice op only supports up to 31 indices\.": ("tfl_c2",),
        r"stride value has to be non-zero": ("tfl_c5",),
        r"NumElements\(begin\) != NumElements\(size\) \(\d+ != \d+\)": ("tfs_c1",),
        r"NumElements\(begin\) != input_dims \(\d+ != \d+\)": ("tfs_c1",),
        r"Invalid begin\.": ("tfs_c2",),
        r"Invalid size\.": ("tfs_c3",),
        r"Invalid begin and size\.": ("tfs_c4",),
    }
    limits = "calls that read or write outside its memory are not sent: there ssop must reject"

    def load(self) -> None:
        import flatbuffers
        from ai_edge_litert import interpreter
        from ai_edge_litert import schema_py_generated as schema

        self.builder: Any = flatbuffers.Builder
        self.interpreter: Any = interpreter
        self.schema: Any = schema

    def run(self, call: Call) -> Array:
        """Without the ellipsis and new-axis bits past the spec, which ssop ignores, unless those are asked for."""
        model, vectors = self.built(call)
        try:
            return self.interpreted(model, call, vectors)
        except RuntimeError as error:
            raise Rejection("RuntimeError", str(error)) from None

    def built(self, call: Call) -> tuple[bytes, list[Array]]:
        """The model, and the vectors that it is given at run time."""
        args, schema = call.args, self.schema
        names = ("begin", "size") if call.name == "slice" else VECTORS
        if call.name == "slice":
            op, options = "SLICE", schema.SliceOptionsT()
        else:
            op, options = "STRIDED_SLICE", schema.StridedSliceOptionsT()
            bits = (1 << len(args["begin"])) - 1
            for name, attribute in ATTRIBUTES.items():
                value = args.get(name, 0)
                setattr(options, attribute, value & bits if name in MASKS and call.how != "spare bits" else value)
        vectors = [args[n] if isinstance(args[n], np.ndarray) else np.array(args[n], np.int32) for n in names]
        return self.model(op, call, vectors, options), vectors

    def code(self, call: Call) -> str:
        """With the model as it is stored, and what it has in a comment."""
        self.load()
        model, vectors = self.built(call)
        packed = base64.b64encode(zlib.compress(model, 9)).decode()
        given = {name: value for name, value in call.args.items() if not name.endswith("_mask") or value}
        arrays = [call.arrays[0], *(vectors if call.how == "run time" else [])]
        lines = [
            "import base64, zlib, numpy as np",
            "from ai_edge_litert.interpreter import Interpreter, OpResolverType",
            f"# {call.name} of an input of shape {tuple(map(int, call.arrays[0].shape))}: "
            + ", ".join(f"{name} {value_text(value)}" for name, value in given.items()),
            f"model = zlib.decompress(base64.b64decode({packed!r}))",
            "resolver = OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES",
            "run = Interpreter(model_content=model, experimental_op_resolver_type=resolver)",
            "run.allocate_tensors()",
            *(f"run.set_tensor({i}, {array_text(array)})" for i, array in enumerate(arrays)),
            "run.invoke()",
            "details = run.get_output_details()[0]",
            "print(details['shape'], run.get_tensor(details['index']) if np.prod(details['shape']) else '')",
        ]
        return "\n".join(lines)

    def interpreted(self, model: bytes, call: Call, vectors: list[Array]) -> Array:
        """What the model gives."""
        resolver = self.interpreter.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
        run = self.interpreter.Interpreter(model_content=model, experimental_op_resolver_type=resolver)
        run.allocate_tensors()
        (x,) = call.arrays
        for i, array in enumerate((x, *vectors) if call.how == "run time" else (x,)):
            run.set_tensor(i, np.array(array, order="C"))
        run.invoke()
        details = run.get_output_details()[0]
        shape = tuple(map(int, details["shape"]))
        result: Array = run.get_tensor(details["index"]) if np.prod(shape) else np.empty(shape, x.dtype)
        return result

    def model(self, op: str, call: Call, vectors: list[Array], options: Any) -> bytes:
        """A model of the one operation; its tensors are the input, the vectors and the result."""
        schema, (x,) = self.schema, call.arrays
        constant = call.how != "run time"
        buffers, tensors = [schema.BufferT()], []
        for i, array in enumerate((x, *vectors, np.empty((), x.dtype))):
            tensor = schema.TensorT()
            tensor.name, tensor.shape, tensor.hasRank = f"t{i}", list(array.shape), True
            tensor.type = getattr(schema.TensorType, TYPES[array.dtype])
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
        builder = self.builder(1024)
        builder.Finish(result.Pack(builder), b"TFL3")
        return bytes(builder.Output())

    def counted(self, call: Call, ours: Answer) -> Iterator[str]:
        if ours.error is None and call.args.get("offset"):
            yield "by offset"
