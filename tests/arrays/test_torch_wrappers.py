"""Tensors that are not what they look like: wrappers, other layouts, memory that is gone, and what torch records.

The engine must not read these: they are left to torch's own indexing, or are an error.
"""

import numpy as np
import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.autograd import forward_ad
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils._python_dispatch import TorchDispatchMode

import ssop
from arrays.cells import CALLS, as_list, expected
from ssop import tf, vjp, xla
from ssop._lazy import tensors

X = torch.arange(4.0)
WRAPPING = "dynamic_slice wrapping"  # several pieces, which only the engine joins
every_call = pytest.mark.parametrize("name", sorted(set(CALLS) - {WRAPPING}))


def backwards(x):
    return ssop.strided_slice(x, [-1], [0], [-1])


def assigned(x):
    return ssop.strided_slice_assign(x * 1, [0], [2], [1], 9.0)


def call(name, inputs):
    left = iter(inputs)
    return CALLS[name](lambda x: next(left))


def inputs_of(name):
    given = []
    CALLS[name](lambda x: given.append(torch.from_numpy(np.array(x))) or given[-1])
    return [x.clone() for x in given]


def functionalized(function, *inputs):
    return torch.func.functionalize(function)(*inputs)


def batched(function, *inputs):
    found = torch.func.vmap(function)(*(x[None] for x in inputs))
    return tuple(x[0] for x in found) if isinstance(found, tuple) else found[0]


def traced_by_fx(function, *inputs):
    other = [torch.full_like(x, True) if x.dtype == torch.bool else x * 2 for x in inputs]
    return make_fx(function, tracing_mode="real")(*other)(*inputs)


@pytest.mark.parametrize("run", [functionalized, traced_by_fx])
@every_call
def test_wrapped_tensors_have_the_results_of_plain_ones(name, run):
    found = as_list(run(lambda *inputs: call(name, inputs), *inputs_of(name)))
    assert all(np.array_equal(x, wanted) for x, wanted in zip(found, expected(name), strict=True))


@pytest.mark.parametrize("name", sorted(set(CALLS) - {WRAPPING, "xla.select"}))
def test_batched_tensors_have_the_results_of_plain_ones(name):
    found = as_list(batched(lambda *inputs: call(name, inputs), *inputs_of(name)))
    assert all(np.array_equal(x, wanted) for x, wanted in zip(found, expected(name), strict=True))


def test_functionalize_reads_no_bytes_of_the_heap():
    assert functionalized(backwards, X).tolist() == [3, 2, 1]
    assert functionalized(assigned, X).tolist() == [9, 9, 2, 3]  # wrote to an address of no memory
    assert functionalized(lambda x: xla.concatenate([x, X], 0), X).tolist() == [0, 1, 2, 3] * 2


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")  # most are experimental
def test_every_kind_of_tensor_is_told_apart():
    class Sub(torch.Tensor):
        pass

    seen = []
    for transform in (functionalized, batched, lambda f, x: torch.func.grad(lambda y: f(y).sum())(x)):
        transform(lambda x: seen.append(tensors.is_in_memory(x)) or x * 1, X)
    assert seen == [False, False, False]
    with FakeTensorMode():
        assert not tensors.is_in_memory(torch.ones(3))
    with forward_ad.dual_level():
        assert not tensors.is_in_memory(forward_ad.make_dual(X, X))
    square, complex_ = torch.eye(3), torch.ones(3, dtype=torch.complex64)
    others = {
        "sparse": square.to_sparse(),
        "csr": square.to_sparse_csr(),
        "quantized": torch.quantize_per_tensor(X, 0.1, 0, torch.quint8),
        "nested": torch.nested.nested_tensor([X, X[:2]]),
        "jagged": torch.nested.nested_tensor([X, X[:2]], layout=torch.jagged),
        "conjugate": complex_.conj(),
        "negative": complex_.conj().imag,
        "zero": torch._efficientzerotensor((3,)),
        "meta": X.to("meta"),
        "subclass": X.as_subclass(Sub),
        "functional": torch._to_functional_tensor(X),
        "buffer": torch.nn.Buffer(X).as_subclass(Sub),
    }
    if torch.backends.mkldnn.is_available():
        others["mkldnn"] = square.to_mkldnn()
    assert [name for name, x in others.items() if tensors.is_in_memory(x)] == []
    plain = [X, X[::2], square.T, X.expand(3, 4), torch.nn.Parameter(X), X.clone().requires_grad_() * 1, X[:0]]
    with torch.inference_mode():
        plain.append(X * 1)
    assert all(map(tensors.is_in_memory, plain))


