"""Tables of rotations, and the functions that turn vectors by them."""

import types

import torch

from .. import _rotations
from .._forms import (AXES, DIM, IMAGE, ROWS, VIDEO, all_of, axial, doubled, exact, grid, longrope, mixed, of_grid, of_line, rope, rotations, scaled,
                      tables, unit)

_THIRDS = (24, 20, 20)  # two thirds of a sixth of a head for height and width, the rest for time
_LATENTS = (1, 1, 3, 12, 16)  # of the video, in patches of 2 x 2
_CPU = torch.device("cpu")


def _bounded(scales):
    """LTX: an axis each, with frequencies from pi/2 to 10000 pi/2, of coordinates that a scale and an offset bring into [-1, 1]."""
    bounds = {"frequency": "geometric", "first": "pi/2", "last": "10000pi/2", "position_offset": -1}
    dims = 2 * (DIM // (2 * len(scales)))
    axes = [{"dims": dims, "position_scale": scale, **bounds} for scale in scales]
    return axial(axes, arrangement="alternating", identity_front=DIM - dims * len(scales), head_dim=DIM)


def _applied(dim, layout):
    def turn(function, vector, phases):
        wide = doubled(phases, layout)
        return function(vector.transpose(1, 2), (wide.cos().float(), wide.sin().float()), use_real_unbind_dim=dim).transpose(1, 2)

    return exact(turn, layout)


def _su(length):
    spec, short, long = longrope(length, 32, 131072)
    at = _rotations.positions(length)
    return f"{length} rows", spec, lambda t: t(DIM, rope_scaling={"short_factor": short, "long_factor": long})(torch.zeros(1), at[None]), at


def _mochi(thing, dtypes):
    torch.manual_seed(0)
    frequencies = torch.randn(3, 2, DIM // 2)
    # Centres of places, counted from the middle; the area is that of training, so that nothing scales them.
    spec = mixed(frequencies, axes=[{"position_offset": offset} for offset in (0, "-5/2", "-7/2")])
    cos, sin = [one.flatten(1) for one in thing(base_height=6, base_width=8)(frequencies, *VIDEO, dtype=torch.float32)]
    yield _rotations.tables("random frequencies", spec, cos, sin, grid(), "formula")


def _one_axis():
    at = _rotations.positions(ROWS)
    ways = (({}, rope()), ({"theta": 256.0}, rope(theta=256)), ({"freqs_dtype": torch.float64}, rope()),
            ({"linear_factor": 4.0}, scaled("linear", factor=4)), ({"ntk_factor": 4.0}, rope(theta=40000)))
    forms = ({}, {"use_real": True}, {"use_real": True, "repeat_interleave_real": False})
    return tables(*[(f"{options} {form}", spec, lambda t, options=options, form=form: t(DIM, at, **options, **form), at)
                    for options, spec in ways for form in forms])


def _video(thing, name):
    """It turns vectors [batch, frames, rows, columns, heads, width] by their places."""
    return lambda vector: thing(DIM)(vector.reshape(1, *VIDEO, *vector.shape[2:])).reshape(vector.shape)


_image = torch.zeros(1, 1, 2 * IMAGE[0], 2 * IMAGE[1])
_apart = grid() * torch.tensor([[3], [200], [200]])
_mrope = scaled("default", mrope_section=[12, 10, 10], mrope_interleaved=True)
_lumina = axial([{"dims": 32, "rope_scaling": {"rope_type": "linear", "factor": 2}}] * 2, theta=30000, arrangement="alternating")
_split = {"rope_type": "split", "num_attention_heads": 1}
_joy = types.SimpleNamespace(hidden_size=DIM, num_attention_heads=1, rope_dim_list=list(AXES), theta=10000.0)
_text_and_image = torch.cat((torch.arange(10).repeat(3, 1), torch.cat((torch.full((1, 126), 10), grid(IMAGE) - torch.tensor([[5], [7]])))), 1)

ASKED = (
    (r"(Flux\d?PosEmbed|Krea2RotaryPosEmbed|LongCatImagePosEmbed|OvisImagePosEmbed|EmbedND|BriaPosEmbed)$(?<!PRXEmbedND)",
     of_grid(axial(AXES), lambda t: t(10000, AXES)(grid().T))),
    (r"PRXEmbedND", of_grid(axial(AXES), lambda t: t(DIM, 10000, AXES)(grid().T[None]))),
    (r"RopeEmbedder$", of_grid(axial(AXES, theta=256), lambda t: t(256.0, AXES, (8, 16, 16))(grid().T))),
    (r"(\.WanRotaryPosEmbed|SkyReelsV2RotaryPosEmbed)$",
     of_grid(axial(_THIRDS), lambda t: t(DIM, (1, 2, 2), 64)(torch.zeros(_LATENTS)))),
    (r"ChronoEditRotaryPosEmbed", tables(
        ("attention_head_dim 128", axial((44, 42, 42)), lambda t: t(128, (1, 2, 2), 64)(torch.zeros(_LATENTS)), grid()),
        ("attention_head_dim 64", axial(_THIRDS), lambda t: t(DIM, (1, 2, 2), 64)(torch.zeros(_LATENTS)), grid()))),
    (r"SanaWMRotaryPosEmbed", tables(
        ("default arguments", axial(_THIRDS), lambda t: t(DIM, (1, 2, 2), 64)(VIDEO), grid()),
        ("fhw_dim", axial(AXES), lambda t: t(DIM, (1, 2, 2), 64, fhw_dim=AXES)(VIDEO), grid()))),
    (r"AnyFlow\w*RotaryPosEmbed", of_grid(axial(_THIRDS), lambda t: t(
        attention_head_dim=DIM, patch_size=(1, 2, 2), max_seq_len=64, **({"compressed_patch_size": (1, 4, 4)} if "Causal" in t.__name__ else {})
    )._forward_full_frame(*VIDEO, _CPU))),
    (r"HunyuanVideo(15)?RotaryPosEmbed|MotifVideoRotary", of_grid(axial(AXES, theta=256), lambda t: t(2, 1, AXES)(torch.zeros(_LATENTS)))),
    (r"HunyuanImageRotary", of_grid(axial(AXES, theta=256), lambda t: t((1, 2, 2), AXES)(torch.zeros(_LATENTS)))),
    (r"FramepackRotary", of_grid(axial(AXES, theta=256), lambda t: t(2, 1, AXES)(torch.arange(3), 12, 16, _CPU))),
    (r"HeliosRotary", of_grid(axial(AXES), lambda t: t(AXES, 10000.0)(torch.arange(3)[None], 6, 8, _CPU)[0].flatten(1).T.chunk(2, -1))),
    (r"CosmosRotaryPosEmbed", of_grid(
        axial([{"dims": 24, "rope_scaling": {"rope_type": "ntk", "alpha": 2}}, 20, 20], "half"),
        lambda t: t(DIM, max_size=(8, 24, 32), patch_size=(1, 2, 2))(torch.zeros(_LATENTS)))),
    (r"CogView4Rotary", of_grid(axial((32, 32), "half"), lambda t: t(DIM, 2, IMAGE)(_image), IMAGE)),
    (r"GlmImageRotary", of_grid(axial((32, 32), "half"), lambda t: t(DIM, 2)(_image), IMAGE)),
    (r"Cosmos3VLText", of_grid(_mrope, lambda t: t(DIM, 10000.0, (12, 10, 10))(grid()[:, None], _CPU, torch.float32))),
    (r"Ideogram4MRoPE", of_grid(_mrope, lambda t: t(DIM, 10000, (12, 10, 10))(grid().T[None]))),
    (r"Kandinsky\dRoPE1D", of_line(rope(), lambda t: t(DIM, max_pos=ROWS)(torch.arange(ROWS)))),
    (r"Kandinsky5RoPE3D", of_grid(axial(AXES), lambda t: t(AXES)((1, *VIDEO), [torch.arange(n) for n in VIDEO]))),
    (r"Kandinsky6(SR)?RoPE3D", tables(*[
        (f"scale_factor {scale:g}", axial([{"dims": dims, "rope_scaling": {"rope_type": "linear", "factor": scale}} for dims in AXES]),
         lambda t, scale=scale: t(AXES)([torch.arange(n) for n in VIDEO], (scale,) * 3), grid()) for scale in (1.0, 2.5)])),
    (r"AudioDiTRotary", of_line(rope(theta=100000), lambda t: t(DIM, ROWS)(torch.zeros(1, ROWS, 1)))),
    (r"LTXVideoRotary", of_grid(_bounded(("1/4",) * 3), lambda t: t(DIM)(torch.zeros(1, 1), *VIDEO, (2.5, 256.0, 256.0)))),
    (r"LTX2AudioVideoRotary", tables(*[
        (what, _bounded(("2/20", "2/2048", "2/2048")), lambda t, more=more: t(DIM, **more)(_apart[None].float()), _apart)
        for what, more in (("interleaved", {}), ("split", _split), ("float32 frequencies", {"double_precision": False}))])),
    (r"LTX2RotaryPosEmbed1d", tables(*[
        (what, _bounded(("2/4096",)), lambda t, more=more: t(DIM, **more)(1, ROWS, _CPU), torch.arange(ROWS))
        for what, more in (("interleaved", {}), ("split", _split))])),
    (r"Lumina2RotaryPosEmbed", of_grid(axial(AXES), lambda t: t(10000, AXES)._get_freqs_cis(grid().T[None]))),
    (r"MiniMaxH3RotaryPosEmbed", of_grid(axial((16, 16, 16), "half"), lambda t: t(8)(grid().T))),
    (r"MiniMaxH3VideoRotary", tables((
        "eighths", axial((16, 16, 16), "half", 100, frequency_scale="2pi"), lambda t: t(48)(grid().T[None] / 8), grid() / 8))),
    (r"MiniMaxMusic3Rotary|StableAudio3Rotary|autoencoder_same\.RotaryEmbedding", of_line(rope(), lambda t: t(DIM)(ROWS, _CPU))),
    (r"AnimaRotary", of_line(rope(), lambda t: t(DIM)(torch.zeros(1), torch.arange(ROWS)[None]))),
    (r"kolors\.text_encoder\.RotaryEmbedding", of_line(rope(), lambda t: t(DIM)(ROWS))),
    (r"_ace_step_rotary_freqs", of_line(rope(), lambda t: t(ROWS, DIM, 10000.0, _CPU, torch.float32))),
    (r"hidream_image\.rope", of_line(rope(), lambda t: t(torch.arange(ROWS)[None], DIM, 10000))),
    (r"\.rope_params", of_line(rope(), lambda t: t(ROWS, DIM))),
    (r"OmniGenSu", tables(_su(4096), _su(131072))), (r"MochiRoPE", _mochi), (r"VaeRotaryPosEmbed3D", rotations(("a grid", axial(AXES), grid(), _video))),
    (r"QwenImage21Rope", tables(("a text and an image", axial(AXES), lambda t: t(10000, AXES)(
        [(1, *IMAGE)], torch.arange(136) >= 10, _CPU), _text_and_image))),
    (r"JoyImageEditTransformer3DModel", of_grid(axial(AXES), lambda t: t.get_rotary_pos_embed(_joy, list(VIDEO))[0])),
    (r"(QwenEmbedRope|NucleusMoEEmbedRope|QwenEmbedLayer3DRope)$", tables(
        ("scale_rope", axial(AXES), lambda t: t(10000, list(AXES), scale_rope=True)._compute_video_freqs(*VIDEO, 0), grid() - torch.tensor([[0], [3], [4]])),
        ("default arguments", axial(AXES), lambda t: t(10000, list(AXES))._compute_video_freqs(*VIDEO, 0), grid()))),
    (r"EasyAnimateRotary", of_grid(axial(AXES), lambda t: t(10, DIM)(torch.zeros(1, 1, 3, 60, 90)), (3, 6, 9))),
    (r"get_1d_rotary_pos_embed$", _one_axis()),
    (r"get_3d_rotary_pos_embed$", tables(
        ("linspace", axial(AXES), lambda t: t(DIM, ((0, 0), (6, 8)), (6, 8), 3), grid()),
        ("slice", axial(AXES), lambda t: t(DIM, None, (6, 8), 3, grid_type="slice", max_size=(16, 16)), grid()))),
    (r"get_3d_rotary_pos_embed_allegro", of_line(scaled("linear", factor=2), lambda t: t(
        3 * DIM, ((0, 0), (ROWS, 8)), (ROWS, 8), 3, interpolation_scale=(2.0, 2.0, 2.0))[1])),
    (r"get_2d_rotary_pos_embed$", tables(("a grid", axial((32, 32)), lambda t: t(DIM, ((0, 0), IMAGE), IMAGE), grid(IMAGE).flip(0)))),
    (r"get_2d_rotary_pos_embed_from_grid", of_grid(axial((32, 32)), lambda t: t(DIM, grid(IMAGE).float(), use_real=True), IMAGE)),
    (r"get_2d_rotary_pos_embed_lumina", of_grid(_lumina, lambda t: t(DIM, *IMAGE, linear_factor=2.0, ntk_factor=3.0), IMAGE)),
    (r"embeddings\.apply_rotary_emb$", all_of(_applied(-1, "interleaved"), _applied(-2, "half"), exact(
        lambda f, vector, phases: f(vector, unit(phases)[None], use_real=False)))),
    (r"apply_rotary_emb_(qwen|nucleus)", exact(lambda f, vector, phases: f(vector, unit(phases), use_real=False))),
    (r"anyflow\w*\.apply_rotary_emb$", exact(lambda f, vector, phases: f(vector.transpose(1, 2), unit(phases)[None, None]).transpose(1, 2))),
    (r"sana_wm\._apply_rotary_emb", exact(lambda f, vector, phases: f(vector.permute(0, 2, 3, 1), unit(phases)[None, None]).permute(0, 3, 1, 2))),
    (r"_apply_rotary_partial", exact(lambda f, vector, phases: f(vector, doubled(phases, "half")), "half")),
)
