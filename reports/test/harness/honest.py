"""Computations that are rounded as badly as a contract lets honest ones be, and must never be refused.

Sums, products and quotients round to nearest. A function returns what is farthest from the truth among the numbers that it may: a
logarithm, an exponential and a power one of the two beside the true value, a sine and a cosine what is within two units of the last
place, four in float64. Each is pushed to the side on which the errors before it lie."""

from fractions import Fraction

import formats
from reals import PI, Turn, enclosed, exp, ln, multiplied, number, power
from scalings import Rotation

FINE = 400  # bits of what is compared below: far more than formats have


def near(x):
    m, _ = enclosed(number(x), FINE)
    return Fraction(m, 1 << FINE)


class Machine:
    """Arithmetic of a format."""

    def __init__(self, form, sine_ulps):
        self.form, self.sine_ulps = form, sine_ulps

    def rounded(self, x):
        return formats.value_of(formats.nearest(number(x), self.form), self.form)

    def pushed(self, x, ulps, side):
        """The number farthest from x on a side of it, 1 or -1, within so many ulp; less than one of one ulp."""
        x = number(x)
        if x == 0:
            return Fraction(0)
        pattern, form = formats.nearest(x, self.form), self.form
        y, sign = near(x), pattern >> form.width - 1
        if isinstance(x, Fraction) and formats.value_of(pattern, form) == x:
            return x
        size = abs(y)
        e = size.numerator.bit_length() - size.denominator.bit_length()
        e -= size < Fraction(2) ** e
        reach = ulps * Fraction(2) ** (max(e, form.emin) - form.precision + 1)
        best = formats.value_of(pattern, form)
        for steps in range(-int(ulps) - 1, int(ulps) + 2):
            magnitude = (pattern & (1 << form.width - 1) - 1) + steps
            if not 0 <= magnitude <= form.greatest:
                continue
            other = formats.value_of(magnitude, form) * (-1 if sign else 1)
            if abs(other - y) < reach and abs(other) <= max(1, size) and side * (other - best) > 0:
                best = other
        return best


