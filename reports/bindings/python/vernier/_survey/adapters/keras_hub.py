"""KerasHub: its layers with rotations, sinusoids, ALiBi and buckets, on Keras' backend for PyTorch."""

import types

from .._asked import Trial
from . import _asking, _sources

LIBRARY, DISTRIBUTION = "keras_hub", "keras-hub"
PRELOAD = ("torch",)

_KINDS = (
    ("alibi", r"def _get_slopes"), ("buckets", r"def _relative_position_bucket|def _make_log_bucket"),
    ("rotary", r"\binv_freq\w*\b[^=\n]*=[^=]|def _apply_rotary_pos_emb|freqs_cis\[|def rope_init"),
    ("sinusoidal", r"(ops|np|math)\.(sin|cos)\("),
)
_NO_ENCODINGS = ((r"hann_window|MultiscaleDeformable", "a window of audio, or directions around a place"),
           (r"rope_init|Qwen3_5VisionRotaryEmbedding", "what another class calls, and is judged with"))


def subjects():
    return _sources.subjects(LIBRARY, lambda path: not path.endswith("_test.py"), _KINDS, no_encodings=_NO_ENCODINGS)


def trials(subject, dtypes):
    return _asking.trials(LIBRARY, _asked(), subject, dtypes, is_alone=True)


def _alibi(thing, dtypes):
    import torch

    for heads in (8, 12):
        spec = {"scheme": "alibi", "num_heads": heads, "bias": "distance_to_last" if thing.__name__ == "AlibiBias" else "key_position"}
        bias = (thing()._get_alibi_bias(heads, 256) if thing.__name__ == "AlibiBias" else thing(
            num_attention_heads=heads, intermediate_dim=8)._build_alibi_tensor(heads, torch.ones(1, 256, dtype=torch.int32)))
        yield Trial(f"{heads} heads", spec, {"bias": bias[0, :, 0]}, source="formula")


def _buckets(thing, dtypes):
    import torch

    at, sizes = torch.arange(-600, 601), types.SimpleNamespace(bucket_size=256, max_position_embeddings=512)
    is_deberta = thing.__name__ == "DisentangledSelfAttention"
    for bidirectional in (True,) if is_deberta else (True, False):
        spec = {"scheme": "deberta_bucket"} if is_deberta else {"scheme": "t5_bucket", "bidirectional": bidirectional}
        buckets = thing._make_log_bucket_position(sizes, at) if is_deberta else thing._relative_position_bucket(at, bidirectional)
        yield Trial(f"bidirectional {bidirectional}", spec, {"buckets": buckets, "relative_positions": at}, source="formula")


