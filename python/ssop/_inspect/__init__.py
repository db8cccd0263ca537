"""`ssop.inspect`: the slices of model files, what they do in each engine, and what is known to go wrong with them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

if TYPE_CHECKING:
    from ssop._inspect.comparison import Comparison
    from ssop._inspect.inspection import Inspection

Format: TypeAlias = Literal["onnx", "tflite", "stablehlo", "tensorflow", "openvino"]
Profile: TypeAlias = Literal[
    "tflite-gpu", "xnnpack", "tflm", "ort", "ort-web", "tensorrt", "openvino", "coreml", "opencv"
]


@overload
def inspect(
    model: Any,
    other: None = None,
    *,
    format: Format | None = None,
    target: Profile | None = None,
    silent: Collection[str] = (),
    any_dim: bool = False,
    only: str | None = None,
) -> Inspection: ...


@overload
def inspect(model: Any, other: Any, *, format: Format | None = None) -> Comparison: ...


def inspect(
    model: Any,
    other: Any = None,
    *,
    format: Format | None = None,
    target: Profile | None = None,
    silent: Collection[str] = (),
    any_dim: bool = False,
    only: str | None = None,
) -> Inspection | Comparison:
    """The slices of a model: what each takes, whether all engines agree on it, and its hazards (im_s1).

    Parameters
    ----------
    model : a path, the bytes of a file, the text of a StableHLO program, or an object of the format's library
        ONNX, TFLite, StableHLO (text or bytecode), TensorFlow (SavedModel or GraphDef) or OpenVINO IR.
    other : a second model, optional
        The converted one, the optimized one, or an export with other sizes. The slices of both are paired by their
        names, else by their order, and each pair is proved equal, different or unknown (im_s2).
    format : "onnx", "tflite", "stablehlo", "tensorflow" or "openvino", optional
        That of `model`. Without it, the name and the first bytes of the file decide.
    target : "tflite-gpu", "xnnpack", "tflm", "ort", "ort-web", "tensorrt", "openvino", "coreml" or "opencv", optional
        An engine; what it rejects is a hazard, too.
    silent : hazards that are not wanted, by name or label
    any_dim : whether a dim that is not known may be 2**31 or more
    only : the name of the one node that is wanted

    Returns
    -------
    ssop.inspect.Inspection : `str()` is a table; `.nodes`, `.findings`, `.to_dict()`, `.to_sarif()`
    ssop.inspect.Comparison : of two models; `.pairs`, and `.snippets(pair)`, programs that show a difference

    Raises
    ------
    SliceValueError : a file that is no model, or a damaged one (im_c1), an unknown format, target, hazard or node, or
        an option that two models do not have (im_c2)
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
    from ssop._inspect.inspection import check_options, inspected
    from ssop._inspect.readers import read

    check_options(silent, target, any_dim, only, single=other is None)
    if other is not None:
        from ssop._inspect.comparison import compared

        return compared(read(model, format), read(other))
    return inspected(read(model, format), silent=silent, target=target, any_dim=any_dim, only=only)
