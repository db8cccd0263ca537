"""The model of the widget, which anywidget keeps equal in the kernel and in the browser."""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import index as as_int
from secrets import randbelow
from typing import Any

from ssop import _core
from ssop._convert.errors import optional_module
from ssop._core import PartialShape, Region, SliceError
from ssop._errors import kind_of, value_error
from ssop._explain.others import EXPLORED, UNWRITTEN
from ssop._explain.specs import DIALECTS
from ssop._explain.strided import read
from ssop._explain.trace import traced
from ssop._explore.explorer import Explorer, widget_module
from ssop._masks import MASK_NAMES
from ssop._spec import StridedSliceSpec

_anywidget: Any = optional_module("anywidget", "ssop.widget")
_traits: Any = optional_module("traitlets", "ssop.widget")

MAX_SEED = 2**32 - 1
QUIZ_LIMITS = (range(1, 101), range(1, 4), range(MAX_SEED + 1))
INTEGERS = re.compile(r"(-?\d{1,19}(,-?\d{1,19})*)?", re.ASCII)
VECTORS = ("shape", "begin", "end", "strides", "masks")
TOPICS = (*MASK_NAMES, "strides", "bounds", "errors")
"""What a quiz can be about, as `_explore/quiz.js` has it."""


class Widget(_anywidget.AnyWidget):  # type: ignore[misc]
    """A mask explorer in a notebook. Made by `ssop.widget`, which describes its traits and properties.

    `words` has what the explorer shows, as its address has it: texts, since numbers of JavaScript have no 64 bits. All
    else is read from it.
    """

    _esm = widget_module()
    words = _traits.Dict().tag(sync=True)
    page = _traits.Unicode().tag(sync=True)
    fixed = _traits.Bool().tag(sync=True)
    answers = _traits.List().tag(sync=True)
    result = _traits.Any(read_only=True)
    error = _traits.Unicode(read_only=True)

    def __init__(self, array: Any, words: dict[str, str], page: str) -> None:
        self._array = array
        super().__init__(words=words, page=page, fixed=array is not None)
        self._answer()
        self.observe(self._answer, "words")

    @_traits.validate("words")  # type: ignore[untyped-decorator]
    def _checked_words(self, proposal: Any) -> dict[str, Any]:
        """Reject words that no explorer sends: they come from a browser, where other scripts run, too."""
        words: dict[str, Any] = proposal["value"]
        texts = [words.get(name) for name in VECTORS]
        if not all(isinstance(text, str) and INTEGERS.fullmatch(text) for text in texts):
            raise _traits.TraitError(f"words: {', '.join(VECTORS)} are not all texts of integers")
        if words["masks"].count(",") != len(MASK_NAMES) - 1 or words.get("dialect") not in (*DIALECTS, *EXPLORED):
            raise _traits.TraitError("words: these are not five masks and a dialect")
        if self._array is not None and _integers(words["shape"]) != _dims(self._array.shape):
            raise _traits.TraitError(f"words: the shape is that of the array, {self._array.shape}")
        return words

    @_traits.validate("answers")  # type: ignore[untyped-decorator]
    def _checked_answers(self, proposal: Any) -> list[Any]:
        answers: list[Any] = proposal["value"]
        if not all(isinstance(answer, dict) and isinstance(answer.get("right"), bool) for answer in answers):
            raise _traits.TraitError("answers: these are not all dicts that say whether they are right")
        return answers

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the input."""
        return self._numbers("shape")

    @shape.setter
    def shape(self, shape: Any) -> None:
        dims = _dims(shape)
        if self.fixed and dims != self.shape:
            raise ValueError(f"the shape is that of the array, {self.shape}")
        self._change(shape=dims)

    @property
    def spec(self) -> StridedSliceSpec:
        """Begin, end, strides and masks; an index can be assigned, too. Raises as StridedSliceSpec does."""
        begin, end, strides, masks = map(self._numbers, ("begin", "end", "strides", "masks"))
        return StridedSliceSpec(begin, end, strides, *masks)

    @spec.setter
    def spec(self, index_or_spec: Any) -> None:
        self._change(**_spec_numbers(index_or_spec))

    @property
    def dialect(self) -> str:
        """Whose rules apply."""
        dialect: str = self.words["dialect"]
        return dialect

    @dialect.setter
    def dialect(self, dialect: str) -> None:
        self.words = {**self.words, "dialect": _checked_dialect(dialect)}

    @property
    def score(self) -> tuple[int, int]:
        """How many answers of a quiz are right, and how many were given."""
        return sum(answer["right"] for answer in self.answers), len(self.answers)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Also as HTML, the page in a frame: for static pages without a widget manager, which is no part of them."""
        data, metadata = super()._repr_mimebundle_(**kwargs)
        return {**data, "text/html": Explorer(self.words)._repr_html_()}, metadata

    def _numbers(self, name: str) -> tuple[int, ...]:
        return _integers(self.words[name])

    def _change(self, **numbers: tuple[int, ...]) -> None:
        texts = {name: ",".join(map(str, values)) for name, values in numbers.items()}
        self.words = {**{name: text for name, text in self.words.items() if name != "stage"}, **texts}

    def _answer(self, change: object = None) -> None:
        vectors = (self._numbers("begin"), self._numbers("end"), self._numbers("strides"))
        outcome = _outcome(self.shape, vectors, self._numbers("masks"), self.dialect)
        if not isinstance(outcome, Region):
            result: Any = None
        else:
            result = outcome.shape if self._array is None else self._array[outcome.index]
        with self.hold_trait_notifications():
            self.set_trait("error", "" if isinstance(outcome, Region) else str(outcome))
            self.set_trait("result", result)


