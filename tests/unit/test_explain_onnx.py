"""Explanations of ONNX's Slice say what it does (ex_s1): compared with the calls and their reference."""

import json
from itertools import product
from xml.etree import ElementTree

import numpy as np
import pytest

import ssop
from ssop import cli
from ssop.reference import onnx as reference
from ssop.reference import tensor

ENGINES = ("spec", "reference", "ort")
FRAMEWORKS = {"spec": "ONNX", "reference": "onnx.reference", "ort": "ONNX Runtime"}
INT32_MAX, INT64_MAX, INT64_MIN = 2**31 - 1, 2**63 - 1, -(2**63)
X = np.arange(20).reshape(5, 4)
BOUNDS = (-9, -5, -1, 0, 2, 4, 9, INT32_MAX, INT64_MAX, INT64_MIN)
CALLS = [
    ([start], [end], [axis], [step])
    for start, end, axis, step in product(BOUNDS, BOUNDS, (0, -1), (1, -1, 3, -2, INT64_MIN))
][::3]
LISTS = [
    ([1, 0], [4, 9], None, None),
    ([1], [3], None, [2]),
    ([-1, 2], [INT64_MIN, INT64_MAX], [-1, -2], [-2, 1]),
    ([], [], [], []),
    ([0, 1], [1, 2], [0, 0], [1, 1]),
    ([0, 1], [1], [0, 1], None),
    ([0, 0, 0], [1, 1, 1], None, None),
    ([0], [1], [2], None),
    ([0], [1], [0], [0]),
    ([0, 0], [4, 4], [1], [1, 0]),
    ([0, 0], [4, 4], [-7, 7], [0, 0]),
    ([9, 1], [0, 3], [1, -1], [-1, 1]),
]


def answer(lists, engine, x=X):
    """The array, or the label of the error."""
    try:
        return ssop.onnx.slice(x, *lists, engine=engine)
    except ssop.SliceError as error:
        return error.label


def claim(told, x=X):
    return told.error.label if told.error else x[told.index]


def same(one, other):
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return np.array_equal(one, other)


@pytest.mark.parametrize("engine", ENGINES)
def test_ex_s1_the_shape_and_the_index_are_those_of_the_call(engine):
    for lists in CALLS + LISTS:
        told, right = ssop.explain.onnx_slice((5, 4), *lists, engine=engine), answer(lists, engine)
        assert same(claim(told), right), (lists, told.call)
        assert told.shape == (None if isinstance(right, str) else right.shape)
        call = told.call.partition(", where")[0]
        if isinstance(right, str):
            with pytest.raises(ssop.SliceError, match=right):
                eval(call, {"ssop": ssop, "x": X})
        else:
            assert np.array_equal(eval(call, {"ssop": ssop, "x": X}), right)


@pytest.mark.parametrize("engine", ENGINES)
def test_ex_s1_the_reference_agrees(engine):
    for lists in CALLS:
        told = ssop.explain.onnx_slice((5, 4), *lists, engine=engine)
        right = reference.slice(tensor(X.tolist(), (5, 4)), *lists, engine=engine)
        assert told.shape == right.shape and X[told.index].ravel().tolist() == list(right.items), lists


@pytest.mark.parametrize("engine", ENGINES)
def test_what_the_trace_says_of_an_axis_is_what_is_taken(engine):
    """The numbers of the tables are those of the region, which another function of the core resolves."""
    for lists in CALLS + LISTS:
        told = ssop.explain.onnx_slice((5, 4), *lists, engine=engine)
        if told.error is None:
            rows = [(row["first"], row["count"], row["step"]) for row in told.to_dict()["axes"]]
            assert rows == list(told.region.ranges), lists


@pytest.mark.parametrize("engine", ENGINES)
def test_other_engines_do_what_is_said_and_a_row_says_why(engine):
    for lists in CALLS + LISTS:
        told, own = ssop.explain.onnx_slice((5, 4), *lists, engine=engine), answer(lists, engine)
        assert [other.framework for other in told.others] == [FRAMEWORKS[e] for e in ENGINES if e != engine]
        for other, name in zip(told.others, (e for e in ENGINES if e != engine), strict=True):
            theirs = answer(lists, name)
            errors = [isinstance(result, str) for result in (own, theirs)]
            assert other.same == (all(errors) or (errors == [False, False] and same(own, theirs))), (lists, name)
            assert other.same or other.reasons or any(errors), (lists, name)


def test_the_nearest_call_works():
    for engine, lists in product(ENGINES, LISTS):
        told = ssop.explain.onnx_slice((5, 4), *lists, engine=engine)
        if told.error is not None:
            assert isinstance(eval(told.repair, {"ssop": ssop, "x": X}), np.ndarray), told.repair
        else:
            assert told.repair is None
    assert ssop.explain.onnx_slice((), [], [], engine="ort").repair is None  # a scalar has no axis for any list


