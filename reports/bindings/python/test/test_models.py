"""check_model on tiny modules: honest ones of many architectures, written from the published formulas, and rebuilt
faults of public projects."""

import math
import types
import unittest

import vernier
from vernier._parts import sampled_rows

NEEDS = ("torch",)

try:
    import torch
    from torch import nn
except ImportError:
    nn = types.SimpleNamespace(Module=object)  # without torch the tests are skipped, and the modules only defined


# Formulas, in float32 as frameworks compute them.


def frequencies(width, base=10000.0):
    return 1.0 / (base ** (torch.arange(0, width, 2, dtype=torch.int64).float() / width))


def llama3(inv, factor, low, high, original):
    wavelength = 2 * math.pi / inv
    smooth = (original / wavelength - low) / (high - low)
    blended = (1 - smooth) * inv / factor + smooth * inv
    far, near = wavelength > original / low, wavelength < original / high
    return torch.where(far, inv / factor, torch.where(near, inv, blended))


def yarn_range(width, base, original, fast=32.0, slow=1.0, truncate=True):
    at = [width * math.log(original / (turns * 2 * math.pi)) / (2 * math.log(base)) for turns in (fast, slow)]
    low, high = (math.floor(at[0]), math.ceil(at[1])) if truncate else at
    return max(low, 0), min(high, width - 1)


