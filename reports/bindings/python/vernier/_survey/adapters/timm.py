"""timm: rotary and Fourier embeddings of grids, and the indices and coordinates of windows."""

from .._asked import Trial
from . import _asking, _sources

LIBRARY = DISTRIBUTION = "timm"
PRELOAD = ("torch",)

_KINDS = (
    ("windows", r"def \w*relative_position_index|def gen_relative_log_coords|def _make_pair_wise|relative_coordinates_log ="),
    ("rotary", r"\binv_freq\b[^=\n]*=[^=]|build_rotary_pos_embed\(|get_mixed_freqs\(|self\.periods\b|_build_embed\(|rot\(x\) \* sin"),
    ("bands", r"bands \* torch\.pi|bands = 1\. /|pixel_freq_bands\("),
    ("sinusoidal", r"\.(sin|cos)\(\)|(torch|math)\.(sin|cos)\("),
)
_NO_ENCODINGS = (
    (r"scheduler\.|auto_augment", "a schedule of training, or a turned image"),
    (r"_RotaryEmbeddingBase|_build_bands|freq_bands$", "what other classes of its file call, and are judged with"),
    (r"init_random_2d_freqs", "it draws random frequencies: RotaryEmbeddingMixed is judged with them"),
)
_UNASKED = ((r"swin_transformer_v2_cr", "its coordinates are sign(d) ln(1 + |d|): Vernier has no key for them"),)


def subjects():
    return _sources.subjects(LIBRARY, lambda path: True, _KINDS, _UNASKED, _NO_ENCODINGS)


def trials(subject, dtypes):
    return _asking.trials(LIBRARY, _asked(), subject, dtypes)


def _windows(*ways):
    """ways: what is asked for, a spec, and what a class or function answers, by its role."""
    def ask(thing, dtypes):
        for what, spec, call in ways:
            yield Trial(what, spec, call(thing), source="formula")

    return ask


