"""`ssop.convert`: what is equal on every shape, what is not, and where; against NumPy, and by brute force."""

import itertools
import json
import pickle
import random

import numpy as np
import pytest

import ssop
from json_places import changed, places
from ssop import SliceError
from ssop._convert.proofs import Lengths, difference
from ssop._convert.rules import RULES, Step, taken
from ssop._convert.shape import dims_of
from ssop._convert.targets import TARGETS

Call, convert, equal = ssop.convert.Call, ssop.convert, ssop.convert.equal
INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN = 2**31 - 1, -(2**31), 2**63 - 1, -(2**63)


def onnx(start, end, step=1, engine="spec"):
    return Call("onnx.slice", starts=[start], ends=[end], axes=[0], steps=[step], engine=engine)


def narrow(start, length):
    return Call("torch.narrow", dim=0, start=start, length=length)


def window(start, size):
    return Call("xla.dynamic_slice", start_indices=[start], slice_sizes=[size])


# ---- what converters wrote -------------------------------------------------------------------------------------------

WRONG = {
    "tf2onnx reads begin < 0 and end 0 as up to the end": (np.s_[-1:0], onnx(-1, INT64_MAX), None, 1),
    "tf2onnx gives the last three": (np.s_[-3:0], onnx(-3, INT64_MAX), [3], 3),
    "tf2onnx drops a masked begin": (
        Call("tf.strided_slice", begin=[2], end=[0], strides=[2], begin_mask=1, end_mask=1),
        onnx(2, INT64_MAX, 2),
        None,
        1,
    ),
    "far negative starts of reversed slices": (np.s_[-9::-1], onnx(-9, INT64_MIN, -1, "ort"), None, 1),
    "sentinels of 10**9": (np.s_[2:], onnx(2, 10**9), None, 10**9 + 1),
    "INT32_MIN as the end of a reversed slice": (np.s_[::-1], onnx(-1, INT32_MIN, -1), None, 2**31),
    "OpenVINO clamps the begin first": (
        np.s_[-7::-1],
        Call("openvino.strided_slice", begin=[-7], end=[0], strides=[-1], begin_mask=[0], end_mask=[1]),
        [(1, 4)],
        1,
    ),
    "INT64_MAX as the end of a reversed slice": (onnx(4, INT64_MAX, -1), onnx(4, INT64_MAX, -1, "ort"), None, 1),
    "INT32_MAX folded as a number": (onnx(3, INT32_MAX, -1, "ort"), onnx(3, INT32_MAX, -1), None, 1),
    "jax2onnx forgets the clamp": (window(3, 2), onnx(3, 5), [(2, None)], 2),
    "coremltools writes an end of 0": (
        narrow(-2, 2),
        Call("coreml.slice_by_index", begin=[-2], end=[0], begin_mask=[0], end_mask=[0]),
        [(2, None)],
        2,
    ),
    "OpenVINO reads INT32_MAX as open": (
        Call("openvino.slice", start=[-7], stop=[INT32_MAX], step=[1]),
        Call("openvino.slice", start=[-7], stop=[INT64_MAX], step=[1]),
        None,
        2**31,
    ),
    "OpenVINO cuts a begin to 32 bits": (np.s_[2**31 :], np.s_[-(2**31) :], None, 1),
    "OpenVINO cuts the sentinel of torch to 1": (np.s_[::-1], onnx(-1, 1, -1), None, 1),
    "a crop of 10 elements is frozen when it is exported": (np.s_[4:8], onnx(3, 7), [12], 12),
    "XLA adds the starts of dynamic slices": ([window(9, 4), window(0, 1)], window(9, 1), [10], 10),
}


@pytest.mark.parametrize("name", WRONG)
def test_cv_s1_what_a_converter_wrote_is_unequal_and_ours_is_equal(name):
    source, written, shape, smallest = WRONG[name]
    answer = equal(source, written, shape)
    assert not answer and answer.smallest == smallest
    x = np.arange(min(smallest, 50))
    if len(x) == smallest:  # the counterexample is one
        assert run(source, x) != run(written, x)
    for to in TARGETS:
        try:
            ours = convert(source, to, shape)
        except ssop.ConversionError as error:
            assert to == "xla", error
            ours = convert(source, to, shape, assume=error.precondition)
        assert equal(source, ours, shape, assume={0: (ours.shape.lengths[0].least, ours.shape.lengths[0].most)})


