"""Limits of the sources: sizes, and no circles among the units of csrc and the modules of python/ssop.

`python tools/limits.py` prints every violation and exits with 1 if there is one. There are no exceptions.

Sizes:
- A file of csrc, python and tests has at most 600 lines.
- A line of C has at most 120 columns, comments included, which clang-format leaves as they are. ruff checks Python.
- A function of csrc has at most 60 lines, from its name to its closing brace.
- A function, a function type and a macro of csrc have at most 6 parameters. So have templates, whose functions have
  names made by macros: SIZED(rows)(char *dst, ..).

Comments of csrc have at most 12 lines and no speed in GB/s: figures belong to benchmarks/records.

Circles: the files x.c and x.h of one folder are a unit. A unit needs those whose headers it includes, and those that
define an external function or variable that its code uses (a declaration is not a use). A module of python/ssop needs
the modules that it imports, also inside functions. No unit and no module may need itself through others.

Circles of templates: a .c file includes headers whose static functions call each other without including each other,
because the .c file includes both. Such a header needs those that it includes, and those that define a function that it
calls. The .c file itself is no part of a circle: it defines what its templates are made from. A function that two
headers of one .c file define, of which #if takes one, is left out.

The C sources are formatted by clang-format: names of functions, and the braces that end them, stand in column 1.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

MAX_FILE_LINES, MAX_COLUMNS, MAX_FUNCTION_LINES, MAX_PARAMETERS, MAX_COMMENT_LINES = 600, 120, 60, 6, 12
SPEED = "GB/s"
C_SUFFIXES = (".c", ".h", ".def")

Graph = dict[str, dict[str, str]]
"""node -> the nodes that it needs, each with the reason."""

# ---- C sources -------------------------------------------------------------------------------------------------------

COMMENT = r"//[^\n]*|/\*.*?\*/"
LITERAL = r'"(?:\\.|[^"\\\n])*"' + r"|'(?:\\.|[^'\\\n])*'"
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", flags=re.M)
NAME = re.compile(r"^(?:\w+\(\w*\)\s+)?(\w+)(?=\()", flags=re.M)  # in column 1, or after a type that a macro names
PROTOTYPE = re.compile(r"\b\w+(?=\()")
FUNCTION_TYPE = re.compile(r"\(\s*\*+\s*(?:const\s+)?(\w+)(?:\[\w*\])*\s*\)\s*(?=\()")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', flags=re.M)
CALL = re.compile(r"(?<![\w.>])(\w+)\)?\s*\(")  # f(x), and SIZED(f)(x)
MACRO = re.compile(r"#\s*define\s+(\w+)(?=\()")
VARIABLE = re.compile(r"(?!static\b|typedef\b|extern\b|return\b)(?:\w+[\s*]+)+(\w+)\s*(?:\[[^\]]*\]\s*)*(?:=|$)")


def blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def closing(text: str, start: int) -> int:
    """The index after the bracket that closes the one at `start`, or the end of the text if nothing closes it."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0:
            return i + 1
    return len(text)


def parameters(text: str, start: int) -> int:
    """How many parameters the list that begins at `start` has."""
    inner = text[start + 1 : closing(text, start) - 1]
    depth = commas = 0
    for character in inner:
        depth += (character in "([{") - (character in ")]}")
        commas += character == "," and depth == 0
    return 0 if inner.strip() in ("", "void") else commas + 1


def specifiers_start(code: str, name: int, end: int) -> int:
    """Where the lines before a function's name begin that belong to it: `static int`."""
    start = name
    while start > end:
        line = code.rfind("\n", 0, start - 1) + 1
        text = code[max(line, end) : start].strip()
        if not text or text[-1] in ";{}":
            break
        start = max(line, end)
    return start


@dataclass
class Function:
    name: str
    line: int
    lines: int
    parameters: int
    is_static: bool


@dataclass
class Source:
    """A file of csrc: its code without comments and literals, and what was found in it."""

    path: Path
    text: str
    code: str = ""
    top: str = ""  # the code outside functions
    bodies: str = ""  # the code inside them, and what macros stand for
    directives: list[str] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)

    def line_of(self, index: int) -> int:
        return self.code.count("\n", 0, index) + 1


