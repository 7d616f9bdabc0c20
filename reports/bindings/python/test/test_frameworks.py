"""Tensors of PyTorch and NumPy."""

import math
import unittest

import vernier

NEEDS = ("numpy", "torch")

try:
    import numpy
    import torch
except ImportError:
    pass

SPEC = {"scheme": "rope", "head_dim": 64}


def honest(dtype=None, rows=512):
    frequencies = 1.0 / 10000 ** (torch.arange(0, 64, 2, dtype=torch.int64).float() / 64)
    phases = torch.outer(torch.arange(rows).float(), frequencies)
    return phases.cos().to(dtype or torch.float32), phases.sin().to(dtype or torch.float32)


class Torch(unittest.TestCase):
    def test_tables_of_every_type_conform(self):
        for dtype in (torch.float32, torch.float16, torch.bfloat16):
            cos, sin = honest(dtype)
            verdict = vernier.check(SPEC, cos=cos, sin=sin)
            self.assertTrue(verdict, verdict.text)
            self.assertEqual(verdict.json["contracts"][0]["stored"], str(dtype).split(".")[1])

    def test_a_fault_is_named(self):
        frequencies = (1.0 / 10000 ** (torch.arange(0, 64, 2).double() / 64)).bfloat16().double()
        phases = torch.outer(torch.arange(2048).double(), frequencies)
        with self.assertRaisesRegex(AssertionError, "the frequencies are rounded to bfloat16"):
            vernier.assert_conforms(SPEC, cos=phases.cos().float(), sin=phases.sin().float())

    def test_one_miss_by_little_names_no_cause(self):
        """Phases reduced by a float32 2 pi: in bfloat16 one element of 524288 misses, by 2.4 budgets."""
        torch.manual_seed(1)
        x = torch.randn(8192, 64).bfloat16()
        frequencies = 1.0 / 10000.0 ** (torch.arange(0, 64, 2, dtype=torch.float32) / 64)
        phases = torch.outer(torch.arange(8192).float(), frequencies)
        phases -= torch.round(phases / torch.tensor(2 * math.pi)) * torch.tensor(2 * math.pi)
        cos, sin, (a, b) = phases.cos(), phases.sin(), x.float().chunk(2, -1)
        verdict = vernier.check(SPEC, input=x, rotated=torch.cat((a * cos - b * sin, b * cos + a * sin), -1).bfloat16())
        self.assertEqual([one["id"] for one in verdict.json["diagnosis"]], ["unexplained"], verdict.text)

    def test_any_layout(self):
        cos, sin = honest()
        both = torch.stack((cos, sin), dim=-1)
        self.assertTrue(vernier.check(SPEC, cos=both[..., 0], sin=both[..., 1]))
        self.assertTrue(vernier.check(SPEC, cos=cos.t().contiguous().t(), sin=sin[None, None]))
        self.assertTrue(vernier.check(SPEC, cos=cos[1::2], positions=torch.arange(1, 512, 2)))

    def test_parameters(self):
        cos, _ = honest()
        self.assertTrue(vernier.check(SPEC, cos=torch.nn.Parameter(cos)))

    def test_complex_tensors_are_cosines_and_sines(self):
        cos, sin = honest()
        for phasors in (torch.complex(cos, sin), torch.complex(cos, -sin).conj(), torch.stack((cos, sin), dim=-1)):
            verdict = vernier.check(SPEC, freqs_cis=phasors)
            self.assertTrue(verdict, verdict.text)
        verdict = vernier.check(SPEC, freqs_cis=torch.complex(cos, -sin))
        self.assertIn("accuracy/sin", verdict.text)
        with self.assertRaisesRegex(vernier.InputError, r"freqs_cis: found the shape \[.*\], expected"):
            vernier.check(SPEC, freqs_cis=cos)

    def test_signs_that_are_bits_beside_the_memory(self):
        cos, sin = honest()
        negated = torch.complex(cos, -sin).conj().imag
        self.assertTrue(negated.is_neg())
        self.assertTrue(vernier.check(SPEC, cos=cos, sin=negated))
        self.assertFalse(vernier.check(SPEC, cos=cos, sin=torch.complex(cos, sin).conj().imag))
        turned = torch.nn.Module()
        turned.freqs_cis = torch.complex(cos, -sin).conj()
        self.assertTrue(turned.freqs_cis.is_conj())
        self.assertTrue(vernier.check_model(turned, SPEC))
        with self.assertRaisesRegex(vernier.InputError, "^out: found a tensor with PyTorch's neg bit"):
            vernier.table(SPEC, "sin", range(3), out=torch.zeros(3, 32, dtype=torch.complex64).conj().imag)

    def test_what_cannot_be_read(self):
        cos, sin = honest()
        for tensor in (cos.to("meta"), cos.to_sparse(), torch.complex(cos, sin), cos > 0):
            with self.assertRaises(vernier.InputError) as raised:
                vernier.check(SPEC, cos=tensor)
            self.assertEqual(len(str(raised.exception).splitlines()), 1)

    def test_a_process_that_flushes_subnormals(self):
        cos, sin = honest()
        as_ever = vernier.check(SPEC, cos=cos, sin=sin).json
        torch.set_flush_denormal(True)
        try:
            self.assertEqual(vernier.check(SPEC, cos=cos, sin=sin).json, as_ever)
        finally:
            torch.set_flush_denormal(False)

    def test_certified_tables_become_tensors(self):
        table = vernier.table(SPEC, "cos", range(512), "bfloat16")
        tensor = torch.from_dlpack(table)
        self.assertEqual((tensor.dtype, tuple(tensor.shape)), (torch.bfloat16, (512, 32)))
        self.assertEqual(tensor.tolist(), table.tolist())
        del table
        self.assertLessEqual((tensor.float() - honest()[0]).abs().max().item(), 2.0**-8)
        out = torch.empty(512, 64, dtype=torch.float16).t()
        vernier.table(SPEC, "sin", torch.arange(512), out=out.t()[:, :32])
        self.assertTrue(vernier.check(SPEC, contract="correctly-rounded", sin=out.t()[:, :32]))


class NumPy(unittest.TestCase):
    def test_arrays(self):
        cos = honest()[0].numpy()
        self.assertTrue(vernier.check(SPEC, cos=cos))
        cos.flags.writeable = False
        self.assertTrue(vernier.check(SPEC, cos=cos, positions=numpy.arange(512, dtype=numpy.uint16)))
        self.assertTrue(vernier.check(SPEC, cos=numpy.asfortranarray(cos)[::2], positions=range(0, 512, 2)))
        with self.assertRaisesRegex(vernier.InputError, "machine's order"):
            vernier.check(SPEC, cos=cos.astype(">f4"))
        with self.assertRaisesRegex(vernier.InputError, "cos: found"):
            vernier.check(SPEC, cos=cos.astype(object))

    def test_certified_tables_become_arrays(self):
        for dtype in ("float64", "float32", "float16"):
            table = vernier.table(SPEC, "cos", range(9), dtype)
            for made in (numpy.asarray(table), numpy.from_dlpack(table)):
                self.assertEqual(made.tolist(), table.tolist())
                self.assertEqual(str(made.dtype), dtype)
        with self.assertRaises((TypeError, AttributeError, ValueError)):
            numpy.asarray(vernier.table(SPEC, "cos", range(9), "bfloat16"), dtype="float32")


if __name__ == "__main__":
    unittest.main()
