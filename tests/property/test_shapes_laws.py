"""Partial shapes: the laws of merge, relax and the rest for random shapes that share dims, and the reference."""

import operator

from hypothesis import assume, given
from hypothesis import strategies as st

import ssop
from property.partial_shapes import Pool, pools, same_error, specs
from ssop._core import Dim, PartialShape
from ssop.reference import Rejected
from ssop.reference import shapes as ref

MODES = st.sampled_from(["tf", "tight"])


@st.composite
def pool_and_specs(draw, count, known_rank=False):
    """A pool of dims, and `count` shapes of them, mostly of one rank, so that something can be merged."""
    pool = draw(pools())
    rank = draw(st.sampled_from([None, 0, 1, 2, 3, 4])) if count > 1 else None
    return pool, *(draw(specs(pool, rank, known_rank)) for _ in range(count))


def values(result):
    """What counts up to identity: the intervals, or the error."""
    return result if isinstance(result, str) else result.intervals


def outcome(function, *args, **kwargs):
    try:
        return function(*args, **kwargs)
    except ssop.SliceError as error:
        return error.label


def merged(a, b):
    """The merge, or the text "error" for shapes that contradict each other."""
    if isinstance(a, str) or isinstance(b, str):
        return "error"
    result = outcome(a.merge, b)
    return "error" if isinstance(result, str) else result


def is_inside(inner, outer):
    """Whether every shape that `inner` may be is one that `outer` may be, identities left out."""
    if outer.rank is None or inner.rank is None:
        return outer.rank is None
    pairs = zip(inner.intervals, outer.intervals, strict=True)
    return all(low <= lo and (high is None or hi is not None and hi <= high) for (lo, hi), (low, high) in pairs)


# ---- laws of merge ---------------------------------------------------------------------------------------------------


@given(pool_and_specs(2))
def test_sh_s3_merge_is_commutative(case):
    pool, *given = case
    a, b = map(pool.core_shape, given)
    assert values(merged(a, b)) == values(merged(b, a))


@given(pool_and_specs(3))
def test_sh_s3_merge_is_associative(case):
    pool, *given = case
    a, b, c = map(pool.core_shape, given)
    assert values(merged(merged(a, b), c)) == values(merged(a, merged(b, c)))


@given(pool_and_specs(2))
def test_sh_s3_merge_is_idempotent(case):
    pool, *given = case
    a, b = map(pool.core_shape, given)
    assert a.merge(a) is a
    assert a.merge(PartialShape(a.intervals)) is a
    both = merged(a, b)
    if not isinstance(both, str):
        assert both.merge(a) is both and both.merge(b) is both
        assert values(a.merge(both)) == values(b.merge(both)) == values(both)


@given(pool_and_specs(2))
def test_sh_c1_sh_c2_contradictions_name_both_and_change_nothing(case):
    pool, *given = case
    a, b = map(pool.core_shape, given)
    before = pool.form(a), pool.form(b)
    try:
        a.merge(b)
    except ssop.SliceError as error:
        assert (error.label == "sh_c1") == (a.rank != b.rank)
        if error.label == "sh_c2":
            (lo, hi, _), (low, high, _) = (pool.ref[spec[error.axis]] for spec in given)
            assert hi < low or high < lo
            assert f"Dimension {error.axis} in both shapes must be equal" in str(error)
            assert f"Shapes are {a} and {b}." in str(error)
            assert all(str(number) in str(error) for number in ((hi, low) if hi < low else (high, lo)))
        else:
            assert f"Shapes must be equal rank, but are {a.rank} and {b.rank}" in str(error)
    assert before == (pool.form(a), pool.form(b))


@given(pool_and_specs(2), st.data())
def test_sh_s3_what_both_may_be_the_merge_may_be(case, data):
    pool, *given = case
    a, b = map(pool.core_shape, given)
    both = merged(a, b)
    completion = pool.completion(data, given[0])
    if completion is not None and b.contains(completion):
        assert not isinstance(both, str) and both.contains(completion)


# ---- laws of relax ---------------------------------------------------------------------------------------------------


@given(pool_and_specs(2), MODES)
def test_sh_s4_relax_is_commutative(case, mode):
    pool, *given = case
    a, b = map(pool.core_shape, given)
    assert values(a.relax(b, mode=mode)) == values(b.relax(a, mode=mode))


@given(pool_and_specs(3), MODES)
def test_sh_s4_relax_is_associative(case, mode):
    pool, *given = case
    a, b, c = map(pool.core_shape, given)
    left, right = a.relax(b, mode=mode).relax(c, mode=mode), a.relax(b.relax(c, mode=mode), mode=mode)
    assert values(left) == values(right)


@given(pool_and_specs(2), MODES)
def test_sh_s4_relax_is_idempotent(case, mode):
    pool, *given = case
    a, b = map(pool.core_shape, given)
    assert a.relax(a, mode=mode) is a
    either = a.relax(b, mode=mode)
    assert values(either.relax(a, mode=mode)) == values(either.relax(b, mode=mode)) == values(either)
    assert either.relax(either, mode=mode) is either


