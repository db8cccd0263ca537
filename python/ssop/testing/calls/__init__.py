"""Random calls of every operation and of its shape inference, with the arguments that each framework takes."""

from ssop.testing.calls.call import (
    MAX_ELEMENTS,
    OPERANDS,
    Answer,
    Array,
    Call,
    Dims,
    Fault,
    Rejection,
    ask,
    call_text,
    same,
)
from ssop.testing.calls.partial import ShapeCall

__all__ = [
    "MAX_ELEMENTS",
    "OPERANDS",
    "Answer",
    "Array",
    "Call",
    "Dims",
    "Fault",
    "Rejection",
    "ShapeCall",
    "ask",
    "call_text",
    "same",
]
