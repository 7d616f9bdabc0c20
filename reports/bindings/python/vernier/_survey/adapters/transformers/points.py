"""Sinusoids of real positions: timesteps, coordinates, and places in time."""

import types

import torch

from . import forms


def _of_times(build, call, spec, farthest=(1, 1000)):
    """An asker of a class. build(class, width); call(module, times [rows]): rows [rows, width]; spec(width); farthest: times."""
    def asker(thing, dtypes):
        at = torch.cat((forms.lattice(150)[0], torch.tensor([0.0, 1.0])))
        for width in (64, 256):
            module = build(thing, width)
            for factor in farthest:
                times = at * factor
                yield forms.table(f"times from 0 to {factor}, width {width}", spec(width), call(module, times), times)

    return asker


def _scaled(thing, dtypes):
    """Qwen 2.5 Omni's timesteps: those of F5-TTS, times 1000, over tensor2tensor's frequencies."""
    at = torch.cat((forms.lattice(150)[0], torch.tensor([0.0, 1.0])))
    for width in (64, 256):
        spec = forms.plain(width, layout="halves", frequency="tensor2tensor", position_scale=1000)
        yield forms.table(f"times from 0 to 1, width {width}", spec, thing(width)(at), at)


def _pi0(thing, width):
    """pi0's periods: by even ratios from the least to the greatest."""
    return thing(types.SimpleNamespace(min_period=0.004, max_period=4.0, dit_config=types.SimpleNamespace(hidden_size=width)))


def _pi0_spec(width):
    return forms.plain(width, layout="halves", frequency="geometric", first=250, last=0.25, frequency_scale="2pi")


def _vibevoice(thing, width):
    return thing(types.SimpleNamespace(frequency_embedding_size=width, diffusion_max_period=10000))


def _diffusers(width):
    """The embedding of timesteps of diffusion models: cosines first, no shift of frequencies."""
    return forms.plain(width, layout="halves", order="cos_sin", downscale_freq_shift=0)


def _in_turn(thing, dtypes):
    """SAM 2's places in time: the paper's columns, but a sine and a cosine of each; each frequency is there twice."""
    for far in (1, 4096):
        at = torch.cat((forms.lattice(150)[0] * far, torch.tensor([0.0, float(far)])))
        for width in (64, 256):
            rows = thing(at, width)
            for parity, told in ((0, "first"), (1, "second")):
                half = rows[:, parity::2]
                yield forms.table(f"places up to {far}, width {width}, {told} of each frequency",
                                  forms.plain(width // 2, layout="halves"), half, at)


def _of_boxes(thing, dtypes):
    """BROS: each coordinate of a box, relative to another's, by Transformer-XL's sinusoids."""
    at = forms.lattice(200)[0] * 100 - 50
    for width in (24, 64):
        module = thing(types.SimpleNamespace(dim_bbox_sinusoid_emb_1d=width))
        yield forms.table(f"width {width}", forms.plain(width, layout="halves"), module(at[None, None]), at)


def _of_relations(thing, dtypes):
    """Relation-DETR's features of boxes as PaddlePaddle has them: exponents run to 2, as of a base squared."""
    at = forms.lattice(200, 4) * 4 - 2
    for width in (16, 64):
        config = types.SimpleNamespace(relation_bias_embed_dim=width, relation_bias_theta=10000, relation_bias_scale=100.0,
                                       num_attention_heads=2)
        spec = {"scheme": "sinusoidal", "layout": "halves", "base": 10000 ** 2, "position_scale": 100,
                "axes": [{"dims": width}] * 4}
        yield forms.table(f"4 numbers, width {width}", spec, thing(config).get_position_embedding(at.T[None], 100.0), at)


ASKERS = (
    (r"compute_freqs\(config\) forward\(time\)", _of_times(_pi0, lambda module, times: module(times), _pi0_spec, (1,))),
    (r"compute_default_freq\(config\) forward\(timesteps\)", _of_times(
        _vibevoice, lambda module, times: module(times), _diffusers)),
    (r"__init__\(dim, theta\) forward\(time_tensor\)", _of_times(
        lambda thing, width: thing(width), lambda module, times: torch.stack([module(one) for one in times]), _diffusers)),
    (r"__init__\(dim\) forward\(hidden_states, scale\)", _scaled),
    (r"function \w+\(pos_inds, dim", _in_turn),
    (r"forward\(pos_seq\)", _of_boxes),
    (r"box_relative_encoding\(", _of_relations),
)
