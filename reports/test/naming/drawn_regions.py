#!/usr/bin/env python3
"""Draws faults in regions of rotation tables, and compares what Vernier says of every element with what was planted.

    python3 drawn_regions.py --vernier PATH --draws N [--seed S] [--jobs J] [--show wrong|all]

A fault is a content (other positions, frequencies, amplitudes or components) in a region (rows, pairs, one component). A third of the
draws have two faults. A reader of sentences computes the tensors that the findings describe; it shares no code with the search.
A draw is exact if these tensors are the planted ones in every element. It is false if a finding mispredicts an element that it
claims."""

import argparse
import json
import math
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scenes import narrowed, pick

LEAST_EXACT = 0.85
MOST_FALSE = 0.01
ROLES = ("cos", "sin")

# ---- what tables hold
@dataclass
class Held:
    """Of each element of both tables, by its role: position, frequency, amplitude and function."""
    base: float
    p: dict
    w: dict
    amplitude: dict
    kind: dict  # 0: the cosine, 1: the sine
    magnitude: dict
    slack: dict  # relative: of a phase, from numbers that are printed with few digits

    @staticmethod
    def of(rows, pairs, base):
        full = lambda x: {r: np.broadcast_to(x, (rows, pairs)).astype(float) for r in ROLES}
        return Held(base, full(np.arange(rows)[:, None]), full(ladder(base, pairs)), full(1.0),
                    {r: np.full((rows, pairs), k) for k, r in enumerate(ROLES)}, full(0.0), full(0.0))

    def copy(self):
        return Held(self.base, *({r: x.copy() for r, x in part.items()} for part in self.parts()))

    def parts(self):
        return self.p, self.w, self.amplitude, self.kind, self.magnitude, self.slack

    def take(self, other, where):
        for own, others in zip(self.parts(), other.parts()):
            for r in ROLES:
                own[r][where[r]] = others[r][where[r]]

    def phases(self, r):
        return self.p[r] * self.w[r]

    def values(self, r, phases):
        x = self.amplitude[r] * np.where(self.kind[r] == 0, np.cos(phases), np.sin(phases))
        return np.where(self.magnitude[r] > 0, np.abs(x), x)

def ladder(base, pairs, by=0):
    return float(base) ** (-(np.arange(pairs) + by) / pairs)

def tolerance(planted, told, r):
    """How far elements of one computation may differ.

    The planted frequency f is rounded to float32, and so is the phase: each moves the phase by a relative 2^-24 at most. A sine
    moves no more than its phase. The value is rounded by 2^-25 of its amplitude. Thus 2 |phase| + 1 units of 2^-24 suffice;
    twice as many are allowed. Told numbers of few digits add their slack."""
    phases = np.maximum(abs(planted.phases(r)), abs(told.phases(r)))
    amplitude = np.maximum(abs(planted.amplitude[r]), abs(told.amplitude[r]))
    return amplitude * (2.0**-23 * (2 * phases + 1) + told.slack[r] * (1 + phases))

