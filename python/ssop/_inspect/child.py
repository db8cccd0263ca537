"""Readers in a process of their own, whose memory and time are bounded.

Parsers of other projects end the process on some damaged files: a text with 100,000 brackets overflows the stack of
MLIR's parser. Such a reader runs in a child, which gives back its findings as JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from typing import IO, Any

from ssop._core import SliceError
from ssop._inspect.records import Model, NodeCall, RunTime, SliceNode, unreadable

LIMIT_SECONDS = 600
"""The processor time after which a child is stopped; a million operations take half a minute."""

BASE_BYTES, BYTES_PER_BYTE = 4 << 30, 24
"""The address space of a child: most of the first is what libraries reserve and do not touch."""

MAX_ANSWER_BYTES = 1 << 30

_MAIN = (
    "import json, sys; request = json.loads(sys.stdin.buffer.readline()); sys.path[:] = request['path']; "
    "from ssop._inspect.child import serve; serve(request)"
)


def read_in_child(reader: str, path: str, data: bytes | None = None) -> Model:
    """The model that the function `model_of(data, path)` of a module of this package finds.

    Parameters
    ----------
    reader : the name of the module
    path : of the file, which the child opens; only a name if there are data
    data : the content, if it is not in a file

    Raises
    ------
    SliceValueError : if the reader raises one, or if it ends without an answer (im_c1)
    ImportError : if a library is missing
    """
    size = os.path.getsize(path) if data is None else len(data)
    request = {"reader": reader, "file": path, "size": size, "inline": data is not None, "path": _search_path()}
    command = [sys.executable, "-I", "-c", _MAIN]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as child:
        assert child.stdin is not None and child.stdout is not None
        try:
            with suppress(BrokenPipeError):  # it ended early, and says why or not at all
                child.stdin.write(json.dumps(request).encode() + b"\n")
                child.stdin.write(data or b"")
                child.stdin.close()
            answer = child.stdout.read(MAX_ANSWER_BYTES + 1)
        finally:
            child.kill()
    return _model_of_answer(answer, path, reader)


def _search_path() -> list[str]:
    """Where modules are, without the current folder if that was removed."""
    try:
        here = os.getcwd()
    except FileNotFoundError:
        return [entry for entry in sys.path if entry]
    return [entry or here for entry in sys.path]


def serve(request: Mapping[str, Any]) -> None:
    """Read the model of a request, and write what was found; runs in the child."""
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # parsers write their warnings to wherever they like
    _limit(request["size"])
    path = request["file"]
    try:
        data = _content(sys.stdin.buffer, path, request["inline"])
        found: dict[str, Any] = {
            "model": _data(import_module(f"ssop._inspect.{request['reader']}").model_of(data, path))
        }
    except ImportError as error:
        found = {"missing": str(error), "name": error.name}
    except SliceError as error:
        found = {"reason": str(error).removeprefix(f"{error.op}: ").removeprefix(f"{path}: ").rpartition(" [")[0]}
    except OSError as error:
        found = {"reason": error.strerror or "cannot be read"}
    except MemoryError:
        found = {"reason": "reading it needs too much memory"}
    json.dump(found, answer)
    answer.close()
    sys.stderr.close()
    os._exit(0)  # without the destructors of what was parsed, which may be nested deeply


def _content(stream: IO[bytes], path: str, inline: bool) -> bytes:
    if inline:
        return stream.read()
    with open(path, "rb") as file:
        return file.read()


def _limit(size: int) -> None:
    try:
        import resource
    except ImportError:  # not on Windows
        return
    for kind, amount in (
        (resource.RLIMIT_AS, BASE_BYTES + BYTES_PER_BYTE * size),
        (resource.RLIMIT_CPU, LIMIT_SECONDS),
    ):
        with suppress(ValueError, OSError):
            _, most = resource.getrlimit(kind)
            least = amount if most == resource.RLIM_INFINITY else min(amount, most)
            resource.setrlimit(kind, (least, most))


def _model_of_answer(answer: bytes, path: str, reader: str) -> Model:
    if len(answer) > MAX_ANSWER_BYTES:
        raise unreadable(path, "it has too many slices")
    try:
        found = json.loads(answer)
    except ValueError:
        parser = {"stablehlo_file": "MLIR's parser", "tensorflow_file": "protobuf's parser"}[reader]
        reason = f"{parser} ended without an answer: the file is damaged, nested too deeply, or too large"
        raise unreadable(path, reason) from None
    if "missing" in found:
        raise ImportError(found["missing"], name=found["name"])
    if "reason" in found:
        raise unreadable(path, found["reason"])
    return _model(found["model"])


# ---- records as JSON -----------------------------------------------------------------------------------------------


def _data(value: Any) -> Any:
    if isinstance(value, NodeCall):
        return {name: _data(item) for name, item in value._asdict().items()}
    if isinstance(value, (Model, SliceNode, RunTime)):
        return {name: _data(item) for name, item in vars(value).items()}
    if isinstance(value, Mapping):
        return {name: _data(item) for name, item in value.items()}
    return [_data(item) for item in value] if isinstance(value, tuple) else value


def _model(data: dict[str, Any]) -> Model:
    nodes = tuple([_node(node) for node in data["nodes"]])
    return Model(**{**data, "nodes": nodes, "notes": tuple(data["notes"])})


def _node(data: dict[str, Any]) -> SliceNode:
    calls = tuple([NodeCall(call["function"], _arguments(call["arguments"])) for call in data["calls"]])
    shapes = {name: _shape(data[name]) for name in ("input_shape", "declared_shape")}
    return SliceNode(**{**data, **shapes, "calls": calls, "notes": tuple(data["notes"])})


def _arguments(data: dict[str, Any]) -> dict[str, Any]:
    return {name: _argument(value) for name, value in data.items()}


def _argument(data: Any) -> Any:
    if isinstance(data, dict):
        values = data["values"]
        return RunTime(data["tensor"], data["producer"], None if values is None else tuple(values))
    return tuple(data) if isinstance(data, list) else data


def _shape(data: list[Any] | None) -> Any:
    return None if data is None else tuple([tuple(dim) if isinstance(dim, list) else dim for dim in data])
