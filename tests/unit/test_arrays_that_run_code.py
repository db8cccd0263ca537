"""Arrays that run code of their own at the worst moment, work without end, and the module under strain.

Each `attack_` function runs in a child process, asserts what must hold there, and must come back in time.
"""

import numpy as np
import pytest

import child
import ssop

# ---- arrays with code of their own -----------------------------------------------------------------------------------


def attack_out_answers_for_its_class():
    """isinstance() asks out for __class__: by then no address of the input may be kept."""
    import numpy.ma  # only then are there masked arrays to tell from others

    assert numpy.ma
    for function, arguments in (
        (ssop.strided_slice, ([0], [1_000_000])),
        (ssop.slice, ([0], [1_000_000])),
        (ssop.dynamic_slice, ([0], [1_000_000])),
        (ssop.dynamic_update_slice, (np.ones(1000, np.int8), [0])),
        (ssop.copy, ()),
        (ssop.plan(ssop.StridedSliceSpec([], []), (1_000_000,), np.int8), ()),
    ):
        x = np.zeros(1_000_000, np.int8)

        class Out(np.ndarray):
            @property
            def __class__(self, x=x):
                x.resize(10, refcheck=False)
                return np.ndarray

        out = np.empty(1_000_000, np.int8).view(Out)
        try:
            function(x, *arguments, out=out)
        except ssop.SliceError:
            pass


def attack_update_changes_the_operand():
    """Converting a list runs __int__, which turns eight items of one byte into one of eight."""
    operand = np.zeros(8, np.int8)

    class Widen:
        def __int__(self):
            operand.dtype = np.int64
            return 1

        __index__ = __int__

    try:
        result = ssop.dynamic_update_slice(operand, [Widen()], [0])
    except (TypeError, ValueError):
        return
    assert result.tobytes() in (bytes([1, 0, 0, 0, 0, 0, 0, 0]), b"\1" + b"\0" * 7)


def attack_update_resizes_the_operand():
    operand = np.zeros(100_000, np.int64)

    class Shrink:
        def __int__(self):
            operand.resize(2, refcheck=False)
            return 1

        __index__ = __int__

    try:
        result = ssop.dynamic_update_slice(operand, [Shrink(), 5], [9])
    except (TypeError, ValueError):
        return
    assert result.tolist() == [1, 5]


def attack_dropped_items_reshape_out():
    """Overwriting out drops its items, whose __del__ changes its shape before the update is written."""
    shape = (1,) * 20 + (2, 3)
    out = np.empty(shape, object)

    class Reshape:
        def __del__(self):
            out.shape = (6,)

    out[(0,) * 22] = Reshape()
    operand, update = np.zeros(shape, object), np.ones((1,) * 22, object)
    result = ssop.dynamic_update_slice(operand, update, [0] * 20 + [1, 2], out=out)
    assert result.ravel().tolist() == [0, 0, 0, 0, 0, 1]


def attack_dropped_items_reshape_the_operand():
    """The same between the two pieces of a window that wraps."""
    operand = np.arange(100).astype(object)
    out = np.empty(4, object)

    class Reshape:
        def __del__(self):
            operand.shape = (10, 10)

    out[0] = Reshape()
    result = ssop.dynamic_slice(operand, [98], [4], out_of_bounds="wrap", out=out)
    assert result.tolist() == [98, 99, 0, 1]


def attack_dropped_items_call_again():
    out = np.empty(4, object)
    seen = []

    class Again:
        def __del__(self):
            seen.append(ssop.copy(np.arange(3), out=np.empty(3, int)).tolist())
            ssop.dynamic_update_slice(out, np.array([7], object), [0], out=out)

    out[:] = [Again() for _ in range(4)]
    ssop.copy(np.arange(4).astype(object), out=out)
    assert seen == [[0, 1, 2]] * 4


def attack_array_conversions():
    class Bang(Exception):
        pass

    class Converts:
        def __init__(self, outcome):
            self.outcome = outcome

        def __array__(self, dtype=None, copy=None):
            if isinstance(self.outcome, type):
                raise self.outcome
            return self if self.outcome is None else self.outcome

    assert ssop.strided_slice(Converts(np.arange(5)), [1], [3]).tolist() == [1, 2]
    masked = ssop.copy(Converts(np.ma.array([1, 2], mask=[0, 1])))
    assert masked.tolist() in ([1, 2], [1, None])
    for outcome, expected in ((Bang, Bang), (None, ValueError), (5, ValueError), ([1], ValueError)):
        for function, arguments in ((ssop.copy, ()), (ssop.strided_slice, ([0], [1])), (ssop.slice, ([0], [1]))):
            try:
                function(Converts(outcome), *arguments)
            except expected:
                continue
            raise AssertionError(outcome)


