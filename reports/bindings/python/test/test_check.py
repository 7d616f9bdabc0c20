"""Judging without any other package: tensors are buffers of Python's own, and hand-made capsules."""

import array
import concurrent.futures
import ctypes
import datetime
import json
import math
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

import vernier
from vernier import _tensors

ROPE = {"scheme": "rope", "head_dim": 16}
ROWS, PAIRS = 64, 8


def phases(base=10000.0):
    return [[position * base ** (-pair / PAIRS) for pair in range(PAIRS)] for position in range(ROWS)]


def buffer_of(rows, letter="f"):
    flat = array.array(letter, [value for row in rows for value in row])
    return memoryview(flat).cast("B").cast(letter, [len(rows), len(rows[0])])


def cosines(base=10000.0, letter="f"):
    return buffer_of([[math.cos(x) for x in row] for row in phases(base)], letter)


def sines(base=10000.0):
    return buffer_of([[math.sin(x) for x in row] for row in phases(base)])


class Check(unittest.TestCase):
    def test_honest_tables_conform(self):
        verdict = vernier.check(ROPE, cos=cosines(), sin=sines())
        self.assertTrue(verdict.conforms)
        self.assertTrue(verdict)
        self.assertEqual(verdict.exit_code, 0)
        self.assertTrue(verdict.text.startswith("rope: conforms"), verdict.text)
        self.assertEqual(verdict.json["verdict"], "conforms")
        self.assertEqual(verdict.json["tool"]["version"], vernier.__version__)

    def test_frequencies_are_judged(self):
        def frequencies(base=10000.0):
            return array.array("d", [base ** (-pair / PAIRS) for pair in range(PAIRS)])

        self.assertTrue(vernier.check(ROPE, inv_freq=frequencies()))
        self.assertIn("the base is 20000", vernier.check(ROPE, inv_freq=frequencies(20000.0)).text)
        yarn = {**ROPE, "rope_scaling": {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 64}}
        self.assertFalse(vernier.check(yarn, inv_freq=frequencies()))
        with self.assertRaisesRegex(vernier.InputError, r"inv_freq: found the shape \[4\], expected \[8\]"):
            vernier.check(ROPE, inv_freq=frequencies()[:4])
        self.assertTrue(vernier.check(ROPE, inv_freq=frequencies(), cos=cosines()))
        self.assertFalse(vernier.check(ROPE, inv_freq=frequencies(), cos=cosines(20000.0)))
        nowhere = vernier.check(ROPE, inv_freq=array.array("d", [math.nan] * PAIRS))
        self.assertEqual(nowhere.json["finding"], "every element of inv_freq is NaN")

    def test_the_length_of_the_text(self):
        dynamic = {**ROPE, "max_position_embeddings": 64, "rope_scaling": {"rope_type": "dynamic", "factor": 2}}
        longer = 10000.0 * (2 * 128 / 64 - 1) ** (16 / 14)
        values = array.array("d", [longer ** (-pair / PAIRS) for pair in range(PAIRS)])
        self.assertTrue(vernier.check(dynamic, sequence_length=128, inv_freq=values))
        self.assertFalse(vernier.check(dynamic, sequence_length=64, inv_freq=values))
        with self.assertRaisesRegex(vernier.InputError, "sequence_length: found 64, expected none"):
            vernier.check(ROPE, sequence_length=64, inv_freq=values)

    def test_what_spec_returns_is_a_spec(self):
        config = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4}
        self.assertTrue(vernier.check(vernier.spec(config), cos=cosines(), sin=sines()))
        with self.assertRaisesRegex(vernier.InputError, "spec: found the 2 specs of vernier.spec()"):
            vernier.check({"groups": 2 * [{"spec": ROPE}]}, cos=cosines())

    def test_an_assertion_says_what_python_has(self):
        with self.assertRaises(AssertionError) as short:
            vernier.assert_conforms(ROPE, cos=cosines(20000.0))
        with self.assertRaises(AssertionError) as long:
            vernier.assert_conforms(ROPE, verbose=True, cos=cosines(20000.0))
        self.assertIn("verbose=True", str(short.exception))
        self.assertNotIn("--verbose", str(short.exception))
        self.assertGreater(len(str(long.exception).splitlines()), 11)

    def test_models_of_the_catalogue_have_specs(self):
        group, = vernier.spec("llama-3.1-8b")["groups"]
        self.assertEqual((group["kind"], group["spec"]["head_dim"]), ("", 128))
        self.assertEqual(len(vernier.spec("gemma-3-4b-it")["groups"]), 2)
        with self.assertRaisesRegex(vernier.InputError, 'found "llama-2-7".*the nearest are .*llama-2-7b'):
            vernier.spec("llama-2-7")

    def test_the_command_comes_along(self):
        ran = subprocess.run([sys.executable, "-m", "vernier", "--version"], capture_output=True, text=True)
        self.assertIn(vernier.__version__, ran.stdout + ran.stderr)

    def test_a_fault_is_named(self):
        verdict = vernier.check(ROPE, cos=cosines(500000.0), sin=sines(500000.0), name="mine")
        self.assertFalse(verdict)
        self.assertEqual(verdict.exit_code, 1)
        self.assertEqual(verdict.text.splitlines()[0], "mine: does not conform: the base is 500000, not 10000")
        self.assertEqual(repr(verdict), "<vernier.Verdict: mine: does not conform: the base is 500000, not 10000>")
        self.assertIn("<html", verdict.html)
        self.assertIn("<testsuite", verdict.junit)
        self.assertIn('"runs"', verdict.sarif)
        self.assertGreater(len(verdict.full_text.splitlines()), 11)

    def test_an_arithmetic_is_told(self):
        told = vernier.arithmetic(ROPE, cos=cosines(letter="d"), name="mine")
        self.assertEqual(told["name"], "mine")
        self.assertEqual({one["predicted"] for one in told["arithmetics"]}, {ROWS * PAIRS})
        self.assertIn(["float64"], [stage["ways"] for stage in told["stages"] if stage["stage"] == "phase"])
        with self.assertRaises(vernier.InputError):
            vernier.arithmetic({"scheme": "alibi", "num_heads": 2}, slopes=[0.0625, 0.00390625])

    def test_an_assertion_says_it_in_ten_lines(self):
        self.assertTrue(vernier.assert_conforms(ROPE, cos=cosines()))
        with self.assertRaises(AssertionError) as raised:
            vernier.assert_conforms(ROPE, cos=cosines(500000.0), sin=sines(500000.0))
        lines = str(raised.exception).splitlines()
        self.assertLessEqual(len(lines), 10)
        self.assertIn("the base is 500000, not 10000", lines[0])

    def test_what_is_no_spec_is_told_in_a_sentence(self):
        class Config:
            def to_dict(self):
                raise RuntimeError("no\nconfiguration")

        class Module:
            def named_modules(self):
                return []

        nested = {}
        for _ in range(100000):
            nested = {"a": nested}
        for spec, pattern in (
            (Config(), r"spec: found Config, whose to_dict\(\) fails \(RuntimeError: no configuration\)"),
            (nested, "spec: found a dict that is not JSON"),
            ('{"a":' * 100000 + "1" + "}" * 100000, "levels of nesting"),
            ('{"scheme": "\ud800"}', "."),
            ('{"scheme":', "not JSON"),
        ):
            for judge in (lambda: vernier.check(spec, cos=cosines()), lambda: vernier.check_model(Module(), spec)):
                with self.assertRaisesRegex(vernier.InputError, pattern) as raised:
                    judge()
                self.assertEqual(len(str(raised.exception).splitlines()), 1)
        with self.assertRaisesRegex(vernier.InputError, r"lone surrogate '\\ud800'"):
            vernier.check(ROPE, **{"\ud800": cosines()})

    def test_specs_of_every_kind(self):
        class Config:
            def to_dict(self):
                return {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "dtype": object()}

        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "spec.json"
            path.write_text(json.dumps(ROPE))
            for spec in (ROPE, json.dumps(ROPE), " " + json.dumps(ROPE), path, str(path), Config(), Config().to_dict()):
                self.assertTrue(vernier.check(spec, cos=cosines()), spec)
            self.assertEqual(vernier.check(path, cos=cosines()).json["source"], str(path))
        scalar = type("Scalar", (), {"size": 1, "item": lambda self: ROPE["head_dim"]})()  # as NumPy's
        self.assertTrue(vernier.check({**ROPE, "head_dim": scalar}, cos=cosines()))
        verdict = vernier.check("llama-2-7b-hf", cos=buffer_of([[1.0] * 64]))
        self.assertTrue(verdict.text.startswith("llama-2-7b-hf: conforms"), verdict.text)

    def test_layers_and_contracts(self):
        config = {"model_type": "gemma3_text", "head_dim": 16, "num_hidden_layers": 6, "sliding_window_pattern": 6,
                  "hidden_size": 64, "num_attention_heads": 4}
        self.assertTrue(vernier.check(config, layer="sliding_attention", cos=cosines()))
        self.assertTrue(vernier.check(config, layer=0, cos=cosines()))
        self.assertFalse(vernier.check(config, layer=5, cos=cosines()))
        with self.assertRaisesRegex(vernier.InputError, "layer with a number from 0 to 5 or a kind: sliding_attention"):
            vernier.check(config, cos=cosines())
        self.assertTrue(vernier.check(ROPE, contract="correctly-rounded", cos=vernier_table("cos")))
        with self.assertRaisesRegex(vernier.InputError, "vernier.check: contract: found"):
            vernier.check(ROPE, contract="neraest", cos=cosines())

    def test_positions(self):
        rows = buffer_of([[math.cos(x) for x in row] for row in phases()[7:20]])
        for positions in (range(7, 20), list(range(7, 20)), array.array("i", range(7, 20))):
            self.assertTrue(vernier.check(ROPE, cos=rows, positions=positions))
        self.assertFalse(vernier.check(ROPE, cos=rows))
        for bad in (["a"], [1.5], range(3), array.array("d", [math.nan] * 13), [1 << 70]):
            with self.assertRaises(vernier.InputError):
                vernier.check(ROPE, cos=rows, positions=bad)

    def test_strides_of_any_kind(self):
        rows = cosines()
        self.assertFalse(vernier.check(ROPE, cos=rows[::-1]))
        self.assertTrue(vernier.check(ROPE, cos=rows[::-1], positions=range(ROWS - 1, -1, -1)))
        self.assertTrue(vernier.check(ROPE, cos=rows[::3], positions=range(0, ROWS, 3)))
        self.assertTrue(vernier.check(ROPE, cos=cosines(letter="d")))

    def test_waivers(self):
        broken = cosines(500000.0)
        waivers = [{"check": check["id"], "ceiling": {"any": True}, "reason": "known", "issue": "1",
                    "expires": "2027-01-31"}
                   for check in vernier.check(ROPE, cos=broken).json["checks"] if check["status"] == "fail"]
        on_the_day = {"date": datetime.date(2027, 1, 31)}
        self.assertTrue(vernier.check(ROPE, cos=broken, waivers=waivers, **on_the_day))
        self.assertEqual(vernier.check(ROPE, cos=broken, waivers=waivers, date="2027-02-01").exit_code, 5)
        self.assertEqual(vernier.check(ROPE, cos=cosines(), waivers=waivers, **on_the_day).exit_code, 5)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "waivers.json"
            path.write_text(json.dumps(waivers))
            self.assertTrue(vernier.check(ROPE, cos=broken, waivers=path, **on_the_day))
            self.assertTrue(vernier.check(ROPE, cos=broken, waivers=str(path), **on_the_day))
        with self.assertRaisesRegex(vernier.InputError, "waivers: "):
            vernier.check(ROPE, cos=broken, waivers=[{"check": "accuracy/cos"}])

    def test_bad_input_is_one_sentence(self):
        good = cosines()
        cases = [
            ("found a list", dict(spec=ROPE, cos=[[1.0]])),
            ("found a str", dict(spec=ROPE, cos="cos.npy")),
            ("sin: found None, expected a tensor; leave sin= out", dict(spec=ROPE, cos=good, sin=None)),
            ('format "c"', dict(spec=ROPE, cos=memoryview(b"ab").cast("c"))),
            ('format "\\?"', dict(spec=ROPE, cos=memoryview(b"ab").cast("?"))),
            ('found a tensor for "cosine"', dict(spec=ROPE, cosine=good)),
            ("cos: found the shape", dict(spec=ROPE, cos=buffer_of([[1.0, 2.0, 3.0]]))),
            ("expected at least one element|found the shape", dict(spec=ROPE, cos=array.array("f"))),
            ("the nearest are llama-2-7b-hf", dict(spec="llama-2-7b-h", cos=good)),
            ("nowhere.json: cannot be read", dict(spec="nowhere.json", cos=good)),
            ("spec: found list", dict(spec=[1], cos=good)),
            ("spec: found a dict that is not JSON", dict(spec={"scheme": {1: {(1, 2): 3}}}, cos=good)),
            ("spec, line 1", dict(spec="{", cos=good)),
            ("zero character", dict(spec="llama\0", cos=good)),
            ("head_dim", dict(spec={"scheme": "rope", "head_dim": 15}, cos=good)),
            ("layer", dict(spec=ROPE, layer=3, cos=good)),
            ("name: found int", dict(spec=ROPE, name=3, cos=good)),
        ]
        for pattern, arguments in cases:
            with self.subTest(pattern):
                with self.assertRaisesRegex(vernier.InputError, pattern) as raised:
                    vernier.check(**arguments)
                self.assertEqual(len(str(raised.exception).splitlines()), 1)
        self.assertTrue(issubclass(vernier.InputError, ValueError))

    def test_threads_at_once(self):
        good, broken = cosines(), cosines(500000.0)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            verdicts = list(pool.map(lambda tensor: vernier.check(ROPE, cos=tensor).text, [good, broken] * 6))
        self.assertEqual(len(set(verdicts)), 2)

    def test_a_forked_process_judges_too(self):
        for _ in range(20):
            vernier.table(ROPE, "cos", range(10000))  # starts threads, which the child has not
            child = os.fork()
            if child == 0:
                signal.alarm(60)  # the child ends, should it wait for a lock of theirs
                os._exit(0 if vernier.check(ROPE, cos=vernier.table(ROPE, "cos", range(10000))) else 1)
            self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_what_a_configuration_means(self):
        config = {"model_type": "gemma3_text", "head_dim": 16, "num_hidden_layers": 6, "sliding_window_pattern": 6,
                  "hidden_size": 64, "num_attention_heads": 4}
        groups = vernier.spec(config)["groups"]
        self.assertEqual([group["kind"] for group in groups], ["sliding_attention", "full_attention"])
        self.assertEqual(vernier.spec(config, layer=5), groups[1]["spec"])
        self.assertEqual(vernier.spec(config, layer="full_attention"), groups[1]["spec"])
        with self.assertRaisesRegex(vernier.InputError, "layer: found"):
            vernier.spec(config, layer=6)
        with self.assertRaisesRegex(vernier.InputError, "model_type"):
            vernier.spec({"model_type": "no such"})

    def test_nothing_else_is_imported(self):
        code = "import sys; import vernier; print(*[m for m in ('numpy', 'torch', 'pytest') if m in sys.modules])"
        printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
        self.assertEqual(printed.strip(), "")


