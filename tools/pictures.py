"""Draws the pictures of the documents: docs/pictures/NAME.svg, one for each call below.

    python tools/pictures.py          writes them
    python tools/pictures.py --check  exits with 1 if a file is not what its call draws

Needs the package, installed or on PYTHONPATH.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import ssop

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"


def explained(shape: tuple[int, ...], index: object) -> str:
    return ssop.StridedSliceSpec.from_index(index).explain(shape).to_svg()


def pictures() -> dict[str, str]:
    """The SVG of every picture by its name."""
    explain = ssop.explain
    return {
        "one_axis": explained((10,), np.s_[2:9:3]),
        "one_axis_backwards": explained((10,), np.s_[-2:1:-3]),
        "begin_and_end_mask": explain((10,), [7], [2], [-2], begin_mask=1, end_mask=1).to_svg(),
        "matrix": explained((5, 8), np.s_[::-2, 1:7:2]),
        "shrink": explained((4, 6), np.s_[2, 1:5]),
        "new_axis": explained((4, 6), np.s_[1:3, None, ::-1]),
        "layers": explained((3, 4, 5), np.s_[1:, ::-1, ::2]),
        "ellipsis": explained((3, 4, 5, 6), np.s_[1, ..., 1:5]),
        "long_axes": explain((1000, 300), [990, 5], [2, 200], [-7, 60]).to_svg(),
        "dynamic_slice_clamp": explain.dynamic_slice((5, 6), [4, -2], [2, 3]).to_svg(),
        "dynamic_slice_wrap": explain.dynamic_slice((5, 6), [4, -2], [2, 3], out_of_bounds="wrap").to_svg(),
        "dynamic_update_slice": explain.dynamic_update_slice((4, 6), (2, 3), [3, 1]).to_svg(),
        "dynamic_update_slice_wrap": explain.dynamic_update_slice((7,), (3,), [5], out_of_bounds="wrap").to_svg(),
        "gradient": explain.strided_slice_grad((4, 6), [3, 1], [0, 6], [-1, 2], (3, 3)).to_svg(),
        "gradient_shrink": explain.strided_slice_grad((3, 4), [1], [0], [1], (4,), shrink_axis_mask=1).to_svg(),
        "pad": explain.pad((3, 4), [(1, 0, 1), (-1, 2, 0)]).to_svg(),
        "pad_interior": explain.pad((4,), [(2, -1, 2)]).to_svg(),
    }


def main() -> int:
    drawn = {f"{name}.svg": f"{svg}\n" for name, svg in pictures().items()}
    if sys.argv[1:] == ["--check"]:
        stored = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.svg")}
        wrong = sorted(name for name in drawn.keys() | stored.keys() if drawn.get(name) != stored.get(name))
        print(*(f"{name} is not what tools/pictures.py draws" for name in wrong), sep="\n" if wrong else "")
        return 1 if wrong else 0
    FOLDER.mkdir(exist_ok=True)
    for name, svg in drawn.items():
        (FOLDER / name).write_text(svg, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
