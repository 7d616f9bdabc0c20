"""Sinusoids of timesteps, of guidance scales, of grids, and random Fourier features."""

import types

import torch

from ..._asked import Unjudged
from .._asking import named
from .._formulas import COS_SIN, DIM, IMAGE, SHIFTED, VIDEO, features, sinusoid, sinusoids
from .._forms import ask
from .._rotations import grid

_TIMES, _PARTS = torch.linspace(0, 999, 129), torch.linspace(0, 1, 129)
_of_width = types.SimpleNamespace(c_r=DIM, config=types.SimpleNamespace(timestep_ratio_embedding_dim=DIM))  # stands for a model


def _timesteps(flip=False, shift=0, scale=1):
    """An asker of the arguments of get_timestep_embedding(), which a class keeps."""
    keys = {"flip_sin_to_cos": flip, "downscale_freq_shift": shift, "scale": scale}
    times = _TIMES if scale == 1 else _PARTS
    spec = sinusoid(order="cos_sin" if flip else "sin_cos", downscale_freq_shift=shift, position_scale=scale)
    call = lambda thing: thing(DIM, **keys)(times) if isinstance(thing, type) else thing(times, DIM, **keys)
    return ask(spec, call, times, named(keys))


def _random(thing, dtypes):
    torch.manual_seed(0)
    module = thing(DIM, **({"flip_sin_to_cos": False, "log": False} if "Gaussian" in thing.__name__ else {}))
    weights = next(getattr(module, name) for name in ("weights", "weight") if hasattr(module, name)).detach().flatten()
    spec = features([weights.tolist()], order="cos_sin" if "MiniMax" in thing.__name__ else "sin_cos")
    columns = lambda _: module(_PARTS).reshape(len(_PARTS), -1)[:, -2 * len(weights):]
    return ask(spec, columns, _PARTS, "random frequencies")(thing, dtypes)


def _plane(scales, **options):
    """Its sinusoids are float64, its coordinates float32: the contract is that of coordinates."""
    axes = [{"dims": DIM // 2, "position_scale": scale} for scale in scales]
    spec = sinusoids(*axes, layout="halves", block_order=[1, 0])
    return ask(spec, lambda f: f(DIM, IMAGE, **options), told=named(options), contract="float32")


def _without(module, *layers):
    """A module of which these layers return what they are given."""
    for name in layers:
        setattr(module, name, torch.nn.Identity())
    return module


def _guidance(thing, dtypes):
    if not hasattr(thing, "get_guidance_scale_embedding"):
        raise Unjudged("its encoding is that of a function that it calls, and is judged with it")
    spec = {**SHIFTED, "position_scale": 1000}
    return ask(spec, lambda t: t.get_guidance_scale_embedding(None, _PARTS, DIM), _PARTS)(thing, dtypes)


def _boxes(thing):
    """Frequencies that grow from 1 to 100^(7/8); a sine and a cosine of each side of a box, of which the first is asked for."""
    box = _PARTS[None, :, None].expand(1, -1, 4)
    answered = thing(num_freqs=8)(box) if isinstance(thing, type) else thing(8, box)
    return answered.reshape(len(_PARTS), 16, 4)[..., 0]


def _parts(call, spec, **keys):
    return ask({**spec, **keys}, call, _PARTS)


_wide = {"dims": 24, "position_scale": "1/2"}
_turns = {"frequency": "geometric", "frequency_scale": "2pi"}
_growing = {**COS_SIN, **_turns, "first": 0.5, "last": 10000}

ASKED = (
    (r"get_timestep_embedding$|\.Timesteps$", *[
        _timesteps(flip, shift, scale) for flip in (False, True) for shift, scale in ((0, 1), (1, 1), (0, 1000))]),
    (r"Kandinsky5TimeEmbeddings", ask(
        COS_SIN, lambda t: _without(t(DIM, DIM), "in_layer", "activation", "out_layer")(_TIMES), _TIMES)),
    (r"TimestepEmbedder$", ask(COS_SIN, lambda t: t.timestep_embedding(_TIMES, DIM), _TIMES)),
    (r"\._sinusoidal_embedding", ask(SHIFTED, lambda f: f(_TIMES, DIM), _TIMES)),
    (r"Bria\w*Timesteps", _parts(lambda t: t(DIM, True, 0, 1000)(_PARTS), COS_SIN, position_scale=1000)),
    (r"TemporalTimesteps", _parts(lambda t: t(DIM)(_PARTS), COS_SIN, position_scale=1000)),
    (r"AudioDiTSinus", _parts(lambda t: t(DIM)(_PARTS), SHIFTED, position_scale=1000)),
    (r"get_rfd4_time_embedding", _parts(lambda f: f(_PARTS, DIM), SHIFTED, base=2000, position_scale=2000)),
    (r"StableCascadeUNet", _parts(lambda t: t.get_timestep_ratio_embedding(_of_width, _PARTS), SHIFTED, position_scale=10000)),
    (r"Wuerstchen(DiffNeXt|Prior)$", _parts(lambda t: t.gen_r_embedding(_of_width, _PARTS), SHIFTED, position_scale=10000)),
    (r"ExpoFourierFeatures", _parts(lambda t: t(DIM)(_PARTS), _growing)),
    (r"StableAudio3DurationEmbedder", _parts(
        lambda t: _without(t(output_dim=DIM, fourier_dim=DIM), "linear")(384 * _PARTS), _growing)),
    (r"posenc_nerf", _parts(
        lambda f: f(_PARTS[:, None])[:, 1:], sinusoid(frequency="geometric"), d_model=30, first=1, last=16384)),
    (r"mochi\.FourierFeatures", _parts(
        lambda t: t()(_PARTS.reshape(1, 1, -1, 1, 1))[0, 1:].flatten(1).T, sinusoid(**_turns), d_model=4, first=64, last=128)),
    (r"FourierEmbedder|get_fourier_embeds", _parts(
        _boxes, sinusoid("interleaved", frequency="geometric"), d_model=16, first=1, last="56.2341325190349080394951")),
    (r"Pipeline(StableDiffusionXL)?$", _guidance),
    (r"Fourier(Projection|Embedding)|StableAudioPositionalEmbedding", _random),
    (r"SinusoidalPositionalEmbedding", ask(sinusoid("interleaved"), lambda t: t(DIM, 4096).pe)),
    (r"get_1d_sincos", ask(sinusoid(), lambda f: f(DIM, _TIMES), _TIMES)),
    (r"get_2d_sincos_pos_embed$", _plane([f"16/{n}" for n in IMAGE]),
     _plane([f"9/{2 * n}" for n in IMAGE], interpolation_scale=2.0, base_size=9)),
    (r"get_2d_sincos_pos_embed_from_grid", ask(
        sinusoids({"dims": 32}, {"dims": 32}, layout="halves"), lambda f: f(DIM, grid(*IMAGE).float()))),
    (r"get_3d_sincos", ask(
        sinusoids({"dims": 16}, _wide, _wide, lengths=VIDEO, layout="halves", block_order=[0, 2, 1]),
        lambda f: f(DIM, VIDEO[:0:-1], VIDEO[0], spatial_interpolation_scale=2.0))),
)
