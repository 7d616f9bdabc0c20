"""Certificates of every kind are confirmed; drawn mutants of them, whose digests are right, are refused.

Usage: mutants.py FOLDER_OF_THE_PROGRAMS [--mutants N] [--seed N]
"""

import argparse
import copy
import functools
import hashlib
import importlib.machinery
import importlib.util
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction


def load(file):
    loader = importlib.machinery.SourceFileLoader("checker", file)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("checker", loader))
    loader.exec_module(module)
    return module


# What is judged: a spec, the tensors' type, kind of file and columns, the positions, and the contract.
CASES = {
    "encoding": ({"scheme": "sinusoidal", "d_model": 6, "order": "cos_sin", "scale": 0.5, "first_position": -3, "padding_idx": 2},
                 "float32", "npy", 6, "-3:17", "float32"),
    "halves": ({"scheme": "sinusoidal", "d_model": 4, "layout": "halves", "frequency": "tensor2tensor"},
               "float64", "safetensors", 4, "0:20", "faithful"),
    "twice": ({"scheme": "rope", "head_dim": 8, "layout": "interleaved", "rope_scaling": {"rope_type": "linear", "factor": 3}},
              "bfloat16", "npy", 8, "0:16", "float32"),
    "part": ({"scheme": "rope", "head_dim": 8, "rope_theta": 500000, "partial_rotary_factor": 0.5},
             "float16", "safetensors", 2, "0:30", "correctly-rounded"),
    "far": ({"scheme": "sinusoidal", "d_model": 4, "first_position": 16777214}, "float32", "npy", 4, "16777214:16777230", "float32"),
}
BROKEN = "broken"  # as "twice", with elements that are beyond their budgets


class Certificate:
    """The text of one, and the files that it is about."""

    def __init__(self, checker, folder, name):
        with open(os.path.join(folder, f"{name}.certificate"), encoding="utf-8") as opened:
            self.text = opened.read()
        self.name, self.folder, self.files = name, folder, {}
        checker.check(self.text, folder, 2 ** 20, 0, self.files)
        self.document = json.loads(self.text)
        encoding = checker.SCHEMES[self.document["spec"]["scheme"]](parsed(checker, self.text)["spec"])
        waves = functools.cache(lambda bits: checker.Waves(encoding, bits))
        self.tables = [checker.Table(claim, encoding, folder, self.files, waves) for claim in self.document["tensors"]]


def parsed(checker, text):
    return json.loads(text, object_pairs_hook=checker.once, parse_float=checker.real)


def make(programs, folder):
    """Writes the tables, cases and certificates."""
    def run(*words):
        result = subprocess.run([os.path.join(programs, "vernier"), *words], cwd=folder, capture_output=True, text=True, check=False)
        if result.returncode not in (0, 1, 4):
            sys.exit(f"vernier {' '.join(words)}: {result.stderr}")

    def certify(name, spec, kind, files, contract):
        write(folder, f"{name}.json", {"name": name, "spec": spec, "tensors": files, "dtype": dict.fromkeys(files, kind)})
        run("certify", f"{name}.json", "--contract", contract, "-o", f"{name}.certificate")

    for name, (spec, kind, ending, columns, positions, contract) in CASES.items():
        write(folder, f"{name}-spec.json", spec)
        files = {role: f"{name}-{role}.{ending}" for role in (["encoding"] if spec["scheme"] == "sinusoidal" else ["cos", "sin"])}
        for role, file in files.items():
            run("table", "--spec", f"{name}-spec.json", f"--positions={positions}", "--role", role, "--dtype", kind, "--columns",
                str(columns), "-q", "-o", file)
            if name == "part":  # as a cache of models has it: a link to a file whose name is a digest
                os.makedirs(os.path.join(folder, "blobs"), exist_ok=True)
                os.rename(os.path.join(folder, file), os.path.join(folder, "blobs", role))
                os.symlink(os.path.join("blobs", role), os.path.join(folder, file))
        certify(name, spec, kind, files, contract)
    files = {role: f"{BROKEN}-{role}.npy" for role in ("cos", "sin")}
    for role, file in files.items():
        with open(os.path.join(folder, f"twice-{role}.npy"), "rb") as opened:
            data = bytearray(opened.read())
        for back, pattern in ((60, 0xbf10), (50, 0x3f00), (30, 0x7fc0)):  # elements counted from the last: two numbers and a NaN
            struct.pack_into("<H", data, len(data) - 2 * back, pattern)
        with open(os.path.join(folder, file), "wb") as opened:
            opened.write(data)
    certify(BROKEN, CASES["twice"][0], "bfloat16", files, "float32")


def write(folder, name, value):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as opened:
        json.dump(value, opened)


def leaves(value, path=()):
    if isinstance(value, (dict, list)):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(one, (*path, key))
    elif path != ("made_by",):  # the one thing that nobody can check
        yield path, value


