"""What `vernier readers` says that transformers reads, held to what its installed classes compute."""

import contextlib
import importlib
import inspect
import json
import os
import subprocess
import tempfile
import unittest

import vernier

NEEDS = ("torch", "transformers")
SCALINGS = ("linear", "yarn", "llama3")
ROWS = 96

try:
    import torch
    import transformers

    from vernier._survey import Unjudged
    from vernier._survey.adapters import _rotations
    from vernier._survey.adapters.transformers import configurations
except ImportError:
    pass


def reader_of(config, name):
    """The spec that the program says a reader reads from a configuration; None where it was not read for that model."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(config.to_dict(), file, default=str)
        file.flush()
        told = subprocess.run([os.environ["VERNIER_PROGRAM"], "readers", file.name, "--json", "-"], capture_output=True, text=True)
    readers = json.loads(told.stdout)["readers"] if told.stdout else []
    return next((one["spec"] for one in readers if one["reader"] == name), None)


def rotary_class(model_type):
    """The rotary class of a model type's module; None where it has none, or several."""
    module = transformers.CONFIG_MAPPING[model_type].__module__.replace(".configuration_", ".modeling_")
    found = [one for name, one in vars(importlib.import_module(module)).items()
             if name.endswith("RotaryEmbedding") and "Vision" not in name]
    return found[0] if len(found) == 1 else None


class Readers(unittest.TestCase):
    def test_the_spec_of_a_reader_is_what_the_class_computes(self):
        name = "transformers 5" if int(transformers.__version__.split(".")[0]) >= 5 else "transformers 4.57"
        with open(os.path.join(os.path.dirname(__file__), *[".."] * 4, "reference", "readers", "readers.json"), encoding="utf-8") as file:
            reader = next(one for one in json.load(file)["readers"] if one["name"] == name)
        judged = 0
        for model_type in reader["read_for"]["model_types"]:
            if model_type not in transformers.CONFIG_MAPPING:
                continue
            thing = rotary_class(model_type)
            if thing is None:
                continue
            try:
                config, module, _ = configurations.built(thing)
            except Unjudged:
                continue  # the survey tells why
            if "layer_type" in inspect.signature(thing.forward).parameters:
                continue  # the program tells one kind of layers
            variants = [("default", config, module)]
            for scaling, other in configurations.scaled(config, len(module.inv_freq)):
                if scaling in SCALINGS:
                    with contextlib.suppress(TypeError):  # a head_dim of None, which transformers 5.18 multiplies
                        variants.append((scaling, other, thing(other)))
            for told, other, built in variants:
                with self.subTest(model_type=model_type, scaling=told):
                    spec = reader_of(other, name)
                    if spec is None or "mrope" in json.dumps(spec):
                        continue
                    cos, sin = self.tables(built)
                    pairs = _rotations.pairs_of(spec)
                    verdict = vernier.check(spec, cos=_rotations.of_pairs(cos, pairs), sin=_rotations.of_pairs(sin, pairs))
                    self.assertTrue(verdict, verdict.text)
                    judged += 1
        # 30 model types with a class of their own, and three scalings of most.
        self.assertGreaterEqual(judged, 100)

    def tables(self, module):
        at = torch.arange(ROWS)[None]
        answer = module(torch.zeros(1, 1, 1), at)
        pair = (answer.real, answer.imag) if torch.is_tensor(answer) else answer
        return [one.reshape(ROWS, -1) for one in pair]


if __name__ == "__main__":
    unittest.main()
