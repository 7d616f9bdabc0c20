"""CTranslate2: the sinusoids that an encoder adds to its embeddings, of a model that is written for it."""

import tempfile

from .._asked import Trial
from . import _asking, _sources

LIBRARY = DISTRIBUTION = "ctranslate2"
PRELOAD = ()

_DIM, _ROWS = 64, 512
_KINDS = (("sinusoidal", r"self\.encodings = "), ("rotary", r"self\.rotary_base = "), ("alibi", r"self\.alibi = "))
_UNASKED = ((r"MultiHeadAttentionSpec|TransformerDecoderSpec",
            "no adapter yet: a model of it returns attention, in which rotations and ALiBi stay"),)


def subjects():
    """The parts of its models; what computes them is compiled."""
    return _sources.subjects(LIBRARY, lambda path: path.startswith("specs"), _KINDS, _UNASKED)


def trials(subject, dtypes):
    return _asking.trials(LIBRARY, ((r"PositionEncoderSpec", _positions),), subject, dtypes)


def _positions(thing, dtypes):
    """Hidden states of an encoder whose embeddings and layer are zeros are its encodings of positions."""
    import ctranslate2
    import numpy

    with tempfile.TemporaryDirectory() as folder:
        _model().save(folder)
        encoder = ctranslate2.Encoder(folder, device="cpu", inter_threads=1, intra_threads=1)
        states = numpy.array(encoder.forward_batch([[0] * _ROWS]).last_hidden_state)[0]
    # common.cc, generate_sinusoidal_position_encoding: positions from 1, and ln 10000 divided by half the width less one.
    spec = {"scheme": "sinusoidal", "d_model": _DIM, "layout": "halves", "downscale_freq_shift": 1, "first_position": 1}
    yield Trial(f"{_ROWS} rows, float32", spec, {"encoding": states}, source="formula")


def _model():
    import numpy
    from ctranslate2 import specs
    from ctranslate2.specs import transformer_spec

    encoder = specs.TransformerEncoderSpec(1, 1, pre_norm=True, no_final_norm=True)
    encoder.embeddings[0].weight = numpy.zeros((_DIM, _DIM), "float32")
    layer = encoder.layer[0]
    for norm in (layer.self_attention.layer_norm, layer.ffn.layer_norm):
        norm.gamma, norm.beta = numpy.ones(_DIM, "float32"), numpy.zeros(_DIM, "float32")
    for linear, outputs in ((layer.self_attention.linear[0], 3 * _DIM), (layer.self_attention.linear[1], _DIM), (layer.ffn.linear_0, _DIM),
                            (layer.ffn.linear_1, _DIM)):
        linear.weight, linear.bias = numpy.zeros((outputs, _DIM), "float32"), numpy.zeros(outputs, "float32")
    model = transformer_spec.TransformerEncoderModelSpec(encoder)
    model.register_vocabulary([f"token{index}" for index in range(_DIM)])
    model.config.bos_token, model.config.eos_token, model.config.unk_token = "token0", "token1", "token2"
    model.config.layer_norm_epsilon = 1e-5
    model.validate()
    return model