@pytest.mark.parametrize(
    ("index", "least", "text"),
    [
        (np.s_[-2:-4:-3], 2, "y = jax.lax.slice_in_dim(x, start_index=-2, limit_index=-1)"),
        (
            np.s_[:-4:3],
            2,
            "y = jax.lax.slice_in_dim(x, start_index=None, limit_index=-1, stride=3)\n"
            "y = jax.lax.slice_in_dim(y, start_index=None, limit_index=-1)",
        ),
        (
            np.s_[-3::3],
            1,
            "y = jax.lax.rev(x, dimensions=[0])\n"
            "y = jax.lax.dynamic_slice_in_dim(y, start_index=2, slice_size=1, allow_negative_indices=False)",
        ),
    ],
    ids=str,
)
def test_slices_of_xla_that_no_short_dim_makes_an_error(index, least, text):
    assert str(convert(index, "xla", [(least, None)])) == text


def test_openvino_drops_and_makes_axes_in_two_calls():
    """Its CPU plugin gives memory from outside the input for x[0, None] on (1, 3) in one StridedSlice."""
    for shape in ([1, 3], ["n", "m"], None):
        calls = convert(np.s_[0, None], "openvino", shape).calls
        assert [call.function for call in calls] == ["openvino.strided_slice", "openvino.unsqueeze"]
    assert len(convert(np.s_[1:, None], "openvino").calls) == 1


def test_an_ellipsis_that_stands_for_no_axis():
    """tf2onnx wrote a Slice with axes [0, 0], which ONNX Runtime rejects."""
    source, shape = np.s_[..., 1:3], ["n"]
    with pytest.raises(ssop.SliceValueError, match="entry 1: axis 0 is listed twice"):
        equal(source, Call("onnx.slice", starts=[0, 1], ends=[INT64_MAX, 3], axes=[0, 0]), shape)
    assert str(convert(source, "onnx", shape)) == "y = Slice(x, starts=[1], ends=[3], axes=[0])"


@pytest.mark.parametrize("step", [INT64_MIN, INT64_MIN + 1, INT64_MAX])
def test_steps_at_the_ends_of_int64(step):
    """Their sizes, and the product of two, are beyond the integers that islpy takes as such."""
    assert equal(np.s_[::step], np.s_[-1::step] if step < 0 else np.s_[:1])
    assert equal([np.s_[::step], np.s_[::step]], np.s_[::step])
    assert not equal(np.s_[::step], np.s_[: 1 if step < 0 else 2])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (Call("onnx.squeeze", axes=[0]), "size not equal to one"),
        (Call("tf.squeeze", axis=[2]), "out of bounds"),
        (Call("onnx.unsqueeze", axes=[0, 0]), "repeated axis"),
        (Call("tf.expand_dims", axis=3), "out of bounds"),
    ],
)
def test_axes_that_cannot_be_dropped_or_made_are_errors_of_this_package(call, message):
    with pytest.raises(ssop.SliceValueError, match=message) as caught:
        call(np.zeros((2, 3)))
    assert caught.value.label == "cv_c2"


def test_onnx_reference_takes_the_last_of_an_axis_that_is_listed_twice():
    """onr_s1. So `ssop.inspect` tells its result for what tf2onnx writes of such an ellipsis."""
    lists = {"starts": [0, 1], "ends": [1, 3], "axes": [0, 0], "steps": [0, 1]}
    call = Call("onnx.slice", **lists, engine="reference")
    assert equal(call, np.s_[1:3], ["n"]) and call(np.arange(4)).tolist() == [1, 2]
    with pytest.raises(ssop.SliceValueError, match="entry 1: the step is 0"):
        equal(Call("onnx.slice", **lists | {"steps": [1, 0]}, engine="reference"), np.s_[1:3], ["n"])


