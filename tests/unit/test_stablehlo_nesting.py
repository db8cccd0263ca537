"""How deep programs are nested, by this package's own reading, which is never less deep than MLIR's."""

import pytest

from nested_programs import NESTED
from ssop.stablehlo._nesting import MAX_DEPTH, line_too_deep


@pytest.mark.parametrize("kind", NESTED)
def test_every_way_of_nesting_has_a_limit(kind):
    shallow, deep = (NESTED[kind](depth) for depth in (100, 2 * MAX_DEPTH))
    assert line_too_deep(shallow) is None and line_too_deep(deep) is not None


OPEN, CLOSED = "[" * (MAX_DEPTH // 2 + 1), "]" * (MAX_DEPTH // 2 + 1)


@pytest.mark.parametrize(
    "text, line",
    [
        (OPEN + CLOSED + OPEN, None),
        (OPEN + "\n" + OPEN, 2),
        (f'{OPEN} "{CLOSED}"\n\n{OPEN}', 3),
        (f'{OPEN} "\\"{CLOSED}" {OPEN}', 1),
        (f"{OPEN} // {CLOSED}\n{OPEN}", 2),
        (f"{OPEN} // {CLOSED}\r{OPEN}", 2),
        (f"{OPEN}\r\n{OPEN}", 2),
        ('"' + '\\"' * 10**6, None),
        (f'{OPEN}\n// "{OPEN}\n', None),
        (f"{OPEN} // {OPEN} {CLOSED} {CLOSED}\n", None),
        (f"#d<//> {OPEN}\n{OPEN}", 2),
        ("() -> " * 2000, None),
        ("dense<[" + "-1, -1.5e-5, 2.0e+05, " * 20_000 + "]>", None),
        ("%a-b " * 100 + "()" + "%a-b " * 450, None),
        ("#a = [1]\n#b = [#a]\nmodule {" + '"x"() {a = #b, b = #b} : () -> ()\n' * 5000 + "}", None),
        ("//" + "(" * 5000 + "\n" + "// CHECK: f(\n" * 5000, None),
    ],
    ids=range(16),
)
def test_strings_comments_and_arrows(text, line):
    assert line_too_deep(text) == line
