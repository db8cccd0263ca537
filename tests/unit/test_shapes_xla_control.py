"""Shapes of XLA's operations that call computations or move values about."""

import numpy as np
import pytest

import ssop
from ssop.shapes import Dim, PartialShape, xla

F32 = np.float32
MERGING = (xla.conditional, xla.indexed_conditional, xla.cond, xla.switch, xla.cross_replica_sum)
GIVEN = (xla.custom_call, xla.infeed, xla.recv, xla.transfer_from_outfeed, xla.while_, xla.while_loop)


def label_of(f, *args, **kwargs):
    with pytest.raises(ssop.SliceError) as caught:
        f(*args, **kwargs)
    return caught.value.label


def test_sh_s34_map_of_scalars_and_arrays():
    assert xla.map([[], []]).dims == ()
    assert xla.map([[], [2, None], []]).intervals == ((2, 2), (0, None))
    assert xla.map([None, []]).rank is None
    assert xla.map([None, [2, None], [None, 3]], mode="tight").dims == (2, 3)
    assert xla.map([None, None], [0, 1], mode="tight").rank == 2
    assert label_of(xla.map, []) == "map_c1"
    assert label_of(xla.map, [[2], [3]]) == "map_c2"
    assert label_of(xla.map, [[2], [3, None]]) == "map_c2"
    assert label_of(xla.map, [[2], None], [0, 1]) == "map_c3"
    assert label_of(xla.map, [None], [1]) == "map_c4"


@pytest.mark.parametrize("infer", MERGING, ids=lambda f: f.__name__)
def test_sh_s34_shapes_that_must_be_equal_are_merged(infer):
    wide = Dim((2, 5))
    result = infer([PartialShape([wide, None]), [None, 3], None], mode="tight")
    assert result.dim(0).id == wide.id
    assert result.dim(1).value == 3
    assert infer([[None, 3], [2, None]]).dims == (2, 3)
    assert infer([None, None]).rank is None
    own = "crs" if infer is xla.cross_replica_sum else "cd"
    assert label_of(infer, [[2], [3]]) == ("crs_c2" if own == "crs" else "cd_c3")
    assert label_of(infer, []) == ("crs_c1" if own == "crs" else "cd_c2")
    assert label_of(infer, [[2]], mode="no") == "sh_c25"


@pytest.mark.parametrize("infer", GIVEN, ids=lambda f: f.__name__)
def test_sh_s34_shapes_that_are_given(infer):
    shape = PartialShape([(2, 5), None, 3])
    for mode in ("tf", "tight"):
        assert [infer(shape, mode=mode).dim(axis).id for axis in range(3)] == [shape.dim(axis).id for axis in range(3)]
        assert infer(None, mode=mode).rank is None


def test_sh_s34_tuples():
    made = xla.tuple([2, None], [], None)
    assert type(made) is tuple
    assert [shape.rank for shape in made] == [2, 0, None]
    assert [xla.get_tuple_element(made, n) == made[n] for n in range(3)] == [True] * 3
    assert label_of(xla.get_tuple_element, made, 3) == "tup_c2"
    assert label_of(xla.get_tuple_element, made, -1) == "tup_c2"
    assert label_of(xla.get_tuple_element, made, True) == "in_c1"
    assert label_of(xla.get_tuple_element, 5, 0) == "in_c5"


def test_sh_s34_calls_of_computations():
    built = ssop.xla.Computation(lambda x, t: (x[0], (x + t[0],)), ((2, 3), F32), (((3,), F32),))
    first, (second,) = xla.call(built, [2, None], None)
    assert (first.dims, second.dims) == ((3,), (2, 3))
    assert label_of(xla.call, built, [2, 4], None) == "cm_c6"
    assert label_of(xla.call, built, [2], None) == "cm_c6"
    assert label_of(xla.call, built, [2, 3]) == "cm_c2"
    assert label_of(xla.call, np.sum, [2, 3]) == "cm_c9"


def test_sh_s34_known_shapes_are_those_of_execution():
    x = np.zeros((2, 3), F32)
    built = ssop.xla.Computation(np.transpose, x)
    assert xla.call(built, (2, 3)).dims == ssop.xla.call(built, x).shape
    assert ssop.infer_shape("xla.map", [[2, 3], []]).dims == ssop.xla.map([x, F32(1)], np.add).shape
    assert ssop.infer_shape("xla.cross_replica_sum", [[2, 3], [2, None]]).dims == (2, 3)
    assert ssop.infer_shape("xla.cond", [[2, 3], [2, None]]).dims == (2, 3)
    assert ssop.infer_shape("xla.while_", [2, 3]).dims == (2, 3)
