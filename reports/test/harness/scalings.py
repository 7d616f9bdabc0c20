"""Frequencies of a rotation, by the papers' rules: b^(-2i/r), and what rope_scaling makes of them.

Sources: S. Chen et al. 2023 (linear), bloc97 2023 (ntk, dynamic, ntk_by_parts), Peng et al. 2023 (yarn), Ding et al. 2024 (longrope),
Llama 3.1 (llama3), Zhao et al. 2025 (riflex); the manual's table of rope_type for what differs by project."""

from fractions import Fraction

from reals import PI, Real, ceiling, floor, larger, ln, number, pi_times, power, root, sign, smaller


def rational(value):
    """A JSON number, or a text such as "1/7", "2pi", "-pi/33": what it says in decimals, exactly."""
    if isinstance(value, Fraction):
        return value
    if not isinstance(value, str):
        return Fraction(str(value))
    over, _, under = value.partition("/")
    factor = over.removesuffix("pi")
    exact = Fraction(factor + "1" if factor in ("", "-", "+") else factor) / Fraction(under or 1)
    return pi_times(exact) if over.endswith("pi") else exact


def geometric(base, count, divisor, log=None):
    """b^(-i/divisor), i = 0 ... count - 1."""
    log = ln(base) if base != 1 else Fraction(0)
    return [power(base, Fraction(-i) / divisor, log) for i in range(count)]


def between(first, last, count, kind):
    """Both bounds included, by even ratios or even steps."""
    first, last = rational(first), rational(last)
    if count == 1:
        return [first]
    shares = [Fraction(i, count - 1) for i in range(count)]
    if kind == "linear":
        return [first + (last - first) * share for share in shares]
    ratio = last.factor / first.factor if hasattr(last, "factor") else last / first
    return [first * power(ratio, share) for share in shares]


