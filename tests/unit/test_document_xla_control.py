"""XLA's operation semantics (in Chinese, of about 2017): the operations that call computations or move values about.

Each example and each sentence that can be tested. Where the document has been overtaken, the test shows both.
"""

import numpy as np
import pytest

import ssop
from ssop import xla


def label_of(f, *args):
    with pytest.raises(ssop.SliceError) as caught:
        f(*args)
    return caught.value.label


# ---- Call ------------------------------------------------------------------------------------------------------------


def test_call():
    """The arity and the types of the arguments must match the parameters of the computation. It may have none."""
    built = xla.Computation(lambda x, t: x + t[0], ((2,), np.float32), (((2,), np.float32), ((), bool)))
    x = np.array([1, 2], np.float32)
    assert xla.call(built, x, (x, True)).tolist() == [2, 4]
    assert label_of(xla.call, built, x) == "cm_c2"
    assert label_of(xla.call, built, x, x) == "cm_c6"
    assert label_of(xla.call, built, x.astype(np.float64), (x, True)) == "cm_c6"
    assert xla.call(lambda: np.float32(5)) == 5


# ---- CrossReplicaSum -------------------------------------------------------------------------------------------------


def test_cross_replica_sum():
    """(1.0, 2.5) and (3.0, 5.1) on two replicas give (4.0, 7.6) on both. The output's shape is the input's."""
    operands = np.array([1.0, 2.5], np.float32), np.array([3.0, 5.1], np.float32)
    first, second = xla.cross_replica_sum(operands)
    assert np.array_equal(first, np.array([4.0, 7.6], np.float32))
    assert np.array_equal(first, second)
    assert first.shape == operands[0].shape


# ---- CustomCall ------------------------------------------------------------------------------------------------------


def test_custom_call():
    """x = {1, 2}, y = {{10, 20, 30}, {40, 50, 60}}: CustomCall("myfunc", {x, y}, f32[3x3])."""
    x, y = np.array([1, 2], np.float32), np.array([[10, 20, 30], [40, 50, 60]], np.float32)

    def myfunc(out, operands):
        x, y = operands
        assert (x[0], x[1]) == (1, 2)
        assert [y[0][0], y[0][1], y[0][2]] == [10, 20, 30]
        assert [y[1][0], y[1][1], y[1][2]] == [40, 50, 60]
        z = out
        z[0][0] = x[1] + y[1][0]

    xla.register_custom_call("myfunc", myfunc)
    try:
        z = xla.custom_call("myfunc", [x, y], ((3, 3), np.float32))
    finally:
        xla.unregister_custom_call("myfunc")
    assert (z.shape, z.dtype, z[0, 0]) == ((3, 3), np.float32, 42)


def test_custom_call_has_one_signature():
    """Whatever the arity and the types of the arguments are: void target_name(void* out, void** in)."""
    seen = []
    xla.register_custom_call("seen", lambda out, operands: seen.append((out.shape, len(operands))))
    try:
        for operands in ([], [1], [(1, np.zeros(3)), 2, 3]):
            xla.custom_call("seen", operands, ((2,), np.int32))
    finally:
        xla.unregister_custom_call("seen")
    assert seen == [((2,), 0), ((2,), 1), ((2,), 3)]


# ---- Tuple and GetTupleElement ---------------------------------------------------------------------------------------


def test_tuple_and_get_tuple_element():
    """let t = tuple(v, s) with v: f32[10] and s: s32 = 5; gettupleelement(t, 1) is an s32."""
    v, s = np.arange(10, dtype=np.float32), np.int32(5)
    t = xla.tuple(v, s)
    assert (t[0].shape, t[0].dtype, t[1].shape, t[1].dtype) == ((10,), np.float32, (), np.int32)
    element_1 = xla.get_tuple_element(t, 1)
    assert (element_1.shape, element_1.dtype, element_1) == ((), np.int32, 5)


def test_get_tuple_element_takes_a_constant():
    """ "The value must be a compile-time constant": an integer here, no array of other elements."""
    assert label_of(xla.get_tuple_element, (1, 2), np.array([0])) == "in_c1"


# ---- Infeed ----------------------------------------------------------------------------------------------------------


def test_infeed_reads_one_item():
    """It reads a single item from the implicit stream and interprets it as the given shape."""
    xla.transfer_to_infeed(np.array([1, 2], np.float32))
    xla.transfer_to_infeed(np.array([3, 4], np.float32))
    shape = ((2,), np.float32)
    assert [xla.infeed(shape).tolist(), xla.infeed(shape).tolist()] == [[1, 2], [3, 4]]


