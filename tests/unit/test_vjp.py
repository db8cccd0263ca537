"""`ssop.vjp`: its errors, its dtypes, and arrays of other libraries. tests/property has the law (vjp_s1)."""

import array_api_strict
import dask.array as da
import ml_dtypes
import numpy as np
import pytest
from numpy import ma

import ssop
from ssop import vjp

X = np.arange(24).reshape(4, 6)
MASKS = {"begin_mask": 2, "shrink_axis_mask": 1}

# A gradient of each operation: the shape of its result, the call, and what NumPy says for it.
CALLS = {
    "region": (lambda dy: vjp.region(dy, ssop.Region((4,), ((3, 2, -2),), (0,))), (2,)),
    "strided_slice": (lambda dy: vjp.strided_slice(dy, [4, 6], [1, 5], [0, 0], [1, -2], **MASKS), (3,)),
    "tf_slice": (lambda dy: vjp.tf_slice(dy, [4, 6], [1, 2], [-1, 2]), (3, 2)),
    "slice": (lambda dy: vjp.slice(dy, [4, 6], [1, 0], [4, 6], [2, 5]), (2, 2)),
    "dynamic_slice filled": (lambda dy: vjp.dynamic_slice(dy, [4, 6], [3, -9], [2, 3], out_of_bounds="fill"), (2, 3)),
    "dynamic_slice": (lambda dy: vjp.dynamic_slice(dy, [4, 6], [9, -9], [2, 3]), (2, 3)),
    "dynamic_update_slice": (lambda dy: vjp.dynamic_update_slice(dy, [4, 6], [2, 3], [9, 1]), (4, 6)),
    "tensor_strided_slice_update": (
        lambda dy: vjp.tensor_strided_slice_update(dy, [4, 6], [1, 3, 1], [0, 1], [3, 5]),
        (4, 6),
    ),
    "pad": (lambda dy: vjp.pad(dy, [2, 4], [(1, 0, 1), (-1, 2, 0)]), (4, 5)),
    "numpy_pad": (lambda dy: vjp.numpy_pad(dy, [2, 4], [(1, 1), (0, 3)], "symmetric"), (4, 7)),
    "rev": (lambda dy: vjp.rev(dy, [4, 6], [1]), (4, 6)),
    "roll": (lambda dy: vjp.roll(dy, [4, 6], 5), (4, 6)),
    "concatenate": (lambda dy: vjp.concatenate(dy, [[1, 6], [3, 6]], 0), (4, 6)),
    "broadcast": (lambda dy: vjp.broadcast(dy, [6], [4]), (4, 6)),
    "broadcast_in_dim": (lambda dy: vjp.broadcast_in_dim(dy, [6, 1], [4, 6], [1, 0]), (4, 6)),
    "reshape": (lambda dy: vjp.reshape(dy, [6, 4], [8, 3], [1, 0]), (8, 3)),
    "collapse": (lambda dy: vjp.collapse(dy, [4, 6], [0, 1]), (24,)),
    "transpose": (lambda dy: vjp.transpose(dy, [6, 4], [1, 0]), (4, 6)),
    "select": (lambda dy: vjp.select(dy, (X % 2 == 0).tolist()), (4, 6)),
}
every_call = pytest.mark.parametrize(("call", "shape"), CALLS.values(), ids=CALLS)


def gradients(call, dy):
    found = call(dy)
    return found if isinstance(found, tuple) else (found,)


def counting(shape):
    return np.arange(1, 1 + np.prod(shape, dtype=int)).reshape(shape)


def test_every_gradient_is_called():
    assert {name.partition(" ")[0] for name in CALLS} == set(vjp.__all__)


@every_call
def test_lists_are_converted(call, shape):
    for found, expected in zip(
        gradients(call, counting(shape).tolist()), gradients(call, counting(shape)), strict=True
    ):
        assert type(found) is np.ndarray and np.array_equal(found, expected)


@pytest.mark.parametrize("name", sorted(set(CALLS) - {"select"}))
def test_gr_c1_dy_has_the_shape_of_the_result(name):
    call, shape = CALLS[name]
    wrong = (*shape[:-1], shape[-1] + 1)
    with pytest.raises(ssop.SliceValueError, match="shape of dy was") as info:
        call(np.zeros(wrong))
    error = info.value
    assert (error.label, error.op) == ("gr_c1", f"vjp.{name.partition(' ')[0]}")
    assert (error.axis, error.value) == (len(shape) - 1, wrong)
    with pytest.raises(ssop.SliceValueError) as info:
        call(np.zeros((1, *shape)))
    assert (info.value.label, info.value.axis) == ("gr_c1", None)


