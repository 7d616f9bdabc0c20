"""Indices of windows (Swin, BEiT, ViTDet) and the logarithmic coordinates of Swin v2."""

import inspect

import torch

from ..._asked import Trial, Unjudged
from . import forms

_WINDOWS = ((8, 8), (7, 12), (12, 7))
_LENGTH = 72


def trials(thing, dtypes):
    return forms.asked(_ASKERS, thing, dtypes)


def _index(what, window, index, class_token=False):
    tokens = window[0] * window[1] + class_token
    spec = {"scheme": "window_index", "window": list(window), "class_token": class_token}
    return Trial(what, spec, {"index": index.reshape(tokens, tokens)}, {}, "formula")


def _of_beit(thing, dtypes):
    """The index that a class makes of any window, with a class token in front."""
    for window in _WINDOWS:
        method = thing.generate_relative_position_index
        found = forms.first([lambda: method(window), lambda: method(None, window)])
        yield _index(f"window {window[0]} x {window[1]}", window, found, class_token=True)


def _of_swin(thing, dtypes):
    """The index that a class keeps: built with a window, in an attention or alone."""
    for window in _WINDOWS:
        yield _index(f"window {window[0]} x {window[1]}", window, _built(thing, window).relative_position_index)


def _of_swin_v2(thing, dtypes):
    for window in _WINDOWS:
        for trained in ((0, 0), (6, 6)):
            module = _built(thing, window, trained)
            coordinates, index = module.relative_coords_table, module.relative_position_index
            told = f"window {window[0]} x {window[1]}" + (f", trained with {trained[0]} x {trained[1]}" if trained[0] else "")
            spec = {"scheme": "log_coordinates", "window": list(window)}
            if trained[0]:
                spec["pretrained_window"] = list(trained)
            yield Trial(f"coordinates, {told}", spec, {"coordinates": coordinates.detach().reshape(-1, 2)}, {}, "formula")
            yield _index(told, window, index)


def _built(thing, window, trained=(0, 0)):
    known = {"window_size": window, "dim": 8, "num_heads": 2, "pretrained_window_size": trained}
    takes = list(inspect.signature(thing.__init__).parameters)[1:]
    if "config" in takes:
        known["config"] = forms.config_of(thing, attention_probs_dropout_prob=0.0, qkv_bias=True)
    unknown = [one for one in takes if one not in known]
    if unknown:
        raise Unjudged(f"it takes {', '.join(unknown)}, which the adapter does not know")
    given = {one: known[one] for one in takes}
    # Swin v2 took a side for a square window until transformers 5, and compared the sides of others with 1.
    sides = [window, window[0]] if window[0] == window[1] else [window]
    return forms.first([lambda side=side: thing(**{**given, "window_size": side}) for side in sides])


def _of_axis(thing, dtypes):
    """Rows of a table [2 n - 1, columns] that n queries and n keys along one axis use: the index of a window n x 1."""
    function = (lambda *given: thing.get_rel_pos(None, *given)) if inspect.isclass(thing) else thing
    numbers = torch.arange(2 * _LENGTH - 1, dtype=torch.float32)[:, None]
    yield _index(f"one axis of {_LENGTH}", (_LENGTH, 1), function(_LENGTH, _LENGTH, numbers).long())


_ASKERS = (
    (r"generate_relative_position_index\(", _of_beit),
    (r"create_coords_table_and_index\(|class Swin(v2|2SR)SelfAttention", _of_swin_v2),
    (r"get_rel_pos\(q_size, k_size, rel_pos\)", _of_axis),
    (r"class \w*Swin\w*SelfAttention|class ClapAudioSelfAttention|relative_position_index\(", _of_swin),
)