def test_the_sentinel_of_torch_is_right_below_the_last_int64():
    answer = equal(np.s_[::-1], onnx(-1, INT64_MIN + 1, -1))
    assert not answer and answer.smallest == INT64_MAX
    assert equal(np.s_[::-1], onnx(-1, INT64_MIN + 1, -1), assume=answer.precondition)


def run(calls, x):
    """The result as a list, or None for an error."""
    try:
        if isinstance(calls, (Call, list)):
            for call in [calls] if isinstance(calls, Call) else calls:
                x = call(x)
            return x.tolist()
        return x[calls].tolist()  # NumPy's own answer to an index
    except (SliceError, IndexError, ValueError):
        return None


# ---- against NumPy, and by brute force -------------------------------------------------------------------------------


def draw_index(rng, rank):
    def bound():
        return rng.choice([None, *range(-7, 8)])

    items = [
        rng.randint(-4, 4) if rng.random() < 0.2 else slice(bound(), bound(), rng.choice([None, 1, 2, 3, -1, -2, -3]))
        for _ in range(rank)
    ]
    for item in (None, Ellipsis):
        if rng.random() < 0.3:
            items.insert(rng.randint(0, len(items)), item)
    return tuple(items)


@pytest.mark.parametrize("to", TARGETS)
def test_conversions_of_indices_give_what_numpy_gives(to):
    rng = random.Random(0)
    equal_results = refused = 0
    for _ in range(150):
        rank = rng.randint(1, 3)
        index = draw_index(rng, rank)
        shape = [rng.randint(0, 6) if rng.random() < 0.4 else None for _ in range(rank)]
        try:
            conversion = convert(index, to, shape)
        except SliceError as error:
            assert error.label in ("cv_c5", "cv_c7")
            refused += 1
            if error.label == "cv_c7":
                assert to == "xla" and len(error.precondition) == 1
            continue
        for _ in range(6):
            x = np.empty([rng.randint(0, 9) if dim is None else dim for dim in shape])
            x[...] = np.arange(x.size).reshape(x.shape)
            got = run(list(conversion.calls), x)
            assert got == run(index, x), (conversion, x.shape)
            equal_results += got is not None
    assert equal_results > 300 and refused < (110 if to == "xla" else 50)


SHORT = range(-3, 4)


def draw_chain(rng):
    def step():
        rule = rng.choice(["tf", "tflite", "openvino", "onnxruntime", "in_dim", "window"])
        begin = rng.choice(SHORT)
        if RULES[rule].window:
            return Step(rule, begin, begin + rng.randint(0, 3))
        strides = (1, 2, 3, -1, -2) if RULES[rule].clamps else (1, 2)
        return Step(rule, rng.choice([None, begin]), rng.choice([None, *SHORT]), rng.choice(strides))

    return tuple(step() for _ in range(rng.randint(1, 2)))


def test_differences_are_those_that_brute_force_finds():
    """Beyond a dim of the greatest bound and twice the common multiple of the steps, both sides repeat themselves."""
    rng = random.Random(1)
    last = 2 * 3 + 2 * 36 + 2
    unequal = 0
    for _ in range(400):
        one, two = draw_chain(rng), draw_chain(rng)
        if rng.random() < 0.5:
            two = (*one[:-1], one[-1]._replace(rule=rng.choice(["tf", "openvino", "onnxruntime"])))
        answers = [[taken(chain, dim) for dim in range(last)] for chain in (one, two)]
        answers = [[None if isinstance(a, SliceError) else a for a in side] for side in answers]
        differing = [dim for dim, (a, b) in enumerate(zip(*answers, strict=True)) if a != b]
        found = difference(one, two, Lengths())
        assert (found.smallest if found else None) == (differing[0] if differing else None), (one, two)
        if found and found.equal is not None:
            same = [dim for dim in range(last) if any(a.least <= dim <= a.most for a in found.equal)]
            assert same == [dim for dim in range(last) if dim not in differing]
        unequal += found is not None
    assert 100 < unequal < 380


# ---- forms -----------------------------------------------------------------------------------------------------------


