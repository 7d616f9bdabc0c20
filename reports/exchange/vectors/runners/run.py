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

def judge(name, got, truth, rest, budget):  # beyond its budget is what is not within it: no number, too
    shares = [abs(g - t - r) / b if b else 0 if g == t else math.inf for g, t, r, b in zip(got, truth, rest, budget)]
    judged.extend((not share <= 1, share, f"{name}[{i}]") for i, share in enumerate(shares))

folder, key, judged = sys.argv[1], (sys.argv + ["float64@float64"])[2], []
document = json.load(open(os.path.join(folder, "vectors.json")))
data = open(os.path.join(folder, document["data"]["file"]), "rb").read()
length = struct.unpack("<Q", data[:8])[0]
entries = json.loads(data[8:8 + length])
for group in (one for one in document["groups"] if is_textbook(one["spec"])):
    spec, positions, (first, step, rows) = group["spec"], tensor(group["id"] + "/positions"), group["context"].values()
    for one in (one for one in group["tensors"] if key in one["budgets"]):
        name, width = f"{group['id']}/{one['role']}", one["shape"][1]
        x = tensor(name + "/input") if one["role"] == "rotated" else None
        got = [rotated(spec, x[i * width:][:width], p) if x else table(spec, one["role"], p) for i, p in enumerate(positions)]
        judge(name, sum(got, []), tensor(name + "/float64"), tensor(name + "/rest"), tensor(name + "/budget/" + key))
    for one in (one for one in group["sums"] if key in one["budgets"]):
        name, whole = f"{group['id']}/{one['role']}/sum", [table(spec, one["role"], first + step * t) for t in range(rows)]
        blocks = [whole[t:t + document["rows_per_sum"]] for t in range(0, rows, document["rows_per_sum"])]
        got = [sum(column) for block in blocks for column in zip(*block)]
        judge(name, got, tensor(name), [0] * len(got), tensor(name + "/budget/" + key))
failures, worst = sum(fails for fails, _, _ in judged), max(judged, default=(True, 0, "nothing"))
print(f"{failures} of {len(judged)} elements and sums are beyond their budgets of {key}\nworst: {worst[1]:.3g} budgets, {worst[2]}")
sys.exit(1 if failures or not judged else 0)
