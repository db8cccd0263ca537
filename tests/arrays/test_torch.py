"""Tensors of torch: on ssop's engine if they are in the memory of the CPU, by torch's own indexing otherwise."""

import ml_dtypes
import numpy as np
import pytest
import torch

import ssop
from arrays.cells import ASSIGNMENTS, CALLS, X, Y, as_list, expected
from ssop import xla
from ssop._lazy import libraries, tensors

DTYPES = [
    torch.bool, torch.uint8, torch.int8, torch.uint16, torch.int16, torch.int32, torch.int64, torch.uint64,
    torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex32, torch.complex64, torch.complex128,
    torch.float8_e4m3fn, torch.float8_e5m2,
]  # fmt: skip
T = torch.from_numpy(X)
every_call = pytest.mark.parametrize("name", CALLS)
OWN = {"xla.select", "xla.clamp"}  # of values: torch's own functions


def tensor(x):
    return torch.from_numpy(np.array(x))


@pytest.fixture
def indexed(monkeypatch):
    """The operations whose results torch's own indexing takes."""
    names = []
    original = libraries.view
    monkeypatch.setattr(libraries, "view", lambda op, x, region: names.append(op) or original(op, x, region))
    return names


@every_call
def test_results_are_tensors_on_the_engine(name, monkeypatch):
    def never(*arguments, **keywords):
        raise AssertionError("torch's own indexing")

    if name not in OWN and not name.startswith("vjp."):
        for function in ("view", "assign", "transposed", "reshaped", "repeated", "joined", "filled", "copied"):
            monkeypatch.setattr(libraries, function, never)
    for found, wanted in zip(as_list(CALLS[name](tensor)), expected(name), strict=True):
        assert type(found) is torch.Tensor and found.shape == wanted.shape and found.dtype == torch.float64
        assert np.array_equal(found.numpy(), wanted)
        assert found.is_contiguous() and not found.requires_grad


@every_call
def test_results_share_no_memory_with_their_inputs(name):
    given = []

    def make(x):
        given.append(tensor(x))
        return given[-1]

    for found in as_list(CALLS[name](make)):
        if name in ASSIGNMENTS:
            assert found is given[0]
        else:
            before = [x.clone() for x in given]
            found.fill_(-9)
            assert all(torch.equal(x, was) for x, was in zip(given, before, strict=True))


def test_inputs_are_not_copied():
    x = torch.zeros(5, 7)
    assert tensors.memory("copy", x.T).__array_interface__["data"][0] == x.data_ptr()
    assert tensors.memory("copy", x[1:, ::2]).strides == (28, 8)


@every_call
def test_storages_can_be_resized_as_before(name):
    """Sharded training frees the memory of tensors by it, which `Tensor.numpy` forbids for good."""
    given = []

    def make(x):
        given.append(torch.tensor(x))
        return given[-1]

    CALLS[name](make)
    if name in ASSIGNMENTS and not np.from_dlpack(np.zeros(1)).flags.writeable:  # NumPy 2.0 cannot write by DLPack
        given = given[1:]
    assert all(x.untyped_storage().resizable() for x in given)


def test_a_storage_that_out_is_in_can_be_resized():
    out = torch.zeros(2)
    ssop.copy(torch.ones(2), out=out)
    assert out.tolist() == [1, 1]
    assert out.untyped_storage().resizable() == np.from_dlpack(np.zeros(1)).flags.writeable


@pytest.mark.filterwarnings("ignore:ComplexHalf support is experimental")
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype_is_moved(dtype):
    x = torch.arange(1, 25).reshape(4, 6).to(torch.float32).to(dtype)
    found = ssop.strided_slice(x, [3, 0], [0, 6], [-2, 3])
    assert found.dtype == dtype
    bits = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}.get(x.element_size())
    wanted = x.flip(0)[::2, ::3][:2] if bits is None else x.contiguous().view(bits).flip(0)[::2, ::3][:2].view(dtype)
    assert found.to(torch.complex128).tolist() == wanted.to(torch.complex128).tolist()
    assert ssop.strided_slice_grad([4, 6], [3, 0], [0, 6], [-2, 3], found).dtype == dtype
    padded = xla.pad(x, x[0, 0], [(1, 0, 0), (0, 0, 0)])
    assert padded.dtype == dtype and torch.equal(padded[1:].to(torch.complex128), x.to(torch.complex128))
    updated = ssop.dynamic_update_slice(x, x[:1, :1], [1, 1])
    assert updated.dtype == dtype and updated[1, 1].to(torch.complex128) == x[0, 0].to(torch.complex128)


