"""dask: what is computed, of which blocks, and where ssop's engine moves the elements."""

import subprocess
import sys

import dask.array as da
import numpy as np
import pytest
import zarr
from dask.array import core
from hypothesis import given, settings
from hypothesis import strategies as st

import ssop
from arrays.adapters import Dask
from child import LIMIT_SECONDS
from ssop import xla
from ssop._lazy import dask_arrays

LONG = np.arange(300.0)
X = np.arange(24.0).reshape(4, 6)


def lazy(x, chunks=3):
    return da.from_array(x.copy(), chunks=chunks)


def computed(x):
    return x.compute(scheduler="synchronous")


# ---- results ---------------------------------------------------------------------------------------------------------


@st.composite
def arrays(draw, shape):
    """An array of NumPy's, and the same array of dask with chunks of any lengths, of which some are empty."""
    x = np.arange(np.prod(shape, dtype=int)).reshape(shape) + draw(st.integers(0, 9)) * 100
    chunks = []
    for dim in shape:
        borders = sorted(draw(st.lists(st.integers(0, dim), max_size=4)))
        edges = [0, *borders, dim]
        chunks.append(tuple(high - low for low, high in zip(edges, edges[1:], strict=False)))
    return x, da.from_array(x, chunks=tuple(chunks)) if shape else da.from_array(x)


SHAPES = st.lists(st.integers(0, 7), max_size=3).map(tuple)


def same(call):
    """Compare a call of arrays of dask, which are the second ones, with one of NumPy's."""
    try:
        wanted = call(0)
    except ssop.SliceError as error:
        with pytest.raises(type(error)) as info:
            call(1)
        assert info.value.label == error.label
        return
    found = call(1)
    assert found.shape == wanted.shape and found.dtype == wanted.dtype and type(found._meta) is np.ndarray
    assert np.array_equal(computed(found), wanted)


@settings(max_examples=60, deadline=None)
@given(st.data(), SHAPES)
def test_updates_of_any_chunks(data, shape):
    x = data.draw(arrays(shape))
    sizes = tuple(data.draw(st.integers(0, dim)) for dim in shape)
    update = data.draw(arrays(sizes))
    starts = [data.draw(st.integers(-3, 9)) for _ in shape]
    same(lambda k: ssop.dynamic_update_slice(x[k], update[k], starts))
    chunks = tuple(tuple(filter(None, lengths)) or (0,) for lengths in x[1].chunks)
    assert ssop.dynamic_update_slice(x[1], update[1], starts).chunks == chunks


@settings(max_examples=60, deadline=None)
@given(st.data(), SHAPES)
def test_strided_slices_updates_and_gradients_of_any_chunks(data, shape):
    x = data.draw(arrays(shape))
    bounds = [[data.draw(st.integers(-9, 9)) for _ in shape] for _ in range(2)]
    strides = [data.draw(st.sampled_from([-3, -1, 1, 2])) for _ in shape]
    masks = [data.draw(st.integers(0, 7)), data.draw(st.integers(0, 7)), 0, data.draw(st.sampled_from([0, 1, 2]))]
    spec = (*bounds, strides, *masks, data.draw(st.sampled_from([0, 1, 4])))
    same(lambda k: ssop.strided_slice(x[k], *spec))
    try:
        region = ssop.StridedSliceSpec(*spec).resolve(shape)
    except ssop.SliceError:
        return
    value = data.draw(arrays(region.shape[data.draw(st.integers(0, len(region.shape))) :]))
    same(lambda k: ssop.tensor_strided_slice_update(x[k], *spec[:3], value[k], *spec[3:]))
    dy = data.draw(arrays(region.shape))
    same(lambda k: ssop.strided_slice_grad(shape, *spec[:3], dy[k], *spec[3:]))


@settings(max_examples=60, deadline=None)
@given(st.data(), SHAPES)
def test_padding_of_any_chunks(data, shape):
    x = data.draw(arrays(shape))
    padding = [
        (data.draw(st.integers(-2, 20)), data.draw(st.integers(-2, 20)), data.draw(st.integers(0, 3))) for _ in shape
    ]
    same(lambda k: xla.pad(x[k], 7, padding))


def test_empty_blocks_whose_slices_dask_gets_wrong():
    x = np.arange(30).reshape(2, 5, 3)
    empty = da.from_array(x, chunks=((0, 2), (4, 0, 1), (3,)))
    assert np.array_equal(computed(xla.rev(empty, [0, 1])), x[::-1, ::-1])


