#!/usr/bin/env python3
"""Draws arithmetics, lets code of its own make files by them, and counts what `vernier arithmetic` says of them.

    python3 drawn_arithmetics.py --vernier PATH --draws N --spoiled N [--seed S] [--only KIND] [--show]

Of a drawn arithmetic: it is among the computations that predict every bit, every settled stage is its own, and any two computations
of the set make the same file, by this code. Of a file that no computation of the space makes (spoiled, or by a function that the
space lacks): nothing is predicted, and no stage is claimed that is another's."""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from draws import BF16, F16, F32, F64, Library, rotation, rounded, table

FORMATS = [F32, F16, BF16, F64]
KINDS = ["tables", "tables and vectors", "vectors"]
ORDERS = ["1/pow", "pow-negative", "pow-reciprocal", "exp", "1/exp", "exp2", "exp-step", "exp-own-step", "pow-ratio", "times-ratio", "interpolated", "exact"]
LIBRARIES = ["float32-glibc", "float32-glibc", "float32-exact", "float64", "float64-rounded", BF16, F16]

def pick(rng, ways):
    return ways[int(rng.integers(len(ways)))]

def store_ways(computed, form):
    if form == F64:
        return ["nearest", "by-bfloat16", "by-float16"] + (["float32-nearest"] if computed == F64 else [])
    if form == F32:
        return ["nearest", "by-bfloat16", "by-float16", "flushed"] + (["cut"] if computed == F64 else [])
    wide = ["float32-nearest", "float32-cut", "float32-half-up"] if computed == F64 else []
    return ["nearest", "cut", "half-up", "flushed", "by-float16" if form == BF16 else "by-bfloat16"] + wide

def draw_table(rng, form, may_be_exact, sleef, pairs):
    order = pick(rng, ORDERS + ["phase-times-ratio"])
    library = pick(rng, LIBRARIES + (["float32-sleef", "float64-sleef"] if sleef and order in ORDERS[:3] else [])) if order != "exact" else pick(rng, ["float64", "float64-rounded"])
    stages = {"order": order, "exponent": pick(rng, ["quotient", "product"]) if ORDERS.index(order) < 6 else "none"} if order in ORDERS else {"order": order, "exponent": "none"}
    stages["library"] = library if order in ORDERS else pick(rng, ["float32-glibc", "float32-exact"])
    stages["frequency"] = pick(rng, ["kept", "kept", "kept", BF16, F16]) if order in ORDERS else "kept"
    stages["position"] = "kept"
    if order not in ORDERS:
        stages["phase"] = "iterated"
    elif stages["library"] in ("float64", "float64-sleef") and stages["frequency"] == "kept":
        stages["phase"] = pick(rng, ["float64", "float64-rounded"])
    else:
        stages["phase"] = pick(rng, ["float32"] * 4 + ["float64", "float64-rounded", BF16, F16])
        if stages["phase"] in ("float32", BF16, F16):
            stages["position"] = pick(rng, ["kept"] * 3 + [BF16, F16] + (["tf32"] if stages["phase"] == "float32" else []))
    narrow = ["float32-glibc"] * 2 + (["float32-exact"] if may_be_exact else [])
    wide = ["float64"] + (["float64-exact"] if may_be_exact and form == F64 else [])
    whole = [way for way in sleef if pairs % int(way.split("-")[-1]) == 0]  # of vectors that fill rows
    narrow += [way for way in whole if way.startswith(F32)]
    wide += [way for way in whole if way.startswith(F64) and form == F64]
    stages["sine"] = pick(rng, wide if stages["phase"] == "float64" else narrow + wide)
    stages["table"] = pick(rng, ["nearest"] * 2 + store_ways(F32 if stages["sine"].startswith("float32") else F64, form))
    return stages

