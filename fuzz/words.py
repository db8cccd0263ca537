"""Fuzzes the command line with atheris: words of commands, and damaged headers of `.npy` files.

    python fuzz/words.py command -max_total_time=600
    python fuzz/words.py npy -max_total_time=600 fuzz-inputs

Whatever the words and files are, a command ends with an exit code of 0 to 2 and raises nothing. All but the target are
options of libFuzzer, and folders of inputs. Needs atheris, and a build of ssop, whose Python code is instrumented.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import atheris
import numpy as np

with atheris.instrument_imports(include=["ssop", "numpy.lib.format", "numpy.lib._format_impl"]):
    from ssop import cli
    from ssop.cli import convert, explain, inputs, run  # noqa: F401 - instrumented here, not where they are first needed

WORDS = [
    *(
        "explain",
        "run",
        "convert",
        "inspect",
        "--index",
        "--shape",
        "--begin",
        "--end",
        "--strides",
        "--dialect",
        "--to",
    ),
    *("--begin-mask", "--end-mask", "--shrink-axis-mask", "--new-axis-mask", "--ellipsis-mask", "--short", "--json"),
    *("--copy", "--node", "--assume", "--member", "[::-1, 1:7:2]", "[..., None]", "4,6", "?,3", "2..5,8", "onnx", "tf"),
    *("stablehlo", "torch", "-1", "0,0", "1,-1", "9223372036854775807", "in.npy", "Slice(starts=[0], ends=[-1])"),
]
"""What a word is made of, besides any text. Outputs are not among them."""


def ends_well(words: Sequence[str]) -> None:
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            code = cli.main(list(words))
        except SystemExit as exit_:  # of argparse
            code = exit_.code
    assert code in (0, 1, 2, None), f"exit code {code!r} of {words}: {said.getvalue()}"


def command(data: bytes) -> None:
    provider = atheris.FuzzedDataProvider(data)
    words = [provider.PickValueInList(WORDS[:4])]
    for _ in range(provider.ConsumeIntInRange(0, 9)):
        word = provider.PickValueInList(WORDS)
        if provider.ConsumeIntInRange(0, 3) == 0:
            at = provider.ConsumeIntInRange(0, len(word))
            word = word[:at] + provider.ConsumeUnicodeNoSurrogates(4) + word[at:]
        words.append(word)
    ends_well([word for word in words if not word.startswith("-o")])  # nothing is written


def npy(data: bytes) -> None:
    Path("damaged.npy").write_bytes(data)
    ends_well(["run", "damaged.npy", "--index", "[..., :1]"])


def seeds() -> list[bytes]:
    """Good files, to be damaged."""
    made = []
    for array in (
        np.arange(6).reshape(2, 3),
        np.zeros((2, 2), ">f4", order="F"),
        np.zeros(3, [("a", "i4"), ("b", "S2")]),
    ):
        file = io.BytesIO()
        np.save(file, array)
        made.append(file.getvalue())
    return made


def main() -> None:
    targets: dict[str, Callable[[bytes], None]] = {"command": command, "npy": npy}
    if len(sys.argv) < 2 or sys.argv[1] not in targets:
        raise SystemExit(__doc__)
    target = targets[sys.argv.pop(1)]
    sys.argv[1:] = [word if word.startswith("-") else os.path.abspath(word) for word in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        np.save("in.npy", np.arange(24).reshape(4, 6))
        Path("seeds").mkdir()
        for number, seed in enumerate(seeds()):
            Path("seeds", str(number)).write_bytes(seed)
        atheris.Setup([*sys.argv, *(["seeds"] if target is npy else [])], target)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
