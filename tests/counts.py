"""The counts of a strided slice over partial knowledge, as the reference gives them."""

from ssop import _core

LARGEST = 2**63 - 1


def strided_slice_counts(shape, begin, end, strides, *masks):
    """The (least, greatest) count of every output axis, by the C functions that infer shapes."""
    intervals = _core.infer_strided_slice(shape, begin, end, strides, *masks, mode="tight").intervals
    return tuple((least, LARGEST if greatest is None else greatest) for least, greatest in intervals)
