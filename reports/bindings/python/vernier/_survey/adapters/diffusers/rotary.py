"""Tables of rotations, and the functions that turn vectors by them."""

import types

import torch

from .. import _rotations
from .._asking import named
from .._formulas import AXES, DIM, IMAGE, ROWS, VIDEO, axial, longrope, mixed, rope, scaled
from .._forms import ask, cos_sin, doubled, of_one_spec, unit
from .._rotations import grid

_CPU = torch.device("cpu")
_line, _at, _places = torch.arange(ROWS), _rotations.positions(ROWS), grid(*VIDEO)
_LATENTS, _PIXELS = torch.zeros(1, 1, 3, 12, 16), torch.zeros(1, 1, 2 * IMAGE[0], 2 * IMAGE[1])  # in patches of 2 x 2
_COUNTED = [torch.arange(length) for length in VIDEO]
_apart = _places * torch.tensor([[3], [200], [200]])
_middle = torch.cat((torch.full((1, 126), 10), grid(*IMAGE) - torch.tensor([[5], [7]])))
_text_and_image = torch.cat((torch.arange(10).repeat(3, 1), _middle), dim=1)


def _slower(dims, factor):
    return [{"dims": one, "rope_scaling": {"rope_type": "linear", "factor": factor}} for one in dims]


