"""ss_s10: slices of shapes that share dims: the result allows the shape of every completion, identities included."""

from hypothesis import given
from hypothesis import strategies as st

from property.partial_shapes import pools, specs
from ssop import shapes
from ssop.testing import strategies as slicing

MODES = st.sampled_from(["tf", "tight"])


INT64 = (-(2**63), 2**63 - 1)


def knowledge(number):
    """What may be known of an element: nothing, an interval that has it, or all."""
    wide = max(number - 1, INT64[0]), min(number + 2, INT64[1])
    return st.sampled_from([None, wide, number, number])


@st.composite
def cases(draw):
    """A pool of dims, a shape of them, one of its completions, a spec, and what is known of its vectors."""
    pool = draw(pools(large=False))
    axes = draw(specs(pool, known_rank=True))
    numbers = [draw(st.integers(dim.lo, min(dim.hi, dim.lo + 3))) for dim in pool.ref]
    spec = draw(slicing.specs(tuple(numbers[i] for i in axes), legal=True))
    vectors = [draw(st.tuples(*map(knowledge, vector))) for vector in (spec.begin, spec.end, spec.strides)]
    return pool, axes, numbers, spec, vectors


@given(cases(), MODES)
def test_ss_s10_sh_s1_the_shape_of_a_completion_is_allowed(case, mode):
    pool, axes, numbers, spec, vectors = case
    taken = spec.resolve([numbers[i] for i in axes]).shape
    masks = spec.begin_mask, spec.end_mask, spec.ellipsis_mask, spec.new_axis_mask, spec.shrink_axis_mask
    result = shapes.strided_slice(pool.core_shape(axes), *vectors, *masks, mode=mode)
    assert result.contains(taken)
    for k, dim in enumerate(pool.core):
        for axis in range(result.rank or 0):
            assert not result.dim(axis).same_as(dim) or taken[axis] == numbers[k]


@given(cases())
def test_sh_s2_tight_is_inside_what_tensorflow_knows(case):
    pool, axes, _, spec, vectors = case
    masks = spec.begin_mask, spec.end_mask, spec.ellipsis_mask, spec.new_axis_mask, spec.shrink_axis_mask
    tight = shapes.strided_slice(pool.core_shape(axes), *vectors, *masks, mode="tight")
    forgetful = shapes.strided_slice(pool.core_shape(axes), *vectors, *masks, mode="tf")
    if forgetful.rank is not None:
        assert tight.rank == forgetful.rank
        for (lo, hi), (low, high) in zip(tight.intervals, forgetful.intervals, strict=True):
            assert low <= lo and (high is None or hi is not None and hi <= high)


@given(cases(), MODES)
def test_sh_s2_of_known_arguments_is_the_shape_of_execution(case, mode):
    _, axes, numbers, spec, _ = case
    dims = [numbers[i] for i in axes]
    assert spec.infer_shape(dims, mode=mode).dims == spec.resolve(dims).shape
