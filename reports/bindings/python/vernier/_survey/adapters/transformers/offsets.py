"""Sinusoids of the offset of a key from a query: Transformer-XL's, Conformer's, Gemma's of audio."""

import inspect
import types

import torch

from . import forms


def _of_conformer(thing, dtypes):
    """Rows from the greatest offset, length - 1, down to the least; grown where an input is longer than before."""
    for width, most, lengths in ((64, 100, (40, 90)), (256, 600, (40, 700))):
        for dtype in forms.kinds(dtypes):
            module = _conformer(thing, width, most)
            for length in lengths if not hasattr(module, "max_position_embeddings") else (40, most):
                at, rows = _offsets(module, length, width, dtype)
                yield forms.table(f"length {length}, width {width}, {forms.name_of(dtype)}", forms.plain(width), rows, at)
    module = _conformer(thing, 64, 100)
    _offsets(module, 90, 64, torch.bfloat16)
    at, rows = _offsets(module, 90, 64, torch.float32)
    yield forms.table("length 90, width 64, float32 after bfloat16", forms.plain(64), rows, at)


def _conformer(thing, width, most):
    config = forms.config_of(thing, hidden_size=width)
    for name in ("max_source_positions", "max_position_embeddings"):
        if hasattr(config, name):
            setattr(config, name, most)
    takes = inspect.signature(thing.__init__).parameters
    return thing(config, *([{"positional_dropout_rate": 0.0}] if "module_config" in takes else [])).eval()


def _offsets(module, length, width, dtype):
    rows = module(torch.zeros(1, length, width, dtype=dtype))
    return torch.arange(length - 1, -length, -1), rows[1] if isinstance(rows, tuple) else rows


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
    sines, cosines = (forms.plain(64, layout="halves", order=order) for order in ("sin_cos", "cos_sin"))
    for dtype in forms.kinds(dtypes):
        told, at = forms.name_of(dtype), torch.arange(600)
        factorised, shifted = (thing(forms.config_of(thing, d_model=64, attention_type=kind, separate_cls=False)).eval()
                               for kind in ("factorized", "relative_shift"))
        phi, pi, psi, omega = factorised.get_position_embeds(600, dtype, "cpu")
        yield forms.table(f"psi, {told}", cosines, psi, at)
        if dtype == torch.float32:
            yield forms.table(f"phi and pi, {told}", sines, torch.cat((phi[:, :32], pi[:, :32]), -1), at)
            yield forms.table(f"omega, {told}", sines, torch.cat((-omega[:, :32], omega[:, 32:]), -1), at)
        blocks = shifted.get_position_embeds(600, dtype, "cpu")
        yield forms.table(f"offsets of the first block, {told}", sines, blocks[0][0], torch.arange(600, -600, -1))


def _of_nezha(thing, dtypes):
    """NEZHA's: the paper's sinusoids of the key's place minus the query's, clamped, counted from the least."""
    for most in (20, 63):
        at = (torch.arange(100) - torch.arange(100)[:, None]).clamp(-most, most) + most
        yield forms.table(f"clamped at {most}", forms.plain(64), thing(100, 64, most).positions_encoding, at.flatten())


ASKERS = (
    (r"__init__\(length, depth, max_relative_position\)", _of_nezha),
    (r"_get_timing_signal_1d_pos\(|class Gemma\w*RelPositionalEncoding", _of_gemma),
    (r"class \w*RelPositionalE\w+ .* forward\((hidden_states|feature_representation)", _of_conformer),
    (r"relative_positional_encoding\(qlen, klen", _of_xlnet),
    (r"get_position_embeds\(seq_len, dtype, device\)", _of_funnel),
)
