"""`ssop.convert` of updates: every target gives XLA's result on every small shape, for every start."""

import json
from itertools import product

import numpy as np
import pytest

import ssop
from ssop import SliceError
from ssop._convert.updates import WRITERS

Call, convert, equal = ssop.convert.Call, ssop.convert, ssop.convert.equal


def update(*starts, sizes):
    return Call("xla.dynamic_update_slice", start_indices=starts, update_shape=sizes)


def new(*dims):
    return -1 - np.arange(np.prod(dims)).reshape(dims)


def run(call, x, u, **values):
    """The result as a list, or None for an error."""
    try:
        return call(x, u, **values).tolist()
    except (SliceError, ValueError):
        return None


@pytest.mark.parametrize("to", WRITERS)
def test_cv_s4_static_updates_of_known_shapes(to):
    for start, size, dim in product(range(-4, 6), range(4), range(5)):
        source = update(start, 1, sizes=[size, 2])
        x = np.arange(3 * dim).reshape(dim, 3)
        wanted = run(source, x, new(size, 2))
        if size > dim:
            assert wanted is None
            continue
        conversion = convert(source, to, [dim, 3])
        assert run(conversion, x, new(size, 2)) == wanted, (start, size, dim, str(conversion))


@pytest.mark.parametrize("to", WRITERS)
def test_cv_s4_run_time_starts_and_dims(to):
    source = update("i", "j", -1, sizes=[2, 1, -1])
    conversion = convert(source, to, [(2, 99), (1, 99), "n"], check="runtime")
    convert.verify(json.loads(json.dumps(conversion.certificate)))
    for rows, columns in product(range(2, 5), range(1, 4)):
        x = np.arange(2 * rows * columns).reshape(rows, columns, 2)
        for i, j in product((-(2**63), -3, -1, 0, 1, 2, 5, 2**63 - 1), range(-4, 5)):
            u = new(2, 1, 2)
            assert conversion(x, u, i=i, j=j).tolist() == source(x, u, i=i, j=j).tolist()


@pytest.mark.parametrize("to", [to for to in WRITERS if to != "xla"])
def test_cv_s4_errors_have_the_precondition(to):
    for source, assume in [(update(3, sizes=[2]), {0: (5, 99)}), (update("i", sizes=[2]), {"i": (0, "dim - 2")})]:
        with pytest.raises(ssop.ConversionError, match='check="runtime" clamps the start') as info:
            convert(source, to, [(2, 99)])
        assert info.value.precondition == assume
        conversion = convert(source, to, [(2, 99)], assume=assume)
        convert.verify(conversion.certificate)
        values = {"i": 3} if "i" in assume else {}
        assert run(conversion, np.arange(5), new(2), **values) == [0, 1, 2, -1, -2]


SOURCES = {
    "numpy": Call("numpy.assign", index=np.s_[1:3, -2:]),
    "torch": Call("torch.assign", index=np.s_[..., :2]),
    "tensorflow": Call("tf.tensor_strided_slice_update", begin=[-3, 0], end=[0, 2], strides=[1, 1], end_mask=1),
    "onnx": Call("onnx.update", starts=[1], ends=[2], axes=[1]),
    "every second": Call("numpy.assign", index=np.s_[::2]),
    "backwards": Call("numpy.assign", index=np.s_[::-1, 1:]),
    "whole": Call("numpy.assign", index=np.s_[:, :]),
}


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("to", WRITERS)
def test_cv_s4_other_updates_are_sources(name, to):
    source = SOURCES[name]
    x = np.arange(12).reshape(3, 4)
    try:
        conversion = convert(source, to, [3, 4])
    except ssop.ConversionError:
        assert (name, to) in [(n, t) for n in ("every second", "backwards") for t in ("onnx", "xla", "torch")]
        return
    regions = {"numpy": (2, 2), "torch": (3, 2), "tensorflow": (3, 2), "onnx": (3, 1)}
    u = new(*regions.get(name, {"every second": (2, 4), "backwards": (3, 3)}.get(name, (3, 4))))
    assert run(conversion, x, u) == run(source, x, u) is not None


def test_cv_s4_updates_are_compared_by_their_regions():
    assert equal(update(9, sizes=[2]), Call("numpy.assign", index=np.s_[-2:]), [(2, 11)])
    answer = equal(update(9, sizes=[2]), Call("numpy.assign", index=np.s_[-2:]), [(2, None)])
    assert str(answer) == "different if dim 0 is 12; equal if the dim is in 2..11"


def test_cv_s4_onnx_slices_beside_the_region_are_proved():
    """ONNX Runtime reads an end of INT32_MAX as open, which a slice before a region can have."""
    with pytest.raises(ssop.ConversionError) as info:
        convert(update("i", sizes=[4]), "onnx", [(4, None)], check="runtime")
    assert info.value.counterexample[0] == 2**31
    broken = convert(update(1, sizes=[2]), "onnx", [5]).certificate
    convert.verify(broken)
    broken["target"][0]["arguments"] |= {"starts": [-4], "ends": [-2]}
    with pytest.raises(ssop.SliceValueError, match="not equal"):
        convert.verify(broken)


def test_text_runs_as_python():
    x, u = np.arange(12).reshape(3, 4), new(2, 2)
    names = {"x": x, "u": u, "i": 5}
    exec(str(convert(update("i", 1, sizes=[2, 2]), "numpy", [3, 4], check="runtime")), names)
    np.testing.assert_array_equal(names["y"], ssop.xla.dynamic_update_slice(x, u, [5, 1]))
