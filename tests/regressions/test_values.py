"""Values that were rejected though they lose nothing, and messages that advised what loses something."""

import numpy as np
import pytest

import ssop


def test_dask_9645_nat_pads_and_is_assigned():
    times = np.array(["2020", "2021"], "M8[s]")
    for nat in (np.datetime64("NaT", "s"), np.datetime64("NaT", "D"), np.array("NaT", "M8[ns]")):
        assert np.isnat(ssop.xla.pad(times, nat, [(1, 1, 0)])).tolist() == [True, False, False, True]
        assert np.isnat(ssop.strided_slice_assign(times.copy(), [0], [1], [1], nat)).tolist() == [True, False]


def test_dask_9645_scalars_of_another_width():
    x = np.array([1.0, 2.5], np.float32)
    mean = x.mean(dtype=np.float64)
    assert ssop.tensor_strided_slice_update(x, [0], [1], [1], mean).tolist() == [1.75, 2.5]
    assert ssop.strided_slice_assign(x, [0], [1], [1], np.float64(0.5)).tolist() == [0.5, 2.5]
    assert ssop.strided_slice_assign(np.zeros(2, np.int32), [0], [1], [1], np.int64(2)).tolist() == [2, 0]
    assert ssop.dynamic_update_slice(np.zeros(2, np.int32), [np.int64(2)], [1]).tolist() == [0, 2]


def test_dask_9645_masked_is_masked_and_not_lost():
    plain, masked = np.zeros(2, np.float32), np.ma.zeros(2, np.float32)
    result = ssop.strided_slice_assign(masked, [0], [1], [1], np.ma.masked)
    assert result is masked and result.mask.tolist() == [True, False] and result.dtype == np.float32
    assert ssop.xla.pad(masked[1:], np.float64(0.5), [(1, 0, 0)]).tolist() == [0.5, 0.0]
    with pytest.raises(ssop.SliceTypeError, match=r"value\.filled\(v\)"):
        ssop.strided_slice_assign(plain, [0], [1], [1], np.ma.masked)


def test_dask_9645_arrays_of_another_dtype_say_what_converts_them():
    with pytest.raises(ssop.SliceTypeError, match=r"value\.astype\('float32'\) converts it \[as_c2\]") as caught:
        ssop.strided_slice_assign(np.zeros(2, np.float32), [0], [2], [1], np.zeros(2))
    assert "EagerTensor" not in str(caught.value)
    for value in (1.5, "a", None, [1.5], np.float64(1)):
        with pytest.raises(ssop.SliceTypeError) as caught:
            ssop.strided_slice_assign(np.zeros(2, np.int32), [0], [2], [1], value)
        assert "EagerTensor" not in str(caught.value)


def test_copyto_says_that_it_never_broadcasts_or_casts():
    with pytest.raises(ssop.SliceValueError, match=r"src has shape \(\), not \(3, 4\): copyto never broadcasts"):
        ssop.copyto(np.zeros((3, 4)), 5)
    with pytest.raises(ssop.SliceTypeError, match=r"copyto never casts; src\.astype\('float64'\) converts it"):
        ssop.copyto(np.zeros(3), np.zeros(3, np.float32))


def test_copyto_of_masked_advises_filled():
    with pytest.raises(ssop.SliceTypeError, match=r"src\.filled\(v\)") as caught:
        ssop.copyto(np.zeros(2), np.ma.masked_array([1.0, 2.0], [False, True]))
    assert "asarray" not in str(caught.value)
