#!/usr/bin/env python3
"""Checks the files of the corpus: keys, kinds, sources, tensors, patterns, and the size of the folder.

Usage: check.py [FOLDER]: that of this file if none is given. Leaves with 1 and a sentence for each problem.
"""
import ast
import collections
import json
import pathlib
import re
import struct
import sys
import zipfile

KINDS = {
    "positions": "a row, head or sequence has the position of a different one",
    "axes": "a position along one of several axes is wrong",
    "frequencies": "a pair turns at a frequency that the formula does not give it",
    "scaling": "the scaling of frequencies is left out, or has a wrong parameter or length",
    "amplitude": "the factor of cosines and sines is wrong",
    "layout": "dimensions form wrong pairs, or too many or too few of them rotate",
    "rotation": "vectors are not rotated, rotated again, or their gradient is wrong",
    "precision": "a step is rounded to a narrower format, or a function is inaccurate",
    "storage": "a tensor is lost, zero, or stored in an integer format",
    "biases": "slopes or biases of ALiBi",
    "buckets": "buckets of relative positions",
    "resampling": "interpolated tables of positions",
    "honest": "the tensor conforms",
}
LARGEST = 12_000_000  # bytes of all cases
MOST_OTHERS = 2  # sentences of other faults that a pattern may match
MOST_WORDS = 30
KEYS = {"name", "producer", "spec", "tensors", "expect"}
OPTIONAL = {"dtype", "quantization", "contract"}
EXPECT = {"honest": {"verdict", "kind"}, "fault": {"verdict", "kind", "fault", "says"}}
EXPECT_OPTIONAL = {"crop", "note", "said_whole", "said_cropped"}
# owner/name@commit; owner/name and a thread; owner/name and a file
SOURCE = re.compile(r"[\w.-]+/[\w.-]+(@[0-9a-f]{6,}| (issues?|PR) \d+| [\w./-]+\.(py|cpp|cu|rs|h|hpp|cuh|java)\b)")
NOT_PORTABLE = re.compile(r"\(\?(?![!:=])|\\[AZzGKpPkuUx]|\[\[:|\$\)")


def shape_in(archive, member):
    """The shape of an array within an open .npz; None if it is not one."""
    with archive.open(member) as file:
        if file.read(6) != b"\x93NUMPY":
            return None
        major = file.read(2)[0]
        length = struct.unpack("<H" if major == 1 else "<I", file.read(2 if major == 1 else 4))[0]
        return ast.literal_eval(file.read(length).decode("latin1"))["shape"]


def tensor_problems(case, file):
    """What is wrong with the tensors of a case."""
    packed = file.with_suffix(".npz")
    if not packed.exists():
        yield f"found no {packed.name}, expected the tensors in it"
        return
    with zipfile.ZipFile(packed) as archive:
        members = set(archive.namelist())
        for role, place in case["tensors"].items():
            if place != f"{packed.name}:{role}":
                yield f"tensors.{role}: found {place!r}, expected {packed.name + ':' + role!r}"
            elif role + ".npy" not in members:
                yield f"tensors.{role}: found no such member in {packed.name}"
            elif not shape_in(archive, role + ".npy") or 0 in shape_in(archive, role + ".npy"):
                yield f"tensors.{role}: found no elements, expected an array"
        for member in sorted(members - {role + ".npy" for role in case["tensors"]}):
            yield f"{packed.name}: found the member {member!r}, expected those of the tensors only"


def expectation_problems(expect):
    """What is wrong with "expect" by itself."""
    is_fault = expect.get("verdict") == "does_not_conform"
    if not is_fault and expect.get("verdict") != "conforms":
        yield f"expect.verdict: found {expect.get('verdict')!r}, expected 'conforms' or 'does_not_conform'"
        return
    needed = EXPECT["fault" if is_fault else "honest"]
    for key in sorted(needed - set(expect)):
        yield f"expect.{key}: missing"
    for key in sorted(set(expect) - needed - EXPECT_OPTIONAL):
        yield f"expect.{key}: found a key that is not known"
    if ("said_whole" in expect) != ("said_cropped" in expect):
        yield "expect: found one of said_whole and said_cropped, expected both or neither"
    if expect.get("kind") not in KINDS or (expect.get("kind") == "honest") == is_fault:
        yield f"expect.kind: found {expect.get('kind')!r}, expected one of {', '.join(sorted(KINDS))}"
    if is_fault and needed <= set(expect):
        yield from fault_problems(expect)


