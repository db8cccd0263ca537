"""The lines of the program that nodes of TensorFlow were made of: a GraphDebugInfo, in the file or beside it.

It has the traces of all nodes of a program. It is read field by field, several times; what no slice needs is skipped.
"""

# mypy: disable-error-code="import-not-found,import-untyped,unused-ignore"

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ssop._inspect.files import open_file
from ssop._inspect.limits import MAX_TEXT, Damaged, text
from ssop._inspect.wire import Bytes, Fields

PLACE = os.path.join("debug", "saved_model_debug_info.pb")
"""Where a SavedModel has it."""

MAX_FRAMES = 64
"""The innermost frames of a trace; what called these is no line that made a node."""

LIBRARY = re.compile(r"[/\\](?:site|dist)-packages[/\\](?:tensorflow|keras|tf_keras|jax)[/\\]|^<")
"""Files whose lines make nodes for those who call them."""


def lines_beside(path: str, keys: Collection[str]) -> dict[str, str]:
    """The lines of the nodes of a SavedModel at this path, from the file of its folder; {} if it has none.

    A key is "node@function", or "node@" in the graph itself. A link that leads out of the folder is not followed.
    Raises `Damaged`.
    """
    folder = os.path.dirname(path)
    place = os.path.join(folder, PLACE)
    if not keys or os.path.basename(path) not in ("saved_model.pb", "saved_model.pbtxt") or not os.path.isfile(place):
        return {}
    if os.path.realpath(place) != os.path.join(os.path.realpath(folder), PLACE):
        raise Damaged("it is a link")
    try:
        with open_file(place) as opened:
            return lines_of(Bytes.of_file(opened), keys)
    except OSError as error:
        raise Damaged(error.strerror or "it cannot be read") from None


def lines_of(content: Bytes, keys: Collection[str]) -> dict[str, str]:
    """For each key of a node that has a trace, "file:line". Raises `Damaged`."""
    from tensorflow.core.framework.graph_debug_info_pb2 import GraphDebugInfo

    walk = _Walk(content, GraphDebugInfo)
    wanted = frozenset(keys)
    traces = {key: _innermost(trace) for key, trace in walk.items("traces", wanted)}
    ids = dict(walk.items("name_to_trace_id", wanted))
    by_id = {key: _innermost(trace) for key, trace in walk.items("traces_by_id", frozenset(ids.values()))}
    traces |= {name: by_id[number] for name, number in ids.items() if number in by_id}
    numbers = frozenset(frame for trace in by_id.values() for frame in trace if isinstance(frame, int))
    frames = {number: _place(frame) for number, frame in walk.items("frames_by_id", numbers)}
    places = {
        key: [frames.get(frame, (-1, 0)) if isinstance(frame, int) else frame for frame in trace]
        for key, trace in traces.items()
    }
    files = walk.files(frozenset(file for trace in places.values() for file, _ in trace))
    found = {
        key: _line([(files[file], line) for file, line in trace if file in files]) for key, trace in places.items()
    }
    return {key: line for key, line in found.items() if line is not None}


class _Walk(Fields):
    """The entries of the maps of a GraphDebugInfo."""

    def __init__(self, content: Bytes, message: Any) -> None:
        super().__init__(content)
        self.message, self.known = message, message.DESCRIPTOR.fields_by_name

    def items(self, name: str, keys: frozenset[Any]) -> Iterator[tuple[Any, Any]]:
        """Those of these keys, of a map of this name; older versions lack some maps."""
        from google.protobuf.message import DecodeError

        if not keys or name not in self.known:
            return
        kind = getattr(self.message, name.title().replace("_", "") + "Entry")
        for data in self.messages(self.known[name].number):
            if data is None:
                continue
            try:
                entry = kind.FromString(data)
            except DecodeError:
                raise Damaged(f"an entry of {name} is no message") from None
            if entry.key in keys:
                yield entry.key, entry.value

    def files(self, numbers: Collection[int]) -> dict[int, str]:
        """The names of these files."""
        return {
            number: data[:MAX_TEXT].decode("utf-8", "backslashreplace")
            for number, data in enumerate(self.messages(self.known["files"].number))
            if number in numbers and data is not None
        }


def _innermost(trace: Any) -> tuple[int | tuple[int, int], ...]:
    """The last frames of a trace: their numbers, or in older files themselves."""
    numbers = getattr(trace, "frame_id", ())
    return tuple(numbers[-MAX_FRAMES:]) or tuple(map(_place, trace.file_line_cols[-MAX_FRAMES:]))


def _place(frame: Any) -> tuple[int, int]:
    return frame.file_index, frame.line


def _line(frames: list[tuple[str, int]]) -> str | None:
    """The innermost frame outside of libraries that make nodes; if all are inside, the innermost one."""
    own = [frame for frame in frames if not LIBRARY.search(frame[0])] or frames
    return text(f"{own[-1][0]}:{own[-1][1]}") if own and own[-1][1] > 0 else None


def keys_of(node: Any, function: str) -> list[str]:
    """Under which a node has a trace: its own name, and the names of the nodes that it was made of."""
    made_of = node.experimental_debug_info
    names = made_of.original_node_names[:MAX_FRAMES]
    functions = [*made_of.original_func_names[: len(names)], *[""] * len(names)]
    return [f"{node.name}@{function}", *(f"{name}@{of}" for name, of in zip(names, functions, strict=False))]


def source_of(keys: list[str], lines: Mapping[str, str]) -> str | None:
    """The line of the first key that has one; else the node that this one was made of, if it has another name."""
    line = next((lines[key] for key in keys if key in lines), None)
    if line is None and len(keys) > 1 and keys[1] != keys[0]:
        return text(keys[1].removesuffix("@"))
    return line
