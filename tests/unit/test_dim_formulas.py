"""Lengths of ranges of named dims are formulas (sh_s39): evaluated, and compared with what is taken of real axes."""

from itertools import product

import numpy as np
import pytest

import ssop
from ssop import _core, shapes
from ssop.shapes import Dim, PartialShape
from ssop.shapes._formulas import length

INT64 = (2**63 - 1, -(2**63 - 1), -(2**63))
BOUNDS = (None, *range(-5, 6), 9, -9, *INT64)
STRIDES = (1, 2, 3, -1, -2, -3)
DIMS = range(21)


def value(formula, **names):
    return eval(formula, {"__builtins__": {}, "min": min, "max": max}, names)


@pytest.mark.parametrize("first_element", [False, True], ids=["tf", "openvino"])
def test_sh_s39_a_length_is_that_of_the_region(first_element):
    """By the resolver of the call, for every dim up to 20."""
    for begin, end, stride in product(BOUNDS, BOUNDS, STRIDES):
        formula = length("n", begin, end, stride, first_element)
        vectors, masks = ([begin or 0], [end or 0], [stride]), (int(begin is None), int(end is None))
        for dim in DIMS:
            if first_element:
                region = _core.openvino_strided_slice_region((dim,), *vectors, [masks[0]], [masks[1]])
            else:
                region = _core.strided_slice_region((dim,), *vectors, *masks)
            assert value(formula, n=dim) == region.shape[0], (formula, begin, end, stride, dim)


def test_sh_s39_bounds_may_be_dims():
    for begin, end, stride in product((None, "m", 2, -2, 0), ("m", None, 3, -1, -4), (1, 2, -1, -2)):
        formula = length("n", begin, end, stride)
        for n, m in product(range(9), repeat=2):
            taken = range(n)[slice(*(m if bound == "m" else bound for bound in (begin, end)), stride)]
            assert value(formula, n=n, m=m) == len(taken), (formula, begin, end, stride, n, m)


def test_sh_s39_a_bound_may_be_the_length_of_its_axis():
    for (begin, end), stride in product(((0, "n"), ("n", None), (1, "n"), ("n", 0), (None, "n")), (1, 2, -1, -2)):
        formula = length("n", begin, end, stride)
        for n in DIMS:
            taken = range(n)[slice(*(n if bound == "n" else bound for bound in (begin, end)), stride)]
            assert value(formula, n=n) == len(taken), (formula, begin, end, stride, n)
    assert length("n", 0, "n", 1) == length("n", None, "n", 1) == "n"


def test_sh_s39_a_length_of_a_length():
    """Slices of slices: the dim of a formula is a formula."""
    for first, second in product([(1, -2, 2), (-3, None, 1), (None, None, -2), (0, 4, 1)], repeat=2):
        formula = length(length("n", *first), *second)
        for n in DIMS:
            assert value(formula, n=n) == len(range(n)[slice(*first)][slice(*second)]), (formula, n)


