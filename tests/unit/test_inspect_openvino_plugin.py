"""Which strided slices OpenVINO's CPU plugin reads otherwise than its rule: memory outside its operand or its masks."""

import sys

import pytest

import ssop
from ssop._convert import proofs
from ssop._convert.calls import Call
from ssop._convert.shape import read_shape
from ssop._inspect.openvino_plugin import FUNCTION, converted_masks, in_plugin, plugin_defect
from ssop._inspect.records import Model, NodeCall, SliceNode

BITS = {"N": "new_axis_mask", "S": "shrink_axis_mask", "E": "ellipsis_mask"}
NAMES = ("begin_mask", "end_mask", *BITS.values())


def spec(kinds, count=None, begin=1, end=3, **masks):
    """Entries E (an ellipsis), N (a new axis), S (a dropped axis), R (a range), with masks of `count` elements."""
    length = len(kinds) if count is None else count
    bits = {name: [0] * length for name in NAMES}
    for entry, kind in enumerate(kinds[:length]):
        if kind in BITS:
            bits[BITS[kind]][entry] = 1
    vectors = {"begin": [begin] * len(kinds), "end": [end] * len(kinds), "strides": [1] * len(kinds)}
    return vectors | bits | masks


def defect(shape, *given, **more):
    found = plugin_defect([Call(FUNCTION, **spec(*given, **more))], read_shape(shape))
    return found and (found.text.partition(":")[0].partition(",")[0], found.smallest)


BEHIND, OUTSIDE = "reads memory behind the masks", "reads memory outside the operand"


@pytest.mark.parametrize(
    ("shape", "kinds", "count"),
    [
        ((4,), "ER", 1),  # x[..., 1:3]
        ((4, 5), "ESR", 2),
        ((4, 5), "ERR", 1),
        ((4, 5), "ERR", 2),
        ((4,), "NER", 2),
        ((3, 4), "NSR", 2),  # x[None, 1, 1:3]
        ((3, 4), "SNR", 2),
    ],
)
def test_masks_that_end_before_the_spec_and_both_ranks(shape, kinds, count):
    assert defect(shape, kinds, count) == (BEHIND, shape)
    assert defect(shape, kinds) is None  # with a bit for every entry


@pytest.mark.parametrize(
    ("shape", "kinds", "count"),
    [((1, 4), "ER", 1), ((4,), "R", 0), ((4, 5), "RR", 0), ((4, 5, 6), "ER", 1), ((4, 5), "SR", 1), ((4,), "NR", 1)],
)
def test_masks_that_are_short_but_as_long_as_a_rank_do_not_matter(shape, kinds, count):
    assert defect(shape, kinds, count) is None


@pytest.mark.parametrize("kinds", ["NS", "SN", "NNS", "RNS", "RSN"])
def test_a_new_axis_and_a_dropped_one_before_axes_without_an_entry(kinds):
    shape = (4,) * sum(kind != "N" for kind in kinds)
    assert defect((*shape, 3), kinds) == (OUTSIDE, (*shape, 3))
    assert defect((*shape, 1), kinds) is None  # what it leaves out has one element
    assert defect(shape, kinds) is None
    assert defect((*shape, 3), kinds + "E") is None


@pytest.mark.parametrize("name", BITS.values())
def test_bits_behind_the_last_entry(name):
    masks = {one: [0, int(one == name)] for one in NAMES}
    assert defect((4, 5), "R", **masks) == (OUTSIDE, (4, 5))
    read = name == "ellipsis_mask"  # it moves what has no entry; others count up to the rank only
    masks = {one: [0, 0, int(one == name)] for one in NAMES}
    assert defect((4, 5), "R", **masks) == ((OUTSIDE, (4, 5)) if read else None)


def test_masks_that_the_engine_rejects():
    rejected = ("rejects masks that have other lengths than begin_mask (ov_c2)", (4, 5))
    assert defect((4, 5), "RR", end_mask=[0]) == rejected
    assert defect((4, 5), "RE", **{name: [0, 1, 1] for name in NAMES}) == rejected
    assert defect((4, 5), "RR", new_axis_mask=[], ellipsis_mask=[]) is None


def test_a_result_without_elements_is_not_computed():
    assert defect((4,), "ER", 1, begin=2, end=2) is None
    assert defect((0,), "ER", 1) is None
    assert defect((None,), "ER", 1, begin=2, end=2) is None


def test_the_smallest_shape_has_elements_and_an_axis_that_is_left_out():
    assert defect((None,), "ER", 1, begin=6, end=9) == (BEHIND, (7,))
    assert defect((None, None, (0, 9)), "NS", begin=3) == (OUTSIDE, (4, 1, 2))


