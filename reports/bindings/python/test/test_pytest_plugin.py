"""The pytest plug-in, in sessions of pytest's own."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

NEEDS = ("pytest",)

TESTS = """
import array, math

ROPE = {"scheme": "rope", "head_dim": 16}

def cosines(base):
    rows = [math.cos(p * base ** (-i / 8)) for p in range(64) for i in range(8)]
    return memoryview(array.array("f", rows)).cast("B").cast("f", [64, 8])

def test_honest(vernier):
    vernier.assert_conforms(ROPE, cos=cosines(10000.0))
    assert vernier.table(ROPE, "cos", [0]).tolist() == [[1.0] * 8]

def test_wrong(vernier):
    vernier.assert_conforms(ROPE, cos=cosines(20000.0))

def test_twice(vernier):
    assert vernier.check(ROPE, cos=cosines(10000.0))
    assert not vernier.check(ROPE, cos=cosines(20000.0), name="other")

def test_refused(vernier):
    try:
        vernier.check(ROPE, cos=1)
    except vernier.InputError:
        return
    assert False
"""


QUESTIONS = """
import pytest, vernier as package

SPEC = {"scheme": "rope", "head_dim": 16, "max_position_embeddings": 64}
TABLES = {"roles": ["cos", "sin"]}

def rope(request, later=0):
    request.require(scheme=["rope"])
    if request.dtype != "float32" or request.input:
        raise package.Unsupported(request.dtype)
    positions = [p + later for p in memoryview(bytes(request.positions)).cast("q")]
    return {one.role: package.table(SPEC, one.role, positions, columns=one.shape[-1]) for one in request.wanted}

@pytest.mark.parametrize("question", package.requests(SPEC, count=8, **TABLES))
def test_right(vernier, question):
    assert vernier.assert_answers(rope, question)

@pytest.mark.parametrize("question", package.requests(SPEC, count=1, **TABLES))
def test_later(vernier, question):
    vernier.assert_answers(lambda request: rope(request, 1), question)

@pytest.mark.parametrize("question", package.requests(SPEC, count=2, dtype="bfloat16", **TABLES))
def test_skipped(vernier, question):
    vernier.assert_answers(rope, question)

def test_validated(vernier):
    assert vernier.validate(rope, SPEC, quick=True, cases=10, **TABLES)
"""


class Plugin(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.folder / "test_rope.py").write_text(TESTS)

    def pytest(self, *options):
        # Where the package is not installed there is no entry point.
        import importlib.metadata

        known = {entry.value for entry in importlib.metadata.entry_points(group="pytest11")}
        plugin = [] if "vernier.pytest_plugin" in known else ["-p", "vernier.pytest_plugin"]
        return subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *plugin, *options],
                              cwd=self.folder, capture_output=True, text=True, env=os.environ)

    def write_waivers(self, waivers):
        (self.folder / "waivers.json").write_text(json.dumps(waivers))
        return "--vernier-waivers=waivers.json"

    def test_a_verdict_is_the_message(self):
        ran = self.pytest()
        self.assertEqual(ran.returncode, 1, ran.stdout + ran.stderr)
        self.assertIn("1 failed, 3 passed", ran.stdout)
        self.assertIn("test_wrong: does not conform: the base is 20000, not 10000", ran.stdout)
        self.assertNotIn("raise AssertionError", ran.stdout)  # the frames of the package are hidden

    def test_pages(self):
        self.pytest("--vernier-html=pages")
        names = sorted(path.name for path in (self.folder / "pages").iterdir())
        self.assertEqual(names, ["index.html", "test_rope.py_test_honest.html", "test_rope.py_test_twice.2.html",
                                 "test_rope.py_test_twice.html", "test_rope.py_test_wrong.html"])
        index = (self.folder / "pages" / "index.html").read_text()
        self.assertIn('fails</span></td><td><a href="test_rope.py_test_wrong.html">test_rope.py::test_wrong</a></td>'
                      '<td>test_wrong: does', index)
        self.assertIn("<h1>2 of 4 verdicts fail</h1>", index)
        style = index[index.index("<style>"):index.index("</style>")]
        self.assertIn(style, (self.folder / "pages" / "test_rope.py_test_wrong.html").read_text())
        self.assertIn("<html", (self.folder / "pages" / "test_rope.py_test_twice.2.html").read_text())

    def test_waivers(self):
        waiver = {"check": "accuracy/cos", "ceiling": {"any": True}, "reason": "known", "issue": "1",
                  "expires": "2999-01-01"}
        ran = self.pytest(self.write_waivers({"test_rope.py::test_wr*": [waiver], "gone.py::*": [waiver]}))
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertIn("vernier: waivers.json: no verdict was asked for in a test gone.py::*", ran.stdout)
        # One that is not needed fails the test, as does one that has expired.
        ran = self.pytest(self.write_waivers({"*::test_honest": [waiver], "*::test_wrong": [waiver]}))
        self.assertIn("1 failed", ran.stdout)
        self.assertIn("stale waiver", ran.stdout)
        waiver["expires"] = "2020-01-01"
        ran = self.pytest(self.write_waivers({"*::test_wrong": [waiver]}))
        self.assertIn("1 failed", ran.stdout)

    def test_questions(self):
        (self.folder / "test_rope.py").write_text(QUESTIONS)
        ran = self.pytest("-rfs", "--vernier-seed=7", "--vernier-html=pages")
        self.assertIn("1 failed, 9 passed, 2 skipped", ran.stdout)
        self.assertIn("--vernier-seed=7", ran.stdout)
        self.assertIn("not supported: bfloat16", ran.stdout)
        self.assertRegex(ran.stdout, r"FAILED test_rope.py::test_later\[cos\+sin-float32-")
        self.assertIn("positions are larger by 1", ran.stdout)
        pages = [path.name for path in (self.folder / "pages").iterdir()]
        self.assertIn("test_rope.py_test_validated.html", pages)
        self.assertTrue([name for name in pages if name.startswith("test_rope.py_test_later_cos_sin-float32-")], pages)

        def names(*options):
            return [line for line in self.pytest("--collect-only", "-q", *options).stdout.splitlines() if "::" in line]

        self.assertEqual(names(), names("--vernier-seed=1"))
        self.assertNotEqual(names(), names("--vernier-seed=7"))

    def test_bad_waivers(self):
        for text in ("[]", "{", '{"a": 1}'):
            (self.folder / "bad.json").write_text(text)
            ran = self.pytest("--vernier-waivers=bad.json")
            self.assertEqual(ran.returncode, 4, ran.stdout)
            self.assertIn("--vernier-waivers: bad.json: ", ran.stderr)
        self.assertEqual(self.pytest("--vernier-waivers=nowhere.json").returncode, 4)


if __name__ == "__main__":
    unittest.main()
