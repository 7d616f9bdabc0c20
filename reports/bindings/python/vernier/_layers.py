"""The kinds of layers of a model, with the encoding that its configuration says of each."""

import dataclasses
import json
import math
import operator

from . import _specs
from ._library import tensors_of
from ._table import table
from ._tensors import positions_tensor

_DOUBLINGS = 5
# The row by which tables are told apart: near position zero, where roundings are small.
_TELLING_ROW = 24
# Rounding to float32 moves no frequency and no element near position zero so far: what differs more is another's.
ANOTHER = 1e-2


def groups_of(config):
    """The layers that the configuration tells apart, with a spec each; and why others have none, by their kind."""
    text, _ = _specs.read(config)
    if text.lstrip()[:1] == "{":
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):  # the library says what is wrong with it
            document = {}
        if "scheme" in document:
            return [Group("", [], document)], {}
        groups = _specs.understood(config)["groups"]
        unencoded = {one["kind"]: one["why"] for one in groups if one["spec"] is None}
        return [Group(one["kind"], one["layers"], one["spec"]) for one in groups if one["spec"] is not None], unencoded
    return [Group("", [], text)], {}  # a model of the catalogue


class Group:
    """Layers with one encoding."""

    def __init__(self, kind, layers, spec):
        self.kind, self.layers, self.spec = kind, layers, spec
        self.text = spec if isinstance(spec, str) else json.dumps(spec)
        self._scaling = isinstance(spec, dict) and spec.get("rope_scaling") or {}
        first = positions_tensor([0])
        self._columns = {}
        for one in tensors_of(self.text, {}, first.tensor):
            self._columns.setdefault(one["role"], set()).add(one["shape"][-1])

    def has(self, role):
        return role in self._columns

    @property
    def pairs(self):
        return min(self._columns["cos"])

    def row(self, role, position, text=None):
        """text: of a reading."""
        return table(text or self.text, role, [position], "float64", columns=min(self._columns[role])).tolist()[0]

    def is_interleaved(self):
        """Whether the two columns of a pair stand side by side, in tables of a column for each dimension."""
        row = table(self.text, "cos", [1], "float64", columns=2 * self.pairs).tolist()[0]
        return row[::2] == row[1::2]

    def amplitude(self, text=None):
        return self.row("cos", 0, text)[0]

    def distance(self, part, text=None):
        """How far a part is from the truth at most, to tell what it is meant to be."""
        if part.kind == "frequencies":
            amplitude = self.amplitude(text)  # the sine of a frequency tells it, as none is above 1
            true = [math.asin(max(-1.0, min(1.0, sine / amplitude))) for sine in self.row("sin", 1, text)]
            found = part.tensors["inv_freq"].numbers()
            apart = (abs(one - other) / (other or 1.0) for one, other in zip(found, true))
            return max(apart, default=0.0)
        role, view = next(iter(part.tensors.items()))
        if len(view.shape) == 1:
            return 0.0
        row = min(view.shape[0] - 1, _TELLING_ROW)
        found, content = view.rows([row])
        if part.kind == "tables":
            found = without_copies({role: found}, {role: content}, self.pairs)[0][role]
        found = found.numbers()
        return max((abs(one - other) for one, other in zip(found, self.row(role, row, text))), default=0.0)

    def is_near(self, part):
        """Whether a part is, but for small differences, what this encoding has. A model has the frequencies of some
        layers in modules with a changed configuration."""
        if part.kind == "frequencies" and self.has("cos"):
            return len(part.tensors["inv_freq"].numbers()) in (self.pairs, 2 * self.pairs) and self.distance(part) < ANOTHER
        return part.kind == "tables" and self.has("cos") or self.has(part.kind)

    def readings(self, part):
        """The specs that a part may follow, the nearest first: LongRoPE has factors for short texts and for long, and
        dynamic scaling frequencies for each length."""
        scheme = self._scaling.get("rope_type")
        lengths = {self._scaling.get("original_max_position_embeddings")}
        if scheme in ("dynamic", "dynamic_qwen"):
            lengths |= {self.spec.get("sequence_length"), _cached_length(part)}
            if scheme == "dynamic_qwen":
                lengths |= self._doubled_lengths()
        elif scheme != "longrope" or "sequence_length" in self.spec:
            return [self.text]
        lengths = {one for one in {*lengths, self.spec.get("max_position_embeddings")} if one}
        texts = [json.dumps({**self.spec, "sequence_length": length}) for length in lengths] or [self.text]
        return sorted(texts, key=lambda text: self.distance(part, text))

    def _doubled_lengths(self):
        """Qwen's first generation raises its factor with each doubling of the length that it was trained for, and
        keeps it: a module holds the frequencies of any of these."""
        original = self._scaling.get("original_max_position_embeddings")
        return {original << doublings for doublings in range(_DOUBLINGS)} if isinstance(original, int) else set()

    def in_order_of_pairs(self, part):
        """The frequencies of a part in the order of pairs. ERNIE's pairs have rows and columns in turn, then times: its
        modules keep those of rows, of columns, of times."""
        sections = self._scaling.get("mrope_section")
        if self._scaling.get("mrope_reading") != "ernie" or part.tensors["inv_freq"].shape != (sum(sections),):
            return part
        half = sections[0]
        order = [place for i in range(half) for place in (i, half + i)] + list(range(2 * half, sum(sections)))
        sorted_part = dataclasses.replace(part, tensors={"inv_freq": part.tensors["inv_freq"].taken(order)})
        return min(part, sorted_part, key=self.distance)

    def of_one_axis(self):
        """The encoding by one axis if all axes have the same frequencies; None of other encodings."""
        if not isinstance(self.spec, dict) or not set(self.spec) <= {"scheme", "head_dim", "axes", "rope_theta", "layout"}:
            return None
        axes = self.spec.get("axes") or [None]
        if axes[0] is None or any(set(one) != {"dims"} or one != axes[0] for one in axes):
            return None
        return Group(self.kind, self.layers, {"scheme": "rope", "head_dim": axes[0]["dims"],
                                              "rope_theta": self.spec.get("rope_theta", 10000)})

    def linear_factor(self):
        """By what linear scaling divides; None in other encodings."""
        return self._scaling.get("factor") if self._scaling.get("rope_type") == "linear" else None

    def without_scaling(self):
        return json.dumps({key: value for key, value in self.spec.items() if key != "rope_scaling"})

    def with_width(self, pairs):
        """The text of the spec with another rotary width; None where it says none."""
        if not isinstance(self.spec, dict) or self.spec.get("scheme") != "rope" or \
                self._scaling.get("rope_type") in ("proportional", "longrope"):
            return None
        spec = {key: value for key, value in self.spec.items() if key != "partial_rotary_factor"}
        return json.dumps({**spec, "rotary_dim": 2 * pairs})