def _asked():
    import torch

    from . import _forms, _rotations
    from ._forms import DIM, IMAGE, ROWS, axial, encoding, grid, of_grid, of_line, rope, rotations, scaled

    at, far, places, times = torch.arange(1024), _rotations.positions(1 << 15), grid(IMAGE), torch.linspace(0, 1, 129)
    halves, two = {"d_model": DIM, "layout": "halves"}, [{"dims": DIM // 2}] * 2
    original, shifted, zeros = {"original_max_position_embeddings": 4096}, {**halves, "downscale_freq_shift": 1}, torch.zeros

    def moonshine(layer):
        layer = layer(head_dim=DIM, partial_rotary_factor=0.75)
        layer.build(())
        return layer(torch.arange(ROWS))

    def su(length, context):
        spec, short, long = _forms.longrope(length, context // 4096, context)
        return (f"{length} rows of {context}", spec, torch.arange(length), lambda t, dtype: t(
            short, long, max_sequence_length=context, pretraining_sequence_length=4096, dtype=dtype))

    def mrope(thing, dtype):
        layer = _asking.import_of(LIBRARY, "src.layers.modeling.rotary_embedding", is_alone=True).RotaryEmbedding()
        return lambda given: thing(given, layer, torch.cat((places[:1], places[:1], places))[None], (12, 10, 10), DIM)

    def qwen(thing):
        """The order of rows is that of the blocks of 2 x 2 patches that are merged."""
        rotary = _asking.import_of(LIBRARY, "src.models.qwen3_5.qwen3_5_vision_encoder", is_alone=True).Qwen3_5VisionRotaryEmbedding
        return thing._rot_pos_emb(types.SimpleNamespace(spatial_merge_size=2, rotary_pos_emb=rotary(DIM)), [[1, 8, 14]])

    def detr(normalize):
        scales = [f"2pi/{n}.000001" if normalize else 1 for n in IMAGE]
        axes = [{"dims": DIM, "position_scale": scale, "position_offset": scale} for scale in scales]
        call = lambda t: t(DIM, normalize=normalize)(zeros(1, 1), height=IMAGE[0], width=IMAGE[1])
        return encoding({"axes": axes, "grid": [IMAGE[1]]}, call)

    def random(thing, dtypes):
        layer = thing(num_positional_features=DIM, scale=1)
        weights = torch.as_tensor(layer.positional_encoding_gaussian_matrix.value).detach().tolist()
        axes = [{key: axis[key] for key in ("position_scale", "position_offset")} for axis in _forms.centred(IMAGE[::-1])]
        spec = {"scheme": "fourier_features", "frequencies": weights, "frequencies_dtype": "float32", "frequency_scale": "2pi", "axes": axes}
        yield from encoding(spec, lambda _: layer(size=IMAGE), places.flip(0))(thing, dtypes)

    merged = grid((8, 14)).reshape(2, 4, 2, 7, 2).transpose(2, 3).reshape(2, -1)
    head, gemma = types.SimpleNamespace(head_dim=DIM, rope_wavelength=100.0), axial(two, "half_per_axis", 100)
    sections = scaled("default", mrope_section=[12, 10, 10], mrope_interleaved=True)
    return (
        (r"\.rotary_embedding\.RotaryEmbedding$", rotations(*[
            (what, spec, far, lambda t, d, options=options: lambda v: t(dtype=d, **options)(v, positions=far)) for what, spec, options in (
                ("default arguments", rope(), {}), ("linear", scaled("linear", factor=4), {"scaling_factor": 4.0}),
                ("yarn", scaled("yarn", factor=4, **original), {"rope_type": "yarn", "scaling_factor": 4.0}),
                # The base is meant to grow by it, as the exponent d/(d - 2) shows.
                ("dynamic", scaled("ntk", alpha=4), {"rope_type": "dynamic", "scaling_factor": 4.0}))])),
        (r"ESMRotary", rotations(("default arguments", rope(), at, lambda t, d: lambda v: t(dtype=d)(v, v)[0]))),
        (r"Roformr", rotations(("default arguments", rope("interleaved"), at, lambda t, d: lambda v: t(output_dim=DIM, dtype=d)([v])))),
        (r"MoonshineRotary", of_line(rope(rotary_dim=48), moonshine)),
        (r"\._apply_rotary_pos_emb", _forms.exact(lambda f, vector, phases: f(vector, _forms.doubled(phases)))),
        (r"Phi3Su", rotations(*[su(length, context) for length, context in ((2048, 4096), (4096, 4096), (2048, 8192), (8192, 8192))])),
        (r"SmolLM3Rotary", of_line(rope(theta=2000000), lambda t: t(2 * DIM, 2, ROWS, 2e6, 1.0)(zeros(1, ROWS, 1)))),
        (r"DINOV3Rope", of_grid(axial(_forms.centred(), "half", 100, frequency_scale="2pi"), lambda t: t(
            2 * DIM, 2, 100.0, 4, data_format="channels_last")(zeros(1, 4 * IMAGE[0], 4 * IMAGE[1], 3)), IMAGE)),
        (r"SAM3ViT", _forms.tables(("a grid", axial(two), lambda t: [torch.as_tensor(one.value) for one in t(
            10000.0, DIM, IMAGE[1], IMAGE[0])(zeros(1))], places.flip(0)))),
        (r"Gemma4VisionAttention", rotations(("a grid", gemma, places, lambda t, d: lambda v: t._apply_rope(head, v, places.T[None])))),
        (r"_apply_mrope", rotations(("mrope_section", sections, torch.cat((places[:1], places)), mrope))),
        (r"Qwen3_5VisionEncoder", _forms.tables(("grid_thw [1, 8, 14]", axial(two, "half"), qwen, merged))),
        (r"RotaryPositionalEmbedding$", of_line(rope(), lambda t: t()(torch.arange(ROWS).float()[None], dim=DIM, theta=10000))),
        (r"ApplyRoPE", _forms.exact(lambda t, vector, phases: t(dtype=str(vector.dtype)[6:])(*[vector.transpose(1, 2)] * 2, torch.stack(
            (phases.cos(), phases.sin()), -1)[None].to(vector.dtype))[0].transpose(1, 2))),
        (r"SAM3Sine", _forms.all_of(detr(False), detr(True))), (r"RandomFrequency", random),
        (r"DFineHybridEncoder", encoding({"layout": "halves", "axes": [{"dims": 128}] * 2, "grid": [IMAGE[0]]}, lambda t: (
            t.build_2d_sincos_position_embedding(*IMAGE[::-1]))[0])),
        (r"[aA]libi|Falcon", _alibi), (r"SelfAttention|T5", _buckets),
        (r"SinePositionEncoding", _forms.all_of(*[encoding({"d_model": DIM}, lambda t, d=d: t(dtype=d)(zeros(1, 1024, DIM)))
                                                  for d in ("float32", "bfloat16")])),
        (r"SinusoidalPositionalEmbedding", encoding(shifted, lambda t: t(DIM)(zeros(1, ROWS, DIM)))),
        (r"Gemma3nAudio", encoding(shifted, lambda t: t(DIM, 2, 13, 0)._get_timing_signal_1d_pos(at[None], "float32"))),
        (r"Gemma4Audio", encoding(shifted, lambda t: t(DIM, 2, 13, 0)._get_timing_signal(at[None]))),
        (r"ContentAndQuery", encoding(halves, lambda t: t(8, DIM, 0.0).relative_positional_encoding(256, 256, bsz=1), torch.arange(256, -256, -1))),
        (r"flux_maths\.TimestepEmbedding", encoding({**halves, "order": "cos_sin", "position_scale": 1000}, lambda t: t()(times, dim=DIM), times)),
        (r"mmdit\.TimestepEmbedding", encoding({**halves, "order": "cos_sin"}, lambda t: t(
            DIM, frequency_dim=DIM)._create_timestep_embedding(at.float()[:, None]), at)),
    )