def read_source(path: Path) -> Source:
    text = path.read_text(encoding="utf-8")
    without = re.sub(
        f"{COMMENT}|{LITERAL}", lambda m: blank(m) if m[0][0] == "/" else m[0][0] + m[0][-1], text, flags=re.S
    )
    source = Source(path, re.sub(f"({LITERAL})|{COMMENT}", lambda m: m[1] or blank(m), text, flags=re.S))
    source.directives = DIRECTIVE.findall(without)
    source.code = DIRECTIVE.sub(blank, without)
    return source


def find_functions(source: Source, static_macros: set[str]) -> None:
    """Fills `functions`, `top` and `bodies`."""
    code, end, outside, inside = source.code, 0, [], []
    for match in NAME.finditer(code):
        if match.start() < end:
            continue
        start = match.end()
        after = closing(code, start)
        if code[after : after + 1] == "(":  # SIZED(rows)(char *dst, ..)
            start, after = after, closing(code, after)
        brace = re.compile(r"\s*\{").match(code, after)
        stop = code.find("\n}", after)
        if brace is None or stop < 0:
            continue
        head = specifiers_start(code, match.start(), end)
        specifiers = set(re.findall(r"\w+", code[head : match.start()]))
        first, last = source.line_of(match.start()), source.line_of(stop + 1)
        name = code[match.start(1) : start]
        is_static = "static" in specifiers or bool(specifiers & static_macros)
        source.functions.append(Function(name, first, last - first + 1, parameters(code, start), is_static))
        outside.append(code[end:head])
        inside.append(code[match.start() : stop])
        end = stop + 2
    source.top = ";".join([*outside, code[end:]])
    source.bodies = "\n".join([*inside, *(d for d in source.directives if not re.match(r"\s*#\s*include", d))])


def read_sources(root: Path) -> list[Source]:
    paths = [path for suffix in C_SUFFIXES for path in sorted((root / "csrc").rglob(f"*{suffix}"))]
    sources = [read_source(path) for path in paths]
    defines = [re.match(r"\s*#\s*define\s+(\w+)\s+(.*)", d, flags=re.S) for s in sources for d in s.directives]
    static_macros = {define[1] for define in defines if define and re.search(r"\bstatic\b", define[2])}
    for source in sources:
        find_functions(source, static_macros)
    return sources


def parameter_lists(source: Source) -> Iterator[tuple[str, int]]:
    """Name and length of every parameter list: of functions, prototypes, function types and macros."""
    for function in source.functions:
        yield f"{function.name} (line {function.line})", function.parameters
    for match in PROTOTYPE.finditer(source.top):
        if re.match(r"\s*;", source.top[closing(source.top, match.end()) :]):
            yield match[0], parameters(source.top, match.end())
    for match in FUNCTION_TYPE.finditer(source.code):
        yield f"{match[1]} (line {source.line_of(match.start())})", parameters(source.code, match.end())
    for directive in source.directives:
        for match in MACRO.finditer(directive):
            yield match[1], parameters(directive, match.end())


