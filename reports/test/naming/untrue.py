#!/usr/bin/env python3
"""Faults of which a verdict once said what is not true: a right pair named, a wrong place in the code, an effect that is none.

    python3 untrue.py --vernier PATH [--show]

Each case makes its tensors, and has two patterns: what a verdict has to say (None: that the tensors do not conform), and what it
may not say. The program prints what is said otherwise, and fails."""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

F4 = np.float32
ROPE = {"scheme": "rope", "head_dim": 64, "rope_theta": 10000, "layout": "half"}


class Case(NamedTuple):
    name: str
    spec: dict
    tensors: dict
    is_true: str
    not_true: str


def frequencies(base, width):
    return (1 / np.power(F4(base), np.arange(0, width, 2, dtype=F4) / F4(width))).astype(F4)


def table(positions, w):
    phase = (np.asarray(positions, F4)[:, None] * w).astype(F4).astype(np.float64)
    return np.cos(phase).astype(F4), np.sin(phase).astype(F4)


def turned(x, cos, sin):
    a, b = np.split(x, 2, axis=-1)
    return np.concatenate([a * cos - b * sin, b * cos + a * sin], -1).astype(F4)


def scattered(rng):
    """Elements of one column are wrong in scattered rows: no pair but that one is."""
    for count in (5, 60):
        for dtype in (np.float32, np.float16):
            cos, sin = table(range(1024), frequencies(10000, 64))
            cos[rng.choice(1024, count, replace=False), 20] += F4(0.3)
            yield Case(f"scattered {count} {np.dtype(dtype).name}", ROPE, {"cos": cos.astype(dtype), "sin": sin.astype(dtype)},
                       r"column 20\b", r"\bpairs? (?!20\b)\d")


def reduced_badly():
    """The phases of one pair alone are wrong, beyond a position: positions are right."""
    w, positions = frequencies(150000, 64), np.r_[0:64, 44990:45010, 59000:59064]
    cos, sin = table(positions, w)
    far = positions > 45000
    cos[far, 0] = np.cos(positions[far] * (1 + 1e-7))
    yield Case("one column reduced badly", dict(ROPE, rope_theta=150000), {"cos": cos, "sin": sin, "positions": positions.astype(np.int64)},
               r"column 0\b", r"expected positions?|positions? (?:is|are) ")


def multiplied_timesteps():
    """One factor of all timesteps is shorter than a recurrence, or an index of pairs that some pairs do not have."""
    steps = np.linspace(250, 1000, 8).round().astype(np.int64)
    w = np.exp(np.arange(128, dtype=F4) * F4(-np.log(10000.0) / 128)).astype(F4)
    spec = {"scheme": "sinusoidal", "d_model": 256, "base": 10000, "layout": "halves", "order": "cos_sin"}
    for factor, words in ((7, "7"), (11, "11"), (1 / 1000, "0.001|1/1000"), (2.5, "2.5"), (24, None), (100, None)):
        phase = ((steps.astype(F4) * F4(factor))[:, None] * w).astype(F4)
        encoding = np.concatenate([np.cos(phase), np.sin(phase)], 1).astype(F4)
        yield Case(f"timesteps times {factor:g}", spec, {"encoding": encoding, "positions": steps},
                   words and rf"multiplied by (?:{words})\b", r"the one before|of pair i|\bpi\b|Equally possible")


def vectors(rng):
    x, w, positions = rng.standard_normal((2, 12, 40, 64)).astype(F4), frequencies(10000, 64), np.arange(300, 340, dtype=np.int64)
    cos, sin = table(positions, w)
    y = turned(x, cos, sin)
    y[:, -1] = x[:, -1]
    yield Case("last head not rotated", ROPE, {"input": x, "rotated": y, "positions": positions},
               r"(is|are) left unrotated", r"holds position|positions that reach the table|have the same row")
    y = turned(x, cos, sin)
    y[:, :3, 1:] = turned(y, cos, sin)[:, :3, 1:]
    yield Case("three heads rotated twice", ROPE, {"input": x, "rotated": y, "positions": positions},
               r"indices 0 to 2", r"by the same factor|every frequency")
    half = dict(ROPE, head_dim=128, partial_rotary_factor=0.5)
    x = rng.standard_normal((1, 2, 40, 128)).astype(F4)
    y = x.copy()
    y[..., :64] = turned(x[..., :64], cos * F4(1.26), sin * F4(1.26))
    # (64 x 1.26^2 + 64) / 128
    yield Case("amplitude of half a head", half, {"input": x, "rotated": y, "positions": positions},
               r"scores 1\.29 times", r"scores 1\.(?:59|26) times")