def test_masked_blocks_stay_masked():
    x = da.ma.masked_greater(lazy(LONG), 297)
    for found, wanted in ((xla.rev(x, [0]), 2), (ssop.dynamic_update_slice(x, [1.0], [299]), 1)):
        result = computed(found)
        assert isinstance(result, np.ma.MaskedArray) and result.mask.sum() == wanted
    assert isinstance(computed(xla.pad(x, 0.0, [(1, 1, 0)])), np.ma.MaskedArray)


# ---- chunks, names and tasks -----------------------------------------------------------------------------------------


def test_padding_joins_the_blocks_next_to_it():
    x = lazy(np.arange(8))  # blocks of 3, 3 and 2
    assert xla.pad(x, 0, [(1, 3, 0)]).chunks == ((4, 3, 5),)
    assert xla.pad(x, 0, [(0, 0, 2)]).chunks == ((9, 9, 4),)  # the gap behind a block is its own
    assert xla.pad(x, 0, [(7, 4, 0)]).chunks == ((7, 3, 3, 2, 4),)  # padding longer than a block has its own
    assert len(xla.pad(lazy(LONG), 0.0, [(1, 1, 1)]).chunks[0]) == 100


def test_only_the_blocks_that_are_needed_are_computed():
    adapter = Dask()
    x = adapter.make(LONG)  # 100 chunks of 3
    for call, wanted, chunks in (
        (lambda: ssop.strided_slice(x, [10], [4], [-1]), LONG[10:4:-1], 3),
        (lambda: ssop.dynamic_slice(x, [999], [3]), LONG[-3:], 1),
        (lambda: ssop.strided_slice(x, [0], [300], [150]), LONG[::150], 2),
        (lambda: ssop.dynamic_update_slice(x, np.zeros(298), [1]), np.r_[0, np.zeros(298), 299], 2),
        (lambda: xla.pad(x, 0.0, [(2, -295, 0)]), np.r_[0, 0, LONG[:5]], 2),
    ):
        result = call()
        assert adapter.computed == 0 and isinstance(result, da.Array)
        assert np.array_equal(adapter.plain(result), wanted)
        assert adapter.computed == chunks
        adapter.computed = 0


CALLS = {
    "slice": lambda x, k: ssop.strided_slice(x, [10], [4 + k], [-1]),
    "update": lambda x, k: ssop.dynamic_update_slice(x, np.zeros(9), [4 + k]),
    "strided update": lambda x, k: ssop.tensor_strided_slice_update(x, [3], [9 + k], [2], 7.0),
    "pad": lambda x, k: xla.pad(x, 1.0, [(k, 1, 0)]),
    "grad": lambda x, k: ssop.strided_slice_grad([999], [k], [999], [1], x[: 999 - k]),
    "transpose": lambda x, k: xla.transpose(x[:8].reshape(2, 4), [k, 1 - k]),
}


@pytest.mark.parametrize("name", CALLS)
def test_names_are_those_of_the_call(name):
    x = da.arange(1000.0, chunks=7)
    assert CALLS[name](x, 0).name == CALLS[name](x, 0).name != CALLS[name](x, 1).name


def test_axes_of_unknown_length():
    x = da.from_array(LONG, chunks=30)
    unknown = x[x > 7]
    for call in (
        lambda: ssop.strided_slice(unknown, [0], [3]),
        lambda: xla.rev(unknown, [0]),
        lambda: xla.pad(unknown, 0.0, [(1, 1, 0)]),
        lambda: ssop.dynamic_update_slice(unknown, [1.0], [0]),
        lambda: ssop.dynamic_update_slice(x, unknown, [0]),
        lambda: xla.concatenate([x, unknown], 0),
    ):
        with pytest.raises(ssop.SliceTypeError, match="compute_chunk_sizes") as info:
            call()
        assert info.value.label == "in_c7"
    assert ssop.strided_slice(unknown.compute_chunk_sizes(), [0], [2]).compute().tolist() == [8, 9]


def test_negative_steps_behind_an_integer():
    """dask's own assignment fails there; ssop reverses the value."""
    spec = ([1, 5], [0, 0], [1, -2], np.arange(3.0))
    updated = ssop.tensor_strided_slice_update(lazy(np.zeros((4, 6))), *spec, shrink_axis_mask=1)
    assert computed(updated)[1].tolist() == [0, 2, 0, 1, 0, 0]
    assigned = lazy(np.zeros((4, 6)))
    ssop.strided_slice_assign(assigned, *spec, shrink_axis_mask=1)
    assert np.array_equal(computed(assigned), computed(updated))


