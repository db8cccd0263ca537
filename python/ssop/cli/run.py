"""`ssop run`: take a slice of an .npy file, print what it means, and write it to another file.

An .npy file is memory-mapped and the output is made under a temporary name piece by piece, so files larger than memory
work, and OUT is either complete or as it was before, also when it is IN. Without OUT, nothing is copied but the items
that are printed.
"""

from __future__ import annotations

import argparse
import errno
import itertools
import os
import secrets
import shutil
import stat
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
from numpy.lib.format import open_memmap

import ssop
from ssop._display import index_text
from ssop._masks import MASKS
from ssop.cli.completion import completes_files
from ssop.cli.inputs import open_input
from ssop.cli.progress import Progress
from ssop.cli.spec_options import add_spec_options, read_spec

PIECE_BYTES = 16 * 2**20
"""Of the result, copied between two looks at the clock."""

RATED_BYTES = 16 * 2**20
"""The smallest result whose rate is printed: the time of less is that of making the file and of its first pages."""


WRITE_BITS = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


EPILOG = """examples:
  ssop run in.npy --index "[::-1, 2:9:3]"                         print what it means, and the result
  ssop run in.npy --index "[1, 2:4, None, ..., :-3:-1, :]" -o out.npy
  ssop run in.npy --begin 0,-1 --end 9,0 --strides 1,-2 --end-mask 0b10 -o out.npy
  ssop run many.npz --member weights --index "[..., 0]" -o out.npy
  zcat in.npy.gz | ssop run - --index "[::2]" -o half.npy         from a pipe, into memory"""


def register(subparsers: Any) -> None:
    """Add the parser of `run`."""
    parser = subparsers.add_parser(
        "run",
        help="slice an .npy file",
        description="Take a slice of the array in IN.npy, print what it means, and write it to OUT.npy.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    source = parser.add_argument(
        "input",
        metavar="IN.npy",
        help="the array; it is memory-mapped, not read. An .npz file, a named pipe or - (standard input) is read",
    )
    parser.add_argument("--member", metavar="NAME", help="the array of an .npz file that has several")
    target = parser.add_argument("-o", "--output", metavar="OUT.npy", help="the result; may exist, may be IN.npy")
    completes_files(source)
    completes_files(target)
    add_spec_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command; raise ValueError, OSError, MemoryError or `ssop.SliceError` for input that cannot work."""
    spec = read_spec(arguments)
    target = None if arguments.output is None else _writable(arguments.output)
    x = open_input(arguments.input, arguments.member)
    region = spec.resolve(x.shape)
    view = x[(*region.index, ...)]  # the ellipsis takes nothing, and keeps a 0-d array an array
    _describe(x, spec, region, view)
    sys.stdout.flush()
    if target is None:
        print(_preview(view))
    else:
        seconds = _write(arguments.output, target, view)
        rate = f", {view.nbytes / seconds / 1e9:.3g} GB/s" if view.nbytes >= RATED_BYTES and seconds > 0 else ""
        print(f"copied    in {_duration(seconds)}{rate}")
    return 0


def _describe(x: np.ndarray, spec: ssop.StridedSliceSpec, region: ssop.Region, view: np.ndarray) -> None:
    bits = {name: getattr(spec, f"{name}_mask") & 0xFFFFFFFF for name in MASKS}  # int32 bit patterns (ss_s9)
    print(f"input     {_array_text(x)}")
    print(f"spec      begin {list(spec.begin)}, end {list(spec.end)}, strides {list(spec.strides)}")
    width = 2 + max(1, len(spec.begin))  # a digit per entry
    print(f"masks     {', '.join(f'{name} {mask:#0{width}b}' for name, mask in bits.items())}")
    print(f"region    {region}")
    print(f"index     {index_text(region.index)}")
    print(f"output    {_array_text(view)}")


def _array_text(array: np.ndarray) -> str:
    return f"{array.shape} {array.dtype}, {array.nbytes:,} bytes"


def _duration(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1e3:.2f} ms"


def _preview(result: np.ndarray) -> str:
    """Return the result's text, of a large one the corners of its first matrix; NumPy copies only what it prints."""
    if result.size <= 100:
        return np.array2string(result)
    lead = (0,) * (result.ndim - 2)
    corners = np.array2string(result[lead], threshold=100)
    return f"result[{', '.join('0' for _ in lead)}] =\n{corners}" if lead else corners


