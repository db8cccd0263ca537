"""What a user sees of each function before calling it: signature, help, examples; and how calls are matched to it."""

import doctest
import importlib
import inspect
import pickle
import pydoc
import re
import subprocess
import sys

import numpy as np
import pytest

import ssop

MASKS = "begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0"
NEGATIVE = "allow_negative_indices=False"
POLICY = f"out_of_bounds='clamp', {NEGATIVE}"
SIGNATURES = {
    "strided_slice": f"(input_, begin, end, strides=None, {MASKS}, *, out=None)",
    "slice": "(operand, start_indices, limit_indices, strides=None, *, out=None)",
    "dynamic_slice": f"(operand, start_indices, slice_sizes, *, {POLICY}, fill_value=None, out=None)",
    "dynamic_update_slice": f"(operand, update, start_indices, *, {POLICY}, out=None)",
    "strided_slice_grad": f"(shape, begin, end, strides, dy, {MASKS}, *, out=None)",
    "strided_slice_assign": f"(ref, begin, end, strides, value, {MASKS})",
    "tensor_strided_slice_update": f"(input, begin, end, strides, value, {MASKS}, *, out=None)",
    "xla.slice_in_dim": f"(operand, start_index, limit_index, stride=1, axis=0, *, {NEGATIVE}, out=None)",
    "xla.index_in_dim": f"(operand, index, axis=0, keepdims=True, *, {NEGATIVE}, out=None)",
    "xla.dynamic_slice_in_dim": f"(operand, start_index, slice_size, axis=0, *, {POLICY}, fill_value=None, out=None)",
    "xla.dynamic_index_in_dim": f"(operand, index, axis=0, keepdims=True, *, {POLICY}, fill_value=None, out=None)",
    "xla.dynamic_update_slice_in_dim": f"(operand, update, start_index, axis, *, {POLICY}, out=None)",
    "xla.dynamic_update_index_in_dim": f"(operand, update, index, axis, *, {POLICY}, out=None)",
    "xla.pad": "(operand, padding_value, padding_config, *, out=None)",
    "xla.rev": "(operand, dimensions, *, out=None)",
    "xla.concatenate": "(operands, dimension, *, out=None)",
    "xla.broadcast": "(operand, sizes, *, out=None)",
    "xla.broadcast_in_dim": "(operand, shape, broadcast_dimensions, *, out=None)",
    "xla.reshape": "(operand, new_sizes, dimensions=None, *, out=None)",
    "xla.collapse": "(operand, dimensions, *, out=None)",
    "xla.transpose": "(operand, permutation, *, out=None)",
    "xla.select": "(pred, on_true, on_false, *, out=None)",
    "xla.clamp": "(min, operand, max, *, out=None)",
    "copy": "(a, *, out=None)",
    "copyto": "(dst, src)",
    "set_num_threads": "(n)",
    "get_num_threads": "()",
    "trim_memory": "()",
    "cpu_features": "()",
    "show_config": "(mode='stdout')",
    "plan": "(spec, shape, dtype)",
    "index": "(x, index, *, out=None)",
    "index_assign": "(x, index, value)",
    "index_update": "(x, index, value, *, out=None)",
    "pad": "(x, pad_width, mode='constant', constant_values=0, *, reflect_type='even', out=None)",
    "roll": "(x, shift, axis=None, *, out=None)",
    "infer_shape": "(op, /, *inputs, input_tensors=(), input_tensors_as_shapes=(), handles=(), mode='tf', "
    "**attributes)",
    "explore": f"(shape=None, begin=(), end=(), strides=None, {MASKS})",
    "widget": "(shape_or_array, index_or_spec=(), *, dialect='tf', predict=False, page='')",
    "widget.quiz": "(n=10, topics=(), *, difficulty=2, seed=None, page='')",
    "convert": "(calls, to, shape=None, *, assume=None, dtype=None, check=None)",
    "convert.compose": "(calls, shape=None, *, assume=None)",
    "convert.equal": "(one, two, shape=None, *, assume=None)",
    "convert.is_identity": "(calls, shape=None, *, assume=None)",
    "convert.verify": "(certificate)",
    "inspect": "(model, second=None, *, format=None, target=None, silent=(), any_dim=False, only=None)",
    "inspect.node": "(text, *, target=None, silent=(), any_dim=False)",
    "explain": f"(shape, begin, end, strides=None, {MASKS}, *, dialect='tf')",
    "StridedSliceSpec": f"(begin, end, strides=None, {MASKS})",
    "Region": "(in_shape, ranges, out_axes)",
}
METHODS = {
    "StridedSliceSpec.from_index": "(index)",
    "StridedSliceSpec.resolve": "(self, shape)",
    "StridedSliceSpec.infer_shape": "(self, shape, *, mode='tf')",
    "StridedSliceSpec.to_index": "(self, shape)",
    "StridedSliceSpec.explain": "(self, shape)",
    "explain.slice": "(shape, start_indices, limit_indices, strides=None)",
    "explain.onnx_slice": "(shape, starts, ends, axes=None, steps=None, *, engine='spec')",
    "explain.dynamic_slice": "(shape, start_indices, slice_sizes, **policy)",
    "explain.dynamic_update_slice": "(shape, update_shape, start_indices, **policy)",
    "explain.pad": "(shape, padding_config)",
    "explain.roll": "(shape, shift, axis=None)",
    "explain.numpy_pad": "(shape, pad_width, mode='constant')",
    "StridedSliceSpec.__call__": "(self, x, out=None)",
    "Region.of": "(self, first, /)",
    "shapes.Dim.__deepcopy__": "(self, memo, /)",
    "shapes.PartialShape.__deepcopy__": "(self, memo, /)",
    "Region.split": "(self, /)",
    "Region.covering": "(self, /)",
    "Region.chunks": "(self, grid, /)",
}
FUNCTIONS = [
    "strided_slice",
    "strided_slice_grad",
    "strided_slice_assign",
    "tensor_strided_slice_update",
    "slice",
    "dynamic_slice",
    "dynamic_update_slice",
    "copy",
    "copyto",
    "tflite.strided_slice",
    "tflite.slice",
    "openvino.strided_slice",
    "openvino.slice",
    "onnx.slice",
    "xla.slice_in_dim",
    "xla.index_in_dim",
    "xla.dynamic_slice_in_dim",
    "xla.dynamic_index_in_dim",
    "xla.dynamic_update_slice_in_dim",
    "xla.dynamic_update_index_in_dim",
    "xla.pad",
    "xla.rev",
    "xla.concatenate",
    "xla.broadcast",
    "xla.broadcast_in_dim",
    "xla.reshape",
    "xla.collapse",
    "xla.transpose",
]
SETTINGS = [
    "set_num_threads",
    "get_num_threads",
    "trim_memory",
    "cpu_features",
]  # about the process, not about an array
IN_PLACE = {"strided_slice_assign", "copyto"}  # no out=
NOT_CALLED_BY_USERS = {"Plan"}  # made by ssop.plan

