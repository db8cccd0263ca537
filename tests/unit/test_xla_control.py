"""XLA's operations that call computations or move values about, and what reaches the user's functions."""

import signal
import threading
import time

import ml_dtypes
import numpy as np
import pytest

import ssop
from ssop import xla

X = np.arange(6, dtype=np.float32).reshape(2, 3)
NESTED = (X, (np.int32(7), (X > 2,)), ())


def same(value, expected):
    if isinstance(expected, tuple):
        return type(value) is tuple and len(value) == len(expected) and all(map(same, value, expected))
    expected = np.asarray(expected)
    return type(value) is np.ndarray and value.dtype == expected.dtype and np.array_equal(value, expected)


def leaves(value):
    return [x for item in value for x in leaves(item)] if isinstance(value, tuple) else [value]


def private(value, *others):
    """Whether all arrays of a value are new, C-ordered and writeable."""
    return all(
        x.flags.c_contiguous and x.flags.writeable and not any(np.shares_memory(x, y) for y in others)
        for x in leaves(value)
    )


# ---- Call ------------------------------------------------------------------------------------------------------------


def test_ca_s1_values():
    assert same(xla.call(lambda: 5), 5)
    assert same(xla.call(lambda: (1.5, True, 2j)), (1.5, True, 2j))
    assert same(xla.call(lambda *x: x[::-1], X, X[0], 5), (np.asarray(5), X[0], X))
    assert same(xla.call(lambda x: x, NESTED), NESTED)
    assert private(xla.call(lambda x: x, NESTED), X)
    assert same(xla.call(lambda x: [x[0], x[0]], X), np.stack([X[0], X[0]]))  # a list is an array
    assert same(xla.call(np.matmul, X, X.T[:, ::-1]), X @ X.T[:, ::-1])


def test_ca_s1_of_computations():
    built = xla.Computation(lambda x, y: (x * y, y), X, X)
    assert same(xla.call(built, X, X), (X * X, X))
    with pytest.raises(
        ssop.SliceTypeError, match=r"got parameter 1 shape: f32\[2,3\], argument shape: f32\[3\].*cm_c6"
    ):
        xla.call(built, X, X[0])


# ---- Map -------------------------------------------------------------------------------------------------------------


def test_map_s1_elements():
    assert same(xla.map([X, X.T.reshape(2, 3)], lambda x, y: x * y + 1), X * X.T.reshape(2, 3) + 1)
    assert same(xla.map([X], np.sign, [0, 1]), np.sign(X))
    assert same(xla.map(X, lambda x: x if x > 2 else -x), np.where(X > 2, X, -X))
    assert same(xla.map([3, 4], lambda x, y: x - y), -1)
    assert same(xla.map([X, X.astype(np.int8)], lambda x, n: n if x > 2 else -n), np.int8([[0, -1, -2], [3, 4, 5]]))
    assert same(xla.map([X[:0]], lambda x: x > 2), np.zeros((0, 3), bool))


def test_map_s1_scalars_with_arrays():
    two = np.float32(2)
    for operands in ([X, two], [two, X], [two, X, two]):
        expected = sum(operands[1:], operands[0])
        assert same(xla.map(operands, lambda *x: sum(x[1:], x[0])), expected)
    for other in (np.int32(2), np.float64(2)):
        with pytest.raises(ssop.SliceValueError, match="map_c2"):
            xla.map([X, other], lambda x, y: x)


def test_map_s2_static_operands():
    table = np.array([10, 20, 30, 40, 50, 60])
    assert same(xla.map([X], lambda x, t: t[int(x)], static_operands=[table]), table.reshape(2, 3))
    found = xla.map([X], lambda x, p: x * p[0] + p[1], static_operands=[(np.float32(2), np.float32(1))])
    assert same(found, X * 2 + 1)
    with pytest.raises(ssop.SliceTypeError, match="arity: 1, arguments: 2"):
        xla.map([X], lambda x: x, static_operands=[1])


