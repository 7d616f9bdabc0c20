"""The survey itself, on an adapter whose classes conform, differ, crash, hang, print or hold too little."""

import contextlib
import io
import json
import os
import tempfile
import unittest
from xml.etree import ElementTree

import vernier
from vernier._survey import main

ADAPTER = '''
import os, signal, time
import vernier
from vernier._survey import Subject, Trial, Unjudged

VERSION, PRELOAD = "1.5", ()
LEAST = (1, 2)
SPEC = {"scheme": "rope", "head_dim": 64, "max_position_embeddings": 4096}


def subjects():
    names = "Honest Faulty Crashing Hanging Greedy Raising Short Unasked Late".split()
    return [Subject(name, "library/rope.py", 10 * line, "rotary", "no adapter fits it" if name == "Unasked" else None)
            for line, name in enumerate(names, 1)]


def table(spec, rows, what="tables"):
    at = range(rows)
    return Trial(what, SPEC, {role: vernier.table(spec, role, at) for role in ("cos", "sin")})


def trials(subject, dtypes):
    print("a library may print")
    if subject.name == "Faulty":
        yield table({**SPEC, "rope_theta": 20000}, 128)
    elif subject.name == "Crashing":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif subject.name == "Hanging":
        time.sleep(600)
    elif subject.name == "Greedy":
        bytearray(1 << 34)
    elif subject.name == "Raising":
        raise ValueError("no such size")
    elif subject.name == "Short":
        yield table(SPEC, 32)
    elif subject.name == "Late":
        yield table(SPEC, 128)
        raise Unjudged("its gradient is not defined")
    else:
        yield table(SPEC, 128)
'''


