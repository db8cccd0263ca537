"""`ssop run` and the user's files (reports of 2026-11-26): nothing is lost, left behind or printed raw."""

import io
import os
import random
import signal
import subprocess
import sys
import time
import types
import zipfile

import numpy as np
import pytest
from numpy.lib.format import write_array_header_1_0

import child
from ssop import cli
from ssop.cli import clusters, inputs

SSOP = [sys.executable, "-m", "ssop"]
X = np.arange(60).reshape(3, 4, 5)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("in.npy", X)
    np.savez("two.npz", weights=X, other=np.arange(3))
    return tmp_path


def run(*words, **options):
    return subprocess.run([*SSOP, *words], capture_output=True, check=False, timeout=child.LIMIT_SECONDS, **options)


def left(folder):
    return [path.name for path in folder.iterdir() if path.name.startswith(".ssop-")]


def test_an_archive_is_not_destroyed(folder, capsys):
    """Report: `ssop run two.npz --member weights --index "[::-1]" -o two.npz` left a bare array."""
    before = (folder / "two.npz").read_bytes()
    words = ["run", "two.npz", "--member", "weights", "--index", "[::-1]", "-o"]
    assert cli.main([*words, "two.npz"]) == 2
    assert "two.npz: the result is written as .npy, .zarr or .h5, not as .npz" in capsys.readouterr().err
    (folder / "archive").write_bytes(before)
    (folder / "renamed.npy").write_bytes(before)
    for name in ("archive", "renamed.npy"):
        assert cli.main([*words, name]) == 2
        assert "something else than an .npy file, which is not replaced" in capsys.readouterr().err
        assert (folder / name).read_bytes() == before
    assert (folder / "two.npz").read_bytes() == before and not left(folder)


@pytest.mark.parametrize("name", ["x.csv", "x.npz", "x.txt", "x.nc", "x.npy.gz", "dir.d/x.json"])
def test_a_name_that_says_another_format_is_an_error(folder, name, capsys):
    assert cli.main(["run", "in.npy", "--index", "0", "-o", name]) == 2
    err = capsys.readouterr().err
    assert f"not as .{name.rpartition('.')[2]}" in err and err.count("\n") == 1
    assert not os.path.exists(name)


@pytest.mark.parametrize("name", ["x.npy", "x", "v1.2/x.npy"])
def test_names_that_are_written(folder, name):
    os.makedirs("v1.2")
    assert cli.main(["run", "in.npy", "--index", "[1, ::-1]", "-o", name]) == 0
    assert np.array_equal(np.load(name), X[1, ::-1])


# ---- standard output -------------------------------------------------------------------------------------------------


def test_a_result_into_a_pipe(folder):
    """Report: `-o -` made a file of that name."""
    done = run("run", "in.npy", "--index", "[::-1, 1]", "-o", "-")
    assert done.returncode == 0 and np.array_equal(np.load(io.BytesIO(done.stdout)), X[::-1, 1])
    assert b"region" in done.stderr and b"copied" in done.stderr
    assert not (folder / "-").exists() and not left(folder)
    again = run("run", "-", "--index", "[0]", "-o", "-", input=done.stdout)
    assert np.array_equal(np.load(io.BytesIO(again.stdout)), X[2, 1])


def test_an_error_writes_nothing_into_a_pipe(folder):
    done = run("run", "in.npy", "--index", "[7]", "-o", "-")
    assert done.returncode == 2 and done.stdout == b"" and done.stderr.count(b"\n") == 1


def test_nobody_reads_the_pipe(folder):
    np.save("large.npy", np.zeros(2**20))
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*SSOP, "run", "large.npy", "--index", "[...]", "-o", "-"], stdout=writer, stderr=-1, check=False
    )
    os.close(writer)
    assert done.returncode == 1 and b"Traceback" not in done.stderr


@pytest.mark.parametrize("words", [[], ["-o", "out.npy"]])
def test_a_member_that_the_memory_cannot_hold(folder, words, capsys):
    """Report: "not enough memory for the result; write it to a file with -o", with -o, too."""
    header = io.BytesIO()
    write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (2**50,)})
    with zipfile.ZipFile("bomb.npz", "w") as archive:
        archive.writestr("x.npy", header.getvalue())
    assert cli.main(["run", "bomb.npz", "--index", ":3", *words]) == 2
    message = "ssop: error: bomb.npz: x: not enough memory for this array, which is read as a whole\n"
    assert capsys.readouterr().err == message