def at(document, path):
    for key in path:
        document = document[key]
    return document


# Kinds of mutants: each returns the text and the files, or nothing where what it drew is no mutant.

def changed_text(draw, certificate):
    """A byte is another, is lost, or is one more."""
    place = draw.randrange(len(certificate.text))
    new = draw.choice(["", chr(draw.randrange(32, 127)), certificate.text[place] + chr(draw.randrange(32, 127))])
    return certificate.text[:place] + new + certificate.text[place + 1:], certificate.files


def other_number(draw, value):
    return draw.choice([value + 1, value - 1, -value, 2 * value, value + draw.randrange(1, 1000), float(value) + 0.5, None, str(value)])


def other_text(draw, value):
    words = ["float64", "float32", "float16", "bfloat16", "faithful", "correctly-rounded", "pass", "fail", "inconclusive", "cos", "sin",
             "interleaved", "halves", "half", "sin_cos", "cos_sin", "paper", "tensor2tensor", "sinusoidal", "rope", "encoding",
             "0.00000e+00", "0.00000e+99", "1.00000e+99", "0." + "0" * 30]
    digits = [i for i, letter in enumerate(value) if letter.isdigit()]
    if digits and draw.random() < 0.6:
        place = draw.choice(digits)
        return value[:place] + str(draw.randrange(10)) + value[place + 1:]
    return draw.choice([draw.choice(words), value + draw.choice("0: "), value[1:], draw.choice("-0 ") + value])


def is_one_digit_off(value, other):
    """Whether two texts are numbers of the same exponent whose last digits are neighbours."""
    (digits, exponent), (others, other_exponent) = (text.partition("e")[::2] for text in (value, other))
    try:
        return exponent == other_exponent and abs(Fraction(digits) - Fraction(others)) <= Fraction(1, 10 ** 5)
    except ValueError:
        return False


def changed_value(draw, certificate):
    """One claim says something else."""
    document = copy.deepcopy(certificate.document)
    path, value = draw.choice(list(leaves(document)))
    other = other_text(draw, value) if isinstance(value, str) else other_number(draw, value or 0)
    if path[-1] == "budget" and isinstance(other, str) and is_one_digit_off(value, other):
        return None  # a budget is known to a 32nd of its last digit, and may be rounded either way
    at(document, path[:-1])[path[-1]] = other
    return json.dumps(document), certificate.files


def changed_form(draw, certificate):
    """A key or an element is lost, is one more, or changes places with another."""
    document = copy.deepcopy(certificate.document)
    owners = [document, document["spec"], document["positions"], *document["tensors"]]
    owners += [one[key] for one in document["tensors"] for key in ("worst", "first_beyond") if one[key]]
    owner = draw.choice(owners)
    first, second = draw.choice(list(owner)), draw.choice(list(owner))
    kind = draw.randrange(4)
    if kind == 0:
        del owner[first]
    elif kind == 1:
        owner["more"] = 0
    elif kind == 2:
        owner[first], owner[second] = owner[second], owner[first]
    else:
        document["tensors"] += document["tensors"][:1]
    return json.dumps(document), certificate.files


def element_of(checker, table, row, column):
    """All that a certificate says of an element, true."""
    position, bits = table.encoding.first + row, 1024
    value = Fraction(table.truth(row, column, bits), 1 << bits)
    places = 30
    while value and abs(value) * 10 ** (places - 29) < 1:
        places += 1
    if places > 30 and round(value * 10 ** places) >= 10 ** 30:  # a power of ten, to so many places
        places -= 1
    digits, budget = round(value * 10 ** places), table.found(row, column)[2]
    text = f"{'-' if digits < 0 else ''}{abs(digits) // 10 ** places}.{abs(digits) % 10 ** places:0{places}}"
    return {"row": row, "position": position, "column": column, "stored": f"0x{table.pattern(row, column):0{table.form.width // 4}x}",
            "truth": text, "budget": f"{float(budget):.5e}" if budget < 2 ** 1024 else "inf"}


def other_element(checker, draw, certificate):
    """Another element is listed, and all that is said of it is true."""
    document = copy.deepcopy(certificate.document)
    which = draw.randrange(len(certificate.tables))
    claim, table = document["tensors"][which], certificate.tables[which]
    row, column = divmod(draw.randrange(table.elements), table.width)
    key = draw.choice(["worst", "first_beyond"])
    listed = claim[key]
    if table.encoding.first + row == table.encoding.zero or (listed and (row, column) == (listed["row"], listed["column"])):
        return None
    if key == "worst" and listed:
        used, most = (table.found(*place)[1] for place in ((row, column), (listed["row"], listed["column"])))
        if abs(used - most) <= most >> 20:
            return None  # as far off as the worst, to a millionth: true of either
    claim[key] = element_of(checker, table, row, column)
    return json.dumps(document), certificate.files


