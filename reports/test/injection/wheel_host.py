"""A program that calls the Python package, whose calls fail: prints what each gives, and ends as the command does."""

import array
import math
import sys

import vernier

SPEC = {"scheme": "sinusoidal", "d_model": 8}
positions = range(16)
values = array.array("f", [(math.cos if column % 2 else math.sin)(position / 10000 ** ((column - column % 2) / 8))
                           for position in positions for column in range(8)])
failed = 0
for call in (lambda: vernier.check(SPEC, encoding=memoryview(values).cast("B").cast("f", (16, 8))),
             lambda: vernier.spec({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4}),
             lambda: vernier.table(SPEC, "encoding", positions).tolist()):
    try:
        print(call())
    except (vernier.VernierError, MemoryError) as error:
        if not failed:
            print(f"vernier: {error}".splitlines()[0], file=sys.stderr)
        failed = 2
sys.exit(failed)
