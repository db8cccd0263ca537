"""XLA's operations that compute: checks in XLA's order and words, evaluation by NumPy."""
