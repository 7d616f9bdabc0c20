"""Relative positions: buckets, clamped distances, biases of ALiBi, and indices and coordinates of windows."""

import inspect
import math
from types import SimpleNamespace

import torch

from .._forms import ask
from . import configurations, forms

_FAR = torch.linspace(4000, 1 << 15, 64).long()
_OFFSETS = torch.cat((-_FAR.flip(0), torch.arange(-1100, 1101), _FAR))
_AHEAD = torch.arange(400) - torch.arange(400)[:, None]  # of pairs of tokens: the key's place minus the query's
# Buckets, and the distance from which all have the last one: T5's, those of WavLM, and few and odd ones.
_T5 = [{"num_buckets": count, "max_distance": most, "bidirectional": True}
       for count, most in ((32, 128), (320, 800), (20, 50), (36, 1000))]
_ONE_DIRECTION = [{**keys, "bidirectional": False} for keys in _T5]
_DEBERTA = [{"bucket_size": size, "max_position": most} for size, most in ((256, 512), (20, 50))]
_HEADS = [{"num_heads": count} for count in (1, 8, 12, 71)]  # powers of two and others, among them those of Falcon-7B
_KEYS = 4096
_WINDOWS = [{"window": [height, width]} for height, width in ((8, 8), (7, 12), (12, 7))]
_TOKENS = torch.arange(200)[None]
_PROPHET = {"scheme": "t5_bucket", "num_buckets": 32, "max_distance": 128, "bidirectional": False}


def _t5(thing, at, num_buckets, max_distance, bidirectional=True):
    """T5's: a function, or a method that takes numbers as parameters or from its class."""
    module = SimpleNamespace(num_buckets=num_buckets, max_distance=max_distance, is_decoder=not bidirectional,
                             relative_attention_num_buckets=num_buckets, relative_attention_max_distance=max_distance)
    known = {"num_buckets": num_buckets, "max_distance": max_distance, "bidirectional": bidirectional,
             "is_bidirectional": bidirectional}
    function = forms.method(thing, r"^(?!.*segment).*positions?_bucket$", module)
    return function(**{name: known.get(name, at) for name in inspect.signature(function).parameters})


def _disentangled(thing, buckets, most):
    """DeBERTa's attention of contents to positions: rows of a table that hold their numbers. Scores then say which."""
    rows, vectors = torch.arange(200.0)[:, None], torch.ones(1, 400, 1)
    module = SimpleNamespace(
        max_relative_positions=most, pos_ebd_size=100, position_buckets=buckets, num_attention_heads=1, share_att_key=False,
        pos_att_type=["c2p"], pos_proj=lambda one: one, pos_key_proj=lambda one: one, transpose_for_scores=lambda one, *_: one)
    bias = forms.method(thing, "^disentangled_att", module)
    at = None if buckets > 0 else -_AHEAD
    return forms.first([lambda: bias(vectors[None], vectors[None], at, rows, 1), lambda: bias(vectors, vectors, at, rows, 1)])


def _rows_of(module, name, *inputs, call=None):
    """The rows of the table of embeddings with this name that a module looks up for inputs, or a function that is given both."""
    asked = []
    getattr(module, name).register_forward_pre_hook(lambda _, rows: asked.append(rows[0]))
    (call or module)(*inputs)
    return asked[0]


def _shaw(left, right, call, at=_AHEAD):
    """An asker of offsets, clamped on both sides."""
    return ask({"scheme": "shaw", "left": left, "right": right}, call, at, told="pairs of 400 tokens")


def _attention(thing, **keys):
    """Rows of the table of distances of an attention, which its configuration asks for."""
    config = configurations.with_keys(thing, **keys)
    config.position_embedding_type = "relative_key"
    module = forms.first([lambda: thing(config), lambda: thing(config, use_position_embeddings=True),
                          lambda: thing(config, position_embedding_type="relative_key")]).eval()
    width = next(one.in_features for one in module.modules() if isinstance(one, torch.nn.Linear))
    takes = inspect.signature(module.forward).parameters
    return _rows_of(module, "distance_embedding", *[torch.zeros(1, 400, width)] * (2 if "to_tensor" in takes else 1))


