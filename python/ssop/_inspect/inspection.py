"""One model inspected: what is said of each of its nodes, and of the whole."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

from ssop._convert.calls import Call, program_of
from ssop._convert.conversion import converted
from ssop._convert.errors import ConversionError
from ssop._convert.program import inequality
from ssop._convert.rules import INT32_MAX
from ssop._convert.targets import PLAIN, TARGETS, Target
from ssop._display import index_text
from ssop._errors import kind_of, value_error
from ssop._inspect.hazards import HAZARDS, REJECTED, Seen, findings
from ssop._inspect.moved import written
from ssop._inspect.profiles import PROFILES, rejections
from ssop._inspect.records import OP, Model, NodeCall, named
from ssop._inspect.reports import NodeReport, Report
from ssop._inspect.sarif import sarif_of
from ssop._inspect.text import report_text
from ssop._inspect.verdicts import DIFFERS, UNPROVED, Judged, judged, uncapped, written_by


def _everywhere(target: str, *rules: str) -> tuple[str, Target]:
    row = TARGETS[target]
    return target, row._replace(abilities=row.abilities._replace(rules=row.abilities.rules + rules))


REWRITINGS = {
    "onnx": _everywhere("onnx", "openvino"),
    "tflite": _everywhere("tflite", "tf"),
    "tensorflow": _everywhere("tf", "tflite", "openvino"),
    "openvino": _everywhere("openvino"),
    "stablehlo": _everywhere("xla"),
}
"""For each format the target whose calls are equal by the rules of all engines of that format."""
PLAIN_REWRITINGS = {"tflite": ("tflite", PLAIN["tflite"]), "tensorflow": ("tf", PLAIN["tf"])}


class Inspection(Report):
    """The slices of one model; made by `ssop.inspect`."""

    __module__, __qualname__ = "ssop", "inspect.Inspection"

    def __str__(self) -> str:
        return report_text(self)

    def to_sarif(self) -> dict[str, Any]:
        """The hazards as data of a SARIF 2.1.0 log, which code hosts show."""
        return sarif_of([self])

    def to_svg(self) -> str:
        """The picture of the only node: the cells that it takes or writes, numbered in their order (im_c4).

        That of a pad has the operand and the result. Dims that are not known are drawn with a length that holds the
        bounds; the picture says so.

        >>> import ssop
        >>> ssop.inspect.node("tf.strided_slice(begin=[1], end=[-1])").to_svg().startswith("<svg")
        True
        """
        from ssop._inspect.pictures import svg_of

        return svg_of(self.nodes)


def inspected(
    model: Model,
    *,
    silent: Collection[str] = (),
    target: str | None = None,
    any_dim: bool = False,
    only: str | None = None,
) -> Inspection:
    """All that is said of a model that a reader has read."""
    reports = []
    meanings: dict[Any, tuple[Judged, str | None]] = {}  # of nodes that have the same calls on the same shape
    twins: dict[Any, str] = {}
    wanted = {id(node) for node in (model.nodes if only is None else named(model.nodes, only))}
    if only is not None and not wanted:
        names = ", ".join(node.name for node in model.nodes[:8]) or "none"
        raise value_error(OP, "im_c2", f"no slicing node is named {only!r}; there are {names}", value=only)
    for node in model.nodes:
        said = tuple((call.function, *call.arguments.items()) for call in node.calls)
        if (said, node.input_shape) not in meanings:
            found, place = judged(node, model.format, any_dim), written(node)
            meanings[said, node.input_shape] = found, index_of(found if place is None else written_by(place))
        at_run_time = any(call.at_run_time for call in node.calls)
        first = node.name if at_run_time else twins.setdefault((node.operand, said), node.name)
        if id(node) not in wanted:
            continue
        found, index = meanings[said, node.input_shape]
        seen = Seen(node, found, None if first == node.name else first)
        reports.append(_report(seen, index, model.format, silent, target))
    if find_spec("islpy") is None and any(_has_unknown_dims(report) for report in reports):
        model = replace(model, notes=(*model.notes, WITHOUT_PROOFS))
    return Inspection(model, tuple(reports))


WITHOUT_PROOFS = f"what needs a proof for all shapes is left out where {UNPROVED}"


def _has_unknown_dims(report: NodeReport) -> bool:
    return report.judged.where is not None and not all(dim.known for dim in report.judged.where.lengths)


def check_options(silent: Any, target: Any, any_dim: Any, only: Any, single: bool = True) -> None:
    """Raise an error for what is no name of a hazard, of a target or of a node, or no bool (im_c2)."""
    if not single and (silent, target, any_dim, only) != ((), None, False, None):
        raise value_error(OP, "im_c2", "silent, target, any_dim and only are options of one model, not of two")
    hazards = {name for hazard in (*HAZARDS, REJECTED) for name in (hazard.name, hazard.label)}
    if not isinstance(silent, (list, tuple, set, frozenset)):
        raise value_error(OP, "im_c2", f"silent is {kind_of(silent)}, not a list of names of hazards")
    for name in silent:
        if not (isinstance(name, str) and name in hazards):
            known = ", ".join(hazard.name for hazard in HAZARDS)
            raise value_error(OP, "im_c2", f"{_shown(name)} is no hazard: {known}", value=name)
    if not (target is None or (isinstance(target, str) and target in PROFILES)):
        raise value_error(OP, "im_c2", f"{_shown(target)} is no target: {', '.join(PROFILES)}", value=target)
    if not isinstance(any_dim, bool):
        raise value_error(OP, "im_c2", f"any_dim is {kind_of(any_dim)}, not a bool")
    if not (only is None or isinstance(only, str)):
        raise value_error(OP, "im_c2", f"only is {kind_of(only)}, not the name of a node")


def _shown(name: Any) -> str:
    return repr(name) if isinstance(name, str) else kind_of(name)


def _report(seen: Seen, index: str | None, format_: str, silent: Collection[str], target: str | None) -> NodeReport:
    found = findings(seen, silent)
    rejected = rejections(seen, target) if target is not None and not {*REJECTED[:2]} & {*silent} else []
    needed = rejected or seen.judged.verdict.kind == DIFFERS
    rewriting = _rewriting(seen, format_, target if rejected else None) if needed else None
    return NodeReport(seen.node, seen.judged, index, rewriting, (*found, *rejected))


def _rejected(call: Call, seen: Seen, format_: str, target: str) -> bool:
    """Whether a target rejects a slice that a conversion begins with, too."""
    if not call.function.endswith("slice"):
        return False
    node = replace(seen.node, calls=(NodeCall(call.function, call.given),))
    return bool(rejections(Seen(node, judged(node, format_)), target))


def index_of(judged_: Judged) -> str | None:
    """What a node takes as an index of NumPy, or as several one after the other, also with `.squeeze(0)`."""
    program, where = judged_.program, judged_.where
    if program is None or where is None:
        return None
    try:
        calls = converted(judged_.calls, TARGETS["numpy"], "numpy", where, program).calls
    except (ConversionError, ImportError):
        return None
    tidy = list(map(_tidied_call, calls))
    if inequality(program, program_of(tidy, len(where.lengths)), where.lengths) is None:
        calls = tuple(tidy)
    return "x" + "".join(map(_method_text, calls))


def _method_text(call: Call) -> str:
    if call.function == "numpy.index":
        return index_text(call.arguments["index"])
    axes = call.arguments["axis"]  # of numpy.squeeze, the other one that a conversion to NumPy makes
    return f".squeeze({axes[0] if len(axes) == 1 else tuple(axes)})"


def _tidied_call(call: Call) -> Call:
    if call.function != "numpy.index":
        return call
    return Call("numpy.index", index=tuple(map(_tidied, call.arguments["index"])))


def _tidied(item: Any) -> Any:
    """An item of an index, where bounds that lie far outside every axis are left open."""
    if not isinstance(item, slice):
        return item
    bounds = (None if bound is not None and abs(bound) >= INT32_MAX else bound for bound in (item.start, item.stop))
    start, stop = bounds
    return slice(start, stop, item.step)


def _rewriting(seen: Seen, format_: str, rejected_by: str | None) -> str | None:
    """Calls that all engines read alike; if a target rejects the node, those that need the least of an engine."""
    judged_ = seen.judged
    name, row = PLAIN_REWRITINGS.get(format_, REWRITINGS[format_]) if rejected_by else REWRITINGS[format_]
    if judged_.program is None or judged_.where is None:
        return None
    try:
        conversion = converted(judged_.calls, row, name, judged_.where, judged_.program)
        if rejected_by is not None and any(
            _rejected(call, seen, format_, rejected_by) for call in conversion.calls[:1]
        ):
            return f"none is known that {rejected_by} takes"
        return str(conversion)
    except ConversionError as error:
        return f"none is equal everywhere: {uncapped(error.reason)}"
    except ImportError:
        return None
