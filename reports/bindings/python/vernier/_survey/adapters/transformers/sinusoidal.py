"""Sinusoids: tables, rows of tokens, offsets of a key from a query, places of images, boxes, times and noise."""

import functools
import inspect
from types import SimpleNamespace

import torch

from .._asking import formats
from .._formulas import WIDTHS, mixed
from .._forms import ask, chosen, trial
from .._rotations import grid
from . import forms
from .configurations import read, with_keys
from .forms import lattice

_PAPER = {"scheme": "sinusoidal"}
_HALVES = {**_PAPER, "layout": "halves"}
_TENSOR2TENSOR = {**_HALVES, "frequency": "tensor2tensor"}
_LONG = chosen(1 << 15)
_LOOPED = chosen(600)  # of tables that loops of Python fill, element by element
_ODD = (*WIDTHS, {"d_model": 65})  # the last has a column without a partner
_COSINES_FIRST = {**_TENSOR2TENSOR, "order": "cos_sin"}
_FAIRSEQ = (*WIDTHS, {"d_model": 65, "odd_width": "zero"})
# Height and width: unequal, as only those tell a transposed table.
_SIZES = ((9, 14), (40, 7))
_TIMES = torch.cat((lattice(150)[0], torch.tensor([0.0, 1.0])))
_POINTS = lattice(200, 2)
_KEYPOINTS = _POINTS * 2 - 1
_PIXELS = torch.stack((lattice(200, 1, 1024)[0] * 1024, lattice(200, 1, 384, 1)[0] * 384))
_BOXES = lattice(200, 4) * 4 - 2
_FREQUENCIES = torch.randn(2, 32, generator=torch.Generator().manual_seed(0))
# The embedding of timesteps of diffusion models: cosines first, no shift of frequencies.
_DIFFUSERS = {**_HALVES, "order": "cos_sin", "downscale_freq_shift": 0}
# pi0's periods: by even ratios from the least to the greatest.
_PI0 = {**_HALVES, "frequency": "geometric", "first": 250, "last": 0.25, "frequency_scale": "2pi"}
# SAM's coordinates from 0 to 1, held to -1 .. 1.
_SAM = {"scheme": "fourier_features", "frequencies": _FREQUENCIES.tolist(), "frequencies_dtype": "float32",
        "frequency_scale": "2pi", "position_scale": 2, "position_offset": -1}
# AlphaFold 3's noise levels have cosines only: the first half of the columns of sinusoids. Its buffers hold random numbers until
# a checkpoint is read. Here they hold equal steps, which a scheme without sines has.
_STEPS, _PHASE = torch.arange(1, 65) / 8, 0.375
_NOISE = {**_HALVES, "d_model": 64, "order": "cos_sin", "frequency_scale": "2pi", "axes": [
    {"dims": 128, "frequency": "linear", "first": "1/8", "last": 8, "position_offset": _PHASE}]}


def _table(spec, call=lambda thing, length, d_model: thing(length, d_model), at=_LONG, over=WIDTHS):
    """An asker of a table of a length and a width, and of that of default configurations."""
    return ask(spec, call, at, over=over, reads=read)


def _config(width):
    """An object with the keys that classes read of a configuration, for an encoding of this width."""
    # The sizes of DETR and SAM are of an axis, those of LightGlue of a head.
    sizes = dict.fromkeys(("hidden_size", "d_model", "frequency_embedding_size", "dim_bbox_sinusoid_emb_1d",
                           "relation_bias_embed_dim"), width)
    return SimpleNamespace(
        **sizes, num_pos_feats=width // 2, dit_config=SimpleNamespace(hidden_size=width), descriptor_dim=4 * width,
        num_attention_heads=4, scale=2.0, min_timescale=1, max_timescale=10000, diffusion_max_period=10000, min_period=0.004,
        max_period=4.0, relation_bias_theta=10000, relation_bias_scale=100.0, pos_emb_time=2048, pos_emb_height=2, pos_emb_width=2,
        temperature_height=10000, temperature_width=10000, sine_position_embedding_scale=None,
        positional_embedding_temperature=10000)


