"""Calls of every public callable with anything: what is called with what, and which errors may come of it.

A call starts from arguments that are accepted. Some of them are replaced by hostile objects, or by lists that hold one;
or names and counts of the arguments are wrong. All follows from a seed and the number of the call.
"""

import collections
import enum
import inspect
import os
import random
import signal
import sys
import traceback
import warnings
from typing import NamedTuple

import numpy as np

import ssop
from memory.callables import callables
from memory.hostile import KINDS, Emptying, LyingText

POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
# numpy.dtype reads what it is given to its end.
READ_BY_NUMPY = {"dtype"}
# Where the methods of objects are that are instances of other libraries' classes.
LIBRARIES = (np.ma.__path__[0], enum.__file__, os.path.dirname(collections.__file__), "<frozen _collections_abc>")
CALLING = (
    "Computation",
    "Computation.__call__",
    "call",
    "cond",
    "conditional",
    "custom_call",
    "indexed_conditional",
    "map",
    "sort",
    "switch",
    "while_",
    "while_loop",
)
# Besides SliceError, MemoryError, TypeError for names and counts of arguments, and what the objects raise themselves.
DOCUMENTED = {
    "ssop.Explanation.__hash__": (TypeError,),  # slices are not hashable before Python 3.12
    "ssop.Inference.__getitem__": (KeyError, IndexError, TypeError, ValueError),  # as a dict of tuples
    "ssop.convert.Laws.__getitem__": (KeyError, TypeError),  # as a dict
    "ssop.shapes.PartialShape.__getitem__": (TypeError, IndexError),  # as a tuple
    "ssop.divergences.rows": (TypeError, ValueError),  # as a dict; of no such kind
    "ssop.inspect.__call__": (ImportError,),  # without the package that reads the format
    "ssop.infer_shape": (TypeError,),  # attributes whose names the operation lacks
    # numpy.dtype's, and those of an object whose repr its message shows
    **dict.fromkeys(("ssop.plan", "ssop.Plan"), (TypeError, ValueError, RecursionError)),
    "ssop.shapes.InferenceContext.run": (TypeError,),  # of what is no function: a mistake, no answer (sh_c33)
    "ssop.xla.clamp": (TypeError,),  # of objects without an order
    **dict.fromkeys(
        (f"ssop.xla.{name}" for name in CALLING), (TypeError, ValueError)
    ),  # what a computation raises of what it is called with
    "ssop.shapes.ShapeAndType": (TypeError, ValueError, RecursionError),  # numpy.dtype's, as of ssop.plan
}


class Call(NamedTuple):
    called: object
    positional: list
    keywords: dict
    kinds: list  # of the hostile objects
    finite: list  # arguments that numpy.asarray reads to their end
    text: str


# ---- what is called with what ----------------------------------------------------------------------------------------


class Draw:
    """Makes one call."""

    def __init__(self, called, rng):
        self.called, self.rng = called, rng
        self.kinds, self.finite, self.words = [], [], []

    def hostile(self, parameter=None):
        names = [name for name, kind in KINDS.items() if not (kind.is_endless and parameter in READ_BY_NUMPY)]
        name = self.rng.choice(names)
        self.kinds.append(name)
        made = KINDS[name].make(self.rng)
        if not KINDS[name].is_endless:
            self.finite.append(made)
        return made

    def replacement(self, parameter, value):
        """A hostile object, or what was there with one inside."""
        rng, new = self.rng, self.hostile(parameter)
        if isinstance(value, list | tuple) and rng.random() < 0.5:
            items = list(value) or [0]
            items[rng.randrange(len(items))] = new
            if type(new) is Emptying:
                new.victims.append(items)
            return items if rng.random() < 0.7 else tuple(items)
        kind = rng.random()
        return new if kind < 0.8 else [new] * rng.choice([1, 2, 40]) if kind < 0.95 else {"x": new}

    def arguments(self):
        values = self.called.plausible()
        names = [name for name, _ in self.called.parameters]
        for name in self.rng.sample(names, min(len(names), self.rng.choice([1, 1, 1, 2, 3]))):
            count = len(self.kinds)
            values[name] = self.replacement(name, values[name])
            if not any(KINDS[kind].is_endless for kind in self.kinds[count:]):
                self.finite.append(values[name])
            self.words.append(f"{name}: {', '.join(self.kinds[count:])}")
        return values

    def placed(self, values):
        """The arguments by place and by name."""
        positional, keywords, by_name = [], {}, False
        for name, kind in self.called.parameters:
            value = values[name]
            if kind is inspect.Parameter.VAR_POSITIONAL:
                positional += value if issubclass(type(value), list | tuple) else [value]
            elif kind is inspect.Parameter.VAR_KEYWORD:
                keywords |= value if type(value) is dict else {"other": value}  # which nothing is called
            else:
                by_name = by_name or (kind is not POSITIONAL[0] and self.rng.random() < 0.2)
                if kind in POSITIONAL and not by_name:
                    positional.append(value)
                else:
                    keywords[name] = value
        return positional, keywords

    def misfit(self, positional, keywords):
        """Wrong names and counts of arguments."""
        rng, names = self.rng, [name for name, _ in self.called.parameters]
        wrong = [{1: 2}, {2**70: 1}, {"nothing_like_it": 0}, {"": 0}, {"\ud800": 0}, {LyingText("q"): 0}, {None: 1}]
        form = rng.randrange(6)
        self.words.append(f"misfit {form}")
        if form == 0:
            return positional, keywords | rng.choice(wrong)
        if form == 1:
            return positional + [self.hostile() for _ in range(rng.choice([1, 9, 300]))], keywords
        if form == 2:
            return positional[: rng.randrange(len(positional) + 1)], {}
        if form == 3 and names:
            name = rng.choice(names)
            return positional, keywords | {name: self.hostile(name)}  # given twice, if it is there by place
        return [], rng.choice(wrong) | ({} if form == 4 else keywords)

    def call(self):
        positional, keywords = self.placed(self.arguments())
        if self.rng.random() < 0.12:
            positional, keywords = self.misfit(positional, keywords)
        text = f"{self.called.name}({'; '.join(self.words)})"
        return Call(self.called, positional, keywords, self.kinds, self.finite, text)