def test_stages_by_hand():
    told = ssop.explain.onnx_slice((9, 5, 3), [4, -9], [INT64_MAX, -99], [-3, -2], [-1, -1], engine="ort")
    assert {stage.name: stage.changes for stage in told.stages} == {
        "entries that are read": (),
        "axes": (
            "entry 0: axis -3 + rank 3 = 0",
            "entry 1: axis -2 + rank 3 = 1",
            "no entry for axis 2: kept whole",
        ),
        "greatest ends": (f"axis 0: end {INT64_MAX} is no end",),
        "clamp start": ("axis 1: start -9 + dim 5 = -4, clamped to 0 [onx_s1]",),
        "clamp end": ("axis 1: end -99 + dim 5 = -94, clamped to before element 0",),
        "output shape": ("(5, 1, 3)",),
        "data": ("x[4::-1, 0:1, 0:3]",),
    }
    told = ssop.explain.onnx_slice((5, 0), [4, 1], [2, 0, 3], [0, 0, 9], engine="reference")
    assert told.stages[0].changes == (
        "ends is read up to entry 1",
        "axes is read up to entry 1",
        "entry 0 is not used: entry 1 is about axis 0, too",
    )
    assert told.empty == ("axis 0 is empty: start 1 >= end 0", "axis 1 is empty: its dim is 0")


def test_where_engines_differ_a_portable_call_is_shown():
    told = ssop.explain.onnx_slice((9,), [4], [INT64_MAX], steps=[-1], engine="ort")
    (code,) = (equal.code for equal in told.elsewhere if equal.framework == "ONNX")
    for engine in ENGINES:
        values = {"x": np.arange(9), "Slice": lambda x, e=engine, **lists: ssop.onnx.slice(x, **lists, engine=e)}
        exec(code, values)
        assert values["y"].tolist() == [4, 3, 2, 1, 0], engine
    told = ssop.explain.onnx_slice((9,), [4], [7])
    assert "ONNX" not in {equal.framework for equal in told.elsewhere} and all(e.code for e in told.elsewhere)


def test_every_form_parses():
    for engine, lists in product(ENGINES, LISTS):
        told = ssop.explain.onnx_slice((5, 4), *lists, engine=engine)
        words = "".join(ElementTree.fromstring(told._repr_html_()).itertext())
        says = told.error.label if told.error else str(told.shape)
        assert says in words and says in str(told)
        assert json.loads(json.dumps(told.to_dict()))["engine"] == engine
        if told.error is None:
            ElementTree.fromstring(told.to_svg())


@pytest.mark.parametrize("engine", ENGINES)
def test_dims_that_are_not_known(engine):
    """The shape, the index and the equal calls hold for every length."""
    refused = 0
    for lists in [([1, -3], [4, 2], [1, 0], [1, 1]), ([-2], [-9], [0], [-1]), ([3], [INT64_MAX], [-2], [-1])]:
        told = ssop.explain.onnx_slice((None, 4), *lists, engine=engine)
        assert told.in_shape == (None, 4)
        for dim in range(9):
            x = np.arange(dim * 4).reshape(dim, 4)
            right = ssop.onnx.slice(x, *lists, engine=engine)
            least, most = told.shape.intervals[0]
            assert least <= right.shape[0] and (most is None or right.shape[0] <= most)
            if told.index is None:
                refused += dim == 8
            else:
                assert np.array_equal(x[told.index], right), (lists, dim)
    assert refused == (engine != "reference")  # a start below -dim is element 0
    assert "is not known" in str(told)


def test_what_is_no_call_raises():
    for bad, label in [
        (([0], [1.5]), "in_c1"),
        (("ab", [1]), "in_c5"),
        (([0], [2**64]), "in_c2"),
    ]:
        with pytest.raises(ssop.SliceError, match=label):
            ssop.explain.onnx_slice((5,), *bad)
    with pytest.raises(ssop.SliceValueError, match="onx_c7"):
        ssop.explain.onnx_slice((5,), [0], [1], engine="tf")
    with pytest.raises(ssop.SliceValueError, match="in_c10"):
        ssop.explain.onnx_slice((-5,), [0], [1])


def test_command_line(capsys):
    lists = ["--starts", "4,-9", "--ends", "9223372036854775807,-99", "--axes=-3,1", "--steps=-1,-1"]
    assert cli.main(["explain", "9,5,3", "--dialect", "onnx", *lists, "--engine", "ort"]) == 0
    told = ssop.explain.onnx_slice((9, 5, 3), [4, -9], [INT64_MAX, -99], [-3, 1], [-1, -1], engine="ort")
    assert capsys.readouterr().out == f"{told}\n"
    assert cli.main(["explain", "?,4", "--dialect", "onnx", "--starts", "1", "--ends", "3"]) == 0
    assert "(?, 4)" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--dialect", "onnx", "--starts", "1"], "--dialect onnx needs --starts and --ends"),
        (["--dialect", "onnx", "--starts", "1", "--ends", "x"], "--ends: 'x' is not an integer"),
        (["--dialect", "onnx", "--index", "1", "--starts", "1", "--ends", "2"], "--index is not of --dialect onnx"),
        (["--starts", "1", "--ends", "2"], "--starts is of --dialect onnx"),
        (["--index", "1", "--engine", "ort"], "--engine is of --dialect onnx"),
    ],
)
def test_command_line_errors_are_one_line(arguments, message, capsys):
    assert cli.main(["explain", "9", *arguments]) == 2
    err = capsys.readouterr().err
    assert err.startswith("ssop: error: ") and err.count("\n") == 1 and message in err
