"""tools/limits.py on small sources: each limit and each kind of circle is found, and what looks like one is not."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "limits.py"

GOOD = {
    "csrc/a.h": '#include "b.h"\nint a_run(int x);\n',
    "csrc/a.c": '#include "a.h"\n\nint\na_run(int x)\n{\n    return b_run(x);\n}\n',
    "csrc/b.h": "int b_run(int x);\nextern const int b_table[2];\n",
    "csrc/b.c": '#include "b.h"\n\nconst int b_table[2] = {1, 2};\n\nint\nb_run(int x)\n{\n    return b_table[x];\n}\n',
    "python/ssop/__init__.py": "from ssop.one import f\n",
    "python/ssop/one.py": "from .two import g\n\n\ndef f():\n    from . import three\n    return g() + three.h()\n",
    "python/ssop/two.py": "import numpy as np\n\n\ndef g():\n    return np.int64(1)\n",
    "python/ssop/three.py": "def h():\n    return 2\n",
}


def body(lines):
    """A function's lines from its name to its brace, `lines` of them."""
    return "f(void)\n{\n" + "    ;\n" * (lines - 3) + "}\n"


def parameters(count):
    return ", ".join(f"int p{i}" for i in range(count))


@pytest.fixture
def check(tmp_path):
    def run(changes):
        for name, text in (GOOD | changes).items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        command = [sys.executable, SCRIPT, tmp_path]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.stderr == ""
        assert done.returncode == (0 if done.stdout == "0 violations of the limits\n" else 1)
        return done.stdout.splitlines()[:-1]

    return run


def test_sources_within_the_limits(check):
    assert check({}) == []