# ---- the engine ------------------------------------------------------------------------------------------------------


@pytest.fixture
def engine(monkeypatch):
    """The operations of ssop's engine that blocks are moved by."""
    called = []

    class Recording:
        def __getattr__(self, name):
            called.append(name)
            return getattr(ssop._core, name)

    monkeypatch.setattr(dask_arrays, "_core", Recording())
    return called


@pytest.mark.parametrize(
    ("call", "moves"),
    [
        (lambda x: xla.rev(x, [0, 1]), []),
        (lambda x: xla.transpose(x, [1, 0]), []),
        (lambda x: xla.concatenate([x, x], 1), []),
        (lambda x: ssop.dynamic_update_slice(x, X[:1, :2], [0, 0]), ["dynamic_update_slice"]),
        (
            lambda x: ssop.tensor_strided_slice_update(x, [0, 0], [4, 6], [1, 2], 1.0),
            4 * ["tensor_strided_slice_update"],
        ),
        (lambda x: xla.pad(x, 1.0, [(1, 0, 0), (0, 0, 0)]), 2 * ["xla_pad"]),
    ],
    ids=["rev", "transpose", "concatenate", "update", "strided update", "pad"],
)
def test_blocks_are_moved_once(engine, call, moves):
    y = call(lazy(X))  # four blocks
    wanted = call(X)
    assert computed(y.sum()) == wanted.sum() and engine == moves  # views are not copied
    engine.clear()
    assert np.array_equal(computed(y), wanted)
    assert engine == moves + y.npartitions * ["copyto"]


def test_persisted_blocks_are_put_together_by_the_engine(engine):
    y = xla.rev(lazy(X), [0]).persist(scheduler="synchronous")
    assert np.array_equal(computed(y), X[::-1]) and engine == 4 * ["copyto"]


def test_results_are_the_user_s(engine):
    """A result shares no memory with what is in the graph."""
    x = X.copy()
    computed(ssop.slice(da.from_array(x, chunks=-1), [0, 0], [4, 6]))[...] = -1
    assert np.array_equal(x, X) and engine == ["copy"]


class Target:
    """What is stored to; dask makes copies of it."""

    layouts = []

    def __setitem__(self, index, block):
        self.layouts.append((block.flags.c_contiguous, block.shape))


def test_stores_get_contiguous_blocks(engine, tmp_path):
    Target.layouts.clear()
    xla.transpose(lazy(X), [1, 0]).store(Target(), scheduler="synchronous")
    assert sorted(Target.layouts) == [(True, (3, 1))] * 2 + [(True, (3, 3))] * 2
    assert engine == 2 * ["copy"]  # the column of one row is contiguous
    engine.clear()
    da.to_zarr(xla.transpose(lazy(X), [1, 0]), str(tmp_path / "x.zarr"))
    assert np.array_equal(zarr.open_array(tmp_path / "x.zarr")[...], X.T) and engine == 2 * ["copy"]
    engine.clear()
    xla.pad(lazy(X), 0.0, [(0, 0, 0), (1, 1, 0)]).store(Target(), scheduler="synchronous")
    assert engine == 4 * ["xla_pad"]  # those are contiguous


@pytest.mark.parametrize("blocks", [[np.int32(1)], [np.ones(2, "f4"), np.ones(2)], [], [np.ma.ones(2), np.ma.ones(1)]])
def test_what_the_engine_does_not_put_together(blocks, engine):
    found, wanted = dask_arrays.assembled(blocks), core.finalize(blocks)
    assert type(found) is type(wanted) and found.dtype == wanted.dtype and np.array_equal(found, wanted)
    assert engine == []


def test_dask_s_own_operations_give_dask_s_own_class():
    y = ssop.xla.rev(lazy(X), [0])
    assert isinstance(y, da.Array) and type(y + 1) is type(y[1:]) is da.Array and "dask.array<" in repr(y)
    assert np.array_equal(computed(y + y), 2 * X[::-1])


def test_expressions_of_query_planning():
    """With this option, arrays have no graph before they are computed; dask does what it can."""
    script = """
import dask
dask.config.set({"array.query-planning": True})
import dask.array as da, numpy as np, ssop
x = da.from_array(np.arange(20), chunks=3)
found = ssop.strided_slice(x, [15], [2], [-4])
assert isinstance(found, da.Array) and found.compute().tolist() == [15, 11, 7, 3]
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=LIMIT_SECONDS)
    assert done.returncode == 0, done.stderr
