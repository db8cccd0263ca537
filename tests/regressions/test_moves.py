"""What NumPy moves for ssop, and arrays that are moved within themselves."""

import numpy as np
import pytest

import ssop

STRINGS = np.dtypes.StringDType()


class Title:
    """A field's title that raises once it has been compared `allowed` times; all titles are equal."""

    allowed = 0

    def __hash__(self):
        return 1

    def __eq__(self, other):
        Title.allowed -= 1
        if Title.allowed < 0:
            raise RuntimeError("compared too often")
        return True


def titled(count):
    """An array with a dtype object of its own."""
    x = np.zeros(count, [((Title(), "number"), "i8"), ((Title(), "object"), object)])
    x["number"] = range(count)
    return x


@pytest.mark.parametrize("count", [3, 200_000])
def test_attack_titles_that_raise_leave_all_or_nothing(count):
    """Each comparison of titles raises once, also those between pieces of a long array."""
    outcomes = set()
    for allowed in range(200):
        Title.allowed = 1000
        dst, src = titled(count), titled(count)
        src["number"] += 1
        before, after = dst["number"].copy(), src["number"].copy()
        Title.allowed = allowed
        try:
            ssop.copyto(dst, src)
            outcomes.add("written")
            Title.allowed = 1000
            assert np.array_equal(dst["number"], after)
            break
        except (RuntimeError, ssop.SliceTypeError):
            outcomes.add("raised")
            Title.allowed = 1000
            assert np.array_equal(dst["number"], before)
    assert outcomes == {"written", "raised"}


LENGTHS = [0, 1, 15, 16, 100, 254, 255, 256, 300, 5000]


def write_by_copyto(dst, src):
    ssop.copyto(dst, src)


def write_by_assign(dst, src):
    ssop.strided_slice_assign(dst, [0], [len(src)], None, src)


def write_by_update(dst, src):
    assert ssop.dynamic_update_slice(dst, src, [0], out=dst) is dst


def write_by_out(dst, src):
    assert ssop.copy(src, out=dst) is dst


@pytest.mark.parametrize("write", [write_by_copyto, write_by_assign, write_by_update, write_by_out])
@pytest.mark.parametrize("old", LENGTHS)
def test_numpy_29261_neighbours_of_long_strings_stay_as_they_are(write, old):
    """NumPy before 2.3.2 writes a longer string over one of 255 bytes, and over those behind it."""
    for new in LENGTHS:
        made = np.array(["a" * old, "b" * old, "c" * old, "d" * old, "e" * old], STRINGS)
        write(made[:2], np.array(["x" * new, "y" * new], STRINGS))
        assert made.tolist() == ["x" * new, "y" * new, "c" * old, "d" * old, "e" * old]
        write(made[1:3], np.array(["p" * old, "q" * old], STRINGS))
        assert made.tolist() == ["x" * new, "p" * old, "q" * old, "d" * old, "e" * old]
        ssop.copyto(made[::-1], made)
        assert made.tolist() == ["e" * old, "d" * old, "q" * old, "p" * old, "x" * new]


def test_strings_may_be_missing():
    """A missing string stays missing, or gets its dtype's name for that, as NumPy casts it."""
    with_none = np.dtypes.StringDType(na_object=None)
    src = np.array([None, "a long string that has memory of its own", "", "short"], with_none)
    dst = np.array(["another long string that is replaced"] * 4, with_none)
    for _ in range(2):
        ssop.copyto(dst[::-1], src)
        assert dst.tolist() == src.tolist()[::-1]
    plain, expected = np.array(["plain"] * 4, STRINGS), np.array(["plain"] * 4, STRINGS)
    expected[...] = src
    assert ssop.copy(src, out=plain).tolist() == expected.tolist()
    ssop.copyto(dst, plain)
    assert dst.tolist() == expected.tolist()


def test_strings_are_replaced_in_any_layout():
    table = np.array([f"{i:>{i * 9}}" for i in range(24)], STRINGS).reshape(4, 6)
    dst = np.array(["before" * 50] * 60, STRINGS).reshape(6, 10)
    ssop.copyto(dst[::-1, 1:9:2], table.T)
    assert dst[::-1, 1:9:2].tolist() == table.T.tolist()
    assert set(dst[:, ::2].ravel().tolist()) == {"before" * 50}
    ssop.copyto(dst, np.broadcast_to(table[1, :1], (6, 10)))
    assert set(dst.ravel().tolist()) == {table[1, 0]}


def cached_bytes(call):
    """How many bytes of freed blocks a call leaves in the cache: those of its buffer, if it has one."""
    ssop.trim_memory()
    call()
    return ssop.trim_memory()


@pytest.mark.parametrize("dtype", ["u1", "f4", "f8", "c16", "V3"])
def test_numpy_14660_shifts_have_no_second_array(dtype):
    """Views of the same strides are moved in place; other overlaps have a buffer, which is a block of the cache."""
    size = 1 << 17
    a = np.arange(size * np.dtype(dtype).itemsize).astype("u1").view(dtype)
    for k in (1, 2, 1000, size // 2 + 1):
        before = a.copy()
        assert cached_bytes(lambda k=k: ssop.copyto(a[:-k], a[k:])) == 0
        assert a[:-k].tobytes() == before[k:].tobytes() and a[-k:].tobytes() == before[-k:].tobytes()
        before = a.copy()
        assert cached_bytes(lambda k=k: ssop.dynamic_update_slice(a, a[:-k], [k], out=a)) == 0
        assert a[k:].tobytes() == before[:-k].tobytes() and a[:k].tobytes() == before[:k].tobytes()
        before = a.copy()
        assert cached_bytes(lambda k=k: ssop.strided_slice_assign(a, [0], [-k], None, a[k:])) == 0
        assert a[:-k].tobytes() == before[k:].tobytes()
    before = a.copy()
    assert cached_bytes(lambda: ssop.copyto(a, a[::-1])) >= a.nbytes
    assert a.tobytes() == before[::-1].tobytes()


@pytest.mark.parametrize("dtype", ["i8", object])
def test_reshape_into_an_array_of_another_order(dtype):
    """Neither the shape nor the order of the destination is that of the operand: the items go through a copy."""
    x = np.arange(60).astype(dtype).reshape(3, 20)
    out = np.zeros((4, 15), dtype).T
    assert ssop.xla.reshape(x[:, ::-1], (15, 4), out=out) is out
    assert out.tolist() == x[:, ::-1].reshape(15, 4).tolist()


@pytest.mark.parametrize("columns", [1, 63])
def test_long_columns_are_joined_in_blocks(columns):
    parts = [np.arange(6000 * n, dtype="f8").reshape(6000, n) for n in (columns, 64 - columns, 3)]
    joined = ssop.xla.concatenate(parts, 1)
    assert joined.tobytes() == np.concatenate(parts, 1).tobytes()


def test_many_objects_are_zeros_around_the_items():
    """More than NumPy moves between two looks for signals."""
    x = np.array(["a", "b"], object)
    grad = ssop.strided_slice_grad((200_000,), [100_000], [100_002], [1], x)
    assert grad[100_000:100_002].tolist() == ["a", "b"]
    assert set(grad[:100_000].tolist() + grad[100_002:].tolist()) == {0}


def test_many_objects_of_one_row():
    """Long copies are halved along the first axis that has several indices."""
    x = np.arange(100_000).astype(object)[None]
    assert ssop.copy(x).tolist() == x.tolist()
