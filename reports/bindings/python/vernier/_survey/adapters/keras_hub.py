"""KerasHub: its layers with rotations, sinusoids, ALiBi and buckets, on Keras' backend (KERAS_BACKEND)."""

import types

from .._asked import Trial
from . import _asking, _sources

LIBRARY = "keras_hub"
DISTRIBUTION = "keras-hub"
PRELOAD = ("torch",)

_DIM, _ROWS, _GRID = 64, 4096, (9, 14)
_KINDS = (
    ("alibi", r"def _get_slopes"), ("buckets", r"def _relative_position_bucket|def _make_log_bucket"),
    ("rotary", r"\binv_freq\w*\b[^=\n]*=[^=]|def _apply_rotary_pos_emb|freqs_cis\[|def rope_init"),
    ("sinusoidal", r"(ops|np|math)\.(sin|cos)\("),
)
_OTHERS = ((r"hann_window", "no encoding: a window of audio"),
           (r"MultiscaleDeformable", "no encoding: directions of sampled points around a place"),
           (r"rope_init|Qwen3_5VisionRotaryEmbedding", "what another class calls, and is judged with"))


def subjects():
    return _sources.subjects(LIBRARY, lambda path: not path.endswith("_test.py"), _KINDS, _OTHERS)


def trials(subject, dtypes):
    return _asking.trials(LIBRARY, _ASKED, subject, dtypes, is_alone=True)


def _formats(dtypes):
    return [name for name in ("float32", "bfloat16") if name in dtypes]


def _vectors(what, spec, rotate, rows, dtype, positions=None):
    """A Trial of rotated vectors. rotate: of [1, rows, heads, width], the same shape."""
    from keras import ops, random

    given = ops.cast(random.normal((1, rows, 2, spec["head_dim"]), seed=0), dtype)
    tensors = {"input": ops.transpose(given[0], (1, 0, 2)), "rotated": ops.transpose(rotate(given)[0], (1, 0, 2))}
    at = ops.arange(rows) if positions is None else positions
    return Trial(f"rotated vectors, {what}, {dtype}", spec, {**tensors, "positions": at}, source="formula")


def _encoding(what, spec, encoding, positions=None):
    given = {"encoding": encoding} if positions is None else {"encoding": encoding, "positions": positions}
    return Trial(f"{what}, {str(encoding.dtype).replace('torch.', '')}", {"scheme": "sinusoidal", **spec}, given, source="formula")


def _tables(what, spec, cos, sin, positions=None):
    given = {"cos": cos, "sin": sin}
    return Trial(f"tables, {what}", spec, given if positions is None else {**given, "positions": positions}, source="formula")


def _places():
    from keras import ops

    return ops.stack([ops.reshape(one, (-1,)) for one in ops.meshgrid(*[ops.arange(n) for n in _GRID], indexing="ij")])


def _rotary(thing, dtypes):
    original = {"original_max_position_embeddings": 4096}
    ways = (
        ("default arguments", {}, None),
        ("linear", {"scaling_factor": 4.0}, {"rope_type": "linear", "factor": 4}),
        ("yarn", {"rope_type": "yarn", "scaling_factor": 4.0}, {"rope_type": "yarn", "factor": 4, **original}),
        # As the exponent d/(d - 2) shows, the base is meant to grow by it.
        ("dynamic", {"rope_type": "dynamic", "scaling_factor": 4.0}, {"rope_type": "ntk", "alpha": 4}),
    )
    for what, options, scaling in ways:
        spec = {"scheme": "rope", "head_dim": _DIM, **({"rope_scaling": scaling} if scaling else {})}
        for dtype in _formats(dtypes):
            yield _vectors(what, spec, thing(dtype=dtype, **options), _ROWS, dtype)


def _pairs_of_queries(layout):
    def ask(thing, dtypes):
        for dtype in _formats(dtypes):
            layer = thing(output_dim=_DIM, dtype=dtype) if layout == "interleaved" else thing(dtype=dtype)
            rotate = lambda given: layer([given]) if layout == "interleaved" else layer(given, given)[0]
            yield _vectors("default arguments", {"scheme": "rope", "head_dim": _DIM, "layout": layout}, rotate, 1024, dtype)

    return ask


