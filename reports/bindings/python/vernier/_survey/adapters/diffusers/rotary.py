"""Tables of rotations, and the functions that turn vectors by them."""

import torch

from ..._asked import Trial
from .. import _asking, _rotations

_DIM, _AXES, _ROWS = 64, (16, 24, 24), 4096
_VIDEO, _IMAGE = (3, 6, 8), (9, 14)  # patches
_THIRDS = (24, 20, 20)  # two thirds of a sixth of a head for height and width, the rest for time
_LATENTS = (1, 1, 3, 12, 16)  # of the video, in patches of 2 x 2
_CPU = torch.device("cpu")


def _grid(lengths=_VIDEO):
    return torch.cartesian_prod(*[torch.arange(n) for n in lengths]).T


def _axial(dims, layout="interleaved", theta=10000, **keys):
    axes = [axis if isinstance(axis, dict) else {"dims": axis} for axis in dims]
    spec = {"scheme": "axial_rope", "head_dim": sum(axis["dims"] for axis in axes), "rope_theta": theta, "layout": layout, "axes": axes}
    return {**spec, **keys}


def _rope(layout="half", theta=10000, **keys):
    return {"scheme": "rope", "head_dim": _DIM, "rope_theta": theta, "layout": layout, **keys}


def _bounded(scales):
    """LTX: an axis each, with frequencies from pi/2 to 10000 pi/2, of coordinates that a scale and an offset bring into [-1, 1]."""
    bounds = {"frequency": "geometric", "first": "pi/2", "last": "10000pi/2", "position_offset": -1}
    rest = _DIM - len(scales) * 2 * (_DIM // (2 * len(scales)))
    axes = [{"dims": 2 * (_DIM // (2 * len(scales))), "position_scale": scale, **bounds} for scale in scales]
    return _axial(axes, arrangement="alternating", identity_front=rest, head_dim=_DIM)


def _answered(answer):
    """Cosines and sines [rows, columns] of any form that they come in: complex numbers, matrices of turns, or a pair of tables."""
    if torch.is_tensor(answer) and answer.is_complex():
        return [one.reshape(-1, one.shape[-1]) for one in (answer.real, answer.imag)]
    if torch.is_tensor(answer) and answer.shape[-2:] == (2, 2):
        return [answer[..., row, 0].reshape(-1, answer.shape[-3]) for row in (0, 1)]
    if torch.is_tensor(answer):  # phases, or cosines and sines of each pair
        pair = (answer[..., 0], answer[..., 1]) if answer.shape[-1] == 2 else (answer.cos(), answer.sin())
        return [one.reshape(-1, one.shape[-1]) for one in pair]
    return [one.detach().reshape(-1, one.shape[-1]) for one in answer]


def _tables(*ways):
    """ways: what is asked for, the spec of a class, the call, and the positions of its rows: integers, or [axes, rows]."""
    def ask(thing, dtypes):
        for what, spec, call, at in ways:
            cos, sin = [_rotations.of_pairs(one, _rotations.pairs_of(spec)) for one in _answered(call(thing))]
            yield _rotations.tables(what, spec, cos, sin, at() if callable(at) else at, "formula")

    return ask


def _one(spec, call, at=_grid, what="a grid"):
    return _tables((what, spec, call, at))


def _line(spec, call):
    return _one(spec, call, lambda: torch.arange(_ROWS), f"{_ROWS} rows")


def _vectors(call, layout="interleaved"):
    """Of functions: they turn vectors [1, rows, heads, width] by exact phases. call: of the function, vectors and phases of pairs."""
    def ask(thing, dtypes):
        at = _rotations.positions(_ROWS)
        phases = at[:, None].double() * 10000.0 ** (-torch.arange(_DIM // 2).double() / (_DIM // 2))
        rotate = _asking.by_rows(lambda vector: call(thing, vector, phases))
        yield from _asking.vectors("exact phases", _rope(layout), rotate, at, dtypes)

    return ask


def _complex(phases):
    return torch.polar(torch.ones_like(phases), phases).to(torch.complex64)


def _doubled(phases, interleaved=True):
    wide = phases.repeat_interleave(2, -1) if interleaved else torch.cat((phases, phases), -1)
    return wide.cos().float(), wide.sin().float()


def _apply(thing, dtypes):
    for dim, layout in ((-1, "interleaved"), (-2, "half")):
        turn = lambda f, vector, phases: f(vector.transpose(1, 2), _doubled(phases, dim == -1), use_real_unbind_dim=dim).transpose(1, 2)
        yield from _vectors(turn, layout)(thing, dtypes)
    yield from _vectors(lambda f, vector, phases: f(vector, _complex(phases)[None], use_real=False))(thing, dtypes)


def _su(thing, dtypes):
    short, long = [[1 + step * pair / 32 for pair in range(_DIM // 2)] for step in (1, 8)]
    rope = {"rope_type": "longrope", "short_factor": short, "long_factor": long, "factor": 32, "original_max_position_embeddings": 4096}
    module = thing(_DIM, rope_scaling={"short_factor": short, "long_factor": long})
    for context in (4096, 131072):
        at = _rotations.positions(context)
        spec = _rope(rope_scaling=rope, max_position_embeddings=131072, sequence_length=context)
        cos, sin = [one[:, :_DIM // 2] for one in module(torch.zeros(1), at[None])]
        yield _rotations.tables(f"{context} rows", spec, cos, sin, at, "formula")


def _mochi(thing, dtypes):
    torch.manual_seed(0)
    frequencies = torch.randn(3, 2, _DIM // 2)
    # Centres of places, counted from the middle; the area is that of training, so that nothing scales them.
    offsets = [{"position_offset": offset} for offset in (0, "-5/2", "-7/2")]
    spec = {"scheme": "axial_rope", "arrangement": "mixed", "head_dim": _DIM, "layout": "interleaved", "axes": offsets,
            "frequencies": frequencies.tolist(), "frequencies_dtype": "float32"}
    cos, sin = [one.flatten(1) for one in thing(base_height=6, base_width=8)(frequencies, *_VIDEO, dtype=torch.float32)]
    yield _rotations.tables("random frequencies", spec, cos, sin, _grid(), "formula")


def _qwen21(thing, dtypes):
    text, image = torch.arange(10).repeat(3, 1), torch.cat((torch.full((1, 126), 10), _grid(_IMAGE) - torch.tensor([[5], [7]])))
    mask = torch.arange(136) >= 10
    yield from _one(_axial(_AXES), lambda t: t(10000, _AXES)([(1, *_IMAGE)], mask, _CPU), torch.cat((text, image), 1), "a text and an image")(thing, dtypes)


def _one_axis(thing, dtypes):
    at = _rotations.positions(_ROWS)
    for what, options, spec in (
            ("default arguments", {}, _rope()), ("theta 256", {"theta": 256.0}, _rope(theta=256)),
            ("float64", {"freqs_dtype": torch.float64}, _rope()),
            ("linear_factor 4", {"linear_factor": 4.0}, _rope(rope_scaling={"rope_type": "linear", "factor": 4})),
            ("ntk_factor 4", {"ntk_factor": 4.0}, _rope(theta=40000))):
        for form in ({}, {"use_real": True}, {"use_real": True, "repeat_interleave_real": False}):
            yield from _one(spec, lambda t: t(_DIM, at, **options, **form), at, f"{what} {form or ''}".strip())(thing, dtypes)


def _down_from_middle():
    return _grid() - torch.tensor([[0], [3], [4]])


def _of_method(thing, dtypes):
    """A method of a model that reads sizes of the model alone."""
    import types

    model = types.SimpleNamespace(hidden_size=_DIM, num_attention_heads=1, rope_dim_list=list(_AXES), theta=10000.0)
    answer = thing.get_rotary_pos_embed(model, list(_VIDEO))
    answer = answer[0] if isinstance(answer[0], tuple) else answer[:2]
    yield from _one(_axial(_AXES), lambda t: answer)(thing, dtypes)


_FLAT = torch.zeros(1)
_mrope = _rope(rope_scaling={"rope_type": "default", "mrope_section": [12, 10, 10], "mrope_interleaved": True})
_latents_of_image = torch.zeros(1, 1, 2 * _IMAGE[0], 2 * _IMAGE[1])
_lumina = _axial([{"dims": 32, "rope_scaling": {"rope_type": "linear", "factor": 2}}] * 2, theta=30000, arrangement="alternating")
_hunyuan = _one(_axial(_AXES, theta=256), lambda t: t(2, 1, _AXES)(torch.zeros(_LATENTS)))
_split = {"rope_type": "split", "num_attention_heads": 1}

ASKED = (
    (r"(Flux\d?PosEmbed|Krea2RotaryPosEmbed|LongCatImagePosEmbed|OvisImagePosEmbed|EmbedND|BriaPosEmbed)$(?<!PRXEmbedND)",
     _one(_axial(_AXES), lambda t: t(10000, _AXES)(_grid().T))),
    (r"PRXEmbedND", _one(_axial(_AXES), lambda t: t(_DIM, 10000, _AXES)(_grid().T[None]))),
    (r"RopeEmbedder$", _one(_axial(_AXES, theta=256), lambda t: t(256.0, _AXES, (8, 16, 16))(_grid().T))),
    (r"(\.WanRotaryPosEmbed|SkyReelsV2RotaryPosEmbed|ChronoEditRotaryPosEmbed)$",
     _one(_axial(_THIRDS), lambda t: t(_DIM, (1, 2, 2), 64)(torch.zeros(_LATENTS)))),
    (r"SanaWMRotaryPosEmbed", _tables(
        ("default arguments", _axial(_THIRDS), lambda t: t(_DIM, (1, 2, 2), 64)(_VIDEO), _grid),
        ("fhw_dim", _axial(_AXES), lambda t: t(_DIM, (1, 2, 2), 64, fhw_dim=_AXES)(_VIDEO), _grid))),
    (r"AnyFlow\w*RotaryPosEmbed", _one(_axial(_THIRDS), lambda t: t(
        attention_head_dim=_DIM, patch_size=(1, 2, 2), max_seq_len=64, **({"compressed_patch_size": (1, 4, 4)} if "Causal" in t.__name__ else {})
    )._forward_full_frame(*_VIDEO, _CPU))),
    (r"HunyuanVideo(15)?RotaryPosEmbed|MotifVideoRotary", _hunyuan),
    (r"HunyuanImageRotary", _one(_axial(_AXES, theta=256), lambda t: t((1, 2, 2), _AXES)(torch.zeros(_LATENTS)))),
    (r"FramepackRotary", _one(_axial(_AXES, theta=256), lambda t: t(2, 1, _AXES)(torch.arange(3), 12, 16, _CPU))),
    (r"HeliosRotary", _one(_axial(_AXES), lambda t: t(_AXES, 10000.0)(torch.arange(3)[None], 6, 8, _CPU)[0].flatten(1).T.chunk(2, -1))),
    (r"CosmosRotaryPosEmbed", _one(
        _axial([{"dims": 24, "rope_scaling": {"rope_type": "ntk", "alpha": 2}}, 20, 20], "half"),
        lambda t: t(_DIM, max_size=(8, 24, 32), patch_size=(1, 2, 2))(torch.zeros(_LATENTS)))),
    (r"CogView4Rotary", _one(_axial((32, 32), "half"), lambda t: t(_DIM, 2, _IMAGE)(_latents_of_image), lambda: _grid(_IMAGE))),
    (r"GlmImageRotary", _one(_axial((32, 32), "half"), lambda t: t(_DIM, 2)(_latents_of_image), lambda: _grid(_IMAGE))),
    (r"Cosmos3VLText", _one(_mrope, lambda t: t(_DIM, 10000.0, (12, 10, 10))(_grid()[:, None], _CPU, torch.float32))),
    (r"Ideogram4MRoPE", _one(_mrope, lambda t: t(_DIM, 10000, (12, 10, 10))(_grid().T[None]))),
    (r"Kandinsky\dRoPE1D", _line(_rope(), lambda t: t(_DIM, max_pos=_ROWS)(torch.arange(_ROWS)))),
    (r"Kandinsky5RoPE3D", _one(_axial(_AXES), lambda t: t(_AXES)((1, *_VIDEO), [torch.arange(n) for n in _VIDEO]))),
    (r"Kandinsky6(SR)?RoPE3D", _tables(*[
        (f"scale_factor {scale:g}", _axial([{"dims": dims, "rope_scaling": {"rope_type": "linear", "factor": scale}} for dims in _AXES]),
         lambda t, scale=scale: t(_AXES)([torch.arange(n) for n in _VIDEO], (scale,) * 3), _grid) for scale in (1.0, 2.5)])),
    (r"AudioDiTRotary", _line(_rope(theta=100000), lambda t: t(_DIM, _ROWS)(torch.zeros(1, _ROWS, 1)))),
    (r"LTXVideoRotary", _one(_bounded((2, 2, 2)), lambda t: t(_DIM)(torch.zeros(1, 1), *_VIDEO))),
    (r"LTX2AudioVideoRotary", _tables(*[
        (what, _bounded(("2/20", "2/2048", "2/2048")), lambda t, more=more: t(_DIM, **more)(32 * _grid()[None].float()), lambda: 32 * _grid())
        for what, more in (("interleaved", {}), ("split", _split), ("float32 frequencies", {"double_precision": False}))])),
    (r"LTX2RotaryPosEmbed1d", _tables(*[
        (what, _bounded(("2/4096",)), lambda t, more=more: t(_DIM, **more)(1, _ROWS, _CPU), lambda: torch.arange(_ROWS))
        for what, more in (("interleaved", {}), ("split", _split))])),
    (r"Lumina2RotaryPosEmbed", _one(_axial(_AXES), lambda t: t(10000, _AXES)._get_freqs_cis(_grid().T[None]))),
    (r"MiniMaxH3RotaryPosEmbed", _one(_axial((16, 16, 16), "half"), lambda t: t(8)(_grid().T))),
    (r"MiniMaxH3VideoRotary", _one(_axial((16, 16, 16), "half", 100, frequency_scale="2pi"), lambda t: t(48)(_grid().T[None] / 8), lambda: _grid() / 8)),
    (r"MiniMaxMusic3Rotary|StableAudio3Rotary|autoencoder_same\.RotaryEmbedding", _line(_rope(), lambda t: t(_DIM)(_ROWS, _CPU))),
    (r"AnimaRotary", _line(_rope(), lambda t: t(_DIM)(_FLAT, torch.arange(_ROWS)[None]))),
    (r"kolors\.text_encoder\.RotaryEmbedding", _line(_rope(), lambda t: t(_DIM)(_ROWS))),
    (r"_ace_step_rotary_freqs", _line(_rope(), lambda t: t(_ROWS, _DIM, 10000.0, _CPU, torch.float32))),
    (r"hidream_image\.rope", _line(_rope(), lambda t: t(torch.arange(_ROWS)[None], _DIM, 10000))),
    (r"\.rope_params", _line(_rope(), lambda t: t(_ROWS, _DIM))),
    (r"OmniGenSu", _su), (r"MochiRoPE", _mochi), (r"QwenImage21Rope", _qwen21), (r"JoyImage\w*Transformer3DModel", _of_method),
    (r"(QwenEmbedRope|NucleusMoEEmbedRope|QwenEmbedLayer3DRope)$", _tables(
        ("scale_rope", _axial(_AXES), lambda t: t(10000, list(_AXES), scale_rope=True)._compute_video_freqs(*_VIDEO, 0), _down_from_middle),
        ("default arguments", _axial(_AXES), lambda t: t(10000, list(_AXES))._compute_video_freqs(*_VIDEO, 0), _grid))),
    (r"EasyAnimateRotary", _one(_axial(_AXES), lambda t: t(10, _DIM)(torch.zeros(1, 1, 3, 60, 90)), lambda: _grid((3, 6, 9)))),
    (r"get_1d_rotary_pos_embed$", _one_axis),
    (r"get_3d_rotary_pos_embed$", _tables(
        ("linspace", _axial(_AXES), lambda t: t(_DIM, ((0, 0), (6, 8)), (6, 8), 3), _grid),
        ("slice", _axial(_AXES), lambda t: t(_DIM, None, (6, 8), 3, grid_type="slice", max_size=(16, 16)), _grid))),
    (r"get_3d_rotary_pos_embed_allegro", _line(_rope(rope_scaling={"rope_type": "linear", "factor": 2}), lambda t: t(
        3 * _DIM, ((0, 0), (_ROWS, 8)), (_ROWS, 8), 3, interpolation_scale=(2.0, 2.0, 2.0))[1])),
    (r"get_2d_rotary_pos_embed$", _one(_axial((32, 32)), lambda t: t(_DIM, ((0, 0), _IMAGE), _IMAGE), lambda: _grid(_IMAGE).flip(0))),
    (r"get_2d_rotary_pos_embed_from_grid", _one(_axial((32, 32)), lambda t: t(_DIM, _grid(_IMAGE).float(), use_real=True), lambda: _grid(_IMAGE))),
    (r"get_2d_rotary_pos_embed_lumina", _one(_lumina, lambda t: t(_DIM, *_IMAGE, linear_factor=2.0, ntk_factor=3.0), lambda: _grid(_IMAGE))),
    (r"embeddings\.apply_rotary_emb$", _apply),
    (r"apply_rotary_emb_(qwen|nucleus)", _vectors(lambda f, vector, phases: f(vector, _complex(phases), use_real=False))),
    (r"anyflow\w*\.apply_rotary_emb$", _vectors(lambda f, vector, phases: f(vector.transpose(1, 2), _complex(phases)[None, None]).transpose(1, 2))),
    (r"sana_wm\._apply_rotary_emb", _vectors(lambda f, vector, phases: f(vector.permute(0, 2, 3, 1), _complex(phases)[None, None]).permute(0, 3, 1, 2))),
    (r"_apply_rotary_partial", _vectors(lambda f, vector, phases: f(vector, torch.cat((phases, phases), -1)), "half")),
)
