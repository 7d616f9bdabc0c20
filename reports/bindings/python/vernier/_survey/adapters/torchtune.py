"""torchtune: its rotary modules, which keep a table of all positions and turn vectors by it."""

from . import _asking, _sources

LIBRARY = DISTRIBUTION = "torchtune"
PRELOAD = ("torch",)

_LENGTH = 1 << 16
_NO_ENCODINGS = ((r"\.layer_dropout\.|\.lr_schedulers\.", "a schedule of training"),)


def subjects():
    return _sources.subjects(LIBRARY, lambda path: True, (("rotary", r"torch\.cos\(|\.cos\(\)|math\.(sin|cos)\("),), no_encodings=_NO_ENCODINGS)


def trials(subject, dtypes):
    return _asking.trials(LIBRARY, _asked(), subject, dtypes)


def _asked():
    import torch

    from . import _rotations
    from ._forms import DIM, all_of, axial, rope, rotations, scaled, tables

    at, side = _rotations.positions(_LENGTH), 12
    llama3 = scaled("llama3", "interleaved", factor=8, low_freq_factor=1, high_freq_factor=4, original_max_position_embeddings=8192)

    def of_rows(spec, **options):
        """A table of cosines and sines of pairs, or of cosines and then sines, and vectors turned by it."""
        spec, made = {**spec, "rope_theta": options.get("base", 10000)}, lambda t: t(DIM, max_seq_len=_LENGTH, **options)
        table = lambda t: made(t).cache[at] if spec["layout"] == "interleaved" else made(t).cache[at].chunk(2, -1)
        build = lambda t, _: lambda vector: made(t)(vector, input_pos=at[None])
        return all_of(tables(("float32", spec, table, at)), rotations(("default arguments", spec, at, build)))

    # Columns, then rows of patches, each counted from 1; the class token is at 0 of both.
    patch = torch.arange(side * side)
    places = torch.cat((torch.stack((patch % side + 1, patch // side + 1)), torch.zeros(2, 1, dtype=torch.long)), dim=1)
    tiled, made = axial((DIM // 2, DIM // 2)), lambda t: t(patch_size=14, tile_size=14 * side, max_num_tiles=1, dim=DIM // 2)
    return (
        (r"Llama3ScaledRoPE", of_rows(llama3, base=500_000)), (r"Phi3Rotary", of_rows(rope())), (r"Qwen2Rotary", of_rows(rope(), base=1_000_000)),
        (r"VisionRotary", all_of(tables(("float32", tiled, lambda t: made(t).cache, places)),
                                 rotations(("default arguments", tiled, places, lambda t, _: made(t))))),
        (r"RotaryPositionalEmbeddings", of_rows(rope("interleaved"))),
    )
