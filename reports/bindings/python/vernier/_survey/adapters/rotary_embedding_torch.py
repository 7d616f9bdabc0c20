"""rotary-embedding-torch: its one class, in each way that it can be built."""

from .._asked import Trial
from . import _asking, _sources

LIBRARY, DISTRIBUTION = "rotary_embedding_torch", "rotary-embedding-torch"
PRELOAD = ("torch", "einops")

_UNASKED = ((r"get_flash_attention_fused", "a Triton kernel: it runs on a GPU alone"),)


def subjects():
    return _sources.subjects(LIBRARY, lambda path: True, (("rotary", r"theta \*\* \(|\.cos\(\)"),), _UNASKED)


def trials(subject, dtypes):
    return _asking.trials(LIBRARY, _asked(), subject, dtypes)


def _xpos(thing, dtypes):
    import torch

    rows, width = 257, 64
    torch.manual_seed(0)
    queries, keys = torch.randn(2, 2, rows, width)
    rotated = thing(width, use_xpos=True).rotate_queries_and_keys(queries[None], keys[None])
    # Its centre is half the length, rounded down.
    spec = {"scheme": "xpos", "head_dim": width, "sequence_length": rows, "centre": "x_transformers", "layout": "interleaved"}
    given = {"input": queries, "rotated": rotated[0][0].detach(), "input_k": keys, "rotated_k": rotated[1][0].detach()}
    yield Trial("queries and keys, use_xpos, float32", spec, {**given, "positions": torch.arange(rows)}, source="formula")


def _asked():
    import torch

    from ._forms import DIM, IMAGE, all_of, axial, doubled, exact, grid, rope, rotations, scaled, tables

    at, rows = torch.arange(1024), 1024
    ways = (({}, rope("interleaved")), ({"interpolate_factor": 2.5}, scaled("linear", "interleaved", factor=2.5)),
            # theta is multiplied by alpha^(d/(d - 2)), the rule "ntk".
            ({"theta_rescale_factor": 4.0}, scaled("ntk", "interleaved", alpha=4)))
    made = [(str(options or "default arguments"), spec, lambda thing, options=options: thing(DIM, **options)) for options, spec in ways]
    # Frequencies of pixels go from pi to pi max_freq/2, their coordinates from -1 to 1.
    bounds = {"dims": DIM // 2, "frequency": "linear", "first": "pi", "last": "128pi", "position_offset": -1}
    pixels = axial([{**bounds, "position_scale": f"2/{n - 1}"} for n in IMAGE])
    return (
        (r"\.RotaryEmbedding$", all_of(
            tables(*[(what, spec, lambda thing, make=make: make(thing)(make(thing).get_seq_pos(rows)), at) for what, spec, make in made]),
            # A module for each type: it keeps the phases of its first call.
            rotations(*[(what, spec, at, lambda thing, _, make=make: lambda vector: make(thing).rotate_queries_or_keys(vector, seq_dim=-3))
                        for what, spec, make in made]),
            _xpos,
            tables(("get_axial_freqs, lang", axial((DIM // 2, DIM // 2)), lambda thing: thing(DIM // 2).get_axial_freqs(*IMAGE), grid(IMAGE)),
                   ("get_axial_freqs, pixel", pixels, lambda thing: thing(DIM // 2, freqs_for="pixel", max_freq=256).get_axial_freqs(*IMAGE),
                    grid(IMAGE))))),
        (r"\.apply_rotary_emb$", exact(lambda function, vector, phases: function(doubled(phases)[:, None], vector, seq_dim=-3))),
    )
