"""Objects of a kind that the C functions did not expect: keywords that are no strings (issue 38, item 1)."""

import functools

import pytest

import ssop
from ssop import _core, onnx, openvino, shapes, tf, tflite, xla

KEYS = [2**70, 1, 1.5, None, b"begin", ("begin",), frozenset(), object()]


class Name(str):
    """A keyword may be of a subclass."""

    __slots__ = ()


def callables():
    """Every function, type and method that C code makes, by its name."""
    found = {}
    for module in (ssop, _core, shapes, xla, tf, tflite, onnx, openvino):
        for name, value in vars(module).items():
            if callable(value) and not name.startswith("__"):
                found[f"{module.__name__}.{name}"] = value
    for kind in (ssop.Region, ssop.Plan, shapes.Dim, shapes.PartialShape):
        found |= {f"{kind.__name__}.{name}": getattr(kind, name) for name in dir(kind) if callable(getattr(kind, name))}
    return found


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_keywords_that_are_no_strings(key):
    """`PartialShape(**{2**70: 1})` crashed: the interpreter passes on any key to a constructor."""
    for name, function in callables().items():
        with pytest.raises(TypeError):
            function(**{key: 1})
            pytest.fail(name)


@pytest.mark.parametrize("kind", [ssop.Region, ssop.Plan, shapes.Dim, shapes.PartialShape])
@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_constructors_name_themselves(kind, key):
    for construct in (kind, functools.partial(kind, **{key: 1}), functools.partial(kind.__new__, kind, **{key: 1})):
        with pytest.raises(TypeError, match=r"^(Region|plan|Dim|PartialShape)\(\) keywords must be strings$"):
            construct(**{key: 1})


def test_keywords_of_a_subclass_of_str_and_with_surrogates():
    assert shapes.PartialShape(**{Name("dims"): [2]}).dims == (2,)
    for key in ("\ud800", Name("dim"), "dims\0", ""):
        with pytest.raises(TypeError, match="unexpected keyword argument"):
            shapes.PartialShape(**{key: 1})
