"""Trials of rotations: tables and rotated vectors of PyTorch, at near and far positions."""

import json

import torch

from ..._library import tensors_of
from ..._tensors import positions_tensor
from .._asked import Trial
from ._asking import turned

NEAR = 64
_FAR = 32
# Beyond 2^17 rows that a configuration promises nothing new begins, and phases of float32 lose what tells faults.
_FARTHEST = 1 << 17
_HEADS = 2


def positions(context):
    """Rows to ask for: the first ones, and some from there to the end of the context."""
    last = min(context or NEAR, _FARTHEST) - 1
    near = torch.arange(min(NEAR, last + 1))
    return near if last < NEAR + _FAR else torch.cat((near, torch.linspace(NEAR, last, _FAR).long()))


def grid(*lengths):
    """Positions [axes, rows] of a grid, row by row."""
    return torch.cartesian_prod(*[torch.arange(length) for length in lengths]).T


def pairs_of(spec):
    """How many pairs of a head rotate."""
    first = positions_tensor([0])
    return min(one["shape"][-1] for one in tensors_of(json.dumps(spec), {}, first.tensor) if one["role"] == "cos")


def of_pairs(table, pairs):
    """Columns of a table [rows, columns], one a pair, where copies of a value stand half a row apart or side by side."""
    if table.shape[-1] != 2 * pairs:
        return table
    if bool((table[:, :pairs] == table[:, pairs:]).all()):
        return table[:, :pairs]
    if bool((table[:, ::2] == table[:, 1::2]).all()):
        return table[:, ::2]
    return table


def tables(what, spec, cos, sin, at, source="configuration", **options):
    return Trial(f"tables, {what}", spec, {"cos": cos, "sin": sin, "positions": at}, options, source)


def vectors(what, spec, rotate, width, at, dtype, source="configuration", **options):
    """Trials of rotated vectors and, in float32, of the gradient of their input. rotate: of [1, heads, rows, width]; as many."""
    torch.manual_seed(0)
    given = torch.randn(1, _HEADS, at.shape[-1], width).to(dtype).requires_grad_()
    rotated = rotate(given)
    yield turned(what, spec, given.detach()[0], rotated.detach()[0], at, options, source)
    if dtype != torch.float32:
        return
    gradient = torch.randn(rotated.shape).to(rotated.dtype)
    try:
        rotated.backward(gradient)
    except RuntimeError:  # the rotation has no gradient
        return
    roles = {"output_gradient": gradient[0], "input_gradient": given.grad[0], "positions": at}
    yield Trial(f"gradient, {what}", spec, roles, options, source)