def make_call(everything, seed, number):
    called = everything[number % len(everything)]
    return Draw(called, random.Random(f"{seed} {number}")).call()


# ---- which errors may come of it -------------------------------------------------------------------------------------


def chain(error):
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def place_of(error):
    """The file and the line where it was raised."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return place.filename, place.lineno


def fits(call):
    """Whether names and counts of the arguments are right."""
    if (
        call.called.signature is None
        or not all(type(name) is str for name in call.keywords)
        or "other" in call.keywords
    ):
        return False
    try:
        call.called.signature.bind(*call.positional, **call.keywords)
    except TypeError:
        return False
    return True


def is_of_numpy(call, error):
    """Whether numpy.asarray raises such an error for one of the objects: arrays are converted by it (in_s1)."""
    for thing in call.finite:
        try:
            np.asarray(thing)
        except type(error):
            return True
        except Exception:
            continue
    return False


def is_allowed(call, error):
    if isinstance(error, ssop.SliceError | MemoryError):
        return True
    if any(getattr(each, "of_the_object", False) for each in chain(error)):
        return True
    if any(isinstance(error, KINDS[kind].raises) for kind in call.kinds):
        return True
    name = call.called.name
    if place_of(error)[0].startswith(LIBRARIES):
        return True  # a method of the object itself
    if isinstance(error, DOCUMENTED.get(name, ())):
        return True
    return (type(error) is TypeError and not fits(call)) or is_of_numpy(call, error)


# ---- in the child ----------------------------------------------------------------------------------------------------


def limit_memory(size):
    """Objects may ask for any amount of memory: MemoryError comes before the machine swaps."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (size, size))


def watch(seconds):
    """A call that computes for longer ends the process, after the traceback; the time of others does not count."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


def run_one(call):
    """What is wrong with how the call ended, or None."""
    try:
        call.called.get()(*call.positional, **call.keywords)
    except BaseException as error:
        watch(0)
        if is_allowed(call, error):
            return None
        file, line = place_of(error)
        return f"{type(error).__name__}: {text_of(error)[:200]} ({os.path.basename(file)}:{line})"
    return None


def text_of(thing):
    try:
        return str(thing).encode("ascii", "backslashreplace").decode()
    except Exception as error:
        return f"(no text: {type(error).__name__})"


def prepare():
    """Errors of the watch and crashes leave a traceback."""
    import faulthandler

    faulthandler.enable()
    if hasattr(signal, "setitimer"):
        faulthandler.register(signal.SIGPROF, chain=True)
    warnings.simplefilter("ignore")
    sys.unraisablehook = lambda _: None


def run(seed, first, calls, seconds, begin, tell):
    """Make the calls; `begin` is told each number and `tell` what was found. Returns how many callables there are."""
    everything = callables()
    threads = ssop.get_num_threads()
    prepare()
    for number in range(first, first + calls):
        call = make_call(everything, seed, number)
        begin(number, call.text)
        watch(seconds)
        found = run_one(call)
        watch(0)
        ssop.set_num_threads(threads)
        if found is not None:
            tell(number=number, text=call.text, found=found)
        del call
    return len(everything)
