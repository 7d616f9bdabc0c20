"""Sinusoids of the rows and columns of images, and of times."""

import inspect
import types

import torch

from ..._asked import Unjudged
from . import forms

# Height and width: unequal, as only those tell a transposed table, and equal to powers of two.
_SIZES = ((9, 14), (32, 32), (40, 7))


def _axes(dims, **keys):
    return {"scheme": "sinusoidal", "axes": [{"dims": dims}, {"dims": dims}], **keys}


def _of_images(thing, dtypes):
    """The table of an image's patches in rows, sines before cosines of each axis: a function, or a static method of an encoder."""
    function = thing
    if inspect.isclass(thing):
        function = next(getattr(thing, name) for name in vars(thing) if name.startswith("build_2d_sin"))
    takes = inspect.signature(function).parameters
    # The columns of the width come first in AIMv2, as in MAE; until transformers 5 its class has a function of its own.
    first = {"block_order": [1, 0]} if inspect.isclass(thing) and list(takes)[0] == "height" else {}
    for height, width in _SIZES[:2] if inspect.isclass(thing) else _SIZES:
        at = torch.cartesian_prod(torch.arange(height), torch.arange(width)).T
        for dtype in forms.kinds(dtypes) if height == _SIZES[0][0] else (torch.float32,):
            rows = function(height=height, width=width, embed_dim=64, dtype=dtype)
            yield forms.table(f"{height} x {width}, {forms.name_of(dtype)}", _axes(32, layout="halves", **first), rows, at)
    if "cls_token" in takes:
        rows = function(9, 14, 64, cls_token=True)
        yield forms.table("9 x 14 with a class token", _axes(32, layout="halves", grid=[14], zero_prefix=1), rows,
                          torch.arange(126))


def _of_pixels(thing, dtypes):
    """DETR's table: places counted from 1, as they are or as shares of 2 pi; Deformable DETR counts from 1/2."""
    takes = list(inspect.signature(thing.__init__).parameters)[1:]
    if "config" in takes:
        yield from _of_normalised(thing, thing(_detr_config()), 64, dtypes)
        return
    for normalised in (True, False):
        module = thing(32, normalize=normalised)
        yield from _of_normalised(thing, module, 32, dtypes, normalised)


def _detr_config():
    return types.SimpleNamespace(hidden_size=128, d_model=128, temperature_height=10000, temperature_width=10000,
                                 sine_position_embedding_scale=None, positional_embedding_temperature=10000)


def _of_normalised(thing, module, dims, dtypes, normalised=True):
    middle = any(name in thing.__name__ for name in ("Deformable", "Deta"))
    takes = inspect.signature(module.forward).parameters
    for height, width in _SIZES:
        axes = []
        for side in (height, width):
            # The 1e-6 keeps the sides of empty masks from dividing by 0.
            scale = {"position_scale": f"2pi/{side}.000001"} if normalised else {}
            axes.append({"dims": dims, **scale, **({"position_offset": f"-pi/{side}.000001"} if middle and normalised else {})})
        at = torch.cartesian_prod(torch.arange(1, height + 1), torch.arange(1, width + 1)).T
        pixels, mask = torch.zeros(1, 3, height, width), torch.ones(1, height, width, dtype=torch.long)
        told = f"{height} x {width}{', normalised' if normalised else ''}"
        for words, call in (_calls(module, pixels, mask, dtypes if normalised else ()) if "dtype" in takes else
                            [("", lambda: module(pixels, mask))]):
            yield forms.table(told + words, {"scheme": "sinusoidal", "axes": axes}, call()[0].flatten(1).T, at)


def _calls(module, pixels, mask, dtypes):
    """Ways to ask a class that takes a format: pairs of words and of a function."""
    yield ", float32", lambda: module(pixels.shape, "cpu", torch.float32)
    # A mask says which places count, and until transformers 5 which of them do not.
    counts = mask == 0 if "~mask" in inspect.getsource(type(module)) else mask
    yield ", float32, with a mask", lambda: module(pixels.shape, "cpu", torch.float32, counts)
    if "bfloat16" in dtypes and pixels.shape[2] == _SIZES[0][0]:
        yield ", bfloat16", lambda: module(pixels.shape, "cpu", torch.bfloat16)


