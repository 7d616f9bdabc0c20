"""Sinusoids of the offset of a key from a query: Transformer-XL's, Conformer's, Gemma's of audio."""

import inspect
import types

import torch

from . import forms

_LENGTHS = (40, 700)


def _of_conformer(thing, dtypes):
    """Rows from the greatest offset, length - 1, down to the least; grown where an input is longer than before."""
    for width, most in ((64, 100), (256, 2048)):
        config = forms.config_of(thing, hidden_size=width)
        for name in ("max_source_positions", "max_position_embeddings"):
            if hasattr(config, name):
                setattr(config, name, most)
        takes = inspect.signature(thing.__init__).parameters
        module = thing(config, *([{"positional_dropout_rate": 0.0}] if "module_config" in takes else [])).eval()
        for length in _LENGTHS if most > 700 or not hasattr(module, "max_position_embeddings") else (40, 90):
            at = torch.arange(length - 1, -length, -1)
            for dtype in forms.kinds(dtypes):
                rows = module(torch.zeros(1, length, width, dtype=dtype))
                rows = rows[1] if isinstance(rows, tuple) else rows
                told = f"length {length}, width {width}, {forms.name_of(dtype)}"
                yield forms.table(told, forms.plain(width), rows, at)


def _of_gemma(thing, dtypes):
    """Gemma's of audio: tensor2tensor's, from the farthest key behind a query on."""
    for width in (64, 256):
        spec = forms.plain(width, layout="halves", frequency="tensor2tensor")
        for dtype in forms.kinds(dtypes):
            told = f"width {width}, {forms.name_of(dtype)}"
            if hasattr(thing, "_get_timing_signal_1d_pos"):
                module = thing(forms.config_of(thing, hidden_size=width, conf_num_attention_heads=4,
                                               conf_attention_context_left=100, conf_attention_context_right=20))
                at = torch.arange(99, -21, -1)
                yield forms.table(told, spec, module._get_timing_signal_1d_pos(at[None], dtype), at)
            else:
                module = thing(forms.config_of(thing, hidden_size=width, attention_chunk_size=200, attention_context_left=13,
                                               attention_context_right=0))
                at = torch.arange((200 + 13 - 1) // 2, -1, -1)
                yield forms.table(told, spec, module(torch.zeros(1, 8, width, dtype=dtype)), at)


def _of_xlnet(thing, dtypes):
    for width in (64, 1024):
        for kind, clamp in (("uni", -1), ("uni", 50), ("bi", -1), ("bi", 50)):
            module = types.SimpleNamespace(d_model=width, attn_type=kind, bi_data=False, clamp_len=clamp,
                                           positional_embedding=thing.positional_embedding)
            rows = thing.relative_positional_encoding(module, 300, 300, 1)
            told = f"attention {kind}, width {width}" + (f", clamped at {clamp}" if clamp > 0 else "")
            if kind == "uni":
                spec = {"scheme": "transformer_xl", "d_model": width, **({"clamp_len": clamp} if clamp > 0 else {})}
                yield forms.table(told, spec, rows, torch.arange(300, -1, -1))
            else:  # offsets of later keys follow, which the scheme of Transformer-XL has not
                at = torch.arange(300, -300, -1)
                yield forms.table(told, forms.plain(width, layout="halves"), rows, at.clamp(-clamp, clamp) if clamp > 0 else at)


def _of_funnel(thing, dtypes):
    """Funnel's two forms: cosines and sines of places, which it multiplies apart, and sinusoids of offsets."""
    for dtype in forms.kinds(dtypes):
        told = forms.name_of(dtype)
        factorised, shifted = (thing(forms.config_of(thing, d_model=64, attention_type=kind, separate_cls=False)).eval()
                               for kind in ("factorized", "relative_shift"))
        phi, pi, psi, omega = factorised.get_position_embeds(600, dtype, "cpu")
        at = torch.arange(600)
        yield forms.table(f"psi, {told}", forms.plain(64, layout="halves", order="cos_sin"), psi, at)
        yield forms.table(f"phi and pi, {told}", forms.plain(64, layout="halves"), torch.cat((phi[:, :32], pi[:, :32]), -1), at)
        yield forms.table(f"omega, {told}", forms.plain(64, layout="halves"), torch.cat((-omega[:, :32], omega[:, 32:]), -1), at)
        blocks = shifted.get_position_embeds(600, dtype, "cpu")
        yield forms.table(f"offsets of the first block, {told}", forms.plain(64, layout="halves"), blocks[0][0],
                          torch.arange(600, -600, -1))


ASKERS = (
    (r"class \w*RelPositionalE\w+ .*(extend_p\w*|compute_default_relative_positional_parameters)\(", _of_conformer),
    (r"_get_timing_signal_1d_pos\(|class Gemma\w*RelPositionalEncoding", _of_gemma),
    (r"relative_positional_encoding\(qlen, klen", _of_xlnet),
    (r"get_position_embeds\(seq_len, dtype, device\)", _of_funnel),
)
