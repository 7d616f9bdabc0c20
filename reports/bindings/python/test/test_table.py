"""Certified tables, without any other package."""

import array
import gc
import math
import unittest

import vernier

ROPE = {"scheme": "rope", "head_dim": 16}


class Table(unittest.TestCase):
    def test_elements_are_rounded_truths(self):
        table = vernier.table(ROPE, "cos", range(100), "float64")
        self.assertEqual((table.role, table.shape, table.dtype), ("cos", (100, 8), "float64"))
        self.assertEqual(repr(table), "<vernier.Table: cos [100, 8] float64>")
        rows = table.tolist()
        self.assertEqual(rows[0], [1.0] * 8)
        for position in (1, 42, 99):
            for pair in range(8):
                self.assertAlmostEqual(rows[position][pair], math.cos(position * 10000.0 ** (-pair / 8)), delta=1e-14)

    def test_types(self):
        exact = vernier.table(ROPE, "sin", range(50), "float64").tolist()
        for dtype, rounding in (
            ("float32", 2.0**-24),
            ("float16", 2.0**-11),
            ("bfloat16", 2.0**-8),
            ("float8_e4m3fn", 2.0**-4),
            ("float8_e4m3fnuz", 2.0**-4),
            ("float8_e5m2", 2.0**-3),
            ("float8_e5m2fnuz", 2.0**-3),
        ):
            table = vernier.table(ROPE, "sin", range(50), dtype)
            self.assertEqual(len(bytes(table)), table.nbytes)
            for row, expected in zip(table.tolist(), exact):
                for one, truth in zip(row, expected):
                    self.assertLessEqual(abs(one - truth), rounding * max(abs(truth), 2.0**-6))

    def test_numbers_of_eight_bits_are_told_apart(self):
        # Code 10 of DLPack 1.1 and its neighbours; memory that says float8 by its dtype is taken too.
        class Bits(bytearray):
            dtype, shape = "float8_e4m3fn", (8, 8)

            def view(self, _):
                return memoryview(self).cast("B", [8, 8])

        table = vernier.table(ROPE, "cos", range(8), "float8_e4m3fn")
        self.assertEqual((table._type.code, table._type.bits), (10, 8))
        right = Bits(bytes(table))
        self.assertTrue(vernier.check(ROPE, contract="correctly-rounded", cos=right))
        # The same bits mean half as much in the other format.
        right.dtype = "float8_e4m3fnuz"
        verdict = vernier.check(ROPE, cos=right)
        self.assertFalse(verdict)
        self.assertIn("the bits are those of float8_e4m3fn, read as float8_e4m3fnuz", str(verdict))

    def test_other_tensors(self):
        self.assertEqual(vernier.table({"scheme": "alibi", "num_heads": 2}, "slopes", [0]).tolist(), [2.0**-4, 2.0**-8])
        bias = vernier.table({"scheme": "alibi", "num_heads": 2}, "bias", range(3), queries=2)
        self.assertEqual(bias.shape, (2, 2, 3))
        buckets = vernier.table({"scheme": "t5_bucket"}, "buckets", [-1, 0, 1], "int64")
        self.assertEqual(buckets.tolist(), [1, 0, 17])
        self.assertEqual(vernier.table(ROPE, "cos", range(4), columns=16).shape, (4, 16))
        self.assertEqual(vernier.table(ROPE, positions=range(4)).role, "cos")
        self.assertEqual(vernier.table(ROPE, "cos", []).tolist(), [])

    def test_written_where_it_is_wanted(self):
        memory = array.array("f", [0] * 32)
        out = memoryview(memory).cast("B").cast("f", [4, 8])
        self.assertIs(vernier.table(ROPE, "cos", [5, 3, 3, -2], out=out), out)
        self.assertEqual(out.tolist(), vernier.table(ROPE, "cos", [5, 3, 3, -2]).tolist())
        backwards = vernier.table(ROPE, "cos", [5, 3, 3, -2], out=out[::-1])
        self.assertEqual(backwards.tolist(), vernier.table(ROPE, "cos", [5, 3, 3, -2]).tolist())
        with self.assertRaisesRegex(vernier.InputError, "out: "):
            vernier.table(ROPE, "cos", range(1), out=memoryview(b"12345678").cast("f"))

    def test_judged_it_conforms(self):
        for dtype in (
            "float64", "float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz"
        ):
            table = vernier.table(ROPE, "cos", range(64), dtype)
            self.assertTrue(vernier.check(ROPE, contract="correctly-rounded", cos=table), dtype)

    def test_capsules_release_what_they_hold(self):
        table = vernier.table(ROPE, "cos", range(10000), columns=16)
        for _ in range(2000):  # 1.3 GB, were it kept
            table.__dlpack__()
        gc.collect()
        with open("/proc/self/status") as status:
            most = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
        self.assertLess(most, 500_000)
        with self.assertRaises(BufferError):
            table.__dlpack__(dl_device=(2, 0))
        with self.assertRaises(BufferError):
            table.__dlpack__(copy=False)

    def test_bad_input_is_one_sentence(self):
        for pattern, arguments in (
            ('found no tensor "cosine", expected cos of 8 columns', dict(role="cosine", positions=range(3))),
            ("of 7 columns", dict(role="cos", positions=range(3), columns=7)),
            ('dtype: found "float8"', dict(role="cos", positions=range(3), dtype="float8")),
            ("expected a floating-point type for sines", dict(role="cos", positions=range(3), dtype="int32")),
            ("positions: found", dict(role="cos", positions=[0.5])),
            ("positions: found", dict(role="cos", positions=3)),
            ("positions: found", dict(role="cos", positions=[1 << 40])),
            ("positions: found a range beyond 2147483648", dict(role="cos", positions=range(1 << 62))),
            ("positions: found a range beyond 2147483648", dict(role="cos", positions=range(-10**5000, 0))),
            ("found 2147483649 positions, expected at most 268435456", dict(positions=range((1 << 31) + 1))),
        ):
            with self.subTest(pattern):
                with self.assertRaisesRegex(vernier.InputError, pattern) as raised:
                    vernier.table(ROPE, **arguments)
                self.assertEqual(len(str(raised.exception).splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