class Surveys(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.adapter = self.written("library.py", ADAPTER)

    def written(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def surveyed(self, **options):
        return vernier.survey(self.adapter, **{"seconds": 5, "memory_mib": 2048, **options})

    def test_each_class_has_a_line_whatever_becomes_of_its_process(self):
        survey = self.surveyed()
        told = {one["name"]: (one["status"], one["sentence"]) for _, one in survey.classes()}
        self.assertEqual(told, {
            "Honest": ("conforms", ""),
            "Faulty": ("does_not_conform", "tables: the base is 20000, not 10000"),
            "Crashing": ("cannot_be_judged", "its process was ended by SIGSEGV"),
            "Hanging": ("cannot_be_judged", "it took longer than 5 s"),
            "Greedy": ("cannot_be_judged", "it needs more memory than its process may take"),
            "Raising": ("cannot_be_judged", "it raised ValueError: no such size"),
            "Short": ("cannot_be_judged", "it answers 32 rows at most, fewer than 64"),
            "Unasked": ("no_adapter", "no adapter fits it"),
            "Late": ("conforms", "the rest could not be judged: its gradient is not defined"),
        })
        self.assertEqual(survey.exit_code, 1)
        self.assertIn("Faulty (library/rope.py:20): does not conform: tables: the base is 20000, not 10000", survey.text)
        self.assertIn("library 1.5: 9 definitions of an encoding: 2 conform, 1 do not, 6 cannot be judged", survey.text)

    def test_published_configurations_are_asked_beside_the_default_one(self):
        adapter = self.written("rope.py", ADAPTER + '''

def published_trials(subject, documents):
    for name, document in documents:
        yield table({**SPEC, "rope_theta": document["rope_theta"]}, 128, name)
''')
        for name, theta in (("right", 10000), ("wrong", 20000)):
            self.written(f"{name}.json", json.dumps({"model_type": "rope", "rope_theta": theta}))
        survey = vernier.survey(adapter, only="Honest", configurations=self.folder)
        self.assertIn("does not conform: wrong: the base is 20000, not 10000; 2 of 3 tensors conform", survey.text)
        self.assertTrue(vernier.survey(adapter, only="Honest", configurations=os.path.join(self.folder, "right.json")))
        self.written("no_configuration.json", "[")
        self.assertFalse(vernier.survey(adapter, only="Honest", configurations=self.folder))
        with self.assertRaisesRegex(vernier.InputError, "rope.py: cannot be read as a configuration"):
            vernier.survey(adapter, configurations=adapter)
        self.written("right.json", "{}")
        with self.assertRaisesRegex(vernier.InputError, "right.json: found no configuration"):
            vernier.survey(adapter, configurations=os.path.join(self.folder, "right.json"))

    def test_a_class_that_conforms_in_float32_alone_is_told_so(self):
        adapter = self.written("rope.py", ADAPTER.replace(
            "        yield table(SPEC, 32)",
            '        yield table(SPEC, 128, "tables, float32")\n'
            '        yield table({**SPEC, "rope_theta": 20000}, 128, "tables, bfloat16")'))
        survey = vernier.survey(adapter, only="Short")
        self.assertIn("tables, bfloat16: the base is 20000, not 10000; in float32 it conforms; 1 of 2 tensors conform", survey.text)

    def test_a_fault_in_float32_is_told_before_one_of_bfloat16(self):
        adapter = self.written("rope.py", ADAPTER.replace(
            "        yield table(SPEC, 32)",
            '        yield table({**SPEC, "rope_theta": 30000}, 128, "tables, bfloat16")\n'
            '        yield table({**SPEC, "rope_theta": 20000}, 128, "tables, float32")'))
        self.assertIn("tables, float32: the base is 20000, not 10000; 0 of 2", vernier.survey(adapter, only="Short").text)

    def test_the_end_of_the_process_of_a_library_ends_no_survey(self):
        adapter = self.written("rope.py", ADAPTER.replace("signal.SIGSEGV", "signal.SIGKILL").replace("os.getpid()", "os.getppid()"))
        survey = vernier.survey(adapter, only={"Honest", "Crashing", "Hanging"}, seconds=5, workers=2)
        told = {one["name"]: one["status"] for _, one in survey.classes()}
        self.assertEqual(told["Honest"], "conforms")
        self.assertEqual(told["Hanging"], "cannot_be_judged")

    def test_bad_options_are_told(self):
        for options in ({"workers": -1}, {"seconds": 0}, {"memory_mib": 0}, {"state": "/no/such/folder/state"}):
            with self.subTest(options), self.assertRaises(vernier.InputError):
                self.surveyed(**options)

    def test_exit_codes_are_those_of_verdicts(self):
        self.assertEqual(self.surveyed(only="Honest").exit_code, 0)
        self.assertEqual(self.surveyed(only="Raising").exit_code, 4)

    def test_documents_tell_the_same(self):
        survey = self.surveyed(only="a")  # Faulty, Crashing, Hanging, Raising, Unasked, Late
        cases = {one.get("name"): one for one in ElementTree.fromstring(survey.junit).iter("testcase")}
        self.assertEqual(cases["Faulty"].find("failure").get("message"), "tables: the base is 20000, not 10000")
        self.assertIsNotNone(cases["Unasked"].find("skipped"))
        self.assertEqual(len(cases["Late"]), 0)
        result, = json.loads(survey.sarif)["runs"][0]["results"]
        self.assertEqual(result["locations"][0]["physicalLocation"]["region"]["startLine"], 20)

    def test_what_changed_is_told(self):
        earlier = self.surveyed(only="Honest")
        with open(self.adapter, encoding="utf-8") as file:
            text = file.read()
        self.written("library.py", text.replace('VERSION, PRELOAD = "1.5"', 'VERSION, PRELOAD = "1.6"').replace(
            '"rope_theta": 20000', '"rope_theta": 10000').replace("Honest", "Newer"))
        later = self.surveyed(only="er")
        later.compare(earlier)
        library, = later.json["libraries"]
        self.assertEqual(library["since"], "1.5")
        self.assertEqual(len(library["changes"]), 2)
        self.assertIn("Newer is new: conforms", library["changes"][0])
        self.assertIn("Honest is gone (before: conforms", library["changes"][1])

    def test_goes_on_where_it_was_ended(self):
        state = os.path.join(self.folder, "state")
        asked = []

        def interrupt(result, done, total):
            asked.append(result["name"])
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            self.surveyed(only="e", state=state, workers=1, progress=interrupt)
        self.assertTrue(os.path.exists(f"{state}.library"))
        again = []
        survey = self.surveyed(only="e", state=state, workers=1, progress=lambda result, *_: again.append(result["name"]))
        self.assertNotIn(asked[0], again)
        self.assertIn(asked[0], [one["name"] for _, one in survey.classes()])
        self.assertFalse(os.path.exists(f"{state}.library"))

    def test_a_library_that_cannot_be_surveyed_stops_no_other(self):
        broken = self.written("broken.py", "import no_such_library")
        old = self.written("old.py", 'VERSION, LEAST, PRELOAD = "1.9", (2, 0), ()')
        missing = self.written("missing.py", 'DISTRIBUTION, PRELOAD = "no-such-distribution", ()')
        survey = vernier.survey(broken, old, missing, self.adapter, only="Honest")
        problems = [one["problem"] for one in survey.json["libraries"]]
        self.assertEqual(problems, ["it fails on import (ModuleNotFoundError: No module named 'no_such_library')",
                                    "it is older than 2.0, which this survey asks", "it is not installed", None])
        self.assertEqual(survey.exit_code, 0)

    def test_the_command(self):
        out, error = io.StringIO(), io.StringIO()
        files = {form: os.path.join(self.folder, f"survey.{form}") for form in ("json", "html", "junit", "sarif")}
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
            code = main([self.adapter, "--only", "Faulty", "--state", os.path.join(self.folder, "state"),
                         *[text for form, path in files.items() for text in (f"--{form}", path)]])
            main([self.adapter, "--only", "Honest", "--since", files["json"], "--state", os.path.join(self.folder, "state")])
            wrong = main(["no-such-library"])
        self.assertEqual((code, wrong), (1, 2))
        self.assertIn("does not conform: tables: the base is 20000", out.getvalue())
        self.assertIn("2 changed since 1.5", out.getvalue())
        self.assertIn('library: found "no-such-library", expected', error.getvalue())
        with open(files["html"], encoding="utf-8") as file:
            self.assertIn("0 of 1 judged encodings of 1 library version conform, 1 do not", file.read())


if __name__ == "__main__":
    unittest.main()
