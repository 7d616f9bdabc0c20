"""The shape in which definitions are asked: a pattern of a form, and an asker of a spec, of a call and of positions."""

import functools
import inspect
import re

import torch

from .... import _library
from ..._asked import Trial, Unjudged
from .. import _asking
from . import configurations

WIDTHS = ({"d_model": 64}, {"d_model": 320})
# The roles of what schemes say. Others say an encoding.
_ROLES = {"window_index": "index", "log_coordinates": "coordinates", "alibi": "bias", **dict.fromkeys(
    ("t5_bucket", "deberta_bucket", "deberta_span", "shaw", "alphafold_bin"), "buckets")}


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


def ask(spec, call, at=None, over=None, told="width {d_model}", reads=False):
    """An asker of one spec, or of several that differ in some keys.

    call: answers what the spec says. Its parameters say what it is given: thing (the class or function), at, dtype, length, or
    any key of the spec. A table of a length is judged in its rows at these positions. A call that takes dtype is asked in each
    format for the first spec. at: positions, [rows] or [axes, rows]. over: the keys in which specs differ; two widths if call
    takes one that spec has not. told: words for a spec. reads: asks for the specs of default configurations too.
    """
    takes = inspect.signature(call).parameters
    at = chosen(2048) if at is None and "length" in takes else at
    over = over or (WIDTHS if "d_model" in takes and "d_model" not in spec else ({},))

    def asker(thing, dtypes):
        specs = [(told.format(**one), one, "formula") for one in ({**spec, **keys} for keys in over)]
        if reads:
            specs += [("default configuration", one, "configuration") for one in configurations.read(thing, spec["scheme"])]
        for index, (what, one, source) in enumerate(specs):
            for dtype in formats(dtypes) if "dtype" in takes and index == 0 else [torch.float32]:
                known = {**one, "thing": thing, "at": at, "dtype": dtype, "length": None if at is None else int(at.max()) + 1}
                try:
                    found = call(**{name: known[name] for name in takes if name in known})
                except Unjudged as error:
                    yield Unjudged(str(error), what)
                    continue
                if "length" in takes:
                    found = found.reshape(-1, found.shape[-1])[at]
                yield trial(what + (f", {name_of(dtype)}" if "dtype" in takes else ""), one, found, at, source)

    return asker


def trial(what, spec, found, at, source="formula"):
    """A trial of what a definition answered: rows [.., columns], numbers of buckets, or a tensor of another role as it is."""
    role, found = _ROLES.get(spec["scheme"], "encoding"), found.detach()
    if role == "encoding":
        tensors = {role: found.reshape(-1, found.shape[-1]).contiguous(), "positions": at}
    else:
        tensors = {role: found.flatten().long(), "relative_positions": at.flatten()} if role == "buckets" else {role: found}
    return Trial(what, spec, tensors, {}, source)


def formats(dtypes):
    """PyTorch's types among those to ask for."""
    return [getattr(torch, name) for name in _asking.formats(dtypes)]


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


def chosen(count):
    """Some of the rows from 0 to count - 1: the first 64, and others up to the last."""
    return torch.cat((torch.arange(64), torch.linspace(64, count - 1, 64).long()))


def lattice(rows, axes=1, steps=1024, seed=0):
    """Real positions from 0 to 1, drawn from multiples of 1/steps: [axes, rows] of float32, exact."""
    return torch.randint(0, steps + 1, (axes, rows), generator=torch.Generator().manual_seed(seed)) / steps
