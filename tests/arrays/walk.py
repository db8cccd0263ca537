"""Every function with arrays of one library, of every kind: the result of NumPy's arrays, or an error at the call.

A kind changes the arrays of a call: `KINDS` makes them masked, strings, empty, of rank 0. The call's other arguments
stay, so that many calls are errors; then the library's must be an error of the same rule.
"""

import numpy as np

import ssop
from arrays.cells import CALLS, as_list
from arrays.gradient_cells import GRADIENTS, SCALARS, WINDOWS

EVERY = CALLS | WINDOWS | {f"vjp.{name}": call for name, call in GRADIENTS.items()}
EVERY |= {f"{name}, rank 0": call for name, call in SCALARS.items()}


def is_numeric(x):
    return x.dtype == float


def masked(x):
    return np.ma.array(x, mask=x % 3 == 1) if is_numeric(x) else x


def of_dtype(dtype):
    def changed(x):
        return np.asarray(x % 10).astype("U6").astype(dtype) if is_numeric(x) else x

    return changed


KINDS = {
    "numbers": lambda x: x,
    "masked": masked,
    "str": of_dtype("U6"),
    "bytes": of_dtype("S6"),
    "dates": lambda x: x.astype("M8[s]") if is_numeric(x) else x,
    "no rows": lambda x: x[:0] if x.ndim else x,
    "no columns": lambda x: x[..., :0] if x.ndim else x,
    "rank 0": lambda x: np.array(x.reshape(-1)[7 % x.size]),
}
if hasattr(np.dtypes, "StringDType"):
    KINDS["StringDType"] = of_dtype(np.dtypes.StringDType())


def outcome(call):
    """Return the results as a list of arrays; the label of the rule that the call breaks."""
    try:
        return as_list(call())
    except ssop.SliceError as error:
        return error.label


def check(name, kind, make, plain):
    """Compare a call of arrays of a library with NumPy's; return whether it raised in_c7.

    Computing, in `plain`, is outside of what may raise a SliceError: errors come at the call.
    """
    change = KINDS[kind]
    wanted = outcome(lambda: EVERY[name](lambda x: np.array(change(np.asarray(x)), subok=True)))
    found = outcome(lambda: EVERY[name](lambda x: make(change(np.asarray(x)))))
    if found == "in_c7":
        return True
    if isinstance(wanted, str) or isinstance(found, str):
        assert found == wanted, (name, kind, found, wanted)
        return False
    for x, expected in zip(found, wanted, strict=True):
        assert tuple(x.shape) == expected.shape, (name, kind)
        assert_same(plain(x), expected, (name, kind))
    return False


def assert_same(x, wanted, where):
    assert x.shape == wanted.shape, where
    assert np.ma.getmaskarray(x).tolist() == np.ma.getmaskarray(wanted).tolist(), where
    assert np.ma.filled(x, _zero(wanted)).tolist() == np.ma.filled(wanted, _zero(wanted)).tolist(), where
    assert x.dtype == wanted.dtype, where


def _zero(x):
    return np.zeros((), x.dtype)[()]
