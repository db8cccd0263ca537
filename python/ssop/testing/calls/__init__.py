"""Random calls of every operation, with the arguments that each framework takes; they need NumPy alone."""

from ssop.testing.calls.call import OPERANDS, Answer, Array, Call, Fault, Refusal, ask, call_text, same

__all__ = ["OPERANDS", "Answer", "Array", "Call", "Fault", "Refusal", "ask", "call_text", "same"]
