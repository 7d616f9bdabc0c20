"""Twenty classes of the installed transformers, judged as a survey judges them all, and two with published configurations."""

import os
import unittest

import vernier

NEEDS = ("torch", "transformers")

# One of each way that an encoding is asked: every family of frequencies, layouts of pairs, several axes, kinds of layers.
SAMPLE = """llama.LlamaRotaryEmbedding mistral.MistralRotaryEmbedding qwen2_5_vl.Qwen2_5_VLRotaryEmbedding
qwen2_vl.Qwen2VLVisionRotaryEmbedding gemma3.Gemma3RotaryEmbedding gpt_neox.GPTNeoXRotaryEmbedding phi3.Phi3RotaryEmbedding
deepseek_v3.DeepseekV3RotaryEmbedding llama4.Llama4TextRotaryEmbedding cohere.CohereRotaryEmbedding glm4.Glm4RotaryEmbedding
gpt_oss.GptOssRotaryEmbedding smollm3.SmolLM3RotaryEmbedding pixtral.PixtralVisionRotaryEmbedding t5.T5Attention
marian.MarianSinusoidalPositionalEmbedding m2m_100.M2M100SinusoidalPositionalEmbedding swin.SwinRelativePositionBias
whisper.sinusoids bloom.build_alibi_tensor""".split()


class Sample(unittest.TestCase):
    def test_each_class_conforms(self):
        wanted = {f"models.{model}.modeling_{model}.{name}" for model, name in (one.split(".") for one in SAMPLE)}
        survey = vernier.survey("transformers", only=wanted, dtypes=("float32", "bfloat16"))
        told = {one["name"]: one for _, one in survey.classes()}
        self.assertEqual(set(told), wanted)
        for name, one in told.items():
            with self.subTest(name):
                self.assertEqual(one["status"], "conforms", one["sentence"])
                self.assertGreaterEqual(one["rows"], 64)

    def test_published_configurations_show_what_defaults_do_not(self):
        folder = os.path.join(os.path.dirname(__file__), *[".."] * 4, "reference", "test", "configs")
        names = {f"models.{one}.modeling_{one}.{one.capitalize()}RotaryEmbedding" for one in ("dbrx", "ministral3")}
        survey = vernier.survey("transformers", only=names, dtypes=("float32",), configurations=folder)
        dbrx, ministral = [one["told"] for _, one in sorted(survey.classes(), key=lambda pair: pair[1]["name"])]
        self.assertTrue(ministral.startswith("conforms"), ministral)
        if survey.json["libraries"][0]["version"] == "5.18.0":  # reads no attn_config
            self.assertIn("dbrx-base, float32: the base is 10000, not 500000", dbrx)


if __name__ == "__main__":
    unittest.main()
