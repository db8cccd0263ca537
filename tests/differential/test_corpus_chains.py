"""A program of several operations as a file: XLA's merge of two dynamic slices is there again."""

import numpy as np

from ssop.testing.chains.program import At, Chain, Step
from ssop.testing.corpus import Failure, read_folder, replay, write_failure
from ssop.testing.corpus.chains import chain_to_json


def window(name, operand, start, size):
    args = {"start_indices": At(start), "slice_sizes": [size], "allow_negative_indices": False}
    return Step(name, "xla.dynamic_slice", (operand,), args)


def test_a_merge_without_the_clamp_is_asked_again(tmp_path):
    inputs = {"x0": np.arange(1, 11), "x1": np.array([9], np.int32), "x2": np.array([0], np.int32)}
    chain = Chain(inputs, (window("y0", "x0", "x1", 4), window("y1", "y0", "x2", 1)))
    alone = Chain(inputs, chain.steps[:1])
    for name, program in (("merged", chain), ("alone", alone)):
        one = Failure("chain", chain_to_json(program), "the elements differ", oracle="jax-jit", name=name)
        write_failure(tmp_path, one)
    outcomes = {found.failure.name: found.outcome for found in replay(read_folder(tmp_path))}
    assert outcomes == {"merged": "there", "alone": "mended"}
