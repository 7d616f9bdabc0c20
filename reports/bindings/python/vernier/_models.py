"""Judging what a loaded model holds against its own configuration."""

import array
import dataclasses
import hashlib
import json
import re

from ._layers import ANOTHER, groups_of, without_copies
from ._library import InputError, judge
from ._parts import View, as_rotations, config_of, parts_of, sampled_rows
from ._report import Finding, ModelReport
from ._tensors import HostTensor, positions_tensor
from ._verdict import Verdict

# How the copies of a value stand in tables of a column for each dimension.
_COPIES = {"half": "half a row apart", "interleaved": "side by side"}


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
    own = _own_config(model)
    config = own if config is None else config
    if config is None:
        raise InputError("config: found neither an argument nor model.config, expected one of the two")
    parts, seen = parts_of(model, tables)
    judge = _Judge(*groups_of(config), parts, contract, own)
    findings = [judge.finding(part) for part in parts]
    taken = [name for part in parts for name in part.names]
    return ModelReport(findings + judge.missing(), f"an object of the class {type(model).__qualname__}", seen, taken)


def _own_config(model):
    """The configuration of a model, or of what it wraps; None where there is none."""
    config = getattr(model, "config", None)
    if config is not None or not hasattr(model, "named_modules"):
        return config
    return next(filter(None, (config_of(module) for _, module in model.named_modules())), None)


