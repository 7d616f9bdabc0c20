"""Rotary classes: their tables, and what the module's own functions rotate by them."""

import contextlib
import inspect
import sys

import torch

from ...._library import one_line
from ..._asked import Unjudged
from .. import _rotations
from . import configurations, forms

# The width and the base of a class that is built from its arguments: none of them a default.
_ARGUMENTS = {"dim": 64, "base": 50000.0, "theta": 50000.0}
# Scalings whose frequencies depend on the length of a text.
_OF_LENGTH = ("dynamic", "longrope", "dynamic_qwen")
# What forward() takes that returns phases of as many rows, of which the model takes cosines and sines.
_LENGTHS = (["seqlen"], ["seq_len"], ["sequence_length"])
# Classes whose first axis is the column, and that take positions of rows first (their recomposition_frequencies() turns them).
_ROW_FIRST = ("Kimi_K25VisionRotaryEmbedding",)
# Names of an argument that is a complex table.
_COMPLEX = ("freqs_cis", "freqs_ci")


def trials(thing, dtypes):
    if inspect.isfunction(thing):
        yield from _of_shared_function(thing, dtypes)
    elif "dim" in inspect.signature(thing.__init__).parameters:
        yield from _of_arguments(thing, dtypes)
    else:
        config, module, groups = configurations.built(thing)
        yield from _of_configuration(config, module, groups, dtypes, "default configuration")
        yield from _of_scalings(config, module, ("tables",))


def published_trials(thing, documents):
    """Tables of a class built from models' published configurations."""
    for found in configurations.published(thing, documents):
        if isinstance(found, Unjudged):
            yield found
            continue
        name, config, groups = found
        yield from _of_built(thing, config, ("tables",), name, groups)


def _of_built(thing, config, dtypes, what, groups=None, is_repeated=False):
    """Trials of a class that may not take a configuration. groups: those of the configuration if they are known."""
    try:
        module = thing(config).eval()
        yield from _of_configuration(config, module, groups or configurations.groups(config), dtypes, what, is_repeated)
    except Unjudged as error:
        yield Unjudged(str(error), what)
    except Exception as error:  # what a class raises
        yield Unjudged(f"{thing.__name__} raises {one_line(error)}", what)


def _of_arguments(thing, dtypes):
    """A class that takes a width and a base: its frequencies are base^(-2i/dim)."""
    given = {name: value for name, value in _ARGUMENTS.items() if name in inspect.signature(thing.__init__).parameters}
    theta = given.get("base", given.get("theta", 10000.0))
    spec = {"scheme": "rope", "head_dim": given["dim"], "layout": "half", "rope_theta": theta}
    for dtype in dtypes:
        yield from _of_rows(None, thing(**given), spec, _rotations.positions(None), dtype, "dim 64", {}, "formula")


def _of_shared_function(function, dtypes):
    """A function of modeling_rope_utils, as Llama's class calls it."""
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

    is_update = function.__name__ == "dynamic_rope_update"
    names = _OF_LENGTH if is_update else [
        name for name in ("linear", "dynamic", "yarn", "longrope", "llama3") if f"_compute_{name}" in function.__name__]
    if not names:
        raise Unjudged("a function that the rotary class of its module calls, and is judged with it")
    yield from _of_scalings(*configurations.built(LlamaRotaryEmbedding)[:2], dtypes, names, is_update)


def _of_scalings(config, module, dtypes, names=None, is_repeated=False):
    """Trials of a class with each scaling that its configuration takes, or with those of these names."""
    frequencies, rope_type = getattr(module, "inv_freq", None), getattr(module, "rope_type", None)
    if frequencies is None or not isinstance(rope_type, str) or rope_type == "axial":
        return
    for name, other in configurations.scaled(config, len(frequencies)):
        if names is not None and name not in names:
            continue
        yield from _of_built(type(module), other, dtypes, f"rope_type {name}", None, is_repeated)


