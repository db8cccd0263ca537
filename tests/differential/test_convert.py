"""Conversions on the engines: what `ssop.convert` writes gives NumPy's answer there, for every size, or its error.

SSOP_TEST_SCALE=10 is the campaign of 10,000 indices on each engine; from 1 on, which the checks have by night, every
set of masks is run. Below that, shares by seed.
"""

import random
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

import ssop
from differential.conftest import SEED
from differential.conversion_engines import ENGINES, NEVER_WRITTEN, SQUEEZES_TO_ZERO, litert_child
from exhaustive.brute_force import calls_for
from exhaustive.spaces import mask_patterns
from exhaustive.test_conversions import ENTRIES
from scale import SCALE, examples
from ssop import SliceError
from ssop._convert.calls import program_of, read_calls
from ssop._convert.dtypes import COMMON, COMPLEX, FLOAT8, OTHER_FLOAT8, check_dtype
from ssop._masks import MASK_NAMES
from unit.test_convert import draw_index
from unit.test_convert_refusals import ELEMENTS

WHOLE = SCALE >= 10
INDICES = 1_000
"""At full scale. Each is run on six shapes, if dims are unknown."""
SPECS = 160
"""Sets of masks at a scale of 1, of which shares are drawn below that."""
Call = ssop.convert.Call
UNKNOWN = (None, None, "n", (1, None), (2, None))
"""Dims of shapes that are not known."""


@pytest.fixture(scope="module", autouse=True)
def a_child_that_starts_before_threads():
    litert_child()
    yield
    litert_child().close()


def answer_of(function, *arguments):
    """The result as an array, or None for an error."""
    try:
        return np.asarray(function(*arguments))
    except Exception as error:  # each engine has its own
        assert not isinstance(error, (NameError, SyntaxError, AttributeError)), error
        return None


def counting(dims):
    return np.arange(np.prod(dims), dtype=np.float32).reshape(dims)


def sizes(rng, shape):
    """Six shapes with the dims that are known."""
    for _ in range(6 if any(not isinstance(dim, int) for dim in shape) else 1):
        yield tuple(
            dim if isinstance(dim, int) else rng.randint(dim[0] if isinstance(dim, tuple) else 0, 9) for dim in shape
        )


class Campaign:
    """What became of conversions on one engine."""

    def __init__(self, name, source):
        self.name, self.engine, self.source = name, ENGINES[name], source
        self.counts = dict.fromkeys(("equal", "errors on both sides", "rejected", "always errors"), 0)
        self.built, self.answers, self.converted = {}, {}, {}

    def run(self, conversion, dims):
        """The engine's answer, once for the same calls and dims; built once for the same calls and shape."""
        program = str(conversion), conversion.shape
        if (program, dims) not in self.answers:
            if program not in self.built:
                try:
                    self.built[program] = self.engine.build(conversion, np.empty((1,) * len(dims), np.float32))
                except Exception as error:
                    raise AssertionError(f"{self.name} rejects {conversion}: {error}") from error
            self.answers[program, dims] = answer_of(self.built[program], counting(dims))
        return self.answers[program, dims]

    def conversion_of(self, calls, shape):
        """The conversion, once for calls that do the same to each axis: most sets of masks have bits without effect."""
        key = str(program_of(read_calls(calls), len(shape))), tuple(shape)
        if key not in self.converted:
            try:
                self.converted[key] = ssop.convert(calls, self.engine.to, shape)
            except ssop.ConversionError as error:
                self.converted[key] = error
        if isinstance(self.converted[key], ssop.ConversionError):
            raise self.converted[key]
        return self.converted[key]

    def convert(self, calls, shape, rng):
        """Converts and runs on each of six sizes, or tries to show that the error is needed."""
        try:
            conversion = self.conversion_of(calls, shape)
        except ssop.ConversionError as error:
            self.rejected(calls, shape, error)
            return
        except SliceError as error:
            assert error.label in ("cv_c5", "ss_c4", "ss_c6"), (calls, shape, error)
            for dims in sizes(rng, shape):
                assert answer_of(self.source, calls, counting(dims)) is None, (calls, dims)
            self.counts["always errors"] += 1
            return
        for dims in sizes(rng, shape):
            self.compare(calls, conversion, dims)

    def compare(self, calls, conversion, dims):
        wanted = answer_of(self.source, calls, counting(dims))
        if wanted is None and self.name in NEVER_WRITTEN:
            return
        got = self.run(conversion, dims)
        what = (calls, dims, str(conversion), got, wanted)
        if wanted is None:
            assert got is None, what
            self.counts["errors on both sides"] += 1
            return
        assert got is not None, what
        if wanted.size == 0 and self.name in SQUEEZES_TO_ZERO:
            assert got.size == 0, what
        else:
            assert got.shape == wanted.shape and np.array_equal(got, wanted), what
        self.counts["equal"] += 1

    def rejected(self, calls, shape, error):
        """No calls are equal: by trying all, and the nearest give another result on the engine."""
        assert self.engine.to == "xla", (calls, shape, error)
        dim = shape[error.axis]
        least = dim[0] if isinstance(dim, tuple) else 0
        chain = program_of(read_calls(calls), len(shape)).of(error.axis).chain
        assert calls_for(chain, least) is None, (calls, shape, error)
        assume = dict(error.precondition)
        while True:
            try:
                nearest = ssop.convert(calls, self.engine.to, shape, assume=assume)
                break
            except ssop.ConversionError as other:  # of another axis
                assert other.axis not in assume
                assume |= other.precondition
        wanted = answer_of(self.source, calls, counting(error.counterexample))
        got = self.run(nearest, error.counterexample)
        same = wanted is not None and got is not None and got.shape == wanted.shape and np.array_equal(got, wanted)
        assert wanted is not None and not same, (calls, shape, error, str(nearest))
        self.counts["rejected"] += 1

    def __str__(self):
        return f"{self.name}: " + ", ".join(f"{count} {what}" for what, count in self.counts.items())


