"""Models of StableHLO: texts, MLIR's bytecode and the portable artifacts of `jax.export`."""

# mypy: disable-error-code="import-not-found,import-untyped,unused-ignore"

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from ssop._inspect.child import read_in_child
from ssop._inspect.files import checked_file
from ssop._inspect.limits import Damaged, text
from ssop._inspect.listing import Slices
from ssop._inspect.mlir_dialects import FORMATS, with_attributes
from ssop._inspect.records import Model, unreadable
from ssop.stablehlo._parsing import jaxlib, module_of, told

BYTECODE = b"ML\xefR"
PORTABLE = b"StableHLO_v"


def read(source: Any) -> Model:
    """The slices of a program.

    Parameters
    ----------
    source : path, text, bytes or jaxlib.mlir.ir.Module
        A file or its content is parsed in a process of its own, since MLIR's parser ends it on some damaged files.
        A module has been parsed already. What jax.export.export returns and jax.jit(f).lower(..) are taken, too.

    Raises
    ------
    SliceValueError : for a file that cannot be parsed (im_c1)
    ImportError : without jaxlib
    """
    if find_spec("jaxlib") is None:
        raise ImportError("a model of StableHLO needs jaxlib, whose parser reads it: pip install jaxlib", name="jaxlib")
    if isinstance(source, (bytes, bytearray, memoryview)):
        return read_in_child("stablehlo_file", "<bytes>", bytes(source))
    if isinstance(source, str) and ("\n" in source or "func.func" in source):
        return read_in_child("stablehlo_file", "<text>", source.encode())
    if hasattr(source, "mlir_module_serialized"):
        return read_in_child("stablehlo_file", "<Exported>", bytes(source.mlir_module_serialized))
    if hasattr(source, "compiler_ir"):
        source = source.compiler_ir("stablehlo")
    if hasattr(source, "body") and hasattr(source, "operation"):
        return _found(source, "<Module>", "module")
    return read_in_child("stablehlo_file", checked_file(source))


def model_of(data: bytes, path: str) -> Model:
    """The slices of a file's content; runs in the child."""
    ir, dialect, register = jaxlib()
    context = ir.Context()
    register(context)
    version = "text"
    try:
        if data.startswith(BYTECODE):
            version = _producer(data)
            portable = PORTABLE in data[:64]
            module = (
                dialect.deserialize_portable_artifact(context, data) if portable else ir.Module.parse(data, context)
            )
        else:
            module = module_of(with_attributes(data.decode()), context)
    except UnicodeDecodeError:
        raise unreadable(path, "it is neither a text nor MLIR's bytecode") from None
    except (ir.MLIRError, ValueError) as error:
        raise unreadable(path, f"it cannot be parsed: {text(told(error))}") from None
    if not len(module.body.operations):
        raise unreadable(path, "it has no functions")
    return _found(module, path, version)


def _producer(data: bytes) -> str:
    """What a bytecode says about the one who wrote it: a text that ends with 0, behind the version."""
    name, end, _ = data[5:69].partition(b"\0")
    return f"bytecode of {text(name)}" if end else "bytecode"


def _found(module: Any, path: str, version: str) -> Model:
    from ssop._inspect.stablehlo_nodes import Walk

    walk, slices = Walk(module, path), Slices()
    try:
        for node in walk.nodes():
            slices.add(node)
    except Damaged as error:
        raise unreadable(path, str(error)) from None
    nodes = tuple(slices.nodes)
    formats = {FORMATS.get(node.calls[0].function.partition(".")[0], "stablehlo") for node in nodes} or {"stablehlo"}
    if len(formats) > 1:
        raise unreadable(path, f"it has slices of several dialects ({', '.join(sorted(formats))})")
    return Model(path, formats.pop(), version, nodes, walk.operators)
