"""`ssop.inspect`: the slices of model files, what they do in each engine, and what is known to go wrong with them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from ssop._inspect.inspection import Inspection

Format: TypeAlias = Literal["onnx", "tflite", "stablehlo", "tensorflow", "openvino"]
Profile: TypeAlias = Literal[
    "tflite-gpu", "xnnpack", "tflm", "ort", "ort-web", "tensorrt", "openvino", "coreml", "opencv"
]


def inspect(
    model: Any,
    *,
    format: Format | None = None,
    target: Profile | None = None,
    silent: Collection[str] = (),
    any_dim: bool = False,
    only: str | None = None,
) -> Inspection:
    """The slices of a model: what each takes, whether all engines agree on it, and its hazards (im_s1).

    Parameters
    ----------
    model : a path, the bytes of a file, the text of a StableHLO program, or an object of the format's library
        ONNX, TFLite, StableHLO (text or bytecode), TensorFlow (SavedModel or GraphDef) or OpenVINO IR.
    format : "onnx", "tflite", "stablehlo", "tensorflow" or "openvino", optional
        Without it, the name and the first bytes of the file decide.
    target : "tflite-gpu", "xnnpack", "tflm", "ort", "ort-web", "tensorrt", "openvino", "coreml" or "opencv", optional
        An engine; what it rejects is a hazard, too.
    silent : hazards that are not wanted, by name or label
    any_dim : whether a dim that is not known may be 2**31 or more
    only : the name of the one node that is wanted

    Returns
    -------
    ssop.inspect.Inspection : `str()` is a table; `.nodes`, `.findings`, `.to_dict()`, `.to_sarif()`

    Raises
    ------
    SliceValueError : a file that is no model, or a damaged one (im_c1), or an unknown format, target, hazard or node
        (im_c2)
    ImportError : the package that reads the format is not installed
    OSError : the file cannot be read

    Weights and external data are not read, and nothing of the model is run. Equality is proved as by `ssop.convert`,
    for every shape that the model allows. Source: the rules of each engine in SPEC.md.

    Examples
    --------
    >>> import ssop
    >>> program = '''
    ... func.func @main(%x: tensor<4x8xf32>) -> tensor<4x3xf32> {
    ...   %y = stablehlo.slice %x [0:4, 1:7:2] : (tensor<4x8xf32>) -> tensor<4x3xf32>
    ...   return %y : tensor<4x3xf32>
    ... }'''
    >>> ssop.inspect(program).nodes[0].index  # doctest: +SKIP
    'x[:, 1:7:2]'
    """
    from ssop._inspect.inspection import inspected
    from ssop._inspect.readers import read

    return inspected(read(model, format), silent=silent, target=target, any_dim=any_dim, only=only)
