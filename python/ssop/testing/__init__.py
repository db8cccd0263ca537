"""Tools to test slicing code, ours and yours.

`ssop.testing.difftest` compares an implementation with a real engine on random calls; `ssop.testing.check` does so
in a test of pytest, and `ssop.testing.differential` makes a function of yours such a test. The engines are in
`ssop.testing.oracles`. `ssop.testing.strategies` has Hypothesis strategies and
needs the package hypothesis; with it, `difftest` finds smaller cases. `ssop.testing.run_c` calls a C function once.
`ssop.testing.bench` is the benchmark behind `ssop bench`. Each is loaded when it is used, not with `ssop`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ssop.testing._differential.checking import check as check
    from ssop.testing._differential.declaring import differential as differential
    from ssop.testing._differential.guarded import run_c as run_c
    from ssop.testing._differential.result import Report as Report
    from ssop.testing._differential.run import difftest as difftest
else:
    _HOMES = {
        "difftest": "run",
        "Report": "result",
        "check": "checking",
        "differential": "declaring",
        "run_c": "guarded",
    }

    def __getattr__(name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(f"ssop.testing._differential.{_HOMES[name]}"), name)
