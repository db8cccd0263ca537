"""XLA's Infeed, Outfeed, Send and Recv, as queues within the process."""

from __future__ import annotations

from collections import defaultdict, deque
from threading import Lock
from typing import Any

from ssop import _core
from ssop._errors import type_error, value_error
from ssop._xla.computation import Value, as_value, new_value, read_type, text, type_of
from ssop._xla.operands import public

_lock = Lock()
_infeed: deque[Value] = deque()
_outfeed: deque[Value] = deque()
_channels: defaultdict[int, deque[Value]] = defaultdict(deque)


@public
def infeed(shape: Any) -> Value:
    """XLA's Infeed: the value that was transferred to the infeed first.

    Parameters
    ----------
    shape : the value's shape and dtype: a pair of them, anything that has both, or a tuple of these
        No data is read for an empty tuple.

    Returns
    -------
    numpy.ndarray : new, C-ordered; or a tuple of such arrays (qu_s1).

    Raises
    ------
    SliceError : `label` names the rule (qu_*, cm_c7) in SPEC.md. The value remains in the queue.

    Source: XLA's Operation Semantics; StableHLO `infeed`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.transfer_to_infeed(np.array([1, 2]))
    >>> ssop.xla.infeed(((2,), np.int64))
    array([1, 2])
    """
    return _take("xla.infeed", _infeed, shape, "the infeed", "transfer_to_infeed")


@public
def transfer_to_infeed(value: Any) -> None:
    """Put a value into the queue that `infeed` reads, as a host does.

    Parameters
    ----------
    value : array_like, or a tuple of arrays, which is copied

    Returns
    -------
    None

    Raises
    ------
    SliceError : `label` names the rule (qu_*, et_*, in_*) in SPEC.md.

    Source: XLA's LocalClient::TransferToInfeed.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.transfer_to_infeed((np.float32(1), np.arange(3)))
    >>> ssop.xla.infeed((((), np.float32), ((3,), np.int64)))
    (array(1., dtype=float32), array([0, 1, 2]))
    """
    _put("xla.transfer_to_infeed", _infeed, "value", value)


@public
def outfeed(operand: Any) -> None:
    """XLA's Outfeed: a value for the host, which `transfer_from_outfeed` reads.

    Parameters
    ----------
    operand : array_like, or a tuple of arrays, which is copied

    Returns
    -------
    None

    Raises
    ------
    SliceError : `label` names the rule (qu_*, et_*, in_*) in SPEC.md.

    Source: XLA's Operation Semantics; StableHLO `outfeed`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.outfeed(np.array([1, 2]))
    >>> ssop.xla.transfer_from_outfeed(((2,), np.int64))
    array([1, 2])
    """
    _put("xla.outfeed", _outfeed, "operand", operand)


@public
def transfer_from_outfeed(shape: Any) -> Value:
    """The value that `outfeed` was given first, as a host reads it.

    Parameters
    ----------
    shape : the value's shape and dtype: a pair of them, anything that has both, or a tuple of these

    Returns
    -------
    numpy.ndarray : new, C-ordered; or a tuple of such arrays (qu_s1).

    Raises
    ------
    SliceError : `label` names the rule (qu_*, cm_c7) in SPEC.md. The value remains in the queue.

    Source: XLA's LocalClient::TransferFromOutfeed.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.outfeed(np.float32(2))
    >>> ssop.xla.transfer_from_outfeed(((), np.float32))
    array(2., dtype=float32)
    """
    return _take("xla.transfer_from_outfeed", _outfeed, shape, "the outfeed", "outfeed")


@public
def send(operand: Any, channel: int) -> None:
    """XLA's Send: a value for a `recv` of the same channel.

    Parameters
    ----------
    operand : array_like, or a tuple of arrays, which is copied
    channel : int, the handle of the channel

    Returns
    -------
    None

    Raises
    ------
    SliceError : `label` names the rule (qu_*, et_*, in_*) in SPEC.md.

    Source: XLA's Operation Semantics; StableHLO `send`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.send(np.array([1, 2]), 7)
    >>> ssop.xla.recv(((2,), np.int64), 7)
    array([1, 2])
    """
    op = "xla.send"
    (handle,) = _core.read_integers(op, "channel", (channel,))
    _put(op, _channels[handle], "operand", operand)


@public
def recv(shape: Any, channel: int) -> Value:
    """XLA's Recv: the value that was sent to a channel first.

    Parameters
    ----------
    shape : the value's shape and dtype: a pair of them, anything that has both, or a tuple of these
    channel : int, the handle of the channel

    Returns
    -------
    numpy.ndarray : new, C-ordered; or a tuple of such arrays (qu_s1).

    Raises
    ------
    SliceError : `label` names the rule (qu_*, cm_c7, in_*) in SPEC.md. The value remains in the queue.

    Source: XLA's Operation Semantics; StableHLO `recv`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.send(np.float32(3), 8)
    >>> ssop.xla.recv(((), np.float32), 8)
    array(3., dtype=float32)
    """
    op = "xla.recv"
    (handle,) = _core.read_integers(op, "channel", (channel,))
    return _take(op, _channels.get(handle, deque()), shape, f"channel {handle}", "send")


def _put(op: str, queue: deque[Value], name: str, x: Any) -> None:
    value = as_value(op, name, x)
    check_depth(op, name, type_of(value))
    if not _is_empty(value):  # for which nothing is read, either
        queue.append(new_value(value))


def _take(op: str, queue: deque[Value], shape: Any, place: str, source: str) -> Value:
    wanted = read_type(op, "shape", shape)
    check_depth(op, "shape", wanted)
    if _is_empty(wanted):
        return ()
    with _lock:  # between the look at the first value and its removal
        if not queue:
            raise value_error(op, "qu_c1", f"{place} is empty: {source} has put no value there")
        if (given := type_of(queue[0])) != wanted:
            message = f"the first value in {place} is {text(given)}, not {text(wanted)}"
            raise type_error(op, "qu_c2", message, value=text(wanted))
        return queue.popleft()  # qu_s1


def check_depth(op: str, name: str, types: Any) -> None:
    """Raise for tuples in tuples."""
    if isinstance(types, tuple) and any([isinstance(item, tuple) for item in types]):
        message = f"{name} is {text(types)}, a tuple in a tuple: nested tuple shapes are not supported"
        raise type_error(op, "qu_c3", message, value=text(types))


def _is_empty(x: Any) -> bool:
    return isinstance(x, tuple) and not x
