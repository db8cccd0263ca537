"""Every public callable with anything: no crash, no hang, and no error that is not documented.

The walk that finds the callables leaves nothing out silently. fuzz/callables.py makes more of these calls.
"""

import pkgutil
import re
from pathlib import Path

import pytest

import ssop
from memory.anything import DOCUMENTED
from memory.anything_child import Campaign
from memory.callables import CALLABLES_LEFT_OUT, KEPT, LEFT_OUT, callables, modules
from memory.hostile import KINDS
from scale import examples

PAGES = Path(__file__).parents[2] / "docs" / "reference"
CALLS = 2500
# Processor time: endless work is found on the slowest machine, and other work takes less on every machine.
SECONDS = 20


@pytest.fixture(scope="module")
def everything():
    return {called.name: called for called in callables()}


def test_every_module_is_walked_or_left_out_for_a_reason():
    there_are = {"ssop", *(module.name for module in pkgutil.walk_packages(ssop.__path__, "ssop."))}
    walked = {module.__name__ for module in modules()}
    private = {name for name in there_are if re.search(r"\._(?!_main__)", name)}
    rest = there_are - walked - private
    assert {name for name in rest if not any(name == out or name.startswith(f"{out}.") for out in LEFT_OUT)} == set()
    assert set(LEFT_OUT) <= there_are


def test_every_name_on_the_pages_is_called(everything):
    """The pages name what is public, in a way of their own."""
    named = re.findall(r":: (ssop[\w.]*)", "".join(page.read_text("utf-8") for page in PAGES.glob("*.md")))
    walked = {module.__name__ for module in modules()}
    left_out = {*LEFT_OUT, *CALLABLES_LEFT_OUT}
    # ssop.infer_shape and others have several names, of which the walk keeps the first.
    missing = {
        name
        for name in named
        if name not in everything
        and name not in walked
        and not any(name == out or name.startswith(f"{out}.") for out in left_out)
    }
    assert missing == set()
    assert len(named) > 40


def test_what_is_left_out_or_documented_exists(everything):
    for name in [*CALLABLES_LEFT_OUT, *KEPT]:
        owner, _, attribute = name.rpartition(".")
        found = ssop
        for part in owner.split(".")[1:]:
            found = getattr(found, part)
        assert hasattr(found, attribute), name
    assert set(DOCUMENTED) <= set(everything)


def test_every_callable_accepts_its_plausible_arguments(everything):
    """Else a hostile one would be rejected for another's sake."""
    for name, called in everything.items():
        if name in DOCUMENTED and name.endswith("__hash__"):
            continue
        positional, keywords = [], {}
        for parameter, kind in called.parameters:
            value = called.makers[parameter]()
            if kind is kind.VAR_POSITIONAL:
                positional += value
            elif kind is kind.VAR_KEYWORD:
                keywords |= value
            elif kind is kind.KEYWORD_ONLY:
                keywords[parameter] = value
            else:
                positional.append(value)
        called.get()(*positional, **keywords)


def test_there_are_thirty_kinds_of_objects():
    assert len(KINDS) >= 30


def test_any_call_ends_well(report):
    calls = examples(CALLS)
    campaign = Campaign(seed=1, first=0, calls=calls, seconds=SECONDS)
    found = list(campaign.run())
    assert found == []
    assert campaign.made == calls
    report(f"{calls} calls of {campaign.callables} callables with anything")
