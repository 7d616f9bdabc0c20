"""Judging what a loaded model holds against its own configuration."""

import array
import dataclasses
import hashlib
import json
import math
import operator
import re

from . import _specs
from ._library import InputError, judge, tensors_of
from ._parts import LOOKED_FOR, View, parts_of, sampled_rows
from ._table import table
from ._tensors import HostTensor, positions_tensor
from ._verdict import Verdict

_DOUBLINGS = 5
# The row by which tables are told apart: near position zero, where roundings are small.
_TELLING_ROW = 24
# Rounding to float32 moves no frequency and no element near position zero so far: what differs more is another's.
_ANOTHER = 1e-2
# Names of tensors that are worth a look where nothing was found, and how many are shown.
_TELLING = re.compile(r"rot|rope|pos|freq|theta|cos|sin|alibi|slope|emb", re.IGNORECASE)
_MOST_SHOWN = 8
# How the copies of a value stand in tables of a column for each dimension.
_COPIES = {"half": "half a row apart", "interleaved": "side by side"}
# Names of tables that nobody said what they are.
_UNKNOWN_TABLE = re.compile(r"(^|_)(cos|sin|freqs?|rope|rotary)(_|$)", re.IGNORECASE)


@dataclasses.dataclass
class Finding:
    """The result for one part of a model. conforms: None if it was not judged."""

    path: str  # "model.rotary_emb.inv_freq"
    layers: str  # the kind of layers whose encoding it was held to; empty where there is one kind
    sentence: str
    conforms: bool = None
    verdict: Verdict = None
    missing: bool = False  # layers of which nothing was found

    def __str__(self):
        return f"{self.path}{f' ({self.layers})' if self.layers else ''}: {self.sentence}"


class ModelReport:
    """The findings of a model. It is true if something of each kind of layers was judged, and all of it conforms."""

    def __init__(self, findings, looked_at, seen=None, paths=()):
        """seen: the shapes and types of the model's tensors, by name. paths: the names of those that are in a part."""
        self.findings, self._looked_at, self._seen, self._paths = findings, looked_at, seen or {}, set(paths)

    @property
    def conforms(self):
        judged = [one.conforms for one in self.findings if one.conforms is not None]
        return bool(judged) and all(judged) and not any(one.missing for one in self.findings)

    @property
    def faults(self):
        return [one for one in self.findings if one.conforms is False]

    def __bool__(self):
        return self.conforms

    def __str__(self):
        if not any(one.conforms is not None for one in self.findings):
            nothing = f"nothing found: no positional table or frequency could be judged in {self._looked_at}"
            return "\n".join([nothing, *map(str, self.findings), *self._what_was_seen()])
        return "\n".join([*map(str, self.findings), *self._what_was_left()])

    __repr__ = __str__

    def _what_was_left(self):
        """The tensors beside judged ones whose names are those of tables."""
        left = [name for name in self._seen
                if name not in self._paths and _UNKNOWN_TABLE.search(name.rsplit(".", 1)[-1])]
        return [f"not looked at: {', '.join(left[:_MOST_SHOWN])}: say what they are by tables="] if left else []

    def _what_was_seen(self):
        """The tensors of a model without a judged one: small tensors and those with telling names first."""
        by_interest = sorted(self._seen, key=lambda name: (not _TELLING.search(name), self._seen[name].count(",")))
        shown = [f"{name} {self._seen[name]}" for name in by_interest[:_MOST_SHOWN]]
        rest = len(self._seen) - len(shown)
        seen = ", ".join(shown) + (f" and {rest} more" if rest else "")
        example = by_interest[0] if by_interest else "pos.freqs"
        return [f"seen: {seen or 'no tensor'}", f"looked for: {', '.join(LOOKED_FOR)}",
                f'to judge a tensor of another name, say what it is: check_model(model, tables={{"{example}": "inv_freq"}})']


