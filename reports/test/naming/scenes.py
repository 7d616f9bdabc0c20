"""Encodings and the tensors that they make, computed with NumPy, and what is true of rows that hold other positions."""

import itertools
import re
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np

BASES = [100, 500, 1000, 10000, 50000, 500000, 1000000]
NARROW = {"bfloat16": (8, -133, 3.4e38), "float16": (11, -24, 65504.0), "TF32": (11, -136, 3.4e38)}
UNITS = {"float64": 2.0**-53, "float32": 2.0**-24, "float16": 2.0**-11, "bfloat16": 2.0**-8}

# ---- numbers, formats and words
def narrowed(x, name, cut=False):
    """x in a format of fewer bits, rounded to the nearest even or cut off."""
    bits, least, greatest = NARROW[name]
    step = np.ldexp(1.0, np.maximum(np.frexp(x)[1] - bits, least))
    y = (np.trunc if cut else np.rint)(x / step) * step
    return np.where(np.abs(y) > greatest, np.copysign(greatest if cut else np.inf, y), y)

def stored(x, form):
    return (narrowed(x, form).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16) if form == "bfloat16" else x.astype(form)

def read(x, form):
    return (x.astype(np.uint32) << 16).view(np.float32).astype(float) if form == "bfloat16" else x.astype(float)

def number(x):
    """A number as text may have it: whole, as a fraction, or with a point."""
    fraction = Fraction(float(x)).limit_denominator(2000)
    words = {re.escape(str(fraction)), re.escape(f"{float(x):.10g}")}
    words |= {re.escape(f"{float(x):.5f}"[:6]) + r"\d*"} if fraction.denominator > 1 else set()
    return r"(?<![\d./])(?:" + "|".join(sorted(words)) + r")(?![\d/]|\.\d)"

def about(x):
    """The first four digits of a number."""
    digits, exponent = f"{x:.6e}".split("e")
    plain = f"{x:.12f}"
    cut = plain[:plain.index(digits[0]) + 5] if digits[0] in plain else digits[:5]
    return "(?:" + re.escape(cut) + r"\d*|" + re.escape(digits[:5]) + r"\d*e[-+]?0*" + str(abs(int(exponent))) + ")"

def all_of(*parts):
    """Patterns of which a sentence has to match each."""
    return tuple(p for part in parts for p in ([part] if isinstance(part, str) else part) if p)

def pick(rng, items):
    return items[int(rng.integers(len(items)))]

