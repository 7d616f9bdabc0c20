"""timm: rotary and Fourier embeddings of grids, and the indices and coordinates of windows."""

from .._asked import Trial
from . import _asking, _rotations, _sources

LIBRARY = DISTRIBUTION = "timm"
PRELOAD = ("torch",)

_DIM, _GRID = 64, (9, 14)
_KINDS = (
    ("windows", r"def \w*relative_position_index|def gen_relative_log_coords|def _make_pair_wise|relative_coordinates_log ="),
    ("rotary", r"\binv_freq\b[^=\n]*=[^=]|build_rotary_pos_embed\(|get_mixed_freqs\(|self\.periods\b|_build_embed\("),
    ("bands", r"bands \* torch\.pi|bands = 1\. /|pixel_freq_bands\("),
    ("sinusoidal", r"\.(sin|cos)\(\)|(torch|math)\.(sin|cos)\("),
)
_OTHERS = (
    (r"scheduler\.|auto_augment", "no encoding: a schedule of training, or a turned image"),
    (r"_RotaryEmbeddingBase|_build_bands|freq_bands$", "what other classes of its file call, and are judged with"),
    (r"init_random_2d_freqs", "it draws random frequencies: RotaryEmbeddingMixed is judged with them"),
    (r"swin_transformer_v2_cr", "its coordinates are sign(d) ln(1 + |d|): Vernier has no key for them"),
)


def subjects():
    return _sources.subjects(LIBRARY, lambda path: True, _KINDS, _OTHERS)


def trials(subject, dtypes):
    return _asking.trials(LIBRARY, _ASKED, subject, dtypes)


