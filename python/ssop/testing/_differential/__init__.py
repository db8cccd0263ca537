"""Differential testing: the same random calls to two implementations, and what to make of their differences."""
