"""The graph of an OpenVINO IR: layers, edges and the constants of bounds, from the .xml and few bytes of the .bin.

The parser is that of the standard library. A document type is an error, so that there are no entities to expand.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any
from xml.parsers import expat

import numpy as np

from ssop._convert.rules import INT64_MAX
from ssop._core import SliceValueError
from ssop._inspect.folding import Unknown, Value, constant_of, is_small
from ssop._inspect.limits import MAX_RANK, MAX_TEXT, text
from ssop._inspect.records import Dim, unreadable

Port = tuple[str, str]
"""The ids of a layer and of one of its ports."""

MAX_DEPTH = 200
MAX_NAME = 80
"""Characters of a layer's name in the path of its body, which each node inside repeats, and of a type."""

MAX_BODIES = 10_000
MAX_VALUE = 1 << 13
"""Characters of an attribute of a layer's data: longer ones are left out, for no list of a slice has them."""
MAX_FUSED = 8
"""Lists of names that a layer stands for; each output of a split repeats them."""

CHUNK_BYTES = 1 << 20
ELEMENTS = {
    "boolean": "u1",
    **{f"i{bits}": f"<i{bits // 8}" for bits in (8, 16, 32, 64)},
    **{f"u{bits}": f"<u{bits // 8}" for bits in (8, 16, 32, 64)},
}


@dataclass(slots=True)
class Layer:
    """A layer, with what the file says about its ports."""

    key: str
    name: str
    kind: str
    data: Mapping[str, str] = field(default_factory=dict)
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    shapes: dict[str, tuple[Dim, ...]] = field(default_factory=dict)
    """By port; a scalar and a tensor of unknown rank look the same in the file, and are both ()."""
    precisions: dict[str, str] = field(default_factory=dict)
    fused: list[str] = field(default_factory=list)
    """The names of the layers that it stands for, as rt_info says."""


@dataclass(slots=True)
class Graph:
    """The network, or the body of a layer."""

    path: str
    layers: dict[str, Layer] = field(default_factory=dict)
    edges: dict[Port, Port] = field(default_factory=dict)
    """From an input to the output that it takes."""
    users: dict[Port, list[Port]] = field(default_factory=dict)


@dataclass(slots=True)
class Network:
    """A file: its graphs, in the order in which they end."""

    version: str
    graphs: list[Graph]


