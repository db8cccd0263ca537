"""InferenceContext: what shape functions ask and say, what is recorded, and how their errors come back."""

import pickle

import numpy as np
import pytest

import ssop
from ssop.shapes import Dim, InferenceContext, PartialShape, ShapeAndType

INT64 = np.int64


def context(*shapes, **keywords):
    return InferenceContext("Op", shapes, **keywords)


def error_of(function, *arguments, **keywords):
    with pytest.raises(ssop.SliceError) as caught:
        function(*arguments, **keywords)
    return caught.value


# ---- inputs and outputs ----------------------------------------------------------------------------------------------


def test_inputs_outputs_and_attributes():
    c = InferenceContext(
        "Op", [[2, None], None], name="node", attributes={"axis": 1}, num_outputs=2, graph_def_version=7, mode="tight"
    )
    assert (c.op, c.name, c.graph_def_version, c.mode, c.num_inputs, c.num_outputs) == ("Op", "node", 7, "tight", 2, 2)
    assert c.inputs == (PartialShape([2, None]), PartialShape(None)) and c.input(0) == c.inputs[0]
    assert c.attribute("axis") == 1 and c.attribute("other", 5) == 5
    assert c.output(1).rank is None and c.outputs == (PartialShape(None),) * 2
    c.set_output(1, [3])
    c.set_input(1, [4])
    assert c.outputs == (PartialShape(None), PartialShape([3])) and c.input(1) == PartialShape([4])
    c.expand_outputs(3)
    assert c.num_outputs == 3 and c.output(2).rank is None and c.output_handle_shapes_and_types(2) is None
    assert repr(c) == "<InferenceContext of {{node node}} = Op[axis=1] with input shapes: [2,?], [4]>"


def test_sh_c22_numbers_of_inputs_and_outputs():
    c = context([2])
    for method in (
        c.input,
        c.input_tensor,
        c.requested_input_tensor,
        c.input_tensor_as_shape,
        c.requested_input_tensor_as_partial_shape,
        c.output,
        c.input_handle_shapes_and_types,
        c.output_handle_shapes_and_types,
    ):
        for i in (1, -1):
            error = error_of(method, i)
            assert (type(error), error.label, error.value, error.allowed) == (ssop.SliceIndexError, "sh_c22", i, (0, 0))
    assert error_of(c.merge_input, 1, [2]).label == "sh_c22"
    assert error_of(c.set_output, 1, [2]).label == "sh_c22"
    assert error_of(c.scalar_from_tensor, np.array([1, 2]), 2).label == "sh_c22"


def test_sh_c30_construction_errors_are_reported_by_run():
    calls = []
    for c, text in (
        (context([2], num_inputs=2), "Wrong number of inputs passed: 1 while 2 expected based on NodeDef"),
        (context([2], input_tensors=[None, None]), "input_tensors has 2 entries for 1 inputs"),
        (
            context([2], input_handle_shapes_and_types=[None] * 3),
            "Wrong number of input handle shapes and types passed",
        ),
    ):
        assert c.construction_error.label == "sh_c30"
        error = error_of(c.run, calls.append)
        assert error is c.construction_error and text in str(error)
    bad = context([2], [-3])
    assert error_of(bad.run, calls.append).label == "in_c10"
    assert calls == []
    assert error_of(context().expand_outputs, 0).label == "sh_c30"
    assert error_of(context, mode="loose").label == "sh_c25"


def test_sh_c31_missing_attribute():
    error = error_of(context([2]).run, lambda c: c.attribute("axis"))
    assert (error.label, error.value) == ("sh_c31", "axis") and "No attr named 'axis' in NodeDef" in str(error)


# ---- running shape functions -----------------------------------------------------------------------------------------


def test_sh_s16_run_returns_outputs_and_unknown_ones():
    c = context([2], num_outputs=2)
    assert c.run(lambda c: c.set_output(0, c.input(0))) == (PartialShape([2]), PartialShape(None))


