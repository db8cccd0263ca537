"""strided_slice against NumPy where NumPy can say it, against the reference always, and against itself."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import ssop
from property.calls import answer, as_tensor, assert_same, call, counting, with_shape
from ssop import reference
from ssop._masks import MASK_NAMES
from ssop.testing import strategies as slicing

WHOLE = slicing.Entry("range", 0, 0, 1, True, True)
ELLIPSIS = slicing.Entry("ellipsis", 0, 0, 1, False, False)


def illegal(shape):
    return slicing.specs(shape, legal=False)


def has_ellipsis(entries):
    return any(entry.kind == "ellipsis" for entry in entries)


def arguments(spec):
    return spec.begin, spec.end, spec.strides, *(getattr(spec, name) for name in MASK_NAMES)


def changed(spec, **masks):
    """The spec with bits added to its masks."""
    return ssop.StridedSliceSpec(
        spec.begin, spec.end, spec.strides, **{name: getattr(spec, name) | masks.get(name, 0) for name in MASK_NAMES}
    )


@given(with_shape(slicing.entries))
def test_equals_numpy(case):
    shape, entries = case
    x = counting(shape)
    got = call(ssop.strided_slice, x, *arguments(slicing.encode(entries)))
    assert_same(got, np.asarray(x[slicing.as_index(entries)]))


@given(with_shape(illegal))
def test_equals_the_reference(case):
    shape, spec = case
    x = counting(shape)
    expected = answer(reference.strided_slice, as_tensor(x), *arguments(spec))
    assert answer(ssop.strided_slice, x, *arguments(spec)) == expected


@given(with_shape(lambda shape: slicing.raw_specs()))
def test_equals_the_reference_for_free_masks(case):
    shape, raw = case
    x = counting(shape)
    assert answer(ssop.strided_slice, x, *raw) == answer(reference.strided_slice, as_tensor(x), *raw)


@given(with_shape(illegal, min_rank=5, max_rank=64, max_dim=2, max_size=64))
def test_equals_the_reference_at_every_rank(case):
    shape, spec = case
    x = counting(shape)
    expected = answer(reference.strided_slice, as_tensor(x), *arguments(spec))
    assert answer(ssop.strided_slice, x, *arguments(spec)) == expected


@given(with_shape(illegal), st.integers(0, 31), st.integers(-1, 31))
def test_bits_beyond_the_spec_are_ignored(case, noise, ellipsis):
    shape, spec = case
    length = len(spec.begin)
    beyond = -1 << length  # bit 31 and the sign too
    masks = {name: beyond for i, name in enumerate(MASK_NAMES) if noise >> i & 1 and name != "ellipsis_mask"}
    if spec.ellipsis_mask == 0 and ellipsis >= length:
        masks["ellipsis_mask"] = 1 << ellipsis if ellipsis < 31 else -(1 << 31)
    noisy = changed(spec, **masks)
    assert answer(noisy, counting(shape)) == answer(spec, counting(shape))


@given(with_shape(illegal), st.integers(0, 2**31 - 1), st.integers(0, 2**31 - 1), st.integers(0, 2**31 - 1))
def test_overridden_bits_are_ignored(case, range_bits, shrink_bits, new_bits):
    shape, spec = case
    takes_no_range = spec.ellipsis_mask | spec.new_axis_mask | spec.shrink_axis_mask  # ss_s7 for the last one
    noisy = changed(
        spec,
        begin_mask=range_bits & takes_no_range,
        end_mask=range_bits & takes_no_range,
        shrink_axis_mask=shrink_bits & (spec.ellipsis_mask | spec.new_axis_mask),
        new_axis_mask=new_bits & spec.ellipsis_mask,
    )
    assert answer(noisy, counting(shape)) == answer(spec, counting(shape))


@given(with_shape(slicing.entries), st.integers(-(2**63), 2**63 - 1))
def test_masked_and_unused_values_are_ignored(case, noise):
    shape, entries = case
    noisy = []
    for entry in entries:
        begin_read = entry.kind == "shrink" or (entry.kind == "range" and not entry.begin_masked)
        end_read = entry.kind == "range" and not entry.end_masked
        begin, end = entry.begin if begin_read else noise, entry.end if end_read else noise
        stride = entry.stride if entry.kind in ("range", "shrink") else noise
        noisy.append(entry._replace(begin=begin, end=end, stride=stride))
    x = counting(shape)
    assert_same(call(slicing.encode(noisy), x), call(slicing.encode(entries), x))


@given(with_shape(slicing.entries), st.data())
def test_full_ranges_change_nothing(case, data):
    shape, entries = case
    addressed = sum(entry.kind in ("range", "shrink") for entry in entries)
    at = len(entries)
    if has_ellipsis(entries):
        at = [entry.kind for entry in entries].index("ellipsis") + data.draw(st.integers(0, 1), "behind the ellipsis")
    added = data.draw(st.integers(0, len(shape) - addressed), "full ranges")
    fuller = [*entries[:at], *[WHOLE] * added, *entries[at:]]
    x = counting(shape)
    assert_same(call(slicing.encode(fuller), x), call(slicing.encode(entries), x))


@given(with_shape(lambda shape: slicing.entries(shape).filter(lambda entries: not has_ellipsis(entries))))
def test_an_ellipsis_stands_at_the_end_of_a_spec_without_one(case):
    shape, entries = case
    x = counting(shape)
    assert_same(call(slicing.encode([*entries, ELLIPSIS]), x), call(slicing.encode(entries), x))


@given(with_shape(lambda shape: st.integers(0, 2 ** len(shape) - 1)))
def test_reverse_twice_is_identity(case):
    shape, axes = case
    rank = len(shape)
    both = (1 << rank) - 1
    steps = [-1 if axes >> axis & 1 else 1 for axis in range(rank)]
    x = counting(shape)
    reversed_once = call(ssop.strided_slice, x, [0] * rank, [0] * rank, steps, both, both)
    assert_same(reversed_once, np.asarray(np.flip(x, [axis for axis in range(rank) if axes >> axis & 1])))
    assert_same(call(ssop.strided_slice, reversed_once, [0] * rank, [0] * rank, steps, both, both), x)


@given(with_shape(lambda shape: st.tuples(st.integers(0, len(shape) - 1), slicing.bounds(max(shape))), min_rank=1))
def test_complementary_slices_concatenate_to_the_axis(case):
    shape, (axis, cut) = case
    x = counting(shape)
    index = [0] * axis
    low = ssop.strided_slice(x, [*index, 0], [*index, cut], None, (1 << axis + 1) - 1, (1 << axis) - 1)
    high = call(ssop.strided_slice, x, [*index, cut], [*index, 0], None, (1 << axis) - 1, (1 << axis + 1) - 1)
    assert_same(np.concatenate([low, high], axis), x)


@given(with_shape(lambda shape: slicing.strides(shape[0], positive=True), min_rank=1))
def test_interleaved_slices_take_every_element_once(case):
    shape, stride = case
    x = counting(shape)
    parts = [call(ssop.strided_slice, x, [first], [shape[0]], [stride]) for first in range(min(stride, shape[0]))]
    assert sorted(item for part in parts for item in part.ravel().tolist()) == x.ravel().tolist()


class Integer:
    """What has an __index__ and nothing else."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value

    def __repr__(self):
        return repr(self.value)


@given(with_shape(slicing.specs), st.sampled_from(np.typecodes["AllInteger"]), st.sampled_from("<>"))
def test_vectors_of_any_kind_say_the_same(case, code, order):
    """Arrays of any width that holds the numbers, NumPy's integers, anything with an __index__."""
    shape, spec = case
    x = counting(shape)
    dtype = np.dtype(code).newbyteorder(order)
    limits = np.iinfo(dtype)

    def vector(numbers):
        fits = all(limits.min <= number <= limits.max for number in numbers)
        return np.array(numbers, dtype) if fits else [kind(n) for kind, n in zip(kinds * 31, numbers, strict=False)]

    kinds = [Integer, np.int64, int]
    masks = [kind(mask) for kind, mask in zip(kinds * 2, arguments(spec)[3:], strict=False)]
    got = call(ssop.strided_slice, x, vector(spec.begin), vector(spec.end), vector(spec.strides), *masks)
    assert_same(got, spec(x))
