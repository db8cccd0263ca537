"""What holds of every run of ssop against an engine."""

ACCEPTED_AND_FILLED = 0.6


def check(result, cases, floors=()):
    """No difference that is not explained, none of the known ones vanished or frequent, and enough was compared."""
    shown = [f"{d.call}  # {d.call.how}\n  {result.oracle}: {d.theirs}\n  ssop: {d.ours}\n  {d.complaint}"
             for d in (result.smallest, *result.differences[:5]) if d is not None]  # fmt: skip
    assert not result.differences, "\n".join(shown)
    assert result.vanished == [] and result.comparison.beyond_cap() == {}
    assert result.complete and result.comparison.compared >= cases
    assert result.comparison.below(dict(floors)) == {}
    assert result.filled_share >= ACCEPTED_AND_FILLED
