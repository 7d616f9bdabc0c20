"""x-transformers: rotary and sinusoidal embeddings, ALiBi, the buckets of T5, and a random Fourier embedding."""

from .._asked import Trial
from . import _asking, _rotations, _sources

LIBRARY = "x_transformers"
DISTRIBUTION = "x-transformers"
PRELOAD = ("torch", "einops")

_DIM, _ROWS = 64, 4096
_KINDS = (("buckets", r"def _relative_position_bucket"), ("alibi", r"def _get_slopes|forget_gates"),
          ("rotary", r"\binv_freq\s*=|\.(sin|cos)\(\)"), ("sinusoidal", r"(torch|math)\.(sin|cos)\("))
_OTHERS = ((r"cosine_schedule|layer_schedule", "no encoding: a schedule"),
           (r"DataDependentAlibi", "its biases are sums of learned gates of the input: there is no formula of positions"))


def subjects():
    return _sources.subjects(LIBRARY, lambda path: True, _KINDS, _OTHERS)


def trials(subject, dtypes):
    return _asking.trials(LIBRARY, _ASKED, subject, dtypes)


def _rotary(thing, dtypes):
    from x_transformers.x_transformers import apply_rotary_pos_emb

    spec = {"scheme": "rope", "head_dim": _DIM, "layout": "interleaved"}
    partial = {**spec, "head_dim": 2 * _DIM, "rotary_dim": _DIM}
    ways = (
        ("default arguments", {}, spec),
        ("half of a head", {}, partial),
        ("interpolation_factor 2.5", {"interpolation_factor": 2.5}, {**spec, "rope_scaling": {"rope_type": "linear", "factor": 2.5}}),
        ("base_rescale_factor 4", {"base_rescale_factor": 4.0}, {**spec, "rope_scaling": {"rope_type": "ntk", "alpha": 4}}),
    )
    at = _rotations.positions(1 << 15)
    for what, options, meant in ways:
        phases, _ = thing(_DIM, **options)(at)
        yield _rotations.tables(what, meant, phases[0].cos()[:, ::2], phases[0].sin()[:, ::2], at, "formula")
        yield from _asking.vectors(what, meant, lambda vector: apply_rotary_pos_emb(vector, phases), at, dtypes)
    yield from _xpos(thing(_DIM, use_xpos=True), apply_rotary_pos_emb)


def _xpos(module, apply):
    import torch

    rows = 257
    at = torch.arange(rows)
    torch.manual_seed(0)
    queries, keys = torch.randn(2, 2, rows, _DIM)
    phases, scale = module(at)
    spec = {"scheme": "xpos", "head_dim": _DIM, "sequence_length": rows, "centre": "x_transformers"}
    # As Attention.forward() does: keys have the inverse scale.
    given = {"input": queries, "rotated": apply(queries[None], phases, scale)[0], "input_k": keys,
             "rotated_k": apply(keys[None], phases, scale ** -1)[0], "positions": at}
    yield Trial("queries and keys, use_xpos, float32", spec, given, source="formula")


def _function(thing, dtypes):
    at = _rotations.positions(_ROWS)
    spec = {"scheme": "rope", "head_dim": 2, "layout": "interleaved"}  # phases of whole radians: one pair, whose frequency is 1
    phases = at.float()[None, :, None].expand(1, -1, 2)
    yield from _asking.vectors("phases of whole radians", spec, lambda vector: thing(vector, phases), at, dtypes)


def _polar(thing, dtypes):
    """Its phases are those of a head of twice the width: each dimension has a frequency of its own."""
    at = _rotations.positions(_ROWS)
    phases, _ = thing(_DIM, heads=2)(at)
    spec = {"scheme": "rope", "head_dim": 2 * _DIM}
    yield _rotations.tables("phases", spec, phases[0].cos(), phases[0].sin(), at, "formula")


def _polar_function(thing, dtypes):
    import torch

    at = _rotations.positions(_ROWS)
    # log(e - 1), whose softplus is 1: then the result is a cosine and a sine.
    ones = torch.full((1, len(at), 1), 0.541324854612918, dtype=torch.float32)
    turned = thing(ones, at.float()[None, :, None])[0]
    spec = {"scheme": "rope", "head_dim": 2}
    yield _rotations.tables("phases of whole radians", spec, turned[:, :1], turned[:, 1:], at, "formula")


def _sinusoidal(thing, dtypes):
    import torch

    width = 256
    at = _rotations.positions(_ROWS)
    spec = {"scheme": "sinusoidal", "d_model": width, "layout": "halves", "scale": width ** -0.5}
    encoding = thing(width)(torch.zeros(1, len(at), width), pos=at).detach()
    yield Trial("default arguments, float32", spec, {"encoding": encoding, "positions": at}, source="formula")


def _buckets(thing, dtypes):
    import torch

    distances = torch.arange(-600, 601)
    for causal in (False, True):
        for count, most in ((32, 128), (64, 512)):
            buckets = thing._relative_position_bucket(distances, causal=causal, num_buckets=count, max_distance=most)
            spec = {"scheme": "t5_bucket", "num_buckets": count, "max_distance": most, "bidirectional": not causal}
            yield Trial(f"num_buckets {count}, max_distance {most}{', causal' if causal else ''}", spec,
                        {"buckets": buckets, "relative_positions": distances}, source="formula")


def _alibi(thing, dtypes):
    for heads in (8, 12):
        module = thing(heads)
        spec = {"scheme": "alibi", "num_heads": heads, "bias": "distance"}
        yield Trial(f"{heads} heads", spec, {"slopes": module.slopes.reshape(-1), "bias": module(96, 96)}, source="formula")


def _random_fourier(thing, dtypes):
    """cos(2 pi (w t + b)) of random w and b: two axes, along the second of which each time is at 1."""
    import torch

    torch.manual_seed(0)
    module, times = thing(_DIM), torch.linspace(0, 1, 129)
    weights = [module.proj.weight.detach().flatten().tolist(), module.proj.bias.detach().tolist()]
    spec = {"scheme": "axial_rope", "arrangement": "mixed", "head_dim": 2 * _DIM, "frequencies": weights,
            "frequencies_dtype": "float32", "frequency_scale": "2pi"}
    given = {"cos": module(times), "positions": torch.stack((times, torch.ones_like(times)))}
    yield Trial("cosines, float32", spec, given, source="formula")


_ASKED = ((r"\.RotaryEmbedding$", _rotary), (r"apply_rotary_pos_emb", _function), (r"PolarEmbedding", _polar),
          (r"apply_polar", _polar_function), (r"ScaledSinusoidal", _sinusoidal), (r"RelativePositionBias", _buckets),
          (r"AlibiPositionalBias", _alibi), (r"RandomFourier", _random_fourier))
