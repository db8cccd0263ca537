"""PyTorch: indexing by slices, which may not have negative steps."""

# mypy: disable-error-code="import-not-found,import-untyped,no-untyped-call,unused-ignore"

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ssop.testing.calls import Array, Call, Rejection
from ssop.testing.calls.call import array_text
from ssop.testing.calls.specs import forward_strided_slice
from ssop.testing.oracles.interface import Oracle
from ssop.testing.oracles.numpy_indexing import index_of


class Torch(Oracle):
    """`x[index]` of TensorFlow's specs without negative strides, all of which PyTorch rejects."""

    name = "torch"
    modules = ("torch",)
    distributions = ("torch",)
    ops = {"tf.strided_slice": (1, forward_strided_slice)}
    limits = "no negative strides"

    def code(self, call: Call) -> str:
        try:
            index = ", ".join(str(part).replace("Ellipsis", "...") for part in index_of(call.args))
        except ValueError:  # a call that has no index
            return super().code(call)
        x = array_text(call.arrays[0])
        return f"import numpy as np, torch\nprint(torch.from_numpy({x})[{index or '()'}])"

    def load(self) -> None:
        import torch

        self.torch: Any = torch

    def run(self, call: Call) -> Array:
        (x,) = call.arrays
        if min(call.args["strides"], default=1) < 0:
            raise Rejection("not run", "negative strides")
        try:
            tensor = self.torch.from_numpy(np.array(x, order="C"))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of bounds that it cuts
                return np.asarray(tensor[index_of(call.args)].contiguous().numpy())
        except (ValueError, IndexError, TypeError, RuntimeError) as error:
            raise Rejection(type(error).__name__, str(error)) from None
