"""Which rows of ssop/divergences.json a call meets: their predicates are functions of `known` and `known_shapes`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ssop.divergences import rows
from ssop.testing._differential import known, known_shapes
from ssop.testing.calls import Call, ShapeCall
from ssop.testing.chains import Chain
from ssop.testing.chains.known import explained_by


def explanations(engine: str, call: Call | ShapeCall | Chain, theirs: Any, ours: Any) -> list[str]:
    """The rows of an engine that explain a difference."""
    if isinstance(call, Chain):
        return explained_by(engine, call, theirs)
    kind, module = ("shapes", known_shapes) if isinstance(call, ShapeCall) else ("divergence", known)
    names = [row["predicate"] for row in rows(kind, of=engine)]
    return [name for name in names if _predicate(module, name)(call, theirs, ours)]


def dangers(engine: str, call: Call | ShapeCall | Chain) -> list[str]:
    """The rows of an engine because of which it may not be asked."""
    if isinstance(call, ShapeCall | Chain):
        return []
    names = [row["predicate"] for row in rows("not_sent", of=engine)]
    return [name for name in names if _predicate(known, name)(call)]


def _predicate(module: Any, name: str) -> Callable[..., bool]:
    found: Callable[..., bool] = getattr(module, name)
    return found