def test_errors_come_back_with_the_operation_and_its_inputs():
    c = InferenceContext("Mul", [[2, None], [3]], name="product", attributes={"T": "float", "a": 1})
    error = error_of(c.run, lambda c: c.merge(c.input(0), c.input(1)))
    assert str(error) == (
        "Mul: Shapes must be equal rank, but are 2 and 1 for '{{node product}} = Mul[T=float, a=1]' with input shapes: "
        "[2,?], [3]. [sh_c1]"
    )
    assert (type(error), error.op, error.label) == (ssop.SliceValueError, "Mul", "sh_c1")
    assert isinstance(error.__cause__, ssop.SliceValueError) and error.value == error.__cause__.value


def test_errors_show_the_values_that_were_asked_for():
    tensors = [np.array([[1, 2], [3, 4]]), np.arange(300), None]
    c = context([2, 2], [300], [1], [2], input_tensors=tensors, input_tensors_as_shapes=[None, None, [5, None], None])

    def fail(c):
        c.input_tensor(0), c.input_tensor(1), c.input_tensor_as_shape(2), c.input_tensor(3)
        c.with_rank(c.input(0), 1)

    message = str(error_of(c.run, fail))
    assert (
        "with input shapes: [2,2], [300], [1], [2] and with computed input tensors: input[0] = <1 2 3 4>, " in message
    )
    assert "254 255...> and with input tensors computed as partial shapes: input[2] = [5,?]. [sh_c4]" in message
    assert "computed" not in str(error_of(context([2], input_tensors=[np.array(1)]).run, lambda c: c.with_rank([2], 2)))


def test_sh_c33_value_error_of_the_function_itself():
    error = error_of(context([2]).run, lambda c: int("x"))
    assert (type(error), error.label) == (ssop.SliceValueError, "sh_c33")
    assert "with base 10: 'x' for '{{node Op}} = Op[]' with input shapes: [2]." in str(error)
    assert isinstance(error.__cause__, ValueError)


