"""Tables of sinusoids of one position. Others are asked by fourier.py, grids.py, offsets.py and points.py."""

import inspect
import types

import torch

from ..._asked import Unjudged
from . import forms, fourier, grids, offsets, points

# Widths: even ones, and one with a column that has no partner.
_WIDTHS = (64, 320, 65)
_TENSOR2TENSOR = {"layout": "halves", "frequency": "tensor2tensor"}


def trials(thing, dtypes):
    return forms.asked(fourier.ASKERS + grids.ASKERS + offsets.ASKERS + points.ASKERS + _ASKERS, thing, dtypes)


def _function(call, **keys):
    """An asker of a function of a length and a width. call(function, length, width): rows [length, width]."""
    def asker(thing, dtypes):
        for width in _WIDTHS:
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


def _of_weights(thing, dtypes):
    """fairseq's sinusoids: the table that a class makes, and what it looks up for tokens, of which some are padding."""
    takes = inspect.signature(thing.get_embedding).parameters
    # MusicGen's come from audiocraft, whose create_sin_embedding puts cosines first.
    keys = {**_TENSOR2TENSOR, "odd_width": "zero", **({"order": "cos_sin"} if "Musicgen" in thing.__name__ else {})}
    for width in _WIDTHS:
        for padding in (None, 1) if "padding_idx" in takes else (None,):
            given = {"padding_idx": padding} if "padding_idx" in takes else {}
            spec = forms.plain(width, **keys, **{name: one for name, one in given.items() if one is not None})
            if width % 2 == 0:
                del spec["odd_width"]
            at = forms.chosen(forms.FAR)
            rows = thing.get_embedding(forms.FAR, width, **given)
            yield forms.table(f"table, width {width}{'' if padding is None else ', padding'}", spec, rows[at], at)
    module = forms.first([lambda: thing(4096, 64, 1), lambda: thing(4096, 64),
                          lambda: thing(forms.config_of(thing, max_position_embeddings=4096, hidden_size=64))])
    if hasattr(module, "make_weight"):
        module.make_weight(4096, 64, 1)
    elif not hasattr(module, "weights"):
        module.make_weights(4096, 64, 1)
    padding = getattr(module, "padding_idx", None)
    spec = forms.plain(64, **{key: one for key, one in keys.items() if key != "odd_width"},
                       **({} if padding is None else {"padding_idx": padding}))
    for past in (0, 3500):
        at, rows = _looked_up(module, padding, past)
        yield forms.table(f"tokens behind {past} others", spec, rows, at)
    for read in forms.configured(thing, "sinusoidal"):
        given = [read["d_model"]] + ([read.get("padding_idx")] if "padding_idx" in takes else [])
        rows = thing.get_embedding(1024, *given)
        yield forms.table("default configuration", read, rows[2:], torch.arange(2, 1024), "configuration")


def _looked_up(module, padding, past):
    """Positions of tokens, the first ten of them padding where the class takes tokens, and the rows that it looks up."""
    takes, length = inspect.signature(module.forward).parameters, 300
    behind = {"past_key_values_length": past} if "past_key_values_length" in takes else {}
    if "position_ids" in takes and "input_ids" not in takes:
        # XGLM's first position is the third row, as fairseq's tokens begin behind a padding of 1.
        ids = torch.arange(past, past + length)
        return ids + getattr(module, "offset", 0), forms.first([lambda: module(ids[None], **behind)])
    tokens = torch.full((1, length), 7)
    if padding is None:
        given = tokens[:, None] if "input_ids" in takes else torch.zeros(1, length, 64)  # tokens of codebooks, or embeddings
        rows = forms.first([lambda: module(given, **behind)])
        return torch.arange(past, past + length), rows
    tokens[:, :10] = padding
    at = padding + 1 + past + torch.arange(-10, length - 10)
    at[:10] = padding
    return at, module(tokens, **behind)


def _of_embedding(thing, dtypes):
    """Marian's sinusoids: the paper's, sines before cosines, in the weight of an embedding."""
    for width in _WIDTHS:
        # Filled by a loop of Python over all elements, so that long tables would take minutes.
        at = forms.chosen(4096 if width == 64 else 600)
        module = _filled(thing(int(at[-1]) + 1, width, 1))
        spec = forms.plain(width, layout="halves")
        yield forms.table(f"table, width {width}", spec, module.weight[at], at)
        yield forms.table(f"tokens behind 50 others, width {width}", spec, module(torch.Size((1, 100)), 50), torch.arange(50, 150))
    for spec in forms.configured(thing, "sinusoidal"):
        yield forms.table("default configuration", spec, _filled(thing(128, spec["d_model"])).weight, torch.arange(128), "configuration")


def _filled(module):
    """A class whose weight is filled as its model does: it returns what to put there, or puts it there itself."""
    weight = module.create_weight() if hasattr(module, "create_weight") else module._init_weight()
    if weight is not None:
        module.weight = torch.nn.Parameter(weight, requires_grad=False)
    return module


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
        spec = forms.plain(width, **_TENSOR2TENSOR)
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
            yield forms.table(f"width {width}, {forms.name_of(dtype)}", forms.plain(width, **_TENSOR2TENSOR), rows[0][at], at)


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
    (r"function \w+\(length, channels", _function(lambda function, length, width: function(length, width), **_TENSOR2TENSOR)),
    (r"function \w+\(embed_dim, pos\)", _function(
        lambda function, length, width: torch.from_numpy(function(width, torch.arange(length).numpy())).float(), layout="halves")),
    (r" get_embedding\(num_embeddings, embedding_dim", _of_weights),
    (r" (create_weight|_init_weight)\(", _of_embedding),
    (r"__init__\(length, channels", _of_channels),
    (r"__init__\(embed_dim, max_scale\)", _of_inputs),
    (r"__init__\(dropout, dim, max_len\)", _module(
        lambda thing, width: thing(0.0, width, 2048), lambda module, length, width, dtype: module(torch.zeros(1, length, width)))),
    (r"forward\(seq_length, position\)", _module(
        lambda thing, width: thing(types.SimpleNamespace(hidden_size=width, max_timescale=10000, min_timescale=1)),
        lambda module, length, width, dtype: module(length), **_TENSOR2TENSOR)),
    (r"get_sinusoid_embeddings\(max_positions, embed_dim\).* forward\(seq_embeds", _module(
        _florence, lambda module, length, width, dtype: module(torch.zeros(1, length, width)))),
    (r"get_sinusoid_embeddings\(max_positions, embed", _function(
        lambda thing, length, width: torch.cat(thing.get_sinusoid_embeddings(length, width), dim=-1), layout="halves")),
    (r"positional_encoding_1d\(", _of_zoedepth),
)