def test_a_call_is_a_value():
    call = onnx(1, 5, 2)
    assert call == pickle.loads(pickle.dumps(call)) and hash(call) == hash(onnx(1, 5, 2)) and call != onnx(1, 5)
    assert repr(call) == "Call('onnx.slice', starts=[1], ends=[5], axes=[0], steps=[2])"
    with pytest.raises(AttributeError):
        call.function = "tf.slice"


def test_a_spec_an_index_a_call_and_a_list_are_calls():
    spec = ssop.StridedSliceSpec.from_index(np.s_[1:, ::2])
    wanted = Call("tf.strided_slice", **{name: getattr(spec, name) for name in ssop.StridedSliceSpec.__slots__})
    for calls in (spec, np.s_[1:, ::2], wanted, [wanted], convert(spec, to="onnx"), [np.s_[1:], np.s_[:, ::2]]):
        assert equal(calls, wanted)


def test_a_shape_of_unknown_rank_is_every_shape():
    some = ssop.shapes.PartialShape(None)
    assert convert(np.s_[1:], "onnx", some) == convert(np.s_[1:], "onnx") and equal(np.s_[1:], np.s_[1::1], some)
    with pytest.raises(ssop.SliceValueError, match="cv_c4"):
        convert(np.s_[..., 1:], "onnx", some)


def on_axes(name, **lists):
    return convert.Call(f"onnx.{name}", **lists)


@pytest.mark.parametrize("to", ["numpy", "onnx", "tf", "torch", "xla"])
@pytest.mark.parametrize(
    "between", [(), (on_axes("slice", starts=[1], ends=[3], axes=[1]),), (on_axes("squeeze", axes=[1]),)]
)
def test_a_new_axis_that_is_dropped_again_changes_nothing(between, to):
    """Engines that batch their operands add an axis before a slice, and drop it behind."""
    calls = [on_axes("unsqueeze", axes=[0]), *between, on_axes("squeeze", axes=[0])]
    conversion = convert(calls, to=to, shape=[1, None])
    convert.verify(conversion.certificate)
    x = np.arange(5)[None]
    expected = x if not between else x[1:3] if between[0].function == "onnx.slice" else x[0]
    np.testing.assert_array_equal(conversion(x), expected)
    assert bool(convert.is_identity(calls, shape=[1, None])) == (not between)
    assert convert.equal(calls, conversion.calls, shape=[1, None])


def test_an_element_of_a_new_axis_at_run_time_is_one_or_an_error():
    calls = [np.s_[None], convert.Call("numpy.index", index=("i",))]
    assert not convert.equal(calls, np.s_[:], shape=[5])
    assert not convert.equal(np.s_[:], calls, shape=[5])


def test_text_runs_as_python():
    x = np.arange(24).reshape(4, 6)
    for index in (np.s_[1:, ::-2], np.s_[None, 2], np.s_[...]):
        names = {"x": x, "numpy": np}
        exec(str(convert(index, to="numpy", shape=x.shape)), names)
        np.testing.assert_array_equal(names["y"], x[index])


def test_cv_s2_certificates_are_json_and_are_checked():
    conversion = convert(np.s_[-3::-1, 2], to="onnx", shape=["n", 5])
    certificate = json.loads(json.dumps(conversion.certificate))
    convert.verify(certificate)
    for name in ("source", "target"):
        broken = json.loads(json.dumps(certificate))
        broken[name].pop()
        with pytest.raises(ssop.SliceValueError, match="cv_c8"):
            convert.verify(broken)
    broken = json.loads(json.dumps(certificate))
    broken["axes"][0]["source"][0] = "{ [N] -> [M = N] : 0 <= N <= 9 }"
    with pytest.raises(ssop.SliceValueError, match="axis 0: the relations are not those of the calls"):
        convert.verify(broken)


def costly(variables):
    """A relation of which isl has to split a case for each order of its variables: hours for ten."""
    names = [f"x{number}" for number in range(variables)]
    bounds = [f"0 <= {name} < {variables - 1}" for name in names]
    different = [f"{one} != {two}" for one, two in itertools.combinations(names, 2)]
    return f"{{ [N] -> [M] : exists {', '.join(names)} : {' and '.join(bounds + different)} }}"


