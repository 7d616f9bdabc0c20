"""rotary-embedding-torch: its one class, in each way that it can be built."""

from .._asked import Trial
from . import _asking, _rotations, _sources

LIBRARY = "rotary_embedding_torch"
DISTRIBUTION = "rotary-embedding-torch"
PRELOAD = ("torch", "einops")

_DIM, _ROWS = 64, 4096
_KINDS = (("rotary", r"theta \*\* \(|\.cos\(\)"),)
_OTHERS = ((r"get_flash_attention_fused", "a Triton kernel: it runs on a GPU alone"),)


def subjects():
    return _sources.subjects(LIBRARY, lambda path: True, _KINDS, _OTHERS)


def trials(subject, dtypes):
    return _asking.trials(LIBRARY, _ASKED, subject, dtypes)


def _class(thing, dtypes):
    import torch

    spec = {"scheme": "rope", "head_dim": _DIM, "layout": "interleaved"}
    ways = {
        "default arguments": ({}, {}),
        "interpolate_factor 2.5": ({"interpolate_factor": 2.5}, {"rope_scaling": {"rope_type": "linear", "factor": 2.5}}),
        # theta is multiplied by alpha^(d/(d - 2)), the rule "ntk".
        "theta_rescale_factor 4": ({"theta_rescale_factor": 4.0}, {"rope_scaling": {"rope_type": "ntk", "alpha": 4}}),
    }
    at = _rotations.positions(_ROWS)
    for what, (options, scaling) in ways.items():
        module = thing(_DIM, **options)
        phases = module(module.get_seq_pos(_ROWS, dtype=torch.float32))[at]
        yield _rotations.tables(what, {**spec, **scaling}, phases.cos()[:, ::2], phases.sin()[:, ::2], at, "formula")
        # A module of its own for each type: it keeps the phases of its first call.
        rotate = lambda vector: thing(_DIM, **options).rotate_queries_or_keys(_spread(vector, at, _ROWS))[:, :, at]
        yield from _asking.vectors(what, {**spec, **scaling}, rotate, at, dtypes)
    yield from _xpos(thing(_DIM, use_xpos=True))
    yield from _two_axes(thing)


def _spread(vector, at, rows):
    """Vectors at their rows of a longer sequence."""
    longer = vector.new_zeros(*vector.shape[:2], rows, vector.shape[-1])
    longer[:, :, at] = vector
    return longer


def _xpos(module):
    import torch

    rows = 257
    torch.manual_seed(0)
    queries, keys = torch.randn(2, 2, rows, _DIM)
    rotated = module.rotate_queries_and_keys(queries[None], keys[None])
    # Its centre is half the length, rounded down.
    spec = {"scheme": "xpos", "head_dim": _DIM, "sequence_length": rows, "centre": "x_transformers", "layout": "interleaved"}
    given = {"input": queries, "rotated": rotated[0][0].detach(), "input_k": keys, "rotated_k": rotated[1][0].detach()}
    yield Trial("queries and keys, use_xpos, float32", spec, {**given, "positions": torch.arange(rows)}, source="formula")


def _two_axes(thing):
    """Frequencies of both axes side by side: those of pixels go from pi to pi max_freq/2, their positions from -1 to 1."""
    import torch

    height, width = 9, 17
    at = torch.cartesian_prod(torch.arange(height), torch.arange(width)).T
    blocks = {"scheme": "axial_rope", "head_dim": _DIM, "layout": "interleaved"}
    bounds = {"frequency": "linear", "first": "pi", "last": "128pi", "position_offset": -1}
    pixels = {**blocks, "axes": [{"dims": _DIM // 2, "position_scale": f"2/{n - 1}", **bounds} for n in (height, width)]}
    for what, spec, module in (
            ("freqs_for lang", {**blocks, "axes": [{"dims": _DIM // 2}] * 2}, thing(_DIM // 2)),
            ("freqs_for pixel", pixels, thing(_DIM // 2, freqs_for="pixel", max_freq=256))):
        phases = module.get_axial_freqs(height, width).detach().reshape(height * width, -1)
        yield _rotations.tables(f"get_axial_freqs, {what}", spec, phases.cos()[:, ::2], phases.sin()[:, ::2], at, "formula")


def _function(thing, dtypes):
    import torch

    at = _rotations.positions(_ROWS)
    # Phases of exact integers: a head of one pair, whose frequency is 1.
    spec = {"scheme": "rope", "head_dim": 2, "layout": "interleaved"}
    phases = at.float()[:, None].expand(-1, 2)
    yield from _asking.vectors("phases of whole radians", spec, lambda vector: thing(phases, vector), at, dtypes)


_ASKED = ((r"\.RotaryEmbedding$", _class), (r"\.apply_rotary_emb$", _function))
