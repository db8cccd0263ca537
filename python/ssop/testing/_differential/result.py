"""What came of a run: its counts, and the smallest case of each kind of difference."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from ssop.testing._differential.comparison import RULES, Comparison, Difference
from ssop.testing.chains.drawing import Kinds, pairs_of


class Case(NamedTuple):
    """The smallest difference of one kind, and how often there were differences of this kind."""

    difference: Difference
    times: int
    oracle_program: str = ""
    subject_program: str = ""
    debugger: tuple[str, ...] = ()
    """Lines that say how to run the subject's program in a debugger."""


@dataclass
class Report:
    """What came of a run; `passed` is what its exit code says."""

    oracle: str
    subject: str
    versions: str
    ops: list[str]
    seed: int
    cases: int
    what: str
    comparison: Comparison
    seconds: float = 0.0
    cases_found: list[Case] = field(default_factory=list)
    """The smallest case of each kind of unexplained difference, those first that are answered fastest."""
    known_cases: dict[str, Case] = field(default_factory=dict)
    """The smallest chain of each known defect that was met."""
    vanished: list[str] = field(default_factory=list)
    """Known divergences that were not seen, though the calls that should show them were sent."""
    takes: str = ""
    """What a subject of chains is given."""
    complete: bool = True
    """False if it was ended by too many differences or by Ctrl-C."""
    interrupted: bool = False
    """Whether Ctrl-C ended it."""

    @property
    def smallest(self) -> Difference | None:
        """The first of the smallest cases."""
        return self.cases_found[0].difference if self.cases_found else None

    @property
    def passed(self) -> bool:
        """No unexplained difference, no divergence beyond its cap, none that vanished."""
        return not (self.comparison.differences or self.comparison.beyond_cap() or self.vanished)

    @property
    def differences(self) -> list[Difference]:
        """Those that nothing explains."""
        return self.comparison.differences

    @property
    def rules_not_met(self) -> list[str]:
        """The rules of the operations that no compared call met; none where not all rules are counted."""
        return [rule for rule in self.rules_known if not self.comparison.rules[rule]]

    @property
    def rules_known(self) -> list[str]:
        """The rules that the operations have, if all of them are counted."""
        if self.kinds is not None:
            return self.kinds.rules
        known = self.what == "values" and all(op in RULES for op in self.ops)
        return list(dict.fromkeys(rule for op in self.ops for rule in RULES[op])) if known else []

    @property
    def pairs_not_met(self) -> list[str]:
        """The pairs of rules that no step of a chain and the next one met."""
        pairs = pairs_of(self.kinds.rules) if self.kinds is not None else []
        return [pair for pair in pairs if not self.comparison.pairs[pair]]

    @property
    def kinds(self) -> Kinds | None:
        """Which chains were drawn, if chains were."""
        return getattr(self.comparison.engine, "kinds", None)

    @property
    def filled_share(self) -> float:
        """The share of the compared calls that both sides accept and that take something."""
        return self.comparison.counts["with elements"] / max(self.comparison.compared, 1)

    def __str__(self) -> str:
        return f"{self.subject} against {self.versions}: seed {self.seed}, {self.what}: {self.comparison}"
