"""The sentence of an explanation (ex_s1), read back, is what NumPy takes, on random calls of every dialect."""

import re
from itertools import islice, product

import numpy as np
import pytest
from hypothesis import given

import ssop
from property.answers import NUMBERS, Reading, idle_bits, numbers
from property.calls import counting, with_shape
from ssop._masks import MASK_NAMES
from ssop.testing import strategies as slicing

INT64_MAX = 2**63 - 1
KINDS = {
    "every axis is whole": ((3, 4), np.s_[...]),
    "is 0..2": ((5,), np.s_[:3]),
    "is 4..0 in steps of -2": ((5,), np.s_[::-2]),
    "is reversed": ((5,), np.s_[::-1]),
    "is its element 3": ((5,), np.s_[3:4]),
    "is dropped, leaving its element 3": ((5,), np.s_[3]),
    "axis 1 of the result is new": ((5,), np.s_[:, None]),
    "axes 1..3 are whole, by the ellipsis": ((2, 3, 4, 5), np.s_[0, ...]),
    "x has no axes, and the result equals x": ((), np.s_[()]),
    "axis 0 is empty: begin 3 >= end 0; with bit 0 of end_mask it would be 3..4": ((5,), np.s_[3:0]),
    "axis 0 is empty: begin is before element 0, and stride -1 leads away": ((5,), np.s_[-9:-9:-1]),
    "axis 1 is empty: its dim is 0": ((5, 0), np.s_[1:]),
    "the call is an error: strided_slice: axis 0 (entry 0): index 7 is not in -5..4": ((5,), np.s_[7]),
}


def explained(shape, spec, dialect):
    if dialect == "onnx":
        return ssop.explain.onnx_slice(shape, **slicing.dialect_arguments(spec, "onnx"))
    masks = (getattr(spec, name) for name in MASK_NAMES)
    return ssop.explain(shape, spec.begin, spec.end, spec.strides, *masks, dialect=dialect)


def taken(x, spec, dialect):
    function = ssop.onnx.slice if dialect == "onnx" else getattr(ssop, dialect).strided_slice
    return np.asarray(function(x, **slicing.dialect_arguments(spec, dialect)))


def check_empty(told, spec, x):
    """Bounds, signs and remedies of empty axes are those of Python's slices."""
    assert told.answer.startswith(told.empty[0])
    for reason in told.empty:
        axis, why = re.match(r"axis (\d+) is empty: (.*)", reason).groups()
        dim = x.shape[int(axis)]
        if dim == 0:
            assert why == "its dim is 0"
            continue
        entry = told.to_dict()["axes"][int(axis)]["entry"]
        begin, end, stride = spec.begin[entry], spec.end[entry], spec.strides[entry]
        masks = [spec.begin_mask >> entry & 1, spec.end_mask >> entry & 1]
        given = slice(None if masks[0] else begin, None if masks[1] else end, stride)
        used = given.indices(dim)
        assert not range(*used)
        words = re.match(r"begin (\d+) (>=|<=) end (\d+)", why)
        if words:
            assert (int(words[1]), int(words[3])) == used[:2] and (words[2] == ">=") == (stride > 0)
        else:
            assert why == f"begin is before element 0, and stride {stride} leads away" and used[0] == -1
        for first, last in re.findall(r"with bit \d+ of end_mask it would be (\d+)\.\.(\d+)", why):
            filled = range(dim)[slice(given.start, None, stride)]
            assert (filled[0], filled[-1]) == (int(first), int(last))
        for other, first, last in re.findall(r"with stride (-?\d+) it would be (\d+)\.\.(\d+)", why):
            filled = range(dim)[slice(given.start, given.stop, int(other))]
            assert (filled[0], filled[-1]) == (int(first), int(last)) and int(other) == -stride


@given(with_shape(slicing.entries))
def test_the_sentence_is_what_numpy_takes(case):
    shape, entries = case
    x, spec = counting(shape), slicing.encode(entries)
    told, right = explained(shape, spec, "tf"), np.asarray(x[slicing.as_index(entries)])
    assert "\n" not in told.answer and str(told).startswith(f"{told.answer}\n{told.call}\n")
    if right.size == 0:
        check_empty(told, spec, x)
        return
    reading = Reading(told.answer, shape)
    assert np.array_equal(reading.of(x), right) and reading.of(x).shape == right.shape
    assert reading.head == f"shape {right.shape}"


