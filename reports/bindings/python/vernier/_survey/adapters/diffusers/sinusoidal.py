"""Sinusoids of timesteps, of guidance scales, of grids, and random Fourier features."""

import types

import torch

from ..._asked import Trial, Unjudged
from .._forms import DIM, IMAGE, VIDEO, encoding, grid

_HALVES = {"d_model": DIM, "layout": "halves"}
_TIMES = torch.linspace(0, 999, 129)
_PARTS = torch.linspace(0, 1, 129)


def _timesteps(thing, dtypes):
    """Each of the arguments of get_timestep_embedding(), which a class keeps."""
    for flip in (False, True):
        for shift, scale in ((0, 1), (1, 1), (0, 1000)):
            keys = {"flip_sin_to_cos": flip, "downscale_freq_shift": shift, "scale": scale}
            times = _TIMES if scale == 1 else _PARTS
            encoding = thing(DIM, **keys)(times) if isinstance(thing, type) else thing(times, DIM, **keys)
            spec = {"scheme": "sinusoidal", **_HALVES, "order": "cos_sin" if flip else "sin_cos", "downscale_freq_shift": shift, "position_scale": scale}
            yield Trial(", ".join(f"{name} {value}" for name, value in keys.items()), spec, {"encoding": encoding, "positions": times}, source="formula")


def _random(thing, dtypes):
    torch.manual_seed(0)
    name = thing.__name__
    module = thing(DIM) if "Gaussian" not in name else thing(DIM, flip_sin_to_cos=False, log=False)
    weights = (module.weights if hasattr(module, "weights") else module.weight).detach()
    encoding = module(_PARTS).detach().reshape(len(_PARTS), -1)
    spec = {"scheme": "fourier_features", "frequencies": [weights.flatten().tolist()], "frequencies_dtype": "float32", "frequency_scale": "2pi",
            "order": "cos_sin" if "MiniMax" in name else "sin_cos"}
    yield Trial("random frequencies", spec, {"encoding": encoding[:, -2 * weights.numel():], "positions": _PARTS}, source="formula")


