"""Draws specs from the schema of all specs, keys within their ranges, and positions for them."""

import math

from fitting import FITS, SIZES, fit_places

USUAL_BASES = [10000, 500000, 1000000, 10000.0, 100, 2, 4, 150000, 1.5, 25000.25]
TURNING = {"position_unit", "position_scale", "position_offset", "frequency_scale"}


class Draw:
    def __init__(self, schema, random):
        self.forms, self.random = schema["$defs"], random
        self.schemes = schema["properties"]["scheme"]["enum"]

    def one(self, ways):
        return self.random.choice(ways)

    def chance(self, share):
        return self.random.random() < share

    # A value of a key.

    def value(self, key, form):
        if "anyOf" in form:
            form = self.one([way for way in form["anyOf"] if way.get("type") != "null"])
            return self.value(key, form)
        if "enum" in form:
            return self.one(form["enum"])
        if "const" in form:
            return form["const"]
        kind = form["type"]
        if kind == "boolean":
            return self.chance(0.5)
        if kind == "integer":
            return self.integer(key, form)
        if kind == "number":
            return self.number(key, form)
        if kind == "string":
            return self.text(key, form)
        if kind == "array":
            return [self.value(key, form["items"]) for _ in range(self.random.randint(max(form.get("minItems", 1), 1), 3))]
        return self.keys(form)

    def integer(self, key, form):
        least, most = form.get("minimum", 0), form.get("maximum", 2 ** 31)
        most = min(most, SIZES.get(key, most))
        if most - least < 50:
            return self.random.randint(int(least), int(most))
        size = self.random.randint(0, max(int(most - max(least, 0)).bit_length() - 1, 0))
        x = self.random.randint(0, 1 << size) + max(least, 0)
        return int(max(least, min(most, -x if least < 0 and self.chance(0.5) else x)))

    def number(self, key, form):
        if key in ("base", "rope_theta") and self.chance(0.5):
            return self.one(USUAL_BASES)
        least = form.get("minimum", form.get("exclusiveMinimum", 1e-12))
        most = form.get("maximum") or 1e12
        if form.get("exclusiveMaximum") is not None:
            most = form["exclusiveMaximum"]
        if key == "position_unit":
            return 2.0 ** self.random.randint(-12, 6)
        usual = self.random.randint(1, 40) / self.one([1, 1, 2, 4, 10, 100])
        if least <= usual <= most and usual > form.get("exclusiveMinimum", -math.inf) and self.chance(0.7):
            return -usual if least <= -usual and self.chance(0.5) else int(usual) if usual == int(usual) and self.chance(0.5) else usual
        low, high = math.log(max(least, 1e-12 if least <= 0 else least)), math.log(most)
        x = float(f"{math.exp(self.random.uniform(low, high)):.{self.random.randint(1, 9)}g}")
        x = min(max(x, least), most)
        if x <= form.get("exclusiveMinimum", -math.inf):
            x = least + (most - least) / 3
        return -x if least <= -x and self.chance(0.5) else x

    def text(self, key, form):
        if key == "position_unit":
            return f"1/{2 ** self.random.randint(0, 12)}"
        pi = "pi" if "pi" in form.get("pattern", "") and self.chance(0.4) else ""
        top = self.random.randint(1, 30) if not pi or self.chance(0.8) else ""
        under = self.random.randint(2, 33)
        is_signed = key in ("position_offset", "phases", "values") and self.chance(0.4)
        return f"{'-' if is_signed else ''}{top}{pi}" + (f"/{under}" if self.chance(0.7) else "")

    def keys(self, form, share=None):
        share = self.one([0, 0.15, 0.4, 0.7]) if share is None else share
        return {key: self.value(key, of_key) for key, of_key in form["properties"].items()
                if key in form["required"] or self.chance(share)}

    # A spec.

    def spec(self, scheme):
        names = [name for name in self.forms if name == scheme or name.startswith(scheme + "_with_")]
        name = self.one(names)
        spec = self.keys(self.forms[name])
        if self.chance(0.6):
            for key in TURNING & set(spec):
                del spec[key]
        spec["scheme"] = scheme
        fit = FITS.get(name)
        if fit:
            fit(self, spec)
        fit_places(self, spec)
        for axis in spec.get("axes") or []:
            fit_places(self, axis)
        return spec


def keys_of(value, path=""):
    """The paths of the keys that a spec has."""
    if isinstance(value, list):
        return {key for one in value for key in keys_of(one, path + "[]")}
    if not isinstance(value, dict):
        return set()
    return {key for name, one in value.items() for key in {f"{path}.{name}".lstrip("."), *keys_of(one, f"{path}.{name}")}}


def keys_in(form, path=""):
    """The paths of the keys that the schema has."""
    result = set()
    for way in form.get("anyOf", [form]):
        for name, one in way.get("properties", {}).items():
            result |= {f"{path}.{name}".lstrip("."), *keys_in(one, f"{path}.{name}")}
        if "items" in way:
            result |= keys_in(way["items"], path + "[]")
    return result


def positions(draw, spec, rows):
    """The integers of a few rows that the encoding has: near 0, about a power of two, far, and below 0."""
    most = 2 ** draw.random.randint(1, 16 if spec["scheme"] == "xpos" else 30)
    starts = [0, 0, 1, most - rows // 2, draw.random.randrange(most)]
    if spec.get("zero_prefix") is None and spec.get("grid") is None and spec["scheme"] in (
            "sinusoidal", "rope", "fourier_features", "t5_bucket", "deberta_bucket", "shaw", "alphafold_bin", "time_bucket", "deberta_span",
            "frequency_list", "compact_positions", "integer_index", "xpos"):
        starts += [-most, -rows // 2]
    start = draw.one(starts)
    if spec["scheme"] == "binary":
        return [draw.random.randrange(1 << min(spec["bits"], 31)) for _ in range(rows)]
    if spec["scheme"] == "normalised":
        return [draw.random.randrange(spec["length"]) for _ in range(rows)]
    if draw.chance(0.5):
        return list(range(start, start + rows))
    return [start + draw.random.randint(0, most) for _ in range(rows)]
