"""A process that knows one library, and starts another for each of its classes. Usage: _worker.py LIBRARY OPTIONS

It reads classes line by line and answers each by a line of JSON. The first line tells the library's classes.
"""

import importlib
import importlib.metadata
import json
import os
import re
import resource
import select
import signal
import sys
import time

from .._library import one_line
from ._asked import Subject, Unjudged, adapter_of
from ._judge import NOTHING, judged_class

def main(library, options):
    answers = os.fdopen(os.dup(1), "w")
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (1, 2):  # a library may print
        os.dup2(silence, stream)
    version = ""
    try:
        adapter = adapter_of(library)
        version = getattr(adapter, "VERSION", None) or importlib.metadata.version(adapter.DISTRIBUTION)
        least = getattr(adapter, "LEAST", ())
        if tuple(map(int, re.findall(r"\d+", version)[:len(least)])) < least:
            _tell(answers, version, f"it is older than {'.'.join(map(str, least))}, which this survey asks")
            return
        for module in adapter.PRELOAD:
            importlib.import_module(module)
    except importlib.metadata.PackageNotFoundError:
        _tell(answers, version, "it is not installed")
        return
    except Exception as error:  # whatever its import raises
        _tell(answers, version, f"it fails on import ({one_line(error)})")
        return
    subjects = adapter.subjects if options.get("lists") else list
    found = _apart(lambda: {"subjects": [vars(one) for one in subjects()]}, options)
    _tell(answers, version, found["sentence"], found.get("subjects"))
    for line in sys.stdin:
        subject = Subject(**json.loads(line))
        started = time.monotonic()
        result = _apart(lambda: judged_class(adapter.trials(subject, options["dtypes"])), options)
        answers.write(json.dumps({**result, "seconds": round(time.monotonic() - started, 2)}) + "\n")
        answers.flush()


def _tell(answers, version, problem, subjects=None):
    answers.write(json.dumps({"version": version, "problem": problem, "subjects": subjects}) + "\n")
    answers.flush()


def _apart(function, options):
    """The dict that a function returns in a process of its own. Its `sentence` says what became of a process without one."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _run(function, writing, options)
    os.close(writing)
    deadline = time.monotonic() + options["seconds"]
    parts = []
    while True:
        ready, _, _ = select.select([reading], [], [], max(0.0, deadline - time.monotonic()))
        part = os.read(reading, 1 << 16) if ready else b""
        parts.append(part)
        if not part:
            break
    os.close(reading)
    ended_late = not ready
    if ended_late:
        _end(child)
    _, status = os.waitpid(child, 0)
    try:
        return {**NOTHING, **json.loads(b"".join(parts))}
    except ValueError:
        pass
    if ended_late:
        why = f"it took longer than {options['seconds']} s"
    elif os.WIFSIGNALED(status):
        why = f"its process was ended by {signal.Signals(os.WTERMSIG(status)).name}"
    else:
        why = f"its process ended with exit code {os.WEXITSTATUS(status)}"
    return {**NOTHING, "sentence": why}


def _run(function, writing, options):
    """The rest of a new process."""
    code = 1
    try:
        os.setpgid(0, 0)  # so that what it starts ends with it
        most = options["memory_mib"] << 20
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        try:
            result = function()
        except Unjudged as error:
            result = {"sentence": str(error)}
        except MemoryError:
            result = {"sentence": f"it needs more than {options['memory_mib']} MiB of memory"}
        except Exception as error:
            result = {"sentence": one_line(error)}
        with os.fdopen(writing, "wb") as out:
            out.write(json.dumps(result).encode())
        code = 0
    finally:
        os._exit(code)


def _end(child):
    for process in (-child, child):
        try:
            os.kill(process, signal.SIGKILL)
        except OSError:
            pass


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]))
