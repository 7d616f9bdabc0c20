"""Tables without turns: indices, buckets, slopes, biases, scales, shares and resampled rows.

A definition maps a spec to {role: function of positions and shape}. Sources: Raffel et al. 2020, He et al. 2021, Press et al. 2022,
Shaw et al. 2018, Chi et al. 2022 and 2023, the projects that the manual's page of specs names."""

from fractions import Fraction

from formats import FORMATS, nearest, value_of
from reals import cos, enclosed, exp, floor, ln, log2, multiplied, number, power
from scalings import geometric, rational


def column_rows(row, role="encoding"):
    return {role: lambda positions, shape: [number(x) for p in positions for x in row(p)]}


def one_row(rule, role="buckets"):
    return {role: lambda positions, shape: [rule(p) for p in positions]}


# Of the position itself.

def integer_index(spec):
    return column_rows(lambda p: [p + spec.get("first_index", 0)])


def normalised(spec):
    length = spec["length"]
    share = {"zero_to_one": lambda p: Fraction(p, length - 1) if length > 1 else Fraction(0), "zero_to_below_one": lambda p: Fraction(p, length),
             "above_zero_to_one": lambda p: Fraction(p + 1, length)}[spec.get("reading", "zero_to_one")]
    return column_rows(lambda p: [share(p)])


def binary(spec):
    order = range(spec["bits"])
    if spec.get("bit_order", "most_significant_first") == "most_significant_first":
        order = order[::-1]
    return column_rows(lambda p: [p >> k & 1 for k in order])


def learned(spec):
    values = [[rational(x) for x in row] for row in spec["values"]]
    return column_rows(lambda p: values[p])


def one_hot(spec):
    return column_rows(lambda p: [int(p == k) for k in range(spec["num_positions"])])


def none(spec):
    return column_rows(lambda p: [0] * spec["d_model"])


