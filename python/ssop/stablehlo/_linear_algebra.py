"""Fft, Cholesky and TriangularSolve of StableHLO, by `numpy.fft` and `numpy.linalg`."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def _wide(x: Array) -> Array:
    """The numbers of which NumPy's functions take no fewer bits."""
    return x.astype(np.float32) if x.dtype.kind not in "fc" or x.dtype.itemsize < 4 else x


def fft(x: Array, *, kind: str, lengths: list[int]) -> Array:
    """Over the last axes, of which a real-to-complex transform halves the last one."""
    axes = range(x.ndim - len(lengths), x.ndim)
    transforms: dict[str, Any] = {
        "FFT": np.fft.fftn,
        "IFFT": np.fft.ifftn,
        "RFFT": np.fft.rfftn,
        "IRFFT": np.fft.irfftn,
    }
    return np.ascontiguousarray(transforms[kind](x, lengths, axes))


def cholesky(x: Array, *, lower: bool) -> Array:
    """The Cholesky factor of each matrix, of which only one triangle is read; NaN if it has no such factor."""
    wide = _wide(x)
    triangle = np.tril(wide) if lower else np.triu(wide).conj().swapaxes(-1, -2)
    factors = np.empty_like(triangle)
    for place in np.ndindex(x.shape[:-2]):
        try:
            factors[place] = np.linalg.cholesky(triangle[place])
        except np.linalg.LinAlgError:
            factors[place] = np.tril(np.full(x.shape[-2:], np.nan, wide.dtype))
    return (factors if lower else factors.conj().swapaxes(-1, -2)).astype(x.dtype, order="C")


def triangular_solve(
    a: Array, b: Array, *, left_side: bool, lower: bool, unit_diagonal: bool, transpose_a: str
) -> Array:
    """The x of op(a) x = b or x op(a) = b, for a triangular a of which only one triangle is read."""
    dtype, a, b = b.dtype, _wide(a), _wide(b)
    triangle = np.tril(a) if lower else np.triu(a)
    if unit_diagonal:
        size = a.shape[-1]
        triangle = np.where(np.eye(size, dtype=bool), np.ones((), a.dtype), triangle)
    is_lower = lower == (transpose_a == "NO_TRANSPOSE")
    if transpose_a != "NO_TRANSPOSE":
        triangle = triangle.swapaxes(-1, -2)
    if transpose_a == "ADJOINT":
        triangle = triangle.conj()
    if left_side:
        solved = _substituted(triangle, b, is_lower)
    else:
        solved = _substituted(triangle.swapaxes(-1, -2), b.swapaxes(-1, -2), not is_lower).swapaxes(-1, -2)
    return solved.astype(dtype, order="C")


def _substituted(a: Array, b: Array, is_lower: bool) -> Array:
    """Row by row, forwards or backwards; where the diagonal is 0, infinities and NaN."""
    solved = np.zeros_like(b)
    size = a.shape[-1]
    with np.errstate(all="ignore"):
        for row in range(size) if is_lower else reversed(range(size)):
            known = a[..., row, None, :] @ solved  # 0 where not solved yet
            solved[..., row, :] = (b[..., row, :] - known[..., 0, :]) / a[..., row, row, None]
    return solved
