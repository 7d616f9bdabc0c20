"""Buckets of relative positions: those of T5 and DeBERTa, and positions clamped at a distance."""

import inspect
import types

import torch

from ..._asked import Trial
from . import forms

# Buckets, and the distance from which all have the last one: T5's, LayoutLM's, those of WavLM, and few and odd ones.
_SIZES = ((32, 128), (64, 128), (64, 256), (320, 800), (20, 50), (36, 1000))
_SPANS = ((256, 512), (64, 128), (20, 50))


def trials(thing, dtypes):
    return forms.asked(_ASKERS, thing, dtypes)


def _positions():
    far = torch.linspace(4000, forms.FAR, 64).long()
    return torch.cat((-far.flip(0), torch.arange(-1100, 1101), far))


def _trial(what, spec, buckets, at, source="formula"):
    return Trial(what, spec, {"buckets": buckets.reshape(-1).long(), "relative_positions": at.reshape(-1)}, {}, source)


def _of_t5(thing, dtypes):
    """T5's: a function, or a method that takes numbers as parameters or from its class."""
    at = _positions()
    for source, spec in _specs_of_t5(thing):
        yield _trial(_told(spec), spec, _call(thing, spec, at), at, source)


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
    yield _trial("main stream", spec, main, ids - ids.T)
    yield _trial("predicting stream", spec, ahead, torch.cat((ids - 1, ids), dim=-1) - ids.T)


def _of_deberta(thing, dtypes):
    at = _positions()
    for size, most in _SPANS:
        spec = {"scheme": "deberta_bucket", "bucket_size": size, "max_position": most}
        yield _trial(f"{size} buckets up to {most}", spec, thing(at, size, most), at)


def _of_deberta_matrix(thing, dtypes):
    """All pairs of queries and keys: the position of the query minus that of the key."""
    rows = torch.zeros(1, 700, 1)
    at = torch.arange(700)[:, None] - torch.arange(700)
    for size, most in _SPANS:
        spec = {"scheme": "deberta_bucket", "bucket_size": size, "max_position": most}
        found = forms.first([lambda: thing(rows, rows, size, most), lambda: thing(700, 700, size, most)])
        yield _trial(f"pairs, {size} buckets up to {most}", spec, found, at)


def _of_embedding(name, build, inputs, spec, sign=1, offset=0):
    """Positions clamped at a distance, as a class looks them up in its table of embeddings.

    name: of the table. build(class): an instance. inputs(length): what it is called with. spec(instance). sign: -1 where
    the query's position comes first. offset: of rows in front of the first distance.
    """
    def asker(thing, dtypes):
        module, length = build(thing), 400
        rows = _Rows(getattr(module, name).weight.shape)
        setattr(module, name, rows)
        forms.first([lambda: inputs(module, length)])
        at = sign * (torch.arange(length) - torch.arange(length)[:, None])
        yield _trial("pairs of 400 tokens", spec(module), rows.asked - offset, at)

    return asker


class _Rows(torch.nn.Module):
    """A table of embeddings that keeps which rows it is asked for."""

    def __init__(self, shape):
        super().__init__()
        self.shape, self.asked = shape, None

    def forward(self, rows):
        self.asked = rows
        return torch.zeros(*rows.shape, self.shape[-1])


def _shaw(left, right):
    return {"scheme": "shaw", "left": left, "right": right}


def _attention(thing):
    """An attention whose table of distances its configuration asks for: w2v-BERT's, or BERT's."""
    clamped = {"left_max_position_embeddings": 64, "right_max_position_embeddings": 8}
    config = forms.first([lambda: forms.config_of(thing, **clamped, position_embeddings_type="relative_key"),
                          lambda: forms.config_of(thing, max_position_embeddings=512, position_embedding_type="relative_key"),
                          lambda: forms.config_of(thing, max_position_embeddings=512)])
    config.position_embedding_type = "relative_key"
    return forms.first([lambda: thing(config), lambda: thing(config, use_position_embeddings=True),
                        lambda: thing(config, position_embedding_type="relative_key")])


def _of_attention(thing, dtypes):
    """w2v-BERT clamps the key's place minus the query's; BERT does not clamp, and takes the query's minus the key's."""
    module = _attention(thing).eval()
    clamped = hasattr(module, "left_max_position_embeddings")
    width = next(one.in_features for one in module.modules() if isinstance(one, torch.nn.Linear))
    def call(attention, length):
        states = torch.zeros(1, length, width)
        return attention(*[states] * (2 if "to_tensor" in inspect.signature(attention.forward).parameters else 1))

    asker = _of_embedding("distance_embedding", lambda _: module, call, lambda _: _shaw(64, 8) if clamped else _shaw(511, 511),
                          1 if clamped else -1)
    yield from asker(thing, dtypes)


