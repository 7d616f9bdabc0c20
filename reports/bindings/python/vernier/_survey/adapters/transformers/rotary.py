"""Rotary classes: their tables, and what the module's own functions rotate by them."""

import contextlib
import inspect
import sys

import torch

from ...._library import one_line
from ..._asked import Unjudged
from .. import _rotations
from . import configurations


def trials(thing, dtypes):
    if inspect.isfunction(thing):
        yield from _of_shared_function(thing, dtypes)
        return
    if "dim" in inspect.signature(thing.__init__).parameters:
        yield from _of_arguments(thing, dtypes)
        return
    config, module, groups = configurations.built(thing)
    yield from _of_configuration(thing, config, module, groups, dtypes, "default configuration")
    for name, other, built in _scaled(thing, config, module):
        told = f"rope_type {name}"
        if isinstance(built, Exception):
            yield Unjudged(f"{thing.__name__} raises {one_line(built)}", told)
        else:
            yield from _of_configuration(thing, other, built, configurations.groups(other), ("tables",), told)


# The width and the base of a class that is built from its arguments: none of them a default.
_ARGUMENTS = {"dim": 64, "base": 50000.0, "theta": 50000.0}


def _of_arguments(thing, dtypes):
    """A class that takes a width and a base: its frequencies are base^(-2i/dim)."""
    takes = inspect.signature(thing.__init__).parameters
    given = {name: value for name, value in _ARGUMENTS.items() if name in takes}
    spec = {"scheme": "rope", "head_dim": given["dim"], "layout": "half",
            "rope_theta": given.get("base", given.get("theta", 10000.0))}
    for dtype in dtypes:
        yield from _of_rows(thing, None, thing(**given), spec, _rotations.positions(None), dtype, {}, f"dim 64, {dtype}", None, "formula")


def _scaled(thing, config, module):
    """Configurations with each scaling, and the class built from each, or what it raised."""
    frequencies = getattr(module, "inv_freq", None)
    if isinstance(getattr(module, "rope_type", None), str) and module.rope_type != "axial" and frequencies is not None:
        for name, other in configurations.scaled(config, len(frequencies)):
            try:
                yield name, other, thing(other)
            except Exception as error:
                yield name, other, error


# What the functions of modeling_rope_utils compute, as Llama's class calls them.
_SHARED = {"linear": "linear", "dynamic_ntk": "dynamic", "yarn": "yarn", "longrope": "longrope", "llama3": "llama3"}


def _of_shared_function(function, dtypes):
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

    names = [rope_type for part, rope_type in _SHARED.items() if f"_compute_{part}" in function.__name__]
    is_update = function.__name__ == "dynamic_rope_update"
    if not names and not is_update:
        raise Unjudged("a function that the rotary class of its module calls, and is judged with it")
    config, module, _ = configurations.built(LlamaRotaryEmbedding)
    for name, other, built in _scaled(LlamaRotaryEmbedding, config, module):
        if name in names or is_update and name in ("dynamic", "longrope"):
            told = f"rope_type {name}" + (", short texts after long ones" if is_update else "")
            yield from _of_configuration(LlamaRotaryEmbedding, other, built, configurations.groups(other), dtypes, told, is_update)


def _of_configuration(thing, config, module, groups, dtypes, what, is_repeated=False):
    types = _layer_types(config, module)
    if not types and any(one["spec"] != groups[0]["spec"] for one in groups):
        groups = [one for one in groups if one["spec"].get("rope_theta") == getattr(config, "rope_theta", None)]
    if not groups:
        raise Unjudged(f"{what}: its layers differ and it does not say which it serves")
    for kind, group in [(kind, one) for one in groups for kind in _served(one, types, config)] if types else [(None, groups[0])]:
        told = f"{what}, {kind}" if kind else what
        for at, length in _lengths(config, module, group["spec"], is_repeated):
            for dtype in dtypes:
                yield from _of_rows(thing, config, module, group["spec"], at, dtype, {"layer_type": kind} if kind else {},
                                    f"{told}, {'float32' if dtype == 'tables' else dtype}", length)


def _layer_types(config, module):
    """The kinds of layers that a class tells apart."""
    if "layer_type" not in inspect.signature(type(module).forward).parameters:
        return []
    return list(getattr(module, "layer_types", None) or getattr(config, "layer_types", None) or [])


