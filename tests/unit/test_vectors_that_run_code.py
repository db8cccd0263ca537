"""Index vectors that run code of their own while they are read: nothing may crash, hang, or read freed memory.

Each `attack_` function runs in a child process, asserts what must hold there, and must come back in time.
"""

import numpy as np
import pytest

import child
import ssop

# ---- index vectors that change what is being read --------------------------------------------------------------------


def attack_index_resizes_the_input():
    x = np.arange(1000)

    class Shrink:
        def __index__(self):
            x.resize(4, refcheck=False)
            return 0

    assert ssop.strided_slice(x, [Shrink()], [1000]).tolist() == [0, 1, 2, 3]


def attack_index_grows_the_input():
    x = np.arange(4)

    class Grow:
        def __index__(self):
            x.resize(100_000, refcheck=False)
            return 0

    assert ssop.dynamic_slice(x, [Grow()], [4]).tolist() == [0, 1, 2, 3]
    assert x.shape == (100_000,)


def attack_index_reshapes_the_input():
    x = np.arange(12)

    class Reshape:
        def __index__(self):
            x.shape = (3, 4)
            return 1

    try:
        ssop.slice(x, [Reshape()], [2])
    except ssop.SliceValueError as error:
        assert error.label == "sl_c3"
    else:
        raise AssertionError("resolved against a shape that is no more")


def attack_index_vector_loses_its_axis():
    for function in (ssop.strided_slice, ssop.slice, ssop.dynamic_slice):
        vector = np.empty(1, object)

        class Flatten:
            def __index__(self, vector=vector):
                vector.shape = ()
                return 0

        vector[0] = Flatten()
        try:
            function(np.arange(3), vector, [1])
        except ssop.SliceError:
            pass


def attack_index_vector_is_resized():
    for size in (0, 1, 100_000):
        vector = np.empty(50, object)

        class Resize:
            def __index__(self, vector=vector, size=size):
                vector.resize(size, refcheck=False)
                return 0

        vector[:] = [Resize() for _ in range(50)]
        try:
            ssop.strided_slice(np.zeros((1,) * 50), vector, [1] * 50)
        except ssop.SliceError:
            pass


def attack_list_changes_while_it_is_read():
    class Change:
        def __init__(self, change):
            self.change = change

        def __index__(self):
            self.change()
            return 0

    for change in (
        lambda v: v.clear(),
        lambda v: v.append(v[0]),
        lambda v: v.extend([1] * 100_000),
        lambda v: v.pop(),
        lambda v: v.__setitem__(slice(None), [0] * 7),
        lambda v: v.insert(0, v[0]),
        lambda v: v.reverse(),
    ):
        for length in (1, 2, 31, 64, 200):
            for function in (ssop.strided_slice, ssop.dynamic_slice, ssop.slice):
                vector = [None] * length
                vector[:] = [Change(lambda v=vector, change=change: change(v)) for _ in range(length)]
                try:
                    function(np.zeros((2,) * 5), vector, [1] * 5)
                except (ssop.SliceError, IndexError):
                    pass


def attack_list_drops_its_own_items():
    """The entry that is being read loses every other reference."""

    class Drop:
        def __index__(self):
            vector.clear()
            return 1

        def __del__(self):
            vector.append(5)

    vector = [Drop()]
    try:
        ssop.strided_slice(np.arange(9), vector, [3])
    except ssop.SliceError:
        pass


def attack_index_calls_again():
    class Again:
        def __init__(self, depth):
            self.depth = depth

        def __index__(self):
            if self.depth == 0:
                return 1
            return int(ssop.strided_slice(np.arange(9), [Again(self.depth - 1)], [9])[0])

    for _ in range(100):
        assert ssop.strided_slice(np.arange(9), [Again(50)], [9])[0] == 1


