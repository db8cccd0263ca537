"""Every operation on arrays as one row of a table, at any size: what it takes, what it makes, and a call of it.

A call is written for the sizes that its arrays have at first. It does not ask the arrays, which other code may change.
Shapes are written in letters: "rc" is rows by columns; h is half of the rows, d the double of them, p two more, and n
rows times columns.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import ssop
from ssop import _core, onnx, openvino, tf, tflite, xla


@dataclass(frozen=True)
class Sizes:
    """Rows (an even number) and columns of the arrays, and their dtype."""

    r: int
    c: int
    dtype: Any

    @property
    def h(self):
        return self.r // 2

    @property
    def d(self):
        return self.r * 2

    @property
    def p(self):
        return self.r + 2

    @property
    def n(self):
        return self.r * self.c

    def shape(self, letters):
        return tuple(getattr(self, x) if x.isalpha() else int(x) for x in letters)


class Ints:
    """How a call writes its integers: one alone, or several as a vector."""

    def one(self, value):
        return value

    def __call__(self, *values):
        return [self.one(value) for value in values]


@dataclass(frozen=True)
class Operation:
    takes: tuple[str, ...]  # the shapes of its arrays; "?rc" is an array of bools
    makes: str | None  # the shape of the result, None if it takes no out
    call: Callable[[list[Any], Sizes, Ints], tuple[Any, Any, dict[str, Any]]]  # a function and its arguments
    target: int | None = None  # the array that it writes to
    values: tuple[int, ...] = field(default=())  # arrays that may be lists, or objects to be converted
    ordered: bool = False  # takes numbers only


def _spec(s, n):
    return ssop.StridedSliceSpec(n(0, -1), n(s.r, -s.c - 1), n(1, -1))


def _way(dst, src):
    return _core.describe_copy(dst, src)["way"]


def _cut(n, *bounds):
    return slice(*(bound if bound is None else n.one(bound) for bound in bounds))


WRAP = {"out_of_bounds": "wrap"}
FILL = {"out_of_bounds": "fill"}

OPERATIONS = {
    "copy": Operation(("rc",), "rc", lambda a, s, n: (ssop.copy, (a[0],), {})),
    "copyto": Operation(("rc", "rc"), None, lambda a, s, n: (ssop.copyto, (a[0], a[1]), {}), target=0, values=(1,)),
    "describe_copy": Operation(("rc", "rc"), None, lambda a, s, n: (_way, (a[0], a[1]), {}), values=(1,)),
    "strided_slice": Operation(
        ("rc",), "rc", lambda a, s, n: (ssop.strided_slice, (a[0], n(0, -1), n(s.r, -s.c - 1), n(1, -1)), {})
    ),
    "strided_slice masks": Operation(
        ("2rc",),
        "rc",
        lambda a, s, n: (
            ssop.strided_slice,
            (a[0], n(1, 0, 0), n(1, 0, 0), None, n.one(2), n.one(6), n.one(0), n.one(0), n.one(1)),
            {},
        ),
    ),
    "strided_slice_grad": Operation(
        ("rc",), "dc", lambda a, s, n: (ssop.strided_slice_grad, (n(s.d, s.c), n(0), n(s.r), n(1), a[0]), {})
    ),
    "strided_slice_assign": Operation(
        ("rc", "hc"),
        None,
        lambda a, s, n: (ssop.strided_slice_assign, (a[0], n(0, 0), n(s.h, s.c), n(1, 1), a[1]), {}),
        target=0,
        values=(1,),
    ),
    "tensor_strided_slice_update": Operation(
        ("rc", "hc"),
        "rc",
        lambda a, s, n: (ssop.tensor_strided_slice_update, (a[0], n(0, 0), n(s.r, s.c), n(2, 1), a[1]), {}),
        values=(1,),
    ),
    "index": Operation(
        ("2rc",),
        "rc",
        lambda a, s, n: (ssop.index, (a[0], (n.one(1), _cut(n, 0, s.r, 1), _cut(n, None, None, -1))), {}),
    ),
    "index_assign": Operation(
        ("rc", "hc"),
        None,
        lambda a, s, n: (ssop.index_assign, (a[0], _cut(n, 0, s.h), a[1]), {}),
        target=0,
        values=(1,),
    ),
    "index_update": Operation(
        ("rc", "hc"),
        "rc",
        lambda a, s, n: (ssop.index_update, (a[0], (_cut(n, 0, s.r, 2), ...), a[1]), {}),
        values=(1,),
    ),
    "slice": Operation(("dc",), "rc", lambda a, s, n: (ssop.slice, (a[0], n(0, 0), n(s.d, s.c), n(2, 1)), {})),
    "dynamic_slice": Operation(("dc",), "rc", lambda a, s, n: (ssop.dynamic_slice, (a[0], n(s.h, 0), n(s.r, s.c)), {})),
    "dynamic_slice fill": Operation(
        ("rc", ""),
        "rc",
        lambda a, s, n: (ssop.dynamic_slice, (a[0], n(1, 1), n(s.r, s.c)), FILL | {"fill_value": a[1]}),
        values=(1,),
    ),
    "dynamic_slice rows": Operation(
        ("dc",), "2rc", lambda a, s, n: (ssop.dynamic_slice, (a[0], [n(0, 0), n(s.h, 0)], n(s.r, s.c)), {})
    ),
    "dynamic_slice wrap": Operation(
        ("rc",), "rc", lambda a, s, n: (ssop.dynamic_slice, (a[0], n(1, 1), n(s.r, s.c)), WRAP)
    ),
    "dynamic_update_slice": Operation(
        ("rc", "4c"), "rc", lambda a, s, n: (ssop.dynamic_update_slice, (a[0], a[1], n(1, 0)), {}), values=(1,)
    ),
    "dynamic_update_slice wrap": Operation(
        ("rc", "hc"),
        "rc",
        lambda a, s, n: (ssop.dynamic_update_slice, (a[0], a[1], n(s.r - 1, 1)), WRAP),
        values=(1,),
    ),
    "tf.strided_slice": Operation(
        ("dc",), "rc", lambda a, s, n: (tf.strided_slice, (a[0], n(0, 0), n(s.d, s.c), n(2, 1)), {})
    ),
    "tf.strided_slice_grad": Operation(
        ("rc",), "dc", lambda a, s, n: (tf.strided_slice_grad, (n(s.d, s.c), n(0), n(s.r), n(1), a[0]), {})
    ),
    "tf.strided_slice_assign": Operation(
        ("rc", "hc"),
        None,
        lambda a, s, n: (tf.strided_slice_assign, (a[0], n(0, 0), n(s.h, s.c), n(1, 1), a[1]), {}),
        target=0,
        values=(1,),
    ),
    "tf.tensor_strided_slice_update": Operation(
        ("rc", "hc"),
        "rc",
        lambda a, s, n: (tf.tensor_strided_slice_update, (a[0], n(0, 0), n(s.r, s.c), n(2, 1), a[1]), {}),
        values=(1,),
    ),
    "tf.slice": Operation(("dc",), "rc", lambda a, s, n: (tf.slice, (a[0], n(s.h, 0), n(s.r, -1)), {})),
    "tflite.strided_slice": Operation(
        ("dc",),
        "rc",
        lambda a, s, n: (tflite.strided_slice, (a[0], n(s.h, 0), n(s.r, s.c), n(1, 1)), {"offset": True}),
    ),
    "tflite.slice": Operation(("dc",), "rc", lambda a, s, n: (tflite.slice, (a[0], n(s.h, 0), n(s.r, s.c)), {})),
    "openvino.strided_slice": Operation(
        ("2rc",),
        "rc",
        lambda a, s, n: (
            openvino.strided_slice,
            (a[0], n(1, 0, 0), n(2, s.r, s.c), n(1, 1, 1)),
            {"shrink_axis_mask": n(1)},
        ),
    ),
    "openvino.slice": Operation(
        ("dc",), "rc", lambda a, s, n: (openvino.slice, (a[0], n(s.d, 0), n(-s.d - 1, s.c), n(-2, 1), n(0, 1)), {})
    ),
    "onnx.slice": Operation(
        ("dc",), "rc", lambda a, s, n: (onnx.slice, (a[0], n(s.d, 0), n(-s.d - 1, s.c), n(0, 1), n(-2, 1)), {})
    ),
    "onnx.slice ort": Operation(
        ("dc",), "rc", lambda a, s, n: (onnx.slice, (a[0], n(0), n(s.r), n(0), n(1)), {"engine": "ort"})
    ),
    "slice_in_dim": Operation(
        ("dc",), "rc", lambda a, s, n: (xla.slice_in_dim, (a[0], n.one(0), n.one(s.d), n.one(2), n.one(0)), {})
    ),
    "index_in_dim": Operation(
        ("2rc",), "rc", lambda a, s, n: (xla.index_in_dim, (a[0], n.one(1), n.one(0)), {"keepdims": False})
    ),
    "dynamic_slice_in_dim": Operation(
        ("rc",),
        "rc",
        lambda a, s, n: (xla.dynamic_slice_in_dim, (a[0], n.one(1), n.one(s.r), n.one(0)), WRAP),
    ),
    "dynamic_index_in_dim": Operation(
        ("2rc",), "rc", lambda a, s, n: (xla.dynamic_index_in_dim, (a[0], n.one(1), n.one(0)), {"keepdims": False})
    ),
    "dynamic_update_slice_in_dim": Operation(
        ("rc", "hc"),
        "rc",
        lambda a, s, n: (xla.dynamic_update_slice_in_dim, (a[0], a[1], n.one(s.r - 1), n.one(0)), WRAP),
        values=(1,),
    ),
    "dynamic_update_index_in_dim": Operation(
        ("2rc", "rc"),
        "2rc",
        lambda a, s, n: (xla.dynamic_update_index_in_dim, (a[0], a[1], n.one(1), n.one(0)), {}),
        values=(1,),
    ),
    "pad": Operation(
        ("rc", ""), "pc", lambda a, s, n: (xla.pad, (a[0], a[1], [n(1, 1, 0), n(0, 0, 0)]), {}), values=(1,)
    ),
    "pad interior": Operation(
        ("rc", ""), "dc", lambda a, s, n: (xla.pad, (a[0], a[1], [n(0, 1, 1), n(1, -1, 0)]), {}), values=(1,)
    ),
    "rev": Operation(("rc",), "rc", lambda a, s, n: (xla.rev, (a[0], n(0, 1)), {})),
    "concatenate": Operation(
        ("rc", "hc", "hc"), "dc", lambda a, s, n: (xla.concatenate, ([a[0], a[1], a[2]], n.one(0)), {}), values=(1, 2)
    ),
    "broadcast": Operation(("rc",), "2rc", lambda a, s, n: (xla.broadcast, (a[0], n(2)), {})),
    "broadcast_in_dim": Operation(
        ("rc",), "2cr", lambda a, s, n: (xla.broadcast_in_dim, (a[0], n(2, s.c, s.r), n(2, 1)), {})
    ),
    "reshape": Operation(("rc",), "cr", lambda a, s, n: (xla.reshape, (a[0], n(s.c, s.r)), {})),
    "reshape dimensions": Operation(("rc",), "n", lambda a, s, n: (xla.reshape, (a[0], n(s.n), n(1, 0)), {})),
    "collapse": Operation(("2rc",), "dc", lambda a, s, n: (xla.collapse, (a[0], n(0, 1)), {})),
    "transpose": Operation(("rc",), "cr", lambda a, s, n: (xla.transpose, (a[0], n(1, 0)), {})),
    "select": Operation(("?rc", "rc", "rc"), None, lambda a, s, n: (xla.select, tuple(a), {}), values=(2,)),
    "clamp": Operation(("", "rc", "rc"), None, lambda a, s, n: (xla.clamp, tuple(a), {}), values=(0, 2), ordered=True),
    "plan": Operation(("rc",), "rc", lambda a, s, n: (ssop.plan(_spec(s, n), n(s.r, s.c), s.dtype), (a[0],), {})),
    "spec": Operation(("rc",), "rc", lambda a, s, n: (_spec(s, n), (a[0],), {})),
}


def _strided(s, n):
    return n(s.r, s.c), n(0, 1), n(s.h, s.c), n(1, 1)


def _sized(s, n):
    return n(s.r, s.c), n(1, 0), n(s.h, s.c)


SOME = _core.PartialShape([3, None, (1, 9)])

# Calls that take shapes in place of arrays, partial shapes, and the reusable specs.
ON_SHAPES = {
    "strided_slice_region": lambda s, n: _core.strided_slice_region(*_strided(s, n), n.one(1), n.one(2)),
    "strided_slice_trace": lambda s, n: _core.strided_slice_trace(*_strided(s, n), n.one(1), n.one(2)),
    "tflite_strided_slice_trace": lambda s, n: _core.tflite_strided_slice_trace(*_strided(s, n)),
    "openvino_strided_slice_trace": lambda s, n: _core.openvino_strided_slice_trace(*_strided(s, n), n(1)),
    "trace of an error": lambda s, n: _core.strided_slice_trace(n(s.r, s.c), n(s.r), n(0), n(0)),
    "check_spec": lambda s, n: _core.check_spec(*_strided(s, n)[1:], n.one(0), n.one(0), n.one(0), n.one(1)),
    "one_slice": lambda s, n: _core.one_slice(*_strided(s, n), n.one(1), n.one(2)),
    "tf_slice_region": lambda s, n: _core.tf_slice_region(*_sized(s, n)),
    "tflite_strided_slice_region": lambda s, n: _core.tflite_strided_slice_region(*_strided(s, n)),
    "tflite_slice_region": lambda s, n: _core.tflite_slice_region(*_sized(s, n)),
    "openvino_strided_slice_region": lambda s, n: _core.openvino_strided_slice_region(*_strided(s, n), n(1)),
    "openvino_slice_region": lambda s, n: _core.openvino_slice_region(*_strided(s, n), n(0, 1)),
    "onnx_slice_region": lambda s, n: _core.onnx_slice_region(*_strided(s, n)[:3], n(0, 1), n(1, 1)),
    "slice_region": lambda s, n: _core.slice_region(*_strided(s, n)),
    "dynamic_slice_regions": lambda s, n: _core.dynamic_slice_regions(*_sized(s, n), **WRAP),
    "dynamic_update_slice_regions": lambda s, n: _core.dynamic_update_slice_regions(
        n(s.r, s.c), n(s.h, s.c), n(s.r - 1, 1), **WRAP
    ),
    "xla_slice_in_dim_region": lambda s, n: _core.xla_slice_in_dim_region(
        n(s.r, s.c), n.one(0), n.one(s.r), n.one(2), n.one(0)
    ),
    "xla_index_in_dim_region": lambda s, n: _core.xla_index_in_dim_region(n(s.r, s.c), n.one(1), n.one(0)),
    "xla_dynamic_slice_in_dim_regions": lambda s, n: _core.xla_dynamic_slice_in_dim_regions(
        n(s.r, s.c), n.one(1), n.one(s.r), n.one(0), **WRAP
    ),
    "xla_dynamic_index_in_dim_regions": lambda s, n: _core.xla_dynamic_index_in_dim_regions(
        n(s.r, s.c), n.one(1), n.one(1)
    ),
    "xla_dynamic_update_slice_in_dim_regions": lambda s, n: _core.xla_dynamic_update_slice_in_dim_regions(
        n(s.r, s.c), n(s.h, s.c), n.one(1), n.one(0)
    ),
    "xla_dynamic_update_index_in_dim_regions": lambda s, n: _core.xla_dynamic_update_index_in_dim_regions(
        n(s.r, s.c), n(s.c), n.one(1), n.one(0)
    ),
    "xla_pad_regions": lambda s, n: _core.xla_pad_regions(n(s.r, s.c), [n(1, 0, 1), n(0, -1, 0)]),
    "xla_rev_region": lambda s, n: _core.xla_rev_region(n(s.r, s.c), n(1)),
    "xla_concatenate_shape": lambda s, n: _core.xla_concatenate_shape([n(s.r, s.c), n(s.h, s.c)], n.one(0)),
    "xla_broadcast_shape": lambda s, n: _core.xla_broadcast_shape(n(s.r, s.c), n(2)),
    "xla_broadcast_in_dim_shape": lambda s, n: _core.xla_broadcast_in_dim_shape(n(s.r, s.c), n(2, s.r, s.c), n(1, 2)),
    "xla_reshape_shape": lambda s, n: _core.xla_reshape_shape(n(s.r, s.c), n(s.c, s.r), n(1, 0)),
    "xla_collapse_shape": lambda s, n: _core.xla_collapse_shape(n(2, s.r, s.c), n(0, 1)),
    "xla_transpose_shape": lambda s, n: _core.xla_transpose_shape(n(s.r, s.c), n(1, 0)),
    "infer_strided_slice": lambda s, n: _core.infer_strided_slice(*_strided(s, n), n.one(1), n.one(2)),
    "infer_strided_slice of intervals": lambda s, n: _core.infer_strided_slice(
        [(n.one(1), n.one(s.r)), None],
        [(n.one(0), n.one(1)), n.one(0)],
        [n.one(s.h), None],
        [None, (n.one(1), n.one(2))],
    ),
    "partial_vector": lambda s, n: _core.partial_vector("op", "starts", n(0, s.r)),
    "infer_tf_slice": lambda s, n: _core.infer_tf_slice(*_sized(s, n)),
    "infer_tflite_strided_slice": lambda s, n: _core.infer_tflite_strided_slice(*_strided(s, n)),
    "infer_tflite_slice": lambda s, n: _core.infer_tflite_slice(*_sized(s, n)),
    "infer_openvino_strided_slice": lambda s, n: _core.infer_openvino_strided_slice(*_strided(s, n), n(1)),
    "infer_openvino_slice": lambda s, n: _core.infer_openvino_slice(*_strided(s, n), n(0, 1)),
    "infer_onnx_slice": lambda s, n: _core.infer_onnx_slice(*_strided(s, n)[:3], n(0, 1), n(1, 1)),
    "infer_slice": lambda s, n: _core.infer_slice(*_strided(s, n)),
    "infer_dynamic_slice": lambda s, n: _core.infer_dynamic_slice(*_sized(s, n)),
    "infer_xla_slice_in_dim": lambda s, n: _core.infer_xla_slice_in_dim(
        n(s.r, s.c), n.one(0), n.one(s.r), n.one(2), n.one(0)
    ),
    "infer_xla_index_in_dim": lambda s, n: _core.infer_xla_index_in_dim(n(s.r, s.c), n.one(1), n.one(0)),
    "infer_xla_dynamic_slice_in_dim": lambda s, n: _core.infer_xla_dynamic_slice_in_dim(
        n(s.r, s.c), n.one(1), n.one(s.r), n.one(0)
    ),
    "infer_xla_dynamic_index_in_dim": lambda s, n: _core.infer_xla_dynamic_index_in_dim(
        n(s.r, s.c), n.one(1), n.one(1)
    ),
    "infer_xla_pad": lambda s, n: _core.infer_xla_pad(n(s.r, s.c), [n(1, 0, 1), n(0, -1, 0)]),
    "infer_xla_rev": lambda s, n: _core.infer_xla_rev(n(s.r, s.c), n(1)),
    "PartialShape": lambda s, n: _core.PartialShape(n(s.r, s.c)),
    "PartialShape of intervals": lambda s, n: _core.PartialShape([n.one(s.r), None, (n.one(1), n.one(s.r))]),
    "PartialShape.merge": lambda s, n: SOME.merge(n(3, s.r, 1)),
    "PartialShape.relax": lambda s, n: SOME.relax(n(3, s.r, 1)),
    "PartialShape.with_rank": lambda s, n: SOME.with_rank(n.one(3)),
    "PartialShape.merge_prefix": lambda s, n: SOME.merge_prefix(n(3, s.r)),
    "PartialShape.replace_dim": lambda s, n: SOME.replace_dim(n.one(1), n.one(s.r)),
    "PartialShape.subshape": lambda s, n: SOME.subshape(n.one(1), n.one(3), n.one(1)),
    "PartialShape.concatenate": lambda s, n: SOME.concatenate(n(s.r, s.c)),
    "PartialShape.contains": lambda s, n: SOME.contains(n(3, s.r, 1)),
    "PartialShape.dim": lambda s, n: SOME.dim(n.one(1)),
    "PartialShape.from_tensor": lambda s, n: SOME.from_tensor(n(s.r, -1)),
    "PartialShape item": lambda s, n: SOME[n.one(1)],
    "Dim": lambda s, n: _core.Dim((n.one(1), n.one(s.r))),
    "Dim.merge": lambda s, n: SOME.dim(2).merge(n.one(2)),
    "Dim.add": lambda s, n: SOME.dim(2).add(n.one(2)),
    "Dim.divide": lambda s, n: SOME.dim(2).divide(n.one(2)),
    "Dim.with_value": lambda s, n: SOME.dim(2).with_value(n.one(2)),
    "Region": lambda s, n: ssop.Region(n(s.r, s.c), [n(0, s.r, 1), n(0, s.c, 1)], n(0, 1)),
    "resolve": lambda s, n: _spec(s, n).resolve(n(s.r, s.c)),
    "to_index": lambda s, n: _spec(s, n).to_index(n(s.r, s.c)),
    "from_index": lambda s, n: ssop.StridedSliceSpec.from_index(
        (n.one(0), np.s_[n.one(1) : n.one(s.h) : n.one(1)], None, ...)
    ),
    "make a plan": lambda s, n: ssop.plan(_spec(s, n), n(s.r, s.c), s.dtype).region,
}
