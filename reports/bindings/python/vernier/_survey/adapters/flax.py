"""Flax: its attention layers leave positions to models, and only what looks like an encoding is listed."""

from .._asked import Unjudged
from . import _sources

LIBRARY = DISTRIBUTION = "flax"
PRELOAD = ()

_KINDS = (("rotary", r"(?i:rotary|inv_freq|alibi)"), ("sinusoidal", r"(jnp|np|math)\.(sin|cos)\("))
_NO_ENCODINGS = ((r"lr_schedule", "a schedule of training"),)


def subjects():
    return _sources.subjects(LIBRARY, lambda path: True, _KINDS, no_encodings=_NO_ENCODINGS)


def trials(subject, dtypes):
    raise Unjudged("no adapter yet: Flax 0.12 has no encoding of positions")
