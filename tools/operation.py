"""The places of an operation: every file that has a row, a function or a test of its own for it.

`python tools/operation.py xla.pad` prints them with their lines. With `--check` it prints those that lack the
operation, and exits with 1 if there are some; `--check` without a name does so for every operation. `--root ROOT` looks
at another tree.

Operations of three kinds have different places: those in C (a row of csrc/python/methods.h), the element-wise ones (a
row of python/ssop/_xla/elementwise.py), and the other ones of `ssop.xla`. A place is a row of `PLACES`. An operation
that needs no row in a place has a reason in `REASONS`; a reason for a row that exists is a mistake, too.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Place(NamedTuple):
    """Files, and a pattern that finds the operation there.

    - {name}: the operation below `ssop` ("xla.pad"); {short}: its last part; {c}: its name in `_core`
    - {module}: its module; {dialect}: the module whose rules it has; {core}: the stem of its resolver
    - {shared}, {reference}: files; {in_xla}: {short} in the dialect xla alone
    - {parameter}: the pattern is looked for once for each parameter
    """

    name: str
    files: tuple[str, ...]
    pattern: str


MODULES = ("tf", "tflite", "openvino", "onnx", "xla")
SHAPES = ("python/ssop/shapes/*.py",)
SHAPE_ROWS = ("python/ssop/shapes/_operations.py",)
RULES = ("SPEC.md",)
TESTS_OF_SHAPES = ("tests/unit/test_shapes_*.py",)
ROW = (
    r"\"{dialect}\.{short}\": |^    \"{short}\": Operation|^_UPDATES = .*\"{short}\"|\bfor name in .*\"{short}\""
    r"|_of_module\({dialect}, (?:{dialect}\.__all__|\[\"{short}\")|_of_module\(\s*xla, \(.*\"{in_xla}\""
    r"|^    \"{in_xla}\",$"
)
PLACES = {
    "C": (
        Place("resolver", ("csrc/core/*.c",), r"^ssop_{core}_\w+\("),
        Place("record", ("csrc/python/ops/*.c",), r"\.(?:name|op) = \"{name}\""),
        Place("C function", ("csrc/python/ops/*.c",), r"^SSOP_METHODS?_OF(?:_SEQUENCE)?\({c},|^py_{c}\("),
        Place(
            "inference",
            ("csrc/python/ops/*.c",),
            r"^SSOP_INFERENCE_OF\(infer_{c},|^SSOP_INFERRED_SLICE\(infer_{c},|^py_infer_{c}\(",
        ),
        Place("method", ("csrc/python/methods.h",), r"METHOD\({c}\)|(?:METHOD|DESCRIBED)\({module}, {short}[,)]"),
        Place("parameter names", ("csrc/python/names.h",), r"\"{parameter}\""),
        Place("stub", ("python/ssop/_core*.pyi",), r"^def {c}\("),
        Place("public name", ("python/ssop/{module}.py",), r"^(?:    |__all__ = \[.*)\"{short}\""),
        Place("other libraries", ("python/ssop/_lazy/operations.py",), r"(?:Operation|Concatenation)\(\s*\"{name}\""),
        Place(
            "shape function", ("python/ssop/shapes/{dialect}.py", "python/ssop/shapes/{shared}.py"), r"^def {short}\("
        ),
        Place("shape row", SHAPE_ROWS, ROW),
        Place("reference", ("python/ssop/reference/{reference}.py",), r"^def {short}\("),
        Place("rules", RULES, r"\bssop\.(?:{name}|{dialect}\.{short})\b|`{short}\("),
        Place("signature", ("tests/unit/test_signatures.py", "tests/unit/test_dialect_modules.py"), r"\"{name}\": "),
        Place("arrays that change", ("tests/memory/operations.py",), r"\b{name},"),
        Place("arrays of libraries", ("tests/arrays/cells.py",), r"^    \"{name}\b"),
    ),
    "element-wise": (
        Place("row", ("python/ssop/_xla/elementwise.py",), r"^    Row\(\"{short}\""),
        Place("Python function", ("python/ssop/_xla/elementwise.py",), r"^{short}[ ,]|^[a-z_, ]+, {short}[ ,]"),
        Place("module", ("python/ssop/xla.py",), r"^ {4,8}\"(?=.*\",$)(?:.*\")?{short}\","),
        Place("public name", ("python/ssop/xla.py",), r"^    \"{short}\",$"),
        Place("reference", ("python/ssop/reference/xla_elementwise.py",), r"^    \"{short}\": "),
        Place("public reference", ("python/ssop/reference/xla.py",), r"^    \"{short}\","),
        Place("comparison with JAX", ("tests/differential/test_jax_table.py",), r"\b{short}\b"),
    ),
    "Python": (
        Place("Python function", ("python/ssop/_xla/*.py", "python/ssop/_elementwise.py"), r"^def {short}\("),
        Place("module", ("python/ssop/xla.py",), r"^    \"\w+\": \(.*\"{short}\"|^    from \S+ import .*\b{short}\b"),
        Place("public name", ("python/ssop/xla.py",), r"^    \"{short}\",$"),
        Place("shape function", SHAPES, r"^def {short}\("),
        Place("shape row", SHAPE_ROWS, ROW),
        Place("reference", ("python/ssop/reference/xla*.py",), r"^def {short}\("),
        Place("public reference", ("python/ssop/reference/xla.py",), r"^    \"{short}\","),
        Place("rules", RULES, r"\bssop\.{name}\b|`{short}[`(]"),
        Place("shape test", TESTS_OF_SHAPES, r"\"(?:xla\.)?{short}\"|\bxla\.{short}\("),
        Place("tests", ("tests/unit/test_*.py",), r"\bxla\.{short}\b"),
        Place("comparison with JAX", ("tests/differential/test_jax_*.py",), r"\b{short}\b"),
    ),
}

STEMS = {
    "dynamic_index_in_dim": "dynamic_slice_in_dim",
    "rev": "reverse",
    "strided_slice_assign": "strided_slice",
    "strided_slice_grad": "strided_slice",
    "tensor_strided_slice_update": "strided_slice",
}
"""Operations that share a resolver, or whose resolver has another name."""

FAMILY = ("strided_slice", "strided_slice_grad", "strided_slice_assign", "tensor_strided_slice_update")
"""What `ssop` and `ssop.tf` both have."""
IN_BOTH = ("slice", "dynamic_slice", "dynamic_update_slice")
"""What `ssop` and `ssop.xla` both have."""

OTHER_NAMES = ("bitwise_and", "bitwise_not", "bitwise_or")
"""Names of `ssop.xla` for operations that have another name there, too."""
HELPERS = ("Computation", "register_custom_call", "unregister_custom_call")
"""Names of `ssop.xla` that are no operations."""

BY_STRIDED_SLICE = "the function of strided_slice infers it"
OF_THE_OPERAND = "the result has the shape of an operand: shapes/_strided.py, shapes/_windows.py"
IN_DIMS = "its shape function computes with dims: shapes/_rearranging.py, shapes/_merging.py"
IMPORTED = "it is in python/ssop/_elementwise.py, which is imported with ssop.xla"
HANDS_ON = "it hands on values as they are"
RANDOM = "its bits are not specified: tests/unit/test_xla_random.py tests the distributions"
QUEUE = "its values come from a queue or go there"
EXACT = "tests/unit/test_xla_conversion.py compares it with exact arithmetic"
NO_RESULT = "it has no result"
MANY = "ssop.infer_shape gives one shape, this has several results"
NO_OPERAND = "ssop.infer_shape takes shapes of operands, this has none or has values"
UPDATES = ("strided_slice_assign", "strided_slice_grad", "tensor_strided_slice_update")
REARRANGED = ("broadcast", "broadcast_in_dim", "collapse", "concatenate", "reshape", "transpose")
QUEUES = ("infeed", "outfeed", "recv", "send", "transfer_from_outfeed", "transfer_to_infeed")
RANDOMS = ("rng_bernoulli", "rng_bit_generator", "rng_normal", "rng_uniform")


def _of_xla(names: tuple[str, ...], reason: str) -> dict[str, str]:
    return {f"xla.{name}": reason for name in names}


WITHOUT_REFERENCE = {
    **_of_xla(RANDOMS, RANDOM),
    **_of_xla(QUEUES, QUEUE),
    **_of_xla(("custom_call", "get_tuple_element", "tuple"), HANDS_ON),
    "xla.convert_element_type": EXACT,
}
REASONS = {
    "inference": {
        "tf.strided_slice": BY_STRIDED_SLICE,
        **dict.fromkeys((*UPDATES, *(f"tf.{name}" for name in UPDATES), "dynamic_update_slice"), OF_THE_OPERAND),
        **_of_xla(("dynamic_update_index_in_dim", "dynamic_update_slice_in_dim"), OF_THE_OPERAND),
        **_of_xla(REARRANGED, IN_DIMS),
    },
    "module": _of_xla(("clamp", "select"), IMPORTED),
    "reference": {
        **dict.fromkeys(
            ("strided_slice_assign", "tf.strided_slice_assign"), "that of tensor_strided_slice_update has its result"
        ),
        "tf.strided_slice": "that of strided_slice",
        **WITHOUT_REFERENCE,
    },
    "public reference": WITHOUT_REFERENCE,
    "rules": {"xla.transfer_from_outfeed": "those of outfeed", "xla.while_loop": "those of while_"},
    "shape function": _of_xla(("outfeed", "send", "transfer_to_infeed"), NO_RESULT),
    "shape row": {
        **_of_xla(("batch_norm_grad", "batch_norm_training"), MANY),
        **_of_xla(("broadcasted_iota", "iota", "call", "custom_call", "get_tuple_element", "tuple"), NO_OPERAND),
        **_of_xla((*RANDOMS, *QUEUES), NO_OPERAND),
    },
    "comparison with JAX": _of_xla(("send", "transfer_to_infeed"), QUEUE),
}
"""place -> operation -> why the operation is not there."""


class Operation(NamedTuple):
    """An operation by its name below `ssop`."""

    name: str
    kind: str

    def fields(self, parameter: str = "") -> dict[str, str]:
        module, _, short = self.name.rpartition(".")
        dialect = module or ("tf" if short in FAMILY else "xla")
        return {
            "name": re.escape(self.name),
            "short": short,
            "c": self.name.replace(".", "_"),
            "module": module or "__init__",
            "dialect": dialect,
            "shared": "_*" if dialect in ("tf", "xla") else dialect,
            "reference": "_*" if not module and short in ("strided_slice", *IN_BOTH) else self._reference(dialect),
            "in_xla": short if dialect == "xla" else "-",
            "core": self._stem(module, short),
            "parameter": parameter,
        }

    @staticmethod
    def _reference(dialect: str) -> str:
        return "xla_*" if dialect == "xla" else dialect

    @staticmethod
    def _stem(module: str, short: str) -> str:
        if short == "slice" and module:
            return "size_slice" if module in ("tf", "tflite") else "axes_slice"
        return STEMS.get(short, short)


class Tree:
    """The files of one tree, each read once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.read: dict[str, list[tuple[str, str]]] = {}
        self.parameters = dict(self._signatures())
        self.operations = {operation.name: operation for operation in self._operations()}

    def texts(self, glob: str) -> list[tuple[str, str]]:
        if glob not in self.read:
            paths = sorted(self.root.glob(glob))
            self.read[glob] = [(str(path.relative_to(self.root)), path.read_text(encoding="utf-8")) for path in paths]
        return self.read[glob]

    def text(self, path: str) -> str:
        return (self.root / path).read_text(encoding="utf-8")

    def _signatures(self) -> Iterator[tuple[str, list[str]]]:
        for _, text in self.texts("python/ssop/_core*.pyi"):
            for node in ast.parse(text).body:
                if isinstance(node, ast.FunctionDef):
                    arguments = node.args
                    names = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
                    yield node.name, [argument.arg for argument in names]

    def _operations(self) -> Iterator[Operation]:
        in_c = re.findall(
            rf"(?:METHOD|DESCRIBED)\(({'|'.join(MODULES)}), (\w+)[,)]", self.text("csrc/python/methods.h")
        )
        names = [*FAMILY, *IN_BOTH, *(f"{module}.{short}" for module, short in in_c)]
        yield from (Operation(name, "C") for name in dict.fromkeys(names))
        known = {*IN_BOTH, *(short for module, short in in_c if module == "xla"), *HELPERS, *OTHER_NAMES}
        listed = re.search(r"^__all__ = \[(.*?)^\]", self.text("python/ssop/xla.py"), flags=re.M | re.S)
        rows = re.findall(r"^    Row\(\"(\w+)\"", self.text("python/ssop/_xla/elementwise.py"), flags=re.M)
        for name in dict.fromkeys((*rows, *re.findall(r"\"(\w+)\"", listed[1] if listed else ""))):
            if name not in known:
                yield Operation(f"xla.{name}", "element-wise" if name in rows else "Python")

    def find(self, operation: Operation, place: Place) -> list[str]:
        """The lines of a place, as "file:number: text"; none if one of its parameters is missing."""
        parameters = self.parameters.get(operation.fields()["c"], []) if "{parameter}" in place.pattern else [""]
        found: list[str] = []
        for parameter in parameters:
            lines = [*self._lines(operation.fields(parameter), place)]
            if not lines:
                return []
            found += lines
        return found

    def _lines(self, fields: dict[str, str], place: Place) -> Iterator[str]:
        pattern = re.compile(_filled(place.pattern, fields), flags=re.M)
        for glob in place.files:
            for path, text in self.texts(_filled(glob, fields)):
                for match in pattern.finditer(text):
                    number = text.count("\n", 0, match.start()) + 1
                    yield f"{path}:{number}: {text.splitlines()[number - 1].strip()}"