@pytest.mark.parametrize("dialect", ["tflite", "openvino", "onnx"])
def test_the_sentence_is_what_other_dialects_take(dialect):
    read = []

    @given(with_shape(lambda shape: slicing.specs(shape, dialect=dialect)))
    def check(case):
        shape, spec = case
        x = counting(shape)
        told, right = explained(shape, spec, dialect), taken(x, spec, dialect)
        assert bool(told.empty) == (right.size == 0)
        if right.size:
            of_x = Reading(told.answer, shape).of(x)
            assert np.array_equal(of_x, right) and of_x.shape == right.shape
            read.append(told)

    check()
    assert len(read) >= 5


@given(with_shape(slicing.specs))
def test_bits_that_change_nothing_change_nothing_together(case):
    shape, spec = case
    told = explained(shape, spec, "tf")
    idle = [(f"{bit.mask}_mask", bit.entry) for bit in told.bits if not bit.matters]
    cleared = {name: getattr(spec, name) for name in MASK_NAMES}
    for name, entry in idle:
        cleared[name] &= ~(1 << entry)
    x = counting(shape)
    assert np.array_equal(ssop.strided_slice(x, spec.begin, spec.end, spec.strides, **cleared), spec(x))
    if not told.empty:
        said = Reading(told.answer, shape).idle
        if len(idle) > 4:
            assert said == f"{len(idle)} of {len(told.bits)} mask bits change nothing"
        else:
            assert sorted(idle_bits(said or "")) == sorted(idle)


@pytest.mark.parametrize("dialect", ["tf", "tflite", "openvino"])
def test_what_mends_an_error_mends_it(dialect):
    mended = []

    @given(with_shape(lambda shape: slicing.specs(shape, legal=False)))
    def check(case):
        shape, spec = case
        told = explained(shape, spec, dialect)
        if told.error is None:
            return
        assert told.answer.startswith(f"the call is an error: {told.error}")
        remedy = told.answer.removeprefix(f"the call is an error: {told.error}").removeprefix("; with ")
        assert (remedy == "") == (told.repair is None)
        begin, strides = list(spec.begin), list(spec.strides)
        for name, value, entry in re.findall(r"(begin|stride) (-?\d+) in entry (\d+)", remedy):
            (begin if name == "begin" else strides)[int(entry)] = int(value)
        if " in entry " in remedy:
            masks = {name: getattr(spec, name) for name in MASK_NAMES}
            other = ssop.StridedSliceSpec(begin, spec.end, strides, **masks)
            assert explained(shape, other, dialect).error is None
            mended.append(remedy)

    check()
    assert mended


@pytest.mark.parametrize("dialect", ["tf", "tflite", "openvino"])
def test_bounds_before_the_axis_are_said_so(dialect):
    """-1 is an index that counts from the end wherever it is not what the caller wrote."""
    said = 0
    for begin, end, stride, masks in product((-9, -6, 0, 4), (-9, -6, -1, 0), (-2, -1, 1), range(4)):
        told = ssop.explain((5,), [begin], [end], [stride], masks & 1, masks >> 1, dialect=dialect)
        text = f"{told}\n{told._repr_html_()}"
        assert not re.search(r"(begin|end) is -1|clamped to -1|would be -1|not -1|[<>]= (begin|end) -1", text), text
        said += "before element 0" in text
    assert said >= 40


# ---- dims that are not known -----------------------------------------------------------------------------------------

UNKNOWN = (None, "N", (0, 3), (2, None), (1, 6))


def clause_of_axis_0(sentence):
    for clause in re.sub(r"^shape .*?: ", "", sentence).split("; "):
        about = re.match(rf"ax[ei]s {NUMBERS} (?!of)", clause)
        if about and 0 in numbers(about[1]):
            return clause
    assert "every axis is whole" in sentence
    return "axis 0 is whole"


