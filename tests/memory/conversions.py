"""Code that runs while a value is converted, or that finds a call's own objects, and changes what was found out before.

Each function runs in a child process, where a crash is a failed test. The result must be that of an array as it was, or
an error with a label; never bytes from outside of an array.
"""

import gc
import os
import signal
import sys
import threading

import numpy as np

import ssop


class Destination(np.ndarray):
    pass


class MaskedArray(np.ndarray):
    """Rejected by its name, as `numpy.ma.MaskedArray` is."""


def becomes_masked(name):
    """The destination gets another class while the value is converted: it stays the array that it was."""
    destination = np.zeros(4).view(Destination)

    class Number:
        def __index__(self):
            destination.__class__ = MaskedArray
            return 1

    value = [Number(), 1.0, 2.0, 3.0]
    if name == "copyto":
        ssop.copyto(destination, value)
    else:
        ssop.strided_slice_assign(destination, [0], [4], [1], value)
    assert np.asarray(destination).tolist() == [1.0, 1.0, 2.0, 3.0]


VALUE_CALLS = {
    "strided_slice_assign": lambda x, value: ssop.strided_slice_assign(x, [0], [64], [1], value),
    "tensor_strided_slice_update": lambda x, value: ssop.tensor_strided_slice_update(x, [0], [64], [1], value),
    "copyto": lambda x, value: ssop.copyto(x, value),
    "dynamic_update_slice": lambda x, value: ssop.dynamic_update_slice(x, value, [0]),
    "xla.dynamic_update_slice_in_dim": lambda x, value: ssop.xla.dynamic_update_slice_in_dim(x, value, 0, 0),
    "xla.pad": lambda x, value: ssop.xla.pad(x, value, [(1, 1, 0)]),
}


def value_of_another_dtype(name):
    """NumPy's converted array gets another dtype before the call has it: no byte outside of it is read."""
    made = []

    class Seen(np.ndarray):
        def __array_finalize__(self, obj):
            made.append(self)

    class Number:
        def __init__(self, last):
            self.last = last

        def __index__(self):
            if self.last and made[-1].dtype == np.float64:
                made[-1].dtype = "u1"  # (8,) becomes (64,)
            return 1

    class Value(list):
        def __array__(self, dtype=None, copy=None):
            items = np.empty(8, object)
            items[:] = [Number(i == 7) for i in range(8)]
            return items.view(Seen)

    x = np.zeros(64)
    try:
        result = VALUE_CALLS[name](x, Value())
    except ssop.SliceError:
        assert (x == 0).all()
    else:
        assert result is None or set(np.asarray(result).tolist()) <= {0.0, 1.0}


def operands_of_concatenate():
    """The operands that a call keeps for itself cannot be found by way of the garbage collector."""
    stolen = []

    class Title:
        def __eq__(self, other):
            if stolen and stolen[0].shape == (16, 8):
                stolen[0].shape = (128, 1)
            return True

        def __hash__(self):
            return 1

    def titled():
        return np.dtype({"names": ["x"], "formats": ["f8"], "titles": [Title()]})

    mark = np.zeros((16, 8), titled())

    class Operand(list):
        def __array__(self, dtype=None, copy=None):
            for found in gc.get_objects():
                if type(found) is tuple and len(found) == 3:
                    try:
                        first = found[0]
                    except Exception:
                        continue
                    if isinstance(first, np.ndarray) and first is not mark and first.base is mark:
                        stolen.append(first)
            return np.ones((16, 8)).view(titled())

    result = ssop.xla.concatenate([mark, Operand(), np.zeros((16, 8), titled())], 0)
    assert not stolen and result.shape == (48, 8)