def _filled(text: str, fields: dict[str, str]) -> str:
    for name, value in fields.items():
        text = text.replace("{" + name + "}", value)
    return text


def problems(tree: Tree, operation: Operation) -> Iterator[str]:
    """What `--check` says of an operation."""
    for place in PLACES[operation.kind]:
        reason = REASONS.get(place.name, {}).get(operation.name)
        found = tree.find(operation, place)
        if not found and reason is None:
            where = ", ".join(_filled(glob, operation.fields()) for glob in place.files)
            yield f"{operation.name}: no {place.name} in {where}: {_filled(place.pattern, operation.fields())}"
        elif found and reason is not None:
            yield f"{operation.name}: has a {place.name} ({found[0].split(': ')[0]}), and a reason to have none"


def print_places(tree: Tree, operation: Operation) -> None:
    for place in PLACES[operation.kind]:
        found = tree.find(operation, place)
        reason = REASONS.get(place.name, {}).get(operation.name, "missing")
        print(f"{place.name}: {reason}" if not found else f"{place.name}:")
        for line in found:
            print(f"    {line}")


def main() -> int:
    parser = argparse.ArgumentParser(description="the places of an operation")
    parser.add_argument("name", nargs="?", help="the operation below ssop, such as xla.pad")
    parser.add_argument(
        "--check", action="store_true", help="say which places lack it; without a name, of every operation"
    )
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    arguments = parser.parse_args()
    tree = Tree(arguments.root)
    name = arguments.name
    if name is not None and name not in tree.operations:
        name = f"xla.{name}" if f"xla.{name}" in tree.operations else name
    if name is None and not arguments.check:
        parser.error("name an operation, or give --check")
    if name is not None and name not in tree.operations:
        print(f"{name} is no operation: it has no row in csrc/python/methods.h and is not in ssop.xla.__all__")
        return 1
    chosen = [tree.operations[name]] if name is not None else [*tree.operations.values()]
    if not arguments.check:
        print_places(tree, chosen[0])
        return 0
    found = [problem for operation in chosen for problem in problems(tree, operation)]
    for problem in found:
        print(problem)
    print(f"{len(chosen)} operations, {len(found)} places missing")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
