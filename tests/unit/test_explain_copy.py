"""What could go wrong: `ssop.explain.copy` names another way than the copy takes, a forced variant changes bytes, or an
input that cannot be copied gets a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest

import ssop
from ssop import _core, cli

VARIANTS = [row[0] for row in _core.variants()]


@pytest.fixture
def unforced() -> Iterator[None]:
    yield
    _core.force_variant(None)


def test_loops_of_an_image() -> None:
    x = np.zeros((480, 640, 3), np.uint8)
    how = ssop.explain.copy(np.empty((3, 480, 640), np.uint8), x.transpose(2, 0, 1))
    assert (how.way, how.shape, how.itemsize, how.flags) == ("nest", (3, 480, 640), 1, ())
    assert [vars(loop) for loop in how.loops] == [
        {"count": 3, "dst_stride": 307200, "src_stride": 1, "part": "rows"},
        {"count": 307200, "dst_stride": 1, "src_stride": 3, "part": "columns"},
    ]
    assert how.variant is not None and how.variant.name in ("deinterleave", "items")
    assert how.steps is not None and how.steps > 1


def test_a_block_on_both_sides_is_one_item() -> None:
    x = np.zeros((64, 100), np.float32)
    how = ssop.explain.copy(np.empty((64, 90), np.float32), x[:, 10:])
    assert [loop.part for loop in how.loops] == ["columns", "one item"]
    assert how.variant is not None and how.variant.name == "rows"
    assert (how.item_bytes, how.columns) == (360, 64)


@pytest.mark.parametrize(
    ("way", "make"),
    [
        ("nothing", lambda x: (x, x)),
        ("nothing", lambda x: (np.empty((0, 3)), np.empty((0, 3)))),
        ("nothing", lambda x: (np.empty((4, 4), "V0"), np.empty((4, 4), "V0"))),
        ("small", lambda x: (np.empty(3), [1.0, 2.0, 3.0])),
        ("shift", lambda x: (x[1:], x[:-1])),
        ("staged", lambda x: (x, x.T)),
        ("numpy", lambda x: (np.empty(900, object), np.zeros(900, object))),
        ("nest", lambda x: (np.empty_like(x), x)),
    ],
)
def test_ways(way: str, make: object) -> None:
    how = ssop.explain.copy(*make(np.zeros((30, 30))))  # type: ignore[operator]
    assert how.way == way
    assert json.loads(json.dumps(how.to_dict()))["way"] == way
    assert str(how).splitlines()[0].endswith("bytes") or "item" in str(how)


def test_nothing_is_copied() -> None:
    dst = np.zeros((300, 300))
    ssop.explain.copy(dst, np.ones((300, 300)).T)
    assert not dst.any()


def test_errors_are_those_of_copyto() -> None:
    x = np.zeros((4, 3))
    for dst, src, label in (
        (x, x[:2], "out_c2"),
        (x, x.astype("f4"), "out_c3"),
        (np.broadcast_to(x, (4, 3)), x, "out_c4"),
        ([1], x, "out_c1"),
    ):
        with pytest.raises(ssop.SliceError) as caught:
            ssop.explain.copy(dst, src)
        assert caught.value.label == label and str(caught.value).startswith("explain.copy: ")


def test_more_threads_are_for_large_copies() -> None:
    before = ssop.get_num_threads()
    ssop.set_num_threads(4)
    try:
        small, large = (ssop.explain.copy(np.empty((n, n)), np.empty((n, n)).T) for n in (90, 2000))
        assert small.threads == 1 and large.threads == 4
    finally:
        ssop.set_num_threads(before)


@pytest.mark.usefixtures("unforced")
@pytest.mark.parametrize("name", VARIANTS)
def test_a_forced_variant_copies_the_same_bytes(name: str) -> None:
    rng = np.random.default_rng(7)
    for dtype in ("u1", "f4", "c16"):
        x = rng.integers(0, 99, (70, 90, 3)).astype(dtype)
        for seen in (x.transpose(2, 0, 1), x.transpose(1, 0, 2), x[:, ::-2], x[::3, :, 1], x[:, :, 0].T):
            _core.force_variant(name)
            got, how = ssop.copy(seen), ssop.explain.copy(np.empty(seen.shape, dtype), seen)
            _core.force_variant(None)
            assert np.array_equal(got, seen)
            assert how.variant is not None
            free = ssop.explain.copy(np.empty(seen.shape, dtype), seen)
            if name in {other.name for other in free.others}:
                assert how.variant.name == name


def test_variants_have_names_of_their_own_and_say_when() -> None:
    rows = _core.variants()
    assert len(set(VARIANTS)) == len(rows) > 30
    assert all(name and pattern and about and when for name, pattern, about, when in rows)
    with pytest.raises(ValueError, match="'nonsense' is no variant"):
        _core.force_variant("nonsense")
    with pytest.raises(TypeError, match="one name or None"):
        _core.force_variant(7)  # type: ignore[arg-type]


def run(environment: dict[str, str], code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True, timeout=120
    )


def test_the_environment_forces_a_variant() -> None:
    code = (
        "import numpy as np, ssop\n"
        "x = np.zeros((90, 90), 'f4')\n"
        "print(ssop.explain.copy(np.empty((90, 90), 'f4'), x.T).variant.name)\n"
        "print(ssop.show_config('dicts')['environment']['SSOP_VARIANT'])"
    )
    result = run({"SSOP_VARIANT": "items"}, code)
    assert result.stdout.split()[0] in ("items", "items-scattered", "short-rows"), result.stderr
    assert result.stdout.split()[1] == "items"
    wrong = run({"SSOP_VARIANT": "nonsense"}, "import ssop")
    assert wrong.returncode == 1 and "SSOP_VARIANT=nonsense: no way of copying has this name" in wrong.stderr
    assert run({"SSOP_VARIANT": ""}, code.rpartition("\n")[0]).returncode == 0


def test_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", "--copy", "480,640,3", "--dtype", "uint8", "--strides", "640,1,307200"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("921,600 items of 1 byte\nvariant   ") and "+307,200" in text
    assert cli.main(["explain", "--copy", "4096,4096", "--index", "[:, ::2]", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["shape"] == [4096, 2048]
    assert cli.main(["explain", "--copy", "300,200", "--strides=-800,4"]) == 0
    assert "-800" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--copy", "4,-4"], "--copy needs dims that are known, not -4"),
        (["--copy", "4,?"], "--copy needs dims that are known, not None"),
        (["--copy", "4,5", "--dtype", "foo"], "--dtype foo is no dtype of NumPy"),
        (["--copy", "4,5", "--dtype", "(2,i4"], "--dtype (2,i4 is no dtype of NumPy"),
        (["--copy", "4,5", "--dtype", "f4,*"], "--dtype f4,* is no dtype of NumPy"),
        (["--copy", "4,5", "--dtype", "object"], "--dtype object has no bytes"),
        (["--copy", "4,5", "--dtype", "V0"], "has no bytes"),
        (["--copy", "4,5", "--strides", "1"], "--strides has 1 numbers for 2 axes; each is in bytes"),
        (["--copy", "4,5", "--strides", "1,x"], "x"),
        (["--copy", "4000000000,4000000000"], "no array has such a shape"),
        (["--copy", "4,5", "--strides", "4000000000000000000,4"], "no array has such a shape and strides"),
        (["--copy", "4,5", "--index", "[9]"], "index 9 is not in -4..3"),
        (["--copy", "4,5", "--format", "svg"], "--format svg is not of --copy"),
        (["4,5", "--index", "[1]", "--dtype", "int8"], "--dtype is of --copy"),
    ],
)
def test_wrong_command_lines_are_one_line(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", *words]) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
