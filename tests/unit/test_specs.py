"""Specs as values: from and to NumPy indices, and the region between."""

import pickle

import numpy as np
import pytest

import ssop

FULL = np.s_[1, 2:4, None, ..., :-3:-1, :]


def test_ix_s1_encodes_as_tensorflow_does():
    spec = ssop.StridedSliceSpec.from_index(FULL)
    assert (spec.begin, spec.end, spec.strides) == ((1, 2, 0, 0, 0, 0), (2, 4, 0, 0, -3, 0), (1, 1, 1, 1, -1, 1))
    masks = (spec.begin_mask, spec.end_mask, spec.ellipsis_mask, spec.new_axis_mask, spec.shrink_axis_mask)
    assert masks == (48, 32, 8, 4, 1)  # the OpDef's own figures
    last = ssop.StridedSliceSpec.from_index(-1)
    assert (last.begin, last.end, last.shrink_axis_mask) == ((-1,), (0,), 1)
    assert ssop.StridedSliceSpec.from_index(2**63 - 1).end == (2**63 - 1,)  # the end of a shrunk entry is never read
    assert ssop.StridedSliceSpec.from_index(()) == ssop.StridedSliceSpec([], [])


@pytest.mark.parametrize("item", [[1], np.array([1]), True, np.True_, 1.0, "1", (1,), {}, np.array(True)], ids=repr)
def test_ix_c1_rejects_what_is_no_slice(item):
    with pytest.raises(ssop.SliceTypeError) as info:
        ssop.StridedSliceSpec.from_index((0, item))
    assert (info.value.label, info.value.entry) == ("ix_c1", 1)
    assert info.value.value is item


def test_ix_c1_takes_every_integer():
    for one in (1, np.int8(1), np.uint64(1), np.array(1)):
        assert ssop.StridedSliceSpec.from_index(one) == ssop.StridedSliceSpec.from_index(1)


def test_rg_s4_names_every_axis_with_bounds_inside():
    x = np.arange(5**6).reshape((5,) * 6)
    index = ssop.StridedSliceSpec.from_index(FULL).to_index(x.shape)
    assert np.array_equal(x[index], x[FULL])
    assert sum(item is not None for item in index) == x.ndim
    bounds = [(item.start, item.stop) for item in index if isinstance(item, slice)]
    assert all(0 <= start < 5 and 0 <= stop <= 5 for start, stop in bounds)


def test_rg_s4_backwards_to_the_first_element_has_no_stop():
    assert ssop.StridedSliceSpec.from_index(np.s_[::-1]).to_index((3,)) == (slice(2, None, -1),)


def test_in_s1_lists_and_scalars_become_arrays():
    assert ssop.strided_slice([[1, 2], [3, 4]], [0, 1], [2, 2]).tolist() == [[2], [4]]
    assert ssop.strided_slice((1.0, 2.0), [1], [2]).dtype == np.float64
    assert ssop.copy(3).shape == () and ssop.copy(np.float32(3)).dtype == np.float32
    assert ssop.slice("abc", [], []).dtype == np.dtype("U3")


def test_specs_are_values():
    spec = ssop.StridedSliceSpec.from_index(FULL)
    assert pickle.loads(pickle.dumps(spec)) == spec and hash(spec) == hash(ssop.StridedSliceSpec.from_index(FULL))
    assert spec != ssop.StridedSliceSpec([], []) and spec != "spec"
    assert eval(repr(spec), vars(ssop)) == spec
    for change in (lambda: setattr(spec, "begin", ()), lambda: delattr(spec, "begin"), lambda: setattr(spec, "new", 1)):
        with pytest.raises(AttributeError, match="immutable"):
            change()