# ---- what is true of rows that hold other positions
def index_sets(mask, noun="rows?", positions=None):
    """Words for a set of indices; they are empty if all belong to it."""
    inside, n = np.flatnonzero(mask), len(mask)
    first, last = int(inside[0]), int(inside[-1])
    if len(inside) == n:
        return [""]
    found = [noun + " " + ", ".join(map(str, inside)) + r"(?!\d)"]
    found += [rf"every {noun} but {noun} {int(np.flatnonzero(~mask)[0])}\b"] if len(inside) == n - 1 else []
    if last - first + 1 == len(inside):
        found += [rf"{noun} {first} to {last}\b"] + ([rf"{noun} from {first} on\b"] if last == n - 1 else [])
        if positions is not None and np.all(np.diff(positions) > 0):
            low, high = (f"{positions[i]:.0f}" for i in (first, last))
            found += [rf"positions {low} to {high}\b"] + ([rf"position {low}\b"] if first == last else [])
            found += [rf"from position {low} on", rf"and {low} on"] if last == n - 1 else []
    for period in range(2, n // 2 + 1):
        rest = sorted(set((inside % period).tolist()))
        if len(rest) <= 8 and np.array_equal(np.isin(np.arange(n) % period, rest), mask):
            found += [rf"{noun} {', '.join(map(str, rest))} of every {period}\b"]
            found += [rf"every {noun} that {period} divides"] if rest == [0] else []
            return found + ([f"{'even' if rest == [0] else 'odd'} {noun}"] if period == 2 else [])
    return found

def row_sets(mask, positions):
    """Words for a set of rows in copies along leading dimensions."""
    choices = []
    for d in range(mask.ndim):
        along = mask.any(axis=tuple(i for i in range(mask.ndim) if i != d))
        if d == mask.ndim - 1:
            choices.append(index_sets(along, "rows?", positions.reshape(-1, positions.shape[-1])[0]))
        else:
            suffix = rf".*leading dimension {d}" if mask.ndim > 2 else ""
            choices.append([w and w + suffix for w in index_sets(along, "ind(?:ex|ices)")])
    return [all_of(*words) for words in itertools.product(*choices)]

def lines(held, feature, failing):
    """(s, o) with held = s feature + o in failing rows, of which the feature has three numbers."""
    f, h = feature[failing], held[failing]
    if len(np.unique(f)) < 3:
        return []
    s = Fraction((h[np.argmax(f)] - h[np.argmin(f)]) / (f.max() - f.min())).limit_denominator(200)
    o = Fraction(h[np.argmin(f)] - float(s) * f.min()).limit_denominator(2000)
    return [(s, o)] if s != 0 and np.allclose(float(s) * f + float(o), h, atol=1e-6) else []

def line_words(s, o, name):
    heads = {name} if s == 1 else {f"{s} {name}", f"{float(s):.10g} {name}"} | ({f"{name}/{s.denominator}"} if s.numerator == 1 else set())
    tail = "" if o == 0 else rf" [+-] {number(abs(o))}"
    return [re.escape(h) + tail for h in sorted(heads)] + ([rf"{number(o)} - (?:{number(-s)} )?{name}"] if s < 0 else [])

def truths(held, own, others=None):
    """All that may be said of rows that hold other positions than their own; others are features by their words."""
    failing = ~np.isclose(held, own, atol=1e-7)
    if not failing.any():
        return []
    found, r = [], np.arange(own.shape[-1])
    row = np.broadcast_to(r.astype(float), own.shape)
    def tell(words, values):
        fits = np.isclose(held, values, atol=1e-6)
        if fits[failing].all():
            sets = [""] if fits.all() else row_sets(failing, own) + row_sets(fits, own)
            for d in range(own.ndim - 1):  # all rows of the leading indices that have failing ones
                whole = np.broadcast_to(failing.any(axis=tuple(i for i in range(own.ndim) if i != d), keepdims=True), own.shape)
                sets += row_sets(whole, own) if fits[whole].all() and not fits.all() else []
            found.extend(all_of(w, s) for w in words for s in sets)
    for o in np.unique(np.round((held - own)[failing], 6)):
        tell([rf"{'larger' if o > 0 else 'smaller'} by {number(abs(o))}", rf"position_offset is {number(o)}"], own + o)
    for s, o in lines(held, own, failing):
        words = ["become " + w for w in line_words(s, o, "p")] + ([f"counted down.* {number(o)} - p"] if s == -1 else [])
        words += [f"multiplied by {number(s)}", f"(?:position|frequency)_scale is {number(s)}", f"divided by {number(1 / s)}$"] if o == 0 else []
        tell(words + (["negated"] if (s, o) == (-1, 0) else []), float(s) * own + float(o))
    tell(["own index"], row)
    for s, o in lines(held, row, failing):
        tell(line_words(s, o, "r"), float(s) * row + float(o))
    greatest, least = held[failing].max(), held[failing].min()
    tell([f"holds? position {number(greatest)}"], np.full(own.shape, greatest))
    tell([f"beyond {number(greatest)} are taken for it"], np.minimum(own, greatest))
    tell([f"below {number(least)} are taken for it"], np.maximum(own, least))
    for n in range(2, int(own.max()) + 1):
        tell([f"wrap at {number(n)}"], own % n)
        tell([f"divided by {number(n)}, and the remainder"], own // n)
    for words, order in {"the row before": r - 1, "the row behind": r + 1, "as far from the end": r[::-1]}.items():
        tell([words], own[..., order % len(r)])
        tell([words], own[..., np.clip(order, 0, len(r) - 1)])
    for d in range(own.ndim - 1):
        index = np.arange(own.shape[d], dtype=float).reshape([-1 if i == d else 1 for i in range(own.ndim)])
        tell([rf"index of leading dimension {d}", rf"count along dimension {d - own.ndim - 1}", "the leading index"], np.broadcast_to(index, own.shape))
    if own.ndim > 1:
        tell(["position of that row of leading index 0"], np.broadcast_to(own[:1], own.shape))
        offsets = [(c, np.unique(np.round((held - own)[c], 6))) for c in range(own.shape[0])]
        if all(len(o) == 1 for _, o in offsets):
            found.append(all_of(*(rf"(?:leading index {c}|index {c} of leading dimension 0)\b.*by {number(abs(o[0]))}" for c, o in offsets if o[0])))
    for words, values in (others or {}).items():
        tell([words], values)
    if failing.sum() <= 6 and own.ndim == 1:
        found.append(all_of(*(rf"row {r} .*position {number(held[r])}" for r in np.flatnonzero(failing))))
    return found

def axis_truths(held, own):
    """The same of positions [rows, axes]: of each axis that is off, or of all alike."""
    by_axis = {a: truths(held[:, a], own[:, a], {rf"position along axis {b}\b": own[:, b] for b in range(own.shape[1]) if b != a})
               for a in range(own.shape[1]) if not np.allclose(held[:, a], own[:, a], atol=1e-7)}
    if not by_axis:
        return []
    names = [rf"along ax(?:is|es) [\d, and]*(?<!\d){a}(?!\d)|\baxes\.{a}\." for a in by_axis]
    found = [all_of(*itertools.chain(*zip(names, words)))
             for words in itertools.product(*(v[:200 if len(by_axis) == 1 else 25] for v in by_axis.values()))]
    return found + (list(set.intersection(*map(set, by_axis.values()))) if len(by_axis) == own.shape[1] else [])

# ---- encodings
@dataclass
class Draw:
    kind: str
    spec: dict
    tensors: dict
    expected: list
    parameters: str = ""
    dtype: dict = field(default_factory=dict)
    differs: bool = True

@dataclass
class Scene:
    """An encoding of sines and cosines and the roles in which it is shown."""
    spec: dict
    frequencies: np.ndarray  # [pairs]
    positions: np.ndarray  # [..., rows, axes]
    role: str = "tables"  # or vectors, encoding, cos, sin
    form: str = "float32"
    axes: np.ndarray = None  # [pairs]
    layout: str = "half"
    width: int = 0
    amplitude: float = 1.0
    doubled: bool = False
    declared: np.ndarray = None  # the tensor of positions
    inputs: np.ndarray = None

    def __post_init__(self):
        self.axes = np.zeros(len(self.frequencies), int) if self.axes is None else self.axes
        self.width = self.width or 2 * len(self.frequencies)

    def phases(self, positions=None, frequencies=None):
        positions = self.positions if positions is None else positions
        return positions[..., self.axes] * (self.frequencies if frequencies is None else frequencies)

    def parts(self, positions=None, frequencies=None, amplitude=None):
        phases, amplitude = self.phases(positions, frequencies), self.amplitude if amplitude is None else amplitude
        with np.errstate(invalid="ignore"):
            return amplitude * np.cos(phases), amplitude * np.sin(phases)

    def values(self, cos, sin, layout=None):
        """What cosines and sines make, by role, before it is stored."""
        i, n = np.arange(len(self.frequencies)), len(self.frequencies)
        first, second = (2 * i, 2 * i + 1) if (layout or self.layout) == "interleaved" else (i, i + n)
        if self.role == "vectors":
            x, y = self.inputs, self.inputs.copy()
            y[..., first], y[..., second] = x[..., first] * cos - x[..., second] * sin, x[..., first] * sin + x[..., second] * cos
            return {"rotated": y}
        def joined(a, b):
            table = np.zeros(a.shape[:-1] + (2 * n,))
            table[..., first], table[..., second] = a, b
            return table
        if self.role == "encoding":
            return {"encoding": joined(sin, cos)}
        tables = {"cos": cos, "sin": sin}
        return {k: joined(v, v) if self.doubled else v.copy() for k, v in tables.items() if self.role in ("tables", k)}

    def draw(self, kind, values, expected, parameters=""):
        """Stored, and compared with what has no fault: beyond rounding they have to differ."""
        tensors = {role: stored(x, self.form) for role, x in values.items()}
        error = 6 * UNITS["float64" if self.form == "float64" else "float32"] * (1 + np.abs(self.phases())) * self.amplitude
        size = None if self.inputs is None else np.abs(self.inputs)
        tolerances, differs = replace(self, inputs=size).values(-error, -error), False
        for role, right in self.values(*self.parts()).items():
            rounding = 2 * UNITS[self.form] * (np.abs(right) + (0 if size is None else size))
            near = np.abs(read(tensors[role], self.form) - right) <= 4 * (2 * np.abs(tolerances[role]) + rounding)
            differs = differs or not near.all()
        tensors |= {"input": stored(self.inputs, self.form)} if self.role == "vectors" else {}
        dtype = {role: "bfloat16" for role in tensors} if self.form == "bfloat16" else {}
        tensors |= {} if self.declared is None else {"positions": self.declared.astype(np.int64)}
        words = f"{self.role} {self.form} {list(self.positions.shape)} {parameters}"
        return Draw(kind, self.spec, tensors, list(dict.fromkeys(expected)), words, dtype, differs)

def ladder(base, width):
    return float(base) ** (-np.arange(0, width, 2) / width)

def format_of(rng):
    return str(rng.choice(["float32", "float16", "bfloat16", "float64"], p=[0.68, 0.12, 0.14, 0.06]))

def with_inputs(rng, scene):
    if scene.role == "vectors":
        scene.inputs = read(stored(rng.standard_normal(scene.positions.shape[:-1] + (scene.width,)), scene.form), scene.form)
    return scene

def rope(rng, roles=("tables", "tables", "vectors", "encoding"), positions=None, rows=None, lead=(), form=None):
    """A rotation or a sinusoid of one axis; positions [..., rows] are declared as a tensor if they are given."""
    role, base, pairs, layout = pick(rng, roles), pick(rng, BASES), pick(rng, [8, 16, 24, 32, 48, 64, 96, 128]), pick(rng, ["half", "interleaved"])
    own = np.arange(rows or int(rng.integers(16, 97 if role == "vectors" or lead else 513))) if positions is None else positions
    shape = own.shape if own.ndim == 1 else own.shape[:1] + (1,) * (len(lead) - 1) + own.shape[1:]
    full = own.reshape(shape) + np.zeros(tuple(lead) + (1,), int)
    spec = {"scheme": "rope", "head_dim": 2 * pairs, "rope_theta": base, "layout": layout}
    if role == "encoding":
        spec = {"scheme": "sinusoidal", "d_model": 2 * pairs, "base": base, "layout": "halves" if layout == "half" else layout}
    return with_inputs(rng, Scene(spec, ladder(base, 2 * pairs), full[..., None].astype(float), role, form or format_of(rng), None, layout,
                                  doubled=bool(rng.integers(2)), declared=positions))

def token_grid(rng, axes):
    """Positions of a grid behind a text: [rows, axes]."""
    sizes, start = [int(rng.integers(2, 6)), int(rng.integers(4, 12)), int(rng.integers(4, 12))][-axes:], pick(rng, [0, 0, 7, 20])
    image = np.stack(np.meshgrid(*map(np.arange, sizes), indexing="ij"), -1).reshape(-1, axes) + start
    return np.concatenate([np.repeat(np.arange(start)[:, None], axes, 1), image])

def several_axes(rng):
    """Multimodal RoPE, or a rotation by two or three axes of their own."""
    axes, base, role, layout = pick(rng, [2, 3]), pick(rng, BASES), pick(rng, ["tables", "tables", "vectors"]), pick(rng, ["half", "interleaved"])
    if rng.random() < 0.4:
        section, axes = [pick(rng, [8, 12, 16]) for _ in range(3)], 3
        index, in_turn = np.repeat(np.arange(3), section), len(set(section)) == 1 and bool(rng.integers(2))
        index, frequencies = np.arange(sum(section)) % 3 if in_turn else index, ladder(base, 2 * sum(section))
        scaling = {"rope_type": "default", "mrope_section": section} | ({"mrope_interleaved": True} if in_turn else {})
        spec = {"scheme": "rope", "head_dim": 2 * sum(section), "rope_theta": base, "layout": layout, "rope_scaling": scaling}
    else:
        in_turn = rng.random() < 0.3
        dims = [2 * pick(rng, [8, 12, 16, 22])] * axes if in_turn else [2 * pick(rng, [6, 8, 12, 16, 22, 28]) for _ in range(axes)]
        index, frequencies = np.repeat(np.arange(axes), [d // 2 for d in dims]), np.concatenate([ladder(base, d) for d in dims])
        if in_turn:
            index, frequencies = np.tile(np.arange(axes), dims[0] // 2), np.repeat(ladder(base, dims[0]), axes)
        spec = {"scheme": "axial_rope", "head_dim": sum(dims), "rope_theta": base, "layout": layout, "axes": [{"dims": d} for d in dims]}
        spec |= {"arrangement": "alternating"} if in_turn else {}
    p = token_grid(rng, axes)
    return with_inputs(rng, Scene(spec, frequencies, p.astype(float), role, format_of(rng), index, layout, declared=p.T))
