"""A C function as a subject: called on memory between pages that may not be touched."""

from __future__ import annotations

import ctypes
import mmap
import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ssop.testing._differential.comparison import ssop_answer
from ssop.testing.calls import MAX_ELEMENTS, Answer, Array, Call, Fault, Rejection

PAGE = mmap.PAGESIZE
ROOM_PAGES = 64
MAX_RANK = 64
CANARY = 0xA7
PROT_NONE = 0

LISTS = {
    "tf.slice": ("begin", "size", None),
    "tflite.slice": ("begin", "size", None),
    "xla.slice": ("start_indices", "limit_indices", "strides"),
    "xla.dynamic_slice": ("start_indices", "slice_sizes", None),
    "tf.strided_slice": ("begin", "end", "strides"),
    "tflite.strided_slice": ("begin", "end", "strides"),
}
"""The operations that a C function can be tested on, and their lists."""

MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


class SubjectCall(ctypes.Structure):
    """`ssop_subject_call` of subject.h."""

    _fields_ = [
        ("struct_bytes", ctypes.c_int64),
        ("input", ctypes.c_void_p),
        ("item_bytes", ctypes.c_int64),
        ("rank", ctypes.c_int64),
        ("dims", ctypes.c_void_p),
        ("entries", ctypes.c_int64),
        ("begin", ctypes.c_void_p),
        ("end", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        *((name, ctypes.c_int32) for name in (*MASKS, "allow_negative_indices")),
        ("output", ctypes.c_void_p),
        ("output_bytes", ctypes.c_int64),
        ("output_rank", ctypes.c_int64),
        ("output_dims", ctypes.c_void_p),
    ]


def require_protection() -> None:
    """Raise ValueError on a system, such as Windows, whose pages `Guarded` cannot protect."""
    if not hasattr(mmap, "PROT_READ"):
        raise ValueError("C functions cannot be tested here: memory is not protected by mprotect")


class Guarded:
    """Pages of memory with a page on either side that may not be touched, or that shows if it was written ("soft")."""

    def __init__(self) -> None:
        self.map = mmap.mmap(-1, (ROOM_PAGES + 2) * PAGE)
        self.bytes = np.frombuffer(self.map, np.uint8)
        self.address = int(self.bytes.ctypes.data)
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        self.soft = True
        self.at = self.size = 0

    def guard(self, soft: bool) -> None:
        """Forbid the outer pages, or allow them."""
        if soft != self.soft:
            for page in (0, ROOM_PAGES + 1):
                place = self.address + page * PAGE
                allowed = mmap.PROT_READ | mmap.PROT_WRITE if soft else PROT_NONE
                if self.libc.mprotect(place, PAGE, allowed):
                    raise OSError(ctypes.get_errno(), "mprotect")
            self.soft = soft

    def place(self, data: bytes | Array, at_end: bool, soft: bool = False) -> int:
        """Put data directly before the last page, or directly behind the first; return its address."""
        flat = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else data
        self.size = flat.size
        if self.size > ROOM_PAGES * PAGE:
            raise ValueError(f"{self.size} bytes are more than {ROOM_PAGES * PAGE}")
        self.guard(soft)
        self.at = PAGE + (ROOM_PAGES * PAGE - self.size if at_end else 0)
        first, last = (0, len(self.bytes)) if soft else (PAGE, PAGE * (ROOM_PAGES + 1))
        self.bytes[first:last] = CANARY
        self.bytes[self.at : self.at + self.size] = flat
        return self.address + self.at

    def read(self) -> bytes:
        """The data."""
        return self.bytes[self.at : self.at + self.size].tobytes()

    def written_outside(self) -> str | None:
        """Where a byte outside the data was changed."""
        first, last = (0, len(self.bytes)) if self.soft else (PAGE, PAGE * (ROOM_PAGES + 1))
        before = np.flatnonzero(self.bytes[first : self.at] != CANARY)
        after = np.flatnonzero(self.bytes[self.at + self.size : last] != CANARY)
        if after.size:
            return f"{int(after[-1]) + 1} bytes past the end"
        return f"{self.at - first - int(before[0])} bytes before the start" if before.size else None


class CFunction:
    """The server in the child process: `load`, then `answers`."""

    def __init__(self, path: str, name: str) -> None:
        self.path, self.name = path, name

    def load(self) -> None:
        """Open the library."""
        self.function = getattr(ctypes.CDLL(self.path), self.name)
        self.function.argtypes, self.function.restype = [ctypes.POINTER(SubjectCall)], ctypes.c_int
        self.memory = {name: Guarded() for name in ("input", "output", "dims", "begin", "end", "strides")}

    def answers(self, calls: Sequence[Call]) -> Iterator[Answer]:
        """Each call is made twice: with forbidden memory behind everything, then before everything."""
        for call in calls:
            soft = tuple(call.how.removeprefix("soft ").split()) if call.how.startswith("soft ") else ()
            sides = ((True, 0x5A), (False, 0xC3))
            answers = [self.once(call, at_end, fill, soft) for at_end, fill in sides]
            faults = [answer for answer in answers if isinstance(answer.error, Fault)]
            if faults:
                yield faults[0]
            elif str(answers[0]) != str(answers[1]) or _bytes(answers[0]) != _bytes(answers[1]):
                yield Answer(error=Fault("left bytes of the output unwritten, or its result is not deterministic"))
            else:
                yield answers[0]

    def once(self, call: Call, at_end: bool, fill: int, soft: Sequence[str]) -> Answer:
        """One call with all data at the end or at the start of its memory."""
        (x,), memory = call.arrays, self.memory
        expected = ssop_answer(call)
        room = x.nbytes if expected.array is None else expected.array.nbytes
        names = LISTS[call.op]
        given = [call.args.get(name) if name else None for name in names]
        lists = [None if values is None else np.array([int(v) for v in values], np.int64) for values in given]
        out_dims = (ctypes.c_int64 * MAX_RANK)()
        request = SubjectCall(
            struct_bytes=ctypes.sizeof(SubjectCall), item_bytes=x.itemsize, rank=x.ndim,
            entries=0 if lists[0] is None else len(lists[0]), output_bytes=room, output_rank=-1,
            output_dims=ctypes.addressof(out_dims),
        )  # fmt: skip
        data = x.tobytes()
        request.input = memory["input"].place(data, at_end, "input" in soft)
        request.dims = memory["dims"].place(np.array(x.shape, np.int64).view(np.uint8), at_end)
        for slot, values in zip(("begin", "end", "strides"), lists, strict=True):
            if values is not None:
                setattr(request, slot, memory[slot].place(values.view(np.uint8), at_end))
        for name in MASKS:
            setattr(request, name, call.args.get(name, 0))
        request.allow_negative_indices = call.args.get("allow_negative_indices", False) is True
        request.output = memory["output"].place(bytes([fill]) * room, at_end, "output" in soft)
        status = self.function(ctypes.byref(request))
        for name, part in memory.items():
            if name in ("input", "output") and (where := part.written_outside()):
                return Answer(error=Fault(f"wrote {where} of the {name}"))
        if memory["input"].read() != data:
            return Answer(error=Fault("changed its input"))
        if status != 0:
            return Answer(error=Rejection("rejected", f"returned {status}"))
        return self.result(request, list(out_dims), x.dtype, memory["output"].read())

    def result(self, request: SubjectCall, dims: Sequence[int], dtype: np.dtype[Any], data: bytes) -> Answer:
        """The array of the dims that the function gave."""
        if not 0 <= request.output_rank <= MAX_RANK:
            return Answer(error=Fault(f"gave a result of rank {request.output_rank}"))
        shape = tuple(dims[: request.output_rank])
        size = int(np.prod(shape, dtype=object))
        if min(shape, default=0) < 0 or size > MAX_ELEMENTS:
            return Answer(error=Fault(f"gave a result of shape {shape}"))
        raw = np.zeros(size * dtype.itemsize, np.uint8)
        part = np.frombuffer(data, np.uint8)[: raw.size]
        raw[: part.size] = part
        return Answer(np.frombuffer(raw.tobytes(), dtype).reshape(shape))


def run_c(subject: str, op: str, x: Array, /, **arguments: Any) -> Array:
    """One call of a C function in this process, as `difftest` makes it: for a debugger.

    All memory that the function gets lies between pages that may not be touched. A debugger so stops at the access
    that is wrong.

    Parameters
    ----------
    subject : str
        `"./lib.so:function"`.
    op : str
        The operation, such as `"tf.strided_slice"`.
    x : ndarray
        The input.
    **arguments
        Lists and masks by the names of ssop's function.

    Returns
    -------
    ndarray

    Raises
    ------
    Rejection, Fault : of `ssop.testing.calls`, if the function rejects the call, or does what no function may do.
    ValueError : for an operation that no C function can be tested on, and on Windows.
    """
    if op not in LISTS:
        raise ValueError(f"no C function can be tested on {op!r}; there are {', '.join(LISTS)}")
    require_protection()
    path, _, name = subject.rpartition(":")
    function = CFunction(os.path.abspath(path), name)
    function.load()
    (answer,) = function.answers([Call(op, (x,), arguments)])
    if answer.error is not None:
        raise answer.error
    assert answer.array is not None
    return answer.array


def _bytes(answer: Answer) -> bytes:
    return b"" if answer.array is None else answer.array.tobytes()