class Builder:
    """Builds the graphs while the file is parsed: only one element's text is kept at a time."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.version, self.producer = "", ""
        self.elements: list[str] = []
        self.open: list[tuple[Graph, Layer | None]] = []
        self.graphs: list[Graph] = []
        self.port: str | None = None
        self.text: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self.elements) >= MAX_DEPTH:
            raise unreadable(self.path, f"its elements are nested more than {MAX_DEPTH} deep")
        if not self.elements and name != "net":
            raise unreadable(self.path, f"the root is <{name}>, not <net>")
        parent = self.elements[-1] if self.elements else ""
        self.elements.append(name)
        self.text = []
        if name == "net":
            self.version = attributes.get("version", "")
            self._open("main")
        elif name == "body" or name.endswith("_body"):
            graph, layer = self.open[-1]
            inside = f"{layer.name[:MAX_NAME] if layer else '?'}.{name[:MAX_NAME]}"
            self._open(f"{graph.path[:MAX_TEXT]}/{inside}")
        elif name == "info" and parent == "rt_info":
            self.producer = self.producer or attributes.get("value", "")
        else:
            self._inside_graph(name, parent, attributes)

    def _open(self, path: str) -> None:
        if len(self.graphs) + len(self.open) > MAX_BODIES:
            raise unreadable(self.path, f"it has more than {MAX_BODIES} bodies")
        self.open.append((Graph(path), None))

    def _inside_graph(self, name: str, parent: str, attributes: dict[str, str]) -> None:
        graph, layer = self.open[-1]
        if name == "layer" and parent == "layers":
            key = attributes["id"]
            made = Layer(key, attributes.get("name", key)[:MAX_TEXT], text(attributes["type"][:MAX_NAME]))
            if graph.layers.setdefault(key, made) is not made:
                raise unreadable(self.path, f"there are two layers with the id {key[:40]!r}")
            self.open[-1] = (graph, made)
        elif name == "edge" and parent == "edges":
            source = (attributes["from-layer"], attributes["from-port"])
            target = (attributes["to-layer"], attributes["to-port"])
            graph.edges[target] = source
            graph.users.setdefault(source, []).append(target)
        elif layer is None:
            return
        elif name == "data" and parent == "layer":
            layer.data = {name: value for name, value in attributes.items() if len(value) <= MAX_VALUE}
        elif name == "port" and parent in ("input", "output"):
            self.port = attributes["id"]
            (layer.inputs if parent == "input" else layer.outputs).append(self.port)
            layer.shapes[self.port] = ()
            layer.precisions[self.port] = attributes.get("precision", "")[:MAX_NAME]
        elif name == "attribute" and parent == "rt_info" and len(layer.fused) < MAX_FUSED:
            if attributes.get("name", "").startswith("fused_names"):
                layer.fused.append(attributes.get("value", ""))

    def end(self, name: str) -> None:
        self.elements.pop()
        graph, layer = self.open[-1]
        if name == "dim" and layer is not None and self.port is not None:
            if len(layer.shapes[self.port]) >= MAX_RANK:
                raise unreadable(self.path, f"a port has more than {MAX_RANK} dims")
            layer.shapes[self.port] += (_known(int("".join(self.text))),)
        elif name == "port":
            self.port = None
        elif name == "layer" and self.elements and self.elements[-1] == "layers":
            self.open[-1] = (graph, None)
        elif name == "net" or name == "body" or name.endswith("_body"):
            self.graphs.append(self.open.pop()[0])

    def characters(self, text: str) -> None:
        if self.elements[-1] == "dim" and len(self.text) < 8:
            self.text.append(text[:40])

    def doctype(self, *_: Any) -> None:
        raise unreadable(self.path, "it has a document type, which could make it grow without bound")


def parsed(path: str, data: bytes | None = None) -> Network:
    """The graphs of a file, or of its content (im_c1)."""
    builder, parser = Builder(path), expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = builder.start, builder.end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = builder.characters, builder.doctype
    parser.buffer_text = True
    try:
        if data is not None:
            parser.Parse(data, True)
        else:
            with open(path, "rb") as file:
                while chunk := file.read(CHUNK_BYTES):
                    parser.Parse(chunk, False)
                parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise unreadable(path, f"line {error.lineno}: {expat.ErrorString(error.code)}") from None
    except KeyError as error:
        raise unreadable(path, f"line {parser.CurrentLineNumber}: an attribute {error} is missing") from None
    except LookupError as error:
        raise unreadable(path, str(error)) from None
    except SliceValueError:
        raise
    except ValueError:
        raise unreadable(path, f"line {parser.CurrentLineNumber}: a dim is no integer") from None
    except OSError as error:
        raise unreadable(path, error.strerror or "cannot be read") from None
    return Network(f"IR {builder.version}" + f", {builder.producer}" * bool(builder.producer), builder.graphs)


def dims_of(text: str) -> tuple[Dim, ...] | None:
    """The shape of a Parameter: "?,2..8,5", "..." for an unknown rank; None, too, if it cannot be read."""
    parts = [part.strip() for part in text.split(",") if text.strip()]
    if parts == ["..."] or len(parts) > MAX_RANK:
        return None
    try:
        return tuple([_dim(part) for part in parts])
    except ValueError:
        return None


def _dim(text: str) -> Dim:
    if text == "?":
        return None
    least, dots, most = text.partition("..")
    if not dots:
        return _known(int(text))
    low, high = _known(int(least or 0)), _known(int(most)) if most else None
    return None if low is None or (high is not None and high < low) else (low, high)


def _known(length: int) -> int | None:
    """The length of an axis; None for what no axis has, such as -1."""
    return length if 0 <= length <= INT64_MAX else None


class Weights:
    """The .bin file beside the .xml, of which only the integers of small constants are read."""

    def __init__(self, path: str | None) -> None:
        self.path = path

    def constant(self, layer: Layer) -> Value:
        """The integers of a Const layer; unknown if it has no integers, or too many."""
        try:
            shape = dims_of(layer.data.get("shape", "")) or ()
            offset, size = int(layer.data["offset"]), int(layer.data["size"])
        except (KeyError, ValueError):
            return Unknown(("Const without a place",))
        kind = ELEMENTS.get(layer.data.get("element_type", ""))
        lengths = [dim for dim in shape if isinstance(dim, int) and dim >= 0]
        if kind is None or len(lengths) != len(shape) or not is_small(lengths):
            return Unknown(("Const",))
        if size != prod(lengths) * np.dtype(kind).itemsize:
            return Unknown(("Const whose size is not that of its shape",))
        content = self._content(offset, size)
        if content is None:
            return Unknown(("Const outside the .bin file",))
        return constant_of(np.frombuffer(content, kind).reshape(lengths))

    def _content(self, offset: int, size: int) -> bytes | None:
        if self.path is None or offset < 0 or not os.path.isfile(self.path):
            return None
        try:
            with open(self.path, "rb") as file:
                if offset + size > os.fstat(file.fileno()).st_size:
                    return None
                file.seek(offset)
                content = file.read(size)
        except OSError:
            return None
        return content if len(content) == size else None
