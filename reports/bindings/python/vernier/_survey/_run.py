"""Surveying a library: its classes, each in a process of its own, several at once."""

import contextlib
import datetime
import json
import os
import pkgutil
import subprocess
import sys
import threading

from .._library import InputError, version as _version
from . import adapters
from ._asked import DTYPES, FURTHER
from ._judge import NOTHING
from ._outcome import Survey
from ._published import documents

_ENVIRONMENT = {
    # Nothing is fetched: a survey judges code, not weights.
    "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "TRANSFORMERS_VERBOSITY": "error",
    # A class has a process; its threads would only take time from another's.
    "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false", "CUDA_VISIBLE_DEVICES": "", "JAX_PLATFORMS": "cpu", "KERAS_BACKEND": "torch",
    "PYTHONWARNINGS": "ignore", "TF_CPP_MIN_LOG_LEVEL": "3", "TORCHINDUCTOR_COMPILE_THREADS": "1",
}

# Seconds that importing a library may take besides: diffusers takes 60 on two cores.
_IMPORTING = 240
_ENDED = "the process that imports it ended or hung"


def libraries():
    """The libraries that have an adapter."""
    return sorted(one.name for one in pkgutil.iter_modules(adapters.__path__) if not one.name.startswith("_"))


def survey(*names, only=None, dtypes=DTYPES, configurations=None, workers=None, seconds=240, memory_mib=4096, state=None,
           progress=None):
    """Builds every positional encoding of installed libraries, asks it and judges it. Returns a Survey.

    names: libraries that have an adapter (`vernier survey --help` lists them), or paths of adapters.
    only: classes with this text in their names, or a set of names.
    dtypes: some of "float32", "bfloat16", "autocast", and "compiled" (by torch.compile).
    configurations: the path of a config.json, or of a folder of such files: rotary classes of transformers are built from those
    of their model types too.
    workers: how many classes at once; default one a processor.
    seconds, memory_mib: the most that a class may take. state: the path of a file that keeps what is done: with it a survey
    goes on where it was ended. progress: a function of each result, a dict, and of the numbers of those done and in all.
    """
    for name in names:
        if name not in libraries() and not (name.endswith(".py") and os.path.isfile(name)):
            raise InputError(f'library: found "{name}", expected {", ".join(libraries())} or the path of an adapter')
    known = DTYPES + FURTHER
    unknown = [one for one in dtypes if one not in known]
    if unknown or not dtypes:
        raise InputError(f"dtypes: found {', '.join(unknown) or 'none'}, expected some of {', '.join(known)}")
    for name, value in (("workers", workers or 1), ("seconds", seconds), ("memory_mib", memory_mib)):
        if value < 1:
            raise InputError(f"{name}: found {value}, expected a number from 1 on")
    if configurations is not None:
        configurations = os.fspath(configurations)
        documents(configurations)
    asked = {"dtypes": list(dtypes), "configurations": configurations, "seconds": seconds, "memory_mib": memory_mib}
    workers = workers or len(os.sched_getaffinity(0))
    surveyed = [_surveyed(name, only, asked, workers, state, progress or (lambda *_: None)) for name in names]
    return Survey({"survey": 1, "vernier": _version(), "date": datetime.date.today().isoformat(), "libraries": surveyed})


def _surveyed(library, only, asked, workers, state, progress):
    title = os.path.basename(library)[:-3] if library.endswith(".py") else library
    with contextlib.closing(_Server(library, {**asked, "workers": workers})) as server:
        told = {"library": title, **server.told}
        subjects = {one["name"]: one for one in told.pop("subjects") if _is_meant(one["name"], only)}
        results = {name: _unasked(one) for name, one in subjects.items() if one["why"] is not None}
        kept = _Kept(state and f"{state}.{title}", {**asked, "library": title, "version": told["version"], "vernier": _version()})
        results.update((name, one) for name, one in kept.results.items() if name in subjects)
        for name, result in server.results([one for name, one in subjects.items() if name not in results]):
            results[name] = result
            kept.add(name, result)
            progress({**subjects[name], **result}, len(results), len(subjects))
        kept.remove()
    for one in subjects.values():
        del one["why"], one["holds_encoding"]
    return {**told, "classes": [{**one, **results[name]} for name, one in subjects.items()]}


def _is_meant(name, only):
    return only is None or (only in name if isinstance(only, str) else name in only)


def _unasked(subject):
    return {**NOTHING, "status": "no_adapter" if subject["holds_encoding"] else "no_encoding", "sentence": subject["why"]}


class _Server:
    """A process of _worker.py: it knows a library. told: its version, problem and subjects."""

    def __init__(self, library, options):
        self._library, self._options = library, options
        self._limit = options["seconds"] + _IMPORTING
        self._start()

    def _start(self):
        paths = [os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), os.environ.get("PYTHONPATH")]
        environment = {**os.environ, **_ENVIRONMENT, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
        command = [sys.executable, "-m", "vernier._survey._worker", self._library, json.dumps(self._options)]
        self._process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         stderr=subprocess.DEVNULL, text=True)
        self.told = self._line() or {"version": "", "problem": _ENDED, "subjects": []}

    def results(self, subjects):
        """Pairs of a class's name and its result. If the process ends, another goes on, one class at a time: if that ends too,
        the class is told so."""
        waiting = {one["name"]: one for one in subjects}
        while waiting:
            with contextlib.suppress(OSError):
                print(json.dumps(list(waiting.values())), file=self._process.stdin, flush=True)
            for name, result in iter(self._line, None):
                del waiting[name]
                yield name, result
            if waiting and self._options["workers"] == 1:
                first = next(iter(waiting))
                del waiting[first]
                yield first, {**NOTHING, "sentence": _ENDED}
            if waiting:
                self._options["workers"] = 1
                self.close()
                self._start()

    def _line(self):
        """The next line of the process; None if it has ended, or hangs."""
        timer = threading.Timer(self._limit, self._process.kill)
        timer.start()
        try:
            line = self._process.stdout.readline()
        finally:
            timer.cancel()
        return json.loads(line) if line else None

    def close(self):
        self._process.terminate()
        try:
            self._process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class _Kept:
    """The results of an ended survey that asked the same, and further ones: a file with a line for each. path may be None."""

    def __init__(self, path, asked):
        self.results, self._path = {}, path
        with contextlib.suppress(OSError, ValueError), open(path or os.devnull, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file if line.endswith("\n")]
            self.results = dict(lines[1:]) if lines[:1] == [asked] else {}
        try:
            self._file = open(path or os.devnull, "w", encoding="utf-8", buffering=1)
        except OSError as error:
            raise InputError(f"{path}: cannot be written ({error.strerror})") from error
        for one in (asked, *self.results.items()):
            print(json.dumps(one), file=self._file)

    def add(self, name, result):
        print(json.dumps([name, result]), file=self._file)

    def remove(self):
        self._file.close()
        if self._path:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self._path)
