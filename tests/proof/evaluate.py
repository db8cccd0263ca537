"""The numbers that a term has for given arguments, for many of them at once."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

import numpy as np
import z3

ARITHMETIC: dict[int, Callable] = {
    z3.Z3_OP_ADD: operator.add,
    z3.Z3_OP_SUB: operator.sub,
    z3.Z3_OP_MUL: operator.mul,
    z3.Z3_OP_LE: operator.le,
    z3.Z3_OP_LT: operator.lt,
    z3.Z3_OP_GE: operator.ge,
    z3.Z3_OP_GT: operator.gt,
    z3.Z3_OP_EQ: operator.eq,
    z3.Z3_OP_AND: operator.and_,
    z3.Z3_OP_OR: operator.or_,
}


NO_MATTER = 77
"""Instead of arguments that are not given: variables without a value, and what a call does not read."""


def fold(function: Callable, operands: list) -> object:
    result = operands[0]
    for operand in operands[1:]:
        result = function(result, operand)
    return result


def define(definition: tuple[str, object, object]) -> object:
    """A quotient by 0 is never used: any number will do."""
    name, a, b = definition
    if name == "or":
        return a | b
    size = abs(a) // np.maximum(abs(b), 1)
    return np.where((a < 0) != (b < 0), -size, size)


class Evaluation:
    """`arguments` are arrays by the names of the unknowns; `defined` has what arithmetic defined.

    Exact if all numbers fit the type of the arrays, which may be object.
    """

    def __init__(self, arguments: Mapping[str, np.ndarray], defined: Mapping[z3.ArithRef, tuple]) -> None:
        self.arguments = arguments
        self.defined = {term.get_id(): definition for term, definition in defined.items()}
        self.found: dict[int, object] = {}

    def of(self, term: z3.ExprRef) -> object:
        key = term.get_id()
        if key not in self.found:
            self.found[key] = self.compute(term, key)
        return self.found[key]

    def compute(self, term: z3.ExprRef, key: int) -> object:
        if z3.is_int_value(term):
            number = term.as_long()
            return number if number.bit_length() < 63 else np.array(number, dtype=object)
        if z3.is_true(term) or z3.is_false(term):
            return np.bool_(z3.is_true(term))
        if key in self.defined:
            name, a, b = self.defined[key]
            return define((name, self.of(a), self.of(b)))
        if z3.is_const(term):
            return self.arguments.get(term.decl().name(), NO_MATTER)
        kind = term.decl().kind()
        if kind == z3.Z3_OP_ITE:
            condition, a, b = (self.of(child) for child in term.children())
            return np.where(condition, a, b)
        operands = [self.of(child) for child in term.children()]
        if kind in ARITHMETIC:
            return fold(ARITHMETIC[kind], operands)
        if kind == z3.Z3_OP_UMINUS:
            return -operands[0]
        if kind == z3.Z3_OP_NOT:
            return np.logical_not(operands[0])
        if kind == z3.Z3_OP_DISTINCT:
            return operands[0] != operands[1]
        if kind == z3.Z3_OP_IMPLIES:
            return np.logical_not(operands[0]) | operands[1]
        if kind == z3.Z3_OP_IDIV:
            return operands[0] // operands[1]
        if kind == z3.Z3_OP_MOD:
            return operands[0] % operands[1]
        raise NotImplementedError(term.decl().name())