def file_sizes(root: Path) -> Iterator[str]:
    """Length and width of every text of csrc, python and tests, and the width of the C examples."""
    for folder in ("csrc", "python", "tests", "examples"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (*C_SUFFIXES, ".py", ".pyi") or not path.is_file():
                continue
            name, lines = path.relative_to(root), path.read_text(encoding="utf-8").splitlines()
            if len(lines) > MAX_FILE_LINES:
                yield f"{name}: {len(lines)} lines, at most {MAX_FILE_LINES} are allowed"
            for number, line in enumerate(lines, 1):
                if path.suffix in C_SUFFIXES and len(line) > MAX_COLUMNS:
                    yield f"{name}: line {number} has {len(line)} columns, at most {MAX_COLUMNS} are allowed"


def sizes(sources: list[Source], root: Path) -> Iterator[str]:
    for source in sources:
        name = source.path.relative_to(root)
        for function in source.functions:
            if function.lines > MAX_FUNCTION_LINES:
                what = f"{function.name} (line {function.line}) has {function.lines} lines"
                yield f"{name}: {what}, at most {MAX_FUNCTION_LINES} are allowed"
        for what, count in dict(parameter_lists(source)).items():
            if count > MAX_PARAMETERS:
                yield f"{name}: {what} has {count} parameters, at most {MAX_PARAMETERS} are allowed"


def comments(sources: list[Source], root: Path) -> Iterator[str]:
    for source in sources:
        name, text = source.path.relative_to(root), source.path.read_text(encoding="utf-8")
        for number, line in enumerate(text.splitlines(), 1):
            if SPEED in line:
                yield f"{name}: line {number} has a speed in {SPEED}, which belongs to benchmarks/records"
        for match in re.finditer(f"{COMMENT}|{LITERAL}", text, flags=re.S):
            lines = match[0].count("\n") + 1
            if match[0][0] == "/" and lines > MAX_COMMENT_LINES:
                what = f"the comment in line {source.line_of(match.start())} has {lines} lines"
                yield f"{name}: {what}, at most {MAX_COMMENT_LINES} are allowed"


# ---- circles ---------------------------------------------------------------------------------------------------------


def statements(text: str) -> list[str]:
    """What stands between semicolons outside braces."""
    found, start, i = [], 0, 0
    while i < len(text):
        if text[i] == "{":
            i = closing(text, i)
            continue
        if text[i] == ";":
            found.append(text[start:i].strip())
            start = i + 1
        i += 1
    return [*found, text[start:].strip()]


def is_declaration(statement: str) -> bool:
    return statement.startswith("extern") or ("=" not in statement and "{" not in statement)


def external_names(source: Source) -> set[str]:
    """External functions and variables that a .c file defines."""
    names = {function.name for function in source.functions if not function.is_static}
    for statement in statements(source.top):
        match = VARIABLE.match(statement.strip())
        if match:
            names.add(match[1])
    return names


def used_names(source: Source) -> set[str]:
    """Names in code: not those of declarations, nor of members of structs."""
    code = [statement for statement in statements(source.top) if not is_declaration(statement)]
    return set(re.findall(r"(?<![\w.>])\w+", "\n".join([source.bodies, *code])))


def c_graph(sources: list[Source], root: Path) -> Graph:
    unit = {source.path.resolve(): str(source.path.relative_to(root).with_suffix("")) for source in sources}
    home: dict[str, str] = {}
    for source in sources:
        if source.path.suffix == ".c":
            home |= dict.fromkeys(external_names(source), unit[source.path.resolve()])
    graph: Graph = {name: {} for name in sorted(set(unit.values()))}
    for source in sources:
        name = unit[source.path.resolve()]
        for include in INCLUDE.findall(source.text):
            target = unit.get((source.path.parent / include).resolve())
            if target is not None and target != name:
                graph[name].setdefault(target, f"includes {include}")
        own = {function.name for function in source.functions}
        for symbol in sorted(used_names(source) & home.keys() - own):
            if home[symbol] != name:
                graph[name].setdefault(home[symbol], f"uses {symbol}")
    return graph


def included(source: Source, sources: dict[Path, Source]) -> list[Source]:
    paths = [(source.path.parent / include).resolve() for include in INCLUDE.findall(source.text)]
    return [sources[path] for path in paths if path in sources]


def headers_of(main: Source, sources: dict[Path, Source], root: Path) -> dict[str, Source]:
    """All headers that a .c file includes, also through others, by name."""
    found: dict[str, Source] = {}
    queue = included(main, sources)
    while queue:
        source = queue.pop()
        name = str(source.path.relative_to(root))
        if name not in found:
            found[name] = source
            queue += included(source, sources)
    return found


def template_graph(headers: dict[str, Source], sources: dict[Path, Source], root: Path) -> Graph:
    """The headers of one .c file: what each includes, and where the functions are that it calls."""
    homes: dict[str, set[str]] = {}
    for name, header in headers.items():
        for function in header.functions:
            homes.setdefault(re.sub(r"^\w+\((\w+)\)$", r"\1", function.name), set()).add(name)
    graph: Graph = {name: {} for name in sorted(headers)}
    for name, header in headers.items():
        for target in included(header, sources):
            if target is not header:
                graph[name].setdefault(str(target.path.relative_to(root)), f"includes {target.path.name}")
        for symbol in sorted(set(CALL.findall(header.bodies))):
            home = homes.get(symbol, set())
            if len(home) == 1 and name not in home:
                graph[name].setdefault(*home, f"uses {symbol}")
    return graph


def knots(graph: Graph) -> list[set[str]]:
    """The largest sets of nodes that all need each other, directly or through others."""
    reached: dict[str, set[str]] = {}
    for node in graph:
        queue, found = [node], set[str]()
        while queue:
            new = graph[queue.pop()].keys() - found
            found |= new
            queue += new
        reached[node] = found
    knot_of = {node: frozenset(x for x in reached[node] if node in reached[x]) for node in graph}
    return [set(knot) for knot in dict.fromkeys(knot_of.values()) if len(knot) > 1]


def template_circles(sources: list[Source], root: Path) -> Iterator[str]:
    by_path = {source.path.resolve(): source for source in sources}
    named: list[set[str]] = []
    for main in sources:
        if main.path.suffix != ".c":
            continue
        graph = template_graph(headers_of(main, by_path, root), by_path, root)
        for knot in knots(graph):
            is_known = any(knot <= known for known in named)
            named.append(knot)
            needs = [(a, b) for a in sorted(knot) for b in sorted(graph[a].keys() & knot)]
            if not is_known and not all(graph[a][b].startswith("includes ") for a, b in needs):  # those are of c_graph
                yield "circle of templates: " + "; ".join(f"{a} needs {b} ({graph[a][b]})" for a, b in needs)


def imports(tree: ast.Module, package: str, modules: set[str]) -> Iterator[str]:
    """The modules of the package that a module imports; `package` is the one that relative imports start from."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")
            base = ".".join(parents[: len(parents) + 1 - node.level]) if node.level else ""
            origin = ".".join(part for part in (base, node.module) if part)
            for alias in node.names:
                submodule = f"{origin}.{alias.name}"
                yield submodule if submodule in modules else origin


def python_graph(root: Path) -> Graph:
    """Importing a.b also runs a/__init__.py; that is no need: only what a module names itself counts."""
    top = root / "python"
    files = {path: path.relative_to(top).with_suffix("") for path in sorted((top / "ssop").rglob("*.py*"))}
    files = {path: name for path, name in files.items() if path.suffix in (".py", ".pyi")}
    module = {path: ".".join(name.parts).removesuffix(".__init__") for path, name in files.items()}
    graph: Graph = {name: {} for name in module.values()}
    for path, name in module.items():
        package = name if path.stem == "__init__" else name.rpartition(".")[0]
        for target in imports(ast.parse(path.read_text(encoding="utf-8")), package, set(graph)):
            if target in graph and target != name:
                graph[name].setdefault(target, "imports it")
    return graph


def way(graph: Graph, start: str, goal: str, avoid: set[tuple[str, str]]) -> list[str] | None:
    """The shortest way from one node to another."""
    before = {start: ""}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        if node == goal:
            found = [node]
            while before[found[-1]]:
                found.append(before[found[-1]])
            return found[::-1]
        for target in graph[node]:
            if target not in before and (node, target) not in avoid:
                before[target] = node
                queue.append(target)
    return None


def circles(graph: Graph) -> Iterator[str]:
    """Circles, until every need that closes one has been named."""
    named: set[tuple[str, str]] = set()
    for node, needs in graph.items():
        for target in needs:
            back = None if (node, target) in named else way(graph, target, node, named)
            if back is not None:
                nodes = [node, *back]
                steps = list(zip(nodes, nodes[1:], strict=False))
                named |= set(steps)
                yield "circle: " + "; ".join(f"{a} needs {b} ({graph[a][b]})" for a, b in steps)


def violations(root: Path) -> list[str]:
    sources = read_sources(root)
    if not sources or not any(source.functions for source in sources):
        return ["no C sources found"]
    found = [*file_sizes(root), *sizes(sources, root), *comments(sources, root)]
    for graph in (c_graph(sources, root), python_graph(root)):
        found += circles(graph)
    return [*found, *template_circles(sources, root)]


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = violations(root)
    for violation in found:
        print(violation)
    print(f"{len(found)} violations of the limits")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
