"""Partial shapes that share dims, for ssop and for its reference at once, and a form in which both can be compared."""

from itertools import combinations

import pytest
from hypothesis import strategies as st

import ssop
from ssop._core import Dim, PartialShape
from ssop.reference import Rejected
from ssop.reference import shapes as ref
from ssop.reference._dims import NO_UPPER_END

INT64_MAX = 2**63 - 1


class Pool:
    """Dims, each of them once for ssop and once for the reference. A spec of a shape lists dims by their numbers."""

    def __init__(self, values):
        self.core = [Dim(value) for value in values]
        self.ref = [ref.dim(value) for value in values]

    def __repr__(self):
        return f"Pool({[ref.text(dim) for dim in self.ref]})"

    def core_shape(self, spec):
        return PartialShape(spec if spec is None else [self.core[i] for i in spec])

    def ref_shape(self, spec):
        return ref.shape(spec if spec is None else [self.ref[i] for i in spec])

    def numbers(self, data):
        """A number for each dim of the pool."""
        return [data.draw(st.integers(dim.lo, dim.hi) | st.just(dim.lo)) for dim in self.ref]

    def completion(self, data, spec):
        """One known shape that the shape of `spec` may be; None if its rank is unknown."""
        numbers = self.numbers(data)
        return None if spec is None else tuple(numbers[i] for i in spec)

    def form(self, value):
        """Intervals and names of the dims of a shape or list: which one of the pool, or the number of a new one."""
        if isinstance(value, PartialShape):
            dims = None if value.rank is None else [value.dim(axis) for axis in range(value.rank)]
        else:
            dims = value.dims if isinstance(value, ref.Shape) else value
        if dims is None:
            return None
        names = (
            {dim.id: i for i, dim in enumerate(self.core) if dim.id}
            if any(isinstance(d, Dim) for d in dims)
            else {dim.id: i for i, dim in enumerate(self.ref) if dim.id}
        )
        form = []
        for dim in dims:
            lo, hi = dim.interval if isinstance(dim, Dim) else dim[:2]
            name = names.setdefault(dim.id, len(self.core) + len(names)) if dim.id else None
            form.append((lo, None if hi is None or hi >= NO_UPPER_END and lo < hi else hi, name))
        return form

    def dim_outcome(self, function):
        """The form of a dim, or the error's label."""
        try:
            return self.form([function()])
        except (ssop.SliceError, Rejected) as error:
            return error.label


def same_error(rejected, function):
    """Check that ssop's function raises what the reference raised."""
    with pytest.raises(ssop.SliceError) as caught:
        function()
    error = caught.value
    assert (error.label, error.axis, error.entry) == (rejected.label, rejected.axis, rejected.entry)


SMALL = [None, *range(6), *combinations(range(6), 2), *((lo, None) for lo in range(1, 6))]
LARGE = [2**31, 2**32, 2**62, INT64_MAX - 1, INT64_MAX, (3, 2**32), (2**31, 2**62), (2**62, None), (1, INT64_MAX - 1)]


def pools(min_size=1, large=True):
    """Mostly small numbers, so that dims agree, and now and then numbers whose sums and products are too large."""
    values = st.sampled_from([*SMALL, *LARGE] if large else SMALL)
    return st.lists(values, min_size=min_size, max_size=5).map(Pool)


def specs(pool, rank=None, known_rank=False):
    """Shapes of dims of the pool; the rank is any, at most 4, and may be unknown, unless told."""
    dims = st.lists(st.integers(0, len(pool.core) - 1), min_size=rank or 0, max_size=4 if rank is None else rank)
    return dims if known_rank or rank is not None else st.none() | dims | dims | dims
