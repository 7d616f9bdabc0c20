"""Surveying a library: its classes, each in a process of its own, several at once."""

import contextlib
import datetime
import json
import os
import pkgutil
import queue
import subprocess
import sys
import threading

from .._library import InputError, version as _version
from . import adapters
from ._asked import DTYPES, FURTHER
from ._judge import NOTHING
from ._outcome import Survey

_ENVIRONMENT = {
    # Nothing is fetched: a survey judges code, not weights.
    "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "TRANSFORMERS_VERBOSITY": "error",
    # A class has a process; its threads would only take time from another's.
    "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false", "CUDA_VISIBLE_DEVICES": "", "JAX_PLATFORMS": "cpu", "KERAS_BACKEND": "torch",
    "PYTHONWARNINGS": "ignore", "TF_CPP_MIN_LOG_LEVEL": "3",
    "TORCHINDUCTOR_COMPILE_THREADS": "1",
}

# Seconds that importing a library may take besides: diffusers takes 60 on two cores.
_IMPORTING = 240


def libraries():
    """The libraries that have an adapter."""
    return sorted(one.name for one in pkgutil.iter_modules(adapters.__path__) if not one.name.startswith("_"))


def survey(*names, only=None, dtypes=DTYPES, workers=None, seconds=120, memory_mib=4096, state=None, progress=None):
    """Builds every positional encoding of installed libraries, asks it and judges it. Returns a Survey.

    names: libraries that have an adapter (`vernier survey --help` lists them), or paths of adapters. only: classes with this text in their names, or a set of names.
    dtypes: some of "float32", "bfloat16", "autocast", and "compiled" (by torch.compile). workers: how many classes at once; default one a processor.
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
    options = {"dtypes": list(dtypes), "seconds": seconds, "memory_mib": memory_mib}
    workers = workers or len(os.sched_getaffinity(0))
    surveyed = []
    for name in names:
        surveyed.append(_surveyed(name, only, options, workers, state, progress or (lambda *_: None)))
    return Survey({"survey": 1, "vernier": _version(), "date": datetime.date.today().isoformat(), "libraries": surveyed})


class _Worker:
    """A process of _worker.py."""

    def __init__(self, library, options):
        command = [sys.executable, "-m", "vernier._survey._worker", library, json.dumps(options)]
        paths = [os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), os.environ.get("PYTHONPATH")]
        environment = {**os.environ, **_ENVIRONMENT, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
        self._process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         stderr=subprocess.DEVNULL, text=True)
        self._limit = options["seconds"] + _IMPORTING
        self.library = self._answer()

    def result(self, subject):
        try:
            self._process.stdin.write(json.dumps(subject) + "\n")
            self._process.stdin.flush()
        except OSError:
            pass
        return self._answer()

    def _answer(self):
        timer = threading.Timer(self._limit, self._process.kill)
        timer.start()
        try:
            line = self._process.stdout.readline()
        finally:
            timer.cancel()
        if line:
            return json.loads(line)
        why = "the process that imports it ended or hung"
        return {**NOTHING, "version": "", "problem": why, "subjects": None, "sentence": why}

    def has_ended(self):
        return self._process.poll() is not None

    def end(self):
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _surveyed(name, only, options, workers, state, progress):
    first = _Worker(name, {**options, "lists": True})
    told = first.library
    title = os.path.basename(name)[:-3] if name.endswith(".py") else name
    result = {"library": title, "version": told["version"], "problem": told["problem"] or None, "classes": []}
    if told["subjects"] is None:
        first.end()
        return result
    result["problem"] = None
    subjects = [one for one in told["subjects"] if _is_meant(one["name"], only)]
    done = _Done(state, {"library": title, "version": told["version"], "vernier": _version(), **options})
    waiting, finished = queue.Queue(), {}
    for one in subjects:
        if one["why"] is not None:
            status = "no_adapter" if one["holds_encoding"] else "no_encoding"
            finished[one["name"]] = {**NOTHING, "status": status, "sentence": one["why"]}
        elif one["name"] in done.results:
            finished[one["name"]] = done.results[one["name"]]
        else:
            waiting.put(one)
    lock = threading.Lock()

    def work(worker):
        try:
            while True:
                try:
                    subject = waiting.get_nowait()
                except queue.Empty:
                    return
                answer = worker.result(subject)
                if worker.has_ended():
                    worker.end()
                    worker = _Worker(name, options)
                with lock:
                    finished[subject["name"]] = answer
                    done.keep(subject["name"], answer)
                    progress({**subject, **answer}, len(finished), len(subjects))
        finally:
            worker.end()

    count = max(1, min(workers, waiting.qsize()))
    threads = [threading.Thread(target=lambda: work(_Worker(name, options)), daemon=True) for _ in range(count - 1)]
    for one in threads:
        one.start()
    work(first)
    for one in threads:
        one.join()
    done.remove()
    result["classes"] = [{**one, **finished[one["name"]]} for one in subjects]
    for one in result["classes"]:
        del one["why"], one["holds_encoding"]
    return result


def _is_meant(name, only):
    return only is None or (only in name if isinstance(only, str) else name in only)


class _Done:
    """The results of a survey that was ended, kept line by line in a file, and those to come."""

    def __init__(self, path, key):
        self.results, self._path, self._file = {}, path and f"{path}.{key['library']}", None
        if path is None:
            return
        try:
            with open(self._path, encoding="utf-8") as file:
                lines = [json.loads(line) for line in file if line.endswith("\n")]
            if lines and lines[0] == key:
                self.results = {one["name"]: one["result"] for one in lines[1:]}
        except (OSError, ValueError):
            pass
        self._file = open(self._path, "a" if self.results else "w", encoding="utf-8")
        if not self.results:
            self._write(key)

    def keep(self, name, result):
        if self._file:
            self._write({"name": name, "result": result})

    def _write(self, document):
        self._file.write(json.dumps(document) + "\n")
        self._file.flush()

    def remove(self):
        if self._file:
            self._file.close()
            os.unlink(self._path)