X = np.arange(12).reshape(3, 4)
# Every argument of every function; `out` has a test of its own.
ARGUMENTS = {
    "strided_slice": {
        "input_": X,
        "begin": [2, 1, 0, 0],
        "end": [0, 3, 0, 0],
        "strides": [-1, 1, 1, 1],
        "begin_mask": 2,
        "end_mask": 1,
        "ellipsis_mask": 4,
        "new_axis_mask": 8,
        "shrink_axis_mask": 0,
    },
    "tflite.strided_slice": {
        "input_": X,
        "begin": [0, 0, 1],
        "end": [0, 0, 2],
        "strides": [1, 1, 2],
        "begin_mask": 4,
        "end_mask": 4,
        "ellipsis_mask": 2,
        "new_axis_mask": 1,
        "shrink_axis_mask": 0,
        "offset": False,
    },
    "tflite.slice": {"input_": X, "begin": [1, 1], "size": [-1, 2]},
    "openvino.strided_slice": {
        "data": X,
        "begin": [2, 1, 0, 0],
        "end": [0, 3, 0, 0],
        "strides": [-1, 1, 1, 1],
        "begin_mask": [0, 1, 0, 0],
        "end_mask": [1, 0, 0, 0],
        "new_axis_mask": [0, 0, 0, 1],
        "shrink_axis_mask": [0, 0, 0, 0],
        "ellipsis_mask": [0, 0, 1, 0],
    },
    "openvino.slice": {"data": X, "start": [2, 1], "stop": [-9, 3], "step": [-1, 1], "axes": [1, -2]},
    "onnx.slice": {
        "data": X,
        "starts": [2, 1],
        "ends": [2**31 - 1, 3],
        "axes": [1, 0],
        "steps": [-1, 1],
        "engine": "ort",
    },
    "strided_slice_grad": {
        "shape": [3, 4],
        "begin": [2, 1, 0, 0],
        "end": [0, 3, 0, 0],
        "strides": [-1, 1, 1, 1],
        "dy": np.arange(1, 10).reshape(3, 3, 1),
        "begin_mask": 2,
        "end_mask": 1,
        "ellipsis_mask": 4,
        "new_axis_mask": 8,
        "shrink_axis_mask": 0,
    },
    "strided_slice_assign": {
        "ref": np.zeros((3, 4), int),
        "begin": [2, 1, 0, 0],
        "end": [0, 3, 0, 0],
        "strides": [-1, 1, 1, 1],
        "value": np.arange(1, 10).reshape(3, 3, 1),
        "begin_mask": 2,
        "end_mask": 1,
        "ellipsis_mask": 4,
        "new_axis_mask": 8,
        "shrink_axis_mask": 0,
    },
    "tensor_strided_slice_update": {
        "input": X,
        "begin": [2, 1, 0, 0],
        "end": [0, 3, 0, 0],
        "strides": [-1, 1, 1, 1],
        "value": np.arange(1, 10).reshape(3, 3, 1),
        "begin_mask": 2,
        "end_mask": 1,
        "ellipsis_mask": 4,
        "new_axis_mask": 8,
        "shrink_axis_mask": 0,
    },
    "slice": {"operand": X, "start_indices": [0, 1], "limit_indices": [3, 4], "strides": [2, 2]},
    "dynamic_slice": {
        "operand": X,
        "start_indices": [2, -1],
        "slice_sizes": [2, 2],
        "out_of_bounds": "fill",
        "allow_negative_indices": True,
        "fill_value": 7,
    },
    "dynamic_update_slice": {
        "operand": X,
        "update": [[50, 60]],
        "start_indices": [2, -1],
        "out_of_bounds": "wrap",
        "allow_negative_indices": True,
    },
    "copy": {"a": X},
    "copyto": {"dst": np.zeros_like(X), "src": X},
    "xla.slice_in_dim": {
        "operand": X,
        "start_index": 1,
        "limit_index": 4,
        "stride": 2,
        "axis": 1,
        "allow_negative_indices": True,
    },
    "xla.index_in_dim": {"operand": X, "index": 2, "axis": 1, "keepdims": False, "allow_negative_indices": True},
    "xla.dynamic_slice_in_dim": {
        "operand": X,
        "start_index": 3,
        "slice_size": 2,
        "axis": 1,
        "out_of_bounds": "fill",
        "allow_negative_indices": True,
        "fill_value": 7,
    },
    "xla.dynamic_index_in_dim": {
        "operand": X,
        "index": 5,
        "axis": 1,
        "keepdims": False,
        "out_of_bounds": "fill",
        "allow_negative_indices": True,
        "fill_value": 7,
    },
    "xla.dynamic_update_slice_in_dim": {
        "operand": X,
        "update": [[50, 60]],
        "start_index": 3,
        "axis": 1,
        "out_of_bounds": "wrap",
        "allow_negative_indices": True,
    },
    "xla.dynamic_update_index_in_dim": {
        "operand": X,
        "update": [50, 60, 70],
        "index": 5,
        "axis": 1,
        "out_of_bounds": "wrap",
        "allow_negative_indices": True,
    },
    "xla.pad": {"operand": X, "padding_value": 7, "padding_config": [(1, 0, 1), (-1, 2, 0)]},
    "xla.rev": {"operand": X, "dimensions": [1]},
    "xla.concatenate": {"operands": [X, X], "dimension": 1},
    "xla.broadcast": {"operand": X, "sizes": [2]},
    "xla.broadcast_in_dim": {"operand": X, "shape": [4, 2, 3], "broadcast_dimensions": [2, 0]},
    "xla.reshape": {"operand": X, "new_sizes": [6, 2], "dimensions": [1, 0]},
    "xla.collapse": {"operand": X, "dimensions": [0, 1]},
    "xla.transpose": {"operand": X, "permutation": [1, 0]},
    "set_num_threads": {"n": 2},
    "get_num_threads": {},
    "trim_memory": {},
    "cpu_features": {},
}


