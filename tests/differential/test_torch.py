"""PyTorch's indexing against ssop.tf.strided_slice; negative strides are not among the calls."""

from differential.engine_checks import check


def test_no_difference(compared):
    check(compared("torch"), {"accepted": 4000, "with elements": 3500, "rejected": 50})
