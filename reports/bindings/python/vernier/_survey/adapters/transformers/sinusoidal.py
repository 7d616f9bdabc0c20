"""Tables of sinusoids of one position. Others are asked by fourier.py, grids.py, offsets.py, points.py and weights.py."""

import inspect
import types

import torch

from ..._asked import Unjudged
from . import forms, fourier, grids, offsets, points, weights

def trials(thing, dtypes):
    return forms.asked(fourier.ASKERS + grids.ASKERS + offsets.ASKERS + points.ASKERS + weights.ASKERS + _ASKERS, thing, dtypes)


def _function(call, **keys):
    """An asker of a function of a length and a width. call(function, length, width): rows [length, width]."""
    def asker(thing, dtypes):
        for width in forms.WIDTHS:
            at = forms.chosen(forms.FAR if width == 64 else 1024)
            try:
                rows = call(thing, int(at[-1]) + 1, width)
            except ValueError as error:  # it takes even widths only, and says so
                if width % 2:
                    continue
                raise Unjudged(f"width {width}: it raises {error}") from error
            if rows.shape[-1] != width and width % 2:  # GPT-J's makes whole pairs
                continue
            at = at[at < rows.shape[-2]]
            yield forms.table(f"width {width}", forms.plain(width, **keys), rows.reshape(-1, width)[at], at)
        for spec in forms.configured(thing, "sinusoidal"):
            rows = call(thing, 1024, spec["d_model"])
            yield forms.table("default configuration", spec, rows, torch.arange(1024), "configuration")

    return asker


def _into(function, length, width):
    """Functions that fill a tensor, as DistilBERT's does, or return it, as XLM's did."""
    length = min(length, 4096)  # a loop of Python goes over all elements
    out = torch.empty(length, width)
    found = function(length, width, out)
    return out if found is None else found


def _of_channels(thing, dtypes):
    """Whisper's sinusoids in a class: those of tensor2tensor, those of NeMo for Canary, or FunASR's that count from 1."""
    for width in (64, 256, 1024):
        module, length = thing(4096, width), 4000
        at = forms.chosen(length)
        if "Canary" in thing.__name__:
            # NeMo's FixedPositionalEncoding: the paper's frequencies, divided by the root of the width, here a power of two.
            spec = forms.plain(width, layout="halves", scale=width ** -0.5)
            yield forms.table(f"width {width}", spec, module(at[None]), at)
            continue
        spec = forms.plain(width, **forms.TENSOR2TENSOR)
        if "hidden_states" in inspect.signature(module.forward).parameters:
            for dtype in forms.kinds(dtypes):
                rows = module(torch.zeros(1, length, 1, dtype=dtype))[at]
                yield forms.table(f"width {width}, {forms.name_of(dtype)}", spec, rows, at + 1)
        else:
            yield forms.table(f"width {width}", spec, module(length)[at], at)


def _of_inputs(thing, dtypes):
    """PEGASUS-X: sinusoids in the format of embeddings."""
    for width in (64, 1024):
        for dtype in forms.kinds(dtypes) if width == 64 else (torch.float32,):
            rows = thing(width)(torch.zeros(1, 4096, width, dtype=dtype))
            at = forms.chosen(4096)
            spec = forms.plain(width, **forms.TENSOR2TENSOR)
            yield forms.table(f"width {width}, {forms.name_of(dtype)}", spec, rows[0][at], at)


def _module(build, call, dtypes_too=False, **keys):
    """An asker of a class. build(class, width): an instance; call(module, length, width, dtype): rows [length, width]."""
    def asker(thing, dtypes):
        for width in (64, 256):
            module, length = build(thing, width), 2048
            at = forms.chosen(length)
            for dtype in forms.kinds(dtypes) if dtypes_too and width == 64 else (torch.float32,):
                rows = call(module.eval() if isinstance(module, torch.nn.Module) else module, length, width, dtype)
                found = rows.reshape(-1, width)
                used = at[at < len(found)]
                yield forms.table(f"width {width}, {forms.name_of(dtype)}", forms.plain(width, **keys), found[used], used)

    return asker


def _of_zoedepth(thing, dtypes):
    method = inspect.unwrap(thing.positional_encoding_1d)
    return _module(lambda *_: None, lambda _, length, width, dtype: method(None, 1, length, width, "cpu", dtype), True,
                   layout="halves")(thing, dtypes)


def _florence(thing, width):
    return thing(types.SimpleNamespace(vision_config=types.SimpleNamespace(embed_dim=[width], max_temporal_embeddings=2048)))


_ASKERS = (
    (r"function ctrl|positional_encoding\(position, d_model_size", _function(
        lambda function, length, width: function(length, width, torch.float32), layout="halves")),
    (r"function \w+\(n_pos, dim, out\)", _function(_into)),
    (r"function \w+\(num_pos, dim\)", _function(lambda function, length, width: function(length, width), layout="halves")),
    (r"function \w+\(n_position, d_hid\)", _function(lambda function, length, width: function(min(length, 4096), width))),
    (r"function \w+\(length, channels", _function(
        lambda function, length, width: function(length, width), **forms.TENSOR2TENSOR)),
    (r"function \w+\(embed_dim, pos\)", _function(
        lambda function, length, width: torch.from_numpy(function(width, torch.arange(length).numpy())).float(), layout="halves")),
    (r"__init__\(length, channels", _of_channels),
    (r"__init__\(embed_dim, max_scale\)", _of_inputs),
    (r"__init__\(dropout, dim, max_len\)", _module(
        lambda thing, width: thing(0.0, width, 2048), lambda module, length, width, dtype: module(torch.zeros(1, length, width)))),
    (r"forward\(seq_length, position\)", _module(
        lambda thing, width: thing(types.SimpleNamespace(hidden_size=width, max_timescale=10000, min_timescale=1)),
        lambda module, length, width, dtype: module(length), **forms.TENSOR2TENSOR)),
    (r"get_sinusoid_embeddings\(max_positions, embed_dim\).* forward\(seq_embeds", _module(
        _florence, lambda module, length, width, dtype: module(torch.zeros(1, length, width)))),
    (r"get_sinusoid_embeddings\(max_positions, embed", _function(
        lambda thing, length, width: torch.cat(thing.get_sinusoid_embeddings(length, width), dim=-1), layout="halves")),
    (r"positional_encoding_1d\(", _of_zoedepth),
)
