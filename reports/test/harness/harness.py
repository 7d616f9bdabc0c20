#!/usr/bin/env python3
"""A second harness: it holds every number that Vernier certifies to definitions and series of its own.

    harness.py --vernier vernier --library libvernier.so --schema spec.schema.json [--values N] [--honest N] [--commands N] ...

Draws specs of every scheme, positions and formats, and compares each element with the number of its format that is nearest to the
truth, by code that shares nothing with Vernier: integers, their series, and the formulas of papers and of the manual. Prints counts by
scheme and format. Exit code: 0 all agree, 1 some differ, 2 a scheme was not tried."""

import argparse
import json
import math
import random
import sys
import tempfile
import time
from collections import Counter

import commands
import drawing
import formats
import honest
import judging
import planted
import reals
import tables
import token_positions
import waves
from library import Library, Refused

NAMES = [*formats.FORMATS, "int64"]
DEFINITIONS = waves.DEFINITIONS | tables.DEFINITIONS | token_positions.DEFINITIONS
WITH_QUERIES = ("alibi", "kerple", "sandwich")
MOST_DRAWS, LEAST_SPECS, MOST_ROWS, FORMATS_OF_A_TABLE = 100, 25, 4, 2


def row_count(spec):
    """How many rows a table has that ends; None where it does not."""
    scheme = spec["scheme"]
    if scheme == "learned":
        return len(spec["values"])
    if scheme == "one_hot":
        return spec["num_positions"]
    if scheme == "resampled":
        return math.prod(spec["to"])
    if scheme == "window_index":
        return math.prod(spec["window"]) + spec.get("class_token", False)
    if scheme == "log_coordinates":
        return math.prod(2 * side - 1 for side in spec["window"])
    if scheme == "position_ids":
        return len(token_positions.tokens_of(spec))
    return None