def test_infeeds_have_a_total_order():
    """Two loops that read it, of which the second one's init is the first one's result."""
    shape = ((), np.int32)
    for n in (1, 2, -1, 3, 4, -2):
        xla.transfer_to_infeed(np.int32(n))
    result1 = xla.while_(lambda n: n >= 0, lambda n: xla.infeed(shape), np.int32(0))
    result2 = xla.while_(lambda n: n != -2, lambda n: xla.infeed(shape), result1)
    assert (result1, result2) == (-1, -2)


def test_infeed_of_tuples():
    """Nested tuple shapes are not supported. For an empty tuple, nothing is read."""
    assert label_of(xla.infeed, ((((), np.int32),), ((), np.int32))) == "qu_c3"
    xla.transfer_to_infeed((np.int32(1), np.float32(2)))
    assert xla.infeed(()) == ()
    assert xla.infeed((((), np.int32), ((), np.float32))) == (1, 2)


# ---- Map -------------------------------------------------------------------------------------------------------------


def test_map():
    """Map(op1, op2, op3, computation, par1) maps elem_out <- computation(elem1, elem2, elem3, par1)."""
    op1, op2, op3 = np.arange(12.0).reshape(3, 2, 2)
    par1 = np.array([100.0, 200.0])
    result = xla.map([op1, op2, op3], lambda x, y, z, p: x * y - z + p[1], None, [par1])
    assert np.array_equal(result, op1 * op2 - op3 + 200)


def test_map_of_other_types():
    """The operands have types T_0 .. T_{N-1}; the output has their dimensions, and the element type S."""
    result = xla.map([np.arange(4), np.arange(4) / 2], lambda n, x: n > x)
    assert (result.dtype, result.tolist()) == (bool, [False, True, True, True])
    assert label_of(xla.map, [np.arange(4)], lambda n: np.ones(2)) == "cm_c4"  # S is a scalar type


def test_map_dimensions():
    """The array of map dimensions; today they are all dimensions, in order."""
    x = np.arange(6).reshape(2, 3)
    assert np.array_equal(xla.map([x], np.negative, [0, 1]), -x)
    assert label_of(xla.map, [x], np.negative, [0]) == "map_c3"
    assert label_of(xla.map, [x], np.negative, [1, 0]) == "map_c4"


# ---- Select of tuples ------------------------------------------------------------------------------------------------


def test_select_of_tuples():
    """Tuples count as scalars: they must have the same shape, and pred must be a scalar."""
    on_true, on_false = (np.arange(3), np.float32(1)), (np.arange(3, 6), np.float32(2))
    chosen = xla.select(False, on_true, on_false)
    assert chosen[0].tolist() == [3, 4, 5] and chosen[1] == 2
    assert label_of(xla.select, [True, False], on_true, on_false) == "tup_c4"
    assert label_of(xla.select, True, on_true, (np.arange(4), np.float32(2))) == "tup_c3"


# ---- While -----------------------------------------------------------------------------------------------------------


def test_while():
    """A counter and a vector of 10: for 1000 iterations, a constant vector is added."""
    constant_vector = np.linspace(0, 1, 10, dtype=np.float32)
    init = (np.int32(0), np.zeros(10, np.float32))
    iteration, vector = xla.while_(
        lambda result: result[0] < 1000, lambda result: (result[0] + 1, result[1] + constant_vector), init
    )
    assert (iteration.dtype, iteration) == (np.int32, 1000)
    expected = np.zeros(10, np.float32)
    for _ in range(1000):
        expected += constant_vector
    assert np.array_equal(vector, expected)


def test_while_keeps_its_type():
    """The shape of T is determined statically and must be the same in all iterations."""
    assert label_of(xla.while_, lambda x: x.size < 9, lambda x: np.append(x, x), np.ones(1)) == "wh_c2"
    assert label_of(xla.while_, lambda x: (x < 9, x), lambda x: x, np.ones(())) == "wh_c1"


def test_while_may_be_nested_today():
    """ "While nodes are not allowed to be nested": today's XLA allows it, and so does this."""

    def body(n):
        return xla.while_(lambda m: m % 4 != 0, lambda m: m + 1, n + 1)

    assert xla.while_(lambda n: n < 10, body, 0) == 12