def test_numbers_are_converted_to_bfloat16_by_value():
    assert np.dtype("bfloat16") == ml_dtypes.bfloat16  # after the import, NumPy has a dtype of that name
    x = torch.zeros(4, dtype=torch.bfloat16)
    assert ssop.tensor_strided_slice_update(x, [0], [4], [2], 1.5).tolist() == [1.5, 0, 1.5, 0]
    assert xla.pad(x[:1], 2.5, [(1, 0, 0)]).tolist() == [2.5, 0]
    with pytest.raises(ssop.SliceTypeError) as info:
        ssop.dynamic_update_slice(x, np.zeros(1, np.uint16), [0])
    assert info.value.label == "dus_c4"


@pytest.mark.parametrize(
    "make",
    [lambda x: x.T.contiguous().T, lambda x: x.expand(3, 4, 6)[1], lambda x: torch.stack([x, x], 2)[..., 1]],
    ids=["transposed", "expanded", "strided"],
)
def test_layouts(make):
    assert torch.equal(ssop.strided_slice(make(T), [3, 5], [0, 0], [-1, -2]), T.flip(0, 1)[:3, ::2][:, :3])


def test_scalars_and_empty_tensors():
    assert ssop.copy(torch.tensor(5)).shape == () and ssop.strided_slice(torch.tensor(5), [], []) == 5
    assert ssop.strided_slice(T, [2], [2]).shape == (0, 6)
    assert xla.concatenate([T[:0], T[:0]], 0).shape == (0, 6)


def test_conjugates_and_negatives_have_their_values():
    x = torch.tensor([1 + 2j, 3 - 4j, 5j])
    for lazy in (x.conj(), x.conj().imag):  # which carry a bit
        assert lazy.is_conj() or lazy.is_neg()
        assert ssop.strided_slice(lazy, [2], [0], [-1]).tolist() == [lazy[2].item(), lazy[1].item()]
        assert ssop.dynamic_update_slice(torch.zeros_like(lazy), lazy, [0]).tolist() == lazy.tolist()


def test_windows_wrap_round():
    assert ssop.dynamic_slice(torch.arange(8), [6], [4], out_of_bounds="wrap").tolist() == [6, 7, 0, 1]


# ---- out= ------------------------------------------------------------------------------------------------------------


def test_out_is_written_and_returned():
    out = torch.full((6, 3), -1.0, dtype=torch.float64).T  # of another layout
    assert ssop.strided_slice(T, [3, 5], [0, 0], [-1, -1], out=out[:, :5]).data_ptr() == out.data_ptr()
    assert torch.equal(out[:, :5], T.flip(0, 1)[:3, :5]) and (out[:, 5] == -1).all()
    x = torch.arange(5)
    assert ssop.dynamic_update_slice(x, [7], [1], out=x) is x and x.tolist() == [0, 7, 2, 3, 4]
    assert xla.rev(x, [0], out=x).tolist() == [4, 3, 2, 7, 0]
    out = torch.empty(10, dtype=torch.int64)
    assert xla.concatenate([x, x], 0, out=out) is out and out.tolist() == 2 * [4, 3, 2, 7, 0]
    brain = torch.ones(2, dtype=torch.bfloat16)
    assert ssop.copy(brain, out=torch.empty(2, dtype=torch.bfloat16)).tolist() == [1, 1]


def test_wrong_out():
    x = torch.zeros(3)
    for label, out in {
        "out_c2": torch.zeros(4),
        "out_c3": torch.zeros(3, dtype=torch.int32),
        "out_c5": torch.zeros(1).expand(3),
        "in_c7": np.zeros(3, np.float32),
    }.items():
        with pytest.raises(ssop.SliceError) as info:
            ssop.copy(x, out=out)
        assert info.value.label == label
    for given, out in (
        (x, torch.zeros(3, device="meta")),
        (x.to("meta"), x),
        (x, torch.zeros(3, requires_grad=True)),
        (torch.zeros(3, requires_grad=True), x),
    ):
        with pytest.raises(ssop.SliceTypeError) as info:
            ssop.copy(given, out=out)
        assert info.value.label == "in_c7"
    with pytest.raises(ssop.SliceTypeError) as info:  # both are moved as integers of 16 bits
        ssop.copy(torch.zeros(3, dtype=torch.bfloat16), out=torch.zeros(3, dtype=torch.uint16))
    assert info.value.label == "out_c3"


