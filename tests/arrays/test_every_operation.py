"""Every function with arrays of every library and kind: what NumPy's arrays give, or an error at the call."""

import dask.array as da
import numpy as np
import pytest
import torch
import xarray

import ssop
from arrays.cells import ASSIGNMENTS
from arrays.gradient_cells import ALONG_AN_AXIS, GRADIENTS, SCALARS
from arrays.walk import EVERY, KINDS, check
from ssop import vjp, xla
from ssop._lazy import operations


def test_every_function_is_walked():
    assert {name.partition(" ")[0] for name in GRADIENTS} == set(vjp.__all__)
    names = {row.name for row in operations.OPERATIONS} | {"xla.select", "xla.clamp"}
    assert names - {name.partition(" ")[0] for name in SCALARS} == ALONG_AN_AXIS


def chunked(x):
    return da.from_array(x, chunks=tuple(min(2, max(dim, 1)) for dim in x.shape))


def with_empty_chunks(x):
    """Chunks of which some are empty, at the beginning, in the middle and at the end."""
    return da.from_array(x, chunks=tuple((0, dim // 2, 0, dim - dim // 2, 0) for dim in x.shape))


def named(x):
    names = [f"axis{number}" for number in range(x.ndim)]
    return xarray.DataArray(x, {name: np.arange(dim) for name, dim in zip(names, x.shape, strict=True)}, names)


def computed(x):
    return x.compute(scheduler="synchronous")


LIBRARIES = {
    "dask": (chunked, computed),
    "dask, empty chunks": (with_empty_chunks, computed),
    "xarray": (named, lambda x: x.values),
    "xarray of dask": (lambda x: named(x).copy(data=with_empty_chunks(x)), lambda x: x.compute().values),
}
NOT_OF_XARRAY = {"masked"}  # whose items xarray makes NaN

# What raises in_c7 for arrays of some kind. For xarray: what makes axes, which have no names, or pads between elements.
WRAPPING = {"dynamic_slice wrapping", "vjp.dynamic_slice wrapping"}
NO_NAMES = {
    "dynamic_slice of rows",
    "dynamic_slice of rows filled",
    "strided_slice",
    "strided_slice with a new axis, rank 0",
    "pad",
    "strided_slice_grad",
    "strided_slice_grad into an axis, rank 0",
    "roll flattened",
    "xla.broadcast",
    "xla.broadcast, rank 0",
    "xla.broadcast_in_dim",
    "xla.broadcast_in_dim, rank 0",
    "xla.collapse",
    "xla.pad",
    "xla.pad at the ends",
    "xla.pad, rank 0",
    "xla.reshape",
    "xla.reshape, rank 0",
    "vjp.broadcast",
    "vjp.broadcast_in_dim",
    "vjp.collapse",
    "vjp.dynamic_slice of rows",
    "vjp.dynamic_slice outside",
    "vjp.numpy_pad edge",
    "vjp.numpy_pad reflect",
    "vjp.pad",
    "vjp.pad, rank 0",
    "vjp.region",
    "vjp.reshape",
    "vjp.slice",
    "vjp.strided_slice",
    "vjp.tensor_strided_slice_update repeated",
}
# NumPy's minimum makes a str of rank 0; dask's pad, which xarray calls, takes numbers alone.
OF_STRING_DTYPE = {
    "tf.strided_slice_grad",
    "vjp.dynamic_slice",
    "vjp.dynamic_slice filled",
    "vjp.slice without steps",
    "vjp.tf_slice",
    "xla.dynamic_slice_in_dim filled",
    "xla.clamp, rank 0",
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("library", LIBRARIES)
def test_dask_and_xarray(library, kind):
    if library.startswith("xarray") and kind in NOT_OF_XARRAY:
        kind = "numbers"
    make, plain = LIBRARIES[library]
    raised = {name for name in EVERY if check(name, kind, make, plain)}
    if kind == "StringDType":
        raised -= OF_STRING_DTYPE
    assert raised <= WRAPPING | (NO_NAMES if library.startswith("xarray") else set())


@pytest.mark.parametrize("kind", ["numbers", "dates", "no rows", "no columns", "rank 0"])
def test_masked_arrays_without_masked_items_are_as_plain_ones(kind):
    raised = {name for name in EVERY if check(name, kind, np.ma.asarray, lambda x: np.ma.asarray(x).filled())}
    assert raised <= WRAPPING | ASSIGNMENTS


@pytest.mark.parametrize("kind", ["str", "bytes", "StringDType"])
def test_masked_arrays_of_strings(kind):
    raised = {name for name in EVERY if check(name, kind, np.ma.asarray, lambda x: x.data)}
    assert raised <= WRAPPING | ASSIGNMENTS


@pytest.mark.parametrize("kind", ["numbers", "no rows", "no columns", "rank 0"])
@pytest.mark.parametrize("gradient", [False, True])
def test_torch(kind, gradient):
    computed = []

    def make(x):
        made = torch.from_numpy(np.array(x))
        return made.requires_grad_() * 1 if gradient and made.is_floating_point() else made

    def plain(x):
        if x.requires_grad:
            x.sum().backward(retain_graph=True)
            computed.append(x)
        return x.detach().numpy()

    assert {name for name in EVERY if check(name, kind, make, plain)} == set()
    assert bool(computed) == gradient


# ---- reports ---------------------------------------------------------------------------------------------------------


def test_dask_selects_with_empty_chunks():
    x, y = da.from_array(np.array([7]), chunks=((1, 0),)), da.from_array(np.array([5]), chunks=((1,),))
    for found in (xla.select(x > 1, x, y), xla.select(y > 1, x, y)):  # [7, 7] before
        assert found.shape == (1,) and found.compute().tolist() == [7]
    found = da.arange(6, chunks=3)
    found = found[found > 3].compute_chunk_sizes()  # chunks of 0 and 2
    assert xla.reshape(found, [2, 1]).compute().tolist() == [[4], [5]]
    assert xla.broadcast_in_dim(found, [2, 2], [0]).compute().tolist() == [[4, 4], [5, 5]]
    assert ssop.strided_slice_assign(found, [1], [2], [1], 9) is found
    assert found.compute().tolist() == [4, 9]


def test_dask_of_unknown_chunks_raises_at_the_call():
    x = da.arange(6, chunks=3)
    x = x[x > 3]
    for call in (
        lambda: xla.select(x > 4, x, x),
        lambda: xla.clamp(0, x, 5),
        lambda: vjp.slice(x, [4], [0], [2]),
        lambda: vjp.select(x, x > 4),
        lambda: xla.broadcast(x, [2]),
        lambda: ssop.strided_slice_assign(x, [0], [1], [1], 3),
    ):
        with pytest.raises(ssop.SliceTypeError, match="unknown length") as info:
            call()
        assert info.value.label == "in_c7"


def test_dask_keeps_masks():
    x = da.from_array(np.ma.array([1, 2], mask=[False, True]), chunks=1)
    mask = np.ma.getmaskarray
    assert mask(xla.broadcast(x, [1]).compute()).tolist() == [[False, True]]
    assert mask(xla.select(da.from_array(np.array([True, True]), chunks=1), x, x).compute()).tolist() == [False, True]
    assert mask(ssop.tensor_strided_slice_update(x, [0], [2], [1], x[1:]).compute()).tolist() == [True, True]
    assert mask(vjp.dynamic_slice(x, [4], [1], [2]).compute()).tolist() == [False, False, True, False]
    with pytest.raises(ssop.SliceTypeError, match="masked elements") as info:
        ssop.dynamic_update_slice(da.from_array(np.array([3, 4]), chunks=1), x[:1], [0])
    assert info.value.label == "in_c7"


@pytest.mark.parametrize("make", [np.ma.asarray, da.from_array, named], ids=["masked", "dask", "xarray"])
@pytest.mark.parametrize("dtype", ["U1", "S1"])
def test_the_zero_of_strings_is_empty(make, dtype):
    x = make(np.array(["a"], dtype))
    empty, item = np.zeros((), dtype)[()], np.array("a", dtype)[()]
    for found in (
        ssop.strided_slice_grad([2], [0], [1], [1], x),
        vjp.slice(x, [2], [0], [1]),
        vjp.dynamic_slice(x, [2], [0], [1]),
    ):
        assert np.asarray(found).tolist() == [item, empty]
    for pair in (vjp.dynamic_update_slice(x, [1], [1], [0]), vjp.select(x, make(np.array([False])))):
        assert [np.asarray(found).tolist() for found in pair] == [[empty], [item]]


def test_xarray_has_gradients_of_updates_and_selections():
    x = named(np.arange(4.0))
    outside, inside = vjp.dynamic_update_slice(x, [4], [2], [1])
    assert outside.dims == inside.dims == x.dims and outside.values.tolist() == [0, 0, 0, 3]
    assert inside.values.tolist() == [1, 2] and inside.axis0.values.tolist() == [1, 2]
    true, false = vjp.select(x, x > 1)
    assert true.values.tolist() == [0, 0, 2, 3] and false.values.tolist() == [0, 1, 0, 0]
    outside, inside = vjp.tensor_strided_slice_update(x, [4], [2], [3], [0], [-2])
    assert outside.values.tolist() == [0, 0, 2, 0] and inside.values.tolist() == [3, 1]


def test_sums_of_strings_raise_at_the_call():
    for x in (da.from_array(np.array(["a"])), np.ma.array(["a"]), named(np.array(["a"]))):
        with pytest.raises(ssop.SliceTypeError) as info:
            vjp.broadcast(x, [], [1])
        assert info.value.label == "vjp_c1"
