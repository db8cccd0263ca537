"""Explanations say what calls do (ex_s1): compared with the calls themselves, with NumPy and with the reference."""

import json
import re
from itertools import product
from xml.etree import ElementTree

import numpy as np
import pytest

import ssop
from exhaustive.spaces import mask_patterns
from scale import count_of_sampled, sampled
from ssop import cli, reference
from ssop._explain.rendering import render_page
from ssop._explain.text import as_text
from ssop._masks import MASK_NAMES, MASKS
from ssop.reference import Rejected

SHAPE = (3, 4)
X = np.arange(12).reshape(SHAPE)
BEGIN, END, STRIDES = [1, -9, 2], [3, -1, 0], [1, 2, -1]
"""A begin below -dim: shrunk it is an error in TensorFlow and element 0 in TFLite."""

CALLS = {
    "tf": lambda x, spec: ssop.strided_slice(x, *spec),
    "tflite": lambda x, spec: ssop.tflite.strided_slice(x, *spec),
    "openvino": lambda x, spec: ssop.openvino.strided_slice(x, *spec[:3], **openvino_masks(spec)),
}
FRAMEWORKS = {"tf": "TensorFlow", "tflite": "TFLite", "openvino": "OpenVINO"}
XLA = {
    "slice": ([5, 6], [1, 0], [5, 6], [2, 3]),
    "dynamic_slice": ([5, 6], [4, -2], [2, 3]),
    "dynamic_update_slice": ([5, 6], [2, 3], [4, -2]),
    "pad": ([3, 4], [(1, -1, 1), (-1, 2, 0)]),
}


def openvino_masks(spec):
    vectors = {name: [mask >> i & 1 for i in range(32)] for name, mask in zip(MASK_NAMES, spec[3:], strict=True)}
    return {name: vector[: len(spec[0])] for name, vector in vectors.items()}


def result_of(dialect, spec, x=X):
    """The array, or the label of the error."""
    try:
        return CALLS[dialect](x, spec)
    except ssop.SliceError as error:
        return error.label


def same(one, other):
    kinds = {isinstance(one, str), isinstance(other, str)}
    return len(kinds) == 1 and (one == other if kinds == {True} else np.array_equal(one, other))


def specs(length):
    for masks in mask_patterns(length):
        yield BEGIN[:length], END[:length], STRIDES[:length], *masks


SOME = list(specs(2))[::7]
"""A share that has every bit set and clear beside every other: 7 has no factor in common with 2."""

STAGES = pytest.mark.parametrize(
    "cases", [pytest.param(SOME, id="some"), pytest.param(list(specs(2)), id="all", marks=pytest.mark.long)]
)


def claim(explanation, x=X):
    """What an explanation says comes out."""
    return explanation.error.label if explanation.error else x[explanation.index]


def parsed(explanation):
    """The HTML, whose picture is inside, if there is one; parsing fails if a tag is open or an entity unknown."""
    return ElementTree.fromstring(explanation._repr_html_())


@STAGES
@pytest.mark.parametrize("dialect", CALLS)
def test_ex_s1_the_shape_and_the_index_are_those_of_the_call(dialect, cases):
    compared = 0
    for spec in (*specs(0), *specs(1), *cases):
        explanation = ssop.explain(SHAPE, *spec, dialect=dialect)
        right = result_of(dialect, spec)
        assert same(claim(explanation), right), spec
        assert explanation.shape == (None if explanation.error else right.shape), spec
        compared += 1
    assert compared == 1 + 2**5 + len(cases) >= 150


@STAGES
@pytest.mark.parametrize("dialect", CALLS)
def test_what_other_frameworks_do_is_what_they_do_and_has_a_reason(dialect, cases):
    differences = 0
    for spec in cases:
        explanation = ssop.explain(SHAPE, *spec, dialect=dialect)
        for answer in explanation.others:
            other = next((name for name, framework in FRAMEWORKS.items() if framework == answer.framework), None)
            if other is None:
                continue
            here, there = result_of(dialect, spec), result_of(other, spec)
            both_fail = isinstance(here, str) and isinstance(there, str)
            assert answer.same == (both_fail or same(here, there)), (spec, answer)
            if not answer.same:
                assert answer.reasons, spec
                shown = there if isinstance(there, str) else str(there.shape)
                assert shown in answer.outcome
                differences += 1
    assert differences >= len(cases) // 20


