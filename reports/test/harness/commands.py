"""What the command prints and writes: `vernier value`, `vernier table` and `vernier vectors`, held to the definitions."""

import json
import os
import struct
import subprocess
from collections import Counter
from fractions import Fraction

import formats
import reals


def run(vernier, *arguments):
    result = subprocess.run([vernier, *map(str, arguments)], capture_output=True, text=True, check=False)
    return result.returncode, result.stdout, result.stderr


def neighbour(pattern, form, up):
    """The next number of the format, as `vernier value` lists it; None of zero and beyond the greatest."""
    sign, magnitude = pattern >> form.width - 1, pattern & (1 << form.width - 1) - 1
    magnitude += 1 if up != bool(sign) else -1
    return magnitude | sign << form.width - 1 if 0 < magnitude <= form.greatest else None


class Commands:
    """Holds what is printed to definitions. differ(spec, role, sentence) tells a difference."""

    def __init__(self, vernier, library, definitions, folder, differ):
        self.vernier, self.library, self.definitions, self.folder, self.differ = vernier, library, definitions, folder, differ
        self.counts = Counter()

    def file(self, spec):
        path = os.path.join(self.folder, "spec.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(spec, file)
        return path

    def value(self, spec, position, random):
        """Every number of an element of the first row: its decimals, the nearest number of each format and both neighbours."""
        roles = {}
        for tensor in self.library.tensors(spec, [position]):
            roles.setdefault(tensor["role"], tensor["shape"])
        first = next(iter(roles))
        place = random.randrange(roles[first][0] if first in ("slopes", "bias") else roles[first][-1])
        option = {"slopes": "--head", "bias": "--head", "cos": "--pair", "scale": "--pair", "buckets": None}.get(first, "--column")
        if spec["scheme"] == "query_scale":
            option = "--column"
        code, text, sentence = run(self.vernier, "value", "--spec", self.file(spec), "--position", position,
                                   *([option, place] if option else []), "--json", "-")
        if code:
            self.counts["refused", "values"] += 1
            return
        definition = self.definitions[spec["scheme"]](spec)
        for element in json.loads(text)["elements"]:
            role = element["role"]
            if role not in roles or role not in definition:
                continue
            # The query of a bias is at 0.
            x = reals.number(definition[role]([position, 0] if role == "bias" else [position], roles[role])[2 * place if role == "bias" else place])
            self.element(spec, role, position, x, element)

    def element(self, spec, role, position, x, element):
        m, r = reals.enclosed(x, 512)
        # The last decimal place is rounded, to half a unit.
        if abs(m - Fraction(element["truth"]) * 2 ** 512) > r + Fraction(2 ** 512, 2 * 10 ** element["digits"]):
            self.differ(spec, role, f"value at {position}: the decimals are {element['truth']}")
        for told in element["nearest"]:
            form = formats.FORMATS[told["format"]]
            pattern = formats.nearest(x, form)
            got = told["nearest"] and int(told["nearest"]["bits"], 16)
            self.counts["values", form.name] += 1
            if pattern == formats.Wide:
                continue
            if got != pattern and not (pattern == 0 and got == 1 << form.width - 1):
                self.differ(spec, role, f"value at {position}: {told['nearest']} is not nearest in {form.name}, but {pattern:#x}")
            for side in ("below", "above"):
                expected = neighbour(pattern, form, side == "above") if pattern else None
                if expected is not None and told[side] and int(told[side]["bits"], 16) != expected:
                    self.differ(spec, role, f"value at {position}: {told[side]} is not next {side} in {form.name}")

    def table(self, spec, position, rows, form):
        """The file has the numbers that the library fills in, which are held to the definitions."""
        positions = list(range(position, position + rows))
        tensor = self.library.tensors(spec, positions)[0]
        if tensor["exact"]:
            return
        path = os.path.join(self.folder, "table.npy")
        code, _, _ = run(self.vernier, "table", "--spec", self.file(spec), f"--positions={position}:{position + rows}", "--dtype", form.name,
                         "--role", tensor["role"], "-q", "-o", path)
        if code:
            self.counts["refused", "tables"] += 1
            return
        with open(path, "rb") as file:
            data = file.read()
        size = struct.unpack_from("<H", data, 8)[0] + 10
        expected = self.library.table(spec, tensor["role"], positions, tensor["shape"], form)
        self.counts["table", form.name] += len(expected)
        if data[size:] != expected.tobytes():
            self.differ(spec, tensor["role"], f"the table of the command is not that of the library, in {form.name} from {position}")

    def vectors(self):
        """Every number of every group, and every budget: the nearest number of a format keeps it."""
        folder = os.path.join(self.folder, "vectors")
        code, _, sentence = run(self.vernier, "vectors", "-o", folder)
        if code:
            self.differ({"scheme": "vectors"}, "", sentence)
            return
        with open(os.path.join(folder, "vectors.json"), encoding="utf-8") as file:
            groups = json.load(file)["groups"]
        with open(os.path.join(folder, "vectors.safetensors"), "rb") as file:
            data = file.read()
        size = struct.unpack_from("<Q", data)[0]
        header = json.loads(data[8:8 + size])

        def patterns(name):
            begin, end = header[name]["data_offsets"]
            letter = {"F64": "Q", "F32": "I", "F16": "H", "BF16": "H", "I64": "q"}.get(header[name]["dtype"], "B")
            return struct.unpack(f"<{(end - begin) // struct.calcsize(letter)}{letter}", data[8 + size + begin:8 + size + end])
        for group in groups:
            spec, name = {key: value for key, value in group["spec"].items() if value is not None}, group["id"]
            positions = patterns(f"{name}/positions")
            definition = self.definitions[spec["scheme"]](spec)
            for tensor in group["tensors"]:
                if tensor["role"] in definition:
                    values = definition[tensor["role"]](list(positions), tensor["shape"])
                    self.vector(spec, f"{name}/{tensor['role']}", values, header, patterns, tensor.get("budgets") or [])

    def vector(self, spec, name, values, header, patterns, budgets):
        if f"{name}/int64" in header:
            self.counts["vectors", "int64"] += len(values)
            if list(map(int, values)) != list(patterns(f"{name}/int64")):
                self.differ(spec, name, "other integers")
            return
        for form in formats.FORMATS.values():
            if f"{name}/{form.name}" not in header:
                continue
            self.counts["vectors", form.name] += len(values)
            for i, (x, got) in enumerate(zip(values, patterns(f"{name}/{form.name}"))):
                expected = formats.nearest(x, form)
                if expected != got and expected != formats.Wide and (expected or got != 1 << form.width - 1):
                    self.differ(spec, name, f"element {i} is {got:#x} in {form.name}, not {expected:#x}")
        for budget in budgets:
            form, narrow = formats.FORMATS[budget.split("@")[1]], formats.FORMATS["bfloat16"]
            for i, (x, allowed) in enumerate(zip(values, patterns(f"{name}/budget/{budget}"))):
                pattern = formats.nearest(x, form)
                if allowed > narrow.greatest or pattern == formats.Wide:
                    continue  # infinite: inconclusive
                self.counts["budgets", budget] += 1
                off = abs(reals.number(x) - formats.value_of(pattern, form))
                if reals.sign(off - formats.value_of(allowed, narrow)) > 0:
                    self.differ(spec, name, f"element {i}: the nearest number breaks the budget {budget}")
