"""Every public callable of ssop, found by walking the package, with arguments that it accepts.

A callable is a function, a class, a method or a special method of an instance, or a property, whose call reads it.
Arguments are chosen by the names of the parameters; a callable whose parameters mean something else has its own.
"""

import importlib
import inspect
import pkgutil
import types
from typing import NamedTuple

import ssop
from memory.plausible import BY_NAME, INSTANCES, OF_CLASS, OWN

# Modules that are not called, each with the reason. A module of any other name is.
LEFT_OUT = {
    "ssop.__main__": "runs the command line",
    "ssop.cli": "its interface is the command line, whose arguments are text: tests/unit/test_cli*.py",
    "ssop.reference": "takes ints, lists and its own tensors, as its page says: no rule of inputs holds there",
    "ssop.stablehlo": "needs jaxlib, which reads its programs: tests/differential/test_jax_stablehlo.py",
    "ssop.testing.arrays": "no page describes it: strategies re-exports what is public",
    "ssop.testing.bench": "measures: each call takes seconds and starts processes",
    "ssop.testing.calls": "no page describes it: draws the calls of difftest",
    "ssop.testing._differential": "no page describes it: the parts of difftest",
    "ssop.testing.entries": "no page describes it: strategies re-exports what is public",
    "ssop.testing.indices": "no page describes it: strategies re-exports what is public",
    "ssop.testing.chains": "no page describes it: programs of difftest",
    "ssop.testing.converters": "converters of others, which import their frameworks",
    "ssop.testing.corpus": "writes files, and starts the processes of subjects and engines",
    "ssop.testing.defects": "reads files of the package, whose programs end their processes",
    "ssop.testing.models": "starts the processes of converters and engines",
    "ssop.testing.oracles": "starts the processes of real engines",
    "ssop.testing.strategies": "makes Hypothesis strategies, whose arguments Hypothesis checks when it draws",
    "ssop.testing.vectors": "writes files of recorded answers",
}
CALLABLES_LEFT_OUT = {
    "ssop.convert.Conversion.to_onnx": "needs onnx: tests/differential/test_convert.py",
    "ssop.convert.Conversion.to_stablehlo": "needs jax: tests/differential/test_convert.py",
    "ssop.convert.Conversion.to_tf": "needs tensorflow: tests/differential/test_convert.py",
    "ssop.widget": "needs anywidget: tests/browser/test_widget.py",
    "ssop.testing.check": "runs a comparison with a real engine",
    "ssop.testing.differential": "decorates a test, which runs a comparison: tests/unit/test_pytest_plugin.py",
    "ssop.testing.run_c": "calls a library of somebody else: tests/unit/test_c_subjects.py",
    "ssop.testing.difftest": "runs a comparison with a real engine",
    "ssop.testing.Report": "made by difftest",
    "ssop.shapes.Inference": "made by infer; its methods are called",
    "ssop.divergences": "predicates of calls that difftest draws; only rows is on a page",
}
MADE_BY_FUNCTIONS = ("Call", "Composition", "Conversion", "Equality", "Inspection", "Explanation", "Explorer")
MADE_BY_FUNCTIONS += ("Inference", "Law", "Laws", "Proof")
KEPT = {"ssop.divergences.rows"}
# Special methods that every class of Python has, and that are called here through the class or not at all.
SPECIAL_LEFT_OUT = {
    "__init__": "the class is called",
    "__new__": "the class is called",
    "__getattribute__": "properties are read",
    "__replace__": "of namedtuple and dataclass, from Python 3.13 on: the class is called",
    "__setattr__": "Python calls it with a string, and it raises AttributeError",
    "__delattr__": "Python calls it with a string, and it raises AttributeError",
    "__init_subclass__": "of object",
    "__class_getitem__": "of typing",
    "__dict__": "data",
    "__weakref__": "data",
    "__slots__": "data",
    "__doc__": "data",
    "__module__": "data",
    "__annotations__": "data",
    "__match_args__": "data",
    "__orig_bases__": "data",
    "__dataclass_fields__": "data",
    "__dataclass_params__": "data",
    "__vectorcalloffset__": "data",
    "__firstlineno__": "data",
    "__static_attributes__": "data",
    "__abstractmethods__": "data",
    "__annotate_func__": "data",
    "__annotations_cache__": "data",
}


