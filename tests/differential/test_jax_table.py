"""Every operation of XLA's document has calls that are compared with JAX, or a reason why it has none."""

from collections import Counter

import jax
import pytest
from jax import lax

from differential import (
    test_jax_control,
    test_jax_dots,
    test_jax_elementwise,
    test_jax_gathering,
    test_jax_moving,
    test_jax_numbers,
    test_jax_windows,
)
from differential.jax_calls import COMPILED, EAGER, SETS, compare
from scale import examples
from ssop import xla

MODULES = (
    test_jax_control,
    test_jax_dots,
    test_jax_elementwise,
    test_jax_gathering,
    test_jax_moving,
    test_jax_numbers,
    test_jax_windows,
)
ROWS = [(name, module) for module in MODULES for name in module.ROWS]

DOCUMENT = """
    batch_norm_grad batch_norm_inference batch_norm_training broadcast call clamp collapse concatenate
    convert_element_type conv conv_with_general_padding cross_replica_sum custom_call dot
    add sub mul div rem max min logical_and logical_or eq ne ge gt le lt
    abs ceil cos exp floor is_finite log logical_not neg sign tanh
    get_tuple_element infeed map pad reduce reduce_precision reduce_window reshape rev
    rng_bernoulli rng_normal rng_uniform select_and_scatter select slice dynamic_slice dynamic_update_slice sort
    transpose tuple while_
""".split()
"""The operations of XLA's document of 2017, under their names here, in its order."""

QUEUES = "values come from a queue of the host: jax.lax has no such function"
TUPLES = "JAX has no tuples of its own: a tuple of Python is one"
RANDOM = "the bits are not specified: distributions are tested in tests/unit/test_xla_random.py"
WITHOUT = {
    "custom_call": "it calls a function of the user's; JAX calls machine code",
    "infeed": QUEUES,
    "get_tuple_element": TUPLES,
    "tuple": TUPLES,
    "rng_bernoulli": RANDOM,
    "rng_normal": RANDOM,
    "rng_uniform": RANDOM,
}
"""Why nothing is compared."""


def compared():
    """The names that have rows; of some, a part of the arguments has a row of its own."""
    return {name.split(",")[0] for name, _ in ROWS}


def test_the_document_has_61_operations():
    assert len(DOCUMENT) == len(set(DOCUMENT)) == 61
    assert set(DOCUMENT) <= set(xla.__all__)


def test_each_operation_is_compared_or_cannot_be():
    assert set(DOCUMENT) - compared() == set(WITHOUT)
    assert compared() <= set(xla.__all__)


def test_no_operation_has_two_rows_of_one_name():
    assert max(Counter(name for name, _ in ROWS).values()) == 1


@pytest.mark.parametrize("name", [name for name in WITHOUT if not name.startswith("rng")])
def test_jax_has_no_such_function(name):
    assert not hasattr(lax, name) or name == "infeed" and not callable(getattr(lax, name))


def counted(name, module):
    """How many calls the runner makes of an operation."""
    counts = Counter()

    def counting(calls):
        def theirs(*operands):
            counts["traced" if isinstance(operands[0], jax.core.Tracer) else "eager"] += 1
            return calls.theirs(*operands)

        return calls._replace(theirs=theirs)

    compare(module.ROWS[name].map(counting))
    return counts


def test_the_runner_calls_as_often_as_it_says():
    counts = counted("neg", test_jax_elementwise)
    assert examples(EAGER) <= counts["eager"] < examples(EAGER) + SETS
    assert counts["traced"] >= examples(COMPILED) / SETS


def test_a_wrong_result_is_told():
    def wrong(calls):
        return calls._replace(ours=lambda x: calls.ours(x) + x.dtype.type(1))

    with pytest.raises(AssertionError):
        compare(test_jax_elementwise.ROWS["floor"].map(wrong))
