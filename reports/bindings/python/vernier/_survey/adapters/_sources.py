"""The classes and functions of a library that compute an encoding, read from its sources without importing it."""

import ast
import os
import pathlib
import re

from .._asked import Subject, folder_of


def subjects(library, is_read, kinds, unasked=(), no_encodings=(), is_ignored_method=lambda name: name == "_init_weights"):
    """The Subjects among the top-level classes and functions of a library's files.

    is_read: whether a file is, by its path relative to the library's folder.
    kinds: pairs of a kind and a pattern of the source of what computes it, the first that is found counting.
    unasked: pairs of a pattern of names and why such a definition is not asked. no_encodings: why it holds no encoding, though
    its source looks alike.
    is_ignored_method: of methods that repeat what another class computes.
    """
    found, top = [], pathlib.Path(folder_of(library))
    for file in sorted(top.rglob("*.py")):
        path = str(file.relative_to(top))
        text = file.read_text("utf-8") if is_read(path) else ""
        for node in _definitions(text, "|".join(pattern for _, pattern in kinds)):
            source = _own_source(node, text.split("\n"), is_ignored_method)
            kind = next((kind for kind, pattern in kinds if re.search(pattern, source)), None)
            if kind is not None:
                name = f"{path[:-3].replace(os.sep, '.')}.{node.name}"
                nothing = reason(name, no_encodings)
                why = nothing or reason(name, unasked)
                found.append(Subject(name, os.path.join(library, path), node.lineno, kind, why, nothing is None))
    return found


def reason(name, patterns):
    return next((why for pattern, why in patterns if re.search(pattern, name)), None)


def _definitions(text, likely):
    """The top-level classes and functions of a file with a pattern in them. An empty line stands in place of each line of
    others: to parse all takes twenty times as long."""
    parts = re.split(r"^(?=[^)\]}\s])", text, flags=re.MULTILINE)
    is_likely = lambda part: re.match(r"class |def ", part) and re.search(likely, part)
    try:
        nodes = ast.parse("".join(part if is_likely(part) else "\n" * part.count("\n") for part in parts)).body
    except SyntaxError:  # a line of a text in a file that starts as code does
        nodes = ast.parse(text).body
    return [node for node in nodes if isinstance(node, (ast.ClassDef, ast.FunctionDef))]


def _own_source(node, lines, is_ignored_method):
    """The lines of a definition without comments, texts and ignored methods."""
    kept = lines[node.lineno - 1:node.end_lineno]
    dropped = [one for one in node.body if isinstance(one, ast.FunctionDef) and is_ignored_method(one.name)]
    dropped += [one for one in ast.walk(node) if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)
                and isinstance(one.value.value, str)]
    for one in dropped:
        for line in range(one.lineno, one.end_lineno + 1):
            kept[line - node.lineno] = ""
    return "\n".join(re.sub(r"(^|\s)#.*", "", line) for line in kept)
