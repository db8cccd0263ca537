"""XLA's operations that only move data, under XLA's names; the one-axis forms are those of `jax.lax`.

Semantics are those of today's XLA: explicit bounds that are checked and never adjusted, starts of dynamic operations
that are clamped, no implicit negative indices. Every error has XLA's own words. What differs elsewhere:

| what | here and in XLA | elsewhere |
| --- | --- | --- |
| a negative start or index | outside; `allow_negative_indices=True` adds the dim once | JAX adds it by default |
| a negative `axis` of a one-axis form | counts from the end: it names an axis, not an element | the same in JAX |
| a window that does not fit | moved inside | `out_of_bounds="wrap"`: modulo the dim, XLA's text of 2018 |
| a limit equal to the start, a size of 0 | legal, the result is empty | the text of 2018: "strictly greater" |
| broadcast_in_dim to the operand's own shape | dimensions that do not increase transpose | JAX leaves it as it is |
| collapse(operand, dimensions) | a list of neighbouring axes | JAX: a start and a stop |
| collapse of a list with no such axis | an error; XLA's builder does not look | |
| collapse {0, 1} of [4, 2, 3] | [8, 3], and {1, 2} gives [4, 6] | the texts have them swapped |
| reshape with -1 | an error | NumPy infers the size |
| reshape(operand, new_sizes, dimensions) | transposes first | gone from XLA's builder since 2025 |
| transpose, rev | every axis by its number, 0 .. rank-1 | NumPy takes negative ones and defaults |
| pad with negative edges | removes elements, gaps included | NumPy and TensorFlow refuse |
| clamp with min > max | gives max: min(max(min, x), max) | the text of 2018: max(min(x, a), b) |
| concatenate of different dtypes | an error | NumPy promotes; XLA's mixes float precisions |

`select` and `clamp` are NumPy's assignment, minimum and maximum behind XLA's checks.

>>> import numpy as np, ssop
>>> ssop.xla.pad(np.array([1, 2, 3]), 0, [(1, 0, 1)])
array([0, 1, 0, 2, 0, 3])
"""

from ssop._core import (
    dynamic_slice,
    dynamic_update_slice,
    slice,
)
from ssop._core import (
    xla_broadcast as broadcast,
)
from ssop._core import (
    xla_broadcast_in_dim as broadcast_in_dim,
)
from ssop._core import (
    xla_collapse as collapse,
)
from ssop._core import (
    xla_concatenate as concatenate,
)
from ssop._core import (
    xla_dynamic_index_in_dim as dynamic_index_in_dim,
)
from ssop._core import (
    xla_dynamic_slice_in_dim as dynamic_slice_in_dim,
)
from ssop._core import (
    xla_dynamic_update_index_in_dim as dynamic_update_index_in_dim,
)
from ssop._core import (
    xla_dynamic_update_slice_in_dim as dynamic_update_slice_in_dim,
)
from ssop._core import (
    xla_index_in_dim as index_in_dim,
)
from ssop._core import (
    xla_pad as pad,
)
from ssop._core import (
    xla_reshape as reshape,
)
from ssop._core import (
    xla_rev as rev,
)
from ssop._core import (
    xla_slice_in_dim as slice_in_dim,
)
from ssop._core import (
    xla_transpose as transpose,
)
from ssop.elementwise import clamp, select

__all__ = [
    "broadcast",
    "broadcast_in_dim",
    "clamp",
    "collapse",
    "concatenate",
    "dynamic_index_in_dim",
    "dynamic_slice",
    "dynamic_slice_in_dim",
    "dynamic_update_index_in_dim",
    "dynamic_update_slice",
    "dynamic_update_slice_in_dim",
    "index_in_dim",
    "pad",
    "reshape",
    "rev",
    "select",
    "slice",
    "slice_in_dim",
    "transpose",
]
