"""E3: every window of dynamic_slice. E4: the same windows updated. E5: a window of a window."""

from itertools import product

import numpy as np
import pytest

import ssop
from exhaustive.spaces import POLICIES, answer, count_of_windows, counting, items, rejection, windows_of
from scale import count_of_sampled, sampled
from ssop import reference
from ssop.reference import Rejected, Tensor

DIMS = range(13)
assert sum(map(count_of_windows, DIMS)) == 2_457

FAR_RIGHT = (2**63, 2**63 + 5, 2**64 - 1)


@pytest.mark.parametrize("from_the_end", [False, True])
@pytest.mark.parametrize("policy", POLICIES)
def test_e3_one_axis(policy, from_the_end):
    compared, rejected = 0, 0
    options = {"out_of_bounds": policy, "allow_negative_indices": from_the_end}
    for dim in DIMS:
        array, tensor = np.arange(dim), counting(dim)
        for size, start in windows_of(dim):
            got = answer(ssop.dynamic_slice, array, (start,), (size,), **options)
            assert got == answer(reference.dynamic_slice, tensor, (start,), (size,), **options), (dim, size, start)
            if policy == "wrap" and size:
                assert got == items(np.take(array, [start % dim + i for i in range(size)], mode="wrap"))
            compared += 1
            rejected += got[0] == "ds_c5"
    assert compared == 2_457
    assert (rejected > 500) == (policy == "raise")


@pytest.mark.parametrize("policy", POLICIES)
def test_e3_sizes_that_do_not_fit(policy):
    compared = 0
    for dim in DIMS:
        array, tensor = np.arange(dim), counting(dim)
        for size in (-(2**63), -1, dim + 1, 2**63 - 1):
            for start in range(-dim - 3, dim + 4):
                got = answer(ssop.dynamic_slice, array, (start,), (size,), out_of_bounds=policy)
                assert got == answer(reference.dynamic_slice, tensor, (start,), (size,), policy)
                assert got[0] == ("ds_c3" if size < 0 else "ds_c4")
                compared += 1
    assert compared == 4 * sum(2 * dim + 7 for dim in DIMS)


@pytest.mark.parametrize("from_the_end", [False, True])
@pytest.mark.parametrize("policy", POLICIES)
def test_e3_ds_s4_unsigned_starts_are_far_right(policy, from_the_end):
    compared = 0
    options = {"out_of_bounds": policy, "allow_negative_indices": from_the_end}
    for dim in DIMS:
        array, tensor = np.arange(dim), counting(dim)
        for size, start in product(range(dim + 1), FAR_RIGHT):
            starts = np.array([start], np.uint64)
            got = answer(ssop.dynamic_slice, array, starts, (size,), **options)
            assert got == answer(reference.dynamic_slice, tensor, (start,), (size,), **options), (dim, size, start)
            compared += 1
    assert compared == 3 * sum(dim + 1 for dim in DIMS)


@pytest.mark.long
@pytest.mark.parametrize("policy", POLICIES)
def test_e3_two_axes(policy, report):
    """The axes are independent: what one axis answers twice is what two axes answer."""
    compared = 0
    for array, windows in windows_of_two_axes(policy):
        expected = {}
        for sizes, starts, rows, columns in windows:
            try:
                window = ssop.dynamic_slice(array, starts, sizes, out_of_bounds=policy)
                got = window.shape, window.tobytes()
            except ssop.SliceIndexError as error:
                got = rejection(error)
            rejected = rejection_of_two_axes("ds_c5", rows, columns)
            if not rejected and (rows, columns) not in expected:
                window = array[list(rows)][:, list(columns)]
                expected[rows, columns] = window.shape, window.tobytes()
            assert got == (rejected or expected[rows, columns]), (array.shape, starts)
            compared += 1
    assert compared == count_of_two_axes()
    report(f"E3, two axes, {policy}: {compared:,} of {2_457**2:,} windows")


def windows_of_two_axes(policy):
    """Yield an array for each pair of dims, and its windows: sizes, starts, and what `one_window` has of both axes."""
    alone = {dim: [one_window(dim, size, start, policy) for size, start in windows_of(dim)] for dim in DIMS}
    for dims in product(DIMS, DIMS):
        pairs = sampled(product(alone[dims[0]], alone[dims[1]]))
        windows = (((a[0], b[0]), (a[1], b[1]), a[2], b[2]) for a, b in pairs)
        yield np.arange(dims[0] * dims[1]).reshape(dims), windows


def count_of_two_axes():
    return sum(count_of_sampled(count_of_windows(a) * count_of_windows(b)) for a, b in product(DIMS, DIMS))


def rejection_of_two_axes(label, *axes):
    """The rejection of the first axis that has one."""
    for axis, taken in enumerate(axes):
        if isinstance(taken, Rejected):
            return label, axis, axis, taken.value, taken.allowed
    return None


