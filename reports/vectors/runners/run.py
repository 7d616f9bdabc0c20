"""Judges a rotary embedding and a sinusoidal encoding by Vernier's test vectors. Needs Python alone.
Usage: python3 run.py FOLDER [CONTRACT@FORMAT]: of vectors.json; default float64@float64. Exit code: 0 kept, 1 not.
Put your own code in place of `table` and `rotated`."""
import array, json, math, os, struct, sys


def table(spec, role, position):
    """A row of cos, sin or encoding, by the textbook."""
    is_rope = spec["scheme"] == "rope"
    width = int(spec["head_dim"] * spec["partial_rotary_factor"]) if is_rope else spec["d_model"]
    base = spec["rope_theta"] if is_rope else spec["base"]
    phases = [position / base ** (2 * i / width) for i in range((width + 1) // 2)]
    if is_rope:
        return [math.cos(p) if role == "cos" else math.sin(p) for p in phases]
    return [f(p) for p in phases for f in (math.sin, math.cos)][:width]


def rotated(spec, x, position):
    """A vector turned by its position: pairs are neighbours, or lie half the rotated width apart."""
    cos, sin, y = table(spec, "cos", position), table(spec, "sin", position), list(x)
    for i, (c, s) in enumerate(zip(cos, sin)):
        a, b = (i, i + len(cos)) if spec["layout"] == "half" else (2 * i, 2 * i + 1)
        y[a], y[b] = x[a] * c - x[b] * s, x[a] * s + x[b] * c
    return y


def is_textbook(spec):
    usual = {"rope": {"direction": "counterclockwise", "rope_scaling": None},
             "sinusoidal": {"layout": "interleaved", "frequency": "paper", "order": "sin_cos", "scale": 1, "padding_idx": None}}
    return spec["scheme"] in usual and all(spec.get(key) == value for key, value in usual[spec["scheme"]].items())


def tensor(name):
    begin, end = (8 + length + offset for offset in entries[name]["data_offsets"])
    if entries[name]["dtype"] == "BF16":  # the upper half of a float32
        return array.array("f", b"".join(b"\0\0" + data[i:i + 2] for i in range(begin, end, 2)))
    return array.array({"F64": "d", "F32": "f", "I64": "q"}[entries[name]["dtype"]], data[begin:end])


folder, key = sys.argv[1], (sys.argv + ["float64@float64"])[2]
document = json.load(open(os.path.join(folder, "vectors.json")))
data = open(os.path.join(folder, document["data"]["file"]), "rb").read()
length = struct.unpack("<Q", data[:8])[0]
entries = json.loads(data[8:8 + length])
failures, judged, worst = 0, 0, (-1, "")
for group in (one for one in document["groups"] if is_textbook(one["spec"])):
    for one in (one for one in group["tensors"] if key in one["budgets"]):
        name, columns = f"{group['id']}/{one['role']}/", one["shape"][1]
        truth, rest, budget = tensor(name + "float64"), tensor(name + "rest"), tensor(name + "budget/" + key)
        x = tensor(name + "input") if one["role"] == "rotated" else None
        for row, position in enumerate(tensor(group["id"] + "/positions")):
            at = range(row * columns, (row + 1) * columns)
            got = rotated(group["spec"], x[at.start:at.stop], position) if x else table(group["spec"], one["role"], position)
            for i, value in zip(at, got):
                error = abs(value - truth[i] - rest[i])
                share = error / budget[i] if budget[i] else 0 if error == 0 else math.inf
                judged, failures = judged + 1, failures + (not share <= 1)
                worst = max(worst, (math.inf if math.isnan(share) else share, f"{name[:-1]} at position {position}, column {i - at.start}"))
print(f"{failures} of {judged} elements are beyond their budgets of {key}; worst: {worst[0]:.3g} budgets, {worst[1]}")
sys.exit(1 if failures or not judged else 0)
