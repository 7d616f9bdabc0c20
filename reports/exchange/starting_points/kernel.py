"""A rotary embedding, and the function by which Vernier asks for it."""
import torch
import vernier


def rotate(x, positions, theta):
    """Rotates x [..., tokens, head_dim] by its positions [tokens]. Call your kernel here in place of the body."""
    head_dim = x.shape[-1]
    inv_freq = 1.0 / theta ** (torch.arange(0, head_dim, 2, dtype=torch.float32, device=x.device) / head_dim)
    angles = torch.outer(positions.float(), inv_freq)  # float32: bfloat16 holds no odd position above 256
    cos, sin = angles.cos(), angles.sin()
    a, b = x.float().chunk(2, dim=-1)
    return torch.cat((a * cos - b * sin, b * cos + a * sin), dim=-1).to(x.dtype)


@vernier.implementation
def kernel(request):
    request.require(scheme=["rope"], layout=["half"], rope_scaling=[None])
    if request.input is None:
        raise vernier.Unsupported("this kernel makes no tables")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.from_dlpack(request.input).to(getattr(torch, request.dtype)).to(device)
    positions = torch.from_dlpack(request.positions).to(device)
    return {"rotated": rotate(x, positions, request.spec["rope_theta"]).cpu()}


if __name__ == "__main__":
    kernel.serve()
