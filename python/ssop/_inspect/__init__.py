"""Models inspected: the slices of a file, what they do in each engine, and what two files do differently."""
