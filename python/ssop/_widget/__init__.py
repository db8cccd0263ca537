"""`ssop.widget`: the mask explorer as a widget of notebooks. What it needs is imported when it is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ssop._widget.model import Widget


class _Widget:
    """The mask explorer as a widget: it needs anywidget, and lives in Jupyter Lab, VS Code, Colab and marimo.

    Parameters
    ----------
    shape_or_array : sequence of dims, or an array of any library with basic indexing.
    index_or_spec : a NumPy index, or a `ssop.StridedSliceSpec`; the whole input by default.
    dialect : "tf", "tflite", "openvino", "onnx", "onnx_reference" or "onnxruntime"
        Whose rules apply.
    predict : the reader first marks the cells, or types the shape, that he expects; then the answer is shown.
    page : address of a page that `ssop explore -o` wrote; with it, the widget offers a link and a frame of its state.

    Returns
    -------
    Widget : an `anywidget.AnyWidget` whose picture, reasons and answers follow each change. Its attributes:

        - `shape`, `spec` and `dialect`: what is shown. The reader changes them, and so does an assignment; an
          index can be assigned to `spec`
        - `result`: the slice of the array, by basic indexing; without an array, the shape of the result; None of an
          error
        - `error`: the message of the error, or an empty text

        `observe` takes `result`, `error` and `words`, the state as in the address of the explorer.

    The browser computes, with the C core as WebAssembly, so that the widget works in static pages without a kernel. Its
    HTML is the page of `ssop explore`, which also needs no network. An array stays in the kernel.

    Raises
    ------
    ImportError : anywidget is not installed.
    SliceError : an index as for `ssop.StridedSliceSpec.from_index`, a shape as for `resolve`, and the dialect (ex_c1).

    Examples
    --------
    >>> import numpy as np, ssop
    >>> w = ssop.widget((6, 8), np.s_[::-2, 1:7:2])  # doctest: +SKIP
    >>> w.result  # doctest: +SKIP
    (3, 3)
    """

    __module__ = "ssop"

    def __call__(
        self,
        shape_or_array: Any,
        index_or_spec: Any = (),
        *,
        dialect: str = "tf",
        predict: bool = False,
        page: str = "",
    ) -> Widget:
        from ssop._widget.model import made

        return made(shape_or_array, index_or_spec, dialect, predict, page)

    def quiz(
        self,
        n: int = 10,
        topics: Sequence[str] = (),
        *,
        difficulty: int = 2,
        seed: int | None = None,
        page: str = "",
    ) -> Widget:
        """A widget that asks n questions and grades the answers, 1 <= n <= 100; `ssop explore` has the same quiz.

        Parameters
        ----------
        topics : what the questions are about, in turns: "begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask",
            "shrink_axis_mask", "strides", "bounds" outside the axis, "errors"; all by default.
        difficulty : how many masks a call has at once, 1, 2 or 3.
        seed : of the questions; one seed always gives the same ones. By default another one each time.
        page : as for `ssop.widget`.

        Returns
        -------
        Widget : its `answers` are a list of dicts, which `json.dumps` takes: the call, its topics, what was answered,
            the right answer, and whether they are equal. Its `score` is how many are right, and how many were given.

        Raises
        ------
        ImportError : anywidget is not installed.
        ValueError : n, difficulty, seed or a topic is none of these.

        Examples
        --------
        >>> import ssop
        >>> w = ssop.widget.quiz(5, ["end_mask", "strides"], seed=1)  # doctest: +SKIP
        >>> w.score  # doctest: +SKIP
        (0, 0)
        """
        from ssop._widget.model import made_quiz

        return made_quiz(n, topics, difficulty, seed, page)


widget = _Widget()
