"""E2 explained (ex_s1): the shape and the index are those of the call, and the text, HTML and SVG of all of them parse.

An explanation takes a hundred times as long as its call. So one in 61 specs of four entries is explained. One in 61 of
these, and of the specs of three entries, is rendered. 61 has no factor in common with the period of a mask.
SSOP_TEST_SCALE=61 explains all of them, and renders every mask set at one of the ranks, SSOP_TEST_SCALE=305 at each.
"""

from itertools import islice, product
from xml.etree import ElementTree

import numpy as np
import pytest

import ssop
from exhaustive.spaces import mask_patterns
from exhaustive.test_masks import BEGIN, END, RANKS, SHAPE, STRIDES
from scale import SCALE, count_of_sampled, sampled

SHARE = max(1, round(61 / max(1, SCALE)))
"""One in how many is taken, of what a scale below 1 has left."""

RENDERED = 1 if SCALE >= 61 * len(RANKS) else max(SHARE, len(RANKS))
"""One in how many of these is rendered, at each rank another one."""

SVG = "{http://www.w3.org/2000/svg}svg"


def check_explanation(shape, spec):
    """Compare it with the call, and return it."""
    array = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    told = ssop.explain(shape, *spec)
    try:
        right = ssop.strided_slice(array, *spec)
    except ssop.SliceError as error:
        assert (told.error.label, told.shape, told.index) == (error.label, None, None), (shape, spec)
        return told
    assert told.error is None and told.shape == right.shape, (shape, spec)
    assert np.array_equal(array[told.index], right), (shape, spec)
    return told


def check_forms(told):
    """Every form parses, and says the result or the rule that is broken. The HTML has the SVG inside."""
    html = told._repr_html_()
    tree = ElementTree.fromstring(html)
    words, says = "".join(tree.itertext()), told.error.label if told.error else str(told.shape)
    assert says in words and says in str(told)
    if told.error is None:
        assert tree.find(SVG) is not None and told.to_svg() in html


def check(rank, length, patterns, share=1):
    """Explain the specs of these masks, render one in `share`; return how many were explained and rendered."""
    explained = rendered = 0
    for number, masks in enumerate(patterns):
        told = check_explanation(SHAPE[:rank], (BEGIN[:length], END[:length], STRIDES[:length], *masks))
        explained += 1
        if number % share == rank % share:
            check_forms(told)
            rendered += 1
    return explained, rendered


@pytest.mark.long
@pytest.mark.parametrize("rank", RANKS)
def test_ex_s1_e2(rank, report):
    counts = [
        check(rank, length, sampled(mask_patterns(length)), RENDERED if length == 3 else 1) for length in range(4)
    ]
    explained, rendered = map(sum, zip(*counts, strict=True))
    assert explained == sum(count_of_sampled(2 ** (5 * length)) for length in range(4))
    report(f"E2, rank {rank}, up to three entries: {explained:,} explained, {rendered:,} rendered")


@pytest.mark.long
@pytest.mark.parametrize("begin_mask", range(2**4))
@pytest.mark.parametrize("rank", RANKS)
def test_ex_s1_e2_of_four_entries(rank, begin_mask, report):
    patterns = ((begin_mask, *others) for others in sampled(product(range(2**4), repeat=4)))
    explained, rendered = check(rank, 4, islice(patterns, 0, None, SHARE), RENDERED)
    assert explained == -(-count_of_sampled(2**16) // SHARE)
    report(
        f"E2, rank {rank}, four entries, begin_mask {begin_mask:04b}: {explained:,} explained, {rendered:,} rendered"
    )