class _Judge:
    def __init__(self, groups, unencoded, parts, contract, own):
        """own: the configuration of the model, if it has one."""
        self._groups, self._unencoded, self._parts, self._contract, self._own = groups, unencoded, parts, contract, own
        self._read = {}  # the groups of configurations, by their identities; what is wrong where they cannot be read
        self._has_local = any(_is_local(part.path) for part in parts)
        self._covered = set()
        self._known = {}  # verdicts of the same bytes

    def finding(self, part):
        other = self._other_groups(part)
        if part.elsewhere and (other is None or isinstance(other, str)):
            return Finding(part.path, "", "not judged: it is of another part than the language model")
        if part.problem:
            return Finding(part.path, "", f"not judged: {part.problem}")
        if part.elsewhere:
            return self._held_to_others(part, other)
        for kind, why in self._unencoded.items():
            if any(one and one in part.path for one in kind.split(", ")):
                return Finding(part.path, kind, f"not judged: {why}")
        by_others = None
        if isinstance(other, list) and not any(one.is_near(part) for one in self._groups):
            by_others = self._held_to_others(part, other)
            if by_others.conforms:
                return by_others
        found = self._held_to_some(part, self._groups)
        if found.conforms:
            self._covered.add(found.layers)
            return found
        if isinstance(other, str):
            return Finding(part.path, "", f"not judged: its module has a configuration of its own: {other}")
        if by_others is not None:
            return by_others
        if found.conforms is False and self._is_unused(part):
            return Finding(part.path, "", "not judged: all layers have the other frequencies of its module")
        if found.conforms is False:
            self._covered.add(found.layers)
        return found

    def _held_to_some(self, part, groups):
        """The finding of a part, held to those of some groups that it may belong to."""
        role = {"frequencies": "cos", "tables": "cos"}.get(part.kind, part.kind)
        fitting = [one for one in groups if one.has(role)]
        if not fitting and part.kind == "encoding" and any(one.has("cos") for one in groups):
            try:
                return self._held_to_some(as_rotations(part), groups)
            except InputError as error:
                return Finding(part.path, "", f"not judged: {error}")
        if not fitting:
            return Finding(part.path, "", "not judged: the configuration has no encoding with such a tensor")
        return self._held_to_nearest(part, self._meant(part, fitting))

    def _held_to_others(self, part, groups):
        """The finding of a part, held to the configuration of its module."""
        found = self._held_to_some(part, groups)
        return dataclasses.replace(found, sentence=f"{found.sentence} (held to the configuration of its module)")

    def _other_groups(self, part):
        """The groups of a module's own configuration, or what is wrong with it. None if its encodings are the model's."""
        if part.config is None or self._own is None or part.config is self._own:
            return None
        of_model, of_part = self._understood(self._own), self._understood(part.config)
        if isinstance(of_model, str) or isinstance(of_part, str):
            return None if isinstance(of_model, str) else of_part
        return None if [one.text for one in of_part] == [one.text for one in of_model] else of_part

    def _understood(self, config):
        if id(config) not in self._read:
            try:
                self._read[id(config)] = groups_of(config)[0]
            except InputError as error:
                self._read[id(config)] = str(error)
        return self._read[id(config)]

    def _frequencies_beside(self, part):
        """The other frequencies of a part's module, for other layers than its own."""
        return [one for one in self._parts if one.kind == "frequencies" and one.module is part.module and
                _kind_of(one) != _kind_of(part) and not one.problem] if part.kind == "frequencies" else []

    def _is_unused(self, part):
        """Whether other frequencies of the module are those of all layers, and the part's name is that of none."""
        beside = self._frequencies_beside(part)
        named = any(kind and kind in part.path for one in self._groups for kind in one.kind.split(", "))
        return bool(beside) and not named and all(
            any(self._held_to(other, one).conforms for other in beside) for one in self._groups if one.has("cos"))

    def missing(self):
        """A finding for each kind of layers with frequencies of which nothing was found, where there is something."""
        return [Finding("", one.kind, "nothing was found that holds their frequencies", missing=True)
                for one in self._groups if self._covered and one.has("cos") and one.kind not in self._covered]

    def _meant(self, part, groups):
        """The layers that a part belongs to, by its path: all, if it does not say."""
        path = part.path
        named = [one for one in groups for kind in one.kind.split(", ") if kind and kind in path]
        if named:
            return named[:1]
        number = re.search(r"(^|\.)(layers?|h|blocks?)\.(\d+)\.", path)
        numbered = [one for one in groups if number and int(number.group(3)) in one.layers]
        if numbered and not self._frequencies_beside(part):
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
        held = [self._held_to(part, one) for distance, one in by_distance if distance < ANOTHER]
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
            tensors, layout, copies = without_copies(tensors, contents, group.pairs)
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
        part = group.in_order_of_pairs(part)
        view = part.tensors["inv_freq"]
        values, pairs, axis = view.numbers(), group.pairs, group.of_one_axis()
        if axis is not None and len(values) == axis.pairs:
            return self._frequencies(part, axis)
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
        nearest, *others = group.readings(part)
        verdict = verdict_of(nearest)
        if not verdict.conforms:
            others = (verdict_of(text) for text in others if group.distance(part, text) < ANOTHER)
            verdict = next((one for one in others if one.conforms), verdict)
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


def view_rows(part):
    """The rows of a part's tables; 1 of what has none."""
    return max((view.shape[0] for view in part.tensors.values() if len(view.shape) == 2), default=1)


def _laid_out(text, layout):
    """A spec whose pairs stand by a layout, if one is given."""
    return json.dumps({**json.loads(text), "layout": layout}) if layout else text


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


def _kind_of(part):
    """The parts of a name of frequencies that say more than that they are frequencies; some keep copies for short and long texts."""
    return re.sub(r"(original|long|short)_$", "", part.prefix)


def _is_local(path):
    return bool(re.search(r"(^|[._])local($|[._])", path))


def _is_twice(group, pairs):
    factor = group.spec.get("partial_rotary_factor")
    return bool(factor) and pairs == int(2 * group.pairs * factor) // 2


def _sentence(verdict):
    if verdict.exit_code == 1:
        return f"does not conform: {verdict.json['finding'] or verdict.json['summary']}"
    return {0: "conforms", 4: "inconclusive"}.get(verdict.exit_code, "a check could not be carried out")
