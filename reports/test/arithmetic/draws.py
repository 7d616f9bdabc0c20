"""Makes tables and rotated vectors by any arithmetic that `vernier arithmetic` names, with code that shares nothing with it: C
compiled here, NumPy's operations, and Python's integers where something is rounded correctly."""

import ctypes
import functools
import math
import subprocess
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

import numpy as np

F32, F64, F16, BF16 = "float32", "float64", "float16", "bfloat16"
BITS = {F64: (53, -1022), F32: (24, -126), F16: (11, -14), BF16: (8, -126)}
LARGEST = {F32: 2.0 ** 128, F16: 65520.0, BF16: 2.0 ** 128}

# ---- rounding: every number is a float64 that the format holds
def rounded(values, form, mode="nearest"):
    """To the format: nearest, ties to even; cut; or half-up, ties away from zero. In float64 by scaling to integers."""
    values = np.asarray(values, np.float64)
    if form == F64:
        return values.copy()
    p, emin = BITS[form]
    with np.errstate(all="ignore"):
        exponent = np.maximum(np.frexp(values)[1] - 1, emin) - p + 1
        scaled = np.ldexp(values, -exponent)
        whole = {"nearest": np.rint, "cut": np.trunc, "half-up": lambda v: np.copysign(np.floor(np.abs(v) + 0.5), v)}[mode](scaled)
        result = np.copysign(np.ldexp(whole, exponent), values)
        result = np.where(np.abs(result) >= LARGEST[form], np.copysign(np.inf, values), result)
    return np.where(np.isfinite(values), result, values)

def stored(values, form, way):
    if way == "flushed":
        result = rounded(values, form)
        return np.where(np.abs(result) < 2.0 ** BITS[form][1], np.copysign(0.0, result), result)
    if way.startswith("by-"):
        return rounded(rounded(values, way[3:]), form)
    if way.startswith("float32-"):
        return rounded(rounded(values, F32), form, way[8:])
    return rounded(values, form, way)

def exactly(value, form):
    """A Decimal rounded once, by integers."""
    fraction, (p, emin) = Fraction(value), BITS[form]
    if fraction == 0:
        return 0.0
    exponent = math.frexp(float(abs(fraction)))[1] - 1
    unit = Fraction(2) ** (max(exponent, emin) - p + 1)
    whole = round(fraction / unit)  # ties to even
    return math.copysign(float(whole * unit), fraction)

# ---- functions
class Library:
    def __init__(self, folder, compiler="gcc", flags=("-O2", "-ffp-contract=off")):
        file = Path(folder) / ("functions-" + "".join(c if c.isalnum() else "_" for c in compiler + "".join(flags)) + ".so")
        if not file.exists():
            subprocess.run([compiler, *flags, "-fno-builtin", "-shared", "-fPIC", "-o", str(file), str(Path(__file__).parent / "functions.c"), "-lm"], check=True)
        self.dll, self.folder = ctypes.CDLL(str(file)), Path(folder)

    @functools.cached_property
    def sleef(self):
        """SLEEF's functions, or nothing where it, or AVX2, is absent."""
        file = self.folder / "sleef.so"
        processor = Path("/proc/cpuinfo").read_text()
        if "avx2" not in processor:
            return None
        wide = ["-mavx512f"] if "avx512f" in processor else []
        made = file.exists() or subprocess.run(["gcc", "-O2", "-ffp-contract=off", "-mavx2", "-mfma", *wide, "-shared", "-fPIC", "-o", str(file), str(Path(__file__).parent / "sleef.c"), "-lsleef"], capture_output=True).returncode == 0
        if not made:
            return None
        result = Library.__new__(Library)
        result.dll = ctypes.CDLL(str(file))
        return result

    def sleef_sines(self):
        """The ways of a sine that are SLEEF's, by format and lanes."""
        by_16 = "avx512f" in Path("/proc/cpuinfo").read_text()
        return [] if self.sleef is None else ["float32-sleef-8", "float64-sleef-4"] + (["float32-sleef-16", "float64-sleef-8"] if by_16 else [])

    def call(self, name, dtype, outs, *arrays):
        arrays = [np.ascontiguousarray(np.broadcast_to(np.asarray(a, dtype), np.broadcast_shapes(*(np.shape(b) for b in arrays)))) for a in arrays]
        results = [np.empty_like(arrays[0]) for _ in range(outs)]
        getattr(self.dll, name)(*(a.ctypes.data_as(ctypes.c_void_p) for a in arrays + results), ctypes.c_size_t(arrays[0].size))
        return [r.astype(np.float64) for r in results]

    def single(self, name, *x):
        return self.call(name + "f_each", np.float32, 1, *x)[0]

    def double(self, name, *x):
        return self.call(name + "_each", np.float64, 1, *x)[0]

PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798")

def true_sine(phase, shift):
    """sin(phase + shift quarter turns), 45 digits, as a Decimal."""
    with localcontext() as context:
        context.prec = 70
        x = Decimal(phase)
        turns = (x / (2 * PI)).to_integral_value()
        x = x - turns * 2 * PI + shift * PI / 2
        term, total, n, square = x, x, 1, x * x
        while abs(term) > Decimal(10) ** -55:
            term = -term * square / ((n + 1) * (n + 2))
            total, n = total + term, n + 2
        return total

def true_function(name, *x):
    with localcontext() as context:
        context.prec = 50
        x = [Decimal(float(v)) for v in x]
        return {"pow": lambda: x[0] ** x[1], "exp": lambda: x[0].exp(), "exp2": lambda: (x[0] * Decimal(2).ln()).exp(), "log": lambda: x[0].ln(), "log2": lambda: x[0].ln() / Decimal(2).ln()}[name]()

class Operations:
    """Of one library way: float32-exact, float32-glibc, float64, float64-rounded, bfloat16, float16."""
    def __init__(self, libm, way):
        self.libm, self.way = libm, way
        self.form = F64 if way.startswith("float64") else way if way in (BF16, F16) else F32

    def round(self, x):
        return rounded(x, self.form)

    def times(self, a, b):
        return self.round(np.asarray(a) * b)

    def over(self, a, b):
        return self.round(np.asarray(a) / b)

    def __call__(self, name, *x):
        if self.form == F64:
            return (self.libm.sleef if self.way.endswith("-sleef") else self.libm).double(name, *x)
        if self.way == "float32-exact":
            x = np.broadcast_arrays(*(np.asarray(v, np.float64) for v in x))
            return np.array([exactly(true_function(name, *v), F32) for v in zip(*(a.ravel() for a in x))]).reshape(x[0].shape)
        if self.way.endswith("-sleef"):
            return self.libm.sleef.single(name, *x)
        return self.round(self.libm.single(name, *x))

def frequencies(libm, stages, base, pairs):
    order, op = stages["order"], Operations(libm, stages["library"])
    n, d = np.arange(pairs) * 2.0, 2.0 * pairs
    b, index = op.round(base), op.round(n)
    e = op.over(index, d) if stages["exponent"] == "quotient" else op.times(index, op.over(1, d))
    ratio = lambda: op("pow", b, op.round(-2 / d))
    if order == "times-ratio":
        w = [1.0]
        for _ in range(pairs - 1):
            w.append(np.asarray(op.times(w[-1], ratio())).item())
        w = np.array(w)
    elif order == "interpolated":
        last = pairs - 1
        length = op.round(math.log(base) * last * 1.0 / pairs)
        rest = op.round(1 - op.over(np.arange(pairs), max(last, 1)))
        w = op("exp", op.round(op.times(rest, length) - length))
    elif order == "exact":
        with localcontext() as context:
            context.prec = 60
            true = [(-Decimal(base).ln() * 2 * i / Decimal(2 * pairs)).exp() for i in range(pairs)]
        w = np.array([exactly(t, F64 if stages["library"] == "float64" else F32) for t in true])
    else:
        w = {"1/pow": lambda: op.over(1, op("pow", b, e)), "pow-negative": lambda: op("pow", b, -e),
             "pow-reciprocal": lambda: op("pow", op.over(1, b), e), "exp": lambda: op("exp", op.times(-e, op("log", b))),
             "1/exp": lambda: op.over(1, op("exp", op.times(e, op("log", b)))), "exp2": lambda: op("exp2", op.times(-e, op("log2", b))),
             "exp-step": lambda: op("exp", op.times(index, op.round(-math.log(base) / d))),
             "exp-own-step": lambda: op("exp", op.times(index, op.over(-op("log", b), d))),
             "pow-ratio": lambda: op("pow", ratio(), np.arange(pairs) * 1.0)}[order]()
    if stages["library"] == "float64-rounded":
        w = rounded(w, F32)
    return w if stages["frequency"] == "kept" else rounded(w, stages["frequency"])