def query_scale(spec):
    rule, beta = spec.get("rule", "floor_log"), rational(spec.get("beta") or Fraction(1, 10))
    o = spec.get("position_offset")
    o = (0 if rule == "floor_log" else 1) if o is None else o

    def row(p):
        if rule == "floor_log":
            return [1 + beta * ln(1 + (p + o) // spec["floor_scale"])]
        n = spec["training_length"]
        if p + o <= n:
            return [Fraction(1)]
        return [ln(p + o) / ln(n) if rule == "log_n" else 1 + beta * ln(Fraction(p + o, n))]
    return column_rows(row, "scale")


# Buckets: relative positions are key minus query, of DeBERTa query minus key.

def log_ratio(base, x, k):
    """log(x)/log(base) k, rounded down and up: near an integer, by powers of rational numbers, which decide."""
    m, r = enclosed(ln(x) * k / ln(base), 128)
    if m - r >> 128 == m + r >> 128 and m - r > m - r >> 128 << 128:
        return (m >> 128), (m >> 128) + 1
    near = m + (1 << 127) >> 128
    left, right = Fraction(base) ** near, Fraction(x) ** k
    return near - (left > right), near + (left < right)


def t5_bucket(spec):
    both, count, most = spec.get("bidirectional", True), spec.get("num_buckets", 32), spec.get("max_distance", 128)
    half = count // 2 if both else count
    exact = half // 2

    def rule(p):
        first, n = (half if p > 0 else 0, abs(p)) if both else (0, max(-p, 0))
        if n < exact:
            return first + n
        return first + min(exact + log_ratio(Fraction(most, exact), Fraction(n, exact), half - exact)[0], half - 1)
    return one_row(rule)


def deberta_bucket(spec):
    size, most, clamps = spec.get("bucket_size", 256), spec.get("max_position", 512), spec.get("clamp", False)
    middle = size // 2

    def rule(p):
        distance = min(abs(p), most - 1) if clamps else abs(p)
        if distance <= middle:
            return max(-distance, min(distance, p))
        bucket = middle + log_ratio(Fraction(most - 1, middle), Fraction(distance, middle), middle - 1)[1]
        return bucket if p > 0 else -bucket
    return one_row(rule)


def deberta_span(spec):
    k = spec.get("max_relative_positions", 512)
    return one_row(lambda p: max(0, min(p + k, 2 * k - 1)))


def shaw(spec):
    most = spec.get("max_relative_position")
    left, right = (most, most) if most is not None else (spec["left"], spec["right"])
    return one_row(lambda p: max(-left, min(p, right)) + left)


def alphafold_bin(spec):
    """Abramson et al. 2024, algorithm 3; along a cyclic chain the short way, as Boltz rounds p/period: ties to even."""
    r, period = spec.get("r_max", 32), spec.get("period")

    def rule(p):
        if spec.get("chain", "same") == "other":
            return 2 * r + 1
        if period is not None:
            p -= period * round(Fraction(p, period))
        return max(0, min(p + r, 2 * r))
    return one_row(rule)


def time_bucket(spec):
    c, most = rational(spec.get("divisor", Fraction(301, 1000))), spec.get("num_buckets", 128)
    return one_row(lambda p: min(floor(ln(max(abs(p), 1)) / c), most))


def window_index(spec):
    window, has_class = spec["window"], spec.get("class_token", False)
    count = 1
    for side in window:
        count *= side
    rows = 1
    for side in window:
        rows *= 2 * side - 1

    def place(t):
        result = []
        for side in reversed(window):
            t, x = divmod(t, side)
            result.insert(0, x)
        return result

    def entry(q, k):
        if has_class:
            if q == 0 or k == 0:
                return rows + (2 if q == k else 0 if q == 0 else 1)
            q, k = q - 1, k - 1
        index = 0
        for a, b, side in zip(place(q), place(k), window):
            index = index * (2 * side - 1) + a - b + side - 1
        return index
    return column_rows(lambda q: [entry(q, k) for k in range(count + has_class)], "index")


def log_coordinates(spec):
    window = spec["window"]
    trained = spec.get("pretrained_window") or window
    columns = 2 * window[1] - 1

    def scaled(d, n):
        return (1 if d > 0 else -1) * log2(1 + Fraction(8 * abs(d), n - 1)) / 3 if d else Fraction(0)

    def row(p):
        down, across = divmod(p, columns)
        return [scaled(down - window[0] + 1, trained[0]), scaled(across - window[1] + 1, trained[1])]
    return column_rows(row, "coordinates")


# Of heads.

def alibi_slopes(heads, most=Fraction(8)):
    """2^(-m (h + 1)/n) of the first n heads, n a power of two; then every second one of those of 2n."""
    n = 1 << heads.bit_length() - 1
    return [power(2, -most * Fraction(h + 1, n) if h < n else -most * Fraction(2 * (h - n) + 1, 2 * n)) for h in range(heads)]


def biases(of_head, heads):
    """[heads, keys] or [heads, queries, keys], of the positions of a key, of the query and of the last key; queries are the last ones."""
    return lambda positions, shape: [number(of_head(h, p, query, positions[-1])) for h in range(heads)
                                     for query in positions[-shape[1] if len(shape) == 3 else -1:] for p in positions]


def alibi(spec):
    slopes = alibi_slopes(spec["num_heads"], rational(spec.get("max_bias", 8)))
    factor = {"key_position": lambda k, q, last: k, "distance_to_last": lambda k, q, last: k - last, "distance": lambda k, q, last: -abs(k - q)}[
        spec.get("bias", "key_position")]
    return {"slopes": lambda positions, shape: slopes, "bias": biases(lambda h, *at: multiplied(slopes[h], factor(*at)), len(slopes))}


def kerple(spec):
    b = [rational(x) for x in spec["scale"]]
    a, p = ([rational(x) for x in spec.get(key) or [1] * len(b)] for key in ("a", "p"))

    def bias(h, k, q, _):
        if k == q:
            return 0
        size = power(abs(k - q), p[h])
        return -b[h] * (size if spec.get("kind", "log") == "power" else ln(1 + a[h] * size))
    return {"bias": biases(bias, len(b))}


def sandwich(spec):
    heads, d = spec["num_heads"], spec["head_dim"]
    frequencies = geometric(rational(spec.get("base", 10000)), d // 2 + 1, Fraction(d, 2))[1:]
    sums = {}

    def bias(h, k, q, _):
        distance = abs(k - q)
        if distance not in sums:
            sums[distance] = sum((cos(multiplied(w, distance)) for w in frequencies), Fraction(-(d // 2)))
        return sums[distance] * Fraction(heads, 8 * (h + 1))
    return {"bias": biases(bias, heads)}


def decay(spec):
    """Sun et al. 2023, MiniMax 2025 and Qin et al. 2023: as formulas of real numbers."""
    rule, heads = spec.get("rule", "retnet"), spec["num_heads"]
    how = spec.get("as") or ("logarithm" if rule == "retnet" else "rate")
    if rule == "retnet":
        factors = [1 - Fraction(1, 2 ** (5 + h)) for h in range(heads)]
        values = {"factor": lambda: factors, "logarithm": lambda: [ln(x) for x in factors], "rate": lambda: [-ln(x) for x in factors]}[how]()
        return {"slopes": lambda positions, shape: values}
    layer, layers, tiny = spec["layer"], spec["num_layers"], Fraction(1, 100000)
    if rule == "transnormer":
        rates = [Fraction(8 * h, heads) * (1 - Fraction(layer, layers)) for h in range(heads)]
    elif spec.get("variant", "original") == "original":
        of_layer = 1 - Fraction(layer, layers - 1) + tiny if layers > 1 else 1 + tiny
        rates = [slope * of_layer for slope in alibi_slopes(heads)]
    else:
        of_layer = 1 - layer / (layers - 1 + tiny) + tiny
        rates = [power(2, Fraction(-8 * (h + 1), heads)) * of_layer for h in range(heads)]
    values = {"rate": lambda x: x, "logarithm": lambda x: -x, "factor": lambda x: exp(-x)}[how]
    return {"slopes": lambda positions, shape: [values(x) for x in rates]}


# Resampled tables.

def keys_kernel(x, a):
    """Keys 1981."""
    x = abs(x)
    if x <= 1:
        return (a + 2) * x ** 3 - (a + 3) * x ** 2 + 1
    return a * (x ** 3 - 5 * x ** 2 + 8 * x - 4) if x < 2 else Fraction(0)


def axis_weights(spec, axis):
    """Of each new place, {old place: weight}."""
    n, m = spec["from"][axis], spec["to"][axis]
    factor, widens = spec.get("scale_factor"), spec.get("antialias", False)
    is_cubic = spec.get("mode", "bilinear") == "bicubic"
    a = rational(spec["a"]) if spec.get("a") is not None else Fraction(-1, 2) if widens else Fraction(-3, 4)
    step = 1 / rational(factor[axis]) if factor else Fraction(n, m)
    width = max(step, 1) if widens else 1
    repeats = not widens and spec.get("border", "repeated") == "repeated"
    form = FORMATS.get(spec.get("weights_dtype") or "none")
    result = []
    for i in range(m):
        if spec.get("align_corners", False):
            x = Fraction(i * (n - 1), m - 1) if m > 1 else Fraction(0)
        else:
            x = (i + Fraction(1, 2)) * step - Fraction(1, 2)
        if repeats and not is_cubic:
            x = max(x, Fraction(0))
        reach = (2 if is_cubic else 1) * width
        weights = {}
        for j in range(floor(x - reach), floor(x + reach) + 2):
            y = Fraction(x - j) / width
            weight = keys_kernel(y, a) if is_cubic else max(1 - abs(y), Fraction(0))
            at = max(0, min(j, n - 1)) if repeats else j
            if weight and 0 <= at < n:
                weights[at] = weights.get(at, []) + [weight]
        if not repeats:
            total = sum(w for ws in weights.values() for w in ws)
            weights = {j: [w / total for w in ws] for j, ws in weights.items()}
        if form:
            weights = {j: [value_of(nearest(w, form), form) for w in ws] for j, ws in weights.items()}
        result.append({j: sum(ws) for j, ws in weights.items()})
    return result


def resampled(spec):
    axes = [axis_weights(spec, axis) for axis in range(len(spec["from"]))]
    values = spec.get("values")
    values = values and [[rational(x) for x in row] for row in values]
    places = 1
    for n in spec["from"]:
        places *= n

    def row(p):
        weights = {0: Fraction(1)}
        index = []
        for m in reversed(spec["to"]):
            p, i = divmod(p, m)
            index.insert(0, i)
        for of_axis, i, n in zip(axes, index, spec["from"]):
            weights = {at * n + j: w * v for at, w in weights.items() for j, v in of_axis[i].items()}
        if not values:
            return [weights.get(j, 0) for j in range(places)]
        return [sum(w * values[j][c] for j, w in weights.items()) for c in range(len(values[0]))]
    return column_rows(row, "resampled")


DEFINITIONS = {one.__name__: one for one in (
    integer_index, normalised, binary, learned, one_hot, none, query_scale, t5_bucket, deberta_bucket, deberta_span, shaw, alphafold_bin,
    time_bucket, window_index, log_coordinates, alibi, kerple, sandwich, decay, resampled)}
