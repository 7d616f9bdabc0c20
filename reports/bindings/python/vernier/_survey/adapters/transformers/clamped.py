"""Relative positions clamped at a distance: Shaw's, those of w2v-BERT, Granite Speech and ESMFold."""

import inspect
import types

import torch

from . import forms


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
        yield forms.buckets("pairs of 400 tokens", spec(module), rows.asked - offset, at)

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
    yield forms.buckets("pairs of 400 tokens", _shaw(64, 8), module.distance_embedding.asked, at)


def _of_one_hot(thing, dtypes):
    """ESMFold 2's bins, as in AlphaFold 3: of residues of the same chain, and of others."""
    module = types.SimpleNamespace(embed=types.SimpleNamespace(weight=torch.zeros(1)))
    at = torch.arange(-300, 301)
    for chain in ("same", "other"):
        found = thing._relative_position_one_hot(module, at, 32, torch.full(at.shape, chain == "same"))
        yield forms.buckets(f"{chain} chain", {"scheme": "alphafold_bin", "r_max": 32, "chain": chain}, found.argmax(-1), at)


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
    yield forms.buckets(f"pairs of {context} tokens", _shaw(most, most), found, at)


ASKERS = (
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
    (r"class \w*Attention\b.* forward\((hidden_states|from_tensor)", _of_attention),
    (r"compute_attention_dists\(|class \w*CTCEncoder", _of_distances),
)
