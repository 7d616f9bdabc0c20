"""MLX on the CPU: the rotation of mlx.core.fast, and the classes of mlx.nn."""

import itertools
import os

import mlx.core as mx
import numpy

from .._asked import Subject, folder_of
from . import _arrays
from ._asking import adapter, answer, formats, named, turned
from ._formulas import DIM, LAYOUTS, SHIFTED, rope, scaled, sinusoid

mx.set_default_device(mx.cpu)
_AT = _arrays.positions(4096)


def _turned(spec, call, what):
    """An asker of rows from 0 on, and rows far from it. call: of the class, of vectors, and of where their rows begin."""
    def asker(thing, dtypes):
        for dtype, start in itertools.product(formats(dtypes), (0, (1 << 15) - 64)):
            mx.random.seed(0)
            given = mx.random.normal((1, 2, 64, DIM)).astype(getattr(mx, dtype))
            yield turned(f"{what}, {dtype}, from {start}", spec, given[0], call(thing, given, start)[0],
                         numpy.arange(start, start + 64), {})

    return asker


def _fast(spec, what, base=10000.0, scale=1.0, freqs=None):
    return _turned(spec, lambda function, given, start: function(
        given, DIM, traditional=spec["layout"] == "interleaved", base=base, scale=scale, offset=start, freqs=freqs), what)


def _sinusoid(spec, contract=None, **options):
    roles = lambda thing: {"encoding": thing(DIM, **options)(mx.array(_AT).astype(mx.float32)), "positions": _AT}
    return answer(spec, roles, f"{named(options)}, float32", contract=contract)


def _alibi(num_heads, dtype):
    kind = {"dtype": getattr(mx, dtype)}
    roles = lambda thing: {"bias": thing.create_alibi_matrix(96, 96, num_heads, **kind)[0],
                           "slopes": thing.create_alibi_slope(num_heads, **kind).reshape(-1)}
    spec = {"scheme": "alibi", "bias": "distance", "num_heads": num_heads}
    return answer(spec, roles, f"{num_heads} heads, {dtype}")


_KINDS = (("alibi", r"def create_alibi"), ("rotary", r"fast\.rope"), ("sinusoidal", r"(mx|math)\.(sin|cos)\("))
# `freqs` of mlx.core.fast.rope() are the inverses of frequencies.
_WAVES = mx.array([500000 ** (2 * pair / DIM) for pair in range(DIM // 2)])
_LINE = "float32-interpolated"  # between the logarithms of the first frequency and of the last, both included

_of_sources, trials = adapter("mlx", _KINDS, (
    (r"fast\.rope",
     *[_fast(rope(layout), f"{layout}, scale 1") for layout in LAYOUTS],
     *[_fast(scaled("linear", layout, factor=4), f"{layout}, scale 1/4", scale=0.25) for layout in LAYOUTS],
     _fast(rope(theta=500000), "freqs", base=None, freqs=_WAVES)),
    (r"\.RoPE$",
     _turned(rope(), lambda t, given, start: t(DIM)(given, start), "half"),
     _turned(rope("interleaved"), lambda t, given, start: t(DIM, traditional=True)(given, start), "interleaved"),
     _turned(rope(rotary_dim=24), lambda t, given, start: t(24)(given, start), "a part of a head")),
    (r"Sinusoidal",
     _sinusoid({**SHIFTED, "scale": (2 / DIM) ** 0.5}, _LINE),
     _sinusoid({**SHIFTED, "order": "cos_sin"}, _LINE, cos_first=True, scale=1.0),
     _sinusoid({**SHIFTED, "frequency_scale": "2pi"}, full_turns=True, scale=1.0),
     _sinusoid(sinusoid(frequency="geometric", first=100, last=0.01), min_freq=0.01, max_freq=100.0, scale=1.0)),
    (r"\.ALiBi$", *[_alibi(heads, dtype) for dtype in ("float32", "bfloat16") for heads in (8, 12)]),
), no_encodings=((r"schedulers", "a schedule of training"),))


def subjects():
    file = next(name for name in sorted(os.listdir(folder_of("mlx"))) if name.startswith("core."))
    return [Subject("core.fast.rope", f"mlx/{file}", 1, "rotary"), *_of_sources()]