def get(path):
    found = ssop
    for name in path.split("."):
        found = getattr(found, name)
    return found


def bare(signature):
    """Without annotations."""
    parameters = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    return str(signature.replace(parameters=parameters, return_annotation=signature.empty))


def positional_names(name):
    parameters = inspect.signature(get(name)).parameters.values()
    return [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]


@pytest.mark.parametrize(("name", "expected"), [*SIGNATURES.items(), *METHODS.items()])
def test_signature(name, expected):
    assert bare(inspect.signature(get(name))) == expected


def test_every_public_callable_has_a_row():
    public = {name for name in ssop.__all__ if callable(get(name)) and not name.endswith("Error")}
    assert public - NOT_CALLED_BY_USERS == {name for name in SIGNATURES if "." not in name}


def test_everything_in_all_exists():
    assert len(ssop.__all__) == len(set(ssop.__all__)) >= 15
    assert all(hasattr(ssop, name) for name in ssop.__all__)


def test_completion_shows_what_is_public():
    code = "import ssop; print(*(name for name in dir(ssop) if not name.startswith('_')))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(run.stdout.split()) == set(ssop.__all__)


def test_modules_need_no_import_of_their_own():
    code = "import ssop; ssop.reference.tf.slice; ssop.divergences.rows('dialect')[0]; ssop.testing.__doc__.strip()"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    "name",
    ["StridedSliceSpec", "plan", "pad", "roll", "show_config"] + ["xla.select", "xla.clamp", "vjp.slice", "vjp.pad"],
)
def test_public_names_are_the_ones_that_pickles_hold(name):
    module, _, last = f"ssop.{name}".rpartition(".")
    assert (get(name).__module__, get(name).__qualname__) == (module, last)
    assert pickle.loads(pickle.dumps(get(name))) is get(name)


