"""Trials of rotations of libraries without PyTorch: NumPy's arrays."""

import numpy

from ._asking import turned

_NEAR, _FAR, _HEADS = 64, 32, 2


def formats(dtypes):
    """Types to ask for: float16 stands for bfloat16, which NumPy has not."""
    return ("float32", "float16") if "bfloat16" in dtypes else ("float32",)


def positions(context):
    """Rows to ask for: the first ones, and some from there to the end of the context."""
    return numpy.concatenate((numpy.arange(_NEAR), numpy.linspace(_NEAR, context - 1, _FAR).astype(numpy.int64)))


def caches(rows, pairs, dtype):
    """Cosines and sines for operators that take them, rounded from those of float64."""
    phases = numpy.arange(rows)[:, None] * 10000.0 ** (-numpy.arange(pairs) / pairs)
    return numpy.cos(phases).astype(dtype), numpy.sin(phases).astype(dtype)


def vectors(what, spec, rotate, at, dtype="float32", **options):
    """A Trial of rotated vectors. rotate: of an array [heads, rows, width], the same shape."""
    given = numpy.random.default_rng(0).standard_normal((_HEADS, at.shape[-1], spec["head_dim"])).astype(dtype)
    return turned(f"{what}, {dtype}", spec, given, rotate(given), at, options)
