"""Definitions as text, which patterns tell apart, and what of them can be called."""

import functools
import inspect
import re

import torch

from .... import _library
from ..._asked import Unjudged


def form(thing):
    """A definition as text: its name and parameters, then those of the methods of a class, which patterns tell apart."""
    thing = getattr(thing, "_torchdynamo_inline", thing)  # the function that TorchScript compiled
    if inspect.isfunction(thing):
        return f"function {thing.__name__}({', '.join(inspect.signature(thing).parameters)})"
    named = [f"class {thing.__name__}"]
    for name, method in vars(thing).items():
        method = getattr(method, "__func__", getattr(method, "__wrapped__", method))
        if inspect.isfunction(method):
            named.append(f"{name}({', '.join(one for one in inspect.signature(method).parameters if one != 'self')})")
    return " ".join(named)


def name_of(dtype):
    return str(dtype).replace("torch.", "")


def method(thing, pattern, instance=None):
    """A function itself, or the first method of a class with this pattern in its name, of this instance."""
    if not inspect.isclass(thing):
        return thing
    found = inspect.unwrap(next(getattr(thing, name) for name in vars(thing) if re.search(pattern, name)))
    return functools.partial(found, instance) if "self" in inspect.signature(found).parameters else found


def first(attempts):
    """The result of the first attempt that raises nothing."""
    problems = []
    for attempt in attempts:
        try:
            return attempt()
        except (RuntimeError, IndexError, TypeError, ValueError, AttributeError, AssertionError, Unjudged) as error:
            problems.append(error)
    if isinstance(problems[0], Unjudged):
        raise problems[0]
    raise Unjudged(f"its call raises {_library.one_line(problems[0])}")


def lattice(rows, axes=1, steps=1024, seed=0):
    """Real positions from 0 to 1, drawn from multiples of 1/steps: [axes, rows] of float32, exact."""
    return torch.randint(0, steps + 1, (axes, rows), generator=torch.Generator().manual_seed(seed)) / steps