def test_functions_are_the_c_functions():
    core = importlib.import_module("ssop._core")
    for name in [*FUNCTIONS, *SETTINGS]:
        assert get(name) is getattr(core, name.replace(".", "_"))
        assert get(name).__name__ == name.rpartition(".")[2]
        assert inspect.isbuiltin(get(name))


# ---- matching calls --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FUNCTIONS)
def test_positional_equals_keyword_equals_mixed(name):
    function, arguments = get(name), ARGUMENTS[name]
    by_keyword = np.array(function(**arguments))
    shuffled = function(**dict(reversed(arguments.items())))
    assert np.array_equal(by_keyword, shuffled)
    positional = positional_names(name)
    for split in range(len(positional) + 1):
        before = [arguments[p] for p in positional[:split]]
        after = {p: v for p, v in arguments.items() if p not in positional[:split]}
        assert np.array_equal(function(*before, **after), by_keyword), split


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_optional_argument_counts(name):
    """Leaving one out of the calls above changes the result or is an error: nothing is dropped on the way."""
    function, arguments = get(name), ARGUMENTS[name]
    optional = {p.name for p in inspect.signature(function).parameters.values() if p.default is not p.empty}
    for left_out in (optional & set(arguments)) - {"shrink_axis_mask", "allow_negative_indices", "offset"}:
        fewer = {p: v for p, v in arguments.items() if p != left_out}
        try:
            result = function(**fewer)
        except ssop.SliceError:
            continue
        assert not np.array_equal(result, function(**arguments)), left_out


def test_the_two_arguments_that_the_calls_above_do_not_show():
    assert ssop.strided_slice(X, [1], [0], shrink_axis_mask=1).tolist() == [4, 5, 6, 7]
    assert ssop.dynamic_slice(X, [0, -1], [1, 1], allow_negative_indices=True).tolist() == [[3]]
    updated = ssop.dynamic_update_slice(X[0], [9], [-1], allow_negative_indices=True)
    assert updated.tolist() == [0, 1, 2, 9]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_out_is_a_keyword_everywhere_but_in_place(name):
    function = get(name)
    if name in IN_PLACE:
        with pytest.raises(TypeError, match=rf"{name}\(\) got an unexpected keyword argument 'out'"):
            function(**ARGUMENTS[name], out=X)
        return
    expected = function(**ARGUMENTS[name])
    out = np.empty_like(expected)
    assert function(**ARGUMENTS[name], out=out) is out
    assert np.array_equal(out, expected)
    assert np.array_equal(function(**ARGUMENTS[name], out=None), expected)


@pytest.mark.parametrize("name", [*FUNCTIONS, *SETTINGS])
def test_unknown_argument(name):
    for unknown in ("name", "axess", "Out", "béta", "\udc80"):
        with pytest.raises(TypeError) as caught:
            get(name)(**ARGUMENTS[name], **{unknown: 1})
        assert str(caught.value) == f"{name}() got an unexpected keyword argument '{unknown}'"


@pytest.mark.parametrize("name", [*FUNCTIONS, *SETTINGS])
def test_missing_argument(name):
    required = [p.name for p in inspect.signature(get(name)).parameters.values() if p.default is p.empty]
    assert required or name in SETTINGS
    for missing in required:
        fewer = {p: v for p, v in ARGUMENTS[name].items() if p != missing}
        with pytest.raises(TypeError) as caught:
            get(name)(**fewer)
        assert str(caught.value) == f"{name}() missing required argument '{missing}'"
    if len(required) > 1:
        first = f"{', '.join(map(repr, required[:-1]))} and {required[-1]!r}"
        with pytest.raises(TypeError) as caught:
            get(name)()
        assert str(caught.value) == f"{name}() missing {len(required)} required arguments: {first}"


