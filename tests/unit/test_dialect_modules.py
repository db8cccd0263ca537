"""The modules of the dialects are faces: they name functions, and compute nothing."""

import ast
import doctest
import inspect
import pickle
import pydoc
from importlib import import_module
from pathlib import Path

import pytest

import ssop

MODULES = ("onnx", "openvino", "tf", "tflite", "xla")
FUNCTIONS = [
    (module, name)
    for module in MODULES
    for name in import_module(f"ssop.{module}").__all__
    if not inspect.isclass(getattr(import_module(f"ssop.{module}"), name))
]
MASKS = "begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0"
VECTORS = "begin_mask=(), end_mask=(), new_axis_mask=(), shrink_axis_mask=(), ellipsis_mask=()"
SIGNATURES = {
    "tf.strided_slice": f"(input_, begin, end, strides=None, {MASKS}, var=None, name=None, *, out=None)",
    "tf.strided_slice_grad": f"(shape, begin, end, strides, dy, {MASKS}, name=None, *, out=None)",
    "tf.strided_slice_assign": f"(ref, begin, end, strides, value, {MASKS}, name=None)",
    "tf.tensor_strided_slice_update": f"(input, begin, end, strides, value, {MASKS}, name=None, *, out=None)",
    "tf.slice": "(input_, begin, size, name=None, *, out=None)",
    "tflite.strided_slice": f"(input_, begin, end, strides=None, {MASKS}, offset=False, *, out=None)",
    "tflite.slice": "(input_, begin, size, *, out=None)",
    "openvino.strided_slice": f"(data, begin, end, strides=None, {VECTORS}, *, strict=False, out=None)",
    "openvino.slice": "(data, start, stop, step, axes=None, *, out=None)",
    "onnx.slice": "(data, starts, ends, axes=None, steps=None, *, engine='spec', out=None)",
}


@pytest.mark.parametrize("module", MODULES)
def test_no_arithmetic_and_no_numpy(module):
    """The module has imports, names and a docstring, but no operator, index or call.

    The code that finds the operations that are loaded late, or raises for names that the module lacks, is left out.
    """
    tree = ast.parse(Path(inspect.getsourcefile(import_module(f"ssop.{module}"))).read_text(encoding="utf-8"))
    tree.body = [node for node in tree.body if getattr(node, "name", "") not in ("__getattr__", "__dir__")]
    tree.body = [node for node in tree.body if "_HOMES" not in ast.unparse(node)]
    kinds = {type(node) for node in ast.walk(tree)}
    assert not kinds & {ast.BinOp, ast.UnaryOp, ast.AugAssign, ast.Subscript, ast.Compare, ast.Call, ast.For, ast.While}
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    sources = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not imported and {source.partition(".")[0] for source in sources} - {"typing", "importlib"} == {"ssop"}


@pytest.mark.parametrize(("module", "name"), FUNCTIONS)
def test_function_knows_its_name(module, name):
    function = getattr(import_module(f"ssop.{module}"), name)
    assert function.__name__ == name.replace("bitwise", "logical")  # two names of one function
    assert pickle.loads(pickle.dumps(function)) is function
    text = inspect.getdoc(function)
    for section in ("Parameters", "Returns", "Raises", "Source:", "Examples", ">>> "):
        assert section in text, section
    assert max(map(len, text.splitlines())) <= 120
    first_line = pydoc.plain(pydoc.render_doc(function)).partition("\n\n")[2].strip().splitlines()[0]
    assert first_line.startswith(f"{function.__name__}(")
    for parameter in inspect.signature(function).parameters:
        assert parameter in text, parameter


@pytest.mark.parametrize(("path", "signature"), SIGNATURES.items())
def test_signature(path, signature):
    module, name = path.split(".")
    assert str(inspect.signature(getattr(getattr(ssop, module), name))) == signature


@pytest.mark.parametrize("module", MODULES)
def test_examples_run(module):
    face = import_module(f"ssop.{module}")
    assert doctest.testmod(face).failed == 0
    runner = doctest.DocTestRunner(verbose=False)
    for name in face.__all__:
        runner.run(doctest.DocTestParser().get_doctest(inspect.getdoc(getattr(face, name)), {}, name, None, 0))
    results = runner.summarize(verbose=False)
    assert results.failed == 0 and results.attempted >= 2 * len(face.__all__)
