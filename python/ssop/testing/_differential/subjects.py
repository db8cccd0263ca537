"""What is tested: ssop itself, a Python function, or a C function; each answers calls as an oracle does."""

from __future__ import annotations

import ctypes
import importlib
import inspect
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache, partial
from random import Random
from traceback import extract_tb
from typing import Any

import numpy as np

from ssop._text import parse_dtype
from ssop.testing._differential.comparison import ssop_answer
from ssop.testing._differential.guarded import LISTS, CFunction, require_protection
from ssop.testing.calls import Answer, Array, Call, Fault, Rejection
from ssop.testing.calls.call import is_well_formed
from ssop.testing.calls.numbers import random_array
from ssop.testing.calls.specs import MASKS, bit_of, with_positive_strides, without_entry
from ssop.testing.oracles import Isolated
from ssop.testing.oracles.interface import Asked

REJECTIONS = (ValueError, IndexError, TypeError, OverflowError, NotImplementedError)
"""How a Python subject rejects a call; any other exception is a fault."""


@dataclass(frozen=True)
class Supports:
    """What a subject can do; calls beyond it are changed so that they fit, or are not drawn.

    >>> Supports.of("ranks=1..4 masks=begin,end negative-steps=no")  # doctest: +NORMALIZE_WHITESPACE
    Supports(ranks=(1, 4), dtypes=None, masks=('begin_mask', 'end_mask'), options=None, negative_steps=False,
             malformed=False)
    """

    ranks: tuple[int, int] = (0, 64)
    dtypes: tuple[str, ...] | None = None
    """Names of NumPy's dtypes; None for all that the oracle has."""
    masks: tuple[str, ...] | None = None
    """None for all five."""
    options: tuple[str, ...] | None = None
    """Names of further parameters, such as OpenVINO's `strict`; None for all that the operation has."""
    negative_steps: bool = True
    malformed: bool = False
    """Whether it checks the form of its arguments: then it is sent floats and integers past int64 as well."""

    @classmethod
    def of(cls, declared: Any) -> Supports:
        """From a text as above, from a mapping with the same names, or None; ValueError for anything else."""
        if declared is None:
            return cls()
        if isinstance(declared, Supports):
            return declared
        if isinstance(declared, str):
            pairs = [word.partition("=")[::2] for word in declared.split()]
        elif isinstance(declared, Mapping):
            pairs = [(name, value if isinstance(value, str) else _as_text(value)) for name, value in declared.items()]
        else:
            raise ValueError(f"what a subject supports is a text or a mapping, not {declared!r}")
        result = cls()
        for name, value in pairs:
            result = replace(result, **_field(name.replace("-", "_"), value))
        return result


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple) and len(value) == 2 and all(isinstance(n, int) for n in value):
        return f"{value[0]}..{value[1]}"
    return ",".join(map(str, value))


def _field(name: str, value: str) -> dict[str, Any]:
    words = tuple(word for word in value.split(",") if word)
    if name == "ranks":
        low, _, high = value.partition("..")
        if not low.isdigit() or not (high or low).isdigit():
            raise ValueError(f"ranks={value!r} is not of the form 1..4")
        return {"ranks": (int(low), int(high or low))}
    if name == "dtypes":
        for word in words:
            try:
                parse_dtype(word)
            except ValueError:
                raise ValueError(f"dtypes={value!r}: NumPy has no dtype {word!r}") from None
        return {"dtypes": words}
    if name == "masks":
        return {"masks": () if value in ("", "none") else tuple(_mask(value, word) for word in words)}
    if name == "options":
        return {"options": () if value == "none" else words}
    if name in ("negative_steps", "malformed") and value in ("yes", "no"):
        return {name: value == "yes"}
    known = "ranks=1..4, dtypes=, masks=, options=, negative-steps=yes or no, and malformed=yes or no"
    raise ValueError(f"{name}={value!r}: known are {known}")


def _mask(value: str, word: str) -> str:
    """The full name of a mask.

    >>> [_mask("", word) for word in ("shrink", "new-axis", "begin_mask")]
    ['shrink_axis_mask', 'new_axis_mask', 'begin_mask']
    """
    short = word.replace("-", "_").removesuffix("_mask")
    for name in MASKS:
        if short in (name.removesuffix("_mask"), name.removesuffix("_axis_mask")):
            return name
    raise ValueError(f"masks={value!r}: no mask {word!r}; there are none, begin, end, ellipsis, new, shrink")


