"""torchtune: its rotary modules, which keep a table of all positions and turn vectors by it."""

from .._asked import Trial
from . import _asking, _rotations, _sources

LIBRARY = DISTRIBUTION = "torchtune"
PRELOAD = ()

_DIM, _LENGTH = 64, 1 << 16


def subjects():
    others = ((r"\.layer_dropout\.|\.lr_schedulers\.", "no encoding: a schedule of training"),)
    return _sources.subjects(LIBRARY, lambda path: True, (("rotary", r"torch\.cos\(|\.cos\(\)|math\.(sin|cos)\("),), others)


def trials(subject, dtypes):
    return _asking.trials(LIBRARY, _ASKED, subject, dtypes)


def _interleaved(scaling, **options):
    def ask(thing, dtypes):
        module = thing(_DIM, max_seq_len=_LENGTH, **options)
        spec = {"scheme": "rope", "head_dim": _DIM, "rope_theta": module.base, "layout": "interleaved", **scaling}
        at = _rotations.positions(_LENGTH)
        yield Trial("table, float32", spec, {"freqs_cis": module.cache[at], "positions": at}, source="formula")
        rotate = _asking.by_rows(lambda vector: module(vector, input_pos=at[None]))
        yield from _asking.vectors("default arguments", spec, rotate, at, dtypes)

    return ask


def _halves(thing, dtypes):
    module = thing(_DIM, max_seq_len=_LENGTH)
    spec = {"scheme": "rope", "head_dim": _DIM, "rope_theta": module.base, "layout": "half"}
    at = _rotations.positions(_LENGTH)
    yield Trial("table, float32", spec, {"cos_sin_cache": module.cache[at], "positions": at}, source="formula")
    yield from _asking.vectors("default arguments", spec, _asking.by_rows(lambda vector: module(vector, input_pos=at[None])), at, dtypes)


def _patches(thing, dtypes):
    """Columns, then rows of patches, each counted from 1; the class token is at 0 of both."""
    import torch

    side = 12
    module = thing(patch_size=14, tile_size=14 * side, max_num_tiles=1, dim=_DIM // 2)
    spec = {"scheme": "axial_rope", "head_dim": _DIM, "rope_theta": module.base, "layout": "interleaved",
            "axes": [{"dims": _DIM // 2}, {"dims": _DIM // 2}]}
    patch = torch.arange(side * side)
    at = torch.cat((torch.stack((patch % side + 1, patch // side + 1)), torch.zeros(2, 1, dtype=torch.long)), dim=1)
    yield Trial("table, float32", spec, {"freqs_cis": module.cache, "positions": at}, source="formula")
    yield from _asking.vectors("default arguments", spec, _asking.by_rows(module), at, dtypes)


_LLAMA3 = {"rope_scaling": {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4,
                            "original_max_position_embeddings": 8192}}
_ASKED = (
    (r"Llama3ScaledRoPE", _interleaved(_LLAMA3, base=500_000)),
    (r"(Phi3|Qwen2)Rotary", _halves),
    (r"VisionRotary", _patches),
    (r"RotaryPositionalEmbeddings", _interleaved({})),
)
