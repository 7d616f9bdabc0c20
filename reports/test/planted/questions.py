"""Questions to a rotary encoding, told apart by coordinates; conditions on these; and random questions near given conditions."""

import re
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

END, PAIRS = 131071, 24  # the last position that is asked for, and the pairs that turn
TYPES = ["float64", "float32", "float16", "bfloat16"]
SIZES = {"rows", "heads", "batches"}
KINDS = {"rank", "order", "own_positions", "type", "apart", "not_finite"}
HISTORY = {"first", "longer_before", "longest_so_far", "farther_before", "farthest_so_far", "same_rows", "same_ends", "same_positions",
           "other_type_before", "other_type_first", "other_heads_before", "not_finite_before", "refused_before"}
ELEMENTS = {"row", "from_end", "head", "batch", "index", "position", "pair"}
STEPS = np.array([-1, 0, 0, 0, 1, 1])  # from the number of a condition
FROM_START, BLOCK, DESCENDING, CONSTANT, REPEATED, PACKED, GAPS, SHUFFLED = range(8)  # orders of positions


def chance(rng, probability):
    return rng.random() < probability


def pick(rng, ways):
    return ways[int(rng.integers(len(ways)))]


def spread(rng, least, greatest, size=None):
    """Integers, as likely in every octave."""
    return np.minimum(greatest, least * ((greatest + 1) / least) ** rng.random(size)).astype(int)


# ---- conditions

class Condition(NamedTuple):
    name: str          # of a coordinate
    relation: str      # >= <= == !=, with a modulus %== or %!=, or ~: the rows that fill no tile of `modulus` rows
    value: int = 0
    modulus: int = 1

    def __str__(self):
        sign = self.relation.lstrip("%")
        return f"{self.name}~tail{self.modulus}" if sign == "~" else f"{self.name}{f'%{self.modulus}' * ('%' in self.relation)}{sign}{self.value}"

    def holds(self, values):
        x, value = values[self.name], self.value
        if self.relation == "~":
            return x < values["rows"] % self.modulus
        x = x % self.modulus if "%" in self.relation else x
        return x >= value if ">" in self.relation else x <= value if "<" in self.relation else x != value if "!" in self.relation else x == value


def conditions(text):
    """Those of "rows>=33 head>=1 position%256==0"."""
    result = []
    for word in text.split():
        name, tail, modulus, sign, value = re.fullmatch(r"([a-z_]+)(?:~tail(\d+)|(?:%(\d+))?([<>=!]=)(-?\d+))", word).groups()
        result.append(Condition(name, "~", 0, int(tail)) if tail else Condition(name, "%" * bool(modulus) + sign, int(value), int(modulus or 1)))
    return result


def holds(where, values):
    result = np.True_
    for condition in where:
        result = result & condition.holds(values)
    return result


def may_hold(where, values):
    """Whether those conditions hold that a question decides alone."""
    return all(condition.holds(values) for condition in where if condition.name not in ELEMENTS)


# ---- questions

@dataclass
class Question:
    rows: int
    heads: int = 1
    batches: int = 1
    rank: int = 0                 # dimensions in front of the rows
    own_positions: bool = False   # whether every batch has positions of its own
    type: int = 1                 # of TYPES
    apart: bool = False           # whether other elements lie between the rows
    not_finite: int = 0           # 1: NaN in a pair, 2: infinity in a pair, 3: NaN in a dimension that passes through
    positions: np.ndarray = None  # [batches with positions of their own, rows]
    refused: bool = False

    @property
    def count(self):
        return self.rows * self.heads * self.batches


def order_of(positions):
    steps = np.diff(positions)
    if (steps == 1).all():
        return BLOCK if positions[0] else FROM_START
    if (steps == -1).all():
        return DESCENDING
    if (steps == 0).all():
        return CONSTANT
    if (steps >= 0).all():
        return REPEATED if (steps == 0).any() else GAPS
    is_run = steps == 1
    return PACKED if 2 * is_run.sum() >= len(steps) and (steps[~is_run] < 0).all() else SHUFFLED


def coordinates(question, before):
    """Of a question, after those that its process was asked before."""
    values = {name: int(getattr(question, name)) for name in SIZES | KINDS - {"order"}}
    values |= {"order": order_of(question.positions[0])} | dict.fromkeys(HISTORY, False) | {"first": not before}
    if before:
        last, most, greatest, farthest = before[-1], max(q.rows for q in before), question.positions.max(), max(q.positions.max() for q in before)
        same_rows, ends = last.rows == question.rows, lambda positions: (positions[0, 0], positions[-1, -1])
        values |= {"longer_before": most > question.rows, "longest_so_far": most < question.rows, "farther_before": farthest > greatest,
                   "farthest_so_far": farthest < greatest, "same_rows": same_rows, "other_type_first": before[0].type != question.type,
                   "same_ends": same_rows and ends(last.positions) == ends(question.positions),
                   "same_positions": np.array_equal(last.positions, question.positions),
                   "other_type_before": any(q.type != question.type for q in before),
                   "other_heads_before": any((q.heads, q.batches) != (question.heads, question.batches) for q in before),
                   "not_finite_before": any(q.not_finite for q in before), "refused_before": any(q.refused for q in before)}
    return {name: int(value) for name, value in values.items()}


def of_vectors(question, index):
    """The coordinates of vectors of an answer, by their flat indices."""
    sequence, row = np.divmod(index, question.rows)
    batch, head = np.divmod(sequence, question.heads)
    return {"row": row, "from_end": question.rows - 1 - row, "head": head, "batch": batch, "index": index,
            "position": question.positions[batch * question.own_positions, row]}