def tf32(values):
    return np.asarray([exactly(Fraction(v), "tf32") if np.isfinite(v) else v for v in np.ravel(values)]).reshape(np.shape(values))

BITS["tf32"] = (11, -126)

def phases(libm, stages, base, pairs, positions):
    p = np.asarray(positions, np.float64)[:, None]
    if stages["phase"] == "iterated":
        op = Operations(libm, stages["library"])
        ratio, result = op("pow", op.round(base), op.round(-1.0 / pairs)), [rounded(p, F32)]
        for _ in range(pairs - 1):
            result.append(op.times(result[-1], ratio))
        return np.concatenate(result, 1)
    w = frequencies(libm, stages, base, pairs)[None, :]
    if stages["position"] == "tf32":
        p, w = tf32(p), tf32(w)
    elif stages["position"] != "kept":
        p = rounded(p, stages["position"])
    if stages["phase"] == "float64":
        return p * w
    if stages["phase"] == "float64-rounded":
        return rounded(p * w, F32)
    product = rounded(rounded(p, F32) * w, F32)
    return product if stages["phase"] == "float32" else rounded(product, stages["phase"])

def sines(libm, way, phase):
    """(cos, sin), before they are stored."""
    if way == "float32-glibc":
        return libm.single("cos", phase), libm.single("sin", phase)
    if way == "float64":
        return libm.double("cos", phase), libm.double("sin", phase)
    if "-sleef-" in way:
        form, lanes = way.split("-sleef-")
        name, dtype = ("f", np.float32) if form == F32 else ("d", np.float64)
        last = "_u10avx512f_each" if int(lanes) * (4 if form == F32 else 8) == 64 else "_u10avx2_each"
        return tuple(libm.sleef.call(f + name + lanes + last, dtype, 1, phase)[0] for f in ("cos", "sin"))
    form = way.removesuffix("-exact")
    return tuple(np.array([math.nan if not np.isfinite(v) else exactly(true_sine(v, shift), form) if v or shift else v for v in phase.ravel()]).reshape(phase.shape) for shift in (1, 0))

def table(libm, stages, form, base, pairs, positions):
    cos, sin = sines(libm, stages["sine"], phases(libm, stages, base, pairs, positions))
    return stored(cos, form, stages["table"]), stored(sin, form, stages["table"])

# ---- rotation
def fused(libm, form, a, b, plus):
    """a b + plus, rounded once."""
    if form in (F32, F64):
        dtype, name = (np.float32, "fused_f32") if form == F32 else (np.float64, "fused_f64")
        return libm.call(name, dtype, 1, a, b, plus)[0]
    a, b, plus = np.broadcast_arrays(a, b, plus)
    def one(x, y, z):
        return exactly(Fraction(x) * Fraction(y) + Fraction(z), form) if math.isfinite(x * y + z) else x * y + z
    return np.array([one(*(float(v) for v in numbers)) for numbers in zip(a.ravel(), b.ravel(), plus.ravel())]).reshape(a.shape)

def component(libm, products, x0, x1, by0, by1, cos, sin, which):
    form, order = products.split("-", 1)
    times, plus = (lambda a, b: rounded(a * b, form)), (lambda a, b: rounded(a + b, form))
    if order == "each":
        return plus(times(x0, by0), times(x1, by1))
    if order == "fused-x0":
        return fused(libm, form, x0, by0, times(x1, by1))
    if order == "fused-x1":
        return fused(libm, form, x1, by1, times(x0, by0))
    first = times(cos, plus(x0, x1))
    return plus(first, -times(x1, plus(cos, sin))) if which == 0 else plus(first, times(x0, plus(sin, -cos)))

def rotation(libm, stages, out, x0, x1, cos, sin):
    if stages["narrowing"] != "kept":
        cos, sin = rounded(cos, stages["narrowing"]), rounded(sin, stages["narrowing"])
    y0 = component(libm, stages["y0_products"], x0, x1, cos, -sin, cos, sin, 0)
    y1 = component(libm, stages["y1_products"], x0, x1, sin, cos, cos, sin, 1)
    return stored(y0, out, stages["y0_store"]), stored(y1, out, stages["y1_store"])
