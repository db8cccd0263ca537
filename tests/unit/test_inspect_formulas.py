"""Formulas of dims in inspected shapes: their numbers are what the core takes, for every engine and every length."""

import json
import random

import pytest

import ssop
from ssop._convert.program import Axis
from ssop._convert.proofs import Lengths
from ssop._convert.rules import INT32_MAX, INT64_MAX, INT64_MIN, RULES, Step, taken
from ssop._convert.shape import Shape
from ssop._core import SliceError
from ssop._inspect.formulas import MAX_FORMULA, _formula
from ssop._inspect.inspection import inspected
from ssop._inspect.records import Model, NodeCall, SliceNode

WHERE = Shape((Lengths(0, INT32_MAX),), ("n",))
FUNCTIONS = {"__builtins__": {}, "min": min, "max": max}


def at(formula, n):
    return eval(formula, FUNCTIONS, {"n": n})


def drawn_step(generator, rule):
    row = RULES[rule]
    bounds = [*range(-6, 12)] if row.wraps else [*range(12)]
    far = [INT64_MAX, INT32_MAX, *([INT64_MIN] if row.wraps else [])] if row.clamps else []
    begin, end = (generator.choice([*bounds, *far]) for _ in range(2))
    if row.window or row.sized:
        return Step(rule, generator.choice(bounds), begin + 2) if generator.random() < 0.1 else Step(rule)
    stride = generator.choice([1, 1, 2, 3] + ([-1, -1, -2, INT64_MIN + 1] if row.clamps else []))
    begin = None if generator.random() < 0.2 else begin
    end = None if generator.random() < 0.2 and not row.counts else end
    return Step(rule, begin, end, stride)


@pytest.mark.parametrize("rule", sorted(set(RULES) - {"unit", "narrow", "window"}))
def test_a_formula_is_the_length_that_the_core_gives(rule):
    generator = random.Random(20261127)
    told = compared = 0
    for _ in range(1_500):
        chain = tuple(drawn_step(generator, rule) for _ in range(generator.choice([1, 1, 2])))
        most = generator.choice([1, 5, 15, INT32_MAX])
        formula = _formula(Axis(0, chain), WHERE._replace(lengths=(Lengths(0, most),)))
        if formula is None:
            continue
        told += 1
        for n in range(min(most, 15) + 1):
            found = taken(chain, n)
            if not isinstance(found, SliceError):
                compared += 1
                assert at(formula, n) == found[1], (chain, n, formula)
    assert told > 1_200 and compared > (500 if RULES[rule].counts else 2_000)


def test_windows_and_sizes_are_numbers_and_what_is_whole_keeps_its_name():
    for rule in ("window", "narrow"):
        assert _formula(Axis(0, (Step(rule, 1, 4),)), WHERE) == "3"
    assert _formula(Axis(0, (Step("window", 0, None),)), WHERE) == "n"
    assert _formula(Axis(0, (Step("unit"),)), WHERE) is None
    assert _formula(Axis(None), WHERE) is None
    assert _formula(Axis(0, (Step("tf", 1, 3),)), WHERE._replace(names=("batch size",))) is None


def test_formulas_do_not_grow_without_a_limit():
    steps = tuple(Step("tf", 1 + step, -1) for step in range(60))
    assert _formula(Axis(0, steps), WHERE) is None
    assert len(_formula(Axis(0, steps[:2]), WHERE)) <= MAX_FORMULA
    assert _formula(Axis(0, steps[:1]), WHERE._replace(names=("n" * 1_000,))) is None


def inspection(*calls, shape=("n", 3, None)):
    calls = tuple(NodeCall("onnx.slice", arguments) for arguments in calls)
    return inspected(Model("m", "onnx", "made here", (SliceNode("n", "Slice", calls, "x", "y", shape),), 1))


def onnx(*entries):
    starts, ends, steps = zip(*entries, strict=True)
    return {"starts": starts, "ends": ends, "axes": tuple(range(len(entries))), "steps": steps}


ENGINES = ("ONNX's text", "onnx.reference", "ONNX Runtime", "OpenVINO")


def test_text_and_json_have_the_formulas():
    found = inspection(onnx((1, -1, 1), (0, 2, 1), (0, 2, 1)))
    assert "  gives     (max(0, n - 2), 2, 0..2) in every engine\n" in str(found)
    (data,) = json.loads(json.dumps(found.to_dict()))["nodes"]
    assert data["formulas"] == dict.fromkeys(ENGINES, ["max(0, n - 2)", None, None])
    assert data["shapes"] == dict.fromkeys(ENGINES, [None, 2, [0, 2]])


def test_engines_that_differ_have_their_own_formulas_and_those_that_do_not_have_one():
    found = inspection(onnx((-3, INT64_MIN, -1)), shape=("n",))
    (node,) = found.nodes
    assert node.judged.formulas["onnx.reference"] == ("max(0, n - 2)",)
    assert {node.judged.formulas[name] for name in ENGINES if name != "onnx.reference"} == {("max(min(1, n), n - 2)",)}
    found = inspection(onnx((-1, INT64_MIN, -1)), shape=("n",))  # written in another way, and equal by proof
    assert {*found.nodes[0].judged.formulas.values()} == {("n",)} and "(n,) in every engine" in str(found)


def test_bounds_outside_every_axis_are_open():
    (node,) = inspection(onnx((1, 2**32, 1)), shape=("n",)).nodes
    assert {*node.judged.formulas.values()} == {("max(0, n - 1)",)}


def test_names_and_numbers_need_no_formula_nor_does_an_error():
    (node,) = inspection(onnx((0, INT64_MAX, 1), (0, 2, 1))).nodes
    assert {*node.judged.formulas.values()} == {(None, None, None)}
    (node,) = inspection(onnx((0, 1, 0))).nodes
    assert node.judged.formulas == {}


def test_the_formula_is_that_of_the_shape_functions():
    (one,) = ssop.shapes.onnx.slice(["n"], [2], [-1], mode="tight").formulas
    assert inspection(onnx((2, -1, 1)), shape=("n",)).nodes[0].judged.formulas["ONNX's text"] == (one,)


def test_sarif_is_the_same_with_formulas():
    log = inspection(onnx((-1, 0, 1)), shape=("n",)).to_sarif()
    assert "formulas" not in json.dumps(log["runs"][0]["results"])
