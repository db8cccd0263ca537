"""The worked examples of five documents on which ssop agrees with the text. `ssop.divergences` has the others.

`tools/documents.py` writes docs/documents.md from both. tests/unit/test_document_page.py runs each example in ssop,
tests/differential/test_document_examples.py in the framework.
"""

from typing import NamedTuple

import numpy as np

VALUES = {
    "a": "np.arange(5.0)",
    "b": "np.arange(12.0).reshape(4, 3)",
    "cube": "np.resize(np.float32([1, 2, 3, 4, 5, 6]), (4, 2, 3))",
    "v": "np.float32([[10, 11, 12], [15, 16, 17]]) + np.float32([0, 10, 20, 30])[:, None, None]",
    "x": "np.arange(720).reshape(6, 3, 4, 10)",
}
"""The arrays that calls of `EXAMPLES` name, as docs/documents.md shows them."""
NAMES = {"np": np} | {name: eval(value, {"np": np}) for name, value in VALUES.items()}
"""What those calls may name."""


class Example(NamedTuple):
    document: str  # a key of `ssop.divergences.DOCUMENTS`, or "inference"
    title: str
    call: str
    gives: str  # the result as `repr` writes it, which is what the document says, too
    rule: str  # of SPEC.md


def tensorflow(title: str, call: str, gives: str, rule: str) -> Example:
    return Example("tensorflow", title, f"ssop.strided_slice({call}", gives, rule)


def blog(title: str, call: str, gives: str, rule: str) -> Example:
    return Example("blog", title, f"ssop.strided_slice({call}", gives, rule)


def openvino(title: str, call: str, gives: str, rule: str) -> Example:
    return Example("openvino", title, f"ssop.openvino.strided_slice({call}", gives, rule)


def inference(title: str, call: str, gives: str, rule: str) -> Example:
    return Example("inference", title, f"ssop.shapes.PartialShape({call}", gives, rule)


def xla(title: str, call: str, gives: str, rule: str) -> Example:
    return Example("xla", title, f"ssop.xla.{call}", gives, rule)


