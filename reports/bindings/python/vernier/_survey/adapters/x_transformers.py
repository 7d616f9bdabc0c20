"""x-transformers: rotary and sinusoidal embeddings, ALiBi, the buckets of T5, and a random Fourier embedding."""

from .._asked import Trial
from . import _asking, _sources

LIBRARY, DISTRIBUTION = "x_transformers", "x-transformers"
PRELOAD = ("torch", "einops")

_KINDS = (("buckets", r"def _relative_position_bucket"), ("alibi", r"def _get_slopes|forget_gates"),
          ("rotary", r"\binv_freq\s*=|\.(sin|cos)\(\)"), ("sinusoidal", r"(torch|math)\.(sin|cos)\("))
_NO_ENCODINGS = ((r"cosine_schedule|layer_schedule", "a schedule"),)
_UNASKED = ((r"DataDependentAlibi", "its biases are sums of learned gates of the input: there is no formula of positions"),)


def subjects():
    return _sources.subjects(LIBRARY, lambda path: True, _KINDS, _UNASKED, _NO_ENCODINGS)


def trials(subject, dtypes):
    return _asking.trials(LIBRARY, _asked(), subject, dtypes)


def _xpos(thing, dtypes):
    import torch
    from x_transformers.x_transformers import apply_rotary_pos_emb

    rows, width = 257, 64
    at = torch.arange(rows)
    torch.manual_seed(0)
    queries, keys = torch.randn(2, 2, rows, width)
    phases, scale = thing(width, use_xpos=True)(at)
    spec = {"scheme": "xpos", "head_dim": width, "sequence_length": rows, "centre": "x_transformers"}
    # As Attention.forward() does: keys have the inverse scale.
    given = {"input": queries, "rotated": apply_rotary_pos_emb(queries[None], phases, scale)[0], "input_k": keys,
             "rotated_k": apply_rotary_pos_emb(keys[None], phases, scale ** -1)[0], "positions": at}
    yield Trial("queries and keys, use_xpos, float32", spec, given, source="formula")


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

    from ._forms import mixed

    torch.manual_seed(0)
    module, times = thing(64), torch.linspace(0, 1, 129)
    weights = torch.stack((module.proj.weight.detach().flatten(), module.proj.bias.detach()))
    given = {"cos": module(times), "positions": torch.stack((times, torch.ones_like(times)))}
    yield Trial("cosines, float32", mixed(weights, head_dim=128, frequency_scale="2pi"), given, source="formula")


def _asked():
    import torch

    from . import _rotations
    from ._forms import DIM, ROWS, all_of, doubled, encoding, exact, rope, scaled, tables

    at, wide = _rotations.positions(1 << 15), {"scheme": "rope", "head_dim": 2 * DIM}
    ways = (({}, rope()), ({"interpolation_factor": 2.5}, scaled("linear", factor=2.5)), ({"base_rescale_factor": 4.0}, scaled("ntk", alpha=4)))
    ones = torch.full((1, ROWS, 1), 0.541324854612918)  # log(e - 1), whose softplus is 1: the result is a cosine and a sine
    whole = torch.arange(ROWS).float()[None, :, None]  # radians: a head of one pair, whose frequency is 1
    halves = {"d_model": 256, "layout": "halves", "scale": 0.0625}
    return (
        (r"\.RotaryEmbedding$", all_of(tables(*[
            (str(options or "default arguments"), spec, lambda thing, options=options: thing(DIM, **options)(at)[0], at) for options, spec in ways]),
            _xpos)),
        (r"apply_rotary_pos_emb", exact(lambda f, vector, phases: f(vector.transpose(1, 2), doubled(phases)[None]).transpose(1, 2))),
        (r"PolarEmbedding", tables(("phases", wide, lambda thing: thing(DIM, heads=2)(at)[0], at))),  # a frequency for each dimension
        (r"apply_polar", tables(("whole radians", rope(head_dim=2), lambda f: f(ones, whole)[..., None, :], torch.arange(ROWS)))),
        (r"ScaledSinusoidal", encoding(halves, lambda thing: thing(256)(torch.zeros(1, ROWS, 256)))),
        (r"RelativePositionBias", _buckets), (r"AlibiPositionalBias", _alibi), (r"RandomFourier", _random_fourier),
    )