def _grid_2d(thing, dtypes):
    for what, options, scales in (("default arguments", {}, [f"16/{n}" for n in IMAGE]),
                                  ("interpolation_scale 2", {"interpolation_scale": 2.0, "base_size": 9}, [f"9/{2 * n}" for n in IMAGE])):
        axes = [{"dims": DIM // 2, "position_scale": scale} for scale in scales]
        spec = {"scheme": "sinusoidal", "layout": "halves", "axes": axes, "block_order": [1, 0], "grid": [IMAGE[1]]}
        # Its sinusoids are float64, its coordinates float32: the contract is that of coordinates.
        yield Trial(what, spec, {"encoding": thing(DIM, IMAGE, **options)}, {"contract": "float32"}, "formula")


def _identity(thing):
    """A module of timesteps whose layers return what they are given."""
    module = thing(DIM, DIM)
    for name in ("in_layer", "activation", "out_layer"):
        setattr(module, name, torch.nn.Identity())
    return module(_TIMES)


def _duration(thing):
    module = thing(output_dim=DIM, fourier_dim=DIM)
    module.linear = torch.nn.Identity()
    return module(384 * _PARTS)


def _guidance(thing, dtypes):
    if not hasattr(thing, "get_guidance_scale_embedding"):
        raise Unjudged("its encoding is that of a function that it calls, and is judged with it")
    spec = {**_SHIFTED, "position_scale": 1000}
    yield from encoding(spec, lambda t: t.get_guidance_scale_embedding(None, _PARTS, DIM), _PARTS)(thing, dtypes)


def _boxes(thing):
    """Frequencies that grow from 1 to 100, excluded; a sine and a cosine of each side of a box, of which the first is asked for."""
    box = _PARTS[None, :, None].expand(1, -1, 4)
    encoding = thing(num_freqs=8)(box) if isinstance(thing, type) else thing(8, box)
    return encoding.reshape(len(_PARTS), 16, 4)[..., 0]


_COS_SIN = {**_HALVES, "order": "cos_sin"}
_SHIFTED = {**_HALVES, "downscale_freq_shift": 1}
_GEOMETRIC = {**_COS_SIN, "frequency": "geometric", "first": 0.5, "last": 10000, "frequency_scale": "2pi"}
_GROWING = {"frequency": "geometric", "first": 1, "last": "56.2341325190349080394951"}  # to 100^(7/8)
_3D = {"layout": "halves", "axes": [{"dims": 16}, {"dims": 24, "position_scale": "1/2"}, {"dims": 24, "position_scale": "1/2"}],
       "block_order": [0, 2, 1], "grid": VIDEO[1:]}

ASKED = (
    (r"get_timestep_embedding$|\.Timesteps$", _timesteps),
    (r"Bria\w*Timesteps", encoding({**_COS_SIN, "position_scale": 1000}, lambda t: t(DIM, True, 0, 1000)(_PARTS), _PARTS)),
    (r"TimestepEmbedder$", encoding(_COS_SIN, lambda t: t.timestep_embedding(_TIMES, DIM), _TIMES)),
    (r"\._sinusoidal_embedding", encoding(_SHIFTED, lambda t: t(_TIMES, DIM), _TIMES)),
    (r"Kandinsky5TimeEmbeddings", encoding(_COS_SIN, _identity, _TIMES)),
    (r"AudioDiTSinus", encoding({**_SHIFTED, "position_scale": 1000}, lambda t: t(DIM)(_PARTS), _PARTS)),
    (r"TemporalTimesteps", encoding({**_COS_SIN, "position_scale": 1000}, lambda t: t(DIM)(_PARTS), _PARTS)),
    (r"get_rfd4_time_embedding", encoding({**_SHIFTED, "base": 2000, "position_scale": 2000}, lambda t: t(_PARTS, DIM), _PARTS)),
    (r"ExpoFourierFeatures", encoding(_GEOMETRIC, lambda t: t(DIM)(_PARTS), _PARTS)),
    (r"StableAudio3DurationEmbedder", encoding(_GEOMETRIC, _duration, _PARTS)),
    (r"StableCascadeUNet", encoding({**_SHIFTED, "position_scale": 10000}, lambda t: t.get_timestep_ratio_embedding(
        types.SimpleNamespace(config=types.SimpleNamespace(timestep_ratio_embedding_dim=DIM)), _PARTS), _PARTS)),
    (r"Wuerstchen(DiffNeXt|Prior)$", encoding({**_SHIFTED, "position_scale": 10000}, lambda t: t.gen_r_embedding(types.SimpleNamespace(c_r=DIM), _PARTS), _PARTS)),
    (r"Pipeline(StableDiffusionXL)?$", _guidance),
    (r"posenc_nerf", encoding({**_HALVES, "d_model": 30, "frequency": "geometric", "first": 1, "last": 16384},
                          lambda t: t(_PARTS[:, None])[:, 1:], _PARTS)),
    (r"mochi\.FourierFeatures", encoding({**_HALVES, "d_model": 4, "frequency": "geometric", "first": 64, "last": 128, "frequency_scale": "2pi"},
                                     lambda t: t()(_PARTS.reshape(1, 1, -1, 1, 1))[0, 1:].flatten(1).T, _PARTS)),
    (r"FourierEmbedder|get_fourier_embeds", encoding({**_GROWING, "d_model": 16}, _boxes, _PARTS)),
    (r"Fourier(Projection|Embedding)|StableAudioPositionalEmbedding", _random),
    (r"SinusoidalPositionalEmbedding", encoding({"d_model": DIM}, lambda t: t(DIM, 4096).pe)),
    (r"get_1d_sincos", encoding(_HALVES, lambda t: t(DIM, _TIMES), _TIMES)),
    (r"get_2d_sincos_pos_embed$", _grid_2d),
    (r"get_2d_sincos_pos_embed_from_grid", encoding({"layout": "halves", "axes": [{"dims": 32}] * 2, "grid": [IMAGE[1]]}, lambda t: t(
        DIM, grid(IMAGE).float()))),
    (r"get_3d_sincos", encoding(_3D, lambda t: t(DIM, VIDEO[:0:-1], VIDEO[0], spatial_interpolation_scale=2.0))),
)
