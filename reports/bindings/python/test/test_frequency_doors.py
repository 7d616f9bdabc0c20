"""One judgement of frequencies: the command, `inspect`, the C library (which check() calls) and check_model() find the same
fault in the same frequencies, in the same words."""

import array
import concurrent.futures
import json
import math
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

import vernier
from vernier._table import Values

PROGRAM = os.environ["VERNIER_PROGRAM"]
PAIRS, BASE, FACTOR, TRAINED = 16, 150000.0, 32.0, 4096
SPEC = {"scheme": "rope", "head_dim": 2 * PAIRS, "rope_theta": BASE, "max_position_embeddings": 131072, "rope_scaling": {
    "rope_type": "yarn", "factor": FACTOR, "original_max_position_embeddings": TRAINED, "truncate": False}}


def yarn(base=BASE, factor=FACTOR, truncate=False, inverted=False):
    """The frequencies of YaRN (B. Peng et al. 2023, section 3.2)."""
    ends = [2 * PAIRS * math.log(TRAINED / (turns * 2 * math.pi)) / (2 * math.log(base)) for turns in (32, 1)]
    low, high = (math.floor(ends[0]), math.ceil(ends[1])) if truncate else ends
    result = []
    for pair in range(PAIRS):
        ramp = min(1, max(0, (pair - low) / (high - low)))
        kept = ramp if inverted else 1 - ramp
        frequency = base ** (-pair / PAIRS)
        result.append(frequency / factor * (1 - kept) + frequency * kept)
    return result


def bits_of(value, dtype):
    """The bits of the number of 16 bits that is nearest to a frequency, which none overflows."""
    if dtype == "float16":
        return struct.pack("<e", value)
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    return struct.pack("<H", (bits + 0x7FFF + (bits >> 16 & 1)) >> 16)


def rounded(values, dtype):
    if dtype == "float16":
        return [struct.unpack("<e", bits_of(one, dtype))[0] for one in values]
    return [struct.unpack("<f", b"\0\0" + bits_of(one, dtype))[0] for one in values]


TRUE = yarn()
# By name: what a door must say, the type of the tensor and its numbers.
FAULTS = {
    "bfloat16": ("rounded to bfloat16", "float32", rounded(TRUE, "bfloat16")),
    "bfloat16 in its own type": ("rounded to bfloat16, the type of the tensor", "bfloat16", TRUE),
    "float16": ("rounded to float16", "float32", rounded(TRUE, "float16")),
    "float16 in its own type": ("rounded to float16, the type of the tensor", "float16", TRUE),
    "base": ("the base is 10000", "float32", yarn(base=10000.0)),
    "factor": ("factor is 16, not 32", "float32", yarn(factor=16.0)),
    "ramp": ("ramp", "float32", yarn(inverted=True)),
    "truncate": ("truncate", "float32", yarn(truncate=True)),
    "order": ("pair 15 - i", "float32", TRUE[::-1]),
    "zeros": ("do not turn", "float32", TRUE[:10] + [0.0] * 6),
}


def tensor_of(values, dtype):
    if dtype == "float32":
        return memoryview(array.array("f", values))
    return Values("inv_freq", [len(values)], dtype, b"".join(bits_of(one, dtype) for one in values))


def safetensors_of(values, dtype):
    data = array.array("f", values).tobytes() if dtype == "float32" else b"".join(bits_of(one, dtype) for one in values)
    name = {"float32": "F32", "float16": "F16", "bfloat16": "BF16"}[dtype]
    header = json.dumps({"inv_freq": {"dtype": name, "shape": [len(values)], "data_offsets": [0, len(data)]}}).encode()
    return struct.pack("<Q", len(header)) + header + data


class Module:
    """As much of torch.nn.Module as check_model asks for."""

    def __init__(self, config, tensor):
        self.config, self._tensor = config, tensor

    def named_modules(self):
        return [("rotary_emb", self)]

    def named_buffers(self, recurse=True):
        return [("inv_freq", self._tensor)]


def said_by_every_door(values, dtype, contract=None):
    """Whether the frequencies conform and what was found, by door."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "f.safetensors").write_bytes(safetensors_of(values, dtype))
        (path / "spec.json").write_text(json.dumps(SPEC))
        chosen = ["--contract", contract] if contract else []

        def run(*arguments):
            done = subprocess.run([PROGRAM, *arguments], cwd=folder, stdout=subprocess.DEVNULL)
            return done.returncode, json.loads((path / "out.json").read_text())

        code, document = run("validate", "--spec", "spec.json", "--inv-freq", "f.safetensors", "--json", "out.json", *chosen)
        said = {"validate": (code == 0, document["finding"])}
        if not contract:  # a checkpoint declares none
            code, document = run("inspect", "f.safetensors", "--against", "spec.json", "--json", "out.json")
            findings = document["files"][0]["findings"]
            words = findings[0]["sentence"].split("means: ", 1)[1] if findings else ""
            said["inspect"] = (code == 0, words)
    tensor = tensor_of(values, dtype)
    verdict = vernier.check(SPEC, inv_freq=tensor, contract=contract)
    said["check, C library"] = (verdict.conforms, verdict.json["finding"])
    report = vernier.check_model(Module(SPEC, tensor), contract=contract)
    words = report.findings[0].sentence.removeprefix("conforms").removeprefix("does not conform: ")
    said["check_model"] = (report.conforms, words)
    return said


class FrequencyDoors(unittest.TestCase):
    def test_honest_frequencies_conform(self):
        said = said_by_every_door(TRUE, "float32")
        self.assertEqual(set(said.values()), {(True, "")}, said)

    def test_every_fault_is_one_finding(self):
        with concurrent.futures.ThreadPoolExecutor() as pool:
            asked = {name: pool.submit(said_by_every_door, values, dtype) for name, (_, dtype, values) in FAULTS.items()}
        for name, (expected, _, _) in FAULTS.items():
            with self.subTest(name):
                said = asked[name].result()
                self.assertEqual(len(set(said.values())), 1, said)
                conforms, words = said["validate"]
                self.assertFalse(conforms, said)
                self.assertIn(expected, words)

    def test_sixteen_bits_conform_where_the_contract_declares_them(self):
        for dtype in ("bfloat16", "float16"):
            said = said_by_every_door(TRUE, dtype, "correctly-rounded")
            self.assertEqual(set(said.values()), {(True, "")}, said)


if __name__ == "__main__":
    unittest.main()
