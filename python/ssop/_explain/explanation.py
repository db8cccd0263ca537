"""An explanation and its forms: text, HTML, SVG, dict."""

from __future__ import annotations

from typing import Any

from ssop._core import PartialShape, SliceError
from ssop._display import index_text
from ssop._errors import value_error
from ssop._explain.facts import Facts
from ssop._explain.partial import shape_text


class Explanation(Facts):
    """What a call does, stage by stage. Made by `ssop.explain`.

    `answer` is one sentence, and the first line of the text.
    `shape` and `index` describe the result; they are None if the call is an error. Then `error` is its exception,
    `failed` is the stage that found it, and `repair` is the nearest call that works, if one was found. `empty` says why
    axes of the result have no elements. If a dim is not known, `shape` is a `ssop.shapes.PartialShape`.
    """

    def __str__(self) -> str:
        from ssop._explain.text import as_text

        return as_text(self)

    __repr__ = __str__  # what a terminal shows

    def _repr_html_(self) -> str:
        from ssop._explain.rendering import render_html

        return render_html(self)

    def to_svg(self) -> str:
        """The picture: the cells that are taken, numbered in the order of the result. SliceError if no cell is taken.

        >>> import ssop
        >>> ssop.explain((5,), [0], [5], [2]).to_svg().startswith("<svg")
        True
        """
        from ssop._explain.rendering import render_svg

        if self.error is not None:
            raise self.error
        if self.draw is None:
            raise value_error(
                "explain", "ex_c2", f"a picture needs every dim, and the shape is {shape_text(self.in_shape)}"
            )
        return render_svg(self.draw())

    def to_dict(self) -> dict[str, Any]:
        """Everything that the text says, as dicts, lists, strings, numbers and None: `json.dumps` takes it.

        >>> import ssop
        >>> ssop.explain((5,), [-2], [9]).to_dict()["axes"][0]["clamped_end"]
        5
        """
        return {
            "call": self.call,
            "answer": self.answer,
            "op": self.op,
            "in_shape": None if self.in_shape is None else list(self.in_shape),
            "shape": _shape_list(self.shape),
            "index": None if self.index is None else index_text(self.index),
            "error": _error_dict(self.error),
            "failed": self.failed,
            "repair": self.repair,
            "empty": list(self.empty),
            "stages": [
                {"name": stage.name, "label": stage.label, "changes": list(stage.changes)} for stage in self.stages
            ],
            "bits": [vars(bit).copy() for bit in self.bits],
            "documents": [dict(row) for row in self.documents],
            "others": [
                {**vars(answer), "reasons": [dict(reason) for reason in answer.reasons]} for answer in self.others
            ],
            "elsewhere": [vars(equal).copy() for equal in self.elsewhere],
            **self.details,
        }


def _shape_list(shape: tuple[int, ...] | PartialShape | None) -> list[int | str] | None:
    """The dims; those that are not known are text: "?", "0..3", a name or a formula."""
    if isinstance(shape, PartialShape):
        if shape.rank is None:
            return None
        dims = [shape.dim(axis) for axis in range(shape.rank)]
        return [str(dim) if dim.value is None else dim.value for dim in dims]
    return None if shape is None else list(shape)


def _error_dict(error: SliceError | None) -> dict[str, Any] | None:
    if error is None:
        return None
    allowed = None if error.allowed is None else list(error.allowed)
    value = error.value if isinstance(error.value, int) else None if error.value is None else str(error.value)
    named = {"op": error.op, "label": error.label, "axis": error.axis, "entry": error.entry}
    return {"message": str(error), **named, "value": value, "allowed": allowed}
