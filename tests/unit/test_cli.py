"""The command line: output equals the API, every error is one line and exit code 2, and OUT is whole or untouched."""

import errno
import io
import os
import random
import re
import resource
import shlex
import signal
import subprocess
import sys
import time
import warnings

import numpy as np
import pytest

import ssop
from child import LIMIT_SECONDS
from ssop import cli
from ssop._display import index_text
from ssop._masks import MASKS
from ssop.cli import copying
from ssop.cli.parse import parse_index, parse_integer, parse_integers

MODULE = [sys.executable, "-m", "ssop"]
BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
"""The environment in which a write to stdout fails as late as it can."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty working directory with one file, in.npy."""
    monkeypatch.chdir(tmp_path)
    np.save("in.npy", np.arange(60, dtype=np.int16).reshape(3, 4, 5))
    return tmp_path


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def rejection(capsys, *argv):
    """The one line of an error."""
    assert cli.main(argv) == 2
    err = capsys.readouterr().err
    assert err.startswith("ssop: error: ") and err.count("\n") == 1 and err.endswith("\n")
    return err.removeprefix("ssop: error: ").rstrip("\n")


# Results


def test_index_to_file(folder, capsys):
    x = np.load("in.npy")
    assert cli.main(["run", "in.npy", "--index", "[1, None, ..., ::-2]", "-o", "out.npy"]) == 0
    assert np.array_equal(np.load("out.npy"), x[1, None, ..., ::-2])
    assert names(folder) == ["in.npy", "out.npy"]
    out, err = capsys.readouterr()
    assert err == ""
    assert out.splitlines()[:-1] == [
        "input     (3, 4, 5) int16, 120 bytes",
        "spec      begin [1, 0, 0, 0], end [2, 0, 0, 0], strides [1, 1, 1, -2]",
        "masks     begin 0b1000, end 0b1000, ellipsis 0b0100, new_axis 0b0010, shrink_axis 0b0001",
        "region    Region((3, 4, 5), ((1, 1, 1), (0, 4, 1), (4, 3, -2)), (-1, 1, 2))",
        "index     [None, 1, 0:4, 4::-2]",
        "output    (1, 4, 3) int16, 24 bytes",
    ]
    assert re.fullmatch(r"copied    in [0-9.]+ (ms|s)", out.splitlines()[-1])  # no rate of 24 bytes


def test_a_mask_of_all_bits(folder, capsys):
    assert cli.main(["run", "in.npy", "--begin", "1", "--end", "2", "--end-mask", "-1"]) == 0
    assert f"end 0b{'1' * 32}, " in capsys.readouterr().out


def test_without_a_file_the_result_is_printed(folder, capsys):
    assert cli.main(["run", "in.npy", "--begin", "-1,1", "--end", "0,3", "--shrink-axis-mask", "0b1"]) == 0
    assert capsys.readouterr().out.endswith("20 bytes\n[[45 46 47 48 49]\n [50 51 52 53 54]]\n")
    assert names(folder) == ["in.npy"]


def test_a_large_result_is_printed_in_short(folder, capsys):
    np.save("in.npy", np.zeros((7,) * 6, np.int8))
    assert cli.main(["run", "in.npy", "--index", "..."]) == 0
    assert capsys.readouterr().out.endswith("result[0, 0, 0, 0] =\n" + str(np.zeros((7, 7), np.int8)) + "\n")
    np.save("in.npy", np.arange(10**6))
    assert cli.main(["run", "in.npy", "--index", "..."]) == 0
    assert capsys.readouterr().out.endswith("[     0      1      2 ... 999997 999998 999999]\n")


@pytest.mark.parametrize("size, has_rate", [(2**24 - 1, False), (2**24, True)])
def test_only_large_results_have_a_rate(folder, capsys, size, has_rate):
    np.save("in.npy", np.zeros(size, np.int8))
    assert cli.main(["run", "in.npy", "--index", "::-1", "-o", "out.npy"]) == 0
    assert capsys.readouterr().out.endswith(" GB/s\n") == has_rate