FUNCTIONS = {
    "tf": (shapes.strided_slice, ssop.strided_slice),
    "tflite": (shapes.tflite.strided_slice, ssop.tflite.strided_slice),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_sh_s39_shape_functions_give_them(name):
    infer, run = FUNCTIONS[name]
    vectors = [1, 0, 2, -3, 0], [-1, 0, 3, 9, 0], [2, 1, 1, -1, 1]
    for masks in [(0, 0, 2, 0, 0), (8, 8, 2, 1, 4), (1, 16, 0, 2, 0), (4, 0, 0, 8, 16), (0, 0, 8, 0, 1)]:
        for n, m in [(3, 4), (7, 5), (20, 3), (4, 13)]:
            x = np.empty((n, m, 5, n), "b")
            shape = infer(["n", "m", 5, "n"], *vectors, *masks, mode="tight")
            try:
                right = run(x, *vectors, *masks).shape
            except ssop.SliceError:
                continue
            assert all(formula is not None for formula in shape.formulas)
            assert tuple(value(formula, n=n, m=m) for formula in shape.formulas) == right, (masks, str(shape))
            assert shape.contains(right) or len({*right}) < len(right)


def test_sh_s39_openvino_and_onnx():
    shape = shapes.openvino.strided_slice(["n", "m"], [-3, 0], [-9, 0], [-1, 1], [0, 1], [0, 1], mode="tight")
    lists = [1, -9], [2**63 - 1, -99], [-1, 0], [2, -1]
    for n in DIMS:
        x = np.empty((n, 4), "b")
        right = ssop.openvino.strided_slice(x, [-3, 0], [-9, 0], [-1, 1], [0, 1], [0, 1]).shape
        assert tuple(value(formula, n=n, m=4) for formula in shape.formulas) == right
        for engine in ("spec", "reference", "ort"):
            told = shapes.onnx.slice(["n", "m"], *lists, engine=engine, mode="tight")
            right = ssop.onnx.slice(x, *lists, engine=engine).shape
            assert tuple(value(formula, n=n, m=4) for formula in told.formulas) == right, engine


def test_sh_s39_dims_as_bounds_of_shape_functions():
    long = Dim("L")
    assert str(shapes.strided_slice([4, long], [0, 0], [2, long], mode="tight")) == "[2,L]"
    assert shapes.strided_slice([4, long], [0, 0], [2, long], mode="tight").dim(1).same_as(long)
    assert str(shapes.strided_slice(["n"], [0], [long], mode="tight")) == "[min(L, n)]"
    assert str(shapes.strided_slice(["n"], [Dim(2)], [Dim()], mode="tight")) == "[?]"  # a dim without a name
    assert shapes.strided_slice([9], [0], [Dim((2, 4))], mode="tight") == PartialShape([(2, 4)])
    assert shapes.strided_slice([9], [0], [long]) == PartialShape([None])


def test_sh_s39_the_mode_of_tensorflow_knows_no_formula():
    assert str(shapes.strided_slice(["n"], [0], [8])) == "[?]"
    assert str(shapes.strided_slice(["n"], [None], [8], mode="tight")) == "[0..8]"


def test_explanations_print_them():
    told = ssop.explain(("n", 6), [1, 0], [-1, 3], [2, 1])
    assert told.shape.formulas == ("(max(0, n - 2) + 1) // 2", "3")
    assert "result shape        [(max(0, n - 2) + 1) // 2,3]" in str(told)
    assert told.to_dict()["shape"] == ["(max(0, n - 2) + 1) // 2", 3] and "max(0, n - 2)" in told._repr_html_()
    assert ssop.explain.onnx_slice(("n",), [0], [8]).to_dict()["shape"] == ["min(8, n)"]
    assert ssop.StridedSliceSpec([0], [8]).infer_shape(["n"], mode="tight").formulas == ("min(8, n)",)


SPECS = [np.s_[-2:9], np.s_[::-2, None], np.s_[..., 1:-1], np.s_[1], np.s_[-9:0:-1, 2]]


@pytest.mark.parametrize("index", SPECS, ids=str)
def test_to_index_takes_dims_that_are_not_known(index):
    spec = ssop.StridedSliceSpec.from_index(index)
    for shape in ((None, 4), ("n", 4), [Dim("n"), 4], [(2, 20), 4], PartialShape([None, 4])):
        found = spec.to_index(shape)
        for dim in range(2, 21):
            x = np.arange(dim * 4).reshape(dim, 4)
            assert np.array_equal(x[found], spec(x)), (found, dim)


def test_to_index_and_resolve_say_what_is_wrong():
    spec = ssop.StridedSliceSpec([9], [0], shrink_axis_mask=1)
    with pytest.raises(ssop.SliceIndexError, match="ss_c7"):
        spec.to_index([(0, 5)])  # an error for every dim
    for shape, axis in (((4, None), 1), (["n", 4], 0), (PartialShape([4, (1, 2)]), 1)):
        with pytest.raises(ssop.SliceTypeError, match=f"dim {axis}.* is not known") as info:
            spec.resolve(shape)
        assert (info.value.label, info.value.axis) == ("rg_c6", axis)
    with pytest.raises(ssop.SliceTypeError, match="rank"):
        spec.resolve(PartialShape(None))


@pytest.mark.parametrize("dim", [Dim(8), Dim((8, 8)), (8, 8)], ids=["a Dim", "a Dim of a pair", "a pair"])
@pytest.mark.parametrize("other", [3, Dim(3)], ids=["an integer", "another Dim"])
def test_resolve_takes_dims_that_are_known(dim, other):
    spec = ssop.StridedSliceSpec([-3, 0], [99, 2], [2, 1])
    wanted = spec.resolve((8, 3))
    assert spec.resolve([dim, other]) == spec.resolve((dim, other)) == wanted
    assert spec.to_index([dim, other]) == wanted.index
    for wrong, label in ([dim, -1], "in_c10"), ([dim, 2.5], "in_c1"), ([dim] * 65, "in_c9"), ([dim, "n"], "rg_c6"):
        with pytest.raises(ssop.SliceError, match=label):
            spec.resolve(wrong)
