"""Who is measured: ssop, NumPy, libc's memcpy, and the frameworks (`frameworks.py`) that are installed."""

from __future__ import annotations

import ctypes
import importlib.util
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import ssop
import ssop.xla
from ssop.testing.bench import frameworks
from ssop.testing.bench.call import Call, Rejected
from ssop.testing.bench.cases import PAGE, Array, Work, flat_bytes, placed


@dataclass(frozen=True)
class Contender:
    """One way to do all kinds of work.

    load: takes the number of threads, imports and sets up what is needed, returns its version.
    call: makes the call that does a piece of work; raises Rejected where there is none.
    """

    name: str
    module: str
    load: Callable[[int], str]
    call: Callable[[Work], Call]

    @property
    def installed(self) -> bool:
        """Whether its module can be found; nothing is imported."""
        return importlib.util.find_spec(self.module) is not None


class Team(NamedTuple):
    """Contenders that are loaded, ssop first, and their versions."""

    members: list[Contender]
    versions: dict[str, str]


def usable_cpus() -> int:
    """Return how many CPUs this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _load_ssop(threads: int) -> str:
    set_threads: Any = getattr(ssop, "set_num_threads", None)  # not every version has threads
    if set_threads is not None:
        set_threads(threads)
    return ssop.__version__


def _ssop(work: Work) -> Call:
    x, out = work.x, work.out
    if work.op == "copy":
        return Call(lambda: ssop.copyto(out, x), lambda _: out)
    if work.op == "transpose":
        seen = x.transpose(work.order)
        return Call(lambda: ssop.copyto(out, seen), lambda _: out)
    if work.op == "pad":
        padding, zero = work.padding, x.dtype.type(0)
        return Call(lambda: ssop.xla.pad(x, zero, padding, out=out))
    begin, end, strides = work.lists
    if work.op == "grad":
        shape = out.shape
        return Call(lambda: ssop.strided_slice_grad(shape, begin, end, strides, x, out=out))
    if work.op == "assign":
        return Call(lambda: ssop.strided_slice_assign(out, begin, end, strides, x))
    if work.op == "slice":
        return Call(lambda: ssop.strided_slice(x, begin, end, strides, out=out))
    if work.form == "plan":
        plan = ssop.plan(ssop.StridedSliceSpec(begin, end, strides), x.shape, x.dtype)
        return Call(lambda: plan(x))
    return Call(lambda: ssop.strided_slice(x, begin, end, strides))


def _numpy(work: Work) -> Call:
    x, out, index, copyto = work.x, work.out, work.index, np.copyto

    def grad() -> None:
        out.fill(0)
        out[index] = x

    def assign() -> None:
        out[index] = x

    if work.form == "lists":
        begin, end, strides = work.lists
        return Call(lambda: x[tuple(map(slice, begin, end, strides))].copy())
    if work.op == "new":
        return Call(lambda: x[index].copy())
    runs: dict[str, Callable[[], object]] = {
        "slice": lambda: copyto(out, x[index]),
        "transpose": lambda: copyto(out, x.transpose(work.order)),
        "copy": lambda: copyto(out, x),
        "grad": grad,
        "pad": grad,
        "assign": assign,
    }
    return Call(runs[work.op], lambda _: out)


def _numpy_new(work: Work) -> Call:
    """NumPy into a new array, where `numpy` has a warm one."""
    x, index = work.x, work.index
    if work.op not in ("slice", "transpose"):
        raise Rejected("only for slices and transposition into a warm output")
    order = work.order
    return Call((lambda: x.transpose(order).copy()) if work.op == "transpose" else (lambda: x[index].copy()))


def _memcpy(work: Work) -> Call:
    """Copy as many bytes as the result has, contiguous on both sides; what calling through ctypes costs is left out."""
    if work.op == "new" and (work.keep or work.out.nbytes < PAGE):
        raise Rejected("measures an output that exists and is no tiny one")
    out = flat_bytes(placed(work.out.shape, work.out.dtype, PAGE // 2))
    if work.op == "assign":
        out = out[: work.x.nbytes]
    source = placed(out.shape, "u1")
    memcpy, to, of, size = ctypes.memmove, out.ctypes.data, source.ctypes.data, out.nbytes
    keep = (out, source)
    return Call(lambda: memcpy(to, of, size), lambda _: keep[0], empty=lambda: memcpy(to, of, 0), answers=False)


CONTENDERS = {
    contender.name: contender
    for contender in (
        Contender("ssop", "ssop", _load_ssop, _ssop),
        Contender("numpy", "numpy", lambda threads: np.__version__, _numpy),
        Contender("numpy-new", "numpy", lambda threads: np.__version__, _numpy_new),
        Contender("memcpy", "ctypes", lambda threads: _libc(), _memcpy),
        Contender("torch", "torch", frameworks.load_torch, frameworks.torch_call),
        Contender("tensorflow", "tensorflow", frameworks.load_tensorflow, frameworks.tensorflow_call),
        Contender("jax", "jax", frameworks.load_jax, frameworks.jax_call),
        Contender("onnxruntime", "onnxruntime", frameworks.load_onnxruntime, frameworks.onnxruntime_call),
        Contender("openvino", "openvino", frameworks.load_openvino, frameworks.openvino_call),
    )
}

BASELINES = ("ssop", "numpy", "memcpy")
"""Always measured unless contenders are named; all that a quick run measures."""


def _libc() -> str:
    import platform

    return " ".join(platform.libc_ver()).strip() or platform.system()


def team(names: list[str] | None, threads: int, quick: bool) -> Team:
    """Load ssop and the named contenders, by default all that are installed; ValueError for one that cannot be."""
    if names is None:
        chosen = [c for c in CONTENDERS.values() if c.name in BASELINES or (c.installed and not quick)]
    else:
        chosen = [CONTENDERS[name] for name in dict.fromkeys(["ssop", *names])]
    versions: dict[str, str] = {}
    for contender in chosen:
        if not contender.installed:
            raise ValueError(f"contender {contender.name} is not installed")
        try:
            versions[contender.name] = contender.load(threads)
        except Exception as error:  # whatever a broken installation says
            raise ValueError(f"contender {contender.name} cannot be loaded: {error}") from None
    return Team(chosen, versions)


def checked_call(contender: Contender, work: Work, expected: Array) -> Call:
    """Return the contender's call for this work after one run whose bytes agreed with NumPy's.

    Rejected if there is no such call, the answer is wrong or shares memory with the input: then nothing was copied.
    """
    work.reset()
    try:
        if work.op == "pad" and contender.name not in BASELINES:
            raise Rejected("pads by calls of its own, which are not measured")
        call = contender.call(work)
        answer = call.answer(call.run())
    except Rejected:
        raise
    except Exception as error:  # whatever a framework says to a dtype it lacks
        if contender.name in BASELINES:
            raise
        raise Rejected(
            f"{type(error).__name__}: {str(error).strip().splitlines()[0][:100]}"
            if str(error)
            else type(error).__name__
        ) from None
    if call.answers:
        same = answer.nbytes == expected.nbytes and np.array_equal(_bytes(answer), _bytes(expected))
        if not same:
            raise Rejected("its bytes are not NumPy's")
        if work.op != "assign" and any(np.may_share_memory(answer, source) for source in (work.x, *call.inputs)):
            raise Rejected("its result is an alias of the input")
    del answer
    return call.kept(work.keep) if work.keep else call


def _bytes(array: Array) -> Any:
    return flat_bytes(np.ascontiguousarray(array))
