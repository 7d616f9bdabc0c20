"""ALiBi: the biases of BLOOM, Falcon and MPT."""

import inspect

import torch

from ..._asked import Trial
from . import forms

# Heads: powers of two and others, among them those of Falcon-7B.
_HEADS = (1, 8, 12, 71)
_KEYS = 4096


def trials(thing, dtypes):
    function = thing
    if inspect.isclass(thing):
        name = next(one for one in vars(thing) if "alibi" in one)
        function = lambda *given: getattr(thing, name)(None, *given)  # noqa: E731: the method of no instance
        takes = list(inspect.signature(getattr(thing, name)).parameters)[1:]
    else:
        takes = list(inspect.signature(thing).parameters)
    for spec in forms.configured(thing, "alibi"):
        yield from _of_heads(function, takes, spec, "default configuration", dtypes, "configuration")
    for heads in _HEADS:
        yield from _of_heads(function, takes, {"scheme": "alibi", "num_heads": heads}, f"{heads} heads", dtypes, "formula")


def _of_heads(function, takes, spec, what, dtypes, source):
    heads = spec["num_heads"]
    if takes[0] == "attention_mask":
        for dtype in forms.kinds(dtypes):
            given = function(torch.ones(1, _KEYS, dtype=torch.long), heads, dtype)
            yield _trial(f"{what}, {forms.name_of(dtype)}", spec, given.reshape(heads, _KEYS), source)
    else:  # MPT counts from the last key backwards, as its configuration says
        spec = {**spec, "bias": "distance_to_last"}
        yield _trial(what, spec, function(heads, _KEYS, spec.get("max_bias", 8)).reshape(heads, _KEYS), source)


def _trial(what, spec, bias, source):
    return Trial(what, spec, {"bias": bias}, {}, source)
