"""How many calls each engine is compared on, in the tests and in docs/differential.md."""

from typing import NamedTuple


class Figure(NamedTuple):
    """A run of `difftest`: an engine, the number of calls, the operations (None: all), and what is compared."""

    oracle: str
    cases: int
    op: list[str] | None = None
    what: str = "values"


CHAINS = {"jax-jit": 1000, "jax": 500, "tensorflow": 500, "openvino": 1000, "ort": 2000, "torch": 200}
"""How many programs of 2 to 4 operations each engine compiles for docs/differential.md."""

UPDATES = ["tf.strided_slice_grad", "tf.tensor_strided_slice_update", "tf.slice"]
FIGURES = {
    "tensorflow": Figure("tensorflow", 26_000, ["tf.strided_slice"]),
    "tensorflow-updates": Figure("tensorflow", 3000, UPDATES),
    "tensorflow-graph": Figure("tensorflow-graph", 8000),
    "tensorflow-jit": Figure("tensorflow-jit", 500),
    "litert": Figure("litert", 10_000),
    "openvino": Figure("openvino", 15_000),
    "onnx": Figure("onnx", 10_000),
    "onnx.reference": Figure("onnx.reference", 15_000),
    "onnxruntime": Figure("onnxruntime", 10_000),
    "jax": Figure("jax", 5000),
    "jax-ops": Figure("jax-ops", 3500),
    "torch": Figure("torch", 5000),
    "tensorflow-shapes": Figure("tensorflow", 7000, None, "shape"),
    "openvino-shapes": Figure("openvino", 5000, None, "shape"),
    "onnx-shapes": Figure("onnx", 5000, None, "shape"),
}
