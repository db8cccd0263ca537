"""Which arguments a subject is called with: options by name where they have no default value, masks in short words."""

import numpy as np
import pytest

import ssop
from ssop.testing import difftest
from ssop.testing._differential.subjects import Supports, arguments_of, subject_of
from ssop.testing.calls import Call


def onnx_slice(data, starts, ends, axes=None, steps=None):
    return ssop.onnx.slice(data, starts, ends, axes, steps)


def test_options_reach_a_subject_by_name_and_only_if_they_have_no_default_value():
    x = np.arange(6)
    window = {"start_index": 1, "limit_index": 4, "stride": 1, "axis": 0, "allow_negative_indices": False}
    positional, named = arguments_of(Call("xla.slice_in_dim", (x,), window))
    assert positional[1:] == [1, 4] and named == {}
    positional, named = arguments_of(Call("xla.slice_in_dim", (x,), window | {"stride": np.int64(2), "axis": -1}))
    assert positional[1:] == [1, 4] and named == {"stride": 2, "axis": -1}
    one = {"index": 3, "axis": 0, "keepdims": False, "allow_negative_indices": True}
    positional, named = arguments_of(Call("xla.index_in_dim", (x,), one))
    assert positional[1:] == [3] and named == {"keepdims": False, "allow_negative_indices": True}
    lists = {"starts": [0], "ends": [2], "axes": None, "steps": None, "engine": "spec"}
    positional, named = arguments_of(Call("onnx.slice", (x,), lists))
    assert positional[1:] == [[0], [2], None, None] and named == {}


def slice_in_dim(operand, start, limit, stride=1, axis=0, allow_negative_indices=False):
    return np.array(
        ssop.xla.slice_in_dim(operand, start, limit, stride, axis, allow_negative_indices=allow_negative_indices)
    )


def test_a_subject_with_options_is_called_with_them():
    report = difftest(slice_in_dim, op="slice_in_dim", oracle="reference", cases=200)
    assert report.passed and report.filled_share > 0.4


def test_options_can_be_ruled_out():
    def slice_alone(x, begin, end, strides):
        return x[tuple(map(slice, begin, end, strides))].copy()

    with pytest.raises(
        ValueError, match="is called with strict, which it lacks: add it, or say which .*'options=none'"
    ):
        difftest(slice_alone, op="openvino.strided_slice", oracle="reference", supports="masks=none", cases=5)
    supports = "masks=none options=none dtypes=int8 ranks=1..2"
    assert difftest(slice_alone, op="openvino.strided_slice", oracle="reference", supports=supports, cases=100).passed
    assert Supports.of("options=strict,offset").options == ("strict", "offset")
    call = Call("openvino.strided_slice", (np.zeros(2),), {"begin": [0], "end": [1], "strides": [1], "strict": True})
    for words, good in (("options=none", False), ("options=strict", True), ("options=offset", False), ("", True)):
        assert subject_of(lambda x, begin, end, strides, **options: x, supports=words).supports(call) is good


def test_a_subject_need_not_know_whose_reading_it_is_compared_with():
    """`engine` of onnx.slice says whose reading ssop follows; the engine that is the oracle is one reading."""
    with pytest.raises(ValueError, match="onnx.slice is called with engine, which it lacks"):
        difftest(onnx_slice, op="onnx.slice", oracle="reference", cases=5)
    assert difftest(onnx_slice, op="onnx.slice", oracle="reference", supports="options=none", cases=200).passed


def test_what_all_calls_of_an_oracle_have_is_left_out_of_those_of_a_subject():
    call = Call(
        "onnx.slice", (np.arange(6),), {"starts": [4], "ends": [1], "steps": [-1], "axes": None, "engine": "ort"}
    )
    subject = subject_of(onnx_slice)
    subject.take_for_granted({"engine": "ort"})
    subject.check_signature([call])
    assert subject.supports(call) and subject.answers([call])[0].array.tolist() == [4, 3, 2]
    subject.close()
    with_engine = subject_of(lambda data, starts, ends, axes, steps, engine: np.array(engine == "ort"))
    with_engine.take_for_granted({"engine": "ort"})
    assert with_engine.answers([call])[0].array.tolist() is True
    with_engine.close()


@pytest.mark.parametrize(
    ("words", "masks"),
    [
        ("none", ()),
        ("shrink", ("shrink_axis_mask",)),
        ("new,end", ("new_axis_mask", "end_mask")),
        ("new-axis,shrink_axis,begin_mask", ("new_axis_mask", "shrink_axis_mask", "begin_mask")),
    ],
)
def test_masks_have_short_names(words, masks):
    assert Supports.of(f"masks={words}").masks == masks
    assert Supports.of({"masks": words.split(",")}).masks == masks


@pytest.mark.parametrize("words", ["middle", "none,begin", "axis"])
def test_unknown_masks_are_an_error_that_names_all(words):
    with pytest.raises(ValueError, match=r"no mask '\w+'; there are none, begin, end, ellipsis, new, shrink"):
        Supports.of(f"masks={words}")
