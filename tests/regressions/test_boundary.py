"""Objects of a kind that the C functions did not expect: keywords, items of lists, strides of empty arrays."""

import ast
import functools
import itertools
import sys

import ml_dtypes
import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import child
import ssop
from ssop import _core, onnx, openvino, shapes, tf, tflite, xla

KEYS = [2**70, 1, 1.5, None, b"begin", ("begin",), frozenset(), object()]


class Name(str):
    """A keyword may be of a subclass."""

    __slots__ = ()


def callables():
    """Every function, type and method that C code makes, by its name."""
    found = {}
    for module in (ssop, _core, shapes, xla, tf, tflite, onnx, openvino):
        for name, value in vars(module).items():
            if callable(value) and not name.startswith("__"):
                found[f"{module.__name__}.{name}"] = value
    for kind in (ssop.Region, ssop.Plan, shapes.Dim, shapes.PartialShape):
        found |= {f"{kind.__name__}.{name}": getattr(kind, name) for name in dir(kind) if callable(getattr(kind, name))}
    return found


@pytest.mark.parametrize("key", KEYS, ids=type)
def test_keywords_that_are_no_strings(key):
    """`PartialShape(**{2**70: 1})` crashed: the interpreter passes on any key to a constructor."""
    for name, function in callables().items():
        with pytest.raises(TypeError):
            function(**{key: 1})
            pytest.fail(name)


@pytest.mark.parametrize("kind", [ssop.Region, ssop.Plan, shapes.Dim, shapes.PartialShape])
@pytest.mark.parametrize("key", KEYS, ids=type)
def test_constructors_name_themselves(kind, key):
    optional = "?" if sys.version_info >= (3, 15) else ""  # its own __new__ says so first
    who = rf"((Region|plan|Dim|PartialShape)\(\) ){optional}"
    for construct in (kind, functools.partial(kind, **{key: 1}), functools.partial(kind.__new__, kind, **{key: 1})):
        with pytest.raises(TypeError, match=f"^{who}keywords must be strings$"):
            construct(**{key: 1})


def test_keywords_of_a_subclass_of_str_and_with_surrogates():
    assert shapes.PartialShape(**{Name("dims"): [2]}).dims == (2,)
    for key in ("\ud800", Name("dim"), "dims\0", ""):
        with pytest.raises(TypeError, match="unexpected keyword argument"):
            shapes.PartialShape(**{key: 1})


class Bytes(bytes):
    pass


class Text(str):
    __slots__ = ()


@pytest.mark.parametrize("dtype", ["?", "i4", "u8", "f2", "f8", "c16", "M8[s]", "m8[s]", "U2", ml_dtypes.bfloat16])
@pytest.mark.parametrize("item", [Bytes(b"78"), Text("78"), np.bytes_(b"78"), np.str_("78")], ids=type)
def test_subclasses_of_text_are_no_numbers(dtype, item):
    """NumPy makes the int 78 of a list with `Bytes(b"78")`, and an error of one with `b"78"`."""
    x = np.zeros((1, 2), dtype)
    if isinstance(item, str) and x.dtype.kind == "U":
        assert ssop.strided_slice_assign(x, [0], [1], [1], [[item, item]]).tolist() == [["78", "78"]]
        return
    for value in (item, [[item, item]], [[item, "78"]], ((item, item),)):
        with pytest.raises((ssop.SliceTypeError, ssop.SliceValueError)) as caught:
            ssop.copyto(x, value) if isinstance(value, (list, tuple)) else ssop.copyto(x[0, 0:1].reshape(()), value)
        assert caught.value.label in ("val_c1", "out_c3")
    assert not x.any()


def meaningless(shape, array=None):
    """An array without items, whose strides may be any numbers."""
    return as_strided(np.empty(0) if array is None else array, shape, [2**62 + 1, -(2**62) - 3][: len(shape)])


