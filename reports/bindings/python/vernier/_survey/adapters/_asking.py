"""The common part of adapters of small libraries: which function asks which class."""

import importlib
import os
import re
import sys
import types

from .._asked import Unjudged, folder_of


def trials(library, asked, subject, dtypes, is_alone=False):
    """The Trials of a class. asked: pairs of a pattern of names, and a function of the class and of dtypes that yields them.

    is_alone: its module is imported without the library's packages, which take long to import.
    """
    ask = next((ask for pattern, ask in asked if re.search(pattern, subject.name)), None)
    if ask is None:
        raise Unjudged("no adapter yet")
    module, _, attribute = subject.name.rpartition(".")
    return ask(getattr(import_of(library, module, is_alone), attribute), dtypes)


def import_of(library, module, is_alone=False):
    """A module of a library, alone if that is asked for or the library's packages cannot be imported."""
    try:
        return _alone(library, module) if is_alone else importlib.import_module(f"{library}.{module}")
    except Exception as error:  # a package that the library needs is not installed, or is too new for it
        problem = f"{type(error).__name__}: {error}"
    try:
        return _alone(library, module)
    except Exception as error:
        raise Unjudged(f"its module cannot be imported ({problem})") from error


def _alone(library, module):
    """A module of a library without what the __init__.py of its packages import."""
    for name in [name for name in sys.modules if name.split(".")[0] == library]:
        del sys.modules[name]
    parts, folder = [library], folder_of(library)
    for part in [*module.split("."), None]:
        package = sys.modules[".".join(parts)] = types.ModuleType(".".join(parts))
        package.__path__ = [folder]
        if part is None or not os.path.isdir(os.path.join(folder, part)):
            break
        parts.append(part)
        folder = os.path.join(folder, part)
    return importlib.import_module(f"{library}.{module}")


def formats(dtypes):
    """PyTorch's types among those to ask for."""
    import torch

    return [getattr(torch, name) for name in ("float32", "bfloat16") if name in dtypes]


def by_rows(rotate):
    """A rotation of [1, heads, rows, width], of one that takes [1, rows, heads, width]."""
    return lambda vector: rotate(vector.transpose(1, 2)).transpose(1, 2)