def of_completion(sentence, x):
    """What a sentence says of axis 0, whose dim is not known, of an input that has one; None for an error."""
    dim, clause = len(x), clause_of_axis_0(sentence)
    if re.search("is whole$|are whole$", clause):
        return x
    if re.search("is reversed$|are reversed$", clause):
        return x[::-1]
    if empty := re.search(r"empty for every dim: its slice (\S+) has no element", clause):
        assert eval(f"x[{empty[1]}]").size == 0
        if filled := re.search(r"with bit 0 of end_mask it would be (\S+)", sentence):
            assert filled[1].startswith(empty[1].split(":")[0])
        return x[:0]
    if part := re.search(r"is its slice (\S+), of (.+?) elements?(, where a (?:begin|start) below -dim.*)?$", clause):
        return of_range(x, *part.groups())
    element, rest = re.search(r"is dropped, leaving its element (-?\d+)(.*)", clause).groups()
    least = re.fullmatch(r" \(an error if the dim is less than (\d+)\)", rest)
    below = re.fullmatch(r", or element 0 if the dim is less than (\d+)( \(an error if it is 0\))?", rest)
    assert rest == "" or least or below
    if (least and dim < int(least[1])) or (below and below[2] and dim == 0):
        return None
    return x[0] if below and dim < int(below[1]) else x[int(element)]


def of_range(x, item, count, clamps):
    """A slice as NumPy has it, of as many elements as are said; from element 0 where its begin is below -dim."""
    begin, end, *stride = [int(word) if word else None for word in item.split(":")]
    stride = stride[0] if stride else 1
    if clamps and begin < -len(x) and len(x):
        begin = 0
    result = x[begin:end:stride]
    if bounds := re.fullmatch(r"(\d+)\.\.(\d*)", count):
        assert int(bounds[1]) <= len(result) <= int(bounds[2] or INT64_MAX)
    elif count.isdigit():
        assert len(result) == int(count)
    elif count != "an unknown number of":  # a formula
        assert len(result) == eval(count, {"N": len(x), "min": min, "max": max})
    return result


@pytest.mark.parametrize("dialect", ["tf", "tflite", "openvino", "onnx"])
def test_the_sentence_of_an_unknown_dim_is_true_of_every_dim(dialect):
    seen = set()
    strides = (-2, -1, 1, 2)
    masks = range(8) if dialect != "onnx" else [0]
    cases = product((-3, -1, 0, 2), (-9, -2, 0, 1, 3), strides, masks, UNKNOWN)
    for begin, end, stride, mask, dim in islice(cases, None, None, 3):
        bits = mask & 1, mask >> 1 & 1, 0, 0, mask >> 2
        if dialect == "onnx":
            told = ssop.explain.onnx_slice([dim, 2], [begin], [end], [0], [stride])
        else:
            told = ssop.explain([dim, 2], [begin], [end], [stride], *bits, dialect=dialect)
        if told.error is not None:
            assert "is an error" in told.answer
            continue
        seen.add(re.sub(r"-?\d+", "#", told.answer.partition(": ")[2]))
        low, high = dim if isinstance(dim, tuple) else (0, None)
        for number in range(low, min(high if high is not None else 7, 7) + 1):
            x = np.arange(number * 2).reshape(number, 2)
            spec = ssop.StridedSliceSpec([begin], [end], [stride], *bits)
            try:
                right = taken(x, spec, dialect)
            except ssop.SliceError:
                right = None
            said = of_completion(told.answer, x)
            assert (said is None) == (right is None) and (right is None or np.array_equal(said, right)), told.answer
    assert len(seen) >= 4, seen


def of_any_rank(sentence, x):
    """What a sentence about an unknown rank says of an input that has one."""
    head, _, said = sentence.partition(": ")
    least = re.fullmatch(r"shape of unknown rank(?: \(x has (\d+) ax[ei]s or more\))?", head)[1]
    assert x.ndim >= int(least or 0)
    index, new = [slice(None)] * x.ndim, []
    for clause in said.split("; "):
        if added := re.fullmatch(r"ax[ei]s ([-\d, and.]+) of the result (?:is|are) new", clause):
            new = new_axes(added[1])
        elif part := re.fullmatch(r"axis (-?\d+) is its slice (\S+), of .* elements?", clause):
            index[int(part[1])] = slice(*[int(word) if word else None for word in part[2].split(":")])
        elif element := re.match(r"axis (-?\d+) is dropped, leaving its element (-?\d+)", clause):
            index[int(element[1])] = int(element[2])
        elif reverse := re.fullmatch(r"ax[ei]s ([-\d, and.]+) (?:is|are) reversed", clause):
            for axis in new_axes(reverse[1]):
                index[axis] = slice(None, None, -1)
        else:
            assert "whole" in clause or "nothing" in clause, clause
    return np.expand_dims(x[tuple(index)], tuple(new))