class Harness:
    definitions = DEFINITIONS

    def __init__(self, library, draw):
        self.library, self.draw = library, draw
        self.counts, self.refusals, self.differences = Counter(), {}, []
        self.specs, self.undecided, self.keys = Counter(), {}, set()

    def drawn(self, scheme):
        spec = self.draw.spec(scheme)
        spec = {key: value for key, value in spec.items() if value is not None}
        rows = self.draw.random.randint(1, MOST_ROWS)
        ends = row_count(spec)
        if ends is None:
            positions = drawing.positions(self.draw, spec, rows)
        else:
            start = self.draw.random.randrange(max(ends, 1))
            positions = list(range(start, min(start + rows, ends)))
        if spec.get("zero_prefix") and self.draw.chance(0.5):
            positions = list(range(-spec["zero_prefix"], rows))
        return spec, positions

    def differ(self, *what):
        self.differences.append(what)

    def try_one(self, scheme):
        spec, positions = self.drawn(scheme)
        # Biases of several queries.
        options = {"queries": self.draw.random.randint(1, len(positions))} if scheme in WITH_QUERIES and self.draw.chance(0.5) else {}
        try:
            listed = self.library.tensors(spec, positions, options)
        except Refused as refusal:
            self.refuse(scheme, spec, refusal)
            return
        self.specs[scheme] += 1
        self.keys |= {(scheme, key) for key in drawing.keys_of(spec)}
        try:
            definition = DEFINITIONS[scheme](spec)
        except reals.Undecided:
            self.leave_open(scheme, spec)
            return
        for tensor in listed:
            role, shape = tensor["role"], tensor["shape"]
            if role not in definition:
                self.differ(spec, role, "is not defined here")
                continue
            try:
                values = definition[role](positions, shape)
            except reals.Undecided:
                self.leave_open(scheme, spec)
                continue
            if len(values) != math.prod(shape):
                self.differ(spec, role, f"has {len(values)} elements here, and the shape {shape}")
                continue
            for form in [None] if tensor["exact"] else self.draw.random.sample([*formats.FORMATS.values()], FORMATS_OF_A_TABLE):
                self.compare(scheme, spec, role, positions, shape, values, form, options)

    def leave_open(self, scheme, spec):
        self.undecided.setdefault(scheme, []).append(spec)

    def refuse(self, scheme, spec, refusal):
        self.refusals.setdefault(scheme, []).append((str(refusal), spec))

    def compare(self, scheme, spec, role, positions, shape, values, form, options):
        name = form.name if form else "int64"
        try:
            got = self.library.table(spec, role, positions, shape, form, options)
        except Refused as refusal:
            got, refused = None, str(refusal)
        if form is None:
            expected = [int(x) for x in values]
        else:
            try:
                expected = [formats.nearest(x, form) for x in values]
            except reals.Undecided:
                self.leave_open(scheme, spec)
                return
        if got is None:
            if formats.Wide not in expected:
                self.refuse(scheme, spec, refused)
            return
        self.counts[scheme, name] += len(values)
        for i, (one, other) in enumerate(zip(expected, got)):
            zero_sign = form and 1 << form.width - 1
            if one != other and not (one == 0 and other == zero_sign):
                told = [x if form is None else "too large" if x == formats.Wide else float(formats.value_of(x, form) or math.nan) for x in (one, other)]
                self.differ(spec, role, f"{name}, element {i} of {shape}, positions {positions}: {told[0]} here, {told[1]} of Vernier")
                return

    def values_of(self, scheme):
        return sum(count for (of, _), count in self.counts.items() if of == scheme)

    def run(self, scheme, wanted):
        """So many values of some specs at least."""
        for _ in range(MOST_DRAWS + wanted):
            if self.values_of(scheme) >= wanted and self.specs[scheme] >= LEAST_SPECS:
                break
            self.try_one(scheme)

    def row(self, scheme):
        """The counts of a scheme, by format."""
        return (f"| {scheme} | {self.specs[scheme]} | " + " | ".join(str(self.counts[scheme, name]) for name in NAMES)
                + f" | {len(self.refusals.get(scheme, []))} |")

    def tell(self, schemes, most, with_refusals):
        shown = Counter()
        for spec, role, sentence in self.differences:
            shown[spec["scheme"]] += 1
            if shown[spec["scheme"]] <= most:
                print(f"{json.dumps(spec)} {role}: {sentence}")
        every = {(name.partition("_with_")[0], key) for name, form in self.draw.forms.items() for key in drawing.keys_in(form)}
        every = {(scheme, key) for scheme, key in every if scheme in schemes}
        print(f"{len(every & self.keys)} of {len(every)} keys of the schema were tried")
        if with_refusals:
            for scheme, specs in self.undecided.items():
                print(f"undecided: {json.dumps(specs[0])}")
            print("not tried: " + ", ".join(sorted(f"{scheme} {key}" for scheme, key in every - self.keys)))
            for scheme, refusals in self.refusals.items():
                for sentence, count in Counter(sentence[:160] for sentence, _ in refusals).most_common(8):
                    print(f"{scheme}: {count} times {sentence}")
        print(f"{sum(self.counts.values())} values of {sum(self.specs.values())} specs, {sum(map(len, self.undecided.values()))} undecided here, "
              f"{len(self.differences)} differ")


def plant(library, draw, values):
    """Exit code: 0 every fault is seen."""
    unseen = 0
    for name, (scheme, planting) in planted.FAULTS.items():
        harness = Harness(library, draw)
        with planting():
            harness.run(scheme, values)
        print(f"{name}: {len(harness.differences)} tables of {scheme} differ, among {sum(harness.counts.values())} values")
        unseen += not harness.differences
    # Sines that are off by more than a contract lets them be.
    codes = [honest.judged(library, draw, "rope", ("float32", "float32"), excess)[1] for excess in (0, 8)]
    print(f"eight ulp more in every sine: exit code {codes[1]}, without them {codes[0]}")
    unseen += codes != [0, 1]
    for kind in judging.SCHEMES:
        codes = spoiled_codes(Harness(library, draw), kind)
        print(f"an element of {kind} that is two numbers off: exit code {codes[1]}, without it {codes[0]}")
        unseen += codes != (0, 1)
    faults = len(planted.FAULTS) + 1 + len(judging.SCHEMES)
    print(f"{faults - unseen} of {faults} faults are seen")
    return 1 if unseen else 0


def spoiled_codes(harness, kind):
    """The exit codes of tensors of float32 and of the same with one element off."""
    while True:
        try:
            made = judging.Judged(harness, kind, "rope", formats.FORMATS["float32"])
            return made.code(harness.library)[0], made.code(harness.library, spoils=True)[0]
        except (Refused, reals.Undecided):
            continue