def check_model(model, config=None, tables=None, contract=None):
    """Judges the positional tables and inverse frequencies that a loaded model holds, by name and shape, against
    its configuration.

    model: anything with named_modules() whose modules have named_buffers(), as PyTorch's.
    config: what vernier.spec() takes, or a spec; default model.config.
    tables: what tensors are whose names do not tell, by their names in the model: {"pos.freqs": "inv_freq"}. The
    roles are inv_freq, cos, sin, freqs_cis (complex), cos_sin (side by side), encoding and slopes.
    contract: the contract to judge by, as of check().

    Returns a ModelReport, which prints one line a finding and is true only if something was judged and conforms.
    """
    if config is None:
        config = getattr(model, "config", None)
        if config is None:
            raise InputError("config: found neither an argument nor model.config, expected one of the two")
    parts, seen = parts_of(model, tables)
    judge = _Judge(*_groups(config), parts, contract)
    findings = [judge.finding(part) for part in parts]
    taken = [name for part in parts for name in part.names]
    return ModelReport(findings + judge.missing(), f"an object of the class {type(model).__qualname__}", seen, taken)


def _groups(config):
    """The layers that the configuration tells apart, with a spec each; and why others have none, by their kind."""
    text, _ = _specs.read(config)
    if text.lstrip()[:1] == "{":
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):  # the library says what is wrong with it
            document = {}
        if "scheme" in document:
            return [_Group("", [], document)], {}
        groups = _specs.understood(config)["groups"]
        unencoded = {one["kind"]: one["why"] for one in groups if one["spec"] is None}
        return [_Group(one["kind"], one["layers"], one["spec"]) for one in groups if one["spec"] is not None], unencoded
    return [_Group("", [], text)], {}  # a model of the catalogue


class _Group:
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
            found = _without_copies({role: found}, {role: content}, self.pairs)[0][role]
        found = found.numbers()
        return max((abs(one - other) for one, other in zip(found, self.row(role, row, text))), default=0.0)

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


