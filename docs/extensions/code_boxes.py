"""Code boxes without the empty last line that a doctest needs in Markdown before the end of its fence."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform


class NoEmptyLastLine(SphinxTransform):
    """Literal blocks end with their last line of text."""

    default_priority = 400

    def apply(self, **kwargs: Any) -> None:
        for block in self.document.findall(nodes.literal_block):
            text = block.astext()
            if text != text.rstrip() and len(block) == 1 and isinstance(block[0], nodes.Text):
                block.rawsource = text.rstrip()  # Sphinx highlights a block whose text is its source
                block[0] = nodes.Text(text.rstrip())


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_transform(NoEmptyLastLine)
    return {"parallel_read_safe": True}
