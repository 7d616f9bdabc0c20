"""An implementation that is asked: Python's sines, rounded to float32. answers.py REQUEST RESPONSE, or questions line by line."""

import json
import math
import struct
import sys


def answer(request, response):
    data = open(request, "rb").read()
    start = 8 + struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:start])
    spec, wanted = (json.loads(header["__metadata__"][key]) for key in ("spec", "wanted"))
    if [one["role"] for one in wanted] != ["encoding"] or wanted[0]["dtype"] != "float32":
        return {"unsupported": "only an encoding in float32"}
    first, last = header["positions"]["data_offsets"]
    positions = struct.unpack(f"<{(last - first) // 8}q", data[start + first:start + last])
    width = spec["d_model"]
    values = [(math.cos if column % 2 else math.sin)(position / 10000 ** ((column - column % 2) / width))
              for position in positions for column in range(width)]
    shape = header["positions"]["shape"] + [width]
    text = json.dumps({"encoding": {"dtype": "F32", "shape": shape, "data_offsets": [0, 4 * len(values)]}}).encode()
    with open(response, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + struct.pack(f"<{len(values)}f", *values))
    return {}


if len(sys.argv) == 3:
    sys.exit(77 if answer(*sys.argv[1:]) else 0)  # 77: not supported
for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps({"id": question["id"], **answer(question["request"], question["response"])}), flush=True)