def numpy_answer(index, x):
    return x[index]


@pytest.mark.parametrize("engine", ENGINES)
def test_conversions_of_plain_indices(engine, report):
    campaign = Campaign(engine, numpy_answer)
    rng = random.Random(SEED)
    indices = 10 * INDICES if WHOLE else max(1, int(examples(INDICES) * campaign.engine.share))
    for _ in range(indices):
        rank = rng.randint(1, 3)
        shape = [rng.randint(1, 6) if rng.random() < 0.5 else rng.choice(UNKNOWN) for _ in range(rank)]
        campaign.convert(draw_index(rng, rank), shape, rng)
    assert campaign.counts["equal"] > indices / 2 and campaign.counts["rejected"] < indices * 0.8
    report(f"{indices} indices in {campaign}; SSOP_SEED={SEED}")


def spec_answer(spec, x):
    return spec(x)


def sizes_of_a_meaning(spec, number):
    """A source of sizes, one of four for what a set of masks does to three axes.

    Of 33,824 sets there are 289 with a meaning of their own: engines compile what these have in common only once.
    """
    try:
        meaning = program_of(read_calls(spec), 3)
    except SliceError as error:
        meaning = error.label
    return random.Random(f"{SEED} {number % 4} {meaning}")


@pytest.mark.parametrize("engine", ENGINES)
def test_conversions_of_every_set_of_masks(engine, report):
    campaign = Campaign(engine, spec_answer)
    rng = random.Random(SEED)
    patterns = [(length, masks) for length in (1, 2, 3) for masks in mask_patterns(length)]
    if SCALE < 1:
        patterns = rng.sample(patterns, max(20, int(examples(SPECS) * campaign.engine.share)))
    for number, (length, masks) in enumerate(patterns):
        begin, end, strides = zip(*ENTRIES[:length], strict=True)
        try:
            spec = ssop.StridedSliceSpec(begin, end, strides, **dict(zip(MASK_NAMES, masks, strict=True)))
        except ssop.SliceValueError as error:
            assert error.label == "ss_c3"
            continue
        rng = sizes_of_a_meaning(spec, number)
        known = next(sizes(rng, ((1, None),) * 3))
        for shape in ([None, (1, None), "n"], list(known)):
            campaign.convert(spec, shape, rng)
    assert campaign.counts["equal"] > 0
    report(f"{len(patterns)} sets of masks in {campaign}; SSOP_SEED={SEED}")


@pytest.mark.parametrize("engine", [name for name in ENGINES if name != "litert"])
def test_conversions_of_permutations(engine, report):
    """Slices before and behind a permutation of axes; the harness of LiteRT runs slices only."""
    to, build, share = ENGINES[engine]
    rng = random.Random(20260102)
    equal = 0
    for _ in range(max(10, int(examples(100) * share))):
        rank = rng.randint(2, 3)
        axes = rng.sample(range(rank), rank)
        items = [rng.choice([np.s_[1:], np.s_[:-1], np.s_[::2], np.s_[::-1], np.s_[-2::-1]]) for _ in axes]
        shape = [rng.randint(3, 6) if rng.random() < 0.5 or to == "xla" else None for _ in axes]
        before, behind = tuple(items), rng.choice([0, slice(None, None, 2), None])
        index = [ssop.convert.Call("numpy.index", index=(*items,)) for items in (before, (behind,))]
        calls = [index[0], ssop.convert.Call("numpy.transpose", axes=axes), index[1]]
        conversion = ssop.convert(calls, to, shape)
        for _ in range(1 if None not in shape else 3):
            x = np.empty([rng.randint(3, 9) if dim is None else dim for dim in shape], np.float32)
            x[...] = np.arange(x.size).reshape(x.shape)
            wanted = x[before].transpose(axes)[behind]
            np.testing.assert_array_equal(build(conversion, x)(x), wanted, err_msg=str((calls, conversion)))
            equal += wanted.size > 0
    assert equal >= 10
    report(f"{engine}: {equal} equal results of slices and permutations")


