"""Nodes that are pasted as text: a call such as `Slice(starts=[0], ends=[-1])`, or what pasted_models.py reads."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import NamedTuple

from ssop._errors import kind_of
from ssop._inspect.limits import MAX_INTEGERS
from ssop._inspect.pasted_models import MAX_CALL_LENGTH, MAX_TEXT_LENGTH, as_call, model_of_text, unclear
from ssop._inspect.records import NEGATIVE_DIM, PASTED, Argument, Dim, Model, NodeCall, RunTime, SliceNode

MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
INT64_MAX = 2**63 - 1

CONSTANTS = {
    "INT64_MAX": INT64_MAX,
    "INT64_MIN": -(2**63),
    "INT32_MAX": 2**31 - 1,
    "INT32_MIN": -(2**31),
    "INT_MAX": 2**31 - 1,
    "LLONG_MAX": INT64_MAX,
    "maxsize": INT64_MAX,
    "true": 1,
    "false": 0,
}
"""Names of integers that snippets have."""


class Form(NamedTuple):
    """How the call of an operator is read."""

    format: str
    function: str
    """In the words of `records.NodeCall`."""
    required: tuple[str, ...]
    optional: tuple[str, ...] = ()

    @property
    def parameters(self) -> tuple[str, ...]:
        return (*self.required, *self.optional)


_STRIDED = ("begin", "end", "strides")
_FORMS: dict[str, Form] = {
    "onnx.slice": Form("onnx", "onnx.slice", ("starts", "ends"), ("axes", "steps")),
    "onnx.gather": Form("onnx", "onnx.gather", ("indices",), ("axis",)),
    "onnx.squeeze": Form("onnx", "onnx.squeeze", ("axes",)),
    "onnx.unsqueeze": Form("onnx", "onnx.unsqueeze", ("axes",)),
    "onnx.pad": Form("onnx", "onnx.pad", ("pads",), ("axes", "mode")),
    "tf.strided_slice": Form("tensorflow", "tf.strided_slice", ("begin", "end"), ("strides", *MASKS)),
    "tf.slice": Form("tensorflow", "tf.slice", ("begin", "size")),
    "tf.gather": Form("tensorflow", "tf.gather_v2", ("indices",), ("axis",)),
    "tf.reverse": Form("tensorflow", "tf.reverse_v2", ("axis",)),
    "tf.pad": Form("tensorflow", "tf.pad", ("paddings",), ("mode",)),
    "tflite.strided_slice": Form("tflite", "tflite.strided_slice", ("begin", "end"), ("strides", *MASKS, "offset")),
    "tflite.slice": Form("tflite", "tflite.slice", ("begin", "size")),
    "tflite.gather": Form("tflite", "tflite.gather", ("indices",), ("axis",)),
    "tflite.reverse": Form("tflite", "tflite.reverse_v2", ("axis",)),
    "tflite.pad": Form("tflite", "tflite.pad", ("paddings",)),
    "openvino.strided_slice": Form(
        "openvino",
        "openvino.strided_slice",
        ("begin", "end"),
        ("strides", "begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask"),
    ),
    "openvino.slice": Form("openvino", "openvino.slice", ("start", "stop", "step"), ("axes",)),
    "openvino.gather": Form("openvino", "openvino.gather", ("indices", "axis")),
    "openvino.pad": Form("openvino", "openvino.pad", ("pads_begin", "pads_end"), ("pad_mode",)),
    "xla.slice": Form("stablehlo", "xla.slice", ("start_indices", "limit_indices"), ("strides",)),
    "xla.dynamic_slice": Form("stablehlo", "xla.dynamic_slice", ("start_indices", "slice_sizes")),
    "xla.dynamic_update_slice": Form("stablehlo", "xla.dynamic_update_slice", ("start_indices", "update_shape")),
    "xla.pad": Form("stablehlo", "xla.pad", ("edge_padding_low", "edge_padding_high", "interior_padding")),
    "xla.rev": Form("stablehlo", "xla.rev", ("dimensions",)),
}
"""By a framework and the name of a function in small letters."""

_FRAMEWORKS = {
    "onnx": "onnx",
    "tf": "tf",
    "tensorflow": "tf",
    "tflite": "tflite",
    "tfl": "tflite",
    "openvino": "openvino",
    "ov": "openvino",
    "xla": "xla",
    "lax": "xla",
    "jax": "xla",
    "hlo": "xla",
    "stablehlo": "xla",
}
_ALIASES = {"gather_v2": "gather", "reverse_v2": "reverse", "reverse": "rev"}
_OPERANDS = ("input", "input_", "x", "data", "operand", "params", "tensor")
_IGNORED = (
    *("name", "T", "Index", "dtype", "validate_indices", "batch_dims", "auto_broadcast", "var"),
    *("constant_value", "constant_values", "pad_value", "padding_value"),
)
_ABOUT = ("shape", "declared", "opset")
"""What a text may say beside the arguments: the operand's shape, the result's as a file would declare it, the opset."""
_VECTORS = (
    {"begin", "end", "strides", "size", "starts", "ends", "axes", "steps", "start", "stop", "step"}
    | {
        "start_indices",
        "limit_indices",
        "slice_sizes",
        "dimensions",
    }
    | {"pads", "pads_begin", "pads_end", "edge_padding_low", "edge_padding_high", "interior_padding", "update_shape"}
)


def parse_node(text: str) -> SliceNode:
    """The node that a text tells of.

    Parameters
    ----------
    text : a call, or a text in a form that pasted_models.py reads
        A call has Python's form, with the operator's name as its format writes it. A name instead of integers is a
        tensor that is known at run time only; `shape=`, `declared=` and `opset=` say what a model's file would.

    Raises
    ------
    SliceValueError : for a text that is no such node, or that several operators could mean (im_c3)
    ImportError : without the package that reads the form

    Examples
    --------
    >>> from ssop._inspect.pasted import parse_node
    >>> parse_node("Slice(starts=[0], ends=[-1], axes=[1])").calls[0].arguments
    {'starts': (0,), 'ends': (-1,), 'axes': (1,)}
    """
    return model_of_node(text).nodes[0]


def model_of_node(text: str) -> Model:
    """A model that has the node of a text and no other; raises as `parse_node` does."""
    if not isinstance(text, str):
        raise unclear(f"the node is {kind_of(text)}, not a text")
    if len(text) > MAX_TEXT_LENGTH:
        raise unclear(f"the text has {len(text)} characters, more than {MAX_TEXT_LENGTH}")
    text = text.strip()
    model = model_of_text(text)
    if model is not None:
        return model
    text = as_call(text)
    if len(text) > MAX_CALL_LENGTH:
        raise unclear(f"the call has {len(text)} characters, more than {MAX_CALL_LENGTH}")
    try:
        name, call, target = _python_call(text)
        form = _form(name, call)
        return Model(PASTED, form.format, "pasted", (_node(name, form, call, target),), 1)
    except (RecursionError, MemoryError):
        raise unclear("the call is nested too deeply") from None


# ---- calls ---------------------------------------------------------------------------------------------------------


def _python_call(text: str) -> tuple[str, ast.Call, str | None]:
    """The name of the function, the call, and what its result is assigned to."""
    try:
        tree = ast.parse(text.rstrip(";").replace("::", "."))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if re.search(r",\s*(\.\.\.|\u2026)\s*\)", text):
            raise unclear("'...' leaves arguments out, which may say another slice: give all of them") from None
        told = f"{error.msg}, column {error.offset}" if isinstance(error, SyntaxError) else "nested too deeply"
        raise unclear(f"the text is no call, and in no other form that is known ({told})") from None
    statement = tree.body[0] if len(tree.body) == 1 else None
    target = None
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        target = statement.targets[0].id
    value = statement.value if isinstance(statement, (ast.Assign, ast.Expr)) else None
    if isinstance(value, ast.Subscript):
        message = "a NumPy index is no node of a model: `ssop explain` and `ssop convert` take it"
        raise unclear(message)
    if not isinstance(value, ast.Call):
        raise unclear("the text is no call: one such as Slice(starts=[0], ends=[-1]) is needed")
    return _dotted(value.func), value, target


def _dotted(function: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(function, ast.Attribute):
        parts.append(function.attr)
        function = function.value
    if not isinstance(function, ast.Name):
        raise unclear("the called function has no name")
    return ".".join([function.id, *parts[::-1]])


def _snake(name: str) -> str:
    return name.lower() if name.isupper() else re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _form(name: str, call: ast.Call) -> Form:
    """The operator that is called: by its qualified name, else by the names of the arguments."""
    *path, last = name.split(".")
    operator = _snake(last)
    frameworks = [_framework(part) for part in path]
    known = [framework for framework in frameworks if framework is not None]
    if path and not known:
        raise unclear(f"{name}: no framework is called {'.'.join(path)}; there are {', '.join(_FRAMEWORKS)}")
    names = [operator, _ALIASES.get(operator, operator)]
    if known:
        candidates = [f"{framework}.{each}" for framework in known[:1] for each in names]
    else:
        candidates = [f"{framework}.{each}" for framework in _bare(last, call) for each in names]
    found = [candidate for candidate in dict.fromkeys(candidates) if candidate in _FORMS]
    if not found:
        there_are = ", ".join(_FORMS)
        raise unclear(f"{name} is no operator that can be pasted; there are {there_are}")
    fits = [candidate for candidate in found if known or _fits(_FORMS[candidate], call)]
    if len(fits) == 1:
        return _FORMS[fits[0]]
    _missing(name, [_FORMS[candidate] for candidate in (fits or found)], call, ambiguous=len(fits) > 1)
    raise AssertionError("unreachable")


def _framework(part: str) -> str | None:
    return "openvino" if re.fullmatch(r"opset\d+", part) else _FRAMEWORKS.get(part.lower())


def _bare(last: str, call: ast.Call) -> Sequence[str]:
    """The frameworks that write an operator like this: TFLite in capitals, libraries of functions in small letters."""
    if last.isupper():
        return ("tflite",)
    if last in ("Gather", "Squeeze", "Unsqueeze"):
        return ("onnx",)
    if last.endswith("V2"):
        return ("tf",)
    return ("onnx", "openvino", "tf") if last[:1].isupper() else ("tf", "xla", "openvino")


def _fits(form: Form, call: ast.Call) -> bool:
    given = {keyword.arg for keyword in call.keywords}
    own = {name for name in given if name in form.parameters}
    others = given - own - {*_OPERANDS, *_IGNORED, *_ABOUT}
    vectors = any(
        keyword.arg in MASKS and isinstance(keyword.value, (ast.List, ast.Tuple)) for keyword in call.keywords
    )
    if form.function.endswith("strided_slice") and vectors != (form.format == "openvino"):
        return False
    return bool(own) and not others and set(form.required) <= given


def _missing(name: str, forms: Sequence[Form], call: ast.Call, *, ambiguous: bool) -> None:
    """Say what the text lacks."""
    wanted = " or ".join(f"{form.function}({', '.join(form.parameters)})" for form in forms)
    if ambiguous:
        raise unclear(f"{name} may be {wanted}: write the framework before it")
    given = {keyword.arg for keyword in call.keywords}
    known = [len(given & set(form.parameters)) for form in forms]
    if max(known) and known.count(max(known)) == 1:
        form = forms[known.index(max(known))]
        lacking = [parameter for parameter in form.required if parameter not in given]
        extra = sorted(str(each) for each in given - set(form.parameters) - {*_OPERANDS, *_IGNORED, *_ABOUT})
        what = f"there is no argument {', '.join(extra)}" if extra else f"{', '.join(lacking)} missing"
        raise unclear(f"{name}: {what} for {form.function}({', '.join(form.parameters)})")
    raise unclear(f"{name} needs its arguments by name, or the framework before it: {wanted}")


def _node(name: str, form: Form, call: ast.Call, target: str | None) -> SliceNode:
    arguments, others, operand = _bound(name, form, call)
    lacking = [parameter for parameter in form.required if parameter not in arguments]
    if lacking:
        raise unclear(f"{name}: {', '.join(lacking)} missing for {form.function}({', '.join(form.parameters)})")
    values = {parameter: _argument(parameter, form, arguments[parameter]) for parameter in arguments}
    if form.function.endswith("strided_slice"):
        none: Argument = () if form.format == "openvino" else 0
        values = {**values, **{mask: values.get(mask, none) for mask in MASKS}}
    if "offset" in values and _is_offset(values.pop("offset")):
        values["offset"] = True
    if form.function == "tf.pad":
        values = {**_before_and_after(values.pop("paddings")), **values}
    if "pad_mode" in values:
        values["mode"] = values.pop("pad_mode")
    shape, declared = (_shape(others[key]) if key in others else None for key in ("shape", "declared"))
    opset = _integer(others["opset"]) if "opset" in others else None
    notes = (NEGATIVE_DIM,) if "shape" in others and _has_negative_dim(others["shape"]) else ()
    result = target or "y"
    said = NodeCall(form.function, values)
    return SliceNode(result, name, (said,), operand, result, shape, declared, opset=opset, notes=notes)


def _before_and_after(paddings: Argument) -> dict[str, Argument]:
    if isinstance(paddings, tuple):
        return {"before": paddings[::2], "after": paddings[1::2]}
    return {"before": paddings, "after": paddings}


def _is_offset(value: Argument) -> bool:
    if value not in (0, 1):
        raise unclear("offset is neither true nor false")
    return bool(value)


def _bound(name: str, form: Form, call: ast.Call) -> tuple[dict[str, ast.expr], dict[str, ast.expr], str]:
    """The arguments by name, the shape and the opset, and the name of the operand."""
    positional = list(call.args)
    operand = "x"
    by_name = {str(keyword.arg): keyword.value for keyword in call.keywords}
    if None in {keyword.arg for keyword in call.keywords} or any(isinstance(each, ast.Starred) for each in positional):
        raise unclear(f"{name}: arguments are needed one by one, not by * or **")
    if positional and isinstance(positional[0], (ast.Name, ast.Attribute)):
        operand = ast.unparse(positional.pop(0))[:80]
    for given in _OPERANDS:
        if given in by_name:
            operand = ast.unparse(by_name.pop(given))[:80]
    parameters = form.parameters
    if len(positional) > len(parameters):
        raise unclear(f"{name}: {len(positional)} arguments, and {form.function} has {', '.join(parameters)}")
    arguments = dict(zip(parameters, positional, strict=False))
    others: dict[str, ast.expr] = {}
    for key, value in by_name.items():
        if key in arguments:
            raise unclear(f"{name}: {key} is given twice")
        if key in parameters:
            arguments[key] = value
        elif key in _ABOUT:
            others[key] = value
        elif key not in _IGNORED:
            raise unclear(f"{name}: there is no argument {key}; there are {', '.join((*parameters, *_ABOUT))}")
    return arguments, others, operand


def _argument(parameter: str, form: Form, value: ast.expr) -> Argument:
    """Integers; or what is known at run time only, where the text has names."""
    if isinstance(value, ast.Constant) and value.value is None:
        return None
    if isinstance(value, ast.Call) and value.args:  # np.array([0]), tf.constant([0])
        value = value.args[0]
    if parameter in ("mode", "pad_mode"):
        if not isinstance(value, ast.Constant) or not isinstance(value.value, str):
            raise unclear("mode is no text")
        return value.value[:80]
    if parameter == "paddings":
        value = _flat(value)
    listed = isinstance(value, (ast.List, ast.Tuple))
    if isinstance(value, (ast.List, ast.Tuple)):
        if len(value.elts) > MAX_INTEGERS:
            raise unclear(f"{parameter} has more than {MAX_INTEGERS} integers")
        items = [_integer_or_name(parameter, item) for item in value.elts]
    else:
        items = [_integer_or_name(parameter, value)]
    names = [item for item in items if isinstance(item, str)]
    if names:
        known = tuple([item if isinstance(item, int) else None for item in items]) if listed else None
        return RunTime(", ".join(names), "input", known)
    integers = tuple([item for item in items if isinstance(item, int)])
    is_vector = parameter in _VECTORS or (parameter == "axis" and form.function.endswith("reverse_v2"))
    if not listed and parameter in _VECTORS and form.format != "onnx":
        raise unclear(f"{parameter} is one integer, and {form.function} needs a list")
    return integers if listed or is_vector else integers[0]


def _flat(value: ast.expr) -> ast.expr:
    """The pairs of a matrix one after the other; a name stays as it is."""
    if not isinstance(value, (ast.List, ast.Tuple)):
        return value
    rows = [row.elts for row in value.elts if isinstance(row, (ast.List, ast.Tuple)) and len(row.elts) == 2]
    if len(rows) != len(value.elts):
        raise unclear("paddings is no list of pairs")
    return ast.List([item for row in rows for item in row], ast.Load())


def _integer_or_name(parameter: str, node: ast.expr) -> int | str:
    found = _value(node)
    if found is not None:
        return found
    if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and len(ast.unparse(node)) < 80:
        return ast.unparse(node)
    raise unclear(f"{parameter}: {ast.unparse(node)[:80]} is no integer and no name")


def _integer(node: ast.expr) -> int:
    found = _value(node)
    if found is None:
        raise unclear(f"{ast.unparse(node)[:80]} is no integer")
    return found


def _value(node: ast.expr) -> int | None:
    """The integer of an expression: a number, a known name, or 2**31 - 1; None if it is none of these."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return int(node.value) if abs(node.value) < 2**70 else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        found = _value(node.operand)
        return None if found is None else -found
    if isinstance(node, ast.Attribute) and node.attr in ("max", "min") and isinstance(node.value, ast.Call):
        bits = re.search(r"int(32|64)", ast.unparse(node.value))
        most = None if bits is None else 2 ** (int(bits[1]) - 1) - 1
        return most if node.attr == "max" or most is None else -most - 1
    if isinstance(node, (ast.Name, ast.Attribute)):
        return CONSTANTS.get(node.id if isinstance(node, ast.Name) else node.attr)
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left), _value(node.right)
        return None if left is None or right is None else _of_two(node.op, left, right)
    return None


def _of_two(operator: ast.operator, left: int, right: int) -> int | None:
    if isinstance(operator, (ast.Add, ast.Sub)):
        return left + (right if isinstance(operator, ast.Add) else -right)
    if isinstance(operator, (ast.Pow, ast.LShift)) and 0 <= right < 70 and abs(left) < 16:
        return left**right if isinstance(operator, ast.Pow) else left << right
    return None


def _shape(node: ast.expr) -> tuple[Dim, ...]:
    """A shape: integers, names, and None."""
    if not isinstance(node, (ast.List, ast.Tuple)) or len(node.elts) > 64:
        raise unclear("shape is no list of dims")
    return tuple([_dim(item) for item in node.elts])


def _has_negative_dim(node: ast.expr) -> bool:
    assert isinstance(node, (ast.List, ast.Tuple))
    return any(isinstance(item, ast.UnaryOp) for item in node.elts)


def _dim(node: ast.expr) -> Dim:
    if isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, str)):
        return None if node.value in (None, "?", "") else str(node.value)
    if isinstance(node, ast.Name) and node.id not in CONSTANTS:
        return node.id
    found = _integer(node)
    return None if found < 0 else found