def attack_array_namespaces():
    """Objects that claim to be arrays of some library and are not."""

    class Claims:
        def __array_namespace__(self):
            raise RuntimeError("no namespace")

    class ClaimsShape(Claims):
        def __init__(self, shape):
            self.shape = shape

        def __getitem__(self, index):
            return index

    for broken in (Claims(), ClaimsShape(None), ClaimsShape("abc"), ClaimsShape((float("nan"),)), ClaimsShape((-1,))):
        for function in (ssop.strided_slice, ssop.slice, ssop.dynamic_slice):
            try:
                function(broken, [0], [1])
            except (AttributeError, TypeError, ValueError):
                continue
            raise AssertionError(broken)
    assert ssop.strided_slice(ClaimsShape((5, 6)), [1], [3]) == (slice(1, 3, 1), slice(0, 6, 1))


def attack_attribute_traps():
    class Bang(Exception):
        pass

    class Trap:
        def __getattribute__(self, name):
            if name.startswith("__array"):
                raise Bang(name)
            return object.__getattribute__(self, name)

    class Yes:
        def __getattr__(self, name):
            return self

        def __call__(self, *arguments, **keywords):
            return self

    for function, arguments in (
        (ssop.copy, ()),
        (ssop.strided_slice, ([0], [1])),
        (ssop.dynamic_update_slice, ([1], [0])),
    ):
        for trap in (Trap(), Yes()):
            try:
                function(trap, *arguments)
            except Exception as error:
                assert not isinstance(error, SystemError), error


def attack_reprs_that_raise():
    """An error is raised about an object without asking the object for its repr."""

    class Silent:
        def __repr__(self):
            raise RuntimeError("asked for its repr")

        __str__ = __repr__

    x = np.arange(9)
    for call in (
        lambda: ssop.strided_slice(x, Silent(), [1]),
        lambda: ssop.strided_slice(x, [Silent()], [1]),
        lambda: ssop.strided_slice(x, [0], [1], begin_mask=Silent()),
        lambda: ssop.dynamic_slice(x, [0], [1], out_of_bounds=Silent()),
        lambda: ssop.copy(x, out=Silent()),
        lambda: ssop.StridedSliceSpec.from_index(Silent()),
    ):
        try:
            call()
        except ssop.SliceError as error:
            assert type(error.value) is Silent
        else:
            raise AssertionError("taken")


def attack_lists_that_hold_themselves():
    endless = []
    endless.append(endless)
    for call in (
        lambda: ssop.strided_slice(np.arange(3), endless, [1]),
        lambda: ssop.copy(endless),
        lambda: ssop.dynamic_update_slice(np.arange(3), endless, [0]),
    ):
        try:
            call()
        except (TypeError, ValueError, RecursionError):
            pass
    deep = 1
    for _ in range(100_000):
        deep = [deep]
    for call in (lambda: ssop.copy(deep), lambda: ssop.strided_slice(np.arange(3), deep, [1])):
        try:
            call()
        except (TypeError, ValueError, RecursionError):
            pass


def attack_scalars_and_lists_with_code():
    class Listed(list):
        def __array__(self, dtype=None, copy=None):
            return np.arange(4)

        def __len__(self):
            return 10**9

    try:
        assert ssop.copy(Listed()).tolist() == [0, 1, 2, 3]
    except ValueError:
        pass

    class Float(float):
        def __float__(self):
            raise RuntimeError

    try:
        assert ssop.copy(Float(1.5)).item() == 1.5
    except RuntimeError:  # NumPy may ask it
        pass


# ---- work without end ------------------------------------------------------------------------------------------------


def attack_wrapping_an_empty_window():
    """Forty axes wrap, one is empty: 2^40 pieces of nothing."""
    operand = np.zeros((0,) + (2,) * 40, np.int8)
    starts, sizes = [0] + [1] * 40, [0] + [2] * 40
    assert ssop.dynamic_slice(operand, starts, sizes, out_of_bounds="wrap").shape == tuple(sizes)
    update = np.zeros(sizes, np.int8)
    assert ssop.dynamic_update_slice(operand, update, starts, out_of_bounds="wrap").shape == operand.shape


