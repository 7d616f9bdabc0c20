"""The command `python -m vernier survey`."""

import argparse
import json
import os
import subprocess
import sys
import tempfile

from .._library import VernierError
from ._asked import DTYPES, FURTHER
from ._outcome import Survey, line_of
from ._run import libraries, survey

_USAGE_ERROR = 2
_INTERRUPTED = 130


def main(arguments=None):
    """Returns the exit code: 0, all that was judged conforms; 1, something does not; 2, bad input; 4, nothing judged."""
    options = _parser().parse_args(arguments)
    try:
        earlier = Survey.read(options.since) if options.since else None
        surveyed = survey(*options.library, only=options.only, dtypes=tuple(options.dtype.split(",")),
                          configurations=options.configurations, workers=options.jobs,
                          seconds=options.seconds, memory_mib=options.memory, state=options.state, progress=_progress)
        if earlier is not None:
            surveyed.compare(earlier)
        print(surveyed.text)
        _write(surveyed, options)
        return surveyed.exit_code
    except VernierError as error:
        print(error, file=sys.stderr)
        return _USAGE_ERROR
    except KeyboardInterrupt:
        print(f"interrupted: the same command goes on from what {options.state}.* keep", file=sys.stderr)
        return _INTERRUPTED


def _parser():
    parser = argparse.ArgumentParser(
        prog="vernier survey",
        description="Builds every positional encoding of installed libraries, asks it for tables, rotated vectors, biases or "
                    "buckets, and judges them by its own configuration. Nothing is fetched.")
    parser.add_argument("library", nargs="+", metavar="LIBRARY", help=", ".join(libraries()))
    parser.add_argument("--only", metavar="TEXT", help="only classes with this text in their names")
    parser.add_argument("--dtype", default=",".join(DTYPES), help=f"some of %(default)s; or {', '.join(FURTHER)}")
    parser.add_argument("--configurations", metavar="PATH",
                        help="build rotary classes of transformers from published configurations too: a config.json, or a folder")
    parser.add_argument("--since", metavar="FILE", help="tell what changed against the JSON of an earlier survey")
    parser.add_argument("--jobs", type=int, help="how many classes at once; default one a processor")
    parser.add_argument("--seconds", type=int, default=240, help="the most that a class may take (%(default)s)")
    parser.add_argument("--memory", type=int, default=4096, metavar="MIB", help="the most memory of a class (%(default)s)")
    parser.add_argument("--state", default=".vernier-survey", metavar="FILE",
                        help="where an ended survey goes on from (%(default)s.LIBRARY, removed at the end)")
    for form in ("json", "html", "junit", "sarif"):
        parser.add_argument(f"--{form}", metavar="FILE", help=f"write the survey as {form.upper()}")
    return parser


def _progress(result, done, total):
    if result["status"] == "does_not_conform" or sys.stderr.isatty():
        print(f"{done} of {total}: {line_of(result)}", file=sys.stderr)


def _write(surveyed, options):
    for form in ("json", "junit", "sarif"):
        path, document = getattr(options, form), getattr(surveyed, form)
        if path:
            _replace(path, (json.dumps(document, indent=1) if form == "json" else document) + "\n")
    if options.html:
        program = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bin", "vernier")
        with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
            json.dump(surveyed.json, file)
            file.flush()
            if subprocess.run([program, "survey", file.name, "--html", options.html], check=False).returncode:
                raise VernierError(f"{options.html}: was not written")


def _replace(path, text):
    """Writes a file whole or not at all."""
    if path == "-":
        sys.stdout.write(text)
        return
    try:
        with open(path + ".unfinished", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(path + ".unfinished", path)
    except OSError as error:
        raise VernierError(f"{path}: cannot be written ({error.strerror})") from error