@pytest.mark.parametrize("write", [False, True])
def test_freed_storages_are_errors(write):
    x = torch.arange(4.0)
    x.untyped_storage().resize_(0)
    with pytest.raises(ssop.SliceTypeError, match="storage is smaller") as info:
        ssop.copy(X, out=x) if write else ssop.copy(x)
    assert info.value.label == "in_c7"


@pytest.mark.parametrize("name", ["pred", "on_true", "on_false", "min", "operand", "max"])
def test_freed_storages_are_errors_for_torch_s_own_functions(name):
    """torch.where and torch.maximum read beyond them, and the process crashed."""
    freed = torch.ones(2**20, dtype=torch.bool if name == "pred" else torch.float32)
    freed.untyped_storage().resize_(0)
    one = torch.ones(2**20)
    with pytest.raises(ssop.SliceTypeError, match="storage is smaller") as info:
        if name in ("pred", "on_true", "on_false"):
            ssop.xla.select(**{"pred": one > 0, "on_true": one, "on_false": one} | {name: freed})
        else:
            ssop.xla.clamp(**{"min": one, "operand": one, "max": one} | {name: freed})
    assert info.value.label == "in_c7"


class Freeing:
    """An integer: 0. Being asked for it frees the storage of a tensor."""

    def __init__(self, x):
        self.x = x

    def __index__(self):
        self.x.untyped_storage().resize_(0)
        return 0


FREEING = {
    "operand": lambda x, zero: ssop.strided_slice(x, [zero], [3]),
    "operand without a NumPy dtype": lambda x, zero: ssop.strided_slice(x.view(torch.bfloat16), [zero], [3]),
    "operand with a gradient": lambda x, zero: ssop.slice(x.requires_grad_(), [zero], [3]),
    "operand with a tangent": lambda x, zero: ssop.slice(forward_ad.make_dual(x, Y), [zero], [3]),
    "operand of an index": lambda x, zero: ssop.index(x, np.s_[zero:3]),
    "operand of a window": lambda x, zero: ssop.dynamic_slice(x, [zero], [3]),
    "operand of a shape": lambda x, zero: xla.transpose(x, [zero]),
    "operand of NumPy's pad": lambda x, zero: ssop.pad(x, [(zero, 1)]),
    "operands": lambda x, zero: xla.concatenate([Y, x], zero),
    "updated": lambda x, zero: ssop.dynamic_update_slice(x, Y[:2], [zero]),
    "update": lambda x, zero: ssop.dynamic_update_slice(Y, x, [zero]),
    "value": lambda x, zero: ssop.strided_slice_assign(Y.clone(), [zero], [4], [1], x),
    "destination": lambda x, zero: ssop.strided_slice_assign(x, [zero], [4], [1], Y),
    "out": lambda x, zero: ssop.strided_slice(Y, [zero], [4], out=x),
    "out of an array": lambda x, zero: ssop.strided_slice(np.ones(4, "f4"), [zero], [4], out=x),
    "out of arrays": lambda x, zero: xla.concatenate([np.ones(2, "f4")] * 2, zero, out=x),
}
Y = torch.ones(4)


@pytest.mark.parametrize("name", FREEING)
def test_storages_that_arguments_free_are_errors(name):
    """Tensors were exported before the other arguments were read, and the process crashed."""
    x = torch.arange(4.0)
    with forward_ad.dual_level(), pytest.raises(ssop.SliceTypeError, match="storage is smaller") as info:
        FREEING[name](x, Freeing(x))
    assert info.value.label == "in_c7"
    assert torch.equal(Y, torch.ones(4))


# ---- what torch records ----------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("function", [backwards, assigned])
def test_traces_keep_operations_and_no_constants(function):
    other = X * 10
    wanted = function(other).tolist()
    assert torch.jit.trace(function, (X,))(other).tolist() == wanted
    for mode in ("real", "fake", "symbolic"):
        assert make_fx(function, tracing_mode=mode)(X)(other).tolist() == wanted, mode

    class Module(torch.nn.Module):
        def forward(self, x):
            return function(x)

    assert torch.export.export(Module(), (X,), strict=False).module()(other).tolist() == wanted