def _key_positions(thing):
    """w2v-BERT's, in a function of its own."""
    module = SimpleNamespace(left_max_position_embeddings=64, right_max_position_embeddings=8, scaling=1.0,
                             distance_embedding=torch.nn.Embedding(73, 4))
    vectors = torch.zeros(1, 1, 400, 4)
    return _rows_of(module, "distance_embedding", module, vectors, vectors, call=thing)


def _distances(thing):
    """Granite Speech: query minus key, clamped at the length of a block, in the middle of a table of all distances."""
    config = configurations.with_keys(thing, context_size=400)
    setattr(config, "max_pos_emb" if hasattr(config, "max_pos_emb") else "max_position_embeddings", 450)
    if hasattr(thing, "compute_attention_dists"):
        return thing.compute_attention_dists(SimpleNamespace(config=config))
    config.num_layers = 1
    return thing(config).attention_dists


def _swin(thing, window, pretrained_window=(0, 0)):
    """An attention or a bias of this window. Swin v2 took a side for a square one until transformers 5."""
    takes = inspect.signature(thing.__init__).parameters
    known = {"window_size": tuple(window), "dim": 8, "num_heads": 2, "pretrained_window_size": tuple(pretrained_window)}
    if "config" in takes:
        known["config"] = configurations.with_keys(thing, attention_probs_dropout_prob=0.0, qkv_bias=True)
    sizes = [tuple(window), window[0]] if window[0] == window[1] else [tuple(window)]
    return forms.first([lambda size=size: thing(**{
        name: size if name == "window_size" else one for name, one in known.items() if name in takes}) for size in sizes])


_TOLD = "{num_buckets} buckets up to {max_distance}, both directions: {bidirectional}"
_SPANS = ask({"scheme": "deberta_span", "max_relative_positions": 100}, lambda thing: _disentangled(thing, -1, 100), -_AHEAD,
             told="clamped distances")
_SWIN = ask({"scheme": "window_index"}, lambda thing, window: _swin(thing, window).relative_position_index.reshape(
    math.prod(window), -1), None, "window {window}", _WINDOWS)