@pytest.mark.parametrize(
    "x, index",
    [
        (np.array(3.5), "None"),
        (np.arange(5), "2"),
        (np.asfortranarray(np.arange(12).reshape(3, 4)), "::-1"),
        (np.arange(12, dtype=">i4").reshape(3, 4), ":, 1:3"),
        (np.zeros((2, 3), [("a", "<i2"), ("b", "S3")]), "1:"),
        (np.array(["2020-01-01", "NaT"], "M8[D]"), "::-1"),
        (np.arange(3, dtype=">i4"), "1"),
        (np.zeros((2, 0, 3)), "1:"),
        (np.arange(5), "3:1"),
        (np.zeros(7, "S0"), "::2"),
        (np.zeros((1,) * 64, np.int8), "0"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{value.dtype}{value.shape}",
)
def test_every_kind_of_array(folder, x, index):
    np.save("in.npy", x)
    assert cli.main(["run", "in.npy", "--index", index, "-o", "out.npy"]) == 0
    expected, result = x[(*parse_index(index), ...)], np.load("out.npy")
    assert (result.shape, result.dtype) == (expected.shape, x.dtype)
    assert result.tobytes() == expected.tobytes()
    assert result.flags.c_contiguous


def test_the_command_line_equals_the_api(folder, capsys):
    """300 random specs, a negative number in front of a list among them, legal and rejected."""
    x, rng, legal = np.load("in.npy"), random.Random(0), 0
    for _ in range(300):
        n = rng.randrange(5)
        vectors = [[rng.randint(-6, 6) for _ in range(n)], [rng.randint(-6, 6) for _ in range(n)]]
        vectors.append([rng.choice([-2, -1, 1, 1, 2]) for _ in range(n)])
        masks = [rng.choice([0, rng.randrange(16)]) for _ in range(2)] + [rng.choice([0, 1, 2, 4]) for _ in range(3)]
        argv = ["run", "in.npy", "-o", "out.npy"]
        for name, vector in zip(("begin", "end", "strides"), vectors, strict=True):
            argv += [f"--{name}", ",".join(map(str, vector))]
        for name, mask in zip(MASKS, masks, strict=True):
            argv += [f"--{name.replace('_', '-')}-mask", rng.choice([str, bin, hex])(mask)]
        try:
            expected = ssop.strided_slice(x, *vectors, *masks)
        except ssop.SliceError as error:
            assert rejection(capsys, *argv) == " ".join(str(error).split())
            continue
        assert cli.main(argv) == 0
        assert np.array_equal(np.load("out.npy"), expected)
        legal += 1
    assert 100 <= legal <= 250


def test_a_file_is_written_in_many_pieces(folder, monkeypatch):
    monkeypatch.setattr(copying, "PIECE_BYTES", 10)
    assert cli.main(["run", "in.npy", "--index", "::-1, ::2, 1:", "-o", "out.npy"]) == 0
    assert np.array_equal(np.load("out.npy"), np.load("in.npy")[::-1, ::2, 1:])


# The file OUT


def test_out_may_be_in(folder):
    x = np.load("in.npy")
    assert cli.main(["run", "in.npy", "--index", "::-1", "-o", "in.npy"]) == 0
    assert np.array_equal(np.load("in.npy"), x[::-1])
    assert names(folder) == ["in.npy"]


def test_out_may_exist_and_keeps_its_mode(folder):
    (folder / "out.npy").write_text("old")
    (folder / "out.npy").chmod(0o640)
    assert cli.main(["run", "in.npy", "--index", "0", "-o", "out.npy"]) == 0
    assert np.load("out.npy").shape == (4, 5)
    assert (folder / "out.npy").stat().st_mode & 0o777 == 0o640


def test_a_new_out_has_the_usual_mode(folder):
    assert cli.main(["run", "in.npy", "--index", "0", "-o", "out.npy"]) == 0
    assert (folder / "out.npy").stat().st_mode == (folder / "in.npy").stat().st_mode


def test_a_link_stays_a_link(folder):
    (folder / "there").mkdir()
    (folder / "out.npy").symlink_to("there/target.npy")
    assert cli.main(["run", "in.npy", "--index", "0", "-o", "out.npy"]) == 0
    assert (folder / "out.npy").is_symlink() and names(folder / "there") == ["target.npy"]


@pytest.mark.parametrize("through_a_link", [False, True])
def test_a_read_only_out_is_rejected(folder, capsys, through_a_link):
    (folder / "old.npy").write_text("old")
    (folder / "old.npy").chmod(0o444)
    out = "link.npy" if through_a_link else "old.npy"
    if through_a_link:
        (folder / "link.npy").symlink_to("old.npy")
    words = rejection(capsys, "run", "in.npy", "--index", "0", "-o", out)
    assert words == f"{out}: this file is read-only; make it writable or choose another name"
    assert (folder / "old.npy").read_text() == "old"
    assert names(folder) == ["in.npy", *(["link.npy"] if through_a_link else []), "old.npy"]


def test_an_out_that_this_user_may_not_write(folder, monkeypatch, capsys):
    (folder / "out.npy").write_text("old")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert "out.npy: this file is read-only" in rejection(capsys, "run", "in.npy", "--index", "0", "-o", "out.npy")


def test_interrupted_in_a_copy(folder, monkeypatch, capsys):
    (folder / "out.npy").write_text("old")

    def interrupted(dst, src):
        assert len(names(folder)) == 3  # the temporary file is there
        raise KeyboardInterrupt

    monkeypatch.setattr(ssop, "copyto", interrupted)
    assert cli.main(["run", "in.npy", "--index", "0", "-o", "out.npy"]) == 130
    assert (folder / "out.npy").read_text() == "old"
    assert names(folder) == ["in.npy", "out.npy"]


def test_ctrl_c(folder):
    np.save("in.npy", np.zeros(10**8, np.int8))
    slowly = "import sys; from ssop import cli; cli.copying.PIECE_BYTES = 1; sys.exit(cli.main())"
    argv = [sys.executable, "-c", slowly, "run", "in.npy", "--index", "::-1", "-o", "out.npy"]
    process = subprocess.Popen(
        argv,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # this process may have been told to ignore it
    )
    limit = time.monotonic() + LIMIT_SECONDS
    while len(names(folder)) == 1:
        assert process.poll() is None and time.monotonic() < limit
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=LIMIT_SECONDS)[1] == b""
    assert process.returncode == 130
    assert names(folder) == ["in.npy"]


def test_a_full_disk(folder, monkeypatch, capsys):
    (folder / "out.npy").write_text("old")

    def full(*args):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full, raising=False)
    assert rejection(capsys, "run", "in.npy", "--index", "0", "-o", "out.npy") == "out.npy: No space left on device"
    assert (folder / "out.npy").read_text() == "old"
    assert names(folder) == ["in.npy", "out.npy"]