class Subject:
    """ssop itself, in this process; the base of the others."""

    is_ssop = True
    name = "ssop"
    declared = Supports()
    path: str | None = None
    """The library of a function in C, as `--subject` names it."""
    granted: tuple[str, ...] = ()
    """The options that are left out of its calls."""

    def imported(self) -> tuple[str, str]:
        """The module and the name by which a program imports it; no module if none can."""
        return "", self.name

    def check_signature(self, calls: Sequence[Asked]) -> None:
        """Raise ValueError if it cannot be called as these calls are made."""

    def supports(self, call: Asked) -> bool:
        """Whether the call is within what it declares."""
        return True

    def adapted(self, call: Asked) -> Asked:
        """The call within what it declares, where that is easy."""
        return call

    def take_for_granted(self, options: Mapping[str, Any]) -> None:
        """Leave out these options, which all calls of the oracle have, unless the subject has parameters for them."""

    def answers(self, calls: Sequence[Asked]) -> list[Answer]:
        """One for each call."""
        return [ssop_answer(call) for call in calls]

    def close(self) -> None:
        """End its process."""


class Foreign(Subject):
    """A subject of somebody else, in a child process that is started again after a crash or a hang."""

    is_ssop = False

    def __init__(self, name: str, make: Callable[[], Any], declared: Supports, seconds: float) -> None:
        self.name, self.declared = name, declared
        method = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
        self.child = Isolated(make, seconds=seconds, one_by_one=True, method=method)
        self.rng = Random(0)

    def supports(self, call: Call) -> bool:
        low, high = self.declared.ranks
        if not (self.declared.malformed or is_well_formed(call)):
            return False
        if not all(low <= array.ndim <= high for array in call.arrays[:1]):
            return False
        if self.declared.dtypes is not None and {array.dtype.name for array in call.arrays} - set(self.declared.dtypes):
            return False
        if self.declared.options is not None and self.options_of(call) - set(self.declared.options):
            return False
        masks = [name for name in MASKS if self.declared.masks is not None and name not in self.declared.masks]
        if any(np.any(call.args.get(name, 0)) for name in masks):
            return False
        steps = next((call.args[name] for name in ("strides", "steps", "step") if call.args.get(name) is not None), ())
        return self.declared.negative_steps or all(int(step) >= 0 for step in np.ravel(np.asarray(steps, object)))

    def options_of(self, call: Call) -> set[str]:
        """The options of the call that have no default value."""
        return {name for name in arguments_of(call, self.granted)[1] if not name.endswith("_mask")}

    def adapted(self, call: Call) -> Call:
        arrays, args = call.arrays, dict(call.args)
        if self.declared.dtypes is not None and not self.supports(Call(call.op, arrays)):
            dtype = np.dtype(self.rng.choice(self.declared.dtypes))
            arrays = tuple(random_array(self.rng, array.shape, dtype) for array in arrays)
        if self.declared.masks is not None:
            args = without_masks(args, [name for name in MASKS if name not in self.declared.masks])
        if not self.declared.negative_steps and isinstance(args.get("strides"), list) and is_well_formed(call):
            args = with_positive_strides(args)
        return Call(call.op, arrays, args, call.how)

    def answers(self, calls: Sequence[Call]) -> list[Answer]:
        return self.child.answers(calls)

    def close(self) -> None:
        self.child.close()


def without_masks(args: dict[str, Any], masks: Sequence[str]) -> dict[str, Any]:
    """The spec without these masks, and without the entries that stand for no axis because of them.

    >>> spec = {"begin": [0, 5], "end": [0, 9], "strides": [0, 1], "new_axis_mask": 1, "end_mask": 2}
    >>> without_masks(spec, ["new_axis_mask"])
    {'begin': [5], 'end': [9], 'strides': [1], 'new_axis_mask': 0, 'end_mask': 1}
    """
    result, vectors = dict(args), [name for name in ("begin", "end", "strides") if np.ndim(args.get(name, 0)) == 1]
    axisless = [name for name in ("new_axis_mask", "ellipsis_mask") if name in masks and name in args]
    for entry in reversed(range(max((len(args[name]) for name in vectors), default=0))):
        if any(bit_of(args[name], entry) for name in axisless):
            for name in vectors:
                result[name] = without_entry(result[name], entry)
            for name in MASKS:
                if name in result:
                    result[name] = mask_without_entry(result[name], entry)
    for name in masks:
        if name in args:
            result[name] = 0 if isinstance(args[name], int) else [0] * len(result[name])
    return result


