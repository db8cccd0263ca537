"""The five masks of a strided slice, in the order of the arguments of TensorFlow's operation."""

MASKS = ("begin", "end", "ellipsis", "new_axis", "shrink_axis")
MASK_NAMES = tuple(f"{mask}_mask" for mask in MASKS)
"""As the arguments are called."""