def test_a_reason_is_about_this_call_and_these_two():
    """The begin -9 is far below axis 0, but of axis 1; both TFLite and OpenVINO ignore bits without an entry."""

    def reasons(*call, **options):
        others = ssop.explain(*call, **options).others
        return {other.framework: [row["predicate"] for row in other.reasons] for other in others if not other.same}

    masked = ((2, 40), [1, -9], [2, -20], [1, -1], 1, 0, 0, 0, 1)
    told = reasons(*masked)
    assert told.pop("ONNX") == [] and told == {"TFLite": ["begin_mask_on_shrink"]}
    spare = ((4,), [-9], [-9], [-1], 0, 0, 6)
    assert reasons(*spare, dialect="tflite") == {
        "TensorFlow": ["spare_ellipsis_bits"],
        "OpenVINO": ["far_negative_begin"],
        "ONNX": ["far_negative_start"],
        "ONNX Runtime": ["far_negative_start"],
    }
    assert reasons((4,), [-9], [2**63 - 1], [-1])["ONNX Runtime"] == ["far_negative_start", "greatest_ends"]
    assert reasons((4,), [-9], [2**63 - 1], [-1], dialect="openvino")["ONNX Runtime"] == ["greatest_ends"]


def test_onnx_takes_what_numpy_takes():
    """Only specs without new axes and shrunk axes are one Slice; ONNX has other rules for a far negative begin."""
    answered = 0
    for begin, end, stride, masks in product((-9, 0, 2, 9), (-9, 1, 2**63 - 1), (-2, 1), mask_patterns(1)):
        explanation = ssop.explain((4,), [begin], [end], [stride], *masks)
        if explanation.error or masks[3] or masks[4]:
            continue
        onnx = [answer for answer in explanation.others if "ONNX" in answer.framework or "onnx" in answer.framework]
        assert [answer.framework for answer in onnx] == ["ONNX", "onnx.reference", "ONNX Runtime"]
        assert onnx[1].same or (stride < 0 and masks[1])  # NumPy reads the end of int64 otherwise
        assert all(answer.same or answer.reasons for answer in onnx if answer.framework != "onnx.reference")
        answered += 1
    assert answered >= 100


@STAGES
def test_a_bit_that_is_called_ignored_is_ignored(cases):
    ignored = 0
    for spec in cases:
        explanation = ssop.explain(SHAPE, *spec)
        assert {(bit.mask, bit.entry) for bit in explanation.bits} <= {
            (name, entry) for name in MASKS for entry in range(2)
        }
        for bit in explanation.bits:
            if not bit.matters and not explanation.error:
                cleared = list(spec)
                cleared[3 + MASKS.index(bit.mask)] &= ~(1 << bit.entry)
                assert same(result_of("tf", cleared), result_of("tf", spec)), (spec, bit)
                ignored += 1
    assert ignored >= len(cases) // 2


def test_a_bit_that_is_read_after_the_error_does_not_matter():
    """The stride of the shrunk entry is the error, with the begin mask or without."""
    explanation = ssop.explain((3, 4), [1, 0], [2, 3], [-1, 1], begin_mask=1, shrink_axis_mask=1)
    assert explanation.error.label == "ss_c6"
    assert [(bit.mask, bit.matters, bit.why) for bit in explanation.bits] == [
        ("begin", False, "the error is found before this bit is read"),
        ("shrink_axis", True, "takes one element and drops its axis; end is ignored"),
    ]


@pytest.mark.parametrize(
    "ask", [ssop.explain, ssop.explore, lambda shape, *spec: ssop.StridedSliceSpec(*spec).explain(shape)]
)
def test_an_invalid_shape_is_the_same_error_as_everywhere(ask):
    for shape, label in ((3, "in_c5"), (X, "in_c6"), ("ab", "in_c5"), ([1.5], "in_c1"), ([2, -1], "in_c10")):
        with pytest.raises(ssop.SliceError, match=r"^strided_slice: .*shape|^strided_slice: axis 1: dim -1") as caught:
            ask(shape, [0], [1])
        assert caught.value.label == label