def mask_without_entry(mask: Any, entry: int) -> Any:
    """A mask of bits, or a vector, whose later entries have moved down by one.

    >>> mask_without_entry(0b1101, 1), mask_without_entry([1, 0, 1], 0), mask_without_entry([], 0)
    (7, [0, 1], [])
    """
    if not isinstance(mask, int):
        return without_entry(mask, entry)
    return mask >> (entry + 1) << entry | mask & ((1 << entry) - 1)


class PythonSubject(Foreign):
    """A function with the parameters of ssop's operation, or `"module:function"`, imported in the child process."""

    def __init__(self, function: Any, declared: Any, seconds: float) -> None:
        if isinstance(function, str):
            loaded = load_function(function)  # so that a wrong name is told at once
            name = function
        else:
            loaded, name = function, getattr(function, "__name__", repr(function))
        supports = Supports.of(declared if declared is not None else getattr(loaded, "supports", None))
        super().__init__(name, partial(PythonFunction, loaded), supports, seconds)
        self.function = loaded

    def imported(self) -> tuple[str, str]:
        return importable(self.name, self.function)

    def check_signature(self, calls: Sequence[Call]) -> None:
        check_signature(self.name, self.function, [(call.op, *arguments_of(call, self.granted)) for call in calls])

    def take_for_granted(self, options: Mapping[str, Any]) -> None:
        self.granted = tuple(name for name in options if not has_parameter(self.function, name))
        self.child.make = partial(PythonFunction, self.function, self.granted)


def has_parameter(function: Any, name: str) -> bool:
    """Whether a function can be called with an argument of this name."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # of some functions in C
        return True
    return any(parameter.name == name or parameter.kind is parameter.VAR_KEYWORD for parameter in parameters)


def check_signature(name: str, function: Any, made: Sequence[tuple[str, Sequence[Any], Mapping[str, Any]]]) -> None:
    """Raise ValueError, in a line, for arguments that a function has no parameter for.

    `made` has of each call the operation, what is passed by position, and what by name.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # of some functions in C
        return
    parameters = signature.parameters.values()
    if not any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        for op in dict.fromkeys(op for op, _, _ in made):
            named = {word for other, _, options in made if other == op for word in options}
            lacking = sorted(named - {parameter.name for parameter in parameters})
            if lacking:
                masks = all(word.endswith("_mask") for word in lacking)
                hint = (
                    "say which it has, as in supports = 'masks=begin,end'"
                    if masks
                    else ("add it, or say which it has, as in supports = 'options=none'")
                )
                raise ValueError(f"subject {name}: {op} is called with {', '.join(lacking)}, which it lacks: {hint}")
    for op, positional, options in made:
        try:
            signature.bind(*positional, **options)
        except TypeError as error:
            raise ValueError(f"subject {name}: {error}, when it is called as {op} is") from None


def importable(name: str, function: Any) -> tuple[str, str]:
    """The module of a function and its name there; no module if a program cannot import it.

    >>> importable("mine:my_slice", None), importable("f", lambda: 0)
    (('mine', 'my_slice'), ('', 'f'))
    """
    if ":" in name:
        module, _, name = name.rpartition(":")
        return module, name
    module, path = getattr(function, "__module__", ""), getattr(function, "__qualname__", "<")
    return (module, path) if "<" not in path and module != "__main__" else ("", name)


def load_object(text: str) -> Any:
    """What `module:name` names; the current folder counts, too. ValueError if it is missing."""
    module_name, _, name = text.rpartition(":")
    if not module_name:
        raise ValueError(f"subject {text!r} is not of the form module:function or ./lib.so:function")
    folder = os.getcwd()
    sys.path.insert(0, folder)
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise ValueError(f"subject {text!r}: {error}") from None
    except (Exception, SystemExit) as error:  # whatever the user's module does
        frames = [] if isinstance(error, SyntaxError) else extract_tb(error.__traceback__)
        line = f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno}: {frames[-1].line})" if frames else ""
        raise ValueError(f"subject {text!r}: importing it raised {type(error).__name__}: {error}{line}") from None
    finally:
        if folder in sys.path:  # the module may have changed it
            sys.path.remove(folder)
    if not hasattr(module, name):
        raise ValueError(f"subject {text!r}: the module {module_name} has no function {name!r}")
    return getattr(module, name)


def load_function(text: str) -> Callable[..., Any]:
    """The function that `module:function` names, as `load_object` finds it; ValueError if it cannot be called."""
    found = load_object(text)
    if not callable(found):
        module_name, _, name = text.rpartition(":")
        raise ValueError(f"subject {text!r}: the module {module_name} has no function {name!r}")
    result: Callable[..., Any] = found
    return result