def _bounded(*scales):
    """LTX: an axis each, with frequencies from pi/2 to 10000 pi/2, of coordinates that a scale and an offset bring to [-1, 1]."""
    bounds = {"frequency": "geometric", "first": "pi/2", "last": "10000pi/2", "position_offset": -1}
    dims = 2 * (DIM // (2 * len(scales)))
    axes = [{"dims": dims, "position_scale": scale, **bounds} for scale in scales]
    return axial(axes, arrangement="alternating", identity_front=DIM - dims * len(scales), head_dim=DIM)


def _ltx2(told, **options):
    return ask(_bounded("2/20", "2/2048", "2/2048"), lambda t, at: t(DIM, **options)(at[None].float()), _apart, told)


def _su(length):
    spec, short, long = longrope(length, 32, 131072)
    factors = {"short_factor": short, "long_factor": long}
    return ask(spec, lambda t, at: t(DIM, rope_scaling=factors)(torch.zeros(1), at[None]), _rotations.positions(length),
               f"{length} rows")


def _mochi():
    frequencies = torch.randn(3, 2, DIM // 2, generator=torch.Generator().manual_seed(0))
    # Centres of places, counted from the middle; the area is that of training, so that nothing scales them.
    spec = mixed(frequencies, axes=[{"position_offset": offset} for offset in (0, "-5/2", "-7/2")])
    call = lambda t: [one.flatten(1) for one in t(base_height=6, base_width=8)(frequencies, *VIDEO, dtype=torch.float32)]
    return ask(spec, call, _places, "random frequencies")


def _anyflow(thing):
    more = {"compressed_patch_size": (1, 4, 4)} if "Causal" in thing.__name__ else {}
    return thing(attention_head_dim=DIM, patch_size=(1, 2, 2), max_seq_len=64, **more)._forward_full_frame(*VIDEO, _CPU)


def _one_axis(spec, **options):
    return ask(spec, lambda f, at: f(DIM, at, **options), _at, named(options))


_split = {"rope_type": "split", "num_attention_heads": 1}
_joy = types.SimpleNamespace(hidden_size=DIM, num_attention_heads=1, rope_dim_list=list(AXES), theta=10000.0)
_mrope = scaled("default", mrope_section=[12, 10, 10], mrope_interleaved=True)
_cosmos = axial([{"dims": 24, "rope_scaling": {"rope_type": "ntk", "alpha": 2}}, 20, 20], "half")
_minimax = axial((16, 16, 16), "half", 100, frequency_scale="2pi")
_lumina = axial(_slower((32, 32), 2), theta=30000, arrangement="alternating")
_video, _flat = axial(AXES), axial((32, 32))
_thirds = axial((24, 20, 20))  # two thirds of a sixth of a head for height and width, the rest for time

ASKED = (
    *of_one_spec(rope(), {
        r"Kandinsky\dRoPE1D": lambda t: t(DIM, max_pos=ROWS)(_line),
        r"MiniMaxMusic3Rotary|StableAudio3Rotary|autoencoder_same\.RotaryEmbedding": lambda t: t(DIM)(ROWS, _CPU),
        r"AnimaRotary": lambda t: t(DIM)(torch.zeros(1), _line[None]),
        r"kolors\.text_encoder\.RotaryEmbedding": lambda t: t(DIM)(ROWS),
        r"_ace_step_rotary_freqs": lambda f: f(ROWS, DIM, 10000.0, _CPU, torch.float32),
        r"hidream_image\.rope": lambda f: f(_line[None], DIM, 10000),
        r"\.rope_params": lambda f: f(ROWS, DIM),
    }),
    *of_one_spec(_video, {
        r"(Flux\d?PosEmbed|Krea2RotaryPosEmbed|LongCatImagePosEmbed|OvisImagePosEmbed|(?<!PRX)EmbedND|BriaPosEmbed)$":
            lambda t, at: t(10000, AXES)(at.T),
        r"PRXEmbedND": lambda t, at: t(DIM, 10000, AXES)(at.T[None]),
        r"HeliosRotary": lambda t: t(AXES, 10000.0)(torch.arange(3)[None], 6, 8, _CPU)[0].flatten(1).T.chunk(2, -1),
        r"Kandinsky5RoPE3D": lambda t: t(AXES)((1, *VIDEO), _COUNTED),
        r"Lumina2RotaryPosEmbed": lambda t, at: t(10000, AXES)._get_freqs_cis(at.T[None]),
        r"JoyImageEditTransformer3DModel": lambda t: t.get_rotary_pos_embed(_joy, list(VIDEO))[0],
    }),
    *of_one_spec(axial(AXES, theta=256), {
        r"RopeEmbedder$": lambda t, at: t(256.0, AXES, (8, 16, 16))(at.T),
        r"HunyuanVideo(15)?RotaryPosEmbed|MotifVideoRotary": lambda t: t(2, 1, AXES)(_LATENTS),
        r"HunyuanImageRotary": lambda t: t((1, 2, 2), AXES)(_LATENTS),
        r"FramepackRotary": lambda t: t(2, 1, AXES)(torch.arange(3), 12, 16, _CPU),
    }),
    (r"(\.WanRotaryPosEmbed|SkyReelsV2RotaryPosEmbed)$", ask(_thirds, lambda t: t(DIM, (1, 2, 2), 64)(_LATENTS))),
    (r"AnyFlow\w*RotaryPosEmbed", ask(_thirds, _anyflow)),
    (r"CogView4Rotary", ask(axial((32, 32), "half"), lambda t: t(DIM, 2, IMAGE)(_PIXELS))),
    (r"GlmImageRotary", ask(axial((32, 32), "half"), lambda t: t(DIM, 2)(_PIXELS))),
    (r"Cosmos3VLText", ask(_mrope, lambda t, at: t(DIM, 10000.0, (12, 10, 10))(at[:, None], _CPU, torch.float32), _places)),
    (r"Ideogram4MRoPE", ask(_mrope, lambda t, at: t(DIM, 10000, (12, 10, 10))(at.T[None]), _places)),
    (r"ChronoEditRotaryPosEmbed",
     ask(axial((44, 42, 42)), lambda t: t(128, (1, 2, 2), 64)(_LATENTS), told="attention_head_dim 128"),
     ask(_thirds, lambda t: t(DIM, (1, 2, 2), 64)(_LATENTS), told="attention_head_dim 64")),
    (r"SanaWMRotaryPosEmbed",
     ask(_thirds, lambda t: t(DIM, (1, 2, 2), 64)(VIDEO), told="default arguments"),
     ask(_video, lambda t: t(DIM, (1, 2, 2), 64, fhw_dim=AXES)(VIDEO), told="fhw_dim")),
    (r"CosmosRotaryPosEmbed", ask(_cosmos, lambda t: t(DIM, max_size=(8, 24, 32), patch_size=(1, 2, 2))(_LATENTS))),
    (r"Kandinsky6(SR)?RoPE3D", ask(axial(_slower(AXES, 2.5)), lambda t: t(AXES)(_COUNTED, (2.5, 2.5, 2.5)))),
    (r"AudioDiTRotary", ask(rope(theta=100000), lambda t: t(DIM, ROWS)(torch.zeros(1, ROWS, 1)))),
    (r"LTXVideoRotary", ask(_bounded("1/4", "1/4", "1/4"), lambda t: t(DIM)(torch.zeros(1, 1), *VIDEO, (2.5, 256.0, 256.0)))),
    (r"LTX2AudioVideoRotary",
     _ltx2("interleaved"), _ltx2("split", **_split), _ltx2("float32 frequencies", double_precision=False)),
    (r"LTX2RotaryPosEmbed1d",
     ask(_bounded("2/4096"), lambda t: t(DIM)(1, ROWS, _CPU), told="interleaved"),
     ask(_bounded("2/4096"), lambda t: t(DIM, **_split)(1, ROWS, _CPU), told="split")),
    (r"MiniMaxH3RotaryPosEmbed", ask(axial((16, 16, 16), "half"), lambda t, at: t(8)(at.T))),
    (r"MiniMaxH3VideoRotary", ask(_minimax, lambda t, at: t(48)(at.T[None]), _places / 8, "eighths")),
    (r"OmniGenSu", _su(4096), _su(131072)),
    (r"MochiRoPE", _mochi()),
    # It turns vectors [batch, frames, rows, columns, heads, width] by their places.
    (r"VaeRotaryPosEmbed3D", ask(_video, lambda t, vector: t(DIM)(vector.reshape(1, *VIDEO, *vector.shape[2:])).reshape(
        vector.shape), _places, "a grid")),
    (r"QwenImage21Rope", ask(
        _video, lambda t: t(10000, AXES)([(1, *IMAGE)], torch.arange(136) >= 10, _CPU), _text_and_image, "a text and an image")),
    (r"(QwenEmbedRope|NucleusMoEEmbedRope|QwenEmbedLayer3DRope)$",
     ask(_video, lambda t: t(10000, list(AXES), scale_rope=True)._compute_video_freqs(*VIDEO, 0),
         _places - torch.tensor([[0], [3], [4]]), "scale_rope"),
     ask(_video, lambda t: t(10000, list(AXES))._compute_video_freqs(*VIDEO, 0), told="default arguments")),
    (r"EasyAnimateRotary", ask(_video, lambda t: t(10, DIM)(torch.zeros(1, 1, 3, 60, 90)), grid(3, 6, 9))),
    (r"get_1d_rotary_pos_embed$",
     _one_axis(rope()), _one_axis(rope(), use_real=True), _one_axis(rope(), use_real=True, repeat_interleave_real=False),
     _one_axis(rope(theta=256), theta=256.0), _one_axis(rope(), freqs_dtype=torch.float64),
     _one_axis(scaled("linear", factor=4), linear_factor=4.0), _one_axis(rope(theta=40000), ntk_factor=4.0)),
    (r"get_3d_rotary_pos_embed$",
     ask(_video, lambda f: f(DIM, ((0, 0), (6, 8)), (6, 8), 3), told="linspace"),
     ask(_video, lambda f: f(DIM, None, (6, 8), 3, grid_type="slice", max_size=(16, 16)), told="slice")),
    (r"get_3d_rotary_pos_embed_allegro", ask(scaled("linear", factor=2), lambda f: f(
        3 * DIM, ((0, 0), (ROWS, 8)), (ROWS, 8), 3, interpolation_scale=(2.0, 2.0, 2.0))[1])),
    (r"get_2d_rotary_pos_embed$", ask(_flat, lambda f: f(DIM, ((0, 0), IMAGE), IMAGE), grid(*IMAGE).flip(0))),
    (r"get_2d_rotary_pos_embed_from_grid", ask(_flat, lambda f, at: f(DIM, at.float(), use_real=True))),
    (r"get_2d_rotary_pos_embed_lumina", ask(_lumina, lambda f: f(DIM, *IMAGE, linear_factor=2.0, ntk_factor=3.0))),
    (r"embeddings\.apply_rotary_emb$",
     ask(rope("interleaved"), lambda f, heads, phases: f(heads, cos_sin(phases), use_real_unbind_dim=-1)),
     ask(rope(), lambda f, heads, phases: f(heads, cos_sin(phases, "half"), use_real_unbind_dim=-2)),
     ask(rope("interleaved"), lambda f, vector, phases: f(vector, unit(phases)[None], use_real=False))),
    (r"apply_rotary_emb_(qwen|nucleus)", ask(
        rope("interleaved"), lambda f, vector, phases: f(vector, unit(phases), use_real=False))),
    (r"anyflow\w*\.apply_rotary_emb$", ask(rope("interleaved"), lambda f, heads, phases: f(heads, unit(phases)[None, None]))),
    (r"sana_wm\._apply_rotary_emb", ask(rope("interleaved"), lambda f, vector, phases: f(
        vector.permute(0, 2, 3, 1), unit(phases)[None, None]).permute(0, 3, 1, 2))),
    (r"_apply_rotary_partial", ask(rope(), lambda f, vector, phases: f(vector, doubled(phases, "half")))),
)