class NearQuestions:
    """Random questions whose coordinates lie near those of some conditions: many meet each of them, and many miss it."""

    def __init__(self, rng, where, most_vectors):
        self.rng, self.where, self.most = rng, where, most_vectors

    def about(self, *names):
        found = [condition for condition in self.where if condition.name in names]
        return pick(self.rng, found) if found else None

    def near(self, names, fallback, size=None):
        """Numbers near that of a condition, counted from 0; the fallback if there is none, and now and then."""
        rng, condition = self.rng, self.about(*names)
        if condition is None:
            return fallback
        value = condition.value - (condition.name in SIZES)  # a size of n has its last row, head or batch at n - 1
        if condition.modulus > 1:
            beside = rng.integers(0, condition.modulus, size) if condition.relation == "~" else rng.integers(-1, 2, size) * rng.integers(0, 2, size)
            is_first = (beside > 1) & (rng.random(size) < 0.5)
            times = spread(rng, 1, max(1, END // condition.modulus), size) - 1
            value = value + np.where(is_first, 0, condition.modulus * times) + beside
        else:
            value = value + STEPS[rng.integers(0, len(STEPS), size)]
        return np.where(rng.random(size) < 0.15, fallback, value)

    def kind(self, name, fallback):
        condition = self.about(name)
        return condition.value if condition is not None and chance(self.rng, 0.6) else fallback

    def size(self, names, most_by_chance, most):
        by_chance = 0 if chance(self.rng, 0.6) else spread(self.rng, 1, most_by_chance) - 1
        return int(np.clip(self.near(names, by_chance) + 1, 1, most))

    def sizes(self):
        rng = self.rng
        batches = self.size(("batches", "batch"), 8, self.most)
        heads = self.size(("heads", "head"), 40, self.most // batches)
        room = self.most // batches // heads
        rows = self.size(("rows", "row", "from_end"), pick(rng, [16, 2048]), room)
        if self.about("index") and chance(rng, 0.7):
            rows = min(room, max(rows, int(self.near(("index",), 0)) // (1 if chance(rng, 0.3) else batches * heads) + 1))
        least_rank = 2 if batches > 1 else int(heads > 1)
        return Question(rows, heads, batches, max(least_rank, self.kind("rank", int(rng.integers(least_rank, 4)))))

    def positions(self, count):
        rng, order = self.rng, self.kind("order", SHUFFLED if chance(self.rng, 0.6) else int(self.rng.integers(8)))
        if order == SHUFFLED:
            anywhere = rng.integers(0, END + 1, count)
            near = self.near(("position",), anywhere, count)
            return np.clip(np.where(rng.random(count) < 0.5, near, anywhere), 0, END)
        r = np.arange(count)
        offset = {CONSTANT: 0 * r, DESCENDING: count - 1 - r, REPEATED: r // 2, GAPS: r + r // 3, PACKED: r % (count // 3 + 2)}.get(order, r)
        first = self.near(("position",), int(rng.integers(1, END + 1))) - pick(rng, offset)
        first = 0 if order == FROM_START else np.clip(first, 0, max(0, END - offset.max()))
        return np.minimum(END, first + offset)

    def before(self, question):
        """Questions of one sequence, most of them."""
        rng, result = self.rng, []
        for kind in [] if self.kind("first", chance(rng, 0.2)) else rng.integers(0, 9, int(rng.integers(1, 4))):
            if kind >= 7:  # the positions of the question, or only its ends
                positions = question.positions.copy()
                positions.flat[1:-1] = rng.integers(0, END + 1, max(0, positions.size - 2)) if kind == 7 else positions.flat[1:-1]
                result.append(replace(question, positions=positions))
                continue
            longer = min(question.rows + int(rng.integers(question.rows + 2)), self.most)
            one = Question({0: 1 + int(rng.integers(question.rows)), 1: longer, 2: longer}.get(kind, question.rows))
            one.heads = min(int(rng.integers(1, 9)), max(1, self.most // one.rows)) if kind == 3 else 1
            one.rank = int(one.heads > 1)
            one.type = pick(rng, [1, 2, 0]) if kind == 4 else question.type
            one.not_finite, one.refused = int(kind == 5), bool(kind == 6)
            one.positions = self.positions(one.rows)[None]
            result.append(one)
        return result

    def next(self):
        """A question, and those before it in its process."""
        rng, question = self.rng, self.sizes()
        question.own_positions = question.batches > 1 and bool(self.kind("own_positions", chance(rng, 0.1)))
        question.type = self.kind("type", pick(rng, [1, 1, 2, 3, 0]))
        question.apart = bool(self.kind("apart", chance(rng, 0.2)))
        question.not_finite = self.kind("not_finite", 0 if chance(rng, 0.7) else int(rng.integers(1, 4)))
        question.positions = np.stack([self.positions(question.rows) for _ in range(question.batches if question.own_positions else 1)])
        return question, self.before(question)

    def vectors(self, question, count):
        """The coordinates of so many vectors of the question, each with a pair."""
        rng = self.rng
        def within(name, size):
            anywhere = np.where(rng.random(count) < 0.5, size - 1, rng.integers(0, size, count))
            return np.clip(self.near((name,), anywhere, count), 0, size - 1)
        row, from_end = within("row", question.rows), within("from_end", question.rows)
        if self.about("from_end"):
            row = np.where(rng.random(count) < 0.6, question.rows - 1 - from_end, row)
        index = (within("batch", question.batches) * question.heads + within("head", question.heads)) * question.rows + row
        if self.about("index"):
            index = np.where(rng.random(count) < 0.5, np.clip(self.near(("index",), 0, count), 0, question.count - 1), index)
        pair = np.clip(self.near(("pair",), rng.integers(0, PAIRS, count), count), 0, PAIRS - 1)
        return of_vectors(question, index) | {"pair": pair}
