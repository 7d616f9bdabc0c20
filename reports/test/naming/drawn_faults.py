#!/usr/bin/env python3
"""Draws faults of positional encodings at random, by code of its own, and counts how many of them Vernier names rightly.

    python3 drawn_faults.py --vernier PATH --draws N [--seed S] [--only CLASS] [--show wrong|all]

What may be said of a fault is a list of regular expressions, made from the numbers that tensors hold: every description that
is true of them counts, not only the words in which the fault was drawn.
"""

import argparse
import itertools
import json
import math
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

import numpy as np

# Of the faults that are detected, at least this share has to be named rightly, and at most so many falsely.
LEAST_NAMED = 0.9
MOST_FALSE = 0
HONEST_SHARE = 0.1
BASES = [100, 500, 1000, 10000, 50000, 500000, 1000000]
NARROW = {"bfloat16": (8, -133, 3.4e38), "float16": (11, -24, 65504.0), "TF32": (11, -136, 3.4e38)}
UNITS = {"float64": 2.0**-53, "float32": 2.0**-24, "float16": 2.0**-11, "bfloat16": 2.0**-8}


# ---- numbers and formats

def narrowed(x, name, cut=False):
    """x in a format of fewer bits, rounded to the nearest even or cut off."""
    bits, least, greatest = NARROW[name]
    step = np.ldexp(1.0, np.maximum(np.frexp(x)[1] - bits, least))
    y = (np.trunc if cut else np.rint)(x / step) * step
    return np.where(np.abs(y) > greatest, np.sign(y) * (greatest if cut else np.inf), y)


