"""Broken calls of XLA's operations that call computations or move values about."""

import numpy as np

from ssop import shapes, xla
from unit.error_case import Case

X = np.arange(12, dtype=np.int64).reshape(3, 4)
SAME = "The parameter of condition and body, the result of the body, and init must all have the same shape; got"
DOUBLE = xla.Computation(lambda x: x + x, ((3,), np.float32))
NEGATIVE, TOTAL = xla.Computation(np.negative, X), xla.Computation(np.sum, X)
DEEP = X
for _ in range(33):
    DEEP = (DEEP,)


def pair(x):
    return x, x


def first(out, operands):
    return operands[0]


def returns(_, operands):
    xla.register_custom_call("test_errors.first", first)
    try:
        xla.custom_call("test_errors.first", operands, X)
    finally:
        xla.unregister_custom_call("test_errors.first")


def taken(name, other):
    xla.register_custom_call(name, first)
    try:
        xla.register_custom_call(name, other)
    finally:
        xla.unregister_custom_call(name)


def sent(x, shape):
    xla.send(x, 1000)
    try:
        xla.recv(shape, 1000)
    finally:
        xla.recv(x, 1000)


COMPUTATIONS = [
    Case("cm_c1", "xla.call", (xla.call, "add", 1), "computation is a str, not callable", value="add"),
    Case("cm_c1", "xla.register_custom_call", (xla.register_custom_call, "f", None), "f is None, not callable"),
    Case("cm_c2", "xla.call", (xla.call, pair),
         "computation takes 1 arguments, not 0: Call applied function arity must match number of arguments; "
         "got: arity: 1, arguments: 0.", value=1),
    Case("cm_c2", "xla.map", (xla.map, [X, X], np.negative),
         "computation takes 1 arguments, not 2: Map applied function arity must match number of arguments; "
         "got: arity: 1, arguments: 2.", value=1),
    Case("cm_c2", "xla.while_", (xla.while_, np.less, pair, X),
         "condition takes 2 arguments, not 1: Condition must take 1 arguments; got 2.", value=2),
    Case("cm_c2", "xla.while_", (xla.while_, pair, np.add, X),
         "body takes 2 arguments, not 1: Body must take 1 arguments; got 2.", value=2),
    Case("cm_c2", "xla.conditional", (xla.conditional, True, X, pair, X, np.add),
         "false_computation takes 2 arguments, not 1: branch computation 1 must take 1 argument; got 2.", value=2),
    Case("cm_c3", "xla.map", (xla.map, [X], pair),
         "computation returned 2 results, not 1: Mapped computation's result has to be a scalar; "
         "got: a tuple with 2 elements.", value=2),
    Case("cm_c3", "xla.call", (xla.call, lambda: None), "computation returned None, not an array or a tuple of arrays"),
    Case("cm_c4", "xla.map", (xla.map, [X], lambda x: np.ones(2)),
         "computation returned an array of shape (2,), not a scalar: Mapped computation's result has to be a scalar; "
         "got: f64[2].", value=(2,)),
    Case("cm_c5", "xla.map", (xla.map, [X], lambda x: x if x < 5 else np.float32(x)),
         "computation returned dtypes int64 and float32 for elements of one array", value=np.dtype(np.float32)),
    Case("cm_c6", "xla.call", (xla.call, DOUBLE, X),
         "argument 0 of computation is s64[3,4], and its parameter f32[3]: Call parameter must match argument; "
         "got parameter 0 shape: f32[3], argument shape: s64[3,4].", value="s64[3,4]"),
    Case("cm_c6", "xla.while_", (xla.while_, DOUBLE, DOUBLE, X),
         f"argument 0 of condition is s64[3,4], and its parameter f32[3]: {SAME} condition: f32[3]; init: s64[3,4].",
         value="s64[3,4]"),
    Case("cm_c6", "xla.cond", (xla.cond, True, NEGATIVE, DOUBLE, X),
         "argument 0 of false_fun is s64[3,4], and its parameter f32[3]: branch operand 1 must match the shape of the "
         "only parameter of branch computation 1: got operand: s64[3,4]; computation: f32[3].", value="s64[3,4]"),
    Case("cm_c7", "xla.Computation", (xla.Computation, np.negative, [3]),
         "shapes[0] is a list, not an array, a pair (shape, dtype) or a tuple of these", value=[3]),
    Case("cm_c7", "xla.infeed", (xla.infeed, ((3,), "f3")),
         "shape has a str for a dtype, not one of NumPy's", value="f3"),
    Case("cm_c8", "xla.outfeed", (xla.outfeed, DEEP),
         "operand" + 32 * "[0]" + " has more than 65536 elements, or tuples in more than 32 levels"),
    Case("cm_c9", "xla.call", (shapes.xla.call, np.negative, [3]),
         "computation is a ufunc, not a Computation, whose result has a known shape", value=np.negative),
    Case("et_c1", "xla.call", (xla.call, np.negative, "text"),
         "operand 0 has dtype <U4, which XLA has no element type for", value=np.dtype("<U4")),
]  # fmt: skip

