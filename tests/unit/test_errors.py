"""What an error is: its class, its six attributes, its message, and that everything is left as it was."""

import copy
import pickle
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import ssop
from unit.error_cases import CASES, X

CONTRACT = (Path(__file__).parents[2] / "SPEC.md").read_text(encoding="utf-8")
CLASSES = {
    "value": (ssop.SliceValueError, ValueError),
    "index": (ssop.SliceIndexError, IndexError),
    "type": (ssop.SliceTypeError, TypeError),
    "overflow": (ssop.SliceOverflowError, OverflowError),
    "conversion": (ssop.ConversionError, ValueError),
}
ATTRIBUTES = ("op", "label", "axis", "entry", "value", "allowed")
# In these the two shapes stand side by side, which shows the axis; or only merging whole shapes knows it.
WITHOUT_AXIS = {"out_c2", "pl_c1", "gr_c1", "as_c1", "sh_c3"}
# In these, an int is of the wrong type: its type is shown.
WITHOUT_VALUE = {"ds_c8", "in_c5", "in_c8", "out_c1", "sh_c23", "sh_c25", "sh_c36"}


def table():
    """label -> {column: cell} of SPEC.md's second table of errors."""
    rows = re.findall(r"^\| `(\w+_c\d+)` \| (.*) \|$", CONTRACT, flags=re.M)
    columns = ("class", "axis", "entry", "value", "allowed")
    return {label: dict(zip(columns, map(str.strip, cells.split("|")), strict=True)) for label, cells in rows}


RULES = table()


def caught(case):
    with pytest.raises(ssop.SliceError) as info:
        case.run()
    return info.value


every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.label}-{case.op}")


def same(a, b):
    return a is b or (type(a) is type(b) and bool(np.all(a == b)))


# ---- the table -------------------------------------------------------------------------------------------------------


def test_every_rule_is_broken_here():
    assert len(RULES) >= 46
    assert {case.label for case in CASES} == set(RULES)


@every_case
def test_class(case):
    ours, builtin = CLASSES[RULES[case.label]["class"]]
    error = caught(case)
    assert type(error) is ours
    assert isinstance(error, builtin)
    assert isinstance(error, ssop.SliceError)


@every_case
def test_attributes(case):
    error = caught(case)
    assert (error.op, error.label, error.axis, error.entry) == (case.op, case.label, case.axis, case.entry)
    assert same(error.value, case.value)
    assert error.allowed == case.allowed


@pytest.mark.parametrize("label", RULES)
def test_table_says_which_attributes_have_a_meaning(label):
    errors = [caught(case) for case in CASES if case.label == label]
    for column in ("axis", "entry", "value", "allowed"):
        given = [getattr(error, column) is not None for error in errors]
        assert any(given) == bool(RULES[label][column]), column


# ---- the message -----------------------------------------------------------------------------------------------------


@every_case
def test_message_word_for_word(case):
    assert str(caught(case)) == f"{case.op}: {case.message} [{case.label}]"


def test_enough_messages_are_compared():
    assert len({case.message for case in CASES}) >= 50


@every_case
def test_message_holds_what_the_attributes_hold(case):
    error = caught(case)
    message = str(error)
    assert message.startswith(f"{error.op}: ")
    if error.axis is not None and case.label not in WITHOUT_AXIS:
        assert re.search(rf"\b(axis|dim|Dimension) {error.axis}\b|scalar", message)
    if error.entry is not None:
        assert re.search(rf"\b(entry|axis) {error.entry}\b", message)
    if isinstance(error.value, int | tuple) and not isinstance(error.value, bool):
        assert str(error.value) in message or case.label in WITHOUT_VALUE
    elif error.value is not None:  # other objects by their type: their repr may be long, or user code
        assert str(error.value) in message or type(error.value).__name__ in message
    if error.allowed is not None:
        low, high = map(str, error.allowed)
        assert high in message or error.allowed[1] == 2**63 - 1  # no upper end
        assert low in message or low == "0"


