"""Real numbers as expressions that are enclosed by integers to any precision asked for.

A number is a Fraction, which is exact, or a Real. `Real.at(bits)` is a pair (m, r) of integers: the number lies within r units of
2^-bits of m 2^-bits. Series are summed with GUARD bits more than are asked for: they have fewer than 2^10 terms, each off by less
than four units of the last place, so that what is cut off at the end is the larger part of their error, SLACK units."""

from fractions import Fraction
from functools import lru_cache
from math import isqrt

GUARD, SLACK = 24, 2
MOST_BITS = 1 << 14


class Undecided(ArithmeticError):
    """No precision up to the cap decides."""


class TooCoarse(ArithmeticError):
    """The enclosure of a divisor or of a logarithm's argument holds zero: more bits are needed."""


class Real:
    """A node of an expression. `rule` maps bits to (m, r)."""

    __slots__ = ("rule", "known")

    def __init__(self, rule):
        self.rule, self.known = rule, {}

    def at(self, bits):
        if bits not in self.known:
            self.known[bits] = self.rule(bits)
        return self.known[bits]

    def __add__(self, other):
        return added(self, other)

    def __sub__(self, other):
        return added(self, -number(other))

    def __rsub__(self, other):
        return added(number(other), -self)

    def __neg__(self):
        return multiplied(self, Fraction(-1))

    def __abs__(self):
        return self if sign(self) > 0 else -self

    def __mul__(self, other):
        return multiplied(self, other)

    def __truediv__(self, other):
        other = number(other)
        return multiplied(self, inverse(other) if isinstance(other, Real) else 1 / other)

    def __rtruediv__(self, other):
        return multiplied(number(other), inverse(self))

    __radd__, __rmul__ = __add__, __mul__


class PiMultiple(Real):
    """A rational multiple of pi, which stays one in sums, and in products with rational numbers."""

    __slots__ = ("factor",)

    def __init__(self, factor):
        self.factor = factor
        super().__init__(lambda bits: product_of(enclosed(factor, bits), (pi_at(bits), SLACK), bits))


def number(x):
    return x if isinstance(x, (Real, Fraction)) else Fraction(x)


def enclosed(x, bits):
    if isinstance(x, Real):
        return x.at(bits)
    x = number(x)
    m, rest = divmod(x.numerator << bits, x.denominator)
    return m, int(rest != 0)


def product_of(a, b, bits):
    (m, r), (n, s) = a, b
    return m * n >> bits, ((abs(m) + r) * s + abs(n) * r >> bits) + 2


def added(a, b):
    a, b = number(a), number(b)
    if isinstance(a, PiMultiple) and isinstance(b, PiMultiple):
        return pi_times(a.factor + b.factor)
    if not isinstance(a, Real) and not isinstance(b, Real):
        return a + b
    if a == 0 or b == 0:
        return b if a == 0 else a

    def rule(bits):
        (m, r), (n, s) = enclosed(a, bits), enclosed(b, bits)
        return m + n, r + s
    return Real(rule)


def multiplied(a, b):
    a, b = number(a), number(b)
    if not isinstance(a, Real) and not isinstance(b, Real):
        return a * b
    if a == 0 or b == 0:
        return Fraction(0)
    for one, other in ((a, b), (b, a)):
        if one == 1:
            return other
        if isinstance(one, PiMultiple) and not isinstance(other, Real):
            return pi_times(one.factor * other)
    return Real(lambda bits: product_of(enclosed(a, bits), enclosed(b, bits), bits))


def inverse(x):
    def rule(bits):
        m, r = x.at(bits)
        if abs(m) <= r:
            raise TooCoarse
        n = (1 << 2 * bits) // m
        return n, (abs(n) * r) // (abs(m) - r) + 2
    return Real(rule)


# Series of integers: x stands for x 2^-bits.