def test_a_disk_that_cannot_promise_space(folder, monkeypatch):
    def unsupported(*args):
        raise OSError(errno.EOPNOTSUPP, "Operation not supported")

    monkeypatch.setattr(os, "posix_fallocate", unsupported, raising=False)
    assert cli.main(["run", "in.npy", "--index", "0", "-o", "out.npy"]) == 0
    assert np.array_equal(np.load("out.npy"), np.load("in.npy")[0])


def test_closed_standard_streams(folder):
    def ended(arguments, closed):
        command = f"{shlex.join([*MODULE, *arguments])} {closed}"
        return subprocess.run(command, shell=True, capture_output=True, text=True, check=False)

    done = ended(["run", "in.npy", "--index", "0", "-o", "out.npy"], ">&- <&- 2>&-")
    assert done.returncode == 0 and np.array_equal(np.load("out.npy"), np.load("in.npy")[0])
    done = ended(["run", "-", "--index", "0"], "<&-")
    assert done.returncode == 2 and done.stderr.startswith("ssop: error: standard input: no .npy file")


def test_stdout_on_a_full_disk(folder):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*MODULE, "run", "in.npy", "--index", "0"], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert (done.returncode, done.stderr) == (2, "ssop: error: No space left on device\n")


def test_stdout_on_a_disk_that_gets_full(folder, monkeypatch, capsys):
    class Stdout(io.StringIO):
        def flush(self):
            if "output" in self.getvalue():
                raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(sys, "stdout", Stdout())
    assert rejection(capsys, "run", "in.npy", "--index", "0") == "No space left on device"


def test_a_file_larger_than_allowed(folder):
    np.save("in.npy", np.zeros(10**6, np.int8))
    done = subprocess.run(
        [*MODULE, "run", "in.npy", "--index", "...", "-o", "out.npy"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10**5, 10**5)),
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (2, "ssop: error: out.npy: File too large\n")
    assert names(folder) == ["in.npy"]


# Errors


