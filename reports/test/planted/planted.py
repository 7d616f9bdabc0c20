#!/usr/bin/env python3
"""Plants drawn faults of questions into a plug-in, lets `vernier validate` ask it, and counts what the verdicts say.

    python3 planted.py --vernier PATH --plugin PATH --count N [--distribution covering|own] [--honest N] [--seed S] [--thorough]

A fault is a condition on the coordinates of a question ("rows of a head from the 32nd on, in every head but the first") and an
effect (a wrong position, a wrong pair, a factor, a row of the last question, NaN). The plug-in takes both from the environment.
The program prints shares with their 95 % intervals: faults that are caught, and verdicts whose boundary is the planted condition.
It fails if a verdict refuses an honest kernel, if too few faults are caught, or if too many boundaries are wrong."""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from questions import END, HISTORY, KINDS, PAIRS, SIZES, TYPES, Condition, NearQuestions, chance, conditions, coordinates, holds, may_hold, pick, spread

ROPE = {"scheme": "rope", "head_dim": 64, "rope_theta": 10000, "partial_rotary_factor": 0.75}
FREQUENCIES = 10000.0 ** (-np.arange(PAIRS) / PAIRS)
MOST_VECTORS, EVERYDAY_VECTORS = 131072, 8192   # of a question that shows a drawn fault, and of one that everybody asks
VISIBLE = 0.05                                  # more than float32 loses at the last position, and bfloat16 anywhere
# Regression floors, which nothing derives: an earlier program with 300 drawn faults was held to these shares. This one caught
# 271 of 300 of "covering" (95 % interval 86.5 to 93.2 %) and 263 of 300 of "own" (83.5 to 90.9 %). A run fails by its interval.
LEAST_CAUGHT = {"covering": 0.88, "own": 0.85}  # the 95 % interval of the share that is caught may not lie below
MOST_WRONG = 0.05                               # the one of boundaries that are wrong, of those told, may not lie above

EFFECTS = ["next", "previous", "row_index", "counts_on", "first_row", "previous_row", "last_question", "wraps", "start",  # other positions
           "other_pair", "scaled", "sine_sign", "swapped", "unrotated", "zero", "nan"]


# ---- faults

@dataclass
class Kernel:
    """What is planted: where it is wrong and how, if it is, and what it does not take."""
    interface: dict = field(default_factory=dict)
    where: list = None
    effect: str = ""
    exponent: int = 4

    def text(self):
        fault = {} if self.where is None else {"where": self.where, "effect": self.effect, "exponent": self.exponent}
        return json.dumps(self.interface | fault)

    def answers(self, question):
        return question.rank <= self.interface.get("most_rank", 3) and TYPES[question.type] not in self.interface.get("declines", [])

    def is_wrong(self, question, last, vectors):
        """Whether vectors that the fault meets are visibly wrong. last: the question before, if the kernel answered it"""
        row, position, pair = vectors["row"], vectors["position"], vectors["pair"]
        copy = vectors["batch"] * question.own_positions
        first = question.positions[copy, 0]
        place = {"next": position + 1, "previous": position - 1, "row_index": row, "counts_on": first + row, "first_row": first,
                 "previous_row": question.positions[copy, np.maximum(row - 1, 0)], "wraps": position % 2 ** self.exponent,
                 "start": 0 * row}.get(self.effect, position)
        if self.effect == "last_question" and last is not None:
            place = np.where(row < last.rows, last.positions[0, np.minimum(row, last.rows - 1)], position)
        turn = np.exp(1j * place * FREQUENCIES[(pair + (self.effect == "other_pair")) % PAIRS])
        turn = {"scaled": turn * (1 + 2.0 ** -self.exponent), "sine_sign": turn.conj(), "swapped": 1j * turn.conj(), "unrotated": 1,
                "zero": 0, "nan": math.nan}.get(self.effect, turn)
        return ~(abs(turn - np.exp(1j * position * FREQUENCIES[pair])) <= VISIBLE)


def least_that_shows(kernel, most_vectors, rng):
    """How many vectors the smallest question has that shows the fault, of those that were tried; None if none did."""
    questions, shown = NearQuestions(rng, kernel.where, most_vectors), []
    for _ in range(600):
        question, before = questions.next()
        values = coordinates(question, before)
        if kernel.answers(question) and may_hold(kernel.where, values):
            vectors = values | questions.vectors(question, 8)
            last = before[-1] if before and not before[-1].refused else None
            if (holds(kernel.where, vectors) & kernel.is_wrong(question, last, vectors)).any():
                shown.append(question.count)
        if len(shown) == 12:
            break
    return min(shown, default=None)


