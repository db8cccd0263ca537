"""XLA's operations, under XLA's names; the one-axis forms and some other names are those of `jax.lax`.

The semantics are those of today's XLA: explicit bounds are checked and never adjusted, the starts of dynamic operations
are clamped, and negative indices are not counted from the end. Error messages contain XLA's own phrases.

Where today's XLA is not what its document of 2017 says, `ssop.divergences.rows("document", of="xla")` has a row.
The operations here differ from JAX and NumPy in:

- negative_start (ds_s1): a negative start is out of bounds and clamped to 0; JAX adds the dim first, as
  allow_negative_indices=True does here.
- negative_bound (sl_c4): slice_in_dim and index_in_dim reject negative bounds; JAX adds the dim first, as
  allow_negative_indices=True does here.
- transposing_broadcast (bid_s2): broadcast_dimensions that do not increase transpose the operand, even to its own
  shape; JAX returns such an operand unchanged.
- scalar_joined (cat_c2): a scalar has no axis to concatenate along and is an error; JAX returns a single scalar
  unchanged.
- mixed_dtypes (cat_c4): operands of different dtypes are an error; NumPy promotes them.
- unknown_size (in_c10): a size of -1 is an error; NumPy infers it.
- negative_axis (tr_c2): negative axes are errors, except in the one-axis forms; NumPy counts them from the end.
- cropping (pad_s2): negative edge padding removes elements; in NumPy it is an error.
- branch_not_chosen (cd_s1): of plain functions, a branch that is not chosen is not called, and its result may be of
  any type; JAX traces all branches and compares their results.
- branch_of_large_number (cd_s3): a number of 2**31 or more chooses the last branch; JAX converts it to int32 first,
  where it is negative, and chooses the first one.
- subnormal_numbers (ew_s8): subnormal numbers are numbers like others; XLA's code for the CPU takes them as zeros in
  some operations.
- init_value_in_padding (rw_s2): padding and holes are the init value, each time, as StableHLO says; JAX passes them
  over on CPU, and the init value counts once for a window.
- no_dimensions (red_s3): without dimensions, each element is joined with the init value; JAX returns the operand
  unchanged.
- equal_elements (sas_s1): of equal elements, the first in the order of their indices is chosen; XLA on CPU, and JAX
  with it, may choose another one.
- nan_without_mantissa (rp_s3): with no bits of a mantissa, NaN becomes +inf, as in StableHLO's interpreter; XLA on
  CPU, and JAX with it, keeps NaN.

`select` and `clamp` make XLA's checks. Plain arrays are then combined in C, others by NumPy's `where`, `minimum` and
`maximum`.

>>> import numpy as np, ssop
>>> ssop.xla.pad(np.array([1, 2, 3]), 0, [(1, 0, 1)])
array([0, 1, 0, 2, 0, 3])
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

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
from ssop._elementwise import clamp, select
from ssop._errors import unknown_operation as _unknown_operation

if _TYPE_CHECKING:
    from ssop._xla.batch_norm import batch_norm_grad, batch_norm_inference, batch_norm_training
    from ssop._xla.branches import cond, conditional, indexed_conditional, switch
    from ssop._xla.computation import Computation
    from ssop._xla.contraction import dot, dot_general
    from ssop._xla.control import call, map, while_, while_loop
    from ssop._xla.conversion import bitcast_convert_type, convert_element_type
    from ssop._xla.convolution import conv, conv_general_dilated, conv_with_general_padding
    from ssop._xla.custom_calls import custom_call, register_custom_call, unregister_custom_call
    from ssop._xla.elementwise import (
        abs,
        add,
        bitwise_and,
        bitwise_not,
        bitwise_or,
        ceil,
        cos,
        div,
        eq,
        exp,
        floor,
        ge,
        gt,
        is_finite,
        le,
        log,
        logical_and,
        logical_not,
        logical_or,
        lt,
        max,
        min,
        mul,
        ne,
        neg,
        rem,
        sign,
        sub,
        tanh,
    )
    from ssop._xla.gathering import gather, scatter
    from ssop._xla.iota import broadcasted_iota, iota
    from ssop._xla.precision import reduce_precision
    from ssop._xla.queues import infeed, outfeed, recv, send, transfer_from_outfeed, transfer_to_infeed
    from ssop._xla.randomness import rng_bernoulli, rng_bit_generator, rng_normal, rng_uniform
    from ssop._xla.reduce_window import reduce_window
    from ssop._xla.reduction import reduce
    from ssop._xla.replicas import cross_replica_sum
    from ssop._xla.select_and_scatter import select_and_scatter
    from ssop._xla.sorting import sort
    from ssop._xla.tuples import get_tuple_element, tuple

# The operations that compute: a module of `ssop._xla` is loaded when one of its names is asked for.
_MODULES = {
    "sorting": ("sort",),
    "iota": ("broadcasted_iota", "iota"),
    "randomness": ("rng_bernoulli", "rng_bit_generator", "rng_normal", "rng_uniform"),
    "precision": ("reduce_precision",),
    "conversion": ("bitcast_convert_type", "convert_element_type"),
    "batch_norm": ("batch_norm_grad", "batch_norm_inference", "batch_norm_training"),
    "branches": ("cond", "conditional", "indexed_conditional", "switch",),
    "computation": ("Computation",),
    "control": ("call", "map", "while_", "while_loop",),
    "custom_calls": ("custom_call", "register_custom_call", "unregister_custom_call",),
    "queues": ("infeed", "outfeed", "recv", "send", "transfer_from_outfeed", "transfer_to_infeed",),
    "replicas": ("cross_replica_sum",),
    "tuples": ("get_tuple_element", "tuple",),
    "contraction": ("dot", "dot_general"),
    "convolution": ("conv", "conv_general_dilated", "conv_with_general_padding"),
    "elementwise": (
        "abs", "add", "bitwise_and", "bitwise_not", "bitwise_or", "ceil", "cos", "div", "eq", "exp", "floor", "ge",
        "gt", "is_finite", "le", "log", "logical_and", "logical_not", "logical_or", "lt", "max", "min", "mul", "ne",
        "neg", "rem", "sign", "sub", "tanh",
    ),
    "reduce_window": ("reduce_window",),
    "reduction": ("reduce",),
    "select_and_scatter": ("select_and_scatter",),
    "gathering": ("gather", "scatter"),
}  # fmt: skip
_HOMES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "Computation",
    "abs",
    "add",
    "batch_norm_grad",
    "batch_norm_inference",
    "batch_norm_training",
    "bitcast_convert_type",
    "bitwise_and",
    "bitwise_not",
    "bitwise_or",
    "broadcast",
    "broadcast_in_dim",
    "broadcasted_iota",
    "call",
    "ceil",
    "clamp",
    "collapse",
    "concatenate",
    "cond",
    "conditional",
    "conv",
    "conv_general_dilated",
    "conv_with_general_padding",
    "convert_element_type",
    "cos",
    "cross_replica_sum",
    "custom_call",
    "div",
    "dot",
    "dot_general",
    "dynamic_index_in_dim",
    "dynamic_slice",
    "dynamic_slice_in_dim",
    "dynamic_update_index_in_dim",
    "dynamic_update_slice",
    "dynamic_update_slice_in_dim",
    "eq",
    "exp",
    "floor",
    "gather",
    "ge",
    "get_tuple_element",
    "gt",
    "index_in_dim",
    "indexed_conditional",
    "infeed",
    "iota",
    "is_finite",
    "le",
    "log",
    "logical_and",
    "logical_not",
    "logical_or",
    "lt",
    "map",
    "max",
    "min",
    "mul",
    "ne",
    "neg",
    "outfeed",
    "pad",
    "recv",
    "reduce",
    "reduce_precision",
    "reduce_window",
    "register_custom_call",
    "rem",
    "reshape",
    "rev",
    "rng_bernoulli",
    "rng_bit_generator",
    "rng_normal",
    "rng_uniform",
    "scatter",
    "select",
    "select_and_scatter",
    "send",
    "sign",
    "slice",
    "slice_in_dim",
    "sort",
    "sub",
    "switch",
    "tanh",
    "transfer_from_outfeed",
    "transfer_to_infeed",
    "transpose",
    "tuple",
    "unregister_custom_call",
    "while_",
    "while_loop",
]


def __getattr__(name: str) -> _Any:
    if name not in _HOMES:
        raise _unknown_operation(__name__, name, __all__)
    operation = getattr(_import_module(f"ssop._xla.{_HOMES[name]}"), name)
    globals()[name] = operation
    return operation


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
