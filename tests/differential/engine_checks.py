"""What holds of every run of ssop against an engine; of a share of the calls, a share of each floor."""

from scale import SCALE, floor

MIN_SHARE = 0.6 if SCALE >= 1 else 0.55
"""The least share of calls that both sides accept and that take something. It varies with the seed of few calls."""


def check(result, floors=()):
    """No difference that is not explained, none of the known ones vanished or frequent, and enough was compared."""
    shown = [f"{d.call}  # {d.call.how}\n  {result.oracle}: {d.theirs}\n  ssop: {d.ours}\n  {d.complaint}"
             for d in (result.smallest, *result.differences[:5]) if d is not None]  # fmt: skip
    assert not result.differences, "\n".join(shown)
    comparison = result.comparison
    assert result.vanished == [] and comparison.beyond_cap() == {}
    assert result.complete and comparison.compared >= result.cases - comparison.counts["not run"]
    check_counts(result, floors)
    accepted = result.filled_share if result.what == "values" else comparison.counts["accepted"] / comparison.compared
    assert accepted >= MIN_SHARE


def check_counts(result, floors):
    """Enough was counted of each kind."""
    assert result.comparison.below({name: floor(count) for name, count in dict(floors).items()}) == {}


def check_rules(result, labels, count, but=frozenset()):
    """Every rule is broken, but for some, at least `count` times; by a share of the calls two in three rules."""
    rare = result.comparison.rarely_broken(labels, floor(count))
    assert rare.keys() <= set(but) if SCALE >= 1 else len(rare) <= len(labels) // 3, rare