def test_the_nearest_call_works():
    """The repair runs as it is written. It is missing only if no index of an axis is allowed."""
    repaired = 0
    wrong_lengths = ([1, 2, 3], [3, 3], [1]), ([0] * 32, [0] * 32, [1] * 32), ([0, 9], [1, 9], [0, -1])
    cases = [*SOME, *((*vectors, 0, 0, 3, 0, 2) for vectors in wrong_lengths)]
    for dialect, spec in product(CALLS, cases):
        explanation = ssop.explain(SHAPE, *spec, dialect=dialect)
        if explanation.error:
            assert isinstance(eval(explanation.repair, {"ssop": ssop, "x": X}), np.ndarray), spec
            repaired += 1
        else:
            assert explanation.repair is None and explanation.failed is None
    assert repaired >= 80
    assert ssop.explain((0,), [0], [0], shrink_axis_mask=1).repair is None


def test_the_call_is_written_as_it_runs():
    for dialect, spec in product(CALLS, SOME):
        call, shape = ssop.explain(SHAPE, *spec, dialect=dialect).call.split(", where x has shape ")
        try:
            result = eval(call, {"ssop": ssop, "x": X})
        except ssop.SliceError as error:
            result = error.label
        assert same(result, result_of(dialect, spec)) and shape == str(SHAPE)


def test_negative_masks_are_bit_patterns():
    explanation = ssop.explain((4,), [1], [3], begin_mask=-1)
    assert explanation.index == (slice(0, 3, 1),) and "begin_mask=-1" in explanation.call
    assert [bit.entry for bit in explanation.bits if bit.matters] == [0]
    assert {bit.label for bit in explanation.bits if not bit.matters} == {"ss_s8"} and len(explanation.bits) == 32


def test_the_numbers_of_the_stages_by_hand():
    """The first worked example of the blog, with a far begin on its second axis."""
    told = ssop.explain((6, 3, 4, 10), [0, -9, 2, 2], [3, -1, 4, 8], [1, 2, 1, 1], 0, 0, 8, 0b1001, 4).to_dict()
    assert told["shape"] == [1, 3, 4, 10] and told["index"] == "[None, 0:5:2, 2, 0:4, 0:10]"
    assert [(entry["bits"], entry["kept"], entry["axes"]) for entry in told["entries"]] == [
        (["new_axis"], ["new_axis"], []),
        ([], [], [0]),
        (["shrink_axis"], ["shrink_axis"], [1]),
        (["ellipsis", "new_axis"], ["ellipsis"], [2, 3]),
    ]
    first = told["axes"][0]
    assert (first["wrapped_begin"], first["clamped_begin"], first["begin"]) == (-3, 0, 0)
    assert (first["wrapped_end"], first["clamped_end"], first["end"]) == (5, 5, 5)
    assert (first["start"], first["count"], first["step"], first["output_axis"]) == (0, 3, 2, 1)
    assert told["axes"][1]["output_axis"] is None and told["axes"][3]["entry"] is None
    assert {stage["name"]: stage["changes"] for stage in told["stages"]} == {
        "remove_conflict": ["entry 3 is the ellipsis: new_axis is ignored"],
        "new axis": ["entry 0 adds an axis of length 1", "the intermediate shape is (1, 6, 3, 4, 10)"],
        "ellipsis": ["entry 3 keeps axes 2, 3 whole"],
        "missing entries": [],
        "clamp begin": ["axis 0: begin -9 + dim 6 = -3, clamped to 0"],
        "clamp end": ["axis 0: end -1 + dim 6 = 5"],
        "begin mask": [],
        "end mask": [],
        "shrink": ["entry 2 takes index 2 of axis 1, which is dropped"],
        "output shape": ["(1, 3, 4, 10)"],
        "pick shape": ["(3, 1, 4, 10): of every input axis, without new axes"],
        "data": ["120 of 720 elements: x[None, 0:5:2, 2, 0:4, 0:10]"],
    }


