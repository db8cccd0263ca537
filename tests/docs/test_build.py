"""The build compiles the files that have changed and no others: tools/objects.py, and setup.py on a small tree."""

import importlib.util
import json
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from child import LIMIT_SECONDS

ROOT = Path(__file__).parents[2]
COMPILER = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
SOURCES = {
    "csrc/core/one.c": '#include "outer.h"\nint one(void) { return INNER; }\n',
    "csrc/core/two.c": '#include "inner.h"\nint two(void) { return INNER + 1; }\n',
    "csrc/copy/alone.c": "int alone(void) { return 3; }\n",
    "csrc/core/outer.h": '#include "inner.h"\n',
    "csrc/core/inner.h": "#ifndef INNER\n#define INNER 1\n#endif\n",
}
ALL = ["csrc/copy/alone.c", "csrc/core/one.c", "csrc/core/two.c"]


def write(files):
    for path, text in files.items():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text, encoding="utf-8")


def edit(path):
    """Changes what a file has; its time stays, as after a copy that keeps times."""
    before = os.stat(path)
    Path(path).write_text(Path(path).read_text(encoding="utf-8") + "/* edited */\n", encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


# ---- the rule --------------------------------------------------------------------------------------------------------


@pytest.fixture
def objects(tmp_path, monkeypatch):
    """The module, in a tree of three sources and two headers."""
    spec = importlib.util.spec_from_file_location("objects", ROOT / "tools/objects.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.chdir(tmp_path)
    write(SOURCES)
    return module


def build(objects, sources=ALL, command="cc", during=lambda source: None):
    """Builds, and returns the sources that were compiled. `during` is called after each compilation."""
    files = [*sources, *map(str, Path("csrc").rglob("*.h"))]
    made, compiled = objects.Objects(Path("made"), command, files), []

    def compile_one(source):
        made.path(source).parent.mkdir(parents=True, exist_ok=True)
        arguments = [*objects.FLAGS, "-c", source, "-o", str(made.path(source))]
        subprocess.run([*COMPILER, *arguments], check=True, timeout=LIMIT_SECONDS)
        compiled.append(source)
        during(source)

    paths = made.compile(list(sources), compile_one, jobs=2)
    assert paths == [f"made/{source[:-2]}.o" for source in sources]
    assert sorted(map(str, Path("made").rglob("*.o"))) == sorted(paths)
    return sorted(compiled)


def test_the_first_build_compiles_everything_and_the_second_nothing(objects):
    assert build(objects) == sorted(ALL)
    assert build(objects) == []


@pytest.mark.parametrize(
    "path, compiled",
    [
        ("csrc/copy/alone.c", ["csrc/copy/alone.c"]),
        ("csrc/core/outer.h", ["csrc/core/one.c"]),
        ("csrc/core/inner.h", ["csrc/core/one.c", "csrc/core/two.c"]),
    ],
)
def test_an_edit_compiles_the_files_that_include_it(objects, path, compiled):
    build(objects)
    edit(path)
    assert build(objects) == compiled
    assert build(objects) == []


def test_new_times_alone_compile_nothing(objects):
    build(objects)
    for path in SOURCES:
        os.utime(path, ns=(2**61, 2**61))
    assert build(objects) == []


def test_another_command_compiles_everything(objects):
    build(objects)
    assert build(objects, command="cc -O3") == sorted(ALL)


def test_a_new_file_is_compiled_alone(objects):
    build(objects)
    write({"csrc/core/new.c": "int new(void) { return 4; }\n"})
    assert build(objects, [*ALL, "csrc/core/new.c"]) == ["csrc/core/new.c"]


def test_the_object_of_a_deleted_file_goes(objects):
    build(objects)
    os.unlink("csrc/core/two.c")
    assert build(objects, [source for source in ALL if source != "csrc/core/two.c"]) == []


def test_a_header_that_is_gone_is_missed(objects):
    build(objects)
    os.unlink("csrc/core/inner.h")
    with pytest.raises(subprocess.CalledProcessError):
        build(objects)


def test_a_file_that_is_edited_while_it_is_compiled_is_compiled_again(objects):
    write({"csrc/core/two.c": "int two(void) { return 5; }\n"})
    assert build(objects, during=lambda source: edit(source) if source == "csrc/core/two.c" else None) == sorted(ALL)
    assert build(objects) == ["csrc/core/two.c"]


def test_an_interrupted_compilation_is_done_again(objects):
    """A half-written object, as a compiler leaves it that is killed, with the record of the whole one before it."""
    build(objects)
    edit("csrc/core/two.c")

    def interrupt(source):
        Path("made/csrc/core/two.o").write_bytes(b"half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(objects, during=interrupt)
    assert build(objects) == ["csrc/core/two.c"]


@pytest.mark.parametrize("record", ["", "{"])
def test_after_half_a_record_the_file_is_compiled_again(objects, record):
    build(objects)
    Path("made/csrc/core/two.json").write_text(record, encoding="utf-8")
    assert build(objects) == ["csrc/core/two.c"]


# ---- setup.py --------------------------------------------------------------------------------------------------------

MODULE = """
#include <Python.h>
#include "docstrings.h"
int one(void);
static PyObject *value(PyObject *self, PyObject *none) { (void)self; (void)none; return PyLong_FromLong(one()); }
static PyMethodDef methods[] = {{"value", value, METH_NOARGS, DOC_value}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef core = {PyModuleDef_HEAD_INIT, "_core", NULL, -1, methods, NULL, NULL, NULL, NULL};
PyMODINIT_FUNC __attribute__((visibility("default"))) PyInit__core(void) { return PyModule_Create(&core); }
"""
TREE = SOURCES | {
    "csrc/python/module.c": MODULE,
    "python/ssop/__init__.py": "",
    "python/ssop/_core.pyi": 'def value() -> int:\n    """Return one."""\n',
    "pyproject.toml": '[project]\nname = "ssop"\nversion = "1"\n[tool.setuptools]\n'
    'package-dir = { "" = "python" }\npackages = ["ssop"]\n',
    "compiler": '#!/bin/sh\ncase " $* " in *" -c csrc"*) echo "$*" >> compiled;; esac\nexec '
    + shlex.join(COMPILER)
    + ' "$@"\n',
}
EDITABLE = "import sys; from setuptools import build_meta; build_meta.build_editable(sys.argv[1])"
"""What pip calls for `pip install -e .`: the folders of the build are temporary ones."""


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A tree with the build of this one, and a compiler that notes what it compiles."""
    monkeypatch.chdir(tmp_path)
    write_tree()
    return tmp_path


def write_tree():
    write(TREE)
    shutil.copy(ROOT / "setup.py", "setup.py")
    for tool in ("build_info.py", "docstrings.py", "objects.py"):
        Path("tools").mkdir(exist_ok=True)
        shutil.copy(ROOT / "tools" / tool, f"tools/{tool}")
    os.chmod("compiler", 0o755)


def compiled_by(arguments, **environment):
    Path("compiled").write_text("", encoding="utf-8")
    own = {name: value for name, value in os.environ.items() if not name.startswith("SSOP_")}
    command = [sys.executable, *arguments]
    environment = own | {"CC": f"{os.getcwd()}/compiler"} | environment
    subprocess.run(command, env=environment, check=True, capture_output=True, timeout=LIMIT_SECONDS)
    lines = Path("compiled").read_text(encoding="utf-8").splitlines()
    return sorted(next(word for word in line.split() if word.endswith(".c")) for line in lines)


def built_value():
    """What the module returns, and the last line of its docstring."""
    program = "from ssop import _core; print(_core.value(), _core.value.__doc__.splitlines()[-1])"
    command = [sys.executable, "-c", "import sys; sys.path.insert(0, 'python'); " + program]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def test_an_editable_installation_compiles_what_has_changed(tree):
    everything = sorted([*ALL, "csrc/python/module.c"])
    assert compiled_by(["-c", EDITABLE, str(tree)]) == everything
    assert built_value() == "1 Return one."
    write({"csrc/core/one.c": "int one(void) { return 7; }\n"})
    assert compiled_by(["-c", EDITABLE, str(tree)]) == ["csrc/core/one.c"]
    assert built_value() == "7 Return one."
    write({"python/ssop/_core.pyi": 'def value() -> int:\n    """Return seven."""\n'})
    in_place = ["setup.py", "-q", "build_ext", "--inplace"]
    assert compiled_by(in_place) == ["csrc/python/module.c"]
    assert built_value() == "7 Return seven."
    assert compiled_by(["setup.py", "-q", "bdist_wheel"]) == []


def test_switches_and_flags_compile_everything(tree):
    everything = sorted([*ALL, "csrc/python/module.c"])
    in_place = ["setup.py", "-q", "build_ext", "--inplace"]
    assert compiled_by(in_place) == everything
    assert compiled_by(in_place, SSOP_DEBUG="1") == everything  # in a folder of its own
    assert compiled_by(in_place, SSOP_DEBUG="1") == compiled_by(in_place) == []
    assert compiled_by(in_place, CFLAGS="-DINNER=9") == everything
    assert built_value() == "9 Return one."


def test_msvc_is_rejected_in_one_line(tree):
    command = [sys.executable, "setup.py", "-q", "build_ext", "--compiler=msvc"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("ssop is C of GCC and Clang")
    assert "Traceback" not in done.stderr


# ---- wheels ----------------------------------------------------------------------------------------------------------


BUILT = '#include "build_info.h"\nconst char built[] = SSOP_BUILD_FLAGS SSOP_BUILD_NUMPY SSOP_BUILD_SOURCES __FILE__;\n'


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """Wheels of two folders. The build compiles files that know its flags, with debugging information."""
    made = []
    for folder in ("one", "another/folder"):
        path = tmp_path_factory.mktemp("wheel") / folder
        path.mkdir(parents=True)
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(path)
            write_tree()
            write({"csrc/python/built.c": BUILT})
            environment = {"SOURCE_DATE_EPOCH": "1000000000", "CFLAGS": "-g", "CC": shlex.join(COMPILER)}
            compiled_by(["setup.py", "-q", "bdist_wheel"], **environment)
        made += path.glob("dist/*.whl")
    return made


def test_two_folders_give_the_same_wheel(wheels):
    first, second = wheels
    assert first.name == second.name
    assert first.read_bytes() == second.read_bytes()
    with zipfile.ZipFile(first) as files:
        (name,) = [name for name in files.namelist() if name.endswith(".so")]
        extension = files.read(name)
    assert b".debug_info" in extension and b"fvisibility" in extension, "nothing here could differ"
    assert os.fsencode(first.parents[1]) not in extension


def test_a_wheel_has_a_bill_of_materials(wheels):
    with zipfile.ZipFile(wheels[0]) as files:
        bom = json.loads(files.read("ssop-1.dist-info/sboms/ssop.cdx.json"))
        recorded = files.read("ssop-1.dist-info/RECORD").decode()
    assert (bom["bomFormat"], bom["specVersion"]) == ("CycloneDX", "1.6")
    component = bom["metadata"]["component"]
    assert (component["name"], component["version"], component["purl"]) == ("ssop", "1", "pkg:pypi/ssop@1")
    assert bom["components"] == []
    assert "timestamp" not in bom["metadata"] and "serialNumber" not in bom
    assert "ssop-1.dist-info/sboms/ssop.cdx.json,sha256=" in recorded
