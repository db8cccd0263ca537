"""Operations of XLA that compute take NumPy's arrays only, and name what JAX has for its own."""

import re
from operator import attrgetter

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import ssop
from ssop import xla
from ssop._xla.operands import OF_JAX, own_function

WITHOUT_OPERANDS = {
    "Computation",
    "infeed",
    "recv",
    "register_custom_call",
    "transfer_from_outfeed",
    "unregister_custom_call",
}
J = jnp.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize("name", sorted(set(xla._HOMES) - WITHOUT_OPERANDS))
def test_jax_has_the_function_that_the_message_names(name):
    named = own_function(f"xla.{name}", J)
    if name in OF_JAX and not OF_JAX[name]:
        assert named == "that library's own function"
        assert not hasattr(jax.lax, name)
    else:
        assert callable(attrgetter(named.removeprefix("jax."))(jax))


CALLS = {
    "call": lambda x: xla.call(np.negative, x),
    "map": lambda x: xla.map([x], np.negative),
    "while_": lambda x: xla.while_(np.any, np.negative, x),
    "while_loop": lambda x: xla.while_loop(np.any, np.negative, (1, x)),
    "cond": lambda x: xla.cond(True, np.negative, np.negative, x),
    "conditional": lambda x: xla.conditional(True, x, np.negative, 1, np.negative),
    "switch": lambda x: xla.switch(0, [np.negative], x),
    "tuple": lambda x: xla.tuple(x),
    "outfeed": lambda x: xla.outfeed(x),
    "cross_replica_sum": lambda x: xla.cross_replica_sum([x, x]),
}


@pytest.mark.parametrize("name", CALLS)
def test_arrays_of_jax_are_errors(name):
    with pytest.raises(
        ssop.SliceTypeError, match=re.escape(f"not a NumPy array: call {own_function(name, J)}")
    ) as info:
        CALLS[name](J)
    assert info.value.label == "in_c7"


def test_computations_may_be_functions_of_jax():
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    for f in (jnp.sin, jax.jit(jnp.sin)):
        assert np.array_equal(xla.map([x], f), np.asarray(jnp.sin(x)))
        found = xla.call(f, x)
        assert type(found) is np.ndarray and np.array_equal(found, np.asarray(jnp.sin(x)))
    with pytest.raises(ssop.SliceTypeError, match="cm_c2"):
        xla.map([x, x], jax.jit(jnp.sin))
    state = xla.while_(lambda n: jnp.sum(n) < 10, lambda n: jnp.add(n, 1), np.zeros(3, np.float32))
    assert state.tolist() == [4, 4, 4]
