"""Sinusoids of timesteps, of guidance scales, of grids, and random Fourier features."""

import types

import torch

from ..._asked import Trial

_DIM, _IMAGE, _VIDEO = 64, (9, 14), (3, 6, 8)
_HALVES = {"d_model": _DIM, "layout": "halves"}
_TIMES = torch.linspace(0, 999, 129)
_PARTS = torch.linspace(0, 1, 129)


def _one(spec, call, at=_TIMES):
    """call: of a class or function, its encoding at these positions."""
    def ask(thing, dtypes):
        with torch.no_grad():
            encoding = call(thing)
        given = {"encoding": encoding.reshape(-1, encoding.shape[-1])}
        yield Trial("default arguments, float32", {"scheme": "sinusoidal", **spec}, given if at is None else {**given, "positions": at}, source="formula")

    return ask


def _timesteps(thing, dtypes):
    """Each of the arguments of get_timestep_embedding(), which a class keeps."""
    for flip in (False, True):
        for shift, scale in ((0, 1), (1, 1), (0, 1000)):
            keys = {"flip_sin_to_cos": flip, "downscale_freq_shift": shift, "scale": scale}
            encoding = thing(_DIM, **keys)(_TIMES) if isinstance(thing, type) else thing(_TIMES, _DIM, **keys)
            spec = {"scheme": "sinusoidal", **_HALVES, "order": "cos_sin" if flip else "sin_cos", "downscale_freq_shift": shift, "position_scale": scale}
            yield Trial(", ".join(f"{name} {value}" for name, value in keys.items()), spec, {"encoding": encoding, "positions": _TIMES}, source="formula")


def _random(thing, dtypes):
    torch.manual_seed(0)
    name = thing.__name__
    module = thing(_DIM) if "Gaussian" not in name else thing(_DIM, flip_sin_to_cos=False, log=False)
    weights = (module.weights if hasattr(module, "weights") else module.weight).detach()
    encoding = module(_PARTS).detach().reshape(len(_PARTS), -1)
    spec = {"scheme": "fourier_features", "frequencies": [weights.flatten().tolist()], "frequencies_dtype": "float32", "frequency_scale": "2pi",
            "order": "cos_sin" if "MiniMax" in name else "sin_cos"}
    yield Trial("random frequencies", spec, {"encoding": encoding[:, -2 * weights.numel():], "positions": _PARTS}, source="formula")


def _grid_2d(thing, dtypes):
    for what, options, scales in (("default arguments", {}, [f"16/{n}" for n in _IMAGE]),
                                  ("interpolation_scale 2", {"interpolation_scale": 2.0, "base_size": 9}, [f"9/{2 * n}" for n in _IMAGE])):
        axes = [{"dims": _DIM // 2, "position_scale": scale} for scale in scales]
        spec = {"scheme": "sinusoidal", "layout": "halves", "axes": axes, "block_order": [1, 0], "grid": [_IMAGE[1]]}
        yield Trial(what, spec, {"encoding": thing(_DIM, _IMAGE, **options)}, source="formula")


def _identity(thing):
    """A module of timesteps whose layers return what they are given."""
    module = thing(_DIM, _DIM)
    for name in ("in_layer", "activation", "out_layer"):
        setattr(module, name, torch.nn.Identity())
    return module(_TIMES)


def _duration(thing):
    module = thing(output_dim=_DIM, fourier_dim=_DIM)
    module.linear = torch.nn.Identity()
    return module(384 * _PARTS)


_COS_SIN = {**_HALVES, "order": "cos_sin"}
_SHIFTED = {**_HALVES, "downscale_freq_shift": 1}
_GEOMETRIC = {**_COS_SIN, "frequency": "geometric", "first": 0.5, "last": 10000, "frequency_scale": "2pi"}
_3D = {"layout": "halves", "axes": [{"dims": 16}, {"dims": 24, "position_scale": "1/2"}, {"dims": 24, "position_scale": "1/2"}],
       "block_order": [0, 2, 1], "grid": _VIDEO[1:]}

ASKED = (
    (r"get_timestep_embedding$|\.Timesteps$", _timesteps),
    (r"Bria\w*Timesteps", _one({**_COS_SIN, "position_scale": 1000}, lambda t: t(_DIM, True, 0, 1000)(_TIMES))),
    (r"TimestepEmbedder$", _one(_COS_SIN, lambda t: t.timestep_embedding(_TIMES, _DIM))),
    (r"\._sinusoidal_embedding", _one(_SHIFTED, lambda t: t(_TIMES, _DIM))),
    (r"Kandinsky5TimeEmbeddings", _one(_COS_SIN, _identity)),
    (r"AudioDiTSinus", _one({**_SHIFTED, "position_scale": 1000}, lambda t: t(_DIM)(_PARTS), _PARTS)),
    (r"TemporalTimesteps", _one({**_COS_SIN, "position_scale": 1000}, lambda t: t(_DIM)(_PARTS), _PARTS)),
    (r"get_rfd4_time_embedding", _one({**_SHIFTED, "base": 2000, "position_scale": 2000}, lambda t: t(_PARTS, _DIM), _PARTS)),
    (r"ExpoFourierFeatures", _one(_GEOMETRIC, lambda t: t(_DIM)(_PARTS), _PARTS)),
    (r"StableAudio3DurationEmbedder", _one(_GEOMETRIC, _duration, _PARTS)),
    (r"StableCascadeUNet", _one({**_SHIFTED, "position_scale": 10000}, lambda t: t.get_timestep_ratio_embedding(
        types.SimpleNamespace(config=types.SimpleNamespace(timestep_ratio_embedding_dim=_DIM)), _PARTS), _PARTS)),
    (r"Wuerstchen(DiffNeXt|Prior)$", _one({**_SHIFTED, "position_scale": 10000}, lambda t: t.gen_r_embedding(types.SimpleNamespace(c_r=_DIM), _PARTS), _PARTS)),
    (r"Pipeline$", _one({**_SHIFTED, "position_scale": 1000}, lambda t: t.get_guidance_scale_embedding(None, _PARTS, _DIM), _PARTS)),
    (r"posenc_nerf", _one({**_HALVES, "d_model": 30, "frequency": "geometric", "first": 1, "last": 16384},
                          lambda t: t(_PARTS[:, None])[:, 1:], _PARTS)),
    (r"mochi\.FourierFeatures", _one({**_HALVES, "d_model": 4, "frequency": "geometric", "first": 64, "last": 128, "frequency_scale": "2pi"},
                                     lambda t: t()(_PARTS.reshape(1, 1, -1, 1, 1))[0, 1:].flatten(1).T, _PARTS)),
    (r"Fourier(Projection|Embedding)|StableAudioPositionalEmbedding", _random),
    (r"SinusoidalPositionalEmbedding", _one({"d_model": _DIM}, lambda t: t(_DIM, 4096).pe, None)),
    (r"get_1d_sincos", _one(_HALVES, lambda t: t(_DIM, _TIMES))),
    (r"get_2d_sincos_pos_embed$", _grid_2d),
    (r"get_2d_sincos_pos_embed_from_grid", _one({"layout": "halves", "axes": [{"dims": 32}] * 2, "grid": [_IMAGE[1]]}, lambda t: t(
        _DIM, torch.cartesian_prod(*[torch.arange(n) for n in _IMAGE]).T.float()), None)),
    (r"get_3d_sincos", _one(_3D, lambda t: t(_DIM, _VIDEO[:0:-1], _VIDEO[0], spatial_interpolation_scale=2.0), None)),
)