def attack_recursion_without_end():
    """A RecursionError comes before the stack is used up: no large buffers stand on it while user code runs."""
    x = np.arange(9)
    spec = ssop.StridedSliceSpec([0], [1])
    for index in (
        lambda self: int(ssop.strided_slice(x, [self], [9])[0]),
        lambda self: int(ssop.strided_slice(x, [0], [9], begin_mask=self)[0]),
        lambda self: int(ssop.slice(x, [self], [9])[0]),
        lambda self: int(ssop.dynamic_slice(x, [self], [1])[0]),
        lambda self: int(ssop.dynamic_slice(x, [0], [self])[0]),
        lambda self: int(ssop.dynamic_update_slice(x, [self], [0])[0]),
        lambda self: int(ssop.dynamic_update_slice(x, [1], [self])[0]),
        lambda self: ssop.StridedSliceSpec([self], [1]).begin[0],
        lambda self: spec.resolve([self]).shape[0],
        lambda self: ssop.plan(spec, [self], int).region.shape[0],
        lambda self: ssop.Region([self], ((0, 1, 1),), (0,)).shape[0],
    ):
        forever = type("Forever", (), {"__index__": index, "__int__": index})
        try:
            forever().__index__()
        except RecursionError:
            continue
        raise AssertionError("recursion without end came to an end")


def attack_recursion_without_end_through_sequences():
    """As above, with as much of the stack as a level of Python's can take: a method that is one call of ssop."""
    x, two, spec = np.zeros((4, 4)), [1, 1], ssop.StridedSliceSpec([0], [1])
    region, core = ssop.Region((4, 4), ((0, 4, 1), (0, 4, 1)), (0, 1)), ssop._core
    for method in (
        lambda self, *_: ssop.openvino.strided_slice(x, two, two, two, self),
        lambda self, *_: ssop.openvino.strided_slice(x, two, two, two, [0], [0], [0], [0], self),
        lambda self, *_: core.openvino_strided_slice_region((4, 4), two, two, two, self),
        lambda self, *_: core.openvino_strided_slice_trace((4, 4), two, two, two, self),
        lambda self, *_: core.infer_openvino_strided_slice((4, 4), two, two, two, self),
        lambda self, *_: ssop.openvino.slice(x, two, two, two, self),
        lambda self, *_: ssop.onnx.slice(x, two, two, two, self),
        lambda self, *_: ssop.strided_slice(x, two, two, self),
        lambda self, *_: ssop.slice(x, two, two, self),
        lambda self, *_: ssop.dynamic_slice(x, two, self),
        lambda self, *_: ssop.dynamic_update_slice(x, x, self),
        lambda self, *_: ssop.xla.broadcast_in_dim(x, (4, 4), self),
        lambda self, *_: ssop.xla.pad(x, 0.0, self),
        lambda self, *_: ssop.Region((4, 4), ((0, 1, 1), (0, 1, 1)), self),
        lambda self, *_: region.chunks(self),
        lambda self, *_: spec.resolve(self),
        lambda self, *_: core.one_slice((4, 4), two, two, self),
        lambda self, *_: core.read_integers("op", "name", self),
    ):
        for methods in (
            {"__len__": method, "__getitem__": lambda *_: 1},
            {"__len__": lambda _: 2, "__getitem__": method},
        ):
            try:
                method(type("Forever", (), methods)())
            except RecursionError:
                continue
            raise AssertionError("recursion without end came to an end")


def attack_index_raises():
    class Bang(Exception):
        pass

    for kind in (Bang, KeyboardInterrupt, SystemExit, MemoryError, ValueError, OverflowError, GeneratorExit):

        class Raise:
            def __index__(self, kind=kind):
                raise kind("here")

        calls = (
            lambda bad: ssop.strided_slice(np.arange(9), [0, bad], [1, 1]),
            lambda bad: ssop.strided_slice(np.arange(9), np.array([bad], object), [1]),
            lambda bad: ssop.strided_slice(np.arange(9), [0], [1], begin_mask=bad),
            lambda bad: ssop.dynamic_slice(np.arange(9), (bad,), [1]),
            lambda bad: ssop.StridedSliceSpec.from_index((bad,)),
            lambda bad: ssop.StridedSliceSpec([0], [1]).resolve([bad]),
            lambda bad: ssop.Region((5,), ((0, bad, 1),), (0,)),
        )
        for call in calls:
            try:
                call(Raise())
            except kind as error:
                assert error.args == ("here",)
            else:
                raise AssertionError(f"{kind} was swallowed")