def attack_items_of_no_bytes():
    """2^40 items of no bytes are nothing to copy."""
    many = np.empty(2**40, "V0")
    assert ssop.copy(many).shape == many.shape
    assert ssop.strided_slice(many, [0], [2**40], [-1], begin_mask=1, end_mask=1).shape == many.shape
    out = np.empty(2**40, "V0")
    assert ssop.copy(many, out=out) is out


def attack_wrapping_items_of_no_bytes():
    many = np.empty((2,) * 40, "V0")
    assert ssop.dynamic_slice(many, [1] * 40, [2] * 40, out_of_bounds="wrap").shape == many.shape


def attack_wrapping_an_array_of_another_library():
    """It is rejected (in_c7), and not after making 2^18 regions."""
    import resource

    class Foreign:
        shape = (2,) * 18
        dtype = np.dtype(np.int8)

        def __array_namespace__(self):
            return np

    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        ssop.dynamic_slice(Foreign(), [1] * 18, [2] * 18, out_of_bounds="wrap")
    except ssop.SliceTypeError as error:
        assert error.label == "in_c7"
    else:
        raise AssertionError("taken")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - used < 100_000


# ---- the module itself -----------------------------------------------------------------------------------------------


def attack_import_twice():
    import gc
    import importlib
    import sys

    first, region = ssop._core, ssop.StridedSliceSpec([0], [2]).resolve((5,))
    kept = ssop.plan(ssop.StridedSliceSpec([0], [2]), (5,), int)
    for name in [name for name in sys.modules if name.partition(".")[0] == "ssop"]:
        del sys.modules[name]
    second = importlib.import_module("ssop")
    assert second.copy(np.arange(3)).tolist() == first.copy(np.arange(3)).tolist()
    assert second.Region is not first.Region
    try:
        second.StridedSliceSpec([0], [1]).resolve((2,)).of(region)
    except TypeError:
        pass
    assert kept(np.arange(5)).tolist() == [0, 1]
    del second, first
    globals().pop("ssop")
    gc.collect()
    assert repr(region) == "Region((5,), ((0, 2, 1),), (0,))"
    assert kept(np.arange(5)).tolist() == [0, 1]


def attack_a_plan_that_is_not_done():
    """While its arguments are read, the collector's lists show the plan."""
    import gc

    class Look:
        def __index__(self):
            for found in gc.get_objects():
                if type(found) is ssop.Plan:
                    assert repr(found.region) in repr(found)
            return 0

    for _ in range(3):
        assert ssop.plan(ssop.StridedSliceSpec([0], [1]), [Look()], int).region.shape == (0,)


def attack_objects_made_wrongly():
    import copyreg
    import pickle

    spec = ssop.StridedSliceSpec([0], [2])
    region, plan = spec.resolve((5,)), ssop.plan(spec, (5,), int)
    for call in (
        lambda: type(plan)(),
        lambda: ssop.Region(),
        lambda: ssop.Region((5,), ((0, 2),), (0,)),
        lambda: ssop.Region((5,), ((0, 2, 1), (0, 2, 1)), (0,)),
        lambda: ssop.Region((5,), ((0, 2, 1),), (10**6,)),
        lambda: ssop.Region((5,), ((0, 2, 1),), (0,) * 65),
        lambda: ssop.Region((5,), ((2**63 - 1, 2**63 - 1, 2**63 - 1),), (0,)),
        lambda: ssop.Region((5,), ((0, -1, -(2**63)),), (0,)),
        lambda: object.__new__(ssop.Region),
        lambda: object.__new__(ssop.Plan),
        lambda: copyreg.__newobj__(ssop.Region),
        lambda: pickle.loads(pickle.dumps(plan)),
        lambda: type("Ours", (ssop.Region,), {}),
        lambda: setattr(region, "shape", (1,)),
        lambda: setattr(ssop.Region, "shape", (1,)),
        lambda: region.of(None),
        lambda: ssop.plan(spec, (5,), "i4")(np.zeros(5, "i8")),
    ):
        try:
            call()
        except (TypeError, ValueError, AttributeError):
            continue
        raise AssertionError("allowed")


def attack_exit_while_a_thread_copies():
    import threading

    x = np.zeros((4096, 4096), np.int8)

    def forever():
        while True:
            ssop.copy(x.T)

    for _ in range(3):
        threading.Thread(target=forever, daemon=True).start()


ATTACKS = {name.removeprefix("attack_"): function for name, function in globals().items() if name.startswith("attack_")}


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_survives(attack):
    child.run(attack)


def test_there_are_attacks():
    assert len(ATTACKS) >= 18
