#!/usr/bin/env python3
"""Asks `vernier arithmetic` of what real programs make: C compiled in many ways, NumPy and, where they are there, PyTorch and
ONNX Runtime.

    python3 real_programs.py --vernier PATH [--torch] [--node FOLDER]

Which product a compiler fused is found by code of its own: the explicit fused products of draws.py that have the program's bits."""

import argparse
import itertools
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from draws import BF16, F16, F32, F64, Library, component, rounded, table
from drawn_arithmetics import Bench

SPEC = {"scheme": "rope", "head_dim": 128, "rope_theta": 10000.0, "layout": "half", "max_position_embeddings": 512}
POSITIONS = np.arange(512)
GLIBC = {"order": "1/pow", "exponent": "quotient", "library": "float32-glibc", "frequency": "kept", "position": "kept", "phase": "float32", "sine": "float32-glibc", "table": "nearest"}
FLAGS = [("-O2",), ("-O2", "-mfma"), ("-O3", "-march=native")]
CONTRACTS = ["off", "on", "fast"]

class Check:
    def __init__(self, vernier, folder):
        self.bench, self.failed, self.folder = Bench(vernier, folder), 0, folder
        rng = np.random.default_rng(1)
        self.x0, self.x1 = (rounded(rng.normal(size=(2, 512, 64)), F32) for _ in range(2))

    def ask(self, name, tensors):
        told, code, seconds = self.bench.ask(self.bench.case(name, SPEC, {"positions": POSITIONS} | tensors))
        return {s["stage"]: s["ways"] for s in told["stages"]}, code, told["remarks"], seconds

    def say(self, name, is_right, words):
        self.failed += not is_right
        print(f"{'ok' if is_right else 'WRONG'}: {name}: {words}", flush=True)

    def tensors(self, cos, sin, held, y0, y1, form, x0=None, x1=None):
        x0, x1 = (self.x0 if x0 is None else x0), (self.x1 if x1 is None else x1)
        return {"cos": (cos, held), "sin": (sin, held), "input": (np.concatenate([x0, x1], -1), form), "rotated": (np.concatenate([y0, y1], -1), form)}

    def compilers(self):
        libm = self.bench.libm
        cos, sin = table(libm, GLIBC, F32, 10000.0, 64, POSITIONS)
        c, s = (np.broadcast_to(t, self.x0.shape) for t in (cos, sin))
        made = {(y, way): component(libm, "float32-" + way, self.x0, self.x1, *((c, -s) if y == 0 else (s, c)), c, s, y) for y in (0, 1) for way in ("each", "fused-x0", "fused-x1")}
        for compiler, flags, contract in itertools.product(["gcc", "clang"], FLAGS, CONTRACTS):
            own = Library(self.folder, compiler, (*flags, "-ffp-contract=" + contract))
            y = own.call("rotate_f32", np.float32, 2, self.x0, self.x1, c, s)
            expected = [["float32-" + way for way in ("each", "fused-x0", "fused-x1") if np.array_equal(made[i, way], y[i])] for i in (0, 1)]
            stages, code, _, seconds = self.ask("compiled", self.tensors(cos, sin, F32, *y, F32))
            told = [stages.get(f"y{i}_products") for i in (0, 1)]
            self.say(f"{compiler} {' '.join(flags)} -ffp-contract={contract}", code == 0 and told == expected, f"y0 {told[0]}, y1 {told[1]} ({seconds:.2f} s)")

    def numpy(self):
        w = 1 / 10000.0 ** (np.arange(0, 128, 2) / 128)
        phase = POSITIONS[:, None] * w
        stages, code, *_ = self.ask("numpy64", {"cos": (np.cos(phase), F64), "sin": (np.sin(phase), F64)})
        # Its power and its sine are the C library's or, with AVX-512, of its own, of which nothing false may be claimed.
        self.say("NumPy's float64 table", code == 0 or stages.get("phase", ["float64"]) == ["float64"], f"exit {code}, phase {stages.get('phase')}, sine {stages.get('sine')}")
        single = (POSITIONS[:, None].astype(np.float32) * rounded(w, F32).astype(np.float32))
        cos, sin = np.cos(single), np.sin(single)
        x0, x1 = self.x0.astype(np.float32), self.x1.astype(np.float32)
        y0, y1 = x0 * cos - x1 * sin, x1 * cos + x0 * sin
        stages, code, remarks, _ = self.ask("numpy32", self.tensors(cos, sin, F32, y0, y1, F32))
        self.say("NumPy's float32 table and rotation", stages.get("phase") == ["float32"] or "float32" in stages.get("phase", []) or code == 1, f"exit {code}, phase {stages.get('phase')}; {remarks}")
        self.say("NumPy's rotation", stages.get("y0_products") == ["float32-each"] == stages.get("y1_products"), f"y0 {stages.get('y0_products')}")

    def torch(self):
        import torch
        inverse = 1.0 / (10000.0 ** (torch.arange(0, 128, 2).float() / 128))
        phase = torch.outer(torch.arange(512).float(), inverse)
        cos, sin = phase.cos(), phase.sin()
        x0, x1 = (torch.tensor(x.astype(np.float32)) for x in (self.x0, self.x1))
        for name, kind, form in (("float32", torch.float32, F32), ("bfloat16", torch.bfloat16, BF16), ("float16", torch.float16, F16)):
            a, b, c, s = (t.to(kind) for t in (x0, x1, cos, sin))
            y0, y1 = a * c - b * s, b * c + a * s
            as_numpy = lambda t: t.to(torch.float64).numpy()
            stages, code, remarks, _ = self.ask("torch-" + name, self.tensors(as_numpy(c), as_numpy(s), form, as_numpy(y0), as_numpy(y1), form, as_numpy(a), as_numpy(b)))
            self.say(f"PyTorch's {name} table", code in (0, 1), f"exit {code}, phase {stages.get('phase')}, sine {stages.get('sine')}; {remarks}")
            self.say(f"PyTorch's {name} rotation", stages.get("y0_products") == [form + "-each"] == stages.get("y1_products"), f"y0 {stages.get('y0_products')}, y1 {stages.get('y1_products')}")
        fused = torch.addcmul(-(x1 * sin), x0, cos), torch.addcmul(x1 * cos, x0, sin)
        stages, code, *_ = self.ask("addcmul", self.tensors(cos.numpy(), sin.numpy(), F32, fused[0].numpy(), fused[1].numpy(), F32))
        self.say("PyTorch's addcmul", stages.get("y0_products") == ["float32-fused-x0"] == stages.get("y1_products"), f"y0 {stages.get('y0_products')}, y1 {stages.get('y1_products')}")
        turns = torch.polar(torch.ones_like(phase), phase)
        turned = torch.complex(x0, x1) * turns
        stages, code, *_ = self.ask("complex", self.tensors(turns.real.numpy(), turns.imag.numpy(), F32, turned.real.numpy(), turned.imag.numpy(), F32))
        self.say("PyTorch's complex product by polar()", "float32-each" in stages.get("y0_products", []) and "float32-each" in stages.get("y1_products", []), f"exit {code}, sine {stages.get('sine')}, y0 {stages.get('y0_products')}, y1 {stages.get('y1_products')}")
        for kind, form in ((torch.bfloat16, BF16), (torch.float16, F16)):
            a, b = (t.to(kind) for t in (x0, x1))
            y0, y1 = (a.float() * cos - b.float() * sin).to(kind), (b.float() * cos + a.float() * sin).to(kind)
            stages, code, *_ = self.ask("wide", self.tensors(cos.numpy(), sin.numpy(), F32, *(t.double().numpy() for t in (y0, y1)), form, *(t.double().numpy() for t in (a, b))))
            self.say(f"PyTorch's float32 rotation of {form}", "float32-each" in stages.get("y0_products", []), f"y0 {stages.get('y0_products')}, y1 {stages.get('y1_products')}")
        wide = torch.outer(torch.arange(512).double(), 1.0 / (10000.0 ** (torch.arange(0, 128, 2).double() / 128)))
        cos, sin, a, b = wide.cos(), wide.sin(), x0.double(), x1.double()
        stages, code, remarks, _ = self.ask("torch-float64", self.tensors(cos.numpy(), sin.numpy(), F64, (a * cos - b * sin).numpy(), (b * cos + a * sin).numpy(), F64))
        self.say("PyTorch's float64 table", stages.get("phase", ["float64"]) == ["float64"], f"exit {code}, library {stages.get('library')}, sine {stages.get('sine')}; {remarks}")
        self.say("PyTorch's float64 rotation", stages.get("y0_products") == ["float64-each"] == stages.get("y1_products"), f"y0 {stages.get('y0_products')}, y1 {stages.get('y1_products')}")

    def asked(self, name, script, spec, *options):
        """What `vernier arithmetic` says of an implementation on npm that it asks. \\param script of reports/implementations/node"""
        path = Path(self.folder) / "asked.json"
        path.write_text(json.dumps(spec))
        done = subprocess.run([self.bench.vernier, "arithmetic", "--spec", str(path), "--serve", f"node '{script}'", *options, "--json", "-"], capture_output=True, text=True)
        if done.returncode not in (0, 1, 4):
            self.say(name, False, done.stderr)
            return {}, []
        told = json.loads(done.stdout)
        return {s["stage"]: s["ways"] for s in told["stages"]}, told["remarks"]

    def onnxruntime(self, folder):
        for layout in ("half", "interleaved"):
            spec = SPEC | {"layout": layout, "max_position_embeddings": 4096}
            stages, remarks = self.asked("ONNX Runtime's RotaryEmbedding", Path(folder) / "onnxruntime_rotary.mjs", spec, "--positions", "0:512")
            told = [stages.get(f"y{i}_products") for i in (0, 1)]
            self.say(f"ONNX Runtime's RotaryEmbedding, {layout}", all(told), f"y0 {told[0]}, y1 {told[1]}; {remarks}")
        stages, remarks = self.asked("ONNX Runtime's Cos and Sin", Path(folder) / "onnxruntime_tables.mjs", SPEC, "--positions", "0:512")
        self.say("ONNX Runtime's Cos and Sin", not stages, f"{stages}; {remarks}")

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vernier", required=True)
    parser.add_argument("--torch", action="store_true")
    parser.add_argument("--node", help="the folder with onnxruntime_tables.mjs and the packages on npm")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        check = Check(arguments.vernier, folder)
        check.compilers()
        check.numpy()
        if arguments.torch:
            check.torch()
        if arguments.node:
            check.onnxruntime(arguments.node)
    return 1 if check.failed else 0

if __name__ == "__main__":
    sys.exit(main())
