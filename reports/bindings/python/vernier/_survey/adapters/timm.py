"""timm: rotary and Fourier embeddings of grids, and the indices and coordinates of windows."""

import torch

from ._asking import adapter, named
from ._formulas import DIM, IMAGE, axial, centred, mixed, pixels, rope, scaled, sinusoids
from ._forms import ask, cos_sin
from ._rotations import grid

_places = grid(*IMAGE)
_frequencies = torch.randn(2, DIM // 2, generator=torch.Generator().manual_seed(0))
_plain, _pixels = axial((32, 32)), pixels("geometric", "112pi")
_periods = axial(centred(frequency="geometric", first="2", last="1/90"), "half", frequency_scale="2pi")
_reference = axial([{"dims": 32, "position_scale": f"16/{n}"} for n in IMAGE])
_window, _coordinates = [{"scheme": scheme, "window": list(IMAGE)} for scheme in ("window_index", "log_coordinates")]
_turns = [{"dims": DIM, "position_scale": f"2pi/{n}.000001", "position_offset": f"2pi/{n}.000001"} for n in IMAGE]
_SECTION = (8, 12, 12)  # of time, height and width in turn, as far as each goes; the rest is time's, which is 0
_in_turn = scaled("default", pair_axes=[pair % 3 if pair < 3 * _SECTION[pair % 3] else 0 for pair in range(DIM // 2)])


def _of_one(sines_and_cosines):
    """Cosines and sines of a table [rows, columns of sines, then of cosines], or of a pair of them."""
    together = torch.cat(sines_and_cosines, -1) if isinstance(sines_and_cosines, tuple) else sines_and_cosines
    return together.chunk(2, -1)[::-1]


def _embedded(spec, dtype=None, **options):
    call = lambda thing: _of_one(thing(DIM, **options).get_embed(IMAGE, dtype=dtype))
    return ask(spec, call, told=named({**options, **({"dtype": dtype} if dtype else {})}))


def _random(thing, dtypes):
    torch.manual_seed(0)
    module = thing(2 * DIM, depth=1, num_heads=2)  # its first axis is that of columns
    columns = lambda _: [one[..., ::2].transpose(0, 1).flatten(1) for one in _of_one(module.get_embed(IMAGE)[0])]
    return ask(mixed(module.freqs.detach()[:, 0]), columns, _places.flip(0), "default arguments")(thing, dtypes)


def _projected(thing):
    """An encoding before the projection of its channels, which is made the identity."""
    module = thing(hidden_dim=DIM, dim=2 * DIM)
    module.token_projection.weight.copy_(torch.eye(2 * DIM)[:, :, None, None])
    module.token_projection.bias.zero_()
    encoded = module(1, *IMAGE) if "xcit" in thing.__module__ else module((1, *IMAGE))
    return encoded[0].flatten(1).T


def _fourier(thing):
    """Sines of all bands, then cosines, each of both axes; before them a channel and both coordinates."""
    encoded = thing(num_bands=DIM // 4)(torch.zeros(1, 1, *IMAGE))[0, :, 3:].reshape(-1, 2, DIM // 4, 2)
    return encoded.transpose(-1, -2).flatten(2).unbind(1)[::-1]


_KINDS = (
    ("windows", r"def \w*relative_position_index|def gen_relative_log_coords|def _make_pair_wise|relative_coordinates_log ="),
    ("rotary", r"\binv_freq\b[^=\n]*=[^=]|build_rotary_pos_embed\(|get_mixed_freqs\(|self\.periods\b|_build_embed\("
               r"|rot\(x\) \* sin"),
    ("bands", r"bands \* torch\.pi|bands = 1\. /|pixel_freq_bands\("),
    ("sinusoidal", r"\.(sin|cos)\(\)|(torch|math)\.(sin|cos)\("),
)
_NO_ENCODINGS = (
    (r"scheduler\.|auto_augment", "a schedule of training, or a turned image"),
    (r"_RotaryEmbeddingBase|_build_bands|freq_bands$", "what other classes of its file call, and are judged with"),
    (r"init_random_2d_freqs", "it draws random frequencies: RotaryEmbeddingMixed is judged with them"),
)
_UNASKED = ((r"swin_transformer_v2_cr", "its coordinates are sign(d) ln(1 + |d|): Vernier has no key for them"),)

subjects, trials = adapter("timm", _KINDS, (
    (r"\.RotaryEmbedding(Cat)?$",
     _embedded(_pixels), _embedded(_pixels, torch.bfloat16), _embedded(pixels("linear", "112pi"), linear_bands=True),
     _embedded(_plain, in_pixels=False), _embedded(_reference, in_pixels=False, ref_feat_shape=[16, 16]),
     _embedded(axial(centred(), "half"), in_pixels=False, grid_type="centered", rotate_half=True)),
    (r"DinoV3$", _embedded(axial(centred(), "half", 100, frequency_scale="2pi")),
     _embedded(_periods, min_period=0.5, max_period=90.0, temperature=None)),
    (r"MRope$", ask(_in_turn, lambda t: _of_one(t(DIM, mrope_section=_SECTION).get_embed(IMAGE)),
                      torch.cat((torch.zeros_like(_places[:1]), _places)), "default arguments")),
    (r"Mixed$", _random),
    (r"FourierEmbed$", ask(pixels("linear", "112pi"), _fourier)),
    (r"build_fourier", ask(_pixels, lambda f: [one.flatten(2) for one in f(IMAGE, num_bands=DIM // 4)[::-1]])),
    (r"build_rotary", ask(_pixels, lambda f: f(IMAGE, dim=DIM)[::-1])),
    (r"get_mixed_freqs", ask(mixed(_frequencies), lambda f: _of_one(f(_frequencies, *_places)), _places)),
    (r"apply_rot_embed$", ask(rope("interleaved"), lambda f, heads, phases: f(heads, *cos_sin(phases)[::-1])),
     ask(rope(), lambda f, heads, phases: f(heads, *cos_sin(phases, "half")[::-1], half=True))),
    (r"build_sincos2d", ask(sinusoids({"dims": 32}, {"dims": 32}, axes_layout="across"), lambda f: f(IMAGE, DIM)),
     ask(sinusoids({"dims": 32}, {"dims": 32}, layout="halves"), lambda f: f(IMAGE, DIM, interleave_sin_cos=True))),
    (r"PositionalEncodingFourier", ask(sinusoids(*_turns), _projected)),
    (r"Gemma4", ask(axial((32, 32), "half_per_axis", 100), lambda t: t(DIM)(torch.zeros(1), _places.T[None]))),
    (r"pos_embed_rel\.gen_relative_position_index", ask(_window, lambda f: f(IMAGE), told="a window"),
     ask({**_window, "class_token": True}, lambda f: f(IMAGE, class_token=True), told="class_token")),
    (r"beit\.gen_relative", ask({**_window, "class_token": True}, lambda f: f(IMAGE), told="a window")),
    (r"get_relative_position_index", ask(_window, lambda f: f(*IMAGE), told="a window")),
    (r"gen_relative_log_coords", ask(_coordinates, lambda f: f(IMAGE, (0, 0)).reshape(-1, 2), told="pretrained 0"),
     ask({**_coordinates, "pretrained_window": [7, 7]}, lambda f: f(IMAGE, (7, 7)).reshape(-1, 2), told="pretrained 7")),
    (r"v2\.WindowAttention", ask(_window, lambda t: t(32, IMAGE, 2).relative_position_index, told="a window"),
     ask(_coordinates, lambda t: t(32, IMAGE, 2).relative_coords_table.reshape(-1, 2), told="coordinates")),
), unasked=_UNASKED, no_encodings=_NO_ENCODINGS)