# ---- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="macOS and Windows have no /dev/full")
@pytest.mark.parametrize("line", ["--version", "run --help", "explain 3 --index 0", "run nothing"])
@pytest.mark.parametrize("full", ["stdout", "stderr", "the pipe"])
def test_outputs_that_cannot_be_written_change_no_exit_code(folder, line, full):
    """Report: exit code 120 and "Exception ignored in", for Python writes what is left once more in its end."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    unread, pipe = os.pipe()
    os.close(unread)
    with open("/dev/full", "wb") as device, open(pipe, "wb") as closed:
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        streams |= {"stdout": closed} if full == "the pipe" else {full: device}
        command = [*SSOP, *line.split()]
        done = subprocess.run(command, **streams, env=environment, check=False, timeout=child.LIMIT_SECONDS)
    code = 2 if line == "run nothing" or full == "stdout" else 1 if full == "the pipe" else 0
    lines = 0 if full == "stderr" else int(code == 2)
    assert done.returncode == code and (done.stderr or b"").count(b"\n") == lines, done.stderr


@pytest.mark.parametrize("words", [["two\nlines"], ["func.func", "other"], ["--each", "two\nlines"]])
def test_the_name_of_a_model_is_no_program(words, capsys):
    """Report: a path of two lines was parsed as a program of StableHLO."""
    assert cli.main(["inspect", *words]) == 2
    name = " ".join(words[-1 if words[0] == "--each" else 0].split())
    assert capsys.readouterr().err == f"ssop: error: {name}: No such file or directory\n"


def test_names_of_the_users_files_do_not_steer_his_terminal(folder, capsys):
    """Report: member names of an .npz file were printed raw, ESC bytes among them."""
    evil = "a\x1b[2J\x07b"
    np.savez("evil.npz", **{evil: X, "c": X})
    np.save(f"{evil}.npy", X)
    fields = np.zeros(2, [(evil, "i4")])
    np.save("fields.npy", fields)
    for words in (["evil.npz"], ["evil.npz", "--member", "x\x1b"], [f"{evil}.npy", "--member", "x"], ["fields.npy"]):
        cli.main(["run", *words, "--index", "0"])
        shown = capsys.readouterr()
        assert "\x1b" not in shown.out + shown.err and "\x07" not in shown.out + shown.err
        assert r"\x1b" in shown.out + shown.err


# ---- what is left behind ---------------------------------------------------------------------------------------------

SLOW = """
import signal, sys
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup ignores it for all that it starts
import ssop
from ssop import cli
from ssop.cli import clusters, inputs
from ssop.cli import boxes, copying

copying.PIECE_BYTES = 2**16
whole = copying.Job.copy_box

def copy_box(self, source, output, number):
    done = whole(self, source, output, number)
    if number == 3:
        {meanwhile}
    return done

