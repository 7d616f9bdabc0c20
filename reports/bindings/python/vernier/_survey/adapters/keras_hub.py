"""KerasHub: its layers with rotations, sinusoids, ALiBi and buckets, on Keras' backend for PyTorch."""

import types

import torch

from . import _rotations
from ._asking import adapter, definition
from ._formulas import (COS_SIN, DIM, HEADS, IMAGE, ROWS, SHIFTED, axial, centred, features, longrope, rope, scaled, sinusoid,
                        sinusoids)
from ._forms import ask, doubled
from ._rotations import grid

PRELOAD = ("keras_hub",)

_at, _line, _far = torch.arange(1024), torch.arange(ROWS), _rotations.positions(1 << 15)
_places, _times, _zeros = grid(*IMAGE), torch.linspace(0, 1, 129), torch.zeros
_sizes = types.SimpleNamespace(bucket_size=256, max_position_embeddings=512)


def _like(vector, layer, *sizes, **options):
    """A layer that computes in the type of a vector."""
    return layer(*sizes, dtype=str(vector.dtype).replace("torch.", ""), **options)


def _rotary(spec, told="default arguments", **options):
    call = lambda layer, vector: _like(vector, layer, **options)(vector, positions=_far)
    return ask(spec, call, _far, told)


def _su(length, context):
    spec, *factors = longrope(length, context // 4096, context)
    sizes = {"max_sequence_length": context, "pretraining_sequence_length": 4096}
    call = lambda layer, vector: _like(vector, layer, *factors, **sizes)(vector)
    return ask(spec, call, torch.arange(length), f"{length} rows of {context}")


def _moonshine(layer):
    built = layer(head_dim=DIM, partial_rotary_factor=0.75)
    built.build(())
    return built(_line)


def _by_sections(function, vector):
    layer = definition("keras_hub", "src.layers.modeling.rotary_embedding.RotaryEmbedding")()
    return function(vector, layer, torch.cat((_places[:1], _places[:1], _places))[None], (12, 10, 10), DIM)


def _by_pairs(layer, heads, phases):
    """Queries and keys at once; they are the same."""
    tables = torch.stack((phases.cos(), phases.sin()), -1)[None].to(heads.dtype)
    return _like(heads, layer)(heads, heads, tables)[0]


def _merged(layer):
    """The order of rows is that of the blocks of 2 x 2 patches that are merged."""
    rotary = definition("keras_hub", "src.models.qwen3_5.qwen3_5_vision_encoder.Qwen3_5VisionRotaryEmbedding")
    return layer._rot_pos_emb(types.SimpleNamespace(spatial_merge_size=2, rotary_pos_emb=rotary(DIM)), [[1, 8, 14]])


def _random(thing, dtypes):
    layer = thing(num_positional_features=DIM, scale=1)
    weights = torch.as_tensor(layer.positional_encoding_gaussian_matrix.value).detach().tolist()
    axes = [{key: axis[key] for key in ("position_scale", "position_offset")} for axis in centred(IMAGE[::-1])]
    return ask(features(weights, axes=axes), lambda _: layer(size=IMAGE), _places.flip(0))(thing, dtypes)


def _detr(normalize):
    scales = [f"2pi/{n}.000001" if normalize else 1 for n in IMAGE]
    axes = [{"dims": DIM, "position_scale": scale, "position_offset": scale} for scale in scales]
    return ask(sinusoids(*axes), lambda t: t(DIM, normalize=normalize)(_zeros(1, 1), height=IMAGE[0], width=IMAGE[1]))


def _alibi(bias, call):
    spec, of_last = {"scheme": "alibi", "bias": bias}, lambda thing, num_heads: call(thing, num_heads)[0, :, 0]
    return ask(spec, of_last, None, "{num_heads} heads, float32", HEADS)


_KINDS = (
    ("alibi", r"def _get_slopes"), ("buckets", r"def _relative_position_bucket|def _make_log_bucket"),
    ("rotary", r"\binv_freq\w*\b[^=\n]*=[^=]|def _apply_rotary_pos_emb|freqs_cis\[|def rope_init"),
    ("sinusoidal", r"(ops|np|math)\.(sin|cos)\("),
)
_NO_ENCODINGS = ((r"hann_window|MultiscaleDeformable", "a window of audio, or directions around a place"),
                 (r"rope_init|Qwen3_5VisionRotaryEmbedding", "what another class calls, and is judged with"))
_yarn = scaled("yarn", factor=4, original_max_position_embeddings=4096)
_dino, _two = axial(centred(), "half", 100, frequency_scale="2pi"), [{"dims": 128}] * 2
_gemma, _head = axial((32, 32), "half_per_axis", 100), types.SimpleNamespace(head_dim=DIM, rope_wavelength=100.0)
_sections = scaled("default", mrope_section=[12, 10, 10], mrope_interleaved=True)
_blocks = grid(8, 14).reshape(2, 4, 2, 7, 2).transpose(2, 3).reshape(2, -1)

subjects, trials = adapter("keras_hub", _KINDS, (
    (r"\.rotary_embedding\.RotaryEmbedding$",
     _rotary(rope()),
     _rotary(scaled("linear", factor=4), "linear", rope_type="linear", scaling_factor=4.0),
     _rotary(_yarn, "yarn", rope_type="yarn", scaling_factor=4.0),
     # The exponent d/(d - 2) shows what is meant.
     _rotary(scaled("ntk", alpha=4), "dynamic as max_wavelength times scaling_factor^(d/(d - 2))", rope_type="dynamic",
             scaling_factor=4.0)),
    (r"ESMRotary", ask(rope(), lambda t, vector: _like(vector, t)(vector, vector)[0], _at)),
    (r"Roformr", ask(rope("interleaved"), lambda t, vector: _like(vector, t, output_dim=DIM)([vector]), _at)),
    (r"MoonshineRotary", ask(rope(rotary_dim=48), _moonshine)),
    (r"\._apply_rotary_pos_emb", ask(rope("interleaved"), lambda f, vector, phases: f(vector, doubled(phases)))),
    (r"Phi3Su", _su(4096, 4096), _su(2048, 8192), _su(8192, 8192)),
    (r"SmolLM3Rotary", ask(rope(theta=2000000), lambda t: t(2 * DIM, 2, ROWS, 2e6, 1.0)(_zeros(1, ROWS, 1)))),
    (r"DINOV3Rope", ask(_dino, lambda t: t(2 * DIM, 2, 100.0, 1, data_format="channels_last")(_zeros(1, *IMAGE, 3)))),
    (r"SAM3ViT", ask(axial((32, 32)), lambda t: [torch.as_tensor(one.value) for one in t(
        10000.0, DIM, IMAGE[1], IMAGE[0])(_zeros(1))], _places.flip(0))),
    (r"Gemma4VisionAttention", ask(_gemma, lambda t, vector: t._apply_rope(_head, vector, _places.T[None]), _places)),
    (r"_apply_mrope", ask(_sections, _by_sections, torch.cat((_places[:1], _places)), "mrope_section")),
    (r"Qwen3_5VisionEncoder", ask(axial((32, 32), "half"), _merged, _blocks, "grid_thw [1, 8, 14]")),
    (r"RotaryPositionalEmbedding$", ask(rope(), lambda t: t()(_line.float()[None], dim=DIM, theta=10000))),
    (r"ApplyRoPE", ask(rope("interleaved"), _by_pairs)),
    (r"SAM3Sine", _detr(False), _detr(True)),
    (r"RandomFrequency", _random),
    (r"DFineHybridEncoder", ask(sinusoids(*_two, lengths=IMAGE[::-1], layout="halves"), lambda t: (
        t.build_2d_sincos_position_embedding(*IMAGE[::-1]))[0])),
    (r"AlibiBias", _alibi("distance_to_last", lambda t, num_heads: t()._get_alibi_bias(num_heads, 256))),
    (r"Falcon", _alibi("key_position", lambda t, num_heads: t(
        num_attention_heads=num_heads, intermediate_dim=8)._build_alibi_tensor(num_heads, torch.ones(1, 256, dtype=torch.int32)))),
    (r"DisentangledSelfAttention", ask({"scheme": "deberta_bucket"}, lambda t, at: t._make_log_bucket_position(_sizes, at))),
    (r"T5", ask({"scheme": "t5_bucket"}, lambda t, at: t._relative_position_bucket(at, True), told="bidirectional"),
     ask({"scheme": "t5_bucket", "bidirectional": False}, lambda t, at: t._relative_position_bucket(at, False), told="causal")),
    (r"SinePositionEncoding", ask(
        sinusoid("interleaved"), lambda t, dtype: _like(zeros := _zeros(1, 1024, DIM, dtype=dtype), t)(zeros))),
    (r"SinusoidalPositionalEmbedding", ask(SHIFTED, lambda t: t(DIM)(_zeros(1, ROWS, DIM)))),
    (r"Gemma3nAudio", ask(SHIFTED, lambda t: t(DIM, 2, 13, 0)._get_timing_signal_1d_pos(_at[None], "float32"))),
    (r"Gemma4Audio", ask(SHIFTED, lambda t: t(DIM, 2, 13, 0)._get_timing_signal(_at[None]))),
    (r"ContentAndQuery", ask(
        sinusoid(), lambda t: t(8, DIM, 0.0).relative_positional_encoding(256, 256, bsz=1), torch.arange(256, -256, -1))),
    (r"flux_maths\.TimestepEmbedding", ask({**COS_SIN, "position_scale": 1000}, lambda t: t()(_times, dim=DIM), _times)),
    (r"mmdit\.TimestepEmbedding", ask(
        COS_SIN, lambda t: t(DIM, frequency_dim=DIM)._create_timestep_embedding(_at.float()[:, None]), _at)),
), no_encodings=_NO_ENCODINGS)
