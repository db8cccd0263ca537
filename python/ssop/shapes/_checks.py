"""What contexts, registrations and lists of nodes are given, checked before it is used (sh_c22, sh_c30, sh_c36)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from ssop import _core
from ssop._errors import index_error, kind_of, type_error, value_error
from ssop._vectors import has_items, integer

MAX_ITEMS: Final = 2**16  # more than any operation has inputs: ends what claims to be endless


def items_of(op: str, name: str, given: Any, of: str) -> list[Any]:
    """The items of a sequence, of which at most MAX_ITEMS are read."""
    if isinstance(given, (str, bytes, Mapping, np.generic)) or not has_items(given):
        raise type_error(op, "sh_c36", f"{name} is {kind_of(given)}, not a sequence of {of}", value=given)
    count = len(given)
    if count > MAX_ITEMS:
        raise value_error(op, "sh_c30", f"{name} has {count} entries, more than {MAX_ITEMS}", value=count)
    return [given[i] for i in range(count)]


def names_of(op: str, name: str, given: Any) -> tuple[str, ...]:
    """Different names."""
    names = items_of(op, name, given, "names")
    for entry in names:
        text_of(op, f"an entry of {name}", entry)
        if names.count(entry) > 1:
            raise value_error(op, "sh_c30", f"{name} has '{entry}' twice", value=entry)
    return tuple(names)


def text_of(op: str, name: str, given: Any) -> str:
    """A name that is not empty."""
    if not isinstance(given, str) or not given:
        given_text = "empty" if isinstance(given, str) else kind_of(given)
        raise type_error(op, "sh_c36", f"{name} is {given_text}, not a name", value=given)
    return given


def count_of(op: str, name: str, given: Any) -> int:
    """A number of inputs or outputs."""
    count = integer(op, name, given)
    if not 0 <= count <= MAX_ITEMS:
        raise value_error(op, "sh_c30", f"{name} is {count}, not in 0..{MAX_ITEMS}", value=count)
    return count


def place_of(op: str, kind: str, given: Any, count: int, names: Sequence[str] = ()) -> int:
    """The number of an input, an output or an element, which may be its name (sh_c22)."""
    if isinstance(given, str):
        if given in names:
            return names.index(given)
        there = f": there are {', '.join(names)}" if names else f": the {kind}s have no names"
        raise index_error(op, "sh_c22", f"no {kind} has the name '{given}'{there}", value=given)
    i = integer(op, f"the number of an {kind}", given)
    if not 0 <= i < count:
        message = f"{kind} {i} is not in 0..{count - 1}"
        raise index_error(op, "sh_c22", message, value=i, allowed=(0, count - 1))
    return i


def array_of(op: str, name: str, given: Any) -> np.ndarray[Any, Any]:
    """A tensor as a NumPy array."""
    try:
        return _core.as_array(given)
    except (TypeError, ValueError) as error:
        message = f"{name} is {kind_of(given)}, of which NumPy makes no array: {error}"
        raise type_error(op, "sh_c36", message, value=given) from None


def near_names(name: str, names: Sequence[str]) -> str:
    """The end of a message about an unknown name: the nearest that there is, if one is near."""
    from difflib import get_close_matches  # takes longer to import than most calls

    lower = {known.lower(): known for known in names}
    near = get_close_matches(name.lower(), lower, 1)
    return f": did you mean '{lower[near[0]]}'?" if near else ""
