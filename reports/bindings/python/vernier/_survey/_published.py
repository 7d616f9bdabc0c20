"""Published configurations, which classes are built from beside their defaults."""

import contextlib
import json
import os

from .._library import InputError


def documents(path):
    """Pairs of a name and a configuration, a dict: of a config.json, or of a folder of such files.

    A file may also hold several: {name: {"config": {...}}}. Other files of a folder are passed over.
    """
    if os.path.isfile(path):
        found = _of_file(path, path)
    else:
        files = sorted(os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names if name.endswith(".json"))
        found = []
        for file in files:
            with contextlib.suppress(InputError):
                found += _of_file(file, os.path.relpath(file, path)[:-len(".json")])
    if not found:
        raise InputError(f"{path}: found no configuration, expected a config.json with model_type, or a folder of such files")
    return found


def _of_file(file, name):
    try:
        with open(file, encoding="utf-8") as opened:
            document = json.load(opened)
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{file}: cannot be read as a configuration ({error})") from error
    if not isinstance(document, dict):
        return []
    if isinstance(document.get("model_type"), str):
        return [(name, document)]
    return [(name, one["config"]) for name, one in document.items()
            if isinstance(one, dict) and isinstance(one.get("config"), dict)]