# ---- the draws
def index_set(rng, size, fewest):
    chosen, form = np.zeros(size, bool), pick(rng, ["range", "from", "to", "every"])
    if form == "every":
        n = pick(rng, [2, 3, 4])
        chosen[int(rng.integers(n))::n] = True
        return chosen
    first = int(rng.integers(size // 8, size // 2))
    last = int(rng.integers(min(size - 2, first + fewest), size - 1))
    chosen[{"range": slice(first, last + 1), "from": slice(first, None), "to": slice(last + 1)}[form]] = True
    return chosen

def region(rng, rows, pairs):
    kind = pick(rng, ["rows", "rows", "pairs", "both", "component", "table"])
    of_rows = index_set(rng, rows, 24) if kind in ("rows", "both") else np.ones(rows, bool)
    of_pairs = index_set(rng, pairs, 4) if kind in ("pairs", "both", "table") else np.ones(pairs, bool)
    roles = ROLES if kind in ("rows", "pairs", "both") else (pick(rng, ROLES),)
    return kind, {r: np.outer(of_rows, of_pairs) & (r in roles) for r in ROLES}

def content(rng, held):
    """The name and the number of a content, and what tables hold that have it everywhere."""
    new, rows, pairs = held.copy(), *held.p["cos"].shape
    kind = pick(rng, ["shift", "back", "base", "scale", "amplitude", "zero", "wrap", "clamp", "negated", "exchanged", "next pair", "bfloat16"])
    k = {"shift": [3, 7, 50, 1000], "back": [3, 7, 50, 1000], "base": [b for b in (5000, 20000, 500000, 1000000) if b != held.base],
         "scale": [2, 4, 8, 1 / 2, 1 / 4, 3], "amplitude": [2, 0.5, 1.25, 0.1], "wrap": [16, 20, 50], "clamp": [10, 30]}.get(kind, [0])
    k = pick(rng, k)
    for r in ROLES:
        p, w = new.p[r], new.w[r]
        new.p[r] = {"shift": p + k, "back": p - k, "scale": p * k, "negated": -p, "wrap": p % (k or 1), "clamp": np.minimum(p, k)}.get(kind, p)
        if kind in ("base", "next pair"):
            new.w[r] = np.broadcast_to(ladder(k or held.base, pairs, int(kind == "next pair")), w.shape).copy()
        if kind == "bfloat16":
            new.w[r] = narrowed(w.astype(np.float32).astype(float), "bfloat16")
        new.amplitude[r] = new.amplitude[r] * (k if kind == "amplitude" else 0 if kind == "zero" else 1)
        new.kind[r] = 1 - new.kind[r] if kind == "exchanged" else new.kind[r]
    return f"{kind} {k}" if k else kind, new

def float32(x):
    return x.astype(np.float32).astype(float)

def tables(held):
    """Frequencies, phases and values in float32."""
    return {r: held.values(r, float32(held.p[r] * float32(held.w[r]))).astype(np.float32) for r in ROLES}

def drawn(seed, index):
    rng = np.random.default_rng([seed, index])
    while True:
        rows, pairs, base = pick(rng, [120, 200, 300]), pick(rng, [16, 32, 64]), pick(rng, [10000, 500000])
        sound = Held.of(rows, pairs, base)
        planted, words = sound.copy(), []
        for _ in range(2 if rng.random() < 1 / 3 else 1):
            (name, new), (kind, where) = content(rng, sound), region(rng, rows, pairs)
            planted.take(new, where)
            words.append(f"{name} in {kind}: " + ", ".join(f"{r} {spans(where[r])}" for r in ROLES if where[r].any()))
        made, right = tables(planted), tables(sound)
        if any((abs(made[r].astype(float) - right[r]) > 4 * tolerance(planted, sound, r)).any() for r in ROLES):
            return sound, planted, made, words

def spans(where):
    def span(has):
        inside = np.flatnonzero(has)
        return f"{inside[0]}:{inside[-1]}" + (f":{inside[1] - inside[0]}" if len(inside) > 1 and inside[1] - inside[0] > 1 else "")
    return f"[{span(where.any(1))}, {span(where.any(0))}]"

# ---- reading sentences
class Unread(Exception):
    pass

def members(words, noun, size):
    """The indices that words name: "rows 3, 4 of every 8, from 40 on"; None if they name none."""
    i, w = np.arange(size), words
    if found := re.fullmatch(rf"every {noun}|{noun} [a-z]", w):
        return i >= 0
    if found := re.fullmatch(rf"every {noun} but {noun} (\d+)", w):
        return i != int(found[1])
    if found := re.fullmatch(rf"{noun}s from (\d+) on", w):
        return i >= int(found[1])
    if found := re.fullmatch(rf"{noun}s (\d+) to (\d+)", w):
        return (i >= int(found[1])) & (i <= int(found[2]))
    if found := re.fullmatch(rf"{noun}s? (\d+(?:, \d+)*)(?: and (\d+))?", w):
        return np.isin(i, [int(x) for x in re.findall(r"\d+", w)])
    found = re.fullmatch(rf"(?:(even|odd) {noun}s|every {noun} that (\d+) divides|{noun}s (\d+(?:, \d+)*) of every (\d+))"
                         r"(?:, from (\d+) on|, up to (\d+)|, from (\d+) to (\d+))?", w)
    if not found:
        return None
    parity, divisor, residues, period, start, end, first, last = found.groups()
    has = i % 2 == (parity == "odd") if parity else i % int(divisor) == 0 if divisor else np.isin(i % int(period), [int(x) for x in residues.split(", ")])
    return has & (i >= int(start or first or 0)) & (i <= int(end or last or size))

NAMES = {"floor": np.floor, "min": np.minimum, "max": np.maximum, "sqrt": math.sqrt, "pi": math.pi, "ln": math.log}

def evaluated(words, **variables):
    """The value of an expression as sentences have it: "2 pi", "min(i + 1, 63)", "(2 p) mod 16"."""
    text = re.sub(r"(?<=[\d)\w]) (?=[a-z(])(?!mod)", "*", words).replace("mod", "%")
    names = set(re.findall(r"(?<![\d.])[a-z]+", text))
    if not names <= NAMES.keys() | variables.keys() or not re.fullmatch(r"[\w\s.+\-*/%(),]+", text):
        raise Unread(words)
    try:
        return eval(text, {"__builtins__": {}}, NAMES | variables)
    except SyntaxError:
        raise Unread(words) from None

def digits_lost(words):
    """Half a unit of the last digit, relative, if a number with a point has so many digits that it may be cut."""
    digits = re.sub(r"e.*|^-|\.", "", words).lstrip("0")
    return 5 * 10.0**-len(digits) if "." in words and digits.isdigit() and len(digits) >= 6 else 0

COMPONENT = {"cosine": 0, "sine": 1}
NUMBER = r"(-?(?:\d[\d.]*(?:e[+-]?\d+)?(?:/\d+)?(?: pi)?|(?:1/)?(?:sqrt)?\([\d./]+(?: pi)?\)|pi(?:/\d+)?))"

# Of positions p that the subject names, the others are as they were.
OF_POSITIONS = [
    (rf"(?:are|is) larger by {NUMBER}", lambda p, k: p + k), (rf"(?:are|is) smaller by {NUMBER}", lambda p, k: p - k),
    (rf"(?:are|is) larger by {NUMBER}, and those beyond {NUMBER} are taken for it", lambda p, k, c: np.minimum(p + k, c)),
    ("(?:are|is) negated", lambda p: -p), (rf"(?:are|is) multiplied by {NUMBER}", lambda p, f: p * f),
    (rf"(?:are|is) divided by {NUMBER}", lambda p, f: p / f),
    (rf"(?:are|is) divided by {NUMBER}, and the remainder is dropped", lambda p, n: p // n),
    (rf"wraps? at {NUMBER}", lambda p, n: p % n), (rf"wraps? at {NUMBER} to -{NUMBER}, as in int\d+", lambda p, n, _: (p + n) % (2 * n) - n),
    (rf"beyond {NUMBER} are taken for it", lambda p, c: np.minimum(p, c)), (rf"below {NUMBER} are taken for it", lambda p, c: np.maximum(p, c)),
    (rf"come in steps of {NUMBER}", lambda p, n: n * (p // n)),
    (rf"come in steps of {NUMBER} from {NUMBER} on", lambda p, n, s: np.where(p < s, p, s + n * ((p - s) // n))),
    (rf"(?:are|is) counted down: p stands for {NUMBER} - p", lambda p, k: k - p)]

class Reader:
    def __init__(self, held):
        self.held, self.rows, self.pairs = held, *held.p["cos"].shape

    def everywhere(self, rows=None, pairs=None, roles=ROLES):
        rows, pairs = np.ones(self.rows, bool) if rows is None else rows, np.ones(self.pairs, bool) if pairs is None else pairs
        return {r: np.outer(rows, pairs) & (r in roles) for r in ROLES}

    def those(self, words, **others):
        pairs = members(words, "pair", self.pairs)
        return None if pairs is None else self.everywhere(pairs=pairs, **others)

    def place(self, words):
        """The elements that words before a colon name: "rows 3 to 8, the sines of odd pairs"."""
        parts = words.split(", ")
        for k in range(len(parts) + 1):
            of_rows, of_columns = ", ".join(parts[:k]), ", ".join(parts[k:])
            rows = members(of_rows or "every row", "row", self.rows)
            found = re.fullmatch(r"(?:the (cosine|sine)s of )?(.+?)(?: of (cos and sin|cos|sin))?", of_columns or "every pair")
            columns = members(found[2], "column" if found[3] else "pair", self.pairs)
            if rows is not None and columns is not None:
                return self.everywhere(rows, columns, (ROLES[COMPONENT[found[1]]],) if found[1] else (found[3] or "cos and sin").split(" and "))
        raise Unread(words)

    def set(self, part, where, values):
        for r in ROLES:
            part[r][where[r]] = np.broadcast_to(values(r) if callable(values) else values, (self.rows, self.pairs))[where[r]]

    def apply(self, sentence):
        """Changes what is held as a sentence says. Returns the words before a colon, which name its place."""
        sentence = re.sub(r" \(or, [^)]*(?:\([^)]*\)[^)]*)*\)|the pairs are in reverse order: ", "", sentence)
        parts = sentence.split(": ")
        for i in range(len(parts)):
            if self.read(": ".join(parts[i:])):
                return ": ".join(parts[:i])
        raise Unread(sentence)

    def read(self, s):
        return self.of_positions(s) or self.of_rows(s) or self.of_pairs(s) or self.of_frequencies(s) or self.of_components(s) or self.of_zeros(s)

    def of_positions(self, s):
        h, i = self.held, np.arange(self.rows)
        behind = re.search(r" from (?:position|a position between \d+ and) (\d+) on", s)
        rows = i >= int(behind[1]) if behind else i >= 0
        s = s.replace(behind[0], "", 1) if behind else s
        if found := re.fullmatch(r"positions? become (.*)", s):
            self.set(h.p, self.everywhere(rows), lambda r: evaluated(found[1], p=h.p[r]))
            return True
        if found := re.match(rf"position_offset is {NUMBER}(?:,|$)", s):
            self.set(h.p, self.everywhere(), lambda r: h.p[r] + evaluated(found[1]))
            return True
        found = re.fullmatch(r"positions?(?: of (.+?)| (\d+)(?: to (\d+))?)? ((?:are|is|wraps?|beyond|below|come|become) .*)", s)
        if not found:
            return False
        of, first, last, does = found.groups()
        if of:
            if (chosen := members(of, "row", self.rows)) is None:
                return False
            rows = rows & chosen
        elif first:
            rows = rows & (i >= int(first)) & (i <= int(last or first))
        for pattern, effect in OF_POSITIONS:
            if told := re.fullmatch(pattern, does):
                self.set(h.p, self.everywhere(rows), lambda r: effect(h.p[r], *(evaluated(x) for x in told.groups())))
                return True
        if told := re.fullmatch("become (.*)", does):
            self.set(h.p, self.everywhere(rows), lambda r: evaluated(told[1], p=h.p[r]))
            return True
        return False

    def of_rows(self, s):
        h = self.held
        if not (found := re.fullmatch(r"(.+?) holds? (.+)", s)) or (rows := members(found[1], "row", self.rows)) is None:
            return False
        what, own = found[2], np.arange(self.rows)[:, None] * np.ones((1, self.pairs))
        if told := re.fullmatch(r"position (.+?)(?:, ([a-z]) being .*)?", what):
            self.set(h.p, self.everywhere(rows), evaluated(told[1], p=own, r=own))
        elif re.match("the (?:position of the )?row (?:before|behind)|the position of the row (?:before|behind)", what):
            self.set(h.p, self.everywhere(rows), own + (1 if "behind" in what else -1))
        elif "own index" in what:
            self.set(h.p, self.everywhere(rows), own)
        else:
            return False
        return True

    def of_pairs(self, s):
        h, i = self.held, np.arange(self.pairs)
        of_pair = lambda to: np.broadcast_to(float(h.base) ** (-np.asarray(to, float) / self.pairs), (self.rows, self.pairs))
        if found := re.fullmatch(r"(.+?) turns? at the frequency of pair (.+)", s):
            where, to = self.those(found[1]), found[2]
        elif found := re.fullmatch(r"the (cosine|sine) of (.+?) is that of pair (.+)", s):
            where, to = self.those(found[2], roles=(ROLES[COMPONENT[found[1]]],)), found[3]
        elif found := re.fullmatch("each pair turns at the frequency of the pair (behind|before) it", s):
            where, to = self.everywhere(), "i + 1" if found[1] == "behind" else "i - 1"
        else:
            return False
        if where is None:
            return False
        self.set(h.w, where, of_pair(evaluated(to, i=i)))
        return True

    def of_frequencies(self, s):
        h, i = self.held, np.arange(self.pairs)
        every = self.everywhere()
        if found := re.match(rf"(?:every frequency is multiplied by|(?:the )?frequencies are multiplied by|(?:frequency|position)_scale is) {NUMBER}(?:,|$)", s):
            self.set(h.w, every, lambda r: h.w[r] * evaluated(found[1]))
            self.set(h.slack, every, digits_lost(found[1]))
        elif found := re.match(rf"(?:the base(?:, scaled,)?|rope_theta) is {NUMBER}(?:,|$)", s):
            self.set(h.w, every, ladder(evaluated(found[1]), self.pairs))
            self.set(h.slack, every, digits_lost(found[1]))
        elif found := re.fullmatch(r"the (cosine|sine)'s exponents are (.+?), the (cosine|sine)'s (.+)", s):
            for c, words in (found.groups()[:2], found.groups()[2:]):
                self.set(h.w, self.everywhere(roles=(ROLES[COMPONENT[c]],)), float(h.base) ** -evaluated(re.sub(r"(\d)i", r"\1 i", words), i=i))
        elif found := re.fullmatch("the exponents are (.+?), not .*", s):
            self.set(h.w, every, float(h.base) ** -evaluated(re.sub(r"(\d)i", r"\1 i", found[1]), i=i))
        elif found := re.fullmatch(r"(the frequencies|positions and frequencies|positions) are (rounded|cut off) to (bfloat16|float16)", s):
            cut = found[2] == "cut off"
            for part in [h.w] * ("frequencies" in found[1]) + [h.p] * ("positions" in found[1]):
                self.set(part, every, lambda r: narrowed(float32(part[r]), found[3], cut))
        elif found := re.match(rf"the amplitude is {NUMBER}(?:,| =|$)", s):
            self.set(h.amplitude, every, lambda r: h.amplitude[r] * evaluated(found[1]))
            self.set(h.slack, every, digits_lost(found[1]))
        elif re.match("no pair turns", s):
            self.set(h.w, every, 0)
        else:
            return False
        return True

    def of_components(self, s):
        h, old = self.held, self.held.copy()
        if s == "sine and cosine are exchanged":
            for r in ROLES:
                h.kind[r] = 1 - h.kind[r]
            return True
        if s == "the sine has the opposite sign" or re.match("the rotation is (?:counter)?clockwise, not", s):
            for r in ROLES:
                h.p[r] = -h.p[r]
            return True
        clauses = [re.fullmatch(r"(?:the )?(cosine|sine) is (?:the )?(negative |magnitude of the )?(cosine|sine|zero|1)", c) for c in s.split(", and ")]
        if not all(clauses):
            return False
        for target, how, source in (c.groups() for c in clauses):
            r = ROLES[COMPONENT[target]]
            if source in COMPONENT:
                h.kind[r] = old.kind[r] * 0 + COMPONENT[source]
                h.amplitude[r] = h.amplitude[r] * (-1 if how == "negative " else 1)
                h.magnitude[r] = h.magnitude[r] + (how == "magnitude of the ")
            else:
                h.kind[r], h.p[r], h.amplitude[r] = 0 * h.kind[r], 0 * h.p[r], h.amplitude[r] * (source == "1")
        return True

    def of_zeros(self, s):
        if s in ("all elements are zero", "what rotates is zero"):
            where = self.everywhere()
        elif found := re.fullmatch(r"every element(?: of (cos|sin|cos and sin))? is (?:-?0|zero)", s):
            where = self.everywhere(roles=(found[1] or "cos and sin").split(" and "))
        elif found := re.fullmatch(r"(.+?)(?: of (cos|sin|cos and sin))? (?:is|are) zero", s):
            rows, pairs = members(found[1], "row", self.rows), members(found[1], "column", self.pairs)
            if rows is None and pairs is None:
                return False
            where = self.everywhere(rows, pairs, (found[2] or "cos and sin").split(" and "))
        else:
            return False
        self.set(self.held.amplitude, where, 0)
        return True

# ---- judging
def from_runs(runs, size):
    has = np.zeros(size, bool)
    for first, last, step in runs:
        has[first:last + 1:step] = True
    return has

def told(findings, sound, by_words):
    """What the tables hold as the findings say, and the elements that they claim.

    Findings without an account hold everywhere. Of the others, the first that has an element made it; those of one account hold
    together. The elements of a finding are those of its account, or those that its words name."""
    held, claimed, parts = sound.copy(), {r: np.zeros(sound.p[r].shape, bool) for r in ROLES}, {}
    for finding in findings:
        account = finding.get("account")
        if finding["id"] == "unexplained":
            continue
        if account is None:
            new = held.copy()
            words = Reader(new).apply(finding["sentence"])
            held.take(new, Reader(new).place(words or "every row"))
            claimed = {r: claimed[r] | True for r in ROLES}
        else:
            parts.setdefault(json.dumps([account["rows"], account["columns"]]), []).append(finding["sentence"])
    result, taken = held.copy(), {r: np.zeros(x.shape, bool) for r, x in claimed.items()}
    for key, sentences in parts.items():
        rows, columns = json.loads(key)
        new = held.copy()
        words = [Reader(new).apply(sentence) for sentence in sentences][0]
        where = {r: np.outer(from_runs(rows, taken[r].shape[0]), from_runs(columns.get(r, []), taken[r].shape[1])) for r in ROLES}
        if by_words:
            where = Reader(new).place(words)
        where = {r: where[r] & ~taken[r] for r in ROLES}
        result.take(new, where)
        taken, claimed = {r: taken[r] | where[r] for r in ROLES}, {r: claimed[r] | where[r] for r in ROLES}
    return result, claimed

def findings_of(vernier, sound, made):
    rows, pairs = sound.p["cos"].shape
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for role, x in made.items():
            np.save(folder / f"{role}.npy", x)
        spec = {"scheme": "rope", "head_dim": 2 * pairs, "rope_theta": sound.base}
        (folder / "case.json").write_text(json.dumps({"name": "drawn", "spec": spec, "tensors": {r: f"{r}.npy" for r in made}}))
        done = subprocess.run([vernier, "validate", folder / "case.json", "--json", folder / "out.json"], capture_output=True, text=True)
        if not (folder / "out.json").exists():
            return done.returncode, [{"id": "refused", "sentence": done.stderr.strip()}]
        return done.returncode, json.loads((folder / "out.json").read_text())["diagnosis"] or []

def judged(code, findings, sound, planted, made):
    """What became of a draw, and where the verdict is wrong first."""
    if code != 1:
        return ("missed" if code == 0 else "refused"), ""
    if all(f["id"] == "unexplained" for f in findings):
        return "unexplained", ""
    try:
        compared = [compared_with(*told(findings, sound, by_words), planted, made) for by_words in (False, True)]
    except Unread as error:
        return "unread", str(error)
    return min(compared, key=lambda became: ["FALSE", "left", "exact"].index(became[0]))

def compared_with(held, claimed, planted, made):
    wrong = {r: abs(held.values(r, held.phases(r)) - made[r]) > tolerance(planted, held, r) for r in ROLES}
    if not any(x.any() for x in wrong.values()):
        return "exact", ""
    false = {r: wrong[r] & claimed[r] for r in ROLES}
    shown = false if any(x.any() for x in false.values()) else wrong
    r = next(r for r in ROLES if shown[r].any())
    row, pair = np.argwhere(shown[r])[0]
    where = (f"{sum(int(x.sum()) for x in shown.values())} elements, the first {r}[{row}, {pair}]: planted {made[r][row, pair]:.7g}, "
             f"told {held.values(r, held.phases(r))[row, pair]:.7g}")
    return ("FALSE" if shown is false else "left"), where

def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--vernier", required=True)
    parser.add_argument("--draws", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", choices=["wrong", "all"])
    options = parser.parse_args()
    counts, by_content = Counter(), Counter()
    def work(index):
        sound, planted, made, words = drawn(options.seed, index)
        code, findings = findings_of(options.vernier, sound, made)
        return index, words, code, findings, *judged(code, findings, sound, planted, made)
    with ThreadPoolExecutor(options.jobs) as pool:
        for index, words, code, findings, became, where in pool.map(work, range(options.draws)):
            counts[became] += 1
            by_content.update((re.match(r"[a-z0-9]+(?: pair)?", w)[0], became) for w in words)
            if options.show == "all" or became == "unread" or (options.show and became != "exact"):
                print(f"{became}: draw {index} of seed {options.seed}, exit code {code}: {'; '.join(words)}\n" + f"  {where}\n" * bool(where), end="")
                print("".join(f"  told      {f['id']}: {f['sentence']} {f.get('equally') or ''}\n" for f in findings), end="", flush=True)
    columns = [became for became, _ in counts.most_common()]
    print("content       " + "".join(f"{became:>13}" for became in columns))
    for name in sorted({content for content, _ in by_content}):
        print(f"{name:14}" + "".join(f"{by_content[name, became]:13}" for became in columns))
    print("draws         " + "".join(f"{counts[became]:13}" for became in columns))
    others, most_others, most_false = options.draws - counts["exact"], (1 - LEAST_EXACT) * options.draws, MOST_FALSE * options.draws
    print(f"told exactly: {100 * counts['exact'] / max(1, options.draws):.1f} %, falsely: {100 * counts['FALSE'] / max(1, options.draws):.1f} %")
    # A few draws may miss once.
    return int(others > max(1, most_others) or counts["FALSE"] > max(1, most_false))

if __name__ == "__main__":
    sys.exit(main())
