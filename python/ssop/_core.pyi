"""The C extension: types and docstrings of what it has.

The build takes signatures and docstrings from here and from the stubs that are imported (tools/docstrings.py).
"""

# Parameters fill their lines, for every function has them twice.
# fmt: off

from typing import Any, SupportsIndex, overload

from numpy.typing import NDArray

from ssop._core_dialects import *
from ssop._core_rearrange import *
from ssop._core_shapes import *
from ssop._core_tensorflow import *
from ssop._core_types import *
from ssop._core_types import _T
from ssop._core_windows import *

@overload
def copy(a: NDArray[_T], *, out: NDArray[_T] | None = None) -> NDArray[_T]:
    """A new C-ordered copy of any strided array.

    Parameters
    ----------
    a : array_like, any shape, dtype and layout
    out : numpy.ndarray of the same shape and dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the same dtype; or `out`.

    Raises
    ------
    SliceError : `label` names the rule (out_*) in SPEC.md.

    Source: numpy.copy with order='C'.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.copy(np.arange(6).reshape(2, 3).T)
    array([[0, 3],
           [1, 4],
           [2, 5]])
    """

@overload
def copy(a: Any, *, out: NDArray[Any] | None = None) -> Any: ...

def copyto(dst: NDArray[Any], src: Any) -> None:
    """Copies all of one array into another of the same shape, whatever their layouts.

    Parameters
    ----------
    dst : numpy.ndarray, writeable, any layout
    src : array_like of the same shape
        An array must have the same dtype; scalars and lists are converted if nothing is
        lost (val_*). Where it overlaps dst, it is copied first.

    Raises
    ------
    SliceError : `label` names the rule (out_*, val_*) in SPEC.md.

    Source: numpy.copyto without casting and broadcasting.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> a = np.arange(5)
    >>> ssop.copyto(a[1:], a[:-1])
    >>> a
    array([0, 0, 1, 2, 3])
    """

def describe_copy(dst: NDArray[Any], src: Any) -> dict[str, Any]:
    """How `copyto(dst, src)` would move the bytes, for `ssop.explain.copy`: the way, and for loops what they are."""

def set_num_threads(n: SupportsIndex) -> None:
    """Sets how many threads one large copy may use, the calling one included.

    The same bytes come out for every number. Holds for the whole process; a copy that is going on keeps what it has.

    Parameters
    ----------
    n : int, 1..64
        At first the environment variable SSOP_NUM_THREADS; without it as many as there are processors for this
        process (affinity and control groups), but at most 8.

    Raises
    ------
    SliceError : `label` names the rule (th_*) in SPEC.md.

    Source: ours (th_s1, th_s2); the name is PyTorch's.

    Examples
    --------
    >>> import ssop
    >>> before = ssop.get_num_threads()
    >>> ssop.set_num_threads(2)
    >>> ssop.get_num_threads()
    2
    >>> ssop.set_num_threads(before)
    """

def get_num_threads() -> int:
    """How many threads one large copy may use, the calling one included.

    Parameters
    ----------
    none

    Returns
    -------
    int : 1..64

    Raises
    ------
    nothing

    Source: ours (th_s1); the name is PyTorch's.

    Examples
    --------
    >>> import ssop
    >>> ssop.get_num_threads() >= 1
    True
    """

def trim_memory() -> int:
    """Gives the memory of results that were freed back to the system.

    Freed results of 64 KiB and more are cached and reused. The environment variable SSOP_CACHE_BYTES limits their sum;
    0 turns the cache off. Its default is 512 MiB or a sixteenth of the machine's memory, whichever is less. The system
    may reclaim those of 4 MiB and more when its memory runs short; smaller ones use at most an eighth of the cache.

    Parameters
    ----------
    none

    Returns
    -------
    int : how many bytes were kept.

    Raises
    ------
    nothing

    Source: ours (mem_s1).

    Examples
    --------
    >>> import ssop
    >>> _ = ssop.trim_memory()
    >>> ssop.trim_memory()
    0
    """

def cpu_features() -> dict[str, bool]:
    """Which kernels this build holds, and whether this processor and its system can run them.

    At import the first one that can run is chosen, or the one that the environment variable SSOP_CPU names; which one
    that was, `ssop.show_config` tells. The same bytes come out with all of them.

    Parameters
    ----------
    none

    Returns
    -------
    dict : name -> bool, the best kernels first; "portable" is the last one and always True.

    Raises
    ------
    nothing

    Source: ours (cfg_s1).

    Examples
    --------
    >>> import ssop
    >>> ssop.cpu_features()["portable"]
    True
    """

def core_config() -> dict[str, dict[str, Any]]:
    """The rows of `ssop.show_config` that C knows: subject -> name -> value."""

def policies() -> list[tuple[str, int, int, int, str]]:
    """The policies of the copy engine that are in use: name, value, lowest and highest value, what it decides."""

def use_policies(values: dict[str, int]) -> None:
    """Use these policies, and for all others what suits this machine. No copy may run in another thread meanwhile."""

def variants() -> list[tuple[str, str, str, str]]:
    """All ways of copying a tile: name, pattern of loops, what the loops do, when it is taken."""

def force_variant(name: str | None) -> None:
    """Copy by this variant wherever it fits; None: by the one that is chosen. No copy may run meanwhile."""

def convert_value(op: str, name: str, value: Any, dtype: Any) -> NDArray[Any]:
    """What the operation `op` makes of a list or a scalar given as the argument `name` (val_c1..val_c4): an array."""

def as_array(value: Any) -> NDArray[Any]:
    """What `numpy.asarray` makes of the value, which is read as far as it can mean (in_s1), as by `read_lists`."""

def read_lists(value: Any) -> Any:
    """What NumPy and other libraries shall read in the place of `value`: itself, or lists, as far as they can mean.

    Sequences other than lists, tuples and arrays become lists. Raises MemoryError for more than 16,777,216 items of
    such sequences, and for lists that have far more items than they store.
    """

def read_integers(op: str, name: str, value: Any) -> tuple[int, ...]:
    """The integers of the vector given as the argument `name` (in_c1, in_c2, in_c5, in_c6): the first 1,024 of more."""

def read_shape(op: str, name: str, value: Any) -> tuple[int, ...]:
    """The dims of the shape given as the argument `name` (in_c1, in_c2, in_c5, in_c6, in_c9, in_c10)."""

def select_plain(pred: Any, on_true: Any, on_false: Any) -> NDArray[Any] | None:
    """`xla.select` of plain C-contiguous arrays of one shape; None for all others."""

def clamp_plain(min: Any, operand: Any, max: Any) -> NDArray[Any] | None:
    """`xla.clamp` of plain arrays of integers or real numbers that break no rule; None for all others."""
