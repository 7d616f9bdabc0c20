"""Computations that are rounded as badly as a contract lets honest ones be, and must never be refused.

Sums, products and quotients round to nearest. A function returns what is farthest from the truth among the numbers that it may: a
logarithm, an exponential and a power one of the two beside the true value, a sine and a cosine what is within two units of the last
place, four in float64. Each is pushed to the side on which the errors before it lie."""

from fractions import Fraction

import formats
from reals import PI, Turn, enclosed, exp, floor, ln, multiplied, number, power
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


def scaled(machine, w, spec, i):
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


def drawn_case(draw):
    """A spec, the contract with its format, and the format that is stored."""
    one = draw.one
    contract, stored = one([("float32", "float32"), ("float32", "bfloat16"), ("float32", "float16"), ("float32", "float8_e4m3fn"),
                            ("float64", "float64"), ("float64", "float32"), ("bfloat16", "bfloat16"), ("float16", "float16")])
    if draw.chance(0.3):
        spec = {"scheme": "sinusoidal", "d_model": 2 * draw.random.randint(2, 16), "base": one([10000, 10000, 100, 20000])}
    else:
        spec = {"scheme": "rope", "head_dim": 2 * draw.random.randint(2, 16), "rope_theta": one([10000, 500000, 1000000, 100, 150000])}
        if contract == "float16":
            spec["rope_theta"] = one([100, 10000])  # float16 holds no number beyond 65504
        if contract in ("float32", "float64") and draw.chance(0.5):
            spec["rope_scaling"] = one([{"rope_type": "linear", "factor": one([2, 3, 2.5])}, {
                "rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": one([256, 8192])}])
    return spec, contract, stored


def tables_of(draw, spec, contract, stored, excess=0):
    """Positions and the worst honest tables at them. excess: ulps more than honest in every sine."""
    machine = Machine(formats.FORMATS[contract], (4 if contract == "float64" else 2) + excess)
    store = Machine(formats.FORMATS[stored], 0)
    d = spec.get("d_model") or spec["head_dim"]
    base = Fraction(spec.get("base") or spec["rope_theta"])
    most = draw.one([64, 512, 4096] + ([] if contract in ("float16", "bfloat16") else [65536, 1 << 20]))
    positions = sorted({0, 1, 2, *(draw.random.randrange(most) for _ in range(12)), most})
    exact = Rotation(d, base, spec.get("rope_scaling")).frequencies
    taken = draw.one(["worst", "high", "low"])
    ways = frequencies(machine, base, d, draw.one(ORDERS), draw.one([-1, 1]))
    chosen = []
    for i, of_pair in enumerate(ways):
        of_pair = [scaled(machine, w, spec, i) for w in of_pair]
        truth = near(exact[i])
        chosen.append({"worst": lambda: max(of_pair, key=lambda w: abs(w - truth)), "high": lambda: max(of_pair), "low": lambda: min(of_pair)}[taken]())
    cos, sin = [], []
    for p in positions:
        at = machine.rounded(Fraction(p))
        for w, truth in zip(chosen, exact):
            true = Turn(multiplied(truth, p))
            got = Turn(machine.rounded(at * w))
            for name, column in (("cos", cos), ("sin", sin)):
                value, wanted = getattr(got, name), near(getattr(true, name))
                side = 1 if near(value) >= wanted else -1
                column.append(store.rounded(machine.pushed(value, machine.sine_ulps, side)))
    return positions, cos, sin


def patterns(values, form):
    return [formats.nearest(x, form) for x in values]


def judged(library, draw, spec, contract, stored, excess=0):
    """The exit code and text of a verdict on the worst honest tables, and how many elements they have."""
    positions, cos, sin = tables_of(draw, spec, contract, stored, excess)
    form, n = formats.FORMATS[stored], len(cos) // len(positions)
    if spec["scheme"] == "sinusoidal":
        mixed = [x for pair in zip(sin, cos) for x in pair]
        tensors = [("encoding", patterns(mixed, form), [len(positions), 2 * n], form)]
    else:
        tensors = [("cos", patterns(cos, form), [len(positions), n], form), ("sin", patterns(sin, form), [len(positions), n], form)]
    code, text = library.judge(spec, tensors, positions, contract)
    return code, text, 2 * len(cos)