def draw_rotation(rng, held, form):
    stages = {"narrowing": pick(rng, ["kept"] + ([F32] if held == F64 else []) + ([form] if held in (F32, F64) and form in (F16, BF16) else []))}
    used = held if stages["narrowing"] == "kept" else stages["narrowing"]
    wide = F64 in (used, form)
    formats = [F64] if wide else [F32, F32, F64]
    formats += [form] if used == form and form in (F16, BF16) else []
    own = pick(rng, formats)
    for y in ("y0", "y1"):
        order = pick(rng, ["each", "fused-x0", "fused-x1", "three"]) if wide or own != F64 else "each"
        stages[y + "_products"] = own + "-" + order
        stages[y + "_store"] = "nearest" if own in (F16, BF16) else pick(rng, store_ways(own, form))
    return stages

class Bench:
    def __init__(self, vernier, folder):
        self.vernier, self.folder, self.libm = vernier, Path(folder), Library(folder)

    def save(self, name, values, form):
        if form == BF16:
            data = (np.asarray(values, np.float32).view(np.uint32) >> 16).astype(np.uint16)
        else:
            data = np.asarray(values).astype({F64: np.float64, F32: np.float32, F16: np.float16}[form])
        np.save(self.folder / (name + ".npy"), data)
        return name + ".npy"

    def case(self, name, spec, tensors):
        """\\param tensors role: (values, format)"""
        files = {role: self.save(f"{name}-{role}", *tensors[role]) for role in tensors if role != "positions"}
        if "positions" in tensors:
            np.save(self.folder / f"{name}-positions.npy", tensors["positions"])
            files["positions"] = f"{name}-positions.npy"
        dtype = {role: BF16 for role in files if role != "positions" and tensors[role][1] == BF16}
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps({"name": name, "spec": spec, "tensors": files, "dtype": dtype}))
        return path

    def ask(self, *cases):
        began = time.time()
        done = subprocess.run([self.vernier, "arithmetic", *map(str, cases), "--json", "-"], capture_output=True, text=True)
        if done.returncode not in (0, 1, 4):
            raise RuntimeError(done.stderr)
        return json.loads(done.stdout), done.returncode, time.time() - began