EXAMPLES = [
    tensorflow(
        "`foo[1, 2:4, None, ..., :-3:-1, :]` on six axes of 5",
        "np.ones((5,) * 6), [1, 2, 0, 0, 0, 0], [2, 4, 0, 0, -3, 0], [1, 1, 1, 1, -1, 1], 48, 32, 8, 4, 1).shape",
        "(2, 1, 5, 5, 2, 5)",
        "ss_s7",
    ),
    tensorflow("`foo[:]` of shape (3,)", "np.arange(3), [0], [0], [1], 1, 1)", "array([0, 1, 2])", "ss_s5"),
    tensorflow("`foo[0:-1]`, which is not the same", "np.arange(3), [0], [-1])", "array([0, 1])", "ss_s4"),
    tensorflow(
        "`foo[2, :]` of shape (5, 6)",
        "np.ones((5, 6)), [2, 0], [3, 0], [1, 1], 2, 2, shrink_axis_mask=1).shape",
        "(6,)",
        "ss_s7",
    ),
    openvino("-1 is the last element", "np.arange(4), [-1], [4])", "array([3])", "ss_s4"),
    openvino("-5 of 4 elements is clamped", "np.arange(4), [-5], [2])", "array([0, 1])", "ss_s4"),
    openvino(
        "a negative end, `array[0:2, 0:2, 0:-1]`",
        "np.ones((2, 3, 4)), [0, 0, 0], [2, 2, -1], [1, 1, 1]).shape",
        "(2, 2, 3)",
        "ss_s4",
    ),
    openvino(
        "new_axis_mask",
        "np.ones((2, 4)), [1234, 0, -1, 0], [1234, 2, 9876, 4], [132, 1, 241, 1], new_axis_mask=[1, 0, 1, 0]).shape",
        "(1, 2, 1, 4)",
        "ss_s3",
    ),
    openvino(
        "shrink_axis_mask",
        "np.ones((1, 2, 384, 640, 8), 'i1'), [0] * 5, [1, 0, 384, 640, 8], shrink_axis_mask=[0, 1, 0, 0, 0]).shape",
        "(1, 384, 640, 8)",
        "ov_s3",
    ),
    openvino(
        "`array[0, ..., 0]` on ten axes",
        "np.ones((2,) * 10), [0, 0, 0], [0, 0, 0], shrink_axis_mask=[1, 0, 1], ellipsis_mask=[0, 1, 0]).shape",
        "(2, 2, 2, 2, 2, 2, 2, 2)",
        "ss_s2",
    ),
    blog("sparse mode: missing axes are whole", "np.ones((6, 3, 4, 5)), [0, 1], [3, 5], [1, 2]).shape",
         "(3, 1, 4, 5)", "ss_s2"),
    blog("four new axes", "np.ones((6, 3, 4, 5)), [0] * 4, [0] * 4, new_axis_mask=0b1111).shape",
         "(1, 1, 1, 1, 6, 3, 4, 5)", "ss_s3"),
    blog(
        "first calculation: the ellipsis overrides a new axis",
        "x, [0, 0, 2, 2], [3, 2, 4, 8], [1] * 4, new_axis_mask=0b1001, shrink_axis_mask=4, ellipsis_mask=8).shape",
        "(1, 2, 4, 10)",
        "ss_s1",
    ),
    blog(
        "second calculation: the ellipsis overrides a shrunk axis",
        "x, [0, 0, 2, 2], [3, 2, 4, 8], [1] * 4, new_axis_mask=0b1001, shrink_axis_mask=4, ellipsis_mask=4).shape",
        "(1, 2, 3, 4, 10, 1)",
        "ss_s1",
    ),
    Example("inference", "MatMul of [2,3] and [3,4]", "ssop.xla.dot(np.ones((2, 3)), np.ones((3, 4))).shape", "(2, 4)",
            "dot_s1"),
    inference("merge [2,?] and [?,2]", "[2, None]).merge([None, 2])", "PartialShape([2, 2])", "sh_s3"),
    inference("merge [2,2] and [1,2]", "[2, 2]).merge([1, 2])", "sh_c2", "sh_c2"),
    inference("relax [2,?] and [?,2]", "[2, None]).relax([None, 2])", "PartialShape([None, None])", "sh_s4"),
    inference(
        "relax [2,2] and [3,2]", "[2, 2]).relax([3, 2], mode='tf')", "PartialShape([None, 2])", "sh_s4"
    ),
    inference("relax [2,2] and [1,2,3]", "[2, 2]).relax([1, 2, 3])", "PartialShape(None)", "sh_s4"),
    xla("Broadcast", "broadcast(np.float32(2.0), [2, 3]).tolist()", "[[2.0, 2.0, 2.0], [2.0, 2.0, 2.0]]", "bc_s1"),
    xla("Collapse of all three axes", "collapse(v, [0, 1, 2]).shape", "(24,)", "col_s1"),
    xla(
        "Concatenate in one dimension",
        "concatenate([np.array([2, 3]), np.array([4, 5]), np.array([6, 7])], 0)",
        "array([2, 3, 4, 5, 6, 7])",
        "cat_s1",
    ),
    xla(
        "Concatenate in two",
        "concatenate([np.array([[1, 2], [3, 4], [5, 6]]), np.array([[7, 8]])], 0).tolist()",
        "[[1, 2], [3, 4], [5, 6], [7, 8]]",
        "cat_s1",
    ),
    xla(
        "ConvertElementType",
        "convert_element_type(np.array([0, 1, 2], 'i4'), np.float32)",
        "array([0., 1., 2.], dtype=float32)",
        "cvt_s4",
    ),
    xla(
        "CrossReplicaSum",
        "cross_replica_sum([np.array([1.0, 2.5]), np.array([3.0, 5.1])])[0]",
        "array([4. , 7.6])",
        "crs_s1",
    ),
    xla("GetTupleElement", "get_tuple_element((np.arange(10.0), np.int32(5)), 1)", "array(5, dtype=int32)", "tup_s1"),
    xla("Reduce of dimension 0", "reduce(cube, 0, ssop.xla.add, [0]).tolist()",
        "[[4.0, 8.0, 12.0], [16.0, 20.0, 24.0]]", "red_s1"),
    xla("Reduce of dimension 2", "reduce(cube, 0, ssop.xla.add, [2]).tolist()",
        "[[6.0, 15.0], [6.0, 15.0], [6.0, 15.0], [6.0, 15.0]]", "red_s1"),
    xla("Reduce of dimensions 0 and 1", "reduce(cube, 0, ssop.xla.add, [0, 1]).tolist()",
        "[20.0, 28.0, 36.0]", "red_s1"),
    xla("Reduce of all", "reduce(cube, 0, ssop.xla.add, [0, 1, 2]).tolist()", "84.0", "red_s1"),
    xla("ReduceWindow of a 4x6 matrix",
        "reduce_window(np.ones((4, 6)), -np.inf, ssop.xla.max, (2, 3), (2, 3), 'VALID').shape", "(2, 2)", "win_s1"),
    xla("Reshape in order", "reshape(v, [8, 3], [0, 1, 2])[:2].tolist()",
        "[[10.0, 11.0, 12.0], [15.0, 16.0, 17.0]]", "rs_s1"),
    xla("Reshape out of order", "reshape(v, [8, 3], [1, 2, 0])[:2].tolist()",
        "[[10.0, 20.0, 30.0], [40.0, 11.0, 21.0]]", "rs_s2"),
    xla("Reshape out of order to {2, 6, 2}", "reshape(v, [2, 6, 2], [1, 2, 0])[1, :2].tolist()",
        "[[15.0, 25.0], [35.0, 45.0]]", "rs_s2"),
    xla("Reshape to a scalar", "reshape(np.array([[5.0]]), [], [0, 1]).tolist()", "5.0", "rs_s1"),
    xla("Reshape of a scalar", "reshape(np.array(5.0), [1, 1], []).tolist()", "[[5.0]]", "rs_s1"),
    xla(
        "Select by an array",
        "select(np.array([True, False, False, True]), np.arange(1, 5), np.arange(1, 5) * 100)",
        "array([  1, 200, 300,   4])",
        "sel_s1",
    ),
    xla("Select by a scalar", "select(np.array(True), np.arange(1, 5), np.arange(1, 5) * 100)",
        "array([1, 2, 3, 4])", "sel_s2"),
    xla("Slice in one dimension", "slice(a, [2], [4])", "array([2., 3.])", "sl_s1"),
    xla("Slice in two", "slice(b, [2, 1], [4, 3]).tolist()", "[[7.0, 8.0], [10.0, 11.0]]", "sl_s1"),
    xla("DynamicSlice in one dimension", "dynamic_slice(a, [2], [2])", "array([2., 3.])", "ds_s1"),
    xla("DynamicSlice in two", "dynamic_slice(b, [2, 1], [2, 2]).tolist()", "[[7.0, 8.0], [10.0, 11.0]]", "ds_s1"),
    xla("DynamicUpdateSlice in one dimension", "dynamic_update_slice(a, np.array([5.0, 6.0]), [2])",
        "array([0., 1., 5., 6., 4.])", "dus_s1"),
    xla(
        "DynamicUpdateSlice in two",
        "dynamic_update_slice(b, np.arange(12.0, 18.0).reshape(3, 2), [1, 1]).tolist()",
        "[[0.0, 1.0, 2.0], [3.0, 12.0, 13.0], [6.0, 14.0, 15.0], [9.0, 16.0, 17.0]]",
        "dus_s1",
    ),
    xla(
        "While that counts to 1000",
        "while_(lambda r: r[0] < 1000, lambda r: (r[0] + 1, r[1] + 1), (0, np.zeros(10)))[0]",
        "array(1000)",
        "wh_s1",
    ),
]  # fmt: skip
