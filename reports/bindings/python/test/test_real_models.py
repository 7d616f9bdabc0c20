"""check_model on the classes of transformers itself, tiny and with random weights: honest models conform, planted faults
are refused and named."""

import collections
import os
import tempfile
import unittest

import vernier

NEEDS = ("torch", "transformers")

os.environ.setdefault("HF_HUB_OFFLINE", "1")
try:
    import torch
    import transformers
    from planted_faults import FAULTS, held, names, planted
    from real_models import HELD_SINCE_5, HOLD_NONE, MODELS, OF_SEVERAL_PARTS, built
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    torch.set_num_threads(1)
except ImportError:
    MODELS = OF_SEVERAL_PARTS = FAULTS = {}

# Issue 73 asks for 30 classes and for this share of named faults. All faults are refused.
CLASSES, NAMED = 30, 0.9
# All pairs of a model and a fault take about six minutes. By default every model has one of its faults, in turn.
ALL_FAULTS = os.environ.get("VERNIER_ALL_FAULTS") == "1"


def known(models):
    """Those whose class this version of transformers has, and has with tensors."""
    without = HELD_SINCE_5 if int(transformers.__version__.split(".")[0]) < 5 else ()
    return [name for name in models if hasattr(transformers, models[name][0] + "Config") and name not in without]


class Wrapper(torch.nn.Module if MODELS else object):
    """As adapters wrap a model: base_model.model, without a configuration."""

    def __init__(self, model):
        super().__init__()
        self.base_model = torch.nn.Module()
        self.base_model.model = model


class RealModels(unittest.TestCase):
    def assert_conforms(self, model, config=None):
        report = vernier.check_model(model, config)
        self.assertTrue(report, report)
        self.assertEqual(report.faults, [])
        return report

    def test_honest_models_conform(self):
        """No class is accused, and of none is nothing found."""
        judged = set()
        for name in known(MODELS):
            with self.subTest(name):
                model = built(name)
                self.assert_conforms(model)
                judged.add(type(model).__name__)
        self.assertGreaterEqual(len(judged), CLASSES)

    def test_parts_are_held_to_the_configurations_of_their_modules(self):
        """A model of several parts has more than one base, width or order: none is accused by that of another part."""
        for name in known(OF_SEVERAL_PARTS):
            with self.subTest(name):
                self.assert_conforms(built(name, OF_SEVERAL_PARTS))
                model = built(name, OF_SEVERAL_PARTS)
                module, tensor = next(one for one in held(model) if "main" not in one[1])
                setattr(module, tensor, getattr(module, tensor).flip(0))
                self.assertEqual(len(vernier.check_model(model).faults), 1)

    def test_planted_faults_are_refused_and_named(self):
        """The finding's sentence has the words for the fault."""
        tried, missed = collections.Counter(), []
        for name in known(MODELS):
            model = built(name)
            possible = [fault for fault in FAULTS if FAULTS[fault].fits(model)]
            # The fault that was tried least.
            for fault in possible if ALL_FAULTS else [min(possible, key=tried.__getitem__)]:
                report = vernier.check_model(planted(name, fault))
                tried[fault] += 1
                self.assertTrue(report.faults, f"{name}, {fault}: not refused\n{report}")
                self.assertFalse(report)
                if not names(fault, str(report.faults[0])):
                    missed.append(f"{name}, {fault}: {report.faults[0]}")
        pairs = sum(tried.values())
        self.assertEqual(set(tried), set(FAULTS), "a fault that fits no model is no test")
        self.assertGreaterEqual(pairs, CLASSES)
        self.assertGreaterEqual(1 - len(missed) / pairs, NAMED, "\n".join(missed))
        if ALL_FAULTS:
            print(f"{pairs - len(missed)} of {pairs} named", dict(tried), *missed, sep="\n")

    def test_models_that_hold_no_encoding(self):
        """Slopes and buckets are computed as they are added: nothing is judged, and nothing is accused."""
        for name in known(HOLD_NONE):
            with self.subTest(name):
                report = vernier.check_model(built(name, HOLD_NONE))
                self.assertFalse(report)
                self.assertEqual(report.faults, [])
                self.assertRegex(str(report), "^nothing (found|judged)")
                self.assertNotRegex(str(report), "tables=.*(norm|embed_tokens|word)")

    def test_models_without_values(self):
        """On the meta device a model has nothing to judge. The report says so, and accuses nothing."""
        for name in ("llama, yarn", "gemma3", "gptj", "m2m_100"):
            with self.subTest(name), torch.device("meta"):
                report = vernier.check_model(built(name))
                self.assertFalse(report)
                self.assertEqual(report.faults, [])
                self.assertIn("nothing judged", str(report))
                self.assertIn("not judged: it is on the meta device", str(report))

    def test_wrapped_models(self):
        """A wrapper changes the names of tensors, and may hide the configuration."""
        for name in ("llama, llama3", "gemma3", "m2m_100"):
            with self.subTest(name):
                for wrap in (Wrapper, torch.compile, torch.nn.DataParallel):
                    self.assert_conforms(wrap(built(name)))
                fault = "shift" if name == "m2m_100" else "pair"
                self.assertTrue(vernier.check_model(Wrapper(planted(name, fault))).faults)

    def test_models_in_types_of_16_bits(self):
        """Frequencies that are cast with the weights have lost their precision. Tables that are cast are the roundings of
        honest ones."""
        for dtype, called in ((torch.bfloat16, "bfloat16"), (torch.float16, "float16")):
            for name in ("llama", "gemma3", "gpt_neox"):
                with self.subTest(name, dtype=dtype):
                    report = vernier.check_model(built(name).to(dtype))
                    self.assertTrue(report.faults)
                    for fault in report.faults:
                        self.assertIn(f"the frequencies are rounded to {called}, the type of the tensor", str(fault))
            for name in ("marian", "gptj", "m2m_100", "whisper"):
                with self.subTest(name, dtype=dtype):
                    self.assert_conforms(built(name).to(dtype))

    def test_models_that_were_stored(self):
        """What is loaded in bfloat16 has frequencies of float32: buffers that are not stored are computed anew."""
        for name in ("llama, tied", "llama, yarn", "gemma3"):
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                model = built(name)
                model.save_pretrained(folder)
                loaded = type(model).from_pretrained(folder, dtype=torch.bfloat16)
                self.assertEqual(next(loaded.parameters()).dtype, torch.bfloat16)
                self.assert_conforms(loaded)
                self.assert_conforms(loaded, os.path.join(folder, "config.json"))

    def test_frequencies_for_longer_texts(self):
        """After a long text a module holds the frequencies of that length."""
        for name, length in (("llama, dynamic", 3000), ("llama, longrope", 5000)):
            with self.subTest(name), torch.no_grad():
                model = built(name)
                before = dict(model.named_buffers())["rotary_emb.inv_freq"].clone()
                model.rotary_emb(torch.zeros(1, 1, 1), torch.arange(length)[None])
                self.assertFalse(torch.equal(before, model.rotary_emb.inv_freq))
                self.assert_conforms(model)
                model.rotary_emb.inv_freq = model.rotary_emb.inv_freq * 1.01
                self.assertTrue(vernier.check_model(model).faults)


if __name__ == "__main__":
    unittest.main()
