#!/usr/bin/env python3
"""Draws faults of positional encodings at random, by code of its own, and counts how many of them Vernier names rightly.

    python3 drawn_faults.py --vernier PATH --draws N [--seed S] [--only CLASS] [--show wrong|all]

What may be said of a fault is a list of patterns, made from the numbers that the tensors hold: every description that is true of
them counts, not only the words in which the fault was drawn. What a verdict says has to hold of the whole tensors: they conform to
the spec that it proposes, and the counts and places of what it leaves unexplained are those of its checks."""

import argparse
import json
import math
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np

from scenes import (BASES, Draw, NARROW, Scene, about, all_of, axis_truths, index_sets, ladder, narrowed, number, pick, rope, row_sets, several_axes, token_grid, truths, with_inputs)

# Of the faults that are detected, at least this share has to be named rightly, and at most so many falsely.
LEAST_NAMED = 0.9
MOST_FALSE = 0
HONEST_SHARE = 0.1
NOISE_EVERY = 10  # draws

# ---- the classes of faults
def one_axis(rng):
    scene = several_axes(rng)
    own, held = scene.positions, scene.positions.copy()
    a, kind = int(rng.integers(own.shape[-1])), pick(rng, ["offset", "factor", "reversed", "clamped", "constant", "flat", "other axis", "line"])
    p, o, s = own[:, a], pick(rng, [1, 2, 5, 8, 10, -3]), pick(rng, [2, 3, 1.5, 0.5])
    line, limit = pick(rng, [(2 / 7, -13 / 14), (5 / 4, 0.25), (3 / 7, 5 / 7), (4 / 5, 0.5), (16 / 11, 3 / 11)]), int(rng.integers(1, max(2, p.max())))
    held[:, a] = {"offset": p + o, "factor": s * p, "reversed": p.max() - p, "clamped": np.minimum(p, limit), "constant": 0 * p + pick(rng, [0, 1, 5]),
                  "flat": np.arange(len(p)), "other axis": own[:, (a + 1) % own.shape[1]], "line": line[0] * p + line[1]}[kind]
    return scene.draw(kind, scene.values(*scene.parts(held)), axis_truths(held, own), f"axis {a} o {o} s {s} limit {limit} line {line}")

def leading_indices(rng):
    kind = pick(rng, ["offset of a sequence", "offset of a head", "positions of the first", "heads counted", "not turned", "first only"])
    role = "tables" if "head" not in kind and rng.random() < 0.3 else "vectors"
    lead, rows = (pick(rng, [2, 3, 4]),) + ((pick(rng, [2, 3]),) if role == "vectors" else ()), int(rng.integers(16, 65))
    given = np.arange(rows) + rng.integers(0, 12, (lead[0], 1)) if kind == "positions of the first" or rng.random() < 0.5 else None
    scene = rope(rng, (role,), given, rows, lead)
    own, held, d = scene.positions[..., 0], scene.positions[..., 0].copy(), int("head" in kind)
    c, o, copies = int(rng.integers(lead[d])), pick(rng, [1, 3, 5, 17, 100]), np.indices(own.shape)[d]
    if kind.startswith("offset"):
        held[copies == c] += o
    elif kind == "positions of the first":
        held[:] = own[:1]
    elif kind == "heads counted":
        held[:] = copies
    elif kind == "not turned":
        held[copies == c] = 0
    expected, values = truths(held, own), scene.values(*scene.parts(held[..., None]))
    if kind == "not turned":
        expected += [all_of("not (?:turned|rotated)|do(?:es)? not turn", w) for w in row_sets(copies == c, own)]
    if kind == "first only":
        expected = [all_of("zeros?", w) for w in row_sets(copies > 0, own)]
        for x in values.values():
            x[1:] = 0
    return scene.draw(kind, values, expected, f"index {c} of dimension {d}, o {o}")