DTYPES = sorted(COMMON | COMPLEX | FLOAT8 | OTHER_FLOAT8)
NOT_FED = {
    "litert": {"uint16", "uint32", "uint64", "bfloat16", *COMPLEX, *FLOAT8, *OTHER_FLOAT8},
    "torch": {"bfloat16", *FLOAT8, *OTHER_FLOAT8},
    "openvino": {"bfloat16", *FLOAT8, "float8_e8m0fnu"},
    "openvino Slice-8": {"bfloat16", *FLOAT8, "float8_e8m0fnu"},
    "onnxruntime": {"bfloat16"},
}
"""Dtypes of which the engine's package, or its oracle here, makes no tensors from arrays of NumPy."""


@pytest.mark.parametrize("engine", ENGINES)
def test_dtypes_that_are_taken(engine):
    """A conversion with a dtype is an error exactly where the engine rejects it."""
    ml_dtypes = pytest.importorskip("ml_dtypes")
    to, build, _ = ENGINES[engine]
    for name in DTYPES:
        if name in NOT_FED.get(engine, ()):
            continue
        x = np.arange(1, 6).astype(getattr(ml_dtypes, name, name))
        for index in (np.s_[1:3], np.s_[::-1], 0, np.s_[None, 1:]):
            conversion = ssop.convert(index, to, x.shape)
            got = answer_of(lambda x, c=conversion: build(c, x)(x), x)
            try:
                check_dtype(conversion.calls, to, name)
            except ssop.SliceValueError:
                in_text = engine == "onnx.reference" and name in COMPLEX  # ONNX Runtime rejects what the text has
                assert in_text or got is None, (name, str(conversion), got)
            else:
                assert got is not None and got.tolist() == x[index].tolist(), (name, str(conversion), got)


ERRORS_OUTSIDE = [
    Call("tf.slice", begin=[2], size=[-1]),
    Call("torch.narrow", dim=0, start=2, length=3),
    Call("torch.narrow", dim=0, start=-3, length=2),
    Call("xla.slice_in_dim", start_index=1, limit_index=-2, stride=2),
    Call("xla.slice_in_dim", start_index=-2, limit_index=0),
    Call("xla.dynamic_slice", start_indices=[2], slice_sizes=[3]),
]


@pytest.mark.parametrize("name", ["tensorflow", "litert", "torch", "jax"])
def test_slices_that_are_errors_outside_the_axis_are_errors_of_the_engine(name):
    engine, compared = ENGINES[name], 0
    for call in ERRORS_OUTSIDE:
        try:
            conversion = ssop.convert(call, engine.to, [None])
        except ssop.ConversionError:
            assert name == "torch"  # its narrow has a size, not an end that counts from behind
            continue
        function = engine.build(conversion, np.empty(1, np.float32))
        for dim in range(7):
            wanted, got = answer_of(call, counting((dim,))), answer_of(function, counting((dim,)))
            assert (got is None) == (wanted is None), (call, dim, str(conversion), got)
            assert wanted is None or np.array_equal(got, wanted), (call, dim, str(conversion), got)
            compared += 1
    assert compared >= 4 * 7


@pytest.mark.parametrize("name", ["onnxruntime", "onnx.reference"])
def test_elements_that_may_be_outside_are_errors_of_the_engine(name):
    """ONNX has no slice that is an error, but a Squeeze of what has no element is one."""
    for call in ELEMENTS:
        conversion = ssop.convert(call, "onnx", [None, None])
        function = ENGINES[name].build(conversion, np.empty((1, 1), np.float32))
        for dims in product((1, 2, 3, 5), repeat=2):
            wanted, got = answer_of(call, counting(dims)), answer_of(function, counting(dims))
            assert (got is None) == (wanted is None), (call, dims, str(conversion), got)
            assert wanted is None or np.array_equal(got, wanted), (call, dims, str(conversion), got)


COUNTED = [
    Call("tflite.strided_slice", begin=[begin], end=[end], strides=[stride], offset=True, **masks)
    for begin, (end, stride) in product((-3, 0, 2), ((2, 1), (3, 2), (-2, -1), (-1, 1)))
    for masks in ({}, {"end_mask": 1}, {"begin_mask": 1})
]


@pytest.mark.parametrize("name", ["tensorflow", "litert", "torch", "jax"])
def test_ends_that_count_from_the_begins_of_litert(name):
    """LiteRT's own answer of the source; where the window leaves the axis, it gives memory that it never wrote."""
    engine, compared, errors = ENGINES[name], 0, 0
    for call in COUNTED:
        try:
            conversion = ssop.convert(call, engine.to, [None])
        except ssop.SliceError as error:
            assert error.label in ("cv_c5", "cv_c7")
            continue
        source = ENGINES["litert"].build(SimpleNamespace(calls=[call]), None)
        function = engine.build(conversion, np.empty(1, np.float32))
        for dim in range(1, 7):
            x = counting((dim,))
            if answer_of(call, x) is None:
                errors += name != "litert" and answer_of(function, x) is None
                assert name == "litert" or answer_of(function, x) is None, (call, dim, str(conversion))
                continue
            assert np.array_equal(answer_of(source, x), answer_of(function, x)), (call, dim, str(conversion))
            compared += 1
    assert compared >= 50 and (errors > 10 or name == "litert")