def other_positions():
    for first in (32700, 32768):
        positions = np.arange(first, first + 160, dtype=np.int64)
        cos, sin = table(positions.astype(np.int16).astype(np.int64), frequencies(10000, 64))
        yield Case(f"positions in int16 from {first} on", ROPE, {"cos": cos, "sin": sin, "positions": positions},
                   r"positions wrap at 32768", r"block to block|\bpairs? \d|opposite|counted down|negated")
    w = frequencies(10000, 64)
    cos, sin = np.empty((4096, 32), F4), np.empty((4096, 32), F4)
    cos[0], sin[0], step_cos, step_sin = 1, 0, np.cos(w), np.sin(w)
    for row in range(1, 4096):
        cos[row] = cos[row - 1] * step_cos - sin[row - 1] * step_sin
        sin[row] = sin[row - 1] * step_cos + cos[row - 1] * step_sin
    yield Case("angles added up", ROPE, {"cos": cos, "sin": sin}, None, r"whatever the phase|small positions")


def other_axes():
    """Sines of one axis that hold cosines; sections that are read in blocks, or in turn, of which no ramp is part."""
    places = np.stack(np.meshgrid(np.arange(16), np.arange(16), indexing="ij"), -1).reshape(-1, 2)
    axis = {"dims": 32, "base": 10000, "layout": "halves", "order": "sin_cos"}
    for swapped in (0, 1):
        parts = []
        for a in (0, 1):
            cos, sin = table(places[:, a], frequencies(10000, 32))
            parts += [cos if a == swapped else sin, cos]
        yield Case(f"sines of axis {swapped} are cosines", {"scheme": "sinusoidal", "axes": [axis, axis]},
                   {"encoding": np.concatenate(parts, 1), "positions": places.T.copy().astype(np.int64)},
                   None, r"radians per position|e-1\d|expected positions?")
    positions = np.stack([np.arange(200), np.arange(200) // 8, np.arange(200) % 8]).astype(np.int64)
    in_blocks, in_turn = np.repeat([0, 1, 2], [16, 24, 24]), np.zeros(64, int)
    for a in (1, 2):
        in_turn[a:72:3] = a
    for is_in_turn, axes in ((False, in_turn), (True, in_blocks)):
        phase = (positions[axes].T.astype(F4) * frequencies(1e6, 128)).astype(F4).astype(np.float64)
        spec = {"scheme": "rope", "head_dim": 128, "rope_theta": 1000000, "layout": "half", "rope_scaling":
                {"rope_type": "default", "mrope_section": [16, 24, 24], "mrope_interleaved": is_in_turn}}
        yield Case(f"mrope_interleaved is not {is_in_turn}", spec,
                   {"cos": np.cos(phase).astype(F4), "sin": np.sin(phase).astype(F4), "positions": positions},
                   rf"mrope_interleaved is {str(not is_in_turn).lower()}", r"\bramp\b|\.\.\.|…")


def bias_of_no_key():
    yield Case("bias of zeros", {"scheme": "alibi", "num_heads": 8, "bias": "distance_to_last"}, {"bias": np.zeros((8, 64, 64), F4)},
               r"every element of bias is 0", r"allocated|launched|never written")


def cases():
    rng = np.random.default_rng(5)
    yield from scattered(rng)
    yield from reduced_badly()
    yield from multiplied_timesteps()
    yield from vectors(rng)
    yield from other_positions()
    yield from other_axes()
    yield from bias_of_no_key()


def said_of(case, vernier, folder):
    for role, values in case.tensors.items():
        np.save(folder / f"{role}.npy", values)
    document = {"name": "case", "producer": "untrue.py", "spec": case.spec, "tensors": {role: f"{role}.npy" for role in case.tensors}}
    (folder / "case.json").write_text(json.dumps(document))
    run = subprocess.run([vernier, "validate", folder / "case.json", "--verbose"], capture_output=True, text=True, check=False)
    # Of all that is printed, what is concluded: the checks say what they counted.
    told = re.split(r"\n  (?:FAIL|fail|PASS|pass|checks)\b", run.stdout)[0]
    return run.returncode, re.sub(r"\s+", " ", told)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vernier", required=True)
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    wrong = 0
    for case in cases():
        with tempfile.TemporaryDirectory() as folder:
            code, told = said_of(case, arguments.vernier, Path(folder))
        problems = [] if code == 1 else [f"found exit code {code}, expected 1"]
        problems += [] if case.is_true is None or re.search(case.is_true, told) else [f"found no {case.is_true!r}"]
        untrue = re.search(case.not_true, told)
        problems += [f"found {untrue.group()!r}"] if untrue else []
        wrong += bool(problems)
        if problems or arguments.show:
            print(f"{case.name}: {'; '.join(problems)}\n  {told}")
    print(f"{wrong} cases are told wrongly")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
