"""Programs of several operations as data of JSON, and asking an engine again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ssop.testing._differential.comparison import Difference
from ssop.testing.calls import Answer, Fault
from ssop.testing.chains.program import At, Chain, Step
from ssop.testing.corpus.calls import array_from_json, array_to_json, value_from_json, value_to_json
from ssop.testing.corpus.files import Failure
from ssop.testing.corpus.replaying import Replayed, named_subject

SECONDS = 60.0
"""Time limit of a subject for one program."""


def chain_to_json(chain: Chain, takes: str = "") -> dict[str, Any]:
    """A chain, and what a subject takes of it; `chain_from_json` reads it."""
    return {
        **({"takes": takes} if takes else {}),
        "inputs": {name: array_to_json(array) for name, array in chain.inputs.items()},
        "steps": [
            {
                "name": step.name,
                "op": step.op,
                "operands": list(step.operands),
                "args": {key: _argument_to_json(value) for key, value in step.args.items()},
            }
            for step in chain.steps
        ],
        "how": chain.how,
    }


def _argument_to_json(value: Any) -> Any:
    return {"at": value.name} if isinstance(value, At) else value_to_json(value)


def _argument_from_json(value: Any) -> Any:
    return At(value["at"]) if isinstance(value, Mapping) and "at" in value else value_from_json(value)


def chain_from_json(data: Mapping[str, Any]) -> Chain:
    """The chain of `chain_to_json`.

    >>> import numpy as np
    >>> chain = Chain({"x0": np.arange(1, 4)}, (Step("y0", "xla.rev", ("x0",), {"dimensions": [0]}),))
    >>> str(chain_from_json(chain_to_json(chain))) == str(chain)
    True
    """
    steps = (
        Step(
            step["name"],
            step["op"],
            tuple(step["operands"]),
            {key: _argument_from_json(value) for key, value in step["args"].items()},
        )
        for step in data["steps"]
    )
    inputs = {name: array_from_json(array) for name, array in data["inputs"].items()}
    return Chain(inputs, tuple(steps), data["how"])


def replay_chains(group: Sequence[Failure], subject: str | None) -> Iterator[Replayed]:
    """Programs of an engine that compiles them or of a subject, beside ssop's operations one after the other."""
    from ssop.testing._differential.comparison import ssop_answer
    from ssop.testing.chains.engines import chain_oracle
    from ssop.testing.chains.subjects import ChainSubject

    foreign = subject is not None or group[0].subject is not None
    side: Any = None
    if foreign:
        side = ChainSubject(named_subject(group, subject), group[0].program.get("takes"), None, SECONDS)
    engine = chain_oracle(group[0].oracle, takes=side.kinds if foreign else None)
    results = []
    try:
        for failure in group:
            chain = chain_from_json(failure.program)
            (theirs,) = engine.answers([chain])
            ours = side.answers([chain])[0] if foreign else ssop_answer(chain)
            told = f"{engine.name} {theirs}, {side.name if foreign else 'ssop'} {ours}"
            both = theirs.error is None and ours.error is None
            if _both_reject(theirs, ours) or (both and theirs.agrees(ours)):
                results.append(Replayed(failure, "mended", told))
            else:
                kind = Difference(chain, theirs, ours, "").kind
                results.append(Replayed(failure, "there" if kind == failure.failure else "other", told))
    finally:
        engine.close()
        if foreign:
            side.close()
    yield from results


def _both_reject(theirs: Answer, ours: Answer) -> bool:
    errors = (theirs.error, ours.error)
    return all(error is not None and not isinstance(error, Fault) for error in errors)
