"""Tables of sines and cosines: sinusoids along one axis or several, rotations, and their kin.

A definition maps a spec to {role: function of positions and shape}, which gives the elements row by row. Sources: Vaswani et al. 2017,
Su et al. 2021, Sun et al. 2022, Mildenhall et al. 2020 and the manual's page of specs."""

import math
from fractions import Fraction

from formats import FORMATS, nearest, value_of
from reals import PI, Turn, arctangent, ln, multiplied, power, root
from scalings import Rotation, between, geometric, rational


class Place:
    """x = scale p + offset of the integer p that counts units, and the factor of every frequency."""

    def __init__(self, spec, common=None):
        def key(name, default):
            value = spec.get(name)
            return rational(value if value is not None else (common or {}).get(name, default))
        self.unit = rational((common or spec).get("position_unit", 1))
        self.scale, self.offset = key("position_scale", 1), key("position_offset", 0)
        self.factor = key("frequency_scale", 1)

    def at(self, p):
        return self.scale * (p * self.unit) + self.offset

    def turns(self, p, frequencies):
        x = self.at(p)
        return [Turn(multiplied(w * self.factor, x)) for w in frequencies]


def digits(p, lengths):
    """Of the number of a token along a grid: the last axis is the quickest."""
    result = []
    for length in reversed(lengths):
        p, digit = divmod(p, length)
        result.append(digit)
    return [p, *reversed(result)]


def along_axes(p, grid, axes):
    """The positions of a token along axes: as they are given, or by its number."""
    return list(p) if isinstance(p, tuple) else digits(p, grid) if grid else [p] * axes


def zero_row(width):
    return [Fraction(0)] * width


