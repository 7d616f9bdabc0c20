"""Tiny models of transformers' classes for test_real_models: real widths of the encoding, all other sizes small, random
weights, nothing downloaded."""

import copy
import importlib

import transformers

FEW = {"hidden_size": 256, "num_attention_heads": 2, "num_key_value_heads": 2, "intermediate_size": 8,
       "num_hidden_layers": 2, "vocab_size": 32, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
GPT = {"n_layer": 2, "vocab_size": 32, "bos_token_id": 1, "eos_token_id": 2}
MARIAN = {"vocab_size": 32, "max_position_embeddings": 640, "d_model": 256, "encoder_layers": 1, "decoder_layers": 1,
          "encoder_ffn_dim": 8, "decoder_ffn_dim": 8, "encoder_attention_heads": 8, "decoder_attention_heads": 8,
          "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 0, "forced_eos_token_id": 2}
T5 = {"vocab_size": 32, "d_model": 16, "d_ff": 8, "d_kv": 4, "num_layers": 1, "num_heads": 4}
EXPERTS = {"num_local_experts": 2, "num_experts": 2, "num_experts_per_tok": 1, "moe_intermediate_size": 8}
KINDS = {"num_hidden_layers": 6, "layer_types": ["sliding_attention"] * 5 + ["full_attention"]}
DEEPSEEK = {"q_lora_rank": 8, "kv_lora_rank": 8, "qk_rope_head_dim": 64, "qk_nope_head_dim": 8, "v_head_dim": 8,
            "n_routed_experts": 8, "n_shared_experts": 1, "first_k_dense_replace": 1, "n_group": 2, "topk_group": 1,
            "max_position_embeddings": 163840}


def scaling(kind, factor, original=None, **more):
    scaled = {"rope_type": kind, "factor": factor, **more}
    return {**scaled, "original_max_position_embeddings": original} if original else scaled


LLAMA_3 = scaling("llama3", 8.0, 8192, low_freq_factor=1.0, high_freq_factor=4.0)
YARN = scaling("yarn", 4.0, 32768)
DEEPSEEK_YARN = scaling("yarn", 40, 4096, mscale=1.0, mscale_all_dim=1.0, beta_fast=32, beta_slow=1)
OLMO_YARN = scaling("yarn", 8.0, 8192, beta_fast=32.0, beta_slow=1.0)
OSS_YARN = scaling("yarn", 32.0, 4096, beta_fast=32.0, beta_slow=1.0, truncate=False)


def long_factors(pairs):
    return {"type": "longrope", "short_factor": [1 + i / 100 for i in range(pairs)],
            "long_factor": [1.0 + i for i in range(pairs)]}


def _mixed(**more):
    return {**FEW, **EXPERTS, **more}


# By name: the class before "Model" or "Config", what the configuration is given, and the class of the model if it is
# a different one.
MODELS = {
    "llama": ("Llama", {**FEW}),
    "llama, tied": ("Llama", {**FEW, "tie_word_embeddings": True}, "LlamaForCausalLM"),
    "llama, linear": ("Llama", {**FEW, "rope_scaling": scaling("linear", 4.0)}),
    "llama, dynamic": ("Llama", {**FEW, "rope_scaling": scaling("dynamic", 2.0)}),
    "llama, yarn": ("Llama", {**FEW, "rope_scaling": YARN, "max_position_embeddings": 131072}),
    "llama, longrope": ("Llama", {**FEW, "max_position_embeddings": 131072, "original_max_position_embeddings": 4096,
                                  "rope_scaling": {**long_factors(64), "original_max_position_embeddings": 4096}}),
    "llama, llama3": ("Llama", {**FEW, "rope_theta": 5e5, "rope_scaling": LLAMA_3, "max_position_embeddings": 131072}),
    "mistral": ("Mistral", {**FEW, "head_dim": 128, "rope_theta": 1e6}),
    "mixtral": ("Mixtral", _mixed(rope_theta=1e6)),
    "qwen2": ("Qwen2", {**FEW, "rope_theta": 1e6, "rope_scaling": YARN, "max_position_embeddings": 131072}),
    "qwen3": ("Qwen3", {**FEW, "head_dim": 128, "rope_theta": 1e6}),
    "qwen3_moe": ("Qwen3Moe", _mixed(head_dim=128, rope_theta=1e6)),
    "qwen2_vl_text": ("Qwen2VLText", {**FEW, "rope_theta": 1e6, "rope_scaling": {
        "rope_type": "default", "type": "mrope", "mrope_section": [16, 24, 24]}}),
    "gemma": ("Gemma", {**FEW, "head_dim": 256}),
    "gemma2": ("Gemma2", {**FEW, "head_dim": 256}),
    "gemma3": ("Gemma3Text", {**FEW, **KINDS, "head_dim": 256, "rope_theta": 1e6, "rope_local_base_freq": 10000.0,
                              "max_position_embeddings": 131072, "rope_scaling": scaling("linear", 8.0)}),
    "phi": ("Phi", {**FEW, "partial_rotary_factor": 0.5}),
    "phi3": ("Phi3", {**FEW, "hidden_size": 192, "max_position_embeddings": 131072,
                      "original_max_position_embeddings": 4096, "rope_scaling": long_factors(48)}),
    "phimoe": ("Phimoe", _mixed(rope_theta=1e4)),
    "gpt_neox": ("GPTNeoX", {**FEW, "rotary_pct": 0.25}),
    "gpt_neox_japanese": ("GPTNeoXJapanese", {**FEW, "rotary_pct": 1.0}),
    "gptj": ("GPTJ", {**GPT, "n_embd": 256, "n_head": 2, "n_inner": 8, "rotary_dim": 64, "n_positions": 2048}),
    "codegen": ("CodeGen", {**GPT, "n_embd": 256, "n_head": 4, "n_inner": 8, "rotary_dim": 32, "n_positions": 2048}),
    "falcon": ("Falcon", {**FEW, "hidden_size": 128, "alibi": False}),
    "stablelm": ("StableLm", {**FEW, "partial_rotary_factor": 0.25}),
    "starcoder2": ("Starcoder2", {**FEW, "rope_theta": 1e5}),
    "cohere": ("Cohere", {**FEW, "rope_theta": 8e6}),
    "cohere2": ("Cohere2", {**FEW, "rope_theta": 5e4, "layer_types": ["sliding_attention", "full_attention"]}),
    "glm": ("Glm", {**FEW, "head_dim": 128, "partial_rotary_factor": 0.5}),
    "glm4": ("Glm4", {**FEW, "head_dim": 128, "partial_rotary_factor": 0.5}),
    "olmo2": ("Olmo2", {**FEW, "rope_theta": 5e5}),
    "olmo3": ("Olmo3", {**FEW, **KINDS, "rope_theta": 5e5, "rope_scaling": OLMO_YARN,
                        "max_position_embeddings": 65536}),
    "olmoe": ("Olmoe", _mixed()),
    "deepseek_v2": ("DeepseekV2", {**FEW, **EXPERTS, **DEEPSEEK, "rope_scaling": DEEPSEEK_YARN}),
    "deepseek_v3": ("DeepseekV3", {**FEW, **EXPERTS, **DEEPSEEK, "rope_scaling": DEEPSEEK_YARN}),
    "gpt_oss": ("GptOss", _mixed(head_dim=64, rope_theta=150000.0, rope_scaling=OSS_YARN, max_position_embeddings=131072)),
    "smollm3": ("SmolLM3", {**FEW, "rope_theta": 2e6}),
    "persimmon": ("Persimmon", {**FEW, "rope_theta": 25000.0, "partial_rotary_factor": 0.5}),
    "nemotron": ("Nemotron", {**FEW, "head_dim": 128, "partial_rotary_factor": 0.5}),
    "granite": ("Granite", {**FEW}),
    "helium": ("Helium", {**FEW, "head_dim": 128, "rope_theta": 1e5}),
    "ernie4_5": ("Ernie4_5", {**FEW, "head_dim": 128, "rope_theta": 5e5}),
    "apertus": ("Apertus", {**FEW, "rope_theta": 1.2e7, "rope_scaling": LLAMA_3, "max_position_embeddings": 65536}),
    "exaone4": ("Exaone4", {**FEW, "rope_theta": 1e6}),
    "llama4": ("Llama4Text", _mixed(head_dim=128, rope_theta=5e5, intermediate_size_mlp=8)),
    "modernbert": ("ModernBert", {**FEW, "hidden_size": 128, "global_rope_theta": 160000.0, "local_rope_theta": 10000.0,
                                  "num_hidden_layers": 4, "cls_token_id": 1, "sep_token_id": 2}),
    "esm": ("Esm", {**FEW, "hidden_size": 128, "position_embedding_type": "rotary"}),
    "moonshine": ("Moonshine", {**FEW, "encoder_num_hidden_layers": 1, "decoder_num_hidden_layers": 1,
                                "hidden_size": 104, "encoder_num_attention_heads": 2, "decoder_num_attention_heads": 2}),
    "wav2vec2_conformer": ("Wav2Vec2Conformer", {
        **FEW, "hidden_size": 128, "position_embeddings_type": "rotary", "conv_dim": [8], "conv_stride": [5],
        "conv_kernel": [10], "num_feat_extract_layers": 1, "num_conv_pos_embedding_groups": 1, "num_conv_pos_embeddings": 2}),
    "marian": ("Marian", MARIAN),
    "pegasus": ("Pegasus", MARIAN),
    "m2m_100": ("M2M100", MARIAN),
    "roformer": ("RoFormer", {**FEW, "hidden_size": 128, "embedding_size": 128, "max_position_embeddings": 1536}),
    "xglm": ("XGLM", {"vocab_size": 32, "d_model": 256, "ffn_dim": 8, "num_layers": 1, "attention_heads": 2}),
    "speech_to_text": ("Speech2Text", {**MARIAN, "conv_channels": 8, "max_source_positions": 1024}),
    "musicgen": ("MusicgenDecoder", {**FEW, "vocab_size": 32, "ffn_dim": 8, "num_codebooks": 2}, "MusicgenForCausalLM"),
    "whisper": ("Whisper", {**MARIAN, "d_model": 384, "encoder_attention_heads": 6}),
    "fsmt": ("FSMT", {**MARIAN, "src_vocab_size": 32, "tgt_vocab_size": 32, "langs": ["en", "de"]}),
}
# What holds no encoding: biases and slopes are computed as they are added, and learned tables are in the weights.
HOLD_NONE = {
    "falcon, alibi": ("Falcon", {**FEW, "alibi": True}),
    "bloom": ("Bloom", {**GPT, "hidden_size": 32, "n_head": 4}),
    "mpt": ("Mpt", {"d_model": 32, "n_heads": 4, "n_layers": 1, "vocab_size": 32}),
    "t5": ("T5", T5),
    "mt5": ("MT5", T5),
}
# Models of several parts, whose modules have configurations of their own. Their classes are newer than transformers 4.
SMALL = {"hidden_size": 64, "num_attention_heads": 2, "num_key_value_heads": 2, "intermediate_size": 8,
         "num_hidden_layers": 1, "vocab_size": 32}
LOCAL = {**SMALL, "hidden_size_global": 128, "rope_theta": 5e5}
OF_SEVERAL_PARTS = {
    "blt": ("Blt", {"vocab_size": 32, "encoder_hash_byte_group_vocab": 8, "encoder_config": LOCAL, "decoder_config": LOCAL,
                    "patcher_config": {**SMALL, "rope_theta": 10000.0}, "global_config": {
                        **SMALL, "hidden_size": 128, "num_attention_heads": 1, "num_key_value_heads": 1, "rope_theta": 5e5}}),
    "evolla": ("Evolla", {**FEW, "protein_encoder_config": {**SMALL, "pad_token_id": 0, "mask_token_id": 3},
                          "resampler_depth": 1, "resampler_heads": 1, "resampler_num_latents": 2,
                          "aligner_num_add_layers": 1}),
    "ernie4_5_vl_moe": ("Ernie4_5_VLMoe", {
        "text_config": {**FEW, "moe_intermediate_size": [8, 8], "moe_num_experts": 2, "moe_k": 1, "rope_theta": 5e5},
        "vision_config": {"hidden_size": 32, "num_heads": 2, "depth": 1, "intermediate_size": 8, "patch_size": 4}}),
    "deepseek_v4": ("DeepseekV4", {**FEW, "num_hidden_layers": 3, "q_lora_rank": 8, "o_lora_rank": 8, "o_groups": 1,
                                   "n_routed_experts": 2, "num_local_experts": 2, "num_experts_per_tok": 1,
                                   "moe_intermediate_size": 8, "index_n_heads": 2, "index_head_dim": 64, "head_dim": 128}),
}
# Classes that held no tensor of their encoding in transformers 4: they computed it in each call.
HELD_SINCE_5 = ("phimoe",)


def configuration(name, models=None, **more):
    prefix, given, *_ = (models or MODELS)[name]
    return getattr(transformers, prefix + "Config")(**copy.deepcopy({**given, **more}))  # it writes into what it is given


def built(name, models=None, **more):
    """more: what the configuration is given besides."""
    prefix, _, *other = (models or MODELS)[name]
    config = configuration(name, models, **more)
    kind = other[0] if other else prefix + "Model"
    module = importlib.import_module(type(config).__module__.replace("configuration_", "modeling_"))
    return getattr(module, kind)(config)
