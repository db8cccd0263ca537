"""Explanations that told two stories, or none (reports of users, 2026-11-26); ex_s1."""

import re
from functools import cache
from itertools import product

import numpy as np
import pytest

import ssop
from exhaustive.spaces import mask_patterns
from ssop import cli
from ssop._masks import MASK_NAMES

SHAPE = (3, 4)
X = np.arange(12).reshape(SHAPE)
VECTORS = [
    ((1, -9), (3, -1), (1, 2)),
    ((-9, 0), (-9, 0), (-1, 1)),
    ((0, 2), (0, 9), (2, -1)),
    ((-1, 3), (0, -9), (1, -2)),
]


def result_of(dialect, spec):
    """The array, or None for an error."""
    masks = spec[3:]
    try:
        if dialect == "openvino":
            vectors = {name: [mask >> i & 1 for i in range(2)] for name, mask in zip(MASK_NAMES, masks, strict=True)}
            return ssop.openvino.strided_slice(X, *spec[:3], **vectors)
        module = ssop.tflite if dialect == "tflite" else ssop.tf
        return module.strided_slice(X, *spec)
    except ssop.SliceError:
        return None


def calls():
    for dialect, vectors, masks in product(("tf", "tflite", "openvino"), VECTORS, list(mask_patterns(2))[::5]):
        yield dialect, (*vectors, *masks)


@cache
def explained(dialect, spec):
    return ssop.explain(SHAPE, *spec, dialect=dialect)


def test_the_entries_are_a_numpy_index_of_the_result():
    """Report: TFLite's masked begin of a shrunk entry was shown as index 3, and the result was element 0."""
    compared = 0
    for dialect, spec in calls():
        right = result_of(dialect, spec)
        if right is None:
            continue
        told = explained(dialect, spec).to_dict()
        index = ", ".join(entry["index"] for entry in told["entries"])
        taken = eval(f"x[{index},]", {"x": X})
        assert np.array_equal(taken, right), (dialect, spec, index)
        compared += 1
    assert compared >= 600


def columns(told, bound):
    """For each axis that has an entry: the bound as given, after clamping, and after the mask."""
    for axis in told["axes"]:
        if axis["entry"] is None:
            continue
        entry = told["entries"][axis["entry"]]
        if bound == "begin" or "shrink_axis" not in entry["kept"]:
            yield axis["axis"], entry[bound], axis[f"clamped_{bound}"], axis[bound]


def test_a_stage_says_what_the_table_shows():
    """Reports: "begin is 0, not 0"; a table that changed 3 to 0 in a stage that "changes nothing"."""
    changes = 0
    for dialect, spec in calls():
        told = explained(dialect, spec).to_dict()
        stages = {stage["name"]: stage["changes"] for stage in told["stages"]}
        for bound in ("begin", "end"):
            rows = list(columns(told, bound))
            if f"{bound} mask" in stages:
                clamps = [re.match(r"axis (\d+): ", change) for change in stages[f"clamp {bound}"]]
                moved = [axis for axis, given, clamped, _ in rows if given != clamped]
                assert [int(clamp[1]) for clamp in clamps if clamp] == moved
                words = [change.replace("before element 0", "-1") for change in stages[f"{bound} mask"]]
                masks = [re.match(rf"axis (\d+): {bound} is (-?\d+), not (-?\d+)", change) for change in words]
                said = [tuple(map(int, mask.groups())) for mask in masks if mask]
                assert said == [(n, used, clamped) for n, _, clamped, used in rows if clamped != used]
                changes += len(said) + len(clamps)
    assert changes >= 1000


def test_a_mask_bit_that_matters_changes_the_result():
    """Cleared, it gives another result; one that is called ignored does not."""
    compared = 0
    for dialect, spec in calls():
        right = result_of(dialect, spec)
        for bit in explained(dialect, spec).bits:
            if right is None or bit.mask not in ("begin", "end"):
                continue
            cleared = list(spec)
            cleared[3 + MASK_NAMES.index(f"{bit.mask}_mask")] &= ~(1 << bit.entry)
            other = result_of(dialect, cleared)
            if not bit.matters:
                assert other is not None and np.array_equal(other, right), (dialect, spec, bit)
            compared += 1
    assert compared >= 500


