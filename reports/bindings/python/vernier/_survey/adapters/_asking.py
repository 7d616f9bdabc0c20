"""The common part of adapters of small libraries: rows that say how each class of their sources is asked."""

import importlib
import os
import re
import sys
import types

from .._asked import Trial, Unjudged, folder_of
from . import _sources


def adapter(library, kinds, asked=(), is_read=lambda path: True, form=None, **reasons):
    """The subjects() and trials() of a library's adapter. kinds, is_read, reasons: those of _sources.subjects().

    asked: rows of a pattern of names, or of what form() tells of a definition, and of askers: functions of the definition and of
    dtypes that yield Trials.
    """
    def trials(subject, dtypes):
        thing = definition(library, subject.name)
        told = form(thing) if form else subject.name
        askers = next((askers for pattern, *askers in asked if re.search(pattern, told)), None)
        if askers is None:
            raise Unjudged(f"no adapter asks for what it computes: {told[:120]}" if form else "no adapter yet")
        for ask in askers:
            yield from ask(thing, dtypes)

    return lambda: _sources.subjects(library, is_read, kinds, **reasons), trials


def definition(library, name):
    """A class or function of a library, by its name in it."""
    module, _, attribute = name.rpartition(".")
    return getattr(_import_of(library, module), attribute)


def _import_of(library, module):
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


def answer(spec, call, what="default arguments", **options):
    """An asker of one Trial. call: of the definition; the tensors that it answers, by role."""
    def asker(thing, dtypes):
        yield Trial(what, spec, call(thing), options, "formula")

    return asker


def turned(what, spec, given, rotated, at, options, source="formula"):
    """A Trial of vectors [.., rows, width] before a rotation and after it."""
    if tuple(rotated.shape) != tuple(given.shape):
        raise Unjudged(f"{what}: rotated vectors have the shape {list(rotated.shape)}, expected {list(given.shape)}")
    return Trial(f"rotated vectors, {what}", spec, {"input": given, "rotated": rotated, "positions": at}, options, source)


def formats(dtypes):
    """The types among those to ask for that tensors have."""
    return [name for name in ("float32", "bfloat16") if name in dtypes]


def named(options):
    return ", ".join(f"{name} {value}" for name, value in options.items()) or "default arguments"
