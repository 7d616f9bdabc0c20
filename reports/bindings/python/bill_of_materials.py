"""Bills of materials in CycloneDX (https://cyclonedx.org/specification/overview/, version 1.5), from what Debian's packages
say of themselves.

Usage: bill_of_materials.py VERSION FILE...: writes that of a release, whose files are wheels, Debian packages and others.
"""

import collections
import hashlib
import json
import os
import re
import subprocess
import sys
import zipfile

# package: of Debian. linked: "shared", "static", or "depends" where it is not inside.
Component = collections.namedtuple("Component", "package version source linked licences licence_text")

_NAMES = {"libz.so.1": "zlib1g"}  # which does not follow Debian's policy 8.1


def _package_of(soname):
    """The package of a shared library by Debian's policy: libmpfr.so.6 is in libmpfr6, libpng16.so.16 in libpng16-16."""
    stem, _, number = soname.partition(".so.")
    hyphen = "-" if stem[-1:].isdigit() else ""
    return _NAMES.get(soname, (stem + hyphen + number).lower().replace("_", "-"))


def _licence(root, package):
    """The names of the licences by a machine-readable copyright file, and the file."""
    path = os.path.join(root or "/", "usr/share/doc", package, "copyright")
    if not os.path.isfile(path):
        return [], b""
    with open(path, "rb") as file:
        text = file.read()
    first = text.split(b"\n\n")[0]
    if not first.startswith(b"Format:"):
        return [], text
    names = re.findall(rb"^License:[ \t]*(\S.*?)\s*$", text, re.MULTILINE)
    return sorted({one.decode("utf-8", "replace") for one in names}), text


def _installed(package):
    """The package as this system has it, in words: name, version, source, "shared". Debian 13 ends some names in t64, for the
    64 bits of a time. Of a library that came in no package, a question mark is the version."""
    said = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${Version} ${source:Package} shared\n", package, package + "t64"],
                          capture_output=True, text=True).stdout if _has_dpkg() else ""
    # dpkg also knows names that other packages mention: those have no version.
    known = [line for line in said.splitlines() if len(line.split()) == 4]
    return known[0] if known else f"{package} ? {package} shared"


def components(libraries, sysroot):
    """Of the shared libraries (the path by the name), and of what is linked statically in a wheel."""
    shared = {_package_of(soname) for soname in libraries}
    if not sysroot:
        listed = [_installed(package) for package in sorted(shared)]
        shared = {line.split()[0] for line in listed}
    else:
        with open(os.path.join(sysroot, "packages.txt"), encoding="utf-8") as file:
            listed = file.read().splitlines()
    result = []
    for line in listed:
        package, version, source, linked = line.split()
        if linked == "static" or package in shared:
            root = sysroot if linked == "shared" else ""
            result.append(Component(package, version, source, linked, *_licence(root, package)))
    missing = shared - {one.package for one in result}
    if missing:
        raise SystemExit(f"no package is known of {', '.join(sorted(missing))}")
    return sorted(result)


def _has_dpkg():
    return any(os.access(os.path.join(folder, "dpkg-query"), os.X_OK) for folder in os.get_exec_path())


def _entry(one):
    entry = {"type": "library", "name": one.package, "version": one.version,
             "purl": f"pkg:deb/debian/{one.package}@{one.version}",
             "properties": [{"name": "debian:source", "value": one.source}, {"name": "linked", "value": one.linked}]}
    if one.licences:
        entry["licenses"] = [{"license": {"name": name}} for name in one.licences]
    return entry


def _bill(name, version, entries):
    return json.dumps({"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
                       "metadata": {"component": {"type": "application", "name": name, "version": version}},
                       "components": entries}, indent=1).encode() + b"\n"


def document(name, version, found):
    """The bill of something that holds these components, as bytes."""
    return _bill(name, version, [_entry(one) for one in found])


def _held_in(path):
    """The entries of what a file of a release holds or depends on."""
    if path.endswith(".whl"):
        with zipfile.ZipFile(path) as archive:
            inside = next(name for name in archive.namelist() if name.endswith(".cdx.json"))
            return json.loads(archive.read(inside))["components"]
    if path.endswith(".deb"):
        depends = subprocess.run(["dpkg-deb", "-f", path, "Depends"], check=True, capture_output=True, text=True).stdout
        needs = [re.match(r"\s*([^\s|(]+)\s*(?:\(([^)]*)\))?", one) for one in depends.split(",") if one.strip()]
        return [_entry(Component(one.group(1), one.group(2) or "any", one.group(1), "depends", [], b"")) for one in needs]
    return []


def main():
    version, *files = sys.argv[1:]
    entries = []
    for path in files:
        with open(path, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        entries.append({"type": "file", "name": os.path.basename(path), "version": version,
                        "hashes": [{"alg": "SHA-256", "content": digest}], "components": _held_in(path)})
    sys.stdout.buffer.write(_bill("vernier", version, entries))


if __name__ == "__main__":
    main()
