"""`ssop run`: take a slice of a file, print what it means, and write it to another file.

An .npy file is memory-mapped; zarr arrays and HDF5 files are read by chunks, so files larger than memory work. The
output is written piece by piece under a temporary name. OUT is therefore either complete or as it was before, also when
it is IN. Without OUT, only the items that are printed are read. With - as OUT, the result goes to standard output and
its description to standard error.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections.abc import Generator
from contextlib import closing
from typing import Any, TextIO

import numpy as np

import ssop
from ssop._display import index_text
from ssop._masks import MASKS
from ssop._text import printable
from ssop.cli import boxes, clusters, copying, hdf5_files, inputs, outputs, zarr_stores
from ssop.cli.completion import completes_files
from ssop.cli.inputs import Source, is_read_whole
from ssop.cli.parse import parse_integers
from ssop.cli.progress import Progress
from ssop.cli.spec_options import add_spec_options, read_spec

RATED_BYTES = 16 * 2**20
"""The smallest result whose rate is printed: the time of less is that of making the file and of its first pages."""

TLS = {"ca-file": "the authority that signs for tls://ADDRESS", "cert": "our certificate", "key": "our private key"}
"""Options of a scheduler: those of dask's own commands."""

EDGE = 3
"""Items that are printed at each end of a long axis, as by NumPy."""


EPILOG = """examples:
  ssop run in.npy --index "[::-1, 2:9:3]"                         print what it means, and the result
  ssop run in.npy --index "[1, 2:4, None, ..., :-3:-1, :]" -o out.npy
  ssop run in.npy --begin 0,-1 --end 9,0 --strides 1,-2 --end-mask 0b10 -o out.npy
  ssop run many.npz --member weights --index "[..., 0]" -o out.npy
  ssop run in.zarr --index "[::10]" -o out.zarr --chunks 64,64    reads the chunks that are needed
  ssop run in.h5 --member /run/depth --index "[::-5]" -o out.h5   the same of an HDF5 file
  ssop run s3://bucket/in.zarr --index "[0]" -o out.zarr          a URL of fsspec's, read by zarr
  ssop run in.zarr --index "[::-1]" -o out.zarr --scheduler tcp://host:8786
  zcat in.npy.gz | ssop run - --index "[::2]" -o half.npy         from a pipe, into memory
  ssop run in.npy --index "[::2]" -o - | gzip > half.npy.gz       into a pipe"""


def register(subparsers: Any) -> None:
    """Add the parser of `run`."""
    parser = subparsers.add_parser(
        "run",
        help="slice an .npy file, an HDF5 file or a zarr array",
        description="Take a slice of the array in IN, print what it means, and write it to OUT.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    source = parser.add_argument(
        "input",
        metavar="IN",
        help="an .npy file, which is memory-mapped, or a zarr array or HDF5 file, of which only the chunks that are "
        "needed are read. An .npz file, a named pipe or - (standard input) is read as a whole",
    )
    parser.add_argument(
        "--member", metavar="NAME", help="the array of an .npz or HDF5 file or of a zarr group with several"
    )
    target = parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="the result: a zarr array if it ends in .zarr, HDF5 if in .h5, else .npy; may be IN; - is standard output",
    )
    parser.add_argument(
        "--chunks", metavar="N,N,..", help="the chunks of a zarr or HDF5 OUT; by default those of IN, with their codecs"
    )
    parser.add_argument(
        "--workers", metavar="N", type=int, default=1, help="copy by so many processes; needs dask and distributed"
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="copy by the workers of this scheduler of dask, say tcp://host:8786; they need ssop, and the folders of "
        "IN and OUT by the same names",
    )
    for name, what in TLS.items():
        completes_files(
            parser.add_argument(f"--tls-{name}", metavar="FILE", help=f"{what}; otherwise as dask is configured")
        )
    add_spec_options(parser)
    completes_files(source)
    completes_files(target)


def run(arguments: argparse.Namespace) -> int:
    """Run the command; raise ValueError, OSError, MemoryError or `ssop.SliceError` for input that cannot work."""
    spec = read_spec(arguments)
    place = _place(arguments)
    target, chunks = _target(arguments, place)
    source = Source(arguments.input, arguments.member)
    x = source.open()
    if not place.is_here and is_read_whole(x):
        raise ValueError(
            f"{place.option}: {source.path} is read as a whole, so that other processes cannot share the work"
        )
    region = spec.resolve(x.shape)
    told = sys.stderr if target == inputs.STDIN else sys.stdout
    _describe(x, spec, region, told)
    told.flush()
    if target is None:
        print(_preview(source, x, region))
        return 0
    seconds = _write(arguments.output, target, chunks, place, source, x, region)
    nbytes = _nbytes(region.shape, x.dtype)
    rate = f", {nbytes / seconds / 1e9:.3g} GB/s" if nbytes >= RATED_BYTES and seconds > 0 else ""
    print(f"copied    in {_duration(seconds)}{rate}", file=told)
    return 0


def _place(arguments: argparse.Namespace) -> clusters.Place:
    """Return where the copying is done."""
    if arguments.workers < 1:
        raise ValueError(f"--workers needs a positive number, not {arguments.workers}")
    given = {name: getattr(arguments, f"tls_{name.replace('-', '_')}") for name in TLS}
    if arguments.scheduler is None:
        for name, file in given.items():
            if file is not None:
                raise ValueError(f"--tls-{name} needs --scheduler")
    elif arguments.workers > 1:
        raise ValueError("--workers are processes of this machine, and --scheduler has its own")
    elif arguments.output == inputs.STDIN:
        raise ValueError("--scheduler needs a file or a zarr array as output, which its workers write to")
    names = {"ca-file": "tls_ca_file", "cert": "tls_client_cert", "key": "tls_client_key"}
    security = {names[name]: file for name, file in given.items() if file is not None}
    return clusters.Place(arguments.workers, arguments.scheduler, security)