def test_stages_of_masks_and_missing_entries():
    stages = {stage.name: stage.changes for stage in ssop.explain((5, 2), [3], [1], [-1], 1, 1).stages}
    assert stages["begin mask"] == ("axis 0: begin is 4, not 3",)
    assert stages["end mask"] == ("axis 0: end is before element 0, not 1",)
    assert stages["missing entries"] == ("no entry is left for axis 1: kept whole",)
    assert ssop.explain((5,), [0, 1], [1, 2], ellipsis_mask=1).stages[2].changes == (
        "entry 0 covers no axis: the other entries need all of them",
    )
    spare = ssop.explain((5,), [0, 1], [1, 2], dialect="tflite")
    assert spare.stages[3].label == "tfl_s3" and spare.stages[3].changes == ("entry 1 has no axis and is ignored",)


@pytest.mark.parametrize(
    "spec, label, failed, last",
    [
        (([0], [1, 2]), "ss_c1", "the spec alone, without the shape", None),
        (([0] * 32, [0] * 32), "ss_c2", "the spec alone, without the shape", None),
        (([0, 0], [1, 1], None, 0, 0, 3), "ss_c3", "the spec alone, without the shape", None),
        (([0, 0, 0], [1, 1, 1]), "ss_c4", "missing entries", "missing entries"),
        (([0, 0], [1, 1], [1, 0]), "ss_c5", "clamp begin", "clamp begin"),
        (([0, 0], [1, 1], [1, -1], 0, 0, 0, 0, 2), "ss_c6", "shrink", "shrink"),
        (([0, 7], [1, 1], [1, 1], 0, 0, 0, 0, 2), "ss_c7", "shrink", "shrink"),
    ],
)
def test_an_error_names_the_stage_that_found_it(spec, label, failed, last):
    explanation = ssop.explain(SHAPE, *spec)
    assert explanation.error.label == label and explanation.failed == failed
    assert (explanation.stages[-1].name if explanation.stages else None) == last
    if last is not None:
        assert explanation.stages[-1].changes[-1] == "finds the error"
    text = str(explanation)
    assert str(explanation.error).split(":")[0] in text and "is an error" in text and label in text
    with pytest.raises(ssop.SliceError) as info:
        explanation.to_svg()
    assert info.value is explanation.error


def test_too_many_axes_are_found_at_the_output_shape():
    explanation = ssop.explain((1,) * 64, [0], [0], new_axis_mask=1)
    assert (explanation.error.label, explanation.failed, explanation.repair) == ("ss_c8", "output shape", None)
    assert explanation.stages[-1].name == "output shape"


@pytest.mark.parametrize("bad", ["01", 3, None, [0.5], ["0"], [2**63]])
def test_what_is_no_spec_raises(bad):
    for spec in ((bad, [1]), ([1], bad)):
        with pytest.raises(ssop.SliceError, match=r"\[in_c\d+\]$"):
            ssop.explain((3,), *spec)
    with pytest.raises(ssop.SliceError, match=r"\[in_c\d+\]$"):
        ssop.explain([-1], [0], [1])
    with pytest.raises(ssop.SliceError, match=r"\[in_c\d+\]$"):
        ssop.explain([1] * 65, [0], [1])


def test_ex_c1_the_dialect_is_known():
    for dialect in ("onnx", None, 1, []):
        with pytest.raises(ssop.SliceValueError) as info:
            ssop.explain((3,), [0], [1], dialect=dialect)
        assert (info.value.label, info.value.value) == ("ex_c1", dialect)


def test_specs_explain_themselves():
    spec = ssop.StridedSliceSpec.from_index(np.s_[..., ::-1])
    assert spec.explain((2, 3)) == ssop.explain((2, 3), [0, 0], [0, 0], [1, -1], 2, 2, 1)
    assert spec.explain((2, 3)).region == spec.resolve((2, 3))


# ---- forms -----------------------------------------------------------------------------------------------------------


