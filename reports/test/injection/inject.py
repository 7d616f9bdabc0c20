#!/usr/bin/env python3
"""Lets calls of the command, the library and the wheel fail, one in each run, and judges how the run ends.

    python3 inject.py --vernier PATH --shim PATH [--sample N] [--seed S] [--only SCENE ...] [--kinds KIND ...]

The shim (shim.c) tells which calls there are. Without --sample the first call of every site fails, and a stratified sample of the
others: of a scene that takes long, as many as its time allows.
Every run must end like the run without a fault: same exit code, standard output and files. Or it ends with exit code 2 and a
sentence. Either way it ends soon, leaves no temporary file, no half-written file and no process; what it saved can be gone on with."""

import argparse
import ctypes
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from scenes import Scene, inputs, scenes

MODES = {"alloc": ["once", "on"], "open": ["once", "on"], "read": ["once", "short", "interrupted"],
         "write": ["once", "half", "short", "interrupted"], "sync": ["once"], "close": ["once"], "name": ["once"],
         "map": ["once", "on"], "stat": ["once"], "process": ["once", "on"], "thread": ["once", "on"],
         "clock": ["18000", "-18000", "18000r", "-18000r"]}
PR_SET_CHILD_SUBREAPER = 36
PATIENCE = 8  # seconds that a process which was left has to end: a supervisor gives 6
LONG = 4  # seconds: of a run that takes longer few calls can be tried, so they are counted and their sites not told apart
LEAKS, LEAK_CODE = "liblsan.so.0", 23
# Of a library without memory, as vernier.h says: GMP ends the process, so does the destructor of nlohmann's JSON, and so does the
# dynamic linker, which has no memory for a thread.
STATED_LIMIT = re.compile(r"GNU MP: Cannot (?:re)?allocate memory|terminate called after throwing an instance of '(?:St9|std::)bad_alloc'"
                          "|cannot allocate memory for thread-local data")


@dataclass(frozen=True)
class Point:
    scene: str
    kind: str
    call: str  # a site, or #index
    mode: str

    def __str__(self):
        return f"{self.scene}: {self.kind}:{self.call}:{self.mode}"


@dataclass
class Ending:
    code: int
    out: bytes
    err: str
    files: dict
    temporary: list
    left: list  # processes
    log: str
    hung: bool = False


def contents(folder):
    return {str(path.relative_to(folder)): b"" if path.is_dir() else path.read_bytes() for path in sorted(folder.rglob("*"))}


def children():
    text = " ".join(path.read_text() for path in Path("/proc/self/task").glob("*/children"))
    return [int(word) for word in text.split()]