def _asked():
    import torch

    from ._forms import DIM, IMAGE, all_of, axial, centred, encoding, exact, grid, doubled, mixed, of_grid, scaled, tables

    places, axes = grid(IMAGE), [{"dims": DIM // 2}] * 2
    row_of_tables = lambda module: (torch.cat(module, -1) if isinstance(module, tuple) else module).chunk(2, -1)[::-1]

    def pixels(frequency):
        """Coordinates from -1 to 1, with frequencies from pi to 112 pi."""
        bounds = {"frequency": frequency, "first": "pi", "last": "112pi", "position_offset": -1}
        return axial([{"dims": DIM // 2, "position_scale": f"2/{n - 1}", **bounds} for n in IMAGE])

    def embedded(spec, dtype=None, **options):
        return f"{options or 'default arguments'}{dtype or ''}", spec, lambda t: row_of_tables(t(DIM, **options).get_embed(IMAGE, dtype=dtype)), places

    def random(thing, dtypes):
        torch.manual_seed(0)
        module = thing(2 * DIM, depth=1, num_heads=2)  # its first axis is that of columns
        sin, cos = module.get_embed(IMAGE).detach()[0].chunk(2, -1)
        spec = mixed(module.freqs.detach()[:, 0])
        yield Trial("default arguments", spec, {"cos": cos[..., ::2], "sin": sin[..., ::2], "positions": places.flip(0)}, source="formula")

    def projected(thing):
        """An encoding before the projection of its channels, which is made the identity."""
        module = thing(hidden_dim=DIM, dim=2 * DIM)
        module.token_projection.weight.copy_(torch.eye(2 * DIM)[:, :, None, None])
        module.token_projection.bias.zero_()
        encoded = module(1, *IMAGE) if "xcit" in thing.__module__ else module((1, *IMAGE))
        return encoded[0].flatten(1).T

    def fourier(thing):
        """Sines of all bands, then cosines, each of both axes; before them a channel and both coordinates."""
        encoded = thing(num_bands=DIM // 4)(torch.zeros(1, 1, *IMAGE))[0, :, 3:].reshape(-1, 2, DIM // 4, 2)
        sin, cos = encoded.transpose(-1, -2).flatten(2).unbind(1)
        return cos, sin

    frequencies = torch.randn(2, DIM // 2, generator=torch.Generator().manual_seed(0))
    turns = [f"2pi/{n}.000001" for n in IMAGE]
    dino = axial(centred(), "half", 100, frequency_scale="2pi")
    periods = axial(centred(frequency="geometric", first="2", last="1/90"), "half", frequency_scale="2pi")
    section = (8, 12, 12)  # of time, height and width in turn, as far as each goes; the rest is time's, which is 0
    in_turn = scaled("default", pair_axes=[pair % 3 if pair < 3 * section[pair % 3] else 0 for pair in range(DIM // 2)])
    window, coordinates = {"scheme": "window_index", "window": list(IMAGE)}, {"scheme": "log_coordinates", "window": list(IMAGE)}
    sincos = {"axes": axes, "grid": [IMAGE[1]]}
    return (
        (r"\.RotaryEmbedding(Cat)?$", tables(
            embedded(pixels("geometric")), embedded(pixels("geometric"), torch.bfloat16), embedded(pixels("linear"), linear_bands=True),
            embedded(axial(axes), in_pixels=False),
            embedded(axial([{**axis, "position_scale": f"16/{n}"} for axis, n in zip(axes, IMAGE)]), in_pixels=False, ref_feat_shape=[16, 16]),
            embedded(axial(centred(), "half"), in_pixels=False, grid_type="centered", rotate_half=True))),
        (r"DinoV3$", tables(embedded(dino), embedded(periods, min_period=0.5, max_period=90.0, temperature=None))),
        (r"MRope$", tables(("default arguments", in_turn, lambda t: row_of_tables(t(DIM, mrope_section=section).get_embed(IMAGE)),
                            torch.cat((torch.zeros_like(places[:1]), places))))),
        (r"Mixed$", random), (r"FourierEmbed$", of_grid(pixels("linear"), fourier, IMAGE)),
        (r"build_fourier", of_grid(pixels("geometric"), lambda t: [one.flatten(2) for one in t(IMAGE, num_bands=DIM // 4)[::-1]], IMAGE)),
        (r"build_rotary", of_grid(pixels("geometric"), lambda t: t(IMAGE, dim=DIM)[::-1], IMAGE)),
        (r"get_mixed_freqs", of_grid(mixed(frequencies), lambda t: row_of_tables(t(frequencies, *places)), IMAGE)),
        (r"apply_rot_embed$", all_of(*[exact(lambda f, vector, phases, layout=layout: f(vector.transpose(1, 2), *[table.float() for table in (
            doubled(phases, layout).sin(), doubled(phases, layout).cos())], half=layout == "half").transpose(1, 2), layout)
            for layout in ("interleaved", "half")])),
        (r"build_sincos2d", all_of(encoding({**sincos, "axes_layout": "across"}, lambda t: t(IMAGE, DIM)),
                                   encoding({**sincos, "layout": "halves"}, lambda t: t(IMAGE, DIM, interleave_sin_cos=True)))),
        (r"PositionalEncodingFourier", encoding({"grid": [IMAGE[1]], "axes": [
            {"dims": DIM, "position_scale": turn, "position_offset": turn} for turn in turns]}, projected)),
        (r"Gemma4", of_grid(axial(axes, "half_per_axis", 100), lambda t: t(DIM)(torch.zeros(1), places.T[None]), IMAGE)),
        (r"pos_embed_rel\.gen_relative_position_index", _windows(
            ("a window", window, lambda f: {"index": f(IMAGE)}),
            ("class_token", {**window, "class_token": True}, lambda f: {"index": f(IMAGE, class_token=True)}))),
        (r"beit\.gen_relative", _windows(("a window", {**window, "class_token": True}, lambda f: {"index": f(IMAGE)}))),
        (r"get_relative_position_index", _windows(("a window", window, lambda f: {"index": f(*IMAGE)}))),
        (r"gen_relative_log_coords", _windows(*[
            (f"pretrained {size}", {**coordinates, **({"pretrained_window": [size, size]} if size else {})},
             lambda f, size=size: {"coordinates": f(IMAGE, (size, size)).reshape(-1, 2)}) for size in (0, 7)])),
        (r"v2\.WindowAttention", _windows(
            ("a window", window, lambda t: {"index": t(32, IMAGE, 2).relative_position_index}),
            ("coordinates", coordinates, lambda t: {"coordinates": t(32, IMAGE, 2).relative_coords_table.reshape(-1, 2)}))),
    )