def test_map_out():
    out = np.zeros((3, 2), np.float32).T
    assert xla.map([X], np.negative, out=out) is out
    assert np.array_equal(out, -X)
    with pytest.raises(ssop.SliceTypeError, match="out_c3"):
        xla.map([X], lambda x: x > 2, out=out)


def test_map_in_the_order_of_jax():
    with pytest.raises(
        ssop.SliceTypeError, match=r"jax.lax.map's order of arguments; write map\(operands, computation\)"
    ):
        xla.map(lambda x: x, [X])


# ---- While -----------------------------------------------------------------------------------------------------------


def test_wh_s1_loops():
    assert same(xla.while_(lambda n: n < 10, lambda n: n + 3, np.int8(1)), np.int8(10))
    assert same(xla.while_(lambda n: False, lambda n: 1 / 0, X), X)
    assert private(xla.while_(lambda n: False, lambda n: n, X), X)
    pair = xla.while_(lambda s: s[0] < 5, lambda s: (s[0] + 1, s[1] @ s[1].T), (np.int32(4), np.eye(2)))
    assert same(pair, (np.int32(5), np.eye(2)))
    assert same(xla.while_(lambda s: s[1][0] < 3, lambda s: (s[1], (s[1][0] + 1,)), ((0,), (0,))), ((2,), (3,)))
    assert same(xla.while_loop(lambda n: n < 10, lambda n: n + 3, np.int8(1)), np.int8(10))
    with pytest.raises(ssop.SliceTypeError, match=r"xla.while_loop: body_fun returned f64\[\], not s64\[\]"):
        xla.while_loop(lambda n: n < 10, lambda n: n + 0.5, 1)


def test_wh_s1_fibonacci():
    def body(state):
        n, a, b = state
        return n - 1, b, a + b

    assert xla.while_(lambda state: state[0] > 0, body, (90, 0, 1))[1] == 2880067194370816120


def test_wh_s1_loops_may_be_nested():
    """The old document forbids it."""

    def row(state):
        i, total = state
        inner = xla.while_(lambda s: s[0] < i, lambda s: (s[0] + 1, s[1] + 1), (np.int64(0), total))
        return i + 1, inner[1]

    assert same(xla.while_(lambda s: s[0] < 5, row, (0, 0)), (5, 10))


def test_wh_c2_every_iteration_is_checked():
    with pytest.raises(ssop.SliceTypeError, match=r"body returned s64\[1\], not s64\[\]: The parameter of.*wh_c2"):
        xla.while_(lambda n: np.sum(n) < 10, lambda n: n + 1 if n < 5 else np.reshape(n, 1), 0)
    for body in (lambda n: n + 0.5, lambda n: (n,), lambda n: n[..., None], lambda n: n > 3):
        with pytest.raises(ssop.SliceTypeError, match="wh_c2"):
            xla.while_(lambda n: n < 10, body, np.int32(0))
    built = xla.Computation(lambda n: n > 0, ((), np.int64))
    with pytest.raises(ssop.SliceTypeError, match="wh_c2"):
        xla.while_(lambda n: False, built, 0)  # before anything is called


def test_wh_c1_conditions():
    for condition in (lambda n: n, lambda n: n[None] < 5, lambda n: (n < 5,)):
        with pytest.raises(ssop.SliceTypeError, match="wh_c1|val_c1"):
            xla.while_(condition, lambda n: n, np.int32(0))


