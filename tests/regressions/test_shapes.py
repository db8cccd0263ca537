"""What users' reports and trials found wrong in ssop.shapes (each test names the report or who tried)."""

import itertools

import numpy as np
import pytest

import ssop
from ssop import _core, reference, shapes
from ssop.shapes import unknown

ANY_LENGTH = unknown(None)


def label_of(function, *args, **kwargs):
    with pytest.raises(ssop.SliceError) as info:
        function(*args, **kwargs)
    return info.value.label


@pytest.mark.parametrize(
    ("args", "label"),
    [
        (([4, 5], [1], [3], unknown(2)), "onx_c2"),
        (([4, 5], [1] * 3, [3] * 3, unknown(3)), "onx_c5"),
        (([4, 5], [1, 1], [3, 3], unknown(2), [1]), "onx_c3"),
        (([4, 5], [1], [3], unknown(1), [0]), "onx_c6"),
        (([4, 5], [1], [3, 4], unknown(1)), "onx_c1"),
        (([4, 5], [1], [3], ANY_LENGTH, [0]), "onx_c6"),
        ((None, [1], [3], unknown(1), [0]), "onx_c6"),
        ((None, [1], [3, 4]), "onx_c1"),
        ((None, [1, 1], [3, 4], [0, 0]), "onx_c5"),
        (([], [1], [3], unknown(1)), "onx_c4"),
    ],
)
def test_tensorrt_4470_unknown_axes_do_not_hide_errors(args, label):
    assert label_of(shapes.onnx.slice, *args) == label


@pytest.mark.parametrize("entries", [1, 3])
def test_tensorrt_4470_in_onnxs_other_engines(entries):
    args = [4, 5], [1] * entries, [3] * entries, unknown(entries)
    assert label_of(shapes.onnx.slice, *args, [0] * entries, engine="ort") == "ort_c7" if entries == 1 else "ort_c6"
    assert label_of(shapes.onnx.slice, *args, [0] * entries, engine="reference") == "onr_c2"
    assert shapes.onnx.slice(*args, [0] * (entries - 1) + [1], engine="reference").rank == 2


@pytest.mark.parametrize(
    ("args", "label"),
    [
        (([4, 5], [1, 1], [3], [1, 1], unknown(2)), "ovs_c2"),
        (([4, 5], [1, 1], [3, 3], [1], unknown(2)), "ovs_c2"),
        (([4, 5], [1], [3], [1], unknown(2)), "ovs_c3"),
        (([4, 5], [1] * 3, [3] * 3, [1] * 3, unknown(3)), "ovs_c4"),
        (([4, 5], [1], [3], [0], unknown(1)), "ovs_c7"),
        (([4, 5], [1, 1], [3, 3], [1, 1], [None, 2]), "ovs_c5"),
        (([4, 5, 6], [1] * 3, [3] * 3, [1] * 3, [0, None, 0]), "ovs_c6"),
        (([], [1], [3], [1], unknown(1)), "ovs_c1"),
        (([], ANY_LENGTH, ANY_LENGTH, ANY_LENGTH), "ovs_c1"),
        ((None, [1], [3], [0]), "ovs_c7"),
    ],
)
def test_openvinos_type_tests_with_unknown_axes(args, label):
    assert label_of(shapes.openvino.slice, *args) == label


@pytest.mark.parametrize(
    "slice_of", [shapes.onnx.slice, lambda s, b, e, a, **k: shapes.openvino.slice(s, b, e, [1], a, **k)]
)
def test_tight_of_one_unknown_axis(slice_of):
    assert slice_of([20, 10, 5], [0], [3], unknown(1), mode="tight").intervals == ((3, 20), (3, 10), (3, 5))
    assert slice_of([20, 10, 5], [0], [3], unknown(1)).dims == (None, None, None)
    assert slice_of([20], [0], [3], unknown(1)).dims == (3,)


SCALARS = [np.int64(1), 1, np.array(1), "1"]


@pytest.mark.parametrize("scalar", SCALARS, ids=repr)
def test_tried_a_scalar_is_no_vector_whatever_is_known_of_the_others(scalar):
    label = label_of(ssop.openvino.slice, np.zeros([100] * 4), [0], [1], [1], scalar)
    assert label in ("in_c5", "in_c6")
    dims = [100] * 4
    assert label_of(shapes.openvino.slice, dims, unknown(3), unknown(3), unknown(3), scalar) == label
    assert label_of(shapes.openvino.slice, dims, [0], [1], [1], scalar) == label
    assert label_of(shapes.openvino.slice, dims, scalar, [1], [1], unknown(1)) == label
    assert label_of(shapes.openvino.strided_slice, dims, ANY_LENGTH, scalar) == label
    assert label_of(shapes.onnx.slice, dims, scalar, [1], unknown(1)) == label
    assert label_of(shapes.onnx.slice, dims, ANY_LENGTH, [1], scalar) == label
    assert label_of(shapes.strided_slice, dims, ANY_LENGTH, scalar, [1]) == label
    assert label_of(shapes.tf.slice, dims, ANY_LENGTH, scalar) == label
    assert label_of(shapes.tflite.slice, dims, scalar, ANY_LENGTH) == label
    assert label_of(shapes.tflite.strided_slice, dims, ANY_LENGTH, scalar) == label


