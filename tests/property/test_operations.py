"""XLA's operations of what the public strategies draw: no rule is broken, and inferred shapes are right."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ssop import shapes, xla
from ssop.testing import strategies as slicing
from ssop.testing.arrays import every_dtype

each = settings(deadline=None)
BATCH_NORMS = {"training": "xoo", "inference": "xoooo", "grad": "xooox"}  # x: an operand, o: a number per feature


@each
@given(slicing.broadcast_arguments())
def test_broadcast_operands(arguments):
    lhs, rhs, dimensions = arguments
    found = xla.add(np.ones(lhs, np.int8), np.ones(rhs, np.int8), dimensions)
    assert found.shape == shapes.xla.add(lhs, rhs, dimensions).dims and (found == 2).all()


@each
@given(slicing.reduce_arguments())
def test_reductions(arguments):
    shape, dimensions = arguments
    found = xla.reduce(np.ones(shape, np.int32), 0, xla.add, dimensions)
    assert found.shape == shapes.xla.reduce(shape, dimensions).dims
    assert (found == np.prod([shape[axis] for axis in dimensions], dtype=int)).all()


@each
@given(slicing.reduce_window_arguments())
def test_windows(arguments):
    shape, window = arguments
    found = xla.reduce_window(np.ones(shape, np.int32), 0, xla.add, **window)
    assert found.shape == shapes.xla.reduce_window(shape, **window).dims
    assert (found <= np.prod(window["window_dimensions"])).all()


@each
@given(slicing.select_and_scatter_arguments())
def test_scattered_sources(arguments):
    shape, source, window = arguments
    x, ones = np.arange(np.prod(shape), dtype=np.int32).reshape(shape), np.ones(source, np.int32)
    found = xla.select_and_scatter(x, xla.ge, **window, source=ones, init_value=0, scatter=xla.add)
    assert found.shape == shapes.xla.select_and_scatter(shape, source, **window).dims
    assert 0 <= found.sum() <= ones.sum()


@each
@given(slicing.sort_arguments())
def test_sorts(arguments):
    shape, count, options = arguments
    x = np.arange(np.prod(shape), dtype=np.int32).reshape(shape) * 7 % 5
    for found in xla.sort([x] * count, **options):
        assert np.array_equal(found, np.sort(x, options["dimension"]))
        assert found.shape == shapes.xla.sort(shape, **options).dims


@each
@given(slicing.conversion_arguments(), slicing.conversion_arguments(bitcast=True))
def test_conversions(arguments, bits):
    shape, source, target = arguments
    found = xla.convert_element_type(np.ones(shape, source), target)
    assert (found.shape, found.dtype) == (shape, target)
    shape, source, target = bits
    found = xla.bitcast_convert_type(np.zeros(shape, source), target)
    assert found.dtype == target
    assert found.shape == shapes.xla.bitcast_convert_type(shape, source, target).dims


def test_every_dtype_is_converted():
    met = set()

    @settings(each, max_examples=1000, derandomize=True, database=None)
    @given(slicing.conversion_arguments())
    def collect(arguments):
        met.update(arguments[1:])

    collect()
    assert met >= {dtype for dtype in every_dtype() if dtype.kind in "biu" and dtype.isnative}


@each
@given(slicing.batch_norm_arguments(), st.sampled_from(sorted(BATCH_NORMS)))
def test_batch_norms(arguments, form):
    shape, feature = arguments
    operands = [np.ones(shape if letter == "x" else shape[feature], np.float32) for letter in BATCH_NORMS[form]]
    found = getattr(xla, f"batch_norm_{form}")(*operands, 1e-3, feature)
    assert (found if form == "inference" else found[0]).shape == shape


@each
@given(slicing.gather_arguments())
def test_gathers(arguments):
    shape, indices, options = arguments
    found = xla.gather(np.ones(shape, np.int8), np.zeros(indices, np.int32), **options)
    assert found.shape == shapes.xla.gather(shape, indices, **options).dims and found.all()


@each
@given(slicing.scatter_arguments())
def test_scatters(arguments):
    shape, indices, updates, numbers = arguments
    found = xla.scatter(np.zeros(shape, np.int8), np.zeros(indices, np.int32), np.ones(updates, np.int8), **numbers)
    assert found.shape == shapes.xla.scatter(shape, indices, updates, **numbers).dims
    assert found.sum() <= np.prod(updates)


@each
@given(st.data(), slicing.element_types(), st.sampled_from(["hard", "small", "any bits"]))
def test_contents_of_numeric_arrays(data, dtype, contents):
    x = data.draw(slicing.numeric_arrays((4, 3), dtype, [contents]))
    assert (x.shape, x.dtype) == ((4, 3), dtype)
    if contents == "small":
        assert not (np.abs(x.astype(np.complex128)) > 8).any()  # float8_e8m0fnu has no zero: it is NaN there
