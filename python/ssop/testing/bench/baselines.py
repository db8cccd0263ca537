"""The calls that are always measured: ssop's own, NumPy's, and memcpy."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

import ssop
import ssop.xla
from ssop.testing.bench.call import Call, Rejected
from ssop.testing.bench.work import AROUND, INTO_A_WINDOW, PAGE, Array, Work, placed


def ssop_call(work: Work) -> Call:
    """Return ssop's own call: into `out`, where the operation can."""
    x, out = work.x, work.out
    if work.op in ("slice", "new", "grad", "assign"):
        return _ssop_slice(work)
    if work.op in ("window", "update"):
        starts = work.starts
        operand, update = (out, x) if work.op == "window" else (x, work.operands[0])
        return Call(lambda: ssop.xla.dynamic_update_slice(operand, update, starts, out=out))
    xla, shape, axes, operands = ssop.xla, out.shape, work.axes, work.operands
    every = tuple(range(len(shape)))
    seen = x.transpose(work.order) if work.op in ("transpose", "reshape") else x
    runs: dict[str, Callable[[], object]] = {
        **dict.fromkeys(("copy", "shift"), lambda: ssop.copyto(out, x)),
        "transpose": lambda: ssop.copyto(out, seen),
        "reshape": lambda: xla.reshape(seen, shape, out=out),
        "broadcast": lambda: xla.broadcast_in_dim(x, shape, every, out=out),
        "concatenate": lambda: xla.concatenate(operands, axes[0], out=out),
        "select": lambda: xla.select(*operands),
        "clamp": lambda: xla.clamp(operands[0], x, operands[1]),
    }
    if work.op == "pad":
        padding, value = work.padding, x.dtype.type(work.value)
        return Call(lambda: xla.pad(x, value, padding, out=out))
    return Call(runs[work.op], _answer(work))


def _ssop_slice(work: Work) -> Call:
    x, out, (begin, end, strides) = work.x, work.out, work.lists
    if work.op == "grad":
        shape = out.shape
        return Call(lambda: ssop.strided_slice_grad(shape, begin, end, strides, x, out=out))
    if work.op == "assign":
        return Call(lambda: ssop.strided_slice_assign(out, begin, end, strides, x))
    if work.form == "plan":
        plan = ssop.plan(ssop.StridedSliceSpec(begin, end, strides), x.shape, x.dtype)
        return Call((lambda: plan(x, out=out)) if work.op == "slice" else (lambda: plan(x)))
    if work.op == "slice":
        return Call(lambda: ssop.strided_slice(x, begin, end, strides, out=out))
    return Call(lambda: ssop.strided_slice(x, begin, end, strides))


def numpy_call(work: Work) -> Call:
    """Return what one writes with NumPy, into `out` where NumPy can."""
    x, out, index, operands, copyto = work.x, work.out, work.index, work.operands, np.copyto
    value, order, axis = work.value, work.order, work.axes[0] if work.axes else 0

    def around() -> None:
        out.fill(value)
        out[index] = x

    def assign() -> None:
        out[index] = x

    def update() -> None:
        copyto(out, x)
        out[index] = operands[0]

    if work.form == "lists" and work.op == "new":
        begin, end, strides = work.lists
        return Call(lambda: x[tuple(map(slice, begin, end, strides))].copy())
    runs: dict[str, Callable[[], object]] = {
        "new": lambda: x[index].copy(),
        "slice": lambda: copyto(out, x[index]),
        "transpose": lambda: copyto(out, x.transpose(order)),
        "reshape": lambda: copyto(out.reshape([x.shape[axis] for axis in order]), x.transpose(order)),
        **dict.fromkeys(("copy", "shift"), lambda: copyto(out, x)),
        "broadcast": lambda: copyto(out, x),
        "update": update,
        "concatenate": lambda: np.concatenate(operands, axis, out=out),
        "select": lambda: np.where(*operands),
        "clamp": lambda: np.clip(x, *operands),
        **dict.fromkeys(AROUND, around),
        **dict.fromkeys(INTO_A_WINDOW, assign),
    }
    return Call(runs[work.op], _answer(work))


def _answer(work: Work) -> Callable[[Any], Array]:
    return np.asarray if work.op in ("new", "select", "clamp") else (lambda _: work.out)


def numpy_new_call(work: Work) -> Call:
    """NumPy into a new array, where `numpy` has a warm one."""
    x, index = work.x, work.index
    if work.op not in ("slice", "transpose"):
        raise Rejected("only for slices and transposition into a warm output")
    order = work.order
    return Call((lambda: x.transpose(order).copy()) if work.op == "transpose" else (lambda: x[index].copy()))


def memcpy_call(work: Work) -> Call:
    """Copy as many bytes as the result has, contiguous on both sides."""
    if work.op == "new" and (work.keep or work.out.nbytes < PAGE):
        raise Rejected("measures an output that exists and is no tiny one")
    return copy_of(work.nbytes)


def copy_of(nbytes: int, count: int = 1) -> Call:
    """Return libc's memcpy of so many bytes, or `count` of it one after the other; the Call keeps the arrays.

    What calling through ctypes costs is left out.
    """
    out, source = placed((nbytes,), "u1", PAGE // 2), placed((nbytes,), "u1")
    memcpy, to, of = ctypes.memmove, out.ctypes.data, source.ctypes.data
    keep = (out, source)

    def repeated(size: int) -> Callable[[], None]:
        def run() -> None:
            for _ in range(count):
                memcpy(to, of, size)

        return run

    if count > 1:
        return Call(repeated(nbytes), lambda _: keep[0], empty=repeated(0), answers=False)
    return Call(lambda: memcpy(to, of, nbytes), lambda _: keep[0], empty=lambda: memcpy(to, of, 0), answers=False)
