"""The HTML of specs and regions is well-formed and says what is true; indices as text read back as themselves."""

from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import ssop
from ssop import _display as display
from ssop.cli.parse import parse_index

SHAPE = (3, 4, 2)


def table(html):
    """The caption, and per row the text of each cell; parsing fails if a tag is open or an entity unknown."""
    root = ElementTree.fromstring(html)
    return root.find("code").text, [["".join(cell.itertext()) for cell in row] for row in root.iterfind(".//tbody/tr")]


def dimmed(html):
    """Per row the numbers of the cells of which something is dimmed, and the dimmed texts."""
    rows = ElementTree.fromstring(html).iterfind(".//tbody/tr")
    return [{(column, s.text) for column, cell in enumerate(row) for s in cell.iterfind("s")} for row in rows]


bits = st.integers(0, 7)
specs = st.integers(0, 3).flatmap(
    lambda n: st.builds(
        ssop.StridedSliceSpec,
        *[st.lists(st.integers(-5, 5), min_size=n, max_size=n)] * 2,
        st.lists(st.sampled_from([-3, -1, 1, 2]), min_size=n, max_size=n),
        begin_mask=bits,
        end_mask=bits,
        ellipsis_mask=st.sampled_from([0, 0, 1, 2, 4]),
        new_axis_mask=bits,
        shrink_axis_mask=bits,
    )
)


def resolved(spec):
    """The region, or the label of the rule that the spec breaks."""
    try:
        return spec.resolve(SHAPE)
    except ssop.SliceError as error:
        return error.label


def test_spec_of_the_opdef():
    spec = ssop.StridedSliceSpec.from_index(np.s_[1, 2:4, None, ..., :-3:-1, :])
    caption, rows = table(display.spec_html(spec))
    assert caption == "StridedSliceSpec [1, 2:4, None, ..., :-3:-1, :]"
    assert rows == [
        ["0", "1", "1", "2", "1", "shrink_axis", "one index, and drops its axis"],
        ["1", "2:4", "2", "4", "1", "", "a range of an axis"],
        ["2", "None", "0", "0", "1", "new_axis", "a new axis of length 1"],
        ["3", "...", "0", "0", "1", "ellipsis", "every axis that no other entry needs"],
        ["4", ":-3:-1", "0", "-3", "-1", "begin", "a range of an axis"],
        ["5", ":", "0", "0", "1", "begin, end", "a range of an axis"],
    ]
    numbers = {(2, "0"), (3, "0"), (4, "1")}
    assert dimmed(display.spec_html(spec)) == [
        {(3, "2"), (4, "1")},
        set(),
        numbers,
        numbers,
        {(2, "0")},
        {(2, "0"), (3, "0")},
    ]


@pytest.mark.parametrize(
    "masks, form, losers",
    [
        ({"ellipsis_mask": 1, "new_axis_mask": 1, "shrink_axis_mask": 1}, "...", {"new_axis", "shrink_axis"}),
        ({"new_axis_mask": 1, "shrink_axis_mask": 1, "begin_mask": 1}, "None", {"shrink_axis", "begin"}),
        ({"shrink_axis_mask": 1, "begin_mask": 1, "end_mask": -1}, "1", {"begin", "end"}),
        ({"begin_mask": 1, "end_mask": 1}, "::2", set()),
    ],
)
def test_the_losing_bits_are_dimmed(masks, form, losers):
    html = display.spec_html(ssop.StridedSliceSpec([1], [3], [2], **masks))
    assert table(html)[1][0][1] == form
    assert {text for column, text in dimmed(html)[0] if column == 5} == losers


def test_an_illegal_stride_of_a_shrunk_entry_is_not_dimmed():
    html = display.spec_html(ssop.StridedSliceSpec([1], [0], [-1], shrink_axis_mask=1))
    assert dimmed(html) == [{(3, "0")}]


@given(specs)
def test_the_numpy_form_of_a_spec_takes_the_same(spec):
    caption, rows = table(display.spec_html(spec))
    assert len(rows) == len(spec.begin)
    x = np.arange(24).reshape(SHAPE)
    region = resolved(spec)
    index = parse_index(caption.removeprefix("StridedSliceSpec "))
    if isinstance(region, ssop.Region):
        assert np.array_equal(x[index], spec(x))
    elif region != "ss_c6":  # NumPy has no word for a stride of an integer
        with pytest.raises(IndexError):
            x[index]


@given(specs, st.integers(-9, 9).filter(bool))
def test_dimmed_numbers_are_ignored(spec, other):
    vectors = [list(spec.begin), list(spec.end), list(spec.strides)]
    for entry, cells in enumerate(dimmed(display.spec_html(spec))):
        for column in {column for column, _ in cells} & {2, 3, 4}:
            vectors[column - 2][entry] = abs(other) if column == 4 else other
    masks = {f"{name}_mask": getattr(spec, f"{name}_mask") for name in display.MASKS}
    assert resolved(ssop.StridedSliceSpec(*vectors, **masks)) == resolved(spec)


