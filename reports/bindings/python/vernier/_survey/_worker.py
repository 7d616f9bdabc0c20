"""A process that imports one library, and starts another for each of its classes. Usage: _worker.py LIBRARY OPTIONS

Its first line tells the library's classes. It reads a line of those to judge, and answers each by a line as it is done. Lines are
JSON.
"""

import importlib
import json
import multiprocessing
import multiprocessing.connection
import os
import re
import resource
import signal
import sys
import time
from importlib.metadata import version as _version_of

from .._library import one_line
from ._asked import Subject, adapter_of
from ._judge import NOTHING, judged_class
from ._published import documents

_FORK = multiprocessing.get_context("fork")


def main(library, options):
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (1, 2):  # a library may print
        os.dup2(silence, stream)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    adapter, told = None, {"version": "", "problem": None, "subjects": []}
    try:
        adapter = adapter_of(library)
        told["version"] = getattr(adapter, "VERSION", None) or _version_of(getattr(adapter, "DISTRIBUTION", library))
        _import(adapter, told)
    except Exception as error:  # whatever its import raises
        is_missing = isinstance(error, ModuleNotFoundError) and error.name in (library, getattr(adapter, "DISTRIBUTION", library))
        told["problem"] = "it is not installed" if is_missing else f"it fails on import ({one_line(error)})"
    print(json.dumps(told), file=answers)
    path = options["configurations"]
    options = {**options, "answers": answers.fileno(), "documents": documents(path) if path else []}
    for name, result in _results(adapter, json.loads(sys.stdin.readline() or "[]"), options):
        print(json.dumps([name, result]), file=answers)


def _import(adapter, told):
    least = getattr(adapter, "LEAST", ())
    if tuple(map(int, re.findall(r"\d+", told["version"])[:len(least)])) < least:
        told["problem"] = f"it is older than {'.'.join(map(str, least))}, which this survey asks"
        return
    for module in getattr(adapter, "PRELOAD", ()):
        importlib.import_module(module)
    told["subjects"] = [vars(one) for one in adapter.subjects()]


def _results(adapter, subjects, options):
    """Pairs of a class's name and its result, as they are done."""
    waiting, running = subjects[::-1], {}
    try:
        while waiting or running:
            while waiting and len(running) < options["workers"]:
                process = _Process(adapter, Subject(**waiting.pop()), options)
                running[process.answer] = process
            soonest = min(one.deadline for one in running.values())
            multiprocessing.connection.wait(running, max(0.0, soonest - time.monotonic()))
            for process in [one for one in running.values() if one.is_done()]:
                del running[process.answer]
                yield process.name, process.result()
    finally:
        for process in running.values():
            process.end()


class _Process:
    """That of one class."""

    def __init__(self, adapter, subject, options):
        self.name, self._limit, self._started = subject.name, options["seconds"], time.monotonic()
        self.deadline = self._started + self._limit
        self.answer, answer = _FORK.Pipe(duplex=False)
        self._process = _FORK.Process(target=_judge, args=(adapter, subject, options, answer))
        self._process.start()
        answer.close()  # so that it closes when the process ends

    def is_done(self):
        return self.answer.poll() or time.monotonic() >= self.deadline

    def result(self):
        try:
            result = json.loads(self.answer.recv_bytes()) if self.answer.poll() else {
                "sentence": f"it took longer than {self._limit} s"}
        except (EOFError, OSError, ValueError):  # it ended before all of its answer was there
            result = None
        self.end()
        return {**NOTHING, **(result or {"sentence": self._ending()}), "seconds": round(time.monotonic() - self._started, 2)}

    def _ending(self):
        code = self._process.exitcode
        how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        return f"its process {how}"

    def end(self):
        for kill in (lambda: os.killpg(self._process.pid, signal.SIGKILL), self._process.kill):
            try:
                kill()
            except OSError:
                pass
        self._process.join()


def _judge(adapter, subject, options, answer):
    """The whole life of the process of a class."""
    os.setpgid(0, 0)  # so that what it starts ends with it
    os.close(options["answers"])  # so that those close when the library's process ends
    most = options["memory_mib"] << 20
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    askers = [lambda: adapter.trials(subject, options["dtypes"])]
    if options["documents"] and hasattr(adapter, "published_trials"):
        askers.append(lambda: adapter.published_trials(subject, options["documents"]))
    answer.send_bytes(json.dumps(judged_class(*askers)).encode())


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]))
