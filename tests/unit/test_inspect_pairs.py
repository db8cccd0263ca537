"""Pairs of two hand-made models: which slices stand in the same place, whether they are equal, and frozen bounds."""

import json
import random

import numpy as np
import pytest

import ssop
from scale import examples
from ssop._inspect import pairs
from ssop._inspect.records import Model, NodeCall, RunTime, SliceNode

INT64_MAX = 2**63 - 1


def onnx(name, start, end, step=1, axis=0, shape=("n",), operand="x"):
    call = NodeCall("onnx.slice", {"starts": (start,), "ends": (end,), "axes": (axis,), "steps": (step,)})
    return SliceNode(name, "Slice", (call,), operand, f"{name}:0", shape)


def tf(name, begin, end, step=1, shape=("n",), operand="x", **masks):
    call = NodeCall("tf.strided_slice", {"begin": (begin,), "end": (end,), "strides": (step,), **masks})
    return SliceNode(name, "StridedSlice", (call,), operand, name, shape)


def model(*nodes, format_="onnx"):
    return Model(format_, format_, "made here", nodes, len(nodes))


def tensorflow(*nodes):
    return model(*nodes, format_="tensorflow")


def kinds(one, two):
    return [(pair.name, pair.kind) for pair in ssop.inspect(one, two).pairs]


def test_im_s2_pairs_have_one_name_whatever_their_order():
    first = tensorflow(tf("a", 1, 3), tf("b", 0, 4))
    second = model(onnx("b", 0, 4), onnx("a", 1, 3))
    assert kinds(first, second) == [("a", "equal"), ("b", "equal")]


def test_im_s2_pairs_without_a_name_follow_the_order():
    first = tensorflow(tf("a", 1, 3), tf("b", 0, 4))
    assert kinds(first, model(onnx("p", 1, 3), onnx("q", 0, 4))) == [("a", "equal"), ("b", "equal")]
    assert kinds(first, model(onnx("p", 1, 3), onnx("q", 0, 5))) == [("a", "equal"), ("b", "different")]


def test_im_s2_slices_without_a_name_in_another_order_have_the_partner_that_is_equal():
    first = tensorflow(tf("a", 1, 3), tf("b", 0, 4), tf("c", 2, 5))
    assert kinds(first, model(onnx("p", 2, 5), onnx("q", 1, 3), onnx("r", 0, 4))) == [
        ("a", "equal"), ("b", "equal"), ("c", "equal")]  # fmt: skip
    (a, b, c) = ssop.inspect(first, model(onnx("p", 2, 5), onnx("q", 1, 4), onnx("r", 0, 4))).pairs
    assert [(pair.kind, pair.second.name) for pair in (a, b, c)] == [
        ("different", "q"), ("equal", "r"), ("equal", "p")]  # fmt: skip
    pad = moved("d", "tf.pad", before=(1, 0), after=(0, 0))
    other = moved("s", "onnx.pad", pads=(1, 0, 0, 0), axes=None, mode="constant")
    padded = ssop.inspect(tensorflow(pad, tf("a", 1, 3)), model(onnx("p", 1, 4), other)).pairs
    assert [(pair.first.name, pair.second.name, pair.kind) for pair in padded] == [
        ("d", "s", "unknown"), ("a", "p", "different")]  # fmt: skip
    assert kinds(first, model(onnx("b", 1, 3), onnx("q", 0, 4), onnx("r", 2, 5))) == [
        ("a", "different"), ("b", "different"), ("c", "equal")]  # fmt: skip


def moved(name, function, **arguments):
    return SliceNode(name, function, (NodeCall(function, arguments),), "x", name, (6, 5))


PADS = [
    (moved("a", "tf.pad", before=(1, 0), after=(2, 0)), "tensorflow"),
    (moved("a", "tflite.pad", paddings=(1, 2, 0, 0)), "tflite"),
    (moved("a", "onnx.pad", pads=(1, 2), axes=(0,), mode="constant"), "onnx"),
    (moved("a", "openvino.pad", pads_begin=(1, 0), pads_end=(2, 0), mode="constant"), "openvino"),
    (moved("a", "xla.pad", edge_padding_low=(1, 0), edge_padding_high=(2, 0), interior_padding=(0, 0)), "stablehlo"),
]


