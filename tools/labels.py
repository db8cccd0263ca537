"""Counts the rules of SPEC.md: every label must be enforced, stand in the reference, and be tested.

`python tools/labels.py [ROOT]` exits with 1 if a label is missing somewhere, or if SPEC.md lacks one that is elsewhere.
What only lists labels does not count: the list of rules (rules.def), the table of messages (test_rules.c), sets of
labels, and the test of this script (test_labels.py).

Enforced is a constraint (`_c`) which

- C code passes to `fail` or to a function with a parameter `ssop_rule`, or gives to an error in a function that raises
  it (`.rule = SSOP_X`),
- or C code names in the record of a dialect, `.field = SSOP_X`, if such a function is called with that field,
- or Python code raises (`raise value_error(op, "sel_c1", ..)`).

A meaning (`_s`) has no line that raises: its label stands in a comment where the code does it.

Tested is a label which stands

- in a test function of Python that asserts something (a constraint in a string there; a meaning also in the function's
  name, docstring or comments),
- in a row of examples of a test: `Case("ss_c1", ..)`, or the key of a dict whose value is the call,
- or in a check of a C test.

Rules about Python objects and memory (in_, out_, ..) are not the reference's business.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

HEADING = re.compile(r"^### ((\w+)_[cs]\d+):", flags=re.M)
IN_LIST = re.compile(r"^RULE\(\w+, \"(\w+)\"", flags=re.M)
IN_C = re.compile(r"\bSSOP_((?:[A-Z]+)_C\d+)\b")
COMMENT = re.compile(r"/\*.*?\*/", flags=re.S)
FUNCTION_END = re.compile(r"^}", flags=re.M)
FAILING = re.compile(r"\bfail(?:_form)?\s*\(")  # the second argument is the rule
TAKES_RULE = re.compile(r"^(\w+)\([^)]*\bssop_rule \w+", flags=re.M)
RAISES = re.compile(r"\b(?:fail|errors_raise|raise_|args_read_bounded)\w*\s*\(")
RULE_OF_ERROR = re.compile(r"\brule = (?:[^,;]*: )?SSOP_((?:[A-Z]+)_C\d+)\b")  # the last one of a condition
FIELD_OF_RECORD = re.compile(r"\.(\w+) = SSOP_((?:[A-Z]+)_C\d+)\b")
CHECK = re.compile(r"\b(?:CHECK|check_\w+)\s*\(")
# The reference, which knows numbers only, has no word for rules about Python objects and memory.
# Nor has it one for contexts, shape functions, lists of operations, gradients, conversions and models: all Python's.
BINDING_ONLY = re.compile(
    r"(?:in|out|mem|rg|ix|pl|ex|th|cfg|vjp|cm|tup|cc|qu|hlo|cv|im|hz)_"
    r"|sh_(?:c18|c19|c20|c2[2-5]|c3[0-9]|s1[3-9]|s2[0-9]|s3[0-9]|s40)$"
)
FOLDERS = ("", "_lazy/", "_vjp/", "_explain/", "_convert/", "_inspect/", "_xla/", "shapes/", "stablehlo/")
PYTHON = tuple(f"python/ssop/{folder}*.py" for folder in FOLDERS)
LISTS = {"test_rules.c", "test_labels.py"}


class Tree:
    """The labels of one tree of files."""

    def __init__(self, root: Path) -> None:
        self.root = root
        headings = HEADING.findall((root / "SPEC.md").read_text(encoding="utf-8"))
        self.labels = [label for label, _ in headings]
        kinds = "|".join(sorted({kind for _, kind in headings}))
        self.label = re.compile(rf"(?<![A-Za-z0-9])(?:{kinds})_[cs]\d+(?!\d)")  # also inside names

    def texts(self, *patterns: str) -> Iterator[str]:
        for pattern in patterns:
            for path in sorted(self.root.glob(pattern)):
                if path.name not in LISTS:
                    yield path.read_text(encoding="utf-8")

    def named(self, *patterns: str) -> set[str]:
        """Labels anywhere in these files, also in their C spelling SSOP_SS_C1."""
        return {label for text in self.texts(*patterns) for label in self.labels_in(text)}

    def labels_in(self, text: str) -> set[str]:
        return {*self.label.findall(text), *(name.lower() for name in IN_C.findall(text))}

    def listed_in_c(self) -> set[str]:
        return set(IN_LIST.findall((self.root / "csrc/include/ssop/rules.def").read_text(encoding="utf-8")))

    def enforced_in_c(self) -> set[str]:
        code = [COMMENT.sub("", text) for text in self.texts("csrc/**/*.c", "csrc/**/*.h")]
        takers = {
            name for text in code for name in TAKES_RULE.findall(text) if not name.startswith(("fail", "ssop_rule_"))
        }
        taking = re.compile(rf"\b(?:{'|'.join(sorted(takers))})\s*\(")
        rules = [_second(arguments) for text in code for arguments in _arguments(FAILING, text)]
        rules += [arguments for text in code for arguments in _arguments(taking, text)]
        found = {name.lower() for rule in rules for name in IN_C.findall(rule)}
        fields = {field for rule in rules for field in re.findall(r"(?:->|\.)(\w+)\b", rule)}
        for text in code:
            for function in FUNCTION_END.split(text):
                if RAISES.search(function):
                    found |= {name.lower() for name in RULE_OF_ERROR.findall(function)}
        for text in code:
            found |= {name.lower() for field, name in FIELD_OF_RECORD.findall(text) if field in fields}
        return found

    def enforced_in_python(self) -> set[str]:
        trees = [ast.parse(text) for text in self.texts(*PYTHON)]
        raising = [node for tree in trees for node in ast.walk(tree) if isinstance(node, (ast.Raise, ast.Return))]
        calls = [call for node in raising for call in ast.walk(node) if _is_call(call, r"\w+_error")]
        return {label for call in calls for text in _strings(call) for label in self.label.findall(text)}

    def tested(self) -> set[str]:
        found: set[str] = set()
        for text in self.texts("tests/**/*.py"):
            found |= self._tested_in_python(text)
        for text in self.texts("tests/core/*.c"):
            for arguments in _arguments(CHECK, COMMENT.sub("", text)):
                found |= self.labels_in(arguments)
        return found

    def _tested_in_python(self, text: str) -> set[str]:
        found: set[str] = set()
        tree, lines = ast.parse(text), text.splitlines()
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and _asserts(node):
                source = "\n".join(lines[node.lineno - 1 : node.end_lineno])
                found |= {label for label in self.label.findall(source) if "_s" in label}
                for string in _strings(node):
                    found |= set(self.label.findall(string))
            elif _is_call(node, "Case"):
                found |= {label for string in _strings(node.args[0]) for label in self.label.findall(string)}
            elif isinstance(node, ast.Dict):
                rows = zip(node.keys, node.values, strict=True)
                keys = [key for key, value in rows if key is not None and isinstance(value, (ast.Tuple, ast.Call))]
                found |= {label for key in keys for string in _strings(key) for label in self.label.findall(string)}
        return found

    def problems(self) -> list[str]:
        """What is wrong, a line each; empty if all is well."""
        if len(self.labels) != len(set(self.labels)) or len(self.labels) < 80:
            return [f"SPEC.md: {len(self.labels)} headings, some twice or too few"]
        code = self.named("csrc/**/*.c", "csrc/**/*.h", *PYTHON)
        reference = self.named("python/ssop/reference/*.py")
        listed, in_c = self.listed_in_c(), self.enforced_in_c()
        enforced, tested = in_c | self.enforced_in_python(), self.tested()
        problems = [f"{label}: listed, but not enforced in C" for label in sorted(listed - in_c)]
        for label in self.labels:
            if label not in (enforced if "_c" in label else code) and label not in listed - in_c:
                problems.append(f"{label}: not enforced")
            if label not in reference and not BINDING_ONLY.match(label):
                problems.append(f"{label}: not in the reference")
            if label not in tested:
                problems.append(f"{label}: not tested")
        everywhere = {
            "code": code | listed,
            "reference": reference,
            "tests": self.named("tests/**/*.py", "tests/**/*.c"),
        }
        for place, found in everywhere.items():
            problems += [f"{label}: in the {place}, not in SPEC.md" for label in sorted(found - set(self.labels))]
        return problems


def _arguments(call: re.Pattern[str], text: str) -> Iterator[str]:
    """Give what stands between the parentheses of each of these calls of C, but for definitions."""
    for match in call.finditer(text):
        depth, end = 1, match.end()
        while end < len(text) and depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        if text[match.start() - 1] != "\n":  # in a definition, the name stands at the beginning of its line
            yield text[match.end() : end - 1]


def _second(arguments: str) -> str:
    """Return the second of the arguments of a call, up to the first comma within it."""
    return arguments.split(",")[1]


def _is_call(node: ast.AST, name: str) -> bool:
    """True for a call of a function whose last name is this one."""
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    last = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return re.fullmatch(name, last) is not None


def _asserts(function: ast.FunctionDef) -> bool:
    """True if a test compares something: itself, or by a helper, whose name says so."""
    nodes = list(ast.walk(function))
    helpers = r"assert_\w+|check\w*|raises|fullmatch|answers?_\w+|made|same\w*|run\w*|compare\w*"
    return any(isinstance(node, ast.Assert) or _is_call(node, helpers) for node in nodes)


def _strings(node: ast.AST) -> Iterable[str]:
    """Give the strings in a piece of code that are no elements of a set, which only lists them, and no docstring."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.Set) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        return []
    return [string for child in ast.iter_child_nodes(node) for string in _strings(child)]


def main() -> int:
    tree = Tree(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    problems = tree.problems()
    for problem in problems:
        print(problem)
    print(f"{len(tree.labels)} labels, {len(problems)} missing")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
