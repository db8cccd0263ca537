"""Who is measured: ssop, NumPy and libc's memcpy (`baselines.py`), and installed frameworks (`frameworks.py`)."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import ssop
from ssop.testing.bench import baselines, frameworks, hptt_library
from ssop.testing.bench.call import Call, Rejected
from ssop.testing.bench.work import WRITES_ITS_INPUT, Array, Work, flat_bytes


@dataclass(frozen=True)
class Contender:
    """One way to do all kinds of work.

    load: takes the number of threads, imports and sets up what is needed, returns its version.
    call: makes the call that does a piece of work; raises Rejected if the contender cannot do it.
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


CONTENDERS = {
    contender.name: contender
    for contender in (
        Contender("ssop", "ssop", _load_ssop, baselines.ssop_call),
        Contender("numpy", "numpy", lambda threads: np.__version__, baselines.numpy_call),
        Contender("numpy-new", "numpy", lambda threads: np.__version__, baselines.numpy_new_call),
        Contender("memcpy", "ctypes", lambda threads: _libc(), baselines.memcpy_call),
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


def team(names: list[str] | None, threads: int, quick: bool, hptt: Path | None = None) -> Team:
    """Load ssop and the named contenders, by default all that are installed; ValueError for one that cannot be.

    `hptt` is the path of an HPTT, which then takes part as well.
    """
    if names is None:
        chosen = [c for c in CONTENDERS.values() if c.name in BASELINES or (c.installed and not quick)]
    else:
        chosen = [CONTENDERS[name] for name in dict.fromkeys(["ssop", *names])]
    if hptt is not None:
        library = hptt_library.Library(hptt)
        chosen.append(Contender("hptt", "ctypes", library.load, library.call))
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
    if work.op == "shift" and contender.name not in BASELINES:
        raise Rejected("shifts nothing within one array")
    work.reset()
    try:
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
        sources = () if work.op in WRITES_ITS_INPUT else (work.x, *work.operands, *call.inputs)
        if any(np.may_share_memory(answer, source) for source in sources):
            raise Rejected("its result is an alias of the input")
    del answer
    return call.kept(work.keep) if work.keep else call


def _bytes(array: Array) -> Any:
    return flat_bytes(np.ascontiguousarray(array))