def _served(group, types, config):
    """Those that serve a group of layers: by its name, or by the base of their frequencies."""
    named = [kind for kind in dict.fromkeys(types) if kind in group["kind"].split(", ")]
    parameters = getattr(config, "rope_parameters", None) or {}
    return named or [kind for kind in dict.fromkeys(types)
                     if (parameters.get(kind) or {}).get("rope_theta") == group["spec"].get("rope_theta")]


def _lengths(config, module, spec, is_repeated):
    """Positions to ask for at once, and the length of the text that they tell: short ones and long ones."""
    context = spec.get("max_position_embeddings") or getattr(config, "max_position_embeddings", None)
    if spec["scheme"] == "axial_rope":
        takes = inspect.signature(type(module).forward).parameters
        side = _length_of(config.image_size) // _length_of(config.patch_size) if "pixel_values" in takes else None
        lengths = (side, side) if side else [9 + 3 * axis for axis in range(len(spec.get("axes", "ab")))]
        return [(_rotations.grid(*lengths), None)]
    if "position_ids" not in inspect.signature(type(module).forward).parameters:
        return [(torch.arange(2 * _rotations.NEAR), None)]  # the class counts its rows itself
    scaling = (spec.get("rope_scaling") or {}).get("rope_type")
    if scaling not in ("dynamic", "longrope", "dynamic_qwen"):
        return [(_rotations.positions(context), None)]
    original = spec["rope_scaling"].get("original_max_position_embeddings") or context
    short, long = _rotations.positions(original), _rotations.positions(2 * original)
    order = (short, long, short, short[:-1]) if is_repeated else (short, long)
    return [(at, int(at[-1]) + 1) for at in order]


def _of_rows(thing, config, module, spec, at, dtype, options, what, length, source="configuration"):
    kind = torch.bfloat16 if dtype == "bfloat16" else torch.float32
    compiled = torch.compile if dtype == "compiled" else lambda called: called
    further = {"sequence_length": length} if length else {}
    at, pairs = _on_axes(at, spec), _rotations.pairs_of(spec)
    with torch.autocast("cpu", torch.bfloat16) if dtype == "autocast" else contextlib.nullcontext():
        cos, sin = _answer(config, module, compiled(module), at, kind, options, spec["scheme"] == "axial_rope", pairs)
    plain = [_rotations.of_pairs(one.reshape(at.shape[-1], -1), pairs) for one in (cos, sin)]
    yield _rotations.tables(what, spec, *plain, at, source, **further)
    if dtype in ("autocast", "tables") or list(inspect.signature(type(module).forward).parameters)[1:] in _LENGTHS:
        return
    rotate = _rotation(thing, config, cos, sin, at)
    if rotate is not None:
        yield from _rotations.vectors(what, spec, compiled(rotate), spec.get("head_dim", 2 * pairs), at, kind, source,
                                      **further)


def _length_of(size):
    return size if isinstance(size, int) else size[0]