def arc_series(n, d, sign, bits):
    """y + sign y^3/3 + y^5/5 + ... of y = n/d, |y| <= 1/3: atanh of it where sign is 1, atan where it is -1."""
    power, total, k, s = (n << bits) // d, 0, 1, 1
    while power not in (0, -1):
        total += s * (power // k)
        power, k, s = power * n * n // (d * d), k + 2, s * sign
    return total


@lru_cache(None)
def pi_at(bits):
    """pi by Machin's formula."""
    fine = bits + GUARD
    return 4 * (4 * arc_series(1, 5, -1, fine) - arc_series(1, 239, -1, fine)) >> GUARD


@lru_cache(None)
def ln2_at(bits):
    return 2 * arc_series(1, 3, 1, bits + GUARD) >> GUARD


def exponential(x, bits):
    """e^x = 2^k (e^(y/2^8))^(2^8), y = x - k ln 2. The squarings multiply the error of the series by 2^8."""
    halvings, more = 8, max(x.bit_length() - bits, 0)
    fine = bits + GUARD + halvings + 4
    k = (x << more + GUARD) // ln2_at(bits + more + GUARD)
    fine += max(k, 0)
    y = ((x << fine - bits + more) - k * ln2_at(fine + more)) >> more + halvings
    term = total = 1 << fine
    n = 1
    while term not in (0, -1):
        term = (term * y >> fine) // n
        total += term
        n += 1
    for _ in range(halvings):
        total = total * total >> fine
    shift = fine - bits - k
    return total >> shift if shift >= 0 else total << -shift


def logarithm(m, bits):
    """ln of m 2^-bits > 0: e ln 2 + 2 atanh((f - 1)/(f + 1)), with f = m 2^-bits-e from 2/3 to 4/3."""
    e = m.bit_length() - bits
    if 3 * m < 2 << m.bit_length():
        e -= 1
    fine = bits + GUARD
    one = 1 << max(bits + e, 0)
    m <<= max(-bits - e, 0)
    y = ((m - one) << fine) // (m + one)
    square, power, total, k = y * y >> fine, y, 0, 1
    while power not in (0, -1):
        total += power // k
        power, k = power * square >> fine, k + 2
    return 2 * total + e * ln2_at(fine) >> GUARD


def cosine_sine(x, bits):
    """Of x 2^-bits, by the octant that it lies in."""
    fine = bits + GUARD
    more = max(x.bit_length() - bits, 0) + 2
    quarter = pi_at(fine + more) >> 1
    x <<= fine + more - bits
    q = (2 * x + quarter) // (2 * quarter)
    y = x - q * quarter >> more
    square = y * y >> fine
    c, term, n = 1 << fine, 1 << fine, 0
    while term not in (0, -1):
        n += 2
        term = -(term * square >> fine) // (n * (n - 1))
        c += term
    s, term, n = y, y, 1
    while term not in (0, -1):
        n += 2
        term = -(term * square >> fine) // (n * (n - 1))
        s += term
    c, s = c >> GUARD, s >> GUARD
    return ((c, s), (-s, c), (-c, -s), (s, -c))[q % 4]


# Functions of numbers.

def pi_times(factor):
    factor = Fraction(factor)
    return PiMultiple(factor) if factor else Fraction(0)


PI = pi_times(1)


def exp(x):
    x = number(x)
    if x == 0:
        return Fraction(1)

    def rule(bits):
        m, r = enclosed(x, bits)
        if r >> bits - 1:
            raise TooCoarse
        y = exponential(m, bits)
        return y, (2 * y * r >> bits) + SLACK + 2 * r + 1
    return Real(rule)


def ln(x):
    x = number(x)
    if x == 1:
        return Fraction(0)

    def rule(bits):
        m, r = enclosed(x, bits)
        if m <= r:
            raise TooCoarse
        return logarithm(m, bits), (r << bits) // (m - r) + SLACK + 1
    return Real(rule)


def log2(x):
    """Exact of a power of two."""
    x = number(x)
    if isinstance(x, Fraction):
        n, d = x.numerator, x.denominator
        if n & n - 1 == 0 and d & d - 1 == 0:
            return Fraction(n.bit_length() - d.bit_length())
    return ln(x) / ln(2)


def nearest_root(n, k):
    """The integer whose k-th power is n, or None."""
    low, high = 0, 1 << n.bit_length() // k + 1
    while low < high:
        middle = low + high + 1 >> 1
        low, high = (middle, high) if middle ** k <= n else (low, middle - 1)
    return low if low ** k == n else None


def power(base, exponent, log=None):
    """base^exponent of a base > 0, exact where it is rational. log: of the base, where it is there."""
    base, exponent = number(base), number(exponent)
    if isinstance(base, Fraction) and isinstance(exponent, Fraction):
        k = exponent.denominator
        if k <= 256 and abs(exponent.numerator) <= 4096:
            roots = nearest_root(base.numerator, k), nearest_root(base.denominator, k)
            if None not in roots:
                return Fraction(*roots) ** exponent.numerator
    return exp(multiplied(exponent, log if log is not None else ln(base)))


def root(x):
    """The square root of a number >= 0."""
    x = number(x)
    if isinstance(x, Fraction):
        roots = nearest_root(x.numerator, 2), nearest_root(x.denominator, 2)
        if None not in roots:
            return Fraction(*roots)

    def rule(bits):
        m, r = enclosed(x, bits)
        if m <= r:
            raise TooCoarse
        y = isqrt(m << bits)
        return y, (r << bits) // isqrt((m - r) << bits) + 2
    return Real(rule)


def arctangent(x):
    """atan x, by halving the angle three times: atan x = 2 atan(x/(1 + sqrt(1 + x^2)))."""
    x = number(x)
    if x == 0:
        return Fraction(0)
    for _ in range(3):
        x = x / (1 + root(1 + x * x))

    def rule(bits):
        m, r = enclosed(x, bits)
        fine = bits + GUARD
        return 8 * (arc_series(m, 1 << bits, -1, fine) >> GUARD), 8 * (r + SLACK)
    return Real(rule)


class Turn:
    """The cosine and the sine of a phase, which share their series."""

    EXACT = {0: (1, 0), 2: (Fraction(1, 2), None), 3: (0, 1), 4: (Fraction(-1, 2), None), 6: (-1, 0), 8: (Fraction(-1, 2), None),
             9: (0, -1), 10: (Fraction(1, 2), None), 1: (None, Fraction(1, 2)), 5: (None, Fraction(1, 2)), 7: (None, Fraction(-1, 2)),
             11: (None, Fraction(-1, 2))}  # by Niven's theorem, at twelfths of a turn

    def __init__(self, phase):
        phase, exact = number(phase), (None, None)
        if phase == 0:
            exact = 1, 0
        elif isinstance(phase, PiMultiple):
            phase = pi_times(phase.factor % 2)
            sixths = 6 * phase.factor if phase != 0 else 0
            exact = self.EXACT.get(sixths, exact)
        known = {}

        def both(bits):
            if bits not in known:
                m, r = enclosed(phase, bits)
                known[bits] = *cosine_sine(m, bits), r + SLACK + 1
            return known[bits]
        self.cos, self.sin = (
            Fraction(value) if value is not None else Real(rule) for value, rule in
            zip(exact, (lambda bits: both(bits)[::2], lambda bits: both(bits)[1:])))


def cos(phase):
    return Turn(phase).cos


def sin(phase):
    return Turn(phase).sin


def decide(question, *numbers, first=128):
    """question(enclosures, bits), at more and more bits until it is not None."""
    bits = first
    while bits <= MOST_BITS:
        try:
            answer = question([enclosed(x, bits) for x in numbers], bits)
            if answer is not None:
                return answer
        except TooCoarse:
            pass
        bits *= 2
    raise Undecided


def sign(x):
    x = number(x)
    if isinstance(x, Fraction):
        return (x > 0) - (x < 0)
    return decide(lambda e, bits: None if abs(e[0][0]) <= e[0][1] else 1 if e[0][0] > 0 else -1, x)


def floor(x):
    x = number(x)
    if isinstance(x, Fraction):
        return x.numerator // x.denominator

    def question(e, bits):
        low, high = e[0][0] - e[0][1] >> bits, e[0][0] + e[0][1] >> bits
        return low if low == high else None
    return decide(question, x)


def ceiling(x):
    return -floor(-number(x))


def larger(a, b):
    return a if sign(number(a) - number(b)) > 0 else b


def smaller(a, b):
    return b if sign(number(a) - number(b)) > 0 else a
