"""RoPE as Hugging Face Transformers computes it on PyTorch: frequencies 1 / base^(2i/d), phases, cosines and
sines in float32, tables as wide as what is rotated and rounded to its type, and rotate_half in that type."""

import math

from exchange import Unsupported, answer


def llama3(frequency, scaling):
    """The rescaling of Llama 3.1: slow pairs divided by the factor, fast ones kept, those between blended."""
    import torch

    factor, low, high = scaling["factor"], scaling["low_freq_factor"], scaling["high_freq_factor"]
    context = scaling["original_max_position_embeddings"]
    wavelength = 2 * math.pi / frequency
    share = (context / wavelength - low) / (high - low)
    blended = (1 - share) * frequency / factor + share * frequency
    slow_or_fast = torch.where(wavelength > context / low, frequency / factor, frequency)
    between = (wavelength >= context / high) & (wavelength <= context / low)
    return torch.where(between, blended, slow_or_fast)


def frequencies(spec):
    import torch

    width = spec["head_dim"]
    frequency = 1.0 / (spec["rope_theta"] ** (torch.arange(0, width, 2, dtype=torch.int64).float() / width))
    scaling = spec.get("rope_scaling")
    if scaling is None:
        return frequency
    if scaling["rope_type"] != "llama3":
        raise Unsupported(f"rope_type {scaling['rope_type']!r}")
    return llama3(frequency, scaling)


def compute(request):
    import torch
    from pytorch_tensors import dtype_named, entry_of, implementation, rotate_half, tensor_of

    request.require(
        scheme=["rope"], layout=["half"], direction=["counterclockwise"], partial_rotary_factor=[None, 1]
    )
    positions = tensor_of(request.tensors["positions"]).float()
    phases = torch.outer(positions, frequencies(request.spec))
    phases = torch.cat((phases, phases), dim=-1)
    tensors = {}
    for wanted in request.wanted:
        dtype = dtype_named(wanted["dtype"])
        if wanted["role"] == "rotated":
            vectors = tensor_of(request.tensors["input"])
            tensors["rotated"] = entry_of(vectors * phases.cos().to(dtype) + rotate_half(vectors) * phases.sin().to(dtype))
        else:
            table = {"cos": torch.cos, "sin": torch.sin}[wanted["role"]](phases)
            tensors[wanted["role"]] = entry_of(table[:, : wanted["shape"][-1]].to(dtype))
    return implementation("rotate_half of Hugging Face Transformers"), tensors


answer(compute)