def left_processes():
    """Those that the last run left, after some patience. They are killed."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
        except ChildProcessError:
            return []
        time.sleep(0.005)
    left = []
    for pid in children():
        left.append(Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ").strip())
        os.kill(pid, signal.SIGKILL)
    return left


class Trial:
    def __init__(self, options, scene, folder):
        self.scene, self.folder, self.options = scene, folder, options

    def run(self, variables, limit):
        """Runs the scene's command in its folder, for limit seconds at most. variables: of the shim; without them nothing is preloaded"""
        folder = self.folder
        temporary = folder.with_name(folder.name + ".tmp")
        temporary.mkdir(exist_ok=True)
        log = folder.with_name(folder.name + ".log")
        log.unlink(missing_ok=True)
        environment = {**os.environ, "TMPDIR": str(temporary), "LC_ALL": "C", "VERNIER_CASES": "1", **self.scene.environment}
        if variables is not None:
            preloaded = [self.options.shim] + [LEAKS] * self.options.leaks
            environment.update(LD_PRELOAD=" ".join(preloaded), LSAN_OPTIONS=f"exitcode={LEAK_CODE} fast_unwind_on_malloc=0", VERNIER_INJECT_LOG=str(log), VERNIER_INJECT_MODULE=self.scene.module, **variables)
        # Files, as whoever kept a pipe open would keep us waiting.
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = subprocess.Popen(self.scene.words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            hung = False
            try:
                process.wait(limit)
            except subprocess.TimeoutExpired:
                hung = True
                process.kill()
                process.wait()
            left = left_processes()
            out.seek(0), err.seek(0)
            ending = Ending(process.returncode, out.read(), err.read().decode(errors="replace"), contents(folder),
                            [str(path) for path in temporary.rglob("*")], left, log.read_text() if log.exists() else "", hung)
        shutil.rmtree(temporary)
        log.unlink(missing_ok=True)
        return ending


def fresh(source, work):
    target = Path(tempfile.mkdtemp(dir=work))
    shutil.copytree(source, target, dirs_exist_ok=True)
    return target


def without_times(data):
    """Times and days are those of the run."""
    data = re.sub(rb"  No more was asked about .*\n", b"", data)
    data = re.sub(rb'("(?:seconds|took|time|date|duration|timestamp)[a-z_]*": ?"?)[^,"}\n]*', rb"\1T", data)
    return re.sub(rb'(time(?:stamp)?=")[^"]*|\b\d+(\.\d+)? (ms|s|min)\b|\d{4}-\d\d-\d\d(T[\d:]+Z?)?', rb"\1T", data)


def same(a, b):
    return a == b or without_times(a) == without_times(b)


def differing(ending, wanted, varying):
    names = [name for name in {*ending.files, *wanted.files} - varying
             if name not in ending.files or name not in wanted.files or not same(ending.files[name], wanted.files[name])]
    return sorted(names)


def fault_of(ending, wanted, before, varying, scene):
    """What is wrong with how a run ended; nothing if it is right."""
    if ending.hung:
        return "hangs"
    if scene.module and STATED_LIMIT.search(ending.err):
        return None
    if ending.code < 0 or ending.code >= 128:
        return f"dies by signal {-ending.code if ending.code < 0 else ending.code - 128}: {ending.err.strip()[:120]}"
    if ending.code == LEAK_CODE:
        leaks = [re.findall("#[1-5] 0x[0-9a-f]+ in (.*)", leak) for leak in re.split("leak of ", ending.err)[1:]]
        ours = [frames for frames in leaks if not any("nlohmann" in frame for frame in frames)]
        return f"leaks memory: {ours[:1]}" if ours else None
    if ending.temporary:
        return f"leaves temporary files: {ending.temporary[:2]}"
    if ending.left:
        return f"leaves processes: {ending.left[:2]}"
    # Too little time for all questions, on a busy machine or by a clock that jumps, changes what is asked.
    hurried = scene.asks and (b"No more was asked" in ending.out + wanted.out or
                              ending.log.startswith("clock") and re.search(rb"\bwithin\s+\d", ending.out))
    if hurried and ending.code in (wanted.code, 3):
        return None
    if ending.code == wanted.code:
        if not same(ending.out, wanted.out):
            return f"says something else: {difference(ending.out, wanted.out)}"
        other = differing(ending, wanted, varying)
        if not other:
            return None
        if ending.code != 2:
            return f"writes something else: {other[:3]}"
    if ending.code in scene.partial and re.search("^vernier: .*cannot be read", ending.err, re.M):
        return None
    if ending.code != 2:
        return f"exit code {ending.code}, expected {wanted.code} or 2: {ending.err.strip()[:120]}"
    lines = ending.err.splitlines()
    if not lines or not lines[-1].startswith("vernier: ") or "internal error" in lines[-1]:
        return f"exit code 2 without a sentence: {ending.err.strip()[:120]!r}"
    told, whole = without_times(ending.out), without_times(wanted.out)
    # A host goes on with its next call.
    if not hurried and not whole.startswith(told) and not (scene.module and set(told.splitlines()) <= set(whole.splitlines())):
        return f"says something else before it refuses: {difference(ending.out, wanted.out)}"
    half = [name for name, data in ending.files.items() if name not in varying and not scene.again and
            not any(name in files and same(data, files[name]) for files in (before, wanted.files))]
    if half:
        return f"leaves files: {half[:3]}"
    return None


def difference(out, wanted):
    for a, b in zip(out.splitlines() + [b"(end)"], wanted.splitlines() + [b"(end)"]):
        if not same(a, b):
            return f"{a.decode(errors='replace')[:100]!r}, not {b.decode(errors='replace')[:100]!r}"
    return f"{len(out)} bytes, not {len(wanted)}"


def becomes_subreaper():
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def study(job):
    """A scene without a fault, twice, the sites of its calls, and how long it takes."""
    options, scene, source, work = job
    folders = [fresh(source, work) for _ in range(3)]
    before = contents(source)
    start = time.monotonic()
    first, second = (Trial(options, scene, folder).run({} if options.leaks else None, limit=600) for folder in folders[:2])
    seconds = (time.monotonic() - start) / 2
    hurried = scene.asks and b"No more was asked" in first.out + second.out
    if first.code not in (0, 1, 4) or not (same(first.out, second.out) or hurried):
        return scene.name, f"exit code {first.code}: {first.err}{difference(first.out, second.out)}"
    varying = set(differing(first, second, set()))
    record = work / f"{scene.name.replace(' ', '_')}.record"
    Trial(options, scene, folders[2]).run({f"VERNIER_INJECT_{'RECORD' if seconds < LONG else 'COUNT'}": str(record)}, limit=1200)
    if not record.exists():
        return scene.name, "its calls could not be counted within 20 minutes"
    sites = []
    for line in record.read_text().splitlines():
        kind, site, index, count, *places = line.split()
        sites.append((kind, site, int(index), int(count), " ".join(places)))
    record.unlink()
    for folder in folders:
        shutil.rmtree(folder)
    return scene.name, sites, first, before, varying, seconds


def attempt(job):
    """Tries a point. Returns the point, its log, the exit code and what is wrong."""
    options, scene, point, source, work, wanted, before, varying, seconds = job
    folder = fresh(source, work)
    trial = Trial(options, scene, folder)
    limit = max(options.limit, 4 * seconds)
    ending = trial.run({"VERNIER_INJECT_FAIL": f"{point.kind}:{point.call}:{point.mode}"}, limit)
    fault = fault_of(ending, wanted, before, varying, scene)
    if fault is None and scene.again and ending.code != wanted.code:
        resumed = trial.run(None, limit)
        if resumed.code != wanted.code or not same(resumed.out, wanted.out) or differing(resumed, wanted, varying):
            fault = f"cannot be gone on with: exit code {resumed.code}, {resumed.err.strip()[:120]}"
    shutil.rmtree(folder)
    is_stated = scene.module and STATED_LIMIT.search(ending.err)
    return point, ending.log, "limit" if is_stated else ending.code, fault, ending.err.strip()[:160]


def chosen_points(options, studied):
    """Every site once, those of allocations once in all scenes together, and a sample of the other calls."""
    rng, seen, points = random.Random(options.seed), set(), []
    for name, (sites, *_, seconds) in studied.items():
        totals = Counter()
        for kind, _, _, count, _ in sites:
            totals[kind] += count
        for kind, site, index, _, _ in sites if seconds < LONG else []:
            if kind not in options.kinds:
                continue
            call = f"#{index}" if options.scenes[name].slow else site
            for mode in MODES[kind]:
                if kind != "alloc" or (site, mode) not in seen:
                    points.append(Point(name, kind, call, mode))
                    seen.add((site, mode))
        for kind in totals.keys() & set(options.kinds):
            strata = min(options.strata if seconds < LONG else int(options.seconds), totals[kind])
            for i in range(strata):
                low, high = totals[kind] * i // strata, totals[kind] * (i + 1) // strata
                points.append(Point(name, kind, f"#{rng.randrange(low, high)}", rng.choice(MODES[kind])))
    points.sort(key=str)
    if options.sample is not None:
        return spread(points, options.sample, rng)
    result = []
    for name, (*_, seconds) in studied.items():
        own = [point for point in points if point.scene == name]
        most = max(1, int(options.seconds * options.jobs / seconds))
        if most < len(own):
            print(f"{name}: {most} of {len(own)} points, as a run takes {seconds:.1f} s")
        result += spread(own, most, rng)
    return result


def spread(points, most, rng):
    """At most so many, and as many of each scene and kind as can be."""
    groups = defaultdict(list)
    for point in points:
        groups[point.scene, point.kind].append(point)
    for group in groups.values():
        rng.shuffle(group)
    order = sorted(((i, rng.random(), point) for group in groups.values() for i, point in enumerate(group)), key=lambda one: one[:2])
    return [point for _, _, point in order[:most]]


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vernier", required=True, type=Path)
    parser.add_argument("--shim", required=True, type=lambda word: str(Path(word).resolve()))
    parser.add_argument("--plugin", type=Path, help="a plug-in of sinusoidal encodings")
    parser.add_argument("--host", type=Path, help="the program that calls libvernier")
    parser.add_argument("--wheel", type=Path, help="the Python package")
    parser.add_argument("--sample", type=int, help="how many points are tried, of quick scenes unless --only names others; default all")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("VERNIER_SEED", 1)))
    parser.add_argument("--strata", type=int, default=10, help="of the calls of each kind in each scene")
    parser.add_argument("--seconds", type=float, default=900, help="that each scene may take; of a slow one a sample is tried")
    parser.add_argument("--only", nargs="*", help="scenes")
    parser.add_argument("--kinds", nargs="*", default=list(MODES), choices=list(MODES))
    parser.add_argument("--modes", nargs="*", help="only these, also those of a broken program: lost, abort, hang, keep")
    parser.add_argument("--limit", type=float, default=120, help="seconds that a run may take")
    parser.add_argument("--leaks", action="store_true", help="LeakSanitizer looks at what is left; takes the shim with operator new")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--point", help="SCENE: KIND:CALL:MODE, as printed: this one alone")
    return parser.parse_args()