def one_window(dim, size, start, policy):
    """Size, start, and the indices that the reference takes of one axis, or its rejection."""
    try:
        return size, start, tuple(reference.dynamic_slice(counting(dim), (start,), (size,), policy).items)
    except Rejected as error:
        return size, start, error


@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize("from_the_end", [False, True])
@pytest.mark.parametrize("policy", POLICIES)
def test_e4_one_axis(policy, from_the_end, in_place):
    """In place, the operand lies between guards; otherwise it must stay as it was."""
    compared = 0
    options = {"out_of_bounds": policy, "allow_negative_indices": from_the_end}
    for dim in DIMS:
        tensor = counting(dim)
        untouched = np.concatenate([[-1, -2], np.arange(dim), [-3, -4]])
        memory = untouched.copy()
        operand = memory[2:-2]
        for size, start in windows_of(dim):
            update = np.arange(100, 100 + size)
            items_of_update = Tensor((size,), update.tolist())
            expected = answer(reference.dynamic_update_slice, tensor, items_of_update, (start,), **options)
            out = operand if in_place else None
            assert answer(ssop.dynamic_update_slice, operand, update, (start,), out=out, **options) == expected
            assert update.tolist() == list(range(100, 100 + size))
            if in_place:
                after = tensor.items if expected[0] == "dus_c5" else expected[1]
                assert memory.tolist() == [-1, -2, *after, -3, -4], (dim, size, start)
                memory[:] = untouched
            else:
                assert memory.tobytes() == untouched.tobytes(), (dim, size, start)
            compared += 1
    assert compared == 2_457


@pytest.mark.long
@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize("policy", POLICIES)
def test_e4_two_axes(policy, in_place, report):
    """An update is written where the window of E3 is read."""
    compared = 0
    for array, windows in windows_of_two_axes(policy):
        operand, expected = array.copy(), {}
        out = operand if in_place else None
        for sizes, starts, rows, columns in windows:
            update = -1 - np.arange(sizes[0] * sizes[1]).reshape(sizes)
            try:
                got = ssop.dynamic_update_slice(operand, update, starts, out=out, out_of_bounds=policy).tobytes()
            except ssop.SliceIndexError as error:
                got = rejection(error)
            rejected = rejection_of_two_axes("dus_c5", rows, columns)
            if not rejected and (rows, columns) not in expected:
                written = array.copy()
                written[np.ix_(rows, columns)] = update
                expected[rows, columns] = written.tobytes()
            assert got == (rejected or expected[rows, columns]), (array.shape, starts)
            if in_place and not rejected:
                operand[...] = array
            assert operand.tobytes() == array.tobytes(), (array.shape, starts)
            compared += 1
    assert compared == count_of_two_axes()
    how = "in place" if in_place else "into a copy"
    report(f"E4, two axes, {policy}, {how}: {compared:,} of {2_457**2:,} windows")


@pytest.mark.parametrize("policy", POLICIES)
def test_e4_updates_that_do_not_fit(policy):
    compared = 0
    for dim in DIMS:
        array, tensor = np.arange(dim), counting(dim)
        for size, start in product((dim + 1, dim + 5), range(-dim - 3, dim + 4)):
            update = counting(size)
            got = answer(ssop.dynamic_update_slice, array, np.arange(size), (start,), out_of_bounds=policy, out=array)
            assert got == answer(reference.dynamic_update_slice, tensor, update, (start,), policy)
            assert got[0] == "dus_c3" and array.tolist() == tensor.items
            compared += 1
    assert compared == 2 * sum(2 * dim + 7 for dim in DIMS)


@pytest.mark.parametrize("dim", range(11))
def test_e5_window_of_a_window(dim):
    """Two clamped slices are one clamped slice, whose start is the sum of the two clamped starts."""
    array, tensor = np.arange(dim), counting(dim)
    compared = 0
    for size, start in windows_of(dim):
        first = ssop.dynamic_slice(array, (start,), (size,))
        first_tensor = reference.dynamic_slice(tensor, (start,), (size,))
        offset = min(max(start, 0), dim - size)
        for inner_size, inner_start in windows_of(size):
            got = items(ssop.dynamic_slice(first, (inner_start,), (inner_size,)))
            assert got == reference.dynamic_slice(first_tensor, (inner_start,), (inner_size,))
            total = offset + min(max(inner_start, 0), size - inner_size)
            assert got == items(ssop.dynamic_slice(array, (total,), (inner_size,)))
            assert got == items(array[total : total + inner_size])
            compared += 1
    assert compared == sum((2 * dim + 11) * count_of_windows(size) for size in range(dim + 1))


def test_e5_size_of_the_space():
    assert sum((2 * dim + 11) * count_of_windows(size) for dim in range(11) for size in range(dim + 1)) == 160_160