def whole_lie(draw, certificate):
    """The counts, the listed elements and the finding agree with each other, but not with the tensors."""
    document = copy.deepcopy(certificate.document)
    claim = draw.choice(document["tensors"])
    elements = claim["shape"][0] * claim["shape"][1]
    if claim["beyond"]:
        claim.update(beyond=0, first_beyond=None)
        claim["worst"] = draw.choice([claim["worst"], None])
    elif draw.random() < 0.5:
        claim.update(beyond=draw.randrange(1, elements), first_beyond=claim["worst"])
    else:
        claim["inconclusive"] = draw.randrange(elements)
    has = [any(one[key] for one in document["tensors"]) for key in ("beyond", "inconclusive")]
    document["accuracy"] = "fail" if has[0] else "inconclusive" if has[1] else "pass"
    return json.dumps(document), certificate.files


def turned_tensor(draw, certificate):
    """The file says that its columns follow each other, not its rows; the digest is that of the changed file."""
    document, files = copy.deepcopy(certificate.document), dict(certificate.files)
    claim = draw.choice(document["tensors"])
    data = files[claim["file"]][0].replace(b"'fortran_order': False", b"'fortran_order': True ") if claim["file"] in files else b""
    if not data.startswith(b"\x93NUMPY"):
        return None
    files[claim["file"]] = data, hashlib.sha256(data).hexdigest()
    claim["sha256"] = files[claim["file"]][1]
    return json.dumps(document), files


def changed_tensor(checker, draw, certificate):
    """An element that kept its budget is doubled or halved, which breaks it; the digest is that of the changed file."""
    document, files = copy.deepcopy(certificate.document), dict(certificate.files)
    which = draw.randrange(len(certificate.tables))
    table = certificate.tables[which]
    row, column = divmod(draw.randrange(table.elements), table.width)
    state, _, budget = table.found(row, column)
    m, e = checker.decoded(table.pattern(row, column), table.form) or (0, 0)
    if state != "within" or abs(m) * Fraction(2) ** (e - 1) <= 2 * budget:
        return None
    file = next(file for file in files if table.name.startswith(file))
    size = table.form.width // 8
    data, place = bytearray(files[file][0]), table.offset + (row * table.width + column) * size
    struct.pack_into(table.form.code, data, place, table.pattern(row, column) ^ 1 << table.form.precision - 1)
    files[file] = bytes(data), hashlib.sha256(data).hexdigest()
    for claim in document["tensors"]:
        claim["sha256"] = files[next(name for name in files if claim["file"].startswith(name))][1]
        for key in ("worst", "first_beyond"):
            if claim[key] and claim is document["tensors"][which] and (claim[key]["row"], claim[key]["column"]) == (row, column):
                claim[key]["stored"] = f"0x{struct.unpack_from(table.form.code, data, place)[0]:0{2 * size}x}"
    return json.dumps(document), files


def is_same(checker, text, certificate):
    """Whether the claims are those of the certificate, in whatever text."""
    def claims(of):
        return {path: value for path, value in leaves(parsed(checker, of))}
    try:
        return claims(text) == claims(certificate.text)
    except checker.REFUSALS:
        return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs")
    parser.add_argument("--mutants", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=20170612)
    arguments = parser.parse_args()
    programs = os.path.abspath(arguments.programs)
    print(f"seed {arguments.seed}")
    checker = load(os.path.join(programs, "vernier-check-certificate"))
    kinds = [changed_text, changed_value, changed_form, whole_lie, turned_tensor,
             functools.partial(other_element, checker), functools.partial(changed_tensor, checker)]
    draw, refused, accepted = random.Random(arguments.seed), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        make(programs, folder)
        certificates = [Certificate(checker, folder, name) for name in (*CASES, BROKEN)]
        found = {certificate.document["accuracy"] for certificate in certificates}
        if found != {"pass", "fail", "inconclusive"}:
            sys.exit(f"the certificates find only {found}")
        while refused + accepted < arguments.mutants:
            certificate, kind = draw.choice(certificates), draw.choice(kinds)
            mutant = kind(draw, certificate)
            if mutant is None or is_same(checker, mutant[0], certificate) and mutant[1] is certificate.files:
                continue
            try:
                checker.check(mutant[0], folder, 2 ** 20, 0, dict(mutant[1]))
            except checker.REFUSALS:
                refused += 1
                continue
            accepted += 1
            print(f"confirmed, though a mutant of {certificate.name} by {getattr(kind, 'func', kind).__name__}:\n{mutant[0]}")
    print(f"{len(certificates)} certificates are confirmed; {refused} of {refused + accepted} mutants are refused")
    return 1 if accepted else 0


if __name__ == "__main__":
    sys.exit(main())