def _of_configuration(config, module, groups, dtypes, what, is_repeated=False):
    """Trials of a class built from a configuration: of each kind of layers that it tells apart, or of the one that it serves."""
    kinds = getattr(module, "layer_types", None) or getattr(config, "layer_types", None) or []
    if kinds and "layer_type" in _parameters(module):
        served = [(one["spec"], kind) for one in groups for kind in _served(one, dict.fromkeys(kinds), config)]
    else:
        if any(one["spec"] != groups[0]["spec"] for one in groups):
            groups = [one for one in groups if one["spec"].get("rope_theta") == getattr(config, "rope_theta", None)]
            # Of layers with a scaling and others without, it serves those whose scaling it names.
            groups.sort(key=lambda one: _scaling_of(one["spec"]) != getattr(module, "rope_type", None))
        served = [(one["spec"], None) for one in groups[:1]]
    if not groups:
        raise Unjudged(f"{what}: its layers differ and it does not say which it serves")
    for spec, kind in served:
        longest, named = 0, f"{what}, {kind}" if kind else what
        for at in _positions(config, module, spec, is_repeated):
            longest = max(longest, int(at.max()) + 1)
            later = f", after a text of {longest}" if longest > int(at.max()) + 1 else ""
            for dtype in dtypes:
                yield from _of_rows(config, module, spec, at, dtype, named + later, {"layer_type": kind} if kind else {},
                                    "configuration")


def _scaling_of(spec):
    return (spec.get("rope_scaling") or {}).get("rope_type", "default")


def _parameters(module):
    return list(inspect.signature(type(module).forward).parameters)[1:]


def _served(group, kinds, config):
    """Kinds of layers in a group: those that it names, or those with the base of its frequencies."""
    parameters = getattr(config, "rope_parameters", None) or {}
    return [kind for kind in kinds if kind in group["kind"].split(", ")] or [
        kind for kind in kinds if (parameters.get(kind) or {}).get("rope_theta") == group["spec"].get("rope_theta")]


def _positions(config, module, spec, is_repeated):
    """Positions to ask for at once, [rows] or [axes, rows]: of short texts and of long ones where these differ."""
    scaling = spec.get("rope_scaling") or {}
    context = spec.get("max_position_embeddings") or getattr(config, "max_position_embeddings", None)
    if spec["scheme"] == "axial_rope":
        sides = [_side(config.image_size) // _side(config.patch_size)] * 2 if "pixel_values" in _parameters(module) else [
            9 + 3 * axis for axis in range(len(spec.get("axes", "ab")))]
        return [_rotations.grid(*sides)]
    if "position_ids" not in _parameters(module):
        return [torch.arange(2 * _rotations.NEAR)]  # the class counts its rows itself
    if _scaling_of(spec) not in _OF_LENGTH:
        return [_rotations.positions(context)]
    original = scaling.get("original_max_position_embeddings") or context
    short, long = _rotations.positions(original), _rotations.positions(2 * original)
    return [short, long, short, short[:-1]] if is_repeated else [short, long]


def _side(size):
    return size if isinstance(size, int) else size[0]


