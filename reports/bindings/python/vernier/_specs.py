"""Reads the spec of a caller as text for the library."""

import json
import os

from ._library import InputError, one_line, understand


def read(spec):
    """The text of a spec, and what to call it in sentences (None: as the library does).

    spec: a dict of a spec or of a config.json, an object with to_dict(), JSON text, the path of a file, or
    the id of a model of the catalogue.
    """
    if hasattr(spec, "to_dict"):
        try:
            spec = spec.to_dict()
        except Exception as error:  # whatever its library raises
            raise InputError(f"spec: found {type(spec).__name__}, whose to_dict() fails "
                             f"({one_line(error)})") from error
    if isinstance(spec, dict) and "groups" in spec and "scheme" not in spec:  # what vernier.spec() returns
        encoded = [one["spec"] for one in spec["groups"] if one.get("spec")]
        if len(encoded) != 1:
            raise InputError(f"spec: found the {len(encoded)} specs of vernier.spec(), expected one of them "
                             '(its ["groups"][0]["spec"]), or the configuration itself and a layer')
        spec = encoded[0]
    if isinstance(spec, dict):
        try:
            return json.dumps(spec, default=_plain), None
        except (TypeError, ValueError, RecursionError) as error:
            raise InputError(f"spec: found a dict that is not JSON ({one_line(error)}), expected what JSON "
                             "has") from error
    if isinstance(spec, os.PathLike):
        return _read_file(os.fspath(spec))
    if not isinstance(spec, str):
        raise InputError(f"spec: found {type(spec).__name__}, expected a dict, JSON, the path of a file or the id of a "
                         "model")
    if spec.lstrip()[:1] in ("{", "["):
        return spec, None
    if os.path.isfile(spec) or spec.endswith(".json"):
        return _read_file(spec)
    return spec, None


def _plain(value):
    """A number of NumPy's or a tensor's as Python's own; anything else as text."""
    return value.item() if hasattr(value, "item") and getattr(value, "size", 1) in (1, None) else str(value)


def _read_file(path):
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error})") from error
    # A file is never the id of a model.
    if text.lstrip()[:1] not in ("{", "["):
        raise InputError(f"{path}: found no JSON object, expected a spec or a model's config.json")
    return text, os.fspath(path)


def understood(config):
    """Reads a model's configuration: see vernier.spec."""
    text, source = read(config)
    return understand(text, {"source": source})