@pytest.mark.parametrize("vector", [np.array([1.0]), np.array([True]), [1.0], [True], np.ones((1, 1), int)], ids=repr)
def test_tried_floats_bools_and_matrices_are_the_errors_of_execution(vector):
    x = np.zeros((4, 5))
    label = label_of(ssop.openvino.slice, x, vector, [1], [1])
    for axes in (None, unknown(1), ANY_LENGTH, [0]):
        assert label_of(shapes.openvino.slice, [4, 5], vector, [1], [1], axes) == label
        assert label_of(shapes.openvino.slice, [4, 5], [1], vector, [1], axes) == label
        assert label_of(shapes.openvino.slice, [4, 5], [1], [1], vector, axes) == label
        assert label_of(shapes.onnx.slice, [4, 5], [1], vector, axes) == label


LEAST, GREATEST, LONG = -(2**31), 2**31 - 1, 2**31 + 100
INT32 = {"<i4": lambda v: np.array([v], "<i4"), ">i4": lambda v: np.array([v], ">i4"), "items": lambda v: [np.int32(v)]}
NUMBERS = {"i8": lambda v: np.array([v], "i8"), "object": lambda v: np.array([v], object), "list": lambda v: [v]}


@pytest.mark.parametrize("kind", [*INT32, *NUMBERS])
@pytest.mark.parametrize(
    ("numbers", "of_int32", "of_others"),
    [
        ((-7, GREATEST, 1), 7, 0),
        ((0, GREATEST, 1), LONG, GREATEST),
        ((LEAST, 10, 1), 10, 0),
        ((GREATEST, LEAST, -1), LONG, 2**31 - 101),
        ((-1, LEAST, -1), LONG, 2**31 - 1),
        ((-1, LEAST, LEAST), 2, 1),
        ((GREATEST, GREATEST, 1), 0, 0),
    ],
)
def test_openvinos_own_tests_ov_s5_int32_extremes_are_the_ends_of_the_axis(numbers, of_int32, of_others, kind):
    vectors = [{**INT32, **NUMBERS}[kind](number) for number in numbers]
    count = of_int32 if kind in INT32 else of_others
    assert reference.openvino.slice_region((LONG,), *vectors)[0][0][1] == count
    assert reference.openvino.strided_slice_region((LONG,), *vectors)[0][0][1] == count
    assert _core.openvino_slice_region((LONG,), *vectors).shape == (count,)
    assert _core.openvino_strided_slice_region((LONG,), *vectors).shape == (count,)
    assert shapes.openvino.slice([LONG], *vectors).dims == (count,)
    assert shapes.openvino.slice([LONG], *vectors, unknown(1)).dims == (count,)
    assert shapes.openvino.strided_slice([LONG], *vectors).dims == (count,)
    if numbers[2] == 1:
        assert shapes.openvino.strided_slice([LONG], vectors[0], vectors[1], None, mode="tight").dims == (count,)


@pytest.mark.parametrize("dtype", ["i1", "i2", "u2", "u4", "u8"])
def test_openvinos_own_tests_ov_s5_extremes_of_other_dtypes_are_numbers(dtype):
    greatest = np.iinfo(dtype).max
    vectors = [np.array([number], dtype) for number in (3, min(greatest, 2**40), 1)]
    count = min(greatest, LONG) - 3
    assert _core.openvino_slice_region((LONG,), *vectors).shape == (count,)
    assert reference.openvino.slice_region((LONG,), *vectors)[0][0][1] == count


def test_openvinos_own_tests_ov_s5_seven_elements():
    x = np.broadcast_to(np.int8(0), (LONG,))
    start, stop, step = (np.array([number], np.int32) for number in (-7, 2**31 - 1, 1))
    assert ssop.openvino.slice(x, start, stop, step).shape == (7,)
    assert ssop.openvino.strided_slice(x, start, stop).shape == (7,)
    assert ssop.openvino.slice(x, start, stop.astype(np.int64), step).shape == (0,)
    assert shapes.openvino.slice([None], start, stop, step, mode="tight").intervals == ((0, 7),)


def test_openvinos_own_tests_ov_s5_a_shrunk_begin_is_a_number():
    last = np.array([2**31 - 1], np.int32)
    region = _core.openvino_strided_slice_region((LONG,), last, last, shrink_axis_mask=[1])
    assert region.ranges == ((2**31 - 1, 1, 1),)
    assert reference.openvino.strided_slice_region((LONG,), last, last, shrink_axis_mask=[1])[0] == ((2**31 - 1, 1, 1),)


class EndlessIterator:
    """A sequence of three items whose iterator does not end."""

    def __len__(self):
        return 3

    def __getitem__(self, i):
        return 0

    def __iter__(self):
        return itertools.repeat(0)


@pytest.mark.parametrize(
    "vector", [itertools.repeat(0), np.int64(1), 1.5, np.array(1), "ab", EndlessIterator()], ids=type
)
def test_tried_every_vector_of_xlas_shapes_is_read_by_one_bounded_reader(vector):
    xla = shapes.xla
    for function, args in (
        (xla.dynamic_update_slice, ([2, 3], [1, 1], vector)),
        (xla.dynamic_slice, ([2, 3], ANY_LENGTH, vector)),
        (xla.dynamic_slice, ([2, 3], vector, [1, 1])),
        (xla.broadcast_in_dim, (None, [2, 3], vector)),
        (xla.collapse, (None, vector)),
        (xla.transpose, ([2, 3], vector)),
        (xla.pad, ([2, 3], vector)),
    ):
        assert label_of(function, *args)
    if not isinstance(vector, (str, EndlessIterator)):
        assert label_of(xla.dynamic_update_slice, None, None, vector) == "in_c5"
        assert label_of(xla.concatenate, vector, 0) == "in_c5"


def test_tried_axes_that_are_arrays_are_the_errors_of_execution():
    label = label_of(ssop.xla.concatenate, [np.zeros(2)], np.ones((1, 2), int))
    assert label_of(shapes.concatenate, [[2]], np.ones((1, 2), int)) == label
