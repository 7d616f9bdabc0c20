"""PyTorch tensors from and to requests and responses. Goes through bits where NumPy has no such type."""

import torch

BIT_TYPES = {torch.bfloat16: torch.int16}


def dtype_named(name):
    return getattr(torch, name)


def tensor_of(entry):
    """A tensor of (type name, shape, bytes)."""
    name, shape, data = entry
    return torch.frombuffer(bytearray(data), dtype=dtype_named(name)).reshape(shape)


def entry_of(tensor):
    """The (type name, shape, bytes) of a tensor."""
    contiguous = tensor.contiguous()
    bits = contiguous.view(BIT_TYPES.get(tensor.dtype, tensor.dtype))
    return str(tensor.dtype).removeprefix("torch."), list(tensor.shape), bits.numpy().tobytes()


def implementation(what):
    return f"PyTorch {torch.__version__}, {what}"


def rotate_half(vectors):
    """As Hugging Face Transformers has it."""
    first, second = vectors.chunk(2, dim=-1)
    return torch.cat((-second, first), dim=-1)