def frequencies(machine, base, d, order, log_side):
    """Of each pair, those that an order of operations may give."""
    rounded, pushed = machine.rounded, machine.pushed
    b = rounded(base)
    log = pushed(ln(b), 1, log_side)
    result = []
    for i in range(d // 2):
        ways = []
        for side in (-1, 1):
            if order == "1/pow":
                ways.append(rounded(1 / pushed(power(b, rounded(Fraction(2 * i, d))), 1, side)))
            elif order == "pow":
                ways.append(pushed(power(b, -rounded(Fraction(2 * i, d))), 1, side))
            elif order == "exp":
                ways.append(pushed(exp(-rounded(2 * i * rounded(log / d))), 1, side))
            else:
                ways.append(rounded(1 / pushed(exp(rounded(rounded(Fraction(2 * i, d)) * log)), 1, side)))
        result.append(ways)
    return result


ORDERS = ["1/pow", "pow", "exp", "1/exp"]


def scaled(machine, w, spec):
    """As transformers scales a frequency, each step rounded."""
    r = machine.rounded
    scaling = spec.get("rope_scaling")
    if not scaling:
        return w
    s = r(Fraction(scaling["factor"]))
    if scaling["rope_type"] == "linear":
        return r(w / s)
    n = scaling["original_max_position_embeddings"]
    low, high = scaling["low_freq_factor"], scaling["high_freq_factor"]
    wavelength = r(r(2 * PI) / w)
    if wavelength > Fraction(n, 1) / low:
        return r(w / s)
    if wavelength < Fraction(n, 1) / high:
        return w
    smooth = r(r(r(n / wavelength) - low) / (high - low))
    return r(r(r(r(1 - smooth) * w) / s) + r(smooth * w))


CASES = [("float32", "float32"), ("float32", "bfloat16"), ("float32", "float16"), ("float32", "float8_e4m3fn"), ("float64", "float64"),
         ("float64", "float32"), ("bfloat16", "bfloat16"), ("float16", "float16")]


class Honest:
    """The worst honest tensors of a drawn spec. tensors: of (role, values, shape)."""

    def __init__(self, draw, excess=0):
        """excess: ulps more than honest in every sine and cosine."""
        self.draw, self.tensors, self.inputs = draw, [], []
        self.contract, self.stored = draw.one(CASES)
        self.machine = Machine(formats.FORMATS[self.contract], (4 if self.contract == "float64" else 2) + excess)
        self.store = Machine(formats.FORMATS[self.stored], 0)
        self.is_wide = self.contract in ("float32", "float64")
        self.positions = self.drawn_positions(draw.one([64, 512, 4096] + ([65536, 1 << 20] if self.is_wide else [])))

    def drawn_positions(self, most):
        return sorted({0, 1, 2, *(self.draw.random.randrange(most) for _ in range(12)), most})

    def base(self):
        return self.draw.one([100, 10000] if self.contract == "float16" else [10000, 500000, 1000000, 100, 150000])  # float16 ends at 65504

    def add(self, role, values, width):
        """Stores it."""
        self.tensors.append((role, [self.store.rounded(x) for x in values], [len(values) // width, width] if width else [len(values)]))

    def side(self):
        return self.draw.one([-1, 1])

    def chosen(self, d, base, exact):
        """A frequency of each pair, of one order of operations: the farthest, the highest or the lowest."""
        taken, order = self.draw.one(["worst", "high", "low"]), self.draw.one(ORDERS)
        result = []
        for truth, ways in zip(exact, frequencies(self.machine, Fraction(base), d, order, self.side())):
            ways = [scaled(self.machine, w, self.spec) for w in ways]
            truth = near(truth)
            result.append(max(ways, key=lambda w: abs(w - truth)) if taken == "worst" else max(ways) if taken == "high" else min(ways))
        return result

    def turns(self, d, base):
        """Of each position and pair the turn of the rounded phase, and the true one."""
        exact = Rotation(d, Fraction(base), self.spec.get("rope_scaling")).frequencies
        chosen = self.chosen(d, base, exact)
        for p in self.positions:
            at = self.machine.rounded(Fraction(p))
            yield [(Turn(self.machine.rounded(at * w)), Turn(multiplied(truth, p))) for w, truth in zip(chosen, exact)]

    def waves(self, d, base):
        """Cosines and sines, each pushed to the side on which the phase has moved it."""
        def pushed(value, truth):
            return self.machine.pushed(value, self.machine.sine_ulps, 1 if near(value) >= near(truth) else -1)
        rows = list(self.turns(d, base))
        return [[[pushed(getattr(got, name), getattr(true, name)) for got, true in row] for row in rows] for name in ("cos", "sin")]

    # Schemes.

    def sinusoidal(self):
        d = 2 * self.draw.random.randint(2, 16)
        self.spec = {"scheme": "sinusoidal", "d_model": d, "base": self.draw.one([100, 10000])}
        cos, sin = self.waves(d, self.spec["base"])
        self.add("encoding", [x for cs, ss in zip(cos, sin) for pair in zip(ss, cs) for x in pair], d)

    def rope(self):
        d = 2 * self.draw.random.randint(2, 16)
        self.spec = {"scheme": "rope", "head_dim": d, "rope_theta": self.base()}
        if self.is_wide and self.draw.chance(0.5):
            self.spec["rope_scaling"] = self.draw.one([{"rope_type": "linear", "factor": self.draw.one([2, 3, 2.5])}, {
                "rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4,
                "original_max_position_embeddings": self.draw.one([256, 8192])}])
        cos, sin = self.waves(d, self.spec["rope_theta"])
        self.add("cos", [x for row in cos for x in row], d // 2)
        self.add("sin", [x for row in sin for x in row], d // 2)

    def rotated(self):
        """Vectors in the stored format; sines are pushed to the side on which the phase moves y0."""
        d, m = 2 * self.draw.random.randint(2, 8), self.machine
        self.spec = {"scheme": "rope", "head_dim": d, "rope_theta": self.base()}
        fuses, vectors, result = self.draw.chance(0.5), [], []
        for row in self.turns(d, self.spec["rope_theta"]):
            x = [self.store.rounded(Fraction(self.draw.random.gauss(0, 1))) for _ in range(d)]
            y = [None] * d
            for i, (got, true) in enumerate(row):
                u, v = x[i], x[i + d // 2]
                moved = u * (near(got.cos) - near(true.cos)) - v * (near(got.sin) - near(true.sin))
                side = 1 if moved >= 0 else -1
                c = m.pushed(got.cos, m.sine_ulps, side if u >= 0 else -side)
                s = m.pushed(got.sin, m.sine_ulps, -side if v >= 0 else side)
                y[i] = m.rounded((u * c if fuses else m.rounded(u * c)) - m.rounded(v * s))
                y[i + d // 2] = m.rounded((v * c if fuses else m.rounded(v * c)) + m.rounded(u * s))
            vectors += x
            result += y
        self.add("input", vectors, d)
        self.add("rotated", result, d)

    def xpos(self):
        """torchscale: ((2i + 0.4d)/(1.4d))^((p - centre)/B)."""
        d, m, length = 2 * self.draw.random.randint(2, 8), self.machine, self.draw.random.randint(2, 4000)
        self.spec = {"scheme": "xpos", "head_dim": d, "sequence_length": length, "rope_theta": self.base()}
        self.positions = self.drawn_positions(length)
        cos, sin = self.waves(d, self.spec["rope_theta"])
        r, side = m.rounded, self.side()
        zeta = [r(r(2 * i + r(Fraction(2 * d, 5))) / r(Fraction(7 * d, 5))) for i in range(d // 2)]
        scale = [[m.pushed(power(z, r(Fraction(p - (length + 1) // 2, 512))), 1, side) for z in zeta] for p in self.positions]
        for role, table, grows in (("cos", cos, True), ("sin", sin, True), ("cos_k", cos, False), ("sin_k", sin, False)):
            self.add(role, [r(x * s) if grows else r(x * r(1 / s)) for xs, ss in zip(table, scale) for x, s in zip(xs, ss)], d // 2)
        self.add("scale", [s for row in scale for s in row], d // 2)

    def alibi(self):
        """Powers of a rounded start, as the paper's code."""
        heads, m, side = self.draw.random.randint(1, 40), self.machine, self.side()
        self.spec = {"scheme": "alibi", "num_heads": heads}
        n = 1 << heads.bit_length() - 1

        def powers(count, exponents):
            start = m.pushed(power(2, Fraction(-8, count)), 1, side)
            return [m.pushed(power(start, k), 1, side) for k in exponents]
        self.add("slopes", powers(n, range(1, n + 1)) + powers(2 * n, range(1, 2 * (heads - n), 2)), 0)

    def kerple(self):
        heads, m = self.draw.random.randint(1, 4), self.machine
        b, a, p = ([self.draw.one([1, 0.5, 0.1, 2, 1.5]) for _ in range(heads)] for _ in range(3))
        self.spec = {"scheme": "kerple", "scale": b, "a": a, "p": p}
        values, side = [], self.side()
        for h in range(heads):
            for key in self.positions:
                d = m.rounded(Fraction(self.positions[-1] - key))
                size = m.pushed(power(d, m.rounded(Fraction(str(p[h])))), 1, side) if d else Fraction(0)
                log = m.pushed(ln(m.rounded(1 + m.rounded(m.rounded(Fraction(str(a[h]))) * size))), 1, side)
                values.append(-m.rounded(m.rounded(Fraction(str(b[h]))) * log))
        self.add("bias", values, len(self.positions))

    def query_scale(self):
        m, n, beta = self.machine, self.draw.one([3, 8192, 100]), Fraction(1, 10)
        self.spec = {"scheme": "query_scale", "floor_scale": n}
        self.add("scale", [m.rounded(1 + m.rounded(m.rounded(beta) * m.pushed(ln(1 + p // n), 1, self.side()))) for p in self.positions], 1)


SCHEMES = ["rope", "rope", "sinusoidal", "rotated", "xpos", "alibi", "kerple", "query_scale"]


def judged(library, draw, scheme=None, case=None, excess=0):
    """A made computation, the exit code and text of its verdict."""
    made = Honest(draw, excess)
    if case:
        made.contract, made.stored = case
        made.machine, made.store = Machine(formats.FORMATS[case[0]], 2 + excess), Machine(formats.FORMATS[case[1]], 0)
    scheme = scheme or draw.one(SCHEMES)
    while not made.is_wide and scheme not in ("rope", "sinusoidal", "rotated"):
        scheme = draw.one(SCHEMES)
    getattr(made, scheme)()
    form = formats.FORMATS[made.stored]
    tensors = [(role, [formats.nearest(x, form) for x in values], shape, form) for role, values, shape in made.tensors]
    made.scheme, made.elements = scheme, sum(len(values) for role, values, _ in made.tensors if role != "input")
    return made, *library.judge(made.spec, tensors, made.positions, made.contract)