def new_axes(text):
    first, dots, last = text.partition("..")
    return list(range(int(first), int(last) + 1)) if dots else [int(word) for word in re.findall(r"-?\d+", text)]


@pytest.mark.parametrize("dialect", ["tf", "tflite", "openvino"])
def test_the_sentence_of_an_unknown_rank_is_true_of_every_rank(dialect):
    compared = []

    @given(with_shape(slicing.entries, min_rank=0, max_rank=3), slicing.shapes(max_rank=2, max_dim=3))
    def check(case, more):
        shape, entries = case
        spec = slicing.encode([entry for entry in entries if dialect != "tflite" or entry.kind != "ellipsis"])
        told = explained(None, spec, dialect)
        assert told.error is None and told.in_shape is None and told.shape.rank is None and told.draw is None
        assert "shape of unknown rank" in told._repr_html_().replace("Shape", "shape") or told.empty
        for dims in (shape, shape + more, more + shape):
            x = counting(dims)
            try:
                right = taken(x, spec, dialect)
            except ssop.SliceError:
                continue
            if told.index is not None:
                assert np.array_equal(x[told.index], right) and x[told.index].shape == right.shape
                if not told.empty:
                    assert np.array_equal(of_any_rank(told.answer, x), right), told.answer
                compared.append(dims)

    check()
    assert len(compared) >= 50


@pytest.mark.parametrize("engine", ["spec", "reference", "ort"])
def test_the_sentence_of_onnx_s_slice_is_true_of_every_rank(engine):
    compared = 0
    for lists in product(([0], [1, -2]), ([2], [3, -1]), (None, [1], [0, 2], []), ([-1], [1, 2], None)):
        told = ssop.explain.onnx_slice(None, *lists, engine=engine)
        assert told.in_shape is None and told.to_dict()["in_shape"] is None
        for shape in ((), (4,), (3, 5), (2, 3, 4), (3, 2, 4, 2)):
            x = counting(shape)
            try:
                right = ssop.onnx.slice(x, *lists, engine=engine)
            except ssop.SliceError:
                continue
            assert told.error is None, (told, shape)
            if told.index is not None:
                assert np.array_equal(x[told.index], right)
                assert told.empty or np.array_equal(of_any_rank(told.answer, x), right), told.answer
                compared += 1
    assert compared >= 20
    assert ssop.explain.onnx_slice(None, [], [], engine=engine).error is None


# ---- XLA, gradients and each kind by hand ----------------------------------------------------------------------------


@given(with_shape(slicing.slice_arguments))
def test_the_sentence_of_xla_s_slice(case):
    shape, (starts, limits, strides) = case
    told = ssop.explain.slice(shape, starts, limits, strides)
    x = counting(shape)
    right = x[tuple(map(slice, starts, limits, strides))]
    assert bool(told.empty) == (right.size == 0)
    if right.size:
        assert np.array_equal(Reading(told.answer, shape).of(x), right)
    for reason in told.empty:
        axis = int(re.match(r"axis (\d+) is empty: ", reason)[1])
        assert reason.endswith("its dim is 0" if shape[axis] == 0 else f"limit index are {starts[axis]}")
        assert starts[axis] == limits[axis]


