"""Reads the sentence of an explanation back: what it says of each axis becomes arrays of NumPy."""

import re

import numpy as np

NUMBERS = r"(\d+(?:(?:, \d+)* and \d+|\.\.\d+)?)"
ELEMENTS = r"(?:its element (\d+)|(\d+)\.\.(\d+)(?: in steps of (-?\d+))?)"
IDLE = re.compile(
    r"((?:bits? [\d., and]+ of \w+_mask(?:, | and )?)+) changes? nothing|(\d+) of \d+ mask bits change nothing"
)


def numbers(text):
    """'1..3' or '0, 2 and 5'."""
    first, dots, last = text.partition("..")
    return list(range(int(first), int(last) + 1)) if dots else [int(word) for word in re.findall(r"\d+", text)]


def elements(text):
    """The indices of 'its element 3' or '4..0 in steps of -2'."""
    found = re.fullmatch(ELEMENTS, text)
    one, first, last, step = (None if group is None else int(group) for group in found.groups())
    if one is not None:
        return [one]
    step = step or 1
    assert first != last and (last - first) % step == 0 and (last > first) == (step > 0), text
    return list(range(first, last + (1 if step > 0 else -1), step))


class Reading:
    """For each axis of the input the indices that are taken, which axes are dropped, and which are new."""

    def __init__(self, sentence, shape):
        self.head, _, said = sentence.partition(": ")
        self.shape, self.indices, self.dropped, self.new, self.idle = shape, {}, [], [], None
        for clause in said.split("; "):
            self.read(clause)
        assert sorted(self.indices) == list(range(len(shape))), sentence

    def read(self, clause):
        idle = IDLE.fullmatch(clause)
        several = re.fullmatch(rf"ax[ei]s {NUMBERS} (?:is|are) (whole|reversed|whole, by the ellipsis)", clause)
        new = re.fullmatch(rf"ax[ei]s {NUMBERS} of (?:the result|dy) (?:is|are) new", clause)
        one = re.fullmatch(r"axis (\d+) is (dropped, leaving )?(.*)", clause)
        if idle:
            self.idle = clause
        elif re.fullmatch(r"(every axis is whole|x has no axes), and the result equals x", clause):
            self.indices = {axis: list(range(dim)) for axis, dim in enumerate(self.shape)}
        elif new:
            self.new = numbers(new[1])
        elif several:
            step = -1 if several[2] == "reversed" else 1
            self.say({axis: list(range(self.shape[axis]))[::step] for axis in numbers(several[1])})
        else:
            self.say({int(one[1]): elements(one[3])})
            self.dropped += [int(one[1])] if one[2] else []

    def say(self, indices):
        assert not self.indices.keys() & indices.keys(), "an axis is told of twice"
        self.indices |= indices

    def of(self, x):
        """What the sentence says comes out of `x`."""
        if x.ndim:
            x = x[np.ix_(*(self.indices[axis] for axis in range(x.ndim)))]
        return np.expand_dims(np.squeeze(x, tuple(self.dropped)), tuple(self.new))


def idle_bits(clause):
    """The pairs of mask and entry of which a sentence says that they change nothing."""
    words = re.findall(r"bits? ([\d,. and]+?) of (\w+_mask)", clause)
    return [(mask, entry) for entries, mask in words for entry in numbers(entries)]
