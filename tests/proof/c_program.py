"""Runs functions of C on symbolic arguments: every path at once, merged where paths join.

A branch is run on both sides, and what it changed becomes one term with its condition. Loops run as often as their
conditions are known to be true. Undefined behaviour and failing assertions become obligations: conditions that must
follow from those under which a statement is reached.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import z3
from pycparser import c_ast

from proof.c_source import Unit
from proof.c_values import (
    FALSE,
    INT,
    TRUE,
    Arithmetic,
    Array,
    ArrayType,
    Function,
    Integer,
    NotSupported,
    Place,
    Pointer,
    PointerType,
    Scalar,
    Struct,
    StructType,
    Value,
    both,
    constant,
    either,
    from_truth,
    is_true,
    merge,
    number_of,
    size_of,
)

MAX_ROUNDS = 150
SIZE = Integer(64, False, 4)


@dataclass
class Frame:
    unit: Unit
    names: dict[str, str]  # of the local variables, and the variables of the store
    exits: list[tuple[z3.BoolRef, Value | None, dict[str, Value]]]
    continued: list[tuple[z3.BoolRef, dict[str, Value]]] = field(default_factory=list)  # rounds of the loop that end


@dataclass(frozen=True)
class Obligation:
    reached: z3.BoolRef
    condition: z3.BoolRef
    text: str


Contract = Callable[["Program", Sequence[Value]], Value]


class Program:
    """Functions of some sources, and the variables that they read and write.

    A call of a function that has a contract does not run it: the contract gives the result of the arguments.
    """

    def __init__(self, units: Sequence[Unit], contracts: Mapping[str, Contract] | None = None) -> None:
        self.units = units
        self.contracts = dict(contracts or {})
        self.store: dict[str, Value] = {}
        self.reached: z3.BoolRef = TRUE
        self.assumptions: list[z3.BoolRef] = []
        self.obligations: list[Obligation] = []
        self.arithmetic = Arithmetic(self.oblige)
        self.frames: list[Frame] = []
        self.counter = itertools.count()
        self.where = ""

    @property
    def facts(self) -> list[z3.BoolRef]:
        """What is known of the arguments and of the unknowns that stand for quotients."""
        return self.assumptions + self.arithmetic.axioms

    def oblige(self, condition: z3.BoolRef, text: str) -> None:
        if z3.is_true(z3.simplify(condition)) or z3.is_false(self.reached):
            return
        self.obligations.append(Obligation(self.reached, condition, f"{self.where}: {text}"))

    # ---- values and places -------------------------------------------------------------------------------------------

    def type_named(self, name: str) -> object:
        return next(unit.types[name] for unit in self.units if name in unit.types)

    def fresh(self, kind: object, name: str) -> Value:
        """Any value of a type; pointers are NULL."""
        if isinstance(kind, Integer):
            term = z3.Int(name)
            self.assumptions.append(z3.And(term >= kind.low, term <= kind.high))
            return Scalar(kind, term, term != 0 if kind.bits == 1 else None)
        if isinstance(kind, StructType):
            return Struct(kind, {field: self.fresh(item, f"{name}.{field}") for field, item in kind.fields})
        if isinstance(kind, ArrayType):
            return Array(kind, tuple(self.fresh(kind.item, f"{name}[{i}]") for i in range(kind.length)))
        if isinstance(kind, PointerType):
            return Pointer(kind.target, ((TRUE, None),))
        raise NotSupported(f"any value of {kind}")

    def variable(self, value: Value, name: str = "variable") -> Pointer:
        """A new variable with this value, as the pointer to it."""
        root = f"{name}#{next(self.counter)}"
        self.store[root] = value
        return Pointer(value.type, ((TRUE, Place(root)),))

    def array(self, items: Sequence[Value], name: str = "array") -> Pointer:
        """A new array, as the pointer to its first item."""
        kind = ArrayType(items[0].type, len(items))
        place = self.variable(Array(kind, tuple(items)), name).choices[0][1]
        return Pointer(kind.item, ((TRUE, replace(place, path=(0,))),))

    def read_place(self, place: Place) -> Value:
        value = self.store[place.root]
        for step in place.path:
            value = value.fields[step] if isinstance(value, Struct) else value.items[step]
        return value

    def write_place(self, place: Place, value: Value) -> None:
        def written(old: Value, path: tuple[str | int, ...]) -> Value:
            if not path:
                return value
            if isinstance(old, Struct):
                return Struct(old.type, old.fields | {path[0]: written(old.fields[path[0]], path[1:])})
            items = list(old.items)
            items[path[0]] = written(items[path[0]], path[1:])
            return Array(old.type, tuple(items))

        self.store[place.root] = written(self.store[place.root], place.path)

    def read(self, pointer: Pointer) -> Value:
        self.oblige_not_null(pointer)
        found = None
        for condition, place in pointer.choices:
            if place is not None:
                value = self.read_place(place)
                found = value if found is None else merge(condition, value, found)
        if found is None:
            raise NotSupported(f"{self.where}: a pointer that is always NULL is read")
        return found

    def write(self, pointer: Pointer, value: Value) -> None:
        self.oblige_not_null(pointer)
        for condition, place in pointer.choices:
            if place is not None:
                kind = self.read_place(place).type
                converted = self.arithmetic.convert(value, kind)
                self.write_place(place, merge(condition, converted, self.read_place(place)))

    def oblige_not_null(self, pointer: Pointer) -> None:
        for condition, place in pointer.choices:
            if place is None:
                self.oblige(z3.Not(condition), "NULL is dereferenced")

    def part(self, pointer: Pointer, step: str | int, kind: object) -> Pointer:
        """A field of the struct that it points to, or another item of the array."""
        choices = []
        for condition, place in pointer.choices:
            if place is None:
                self.oblige(z3.Not(condition), "NULL is dereferenced")
                continue
            if isinstance(step, str):
                path = (*place.path, step)
            elif step == 0:
                path = place.path
            else:
                path = (*place.path[:-1], place.path[-1] + step)
            choices.append((condition, Place(place.root, path)))
        return Pointer(kind, tuple(choices))

    # ---- calls -------------------------------------------------------------------------------------------------------

    def find(self, name: str, unit: Unit) -> Function | None:
        for one in [unit, *self.units]:
            if name in one.functions and (one is unit or "static" not in one.functions[name].decl.storage):
                return Function(name, one)
        return None

    def run(self, name: str, *arguments: Value, unit: str | None = None) -> Value | None:
        """Call a function from outside; of a static one, `unit` is the name of its file."""
        candidates = [one for one in self.units if unit in (None, one.name) and name in one.functions]
        return self.call(Function(name, candidates[0]), list(arguments))

    def call(self, function: Function, arguments: Sequence[Value]) -> Value | None:
        definition, unit = function.unit.functions[function.name], function.unit
        parameters = definition.decl.type.args.params if definition.decl.type.args else []
        kinds = [unit.type_of(parameter) for parameter in parameters]
        values = [self.arithmetic.convert(value, kind) for value, kind in zip(arguments, kinds, strict=True)]
        if function.name in self.contracts:
            return self.contracts[function.name](self, values)
        frame = Frame(unit, {}, [])
        before, where = self.reached, self.where
        self.frames.append(frame)
        self.where = function.name
        for parameter, value in zip(parameters, values, strict=True):
            self.declare(parameter.name, value)
        self.execute(definition.body)
        if not z3.is_false(self.reached):
            frame.exits.append((self.reached, None, self.store))
        self.frames.pop()
        self.where, self.reached = where, before
        _, result, self.store = frame.exits[-1]
        for condition, value, store in reversed(frame.exits[:-1]):
            result = None if value is None else merge(condition, value, result)
            self.store = merge_stores(condition, store, self.store)
        for root in frame.names.values():
            self.store.pop(root, None)
        returned = unit.type_of(definition.decl.type.type)
        return None if result is None else self.arithmetic.convert(result, returned)

    def declare(self, name: str, value: Value) -> None:
        root = f"{name}#{next(self.counter)}"
        self.frames[-1].names[name] = root
        self.store[root] = value

    def call_builtin(self, name: str, arguments: Sequence[Value]) -> Value | None:
        if name == "__builtin_trap":
            self.oblige(FALSE, "an assertion fails")
            return constant(0)
        if name == "ssop_rule_status":
            return constant(1)  # any error
        if name == "memcpy":
            to, source, size = arguments
            count, rest = divmod(number_of(size), size_of(to.type))
            if rest:
                raise NotSupported("memcpy of a part of an item")
            for i in range(count):
                self.write(self.part(to, i, to.type), self.read(self.part(source, i, to.type)))
            return to
        raise NotSupported(f"call of {name}")

    # ---- statements --------------------------------------------------------------------------------------------------

    def branch(self, condition: z3.BoolRef, then: Callable[[], Value], other: Callable[[], Value]) -> Value:
        """Both sides, from the same state, and one state and value of both."""
        if z3.is_true(condition):
            return then()
        if z3.is_false(condition):
            return other()
        before, store = self.reached, self.store
        ends = []
        for side, action in ((condition, then), (z3.Not(condition), other)):
            self.store = dict(store)
            entered = self.reached = both(before, side)
            value = action()
            ends.append((value, self.store, self.reached, self.reached is entered))
        (value, store, reached, whole), (other_value, other_store, other_reached, other_whole) = ends
        self.reached = before if whole and other_whole else either(reached, other_reached)
        if z3.is_false(reached) or z3.is_false(other_reached):
            self.store = other_store if z3.is_false(reached) else store
        else:
            self.store = merge_stores(condition, store, other_store)
        if value is None:
            return None
        if isinstance(value, Scalar) and isinstance(other_value, Scalar) and value.type != other_value.type:
            value, other_value = self.arithmetic.of_one_type(value, other_value)
        return merge(condition, value, other_value)

    def execute(self, node: c_ast.Node | None) -> None:
        if node is None or z3.is_false(self.reached):
            return
        action = getattr(self, f"execute_{type(node).__name__}", None)
        if action is not None:
            action(node)
        else:
            self.evaluate(node)

    def execute_Compound(self, node: c_ast.Compound) -> None:
        names = dict(self.frames[-1].names)
        for item in node.block_items or ():
            self.execute(item)
        self.frames[-1].names = names | {k: v for k, v in self.frames[-1].names.items() if k not in names}

    def execute_DeclList(self, node: c_ast.DeclList) -> None:
        for item in node.decls:
            self.execute(item)

    def execute_Decl(self, node: c_ast.Decl) -> None:
        kind = self.frames[-1].unit.type_of(node.type)
        if node.init is None:
            value = self.fresh(kind, f"undefined.{node.name}.{next(self.counter)}")
        else:
            value = self.initial(kind, node.init)
        self.declare(node.name, value)

    def execute_If(self, node: c_ast.If) -> None:
        condition = is_true(self.evaluate(node.cond))
        self.branch(condition, lambda: self.execute(node.iftrue), lambda: self.execute(node.iffalse))

    def execute_Return(self, node: c_ast.Return) -> None:
        value = None if node.expr is None else self.evaluate(node.expr)
        self.frames[-1].exits.append((self.reached, value, self.store))
        self.reached = FALSE

    def execute_For(self, node: c_ast.For) -> None:
        self.execute(node.init)
        self.rounds(node, MAX_ROUNDS)

    def rounds(self, node: c_ast.For, left: int) -> None:
        """A round whose condition is not known is a branch, which has the rounds after it."""
        while left > 0:
            condition = is_true(self.evaluate(node.cond))
            if z3.is_false(condition) or z3.is_false(self.reached):
                return
            left -= 1
            if not z3.is_true(condition):
                self.branch(condition, functools.partial(self.round_and_rest, node, left), lambda: None)
                return
            self.round(node)
        raise NotSupported(f"{self.where}: a loop without an end")

    def round(self, node: c_ast.For) -> None:
        frame = self.frames[-1]
        outer, frame.continued = frame.continued, []
        self.execute(node.stmt)
        for condition, store in frame.continued:
            ended = z3.is_false(self.reached)
            self.store = store if ended else merge_stores(condition, store, self.store)
            self.reached = either(self.reached, condition)
        frame.continued = outer
        if not z3.is_false(self.reached):
            self.evaluate(node.next)

    def execute_Continue(self, node: c_ast.Continue) -> None:
        self.frames[-1].continued.append((self.reached, self.store))
        self.reached = FALSE

    def round_and_rest(self, node: c_ast.For, left: int) -> None:
        self.round(node)
        self.rounds(node, left)

    def execute_Switch(self, node: c_ast.Switch) -> None:
        """Each case ends with a return, or is empty and falls to the next one."""
        value = self.evaluate(node.cond)
        matches = FALSE
        for item in node.stmt.block_items:
            if isinstance(item, c_ast.Default):
                self.execute_all(item.stmts)
                return
            number = self.evaluate(item.expr)
            matches = z3.simplify(either(matches, value.term == number.term))
            if item.stmts:
                self.branch(matches, lambda item=item: self.execute_all(item.stmts), lambda: None)
                matches = FALSE

    def execute_all(self, statements: Sequence[c_ast.Node]) -> None:
        for one in statements:
            self.execute(one)

    def execute_EmptyStatement(self, node: c_ast.EmptyStatement) -> None:
        pass

    # ---- expressions -------------------------------------------------------------------------------------------------

    def evaluate(self, node: c_ast.Node) -> Value:
        action = getattr(self, f"evaluate_{type(node).__name__}", None)
        if action is None:
            raise NotSupported(f"{self.where}: {type(node).__name__}")
        return action(node)

    def evaluate_Constant(self, node: c_ast.Constant) -> Value:
        digits = node.value.rstrip("uUlL")
        signed = "u" not in node.value[len(digits) :].lower()
        return constant(int(digits, 0), INT if signed else Integer(32, False, INT.rank))

    def evaluate_ID(self, node: c_ast.ID) -> Value:
        frame = self.frames[-1]
        if node.name in frame.unit.constants:
            return constant(frame.unit.constants[node.name])
        if node.name in frame.names or node.name in frame.unit.data:
            return self.decayed(self.place(node))
        function = self.find(node.name, frame.unit)
        if function is None:
            raise NotSupported(f"{self.where}: {node.name} is not known")
        return function

    def decayed(self, pointer: Pointer) -> Value:
        """What is there; of an array, the pointer to its first item."""
        value = self.read(pointer)
        if not isinstance(value, Array):
            return value
        [(condition, place)] = pointer.choices
        return Pointer(value.type.item, ((condition, replace(place, path=(*place.path, 0))),))

    def place(self, node: c_ast.Node) -> Pointer:
        """Where an expression is stored."""
        frame = self.frames[-1]
        if isinstance(node, c_ast.ID):
            if node.name not in frame.names:
                root = f"{frame.unit.name}.{node.name}"
                if root not in self.store:
                    declared = frame.unit.data[node.name]
                    self.store[root] = self.initial(frame.unit.type_of(declared.type), declared.init)
                return Pointer(self.store[root].type, ((TRUE, Place(root)),))
            root = frame.names[node.name]
            value = self.store[root]
            return Pointer(getattr(value, "type", None), ((TRUE, Place(root)),))
        if isinstance(node, c_ast.StructRef):
            base = self.evaluate(node.name) if node.type == "->" else self.place(node.name)
            return self.part(base, node.field.name, dict(base.type.fields)[node.field.name])
        if isinstance(node, c_ast.ArrayRef):
            base, index = self.evaluate(node.name), number_of(self.evaluate(node.subscript))
            if index is None:
                raise NotSupported(f"{self.where}: an index that is not known")
            return self.part(base, index, base.type)
        if isinstance(node, c_ast.UnaryOp) and node.op == "*":
            return self.evaluate(node.expr)
        if isinstance(node, c_ast.CompoundLiteral):
            return self.variable(self.evaluate(node))
        raise NotSupported(f"{self.where}: the place of {type(node).__name__}")

    def evaluate_StructRef(self, node: c_ast.StructRef) -> Value:
        if node.type == "." and isinstance(node.name, (c_ast.FuncCall, c_ast.CompoundLiteral)):
            return self.evaluate(node.name).fields[node.field.name]
        return self.decayed(self.place(node))

    def evaluate_ArrayRef(self, node: c_ast.ArrayRef) -> Value:
        return self.decayed(self.place(node))

    def evaluate_UnaryOp(self, node: c_ast.UnaryOp) -> Value:
        if node.op == "sizeof":
            kind = (
                self.frames[-1].unit.type_of(node.expr)
                if isinstance(node.expr, c_ast.Typename)
                else self.place(node.expr).type
            )
            return constant(size_of(kind), SIZE)
        if node.op == "&":
            return self.place(node.expr)
        if node.op == "*":
            return self.decayed(self.place(node))
        if node.op in ("++", "p++", "--", "p--"):
            place = self.place(node.expr)
            old = self.read(place)
            self.write(place, self.arithmetic.binary(node.op[-1], old, constant(1)))
            return old if node.op[0] == "p" else self.read(place)
        return self.arithmetic.unary(node.op, self.evaluate(node.expr))

    def evaluate_BinaryOp(self, node: c_ast.BinaryOp) -> Value:
        left = self.evaluate(node.left)
        if node.op in ("&&", "||"):
            first = is_true(left)
            decided, whole = (z3.Not(first), FALSE) if node.op == "&&" else (first, TRUE)
            return self.branch(
                z3.simplify(decided),
                lambda: from_truth(whole),
                lambda: from_truth(is_true(self.evaluate(node.right))),
            )
        right = self.evaluate(node.right)
        if isinstance(left, Pointer) or isinstance(right, Pointer):
            return self.compare_with_null(node.op, left, right)
        return self.arithmetic.binary(node.op, left, right)

    def compare_with_null(self, operator: str, left: Value, right: Value) -> Value:
        pointer, other = (left, right) if isinstance(left, Pointer) and left.type is not None else (right, left)
        if any(place is not None for _, place in other.choices) or operator not in ("==", "!="):
            raise NotSupported(f"{self.where}: pointers are compared")
        is_null = z3.Or([condition for condition, place in pointer.choices if place is None] or [FALSE])
        return from_truth(is_null if operator == "==" else z3.Not(is_null))

    def evaluate_TernaryOp(self, node: c_ast.TernaryOp) -> Value:
        condition = is_true(self.evaluate(node.cond))
        return self.branch(condition, lambda: self.evaluate(node.iftrue), lambda: self.evaluate(node.iffalse))

    def evaluate_Assignment(self, node: c_ast.Assignment) -> Value:
        value, place = self.evaluate(node.rvalue), self.place(node.lvalue)
        if node.op != "=":
            value = self.arithmetic.binary(node.op[:-1], self.read(place), value)
        self.write(place, value)
        return self.read(place)

    def evaluate_ExprList(self, node: c_ast.ExprList) -> Value:
        return [self.evaluate(one) for one in node.exprs][-1]

    def evaluate_Cast(self, node: c_ast.Cast) -> Value:
        kind = self.frames[-1].unit.type_of(node.to_type)
        if kind is None:
            return self.evaluate(node.expr)
        if isinstance(kind, PointerType):
            return Pointer(kind.target, ((TRUE, None),))  # NULL is the only one that is cast
        return self.arithmetic.convert(self.evaluate(node.expr), kind)

    def evaluate_FuncCall(self, node: c_ast.FuncCall) -> Value | None:
        frame = self.frames[-1]
        called = frame.names.get(node.name.name)
        function = self.find(node.name.name, frame.unit) if called is None else self.store[called]
        arguments = [self.evaluate(one) for one in (node.args.exprs if node.args else ())]
        if function is not None:
            return self.call(function, arguments)
        if node.name.name in self.contracts:
            return self.contracts[node.name.name](self, arguments)
        return self.call_builtin(node.name.name, arguments)

    # ---- initialisers ------------------------------------------------------------------------------------------------

    def evaluate_CompoundLiteral(self, node: c_ast.CompoundLiteral) -> Value:
        return self.initial(self.frames[-1].unit.type_of(node.type), node.init)

    def zero(self, kind: object) -> Value:
        if isinstance(kind, Integer):
            return constant(0, kind)
        if isinstance(kind, StructType):
            return Struct(kind, {name: self.zero(item) for name, item in kind.fields})
        if isinstance(kind, ArrayType):
            return Array(kind, (self.zero(kind.item),) * kind.length)
        return Pointer(getattr(kind, "target", None), ((TRUE, None),))

    def initial(self, kind: object, node: c_ast.Node) -> Value:
        if not isinstance(node, c_ast.InitList):
            return self.arithmetic.convert(self.evaluate(node), kind)
        value = self.zero(kind)
        if isinstance(kind, ArrayType):
            items = list(value.items)
            for i, item in enumerate(node.exprs):
                items[i] = self.initial(kind.item, item)
            return Array(kind, tuple(items))
        if not isinstance(kind, StructType):
            return self.initial(kind, node.exprs[0])
        fields, kinds, names = dict(value.fields), dict(kind.fields), [name for name, _ in kind.fields]
        position = 0
        for item in node.exprs:
            if isinstance(item, c_ast.NamedInitializer):
                position = names.index(item.name[0].name)
                item = item.expr
            name = names[position]
            fields[name] = self.initial(kinds[name], item)
            position += 1
        return Struct(kind, fields)


def merge_stores(condition: z3.BoolRef, a: dict[str, Value], b: dict[str, Value]) -> dict[str, Value]:
    """Variables that only one of them has are out of scope."""
    return {root: merge(condition, a[root], b[root]) for root in a if root in b}
