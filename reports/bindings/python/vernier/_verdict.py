"""Judging tensors."""

import datetime
import functools
import json
import os

from . import _specs
from ._library import InputError, arithmetic as _arithmetic, judge
from ._parts import phasors
from ._tensors import HostTensor, positions_tensor

_POSITION_ROLES = ("positions", "relative_positions")


class Verdict:
    """The verdict on tensors. It is true if they conform.

    exceptions: those that a function raised which validate() asked.
    """

    def __init__(self, handle):
        self._handle = handle
        self.exceptions = []

    @property
    def exit_code(self):
        """As the command's: 0 conforms, 1 does not, 3 a check could not be carried out, 4 inconclusive or
        nothing checked, 5 a waiver is stale."""
        return self._handle.exit_code

    @property
    def conforms(self):
        return self.exit_code == 0

    def __bool__(self):
        return self.conforms

    @functools.cached_property
    def text(self):
        """The verdict in at most eleven lines; the first line is the summary."""
        return self._handle.text("text").rstrip("\n")

    @functools.cached_property
    def full_text(self):
        """The same with every check, and all that was measured."""
        return self._handle.text("full_text").rstrip("\n")

    @functools.cached_property
    def json(self):
        """The verdict document as a dict."""
        return json.loads(self._handle.text("json"))

    @property
    def html(self):
        """A page of its own."""
        return self._handle.text("html")

    @property
    def junit(self):
        return self._handle.text("junit")

    @property
    def sarif(self):
        return self._handle.text("sarif")

    def __repr__(self):
        return f"<vernier.Verdict: {self.text.splitlines()[0]}>"


def check(spec, *, layer=None, sequence_length=None, contract=None, name=None, waivers=None, date=None, **tensors):
    """Judges tensors against a spec, and returns a Verdict.

    spec: a spec or a model's config.json as a dict, as JSON text or as the path of a file; an object with to_dict();
    or the id of a catalogue model ("llama-3.1-8b").
    layer: the layer to judge if a model's layers differ: a number or a kind ("sliding_attention").
    sequence_length: the length of the text, in place of the spec's, if its frequencies depend on it.
    contract: the contract to judge by; default "float64" for tensors of float64, "float32" for inv_freq and others.
    name: the name of the case in the verdict.
    waivers: the path of a file of waivers, or a list of its entries.
    date: the day on which waivers are judged, a datetime.date or "YYYY-MM-DD"; default today (UTC).
    tensors: by role, cos=..., sin=..., positions=...: anything with __dlpack__, or a buffer of numbers.
    Those on a device are copied to the host. Positions may be a range or a list. freqs_cis=... is a complex
    tensor of cosines and sines. inv_freq=... are the frequencies of the pairs.

    Raises InputError if the arguments cannot be judged.
    """
    __tracebackhide__ = True  # pytest shows the caller's line
    text, source = _specs.read(spec)
    _require_tensors(tensors)
    held = _held(tensors)
    options = {**judging_options("vernier.check", source, layer, contract, name, waivers, date),
               "sequence_length": sequence_length}
    return Verdict(judge(text, options, [(role, one.tensor) for role, one in held]))


def arithmetic(spec, *, layer=None, name=None, **tensors):
    """Finds the computations that predict every bit of tables (cos=..., sin=...), or of vectors before and after a
    rotation (input=..., rotated=...), or of both.

    Returns a dict: "arithmetics", each with a "sentence" and its "stages"; "stages", each with the "ways" that are
    left, and the "reason" if there are several; "count" and "remarks". Takes what check() takes, and raises InputError
    for other tensors.
    """
    text, source = _specs.read(spec)
    _require_tensors(tensors)
    held = _held(tensors)
    options = judging_options("vernier.arithmetic", source, layer, None, name, None, None)
    return _arithmetic(text, options, [(role, one.tensor) for role, one in held])


def _require_tensors(tensors):
    """None is what a module without such a tensor has: nothing would be judged of it."""
    for role, tensor in tensors.items():
        if tensor is None:
            raise InputError(f"{role}: found None, expected a tensor; leave {role}= out if there is none")


def _held(tensors):
    """The given tensors, on the host, by their roles."""
    held = []
    for role, tensor in tensors.items():
        if tensor is not None and role == "freqs_cis":
            held += phasors(tensor, role).items()
            continue
        if tensor is not None and not isinstance(tensor, HostTensor):
            tensor = positions_tensor(tensor, role) if role in _POSITION_ROLES else HostTensor(tensor, role)
        if tensor is not None:
            held.append((role, tensor))
    return held


def judging_options(caller, source, layer, contract, name, waivers, date):
    """The options of a call of the library."""
    options = {
        "layer": None if layer is None else str(layer),
        "contract": contract,
        "name": name,
        "source": source,
        "waivers": os.fspath(waivers) if isinstance(waivers, os.PathLike) else waivers,
        "date": date.isoformat() if isinstance(date, datetime.date) else date,
        "caller": caller,
    }
    require_texts(options, "contract", "name", "date")
    return options


def assert_conforms(spec, *, verbose=False, **tensors):
    """Judges as check() does, and raises an AssertionError unless the tensors conform. Returns the Verdict.

    verbose: the error has all that was measured.
    """
    __tracebackhide__ = True  # pytest shows the caller's line
    return require_conformance(check(spec, **tensors), verbose=verbose)


def require_conformance(verdict, *, verbose=False):
    """Raises an AssertionError with the first ten lines of a verdict that does not conform, or with all that was
    measured if verbose. Returns the others."""
    __tracebackhide__ = True
    if not verdict.conforms:
        text = verdict.full_text if verbose else "\n".join(verdict.text.splitlines()[:10])
        raise AssertionError(text.replace("--verbose", "verbose=True"))
    return verdict


def require_texts(options, *keys):
    for key in keys:
        if not isinstance(options[key], (str, type(None))):
            raise InputError(f"{key}: found {type(options[key]).__name__}, expected a text")
