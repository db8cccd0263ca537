"""The real engines behind one interface: `oracle("tensorflow").answer(call)`.

Engines that can crash answer in a child process, and a crash is an answer. An engine is imported when it is first
asked, in the process that answers; `ORACLES` lists all of them, installed or not.
"""

from __future__ import annotations

from ssop.testing.oracles.child import Isolated
from ssop.testing.oracles.interface import IsolatedOracle, Oracle
from ssop.testing.oracles.jax import JAX, JAXOps
from ssop.testing.oracles.litert import LiteRT
from ssop.testing.oracles.numpy_indexing import NumPy
from ssop.testing.oracles.onnx import ONNX, ONNXReference, ONNXRuntime
from ssop.testing.oracles.openvino import OpenVINO
from ssop.testing.oracles.reference import Reference
from ssop.testing.oracles.shapes_onnx import ONNXShapes
from ssop.testing.oracles.shapes_openvino import OpenVINOShapes
from ssop.testing.oracles.shapes_reference import ReferenceShapes
from ssop.testing.oracles.shapes_tensorflow import TensorFlowShapes
from ssop.testing.oracles.tensorflow import TensorFlow, TensorFlowGraph, TensorFlowJit
from ssop.testing.oracles.torch import Torch

__all__ = ["ORACLES", "SHAPE_ORACLES", "Isolated", "IsolatedOracle", "NotInstalled", "Oracle", "oracle"]

ORACLES: dict[str, type[Oracle]] = {
    kind.name: kind
    for kind in (
        NumPy, Reference, TensorFlow, TensorFlowGraph, TensorFlowJit, LiteRT, OpenVINO, ONNX, ONNXReference,
        ONNXRuntime, JAX, JAXOps, Torch,
    )
}  # fmt: skip
"""Every engine that runs calls, by its name."""

SHAPE_ORACLES: dict[str, type[Oracle]] = {
    kind.name: kind for kind in (ReferenceShapes, TensorFlowShapes, OpenVINOShapes, ONNXShapes)
}
"""Every engine that infers shapes of what is known in part, by its name."""


class NotInstalled(ValueError):
    """The engine cannot be imported; the message says how to get it."""


def oracle(name: str, what: str = "values") -> Oracle:
    """The engine of this name, in a child process of its own if it can crash; `close()` ends that.

    With what="shape", it is the shape inference of that engine, which is asked with a `ShapeCall`.

    ValueError for an unknown name, and `NotInstalled`, a ValueError too, for an engine that is not installed.

    >>> import numpy as np
    >>> from ssop.testing.calls import Call
    >>> call = Call("tf.strided_slice", (np.arange(5),), {"begin": [4], "end": [1], "strides": [-2]})
    >>> print(oracle("numpy").answer(call), "|", oracle("reference").answer(call))
    int64 (2,) [4 2] | int64 (2,) [4 2]
    """
    table = SHAPE_ORACLES if what == "shape" else ORACLES
    if name not in table:
        fault = f"the oracle {name} infers no shapes" if name in ORACLES else f"no oracle {name!r}"
        raise ValueError(f"{fault}; there are {', '.join(table)}")
    kind = table[name]
    if not kind.installed():
        packages = " ".join(kind.distributions[:1] if name.startswith("tensorflow") else kind.distributions)
        raise NotInstalled(f"the oracle {name} needs {packages}: pip install {packages}")
    return IsolatedOracle(kind) if kind.can_crash else kind()