class Called(NamedTuple):
    name: str
    get: object  # gives the callable; a method is that of a new instance
    parameters: tuple  # pairs of a name and the kind, as in inspect
    makers: dict  # by the names of the parameters: plausible values
    signature: inspect.Signature | None  # None: as the type's own errors of counts say

    def plausible(self):
        return {name: self.makers[name]() for name, _ in self.parameters}


# ---- the walk --------------------------------------------------------------------------------------------------------


def reason_for(name, table):
    """Why a name or what it is in is left out, or None."""
    parts = name.split(".")
    return next((table[parent] for n in range(len(parts), 0, -1) if (parent := ".".join(parts[:n])) in table), None)


def modules():
    """Each public module, and each that is left out."""
    names = ["ssop", *(module.name for module in pkgutil.walk_packages(ssop.__path__, "ssop."))]
    for name in names:
        if any(part.startswith("_") for part in name.removesuffix(".__main__").split(".")):
            continue
        if reason_for(name, LEFT_OUT) is None:
            yield importlib.import_module(name)


def public_names(module):
    """What the module says is public; else what it defines itself."""
    if hasattr(module, "__all__"):
        return module.__all__
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", None) == module.__name__]
    return [*own, *getattr(module, "_HOMES", ())]


def found():
    """Names and objects of the package: every public function and class once, under its shortest name."""
    seen = {}
    for module in modules():
        for name in public_names(module):
            full = f"{module.__name__}.{name}"
            if name.startswith("_") or (full not in KEPT and reason_for(full, CALLABLES_LEFT_OUT)):
                continue
            value = getattr(module, name)
            if callable(value) and not isinstance(value, types.ModuleType):
                seen.setdefault(id(value), (full, value))
    return list(seen.values())


def methods(kind):
    """Names of the methods and properties that ssop gives to a class, and whether they are called or read."""
    for parent in kind.__mro__:
        if not (parent.__module__.startswith("ssop") or parent.__module__ == "ssop"):
            continue
        for name, value in vars(parent).items():
            special = name.startswith("__") and name.endswith("__")
            if (name.startswith("_") and not special and name != "_repr_html_") or name in SPECIAL_LEFT_OUT:
                continue
            yield name, callable(getattr(kind, name, None)) or isinstance(value, classmethod | staticmethod)


def signature_of(value):
    try:
        return inspect.signature(value)
    except (ValueError, TypeError):
        return None


def default_of(value):
    return None if value is inspect.Parameter.empty else lambda: value


def called(name, get):
    value = get()
    signature = signature_of(value)
    own = OF_CLASS.get(name.rpartition(".")[0], {}) | OWN.get(name, {})
    if signature is None or name == "ssop.Plan.__call__":
        own = OWN.get(name, {})
        return Called(name, get, tuple((key, inspect.Parameter.POSITIONAL_OR_KEYWORD) for key in own), own, None)
    parameters = tuple((parameter.name, parameter.kind) for parameter in signature.parameters.values())
    defaults = {key: parameter.default for key, parameter in signature.parameters.items()}
    makers = {key: own.get(key) or BY_NAME.get(key) or default_of(defaults[key]) for key, _ in parameters}
    missing = [key for key, maker in makers.items() if maker is None]
    assert not missing, f"{name}: no plausible value for {missing}"
    return Called(name, get, parameters, makers, signature)


def reader(make, name):
    return lambda: lambda: getattr(make(), name)


def callables():
    """Each public callable."""
    everything, classes = [], {}
    for name, value in found():
        everything.append(called(name, lambda value=value: value))
        kind = value if isinstance(value, type) else type(value) if type(value).__module__.startswith("ssop") else None
        if kind is not None:
            classes[kind] = name
    for kind in (type(INSTANCES[name]()) for name in MADE_BY_FUNCTIONS):
        classes[kind] = f"ssop.{kind.__qualname__}"
    for kind, name in classes.items():
        make = INSTANCES.get(kind.__name__)
        make = make or (INSTANCES["SliceError"] if issubclass(kind, ssop.SliceError) else None)
        assert make, f"{name}: no instance"
        for method, is_called in methods(kind):
            if f"{name}.{method}" in CALLABLES_LEFT_OUT:
                continue
            get = (lambda make=make, method=method: getattr(make(), method)) if is_called else reader(make, method)
            everything.append(called(f"{name}.{method}", get))
    return everything