class _Judge:
    def __init__(self, groups, unencoded, parts, contract):
        self._groups, self._unencoded, self._parts, self._contract = groups, unencoded, parts, contract
        self._has_local = any(_is_local(part.path) for part in parts)
        self._covered = set()
        self._known = {}  # verdicts of the same bytes

    def finding(self, part):
        if part.elsewhere:
            return Finding(part.path, "", "not judged: it is of another part than the language model")
        if part.problem:
            return Finding(part.path, "", f"not judged: {part.problem}")
        for kind, why in self._unencoded.items():
            if any(one and one in part.path for one in kind.split(", ")):
                return Finding(part.path, kind, f"not judged: {why}")
        role = {"frequencies": "cos", "tables": "cos"}.get(part.kind, part.kind)
        groups = [one for one in self._groups if one.has(role)]
        if not groups:
            return Finding(part.path, "", "not judged: the configuration has no encoding with such a tensor")
        held = self._held_to_nearest(part, self._meant(part.path, groups))
        if held.conforms is not None:
            self._covered.add(held.layers)
        return held

    def missing(self):
        """A finding for each kind of layers with frequencies of which nothing was found, where there is something."""
        return [Finding("", one.kind, "nothing was found that holds their frequencies", missing=True)
                for one in self._groups if self._covered and one.has("cos") and one.kind not in self._covered]

    def _meant(self, path, groups):
        """The layers that a part belongs to, by its path: all, if it does not say."""
        named = [one for one in groups for kind in one.kind.split(", ") if kind and kind in path]
        if named:
            return named[:1]
        number = re.search(r"(^|\.)(layers?|h|blocks?)\.(\d+)\.", path)
        numbered = [one for one in groups if number and int(number.group(3)) in one.layers]
        if numbered:
            return numbered
        local = [one for one in groups if "sliding" in one.kind or "local" in one.kind]
        others = [one for one in groups if one not in local]
        meant = local if _is_local(path) else others
        return meant if self._has_local and meant else groups

    def _held_to_nearest(self, part, groups):
        """The finding of a part that belongs to layers of one of several kinds."""
        if len(groups) == 1:
            return self._held_to(part, groups[0])
        try:
            by_distance = sorted(((one.distance(part), one) for one in groups), key=lambda pair: pair[0])
        except InputError as error:
            return Finding(part.path, "", f"not judged: {error}")
        held = [self._held_to(part, one) for distance, one in by_distance if distance < _ANOTHER]
        held = held or [self._held_to(part, by_distance[0][1])]
        best = next((one for one in held if one.conforms), held[0])
        if best.conforms is False:
            kinds = " and ".join(group.kind for group in groups)
            best = dataclasses.replace(best, sentence=f"agrees with none of {kinds}: {best.sentence}")
        return best

    def _held_to(self, part, group):
        """The finding of a part, held to the encoding of some layers."""
        try:
            if part.kind == "frequencies":
                return self._frequencies(part, group)
            return self._tables(part, group)
        except InputError as error:
            return Finding(part.path, group.kind, f"not judged: {error}")

    def _tables(self, part, group):
        tensors, contents, positions, digest = {}, {}, None, hashlib.sha256()
        for role, view in part.tensors.items():
            if len(view.shape) == 2:
                positions = sampled_rows(view.shape[0])
                view, contents[role] = view.rows(positions)
                digest.update(contents[role])
            else:
                digest.update(repr(view.numbers()).encode())
            tensors[role] = view
        layout, note = None, ""
        if positions is not None and len(positions) < view_rows(part):
            note = f", at {len(positions)} of {view_rows(part)} positions"
        if part.kind == "tables":
            tensors, layout, copies = _without_copies(tensors, contents, group.pairs)
            meant = "interleaved" if group.is_interleaved() else "half"
            if copies not in (None, meant):
                note += (f"; each value stands twice {_COPIES[copies]}, for a kernel that pairs dimensions so: the "
                         f"configuration pairs them {_COPIES[meant]}")
            if layout == ("interleaved" if group.is_interleaved() else "half"):
                layout = None
        # The encoding says at which position its first row is.
        is_whole = positions is None or positions == list(range(len(positions)))
        at = None if is_whole else positions_tensor(positions)
        widths = {view.shape[-1] for view in tensors.values()}
        wrong_width = part.kind == "tables" and widths.isdisjoint({group.pairs, 2 * group.pairs})
        if wrong_width:
            return self._other_width(part, group, min(widths), [
                (pairs, lambda text: self._verdict(text, tensors, at, digest.digest()))
                for pairs in sorted({min(widths), min(widths) // 2} - {0})])
        return self._finding(
            part, group, lambda text: self._verdict(_laid_out(text, layout), tensors, at, digest.digest()), note=note)

    def _frequencies(self, part, group):
        view = part.tensors["inv_freq"]
        values, pairs = view.numbers(), group.pairs
        if len(values) == 2 * pairs and values[:pairs] == values[pairs:]:
            view = view.at(0, 0, pairs)
        elif len(values) == 2 * pairs and values[::2] == values[1::2]:
            if not group.is_interleaved():
                return Finding(part.path, group.kind, "does not conform: each frequency stands twice side by side, not "
                               "once in each half", False)
            view = View(view, view.tensor.data, view.dtype, (pairs,), (2 * view.strides[0],))
        tensors = {"inv_freq": view}
        factor = _attention_scaling(part)
        if factor is not None:  # else the amplitude is not judged
            row = memoryview(array.array("f", [factor] * pairs)).cast("B").cast("f", [1, pairs])
            tensors["cos"] = HostTensor(row, "cos")
        at = positions_tensor([0]) if "cos" in tensors else None
        key = repr((view.numbers(), factor))

        def verdict(text):
            return self._verdict(text, tensors, at, key)

        if view.shape[0] != pairs:
            tensors.pop("cos", None)
            return self._other_width(part, group, len(values), [(len(values), verdict)])
        found = self._finding(part, group, verdict)
        if found.conforms is False and self._divides_positions(part, group):
            unscaled = verdict(group.without_scaling())
            if unscaled.conforms:
                return Finding(part.path, group.kind, "conforms: positions are divided instead", True, unscaled)
        return found

    def _divides_positions(self, part, group):
        """Whether the module of frequencies does by its positions what linear scaling does by frequencies."""
        factor = group.linear_factor()
        if factor is None:
            return False
        divisor = getattr(part.module, "scaling_factor", None)
        tables = [one for one in self._parts if one.kind == "tables" and one.module is part.module and not one.problem]
        return isinstance(divisor, (int, float)) and divisor == factor or \
            any(self._held_to(one, group).conforms for one in tables)

    def _verdict(self, text, tensors, positions, key):
        kinds = tuple(sorted((role, one.tensor.dtype.code, one.tensor.dtype.bits, tuple(one.shape))
                             for role, one in tensors.items()))
        known = (text, key, kinds, positions.contiguous_bytes() if positions is not None else None)
        if known not in self._known:
            pairs = [(role, one.tensor) for role, one in tensors.items()]
            if positions is not None:
                pairs.append(("positions", positions.tensor))
            options = {"contract": self._contract, "caller": "vernier.check_model", "error_splits": False}
            self._known[known] = Verdict(judge(text, options, pairs))
        return self._known[known]

    def _finding(self, part, group, verdict_of, note=""):
        """That of the reading that the tensors agree with, else of the nearest. note: what "conforms" leaves open."""
        nearest = verdict = None
        for text in group.readings(part):
            verdict = verdict_of(text)
            nearest = verdict if nearest is None else nearest
            if verdict.conforms:
                break
        verdict = verdict if verdict.conforms else nearest
        sentence = _sentence(verdict) + (note if verdict.exit_code == 0 else "")
        conforms = {0: True, 1: False}.get(verdict.exit_code)
        return Finding(part.path, group.kind, sentence, conforms, verdict)

    def _other_width(self, part, group, found, tried):
        """A part of another width than declared: named if some rotary width predicts it."""
        for pairs, verdict_of in tried:
            text = group.with_width(pairs)
            try:
                verdict = verdict_of(text) if text else None
            except InputError:
                continue
            if verdict:
                twice = " (partial_rotary_factor applied twice)" if _is_twice(group, pairs) else ""
                sentence = f"does not conform: the rotary width is {2 * pairs}, not {2 * group.pairs}{twice}"
                return Finding(part.path, group.kind, sentence, False, verdict)
        expected = group.pairs if part.kind == "frequencies" else f"{group.pairs} or {2 * group.pairs}"
        things = "frequencies" if part.kind == "frequencies" else "columns"
        return Finding(part.path, group.kind, f"does not conform: it has {found} {things}, not {expected}", False)


def _without_copies(tensors, contents, pairs):
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


def view_rows(part):
    """The rows of a part's tables; 1 of what has none."""
    return max((view.shape[0] for view in part.tensors.values() if len(view.shape) == 2), default=1)


def _laid_out(text, layout):
    """A spec whose pairs stand by a layout, if one is given."""
    return json.dumps({**json.loads(text), "layout": layout}) if layout else text


def _cached_length(part):
    """The length that a module's frequencies are for, if it says."""
    for name in (part.prefix + "max_seq_len_cached", "max_seq_len_cached"):
        length = getattr(part.module, name, None)
        if isinstance(length, int) and 0 < length < 1 << 31:
            return length
    return None


def _attention_scaling(part):
    """The factor of a module's own; None where it has none."""
    name = part.prefix + "attention_scaling"
    factor = getattr(part.module, name, None)
    if not isinstance(factor, (int, float)) and not hasattr(factor, "item"):
        return None
    try:
        return float(factor)
    except Exception as error:  # whatever its library raises
        shape = f" of the shape {list(factor.shape)}" if hasattr(factor, "shape") else ""
        raise InputError(f"{name}: found {type(factor).__name__}{shape}, expected a number") from error


def _is_local(path):
    return bool(re.search(r"(^|[._])local($|[._])", path))


def _is_twice(group, pairs):
    factor = group.spec.get("partial_rotary_factor")
    return bool(factor) and pairs == int(2 * group.pairs * factor) // 2


def _sentence(verdict):
    if verdict.exit_code == 1:
        return f"does not conform: {verdict.json['finding'] or verdict.json['summary']}"
    return {0: "conforms", 4: "inconclusive"}.get(verdict.exit_code, "a check could not be carried out")
