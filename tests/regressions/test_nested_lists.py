"""Lists that hold the same lists again and again: 2**50 items in the memory of 100."""

import numpy as np
import pytest

import child
import ssop


def nested(depth):
    inner = []
    for _ in range(depth):
        inner = [inner, inner]
    return inner


CALLS = ["copyto", "clamp", "pad", "strided_slice", "dynamic_update_slice", "objects", "select", "concatenate", "plan"]


@pytest.mark.parametrize("call", CALLS)
def test_lists_of_lists_are_not_visited_2_to_50_times(call):
    """Neither as an operand nor as a value; in a process of its own, because no signal would end it."""

    def attempt(call):
        inner = []
        for _ in range(50):
            inner = [inner, inner]
        calls = {
            "copyto": lambda: ssop.copyto(np.zeros(2), [1.0, inner]),
            "clamp": lambda: ssop.xla.clamp(inner, np.zeros(2), 1.0),
            "pad": lambda: ssop.xla.pad(np.zeros(2), inner, [(0, 0, 0)]),
            "strided_slice": lambda: ssop.strided_slice(inner, [0], [1]),
            "dynamic_update_slice": lambda: ssop.xla.dynamic_update_slice(np.zeros(2), [inner], [0]),
            "objects": lambda: ssop.strided_slice_assign(np.zeros(4, object), [0], [2], [1], inner),
            "select": lambda: ssop.xla.select(True, inner, np.zeros(4)),
            "concatenate": lambda: ssop.xla.concatenate([inner, [0.0]], 0),
            "plan": lambda: ssop.plan(ssop.StridedSliceSpec([0], [2]), (4,), np.float64)(inner),
        }
        try:
            calls[call]()
        except MemoryError as error:
            print(error)

    assert "nested" in child.run(attempt, call)


def test_lists_that_hold_the_same_list_are_read():
    row = [0, 1, 2]
    assert ssop.copy([row] * 1000).shape == (1000, 3)
    with pytest.raises(ssop.SliceError):
        ssop.copyto(np.zeros(2), nested(10))
