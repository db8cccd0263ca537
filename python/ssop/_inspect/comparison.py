"""Two models compared: their pairs as text, data and hazards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ssop._inspect.hazards import DIFFERENT as PAIR_DIFFERS
from ssop._inspect.hazards import FROZEN, Finding
from ssop._inspect.meanings import Engine
from ssop._inspect.pairs import DIFFERENT, EQUAL, Pair, own_engines, pairs
from ssop._inspect.records import Model, SliceNode
from ssop._inspect.reports import call_data, json_data
from ssop._inspect.sarif import log_of, result_of
from ssop._inspect.snippets import PREAMBLES, snippet
from ssop._inspect.text import call_text


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """The slices of two models in pairs; made by `ssop.inspect` of two models."""

    __module__, __qualname__ = "ssop", "inspect.Comparison"

    first: Model
    second: Model
    pairs: tuple[Pair, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """A hazard for each pair that differs, and for each frozen bound."""
        return tuple(finding for pair in self.pairs for finding in _findings(pair))

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {kind}" for kind, count in self._counts().items())
        return f"<{self.first.path!r} against {self.second.path!r}: {counts or 'no slices'}>"

    def __str__(self) -> str:
        counts = ", ".join(f"{count} {kind}" for kind, count in self._counts().items())
        lines = [f"{self.first.path} against {self.second.path}: {counts or 'no slices'}"]
        equal = [pair for pair in self.pairs if _is_equal(pair)]
        for pair in self.pairs:
            if not _is_equal(pair):
                lines += ["", *_lines(pair)]
        lines += [""] if equal else []
        lines += [f"{pair.name}: {_told(pair)}" for pair in equal]
        if any(pair.smallest is not None and pair.calls is not None for pair in self.pairs):
            lines += ["", "programs that show a difference: --json, or .snippets(pair)"]
        return "\n".join(lines)

    def _counts(self) -> dict[str, int]:
        kinds = [pair.kind for pair in self.pairs]
        return {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}

    def snippets(self, pair: Pair) -> tuple[str, str]:
        """Two programs that show the difference of a pair, one for each model; ("", "") if none is known."""
        if pair.calls is None or pair.smallest is None:
            return "", ""
        models = (self.first, self.second)
        one, two = (
            snippet(calls, pair.smallest, _framework(own_engines(model.format)[0]))
            for calls, model in zip(pair.calls, models, strict=True)
        )
        return one, two

    def to_dict(self) -> dict[str, Any]:
        """Everything as data of JSON; docs/reference/inspect.md has the schema."""
        return {
            "ssop_inspect": 1,
            "first": self.first.path,
            "second": self.second.path,
            "pairs": [
                {
                    "name": pair.name,
                    "kind": pair.kind,
                    "text": pair.text,
                    "smallest": json_data(pair.smallest),
                    "frozen": list(pair.frozen),
                    "first": _node_data(pair.first),
                    "second": _node_data(pair.second),
                    "snippets": list(self.snippets(pair)) if pair.smallest is not None else None,
                }
                for pair in self.pairs
            ],
            "findings": [finding._asdict() for finding in self.findings],
        }

    def to_sarif(self) -> dict[str, Any]:
        """The hazards as data of a SARIF 2.1.0 log, on the second model."""
        found = [(pair, finding) for pair in self.pairs for finding in _findings(pair)]
        return log_of([result_of(finding, self.second.path, pair.second) for pair, finding in found])


def compared(first: Model, second: Model) -> Comparison:
    """The pairs of two models that readers have read."""
    return Comparison(first, second, tuple(pairs(first, second)))


def _findings(pair: Pair) -> Iterator[Finding]:
    for bound in pair.frozen:
        yield FROZEN.finding(pair.name, bound)
    if pair.kind == DIFFERENT and not pair.frozen:
        yield PAIR_DIFFERS.finding(pair.name, _told(pair))


def _is_equal(pair: Pair) -> bool:
    return pair.kind == EQUAL and not pair.frozen


def _told(pair: Pair) -> str:
    """How two slices compare: "equal", "different on shape (1,)", "different: the results have other axes"."""
    if not pair.text:
        return pair.kind
    return pair.kind + (" " if pair.text.startswith(("on ", "in ")) else ": ") + pair.text


def _lines(pair: Pair) -> Iterator[str]:
    """A pair that is not equal: - what the first model does, + what the second does."""
    label = "" if pair.kind != DIFFERENT or pair.frozen else f" [{PAIR_DIFFERS.name} {PAIR_DIFFERS.label}]"
    yield f"{pair.name}: {_told(pair)}{label}"
    for sign, node in (("-", pair.first), ("+", pair.second)):
        if node is not None:
            yield from (f"  {sign} {call_text(call)}" for call in node.calls)
    yield from (f"  frozen: {bound} [{FROZEN.name} {FROZEN.label}]" for bound in pair.frozen)


def _framework(engine: Engine) -> str:
    names = {
        "ONNX Runtime": "onnx",
        "LiteRT": "tflite",
        "TensorFlow": "tf",
        "XLA": "xla",
        "OpenVINO's CPU plugin": "openvino",
    }
    assert names[engine.name] in PREAMBLES
    return names[engine.name]


def _node_data(node: SliceNode | None) -> Any:
    if node is None:
        return None
    return {
        "name": node.name,
        "operand": node.operand,
        "result": node.result,
        "calls": [call_data(c) for c in node.calls],
    }
