"""The wire format of protobuf, read field by field: of a message that is large, only what is needed is in memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import BinaryIO

from ssop._inspect.limits import MAX_FIELDS, Damaged

LONG = 1 << 16
"""Bytes from which on a string or a list is no name and no list of a slice."""
BLOCK = 1 << 14
VARINT, EIGHT_BYTES, LENGTH, FOUR_BYTES = 0, 1, 2, 5  # wire types


class Bytes:
    """Bytes at any place of a file or of a buffer, read in blocks."""

    def __init__(self, read: Callable[[int, int], bytes], size: int) -> None:
        self._read, self.size = read, size
        self._block, self._first = b"", 0

    @classmethod
    def of_file(cls, opened: BinaryIO) -> Bytes:
        def read(first: int, count: int) -> bytes:
            opened.seek(first)
            return opened.read(count)

        return cls(read, os.fstat(opened.fileno()).st_size)

    @classmethod
    def of_buffer(cls, content: bytes | bytearray | memoryview) -> Bytes:
        view = memoryview(content)
        view = view.cast("B") if view.c_contiguous else memoryview(view.tobytes())
        return cls(lambda first, count: bytes(view[first : first + count]), view.nbytes)

    def head(self, first: int) -> bytes:
        """Up to 20 bytes: a tag and a length have no more."""
        offset = first - self._first
        if not (0 <= offset and offset + 20 <= len(self._block)):
            self._block, self._first, offset = self._read(first, BLOCK), first, 0
        return self._block[offset : offset + 20]

    def copy(self, first: int, end: int) -> bytes:
        found = self._read(first, end - first)
        if len(found) != end - first:
            raise Damaged(f"it ends at byte {first + len(found)} instead of {end}")
        return found


class Fields:
    """The fields of a message, of which all in all at most `MAX_FIELDS` are read."""

    def __init__(self, content: Bytes) -> None:
        self.content = content
        self.fields = 0

    def messages(self, number: int) -> Iterator[bytes | None]:
        """The strings and messages of the outermost fields of this number; None for each that is `LONG`."""
        place = 0
        while place < self.content.size:
            found, wire, inner, place = self.field(place, self.content.size)
            if (found, wire) == (number, LENGTH):
                yield self.content.copy(inner, place) if place - inner <= LONG else None

    def field(self, place: int, end: int) -> tuple[int, int, int, int]:
        """Number and wire type of the field at this place, where its content begins, and where it ends."""
        self.fields += 1
        if self.fields > MAX_FIELDS:
            raise Damaged(f"it has more than {MAX_FIELDS} fields")
        head = self.content.head(place)
        tag, used = _read_varint(head, 0, place)
        wire = tag & 7
        inner = place + used
        if wire == LENGTH:
            length, used = _read_varint(head, used, place)
            inner = place + used
            stop = inner + length
        elif wire == VARINT:
            stop = place + _read_varint(head, used, place)[1]
        elif wire in (EIGHT_BYTES, FOUR_BYTES):
            stop = inner + (8 if wire == EIGHT_BYTES else 4)
        else:
            raise Damaged(f"byte {place} begins no field of protobuf")
        if stop > end:
            raise Damaged(f"the field at byte {place} claims to end at byte {stop}, and what it is in ends at {end}")
        return tag >> 3, wire, inner, stop


def _read_varint(head: bytes, used: int, place: int) -> tuple[int, int]:
    value = shift = 0
    for used in range(used, min(used + 10, len(head))):  # noqa: B020
        value |= (head[used] & 127) << shift
        if head[used] < 128:
            return value, used + 1
        shift += 7
    raise Damaged(f"byte {place} begins no field of protobuf")