def test_endless_loops_end_at_an_interrupt():
    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    start = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            xla.while_(lambda n: True, lambda n: n + 1, 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - start < 10


# ---- Conditional -----------------------------------------------------------------------------------------------------


def never(*_):
    raise AssertionError("the other branch was called")


def test_cd_s1_one_branch_is_called():
    assert same(xla.conditional(True, X, np.negative, 5, never), -X)
    assert same(xla.conditional(np.bool_(False), X, never, (5, 6), lambda t: t[0] + t[1]), 11)
    assert same(xla.cond(True, lambda x, y: (x, y), never, 1, 2), (1, 2))
    assert same(xla.cond(X[0, 0] == 0, lambda: 1, never), 1)
    assert [int(xla.cond(x, lambda: 1, lambda: 0)) for x in (0, 3, -1, 0.0, 0.5, np.nan, 1j)] == [0, 1, 1, 0, 1, 1, 1]
    assert same(xla.switch(1, [never, np.negative], X), -X)
    assert private(xla.conditional(True, X, lambda x: x, X, never), X)


def test_cd_s2_a_number_outside_chooses_the_last_branch():
    branches = [lambda x, n=n: x + n for n in range(3)]
    chosen = [int(xla.indexed_conditional(n, branches, [10] * 3)) for n in (-(2**31), -1, 0, 1, 2, 3, 2**31 - 1)]
    assert chosen == [12, 12, 10, 11, 12, 12, 12]
    assert xla.indexed_conditional(np.int32(0), branches[:1], [10]) == 10


def test_cd_s3_switch_clamps():
    branches = [lambda n=n: n for n in range(3)]
    chosen = [int(xla.switch(n, branches)) for n in (-(2**63), -1, 0, 1, 2, 3, np.uint64(2**63 - 1), np.int8(-4))]
    assert chosen == [0, 0, 0, 1, 2, 2, 2, 0]


@pytest.mark.parametrize("predicate", [1, 0.5, [True], np.int32(1), (True,)], ids=str)
def test_cd_c1_predicates(predicate):
    with pytest.raises(ssop.SliceTypeError, match="branch_index must be bool or int32_t; got .*cd_c1"):
        xla.conditional(predicate, 1, abs, 1, abs)


def test_cd_c1_indices():
    for number in (np.int64(0), np.uint32(0), [0], True):
        with pytest.raises(ssop.SliceTypeError, match="cd_c1"):
            xla.indexed_conditional(np.asarray(number), [abs], [1])
    for number in (True, 0.0, [0]):
        with pytest.raises(ssop.SliceTypeError, match="index is .*, not an integer.*in_c1"):
            xla.switch(number, [abs], 1)
    with pytest.raises(ssop.SliceTypeError, match="cd_c1"):
        xla.cond([True], abs, abs, 1)


def test_cd_c3_results_of_computations_are_compared():
    one, other = xla.Computation(np.negative, X), xla.Computation(np.sum, X)
    for call in (
        lambda: xla.conditional(True, X, one, X, other),
        lambda: xla.cond(True, one, other, X),
        lambda: xla.switch(0, [one, other], X),
        lambda: xla.indexed_conditional(0, [one, one, other], [X] * 3),
    ):
        with pytest.raises(ssop.SliceTypeError, match=r"must have the same shape: .*f32\[2,3\]; .* f32\[\].*cd_c3"):
            call()
    with pytest.raises(ssop.SliceTypeError, match="branch operand 1 must match the shape .*cm_c6"):
        xla.conditional(True, X, one, X[0], other)


# ---- tuples ----------------------------------------------------------------------------------------------------------


def test_tup_s1_tuples():
    made = xla.tuple(X, np.int32(7), (X, 5), [1, 2])
    assert same(made, (X, np.int32(7), (X, 5), [1, 2]))
    assert private(made, X)
    assert xla.tuple() == ()
    for number, expected in enumerate(made):
        assert same(xla.get_tuple_element(made, number), expected)
        assert same(xla.get_tuple_element(made, np.uint8(number)), expected)
    assert private(xla.get_tuple_element((X,), 0), X)


def test_tup_c2_elements():
    for number in (-1, 2, 2**40):
        with pytest.raises(
            ssop.SliceIndexError, match=r"attempt to index out of tuple bounds: .*>= 2 in shape.*tup_c2"
        ):
            xla.get_tuple_element((X, 1), number)
    for wrong in (X, [X, X], 5):
        with pytest.raises(ssop.SliceTypeError, match="attempting to index into non-tuple.*tup_c1"):
            xla.get_tuple_element(wrong, 0)
    with pytest.raises(ssop.SliceTypeError, match="in_c1"):
        xla.get_tuple_element((X,), 0.0)


def test_tup_s2_select():
    other = (X + 1, (np.int32(8), (X > 3,)), ())
    for pred in (True, False, np.bool_(True), np.array(False)):
        chosen = xla.select(pred, NESTED, other)
        assert same(chosen, NESTED if pred else other)
        assert private(chosen, X)


def test_tup_s2_tuples_without_arrays_are_array_like():
    assert same(xla.select([True, False], (1, 2), (3, 4)), [1, 4])
    assert same(xla.select(True, (np.int8(1), 2), (3, 4)), [1, 2])


def test_tup_c3_c4_select():
    for on_false in ((X[0],), (X, X), (X > 2,), ((X,),)):
        with pytest.raises(ssop.SliceTypeError, match="Operands to tuple-select must be the same shape; got .*tup_c3"):
            xla.select(True, (X,), on_false)
    for pred in (1, X > 2, [True]):
        with pytest.raises(ssop.SliceTypeError, match="TupleSelect.*tup_c4"):
            xla.select(pred, (X,), (X,))


# ---- CustomCall ------------------------------------------------------------------------------------------------------


@pytest.fixture
def register():
    names = []

    def run(name, f):
        xla.register_custom_call(name, f)
        names.append(name)

    yield run
    for name in names:
        xla.unregister_custom_call(name)


def test_cc_s1_outputs(register):
    def write(out, operands):
        (x,) = operands
        assert not x.flags.writeable
        out[1] = x[0]
        out.flags.writeable = False

    register("write", write)
    assert same(xla.custom_call("write", [X[0]], ((3,), np.float32)), np.float32([0, 0, 0]))
    assert same(xla.custom_call("write", [X[1]], X[0]), np.float32([0, 3, 0]))

    def two(out, operands):
        out[0][...] = operands[0][0]
        out[1][...] = operands[0][1]

    register("two", two)
    assert same(xla.custom_call("two", [(1, X)], (((), "i4"), X)), (np.int32(1), X))


def test_cc_names(register):
    register("one", print)
    xla.register_custom_call("one", print)  # the same function again
    with pytest.raises(ssop.SliceValueError, match="Duplicate custom call registration.*cc_c1"):
        xla.register_custom_call("one", abs)
    with pytest.raises(ssop.SliceValueError, match="No registered implementation for custom call to none.*cc_c2"):
        xla.custom_call("none", [], X)
    with pytest.raises(ssop.SliceValueError, match="cc_c2"):
        xla.unregister_custom_call("none")
    with pytest.raises(ssop.SliceTypeError, match="cm_c1"):
        xla.register_custom_call("two", 2)
    for call in (xla.unregister_custom_call, lambda x: xla.register_custom_call(x, abs)):
        with pytest.raises(ssop.SliceTypeError, match="cc_c4"):
            call(b"one")


def test_cc_c3_results_are_written(register):
    register("returns", lambda out, operands: operands[0])
    with pytest.raises(ssop.SliceTypeError, match="returned a ndarray, not None.*cc_c3"):
        xla.custom_call("returns", [X], X)


# ---- queues ----------------------------------------------------------------------------------------------------------


def test_qu_s1_first_in_first_out():
    x = X.copy()
    for n in range(3):
        xla.transfer_to_infeed((x, n))
        x += 1
    for n in range(3):
        assert same(xla.infeed((X, ((), np.int64))), (X + n, n))
    xla.outfeed(X > 2)
    assert same(xla.transfer_from_outfeed(((2, 3), bool)), X > 2)


def test_qu_s1_channels():
    xla.send(X, 1)
    xla.send(5, 2)
    xla.send((X, 5), 1)
    assert same(xla.recv(((), int), 2), 5)
    assert same(xla.recv(X, 1), X)
    assert same(xla.recv((X, ((), int)), np.int8(1)), (X, 5))
    with pytest.raises(ssop.SliceValueError, match="channel 1 is empty.*qu_c1"):
        xla.recv(X, 1)


def test_qu_s1_empty_tuples_are_not_queued():
    xla.transfer_to_infeed(())
    assert xla.infeed(()) == ()
    with pytest.raises(ssop.SliceValueError, match="the infeed is empty: transfer_to_infeed.*qu_c1"):
        xla.infeed(X)


def test_qu_c2_a_value_of_another_type_stays():
    xla.outfeed(X)
    for shape in (X[0], X.T, (X,), ((2, 3), np.int32)):
        with pytest.raises(ssop.SliceTypeError, match=r"the first value in the outfeed is f32\[2,3\], not .*qu_c2"):
            xla.transfer_from_outfeed(shape)
    assert same(xla.transfer_from_outfeed(X), X)


def test_qu_c3_nested_tuples():
    for call in (xla.outfeed, xla.transfer_to_infeed, xla.infeed, lambda x: xla.send(x, 3), lambda x: xla.recv(x, 3)):
        with pytest.raises(ssop.SliceTypeError, match="nested tuple.*qu_c3"):
            call(((X,),))


def test_qu_s1_while_reads_the_infeed_in_order():
    """The old document's example: the second loop depends on the first one."""
    for n in range(1, 7):
        xla.transfer_to_infeed(np.float32(n))
    shape = ((), np.float32)
    first = xla.while_(lambda x: x < 3, lambda x: xla.infeed(shape), np.float32(0))
    second = xla.while_(lambda x: x < 6, lambda x: xla.infeed(shape), first)
    assert (first, second) == (3, 6)


def test_queues_in_threads():
    taken = []

    def take():
        while len(taken) < 400:
            try:
                taken.append(int(xla.recv(((), np.int64), 11)))
            except ssop.SliceValueError:
                time.sleep(0.001)

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for n in range(400):
        xla.send(n, 11)
    for thread in threads:
        thread.join()
    assert sorted(taken) == list(range(400))


# ---- CrossReplicaSum -------------------------------------------------------------------------------------------------


def test_crs_s1_sums():
    for operands in ([X], [X, X + 1, X * 2], [X > 2, X > 3], [np.int8(100), np.int8(100)], [X[:0]] * 2):
        expected = np.asarray(operands[0])
        with np.errstate(over="ignore"):
            for x in operands[1:]:
                expected = np.add(expected, x)
        sums = xla.cross_replica_sum(operands)
        assert type(sums) is list
        assert len(sums) == len(operands)
        assert all(same(x, expected) for x in sums)
        assert private(tuple(sums), X)
    assert not np.shares_memory(*xla.cross_replica_sum([X, X]))


def test_crs_c2_replicas_run_one_program():
    for other in (X[0], X > 2, X.astype(np.float64)):
        with pytest.raises(ssop.SliceTypeError, match="entry 1 of operands is .*crs_c2"):
            xla.cross_replica_sum([X, other])
    with pytest.raises(ssop.SliceValueError, match="crs_c1"):
        xla.cross_replica_sum([])


# ---- all of them -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("x", ["text", None, np.array("2020", "M8[D]"), np.array([object()])], ids=type)
def test_et_c1_what_is_no_value(x):
    for call in (
        lambda: xla.call(abs, x),
        lambda: xla.map([x], abs),
        lambda: xla.while_(abs, abs, x),
        lambda: xla.conditional(True, x, abs, 1, abs),
        lambda: xla.tuple(1, x),
        lambda: xla.outfeed(x),
        lambda: xla.cross_replica_sum([x]),
    ):
        with pytest.raises(ssop.SliceTypeError, match="et_c1|in_c12"):
            call()


def test_every_element_type():
    for dtype in (*"?bhilBHILefdFD", ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.int4):
        x = np.array([0, 1, 2]).astype(dtype)
        assert same(xla.call(lambda x: x, x), x)
        assert same(xla.map([x], lambda x: x), x)
        assert same(xla.while_(lambda s: s[0] < 1, lambda s: (s[0] + 1, s[1][::-1]), (0, x))[1], x[::-1])
        assert same(xla.cond(True, lambda x: x, never, x), x)
        assert same(xla.cross_replica_sum([x, np.zeros_like(x)])[1], x)
        xla.outfeed(x)
        assert same(xla.transfer_from_outfeed(x), x)
