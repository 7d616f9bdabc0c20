"""The classes and functions of a library that compute an encoding, read from its sources without importing it."""

import ast
import os
import re

from .._asked import Subject, folder_of


def definitions(library, is_read, likely):
    """The top-level classes and functions of a library's files with a pattern in their text: (name, file, node, lines of the file).

    is_read: whether a file is, by its path relative to the library's folder.
    """
    top = folder_of(library)
    for folder, folders, files in os.walk(top):
        folders.sort()
        for name in sorted(files):
            path = os.path.relpath(os.path.join(folder, name), top)
            if not name.endswith(".py") or not is_read(path):
                continue
            with open(os.path.join(top, path), encoding="utf-8") as file:
                text = file.read()
            if not re.search(likely, text):
                continue
            try:
                nodes = ast.parse(_without_others(text, likely)).body
            except SyntaxError:  # a line of a text in a file that starts as code does
                nodes = ast.parse(text).body
            for node in nodes:
                if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                    yield path[:-3].replace(os.sep, ".") + "." + node.name, path, node, text.split("\n")


def _without_others(text, likely):
    """A file's text with an empty line in place of each line outside of likely definitions: to parse all takes twenty times as
    long."""
    starts = [one.start() for one in re.finditer(r"^(?![)\]}])\S", text, re.MULTILINE)] + [len(text)]
    parts = [text[first:last] for first, last in zip(starts, starts[1:])]
    return text[:starts[0]] + "".join(
        part if re.match(r"class |def ", part) and re.search(likely, part) else "\n" * part.count("\n") for part in parts)


def subjects(library, is_read, kinds, unasked=(), no_encodings=(), is_ignored_method=lambda name: name == "_init_weights"):
    """The Subjects among them.

    kinds: pairs of a kind and a pattern of the source of what computes it, the first that is found counting.
    unasked: pairs of a pattern of names and why such a definition is not asked. no_encodings: why it holds no encoding, though
    its source looks alike.
    is_ignored_method: of methods that repeat what another class computes.
    """
    found = []
    for name, path, node, lines in definitions(library, is_read, "|".join(pattern for _, pattern in kinds)):
        source = _own_source(node, lines, is_ignored_method)
        kind = next((kind for kind, pattern in kinds if re.search(pattern, source)), None)
        if kind is not None:
            nothing = _why(name, no_encodings)
            found.append(Subject(name, os.path.join(library, path), node.lineno, kind, nothing or _why(name, unasked),
                                 nothing is None))
    return found


def _why(name, patterns):
    return next((why for pattern, why in patterns if re.search(pattern, name)), None)


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