CONTROL = [
    Case("map_c1", "xla.map", (xla.map, (), np.negative), "operands is empty: Map expects at least one argument."),
    Case("map_c2", "xla.map", (xla.map, [X, X[0]], np.add),
         "an operand has shape (4,), another (3, 4): Map operation requires all operands to have the same shape; "
         "got: s64[3,4], s64[4].", value=(4,)),
    Case("map_c3", "xla.map", (xla.map, [X], np.negative, [0]),
         "dimensions has 1 entries, not 2: Map applied to a subset of dimensions currently not supported: "
         "arg_dimension_size: 2, requested_map_dimensions_size: 1.", value=1, allowed=(2, 2)),
    Case("map_c4", "xla.map", (xla.map, [X], np.negative, [0, 0]),
         "dimensions entry 1 is 0, not 1: Map requires monotonically increasing dimension numbers; got: 0, 0.",
         entry=1, value=0, allowed=(1, 1)),
    Case("in_c5", "xla.map", (xla.map, np.negative, [X]),
         "operands is a ufunc, not a sequence of arrays: jax.lax.map's order of arguments; "
         "write map(operands, computation)", value=np.negative),
    Case("wh_c1", "xla.while_", (xla.while_, np.negative, np.negative, X),
         "condition returned s64[3,4], not pred[]: Condition must return a boolean; got s64[3,4].", value="s64[3,4]"),
    Case("wh_c2", "xla.while_", (xla.while_, np.any, pair, X),
         f"body returned (s64[3,4], s64[3,4]), not s64[3,4]: {SAME} body: (s64[3,4], s64[3,4]); init: s64[3,4].",
         value="(s64[3,4], s64[3,4])"),
    Case("cd_c1", "xla.conditional", (xla.conditional, [True], X, pair, X, pair),
         "predicate is pred[1], not pred[]: branch_index must be bool or int32_t; got pred[1].", value="pred[1]"),
    Case("cd_c1", "xla.indexed_conditional", (xla.indexed_conditional, np.int64(0), [pair], [X]),
         "branch_index is s64[], not s32[]: branch_index must be bool or int32_t; got s64[].", value="s64[]"),
    Case("cd_c2", "xla.indexed_conditional", (xla.indexed_conditional, 0, [pair, pair], [X]),
         "there are 2 branches and 1 operands, not one or more of both", value=1),
    Case("cd_c3", "xla.cond", (xla.cond, True, NEGATIVE, TOTAL, X),
         "false_fun returns s64[], the first branch s64[3,4]: the result of branch 0 computation and branch 1 "
         "computation must have the same shape: got branch 0 computation result: s64[3,4]; branch 1 computation "
         "result: s64[].", value="s64[]"),
    Case("crs_c1", "xla.cross_replica_sum", (xla.cross_replica_sum, []), "operands is empty: there are no replicas"),
    Case("crs_c2", "xla.cross_replica_sum", (xla.cross_replica_sum, [X, X[0]]),
         "entry 1 of operands is s64[4], not s64[3,4]: all replicas run the same program", entry=1, value="s64[4]"),
]  # fmt: skip

VALUES = [
    Case("tup_c1", "xla.get_tuple_element", (xla.get_tuple_element, X, 0),
         "tuple_data is s64[3,4], not a tuple: Cannot infer shape: attempting to index into non-tuple: s64[3,4].",
         value="s64[3,4]"),
    Case("tup_c2", "xla.get_tuple_element", (xla.get_tuple_element, (X, X), 2),
         "index 2 is not in 0..1: Cannot infer shape: attempt to index out of tuple bounds: 2 >= 2 in shape "
         "(s64[3,4], s64[3,4]).", value=2, allowed=(0, 1)),
    Case("tup_c3", "xla.select", (xla.select, True, (X,), (X, X)),
         "on_false is (s64[3,4], s64[3,4]), not (s64[3,4]): Operands to tuple-select must be the same shape; got "
         "(s64[3,4]) and (s64[3,4], s64[3,4]).", value="(s64[3,4], s64[3,4])"),
    Case("tup_c4", "xla.select", (xla.select, [True, False], (X,), (X,)),
         "pred is pred[2], not pred[]: TupleSelect's pred operand must have PRED element type; TupleSelect operation "
         "with non-scalar predicate: pred[2].", value="pred[2]"),
    Case("cc_c1", "xla.register_custom_call", (taken, "test_errors.f", pair),
         "target_name 'test_errors.f' is taken: Duplicate custom call registration detected for symbol",
         value="test_errors.f"),
    Case("cc_c2", "xla.custom_call", (xla.custom_call, "nobody", [X], X),
         "target_name 'nobody' is not registered: No registered implementation for custom call to nobody",
         value="nobody"),
    Case("cc_c3", "xla.custom_call", (returns, None, [(X, 1)]),
         "'test_errors.first' returned a tuple, not None: it writes to its first argument"),
    Case("cc_c4", "xla.custom_call", (xla.custom_call, b"f", [X], X), "target_name is a bytes, not a str", value=b"f"),
    Case("qu_c1", "xla.recv", (xla.recv, X, 7), "channel 7 is empty: send has put no value there"),
    Case("qu_c2", "xla.recv", (sent, X, X[0]), "the first value in channel 1000 is s64[3,4], not s64[4]",
         value="s64[4]"),
    Case("qu_c3", "xla.outfeed", (xla.outfeed, (1, (X,))),
         "operand is (s64[], (s64[3,4])), a tuple in a tuple: nested tuple shapes are not supported",
         value="(s64[], (s64[3,4]))"),
]  # fmt: skip

CASES = [*COMPUTATIONS, *CONTROL, *VALUES]
