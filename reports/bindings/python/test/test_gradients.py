"""Both passes of a rotation, the backward one by PyTorch's autograd."""

import unittest

import vernier

NEEDS = ("torch",)

try:
    import torch
except ImportError:
    pass

SPEC = {"scheme": "rope", "head_dim": 16, "layout": "half", "max_position_embeddings": 256}
YARN = {**SPEC, "rope_scaling": {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 64,
                                 "attention_factor": 1.25}}
QUICK = {"seed": 1, "cases": 5, "quick": True}


def rotate_half(x):
    """As Hugging Face has it."""
    a, b = x.chunk(2, dim=-1)
    return torch.cat((-b, a), dim=-1)


def tables(request):
    request.require(scheme=["rope"], layout=["half"])
    inv_freq = 10000.0 ** (-torch.arange(0, 16, 2, dtype=torch.float64) / 16)
    angles = torch.outer(torch.from_dlpack(request.positions).double(), inv_freq)
    angles = torch.cat((angles, angles), dim=-1)
    return angles.cos(), angles.sin()


def forward(request):
    if request.input is None:
        raise vernier.Unsupported("tables")
    cos, sin = tables(request)
    x = torch.from_dlpack(request.input)
    return {"rotated": (x.double() * cos + rotate_half(x.double()) * sin).to(x.dtype)}


def by_autograd(request):
    cos, sin = tables(request)
    gradient = torch.from_dlpack(request.input)
    x = torch.zeros_like(gradient, requires_grad=True)
    (x.double() * cos + rotate_half(x.double()) * sin).to(x.dtype).backward(gradient)
    return {"input_gradient": x.grad}


def turned_by(sense, factor=1.0):
    def backward(request):
        cos, sin = tables(request)
        gradient = torch.from_dlpack(request.input)
        x = gradient.double()
        return {"input_gradient": (factor * (x * cos + sense * rotate_half(x) * sin)).to(gradient.dtype)}
    return backward


def statuses(verdict):
    return {one["id"]: one["status"] for one in verdict.json["checks"]}


class Gradients(unittest.TestCase):
    def test_autograd_conforms(self):
        verdict = vernier.validate(forward, SPEC, backward=by_autograd, **QUICK)
        self.assertTrue(verdict, verdict.full_text)
        found = statuses(verdict)
        for check in ("implementation/answers/input_gradient", "accuracy/input_gradient", "norm/input_gradient",
                      "law/rope/adjoint", "law/rope/transpose-returns", "use/heads", "effects/determinism"):
            self.assertEqual(found[check], "pass", check)

    def test_no_backward_pass_is_skipped(self):
        verdict = vernier.validate(forward, SPEC, **QUICK)
        self.assertTrue(verdict, verdict.full_text)
        found = statuses(verdict)
        self.assertEqual(found["implementation/answers/input_gradient"], "skipped")
        self.assertNotIn("law/rope/adjoint", found)

    def test_faults_are_named(self):
        for backward, name in ((turned_by(1), "the gradient rotates in the declared forward direction"),
                               (turned_by(-1, 2.0), "the amplitude is 2, not 1")):
            verdict = vernier.validate(forward, SPEC, backward=backward, **QUICK)
            self.assertFalse(verdict)
            self.assertIn(name, verdict.text)
            self.assertEqual(statuses(verdict)["accuracy/rotated"], "pass")
            self.assertEqual(statuses(verdict)["law/rope/adjoint"], "fail")

    def test_both_passes_are_judged_where_they_are(self):
        request = next(one for one in vernier.requests(SPEC, 200, takes="gradients", seed=1)
                       if one.roles == ["input_gradient"] and max(one.flat_positions) > 0)
        self.assertTrue(vernier.assert_answers(vernier.implementation(forward, backward=by_autograd), request))
        with self.assertRaisesRegex(AssertionError, "the gradient rotates in the declared forward direction"):
            vernier.assert_answers(vernier.implementation(forward, backward=turned_by(1)), request)

    def test_stored_gradients(self):
        positions = torch.arange(64)
        x, gradient = torch.randn(2, 64, 16), torch.randn(2, 64, 16)
        request = vernier.Request(SPEC, positions, [], x)
        rotated = forward(request)["rotated"]
        for sense, conforms in ((-1, True), (1, False)):
            request.input = gradient
            verdict = vernier.check(SPEC, positions=positions, input=x, rotated=rotated, output_gradient=gradient,
                                    **turned_by(sense)(request))
            self.assertEqual(bool(verdict), conforms, verdict.text)

    def test_an_inverse_is_no_transpose(self):
        positions = torch.arange(64)
        x = torch.randn(64, 16)
        factor = 1.25
        cos = vernier.table(YARN, "cos", range(64), columns=16)
        sin = vernier.table(YARN, "sin", range(64), columns=16)
        cos, sin = torch.from_dlpack(cos).double(), torch.from_dlpack(sin).double()
        back = (x.double() * cos - rotate_half(x.double()) * sin)
        for operation, rotated, conforms in (("transpose", back, True), ("inverse", back / factor**2, True),
                                             ("inverse", back, False)):
            verdict = vernier.check({**YARN, "operation": operation}, positions=positions, input=x,
                                    rotated=rotated.float())
            self.assertEqual(bool(verdict), conforms, verdict.text)
        self.assertIn("the inverse multiplies by the amplitude 1.25 where it should divide", verdict.text)