def fork_while_trimming():
    """A child that is forked while another thread trims the cache of blocks can use it."""
    x = np.zeros(2**20)
    stop = threading.Event()

    def trim():
        while not stop.is_set():
            ssop.trim_memory()

    threads = [threading.Thread(target=trim) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(100):
        child = os.fork()
        if child == 0:
            ssop.copy(x)
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
    stop.set()
    for thread in threads:
        thread.join()


def _interrupt(call):
    """A signal after 0.2 s ends a call that is still going on. A timer sends it: a thread would wait for the GIL."""
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        call()
    except KeyboardInterrupt:
        return
    raise AssertionError("the call went on to its end")


def interrupt_wrapped_window(dtype):
    """One piece for each item: 2^23 of them."""
    n = 23 if dtype == "u1" else 20
    x = np.zeros((2,) * n, dtype)
    _interrupt(lambda: ssop.dynamic_slice(x, [1] * n, [2] * n, out_of_bounds="wrap"))


def interrupt_cache_misses():
    """Each byte comes from a page of its own, so that 32 MiB take seconds."""
    ssop.set_num_threads(1)
    x = np.ones((262144, 4096), np.uint8)
    out = np.empty((256, 262144), np.uint8)
    _interrupt(lambda: ssop.copy(x.T[::16], out=out))


class Renaming:
    """An integer that assigns other names to a record dtype whenever it is read."""

    def __init__(self, dtype, value):
        self.dtype, self.value, self.count = dtype, value, 0

    def __index__(self):
        for _ in range(20):
            self.count += 1
            self.dtype.names = [f"a name of {self.count}, {i}" for i in range(len(self.dtype.names))]
            gc.collect(0)
        return self.value


RECORDS = {
    "flat": lambda: np.dtype([("a", "i4"), ("b", "f4"), ("c", "i2")]),
    "nested": lambda: np.dtype([("a", np.dtype([("a", "i4"), ("b", "f4"), ("c", "i2")]))]),
    "subarray": lambda: np.dtype([("a", np.dtype([("a", "i4"), ("b", "f4"), ("c", "i2")]), (1,))]),
    "titles": lambda: np.dtype([(("A", "a"), "i4"), (("B", "b"), "f4"), (("C", "c"), "i2")]),
    "objects": lambda: np.dtype([("a", "i4"), ("b", "f4"), ("c", object)]),
    "metadata": lambda: np.dtype([("a", "i4"), ("b", "f4"), ("c", "i2")], metadata={"a": "i4"}),
}


WRAPPED = {"nested": lambda record: (record,), "subarray": lambda record: ([record],)}


def names_of_record_dtype(name, kind):
    """The fields of the destination's dtype get other names while the items of a record are converted."""
    dtype = RECORDS[kind]()
    renamed, wrap = (dtype if len(dtype.names) > 1 else dtype["a"].base), WRAPPED.get(kind, tuple)
    x, expected = np.zeros(64, dtype), np.zeros(64, RECORDS[kind]())
    record = wrap((Renaming(renamed, 1), Renaming(renamed, 2), 3 if dtype.hasobject else Renaming(renamed, 3)))
    result = VALUE_CALLS[name](x, record if name == "xla.pad" else [record] * 64)
    written = x if name in ("strided_slice_assign", "copyto") else result
    expected[...] = wrap((1, 2, 3))
    if name == "xla.pad":
        written, expected = written[[0, -1]], expected[:2]
    assert written.tolist() == expected.tolist() if dtype.hasobject else written.tobytes() == expected.tobytes()
    assert record[0].count if renamed is dtype else renamed.names != ("a", "b", "c")


class Shown(list):
    """NumPy shows it the dtype that it wants, whose names it assigns."""

    def __array__(self, dtype=None, copy=None):
        made = np.empty(64, dtype)
        for name in dtype.names:
            made[name] = 1
        dtype.names = [f"another name {i}" for i in range(len(dtype.names))]
        return made


def names_of_wanted_dtype(name):
    """The dtype of objects that `__array__` is asked for gets other names: the call has one of its own."""
    if name == "xla.pad":
        return
    x = np.zeros(64, RECORDS["flat"]())
    result = VALUE_CALLS[name](x, Shown())
    written = x if name in ("strided_slice_assign", "copyto") else result
    assert written.tolist() == [(1, 1.0, 1)] * 64


def containers_while_they_are_filled():
    """A collection that starts while a result is made finds no tuple with empty places, and no list of the call's."""
    gc.collect()
    gc.freeze()
    found = []

    def look(phase, info):
        for each in gc.get_objects():
            if type(each) is tuple:
                found.append(sum(item is None for item in each))  # reading an empty place ends the process
            elif type(each) is list and each and type(each[0]) in (slice, ssop.Region):
                each.clear()

    region = ssop.StridedSliceSpec([0] * 30, [2] * 30, [1] * 30).resolve([3] * 30)
    shape = ssop.shapes.PartialShape([(1, 4)] * 40)
    calls = {
        "ranges": lambda: region.ranges,
        "index": lambda: region.index,
        "split": lambda: region.split(),
        "covering": lambda: region.covering(),
        "chunks": lambda: next(region.chunks([2] * 30)),
        "reduce": lambda: (region.__reduce__(), shape.__reduce__(), ssop.shapes.Dim((1, 4)).__reduce__()),
        "intervals": lambda: (shape.intervals, repr(shape), hash(shape), hash(region), repr(region)),
        "explain": lambda: ssop._core.strided_slice_trace([3] * 30, [0] * 30, [2] * 30, [1] * 30),
        "windows": lambda: ssop._core.dynamic_slice_regions([3] * 8, [1] * 8, [3] * 8, out_of_bounds="wrap"),
        "concatenate": lambda: ssop.xla.concatenate([np.zeros(2)] * 40, 0),
    }
    calm = {name: repr(call()) for name, call in calls.items()}
    thresholds = gc.get_threshold()
    gc.callbacks.append(look)
    for name, call in calls.items():
        for kept in range(12):  # so many tracked objects are made before, so that each allocation is the one
            gc.collect(0)
            gc.set_threshold(1 + kept)
            try:
                result = call()
            finally:
                gc.set_threshold(*thresholds)
            assert repr(result) == calm[name], name
    gc.callbacks.remove(look)


WAYS = {  # what NumPy asks of an item while it reads the list that the item is in
    "attribute": lambda act: {"__getattr__": lambda _self, name: act(AttributeError(name))},
    "interface": lambda act: {"__array_interface__": property(lambda _self: act(AttributeError()))},
    "struct": lambda act: {"__array_struct__": property(lambda _self: act(AttributeError()))},
    "array": lambda act: {"__array__": property(lambda _self: act(AttributeError()))},
    "length": lambda act: {
        "__len__": lambda _self: act(TypeError()),
        "__getitem__": lambda _self, _i: act(IndexError()),
    },
    "float": lambda act: {"__float__": lambda _self: act(TypeError()), "__index__": lambda _self: act(TypeError())},
}
LISTS = {
    "operand": lambda items: ssop.strided_slice(items, [0], [1]),
    "deep operand": lambda items: ssop.strided_slice([[items]], [0], [1]),
    "operands": lambda items: ssop.xla.concatenate([[items], [items]], 0),
    "floats": lambda items: ssop.index_update(np.zeros((1, 200)), slice(None), [items]),
    "integers": lambda items: ssop.copyto(np.zeros(200, "i1"), items),
    "objects": lambda items: ssop.index_update(np.zeros((1, 200), object), slice(None), [items]),
    "records": lambda items: ssop.index_update(np.zeros((1, 200), "i4,O"), slice(None), [items]),
    "subarrays": lambda items: ssop.index_update(np.zeros(2, [("a", "O", 200)]), slice(None), [(items,)] * 2),
    "rows": lambda items: ssop.dynamic_slice(np.zeros(3), [items], [1]),
    "selected": lambda items: ssop.xla.select(items, [items], [items]),
}


def list_that_is_cleared(way, call):
    """An item clears its list while NumPy looks at the item: nothing is read that is no longer there."""
    for base, kind in ((object, list), (list, list), (float, list), (object, type("Own", (list,), {}))):
        items, other = kind(), []

        def act(error, items=items, other=other):
            items.clear()
            other.extend([i] for i in range(1000))  # takes the freed memory
            raise error

        if base is not object and way == "attribute":
            continue
        items.extend([type("Item", (base,), WAYS[way](act))(), *(i + 0.5 for i in range(199))])
        try:
            LISTS[call](items)
        except (TypeError, ValueError):
            pass


def list_that_a_title_clears(call):
    """Arrays of records clear their list while NumPy compares the titles of their fields."""
    items, other = [], []

    class Title:
        def __eq__(self, other_title):
            items.clear()
            other.extend([i] for i in range(1000))  # takes the freed memory
            return True

        def __hash__(self):
            return 1

    def titled(kind):
        return np.zeros(2, np.dtype({"names": ["a"], "formats": [kind], "titles": [Title()]}))

    items.extend([titled("i4"), *(titled("i8") for _ in range(199))])
    result = TITLED_CALLS[call](items)
    assert result.shape == (200, 2) and not items


TITLED_CALLS = {
    "operand": lambda items: ssop.strided_slice(items, [0], [200]),
    "deep operand": lambda items: ssop.strided_slice([items], [0], [1], shrink_axis_mask=1),
    "operands": lambda items: ssop.xla.concatenate([items], 0),
}


class Lying(list):
    """NumPy finds its `__array__` when it is asked the first time, and never again."""

    asked = 0

    def __getattribute__(self, name):
        if name == "__array__":
            Lying.asked += 1
            if Lying.asked == 1:
                return lambda *_, **__: np.arange(3.0)
            self.clear()
            raise AttributeError(name)
        return super().__getattribute__(name)


def list_that_is_an_array_once(call):
    """The array, or the items that are left: nothing is read that is no longer there."""
    Lying.asked = 0
    if call == "operand":
        assert ssop.copy([Lying(range(100))]).tolist() == [[0, 1, 2]]
        return
    try:
        ssop.index_update(np.zeros(3, object), slice(None), Lying(range(100)))
    except ssop.SliceValueError as error:
        assert error.label == "as_c1"


def _of_size(dtype, item_bytes):
    """Gives the dtype object another size, as unpickling does."""
    state = list(dtype.__reduce__()[2])
    state[5] = item_bytes
    dtype.__setstate__(tuple(state))


SIZED = {
    "record": lambda: np.dtype({"names": ["a", "b"], "formats": ["i8", "i8"], "itemsize": 128}),
    "bytes": lambda: np.dtype("S128", copy=True),
    "text": lambda: np.dtype("U32", copy=True),
}


def dtype_of_a_plan_shrinks(kind, count):
    """A plan is run after its dtype got another item size: nothing is written outside of the result."""
    dtype = SIZED[kind]()
    x = np.zeros(count, dtype)
    plan = ssop._core.Plan((count,), x.dtype, [0], [count])
    assert plan(x).nbytes == 128 * count
    _of_size(x.dtype, 16)
    for _ in range(20):
        try:
            plan(x)
        except RuntimeError as error:
            assert "dtype" in str(error)
        else:
            raise AssertionError("no error")


def dtype_of_a_plan_gets_references():
    """The items of a plan's dtype become objects before there is an array of it: the result owns what it has."""
    plan = ssop._core.Plan((64,), np.dtype([("a", "i8")]), [0], [64])
    state = list(plan.dtype.__reduce__()[2])
    state[4], state[7] = {"a": (np.dtype(object), 0)}, np.dtype("O,O").flags
    plan.dtype.__setstate__(tuple(state))
    items = [object() for _ in range(64)]
    x = np.zeros(64, plan.dtype)
    x["a"] = items
    counts = [*map(sys.getrefcount, items)]
    found = plan(x)
    assert [*map(sys.getrefcount, items)] == [count + 1 for count in counts]
    del found
    assert [*map(sys.getrefcount, items)] == counts


SHRINKING = {
    "dynamic_update_slice": lambda x, value: ssop.dynamic_update_slice(x, value, [0]),
    "tensor_strided_slice_update": lambda x, value: ssop.tensor_strided_slice_update(x, [0], [64], [1], value),
    "index_update": lambda x, value: ssop.index_update(x, slice(64), value),
    "dynamic_slice": lambda x, value: ssop.dynamic_slice(
        x, [[1], [2]], [64], out_of_bounds="fill", fill_value=value[0, ...]
    ),
    "xla.pad": lambda x, value: ssop.xla.pad(x, value[0, ...], [(1, 1, 0)]),
    "xla.concatenate": lambda x, value: ssop.xla.concatenate([x, value], 0),
    "copy": lambda x, value: ssop.copy(x, out=value),
}


def dtype_shrinks_while_it_is_compared(name):
    """Both dtypes get another item size by the __eq__ of a field's title, after the arrays were read."""
    shrunk = []

    class Title:
        def __eq__(self, other):
            if shrunk == [None]:
                shrunk.extend(_of_size(array.dtype, 16) or array for array in (x, value))
            return True

        def __hash__(self):
            return 1

    x, value = (
        np.zeros(64, np.dtype({"names": ["a"], "formats": ["i8"], "titles": [Title()], "itemsize": 128}))
        for _ in range(2)
    )
    shrunk.append(None)
    try:
        SHRINKING[name](x, value)
    except RuntimeError as error:
        assert "another item size" in str(error)
    assert len(shrunk) == 3


def dtype_of_a_list_that_is_cleared(call):
    """A field clears the list of fields while NumPy makes a dtype of it."""
    fields, other = [], []

    class Field:
        @property
        def dtype(self):
            fields.clear()
            other.extend([i] for i in range(2000))  # takes the freed memory
            return np.dtype("i4")

    fields.extend([("a", Field()), *((f"b{i}", "i4") for i in range(200))])
    dtype = fields if call == "flat" else [("nested", fields)]
    if call == "iota":
        try:
            ssop.xla.iota(fields, 3)
        except ssop.SliceTypeError:
            return
    plan = ssop._core.Plan((3,), dtype, [0], [1])
    assert (plan.dtype if call == "flat" else plan.dtype["nested"]).itemsize == 4 * 201


def wanted_dtype_changes(change):
    """`__array__` gives the dtype of objects that it is asked for another layout."""

    class Changing(list):
        def __array__(self, dtype=None, copy=None):
            made = np.zeros(64)
            if dtype is not None and len(dtype.names or ()) == 8:
                state = list(dtype.__reduce__()[2])
                if change == "fewer fields":
                    state[3:6] = ("a",), {"a": (np.dtype(object), 0)}, 8
                else:
                    state[4] = {name: (np.dtype("i8"), place) for name, (_, place) in state[4].items()}
                dtype.__setstate__(tuple(state))
                made = np.ones(64, dtype)
            return made

    x = np.zeros(64, [(name, "i8") for name in "abcdefgh"])
    for value in (Changing(), [Changing()]):
        try:
            ssop.index_update(x, slice(None), value)
        except RuntimeError as error:
            assert "another layout" in str(error)
        else:
            raise AssertionError("no error")


def record_dtype_grows(name):
    """An item of a record gives the dtype of the operand larger items: no array of few bytes gets it."""

    class Growing:
        def __index__(self):
            if x.dtype.itemsize == 16:
                _of_size(x.dtype, 2**20)
            return 1

    x = np.zeros(64, "i8,i8")
    record = (Growing(), 2)
    try:
        VALUE_CALLS[name](x, record if name == "xla.pad" else [record] * 64)
    except RuntimeError as error:
        assert "another layout" in str(error)
    else:
        raise AssertionError("no error")
