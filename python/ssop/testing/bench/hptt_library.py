"""HPTT as a contender: its shared library, called through its C interface. Nothing of it is part of ssop.

Source: include/hptt.h of https://github.com/springer13/hptt (`sTensorTranspose`, `dTensorTranspose`). Each call makes a
plan by HPTT's estimate, as the C interface does, and runs it.
"""

from __future__ import annotations

import ctypes
from pathlib import Path

from ssop.testing.bench.call import Call, Rejected
from ssop.testing.bench.work import Work

_FUNCTIONS = {"<f4": ("sTensorTranspose", ctypes.c_float), "<f8": ("dTensorTranspose", ctypes.c_double)}


class Library:
    """An HPTT that was found."""

    def __init__(self, path: Path) -> None:
        """Find the library: a shared library, or a checkout in which `make` has built one. ValueError otherwise."""
        file = path / "lib" / "libhptt.so" if path.is_dir() else path
        try:
            self._library = ctypes.CDLL(str(file.resolve()))
            for name, _ in _FUNCTIONS.values():
                getattr(self._library, name).restype = None
        except (OSError, AttributeError) as error:
            raise ValueError(f"--hptt: {path.name}: no library of HPTT: {error}") from None
        self._threads = 1

    def load(self, threads: int) -> str:
        """Take the number of threads. HPTT tells no version."""
        self._threads = threads
        return "of --hptt"

    def call(self, work: Work) -> Call:
        """Return the transposition into the warm output; Rejected for other work and dtypes."""
        if work.op != "transpose" or work.x.dtype.str not in _FUNCTIONS:
            raise Rejected("only for transposition of f4 and f8")
        name, scalar = _FUNCTIONS[work.x.dtype.str]
        function, out, rank = getattr(self._library, name), work.out, work.x.ndim
        order, sizes = ((ctypes.c_int * rank)(*values) for values in (work.order, work.x.shape))
        source, target = (ctypes.c_void_p(array.ctypes.data) for array in (work.x, out))
        arguments = (order, rank, scalar(1), source, sizes, None, scalar(0), target, None, self._threads, 1)
        return Call(lambda: function(*arguments), lambda _: out)
