"""MLX on the CPU: the rotation of mlx.core.fast, and the classes of mlx.nn."""

import os

from .._asked import Subject, Trial, folder_of
from . import _arrays, _asking, _sources

LIBRARY = DISTRIBUTION = "mlx"
PRELOAD = ()

_DIM, _CONTEXT = 64, 1 << 15
_KINDS = (("alibi", r"def create_alibi"), ("rotary", r"fast\.rope"), ("sinusoidal", r"(mx|math)\.(sin|cos)\("))
_NO_ENCODINGS = ((r"schedulers", "a schedule of training"),)


def subjects():
    file = next(name for name in sorted(os.listdir(folder_of(LIBRARY))) if name.startswith("core."))
    compiled = Subject("core.fast.rope", os.path.join(LIBRARY, file), 1, "rotary")
    return [compiled, *_sources.subjects(LIBRARY, lambda path: True, _KINDS, no_encodings=_NO_ENCODINGS)]


def trials(subject, dtypes):
    import mlx.core

    mlx.core.set_default_device(mlx.core.cpu)
    return _asking.trials(LIBRARY, _ASKED, subject, dtypes)


def _fast(thing, dtypes):
    import mlx.core

    for traditional in (False, True):
        for scale, scaling in ((1.0, {}), (0.25, {"rope_scaling": {"rope_type": "linear", "factor": 4}})):
            rotate = lambda vector, offset: thing(vector, _DIM, traditional=traditional, base=10000.0, scale=scale, offset=offset)
            yield from _of_rows(f"traditional {traditional}, scale {scale}", rotate, traditional, dtypes, **scaling)
    # Its `freqs` are the inverses of frequencies, of which those of a base of 500000 are given.
    given = mlx.core.array([500000 ** (2 * pair / _DIM) for pair in range(_DIM // 2)])
    rotate = lambda vector, offset: thing(vector, _DIM, traditional=False, base=None, scale=1.0, offset=offset, freqs=given)
    yield from _of_rows("freqs", rotate, False, dtypes, rope_theta=500000)


def _rope(thing, dtypes):
    for traditional in (False, True):
        yield from _of_rows(f"traditional {traditional}", thing(_DIM, traditional=traditional), traditional, dtypes)
    yield from _of_rows("a part of a head", thing(24), False, dtypes, rotary_dim=24)


def _of_rows(what, rotate, traditional, dtypes, **keys):
    """Rows that begin at 0, and rows far from it: a call takes where its rows begin."""
    import mlx.core
    import numpy

    spec = {"scheme": "rope", "head_dim": _DIM, "layout": "interleaved" if traditional else "half", **keys}
    for dtype in ("float32", "bfloat16", "float16") if "bfloat16" in dtypes else ("float32",):
        for start in (0, _CONTEXT - 64):
            mlx.core.random.seed(0)
            given = mlx.core.random.normal((1, 2, 64, _DIM)).astype(getattr(mlx.core, dtype))
            tensors = {"input": given[0], "rotated": rotate(given, start)[0], "positions": numpy.arange(start, start + 64)}
            mlx.core.eval(tensors["input"], tensors["rotated"])
            yield Trial(f"rotated vectors from {start}, {what}, {dtype}", spec, tensors, source="formula")


def _sinusoidal(thing, dtypes):
    import mlx.core

    at = _arrays.positions(4096)
    spec = {"scheme": "sinusoidal", "d_model": _DIM, "layout": "halves"}
    ways = (
        # From 1 down to min_freq, both included; float32 interpolates between their logarithms.
        ("default arguments", {}, {**spec, "downscale_freq_shift": 1, "scale": (2 / _DIM) ** 0.5}, {"contract": "float32-interpolated"}),
        ("cos_first", {"cos_first": True, "scale": 1.0}, {**spec, "downscale_freq_shift": 1, "order": "cos_sin"},
         {"contract": "float32-interpolated"}),
        ("full_turns", {"full_turns": True, "scale": 1.0}, {**spec, "downscale_freq_shift": 1, "frequency_scale": "2pi"}, {}),
        ("min_freq 0.01, max_freq 100", {"min_freq": 0.01, "max_freq": 100.0, "scale": 1.0},
         {**spec, "frequency": "geometric", "first": 100, "last": 0.01}, {}),
    )
    for what, options, meant, contract in ways:
        encoding = thing(_DIM, **options)(mlx.core.array(at).astype(mlx.core.float32))
        yield Trial(f"{what}, float32", meant, {"encoding": encoding, "positions": at}, contract, "formula")


def _alibi(thing, dtypes):
    import mlx.core

    for heads in (8, 12):
        for dtype in ("float32", "bfloat16") if "bfloat16" in dtypes else ("float32",):
            kind = getattr(mlx.core, dtype)
            given = {"bias": thing.create_alibi_matrix(96, 96, heads, dtype=kind)[0], "slopes": thing.create_alibi_slope(heads, dtype=kind).reshape(-1)}
            mlx.core.eval(*given.values())
            yield Trial(f"{heads} heads, {dtype}", {"scheme": "alibi", "num_heads": heads, "bias": "distance"}, given, source="formula")


_ASKED = ((r"fast\.rope", _fast), (r"\.RoPE$", _rope), (r"Sinusoidal", _sinusoidal), (r"\.ALiBi$", _alibi))
