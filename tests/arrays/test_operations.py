"""The calls that are tried with every library: all operations, in the words of SPEC.md's rules."""

from arrays.cells import CALLS
from ssop._lazy import operations


def test_every_operation_is_called():
    names = {row.name for row in operations.OPERATIONS} | {"xla.select", "xla.clamp"}
    assert names - {name.partition(" ")[0] for name in CALLS} == {"copyto"}  # which writes into NumPy's arrays alone
