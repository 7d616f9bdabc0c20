"""rotary-embedding-torch: its one class, in each way that it can be built."""

import torch

from ._asking import adapter, named
from ._formulas import DIM, IMAGE, axial, pixels, rope, scaled
from ._forms import ask, doubled, xpos
from ._rotations import grid

_at, _places = torch.arange(1024), grid(*IMAGE)


def _built(spec, **options):
    """Askers of a table and of vectors. Each type has a module: it keeps the phases of its first call."""
    what, made = named(options), lambda thing: thing(DIM, **options)
    return (ask(spec, lambda thing: made(thing)(made(thing).get_seq_pos(len(_at))), _at, what),
            ask(spec, lambda thing, vector: made(thing).rotate_queries_or_keys(vector, seq_dim=-3), _at, what))


subjects, trials = adapter("rotary_embedding_torch", (("rotary", r"theta \*\* \(|\.cos\(\)"),), (
    (r"\.RotaryEmbedding$",
     *_built(rope("interleaved")),
     *_built(scaled("linear", "interleaved", factor=2.5), interpolate_factor=2.5),
     *_built(scaled("ntk", "interleaved", alpha=4), theta_rescale_factor=4.0),  # theta is multiplied by alpha^(d/(d - 2))
     xpos(lambda t, queries, keys: t(DIM, use_xpos=True).rotate_queries_and_keys(queries, keys)),
     ask(axial((32, 32)), lambda t: t(32).get_axial_freqs(*IMAGE), _places, "get_axial_freqs, lang"),
     ask(pixels("linear", "128pi"), lambda t: t(32, freqs_for="pixel", max_freq=256).get_axial_freqs(*IMAGE), _places,
           "get_axial_freqs, pixel")),
    (r"\.apply_rotary_emb$", ask(rope("interleaved"), lambda f, vector, phases: f(doubled(phases)[:, None], vector, seq_dim=-3))),
), unasked=((r"get_flash_attention_fused", "a Triton kernel: it runs on a GPU alone"),))