def _target(arguments: argparse.Namespace, place: clusters.Place) -> tuple[str | None, list[int] | None]:
    """Return the file or directory to make and the chunks it shall have; None for what was not asked for."""
    if arguments.output is None:
        for name in ("chunks", "workers", "scheduler"):
            if getattr(arguments, name) not in (None, 1):
                raise ValueError(f"--{name} needs an output: -o OUT")
        return None, None
    if arguments.chunks is not None and not outputs.has_chunks(arguments.output):
        raise ValueError("--chunks needs an output that has chunks: a name that ends in .zarr or .h5")
    if not place.is_here and hdf5_files.is_name(arguments.output):
        raise ValueError(f"{place.option}: one process alone can write an HDF5 file; write a .zarr or .npy")
    chunks = None if arguments.chunks is None else parse_integers(arguments.chunks)
    return arguments.output if arguments.output == inputs.STDIN else outputs.writable(arguments.output), chunks


def _describe(x: Any, spec: ssop.StridedSliceSpec, region: ssop.Region, file: TextIO) -> None:
    def tell(line: str) -> None:
        print(printable(line), file=file)

    bits = {name: getattr(spec, f"{name}_mask") & 0xFFFFFFFF for name in MASKS}  # int32 bit patterns (ss_s9)
    tell(f"input     {_array_text(x.shape, x.dtype)}")
    chunks = inputs.chunks_of(x)
    if chunks is not None:
        tell(f"chunks    {inputs.stored(x)}; {region.chunks(chunks).total:,} hold what is taken")
    tell(f"spec      begin {list(spec.begin)}, end {list(spec.end)}, strides {list(spec.strides)}")
    width = 2 + max(1, len(spec.begin))  # a digit per entry
    tell(f"masks     {', '.join(f'{name} {mask:#0{width}b}' for name, mask in bits.items())}")
    tell(f"region    {region}")
    tell(f"index     {index_text(region.index)}")
    tell(f"output    {_array_text(region.shape, x.dtype)}")


def _array_text(shape: tuple[int, ...], dtype: Any) -> str:
    return f"{shape} {dtype}, {_nbytes(shape, dtype):,} bytes"


def _nbytes(shape: tuple[int, ...], dtype: Any) -> int:
    return math.prod(shape) * int(dtype.itemsize)


def _duration(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1e3:.2f} ms"


# ---- without an output -----------------------------------------------------------------------------------------------


def _preview(source: Source, x: Any, region: ssop.Region) -> str:
    """Return the result's text as NumPy prints it, of a large one the corners of its first matrix.

    ValueError for elements of damaged files that NumPy cannot print, such as code points that there are not.
    """
    try:
        return _text(source, x, region)
    except (OverflowError, SystemError) as error:
        raise ValueError(f"{source.path}: elements of {x.dtype} that cannot be printed: {error}") from None


def _text(source: Source, x: Any, region: ssop.Region) -> str:
    shape = region.shape
    if math.prod(shape) <= 100:
        return np.array2string(source.read(x, region))
    lead = (0,) * (len(shape) - 2)
    short = math.prod(shape[-2:]) <= 100
    corners = np.array2string(_corners(source, x, region, short), threshold=100 if short else 0, edgeitems=EDGE)
    return f"result[{', '.join('0' for _ in lead)}] =\n{corners}" if lead else corners


def _corners(source: Source, x: Any, region: ssop.Region, whole: bool) -> np.ndarray:
    """Return the first matrix, or what is printed of it: of a long axis, its ends and one item that dots stand for."""
    matrix = region.shape[-2:]
    ends = [
        [slice(0, EDGE), slice(dim - EDGE - 1, dim)] if not whole and dim > 2 * EDGE else [slice(0, dim)]
        for dim in matrix
    ]
    lead = [slice(0, 1)] * (len(region.shape) - 2)

    def part(*corner: slice) -> np.ndarray:
        box = boxes.region_of((*lead, *corner), region.shape)
        read = source.read(x, box.of(region))
        return read.reshape(read.shape[len(lead) :])

    if len(matrix) == 1:
        return np.concatenate([part(columns) for columns in ends[0]])
    return np.concatenate([np.concatenate([part(rows, columns) for columns in ends[1]], axis=1) for rows in ends[0]])


# ---- into an output --------------------------------------------------------------------------------------------------


def _write(
    name: str,
    target: str,
    chunks: list[int] | None,
    place: clusters.Place,
    source: Source,
    x: Any,
    region: ssop.Region,
) -> float:
    """Write a region of `x` to `target`, which the user calls `name`; return the seconds that the copying took."""
    try:
        output = outputs.printed() if target == inputs.STDIN else outputs.replaced(target)
        with output as temporary:
            outputs.create(temporary, region, x, chunks)
            started = time.perf_counter()
            if _nbytes(region.shape, x.dtype) > 0:
                if place.scheduler is not None and not zarr_stores.is_url(
                    source.path
                ):  # whose workers are in other folders
                    source = source._replace(path=os.path.abspath(source.path))
                job = copying.plan(source, x, region, temporary)
                steps = copying.copy_here(job, x) if place.is_here else copying.copy_by_workers(job, place)
                _show(steps, _nbytes(region.shape, x.dtype))
            return time.perf_counter() - started
    except OSError as error:  # names the output as the user does, not the temporary one
        raise OSError(error.errno, error.strerror or str(error), name) from None


def _show(steps: Generator[int, None, None], nbytes: int) -> None:
    """Take all steps, with progress."""
    done = 0
    with closing(steps), Progress("bytes", nbytes) as progress:
        for step in steps:
            done += step
            progress.show(done)
