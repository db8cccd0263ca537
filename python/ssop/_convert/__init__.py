"""`ssop.convert`: slices of one framework as slices of another. What it needs is imported when it is called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ssop._convert.errors import ConversionError

if TYPE_CHECKING:
    from ssop._convert.calls import Call
    from ssop._convert.composition import Composition
    from ssop._convert.conversion import Conversion
    from ssop._convert.equality import Equality
    from ssop._convert.laws import Law, Laws

Target: TypeAlias = Literal["tf", "tflite", "openvino", "openvino.slice", "onnx", "xla", "torch", "numpy", "coreml"]


class _Convert:
    """Slices of one framework as calls of another that are equal on every shape (cv_s1).

    Parameters
    ----------
    calls : a NumPy index, a `StridedSliceSpec`, a `ssop.convert.Call`, a node of `ssop.inspect`, or a list of these,
        each on the result of the one before
    to : "tf", "tflite", "openvino", "openvino.slice", "onnx", "xla", "torch", "numpy" or "coreml"
        The framework whose calls are wanted; "openvino" is its StridedSlice-1, "openvino.slice" its Slice-8.
    shape : sequence of dims, optional
        An integer, None (any), a pair (at least, at most; None: no limit), a name (any), or a `ssop.shapes.Dim`.
        Without it, the calls are equal on every shape of the rank that they need, or a greater one. A node
        of `ssop.inspect` brings the shapes that its model allows.
    assume : dict from axes to dims, and from names of run-time values to numbers or pairs, optional
        What else is known, such as `ConversionError.precondition`. Bounds of values are integers, None or "dim - 4".
    dtype : optional
        That of the operand, which the calls must take: a dtype of NumPy or ml_dtypes, or its name.
    check : "runtime", optional
        Start indices may be clamped at run time; without it, a conversion that needs a clamp is an error (cv_s3).

    Returns
    -------
    ssop.convert.Conversion : the calls, as text and as functions, with a certificate

    Raises
    ------
    ConversionError : no calls are equal on every shape (cv_c7)
    SliceValueError : for an unknown target (cv_c1), an ellipsis or an axis from the end without a shape (cv_c4), and
        calls that are an error on every shape (cv_c5), and a dtype or a dim that tensors of the target cannot have
        (cv_c9)
    SliceError : what is wrong with a call on its own
    ImportError : a dim is not known, and islpy is not installed

    Notes
    -----
    Equality is decided per axis: by the regions of both for a known dim, else by their Presburger relations, which
    islpy compares for all dims at once. Nothing is sampled. Source: the rules of each framework in SPEC.md.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> print(ssop.convert(np.s_[:-2:2], to="tf"))
    y = tf.strided_slice(x, begin=[0], end=[-2], strides=[2], begin_mask=1)
    >>> print(ssop.convert(np.s_[::-2], to="torch", shape=[(1, None)]))
    y = torch.flip(x, dims=[0])
    y = y[::2]
    """

    __module__ = "ssop"

    def __call__(
        self,
        calls: Any,
        to: Target,
        shape: Any = None,
        *,
        assume: Mapping[Any, Any] | None = None,
        dtype: Any = None,
        check: Literal["runtime"] | None = None,
    ) -> Conversion:
        from ssop._convert.conversion import convert_calls

        return convert_calls(calls, to, shape, assume, dtype, check)

    def equal(self, one: Any, two: Any, shape: Any = None, *, assume: Mapping[Any, Any] | None = None) -> Equality:
        """Whether two lists of calls are equal on every shape, or where they differ (cv_s1).

        Parameters
        ----------
        one, two : as `calls` of `ssop.convert`
        shape, assume : as for `ssop.convert`

        Returns
        -------
        ssop.convert.Equality : true or false as a condition, with the smallest dim on which they differ

        Raises
        ------
        SliceError : as `ssop.convert`, for calls that are an error on every shape among others

        Source: ours.

        Examples
        --------
        >>> import numpy as np, ssop
        >>> far = dict(starts=[-9], ends=[-9], steps=[-1])
        >>> Call, equal = ssop.convert.Call, ssop.convert.equal
        >>> print(equal(np.s_[-9:-9:-1], Call("onnx.slice", **far)))
        different if dim 0 is 1; equal if the dim is 0 or the dim is at least 9
        """
        from ssop._convert.equality import equality

        return equality(one, two, shape, assume)

    def is_identity(self, calls: Any, shape: Any = None, *, assume: Mapping[Any, Any] | None = None) -> Equality:
        """Whether calls give their operand as it is, on every shape.

        Parameters
        ----------
        calls, shape, assume : as for `ssop.convert`

        Returns
        -------
        ssop.convert.Equality

        Raises
        ------
        SliceError : as `ssop.convert`

        Source: ours.

        Examples
        --------
        >>> import numpy as np, ssop
        >>> print(ssop.convert.is_identity(np.s_[0:5]))
        different if dim 0 is 6; equal if the dim is at most 5
        """
        from ssop._convert.equality import identity

        return identity(calls, shape, assume)

    def compose(self, calls: Any, shape: Any = None, *, assume: Mapping[Any, Any] | None = None) -> Composition:
        """A chain of calls as one copy: a region, a permutation of axes, and padding of one value (cv_s6).

        Parameters
        ----------
        calls, shape, assume : as for `ssop.convert`; calls may also exchange axes and pad
            Without a shape, or with unknown dims, each array that the result is called on is folded for its own shape.

        Returns
        -------
        ssop.convert.Composition : a function of an array, with what it does as attributes

        Raises
        ------
        ConversionError : the result shows padding of two values (cv_c12)
        SliceValueError : the calls are an error on the shape (cv_c5)
        SliceError : what is wrong with a call on its own

        Slices of padding are folded, too, also where they are strided: what is left of padding is periodic. Source:
        ours.

        Examples
        --------
        >>> import numpy as np, ssop
        >>> Call = ssop.convert.Call
        >>> one = ssop.convert.compose([Call("numpy.pad", pad_width=2), np.s_[1:-3]], shape=[5])
        >>> print(one)
        one copy from shape (5,) to (5,): x[0:4], padded with 0: axis 0 by 1 before
        >>> one(np.arange(1, 6))
        array([0, 1, 2, 3, 4])
        """
        from ssop._convert.composition import compose

        return compose(calls, shape, assume)

    def verify(self, certificate: Any) -> None:
        """Check a certificate of a conversion: nothing happens if all that it claims holds.

        The calls are read again, and their relations are compared with each other and with those of the certificate.
        The code that looks for conversions is not used.

        Parameters
        ----------
        certificate : what `Conversion.certificate` gave, also after JSON

        Raises
        ------
        SliceValueError : a claim does not hold, or it is no certificate (cv_c8)

        Source: ours.

        Examples
        --------
        >>> import json, numpy as np, ssop
        >>> certificate = json.dumps(ssop.convert(np.s_[2:], to="onnx").certificate)
        >>> ssop.convert.verify(json.loads(certificate))
        """
        from ssop._convert.certificate import verify

        verify(certificate)

    @property
    def laws(self) -> Laws:
        """Laws of operations that move data, by name: when two terms are equal, with proofs (cv_s7).

        Among them are laws that products apply and that are false, with numbers that show it.

        Examples
        --------
        >>> import ssop
        >>> print(ssop.convert.laws["dynamic-slice-is-slice-without-clamp"])
        dynamic-slice-is-slice-without-clamp: conditional
          dynamic_slice(x, a, s)
          = slice(x, a, a + s)
          operands: x (N)
          equal if 0 <= a <= N - s
          source: TensorRight dyslice 1, which asserts that starts are inside
        """
        from ssop._convert.laws import LAWS

        return LAWS

    if TYPE_CHECKING:
        Call = Call
        Composition = Composition
        Conversion = Conversion
        Equality = Equality
        Law = Law
        Laws = Laws
    else:

        @property
        def Call(self):
            from ssop._convert.calls import Call

            return Call

        @property
        def Composition(self):
            from ssop._convert.composition import Composition

            return Composition

        @property
        def Conversion(self):
            from ssop._convert.conversion import Conversion

            return Conversion

        @property
        def Equality(self):
            from ssop._convert.equality import Equality

            return Equality

        @property
        def Law(self):
            from ssop._convert.laws import Law

            return Law

        @property
        def Laws(self):
            from ssop._convert.laws import Laws

            return Laws


convert = _Convert()

__all__ = ["ConversionError", "convert"]