@given(pool_and_specs(2), MODES, st.data())
def test_sh_s4_what_either_may_be_the_relaxed_one_may_be(case, mode, data):
    """In TensorFlow's mode up to identity: for dims of equal intervals, its result is the new one."""
    pool, *given = case
    a, b = map(pool.core_shape, given)
    either = a.relax(b, mode=mode)
    if mode == "tf":
        either = PartialShape(either.intervals)
    for spec in given:
        completion = pool.completion(data, spec)
        assert completion is None or either.contains(completion)


@given(pool_and_specs(2), MODES)
def test_sh_s3_sh_s4_merge_and_relax_bracket_both(case, mode):
    pool, *given = case
    a, b = map(pool.core_shape, given)
    either, both = a.relax(b, mode=mode), merged(a, b)
    for one in (a, b):
        assert is_inside(one, either)
        assert isinstance(both, str) or is_inside(both, one)
        assert values(one.merge(either)) == values(one)
        if not isinstance(both, str) and (both.rank == one.rank):
            assert values(both.relax(one)) == values(one.relax(both)) == values(one)


# ---- parts -----------------------------------------------------------------------------------------------------------


@given(pool_and_specs(1, known_rank=True), st.data())
def test_sh_s9_sh_s10_subshape_then_concatenate_is_the_whole(case, data):
    pool, given = case
    whole = pool.core_shape(given)
    at = data.draw(st.integers(-whole.rank, whole.rank))
    whole_again = whole.subshape(0, at).concatenate(whole.subshape(at))
    assert pool.form(whole_again) == pool.form(whole) == pool.form(whole[:at].concatenate(whole[at:]))


@given(pool_and_specs(1, known_rank=True), st.slices(6))
def test_sh_s9_slices_clamp_as_those_of_lists(case, part):
    pool, given = case
    whole = pool.core_shape(given)
    assert pool.form(whole[part]) == pool.form(PartialShape([whole.dim(i) for i in range(whole.rank)][part]))


@given(pool_and_specs(1, known_rank=True), st.data())
def test_sh_c11_replace_dim_then_dim(case, data):
    pool, given = case
    whole = pool.core_shape(given)
    assume(whole.rank)
    axis = data.draw(st.integers(-whole.rank, whole.rank - 1))
    new = Dim((2, 5))
    replaced = whole.replace_dim(axis, new)
    assert replaced.dim(axis).same_as(new)
    assert pool.form(replaced.replace_dim(axis, whole.dim(axis))) == pool.form(whole)


# ---- against the reference -------------------------------------------------------------------------------------------


def compare(pool, ours, theirs, given=()):
    """Both results, tuples of shapes: dims, identities, and which of the given shapes they are."""
    try:
        expected = theirs()
    except Rejected as rejected:
        same_error(rejected, ours)
        return
    for one, other in zip(ours(), expected, strict=True):
        assert pool.form(one) == pool.form(other)
        assert [one is core for core, _ in given] == [other.id == shape.id for _, shape in given]


def compare_shapes(pool, ours, theirs, given=()):
    """The same for functions of one shape."""
    compare(pool, lambda: (ours(),), lambda: (theirs(),), given)


@given(pool_and_specs(2), MODES)
def test_sh_c1_sh_c2_merge_and_relax_equal_the_reference(case, mode):
    pool, *given = case
    both = [(pool.core_shape(spec), pool.ref_shape(spec)) for spec in given]
    (a, x), (b, y) = both
    compare_shapes(pool, lambda: a.merge(b), lambda: ref.merge(x, y), both)
    compare_shapes(pool, lambda: a.relax(b, mode=mode), lambda: ref.relax(x, y, mode), both)


@given(pool_and_specs(2))
def test_sh_c3_sh_c5_merge_prefix_equals_the_reference(case):
    pool, *given = case
    (a, b), (x, y) = map(pool.core_shape, given), map(pool.ref_shape, given)
    compare(pool, lambda: a.merge_prefix(b), lambda: ref.merge_prefix(x, y))


@given(pool_and_specs(2), st.integers(-2, 66))
def test_sh_c4_sh_c5_sh_c6_sh_c7_ranks_and_concatenate_equal_the_reference(case, rank):
    pool, *given = case
    both = [(pool.core_shape(spec), pool.ref_shape(spec)) for spec in given]
    (a, x), (b, y) = both
    compare_shapes(pool, lambda: a.with_rank(rank), lambda: ref.with_rank(x, rank), both)
    compare_shapes(pool, lambda: a.with_rank_at_least(rank), lambda: ref.with_rank_at_least(x, rank), both)
    compare_shapes(pool, lambda: a.with_rank_at_most(rank), lambda: ref.with_rank_at_most(x, rank), both)
    compare_shapes(pool, lambda: a.concatenate(b), lambda: ref.concatenate(x, y))


BOUNDS = st.one_of(st.integers(-6, 6), st.sampled_from([-(2**63), 2**63 - 1, 2**31]))


