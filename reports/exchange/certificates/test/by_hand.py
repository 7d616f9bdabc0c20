"""Certificates that are made here, not by Vernier: what the checker must confirm, and what it must refuse for a reason.

Usage: by_hand.py FOLDER_OF_THE_PROGRAMS
"""

import functools
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from fractions import Fraction

from mutants import element_of, load, parsed

SINUSOIDAL = {"scheme": "sinusoidal", "d_model": 4, "base": 10000, "layout": "interleaved", "order": "sin_cos", "frequency": "paper",
              "first_position": 0, "scale": 1}
# cos(p w) of the second pair, w = 10^-9, is nearer to 1 than any other number of float32.
SLOW = {"scheme": "rope", "head_dim": 4, "rope_theta": 1e18}
ROUNDINGS = "correctly-rounded", "faithful"
BEYOND = "is beyond its budget before the first listed"


def becomes(pattern):
    return lambda _: pattern


def moved(ulps):
    return lambda pattern: pattern + ulps


def cases():
    """A spec, the tensors' type, the contract, elements that are changed, and why that is refused; None where it is confirmed."""
    for contract in ROUNDINGS:
        # In position 0 the truths are 0, 1, 0, 1: numbers of the format, which have no neighbour that is as good.
        yield SINUSOIDAL, "float32", contract, {}, None
        yield SINUSOIDAL, "float32", contract, {(0, 0): becomes(0x80000000)}, None
        for pattern in (0x3f7fffff, 0x3f800001):
            yield SINUSOIDAL, "float32", contract, {(0, 1): becomes(pattern)}, BEYOND
        for pattern in (0x00000001, 0x80000001):
            yield SINUSOIDAL, "float32", contract, {(0, 2): becomes(pattern)}, BEYOND
        # 257 lies in the middle between 256 and 258.
        for pattern, reason in ((0x437f, BEYOND), (0x4380, None), (0x4381, None), (0x4382, BEYOND)):
            yield {**SINUSOIDAL, "scale": 257}, "bfloat16", contract, {(0, 1): becomes(pattern)}, reason
        yield SLOW, "float32", contract, {}, None
        yield SLOW, "float32", contract, {(5, 1): becomes(0x3f800001)}, BEYOND
        # 1 - 2^-24 is the lesser of the two numbers around the truth, not the nearer one.
        yield SLOW, "float32", contract, {(5, 1): becomes(0x3f7fffff)}, None if contract == "faithful" else BEYOND
        yield SLOW, "float32", contract, {(5, 1): becomes(0x3f7ffffe)}, BEYOND
    for contract in (*ROUNDINGS, "float32"):
        tiny = {**SINUSOIDAL, "scale": 1e-30}
        yield tiny, "float32", contract, {}, None
        for row in (0, 3):
            yield tiny, "float32", contract, {(row, 1): moved(9)}, BEYOND
            yield tiny, "float32", contract, {(row, 1): becomes(0)}, BEYOND
    yield {**SINUSOIDAL, "scale": 1e30}, "float64", "float64", {}, None
    for key, number in (("scale", 1e-31), ("scale", 1e-300), ("scale", 1e31), ("base", 1e31), ("d_model", 2 ** 17)):
        yield {**SINUSOIDAL, key: number}, "float64", "float64", {}, "expected"
    yield {**SLOW, "rope_scaling": {"rope_type": "linear", "factor": 1e7}}, "float64", "float64", {}, "expected"
    yield {**SINUSOIDAL, "d_model": 2}, "float16", "correctly-rounded", {}, None
    yield {**SINUSOIDAL, "d_model": 2, "frequency": "tensor2tensor"}, "float16", "correctly-rounded", {}, "expected 4"


def encoded(checker, number, form):
    """The pattern of the number of the format that is nearest to a fraction."""
    near = checker.rounded(abs(number), form) if number else 0
    if not near:
        return 0
    e = max(checker.floor_log2(near), form.emin)
    pattern = int(near / Fraction(2) ** (e - form.precision + 1)) + (e - form.emin << form.precision - 1)
    return pattern | (1 << form.width - 1 if number < 0 else 0)


def header(form, rows, columns):
    return f"{{'descr': '{form.npy[-1]}', 'fortran_order': False, 'shape': ({rows}, {columns}), }}"


def npy(text, data):
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + data


def with_file(document, name, data):
    """The certificate of the same tensor in other bytes, and those."""
    digest = hashlib.sha256(data).hexdigest()
    claim = {**document["tensors"][0], "file": name, "sha256": digest}
    return {**document, "tensors": [claim]}, {name: (data, digest)}


