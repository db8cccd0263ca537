"""A user's shape function as the subject of `--what shape`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import partial
from typing import Any

import numpy as np

from ssop._core import SliceError
from ssop.testing._differential.subjects import (
    REJECTIONS,
    Foreign,
    Subject,
    Supports,
    check_signature,
    importable,
    load_function,
    own_line,
    without_masks,
)
from ssop.testing.calls import Answer, Fault, Rejection, ShapeCall
from ssop.testing.calls.partial import dims_of
from ssop.testing.calls.specs import MASKS


class ShapeSubject(Foreign):
    """A function with the parameters of `ssop.shapes.<op>`, or `"module:function"`, imported in the child process.

    It is given the shape and the vectors by position, and the masks that are not 0 by name; what is unknown is None.
    """

    def __init__(self, function: Any, declared: Any, seconds: float) -> None:
        loaded = load_function(function) if isinstance(function, str) else function
        name = function if isinstance(function, str) else getattr(function, "__name__", repr(function))
        supports = Supports.of(declared if declared is not None else getattr(loaded, "supports", None))
        super().__init__(name, partial(ShapeFunction, loaded), supports, seconds)
        self.function = loaded

    def imported(self) -> tuple[str, str]:
        return importable(self.name, self.function)

    def check_signature(self, calls: Sequence[Any]) -> None:
        check_signature(self.name, self.function, [(call.op, *shape_arguments_of(call)) for call in calls])

    def supports(self, call: Any) -> bool:
        low, high = self.declared.ranks
        if call.dialect == "shape" or (call.shape is not None and not low <= len(call.shape) <= high):
            return False
        if any(np.any(call.args.get(mask, 0)) for mask in self.forbidden()):
            return False
        steps = next((call.args[name] for name in ("strides", "steps", "step") if call.args.get(name) is not None), ())
        return self.declared.negative_steps or all(step is not None and step >= 0 for step in steps)

    def adapted(self, call: Any) -> Any:
        args = without_masks(dict(call.args), self.forbidden()) if self.forbidden() else call.args
        return ShapeCall(call.op, call.shape, args, call.mode)

    def forbidden(self) -> list[str]:
        """The masks that it does not know."""
        return [name for name in MASKS if self.declared.masks is not None and name not in self.declared.masks]


def shape_subject_of(subject: Any, *, supports: Any = None, seconds: float = 10.0) -> Subject:
    """The subject that a user names: see `difftest`."""
    if subject is None:
        return Subject()
    if isinstance(subject, str) and subject.rpartition(":")[0].endswith((".so", ".dylib", ".dll")):
        raise ValueError(f"subject {subject!r}: a shape function is one of Python, module:function")
    if not callable(subject) and not isinstance(subject, str):
        raise ValueError(f"a subject is a function or 'module:function', not {subject!r}")
    return ShapeSubject(subject, supports, seconds)


def shape_arguments_of(call: ShapeCall) -> tuple[list[Any], dict[str, Any]]:
    """The shape and the vectors, by position, and the masks that are not 0, by name."""
    vectors = [value for name, value in call.args.items() if not name.endswith("_mask")]
    masks = {name: value for name, value in call.args.items() if name.endswith("_mask") and np.any(value)}
    return [call.shape, *vectors], masks


# In the child process


class ShapeFunction:
    """The server in the child process: `load`, then `answers`."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def load(self) -> None:
        """Nothing is left to do."""

    def answers(self, calls: Sequence[ShapeCall]) -> Iterator[Answer]:
        """What the function returns; whatever is wrong with it is a `Fault` in one line."""
        for call in calls:
            yield self.answer(call)

    def answer(self, call: ShapeCall) -> Answer:
        """One call, whose lists are the function's own copies."""
        from ssop import shapes

        own = deepcopy(call)
        positional, masks = shape_arguments_of(own)
        try:
            result = self.function(*positional, **masks)
        except REJECTIONS as error:
            return Answer(error=Rejection(type(error).__name__, f"{error}{own_line(self.function, error)}"))
        except BaseException as error:
            return Answer(error=Fault(f"raised {type(error).__name__}: {error}{own_line(self.function, error)}"))
        if own != call:
            return Answer(error=Fault("changed its input"))
        try:
            return Answer(dims=dims_of(shapes.PartialShape(result)))
        except SliceError:
            return Answer(error=Fault(f"returned {result!r}, which is no shape"))