class CSubject(Foreign):
    """A C function as in subject.h. What kills it is found out by calls on memory that only shows what was written."""

    def __init__(self, path: str, name: str, declared: Any, seconds: float) -> None:
        require_protection()
        if not os.path.exists(path):
            raise ValueError(f"subject: there is no file {path}")
        try:
            library = ctypes.CDLL(os.path.abspath(path))
            getattr(library, name)
        except (OSError, AttributeError) as error:
            raise ValueError(f"subject {path}:{name}: {error}") from None
        if declared is None and hasattr(library, f"{name}_supports"):
            declared = text_of(library, f"{name}_supports")
        super().__init__(
            f"{path}:{name}", partial(CFunction, os.path.abspath(path), name), Supports.of(declared), seconds
        )
        self.path = f"{path}:{name}"

    def supports(self, call: Call) -> bool:
        negative = call.args.get("allow_negative_indices", False)
        return call.op in LISTS and isinstance(negative, bool) and self.well_formed(call) and super().supports(call)

    def well_formed(self, call: Call) -> bool:
        """Whether its lists have one length and integers of 64 bits, and its array no objects."""
        lists = [call.args.get(name) for name in LISTS[call.op] if name]
        lengths = {len(values) for values in lists if values is not None and np.ndim(values) == 1}
        return len(lengths) == 1 and is_well_formed(call) and not call.arrays[0].dtype.hasobject

    def answers(self, calls: Sequence[Call]) -> list[Answer]:
        answers = super().answers(calls)
        return [self.diagnosed(call, answer) for call, answer in zip(calls, answers, strict=True)]

    def diagnosed(self, call: Call, answer: Answer) -> Answer:
        """A crash by touching forbidden memory, told as what it was."""
        if str(answer.error) not in ("crashed: SIGSEGV", "crashed: SIGBUS"):
            return answer
        for soft in ("output", "input output"):
            again = self.child.answers([Call(call.op, call.arrays, call.args, f"soft {soft}")])[0]
            text = str(again.error)
            if text.startswith("wrote"):
                return again
            if not text.startswith("crashed"):
                place = "output" if soft == "output" else "input"
                return Answer(error=Fault(f"read outside the {place} (SIGSEGV)"))
        return answer