STRANGE = ["", "x", "{", "{ [N] -> [M] : M = 1e400 }", "{ [a, b, c] -> [d] }", "x" * 10**6, costly(10)]


@pytest.mark.parametrize("text", STRANGE, ids=range(len(STRANGE)))
def test_a_text_that_isl_rejects_is_an_error(text):
    conversion = convert(np.s_[-3::-1, 2], to="onnx", shape=["n", 5])
    for place in ("source", "target"):
        broken = json.loads(json.dumps(conversion.certificate))
        texts = broken["axes"][0][place]
        (texts if place == "source" else next(iter(texts.values())))[0] = text
        with pytest.raises(ssop.SliceValueError, match="cv_c8"):
            convert.verify(broken)


OTHERS = [None, "", "x", [], {}, [1.0], -1, 10**400, float("inf"), [[[]]], {"a": {}}, [10**30], "i + 4", [None, None]]


def test_cv_c4_many_slices_of_an_axis_need_its_length():
    """1,000 of them ended with RecursionError, and a certificate with 3,000 took minutes."""
    calls, fewer = [np.s_[1:]] * 5_000, [np.s_[1:]] * 256
    assert convert.equal(fewer, np.s_[256:]) and str(convert(calls, "numpy", shape=[6_000])) == "y = x[5000:6000]"
    for function in (convert.is_identity, lambda calls: convert(calls, "tf"), lambda calls: convert.equal(calls, ...)):
        with pytest.raises(ssop.SliceValueError, match=r"5000 steps on an axis .* \[cv_c4\]"):
            function(calls)
    certificate = json.loads(json.dumps(convert(np.s_[1:], to="numpy", shape=[None]).certificate))
    many = {name: certificate[name] * 5_000 for name in ("source", "target")}
    with pytest.raises(ssop.SliceValueError, match="cv_c4"):
        convert.verify(certificate | many)


def test_changed_certificates_are_errors_that_name_their_rule():
    whole = json.loads(json.dumps(convert(np.s_[-3::-1, 2], to="onnx", shape=["n", 5]).certificate))
    for path in places(whole):
        for value in OTHERS:
            try:
                convert.verify(changed(whole, path, value))  # versions and names may be anything
            except ssop.SliceError as error:
                assert error.label, (path, value)


def test_known_shapes_need_no_islpy(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "islpy", None)
    assert str(convert(np.s_[1:, ::-1], to="xla", shape=[5, 3])).count("\n") == 1
    with pytest.raises(ImportError, match="install islpy"):
        convert(np.s_[-9:], to="xla", shape=[None, 3])


def test_an_error_names_what_would_be_equal():
    with pytest.raises(ssop.ConversionError) as info:
        convert(np.s_[-3:, 0:2], to="xla", shape=["batch", (1, None)])
    error = info.value
    assert error.counterexample == (0, 1) and error.precondition == {0: (3, None)} and "at least 3" in error.reason
    with pytest.raises(ssop.ConversionError, match="axis 1"):
        convert(np.s_[-3:, 0:2], to="xla", shape=["batch", (1, None)], assume=error.precondition)


@pytest.mark.parametrize(
    ("calls", "to", "shape", "axis", "entry"),
    [
        (np.s_[None, -3:], "xla", ["n"], 0, 1),
        (np.s_[..., None, 1, -3:], "xla", ["n", 4, "m"], 2, 3),
        (
            Call("tf.strided_slice", begin=[0, 0, -3], end=[0, 0, 9], ellipsis_mask=1, new_axis_mask=2),
            "xla",
            [3, None],
            1,
            2,
        ),
        (Call("onnx.slice", starts=[0, -3], ends=[3, 99], axes=[2, 1]), "xla", [3, None, 4], 1, 1),
        (
            Call("onnx.slice", starts=[0, -3, -2], ends=[3, 9, 9], axes=[0, 1, -1], engine="reference"),
            "xla",
            [3, None],
            1,
            2,
        ),
        (Call("tf.slice", begin=[0, 2], size=[-1, -1]), "numpy", [4, None], 1, 1),
        (Call("coreml.slice_by_index", begin=[0, -3], end=[1, 9]), "xla", [4, None], 1, 1),
        (Call("xla.dynamic_update_slice", start_indices=[0, "j"], update_shape=[2, 3]), "tf", [5, (3, None)], 1, 1),
        (Call("numpy.assign", index=np.s_[1:2, -3:]), "xla", [2, None], 1, 1),
        (Call("torch.narrow", dim=1, start=2, length=3), "numpy", [4, None], 1, None),  # it has no lists
        ([np.s_[1:], np.s_[1:]], "xla", ["n"], 0, None),
    ],
    ids=range(11),
)
def test_an_error_names_the_entry_of_its_axis(calls, to, shape, axis, entry):
    with pytest.raises(ssop.ConversionError) as caught:
        convert(calls, to, shape)
    assert (caught.value.axis, caught.value.entry) == (axis, entry)


