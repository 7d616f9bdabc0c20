"""RoPE whose frequencies depend on the length of the sequence, as Hugging Face Transformers keeps it: a module that
reads the length off the positions of each call, and whose frequencies stay for the next (modeling_rope_utils.py,
dynamic_rope_update with dynamic_frequency_update and longrope_frequency_update)."""

import math

from exchange import Unsupported, answer

modules = {}  # by spec: a module lives as long as its model


class LengthRope:
    """What both rules share: `update(length)` before each call."""

    def __init__(self, spec):
        self.scaling = spec["rope_scaling"]
        self.width = spec["head_dim"]
        self.base = spec["rope_theta"]
        self.context = spec["max_position_embeddings"]
        self.attention_scaling = 1.0

    def frequencies(self, base, factors=1.0):
        import torch

        exponents = torch.arange(0, self.width, 2, dtype=torch.int64).float() / self.width
        return 1.0 / (factors * base**exponents)

    def tables(self, positions, dtype):
        import torch

        self.update(int(positions.max()) + 1)
        phases = torch.outer(positions.float(), self.inv_freq)
        phases = torch.cat((phases, phases), dim=-1)
        return [(table(phases) * self.attention_scaling).to(dtype) for table in (torch.cos, torch.sin)]


class DynamicNtk(LengthRope):
    def __init__(self, spec):
        super().__init__(spec)
        self.original_inv_freq = self.inv_freq = self.frequencies(self.base)
        self.max_seq_len_cached = self.context

    def update(self, length):
        if length > self.max_seq_len_cached:  # growth
            stretch = self.scaling["factor"] * length / self.context - (self.scaling["factor"] - 1)
            self.inv_freq = self.frequencies(self.base * stretch ** (self.width / (self.width - 2)))
            self.max_seq_len_cached = length
        if length < self.context and self.max_seq_len_cached > self.context:  # reset
            self.inv_freq = self.original_inv_freq
            self.max_seq_len_cached = self.context


class LongRope(LengthRope):
    def __init__(self, spec):
        import torch

        super().__init__(spec)
        self.original = self.scaling["original_max_position_embeddings"]
        self.short, self.long = (
            self.frequencies(self.base, torch.tensor(self.scaling[key], dtype=torch.float32))
            for key in ("short_factor", "long_factor")
        )
        factor = self.context / self.original
        if factor > 1.0:
            self.attention_scaling = math.sqrt(1 + math.log(factor) / math.log(self.original))

    def update(self, length):
        self.inv_freq = self.long if length > self.original else self.short


def module_of(spec):
    key = repr(spec)
    if key not in modules:
        rule = {"dynamic": DynamicNtk, "longrope": LongRope}.get(spec["rope_scaling"]["rope_type"])
        if rule is None:
            raise Unsupported(f"rope_type {spec['rope_scaling']['rope_type']!r}")
        modules[key] = rule(spec)
    return modules[key]


def compute(request):
    from pytorch_tensors import dtype_named, entry_of, implementation, rotate_half, tensor_of

    request.require(
        scheme=["rope"], layout=["half"], direction=["counterclockwise"], partial_rotary_factor=[None, 1]
    )
    module = module_of(request.spec)
    tensors = {}
    for wanted in request.wanted:
        cosines, sines = module.tables(tensor_of(request.tensors["positions"]), dtype_named(wanted["dtype"]))
        if wanted["role"] == "rotated":
            vectors = tensor_of(request.tensors["input"])
            tensors["rotated"] = entry_of(vectors * cosines + rotate_half(vectors) * sines)
        else:
            table = {"cos": cosines, "sin": sines}[wanted["role"]]
            tensors[wanted["role"]] = entry_of(table[:, : wanted["shape"][-1]])
    return implementation("frequencies by length as Hugging Face Transformers"), tensors


answer(compute)