def test_other_exceptions_pass_through():
    with pytest.raises(ZeroDivisionError):
        context().run(lambda c: 1 // 0)
    with pytest.raises(TypeError, match="^no$"):
        context().run(lambda c: (_ for _ in ()).throw(TypeError("no")))


# ---- merge and relax -------------------------------------------------------------------------------------------------


def test_merge_input_says_whether_anything_changed():
    c = context([2, None])
    before = c.input(0)
    for same in (before, None, [None, None], [2, None]):
        assert c.merge_input(0, same) is False and c.input(0).id == before.id
    assert c.merge_input(0, [1, 2]) is False and c.input(0).id == before.id  # a contradiction
    assert c.merge_input(0, [1]) is False and c.input(0).id == before.id
    assert c.merge_input(0, [None, 2]) is True and c.input(0).dims == (2, 2)
    unknown = context(None)
    given = PartialShape([3])
    assert unknown.merge_input(0, given) is True and unknown.input(0) is given


def test_relax_input_says_whether_anything_changed():
    c = context([2, 2])
    before = c.input(0)
    assert c.relax_input(0, [2, 2]) is False and c.input(0).id == before.id
    assert c.relax_input(0, [3, 2]) is True and c.input(0).dims == (None, 2)
    assert c.relax_input(0, [1, 2, 3]) is True and c.input(0).rank is None
    tight = context([2, 2], mode="tight")
    assert tight.relax_input(0, [3, 2]) is True and tight.input(0).intervals == ((2, 3), (2, 2))


def test_sh_s14_merges_are_recorded():
    c = context()
    a, b = PartialShape([2, None]), PartialShape([None, 3])
    new = c.merge(a, b)
    assert [(x.id, y.id) for x, y in c.merged_shapes] == [(a.id, b.id), (a.id, new.id)]
    assert [(str(x), str(y)) for x, y in c.merged_dims] == [("2", "?"), ("?", "3")]
    c.merge(a, a)
    c.merge(Dim(2), 2)
    assert (len(c.merged_shapes), len(c.merged_dims)) == (2, 2)  # nothing new
    assert error_of(c.merge, a, [3, 3]).label == "sh_c2"
    assert error_of(c.merge, 2, 3).label == "sh_c3"
    assert (len(c.merged_shapes), len(c.merged_dims)) == (2, 2)
    c.merge(None, [2])
    c.with_rank(None, 1)
    c.with_value(None, 4)
    c.merge_prefix([None, 5], [2])
    assert (len(c.merged_shapes), len(c.merged_dims)) == (4, 4)
    c.with_rank([2], 1)
    c.with_value(4, 4)
    c.merge_prefix(None, [2])
    assert (len(c.merged_shapes), len(c.merged_dims)) == (4, 4)


def test_sh_s14_relax_forgets_merges_unless_nothing_changes():
    dim = Dim()
    shape = PartialShape([dim, 2])
    for old, new, kept in (
        (shape, shape, 1),
        (shape, [dim, 2], 1),
        (shape, [None, 2], 0),
        (shape, None, 0),
        (None, shape, 0),
        (2, Dim(2), 1),
        (2, 3, 0),
        (dim, dim, 1),
        (dim, None, 0),
    ):
        c = context()
        c.merge(None, 4)
        c.relax(old, new)
        assert len(c.merged_dims) == kept, (old, new)


def test_run_forgets_what_was_merged_before_and_by_a_failing_function():
    c = context()
    c.merge(None, 4)
    c.run(lambda c: None)
    assert c.merged_dims == ()

    def merge_and_fail(c):
        c.merge(None, 4)
        c.merge(4, 5)

    assert error_of(c.run, merge_and_fail).label == "sh_c3"
    assert c.merged_dims == ()


# ---- the rules, by the context's names -------------------------------------------------------------------------------


def test_shapes_and_dims_are_made():
    c = context()
    assert c.make_shape([2, None, (1, 4)]).intervals == ((2, 2), (0, None), (1, 4))
    assert (c.scalar().dims, c.vector(None).dims, c.matrix(2, 3).dims) == ((), (None,), (2, 3))
    assert c.unknown_shape().rank is None and c.unknown_shape_of_rank(2).dims == (None, None)
    assert (c.make_dim(3), c.make_dim((1, 2)).interval, c.unknown_dim().value) == (Dim(3), (1, 2), None)
    assert not c.unknown_dim().same_as(c.unknown_dim())
    assert error_of(c.unknown_shape_of_rank, 65).label == "sh_c7"


def test_questions_about_partly_known_shapes():
    c = context()
    assert (c.rank([2, 3]), c.rank(None), c.rank_known(None), c.rank_known([])) == (2, None, False, True)
    assert (c.fully_defined([2, 3]), c.fully_defined([2, None]), c.fully_defined(None)) == (True, False, False)
    assert (c.dim([2, 3], -1), c.dim(None, 7).value) == (Dim(3), None)
    assert (c.value(2), c.value(None), c.value_known(2), c.value_known((1, 2))) == (2, None, True, False)
    assert c.num_elements([2, 3]) == Dim(6) and c.num_elements(None).value is None
    assert error_of(c.dim, [2], 1).label == "sh_c11"


def test_rules_with_constants_for_dims():
    c, tight = context(), context(mode="tight")
    assert (c.add(2, 3), c.subtract(5, 3), c.multiply(2, 3), c.divide(7, 2)) == (Dim(5), Dim(2), Dim(6), Dim(3))
    assert (c.min(2, 3), c.max(2, 3), c.divide(6, 2, True)) == (Dim(2), Dim(3), Dim(3))
    assert (c.add((1, 2), 1).interval, tight.add((1, 2), 1).interval) == ((0, None), (2, 3))
    assert (c.min((1, 9), 3).interval, tight.min((1, 9), 3).interval) == ((0, None), (1, 3))
    assert c.replace_dim([2, 3], -1, 7).dims == (2, 7) and c.concatenate([2], [3]).dims == (2, 3)
    assert c.subshape([1, 2, 3], -2).dims == (2, 3) and c.subshape([1, 2, 3], 0, None, 2).dims == (1, 3)
    assert c.with_rank_at_least([2, 3], 1).dims == (2, 3) and c.with_rank_at_most([2], 1).dims == (2,)
    assert [error_of(c.subtract, 2, 3).label, error_of(c.divide, 7, 2, True).label] == ["sh_c12", "sh_c16"]
    assert [error_of(c.with_rank_at_least, [2], 2).label, error_of(c.with_rank_at_most, [2], 0).label] == [
        "sh_c5",
        "sh_c6",
    ]
    assert error_of(c.with_value, 2, 3).label == "sh_c8"


def test_debug_strings():
    c = InferenceContext("Op", [[2, None]], name="n")
    data = ShapeAndType([2, None], np.float32)
    assert (c.debug_string([2, None]), c.debug_string(None), c.debug_string(Dim()), c.debug_string(3)) == (
        "[2,?]",
        "?",
        "?",
        "3",
    )
    assert (c.debug_string(data), c.debug_string([data, data])) == ("[2,?]:float32", "[[2,?]:float32,[2,?]:float32]")
    assert c.debug_string() == "InferenceContext for node: {{node n}} = Op[]"


# ---- values of inputs ------------------------------------------------------------------------------------------------


def test_sh_s13_context_knows_which_values_were_asked_for():
    c = context([2], [2], input_tensors=[[1, 2]], input_tensors_as_shapes=[None, [5, None]])
    assert not any(c.requested_input_tensor(i) or c.requested_input_tensor_as_partial_shape(i) for i in (0, 1))
    assert c.input_tensor(0).tolist() == [1, 2] and c.input_tensor_as_shape(1).dims == (5, None)
    assert [c.requested_input_tensor(i) for i in (0, 1)] == [True, False]
    assert [c.requested_input_tensor_as_partial_shape(i) for i in (0, 1)] == [False, True]
    assert c.input_tensor(1) is None and c.requested_input_tensor(1)


def test_shape_from_a_tensor():
    def shape(value, of=None, **keywords):
        return context(of or [np.size(value)], input_tensors=[value], **keywords).make_shape_from_shape_tensor(0)

    assert shape(np.array([2, -1], np.int32)).dims == (2, None)
    assert shape(np.array([2, 0]), [None]).dims == (2, 0)
    assert context([3]).make_shape_from_shape_tensor(0).dims == (None,) * 3
    assert context([None]).make_shape_from_shape_tensor(0).rank is None
    assert context(None).make_shape_from_shape_tensor(0).rank is None
    given = PartialShape([None, 4])
    assert context([2], input_tensors_as_shapes=[given]).make_shape_from_shape_tensor(0) is given
    assert error_of(shape, np.array([2, -2])).label == "sh_c17"
    assert error_of(context([2, 2]).make_shape_from_shape_tensor, 0).label == "sh_c4"


def test_sh_c18_dtype_of_a_shape_tensor():
    error = error_of(context([1], input_tensors=[np.array([2.0])]).make_shape_from_shape_tensor, 0)
    assert (type(error), error.label, error.value) == (ssop.SliceTypeError, "sh_c18", np.dtype(float))
    assert "Input tensor must be int32 or int64, but was float64" in str(error)
    assert error_of(context().make_shape_from_tensor, np.array([2], np.int16), [1]).label == "sh_c18"
    assert error_of(context().scalar_from_tensor, np.array(True)).label == "sh_c18"


def test_sh_c19_rank_of_a_shape_tensor():
    def shape(value, of):
        c = context(of, input_tensors=[value])
        return c.make_shape_from_shape_tensor_treat_scalar_as_unknown_shape(0)

    assert shape(np.array(-1), []).rank is None and shape(np.array([3]), [1]).dims == (3,)
    assert shape(None, []).rank is None and shape(None, [2]).dims == (None, None)
    error = error_of(shape, np.array(4), [])
    assert (error.label, error.value) == ("sh_c19", 4)
    assert "if its rank 0 it must have value -1 (representing an unknown shape).  Saw value: 4" in str(error)
    error = error_of(shape, np.array([[4]]), [1])
    assert error.label == "sh_c19" and "Input tensor must be rank 1, but was rank 2" in str(error)
    given = PartialShape([None, 4])
    c = context([2], input_tensors_as_shapes=[given])
    assert c.make_shape_from_shape_tensor_treat_scalar_as_unknown_shape(0) is given


def test_sh_c20_length_of_a_shape_tensor():
    error = error_of(context([2**25]).make_shape_from_shape_tensor, 0)
    assert (error.label, error.value) == ("sh_c20", 2**25)
    assert "Cannot create a tensor with 33554432 dimensions" in str(error)
    assert error_of(context([2**25 - 1]).make_shape_from_shape_tensor, 0).label == "sh_c7"


def test_sh_c32_scalar_tensors():
    c = context([], [], [], [], input_tensors=[np.array(3), np.array(-1), None, np.array([1])])
    assert c.make_dim_for_scalar_input(0) == Dim(3) and c.make_dim_for_scalar_input(2).value is None
    error = error_of(c.make_dim_for_scalar_input, 1)
    assert (error.label, error.value) == ("sh_c32", -1)
    assert "Dimension size, given by scalar input 1, must be non-negative but is -1" in str(error)
    assert error_of(c.make_dim_for_scalar_input, 3).label == "sh_c32"
    axis = c.make_dim_for_scalar_input_with_negative_indexing
    assert (axis(0, 4), axis(1, 4), axis(0, None), axis(1, None).value, axis(2, 4).value) == (
        Dim(3),
        Dim(3),
        Dim(3),
        None,
        None,
    )
    for i, rank in ((0, 3), (1, 0)):
        error = error_of(axis, i, rank)
        assert error.label == "sh_c32" and f"must be in range [-{rank}, {rank})" in str(error)
    assert c.scalar_from_tensor(np.array([5, 6], np.int32), 1) == 6 and c.scalar_from_tensor(np.array(5)) == 5
    assert error_of(c.scalar_from_tensor, np.array(5), 0).label == "sh_c32"


# ---- handles ---------------------------------------------------------------------------------------------------------

F32 = np.dtype(np.float32)


def test_shape_and_type_is_a_value():
    data = ShapeAndType([2, None], "float32")
    assert (data.shape.dims, data.dtype) == ((2, None), F32)
    assert data == ShapeAndType([2, None], F32) != ShapeAndType([2, None]) and data != 5
    assert len({data, ShapeAndType([2, None], F32)}) == 1
    assert pickle.loads(pickle.dumps(data)) == data
    with pytest.raises(AttributeError):
        data.dtype = None
    with pytest.raises(AttributeError):
        del data.dtype


@pytest.mark.parametrize("side", ["input", "output"])
def test_sh_s15_handles_are_merged_and_relaxed(side):
    def stored():
        return getattr(c, f"{side}_handle_shapes_and_types")(0)

    c = context([])
    merge = getattr(c, f"merge_{side}_handle_shapes_and_types")
    relax = getattr(c, f"relax_{side}_handle_shapes_and_merge_types")
    assert stored() is None
    assert merge(0, [ShapeAndType([2, None])]) is True and stored() == (ShapeAndType([2, None]),)
    assert merge(0, stored()) is False
    assert merge(0, [ShapeAndType([2, None], F32)]) is True and stored()[0].dtype == F32
    assert merge(0, [ShapeAndType([2, None], np.int8)]) is False
    assert merge(0, [ShapeAndType([2, 3], F32)] * 2) is False
    assert merge(0, [ShapeAndType([9, 3], F32)]) is False  # a contradiction keeps the old shape
    assert merge(0, [([2, 3], F32)]) is True and stored() == (ShapeAndType([2, 3], F32),)
    assert relax(0, [ShapeAndType([2, 3], np.int8)]) is False and relax(0, []) is False
    assert relax(0, stored()) is True and stored() == (ShapeAndType([2, 3], F32),)
    assert relax(0, [ShapeAndType([2, 4], F32)]) is True and stored() == (ShapeAndType([2, None], F32),)
    getattr(c, f"set_{side}_handle_shapes_and_types")(0, None)
    assert stored() is None
    assert relax(0, [ShapeAndType([5])]) is True and stored() == (ShapeAndType([5]),)


def test_handles_of_inputs_are_given():
    c = context([], [], input_handle_shapes_and_types=[[ShapeAndType([2], F32)]])
    assert c.input_handle_shapes_and_types(0) == (ShapeAndType([2], F32),)
    assert c.input_handle_shapes_and_types(1) is None