@pytest.mark.parametrize(
    "argv, words",
    [
        ([], "required: COMMAND"),
        (["walk"], "invalid choice: 'walk'"),
        (["run"], "required: IN"),
        (["run", "in.npy"], "give either --index, or --begin and --end"),
        (["run", "in.npy", "--begin", "0"], "give either --index, or --begin and --end"),
        (["run", "in.npy", "--end", "0"], "give either --index, or --begin and --end"),
        (["run", "in.npy", "--index", "0", "--begin", "0"], "--index and --begin exclude each other"),
        (["run", "in.npy", "--index", "0", "--new-axis-mask", "0"], "--index and --new-axis-mask"),
        (["run", "in.npy", "--index", "0", "--fast"], "unrecognized arguments: --fast"),
        (["run", "in.npy", "--index"], "--index: expected one argument"),
        (["run", "in.npy", "--index", "1.5"], "index '1.5' holds 1.5"),
        (["run", "in.npy", "--index", "[0, [1, 2]]"], "holds [1, 2]"),
        (["run", "in.npy", "--begin", "0,x", "--end", "1,1"], "--begin: 'x' is not an integer"),
        (["run", "in.npy", "--begin", "0", "--end", "1,"], "--end: '' is not an integer"),
        (["run", "in.npy", "--begin", "0", "--end", "1", "--end-mask", "2.0"], "--end-mask: '2.0' is not an integer"),
        (["run", "in.npy", "--begin", "0", "--end", "1", "--end-mask", "4294967296"], "end_mask does not fit int32"),
        (["run", "in.npy", "--begin", "0", "--end", "9223372036854775808"], "end entry 0 does not fit int64"),
        (["run", "in.npy", "--begin", "0,0", "--end", "1"], "Expected begin, end, and strides to be 1D equal size"),
        (["run", "in.npy", "--index", "..., ..."], "Multiple ellipses in slice spec not allowed"),
        (["run", "in.npy", "--index", "0, 0, 0, 0"], "Index out of range using input dim 3; input has only 3 dims"),
        (["run", "in.npy", "--index", "0, 9"], "slice index 9 of dimension 1 out of bounds"),
        (["run", "in.npy", "--index", "::0"], "must be non-zero"),
        (["run", "nowhere.npy", "--index", "0"], "nowhere.npy: No such file or directory"),
        (["run", ".", "--index", "0"], ".: Is a directory"),
        (["run", "text.npy", "--index", "0"], "text.npy: no .npy file that can be mapped"),
        (["run", "empty.npy", "--index", "0"], "empty.npy: no .npy file that can be mapped"),
        (["run", "cut.npy", "--index", "0"], "cut.npy: no .npy file that can be mapped"),
        (["run", "objects.npy", "--index", "0"], "objects.npy: no .npy file that can be mapped: Array can't be memory"),
        (["run", "in.npy", "--index", "0", "-o", "nowhere/out.npy"], "nowhere/out.npy: No such file or directory"),
        (["run", "in.npy", "--index", "0", "-o", "in.npy/out.npy"], "in.npy/out.npy: Not a directory"),
        (["run", "in.npy", "--index", "0", "-o", "."], ".: not a regular file"),
        (["run", "in.npy", "--index", "0", "-o", ""], "not a regular file"),
        (["run", "no\nsuch.npy", "--index", "0"], "no such.npy: No such file or directory"),
        (["run", "", "--index", "0"], "No such file or directory"),
        (["run", "in.npy", "--index", "0", "-o", os.devnull], f"{os.devnull}: not a regular file"),
    ],
    ids=lambda value: " ".join(value[1:]) if isinstance(value, list) else "",
)
def test_bad_input(folder, capsys, argv, words):
    (folder / "text.npy").write_text("no array\nat all\n")
    (folder / "empty.npy").touch()
    (folder / "cut.npy").write_bytes((folder / "in.npy").read_bytes()[:-1])
    np.save("objects.npy", np.array([None, {}]), allow_pickle=True)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert words in rejection(capsys, *argv)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.filterwarnings("ignore::UserWarning")  # NumPy's, about headers that look like Python 2's
def test_damaged_headers(folder, capsys):
    """Each byte of the header changed in turn: an array or one line, never a traceback."""
    good, rng, rejected = (folder / "in.npy").read_bytes(), random.Random(1), 0
    for place in range(128):
        damaged = bytearray(good)
        damaged[place] = rng.choice(b"\x00\xff'({[,9-")
        (folder / "in.npy").write_bytes(damaged)
        code = cli.main(["run", "in.npy", "--index", "..."])
        err = capsys.readouterr().err
        assert (code, err) == (0, "") or (
            code == 2 and err.startswith("ssop: error: in.npy: ") and err.count("\n") == 1
        )
        rejected += code == 2
    assert rejected >= 40