def _on_axes(at, spec):
    """Positions [rows], or [axes, rows] of tokens whose axes differ where the encoding has several."""
    section = (spec.get("rope_scaling") or spec).get("mrope_section") or spec.get("mrope_section")
    return torch.stack([at // (axis + 1) for axis in range(len(section))]) if section else at


# What forward() takes that returns phases of as many rows, of which the model takes cosines and sines.
_LENGTHS = (["seqlen"], ["seq_len"], ["sequence_length"])


# Classes whose first axis is the column, and that take positions of rows first (their recomposition_frequencies() turns them).
_ROW_FIRST = ("Kimi_K25VisionRotaryEmbedding",)


def _answer(config, module, forward, at, dtype, options, is_axial, pairs):
    """The cosines and sines of positions by a class's forward(), with the leading dimensions that it gives them."""
    takes = list(inspect.signature(type(module).forward).parameters)[1:]
    if "position_ids" in takes:
        if at.ndim == 1:
            shapes = [at[None], at.expand(3, 1, -1)]
        elif is_axial:  # [patches, axes]
            ordered = at.flip(0) if type(module).__name__ in _ROW_FIRST else at
            shapes = [ordered.T, ordered.T[None]]
        else:
            shapes = [at[:, None], at[1:, None]]
        answer = _first([lambda given=given: forward(torch.zeros(1, 1, 1, dtype=dtype), given, **options) for given in shapes],
                        [(at.shape[-1], columns) for columns in (pairs, 2 * pairs)] if is_axial else None)
    elif takes in _LENGTHS:
        answer = forward(at.shape[-1])
    elif takes == ["x", "seq_len"]:
        answer = forward(torch.zeros(1, 1, 1, dtype=dtype), at.shape[-1])
    elif takes in (["hidden_states"], ["pixel_values"]):
        answer = forward(_sized_for(config, at, dtype, takes[0]))
    else:
        raise Unjudged(f"forward({', '.join(takes)}) takes no positions")
    if torch.is_tensor(answer) and answer.is_complex():
        return answer.real, answer.imag
    if torch.is_tensor(answer) and answer.shape[0] != 2:  # phases, whose cosines and sines the model takes
        return answer.cos(), answer.sin()
    if len(answer) != 2:
        raise Unjudged(f"forward() returns {type(answer).__name__} of {len(answer)}, expected cosines and sines")
    return answer


def _sized_for(config, at, dtype, name):
    """An input whose size says the positions: of as many tokens, or of an image of as many patches."""
    if name == "hidden_states":
        return torch.zeros(1, at.shape[-1], config.hidden_size, dtype=dtype)
    size = _length_of(config.patch_size)
    return torch.zeros(1, 3, *(size * (int(axis.max()) + 1) for axis in at), dtype=dtype)


def _first(attempts, shapes=None):
    """The result of the first attempt that raises nothing and, of tables, has one of these numbers of rows and columns."""
    problems = []
    for attempt in attempts:
        try:
            answer = attempt()
            first = answer if torch.is_tensor(answer) else answer[0]
            if shapes is None or (first.numel() // first.shape[-1], first.shape[-1]) in shapes:
                return answer
        except (RuntimeError, IndexError, TypeError, ValueError) as error:
            problems.append(error)
    raise Unjudged(f"its call raises {one_line(problems[0])}" if problems else "its answer has another shape than positions and dimensions")


# Names of an argument that is a complex table.
_COMPLEX = ("freqs_cis", "freqs_ci")


def _rotation(thing, config, cos, sin, at):
    """A function of vectors [1, heads, rows, width] that applies the module's own function; None where it has none."""
    function = _function(thing, config)
    if function is None:
        return None
    known = {"cos": cos, "sin": sin, **{name: torch.complex(cos.float(), sin.float()) for name in _COMPLEX}}

    def call(vector):
        given = {}
        for index, one in enumerate(inspect.signature(function).parameters.values()):
            if one.name in known:
                given[one.name] = known[one.name]
            elif index == 0 or one.name in ("k", "xk", "v"):
                given[one.name] = vector
            elif one.name == "position_ids" and at.ndim == 2 and one.default is inspect.Parameter.empty:
                given[one.name] = at.T[None]  # whose last dimension says how many axes there are
            elif one.default is inspect.Parameter.empty and one.kind is not inspect.Parameter.VAR_KEYWORD:
                given[one.name] = None
        answer = function(**given)
        return answer[0] if isinstance(answer, tuple) else answer

    def rotate(vector):
        width = vector.shape[-1]
        turned = cos.shape[-1]
        rotated = _first([lambda: call(vector), lambda: call(vector.transpose(1, 2)).transpose(1, 2),
                          lambda: call(vector[0].transpose(0, 1)).transpose(0, 1)[None],
                          lambda: torch.cat((call(vector[..., :turned]), vector[..., turned:]), dim=-1)])
        if "interleave" in function.__name__:  # it leaves the halves of pairs apart, which changes no score
            rotated = rotated.unflatten(-1, (2, width // 2)).transpose(-1, -2).flatten(-2)
        return rotated

    return rotate


def _function(thing, config):
    """The module's function that applies the tables of a class to vectors."""
    found = {}
    for name, function in vars(sys.modules[thing.__module__]).items():
        takes = inspect.signature(function).parameters if inspect.isfunction(function) else ()
        if "apply" in name and ("cos" in takes and "sin" in takes or any(one in takes for one in _COMPLEX)):
            found[name] = function
    is_vision = "Vision" in thing.__name__
    names = [name for name in found if ("vision" in name) == is_vision] or list(found)
    names = [name for name in names if "multidimensional" in name and is_vision] or names
    interleaved = [name for name in names if "interleave" in name]
    if interleaved and getattr(config, "rope_interleave", True):
        names = interleaved
    return found[names[0]] if names else None
