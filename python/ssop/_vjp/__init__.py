"""The functions of `ssop.vjp`: gradients of slices and updates, and of XLA's other operations."""