class Capsules(unittest.TestCase):
    """Tensors of a library that makes capsules of one kind, on some device."""

    class Exported:
        def __init__(self, structure, name, device=(1, 0), takes=(), fails=None):
            self.structure, self.name, self.device, self.takes, self.fails = structure, name, device, takes, fails
            self.asked = []

        def __dlpack_device__(self):
            return self.device

        def __dlpack__(self, **options):
            self.asked.append(options)
            if set(options) - set(self.takes):
                raise TypeError("unexpected keyword")
            if self.fails:
                raise self.fails
            new = _tensors._python("PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
            return new(ctypes.addressof(self.structure), self.name, None)

    def setUp(self):
        self.elements = cosines()
        self.held = _tensors.HostTensor(self.elements, "cos")

    def managed(self):
        return _tensors._ManagedTensor(self.held.tensor, None, None)

    def versioned(self, major=1, flags=0):
        return _tensors._VersionedTensor(major, 0, None, None, flags, self.held.tensor)

    def test_both_kinds(self):
        old = self.Exported(self.managed(), b"dltensor")
        self.assertTrue(vernier.check(ROPE, cos=old))
        self.assertEqual(old.asked, [{"max_version": (1, 0)}, {}])
        new = self.Exported(self.versioned(), b"dltensor_versioned", takes=("max_version",))
        self.assertTrue(vernier.check(ROPE, cos=new))
        self.assertEqual(new.asked, [{"max_version": (1, 0)}])

    def test_what_is_no_capsule_of_ours(self):
        for structure, name, pattern in (
            (self.managed(), b"used_dltensor", 'expected a capsule "dltensor"'),
            (self.versioned(major=2), b"dltensor_versioned", "capsule of DLPack 2, expected 1"),
        ):
            with self.assertRaisesRegex(vernier.InputError, pattern):
                vernier.check(ROPE, cos=self.Exported(structure, name, takes=("max_version",)))
        read_only = self.Exported(self.versioned(flags=1), b"dltensor_versioned", takes=("max_version",))
        self.assertTrue(vernier.check(ROPE, cos=read_only))
        with self.assertRaisesRegex(vernier.InputError, "out: found a tensor that is read only"):
            vernier.table(ROPE, "cos", range(ROWS), out=read_only)

    def test_tensors_on_a_device_are_copied(self):
        takes = ("max_version", "dl_device", "copy")
        on_device = self.Exported(self.versioned(), b"dltensor_versioned", (2, 1), takes)
        self.assertTrue(vernier.check(ROPE, cos=on_device))
        self.assertEqual(on_device.asked, [{"max_version": (1, 0), "dl_device": (1, 0), "copy": True}])

        old = self.Exported(self.managed(), b"dltensor", (2, 1))
        old.cpu = lambda: self.Exported(self.managed(), b"dltensor")
        self.assertTrue(vernier.check(ROPE, cos=old))

        stuck = self.Exported(self.managed(), b"dltensor", (2, 1), takes, BufferError("no copies"))
        with self.assertRaisesRegex(vernier.InputError,
                                    r"cos: found a tensor on the device \(2, 1\), which cannot be copied to the host "
                                    r"\(BufferError: no copies\)"):
            vernier.check(ROPE, cos=stuck)
        stuck.cpu = lambda: stuck
        with self.assertRaisesRegex(vernier.InputError, "cannot be copied"):
            vernier.check(ROPE, cos=stuck)
        with self.assertRaisesRegex(vernier.InputError, "expected one in the host's memory"):
            vernier.table(ROPE, "cos", range(ROWS), out=on_device)

    def test_a_library_that_fails_is_told(self):
        broken = self.Exported(self.managed(), b"dltensor", fails=RuntimeError("out of\norder"))
        with self.assertRaisesRegex(vernier.InputError, r"cannot be read \(RuntimeError: out of order\)"):
            vernier.check(ROPE, cos=broken)
        broken.__class__ = type("Deviceless", (self.Exported,), {"__dlpack_device__": lambda self: 1 // 0})
        with self.assertRaisesRegex(vernier.InputError, "ZeroDivisionError"):
            vernier.check(ROPE, cos=broken)

    def test_types_that_are_none_of_ours(self):
        managed = self.managed()
        for code, bits, pattern in ((5, 64, "complex64"), (6, 8, "bool8"), (14, 8, "type code 14")):
            managed.tensor.dtype.code, managed.tensor.dtype.bits = code, bits
            with self.assertRaisesRegex(vernier.InputError, f"vernier.check: cos: found .*{pattern}"):
                vernier.check(ROPE, cos=self.Exported(managed, b"dltensor"))


def vernier_table(role):
    return memoryview(bytes(vernier.table(ROPE, role, range(ROWS)))).cast("f", [ROWS, PAIRS])


if __name__ == "__main__":
    unittest.main()
