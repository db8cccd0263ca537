"""Objects that several threads use and change at the same time. On a free-threaded Python they do so in parallel. With
the GIL they change places as often as Python lets them."""

import sys
import sysconfig
import threading
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

import child
import ssop
from ssop import shapes

THREADS = 8


@pytest.fixture(autouse=True)
def many_switches():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def run_in_threads(work):
    """What `work` gives for each thread's number; an exception in one of them is raised."""
    barrier, results, raised = threading.Barrier(THREADS), [None] * THREADS, []

    def run(number):
        try:
            barrier.wait(timeout=child.LIMIT_SECONDS)
            results[number] = work(number)
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]
    return results


def change(items, number):
    """Makes a list shorter and longer again, with items that only it holds."""
    for k in range(100):
        try:
            items[-1] = 10**30 + k
            items.pop()
        except IndexError:  # the others have taken all items
            pass
        items.append(1000 + number + k)
        items[:] = [1000 + number, 2000 + k]


def in_lists(call, *lists):
    """Half of the threads change the lists, which the others give to `call`: it returns or raises an error of ssop."""

    def work(number):
        if number < THREADS // 2:
            for k in range(10):
                change(lists[k % len(lists)], number)
            return 0
        done = 0
        for _ in range(200):
            try:
                call()
                done += 1
            except (ssop.SliceError, ValueError):
                pass
        return done

    return sum(run_in_threads(work))


def nested(items, count):
    """The list in so many lists: in 64, which are NumPy's axes, it is an item."""
    for _ in range(count):
        items = [items]
    return items


X = np.arange(5000 * 3, dtype=np.float32).reshape(5000, 3)


def test_lists_that_change_are_read_item_by_item():
    begin, end, rows = [0, 0], [4000, 2], [[0, 0], [1, 1]]
    deep = nested(begin, 64)
    in_lists(lambda: ssop.strided_slice(X, begin, end, [1, 1]), begin, end)
    in_lists(lambda: ssop.dynamic_slice(X, begin, [1, 1]), begin)
    in_lists(lambda: ssop.dynamic_slice(X, rows, [1, 1]), rows)
    in_lists(lambda: ssop.copy(begin), begin)
    in_lists(lambda: ssop.xla.pad(begin, 0, [(1, 1, 0)]), begin)
    in_lists(lambda: ssop.strided_slice_assign(np.zeros(2, "i2"), [0], [2], [1], value=begin), begin)
    in_lists(lambda: ssop.Region(begin, [(0, 1, 1), (0, 1, 1)], [0, 1]), begin)
    in_lists(lambda: shapes.PartialShape(begin), begin)
    in_lists(lambda: shapes.strided_slice([None, 7], begin, end, [1, 1]), begin, end)
    in_lists(lambda: ssop.strided_slice_assign(np.zeros(2, "i2"), [0], [2], [1], value=deep), begin)


def read_a_list_in_its_sort():
    items, x = [2, 1], np.arange(6)

    def key(item):  # the sort has the lock of the list, which is empty meanwhile
        assert ssop.strided_slice(x, items, items, items).shape == (6,)
        return item

    items.sort(key=key)
    assert items == [1, 2]


def test_the_lock_of_a_list_may_be_held_further_out():
    child.run(read_a_list_in_its_sort)


def test_lists_of_arrays_that_change():
    arrays = [X, X]

    def work(number):
        for _ in range(200):
            if number < THREADS // 2:
                arrays.append(np.ones((1, 3), np.float32))
                del arrays[2:]
            else:
                assert ssop.xla.concatenate(arrays, 0).shape[1] == 3

    run_in_threads(work)


def test_one_iterator_of_chunks_gives_each_chunk_once():
    region = ssop.Region((60, 50), [(0, 30, 2), (3, 40, 1)], [0, 1])
    expected = [(index, of_chunk, of_result) for index, of_chunk, of_result in region.chunks((7, 6))]
    for _ in range(10):
        chunks = region.chunks((7, 6))
        taken = [*chain(*run_in_threads(lambda _number, chunks=chunks: list(chunks)))]
        assert sorted(taken, key=lambda item: item[0]) == sorted(expected, key=lambda item: item[0])


def test_identities_are_given_once():
    made = run_in_threads(
        lambda number: [shapes.PartialShape([None, (1, number + 2)]).merge([(0, 9), None]).id for _ in range(500)]
    )
    assert len({*chain(*made)}) == 500 * THREADS


def test_a_name_has_one_identity():
    names = [f"of_threads_{k}" for k in range(300)]
    made = run_in_threads(lambda number: [shapes.Dim(name).id for name in names])
    assert all(ids == made[0] for ids in made) and len({*made[0]}) == len(names)
    assert [str(shapes.Dim(name)) for name in names] == names


def test_one_plan_in_all_threads():
    plan = ssop.plan(ssop.StridedSliceSpec([4999, 0], [-5001, 3], [-2, 1]), X.shape, X.dtype)
    assert all(run_in_threads(lambda _number: all((plan(X) == X[::-2]).all() for _ in range(100))))


def test_strings_are_copied_in_both_directions():
    both = [np.array([letter * 40] * 50, np.dtypes.StringDType()) for letter in "ab"]

    def work(number):
        for _ in range(100):
            ssop.copy(both[number % 2], out=both[1 - number % 2])

    run_in_threads(work)
    assert {*both[0], *both[1]} <= {"a" * 40, "b" * 40}


def test_classes_that_change():
    class Sub(np.ndarray):
        pass

    array = np.ones(5, np.float32).view(Sub)

    def work(number):
        for k in range(200):
            if number < THREADS // 2:
                setattr(Sub, f"attribute_{number}_{k}", k)
                delattr(Sub, f"attribute_{number}_{k}")
            else:
                assert ssop.slice([array, array], [0, 1], [2, 3], [1, 1]).shape == (2, 2)
                assert ssop.strided_slice(array, [1], [3]).shape == (2,)

    run_in_threads(work)


def first_calls_at_once(count):
    """Masked arrays need a module that the first such call imports."""
    import threading

    barrier, raised = threading.Barrier(count), []

    def work():
        try:
            barrier.wait()
            assert ssop.copy(np.ma.ones(3)).tolist() == [1, 1, 1]
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert raised == [], raised


def test_the_first_calls_of_all_threads():
    child.run(first_calls_at_once, THREADS)


def test_the_module_says_that_it_needs_no_gil():
    source = (Path(__file__).parents[2] / "csrc/python/module.c").read_text(encoding="utf-8")
    assert "{Py_mod_gil, Py_MOD_GIL_NOT_USED}" in source


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python has a GIL")
def test_the_import_leaves_the_gil_off():
    program = "import sys, ssop, ssop._lazy.operations; print(sys._is_gil_enabled())"
    assert child.run_source(program).stdout == "False\n"