def _of_key_positions(thing, dtypes):
    """w2v-BERT's, in a function of its own."""
    module = types.SimpleNamespace(left_max_position_embeddings=64, right_max_position_embeddings=8, scaling=1.0,
                                   distance_embedding=_Rows((73, 4)))
    vectors = torch.zeros(1, 1, 400, 4)
    thing(module, vectors, vectors)
    at = torch.arange(400) - torch.arange(400)[:, None]
    yield _trial("pairs of 400 tokens", _shaw(64, 8), module.distance_embedding.asked, at)


def _of_one_hot(thing, dtypes):
    """ESMFold 2's bins, as in AlphaFold 3: of residues of the same chain, and of others."""
    module = types.SimpleNamespace(embed=types.SimpleNamespace(weight=torch.zeros(1)))
    at = torch.arange(-300, 301)
    for chain in ("same", "other"):
        found = thing._relative_position_one_hot(module, at, 32, torch.full(at.shape, chain == "same"))
        yield _trial(f"{chain} chain", {"scheme": "alphafold_bin", "r_max": 32, "chain": chain}, found.argmax(-1), at)


def _of_disentangled(thing, dtypes):
    """DeBERTa's attention of contents to positions: rows of a table that hold their numbers, so that scores say which."""
    span, length = 100, 400
    rows, vectors = torch.arange(2.0 * span)[:, None], torch.ones(1, length, 1)
    at = torch.arange(length)[:, None] - torch.arange(length)
    module = types.SimpleNamespace(
        max_relative_positions=span, pos_ebd_size=span, position_buckets=-1, num_attention_heads=1, share_att_key=False,
        pos_att_type=["c2p"], pos_proj=lambda one: one, pos_key_proj=lambda one: one, transpose_for_scores=lambda one, *_: one)
    method = getattr(thing, "disentangled_att_bias", None) or thing.disentangled_attention_bias
    found = forms.first([lambda: method(module, vectors[None], vectors[None], at, rows, 1),
                         lambda: method(module, vectors, vectors, at, rows, 1)])
    yield _trial("clamped distances", {"scheme": "deberta_span", "max_relative_positions": span}, found, at)
    if method.__name__ == "disentangled_attention_bias":
        # Nearer than the distance of the last bucket, from which on its table has no row for one side.
        module.position_buckets, module.max_relative_positions = span, 500
        found = method(module, vectors, vectors, None, rows, 1)
        yield _trial("buckets", {"scheme": "deberta_bucket", "bucket_size": span, "max_position": 500}, found - span, at)


def _of_distances(thing, dtypes):
    """Granite Speech: query minus key, clamped at the length of a block, in the middle of a table of all distances."""
    context, most = 150, 200
    config = forms.config_of(thing, context_size=context)
    name = "max_pos_emb" if hasattr(config, "max_pos_emb") else "max_position_embeddings"
    setattr(config, name, most)
    if hasattr(thing, "compute_attention_dists"):
        found = thing.compute_attention_dists(types.SimpleNamespace(config=config))
    else:
        config.num_layers = 1
        found = thing(config).attention_dists
    at = torch.arange(context)[:, None] - torch.arange(context)
    yield _trial(f"pairs of {context} tokens", _shaw(most, most), found, at)


_ASKERS = (
    (r"compute_all_stream_relative_buckets", _of_stream),
    (r"relative_positions?_bucket\(|compute_relative_buckets\(|_position_bucket\(", _of_t5),
    (r"make_log_bucket_position", _of_deberta),
    (r"build_relative_position\(\w+, \w+, bucket_size", _of_deberta_matrix),
    (r"class SpeechT5RelativePositionalEncoding", _of_embedding(
        "pe_k", lambda thing: thing(4, 100), lambda module, length: module(torch.zeros(1, length, 4)),
        lambda module: _shaw(100, 99), -1)),
    (r"class \w*RelativeAttentionBias", _of_embedding(
        "bias_values", lambda thing: thing(forms.config_of(thing, bias_max_distance=100, bias_symmetric=False)),
        lambda module, length: module(torch.zeros(1, length, 4)), lambda module: _shaw(100, 99))),
    (r"class EsmFoldRelativePosition", _of_embedding(
        "embedding", lambda thing: thing(types.SimpleNamespace(position_bins=32, pairwise_state_dim=4)),
        lambda module, length: module(torch.arange(length)[None]), lambda module: _shaw(32, 32), offset=1)),
    (r"_apply_relative_key_position_encoding\(", _of_key_positions),
    (r"_relative_position_one_hot\(", _of_one_hot),
    (r"disentangled_att\w*\(", _of_disentangled),
    (r"class \w*Attention\b.* forward\((hidden_states|from_tensor)", _of_attention),
    (r"compute_attention_dists\(|class \w*CTCEncoder", _of_distances),
)