def fault_problems(expect):
    """What is wrong with the sentence of a fault and its pattern."""
    fault, says = expect["fault"], expect["says"]
    if not re.fullmatch(r"[A-Z].*\.", fault) or len(fault.split()) > MOST_WORDS:
        yield f"expect.fault: found {fault!r}, expected a sentence with at most {MOST_WORDS} words"
    if NOT_PORTABLE.search(says):
        yield f"expect.says: found {says!r}, expected a pattern that C++, JavaScript and Python read alike"
        return
    try:
        pattern = re.compile(says, re.IGNORECASE)
    except re.error as error:
        yield f"expect.says: found {says!r}, expected a pattern ({error})"
        return
    if not pattern.search(fault):
        yield f"expect.says: {says!r} does not match its own sentence {fault!r}"
    whole, cropped = expect.get("said_whole", ""), expect.get("said_cropped", "")
    for key, said in (("said_whole", whole), ("said_cropped", cropped)):
        if "unexplained" in said and pattern.search(said):
            yield f"expect.says: {says!r} matches {key}, which explains nothing"
    if pattern.search(whole) and not pattern.search(cropped):
        yield f"expect.said_cropped: found {cropped!r}: the crop loses the name of {whole!r}"


def case_problems(case, file):
    """What is wrong with one case."""
    for key in sorted(KEYS - set(case)):
        yield f"{key}: missing"
    for key in sorted(set(case) - KEYS - OPTIONAL):
        yield f"{key}: found a key that is not known"
    if KEYS <= set(case):
        if case["name"] != file.stem:
            yield f"name: found {case['name']!r}, expected {file.stem!r}"
        if not SOURCE.search(case["producer"]):
            yield f"producer: found {case['producer']!r}, expected owner/name with a commit, a thread or a file"
        yield from tensor_problems(case, file)
        yield from expectation_problems(case["expect"])


def pattern_problems(cases):
    """The patterns that match the sentences of too many other faults; programs with the same fault share a sentence."""
    expectations = [(name, case["expect"]) for name, case in cases.items() if "says" in case["expect"]]
    sentences = sorted({expect["fault"] for _, expect in expectations})
    for name, expect in expectations:
        others = [sentence for sentence in sentences
                  if sentence != expect["fault"] and re.search(expect["says"], sentence, re.IGNORECASE)]
        if len(others) > MOST_OTHERS:
            yield (f"{name}: expect.says: {expect['says']!r} matches {len(others)} other faults, expected at most "
                   f"{MOST_OTHERS}: {' '.join(others)}")


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent) / "cases"
    files = sorted(folder.iterdir())
    problems, cases = [], {}
    for file in files:
        if file.suffix == ".npz" and file.with_suffix(".json").exists():
            continue
        if file.suffix != ".json":
            problems.append(f"{file.name}: found a file that belongs to no case")
            continue
        case = json.loads(file.read_text(encoding="utf-8"))
        found = [f"{file.name}: {problem}" for problem in case_problems(case, file)]
        problems += found
        if not found:
            cases[case["name"]] = case
    problems += pattern_problems(cases)
    size = sum(file.stat().st_size for file in files)
    if size >= LARGEST:
        problems.append(f"{folder}: found {size} bytes, expected less than {LARGEST}")
    for problem in problems:
        print(problem)
    kinds = collections.Counter(case["expect"]["kind"] for case in cases.values())
    honest = kinds.pop("honest", 0)
    print(f"{sum(kinds.values())} faults, {honest} honest tensors, {size / 1e6:.1f} MB; "
          + ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))
    if not cases:
        print(f"{folder}: found no case")
    return 1 if problems or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