copying.Job.copy_box = copy_box
sys.exit(cli.main(["run", "large.npy", "--index", "[::-1]", "-o", "out.npy"]))
"""


def run_slowly(meanwhile):
    """A run that does something in the middle of its copy."""
    np.save("large.npy", np.arange(2**17))
    return subprocess.run([sys.executable, "-c", SLOW.format(meanwhile=meanwhile)], capture_output=True, check=False)


@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_removes_what_is_unfinished(folder, name, code):
    """Report: a run whose terminal was closed left its output unfinished."""
    done = run_slowly(f"signal.raise_signal(signal.{name})")
    assert (done.returncode, done.stdout.count(b"copied"), done.stderr) == (code, 0, b"")
    assert not left(folder) and not (folder / "out.npy").exists()


def test_processes_that_cannot_start_are_one_line(folder, monkeypatch, capsys):
    """Report: a traceback of dask, and "an error inside ssop", in a folder that had been removed."""

    class LocalCluster:
        def __init__(self, **options):
            try:
                os.stat("nothing")
            except OSError as error:
                raise RuntimeError("Nanny failed to start.") from error

    monkeypatch.setattr(clusters, "import_module", lambda name: types.SimpleNamespace(LocalCluster=LocalCluster))
    assert cli.main(["run", "in.npy", "--index", "0", "-o", "out.npy", "--workers", "2"]) == 2
    message = "--workers: the processes cannot start: FileNotFoundError: [Errno 2] No such file or directory: 'nothing'"
    assert capsys.readouterr().err == f"ssop: error: {message}\n" and not left(folder)


def test_a_model_is_read_from_a_folder_that_was_removed(folder):
    """Report: FileNotFoundError, for modules may be in the current folder."""
    os.mkdir("gone")
    program = "import os, sys; from ssop._inspect import child; os.chdir('gone'); os.rmdir('../gone'); "
    done = child.run_source(f"{program}print(child._search_path() == [path for path in sys.path if path])")
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr


def test_an_input_that_becomes_shorter_is_one_line(folder):
    """Report: SIGBUS, and an unfinished file stayed."""
    done = run_slowly("open('large.npy', 'r+b').truncate(4096)")
    assert done.returncode == 2
    assert done.stderr == b"ssop: error: large.npy: the file has become shorter while it was read\n"
    assert not left(folder) and not (folder / "out.npy").exists()


def test_what_a_killed_run_left_is_removed_by_the_next(folder):
    done = run_slowly("signal.raise_signal(signal.SIGKILL)")
    assert done.returncode == -signal.SIGKILL
    (name,) = left(folder)
    done = run("run", "in.npy", "--index", "0", "-o", "out.npy")
    assert done.returncode == 0 and not left(folder)
    assert done.stderr.decode() == f"ssop: removed {name}, which a run that was killed had left\n"


@pytest.mark.parametrize("times", [5, pytest.param(50, marks=pytest.mark.long)])
def test_a_run_killed_at_any_moment_leaves_the_old_output_or_the_new_one(folder, times):
    large, old = np.arange(2**22), np.arange(100)
    np.save("large.npy", large)
    command = [*SSOP, "run", "large.npy", "--index", "[::-1]", "-o", "out.npy"]
    begun = time.monotonic()
    subprocess.run(command, check=True, capture_output=True)
    whole = time.monotonic() - begun
    moments, killed = random.Random(times), 0
    for _ in range(times):
        np.save("out.npy", old)
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            time.sleep(moments.uniform(0, whole))
            process.kill()
        killed += process.returncode == -signal.SIGKILL
        out = np.load("out.npy")
        assert np.array_equal(out, old) or np.array_equal(out, large[::-1])
        assert len(left(folder)) <= 1  # each run removes what the one before left
    assert killed > 0
    subprocess.run(command, check=True, capture_output=True)
    assert not left(folder)


def test_what_another_run_has_at_work_is_not_removed(folder):
    program = SLOW.format(meanwhile="print('here', flush=True); sys.stdin.readline()")
    np.save("large.npy", np.arange(2**17))
    with subprocess.Popen([sys.executable, "-c", program], stdin=-1, stdout=-1, stderr=-1, text=True) as other:
        for line in other.stdout:
            if line == "here\n":
                break
        (name,) = left(folder)
        done = run("run", "in.npy", "--index", "0", "-o", "second.npy")
        assert done.returncode == 0 and done.stderr == b"" and left(folder) == [name]
        other.communicate("go on\n")
    assert other.returncode == 0 and not left(folder)
    assert np.array_equal(np.load("out.npy"), np.arange(2**17)[::-1])


# ---- the environment -------------------------------------------------------------------------------------------------

COMMAND = [sys.executable, "-c", "import sys, ssop_command; sys.exit(ssop_command.main())"]
VARIABLES = [
    ("SSOP_CPU", b"z80\xff"),
    ("SSOP_NUM_THREADS", b"x"),
    ("SSOP_CACHE_BYTES", b"\xff\n"),
    ("SSOP_VARIANT", b"x" * 5000),
    ("SSOP_POLICY_STREAM_BYTES", b"9" * 5000),
]


@pytest.mark.parametrize(("name", "value"), VARIABLES)
def test_a_variable_that_makes_no_sense_is_one_line(name, value):
    """Report: the ImportError of the package was a traceback of the command."""
    environment = os.environb | {name.encode(): value}
    done = subprocess.run([*COMMAND, "--version"], env=environment, capture_output=True, timeout=child.LIMIT_SECONDS)
    assert done.returncode == 2 and done.stdout == b""
    assert done.stderr.startswith(f"ssop: error: {name}=".encode()) and done.stderr.count(b"\n") == 1


def test_a_module_that_is_missing_is_no_variable():
    hidden = "import sys; sys.modules['numpy'] = None"
    done = subprocess.run([*COMMAND[:2], f"{hidden}; {COMMAND[2]}", "--version"], capture_output=True)
    assert done.returncode == 1 and b"Traceback" in done.stderr


def test_variables_that_are_no_text_are_shown():
    """Report: UnicodeEncodeError."""
    environment = os.environb | {b"SSOP_TUNED_FILE": b"/nowhere/\xff\x1b[2J"}
    done = subprocess.run([*COMMAND[:2], "import ssop; ssop.show_config()"], env=environment, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert rb"SSOP_TUNED_FILE: /nowhere/\udcff\x1b[2J" in done.stdout and b"\x1b" not in done.stdout


# ---- words of errors -------------------------------------------------------------------------------------------------


def test_an_error_without_a_number_has_its_words(folder, monkeypatch, capsys):
    def odd(*arguments):
        raise OSError("the library says so")

    monkeypatch.setattr(inputs, "open_input", odd)
    assert cli.main(["run", "in.npy", "--index", "0"]) == 2
    assert capsys.readouterr().err == "ssop: error: the library says so\n"


@pytest.mark.parametrize("name", ["-", "y.h5", "y.hdf5", "y.zarr", "memory://y.npy"])
def test_results_of_programs_are_npy_files(folder, name, capsys):
    """Report: `-o y.h5` wrote the bytes of an .npy file under that name, and - a file called so."""
    assert cli.main(["stablehlo", "run", "none.mlir", "-o", name]) == 2
    assert capsys.readouterr().err == f"ssop: error: -o {name}: results are written into .npy files\n"


def test_stdout_escapes_what_its_encoding_lacks(folder):
    """Report: a field with a name beyond ASCII was an error of the codec."""
    with pytest.warns(UserWarning, match="format 3.0"):
        np.save("fields.npy", np.zeros(2, [("\u6c34", "i4")]))
    words = ["run", "fields.npy", "--index", "0"]
    done = subprocess.run([*COMMAND, *words], env=os.environ | {"PYTHONIOENCODING": "ascii"}, capture_output=True)
    assert done.returncode == 0 and rb"\u6c34" in done.stdout, done.stderr
