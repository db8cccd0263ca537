"""`ssop.index` is NumPy's basic indexing (ix_s2)."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import ssop


@given(st.data())
def test_ix_s2_any_basic_index(data):
    shape = data.draw(npst.array_shapes(min_dims=0, max_dims=6, min_side=0, max_side=6))
    x = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    index = data.draw(npst.basic_indices(shape, allow_newaxis=True, allow_ellipsis=True))
    taken = ssop.index(x, index)
    assert isinstance(taken, np.ndarray)
    assert (taken.shape, taken.tolist()) == (np.shape(x[index]), x[index].tolist())
