"""CTranslate2: the sinusoids that an encoder adds to its embeddings, of a model that is written for it."""

import tempfile

import ctranslate2
import numpy
from ctranslate2.specs import TransformerEncoderSpec, transformer_spec

from ._asking import adapter, answer
from ._formulas import DIM, sinusoid

_ROWS = 512


def _states(thing):
    """Hidden states of an encoder whose embeddings and layer are zeros are its encodings of positions."""
    with tempfile.TemporaryDirectory() as folder:
        _model().save(folder)
        encoder = ctranslate2.Encoder(folder, device="cpu", inter_threads=1, intra_threads=1)
        return {"encoding": numpy.array(encoder.forward_batch([[0] * _ROWS]).last_hidden_state)[0]}


def _model():
    encoder = TransformerEncoderSpec(1, 1, pre_norm=True, no_final_norm=True)
    encoder.embeddings[0].weight = numpy.zeros((DIM, DIM), "float32")
    attention, further = encoder.layer[0].self_attention, encoder.layer[0].ffn
    for norm in (attention.layer_norm, further.layer_norm):
        norm.gamma, norm.beta = numpy.ones(DIM, "float32"), numpy.zeros(DIM, "float32")
    for linear in (*attention.linear, further.linear_0, further.linear_1):
        outputs = 3 * DIM if linear is attention.linear[0] else DIM  # queries, keys and values at once
        linear.weight, linear.bias = numpy.zeros((outputs, DIM), "float32"), numpy.zeros(outputs, "float32")
    model = transformer_spec.TransformerEncoderModelSpec(encoder)
    model.register_vocabulary([f"token{index}" for index in range(DIM)])
    model.config.bos_token, model.config.eos_token, model.config.unk_token = "token0", "token1", "token2"
    model.config.layer_norm_epsilon = 1e-5
    model.validate()
    return model


# common.cc, generate_sinusoidal_position_encoding: positions from 1, and ln 10000 divided by half the width less one.
_spec = sinusoid(downscale_freq_shift=1, first_position=1)
subjects, trials = adapter(
    "ctranslate2", (("sinusoidal", r"self\.encodings = "), ("rotary", r"self\.rotary_base = "), ("alibi", r"self\.alibi = ")),
    [(r"PositionEncoderSpec", answer(_spec, _states, f"{_ROWS} rows, float32"))],
    lambda path: path.startswith("specs"),  # the parts of its models; what computes them is compiled
    unasked=((r"MultiHeadAttentionSpec|TransformerDecoderSpec",
              "no adapter yet: a model of it returns attention, in which rotations and ALiBi stay"),))