@given(pool_and_specs(1), BOUNDS, st.none() | BOUNDS, st.integers(-3, 3) | BOUNDS)
def test_sh_c9_sh_c10_sh_c21_subshape_equals_the_reference(case, start, end, stride):
    pool, given = case
    both = [(pool.core_shape(given), pool.ref_shape(given))]
    ((a, x),) = both
    compare_shapes(pool, lambda: a.subshape(start, end, stride), lambda: ref.subshape(x, start, end, stride), both)


@given(pool_and_specs(1), st.integers(-6, 6), MODES)
def test_sh_c11_sh_c14_axes_and_num_elements_equal_the_reference(case, axis, mode):
    pool, given = case
    a, x = pool.core_shape(given), pool.ref_shape(given)
    assert pool.dim_outcome(lambda: a.dim(axis)) == pool.dim_outcome(lambda: ref.dim_at(x, axis))
    compare_shapes(pool, lambda: a.replace_dim(axis, pool.core[0]), lambda: ref.replace_dim(x, axis, pool.ref[0]))
    assert pool.dim_outcome(lambda: a.num_elements(mode=mode)) == pool.dim_outcome(lambda: ref.num_elements(x, mode))


ELEMENTS = st.one_of(
    st.none(),
    st.integers(-3, 5),
    st.tuples(st.integers(-4, 4), st.integers(0, 4) | st.none()).map(
        lambda pair: (pair[0], None if pair[1] is None else pair[0] + pair[1])
    ),
)


@given(st.lists(ELEMENTS, max_size=4))
def test_sh_c17_from_tensor_equals_the_reference(elements):
    pool = Pool([])
    compare_shapes(pool, lambda: PartialShape.from_tensor(elements), lambda: ref.from_tensor(elements))


OPERATORS = {
    "add": ref.add,
    "subtract": ref.subtract,
    "multiply": ref.multiply,
    "divide": ref.divide,
    "minimum": ref.minimum,
    "maximum": ref.maximum,
}


@given(pools(min_size=2), st.data(), st.sampled_from(sorted(OPERATORS)), MODES)
def test_sh_c12_sh_c13_sh_c14_sh_c15_arithmetic_equals_the_reference(pool, data, name, mode):
    i, j = (data.draw(st.integers(0, len(pool.core) - 1)) for _ in "ab")
    got = pool.dim_outcome(lambda: getattr(pool.core[i], name)(pool.core[j], mode=mode))
    assert got == pool.dim_outcome(lambda: OPERATORS[name](pool.ref[i], pool.ref[j], mode=mode))


SIGNS = {"add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.floordiv}


@given(pools(min_size=2), st.sampled_from(sorted(SIGNS)), st.integers(0, 5))
def test_sh_s5_sh_s6_operators_are_the_tight_methods(pool, name, number):
    a, b = pool.core[:2]
    sign = SIGNS[name]
    for ours, method in (
        (lambda: sign(a, b), lambda: getattr(a, name)(b)),
        (lambda: sign(a, number), lambda: getattr(a, name)(number)),
        (lambda: sign(number, a), lambda: getattr(Dim(number), name)(a)),
    ):
        assert pool.dim_outcome(ours) == pool.dim_outcome(method)


@given(pools(min_size=2), st.data(), st.sampled_from(sorted(OPERATORS)), MODES)
def test_sh_s5_sh_s6_sh_s7_arithmetic_is_sound(pool, data, name, mode):
    """The result of the numbers is one of the result's, for every choice of numbers for which there is one."""
    i, j = (data.draw(st.integers(0, len(pool.core) - 1)) for _ in "ab")
    numbers = pool.numbers(data)
    try:
        known = getattr(Dim(numbers[i]), name)(numbers[j]).value
    except ssop.SliceError:
        return
    result = getattr(pool.core[i], name)(pool.core[j], mode=mode)
    assert PartialShape([result]).contains((known,))
    for k, dim in enumerate(pool.core):
        assert not (result.id and result.same_as(dim)) or numbers[k] == known


@given(pools(min_size=2), MODES)
def test_sh_c3_sh_c8_merge_relax_and_value_of_dims_equal_the_reference(pool, mode):
    (a, b), (x, y) = pool.core[:2], pool.ref[:2]
    assert pool.dim_outcome(lambda: a.merge(b)) == pool.dim_outcome(lambda: ref.merge_dims(x, y))
    assert pool.dim_outcome(lambda: a.relax(b, mode=mode)) == pool.dim_outcome(lambda: ref.relax_dims(x, y, mode))
    for value in (0, 3, y.lo):
        assert pool.dim_outcome(lambda v=value: a.with_value(v)) == pool.dim_outcome(
            lambda v=value: ref.with_value(x, v)
        )
    assert a.same_as(b) == ref.is_same(x, y) and a.same_as(a)
    assert str(a) == ref.text(x) and str(PartialShape([a, b])) == ref.text(ref.shape([x, y]))
