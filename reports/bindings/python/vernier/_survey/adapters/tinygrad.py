"""tinygrad: the rotation of its language models, and ONNX's RotaryEmbedding."""

import sys
import types

from .._asked import Trial
from . import _arrays, _asking, _sources

LIBRARY = DISTRIBUTION = "tinygrad"
PRELOAD = ()

_DIM, _ROWS = 64, 4096
_KINDS = (("rotary", r"def apply_rope|freqs\.cos\(|def RotaryEmbedding"),)


def subjects():
    return _sources.subjects(LIBRARY, lambda path: not path.startswith(("runtime", "viz")), _KINDS, ())


def trials(subject, dtypes):
    try:
        import tinygrad.llm.kernels.amd
    except ImportError:  # not in the wheel of 0.14.0, and only AMD's GPUs use what it has
        empty = sys.modules["tinygrad.llm.kernels"] = sys.modules["tinygrad.llm.kernels.amd"] = types.ModuleType("amd")
        empty.__getattr__ = lambda name: None
    return _asking.trials(LIBRARY, _ASKED, subject, dtypes)


def _tables(thing, dtypes):
    at = _arrays.positions(_ROWS)
    for theta in (10000, 500000):
        spec = {"scheme": "rope", "head_dim": _DIM, "rope_theta": theta}
        yield Trial(f"theta {theta}, float32", spec, {"cos_sin_cache": thing(_DIM, _ROWS, float(theta)).numpy()[at], "positions": at},
                    source="formula")


def _rotation(thing, dtypes):
    import numpy
    from tinygrad import Tensor

    at = _arrays.positions(_ROWS)
    table = Tensor(numpy.concatenate(_arrays.caches(_ROWS, _DIM // 2, "float32"), axis=-1)[at])
    for dtype in ("float32", "float16") if "bfloat16" in dtypes else ("float32",):
        rotate = lambda given: thing(Tensor(given[None]), table)[0].numpy()
        yield _arrays.vectors("default arguments", {"scheme": "rope", "head_dim": _DIM}, rotate, at, dtype)


def _operators(thing, dtypes):
    from tinygrad import Tensor

    rotary, at = thing()["RotaryEmbedding"], _arrays.positions(_ROWS)
    for interleaved in (0, 1):
        for turned in (_DIM, 24):
            tables = [Tensor(table) for table in _arrays.caches(_ROWS, turned // 2, "float32")]
            spec = {"scheme": "rope", "head_dim": _DIM, "rotary_dim": turned, "layout": "interleaved" if interleaved else "half"}
            rotate = lambda given: rotary(Tensor(given[None]), *tables, Tensor(at[None]), interleaved, 2, turned)[0].numpy()
            yield _arrays.vectors(f"interleaved {interleaved}, rotary_embedding_dim {turned}", spec, rotate, at)


_ASKED = ((r"precompute_freqs_cis", _tables), (r"apply_rope", _rotation), (r"get_onnx_ops", _operators))