def test_select_has_its_own_rules():
    with pytest.raises(ssop.SliceValueError) as info:
        vjp.select(np.zeros(3), [True, False])
    assert info.value.label == "sel_c4"


@every_call
def test_in_c12_none_is_no_gradient(call, shape):
    with pytest.raises(ssop.SliceTypeError, match="dy is None") as info:
        call(None)
    assert info.value.label == "in_c12" and info.value.op.startswith("vjp.")


def test_the_arguments_are_checked_as_those_of_the_operation():
    for label, call in {
        "ss_c5": lambda: vjp.strided_slice([1], [4], [0], [1], [0]),
        "tsl_c2": lambda: vjp.tf_slice([1], [4], [5], [1]),
        "sl_c5": lambda: vjp.slice([1], [4], [0], [5]),
        "ds_c5": lambda: vjp.dynamic_slice([1], [4], [4], [1], out_of_bounds="raise"),
        "dus_c2": lambda: vjp.dynamic_update_slice([1], [4], [1, 1], [0]),
        "as_c1": lambda: vjp.tensor_strided_slice_update(np.zeros(4), [4], [3], [0], [2]),
        "pad_c2": lambda: vjp.pad([1], [4], []),
        "np_c2": lambda: vjp.numpy_pad([1], [4], [[1], [2]]),
        "np_c6": lambda: vjp.roll([1], [1], 1, 1),
        "rev_c2": lambda: vjp.rev([1], [4], [1]),
        "cat_c2": lambda: vjp.concatenate([1], [[4]], 1),
        "bc_c1": lambda: vjp.broadcast([1], [4], [-1]),
        "bid_c4": lambda: vjp.broadcast_in_dim([1], [4], [3], [0]),
        "rs_c1": lambda: vjp.reshape([1], [4], [3]),
        "col_c1": lambda: vjp.collapse([1], [4, 2], [1, 0]),
        "tr_c3": lambda: vjp.transpose([1], [4, 2], [1, 1]),
        "in_c1": lambda: vjp.reshape([1], [1.5], [3]),
    }.items():
        with pytest.raises(ssop.SliceError) as info:
            call()
        assert info.value.label == label


@pytest.mark.parametrize("dtype", ["U3", "M8[s]", "i4,i4", "S1"])
def test_vjp_c1_what_cannot_be_added(dtype):
    dy = np.zeros((2, 1), dtype)
    for call in (
        lambda: vjp.broadcast(dy, [1], [2]),
        lambda: vjp.broadcast_in_dim(dy, [1], [2, 1], [1]),
        lambda: vjp.pad(dy, [1, 1], [(1, 0, 0), (0, 0, 0)]),
        lambda: vjp.numpy_pad(dy, [1, 1], [(1, 0), (0, 0)], "edge"),
        lambda: vjp.tensor_strided_slice_update(dy, [2, 1], [], [0], [2]),
    ):
        with pytest.raises(ssop.SliceTypeError, match="cannot be added") as info:
            call()
        assert (info.value.label, info.value.value) == ("vjp_c1", np.dtype(dtype))
    assert vjp.slice(dy, [3, 1], [1, 0], [3, 1]).dtype == dy.dtype  # which adds nothing


@pytest.mark.parametrize("dtype", [ml_dtypes.int4, ml_dtypes.uint4, ml_dtypes.int2, ml_dtypes.uint2])
def test_vjp_s2_sums_of_small_integers_keep_the_low_bits(dtype):
    n = 1_200_001  # so that the sum is no float32
    largest = int(ml_dtypes.iinfo(dtype).max)
    found = vjp.broadcast(np.full(n, largest, dtype), [], [n])
    bits = ml_dtypes.iinfo(dtype).bits
    assert (int(found) - largest * n) % 2**bits == 0


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float32, np.complex64, np.int8, object])
def test_vjp_s2_sums_keep_the_dtype_and_are_exact(dtype):
    dy = np.ones((2048, 2), dtype)
    found = vjp.broadcast(dy, [2], [2048])
    assert found.dtype == dtype
    assert found.tolist() == np.full(2, 2048).astype(dtype).tolist()  # 2048 wraps round to 0 in int8
    assert vjp.pad(dy[:, 0], [1], [(0, 2047, 0)])[1].dtype == dtype