def stored(x, form):
    if form == "bfloat16":
        return (narrowed(x, form).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return x.astype(form)


def read(x, form):
    return (x.astype(np.uint32) << 16).view(np.float32).astype(float) if form == "bfloat16" else x.astype(float)


def number(x):
    """A number as text may have it: whole, as a fraction, or with a point."""
    fraction = Fraction(float(x)).limit_denominator(2000)
    words = {str(fraction), f"{float(x):.10g}"}
    if fraction.denominator > 1:
        words.add(f"{float(x):.5f}"[:6])
    return r"(?<![\d./])(?:" + "|".join(re.escape(w) + (r"\d*" if "." in w else "") for w in sorted(words)) + r")(?![\d/]|\.\d)"


def about(x):
    """The first four digits of a number."""
    digits, exponent = f"{x:.6e}".split("e")
    plain = f"{x:.12f}"
    cut = plain[:plain.index(digits[0], 0) + 5] if abs(x) < 1e6 and digits[0] in plain else digits[:5]
    return "(?:" + re.escape(cut) + r"\d*|" + re.escape(digits[:5]) + r"\d*e[-+]?0*" + str(abs(int(exponent))) + ")"


def all_of(*parts):
    """Patterns of which a sentence has to match each."""
    return tuple(p for part in parts for p in ([part] if isinstance(part, str) else part) if p)


def pick(rng, items):
    return items[int(rng.integers(len(items)))]


# ---- what is true of rows that hold other positions

def index_sets(mask, noun="rows?", positions=None):
    """Words for a set of indices; one of them is empty if all belong to it."""
    inside, n = np.flatnonzero(mask), len(mask)
    first, last = int(inside[0]), int(inside[-1])
    if len(inside) == n:
        return [""]
    found = [noun + " " + ", ".join(map(str, inside)) + r"(?!\d)"]
    if len(inside) == n - 1:
        found.append(f"every {noun} but {noun} {int(np.flatnonzero(~mask)[0])}" + r"\b")
    if last - first + 1 == len(inside):
        found.append(rf"{noun} {first} to {last}\b")
        if last == n - 1:
            found.append(rf"{noun} from {first} on\b")
        if positions is not None and np.all(np.diff(positions) > 0):
            low, high = (f"{positions[i]:.0f}" for i in (first, last))
            found += [rf"positions {low} to {high}\b"] + ([rf"from position {low} on", rf"and {low} on"] if last == n - 1 else [])
            found += [rf"position {low}\b"] if first == last else []
    for period in range(2, n // 2 + 1):
        rest = sorted(set((inside % period).tolist()))
        if len(rest) <= 8 and np.array_equal(np.isin(np.arange(n) % period, rest), mask):
            found.append(rf"{noun} {', '.join(map(str, rest))} of every {period}\b")
            if rest == [0]:
                found.append(rf"every {noun} that {period} divides|every {period}(?:st|nd|rd|th) {noun}")
            if period == 2:
                found.append(f"{'even' if rest == [0] else 'odd'} {noun}")
            break
    return found


def row_sets(mask, positions):
    """Words for a set of rows in copies along leading dimensions."""
    choices = []
    for d in range(mask.ndim):
        along = mask.any(axis=tuple(i for i in range(mask.ndim) if i != d))
        if d == mask.ndim - 1:
            choices.append(index_sets(along, "rows?", positions.reshape(-1, positions.shape[-1])[0]))
        else:
            suffix = rf".*leading dimension {d}" if mask.ndim > 2 else ""
            choices.append([w and w + suffix for w in index_sets(along, "ind(?:ex|ices)")])
    return [all_of(*words) for words in itertools.product(*choices)]


def lines(held, feature, failing):
    """(s, o) with held = s feature + o in failing rows, of which the feature has three numbers."""
    if len(np.unique(feature[failing])) < 3:
        return []
    f, h = feature[failing], held[failing]
    low, high = np.argmin(f), np.argmax(f)
    s = Fraction((h[high] - h[low]) / (f[high] - f[low])).limit_denominator(200)
    o = Fraction(h[low] - float(s) * f[low]).limit_denominator(2000)
    return [(s, o)] if s != 0 and np.allclose(float(s) * f + float(o), h, atol=1e-6) else []


def line_words(s, o, name):
    heads = {name} if s == 1 else {f"{s} {name}", f"{float(s):.10g} {name}"} | ({f"{name}/{s.denominator}"} if s.numerator == 1 else set())
    tail = "" if o == 0 else rf" [+-] {number(abs(o))}"
    words = [re.escape(h) + tail for h in sorted(heads)]
    return words + ([rf"{number(o)} - (?:{number(-s)} )?{name}"] if s < 0 else [])


def truths(held, own, others=None):
    """All that may be said of rows that hold other positions than their own; others are features by their words."""
    failing = ~np.isclose(held, own, atol=1e-7)
    if not failing.any():
        return []
    found = []
    row = np.broadcast_to(np.arange(own.shape[-1], dtype=float), own.shape)

    def tell(words, values):
        fits = np.isclose(held, values, atol=1e-6)
        if fits[failing].all():
            sets = [""] if fits.all() else row_sets(failing, own) + row_sets(fits, own)
            found.extend(all_of(w, s) for w in words for s in sets)

    for o in np.unique(np.round((held - own)[failing], 6)):
        tell([rf"{'larger' if o > 0 else 'smaller'} by {number(abs(o))}"], own + o)
    for s, o in lines(held, own, failing):
        words = ["become " + w for w in line_words(s, o, "p")]
        words += [f"multiplied by {number(s)}", f"position_scale.* {number(s)}"] if o == 0 else []
        words += [f"divided by {number(1 / s)}"] if o == 0 and s.numerator == 1 else []
        words += [f"counted down.* {number(o)} - p"] if s == -1 else []
        words += ["negated"] if (s, o) == (-1, 0) else []
        tell(words, float(s) * own + float(o))
    tell(["own index"], row)
    for s, o in lines(held, row, failing):
        tell(line_words(s, o, "r"), float(s) * row + float(o))
    constant = held[failing][0]
    tell([f"holds? position {number(constant)}"], np.full(own.shape, constant))
    greatest, least = held[failing].max(), held[failing].min()
    tell([f"beyond {number(greatest)} are taken for it"], np.minimum(own, greatest))
    tell([f"below {number(least)} are taken for it"], np.maximum(own, least))
    for n in range(2, int(own.max()) + 1):
        tell([f"wrap at {number(n)}"], own % n)
        tell([f"divided by {number(n)}, and the remainder"], own // n)
    r = np.arange(own.shape[-1])
    for words, order in {"the row before": r - 1, "the row behind": r + 1, "as far from the end": r[::-1]}.items():
        tell([words], own[..., order % len(r)])
        tell([words], own[..., np.clip(order, 0, len(r) - 1)])
    if own.ndim > 1:
        tell(["position of that row of leading index 0"], np.broadcast_to(own[:1], own.shape))
        for d in range(own.ndim - 1):
            shape = [-1 if i == d else 1 for i in range(own.ndim)]
            index = np.broadcast_to(np.arange(own.shape[d], dtype=float).reshape(shape), own.shape)
            tell([rf"index of leading dimension {d}", rf"count along dimension {d - own.ndim - 1}", "the leading index"], index)
        offsets = [(c, np.unique(np.round((held - own)[c], 6))) for c in range(own.shape[0])]
        if all(len(o) == 1 for _, o in offsets):
            found.append(all_of(*(rf"(?:leading index {c}|index {c} of leading dimension 0)\b.*by {number(abs(o[0]))}" for c, o in offsets if o[0] != 0)))
    for words, values in (others or {}).items():
        tell([words], values)
    if failing.sum() <= 6 and own.ndim == 1:
        found.append(all_of(*(rf"row {r} .*position {number(held[r])}" for r in np.flatnonzero(failing))))
    return found


def axis_truths(held, own):
    """The same of positions [..., axes]: of each axis that is off, or of all alike."""
    by_axis = {}
    for a in range(own.shape[-1]):
        others = {rf"position along axis {b}\b": own[..., b] for b in range(own.shape[-1]) if b != a}
        if not np.allclose(held[..., a], own[..., a], atol=1e-7):
            by_axis[a] = truths(held[..., a], own[..., a], others)
    if not by_axis:
        return []
    names = {a: rf"along ax(?:is|es) [\d, and]*(?<!\d){a}(?!\d)" for a in by_axis}
    found = [all_of(*(all_of(names[a], w) for a, w in zip(by_axis, words)))
             for words in itertools.product(*(v[:200 if len(by_axis) == 1 else 25] for v in by_axis.values()))]
    if len(by_axis) == own.shape[-1]:
        found += set.intersection(*map(set, by_axis.values()))
    return found


# ---- encodings

@dataclass
class Draw:
    kind: str
    spec: dict
    tensors: dict
    expected: list
    parameters: str = ""
    dtype: dict = field(default_factory=dict)
    differs: bool = True


@dataclass
class Scene:
    """An encoding of sines and cosines and the roles in which it is shown."""
    spec: dict
    frequencies: np.ndarray  # [pairs]
    positions: np.ndarray  # [..., rows, axes]
    role: str = "tables"  # or vectors, encoding, cos, sin
    form: str = "float32"
    axes: np.ndarray = None  # [pairs]
    layout: str = "half"
    width: int = 0
    amplitude: float = 1.0
    doubled: bool = False
    declared: np.ndarray = None  # the tensor of positions
    inputs: np.ndarray = None

    def __post_init__(self):
        n = len(self.frequencies)
        self.axes = np.zeros(n, int) if self.axes is None else self.axes
        self.width = self.width or 2 * n

    def places(self, layout=None):
        """The two dimensions of each pair."""
        i, n = np.arange(len(self.frequencies)), len(self.frequencies)
        return (2 * i, 2 * i + 1) if (layout or self.layout) == "interleaved" else (i, i + n)

    def phases(self, positions=None, frequencies=None):
        positions = self.positions if positions is None else positions
        return positions[..., self.axes] * (self.frequencies if frequencies is None else frequencies)

    def parts(self, positions=None, frequencies=None, amplitude=None):
        phases = self.phases(positions, frequencies)
        amplitude = self.amplitude if amplitude is None else amplitude
        with np.errstate(invalid="ignore"):
            return amplitude * np.cos(phases), amplitude * np.sin(phases)

    def values(self, cos, sin, layout=None):
        first, second = self.places(layout)
        if self.role == "vectors":
            x, y = self.inputs, self.inputs.copy()
            y[..., first] = x[..., first] * cos - x[..., second] * sin
            y[..., second] = x[..., first] * sin + x[..., second] * cos
            return {"rotated": y}
        width = 2 * len(self.frequencies)
        if self.role == "encoding":
            table = np.zeros(cos.shape[:-1] + (width,))
            table[..., first], table[..., second] = sin, cos
            return {"encoding": table}
        tables = {"cos": cos, "sin": sin}
        if self.doubled:
            for name, part in list(tables.items()):
                tables[name] = np.zeros(part.shape[:-1] + (width,))
                tables[name][..., first] = tables[name][..., second] = part
        return {k: v for k, v in tables.items() if self.role in ("tables", k)}

    def draw(self, kind, values, expected, parameters=""):
        form = self.form
        tensors = {role: stored(x, form) for role, x in values.items()}
        u = UNITS["float64" if form == "float64" else "float32"]
        error = 6 * u * (1 + np.abs(self.phases())) * self.amplitude
        tolerances = replace(self, inputs=None if self.inputs is None else np.abs(self.inputs)).values(-error, -error)
        differs = False
        for role, honest in self.values(*self.parts()).items():
            rounding = 2 * UNITS[form] * (np.abs(honest) + (np.abs(self.inputs) if self.role == "vectors" else 0))
            got = read(tensors[role], form)
            near = np.abs(got - honest) <= 4 * (2 * np.abs(tolerances[role]) + rounding)
            differs = differs or not near.all()
        dtype = {role: form for role in tensors} if form == "bfloat16" else {}
        if self.role == "vectors":
            tensors["input"] = stored(self.inputs, form)
            dtype = {role: form for role in tensors} if form == "bfloat16" else {}
        if self.declared is not None:
            tensors["positions"] = self.declared.astype(np.int64)
        words = f"{self.role} {form} {list(self.positions.shape)} {parameters}"
        return Draw(kind, self.spec, tensors, list(dict.fromkeys(expected)), words, dtype, differs)


def ladder(base, width):
    return float(base) ** (-np.arange(0, width, 2) / width)


def format_of(rng):
    return str(rng.choice(["float32", "float16", "bfloat16", "float64"], p=[0.68, 0.12, 0.14, 0.06]))


def with_inputs(rng, scene):
    if scene.role == "vectors":
        scene.inputs = read(stored(rng.standard_normal(scene.positions.shape[:-1] + (scene.width,)), scene.form), scene.form)
    return scene


def rope(rng, roles=("tables", "tables", "vectors", "encoding"), positions=None, rows=None, lead=(), form=None, pairs=None):
    """A rotation or a sinusoid of one axis; positions [..., rows] are declared as a tensor if they are given."""
    role, base = pick(rng, roles), pick(rng, BASES)
    pairs = pairs or pick(rng, [8, 16, 24, 32, 48, 64, 96, 128])
    rows = rows or int(rng.integers(16, 97 if role == "vectors" or lead else 513))
    own = np.arange(rows) if positions is None else positions
    full = np.broadcast_to(own, tuple(lead) + (own.shape[-1],)) if own.ndim == 1 else own.reshape(
        own.shape[:1] + (1,) * (len(lead) - 1) + own.shape[1:]) + np.zeros(tuple(lead) + (1,), int)
    layout = pick(rng, ["half", "interleaved"])
    spec = {"scheme": "rope", "head_dim": 2 * pairs, "rope_theta": base, "layout": layout}
    if role == "encoding":
        spec = {"scheme": "sinusoidal", "d_model": 2 * pairs, "base": base, "layout": "halves" if layout == "half" else layout}
    scene = Scene(spec, ladder(base, 2 * pairs), full[..., None].astype(float), role, form or format_of(rng), layout=layout,
                  doubled=bool(rng.integers(2)), declared=None if positions is None else own)
    return with_inputs(rng, scene)


def token_grid(rng, axes):
    """Positions of a grid behind a text: [rows, axes]."""
    sizes = [int(rng.integers(2, 6)) if axes == 3 else 1, int(rng.integers(4, 12)), int(rng.integers(4, 12))][-axes:]
    start = pick(rng, [0, 0, 7, 20])
    image = np.stack(np.meshgrid(*map(np.arange, sizes), indexing="ij"), -1).reshape(-1, axes) + start
    text = np.repeat(np.arange(start)[:, None], axes, 1)
    return np.concatenate([text, image])


def several_axes(rng):
    axes, base, form = pick(rng, [2, 3]), pick(rng, BASES), format_of(rng)
    role, layout = pick(rng, ["tables", "tables", "vectors"]), pick(rng, ["half", "interleaved"])
    if rng.random() < 0.4:
        section = [pick(rng, [8, 12, 16]) for _ in range(3)]
        pairs, axes = sum(section), 3
        index, interleaved = np.repeat(np.arange(3), section), len(set(section)) == 1 and bool(rng.integers(2))
        if interleaved:
            index = np.arange(pairs) % 3
        scaling = {"rope_type": "default", "mrope_section": section} | ({"mrope_interleaved": True} if interleaved else {})
        spec = {"scheme": "rope", "head_dim": 2 * pairs, "rope_theta": base, "layout": layout, "rope_scaling": scaling}
        frequencies = ladder(base, 2 * pairs)
    else:
        alternating = rng.random() < 0.3
        dims = [2 * pick(rng, [8, 12, 16, 22])] * axes if alternating else [2 * pick(rng, [6, 8, 12, 16, 22, 28]) for _ in range(axes)]
        index, frequencies = np.repeat(np.arange(axes), [d // 2 for d in dims]), np.concatenate([ladder(base, d) for d in dims])
        if alternating:
            index, frequencies = np.tile(np.arange(axes), dims[0] // 2), np.repeat(ladder(base, dims[0]), axes)
        spec = {"scheme": "axial_rope", "head_dim": sum(dims), "rope_theta": base, "layout": layout, "axes": [{"dims": d} for d in dims]}
        spec |= {"arrangement": "alternating"} if alternating else {}
    p = token_grid(rng, axes)
    return with_inputs(rng, Scene(spec, frequencies, p.astype(float), role, form, index, layout, declared=p.T))


# ---- the classes of faults

def one_axis(rng):
    scene = several_axes(rng)
    own, held = scene.positions, scene.positions.copy()
    a, axes = int(rng.integers(own.shape[-1])), own.shape[-1]
    p, kind = own[:, a], pick(rng, ["offset", "factor", "reversed", "clamped", "constant", "flat", "other axis", "line"])
    o, s = pick(rng, [1, 2, 5, 8, 10, -3]), pick(rng, [2, 3, 1.5, 0.5])
    line = pick(rng, [(2 / 7, -13 / 14), (5 / 4, 0.25), (3 / 7, 5 / 7), (4 / 5, 0.5), (16 / 11, 3 / 11)])
    limit = int(rng.integers(1, max(2, p.max())))
    held[:, a] = {"offset": p + o, "factor": s * p, "reversed": p.max() - p, "clamped": np.minimum(p, limit),
                  "constant": np.full(len(p), pick(rng, [0, 1, 5])), "flat": np.arange(len(p)),
                  "other axis": own[:, (a + 1) % axes], "line": line[0] * p + line[1]}[kind]
    return scene.draw(kind, scene.values(*scene.parts(held)), axis_truths(held, own), f"axis {a} o {o} s {s} limit {limit} line {line}")


def leading_indices(rng):
    kind = pick(rng, ["offset of a sequence", "offset of a head", "positions of the first", "heads counted", "not turned", "first only"])
    role = "tables" if kind != "heads counted" and rng.random() < 0.3 else "vectors"
    lead = (pick(rng, [2, 3, 4]),) + ((pick(rng, [2, 3]),) if role == "vectors" else ())
    rows, own = int(rng.integers(16, 65)), None
    if kind == "positions of the first" or rng.random() < 0.5:
        own = np.arange(rows) + rng.integers(0, 12, (lead[0], 1))
    scene = rope(rng, (role,), own, rows, lead)
    own, held = scene.positions[..., 0], scene.positions[..., 0].copy()
    d = len(lead) - 1 if kind in ("offset of a head", "heads counted") else 0
    c, o = int(rng.integers(lead[d])), pick(rng, [1, 3, 5, 17, 100])
    at = (slice(None),) * d + (c,)
    if kind.startswith("offset"):
        held[at] += o
    elif kind == "positions of the first":
        held[:] = own[:1]
    elif kind == "heads counted":
        held[:] = np.arange(lead[1])[:, None]
    elif kind == "not turned":
        held[at] = 0
    expected = truths(held, own)
    values = scene.values(*scene.parts(held[..., None]))
    copies = np.zeros(own.shape, int) + np.arange(lead[0]).reshape((-1,) + (1,) * (own.ndim - 1))
    if kind == "not turned":
        expected += [all_of("not (?:turned|rotated)|do(?:es)? not turn", w) for w in row_sets(copies == c, own)]
    if kind == "first only":
        for x in values.values():
            x[1:] = 0
        expected = [all_of("zeros?", w) for w in row_sets(copies > 0, own)]
    return scene.draw(kind, values, expected, f"index {c} of dimension {d}, o {o}")


def functions_of_rows(rng):
    kind = pick(rng, ["packs", "shifted", "tiles", "block", "from a row on", "decode"])
    roles = ("tables", "vectors")
    if kind == "packs":
        own = np.concatenate([np.arange(int(n)) for n in rng.integers(8, 60, int(rng.integers(2, 5)))])
    elif kind == "decode":
        own = np.array([pick(rng, [100, 1000, 4096])])
    else:
        own = np.arange(int(rng.integers(24, 97))) * pick(rng, [1, 1, 2, 3]) + pick(rng, [0, 0, 5, 100])
    scene = rope(rng, roles, own)
    own = scene.positions[:, 0]
    held, rows = own.copy(), len(own)
    n, o = pick(rng, [4, 8, 16]), pick(rng, [1, 3, 8, 64, -2])
    first = int(rng.integers(2, max(3, rows // 2)))
    last = int(rng.integers(first + 2, max(first + 3, rows - 3)))
    if kind == "packs":
        held = np.arange(rows, dtype=float)
    elif kind == "shifted":
        held = np.roll(own, pick(rng, [1, -1]))
    elif kind == "tiles":
        at = np.arange(n - 1, rows - 1, n)
        held[at] = own[at + 1]
    elif kind == "block":
        held[first:last + 1] += o
    elif kind == "from a row on":
        held[first:] += o
    else:
        held[:] = 0
    expected = truths(held, own)
    if kind == "decode":
        expected += ["not (?:turned|rotated)", "no pair turns", f"smaller by {number(own[0])}"]
    return scene.draw(kind, scene.values(*scene.parts(held[:, None])), expected, f"rows {first} to {last}, n {n}, o {o}")


def other_pairs(rng):
    scene = rope(rng)
    n, w = len(scene.frequencies), scene.frequencies
    kind = pick(rng, ["i//2", "i + 1, kept", "i + 1, ladder", "2i mod n", "i mod m", "constant from k on", "reversed", "one pair", "sine of the next"])
    i, m, k = np.arange(n), n // pick(rng, [2, 4]), int(rng.integers(2, n - 2))
    beyond = np.append(w, w[-1] * w[1])
    # Of a table of half as many columns the same is true: it repeats its angles, or is that of half a head.
    halved = {"tables": [] if scene.doubled or scene.layout != "half" else ["partial_rotary_factor is 0.5"],
              "vectors": [all_of("half the width apart, though the pairs are interleaved", "odd pairs turn at the frequency of pair i - 1")]}.get(scene.role, [])
    to, words = {"i//2": (i // 2, [r"floor\(i/2\)"]),
                 "i + 1, kept": (np.minimum(i + 1, n - 1), [r"min\(i \+ 1, %d\)" % (n - 1), r"(?:pairs 0 to %d|every pair but pair %d).*(?:i \+ 1|behind)" % (n - 2, n - 1), all_of(r"pair i turns at the frequency of pair i \+ 1", r"is a copy of column")]),
                 "i + 1, ladder": (i + 1, [r"pair i \+ 1", rf"exponents are \(i \+ 1\)/{n}", "(?:frequency|position)s?.* multiplied by " + about(w[1])]),
                 "2i mod n": (2 * i % n, [r"\(?2 i\)? mod %d\b" % n] + halved),
                 "i mod m": (i % m, [rf"i mod {m}\b"]),
                 "constant from k on": (np.minimum(i, k), [rf"min\(i, {k}\)", rf"pairs (?:from {k + 1} on|{k + 1} to {n - 1})\b.*pair {k}\b", rf"pairs from {k} on.*pair {k}\b"]),
                 "reversed": (n - 1 - i, ["reverse order", rf"\b{n - 1} - i"]),
                 "one pair": (np.where(i == k, k + 1, i), [rf"pair {k}\b.*pair {k + 1}\b", all_of(rf"pair {k}\b|frequency {k} of", about(w[k + 1]))]),
                 "sine of the next": (i + 1, [r"sine.*(?:of|at).*pair i \+ 1", rf"sine's.*\(i \+ 1\)/{n}"])}[kind]
    cos, sin = scene.parts(frequencies=beyond[to])
    if kind == "sine of the next":
        cos = scene.parts()[0]
    return scene.draw(kind, scene.values(cos, sin), words, f"n {n} m {m} k {k}")


def zeros(rng):
    kind = pick(rng, ["whole", "rows", "every n-th row", "leading index", "columns"])
    role = pick(rng, ["tables", "vectors"]) if kind == "leading index" else pick(rng, ["tables", "vectors", "encoding"])
    scene = rope(rng, (role,), lead=(pick(rng, [2, 3, 4]),) if kind == "leading index" else ())
    values = scene.values(*scene.parts())
    chosen = list(values) if rng.random() < 0.5 else [pick(rng, list(values))]
    shape = values[chosen[0]].shape
    n = pick(rng, [3, 4, 8])
    size = shape[0] if kind == "leading index" else shape[-1] if kind == "columns" else shape[-2]
    first = int(rng.integers(2, size // 2)) if size > 5 else int(rng.integers(size))
    last = min(size - 1, first + int(rng.integers(1, size)))
    mask = np.zeros(size, bool)
    mask[{"whole": slice(None), "rows": slice(first, last + 1), "every n-th row": slice(n - 1, None, n),
          "leading index": slice(first, first + 1), "columns": slice(first, last + 1)}[kind]] = True
    noun = {"columns": "(?:columns?|pairs?|dimensions?)", "leading index": "ind(?:ex|ices)"}.get(kind, "rows?")
    for role in chosen:
        x = values[role]
        x[mask if kind == "leading index" else (..., mask) if kind == "columns" else (..., mask, slice(None))] = 0
    named = " and ".join(chosen) if len(values) > 1 else ""
    expected = [all_of(r"zeros?|\b0\b", named, w) for w in index_sets(mask, noun, scene.positions[..., 0].reshape(-1, scene.positions.shape[-2])[0] if "row" in kind else None)]
    inside = np.flatnonzero(mask)
    expected.append(all_of("zero", named, rf"{noun} {', '.join(map(str, inside[:2]))}.* and {len(inside) - 3} others"))
    if role == "sin" and len(chosen) == 1 and kind == "whole":
        expected.append("the sine is zero")
    if role == "cos" and kind == "whole":
        expected.append("the cosine is zero")
    return scene.draw(kind, values, expected, f"{chosen} {first} to {last}, n {n}")


def parts_of_maps(rng):
    kind = pick(rng, ["|sin|", "both cosines", "both sines", "sine zero", "negated", "exchanged", "layout", "first half", "not turned"])
    vectors = kind in ("layout", "first half", "not turned")
    scene = rope(rng, ("vectors",) if vectors else ("tables", "tables", "vectors", "encoding"))
    cos, sin = scene.parts()
    n = len(scene.frequencies)
    if kind == "first half":
        cos, sin = cos.copy(), sin.copy()
        cos[..., n // 2:], sin[..., n // 2:] = 1, 0
    kept = scene.positions * (kind != "not turned")
    cos, sin = {"|sin|": (cos, abs(sin)), "both cosines": (cos, cos), "both sines": (sin, sin), "sine zero": (cos, 0 * sin),
                "negated": (cos, -sin), "exchanged": (sin, cos), "not turned": scene.parts(kept)}.get(kind, (cos, sin))
    other = {"half": "interleaved", "interleaved": "half"}[scene.layout] if kind == "layout" else None
    upper = rf"pairs? (?:from {n // 2} on|{n // 2} to {n - 1})\b"
    words = {"|sin|": ["sine is the magnitude of the sine"], "both cosines": ["sine is the cosine"], "both sines": ["cosine is the sine$"],
             "sine zero": ["sine is zero", "every element of sin is 0"],
             "negated": ["turn the other way", "negative sine", "sine has the (?:other|wrong) sign", "direction is", "negated", "rotates? (?:back|the other)", "operation is (?:transpose|inverse)", "multiplied by -1", "columns.*opposite sign", "rotate clockwise"],
             "exchanged": ["sine and cosine are exchanged", "cosine is the sine, and the sine is the cosine", "order is cos_sin"],
             "layout": [f"pairs are {'interleaved' if other == 'interleaved' else '(?:laid out in halves|half the width apart)'}, not", f"layout is {other}"],
             "first half": [rf"\b{n // 2} pairs do not turn, the first of them pair {n // 2}\b", all_of(upper, "(?:do(?:es)? not turn|not turned|cosine is 1|frequency 0|not rotated)"), rf"{n} of {2 * n} dimensions rotate"],
             "not turned": ["not (?:turned|rotated)", "every row holds position 0", "no pair turns"]}[kind]
    return scene.draw(kind, scene.values(cos, sin, other), words, f"n {n} {scene.layout}")


QUANTITIES = {"positions": r"^positions(?:,.*,)? are", "frequencies": r"^(?:the )?frequencies are", "periods": "periods|wavelengths|reciprocals? of (?:the )?frequenc",
              "positions and frequencies": "^positions and frequencies are", "phases": r"^phases(?:,.*,)? are"}


def less_precise(rng):
    far = np.sort(rng.choice(int(pick(rng, [4096, 16384, 70000])), int(rng.integers(16, 257)), replace=False))
    kind = pick(rng, list(QUANTITIES) + ["integers", "steps"])
    scene = rope(rng, ("tables", "tables", "encoding", "vectors") if kind in QUANTITIES else ("tables",), far, form="float32")
    p, w = scene.positions, scene.frequencies
    name, cut = pick(rng, list(NARROW)), bool(rng.random() < 0.35)

    def computed(quantity, name, cut):
        few = lambda x: narrowed(x, name, cut)
        if quantity == "phases":
            cos, sin = np.cos(few(scene.phases())), np.sin(few(scene.phases()))
            return scene.values(cos, sin)
        positions = few(p) if "positions" in quantity else p
        frequencies = few(w) if "frequencies" in quantity else 1 / few(1 / w) if quantity == "periods" else w
        return scene.values(*scene.parts(positions, frequencies))

    with np.errstate(invalid="ignore"):
        if kind in QUANTITIES:
            values = computed(kind, name, cut)
            same = [(q, f, c) for q in QUANTITIES for f in NARROW for c in (False, True)
                    if all(np.allclose(x, values[r], rtol=0, atol=1e-7, equal_nan=True) for r, x in computed(q, f, c).items())]
            words = [all_of(QUANTITIES[q], f"{'cut off' if c else 'rounded'} to {f}") for q, f, c in same]
            return scene.draw(kind, values, words, f"{name} {'cut' if cut else 'rounded'}, far {far[-1]}")
    values, steps = scene.values(*scene.parts()), pick(rng, [127, 32767])
    if kind == "integers":
        values = {k: np.trunc(x.astype(np.float32)) for k, x in values.items()}
        are_zero = not any(x.any() for x in values.values())
        return scene.draw(kind, values, ["cut off to (?:whole numbers|integers)"] + ["every element of cos and sin is 0"] * are_zero)
    values = {k: np.rint(x * steps) / steps for k, x in values.items()}
    return scene.draw(kind, values, [rf"1/{steps}\b", rf"\bint{8 if steps == 127 else 16}\b"], f"1/{steps}")


def scaled(spec):
    """Frequencies and amplitude of a rope spec, by the published formulas."""
    width = int(spec["head_dim"] * spec.get("partial_rotary_factor", 1))
    base, s = float(spec["rope_theta"]), spec.get("rope_scaling", {})
    w, rule, f, length = ladder(base, width), s.get("rope_type", "default"), s.get("factor"), s.get("original_max_position_embeddings")
    if rule == "linear":
        return w / f, 1.0
    if rule == "dynamic":
        return ladder(base * (f * spec["sequence_length"] / length - (f - 1)) ** (width / (width - 2)), width), 1.0
    if rule == "llama3":
        low, high = s["low_freq_factor"], s["high_freq_factor"]
        blend = np.clip((length * w / (2 * math.pi) - low) / (high - low), 0, 1)
        return (1 - blend) * w / f + blend * w, 1.0
    if rule == "yarn":
        first, last = (width * math.log(length / (turns * 2 * math.pi)) / (2 * math.log(base)) for turns in (32, 1))
        first, last = max(math.floor(first), 0), min(math.ceil(last), width - 1)
        ramp = np.clip((np.arange(width // 2) - first) / (last - first if last != first else 0.001), 0, 1)
        return w / f * ramp + w * (1 - ramp), 0.1 * math.log(f) + 1
    return w, 1.0


def scaling_of(rng, rule, factor):
    more = {"linear": {}, "default": {}, "llama3": {"low_freq_factor": 1, "high_freq_factor": 4}}.get(rule, {})
    length = {} if rule in ("linear", "default") else {"original_max_position_embeddings": pick(rng, [1024, 4096, 8192])}
    return {"rope_type": rule} | ({} if rule == "default" else {"factor": factor}) | length | more


def scalings(rng):
    kind = pick(rng, ["other rule", "other rule", "left out", "factor", "base", "head_dim", "partial", "amplitude"])
    pairs, base, factor = pick(rng, [16, 32, 48, 64]), pick(rng, [10000, 500000, 1000000]), pick(rng, [2, 4, 8])
    rule = {"amplitude": "yarn", "other rule": pick(rng, ["default", "linear", "yarn", "llama3"])}.get(
        kind, pick(rng, ["linear", "yarn", "llama3", "dynamic"]) if kind in ("left out", "factor") else "default")
    spec = {"scheme": "rope", "head_dim": 2 * pairs, "rope_theta": base, "layout": "half", "rope_scaling": scaling_of(rng, rule, factor)}
    if rule == "dynamic":
        spec["sequence_length"] = spec["rope_scaling"]["original_max_position_embeddings"] * pick(rng, [2, 3])
    if kind in ("head_dim", "partial"):
        spec["partial_rotary_factor"] = 0.5
        spec["head_dim"] *= 2
    held = json.loads(json.dumps(spec))
    other, another = pick(rng, [r for r in ("linear", "yarn", "llama3") if r != rule]), pick(rng, [f for f in (2, 3, 4, 8, 16) if f != factor])
    theta = pick(rng, [b for b in BASES if b != base])
    if kind in ("other rule", "left out"):
        held["rope_scaling"] = scaling_of(rng, "default" if kind == "left out" else other, factor)
        length = spec["rope_scaling"].get("original_max_position_embeddings")
        if length and kind == "other rule":
            held["rope_scaling"]["original_max_position_embeddings"] = length
    elif kind == "factor":
        held["rope_scaling"]["factor"] = another
    elif kind == "base":
        held["rope_theta"] = theta
    elif kind == "partial":
        held.pop("partial_rotary_factor")
    frequencies, amplitude = scaled(held)
    if kind == "head_dim":
        frequencies = float(base) ** (-2 * np.arange(pairs) / spec["head_dim"])
    honest, declared_amplitude = scaled(spec)
    rows, own, axes = int(rng.integers(32, 257)), None, np.zeros(pairs, int)
    positions = np.arange(rows)[:, None]
    if rng.random() < 0.3 and kind not in ("partial", "head_dim"):
        section = [pairs - 2 * (pairs // 3), pairs // 3, pairs // 3]
        spec["rope_scaling"]["mrope_section"], axes = section, np.repeat(np.arange(3), section)
        positions = token_grid(rng, 3)
        own = positions.T
    role = "vectors" if kind == "partial" else pick(rng, ["tables", "vectors"])
    scene = with_inputs(rng, Scene(spec, honest, positions.astype(float), role, "float32", axes, "half", spec["head_dim"], declared_amplitude, declared=own))
    words = {"other rule": [f"rope_type is {other}", f"scaling.*{other}"], "left out": ["rope_type is default", "not scaled", "scaling (?:is )?left out", "nothing is scaled", "rope_scaling.* is left out", "neither frequencies nor amplitude are scaled"],
             "factor": [rf"factor is {another}\b", f"scaled by {another}"], "base": [rf"(?:base|rope_theta) is {theta}\b"],
             "head_dim": [f"exponents divide by head_dim, {spec['head_dim']}", f"exponents are i/{spec['head_dim'] // 2}, not", f"base is {about(math.sqrt(base))}"],
             "partial": [f"{spec['head_dim']} of {spec['head_dim']} dimensions rotate", "partial_rotary_factor (?:is 1|.*left out)"],
             "amplitude": ["amplitude.*(?:left out|missing|is 1)", "attention_factor is 1"]}[kind]
    if rule == "dynamic":
        words += [rf"length that decides is (?:\d{{1,3}}|{spec['rope_scaling']['original_max_position_embeddings']}), not"] if kind == "left out" else []
    if kind == "other rule" and (other, rule) == ("linear", "default") or (kind, rule) == ("left out", "linear"):
        words.append(f"multiplied by {number(1 / factor if kind == 'other rule' else factor)}")
    if (kind, rule) == ("factor", "linear"):
        words.append(f"multiplied by {number(Fraction(factor, another))}")
    scene.declared = own
    if kind == "partial":
        wide = replace(scene, frequencies=frequencies, axes=None)
        return scene.draw(kind, wide.values(*wide.parts()), words, f"{rule}")
    parts = scene.parts(frequencies=frequencies, amplitude=1.0 if kind == "amplitude" else amplitude)
    return scene.draw(kind, scene.values(*parts), words, f"{rule} held {held.get('rope_scaling')} theta {held['rope_theta']}")


def t5_buckets(distance, count, most, both):
    """distance is key minus query; the logarithm as in Hugging Face's code."""
    bucket, n = np.zeros(distance.shape, int), count
    if both:
        n //= 2
        bucket, distance = bucket + (distance > 0) * n, np.abs(distance)
    else:
        distance = np.maximum(-distance, 0)
    exact = n // 2
    with np.errstate(divide="ignore"):
        far = exact + (np.log(distance / exact) / math.log(most / exact) * (n - exact) + 1e-9)
    return bucket + np.where(distance < exact, distance, np.minimum(np.where(distance > 0, far, 0).astype(int), n - 1))


def learned(rng):
    rows, width = int(rng.integers(16, 41)), pick(rng, [4, 6, 8])
    values = rng.standard_normal((rows, width)).astype(np.float32)
    kind = pick(rng, ["learned shifted", "learned zero", "learned swapped", "learned wrapped"])
    own, held = np.arange(rows, dtype=float), np.arange(rows, dtype=float)
    a, m = int(rng.integers(1, rows // 2)), int(rng.integers(8, rows - 2))
    if kind.endswith("shifted"):
        held = np.roll(own, pick(rng, [1, -1]))
    elif kind.endswith("swapped"):
        held[[a, a + 5]] = a + 5, a
    elif kind.endswith("wrapped"):
        held = own % m
    table, words = values[held.astype(int)], truths(held, own)
    if kind.endswith("swapped"):
        words.append(rf"rows (?:of positions )?{a} and {a + 5}\b.*exchanged")
    if kind.endswith("zero"):
        table[m:] = 0
        words = [all_of("zeros?", w) for w in index_sets(own >= m, "rows?", own)]
    spec = {"scheme": "learned", "values": [[float(x) for x in row] for row in values]}
    return Draw(kind, spec, {"encoding": table}, words, f"{rows} rows, a {a}, m {m}")


def position_ids(rng):
    before, h, w, after = int(rng.integers(4, 30)), int(rng.integers(3, 9)), int(rng.integers(3, 9)), int(rng.integers(4, 20))
    image = np.stack(np.meshgrid([0], np.arange(h), np.arange(w), indexing="ij"), -1).reshape(-1, 3) + before
    texts = [np.repeat(np.arange(n)[:, None], 3, 1) for n in (before, after)]
    own = np.concatenate([texts[0], image, texts[1] + before + max(h, w)])
    held, tail, kind = own.copy(), before + h * w, pick(rng, ["ids as text", "ids axis stays", "ids offset"])
    a, o = int(rng.integers(1, 3)), pick(rng, [1, 2, 7])
    if kind == "ids as text":
        held = np.repeat(np.arange(len(own))[:, None], 3, 1)
    elif kind == "ids axis stays":
        held[before:tail, a] = before
    else:
        held[tail:] += o
    spec = {"scheme": "position_ids", "rule": "qwen2_vl", "segments": [{"text": before}, {"image": [1, 2 * h, 2 * w]}, {"text": after}]}
    return Draw(kind, spec, {"position_ids": held}, axis_truths(held.astype(float), own.astype(float)), f"{before} {h} x {w} {after}, axis {a}, o {o}")


def alibi(rng):
    heads, keys, role = pick(rng, [4, 8, 16, 32]), int(rng.integers(16, 200)), pick(rng, ["bias", "slopes"])
    kind = pick(rng, ["alibi sign", "alibi max_bias", "alibi first power", "alibi reversed"])
    exponent, first = (pick(rng, [4, 6, 16]) if kind.endswith("max_bias") else 8), 0 if kind.endswith("first power") else 1
    slopes = 2.0 ** (-exponent * (np.arange(heads) + first) / heads)
    slopes = -slopes if kind.endswith("sign") else slopes[::-1] if kind.endswith("reversed") else slopes
    words = {"alibi sign": ["(?:other|opposite) sign", "negative", "multiplied by -1"], "alibi max_bias": [f"max_bias is {exponent}"],
             "alibi first power": ["(?:from|first power.*) 0", "power 0", f"multiplied by {number(2 ** (8 / heads))}", "slope.*first"],
             "alibi reversed": ["reverse"]}[kind]
    x = slopes if role == "slopes" else slopes[:, None] * np.arange(keys)
    return Draw(kind, {"scheme": "alibi", "num_heads": heads}, {role: x.astype(np.float32)}, words, f"{role} {heads} heads")


def t5(rng):
    count, most, both = pick(rng, [16, 32, 64]), pick(rng, [64, 128, 256]), bool(rng.integers(2))
    d, kind = np.arange(-300, 301), pick(rng, ["t5 direction", "t5 max_distance", "t5 sign", "t5 offset"])
    other = most * 2 if kind.endswith("distance") else most
    held = -d if kind.endswith("sign") else d + 1 if kind.endswith("offset") else d
    words = {"t5 direction": [f"buckets are those of {'one direction' if both else 'both directions'}", "bidirectional is"], "t5 max_distance": [f"max_distance is {other}"],
             "t5 sign": ["relative positions have the other sign"], "t5 offset": ["relative positions are larger by 1"]}[kind]
    spec = {"scheme": "t5_bucket", "num_buckets": count, "max_distance": most, "bidirectional": both}
    buckets = t5_buckets(held, count, other, both != kind.endswith("direction"))
    return Draw(kind, spec, {"buckets": buckets, "relative_positions": d}, words, f"{count} {most} {both}")


def other_schemes(rng):
    return pick(rng, [learned, position_ids, alibi, t5])(rng)


def table_alone(rng):
    kind = pick(rng, ["base", "offset", "i//2", "zero rows", "bfloat16 frequencies"])
    scene = rope(rng, ("cos", "sin"), np.arange(pick(rng, [64, 128, 300])) + pick(rng, [0, 0, 1000]), form=pick(rng, ["float32", "float32", "float16"]))
    own, w, n = scene.positions[:, 0], scene.frequencies, len(scene.frequencies)
    theta, o = pick(rng, [b for b in BASES if b != scene.spec["rope_theta"]]), pick(rng, [1, 5, 17])
    a, b = int(rng.integers(2, 20)), int(rng.integers(25, 60))
    held = own + (o if kind == "offset" else 0)
    frequencies = {"base": ladder(theta, 2 * n), "i//2": w[np.arange(n) // 2], "bfloat16 frequencies": narrowed(w, "bfloat16")}.get(kind, w)
    values = scene.values(*scene.parts(held[:, None], frequencies))
    words = {"base": [rf"(?:base|rope_theta) is {theta}\b"], "offset": truths(held, own), "i//2": [r"floor\(i/2\)"],
             "bfloat16 frequencies": ["frequencies are rounded to bfloat16"]}.get(kind)
    if kind == "zero rows":
        values[scene.role][a:b + 1] = 0
        words = [all_of("zeros?", s) for s in index_sets((np.arange(len(own)) >= a) & (np.arange(len(own)) <= b), "rows?", own)]
    return scene.draw(kind, values, words, f"theta {theta} o {o} rows {a} to {b}")


def honest(rng):
    """An encoding without a fault, of several kinds."""
    kind = pick(rng, ["one axis", "several axes", "scaled", "leading", "far"])
    if kind == "scaled":
        rule, pairs = pick(rng, ["linear", "yarn", "llama3", "dynamic"]), pick(rng, [16, 32, 64])
        spec = {"scheme": "rope", "head_dim": 2 * pairs, "rope_theta": pick(rng, [10000, 500000]), "layout": "half", "rope_scaling": scaling_of(rng, rule, 4)}
        spec |= {"sequence_length": 20000} if rule == "dynamic" else {}
        w, amplitude = scaled(spec)
        scene = with_inputs(rng, Scene(spec, w, np.arange(100.0)[:, None], pick(rng, ["tables", "vectors"]), amplitude=amplitude))
    elif kind == "several axes":
        scene = several_axes(rng)
    elif kind == "leading":
        scene = rope(rng, ("tables", "vectors"), np.arange(30) + rng.integers(0, 9, (3, 1)), lead=(3,))
    else:
        scene = rope(rng, positions=np.sort(rng.choice(60000, 60, replace=False)) if kind == "far" else None)
    return replace(scene.draw(kind, scene.values(*scene.parts()), []), differs=True)


CLASSES = {0: honest, 1: one_axis, 2: leading_indices, 3: functions_of_rows, 4: other_pairs, 5: zeros, 6: parts_of_maps,
           7: less_precise, 8: scalings, 9: other_schemes, 10: table_alone}


# ---- judging

def drawn(seed, index, only):
    rng = np.random.default_rng([seed, index])
    number_of_class = only if only is not None else 0 if rng.random() < HONEST_SHARE else int(rng.integers(1, 11))
    while True:
        draw = CLASSES[number_of_class](rng)
        if draw.differs and (draw.expected or number_of_class == 0):
            return number_of_class, draw


def verdict_of(vernier, draw):
    """The exit code and the findings."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for role, x in draw.tensors.items():
            np.save(folder / f"{role}.npy", np.ascontiguousarray(x))
        case = {"name": draw.kind, "spec": draw.spec, "tensors": {r: f"{r}.npy" for r in draw.tensors}, "dtype": draw.dtype}
        (folder / "case.json").write_text(json.dumps(case))
        done = subprocess.run([vernier, "validate", folder / "case.json", "--json", folder / "out.json"], capture_output=True, text=True)
        if done.returncode not in (0, 1, 4):
            return done.returncode, [{"id": "refused", "sentence": done.stderr.strip(), "roles": "", "equally": []}]
        return done.returncode, json.loads((folder / "out.json").read_text()).get("diagnosis", [])


def judged(code, findings, expected):
    if code != 1:
        return "missed"
    if not findings or findings[0]["id"] == "unexplained":
        return "unexplained"
    by_role = {}
    for finding in findings:
        by_role.setdefault(str(finding["roles"]), []).append(finding["sentence"])
    told = [findings[0]["sentence"]] + ["; ".join(words) for words in by_role.values()]
    fits = lambda texts: any(all(re.search(p, text) for p in all_of(e)) for e in expected for text in texts)
    return "named" if fits(told) else "equally" if fits(e for f in findings for e in f.get("equally") or []) else "FALSE"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--vernier", required=True)
    parser.add_argument("--draws", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, choices=CLASSES)
    parser.add_argument("--show", choices=["wrong", "all"])
    options = parser.parse_args()
    counts = {c: Counter() for c in CLASSES}

    def work(index):
        number_of_class, draw = drawn(options.seed, index, options.only)
        return index, number_of_class, draw, *verdict_of(options.vernier, draw)

    with ThreadPoolExecutor(2) as pool:
        for index, c, draw, code, findings in pool.map(work, range(options.draws)):
            told = judged(code, findings, draw.expected) if c else "honest" if code == 0 else "FALSE ALARM"
            counts[c].update(["draws", told] + (["detected"] if code == 1 else []))
            if told == "FALSE ALARM" or options.show == "all" or (options.show and told not in ("named", "equally", "honest")):
                print(f"{told}: class {c}, {draw.kind}, draw {index} of seed {options.seed}, exit code {code}: {draw.parameters}")
                print(f"  spec      {json.dumps(draw.spec)[:300]}\n  expected  {' | '.join(' & '.join(all_of(e)) for e in draw.expected)[:600]}")
                for f in findings[:4]:
                    print(f"  told      {f['id']}: {f['sentence']} ({f['roles']}) {f.get('equally') or ''}")
    columns = ["draws", "detected", "named", "equally", "FALSE", "unexplained", "missed", "FALSE ALARM"]
    print("class               " + "".join(f"{name:>13}" for name in columns))
    total = sum(counts.values(), Counter())
    for name, row in [(f"{c} {f.__name__}", counts[c]) for c, f in CLASSES.items()] + [("all", total)]:
        print(f"{name:20}" + "".join(f"{row[column]:13}" for column in columns))
    named = (total["named"] + total["equally"]) / max(1, total["detected"] - counts[0]["detected"])
    print(f"named rightly: {100 * named:.1f} % of those detected ({total['equally']} of them by \"equally\" alone)")
    return 0 if named >= LEAST_NAMED and total["FALSE"] <= MOST_FALSE and total["FALSE ALARM"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