def _states(length, width, dtype=torch.float32):
    return torch.zeros(1, length, width, dtype=dtype)


def _filled(thing, length, d_model):
    out = torch.empty(length, d_model)
    thing(length, d_model, out)
    return out


def _marian(thing, length, d_model):
    """A class whose weight is filled as its model does: it returns what to put there, or puts it there itself."""
    module = thing(length, d_model, 1)
    weight = forms.method(thing, "create_weight|_init_weight", module)()
    if weight is not None:
        module.weight = torch.nn.Parameter(weight, requires_grad=False)
    return module


def _types(dtypes):
    return [getattr(torch, name) for name in formats(dtypes)]


def _of_tokens(spec, thing, dtypes):
    """Rows that fairseq's classes look up for 300 tokens, the first ten of them padding if there is any."""
    module = forms.first([
        lambda: thing(4096, 64, 1), lambda: thing(4096, 64),
        lambda: thing(with_keys(thing, max_position_embeddings=4096, hidden_size=64))])
    if not hasattr(module, "weights"):  # their models fill FSMT's and that of Speech2Text 2
        forms.method(thing, "^make_weights?$", module)(4096, 64, 1)
    padding, takes = getattr(module, "padding_idx", None), inspect.signature(module.forward).parameters
    padded = {**spec, "d_model": 64, **({} if padding is None else {"padding_idx": padding})}
    for past in (0, 3500) if "past_key_values_length" in takes else (0,):
        at, tokens = torch.arange(past, past + 300), torch.full((300,), 7)
        if "position_ids" in takes and "input_ids" not in takes:
            # XGLM's first position is the third row, as fairseq's tokens begin behind a padding of 1.
            tokens, at = at, at + getattr(module, "offset", 0)
        elif padding is not None:
            tokens[:10] = padding
            at = torch.where(tokens == padding, padding, at - 10 + padding + 1)
        else:  # tokens of codebooks, or embeddings
            tokens = tokens[None] if "input_ids" in takes else torch.zeros(300, 64)
        rows = module(tokens[None], **({"past_key_values_length": past} if past else {}))
        yield trial(f"tokens behind {past} others", padded, rows, at)


def _of_conformer(thing, dtypes):
    """Rows from the greatest offset, length - 1, down to the least; a table grows where an input is longer than it is."""
    for dtype in _types(dtypes):
        config = with_keys(thing, hidden_size=64)
        module = forms.first([lambda: thing(config), lambda: thing(config, {"positional_dropout_rate": 0.0})]).eval()
        lengths = [(90, dtype), (1000 if hasattr(module, "max_position_embeddings") else 5100, dtype)]
        for length, asked in lengths + [(90, torch.float32)] * (dtype != torch.float32):
            answer, at = module(_states(length, 64, asked)), chosen(2 * length - 1)
            rows = (answer[1] if isinstance(answer, tuple) else answer).reshape(-1, 64)[at]
            told = f"length {length}, width 64, {forms.name_of(asked)}{'' if asked == dtype else ' after an input in bfloat16'}"
            yield trial(told, {**_PAPER, "d_model": 64}, rows, length - 1 - at)


def _xlnet(thing, d_model, clamp_len=-1, kind="uni"):
    """XLNet's offsets up to 300: of earlier keys as Transformer-XL's, or of later ones too."""
    module = SimpleNamespace(d_model=d_model, attn_type=kind, bi_data=False, clamp_len=clamp_len,
                             positional_embedding=thing.positional_embedding)
    return thing.relative_positional_encoding(module, 300, 300, 1)


def _funnel(thing, kind, dtype=torch.float32):
    """Funnel's two forms: cosines and sines of places, which it multiplies apart, and sinusoids of offsets."""
    config = with_keys(thing, d_model=64, attention_type=kind, separate_cls=False)
    return thing(config).eval().get_position_embeds(600, dtype, "cpu")


