"""PyTorch: indexing by slices, with `flip` for negative steps, which it refuses."""

# mypy: disable-error-code="import-not-found,import-untyped,no-untyped-call,unused-ignore"

from __future__ import annotations

from typing import Any

import numpy as np

from ssop.testing.calls import Array, Call, Refusal
from ssop.testing.calls.specs import valid_strided_slice
from ssop.testing.oracles.interface import Oracle
from ssop.testing.oracles.numpy_indexing import index_of


class Torch(Oracle):
    """`x[index]` of TensorFlow's specs, where every stride is positive; other strides are refused by PyTorch."""

    name = "torch"
    modules = ("torch",)
    distributions = ("torch",)
    ops = {"tf.strided_slice": (1, valid_strided_slice)}
    limits = "no negative strides; no uint16"

    def load(self) -> None:
        import torch

        self.torch: Any = torch

    def run(self, call: Call) -> Array:
        (x,) = call.arrays
        try:
            tensor = self.torch.from_numpy(np.array(x, order="C"))
            return np.asarray(tensor[index_of(call.args)].contiguous().numpy())
        except (ValueError, IndexError, TypeError, RuntimeError) as error:
            raise Refusal(type(error).__name__, str(error)) from None
