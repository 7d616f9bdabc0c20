"""tinygrad: the rotation of its language models, and ONNX's RotaryEmbedding."""

import importlib
import sys
import types

import numpy
from tinygrad import Tensor

from . import _arrays
from ._asking import adapter, answer
from ._formulas import DIM, LAYOUTS, ROWS, rope

_AT = _arrays.positions(ROWS)

try:
    importlib.import_module("tinygrad.llm.kernels.amd")
except ImportError:  # not in the wheel of 0.14.0, and only AMD's GPUs use what it has
    _empty = sys.modules["tinygrad.llm.kernels"] = sys.modules["tinygrad.llm.kernels.amd"] = types.ModuleType("amd")
    _empty.__getattr__ = lambda name: None


def _table(theta):
    roles = lambda thing: {"cos_sin_cache": thing(DIM, ROWS, float(theta)).numpy()[_AT], "positions": _AT}
    return answer(rope(theta=theta), roles, f"theta {theta}, float32")


def _rotation(thing, dtypes):
    table = Tensor(numpy.concatenate(_arrays.caches(ROWS, DIM // 2, "float32"), axis=-1)[_AT])
    for dtype in _arrays.formats(dtypes):
        yield _arrays.vectors("default arguments", rope(), lambda given: thing(Tensor(given[None]), table)[0].numpy(), _AT, dtype)


def _operators(thing, dtypes):
    rotary = thing()["RotaryEmbedding"]
    for interleaved, layout in enumerate(LAYOUTS):
        for width in (DIM, 24):
            tables = [Tensor(table) for table in _arrays.caches(ROWS, width // 2, "float32")]
            rotate = lambda given: rotary(Tensor(given[None]), *tables, Tensor(_AT[None]), interleaved, 2, width)[0].numpy()
            what = f"interleaved {interleaved}, rotary_embedding_dim {width}"
            yield _arrays.vectors(what, rope(layout, rotary_dim=width), rotate, _AT)


subjects, trials = adapter(
    "tinygrad", (("rotary", r"def apply_rope|freqs\.cos\(|def RotaryEmbedding"),),
    ((r"precompute_freqs_cis", _table(10000), _table(500000)), (r"apply_rope", _rotation), (r"get_onnx_ops", _operators)),
    lambda path: not path.startswith(("runtime", "viz")))
