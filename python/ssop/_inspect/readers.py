"""Which reader a model needs: by what it is, its first bytes, and the name of its file."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from ssop._errors import kind_of, value_error
from ssop._inspect.files import checked_file
from ssop._inspect.records import OP, Model, unreadable

MODULES = {
    "onnx": "onnx_file",
    "tflite": "tflite_file",
    "stablehlo": "stablehlo_file",
    "tensorflow": "tensorflow_file",
    "openvino": "openvino_file",
}
"""For each format the module of this package whose `read` takes a path, bytes, or an object of the format's library."""

SUFFIXES = {
    ".onnx": "onnx",
    ".tflite": "tflite",
    ".lite": "tflite",
    ".mlir": "stablehlo",
    ".mlirbc": "stablehlo",
    ".stablehlo": "stablehlo",
    ".pb": "tensorflow",
    ".pbtxt": "tensorflow",
    ".xml": "openvino",
}
OBJECTS = {"ModelProto": "onnx", "GraphDef": "tensorflow", "SavedModel": "tensorflow", "ConcreteFunction": "tensorflow"}
LIBRARIES = {"onnx_ir": "onnx", "openvino": "openvino", "jax": "stablehlo", "jaxlib": "stablehlo"}


def read(source: Any, format_: str | None = None) -> Model:
    """The slicing nodes of a model: a path, its bytes, the text of a StableHLO program, or an object of a library."""
    if isinstance(source, Model):
        return source
    if not (format_ is None or (isinstance(format_, str) and format_ in MODULES)):
        shown = repr(format_) if isinstance(format_, str) else kind_of(format_)
        raise value_error(OP, "im_c2", f"format is {shown}, not one of {', '.join(MODULES)}", value=format_)
    module = import_module(f"ssop._inspect.{MODULES[format_ or format_of(source)]}")
    reader: Callable[[Any], Model] = module.read
    return reader(source)


def format_of(source: Any) -> str:
    """The format of a model."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return _by_content(bytes(source[:4096]), "the bytes")
    if isinstance(source, str) and ("\n" in source or "func.func" in source):
        return "stablehlo"
    if isinstance(source, (str, os.PathLike)):
        return _of_file(Path(source))
    kind = type(source)
    found = OBJECTS.get(kind.__name__) or LIBRARIES.get(kind.__module__.partition(".")[0])
    if found is None:
        message = (
            f"{kind.__module__}.{kind.__name__} is no model: give a path, bytes, or an object of a format's library"
        )
        raise value_error(OP, "im_c1", message)
    return found


def _of_file(path: Path) -> str:
    if "\0" not in str(path) and path.is_dir():
        if (path / "saved_model.pb").is_file():
            return "tensorflow"
        raise unreadable(str(path), "a folder without saved_model.pb")
    name = checked_file(path)  # what is no file is no question of its format, nor of what reads it
    by_name = SUFFIXES.get(path.suffix.lower())
    if by_name is not None:
        return by_name
    with open(name, "rb") as file:
        return _by_content(file.read(4096), name)


def _by_content(start: bytes, name: str) -> str:
    if start[4:8] == b"TFL3":
        return "tflite"
    if start[:4] == b"ML\xefR":
        return "stablehlo"
    text = start.lstrip()
    if text.startswith((b"<?xml", b"<net")):
        return "openvino"
    if text.startswith((b"module", b"#loc", b"func.func")):
        return "stablehlo"
    if start[:1] == b"\x08":  # the first field of a ModelProto, a number: its IR version
        return "onnx"
    raise unreadable(name, "the format is not known: give it as `format`")
