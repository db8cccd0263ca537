"""The bytes of an ONNX model without its weights, so that only the graph is ever in memory.

A file of protobuf is a sequence of fields, and each field says how long it is. Strings and lists that are long are
skipped without being read; the messages around them are written again with their new lengths. What is left is parsed
by protobuf with the schema of the `onnx` package.
"""

from __future__ import annotations

from typing import Any

from ssop._inspect.limits import MAX_GRAPH_BYTES, MAX_NESTING, Damaged
from ssop._inspect.wire import LENGTH, LONG, Bytes, Fields


def without_weights(content: Bytes, message: Any) -> bytes:
    """The model of this type of message without strings and lists of more than `LONG` bytes."""
    return _Walk(content).pruned(message.DESCRIPTOR, 0, content.size, 0)


class _Walk(Fields):
    def __init__(self, content: Bytes) -> None:
        super().__init__(content)
        self.kept = 0

    def pruned(self, kind: Any, first: int, end: int, depth: int) -> bytes:
        """The message of this kind between two bytes."""
        if depth > MAX_NESTING:
            raise Damaged(f"graphs are nested more than {MAX_NESTING} messages deep")
        known = kind.fields_by_number
        pieces: list[bytes] = []
        start = place = first  # all between start and place is copied as it is
        while place < end:
            field = place
            number, wire, inner, place = self.field(place, end)
            if wire != LENGTH or place - inner <= LONG:
                continue
            pieces.append(self._copied(start, field))
            start = place
            row = known.get(number)
            if row is not None and row.message_type is not None:
                found = self.pruned(row.message_type, inner, place, depth + 1)
                pieces += [_varint(number << 3 | LENGTH), _varint(len(found)), found]
        pieces.append(self._copied(start, end))
        return b"".join(pieces)

    def _copied(self, first: int, end: int) -> bytes:
        self.kept += end - first
        if self.kept > MAX_GRAPH_BYTES:
            raise Damaged(f"its graph has more than {MAX_GRAPH_BYTES} bytes without weights")
        return self.content.copy(first, end)


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])
