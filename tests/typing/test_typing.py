"""The types: strict mypy on the package, stub equals runtime, and what users' calls are revealed to be."""

import re
import subprocess
import sys

import pytest

REVEALED = """
import numpy as np
import ssop

x = np.zeros((3, 4), np.float32)
reveal_type(ssop.strided_slice(x, [0], [1]))  # ndarray[float32]
reveal_type(ssop.slice(x, (0, 0), (1, 1)))  # ndarray[float32]
reveal_type(ssop.dynamic_slice(x, np.array([0, 0]), [1, 1], out_of_bounds="wrap"))  # ndarray[float32]
reveal_type(ssop.dynamic_update_slice(x, [[1.0]], [0, 0], out=x))  # ndarray[float32]
reveal_type(ssop.copy(x))  # ndarray[float32]
reveal_type(ssop.copyto(x, 1.0))  # None
reveal_type(str(ssop.__version__))  # str
reveal_type(ssop.divergences.rows("dialect"))  # list[dict[str, str]]
reveal_type(ssop.reference.slice_region((6,), [2], [3]))  # tuple[tuple[tuple[int, int, int], ...], tuple[int, ...]]
reveal_type(ssop.cpu_features())  # dict[str, bool]
reveal_type(ssop.show_config("dicts"))  # dict[str, dict[str, Any]]
reveal_type(ssop.index(x, np.s_[0, ::2]))  # ndarray[float32]
reveal_type(ssop.index_update(x, (..., None), 0.0))  # ndarray[float32]
reveal_type(ssop.pad(x, [(1, 2), (0, 1)], "edge"))  # ndarray[float32]
reveal_type(ssop.roll(x, (1, 2), (0, 1)))  # ndarray[float32]
reveal_type(ssop.index_assign(x, 0, 1.0))  # ndarray[float32]
spec = ssop.StridedSliceSpec.from_index(np.s_[0, ...])
reveal_type(spec)  # StridedSliceSpec
reveal_type(spec(x))  # ndarray[float32]
reveal_type(spec.update(x, 0.0))  # ndarray[float32]
reveal_type(spec.assign(x, 0.0))  # ndarray[float32]
reveal_type(spec.resolve((3, 4)))  # Region
reveal_type(spec.resolve((3, 4)).ranges)  # tuple[tuple[int, int, int], ...]
reveal_type(spec.infer_shape((3, None)))  # PartialShape
reveal_type(ssop.shapes.xla.pad([None, 3], [(1, 1, 0)] * 2, mode="tight").dims)  # tuple[int | None, ...] | None
reveal_type(ssop.shapes.infer([], mode="tf")["x"])  # PartialShape
reveal_type(ssop.plan(spec, (3, 4), np.float32)(x))  # ndarray[float32]
try:
    ssop.copy(x)
except ssop.SliceIndexError as error:
    reveal_type(error.allowed)  # tuple[int, int] | None
"""

WRONG = """
import numpy as np
import ssop

x = np.zeros(3)
ssop.dynamic_slice(x, [0], [1], out_of_bounds="none")
ssop.strided_slice(x, [0.5], [1])
ssop.copy(x, x)
ssop.StridedSliceSpec([0])
ssop.SliceError().labels
ssop.no_such_name
ssop.shapes.strided_slice([3], [0], [1], mode="loose")
ssop.index(x, "abc")
ssop.index(x, [0, 1])
ssop.index_assign(x, (0, 1.5), 0)
"""


@pytest.fixture(scope="module")
def mypy(tmp_path_factory):
    """A function that runs mypy; what one run learns of NumPy is there for the next."""
    cache = tmp_path_factory.mktemp("mypy")

    def run(*arguments: object) -> subprocess.CompletedProcess:
        command = [sys.executable, "-m", "mypy", "--config-file=", f"--cache-dir={cache}", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    return run


def plain(revealed: str) -> str:
    """mypy's spelling without module paths and array shapes."""
    text = re.sub(r"(?:\w+\.)+(\w+)", r"\1", revealed.replace("builtins.", ""))
    text = re.sub(r"ndarray\[.*?, dtype\[(.*?)\]\]", r"ndarray[\1]", text)
    text = re.sub(r"floating\[_32Bit\]", "float32", text)
    return re.sub(r"Union\[(.*), None\]", r"\1 | None", text)


@pytest.mark.long
def test_package_is_strict(mypy):
    run = mypy("--strict", "-p", "ssop")
    assert run.returncode == 0, run.stdout
    assert int(re.search(r"no issues found in (\d+) source files", run.stdout).group(1)) >= 10


@pytest.mark.long
def test_stub_is_the_runtime():
    command = [sys.executable, "-m", "mypy.stubtest", "ssop._core"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "no issues found in 1 module" in run.stdout, run.stdout + run.stderr


def test_revealed_types_and_wrong_calls(mypy, tmp_path):
    revealed, wrong = tmp_path / "revealed.py", tmp_path / "wrong.py"
    revealed.write_text(REVEALED)
    wrong.write_text(WRONG)
    run = mypy("--strict", revealed, wrong)
    assert "revealed.py" not in "".join(re.findall("^.*error.*$", run.stdout, flags=re.M))
    lines = {int(line) for line in re.findall(r"wrong\.py:(\d+): error", run.stdout)}
    assert lines == set(range(6, 16)), run.stdout
    shown = [plain(text) for text in re.findall(r'Revealed type is "(.*)"', run.stdout)]
    assert shown == re.findall(r"\)  # (.*)$", REVEALED, flags=re.M)
