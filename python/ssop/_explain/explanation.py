"""An explanation and its forms: text, HTML, SVG, dict."""

from __future__ import annotations

from typing import Any

from ssop._core import SliceError
from ssop._display import index_text
from ssop._explain.facts import Facts


class Explanation(Facts):
    """What a call does, stage by stage. Made by `ssop.explain`.

    `shape` and `index` are those of the result, and None where the call is an error; then `error` is its exception,
    `failed` the stage that found it, and `repair` the nearest call that works, if one was found.
    """

    def __str__(self) -> str:
        from ssop._explain.text import as_text

        return as_text(self)

    __repr__ = __str__  # what a terminal shows

    def _repr_html_(self) -> str:
        from ssop._explain.rendering import render_html

        return render_html(self)

    def to_svg(self) -> str:
        """The picture: the cells that are taken, numbered in the order of the result. SliceError if there are none.

        >>> import ssop
        >>> ssop.explain((5,), [0], [5], [2]).to_svg().startswith("<svg")
        True
        """
        from ssop._explain.rendering import render_svg

        if self.draw is None:
            assert self.error is not None  # only errors have nothing to draw
            raise self.error
        return render_svg(self.draw())

    def to_dict(self) -> dict[str, Any]:
        """Everything that the text says, as dicts, lists, strings, numbers and None: `json.dumps` takes it.

        >>> import ssop
        >>> ssop.explain((5,), [-2], [9]).to_dict()["axes"][0]["clamped_end"]
        5
        """
        return {
            "call": self.call,
            "op": self.op,
            "in_shape": list(self.in_shape),
            "shape": None if self.shape is None else list(self.shape),
            "index": None if self.index is None else index_text(self.index),
            "error": _error_dict(self.error),
            "failed": self.failed,
            "repair": self.repair,
            "stages": [
                {"name": stage.name, "label": stage.label, "changes": list(stage.changes)} for stage in self.stages
            ],
            "bits": [vars(bit).copy() for bit in self.bits],
            "others": [
                {**vars(answer), "reasons": [dict(reason) for reason in answer.reasons]} for answer in self.others
            ],
            **self.details,
        }


def _error_dict(error: SliceError | None) -> dict[str, Any] | None:
    if error is None:
        return None
    allowed = None if error.allowed is None else list(error.allowed)
    value = error.value if isinstance(error.value, int) else None if error.value is None else str(error.value)
    named = {"op": error.op, "label": error.label, "axis": error.axis, "entry": error.entry}
    return {"message": str(error), **named, "value": value, "allowed": allowed}
