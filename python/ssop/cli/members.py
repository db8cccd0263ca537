"""The choice of one array among those of a file or a store."""

from __future__ import annotations

from collections.abc import Sequence


def chosen(names: Sequence[str], path: str, kind: str, member: str | None) -> str:
    """Return `member`, or the only one of these names; ValueError without such an array, or without a choice.

    `kind` is what the messages call the thing at `path`: ".npz file", "zarr group".
    """
    listed = ", ".join(names[:10]) + (", .." if len(names) > 10 else "")
    if not names:
        raise ValueError(f"{path}: this {kind} has no arrays")
    if member is None and len(names) > 1:
        raise ValueError(f"{path}: this {kind} has {len(names)} arrays; choose one with --member: {listed}")
    if member is not None and member not in names:
        raise ValueError(f"{path}: no array {member!r} in this {kind}, which has: {listed}")
    return names[0] if member is None else member