def _of_rows(config, module, spec, at, dtype, what, options, source):
    """Trials of a class's tables at positions, and of vectors that its module's function rotates by them."""
    kind = torch.bfloat16 if dtype == "bfloat16" else torch.float32
    compiled = torch.compile if dtype == "compiled" else lambda called: called
    what = f"{what}, {'float32' if dtype == 'tables' else dtype}"
    scaling, pairs = spec.get("rope_scaling") or {}, _rotations.pairs_of(spec)
    further = {"sequence_length": int(at[-1]) + 1} if _scaling_of(spec) in _OF_LENGTH else {}
    what += f", {further['sequence_length']} positions" if further else ""
    section = scaling.get("mrope_section") or spec.get("mrope_section")
    if section:  # tokens whose axes differ
        at = torch.stack([at // (axis + 1) for axis in range(len(section))])
    shapes = [(at.shape[-1], columns) for columns in (pairs, 2 * pairs)] if spec["scheme"] == "axial_rope" else None
    with torch.autocast("cpu", torch.bfloat16) if dtype == "autocast" else contextlib.nullcontext():
        cos, sin = _answer(compiled(module), _inputs(config, module, at, kind, shapes is not None), options, shapes)
    plain = [_rotations.of_pairs(one.reshape(at.shape[-1], -1), pairs) for one in (cos, sin)]
    yield _rotations.tables(what, spec, *plain, at, source, **further)
    function = None if dtype in ("autocast", "tables") or _parameters(module) in _LENGTHS else _function(module, config)
    if function is not None:
        yield from _rotations.vectors(what, spec, _rotation(compiled(function), cos, sin, at), spec.get("head_dim", 2 * pairs),
                                      at, kind, source, **further)


def _inputs(config, module, at, dtype, is_axial):
    """The arguments of forward() for positions: one tuple for each form that classes take them in."""
    takes, count, vectors = _parameters(module), at.shape[-1], torch.zeros(1, 1, 1, dtype=dtype)
    if "position_ids" in takes:
        if at.ndim == 1:
            return [(vectors, at[None]), (vectors, at.expand(3, 1, -1))]
        if not is_axial:
            return [(vectors, at[:, None]), (vectors, at[1:, None])]
        patches = at.flip(0).T if type(module).__name__ in _ROW_FIRST else at.T
        return [(vectors, patches), (vectors, patches[None])]
    if takes in _LENGTHS:
        return [(count,)]
    if takes == ["x", "seq_len"]:
        return [(vectors, count)]
    if takes == ["hidden_states"]:  # of as many tokens
        return [(torch.zeros(1, count, config.hidden_size, dtype=dtype),)]
    if takes == ["pixel_values"]:  # of an image of as many patches
        return [(torch.zeros(1, 3, *(_side(config.patch_size) * (int(axis.max()) + 1) for axis in at), dtype=dtype),)]
    raise Unjudged(f"forward({', '.join(takes)}) takes no positions")


def _answer(forward, inputs, options, shapes):
    """The cosines and sines of positions by a class's forward(), with the leading dimensions that it gives them.

    shapes: those of [rows, columns] that the tables may have; None for any.
    """
    def attempt(given):
        answer = forward(*given, **options)
        table = answer if torch.is_tensor(answer) else answer[0]
        if shapes and (table.numel() // table.shape[-1], table.shape[-1]) not in shapes:
            raise Unjudged("its answer has another shape than positions and dimensions")
        return answer

    answer = forms.first([lambda given=given: attempt(given) for given in inputs])
    if torch.is_tensor(answer) and answer.is_complex():
        return answer.real, answer.imag
    if torch.is_tensor(answer) and answer.shape[0] != 2:  # phases, whose cosines and sines the model takes
        return answer.cos(), answer.sin()
    return answer


def _function(module, config):
    """The function of a class's module that applies its tables to vectors; None where it has none."""
    is_vision, is_interleaved = "Vision" in type(module).__name__, getattr(config, "rope_interleave", True)
    found = [function for name, function in vars(sys.modules[type(module).__module__]).items()
             if "apply" in name and inspect.isfunction(function)
             and ({"cos", "sin"} <= (takes := set(inspect.signature(function).parameters)) or takes & set(_COMPLEX))]
    return max(found, default=None, key=lambda one: (
        ("vision" in one.__name__) == is_vision, is_vision and "multidimensional" in one.__name__,
        is_interleaved and "interleave" in one.__name__))


def _rotation(function, cos, sin, at):
    """A function of vectors [1, heads, rows, width] that applies a module's function."""
    takes, turned = inspect.signature(function).parameters, cos.shape[-1]
    tables = {"cos": cos, "sin": sin, **{name: torch.complex(cos.float(), sin.float()) for name in _COMPLEX}}
    # The last dimension of positions says how many axes there are.
    further = {one.name: at.T[None] if one.name == "position_ids" and at.ndim == 2 else None for one in takes.values()
               if one.default is one.empty and one.kind != one.VAR_KEYWORD}

    def call(vector):
        vectors = {name: vector for index, name in enumerate(takes) if index == 0 or name in ("k", "xk", "v")}
        known = {**further, **vectors, **tables}
        answer = function(**{name: known[name] for name in takes if name in known})
        return answer[0] if isinstance(answer, tuple) else answer

    def rotate(vector):
        rotated = forms.first([
            lambda: call(vector), lambda: call(vector.transpose(1, 2)).transpose(1, 2),
            lambda: call(vector[0].transpose(0, 1)).transpose(0, 1)[None],
            lambda: torch.cat((call(vector[..., :turned]), vector[..., turned:]), dim=-1)])
        if "interleave" in function.__name__:  # it leaves the halves of pairs apart, which changes no score
            rotated = rotated.unflatten(-1, (2, -1)).transpose(-1, -2).flatten(-2)
        return rotated

    return rotate
