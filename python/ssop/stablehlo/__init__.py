"""StableHLO programs, evaluated by the operations of `ssop.xla`: an oracle that is fast enough for a test suite.

A program is a text, such as `jax.jit(f).lower(*arguments).as_text()`, or a module of jaxlib, whose MLIR parser reads
it: `pip install 'jaxlib>=0.8'`. Values are NumPy's arrays, and tuples of them.

Every operation runs as StableHLO's specification says, on one processor and one replica. Quantized types, communication
between replicas, and operations that the specification does not define are errors that name the operation and its line.

Differs from StableHLO's interpreter and from JAX in:

- window_partly_outside (sct_s2): of an update that lies partly outside the operand, the elements inside are stored, as
  the specification says; XLA skips the whole update.
- calls_itself (hlo_c4): functions that call themselves are errors.
"""

from ssop.stablehlo._running import TracedValue, run

__all__ = ["TracedValue", "run"]
