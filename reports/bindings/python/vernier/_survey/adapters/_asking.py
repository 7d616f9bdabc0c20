"""The common part of adapters of small libraries: rows that say how each class of their sources is asked."""

import importlib
import os
import re
import sys
import types

from .._asked import Trial, Unjudged, folder_of
from . import _sources


def adapter(library, kinds, asked=(), is_read=lambda path: True, **reasons):
    """The subjects() and trials() of a library's adapter. kinds, is_read, reasons: those of _sources.subjects().

    asked: rows of a pattern of names and of askers, which are functions of the class and of dtypes that yield Trials.
    """
    def trials(subject, dtypes):
        askers = next((askers for pattern, *askers in asked if re.search(pattern, subject.name)), None)
        if askers is None:
            raise Unjudged("no adapter yet")
        module, _, attribute = subject.name.rpartition(".")
        thing = getattr(import_of(library, module), attribute)
        for ask in askers:
            yield from ask(thing, dtypes)

    return lambda: _sources.subjects(library, is_read, kinds, **reasons), trials


def import_of(library, module):
    """A module of a library. Its packages stand empty if they cannot be imported."""
    try:
        return importlib.import_module(f"{library}.{module}")
    except Exception as error:  # what the packages import besides is not installed, or is too new for them
        problem = f"{type(error).__name__}: {error}"
    for name in [name for name in sys.modules if name.split(".")[0] == library]:
        del sys.modules[name]
    name, folder = library, folder_of(library)
    for part in module.split("."):
        package = sys.modules[name] = types.ModuleType(name)
        package.__path__ = [folder]
        name, folder = f"{name}.{part}", os.path.join(folder, part)
    try:
        return importlib.import_module(name)
    except Exception as error:
        raise Unjudged(f"its module cannot be imported ({problem})") from error


def asker(trials):
    """A function of what a row says, which returns an asker. trials: a function of the class, of dtypes and of that."""
    return lambda *said, **options: lambda thing, dtypes: trials(thing, dtypes, *said, **options)


@asker
def answer(thing, dtypes, spec, call, what="default arguments", **options):
    """One Trial. call: of the class; the tensors that it answers, by role."""
    yield Trial(what, spec, call(thing), options, "formula")


@asker
def alibis(thing, dtypes, call, bias="distance", dtype="float32"):
    """8 heads and 12. call: of the class and of their number; the tensors that it answers, by role."""
    for heads in (8, 12) if dtype in dtypes else ():
        spec = {"scheme": "alibi", "num_heads": heads, "bias": bias}
        yield Trial(f"{heads} heads, {dtype}", spec, call(thing, heads), source="formula")


def alike(asker, calls):
    """Rows of one asker. calls: of the class, by pattern."""
    return [(pattern, asker(call)) for pattern, call in calls.items()]


def formats(dtypes):
    """The types among those to ask for that tensors have."""
    return [name for name in ("float32", "bfloat16") if name in dtypes]


def named(options):
    return ", ".join(f"{name} {value}" for name, value in options.items()) or "default arguments"
