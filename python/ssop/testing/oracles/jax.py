"""JAX: lax.slice, dynamic_slice and dynamic_update_slice, eager and compiled, and XLA's operations that move data."""

# mypy: disable-error-code="import-not-found,import-untyped,no-untyped-call,unused-ignore"

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from ssop.testing.calls import Answer, Array, Call, Rejection
from ssop.testing.calls.call import array_text, value_text
from ssop.testing.calls.movers import DRAWN, drawer
from ssop.testing.calls.windows import xla_dynamic_slice, xla_dynamic_update_slice, xla_slice
from ssop.testing.oracles.interface import Oracle


class JAX(Oracle):
    """The three slices: eager, with starts on the device, compiled, and compiled with constant starts."""

    name = "jax"
    modules = ("jax",)
    distributions = ("jax", "jaxlib")
    ops = {
        "xla.slice": (3, xla_slice),
        "xla.dynamic_slice": (3.5, xla_dynamic_slice),
        "xla.dynamic_update_slice": (3.5, xla_dynamic_update_slice),
    }
    limits = "what aborts the process or writes outside the result is not sent"

    def load(self) -> None:
        import jax
        from jax import lax
        from jax.errors import JaxRuntimeError
        from jaxlib.mlir.ir import MLIRError

        jax.config.update("jax_enable_x64", True)
        self.jax: Any = jax
        self.lax: Any = lax
        self.rejections = (
            TypeError, ValueError, IndexError, OverflowError, ZeroDivisionError, AssertionError, MLIRError,
            JaxRuntimeError,
        )  # fmt: skip
        self.compiled: Callable[..., Any] = cache(self._compiled)

    def _compiled(self, name: str, sizes: Any, negative: Any) -> Any:
        """One jitted function per static part; the starts are its arguments."""
        lax, jit = self.lax, self.jax.jit
        if name == "dynamic_slice":
            return jit(lambda x, starts: lax.dynamic_slice(x, starts, sizes, allow_negative_indices=negative))
        return jit(lambda x, u, starts: lax.dynamic_update_slice(x, u, starts, allow_negative_indices=negative))

    def run(self, call: Call) -> Array:
        try:
            return np.asarray(self.sliced(call) if call.name == "slice" else self.dynamic(call))
        except self.rejections as error:
            raise Rejection(type(error).__name__, str(error)) from None

    def sliced(self, call: Call) -> Any:
        """lax.slice."""
        args = call.args

        def run(x: Any) -> Any:
            return self.lax.slice(x, args["start_indices"], args["limit_indices"], args["strides"])

        return (self.jax.jit(run) if call.how == "jit" else run)(self.jax.numpy.asarray(call.arrays[0]))

    def dynamic(self, call: Call) -> Any:
        """lax.dynamic_slice or lax.dynamic_update_slice."""
        arrays = [self.jax.numpy.asarray(a) for a in call.arrays]
        starts, negative = call.args["start_indices"], call.args["allow_negative_indices"]
        sizes = call.args.get("slice_sizes", ())
        more = (sizes,) if call.name == "dynamic_slice" else ()

        def run(*arrays: Any) -> Any:
            return getattr(self.lax, call.name)(*arrays, starts, *more, allow_negative_indices=negative)

        if call.how == "jit constant":
            return self.jax.jit(run)(*arrays)
        if call.how == "jit":
            static = negative if isinstance(negative, bool) else tuple(negative)
            return self.compiled(call.name, sizes, static)(*arrays, starts)
        if call.how == "on device":
            starts = self.jax.numpy.asarray(starts)
        return run(*arrays)

    def code(self, call: Call) -> str:
        words = [f"jnp.asarray({array_text(array)})" for array in call.arrays]
        if call.name == "slice":
            words += [value_text(call.args[name]) for name in ("start_indices", "limit_indices", "strides")]
        else:
            starts = value_text(call.args["start_indices"])
            words.append(f"jnp.asarray({starts})" if call.how == "on device" else starts)
            if call.name == "dynamic_slice":
                words.append(value_text(call.args["slice_sizes"]))
            words.append(f"allow_negative_indices={call.args['allow_negative_indices']}")
        text = f"lax.{call.name}({', '.join(words)})"
        if call.how == "jit constant" or (call.how == "jit" and call.name == "slice"):
            text = f"jax.jit(lambda: {text})()"
        elif call.how == "jit":  # starts that are arguments are numbers of their dtype to JAX, and no constants
            text = f"jax.jit(lambda starts: {text.replace(starts, 'starts', 1)})({starts})"
        return f"{HEAD}print({self.bits(call, text)})"

    def bits(self, call: Call, text: str) -> str:
        """Code for the bits of small floats, whose NaNs all look the same."""
        small = call.arrays and call.arrays[0].dtype.kind in "fV" and call.arrays[0].dtype.itemsize < 4
        return f"np.asarray({text}).view('uint{8 * call.arrays[0].dtype.itemsize}')" if small else text