ASKERS = (
    # Windows of Swin, BEiT and ViTDet, and the logarithmic coordinates of Swin v2.
    (r"generate_relative_position_index\(", ask(
        {"scheme": "window_index", "class_token": True}, lambda thing, window: forms.method(
            thing, "^generate_relative_position_index")(tuple(window)), None, "window {window}", _WINDOWS)),
    (r"create_coords_table_and_index\(|class Swin(v2|2SR)SelfAttention", _SWIN, ask(
        {"scheme": "log_coordinates"}, lambda thing, window, pretrained_window=(0, 0): _swin(
            thing, window, pretrained_window).relative_coords_table.reshape(-1, 2),
        None, "coordinates, window {window}", _WINDOWS + [{**keys, "pretrained_window": [6, 6]} for keys in _WINDOWS])),
    # Rows of a table [2 n - 1, columns] that n queries and n keys along one axis use: the index of a window n x 1.
    (r"get_rel_pos\(q_size, k_size, rel_pos\)", ask(
        {"scheme": "window_index", "window": [72, 1]}, lambda thing: forms.method(thing, "^get_rel_pos")(
            72, 72, torch.arange(143.0)[:, None]).long().reshape(72, 72), told="one axis of 72")),
    (r"class \w*Swin\w*SelfAttention|class ClapAudioSelfAttention|relative_position_index\(", _SWIN),
    # ProphetNet's two streams: the same buckets of distances, of tokens and of those before them.
    (r"compute_all_stream_relative_buckets", 
        ask(_PROPHET, lambda thing: thing(32, 128, _TOKENS)[0], _TOKENS - _TOKENS.T, told="main stream"),
        ask(_PROPHET, lambda thing: thing(32, 128, _TOKENS)[1], torch.cat((_TOKENS - 1, _TOKENS), dim=-1) - _TOKENS.T,
            told="predicting stream")),
    (r"UMT5.* _relative_position_bucket\(|_buckets?\(\w+, (\w+, \w+, \w+_)?bidirectional|compute_relative_buckets\(",
     ask({"scheme": "t5_bucket"}, _t5, _OFFSETS, _TOLD, _T5 + _ONE_DIRECTION, reads=configurations.read)),
    # MPNet, CPM-Ant and WavLM have no choice: keys ahead have buckets of their own.
    (r"relative_positions?_bucket\(|_position_bucket\(", ask(
        {"scheme": "t5_bucket"}, _t5, _OFFSETS, _TOLD, _T5, reads=configurations.read)),
    (r"make_log_bucket_position", ask(
        {"scheme": "deberta_bucket"}, lambda thing, at, bucket_size, max_position: thing(at, bucket_size, max_position), _OFFSETS,
        "{bucket_size} buckets up to {max_position}", _DEBERTA)),
    (r"build_relative_position\(\w+, \w+, bucket_size", ask(
        {"scheme": "deberta_bucket"}, lambda thing, bucket_size, max_position: forms.first([
            lambda: thing(torch.zeros(1, 400, 1), torch.zeros(1, 400, 1), bucket_size, max_position),
            lambda: thing(400, 400, bucket_size, max_position)]), -_AHEAD, "pairs, {bucket_size} buckets", _DEBERTA)),
    # Buckets are nearer than the distance of the last one, from which on its table has no row for one side.
    (r"disentangled_attention_bias\(", _SPANS, ask(
        {"scheme": "deberta_bucket", "bucket_size": 100, "max_position": 500}, lambda thing: _disentangled(thing, 100, 500) - 100,
        -_AHEAD, told="buckets")),
    (r"disentangled_att\w*\(", _SPANS),
    (r"class SpeechT5RelativePositionalEncoding", _shaw(
        100, 99, lambda thing: _rows_of(thing(4, 100), "pe_k", torch.zeros(1, 400, 4)), -_AHEAD)),
    (r"class \w*RelativeAttentionBias", _shaw(100, 99, lambda thing: _rows_of(thing(configurations.with_keys(
        thing, bias_max_distance=100, bias_symmetric=False)), "bias_values", torch.zeros(1, 400, 4)))),
    (r"class EsmFoldRelativePosition", _shaw(32, 32, lambda thing: _rows_of(
        thing(SimpleNamespace(position_bins=32, pairwise_state_dim=4)), "embedding", torch.arange(400)[None]) - 1)),
    (r"_apply_relative_key_position_encoding\(", _shaw(64, 8, _key_positions)),
    # ESMFold 2's bins, as in AlphaFold 3: of residues of the same chain, and of others.
    (r"_relative_position_one_hot\(", ask(
        {"scheme": "alphafold_bin", "r_max": 32}, lambda thing, at, r_max, chain: thing._relative_position_one_hot(
            SimpleNamespace(embed=SimpleNamespace(weight=torch.zeros(1))), at, r_max, torch.full(at.shape, chain == "same"),
        ).argmax(-1), torch.arange(-300, 301), "{chain} chain", ({"chain": "same"}, {"chain": "other"}))),
    # w2v-BERT clamps the key's place minus the query's; BERT does not clamp, and takes the query's minus the key's.
    (r"class \w*(Conformer|Wav2Vec2Bert)\w*SelfAttention\b", _shaw(64, 8, lambda thing: _attention(
        thing, left_max_position_embeddings=64, right_max_position_embeddings=8, position_embeddings_type="relative_key"))),
    (r"class \w*Attention\b.* forward\((hidden_states|from_tensor)", _shaw(
        511, 511, lambda thing: _attention(thing, max_position_embeddings=512, attention_probs_dropout_prob=0.0), -_AHEAD)),
    (r"compute_attention_dists\(|class \w*CTCEncoder", _shaw(450, 450, _distances, -_AHEAD)),
    (r"build_alibi_tensor\(", ask(
        {"scheme": "alibi"}, lambda thing, num_heads, dtype: forms.method(thing, "^build_alibi")(
            torch.ones(1, _KEYS, dtype=torch.long), num_heads, dtype).reshape(num_heads, _KEYS),
        None, "num_heads {num_heads}", _HEADS, reads=configurations.read)),
    (r"build_mpt_alibi_tensor\(", ask(  # from the last key backwards
        {"scheme": "alibi", "bias": "distance_to_last"}, lambda thing, num_heads, max_bias=8: forms.method(
            thing, "^build_mpt_alibi")(num_heads, _KEYS, max_bias).reshape(num_heads, _KEYS),
        None, "num_heads {num_heads}", _HEADS, reads=configurations.read)),
)