def _told(size):
    return f"height {size[0]}, width {size[1]}"


def _images(**keys):
    """The table of an image's patches in rows, sines before cosines of each axis: a function, or a method of an encoder."""
    return [ask({**_HALVES, "axes": [{"dims": 32}] * 2, **keys}, lambda thing, dtype, size=size: forms.method(
        thing, "^build_2d_sin")(height=size[0], width=size[1], embed_dim=64, dtype=dtype), grid(*size),
        _told(size)) for size in _SIZES]


def _of_pixels(thing, dtypes):
    """DETR's table: places counted from 1, as they are or as shares of 2 pi; Deformable DETR counts from 1/2."""
    is_from_middle = any(name in thing.__name__ for name in ("Deformable", "Deta"))
    takes_config = "config" in inspect.signature(thing.__init__).parameters
    for is_normalised in (True,) if takes_config else (True, False):
        module = thing(_config(64)) if takes_config else thing(32, normalize=is_normalised)
        for size in _SIZES:
            axes = [{"dims": 32} for _ in size]
            for axis, side in zip(axes, size if is_normalised else ()):
                # The 1e-6 keeps the sides of empty masks from dividing by 0.
                axis.update(position_scale=f"2pi/{side}.000001", position_offset=f"-pi/{side}.000001" if is_from_middle else 0)
            told = _told(size) + (", normalised" if is_normalised else "")
            shape, mask = (1, 3, *size), torch.ones(1, *size, dtype=torch.long)
            answers = {"": lambda: module(torch.zeros(shape), mask)}
            if "dtype" in inspect.signature(module.forward).parameters:
                # A mask says which places count, and until transformers 5 which of them do not.
                counts = mask == 0 if "~mask" in inspect.getsource(thing) else mask
                answers = {", float32, with a mask": lambda: module(shape, "cpu", torch.float32, counts)}
                for dtype in _types(dtypes) if is_normalised and size == _SIZES[0] else [torch.float32]:
                    answers[f", {forms.name_of(dtype)}"] = lambda dtype=dtype: module(shape, "cpu", dtype)
            for words, answer in answers.items():
                yield trial(told + words, {**_PAPER, "axes": axes}, answer()[0].flatten(1).T, grid(*size) + 1)


def _points(axes, call, is_exchanged=True):
    """Coordinates from 0 to 1, times 2 pi, of points or boxes: y before x, or in their order. call: of [1, rows, axes]."""
    order = [1, 0, 2, 3] if is_exchanged else [0, 1, 2, 3]
    return ask({**_PAPER, "position_scale": "2pi", "axes": [{"dims": 48}] * axes, "block_order": order[:axes]},
               lambda thing, at: call(thing, at.T[None]), lattice(200, axes),
               told=f"{axes} coordinates{'' if is_exchanged else ' in order'}")


def _bands(sides, behind):
    """Perceiver's: frequencies in equal steps from pi to the highest that a side can show, all sines first.

    behind: the number of positions that stand before them.
    """
    axes = [{"dims": 64, "frequency": "linear", "first": "pi", "last": f"{side // 2}pi"} for side in sides]
    return ask({**_PAPER, "axes_layout": "across", "axes": axes},
               lambda thing, at: thing(at.T[None], 32, sides, behind > 0)[..., behind:], lattice(200, len(sides)) * 2 - 1,
               told=f"{len(sides)} axes")


def _loaded(module, weights):
    module.load_state_dict(weights)
    return module


def _sam(thing):
    return _loaded(thing(_config(64)), {"positional_embedding": _FREQUENCIES})