def main():
    options = read_options()
    if options.modes:
        for kind in options.kinds:
            MODES[kind] = options.modes
    work = Path(tempfile.mkdtemp(prefix="injection-"))
    try:
        return tried(options, work)
    finally:
        shutil.rmtree(work)


def tried(options, work):
    here = Path(__file__).resolve().parent
    options.scenes = {name: scene for name, scene in scenes(options, here).items()
                      if (name in options.only if options.only else options.sample is None or not scene.slow)}
    source = work / "inputs"
    source.mkdir()
    inputs(source, lambda arguments: subprocess.run([options.vernier.resolve(), *shlex.split(arguments)], cwd=source, stdout=subprocess.DEVNULL))
    with ProcessPoolExecutor(options.jobs, initializer=becomes_subreaper) as pool:
        studied, untried = {}, 0
        for name, *rest in pool.map(study, [(options, scene, source, work) for scene in options.scenes.values()]):
            if len(rest) == 1:
                untried += 1
                print(f"{name}: cannot be tried: {rest[0]}", flush=True)
            else:
                studied[name] = rest
        if options.point:
            scene, _, rest = options.point.rpartition(": ")
            points = [Point(scene, *rest.split(":"))]
        else:
            points = chosen_points(options, studied)
        jobs = [(options, options.scenes[point.scene], point, source, work, *studied[point.scene][1:]) for point in points]
        counts, reached, faults = Counter(), Counter(), 0
        for point, log, code, fault, err in pool.map(attempt, jobs, chunksize=1):
            counts[point.scene, point.kind] += 1
            reached["not reached" if not log else "stated limit" if code == "limit" else "refused" if code == 2 else "same"] += 1
            if fault is not None:
                faults += 1
                print(f"{point}\n    {fault}\n    {log.strip()}", flush=True)
            elif options.point:
                print(f"{point}: exit code {code}: {err}\n    {log.strip()}")
    print_table(counts)
    told = ", ".join(f"{count} {name}" for name, count in sorted(reached.items()))
    print(f"seed {options.seed}: {len(points)} points, {sum(len(sites) for sites, *_ in studied.values())} sites: {told}; {faults} faults, {untried} commands untried")
    return 1 if faults or untried else 0


def print_table(counts):
    kinds = [kind for kind in MODES if any(one == kind for _, one in counts)]
    names = sorted({name for name, _ in counts})
    print("| command |", " | ".join(kinds), "|")
    print("|---" * (len(kinds) + 1) + "|")
    for name in names:
        print(f"| {name} |", " | ".join(str(counts[name, kind]) for kind in kinds), "|")
    print("| all |", " | ".join(str(sum(counts[name, kind] for name in names)) for kind in kinds), "|")


if __name__ == "__main__":
    sys.exit(main())
