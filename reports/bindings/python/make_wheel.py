"""Writes a wheel of the package, with libvernier and the libraries that it needs beside it.

Usage: make_wheel.py PACKAGE_FOLDER LIBRARY WHEEL

The C and C++ runtimes are the system's, as for every wheel. The others are linked dynamically and found beside
libvernier, by its run path $ORIGIN, so that each can be replaced by another build of it, as the LGPL asks. Their
licences come along.
"""

import base64
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import zipfile

SYSTEM = re.compile(r"^(linux-vdso|ld-linux.*|lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s))\.so")
SUMMARY = "Verification of the positional encodings of Transformers"


def needed(library):
    """The libraries that are not the system's: (soname, path)."""
    listed = subprocess.run(["ldd", library], check=True, capture_output=True, text=True).stdout
    result = []
    for line in listed.splitlines():
        name, _, place = line.strip().partition(" => ")
        if not SYSTEM.match(os.path.basename(name.split()[0])):
            path = place.split(" (")[0]
            if not os.path.isfile(path):
                raise SystemExit(f"{library}: {name} is not found")
            result.append((name, os.path.realpath(path)))
    return result


def licence(path):
    """The licence of a Debian package that holds the file, and the package's name; nothing elsewhere."""
    try:
        owner = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True).stdout
        package = owner.split(":")[0]
        if not package and path.startswith("/usr"):
            owner = subprocess.run(["dpkg", "-S", path[len("/usr"):]], capture_output=True, text=True).stdout
            package = owner.split(":")[0]
        with open(f"/usr/share/doc/{package}/copyright", "rb") as file:
            return package, file.read()
    except OSError:
        return None


def stripped(path):
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "library")
        subprocess.run(["strip", "--strip-unneeded", "-o", copy, path], check=True)
        with open(copy, "rb") as file:
            return file.read()


def members(package, library, info, version, tag):
    """What the wheel holds: (name, bytes, mode)."""
    for name in sorted(os.listdir(package)):
        if name.endswith(".py"):
            with open(os.path.join(package, name), "rb") as file:
                yield f"vernier/{name}", file.read(), 0o644
    yield "vernier/libvernier.so.1", stripped(library), 0o755
    licences = {}
    for name, path in needed(library):
        yield f"vernier/{name}", stripped(path), 0o755
        found = licence(path)
        if found:
            licences[found[0]] = found[1]
    for owner, text in sorted(licences.items()):
        yield f"{info}/licenses/{owner}.txt", text, 0o644
    metadata = f"Metadata-Version: 2.1\nName: vernier\nVersion: {version}\nSummary: {SUMMARY}\nRequires-Python: >=3.8\n"
    wheel = f"Wheel-Version: 1.0\nGenerator: vernier\nRoot-Is-Purelib: false\nTag: {tag}\n"
    yield f"{info}/METADATA", metadata.encode(), 0o644
    yield f"{info}/WHEEL", wheel.encode(), 0o644
    yield f"{info}/entry_points.txt", b"[pytest11]\nvernier = vernier.pytest_plugin\n", 0o644


def main():
    package, library, output = sys.argv[1:]
    name, version, tag = os.path.basename(output)[:-len(".whl")].split("-", 2)
    info = f"{name}-{version}.dist-info"
    os.makedirs(os.path.dirname(output), exist_ok=True)
    unfinished = output + ".unfinished"
    record = []
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        def add(member, content, mode):
            # One date for all: the same content is the same file.
            entry = zipfile.ZipInfo(member, date_time=(1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)

        for member, content, mode in members(package, library, info, version, tag):
            add(member, content, mode)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{member},sha256={digest},{len(content)}\n")
        add(f"{info}/RECORD", "".join([*record, f"{info}/RECORD,,\n"]).encode(), 0o644)
    os.replace(unfinished, output)
    print(f"{output}: {os.path.getsize(output) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