@pytest.mark.parametrize(
    ("dtype", "element"), [("<M8[0s]", bytes(8)), ("<m8[0us]", bytes(8)), ("<U1", b"\xff\xff\xff\xff")]
)
@pytest.mark.parametrize("count", [3, 1000])
def test_elements_that_numpy_cannot_print(folder, capsys, dtype, element, count):
    """Units of no length and code points that there are not: no traceback, also for the ends of a long array."""
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({count},), }}".ljust(117) + "\n"
    header_bytes = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()
    (folder / "in.npy").write_bytes(header_bytes + element * count)
    assert rejection(capsys, "run", "in.npy", "--index", "...").startswith("in.npy: elements of ")


def test_no_memory_for_a_printed_result(folder, monkeypatch, capsys):
    monkeypatch.setattr(np, "array2string", lambda *args, **kwargs: (_ for _ in ()).throw(MemoryError))
    assert "not enough memory" in rejection(capsys, "run", "in.npy", "--index", "...")


# Help and the module


def test_version_and_help(capsys):
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"ssop {ssop.__version__}\n"
    assert cli.main(["--help"]) == 0
    assert "slice an .npy file" in capsys.readouterr().out
    assert cli.main(["run", "--help"]) == 0
    assert "--shrink-axis-mask" in capsys.readouterr().out


def test_as_a_module(folder):
    done = subprocess.run([*MODULE, "run", "in.npy", "--index", "0, 0, 0"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("2 bytes\n0\n")
    assert subprocess.run([*MODULE, "run"], capture_output=True).returncode == 2


def test_a_closed_stdout_ends_run_with_exit_code_1(folder):
    reader, writer = os.pipe()
    os.close(reader)
    argv = [*MODULE, "run", "in.npy", "--index", "0", "-o", "out.npy"]
    done = subprocess.run(argv, stdout=writer, stderr=subprocess.PIPE, env=BUFFERED)
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, b"")
    assert names(folder) == ["in.npy"]


# Words into numbers


@pytest.mark.parametrize(
    "text, index",
    [
        ("[1, 2:4, None, ..., :-3:-1, :]", np.s_[1, 2:4, None, ..., :-3:-1, :]),
        ("-1", (-1,)),
        ("(1, 2)", (1, 2)),
        ("[1,]", (1,)),
        (" [ 0x10 , 1_0 ] ", (16, 10)),
        ("", ()),
        ("[]", ()),
        ("[()]", ()),
        ("np.newaxis, numpy.newaxis, newaxis, None, Ellipsis", (None, None, None, None, ...)),
        ("None:None:-2", (slice(None, None, -2),)),
        ("[0,\n 1]", (0, 1)),
        (f"{2**70}", (2**70,)),
    ],
)
def test_good_indices(text, index):
    assert parse_index(text) == index


@pytest.mark.parametrize(
    "text",
    [
        "1.5",
        "True",
        "-True",
        "--1",
        "+1",
        "~1",
        "1+1",
        "x",
        "f()",
        "*x",
        "a:=1",
        "lambda: 0",
        "[[1]]",
        "(1, 2), 3",
        "'1'",
    ]
    + ["0][1", "[0][1]", "1] + [2", "0 for", "1:2:3:4", "[0", "1;2", "0 # one", "\0", "\\d", "'\\d'", "1:x", "-None"]
    + ["np.None", "np.Ellipsis", "os.newaxis", "1:(2, 3)", "1:...", "__import__('os').abort()", "9" * 5000, "," * 9]
    + ["-" * 9000 + "1", "(" * 900 + "1" + ")" * 900, "+".join("1" * 4000), " " * 10_000 + "1", "x" * 9000],
    ids=lambda text: repr(text[:20]),
)
def test_bad_indices(text):
    with pytest.raises(ValueError, match="^index ") as caught:
        parse_index(text)
    assert len(str(caught.value)) < 400


def test_the_parser_does_not_warn():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with pytest.raises(ValueError, match="holds"):
            parse_index("'\\d'")
    assert caught == []


def test_index_text_is_the_inverse():
    index = np.s_[1, -2, 2:4, None, ..., :-3:-1, :]
    assert parse_index(index_text(index)) == index


def test_integers():
    assert parse_integers("0, -1,0b11") == parse_integers("[0,-1,3]") == [0, -1, 3]
    assert parse_integers("") == parse_integers("[]") == []
    assert [parse_integer(text) for text in ("10", "0b1010", "0xa", "-1")] == [10, 10, 10, -1]
    for text in ("", "1.0", "0b2", "x", "1 2", "007"):
        with pytest.raises(ValueError, match="is not an integer"):
            parse_integer(text)
