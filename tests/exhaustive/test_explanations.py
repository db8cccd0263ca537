"""E2 explained (ex_s1): the shape and the index are those of the call, and the text, HTML and SVG of all of them parse.

An explanation takes a hundred times as long as its call, so of specs of four entries it is one in 61 that is explained,
and one in 61 of these that is rendered; 61 has no factor in common with the period of any mask.
"""

from itertools import islice
from xml.etree import ElementTree

import numpy as np
import pytest

import ssop
from exhaustive.spaces import mask_patterns
from exhaustive.test_masks import BEGIN, END, RANKS, SHAPE, STRIDES
from scale import count_of_sampled, sampled

SHARE = 61


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
    """Every form parses, and says the result or the rule that is broken."""
    words = "".join(ElementTree.fromstring(told._repr_html_()).itertext())
    says = told.error.label if told.error else str(told.shape)
    assert says in words and says in str(told)
    if told.error is None:
        ElementTree.fromstring(told.to_svg())


@pytest.mark.long
@pytest.mark.parametrize("rank", RANKS)
def test_ex_s1_e2(rank, report):
    explained = rendered = 0
    for length in range(5):
        spec = BEGIN[:length], END[:length], STRIDES[:length]
        patterns = sampled(mask_patterns(length))
        for number, masks in enumerate(islice(patterns, 0, None, SHARE if length == 4 else 1)):
            told = check_explanation(SHAPE[:rank], (*spec, *masks))
            explained += 1
            if length < 3 or number % SHARE == 0:
                check_forms(told)
                rendered += 1
    fewer = sum(count_of_sampled(2 ** (5 * length)) for length in range(4))
    assert explained == fewer + -(-count_of_sampled(2**20) // SHARE)
    report(f"E2, rank {rank}: {explained:,} explained, {rendered:,} rendered")