def judge_honest(library, draw, tables):
    """How many honest computations are refused: none may be, however badly it is rounded."""
    codes, elements, refused = Counter(), Counter(), 0
    for _ in range(tables):
        made, code, text = honest.judged(library, draw)
        kind = made.scheme, made.contract, made.stored
        codes[kind, code] += 1
        elements[kind] += made.elements
        if code not in (0, 4):
            refused += 1
            print(f"exit code {code}: {json.dumps(made.spec)} by {made.contract}, stored in {made.stored}:\n{text}")
    for kind, size in sorted(elements.items()):
        told = ", ".join(f"{codes[kind, code]} {word}" for code, word in ((0, "conform"), (4, "inconclusive"), (1, "refused")))
        print(f"honest {kind[0]} by {kind[1]}, stored in {kind[2]}: {size} elements, {told}")
    print(f"{refused} of {tables} honest computations, {sum(elements.values())} elements, are refused")
    return refused


def judge_rounded(harness, draws):
    """What no table holds: tensors that are rounded here conform to correct rounding."""
    counts, refusals = Counter(), Counter()
    for _ in range(draws):
        kind = harness.draw.one([*judging.SCHEMES])
        try:
            made = judging.Judged(harness, kind)
            code, text = made.code(harness.library)
        except Refused as refusal:
            refusals[kind] += 1
            if "internal error" in str(refusal) or "bad " in str(refusal):
                raise
            continue
        except reals.Undecided:
            continue
        counts[kind, made.spec["scheme"], code] += made.elements
        if code not in (0, 4):
            harness.differ(made.spec, kind, f"positions {made.at} in {made.form.name}: exit code {code}: {text}")
    for (kind, scheme, code), elements in sorted(counts.items()):
        print(f"judged by correct rounding, {kind}, {scheme}: {elements} elements, exit code {code}")
    print(f"refused: {dict(refusals)}")


def ask_commands(harness, vernier, draws, with_vectors):
    """What the command prints, of drawn specs, and all test vectors."""
    with tempfile.TemporaryDirectory() as folder:
        asked = commands.Commands(vernier, harness.library, DEFINITIONS, folder, harness.differ)
        while draws:
            spec, positions = harness.drawn(harness.draw.one(harness.draw.schemes))
            try:
                harness.library.tensors(spec, positions)
                asked.value(spec, positions[0], harness.draw.random)
                asked.table(spec, positions[0], len(positions), harness.draw.one([*formats.FORMATS.values()]))
            except Refused:
                continue
            draws -= 1
        if with_vectors:
            asked.vectors()
    for what in sorted({key[0] for key in asked.counts}):
        print(f"{what}: " + ", ".join(f"{count} {key[1]}" for key, count in asked.counts.items() if key[0] == what))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vernier", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--schema", required=True)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--values", type=int, default=10000, help="how many elements of tables are compared")
    parser.add_argument("--honest", type=int, default=0, help="how many tables are made, rounded badly, and judged")
    parser.add_argument("--judged", type=int, default=0, help="how many tensors that no table holds are rounded here, and judged")
    parser.add_argument("--commands", type=int, default=0, help="how many times vernier value and table are asked")
    parser.add_argument("--vectors", action="store_true", help="the test vectors too")
    parser.add_argument("--only", action="append", metavar="SCHEME")
    parser.add_argument("--planted", action="store_true", help="plant faults, each of which must be seen; nothing else")
    parser.add_argument("--show", type=int, default=3, help="how many differences of a scheme are shown")
    parser.add_argument("--refusals", action="store_true", help="show what is refused")
    arguments = parser.parse_args()
    seed = random.SystemRandom().randrange(1 << 32) if arguments.seed is None else arguments.seed
    print(f"seed {seed}", flush=True)
    with open(arguments.schema, encoding="utf-8") as file:
        draw = drawing.Draw(json.load(file), random.Random(seed))
    library = Library(arguments.library)
    if arguments.planted:
        return plant(library, draw, arguments.values)
    harness = Harness(library, draw)
    schemes = arguments.only or draw.schemes
    print("| scheme | specs | " + " | ".join(NAMES) + " | refused |")
    for scheme in schemes:
        harness.run(scheme, arguments.values // len(schemes))
        print(harness.row(scheme), flush=True)
    judge_rounded(harness, arguments.judged)
    ask_commands(harness, arguments.vernier, arguments.commands, arguments.vectors)
    harness.tell(schemes, arguments.show, arguments.refusals)
    missed = [scheme for scheme in schemes if arguments.values and not harness.values_of(scheme)]
    for scheme in missed:
        print(f"{scheme}: nothing was compared")
    wrong = judge_honest(library, draw, arguments.honest)
    print(f"{time.process_time():.1f} s of processor")
    return 1 if harness.differences or wrong else 2 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
