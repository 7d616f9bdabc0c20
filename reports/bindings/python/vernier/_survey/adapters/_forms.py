"""Askers of rotations and sinusoids of PyTorch's tensors: rows of adapters give a spec and the call of a class or function.

at: the positions of the rows of an answer, [rows] or [axes, rows]; those of the axes of the spec if there are none.
"""

import torch

from . import _rotations
from ._asking import answer, asker, formats
from ._formulas import DIM, IMAGE, ROWS, VIDEO, rope
from ._rotations import grid


def answered(answer):
    """Cosines and sines [rows, columns] of any form of an answer: complex numbers, matrices of turns, phases, or two tables."""
    if torch.is_tensor(answer) and answer.is_complex():
        answer = answer.real, answer.imag
    elif torch.is_tensor(answer) and answer.shape[-2:] == (2, 2):
        answer = answer[..., 0, 0], answer[..., 1, 0]
    elif torch.is_tensor(answer):  # cosines and sines of each pair, or phases
        answer = (answer[..., 0], answer[..., 1]) if answer.shape[-1] == 2 else (answer.cos(), answer.sin())
    return [one.detach().reshape(-1, one.shape[-1]) for one in answer]


@asker
def table(thing, dtypes, spec, call, at=None, what=None):
    """Cosines and sines. call: of the class."""
    axes = len(spec.get("axes", ()))
    places = at if at is not None else grid(*{2: IMAGE, 3: VIDEO}[axes]) if axes > 1 else torch.arange(ROWS)
    cos, sin = [_rotations.of_pairs(one, _rotations.pairs_of(spec)) for one in answered(call(thing))]
    yield _rotations.tables(what or ("a grid" if places.dim() > 1 else f"{ROWS} rows"), spec, cos, sin, places, "formula")


@asker
def turned(thing, dtypes, spec, call, at, what="default arguments", by_heads=False):
    """Rotated vectors. call: of the class, and of vectors [1, rows, heads, width]; [1, heads, rows, width] if by_heads."""
    rotate = lambda vector: call(thing, vector) if by_heads else call(thing, vector.transpose(1, 2)).transpose(1, 2)
    for name in formats(dtypes):
        yield from _rotations.vectors(f"{what}, {name}", spec, rotate, spec["head_dim"], at, getattr(torch, name), "formula")


def exact(call, layout="interleaved", by_heads=False):
    """An asker of functions that take phases or tables. call: of the function, of vectors and of exact phases of pairs."""
    at = _rotations.positions(ROWS)
    phases = at[:, None].double() * 10000.0 ** (-torch.arange(DIM // 2).double() / (DIM // 2))
    return turned(rope(layout), lambda thing, vector: call(thing, vector, phases), at, "exact phases", by_heads)


def unit(phases):
    """Complex numbers of phases."""
    return torch.polar(torch.ones_like(phases), phases).to(torch.complex64)


def doubled(phases, layout="interleaved"):
    return phases.repeat_interleave(2, -1) if layout == "interleaved" else torch.cat((phases, phases), -1)


def cos_sin(phases, layout="interleaved"):
    """Tables with a column for each element of a pair."""
    return doubled(phases, layout).cos().float(), doubled(phases, layout).sin().float()


def encoding(spec, call, at=None, what="default arguments", **options):
    """An asker of an encoding [.., columns], of rows from 0 if there are no positions. call: of the class."""
    def roles(thing):
        with torch.no_grad():
            rows = call(thing)
        return {"encoding": rows.reshape(-1, rows.shape[-1]), **({} if at is None else {"positions": at})}

    return answer(spec, roles, what, **options)


def xpos(call):
    """An asker of xPos, whose centre is half the length, rounded down. call: of the class, of queries and keys; both, turned."""
    def roles(thing):
        torch.manual_seed(0)
        queries, keys = torch.randn(2, 1, 2, 257, DIM)
        turned_queries, turned_keys = [one.detach()[0] for one in call(thing, queries, keys)]
        return {"input": queries[0], "rotated": turned_queries, "input_k": keys[0], "rotated_k": turned_keys,
                "positions": torch.arange(257)}

    spec = {"scheme": "xpos", "head_dim": DIM, "sequence_length": 257, "centre": "x_transformers"}
    return answer(spec, roles, "queries and keys, use_xpos, float32")


def buckets(spec, call, what="default arguments"):
    """An asker of buckets. call: of the class and of relative positions."""
    distances = torch.arange(-600, 601)
    return answer(spec, lambda thing: {"buckets": call(thing, distances), "relative_positions": distances}, what)
