"""Functions that are asked in the test's own process, and the questions that they are asked."""

import os
import signal
import traceback
import unittest

import vernier

NEEDS = ("numpy",)

try:
    import numpy
except ImportError:
    pass

SPEC = {"scheme": "rope", "head_dim": 16, "max_position_embeddings": 256}
QUICK = {"seed": 1, "cases": 2, "quick": True}


class Rope:
    """RoPE in halves, and what may be wrong with it."""

    asked = 0

    def phases(self, request, positions):
        return numpy.outer(positions, 10000.0 ** (-numpy.arange(8) / 8))

    def finished(self, answer):
        return answer

    def __call__(self, request):
        self.asked += 1
        request.require(scheme=["rope"], layout=["half"])
        positions = numpy.asarray(request.positions)
        if positions.min() < 0:
            raise IndexError(f"position {positions.min()}")
        if request.dtype == "bfloat16":
            raise vernier.Unsupported("bfloat16")
        phases = self.phases(request, positions)
        cos, sin = numpy.cos(phases), numpy.sin(phases)
        if request.input is None:
            answer = {"cos": cos, "sin": sin}
        else:
            a, b = numpy.split(numpy.asarray(request.input).astype("float64"), 2, axis=-1)
            answer = {"rotated": numpy.concatenate((a * cos - b * sin, b * cos + a * sin), axis=-1)}
        return self.finished({role: one.astype(request.dtype) for role, one in answer.items()})


def statuses(verdict):
    return {one["id"]: one["status"] for one in verdict.json["checks"]}


class InProcess(unittest.TestCase):
    def test_one_that_takes_real_positions_is_asked_for_fractions(self):
        types = set()

        class Watched(Rope):
            def phases(self, request, positions):
                types.add(request.positions.dtype)
                return super().phases(request, positions.astype("float64"))

        rope = vernier.implementation(Watched(), takes="float32-positions")
        verdict = vernier.validate(rope, SPEC, **QUICK)
        self.assertTrue(verdict, verdict.full_text)
        self.assertEqual(types, {"float32"})
        question = next(one for one in vernier.requests(SPEC, 5, seed=1, takes="float32-positions") if one.rows > 1)
        self.assertTrue(any(one != int(one) for one in question.flat_positions), str(question))
        vernier.assert_answers(rope, question)

    def test_an_honest_function_conforms(self):
        rope = vernier.implementation(Rope(), name="tested rope")
        verdict = vernier.validate(rope, SPEC, name="mine", **QUICK)
        self.assertTrue(verdict, verdict.full_text)
        self.assertTrue(verdict.text.startswith("mine: conforms"), verdict.text)
        self.assertEqual(verdict.json["producer"], "tested rope")
        self.assertEqual({type(one) for one in verdict.exceptions}, {IndexError})
        found = statuses(verdict)
        for id in ("accuracy/cos", "accuracy/rotated", "effects/determinism", "use/order", "use/heads",
                   "law/rope/offset-only"):
            self.assertEqual(found[id], "pass", id)
        for id in ("effects/memory", "effects/input"):
            self.assertEqual(found[id], "skipped", id)
        self.assertIn("asked in the caller's own process", verdict.full_text)
        with self.assertRaisesRegex(vernier.InputError, "takes: found one-length"):
            vernier.validate(rope, SPEC, takes="one-length")

    def test_a_table_that_is_kept_is_found(self):
        class Kept(Rope):
            length = 256

            def phases(self, request, positions):
                self.length = max(self.length, int(positions.max()) + 1)
                return super().phases(request, positions) * (1.0 if self.length <= 256 else 0.5)

        verdict = vernier.validate(Kept(), SPEC, roles=["cos", "sin"], **QUICK)
        self.assertEqual(verdict.exit_code, 1)
        failing = [one for one in verdict.json["checks"] if one["status"] == "fail"]
        self.assertTrue(any(one["id"].startswith(("state/", "effects/")) for one in failing), failing)

    def test_other_answers_are_told_as_a_servers(self):
        for finished, told in ((lambda self, answer: 3, "InputError: the answer: found int, expected a dict"),
                               (lambda self, answer: {}, "the response has no tensor, expected `cos`, `sin`"),
                               (lambda self, answer: {role: one[:, :3] for role, one in answer.items()},
                                "the response has cos of shape [8, 3], expected [8, 8]"),
                               (lambda self, answer: {role: one.astype("float64") for role, one in answer.items()},
                                "the response has cos of float64, expected float32"),
                               (lambda self, answer: {role: one * numpy.nan for role, one in answer.items()},
                                "finite/cos")):
            with self.subTest(told):
                wrong = type("Wrong", (Rope,), {"finished": finished})()
                verdict = vernier.validate(wrong, SPEC, roles=["cos", "sin"], **QUICK)
                self.assertFalse(verdict)
                self.assertIn(told, verdict.full_text)

    def test_exceptions_come_back_as_what_they_are(self):
        def fails(request):
            raise ValueError("two\nlines")

        verdict = vernier.validate(fails, SPEC, **QUICK)
        self.assertEqual(verdict.exit_code, 1)
        self.assertIn("ValueError: two lines", verdict.full_text)
        self.assertEqual(str(verdict.exceptions[0]), "two\nlines")
        self.assertIn("in fails", "".join(traceback.format_tb(verdict.exceptions[0].__traceback__)))
        for kind in (KeyboardInterrupt, SystemExit):
            def ends(request):
                raise kind("now")

            with self.assertRaisesRegex(kind, "now"):
                vernier.validate(ends, SPEC, **QUICK)

    def test_an_interrupt_between_two_questions(self):
        class Interrupted(Rope):
            def finished(self, answer):
                if self.asked == 3:
                    signal.setitimer(signal.ITIMER_REAL, 1e-6)
                return super().finished(answer)

        before = signal.signal(signal.SIGALRM, lambda number, frame: os.kill(os.getpid(), signal.SIGINT))
        try:
            with self.assertRaises(KeyboardInterrupt):
                vernier.validate(Interrupted(), SPEC, **QUICK)
        finally:
            signal.signal(signal.SIGALRM, before)
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)

    def test_options(self):
        for options, told in (({"dtype": []}, "dtype: found list"), ({"seed": "1"}, "seed: found '1'"),
                              ({"positions": [1]}, "positions: found"), ({"roles": "cos"}, "roles: found"),
                              ({"roles": ["tan"]}, "tan"), ({"waivers": [object()]}, "waivers: found list"),
                              ({"cases": 0}, "cases")):
            with self.subTest(options), self.assertRaisesRegex(vernier.InputError, told):
                vernier.validate(Rope(), SPEC, **options)


