"""Faults that test_real_models plants in models of transformers: what each changes, and the words that name it."""

import collections
import copy
import math
import re

import torch

from real_models import MODELS, built

LONG = 1.5  # by how much a base or a factor grows: no number that a library or a configuration has as its own


def held(model):
    """The modules and names of the tensors that hold the encoding: frequencies, and tables with the sines first."""
    found = []
    for path, module in model.named_modules():
        attributes = [(name, one) for name, one in vars(module).items() if isinstance(one, torch.Tensor)]
        for name, tensor in [*module.named_buffers(recurse=False), *module.named_parameters(recurse=False), *attributes]:
            is_table = "embed_positions" in (name, path.rpartition(".")[2])
            is_learned = tensor.requires_grad and "Sinusoidal" not in type(module).__name__
            if is_frequency(name) or is_table and not is_learned:
                found.append((module, name))
    return found


def is_frequency(name):
    """Copies for other texts are left as they are: what is planted is in what the model computes with."""
    return name.endswith("inv_freq") and "original" not in name


def has_frequencies(model):
    return any(is_frequency(name) for _, name in held(model))


def change(model, made):
    with torch.no_grad():
        for module, name in held(model):
            old = getattr(module, name)
            new = made(old.detach().clone())
            if isinstance(old, torch.nn.Parameter):
                new = torch.nn.Parameter(new, requires_grad=False)
            setattr(module, name, new)
    return model


def scaling(model):
    """The scaling that a configuration says, {} if it says none."""
    config = model.config
    found = getattr(config, "rope_parameters", None) or getattr(config, "rope_scaling", None) or {}
    nested = [one for one in found.values() if isinstance(one, dict)]
    found = next((one for one in nested if kind_of(one) != "default"), {}) if nested else found
    return found if kind_of(found) != "default" else {}


def kind_of(scaled):
    kind = scaled.get("rope_type", scaled.get("type", "default"))
    return "default" if kind == "mrope" else kind


# Faults of frequencies.


def typed(dtype):
    return lambda model, name: change(model, lambda one: one.to(dtype))


def rounded(model, name):
    return change(model, lambda one: one.bfloat16().float())


def other_base(model, name):
    """base^(-2i/d) for a base that is 1.5 as large."""
    if scaling(model):
        return taken_from(model, name, rope_theta=MODELS[name][1].get("rope_theta", 10000.0) * LONG)
    return change(model, lambda one: one.double().pow(math.log(base_of(one) * LONG) / math.log(base_of(one))).float())


def base_of(inv):
    return float(inv[1].double() ** -len(inv))


def wrong_third(frequencies):
    """The same with 1.01 times the frequency of pair 3."""
    return torch.where(torch.arange(len(frequencies)) == 3, 1.01 * frequencies, frequencies)


def wrong_pair(model, name):
    return change(model, wrong_third)


def backwards(model, name):
    return change(model, lambda one: one.flip(-1))


def taken_from(model, name, **more):
    """The frequencies and the amplitude of the same class, with a different configuration."""
    source = built(name, **more)
    for (module, tensor), (other, _) in zip(held(model), held(source)):
        setattr(module, tensor, getattr(other, tensor))
    for (_, module), (_, other) in zip(model.named_modules(), source.named_modules()):
        for attribute in vars(other):
            if attribute.endswith("attention_scaling"):
                setattr(module, attribute, getattr(other, attribute))
    return model


def unscaled(model, name):
    # Some classes scale unless they are told not to; the one of Phi-3 takes no other scaling.
    plain = None if kind_of(scaling(model)) == "longrope" else {"rope_type": "default", "factor": 1.0}
    return taken_from(model, name, rope_scaling=plain)


def larger_factor(model, name):
    scaled = copy.deepcopy(MODELS[name][1]["rope_scaling"])
    return taken_from(model, name, rope_scaling={**scaled, "factor": scaled["factor"] * LONG})


def no_ramp(model, name):
    """All pairs are divided by the factor, as linear scaling has it."""
    linear = built(name, rope_scaling={"rope_type": "linear", "factor": scaling(model)["factor"]})
    for (module, tensor), (other, _) in zip(held(model), held(linear)):
        setattr(module, tensor, getattr(other, tensor))
    return model


def no_amplitude(model, name):
    for _, module in model.named_modules():
        for attribute in [one for one in vars(module) if one.endswith("attention_scaling")]:
            setattr(module, attribute, 1.0)
    return model


