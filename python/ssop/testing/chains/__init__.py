"""Chains: programs of a few operations that move data, as engines compile them, and as ssop evaluates them."""

from ssop.testing.chains.program import At, Chain, Step

__all__ = ["At", "Chain", "Step"]