class Scene:
    """The inputs of a draw."""
    def __init__(self, rng, kind, form, exact, rows=None):
        self.kind, self.form = kind, form
        self.base, self.pairs = pick(rng, [10000.0, 500000.0, 1000000.0]), pick(rng, [4, 8] if exact else [8, 24, 32])
        rows = rows or (24 if exact else 96)
        self.positions = np.unique(np.concatenate([rng.integers(0, 65504 if kind == "vectors" else 131072, rows // 2), np.arange(rows // 2)]))
        self.heads = 1 if kind == "tables" else 4
        shape = (self.heads, len(self.positions), self.pairs)
        self.x0, self.x1 = (rounded(rng.normal(size=shape), form) for _ in range(2))
        self.spec = {"scheme": "rope", "head_dim": 2 * self.pairs, "rope_theta": self.base, "layout": "half", "max_position_embeddings": 131072}

    def tensors(self, bench, stages):
        held = stages["format"]
        cos, sin = table(bench.libm, stages, held, self.base, self.pairs, self.positions)
        tensors = {"positions": self.positions.astype(np.int64)}
        if self.kind != "vectors":
            tensors |= {"cos": (cos, held), "sin": (sin, held)}
        if self.kind != "tables":
            y = rotation(bench.libm, stages, self.form, self.x0, self.x1, cos[None], sin[None])
            tensors |= {"input": (np.concatenate([self.x0, self.x1], -1), self.form), "rotated": (np.concatenate(y, -1), self.form)}
        return tensors

def draw(rng, kind, form, libm):
    exact = rng.random() < 0.15
    scene = Scene(rng, kind, form, exact)
    held = form
    if kind == "tables and vectors" and form in (F16, BF16):
        held = pick(rng, [form, F32])
    if kind == "vectors":
        held = pick(rng, {F64: [F64, F32], F32: [F32, F64, F16, BF16]}.get(form, [form, F32]))
    stages = {"format": held} | draw_table(rng, held, exact, libm.sleef_sines(), scene.pairs)
    if kind != "tables":
        stages |= draw_rotation(rng, held, form)
        if kind == "vectors":
            while stages["narrowing"] != "kept":
                stages |= draw_rotation(rng, held, form)
    return scene, stages

def same(a, b):
    """Whether the files have the same bits; any NaN is any other."""
    def alike(x, y):
        return np.array_equal(x, y, equal_nan=True) and np.array_equal(np.signbit(x)[~np.isnan(x)], np.signbit(y)[~np.isnan(y)])
    return all(alike(np.asarray(a[role][0]), np.asarray(b[role][0])) for role in a if role != "positions")

def honest(bench, rng, kind, form, show):
    scene, stages = draw(rng, kind, form, bench.libm)
    with np.errstate(all="ignore"):
        tensors = scene.tensors(bench, stages)
    told, code, seconds = bench.ask(bench.case("drawn", scene.spec, tensors))
    held = {s: w for s, w in stages.items() if s != "format" or kind == "vectors"}
    faults = []
    listed = [one["stages"] for one in told["arithmetics"]]
    if code != 0 or (len(listed) == told["count"] and held not in listed):
        faults.append("the true one is not in the set")
    for stage in told["stages"]:
        own = held.get(stage["stage"])
        if own not in stage["ways"] or (len(stage["ways"]) == 1 and own != stage["ways"][0]):
            faults.append(f"{stage['stage']}: {stage['ways']}, not {own}")
        if len(listed) == told["count"] and {one[stage["stage"]] for one in listed} != set(stage["ways"]):
            faults.append(f"{stage['stage']}: no two members differ")
    # Orders of operations that this code has not are Vernier's alone.
    makeable = [one for one in listed if one.get("order", "exact") in [*ORDERS, "phase-times-ratio"] and (bench.libm.sleef is not None or "sleef" not in str(one))]
    for other in (pick(rng, makeable) for _ in range(2 if makeable else 0)):
        with np.errstate(all="ignore"):
            if not same(tensors, scene.tensors(bench, {"format": stages["format"]} | other)):
                faults.append(f"another file is made by {other}")
    if faults and show:
        print(f"{kind}, {form}, {scene.spec}: {stages}\n  " + "\n  ".join(faults))
    return faults, seconds, told["count"], sum(len(s["ways"]) > 1 for s in told["stages"])

def spoiled(bench, rng, form, show):
    kind = pick(rng, KINDS[:2])
    scene, stages = draw(rng, kind, form, bench.libm)
    how = pick(rng, ["one element", "a share of elements", "a pair's frequency", "another sine", "y by another library"] if kind != "tables" else ["one element", "a share of elements", "a pair's frequency", "another sine"])
    unknown = set()
    with np.errstate(all="ignore"):
        tensors = scene.tensors(bench, stages)
        held = stages["format"]
        role = pick(rng, [r for r in tensors if r not in ("positions", "input")])
        values, own = tensors[role]
        values = np.array(values)
        step = lambda v: rounded(np.nextafter(v, np.inf), own) if own == F64 else rounded(v * (1 + 2.0 ** {F32: -23, F16: -10, BF16: -7}[own]), own)
        if how in ("one element", "a share of elements"):
            mask = rng.random(values.shape) < (0.01 if how != "one element" else 0)
            mask.ravel()[int(rng.integers(mask.size))] = True
            values[mask] = step(values[mask])
            tensors[role] = values, own
        elif how == "a pair's frequency":
            from draws import phases, sines, stored
            wide = phases(bench.libm, stages, scene.base, scene.pairs, scene.positions)
            pair = int(rng.integers(1, scene.pairs))
            wide[:, pair] *= 1 + 3e-7
            wide = wide if stages["phase"] == "float64" else rounded(wide, F32)
            cos, sin = (stored(v, held, stages["table"]) for v in sines(bench.libm, stages["sine"], wide))
            tensors["cos"], tensors["sin"] = (cos, held), (sin, held)
            if kind != "tables":
                y = rotation(bench.libm, stages, scene.form, scene.x0, scene.x1, cos[None], sin[None])
                tensors["rotated"] = np.concatenate(y, -1), scene.form
        elif how == "another sine":
            from draws import phases, stored
            wide = phases(bench.libm, stages, scene.base, scene.pairs, scene.positions)
            noise = lambda v: rounded(rounded(v, F32) * (1 + rng.integers(-1, 2, v.shape) * 2.0 ** -23), F32)
            cos, sin = (stored(noise(f(wide)), held, "nearest") for f in (np.cos, np.sin))
            tensors["cos"], tensors["sin"] = (cos, held), (sin, held)
            unknown = {"sine", "table"}
            if kind != "tables":
                y = rotation(bench.libm, stages, scene.form, scene.x0, scene.x1, cos[None], sin[None])
                tensors["rotated"] = np.concatenate(y, -1), scene.form
        else:
            cos, sin = (np.array(tensors[r][0])[None] for r in ("cos", "sin"))
            y0, y1 = (scene.x0 * cos - scene.x1 * sin), (scene.x1 * cos + scene.x0 * sin)
            y = np.concatenate([y0, y1], -1) * (1 + rng.normal(size=1)[0] * 2.0 ** -20)
            tensors["rotated"] = rounded(y, scene.form), scene.form
            unknown = {s for s in stages if s.startswith("y") or s == "narrowing"}
    told, code, _ = bench.ask(bench.case("spoiled", scene.spec, tensors))
    if code == 0:  # then a computation does predict every bit, and the file proves it
        for one in told["arithmetics"][:2]:
            if not same(tensors, scene.tensors(bench, {"format": held} | one["stages"])):
                return [f"{how}: predicted by what makes another file"]
        return []
    right = {s: {way} for s, way in stages.items() if s not in unknown}
    faults = [f"{how}: {s['stage']} is claimed as {s['ways'][0]}, not {stages.get(s['stage'])}" for s in told["stages"]
              if len(s["ways"]) == 1 and s["ways"][0] not in right.get(s["stage"], ())]
    if faults and show:
        print(f"spoiled {kind}, {form}, {scene.spec}: {stages}\n  " + "\n  ".join(faults + told["remarks"]))
    return faults

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vernier", required=True)
    parser.add_argument("--draws", type=int, default=60)
    parser.add_argument("--spoiled", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=KINDS, action="append", help="draw these kinds of files")
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments.vernier, folder)
        for kind in arguments.only or KINDS:
            for form in FORMATS:
                rng = np.random.default_rng([arguments.seed, KINDS.index(kind), FORMATS.index(form)])
                results = []
                while len(results) < arguments.draws:
                    one = honest(bench, rng, kind, form, arguments.show)
                    results += [one] if one else []
                wrong = sum(bool(faults) for faults, *_ in results)
                failed += wrong
                seconds, counts, opened = (np.array([r[i] for r in results]) for i in (1, 2, 3))
                if results:
                    print(f"{kind}, {form}: {len(results) - wrong} of {len(results)} right; computations median {np.median(counts):.0f}, most {counts.max()}; "
                          f"open stages median {np.median(opened):.0f}; seconds median {np.median(seconds):.2f}, most {seconds.max():.2f}", flush=True)
        rng = np.random.default_rng([arguments.seed, 99])
        false = sum(bool(spoiled(bench, rng, pick(rng, FORMATS), arguments.show)) for _ in range(arguments.spoiled))
        print(f"spoiled: {false} files with a false claim, of {arguments.spoiled}")
    return 1 if failed or false else 0

if __name__ == "__main__":
    sys.exit(main())
