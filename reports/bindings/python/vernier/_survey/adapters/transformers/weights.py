"""Tables of sinusoids that classes keep as weights: those of fairseq and of Marian."""

import inspect

import torch

from . import forms


def _of_weights(thing, dtypes):
    """fairseq's sinusoids: the table that a class makes, and what it looks up for tokens, of which some are padding."""
    takes = inspect.signature(thing.get_embedding).parameters
    # MusicGen's come from audiocraft, whose create_sin_embedding puts cosines first.
    keys = {**forms.TENSOR2TENSOR, "odd_width": "zero", **({"order": "cos_sin"} if "Musicgen" in thing.__name__ else {})}
    for width in forms.WIDTHS:
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
    for past in (0, 3500) if "past_key_values_length" in inspect.signature(module.forward).parameters else (0,):
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
    for width in forms.WIDTHS:
        # Filled by a loop of Python over all elements, so that long tables would take minutes.
        at = forms.chosen(4096 if width == 64 else 600)
        module = _filled(thing(int(at[-1]) + 1, width, 1))
        spec = forms.plain(width, layout="halves")
        yield forms.table(f"table, width {width}", spec, module.weight[at], at)
        yield forms.table(f"tokens behind 50 others, width {width}", spec, module(torch.Size((1, 100)), 50), torch.arange(50, 150))
    for spec in forms.configured(thing, "sinusoidal"):
        weight = _filled(thing(128, spec["d_model"])).weight
        yield forms.table("default configuration", spec, weight, torch.arange(128), "configuration")


def _filled(module):
    """A class whose weight is filled as its model does: it returns what to put there, or puts it there itself."""
    weight = module.create_weight() if hasattr(module, "create_weight") else module._init_weight()
    if weight is not None:
        module.weight = torch.nn.Parameter(weight, requires_grad=False)
    return module


ASKERS = (
    (r" get_embedding\(num_embeddings, embedding_dim", _of_weights),
    (r" (create_weight|_init_weight)\(", _of_embedding),
)
