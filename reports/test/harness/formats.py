"""Number formats, and the number of each that is nearest to an enclosed number."""

from collections import namedtuple
from fractions import Fraction

import reals

# precision, least exponent of normal numbers, width, the greatest number's pattern, DLPack's type code.
Format = namedtuple("Format", "name precision emin width greatest code")
FORMATS = {one.name: one for one in [
    Format("float64", 53, -1022, 64, 0x7FEFFFFFFFFFFFFF, 2), Format("float32", 24, -126, 32, 0x7F7FFFFF, 2),
    Format("float16", 11, -14, 16, 0x7BFF, 2), Format("bfloat16", 8, -126, 16, 0x7F7F, 4),
    Format("float8_e4m3fn", 4, -6, 8, 0x7E, 10), Format("float8_e5m2", 3, -14, 8, 0x7B, 12),
    Format("float8_e4m3fnuz", 4, -7, 8, 0x7F, 11), Format("float8_e5m2fnuz", 3, -15, 8, 0x7F, 13)]}

Wide = 1 << 70  # a pattern of no format: beyond the greatest number


def pattern_of(n, bits, form):
    """The pattern of the number nearest to n 2^-bits, n >= 0, ties to even; Wide where there is none."""
    if n == 0:
        return 0
    e = max(n.bit_length() - 1 - bits, form.emin)
    shift = e - form.precision + 1 + bits
    if shift > 0:
        q = n >> shift
        rest, half = n & (1 << shift) - 1, 1 << shift - 1
        q += rest > half or (rest == half and q & 1)
    else:
        q = n << -shift
    pattern = (e - form.emin << form.precision - 1) + q
    return pattern if pattern <= form.greatest else Wide


def signed(m, bits, form):
    pattern = pattern_of(abs(m), bits, form)
    return pattern | (1 << form.width - 1) if m < 0 and 0 < pattern < Wide else pattern


def nearest(x, form):
    """The pattern of the number of the format nearest to x; a zero has no sign. Wide beyond the greatest number."""
    if isinstance(x, Fraction):
        d = x.denominator
        if d & d - 1 == 0:
            return signed(x.numerator, d.bit_length() - 1, form)
        # Cut off with a bit that says that something is left: it lies on the same side of every tie.
        bits = 2400
        m, rest = divmod(abs(x.numerator) << bits, d)
        m = 2 * m + (rest != 0)
        return signed(-m if x < 0 else m, bits + 1, form)

    def question(enclosures, bits):
        (m, r), = enclosures
        low, high = signed(m - r, bits, form), signed(m + r, bits, form)
        return low if low == high else None
    return reals.decide(question, x)


def value_of(pattern, form):
    """The number that a pattern is, or None."""
    magnitude = pattern & (1 << form.width - 1) - 1
    if magnitude > form.greatest or (form.name.endswith("fnuz") and pattern == 0x80):
        return None
    biased = magnitude >> form.precision - 1
    m = magnitude & (1 << form.precision - 1) - 1
    m += 1 << form.precision - 1 if biased else 0
    x = Fraction(m) * Fraction(2) ** (max(biased, 1) - 1 + form.emin - form.precision + 1)
    return -x if pattern >> form.width - 1 else x