_FUNNEL, _PLACES = {**_HALVES, "d_model": 64}, torch.arange(600)
ASKERS = (
    # Functions, and methods alike, of a length and a width.
    (r"function ctrl|positional_encoding\(position, d_model_size", _table(
        _HALVES, lambda f, length, d_model: f(length, d_model, torch.float32), _LONG, _ODD)),
    (r"function \w+\(n_pos, dim, out\)", _table(_PAPER, _filled, _LOOPED, _ODD)),
    (r"function \w+\(num_pos, dim\)", _table(_HALVES)),
    (r"function \w+\(n_position, d_hid\)", _table(_PAPER, at=_LOOPED, over=_ODD)),
    (r"function \w+\(length, channels", _table(_TENSOR2TENSOR)),
    (r"function \w+\(embed_dim, pos\)", _table(_HALVES, lambda f, at, d_model: torch.from_numpy(f(d_model, at.numpy())).float())),
    (r"positional_encoding_1d\(", ask(_HALVES, lambda t, length, d_model, dtype: forms.method(t, "positional_encoding_1d")(
        1, length, d_model, "cpu", dtype)[0])),
    # Classes that keep a table.
    (r"__init__\(length, channels.* forward\(position_ids\)", ask(  # NeMo's
        _HALVES, lambda t, at, d_model: t(2048, d_model)(at[None]), chosen(2048),
        over=[{"d_model": 64, "scale": 1 / 8}, {"d_model": 256, "scale": 1 / 16}])),
    (r"__init__\(length, channels.* forward\(hidden_states\)", ask(  # FunASR's, which count from 1
        _TENSOR2TENSOR, lambda t, at, d_model, dtype: t(4096, d_model)(_states(2048, 1, dtype))[at - 1], chosen(2048) + 1)),
    (r"__init__\(length, channels.* forward\(seqlen\)", ask(
        _TENSOR2TENSOR, lambda t, length, d_model: t(length, d_model)(length))),
    (r"__init__\(embed_dim, max_scale\)", ask(
        _TENSOR2TENSOR, lambda t, length, d_model, dtype: t(d_model)(_states(length, d_model, dtype)), chosen(4096))),
    (r"__init__\(dropout, dim, max_len\)", ask(
        _PAPER, lambda t, length, d_model: t(0.0, d_model, length)(_states(length, d_model)))),
    (r"forward\(seq_length, position\)", ask(_TENSOR2TENSOR, lambda t, length, d_model: t(_config(d_model))(length))),
    (r"get_sinusoid_embeddings\(max_positions, embed_dim\).* forward\(seq_embeds", ask(
        _PAPER, lambda t, length, d_model: t(SimpleNamespace(vision_config=SimpleNamespace(
            embed_dim=[d_model], max_temporal_embeddings=length)))(_states(length, d_model)))),
    (r"get_sinusoid_embeddings\(max_positions, embed", _table(
        _HALVES, lambda t, length, d_model: torch.cat(t.get_sinusoid_embeddings(length, d_model), dim=-1))),
    (r" (create_weight|_init_weight)\(",
     _table(_HALVES, lambda t, length, d_model: _marian(t, length, d_model).weight, _LOOPED, _ODD),
     ask(_HALVES, lambda t, d_model: _marian(t, 150, d_model)(torch.Size((1, 100)), 50), torch.arange(50, 150),
         "tokens behind 50 others, width {d_model}", _ODD)),
    # MusicGen's come from audiocraft, whose create_sin_embedding puts cosines first.
    (r" get_embedding\(num_embeddings, embedding_dim\)",
     _table(_COSINES_FIRST, lambda t, length, d_model: t.get_embedding(length, d_model), _LONG, _FAIRSEQ),
     functools.partial(_of_tokens, _COSINES_FIRST)),
    (r" get_embedding\(num_embeddings, embedding_dim, padding_idx",
     _table(_TENSOR2TENSOR, lambda t, length, d_model, padding_idx=None: t.get_embedding(length, d_model, padding_idx),
            _LONG, (*_FAIRSEQ, *[{**keys, "padding_idx": 1} for keys in _FAIRSEQ])),
     functools.partial(_of_tokens, _TENSOR2TENSOR)),
    # Kimi K2.5's frames, behind a row of zeros for what has no frames.
    (r"class Kimi\w*VisionPositionEmb", ask(
        {**_HALVES, "axes": [{"dims": 64}], "zero_prefix": 1},
        lambda t: t(_config(64)).time_position_embeddings, torch.arange(2048), "frames")),
    # Offsets of a key from a query.
    (r"__init__\(length, depth, max_relative_position\)", ask(  # NEZHA's are clamped, and counted from the least
        _PAPER, lambda t, d_model: t(100, d_model, 20).positions_encoding,
        (torch.arange(100) - torch.arange(100)[:, None]).clamp(-20, 20).flatten() + 20)),
    (r"_get_timing_signal_1d_pos\(", ask(
        _TENSOR2TENSOR, lambda t, at, d_model, dtype: t(with_keys(
            t, hidden_size=d_model, conf_num_attention_heads=4, conf_attention_context_left=100,
            conf_attention_context_right=20))._get_timing_signal_1d_pos(at[None], dtype), torch.arange(99, -21, -1))),
    (r"class Gemma\w*RelPositionalEncoding", ask(_TENSOR2TENSOR, lambda t, d_model, dtype: t(with_keys(
        t, hidden_size=d_model, attention_chunk_size=200, attention_context_left=13, attention_context_right=0))(
            _states(8, d_model, dtype)), torch.arange((200 + 13 - 1) // 2, -1, -1))),
    (r"class \w*RelPositionalE\w+ .* forward\((hidden_states|feature_representation)", _of_conformer),
    (r"relative_positional_encoding\(qlen, klen",
     ask({"scheme": "transformer_xl"}, _xlnet, torch.arange(300, -1, -1), over=(*WIDTHS, {"d_model": 64, "clamp_len": 50})),
     ask(_HALVES, lambda t, d_model: _xlnet(t, d_model, -1, "bi"), torch.arange(300, -300, -1)),
     ask(_HALVES, lambda t, d_model: _xlnet(t, d_model, 50, "bi"), torch.arange(300, -300, -1).clamp(-50, 50))),
    (r"get_position_embeds\(seq_len, dtype, device\)",
     ask({**_FUNNEL, "order": "cos_sin"}, lambda t, dtype: _funnel(t, "factorized", dtype)[2], _PLACES, "psi"),
     ask(_FUNNEL, lambda t: torch.cat([one[:, :32] for one in _funnel(t, "factorized")[:2]], -1), _PLACES, "phi and pi"),
     ask(_FUNNEL, lambda t: _funnel(t, "factorized")[3] * torch.tensor([-1, 1]).repeat_interleave(32), _PLACES, "omega"),
     ask(_FUNNEL, lambda t, dtype: _funnel(t, "relative_shift", dtype)[0][0], torch.arange(600, -600, -1),
         "offsets of the first block")),
    # Places of images, boxes, times and noise.
    (r"function build_2d_sin\w*\(height, width, embed_dim, temperature, cls_token", *_images(), ask(
        {**_HALVES, "axes": [{"dims": 32}] * 2, "grid": [14], "zero_prefix": 1}, lambda f: f(9, 14, 64, cls_token=True),
        torch.arange(126), "height 9, width 14, with a class token")),
    (r" build_2d_sin\w*\(width, height", *_images()),
    (r" build_2d_sin\w*\(height, width", *_images(block_order=[1, 0])),  # AIMv2's columns of the width come first, as in MAE
    (r"class \w*(SinePositionEmbedding|PositionEmbeddingSine)\b", _of_pixels),
    (r"function \w+\(pos_tensor, num_pos_feats, temperature, exchange_xy", *[
        _points(axes, lambda f, points, swaps=swaps: f(points, 48, exchange_xy=swaps), swaps)
        for axes in (2, 4) for swaps in (True, False)]),
    (r"function \w+\(pos_tensor, num_pos_feats", *[_points(axes, lambda f, points: f(points, 48)) for axes in (2, 4)]),
    (r"function \w+\(pos_tensor, d_model", _points(2, lambda f, points: f(points, 96))),
    (r"function \w+\(pos_tensor, hidden_size", _points(4, lambda f, points: f(points, 96))),
    # Deformable DETR's proposals: logits, of which the sigmoid is encoded, x before y. A sigmoid is no number of a coarse
    # lattice: what it rounds to is taken as it is, in steps of 2^-24.
    (r"get_proposal_pos_embed\(", ask(
        {**_PAPER, "position_scale": "2pi", "axes": [{"dims": 64}] * 4}, lambda t: t.get_proposal_pos_embed(
            SimpleNamespace(config=_config(128)), _BOXES.T[None]), _BOXES.sigmoid(), "4 coordinates")),
    (r"generate_fourier_features\(", _bands((224, 224), 0), _bands((16, 50, 8), 3)),
    (r"compute_freqs\(config\) forward\(time\)", ask(_PI0, lambda t, at, d_model: t(_config(d_model))(at), _TIMES)),
    (r"compute_default_freq\(config\) forward\(timesteps\)", ask(
        _DIFFUSERS, lambda t, at, d_model: t(_config(d_model))(at), _TIMES * 1000)),
    (r"__init__\(dim, theta\) forward\(time_tensor\)", ask(
        _DIFFUSERS, lambda t, at, d_model: torch.stack([t(d_model)(one) for one in at]), _TIMES * 1000)),
    # Qwen 2.5 Omni's timesteps: those of F5-TTS.
    (r"__init__\(dim\) forward\(hidden_states, scale\)", ask(
        {**_TENSOR2TENSOR, "position_scale": 1000}, lambda t, at, d_model: t(d_model)(at), _TIMES)),
    # SAM 2's places in time: the paper's columns, but a sine and a cosine of each: each frequency is there twice.
    (r"function \w+\(pos_inds, dim", *[
        ask(_HALVES, lambda f, at, d_model, parity=parity: f(at, 2 * d_model)[:, parity::2], _TIMES * 4096,
            f"width {{d_model}}, {told} of each frequency") for parity, told in ((0, "first"), (1, "second"))]),
    # BROS: each coordinate of a box, relative to another's, by Transformer-XL's sinusoids.
    (r"forward\(pos_seq\)", ask(_HALVES, lambda t, at, d_model: t(_config(d_model))(at[None, None]), _TIMES * 100 - 50)),
    # Relation-DETR's features of boxes as PaddlePaddle has them: exponents run to 2, as of a base squared.
    (r"box_relative_encoding\(", ask(
        {**_HALVES, "base": 10000 ** 2, "position_scale": 100, "axes": [{"dims": 64}] * 4},
        lambda t, at: t(_config(64)).get_position_embedding(at.T[None], 100.0), _BOXES, "4 numbers")),
    (r"forward\(input_coords",
     ask(_SAM, lambda t, at: _sam(t)(at.T[None, None]), _POINTS, "200 points"),
     ask({**_SAM, "axes": [{"position_scale": "2/1024"}, {"position_scale": "2/384"}]},
         lambda t, at: _sam(t)(at.T[None, None], (384, 1024)), _PIXELS, "200 pixels of 384 x 1024")),
    (r"forward\(noise_level\)", ask(_NOISE, lambda t, at: _loaded(
        t(64), {"frequencies": _STEPS, "phases": _STEPS * _PHASE})(at), lattice(200)[0] * 8 - 4, "200 noise levels")),
    # LightGlue's: cosines and sines of trained sums of both coordinates, for pairs side by side.
    (r"forward\(keypoints", ask(mixed(_FREQUENCIES), lambda t: _loaded(
        t(_config(64)), {"projector.weight": _FREQUENCIES.T})(_KEYPOINTS.T[None])[0], _KEYPOINTS, "200 keypoints")),
)