def test_calls_before_it_make_the_operand():
    calls = [Call("xla.slice_in_dim", start_index=1, limit_index=2, stride=1, axis=1), Call(FUNCTION, **spec("NS"))]
    assert plugin_defect(calls, read_shape((4, 5))) is None  # one element is left on the last axis
    assert plugin_defect(calls[1:], read_shape((4, 5))) is not None


def test_masks_of_the_front_end_end_with_the_last_bit():
    given = {"begin": [0, 1], "ellipsis_mask": 1, "begin_mask": 0}
    assert converted_masks(given) == {name: [int(name == "ellipsis_mask")] for name in NAMES}
    assert set(map(tuple, converted_masks({"begin": [1]}).values())) == {()}
    assert converted_masks({"begin": [1], "new_axis_mask": 2})["new_axis_mask"] == [0, 1]


def test_a_bit_of_begin_mask_is_index_0_on_a_dropped_axis():
    assert in_plugin(spec("SR", begin_mask=[1, 1])).arguments["begin"] == (0, 1)
    assert in_plugin(spec("SR", begin_mask=[0, 1])).arguments["begin"] == (1, 1)
    assert in_plugin(spec("NR", begin_mask=[1, 1])).arguments["begin"] == (1, 1)


# ---- what inspect makes of it --------------------------------------------------------------------------------------


def model(format_, function, shape, **arguments):
    given = {name: tuple(value) if isinstance(value, list) else value for name, value in arguments.items()}
    return Model("m", format_, "1", (SliceNode("a", "StridedSlice", (NodeCall(function, given),), "x", "a", shape),))


def source(shape, **arguments):
    return model("tensorflow", "tf.strided_slice", shape, **arguments)


def verdict(one):
    (report,) = ssop.inspect(one).nodes
    return report.judged.verdict


ELLIPSIS = {"begin": [0, -3], "end": [0, 7], "strides": [1, 2]}


def test_the_pair_of_a_converter_is_different():
    first = source((4,), **ELLIPSIS, ellipsis_mask=1)
    second = model("openvino", FUNCTION, (4,), **ELLIPSIS, **converted_masks({"begin": [0, 0], "ellipsis_mask": 1}))
    (pair,) = ssop.inspect(first, second).pairs
    assert (pair.kind, pair.smallest) == ("different", (4,)) and BEHIND in pair.text
    assert [finding.label for finding in ssop.inspect(first, second).findings] == ["hz_s18"]
    one, two = ssop.inspect(first, second).snippets(pair)
    assert "tf.strided_slice" in one and "ellipsis_mask=[1]" in two
    whole = {name: [int(name == "ellipsis_mask"), 0] for name in NAMES}
    (pair,) = ssop.inspect(first, model("openvino", FUNCTION, (4,), **ELLIPSIS, **whole)).pairs
    assert pair.kind == "equal"
    (pair,) = ssop.inspect(second, second).pairs
    assert pair.kind == "equal"  # the same program


def test_verdicts_name_openvino():
    found = verdict(model("openvino", FUNCTION, (4, 5, 6), **spec("NS")))
    assert (found.kind, found.engines, found.smallest) == ("differs", ("OpenVINO", "OpenVINO's CPU plugin"), (4, 5, 6))
    found = verdict(source((4, 5, 6), begin=[0, 1], end=[0, 2], strides=[1, 1], new_axis_mask=1, shrink_axis_mask=2))
    assert (found.kind, found.engines) == ("differs", ("TensorFlow", "OpenVINO"))
    assert verdict(model("openvino", FUNCTION, (4, 5), **spec("NS", 2) | {"end": [1, 2]})).kind == "differs"
    assert verdict(model("openvino", FUNCTION, (4, 5), **spec("NSE"))).kind == "equal everywhere"


def test_without_islpy_only_what_needs_a_proof_is_unknown(monkeypatch):
    monkeypatch.setitem(sys.modules, "islpy", None)
    for cached in (proofs.interval, proofs.difference, proofs.valid_lengths, proofs.result_lengths):
        cached.cache_clear()
    assert verdict(model("openvino", FUNCTION, (4, 5, 6), **spec("NS"))).kind == "differs"
    assert verdict(model("openvino", FUNCTION, (None, None), **spec("RR"))).kind == "equal everywhere"
    assert verdict(model("openvino", FUNCTION, (None,), **spec("ER", 1))).kind == "unknown"


def test_both_of_a_pair_undefined_are_unknown():
    one = model("openvino", FUNCTION, (4, 5, 6), **spec("NS"))
    two = model("openvino", FUNCTION, (4, 5, 6), **spec("NS", end=9))
    (pair,) = ssop.inspect(one, two).pairs
    assert pair.kind == "unknown" and OUTSIDE in pair.text
