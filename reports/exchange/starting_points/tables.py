"""The tables of RoPE in PyTorch, to be judged: vernier validate --spec rope.json --cos cos.npy --sin sin.npy"""
import numpy
import torch

head_dim, rope_theta, positions = 64, 10000.0, 4096

inv_freq = 1.0 / rope_theta ** (torch.arange(0, head_dim, 2, dtype=torch.float32) / head_dim)
phases = torch.outer(torch.arange(positions, dtype=torch.float32), inv_freq)
numpy.save("cos.npy", phases.cos().numpy())
numpy.save("sin.npy", phases.sin().numpy())
