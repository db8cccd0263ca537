"""Certificates: what a conversion claims, as data that is checked without the code that found it (cv_s2)."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import metadata
from typing import Any

from ssop._convert.calls import Call, call_from_json, program_of
from ssop._convert.errors import OP
from ssop._convert.program import Axis, Program, inequality, lengths_of
from ssop._convert.proofs import equal_texts, texts
from ssop._convert.runtime_proofs import read_assumed
from ssop._convert.runtime_proofs import texts as run_time_texts
from ssop._convert.shape import Shape, read_shape
from ssop._convert.targets import TARGETS, as_engine
from ssop._convert.updates import is_update, parts_differ, same_kind
from ssop._convert.values import has_values
from ssop._core import SliceError
from ssop._errors import value_error
from ssop._version import __version__

FORMAT = 1


def certificate_of(source: tuple[Call, ...], target: tuple[Call, ...], to: str, shape: Shape) -> dict[str, Any]:
    """The certificate of a conversion."""
    return {
        "format": FORMAT,
        "versions": {"ssop": __version__, "islpy": _version("islpy")},
        "to": to,
        "source": [call._to_json() for call in source],
        "target": [call._to_json() for call in target],
        "dims": [[dim.least, dim.most] for dim in shape.lengths],
        "names": list(shape.names),
        "rank": "known" if shape.known_rank else "at least",
        **({"values": {name: list(pair) for name, pair in shape.assumed}} if shape.assumed else {}),
        "axes": _axes(source, target, to, shape),
    }


def _version(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def _axes(source: tuple[Call, ...], target: tuple[Call, ...], to: str, shape: Shape) -> list[dict[str, Any]]:
    """For each axis of the input what the two lists of calls do to it: as every engine of the target reads them."""
    rank = len(shape.lengths)
    update = is_update(source)
    one = program_of(source, rank, update)
    rules = TARGETS[to].abilities.rules
    engines = {rule: program_of(as_engine(target, rule), rank, update) for rule in rules}
    return [
        {
            "axis": axis.origin,
            "source": _texts(axis, shape),
            "target": {rule: _texts(_same(program, axis), shape) for rule, program in engines.items()},
        }
        for axis in sorted((axis for axis in (*one.kept, *one.dropped) if axis.origin is not None), key=_number)
    ]


def _number(axis: Axis) -> int:
    return axis.origin or 0


def _same(program: Program, axis: Axis) -> Axis:
    assert axis.origin is not None
    return program.of(axis.origin)


def _texts(axis: Axis, shape: Shape) -> list[Any]:
    lengths = lengths_of(axis, shape.lengths)
    if has_values(axis.chain):
        return list(run_time_texts(axis.chain, lengths, shape.assumed))
    return texts(axis.chain, lengths)


def verify(certificate: Any) -> None:
    """What `ssop.convert.verify` does: raise unless every claim of the certificate holds."""
    if not isinstance(certificate, Mapping) or certificate.get("format") != FORMAT:
        raise value_error(OP, "cv_c8", f"a certificate of format {FORMAT} is needed")
    try:
        source, target = (tuple(map(call_from_json, certificate[name])) for name in ("source", "target"))
        shape = read_shape([tuple(dim) for dim in certificate["dims"]])
        shape = shape._replace(assumed=read_assumed(certificate.get("values", {})))
        to, axes = certificate["to"], certificate["axes"]
        engines = TARGETS[to].abilities.rules
        rank = len(shape.lengths)
        same_kind(source, target)
        update = is_update(source)
        one = program_of(source, rank, update)
        for rule in engines:
            read = program_of(as_engine(target, rule), rank, update)
            beside = update and parts_differ(target[0], shape, rule)
            if beside or inequality(one, read, shape.lengths, shape.assumed) is not None:
                raise value_error(OP, "cv_c8", f"the calls are not equal by the rules of {rule}")
        claims = _axes(source, target, to, shape)
        for claim, stated in zip(claims, axes, strict=True):
            for rule in engines:
                ours = claim["source"], claim["target"][rule]
                theirs = stated["source"], stated["target"][rule]
                if not all(map(equal_texts, ours, theirs)):
                    raise value_error(OP, "cv_c8", f"axis {claim['axis']}: the relations are not those of the calls")
    except SliceError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, AssertionError, RuntimeError) as error:
        raise value_error(OP, "cv_c8", f"the certificate cannot be read: {type(error).__name__}: {error}") from None
