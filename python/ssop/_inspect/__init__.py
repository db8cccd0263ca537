"""`ssop.inspect`: the slices of model files, what they do in each engine, and what is known to go wrong with them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

from ssop._sequences import plain

if TYPE_CHECKING:
    from ssop._inspect.comparison import Comparison
    from ssop._inspect.inspection import Inspection

Format: TypeAlias = Literal["onnx", "tflite", "stablehlo", "tensorflow", "openvino"]
Profile: TypeAlias = Literal[
    "tflite-gpu", "xnnpack", "tflm", "ort", "ort-web", "tensorrt", "openvino", "coreml", "opencv"
]


class _Inspect:
    """The slices of a model: what each takes, whether all engines agree on it, and its hazards (im_s1).

    Parameters
    ----------
    model : a path, the bytes of a file, the text of a StableHLO program, or an object of the format's library
        ONNX, TFLite, StableHLO (text or bytecode), TensorFlow (SavedModel or GraphDef) or OpenVINO IR.
    second : another model, optional
        The converted one, the optimized one, or an export with other sizes. The slices of both are paired by their
        names, else by their order, and each pair is proved equal, different or unknown (im_s2).
    format : "onnx", "tflite", "stablehlo", "tensorflow" or "openvino", optional
        That of `model`. Without it, the name and the first bytes of the file decide.
    target : "tflite-gpu", "xnnpack", "tflm", "ort", "ort-web", "tensorrt", "openvino", "coreml" or "opencv", optional
        An engine; what it rejects is a hazard, too.
    silent : hazards that are not wanted, by name or label
    any_dim : whether a dim that is not known may be 2**31 or more
    only : the name of the one node that is wanted, also with its graph before it, "main/crop", or that of its result

    Returns
    -------
    ssop.inspect.Inspection : `str()` is a table; `.nodes`, `.findings`, `.to_dict()`, `.to_sarif()`, `.to_svg()`
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
    >>> ssop.inspect(b"no model")
    Traceback (most recent call last):
    ssop.SliceValueError: inspect: the bytes: the format is not known: give it as `format` [im_c1]
    """

    __module__ = "ssop"

    @overload
    def __call__(
        self,
        model: Any,
        second: None = None,
        *,
        format: Format | None = None,
        target: Profile | None = None,
        silent: Collection[str] = (),
        any_dim: bool = False,
        only: str | None = None,
    ) -> Inspection: ...

    @overload
    def __call__(self, model: Any, second: Any, *, format: Format | None = None) -> Comparison: ...

    def __call__(
        self,
        model: Any,
        second: Any = None,
        *,
        format: Format | None = None,
        target: Profile | None = None,
        silent: Collection[str] = (),
        any_dim: bool = False,
        only: str | None = None,
    ) -> Inspection | Comparison:
        from ssop._inspect.inspection import check_options, inspected
        from ssop._inspect.readers import read

        silent = plain(silent)
        check_options(silent, target, any_dim, only, single=second is None)
        if second is not None:
            from ssop._inspect.comparison import compared

            return compared(read(model, format), read(second))
        return inspected(read(model, format), silent=silent, target=target, any_dim=any_dim, only=only)

    def node(
        self, text: str, *, target: Profile | None = None, silent: Collection[str] = (), any_dim: bool = False
    ) -> Inspection:
        """The same of one node that is given as text, as it stands in a thread or a log.

        Parameters
        ----------
        text : a call such as "Slice(starts=[0], ends=[-1])", or the line of a graph
            Lines of StableHLO, and of TensorFlow's and TFLite's dialects of MLIR. ONNX's text form, such as
            "y = Slice (x, starts, ends)". What torch prints of a graph. A NodeDef or a NodeProto. Properties as
            viewers show them, one in a line, with "type: Slice".
        target, silent, any_dim : as for `ssop.inspect`

        Returns
        -------
        ssop.inspect.Inspection

        Raises
        ------
        SliceValueError : text that may mean several nodes, or none; the message says what is missing (im_c3)
        ImportError : the package that reads the form is not installed: jaxlib, onnx or tensorflow

        Source: ours.

        Examples
        --------
        >>> import ssop
        >>> one = ssop.inspect.node("Slice(starts=[-1], ends=[0], axes=[0])").nodes[0]
        >>> one.index, one.findings[0].hazard
        ('x[-1:0]', 'zero-end')
        """
        from ssop._inspect.pasted import model_of_node

        return self(model_of_node(text), target=target, silent=silent, any_dim=any_dim)

    if TYPE_CHECKING:
        Comparison = Comparison
        Inspection = Inspection
    else:

        @property
        def Comparison(self):
            from ssop._inspect.comparison import Comparison

            return Comparison

        @property
        def Inspection(self):
            from ssop._inspect.inspection import Inspection

            return Inspection


inspect = _Inspect()
