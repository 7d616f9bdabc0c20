"""torchtune: its rotary modules, which keep a table of all positions and turn vectors by it."""

import torch

from . import _rotations
from ._asking import adapter
from ._formulas import DIM, axial, rope, scaled
from ._forms import ask

_LENGTH, _SIDE = 1 << 16, 12
_at = _rotations.positions(_LENGTH)


def _of_rows(spec, base=10000):
    """Askers of a table of cosines and sines of pairs, or of cosines and then sines, and of vectors turned by it."""
    spec, made = {**spec, "rope_theta": base}, lambda thing: thing(DIM, max_seq_len=_LENGTH, base=base)
    kept = lambda thing: made(thing).cache[_at] if spec["layout"] == "interleaved" else made(thing).cache[_at].chunk(2, -1)
    return ask(spec, kept, _at, "float32"), ask(spec, lambda thing, vector: made(thing)(vector, input_pos=_at[None]), _at)


def _tiled(thing):
    return thing(patch_size=14, tile_size=14 * _SIDE, max_num_tiles=1, dim=DIM // 2)


# Columns, then rows of patches, each counted from 1; the class token is at 0 of both.
_patch, _halves = torch.arange(_SIDE * _SIDE), axial((DIM // 2, DIM // 2))
_places = torch.cat((torch.stack((_patch % _SIDE + 1, _patch // _SIDE + 1)), torch.zeros(2, 1, dtype=torch.long)), dim=1)
_llama3 = scaled("llama3", "interleaved", factor=8, low_freq_factor=1, high_freq_factor=4, original_max_position_embeddings=8192)

subjects, trials = adapter("torchtune", (("rotary", r"torch\.cos\(|\.cos\(\)|math\.(sin|cos)\("),), (
    (r"Llama3ScaledRoPE", *_of_rows(_llama3, 500_000)),
    (r"Phi3Rotary", *_of_rows(rope())),
    (r"Qwen2Rotary", *_of_rows(rope(), 1_000_000)),
    (r"VisionRotary", ask(_halves, lambda t: _tiled(t).cache, _places, "float32"),
     ask(_halves, lambda t, vector: _tiled(t)(vector), _places)),
    (r"RotaryPositionalEmbeddings", *_of_rows(rope("interleaved"))),
), no_encodings=((r"\.layer_dropout\.|\.lr_schedulers\.", "a schedule of training"),))