def test_identities():
    assert convert.is_identity(np.s_[0:], [None])
    assert convert.is_identity(np.s_[::-1], [(0, 1)])
    answer = convert.is_identity(np.s_[:5])
    assert not answer and answer.smallest == 6 and answer.precondition == {0: (0, 5)}
    assert str(convert.is_identity(np.s_[None])) == "different: the results have other axes"


def test_units_may_come_from_different_axes():
    """A dropped axis and a new one are an axis of length 1 that stays."""
    assert equal(np.s_[0, None], np.s_[:], [1, 5])
    assert not equal(np.s_[0, None], np.s_[:], [2, 5])


def test_windows_that_are_moved_have_two_slices():
    assert str(convert(window(3, 2), to="onnx", shape=[(2, None)])) == (
        "y = Slice(x, starts=[0], ends=[5], axes=[0])\ny = Slice(y, starts=[-2], ends=[9223372036854775807], axes=[0])"
    )


def test_rules_behind_an_index_outside_a_short_axis_are_not_missed():
    """Entry 0 would be outside an axis of length 1; entry 1 breaks a rule on every axis."""
    call = Call("tf.strided_slice", begin=[-3, 4], end=[2, -6], strides=[1, -2], shrink_axis_mask=3)
    with pytest.raises(ssop.SliceValueError, match="ss_c6"):
        convert(call, to="onnx", shape=[None, None])


def index(*items):
    return [Call("numpy.index", index=item) for item in items]


@pytest.mark.parametrize(
    ("calls", "text"),
    [
        (index(np.s_[1:], np.s_[::2]), "y = x[1::2]"),
        (index(np.s_[2:], np.s_[:-3]), "y = x[2:-3]"),
        (index(np.s_[::-1], np.s_[:3]), "y = x[:-4:-1]"),
        (index(np.s_[::-1], np.s_[::-1]), "y = x"),
        (index(np.s_[1:9], np.s_[2:4], np.s_[::-1]), "y = x[4:2:-1]"),
        (index(np.s_[5:], np.s_[0]), "y = x[5]"),
        (index(np.s_[::3], np.s_[-2:]), "y = x[::3]\ny = y[-2:]"),  # no single slice takes the last two of every third
    ],
    ids=str,
)
def test_calls_after_each_other_become_one(calls, text):
    assert str(convert(calls, to="numpy")) == text


def test_xla_has_one_slice_of_all_axes_where_the_dims_are_known():
    assert str(convert(np.s_[1:, ::-2, 2], to="xla", shape=[5, 4, 3])) == (
        "y = jax.lax.rev(x, dimensions=[1])\n"
        "y = jax.lax.slice(y, start_indices=[1, 0, 0], limit_indices=[5, 3, 3], strides=[1, 2, 1])\n"
        "y = jax.lax.index_in_dim(y, index=2, axis=2, keepdims=False)"
    )


def test_a_model_needs_onnx(monkeypatch):
    for name in ("onnx", "onnx.helper"):  # the second one may have been imported before
        monkeypatch.setitem(__import__("sys").modules, name, None)
    with pytest.raises(ImportError, match="a model of ONNX needs onnx: pip install onnx"):
        convert(np.s_[1:], to="onnx", shape=[3]).to_onnx()