def yarn(width, base, factor, original, invert=False, high=None, **options):
    low, found_high = yarn_range(width, base, original, **options)
    ramp = ((torch.arange(width // 2).float() - low) / ((high or found_high) - low)).clamp(0, 1)
    keep = ramp if invert else 1 - ramp
    inv = frequencies(width, base)
    return inv / factor * (1 - keep) + inv * keep


def phases(inv, count):
    return torch.outer(torch.arange(count).float(), inv)


def doubled(angles):
    return torch.cat((angles, angles), dim=-1)


# Modules, with the names that projects give.


class Holder(nn.Module):
    """A module with some buffers, and attributes that are none."""

    def __init__(self, buffers, **attributes):
        super().__init__()
        for name, tensor in buffers.items():
            self.register_buffer(name, tensor, persistent=False)
        for name, value in attributes.items():
            setattr(self, name, value)


class RotaryEmbedding(Holder):
    pass


class SinusoidalPositionalEmbedding(Holder):
    pass


class Model(nn.Module):
    def __init__(self, config, **modules):
        super().__init__()
        self.config = config
        self.lm_head = nn.Linear(4, 4)
        for name, module in modules.items():
            setattr(self, name, module)


def hf(config, inv, **attributes):
    """As transformers holds it."""
    return Model(config, rotary_emb=RotaryEmbedding({"inv_freq": inv}, **attributes))


def cached(config, cos, sin):
    """As the first transformers did, in every layer."""
    layers = nn.ModuleList(RotaryEmbedding({"cos_cached": cos, "sin_cached": sin}) for _ in range(3))
    return Model(config, layers=layers)


def llama_like(model_type, heads=32, hidden=4096, **more):
    return {"model_type": model_type, "hidden_size": hidden, "num_attention_heads": heads, **more}


LLAMA = llama_like("llama", max_position_embeddings=4096)
LLAMA_31 = llama_like("llama", rope_theta=500000.0, max_position_embeddings=131072, rope_scaling={
    "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192})
GEMMA_3 = {"model_type": "gemma3_text", "head_dim": 256, "num_hidden_layers": 6, "sliding_window_pattern": 6,
           "rope_theta": 1000000.0, "rope_local_base_freq": 10000.0, "max_position_embeddings": 131072,
           "rope_scaling": {"rope_type": "linear", "factor": 8.0}}
NEOX = llama_like("gpt_neox", 8, 512, rotary_pct=0.25, max_position_embeddings=2048)
GPT_OSS = {"model_type": "gpt_oss", "head_dim": 64, "rope_theta": 150000, "max_position_embeddings": 131072,
           "rope_scaling": {"rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0, "truncate": False,
                            "original_max_position_embeddings": 4096}}
DEEPSEEK = {"model_type": "deepseek_v3", "qk_rope_head_dim": 64, "rope_theta": 10000, "max_position_embeddings": 163840,
            "rope_scaling": {"type": "yarn", "factor": 40, "mscale": 1.0, "mscale_all_dim": 1.0, "beta_fast": 32,
                             "beta_slow": 1, "original_max_position_embeddings": 4096}}
QWEN_YARN = llama_like("qwen2", 28, 3584, rope_theta=1000000.0, max_position_embeddings=131072, rope_scaling={
    "rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768})
PHI_3 = llama_like("phi3", 32, 3072, max_position_embeddings=131072, original_max_position_embeddings=4096)
PHI_3["rope_scaling"] = {
    "type": "longrope", "short_factor": [1 + i / 100 for i in range(48)], "long_factor": [1 + i for i in range(48)]}
SINUSOID_64 = 1 / 10000 ** (torch.arange(0, 64, 2).double() / 64) if "torch" in globals() else None


def whisper_table(count, width):
    step = math.log(10000) / (width // 2 - 1)
    angles = phases(torch.exp(-step * torch.arange(width // 2).float()), count)
    return torch.cat((angles.sin(), angles.cos()), dim=1)


def honest_models():
    """By architecture: model and config (None: its own)."""
    inv = frequencies(128)
    angles = phases(inv, 4096)
    long = phases(frequencies(128, 1000000.0), 32768)
    yarn_amplitude = 0.1 * math.log(4) + 1
    phi_amplitude = math.sqrt(1 + math.log(32) / math.log(4096))
    phi_factors = torch.tensor(PHI_3["rope_scaling"]["short_factor"])
    phi_inv = 1 / (phi_factors * 10000 ** (torch.arange(0, 96, 2).float() / 96))
    deepseek = phases(yarn(64, 10000.0, 40.0, 4096), 2048)
    slopes = torch.tensor([2.0 ** -(i + 1) for i in range(8)])
    sinusoid = phases(SINUSOID_64.float(), 512)
    tutorial = torch.stack((sinusoid.sin(), sinusoid.cos()), dim=-1).flatten(1)
    return {
        "llama": hf(LLAMA, inv, attention_scaling=1.0),
        "llama 3.1": hf(LLAMA_31, llama3(frequencies(128, 500000.0), 8, 1, 4, 8192), attention_scaling=1.0),
        "llama of 2023": cached(LLAMA, doubled(angles).cos()[None, None], doubled(angles).sin()[None, None]),
        "llama in bfloat16": cached(LLAMA, doubled(angles).cos().bfloat16(), doubled(angles).sin().bfloat16()),
        "llama of Meta": Holder({}, config=LLAMA, freqs_cis=torch.polar(torch.ones_like(angles), angles)),
        "mistral": hf(llama_like("mistral", head_dim=128), inv),
        "mixtral": hf(llama_like("mixtral", rope_theta=1000000.0), frequencies(128, 1000000.0)),
        "qwen2": hf(llama_like("qwen2", 28, 3584, rope_theta=1000000.0), frequencies(128, 1000000.0)),
        "qwen2 with yarn": hf(QWEN_YARN, yarn(128, 1000000.0, 4.0, 32768), attention_scaling=yarn_amplitude),
        "qwen3 of vllm": Model(llama_like("qwen3", head_dim=128, rope_theta=1000000.0), rotary_emb=RotaryEmbedding(
            {"cos_sin_cache": torch.cat((long.cos(), long.sin()), dim=-1).bfloat16()})),
        "qwen2_vl": hf(llama_like("qwen2_vl", 12, 1536, rope_theta=1000000.0, rope_scaling={
            "type": "mrope", "mrope_section": [16, 24, 24]}), frequencies(128, 1000000.0)),
        "gemma": hf({"model_type": "gemma", "head_dim": 256}, frequencies(256)),
        "gemma2": hf({"model_type": "gemma2", "head_dim": 256}, frequencies(256)),
        "gemma3": Model(GEMMA_3, rotary_emb=RotaryEmbedding({"inv_freq": frequencies(256, 1000000.0) / 8}),
                        rotary_emb_local=RotaryEmbedding({"inv_freq": frequencies(256)})),
        "gemma3 of transformers 5": Model(GEMMA_3, rotary_emb=RotaryEmbedding(
            {"full_attention_inv_freq": frequencies(256, 1000000.0) / 8,
             "sliding_attention_inv_freq": frequencies(256)}, full_attention_attention_scaling=1.0, sliding_attention_attention_scaling=1.0)),
        "phi": hf(llama_like("phi", 32, 2560, partial_rotary_factor=0.4), frequencies(32)),
        "phi3": hf(PHI_3, phi_inv, attention_scaling=phi_amplitude),
        "gpt_neox": hf(NEOX, frequencies(16)),
        "gptj": hf({"model_type": "gptj", "n_embd": 4096, "n_head": 16, "rotary_dim": 64}, frequencies(64)),
        "falcon": hf(llama_like("falcon", 71, 4544, alibi=False), frequencies(64)),
        "stablelm": hf(llama_like("stablelm", partial_rotary_factor=0.25), frequencies(32)),
        "olmo2": hf(llama_like("olmo2", rope_theta=500000.0), frequencies(128, 500000.0)),
        "starcoder2": hf(llama_like("starcoder2", 24, 3072, rope_theta=100000.0), frequencies(128, 100000.0)),
        "cohere": hf(llama_like("cohere", 64, 8192, rope_theta=8000000.0), frequencies(128, 8000000.0)),
        "glm4": hf(llama_like("glm4", head_dim=128, partial_rotary_factor=0.5), frequencies(64)),
        "deepseek_v3": Holder({}, config=DEEPSEEK, freqs_cis=torch.polar(torch.ones_like(deepseek), deepseek)),
        "gpt_oss": hf(GPT_OSS, yarn(64, 150000.0, 32.0, 4096, truncate=False),
                      attention_scaling=0.1 * math.log(32) + 1),
        "internlm2": hf(llama_like("internlm2", rope_theta=1000000.0, max_position_embeddings=32768, rope_scaling={
            "type": "dynamic", "factor": 2.0}), frequencies(128, 1000000.0)),
        "torchtune's llama": Model(LLAMA, rope=RotaryEmbedding(
            {"theta": inv, "cache": torch.stack((angles.cos(), angles.sin()), dim=-1)})),
        "whisper": Model({"model_type": "whisper", "d_model": 384, "encoder_attention_heads": 6},
                         encoder=Model(None, embed_positions=Holder({"weight": whisper_table(1500, 384)}))),
        "marian": Model({"model_type": "marian", "d_model": 64}, embed_positions=SinusoidalPositionalEmbedding(
            {"weight": torch.cat((sinusoid.sin(), sinusoid.cos()), dim=1)})),
        "the tutorial's transformer": Model({"scheme": "sinusoidal", "d_model": 64}, pos_encoder=Holder(
            {"pe": tutorial[:, None, :]})),
        "bloom": Model({"model_type": "bloom", "hidden_size": 512, "n_head": 8}, attention=Holder({"slopes": slopes})),
    }


def faulty_models():
    """By the thread that tells of it: model, and what the report says."""
    inv = frequencies(128)
    half_rotary = llama_like("llama", partial_rotary_factor=0.25)
    rounded = (torch.arange(4096).bfloat16().float()[:, None] * inv).bfloat16().float()
    scaled = frequencies(256, 1000000.0) / 8
    wavelength = 2 * math.pi / frequencies(128, 500000.0)
    smooth = (8192 / wavelength - 1) / 3
    middle = (wavelength <= 8192) & (wavelength >= 2048)
    blended = torch.where(middle, 2 * math.pi / ((1 - smooth) * wavelength * 8 + smooth * wavelength),
                          llama3(frequencies(128, 500000.0), 8, 1, 4, 8192))
    mistral_3 = {**QWEN_YARN, "rope_scaling": {**QWEN_YARN["rope_scaling"], "factor": 16.0, "mscale": 1.0,
                                               "mscale_all_dim": 1.0}}
    prime_rl = {**QWEN_YARN, "rope_scaling": {**QWEN_YARN["rope_scaling"], "factor": 64.0}}
    return {
        "huggingface/transformers 45902": (hf(LLAMA, torch.full((64,), 6.93e-18)),
                                           "next to zero"),
        "pytorch/torchtitan 4783": (hf(LLAMA, torch.full((64,), math.nan)), "every element of inv_freq is NaN"),
        "unslothai/unsloth 4112": (hf(LLAMA, torch.zeros(64)), "every frequency is zero"),
        "vllm-project/vllm 48621": (hf(mistral_3, yarn(128, 1000000.0, 16.0, 32768),
                                       attention_scaling=0.1 * math.log(16) + 1), "rope_scaling.mscale (1) is left out"),
        "PrimeIntellect-ai/prime-rl 2802": (hf(prime_rl, yarn(128, 1000000.0, 64.0, 32768), attention_scaling=1.0),
                                            "amplitude is 1, not 1.415"),
        "NVIDIA/Megatron-LM 5317": (hf(NEOX, frequencies(4)),
                                    "the rotary width is 4, not 16 (partial_rotary_factor applied twice)"),
        "AI-Hypercomputer/maxtext 4615": (hf(NEOX, frequencies(64)), "the rotary width is 64, not 16"),
        "EleutherAI/gpt-neox 1003": (hf(LLAMA, inv.half()), "the frequencies are rounded to float16"),
        "NVIDIA/Megatron-LM 744": (hf(LLAMA, inv.bfloat16()),
                                   "the frequencies are rounded to bfloat16, the type of the tensor"),
        "huggingface/transformers 25681": (cached(LLAMA, doubled(rounded).cos(), doubled(rounded).sin()), "bfloat16"),
        "Lightning-AI/litgpt 2202": (hf(DEEPSEEK, yarn(64, 10000.0, 40.0, 4096, invert=True), attention_scaling=1.0),
                                     "ramp"),
        "vllm-project/vllm 27722": (hf(GPT_OSS, yarn(64, 150000.0, 32.0, 4096),
                                       attention_scaling=0.1 * math.log(32) + 1), "truncate"),
        "ggml-org/llama.cpp 8676": (hf(LLAMA_31, frequencies(128, 500000.0)), "rope_scaling is left out"),
        "microsoft/DeepSpeed 8345": (hf({**LLAMA, "rope_theta": 500000.0}, inv), "the base is 10000, not 500000"),
        "ollama/ollama 13452": (Model(GEMMA_3, rotary_emb=RotaryEmbedding({"inv_freq": scaled}),
                                      rotary_emb_local=RotaryEmbedding({"inv_freq": frequencies(256) / 8})),
                                "rotary_emb_local.inv_freq (sliding_attention): does not conform: every frequency is "
                                "multiplied by 1/8"),
        "pie-project/pie 602": (hf(half_rotary, inv[:16]), "the exponents divide by head_dim, 128"),
        "lablup/mlxcel 1389": (Model(LLAMA, rope=Holder({}, freqs_cis=torch.polar(torch.ones(2048, 64),
                                                                                  2 * phases(inv, 2048)))), "2"),
        "ml-explore/mlx-examples 907": (hf(LLAMA_31, blended), "does not conform"),
        "keras-team/keras-hub 2981": (hf(QWEN_YARN, yarn(128, 1000000.0, 4.0, 32768, high=63),
                                         attention_scaling=0.1 * math.log(4) + 1), "does not conform"),
    }


class Models(unittest.TestCase):
    def test_honest_models_conform(self):
        models = honest_models()
        self.assertGreaterEqual(len(models), 20)
        for name, model in models.items():
            with self.subTest(name):
                report = vernier.check_model(model)
                self.assertTrue(report, f"{name}\n{report}")
                self.assertEqual(report.faults, [])

    def test_roundings_that_add_up_are_honest(self):
        step = torch.tensor(10000.0).pow(torch.tensor(-2.0 / 512))
        multiplied = [torch.tensor(1.0)]
        for _ in range(255):
            multiplied.append(multiplied[-1] * step)
        model = hf({"scheme": "rope", "head_dim": 512}, torch.stack(multiplied))
        report = vernier.check_model(model)
        self.assertIn("the tensors keep the contract float32-iterated, not the one that they are judged by", str(report))
        self.assertFalse(report)
        self.assertTrue(vernier.check_model(model, contract="float32-iterated"))

    def test_rebuilt_faults_are_found(self):
        models = faulty_models()
        self.assertGreaterEqual(len(models), 12)
        named = 0
        for name, (model, expected) in models.items():
            with self.subTest(name):
                report = vernier.check_model(model)
                self.assertFalse(report, name)
                self.assertTrue(report.faults, f"{name}\n{report}")
                self.assertIn(expected, str(report), name)
                named += "unexplained" not in str(report)
        self.assertGreaterEqual(named, 10)

    def test_layers_of_one_kind_do_not_stand_for_others(self):
        report = vernier.check_model(Model(GEMMA_3, rotary_emb=RotaryEmbedding({"inv_freq": frequencies(256)})))
        self.assertFalse(report)
        self.assertEqual(report.faults, [])
        self.assertIn("(full_attention): nothing was found that holds their frequencies", str(report))
        neither = vernier.check_model(Model(GEMMA_3, rotary_emb=RotaryEmbedding({"inv_freq": frequencies(256, 2e6)})))
        self.assertIn("agrees with none of sliding_attention and full_attention", str(neither))

    def test_nothing_found_is_no_pass(self):
        report = vernier.check_model(Model(LLAMA))
        self.assertFalse(report)
        self.assertEqual(str(report).splitlines()[:2], [
            "nothing found: no positional table or frequency could be judged in an object of the class Model",
            "seen: lm_head.bias [4] float32, lm_head.weight [4, 4] float32"])

    def test_what_was_seen_is_said(self):
        model = Model(LLAMA, pos=Holder({"factors": frequencies(128), "table": torch.zeros(4, 4)}))
        lines = str(vernier.check_model(model)).splitlines()
        self.assertEqual(lines[1], "seen: pos.factors [64] float32, pos.table [4, 4] float32, lm_head.bias [4] float32, "
                                   "lm_head.weight [4, 4] float32")
        self.assertIn("looked for: inv_freq, cos_cached and sin_cached,", lines[2])
        self.assertIn('check_model(model, tables={"pos.factors": "inv_freq"})', lines[3])

    def test_tensors_of_other_names_are_judged(self):
        angles = torch.outer(torch.arange(64.0), frequencies(128))
        wrong = Model(LLAMA, pos=Holder({"factors": frequencies(128, 20000.0)}))
        for buffers, tables in (({"factors": frequencies(128)}, {"pos.factors": "inv_freq"}),
                                ({"c": angles.cos(), "s": angles.sin()}, {"pos.c": "cos", "pos.s": "sin"}),
                                ({"z": torch.polar(torch.ones_like(angles), angles)}, {"pos.z": "freqs_cis"})):
            with self.subTest(tables):
                report = vernier.check_model(Model(LLAMA, pos=Holder(buffers)), tables=tables)
                self.assertTrue(report, report)
                self.assertEqual(len(report.findings), 1)
        report = vernier.check_model(wrong, tables={"pos.factors": "inv_freq"})
        self.assertIn("pos.factors: does not conform: the base is 20000", str(report))
        with self.assertRaisesRegex(vernier.InputError, 'tables: found "pos.factor", expected .*: pos.factors'):
            vernier.check_model(wrong, tables={"pos.factor": "inv_freq"})
        with self.assertRaisesRegex(vernier.InputError, 'tables: pos.factors: found "inv", expected inv_freq, cos'):
            vernier.check_model(wrong, tables={"pos.factors": "inv"})

    def test_what_is_left_open_is_said(self):
        angles = phases(frequencies(128), 2048)
        held = Holder({"cos_cached": angles.cos(), "sin_cached": angles.sin(), "cos_tab": angles.sin()})
        lines = str(vernier.check_model(Model(LLAMA, rotary=held))).splitlines()
        self.assertIn("rotary.cos_cached: conforms, at 512 of 2048 positions", lines)
        self.assertEqual(lines[-1], "not looked at: rotary.cos_tab: say what they are by tables=")

    def test_other_parts_are_not_judged(self):
        model = Model(LLAMA, rotary_emb=RotaryEmbedding({"inv_freq": frequencies(128)}),
                      visual=Model(None, rotary_pos_emb=RotaryEmbedding({"inv_freq": frequencies(40)})))
        report = vernier.check_model(model)
        self.assertTrue(report, report)
        self.assertIn("visual.rotary_pos_emb.inv_freq: not judged: it is of another part", str(report))

    def test_other_parts_by_their_names(self):
        for name in ("token2wav", "code2wav", "vit", "codec_model", "draft_model", "mimi", "decoder_transformer"):
            with self.subTest(name):
                model = hf(LLAMA, frequencies(128))
                setattr(model, name, Model(None, rotary_emb=RotaryEmbedding({"inv_freq": frequencies(40)})))
                report = vernier.check_model(model)
                self.assertTrue(report, report)
                self.assertIn(f"{name}.rotary_emb.inv_freq: not judged: it is of another part", str(report))
        vital = Model(LLAMA, vitals=Model(None, rotary_emb=RotaryEmbedding({"inv_freq": frequencies(40)})))
        self.assertFalse(vernier.check_model(vital))
        self.assertEqual(len(vernier.check_model(vital).faults), 1)

    def test_parts_with_a_configuration_of_their_own(self):
        wide = {"scheme": "rope", "head_dim": 64, "rope_theta": 500000.0}
        for part in ("depth_decoder", "vision_tower"):
            with self.subTest(part):
                model = hf(LLAMA, frequencies(128))
                setattr(model, part, hf(wide, frequencies(64, 500000.0)))
                report = vernier.check_model(model)
                self.assertTrue(report, report)
                self.assertIn(f"{part}.rotary_emb.inv_freq: conforms (held to the configuration of its module)", str(report))
                setattr(model, part, hf(wide, frequencies(64, 20000.0)))
                self.assertIn("the base is 20000, not 500000", str(vernier.check_model(model).faults))
        model.depth_decoder = hf({"model_type": "no such model"}, frequencies(64))
        del model.vision_tower
        report = vernier.check_model(model)
        self.assertTrue(report, report)
        self.assertIn("not judged: its module has a configuration of its own: ", str(report))

    def test_a_wrapper_without_a_configuration(self):
        self.assertTrue(vernier.check_model(nn.Sequential(hf(LLAMA, frequencies(128)))))

    def test_tables_for_rotations_with_the_sines_first(self):
        config = {"model_type": "gptj", "n_embd": 4096, "n_head": 16, "rotary_dim": 64}
        angles = phases(frequencies(64), 512)
        for halves, conforms in (((angles.sin(), angles.cos()), True), ((angles.cos(), angles.sin()), False)):
            report = vernier.check_model(Model(config, attn=Holder({"embed_positions": torch.cat(halves, dim=1)})))
            self.assertEqual(report.conforms, conforms, report)
            self.assertEqual(len(report.findings), 1)

    def test_learned_tables_are_not_held_to_the_encoding_of_others(self):
        model = honest_models()["whisper"]
        model.decoder = Model(None, embed_positions=nn.Embedding(448, 384))
        report = vernier.check_model(model)
        self.assertTrue(report, report)
        self.assertIn("decoder.embed_positions.weight (decoder): not judged: the decoder's learned position table",
                      str(report))
        model.encoder.embed_positions.weight *= 1.001
        self.assertFalse(vernier.check_model(model))

    def test_what_cannot_be_read_is_not_judged(self):
        report = vernier.check_model(hf(LLAMA, frequencies(128).to("meta")))
        self.assertFalse(report)
        self.assertEqual(str(report).splitlines(), [
            "nothing judged: the positional tensors of an object of the class Model could not be judged",
            "rotary_emb.inv_freq: not judged: it is on the meta device, where tensors have no values: load the weights "
            "first"])
        report = vernier.check_model(hf(LLAMA, torch.zeros(2, 64)))
        self.assertIn("not judged: found the shape [2, 64], expected one dimension", str(report))
        report = vernier.check_model(hf(LLAMA, torch.empty(0)))
        self.assertIn("rotary_emb.inv_freq: not judged: it has no elements", str(report))
        report = vernier.check_model(hf(LLAMA, frequencies(128), attention_scaling=torch.ones(2)))
        self.assertFalse(report)
        self.assertIn("not judged: attention_scaling: found Tensor of the shape [2], expected a number", str(report))

    def test_frequencies_twice(self):
        once = frequencies(64)
        halves, beside = doubled(once), once.repeat_interleave(2)
        in_halves = {"scheme": "rope", "head_dim": 64}
        interleaved = {**in_halves, "layout": "interleaved"}
        self.assertTrue(vernier.check_model(hf(in_halves, halves)))
        self.assertTrue(vernier.check_model(hf(interleaved, beside)))
        report = vernier.check_model(hf(in_halves, beside))
        self.assertIn("each frequency stands twice side by side, not once in each half", str(report.faults))

    def test_tables_with_each_column_twice_may_have_the_copies_anywhere(self):
        angles = phases(yarn(64, 10000.0, 40.0, 4096), 64)
        for arranged in (doubled, lambda one: one.repeat_interleave(2, dim=-1)):
            for config, true in ((DEEPSEEK, angles), (llama_like("llama", 64), phases(frequencies(64), 64))):
                cos, sin = arranged(true.cos()), arranged(true.sin())
                report = vernier.check_model(cached(config, cos, sin))
                self.assertTrue(report, report)
                cos[7, 3] += 0.01
                faults = vernier.check_model(cached(config, cos, sin)).faults
                self.assertEqual(len(faults), 3)
                self.assertIn("does not conform: column 3 of row 7", str(faults))
        side_by_side = vernier.check_model(cached(llama_like("llama", 64), true.cos().repeat_interleave(2, dim=-1),
                                                  true.sin().repeat_interleave(2, dim=-1)))
        self.assertIn("conforms; each value stands twice side by side, for a kernel that pairs dimensions so: the "
                      "configuration pairs them half a row apart", str(side_by_side))
        mixed = cached(DEEPSEEK, doubled(angles.cos()), angles.sin().repeat_interleave(2, dim=-1))
        self.assertEqual(len(vernier.check_model(mixed).faults), 3)

    def test_positions_that_a_module_divides(self):
        config = {**LLAMA, "rope_scaling": {"type": "linear", "factor": 4.0}}
        inv = frequencies(128)
        angles = doubled(phases(inv, 1024) / 4)
        of_2023 = {"inv_freq": inv, "cos_cached": angles.cos(), "sin_cached": angles.sin()}
        for module in (RotaryEmbedding({"inv_freq": inv}, scaling_factor=4.0), RotaryEmbedding(of_2023)):
            report = vernier.check_model(Model(config, rotary_emb=module))
            self.assertTrue(report, report)
            self.assertIn("rotary_emb.inv_freq: conforms: positions are divided instead", str(report))
        unscaled = doubled(phases(inv, 1024))
        tables = {**of_2023, "cos_cached": unscaled.cos(), "sin_cached": unscaled.sin()}
        for module, faults in ((RotaryEmbedding({"inv_freq": inv}), 1), (RotaryEmbedding(tables), 2),
                               (RotaryEmbedding({"inv_freq": inv}, scaling_factor=2.0), 1),
                               (RotaryEmbedding({"inv_freq": 1.01 * inv}, scaling_factor=4.0), 1)):
            report = vernier.check_model(Model(config, rotary_emb=module))
            self.assertEqual(len(report.faults), faults, report)

    def test_dynamic_frequencies_of_any_length(self):
        dynamic = {**LLAMA, "rope_scaling": {"type": "dynamic", "factor": 2.0}}
        qwen = {"model_type": "qwen", "hidden_size": 4096, "num_attention_heads": 32, "kv_channels": 128,
                "rotary_emb_base": 10000, "seq_length": 8192, "max_position_embeddings": 32768, "use_dynamic_ntk": True}

        def grown(alpha):
            return frequencies(128, 10000.0 * alpha ** (128 / 126))

        longer = phases(grown(2 * 16384 / 4096 - 1), 16384)
        table = RotaryEmbedding({"cos_cached": longer.cos(), "sin_cached": longer.sin()}, max_seq_len_cached=16384)
        for model in (hf(dynamic, grown(1), max_seq_len_cached=4096), hf(dynamic, grown(7), max_seq_len_cached=16384),
                      hf({**dynamic, "sequence_length": 8192}, grown(1)), Model(dynamic, rotary_emb=table),
                      hf(qwen, grown(1)), hf(qwen, grown(3)), hf(qwen, grown(7))):
            report = vernier.check_model(model)
            self.assertTrue(report, report)
        for model in (hf(dynamic, grown(7)), hf(dynamic, grown(7), max_seq_len_cached=8192), hf(qwen, grown(2))):
            self.assertEqual(len(vernier.check_model(model).faults), 1)

    def test_the_same_bytes_in_another_type_or_at_other_positions(self):
        angles = phases(frequencies(128), 2048)
        half = angles[:256].cos().bfloat16(), angles[:256].sin().bfloat16()
        sampled = angles[sampled_rows(2048)]
        for first, second in ((half, [one.view(torch.float16) for one in half]),
                              ((angles.cos(), angles.sin()), (sampled.cos(), sampled.sin()))):
            layers = nn.ModuleList(RotaryEmbedding({"cos_cached": cos, "sin_cached": sin})
                                   for cos, sin in (first, second))
            report = vernier.check_model(Model(LLAMA, layers=layers))
            self.assertEqual([one.path for one in report.faults], ["layers.1.cos_cached"], report)

    def test_configurations(self):
        model = hf(None, frequencies(128))
        with self.assertRaisesRegex(vernier.InputError, "config: found neither"):
            vernier.check_model(model)
        self.assertTrue(vernier.check_model(model, LLAMA))
        self.assertTrue(vernier.check_model(model, {"scheme": "rope", "head_dim": 128}))
        self.assertTrue(vernier.check_model(model, "llama-2-7b-hf"))
        self.assertFalse(vernier.check_model(model, {"scheme": "alibi", "num_heads": 8}))
        with self.assertRaisesRegex(vernier.InputError, "model: found"):
            vernier.check_model(object(), LLAMA)

    def test_a_fault_at_the_end_of_a_long_table(self):
        angles = phases(frequencies(128), 8192)
        angles[-1] = 0
        report = vernier.check_model(cached(LLAMA, angles.cos(), angles.sin()))
        self.assertEqual(len(report.faults), 3)


if __name__ == "__main__":
    unittest.main()
