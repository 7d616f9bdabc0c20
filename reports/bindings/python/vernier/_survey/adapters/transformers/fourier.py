"""Sinusoids of random or trained frequencies: SAM's points, LightGlue's keypoints, noise levels."""

import types

import torch

from ..._asked import Trial
from . import forms


def _features(module_frequencies, **keys):
    return {"scheme": "fourier_features", "frequencies": module_frequencies.detach().tolist(), "frequencies_dtype": "float32",
            **keys}


def _of_points(thing, dtypes):
    """SAM's: coordinates from 0 to 1, or pixels with the size of their image, held to -1 .. 1."""
    torch.manual_seed(0)
    module = thing(types.SimpleNamespace(scale=2.0, num_pos_feats=32, hidden_size=64))
    spec = _features(module.positional_embedding, frequency_scale="2pi", position_scale=2, position_offset=-1)
    at = forms.lattice(200, 2)
    yield forms.table("200 points", spec, module(at.T[None, None]), at)
    height, width = 384, 1024
    pixels = torch.stack((forms.lattice(200, 1, width)[0] * width, forms.lattice(200, 1, height, 1)[0] * height))
    sized = {**spec, "axes": [{"position_scale": f"2/{width}"}, {"position_scale": f"2/{height}"}]}
    rows = module(pixels.T[None, None], (height, width))
    yield forms.table(f"200 pixels of {height} x {width}", sized, rows, pixels)


def _of_noise(thing, dtypes):
    """AlphaFold 3's noise levels, of which there are cosines only: the first half of the columns of sinusoids.

    Its buffers hold random numbers until a checkpoint is read. Here they hold equal steps, which a scheme without sines has.
    """
    module, count, offset = thing(64), 64, 0.375
    frequencies = torch.arange(1, count + 1) / 8
    module.frequencies.copy_(frequencies)
    module.phases.copy_(frequencies * offset)
    axis = {"dims": 2 * count, "frequency": "linear", "first": "1/8", "last": count // 8, "position_offset": offset}
    spec = {"scheme": "sinusoidal", "axes": [axis], "d_model": count, "layout": "halves", "order": "cos_sin",
            "frequency_scale": "2pi"}
    at = forms.lattice(200)[0] * 8 - 4
    yield forms.table("200 noise levels", spec, module(at), at)


def _of_keypoints(thing, dtypes):
    """LightGlue's: cosines and sines of trained sums of both coordinates, for pairs side by side."""
    torch.manual_seed(0)
    module = thing(types.SimpleNamespace(descriptor_dim=256, num_attention_heads=4))
    frequencies = module.projector.weight.detach().T
    spec = {"scheme": "axial_rope", "arrangement": "mixed", "head_dim": 2 * frequencies.shape[1], "layout": "interleaved",
            "frequencies": frequencies.tolist(), "frequencies_dtype": "float32"}
    at = forms.lattice(200, 2) * 2 - 1
    cos, sin = (one.detach()[0] for one in module(at.T[None])[0])
    yield Trial("200 keypoints", spec, {"cos": cos, "sin": sin, "positions": at}, {}, "formula")


ASKERS = (
    (r"forward\(input_coords", _of_points),
    (r"forward\(noise_level\)", _of_noise),
    (r"forward\(keypoints", _of_keypoints),
)
