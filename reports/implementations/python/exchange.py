"""Reads requests and writes responses of Vernier: safetensors files, with what is asked in their metadata."""

import json
import os
import struct
import sys

from forked import WARM, be_forked

# The names of element types: in files, and in what a request wants.
TYPE_NAMES = {"F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16", "I64": "int64", "I32": "int32"}
FILE_NAMES = {name: short for short, name in TYPE_NAMES.items()}


class Unsupported(Exception):
    """What is asked is not what this implementation does; says what."""


class Request:
    """`spec` and `wanted` as dictionaries; `tensors` by name: (type name, shape, bytes)."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        (header_bytes,) = struct.unpack("<Q", data[:8])
        start = 8 + header_bytes
        header = json.loads(data[8:start])
        metadata = header.pop("__metadata__")
        self.spec = json.loads(metadata["spec"])
        self.wanted = json.loads(metadata["wanted"])
        self.tensors = {}
        for name, entry in header.items():
            first, last = entry["data_offsets"]
            self.tensors[name] = (TYPE_NAMES[entry["dtype"]], entry["shape"], data[start + first : start + last])

    def require(self, **values):
        """Refuses a spec that has another value than one of these, key by key."""
        for key, wanted in values.items():
            if self.spec.get(key) not in wanted:
                raise Unsupported(f"{key} {self.spec.get(key)!r}")


def write_response(path, tensors, implementation):
    """Writes {role: (type name, shape, bytes)}."""
    header = {"__metadata__": {"implementation": implementation}}
    end = 0
    for name, (dtype, shape, data) in tensors.items():
        header[name] = {"dtype": FILE_NAMES[dtype], "shape": list(shape), "data_offsets": [end, end + len(data)]}
        end += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for _, _, data in tensors.values():
            file.write(data)


def answer(compute):
    """Answers every line of standard input that names a request. `compute(request)` gives the implementation's name
    and version, and the tensors; or raises Unsupported, or ImportError where the package is absent."""
    if WARM in os.environ:
        return sys.exit(be_forked(sys.argv))
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints is no answer
    for line in sys.stdin:
        question = json.loads(line)
        answer = {"id": question["id"]}
        try:
            implementation, tensors = compute(Request(question["request"]))
            write_response(question["response"], tensors, implementation)
        except (Unsupported, ImportError) as reason:
            answer["unsupported"] = str(reason)
        except Exception as error:
            answer["rejected"] = f"{type(error).__name__}: {error}"
        print(json.dumps(answer), file=answers, flush=True)