def test_pads_differ_in_widths_or_modes_and_their_values_are_not_read():
    for one, format_ in PADS:
        for two, other in PADS:
            (pair,) = ssop.inspect(model(one, format_=format_), model(two, format_=other)).pairs
            assert (pair.kind, pair.text) == ("unknown", "the pads have the same widths; their values are not read")
    first = model(moved("a", "onnx.pad", pads=(1, 0, 2, 0), axes=None, mode="reflect"))
    assert kinds(first, model(moved("a", "openvino.pad", pads_begin=(1, 0), pads_end=(2, 0), mode="reflect"),
                              format_="openvino")) == [("a", "equal")]  # fmt: skip
    (pair,) = ssop.inspect(first, model(PADS[0][0], format_="tensorflow")).pairs
    assert (pair.kind, pair.text) == ("different", "the modes are reflect and constant")
    wider = model(moved("a", "onnx.pad", pads=(1, 0, 3, 0), axes=None, mode="reflect"))
    comparison = ssop.inspect(first, wider)
    assert comparison.pairs[0].kind == "different" and comparison.snippets(comparison.pairs[0]) == ("", "")
    assert "a: different: the pads have other widths [pair-differs hz_s18]" in str(comparison)
    unknown = model(moved("a", "onnx.pad", pads=RunTime("p", "input"), axes=None, mode="reflect"))
    assert ssop.inspect(first, unknown).pairs[0].text == "widths: known at run time only (? from input)"
    assert (
        ssop.inspect(unknown, unknown).pairs[0].text == "the same nodes; widths: known at run time only (? from input)"
    )


def test_updates_are_equal_if_they_write_the_same_elements():
    first = model(
        moved("a", "xla.dynamic_update_slice", start_indices=(5, 1), update_shape=(3, 2)), format_="stablehlo"
    )
    for start, kind in ((5, "equal"), (3, "equal"), (2, "different")):
        second = model(moved("a", "tflite.dynamic_update_slice", start_indices=(start, 1), sizes=(3, 2)),
                       format_="tflite")  # fmt: skip
        comparison = ssop.inspect(first, second)
        (pair,) = comparison.pairs
        assert pair.kind == kind and pair.first.calls[0].function == "xla.dynamic_update_slice"
        assert comparison.snippets(pair) == ("", "")
        assert ("programs" in str(comparison)) is False
    scattered = model(moved("a", "onnx.scatter_nd", indices=(1, 3, 5), axis=0))
    strided_ = model(moved("a", "openvino.slice_scatter", start=(1,), stop=(6,), step=(2,)), format_="openvino")
    assert kinds(scattered, strided_) == [("a", "equal")]


def test_a_slice_of_a_slice_is_compared_with_one_slice():
    first = tensorflow(tf("a", 2, 9), tf("b", 1, 3, operand="a"))
    assert kinds(first, model(onnx("b", 3, 5))) == [("b", "equal")]
    assert kinds(first, model(onnx("b", 3, 6))) == [("b", "different")]


def test_what_is_left_out_is_equal_only_if_it_takes_everything():
    assert kinds(tensorflow(tf("a", 0, 0, end_mask=1)), model()) == [("a", "equal")]
    assert kinds(tensorflow(tf("a", 1, 0, end_mask=1)), model()) == [("a", "unknown")]
    assert kinds(model(), model(onnx("a", 0, INT64_MAX))) == [("a", "equal")]