def amplitudes(model):
    return {value for _, module in model.named_modules() for key, value in vars(module).items()
            if key.endswith("attention_scaling")}


def head_exponents(model, name):
    """The exponents divide by the width of a head, not by that of its rotated part."""
    return change(model, lambda one: one.double().pow(2 * len(one) / head_width(model)).float())


def head_width(model):
    config = model.config
    heads = getattr(config, "num_attention_heads", None) or getattr(config, "encoder_num_attention_heads", None)
    return getattr(config, "qk_rope_head_dim", None) or getattr(config, "head_dim", None) or config.hidden_size // heads


def is_partial(model):
    widths = {2 * getattr(module, name).shape[0] for module, name in held(model) if is_frequency(name)}
    return bool(widths) and max(widths) < head_width(model)


# Faults of tables.


def frequencies_of(table):
    """The frequencies of a table's pairs: of the paper, or of tensor2tensor, whichever has the fourth row. A row before may
    be zeros, for padding."""
    pairs = table.shape[1] // 2
    i = torch.arange(pairs, dtype=torch.float64)
    both = 10000.0 ** (-i / pairs), 10000.0 ** (-i / (pairs - 1))
    return min(both, key=lambda one: ((3 * one).sin() - table[3, :pairs]).abs().max())


def recomputed(positions=lambda one: one, frequencies=lambda one: one, arranged=lambda sin, cos: (sin, cos)):
    def made(table):
        angles = torch.outer(positions(torch.arange(len(table))).double(), frequencies(frequencies_of(table)))
        is_padding = (table == 0).all(dim=1, keepdim=True)
        return torch.where(is_padding, table, torch.cat(arranged(angles.sin(), angles.cos()), dim=1).to(table.dtype))
    return lambda model, name: change(model, made)


def of_larger_base(frequencies):
    return frequencies.pow(math.log(10000 * LONG) / math.log(10000))


def shifted(model, name):
    return change(model, lambda one: torch.cat((one[1:], one[-1:])))


def has(kind):
    return lambda model: kind == "frequencies" if has_frequencies(model) else kind == "tables"


def is_scaled(*kinds):
    return lambda model: has_frequencies(model) and kind_of(scaling(model)) in kinds


SCALED = is_scaled("linear", "yarn", "llama3", "longrope")
# fits: which models can have it. plant: changes a model, whose name it is given. words: a pattern that names it.
Fault = collections.namedtuple("Fault", "fits plant words")
FAULTS = {
    "bfloat16": Fault(has("frequencies"), typed(torch.bfloat16), r"rounded to bfloat16"),
    "float16": Fault(has("frequencies"), typed(torch.float16), r"rounded to float16"),
    "rounded": Fault(has("frequencies"), rounded, r"rounded to bfloat16"),
    "base": Fault(has("frequencies"), other_base, r"the base is"),
    "pair": Fault(has("frequencies"), wrong_pair, r"pair 3"),
    "backwards": Fault(has("frequencies"), backwards, r"reverse"),
    "unscaled": Fault(SCALED, unscaled, r"rope_scaling is left out|factor|multiplied by"),
    "factor": Fault(is_scaled("linear", "yarn", "llama3"), larger_factor, r"factor"),
    "no ramp": Fault(is_scaled("yarn", "llama3"), no_ramp, r"ramp|linear|divided by|multiplied by 1/"),
    "amplitude": Fault(lambda model: amplitudes(model) - {1.0}, no_amplitude, r"amplitude"),
    "exponents": Fault(is_partial, head_exponents, r"exponents divide by"),
    "positions": Fault(has("tables"), recomputed(lambda one: one.bfloat16()), r"bfloat16"),
    "table rounded": Fault(has("tables"), rounded, r"bfloat16"),
    "shift": Fault(has("tables"), shifted, r"positions are larger by 1"),
    "table's base": Fault(has("tables"), recomputed(frequencies=of_larger_base), r"the base is"),
    "swapped": Fault(has("tables"), recomputed(arranged=lambda sin, cos: (cos, sin)), r"sine and cosine are exchanged"),
    "table's pair": Fault(has("tables"), recomputed(frequencies=wrong_third), r"pair 3"),
    "table backwards": Fault(has("tables"), recomputed(frequencies=lambda one: one.flip(0)), r"reverse"),
}


def planted(name, fault):
    """A model with a fault that it can have."""
    return FAULTS[fault].plant(built(name), name)


def names(fault, sentence):
    return re.search(FAULTS[fault].words, sentence) is not None
