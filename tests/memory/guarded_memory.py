"""Memory with guards on both sides, for arrays whose neighbours nothing may touch.

The bytes of an array have canary bytes around them, up to the end of the page, and then follow pages without access.
A write just outside of the array changes a canary, and any access farther away ends the process. Under AddressSanitizer
the canaries are poisoned: there a read of them ends the process, too.
"""

import ctypes
import mmap
import os
import sys

import numpy as np

GUARD_BYTES = 64 * 2**20 if sys.maxsize > 2**32 else 2**20
CANARY = 0xA5
MIN_CANARIES = 64

_libc = ctypes.CDLL(None, use_errno=True) if os.name == "posix" else None
_poison = getattr(_libc, "__asan_poison_memory_region", None)
_unpoison = getattr(_libc, "__asan_unpoison_memory_region", None)


def has_sanitizer():
    """True in a process with AddressSanitizer."""
    return _poison is not None


def _protect(address, size):
    if _libc is not None and _libc.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(size), 0) != 0:
        raise OSError(ctypes.get_errno(), "mprotect")


class GuardedMemory:
    """Room for `capacity` bytes, used again and again: `claim` sets it up for the next array."""

    def __init__(self, capacity):
        page = mmap.PAGESIZE
        self.capacity = -(-(capacity + MIN_CANARIES) // page) * page
        size = GUARD_BYTES + self.capacity + GUARD_BYTES
        self._map = (
            mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) if os.name == "posix" else bytearray(size)
        )
        self._first = GUARD_BYTES  # of the page that is accessible first
        self._address = ctypes.addressof(ctypes.c_char.from_buffer(self._map))
        _protect(self._address, GUARD_BYTES)
        _protect(self._address + GUARD_BYTES + self.capacity, GUARD_BYTES)
        self._begin = self._end = self._first

    def __del__(self):
        self._set_poison(False)  # the addresses may be another object's soon

    def claim(self, size, content=None, at_end=True):
        """Bytes of an array, as an array of uint8, up to one guard or the other; the rest are canaries."""
        self._set_poison(False)
        last = self._first + self.capacity
        self._begin = last - size if at_end else self._first
        self._end = self._begin + size
        self._canaries_from = max(self._first, self._begin - mmap.PAGESIZE)
        self._canaries_to = min(last, self._end + mmap.PAGESIZE)
        for part in self._canaries():
            part.fill(CANARY)
        bytes_of_array = np.frombuffer(self._map, np.uint8, size, self._begin)
        if content is not None:
            bytes_of_array[:] = content
        self._set_poison(True)
        return bytes_of_array

    def is_intact(self):
        """True if no canary has changed."""
        self._set_poison(False)
        intact = all((part == CANARY).all() for part in self._canaries())
        self._set_poison(True)
        return intact

    def _ranges(self):
        return (self._canaries_from, self._begin), (self._end, self._canaries_to)

    def _canaries(self):
        return [
            np.frombuffer(self._map, np.uint8, last - first, first) for first, last in self._ranges() if last > first
        ]

    def _set_poison(self, poisoned):
        change = _poison if poisoned else _unpoison
        if change is not None and self._end > self._begin:
            for first, last in self._ranges():
                change(ctypes.c_void_p(self._address + first), ctypes.c_size_t(last - first))


class OrdinaryMemory:
    """The same without guards."""

    def claim(self, size, content=None, at_end=True):
        bytes_of_array = np.zeros(size, np.uint8)
        if content is not None:
            bytes_of_array[:] = content
        return bytes_of_array

    def is_intact(self):
        return True
