"""Programs that move data as models of frameworks, for converters, simplifiers and exporters under test.

A `Program` is a list of calls of one framework. `writing` makes a model of it, `engines` runs what a converter gives,
`run` counts verdicts. Nothing here imports a framework before a model is made.
"""

from __future__ import annotations

from typing import Any

__all__ = ["TAKES", "Program", "difftest_models", "draw_program", "run_model", "source_of"]
_HOMES = {
    "Program": "program",
    "TAKES": "program",
    "draw_program": "drawing",
    "source_of": "writing",
    "run_model": "engines",
    "difftest_models": "run",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"ssop.testing.models.{_HOMES[name]}"), name)