class Requests(unittest.TestCase):
    def test_are_those_of_the_seed(self):
        names = [str(one) for one in vernier.requests(SPEC, count=20, seed=1)]
        self.assertEqual(len(names), 20)
        self.assertEqual(names, [str(one) for one in vernier.requests(SPEC, count=20, seed=1)])
        self.assertNotEqual(names, [str(one) for one in vernier.requests(SPEC, count=20, seed=2)])
        kinds = {name.split("-")[0] for name in names}
        self.assertEqual(kinds, {"cos+sin", "rotated"})
        self.assertTrue(any("x" in name for name in names), names)
        only = vernier.requests(SPEC, count=5, seed=1, dtype="bfloat16", roles=["cos"], positions=range(32))
        self.assertEqual({(one.dtype, *one.roles) for one in only}, {("bfloat16", "cos")})
        self.assertLessEqual(max(max(memoryview(bytes(one.positions)).cast("q")) for one in only), 31)

    def test_an_honest_function_answers_all(self):
        questions = vernier.requests(SPEC, count=1000, seed=1)
        for question in questions:
            verdict = vernier.assert_answers(Rope(), question)
            self.assertIn(verdict.exit_code, (0, 4))
        self.assertGreater(len(questions), 20)

    def test_what_fails_is_told_of_few_rows(self):
        class Beyond(Rope):
            def phases(self, request, positions):
                return super().phases(request, numpy.where(positions == 100, 101, positions))

        with self.assertRaises(AssertionError) as caught:
            for question in vernier.requests(SPEC, count=200, seed=1, roles=["cos", "sin"]):
                vernier.assert_answers(Beyond(), question)
        self.assertIn("the fewest rows that fail too: cos+sin-float32-100", str(caught.exception))
        self.assertEqual(caught.exception.verdict.exit_code, 1)
        self.assertIn("does not conform", str(caught.exception))

    def test_a_part_of_the_rows(self):
        whole = max(vernier.requests(SPEC, count=1000, seed=1, roles=["rotated"]), key=lambda one: one.rows)
        part = whole.of_rows([2, 0])
        self.assertEqual(part.positions.tolist(), [whole.positions.tolist()[i] for i in (2, 0)])
        self.assertEqual(part.input.tolist(), [whole.input.tolist()[i] for i in (2, 0)])
        self.assertEqual(part.wanted[0].shape, (2, 16))


class Arguments(unittest.TestCase):
    def test_of_another_type_are_named(self):
        for call, told in ((lambda: vernier.table(SPEC, "cos", [0], []), "dtype: found list"),
                           (lambda: vernier.table(SPEC, "cos", [0], queries=object()), "queries: found object"),
                           (lambda: vernier.check(SPEC, waivers=[object()], cos=numpy.ones((1, 8))), "waivers: found"),
                           (lambda: vernier.requests(SPEC, count=0), "count: found 0"),
                           (lambda: vernier.requests(SPEC, roles=5), "roles: found 5")):
            with self.assertRaisesRegex(vernier.InputError, told):
                call()


class Memory(unittest.TestCase):
    def test_that_is_read_again_and_again_has_a_limit(self):
        huge = numpy.broadcast_to(numpy.zeros(1, dtype="float32"), (1 << 40, 8))
        with self.assertRaisesRegex(vernier.InputError, "elements that share memory"):
            vernier.check(SPEC, cos=huge)
        with self.assertRaisesRegex(vernier.InputError, "elements that share memory"):
            from vernier._tensors import HostTensor

            HostTensor(huge, "cos").contiguous_bytes()


if __name__ == "__main__":
    unittest.main()
