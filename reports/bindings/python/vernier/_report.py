"""The results of check_model: a finding for each part of a model."""

import dataclasses
import re

from ._parts import LOOKED_FOR, is_elsewhere
from ._verdict import Verdict

# Names of tensors that are worth a look where nothing was found, and how many are shown.
_TELLING = re.compile(r"rot|rope|pos|freq|theta|cos|sin|alibi|slope|emb", re.IGNORECASE)
_MOST_SHOWN = 8
# Telling names of what is no positional table: the embeddings of words and their norms.
_OF_WORDS = re.compile(r"word|tok|wte|norm", re.IGNORECASE)
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
            if self.findings:
                nothing = f"nothing judged: the positional tensors of {self._looked_at} could not be judged"
                return "\n".join([nothing, *map(str, self.findings)])
            nothing = f"nothing found: no positional table or frequency could be judged in {self._looked_at}"
            return "\n".join([nothing, *self._what_was_seen()])
        return "\n".join([*map(str, self.findings), *self._what_was_left()])

    __repr__ = __str__

    def _what_was_left(self):
        """The tensors beside judged ones whose names are those of tables."""
        left = [name for name in self._seen
                if name not in self._paths and not is_elsewhere(name) and _UNKNOWN_TABLE.search(name.rsplit(".", 1)[-1])]
        return [f"not looked at: {', '.join(left[:_MOST_SHOWN])}: say what they are by tables="] if left else []

    def _what_was_seen(self):
        """The tensors of a model without a judged one: small tensors and those with telling names first."""
        by_interest = sorted(self._seen, key=lambda name: (not _TELLING.search(name), self._seen[name].count(",")))
        shown = [f"{name} {self._seen[name]}" for name in by_interest[:_MOST_SHOWN]]
        rest = len(self._seen) - len(shown)
        seen = ", ".join(shown) + (f" and {rest} more" if rest else "")
        example = next((name for name in by_interest if _TELLING.search(name) and not _OF_WORDS.search(name)), "pos.freqs")
        return [f"seen: {seen or 'no tensor'}", f"looked for: {', '.join(LOOKED_FOR)}",
                f'to judge a tensor of another name, say what it is: check_model(model, tables={{"{example}": "inv_freq"}})']