def check_forms(cases):
    """Text, HTML and SVG of all of them parse and say the shape; returns how many have a picture."""
    pictures = 0
    for spec in cases:
        explanation = ssop.explain(SHAPE, *spec)
        html = parsed(explanation)
        text = str(explanation)
        assert text.splitlines()[:2] == [explanation.answer, explanation.call]
        json.dumps(explanation.to_dict(), allow_nan=False)
        if explanation.error:
            assert str(explanation.error.label) in "".join(html.itertext())
        else:
            assert html.find("{http://www.w3.org/2000/svg}svg") is not None
            assert str(explanation.shape) in text and str(explanation.shape) in "".join(html.itertext())
            pictures += 1
    return pictures


def test_every_form_of_mask_sets_parses():
    assert check_forms(SOME) >= 40


@pytest.mark.long
def test_every_form_of_every_mask_set_parses(report):
    assert check_forms(specs(2)) >= 300
    pictures = check_forms(sampled(specs(3)))
    report(f"explanations of three entries: {count_of_sampled(2**15):,} of {2**15:,}, {pictures:,} with a picture")


@pytest.mark.long
@pytest.mark.parametrize("dialect", CALLS)
def test_ex_s1_the_shape_and_the_index_of_three_entries(dialect, report):
    compared = 0
    for spec in sampled(specs(3)):
        explanation = ssop.explain(SHAPE, *spec, dialect=dialect)
        assert same(claim(explanation), result_of(dialect, spec)), spec
        compared += 1
    assert compared == count_of_sampled(2**15)
    report(f"explanations in {dialect}, three entries: {compared:,} of {2**15:,}")


def test_the_text_is_aligned():
    lines = str(ssop.explain((60, 3), [-40, 0], [10, 9], [-2, 1], 1)).splitlines()
    table = lines[lines.index("entries") + 1 : lines.index("entries") + 4]
    ends = [match.end() for match in re.finditer(r"\S+", table[0])][:4]
    assert all(len(line) > end and line[end] == " " and line[end - 1] != " " for line in table for end in ends)
    assert not any(line != line.rstrip() for line in lines)


def test_colours_are_on_request():
    explanation = ssop.explain((5,), [0], [1])
    assert "\033" not in str(explanation)
    coloured = as_text(explanation, colour=True)
    assert "\033[1m" in coloured and re.sub(r"\033\[\d*m", "", coloured) == str(explanation)


@pytest.mark.parametrize("name", XLA)
def test_xla_operations_have_every_form(name):
    explanation = getattr(ssop.explain, name)(*XLA[name])
    assert parsed(explanation).find("{http://www.w3.org/2000/svg}svg") is not None
    assert explanation.call in str(explanation) and json.dumps(explanation.to_dict())


# ---- XLA's operations ------------------------------------------------------------------------------------------------


def windows():
    return product(range(-7, 8), range(6), ("clamp", "wrap"), (False, True))


def test_ex_s1_dynamic_slices():
    x = np.arange(5)
    for start, size, policy, negative in windows():
        options = {"out_of_bounds": policy, "allow_negative_indices": negative}
        right = ssop.dynamic_slice(x, [start], [size], **options)
        told = ssop.explain.dynamic_slice((5,), [start], [size], **options)
        assert told.shape == right.shape
        assert told.index is None or np.array_equal(x[told.index], right)
        assert taken_in_picture(told, 5) == list(right)
        if told.index is None:
            assert policy == "wrap" and size > 1


def test_ex_s1_dynamic_update_slices():
    for start, size, policy, negative in windows():
        options = {"out_of_bounds": policy, "allow_negative_indices": negative}
        right = ssop.dynamic_update_slice(np.full(5, -1), np.arange(size), [start], **options)
        told = ssop.explain.dynamic_update_slice((5,), (size,), [start], **options)
        assert told.shape == (5,)
        cells = taken_in_picture(told, 5, panel=2)
        assert [int(right[i]) for i in cells] == list(range(size))


def test_ex_s1_slices():
    x = np.arange(6)
    for start, limit, stride in product(range(7), range(7), (1, 2, 5)):
        if start <= limit:
            told = ssop.explain.slice((6,), [start], [limit], [stride])
            right = ssop.slice(x, [start], [limit], [stride])
            assert np.array_equal(x[told.index], right) and told.shape == right.shape


