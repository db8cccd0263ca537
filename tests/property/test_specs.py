"""Specs as values, specs from and to NumPy indices, and plans."""

import copy
import pickle
from xml.etree import ElementTree

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import ssop
from property.calls import answer, assert_same, call, counting, with_shape
from ssop.testing import strategies as slicing


def illegal(shape):
    return slicing.specs(shape, legal=False)


@st.composite
def shapes_near(draw, shape):
    """The shape itself, or with one dim more, less or changed."""
    kind = draw(st.sampled_from(("same", "same", "longer", "shorter", "other")))
    at = draw(st.integers(0, max(len(shape) - 1, 0)))
    if kind == "same" or (kind != "longer" and not shape):
        return shape
    instead = {"longer": (shape[at : at + 1] or (1,)) * 2, "shorter": (), "other": (shape[at] + 1,) if shape else ()}
    return (*shape[:at], *instead[kind], *shape[at + 1 :])


def copies(value):
    """The same value again, made in every way that Python knows."""
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        yield pickle.loads(pickle.dumps(value, protocol))
    yield copy.copy(value)
    yield copy.deepcopy(value)
    yield eval(repr(value), vars(ssop))


@given(with_shape(illegal))
def test_a_spec_is_a_value(case):
    _, spec = case
    for other in copies(spec):
        assert other == spec and not other != spec
        assert hash(other) == hash(spec)
        assert (type(other), repr(other)) == (type(spec), repr(spec))


@given(with_shape(lambda shape: slicing.regions(shape, emptied=True)))
def test_a_region_is_a_value(case):
    _, region = case
    for other in copies(region):
        assert other == region and not other != region
        assert hash(other) == hash(region)
        assert (type(other), repr(other)) == (type(region), repr(region))


@given(with_shape(illegal), st.sampled_from(ssop.StridedSliceSpec.__slots__), st.integers(0, 30))
def test_specs_that_differ_are_not_equal(case, name, place):
    _, spec = case
    arguments = {each: getattr(spec, each) for each in spec.__slots__}
    if name == "ellipsis_mask":
        arguments[name] = 1 << 30 if spec.ellipsis_mask == 0 else 0
    elif name.endswith("_mask"):
        arguments[name] ^= 1 << place
    elif spec.begin:
        vector, place = [*arguments[name]], place % len(spec.begin)
        vector[place] ^= 1
        arguments[name] = vector
    else:
        arguments |= {"begin": [0], "end": [0], "strides": [0]}
    other = call(ssop.StridedSliceSpec, **arguments)
    assert other != spec and not other == spec
    assert repr(other) != repr(spec)


@given(with_shape(slicing.indices))
def test_from_index_is_numpys_index(case):
    shape, index = case
    x = counting(shape)
    assert_same(call(ssop.StridedSliceSpec.from_index, index)(x), np.asarray(x[index]))


@given(st.sampled_from((None, ..., np.s_[1:], np.s_[::-1], 0, -1)))
def test_from_index_takes_a_lone_item(item):
    x = counting((3, 2))
    spec = call(ssop.StridedSliceSpec.from_index, item)
    assert spec == ssop.StridedSliceSpec.from_index((item,))
    assert_same(spec(x), x[item])


@given(with_shape(slicing.specs))
def test_to_index_and_back_takes_the_same(case):
    shape, spec = case
    again = ssop.StridedSliceSpec.from_index(call(spec.to_index, shape))
    assert again.resolve(shape) == spec.resolve(shape)
    assert again.to_index(shape) == spec.to_index(shape)


@given(with_shape(illegal))
def test_a_spec_resolves_where_it_runs(case):
    """Rejected with the same label, axis, entry, value and bounds, or not at all."""
    shape, spec = case
    ran, resolved = answer(spec, counting(shape)), answer(spec.resolve, shape)
    planned = answer(ssop.plan, spec, shape, np.int64)
    if isinstance(resolved, ssop.Region):
        assert ran.shape == resolved.shape
        assert planned.region == resolved
    else:
        assert ran == planned == resolved


@given(with_shape(slicing.specs, slicing.arrays, slicing.arrays))
def test_a_plan_is_its_spec(case):
    shape, spec, *inputs = case
    plan = call(ssop.plan, spec, shape, np.int64)
    assert plan.region == spec.resolve(shape)
    for x in inputs:
        assert_same(call(plan, x), spec(x))


@st.composite
def with_out(draw):
    """A shape, a spec, an array of the shape and one for the result."""
    shape = draw(slicing.shapes())
    spec = draw(slicing.specs(shape))
    return shape, spec, draw(slicing.arrays(shape)), draw(slicing.arrays(spec.resolve(shape).shape, writeable=True))


@given(with_out())
def test_a_plan_fills_out(case):
    shape, spec, x, out = case
    assert call(ssop.plan(spec, shape, x.dtype), x, out=out) is out
    assert_same(out, spec(x))


@given(with_shape(slicing.specs, shapes_near), slicing.dtypes())
def test_a_plan_runs_on_its_own_shape_and_dtype_alone(case, dtype):
    shape, spec, other = case
    plan = ssop.plan(spec, shape, np.int64)
    x = np.zeros(other, dtype)
    axis = next((i for i, pair in enumerate(zip(shape, other, strict=False)) if pair[0] != pair[1]), None)
    if other != shape:
        expected = "pl_c1", axis if len(other) == len(shape) else None, None, other, None
    elif x.dtype != np.int64:
        expected = "pl_c2", None, None, x.dtype, None
    else:
        expected = answer(spec, x)
    assert answer(plan, x) == expected


@given(with_shape(illegal, slicing.regions))
def test_tables_are_well_formed(case):
    _, spec, region = case
    rows = len(ElementTree.fromstring(call(spec._repr_html_)).findall(".//tbody/tr"))
    assert rows == len(spec.begin)
    rows = len(ElementTree.fromstring(call(region._repr_html_)).findall(".//tbody/tr"))
    assert rows == len(region.in_shape) + sum(axis < 0 for axis in region.out_axes)