def test_the_smallest_shape_and_programs_show_a_difference():
    comparison = ssop.inspect(tensorflow(tf("a", -1, 0)), model(onnx("a", -1, INT64_MAX)))
    (pair,) = comparison.pairs
    assert (pair.kind, pair.smallest) == ("different", (1,))
    assert str(comparison).endswith("\nprograms that show a difference: --json, or .snippets(pair)")
    one, two = comparison.snippets(pair)
    assert "tf.strided_slice(x, begin=[-1], end=[0], strides=[1])" in one
    assert "run('Slice', x, starts=[-1], ends=[9223372036854775807], axes=[0], steps=[1])" in two
    for program in (one, two):
        compile(program, "snippet", "exec")
    assert [(finding.hazard, finding.label) for finding in comparison.findings] == [("pair-differs", "hz_s18")]


def strided(begin, end, strides=(1, 1), shape=("n", "m"), **masks):
    arguments = {"begin": tuple(begin), "end": tuple(end), "strides": tuple(strides), **masks}
    return SliceNode("a", "StridedSlice", (NodeCall("tf.strided_slice", arguments),), "x", "a", shape)


@pytest.mark.parametrize(
    ("begin", "ends", "shape", "masks"),
    [
        ((5, 1), (6, 5), (6, 5), {"shrink_axis_mask": 1}),  # index 5 needs 6 elements
        ((-4, 1), (-3, 5), (4, 5), {"shrink_axis_mask": 1}),
        ((3, 1), (9, 5), (4, 5), {}),  # fewer leave none, which hides what the other axis takes
        ((-9, 1), (-6, 5), (7, 5), {}),
        ((3, 1), (3, 5), (1, 5), {}),  # nothing is left of any; the lengths of the other axis differ
    ],
)
def test_the_smallest_shape_shows_the_difference_on_another_axis(begin, ends, shape, masks):
    one, two = strided(begin, ends, **masks), strided(begin, (ends[0], ends[1] - 1), **masks)
    (pair,) = ssop.inspect(tensorflow(one), tensorflow(two)).pairs
    assert (pair.kind, pair.smallest) == ("different", shape)
    assert answer(pair.calls[0], shape) != answer(pair.calls[1], shape)


def answer(calls, shape):
    x = np.arange(np.prod(shape)).reshape(shape)
    try:
        for call in calls:
            x = call(x)
    except ssop.SliceError:
        return "error"
    return x.shape, x.tolist()


def test_every_smallest_shape_shows_its_difference():
    rng, different = random.Random(5), 0
    for _ in range(examples(150)):
        nodes, shrink = [], rng.choice([0, 0, 1, 2])
        for _ in range(2):
            begin, end = ([rng.randint(-5, 5) for _ in range(2)] for _ in range(2))
            strides = [1 if shrink else rng.choice([1, 1, 2, -1])] * 2
            nodes.append(strided(begin, end, strides, shrink_axis_mask=shrink))
        (pair,) = ssop.inspect(*map(tensorflow, nodes)).pairs
        if pair.kind == "different":
            different += 1
            first, second = (answer(calls, pair.smallest) for calls in pair.calls)
            assert first != second, (pair.calls, pair.smallest)
    assert different > 0


def test_bounds_of_run_time_are_unknown():
    call = NodeCall("onnx.slice", {"starts": RunTime("s", "Shape -> Sub", (None,)), "ends": (3,), "axes": (0,)})
    node = SliceNode("a", "Slice", (call,), "x", "y", ("n",))
    (pair,) = ssop.inspect(model(node), model(node)).pairs
    assert pair.kind == "unknown" and pair.text.startswith("the same nodes; starts: known at run time only")


def crop(width, offset):
    """A centre crop of 4 elements, and a slice that is the same in every export."""
    return model(
        onnx("crop", offset, offset + 4, axis=1, shape=(1, width)), onnx("head", 0, 2, axis=1, shape=(1, width))
    )


def test_hz_s6_two_exports_name_the_frozen_bounds():
    comparison = ssop.inspect(crop(10, 3), crop(14, 5))
    frozen = {pair.name: pair.frozen for pair in comparison.pairs}
    assert frozen == {"crop": ("starts[0] (axis 1): 3 and 5", "ends[0] (axis 1): 7 and 9"), "head": ()}
    assert {finding.label for finding in comparison.findings} == {"hz_s6"}
    assert [pair.kind for pair in comparison.pairs] == ["different", "equal"]