def test_nothing_found_is_a_violation(tmp_path):
    done = subprocess.run([sys.executable, SCRIPT, tmp_path], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (1, "no C sources found\n1 violations of the limits\n")


# ---- sizes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["csrc/deep/c.c", "csrc/c.h", "csrc/c.def", "python/ssop/c.py", "tests/c.py"])
def test_file_length(check, name):
    assert check({name: "\n" * 600}) == []
    assert check({name: "\n" * 601}) == [f"{name}: 601 lines, at most 600 are allowed"]


@pytest.mark.parametrize("name", ["csrc/deep/c.c", "tests/core/c.h", "examples/c/c.c"])
def test_line_width(check, name):
    comment = "/* " + "é" * 114
    assert check({name: f"\n{comment} */\n"}) == []
    found = check({name: f"\n{comment}x */\n"})
    assert found == [f"{name}: line 2 has 121 columns, at most 120 are allowed"]


FUNCTIONS = {
    "plain": ("int\n", "f"),
    "static": ("static inline __attribute__((noinline)) int\n", "f"),
    "template": ("INLINE TARGET void\n", "SIZED(f)"),
    "of a type that a macro names": ("static\nSIZED(type) ", "SIZED(f)"),
    "after a brace that a macro opens": ('#ifdef A\n#define B {\n#endif\n/* { */\nconst char *s = "{";\nint\n', "f"),
}


@pytest.mark.parametrize(("head", "name"), FUNCTIONS.values(), ids=FUNCTIONS)
def test_function_length(check, head, name):
    def text(lines):
        return head + body(lines).replace("f(", f"{name}(", 1) + "\nint\ng(void)\n{\n}\n"

    line = (head + "f").count("\n") + 1
    assert check({"csrc/c.h": text(60)}) == []
    assert check({"csrc/c.h": text(61)}) == [f"csrc/c.h: {name} (line {line}) has 61 lines, at most 60 are allowed"]


LISTS = {
    "function": "int\nf({})\n{{\n}}\n",
    "template": "static void\nSIZED(f)({})\n{{\n}}\n",
    "prototype": "const char *f({});\n",
    "long prototype": "const char *\nf({});\n",
    "function type": "typedef int (*f)({});\n",
    "member": "typedef struct {{\n    int (*const f)({});\n}} operation;\n",
}


@pytest.mark.parametrize("text", LISTS.values(), ids=LISTS)
def test_parameter_lists(check, text):
    assert check({"csrc/c.h": text.format(parameters(6))}) == []
    (found,) = check({"csrc/c.h": text.format(parameters(7))})
    assert found.startswith("csrc/c.h: ")
    assert found.endswith("has 7 parameters, at most 6 are allowed")


def test_parameters_of_macros(check):
    assert check({"csrc/c.h": "#define M(a, b, c, d, e, f) (a)\n"}) == []
    (found,) = check({"csrc/c.h": "#define M(a, b, c, d, \\\n          e, f, g) (a)\n"})
    assert found == "csrc/c.h: M has 7 parameters, at most 6 are allowed"


def test_commas_that_separate_no_parameters(check):
    several = "int (*g)(int, int, int, int), int h[A(1, 2, 3)], /* i, j, k, l */ int m"
    assert check({"csrc/c.c": f"int\nf({several})\n{{\n    return g(1, 2, 3, 4);\n}}\n"}) == []


# ---- circles ---------------------------------------------------------------------------------------------------------


def test_headers_that_include_each_other(check):
    (found,) = check({"csrc/b.h": '#include "a.h"\nint b_run(int x);\nextern const int b_table[2];\n'})
    assert found == "circle: csrc/a needs csrc/b (uses b_run); csrc/b needs csrc/a (includes a.h)"


def test_function_of_a_unit_that_is_not_included(check):
    text = GOOD["csrc/b.c"].replace("b_table[x]", "a_run(x)")
    (found,) = check({"csrc/b.c": text})
    assert found == "circle: csrc/a needs csrc/b (uses b_run); csrc/b needs csrc/a (uses a_run)"


def test_variable_and_initializer(check):
    changes = {
        "csrc/a.c": GOOD["csrc/a.c"] + "\nint a_count;\n",
        "csrc/b.c": GOOD["csrc/b.c"] + "\nint *const b_counts[] = {&a_count};\n",
    }
    (found,) = check(changes)
    assert found.endswith("csrc/b needs csrc/a (uses a_count)")


def test_inline_functions_and_macros_of_headers_use(check):
    for text in ("static inline int\nb_one(void)\n{\n    return a_run(1);\n}\n", "#define B_ONE() a_run(1)\n"):
        (found,) = check({"csrc/b.h": GOOD["csrc/b.h"] + text})
        assert found.endswith("csrc/b needs csrc/a (uses a_run)")


def test_longer_circles(check):
    changes = {
        "csrc/b.c": GOOD["csrc/b.c"].replace("b_table[x]", "c_run(x)"),
        "csrc/c.c": "int\nc_run(int x)\n{\n    return a_run(x);\n}\n",
    }
    (found,) = check(changes)
    assert found.count("needs") == 3


def test_what_is_no_use(check):
    """Declarations, members, comments, strings, and static functions of the same name."""
    changes = {
        "csrc/b.h": GOOD["csrc/b.h"] + "int a_run(int x);\nint\na_run(int a_run);\n/* a_run(1) */\n",
        "csrc/b.c": GOOD["csrc/b.c"]
        + '\nint\nb_two(table *t)\n{\n    return t->a_run(1) + t[0].a_run + "a_run"[0];\n}\n',
        "csrc/c.c": "static int\na_run(int x)\n{\n    return x;\n}\n\nint\nc_run(int x)\n{\n    return a_run(x);\n}\n",
        "csrc/a.c": GOOD["csrc/a.c"].replace("b_run(x)", "c_run(x)"),
    }
    assert check(changes) == []


IMPORTS = {
    "absolute": "import ssop.one\n",
    "from": "from ssop.one import f\n",
    "module from package": "from ssop import one\n",
    "relative": "from . import one\n",
    "in a function": "def h():\n    from .one import f\n    return f\n",
    "the package itself": "import ssop\n",
}


@pytest.mark.parametrize("text", IMPORTS.values(), ids=IMPORTS)
def test_modules_that_import_each_other(check, text):
    (found,) = check({"python/ssop/three.py": text})
    assert "ssop.three needs ssop" in found
    assert "needs ssop.three (imports it)" in found


def test_subpackages(check):
    changes = {
        "python/ssop/sub/__init__.py": "from .inner import x\n",
        "python/ssop/sub/inner.py": "from ..three import h\n",
        "python/ssop/two.py": "from ssop.sub import inner\n",
    }
    assert check(changes) == []
    (found,) = check(changes | {"python/ssop/three.py": "from ssop.sub import x\n"})
    assert "ssop.three needs ssop.sub" in found


# ---- comments --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("indent", ["", "    "])
def test_comment_length(check, indent):
    def text(lines):
        return "\n" + indent + "/* a" + ("\n" + indent + " * b") * (lines - 1) + ' */\nconst char *s = "/*";\n'

    assert check({"csrc/c.h": text(12)}) == []
    assert check({"csrc/c.h": text(13)}) == ["csrc/c.h: the comment in line 2 has 13 lines, at most 12 are allowed"]


@pytest.mark.parametrize("name", ["csrc/deep/c.c", "csrc/c.h", "csrc/c.def"])
def test_speeds_belong_to_the_records(check, name):
    found = check({name: "\n/* f4 ran at 7.4 GB/s */\n"})
    assert found == [f"{name}: line 2 has a speed in GB/s, which belongs to benchmarks/records"]
    assert check({name: "/* it waits (record far-tiles) */\n", "python/ssop/speed.py": "UNIT = 'GB/s'\n"}) == []


# ---- circles of templates --------------------------------------------------------------------------------------------


def template(name, calls, includes="", spelling="{}"):
    own, other = spelling.format(name), spelling.format(calls)
    return f"{includes}static int\n{own}(int x)\n{{\n    return {other}(x);\n}}\n"


BOTH = '#include "one.h"\n#include "two.h"\n'


@pytest.mark.parametrize("spelling", ["{}", "SIZED({})"])
def test_templates_that_call_each_other(check, spelling):
    changes = {
        "csrc/t/target.c": BOTH,
        "csrc/t/one.h": template("one", "two", spelling=spelling),
        "csrc/t/two.h": template("two", "one", spelling=spelling),
    }
    (found,) = check(changes)
    first, second = "csrc/t/one.h needs csrc/t/two.h (uses two)", "csrc/t/two.h needs csrc/t/one.h (uses one)"
    assert found == f"circle of templates: {first}; {second}"
    assert check(changes | {"csrc/t/two.h": template("two", "three", spelling=spelling)}) == []


def test_templates_that_call_and_include_each_other(check):
    """As headers that are included twice do, with other macros each time."""
    changes = {
        "csrc/t/target.c": '#include "one.h"\n#include "same.h"\n',
        "csrc/t/one.h": template("one", "two", '#include "two.h"\n#include "one.h"\n'),
        "csrc/t/two.h": template("two", "three"),
        "csrc/t/three.h": template("three", "one"),
    }
    assert check(changes) == []
    (found,) = check(changes | {"csrc/t/same.h": '#include "three.h"\n'})
    assert found.startswith("circle of templates: ")
    assert found.count("needs") == 3
    assert "same.h" not in found


def test_what_is_no_circle_of_templates(check):
    """What a .c file defines for its templates, headers of different .c files, and a function of two headers."""
    changes = {
        "csrc/t/target.c": '#include "one.h"\n' + template("two", "one"),
        "csrc/t/one.h": template("one", "two"),
        "csrc/t/two.h": template("two", "one"),
        "csrc/t/other.c": '#include "two.h"\n',
    }
    assert check(changes) == []
    changes |= {"csrc/t/target.c": BOTH + '#include "three.h"\n', "csrc/t/three.h": template("two", "nothing")}
    assert check(changes) == []