def attack_index_gives_no_integer():
    for wrong in (None, 1.0, "1", [1], np.int64(1)):

        class Wrong:
            def __index__(self, wrong=wrong):
                return wrong

        for call in (
            lambda bad: ssop.strided_slice(np.arange(9), [bad], [1]),
            lambda bad: ssop.strided_slice(np.arange(9), [0], [1], end_mask=bad),
        ):
            try:
                call(Wrong())
            except ssop.SliceTypeError as error:
                assert error.label in ("in_c1", "in_c4")
            else:
                raise AssertionError(wrong)


def attack_unsigned_scalars_with_an_index_of_their_own():
    """uint64 scalars may be huge as start indices; a subclass may claim to be anything."""
    for value in (10**30, 2**64, -(10**30), 2**63, 2**64 - 1, -5, 3):

        class Unsigned(np.uint64):
            def __index__(self, value=value):
                return value

        class Array(np.ndarray):
            def __index__(self, value=value):
                return value

        for start in (
            [Unsigned(3)],
            np.array([Unsigned(3)], object),
            [np.array(3, np.uint64).view(Array)],
            (np.array(3, np.uint8).view(Array),),
        ):
            try:
                assert len(ssop.dynamic_slice(np.arange(8), start, [2])) == 2
            except ssop.SliceOverflowError as error:
                assert error.label == "in_c2"


def attack_integers_that_change():
    """Every integer is asked for once: what was checked is what is used."""

    class Once:
        def __init__(self, value):
            self.value = value
            self.asked = 0

        def __index__(self):
            self.asked += 1
            assert self.asked == 1, "asked twice"
            return self.value

    x = np.arange(24).reshape(4, 6)
    calls = (
        lambda: ssop.strided_slice(x, [Once(0)], [Once(3)], [Once(1)], *map(Once, (0, 0, 0, 0, 1))),
        lambda: ssop.slice(x, [Once(0), Once(0)], [Once(1), Once(1)], [Once(1), Once(1)]),
        lambda: ssop.dynamic_slice(x, [Once(0), Once(0)], [Once(1), Once(1)]),
        lambda: ssop.dynamic_update_slice(x, x[:1], [Once(0), Once(0)]),
        lambda: ssop.StridedSliceSpec([Once(0)], [Once(3)], [Once(1)], *map(Once, (0, 0, 1, 0, 0))),
        lambda: ssop.StridedSliceSpec.from_index(np.s_[Once(1), Once(0) : Once(2) : Once(1)]),
        lambda: ssop.StridedSliceSpec([0], [1]).resolve([Once(4), Once(6)]),
        lambda: ssop.Region([Once(4)], [[Once(0), Once(2), Once(1)]], [Once(0)]),
    )
    for call in calls:
        call()


# ---- sequences that lie ----------------------------------------------------------------------------------------------


def attack_sequences_without_end():
    import sys

    class Endless:
        asked = 0

        def __len__(self):
            return sys.maxsize

        def __getitem__(self, i):
            Endless.asked += 1
            return 0

    class EndlessList(list):
        def __iter__(self):
            while True:
                Endless.asked += 1
                if Endless.asked > 1_000_000:
                    raise AssertionError("asked for a million items")
                yield True

    x = np.arange(9)
    endless = Endless()
    for call in (
        lambda: ssop.strided_slice(x, endless, [1]),
        lambda: ssop.strided_slice(x, endless, endless, endless),
        lambda: ssop.slice(x, endless, endless, endless),
        lambda: ssop.dynamic_slice(x, endless, endless),
        lambda: ssop.dynamic_update_slice(x, x, endless),
        lambda: ssop.StridedSliceSpec(endless, endless),
        lambda: ssop.StridedSliceSpec([], []).resolve(endless),
        lambda: ssop.dynamic_slice(x, [0], [1], allow_negative_indices=endless),
        lambda: ssop.dynamic_slice(x, [0], [1], allow_negative_indices=EndlessList()),
        lambda: ssop.Region(endless, (), ()),
        lambda: ssop.Region((5,), [EndlessList([0, 1, 1])], endless),
    ):
        Endless.asked = 0
        try:
            call()
        except (ValueError, TypeError):
            pass
        else:
            raise AssertionError("an endless sequence was taken")
        assert Endless.asked <= 1000