def test_empty_arrays_with_meaningless_strides():
    """`place * stride` overflowed where the operands of concatenate go in an empty `out` (sanitized builds end)."""
    for axis, shape, joined in ((0, (3, 0), (6, 0)), (1, (0, 3), (0, 6))):
        out = meaningless(joined)
        assert xla.concatenate([meaningless(shape)] * 2, axis, out=out) is out
        assert xla.concatenate([np.empty(shape)] * 2, axis, out=out) is out
    for shape in ((3, 0), (0, 3), (0, 0)):
        x, out, two = meaningless(shape), meaningless(shape), [0, 0]
        dims = list(shape)
        assert ssop.copy(x, out=out) is out
        ssop.copyto(out, x)
        assert ssop.strided_slice(x, two, dims, [1, 1], out=out) is out
        assert ssop.strided_slice(x, [-1, -1], [-9, -9], [-1, -1], out=out) is out
        assert ssop.strided_slice_assign(out, two, dims, [1, 1], x) is out
        assert ssop.tensor_strided_slice_update(x, two, dims, [1, 1], x, out=out) is out
        assert ssop.strided_slice_grad(dims, two, dims, [1, 1], x, out=out) is out
        assert ssop.dynamic_slice(x, two, dims, out_of_bounds="wrap", out=out) is out
        assert ssop.dynamic_update_slice(x, x, two, out_of_bounds="wrap", out=out) is out
        assert ssop.slice(x, two, dims, out=out) is out
        assert xla.pad(x, 0.0, [(0, 0, 0)] * 2, out=out) is out
        assert xla.rev(x, [0, 1], out=out) is out
        assert xla.transpose(x, [1, 0], out=meaningless(shape[::-1])).shape == shape[::-1]
        assert xla.reshape(x, [0, 5], out=meaningless((0, 5))).shape == (0, 5)
        assert xla.broadcast(x, [], out=out) is out
        assert ssop.plan(ssop.StridedSliceSpec(two, dims, [1, 1]), shape, x.dtype)(x, out=out) is out
    assert xla.pad(meaningless((0, 3)), 1.0, [(1, 1, 1), (0, 0, 2)]).tolist() == [[1.0] * 7] * 2


class Disguised:
    """Says that it is an array of NumPy's: Python and C called each other without end."""

    __class__ = np.ndarray


@pytest.mark.parametrize(
    "call",
    [
        lambda out: ssop.xla.rev(range(3), [0], out=out),
        lambda out: ssop.xla.concatenate([range(3), range(3)], 0, out=out),
        lambda out: ssop.index(np.zeros(3), 0, out=out),
        lambda out: ssop.xla.add(np.zeros(3), 1.0, out=out),
        lambda out: ssop.copyto(out, np.zeros(3)),
        lambda out: ssop.strided_slice_assign(out, [0], [1], [1], 1.0),
    ],
    ids=["rev", "concatenate", "index", "add", "copyto", "assign"],
)
def test_an_object_that_says_it_is_an_array_is_no_destination(call):
    with pytest.raises(ssop.SliceTypeError) as caught:
        call(Disguised())
    assert caught.value.label == "out_c1"


def test_ds_c5_ds_s4_a_start_past_int64_on_the_longest_axis():
    """The start was saturated to 2^63 - 1, which is where an empty window of such an axis may begin."""
    longest = np.empty((2**63 - 1, 0), np.int8)
    start = np.array([2**63 + 1, 0], np.uint64)
    assert ssop.dynamic_slice(longest, start, [0, 0]).shape == (0, 0)
    with pytest.raises(ssop.SliceIndexError, match="ds_c5") as raised:
        ssop.dynamic_slice(longest, start, [0, 0], out_of_bounds="raise")
    assert raised.value.value == 2**63 + 1


def shrinking_rows():
    """The copy of a list may start the garbage collector, whose finalizers may clear the list."""
    import gc

    class Clears:
        def __init__(self, rows):
            self.rows, self.cycle = rows, self

        def __del__(self):
            self.rows.clear()
            kept.append([bytearray(64) for _ in range(2000)])  # takes the memory that the list had

    x, kept, gave = np.arange(1000.0).reshape(10, 100), [], set()
    gc.disable()
    for number in range(300):
        rows = [[i % 9, i % 90] for i in range(500)]
        Clears(rows)
        gc.set_threshold(1 + number % 7)
        gc.enable()
        try:
            gave.add(ssop.dynamic_slice(x, rows, (2, 2)).shape)
        except ssop.SliceValueError as error:  # of a list that was cleared before it was read
            gave.add(error.label)
        gc.disable()
        kept.clear()
    print(gave)


def test_a_list_of_rows_that_a_finalizer_clears():
    """`dynamic_slice` crashed on Python 3.11, where a new tuple may start the garbage collector."""
    assert set(ast.literal_eval(child.run(shrinking_rows))) <= {(500, 2, 2), "ds_c1"}


class Iterates(np.ndarray):
    """An array whose iterator has other rows than its memory, and never ends."""

    def __iter__(self):
        return itertools.repeat([0, 0])


@pytest.mark.parametrize("dtype", [object, np.int16])
def test_rows_of_an_array_are_those_of_its_memory(dtype):
    """Rows of other types than integers were what the array's own iterator gave, and it need not end."""
    x, starts = np.arange(12).reshape(3, 4), np.array([[1, 2], [0, 1]], dtype)
    assert ssop.dynamic_slice(x, starts.view(Iterates), [1, 1]).tolist() == [[[6]], [[1]]]