def test_torch_users_a_tensor_is_out_for_an_array_of_numpy():
    x = np.arange(6.0).reshape(2, 3)
    calls = {
        "copy": (ssop.copy(x), lambda out: ssop.copy(x, out=out)),
        "list": (np.array([1.0, 2.0]), lambda out: ssop.copy([1.0, 2.0], out=out)),
        "slice": (x[:, :2], lambda out: ssop.strided_slice(x, [0, 0], [2, 2], out=out)),
        "pad": (np.pad(x, 1), lambda out: ssop.xla.pad(x, 0.0, [(1, 1, 0)] * 2, out=out)),
        "concatenate": (np.vstack([x, x]), lambda out: ssop.xla.concatenate([x, x], 0, out=out)),
    }
    for there, call in calls.values():
        out = torch.zeros(there.shape, dtype=torch.float64)
        version = out._version
        assert call(out) is out and out._version == version + 1
        np.testing.assert_array_equal(out.numpy(), there)


@pytest.mark.parametrize(
    ("out", "label"),
    [
        (torch.zeros(4, dtype=torch.float64), "out_c2"),
        (torch.zeros(3), "out_c3"),
        (torch.zeros(3, dtype=torch.bfloat16), "out_c3"),
        (torch.zeros(1, dtype=torch.float64).expand(3), "out_c5"),
        (torch.zeros(3, dtype=torch.float64, requires_grad=True), "in_c7"),
        (torch.zeros(3, dtype=torch.float64, device="meta"), "in_c7"),
        (torch.float64, "out_c1"),
        (object(), "out_c1"),
    ],
    ids=["shape", "dtype", "bfloat16", "expanded", "gradient", "meta", "no tensor", "no array"],
)
def test_tensors_that_are_no_out_for_an_array_of_numpy(out, label):
    for call in (ssop.copy, lambda x, out: ssop.xla.concatenate([x], 0, out=out)):
        with pytest.raises(ssop.SliceError) as info:
            call(np.zeros(3), out=out)
        assert info.value.label == label


@pytest.mark.parametrize("write", ["out", "assign"])
def test_autograd_notices_what_is_written(write):
    x = torch.ones(3, requires_grad=True)
    kept = torch.full((3,), 2.0)
    product = (x * kept).sum()  # which needs kept for its gradient
    if write == "out":
        ssop.copy(torch.zeros(3), out=kept)
    else:
        assert ssop.strided_slice_assign(kept, [0], [3], [1], 5.0) is kept
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        product.backward()


# ---- gradients -------------------------------------------------------------------------------------------------------

# The tensors of each call that has gradients: those of values need them, too.
GRADIENTS = sorted(set(CALLS) - ASSIGNMENTS - OWN)


def differentiable(name):
    """A function of the tensors of a call, and these tensors."""
    given = []
    CALLS[name](lambda x: given.append(tensor(x).requires_grad_()) or given[-1])

    def function(*inputs):
        left = iter(inputs)
        return CALLS[name](lambda x: next(left))

    return function, tuple(given)


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients(name, indexed):
    function, inputs = differentiable(name)
    assert torch.autograd.gradcheck(function, inputs)
    assert torch.autograd.gradgradcheck(function, inputs)
    assert indexed == []


def test_gradients_are_on_the_engine(monkeypatch):
    function, inputs = differentiable("strided_slice backwards")
    result = function(*inputs)
    assert type(result.grad_fn).__name__ == "_MovedBackward"
    result.backward(torch.ones_like(result))
    assert torch.equal(
        inputs[0].grad, torch.tensor(ssop.strided_slice_grad([4, 6], [3, 5], [0, 0], [-2, -1], np.ones((2, 5))))
    )


def test_gradients_of_padding_values_and_parameters():
    value = torch.nn.Parameter(torch.tensor(2.0))
    x = torch.nn.Parameter(torch.ones(3))
    xla.pad(x, value, [(2, 1, 1)]).sum().backward()
    assert value.grad == 5 and x.grad.tolist() == [1, 1, 1]


def test_no_gradient_where_none_is_wanted():
    x = torch.ones(3, requires_grad=True)
    with torch.no_grad():
        found = ssop.copy(x)
    assert not found.requires_grad and found.grad_fn is None
    assert ssop.copy(x).requires_grad
    with torch.inference_mode():
        assert ssop.copy(x).tolist() == [1, 1, 1]


def test_a_graph_keeps_no_input():
    x = torch.ones(1000).requires_grad_()
    inner = x * 1
    weak = torch.multiprocessing.reductions.StorageWeakRef(inner.untyped_storage())
    result = ssop.slice(inner, [1], [2])
    del inner
    assert weak.expired() and result.requires_grad