def tells_rightly(told, kernel, rng, most_vectors=EVERYDAY_VECTORS, tries=3000):
    """Whether what is told holds of the vectors that the fault makes wrong and of no others, as far as questions are tried.
    Vectors that the fault meets and leaves as they are decide nothing."""
    questions = NearQuestions(rng, told + kernel.where, most_vectors)
    for _ in range(tries):
        question, before = questions.next()
        vectors = coordinates(question, before) | questions.vectors(question, 24)
        last = before[-1] if before and not before[-1].refused else None
        is_met = holds(kernel.where, vectors)
        differs = is_met != holds(told, vectors)
        if differs.any() and (differs & (~is_met | kernel.is_wrong(question, last, vectors))).any():
            return False
    return True


# ---- what is drawn

# Of each coordinate: how likely a condition is about it, and its least and greatest number.
DRAWN = {"rows": (5, 1, 65537), "heads": (3, 2, 160), "batches": (3, 2, 80), "rank": (1.5, 0, 3), "order": (2, 0, 7), "own_positions": (1, 1, 1),
         "type": (2, 0, 3), "apart": (1, 1, 1), "not_finite": (1.5, 1, 3), "first": (0.5, 0, 1), "longer_before": (0.5, 1, 1),
         "longest_so_far": (0.5, 1, 1), "same_rows": (0.5, 1, 1), "same_ends": (0.3, 1, 1), "same_positions": (0.3, 1, 1),
         "other_type_before": (0.5, 1, 1), "other_type_first": (0.5, 1, 1), "other_heads_before": (0.5, 1, 1), "not_finite_before": (0.5, 1, 1),
         "refused_before": (0.3, 1, 1), "row": (5, 1, 65537), "from_end": (2, 1, 4096), "head": (2.5, 1, 160), "batch": (2.5, 1, 80),
         "index": (3, 1, 131072), "position": (4, 1, END), "pair": (2, 1, PAIRS - 1)}


def binary_number(rng):
    """A power of two or one beside it, or a small multiple of one."""
    power = 2 ** int(rng.integers(0, 18))
    return power + int(rng.integers(-1, 2)) if chance(rng, 2 / 3) else power * pick(rng, [3, 5, 6, 7, 9, 10, 12])


def decimal_number(rng):
    """A round decimal number or one beside it, or a product of two small numbers."""
    if chance(rng, 7 / 12):
        return int(rng.integers(1, 13)) * 10 ** int(rng.integers(5)) + (0 if chance(rng, 0.7) else int(rng.integers(-1, 2)))
    return int(spread(rng, 3, 100) * spread(rng, 3, 700))


class Distribution(NamedTuple):
    number: callable   # that a condition likes
    liked: float       # how likely it is one of these, not any number
    conditions: list   # how likely one, two and three are
    history: float     # how much more likely a condition on it is
    relations: dict


DISTRIBUTIONS = {
    "covering": Distribution(binary_number, 0.75, [0.4, 0.6, 0], 1, {">=": 0.6, "<=": 0.1, "==": 0.12, "%==": 0.12, "%!=": 0.06}),
    "own": Distribution(decimal_number, 0.6, [0.25, 0.4, 0.35], 2.5, {">=": 0.45, "<=": 0.2, "==": 0.06, "!=": 0.04, "%==": 0.1, "%!=": 0.15})}


def draw_number(rng, of, least, greatest):
    while True:
        drawn = of.number(rng) if chance(rng, of.liked) else int(spread(rng, least, greatest))
        if least <= drawn <= greatest:
            return drawn


def draw_condition(rng, of):
    weights = np.array([weight * (of.history if name in HISTORY else 1) for name, (weight, *_) in DRAWN.items()])
    name = list(DRAWN)[rng.choice(len(DRAWN), p=weights / weights.sum())]
    _, least, greatest = DRAWN[name]
    if name in KINDS | HISTORY:
        return Condition(name, "==", int(rng.integers(least, greatest + 1)))
    if name == "from_end" and chance(rng, 0.5):
        return Condition(name, "~", 0, pick(rng, [4, 8, 16, 32, 64, 128, 10, 24]))
    relation = rng.choice(list(of.relations), p=list(of.relations.values()))
    if "%" not in relation:
        return Condition(name, str(relation), draw_number(rng, of, least, greatest))
    modulus = draw_number(rng, of, 2, min(greatest, 1024))
    return Condition(name, str(relation), 0 if chance(rng, 0.7) else int(rng.integers(modulus)), modulus)