def _moonshine(thing, dtypes):
    from keras import ops

    layer = _asking.import_of(LIBRARY, "src.models.moonshine.moonshine_layers", is_alone=True).MoonshineRotaryEmbedding
    layer = layer(head_dim=_DIM, partial_rotary_factor=0.75)
    layer.build(())
    phases, spec = layer(ops.arange(_ROWS)), {"scheme": "rope", "head_dim": _DIM, "rotary_dim": 48, "layout": "interleaved"}
    if isinstance(thing, type):
        yield _tables("phases", spec, ops.cos(phases[:, ::2]), ops.sin(phases[:, ::2]))
        return
    for dtype in _formats(dtypes):
        yield _vectors("three quarters of a head", spec, lambda given: thing(given, phases), _ROWS, dtype)


def _su(thing, dtypes):
    short, long = [[1 + step * pair / 32 for pair in range(_DIM // 2)] for step in (1, 8)]
    for length, factor in ((4096, 1), (16384, 4)):
        rope = {"rope_type": "longrope", "short_factor": short, "long_factor": long, "factor": factor,
                "original_max_position_embeddings": 4096}
        spec = {"scheme": "rope", "head_dim": _DIM, "rope_scaling": rope, "max_position_embeddings": length}
        layer = thing(short, long, max_sequence_length=length, pretraining_sequence_length=4096)
        for rows in (2048, length):
            yield _vectors(f"{rows} rows of {length}", {**spec, "sequence_length": rows}, layer, rows, "float32")


def _smol(thing, dtypes):
    from keras import ops

    layer = thing(hidden_size=2 * _DIM, num_attention_heads=2, max_position_embeddings=_ROWS, rope_theta=2e6, partial_rotary_factor=1.0)
    for dtype in _formats(dtypes):
        cos, sin = layer(ops.zeros((1, _ROWS, 1), dtype))
        yield _tables(f"default arguments, {dtype}", {"scheme": "rope", "head_dim": _DIM, "rope_theta": 2000000}, cos[0], sin[0])


def _patches(thing, dtypes):
    """DINOv3: rows and columns of centres in [-1, 1], the left half of a head each half."""
    from keras import ops

    layer = thing(hidden_dim=2 * _DIM, num_heads=2, rope_theta=100.0, patch_size=4, data_format="channels_last")
    cos, sin = layer(ops.zeros((1, 4 * _GRID[0], 4 * _GRID[1], 3)))
    axes = [{"dims": _DIM // 2, "position_scale": f"2/{n}", "position_offset": f"{1 - n}/{n}"} for n in _GRID]
    spec = {"scheme": "axial_rope", "head_dim": _DIM, "layout": "half", "rope_theta": 100, "frequency_scale": "2pi", "axes": axes}
    yield _tables("default arguments", spec, cos, sin, _places())


def _sam3(thing, dtypes):
    from keras import ops

    layer = thing(rope_theta=10000.0, head_dim=_DIM, end_x=_GRID[1], end_y=_GRID[0])
    cos, sin = [ops.convert_to_tensor(one) for one in layer(ops.zeros((1,)))]
    spec = {"scheme": "axial_rope", "head_dim": _DIM, "layout": "interleaved", "axes": [{"dims": _DIM // 2}] * 2}
    yield _tables("default arguments", spec, cos, sin, ops.flip(_places(), axis=0))


def _gemma4(thing, dtypes):
    from keras import ops

    spec = {"scheme": "axial_rope", "head_dim": _DIM, "rope_theta": 100, "layout": "half_per_axis", "axes": [{"dims": _DIM // 2}] * 2}
    layer, at = types.SimpleNamespace(head_dim=_DIM, rope_wavelength=100.0), _places()
    for dtype in _formats(dtypes):
        rotate = lambda given: thing._apply_rope(layer, given, ops.transpose(at)[None])
        yield _vectors("rope_wavelength 100", spec, rotate, _GRID[0] * _GRID[1], dtype, at)


def _qwen(thing, dtypes):
    """Rows and columns of patches, in the order of the blocks of 2 x 2 that are merged."""
    import numpy

    rotary = _asking.import_of(LIBRARY, "src.models.qwen3_5.qwen3_5_vision_encoder", is_alone=True).Qwen3_5VisionRotaryEmbedding
    layer = types.SimpleNamespace(spatial_merge_size=2, rotary_pos_emb=rotary(_DIM))
    at = numpy.indices((8, 14)).reshape(2, 4, 2, 7, 2).transpose(0, 1, 3, 2, 4).reshape(2, -1)
    cos, sin = thing._rot_pos_emb(layer, [[1, 8, 14]])
    spec = {"scheme": "axial_rope", "head_dim": _DIM, "layout": "half", "axes": [{"dims": _DIM // 2}] * 2}
    yield _tables("grid_thw [1, 8, 14]", spec, cos, sin, at)


def _mrope(thing, dtypes):
    from keras import ops

    layer = _asking.import_of(LIBRARY, "src.layers.modeling.rotary_embedding", is_alone=True).RotaryEmbedding()
    at = ops.stack([ops.arange(_ROWS) // (axis + 1) for axis in range(3)])
    scaling = {"rope_type": "default", "mrope_section": [12, 10, 10], "mrope_interleaved": True}
    for dtype in _formats(dtypes):
        rotate = lambda given: thing(given, layer, ops.concatenate((at[:1], at))[None], (12, 10, 10), _DIM)
        yield _vectors("mrope_section", {"scheme": "rope", "head_dim": _DIM, "rope_scaling": scaling}, rotate, _ROWS, dtype, at)


def _flux(thing, dtypes):
    from keras import ops

    at = ops.arange(_ROWS)
    table = thing()(ops.cast(at, "float32")[None], dim=_DIM, theta=10000)[0]
    yield _tables("theta 10000", {"scheme": "rope", "head_dim": _DIM, "layout": "interleaved"}, table[..., 0], table[..., 1])


def _apply_flux(thing, dtypes):
    from keras import ops

    phases = ops.cast(ops.arange(_ROWS), "float32")[:, None]  # of whole radians: a head of one pair, whose frequency is 1
    table = ops.stack((ops.cos(phases), ops.sin(phases)), axis=-1)[None]
    for dtype in _formats(dtypes):
        turn = lambda given: ops.transpose(thing(dtype=dtype)(*[ops.transpose(given, (0, 2, 1, 3))] * 2, ops.cast(table, dtype))[0], (0, 2, 1, 3))
        yield _vectors("phases of whole radians", {"scheme": "rope", "head_dim": 2, "layout": "interleaved"}, turn, _ROWS, dtype)


def _sinusoids(thing, dtypes):
    from keras import ops

    name, at = thing.__name__, ops.arange(_ROWS)
    times, halves = ops.linspace(0.0, 1.0, 129), {"d_model": _DIM, "layout": "halves"}
    if name == "SinePositionEncoding":
        for dtype in _formats(dtypes):
            yield _encoding("default arguments", {"d_model": _DIM}, thing(dtype=dtype)(ops.zeros((1, _ROWS, _DIM), dtype))[0])
    elif name == "SinusoidalPositionalEmbedding":
        yield _encoding("default arguments", {**halves, "downscale_freq_shift": 1}, thing(_DIM)(ops.zeros((1, _ROWS, _DIM)))[0])
    elif name.startswith("Gemma"):
        method = thing._get_timing_signal_1d_pos if "3n" in name else thing._get_timing_signal
        layer = thing(_DIM, 2, 13, 0)
        signal = method(layer, at[None], "float32") if "3n" in name else method(layer, at[None])
        yield _encoding("timing signal", {**halves, "downscale_freq_shift": 1}, signal[0], at)
    elif name == "ContentAndQueryEmbedding":
        encoding = thing(8, _DIM, 0.0).relative_positional_encoding(256, 256, bsz=1)[:, 0]
        yield _encoding("relative positions", halves, encoding, ops.arange(256, -256, -1))
    elif "flux" in thing.__module__:
        yield _encoding("time_factor 1000", {**halves, "order": "cos_sin", "position_scale": 1000}, thing()(times, dim=_DIM), times)
    else:
        yield _encoding("default arguments", {**halves, "order": "cos_sin"},
                        thing(_DIM, frequency_dim=_DIM)._create_timestep_embedding(ops.cast(at, "float32")[:, None]), at)


def _of_grid(thing, dtypes):
    from keras import ops

    if thing.__name__ == "DFineHybridEncoder":  # numbers places column by column, the column's sinusoids first
        encoding = thing.build_2d_sincos_position_embedding(*_GRID[::-1], embedding_dim=4 * _DIM)[0]
        yield _encoding("2d sincos", {"layout": "halves", "axes": [{"dims": 2 * _DIM}] * 2, "grid": [_GRID[0]]}, encoding)
        return
    for normalize in (False, True):
        encoding = ops.reshape(thing(_DIM, normalize=normalize)(ops.zeros((1, 1)), height=_GRID[0], width=_GRID[1]), (-1, 2 * _DIM))
        scales = [f"2pi/{n}.000001" if normalize else 1 for n in _GRID]
        axes = [{"dims": _DIM, "position_scale": scale, "position_offset": scale} for scale in scales]
        yield _encoding(f"normalize {normalize}", {"axes": axes, "grid": [_GRID[1]]}, encoding)


def _random(thing, dtypes):
    from keras import ops

    layer = thing(num_positional_features=_DIM, scale=1)
    axes = [{"position_scale": f"2/{n}", "position_offset": f"{1 - n}/{n}"} for n in _GRID[::-1]]
    spec = {"scheme": "fourier_features", "frequencies": ops.convert_to_numpy(layer.positional_encoding_gaussian_matrix).tolist(),
            "frequencies_dtype": "float32", "frequency_scale": "2pi", "axes": axes}
    given = {"encoding": ops.reshape(layer(size=_GRID), (-1, 2 * _DIM)), "positions": ops.flip(_places(), axis=0)}
    yield Trial("a grid, float32", spec, given, source="formula")


def _alibi(thing, dtypes):
    from keras import ops

    for heads in (8, 12):
        spec = {"scheme": "alibi", "num_heads": heads, "bias": "distance_to_last" if thing.__name__ == "AlibiBias" else "key_position"}
        if thing.__name__ == "AlibiBias":
            bias = thing()._get_alibi_bias(heads, 256)[0, :, 0]
        else:
            layer = thing(num_attention_heads=heads, intermediate_dim=8)
            bias = layer._build_alibi_tensor(heads, ops.ones((1, 256), "int32"))[0, :, 0]
        yield Trial(f"{heads} heads", spec, {"bias": bias}, source="formula")


def _buckets(thing, dtypes):
    from keras import ops

    at = ops.arange(-600, 601)
    if thing.__name__ == "DisentangledSelfAttention":
        buckets = thing._make_log_bucket_position(types.SimpleNamespace(bucket_size=256, max_position_embeddings=512), at)
        yield Trial("bucket_size 256", {"scheme": "deberta_bucket"}, {"buckets": buckets, "relative_positions": at}, source="formula")
        return
    for bidirectional in (True, False):
        yield Trial(f"bidirectional {bidirectional}", {"scheme": "t5_bucket", "bidirectional": bidirectional},
                    {"buckets": thing._relative_position_bucket(at, bidirectional), "relative_positions": at}, source="formula")


_ASKED = (
    (r"\.rotary_embedding\.RotaryEmbedding$", _rotary), (r"ESMRotary", _pairs_of_queries("half")), (r"Roformr", _pairs_of_queries("interleaved")),
    (r"moonshine", _moonshine), (r"Phi3Su", _su), (r"SmolLM3Rotary", _smol), (r"DINOV3Rope", _patches), (r"SAM3ViT", _sam3),
    (r"Gemma4VisionAttention", _gemma4), (r"_apply_mrope", _mrope), (r"Qwen3_5VisionEncoder", _qwen), (r"RotaryPositionalEmbedding$", _flux), (r"ApplyRoPE", _apply_flux),
    (r"SAM3Sine|DFineHybridEncoder", _of_grid), (r"RandomFrequency", _random), (r"[aA]libi|Falcon", _alibi), (r"SelfAttention|T5", _buckets),
    (r"TimestepEmbedding|SinePosition|SinusoidalPos|AudioRelative|ContentAndQuery", _sinusoids),
)
