"""x-transformers: rotary and sinusoidal embeddings, ALiBi, the buckets of T5, and a random Fourier embedding."""

import importlib

import torch

from . import _rotations
from ._asking import adapter, answer, named
from ._formulas import DIM, HEADS, ROWS, mixed, rope, scaled, sinusoid
from ._forms import ask, doubled, xpos

_at = _rotations.positions(1 << 15)
# log(e - 1), whose softplus is 1: what apply_polar_pos_emb() returns of it is a cosine and a sine.
_ONES, _RADIANS = torch.full((1, ROWS, 1), 0.541324854612918), torch.arange(ROWS).float()[None, :, None]


def _tables(spec, told, **options):
    return ask(spec, lambda thing, at: thing(DIM, **options)(at)[0], _at, told)


def _by_xpos(thing, queries, keys):
    """As Attention.forward() does: keys have the inverse scale."""
    turn = importlib.import_module(thing.__module__).apply_rotary_pos_emb
    phases, scale = thing(DIM, use_xpos=True)(torch.arange(queries.shape[-2]))
    return turn(queries, phases, scale), turn(keys, phases, scale ** -1)


def _buckets(causal, **sizes):
    call = lambda thing, at: thing._relative_position_bucket(at, causal=causal, **sizes)
    spec = {"scheme": "t5_bucket", "bidirectional": not causal, **sizes}
    return ask(spec, call, told=f"{named(sizes)}, causal {causal}")


def _random_fourier(thing, dtypes):
    """cos(2 pi (w t + b)) of random w and b: two axes, along the second of which each time is at 1."""
    torch.manual_seed(0)
    module, times = thing(64), torch.linspace(0, 1, 129)
    weights = torch.stack((module.proj.weight.detach().flatten(), module.proj.bias.detach()))
    roles = lambda _: {"cos": module(times), "positions": torch.stack((times, torch.ones_like(times)))}
    return answer(mixed(weights, head_dim=128, frequency_scale="2pi"), roles, "cosines, float32")(thing, dtypes)


_KINDS = (("buckets", r"def _relative_position_bucket"), ("alibi", r"def _get_slopes|forget_gates"),
          ("rotary", r"\binv_freq\s*=|\.(sin|cos)\(\)"), ("sinusoidal", r"(torch|math)\.(sin|cos)\("))
_UNASKED = ((r"DataDependentAlibi", "its biases are sums of learned gates of the input: there is no formula of positions"),)

subjects, trials = adapter("x_transformers", _KINDS, (
    (r"\.RotaryEmbedding$",
     _tables(rope(), "default arguments"),
     _tables(scaled("linear", factor=2.5), "interpolation_factor 2.5", interpolation_factor=2.5),
     _tables(scaled("ntk", alpha=4), "base_rescale_factor 4", base_rescale_factor=4.0),
     xpos(_by_xpos)),
    (r"apply_rotary_pos_emb", ask(rope("interleaved"), lambda f, heads, phases: f(heads, doubled(phases)[None]))),
    # A phase for each dimension.
    (r"PolarEmbedding", ask(rope(head_dim=2 * DIM), lambda t: t(DIM, heads=2)(_at)[0], _at, "phases")),
    (r"apply_polar", ask(rope(head_dim=2), lambda f: f(_ONES, _RADIANS)[..., None, :], told="whole radians")),
    (r"ScaledSinusoidal", ask(sinusoid(d_model=256, scale=0.0625), lambda t: t(256)(torch.zeros(1, ROWS, 256)))),
    (r"RelativePositionBias",
     *[_buckets(causal, num_buckets=count, max_distance=4 * count) for causal in (False, True) for count in (32, 64)]),
    (r"AlibiPositionalBias", ask(
        {"scheme": "alibi", "bias": "distance"}, lambda t, num_heads: {
            "slopes": t(num_heads).slopes.reshape(-1), "bias": t(num_heads)(96, 96)}, None, "{num_heads} heads, float32", HEADS)),
    (r"RandomFourier", _random_fourier),
), unasked=_UNASKED, no_encodings=((r"cosine_schedule|layer_schedule", "a schedule"),))