def test_ex_s1_pads():
    x = np.arange(1, 5)
    for low, high, interior in product(range(-3, 4), range(-3, 4), range(3)):
        if 4 + low + high + 3 * interior < 0:
            continue
        right = ssop.xla.pad(x, 0, [(low, high, interior)])
        told = ssop.explain.pad((4,), [(low, high, interior)])
        assert told.shape == right.shape
        kept = right[right > 0]
        assert np.array_equal(right[told.index], kept)


@pytest.mark.parametrize(
    "name, arguments, label",
    [
        ("slice", ((5,), [-1], [9]), "sl_c4"),
        ("slice", ((5,), [3], [1], [0]), "sl_c6"),
        ("dynamic_slice", ((5, 5), [4, 4], [9, -1], "raise"), "ds_c4"),
        ("dynamic_update_slice", ((5,), (2,), [4], "raise"), "dus_c5"),
    ],
)
def test_errors_of_xla_operations_name_the_nearest_call(name, arguments, label):
    policy = {"out_of_bounds": arguments[-1]} if arguments[-1] == "raise" else {}
    explanation = getattr(ssop.explain, name)(*(a for a in arguments if a != "raise"), **policy)
    assert explanation.error is not None
    x = np.zeros(arguments[0])
    update = np.zeros(arguments[1]) if name == "dynamic_update_slice" else None
    eval(explanation.repair, {"ssop": ssop, "x": x, "update": update})
    assert explanation.error.label == label and explanation.failed == f"the check of {label}"


def test_errors_of_xla_operations_without_a_nearest_call():
    assert ssop.explain.slice((5,), [0, 0], [1, 1]).repair is None
    assert ssop.explain.pad((5,), [(0, -9, 0)]).repair is None
    with pytest.raises(ssop.SliceTypeError):
        ssop.explain.slice((5,), ["0"], [1])


# ---- pictures --------------------------------------------------------------------------------------------------------


def cells_of(svg):
    """(index, number) of every cell that is taken, out of what the picture tells when pointed at."""
    titles = re.findall(r"<title>\[([-\d, ]*)\] is (\d+)</title>", svg)
    return [(tuple(int(i) for i in index.split(", ") if i), int(number)) for index, number in titles]


def taken_in_picture(explanation, dim, panel=0):
    """The indices of one axis in the order of their numbers, out of one panel of the picture."""
    drawn = explanation.draw()
    drawn = type(drawn)(drawn.title, (drawn.panels[panel],))
    cells = [cell for cell in drawn.drawing().cells if cell.kind == "taken"]
    order = sorted((int(cell.text.removeprefix("u")), int(re.match(r"\[(-?\d+)\]", cell.tip)[1])) for cell in cells)
    assert [number for number, _ in order] == list(range(len(order)))
    return [index for _, index in order]


@pytest.mark.parametrize("shape", [(7,), (3, 4), (15, 15), (4, 3, 4)])
def test_cells_are_numbered_in_the_order_of_the_result(shape):
    rng = np.random.default_rng(len(shape))
    x = np.arange(np.prod(shape)).reshape(shape)
    for _ in range(60):
        begin, end = rng.integers(-9, 9, (2, len(shape)))
        strides = rng.choice([-3, -1, 1, 2], len(shape))
        explanation = ssop.explain(shape, begin, end, strides, *rng.integers(0, 8, 2).tolist())
        taken = x[explanation.index].ravel()
        cells = cells_of(explanation.to_svg())
        if len(shape) == 3:
            cells = []
            for layer in range(shape[0]):  # one grid per layer tells the last two indices
                places = [k for k, i in enumerate(range(*explanation.index[0].indices(shape[0]))) if i == layer]
                assert len(places) <= 1
            numbers = sorted(number for _, number in cells_of(explanation.to_svg()))
            assert numbers == list(range(len(taken)))
            continue
        assert sorted(number for _, number in cells) == list(range(len(taken)))
        assert all(x[index] == taken[number] for index, number in cells)


def test_large_axes_are_abbreviated_and_true():
    x = np.arange(1000 * 300).reshape(1000, 300)
    explanation = ssop.explain(x.shape, [990, 5], [2, 200], [-7, 60])
    svg = explanation.to_svg()
    cells, taken = cells_of(svg), x[explanation.index].ravel()
    assert 8 <= len(cells) <= 100 and all(x[index] == taken[number] for index, number in cells)
    assert len(svg) < 60_000


