"""RoPE in NumPy, to be judged: vernier validate --spec rope.json --serve 'python3 rope.py', which keeps it running and asks
it line by line, or --exec 'python3 rope.py {request} {response}', which starts it for every question."""
import json, struct, sys
import numpy as np


def answer(request, response):
    data = open(request, "rb").read()  # safetensors: the header's length, a JSON header, the tensors' bytes
    start = 8 + struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:start])
    spec, wanted = (json.loads(header["__metadata__"][key]) for key in ("spec", "wanted"))
    if spec["scheme"] != "rope" or spec["layout"] != "half" or wanted[0]["dtype"] != "float32":
        return {"unsupported": "only rope of layout half, in float32"}

    def tensor(name, dtype):
        first, last = header[name]["data_offsets"]
        return np.frombuffer(data[start + first : start + last], dtype).reshape(header[name]["shape"])

    frequencies = 1 / np.float32(spec["rope_theta"]) ** (np.arange(0, spec["head_dim"], 2, dtype=np.float32) / np.float32(spec["head_dim"]))
    phases = np.outer(tensor("positions", np.int64).astype(np.float32), frequencies)
    tables = {"cos": np.cos(phases), "sin": np.sin(phases)}
    if "input" in header:
        a, b = np.split(tensor("input", np.float32), 2, axis=-1)
        for role, sin in ("rotated", tables["sin"]), ("input_gradient", -tables["sin"]):  # the backward pass turns back
            tables[role] = np.concatenate((a * tables["cos"] - b * sin, b * tables["cos"] + a * sin), axis=-1)

    header, end = {"__metadata__": {"implementation": "NumPy " + np.__version__, "takes": "gradients"}}, 0
    for role in [one["role"] for one in wanted]:
        header[role] = {"dtype": "F32", "shape": tables[role].shape, "data_offsets": [end, end := end + tables[role].nbytes]}
    text = json.dumps(header).encode()
    with open(response, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(tables[one["role"]].tobytes() for one in wanted))
    return {}


if len(sys.argv) == 3:
    sys.exit(77 if answer(*sys.argv[1:]) else 0)  # 77: not supported
for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps({"id": question["id"], **answer(question["request"], question["response"])}), flush=True)