def test_modes_see_torch_s_own_operations():
    class Recorder(TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            seen.append(str(function))
            return function(*args, **kwargs or {})

    seen = []
    with Recorder():
        assert backwards(X).tolist() == [3, 2, 1]
    assert "aten.flip.default" in seen


def test_parameters_in_transforms():
    weight = torch.nn.Parameter(torch.ones(4))
    assert torch.func.grad(lambda x: (ssop.copy(weight) * x).sum())(X).tolist() == [1, 1, 1, 1]


@pytest.mark.filterwarnings("ignore::UserWarning")  # torch says that it does not look into C
@pytest.mark.parametrize("name", sorted(set(CALLS) - {WRAPPING})[::6])
def test_compiled_functions_break_their_graph(name):
    inputs = inputs_of(name)
    torch.compiler.reset()
    compiled = torch.compile(lambda *inputs: call(name, [x.clone() for x in inputs]), backend="eager")
    found = as_list(compiled(*inputs))
    assert all(np.array_equal(x, wanted) for x, wanted in zip(found, expected(name), strict=True))


COMPILED = {
    "dims of the tensor": lambda x: ssop.strided_slice(x, [0, 0], [x.shape[0] - 1, x.shape[1]], [1, 2]),
    "a number read from it": lambda x: ssop.dynamic_slice(x, [int(x[0, 1]), 0], [2, 2]),
    "a gradient": lambda x: vjp.region(x[:2, :2], ssop.StridedSliceSpec([4, 3], [0, 0], [-3, -2]).resolve([6, 4])),
    "a value": lambda x: ssop.dynamic_update_slice(x, x[:2, :2] * 2, [9, 1]),
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", COMPILED)
def test_compiled_functions_have_no_values_or_dims_of_an_earlier_call(name):
    function = COMPILED[name]
    torch.compiler.reset()
    compiled = torch.compile(function, backend="aot_eager")
    for x in (torch.ones(4, 6), torch.arange(24.0).reshape(4, 6), torch.zeros(6, 5)):  # of other dims: dynamic ones
        assert torch.equal(compiled(x), function(x))


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_tracers_that_need_one_graph_or_know_no_shapes_raise():
    torch.compiler.reset()
    with pytest.raises(torch._dynamo.exc.Unsupported):
        torch.compile(backwards, backend="eager", fullgraph=True)(X)
    with pytest.raises(torch.fx.proxy.TraceError):
        torch.fx.symbolic_trace(backwards)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_compiled_functions_have_gradients():
    torch.compiler.reset()
    x = X.clone().requires_grad_()
    torch.compile(lambda x: backwards(x * 2) + 1, backend="aot_eager")(x).sum().backward()
    assert x.grad.tolist() == [0, 2, 2, 2]


# ---- windows that wrap -----------------------------------------------------------------------------------------------

WINDOWS = {
    "slice": lambda x: xla.dynamic_slice_in_dim(x, 2, 3, 1, out_of_bounds="wrap"),
    "all": lambda x: xla.dynamic_slice_in_dim(x, 2, 4, -1, out_of_bounds="wrap"),
    "inside": lambda x: xla.dynamic_slice_in_dim(x, 5, 2, 0, out_of_bounds="wrap"),
    "index": lambda x: xla.dynamic_index_in_dim(x, 5, 0, keepdims=False, out_of_bounds="wrap"),
    "update": lambda x: xla.dynamic_update_slice_in_dim(x, x[:, :3] * x[:, :3], 3, 1, out_of_bounds="wrap"),
    "update index": lambda x: xla.dynamic_update_index_in_dim(x, x[0] * x[1], -1, 0, out_of_bounds="wrap"),
}


@pytest.mark.parametrize("name", WINDOWS)
def test_one_axis_windows_that_wrap_have_gradients(name):
    x = torch.arange(16.0, dtype=torch.float64).reshape(4, 4).requires_grad_()
    assert torch.equal(WINDOWS[name](x), torch.from_numpy(WINDOWS[name](x.detach().numpy())))
    assert torch.autograd.gradcheck(WINDOWS[name], (x,))
    assert torch.autograd.gradgradcheck(WINDOWS[name], (x,))


def test_tf_s_names_too():
    assert functionalized(lambda x: tf.strided_slice(x, [0], [4], [2]), X).tolist() == [0, 2]
