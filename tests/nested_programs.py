"""Texts of MLIR that are nested in every way in which its grammar recurses, by how deep they are."""

# ruff: noqa: E501 - a table


def chain(first, of_last, end):
    """Aliases, each of which contains the one before it."""

    def text(depth):
        lines = [first, *[of_last(number) for number in range(1, depth)]]
        return "\n".join(lines) + "\n" + end.format(depth - 1)

    return text


def reducers(depth):
    kinds = "(tensor<4xi1>, tensor<i1>) -> tensor<i1>"
    opening = "%y{0} = stablehlo.reduce(%x init: %i) across dimensions = [0] : {1} reducer(%a{0}: i, %b{0}: i) {{ "
    return "func.func @f(%x: tensor<4xi1>, %i: tensor<i1>) { " + "".join(
        opening.format(number, kinds) for number in range(depth)
    )


DOUBLED = chain(
    "!t0 = i1", lambda n: f"!t{n} = tuple<!t{n - 1}, // %\n!t{n - 1}>", "func.func @f(%x: !t{}) {{ return }}"
)
"""Types each of which has the one before it twice."""

HIDDEN = {
    kind: chain(f"{head}\n!t0 = i1", lambda n: f"!t{n} = tuple<!t{n - 1}>", "func.func @main(%x: !t{}) {{ return }}")
    for kind, head in {"text": "#d = #d.d<//()>", "comparison": "#s = affine_set<(d0) : (d0 <= 5)>"}.items()
}
"""Aliases behind what this package counts as an open bracket, and MLIR does not."""

NESTED = {
    "modules": lambda depth: "module {" * depth + "}" * depth,
    "functions": lambda depth: "func.func @f() {" * depth + "}" * depth,
    "regions": lambda depth: '"a"() ({' * depth + "}) : () -> ()" * depth,
    "reducers": reducers,
    "lists": lambda depth: "module attributes {x.a = " + "[" * depth + "]" * depth + "} {}",
    "lists behind a comment": lambda depth: 'module attributes {x.a = // "\r' + "[" * depth + ' ""' + "]" * depth + "} {}",
    "dictionaries": lambda depth: "module attributes {x." + "a = {" * depth + "}" * depth + "} {}",
    "lists of dictionaries": lambda depth: "module attributes {x.a = " + "[{a = " * depth + "1" + "}]" * depth + "} {}",
    "tuples": lambda depth: "func.func private @f(" + "tuple<" * depth + "i32" + ">" * depth + ")",
    "tensors": lambda depth: "func.func private @f(" + "tensor<" * depth + "i32" + ">" * depth + ")",
    "types of functions": lambda depth: "module attributes {x.a = " + "(" * depth + "i1" + ") -> i1" * depth + "} {}",
    "elements": lambda depth: "module attributes {x.a = dense<" + "[" * depth + "1" + "]" * depth + "> : tensor<i1>} {}",
    "call sites": lambda depth: "module {} loc(" + "callsite(" * depth + '"a"' + ' at "b")' * depth + ")",
    "callers": lambda depth: "module {} loc(" + 'callsite("b" at ' * depth + '"a"' + ")" * depth + ")",
    "fused locations": lambda depth: "module {} loc(" + "fused[" * depth + '"a"' + "]" * depth + ")",
    "named locations": lambda depth: "module {} loc(" + '"b"(' * depth + '"a"' + ")" * depth + ")",
    "expressions": lambda depth: "module attributes {x.a = affine_map<(d0) -> (" + "(" * depth + "d0" + ")" * depth + ")>} {}",
    "signs": lambda depth: "module attributes {x.a = affine_map<(d0) -> (" + "-" * depth + "d0)>} {}",
    "products": lambda depth: "module attributes {x.a = affine_map<(d0)[s0] -> (" + "s0 * " * (depth * 8) + "d0)>} {}",
    "aliases of lists": chain("#a0 = []", lambda n: f"#a{n} = [#a{n - 1}]", "module attributes {{x.a = #a{}}} {{}}"),
    "aliases of types": chain("!t0 = i1", lambda n: f"!t{n} = tuple<!t{n - 1}>", "func.func private @f(!t{})"),
    "aliases of locations": chain(
        '#l0 = loc("a")', lambda n: f'#l{n} = loc(callsite("b" at #l{n - 1}))', "module {{}} loc(#l{})"
    ),
}  # fmt: skip
