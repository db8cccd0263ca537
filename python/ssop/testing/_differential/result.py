"""What came of a run: its counts, and the smallest case of each kind of difference."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from ssop.testing._differential.comparison import RULES, Comparison, Difference


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
    vanished: list[str] = field(default_factory=list)
    """Known divergences that were not seen, though the calls that should show them were sent."""
    complete: bool = True
    """False if it was ended by too many differences or by Ctrl-C."""

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
        known = self.what == "values" and all(op in RULES for op in self.ops)
        rules = dict.fromkeys(rule for op in self.ops for rule in RULES[op]) if known else {}
        return [rule for rule in rules if not self.comparison.rules[rule]]

    @property
    def filled_share(self) -> float:
        """The share of the compared calls that both sides accept and that take something."""
        return self.comparison.counts["with elements"] / max(self.comparison.compared, 1)

    def __str__(self) -> str:
        return f"{self.subject} against {self.versions}: seed {self.seed}, {self.what}: {self.comparison}"