@pytest.mark.parametrize(
    "shape, spec",
    [
        ((), ([], [])),
        ((), ([0], [0], [1], 0, 0, 0, 1)),
        ((0,), ([0], [1])),
        ((0, 3), ([0], [1])),
        ((2**62,), ([2**61], [2**62])),
        ((2,) * 10, ([0], [1])),
        ((1,) * 64, ([0], [1])),
        ((3, 0, 2), ([0], [2])),
    ],
)
def test_every_rank_has_a_picture(shape, spec):
    explanation = ssop.explain(shape, *spec)
    root = ElementTree.fromstring(explanation.to_svg())
    width, height = (float(root.get(name)) for name in ("width", "height"))
    assert 0 < width <= 760 and 0 < height
    for rect in root.iter("{http://www.w3.org/2000/svg}rect"):
        assert 0 <= float(rect.get("x")) <= width - 34 and 0 <= float(rect.get("y")) <= height - 28


def test_a_picture_tells_screen_readers_what_it_shows():
    root = ElementTree.fromstring(ssop.explain((5, 3), [0], [9], [2], 0, 1).to_svg())
    title, description = root[0], root[1]
    assert root.get("aria-labelledby").split() == [title.get("id"), description.get("id")]
    assert title.text == "x[0:5:2, 0:3] of shape (5, 3)"
    assert "axis 0 of length 5: taken at 0, 2, 4" in description.text and "9 of 15" in description.text


# ---- the reference, and the command line -----------------------------------------------------------------------------


@STAGES
def test_the_reference_agrees_with_every_traced_range(cases):
    for spec in cases:
        try:
            ranges, out_axes = reference.strided_slice_region(SHAPE, *spec)
        except Rejected as error:
            assert ssop.explain(SHAPE, *spec).error.label == error.label
            continue
        told = ssop.explain(SHAPE, *spec).to_dict()["axes"]
        assert [(axis["start"], axis["count"], axis["step"]) for axis in told] == [tuple(r) for r in ranges]
        assert [axis["output_axis"] for axis in told] == [
            out_axes.index(axis) if axis in out_axes else None for axis in range(2)
        ]


@pytest.mark.parametrize("form", ["text", "json", "svg", "html"])
def test_command_line(form, capsys):
    explanation = ssop.StridedSliceSpec.from_index(np.s_[1, ..., ::-2]).explain((6, 3, 4))
    assert cli.main(["explain", "6,3,4", "--index", "[1, ..., ::-2]", "--format", form]) == 0
    out = capsys.readouterr().out
    if form == "json":
        assert json.loads(out) == explanation.to_dict()
    else:
        forms = {"text": str, "svg": lambda e: e.to_svg(), "html": render_page}
        assert out == forms[form](explanation) + "\n"


def test_command_line_explains_errors_and_dialects(capsys):
    arguments = ["--begin", "-9", "--end", "0", "--shrink-axis-mask", "1"]
    assert cli.main(["explain", "4", *arguments]) == 0
    assert "is an error" in capsys.readouterr().out
    assert cli.main(["explain", "4", *arguments, "--dialect", "tflite"]) == 0
    assert "result shape        ()" in capsys.readouterr().out
    assert cli.main(["explain", "4", "--begin", "0,0", "--end", "1"]) == 0  # of unequal lengths: no spec, but a call
    assert "ss_c1" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["4,1x", "--index", "0"], "'1x' is not an integer"),
        (["-4", "--index", "0"], "in_c10"),
        (["4"], "give either --index"),
        (["4", "--index", "9", "--format", "svg"], "ss_c7"),
        (["4", "--index", "0", "--dialect", "jax"], "invalid choice"),
        (["4", "--index", "0", "--short", "--format", "text"], "--short and --format exclude each other"),
        (["4", "--copy", "--short"], "--short and --copy exclude each other"),
    ],
)
def test_command_line_errors_are_one_line(arguments, message, capsys):
    assert cli.main(["explain", *arguments]) == 2
    err = capsys.readouterr().err
    assert err.startswith("ssop: error: ") and err.count("\n") == 1 and message in err