def draw_fault(rng, of):
    """A kernel with a fault, and the vectors of the smallest question that shows it."""
    while True:
        wanted, where = 1 + int(rng.choice(3, p=of.conditions)), []
        while len(where) < wanted:
            condition = draw_condition(rng, of)
            where += [condition] if condition.name not in [c.name for c in where] else []
        kernel = Kernel({}, where, pick(rng, EFFECTS))
        kernel.exponent = int(rng.integers(1, 5) if kernel.effect == "scaled" else rng.integers(4, 17))
        kernel.interface = {"has_tables": True} if chance(rng, 0.02) else {}
        if any(condition.name == "refused_before" for condition in where):
            kernel.interface |= {"most_rank": pick(rng, [2, 3]), "declines": [pick(rng, ["float64", "float16", "bfloat16"])]}
        if least := least_that_shows(kernel, MOST_VECTORS, rng):
            return kernel, least


def draw_honest_kernel(rng):
    """A kernel without fault that takes some questions only, or computes otherwise."""
    drawn = {"has_tables": (0.05, [True]), "contiguous_only": (0.15, [True]), "one_length": (0.1, [True]), "takes_strides": (0.4, [False]),
             "takes_own_positions": (0.5, [False]), "computes_in_float32": (0.4, [True]), "varies": (0.15, [True]),
             "rows_multiple": (0.15, [4, 16, 64, 128]), "most_heads": (0.25, [1, 8, 16, 32, 64, 128]), "most_batches": (0.25, [1, 1, 2, 16]),
             "most_rank": (0.3, [0, 1, 2])}
    interface = {name: pick(rng, values) for name, (likely, values) in drawn.items() if chance(rng, likely)}
    return Kernel(interface | {"declines": [name for name in ("float64", "float16", "bfloat16") if chance(rng, 0.2)]})


# ---- verdicts

@dataclass
class Judged:
    kernel: Kernel
    least: int
    code: int
    seconds: float
    finding: str
    told: list = None            # the boundary, if the verdict confirms one
    is_told_rightly: bool = False

    @property
    def is_caught(self):
        return self.code in (1, 3)

    @property
    def is_of_one_value(self):
        return any(c.relation == "==" and c.name in SIZES | {"index", "position", "row"} for c in self.kernel.where)

    @property
    def is_told_wrongly(self):
        return self.told is not None and not self.is_told_rightly

    def line(self):
        told = "" if self.told is None else f", told: {' '.join(map(str, self.told))}"
        return f"  {self.kernel.text()}{told}\n" + f"      {self.finding[:200]}\n" * bool(self.finding)


def judge(options, kernel, least, rng):
    with tempfile.TemporaryDirectory() as folder:
        spec, out = Path(folder, "spec.json"), Path(folder, "out.json")
        spec.write_text(json.dumps(ROPE))
        command = [options.vernier, "validate", "--quiet", "--plugin", options.plugin, "--spec", spec, "--cases", "3", "--seed",
                   str(rng.integers(2 ** 32)), "--json", out] + ["--thorough"] * options.thorough
        start = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"VERNIER_PLANTED_KERNEL": kernel.text()})
        if done.returncode not in (0, 1, 3, 4):
            raise RuntimeError(f"{kernel.text()}: exit code {done.returncode}: {done.stderr}")
        checks = json.loads(out.read_text())["checks"]
    seconds = time.monotonic() - start
    finding = next((f"{c['id']}: {c.get('reason', '')}" for s in ("fail", "error", "inconclusive") for c in checks if c["status"] == s), "")
    boundary = next((c["boundary"] for c in checks if "boundary" in c), {})
    told = conditions(boundary["where"]) if boundary.get("confirmed") else None
    return Judged(kernel, least, done.returncode, seconds, finding, told, told is not None and tells_rightly(told, kernel, rng))