def test_hz_s6_a_constant_where_the_other_export_computes_is_frozen():
    computed = NodeCall("onnx.slice", {"starts": RunTime("s", "Shape -> Sub", (None,)), "ends": (7,), "axes": (0,)})
    first = model(SliceNode("crop", "Slice", (computed,), "x", "crop:0", ("n",)))
    (pair,) = ssop.inspect(first, model(onnx("crop", 3, 7))).pairs
    assert pair.frozen == ("starts[0] (axis 0): computed at run time, and 3",)


def test_operands_that_differ_are_said_to_do_so():
    ranks = ssop.inspect(model(onnx("a", 1, 3)), model(onnx("a", 1, 3, shape=("n", 4))))
    assert ranks.pairs[0].text == "their operands have ranks 1 and 2"


def test_options_of_one_model_are_rejected_for_two():
    with pytest.raises(ssop.SliceValueError, match="options of one model, not of two .im_c2."):
        ssop.inspect(model(), model(), silent=["no-op"])


def test_a_comparison_as_text_and_json():
    comparison = ssop.inspect(crop(10, 3), crop(14, 5))
    text = str(comparison)
    assert text.splitlines()[0] == "onnx against onnx: 1 different, 1 equal"
    assert "  frozen: starts[0] (axis 1): 3 and 5 [frozen-bounds hz_s6]" in text
    data = json.loads(json.dumps(comparison.to_dict()))
    assert [pair["kind"] for pair in data["pairs"]] == ["different", "equal"]
    results = comparison.to_sarif()["runs"][0]["results"]
    assert [result["ruleId"] for result in results] == ["hz_s6", "hz_s6"]


def test_open_ends_that_two_exporters_write_in_two_ways_are_not_frozen():
    first = model(
        onnx("flip", -1, -(2**63), -1, shape=(1, 10), axis=1), onnx("tail", 2, INT64_MAX, shape=(1, 10), axis=1)
    )
    second = model(
        onnx("flip", -1, -INT64_MAX, -1, shape=(1, 14), axis=1), onnx("tail", 2, 2**31 - 1, shape=(1, 14), axis=1)
    )
    comparison = ssop.inspect(first, second)
    assert comparison.findings == () and {pair.kind for pair in comparison.pairs} == {"equal"}
    assert str(comparison).splitlines()[2:] == ["flip: equal", "tail: equal"]


def test_a_chain_of_slices_is_cut_into_paths(monkeypatch):
    """A path had all slices before it: those of 50,000 slices behind each other had 10 GB."""
    chain = [tf(f"s{number}", 1, 10**6, operand=f"s{number - 1}") for number in range(100)]
    found = pairs.paths(tensorflow(*chain))
    assert len(found) == 100 and max(len(path.nodes) for path in found.values()) == pairs.MAX_PATH
    assert {kind for _, kind in kinds(tensorflow(*chain), tensorflow(*chain))} == {"equal"}


class Compared(str):
    """A name that counts how often it is compared with another."""

    count = 0

    def __eq__(self, other):
        Compared.count += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_partners_are_found_without_comparing_each_with_each(monkeypatch):
    monkeypatch.setattr(pairs, "_plain_name", Compared)
    one, two = (tensorflow(*[tf(f"{name}{n % 500}", 1, 2) for n in range(1_000)]) for name in ("a", "b"))
    paths = [list(pairs._ends(model)) for model in (one, two)]
    Compared.count = 0
    assert pairs._by_name(*paths) == {}
    assert Compared.count < 10_000


def test_models_of_many_slices_are_paired_in_their_order(monkeypatch):
    """Equal runs are found in a time that may grow with the third power of the number of slices."""
    monkeypatch.setattr(pairs, "MAX_ORDERED", 5)
    one = tensorflow(tf("a", 1, 3), tf("b", 0, 4))
    two = model(onnx("p", 1, 3), onnx("q", 0, 4), onnx("r", 0, 4))
    assert kinds(one, two)[:2] == [("a", "equal"), ("b", "equal")]
