"""The commands that are tried, each in a folder of its own, with small inputs."""

import json
import shlex
import struct
import sys
import zipfile
from pathlib import Path

CONFIG = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2, "max_position_embeddings": 4096}
SPEC = {"scheme": "sinusoidal", "d_model": 8}
WIDE = {"scheme": "sinusoidal", "d_model": 24}  # equal rows of few pairs take an atlas long to rule out
SWEEP = "sweep --spec spec.json --recipe float32-pow --positions 0:4096 --threads 1 --quiet"


def gguf(path):
    """A file of a llama without tensors."""
    def text(word):
        return struct.pack("<Q", len(word)) + word.encode()
    values = [("general.architecture", 8, text("llama"))] + [
        (f"llama.{key}", 4, struct.pack("<I", value)) for key, value in
        [("embedding_length", 64), ("attention.head_count", 4), ("block_count", 2), ("context_length", 4096), ("rope.dimension_count", 16)]]
    path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, len(values)) +
                     b"".join(text(key) + struct.pack("<I", kind) + value for key, kind, value in values))


def npz(path):
    """The inverse frequencies of the llama, compressed."""
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (8,), }".ljust(117) + "\n"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("inv_freq.npy", b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode() +
                      struct.pack("<8f", *(10000 ** (-i / 8) for i in range(8))))


def case(name):
    return json.dumps({"name": name, "spec": SPEC, "tensors": {"encoding": f"{name}.npy"}})


def inputs(folder, run):
    """Writes what the commands read. run: runs the program in the folder"""
    (folder / "spec.json").write_text(json.dumps(SPEC))
    (folder / "wide.json").write_text(json.dumps(WIDE))
    (folder / "config.json").write_text(json.dumps(CONFIG))
    (folder / "good.json").write_text(case("good"))
    (folder / "bad.json").write_text(case("bad"))
    gguf(folder / "model.gguf")
    npz(folder / "packed.npz")
    run("table --spec spec.json --positions 0:16 -o good.npy")
    table = bytearray((folder / "good.npy").read_bytes())
    table[-57] ^= 0x80  # the sign of an element
    (folder / "bad.npy").write_bytes(table)
    run("validate good.json --json before.json")
    run("validate bad.json --json after.json")
    run("compare before.json after.json --history h.jsonl --label first")
    run(f"{SWEEP} --state swept --shard 1/2")
    run(f"{SWEEP} --state swept --shard 2/2")
    run(f"{SWEEP} --state begun --shard 1/2")


class Scene:
    """A command. again: what it saved is gone on with by the same command, which must come to the same end. partial: of several
    inputs it tells those that it could read, beside a sentence about the others, with one of these exit codes. asks: a clock that
    jumps beyond the time for an answer, or for all questions, changes what is asked, which is told. slow: not in ctest.
    module: calls count that pass through a library of this name; without it those of the program"""

    def __init__(self, name, words, again=False, slow=False, partial=(), asks=False, module="", environment=None):
        self.name, self.words, self.again, self.slow, self.partial, self.asks = name, words, again, slow, partial, asks
        self.module, self.environment = module, environment or {}


def scenes(options, here):
    """By name. options: vernier, and plugin, host, wheel if they are to be tried"""
    asked = f"{sys.executable} -I -S {here / 'answers.py'}"
    live = "validate --spec spec.json --positions 0:4 --quick --cases 1 --seed 1"
    program = str(options.vernier.resolve())
    result = {}

    def add(name, arguments, **more):
        result[name] = Scene(name, [program, *shlex.split(arguments)], **more)

    add("validate", "validate good.json --json v.json --html v.html --junit v.xml --sarif v.sarif --badge v.svg")
    add("validate failing", "validate bad.json --json v.json --html v.html", slow=True)
    add("validate --exec", f"{live} --exec '{asked} {{request}} {{response}}' --json v.json", asks=True, slow=True)
    add("validate --serve", f"{live} --serve '{asked}' --json v.json", asks=True, slow=True)
    add("table", "table --spec spec.json --positions 0:64 -o t.npy")
    add("request", "request --spec spec.json --positions 0:4 -o q.safetensors")
    add("sweep --state", f"{SWEEP} --state new", again=True)
    add("sweep --state, begun", f"{SWEEP} --state begun --shard 2/2", again=True)
    add("merge", "merge swept", partial=(4,))
    add("certify", "certify good.json -o c.json")
    add("compare", "compare before.json after.json --json d.json --html d.html")
    add("compare --history", "compare before.json after.json --history h.jsonl")
    add("vectors", "vectors -o vectors", slow=True)
    add("inspect", "inspect model.gguf --json i.json", partial=(2,))
    add("inspect --against", "inspect packed.npz --against config.json", partial=(2,))
    add("readers", "readers config.json --json r.json")
    add("spec", "spec config.json")
    add("value", "value --spec spec.json --position 3 --pair 1 --json e.json")
    add("hardest", "hardest --spec spec.json --last 4095 --json h.json")
    add("atlas", "atlas --spec wide.json -o a.json", again=True, slow=True)
    add("arithmetic", "arithmetic good.json --json a.json")
    add("tolerance", "tolerance --spec spec.json --json t.json")
    add("cost", "cost --spec config.json --context 64 --recipe float32-pow --json k.json")
    add("init", "init numpy project")
    add("list", "list schemes")
    add("explain", "explain accuracy/cos")
    add("man", "man")
    add("completion", "completion bash")
    add("report --quick", "report --quick -o report", slow=True)
    if options.plugin:
        add("validate --plugin", f"{live} --plugin {options.plugin.resolve()} --json v.json", asks=True, slow=True)
    if options.host:
        result["libvernier"] = Scene("libvernier", [str(options.host.resolve())], asks=True, module="libvernier")
    if options.wheel:
        result["wheel"] = Scene("wheel", [sys.executable, str(here / "wheel_host.py")], slow=True, module="libvernier",
                                environment={"PYTHONPATH": str(options.wheel.resolve())})
    return result