def test_assignments_with_gradients_are_those_of_torch():
    x, value = torch.zeros(4, requires_grad=True) * 1, torch.ones(2, requires_grad=True)
    assert ssop.strided_slice_assign(x, [0], [4], [2], value) is x
    (x * torch.arange(4.0)).sum().backward()
    assert value.grad.tolist() == [0, 2]


# ---- what is left to torch -------------------------------------------------------------------------------------------


@pytest.fixture
def unreadable(monkeypatch):
    """Tensors whose memory ssop cannot read, with values all the same."""
    monkeypatch.setattr(tensors, "exported", lambda op, x: None)


@pytest.mark.parametrize("name", sorted(set(CALLS) - {"dynamic_slice wrapping"}))
def test_operations_of_torch_s_own(name, unreadable):
    given = []
    for found, wanted in zip(
        as_list(CALLS[name](lambda x: given.append(tensor(x)) or given[-1])), expected(name), strict=True
    ):
        assert type(found) is torch.Tensor and np.array_equal(found.numpy(), wanted)
        if name not in ASSIGNMENTS:
            before = [x.clone() for x in given]
            found.fill_(-9)
            assert all(torch.equal(x, was) for x, was in zip(given, before, strict=True))


@pytest.mark.parametrize("shape", [(3, 2), (2,), (3, 1), (1, 1, 1, 2), ()], ids=str)
def test_updates_backwards_by_torch_s_own(unreadable, shape):
    value = -1 - np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(float)
    spec = ([3, 9], [0, 1], [-1, -3])
    found = ssop.tensor_strided_slice_update(T, *spec, tensor(value))
    assert np.array_equal(found.numpy(), ssop.tensor_strided_slice_update(X, *spec, value))


@pytest.mark.parametrize(
    "update", [torch.tensor([[0.0, 1.0]]), [[0, 1]], ((0.0, 1.0),)], ids=["tensor", "list", "floats"]
)
def test_updates_of_every_kind(update):
    found = ssop.dynamic_update_slice(torch.full((4, 6), 9.0), update, [9, 9])
    assert found[3, 4:].tolist() == [0, 1] and found.sum() == 9 * 22 + 1


def test_in_c7_errors():
    with pytest.raises(ssop.SliceTypeError) as info:
        ssop.dynamic_update_slice(X, T, [0, 0])
    assert info.value.label == "in_c7"
    with pytest.raises(ssop.SliceTypeError) as info:
        ssop.dynamic_update_slice(T, T.float(), [0, 0])
    assert info.value.label == "dus_c4"
    with pytest.raises(ssop.SliceTypeError) as info:
        ssop.plan(ssop.StridedSliceSpec([1], [2]), T.shape, float)(T)
    assert info.value.label == "in_c7"


@every_call
def test_tensors_without_data(name):
    if name == "dynamic_slice wrapping":
        with pytest.raises(ssop.SliceTypeError) as info:
            CALLS[name](lambda x: tensor(x).to("meta"))
        assert info.value.label == "in_c7"
        return
    for found, wanted in zip(as_list(CALLS[name](lambda x: tensor(x).to("meta"))), expected(name), strict=True):
        assert found.device.type == "meta" and found.shape == wanted.shape and found.dtype == torch.float64


@pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:DeprecationWarning")  # by torch.func.jvp itself
def test_functions_of_torch_func(indexed):
    def backwards(x):
        return ssop.strided_slice(x, [5], [0], [-2])

    assert torch.equal(torch.func.vmap(backwards)(T), T.flip(1)[:, ::2][:, :3])
    assert torch.func.grad(lambda x: (backwards(x) ** 2).sum())(T[1]).tolist() == [0, 14, 0, 18, 0, 22]
    value, tangent = torch.func.jvp(backwards, (T[0],), (T[1],))
    assert value.tolist() == [5, 3, 1] and tangent.tolist() == [11, 9, 7]
    assert set(indexed) == {"strided_slice"}


def test_subclasses_are_left_to_torch(indexed):
    class Sub(torch.Tensor):
        pass

    found = ssop.slice(T.as_subclass(Sub), [0, 0], [2, 3])
    assert type(found) is Sub and indexed == ["slice"] and np.array_equal(found.numpy(), Y / 10)


def test_libraries_do_not_mix():
    with pytest.raises(ssop.SliceTypeError) as info:
        xla.concatenate([T, X], 0)
    assert info.value.label == "in_c7"
