"""XLA's operations that call computations against their reference: the same values, and the same errors."""

import random

import numpy as np
import pytest

import ssop
from ssop import xla
from ssop.reference import Rejected, Tensor, xla_control


def tensor_of(x):
    array = np.asarray(x)
    return Tensor(array.shape, array.ravel().tolist())


def value_of(x):
    return tuple(map(value_of, x)) if isinstance(x, tuple) else tensor_of(x)


def drawn(rng, rank=2):
    shape = [rng.randint(0, 3) for _ in range(rng.randint(0, rank))]
    return np.array([rng.randint(-9, 9) for _ in range(int(np.prod(shape)))], np.int64).reshape(shape)


ITEMS = {
    "sum": (lambda *x: sum(x), None),
    "greatest": (lambda *x: max(x), None),
    "first": (lambda *x: x[0], None),
    "compare": (lambda *x: x[0] > x[-1], None),
    "branch": (lambda *x: x[0] if x[0] > x[-1] else x[-1] - 1, None),
}


@pytest.mark.parametrize("name", ITEMS)
def test_map_s1_map_s2(name):
    f, _ = ITEMS[name]
    rng = random.Random(name)
    for _ in range(200):
        x = drawn(rng)
        others = [x, x + 1, np.int64(rng.randint(-9, 9))]
        operands = [x, *rng.choices(others, k=rng.randint(0, 2))]
        rng.shuffle(operands)
        static = [rng.randint(-9, 9)] * rng.randint(0, 1)
        dimensions = rng.choice([None, list(range(x.ndim))])
        expected = xla_control.map(list(map(tensor_of, operands)), f, dimensions, static)
        assert tensor_of(xla.map(operands, f, dimensions, static)) == expected


BROKEN_MAPS = {
    "map_c1": ([], None),
    "map_c2": ([np.zeros((2, 3)), np.zeros(3)], None),
    "map_c3": ([np.zeros((2, 3))], [0, 1, 2]),
    "map_c4": ([np.zeros((2, 3)), np.zeros((2, 3))], [0, 2]),
}


@pytest.mark.parametrize("label", BROKEN_MAPS)
def test_broken_maps(label):
    operands, dimensions = BROKEN_MAPS[label]
    with pytest.raises(Rejected) as own:
        xla_control.map(list(map(tensor_of, operands)), lambda *x: x[0], dimensions)
    with pytest.raises(ssop.SliceError) as public:
        xla.map(operands, lambda *x: x[0], dimensions)
    for attribute in ("label", "axis", "entry", "value", "allowed"):
        assert getattr(public.value, attribute) == getattr(own.value, attribute)
    assert own.value.label == label


def test_wh_s1_collatz():
    def step(n):
        return n // 2 if n % 2 == 0 else 3 * n + 1

    for start in range(1, 200):
        expected = xla_control.while_loop(
            lambda s: Tensor((), [xla_control.only(s[0]) != 1]),
            lambda s: (Tensor((), [step(xla_control.only(s[0]))]), Tensor((), [xla_control.only(s[1]) + 1])),
            value_of((start, 0)),
        )
        found = xla.while_(lambda s: s[0] != 1, lambda s: (step(s[0]), s[1] + 1), (start, 0))
        assert value_of(found) == expected


def test_broken_loops():
    for label, condition, body in (("wh_c1", lambda n: n, lambda n: n), ("wh_c2", lambda n: n < 3, lambda n: n[None])):
        with pytest.raises(ssop.SliceTypeError, match=label):
            xla.while_(condition, body, 0)
    false, true = Tensor((), [0]), Tensor((), [True])
    for label, condition, body in (("wh_c1", false, false), ("wh_c2", true, Tensor((1,), [0]))):
        with pytest.raises(Rejected, match=label):
            xla_control.while_(lambda n, condition=condition: condition, lambda n, body=body: body, false)


def test_cd_s1_cd_s2_cd_s3():
    branches = [lambda x: (x, 0), lambda x: (-x, 1), lambda x: (x * 2, 2)]
    here = [lambda x, f=f: f(x) for f in branches]
    there = [lambda x, f=f: value_of(f(np.reshape(x.items, x.shape))) for f in branches]
    rng = random.Random(4)
    for _ in range(200):
        operands = [drawn(rng) for _ in branches]
        values = list(map(value_of, operands))
        number, count = np.int32(rng.randint(-3, 5)), rng.randint(1, 3)
        assert value_of(xla.indexed_conditional(number, here[:count], operands[:count])) == (
            xla_control.indexed_conditional(value_of(number), there[:count], values[:count])
        )
        assert value_of(xla.switch(number, here[:count], operands[0])) == (
            xla_control.switch(value_of(number), there[:count], values[0])
        )
        assert value_of(xla.cond(number, *here[:2], operands[0])) == (
            xla_control.cond(value_of(number), *there[:2], values[0])
        )
        arguments = [item for pair in zip(operands, here, strict=True) for item in pair][:4]
        references = [item for pair in zip(values, there, strict=True) for item in pair][:4]
        predicate = rng.random() < 0.5
        assert value_of(xla.conditional(predicate, *arguments)) == (
            xla_control.conditional(value_of(predicate), *references)
        )
        assert value_of(xla.call(here[0], operands[0])) == xla_control.call(there[0], values[0])


def test_broken_branches():
    one, zero, vector, true = Tensor((), [1]), Tensor((), [0]), Tensor((1,), [0]), Tensor((), [True])
    calls = {
        "cd_c1 conditional": lambda: xla_control.conditional(one, one, abs, one, abs),
        "cd_c1 indexed": lambda: xla_control.indexed_conditional(vector, [abs], [one]),
        "cd_c1 cond": lambda: xla_control.cond(vector, abs, abs),
        "cd_c1 switch": lambda: xla_control.switch(true, [abs]),
        "cd_c2 indexed": lambda: xla_control.indexed_conditional(zero, [abs], []),
        "cd_c2 switch": lambda: xla_control.switch(zero, []),
    }
    for name, call in calls.items():
        with pytest.raises(Rejected, match=name.partition(" ")[0]):
            call()
    assert "cd_c3" not in calls  # of functions whose result is known before they are called
    with pytest.raises(ssop.SliceValueError, match="cd_c2"):
        xla.switch(0, [])


def test_crs_s1_crs_c1_crs_c2():
    rng = random.Random(5)
    for _ in range(200):
        first = drawn(rng)
        operands = [first, *[rng.randint(-3, 3) * first for _ in range(rng.randint(0, 3))]]
        if rng.random() < 0.3:
            operands = [x > 0 for x in operands]
        found = [tensor_of(x) for x in xla.cross_replica_sum(operands)]
        assert found == xla_control.cross_replica_sum(list(map(tensor_of, operands)))
    for label, shapes in (("crs_c1", []), ("crs_c2", [(2,), (3,)])):
        with pytest.raises(Rejected, match=label):
            xla_control.cross_replica_sum([tensor_of(np.zeros(shape)) for shape in shapes])
