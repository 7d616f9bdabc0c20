"""Hugging Face's transformers: the classes of its modeling files."""

import importlib

from .. import _sources
from ..._asked import Unjudged
from . import biases, buckets, rotary, sinusoidal, windows

DISTRIBUTION = "transformers"
LEAST = (4, 50)
PRELOAD = ("torch", "transformers", "transformers.modeling_utils", "transformers.modeling_rope_utils")

# What the source of a definition has that computes an encoding.
_KINDS = (
    ("rotary", r"\binv_freq\b[^=\n]*=[^=]|freqs_cis\s*=|freqs_ci\b"),
    ("buckets", r"def \w*relative_position_bucket|def \w*log_bucket|def make_log_bucket"),
    ("alibi", r"def build\w*alibi"),
    ("windows", r"def \w*relative_position_index|def \w*relative_coords"),
    ("sinusoidal", r"(torch\.|np\.|math\.)(sin|cos)\(|\.(sin|cos)_?\(\)"),
)
# Definitions whose source looks like an encoding and is none, or that computes nothing of its own.
_OTHERS = (
    (r"Snake", "no encoding: an activation, x + sin(a x)^2 / b"),
)
_ASKED = {"rotary": rotary.trials, "sinusoidal": sinusoidal.trials, "buckets": buckets.trials, "alibi": biases.trials,
          "windows": windows.trials}


def subjects():
    return _sources.subjects("transformers", lambda path: "/modeling_" in path or path.startswith("modeling_"), _KINDS, _OTHERS)


def trials(subject, dtypes):
    module, _, attribute = subject.name.rpartition(".")
    try:
        thing = getattr(importlib.import_module(f"transformers.{module}"), attribute)
    except Exception as error:  # a package that it needs is not installed
        raise Unjudged(f"its module cannot be imported ({type(error).__name__}: {error})") from error
    return _ASKED[subject.kind](thing, dtypes)