class Rotation:
    """The frequency of each pair, and the amplitude of their cosines and sines."""

    def __init__(self, r, base, scaling=None, length=None, trained=None, live=None):
        """r: rotating dimensions; length: of the sequence; trained: where the scaling says none; live: pairs that turn."""
        self.r, self.base, self.scaling = r, base, scaling or {"rope_type": "default"}
        self.amplitude = Fraction(1)
        self.n = r // 2
        self.length = length
        self.live = self.n if live is None else live
        kind = self.scaling["rope_type"]
        self.trained = self.scaling.get("original_max_position_embeddings", trained)
        self.s = rational(self.scaling.get("factor", 1))
        self.frequencies = self.plain(base)
        getattr(self, "by_" + kind)()

    def plain(self, base):
        return geometric(base, self.n, Fraction(self.r, 2))

    def key(self, name, default=None):
        value = self.scaling.get(name)
        return default if value is None else rational(value)

    def divide(self, divisors):
        self.frequencies = [w / d for w, d in zip(self.frequencies, divisors)]

    def stretch(self, alpha):
        """b alpha^(r/(r - 2)): the first pair stays, the last is divided by alpha."""
        if self.n > 1 and alpha != 1:
            ratio = Fraction(1, self.n - 1)
            log = ln(alpha)
            self.frequencies = [w * power(alpha, -i * ratio, log) for i, w in enumerate(self.frequencies)]

    def by_default(self):
        pass

    def by_linear(self):
        self.divide([self.s] * self.n)

    def by_proportional(self):
        self.frequencies = [w / self.s if i < self.live else Fraction(0) for i, w in enumerate(self.frequencies)]

    def by_ntk(self):
        self.stretch(self.key("alpha"))

    def by_ntk_mixed(self):
        b = self.key("mixed_b", Fraction(1))
        if self.s != 1:
            log = ln(self.s)
            self.divide([power(self.s, power(Fraction(i + 1, self.n), b), log) for i in range(self.n)])

    def by_dynamic(self):
        """transformers, _compute_dynamic_ntk_parameters: s L/n - (s - 1), L at least n."""
        length = max(self.length or self.trained, self.trained)
        self.stretch(self.s * length / self.trained - (self.s - 1))

    def by_dynamic_qwen(self):
        """Qwen-7B, modeling_qwen.py, get_ntk_alpha: 2^ceil(log2(L/n) + 1) - 1, at least 1."""
        exponent, ratio = 0, Fraction(self.length or self.trained, self.trained)
        while Fraction(2) ** (exponent - 1) < ratio:
            exponent += 1
        while exponent > 0 and Fraction(2) ** (exponent - 2) >= ratio:
            exponent -= 1
        self.stretch(Fraction(max(2 ** max(exponent, 0) - 1, 1)))

    def by_riflex(self):
        self.frequencies[self.scaling["pair"]] = pi_times(Fraction(9, 5) / self.scaling["length"])

    def by_llama3(self):
        """Llama 3.1: by turns within n, n w/(2 pi)."""
        low, high = self.key("low_freq_factor"), self.key("high_freq_factor")

        def scaled(w):
            turns = w * self.trained / (2 * PI)
            if sign(turns - low) < 0:
                return w / self.s
            if sign(turns - high) > 0:
                return w
            smooth = (turns - low) / (high - low)
            return (1 - smooth) * w / self.s + smooth * w
        self.frequencies = [scaled(w) for w in self.frequencies]

    def by_longrope(self):
        is_long = (self.length or self.trained) > self.trained
        self.divide(list(map(rational, self.scaling["long_factor" if is_long else "short_factor"])))
        given = self.key("attention_factor") or self.key("long_mscale" if is_long else "short_mscale")
        if given is not None:
            self.amplitude = given
        elif self.s > 1:
            self.amplitude = root(1 + ln(self.s) / ln(self.trained))

    def correction(self, turns):
        """The pair, a real number, that turns so often within n: r ln(n/(2 pi turns))/(2 ln b)."""
        return self.r * ln(self.trained / (2 * PI * turns)) / (2 * ln(self.base))

    def by_yarn(self):
        """transformers, _compute_yarn_parameters, and jquesnelle/yarn."""
        shares = self.kept(self.key("beta_fast", Fraction(32)), self.key("beta_slow", Fraction(1)), self.scaling.get("truncate", True),
                           self.n - 1 if self.scaling.get("clamp") == "pairs" else self.r - 1)
        extrapolation = self.key("extrapolation_factor", Fraction(1))
        self.frequencies = self.mixed(self.frequencies, [w / self.s for w in self.frequencies], [share * extrapolation for share in shares])
        top, under = self.key("mscale"), self.key("mscale_all_dim")

        def m(k):
            return 1 + k / 10 * ln(self.s)
        if self.key("attention_factor") is not None:
            self.amplitude = self.key("attention_factor")
        elif top and under:
            self.amplitude = m(top) / m(under) if self.s > 1 and top != under else Fraction(1)
        else:
            self.amplitude = m(Fraction(1))

    def by_ntk_by_parts(self):
        """bloc97 2023, LlamaPartNTKScaledRotaryEmbedding: linear, then the stretched base, then the plain frequencies."""
        plain, linear = self.frequencies, [w / self.s for w in self.frequencies]
        self.by_linear()
        if self.n > 1:
            self.frequencies = plain
            self.stretch(self.s)
        stretched = self.frequencies
        self.frequencies = self.mixed(stretched, linear, self.kept(Fraction(5, 4), Fraction(3, 4), True, self.r - 1))
        self.frequencies = self.mixed(plain, self.frequencies, self.kept(Fraction(16), Fraction(2), True, self.r - 1))

    @staticmethod
    def mixed(some, others, shares):
        return [b * (1 - share) + a * share for a, b, share in zip(some, others, shares)]

    def kept(self, fast, slow, truncate, most):
        """The share of each pair that is not divided: the ramp between the pairs that turn so often within n."""
        low, high = self.correction(fast), self.correction(slow)
        if truncate:
            low, high = number(floor(low)), number(ceiling(high))
        low, high = larger(low, Fraction(0)), smaller(high, Fraction(most))
        if not isinstance(low, Real) and not isinstance(high, Real) and low == high:
            high = high + Fraction(1, 1000)


        def ramp(i):
            if i in (low, high):
                return Fraction(int(i == high))
            return larger(Fraction(0), smaller(Fraction(1), (i - low) / (high - low)))
        return [1 - ramp(i) for i in range(self.n)]
