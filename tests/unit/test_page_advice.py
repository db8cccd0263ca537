"""What `ssop run` tells the kernel of mapped inputs, and which pages of them are read."""

import ctypes
import mmap
import os

import numpy as np
import pytest

import ssop
from ssop.cli import main
from ssop.cli.page_advice import advised, takes_few_pages

PAGE = mmap.PAGESIZE


def few(x, index):
    return takes_few_pages(ssop.StridedSliceSpec.from_index(index).resolve(x.shape).ranges, x.strides, x.itemsize)


@pytest.mark.parametrize(
    ("shape", "index", "expected"),
    [
        ((400, 1000 * PAGE), np.s_[:, :PAGE], True),  # a page of each row
        ((400, 1000 * PAGE), np.s_[::-1, -1], True),
        ((400, 1000 * PAGE), np.s_[::100, 5 : 5 * PAGE : 2], True),
        ((400, 1000 * PAGE), np.s_[::100], True),
        ((400, 1000 * PAGE), np.s_[3, :], False),
        ((400, 1000 * PAGE), np.s_[::2, ::3], False),
        ((400, 1000 * PAGE), np.s_[..., : 900 * PAGE], False),
        ((4000, 100), np.s_[:, 5], False),  # several rows in a page
        ((4000, 100), np.s_[:: 20 * PAGE // 100], True),
        ((5,), np.s_[::2], False),
        ((), (), False),
    ],
)
def test_few_pages(shape, index, expected):
    strides = [int(np.prod(shape[axis + 1 :])) for axis in range(len(shape))]
    x = np.lib.stride_tricks.as_strided(np.zeros(1, np.uint8), shape, strides)  # without so much memory
    assert few(x, index) is expected


def test_the_order_of_axes_does_not_matter():
    x = np.lib.stride_tricks.as_strided(np.zeros(1, np.uint8), (400, 1000 * PAGE), (1000 * PAGE, 1))
    assert few(x.T, np.s_[:PAGE, :]) and not few(x.T, np.s_[::3, ::2])


def resident_bytes(path):
    """Bytes of the file that are in the page cache."""
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY) as mapped:
        pages = np.zeros(-(-len(mapped) // PAGE), np.uint8)
        start, into = ctypes.addressof(ctypes.c_char.from_buffer(mapped)), pages.ctypes.data
        mincore = ctypes.CDLL(None).mincore
        assert mincore(ctypes.c_void_p(start), ctypes.c_size_t(len(mapped)), ctypes.c_void_p(into)) == 0
        return int(np.count_nonzero(pages & 1)) * PAGE


def test_every_500th_record_reads_its_pages_alone(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    np.save("in.npy", np.zeros((40_000, 1000), np.uint8))
    with open("in.npy", "r+b") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    was_dropped = resident_bytes("in.npy") == 0  # a file system in memory keeps everything
    assert main(["run", "in.npy", "--index", "::500", "-o", "out.npy"]) == 0
    assert np.load("out.npy").shape == (80, 1000)
    assert not was_dropped or resident_bytes("in.npy") <= (80 * 2 + 1) * PAGE


def test_advice_ends_with_the_reading(tmp_path):
    np.save(tmp_path / "x.npy", np.arange(100_000))
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    x = mapped.view(np.ndarray)
    for index in (np.s_[::-1], np.s_[::50_000], np.s_[:], np.s_[5:5]):
        region = ssop.StridedSliceSpec.from_index(index).resolve(x.shape)
        with pytest.raises(ZeroDivisionError), advised(x, region):
            assert np.array_equal(x[region.index], np.arange(100_000)[index])
            raise ZeroDivisionError
        assert np.array_equal(x[region.index], np.arange(100_000)[index])
    with advised(np.arange(3), ssop.StridedSliceSpec([], []).resolve((3,))):
        pass
