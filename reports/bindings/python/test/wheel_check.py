"""Installs a wheel into new virtual environments, one with nothing else and one with the system's packages, and runs
tests of the package there. Exit code 77 where no virtual environment can be made. Usage: wheel_check.py WHEEL"""

import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LARGEST = 18_000_000  # the library, the command and what they need

# What it needs comes along: nothing of it is the system's. (Python may have loaded the system's zlib before.)
COMES_ALONG = """
import re, vernier
folder = vernier.__file__.rsplit("/", 1)[0]
with open("/proc/self/maps") as maps:
    loaded = {line.split()[-1] for line in maps if ".so" in line}
ours = sorted(path for path in loaded if re.search("lib(vernier|mpfr|mpfi|gmp|tbb|fmt)[^/]*$", path))
assert len(ours) >= 6 and all(path.startswith(folder) for path in ours), ours
"""


def run(*command, folder):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return subprocess.run(command, cwd=folder, env=environment).returncode


def installed(wheel, pip, folder):
    """Whether the wheel is installed into an environment and brings along what it needs."""
    python = os.path.join(folder, "bin", "python")
    return not (run(pip, "-m", "pip", "--python", python, "install", "--quiet", "--no-index", "--no-deps", wheel, folder=folder)
                or run(python, "-c", COMES_ALONG, folder=folder))


def passes_in(folder, tests):
    python = os.path.join(folder, "bin", "python")
    return run(python, os.path.join(HERE, "run.py"), tests, folder=folder) in (0, 77)


def main():
    wheel = os.path.abspath(sys.argv[1])
    if os.path.getsize(wheel) > LARGEST:
        print(f"{wheel}: found {os.path.getsize(wheel)} bytes, expected at most {LARGEST}")
        return 1
    with tempfile.TemporaryDirectory() as alone, tempfile.TemporaryDirectory() as beside:
        if (run(sys.executable, "-m", "venv", alone, folder=HERE)
                or run(sys.executable, "-m", "venv", "--without-pip", "--system-site-packages", beside, folder=HERE)):
            return 77
        pip = os.path.join(alone, "bin", "python")
        # One test of the plug-in shows that it came along: all of them are a test of their own, python.pytest_plugin.
        succeeds = (installed(wheel, pip, alone) and passes_in(alone, "test_check")
                    and installed(wheel, pip, beside) and passes_in(beside, "test_pytest_plugin.Plugin.test_pages"))
    return 0 if succeeds else 1


sys.exit(main())
