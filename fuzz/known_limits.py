"""What in_flight.py leaves out, because Python or NumPy alone cannot stand it: each is shown here without ssop.

    python fuzz/known_limits.py

Each runs in a child process. One that no longer crashes is a reason to take its attack into in_flight.py.
"""

import gc
import os
import subprocess
import sys

import numpy as np


def list_emptied_by_array_of_its_item():
    """numpy.asarray goes on with the items of a list that an item's __array__ has emptied."""

    class Empties:
        def __array__(self, dtype=None, copy=None):
            items.clear()
            return np.zeros(3)

    items = [Empties() for _ in range(4)]
    np.asarray(items)


def dtype_freed_by_its_comparison():
    """An assignment compares dtypes, and the titles of their fields take the dtypes away from both arrays."""
    compared = 0

    class Title:
        def __eq__(self, other):
            nonlocal compared
            compared += 1
            if compared == 2:
                a.dtype = b.dtype = "V4"
            return True

        def __hash__(self):
            return 1

    def titled():
        return np.dtype({"names": ["x"], "formats": ["i4"], "titles": [Title()]})

    a, b = np.zeros((8, 6), titled()), np.zeros((8, 6), titled())
    compared = 0
    a[...] = b


def view_of_a_resized_array():
    """ndarray.resize with refcheck=False frees memory that views still point to."""
    x = np.zeros(2**22)
    view = x[:]
    x.resize(4, refcheck=False)
    view.sum()


def view_of_an_array_with_another_state():
    """ndarray.__setstate__ frees memory that views still point to."""
    x = np.zeros(2**22)
    view = x[:]
    x.__setstate__((1, (1,), np.dtype("f8"), False, bytes(8)))
    view.sum()


def items_that_grow():
    """dtype.__setstate__ changes the size of the items of arrays that are there."""
    x = np.zeros(2**20, np.dtype([("a", "i4")]))
    size = 2**12
    x.dtype.__setstate__((3, "|", None, ("a",), {"a": (np.dtype("i4"), 0)}, size, 1, 0))
    x.tobytes()


LIMITS = {
    name: function
    for name, function in globals().items()
    if callable(function) and getattr(function, "__module__", None) == __name__
}


def main():
    gc.collect()
    for name, function in LIMITS.items():
        command = [sys.executable, __file__, name]
        child = subprocess.run(command, env={**os.environ, "PYTHONMALLOC": "debug"}, capture_output=True, check=False)
        how = f"exit code {child.returncode}" if child.returncode >= 0 else f"signal {-child.returncode}"
        print(f"{name}: {how}: {function.__doc__}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        LIMITS[sys.argv[1]]()
    else:
        main()