HEAD = "import jax, numpy as np\nfrom jax import lax, numpy as jnp\njax.config.update('jax_enable_x64', True)\n"

XLA_PHRASES = {
    r"The rank of the operand and the padding configuration do not match": ("pad_c2",),
    r"Pad operation does not support non-scalar padding values\.": ("pad_c1",),
    r"The element types of the operands to Pad do not match\.": ("pad_c3",),
    r"Padding result in negative size for dimension \d+": ("pad_c6",),
    r"Padding computation overflows": ("pad_c5",),
    r"a dimension number is duplicated in reverse": ("rev_c1",),
    r"One of the reverse dimensions \(-?\d+\) is out-of-bounds": ("rev_c2",),
    r"not a permutation of the operand dimensions": ("tr_c1", "tr_c2", "tr_c3"),
    r"Concatenate expects at least one argument\.": ("cat_c1",),
    r"Concatenate dimension out of bounds: -?\d+\.": ("cat_c2",),
    r"Cannot concatenate arrays with different ranks: \d+": ("cat_c3",),
    r"Cannot concatenate arrays with different element types": ("cat_c4",),
    r"Cannot concatenate arrays that differ in dimensions other than the one being concatenated": ("cat_c5",),
    r"Operands to select must be the same shape": ("sel_c1", "sel_c2"),
    r"Select's pred operand must have PRED element type": ("sel_c3",),
    r"Operands to select and predicate must be the same shape": ("sel_c4",),
    r"Clamp with incompatible element types": ("cl_c1",),
    r"Clamp with incompatible shapes": ("cl_c2",),
}
HLO_TYPES = {
    "float32": "f32", "float16": "f16", "int8": "s8", "int64": "s64", "uint16": "u16", "bool": "pred",
    "complex128": "c128", "bfloat16": "bf16", "float8_e5m2": "f8e5m2",
}  # fmt: skip
INDICES = {
    "dynamic_slice_in_dim": ("start_index",),
    "dynamic_index_in_dim": ("index",),
    "dynamic_update_slice_in_dim": ("start_index",),
    "dynamic_update_index_in_dim": ("index",),
}
LARGEST = 5000
"""Elements of a result. XLA needs memory for the axes beside an empty one even if there is nothing to compute."""


def braces(numbers: Sequence[int]) -> str:
    """A list as HLO text writes it."""
    return "{" + ",".join(map(str, numbers)) + "}"


HLO: dict[str, Callable[[dict[str, Any]], str]] = {
    "pad": lambda args: ", padding=" + "x".join("_".join(map(str, entry)) for entry in args["padding_config"]),
    "rev": lambda args: f", dimensions={braces(args['dimensions'])}",
    "concatenate": lambda args: f", dimensions={braces([args['dimension']])}",
    "transpose": lambda args: f", dimensions={braces(args['permutation'])}",
    "select": lambda args: "",
    "clamp": lambda args: "",
}


def hlo_text(call: Call) -> str | None:
    """None for what has no text, or none with a shape left to be inferred."""
    if call.name not in HLO:
        return None
    if call.name == "pad":
        config = call.args["padding_config"]
        if not config or min(interior for _, _, interior in config) < 0:
            return None
    names = [f"p{i}" for i in range(len(call.arrays))]
    lines = [
        f"{name} = {HLO_TYPES[array.dtype.name]}[{','.join(map(str, array.shape))}] parameter({i})"
        for i, (name, array) in enumerate(zip(names, call.arrays, strict=True))
    ]
    opcode = {"rev": "reverse"}.get(call.name, call.name)
    lines.append(f"ROOT r = {opcode}({', '.join(names)}){HLO[call.name](call.args)}")
    return "HloModule m\nENTRY e {\n" + "\n".join(lines) + "\n}"