def attack_region_from_an_endless_iterable():
    def forever():
        asked = 0
        while True:
            asked += 1
            assert asked < 1_000_000, "asked for a million items"
            yield (0, 1, 1)

    try:
        ssop.Region((5,), forever(), (0,))
    except (TypeError, ValueError):
        pass


def attack_lengths_that_lie():
    class Lying:
        def __init__(self, length, items):
            self.length = length
            self.items = items

        def __len__(self):
            return self.length

        def __getitem__(self, i):
            return self.items[i]

    x = np.arange(9)
    assert ssop.strided_slice(x, Lying(1, [2, 7, 7]), [4]).tolist() == [2, 3]
    assert ssop.strided_slice(x, Lying(0, [2]), []).tolist() == x.tolist()
    for short in (Lying(2, [0]), Lying(10**6, [0]), Lying(2, [])):
        try:
            ssop.strided_slice(x, short, [4, 4])
        except IndexError:
            continue
        raise AssertionError("items that are not there were read")


def attack_len_raises():
    class Bang(Exception):
        pass

    class Len:
        def __init__(self, outcome):
            self.outcome = outcome

        def __len__(self):
            if isinstance(self.outcome, type):
                raise self.outcome("here")
            return self.outcome

        def __getitem__(self, i):
            return 0

    for outcome, expected in (
        (Bang, Bang),
        (KeyboardInterrupt, KeyboardInterrupt),
        (TypeError, ssop.SliceTypeError),
        (-1, ValueError),
        (1.5, ssop.SliceTypeError),
        (10**30, OverflowError),
    ):
        for call in (
            lambda bad: ssop.strided_slice(np.arange(9), bad, [1]),
            lambda bad: ssop.dynamic_slice(np.arange(9), bad, [1]),
            lambda bad: ssop.StridedSliceSpec([], []).resolve(bad),
        ):
            try:
                call(Len(outcome))
            except expected:
                continue
            raise AssertionError(outcome)


def attack_getitem_replaces_itself():
    class Shifty:
        def __len__(self):
            return 1

        def __getitem__(self, i):
            Shifty.__getitem__ = Shifty.__len__ = lambda *arguments: 0
            return 3

    assert ssop.strided_slice(np.arange(9), Shifty(), [5]).tolist() == [3, 4]


def attack_constructors_whose_keywords_are_taken_away():
    """The dict of keywords has the only reference to the vector that is being read."""
    import gc

    class Clear:
        def __index__(self):
            for found in gc.get_objects():
                if type(found) is dict:
                    for value in list(dict.values(found)):
                        if type(value) is tuple and len(value) > 1 and value[0] is self:
                            found.clear()
                            break
            return 1

    def huge():
        return (Clear(), *(10**400 + i for i in range(40)))

    for call in (
        lambda: ssop.shapes.Dim(**{"value": huge()[:2]}),
        lambda: ssop.shapes.PartialShape(**{"dims": huge()}),
        lambda: ssop.Plan(**{"dtype": "f4", "begin": [0], "end": [1], "shape": huge()}),
        lambda: ssop.Plan(**{"dtype": "f4", "begin": huge(), "end": [1], "shape": [3]}),
        lambda: ssop.Region(**{"in_shape": huge(), "ranges": [(0, 1, 1)], "out_axes": [0]}),
        lambda: ssop.Region(**{"in_shape": [3], "ranges": [(0, 1, 1)], "out_axes": huge()}),
    ):
        try:
            call()
        except ssop.SliceOverflowError:
            continue
        raise AssertionError("no error")


ATTACKS = {name.removeprefix("attack_"): function for name, function in globals().items() if name.startswith("attack_")}


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_survives(attack):
    child.run(attack)


def test_there_are_attacks():
    assert len(ATTACKS) >= 15
