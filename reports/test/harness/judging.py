"""What no certified table holds: tokens with positions along several axes, real positions, rotated vectors. Tensors that are rounded
here, from the definitions, conform to the contract `correctly-rounded`; with one element that is two numbers off they do not."""

from fractions import Fraction

import formats
import reals
import waves

SCHEMES = {"axes": ["rope", "axial_rope", "fourier_features", "sinusoidal"], "real": ["rope", "sinusoidal", "frequency_list", "frequency_family"],
           "rotated": ["rope"]}
AXES_OF_SECTIONS = {"huggingface": 3, "ernie": 3, "xdrope": 4}


def parts(draw, total, count):
    """So many integers of this sum."""
    cuts = sorted(draw.random.randint(0, total) for _ in range(count - 1))
    return [b - a for a, b in zip([0, *cuts], [*cuts, total])]


def add_axes(draw, spec, listed):
    """Of a rope the axes of its pairs; returns how many axes tokens have."""
    if spec["scheme"] != "rope":
        return len(spec.get("axes") or spec.get("frequencies") or [])
    n = min(tensor["shape"][-1] for tensor in listed)
    scaling = spec.setdefault("rope_scaling", {"rope_type": "default"})
    if draw.chance(0.3):
        axes = draw.random.randint(2, 4)
        scaling["pair_axes"] = [i % axes for i in draw.random.sample(range(n), n)]
        return max(scaling["pair_axes"]) + 1
    reading = draw.one(list(AXES_OF_SECTIONS))
    scaling["mrope_reading"] = reading
    if reading == "ernie":
        half = draw.random.randint(0, n // 2)
        scaling["mrope_section"] = [half, half, n - 2 * half]
    else:
        scaling["mrope_section"] = parts(draw, n, AXES_OF_SECTIONS[reading])
    return AXES_OF_SECTIONS[reading]


def places(draw, rows, axes):
    return [tuple(draw.random.randint(0, 1 << draw.random.randint(1, 14)) for _ in range(axes)) for _ in range(rows)]


def pairs_of_head(spec, n, head):
    """The dimensions of each pair, and those that no pair has."""
    first = spec.get("rotary_offset", 0)
    pairs = [(first + i, first + n + i) if spec.get("layout", "half") == "half" else (first + 2 * i, first + 2 * i + 1) for i in range(n)]
    return pairs, set(range(head)) - {x for pair in pairs for x in pair}


def rotated(spec, positions, vectors, n):
    """A R x, A R^T x, R^T x/A or R x: the manual's table of operations."""
    definition = waves.rope(spec)
    amplitude = waves.rotation_of(spec).amplitude
    pairs, rest = pairs_of_head(spec, n, spec["head_dim"])
    operation = spec.get("operation", "forward")
    back = (operation in ("transpose", "inverse")) != (spec.get("direction") == "clockwise")
    result = []
    for p, x in zip(positions, vectors):
        cos, sin = (definition[role]([p], [1, n]) for role in ("cos", "sin"))
        y = [None] * len(x)
        for i, (a, b) in enumerate(pairs):
            c, s = cos[i], -sin[i] if back else sin[i]
            y[a], y[b] = c * x[a] - s * x[b], s * x[a] + c * x[b]
            if operation in ("inverse", "shift") and amplitude != 1:
                factor = amplitude * amplitude if operation == "inverse" else amplitude
                y[a], y[b] = y[a] / factor, y[b] / factor
        for k in rest:
            y[k] = x[k]
        result += y
    return result


class Judged:
    def __init__(self, harness, kind, scheme=None, form=None):
        """Of a drawn spec. Raises Refused where the library does not take it."""
        draw = harness.draw
        self.spec, positions = harness.drawn(scheme or draw.one(SCHEMES[kind]))
        listed = harness.library.tensors(self.spec, positions[:1])
        self.form = form or draw.one([*formats.FORMATS.values()])
        self.tensors, self.elements = [], 0
        rows = draw.random.randint(1, 4)
        if kind == "axes":
            axes = add_axes(draw, self.spec, listed)
            if self.spec["scheme"] == "fourier_features" and self.spec.get("phases"):
                del self.spec["phases"]
            at = places(draw, rows, max(axes, 1))
            self.positions = [x for column in zip(*at) for x in column], [axes, rows], None
            at = at if axes > 1 else [p[0] for p in at]
            if axes <= 1:
                self.positions = list(at)
        elif kind == "real":
            self.spec.pop("position_unit", None), self.spec.pop("padding_idx", None)
            at = [Fraction(draw.random.randint(-1 << 20, 1 << 20), 1 << draw.random.randint(0, 12)) for _ in range(rows)]
            wide = formats.FORMATS["float64"]
            self.positions = [formats.nearest(p, wide) for p in at], [rows], wide
        else:
            at = self.positions = positions
        self.at = at
        if kind == "rotated":
            n, head = min(tensor["shape"][-1] for tensor in listed), self.spec["head_dim"]
            vectors = [[Fraction(draw.random.choice((-3, -2, -1, 0, 1, 2, 3)), draw.random.choice((1, 2, 4))) for _ in range(head)] for _ in at]
            self.add("input", [x for x_row in vectors for x in x_row], head)
            self.add("rotated", rotated(self.spec, at, vectors, n), head)
        else:
            definition = harness.definitions[self.spec["scheme"]](self.spec)
            roles = {}
            for tensor in listed:
                roles.setdefault(tensor["role"], tensor["shape"][-1])
            for role, width in roles.items():
                self.add(role, definition[role](at, [rows, width]), width)

    def add(self, role, values, width):
        patterns = [formats.nearest(x, self.form) for x in values]
        if formats.Wide in patterns:
            raise reals.Undecided
        self.tensors.append((role, patterns, [len(values) // width, width], self.form))
        self.elements += len(values) * (role != "input")

    def code(self, library, spoils=False):
        """The verdict on the tensors; spoils: the last one has an element that is two numbers off."""
        tensors = self.tensors
        if spoils:
            role, patterns, shape, form = tensors[-1]
            place = max(range(len(patterns)), key=lambda i: patterns[i] & (1 << form.width - 1) - 1)
            tensors = [*tensors[:-1], (role, [x - 2 * (i == place) for i, x in enumerate(patterns)], shape, form)]
        return library.judge(self.spec, tensors, self.positions, "correctly-rounded")