def functions_of_rows(rng):
    kind = pick(rng, ["packs", "shifted", "tiles", "block", "from a row on", "decode"])
    own = np.arange(int(rng.integers(24, 97))) * pick(rng, [1, 1, 2, 3]) + pick(rng, [0, 0, 5, 100])
    if kind == "packs":
        own = np.concatenate([np.arange(int(n)) for n in rng.integers(8, 60, int(rng.integers(2, 5)))])
    elif kind == "decode":
        own = np.array([pick(rng, [100, 1000, 4096])])
    scene = rope(rng, ("tables", "vectors"), own)
    own, held, rows = scene.positions[:, 0], scene.positions[:, 0].copy(), len(own)
    n, o, first = pick(rng, [4, 8, 16]), pick(rng, [1, 3, 8, 64, -2]), int(rng.integers(2, max(3, rows // 2)))
    last, tiles = int(rng.integers(first + 2, max(first + 3, rows - 3))), np.arange(n - 1, rows - 1, n)
    if kind == "tiles":
        held[tiles] = own[tiles + 1]
    elif kind in ("block", "from a row on"):
        held[first:last + 1 if kind == "block" else None] += o
    else:
        held = {"packs": np.arange(rows, dtype=float), "shifted": np.roll(own, pick(rng, [1, -1])), "decode": 0 * own}[kind]
    expected = truths(held, own) + (["not (?:turned|rotated)", "no pair turns"] if kind == "decode" else [])
    return scene.draw(kind, scene.values(*scene.parts(held[:, None])), expected, f"rows {first} to {last}, n {n}, o {o}")

def other_pairs(rng):
    scene = rope(rng)
    n, w = len(scene.frequencies), scene.frequencies
    kind = pick(rng, ["i//2", "i + 1, kept", "i + 1, ladder", "2i mod n", "i mod m", "constant from k on", "reversed", "one pair", "sine of the next"])
    i, m, k, beyond = np.arange(n), n // pick(rng, [2, 4]), int(rng.integers(2, n - 2)), np.append(w, w[-1] * w[1])
    # Frequencies that repeat are those of half a head too, or of columns that lie otherwise.
    halved = ["partial_rotary_factor is 0.5"] if scene.role == "tables" and not scene.doubled and scene.layout == "half" else []
    halved += [all_of("odd pairs turn at the frequency of pair i - 1", "half the width apart, though the pairs are interleaved|"
                      "every other column is put into the first half once more|laid out in halves, not interleaved")]
    to, words = {
        "i//2": (i // 2, [r"floor\(i/2\)"]),
        "i + 1, kept": (np.minimum(i + 1, n - 1), [rf"min\(i \+ 1, {n - 1}\)", rf"(?:pairs 0 to {n - 2}|every pair but pair {n - 1})\b.*(?:i \+ 1|behind)",
                                                   all_of(r"pair i turns at the frequency of pair i \+ 1", "is a copy of column")]),
        "i + 1, ladder": (i + 1, [r"pair i \+ 1", rf"exponents are \(i \+ 1\)/{n}", "(?:frequency|position)s?.* multiplied by " + about(w[1])]),
        "2i mod n": (2 * i % n, [rf"\(?2 i\)? mod {n}\b"] + halved),
        "i mod m": (i % m, [rf"i mod {m}\b"]),
        "constant from k on": (np.minimum(i, k), [rf"min\(i, {k}\)", rf"pairs (?:from {k + 1} on|{k + 1} to {n - 1}|from {k} on)\b.*pair {k}\b"]),
        "reversed": (n - 1 - i, ["reverse order", rf"\b{n - 1} - i"]),
        "one pair": (np.where(i == k, k + 1, i), [rf"pair {k}\b.*pair {k + 1}\b", all_of(rf"pair {k}\b|frequency {k} of", about(w[k + 1]))]),
        "sine of the next": (i + 1, [r"sine.*(?:of|at).*pair i \+ 1", rf"sine's.*\(i \+ 1\)/{n}"])}[kind]
    cos, sin = scene.parts(frequencies=beyond[to])
    return scene.draw(kind, scene.values(scene.parts()[0] if kind == "sine of the next" else cos, sin), words, f"n {n} m {m} k {k}")

def zeros(rng):
    kind = pick(rng, ["whole", "rows", "every n-th row", "leading index", "columns"])
    role = pick(rng, ["tables", "vectors", "encoding"][:2 if kind == "leading index" else 3])
    scene = rope(rng, (role,), lead=(pick(rng, [2, 3, 4]),) if kind == "leading index" else ())
    values, n = scene.values(*scene.parts()), pick(rng, [3, 4, 8])
    chosen = list(values) if rng.random() < 0.5 else [pick(rng, list(values))]
    size = values[chosen[0]].shape[{"leading index": 0, "columns": -1}.get(kind, -2)]
    first = int(rng.integers(2, size // 2)) if size > 5 else int(rng.integers(size))
    last, mask = min(size - 1, first + int(rng.integers(1, size))), np.zeros(size, bool)
    mask[{"whole": slice(None), "every n-th row": slice(n - 1, None, n), "leading index": slice(first, first + 1)}.get(kind, slice(first, last + 1))] = True
    for x in (values[role] for role in chosen):
        x[mask if kind == "leading index" else (..., mask) if kind == "columns" else (..., mask, slice(None))] = 0
    noun = {"columns": "(?:columns?|pairs?|dimensions?)", "leading index": "ind(?:ex|ices)"}.get(kind, "rows?")
    named, inside, rows = " and ".join(chosen) if len(values) > 1 else "", np.flatnonzero(mask), scene.positions.shape[-2]
    expected = [all_of(r"zeros?|\b0\b", named, w) for w in index_sets(mask, noun, np.arange(rows) if "row" in kind else None)]
    expected.append(all_of("zero", named, rf"{noun} {', '.join(map(str, inside[:2]))}.* and {len(inside) - 3} others"))
    expected += [f"the {dict(cos='cosine', sin='sine')[c]} is zero" for c in chosen if kind == "whole" and c in ("cos", "sin") and len(chosen) == 1]
    return scene.draw(kind, values, expected, f"{chosen} {first} to {last}, n {n}")

def parts_of_maps(rng):
    kind = pick(rng, ["|sin|", "both cosines", "both sines", "sine zero", "negated", "exchanged", "layout", "first half", "not turned"])
    scene = rope(rng, ("vectors",) if kind in ("layout", "first half", "not turned") else ("tables", "tables", "vectors", "encoding"))
    (cos, sin), n, half = scene.parts(), len(scene.frequencies), len(scene.frequencies) // 2
    front, other = np.arange(n) < half, "interleaved" if scene.layout == "half" else "half"
    upper = rf"pairs? (?:from {half} on|{half} to {n - 1})\b"
    apart = "interleaved" if other == "interleaved" else "(?:laid out in halves|half the width apart)"
    (cos, sin), words = {
        "|sin|": ((cos, abs(sin)), ["sine is the magnitude of the sine"]), "both cosines": ((cos, cos), ["sine is the cosine"]),
        "both sines": ((sin, sin), ["cosine is the sine$"]), "sine zero": ((cos, 0 * sin), ["sine is zero", "every element of sin is 0"]),
        "negated": ((cos, -sin), ["turn the other way", "negative sine", "sine has the (?:other|wrong) sign", "direction is", "negated",
                                  "rotates? (?:back|the other)", "operation is (?:transpose|inverse)", "multiplied by -1", "columns.*opposite sign"]),
        "exchanged": ((sin, cos), ["sine and cosine are exchanged", "cosine is the sine, and the sine is the cosine", "order is cos_sin"]),
        "layout": ((cos, sin), [f"pairs are {apart}, not", f"layout is {other}"]),
        "first half": ((np.where(front, cos, 1), np.where(front, sin, 0)), [rf"\b{half} pairs do not turn, the first of them pair {half}\b", all_of(
            upper, "do(?:es)? not turn|not (?:turned|rotated)|cosine is 1|frequency 0"), rf"{n} of {2 * n} dimensions rotate"]),
        "not turned": ((1 + 0 * cos, 0 * sin), ["not (?:turned|rotated)", "every row holds position 0", "no pair turns"])}[kind]
    return scene.draw(kind, scene.values(cos, sin, other if kind == "layout" else None), words, f"n {n} {scene.layout}")

QUANTITIES = {"positions": r"^positions(?:,.*,)? are", "frequencies": r"^(?:the )?frequencies are", "phases": r"^phases(?:,.*,)? are",
              "periods": "periods|wavelengths|reciprocals? of (?:the )?frequenc", "positions and frequencies": "^positions and frequencies are"}

def less_precise(rng):
    far = np.sort(rng.choice(int(pick(rng, [4096, 16384, 70000])), int(rng.integers(16, 257)), replace=False))
    kind, steps = pick(rng, list(QUANTITIES) + ["integers", "steps"]), pick(rng, [127, 32767])
    scene = rope(rng, ("tables", "tables", "encoding", "vectors") if kind in QUANTITIES else ("tables",), far, form="float32")
    p, w, form, cut = scene.positions, scene.frequencies, pick(rng, list(NARROW)), bool(rng.random() < 0.35)
    def computed(quantity, form, cut):
        if quantity == "phases":
            return scene.values(*(f(narrowed(scene.phases(), form, cut)) for f in (np.cos, np.sin)))
        frequencies = narrowed(w, form, cut) if "frequencies" in quantity else 1 / narrowed(1 / w, form, cut) if quantity == "periods" else w
        return scene.values(*scene.parts(narrowed(p, form, cut) if "positions" in quantity else p, frequencies))
    if kind in QUANTITIES:
        with np.errstate(invalid="ignore"):
            values = computed(kind, form, cut)
            same = [(q, f, c) for q in QUANTITIES for f in NARROW for c in (False, True)
                    if all(np.allclose(x, values[r], rtol=0, atol=1e-7, equal_nan=True) for r, x in computed(q, f, c).items())]
            words = [all_of(QUANTITIES[q], f"{'cut off' if c else 'rounded'} to {f}") for q, f, c in same]
            return scene.draw(kind, values, words, f"{form} {'cut' if cut else 'rounded'}, far {far[-1]}")
    values = scene.values(*scene.parts())
    if kind == "integers":
        values = {k: np.trunc(x.astype(np.float32)) for k, x in values.items()}
        are_zero = not any(x.any() for x in values.values())
        return scene.draw(kind, values, ["cut off to (?:whole numbers|integers)"] + ["every element of cos and sin is -?0"] * are_zero)
    return scene.draw(kind, {k: np.rint(x * steps) / steps for k, x in values.items()}, [rf"1/{steps}\b", rf"\bint{8 if steps == 127 else 16}\b"], f"1/{steps}")

def scaled(spec):
    """Frequencies and amplitude of a rope spec, by the published formulas."""
    width, base, s = int(spec["head_dim"] * spec.get("partial_rotary_factor", 1)), float(spec["rope_theta"]), spec["rope_scaling"]
    w, rule, f, length = ladder(base, width), s["rope_type"], s.get("factor"), s.get("original_max_position_embeddings")
    if rule == "dynamic":
        w = ladder(base * (f * spec["sequence_length"] / length - (f - 1)) ** (width / (width - 2)), width)
    elif rule == "llama3":
        blend = np.clip((length * w / (2 * math.pi) - s["low_freq_factor"]) / (s["high_freq_factor"] - s["low_freq_factor"]), 0, 1)
        w = (1 - blend) * w / f + blend * w
    elif rule == "yarn":
        first, last = (width * math.log(length / (turns * 2 * math.pi)) / (2 * math.log(base)) for turns in (32, 1))
        first, last = max(math.floor(first), 0), min(math.ceil(last), width - 1)
        ramp = np.clip((np.arange(width // 2) - first) / (last - first if last != first else 0.001), 0, 1)
        return w / f * ramp + w * (1 - ramp), 0.1 * math.log(f) + 1
    return w / f if rule == "linear" else w, 1.0

def scaling_of(rng, rule, factor):
    length = {} if rule in ("linear", "default") else {"original_max_position_embeddings": pick(rng, [1024, 4096, 8192])}
    return {"rope_type": rule} | ({} if rule == "default" else {"factor": factor}) | length | (
        {"low_freq_factor": 1, "high_freq_factor": 4} if rule == "llama3" else {})

def scaled_scene(rng, spec, is_plain):
    """Some of them multimodal, which changes the spec too."""
    (frequencies, amplitude), positions, axes, given = scaled(spec), np.arange(int(rng.integers(32, 257)))[:, None], None, None
    if rng.random() < 0.3 and is_plain:
        third = len(frequencies) // 3
        section, positions = [len(frequencies) - 2 * third, third, third], token_grid(rng, 3)
        spec["rope_scaling"]["mrope_section"], axes, given = section, np.repeat(np.arange(3), section), positions.T
    return with_inputs(rng, Scene(spec, frequencies, positions.astype(float), pick(rng, ["tables", "vectors"]) if "partial_rotary_factor" not in spec
                                  else "vectors", "float32", axes, width=spec["head_dim"], amplitude=amplitude, declared=given))

def scalings(rng):
    kind = pick(rng, ["other rule", "other rule", "left out", "factor", "base", "head_dim", "partial", "amplitude"])
    pairs, base, factor = pick(rng, [16, 32, 48, 64]), pick(rng, [10000, 500000, 1000000]), pick(rng, [2, 4, 8])
    rule = pick(rng, {"amplitude": ["yarn"], "other rule": ["default", "linear", "yarn", "llama3"], "left out": ["linear", "yarn", "llama3", "dynamic"],
                      "factor": ["linear", "yarn", "llama3", "dynamic"]}.get(kind, ["default"]))
    spec = {"scheme": "rope", "head_dim": 2 * pairs, "rope_theta": base, "layout": "half", "rope_scaling": scaling_of(rng, rule, factor)}
    length = spec["rope_scaling"].get("original_max_position_embeddings")
    spec |= {"sequence_length": length * pick(rng, [2, 3])} if rule == "dynamic" else {}
    spec |= {"partial_rotary_factor": 0.5, "head_dim": 4 * pairs} if kind in ("head_dim", "partial") else {}
    scene, head = scaled_scene(rng, spec, kind not in ("partial", "head_dim")), spec["head_dim"]
    other, another = pick(rng, [r for r in ("linear", "yarn", "llama3") if r != rule]), pick(rng, [f for f in (2, 3, 4, 8, 16) if f != factor])
    theta, same_length = pick(rng, [b for b in BASES if b != base]), {"original_max_position_embeddings": length} if length else {}
    held = spec | {"other rule": {"rope_scaling": scaling_of(rng, other, factor) | same_length}, "left out": {"rope_scaling": {"rope_type": "default"}},
                   "factor": {"rope_scaling": spec["rope_scaling"] | {"factor": another}}, "base": {"rope_theta": theta},
                   "partial": {"partial_rotary_factor": 1}}.get(kind, {})
    frequencies, amplitude = scaled(held)
    frequencies = float(base) ** (-2 * np.arange(pairs) / head) if kind == "head_dim" else frequencies
    stretch = lambda f: f if rule == "linear" else f * spec.get("sequence_length", 0) / (length or 1) - f + 1  # what is squared where it is applied twice
    words = {"other rule": [f"rope_type is {other}", f"scaling.*{other}"],
             "left out": ["rope_type is default", "not scaled", "scaling (?:is )?left out", "nothing is scaled", "rope_scaling is left out",
                          "neither frequencies nor amplitude are scaled"] + [rf"length that decides is (?:\d{{1,3}}|{length}), not"] * (rule == "dynamic"),
             "factor": [rf"factor is {another}\b", rf"scaled by {another}\b"] + ["scaled twice"] * (rule in ("linear", "dynamic") and stretch(another) == stretch(factor) ** 2), "base": [rf"(?:base|rope_theta) is {theta}\b"],
             "head_dim": [rf"exponents divide by head_dim, {head}\b", rf"exponents are i/{head // 2}, not", f"base is {about(math.sqrt(base))}"],
             "partial": [rf"{head} of {head} dimensions rotate", "partial_rotary_factor (?:is 1|.*left out)"],
             "amplitude": ["amplitude.*(?:left out|missing|is 1)", "attention_factor is 1"]}[kind]
    of_linear = {("other rule", "default", "linear"): Fraction(1, factor), ("left out", "linear", other): factor, ("factor", "linear", other): Fraction(factor, another)}
    words += [f"multiplied by {number(s)}" for case, s in of_linear.items() if case == (kind, rule, other)]
    wide = replace(scene, frequencies=frequencies, axes=None) if kind == "partial" else scene
    parts = wide.parts(frequencies=frequencies, amplitude=1.0 if kind == "amplitude" else amplitude)
    return scene.draw(kind, wide.values(*parts), words, f"{rule} held {held['rope_scaling']} theta {held['rope_theta']}")

def learned(rng, kind=None):
    kind = kind or pick(rng, ["learned shifted", "learned zero", "learned swapped", "learned wrapped"])
    rows, width = int(rng.integers(16, 41)), pick(rng, [4, 6, 8])
    values, own = rng.standard_normal((rows, width)).astype(np.float32), np.arange(rows, dtype=float)
    a, m, swapped = int(rng.integers(1, rows // 2)), int(rng.integers(8, rows - 2)), own.copy()
    swapped[[a, a + 5]] = a + 5, a
    held = {"learned shifted": np.roll(own, pick(rng, [1, -1])), "learned swapped": swapped, "learned wrapped": own % m}.get(kind, own)
    table, words = values[held.astype(int)], truths(held, own) + [rf"rows (?:of positions )?{a} and {a + 5}\b.*exchanged"] * kind.endswith("swapped")
    if kind.endswith("zero"):
        table[m:], words = 0, [all_of("zeros?", w) for w in index_sets(own >= m, "rows?", own)]
    return Draw(kind, {"scheme": "learned", "values": values.astype(float).tolist()}, {"encoding": table}, words, f"{rows} rows, a {a}, m {m}")

def position_ids(rng, kind=None):
    kind = kind or pick(rng, ["ids as text", "ids axis stays", "ids offset"])
    before, h, w, after = (int(rng.integers(*bounds)) for bounds in ((4, 30), (3, 9), (3, 9), (4, 20)))
    image = np.stack(np.meshgrid([0], np.arange(h), np.arange(w), indexing="ij"), -1).reshape(-1, 3) + before
    own = np.concatenate([np.repeat(np.arange(before)[:, None], 3, 1), image, np.repeat(np.arange(after)[:, None], 3, 1) + before + max(h, w)])
    held, tail, a, o = own.copy(), before + h * w, int(rng.integers(1, 3)), pick(rng, [1, 2, 7])
    if kind == "ids as text":
        held[:] = np.arange(len(own))[:, None]
    elif kind == "ids axis stays":
        held[before:tail, a] = before
    elif kind == "ids offset":
        held[tail:] += o
    spec = {"scheme": "position_ids", "rule": "qwen2_vl", "segments": [{"text": before}, {"image": [1, 2 * h, 2 * w]}, {"text": after}]}
    return Draw(kind, spec, {"position_ids": held}, axis_truths(held.astype(float), own.astype(float)), f"{before} {h} x {w} {after}, axis {a}, o {o}")

def alibi(rng, kind=None):
    kind = kind or pick(rng, ["alibi sign", "alibi max_bias", "alibi first power", "alibi reversed"])
    heads, keys, role = pick(rng, [4, 8, 16, 32]), int(rng.integers(16, 200)), pick(rng, ["bias", "slopes"])
    exponent, first = pick(rng, [4, 6, 16]) if kind.endswith("max_bias") else 8, int(not kind.endswith("first power"))
    slopes = 2.0 ** (-exponent * (np.arange(heads) + first) / heads)
    slopes = {"alibi sign": -slopes, "alibi reversed": slopes[::-1]}.get(kind, slopes)
    words = {"alibi sign": ["(?:other|opposite) sign", "negative", "multiplied by -1"], "alibi max_bias": [rf"max_bias is {exponent}\b"], "alibi reversed": [
        "reverse"], "alibi first power": ["(?:from|first power.*) 0", "power 0", f"multiplied by {number(2 ** (8 / heads))}", "slope.*first"]}.get(kind, [])
    x = slopes if role == "slopes" else slopes[:, None] * np.arange(keys)
    return Draw(kind, {"scheme": "alibi", "num_heads": heads}, {role: x.astype(np.float32)}, words, f"{role} {heads} heads")

def t5(rng, kind=None):
    kind, d = kind or pick(rng, ["t5 direction", "t5 max_distance", "t5 sign", "t5 offset"]), np.arange(-300, 301)
    count, most, both = pick(rng, [16, 32, 64]), pick(rng, [64, 128, 256]), bool(rng.integers(2))
    held, beyond, is_both = {"t5 sign": -d, "t5 offset": d + 1}.get(kind, d), most * (1 + kind.endswith("distance")), both != kind.endswith("direction")
    n, distance = count // 2 if is_both else count, np.abs(held) if is_both else np.maximum(-held, 0)
    far = n // 2 + np.floor(np.log(np.maximum(distance, 1) / (n // 2)) / math.log(beyond / (n // 2)) * (n - n // 2) + 1e-9)
    buckets = is_both * (held > 0) * n + np.where(distance < n // 2, distance, np.minimum(far, n - 1)).astype(int)
    words = {"t5 direction": [f"buckets are those of {'one direction' if both else 'both directions'}", "bidirectional is"], "t5 max_distance": [
        rf"max_distance is {beyond}\b"], "t5 sign": ["relative positions have the other sign"], "t5 offset": ["relative positions are larger by 1"]}.get(kind, [])
    spec = {"scheme": "t5_bucket", "num_buckets": count, "max_distance": most, "bidirectional": both}
    return Draw(kind, spec, {"buckets": buckets, "relative_positions": d}, words, f"{count} {most} {both}")

def other_schemes(rng, kind=None):
    return pick(rng, [learned, position_ids, alibi, t5])(rng, kind)

def table_alone(rng):
    kind, form = pick(rng, ["base", "offset", "i//2", "zero rows", "bfloat16 frequencies"]), pick(rng, ["float32", "float32", "float16"])
    scene = rope(rng, ("cos", "sin"), np.arange(pick(rng, [64, 128, 300])) + pick(rng, [0, 0, 1000]), form=form)
    own, w, n = scene.positions[:, 0], scene.frequencies, len(scene.frequencies)
    theta, o, a, b = pick(rng, [b for b in BASES if b != scene.spec["rope_theta"]]), pick(rng, [1, 5, 17]), int(rng.integers(2, 20)), int(rng.integers(25, 60))
    held, mask = own + (o if kind == "offset" else 0), (np.arange(len(own)) >= a) & (np.arange(len(own)) <= b)
    frequencies = {"base": ladder(theta, 2 * n), "i//2": w[np.arange(n) // 2], "bfloat16 frequencies": narrowed(w, "bfloat16")}.get(kind, w)
    values = scene.values(*scene.parts(held[:, None], frequencies))
    values[scene.role][mask & (kind == "zero rows")] = 0
    words = {"base": [rf"(?:base|rope_theta) is {theta}\b"], "offset": truths(held, own), "i//2": [r"floor\(i/2\)"], "bfloat16 frequencies": [
        "frequencies are rounded to bfloat16"], "zero rows": [all_of("zeros?", s) for s in index_sets(mask, "rows?", own)]}[kind]
    return scene.draw(kind, values, words, f"theta {theta} o {o} rows {a} to {b}")

def honest(rng):
    """An encoding without a fault, of several kinds."""
    kind = pick(rng, ["one axis", "several axes", "scaled", "leading", "far", "other scheme"])
    if kind == "other scheme":
        return other_schemes(rng, "no fault")
    rule, far = pick(rng, ["linear", "yarn", "llama3", "dynamic"]), np.sort(rng.choice(60000, 60, replace=False))
    spec = {"scheme": "rope", "head_dim": pick(rng, [32, 64, 128]), "rope_theta": pick(rng, [10000, 500000]), "layout": "half",
            "rope_scaling": scaling_of(rng, rule, 4)} | ({"sequence_length": 20000} if rule == "dynamic" else {})
    scene = (scaled_scene(rng, spec, True) if kind == "scaled" else several_axes(rng) if kind == "several axes" else
             rope(rng, ("tables", "vectors"), np.arange(30) + rng.integers(0, 9, (3, 1)), lead=(3,)) if kind == "leading" else
             rope(rng, positions=far if kind == "far" else None))
    return scene.draw(kind, scene.values(*scene.parts()), [])

def noise(rng):
    """Numbers of nothing in a box of a table, which no mistake makes: a verdict says where they lie."""
    scene = rope(rng, ("tables",), np.arange(pick(rng, [40, 100, 300])))
    values = scene.values(*scene.parts())
    table = values[pick(rng, ["cos", "sin"])]
    first, left = (int(rng.integers(0, size - 5)) for size in table.shape)
    top, right = int(rng.integers(first + 4, table.shape[0])), int(rng.integers(left + 4, table.shape[1]))
    box = table[first:top + 1, left:right + 1]
    box[:] = np.where(box > 0, -1, 1) * rng.uniform(0.1, 1, box.shape)
    words = f"{box.size} of {2 * table.size} elements fail, in {right - left + 1} columns from {left} to {right}, at positions from {first} to {top}."
    return scene.draw("noise", values, [re.escape(words)], f"rows {first} to {top}, columns {left} to {right}")

CLASSES = [honest, one_axis, leading_indices, functions_of_rows, other_pairs, zeros, parts_of_maps, less_precise, scalings, other_schemes, table_alone, noise]

# ---- judging
def drawn(seed, index, only):
    rng = np.random.default_rng([seed, index])
    c = 0 if rng.random() < HONEST_SHARE else int(rng.integers(1, CLASSES.index(noise)))
    c = only if only is not None else CLASSES.index(noise) if index % NOISE_EVERY == NOISE_EVERY - 1 else c
    while True:
        draw = CLASSES[c](rng)
        if c == 0 or draw.differs and draw.expected:
            return c, draw

def validated(vernier, folder, draw, spec):
    case = {"name": draw.kind, "spec": spec, "tensors": {r: f"{r}.npy" for r in draw.tensors}, "dtype": draw.dtype}
    (folder / "case.json").write_text(json.dumps(case))
    return subprocess.run([vernier, "validate", folder / "case.json", "--json", folder / "out.json", "--patch"], capture_output=True, text=True)

def verdict_of(vernier, draw):
    """The exit code, the findings, and what became of the sentences that were tried: mended, placed or UNTRUE."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for role, x in draw.tensors.items():
            np.save(folder / f"{role}.npy", np.ascontiguousarray(x))
        done = validated(vernier, folder, draw, draw.spec)
        if not (folder / "out.json").exists():
            return done.returncode, [{"id": "refused", "sentence": done.stderr.strip(), "roles": ""}], Counter()
        document = json.loads((folder / "out.json").read_text())
        sentences = Counter(place for place in map(partial(places, document), document["diagnosis"]) if place)
        if done.stdout and not done.stderr:  # what is said beside a spec is said to standard error
            conforms = validated(vernier, folder, draw, json.loads(done.stdout)).returncode == 0
            sentences.update(["mended" if conforms else "UNTRUE"])
        return done.returncode, document["diagnosis"], sentences

def unexplained(finding):
    """Where elements fail that nothing explains, as a verdict says it; "" if it says more, or nothing."""
    partial = finding["partial"] or {"sentence": None, "rest": ""}
    return partial["rest"] if finding["id"] == "unexplained" and not partial["sentence"] else ""

def places(document, finding):
    """Whether counts and places of what is unexplained are those of the checks of its tensors; None if a verdict says none."""
    sentence, roles = unexplained(finding), "|".join(map(re.escape, finding["roles"].split(", ")))
    about = [check for check in document["checks"] if re.fullmatch(f"(?:accuracy|axes)/(?:{roles})(?:/.*)?", check["id"])]
    extents = [check["failing_extent"] for check in about if "failing_extent" in check]
    if not sentence or not extents:
        return None
    def ends(kind):
        return [str(f(extent[kind][i] for extent in extents)) for i, f in enumerate((min, max))]
    of_values = re.fullmatch(r"\d+ of \d+ rows fail, from position (-?\d+) to position (-?\d+)\.", sentence)
    if of_values:
        return "placed" if sorted(of_values.groups(), key=int) == ends("positions") else "UNTRUE"
    told = re.fullmatch(r"(\d+) of (\d+) elements? fail(?:, in \d+ columns? from (\d+) to (\d+)(?:, at positions from (-?\d+) to (-?\d+))?)?.*", sentence)
    found = [str(sum(check["counts"][key] for check in about if "counts" in check)) for key in ("failing", "elements")] + ends("columns") + ends("positions")
    return "placed" if told and all(number in (None, true) for number, true in zip(told.groups(), found)) else "UNTRUE"

def judged(code, findings, draw):
    expected = draw.expected
    if code != 1:
        return "missed"
    if draw.kind == "noise":
        return "located" if findings and re.fullmatch(expected[0], unexplained(findings[0])) else "FALSE"
    if not findings or findings[0]["id"] == "unexplained":
        return "unexplained"
    by_role = {}
    for finding in findings:
        by_role.setdefault(str(finding["roles"]), []).append(finding["sentence"])
    told = [findings[0]["sentence"]] + ["; ".join(words) for words in by_role.values()]
    fits = lambda texts: any(all(re.search(p, text) for p in all_of(e)) for e in expected for text in texts)
    return "named" if fits(told) else "equally" if fits([e for f in findings for e in f.get("equally") or []]) else "FALSE"

def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--vernier", required=True)
    parser.add_argument("--draws", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, choices=range(len(CLASSES)))
    parser.add_argument("--show", choices=["wrong", "all"])
    options = parser.parse_args()
    counts = [Counter() for _ in CLASSES]
    def work(index):
        c, draw = drawn(options.seed, index, options.only)
        return index, c, draw, *verdict_of(options.vernier, draw)
    with ThreadPoolExecutor(2) as pool:
        for index, c, draw, code, findings, sentences in pool.map(work, range(options.draws)):
            told = judged(code, findings, draw) if c else "honest" if code == 0 else "FALSE ALARM"
            counts[c].update(["draws", told] + (["detected"] if code == 1 and told != "located" and c else []) + list(sentences.elements()))
            if told == "FALSE ALARM" or sentences["UNTRUE"] or options.show == "all" or (options.show and told not in ("named", "equally", "honest", "located")):
                print(f"{told}{', UNTRUE' * bool(sentences['UNTRUE'])}: class {c}, {draw.kind}, draw {index} of seed {options.seed}, exit code {code}: {draw.parameters}\n"
                      f"  spec      {json.dumps(draw.spec)[:300]}\n  expected  {' | '.join(' & '.join(all_of(e)) for e in draw.expected)[:600]}")
                print("".join(f"  told      {f['id']}: {f['sentence']} ({f['roles']}) {f.get('equally') or ''} {f.get('partial') or ''}\n" for f in findings[:4]), end="")
    columns, total = ["draws", "detected", "named", "equally", "FALSE", "unexplained", "missed", "FALSE ALARM", "located", "mended", "placed", "UNTRUE"], sum(counts, Counter())
    print("class               " + "".join(f"{name:>13}" for name in columns))
    for name, row in [(f"{c} {f.__name__}", counts[c]) for c, f in enumerate(CLASSES)] + [("all", total)]:
        print(f"{name:20}" + "".join(f"{row[column]:13}" for column in columns))
    named = (total["named"] + total["equally"]) / max(1, total["detected"])
    print(f"named rightly: {100 * named:.1f} % of those detected ({total['equally']} of them by \"equally\" alone)")
    has_little = options.only is None and options.draws >= 2 * NOISE_EVERY and (total["mended"] < 3 or total["placed"] < 2)
    print("has few sentences to look at\n" * has_little, end="")
    return int(named < LEAST_NAMED or total["FALSE"] > MOST_FALSE or total["FALSE ALARM"] > 0 or total["UNTRUE"] > 0 or has_little)

if __name__ == "__main__":
    sys.exit(main())