class Made:
    """A table of rounded truths, some of which are changed, and certificates of it."""

    def __init__(self, checker, spec, kind, contract, changes, rows=8):
        self.form = checker.FORMATS[kind]
        encoding = checker.SCHEMES[spec["scheme"]](parsed(checker, json.dumps(spec)))
        role = next(iter(encoding.columns))
        columns, waves = encoding.columns[role][0], functools.cache(lambda bits: checker.Waves(encoding, bits))
        self.data = b""
        for row in range(rows):
            for column, (i, component) in enumerate(columns):
                wave = waves(1024).at(i, encoding.first + row)[component == "sin"]
                pattern = encoded(checker, Fraction(wave, 1 << 1024) * encoding.amplitude, self.form)
                pattern = changes.get((row, column), moved(0))(pattern)
                self.data += pattern.to_bytes(self.form.width // 8, "little")
        self.header = header(self.form, rows, len(columns))
        claim = {"role": role, "type": kind, "shape": [rows, len(columns)], "contract": contract, "beyond": 0, "inconclusive": 0,
                 "worst": None, "first_beyond": None}
        last = encoding.first + rows - 1
        self.document, self.files = with_file(
            {"vernier_certificate": 1, "made_by": "by hand", "spec": spec, "frequencies": self.frequencies(waves(1024), encoding),
             "positions": {"first": encoding.first, "last": last}, "tensors": [claim]}, "table.npy", npy(self.header, self.data))
        self.claim = self.document["tensors"][0]
        self.checker, self.table = checker, checker.Table(self.claim, encoding, "", self.files, waves)
        self.found = [(self.table.found(*divmod(place, len(columns))), place) for place in range(rows * len(columns))]

    @staticmethod
    def frequencies(waves, encoding):
        texts = []
        for i in range(len(encoding.exponents)):
            w, places = Fraction(waves.frequency(i), 1 << waves.bits + 64), 30
            while round(w * 10 ** places) < 10 ** 29:
                places += 1
            digits = round(w * 10 ** places)
            texts.append(f"{digits // 10 ** places}.{digits % 10 ** places:0{places}}")
        return texts

    def listed(self, place):
        return element_of(self.checker, self.table, *divmod(place, self.table.width))

    def says(self, is_true):
        """The certificate that counts what is beyond, or one that says nothing is."""
        beyond = [place for (state, _, _), place in self.found if state == "beyond"] if is_true else []
        judged = [one for one in self.found if one[0][0] == "within" or one[0][0] == "beyond" and is_true]
        inconclusive = sum(state == "inconclusive" for (state, _, _), _ in self.found)
        worst = max(judged, key=lambda one: one[0][1])[1] if judged else None
        self.claim.update(beyond=len(beyond), inconclusive=inconclusive, worst=None if worst is None else self.listed(worst),
                          first_beyond=self.listed(beyond[0]) if beyond else None)
        self.document["accuracy"] = "fail" if beyond else "inconclusive" if inconclusive else "pass"
        return self.document


FAULTS = []


def expect(checker, document, files, reason, most=2 ** 20):
    """Holds what is said of a certificate to what is expected: a part of the refusal, or None."""
    try:
        said = checker.check(json.dumps(document), "", most, 1, dict(files))[0]
    except checker.REFUSALS as refused:
        said = f"refused: {refused}"
    if (not said.startswith("confirmed")) if reason is None else (not said.startswith("refused") or reason not in said):
        FAULTS.append(f"{said}, expected {reason or 'a confirmation'}: {json.dumps(document)}")


def expect_cases(checker):
    for spec, kind, contract, changes, reason in cases():
        try:
            made = Made(checker, spec, kind, contract, changes)
        except ValueError as refused:
            if reason is None or reason not in str(refused):
                FAULTS.append(f"{spec} is refused: {refused}")
            continue
        expect(checker, made.says(is_true=False), made.files, reason)
        expect(checker, made.says(is_true=True), made.files, None)


def expect_overflow(checker):
    """Positions that float16 does not hold have budgets without end: of an element that is none, float64 writes inf."""
    made = Made(checker, {**SINUSOIDAL, "first_position": 65519}, "float32", "float16", {(2, 1): becomes(0x7fc00000)})
    document = made.says(is_true=True)
    expect(checker, document, made.files, None)
    if document["tensors"][0]["worst"]["budget"] != "inf":
        FAULTS.append("no budget is inf")
    document["tensors"][0]["worst"] = {**document["tensors"][0]["worst"], "budget": "1.00000e+99"}
    expect(checker, document, made.files, "the budget is not")
    ordinary = Made(checker, SINUSOIDAL, "float32", "float16", {(2, 1): becomes(0x7fc00000)})
    document = ordinary.says(is_true=True)
    document["tensors"][0]["worst"] = {**document["tensors"][0]["worst"], "budget": "inf"}
    expect(checker, document, ordinary.files, "the budget is not")


def expect_draws(checker):
    """Drawn elements are different ones, and all are found when as many are asked for as there are."""
    good = Made(checker, SINUSOIDAL, "float32", "faithful", {}, rows=64)
    bad = Made(checker, SINUSOIDAL, "float32", "faithful", {(63, 3): moved(3)}, rows=64)
    document, seen, found = good.says(is_true=True), [], checker.Table.found
    checker.Table.found = lambda table, *place: seen.append(place) or found(table, *place)
    expect(checker, document, good.files, None, most=100)
    listed = good.claim["worst"]["row"], good.claim["worst"]["column"]
    drawn = seen[seen.index(listed) + 1:]
    checker.Table.found = found
    if len(drawn) != 100 or sorted(set(drawn)) != drawn:
        FAULTS.append(f"drew {drawn}")
    expect(checker, bad.says(is_true=False), bad.files, BEYOND, most=256)
    said = [checker.check(json.dumps(good.document), "", most, 1, dict(good.files))[0] for most in (255, 256)]
    if said != ["confirmed by a draw: accuracy pass", "confirmed: accuracy pass"]:
        FAULTS.append(f"said {said}")


def expect_forms(checker):
    """Files and certificates that say a thing twice, or in another form than the schema's."""
    made = Made(checker, SINUSOIDAL, "float32", "float32", {})
    document = made.says(is_true=True)
    size = len(made.data)
    for text, reason in ((made.header, None), (made.header.replace("{", "{'shape': (4, 8), "), "twice"),
                         (made.header.replace(made.form.npy[-1], "F32"), "holds 'F32'"), (made.header.replace("(8, 4)", "[8, 4]"), "no tuple")):
        expect(checker, *with_file(document, "table.npy", npy(text, made.data)), reason)
    entry = f'{{"dtype": "F32", "shape": [8, 4], "data_offsets": [0, {size}]}}'
    for text, reason in ((f'{{"encoding": {entry}}}', None), (f'{{"encoding": {entry}, "encoding": {entry}}}', "twice"),
                         (f'{{"encoding": {entry.replace("F32", "<f4")}}}', "holds '<f4'"),
                         (f'{{"encoding": {entry.replace("[0, ", "[-8, ").replace(str(size), str(size - 8))}}}', "expected 0"),
                         (f'{{"encoding": {entry.replace("[0, ", "[false, ")}}}', "expected 0")):
        data = len(text).to_bytes(8, "little") + text.encode() + made.data
        expect(checker, *with_file(document, "table.safetensors", data), reason)
    device = {**document, "tensors": [{**document["tensors"][0], "file": os.devnull}]}
    expect(checker, device, made.files, "no regular file")
    expect(checker, *with_file(document, "table\n.npy", npy(made.header, made.data)), "no plain name")
    expect(checker, {**document, "frequencies": dict.fromkeys(document["frequencies"], 0)}, made.files, "another type")
    ones = {**document, "spec": {**SINUSOIDAL, "base": 1}, "frequencies": ["1." + "0" * 30] * 2}
    expect(checker, ones, made.files, "the base 1")
    worst = document["tensors"][0]["worst"]
    for other in (float(worst["budget"]), worst["budget"].translate({ord(str(n)): 0x660 + n for n in range(10)})):
        claim = {**document["tensors"][0], "worst": {**worst, "budget": other}}
        expect(checker, {**document, "tensors": [claim]}, made.files, "")


def expect_exit_codes(checker, program):
    made = Made(checker, SINUSOIDAL, "float32", "float32", {(3, 0): moved(99)})
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "table.npy"), "wb") as opened:
            opened.write(made.files["table.npy"][0])
        for name, is_true in (("true", True), ("false", False)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as opened:
                json.dump(made.says(is_true), opened)
        for words, code, begin in ((["true"], 0, "true: confirmed: accuracy fail\n  spec: {\"scheme\""), (["false"], 1, "false: refused: "),
                                   (["none"], 1, "none: refused: "), (["true", "--elements", "5"], 0, "true: confirmed by a draw: "),
                                   ([], 2, ""), (["true", "--seed", "x"], 2, "")):
            ended = subprocess.run([sys.executable, program, *words], cwd=folder, capture_output=True, text=True, check=False)
            if ended.returncode != code or not ended.stdout.startswith(begin):
                FAULTS.append(f"{words} ends with {ended.returncode}: {ended.stdout}{ended.stderr}")


def main():
    program = os.path.join(os.path.abspath(sys.argv[1]), "vernier-check-certificate")
    checker = load(program)
    expect_cases(checker)
    expect_overflow(checker)
    expect_draws(checker)
    expect_forms(checker)
    expect_exit_codes(checker, program)
    print(*FAULTS, f"{len(FAULTS)} faults", sep="\n")
    return 1 if FAULTS else 0


if __name__ == "__main__":
    sys.exit(main())