def made(shape_or_array: Any, index_or_spec: Any, dialect: str, predict: bool, page: str) -> Widget:
    """See `ssop.widget`."""
    array = shape_or_array if hasattr(shape_or_array, "shape") else None
    numbers = {"shape": _dims(shape_or_array if array is None else array.shape), **_spec_numbers(index_or_spec)}
    words = {name: ",".join(map(str, values)) for name, values in numbers.items()}
    words |= {"dialect": _checked_dialect(dialect)} | ({"practice": "predict"} if predict else {})
    return Widget(array, words, page)


def made_quiz(n: int, topics: Sequence[str], difficulty: int, seed: int | None, page: str) -> Widget:
    """See `ssop.widget.quiz`. The browser draws the questions, so that a page has the same ones without a kernel."""
    given = (n, difficulty, randbelow(MAX_SEED + 1) if seed is None else seed)
    for name, value, allowed in zip(("n", "difficulty", "seed"), given, QUIZ_LIMITS, strict=True):
        if as_int(value) not in allowed:
            raise ValueError(f"{name} is {value}, not in {allowed.start}..{allowed.stop - 1}")
    unknown = [topic for topic in topics if topic not in TOPICS]
    if unknown or isinstance(topics, str):
        raise ValueError(f"topics are not all of {', '.join(map(repr, TOPICS))}: {topics!r}")
    words = {name: "" for name in ("shape", "begin", "end", "strides")} | {"masks": "0,0,0,0,0", "dialect": "tf"}
    text = ",".join(map(str, [*map(as_int, given), *topics]))
    return Widget(None, words | {"practice": f"quiz,{text}"}, page)


def _integers(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in text.split(",") if word)


def _dims(shape: Any) -> tuple[int, ...]:
    return _core.strided_slice_region(shape, (), ()).in_shape


def _spec_numbers(given: Any) -> dict[str, tuple[int, ...]]:
    spec = given if isinstance(given, StridedSliceSpec) else StridedSliceSpec.from_index(given)
    begin, end, strides, *masks = spec.arguments
    return {"begin": begin, "end": end, "strides": strides, "masks": tuple(masks)}


def _checked_dialect(dialect: Any) -> str:
    names = (*DIALECTS, *EXPLORED)
    if not isinstance(dialect, str) or dialect not in names:
        given = repr(dialect) if isinstance(dialect, str) else kind_of(dialect)
        message = f"dialect is {given}, not one of {', '.join(map(repr, names))}"
        raise value_error("widget", "ex_c1", message, value=dialect)
    return dialect


def _outcome(
    shape: tuple[int, ...], vectors: Any, masks: tuple[int, ...], dialect: str
) -> Region | PartialShape | SliceError | str:
    """What the call takes of the shape, or the error that it is."""
    try:
        if dialect in DIALECTS:
            spec, dims = read(shape, vectors, masks)
            return traced(DIALECTS[dialect], spec, dims).outcome
        lists = _core.one_slice(shape, *vectors, *masks)
        if lists is None:
            return UNWRITTEN
        return _core.onnx_slice_region(shape, *lists, engine=EXPLORED[dialect])
    except SliceError as error:
        return error
