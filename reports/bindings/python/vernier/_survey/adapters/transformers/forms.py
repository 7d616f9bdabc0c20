"""The common part of askers of tables and indices: the form of a definition, its configurations, and trials of rows."""

import inspect
import re
import sys

import torch

from .... import _library
from ...._specs import understood
from ..._asked import Trial, Unjudged

FAR = 1 << 15  # rows of the longest tables that are asked for
NEAR = 64
# Widths: even ones, and one with a column that has no partner.
WIDTHS = (64, 320, 65)
TENSOR2TENSOR = {"layout": "halves", "frequency": "tensor2tensor"}


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


def asked(askers, thing, dtypes):
    """The trials of the first asker whose pattern is found in the form of a definition."""
    text = form(thing)
    for pattern, asker in askers:
        if re.search(pattern, text):
            return asker(thing, dtypes)
    raise Unjudged(f"no adapter asks for what it computes: {text[:120]}")


def kinds(dtypes):
    """The formats that results are asked in."""
    return [getattr(torch, one) for one in dtypes if one in ("float32", "bfloat16")]


def name_of(dtype):
    return str(dtype).replace("torch.", "")


def configured(thing, scheme):
    """The specs of a scheme that Vernier reads from the default configurations of a definition's module."""
    from transformers import PretrainedConfig

    found = []
    for kind in vars(sys.modules[thing.__module__]).values():
        if inspect.isclass(kind) and issubclass(kind, PretrainedConfig) and kind is not PretrainedConfig:
            try:
                groups = understood(kind())["groups"]
            except Exception:  # what a configuration class raises, or Vernier where it reads no encoding
                continue
            found += [one["spec"] for one in groups if one["spec"] and one["spec"].get("scheme") == scheme]
    return [one for index, one in enumerate(found) if one not in found[:index]]


def config_of(thing, **changes):
    """The configuration that a class of encodings takes: the first of its module that has what changes name, with them."""
    from transformers import PretrainedConfig

    for kind in vars(sys.modules[thing.__module__]).values():
        if inspect.isclass(kind) and issubclass(kind, PretrainedConfig) and kind is not PretrainedConfig:
            try:
                config = kind()
            except Exception:
                continue
            for part in [config] + [getattr(config, name, None) for name in getattr(config, "sub_configs", None) or ()]:
                if part is not None and all(hasattr(part, name) for name in changes):
                    for name, value in changes.items():
                        setattr(part, name, value)
                    return part
    raise Unjudged(f"no configuration of its module has {', '.join(changes)}")


def first(attempts):
    """The result of the first attempt that raises nothing."""
    problems = []
    for attempt in attempts:
        try:
            return attempt()
        except (RuntimeError, IndexError, TypeError, ValueError, AttributeError, AssertionError, Unjudged) as error:
            problems.append(error)
    raise Unjudged(f"its call raises {_library.one_line(problems[0])}")


def chosen(count):
    """Some of the rows from 0 to count - 1: the first ones, and others up to the last."""
    if count <= 2 * NEAR:
        return torch.arange(count)
    return torch.cat((torch.arange(NEAR), torch.linspace(NEAR, count - 1, NEAR).long()))


def table(what, spec, rows, at, source="formula", **options):
    """A trial of rows [.., columns] at positions [rows] or [axes, rows]."""
    rows = rows.detach()
    return Trial(what, spec, {"encoding": rows.reshape(-1, rows.shape[-1]).contiguous(), "positions": at}, options, source)


def buckets(what, spec, found, at, source="formula"):
    """A trial of buckets of relative positions."""
    return Trial(what, spec, {"buckets": found.reshape(-1).long(), "relative_positions": at.reshape(-1)}, {}, source)


def plain(d_model, **keys):
    """A spec of sinusoids."""
    return {"scheme": "sinusoidal", "d_model": d_model, **keys}


def lattice(rows, axes=1, steps=1024, seed=0):
    """Real positions from 0 to 1, drawn from multiples of 1/steps: [axes, rows] of float32, exact."""
    return torch.randint(0, steps + 1, (axes, rows), generator=torch.Generator().manual_seed(seed)) / steps
