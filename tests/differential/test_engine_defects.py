"""The programs of docs/engine-defects.md show the defects, on the engine alone."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from child import LIMIT_SECONDS

PAGE = Path(__file__).parents[2] / "docs" / "engine-defects.md"
DIES = r"exit -(6|7|8|11)$"
ACCEPTS_OR_DIES = rf"^\[.*exit 0$|{DIES}"
SHOWN = {
    "rank_above_8": r"Unhandled input dimensions 9",
    "empty_unsqueeze": r"^\(0, 0, 1\)",
    "string_tensors": DIES,
    "rank_above_32": r"^tf\.Tensor\(\s*\[+0\]",
    "begin_plus_size_overflows": rf"OOM when allocating tensor with shape\[9223372036854775807\]|{DIES}",
    "unsent_stride": DIES,
    "spare_bits": r"^\[2 1\]",
    "second_ellipsis": ACCEPTS_OR_DIES,
    "more_than_32_axes": r"^\[(1 ){31}2 1\]",
    "longer_strides": r"^\[2\] \[0 1\]",
    "strides_missing": ACCEPTS_OR_DIES,
    "unwritten_shrink": r"^\[\] .*exit 0$",
    "new_axis_after_spare_entries": ACCEPTS_OR_DIES,
    "offset_of_another_entry": ACCEPTS_OR_DIES,
    "offset_outside_axis": ACCEPTS_OR_DIES,
    "plugin_masks_shrunk_begin": r"^0\s",
    "plugin_reads_outside": r"^(?!\[\[\[12 13 14 15\])",
    "plugin_reads_behind_masks": r"^(?!\[1 3\])",
    "plugin_cuts_strides": DIES,
    "plugin_cuts_bounds": r"^\[0\]",
    "eager_slice_unchecked": r"^\[7 8 9\]",
    "unsigned_constant": r"^\[0\]",
    "narrow_start": r"^\[0\]",
    "python_start_beyond_int64": r"^\[0\]",
    "nan_payload": r"^\[32704 65472\]",
    "small_nan": r"^\[32704 65472 32704 65472\]",
    "broadcast_to_itself": r"^\[\[0 1\]\s+\[2 3\]\]",
    "length_overflows": DIES,
    "length_in_dim_overflows": DIES,
    "narrow_update": r" 42 +-1 +44 ",
    "step_overflows": r"Storage size calculation overflowed with sizes=\[-1\]",
}
"""What a program prints, and how it ends, where ssop and the engine's own specification say something else."""

SECTION = re.compile(r"^## .*?: (\w+)$.*?^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRAMS = dict(SECTION.findall(PAGE.read_text(encoding="utf-8")))


def test_every_defect_has_a_program():
    assert set(PROGRAMS) == set(SHOWN)
    assert not any("ssop" in program for program in PROGRAMS.values())


@pytest.mark.parametrize("name", SHOWN)
def test_the_program_shows_the_defect(name):
    command = [sys.executable, "-c", PROGRAMS[name]]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT_SECONDS)
    outcome = f"{result.stdout}\n{result.stderr}\nexit {result.returncode}"
    assert re.search(SHOWN[name], outcome, re.DOTALL), outcome[-2000:]