def test_messages_show_the_phrases_users_search_for():
    """Each phrase in backquotes in a constraint's Source line stands in that constraint's message."""
    checked = 0
    for label, section in re.findall(r"^### (\w+_c\d+):.*?\n(.*?)(?=^### |^## |\Z)", CONTRACT, flags=re.M | re.S):
        source = section.partition("Source:")[2].partition("```")[0]
        phrases = [phrase for phrase in re.findall(r"`([^`]+)`", source) if re.search(r"[a-z] [a-z]", phrase)]
        messages = [re.sub(r"-?\d+", "#", case.message) for case in CASES if case.label == label]
        for phrase in phrases:
            pattern = re.sub(r"strides\[i\]", "strides[#]", re.sub(r"-?\d+", "#", phrase))
            assert any(pattern in message for message in messages), (label, phrase)
            checked += 1
    assert checked >= 20


def test_type_names_are_cut_and_decoded():
    long_name = type("é" * 200, (), {})
    with pytest.raises(ssop.SliceTypeError, match="begin entry 0 is a é+.{0,2}, not an integer") as info:
        ssop.strided_slice(X, [long_name()], [1])
    assert len(str(info.value)) < 150


@pytest.mark.parametrize(("given", "shown"), [("\udc80é", "\\udc80é"), ("wr\0ap", "wr\\x00ap"), ("é" * 99, "é" * 60)])
def test_strings_are_shown_as_far_as_they_can_be(given, shown):
    """Lone surrogates, which have no UTF-8, and NUL, which ends a C string, are escaped."""
    with pytest.raises(ssop.SliceValueError) as info:
        ssop.dynamic_slice(X, [0, 0], [1, 1], out_of_bounds=given)
    words = f"out_of_bounds is '{shown}', not 'clamp', 'wrap', 'raise' or 'fill'"
    assert str(info.value) == f"dynamic_slice: {words} [ds_c6]"
    assert info.value.value is given


def test_long_messages_are_whole():
    """More than the buffer on the stack holds."""
    wide = np.dtype([(f"field_{i}", "i4") for i in range(200)])
    with pytest.raises(ssop.SliceTypeError) as info:
        ssop.strided_slice(X, [0], [1], out=np.zeros((1, 4), wide))
    assert str(info.value) == f"strided_slice: out has dtype {wide}, not int64 [out_c3]"
    assert len(str(info.value)) > 4000


class Name(str):
    """A field name whose repr, which is a part of the dtype's, runs `then`."""

    def __repr__(self):
        self.then()
        return super().__repr__()


def test_dtypes_live_until_the_message_is_made():
    """str() of the first dtype gives both arrays another one: the message still shows those that were compared."""
    name = Name("field")
    array, out = np.zeros(2, np.dtype([("other", "i4")])), np.zeros(1, np.dtype([(name, "i4")]))

    def then():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of NumPy 2.5
            array.dtype = out.dtype = np.dtype("i4")
        np.zeros(1000, [("something", "i8"), ("else", "i8")])  # memory of freed dtypes is used again

    name.then = then
    with pytest.raises(ssop.SliceTypeError) as info:
        ssop.strided_slice(array, [0], [1], out=out)
    assert str(info.value) == "strided_slice: out has dtype [('field', '<i4')], not [('other', '<i4')] [out_c3]"
    assert info.value.value.names == ("field",)


# ---- as an object ----------------------------------------------------------------------------------------------------


@every_case
@pytest.mark.parametrize("protocol", [0, 2, pickle.HIGHEST_PROTOCOL])
def test_pickling_keeps_everything(case, protocol):
    error = caught(case)
    again = pickle.loads(pickle.dumps(error, protocol))
    assert type(again) is type(error)
    assert again.args == error.args
    assert all(same(getattr(again, name), getattr(error, name)) for name in ATTRIBUTES)