def test_vjp_s3_chunks_stand_for_their_shape():
    dy = np.array([[1, 2]])
    wanted = vjp.slice(dy, [3, 5], [1, 0], [2, 5], [1, 4])
    for dims in (((2, 0, 1), (5,)), [[3], [1, 4]], [(np.int8(3),), (2, 3)]):
        assert np.array_equal(vjp.slice(dy, dims, [1, 0], [2, 5], [1, 4]), wanted)
    for dims, label in (([[3], 5], "in_c1"), ([[3], [5, -1]], "in_c10"), ([[3], [2**62, 2**62]], "in_c2")):
        with pytest.raises(ssop.SliceError) as info:
            vjp.slice(dy, dims, [1, 0], [2, 5], [1, 4])
        assert (info.value.op, info.value.label) == ("vjp.slice", label)
        with pytest.raises(ssop.SliceError) as info:
            vjp.roll(dy, dims, 1)
        assert (info.value.op, info.value.label) == ("vjp.roll", label)


def test_vjp_s3_the_chunks_of_a_region_are_a_grid_of_its_operand():
    region = ssop.Region((4, 2), ((3, 2, -2), (1, 1, 1)), (0,))
    dy = np.array([1, 2])
    wanted = vjp.region(dy, region)
    for chunks in (((4,), (2,)), [[1, 0, 3], [1, 1]], None):
        assert np.array_equal(vjp.region(dy, region, chunks), wanted)
    for chunks, label in (
        ([[4]], "rg_c7"),
        ([[5, -1], [2]], "rg_c8"),
        ([[4], [3]], "rg_c9"),
        ([4, 2], "in_c5"),
        (4, "in_c5"),
        ([["4"], [2]], "in_c1"),
    ):
        with pytest.raises(ssop.SliceError) as info:
            vjp.region(dy, region, chunks)
        assert (info.value.op, info.value.label) == ("vjp.region", label), chunks


def test_nan_at_the_operand_is_no_gradient_of_the_padding():
    operand, padding = vjp.pad(np.array([1.0, np.nan, np.inf, 2.0]), [2], [(1, 1, 0)])
    assert padding == 3 and np.isnan(operand[0]) and operand[1] == np.inf


def test_more_axes_than_a_spec_has_entries():
    shape = [1] * 40 + [3, 2]
    dy = np.array([5, 6]).reshape([1] * 40 + [1, 2])
    found = vjp.slice(dy, shape, [0] * 40 + [1, 0], [1] * 40 + [2, 2])
    assert found.shape == tuple(shape) and found.ravel().tolist() == [0, 0, 5, 6, 0, 0]


# ---- other libraries -------------------------------------------------------------------------------------------------

MAKERS = {"dask": da.from_array, "array_api_strict": array_api_strict.asarray, "masked": ma.array}


def plain(x):
    if isinstance(x, da.Array):
        return x.compute()
    return np.asarray(x) if isinstance(x, np.ndarray) else np.from_dlpack(x)


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@every_call
def test_gradients_stay_in_the_library_of_dy(make, call, shape):
    dy = counting(shape)
    found = gradients(call, make(dy))
    for result, expected in zip(found, gradients(call, dy), strict=True):
        assert isinstance(result, type(make(dy))) and result.shape == expected.shape
        assert result.dtype == make(dy).dtype
        assert np.array_equal(plain(result), expected)


def test_dask_computes_nothing():
    def never(block):
        raise AssertionError("computed")

    for name, (call, shape) in CALLS.items():
        lazy = da.map_blocks(never, da.from_array(counting(shape), chunks=3), dtype=int)
        assert all(isinstance(result, da.Array) for result in gradients(call, lazy)), name


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_strided_slice_grad_stays_in_the_library_of_dy(make):
    for function in (ssop.strided_slice_grad, ssop.tf.strided_slice_grad):
        found = function([5], [4], [0], [-2], make(np.array([1, 2])))
        assert isinstance(found, type(make(np.zeros(1)))) and plain(found).tolist() == [0, 0, 2, 0, 1]
        assert plain(function([2], [0], [0], [1], make(np.zeros(0)))).tolist() == [0, 0]
        for dy, axis in ((np.zeros(3), 0), (np.zeros((2, 1)), None)):
            with pytest.raises(ssop.SliceValueError, match="shape of dy was") as info:
                function([5], [4], [0], [-2], make(dy))
            assert (info.value.label, info.value.axis, info.value.value) == ("gr_c1", axis, dy.shape)


def test_masks_of_gradients_are_kept():
    found = vjp.strided_slice(ma.array([1, 2], mask=[True, False]), [4], [0], [4], [2])
    assert ma.getmaskarray(found).tolist() == [True, False, False, False]