@pytest.mark.parametrize("name", [*FUNCTIONS, *SETTINGS])
def test_duplicate_argument(name):
    positional = positional_names(name)
    values = [ARGUMENTS[name][p] for p in positional]
    for twice in positional:
        with pytest.raises(TypeError) as caught:
            get(name)(*values, **{twice: ARGUMENTS[name][twice]})
        assert str(caught.value) == f"{name}() got multiple values for argument '{twice}'"


@pytest.mark.parametrize("name", [*FUNCTIONS, *SETTINGS])
def test_too_many_arguments(name):
    positional = positional_names(name)
    values = [ARGUMENTS[name][p] for p in positional]
    for extra in (1, 2, 20):
        with pytest.raises(TypeError) as caught:
            get(name)(*values, *[None] * extra)
        given = len(positional) + extra
        assert str(caught.value) == f"{name}() takes at most {len(positional)} positional arguments ({given} given)"


def test_keywords_that_are_not_interned_are_found():
    made = {"".join(["be", "gin"]): [1], "".join(["e", "nd"]): [2]}
    assert ssop.strided_slice(X, **made).tolist() == [[4, 5, 6, 7]]


def test_a_plan_takes_out_like_a_spec():
    """`plan(x, out=None)` and `spec(x, out=None)`: positional and keyword."""
    spec = ssop.StridedSliceSpec([1], [3])
    for run in (spec, ssop.plan(spec, X.shape, X.dtype)):
        out = np.zeros_like(X[1:3])
        assert run(X, out=out) is out
        assert np.array_equal(out, X[1:3])
        out[...] = 0
        assert run(X, out) is out
        assert np.array_equal(out, X[1:3])
        with pytest.raises(TypeError, match="wrong"):
            run(X, wrong=out)
        with pytest.raises(TypeError):
            run()


# ---- help ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*FUNCTIONS, *SETTINGS])
def test_help_names_everything(name):
    text = pydoc.plain(pydoc.render_doc(get(name)))
    call = re.sub(r"\(\s+", "(", text.partition("\n\n")[2].strip(), count=1)  # Python 3.13 breaks long signatures
    assert call.startswith(f"{name.rpartition('.')[2]}({next(iter(ARGUMENTS[name]), ')')}")
    for section in ("Parameters", "Raises", "Source:", "Examples", ">>> "):
        assert section in text, section
    for parameter in inspect.signature(get(name)).parameters:
        assert parameter in inspect.getdoc(get(name)), parameter


def documented():
    """Every docstring that a user can reach, with a name for it."""
    yield "ssop", ssop
    yield "ssop.xla", ssop.xla
    for name in [
        *FUNCTIONS,
        *SETTINGS,
        "show_config",
        "xla.select",
        "xla.clamp",
        "plan",
        "index",
        "index_assign",
        "index_update",
        "pad",
        "roll",
        "StridedSliceSpec",
        "Region",
        "Plan",
    ]:
        yield name, get(name)
    for name in METHODS:
        if "__" not in name:
            yield name, get(name)
    for name in [name for name in ssop.__all__ if name.endswith("Error")]:
        yield name, get(name)
    for name in ("in_shape", "ranges", "out_axes", "shape", "index"):
        yield f"Region.{name}", getattr(ssop.Region, name)


@pytest.mark.parametrize(("name", "item"), [*documented()])
def test_is_documented(name, item):
    text = inspect.getdoc(item)
    assert text is not None and len(text.split()) >= 3
    assert max(map(len, text.splitlines())) <= 120


def test_examples_of_all_docstrings_run():
    runner = doctest.DocTestRunner(verbose=False)
    attempted = {}
    with np.printoptions(legacy=False):
        for name, item in documented():
            test = doctest.DocTestParser().get_doctest(inspect.getdoc(item), {}, name, None, 0)
            results = runner.run(test)
            assert results.failed == 0, name
            attempted[name] = results.attempted
    without = {name for name, count in attempted.items() if count == 0}
    assert not without & {
        *FUNCTIONS,
        *SETTINGS,
        "show_config",
        "ssop",
        "plan",
        "index",
        "StridedSliceSpec",
        "Region",
        "Plan",
    }
    assert sum(attempted.values()) >= 35
