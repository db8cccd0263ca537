"""A Python that lacks what Windows lacks: each test runs in a process that has lost it before ssop is imported."""

import pytest

from child import run_source

LOST = """
import mmap, os, signal, sys
from functools import partial
import numpy as np
sys.modules |= dict.fromkeys(("fcntl", "resource", "termios", "tty", "pty", "pwd", "grp", "readline"))
for module, names in (
    (os, "O_NOFOLLOW O_NONBLOCK O_DIRECTORY fork geteuid getuid mkfifo pread pwrite set_blocking uname"),
    (signal, "SIGALRM SIGHUP SIGPIPE SIGQUIT SIGUSR1 SIG_BLOCK SIG_SETMASK pthread_sigmask setitimer sigwait"),
    (mmap, "PROT_READ PROT_WRITE MAP_PRIVATE MADV_NORMAL MADV_RANDOM MADV_SEQUENTIAL MADV_DONTNEED"),
):
    for name in filter(partial(hasattr, module), names.split()):
        delattr(module, name)

class Mapped(mmap.mmap):
    @property
    def madvise(self):
        raise AttributeError

mmap.mmap = Mapped
import ctypes

class Library(ctypes.CDLL):
    def __init__(self, name, *arguments, **options):
        if name is None:
            raise TypeError("LoadLibrary() argument 1 must be str, not None")
        super().__init__(name, *arguments, **options)

ctypes.CDLL = Library
import ssop
"""


def outcome(program):
    """What a program prints on a system that has lost so much."""
    done = run_source(LOST + program)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "command",
    [
        ["run", "x.npy", "--index", "[::-1, 1:]", "-o", "out.npy"],
        ["explain", "4,6", "--index", "[::-1, 1:]"],
        ["difftest", "--oracle", "numpy", "--cases", "20"],
        ["--help"],
    ],
    ids=" ".join,
)
def test_commands(tmp_path, command):
    outcome(
        f"os.chdir({str(tmp_path)!r})\n"
        "np.save('x.npy', np.arange(24).reshape(4, 6))\n"
        "from ssop.cli import main\n"
        f"try: code = main({command!r})\n"
        "except SystemExit as ended: code = ended.code\n"
        "assert not code, code\n"
        "assert not os.path.exists('out.npy') or np.load('out.npy').size\n"
    )


def test_two_directories_are_not_exchanged():
    assert outcome("from ssop.cli.exchanges import exchange\nprint(exchange('a', 'b'))") == "False\n"


def test_a_file_is_read_at_any_place(tmp_path):
    (tmp_path / "file").write_bytes(bytes(range(200)))
    program = (
        "from ssop._inspect.wire import Bytes\n"
        f"with open({str(tmp_path / 'file')!r}, 'rb') as opened:\n"
        "    content = Bytes.of_file(opened)\n"
        "    print(content.size, [*content.copy(100, 103)], [*content.head(3)][:2])\n"
    )
    assert outcome(program) == "200 [100, 101, 102] [3, 4]\n"


def test_c_functions_cannot_be_tested():
    program = (
        "from ssop.testing import difftest, run_c\n"
        "for call in (lambda: difftest('./lib.so:f', oracle='numpy'),\n"
        "             lambda: run_c('./lib.so:f', 'tf.slice', np.arange(3), begin=[0], size=[1])):\n"
        "    try: call()\n"
        "    except ValueError as error: print(error)\n"
    )
    assert outcome(program) == "C functions cannot be tested here: memory is not protected by mprotect\n" * 2
