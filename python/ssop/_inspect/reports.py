"""What is said of a model and of each of its nodes, as values, and as data of JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ssop._convert.calls import Call
from ssop._convert.shape import Shape
from ssop._errors import value_error
from ssop._inspect.hazards import Finding
from ssop._inspect.records import OP, Dim, Model, NodeCall, RunTime, SliceNode
from ssop._inspect.verdicts import Judged

RULES = {
    "onnx.slice": ("onx_s1", "onr_s1", "ort_s1"),
    "tf.strided_slice": ("ss_s1", "ss_s4"),
    "tf.slice": ("tsl_s1",),
    "tflite.strided_slice": ("tfl_s1", "ss_s4"),
    "tflite.slice": ("tfs_s1",),
    "openvino.strided_slice": ("ov_s1", "ov_s2"),
    "openvino.slice": ("ovs_s1",),
    "xla.slice": ("sl_s1",),
    "xla.dynamic_slice": ("ds_s1",),
    "xla.dynamic_update_slice": ("dus_s1",),
    "xla.rev": ("rev_s1",),
    "xla.pad": ("pad_s1",),
}
"""For each function the rules of SPEC.md to read first."""


@dataclass(frozen=True, eq=False)
class NodeReport:
    """What is said of one node."""

    node: SliceNode
    judged: Judged
    index: str | None
    """What it takes, as NumPy writes it: "x[:, ::-1]"; None if that is not known."""
    rewriting: str | None
    """Calls of the same format that every engine reads alike, where the node's are not read so."""
    findings: tuple[Finding, ...]

    @property
    def calls(self) -> tuple[Call, ...]:
        """What it does, as calls that `ssop.convert` takes; an error (im_c5) if that is not known."""
        if not self.judged.calls:
            raise value_error(OP, "im_c5", f"node {self.node.name!r} has no calls: {self.judged.verdict}")
        return self.judged.calls

    @property
    def _operand_shape(self) -> Shape | None:
        """The shape for which it is converted, unless another one is given."""
        return self.judged.where

    @property
    def rules(self) -> tuple[str, ...]:
        """Labels of SPEC.md that say what the node does."""
        found = [label for call in self.node.calls for label in RULES.get(call.function, ())]
        return tuple(found + ["tfl_s4"] * any(call.arguments.get("offset") for call in self.node.calls))

    def to_dict(self) -> dict[str, Any]:
        """The report as data of JSON."""
        node, verdict = self.node, self.judged.verdict
        return {
            "name": node.name,
            "operator": node.operator,
            "graph": node.graph,
            "source": node.source,
            "operand": node.operand,
            "result": node.result,
            "dtype": node.dtype,
            "calls": [call_data(call) for call in node.calls],
            "index": self.index,
            "input_shape": json_data(node.input_shape),
            "declared_shape": json_data(node.declared_shape),
            "shapes": {name: json_data(shape) for name, shape in self.judged.shapes.items()},
            "formulas": {name: json_data(formulas) for name, formulas in self.judged.formulas.items()},
            "verdict": {
                "kind": verdict.kind,
                "text": verdict.text,
                "engines": json_data(verdict.engines),
                "smallest": json_data(verdict.smallest),
            },
            "rewriting": self.rewriting,
            "rules": list(self.rules),
            "findings": [finding._asdict() for finding in self.findings],
            "notes": list(node.notes),
        }


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """What is said of one model."""

    model: Model
    nodes: tuple[NodeReport, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All hazards, in the order of the nodes."""
        return tuple(finding for node in self.nodes for finding in node.findings)

    def __repr__(self) -> str:
        return f"<{len(self.nodes)} nodes of {self.model.path!r} inspected: {len(self.findings)} hazards>"

    def to_dict(self) -> dict[str, Any]:
        """Everything as data of JSON; docs/reference/inspect.md has the schema."""
        model = self.model
        return {
            "ssop_inspect": 1,
            "path": model.path,
            "format": model.format,
            "version": model.version,
            "operators": model.operators,
            "notes": list(model.notes),
            "nodes": [node.to_dict() for node in self.nodes],
        }


def call_data(call: NodeCall) -> dict[str, Any]:
    """A call as data of JSON."""
    arguments = {name: json_data(value) for name, value in call.arguments.items()}
    return {"function": call.function, "arguments": arguments}


def json_data(value: Any) -> Any:
    """A shape, an argument or a verdict as data of JSON."""
    if isinstance(value, RunTime):
        return {"tensor": value.tensor, "producer": value.producer, "values": json_data(value.values)}
    if isinstance(value, tuple):
        return [json_data(one) for one in value]
    return value


def dims_text(dims: tuple[Dim, ...] | str | None, formulas: Sequence[str | None] = ()) -> str:
    """A shape in words, with formulas in place of dims that have some: "(batch, 8, min(4, n), 0..4, ?)"."""
    if dims is None or isinstance(dims, str):
        return "?" if dims is None else dims
    shown = [*(formula or _dim_text(dim) for dim, formula in zip(dims, formulas, strict=False))]
    shown += map(_dim_text, dims[len(shown) :])
    return "(" + ", ".join(shown) + ("," if len(dims) == 1 else "") + ")"


def _dim_text(dim: Dim) -> str:
    if isinstance(dim, tuple):
        return f"{dim[0]}.." + ("" if dim[1] is None else str(dim[1]))
    return "?" if dim is None else str(dim)
