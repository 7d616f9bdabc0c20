"""Writes a wheel of the package, with libvernier, the command and the libraries that they need.

Usage: make_wheel.py --wheel WHEEL --sources FOLDER --library LIBVERNIER --programs PROGRAM... [--sysroot FOLDER]
                     [--folders FOLDER...] [--strip STRIP]

--sources: the root of Vernier's sources. --sysroot: what .ci/wheel-sysroot unpacked; without it the wheel is for this
machine. --folders: where shared libraries are looked for.

The C library and libgcc_s are the system's, as for every wheel. The others are found beside libvernier, by its run path
$ORIGIN, under their own names, so that each can be replaced by another build of it, as the LGPL asks. Licences and a bill of
materials come along.
"""

import argparse
import base64
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import zipfile

import bill_of_materials as bill

SYSTEM = re.compile(r"^(linux-vdso|ld-linux.*|lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s))\.so")
SUMMARY = "Verification of the positional encodings of Transformers"
CLASSIFIERS = """Development Status :: 4 - Beta
Environment :: Console
Framework :: Pytest
Intended Audience :: Developers
Intended Audience :: Science/Research
Operating System :: POSIX :: Linux
Programming Language :: C++
Programming Language :: Python :: 3
Programming Language :: Python :: 3 :: Only
Topic :: Scientific/Engineering :: Artificial Intelligence
Topic :: Software Development :: Quality Assurance
Topic :: Software Development :: Testing""".splitlines()
ENTRY_POINTS = "[console_scripts]\nvernier = vernier.__main__:main\nvernier-survey = vernier.__main__:survey\n\n[pytest11]\nvernier = vernier.pytest_plugin\n"


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def needed(binaries, folders):
    """The libraries that are not the system's, of the binaries and of each other: the path by the name."""
    found, waiting = {}, list(binaries)
    while waiting:
        binary = waiting.pop()
        listed = subprocess.run(["readelf", "-d", binary], check=True, capture_output=True, text=True).stdout
        for name in re.findall(r"\(NEEDED\).*\[(.*)\]", listed):
            if name in found or SYSTEM.match(name) or name.startswith("libvernier."):
                continue
            places = [os.path.join(folder, name) for folder in folders]
            place = next(filter(os.path.isfile, places), None)
            if place is None:
                raise SystemExit(f"{binary}: {name} is in none of {', '.join(folders)}")
            found[name] = os.path.realpath(place)
            waiting.append(found[name])
    return found


def stripped(path, strip):
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "library")
        subprocess.run([strip, "--strip-unneeded", "-o", copy, path], check=True)
        return read(copy)


def metadata(version, description):
    lines = ["Metadata-Version: 2.1", "Name: vernier", f"Version: {version}", f"Summary: {SUMMARY}",
             "Keywords: transformers,positional encoding,RoPE,ALiBi,numerics,verification,testing",
             *(f"Classifier: {one}" for one in CLASSIFIERS), "Requires-Python: >=3.8", "Provides-Extra: numpy",
             'Requires-Dist: numpy; extra == "numpy"', "Description-Content-Type: text/markdown"]
    return "\n".join(lines).encode() + b"\n\n" + description


def members(options, info, version, tag):
    """What the wheel holds: (name, bytes, mode)."""
    here = os.path.join(options.sources, "reports", "bindings", "python")
    package = os.path.join(here, "vernier")
    for folder, folders, names in os.walk(package):
        folders.sort()
        for name in sorted(names):
            if name.endswith(".py"):
                path = os.path.relpath(os.path.join(folder, name), package)
                yield f"vernier/{path}", read(package, path), 0o644
    yield "vernier/SKILL.md", read(options.sources, "reports", "manual", "SKILL.md"), 0o644
    yield "vernier/libvernier.so.1", stripped(options.library, options.strip), 0o755
    for program in options.programs:
        yield f"vernier/bin/{os.path.basename(program)}", stripped(program, options.strip), 0o755
    libraries = needed([options.library, *options.programs], options.folders)
    for name, path in sorted(libraries.items()):
        yield f"vernier/{name}", stripped(path, options.strip), 0o755
    components = bill.components(libraries, options.sysroot)
    for one in components:
        if one.licence_text:
            yield f"{info}/licenses/{one.package}.txt", one.licence_text, 0o644
    own = os.path.join(options.sources, "LICENSE")  # the owner's to give
    if os.path.isfile(own):
        yield f"{info}/licenses/LICENSE", read(own), 0o644
    yield f"{info}/sboms/vernier.cdx.json", bill.document("vernier", version, components), 0o644
    yield f"{info}/METADATA", metadata(version, read(here, "description.md")), 0o644
    wheel = f"Wheel-Version: 1.0\nGenerator: vernier\nRoot-Is-Purelib: false\nTag: {tag}\n"
    yield f"{info}/WHEEL", wheel.encode(), 0o644
    yield f"{info}/entry_points.txt", ENTRY_POINTS.encode(), 0o644


def main():
    parser = argparse.ArgumentParser()
    for name in ("wheel", "sources", "library"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--programs", nargs="+", required=True)
    parser.add_argument("--folders", nargs="*", default=[])
    parser.add_argument("--sysroot", default="")
    parser.add_argument("--strip", default="strip")
    options = parser.parse_args()
    name, version, tag = os.path.basename(options.wheel)[:-len(".whl")].split("-", 2)
    info = f"{name}-{version}.dist-info"
    os.makedirs(os.path.dirname(options.wheel), exist_ok=True)
    unfinished = options.wheel + ".unfinished"
    record = []
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        def add(member, content, mode):
            # One date for all: the same content is the same file.
            entry = zipfile.ZipInfo(member, date_time=(1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)

        for member, content, mode in members(options, info, version, tag):
            add(member, content, mode)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{member},sha256={digest},{len(content)}\n")
        add(f"{info}/RECORD", "".join([*record, f"{info}/RECORD,,\n"]).encode(), 0o644)
    os.replace(unfinished, options.wheel)
    print(f"{options.wheel}: {os.path.getsize(options.wheel) / 1e6:.1f} MB")


if __name__ == "__main__":
    sys.exit(main())
