"""RoPE in NumPy, to be judged: vernier validate --spec rope.json --exec 'python3 rope.py {request} {response}'"""
import json, struct, sys
import numpy as np

data = open(sys.argv[1], "rb").read()  # safetensors: the header's length, a JSON header, the tensors' bytes
start = 8 + struct.unpack("<Q", data[:8])[0]
header = json.loads(data[8:start])
spec, wanted = (json.loads(header["__metadata__"][key]) for key in ("spec", "wanted"))
if spec["scheme"] != "rope" or spec["layout"] != "half" or wanted[0]["dtype"] != "float32":
    sys.exit(77)  # not supported

def tensor(name, dtype):
    first, last = header[name]["data_offsets"]
    return np.frombuffer(data[start + first : start + last], dtype).reshape(header[name]["shape"])

frequencies = 1 / np.float32(spec["rope_theta"]) ** (np.arange(0, spec["head_dim"], 2, dtype=np.float32) / np.float32(spec["head_dim"]))
phases = np.outer(tensor("positions", np.int64).astype(np.float32), frequencies)
answer = {"cos": np.cos(phases), "sin": np.sin(phases)}
if "input" in header:
    a, b = np.split(tensor("input", np.float32), 2, axis=-1)
    answer["rotated"] = np.concatenate((a * answer["cos"] - b * answer["sin"], b * answer["cos"] + a * answer["sin"]), axis=-1)

header, end = {"__metadata__": {"implementation": "NumPy " + np.__version__}}, 0
for role in [one["role"] for one in wanted]:
    header[role] = {"dtype": "F32", "shape": answer[role].shape, "data_offsets": [end, end := end + answer[role].nbytes]}
text = json.dumps(header).encode()
with open(sys.argv[2], "wb") as file:
    file.write(struct.pack("<Q", len(text)) + text + b"".join(answer[one["role"]].tobytes() for one in wanted))
