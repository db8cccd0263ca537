"""Partly known shapes: what is inferred allows the shape of every completion, and in the tight mode no shape more.

A completion is one choice of a number from each interval. Its shape is the one that is inferred of known arguments;
`test_shapes_known.py` compares that with execution.
"""

from functools import cache
from itertools import product

import pytest

from shape_operations import OPERATIONS
from shape_spaces import choices, count_of, inferred, is_partial
from ssop.shapes import Dim, PartialShape

DEFAULT, LONG = 100, 4_000


def numbers_of(value):
    return range(value[0], value[1] + 1) if is_partial(value) else (value,)


@cache
def known(name, operands, args):
    """The shape of known operands and arguments, or the label of the error."""
    lists = {key: list(value) if isinstance(value, tuple) else value for key, value in args}
    got = inferred(OPERATIONS[name], operands, lists, "tight")
    return got if isinstance(got, str) else got.dims


def completions(name, operands, args):
    """The numbers of the dims, and the shape or error, of every completion."""
    vectors = {key: value for key, value in args.items() if isinstance(value, list) and any(map(is_partial, value))}
    rest = {
        key: tuple(value) if isinstance(value, list) else value for key, value in args.items() if key not in vectors
    }
    dims = [product(*map(numbers_of, operand)) for operand in operands]
    elements = [product(*map(numbers_of, vector)) for vector in vectors.values()]
    for chosen in product(*dims, *elements):
        shapes, numbers = chosen[: len(operands)], chosen[len(operands) :]
        yield shapes, known(name, shapes, tuple((rest | dict(zip(vectors, numbers, strict=True))).items()))


def check_identities(result, operands, valid):
    """A dim of the result that is a dim of an operand is that number in every completion."""
    dims = {dim.id: (i, axis) for i, operand in enumerate(operands) for axis, dim in enumerate(operand) if dim.id}
    for out_axis in range(result.rank):
        if place := dims.get(result.dim(out_axis).id):
            assert all(shape[out_axis] == shapes[place[0]][place[1]] for shapes, shape in valid), (result, out_axis)


def makes_no_interval(result, operands):
    """Whether each dim is known or unknown, but for those that are dims of the operands."""
    given = {dim.id for operand in operands for dim in operand}
    dims = [] if result.rank is None else [result.dim(axis) for axis in range(result.rank)]
    return all(dim.value is not None or dim.interval == (0, None) or dim.id in given for dim in dims)


def check(name, operands, args):
    """Both modes; returns whether no completion is valid."""
    operation = OPERATIONS[name]
    tried = list(completions(name, operands, args))
    valid = [(shapes, shape) for shapes, shape in tried if not isinstance(shape, str)]
    labels = {shape for _, shape in tried if isinstance(shape, str)}
    dims = [[Dim(value) for value in operand] for operand in operands]
    case = operands, args, labels
    for mode in ("tight", "tf"):
        result = inferred(operation, [PartialShape(operand) for operand in dims], args, mode)
        if not valid:
            if mode == "tight" and operation.is_exact:
                assert result in labels, (*case, result)
            continue
        assert not isinstance(result, str), (*case, mode, result)
        assert all(PartialShape(result.intervals).contains(shape) for _, shape in valid), (*case, mode, result)
        if result.rank is not None:
            check_identities(result, dims, valid)
        if mode == "tf":
            assert makes_no_interval(result, dims), (*case, result)
        elif operation.is_exact:
            hull = tuple((min(counts), max(counts)) for counts in zip(*(shape for _, shape in valid), strict=True))
            assert result.intervals == hull, (*case, result, hull)
    return not valid


def check_all(name, most, report):
    operation = OPERATIONS[name]
    space = operation.partial_space
    errors = sum(check(name, *operation.call(*chosen)) for chosen in choices(space, most))
    compared = min(most, count_of(space))
    assert 0 < errors < compared
    report(f"shapes: {name}: {compared} of {count_of(space)} boxes, {errors} of them without a valid completion")


@pytest.mark.parametrize("name", OPERATIONS)
def test_ss_s10_sh_s2_sound_and_tight(name, report):
    check_all(name, DEFAULT, report)


@pytest.mark.long
@pytest.mark.parametrize("name", OPERATIONS)
def test_ss_s10_sh_s2_all_sound_and_tight(name, report):
    check_all(name, LONG, report)
