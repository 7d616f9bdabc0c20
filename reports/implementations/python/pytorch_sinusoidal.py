"""The sinusoidal table as the PyTorch tutorial on Transformers computes it: frequencies by exp of a logarithm,
phases and all else in float32; a model moved to bfloat16 rounds the finished table."""

import math

from exchange import answer


def compute(request):
    import torch
    from pytorch_tensors import dtype_named, entry_of, implementation, tensor_of

    request.require(
        scheme=["sinusoidal"],
        layout=["interleaved"],
        order=["sin_cos"],
        frequency=["paper"],
        padding_idx=[None],
        scale=[1],
    )
    width, base = request.spec["d_model"], request.spec["base"]
    position = tensor_of(request.tensors["positions"]).unsqueeze(1)
    frequency = torch.exp(torch.arange(0, width, 2) * (-math.log(base) / width))
    table = torch.zeros(position.shape[0], width)
    table[:, 0::2] = torch.sin(position * frequency)
    table[:, 1::2] = torch.cos(position * frequency)[:, : width // 2]
    tensors = {
        wanted["role"]: entry_of(table.to(dtype_named(wanted["dtype"]))) for wanted in request.wanted
    }
    return implementation("the tutorial's PositionalEncoding"), tensors


answer(compute)