def test_region_of_the_blogs_first_example():
    spec = ssop.StridedSliceSpec([0, 0, 2, 2], [3, 2, 4, 8], None, 0, 0, 8, 0b1001, 4)
    caption, rows = table(display.region_html(spec.resolve((6, 3, 4, 10))))
    assert caption == "Region (6, 3, 4, 10) \N{RIGHTWARDS ARROW} (1, 2, 4, 10): [None, 0:2, 2, 0:4, 0:10]"
    assert rows == [
        ["new", "", "", "", "", "0"],
        ["0", "6", "0", "2", "1", "1"],
        ["1", "3", "2", "1", "1", "dropped"],
        ["2", "4", "0", "4", "1", "2"],
        ["3", "10", "0", "10", "1", "3"],
    ]


@given(specs)
def test_the_rows_of_a_region_are_the_region(spec):
    region = resolved(spec)
    assume(isinstance(region, ssop.Region))
    _, rows = table(display.region_html(region))
    axes = [row for row in rows if row[0] != "new"]
    assert [int(row[0]) for row in axes] == [0, 1, 2]
    assert tuple(int(row[1]) for row in axes) == region.in_shape
    assert tuple(tuple(map(int, row[2:5])) for row in axes) == region.ranges
    out_axes = {int(row[5]): -1 if row[0] == "new" else int(row[0]) for row in rows if row[5] != "dropped"}
    assert tuple(out_axes.items()) == tuple(enumerate(region.out_axes))


def test_scalars_and_empty_specs():
    spec = ssop.StridedSliceSpec([], [])
    assert table(display.spec_html(spec)) == ("StridedSliceSpec [()]", [])
    assert table(display.region_html(spec.resolve(()))) == ("Region () \N{RIGHTWARDS ARROW} (): [()]", [])
    new = ssop.StridedSliceSpec.from_index(None).resolve(())
    assert table(display.region_html(new))[1] == [["new", "", "", "", "", "0"]]


def test_empty_results():
    region = ssop.StridedSliceSpec([4], [2]).resolve((6, 0))
    assert table(display.region_html(region))[1] == [["0", "6", "0", "0", "1", "0"], ["1", "0", "0", "0", "1", "1"]]


def test_an_axis_of_length_0_that_comes_from_nowhere():
    region = ssop.Region((3,), ((0, 3, 1),), (-2, 0))
    caption, rows = table(display.region_html(region))
    assert caption.endswith("has no NumPy index")
    assert rows == [["new, emptied", "", "", "", "", "0"], ["0", "3", "0", "3", "1", "1"]]


def test_the_largest():
    spec = ssop.StridedSliceSpec([0] * 31, [1] * 31, None, new_axis_mask=1 << 30, shrink_axis_mask=0b11)
    assert len(table(display.spec_html(spec))[1]) == 31
    region = spec.resolve((1,) * 64)
    caption, rows = table(display.region_html(region))
    assert len(rows) == 65 and len(region.shape) == 63
    assert np.zeros((1,) * 64)[parse_index(caption.partition(": ")[2])].shape == region.shape


def test_everything_is_escaped():
    bad = "<b>&\"'"
    region = SimpleNamespace(in_shape=(bad,), ranges=((bad, bad, bad),), out_axes=(0,), shape=(bad,), index=0)
    caption, rows = table(display.region_html(region))
    assert repr(bad) in caption
    assert rows == [["0", bad, bad, bad, bad, "0"]]


def test_notebooks_show_the_tables():
    spec = ssop.StridedSliceSpec([1], [3])
    assert spec._repr_html_() == display.spec_html(spec)
    assert spec.resolve((5,))._repr_html_() == display.region_html(spec.resolve((5,)))


@pytest.mark.parametrize(
    "index, text",
    [
        ((), "[()]"),
        (-1, "[-1]"),
        (None, "[None]"),
        (..., "[...]"),
        (slice(None), "[:]"),
        ((np.int8(3), slice(np.int64(1), None, np.uint8(2))), "[3, 1::2]"),
        ((slice(0, 5, 1), slice(4, None, -1), slice(None, -3)), "[0:5, 4::-1, :-3]"),
        (slice(-(2**63), 2**63 - 1, -(2**63)), "[-9223372036854775808:9223372036854775807:-9223372036854775808]"),
    ],
)
def test_index_text(index, text):
    assert display.index_text(index) == text


@pytest.mark.parametrize("index", [1.0, True, [0], "0", np.array([1, 2]), slice(0, 1.5), slice(0, 1, True), (0, (1,))])
def test_index_text_rejects_what_is_not_basic(index):
    with pytest.raises(TypeError):
        display.index_text(index)


items = st.one_of(
    st.integers(),
    st.just(None),
    st.just(...),
    st.builds(
        slice, st.none() | st.integers(), st.none() | st.integers(), st.none() | st.integers().filter(lambda s: s != 1)
    ),
)


@given(st.lists(items, max_size=31).map(tuple))
def test_index_text_reads_back(index):
    assert parse_index(display.index_text(index)) == index
