#!/usr/bin/env python3
"""Crops the tensors of a case and packs them for the corpus: NAME.json and NAME.npz.

Usage: crop.py CASE.json FOLDER [--rows 0:16,100:116,-8:] [--heads 0,3]

CASE.json is a case file of Vernier; its tensors are .npy files or FILE.npz:MEMBER. Without --rows and --heads nothing is
cropped. The same tensors give the same bytes.
"""
import argparse
import io
import json
import pathlib
import sys
import zipfile

import numpy

LISTED = {"buckets", "relative_positions"}  # one dimension: their rows are its elements
BY_ROW = {"cos", "sin", "encoding", "input", "rotated", "output_gradient", "input_gradient"}


def read_tensor(folder, place):
    """The array of "FILE.npy" or "FILE.npz:MEMBER"."""
    file, _, member = place.partition(".npz:")
    if member:
        return numpy.load(folder / (file + ".npz"))[member]
    return numpy.load(folder / place)


def chosen(text, count):
    """The indices of "0:16,40,-8:" among count, ascending."""
    indices = set()
    for part in text.split(","):
        bounds = [int(bound) if bound else None for bound in part.split(":")]
        indices.update(range(count)[slice(*bounds)] if len(bounds) > 1 else [range(count)[bounds[0]]])
    return sorted(indices)


def row_axis(role, array):
    """The axis along which the rows of a tensor lie."""
    if role in LISTED or role == "positions":
        return array.ndim - 1
    if role in BY_ROW:
        return array.ndim - 2
    raise ValueError(f"{role}: found --rows, expected none: a tensor of this role is cropped by hand")


def crop(tensors, rows=None, heads=None):
    """The tensors with some rows and some heads; texts as on the command line."""
    cropped = dict(tensors)
    if rows:
        count = max(array.shape[row_axis(role, array)] for role, array in tensors.items())
        indices = chosen(rows, count)
        is_first = indices == list(range(len(indices)))
        if not is_first and not {"positions", "relative_positions"} & set(tensors):
            raise ValueError("positions: found none, expected a tensor of positions, as the rows are not the first ones")
        cropped = {role: numpy.take(array, indices, row_axis(role, array)) for role, array in cropped.items()}
    if heads:
        for role, array in cropped.items():
            if role in BY_ROW and array.ndim > 2:
                cropped[role] = numpy.take(array, chosen(heads, array.shape[-3]), array.ndim - 3)
    return cropped


def crop_words(whole, cropped):
    """Which part of the tensors is left: "16 of 200 rows, 1 head"; None if it is all."""
    words = []
    for role, array in whole.items():
        if role not in BY_ROW:
            continue
        rows, left = array.shape[-2], cropped[role].shape[-2]
        words += [f"{left} of {rows} rows"] if left < rows else []
        if array.ndim > 2 and cropped[role].shape[-3] < array.shape[-3]:
            heads = cropped[role].shape[-3]
            words.append(f"{heads} head{'s' if heads > 1 else ''}")
        return ", ".join(words) or None
    return None


def write_npz(file, tensors):
    """A compressed .npz whose bytes depend on the tensors alone: no times, one order of the members."""
    with zipfile.ZipFile(file, "w") as archive:
        for role in sorted(tensors):
            content = io.BytesIO()
            numpy.lib.format.write_array(content, numpy.ascontiguousarray(tensors[role]), (1, 0), allow_pickle=False)
            member = zipfile.ZipInfo(role + ".npy", (1980, 1, 1, 0, 0, 0))
            member.compress_type = zipfile.ZIP_DEFLATED
            member.create_system = 3
            member.external_attr = 0o644 << 16
            archive.writestr(member, content.getvalue(), compresslevel=9)


def case_text(case):
    """A case as JSON: one line a key, and one a key of "expect"."""
    def lines(values, indent):
        return ",\n".join(f"{indent}{json.dumps(key)}: {text}" for key, text in values)

    def value_text(key, value):
        if key != "expect":
            return json.dumps(value, ensure_ascii=False)
        inner = [(name, json.dumps(part, ensure_ascii=False)) for name, part in value.items()]
        return "{\n" + lines(inner, "    ") + "\n  }"

    return "{\n" + lines([(key, value_text(key, value)) for key, value in case.items()], "  ") + "\n}\n"


def pack(case, tensors, folder):
    """Writes NAME.json and NAME.npz."""
    name = case["name"]
    places = {role: f"{name}.npz:{role}" for role in case["tensors"]}
    write_npz(folder / (name + ".npz"), tensors)
    (folder / (name + ".json")).write_text(case_text({**case, "tensors": places}), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("case", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rows")
    parser.add_argument("--heads")
    options = parser.parse_args()
    case = json.loads(options.case.read_text(encoding="utf-8"))
    tensors = {role: read_tensor(options.case.parent, place) for role, place in case["tensors"].items()}
    try:
        cropped = crop(tensors, options.rows, options.heads)
        if words := crop_words(tensors, cropped):
            case.setdefault("expect", {})["crop"] = words
        pack(case, cropped, options.folder)
    except (ValueError, OSError) as error:
        sys.exit(f"{options.case}: {error}")


if __name__ == "__main__":
    main()