def test_tflite_lines_and_bits_agree_on_the_begin_mask(capsys):
    """Report: ssop explain 5 --begin 3 --end 4 --begin-mask 1 --shrink-axis-mask 1 --dialect tflite."""
    words = ["--begin", "3", "--end", "4", "--begin-mask", "1", "--shrink-axis-mask", "1", "--dialect", "tflite"]
    assert cli.main(["explain", "5", *words]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "begin mask       tfl_s1  axis 0: begin is 0, not 3" in lines
    assert "begin bit 0             matters  tfl_s1  begin is 0; without it, it would be 3" in lines
    assert any(re.match(r"no change by .*clamp begin", line) for line in lines)


def test_labels_are_those_of_the_dialect():
    """Report: OpenVINO's far negative begin was explained by TensorFlow's rule."""
    far = {stage.name: stage for stage in ssop.explain((5,), [-9], [-9], [-1], dialect="openvino").stages}
    assert far["clamp begin"].label == "ov_s2"
    assert far["clamp begin"].changes == ("axis 0: begin -9 + dim 5 = -4, clamped to 0",)
    two = ssop.explain((5, 5), [-9, -9], [-9, 9], [-1, 1], dialect="openvino").stages[4]
    assert two.label == "ss_s4" and two.changes[0].endswith("[ov_s2]") and "[" not in two.changes[1]
    below = {stage.name: stage for stage in ssop.explain((5,), [-9], [0], shrink_axis_mask=1, dialect="tflite").stages}
    assert below["clamp begin"].label == "tfl_s2"
    conflict = ssop.explain((5,), [0], [1], ellipsis_mask=1, shrink_axis_mask=1, dialect="openvino")
    assert conflict.stages[0].label == "ov_s1" and conflict.bits[-1].label == "ov_s1"


# ---- empty results ---------------------------------------------------------------------------------------------------


def test_coremltools_2774_an_empty_axis_says_why_first():
    told = ssop.explain((5, 5, 5), [0, 0, -2], [1, 1, 0])
    assert told.empty == (
        "axis 2 is empty: begin 3 >= end 0; with bit 2 of end_mask it would be 3..4, with stride -1 it would be 3..1",
    )
    assert told.empty[0] == told.answer == str(told).splitlines()[0]
    assert "Axis 2 is empty" in told._repr_html_() and told.to_dict()["empty"] == list(told.empty)


def test_tvm_19532_a_stride_of_the_wrong_sign():
    assert ssop.explain((12,), [1], [6], [-1]).empty == (
        "axis 0 is empty: begin 1 <= end 6 with stride -1; with bit 0 of end_mask it would be 1..0, "
        "with stride 1 it would be 1..5",
    )
    assert ssop.explain((12,), [20], [30]).empty == ("axis 0 is empty: begin 12 >= end 12",)
    assert "stride 9223372036854775808" not in ssop.explain((5,), [1], [3], [-(2**63)]).empty[0]
    assert ssop.explain((0, 2), [0], [1]).empty == ("axis 0 is empty: its dim is 0",)
    assert ssop.explain((2,), [0], [1]).empty == ()


def test_what_would_fill_an_empty_axis_does():
    filled = 0
    for begin, end, stride in product(range(-7, 8), range(-7, 8), (-2, -1, 1, 3)):
        x = np.arange(5)
        told = ssop.explain((5,), [begin], [end], [stride])
        assert bool(told.empty) == (ssop.strided_slice(x, [begin], [end], [stride]).size == 0)
        for reason in told.empty:
            for first, last in re.findall(r"bit 0 of end_mask it would be (\d+)\.\.(\d+)", reason):
                right = ssop.strided_slice(x, [begin], [end], [stride], end_mask=1)
                assert (right[0], right[-1]) == (int(first), int(last))
                filled += 1
            for other, first, last in re.findall(r"with stride (-?\d+) it would be (\d+)\.\.(\d+)", reason):
                right = ssop.strided_slice(x, [begin], [end], [int(other)])
                assert (right[0], right[-1]) == (int(first), int(last))
                filled += 1
    assert filled >= 100


# ---- shapes, masks, the intermediate shape ---------------------------------------------------------------------------


@pytest.mark.parametrize("words, shape", [("(3,4)", (3, 4)), ("(3,)", (3,)), ("[3, 4]", (3, 4)), ("()", ()), ("", ())])
def test_a_shape_may_be_written_as_a_tuple(words, shape, capsys):
    assert cli.main(["explain", words, "--index", "[...]"]) == 0
    assert f"where x has shape {shape}\n" in capsys.readouterr().out


def test_dims_may_be_unknown(capsys):
    assert cli.main(["explain", "?,6,4", "--index", "[-3:2, 1]"]) == 0
    out = capsys.readouterr().out
    assert (
        "result shape        [0..2,4]\nNumPy index         x[-3:2, 1]\n" in out and "where x has shape (?, 6, 4)" in out
    )
    assert cli.main(["explain", "?,6,4", "--index", "[-3:2, 1]", "--format", "svg"]) == 2
    assert "[ex_c2]" in capsys.readouterr().err


def test_ex_c2_a_picture_needs_every_dim():
    told = ssop.explain((None, 3), [0], [1])
    with pytest.raises(ssop.SliceValueError) as info:
        told.to_svg()
    assert info.value.label == "ex_c2" and told.draw is None and "svg" not in told._repr_html_()
    assert ssop.explain((2, 3), [0], [1]).to_svg()


def test_a_rank_may_be_unknown(capsys):
    told = ssop.explain(ssop.shapes.PartialShape(None), [0, 0, -2], [1, 0, 0], ellipsis_mask=2, shrink_axis_mask=4)
    assert told == ssop.explain(None, [0, 0, -2], [1, 0, 0], ellipsis_mask=2, shrink_axis_mask=4)
    assert told.index == (slice(0, 1, 1), ..., -2) and told.to_dict()["in_shape"] is None
    assert cli.main(["explain", "...", "--index", "[:1, ..., -2]"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(
        "shape of unknown rank (x has 2 axes or more): axis 0 is its slice :1, of 0..1 elements; axis -1 "
    )
    assert out.count("give a shape, of") == 1  # one reason for all frameworks
    with pytest.raises(ssop.SliceTypeError, match="unknown rank") as info:
        ssop.explain.onnx_slice(None, [0], [1], [-1])
    assert info.value.label == "in_c5"
    with pytest.raises(ssop.SliceTypeError, match="unknown rank, on which the ellipsis of TFLite depends") as info:
        ssop.explain(None, [0, 0], [1, 1], ellipsis_mask=1, dialect="tflite")
    assert info.value.label == "in_c5"
    with pytest.raises(ssop.SliceValueError, match=r"the shape is \(\.\.\.\)"):
        told.to_svg()


@pytest.mark.parametrize("dialect", ["tf", "tflite", "openvino"])
def test_unknown_dims_are_explained_for_every_completion(dialect):
    """The shape admits what is taken of each length, and the index takes it; None where no index does."""
    indexed = refused = 0
    for begin, end, stride, masks in product((-3, 0, 2), (-1, 3), (-1, 1, 2), mask_patterns(1)):
        spec = ([begin, 1], [end, 3], [stride, 1], *masks)
        told = ssop.explain((None, 4), *spec, dialect=dialect)
        known = [ssop.explain((dim, 4), *spec, dialect=dialect) for dim in range(6)]
        if told.error is not None:
            assert all(each.error is not None for each in known), spec
            continue
        assert told.to_dict()["in_shape"] == [None, 4] and told._repr_html_()
        for dim, each in enumerate(known):
            if each.error is None:
                assert told.shape.contains(each.shape), (spec, dim)
                if told.index is not None:
                    x = np.arange(dim * 4).reshape(dim, 4)
                    assert np.array_equal(x[told.index], x[each.index]), (spec, dim)
        indexed += told.index is not None
        refused += told.index is None
    assert indexed >= 150 and (refused > 0) == (dialect != "tf")


def test_openvino_masks_may_be_vectors(capsys):
    bits = ssop.explain((5, 4, 3), [0, 1, 1], [5, 2, 2], begin_mask=0b110, end_mask=1, dialect="openvino")
    vectors = ssop.explain((5, 4, 3), [0, 1, 1], [5, 2, 2], begin_mask=[0, 1, 1], end_mask=(1,), dialect="openvino")
    assert vectors == bits
    words = ["--begin", "0,1,1", "--end", "5,2,2", "--begin-mask", "0,1,1", "--end-mask", "[1]"]
    assert cli.main(["explain", "5,4,3", *words, "--dialect", "openvino"]) == 0
    assert capsys.readouterr().out == f"{bits}\n"
    assert cli.main(["explain", "5,4,3", *words]) == 2
    long = ssop.explain((2,), [0] * 41, [1] * 41, new_axis_mask=[1] * 40, dialect="openvino")
    assert long.shape == (1,) * 41 and long.others == ()
    for mask, label in (([0, 2], "ov_c1"), ([0.5], "in_c1"), ("01", "in_c5")):
        with pytest.raises(ssop.SliceError) as caught:
            ssop.explain((5,), [0], [1], begin_mask=mask, dialect="openvino")
        assert caught.value.label == label
    with pytest.raises(ssop.SliceTypeError):
        ssop.explain((5,), [0], [1], begin_mask=[1])


def test_the_tables_of_the_blog():
    """Both worked examples: a column for each axis of the intermediate shape, and its outputs before any is dropped."""
    sparse = ([0, 0, 2, 2], [3, 2, 4, 8], [1, 1, 1, 1], 0, 0)
    first = ssop.explain((6, 3, 4, 10), *sparse, 8, 0b1001, 4)
    assert "the intermediate shape is (1, 6, 3, 4, 10)" in first.stages[1].changes
    table = first.tables[2]
    assert table.heads == ("dim", "1", "6", "3", "4", "10")
    assert table.rows == (
        ("from", "new", "axis 0", "axis 1", "...", "..."),
        ("begin", None, "0", "2", "0", "0"),
        ("end", None, "2", "3", "4", "10"),
        ("stride", None, "1", "1", "1", "1"),
        ("output", "1", "2", "1, dropped", "4", "10"),
    )
    second = ssop.explain((6, 3, 4, 10), *sparse, 4, 0b1001, 4)
    assert second.tables[2].heads == ("dim", "1", "6", "3", "4", "10", "1")
    assert second.tables[2].rows[-1] == ("output", "1", "2", "3", "4", "10", "1")
    assert [axis["output"] for axis in second.to_dict()["intermediate"]] == [1, 2, 3, 4, 10, 1]


def test_the_intermediate_shape_holds_the_result():
    """Dropped axes are those of shrunk entries; the others, in their order, have the outputs of the result."""
    compared = 0
    for dialect, spec in calls():
        told = explained(dialect, spec)
        if told.error is None:
            kept = [axis["output"] for axis in told.to_dict()["intermediate"] if axis["kind"] != "shrunk"]
            assert tuple(kept) == told.shape, (dialect, spec)
            compared += 1
    assert compared >= 600
