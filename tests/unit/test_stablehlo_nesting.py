"""How deep programs are nested, by this package's own reading, which is never less deep than MLIR's."""

import pytest

from nested_programs import DOUBLED, HIDDEN, NESTED
from ssop._inspect.mlir_dialects import with_attributes
from ssop.stablehlo._nesting import MAX_DEPTH, line_too_deep
from ssop.stablehlo._parsing import in_generic_form


@pytest.mark.parametrize("kind", NESTED)
def test_every_way_of_nesting_has_a_limit(kind):
    shallow, deep = (NESTED[kind](depth) for depth in (100, 2 * MAX_DEPTH))
    assert line_too_deep(shallow) is None and line_too_deep(deep) is not None


@pytest.mark.parametrize("kind", HIDDEN)
def test_aliases_behind_an_open_bracket_are_seen(kind):
    assert line_too_deep(HIDDEN[kind](2 * MAX_DEPTH)) is not None


def test_aliases_that_have_two_of_the_one_before_have_a_limit():
    assert line_too_deep(DOUBLED(16)) is None and line_too_deep(DOUBLED(40)) is not None


def test_aliases_that_are_used_by_code_are_no_larger():
    locations = "#l = loc(unknown)\n" + "%0 = a loc(#l)\n" * 10**5
    chain = "\n".join(f"#l{n} = loc(callsite(#l at #l{n - 1}))" for n in range(1, 150))
    for head, tail in (("module {", "}"), ("func.func @main() {", "}"), ('"builtin.module"() ({', "}) : () -> ()")):
        text = f"{head}\n{'%0 = a loc(#l0)' * 10**5}\n{tail}\n"
        assert line_too_deep(f"#l0 = loc(unknown)\n{text}{locations}{chain}") is None


def test_what_nothing_ends_is_looked_at_once():
    for text in ("check.expect_eq %a, dense<", '"tf.Slice"(%a) <{'):
        assert in_generic_form(text * 20_000) == with_attributes(text * 20_000) == text * 20_000


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