def without_copies(tensors, contents, pairs):
    """Tables of a column for each pair, of tables that have every column twice, and how the copies stand. That does not
    tell how a module pairs dimensions: some permute queries and keys, others the tables as they use them. If copies
    disagree: the tables as they are, and the layout with more agreement."""
    if any(view.shape[-1] != 2 * pairs for view in tensors.values()):
        return tensors, None, None
    differing = {"half": 0, "interleaved": 0}
    for role, view in tensors.items():
        one = memoryview(contents[role]).cast({1: "B", 2: "H", 4: "I", 8: "Q"}[view.itemsize]).tolist()
        rows = range(0, len(one), 2 * pairs)
        differing["half"] += sum(map(operator.ne, [x for i in rows for x in one[i:i + pairs]],
                                     [x for i in rows for x in one[i + pairs:i + 2 * pairs]]))
        differing["interleaved"] += sum(map(operator.ne, one[::2], one[1::2]))
    layout = min(differing, key=differing.get)
    if differing[layout] == 0:
        step = {"half": 1, "interleaved": 2}[layout]
        return {role: view.columns(pairs, step) for role, view in tensors.items()}, None, layout
    return tensors, layout, None


def _cached_length(part):
    """The length that a module's frequencies are for, if it says."""
    for name in (part.prefix + "max_seq_len_cached", "max_seq_len_cached"):
        length = getattr(part.module, name, None)
        if hasattr(length, "item") and getattr(length, "ndim", 1) == 0:  # transformers keeps the longest text so
            length = length.item()
        if isinstance(length, int) and 0 < length < 1 << 31:
            return length
    return None