class SymbolInfo(ctypes.Structure):
    """Dl_info of the C library: in which library an address is."""

    _fields_ = (
        ("path", ctypes.c_char_p),
        ("base", ctypes.c_void_p),
        ("symbol", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
    )


def text_of(library: ctypes.CDLL, name: str) -> str:
    """The text of a variable of a library: `const char name[]`, or `const char *name`.

    A pointer into the same library is followed. Its bytes are no printable text, for it has a byte 0 or above 0x7e.
    """

    def base(address: int | None) -> int | None:
        info = SymbolInfo()
        return info.base if ctypes.CDLL(None).dladdr(ctypes.c_void_p(address), ctypes.byref(info)) else None

    address = ctypes.addressof(ctypes.c_char.in_dll(library, name))
    text = ctypes.string_at(address)
    if (
        not (text and text.isascii() and text.decode().isprintable())
        and address % ctypes.alignment(ctypes.c_void_p) == 0
    ):
        pointer = ctypes.c_void_p.from_address(address).value
        if pointer is not None and base(pointer) == base(address):
            text = ctypes.string_at(pointer)
    return text.decode(errors="replace")


def subject_of(subject: Any, *, supports: Any = None, seconds: float = 10.0) -> Subject:
    """The subject that a user names: see `difftest`."""
    if subject is None:
        return Subject()
    if isinstance(subject, Subject):
        return subject
    if isinstance(subject, str):
        path, _, name = subject.rpartition(":")
        if path.endswith((".so", ".dylib", ".dll")) or os.sep in path:
            return CSubject(path, name, supports, seconds)
        return PythonSubject(subject, supports, seconds)
    if not callable(subject):
        raise ValueError(f"a subject is a function, 'module:function' or './lib.so:function', not {subject!r}")
    return PythonSubject(subject, supports, seconds)


# In the child process


class PythonFunction:
    """The server in the child process: `load`, then `answers`."""

    def __init__(self, function: Callable[..., Any], granted: tuple[str, ...] = ()) -> None:
        self.function, self.granted = function, granted

    def load(self) -> None:
        """Nothing is left to do."""

    def answers(self, calls: Sequence[Call]) -> Iterator[Answer]:
        """What the function returns; whatever is wrong with it is a `Fault` in one line."""
        for call in calls:
            yield self.answer(call)

    def answer(self, call: Call) -> Answer:
        """One call, whose arrays are the function's own copies."""
        arrays = [array.copy(order="K") for array in call.arrays]
        before = [array.tobytes() for array in arrays]
        own = Call(call.op, tuple(arrays), deepcopy(call.args), call.how)
        positional, named = arguments_of(own, self.granted)
        others = repr([value for value in positional if not isinstance(value, np.ndarray)])
        try:
            result = self.function(*positional, **named)
        except REJECTIONS as error:
            told = f"{error}{self.where(error)}"
            rejection: Answer = Answer(error=Rejection(type(error).__name__, told))
            return rejection if self.unchanged(arrays, before) else Answer(error=Fault("changed its input"))
        except BaseException as error:
            return Answer(error=Fault(f"raised {type(error).__name__}: {error}{self.where(error)}"))
        if isinstance(result, np.generic):
            result = np.asarray(result)
        if not isinstance(result, np.ndarray):
            return Answer(error=Fault(f"returned {type(result).__name__}, which is no NumPy array"))
        lists = repr([value for value in positional if not isinstance(value, np.ndarray)])
        if not self.unchanged(arrays, before) or call.name != "concatenate" and lists != others:
            return Answer(error=Fault("changed its input"))
        if any(np.may_share_memory(result, array) for array in arrays if array.size and result.size):
            return Answer(error=Fault("returned a view of its input"))
        return Answer.of(result)

    def where(self, error: BaseException) -> str:
        """The line of the function's own file that the exception came through; nothing if it came through no line."""
        return own_line(self.function, error)

    def unchanged(self, arrays: Sequence[Array], before: Sequence[bytes]) -> bool:
        """Whether the arrays have the bytes that they had."""
        return all(array.tobytes() == data for array, data in zip(arrays, before, strict=True))


def arguments_of(call: Call, granted: Sequence[str] = ()) -> tuple[list[Any], dict[str, Any]]:
    """Arrays and lists by position, as ssop's function has them; masks and options by name, without default values.

    The options `granted` are left out.

    >>> arguments_of(Call("tf.slice", (np.zeros(2),), {"begin": [0], "size": [1]}))
    ([array([0., 0.]), [0], [1]], {})
    >>> window = {"start_index": 0, "limit_index": 2, "stride": 1, "axis": -1}
    >>> arguments_of(Call("xla.slice_in_dim", (np.zeros(2),), window))
    ([array([0., 0.]), 0, 2], {'axis': -1})
    """
    given = call.operands | {name: _plain(value) for name, value in call.args.items() if name not in granted}
    positional: list[Any] = []
    parameters = _parameters(call.op)
    for name, parameter in parameters.items():
        optional = parameter.default is not None and parameter.default is not parameter.empty
        if name not in given or optional or parameter.kind is parameter.KEYWORD_ONLY:
            break
        positional.append(given.pop(name))
    return positional, {name: value for name, value in given.items() if not _is_default(name, value, parameters)}


@cache
def _parameters(op: str) -> Mapping[str, inspect.Parameter]:
    """Those of ssop's function."""
    dialect, _, name = op.partition(".")
    return inspect.signature(getattr(importlib.import_module(f"ssop.{dialect}"), name)).parameters


def _is_default(name: str, value: Any, parameters: Mapping[str, inspect.Parameter]) -> bool:
    if name.endswith("_mask"):
        return not np.any(value)
    default = parameters[name].default if name in parameters else inspect.Parameter.empty
    same_kind = type(value) is type(default) or isinstance(value, np.generic) and not isinstance(default, str | None)
    return same_kind and (value is None or isinstance(value, bool | str | int | np.generic)) and bool(value == default)


def own_line(function: Any, error: BaseException) -> str:
    """The last line of the function's own file in an exception's traceback, as the end of a message.

    >>> def mine(x): return x[5]
    >>> try: mine([])
    ... except IndexError as error: own_line(mine, error).split(":")[0]
    ' (<doctest ssop.testing._differential.subjects.own_line[0]>'
    """
    while isinstance(function, partial):
        function = function.func
    code = getattr(inspect.unwrap(function), "__code__", None)
    frames = [frame for frame in extract_tb(error.__traceback__) if code and frame.filename == code.co_filename]
    if not frames:
        return ""
    return f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno}: {frames[-1].line})"


def _plain(value: Any) -> Any:
    """Lists of Python's integers in place of arrays."""
    return value.tolist() if isinstance(value, np.ndarray) and value.ndim == 1 else value
