"""Buckets of relative positions: those of T5 and DeBERTa. Clamped distances are asked by clamped.py."""

import inspect
import types

import torch

from . import clamped, forms

# Buckets, and the distance from which all have the last one: T5's, LayoutLM's, those of WavLM, and few and odd ones.
_SIZES = ((32, 128), (64, 128), (64, 256), (320, 800), (20, 50), (36, 1000))
_SPANS = ((256, 512), (64, 128), (20, 50))


def trials(thing, dtypes):
    return forms.asked(_ASKERS + clamped.ASKERS, thing, dtypes)


def _positions():
    far = torch.linspace(4000, forms.FAR, 64).long()
    return torch.cat((-far.flip(0), torch.arange(-1100, 1101), far))


def _of_t5(thing, dtypes):
    """T5's: a function, or a method that takes numbers as parameters or from its class."""
    at = _positions()
    for source, spec in _specs_of_t5(thing):
        yield forms.buckets(_told(spec), spec, _call(thing, spec, at), at, source)


def _specs_of_t5(thing):
    text = forms.form(thing)
    # MPNet, CPM-Ant and WavLM have no choice: keys ahead have buckets of their own.
    directions = (True, False) if any(word in text for word in ("bidirectional", "UMT5")) else (True,)
    given = [("configuration", one) for one in forms.configured(thing, "t5_bucket")]
    given += [("formula", {"scheme": "t5_bucket", "num_buckets": count, "max_distance": distance, "bidirectional": both})
              for count, distance in _SIZES for both in directions]
    return [(source, spec) for source, spec in given if spec.get("bidirectional", True) in directions]


def _told(spec):
    words = {True: ", both directions", False: ", one direction"}.get(spec.get("bidirectional"), "")
    return f"{spec.get('num_buckets')} buckets up to {spec.get('max_distance')}{words}"


def _call(thing, spec, at):
    function = thing
    if inspect.isclass(thing):
        names = [name for name in vars(thing) if name in ("_position_bucket", "_relative_positions_bucket") or
                 name.endswith("relative_position_bucket") and "segment" not in name]
        function = getattr(thing, names[0])
    count, distance, both = (spec.get("num_buckets"), spec.get("max_distance"), spec.get("bidirectional", True))
    object_ = types.SimpleNamespace(num_buckets=count, max_distance=distance, relative_attention_num_buckets=count,
                                    relative_attention_max_distance=distance, is_decoder=not both)
    known = {"self": object_, "num_buckets": count, "max_distance": distance, "bidirectional": both, "is_bidirectional": both}
    takes = inspect.signature(function).parameters
    return function(**{name: known.get(name, at) for name in takes})


def _of_stream(thing, dtypes):
    """ProphetNet's two streams: the same buckets of distances, of tokens and of those before them."""
    ids = torch.arange(200)[None]
    main, ahead = thing(32, 128, ids)
    spec = {"scheme": "t5_bucket", "num_buckets": 32, "max_distance": 128, "bidirectional": False}
    yield forms.buckets("main stream", spec, main, ids - ids.T)
    yield forms.buckets("predicting stream", spec, ahead, torch.cat((ids - 1, ids), dim=-1) - ids.T)


def _of_deberta(thing, dtypes):
    at = _positions()
    for size, most in _SPANS:
        spec = {"scheme": "deberta_bucket", "bucket_size": size, "max_position": most}
        yield forms.buckets(f"{size} buckets up to {most}", spec, thing(at, size, most), at)


def _of_deberta_matrix(thing, dtypes):
    """All pairs of queries and keys: the position of the query minus that of the key."""
    rows = torch.zeros(1, 700, 1)
    at = torch.arange(700)[:, None] - torch.arange(700)
    for size, most in _SPANS:
        spec = {"scheme": "deberta_bucket", "bucket_size": size, "max_position": most}
        found = forms.first([lambda: thing(rows, rows, size, most), lambda: thing(700, 700, size, most)])
        yield forms.buckets(f"pairs, {size} buckets up to {most}", spec, found, at)


def _of_disentangled(thing, dtypes):
    """DeBERTa's attention of contents to positions: rows of a table that hold their numbers. Scores then say which."""
    span, length = 100, 400
    rows, vectors = torch.arange(2.0 * span)[:, None], torch.ones(1, length, 1)
    at = torch.arange(length)[:, None] - torch.arange(length)
    module = types.SimpleNamespace(
        max_relative_positions=span, pos_ebd_size=span, position_buckets=-1, num_attention_heads=1, share_att_key=False,
        pos_att_type=["c2p"], pos_proj=lambda one: one, pos_key_proj=lambda one: one, transpose_for_scores=lambda one, *_: one)
    method = getattr(thing, "disentangled_att_bias", None) or thing.disentangled_attention_bias
    found = forms.first([lambda: method(module, vectors[None], vectors[None], at, rows, 1),
                         lambda: method(module, vectors, vectors, at, rows, 1)])
    yield forms.buckets("clamped distances", {"scheme": "deberta_span", "max_relative_positions": span}, found, at)
    if method.__name__ == "disentangled_attention_bias":
        # Nearer than the distance of the last bucket, from which on its table has no row for one side.
        module.position_buckets, module.max_relative_positions = span, 500
        found = method(module, vectors, vectors, None, rows, 1)
        yield forms.buckets("buckets", {"scheme": "deberta_bucket", "bucket_size": span, "max_position": 500}, found - span, at)


_ASKERS = (
    (r"compute_all_stream_relative_buckets", _of_stream),
    (r"relative_positions?_bucket\(|compute_relative_buckets\(|_position_bucket\(", _of_t5),
    (r"make_log_bucket_position", _of_deberta),
    (r"build_relative_position\(\w+, \w+, bucket_size", _of_deberta_matrix),
    (r"disentangled_att\w*\(", _of_disentangled),
)
