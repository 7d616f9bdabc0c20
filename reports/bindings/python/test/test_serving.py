"""Functions as implementations that `vernier validate --serve` asks."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import vernier

NEEDS = ("numpy", "torch")

try:
    import numpy
    import torch

    from vernier._tensors import HostTensor
except ImportError:
    pass

ROPE = """
import numpy, vernier

cache = {}

def tables(request, length):
    d = request.spec["head_dim"]
    exponents = numpy.arange(0, d, 2, dtype=numpy.float32) / numpy.float32(d)
    frequencies = numpy.float32(1) / numpy.float32(request.spec["rope_theta"]) ** exponents
    return numpy.outer(numpy.arange(length, dtype=numpy.float32), frequencies) * numpy.float32(STRETCH)

@vernier.implementation(name="a tested rope")
def rope(request):
    request.require(scheme=["rope"], layout=["half"])
    print("noise")
    if request.dtype != "float32":
        raise vernier.Unsupported(request.dtype)
    positions = numpy.asarray(request.positions)
    if positions.min() < 0:
        raise IndexError(f"position {int(positions.min())}")
    phases = PHASES
    phases = numpy.concatenate((phases, phases), axis=-1)
    cos, sin = numpy.cos(phases), numpy.sin(phases)
    if request.input is None:
        return {"cos": cos[:, : request.wanted[0].shape[-1]], "sin": sin[:, : request.wanted[0].shape[-1]]}
    x = numpy.asarray(request.input)
    a, b = numpy.split(x, 2, axis=-1)
    return {"rotated": x * cos + numpy.concatenate((-b, a), axis=-1) * sin}

if __name__ == "__main__":
    rope.serve()
"""
HONEST = ROPE.replace("STRETCH", "1").replace("PHASES", "tables(request, int(positions.max()) + 1)[positions]")
# A prompt beyond the context rebuilds the table by another rule, and every later call finds it so.
KEPT = ROPE.replace("STRETCH", "(1.0 if length <= 512 else 0.5)").replace(
    "PHASES", "cache.setdefault('table' if positions.max() < cache.get('length', 512) else cache.update(table="
    "tables(request, int(positions.max()) + 1), length=int(positions.max()) + 1) or 'table', tables(request, 512))[positions]")
SPEC = {"scheme": "rope", "head_dim": 32, "max_position_embeddings": 512}


class Serving(unittest.TestCase):
    def judged(self, script, spec=SPEC, *options):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("rope.py", script), ("spec.json", json.dumps(spec))):
                with open(os.path.join(folder, name), "w") as file:
                    file.write(text)
            run = subprocess.run(
                [os.environ["VERNIER_PROGRAM"], "validate", "--spec", "spec.json", "--serve", f"'{sys.executable}' rope.py",
                 "--cases", "5", "--seed", "1", "--json", "-", *options],
                cwd=folder, capture_output=True, text=True, timeout=300)
        self.assertTrue(run.stdout, run.stderr)
        return json.loads(run.stdout)

    def test_an_honest_function_conforms(self):
        verdict = self.judged(HONEST)
        self.assertEqual(verdict["verdict"], "conforms", verdict["summary"])
        self.assertIn("a tested rope", verdict["producer"])

    def test_a_table_kept_after_a_long_prompt_is_found(self):
        verdict = self.judged(KEPT)
        self.assertEqual(verdict["verdict"], "does_not_conform")
        check = next(one for one in verdict["checks"] if one["id"] == "state/history")
        self.assertEqual(check["status"], "fail", check)
        self.assertIn("position 1023", json.dumps(check))

    def test_what_it_does_not_do_is_unsupported(self):
        verdict = self.judged(HONEST, {**SPEC, "layout": "interleaved"})
        self.assertEqual(verdict["verdict"], "nothing_checked")
        self.assertIn("layout 'interleaved'", json.dumps(verdict))

    def test_other_answers_are_told(self):
        for body, told in (("return 3", "expected a dict of tensors by role"),
                           ("return {'cos': memoryview(b'')}", "the response has `cos`, expected `cos`, `sin`"),
                           ("return {'cos': 1, 'sin': 2}", "cos: found an int"),
                           ("raise ValueError('two\\nlines')", "ValueError: two lines")):
            script = f"import vernier\n@vernier.implementation\ndef f(request):\n  {body}\nf.serve()\n"
            with self.subTest(body):
                self.assertIn(told, json.dumps(self.judged(script)))

    def test_it_is_still_a_function(self):
        function = vernier.implementation(lambda request: {"cos": request})
        self.assertEqual(function(5), {"cos": 5})


class Bytes(unittest.TestCase):
    def test_of_any_layout(self):
        dense = numpy.arange(24, dtype=numpy.float32).reshape(2, 3, 4)
        for array in (dense, dense.transpose(2, 0, 1), dense[:, ::2], dense[..., ::-1], dense[::-1, 1:, ::2],
                      numpy.broadcast_to(dense[:, :1, :1], (2, 3, 4)), dense[0, 0, 0], dense[:, :0]):
            self.assertEqual(HostTensor(array, "x").contiguous_bytes(), numpy.ascontiguousarray(array).tobytes())
        tensor = torch.arange(6).reshape(2, 3).t()
        self.assertEqual(HostTensor(tensor, "x").contiguous_bytes(), tensor.contiguous().numpy().tobytes())


if __name__ == "__main__":
    unittest.main()
