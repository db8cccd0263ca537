"""Programs of several operations as data of JSON, and asking an engine again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ssop.testing._differential.comparison import Difference
from ssop.testing.chains.program import At, Chain, Step
from ssop.testing.corpus.calls import array_from_json, array_to_json, value_from_json, value_to_json
from ssop.testing.corpus.files import Failure
from ssop.testing.corpus.replaying import Replayed


def chain_to_json(chain: Chain) -> dict[str, Any]:
    """A chain; `chain_from_json` reads it."""
    return {
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
    """Programs that an engine compiles, beside ssop's operations one after the other."""
    from ssop.testing._differential.comparison import ssop_answer
    from ssop.testing.chains.engines import chain_oracle

    engine = chain_oracle(group[0].oracle)
    results = []
    try:
        for failure in group:
            chain = chain_from_json(failure.program)
            (theirs,), ours = engine.answers([chain]), ssop_answer(chain)
            told = f"the engine {theirs}, ssop {ours}"
            both = theirs.error is None and ours.error is None
            if (theirs.error is not None and ours.error is not None) or (both and theirs.agrees(ours)):
                results.append(Replayed(failure, "mended", told))
            else:
                kind = Difference(chain, theirs, ours, "").kind
                results.append(Replayed(failure, "there" if kind == failure.failure else "other", told))
    finally:
        engine.close()
    yield from results