def test_copies_keep_everything():
    error = caught(CASES[0])
    for again in (copy.copy(error), copy.deepcopy(error)):
        assert [getattr(again, name) for name in ATTRIBUTES] == [getattr(error, name) for name in ATTRIBUTES]


def test_classes():
    for ours, builtin in CLASSES.values():
        assert ours.__mro__[1:3] == (ssop.SliceError, builtin)
        assert ours.__module__ == "ssop"
        assert ours.__doc__
        bare = ours("text")
        assert str(bare) == "text"
        assert [getattr(bare, name) for name in ATTRIBUTES] == [None] * 6
    assert ssop.SliceError.__base__ is Exception


def test_value_is_the_very_object():
    given = object()
    with pytest.raises(ssop.SliceTypeError) as info:
        ssop.strided_slice(X, [given], [1])
    assert info.value.value is given


# ---- nothing changed -------------------------------------------------------------------------------------------------


class Interrupt:
    def __index__(self):
        raise KeyboardInterrupt


BROKEN = {
    "strided_slice": [
        ([0], [1], [0]),
        ([0, 9], [1, 1], None, 0, 0, 0, 0, 2),
        ([0.5], [1]),
        ([Interrupt()], [1]),
        ([0, 0], [1, 1]),  # out has another shape
    ],
    "slice": [([0, 0], [5, 5]), ([0, 0], [1, 1]), ([0], [1]), ([0, 0], [2, Interrupt()])],
    "dynamic_slice": [
        ([0, 0], [9, 9]),
        ([0, 0], [1, 1]),
        ([0], [2, 2]),
        ([0, Interrupt()], [2, 2]),
    ],
    "dynamic_update_slice": [
        (np.ones((9, 9), np.int16), [0, 0]),
        (np.ones((1, 1), np.int32), [0, 0]),
        ([[object()]], [0, 0]),
        ([[10**6]], [0, 0]),
        ([[1], [2, 3]], [0, 0]),
        (np.ones((1, 1), np.int16), [0, Interrupt()]),
        (np.ones((1, 1), np.int16), [0]),
    ],
}
FAILURES = [(name, arguments) for name, calls in BROKEN.items() for arguments in calls]


@pytest.mark.parametrize(("name", "arguments"), FAILURES, ids=[f"{n}-{i}" for i, (n, _) in enumerate(FAILURES)])
def test_nothing_is_changed_when_a_call_fails(name, arguments):
    operand = np.arange(4, dtype=np.int16).reshape(2, 2)
    out = np.full((2, 2), 77, np.int16)
    update_before = copy.deepcopy(arguments[0])
    with pytest.raises((Exception, KeyboardInterrupt)):
        getattr(ssop, name)(operand, *arguments, out=out)
    assert operand.tolist() == [[0, 1], [2, 3]]
    assert out.tolist() == [[77, 77], [77, 77]]
    if isinstance(update_before, np.ndarray):
        assert np.array_equal(arguments[0], update_before)
    with pytest.raises((Exception, KeyboardInterrupt)):
        getattr(ssop, name)(operand, *arguments, out=operand if name == "dynamic_update_slice" else out)
    assert operand.tolist() == [[0, 1], [2, 3]]


@pytest.mark.parametrize("policy", ["clamp", "wrap", "raise"])
def test_an_update_that_cannot_be_addressed_leaves_out_alone(policy):
    """mem_c1 is found before the operand is copied into out, whatever the policy."""
    operand, out = np.zeros(8, np.int16), np.full(8, 77, np.int16)
    far = as_strided(np.zeros(1, np.int16), (5,), (2**61,))
    with pytest.raises(ssop.SliceValueError) as info:
        ssop.dynamic_update_slice(operand, far, [2], out_of_bounds=policy, out=out)
    assert info.value.label == "mem_c1"
    assert out.tolist() == [77] * 8