def judge_drawn(options, number, index):
    rng = np.random.default_rng([options.seed, number, index])
    draws = [lambda: draw_fault(rng, DISTRIBUTIONS[options.distribution]), lambda: (draw_honest_kernel(rng), None)]
    return judge(options, *draws[number == 0](), rng)


def interval(count, of):
    """Of a share, by Wilson (1927), at 95 %."""
    if of == 0:
        return 0.0, 1.0
    z, p = 1.959964, count / of
    middle, half = p + z * z / (2 * of), z * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of))
    return tuple(min(1.0, max(0.0, (middle + side * half) / (1 + z * z / of))) for side in (-1, 1))


def share(count, of):
    least, most = interval(count, of)
    return f"{count} of {of} ({100 * count / max(1, of):.1f} %, {100 * least:.1f} to {100 * most:.1f})"


def caught(faulty, counts=lambda one: True):
    chosen = [one.is_caught for one in faulty if counts(one)]
    return share(sum(chosen), len(chosen))


def print_faulty(faulty):
    is_everyday = lambda one: one.least <= EVERYDAY_VECTORS
    print(f"faulty, refused: {caught(faulty)}\n"
          f"  shown by 8192 vectors, none of one value: {caught(faulty, lambda one: is_everyday(one) and not one.is_of_one_value)}\n"
          f"  shown by 8192 vectors: {caught(faulty, is_everyday)}\n  of one value: {caught(faulty, lambda one: one.is_of_one_value)}\n"
          f"  boundary told and right, of those refused: {share(sum(one.is_told_rightly for one in faulty), sum(one.is_caught for one in faulty))}\n"
          f"  boundary wrong, of those told: {share(sum(one.is_told_wrongly for one in faulty), sum(one.told is not None for one in faulty))}\n"
          "\nMisses by coordinate, pair of coordinates and effect")
    drawn, missed = Counter(), Counter()
    for one in faulty:
        names = sorted(condition.name for condition in one.kernel.where)
        keys = names + [" and ".join(pair) for pair in combinations(names, 2)] + ["effect " + one.kernel.effect]
        drawn.update(keys)
        missed.update([] if one.is_caught else keys)
    for name, count in missed.most_common():
        print(f"  {name:<40} {share(count, drawn[name])}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--vernier", required=True)
    parser.add_argument("--plugin", required=True, help="planted.so")
    parser.add_argument("--count", type=int, default=0, help="how many faults to draw")
    parser.add_argument("--distribution", choices=DISTRIBUTIONS, default="covering", help="where their thresholds lie: at and beside powers of two, "
                        "or at round decimal numbers and products, with up to three conditions, many on history")
    parser.add_argument("--honest", type=int, default=0, help="how many kernels without fault to draw")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--thorough", action="store_true", help="ask ten times as many questions")
    options = parser.parse_args()
    with ThreadPoolExecutor(2) as pool:
        number = 1 + list(DISTRIBUTIONS).index(options.distribution)
        faulty = list(pool.map(lambda index: judge_drawn(options, number, index), range(options.count)))
        honest = list(pool.map(lambda index: judge_drawn(options, 0, index), range(options.honest)))
    print(f"seed {options.seed}{', thorough' * options.thorough}")
    if faulty:
        print_faulty(faulty)
    if honest:
        print(f"honest, refused: {share(sum(one.is_caught for one in honest), len(honest))}")
    seconds = sorted(one.seconds for one in faulty + honest)
    if seconds:
        print(f"seconds a verdict, median {seconds[len(seconds) // 2]:.2f}, 95th percentile {seconds[len(seconds) * 95 // 100]:.2f}")
    refused, wrong = [one for one in honest if one.is_caught], [one for one in faulty if one.is_told_wrongly]
    for heading, group in [("Honest, and refused", refused), ("Honest, and not decided", [one for one in honest if one.code == 4]),
                           ("Boundaries that are told and wrong", wrong), ("Misses", [one for one in faulty if not one.is_caught])]:
        print(f"\n{heading}\n" * bool(group) + "".join(one.line() for one in group), end="")
    has_few = interval(sum(one.is_caught for one in faulty), len(faulty))[1] < LEAST_CAUGHT[options.distribution]
    has_wrong = interval(len(wrong), sum(one.told is not None for one in faulty))[0] > MOST_WRONG
    return int(bool(refused) or has_few or has_wrong)


if __name__ == "__main__":
    sys.exit(main())