@pytest.mark.parametrize("policy", ["clamp", "wrap"])
def test_the_sentence_of_a_window(policy):
    for start, size in product(range(-7, 8), range(6)):
        told = ssop.explain.dynamic_slice((5,), [start], [size], out_of_bounds=policy)
        update = ssop.explain.dynamic_update_slice((5,), (size,), [start], out_of_bounds=policy)
        right = ssop.dynamic_slice(np.arange(5), [start], [size], out_of_bounds=policy).tolist()
        if size == 0:
            assert told.answer == "axis 0 is empty: its size is 0" and "no elements" in update.answer
            continue
        said = re.search(r"is (its element \d+|\d+\.\.\d+)(?:, then (.*))?", told.answer)
        if said:
            words = [said[1], *([f"{said[2]}" if ".." in said[2] else f"its {said[2]}"] if said[2] else [])]
            assert [int(i) for text in words for i in window_indices(text)] == right, told.answer
        else:
            assert right == list(range(5)) and "whole" in told.answer
        moved = re.search(r"\(start (-?\d+) (is clamped|wraps) to (\d+)\)", told.answer)
        assert (moved is None) == (start == right[0] or "then" in told.answer)
        if moved:
            assert (int(moved[1]), int(moved[3])) == (start, right[0])
        where = update.answer.partition("where ")[2] or "axis 0 is whole"
        assert where in (told.answer.partition(": ")[2], "axis 0 is whole")


def test_the_sentence_of_a_filled_window():
    for start, size in product(range(-7, 8), range(1, 9)):
        told = ssop.explain.dynamic_slice((5,), [start], [size], out_of_bounds="fill").answer
        right = ssop.dynamic_slice(np.arange(5), [start], [size], out_of_bounds="fill", fill_value=-1).tolist()
        before, behind, outside = (re.search(rf"(\d+) filled{where}", told) for where in (" before", " behind", "$"))
        if "is outside" in told:
            assert right == [-1] * int(outside[1])
            continue
        said = re.search(r"is (its element \d+|\d+\.\.\d+)", told)
        inside = [*window_indices(said[1])] if said else [*range(5)]
        assert said or "is whole" in told
        assert right == [-1] * int(before[1] if before else 0) + inside + [-1] * int(behind[1] if behind else 0), told


def window_indices(text):
    first, *last = re.findall(r"\d+", text)
    return range(int(first), int(last[0] if last else first) + 1)


def test_the_sentence_of_a_pad():
    for low, high, interior in product(range(-2, 3), range(-2, 3), range(3)):
        told = ssop.explain.pad((4,), [(low, high, interior)])
        if told.error is None and not told.empty:
            (dim,) = ssop.xla.pad(np.arange(4), 0, [(low, high, interior)]).shape
            changes = re.match(rf"shape \({dim},\): axis 0 goes from 4 to {dim}: (.*)", told.answer)
            assert (changes is None) == (low == high == interior == 0)
            found = re.findall(r"(\d+) (added before|removed before|added behind|removed behind|between)", told.answer)
            signed = {words: int(n) * (-1 if "removed" in words else 1) for n, words in found}
            assert sum(signed.values()) == low + high + interior and dim == 4 + low + high + 3 * interior


@given(with_shape(slicing.entries))
def test_the_sentence_of_a_gradient(case):
    shape, entries = case
    x, spec = counting(shape), slicing.encode(entries)
    right = np.asarray(x[slicing.as_index(entries)])
    told = ssop.explain.strided_slice_grad(shape, *spec.arguments[:3], right.shape, *spec.arguments[3:])
    if right.size == 0:
        assert told.answer == f"shape {shape}: dy has no elements, and every element is 0"
    elif "equals dy" in told.answer:
        assert np.array_equal(x, right)
    else:
        head, _, places = told.answer.removesuffix("; every other element is 0").partition(": dy goes where ")
        assert head == f"shape {shape}"
        reading = Reading(f"{head}: {places}", shape)
        assert np.array_equal(reading.of(x).ravel(), right.ravel())


@pytest.mark.parametrize("words", KINDS)
def test_each_kind_of_result_has_its_sentence(words):
    shape, index = KINDS[words]
    assert words in ssop.StridedSliceSpec.from_index(index).explain(shape).answer


def test_long_sentences_are_cut():
    shape = (9,) * 40
    told = ssop.explain(shape, [1, 2, 3] * 10, [5, 7, 8] * 10)
    assert told.answer.endswith("the table of axes has 23 more") and told.answer.count("; ") == 8
    told = ssop.explain(shape, [], [])
    assert told.answer.endswith("every axis is whole, and the result equals x")
    told = ssop.explain((3,) * 5, [2] * 5, [1] * 5)
    assert told.answer.endswith("axes 1..4 are empty, too") or told.answer.endswith(
        "axis 1, axis 2, axis 3 and axis 4 are empty, too"
    )