def _writable(path: str) -> str:
    """Return the file behind `path`; raise OSError if it exists and may not be replaced.

    Root may write every file, so the permission bits count too.
    """
    target = os.path.realpath(path)  # the file behind a link is replaced, not the link
    if os.path.exists(target):
        mode = os.stat(target).st_mode
        if not stat.S_ISREG(mode):
            raise OSError(None, "not a regular file", path)
        if not mode & WRITE_BITS or not os.access(target, os.W_OK):
            raise OSError(errno.EACCES, "this file is read-only; make it writable or choose another name", path)
    return target


def _write(path: str, target: str, view: np.ndarray) -> float:
    """Write `view` to `target`, which the caller knows as `path`; return the seconds that the copying took."""
    try:
        with _replaced(target) as temporary:
            return _fill(temporary, view)
    except OSError as error:  # names the file the caller knows, not the temporary one
        raise OSError(error.errno, error.strerror or str(error), path) from None


def _fill(path: str, view: np.ndarray) -> float:
    if view.nbytes == 0:  # nothing to map
        np.save(path, view)
        return 0.0
    out = open_memmap(path, mode="w+", dtype=view.dtype, shape=view.shape)
    _reserve(path)
    started = time.perf_counter()
    _copy(out.view(np.ndarray), view)
    seconds = time.perf_counter() - started
    out.flush()
    return seconds


def _reserve(path: str) -> None:
    """Ask for a file's disk blocks: a full disk is an error here, where a write to the map would kill the process."""
    if hasattr(os, "posix_fallocate"):
        with open(path, "r+b") as file:
            try:
                os.posix_fallocate(file.fileno(), 0, os.path.getsize(path))
            except OSError as error:
                if error.errno not in (errno.EINVAL, errno.EOPNOTSUPP):  # file systems that cannot promise
                    raise


@contextmanager
def _replaced(target: str) -> Iterator[str]:
    """Give a name in the directory of `target` that becomes it if the block succeeds, and is removed if it fails."""
    temporary = os.path.join(os.path.dirname(target), f".ssop-{secrets.token_hex(8)}.npy")
    try:
        yield temporary
        if os.path.exists(target):
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    finally:
        with suppress(OSError):  # already gone, or never made
            os.unlink(temporary)


def _copy(out: np.ndarray, view: np.ndarray) -> None:
    """Copy `view` to `out`, with progress."""
    done = 0
    with Progress("bytes", out.nbytes) as progress:
        for piece in _pieces(out.shape, out.itemsize):
            ssop.copyto(out[piece], view[piece])
            done += out[piece].nbytes
            progress.show(done)


def _pieces(shape: Sequence[int], itemsize: int) -> Iterator[tuple[Any, ...]]:
    """Give indices that cut a C-ordered array into pieces of about PIECE_BYTES, in memory order.

    >>> list(_pieces((2, 2**24), 4))[:2]
    [(0, slice(0, 4194304, None), Ellipsis), (0, slice(4194304, 8388608, None), Ellipsis)]
    """
    axis, row = len(shape), itemsize  # bytes of what lies behind `axis`
    while axis > 0 and row * shape[axis - 1] <= PIECE_BYTES:
        axis -= 1
        row *= shape[axis]
    if axis == 0:
        yield (...,)
        return
    step = max(1, PIECE_BYTES // row)
    for lead in itertools.product(*map(range, shape[: axis - 1])):
        for start in range(0, shape[axis - 1], step):
            yield (*lead, slice(start, start + step), ...)