class Sinusoid:
    """The columns of one axis."""

    def __init__(self, style, width, common=None):
        common = common or {}
        self.width = width
        frequency = style.get("frequency") or "paper"
        shift = style.get("downscale_freq_shift")
        fills_up = frequency == "tensor2tensor" or shift is not None
        self.is_lone = (style.get("odd_width") or ("zero" if fills_up else "lone")) == "lone"
        half = width // 2
        self.pairs = half + (width % 2 if self.is_lone else 0)
        base = rational(style.get("base") or common.get("base") or 10000)
        if frequency in ("geometric", "linear"):
            self.frequencies = between(style["first"], style["last"], self.pairs, frequency)
        elif frequency == "tensor2tensor" or shift is not None:
            self.frequencies = geometric(base, self.pairs, half - (rational(shift) if shift is not None else 1))
        else:
            self.frequencies = geometric(base, self.pairs, Fraction(width, 2))
        self.layout = style.get("layout") or common.get("layout") or "interleaved"
        self.order = (style.get("order") or common.get("order") or "sin_cos").split("_")
        self.place = Place(style, common)

    def turns(self, p):
        return self.place.turns(p, self.frequencies)

    def row(self, p):
        turns = self.turns(p)
        first, second = self.order
        whole = self.width - (self.width % 2 if not self.is_lone else 0)
        if self.layout == "interleaved":
            columns = [getattr(turn, name) for turn in turns for name in (first, second)][:whole]
        else:
            columns = [getattr(turn, first) for turn in turns] + [getattr(turn, second) for turn in turns[:whole // 2]]
        return columns + zero_row(self.width - whole)


def times(amplitude, row):
    return row if amplitude == 1 else [amplitude * x for x in row]


def rows(row):
    """A table, of the function that gives the row at a position."""
    return {"encoding": lambda positions, shape: [x for p in positions for x in row(p)]}


def sinusoidal(spec):
    if spec.get("axes"):
        return sinusoidal_with_axes(spec)
    one, scale = Sinusoid(spec, spec["d_model"]), rational(spec.get("scale", 1))
    padding = spec.get("padding_idx")
    return rows(lambda p: zero_row(one.width) if p * one.place.unit == padding else times(scale, one.row(p)))


def sinusoidal_with_axes(spec):
    axes = [Sinusoid(axis, axis["dims"], spec) for axis in spec["axes"]]
    order = spec.get("block_order") or range(len(axes))
    layout, scale, grid = spec.get("axes_layout", "per_axis"), rational(spec.get("scale", 1)), spec.get("grid")
    width = spec.get("d_model") or sum(axis.width for axis in axes)

    def row(p):
        if p in range(-spec.get("zero_prefix", 0), 0):
            return zero_row(width)
        along = along_axes(p, grid, len(axes))
        if layout == "per_axis":
            columns = [x for i in order for x in axes[i].row(along[i])]
        else:
            turns = [axes[i].turns(along[i]) for i in order]
            by_name = [[[getattr(turn, name) for turn in of_axis] for of_axis in turns] for name in (spec.get("order") or "sin_cos").split("_")]
            if layout == "across":
                columns = [x for of_name in by_name for of_axis in of_name for x in of_axis]
            else:
                columns = [of_axis[j] for j in range(len(turns[0])) for of_name in by_name for of_axis in of_name]
        return times(scale, columns[:width])
    return rows(row)


def doubled(values, width, layout):
    """Pairs as they are, or the columns of a head, by how pairs lie in it."""
    n = len(values)
    if width == n:
        return values
    return values * 2 if layout == "half" else [x for x in values for _ in range(2)]


def tables(turns, layout, amplitude=Fraction(1)):
    """cos and sin, of the function that gives the turns of a row."""
    def table(name):
        return lambda positions, shape: [x for p in positions for x in doubled(
            times(amplitude, [getattr(turn, name) for turn in turns(p)]), shape[-1], layout)]
    return {"cos": table("cos"), "sin": table("sin")}


def pair_axes(scaling, n):
    """The axis by whose position each pair turns: transformers of Qwen2-VL, Qwen3-VL and ERNIE 4.5 VL, vLLM's xdrope."""
    if scaling.get("pair_axes"):
        return scaling["pair_axes"]
    sections = scaling.get("mrope_section")
    if not sections:
        return [0] * n
    reading = scaling.get("mrope_reading", "huggingface")
    if reading == "ernie":
        height, width, _ = sections
        return [1 + i % 2 for i in range(height + width)] + [0] * (n - height - width)
    if scaling.get("mrope_interleaved"):
        return [i % 3 if i < 3 * sections[i % 3] else 0 for i in range(n)]
    return [axis for axis, size in enumerate(sections) for _ in range(size)]


def rotation_of(spec):
    """The rotation of a rope's spec."""
    scaling = spec.get("rope_scaling") or {}
    share = spec.get("partial_rotary_factor")
    rotating = spec.get("rotary_dim") or int(spec["head_dim"] * rational(share if share is not None else 1))
    trained, live = spec.get("max_position_embeddings"), None
    if scaling.get("rope_type") == "proportional":
        live = int(spec["head_dim"] * rational(share if share is not None else 1) / 2)
        rotating = spec["head_dim"]
    length = spec.get("sequence_length") or trained
    return Rotation(rotating, rational(spec.get("rope_theta", 10000)), scaling or None, length, trained, live)


def rope(spec):
    rotation, scaling = rotation_of(spec), spec.get("rope_scaling") or {}
    place, axes = Place(spec), pair_axes(scaling, rotation.n)

    def turns(p):
        if not isinstance(p, tuple):
            return place.turns(p, rotation.frequencies)
        return [place.turns(p[axis], [w])[0] for axis, w in zip(axes, rotation.frequencies)]
    return tables(turns, spec.get("layout", "half"), rotation.amplitude)


def axial_rope(spec):
    if spec.get("frequencies"):
        mixed = Mixed(spec)
        return tables(mixed.turns, spec.get("layout", "interleaved"))
    if spec.get("axes"):
        return axial_rope_with_axes(spec)
    reading, head, base = spec.get("reading", "pixtral"), spec["head_dim"], rational(spec.get("rope_theta", 10000))
    quarter = head // 4
    if reading == "pixtral":
        every = geometric(base, head // 2, Fraction(head, 2))
        of_row, of_column = every[0::2], every[1::2]
    else:
        of_row = of_column = geometric(base, quarter, Fraction(quarter))
    layout = spec.get("layout") or ("interleaved" if reading == "llama4_vision" else "half")

    def turns(p):
        row, column = divmod(p, spec["grid_width"])
        if reading == "llama4_vision":
            return [Turn(multiplied(w, x)) for x in (column + 1, row + 1) for w in of_row]
        return [Turn(multiplied(w, x)) for x, ws in ((row, of_row), (column, of_column)) for w in ws]
    return tables(turns, layout)


class Average:
    """The mean of the turns of a block of places, as FramePack and Helios pool their tables."""

    def __init__(self, turns):
        self.cos, self.sin = (sum((getattr(turn, name) for turn in turns), Fraction(0)) * Fraction(1, len(turns)) for name in ("cos", "sin"))


def axial_rope_with_axes(spec):
    base = rational(spec.get("rope_theta") or 10000)
    axes, amplitudes = [], []
    for axis in spec["axes"]:
        dims = axis["dims"]
        amplitude = Fraction(1)
        if axis.get("frequency") in ("geometric", "linear"):
            frequencies = between(axis["first"], axis["last"], dims // 2, axis["frequency"])
        else:
            own = rational(axis["rope_theta"]) if axis.get("rope_theta") else base
            rotation = Rotation(dims, own, axis.get("rope_scaling"))
            frequencies, amplitude = rotation.frequencies, rotation.amplitude
        axes.append((Place(axis, spec), frequencies))
        amplitudes.append(amplitude)
    grid, pool = spec.get("grid"), spec.get("pool")
    blocks = [-(-n // size) for n, size in zip(grid or [], pool[1:])] if pool else grid
    front, back = (spec.get(name, 0) // 2 for name in ("identity_front", "identity_back"))
    is_alternating = spec.get("arrangement") == "alternating"
    layout = spec.get("table_layout") or spec.get("layout") or "interleaved"

    def turns_along(i, p):
        place, frequencies = axes[i]
        if not pool:
            return place.turns(p, frequencies)
        # FramePack fills the last block up with its last place (pad_for_3d_conv, "replicate").
        last = grid[i - 1] - 1 if grid and i else math.inf
        return [Average(one) for one in zip(*(place.turns(min(p * pool[i] + k, last), frequencies) for k in range(pool[i])))]

    def parts(p):
        along = along_axes(p, blocks, len(axes))
        parts = [turns_along(i, x) for i, x in enumerate(along)]
        return [list(one) for one in zip(*parts)] if is_alternating else parts

    def table(name):
        def row(p, width):
            values = [times(amplitudes[i % len(axes)] if not is_alternating else Fraction(1), [getattr(turn, name) for turn in part])
                      for i, part in enumerate(parts(p))]
            still = Fraction(int(name == "cos"))
            values = [[still] * front, *values, [still] * back]
            flat = [x for part in values for x in part]
            if layout == "half_per_axis" and width != len(flat):
                return [x for part in values for x in part * 2]
            return doubled(flat, width, layout)
        return lambda positions, shape: [x for p in positions for x in row(p, shape[-1])]
    return {"cos": table("cos"), "sin": table("sin")}


class Mixed:
    """Phases that are sums along axes: frequency_scale (x_0 w_0 + x_1 w_1 + .. + b), of numbers that the spec lists."""

    def __init__(self, spec):
        form = FORMATS.get(spec.get("frequencies_dtype") or "exact")
        kept = (lambda x: x) if form is None else lambda x: value_of(nearest(x, form), form)
        matrix = [[[kept(rational(x)) for x in head] for head in (row if isinstance(row[0], list) else [row])] for row in spec["frequencies"]]
        self.matrix = [[x for head in row for x in head] for row in matrix]
        styles = spec.get("axes") or [{}] * len(self.matrix)
        self.places = [Place(style, spec) for style in styles]
        self.phases, self.grid = [rational(x) for x in spec.get("phases") or []], spec.get("grid")
        self.factor = Place(spec).factor

    def turns(self, p):
        along = along_axes(p, self.grid, len(self.matrix))
        result = []
        for pair in range(len(self.matrix[0])):
            phase = Fraction(0)
            for place, row, x in zip(self.places, self.matrix, along):
                phase = phase + multiplied(place.at(x), row[pair]) * place.factor
            result.append(Turn(phase + self.phases[pair] * self.factor if self.phases else phase))
        return result


def fourier_features(spec):
    mixed, layout = Mixed(spec), spec.get("layout", "halves")
    first, second = spec.get("order", "sin_cos").split("_")

    def row(p):
        turns = mixed.turns(p)
        if layout == "halves":
            return [getattr(turn, name) for name in (first, second) for turn in turns]
        return [getattr(turn, name) for turn in turns for name in (first, second)]
    return rows(row)


def pairs_of(frequencies, spec):
    place = Place(spec)
    names = spec.get("order", "sin_cos").split("_")
    return rows(lambda p: [getattr(turn, name) for turn in place.turns(p, frequencies) for name in names])


def frequency_list(spec):
    return pairs_of([rational(x) for x in spec["frequencies"]], spec)


def frequency_family(spec):
    n = spec["d_model"] // 2
    samples = [Fraction(j, n) for j in range(n)]
    if spec.get("family") == "power":
        exponent = rational(spec["exponent"])
        return pairs_of([power(t, exponent) if t else Fraction(0) for t in samples], spec)
    return pairs_of(geometric(rational(spec.get("base", 10000)), n, Fraction(n)), spec)


def scaled_sinusoid(spec):
    one, c = Sinusoid(spec, spec["d_model"]), rational(spec["divisor"])
    return rows(lambda p: times(Fraction(p) / c, one.row(p)))


def sine_only(spec):
    d, base, reading = spec["d_model"], rational(spec.get("base", 10000)), spec.get("reading", "descending")
    exponent = {"descending": lambda i: Fraction(-i, d - 1), "ascending_to_one": lambda i: Fraction(i, d) - 1,
                "ascending_from_one": lambda i: Fraction(i, d - 1), "descending_to_one": lambda i: 1 - Fraction(i, d)}[reading]
    frequencies = [power(base, exponent(i)) for i in range(d)]
    return rows(lambda p: [Turn(multiplied(w, p)).sin for w in frequencies])


def sine_powers_of_two(spec):
    return rows(lambda p: [Turn(Fraction(p, 2 ** i)).sin for i in range(spec["d_model"])])


def transformer_xl(spec):
    one, most = Sinusoid(spec | {"layout": "halves"}, spec["d_model"]), spec.get("clamp_len")
    return rows(lambda p: one.row(p if most is None else min(p, most)))


def xpos(spec):
    """zeta_i = (2i/d + 0.4)/1.4, to the power (p - centre)/B: torchscale, xpos_relative_position.py."""
    d, half = spec["head_dim"], Fraction(spec["sequence_length"], 2)
    centre = -(-half // 1) if spec.get("centre", "torchscale") == "torchscale" else half // 1
    layout = spec.get("layout") or ("half" if spec.get("centre") == "flash_attn" else "interleaved")
    factor, span = rational(spec.get("frequency_scale", 1)), rational(spec.get("scale_base", 512))
    frequencies = [w * factor for w in geometric(rational(spec.get("rope_theta", 10000)), d // 2, Fraction(d, 2))]
    bases = [(Fraction(2 * i, d) + Fraction(2, 5)) / Fraction(7, 5) for i in range(d // 2)]
    logs = [ln(zeta) for zeta in bases]

    def scales(p, direction=1):
        return [power(zeta, direction * (p - centre) / span, log) for zeta, log in zip(bases, logs)]

    def table(name, direction):
        return lambda positions, shape: [x for p in positions for x in doubled(
            [getattr(Turn(multiplied(w, p)), name) * s for w, s in zip(frequencies, scales(p, direction))], shape[-1], layout)]
    return {"cos": table("cos", 1), "sin": table("sin", 1), "cos_k": table("cos", -1), "sin_k": table("sin", -1),
            "scale": lambda positions, shape: [x for p in positions for x in doubled(scales(p), shape[-1], layout)]}


def compact_positions(spec):
    """Zipformer: x compressed to sign(x) sqrt(D) ln(1 + |x|/sqrt(D)), and its angle atan(2 pi y/(f D))."""
    d, f = spec["d_model"], rational(spec.get("length_factor", 1))
    size = root(Fraction(d))

    def row(x):
        y = (1 if x > 0 else -1) * size * ln(1 + abs(x) / size) if x else Fraction(0)
        angle = arctangent(2 * PI * y / (f * d)) if x else Fraction(0)
        turns = [Turn(multiplied(angle, k)) for k in range(1, d // 2 + 1)]
        return [x for turn in turns for x in (turn.cos, turn.sin)][:-1] + [Fraction(1)]
    return rows(row)


def fourier_sums(spec):
    """FoPE (Hua et al. 2024): sums over k of cos(p w_k) C[k][j], and of sin(p w_k) S[k][j], head by head; other pairs pad."""
    size, base = spec.get("rotary_dim") or spec["head_dim"], rational(spec.get("rope_theta") or 10000)

    def table(name, key, padding):
        heads = [[[rational(x) for x in row] for row in head] for head in
                 (spec[key] if isinstance(spec[key][0][0], list) else [spec[key]])]
        frequencies = [power(base, Fraction(-2 * k, size)) for k in range(len(heads[0]))]

        def row(p):
            waves = [getattr(Turn(multiplied(w, p)), name) for w in frequencies]
            sums = [[sum((wave * c for wave, c in zip(waves, column)), Fraction(0)) for column in zip(*head)] for head in heads]
            return [x for one in sums for x in one + [Fraction(padding)] * (spec["head_dim"] // 2 - len(one))]
        return lambda positions, shape: [x for p in positions for x in row(p)]
    padding = spec.get("padding_sine")
    return {"cos": table("cos", "cosine_coefficients", 1), "sin": table("sin", "sine_coefficients", 1 if padding is None else padding)}


DEFINITIONS = {one.__name__: one for one in (
    sinusoidal, rope, axial_rope, xpos, scaled_sinusoid, sine_only, sine_powers_of_two, frequency_list, frequency_family, transformer_xl,
    fourier_features, fourier_sums, compact_positions)}