def _pixels(linear, last="112pi"):
    """Axes whose coordinates go from -1 to 1, with frequencies from pi to last."""
    bounds = {"frequency": "linear" if linear else "geometric", "first": "pi", "last": last}
    return [{"dims": _DIM // 2, "position_scale": f"2/{n - 1}", "position_offset": -1, **bounds} for n in _GRID]


def _centred(**keys):
    return [{"dims": _DIM // 2, "position_scale": f"2/{n}", "position_offset": f"{1 - n}/{n}", **keys} for n in _GRID]


def _places():
    import torch

    return torch.cartesian_prod(*[torch.arange(n) for n in _GRID]).T


def _axial(axes, **keys):
    return {"scheme": "axial_rope", "head_dim": _DIM, "layout": "interleaved", "axes": axes, **keys}


def _rotary(thing, dtypes):
    index = [{"dims": _DIM // 2}] * 2
    ways = {
        "default arguments": ({}, _axial(_pixels(False))),
        "linear_bands": ({"linear_bands": True}, _axial(_pixels(True))),
        "in_pixels False": ({"in_pixels": False}, _axial(index)),
        "ref_feat_shape": ({"in_pixels": False, "ref_feat_shape": [16, 16]},
                           _axial([{**axis, "position_scale": f"16/{n}"} for axis, n in zip(index, _GRID)])),
        "grid_type centered, rotate_half": ({"in_pixels": False, "grid_type": "centered", "rotate_half": True},
                                            _axial(_centred(), layout="half")),
    }
    for what, (options, spec) in ways.items():
        yield from _of_grid(what, thing(_DIM, **options), spec, dtypes, options.get("rotate_half", False))


def _dinov3(thing, dtypes):
    spec = _axial(_centred(), layout="half", rope_theta=100, frequency_scale="2pi")
    yield from _of_grid("default arguments", thing(_DIM), spec, dtypes, True)
    periods = _axial(_centred(frequency="geometric", first="2", last="1/90"), layout="half", frequency_scale="2pi")
    yield from _of_grid("min_period, max_period", thing(_DIM, min_period=0.5, max_period=90.0, temperature=None), periods, dtypes, True)


def _mrope(thing, dtypes):
    import torch

    section = (8, 12, 12)
    # Time, height and width in turn as far as their sections go; what is left over is time's, which is 0.
    axes = [pair % 3 if pair < 3 * section[pair % 3] else 0 for pair in range(_DIM // 2)]
    spec = {"scheme": "rope", "head_dim": _DIM, "rope_scaling": {"rope_type": "default", "pair_axes": axes}}
    at = torch.cat((torch.zeros(1, _GRID[0] * _GRID[1], dtype=torch.long), _places()))
    yield from _of_grid("default arguments", thing(_DIM, mrope_section=section), spec, dtypes, True, at)


def _of_grid(what, module, spec, dtypes, is_half, at=None):
    import torch

    apply = _asking.import_of(LIBRARY, "layers.pos_embed_sincos").apply_rot_embed_cat
    at = _places() if at is None else at
    for dtype in _asking.formats(dtypes):
        table = module.get_embed(_GRID, dtype=dtype)
        table = torch.cat(table, dim=-1) if isinstance(table, tuple) else table
        sin, cos = table.chunk(2, -1)
        name = f"{what}, {str(dtype).replace('torch.', '')}"
        yield _rotations.tables(name, spec, cos, sin, at, "formula")
        yield from _rotations.vectors(name, spec, lambda vector: apply(vector, table, half=is_half), _DIM, at, dtype, "formula")


def _mixed(thing, dtypes):
    import torch

    torch.manual_seed(0)
    heads = 2
    module = thing(heads * _DIM, depth=1, num_heads=heads)
    across, down = _places()[1], _places()[0]
    table = module.get_embed(_GRID).detach()[0]
    sin, cos = table[..., :_DIM:2], table[..., _DIM::2]
    spec = {"scheme": "axial_rope", "arrangement": "mixed", "head_dim": _DIM, "layout": "interleaved",
            "frequencies": [[head.tolist() for head in axis] for axis in module.freqs.detach()[:, 0]], "frequencies_dtype": "float32"}
    yield _rotations.tables("default arguments", spec, cos, sin, torch.stack((across, down)), "formula")


def _fourier(thing, dtypes):
    import torch

    bands = _DIM // 4
    if isinstance(thing, type):
        x = torch.zeros(1, 1, *_GRID)
        encoded = thing(num_bands=bands)(x)[0].unflatten(-1, (-1,))[:, 3:].reshape(-1, 2, bands, 2)
        # Sines of all bands, then cosines, each of both axes; before them a channel and both coordinates.
        sin, cos = encoded.transpose(-1, -2).flatten(2).unbind(1)
    else:
        sin, cos = [one.flatten(2).flatten(0, 1) for one in thing(_GRID, num_bands=bands)]
    yield _rotations.tables("default arguments", _axial(_pixels(isinstance(thing, type))), cos, sin, _places(), "formula")


def _rotary_function(thing, dtypes):
    sin, cos = thing(_GRID, dim=_DIM)
    yield _rotations.tables("default arguments", _axial(_pixels(False)), cos[:, ::2], sin[:, ::2], _places(), "formula")


def _mixed_function(thing, dtypes):
    import torch

    torch.manual_seed(0)
    frequencies, (down, across) = torch.randn(2, _DIM // 2), _places()
    sin, cos = thing(frequencies, across, down).chunk(2, -1)
    spec = {"scheme": "axial_rope", "arrangement": "mixed", "head_dim": _DIM, "layout": "interleaved",
            "frequencies": frequencies.tolist(), "frequencies_dtype": "float32"}
    yield _rotations.tables("random frequencies", spec, cos, sin, torch.stack((across, down)), "formula")


def _sincos(thing, dtypes):
    axes = {"scheme": "sinusoidal", "axes": [{"dims": _DIM // 2}] * 2, "grid": [_GRID[1]]}
    for dtype in _asking.formats(dtypes):
        name = str(dtype).replace("torch.", "")
        yield Trial(f"default arguments, {name}", {**axes, "axes_layout": "across"}, {"encoding": thing(_GRID, dtype=dtype)}, source="formula")
        yield Trial(f"interleave_sin_cos, {name}", {**axes, "layout": "halves"},
                    {"encoding": thing(_GRID, interleave_sin_cos=True, dtype=dtype)}, source="formula")


def _projected(thing, dtypes):
    """An encoding before the projection of its channels, which is made the identity."""
    import torch

    module = thing(hidden_dim=_DIM, dim=2 * _DIM)
    with torch.no_grad():
        module.token_projection.weight.copy_(torch.eye(2 * _DIM)[:, :, None, None])
        module.token_projection.bias.zero_()
        encoded = module(1, *_GRID) if "xcit" in thing.__module__ else module((1, *_GRID))
    turns = [f"2pi/{n}.000001" for n in _GRID]
    spec = {"scheme": "sinusoidal", "grid": [_GRID[1]],
            "axes": [{"dims": _DIM, "position_scale": turn, "position_offset": turn} for turn in turns]}
    yield Trial("default arguments, float32", spec, {"encoding": encoded[0].flatten(1).T}, source="formula")


def _gemma(thing, dtypes):
    import torch

    spec = {"scheme": "axial_rope", "head_dim": _DIM, "rope_theta": 100, "layout": "half_per_axis", "axes": [{"dims": _DIM // 2}] * 2}
    for dtype in _asking.formats(dtypes):
        cos, sin = thing(_DIM)(torch.zeros(1, dtype=dtype), _places().T[None])
        yield _rotations.tables(f"default arguments, {str(dtype).replace('torch.', '')}", spec, cos, sin, _places(), "formula")


def _index(thing, dtypes):
    is_beit = "beit" in thing.__module__
    index = thing(*_GRID) if thing.__name__.startswith("get") else thing(_GRID)
    yield Trial("a window", {"scheme": "window_index", "window": list(_GRID), "class_token": is_beit}, {"index": index}, source="formula")
    if thing.__module__.endswith("pos_embed_rel"):
        yield Trial("class_token", {"scheme": "window_index", "window": list(_GRID), "class_token": True},
                    {"index": thing(_GRID, class_token=True)}, source="formula")


def _coordinates(thing, dtypes):
    if isinstance(thing, type):
        module = thing(dim=32, window_size=_GRID, num_heads=2)
        yield Trial("a window", {"scheme": "window_index", "window": list(_GRID)}, {"index": module.relative_position_index}, source="formula")
        yield Trial("coordinates", {"scheme": "log_coordinates", "window": list(_GRID)},
                    {"coordinates": module.relative_coords_table.reshape(-1, 2)}, source="formula")
        return
    for trained in ((0, 0), (7, 7)):
        spec = {"scheme": "log_coordinates", "window": list(_GRID), **({"pretrained_window": list(trained)} if trained[0] else {})}
        yield Trial(f"pretrained_win_size {trained[0]}", spec, {"coordinates": thing(_GRID, trained).reshape(-1, 2)}, source="formula")


_ASKED = (
    (r"\.RotaryEmbedding(Cat)?$", _rotary), (r"DinoV3$", _dinov3), (r"MRope$", _mrope), (r"Mixed$", _mixed), (r"FourierEmbed$|build_fourier", _fourier),
    (r"build_rotary", _rotary_function), (r"get_mixed_freqs", _mixed_function), (r"build_sincos2d", _sincos),
    (r"PositionalEncodingFourier", _projected), (r"Gemma4", _gemma), (r"relative_position_index", _index),
    (r"relative_log_coords|v2\.WindowAttention", _coordinates),
)
