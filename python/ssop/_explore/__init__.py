"""`ssop.explore`: the mask explorer, one HTML page that loads nothing, with the C core compiled to WebAssembly.

`csrc/wasm/build.py` makes `core.wasm`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ssop import _core

if TYPE_CHECKING:
    from ssop._explore.explorer import Explorer


def explore(
    shape: Sequence[int] | None = None,
    begin: Sequence[int] = (),
    end: Sequence[int] = (),
    strides: Sequence[int] | None = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Explorer:
    """The mask explorer, which shows what a strided slice takes while its arguments are changed.

    In a notebook it shows itself; `explore().html` is the page, which `ssop explore` opens in a browser. With `shape`,
    the page starts with this call, otherwise with an example. Raises what `ssop.StridedSliceSpec` raises, and what its
    `resolve` raises for an invalid shape.

    >>> import ssop
    >>> ssop.explore((6, 3), [0], [9], [2]).html.startswith("<!DOCTYPE html>")
    True
    """
    from ssop._explore.explorer import Explorer  # loaded when needed: with importlib.resources it takes long

    if shape is None:
        return Explorer({})
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    *vectors, _, _, _, _, _ = checked = _core.check_spec(begin, end, strides, *masks)
    lists = [_core.strided_slice_region(shape, (), ()).in_shape, *vectors, checked[3:]]
    names = ("shape", "begin", "end", "strides", "masks")
    return Explorer({name: ",".join(map(str, numbers)) for name, numbers in zip(names, lists, strict=True)})


explore.__module__ = "ssop"  # where users find it
