"""What one broken call is, and what its error must say."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Case:
    label: str
    op: str
    call: tuple[Any, ...]  # function, positional arguments, and perhaps a dict of keyword arguments
    message: str  # without "op: " and the label in brackets
    axis: int | None = None
    entry: int | None = None
    value: Any = None
    allowed: tuple[int, int] | None = None

    def run(self) -> None:
        function, *arguments = self.call
        keywords = arguments.pop() if arguments and type(arguments[-1]) is dict else {}
        function(*arguments, **keywords)