def _of_points(thing, dtypes):
    """Coordinates of points and boxes from 0 to 1, times 2 pi; y comes before x."""
    exchanged = "exchange_xy" not in inspect.signature(thing).parameters
    for axes in (2, 4):
        at = forms.lattice(200, axes)
        for dims in (32, 128):
            try:
                rows = _encoded(thing, at.T[None], dims)
            except (ValueError, IndexError):  # DAB-DETR's takes boxes only
                continue
            if rows.shape[-1] != axes * dims:  # Conditional DETR's takes the first two of four
                continue
            order = [1, 0, 2, 3][:axes]
            spec = {"scheme": "sinusoidal", "position_scale": "2pi", "axes": [{"dims": dims}] * axes, "block_order": order}
            yield forms.table(f"{axes} coordinates, {dims} columns each", spec, rows, at)
            if not exchanged:
                plain = {**spec, "block_order": sorted(order)}
                yield forms.table(f"{axes} coordinates in order, {dims} columns each", plain,
                                  thing(at.T[None], dims, exchange_xy=False), at)


def _encoded(function, points, dims):
    """Parameters that say the width of all axes, or of two, or of one."""
    takes = inspect.signature(function).parameters
    name = next(one for one in takes if one in ("num_pos_feats", "d_model", "hidden_size"))
    return function(points, **{name: dims if name == "num_pos_feats" else 2 * dims})


def _of_proposals(thing, dtypes):
    """Deformable DETR's proposals: logits, of which the sigmoid is encoded, x before y."""
    logits = (forms.lattice(200, 4) * 8 - 4).T[None]
    module = types.SimpleNamespace(config=types.SimpleNamespace(d_model=128, num_pos_feats=64))
    at = logits.sigmoid()[0].T
    # A sigmoid is no number of a coarse lattice: what it rounds to is taken as it is, in steps of 2^-24.
    spec = {"scheme": "sinusoidal", "position_scale": "2pi", "axes": [{"dims": 64}] * 4}
    yield forms.table("4 coordinates", spec, thing.get_proposal_pos_embed(module, logits), at)


def _of_bands(thing, dtypes):
    """Perceiver's: frequencies in equal steps from pi to the highest that a side can show, all sines first."""
    sides, bands = ((224, 224), (16, 50, 8)), 32
    for resolution in sides:
        at = forms.lattice(200, len(resolution)) * 2 - 1
        axes = [{"dims": 2 * bands, "frequency": "linear", "first": "pi", "last": f"{side // 2}pi"} for side in resolution]
        spec = {"scheme": "sinusoidal", "axes_layout": "across", "axes": axes}
        for with_positions in (False, True):
            rows = thing(at.T[None], bands, resolution, with_positions)
            rows = rows.reshape(-1, rows.shape[-1])
            told = f"{len(resolution)} axes" + (", behind the positions" if with_positions else "")
            yield forms.table(told, spec, rows[:, len(resolution) * with_positions:], at)


def _of_frames(thing, dtypes):
    """Kimi K2.5: sinusoids of frames, behind a row of zeros for what has no frames."""
    for width in (64, 320):
        config = types.SimpleNamespace(hidden_size=width, pos_emb_time=2048, pos_emb_height=2, pos_emb_width=2)
        table = thing(config).time_position_embeddings
        spec = forms.plain(width, layout="halves")
        at = forms.chosen(2048)
        if bool(table[0].abs().sum()):
            raise Unjudged("the first row of its table, that of single frames, is not zero")
        yield forms.table(f"frames, width {width}", spec, table[1:][at], at)


ASKERS = (
    (r"\bbuild_2d_sin\w*\(", _of_images),
    (r"class \w*(SinePositionEmbedding|PositionEmbeddingSine)\b", _of_pixels),
    (r"function \w+\(pos_tensor", _of_points),
    (r"get_proposal_pos_embed\(", _of_proposals),
    (r"generate_fourier_features\(", _of_bands),
    (r"time_position_embeddings|class Kimi\w*VisionPositionEmb", _of_frames),
)