class JAXOps(JAX):
    """XLA's operations that move data, and JAX's one-axis forms.

    Where the parser of HLO text infers the shape, XLA itself gives shape and rejection, whose kind is then "XLA". All
    else, and all results, come from jax.lax: many calls are compiled at once, for compiling takes the time.
    """

    name = "jax-ops"
    ops = {f"xla.{name}": (1, drawer(name)) for name in DRAWN}
    phrases = XLA_PHRASES
    batch = 40
    seconds = 120.0
    limits = f"results above {LARGEST} elements are not computed"

    def load(self) -> None:
        super().load()
        self.hlo: Any = import_module("jaxlib._hlo")

    def infer(self, text: str) -> tuple[int, ...]:
        """The shape of the result, by XLA's own shape inference."""
        module = self.hlo.hlo_module_from_text(text)
        computation = self.hlo.XlaComputation(module.as_serialized_hlo_module_proto())
        return tuple(computation.program_shape().result_shape().dimensions())

    def function(self, call: Call) -> Callable[..., Any]:
        """What jax.lax has for it."""
        if call.name == "concatenate":
            return lambda *operands, dimension: self.lax.concatenate(operands, dimension)
        if call.name == "collapse":
            return lambda x, dimensions: self.lax.collapse(x, dimensions[0], dimensions[-1] + 1)
        found: Callable[..., Any] = getattr(self.lax, call.name)
        return found

    def arguments(self, call: Call) -> dict[str, Any]:
        """Without what says how ssop reads negative indices: JAX's default."""
        return {name: value for name, value in call.args.items() if name != "allow_negative_indices"}

    def traced(self, call: Call) -> list[Any]:
        """The arguments that the compiled function takes: arrays, and starts that are known at run time only."""
        return [*call.arrays, *(np.int64(call.args[name]) for name in INDICES.get(call.name, ()))]

    def run_traced(self, call: Call, *arguments: Any) -> Any:
        """The call with these arguments in place of its own."""
        names = INDICES.get(call.name, ())
        arrays = arguments[: len(call.arrays)]
        indices = dict(zip(names, arguments[len(call.arrays) :], strict=True))
        return self.function(call)(*arrays, **self.arguments(call) | indices)

    def shape(self, call: Call) -> tuple[int, ...]:
        """Of the result; a Rejection of the kind "XLA" if XLA itself rejects."""
        text = hlo_text(call)
        try:
            inferred = None if text is None else self.infer(text)
        except RuntimeError as error:
            raise Rejection("XLA", str(error)) from None
        try:
            shape = self.jax.eval_shape(lambda *arguments: self.run_traced(call, *arguments), *self.traced(call)).shape
        except self.rejections as error:
            raise Rejection(type(error).__name__, str(error)) from None
        assert inferred in (None, shape), f"XLA: {inferred}, JAX: {shape}"
        return tuple(shape)

    def run_many(self, calls: Sequence[Call]) -> list[Array]:
        """The results of calls whose shapes JAX accepts, compiled as one program."""

        def program(*groups: Any) -> list[Any]:
            return [self.run_traced(call, *group) for call, group in zip(calls, groups, strict=True)]

        return list(map(np.asarray, self.jax.jit(program)(*map(self.traced, calls))))

    def answers(self, calls: Sequence[Call]) -> Iterator[Answer]:
        """Rejections at once, results in batches; if the compiler rejects one of a batch, each runs by itself."""
        answers: list[Answer | None] = []
        for call in calls:
            try:
                shape = self.shape(call)
            except Rejection as rejection:
                answers.append(Answer(error=rejection))
                continue
            large = math.prod(max(dim, 1) for dim in shape) > LARGEST
            answers.append(Answer(error=Rejection("not run", str(shape))) if large else None)
        waiting = [call for call, answer in zip(calls, answers, strict=True) if answer is None]
        try:
            results = iter(list(map(Answer, self.run_many(waiting)))) if waiting else iter(())
        except self.rejections:
            results = map(self.alone, waiting)
        for answer in answers:
            yield next(results) if answer is None else answer

    def alone(self, call: Call) -> Answer:
        """The answer to one call whose shape JAX accepts."""
        try:
            return Answer(self.run_many([call])[0])
        except self.rejections as error:
            return Answer(error=Rejection(type(error).__name__, str(error)))

    def counted(self, call: Call, ours: Answer) -> Iterator[str]:
        yield from ()

    def code(self, call: Call) -> str:
        arrays = ", ".join(map(array_text, call.arrays))
        args = [f"{name}={value_text(value)}" for name, value in self.arguments(call).items()]
        operands = "x" if call.name == "concatenate" else "*x"
        if call.name == "collapse":
            first, last = call.args["dimensions"][0], call.args["dimensions"][-1] + 1
            args = [f"start_dimension={first}", f"stop_dimension={last}"]
        text = f"jax.jit(lambda *x: lax.{call.name}({', '.join([operands, *args])}))({arrays})"
        return f"{HEAD}print({self.bits(call, text)})"
