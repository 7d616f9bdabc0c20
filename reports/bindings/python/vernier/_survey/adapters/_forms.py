"""Forms of rotations and sinusoids that many libraries have, of PyTorch's tensors: their specs, and functions that ask for them."""

import torch

from .._asked import Trial
from . import _asking, _rotations

DIM, AXES, ROWS = 64, (16, 24, 24), 4096
VIDEO, IMAGE = (3, 6, 8), (9, 14)  # places along each axis


def grid(lengths=VIDEO):
    return torch.cartesian_prod(*[torch.arange(n) for n in lengths]).T


def rope(layout="half", theta=10000, **keys):
    return {"scheme": "rope", "head_dim": DIM, "rope_theta": theta, "layout": layout, **keys}


def scaled(rope_type, layout="half", **keys):
    return rope(layout, rope_scaling={"rope_type": rope_type, **keys})


def longrope(length, factor, context):
    """A spec of longrope for a text of this length, its short factors and its long ones."""
    short, long = [[1 + step * pair / 32 for pair in range(DIM // 2)] for step in (1, 8)]
    spec = scaled("longrope", short_factor=short, long_factor=long, factor=factor, original_max_position_embeddings=4096)
    return {**spec, "max_position_embeddings": context, "sequence_length": length}, short, long


def axial(dims, layout="interleaved", theta=10000, **keys):
    axes = [axis if isinstance(axis, dict) else {"dims": axis} for axis in dims]
    spec = {"scheme": "axial_rope", "head_dim": sum(axis["dims"] for axis in axes), "rope_theta": theta, "layout": layout, "axes": axes}
    return {**spec, **keys}


def centred(lengths=IMAGE, **keys):
    """Axes of the centres of places in [-1, 1]."""
    return [{"dims": DIM // 2, "position_scale": f"2/{n}", "position_offset": f"{1 - n}/{n}", **keys} for n in lengths]


def mixed(frequencies, **keys):
    return {"scheme": "axial_rope", "arrangement": "mixed", "head_dim": DIM, "layout": "interleaved", "frequencies": frequencies.tolist(),
            "frequencies_dtype": "float32", **keys}


def answered(answer):
    """Cosines and sines [rows, columns] of any form that they come in: complex numbers, matrices of turns, phases, or two tables."""
    if torch.is_tensor(answer) and answer.is_complex():
        answer = answer.real, answer.imag
    elif torch.is_tensor(answer) and answer.shape[-2:] == (2, 2):
        answer = answer[..., 0, 0], answer[..., 1, 0]
    elif torch.is_tensor(answer):  # cosines and sines of each pair, or phases
        answer = (answer[..., 0], answer[..., 1]) if answer.shape[-1] == 2 else (answer.cos(), answer.sin())
    return [one.detach().reshape(-1, one.shape[-1]) for one in answer]


def tables(*ways):
    """ways: what is asked for, a spec, the call of a class or function, and the positions of its rows: [rows] or [axes, rows]."""
    def ask(thing, dtypes):
        for what, spec, call, at in ways:
            cos, sin = [_rotations.of_pairs(one, _rotations.pairs_of(spec)) for one in answered(call(thing))]
            yield _rotations.tables(what, spec, cos, sin, at, "formula")

    return ask


def of_grid(spec, call, lengths=VIDEO, what="a grid"):
    return tables((what, spec, call, grid(lengths)))


def of_line(spec, call):
    return tables((f"{ROWS} rows", spec, call, torch.arange(ROWS)))


def rotations(*ways):
    """ways: what is asked for, a spec, positions, and of a class and a type's name a function that turns [1, rows, heads, width]."""
    def ask(thing, dtypes):
        for what, spec, at, build in ways:
            for dtype in _asking.formats(dtypes):
                name = str(dtype).replace("torch.", "")
                rotate = _asking.by_rows(build(thing, name))
                yield from _rotations.vectors(f"{what}, {name}", spec, rotate, spec["head_dim"], at, dtype, "formula")

    return ask


def exact(call, layout="interleaved"):
    """Trials of functions that take phases or tables. call: of the function, vectors [1, rows, heads, width] and exact phases of pairs."""
    at = _rotations.positions(ROWS)
    phases = at[:, None].double() * 10000.0 ** (-torch.arange(DIM // 2).double() / (DIM // 2))
    return rotations(("exact phases", rope(layout), at, lambda thing, _: lambda vector: call(thing, vector, phases)))


def unit(phases):
    """Complex numbers of phases."""
    return torch.polar(torch.ones_like(phases), phases).to(torch.complex64)


def doubled(phases, layout="interleaved"):
    return phases.repeat_interleave(2, -1) if layout == "interleaved" else torch.cat((phases, phases), -1)


def encoding(spec, call, at=None, **options):
    """The encoding of a class or function [.., columns] at these positions; at rows from 0 if there are none."""
    def ask(thing, dtypes):
        with torch.no_grad():
            answer = call(thing)
        given = {"encoding": answer.reshape(-1, answer.shape[-1]), **({} if at is None else {"positions": at})}
        yield Trial("default arguments", {"scheme": "sinusoidal", **spec}, given, options, "formula")

    return ask


def all_of(*asked):
    def ask(thing, dtypes):
        for one in asked:
            yield from one(thing, dtypes)

    return ask