def test_an_error_is_not_equal_to_an_empty_result():
    """Where a result is empty, its other axes only need the same length, which an error has not."""
    outside = Call("xla.slice", start_indices=[0, 5], limit_indices=[0, 7])
    answer = equal(np.s_[0:0, 0:2], outside, [3, 3])
    assert not answer and answer.axis == 1
    assert equal(np.s_[0:0, 0:2], np.s_[0:0, 1:3], [3, 3])


def test_numbers_outside_int32_are_written_as_int64_for_tensorflow():
    """TensorFlow cuts the number to 32 bits if another list has small ones alone."""
    assert str(convert(np.s_[: 2**31], "tf")) == (
        "y = tf.strided_slice(x, begin=tf.constant([0], tf.int64), end=tf.constant([2147483648], tf.int64), "
        "strides=tf.constant([1], tf.int64), begin_mask=1)"
    )


@pytest.mark.parametrize("index", [np.s_[:INT32_MAX], np.s_[-7:INT32_MAX], np.s_[-7:INT32_MAX:2], np.s_[:INT32_MAX:3]])
def test_ends_that_an_engine_reads_as_open(index):
    """ONNX Runtime reads INT32_MAX as open, which is another end where a dim is greater."""
    assert equal(index, [*convert(index, "onnx").calls])
    assert len(convert(index, "onnx", [(0, INT32_MAX)]).calls) <= 1


@pytest.mark.parametrize("to", ["tflite", "coreml"])
def test_targets_with_numbers_of_int32_have_no_others(to):
    for index in (np.s_[2**40 :], np.s_[: 2**31], np.s_[-(2**40) : 2**62 : 2**33], np.s_[2**31 :: -(2**40)], 2**31 - 2):
        calls = list(convert(index, to).calls)
        numbers = [x for call in calls for value in call.arguments.values() if isinstance(value, tuple) for x in value]
        assert all(-(2**31) <= x < 2**31 for x in numbers)
        assert equal(index, calls or np.s_[:], assume={0: (0, 2**31 - 1)})


@pytest.mark.parametrize("dtype", ["bfloat16", np.float16, np.dtype("U5"), ">f4", "string"], ids=str)
def test_a_dtype_that_the_target_takes(dtype):
    conversion = convert(np.s_[1:], "onnx", dtype=dtype)
    assert conversion.dtype in ("bfloat16", "float16", "string", "float32")
    with pytest.raises(ssop.SliceValueError, match="cv_c9"):
        convert(np.s_[1:], "coreml", dtype="float64")


@pytest.mark.parametrize("to", TARGETS)
def test_an_axis_of_any_length_that_must_be_one_is_squeezed(to):
    """An index drops an element of every axis, and a squeeze is an error for all lengths but 1."""
    squeeze = Call("onnx.squeeze", axes=[1])
    assert convert.equal(squeeze, convert(squeeze, to, [None, None]), [None, None])
    assert len(convert(squeeze, to, [None, 1]).calls) == 1
    if to == "torch":  # whose squeeze keeps other axes
        assert str(convert(squeeze, to, [None, None])) == "y = x[:, -1:1]\ny = y[:, 0]"


class OwnArray(np.ndarray):
    """An array with meanings of its own, of which a conversion reads the dims alone."""


@pytest.mark.parametrize("make", [convert, lambda index, to, shape: convert.compose(index, shape)])
def test_cv_c13_arrays_of_other_libraries_have_the_shape_too(make):
    one = make(np.s_[1:], "numpy", ["n", 3])
    assert one(np.zeros((2, 3)).view(OwnArray)).shape == (1, 3)
    with pytest.raises(ssop.SliceValueError, match="cv_c13"):
        one(np.zeros((3, 4)).view(OwnArray))


@pytest.mark.parametrize("shape", [(float("nan"), 3), None, 7])
def test_cv_c13_dims_that_an_array_does_not_know_are_not_compared(shape):
    class Lazy:
        def __init__(self, shape):
            self.shape = shape

    assert dims_of(Lazy(shape)) is None and dims_of(Lazy((2, 3))) == (2, 3)
    assert dims_of(Lazy(())) == () and dims_of(object()) is None
